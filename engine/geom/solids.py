"""Solids: what follows from the sizes of geoms without meshes. A TABLE with a row for each solid of core.geom_rows.

Sizes are (n, 3), masses (n,); `hollow` is of all rows at once: solid, or a thin shell of the same mass per area.
"""
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..core.geom_rows import BY_NAME

PI = np.pi


def _sphere_volume(s, hollow):
    a = s[:, 0]
    return 4 * PI * a * a if hollow else 4 * PI * a * a * a / 3


def _sphere(m, s, hollow):
    i = 2 * m * s[:, 0] * s[:, 0] / (3 if hollow else 5)
    return i, i, i


def _capsule_volume(s, hollow):
    a, h = s[:, 0], 2 * s[:, 1]
    return 4 * PI * a * a + 2 * PI * a * h if hollow else PI * (a * a * h + 4 * a * a * a / 3)


def _capsule(m, s, hollow):
    r, half = s[:, 0], s[:, 1]
    h = 2 * half
    if not hollow:
        ball = m * 4 * r / (4 * r + 3 * h)
        tube = m - ball
        turn = 2 * ball * r * r / 5
        x = tube * (3 * r * r + h * h) / 12 + (turn + ball * h * (3 * r + 2 * h) / 8)
        return x, x, tube * r * r / 2 + turn
    around, along = 4 * PI * r * r, 2 * PI * r * h
    ball = m * around / (around + along)
    tube = m - ball
    turn = 2 * ball * r * r / 3
    com = r / 2
    far = half + com
    x = tube * (6 * r * r + h * h) / 12 + (turn + ball * (far * far - com * com))
    return x, x, tube * r * r + turn


def _cylinder_volume(s, hollow):
    a, h = s[:, 0], 2 * s[:, 1]
    return 2 * PI * a * a + 2 * PI * a * h if hollow else PI * a * a * h


def _cylinder(m, s, hollow):
    r, half = s[:, 0], s[:, 1]
    h = 2 * half
    if not hollow:
        x = m * (3 * r * r + h * h) / 12
        return x, x, m * r * r / 2
    lid, wall = PI * r * r, 2 * PI * r * h
    disk = m * lid / (2 * lid + wall)
    tube = m - 2 * disk
    x = tube * (6 * r * r + h * h) / 12 + 2 * (disk * r * r / 4 + disk * half * half)
    return x, x, tube * r * r + 2 * (disk * r * r / 2)


def _ellipsoid_volume(s, hollow):
    if not hollow:
        return 4 * PI * s[:, 0] * s[:, 1] * s[:, 2] / 3
    # Thomsen's approximation of an ellipsoid's surface
    p = 1.6075
    mean = ((s[:, 0] * s[:, 1]) ** p + (s[:, 1] * s[:, 2]) ** p + (s[:, 2] * s[:, 0]) ** p) / 3
    return 4 * PI * mean ** (1 / p)


def _solid_ellipsoid(m, s, by):
    q = s * s
    return m * (q[:, 1] + q[:, 2]) / by, m * (q[:, 0] + q[:, 2]) / by, m * (q[:, 0] + q[:, 1]) / by


def _ellipsoid(m, s, hollow):
    if not hollow:
        return _solid_ellipsoid(m, s, 5)
    # a thin layer: what a slightly larger ellipsoid has more
    big = s + 1e-6
    small_v, big_v = 4 * PI * s.prod(1) / 3, 4 * PI * big.prod(1) / 3
    density = m / (big_v - small_v)
    inner, outer = _solid_ellipsoid(small_v * density, s, 5), _solid_ellipsoid(big_v * density, big, 5)
    return tuple(o - i for o, i in zip(outer, inner))


def _box_volume(s, hollow):
    a, b, d = s.T
    return 8 * (a * b + b * d + d * a) if hollow else a * b * d * 8


def _box(m, s, hollow):
    if not hollow:
        return _solid_ellipsoid(m, s, 3)
    (x, y, z), (p, q, r) = (2 * s).T, (s * s).T
    a = np.stack((x * y, y * z, z * x))
    m0, m1, m2 = m * a / (2 * a.sum(0))
    ix = m0 * y * y / 12 + m1 * (y * y + z * z) / 12 + m2 * z * z / 12
    iy = m0 * x * x / 12 + m1 * z * z / 12 + m2 * (x * x + z * z) / 12
    iz = m0 * (x * x + y * y) / 12 + m1 * y * y / 12 + m2 * x * x / 12
    return 2 * (m0 * r + m2 * q + ix), 2 * (m0 * r + m1 * p + iy), 2 * (m1 * p + m2 * q + iz)


