"""The `make_*` methods of meshes: shapes made from a few parameters. ValueError if the parameters are invalid."""

from collections.abc import Sequence

from ...geom.mesh_make import LATTICES, make_mesh
from ...tables.compat_rows import holds
from ...tables.enums import mjtMeshBuiltin
from .elements import MjsMesh

# number of the first mesh shape that is made from a grid; flexes use these shapes as well
GRID = min(LATTICES)


def _make(mesh: MjsMesh, kind: int, *params: float) -> None:
    error = make_mesh(mesh.raw, int(kind), [float(p) for p in params], holds("stricter", mesh.spec.compat_bits))
    if error:
        raise ValueError(f"Error: {error}")


def make_sphere(mesh: MjsMesh, subdivision: int) -> None:
    """Make an icosphere, whose faces are subdivided `subdivision` times (0 to 4)."""
    _make(mesh, mjtMeshBuiltin.mjMESH_BUILTIN_SPHERE, int(subdivision))


def make_hemisphere(mesh: MjsMesh, resolution: int) -> None:
    """Make a hemisphere, closed by a disk; `resolution` is 0 to 10."""
    _make(mesh, mjtMeshBuiltin.mjMESH_BUILTIN_HEMISPHERE, int(resolution))


def make_cone(mesh: MjsMesh, nedge: int, radius: float) -> None:
    """Make a cone or prism over a polygon with `nedge` corners; `radius` is the radius at the top."""
    _make(mesh, mjtMeshBuiltin.mjMESH_BUILTIN_CONE, int(nedge), radius)


def make_supersphere(mesh: MjsMesh, resolution: int, e: float, n: float) -> None:
    """Make a superellipsoid; `e` and `n` are the exponents of its two directions."""
    _make(mesh, mjtMeshBuiltin.mjMESH_BUILTIN_SUPERSPHERE, int(resolution), e, n)


def make_supertorus(mesh: MjsMesh, resolution: int, radius: float, s: float, t: float) -> None:
    """Make a supertoroid with the inner radius `radius`; `s` and `t` are the exponents of its two directions."""
    _make(mesh, mjtMeshBuiltin.mjMESH_BUILTIN_SUPERTORUS, int(resolution), radius, s, t)


def make_wedge(mesh: MjsMesh, resolution: Sequence[int] = (0, 0), fov: Sequence[float] = (0, 0), gamma: float = 0) -> None:
    """Make a section of a sphere around a viewing axis.

    resolution: int (2): numbers of points in two directions
    fov: float (2): fields of view in degrees
    gamma: foveation
    """
    _make(mesh, mjtMeshBuiltin.mjMESH_BUILTIN_WEDGE, int(resolution[0]), int(resolution[1]), *fov, gamma)


def make_plate(mesh: MjsMesh, resolution: Sequence[int] = (0, 0)) -> None:
    """Make a flat rectangular grid of points.

    resolution: int (2): numbers of points in two directions
    """
    _make(mesh, mjtMeshBuiltin.mjMESH_BUILTIN_PLATE, int(resolution[0]), int(resolution[1]))


def make_grid(mesh: MjsMesh, count: Sequence[int], spacing: Sequence[float], dim: int = 3) -> None:
    """Make a grid of `count` points along three axes, at distances of `spacing`: a solid or, with dim=2, a sheet (since MuJoCo
    3.16)."""
    _make(mesh, GRID, *count, *spacing, dim)


def make_box(mesh: MjsMesh, count: Sequence[int], spacing: Sequence[float], dim: int = 3) -> None:
    """Make a box from a grid: a solid or, with dim=2, its surface without a lid (since MuJoCo 3.16)."""
    _make(mesh, GRID + 1, *count, *spacing, dim)


def make_cylinder(mesh: MjsMesh, count: Sequence[int], spacing: Sequence[float], dim: int = 3) -> None:
    """Make a cylinder from a grid; arguments as in `make_box` (since MuJoCo 3.16)."""
    _make(mesh, GRID + 2, *count, *spacing, dim)


def make_ellipsoid(mesh: MjsMesh, count: Sequence[int], spacing: Sequence[float], dim: int = 3) -> None:
    """Make an ellipsoid from a grid; arguments as in `make_box` (since MuJoCo 3.16)."""
    _make(mesh, GRID + 3, *count, *spacing, dim)


def make_square(mesh: MjsMesh, count: Sequence[int], spacing: Sequence[float]) -> None:
    """Make a flat grid of points; the third number of `count` is 1 (since MuJoCo 3.16)."""
    _make(mesh, GRID + 4, *count, *spacing)


def make_disc(mesh: MjsMesh, count: Sequence[int], spacing: Sequence[float]) -> None:
    """Make a flat grid whose concentric squares are mapped to circles; the third number of `count` is 1 (since MuJoCo 3.16)."""
    _make(mesh, GRID + 5, *count, *spacing)
