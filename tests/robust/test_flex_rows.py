"""Rows of flex edges in sparse storage, one flex behind the other, also behind one that has none."""

import numpy as np

import tumble

# the second has no equality, no damping and no stiffness along its edges
CHAINS = """
<mujoco>
  <option jacobian="{jacobian}" solver="Newton"/>
  <worldbody>
    <flexcomp name="a" type="grid" count="12 2 1" spacing=".1 .1 .1" dim="2" mass="1" radius=".01" pos="0 0 1">
      <edge equality="true"/></flexcomp>
    <flexcomp name="b" type="grid" count="3 2 1" spacing=".1 .1 .1" dim="2" mass="1" radius=".01" pos="0 1 1"/>
    <flexcomp name="c" type="grid" count="4 3 1" spacing=".1 .1 .1" dim="2" mass="1" radius=".01" pos="0 2 1">
      <edge equality="true" damping=".1"/></flexcomp>
  </worldbody>
</mujoco>"""
# both Jacobians make the same rows; the Hessian is factored in another order
REORDERED = 1e-9


def stepped(jacobian):
    m = tumble.MjModel.from_xml_string(CHAINS.format(jacobian=jacobian))
    d = tumble.MjData(m)
    d.qvel[:] = 0.1 * np.sin(np.arange(m.nv))
    tumble.mj_forward(m, d)
    rows = np.zeros((d.nefc, m.nv))
    for i, column in enumerate(np.eye(m.nv)):
        out = np.zeros(d.nefc)
        tumble.mj_mulJacVec(m, d, out, column)
        rows[:, i] = out
    tumble.mj_step(m, d, 5)
    return rows, d.qpos


def test_rows_of_a_flex_stay_behind_one_without():
    dense, sparse = stepped("dense"), stepped("sparse")
    assert (dense[0] == sparse[0]).all() and len(dense[0])
    assert np.abs(dense[1] - sparse[1]).max() < REORDERED