class Solid(NamedTuple):
    """What is known of one: (sizes, hollow) to volume or area; (masses, sizes, hollow) to three principal moments; sizes to the half lengths of
    the bounding box and to the bounding radius; half axes of one size's ellipsoid for the fluid; sizes that fit to a box of equal inertia
    and to a bounding box of half lengths x, y, z. None where a type has no such thing.
    """
    volume: Callable[..., Any]
    moments: Callable[..., Any]
    half: Callable[..., Any] | None = None
    radius: Callable[..., Any] | None = None
    axes: Callable[..., Any] | None = None
    fit_inertia: Callable[..., Any] | None = None
    fit_box: Callable[..., Any] | None = None


def _same(x, y, z):
    return x, y, z


SOLIDS = {
    "sphere": Solid(_sphere_volume, _sphere, lambda s: s[:, (0, 0, 0)], lambda s: s[:, 0], lambda a, b, d: (a, a, a),
                    lambda x, y, z: ((x + y + z) / 3,), lambda x, y, z: (max(x, y, z),)),
    "capsule": Solid(_capsule_volume, _capsule, lambda s: np.stack((s[:, 0], s[:, 0], s[:, 0] + s[:, 1]), 1), lambda s: s[:, 0] + s[:, 1],
                     lambda a, b, d: (a, a, b + a), lambda x, y, z: ((x + y) / 2, max(0.0, z - (x + y) / 4)),
                     lambda x, y, z: (max(x, y), z - max(x, y))),
    "cylinder": Solid(_cylinder_volume, _cylinder, lambda s: s[:, (0, 0, 1)], lambda s: np.sqrt(s[:, 0] ** 2 + s[:, 1] ** 2),
                      lambda a, b, d: (a, a, b), lambda x, y, z: ((x + y) / 2, z), lambda x, y, z: (max(x, y), z)),
    "ellipsoid": Solid(_ellipsoid_volume, _ellipsoid, lambda s: s, lambda s: s.max(1, initial=0), _same, _same, _same),
    "box": Solid(_box_volume, _box, lambda s: s, lambda s: np.sqrt(s[:, 0] ** 2 + s[:, 1] ** 2 + s[:, 2] ** 2), _same, _same, _same),
    # as a box; the rest follows from its data
    "hfield": Solid(_box_volume, _box),
}
BY_NUMBER = {BY_NAME[name].number: solid for name, solid in SOLIDS.items()}


def _present(kind):
    """(solid, rows) of each type that there is."""
    types = set(kind.tolist())
    for t in types & BY_NUMBER.keys():
        yield BY_NUMBER[t], (kind == t).nonzero()[0] if len(types) > 1 else slice(None)


def by_type(kind, shell) -> list[tuple[Solid, bool, Any]]:
    """[(solid, whether it is hollow, rows)] of types (n,), of which those of a mask are shells."""
    if not shell.any():
        return [(solid, False, rows) for solid, rows in _present(kind)]
    found = []
    for solid, rows in _present(kind):
        rows = np.arange(len(kind))[rows]
        of = shell[rows]
        found += [(solid, hollow, part) for hollow, part in ((True, rows[of]), (False, rows[~of])) if len(part)]
    return found


def volumes(groups, size) -> np.ndarray:
    """Volumes (n,) of solids, surface areas of shells; 0 for other types. `groups`: of by_type."""
    out = np.zeros(len(size))
    for solid, hollow, rows in groups:
        out[rows] = solid.volume(size[rows], hollow)
    return out


def moments(groups, size, mass) -> np.ndarray:
    """Principal moments (n, 3) of solids of given mass; 0 for other types."""
    out = np.zeros((len(size), 3))
    for solid, hollow, rows in groups:
        for k, values in enumerate(solid.moments(mass[rows], size[rows], hollow)):
            out[rows, k] = values
    return out


def bounds(kind, size) -> tuple[np.ndarray, np.ndarray]:
    """Bounding boxes of solids (center and half lengths: n, 6), their bounding radii (n,); sizes and 0 for other types."""
    box, radius = np.zeros((len(size), 6)), np.zeros(len(size))
    half = box[:, 3:]
    half[:] = size
    for solid, rows in _present(kind):
        if solid.half and solid.radius:
            half[rows], radius[rows] = solid.half(size[rows]), solid.radius(size[rows])
    return box, radius
