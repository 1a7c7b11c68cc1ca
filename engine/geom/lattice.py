"""Points and elements of regular deformable shapes: lines, circles, squares, disks, grids, boxes, cylinders, ellipsoids."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

EPS = 1e-14
GRID, BOX, CYLINDER, ELLIPSOID, SQUARE, DISC, CIRCLE = range(7)
CUBE = np.array([[0, 3, 1, 7], [0, 1, 4, 7], [1, 3, 2, 7], [1, 2, 6, 7], [1, 5, 4, 7], [1, 6, 5, 7]])


def grid(
    kind: int, dim: int, count: Sequence[int], spacing: Sequence[float], textured: bool
) -> tuple[np.ndarray, np.ndarray, None]:
    """Return (points, elements, texcoord or None) of a grid of lines, triangles or tetrahedra."""
    make = {1: _line, 2: _sheet, 3: _block}[dim]
    return make(kind, count, spacing, textured)


def _line(kind: Any, count: Sequence[int], spacing: Sequence[float], textured: bool) -> Any:
    n = count[0]
    if kind == CIRCLE:
        if n < 2:
            return np.zeros((0, 3)), np.zeros((0, 2), np.int64), None
        theta = 2 * math.pi / (n - 1)
        radius = spacing[0] / math.sin(theta / 2) / 2
        points = np.array([(radius * math.cos(theta * i), radius * math.sin(theta * i), 0.0) for i in range(n - 1)])
        return points, np.array([(i, 0 if i == n - 2 else i + 1) for i in range(n - 1)]), None
    points = np.zeros((n, 3))
    points[:, 0] = spacing[0] * (np.arange(n) - 0.5 * (n - 1))
    return points, np.stack((np.arange(n - 1), np.arange(1, n)), 1), None


def _shares(i: np.ndarray, n: int) -> np.ndarray:
    """Return positions along an axis from 0 to 1."""
    return i.astype(np.float32) / np.float32(max(n - 1, 1))


def _sheet(
    kind: int, count: Sequence[int], spacing: Sequence[float], textured: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    ix, iy = (a.ravel() for a in np.meshgrid(np.arange(count[0]), np.arange(count[1]), indexing="ij"))
    x, y = spacing[0] * (ix - 0.5 * (count[0] - 1)), spacing[1] * (iy - 0.5 * (count[1] - 1))
    points = np.stack((x, y, np.zeros(len(x))), 1)
    texcoord = np.stack((_shares(ix, count[0]), _shares(iy, count[1])), 1) if textured else None
    at = (ix < count[0] - 1) & (iy < count[1] - 1)
    ix, iy, x, y = ix[at], iy[at], x[at], y[at]
    row, step = count[2] * count[1], count[2]
    corner = np.stack(
        (row * ix + step * iy, row * (ix + 1) + step * iy, row * (ix + 1) + step * (iy + 1), row * ix + step * (iy + 1)), 1
    )
    tri = corner[:, [0, 1, 2, 0, 2, 3]]
    if kind == DISC:
        # In a disk, choose the squares' diagonals so that they point to the center.
        turned = ((x < -EPS) & (y > -EPS)) | ((x > -EPS) & (y < -EPS))
        tri[turned] = corner[turned][:, [0, 1, 3, 1, 2, 3]]
    return points, tri.reshape(-1, 3), texcoord


def _block(
    kind: int, count: Sequence[int], spacing: Sequence[float], textured: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    index = [a.ravel() for a in np.meshgrid(*(np.arange(n) for n in count), indexing="ij")]
    points = np.stack([spacing[k] * (index[k] - 0.5 * (count[k] - 1)) for k in range(3)], 1)
    texcoord = np.stack((_shares(index[0], count[0]), _shares(index[1], count[1])), 1) if textured else None
    at = np.logical_and.reduce([index[k] < count[k] - 1 for k in range(3)])
    x, y, z = (i[at] for i in index)
    corners = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
    vert = np.stack([count[2] * count[1] * (x + a) + count[2] * (y + b) + z + c for a, b, c in corners], 1)
    return points, vert[:, CUBE].reshape(-1, 4), texcoord


def square(
    kind: Any, count: Sequence[int], spacing: Sequence[float], textured: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """Return a square sheet, or a disk: a square whose points are moved onto circles."""
    points, tri, texcoord = _sheet(kind, count, spacing, textured)
    if kind == DISC:
        size = [0.5 * spacing[k] * (count[k] - 1) for k in range(2)]
        for p in points:
            level = max(abs(p[0]), abs(p[1]))
            x, y = unit(p[:2])
            p[0], p[1] = x * (size[0] * level), y * (size[1] * level)
    return points, tri, texcoord


def unit(v: Sequence[float]) -> Sequence[float]:
    """Normalize a vector, unless it is tiny or already has unit length."""
    n = 0.0
    for x in v:
        n += x * x
    if n < EPS:
        return v
    n = math.sqrt(n)
    return [x / n for x in v] if abs(n - 1) > EPS else v


def _project(kind: Any, count: Sequence[int], spacing: Sequence[float], index: np.ndarray) -> Any:
    """Map a grid point of the box onto the shape."""
    pos = [2.0 * index[k] / (count[k] - 1) - 1 for k in range(3)]
    size = [0.5 * spacing[k] * (count[k] - 1) for k in range(3)]
    if kind == CYLINDER:
        level = max(abs(pos[0]), abs(pos[1]))
        x, y = unit(pos[:2])
        return x * (size[0] * level), y * (size[1] * level), pos[2] * size[2]
    if kind == ELLIPSOID:
        pos = unit(pos)
    return [p * s for p, s in zip(pos, size)]


def _sides(count: Sequence[int], lid: Any) -> Iterator[Any]:
    """Yield the grid indices of all surface points of a box: bottom, top (if there is a lid), then the rest of the sides."""
    nx, ny, nz = count
    rest = range(1, nz - 1) if lid else range(1, nz)
    for z in (0, nz - 1) if lid else (0,):
        for x in range(nx):
            for y in range(ny):
                yield (x, y, z), (0, 1)
    for y in (0, ny - 1):
        for x in range(nx):
            for z in rest:
                yield (x, y, z), (0, 2)
    for x in (0, nx - 1):
        for y in range(1, ny - 1):
            for z in rest:
                yield (x, y, z), (1, 2)


def box(
    kind: Any, dim: int, count: Sequence[int], spacing: Sequence[float], textured: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """Return a box, cylinder or ellipsoid. In 3D, it consists of tetrahedra from the surface to the center; in 2D, it is the
    surface without a lid."""
    points: list[Sequence[float]] = [(0.0, 0.0, 0.0)] if dim == 3 else []
    texcoord: list[Sequence[float]] = [(0.0, 0.0)]
    ids = {}
    for index, (u, v) in _sides(count, dim == 3):
        ids[index] = len(points)
        points.append(_project(kind, count, spacing, index))
        texcoord.append([index[k] / max(count[k] - 1, 1) for k in (u, v)])

    # Add elements, one side of the box after another.
    elements = []
    faces = _solid_faces if dim == 3 else _shell_faces
    for axis in (2, 1, 0):
        u, v = [k for k in range(3) if k != axis]
        for side in (0, count[axis] - 1) if axis < 2 or dim == 3 else (0,):
            for i in range(count[u] - 1):
                for j in range(count[v] - 1):

                    def at(a: Any, b: Any) -> Any:
                        index = [0, 0, 0]
                        index[axis], index[u], index[v] = side, i + a, j + b
                        return ids[tuple(index)]

                    elements += faces(axis, side, at)
    return (
        np.array(points),
        np.array(elements, np.int64).reshape(-1, dim + 1),
        np.array(texcoord, np.float32) if textured else None,
    )


def _solid_faces(axis: int, side: int, at: Any) -> Any:
    a, d = at(0, 0), at(1, 1)
    # two tetrahedra: each connects point 0 (the center) with one half of a square of the surface
    return (0, a, at(1, 0), d), (0, a, at(0, 1), d)


def _shell_faces(axis: int, side: int, at: Any) -> Any:
    if axis == 2:
        one, two = (1, 0) if side == 0 else (0, 1)
        return (at(0, 0), at(1, one), at(1, two)), (at(0, 0), at(two, 1), at(one, 1))
    forward = side == 0 if axis == 1 else side != 0
    a, b = (0, 1) if forward else (1, 0)
    return (at(a, 0), at(b, 0), at(b, 1)), (at(a, 0), at(b, 1), at(a, 1))


def fan(points: np.ndarray, faces: np.ndarray, origin: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return tetrahedra between an origin and those faces that do not contain the origin."""
    points = np.concatenate((np.asarray(origin, np.float64)[None], points))
    faces = faces + 1
    a, b, c = (points[faces[:, k]] - points[0] for k in range(3))
    n = np.stack(
        (a[:, 1] * b[:, 2] - a[:, 2] * b[:, 1], a[:, 2] * b[:, 0] - a[:, 0] * b[:, 2], a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]), 1
    )
    volume = n[:, 0] * c[:, 0] + n[:, 1] * c[:, 1] + n[:, 2] * c[:, 2]
    faces = faces[~(volume < 1e-15)]
    return points, np.concatenate((np.zeros((len(faces), 1), faces.dtype), faces), 1)
