"""The pair table: family of collision functions by the types of two geoms, lower type first.

A family is a stage `count = family(m, d, geom1, geom2, margin)` that fills `d.manifold`. `-` means that a pair does not collide.
A function of the user (see core.pair_hooks) goes before the family.
"""
import numpy as np

from ..core.jit import inline
from ..core.stages import GEOM_TYPES, USER_PAIRS, stage_address, stage_id, table_entry

TYPES = "plane hfield sphere capsule ellipsoid cylinder box mesh sdf".split()

PAIRS = """
plane      -  -       primitive  primitive  primitive  primitive  primitive  plane_mesh  plane_mesh
hfield     -  -       hfield     hfield     hfield     hfield     hfield     hfield      sdf
sphere     -  -       primitive  primitive  convex     primitive  box        convex      sdf
capsule    -  -       -          primitive  convex     convex     box        convex      sdf
ellipsoid  -  -       -          -          convex     convex     convex     convex      sdf
cylinder   -  -       -          -          -          convex     convex     convex      sdf
box        -  -       -          -          -          -          box_box    convex      sdf
mesh       -  -       -          -          -          -          -          convex      sdf
sdf        -  -       -          -          -          -          -          -           sdf
"""

NONE = -1
_ROWS = [line.split() for line in PAIRS.strip().splitlines()]
FAMILY = np.array([[NONE if name == "-" else stage_id(f"collide_{name}") for name in row[1:]] for row in _ROWS], np.int64)


@inline
def user_function(d, type1, type2):
    """Address of the user's function for a pair of geom types, lower type first, or 0."""
    return table_entry(d, USER_PAIRS + GEOM_TYPES * type1 + type2)


@inline
def pair_function(d, type1, type2):
    """Address of the function for a pair of geom types: NONE if they do not collide, 0 if the step must stop."""
    address = user_function(d, type1, type2)
    if address != 0:
        return address
    family = FAMILY[type1, type2]
    return NONE if family == NONE else stage_address(d, family)
