"""The view axes at the top right of the view. Clicking an axis aligns the view with it; dragging rotates the view."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from imgui_bundle import ImVec2, imgui

from ..render.scene import mjv_averageCamera
from . import overlay, widgets
from .context import Context
from .intents import PlaceCamera

# Size of the axes, length of an arm, size of a ball, and half the size of the button in the middle, in text heights.
SIZE, ARM, BALL, MIDDLE = 5.4, 1.9, 0.58, 0.42
# A view with a smaller width or height than this (in text heights) has no room for the axes.
ROOM = 16.0
COLORS = ("bad", "good", "accent")
# For each axis: azimuth and elevation of a free camera that looks from the positive end, and from the negative end.
LOOKS = (((180.0, 0.0), (0.0, 0.0)), ((-90.0, 0.0), (90.0, 0.0)), ((90.0, -90.0), (90.0, 90.0)))
# Rotation of the view in degrees for a drag across the axes, and pixels that the mouse may move during a click.
TURN, STILL = 180.0, 3.0
FREE = 0
_FLAGS = (
    imgui.WindowFlags_.no_decoration
    | imgui.WindowFlags_.no_background
    | imgui.WindowFlags_.no_docking
    | imgui.WindowFlags_.no_saved_settings
    | imgui.WindowFlags_.no_focus_on_appearing
    | imgui.WindowFlags_.no_nav
    # behind floating windows
    | imgui.WindowFlags_.no_bring_to_front_on_focus
)


@dataclass
class Press:
    """The axis end on which the mouse button was pressed, whether the mouse has been dragged since then, and whether the mouse
    rests on the axes.
    """

    end: str = ""
    dragged: bool = False
    rests: bool = False


def draw(ctx: Context) -> None:
    """Draw the axes and handle clicks and drags on them."""
    x, _y, _w, h = ctx.view_rect
    right = overlay.free_right(ctx)
    if ctx.view.scn is None or ctx.view.scn.camera[0].frustum_near <= 0 or min(right - x, h) < ROOM * ctx.em:
        return
    size = SIZE * ctx.em
    imgui.set_next_window_pos(ImVec2(right - size - 0.3 * ctx.em, ctx.view_rect[1] + 0.3 * ctx.em))
    imgui.set_next_window_size(ImVec2(size, size))
    imgui.push_style_var(imgui.StyleVar_.window_padding, ImVec2(0, 0))
    imgui.begin("##axes", None, _FLAGS)
    low = imgui.get_cursor_screen_pos()
    imgui.invisible_button("##turn", ImVec2(size, size))
    center = np.array([low.x + 0.5 * size, low.y + 0.5 * size])
    ends = projected(mjv_averageCamera(*ctx.view.scn.camera))
    mouse = imgui.get_mouse_pos()
    over = under(ends, center, ctx.em, mouse.x, mouse.y) if imgui.is_item_hovered() else ""
    _shapes(ctx, ends, center, over)
    _act(ctx, over)
    imgui.end()
    imgui.pop_style_var()
    # A tooltip gets its padding from the style, so draw it last.
    if over and ctx.scratch.of(Press).rests:
        imgui.set_tooltip("Perspective or orthographic" if over == "middle" else f"Look from {over.upper()}")


def projected(camera: Any) -> list[tuple[str, float, float, float]]:
    """Return the six ends of the axes, farthest first, as (name, x, y (down), nearness). The numbers are from -1 to 1."""
    forward, up = np.asarray(camera.forward, float), np.asarray(camera.up, float)
    across = np.cross(forward, up)
    ends = []
    for axis, name in enumerate("xyz"):
        for sign in (1, -1):
            way = sign * np.eye(3)[axis]
            ends.append((f"{'+' if sign > 0 else '-'}{name}", float(way @ across), -float(way @ up), -float(way @ forward)))
    return sorted(ends, key=lambda end: end[3])


def under(ends: list[tuple[str, float, float, float]], center: np.ndarray, em: float, x: float, y: float) -> str:
    """Return the nearest end at a point of the window, `middle` for the button, or an empty string."""
    for name, across, down, _near in reversed(ends):
        at = center + ARM * em * np.array([across, down])
        if np.hypot(x - at[0], y - at[1]) <= BALL * em:
            return name
    return "middle" if np.hypot(x - center[0], y - center[1]) <= MIDDLE * em else ""


def look(name: str) -> tuple[float, float]:
    """Return azimuth and elevation of a camera that looks from this end of an axis toward the center."""
    return LOOKS["xyz".index(name[1])][name[0] == "-"]


def _shapes(ctx: Context, ends: list[tuple[str, float, float, float]], center: np.ndarray, over: str) -> None:
    """Draw arms and balls, the farthest first. Axes that point away from the camera are paler."""
    canvas, middle = imgui.get_window_draw_list(), ImVec2(*center)
    for name, across, down, near in ends:
        at = center + ARM * ctx.em * np.array([across, down])
        color = ctx.theme.u32(COLORS["xyz".index(name[1])], 0.55 + 0.45 * near if near < 0 else 1.0)
        positive = name[0] == "+"
        if positive:
            canvas.add_line(middle, ImVec2(*at), color, 0.14 * ctx.em)
        radius = BALL * ctx.em * (1.0 if positive or name == over else 0.62)
        canvas.add_circle_filled(ImVec2(*at), radius, color)
        if positive or name == over:
            text = name[1].upper() if positive else f"-{name[1].upper()}"
            wide = imgui.calc_text_size(text)
            canvas.add_text(ImVec2(at[0] - 0.5 * wide.x, at[1] - 0.5 * wide.y), ctx.theme.u32("background"), text)
    if over == "middle":
        canvas.add_circle(middle, MIDDLE * ctx.em, ctx.theme.u32("text"), 0, 1.5)


def _act(ctx: Context, over: str) -> None:
    """Handle the mouse. A drag rotates the view; a click aligns it with an axis or changes the projection."""
    state, cam = ctx.scratch.of(Press), ctx.view.cam
    if imgui.is_item_activated():
        state.end, state.dragged = over, False
    delta = imgui.get_io().mouse_delta
    # The frame in which the button is released has the last motion of the drag.
    last = imgui.is_item_deactivated() and state.dragged
    if last or imgui.is_item_active() and (state.dragged or imgui.is_mouse_dragging(0, STILL)):
        state.dragged = True
        share = TURN / (SIZE * ctx.em)
        elevation = min(max(float(cam.elevation) - share * delta.y, -90.0), 90.0)
        if delta.x or delta.y:
            _place(ctx, float(cam.azimuth) - share * delta.x, elevation)
    if imgui.is_item_deactivated() and not state.dragged and over == state.end:
        if over == "middle":
            ctx.emit(PlaceCamera({"orthographic": int(not cam.orthographic)}))
        elif over:
            _place(ctx, *look(over))
    state.rests = widgets.resting() and not imgui.is_item_active()


def _place(ctx: Context, azimuth: float, elevation: float) -> None:
    ctx.emit(PlaceCamera({"type": FREE, "fixedcamid": -1, "trackbodyid": -1, "azimuth": azimuth, "elevation": elevation}))
