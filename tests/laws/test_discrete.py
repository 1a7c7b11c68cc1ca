"""Laws of time stepping: order of convergence, power, inverse dynamics of a step, skipped parts, steps in two halves."""

import mujoco
import numpy as np
import pytest

import tumble
from tests.dynamics.models import ACTUATORS, model
from tests.laws.models import CHAIN
from tests.tolerance import FINITE, ITER, SOLVE, close

INTEGRATORS = {"Euler": 1, "implicit": 1, "implicitfast": 1, "RK4": 4}
RESULTS = "qpos qvel act qacc qfrc_actuator qfrc_constraint sensordata energy xpos cvel time".split()
SENSORS = '<sensor><accelerometer site="a1"/><framelinvel objtype="site" objname="c0"/><actuatorfrc actuator="pull"/></sensor>'


def machine(option="", **kinds):
    """A model with every kind of joint, tendon and transmission, in motion, under forces, with a contact."""
    m = tumble.MjModel.from_xml_string(model(extra=ACTUATORS + SENSORS, options=option, **kinds))
    d = tumble.MjData(m)
    rng = np.random.default_rng(2)
    d.qvel[:], d.qfrc_applied[:], d.ctrl[:] = rng.normal(size=m.nv), rng.normal(size=m.nv), rng.normal(size=m.nu)
    d.xfrc_applied[1:] = rng.normal(size=(m.nbody - 1, 6))
    d.joint("free").qpos[2] = 0.05
    d.joint("elbow").qpos = 1.2
    return m, d


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_order_of_convergence(integrator):
    """Halving the step divides the error by 2^order. Runge-Kutta, as in the reference, adds rotations of a ball joint like
    vectors and is of second order there, so its model has hinges.
    """
    ends = []
    for count in (25, 50, 100, 3200):
        xml = CHAIN.format(
            gravity=-9.81, timestep=0.25 / count, integrator=integrator, root='<joint axis="0 1 0" damping=".3"/>'
        )
        m = tumble.MjModel.from_xml_string(xml.replace('type="ball"', 'axis="1 .2 0"') if integrator == "RK4" else xml)
        d = tumble.MjData(m)
        d.qvel[:] = 2 * np.random.default_rng(4).normal(size=m.nv)
        tumble.mj_step(m, d, count)
        ends.append(np.concatenate([d.qpos, d.qvel]))
    errors = [np.abs(e - ends[-1]).max() for e in ends[:3]]
    orders = np.log2(np.array(errors[:2]) / errors[1:])
    assert (np.abs(orders - INTEGRATORS[integrator]) < 0.35).all(), orders


def test_power_of_all_forces_is_the_change_of_energy():
    """Energy contains gravity and springs; dampers, actuators and applied forces change it. Tendon armature is off, because
    its bias forces leave out terms, as in the reference.
    """
    m, d = machine(option='integrator="RK4"')
    m.tendon_armature[:] = 0
    # a crank at the end of its reach turns infinitely fast
    d.actuator("short_crank").ctrl = 0
    m.opt.disableflags |= int(tumble.mjtDisableBit.mjDSBL_CONSTRAINT)
    m.opt.enableflags |= int(tumble.mjtEnableBit.mjENBL_ENERGY)
    tumble.mj_forward(m, d)
    applied = np.array(d.qfrc_applied + d.qfrc_actuator + d.qfrc_damper)
    accumulate(m, d, applied)
    power, energy, start = applied @ d.qvel, [], [np.array(x) for x in (d.qpos, d.qvel)]
    for h in (1e-6, -1e-6):
        m.opt.timestep = h
        d.qpos[:], d.qvel[:] = start
        tumble.mj_step(m, d)
        tumble.mj_forward(m, d)
        energy.append(d.energy.sum())
    close((energy[0] - energy[1]) / 2e-6, power, FINITE, "power")


def accumulate(m, d, total):
    """total += power of forces on bodies in joint space."""
    for b in range(1, m.nbody):
        tumble.mj_applyFT(m, d, d.xfrc_applied[b, :3].copy(), d.xfrc_applied[b, 3:].copy(), d.xipos[b].copy(), b, total)


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
@pytest.mark.parametrize("integrator", ["Euler", "implicit", "implicitfast"])
def test_inverse_of_a_step_gives_its_forces(integrator, jacobian):
    """With `invdiscrete`, the velocities before and after a step give its forces, including friction, limits and contacts."""
    m, d = machine(jacobian=jacobian, option=f'integrator="{integrator}" tolerance="1e-15" iterations="1000"')
    for _ in range(5):
        before = copy_of(m, d)
        tumble.mj_step(m, d)
        # forces of the step itself
        applied = np.array(d.qfrc_applied + d.qfrc_actuator)
        accumulate(m, d, applied)
        before.qacc[:] = (d.qvel - before.qvel) / m.opt.timestep
        m.opt.enableflags |= int(tumble.mjtEnableBit.mjENBL_INVDISCRETE)
        given = before.qacc.copy()
        before.poison("qfrc_inverse")
        tumble.mj_inverse(m, before)
        m.opt.enableflags = 0
        assert (before.qacc == given).all()
        close(before.qfrc_inverse, applied, ITER, "force")


