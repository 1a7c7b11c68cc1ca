"""Puppet mode: the pulled point goes where the mouse is, joints keep their limits, and servos get the goal as setpoints."""

import numpy as np
import pytest

import tumble as mj
from tumble.app import commands, puppet
from tumble.app.simulation import Simulation
from tumble.ui import intents as I

ARM = """<mujoco><worldbody>
<body name="a" pos="0 0 1"><joint name="yaw" axis="0 0 1"/><joint name="s" axis="0 1 0" range="-100 100"/>
 <geom type="capsule" fromto="0 0 0 0 0 .5" size=".05"/>
 <body name="b" pos="0 0 .5"><joint name="e" axis="0 1 0" range="0 140"/>
  <geom type="capsule" fromto="0 0 0 0 0 .4" size=".04"/>
  <body name="hand" pos="0 0 .4"><joint name="w" type="slide" axis="0 0 1" range="0 .1"/><geom name="hand" size=".06"/>
  </body></body></body>
<body name="ball" pos="2 0 1"><freejoint/><geom size=".1"/></body></worldbody>
<actuator><position name="s" joint="s" kp="50" ctrlrange="-1 1"/><position name="e" joint="e" kp="50"/></actuator></mujoco>"""


def ball(viewer):
    """Middle of the ball on the screen."""
    pixels = viewer.picture().astype(int)
    rows, columns = np.nonzero((pixels[..., 0] > 150) & (pixels[..., 1] < 90) & (pixels[..., 2] > 150))
    assert len(rows) > 8, "the ball is not seen"
    return np.array([columns.mean(), rows.mean()])


def rested(viewer):
    """Wait until the picture no longer changes."""
    viewer.fresh()
    before, now = None, ball(viewer)
    while before is None or np.abs(now - before).max() > 0.2:
        viewer.fresh()
        viewer.fresh()
        before, now = now, ball(viewer)


@pytest.fixture
def sim():
    made = Simulation(running=False)
    m = mj.MjModel.from_xml_string(ARM)
    made.adopt(m, mj.MjData(m))
    made.puppet = True
    return made


def pull(sim, body, goal):
    m, _ = sim.loaded
    values = {"select": body, "active": 1, "localpos": np.zeros(3), "refselpos": np.array(goal, float)}
    commands.apply(sim, I.Perturb(values), lambda *_: None)


def inside(m, d):
    q, low, high = d.qpos[:4], m.jnt_range[:4, 0], m.jnt_range[:4, 1]
    return ((q >= low - 1e-9) & (q <= high + 1e-9) | ~m.jnt_limited[:4].astype(bool)).all()


def test_what_can_be_reached_is_reached(sim):
    m, d = sim.loaded
    hand = mj.mj_name2id(m, mj.mjtObj.mjOBJ_BODY, "hand")
    rng, other = np.random.default_rng(0), mj.MjData(m)
    errors = []
    for _ in range(60):
        other.qpos[:4] = rng.uniform((-1, -1.2, 0.3, 0), (1, 1.2, 2.0, 0.1))
        mj.mj_kinematics(m, other)
        for _again in range(4):
            # the mouse stays in place, and the joints follow it in each round
            pull(sim, hand, other.xpos[hand])
            sim.idle()
        errors.append(np.linalg.norm(d.xpos[hand] - other.xpos[hand]))
        assert inside(m, d)
    assert np.median(errors) < 1e-3 and np.mean(np.array(errors) < 0.01) > 0.9, sorted(errors)[-6:]


def test_out_of_reach_the_arm_points_there_and_keeps_its_limits(sim):
    m, d = sim.loaded
    hand = mj.mj_name2id(m, mj.mjtObj.mjOBJ_BODY, "hand")
    for goal in ((5, 0, 1), (0, -5, 1), (0, 0, -5)):
        for _ in range(6):
            pull(sim, hand, goal)
            sim.idle()
        assert inside(m, d) and np.isfinite(d.qpos).all()
        assert np.linalg.norm(d.xpos[hand] - d.xpos[1]) <= 1.0 + 1e-6


