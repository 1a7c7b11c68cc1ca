"""Collision shapes that replace meshes: the box, cylinder or capsule with the least volume around a mesh, or convex pieces.

A mesh collides as its convex hull. A fitted shape encloses the hull and is cheaper to collide with; convex pieces (package
`coacd`) follow a hollow mesh.
"""

import math
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ...geom.hull import convex_hull
from ...geom.mesh_read import MeshError
from ..files.cache import Cache
from ..language import orient
from .decomposing import convex_parts
from .deviation import told_excess
from .parts import Part, area_and_volume, has_hull
from .pieces import Quat

# Number of hull facets whose normals are tried as axes, and number of box rotations tried about each of them.
MOST_AXES, TURNS = 24, 18
# Iterations towards the center of a circle, and the smallest angle (rad) when searching for the tightest orientation.
CIRCLE_STEPS, LEAST_ANGLE = 100, 1e-3
# Convex pieces of meshes, by the contents of the meshes.
DECOMPOSED = Cache(64 << 20)
# Fitted shapes, by the points that they enclose.
FITTED = Cache(4 << 20)


@dataclass(frozen=True)
class Fit:
    """A shape around points: kind, size as in MJCF, pose and volume."""

    kind: str
    size: tuple[float, ...]
    pos: tuple[float, ...]
    quat: Quat
    volume: float


