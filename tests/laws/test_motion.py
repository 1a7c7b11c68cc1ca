"""Laws of motion: free fall as the integrator predicts it, momentum, energy, inverse dynamics."""

import numpy as np
import pytest

import tumble
from tests.laws.models import CHAIN, FREE_BODY
from tests.tolerance import ROUND, SOLVE, close

# a conserved quantity of an integrator of order p changes by O(h^p) over a second; these bounds leave some margin
DRIFT = {"RK4": 1e-8, "Euler": 5e-2}


def load(xml):
    m = tumble.MjModel.from_xml_string(xml)
    return m, tumble.MjData(m)


@pytest.mark.parametrize("integrator", ["Euler", "implicitfast", "implicit"])
def test_free_fall_is_the_discrete_parabola(integrator):
    m, d = load(FREE_BODY.format(gravity=-9.81, integrator=integrator))
    d.qvel[:3] = 0.3, -0.2, 1.0
    start, n, h = d.qpos[:3].copy(), 500, m.opt.timestep
    tumble.mj_step(m, d, n)
    # semi-implicit: v_k = v0 + k h g, x_n = x0 + h sum v_k
    expected = start + n * h * np.array([0.3, -0.2, 1.0]) + np.array([0, 0, -9.81]) * h * h * n * (n + 1) / 2
    close(d.qpos[:3], expected, SOLVE, "position")
    close(d.qvel[:3], [0.3, -0.2, 1.0 - 9.81 * n * h], SOLVE, "velocity")
    close(d.time, n * h, ROUND, "time")


def test_free_fall_is_exact_with_runge_kutta():
    m, d = load(FREE_BODY.format(gravity=-9.81, integrator="RK4"))
    d.qvel[2] = 2.0
    tumble.mj_step(m, d, 500)
    close(d.qpos[2], 3 + 2.0 * 1.0 - 0.5 * 9.81, SOLVE, "height after a second")


def momentum(m, d):
    """Linear momentum and angular momentum about the origin, summed over bodies."""
    tumble.mj_forward(m, d)
    tumble.mj_subtreeVel(m, d)
    p = m.body_subtreemass[1] * d.subtree_linvel[1]
    return np.concatenate([p, d.subtree_angmom[1] + np.cross(d.subtree_com[1], p)])


@pytest.mark.parametrize("integrator", ["RK4", "Euler"])
def test_momentum_of_an_isolated_mechanism_is_conserved(integrator):
    m, d = load(CHAIN.format(gravity=0, timestep=0.0005, integrator=integrator, root="<freejoint/>"))
    d.qvel[:] = np.random.default_rng(3).normal(size=m.nv)
    before = momentum(m, d)
    tumble.mj_step(m, d, 1000)
    close(momentum(m, d), before, DRIFT[integrator], "momentum")


def test_energy_of_a_conservative_mechanism_is_conserved():
    m, d = load(CHAIN.format(gravity=-9.81, timestep=0.0005, integrator="RK4", root='<joint axis="0 1 0"/>'))
    d.qvel[:] = np.random.default_rng(4).normal(size=m.nv)
    tumble.mj_forward(m, d)
    before = d.energy.sum()
    tumble.mj_step(m, d, 2000)
    tumble.mj_forward(m, d)
    close(d.energy.sum(), before, DRIFT["RK4"] * 10, "energy")


@pytest.mark.parametrize("integrator", ["Euler", "implicit", "implicitfast", "RK4"])
def test_inverse_dynamics_recovers_the_applied_forces(integrator):
    m, d = load(CHAIN.format(gravity=-9.81, timestep=0.002, integrator=integrator, root="<freejoint/>"))
    rng = np.random.default_rng(5)
    d.qvel[:], d.qfrc_applied[:] = rng.normal(size=m.nv), rng.normal(size=m.nv)
    tumble.mj_forward(m, d)
    d.poison("qfrc_inverse")
    tumble.mj_inverse(m, d)
    close(d.qfrc_inverse, d.qfrc_applied, SOLVE, "force")


def test_accelerations_do_not_depend_on_where_the_world_is():
    rng = np.random.default_rng(6)
    m, d = load(CHAIN.format(gravity=0, timestep=0.002, integrator="Euler", root="<freejoint/>"))
    d.qvel[:] = rng.normal(size=m.nv)
    tumble.mj_forward(m, d)
    first = d.qacc.copy()
    d.qpos[:3] += 10, -20, 5
    tumble.mj_forward(m, d)
    close(d.qacc, first, SOLVE, "acceleration after a shift")
    turn = np.array([0.3, -0.5, 0.2, 0.7])
    turn /= np.linalg.norm(turn)
    d.qpos[:3] = 0
    before = d.qpos.copy()
    rotated = np.empty(4)
    tumble.mju_mulQuat(rotated, turn, before[3:7])
    d.qpos[3:7] = rotated
    linear = np.empty(3)
    tumble.mju_rotVecQuat(linear, d.qvel[:3].copy(), turn)
    d.qvel[:3] = linear
    tumble.mj_forward(m, d)
    expected = first.copy()
    tumble.mju_rotVecQuat(linear, first[:3].copy(), turn)
    expected[:3] = linear
    close(d.qacc, expected, SOLVE, "acceleration after a turn")
