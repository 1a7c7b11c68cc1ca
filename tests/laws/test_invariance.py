"""Choices that must not affect results: direction of the world axes, order of siblings, storage of matrices, solver."""

import numpy as np
import pytest

import tumble
from tests.tolerance import ROUND, SOLVE, close

STEPS = 40
# contacts are computed by iterations, forces by a solver that stops at 1e-8 of the cost; forty steps accumulate both
CONTACT = 1e-5
TURN = "30 -50 70"
TREES = {
    "walker": """<body name="torso" pos="0 0 .34" euler="5 8 0"><freejoint name="root"/>
    <geom type="capsule" size=".06 .2" euler="0 90 0"/>
        {legs}</body>""",
    "crate": '<body name="crate" pos=".05 .02 .62" euler="0 10 20"><freejoint/><geom type="box" size=".1 .12 .08" mass="2"/>'
    "</body>",
    "arm": """<body name="arm" pos="1 0 1"><joint name="a1" axis="0 1 .3" damping=".4" stiffness="3"/>
    <geom type="capsule" size=".03 .2" pos="0 0 -.2"/>
        <body name="hand" pos="0 0 -.4"><joint type="ball"/><geom type="ellipsoid" size=".1 .06 .05"/><site name="grip"/>
          </body></body>""",
}
LEGS = [
    f"""<body name="leg{k}" pos="{x} {y} 0"><joint name="hip{k}" axis="{y} {x} .1" damping=".2" range="-40 50" limited="true"/>
        <geom type="capsule" size=".03" fromto="0 0 0 {x / 2} {y} -.25"/><site name="foot{k}" pos="{x / 2} {y} -.25"/></body>"""
    for k, (x, y) in enumerate([(0.15, 0.1), (0.15, -0.1), (-0.15, 0.1), (-0.15, -0.1)])
]


def model(gravity, wind, euler="0 0 0", trees=("walker", "crate", "arm"), legs=(0, 1, 2, 3), option=""):
    bodies = "".join(TREES[t] for t in trees).format(legs="".join(LEGS[k] for k in legs))
    return tumble.MjModel.from_xml_string(f"""
<mujoco>
  <option timestep="0.002" gravity="{" ".join(map(repr, gravity))}" wind="{" ".join(map(repr, wind))}" density="20"\
 viscosity=".3" {option}/>
  <worldbody><frame euler="{euler}"><geom type="plane" size="5 5 1"/>{bodies}</frame></worldbody>
  <tendon><spatial name="string" stiffness="30" springlength=".5"><site site="grip"/><site site="foot0"/></spatial></tendon>
  <actuator><position name="servo" joint="hip1" kp="20" kv="1"/><motor name="pull" tendon="string"/></actuator>
</mujoco>""")


def run(m, steps=STEPS):
    d = tumble.MjData(m)
    # names identify joints, whatever the order
    for name, speed in (("hip0", 1.0), ("hip2", -2.0), ("a1", 3.0)):
        d.joint(name).qvel = speed
    d.actuator("servo").ctrl, d.actuator("pull").ctrl = 0.3, -0.5
    tumble.mj_step(m, d, steps)
    tumble.mj_forward(m, d)
    return d


@pytest.mark.parametrize("integrator", ["Euler", "implicitfast", "RK4"])
def test_world_turned_with_gravity_and_wind(integrator):
    option = f'integrator="{integrator}" cone="elliptic"'
    gravity, wind = np.array([0, 0, -9.81]), np.array([1.0, 2.0, 0.5])
    probe = tumble.MjModel.from_xml_string(
        f'<mujoco><worldbody><body euler="{TURN}"><geom size=".1"/></body></worldbody></mujoco>'
    )
    turn = np.empty(9)
    tumble.mju_quat2Mat(turn, probe.body_quat[1])
    turn = turn.reshape(3, 3)
    plain = run(model(gravity.tolist(), wind.tolist(), option=option))
    turned = run(model((turn @ gravity).tolist(), (turn @ wind).tolist(), TURN, option=option))
    assert plain.ncon == turned.ncon > 0
    close(turned.xpos, plain.xpos @ turn.T, CONTACT, "positions")
    close(turned.ten_length, plain.ten_length, CONTACT, "length of the tendon")
    # joint coordinates except the poses of free joints
    for name in ("hip0", "hip1", "hip2", "hip3", "a1"):
        close(turned.joint(name).qpos, plain.joint(name).qpos, CONTACT, name)


@pytest.mark.parametrize(
    ("trees", "legs"),
    [
        (("arm", "crate", "walker"), (0, 1, 2, 3)),
        (("walker", "crate", "arm"), (3, 1, 0, 2)),
        (("crate", "arm", "walker"), (2, 3, 1, 0)),
    ],
)
@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
def test_order_of_siblings(trees, legs, jacobian):
    where = [0, 0, -9.81], [1.0, 2.0, 0.5]
    first, second = (
        run(model(*where, trees=t, legs=g, option=f'jacobian="{jacobian}"'))
        for t, g in ((("walker", "crate", "arm"), (0, 1, 2, 3)), (trees, legs))
    )
    for name in ("torso", "crate", "arm", "hand", "leg0", "leg1", "leg2", "leg3"):
        close(second.body(name).xpos, first.body(name).xpos, CONTACT, name)
        close(second.body(name).cvel, first.body(name).cvel, 1000 * CONTACT, f"velocity of {name}")


def test_smooth_accelerations_of_permuted_siblings_agree_to_rounding():
    where = [0, 0, -9.81], [1.0, 2.0, 0.5]
    first, second = (run(model(*where, trees=t), steps=0) for t in (("walker", "crate", "arm"), ("arm", "walker", "crate")))
    for name in ("hip0", "hip1", "hip2", "hip3", "a1"):
        close(second.joint(name).qacc_smooth, first.joint(name).qacc_smooth, SOLVE, name)
        close(second.joint(name).qfrc_passive, first.joint(name).qfrc_passive, ROUND * 10, f"passive force of {name}")


@pytest.mark.parametrize(
    "change",
    [{"jacobian": 1}, {"solver": 1}, {"disableflags": "ISLAND"}, {"disableflags": "WARMSTART"}, {"disableflags": "MIDPHASE"}],
)
def test_how_it_is_computed(change):
    """Storage, solver, islands, warm start and pruning lead to the same motion."""
    where = [0, 0, -9.81], [1.0, 2.0, 0.5]
    m = model(*where, option='tolerance="1e-14" iterations="500"')
    expected = run(m)
    for name, value in change.items():
        setattr(m.opt, name, int(tumble.mjtDisableBit[f"mjDSBL_{value}"]) if isinstance(value, str) else value)
    got = run(m)
    assert got.ncon == expected.ncon
    close(got.qpos, expected.qpos, CONTACT, str(change))
