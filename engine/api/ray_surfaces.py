"""Intersections of rays with triangles, edges and vertices of skins and deformables."""

from typing import Any

import numpy as np

from ..core.data import MjData
from ..core.model import MjModel
from ..core.report import FatalError
from ..geom.ray_shape import ray_shape
from ..machine.interpret import plain
from ..math.quat import quat_from_z, quat_mat
from ..tables.enums import mjtGeom
from .ray_normals import shape_normal, triangle_normal
from .signature import public, require
from .support import check_index

_shape, _turn, _mat = plain(ray_shape), plain(quat_from_z), plain(quat_mat)
MISS = -1.0
# corners of the triangles of a tetrahedron
FACES = ((0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3))
PARALLEL = 1e-15


def hit_triangles(corners: np.ndarray, start: np.ndarray, along: np.ndarray) -> np.ndarray:
    """Return the distances at which a ray hits triangles (n, 3, 3) from either side; -1 for a miss.

    Source: T. Moeller, B. Trumbore, Fast, minimum storage ray/triangle intersection (1997).
    """
    a, edge1, edge2 = corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    p = np.cross(along, edge2)
    det = np.einsum("ij,ij->i", edge1, p)
    with np.errstate(all="ignore"):
        offset = start - a
        u = np.einsum("ij,ij->i", offset, p) / det
        q = np.cross(offset, edge1)
        v = q @ along / det
        x = np.einsum("ij,ij->i", edge2, q) / det
    inside = (np.abs(det) > PARALLEL) & (u >= 0) & (v >= 0) & (u + v <= 1) & (x >= 0)
    return np.where(inside, x, MISS)


def nearest(distances: np.ndarray) -> tuple[float, int]:
    """Return (distance, row) of the nearest hit; (-1, -1) if there is none."""
    hits = np.flatnonzero(distances >= 0)
    if not hits.size:
        return MISS, -1
    k = hits[np.argmin(distances[hits])]
    return float(distances[k]), int(k)


def nearest_corner(corners: np.ndarray, ids: Any, x: float, start: np.ndarray, along: np.ndarray) -> int:
    """Return the index of the vertex nearest to a hit."""
    return int(ids[np.argmin(np.linalg.norm(corners - (start + x * along), axis=1))])


@public("nface:i nvert:i face:o vert:o pnt:3 vec:3 vertid:1i!?", "float")
def mju_raySkin(nface, nvert, face, vert, pnt, vec, vertid):
    """Return the distance at which a ray hits a skin, in lengths of vec; -1 for a miss.

    nface, nvert: number of triangles and of vertices
    face: int32 (3 nface) or (nface, 3): indices of the vertices of each triangle
    vert: float64 (3 nvert) or (nvert, 3): positions of the vertices, in meters
    vertid: receives the index of the vertex nearest to the hit; None if you do not need it
    pnt: start of the ray in the world, in meters
    vec: direction of the ray
    """
    face, vert = np.asarray(face), np.asarray(vert, np.float64)
    require(face.dtype.kind in "iu" and face.size == 3 * nface, "face should hold 3*nface integers")
    require(vert.size == 3 * nvert, "vert should hold 3*nvert numbers")
    face, vert = face.reshape(-1, 3), vert.reshape(-1, 3)
    require(not face.size or 0 <= face.min() and face.max() < nvert, "face should hold numbers of vertices")
    x, k = nearest(hit_triangles(vert[face], pnt, vec))
    if k >= 0 and vertid is not None:
        vertid[0] = nearest_corner(vert[face[k]], face[k], x, pnt, vec)
    return x


def _edges(
    m: MjModel, flexid: int, vert: np.ndarray, radius: float, pnt: np.ndarray, vec: np.ndarray
) -> tuple[float, int, tuple[float, ...]]:
    """Return (distance, vertex, normal) of the nearest edge that a ray hits; edges are capsules."""
    start = m.flex_edgeadr[flexid]
    best = MISS, -1, (0.0,) * 3
    for a, b in m.flex_edge[start : start + m.flex_edgenum[flexid]].tolist():
        axis = vert[b] - vert[a]
        pose = _mat(_turn(tuple(axis.tolist())))
        size = (radius, 0.5 * float(np.linalg.norm(axis)), 0.0)
        x = _shape(
            int(mjtGeom.mjGEOM_CAPSULE),
            tuple((0.5 * (vert[a] + vert[b])).tolist()),
            pose,
            size,
            tuple(pnt.tolist()),
            tuple(vec.tolist()),
        )
        if x >= 0 and (x < best[0] or best[0] < 0):
            turn, hit = np.reshape(pose, (3, 3)), pnt + x * vec - 0.5 * (vert[a] + vert[b])
            normal = turn @ shape_normal(int(mjtGeom.mjGEOM_CAPSULE), size, turn.T @ hit)
            best = float(x), nearest_corner(vert[[a, b]], (a, b), x, pnt, vec), tuple(normal.tolist())
    return best


