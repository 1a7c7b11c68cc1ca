"""Intersects rays with triangles: of meshes, through their bounding volume trees, and of height fields, through the cells under
the ray.

A ray hits a triangle if the triangle, projected along the ray, contains the ray's point. It hits a box if the ray's intervals
in the box's three slabs overlap (T. Kay, J. Kajiya, Ray tracing complex scenes, 1986).
"""

from math import ceil, floor, inf

from ..geom.ray_shape import ray_box
from ..machine.jit import inline, kernel
from ..machine.lang import load, small, small_int
from ..math.vec import add_scaled3, column3, cross3, dot3, double3, mat_t_vec3, replace3, sub3, unit3
from ..tables.consts import mjMAXTREEDEPTH, mjMINVAL

MISS = -1.0
# a ray counts as passing over a cell if it is at most this far outside of the cell (in units of the cell size)
EDGE = 1e-3
# Rays steeper than this pass over few cells. The error of other rays' heights is less than this fraction of the field's size.
STEEP, HEIGHT_MARGIN = 1e3, 1e-9
OTHERS = ((1, 2), (0, 2), (0, 1))  # the two axes other than a given one


@inline
def normal_plane(v):
    """Return two unit vectors that are perpendicular to a ray and to each other."""
    # Start from the vector (1, 1, 1) with 0 in place of the ray's longest component.
    x, y, z = abs(v[0]), abs(v[1]), abs(v[2])
    if x >= y and x >= z:
        longest = 0
    else:
        longest = 1 if y >= z else 2
    a = replace3((1.0, 1.0, 1.0), longest, 0.0)
    b, _ = unit3(add_scaled3(a, v, -dot3(v, a) / dot3(v, v)))
    a, _ = unit3(cross3(b, v))
    return a, b


@inline
def same_side(x, y, z):
    """Return whether three numbers are all positive or all negative."""
    return x > 0 and y > 0 and z > 0 or x < 0 and y < 0 and z < 0


@kernel
def ray_triangle(v0, v1, v2, p, v, a, b):
    """Return the distance along the ray to a triangle, hit from either side; it is negative if the triangle is behind the
    start. `a`, `b` span the plane perpendicular to the ray."""
    d0, d1, d2 = sub3(v0, p), sub3(v1, p), sub3(v2, p)
    x0, x1, x2 = dot3(a, d0), dot3(a, d1), dot3(a, d2)
    y0, y1, y2 = dot3(b, d0), dot3(b, d1), dot3(b, d2)
    if same_side(x0, x1, x2) or same_side(y0, y1, y2):
        return MISS
    # barycentric coordinates of the ray in the triangle, after projecting both along the ray
    ax, bx, ay, by = x0 - x2, x1 - x2, y0 - y2, y1 - y2
    det = ax * by - bx * ay
    if abs(det) < mjMINVAL:
        return MISS
    s, t = (by * -x2 - bx * -y2) / det, (-ay * -x2 + ax * -y2) / det
    if s < 0 or t < 0 or s + t > 1:
        return MISS
    normal = cross3(sub3(v0, v2), sub3(v1, v2))
    speed = dot3(v, normal)
    return -dot3(sub3(p, v2), normal) / speed if abs(speed) >= mjMINVAL else MISS


@inline
def meets_box(box, p, v):
    """Return whether a ray passes through an axis-aligned box (center, half-sizes)."""
    near, far = 0.0, inf
    for k in range(3):
        centre, half, inverse = box[k], box[k + 3], 1.0 / v[k]
        t1, t2 = (centre - half - p[k]) * inverse, (centre + half - p[k]) * inverse
        low, high = (t1, t2) if t1 < t2 else (t2, t1)
        near = near if near > low else low
        far = far if far < high else high
    return near < far


@inline
def mesh_vertex(m, mesh, face, k):
    return double3(load(m.mesh_vert, m.mesh_vertadr[mesh] + m.mesh_face[face, k], 3))


@inline
def mark_node(d, node):
    d.bvh_active[node] = 1
    d.bvh_end = max(d.bvh_end, node + 1)


