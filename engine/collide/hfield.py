r"""Collides a convex shape with a height field, in the field's frame. Each cell of the field consists of two triangular prisms.

row r + 1    1 ----- 3 ----- 5        Grid from above. Points are visited in this order along a row of cells;
             |  \    |  \    |        each one after the second forms a triangle with the two before it: the top of a
row r        2 ----- 4 ----- 6        prism that reaches down to the field's base
"""

from math import ceil, floor

from ..core.stages import stage_address
from ..geom.support import CELLS, DATA, MARGIN, MAT, POS, PRISM, integers, numbers, place_shape, support
from ..machine.jit import inline, kernel, stage
from ..machine.lang import address_of, invoke_pair, load, store
from ..math.vec import add3, add_scaled3, axis3, mat_t_mat3, mat_t_vec3, mat_vec3, scale3, sub3, unit3
from ..tables.compat_rows import bit
from ..tables.enums import mjtDisableBit
from ..tables.stage_rows import stage_id
from .ccd import FAR_SIDE
from .convex import place_geom
from .manifold import LIMIT, put
from .mpr import DIRECTION as MPR_DIRECTION
from .mpr import PLACE as MPR_PLACE
from .mpr import better_normal

NATIVECCD = int(mjtDisableBit.mjDSBL_NATIVECCD)
CCD, MPR = stage_id("ccd"), stage_id("mpr")
IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
SIXTH = 1.0 / 6.0
FIELD_EXACT = bit("field_exact")


@inline
def put_edge(prism, k, x, y, z):
    """Write one of a prism's three vertical edges. The bottoms of all prisms have the same height."""
    store(prism, 3 * k, (x, y))
    store(prism, 9 + 3 * k, (x, y, z))


@inline
def centre_of(prism):
    c = (0.0, 0.0, 0.0)
    for k in range(6):
        c = add3(c, load(prism, 3 * k, 3))
    return scale3(c, SIXTH)


@kernel
def extent(shape, axis):
    """Return the (lower, upper) bounds of a shape along a coordinate axis."""
    direction = axis3(axis, 1.0)
    high = support(shape, direction)
    low = support(shape, scale3(direction, -1.0))
    return low[axis], high[axis]


@inline
def cells(low, high, half, count):
    """Return the (first, last) grid lines that enclose an interval, in a field of half-width `half` with `count` grid lines."""
    first, last = floor((low + half) / (2.0 * half) * (count - 1)), ceil((high + half) / (2.0 * half) * (count - 1))
    return max(0, int(first)), min(count - 1, int(last))


@kernel
def deeper(m, d, address, a, b, margin):
    """Measure how deep a shape is inside a prism. The shape is enlarged by the margin, which is then subtracted from the depth.

    A large margin makes the depth of flat shapes inexact, as in release 4.0. Returns the result of stage `ccd`.
    """
    numbers(b)[MARGIN] = margin
    found = invoke_pair(address, m, d, a, b, 0.0)
    numbers(b)[MARGIN] = 0.0
    d.ccd_dist += 0.5 * margin
    return found


