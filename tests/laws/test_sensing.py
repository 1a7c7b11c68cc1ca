"""Sensors and derivatives against finite differences of the measured quantities."""

import numpy as np
import pytest

import tumble
from tests.dynamics.models import ACTUATORS, model
from tests.laws.test_discrete import machine
from tests.tolerance import FINITE, close

EPS = 1e-6
# differences of positions a millionth apart, of sizes up to ten
SECOND = 1e-4
SITES = ["a1", "c0", "w0", "f0"]
SENSORS = "".join(f'<{kind} site="{s}"/>' for s in SITES for kind in ("velocimeter", "gyro", "accelerometer"))
SENSORS += '<subtreecom body="block"/><subtreelinvel body="block"/><tendonpos tendon="pulley"/><tendonvel tendon="pulley"/>'
SENSORS += (
    '<tendonpos tendon="sided"/><tendonvel tendon="sided"/><actuatorpos actuator="crank"/><actuatorvel actuator="crank"/>'
)
SENSORS += '<actuatorpos actuator="refsite"/><actuatorvel actuator="refsite"/>'


@pytest.fixture(scope="module")
def moving():
    m = tumble.MjModel.from_xml_string(model(extra=ACTUATORS + f"<sensor>{SENSORS}</sensor>"))
    d = tumble.MjData(m)
    rng = np.random.default_rng(0)
    q = m.qpos0.copy()
    tumble.mj_integratePos(m, q, rng.normal(0, 0.2, m.nv), 1.0)
    d.qpos[:], d.qvel[:], d.ctrl[:] = q, rng.normal(size=m.nv), rng.normal(size=m.nu)
    d.joint("free").qpos[2] = 2
    tumble.mj_forward(m, d)
    return m, d


def at(m, d, t):
    """The state at time t from now, along velocity and acceleration."""
    new = tumble.MjData(m)
    q = d.qpos.copy()
    tumble.mj_integratePos(m, q, d.qvel + 0.5 * t * d.qacc, t)
    new.qpos[:], new.qvel[:], new.ctrl[:] = q, d.qvel + t * d.qacc, d.ctrl
    tumble.mj_forward(m, new)
    return new


def sensor(m, d, kind, k):
    rows = [i for i in range(m.nsensor) if m.sensor_type[i] == tumble.mjtSensor[f"mjSENS_{kind}"]]
    i = rows[k]
    return d.sensordata[m.sensor_adr[i] : m.sensor_adr[i] + m.sensor_dim[i]]


@pytest.mark.parametrize("site", SITES)
def test_sensors_at_sites(moving, site):
    m, d = moving
    before, after = at(m, d, -EPS), at(m, d, EPS)
    frame, k = d.site(site).xmat.reshape(3, 3), SITES.index(site)
    speed = (after.site(site).xpos - before.site(site).xpos) / (2 * EPS)
    close(sensor(m, d, "VELOCIMETER", k), frame.T @ speed, FINITE, "velocimeter")
    rate = (after.site(site).xmat - before.site(site).xmat).reshape(3, 3) / (2 * EPS) @ frame.T
    spin = np.array([rate[2, 1], rate[0, 2], rate[1, 0]])
    close(sensor(m, d, "GYRO", k), frame.T @ spin, FINITE, "gyro")
    # world velocity of the site before and after, from its velocimeter
    v0, v1 = (x.site(site).xmat.reshape(3, 3) @ sensor(m, x, "VELOCIMETER", k) for x in (before, after))
    acceleration = (v1 - v0) / (2 * EPS) - m.opt.gravity
    size = max(1, np.abs(acceleration).max())
    close(sensor(m, d, "ACCELEROMETER", k) / size, frame.T @ acceleration / size, SECOND, "accelerometer")


@pytest.mark.parametrize(
    ("position", "velocity", "k"),
    [
        ("SUBTREECOM", "SUBTREELINVEL", 0),
        ("TENDONPOS", "TENDONVEL", 0),
        ("TENDONPOS", "TENDONVEL", 1),
        ("ACTUATORPOS", "ACTUATORVEL", 0),
    ],
)
def test_rates_of_positions(moving, position, velocity, k):
    m, d = moving
    rate = (sensor(m, at(m, d, EPS), position, k) - sensor(m, at(m, d, -EPS), position, k)) / (2 * EPS)
    close(sensor(m, d, velocity, k), rate, FINITE, velocity)


