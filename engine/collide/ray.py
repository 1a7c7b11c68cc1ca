"""Ray casting: finds the nearest visible geom along a direction, for one ray or for many rays from one point.

Distances are in units of the direction's length; -1 if nothing is hit. Rays pass through geoms of invisible material, of one
excluded body, of hidden groups and, on request, of static bodies.
"""

from math import atan2, sqrt

from ..geom.ray_shape import ball_distance, ray_box, ray_shape
from ..machine.jit import inline, kernel, stage
from ..machine.lang import array_at, bytes_at, ints_at, load, matrix_at
from ..math.vec import add3, add_scaled3, corner3, dot3, mat_t_vec3, mat_vec3, norm3, sub3, unit3
from ..tables.compat_rows import bit
from ..tables.consts import mjMAXVAL, mjNGROUP, mjPI
from ..tables.enums import mjtGeom
from .ray_mesh import MISS, ray_hfield, ray_mesh
from .sdf import DISTANCE, RESET, call_field, field_distance, prepared

HFIELD, MESH, SDF = (int(mjtGeom[f"mjGEOM_{n}"]) for n in ("HFIELD", "MESH", "SDF"))
FIELD_LENGTHS = bit("field_lengths")
MARCH_STEPS, MARCH_HIT, MARCH_LOST = 40, 1e-7, 1e6


@inline
def transparent(m, g, groups, static, excluded):
    """Return whether rays ignore geom g. `groups` is the address of mjNGROUP bytes, or 0 for all groups."""
    b, material = m.geom_bodyid[g], m.geom_matid[g]
    if b == excluded or not static and m.body_weldid[b] == 0:
        return True
    if material < 0 and m.geom_rgba[g, 3] == 0 or material >= 0 and m.mat_rgba[material, 3] == 0:
        return True
    return groups != 0 and bytes_at(groups, mjNGROUP)[min(mjNGROUP - 1, max(0, m.geom_group[g]))] == 0


@kernel
def ray_field(m, d, g, start, along):
    """Return the distance to a signed distance field, by sphere tracing. Before 4.0, the unit is meters; since 4.0, it is the
    length of `along`."""
    if not prepared(m, d, g, DISTANCE):
        return MISS
    pos, mat = load(d.geom_xpos, g, 3), load(d.geom_xmat, g, 9)
    p, v = mat_t_vec3(mat, sub3(start, pos)), mat_t_vec3(mat, along)
    if ray_box(p, v, load(m.geom_size, g, 3)) < 0:
        return MISS
    if not call_field(m, d, g, RESET, 0):
        return MISS
    v, length = unit3(v)
    total = 0.0
    for _ in range(MARCH_STEPS):
        x = field_distance(m, d, g, add_scaled3(p, v, total))
        total += x
        if abs(x) < MARCH_HIT:
            return total / length if m.compat_bits & FIELD_LENGTHS != 0 and length > 0 else total
        if x > MARCH_LOST:
            return MISS
    return MISS


@inline
def ray_geom(m, d, g, start, along):
    """Return the distance of a ray to geom g."""
    kind = m.geom_type[g]
    if kind == MESH:
        return ray_mesh(m, d, g, start, along)
    if kind == HFIELD:
        return ray_hfield(m, d, g, start, along)
    if kind == SDF:
        return ray_field(m, d, g, start, along)
    return ray_shape(kind, load(d.geom_xpos, g, 3), load(d.geom_xmat, g, 9), load(m.geom_size, g, 3), start, along)


@kernel
def ray_scene(m, d, start, along, groups, static, excluded):
    """Return (distance, geom) of the nearest hit, (-1, -1) if there is none."""
    best, hit = MISS, -1
    for g in range(m.ngeom):
        if not transparent(m, g, groups, static, excluded):
            x = ray_geom(m, d, g, start, along)
            if x >= 0 and (x < best or best < 0):
                best, hit = x, g
    return best, hit


@stage("fMDiiiiii")
def ray(m, d, start, along, groups, static, excluded, geom):
    """reads geom poses; returns the distance of one ray and writes the geom's id at address `geom`.

    `start`, `along`: addresses of 3 numbers; `groups`: address of mjNGROUP bytes or 0; `geom`: address of an int32.
    """
    x, hit = ray_scene(m, d, load(array_at(start, 3), 0, 3), load(array_at(along, 3), 0, 3), groups, static != 0, excluded)
    ints_at(geom, 1)[0] = hit
    return x


