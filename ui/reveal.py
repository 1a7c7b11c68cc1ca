"""Reveals a requested panel, or a row of it: it scrolls into view and flashes."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from imgui_bundle import ImVec2, imgui

from . import slider_keys
from .context import Context, Filters, Scratch

FLASH_SECONDS = 0.7
# Vertical position of a revealed row, as a fraction of the window's height.
ROW_AT = 0.35
# Number of frames for which a list keeps scrolling to a row.
FRAMES = 4
# {kind: panel that lists its elements}; the panel `element` shows elements of other kinds
SHOWN_IN = {"joint": "joint", "actuator": "control", "sensor": "sensors", "equality": "equality"}
# Panels whose first slider gets the keyboard focus when they are revealed.
SLIDERS = ("joint", "control")
# Panels that can scroll to one of their rows.
ROWED = ("joint", "control", "sensors", "equality", "watch")


@dataclass
class Asked:
    """Pending requests: the panel to reveal, the (panel, row) to reveal, the remaining frames of scrolling, and the start time
    of each flash.
    """

    panel: str | None = None
    row: tuple[str, Any] | None = None
    frames: int = FRAMES
    flashes: dict[Any, float] = field(default_factory=dict)


def ask(scratch: Scratch, panel: str) -> None:
    """Request that a panel is revealed."""
    asked = scratch.of(Asked)
    asked.panel = panel
    asked.flashes[panel] = time.perf_counter()


def ask_row(scratch: Scratch, panel: str, row: Any) -> None:
    """Request that a panel is revealed, and scrolls to one of its rows."""
    ask(scratch, panel)
    asked = scratch.of(Asked)
    asked.row = panel, row
    asked.flashes[panel, row] = asked.flashes.pop(panel)
    # Clear the panel's filter, which could hide the row.
    scratch.of(Filters).texts.pop(panel, None)


def flashing(scratch: Scratch) -> bool:
    """Return whether something is flashing, or another frame is needed to remove a flash."""
    begun = scratch.of(Asked).flashes
    # The flash of a row outside the window is never drawn, so end it here.
    for key in [key for key, at in begun.items() if time.perf_counter() - at > 2 * FLASH_SECONDS]:
        del begun[key]
    return bool(begun)


def wanted(ctx: Context, panel: str) -> bool:
    """Return whether a panel is requested, but has not come into view yet."""
    return ctx.scratch.of(Asked).panel == panel


def done(ctx: Context) -> None:
    """Record that the requested panel has come into view."""
    ctx.scratch.of(Asked).panel = None


def came(ctx: Context, panel: str) -> None:
    """Call this after drawing the header of a panel. If the panel is requested, scroll to it, unless one of its rows is
    requested.
    """
    if wanted(ctx, panel):
        done(ctx)
        if panel in SLIDERS:
            slider_keys.want()
        row = ctx.scratch.of(Asked).row
        if row is None or row[0] != panel:
            imgui.set_scroll_here_y(0.0)
    flash(ctx, panel, imgui.get_item_rect_min(), imgui.get_item_rect_max())


def scroll(ctx: Context, panel: str, rows: list, height: float) -> None:
    """Scroll to the requested row of a panel. Call this before drawing its list of rows, which all have the same height."""
    asked = ctx.scratch.of(Asked)
    row = asked.row
    if row is None or row[0] != panel:
        return
    # Scroll again in the next frames, because sections above the list may change their height.
    asked.frames -= 1
    if asked.frames <= 0:
        asked.row, asked.frames = None, FRAMES
    if row in asked.flashes:
        # Start the flash only when the scrolling ends.
        asked.flashes[row] = time.perf_counter()
    if row[1] in rows:
        imgui.set_scroll_from_pos_y(
            imgui.get_cursor_pos_y() - imgui.get_scroll_y() + (rows.index(row[1]) + 0.5) * height, ROW_AT
        )


def here(ctx: Context, panel: str, which: Any) -> None:
    """Call this after drawing a row of any height. If the row is requested, scroll to it and make it flash."""
    asked = ctx.scratch.of(Asked)
    if asked.row == (panel, which):
        asked.row = None
        imgui.set_scroll_here_y(ROW_AT)
    row(ctx, panel, which)


def row(ctx: Context, panel: str, which: Any) -> None:
    """Call this after drawing a row. If the row is flashing, draw the flash over its whole line."""
    if (panel, which) not in ctx.scratch.of(Asked).flashes:
        return
    left, low, high = imgui.get_window_pos().x, imgui.get_item_rect_min(), imgui.get_item_rect_max()
    flash(ctx, (panel, which), ImVec2(left, low.y), ImVec2(left + imgui.get_window_width(), high.y))


def window(ctx: Context, panel: str) -> None:
    """If a panel in a separate window is flashing, draw the flash as a frame around the window."""
    low, size = imgui.get_window_pos(), imgui.get_window_size()
    flash(ctx, panel, low, ImVec2(low.x + size.x, low.y + size.y), False)


def flash(ctx: Context, key: Any, low: Any, high: Any, filled: bool = True) -> None:
    """Draw a fading colour over a rectangle of the current window, or as a frame around it."""
    flashes = ctx.scratch.of(Asked).flashes
    begun = flashes.get(key)
    if begun is None:
        return
    title = key if isinstance(key, str) else f"{key[0]} {key[1]}"
    left = 1 - (time.perf_counter() - begun) / FLASH_SECONDS
    if left <= 0:
        del flashes[key]
        if ctx.seen is not None:
            ctx.seen.flashes.pop(title, None)
        return
    if ctx.seen is not None:
        ctx.seen.flashes[title] = [low.x, low.y, high.x - low.x, high.y - low.y]
    draw, radius = imgui.get_window_draw_list(), imgui.get_style().frame_rounding
    if filled:
        draw.add_rect_filled(low, high, ctx.theme.u32("accent", 0.35 * left), radius)
    draw.add_rect(low, high, ctx.theme.u32("accent", left), radius, 2.0)