def hull_of(vert: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (corners, triangles) of the convex hull of points; MeshError for flat ones."""
    face, _ = convex_hull(np.ascontiguousarray(vert, np.float64))
    used, index = np.unique(face, return_inverse=True)
    return np.asarray(vert, np.float64)[used], index.reshape(-1, 3).astype(np.int32)


def frames(points: np.ndarray, face: np.ndarray) -> list[np.ndarray]:
    """Return rotations to try, as matrices with axes in rows: the file's axes, the principal axes, and those of the largest
    facets."""
    center = points - points.mean(0)
    found = [np.eye(3), np.linalg.eigh(center.T @ center)[1].T]
    corners = points[face]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    area = np.linalg.norm(normal, axis=1)
    axes: list[np.ndarray] = []
    for k in np.argsort(-area):
        if len(axes) >= MOST_AXES or area[k] <= 0:
            break
        axis = normal[k] / area[k]
        if all(abs(axis @ a) < 0.999 for a in axes):
            axes.append(axis)
    for axis in axes:
        side = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
        side /= np.linalg.norm(side)
        found.append(np.stack((side, np.cross(axis, side), axis)))
    return found


def _fit(kind: str, size: tuple[float, ...], frame: np.ndarray, center: np.ndarray, volume: float) -> Fit:
    """Return a shape whose axes are the rows of `frame`; `center` is given in these axes."""
    x, y, _ = frame.tolist()
    # The sign of the third axis does not matter, because the shapes are symmetric.
    return Fit(kind, size, tuple((frame.T @ center).tolist()), orient.from_axes(x, y, orient.cross(x, y)), volume)


def box_in(points: np.ndarray, frame: np.ndarray) -> Fit:
    """Return the box around points with given axes."""
    at = points @ frame.T
    low, high = at.min(0), at.max(0)
    return _fit("box", tuple(((high - low) / 2).tolist()), frame, (low + high) / 2, float(np.prod(high - low)))


def circle(points: np.ndarray) -> tuple[np.ndarray, float]:
    """Return (center, radius) of the smallest circle around points of a plane, slightly enlarged."""
    first = center = (points.min(0) + points.max(0)) / 2
    # Move towards the farthest point in ever smaller steps (Badoiu and Clarkson).
    for k in range(1, CIRCLE_STEPS):
        center = center + (points[np.argmax(((points - center) ** 2).sum(1))] - center) / (k + 1)
    radii = [float(np.sqrt(((points - c) ** 2).sum(1).max())) for c in (first, center)]
    return (first, radii[0]) if radii[0] <= radii[1] else (center, radii[1])


def cylinder_in(points: np.ndarray, frame: np.ndarray) -> Fit:
    """Return the cylinder around points along the third axis of a frame."""
    at = points @ frame.T
    middle, radius = circle(at[:, :2])
    low, high = float(at[:, 2].min()), float(at[:, 2].max())
    center = np.array([*middle, (low + high) / 2])
    return _fit("cylinder", (radius, (high - low) / 2), frame, center, math.pi * radius**2 * (high - low))


def capsule_in(points: np.ndarray, frame: np.ndarray) -> Fit:
    """Return the capsule around points along the third axis of a frame. Its radius is that of the cylinder around the
    points."""
    at = points @ frame.T
    middle, radius = circle(at[:, :2])
    # Make the straight part as short as possible while all points are inside the caps.
    cap = np.sqrt(np.maximum(radius**2 - ((at[:, :2] - middle) ** 2).sum(1), 0))
    low, high = float((at[:, 2] + cap).min()), float((at[:, 2] - cap).max())
    half = max((high - low) / 2, 0.0)
    volume = math.pi * radius**2 * (2 * half + 4 / 3 * radius)
    return _fit("capsule", (radius, half), frame, np.array([*middle, (low + high) / 2]), volume)


FITS: dict[str, Callable[[np.ndarray, np.ndarray], Fit]] = {"box": box_in, "cylinder": cylinder_in, "capsule": capsule_in}
KINDS = (*FITS, "auto")
# Collision shapes that can be chosen for one mesh: a fitted shape, convex pieces, or the convex hull.
DECOMPOSE, HULL = "decompose", "hull"
WAYS = (*KINDS, DECOMPOSE, HULL)
# Key for all other meshes, in a table of such choices.
EVERY = "*"


def _turn(axis: int, angle: float) -> np.ndarray:
    """Return a rotation about one of the axes."""
    turn, (i, j) = np.eye(3), ((1, 2), (2, 0), (0, 1))[axis]
    turn[i, i] = turn[j, j] = math.cos(angle)
    turn[i, j], turn[j, i] = math.sin(angle), -math.sin(angle)
    return turn


def tightest(points: np.ndarray, tried: Sequence[np.ndarray], make: Callable[[np.ndarray, np.ndarray], Fit]) -> Fit:
    """Return the shape with the least volume: the best of the tried frames, improved by rotations with ever smaller angles."""
    if make is box_in:
        candidates = [_turn(2, k * math.pi / 2 / TURNS) @ f for f in tried for k in range(TURNS)]
    else:
        candidates = [f[[(k + 1) % 3, (k + 2) % 3, k]] for f in tried for k in range(3)]
    best, frame = min(((make(points, f), f) for f in candidates), key=lambda row: row[0].volume)
    angle = math.pi / 2 / TURNS
    while angle > LEAST_ANGLE:
        near = [_turn(axis, way * angle) @ frame for axis in range(3) for way in (1, -1)]
        found, turned = min(((make(points, f), f) for f in near), key=lambda row: row[0].volume)
        if found.volume < best.volume:
            best, frame = found, turned
        else:
            angle /= 2
    return best


def fitted(vert: np.ndarray, kind: str) -> tuple[Fit, float]:
    """Return (shape of the given kind around points, its volume relative to their hull's). The kind `auto` takes the shape with
    the least volume."""
    key = kind.encode() + np.ascontiguousarray(vert, np.float64).tobytes()
    if (known := FITTED.get(key)) is not None:
        return known
    points, face = hull_of(vert)
    tried = frames(points, face)
    best = min((tightest(points, tried, make) for name, make in FITS.items() if kind in (name, "auto")), key=lambda f: f.volume)
    found = best, best.volume / max(area_and_volume(points, face)[1], 1e-300)
    FITTED.put(key, found, len(key))
    return found


@dataclass(frozen=True)
class Decomposition:
    """Convex pieces of a mesh, and a sentence about how well they fit."""

    pieces: list[Part]
    told: str


def decompose(part: Part, stop: threading.Event | None = None) -> Decomposition:
    """Return convex pieces of a mesh, made in another process that `stop` ends; MeshError if there are none."""
    key = repr((part.vert.shape, part.face.shape)).encode() + part.vert.tobytes() + part.face.tobytes()
    if (known := DECOMPOSED.get(key)) is not None:
        return known
    made, coarse = convex_parts(part.vert, part.face, stop)
    # Flat pieces have no hull and carry no volume.
    pieces = [Part(*hull_of(vert), name=part.name) for vert, _ in made if has_hull(vert)]
    if not pieces:
        raise MeshError("all pieces of the decomposition are flat")
    shown = "piece" if len(pieces) == 1 else "pieces"
    told = f"{len(pieces)} {'coarse ' if coarse else ''}convex {shown}, {told_excess(pieces, part)}"
    found = Decomposition(pieces, told)
    DECOMPOSED.put(key, found, len(key) + sum(p.vert.nbytes + p.face.nbytes for p in pieces))
    return found
