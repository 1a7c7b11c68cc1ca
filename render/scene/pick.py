"""Finds the object under the cursor: intersects a ray through the view with geoms, flexes and skins, all geoms of a type at
once.

Distances are measured along a unit ray; a miss is inf. A ray that starts inside a closed shape hits its far side.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, SupportsFloat

import numpy as np
import numpy.typing as npt

from ...engine.core.data import MjData
from ...engine.core.model import MjModel
from ...engine.geom.ray_shape import ray_shape
from ...engine.machine.interpret import plain
from ...engine.tables.enums import mjtGeom, mjtVisFlag
from ...engine.tables.geom_rows import ROWS
from .abstract import MjvScene
from .camera import head_in_model, mjv_averageCamera
from .options import NGROUP, MjvOption
from .rotate import cross, normalize, z_to
from .tessellate import hfield

V_STATIC, V_SKIN = int(mjtVisFlag.mjVIS_STATIC), int(mjtVisFlag.mjVIS_SKIN)
PLANE, HFIELD, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH, SDF = (
    int(mjtGeom["mjGEOM_" + k]) for k in ("PLANE", "HFIELD", "SPHERE", "CAPSULE", "ELLIPSOID", "CYLINDER", "BOX", "MESH", "SDF")
)
TINY = 1e-15


def first(*candidates: np.ndarray) -> np.ndarray:
    """Return the smallest non-negative value in each row, or inf if there is none."""
    x = np.stack(candidates, -1)
    return np.where(np.isfinite(x) & (x >= 0), x, np.inf).min(-1)


def roots(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return both solutions of a x^2 + 2 b x + c = 0, NaN if there is none."""
    det = b * b - a * c
    ok = (det >= 0) & (a >= TINY)
    s = np.sqrt(np.where(ok, det, 0))
    a = np.where(ok, a, np.nan)
    return (-b - s) / a, (-b + s) / a


def dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the dot products of corresponding rows."""
    return np.einsum("ij,ij->i", a, b)


def ray_plane(p: np.ndarray, v: np.ndarray, size: np.ndarray) -> np.ndarray:
    """Intersect rays with the front of rectangles. A size of 0 means unbounded."""
    with np.errstate(divide="ignore", invalid="ignore"):
        x = np.where(v[:, 2] > -TINY, np.nan, -p[:, 2] / v[:, 2])
        at = np.abs(p[:, :2] + x[:, None] * v[:, :2])
    return first(np.where(((size[:, :2] <= 0) | (at <= size[:, :2])).all(1), x, np.nan))


def ray_ellipsoid(p: np.ndarray, v: np.ndarray, size: np.ndarray) -> np.ndarray:
    """Intersect rays with ellipsoids, or with spheres if the sizes are equal."""
    q, w = p / size, v / size
    return first(*roots(dot(w, w), dot(q, w), dot(q, q) - 1))


def ray_sphere(p: np.ndarray, v: np.ndarray, size: np.ndarray) -> np.ndarray:
    """Intersect rays with spheres of radius size[0]."""
    return ray_ellipsoid(p, v, np.repeat(size[:, :1], 3, 1))


def tube_roots(p: np.ndarray, v: np.ndarray, r: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the distances to an infinite cylinder along z: both solutions."""
    return roots(dot(v[:, :2], v[:, :2]), dot(p[:, :2], v[:, :2]), dot(p[:, :2], p[:, :2]) - r * r)


def ray_capsule(p: np.ndarray, v: np.ndarray, size: np.ndarray) -> np.ndarray:
    """Intersect rays with capsules along z."""
    r, h = size[:, 0], size[:, 1]
    found = [np.where(np.abs(p[:, 2] + x * v[:, 2]) <= h, x, np.nan) for x in tube_roots(p, v, r)]
    for sign in (1, -1):
        q = p - np.stack([0 * h, 0 * h, sign * h], 1)
        found += [
            np.where(sign * (q[:, 2] + x * v[:, 2]) >= 0, x, np.nan) for x in roots(dot(v, v), dot(q, v), dot(q, q) - r * r)
        ]
    return first(*found)


def ray_cylinder(p: np.ndarray, v: np.ndarray, size: np.ndarray) -> np.ndarray:
    """Intersect rays with cylinders along z."""
    r, h = size[:, 0], size[:, 1]
    found = [np.where(np.abs(p[:, 2] + x * v[:, 2]) <= h, x, np.nan) for x in tube_roots(p, v, r)]
    with np.errstate(divide="ignore", invalid="ignore"):
        for sign in (1, -1):
            x = np.where(np.abs(v[:, 2]) > TINY, (sign * h - p[:, 2]) / v[:, 2], np.nan)
            at = p[:, :2] + x[:, None] * v[:, :2]
            found.append(np.where(dot(at, at) <= r * r, x, np.nan))
    return first(*found)


