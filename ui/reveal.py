"""What was asked for comes into view and flashes: a panel, or one row of it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from imgui_bundle import ImVec2, imgui

from . import slider_keys
from .context import Context, Filters, Scratch

FLASH_SECONDS = 0.7
# where a revealed row comes to lie, as a share of the window's height
ROW_AT = 0.35
# frames in which a list scrolls to a row
FRAMES = 4
# panel that shows an element of a kind; all others show their fields
SHOWN_IN = {"body": "selection", "joint": "joint", "actuator": "control", "sensor": "sensors", "equality": "equality"}
# panels whose first slider gets the keys when they are asked for
SLIDERS = ("joint", "control")
# panels that scroll to a row of theirs
ROWED = ("joint", "control", "sensors", "equality", "watch")


@dataclass
class Asked:
    """The panel and the row (panel, row) that are to come into view; frames in which a list still scrolls to the row; when
    what flashes began to.
    """

    panel: str | None = None
    row: tuple[str, Any] | None = None
    frames: int = FRAMES
    flashes: dict[Any, float] = field(default_factory=dict)


def ask(scratch: Scratch, panel: str) -> None:
    """The panel is to come into view."""
    asked = scratch.of(Asked)
    asked.panel = panel
    asked.flashes[panel] = time.perf_counter()


def ask_row(scratch: Scratch, panel: str, row: Any) -> None:
    """One row of a panel is to come into view, with the panel."""
    ask(scratch, panel)
    asked = scratch.of(Asked)
    asked.row = panel, row
    asked.flashes[panel, row] = asked.flashes.pop(panel)
    # a filter would hide it
    scratch.of(Filters).texts.pop(panel, None)


def flashing(scratch: Scratch) -> bool:
    """Whether something flashes still, or has to be drawn once more without."""
    begun = scratch.of(Asked).flashes
    # rows out of sight are never drawn, so their flash is ended here
    for key in [key for key, at in begun.items() if time.perf_counter() - at > 2 * FLASH_SECONDS]:
        del begun[key]
    return bool(begun)


def wanted(ctx: Context, panel: str) -> bool:
    """Whether a panel was asked for and has not come into view yet."""
    return ctx.scratch.of(Asked).panel == panel


def done(ctx: Context) -> None:
    """The panel that was asked for is in view."""
    ctx.scratch.of(Asked).panel = None


def came(ctx: Context, panel: str) -> None:
    """The panel's head was just drawn: scroll there, unless one of its rows was asked for."""
    if wanted(ctx, panel):
        done(ctx)
        if panel in SLIDERS:
            slider_keys.want()
        row = ctx.scratch.of(Asked).row
        if row is None or row[0] != panel:
            imgui.set_scroll_here_y(0.0)
    flash(ctx, panel, imgui.get_item_rect_min(), imgui.get_item_rect_max())


def scroll(ctx: Context, panel: str, rows: list, height: float) -> None:
    """Before a list of equally high rows is drawn: scroll to the one that was asked for."""
    asked = ctx.scratch.of(Asked)
    row = asked.row
    if row is None or row[0] != panel:
        return
    # sections above it may get their height in the frames to come
    asked.frames -= 1
    if asked.frames <= 0:
        asked.row, asked.frames = None, FRAMES
    if row in asked.flashes:
        # it flashes once it has come to rest
        asked.flashes[row] = time.perf_counter()
    if row[1] in rows:
        imgui.set_scroll_from_pos_y(
            imgui.get_cursor_pos_y() - imgui.get_scroll_y() + (rows.index(row[1]) + 0.5) * height, ROW_AT
        )


def here(ctx: Context, panel: str, which: Any) -> None:
    """The row that was just drawn, of whatever height, comes into view if it was asked for, and flashes."""
    asked = ctx.scratch.of(Asked)
    if asked.row == (panel, which):
        asked.row = None
        imgui.set_scroll_here_y(ROW_AT)
    row(ctx, panel, which)


def row(ctx: Context, panel: str, which: Any) -> None:
    """After a row was drawn: flash over the line that it fills."""
    if (panel, which) not in ctx.scratch.of(Asked).flashes:
        return
    left, low, high = imgui.get_window_pos().x, imgui.get_item_rect_min(), imgui.get_item_rect_max()
    flash(ctx, (panel, which), ImVec2(left, low.y), ImVec2(left + imgui.get_window_width(), high.y))


def window(ctx: Context, panel: str) -> None:
    """In a panel's own window: a frame around it."""
    low, size = imgui.get_window_pos(), imgui.get_window_size()
    flash(ctx, panel, low, ImVec2(low.x + size.x, low.y + size.y), False)


def flash(ctx: Context, key: Any, low: Any, high: Any, filled: bool = True) -> None:
    """A colour that fades over a rectangle of the current window."""
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
