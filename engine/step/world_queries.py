"""Queries about many worlds: Jacobians of points, and ray casts, in each world's configuration. `worlds.run_worlds` calls these
stages for each world.
"""

from math import sqrt

from ..collide.ray import ray_geom, ray_scene
from ..core.stages import run
from ..dynamics.jacobian import add_point_jacobian, clear_jacobian
from ..machine.jit import inline, kernel, stage
from ..machine.lang import array_at, ints_at, load, longs_at, matrix_at, store
from ..math.vec import add_scaled3, cross3, dot3, mat_t_vec3, mat_vec3, sub3, unit3
from ..tables.enums import mjtGeom
from ..tables.stage_rows import stage_ids

KINEMATICS, COM_POS, FLEX_POS = stage_ids("kinematics com_pos flex_pos")
PLANE, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX = (
    int(mjtGeom[f"mjGEOM_{n}"]) for n in ("PLANE", "SPHERE", "CAPSULE", "ELLIPSOID", "CYLINDER", "BOX")
)
# cells of a Jacobian query; all of them are addresses
BODIES, POINTS, JACP, JACR, JACOBIAN_CELLS = range(5)
# Cells of a ray query. RAYS: rays per world; STATIC: whether rays hit static geoms; the others are addresses of arrays.
RAYS, STARTS, ALONG, GROUPS, EXCLUDED, STATIC, DISTANCES, GEOMS, NORMALS, RAY_CELLS = range(10)
# A surface normal without a formula is measured by two extra rays, at this distance relative to the ray's length.
ASIDE = 1e-6


@stage("vMDii")
def world_jacobian(m, d, k, address):
    """reads qpos, JACOBIAN_CELLS integers at an address; writes kinematics, and the 3 x nv matrices of the k-th world."""
    if not (run(m, d, KINEMATICS) and run(m, d, COM_POS)):
        return
    cells = longs_at(address, JACOBIAN_CELLS)
    size = 24 * m.nv * k
    p, r = matrix_at(cells[JACP] + size, 3, m.nv), matrix_at(cells[JACR] + size, 3, m.nv)
    clear_jacobian(p, m.nv)
    clear_jacobian(r, m.nv)
    add_point_jacobian(m, d, p, r, load(matrix_at(cells[POINTS], k + 1, 3), k, 3), ints_at(cells[BODIES], k + 1)[k], 1.0)


@inline
def sign(x):
    return 1.0 if x >= 0.0 else -1.0


@kernel
def solid_normal(kind, p, size):
    """Return the outward normal, in a geom's frame, at a point of its surface."""
    if kind == SPHERE:
        return p
    if kind == CAPSULE:
        z = max(-size[1], min(size[1], p[2]))
        return p[0], p[1], p[2] - z
    if kind == ELLIPSOID:
        return p[0] / (size[0] * size[0]), p[1] / (size[1] * size[1]), p[2] / (size[2] * size[2])
    if kind == CYLINDER:
        side = abs(sqrt(p[0] * p[0] + p[1] * p[1]) - size[0]) <= abs(abs(p[2]) - size[1])
        return (p[0], p[1], 0.0) if side else (0.0, 0.0, sign(p[2]))
    x, y, z = abs(abs(p[0]) - size[0]), abs(abs(p[1]) - size[1]), abs(abs(p[2]) - size[2])
    if x <= y and x <= z:
        return sign(p[0]), 0.0, 0.0
    return (0.0, sign(p[1]), 0.0) if y <= z else (0.0, 0.0, sign(p[2]))


@kernel
def measured_normal(m, d, g, start, along, distance):
    """Return the normal of a surface without a formula for it, estimated from two rays next to the given one."""
    aside = (1.0, 0.0, 0.0) if abs(along[0]) <= abs(along[1]) and abs(along[0]) <= abs(along[2]) else (0.0, 1.0, 0.0)
    u, _ = unit3(cross3(along, aside))
    v, _ = unit3(cross3(along, u))
    length = ASIDE * max(distance, ASIDE) * sqrt(dot3(along, along))
    one, two = add_scaled3(start, u, length), add_scaled3(start, v, length)
    x, y = ray_geom(m, d, g, one, along), ray_geom(m, d, g, two, along)
    if x < 0 or y < 0:
        return -along[0], -along[1], -along[2]
    hit = add_scaled3(start, along, distance)
    return cross3(sub3(add_scaled3(one, along, x), hit), sub3(add_scaled3(two, along, y), hit))


@kernel
def hit_normal(m, d, g, start, along, distance):
    """Return the unit normal of geom g where a ray hits it. If the surface has no inner side, the normal points towards the
    ray's start."""
    kind, mat = m.geom_type[g], load(d.geom_xmat, g, 9)
    if kind == PLANE:
        return mat[2], mat[5], mat[8]
    if SPHERE <= kind <= BOX:
        hit = add_scaled3(start, along, distance)
        local = mat_t_vec3(mat, sub3(hit, load(d.geom_xpos, g, 3)))
        n, _ = unit3(mat_vec3(mat, solid_normal(kind, local, load(m.geom_size, g, 3))))
        return n
    n, _ = unit3(measured_normal(m, d, g, start, along, distance))
    return (-n[0], -n[1], -n[2]) if dot3(n, along) > 0 else n


@stage("vMDii")
def world_rays(m, d, k, address):
    """reads qpos, RAY_CELLS integers at an address; writes kinematics, and distances, geoms and normals of the k-th world."""
    if not run(m, d, KINEMATICS) or m.nflex and not run(m, d, FLEX_POS):
        return
    cells = longs_at(address, RAY_CELLS)
    n = cells[RAYS]
    count, first = n * (k + 1), n * k
    starts, rays = matrix_at(cells[STARTS], count, 3), matrix_at(cells[ALONG], count, 3)
    for i in range(first, count):
        start, along = load(starts, i, 3), load(rays, i, 3)
        x, hit = ray_scene(m, d, start, along, cells[GROUPS], cells[STATIC] != 0, ints_at(cells[EXCLUDED], count)[i])
        array_at(cells[DISTANCES], count)[i] = x
        ints_at(cells[GEOMS], count)[i] = hit
        if cells[NORMALS] != 0:
            store(
                matrix_at(cells[NORMALS], count, 3), i, hit_normal(m, d, hit, start, along, x) if hit >= 0 else (0.0, 0.0, 0.0)
            )
