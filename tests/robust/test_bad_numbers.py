"""Bad numbers in every input: warnings, their counts and the state after a reset equal the reference's."""

import mujoco
import numpy as np
import pytest

import tumble
from tests.oracle import load_pair
from tests.tolerance import ITER, close
from tumble.engine.core import stages
from tumble.engine.tables import stage_rows

SCENE = """
<mujoco>
  <option integrator="{integrator}"><flag autoreset="{autoreset}" {flags}/></option>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <body name="lift" mocap="true" pos="2 0 1"><geom size=".1"/></body>
    <body pos="0 0 .35"><joint name="slide" type="slide" axis="0 0 1" damping="1"/><joint name="hinge" axis="0 1 0"/>\
<geom type="capsule" size=".1 .2"/>
      <body pos="0 0 .4"><joint type="ball"/><geom type="box" size=".1 .1 .1" pos=".2 0 0"/></body></body>
    <body name="free" pos="1 0 .099"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  </worldbody>
  <equality><weld body1="free" body2="lift" active="false"/></equality>
  <actuator><motor joint="slide" ctrllimited="false"/><general joint="hinge" dyntype="integrator"/></actuator>
</mujoco>"""
INTEGRATORS = ["Euler", "RK4", "implicit", "implicitfast"]
INPUTS = {"qpos": 2, "qvel": 1, "act": 0, "ctrl": 1, "qfrc_applied": 2, "xfrc_applied": (3, 2), "qacc_warmstart": 0}
BAD = [np.nan, np.inf, -np.inf, 1e300, -2e10]
COUNTED = slice(int(mujoco.mjtWarning.mjWARN_BADQPOS), int(mujoco.mjtWarning.mjWARN_BADCTRL) + 1)


def scene(integrator="Euler", autoreset="enable", flags=""):
    return load_pair(SCENE.format(integrator=integrator, autoreset=autoreset, flags=flags))


def warnings(d):
    return [(w.number, w.lastinfo) for w in list(d.warning)[COUNTED]]


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("field", INPUTS)
def test_warnings_and_resets(field, integrator):
    ref, data, m, d = scene(integrator)
    for bad in BAD:
        tumble.mj_resetData(m, d)
        mujoco.mj_resetData(ref, data)
        for k in range(4):
            if k == 2:
                getattr(data, field)[INPUTS[field]] = getattr(d, field)[INPUTS[field]] = bad
            mujoco.mj_step(ref, data)
            tumble.mj_step(m, d)
            assert warnings(d) == warnings(data), f"{field} = {bad}, step {k}"
            assert d.time == data.time
            if np.isfinite(data.qvel).all() and np.abs(data.qvel).max() < 1e6:
                close(d.qpos, data.qpos, ITER, f"qpos after {field} = {bad}")
                close(d.qvel, data.qvel, ITER, f"qvel after {field} = {bad}")


@pytest.mark.parametrize("field", ["qpos", "qvel", "ctrl"])
def test_without_resets_bad_numbers_are_counted_as_often(field):
    ref, data, m, d = scene(autoreset="disable", flags='constraint="disable"')
    getattr(data, field)[INPUTS[field]] = getattr(d, field)[INPUTS[field]] = np.nan
    for _ in range(3):
        mujoco.mj_step(ref, data)
        tumble.mj_step(m, d)
        assert [n for n, _ in warnings(d)] == [n for n, _ in warnings(data)]
        assert (np.isnan(d.qpos) == np.isnan(data.qpos)).all()


@pytest.mark.parametrize("autoreset", ["enable", "disable"])
@pytest.mark.parametrize("call", ["mj_step", "mj_forward", "mj_step1"])
def test_a_pass_that_runs_again_counts_once(call, autoreset):
    """A missing stage and too little room both make a pass run again."""
    ref, data, m, d = scene(autoreset=autoreset)
    for field in ("ctrl", "qpos"):
        getattr(data, field)[INPUTS[field]] = getattr(d, field)[INPUTS[field]] = np.nan
        d.reserve({n: 1 for n in d.capacities})
        stages.TABLE[stage_rows.NUMBER["solve_newton"]] = stages.TABLE[stage_rows.NUMBER["rne"]] = 0
        getattr(mujoco, call)(ref, data)
        getattr(tumble, call)(m, d)
        assert warnings(d) == warnings(data)
        tumble.mj_resetData(m, d)
        mujoco.mj_resetData(ref, data)


def test_bad_mocap_poses_move_nothing_else():
    _, _, m, d = scene()
    other = tumble.MjData(m)
    d.mocap_pos[:], d.mocap_quat[:] = np.nan, np.nan
    tumble.mj_step(m, d, 20)
    tumble.mj_step(m, other, 20)
    assert (d.qpos == other.qpos).all() and sum(n for n, _ in warnings(d)) == 0


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_huge_controls_saturate_or_reset(integrator):
    """With random controls of every size, the state stays finite; while states agree, warnings equal the reference's."""
    ref, data, m, d = scene(integrator)
    rng = np.random.default_rng(0)
    for _ in range(60):
        control = rng.normal(size=m.nu) * 10.0 ** rng.uniform(-320, 308, m.nu)
        state = np.empty(mujoco.mj_stateSize(ref, int(mujoco.mjtState.mjSTATE_INTEGRATION)))
        mujoco.mj_getState(ref, data, state, int(mujoco.mjtState.mjSTATE_INTEGRATION))
        tumble.mj_setState(m, d, state, int(mujoco.mjtState.mjSTATE_INTEGRATION))
        before = [n for n, _ in warnings(data)], [n for n, _ in warnings(d)]
        data.ctrl[:] = d.ctrl[:] = control
        mujoco.mj_step(ref, data)
        tumble.mj_step(m, d)
        assert np.isfinite(d.qpos).all() and np.isfinite(d.qvel).all()
        if data.time == 0 or d.time == 0:
            assert d.time == data.time and warnings(d) == warnings(data)
        else:
            assert [n for n, _ in warnings(d)][3] - before[1][3] == [n for n, _ in warnings(data)][3] - before[0][3]
