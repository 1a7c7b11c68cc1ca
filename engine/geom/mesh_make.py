"""Built-in meshes made from a few parameters: spheres, hemispheres, superspheres, supertori, wedges, plates, cones, and flex
shapes.
"""

from collections.abc import Sequence
from math import copysign, cos, pi, sin, sqrt
from typing import Any

import numpy as np

from . import lattice
from .lattice import unit

SPHERE, HEMISPHERE, CONE, SUPERSPHERE, SUPERTORUS, WEDGE, PLATE = range(1, 8)
# {mesh type of a flex shape: lattice shape}
LATTICES = {
    8 + k: kind
    for k, kind in enumerate((lattice.GRID, lattice.BOX, lattice.CYLINDER, lattice.ELLIPSOID, lattice.SQUARE, lattice.DISC))
}
LEGACY, SHELL = 2, 3
LARGEST = 2000
# finest resolution of round meshes, whose vertices all belong to their hull
FINEST = 500


def make_mesh(raw: Any, kind: Any, params: Sequence[float], strict: bool = False) -> str | None:
    """Make a built-in mesh: set the vertices (and faces, normals) in `raw`. Return an error message or None. `strict`: whether
    the compatibility change `stricter` applies.
    """
    if kind in LATTICES:
        return _lattice(raw, LATTICES[kind], params)
    count = {SPHERE: 1, HEMISPHERE: 1, CONE: 2, SUPERSPHERE: 3, SUPERTORUS: 4, WEDGE: 5, PLATE: 2}.get(kind)
    if count is None:
        return "this type of builtin mesh is not supported"
    if len(params) != count:
        return f"{count} parameters expected, found {len(params)}"
    if max(abs(p) for p in params) > LARGEST:
        return f"a parameter is larger than {LARGEST}"
    if strict and kind == CONE and (params[0] < 3 or not 0 <= params[1] <= 1):
        return "a cone needs 3 corners, and a radius between 0 and 1"

    try:
        made = MAKERS[kind](*params)
    except ValueError as error:
        return str(error)
    if kind == PLATE:
        raw["inertia"] = SHELL
    for name, dtype in (("vert", np.float32), ("face", np.int32), ("normal", np.float32)):
        if name in made:
            raw["user" + name] = np.asarray(made[name], np.float64).astype(dtype).ravel()
    return None


def _lattice(raw: Any, kind: Any, params: Sequence[float]) -> Any:
    """Set the vertices of a flex shape, and the triangles if it is a surface. A solid is represented by its hull."""
    flat = kind in (lattice.SQUARE, lattice.DISC)
    if len(params) != 6 and (flat or len(params) != 7):
        return f"6 parameters expected, found {len(params)}" if flat else f"6 or 7 parameters expected, found {len(params)}"
    count, spacing, dim = [int(p) for p in params[:3]], params[3:6], 2 if flat else int(params[6]) if len(params) == 7 else 3

    # Check the parameters.
    if not all(0 < n <= LARGEST for n in count) or count[0] * count[1] * count[2] > LARGEST**2:
        return "the counts must be positive and not too large"
    if dim not in (2, 3):
        return "dim must be 2 or 3"
    if (flat or kind == lattice.GRID and dim == 2) and count[2] != 1:
        return "the count along the third axis must be 1"
    if kind in (lattice.BOX, lattice.CYLINDER, lattice.ELLIPSOID) and min(count) < 2:
        return "the counts must be at least 2"

    # Make the points and elements.
    if flat:
        points, elements, _ = lattice.square(kind, count, spacing, False)
    elif kind == lattice.GRID:
        points, elements, _ = lattice.grid(kind, dim, count, spacing, False)
    else:
        points, elements, _ = lattice.box(kind, dim, count, spacing, False)
    raw["uservert"] = np.asarray(points, np.float32).ravel()
    if dim == 2:
        raw["userface"] = np.asarray(elements, np.int32).ravel()
        if raw["inertia"] == LEGACY:
            raw["inertia"] = SHELL
    return None


def _require(ok: Any, text: str) -> None:
    if not ok:
        raise ValueError(text)


