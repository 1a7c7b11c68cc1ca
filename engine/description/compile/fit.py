"""Best-fitting sizes for primitive geoms that replace meshes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...geom.solids import BY_NUMBER
from ..elements.elements import compile_error
from .resolve import Compilation
from .table import Table

if TYPE_CHECKING:
    from .mesh import Mesh


def fit_geom(c: Compilation, g: Table, i: int, mesh: Mesh) -> tuple[float, float, float]:
    """Set the size of a primitive geom from a mesh's inertia box or bounding box; return the center of this box."""
    solid, scale = BY_NUMBER.get(int(g.type[i])), g.fitscale[i]
    if solid is None or solid.fit_box is None or solid.fit_inertia is None:
        raise compile_error(g.elems[i], "this type of geom cannot be fitted to a mesh")
    center = (0.0, 0.0, 0.0)
    size = g.size[i]
    if not c.spec.compiler.raw["fitaabb"]:
        x, y, z = mesh.boxsz
        fit = solid.fit_inertia
    else:
        center = tuple((mesh.aamm[:3] + mesh.aamm[3:]) / 2)
        x, y, z = mesh.aamm[3:] - center
        fit = solid.fit_box
    found = fit(x, y, z)
    size[: len(found)] = found
    size *= scale
    return center
