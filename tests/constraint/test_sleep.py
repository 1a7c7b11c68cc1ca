"""Sleeping trees step by step against MuJoCo. Each step starts from MuJoCo's state, so a single wrong decision is detected at
once.
"""

import mujoco
import numpy as np
import pytest

from tests.mirror import difference, mirror
from tests.oracle import to_engine_model
from tests.tolerance import ROUND
from tumble.engine.api.simulate import mj_resetData, mj_step
from tumble.engine.core import stages
from tumble.engine.core.data import MjData
from tumble.engine.core.report import FatalError
from tumble.engine.tables import stage_rows

SCENE = """
<mujoco>
  <option timestep="0.005" sleep_tolerance="{tolerance}"><flag sleep="enable"/></option>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <replicate count="3" offset="0 0 0.201"><body pos="0 0 0.101"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
      </replicate>
    <body name="alone" pos="1 0 0.101"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
    <body name="never" pos="2 0 0.101" sleep="never"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
    <body name="a" pos="1 1 0.101"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
    <body name="b" pos="1 1.5 0.101"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
    <body name="swing" pos="3 0 1"><joint name="s1" axis="0 1 0" damping="0.5"/><geom size="0.05" pos="0 0 -0.3"/></body>
    <body name="other" pos="3 1 1"><joint name="s2" axis="0 1 0" damping="0.5"/><geom size="0.05" pos="0 0 -0.3"/></body>
  </worldbody>
  <tendon><fixed name="link" limited="true" range="-0.2 0.2"><joint joint="s1" coef="1"/><joint joint="s2" coef="-1"/></fixed>
    </tendon>
  <equality><connect body1="a" body2="b" anchor="0 0.25 0" active="false"/></equality>
</mujoco>"""


def nothing(ref, data):
    pass


def push(ref, data):
    data.xfrc_applied[ref.body("alone").id, 2] = 3.0


def lift(ref, data):
    data.qpos[ref.joint("s1").qposadr[0]] += 0.05


def nudge(ref, data):
    data.qvel[2] += 0.3


def throw(ref, data):
    data.qvel[ref.body("never").dofadr[0]] = -4.0


def join(ref, data):
    data.eq_active[0] = 1


def swing_far(ref, data):
    data.qvel[ref.joint("s1").dofadr[0]] = 3.0


def switch_off(ref, data):
    ref.opt.enableflags = 0


@pytest.mark.parametrize("touch", [nothing, push, lift, nudge, throw, join, swing_far, switch_off])
def test_same_trees_sleep(touch):
    follow(mujoco.MjModel.from_xml_string(SCENE.format(tolerance="5e-3")), touch)


@pytest.mark.parametrize("integrator", ["EULER", "RK4", "IMPLICIT", "IMPLICITFAST"])
def test_trees_fall_asleep_beside_others_that_move(integrator):
    """Energies are computed again when a tree falls asleep, in the middle of the integration of the others."""
    ref = mujoco.MjModel.from_xml_string(SCENE.format(tolerance="5e-3"))
    ref.opt.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{integrator}")
    ref.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_ENERGY
    ref.dof_damping[ref.body("never").dofadr[0]] = 0.3

    def spin(ref, data):
        data.qvel[ref.body("never").dofadr[0] + 5] = 9.0

    follow(ref, spin, every_step=True)


def follow(ref, touch, every_step=False):
    """Make steps of the reference, changed halfway, and the same steps here, each from the reference's state."""
    data = mujoco.MjData(ref)
    m = to_engine_model(ref)
    d = MjData(m)
    seen = set()
    for k in range(320):
        if k == 160:
            touch(ref, data)
            m.opt.enableflags = ref.opt.enableflags
        mirror(data, d)
        d.eq_active[:] = data.eq_active
        mujoco.mj_step(ref, data)
        if every_step or k % 5 == 0 or d.tree_asleep.tolist() != data.tree_asleep.tolist():
            mj_step(m, d)
            assert d.tree_asleep.tolist() == data.tree_asleep.tolist(), f"step {k}"
            assert d.body_awake.tolist() == data.body_awake.tolist() and d.nv_awake == data.nv_awake
            # one step from the same state: rounding of a well-conditioned solve
            assert np.abs(d.qvel - data.qvel).max() < 1e-10 and np.abs(d.qpos - data.qpos).max() < 1e-10
        seen.add(int((data.tree_asleep >= 0).sum()))
    assert len(seen) > 1, "nothing fell asleep"


