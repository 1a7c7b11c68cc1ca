"""Meshes made from a few parameters: what the methods `make_*` of a mesh do. ValueError if the parameters do not fit."""

from collections.abc import Sequence

from ...geom.mesh_make import LATTICES, make_mesh
from ...tables.compat_rows import holds
from ...tables.enums import mjtMeshBuiltin

# the first of the shapes of flexes
GRID = min(LATTICES)


def _make(mesh, kind, *params):
    error = make_mesh(mesh.raw, int(kind), [float(p) for p in params], holds("stricter", mesh.spec.compat_bits))
    if error:
        raise ValueError(f"Error: {error}")


def make_sphere(mesh, subdivision) -> None:
    """A sphere from an icosahedron whose faces are divided `subdivision` times, 0 to 4."""
    _make(mesh, mjtMeshBuiltin.mjMESH_BUILTIN_SPHERE, int(subdivision))


def make_hemisphere(mesh, resolution) -> None:
    """Half a sphere with its disk; resolution 0 to 10."""
    _make(mesh, mjtMeshBuiltin.mjMESH_BUILTIN_HEMISPHERE, int(resolution))


def make_cone(mesh, nedge, radius) -> None:
    """A cone or prism over a polygon of `nedge` corners; its top has the given radius."""
    _make(mesh, mjtMeshBuiltin.mjMESH_BUILTIN_CONE, int(nedge), radius)


def make_supersphere(mesh, resolution, e, n) -> None:
    """A superellipsoid with the exponents of its two directions."""
    _make(mesh, mjtMeshBuiltin.mjMESH_BUILTIN_SUPERSPHERE, int(resolution), e, n)


def make_supertorus(mesh, resolution, radius, s, t) -> None:
    """A supertoroid with its inner radius and the exponents of its two directions."""
    _make(mesh, mjtMeshBuiltin.mjMESH_BUILTIN_SUPERTORUS, int(resolution), radius, s, t)


def make_wedge(mesh, resolution=(0, 0), fov=(0, 0), gamma=0) -> None:
    """Part of a sphere around an axis of view: points in two directions, field of view in degrees, foveation."""
    _make(mesh, mjtMeshBuiltin.mjMESH_BUILTIN_WEDGE, int(resolution[0]), int(resolution[1]), *fov, gamma)


def make_plate(mesh, resolution=(0, 0)) -> None:
    """A flat rectangle of points."""
    _make(mesh, mjtMeshBuiltin.mjMESH_BUILTIN_PLATE, int(resolution[0]), int(resolution[1]))


def make_grid(mesh, count: Sequence[int], spacing: Sequence[float], dim: int = 3) -> None:
    """A grid of points (3 counts, 3 distances), as a solid or, with dim=2, as a sheet (of 3.16)."""
    _make(mesh, GRID, *count, *spacing, dim)


def make_box(mesh, count: Sequence[int], spacing: Sequence[float], dim: int = 3) -> None:
    """A box of a grid's points, as a solid or, with dim=2, as a surface without a lid (of 3.16)."""
    _make(mesh, GRID + 1, *count, *spacing, dim)


def make_cylinder(mesh, count: Sequence[int], spacing: Sequence[float], dim: int = 3) -> None:
    """A cylinder of a grid's points, as `make_box` (of 3.16)."""
    _make(mesh, GRID + 2, *count, *spacing, dim)


def make_ellipsoid(mesh, count: Sequence[int], spacing: Sequence[float], dim: int = 3) -> None:
    """An ellipsoid of a grid's points, as `make_box` (of 3.16)."""
    _make(mesh, GRID + 3, *count, *spacing, dim)


def make_square(mesh, count: Sequence[int], spacing: Sequence[float]) -> None:
    """A flat grid of points, the third count 1 (of 3.16)."""
    _make(mesh, GRID + 4, *count, *spacing)


def make_disc(mesh, count: Sequence[int], spacing: Sequence[float]) -> None:
    """A flat grid whose squares are circles, the third count 1 (of 3.16)."""
    _make(mesh, GRID + 5, *count, *spacing)
