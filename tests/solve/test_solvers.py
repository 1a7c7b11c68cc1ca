"""CG, PGS and noslip against the reference, and solvers against each other."""

import mujoco
import numpy as np
import pytest

import tumble
from tests.constraint.mirror import compare, mirror, worst
from tests.constraint.scenes import forward, legs, pile, settle
from tests.solve.test_newton import OUTPUTS, check, solve
from tests.tolerance import ROUND, SOLVE, close
from tumble.engine.core import stages
from tumble.engine.solve.dual import FILLED

# hundreds of sweeps or directions, each with rounding in another order
MANY_STEPS = 100 * SOLVE


def check_dual(ref, data):
    """Check that forces, accelerations and the number of sweeps equal the reference's. States of elliptic contacts are not
    compared, because rounding decides whether friction at the edge of its cone is inside.
    """
    m, d = solve(ref, data)
    errors = compare(d, data, OUTPUTS)
    assert {n: e for n, e in errors.items() if e > MANY_STEPS} == {}
    assert d.solver_niter[0] == data.solver_niter[0]
    if ref.opt.solver == 0 and not ref.opt.noslip_iterations:
        assert d.solver_nnz[0] == data.solver_nnz[0]
    if ref.opt.cone == 0:
        assert d.efc_state.tolist() == data.efc_state.tolist()
        for n in range(min(200, d.solver_niter[0])):
            for name in ("nactive", "nchange"):
                assert getattr(d.solver[n], name) == getattr(data.solver[n], name)
    return m, d


@pytest.mark.parametrize("condim", [1, 3, 6])
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
def test_cg(condim, cone, jacobian):
    for xml in (legs, pile):
        ref, data = settle(xml(condim, f'solver="CG" cone="{cone}" jacobian="{jacobian}"'), 20)
        # every direction depends on all earlier ones: in a stiff scene rounding grows tenfold with each, until they converge
        forward(ref, data, iterations=7)
        check(ref, data, MANY_STEPS)


def test_cg_without_islands():
    xml = pile(3, 'solver="CG"').replace("<worldbody>", '<option><flag island="disable"/></option><worldbody>')
    check(*settle(xml, 20), MANY_STEPS)


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
def test_inverse_inertia_of_rows(cone, jacobian):
    for xml in (legs, pile):
        ref, data = settle(xml(4, f'solver="PGS" cone="{cone}" jacobian="{jacobian}"'), 20)
        m, d = mirror(ref, data, tight=True)
        for n in ("make_constraint", "project_constraint"):
            stages.call(n, m, d)
        assert d.nA == data.nA
        names = [] if jacobian == "dense" else ["efc_AR_rownnz", "efc_AR_rowadr", "efc_AR_colind"]
        assert compare(d, data, names) == {}
        assert worst(d.efc_AR, data.efc_AR[: data.nA]) < ROUND


@pytest.mark.parametrize("condim", [1, 3, 4, 6])
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
def test_pgs(condim, cone, jacobian):
    for xml in (legs, pile):
        check_dual(*settle(xml(condim, f'solver="PGS" cone="{cone}" jacobian="{jacobian}"'), 20))


@pytest.mark.parametrize("condim", [1, 3, 4, 6])
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("solver", ["PGS", "CG", "Newton"])
def test_noslip(condim, cone, solver):
    for jacobian in ("dense", "sparse"):
        check_dual(*settle(legs(condim, f'solver="{solver}" cone="{cone}" jacobian="{jacobian}" noslip_iterations="4"'), 20))


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_solvers_agree(cone):
    """All solvers minimize the same cost, so with enough iterations they find the same accelerations."""
    found = []
    for solver, jacobian in (("Newton", "dense"), ("Newton", "sparse"), ("CG", "dense"), ("PGS", "sparse")):
        ref, data = settle(pile(3, f'cone="{cone}" jacobian="{jacobian}"'), 10)
        ref.opt.solver = {"PGS": 0, "CG": 1, "Newton": 2}[solver]
        ref.opt.iterations, ref.opt.tolerance = (20000, 0) if solver == "PGS" else (1000, 1e-14)
        mujoco.mj_forward(ref, data)
        data.qacc_warmstart[:] = 0
        m, d = solve(ref, data)
        found.append(np.array(d.qacc))
    scale = np.abs(found[0]).max()
    # CG and PGS approach the solution slowly; Newton reaches it
    for other, tolerance in zip(found[1:], (1e-9, 1e-5, 1e-4), strict=True):
        assert np.abs(other - found[0]).max() < tolerance * scale