def sphere(subdivisions: int) -> dict[str, Any]:
    """Return a sphere made by repeated subdivision of an icosahedron."""
    n = int(subdivisions)
    _require(0 <= n <= 4, "the subdivision of a sphere must be between 0 and 4")
    f4 = np.float32
    phi = float(f4((1.0 + sqrt(5.0)) / 2.0))
    base = [
        (-1, phi, 0),
        (1, phi, 0),
        (-1, -phi, 0),
        (1, -phi, 0),
        (0, -1, phi),
        (0, 1, phi),
        (0, -1, -phi),
        (0, 1, -phi),
        (phi, 0, -1),
        (phi, 0, 1),
        (-phi, 0, -1),
        (-phi, 0, 1),
    ]

    norm = sqrt(1.0 + float(f4(phi) * f4(phi)))
    vert = [np.array([f4(x / norm) for x in p], f4) for p in base]
    face = [
        (0, 11, 5),
        (0, 5, 1),
        (0, 1, 7),
        (0, 7, 10),
        (0, 10, 11),
        (1, 5, 9),
        (5, 11, 4),
        (11, 10, 2),
        (10, 7, 6),
        (7, 1, 8),
        (3, 9, 4),
        (3, 4, 2),
        (3, 2, 6),
        (3, 6, 8),
        (3, 8, 9),
        (4, 9, 5),
        (2, 4, 11),
        (6, 2, 10),
        (8, 6, 7),
        (9, 8, 1),
    ]

    # Split every triangle into four, n times.
    for _ in range(n):
        middles, finer = {}, []

        def middle(a: Any, b: Any) -> Any:
            key = (a, b) if a < b else (b, a)
            if key not in middles:
                m = (vert[a] + vert[b]) / f4(2)
                m = m / np.sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2])
                middles[key] = len(vert)
                vert.append(m)
            return middles[key]

        for a, b, c in face:
            p, q, r = middle(a, b), middle(b, c), middle(c, a)
            finer += [(a, p, r), (b, q, p), (c, r, q), (p, q, r)]
        face = finer
    return {"vert": vert, "face": face}


def hemisphere(resolution: int) -> dict[str, Any]:
    """Return a hemisphere: rows of points from the pole to the equator, and a flat bottom."""
    res = int(resolution)
    _require(0 <= res <= 10, "the resolution of a hemisphere must be between 0 and 10")
    corners = ((1, 0, 0), (0, 1, 0), (-1, 0, 0), (0, -1, 0))
    pole = (0, 0, 1)
    vert: list[tuple[float, ...]] = [(0.0, 0.0, 1.0)]

    # Make vertices row by row, from the pole to the equator.
    for row in range(res + 1):
        factor = (row + 1) / (res + 1)
        for side in range(4):
            start = [p + factor * (c - p) for p, c in zip(pole, corners[side])]
            end = [p + factor * (c - p) for p, c in zip(pole, corners[(side + 1) % 4])]
            delta = [(b - a) / (row + 1) for a, b in zip(start, end)]
            for i in range(row + 1):
                p = [a + i * d for a, d in zip(start, delta)]
                norm = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2])
                vert.append(tuple(x / norm for x in p))
    vert.append((0.0, 0.0, 0.0))

    # Make triangles between rows, then triangles of the bottom.
    face = [(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 1)]
    for row in range(res):
        here, count = 2 * row * (row + 1) + 1, 4 * (row + 1)
        below, wider = here + count, 4 * (row + 2)
        for side in range(4):
            for i in range(row + 2):
                a, b = i + (row + 1) * side, i + (row + 2) * side
                face.append((here + a % count, below + b % wider, below + (b + 1) % wider))
                if i < row + 1:
                    face.append((here + a % count, below + (b + 1) % wider, here + (a + 1) % count))

    start, count = 2 * res * (res + 1) + 1, 4 * (res + 1)
    face += [(start + i, len(vert) - 1, start + (i + 1) % count) for i in range(count)]
    return {"vert": vert, "face": face}


def _c(angle: float, power: float) -> Any:
    return copysign(abs(cos(angle)) ** power, cos(angle))


def _s(angle: float, power: float) -> Any:
    return copysign(abs(sin(angle)) ** power, sin(angle))


def supersphere(resolution: int, e: float, n: int) -> dict[str, Any]:
    res = int(resolution)
    _require(res > 2, "the resolution of a supersphere must be larger than 2")
    _require(res <= FINEST, f"the resolution of a supersphere is larger than {FINEST}")
    _require(e >= 0 and n >= 0, "the exponents of a supersphere cannot be negative")

    # Make vertices from pole to pole, then triangles.
    vert = [(0.0, 0.0, -1.0)]
    for i in range(1, res):
        v = -pi / 2 + i * pi / res
        for j in range(res):
            u = -pi + j * 2 * pi / res
            vert.append((_c(v, n) * _c(u, e), _c(v, n) * _s(u, e), _s(v, n)))
    vert.append((0.0, 0.0, 1.0))

    face = [(0, 1 + (j + 1) % res, 1 + j) for j in range(res)]
    for i in range(res - 2):
        for j in range(res):
            a, b = 1 + i * res + j, 1 + i * res + (j + 1) % res
            face += [(a, b, a + res), (b, b + res, a + res)]
    last = 1 + (res - 2) * res
    face += [(last + j, last + (j + 1) % res, len(vert) - 1) for j in range(res)]
    return {"vert": vert, "face": face}