def ray_box(p: np.ndarray, v: np.ndarray, size: np.ndarray) -> np.ndarray:
    """Intersect rays with boxes: find the interval in which a ray is between all three pairs of opposite faces."""
    with np.errstate(divide="ignore", invalid="ignore"):
        a, b = (-size - p) / v, (size - p) / v
    inside = np.abs(p) <= size
    lo = np.where(np.abs(v) > TINY, np.minimum(a, b), np.where(inside, -np.inf, np.inf)).max(1)
    hi = np.where(np.abs(v) > TINY, np.maximum(a, b), np.where(inside, np.inf, -np.inf)).min(1)
    return np.where((lo <= hi) & (hi >= 0), np.where(lo >= 0, lo, hi), np.inf)


def ray_triangles(p: np.ndarray, v: np.ndarray, tri: np.ndarray) -> np.ndarray:
    """Intersect one ray with triangles (k, 3, 3); both sides count."""
    e1, e2, s = tri[:, 1] - tri[:, 0], tri[:, 2] - tri[:, 0], p - tri[:, 0]
    h = np.cross(v, e2)
    det = dot(e1, h)
    with np.errstate(divide="ignore", invalid="ignore"):
        u = dot(s, h) / det
        q = np.cross(s, e1)
        w = q @ v / det
        x = dot(e2, q) / det
    return np.where((np.abs(det) > 1e-30) & (u >= 0) & (w >= 0) & (u + w <= 1) & (x >= 0), x, np.inf)


def ray_kernel(kind: int) -> Callable[..., np.ndarray]:
    """Return the engine's ray kernel for a type of solid, as a function of arrays that evaluates one ray at a time."""
    one, here, axes = plain(ray_shape), (0.0, 0.0, 0.0), tuple(np.eye(3).ravel().tolist())

    def ray(p: np.ndarray, v: np.ndarray, size: np.ndarray) -> np.ndarray:
        found = [
            one(kind, here, axes, tuple(s), tuple(a), tuple(b))
            for a, b, s in zip(p.tolist(), v.tolist(), size.tolist(), strict=True)
        ]
        return first(np.array(found))

    return ray


SHAPES = {
    PLANE: ray_plane,
    SPHERE: ray_sphere,
    CAPSULE: ray_capsule,
    ELLIPSOID: ray_ellipsoid,
    CYLINDER: ray_cylinder,
    BOX: ray_box,
}
SHAPES |= {row.number: ray_kernel(row.number) for row in ROWS if row.ours and row.form == "solid"}


def mesh_triangles(m: MjModel, i: int) -> np.ndarray:
    """Return the triangles of mesh i in its frame."""
    f = slice(int(m.mesh_faceadr[i]), int(m.mesh_faceadr[i] + m.mesh_facenum[i]))
    return np.asarray(m.mesh_vert)[int(m.mesh_vertadr[i]) + np.asarray(m.mesh_face)[f].astype(int)].astype(float)


def hfield_triangles(m: MjModel, i: int) -> np.ndarray:
    """Return the triangles of height field i in its frame."""
    vert, ind = hfield(m, i)
    return vert[ind, :3].reshape(-1, 3, 3).astype(float)


def pickable(m: MjModel, groups: np.ndarray, static: bool) -> np.ndarray:
    """Return which geoms a ray can hit: geoms in visible groups that are not fully transparent. Static geoms count only if they
    are shown."""
    mat = np.asarray(m.geom_matid)
    alpha = np.asarray(m.geom_rgba)[:, 3]
    if m.nmat:
        alpha = np.where(mat >= 0, np.asarray(m.mat_rgba)[np.maximum(mat, 0), 3], alpha)
    keep = (alpha != 0) & np.asarray(groups).astype(bool)[np.clip(m.geom_group, 0, NGROUP - 1)]
    return keep if static else keep & (np.asarray(m.body_weldid)[np.asarray(m.geom_bodyid)] != 0)