def test_noslip_stops_sliding():
    """On a slope within the friction cone, soft friction lets a box creep, and noslip does not."""
    xml = """<mujoco><option {option} gravity="3 0 -9.81" timestep="0.002"/><worldbody><geom type="plane" size="5 5 1"/>
      <body pos="0 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1" friction="1"/></body></worldbody></mujoco>"""
    speed = []
    for option in ('cone="elliptic"', 'cone="elliptic" noslip_iterations="20"'):
        ref, data = settle(xml.format(option=option), 0)
        data.qvel[:] = 0
        for _ in range(100):
            mujoco.mj_forward(ref, data)
            m, d = solve(ref, data)
            data.qacc_warmstart[:] = d.qacc
            data.qvel[:] += ref.opt.timestep * d.qacc
            mujoco.mj_integratePos(ref, data.qpos, data.qvel, ref.opt.timestep)
        speed.append(abs(data.qvel[0]))
    assert speed[1] < 0.01 * speed[0]


def row_of_balls(groups, count, option, compat):
    """Groups of balls on a floor, each touching the next of its group: an island a group, whose rows meet few others."""
    balls = "".join(
        f'<body pos="{0.199 * k} {g} .099"><freejoint/><geom size=".1" condim="{(3, 6)[k % 2]}"/></body>'
        for g in range(groups)
        for k in range(count)
    )
    m = tumble.MjModel.from_xml_string(
        f"""<mujoco><option iterations="30" tolerance="0" noslip_tolerance="0" {option}/>
          <worldbody><geom type="plane" size="0 0 1"/>{balls}</worldbody></mujoco>""",
        compat=compat,
    )
    d = tumble.MjData(m)
    d.qvel[:] = np.random.default_rng(0).normal(size=m.nv)
    tumble.mj_forward(m, d)
    return m, d


# (groups, balls of a group): matrices that are copied densely, and that stay sparse, as a whole and by island
@pytest.mark.parametrize(("groups", "count"), [(1, 3), (3, 3), (1, 40), (2, 40)])
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("noslip", [0, 3])
@pytest.mark.parametrize("compat", ["3.4", "4.0"])
def test_forces_do_not_depend_on_the_form_of_the_matrix(groups, count, cone, noslip, compat):
    option = f'solver="PGS" cone="{cone}" noslip_iterations="{noslip}" jacobian='
    _, sparse = row_of_balls(groups, count, option + '"sparse"', compat)
    _, dense = row_of_balls(groups, count, option + '"dense"', compat)
    assert sparse.nisland == dense.nisland == groups and sparse.ncon == groups * (2 * count - 1)
    filled = sparse.nefc**2 / sparse.nA
    assert filled > 2 * FILLED * groups if count > 3 else filled < FILLED
    close(sparse.efc_force, dense.efc_force, MANY_STEPS, "forces")
    close(sparse.qacc, dense.qacc, MANY_STEPS, "accelerations")
    assert sparse.solver_niter[:groups].tolist() == dense.solver_niter[:groups].tolist()


@pytest.mark.parametrize(("groups", "count"), [(1, 3), (3, 12), (1, 40)])
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_nor_on_that_of_newtons_matrix(groups, count, cone):
    """The matrix is dense, dense although the Jacobian is sparse (up to 64 dofs), or sparse."""
    option = f'solver="Newton" cone="{cone}" jacobian='
    _, sparse = row_of_balls(groups, count, option + '"sparse"', "3.4")
    _, dense = row_of_balls(groups, count, option + '"dense"', "3.4")
    close(sparse.efc_force, dense.efc_force, MANY_STEPS, "forces")
    close(sparse.qacc, dense.qacc, MANY_STEPS, "accelerations")
