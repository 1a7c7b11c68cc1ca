"""The pair table: family of collision functions by the types of two geoms, lower type first.

A family is a stage `count = family(m, d, geom1, geom2, margin)` that fills `d.manifold`. `-` means that a pair does not collide.
"""
import numpy as np

from ..core.stages import stage_id

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
