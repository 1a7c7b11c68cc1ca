"""Newton's method against the reference: solution, iterations, statistics; and laws that every solution obeys."""

import mujoco
import numpy as np
import pytest

from tests.constraint.mirror import compare, mirror
from tests.constraint.scenes import forward, legs, pile, settle
from tumble.engine.core import stages

# a solution is accurate to rounding times the condition of the Hessian
SOLUTION = 1e-10
OUTPUTS = ["qacc", "qfrc_constraint", "efc_force", "efc_b", "efc_vel", "efc_aref"]
WARMSTART = int(mujoco.mjtDisableBit.mjDSBL_WARMSTART)
ISLANDS = ["iacc", "iefc_force", "iefc_state", "ifrc_constraint"]
MAPS = """tree_island island_ntree island_itreeadr map_itree2tree dof_island island_nv island_idofadr island_dofadr map_dof2idof
    map_idof2dof iM_rownnz iM_rowadr efc_island island_ne island_nf island_nefc island_iefcadr map_efc2iefc map_iefc2efc\
 iefc_type iefc_id
    iefc_frictionloss iefc_D iefc_R iLDiagInv""".split()


def solve(ref, data):
    """Our pipeline from rows to accelerations on the reference's smooth dynamics."""
    m, d = mirror(ref, data)
    d.poison(*OUTPUTS, *ISLANDS, *MAPS)
    # islands leave efc_state as the warm start set it, or unset
    d.array("efc_state")[:] = 0 if ref.opt.disableflags & WARMSTART else 99
    for n in ("make_constraint", "island", "project_constraint", "reference_constraint", "solve_constraint"):
        if n != "project_constraint" or ref.opt.solver == 0 or ref.opt.noslip_iterations:
            stages.call(n, m, d)
    return m, d


def check(ref, data, tolerance=SOLUTION):
    m, d = solve(ref, data)
    assert d.nisland == data.nisland and d.nidof == data.nidof
    if data.nisland:
        assert compare(d, data, MAPS) == {}
    states = ["efc_state"] if not ref.opt.disableflags & WARMSTART else []
    errors = compare(d, data, OUTPUTS + states + (ISLANDS if data.nisland and ref.opt.solver else []))
    assert {n: e for n, e in errors.items() if e > tolerance} == {}
    assert d.solver_niter.tolist() == data.solver_niter.tolist()
    if data.nefc:
        used = slice(0, max(1, data.nisland))
        assert d.solver_nnz[used].tolist() == data.solver_nnz[used].tolist()
    for k in range(min(20, max(1, d.nisland))):
        for n in range(min(200, d.solver_niter[k])):
            ours, theirs = d.solver[200 * k + n], data.solver[200 * k + n]
            for name in ("nactive", "nchange", "neval", "nupdate"):
                assert getattr(ours, name) == getattr(theirs, name), name
    return m, d


@pytest.mark.parametrize("condim", [1, 3, 4, 6])
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
def test_solution(condim, cone, jacobian):
    for xml in (legs, pile):
        for steps in (0, 15, 60):
            check(*settle(xml(condim, f'cone="{cone}" jacobian="{jacobian}"'), steps))


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("island", ["enable", "disable"])
def test_many_dofs(cone, island):
    """The solution equals the reference's for more dofs than a dense Hessian is used for."""
    xml = pile(3, f'cone="{cone}" jacobian="sparse"').replace('count="5"', 'count="14"')
    ref, data = settle(xml.replace("<worldbody>", f'<option><flag island="{island}"/></option><worldbody>'), 60)
    assert ref.nv > 64
    check(ref, data)


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
def test_without_islands(jacobian):
    for condim in (1, 3):
        xml = pile(condim, f'cone="elliptic" jacobian="{jacobian}"').replace(
            "<worldbody>", '<option><flag island="disable"/></option><worldbody>'
        )
        check(*settle(xml, 30))


def test_without_warm_start():
    check(
        *settle(
            legs(option='jacobian="dense"').replace("<default>", '<option><flag warmstart="disable"/></option><default>'), 30
        )
    )


def test_iteration_limits():
    for limit in ({"iterations": 1}, {"iterations": 2, "ls_iterations": 3}, {"iterations": 4, "ls_tolerance": 0.5}):
        ref, data = settle(legs(6, 'cone="elliptic" jacobian="dense"'), 40)
        forward(ref, data, **limit)
        check(ref, data)


def test_forces_obey_the_constraints():
    """Contacts push and stay in their friction cones, friction loss stays in its bounds, and M qacc balances all forces."""
    ref, data = settle(legs(4, 'cone="elliptic" jacobian="dense" tolerance="1e-12"'), 60)
    m, d = solve(ref, data)
    for k in range(d.ncon):
        a = d.contact_efc_address[k]
        force = d.efc_force[a : a + d.contact_dim[k]]
        assert force[0] >= 0
        # the cone is enforced by a soft cost whose minimum lies inside; rounding may push it over the edge
        assert np.linalg.norm(force[1:] / d.contact_friction[k, : len(force) - 1]) <= force[0] * (1 + 1e-9)
    loss = d.efc_force[d.ne : d.ne + d.nf]
    assert (np.abs(loss) <= d.efc_frictionloss[d.ne : d.ne + d.nf]).all()
    mass = np.zeros((ref.nv, ref.nv))
    mujoco.mj_fullM(ref, mass, data.qM)
    # the solver stops at a gradient of 1e-12 in its own units
    assert np.allclose(mass @ d.qacc, d.qfrc_smooth + d.qfrc_constraint, atol=1e-8 * np.abs(d.qfrc_constraint).max())


def test_inverse_gives_back_the_forces():
    ref, data = settle(legs(3, 'jacobian="dense" tolerance="1e-14"'), 40)
    m, d = solve(ref, data)
    force, joint = np.array(d.efc_force), np.array(d.qfrc_constraint)
    d.poison("efc_force", "qfrc_constraint", "efc_state")
    stages.call("inv_constraint", m, d)
    # forces follow from accelerations through D = 1 / R, which magnifies their rounding
    assert np.allclose(d.efc_force, force, rtol=1e-9, atol=1e-7) and np.allclose(d.qfrc_constraint, joint, rtol=1e-9, atol=1e-7)
