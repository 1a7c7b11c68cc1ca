"""Collides signed distance fields with other geoms and with each other.

Gradient descent starts from points in the overlap of both geoms' boxes (a Halton sequence). It minimizes a function whose
minimum is where both fields are deepest. If it ends inside both geoms, a contact is made on the surface halfway between theirs.
Fields come from plugins or meshes (the octree of geom.signed_distance). All coordinates are in the frame of the second geom,
which is a field. Distances of shapes: I. Quilez, Distance functions. Backtracking from 1 finds the length of a step (L. Armijo,
1966).
"""

from math import inf, isnan, sqrt

from ..core.stages import BROKEN, OK, PLUGIN_COLUMNS, plugin_function
from ..geom.signed_distance import octree_distance, shape_distance
from ..machine.jit import inline, kernel, stage
from ..machine.lang import address_of, invoke_distance, invoke_gradient, invoke_skip, load, small, store
from ..math.quat import mat_quat, quat_conj, quat_mat, quat_mul, quat_unit, rotate
from ..math.vec import (
    add3,
    add_scaled3,
    clip,
    corner3,
    distance3,
    dot3,
    frame_of,
    mat_t_vec3,
    mat_vec3,
    norm3,
    scale3,
    sub3,
    unit3,
)
from ..tables.consts import mjMAXVAL, mjMINVAL
from ..tables.enums import mjtGeom, mjtPluginCapabilityBit
from ..tables.stage_rows import ABSENT
from .manifold import LIMIT, ROW, TANGENT, put
from .ray_mesh import ray_mesh

HFIELD, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH, SDF = (
    int(mjtGeom[f"mjGEOM_{n}"]) for n in ("HFIELD", "SPHERE", "CAPSULE", "ELLIPSOID", "CYLINDER", "BOX", "MESH", "SDF")
)
COLLISION, INTERSECTION = 0, 1
STEP = 1e-8  # step of finite differences outside an octree
LEAST = 1 / mjMAXVAL
SHRINK, SLOPE, SHORTEST = 0.5, 0.1, 1e-4  # parameters of the line search
DEEPEST = 100  # maximum number of levels of an octree
# number of steps without progress after which a descent ends; maximum number of starting points per pair
PATIENCE, MOST_POINTS = 1000, 100_000
NOWHERE = (0.0, 0.0, 0.0)
KNOWN_CELLS = 3 * LIMIT  # cells for the positions of contacts found so far
DISTANCE, GRADIENT, COMPUTE, RESET = (PLUGIN_COLUMNS.index(n) for n in ("sdf_distance", "sdf_gradient", "compute", "reset"))
ABLE = int(mjtPluginCapabilityBit.mjPLUGIN_SDF)


@kernel
def octree_slope(m, mesh, x):
    """Return the gradient, in the octree's leaf around a point, of the trilinearly interpolated distance.

    The point must be inside the octree's box. The gradient is per cell size."""
    root = m.mesh_octadr[mesh]
    node = root

    # Descend to the leaf that contains the point.
    for _ in range(DEEPEST):
        box = load(m.oct_aabb, node, 6)
        u = (x[0] - (box[0] - box[3])) / ((box[0] + box[3]) - (box[0] - box[3]))
        v = (x[1] - (box[1] - box[4])) / ((box[1] + box[4]) - (box[1] - box[4]))
        w = (x[2] - (box[2] - box[5])) / ((box[2] + box[5]) - (box[2] - box[5]))
        leaf = True
        for k in range(8):
            leaf = leaf and m.oct_child[node, k] < 0
        if leaf:
            gx = gy = gz = 0.0
            for k in range(8):
                c = m.oct_coeff[node, k]
                # Compute the weights of the corner along the three axes, and their slopes.
                a = u if k & 1 else 1 - u
                b = v if k & 2 else 1 - v
                e = w if k & 4 else 1 - w
                da, db, de = corner3((1.0, 1.0, 1.0), k)
                gx += da * b * e * c
                gy += a * db * e * c
                gz += a * b * de * c
            return gx, gy, gz
        node = root + m.oct_child[node, (0 if u < 0.5 else 1) + (0 if v < 0.5 else 2) + (0 if w < 0.5 else 4)]
    return NOWHERE


@kernel
def octree_gradient(m, mesh, x):
    """Return the gradient of an octree's distance. Outside the octree, it is computed by finite differences."""
    box = load(m.oct_aabb, m.mesh_octadr[mesh], 6)
    if abs(x[0] - box[0]) <= box[3] and abs(x[1] - box[1]) <= box[4] and abs(x[2] - box[2]) <= box[5]:
        return octree_slope(m, mesh, x)
    here = octree_distance(m, mesh, x)
    return (
        (octree_distance(m, mesh, (x[0] + STEP, x[1], x[2])) - here) / STEP,
        (octree_distance(m, mesh, (x[0], x[1] + STEP, x[2])) - here) / STEP,
        (octree_distance(m, mesh, (x[0], x[1], x[2] + STEP)) - here) / STEP,
    )


