"""Extreme models: empty, with everything disabled or enabled, with very different masses and sizes, with thousands of contacts;
no memory leaks."""

import os

import mujoco
import numpy as np
import pytest

import tumble
from tests.laws.models import PILE
from tests.oracle import load_pair
from tests.tolerance import ITER, close
from tumble.engine.solve.primal import PATIENCE

EMPTY = {
    "nothing": "<mujoco/>",
    "static geoms": '<mujoco><worldbody><geom size="1"/><geom type="plane" '
    'size="1 1 1"/><body pos="0 0 1"><geom size="1"/></body>'
    "</worldbody></mujoco>",
    "mocap alone": '<mujoco><worldbody><body mocap="true"><geom size=".1"/></body><geom size=".1"/></worldbody></mujoco>',
    "sensors alone": '<mujoco><worldbody><site name="s"/></worldbody><sensor>'
    '<gyro site="s"/><clock/><e_kinetic/></sensor></mujoco>',
    "tendon between still sites": '<mujoco><worldbody><site name="s"/><site name="t" '
    'pos="1 0 0"/></worldbody><tendon><spatial '
    'limited="true" '
    'range="0 .5">'
    '<site site="s"/><site site="t"/></spatial></tendon></mujoco>',
    "one joint": '<mujoco><worldbody><body><joint/><geom size=".1"/></body></worldbody></mujoco>',
}
FLAGS = [n for n in dir(mujoco.mjtDisableBit) if n.startswith("mjDSBL_")]
ENABLES = [n for n in dir(mujoco.mjtEnableBit) if n.startswith("mjENBL_")]
# a limit of iterations that takes a second or more to reach, and one that no case needs
ENDLESS, ENOUGH = 3_000_000, 20_000
HUGE = 1e308
# relative to the largest force: where the cost is flat up to rounding, forces are accurate to its root, 1.5e-8, times the
# condition number
SETTLED = 1e-5
FIELDS = "qpos qvel sensordata ten_length xpos geom_xpos time".split()


def agree(pair, steps, tolerance=ITER):
    ref, data, m, d = pair
    for _ in range(steps):
        mujoco.mj_step(ref, data)
        tumble.mj_step(m, d)
    assert [w.number for w in d.warning] == [w.number for w in data.warning]
    for name in FIELDS:
        close(np.atleast_1d(getattr(d, name)), np.atleast_1d(getattr(data, name)), tolerance, name)


@pytest.mark.parametrize("name", EMPTY)
@pytest.mark.parametrize(
    "option",
    ["", 'integrator="RK4"', 'integrator="implicit" solver="PGS"', 'solver="CG" jacobian="sparse" noslip_iterations="3"'],
)
def test_models_with_little_in_them(name, option):
    xml = EMPTY[name].replace("<mujoco/>", "<mujoco></mujoco>").replace("<mujoco>", f"<mujoco><option {option}/>")
    pair = load_pair(xml)
    agree(pair, 3)
    ref, data, m, d = pair
    for which in ("mj_inverse", "mj_forward", "mj_resetData", "mj_rnePostConstraint", "mj_subtreeVel"):
        getattr(mujoco, which)(ref, data)
        getattr(tumble, which)(m, d)
    m.opt.enableflags = (
        int(tumble.mjtEnableBit.mjENBL_SLEEP) | int(tumble.mjtEnableBit.mjENBL_FWDINV) | int(tumble.mjtEnableBit.mjENBL_ENERGY)
    )
    tumble.mj_step(m, d, 3)


def test_every_flag_alone_and_all_together():
    pair = load_pair(PILE.format(cone="elliptic", count=3, shape="ellipsoid"))
    ref, data, m, d = pair
    everything = sum(int(getattr(mujoco.mjtDisableBit, n)) for n in FLAGS)
    extras = sum(int(getattr(mujoco.mjtEnableBit, n)) for n in ENABLES)
    cases = [(int(getattr(mujoco.mjtDisableBit, n)), 0) for n in FLAGS] + [
        (0, int(getattr(mujoco.mjtEnableBit, n))) for n in ENABLES
    ]
    for off, on in [*cases, (everything, 0), (0, extras), (everything, extras)]:
        for o in (ref.opt, m.opt):
            o.disableflags, o.enableflags = off, on
        mujoco.mj_resetData(ref, data)
        tumble.mj_resetData(m, d)
        # bodies fall for more than two steps before they touch anything
        agree(pair, 2)


@pytest.mark.parametrize("mass", ["0", "1e-20"])
def test_masses_of_nothing_are_refused_alike(mass):
    xml = f'<mujoco><worldbody><body><freejoint/><geom size=".1" mass="{mass}"/></body></worldbody></mujoco>'
    for module in (mujoco, tumble):
        with pytest.raises(ValueError, match="mjMINVAL"):
            module.MjModel.from_xml_string(xml)


CHAIN = """
<mujoco>
  <option integrator="{integrator}"/>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <body pos="0 0 1"><joint axis="0 1 0"/><geom type="capsule" size=".05 .1" mass="{small}"/>
      <body pos="0 0 -.3"><joint axis="1 0 0"/><geom type="capsule" size=".05 .1" mass="{large}"/>
        <body pos=".1 0 -.2"><joint type="slide" range="-.1 .1" limited="true"/>
          <geom type="box" size=".1 .1 .1" mass="{small}"/></body></body></body>
    <body pos=".5 0 .1"><freejoint/><geom size=".1" mass="{small}"/></body>
    <body pos=".5 0 .3"><freejoint/><geom size=".1" mass="{large}"/></body>
  </worldbody>
</mujoco>"""


