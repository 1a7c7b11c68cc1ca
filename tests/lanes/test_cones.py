"""Elliptic contacts on lanes: steps differ from those of single worlds by rounding only, and do not depend on other worlds."""

import copy

import numpy as np
import pytest

import tumble as mj
from tests.lanes.test_lanes import bits_wherever_a_world_is, distance, side_by_side, stirred
from tests.tolerance import LANES_CONSTRAINED
from tumble.engine.constraint.update import CONE, QUADRATIC, SATISFIED
from tumble.engine.lanes.packed import LARGEST, MOST_ROWS
from tumble.engine.lanes.problems import shape_of, takes
from tumble.engine.lanes.program import program_of
from tumble.engine.machine.interpret import interpreted
from tumble.engine.machine.memory import as_data, as_model
from tumble.engine.solve.primal import problems

# contacts with 1, 3, 4 and 6 rows, in islands that join and part, and rows of limits, friction loss and an equality
MIXED = """
<mujoco>
  <option solver="{solver}" cone="elliptic" impratio="5" jacobian="{jacobian}" timestep=".004">
    <flag island="{island}"/>
  </option>
  <default><geom friction=".6 .02 .01"/></default>
  <worldbody>
    <geom type="plane" size="3 3 .1" condim="1" friction="0.1 .001 .001"/>
    <body pos="0 0 .1"><freejoint/><geom size=".1" condim="3"/></body>
    <body pos=".3 0 .1"><freejoint/><geom type="capsule" size=".06 .1" zaxis="1 0 0" condim="4"/></body>
    <body pos="0 .3 .1"><freejoint/><geom type="box" size=".1 .08 .06" condim="6"/></body>
    <body pos=".3 .3 .1"><freejoint/><geom size=".1" condim="1"/></body>
    <body pos="-.5 0 .3">
      <joint name="a" axis="0 1 0" range="-20 20" frictionloss=".05"/>
      <geom type="capsule" size=".04" fromto="0 0 0 .3 0 -.2" condim="3"/>
      <body pos=".3 0 -.2"><joint name="b" axis="0 1 0" frictionloss=".02"/><geom size=".05" condim="6" pos=".1 0 0"/></body>
    </body>
  </worldbody>
  <equality><joint joint1="a" joint2="b" polycoef="0 -1 0 0 0"/></equality>
</mujoco>"""
HOLDS = {
    "dense, islands": ("dense", "enable", "Newton"),
    "sparse, islands": ("sparse", "enable", "Newton"),
    "one problem": ("dense", "disable", "Newton"),
    "conjugate gradients": ("dense", "enable", "CG"),
    "conjugate gradients, sparse": ("sparse", "enable", "CG"),
}

# Each direction of conjugate gradients depends on all earlier ones, and rounding grows tenfold with each: few are compared.
DIRECTIONS, FEW = 100 * LANES_CONSTRAINED, 7


@pytest.fixture(scope="module", params=HOLDS.values(), ids=HOLDS)
def mixed(request):
    jacobian, island, solver = request.param
    return mj.MjModel.from_xml_string(MIXED.format(jacobian=jacobian, island=island, solver=solver))


def test_steps_are_those_of_a_single_world_but_for_rounding(mixed):
    m, names, allowed = copy.copy(mixed), ("qacc", "qfrc_constraint", "solver_niter"), LANES_CONSTRAINED
    if m.opt.solver == mj.mjtSolver.mjSOL_CG:
        m.opt.iterations, allowed = FEW, DIRECTIONS
    assert not isinstance(program_of(m), str)
    states = set()
    for one, many, bound in side_by_side(m, names, 60):
        assert distance(one.state, many.state) <= allowed
        for n in ("qacc", "qfrc_constraint"):
            assert distance(bound[0][n], bound[1][n]) <= allowed, n
        # rounding may decide whether a solver near its tolerance makes one more iteration
        same = (bound[0]["solver_niter"] == bound[1]["solver_niter"]).all(1)
        assert same.mean() > 0.8
        d = one.get_data(0)
        mj.mj_forward(m, d)
        states |= set(d.efc_state[d.efc_type == mj.mjtConstraint.mjCNSTR_CONTACT_ELLIPTIC].tolist())
    assert states == {SATISFIED, QUADRATIC, CONE}, "the contacts have been in all zones"


def test_bits_do_not_depend_on_neighbors(mixed):
    """The contacts of a world are in other rows of the vectors, depending on the worlds beside it."""
    bits_wherever_a_world_is(mixed)


def test_rows_and_contacts_are_counted(mixed):
    d = mj.MjData(mixed)
    d.qvel[:] = np.random.default_rng(4).normal(size=mixed.nv)
    sizes = set()
    for _ in range(50):
        mj.mj_step(mixed, d)
        pair = as_model(mixed._address), as_data(d._address)
        found = [interpreted(shape_of)(*pair, k) for k in range(*interpreted(problems)(*pair))]
        elliptic = d.contact.dim[(d.contact.dim > 1) & (d.contact.exclude == 0)]
        assert sum(contacts for _, _, contacts, _ in found) == len(elliptic)
        assert sum(plain for _, plain, _, _ in found) == d.nefc - elliptic.sum()
        assert max((largest for *_, largest in found), default=1) == max(elliptic, default=1)
        sizes |= set(elliptic.tolist())
    assert sizes == {3, 4, 6} and max(sizes) == LARGEST


def test_problems_that_do_not_fit_are_solved_alone():
    """20 boxes on a plane, with four contacts of six rows each, have more rows than the vectors."""
    boxes = "".join(
        f'<body pos="{0.3 * (i % 7)} {0.3 * (i // 7)} .099"><freejoint/><geom type="box" size=".1 .1 .1" condim="6"/></body>'
        for i in range(20)
    )
    m = mj.MjModel.from_xml_string(f"""<mujoco><option cone="elliptic"><flag island="disable"/></option>
      <worldbody><geom type="plane" size="9 9 .1"/>{boxes}</worldbody></mujoco>""")
    assert interpreted(takes)(as_model(m._address))
    one, many = stirred(m, False, nsim=4), stirred(m, True, nsim=4)
    nefc = one.bind("nefc")
    for _ in range(3):
        many.state[:] = one.state
        one.step()
        many.step()
        assert distance(one.state, many.state) <= LANES_CONSTRAINED
    assert nefc.max() > MOST_ROWS
