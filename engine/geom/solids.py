"""Volumes, inertias and bounds of primitive geoms, computed from their sizes (compiled). SOLIDS has one row for each solid of
tables.geom_rows.

A solid is `hollow` if it is a thin shell with the same mass per area everywhere.
"""

from collections.abc import Callable
from math import sqrt
from typing import Any, NamedTuple, cast

import numpy as np

from ..machine.jit import inline, kernel, stage
from ..machine.lang import array_at, ints_at, matrix_at
from ..machine.storage import address_of
from ..tables.enums import mjtGeom, mjtGeomInertia
from ..tables.geom_rows import BY_NAME

PI = np.pi
SPHERE, CAPSULE, CYLINDER, ELLIPSOID, BOX, HFIELD = (
    int(mjtGeom["mjGEOM_" + n]) for n in ("SPHERE", "CAPSULE", "CYLINDER", "ELLIPSOID", "BOX", "HFIELD")
)
SHELL = int(mjtGeomInertia.mjINERTIA_SHELL)
# Exponent of Thomsen's approximation of an ellipsoid's surface area; thickness of the layer that represents a shell.
THOMSEN, LAYER = 1.6075, 1e-6


# ---- Volumes of solids, surface areas of shells.
@inline
def capsule_volume(r, half, hollow):
    h = 2 * half
    return 4 * PI * r * r + 2 * PI * r * h if hollow else PI * (r * r * h + 4 * r * r * r / 3)


@inline
def cylinder_volume(r, half, hollow):
    h = 2 * half
    return 2 * PI * r * r + 2 * PI * r * h if hollow else PI * r * r * h


@inline
def ellipsoid_volume(a, b, d, hollow):
    if not hollow:
        return 4 * PI * a * b * d / 3
    mean = ((a * b) ** THOMSEN + (b * d) ** THOMSEN + (d * a) ** THOMSEN) / 3
    return 4 * PI * mean ** (1 / THOMSEN)


@kernel
def volume_of(kind, a, b, d, hollow):
    """Return the volume of a solid of sizes a, b, d, or the area of a shell; 0 for other geom types. Height fields are treated
    as boxes."""
    if kind == SPHERE:
        return 4 * PI * a * a if hollow else 4 * PI * a * a * a / 3
    if kind == CAPSULE:
        return capsule_volume(a, b, hollow)
    if kind == CYLINDER:
        return cylinder_volume(a, b, hollow)
    if kind == ELLIPSOID:
        return ellipsoid_volume(a, b, d, hollow)
    if kind == BOX or kind == HFIELD:
        return 8 * (a * b + b * d + d * a) if hollow else a * b * d * 8
    return 0.0


# ---- Principal moments.
@inline
def capsule_moments(m, r, half, hollow):
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


@inline
def cylinder_moments(m, r, half, hollow):
    h = 2 * half
    if not hollow:
        x = m * (3 * r * r + h * h) / 12
        return x, x, m * r * r / 2
    lid, wall = PI * r * r, 2 * PI * r * h
    disk = m * lid / (2 * lid + wall)
    tube = m - 2 * disk
    x = tube * (6 * r * r + h * h) / 12 + 2 * (disk * r * r / 4 + disk * half * half)
    return x, x, tube * r * r + 2 * (disk * r * r / 2)


@inline
def quadric_moments(m, a, b, d, by):
    """Return the principal moments of an ellipsoid (with divisor `by` = 5) or a box (with divisor `by` = 3)."""
    p, q, r = a * a, b * b, d * d
    return m * (q + r) / by, m * (p + r) / by, m * (p + q) / by


@inline
def ellipsoid_moments(m, a, b, d, hollow):
    if not hollow:
        return quadric_moments(m, a, b, d, 5.0)
    # Represent the shell by a thin layer: a slightly larger ellipsoid minus the given one.
    p, q, r = a + LAYER, b + LAYER, d + LAYER
    inner, outer = 4 * PI * (a * b * d) / 3, 4 * PI * (p * q * r) / 3
    density = m / (outer - inner)
    x, y, z = quadric_moments(inner * density, a, b, d, 5.0)
    u, v, w = quadric_moments(outer * density, p, q, r, 5.0)
    return u - x, v - y, w - z


