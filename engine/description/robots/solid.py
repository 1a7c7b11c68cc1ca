"""Mass properties of shapes, for links whose inertia is missing: volume, center and second moments of primitives and meshes."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ...geom import solids
from ..language import orient
from ..language.types import BOX, CAPSULE, CYLINDER, ELLIPSOID, MESH, PLANE, SPHERE
from .inertias import tensor_of
from .parts import Part, corners_of
from .pieces import Shape

# {shape: geom type}
TYPES = {
    "box": BOX,
    "cylinder": CYLINDER,
    "sphere": SPHERE,
    "capsule": CAPSULE,
    "ellipsoid": ELLIPSOID,
    "mesh": MESH,
    "plane": PLANE,
}


# Triangles that enclose a volume of less than FLAT times their area times their extent count as a sheet. SHEET: its thickness
# in meters.
FLAT, SHEET = 1e-6, 1e-3


@dataclass
class Solid:
    """Volume, center, and second moments (3, 3) about the center, for density 1. `sheet`: whether a part encloses no volume."""

    volume: float
    center: np.ndarray
    moments: np.ndarray
    sheet: bool = False

    def tensor(self, mass: float) -> tuple[float, ...]:
        """Return the tensor xx, yy, zz, xy, xz, yz about the center for a mass."""
        m = self.moments * (mass / self.volume)
        return tensor_of(np.trace(m) * np.eye(3) - m)


def solid_of_shape(shape: Shape, parts: Iterable[Part] = ()) -> Solid | None:
    """Return the solid of a shape in its link's frame; `parts` are the parts of its mesh. None if it has no volume."""
    solid = solid_of_meshes(parts) if shape.kind == "mesh" else solid_of_geom(TYPES[shape.kind], shape.size)
    if solid is None or not solid.volume > 0:
        return None
    r = np.array(orient.matrix(shape.quat)).reshape(3, 3)
    return Solid(solid.volume, r @ solid.center + shape.pos, r @ solid.moments @ r.T, solid.sheet)


def solid_of_geom(kind: int, size: tuple[float, ...]) -> Solid:
    """Return the solid of a geom without a mesh, in its own frame; a plane has no volume."""
    geom = solids.Columns.of([kind], [(*size, 0.0, 0.0, 0.0)[:3]])
    volume = solids.volumes(geom)
    inertia = solids.moments(geom, volume)[0]
    # Convert principal moments of inertia to second moments: I = tr(S) - S.
    return Solid(float(volume[0]), np.zeros(3), np.diag(0.5 * inertia.sum() - inertia))


def solid_of_meshes(parts: Iterable[Part]) -> Solid | None:
    """Return the solid enclosed by triangles; if they are open or inconsistent, the sum of tetrahedra to their center; if they
    enclose nothing, a thin sheet."""
    corners = np.concatenate([np.zeros((0, 3, 3)), *map(corners_of, parts)])
    if not len(corners):
        return None
    origin = corners.mean((0, 1))
    a, b, c = (corners[:, k] - origin for k in range(3))
    signed = np.einsum("ij,ij->i", a, np.cross(b, c)) / 6
    rough = float(np.abs(signed).sum())
    areas = np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2
    if rough <= FLAT * areas.sum() * np.ptp(corners.reshape(-1, 3), 0).max():
        return _sheet(a, b, c, areas, origin)
    weights = signed if signed.sum() > 0.3 * rough else np.abs(signed)
    volume = float(weights.sum())
    if not volume > 1e-15:
        return None
    center = ((a + b + c) * weights[:, None]).sum(0) / (4 * volume)
    total = a + b + c
    # Second moments of a tetrahedron with one corner at the origin.
    moments = sum((x * weights[:, None]).T @ x for x in (a, b, c, total)) / 20
    return Solid(volume, center + origin, moments - volume * np.outer(center, center))


def like_sheet(solid: Solid) -> str:
    """Return a phrase for the report if a solid is a sheet, else an empty string."""
    return f", as a sheet {1000 * SHEET:g} mm thick" if solid.sheet else ""


def _sheet(a: np.ndarray, b: np.ndarray, c: np.ndarray, areas: np.ndarray, origin: np.ndarray) -> Solid | None:
    """Return the solid of thin triangles with corners a, b, c relative to an origin; None if they have no area."""
    weights = SHEET * areas
    volume = float(weights.sum())
    if not volume > 1e-15:
        return None
    total = a + b + c
    center = (total * weights[:, None]).sum(0) / (3 * volume)
    moments = sum((x * weights[:, None]).T @ x for x in (a, b, c, total)) / 12
    # The thickness keeps the moment about the normal below the sum of the others.
    moments = moments - volume * np.outer(center, center) + volume * SHEET**2 / 12 * np.eye(3)
    return Solid(volume, center + origin, moments, True)


def together(solids: Iterable[Solid | None]) -> Solid | None:
    """Combine several solids into one."""
    found = [s for s in solids if s is not None]
    volume = sum(s.volume for s in found)
    if not volume > 0:
        return None
    center = sum(s.volume * s.center for s in found) / volume
    moments = sum(s.moments + s.volume * np.outer(s.center - center, s.center - center) for s in found)
    return Solid(volume, np.asarray(center), np.asarray(moments), any(s.sheet for s in found))