@inline
def flip(x, value):
    return -value if x < 0 else value


@kernel
def shape_gradient(kind, size, x):
    """Return the gradient of the distance from an analytic shape such as a sphere."""
    if kind == SPHERE:
        return scale3(x, 1.0 / norm3(x))

    if kind == BOX:
        a = (abs(x[0]) - size[0], abs(x[1]) - size[1], abs(x[2]) - size[2])
        if max(a[0], max(a[1], a[2])) < 0:
            b, _ = unit3((-size[0] / a[0], -size[1] / a[1], -size[2] / a[2]))
            return flip(x[0], b[0]), flip(x[1], b[1]), flip(x[2], b[2])
        b = (max(a[0], 0.0), max(a[1], 0.0), max(a[2], 0.0))
        c = norm3(b)
        return (
            b[0] / c * x[0] / abs(x[0]) if a[0] > 0 else 0.0,
            b[1] / c * x[1] / abs(x[1]) if a[1] > 0 else 0.0,
            b[2] / c * x[2] / abs(x[2]) if a[2] > 0 else 0.0,
        )

    if kind == CAPSULE:
        a = (x[0], x[1], x[2] - clip(x[2], -size[1], size[1]))
        c = norm3(a)
        return a[0] / c, a[1] / c, a[2] / c

    if kind == ELLIPSOID:
        a = (x[0] / size[0], x[1] / size[1], x[2] / size[2])
        b = (a[0] / size[0], a[1] / size[1], a[2] / size[2])
        k0, k1 = norm3(a), norm3(b)
        i0, i1 = 1.0 / k0, 1.0 / k1
        s0, s1 = (2.0 * k0 - 1.0) * i1, k0 * (k0 - 1.0) * i1 * i1
        g, _ = unit3(
            (
                b[0] * i0 * s0 - b[0] * i1 / (size[0] * size[0]) * s1,
                b[1] * i0 * s0 - b[1] * i1 / (size[1] * size[1]) * s1,
                b[2] * i0 * s0 - b[2] * i1 / (size[2] * size[2]) * s1,
            )
        )
        return g

    if kind == CYLINDER:
        c, e = sqrt(x[0] * x[0] + x[1] * x[1]), abs(x[2])
        a0, a1 = c - size[0], e - size[1]
        gx, gy, gz = x[0] / max(c, LEAST), x[1] / max(c, LEAST), x[2] / max(e, LEAST)
        if max(a0, a1) < 0:
            return (gx, gy, 0.0) if a0 > a1 else (0.0, 0.0, gz)
        b0, b1 = max(a0, 0.0), max(a1, 0.0)
        n = max(sqrt(b0 * b0 + b1 * b1), LEAST)
        return gx * b0 / n, gy * b0 / n, gz * b1 / n
    return 0.0, 0.0, 1.0


@kernel
def mesh_ray(m, d, g, x):
    """Return (signed distance of point x from mesh geom g along the ray towards the world's origin, scale factor for the
    gradient)."""
    a = add3(mat_vec3(load(d.geom_xmat, g, 9), x), load(d.geom_xpos, g, 3))
    dist = ray_mesh(m, d, g, a, scale3(a, -1.0))
    away = ray_mesh(m, d, g, a, a)
    r = norm3(a)
    return (-away if dist > r else dist), (1.0 if dist > r else -1.0)


@inline
def field_distance(m, d, g, x):
    """Return the distance of a point from an SDF geom. If a plugin computes it, `prepared` must have been called."""
    i = m.geom_plugin[g]
    if i < 0:
        return octree_distance(m, m.geom_dataid[g], x)
    return invoke_distance(plugin_function(m, d, i, DISTANCE), m, d, i, x[0], x[1], x[2])


@inline
def call_field(m, d, g, column, argument):
    """Call a function of a geom's plugin, if there is one. Return False if the step must stop."""
    i = m.geom_plugin[g]
    if i >= 0:
        address = plugin_function(m, d, i, column)
        if address == 0:
            return False
        if address != ABSENT:
            invoke_skip(address, m, d, i, argument)
    return d.status == OK


@inline
def prepared(m, d, g, column):
    """Return whether geom g is ready. An SDF geom is ready if its plugin's function, or its mesh's octree, exists. If False,
    the step must stop."""
    if m.geom_type[g] != SDF:
        return True
    if m.geom_plugin[g] >= 0:
        return plugin_function(m, d, m.geom_plugin[g], column) != 0
    if m.mesh_octadr[m.geom_dataid[g]] >= 0:
        return True
    d.status, d.status_arg = BROKEN, -1 - m.geom_dataid[g]
    return False


