"""Parts of a mesh file: triangles with one color or texture each, and repairs that make every mesh usable."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ...geom.hull import convex_hull
from ...geom.mesh_kernels import LEGACY, mesh_measure
from ...geom.mesh_read import MeshError, weld
from ...geom.mesh_text import triangles_of
from .winding import wrong_way

# Reads a file next to a mesh file, by name; returns None if there is none.
Beside = Callable[[str], bytes | None]

# Smallest area (m^2) and volume (m^3) that the mesh compiler accepts, plus a margin.
LEAST_AREA, LEAST_VOLUME = 1e-14, 1e-14
# Thickness divided by length: a mesh below FLAT is flat, and one below THIN is checked for a hull.
FLAT, THIN = 1e-6, 1e-2
# limit of coordinates; vertices beyond it count as invalid
BOUND = 2.0**30
# Limits for a mesh file, with copies counted: its nodes, and the vertices (or triangles) beyond one for each byte of the file.
MOST_NODES, MOST_ROWS = 1 << 16, 1 << 22


def nothing(name: str) -> bytes | None:
    """Return None: there are no other files."""
    return None


@dataclass
class Part:
    """Vertices (n, 3), triangles (m, 3), texture coordinates (k, 2) with their indices for each triangle, color, image."""

    vert: np.ndarray
    face: np.ndarray
    texcoord: np.ndarray | None = None
    facetexcoord: np.ndarray | None = None
    rgba: tuple[float, ...] | None = None
    # contents of an image, or the name of its file
    image: bytes | str = b""
    name: str = ""
    material: str = ""
    # surface area and volume (see `area_and_volume`), set by `tidy`
    area: float = 0.0
    volume: float = 0.0

    def moved(self, matrix: np.ndarray) -> "Part":
        """Return the part transformed by an affine map (4, 4); if the map mirrors, triangles are reversed."""
        if np.array_equal(matrix, np.eye(4)):
            return self
        new = replace(self, vert=self.vert @ matrix[:3, :3].T + matrix[:3, 3])
        return new.turned() if np.linalg.det(matrix[:3, :3]) < 0 else new

    def turned(self) -> "Part":
        """Return the part with its triangles reversed."""
        facetexcoord = None if self.facetexcoord is None else np.ascontiguousarray(self.facetexcoord[:, [0, 2, 1]])
        return replace(self, face=np.ascontiguousarray(self.face[:, [0, 2, 1]]), facetexcoord=facetexcoord)


class Room:
    """Limits the nodes and parts in the scene of a file of `size` bytes. Several nodes can refer to the same one, so a small
    file can describe any number of copies.
    """

    def __init__(self, size: int) -> None:
        self.nodes, self.most = MOST_NODES, MOST_ROWS + size
        self.rows = self.most

    def enter(self) -> None:
        """Count a node; MeshError if there are too many."""
        self.nodes -= 1
        if self.nodes < 0:
            raise MeshError(f"the scene has more than {MOST_NODES} nodes, copies included")

    def placed(self, part: Part, matrix: np.ndarray) -> Part:
        """Return a part transformed by an affine map, and count its rows; MeshError if there are too many."""
        self.rows -= max(len(part.vert), len(part.face))
        if self.rows < 0:
            raise MeshError(f"the scene has more than {self.most} vertices or triangles, copies included")
        return part.moved(matrix)


def scaled(parts: list[Part], scale: tuple[float, ...]) -> list[Part]:
    """Return parts with their coordinate axes scaled. Parts that shared vertices still share them."""
    if tuple(scale) == (1.0, 1.0, 1.0):
        return parts
    factors, verts = np.array(scale, np.float64), {id(part.vert): part.vert for part in parts}
    verts = {key: vert * factors for key, vert in verts.items()}
    found = [replace(part, vert=verts[id(part.vert)]) for part in parts]
    return [part.turned() for part in found] if factors.prod() < 0 else found


def cut(vert: np.ndarray, counts: np.ndarray, corners: np.ndarray, column: int = 0) -> np.ndarray:
    """Cut polygons into triangles. `corners` has a row for each corner of each polygon, with the vertex in one column; `counts`
    are the corners per polygon. Convex polygons are cut into fans, others by ear clipping. MeshError if corners are missing."""
    # The compiled loop trusts the counts.
    if len(counts) and (counts.min() < 0 or counts.sum(dtype=np.float64) > len(corners)):
        raise MeshError(f"polygons need other numbers of corners than the {len(corners)} in the file")
    if len(counts) and (counts == 3).all():
        return corners.reshape(-1, 3, *corners.shape[1:])
    return corners[triangles_of(vert, counts, corners if corners.ndim == 1 else corners[:, column])]


def area_and_volume(vert: np.ndarray, face: np.ndarray) -> tuple[float, float]:
    """Return the surface area, and the volume as the sum of the absolute volumes of tetrahedra to the centroid."""
    # Columns one by one, because reductions of rows of three are ten times slower.
    center = np.array([vert[:, k].mean() for k in range(3)])
    vert, face, out = np.ascontiguousarray(vert - center), np.ascontiguousarray(face, np.int32), np.zeros(12)
    at, faces = (vert.ctypes.data, len(vert)), (face.ctypes.data, len(face))
    mesh_measure(*at, *faces, *faces, LEGACY, out.ctypes.data)
    return float(out[0]), float(out[1])


def enclosed(vert: np.ndarray, face: np.ndarray) -> float:
    """Return the volume that triangles enclose, negative if they face inward."""
    corner = vert[face] - vert.mean(0)
    return float((corner[:, 0] * np.cross(corner[:, 1], corner[:, 2])).sum()) / 6


def sound_triangles(part: Part) -> np.ndarray | None:
    """Return which triangles have only valid vertices, as files may name missing ones; None if all do."""
    vert, face = np.asarray(part.vert, np.float64).reshape(-1, 3), np.asarray(part.face).reshape(-1, 3)
    if len(face) and len(vert) and face.min() >= 0 and face.max() < len(vert) and -BOUND < vert.min() <= vert.max() < BOUND:
        return None
    good = np.asarray((face >= 0).all(1) & (face < len(vert)).all(1))
    finite = np.asarray((np.abs(vert) < BOUND).all(1))
    good[good] = finite[face[good]].all(1)
    return good


def corners_of(part: Part) -> np.ndarray:
    """Return the corners (n, 3, 3) of all triangles with valid vertices."""
    good, face = sound_triangles(part), np.asarray(part.face).reshape(-1, 3)
    return np.asarray(part.vert, np.float64)[face if good is None else face[good]]


def tidy(part: Part) -> tuple[Part | None, list[str]]:
    """Return a part that the compiler accepts, and a list of repairs; None if it has no surface."""
    notes = []
    vert = np.ascontiguousarray(part.vert, np.float64).reshape(-1, 3)
    face = np.asarray(part.face).reshape(-1, 3)
    uv = part.facetexcoord
    good = sound_triangles(part)
    if good is not None:
        if not good.all():
            notes.append(f"{int((~good).sum())} triangles with invalid vertices are left out")
        face, uv = face[good], uv[good] if uv is not None else None
    if not len(face):
        return None, [*notes, "it has no triangles"]
    # Order vertices by triangles, as in STL files, and drop unused ones, which would affect the hull and the bounds.
    with np.errstate(all="ignore"):
        # Unused vertices may be too large for single precision.
        distinct, index = weld(vert.astype(np.float32)[face.ravel()])
    face = np.array(index.reshape(-1, 3))
    wrong = wrong_way(np.asarray(distinct, np.float64), face)
    if wrong.any():
        notes.append(f"triangles that face the wrong way are turned: {int(wrong.sum())}")
        face[wrong] = face[wrong][:, [0, 2, 1]]
        if uv is not None:
            uv = np.array(uv)
            uv[wrong] = uv[wrong][:, [0, 2, 1]]
    uv, texcoord = used_coordinates(uv, part.texcoord)
    new = replace(
        part, vert=np.array(distinct, np.float64), face=np.ascontiguousarray(face, np.int32), texcoord=texcoord, facetexcoord=uv
    )
    new.area, new.volume = area_and_volume(new.vert, new.face)
    if new.area < LEAST_AREA:
        return None, [*notes, "it has no area"]
    if len(new.vert) < 4:
        # A single triangle gets its center as an additional vertex.
        new.vert = np.vstack((new.vert, new.vert[new.face].mean((0, 1))))
        new.face = np.array([[a, b, 3] for x, y, z in new.face.tolist() for a, b in ((x, y), (y, z), (z, x))], np.int32)
        if new.facetexcoord is not None:
            new.texcoord = new.facetexcoord = None
    return new, notes


def used_coordinates(index: np.ndarray | None, texcoord: np.ndarray | None) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Return (indices, texture coordinates) without unused coordinates, because all parts of a file share its list."""
    if index is None or texcoord is None or not len(texcoord):
        return None, None
    index = np.where((index < 0) | (index >= len(texcoord)), 0, index)
    used = np.zeros(len(texcoord), bool)
    used[index] = True
    return (np.cumsum(used) - 1)[index], np.nan_to_num(texcoord[used])


def thickened(part: Part, least: float = 1e-4) -> Part | None:
    """Return a flat part with a little thickness added, so that it has a convex hull; None if it already has one."""
    center = part.vert.mean(0)
    points = part.vert - center
    axes = np.linalg.eigh(points.T @ points)[1].T[::-1]
    span = np.ptp(points @ axes.T, axis=0)
    if span[2] > THIN * span[0] or span[2] > FLAT * span[0] and has_hull(part.vert):
        return None
    half = 0.5 * max(least * float(span[0]), 1e-6) * axes[2]
    count = len(part.vert)
    face = np.vstack((part.face, part.face[:, [0, 2, 1]] + count)).astype(np.int32)
    return tidy(Part(np.vstack((part.vert + half, part.vert - half)), face, name=part.name))[0]


def has_hull(vert: np.ndarray) -> bool:
    """Return whether points have a convex hull with a volume."""
    try:
        convex_hull(vert)
    except MeshError:
        return False
    return True
