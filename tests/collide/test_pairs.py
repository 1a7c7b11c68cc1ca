"""Every pair of shapes in random and special poses: the same contacts in the same order as the reference."""
import pytest

from engine.collide import table
from tests.oracle import load_pair

from .scenes import differences, pair_scene, poses

# the same operations in the same order; what is left is the freedom of compilers in sums of products
ROUNDING = 1e-12
COUNT = 150
ANALYTIC = [("plane", "sphere"), ("plane", "capsule"), ("plane", "ellipsoid"), ("plane", "cylinder"), ("plane", "box"),
            ("sphere", "sphere"), ("sphere", "capsule"), ("sphere", "cylinder"), ("sphere", "box"), ("capsule", "capsule"),
            ("capsule", "box"), ("box", "box")]


@pytest.mark.parametrize("margin", [0, 0.05])
@pytest.mark.parametrize("pair", ANALYTIC, ids="-".join)
def test_analytic_pairs(pair, margin):
    ref, ref_data, m, d = load_pair(pair_scene(*pair, margin))
    contacts = 0
    for _ in poses(ref, ref_data, COUNT):
        contacts += ref_data.ncon
        for name, error in differences(ref_data, m, d).items():
            assert error <= ROUNDING, name
    assert contacts > COUNT / 2


def test_table_is_upper_triangular_and_complete():
    kinds = table.TYPES
    for i, first in enumerate(kinds):
        for j, second in enumerate(kinds):
            takes = table.FAMILY[i, j] != table.NONE
            ground = {first, second} <= {"plane", "hfield"}
            assert takes == (i <= j and not ground), (first, second)