@kernel
def computed_distance(m, d, g, x):
    """Return the signed distance of a point in the frame of a geom without a plugin."""
    kind = m.geom_type[g]
    if kind == SDF:
        return octree_distance(m, m.geom_dataid[g], x)
    if kind == MESH:
        if g < m.nmesh and m.mesh_octnum[g]:
            # As in MuJoCo, the geom's index is used as the index of the mesh.
            return octree_distance(m, g, x)
        dist, _ = mesh_ray(m, d, g, x)
        return dist
    return shape_distance(kind, load(m.geom_size, g, 3), x)


@kernel
def gradient_of(m, d, g, x):
    """Return the gradient of the signed distance of a point in a geom's frame."""
    kind = m.geom_type[g]
    if kind == SDF:
        i = m.geom_plugin[g]
        if i < 0:
            return octree_gradient(m, m.geom_dataid[g], x)
        out = small(3)
        invoke_gradient(plugin_function(m, d, i, GRADIENT), m, d, i, x[0], x[1], x[2], address_of(out, 0))
        return load(out, 0, 3)
    if kind == MESH:
        if g < m.nmesh and m.mesh_octnum[g]:
            return octree_gradient(m, g, x)
        _, s = mesh_ray(m, d, g, x)
        return s, s, s
    return shape_gradient(kind, load(m.geom_size, g, 3), x)


@inline
def function_of(m, d, g):
    """Return the address of the plugin's function for a geom's distance, or 0 if no plugin computes it."""
    i = m.geom_plugin[g]
    return plugin_function(m, d, i, DISTANCE) if m.geom_type[g] == SDF and i >= 0 else 0


@inline
def distance_of(m, d, g, function, x):
    """Return the signed distance of a point in a geom's frame. function: see `function_of`."""
    if function:
        return invoke_distance(function, m, d, m.geom_plugin[g], x[0], x[1], x[2])
    return computed_distance(m, d, g, x)


@inline
def distances_of(m, d, g, other, functions, mat, pos, x):
    """Return the distances of a point from two geoms. The point is given in the frame of geom g; `mat` and `pos` transform
    points to the other geom's frame. functions: see `function_of`."""
    y = add3(mat_vec3(mat, x), pos)
    return distance_of(m, d, g, functions[0], x), distance_of(m, d, other, functions[1], y)


@inline
def objective(goal, a, b):
    """Return the value of a goal function, COLLISION or INTERSECTION, at a point with the distances a and b."""
    return max(a, b) if goal == INTERSECTION else a + b + abs(max(a, b))


@kernel
def objective_gradient(m, d, goal, g, other, mat, pos, x, a, b):
    """Return the gradient of a goal function at a point in the frame of geom g. a, b: its distances; see `distances_of`."""
    y = add3(mat_vec3(mat, x), pos)
    if goal == INTERSECTION:
        return gradient_of(m, d, g, x) if a > b else mat_t_vec3(mat, gradient_of(m, d, other, y))
    u, v = gradient_of(m, d, g, x), mat_t_vec3(mat, gradient_of(m, d, other, y))
    return add_scaled3(add3(u, v), u if a > b else v, 1.0 if max(a, b) > 0 else -1.0)


@kernel
def midsurface_normal(m, d, g, other, mat, pos, x):
    """Return the gradient of the difference of both distances at a point in the frame of geom g, as a unit vector."""
    u, _ = unit3(gradient_of(m, d, g, x))
    v, _ = unit3(mat_t_vec3(mat, gradient_of(m, d, other, add3(mat_vec3(mat, x), pos))))
    n, _ = unit3(sub3(u, v))
    return n


@inline
def unusable(x):
    return isnan(x) or x > mjMAXVAL or x < -mjMAXVAL


@kernel
def descend(m, d, goal, g, other, functions, mat, pos, x, steps):
    """Return (value, point) after some steps of gradient descent with backtracking."""
    dist, idle = mjMAXVAL, 0
    a, b = distances_of(m, d, g, other, functions, mat, pos, x)
    for _ in range(steps):
        slope = objective_gradient(m, d, goal, g, other, mat, pos, x, a, b)
        if unusable(slope[0]) or unusable(slope[1]) or unusable(slope[2]):
            return mjMAXVAL, x

        # Shorten the step until the value decreases enough.
        start, before, length = x, objective(goal, a, b), 2.0
        enough = -SLOPE * length * dot3(slope, slope)
        while True:
            length *= SHRINK
            enough *= SHRINK
            x = add_scaled3(start, slope, -length)
            a, b = distances_of(m, d, g, other, functions, mat, pos, x)
            dist = objective(goal, a, b)
            if not (length > SHORTEST and dist - before > enough):
                break

        # Stop if no step decreases the value.
        idle += 0 if dist < before else 1
        if before < dist or idle > PATIENCE:
            return dist, x
    return dist, x