def test_tendons_and_actuators_do_virtual_work(moving):
    """A force along a tendon or a transmission is its moment times the force: the length's derivative by every dof."""
    m, d = moving
    moment = np.zeros((m.nu, m.nv))
    tumble.mju_sparse2dense(moment, d.actuator_moment.ravel(), d.moment_rownnz, d.moment_rowadr, d.moment_colind.ravel())
    # lengths of these transmissions are coordinates; others measure along moving axes, or a solved crank that has its own test
    names = ["hinge", "slide", "pull", "sum", "crank"]
    rows = [m.actuator(n).id for n in names]
    for i in range(m.nv):
        ends = []
        for t in (EPS, -EPS):
            new, step = tumble.MjData(m), np.zeros(m.nv)
            step[i] = t
            new.qpos[:] = d.qpos
            tumble.mj_integratePos(m, new.qpos, step, 1.0)
            tumble.mj_fwdPosition(m, new)
            ends.append(np.concatenate([new.actuator_length[rows], new.ten_length]))
        slope = (ends[0] - ends[1]) / (2 * EPS)
        close(moment[rows, i], slope[: len(rows)], FINITE, f"moments of dof {i}")
        ten = d.ten_J.reshape(m.ntendon, m.nv)[:, i] if not tumble.mj_isSparse(m) else None
        if ten is not None:
            close(ten, slope[len(rows) :], FINITE, f"tendons and dof {i}")
    expected = moment.T @ d.actuator_force
    close(d.qfrc_actuator, expected, FINITE, "forces of actuators")


@pytest.mark.parametrize("integrator", ["Euler", "implicit", "implicitfast"])
@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
def test_transition_is_the_derivative_of_a_step(integrator, jacobian):
    m, d = machine(option=f'integrator="{integrator}"', jacobian=jacobian)
    m.opt.disableflags |= int(tumble.mjtDisableBit.mjDSBL_CONSTRAINT)
    n = 2 * m.nv
    A, B = np.full((n, n), np.nan), np.full((n, m.nu), np.nan)
    tumble.mjd_transitionFD(m, d, EPS, 1, A, B, None, None)
    start = d.qpos.copy(), d.qvel.copy(), d.ctrl.copy()

    def end(dx, du):
        new = tumble.MjData(m)
        new.qpos[:], new.qvel[:], new.ctrl[:] = start[0], start[1] + dx[m.nv :], start[2] + du
        new.qfrc_applied[:], new.xfrc_applied[:] = d.qfrc_applied, d.xfrc_applied
        tumble.mj_integratePos(m, new.qpos, dx[: m.nv], 1.0)
        tumble.mj_step(m, new)
        return new

    def slope(dx, du, h):
        one, two, out = end(dx, du), end(-dx, -du), np.empty(m.nv)
        tumble.mj_differentiatePos(m, out, 2 * h, two.qpos, one.qpos)
        return np.concatenate([out, (one.qvel - two.qvel) / (2 * h)])

    h = 1e-5
    for i in range(0, n, 3):
        close(A[:, i], slope(h * np.eye(n)[i], np.zeros(m.nu), h), SECOND, f"column {i} of A")
    for i in range(m.nu):
        close(B[:, i], slope(np.zeros(n), h * np.eye(m.nu)[i], h), SECOND, f"column {i} of B")


def test_velocity_derivative_of_smooth_forces():
    """qDeriv of the implicit integrator is the velocity derivative of actuator, damper and Coriolis forces."""
    m, d = machine(option='integrator="implicit"')
    # qDeriv leaves out bias forces of tendon armature and approximates fluid forces; other tests compare both to the reference
    m.tendon_armature[:] = 0
    m.opt.disableflags |= int(tumble.mjtDisableBit.mjDSBL_CONSTRAINT)
    start = d.qvel.copy()

    def force(v):
        d.qvel[:] = v
        tumble.mj_forward(m, d)
        return d.qfrc_passive + d.qfrc_actuator - d.qfrc_bias

    numeric = np.stack([(force(start + EPS * e) - force(start - EPS * e)) / (2 * EPS) for e in np.eye(m.nv)], axis=1)
    force(start)
    d.poison("qDeriv")
    tumble.mj_implicit(m, d)
    analytic = np.zeros((m.nv, m.nv))
    tumble.mju_sparse2dense(analytic, d.qDeriv, m.D_rownnz, m.D_rowadr, m.D_colind)
    # pairs of dofs of different branches, which tendons couple, are not in the pattern
    known = np.zeros_like(analytic, bool)
    for i in range(m.nv):
        known[i, m.D_colind[m.D_rowadr[i] : m.D_rowadr[i] + m.D_rownnz[i]]] = True
    close(analytic[known], numeric[known], SECOND, "derivative")