@kernel
def ray_mesh(m, d, g, start, along):
    """Return the distance to the first triangle of mesh geom g that the ray hits. Mark the visited tree nodes if the visualizer
    requests this."""
    pos, mat, mesh = load(d.geom_xpos, g, 3), load(d.geom_xmat, g, 9), m.geom_dataid[g]
    p, v = mat_t_vec3(mat, sub3(start, pos)), mat_t_vec3(mat, along)
    if ray_box(p, v, load(m.geom_size, g, 3)) < 0:
        return MISS
    best = MISS
    mark = m.vis.global__bvactive != 0
    a, b = normal_plane(v)
    stack = small_int(mjMAXTREEDEPTH)
    stack[0] = m.mesh_bvhadr[mesh]
    count = 1
    while count:
        count -= 1
        node = stack[count]
        if not meets_box(load(m.bvh_aabb, node, 6), p, v):
            continue
        face = m.bvh_nodeid[node]
        if face >= 0:
            face += m.mesh_faceadr[mesh]
            x = ray_triangle(
                mesh_vertex(m, mesh, face, 0), mesh_vertex(m, mesh, face, 1), mesh_vertex(m, mesh, face, 2), p, v, a, b
            )
            if x >= 0 and (best < 0 or x < best):
                best = x
                if mark:
                    mark_node(d, node)
            continue
        if mark:
            mark_node(d, node)
        for k in range(2):
            child = m.bvh_child[node, k]
            if child >= 0 and count < mjMAXTREEDEPTH:
                stack[count] = m.mesh_bvhadr[mesh] + child
                count += 1
    return best


@inline
def box_hits(p, v, size, hits):
    """Write the distances to a box's faces -x +x -y +y -z +z to `hits`, -1 for faces not hit. Return the smallest distance, or
    -1."""
    best = ray_box(p, v, size)
    for k in range(6):
        axis, side = k // 2, 2.0 * (k % 2) - 1
        hits[k] = MISS
        i, j = OTHERS[axis]
        if best >= 0 and abs(v[axis]) > mjMINVAL:
            x = (side * size[axis] - p[axis]) / v[axis]
            if x >= 0 and abs(p[i] + x * v[i]) <= size[i] and abs(p[j] + x * v[j]) <= size[j]:
                hits[k] = x
    return best


@kernel
def ray_hfield(m, d, g, start, along):
    """Return the distance to a height field: the nearest hit of its base box, of the cells under the ray, or of its sides below
    the edge of the surface."""
    pos, mat, h = load(d.geom_xpos, g, 3), load(d.geom_xmat, g, 9), m.geom_dataid[g]
    size = load(m.hfield_size, h, 4)
    rows, columns, data = m.hfield_nrow[h], m.hfield_ncol[h], m.hfield_adr[h]
    z = column3(mat, 2)
    below, above = add_scaled3(pos, z, -size[3] * 0.5), add_scaled3(pos, z, size[2] * 0.5)
    p, v = mat_t_vec3(mat, sub3(start, pos)), mat_t_vec3(mat, along)
    best = ray_box(mat_t_vec3(mat, sub3(start, below)), v, (size[0], size[1], size[3] * 0.5))
    hits = small(6)
    enter = box_hits(mat_t_vec3(mat, sub3(start, above)), v, (size[0], size[1], size[2] * 0.5), hits)
    if enter < 0:
        return best
    a, b = normal_plane(v)
    t0, t1 = 0.0, enter
    for k in range(6):
        if hits[k] > t1:
            t0, t1 = enter, hits[k]
    dx, dy = 2.0 * size[0] / (columns - 1), 2.0 * size[1] / (rows - 1)
    x0, x1 = (p[0] + t0 * v[0] + size[0]) / dx, (p[0] + t1 * v[0] + size[0]) / dx
    y0, y1 = (p[1] + t0 * v[1] + size[1]) / dy, (p[1] + t1 * v[1] + size[1]) / dy
    # extend the range by one cell on each side
    first, last = max(0, int(floor(min(x0, x1))) - 1), min(columns - 1, int(ceil(max(x0, x1))) + 1)
    for r in range(max(0, int(floor(min(y0, y1))) - 1), min(rows - 1, int(ceil(max(y0, y1))) + 1)):
        c0, c1 = crossed(x0, y0, x1, y1, r, first, last)
        best = ray_strip(
            m, data + r * columns, columns, c0, c1, dy * r - size[1], dy * (r + 1) - size[1], dx, size, p, v, a, b, best
        )
    for k in range(4):
        if hits[k] >= 0 and (hits[k] < best or best < 0) and hits_side(m, h, k, hits[k], p, v, size, dx, dy):
            best = hits[k]
    return best


