"""The TABLE of geom types: everything that the engine knows about a type is in its row, or in tables and kernels listed in
tests/house/test_kinds.py.

    name      its word in MJCF; a leading `+`: ours, MuJoCo has no such type
    enum      its member of mjtGeom, without mjGEOM_         number   the member's value; ours are 10 to 15
    form      plane, field (a grid of heights), solid (given by sizes only: geom.solids has a row for it) or mesh
    sizes     number of values of `size` that it uses        ends     index of the size that `fromto` sets to half its length
    drawn     unit shape of render.scene.tessellate that is scaled by the sizes; `-`: drawn from data
    pairs     family of the collision function for each type up to this one, in the order of the rows. The stage of a family
              is `collide_<family>(m, d, geom1, geom2, margin)`; `-`: the two types do not collide
    meaning   of its sizes

Some kernels have a branch for each solid: geom.support (farthest point, which is all that the general convex functions and
the family `plane_solid` need), geom.ray_shape, geom.signed_distance. MuJoCo's solids also have branches in geom.solids,
collide.sdf (gradient), collide.mpr, sense.zones (for sites) and render.scene.pick. Our own solids are picked by
geom.ray_shape, do not collide with signed distance fields (`-` against sdf), and are not shapes of sites.
"""

from typing import NamedTuple

# KINDS: number of possible types. FIRST_OF_OURS: first number of the types that only Tumble has. MuJoCo's types have numbers
# below mjNGEOMTYPES.
KINDS, FIRST_OF_OURS = 16, 10

GEOMS = """
plane     PLANE     0 plane 3 - plane    | - | half width, half depth, 0: endless; spacing of the grid that is drawn
hfield    HFIELD    1 field 0 - -        | - - | those of the height field
sphere    SPHERE    2 solid 1 - sphere   | primitive hfield primitive | radius
capsule   CAPSULE   3 solid 2 1 capsule  | primitive hfield primitive primitive | radius, half length of the cylinder
ellipsoid ELLIPSOID 4 solid 3 2 sphere   | primitive hfield convex convex convex | half axes
cylinder  CYLINDER  5 solid 2 1 cylinder | primitive hfield primitive convex convex convex | radius, half length
box       BOX       6 solid 3 2 box      | primitive hfield box box convex convex box_box | half lengths of the edges
mesh      MESH      7 mesh  0 - -   | plane_mesh hfield convex convex convex convex convex convex | half the mesh's bounding box
sdf       SDF       8 mesh  0 - -        | plane_mesh sdf sdf sdf sdf sdf sdf sdf sdf | half the mesh's bounding box
"""
FORMS = ("plane", "field", "solid", "mesh")


class GeomRow(NamedTuple):
    """One row; its fields are described above. `ends` is -1 for none; `pairs` has an empty string for types that it does
    not collide with.
    """

    name: str
    enum: str
    number: int
    form: str
    sizes: int
    ends: int
    drawn: str
    pairs: tuple[str, ...]
    meaning: str
    ours: bool


def _parse(line: str, place: int) -> GeomRow:
    head, pairs, meaning = (part.strip() for part in line.split("|"))
    name, enum, number, form, sizes, ends, drawn = head.split()
    row = GeomRow(
        name.lstrip("+"),
        f"mjGEOM_{enum}",
        int(number),
        form,
        int(sizes),
        -1 if ends == "-" else int(ends),
        drawn.strip("-"),
        tuple(family.strip("-") for family in pairs.split()),
        meaning,
        name.startswith("+"),
    )
    if form not in FORMS or row.number >= KINDS or row.ours != (row.number >= FIRST_OF_OURS) or len(row.pairs) != place + 1:
        raise ValueError(f"geom type {row.name}: invalid form, number or pairs")
    return row


ROWS = [_parse(line, place) for place, line in enumerate(GEOMS.strip().splitlines())]
OURS = any(row.ours for row in ROWS)
BY_NAME = {row.name: row for row in ROWS}
BY_NUMBER = {row.number: row for row in ROWS}


def numbers(form: str) -> tuple[int, ...]:
    """Return the numbers of all types with this form."""
    return tuple(row.number for row in ROWS if row.form == form)