@inline
def box_moments(m, a, b, d, hollow):
    if not hollow:
        return quadric_moments(m, a, b, d, 3.0)
    x, y, z = 2 * a, 2 * b, 2 * d
    p, q, r = a * a, b * b, d * d
    whole = 2 * (x * y + y * z + z * x)
    m0, m1, m2 = m * (x * y) / whole, m * (y * z) / whole, m * (z * x) / whole
    ix = m0 * y * y / 12 + m1 * (y * y + z * z) / 12 + m2 * z * z / 12
    iy = m0 * x * x / 12 + m1 * z * z / 12 + m2 * (x * x + z * z) / 12
    iz = m0 * (x * x + y * y) / 12 + m1 * y * y / 12 + m2 * x * x / 12
    return 2 * (m0 * r + m2 * q + ix), 2 * (m0 * r + m1 * p + iy), 2 * (m1 * p + m2 * q + iz)


@kernel
def moments_of(kind, m, a, b, d, hollow):
    """Return the principal moments of a solid of mass m and sizes a, b, d; 0 for other types. Height fields are treated as
    boxes.
    """
    if kind == SPHERE:
        i = 2 * m * a * a / (3.0 if hollow else 5.0)
        return i, i, i
    if kind == CAPSULE:
        return capsule_moments(m, a, b, hollow)
    if kind == CYLINDER:
        return cylinder_moments(m, a, b, hollow)
    if kind == ELLIPSOID:
        return ellipsoid_moments(m, a, b, d, hollow)
    if kind == BOX or kind == HFIELD:
        return box_moments(m, a, b, d, hollow)
    return 0.0, 0.0, 0.0


# ---- Many geoms; `width` is the number of size entries from one geom to the next.
@stage("viiiiii")
def solid_volumes(type_at, inertia_at, size_at, width, n, volume_at):
    """Compute volumes.

    reads types, inertia types and sizes of geoms; writes their volumes.
    """
    kind, inertia, size, volume = (
        ints_at(type_at, n),
        ints_at(inertia_at, n),
        matrix_at(size_at, n, width),
        array_at(volume_at, n),
    )
    for i in range(n):
        volume[i] = volume_of(kind[i], size[i, 0], size[i, 1], size[i, 2], inertia[i] == SHELL)


@stage("viiiiiii")
def solid_moments(type_at, inertia_at, size_at, width, n, mass_at, moments_at):
    """Compute principal moments.

    reads types, inertia types, sizes and masses of geoms; writes their principal moments.
    """
    kind, inertia, size, mass = ints_at(type_at, n), ints_at(inertia_at, n), matrix_at(size_at, n, width), array_at(mass_at, n)
    moments = matrix_at(moments_at, n, 3)
    for i in range(n):
        moments[i, 0], moments[i, 1], moments[i, 2] = moments_of(
            kind[i], mass[i], size[i, 0], size[i, 1], size[i, 2], inertia[i] == SHELL
        )


@stage("viiiiii")
def solid_bounds(type_at, size_at, width, n, box_at, radius_at):
    """Compute bounds.

    reads types and sizes of geoms; writes bounding boxes (center and half sizes) and bounding radii. For other types,
    half sizes are the geom's sizes, and radii are 0.
    """
    kind, size, box, radius = ints_at(type_at, n), matrix_at(size_at, n, width), matrix_at(box_at, n, 6), array_at(radius_at, n)
    for i in range(n):
        a, b, d = size[i, 0], size[i, 1], size[i, 2]
        x, y, z, r = a, b, d, 0.0
        if kind[i] == SPHERE:
            y = z = r = a
        elif kind[i] == CAPSULE:
            y, z, r = a, a + b, a + b
        elif kind[i] == CYLINDER:
            y, z, r = a, b, sqrt(a * a + b * b)
        elif kind[i] == ELLIPSOID:
            r = max(0.0, a, b, d)
        elif kind[i] == BOX:
            r = sqrt(a * a + b * b + d * d)
        box[i, 0] = box[i, 1] = box[i, 2] = 0.0
        box[i, 3], box[i, 4], box[i, 5], radius[i] = x, y, z, r