def supertorus(resolution: int, radius: float, s: float, t: float) -> dict:
    res = int(resolution)
    _require(res > 2, "the resolution of a supertorus must be larger than 2")
    _require(res <= FINEST, f"the resolution of a supertorus is larger than {FINEST}")
    _require(0 < radius <= 1, "the radius of a supertorus must be between 0 and 1")
    _require(s > 0 and t > 0, "the exponents of a supertorus must be positive")
    vert, face = [], []
    for i in range(res):
        u = 2 * pi * i / res
        for j in range(res):
            v = 2 * pi * j / res
            ring = 1 + radius * _c(v, s)
            vert.append((ring * _c(u, t), ring * _s(u, t), radius * _s(v, s)))
            right, up = (i + 1) % res * res, (j + 1) % res
            face += [(i * res + j, right + j, i * res + up), (right + j, right + up, i * res + up)]
    return {"vert": vert, "face": face}


def _edges(n: int) -> Any:
    """Return n + 1 evenly spaced numbers from -1 to 1, computed by repeated addition of the step."""
    out, value = [], -1.0
    for _ in range(n + 1):
        out.append(value)
        value += 2.0 / n
    return out


def wedge(nx: int, ny: int, horizontal: float, vertical: float, gamma: float) -> dict:
    """Return points, with tangent frames, on a section of the unit sphere. Larger values of `gamma` make the points denser in
    the middle."""
    nx, ny = int(nx), int(ny)
    _require(0 < horizontal <= 180, "the horizontal field of view must be between 0 and 180 degrees")
    _require(0 < vertical <= 90, "the vertical field of view must be between 0 and 90 degrees")
    _require(nx > 0 and ny > 0, "the resolutions must be positive")
    _require(0 <= gamma <= 1, "gamma must be between 0 and 1")

    # Compute the angles of the grid lines, which are denser in the middle for larger gamma.
    g = gamma
    xs, ys = (
        [(x if not g else g * x**5 + (1 - g) * x) * (fov * pi / 180) for x in _edges(n)]
        for n, fov in ((nx, horizontal), (ny, vertical))
    )

    vert, normal = [], []
    for i in range(nx):
        for j in range(ny):
            a, e = 0.5 * (xs[i + 1] + xs[i]), 0.5 * (ys[j + 1] + ys[j])
            vert.append((cos(e) * sin(a), sin(e), -cos(e) * cos(a)))
            p = unit([cos(e) * cos(a), 0.0, cos(e) * sin(a)])
            q = unit([-sin(e) * sin(a), cos(e), sin(e) * cos(a)])
            normal.append((q[1] * p[2] - q[2] * p[1], q[2] * p[0] - q[0] * p[2], q[0] * p[1] - q[1] * p[0], *p, *q))
    return {"vert": vert, "normal": normal}


def plate(nx: int, ny: int) -> dict[str, Any]:
    """Return a flat grid of points. The frame of each point is the coordinate axes."""
    nx, ny = int(nx), int(ny)
    _require(nx > 0 and ny > 0, "the resolutions must be positive")
    vert = [(-1 + (i + 0.5) * (2.0 / nx), -1 + (j + 0.5) * (2.0 / ny), -1.0) for i in range(nx) for j in range(ny)]
    face = []
    for i in range(1, nx):
        for j in range(1, ny):
            a, b = (i - 1) * ny + j - 1, i * ny + j - 1
            face += [(a, b, a + 1), (b + 1, a + 1, b)]
    return {"vert": vert, "face": face, "normal": [(1, 0, 0, 0, 1, 0, 0, 0, 1)] * len(vert)}


def cone(edges: int, radius: float) -> dict[str, list[tuple[float, float, float]]]:
    """Return a cone, approximated by a pyramid; it is truncated if it has a radius at the top. Its faces are those of its
    hull."""
    n = int(edges)
    _require(n > 0, "the number of edges must be positive")
    vert = [(cos(2 * i * pi / n), sin(2 * i * pi / n), -1.0) for i in range(n)]
    if radius > 0:
        vert += [(radius * cos(2 * i * pi / n), radius * sin(2 * i * pi / n), 1.0) for i in range(n, 2 * n)]
    else:
        vert.append((0.0, 0.0, 1.0))
    return {"vert": vert}


MAKERS = {
    SPHERE: sphere,
    HEMISPHERE: hemisphere,
    CONE: cone,
    SUPERSPHERE: supersphere,
    SUPERTORUS: supertorus,
    WEDGE: wedge,
    PLATE: plate,
}
