"""In narrow windows, side columns are folded to a rail of icons. An icon opens its column over the view."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from imgui_bundle import ImVec2, imgui

from . import icons, reveal, widgets
from .context import Context

# Window widths, in text heights, below which a column is folded.
FOLDED = {"left": 56.0, "right": 42.0}
ICONS = {"left": (icons.TREE, "Explorer"), "right": (icons.SLIDERS, "Inspector")}
# Panels in each column. If one of them is to be revealed, the folded column opens.
REVEALS = {"left": ("explorer",), "right": ("element", "selection", "joint", "control", "equality", "sensors", "watch")}
# Width of the rail, and width of a column that is open over the view, in text heights.
WIDTH, COLUMN = 2.2, 18.0
_BAR = imgui.WindowFlags_.no_decoration | imgui.WindowFlags_.no_saved_settings | imgui.WindowFlags_.no_docking
_OVER = imgui.WindowFlags_.no_title_bar | imgui.WindowFlags_.no_saved_settings | imgui.WindowFlags_.no_docking


@dataclass
class Opened:
    """The side of the column that is open over the view; empty if there is none."""

    side: str = ""


def folded(ctx: Context, side: str) -> bool:
    """Return whether the column on this side is folded to an icon of the rail."""
    if ctx.settings["workspace"] == "classic":
        return False
    return imgui.get_main_viewport().size.x < FOLDED[side] * ctx.em


def draw(ctx: Context) -> None:
    """Draw the rail at the left edge if a column is folded."""
    sides = [side for side in FOLDED if ctx.settings[side] and folded(ctx, side)]
    if not sides:
        ctx.scratch.of(Opened).side = ""
        return
    state = ctx.scratch.of(Opened)
    imgui.push_style_var(imgui.StyleVar_.window_padding, ImVec2(widgets.em(0.2), widgets.em(0.3)))
    if imgui.internal.begin_viewport_side_bar(
        "##rail", imgui.get_main_viewport(), imgui.Dir.left, float(round(widgets.em(WIDTH))), _BAR
    ):
        for side in sides:
            icon, title = ICONS[side]
            on = state.side == side
            imgui.push_style_color(imgui.Col_.text, ctx.theme["accent" if on else "text"])
            if imgui.button(f"{icon}##{side}", ImVec2(-1e-3, widgets.em(WIDTH - 0.4))):
                state.side = "" if on else side
            imgui.pop_style_color()
            widgets.tooltip(f"{title}   {ctx.hint(side)}")
    imgui.end()
    imgui.pop_style_var()


def opened(ctx: Context, side: str, body: Callable[[], None]) -> None:
    """Draw a folded column over the view if it is open. `body` draws its contents."""
    if not ctx.settings[side] or not folded(ctx, side):
        return
    if any(reveal.wanted(ctx, name) for name in REVEALS[side]):
        ctx.scratch.of(Opened).side = side
        if reveal.wanted(ctx, "explorer"):
            # Unlike a section, the explorer does not report when it comes into view, so report it here.
            reveal.done(ctx)
    if ctx.scratch.of(Opened).side != side:
        return
    x, y, w, h = ctx.view_rect
    imgui.set_next_window_pos(ImVec2(x, y))
    imgui.set_next_window_size(ImVec2(min(w, widgets.em(COLUMN)), h))
    if imgui.begin(f"##over_{side}", None, _OVER):
        body()
    imgui.end()