@inline
def between(pos1, quat1, pos2, quat2):
    """Return frame 1 relative to frame 2, as (position, matrix)."""
    back = quat_conj(quat2)
    origin = scale3(rotate(back, pos2), -1.0)
    return add3(rotate(back, pos1), origin), quat_mat(quat_unit(quat_mul(back, quat1)))


@inline
def halton(index, base):
    """Return an element of the low-discrepancy sequence of a prime base."""
    n, f, total = index, 1.0 / base, 0.0
    while n > 0:
        total += f * (n % base)
        n //= base
        f /= base
    return total


@kernel
def overlap(m, g1, g2, mat21, pos21):
    """Return the bounds (3 lower, 3 upper) of the overlap of both geoms' boxes, in the frame of the first geom."""
    box1, box2 = load(m.geom_aabb, g1, 6), load(m.geom_aabb, g2, 6)
    low, high = (inf, inf, inf), (-inf, -inf, -inf)
    for k in range(8):
        c = add3(mat_vec3(mat21, add3((box2[0], box2[1], box2[2]), corner3((box2[3], box2[4], box2[5]), k))), pos21)
        low = (min(low[0], c[0]), min(low[1], c[1]), min(low[2], c[2]))
        high = (max(high[0], c[0]), max(high[1], c[1]), max(high[2], c[2]))
    return (
        max(box1[0] - box1[3], low[0]),
        max(box1[1] - box1[4], low[1]),
        max(box1[2] - box1[5], low[2]),
        min(box1[0] + box1[3], high[0]),
        min(box1[1] + box1[4], high[1]),
        min(box1[2] + box1[5], high[2]),
    )


@stage("iMDiif")
def collide_sdf(m, d, g1, g2, margin):
    """reads geom_xpos, geom_xmat; writes manifold, bvh_active. Returns the number of rows.

    A height field g1 makes no contacts.
    """
    if m.geom_type[g1] == HFIELD:
        return 0

    # Both fields must be ready.
    if not (
        prepared(m, d, g1, DISTANCE)
        and prepared(m, d, g1, GRADIENT)
        and prepared(m, d, g2, DISTANCE)
        and prepared(m, d, g2, GRADIENT)
    ):
        return -1

    # Compute the frame of each geom relative to the other.
    out = d.manifold
    pos1, pos2 = load(d.geom_xpos, g1, 3), load(d.geom_xpos, g2, 3)
    quat1, quat2 = mat_quat(load(d.geom_xmat, g1, 9)), mat_quat(load(d.geom_xmat, g2, 9))
    pos11, mat11 = between(pos1, quat1, pos1, quat1)
    to1_pos, to1_mat = between(pos2, quat2, pos1, quat1)
    to2_pos, to2_mat = between(pos1, quat1, pos2, quat2)

    # Search only where the boxes overlap.
    box = overlap(m, g1, g2, to1_mat, to1_pos)
    if box[3] < box[0] or box[4] < box[1] or box[5] < box[2]:
        return 0
    if not call_field(m, d, g2, RESET, 0):
        return -1

    # Start a descent from each point of the sequence.
    known, count, functions = small(KNOWN_CELLS), 0, (function_of(m, d, g2), function_of(m, d, g1))
    for k in range(min(m.opt.sdf_initpoints, MOST_POINTS)):
        x = (
            box[0] + (box[3] - box[0]) * halton(k, 2),
            box[1] + (box[4] - box[1]) * halton(k, 3),
            box[2] + (box[5] - box[2]) * halton(k, 5),
        )
        x = add3(mat_vec3(to2_mat, add3(mat_vec3(mat11, x), pos11)), to2_pos)
        if not call_field(m, d, g2, COMPUTE, ABLE):
            return -1
        dist, x = descend(m, d, COLLISION, g2, g1, functions, to1_mat, to1_pos, x, m.opt.sdf_iterations)
        dist, x = descend(m, d, INTERSECTION, g2, g1, functions, to1_mat, to1_pos, x, 1)

        # Make a contact where a descent ended inside both geoms, unless an earlier contact is at the same point.
        new = dist <= 0 and count < LIMIT
        for i in range(count):
            new = new and distance3(x, load(known, 3 * i, 3)) >= mjMINVAL
        if new:
            store(known, 3 * count, x)
            normal = rotate(quat2, scale3(midsurface_normal(m, d, g2, g1, to1_mat, to1_pos, x), -1.0))
            f = frame_of(normal, NOWHERE)
            place = add3(add3(rotate(quat2, x), pos2), scale3((f[0], f[1], f[2]), -dist / 2))
            count = put(out, count, dist, place, (f[0], f[1], f[2]))
            store(out, ROW * (count - 1) + TANGENT, (f[3], f[4], f[5]))
    return count