@inline
def crossed(x0, y0, x1, y1, r, first, last):
    """Return the range of cells, within `first` to `last` of row r, over which the line through (x0, y0) and (x1, y1) passes.

    Coordinates are in units of cells.

    r + 1 ────────────╱────
          .  .  [. ╱ .]  .        the range is slightly widened on all sides, so that rounding loses no cell
    r     ───────╱─────────
    """
    run, rise = x1 - x0, y1 - y0
    # a line parallel to the row passes over all of its cells or none
    if abs(run) >= EDGE:
        y, w = y0 + (first - x0) * (rise / run), y0 + (last - x0) * (rise / run)
        if max(y, w) < r - EDGE or min(y, w) > r + 1 + EDGE:
            return first, first
    if abs(rise) < EDGE:
        return first, last
    x, u = x0 + (r - EDGE - y0) * (run / rise), x0 + (r + 1 + EDGE - y0) * (run / rise)
    # clamp before converting to integers, because the values can be huge
    low, high = max(min(x, u) - EDGE, first + 0.0), min(max(x, u) + EDGE, last + 0.0)
    return (int(floor(low)), int(ceil(high))) if low < high else (first, first)


@inline
def across(q, p, a, b):
    """Return the coordinates of a point projected onto the plane perpendicular to the ray."""
    d = sub3(q, p)
    return dot3(a, d), dot3(b, d)


@inline
def height_over_row(p, v, x, y0, y1, dx, size):
    """Return (lower bound of a ray's height over the first cell of a row, which begins at x; increase of this bound from one
    cell to the next)."""
    run, rise = abs(v[0]), abs(v[1])
    if not abs(v[2]) < STEEP * max(run, rise):
        return -inf, 0.0
    margin = HEIGHT_MARGIN * (size[0] + size[1] + size[2])
    if run >= rise:
        slope = v[2] / v[0]
        return p[2] + slope * (x - p[0]) + min(0.0, slope * dx) - margin, slope * dx
    slope = v[2] / v[1]
    return p[2] + min(slope * (y0 - p[1]), slope * (y1 - p[1])) - margin, 0.0


@kernel
def ray_strip(m, data, columns, first, last, y0, y1, dx, size, p, v, a, b, best):
    """Return the smallest of `best` and the hit distances of cells `first` to `last` of one row. `data`: address of the row's
    heights."""
    x = dx * first - size[0]
    low, climb = height_over_row(p, v, x, y0, y1, dx, size)
    near, far = (x, y0, m.hfield_data[data + first] * size[2]), (x, y1, m.hfield_data[data + first + columns] * size[2])
    known, u0, w0, u1, w1 = False, 0.0, 0.0, 0.0, 0.0
    for c in range(first, last):
        i = data + c + 1
        x = dx * (c + 1) - size[0]
        right, opposite = (x, y0, m.hfield_data[i] * size[2]), (x, y1, m.hfield_data[i + columns] * size[2])

        # skip a cell that lies below the ray
        if max(max(near[2], far[2]), max(right[2], opposite[2])) < low + climb * (c - first):
            near, far, known = right, opposite, False
            continue
        if not known:
            u0, w0 = across(near, p, a, b)
            u1, w1 = across(far, p, a, b)
        u2, w2 = across(right, p, a, b)
        u3, w3 = across(opposite, p, a, b)

        # The two triangles of a cell share a diagonal. Skip triangles that lie on one side of the ray, as most do.
        if not (same_side(u0, u3, u2) or same_side(w0, w3, w2)):
            best = nearest(best, ray_triangle(near, opposite, right, p, v, a, b))
        if not (same_side(u0, u3, u1) or same_side(w0, w3, w1)):
            best = nearest(best, ray_triangle(near, opposite, far, p, v, a, b))
        near, far, known, u0, w0, u1, w1 = right, opposite, True, u2, w2, u3, w3
    return best


@inline
def nearest(best, x):
    return x if x >= 0 and (best < 0 or x < best) else best


@inline
def hits_side(m, h, k, t, p, v, size, dx, dy):
    """Return whether a ray that crosses the plane of side k of a height field at distance t hits the side. The side ends at the
    heights along its upper edge."""
    rows, columns, data = m.hfield_nrow[h], m.hfield_ncol[h], m.hfield_adr[h]
    z = (p[2] + t * v[2]) / size[2]
    if k < 2:
        y = (p[1] + t * v[1] + size[1]) / dy
        cell = max(0.0, min(rows - 2.0, floor(y)))
        i = data + int(cell) * columns + (columns - 1 if k == 1 else 0)
        low, high = m.hfield_data[i], m.hfield_data[i + columns]
    else:
        y = (p[0] + t * v[0] + size[0]) / dx
        cell = max(0.0, min(columns - 2.0, floor(y)))
        i = data + int(cell) + ((rows - 1) * columns if k == 3 else 0)
        low, high = m.hfield_data[i], m.hfield_data[i + 1]
    return z < low * (cell + 1 - y) + high * (y - cell)
