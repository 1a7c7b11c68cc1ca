"""Laws of contact: weight is carried, friction stays in its cone, solvers and storage agree,
the order of work does not matter.
"""

import numpy as np
import pytest

import tumble
from tests.laws.models import PILE, RESTING
from tests.tolerance import ITER, close

REST = 1e-3  # what is left of the motion after the settling time
AGREE = 1e-5  # solvers stop at 1e-8 of the scaled cost: forces agree to its square root or better


def load(xml):
    m = tumble.MjModel.from_xml_string(xml)
    return m, tumble.MjData(m)


def resting(cone="pyramidal", solver="Newton", jacobian="dense", friction="1 0.005 0.0001"):
    return load(RESTING.format(cone=cone, solver=solver, jacobian=jacobian, friction=friction))


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_the_floor_carries_the_weight(cone):
    m, d = resting(cone)
    tumble.mj_step(m, d, 2000)
    force, total = np.zeros(6), np.zeros(3)
    for k in range(d.ncon):
        tumble.mj_contactForce(m, d, k, force)
        total += d.contact.frame[k].reshape(3, 3).T @ force[:3]
    weight = m.body_mass.sum() * 9.81
    close(total / weight, [0, 0, 1], REST, "sum of contact forces over weight")
    assert np.abs(d.qvel).max() < REST


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("friction", [0.3, 0.8])
def test_friction_stays_in_its_cone(cone, friction):
    m, d = resting(cone, friction=f"{friction} 0.005 0.0001")
    d.qvel[:3] = 2, 1, 0
    force = np.zeros(6)
    for _ in range(100):
        tumble.mj_step(m, d)
        tumble.mj_forward(m, d)
        for k in range(d.ncon):
            tumble.mj_contactForce(m, d, k, force)
            assert force[0] >= 0
            tangential = np.abs(force[1:3]).sum() if cone == "pyramidal" else np.hypot(*force[1:3])
            assert tangential <= friction * force[0] * (1 + 1e-9) + 1e-9


# projected Gauss-Seidel on elliptic cones settles beside the optimum, in the oracle too
@pytest.mark.parametrize(("solver", "cone"), [("CG", "pyramidal"), ("CG", "elliptic"), ("PGS", "pyramidal")])
def test_solvers_agree(solver, cone):
    m, d = resting(cone)
    tumble.mj_step(m, d, 50)
    d.qvel[:] += 0.1
    tumble.mj_forward(m, d)
    newton = d.qacc.copy()
    m.opt.solver = tumble.mjtSolver[f"mjSOL_{solver.upper()}"]
    m.opt.iterations, m.opt.tolerance = 2000, 0
    tumble.mj_forward(m, d)
    close(d.qacc, newton, AGREE * max(1, np.abs(newton).max()), f"{solver} acceleration")


def test_sparse_and_dense_jacobians_agree():
    m, d = resting()
    tumble.mj_step(m, d, 50)
    tumble.mj_forward(m, d)
    dense = d.qacc.copy()
    m.opt.jacobian = tumble.mjtJacobian.mjJAC_SPARSE
    tumble.mj_forward(m, d)
    close(d.qacc, dense, ITER, "acceleration")


def test_islands_and_the_whole_agree():
    m, d = load(PILE.format(cone="elliptic", count=6, shape="box"))
    tumble.mj_step(m, d, 150)
    tumble.mj_forward(m, d)
    islands = d.qacc.copy()
    m.opt.disableflags |= tumble.mjtDisableBit.mjDSBL_ISLAND
    tumble.mj_forward(m, d)
    close(d.qacc, islands, AGREE * max(1, np.abs(islands).max()), "acceleration")


def test_same_bits_every_time():
    m, first = load(PILE.format(cone="pyramidal", count=8, shape="box"))
    second = tumble.MjData(m)
    tumble.mj_step(m, first, 300)
    for _ in range(300):
        tumble.mj_step(m, second)
    for name in ("qpos", "qvel", "qacc_warmstart"):
        assert (getattr(first, name) == getattr(second, name)).all(), name


def test_storage_grows_and_results_do_not_change():
    xml = PILE.format(cone="pyramidal", count=12, shape="box")
    m, small = load(xml)
    large = tumble.MjData(m)
    large.need_con, large.need_efc, large.need_J = 5000, 20000, 400000
    large.grow()
    tumble.mj_step(m, small, 200)
    tumble.mj_step(m, large, 200)
    assert small.ncon > 32 and small.capacities["ncon_cap"] < large.capacities["ncon_cap"]
    assert (small.qpos == large.qpos).all()


def test_bad_numbers_reset_and_are_counted():
    m, d = resting()
    d.qpos[0] = np.nan
    tumble.mj_step(m, d)
    bad = tumble.mjtWarning.mjWARN_BADQPOS
    assert d.warning[bad].number == 1 and d.warning[bad].lastinfo == 0
    assert np.isfinite(d.qpos).all()
    d.qvel[:] = 1e12
    tumble.mj_step(m, d)
    assert d.warning[tumble.mjtWarning.mjWARN_BADQVEL].number == 1
    m.opt.disableflags |= tumble.mjtDisableBit.mjDSBL_AUTORESET
    d.qpos[0] = np.nan
    tumble.mj_step(m, d)
    assert np.isnan(d.qpos[0])


def test_deep_penetration_and_large_steps_stay_alive():
    m, d = load(PILE.format(cone="pyramidal", count=5, shape="sphere"))
    d.qpos[2::7] = -0.5
    m.opt.timestep = 1.0
    tumble.mj_step(m, d, 50)
    assert np.isfinite(d.qpos).all()
