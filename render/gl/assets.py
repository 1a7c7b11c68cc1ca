"""What a renderer uploads of a model, made without OpenGL: any thread can prepare it while the window draws."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...engine.core.model import MjModel
from ..scene import tessellate
from ..scene.surfaces import skin_static
from .instances import ModelTables


@dataclass(frozen=True)
class Assets:
    """The tables of a model, its meshes and their hulls in turn, then its height fields, and what its skins share."""

    tables: ModelTables
    shapes: list[Any]
    skins: list[Any]


def prepare(m: MjModel) -> Assets:
    """Return the triangles and tables of a model."""
    shapes = [s for i in range(m.nmesh) for s in (tessellate.mesh(m, i), tessellate.hull(m, i))]
    shapes += [tessellate.hfield(m, i) for i in range(m.nhfield)]
    return Assets(ModelTables(m), shapes, [skin_static(m, i) for i in range(m.nskin)])
