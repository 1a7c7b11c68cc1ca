"""Rays and distances: mj_ray and related functions, mj_geomDistance."""

from typing import Any

import numpy as np

from ..core import stages
from ..core.data import MjData
from ..core.model import MjModel
from ..core.report import FatalError
from ..geom.ray_shape import ray_shape
from ..machine.interpret import plain
from ..tables.enums import mjtGeom
from ..tables.geom_rows import BY_NUMBER
from .ray_normals import shape_normal, write_normal
from .signature import public, require
from .support import address, check_index

_shape = plain(ray_shape)


@public("m d pnt:3 vec:3 geomgroup:6b? flg_static:i bodyexclude:i geomid:1i!? normal:3!?", "float")
def _ray_normal(m, d, pnt, vec, geomgroup, flg_static, bodyexclude, geomid, normal):
    """Like mj_ray, with the argument for the normal, which exists since 3.5."""
    hit = np.zeros(1, np.int32) if geomid is None else geomid
    x = mj_ray(m, d, pnt, vec, geomgroup, flg_static, bodyexclude, hit)
    write_normal(normal, m, d, hit[0], pnt, vec, x)
    return x


@public(
    "m d pnt:3 vec:3 geomgroup:6b? flg_static:i bodyexclude:i geomid:1i!",
    "float",
    code="collide.ray:ray(m, d, pnt, vec, geomgroup, flg_static, bodyexclude, geomid)",
    later=_ray_normal,
)
def mj_ray(m, d, pnt, vec, geomgroup, flg_static, bodyexclude, geomid):
    """Return the distance from pnt along vec to the nearest visible geom, in lengths of vec; -1 for a miss.

    A further argument `normal`, float64 (3), receives the outward normal of the surface, zeros for a miss (since 3.5).

    pnt: start of the ray in the world, in meters
    vec: direction of the ray
    geomgroup: flags of the groups to include; None includes all
    flg_static: whether to include static geoms
    bodyexclude: id of a body to ignore, or -1
    geomid: receives the geom's id, -1 for a miss
    """
    return stages.call("ray", m, d, address(pnt), address(vec), address(geomgroup), flg_static, bodyexclude, address(geomid))


_RAYS = "m d pnt:3 vec:V(3nray) geomgroup:6b? flg_static:i bodyexclude:i geomid:Vi(nray)! dist:V(nray)! "


@public(_RAYS + "normal:V(3nray)!? nray:i cutoff:f")
def _rays_normals(m, d, pnt, vec, geomgroup, flg_static, bodyexclude, geomid, dist, normal, nray, cutoff):
    """Like mj_multiRay, with the argument for normals, which exists since 3.5."""
    mj_multiRay(m, d, pnt, vec, geomgroup, flg_static, bodyexclude, geomid, dist, nray, cutoff)
    if normal is not None:
        require(normal.size == 3 * nray, "normal should be of size 3*nray")
        for g, x, along, out in zip(geomid, dist, vec.reshape(-1, 3), normal.reshape(-1, 3), strict=True):
            write_normal(out, m, d, g, pnt, along, x)


@public(_RAYS + "nray:i cutoff:f", later=_rays_normals)
def mj_multiRay(m, d, pnt, vec, geomgroup, flg_static, bodyexclude, geomid, dist, nray, cutoff):
    """Cast nray rays from one point; see mj_ray.

    Since 3.5, an argument `normal` may stand before nray: float64 (3 nray), written, or None.

    pnt: start of the rays in the world, in meters
    vec: directions, one after the other
    geomgroup, flg_static, bodyexclude: as for mj_ray
    geomid: receives the ids of geoms, -1 for a miss
    dist: receives the distances, in lengths of a ray's vec, -1 for a miss
    cutoff: distance in meters beyond which geoms are not searched
    """
    require(dist.size == nray and geomid.size == nray, "dist and geomid should be of size nray")
    require(vec.size == 3 * nray, "vec should be of size 3*nray")
    scratch = np.empty((max(1, m.ngeom), 5))
    stages.call(
        "multi_ray",
        m,
        d,
        address(pnt),
        address(vec),
        address(geomgroup),
        flg_static,
        bodyexclude,
        address(geomid),
        address(dist),
        nray,
        address(scratch),
        cutoff,
    )