@kernel
def sweep_cells(m, d, address, a, b, g2, field, margin, low_x, high_x, low_y, high_y, low_z, pos, mat):
    """Collide shape b with the prisms under it. Return the number of contacts, or -1 if a needed stage is not loaded yet."""
    out, prism = d.manifold, d.prism
    rows, columns, adr = m.hfield_nrow[field], m.hfield_ncol[field], m.hfield_adr[field]
    half_x, half_y, top, base = load(m.hfield_size, field, 4)

    # Before 4.0, the field is raised by the margin; since 4.0, shapes within the margin make contacts.
    n, native = 0, not m.opt.disableflags & NATIVECCD
    exact = native and m.compat_bits & FIELD_EXACT != 0
    raised, reach = (0.0, margin) if exact else (margin, 0.0)
    if exact:
        numbers(b)[MARGIN] = 0.0

    # Find the cells under the shape.
    first_column, last_column = cells(low_x - reach, high_x + reach, half_x, columns)
    first_row, last_row = cells(low_y - reach, high_y + reach, half_y, rows)
    dx, dy = 2.0 * half_x / (columns - 1), 2.0 * half_y / (rows - 1)
    low_z -= reach
    for k in range(3):
        prism[3 * k + 2] = -base

    # Visit the prisms one after another along each row of cells. Their tops are the last three grid points.
    for r in range(first_row, last_row):
        z1, z2, z3 = 0.0, 0.0, 0.0
        for c in range(first_column, last_column + 1):
            for i in range(2):
                # Add the grid point of row r + 1 first, then the grid point of row r.
                z1, z2, z3 = z2, z3, m.hfield_data[adr + (r + 1 - i) * columns + c] * top + raised
                if c == first_column or (z1 < low_z and z2 < low_z and z3 < low_z):
                    continue
                near, far = dy * (r + 1 - i) - half_y, dy * (r + i) - half_y
                put_edge(prism, 0, dx * (c - 1) - half_x, near, z1)
                put_edge(prism, 1, dx * (c - 1 + i) - half_x, far, z2)
                put_edge(prism, 2, dx * c - half_x, near, z3)
                store(numbers(a), POS, centre_of(prism))
                found = invoke_pair(address, m, d, a, b, reach)
                if found < 0:
                    return -1
                if found == 0 or d.ccd_dist >= reach:
                    continue
                inflated = reach > 0 and d.ccd_dist < 0
                if inflated:
                    found = deeper(m, d, address, a, b, margin)
                    if found < 0:
                        return -1
                    if found == 0:
                        continue
                if native:
                    p, q = load(d.witness, 0, 3), load(d.witness, FAR_SIDE, 3)
                    normal, _ = unit3(sub3(p, q) if d.ccd_dist < 0 or inflated else sub3(q, p))
                    place = scale3(add3(p, q), 0.5)
                    if inflated:
                        place = add_scaled3(place, normal, 0.25 * margin)
                else:
                    place, normal = load(d.witness, MPR_PLACE, 3), load(d.witness, MPR_DIRECTION, 3)
                place, normal = add3(mat_vec3(mat, place), pos), mat_vec3(mat, normal)
                if not native and g2 >= 0:
                    normal = better_normal(
                        PRISM,
                        pos,
                        mat,
                        (0.0, 0.0, 0.0),
                        m.geom_type[g2],
                        load(d.geom_xpos, g2, 3),
                        load(d.geom_xmat, g2, 9),
                        load(m.geom_size, g2, 3),
                        place,
                        normal,
                    )
                n = put(out, n, d.ccd_dist, place, normal)
                if n == LIMIT:
                    return n
    return n


@stage("iMDiif")
def collide_hfield(m, d, g1, g2, margin):
    """reads geom_xpos, geom_xmat; writes shapes, prism, manifold, ccd_contacts. Returns the number of rows."""
    address = stage_address(d, MPR if m.opt.disableflags & NATIVECCD else CCD)
    if address == 0:
        return -1
    pos1, mat1 = load(d.geom_xpos, g1, 3), load(d.geom_xmat, g1, 9)
    field = m.geom_dataid[g1]
    half_x, half_y, top, base = load(m.hfield_size, field, 4)

    # Compare the shape's bounding sphere, then its box, with the field's box.
    pos = mat_t_vec3(mat1, sub3(load(d.geom_xpos, g2, 3), pos1))
    radius = m.geom_rbound[g2] + margin
    if (
        half_x < pos[0] - radius
        or -half_x > pos[0] + radius
        or half_y < pos[1] - radius
        or -half_y > pos[1] + radius
        or top < pos[2] - radius
        or -base > pos[2] + radius
    ):
        return 0

    a, b = address_of(d.shapes, 0), address_of(d.shapes, CELLS)
    place_geom(m, d, b, g2, 0.0)
    store(numbers(b), POS, pos)
    store(numbers(b), MAT, mat_t_mat3(mat1, load(d.geom_xmat, g2, 9)))
    low_x, high_x = extent(b, 0)
    low_y, high_y = extent(b, 1)
    low_z, high_z = extent(b, 2)
    if (
        low_x - margin > half_x
        or high_x + margin < -half_x
        or low_y - margin > half_y
        or high_y + margin < -half_y
        or low_z - margin > top
        or high_z + margin < -base
    ):
        return 0

    place_shape(a, PRISM, pos, IDENTITY, (0.0, 0.0, 0.0), 0.0)
    integers(a)[DATA] = address_of(d.prism, 0)
    numbers(b)[MARGIN] = margin
    d.ccd_contacts = 1
    return sweep_cells(m, d, address, a, b, g2, field, margin, low_x, high_x, low_y, high_y, low_z, pos1, mat1)
