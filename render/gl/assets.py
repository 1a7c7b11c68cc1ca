"""The data that a renderer uploads for a model. Preparing it needs no OpenGL; any thread can do it while the window draws."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...engine.core.model import MjModel
from ..scene import tessellate
from ..scene.simplify import MANY_TRIANGLES, simplified
from ..scene.surfaces import skin_static
from .instances import ModelTables


@dataclass(frozen=True)
class Assets:
    """Data of one model: its tables; its shapes, which are meshes alternating with their hulls, then height fields; and data
    that its skins share.
    """

    tables: ModelTables
    shapes: list[Any]
    skins: list[Any]
    # Simplified versions of large meshes, by their number in `shapes`.
    simple: dict[int, Any]


def prepare(m: MjModel, simple: bool = False) -> Assets:
    """Return the triangles and tables of a model, with simplified versions of large meshes if `simple`."""
    shapes = [s for i in range(m.nmesh) for s in (tessellate.mesh(m, i), tessellate.hull(m, i))]
    shapes += [tessellate.hfield(m, i) for i in range(m.nhfield)]
    fewer = {}
    for k in range(0, 2 * m.nmesh, 2) if simple else ():
        shape = shapes[k]
        if shape is not None and len(shape[1]) > 3 * MANY_TRIANGLES and (found := simplified(shape)) is not None:
            fewer[k] = found
    return Assets(ModelTables(m), shapes, [skin_static(m, i) for i in range(m.nskin)], fewer)
