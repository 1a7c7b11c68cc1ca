"""Every passive force in tables.force_rows against its derivative, because implicit integrators need the true derivative."""

import importlib

import numpy as np
import pytest

import tumble
from tumble.engine.core import stages
from tumble.engine.tables.force_rows import ROWS

CHAIN = """
<mujoco>
  <option integrator="implicit" {option}><flag contact="disable" {flag}/></option>
  <worldbody>
    <body><joint name="a" axis="0 1 0" {joint}/><geom type="capsule" size=".05 .2" mass="1" {geom}/>
      <body pos=".3 0 0" {body}><joint name="b" type="slide" axis="1 0 1" {joint}/>\
<geom type="box" size=".1 .2 .05" mass="2" {geom}/></body></body>
  </worldbody>
  {more}
</mujoco>"""
ROPE = """
<mujoco>
  <option integrator="implicit" timestep="1e-3"/>
  <worldbody><body name="held"><flexcomp name="c" type="grid" count="4 1 1" spacing=".1 .1 .1" dim="1" radius=".01" mass=".1">
    <edge equality="false" stiffness="10" damping="{damping}"/><contact internal="{contact}" selfcollide="none"/></flexcomp>
      </body></worldbody>
</mujoco>"""


def chain(option="", joint="", geom="", body="", more="", flag=""):
    return CHAIN.format(option=option, joint=joint, geom=geom, body=body, more=more, flag=flag)


# force -> a model that has it, and no other force that depends on velocity
MODELS = {
    "spring": chain(joint='stiffness="30" springref=".2"'),
    "damper": chain(joint='damping="3"'),
    "gravcomp": chain(body='gravcomp=".7"'),
    "fluid": chain(option='viscosity="2"'),
    "tendon": chain(more='<tendon><fixed damping="4"><joint joint="a" coef="1"/><joint joint="b" coef="-2"/></fixed></tendon>'),
    "flex": ROPE.format(damping=2, contact="false"),
    "flexcontact": ROPE.format(damping=0, contact="true"),
}
# central differences of this width have errors from rounding and from the third derivative
WIDTH, CLOSE = 1e-5, 1e-6
SEED = 4


def derivative(m, d):
    """d qfrc_passive / d qvel by central differences, (nv, nv)."""
    columns, v = [], d.qvel.copy()
    for i in range(m.nv):
        forces = []
        for sign in (1, -1):
            d.qvel[:] = v
            d.qvel[i] += sign * WIDTH
            tumble.mj_fwdVelocity(m, d)
            forces.append(d.qfrc_passive.copy())
        columns.append((forces[0] - forces[1]) / (2 * WIDTH))
    d.qvel[:] = v
    tumble.mj_fwdVelocity(m, d)
    return np.array(columns).T


def dense(m, d):
    """qDeriv as a matrix, and its pattern: between dofs of one branch, also where a force couples others."""
    found, pattern = np.zeros((m.nv, m.nv)), np.zeros((m.nv, m.nv), bool)
    for i in range(m.nv):
        row = slice(m.D_rowadr[i], m.D_rowadr[i] + m.D_rownnz[i])
        found[i, m.D_colind[row]] = d.qDeriv[row]
        pattern[i, m.D_colind[row]] = True
    return found, pattern


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_the_derivative_of_a_force(row):
    assert row.name in MODELS, f"force_rows has {row.name}: give it a model here, so that its derivative is checked"
    m = tumble.MjModel.from_xml_string(MODELS[row.name])
    d = tumble.MjData(m)
    rng = np.random.default_rng(SEED)
    d.qpos[:] += 0.03 * rng.normal(size=m.nq)
    d.qvel[:] = rng.normal(size=m.nv)
    tumble.mj_forward(m, d)
    assert np.abs(d.qfrc_passive).max() > 0 or row.name == "flexcontact"
    expected = derivative(m, d)
    d.poison("qDeriv")
    stages.call("derivative_velocity", m, d)
    scale = max(1, np.abs(expected).max())
    found, pattern = dense(m, d)
    expected *= pattern
    assert np.abs(found - expected).max() < CLOSE * scale, "the derivative of this force is missing or wrong"
    assert bool(row.derivative) == (np.abs(expected).max() > CLOSE), "the row says otherwise"


def test_rows_name_what_exists():
    """Kernels are in the modules that the rows name, and ours have their stages there."""
    for row in ROWS:
        for module, stage in ((row.force, row.force_stage), (row.derivative, row.derivative_stage)):
            if module:
                found = importlib.import_module(f"tumble.engine.{module}")
                assert not row.ours or hasattr(found, stage), f"{module} has no {stage}"