def ray_geoms(
    m: MjModel, d: MjData, pos: np.ndarray, vec: np.ndarray, groups: np.ndarray, static: bool = True
) -> tuple[int, float]:
    """Return (id, distance) of the nearest geom that a ray hits; id -1 if there is none."""
    if not m.ngeom:
        return -1, np.inf
    types, dist = np.asarray(m.geom_type), np.full(m.ngeom, np.inf)
    keep = pickable(m, groups, static)
    xpos, rot, size = np.asarray(d.geom_xpos), np.asarray(d.geom_xmat).reshape(-1, 3, 3), np.asarray(m.geom_size)
    local, way = np.einsum("nji,nj->ni", rot, pos - xpos), np.einsum("nji,j->ni", rot, vec)

    # Intersect primitives: all geoms of a type at once.
    for kind, shape in SHAPES.items():
        at = np.flatnonzero(keep & (types == kind))
        if len(at):
            dist[at] = shape(local[at], way[at], size[at])

    # Intersect meshes and height fields one by one, nearest bounding sphere first, until no other can be nearer.
    rough = np.flatnonzero(keep & np.isin(types, (MESH, SDF, HFIELD)) & (np.asarray(m.geom_dataid) >= 0))
    along = -dot(local[rough], way[rough])
    rb = np.asarray(m.geom_rbound)[rough]
    miss = dot(local[rough], local[rough]) - along * along > rb * rb
    for k in np.argsort(along - rb, kind="stable"):
        i = int(rough[k])
        if (miss[k] and types[i] != HFIELD) or (types[i] != HFIELD and along[k] - rb[k] > dist.min()):
            continue
        tri = (hfield_triangles if types[i] == HFIELD else mesh_triangles)(m, int(m.geom_dataid[i]))
        dist[i] = ray_triangles(local[i], way[i], tri).min(initial=np.inf)

    best = int(np.argmin(dist))
    return (best, float(dist[best])) if np.isfinite(dist[best]) else (-1, np.inf)


def nearest_corner(tri: np.ndarray, hit: np.ndarray) -> int:
    """Return the index, 0 to 2, of the triangle's corner that is nearest to a point."""
    return int(np.argmin(((tri - hit) ** 2).sum(1)))


def flex_body(m: MjModel, d: MjData, f: int, vert: int) -> tuple[int, np.ndarray] | tuple[int, Any]:
    """Return the body that moves vertex `vert` of flex f, and the point to drag: the vertex, or the nearest control point."""
    a = int(m.flex_vertadr[f])
    if not m.flex_interp[f]:
        return int(m.flex_vertbodyid[a + vert]), np.array(d.flexvert_xpos[a + vert])
    na, n = int(m.flex_nodeadr[f]), int(m.flex_nodenum[f])
    body = np.asarray(m.flex_nodebodyid)[na : na + n]
    pos = np.asarray(d.xpos)[body]
    if not m.flex_centered[f]:
        pos = pos + np.einsum("nij,nj->ni", np.asarray(d.xmat)[body].reshape(-1, 3, 3), np.asarray(m.flex_node)[na : na + n])
    k = int(np.argmin(((pos - d.flexvert_xpos[a + vert]) ** 2).sum(1)))
    return int(body[k]), pos[k]


def ray_flex(m: MjModel, d: MjData, scn: MjvScene, f: int, pos: np.ndarray, vec: np.ndarray) -> tuple[float, int]:
    """Return (distance, vertex) of the nearest hit on the visible parts of flex f."""
    s, radius = scn.surface, float(m.flex_radius[f])
    a, n = int(s.flexvertadr[f]), int(s.flexvertnum[f])
    xpos = np.asarray(d.flexvert_xpos)[a : a + n]
    best, vertex = np.inf, -1

    # Faces.
    k = int(s.flexfaceused[f])
    if k:
        b = int(s.flexfaceadr[f])
        tri = s.flexface[9 * b : 9 * (b + k)].reshape(-1, 3, 3).astype(float)
        dist = ray_triangles(pos, vec, tri)
        i = int(np.argmin(dist))
        if np.isfinite(dist[i]):
            hit = pos + vec * dist[i]
            best, vertex = float(dist[i]), int(np.argmin(((xpos - hit) ** 2).sum(1)))

    # Intersect spheres at the vertices and tubes along the edges, unless the skin hides them.
    if radius > 0 and not (scn.flexskinopt and k):
        if scn.flexvertopt:
            dist = ray_sphere(pos - xpos, np.broadcast_to(vec, xpos.shape), np.full((n, 3), radius))
            i = int(np.argmin(dist))
            if dist[i] < best:
                best, vertex = float(dist[i]), i
        if scn.flexedgeopt:
            e = s.flexedge.reshape(-1, 2)[int(s.flexedgeadr[f]) : int(s.flexedgeadr[f] + s.flexedgenum[f])]
            p, q = xpos[e[:, 0]], xpos[e[:, 1]]
            rot = z_to(q - p)
            half = np.stack([np.full(len(e), radius), 0.5 * np.linalg.norm(q - p, axis=1), np.zeros(len(e))], 1)
            dist = ray_capsule(np.einsum("nji,nj->ni", rot, pos - 0.5 * (p + q)), np.einsum("nji,j->ni", rot, vec), half)
            i = int(np.argmin(dist)) if len(dist) else -1
            if i >= 0 and dist[i] < best:
                hit = pos + vec * dist[i]
                best, vertex = float(dist[i]), int(e[i, nearest_corner(np.stack([p[i], q[i]]), hit)])
    return best, vertex