def copy_of(m, d):
    new = tumble.MjData(m)
    state = np.empty(tumble.mj_stateSize(m, tumble.mjtState.mjSTATE_INTEGRATION))
    tumble.mj_getState(m, d, state, tumble.mjtState.mjSTATE_INTEGRATION)
    tumble.mj_setState(m, new, state, tumble.mjtState.mjSTATE_INTEGRATION)
    return new


@pytest.mark.parametrize("integrator", ["Euler", "implicit", "implicitfast"])
def test_a_step_is_its_two_halves(integrator):
    m, whole = machine(option=f'integrator="{integrator}"')
    halves = copy_of(m, whole)
    for _ in range(10):
        tumble.mj_step(m, whole)
        tumble.mj_step1(m, halves)
        tumble.mj_step2(m, halves)
    for name in RESULTS:
        assert (np.asarray(getattr(whole, name)) == getattr(halves, name)).all(), name


def test_second_half_of_a_runge_kutta_step_is_eulers():
    m, d = machine(option='integrator="RK4"')
    other = copy_of(m, d)
    tumble.mj_step1(m, d)
    tumble.mj_step2(m, d)
    m.opt.integrator = 0
    tumble.mj_step(m, other)
    assert (d.qpos == other.qpos).all() and (d.qvel == other.qvel).all()


@pytest.mark.parametrize("skip", ["POS", "VEL"])
@pytest.mark.parametrize("which", ["mj_forward", "mj_inverse"])
def test_skipped_parts_are_those_that_did_not_change(which, skip):
    m, d = machine()
    other = copy_of(m, d)
    rng = np.random.default_rng(3)
    getattr(tumble, which)(m, d)
    change = {"qvel": rng.normal(size=m.nv)} if skip == "POS" else {}
    change |= (
        {"ctrl": rng.normal(size=m.nu), "qfrc_applied": rng.normal(size=m.nv)}
        if which == "mj_forward"
        else {"qacc": rng.normal(size=m.nv)}
    )
    for name, value in change.items():
        getattr(d, name)[:] = getattr(other, name)[:] = value
    # a cold start for both, because a skipped part does not include the warm start
    m.opt.disableflags |= int(tumble.mjtDisableBit.mjDSBL_WARMSTART)
    getattr(tumble, f"{which}Skip")(m, d, int(tumble.mjtStage[f"mjSTAGE_{skip}"]), 0)
    getattr(tumble, which)(m, other)
    for name in ("qacc", "qfrc_inverse", "qfrc_constraint", "sensordata", "actuator_force"):
        close(getattr(d, name), getattr(other, name), SOLVE, name)


def test_skipped_sensors_keep_their_values():
    m, d = machine()
    tumble.mj_forward(m, d)
    d.sensordata[:] = 7
    tumble.mj_forwardSkip(m, d, int(tumble.mjtStage.mjSTAGE_NONE), 1)
    tumble.mj_inverseSkip(m, d, int(tumble.mjtStage.mjSTAGE_NONE), 1)
    assert (d.sensordata == 7).all()


@pytest.mark.parametrize("kind", sorted(n for n in dir(mujoco.mjtState) if n.startswith("mjSTATE_")))
def test_parts_of_the_state(kind):
    """Every part has the reference's size, and is restored bit for bit."""
    m, d = machine()
    spec = int(getattr(mujoco.mjtState, kind))
    ref = mujoco.MjModel.from_xml_string(model(extra=ACTUATORS + SENSORS))
    assert tumble.mj_stateSize(m, spec) == mujoco.mj_stateSize(ref, spec)
    state, again = np.empty(tumble.mj_stateSize(m, spec)), np.full(tumble.mj_stateSize(m, spec), np.nan)
    tumble.mj_getState(m, d, state, spec)
    other = tumble.MjData(m)
    tumble.mj_setState(m, other, state, spec)
    tumble.mj_getState(m, other, again, spec)
    assert (state == again).all()