def _vertices(vert: np.ndarray, radius: float, pnt: np.ndarray, vec: np.ndarray) -> tuple[float, int, tuple[float, ...]]:
    """Return (distance, vertex, normal) of the nearest vertex that a ray hits; vertices are balls."""
    a, offset = float(vec @ vec), pnt - vert
    b, c = offset @ vec, np.einsum("ij,ij->i", offset, offset) - radius * radius
    with np.errstate(all="ignore"):
        root = np.sqrt(b * b - a * c)
        first, second = (-b - root) / a, (-b + root) / a
    x = np.where(first >= 0, first, second)
    best, k = nearest(np.where(x >= 0, x, MISS))
    return best, k, tuple(((pnt + best * vec - vert[k]) / radius).tolist()) if k >= 0 else (0.0,) * 3


def _elements(
    m: MjModel, flexid: int, vert: np.ndarray, layer: int, skin: bool, pnt: np.ndarray, vec: np.ndarray
) -> tuple[float, int, tuple[float, ...]]:
    """Return (distance, vertex, normal) of the nearest visible face that a ray hits."""
    dim, start = int(m.flex_dim[flexid]), int(m.flex_elemadr[flexid])
    count, data = int(m.flex_elemnum[flexid]), int(m.flex_elemdataadr[flexid])
    elements = m.flex_elem[data : data + count * (dim + 1)].reshape(count, dim + 1)
    if dim == 3:
        layers = m.flex_elemlayer[start : start + count]
        elements = elements[layers <= 0 if skin else layers == layer]
        elements = elements[:, FACES].reshape(-1, 3)
    x, k = nearest(hit_triangles(vert[elements], pnt, vec)) if len(elements) else (MISS, -1)
    if k < 0:
        return MISS, -1, (0.0,) * 3
    return x, nearest_corner(vert[elements[k]], elements[k], x, pnt, vec), tuple(triangle_normal(vert[elements[k]]).tolist())


@public("m d flex_layer:i flg_vert:b flg_edge:b flg_face:b flg_skin:b flexid:i pnt:3 vec:3 vertid:1i!", "float")
def mju_rayFlex(m, d, flex_layer, flg_vert, flg_edge, flg_face, flg_skin, flexid, pnt, vec, vertid):
    """Return the distance at which a ray hits the visible parts of a deformable, -1 for a miss; the nearest vertex is written
    to vertid.

    The flags say whether vertices, edges, faces (of one layer) and skin are visible.

    pnt: start of the ray in the world, in meters
    vec: direction; the distance is in lengths of vec
    """
    x, found, _ = _flex("mju_rayFlex", m, d, flex_layer, (flg_vert, flg_edge, flg_face, flg_skin), flexid, pnt, vec)
    if x >= 0:
        vertid[0] = found
    return x


@public(
    "m d flex_layer:i flg_vert:b flg_edge:b flg_face:b flg_skin:b flexid:i pnt:3 vec:3 vertid:1i!?=None normal:3!?=None",
    "float",
)
def mj_rayFlex(m, d, flex_layer, flg_vert, flg_edge, flg_face, flg_skin, flexid, pnt, vec, vertid, normal):
    """Like mju_rayFlex, but a miss writes -1 to vertid, and the normal, or zeros, is written to normal (since 3.5).

    pnt: start of the ray in the world, in meters
    vec: direction; the distance is in lengths of vec
    """
    x, found, across = _flex("mj_rayFlex", m, d, flex_layer, (flg_vert, flg_edge, flg_face, flg_skin), flexid, pnt, vec)
    if vertid is not None:
        vertid[0] = found
    if normal is not None:
        normal[:] = across
    return x


def _flex(
    function: str,
    m: MjModel,
    d: MjData,
    flex_layer: int,
    flags: tuple[bool, ...],
    flexid: int,
    pnt: np.ndarray,
    vec: np.ndarray,
) -> tuple[float, int, tuple[float, ...]]:
    """Return (distance, vertex, normal) of the nearest hit among the visible parts."""
    flg_vert, flg_edge, flg_face, flg_skin = flags
    check_index(function, "flex", flexid, m.nflex)
    if not vec.any():
        raise FatalError(f"{function}: the direction of a ray cannot be zero")
    start, dim = int(m.flex_vertadr[flexid]), int(m.flex_dim[flexid])
    vert, radius = d.flexvert_xpos[start : start + m.flex_vertnum[flexid]], float(m.flex_radius[flexid])
    skin = dim > 1 and flg_skin
    found = []
    if flg_edge or skin:
        found.append(_edges(m, flexid, vert, radius, pnt, vec))
    elif flg_vert:
        found.append(_vertices(vert, radius, pnt, vec))
    if dim > 1 and (flg_face or flg_skin):
        found.append(_elements(m, flexid, vert, flex_layer, flg_skin, pnt, vec))
    hits = [row for row in found if row[0] >= 0]
    return min(hits) if hits else (MISS, -1, (0.0,) * 3)


__all__ = ["mj_rayFlex", "mju_rayFlex", "mju_raySkin"]
