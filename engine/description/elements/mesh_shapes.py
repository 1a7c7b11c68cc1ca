"""Meshes made from a few parameters: what the methods `make_*` of a mesh do. ValueError if the parameters do not fit."""

from ...core.enums import mjtMeshBuiltin
from ...geom.mesh_make import make_mesh


def _make(mesh, kind, *params):
    error = make_mesh(mesh.raw, int(kind), [float(p) for p in params])
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