class Solid(NamedTuple):
    """Functions that compute properties of a solid from its sizes; None for properties that need more data.

    axes: half axes of the ellipsoid that represents it in a fluid. fit_inertia, fit_box: sizes that fit a box of equal inertia,
    or a bounding box, of half sizes x, y, z. Only for solids that the kernels above do not support: volume: (sizes, hollow)
    -> volume or area; moments: (mass, sizes, hollow) -> three principal moments; radius: sizes -> bounding radius. The sizes of
    such solids are the half sizes of their bounding box.
    """

    axes: Callable[..., Any] | None = None
    fit_inertia: Callable[..., Any] | None = None
    fit_box: Callable[..., Any] | None = None
    volume: Callable[..., Any] | None = None
    moments: Callable[..., Any] | None = None
    radius: Callable[..., Any] | None = None


def _same(x: Any, y: Any, z: Any) -> Any:
    return x, y, z


SOLIDS = {
    "sphere": Solid(lambda a, b, d: (a, a, a), lambda x, y, z: ((x + y + z) / 3,), lambda x, y, z: (max(x, y, z),)),
    "capsule": Solid(
        lambda a, b, d: (a, a, b + a),
        lambda x, y, z: ((x + y) / 2, max(0.0, z - (x + y) / 4)),
        lambda x, y, z: (max(x, y), z - max(x, y)),
    ),
    "cylinder": Solid(lambda a, b, d: (a, a, b), lambda x, y, z: ((x + y) / 2, z), lambda x, y, z: (max(x, y), z)),
    "ellipsoid": Solid(_same, _same, _same),
    "box": Solid(_same, _same, _same),
    # The other properties of a height field depend on its data.
    "hfield": Solid(),
}
BY_NUMBER = {BY_NAME[name].number: solid for name, solid in SOLIDS.items()}
# solids that the kernels above do not support
OTHERS = {number: solid for number, solid in BY_NUMBER.items() if solid.volume}


# ---- Many geoms.
class Columns(NamedTuple):
    """Types (n,), inertia types (n,) and sizes (n, 3) of geoms, and the addresses of these arrays. `width`: number of columns
    per geom in the array of sizes.
    """

    type: np.ndarray
    inertia: np.ndarray
    size: np.ndarray
    type_at: int
    inertia_at: int
    size_at: int
    width: int

    @classmethod
    def of(cls, kind: Any, size: Any) -> "Columns":
        """Make the columns for solids that are not hollow, given types (n,) and sizes (n, 3) as arrays or sequences."""
        types, inertia, sizes = np.array(kind, np.int32), np.zeros(len(kind), np.int32), np.array(size, float)
        places = [address_of(x) if len(x) else 0 for x in (types, inertia, sizes)]
        return cls(types, inertia, sizes, places[0], places[1], places[2], 3)

    def others(self) -> list[tuple[int, Solid, bool]]:
        """Return (index, solid, whether it is hollow) for each solid that the kernels do not support."""
        if not OTHERS:
            return []
        return [(i, OTHERS[k], bool(self.inertia[i] == SHELL)) for i, k in enumerate(self.type.tolist()) if k in OTHERS]


def volumes(geoms: Columns) -> np.ndarray:
    """Return the volumes (n,) of solids, or surface areas of shells; 0 for other types."""
    n = len(geoms.type)
    out = np.empty(n)
    if n:
        solid_volumes(geoms.type_at, geoms.inertia_at, geoms.size_at, geoms.width, n, out)
    for i, solid, hollow in geoms.others():
        out[i] = cast(Callable, solid.volume)(*geoms.size[i].tolist(), hollow)
    return out


def moments(geoms: Columns, mass: np.ndarray) -> np.ndarray:
    """Return principal moments (n, 3) of solids of given masses (n,); 0 for other types."""
    n = len(geoms.type)
    out = np.empty((n, 3))
    if n:
        solid_moments(geoms.type_at, geoms.inertia_at, geoms.size_at, geoms.width, n, mass, out)
    for i, solid, hollow in geoms.others():
        out[i] = cast(Callable, solid.moments)(mass[i], *geoms.size[i].tolist(), hollow)
    return out


def bounds(geoms: Columns) -> tuple[np.ndarray, np.ndarray]:
    """Return bounding boxes (n, 6: center, half sizes) and bounding radii (n,) of solids. For other types: half sizes are the
    geom's sizes, and the radius is 0."""
    n = len(geoms.type)
    box, radius = np.empty((n, 6)), np.empty(n)
    if n:
        solid_bounds(geoms.type_at, geoms.size_at, geoms.width, n, box, radius)
    for i, solid, _ in geoms.others():
        radius[i] = cast(Callable, solid.radius)(*geoms.size[i].tolist())
    return box, radius
