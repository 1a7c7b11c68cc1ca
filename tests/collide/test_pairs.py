"""Every pair of shapes in random and special poses: the same contacts in the same order as the reference."""

import numpy as np
import pytest

from tests.oracle import load_pair
from tumble.engine.collide import table
from tumble.engine.tables.geom_rows import KINDS, ROWS

from .scenes import differences, pair_scene, poses

# the same operations in the same order; what is left is the freedom of compilers in sums of products
ROUNDING = 1e-12
COUNT = 150
ANALYTIC = [
    ("plane", "sphere"),
    ("plane", "capsule"),
    ("plane", "ellipsoid"),
    ("plane", "cylinder"),
    ("plane", "box"),
    ("sphere", "sphere"),
    ("sphere", "capsule"),
    ("sphere", "cylinder"),
    ("sphere", "box"),
    ("capsule", "capsule"),
    ("capsule", "box"),
    ("box", "box"),
]
CONVEX = [
    ("sphere", "ellipsoid"),
    ("capsule", "ellipsoid"),
    ("capsule", "cylinder"),
    ("ellipsoid", "ellipsoid"),
    ("ellipsoid", "cylinder"),
    ("ellipsoid", "box"),
    ("cylinder", "cylinder"),
    ("cylinder", "box"),
]
MESH = [
    ("plane", "tetra"),
    ("plane", "prism"),
    ("sphere", "brick"),
    ("capsule", "tetra"),
    ("ellipsoid", "prism"),
    ("cylinder", "brick"),
    ("box", "brick"),
    ("box", "prism"),
    ("tetra", "brick"),
    ("prism", "prism"),
]


def check(pair, margin, flags="", option=""):
    """Compare many poses; returns the number of contacts seen."""
    ref, ref_data, m, d = load_pair(pair_scene(*pair, margin, option, flags))
    contacts = 0
    for _ in poses(ref, ref_data, COUNT):
        contacts += ref_data.ncon
        for name, error in differences(ref_data, m, d).items():
            assert error <= ROUNDING, name
    return contacts


@pytest.mark.parametrize("margin", [0, 0.05])
@pytest.mark.parametrize("pair", ANALYTIC, ids="-".join)
def test_analytic_pairs(pair, margin):
    assert check(pair, margin) > COUNT / 2


@pytest.mark.parametrize("margin", [0, 0.05])
@pytest.mark.parametrize("pair", [*CONVEX, *MESH], ids="-".join)
def test_convex_pairs(pair, margin):
    assert check(pair, margin) > COUNT / 4


@pytest.mark.parametrize("pair", [("cylinder", "box"), ("capsule", "cylinder"), *MESH[5:]], ids="-".join)
def test_several_contacts_of_convex_pairs(pair):
    assert check(pair, 0, "multiccd='enable'") > 1.2 * check(pair, 0)


@pytest.mark.parametrize("flags", ["nativeccd='disable'", "nativeccd='disable' multiccd='enable'"])
@pytest.mark.parametrize("pair", [*CONVEX[:6], *MESH[3:]], ids="-".join)
def test_portal_refinement(pair, flags):
    assert check(pair, 0.05, flags) > COUNT / 4


@pytest.mark.parametrize("pair", [("sphere", "brick"), ("ellipsoid", "prism")], ids="-".join)
def test_polytopes_of_many_iterations(pair):
    # more than fit the stack: the memory for them grows
    assert check(pair, 0, option='ccd_iterations="500" ccd_tolerance="1e-12"') > COUNT / 4


def test_table_is_upper_triangular_and_complete():
    assert (table.FAMILY[np.tril_indices(KINDS, -1)] == table.NONE).all()
    for first in ROWS:
        for second in ROWS:
            takes = table.FAMILY[first.number, second.number] != table.NONE
            ground = {first.name, second.name} <= {"plane", "hfield"}
            assert takes == (first.number <= second.number and not ground), (first.name, second.name)