@stage("fMDiii")
def ray_one(m, d, geom, start, along):
    """reads one geom's pose; returns the distance of a ray to that geom alone. `start`, `along`: addresses of 3 numbers."""
    return ray_geom(m, d, geom, load(array_at(start, 3), 0, 3), load(array_at(along, 3), 0, 3))


@inline
def direction_angles(v):
    """Return the azimuth and elevation angles of a vector."""
    return atan2(v[1], v[0]), atan2(sqrt(v[0] * v[0] + v[1] * v[1]), v[2])


@kernel
def bounding_angles(m, d, g, start):
    """Return the ranges of azimuth and elevation in which the corners of geom g's bounding box are seen from a point."""
    whole = (-mjPI, 0.0, mjPI, mjPI)
    pos, mat, box = load(d.geom_xpos, g, 3), load(d.geom_xmat, g, 9), load(m.geom_aabb, g, 6)
    p = sub3(mat_t_vec3(mat, sub3(start, pos)), (box[0], box[1], box[2]))
    if abs(p[0]) <= box[3] and abs(p[1]) <= box[4] and abs(p[2]) <= box[5]:
        return whole
    a0, e0, a1, e1 = mjMAXVAL, mjMAXVAL, -mjMAXVAL, -mjMAXVAL
    for k in range(8):
        corner = add3((box[0], box[1], box[2]), corner3((box[3], box[4], box[5]), k))
        a, e = direction_angles(sub3(add3(mat_vec3(mat, corner), pos), start))
        a0, e0, a1, e1 = min(a0, a), min(e0, e), max(a1, a), max(e1, e)
    return whole if a1 - a0 > mjPI else (a0, e0, a1, e1)


@stage("vMDiiiiiiiiif")
def multi_ray(m, d, start, along, groups, static, excluded, geoms, distances, count, scratch, cutoff):
    """reads geom poses; writes `count` distances and geom ids of rays from one point, at addresses `distances` and `geoms`.

    `along`: address of count x 3 numbers; `scratch`: address of ngeom x 5 numbers; geoms farther than `cutoff` may be left out.
    """

    # Mark the geoms that rays can hit, and store the ranges of angles in which their boxes are seen.
    origin, rays = load(array_at(start, 3), 0, 3), matrix_at(along, count, 3)
    seen = matrix_at(scratch, m.ngeom, 5)
    for g in range(m.ngeom):
        hidden = transparent(m, g, groups, static != 0, excluded)
        if not hidden and m.body_bvhadr[m.geom_bodyid[g]] >= 0:
            hidden = norm3(sub3(load(d.geom_xpos, g, 3), origin)) > cutoff + m.geom_rbound[g]
            if not hidden:
                a = bounding_angles(m, d, g, origin)
                seen[g, 1], seen[g, 2], seen[g, 3], seen[g, 4] = a[0], a[1], a[2], a[3]
        seen[g, 0] = 0.0 if hidden else 1.0

    for k in range(count):
        x, hit = ray_bounded(m, d, origin, load(rays, k, 3), seen)
        array_at(distances, count)[k] = x
        ints_at(geoms, count)[k] = hit


@kernel
def ray_bounded(m, d, start, along, seen):
    """Like ray_scene, but skip bodies and geoms whose bounds the ray does not hit."""
    azimuth, elevation = direction_angles(along)
    best, hit = MISS, -1

    # Skip a body if the ray misses its bounding sphere, and a geom if the ray is outside its ranges of angles.
    for b in range(m.nbody):
        bounded = m.body_bvhadr[b] >= 0
        if bounded:
            box = load(m.bvh_aabb, m.body_bvhadr[b], 6)
            half = (box[3], box[4], box[5])
            centre = add3((box[0], box[1], box[2]), load(d.xipos, b, 3))
            if ball_distance(sub3(start, centre), along, dot3(half, half)) < 0:
                continue
        for g in range(m.body_geomadr[b], m.body_geomadr[b] + m.body_geomnum[b]):
            outside = azimuth < seen[g, 1] or elevation < seen[g, 2] or azimuth > seen[g, 3] or elevation > seen[g, 4]
            if seen[g, 0] == 0 or bounded and outside:
                continue
            x = ray_geom(m, d, g, start, along)
            if x >= 0 and (x < best or best < 0):
                best, hit = x, g
    return best, hit