def ray_skin(m: MjModel, scn: MjvScene, i: int, pos: np.ndarray, vec: np.ndarray) -> tuple[float, int]:
    """Return (distance, vertex) of the nearest hit on skin i."""
    s = scn.surface
    a, n, f = int(s.skinvertadr[i]), int(s.skinvertnum[i]), int(m.skin_faceadr[i])
    vert = s.skinvert[3 * a : 3 * (a + n)].reshape(-1, 3).astype(float)
    face = np.asarray(m.skin_face).reshape(-1, 3)[f : f + int(m.skin_facenum[i])]
    dist = ray_triangles(pos, vec, vert[face])
    k = int(np.argmin(dist)) if len(dist) else -1
    if k < 0 or not np.isfinite(dist[k]):
        return np.inf, -1
    return float(dist[k]), int(face[k, nearest_corner(vert[face[k]], pos + vec * dist[k])])


def skin_body(m: MjModel, i: int, vertex: int) -> int:
    """Return the body (bone) that has the largest weight for a skin vertex, or -1."""
    bones = np.arange(int(m.skin_boneadr[i]), int(m.skin_boneadr[i] + m.skin_bonenum[i]))
    num, adr = np.asarray(m.skin_bonevertnum)[bones], np.asarray(m.skin_bonevertadr)[bones]
    if not num.sum():
        return -1
    at = slice(int(adr[0]), int(adr[0] + num.sum()))
    weight = np.where(np.asarray(m.skin_bonevertid)[at] == vertex, np.asarray(m.skin_bonevertweight)[at], -1)
    k = int(np.argmax(weight))
    return int(m.skin_bonebodyid[int(np.repeat(bones, num)[k])]) if weight[k] >= 0 else -1


def cursor_ray(scn: MjvScene, aspect: float, relx: float, rely: float) -> tuple[np.ndarray, np.ndarray]:
    """Return origin and unit direction, in model space, of the ray through a point of the viewport (0..1, origin bottom
    left)."""
    cam = mjv_averageCamera(*scn.camera)
    pos, forward, up = head_in_model(scn)
    left, _ = normalize(cross(up, forward))
    half = 0.5 * aspect * (cam.frustum_top - cam.frustum_bottom)
    rise = cam.frustum_bottom + rely * (cam.frustum_top - cam.frustum_bottom)
    side = -(cam.frustum_center + (2 * relx - 1) * half)
    if cam.orthographic:
        return pos + up * rise + left * side, forward
    return pos, normalize(forward * cam.frustum_near + up * rise + left * side)[0]


def mjv_select(
    m: MjModel,
    d: MjData,
    vopt: MjvOption,
    aspectratio: SupportsFloat,
    relx: SupportsFloat,
    rely: SupportsFloat,
    scn: MjvScene,
    selpnt: npt.NDArray[np.float64],
    geomid: npt.NDArray[np.int32],
    flexid: npt.NDArray[np.int32],
    skinid: npt.NDArray[np.int32],
) -> int:
    """Return the id of the body under the cursor, or -1. Ids of types that were not hit become -1.

    aspectratio: the viewport's width / height
    relx, rely: cursor position, in fractions of the viewport's width and height from the bottom left
    selpnt: float64 (3), written: the point in the world, in meters
    geomid, flexid, skinid: int32 (1), written: id of the geom, flex or skin
    """
    pos, vec = cursor_ray(scn, float(aspectratio), float(relx), float(rely))
    geomid[:], flexid[:], skinid[:] = -1, -1, -1

    # Find the nearest geom, then any flex that is nearer, then any skin that is nearer.
    geom, best = ray_geoms(m, d, pos, vec, vopt.geomgroup, bool(vopt.flags[V_STATIC]))
    body, point = (int(m.geom_bodyid[geom]), pos + vec * best) if geom >= 0 else (-1, None)
    geomid[:] = geom

    if scn.flexvertopt or scn.flexedgeopt or scn.flexfaceopt or scn.flexskinopt:
        for f in range(scn.nflex):
            dist, vertex = ray_flex(m, d, scn, f, pos, vec)
            if dist < best:
                best, (body, point) = dist, flex_body(m, d, f, vertex)
                geomid[:], flexid[:] = -1, f

    if vopt.flags[V_SKIN]:
        for i in range(scn.nskin):
            dist, vertex = ray_skin(m, scn, i, pos, vec)
            if dist < best:
                a = 3 * (int(scn.surface.skinvertadr[i]) + vertex)
                best, body, point = dist, skin_body(m, i, vertex), scn.surface.skinvert[a : a + 3].astype(float)
                geomid[:], flexid[:], skinid[:] = -1, -1, i

    if point is not None:
        np.asarray(selpnt).reshape(-1)[:] = point
    return body
