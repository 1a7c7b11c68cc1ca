"""Mass properties of shapes, for links whose inertia is missing: volume, center and second moments of primitives and meshes."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import pi

import numpy as np

from ..language import orient
from .inertias import tensor_of
from .parts import Part
from .pieces import Shape


@dataclass
class Solid:
    """Volume, center, and second moments (3, 3) about the center, of density 1."""

    volume: float
    center: np.ndarray
    moments: np.ndarray

    def tensor(self, mass: float) -> tuple[float, ...]:
        """Tensor xx, yy, zz, xy, xz, yz about the center, with a mass."""
        m = self.moments * (mass / self.volume)
        return tensor_of(np.trace(m) * np.eye(3) - m)


def solid_of_shape(shape: Shape, parts: Iterable[Part] = ()) -> Solid | None:
    """A shape in its link's frame; `parts`: those of a mesh. None if it has no volume."""
    solid = (
        solid_of_meshes(parts)
        if shape.kind == "mesh"
        else PRIMITIVES[shape.kind](*shape.size)
        if shape.kind in PRIMITIVES
        else None
    )
    if solid is None or not solid.volume > 0:
        return None
    r = np.array(orient.matrix(shape.quat)).reshape(3, 3)
    return Solid(solid.volume, r @ solid.center + shape.pos, r @ solid.moments @ r.T)


def _primitive(volume, x, y, z):
    return Solid(volume, np.zeros(3), volume * np.diag([x, y, z]))


def _box(x, y, z):
    return _primitive(8 * x * y * z, x * x / 3, y * y / 3, z * z / 3)


def _cylinder(radius, half):
    return _primitive(2 * pi * radius**2 * half, radius**2 / 4, radius**2 / 4, half**2 / 3)


def _sphere(radius):
    return _primitive(4 / 3 * pi * radius**3, *[radius**2 / 5] * 3)


def _capsule(radius, half):
    tube, ends = _cylinder(radius, half), _sphere(radius)
    # halves of the ball stand at the ends: their centers are 3/8 r beyond
    along = ends.volume * (radius**2 / 5 + half**2 + 0.75 * half * radius)
    moments = tube.moments + ends.moments
    moments[2, 2] = tube.moments[2, 2] + along
    return Solid(tube.volume + ends.volume, np.zeros(3), moments)


def _ellipsoid(x, y, z):
    return _primitive(4 / 3 * pi * x * y * z, x * x / 5, y * y / 5, z * z / 5)


PRIMITIVES = {"box": _box, "cylinder": _cylinder, "sphere": _sphere, "capsule": _capsule, "ellipsoid": _ellipsoid}


def solid_of_meshes(parts: Iterable[Part]) -> Solid | None:
    """What triangles enclose; of open or inconsistent ones the sum of the tetrahedra to the center."""
    found = [p for p in parts if len(p.face)]
    if not found:
        return None
    corners = np.concatenate([p.vert[p.face] for p in found])
    origin = corners.mean((0, 1))
    a, b, c = (corners[:, k] - origin for k in range(3))
    signed = np.einsum("ij,ij->i", a, np.cross(b, c)) / 6
    rough = float(np.abs(signed).sum())
    weights = signed if signed.sum() > 0.3 * rough else np.abs(signed)
    volume = float(weights.sum())
    if not volume > 1e-15:
        return None
    center = ((a + b + c) * weights[:, None]).sum(0) / (4 * volume)
    total = a + b + c
    # the second moments of a tetrahedron with one corner at the origin
    moments = sum((x * weights[:, None]).T @ x for x in (a, b, c, total)) / 20
    return Solid(volume, center + origin, moments - volume * np.outer(center, center))


def together(solids: Iterable[Solid | None]) -> Solid | None:
    """Several solids as one."""
    found = [s for s in solids if s is not None]
    volume = sum(s.volume for s in found)
    if not volume > 0:
        return None
    center = sum(s.volume * s.center for s in found) / volume
    moments = sum(s.moments + s.volume * np.outer(s.center - center, s.center - center) for s in found)
    return Solid(volume, np.asarray(center), np.asarray(moments))