def _one_geom(function: str, m: MjModel, d: MjData, geomid: int, kind: Any, pnt: np.ndarray, vec: np.ndarray) -> float:
    """Return the distance at which a ray hits one geom of a given type; FatalError if the geom has another type."""
    check_index(function, "geom", geomid, m.ngeom)
    if m.geom_type[geomid] != kind:
        raise FatalError(f"{function}: geom with {kind.name[7:].lower()} type expected")
    return stages.call("ray_one", m, d, geomid, address(pnt), address(vec))


@public("m d geomid:i pnt:3 vec:3 normal:3!?=None", "float")
def mj_rayHfield(m, d, geomid, pnt, vec, normal):
    """Return the distance at which a ray hits one height field, in lengths of vec; -1 for a miss. FatalError for other geoms.

    normal: receives the outward normal, zeros for a miss (since 3.5)
    pnt: start of the ray in the world, in meters
    vec: direction of the ray
    """
    x = _one_geom("mj_rayHfield", m, d, geomid, mjtGeom.mjGEOM_HFIELD, pnt, vec)
    write_normal(normal, m, d, geomid, pnt, vec, x)
    return x


@public("m d geomid:i pnt:3 vec:3 normal:3!?=None", "float")
def mj_rayMesh(m, d, geomid, pnt, vec, normal):
    """Return the distance at which a ray hits one mesh, in lengths of vec; -1 for a miss. FatalError for other geoms.

    normal: receives the outward normal, zeros for a miss (since 3.5)
    pnt: start of the ray in the world, in meters
    vec: direction of the ray
    """
    x = _one_geom("mj_rayMesh", m, d, geomid, mjtGeom.mjGEOM_MESH, pnt, vec)
    write_normal(normal, m, d, geomid, pnt, vec, x)
    return x


@public(
    "m d geom1:i(ngeom) geom2:i(ngeom) distmax:f fromto:M(6)!?",
    "float",
    code="collide.distance:geom_distance(m, d, geom1, geom2, distmax, fromto)",
)
def mj_geomDistance(m, d, geom1, geom2, distmax, fromto):
    """Return the signed distance between two geoms in meters, at most distmax. FatalError if a geom does not exist.

    distmax: maximum distance in meters
    fromto: receives the nearest points of geom1 and geom2; None if you do not need them
    """
    require(fromto is None or fromto.size == 6, "fromto should be of size 6")
    check_index("mj_geomDistance", "geom", geom1, m.ngeom)
    check_index("mj_geomDistance", "geom", geom2, m.ngeom)
    return stages.call("geom_distance", m, d, geom1, geom2, distmax, address(fromto))


@public("pos:T3 mat:T9 size:T3 pnt:T3 vec:T3 geomtype:i normal:3!?=None", "float")
def mju_rayGeom(pos, mat, size, pnt, vec, geomtype, normal):
    """Return the distance at which a ray hits a shape, in lengths of vec; -1 for a miss. FatalError for an unknown type.

    pos, mat, size: pose and size of the shape, in meters
    geomtype: type of the shape (mjtGeom)
    normal: receives the outward normal, zeros for a miss (since 3.5)
    pnt: start of the ray, in meters
    vec: direction of the ray
    """
    if geomtype not in BY_NUMBER:
        raise FatalError(f"mju_rayGeom: unexpected geom type {geomtype}")
    x = float(_shape(geomtype, pos, mat, size, pnt, vec))
    if normal is not None:
        axes = np.reshape(mat, (3, 3))
        normal[:] = axes @ shape_normal(geomtype, size, axes.T @ (np.array(pnt) + x * np.array(vec) - pos)) if x >= 0 else 0
    return x


__all__ = ["mj_geomDistance", "mju_rayGeom", "mj_multiRay", "mj_ray", "mj_rayHfield", "mj_rayMesh"]