def test_sleep_changes_nothing_that_moves():
    """With a tolerance that no motion is below, sleep on and sleep off give the same bits."""
    result = []
    for flag in (0, mujoco.mjtEnableBit.mjENBL_SLEEP):
        ref = mujoco.MjModel.from_xml_string(SCENE.format(tolerance="0"))
        ref.opt.enableflags = flag
        m = to_engine_model(ref)
        d = MjData(m)
        d.qvel[:] = 0.1
        mj_step(m, d, 60)
        result.append(np.array(d.qpos))
    assert (result[0] == result[1]).all()


INIT = """
<mujoco>
  <option timestep="0.005"><flag sleep="enable"/></option>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <body pos="0 1 .3"><geom name="still" size=".1"/><site name="mark"/><camera/></body>
    <body pos="0 0 .0995" {policy}><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body name="free" pos="1 0 1"><freejoint/><geom size=".1"/></body>
  </worldbody>
</mujoco>"""
POSES = "xpos xquat xipos geom_xpos geom_xmat site_xpos cam_xpos qpos qvel tree_asleep body_awake".split()


@pytest.mark.parametrize("policy", ["", 'sleep="init"'])
def test_static_bodies_have_poses_from_the_start(policy):
    """Static bodies have poses in a new Data, after a reset, and after the reset that a bad number causes."""
    ref = mujoco.MjModel.from_xml_string(INIT.format(policy=policy))
    data, m = mujoco.MjData(ref), to_engine_model(ref)
    d = MjData(m)

    def check(when):
        for name in POSES:
            assert difference(getattr(d, name), getattr(data, name)) <= ROUND, f"{name} {when}"

    check("at first")
    assert data.geom("still").xpos[2] == 0.3
    d.xpos[:] = 7
    mj_resetData(m, d)
    check("after a reset")
    for field, k, bad in (("qpos", 9, np.nan), ("qvel", 7, np.inf), ("xfrc_applied", (3, 2), 1e300)):
        getattr(data, field)[k] = getattr(d, field)[k] = bad
        mujoco.mj_step(ref, data)
        mj_step(m, d)
        check(f"after a bad {field}")
        assert [w.number for w in d.warning] == [w.number for w in data.warning] and sum(w.number for w in d.warning) == 1
        mujoco.mj_resetData(ref, data)
        mj_resetData(m, d)


def test_tendon_equalities_are_refused():
    ref = mujoco.MjModel.from_xml_string(
        SCENE.format(tolerance=0).replace("</equality>", '<tendon tendon1="link"/></equality>')
    )
    m = to_engine_model(ref)
    with pytest.raises(mujoco.FatalError, match="tendon equality does not yet support sleeping"):
        mujoco.mj_step(ref, mujoco.MjData(ref))
    with pytest.raises(FatalError, match="tendon equality does not yet support sleeping"):
        mj_step(m, MjData(m))


def test_a_reset_that_has_to_wait_for_a_compiler_is_made_again():
    m = to_engine_model(mujoco.MjModel.from_xml_string(INIT.format(policy="")))
    for field, index, kind in (("qpos", 2, 4), ("qvel", 3, 5), ("xfrc_applied", (3, 1), 6)):
        d = MjData(m)
        getattr(d, field)[index] = np.inf
        # as if the stage had never been needed in this process
        stages.TABLE[stage_rows.NUMBER["reset_sleep"]] = 0
        mj_step(m, d)
        assert stages.TABLE[stage_rows.NUMBER["reset_sleep"]] != 0
        assert [w.number for w in d.warning] == [int(k == kind) for k in range(8)]
        assert d.geom("still").xpos[2] == 0.3 and np.isfinite(d.qpos).all()


def test_activations_advance_once_where_a_step_has_to_wait_for_a_compiler():
    xml = INIT.format(policy="").replace(
        "</worldbody>", "</worldbody><actuator><general body='free' dyntype='integrator'/></actuator>"
    )
    m = to_engine_model(mujoco.MjModel.from_xml_string(xml))
    d = MjData(m)
    d.ctrl[0] = 1
    for name in ("sleep_trees", "forward_after_sleep", "forward_skip"):
        stages.TABLE[stage_rows.NUMBER[name]] = 0
    mj_step(m, d)
    assert d.act[0] == m.opt.timestep
