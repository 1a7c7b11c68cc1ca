"""The solver on lanes leaves out tiles of matrices that are zero. It reads nothing that it did not write, and its results
differ from those of single worlds by rounding only, whatever the number of dofs, branches and contacts."""

import numpy as np
import pytest

import tumble as mj
from tests.lanes.test_lanes import bits_wherever_a_world_is, distance, side_by_side, stirred
from tests.tolerance import LANES_CONSTRAINED
from tumble.engine.lanes.packed import ENDS, FACTOR_TILES, GROUP_TILES, MOST_DOFS, PACK, TILE, ZEROS, tiles_of
from tumble.engine.lanes.pattern import FEW_DOFS
from tumble.engine.lanes.program import program_of

# a free body with some legs of some hinges each, which touch the ground and each other
BODY = """
<mujoco>
  <option solver="{solver}" jacobian="{jacobian}" cone="{cone}" timestep=".002"/>
  <default><joint range="-40 40" damping=".2" armature=".02"/><geom friction=".8" density="500"/></default>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body pos="0 0 .115"><freejoint/><geom size=".12"/>{legs}</body>
    {more}
  </worldbody>
</mujoco>"""
LINK = (
    '<body pos="{x} 0 {z}" euler="0 {tilt} 0"><joint axis="{axis}"/>'
    '<geom type="capsule" size=".03" fromto="0 0 0 .1 0 -.02"/>{inner}</body>'
)
# (legs, hinges of each leg), so that the dofs fill all tiles, or only 1, 2 or 3 rows of the last one
SHAPES = [(0, 0), (1, 1), (2, 2), (1, 5), (2, 6), (3, 5), (2, 8), (3, 6), (4, 5), (6, 9), (5, 13)]
KINDS = [("dense", "pyramidal"), ("sparse", "pyramidal"), ("dense", "elliptic"), ("sparse", "elliptic")]


def leg(k, legs, hinges):
    """Text of one leg."""
    inner = ""
    for i in reversed(range(hinges)):
        axis = ("0 1 0", "0 0 1", "1 0 0")[i % 3]
        x, z, tilt = (0.1, -0.02, 3) if i else (0.12, 0, 15)
        inner = LINK.format(x=x, z=z, tilt=tilt, axis=axis, inner=inner)
    return f'<body euler="0 0 {360 * k / legs}">{inner}</body>'


def creature(legs, hinges, jacobian="sparse", cone="pyramidal", solver="Newton", more=""):
    """A model with 6 + legs x hinges dofs, and those of `more` bodies."""
    text = "".join(leg(k, legs, hinges) for k in range(legs))
    return mj.MjModel.from_xml_string(BODY.format(jacobian=jacobian, cone=cone, solver=solver, legs=text, more=more))


def current(b):
    """A Data with the results of world 0."""
    d = b.get_data(0)
    mj.mj_forward(b.model, d)
    return d


def scratch_of(b):
    """The solver's memory of a batch with one thread, as rows of packs."""
    return b._lanes.made.places[0].scratch.reshape(-1, PACK)


def words(b, place, count):
    """Masks of tiles in the solver's memory."""
    return [int(x) for x in scratch_of(b)[place:].reshape(-1).view(np.int64)[:count]]


@pytest.mark.parametrize(("jacobian", "cone"), KINDS)
@pytest.mark.parametrize(("legs", "hinges"), SHAPES)
def test_steps_are_those_of_a_single_world_but_for_rounding(legs, hinges, jacobian, cone):
    m = creature(legs, hinges, jacobian, cone)
    assert not isinstance(program_of(m), str)
    assert m.nv <= MOST_DOFS
    rows = 0
    for one, many, bound in side_by_side(m, ["qacc"], 40):
        assert distance(one.state, many.state) <= LANES_CONSTRAINED
        assert distance(bound[0]["qacc"], bound[1]["qacc"]) <= LANES_CONSTRAINED
        rows = max(rows, current(one).nefc)
    assert rows > 0, "the creature stands on the ground"


@pytest.mark.parametrize(("jacobian", "cone"), KINDS)
@pytest.mark.parametrize(("legs", "hinges"), [(1, 1), (3, 5), (4, 5), (6, 9)])
def test_memory_that_was_not_written_is_not_read(legs, hinges, jacobian, cone):
    m = creature(legs, hinges, jacobian, cone)
    clean, dirty = stirred(m, True), stirred(m, True)
    for _ in range(40):
        clean.step()
        dirty.step()
        scratch = scratch_of(dirty)
        scratch[:ZEROS] = scratch[ENDS:] = np.nan
        assert np.isfinite(dirty.state).all()
        assert dirty.state.tobytes() == clean.state.tobytes()


@pytest.mark.parametrize(("legs", "hinges"), [(2, 2), (3, 5), (6, 9)])
def test_bits_do_not_depend_on_neighbors(legs, hinges):
    """The tiles of a pack are those of all its problems."""
    bits_wherever_a_world_is(creature(legs, hinges))


BALLS = "".join(f'<body pos="{x} {y} .05"><freejoint/><geom size=".05"/></body>' for x, y in ((0.7, 0.05), (-0.3, 0.5)))


@pytest.mark.parametrize("solver", ["Newton", "CG"])
@pytest.mark.parametrize("hinges", [4, 5, 6])
def test_bits_do_not_depend_on_larger_neighbors(hinges, solver):
    """Balls touch the legs in some worlds, whose problems then have more dofs: the last tile of a problem is incomplete beside
    some problems, and complete beside others."""
    m = creature(3, hinges, solver=solver, more=BALLS)
    b = stirred(m, True)
    sizes = set()
    for _ in range(40):
        b.step()
        for i in range(b.nsim):
            d = b.get_data(i)
            mj.mj_forward(m, d)
            sizes |= set(d.island_nv[: d.nisland].tolist())
    assert len(sizes & {6 + 3 * hinges, 12 + 3 * hinges, 18 + 3 * hinges}) > 1
    bits_wherever_a_world_is(m)


def test_legs_are_not_coupled():
    """No tile couples two legs, because neither their inertia nor the ground does."""
    m = creature(2, 13)
    assert m.nv > FEW_DOFS
    b = stirred(m, True)
    b.step(nstep=3)
    assert current(b).ncon > 0
    factor = words(b, FACTOR_TILES, tiles_of(m.nv))
    first, second = range(6 // TILE + 1, 19 // TILE), range(19 // TILE + 1, tiles_of(m.nv))
    for t in range(tiles_of(m.nv)):
        assert factor[t] >> t == 1, "the diagonal is the last tile"
    for t in second:
        assert factor[t] & 3 == 3
        assert not any(factor[t] >> u & 1 for u in first)
    assert any(words(b, GROUP_TILES, 1))
