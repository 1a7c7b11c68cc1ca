"""The integrator `discrete`: implicit steps."""

import numpy as np
import pytest

import tumble as mj
from tests.newer.case_models import COUPLED, STIFF, discrete
from tumble.batch import Batch
from tumble.engine.lanes.order import obstacle

# sums in another order; tolerance of the solvers, relative to the largest number
SUMS, SOLVED = 1e-12, 1e-7
BEAD = """<mujoco><option integrator="discrete" timestep="{h}" gravity="0 0 0"/><worldbody><body>
    <joint type="slide" axis="1 0 0" stiffness="{k}" damping="{b}"/>
  <geom size=".1" mass="2"/></body></worldbody></mujoco>"""


@pytest.mark.parametrize(("h", "k", "b"), [(0.01, 3.0, 0.1), (0.01, 1e6, 0.0), (0.1, 1e4, 30.0), (1.0, 1e9, 1e3)])
def test_springs_are_those_of_the_end_of_the_step(h, k, b):
    """A bead on a spring obeys m (v+ - v) / h = -k (q + h v+) - b v+, for any stiffness."""
    m = mj.MjModel.from_xml_string(BEAD.format(h=h, k=k, b=b))
    d = mj.MjData(m)
    d.qpos[0], d.qvel[0] = 0.3, -0.7
    for _ in range(20):
        q, v = d.qpos[0], d.qvel[0]
        mj.mj_step(m, d)
        after = (2 * v - h * k * q) / (2 + h * b + h * h * k)
        assert abs(d.qvel[0] - after) <= SUMS * max(1, abs(v)) and d.qpos[0] == q + h * d.qvel[0]
    assert 2 * d.qvel[0] ** 2 + k * d.qpos[0] ** 2 <= 2 * 0.7**2 + k * 0.3**2


def moved(options="", more=COUPLED, flags=""):
    m = mj.MjModel.from_xml_string(discrete(STIFF, more, options, flags))
    d = mj.MjData(m)
    rng = np.random.default_rng(3)
    d.qvel[:], d.ctrl[:] = rng.normal(size=m.nv) * 0.3, rng.uniform(-0.5, 0.5, m.nu)
    d.qfrc_applied[:] = rng.normal(size=m.nv)
    mj.mj_step(m, d, 3)
    mj.mj_forward(m, d)
    return m, d


def test_inverse_dynamics_ask_for_what_was_applied():
    m, d = moved()
    applied, constraint = d.qfrc_applied + d.qfrc_actuator, d.qfrc_constraint.copy()
    mj.mj_inverse(m, d)
    size = np.abs(applied).max()
    assert np.abs(d.qfrc_constraint - constraint).max() < SOLVED * np.abs(constraint).max()
    assert np.abs(d.qfrc_inverse - applied).max() < SOLVED * np.abs(constraint).max() + SUMS * size


@pytest.mark.parametrize("options", ["solver='CG'", "jacobian='sparse'", "jacobian='sparse' solver='CG'"])
def test_solvers_agree(options):
    _, one = moved()
    _, other = moved(options)
    assert np.abs(one.qacc - other.qacc).max() < SOLVED * np.abs(one.qacc).max() * 10


def test_many_dofs_have_a_sparse_factor():
    """Newton and CG agree for more dofs than a dense factor is used for: the sparse factor's pattern has all couplings."""
    chain = (
        "".join(
            f'<body pos=".1 0 0"><joint name="j{k}" axis="0 1 {k % 2}" stiffness="3" damping=".1"/><geom size=".03" mass=".1"/>'
            for k in range(80)
        )
        + "</body>" * 80
    )
    more = (
        "<tendon>"
        + "".join(
            f'<fixed stiffness="9" damping=".2" springlength="0"><joint joint="j{k}" coef="1"/><joint '
            f'joint="j{79 - k}" coef="-.7"/></fixed>'
            for k in range(8)
        )
        + ("</tendon><actuator><position joint='j3' kp='30' kv='1'/></actuator>")
    )
    found = []
    for solver in ("Newton", "CG"):
        m = mj.MjModel.from_xml_string(
            discrete(f'<geom type="plane" size="9 9 1" pos="0 0 -.1"/><body>{chain}</body>', more, f"solver='{solver}'")
        )
        d = mj.MjData(m)
        d.qvel[:] = np.sin(np.arange(m.nv))
        mj.mj_step(m, d, 5)
        assert d.nefc > 10
        found.append(d.qvel.copy())
    assert np.abs(found[0] - found[1]).max() < SOLVED * np.abs(found[0]).max() * 10


def test_short_steps_have_the_accelerations_of_the_continuous_equations():
    wanted = None
    for h, bound in ((1e-9, 1e-5), (1e-6, 1e-2)):
        m = mj.MjModel.from_xml_string(
            discrete(STIFF, COUPLED).replace("<worldbody>", "<option><flag constraint='disable'/></option><worldbody>", 1)
        )
        m.opt.timestep = h
        d = mj.MjData(m)
        d.qvel[:], d.ctrl[:] = np.cos(np.arange(m.nv)), 0.1
        mj.mj_forward(m, d)
        found = d.qacc.copy()
        if wanted is None:
            m.opt.integrator = mj.mjtIntegrator.mjINT_EULER
            mj.mj_forward(m, d)
            wanted = d.qacc.copy()
        assert np.abs(found - wanted).max() < bound * np.abs(wanted).max()


REFUSED = "integrator discrete needs the solver CG or Newton"


@pytest.mark.parametrize("options", ["solver='PGS'", "noslip_iterations='3'"])
def test_what_it_cannot_step_is_refused(options):
    m = mj.MjModel.from_xml_string(discrete(STIFF, "", options))
    with pytest.raises(mj.FatalError, match=REFUSED):
        mj.mj_step(m, mj.MjData(m))


def test_elastic_flexes_and_sleep_are_refused():
    cloth = (
        '<flexcomp name="f" type="grid" count="3 3 1" spacing=".1 .1 .1" dim="2" radius=".01"><elasticity young="1e3" '
        'thickness=".01" elastic2d="stretch"/></flexcomp>'
    )
    with pytest.raises(ValueError, match="young"):
        mj.MjModel.from_xml_string(discrete(cloth))

    # The integrator may also be changed later.
    later = mj.MjModel.from_xml_string(
        discrete(cloth).replace('integrator="discrete"', "").replace("integrator='discrete'", "")
    )
    later.opt.integrator = mj.MjModel.from_xml_string(discrete()).opt.integrator
    for m in (later, mj.MjModel.from_xml_string(discrete(flags="<flag sleep='enable'/>"))):
        with pytest.raises(mj.FatalError, match=REFUSED):
            mj.mj_step(m, mj.MjData(m))


def test_lanes_leave_it_to_whole_steps():
    m = mj.MjModel.from_xml_string(discrete())
    with pytest.warns(match="discrete"):
        batch = Batch(m, 2, nthread=1, lanes=True)
        batch.step(nstep=3)
    d = mj.MjData(m)
    mj.mj_step(m, d, 3)
    assert "discrete" in obstacle(m) and np.array_equal(batch.get_data(1).qpos, d.qpos)