def test_free_bodies_are_moved_as_before(sim):
    m, d = sim.loaded
    ball = mj.mj_name2id(m, mj.mjtObj.mjOBJ_BODY, "ball")
    assert puppet.joints_above(m, ball) == []
    commands.apply(
        sim,
        I.Perturb({"select": ball, "active": 1, "refpos": np.array([2.0, 0, 2]), "refquat": np.array([1.0, 0, 0, 0])}),
        lambda *_: None,
    )
    sim.idle()
    assert d.xpos[ball][2] == pytest.approx(2)


def test_while_it_runs_servos_get_setpoints(sim):
    m, d = sim.loaded
    hand = mj.mj_name2id(m, mj.mjtObj.mjOBJ_BODY, "hand")
    pull(sim, hand, (0.5, 0, 1.6))
    before = np.array(d.qpos)
    sim.apply_perturb()
    assert (d.qpos == before).all() and not d.xfrc_applied.any(), "no force, and nothing jumps"
    assert d.ctrl[0] != 0 and abs(d.ctrl[0]) <= 1 and 0 <= d.ctrl[1] <= np.radians(140)


def test_without_it_nothing_changes(sim):
    m, d = sim.loaded
    commands.apply(sim, I.SetLoop("puppet", None), lambda *_: None)
    assert not sim.puppet
    pull(sim, 3, (0.5, 0, 1.6))
    before = np.array(d.qpos)
    sim.idle()
    assert (d.qpos == before).all()


# seen from the side, in the plane in which it bends; only the hand is magenta
WINDOW = """<mujoco><visual><global orthographic="true" fovy="2" azimuth="90" elevation="0" glow="0"/>
<headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/></visual><statistic center="0 0 .8" extent="2"/>
<option gravity="0 0 0"/><default><geom rgba="0 .4 0 1" contype="0"/></default><worldbody>
<body name="a"><joint name="s" axis="0 1 0" range="-100 100"/><geom type="capsule" fromto="0 0 0 0 0 .6" size=".03"/>
 <body name="b" pos="0 0 .6"><joint name="e" axis="0 1 0" range="0 140"/><geom type="capsule" fromto="0 0 0 0 0 .5" size=".02"/>
  <body name="hand" pos="0 0 .5"><geom size=".05" rgba="1 0 1 1"/></body></body></body></worldbody></mujoco>"""


def test_the_hand_stays_under_the_cursor(make_viewer):
    """While paused, real drags bend the arm within its limits, and each is one step of undo."""
    viewer = make_viewer(WINDOW, window=[820, 600], info=False, adaptive=False)
    viewer.started()
    viewer.key("space")
    viewer.until(lambda r: not r["running"])
    viewer.key("ctrl+k")
    viewer.until(lambda r: r["settings"]["palette"])
    for letter in "puppet":
        viewer.key(letter)
    viewer.until(lambda r: r["typed"] == "puppet")
    viewer.key("enter")
    viewer.until(lambda r: r["puppet"])
    rested(viewer)
    viewer.click(*ball(viewer).round(), times=2)
    viewer.until(lambda r: r["selected"] == 3)
    rested(viewer)
    worst, qpos = 0.0, viewer.row()["qpos"]
    for dx, dy in ((60, 70), (-20, 40), (25, -60)):
        begin = ball(viewer)
        start = begin.round()
        viewer.drag(dx, dy, button=3, keys=("ctrl",), start=tuple(start), release=False)
        rested(viewer)
        worst = max(worst, float(np.abs(ball(viewer) - begin - (dx, dy)).max()))
        viewer.button(3, False)
        viewer.let_go("ctrl")
        row = viewer.fresh()
        assert -1e-6 <= row["qpos"][1] <= np.radians(140) + 1e-6 and row["qpos"] != qpos
        rested(viewer)
    # the point that is held is up to a pixel beside the middle, and turns with the hand
    assert worst <= 3.0, worst
    for _ in range(3):
        viewer.key("ctrl+z")
    viewer.until(lambda r: r["qpos"] == pytest.approx(qpos, abs=1e-9))