@pytest.mark.parametrize("integrator", ["Euler", "implicit", "RK4"])
@pytest.mark.parametrize(("small", "large"), [(1e-6, 1), (1, 1e6), (1e-9, 1e-3)])
def test_mass_ratios_of_a_million(small, large, integrator):
    agree(load_pair(CHAIN.format(small=small, large=large, integrator=integrator)), 20, 1e3 * ITER)


@pytest.mark.parametrize("far", [1e4, 1e8])
def test_far_from_the_origin(far):
    """A body that falls at huge coordinates equals the reference within the precision that the coordinates leave."""
    pair = load_pair('<mujoco><worldbody><body><freejoint/><geom type="box" size=".1 .2 .3"/></body></worldbody></mujoco>')
    _, data, _, d = pair
    data.qpos[:3] = d.qpos[:3] = far, -far, far
    data.qvel[3:] = d.qvel[3:] = 1, 2, 3
    agree(pair, 30)


@pytest.mark.parametrize("step", [0.1, 1.0])
@pytest.mark.parametrize("integrator", ["Euler", "implicitfast"])
def test_steps_far_too_long(step, integrator):
    _, _, m, d = load_pair(
        PILE.format(cone="elliptic", count=5, shape="box").replace("0.004", f'{step}" integrator="{integrator}')
    )
    d.qpos[2::7] -= 0.25
    for _ in range(60):
        tumble.mj_step(m, d)
        assert np.isfinite(d.qpos).all() and np.isfinite(d.qvel).all()


@pytest.mark.parametrize("shape", ["sphere", "box", "capsule", "ellipsoid", "cylinder"])
def test_bodies_inside_one_another(shape):
    """Bodies at one point, where contact directions are undefined, stay finite and finally separate if the reference's do.
    Two ellipsoids or concentric cylinders have no contact in either engine.
    """
    ref, data, m, d = load_pair(PILE.format(cone="pyramidal", count=4, shape=shape))
    apart = []
    for module, model, own in ((mujoco, ref, data), (tumble, m, d)):
        own.qpos.reshape(-1, 7)[:, :3] = 0, 0, 0.5
        for k in range(300):
            module.mj_step(model, own)
            assert np.isfinite(own.qpos).all()
            if k == 0:
                apart.append(own.ncon)
        x = own.qpos.reshape(-1, 7)[:, :3]
        apart.append(min(np.linalg.norm(a - b) for k, a in enumerate(x) for b in x[:k]) > 1e-3)
    assert apart[:2] == apart[2:] and apart[1] == (shape not in ("ellipsoid", "cylinder"))


CROWD = """
<mujoco>
  <option timestep="0.004" jacobian="sparse"/>
  <worldbody>
    <geom type="plane" size="50 50 1"/>
    <replicate count="{n}" offset=".2 0 0"><replicate count="{n}" offset="0 .2 0"><body pos="0 0 .099"><freejoint/>
      <geom size=".1001"/></body></replicate></replicate>
  </worldbody>
</mujoco>"""


def test_thousands_of_contacts():
    """Spheres that all touch their neighbors and the floor form one island. The first step requests all the room it needs."""
    ref, data, m, d = load_pair(CROWD.format(n=24))
    for k in range(2):
        mujoco.mj_step(ref, data)
        tumble.mj_step(m, d)
        assert d.ncon == data.ncon > 1500, k
        close(d.qvel, data.qvel, ITER, "velocities")


def resident():
    with open("/proc/self/statm", encoding="ascii") as f:
        return int(f.read().split()[1]) * 4096


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="reads Linux's process table")
def test_steps_and_datas_leave_no_memory_behind():
    m = tumble.MjModel.from_xml_string(PILE.format(cone="elliptic", count=8, shape="box"))

    def work():
        d = tumble.MjData(m)
        d.reserve({n: 1 for n in d.capacities})
        tumble.mj_step(m, d, 50)

    for _ in range(20):
        work()
    before = resident()
    for _ in range(150):
        work()
    # a leak of one Data per round would exceed this: with its buffers, it takes more than a hundredth of it
    assert resident() - before < 16e6


@pytest.mark.parametrize("height", [0.09, -HUGE], ids=["boxes", "no numbers"])
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("solver", ["PGS", "CG", "Newton"])
@pytest.mark.parametrize("compat", ["3.4", "4.0"])
def test_a_solver_ends_where_more_iterations_change_nothing(solver, cone, height, compat):
    """Without a tolerance and practically without a limit, solvers end when forces no longer change, or are always NaN."""
    m = tumble.MjModel.from_xml_string(f"""<mujoco><compiler compat="{compat}"/>
      <option solver="{solver}" cone="{cone}" iterations="{ENDLESS}" tolerance="0" noslip_iterations="{ENDLESS}"\
 noslip_tolerance="0"/>
      <worldbody><geom type="plane" size="0 0 1"/>
        <body pos="0 0 {height}"><freejoint/><geom type="box" size=".1 .1 .1" condim="6"/></body>
        <body pos="0 .3 .29"><freejoint/><geom type="cylinder" size=".1 .1"/></body></worldbody></mujoco>""")
    d = tumble.MjData(m)
    tumble.mj_forward(m, d)
    assert 0 < d.solver_niter[0] < ENOUGH
    tumble.mj_step(m, d, 3)
    m.opt.noslip_iterations = 0
    tumble.mj_resetData(m, d)
    tumble.mj_forward(m, d)
    settled, count = d.efc_force.copy(), int(d.solver_niter[0])
    assert 0 < count < ENOUGH
    if np.isfinite(settled).all() and count > PATIENCE:
        m.opt.iterations = count - PATIENCE // 10
        tumble.mj_forward(m, d)
        assert abs(d.efc_force - settled).max() <= SETTLED * settled.max()
