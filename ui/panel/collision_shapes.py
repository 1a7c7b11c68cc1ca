"""Collision shapes in place of a mesh geom: a menu of the inspector that offers fitted shapes and convex pieces."""

from __future__ import annotations

from typing import Any

import numpy as np
from imgui_bundle import imgui

from ... import engine as mj
from ...engine.description.robots.fitting import DECOMPOSE
from .. import icons, widgets
from ..context import Context
from ..intents import ShapeGeoms

MESH = int(mj.mjtGeom.mjGEOM_MESH)
# (word of fitting.WAYS, title, tooltip)
WAYS = (
    ("auto", "Smallest shape", "The box, cylinder or capsule with the least volume around the mesh"),
    ("box", "Box", "The smallest box around the mesh, in any orientation"),
    ("cylinder", "Cylinder", "The smallest cylinder around the mesh"),
    ("capsule", "Capsule", "The smallest capsule around the mesh"),
    (DECOMPOSE, "Convex pieces", "Pieces that follow a hollow mesh; needs the package coacd"),
)
TITLE = f"{icons.SHAPES}  Collide as"


def colliding(m: Any) -> list[int]:
    """Return the mesh geoms that collide."""
    if not m.ngeom:
        return []
    collides = (np.asarray(m.geom_contype) | np.asarray(m.geom_conaffinity)) != 0
    return np.flatnonzero(collides & (np.asarray(m.geom_type) == MESH)).tolist()


def applies(m: Any, kind: str, i: int) -> bool:
    """Return whether an element is a mesh geom that collides."""
    if kind != "geom" or int(m.geom_type[i]) != MESH:
        return False
    return bool(int(m.geom_contype[i]) | int(m.geom_conaffinity[i]))


def submenu(ctx: Context, i: int) -> None:
    """Draw the entry for a geom in a menu, and its menu."""
    opened = imgui.begin_menu(TITLE)
    widgets.trace(TITLE)
    if not opened:
        widgets.tooltip("Replace this mesh by a simple shape or convex pieces in collisions")
        return
    menu(ctx, [i], "")
    others = colliding(ctx.m)
    if len(others) > 1 and imgui.begin_menu(f"All {len(others)} colliding meshes"):
        menu(ctx, others, "all")
        imgui.end_menu()
    imgui.end_menu()


def menu(ctx: Context, geoms: list[int], key: str) -> None:
    """Draw a menu with the shapes that can collide in place of mesh geoms."""
    for word, title, help in WAYS:
        if imgui.menu_item(f"{title}##{key}", "", False)[0]:
            ctx.emit(ShapeGeoms("geom", geoms[0], word, also=tuple(("geom", g) for g in geoms[1:])))
        widgets.tooltip(help)
        widgets.trace(f"{title}##{key}")
