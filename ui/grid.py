"""A ground grid with a length unit, for models without a ground: it shows orientation and sizes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from imgui_bundle import ImVec2, imgui

from .. import engine as mj
from .arithmetic import round_step
from .context import Context
from .shapes import lines

PLANE, FIELD = int(mj.mjtGeom.mjGEOM_PLANE), int(mj.mjtGeom.mjGEOM_HFIELD)
# Distance from the grid's center to its edge: in cells, and in multiples of the model's extent.
CELLS, REACH = 10, 2.0
# Colors of lines, of every fifth line, and of the x and y axes.
THIN, FIFTH = (0.5, 0.5, 0.5, 0.35), (0.6, 0.6, 0.6, 0.6)
AXES = ((0.8, 0.3, 0.3, 0.9), (0.3, 0.7, 0.3, 0.9))


@dataclass
class Lines:
    """The grid of a model."""

    m: Any = None
    height: float = 0.0
    shapes: tuple = ()


def wanted(ctx: Context) -> bool:
    """Return whether to draw the grid. The setting `auto` draws it if the model has no other ground."""
    mode = ctx.settings["grid"]
    if ctx.m is None or mode == "off":
        return False
    return mode == "on" or not np.isin(np.asarray(ctx.m.geom_type), (PLANE, FIELD)).any()


def cell(m: Any) -> float:
    """Return the width of a cell, rounded to a simple length."""
    return round_step(max(REACH * float(m.stat.extent) / CELLS, 1e-9))


def shapes(ctx: Context) -> tuple:
    """Return the lines of the grid, created once for each model."""
    if not wanted(ctx):
        return ()
    kept = ctx.scratch.of(Lines)
    height = ground(ctx)
    if kept.m is not ctx.m or kept.height != height:
        kept.m, kept.height, kept.shapes = ctx.m, height, made(cell(ctx.m), height)
    return kept.shapes


def ground(ctx: Context) -> float:
    """Return the height of the grid: the height of the floor that the view adds, or 0 if there is none."""
    stage = ctx.view.stage
    return stage.height if ctx.view.staged and stage is not None and stage.floor else 0.0


def made(step: float, height: float = 0.0) -> tuple:
    """Return lines at all multiples of a step, and the axes."""
    at, rim = step * np.arange(-CELLS, CELLS + 1), step * CELLS
    fifth = np.arange(-CELLS, CELLS + 1) % 5
    out = []
    for rows, color in ((at[fifth != 0], THIN), (at[(fifth == 0) & (at != 0)], FIFTH)):
        ends = [point for x in rows for point in ((x, -rim, height), (x, rim, height), (-rim, x, height), (rim, x, height))]
        out.append(lines(np.array(ends), 1.0, color, strip=False))
    up = np.array((0.0, 0.0, height))
    out += [
        lines(np.array([up - rim * way, up + rim * way]), 1.6, color) for way, color in zip(np.eye(3)[:2], AXES, strict=True)
    ]
    return tuple(out)


def draw(ctx: Context) -> None:
    """Write the width of a cell in the lower right corner of the view."""
    if not wanted(ctx):
        return
    x, y, w, h = ctx.view_rect
    step = cell(ctx.m)
    text = f"cell {step:g} m" if step >= 0.01 else f"cell {1000 * step:g} mm"
    size = imgui.calc_text_size(text)
    at = ImVec2(x + w - size.x - 0.6 * ctx.em, y + h - size.y - 0.4 * ctx.em)
    imgui.get_background_draw_list().add_text(at, ctx.theme.u32("muted"), text)
