"""A tooltip for the object under a resting mouse in the 3D view. It shows name, kind and mass, and what a double click does."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from imgui_bundle import imgui

from .context import Context
from .element_names import name

# Seconds before the tooltip appears under a resting mouse, and between its updates. It is updated because objects may move.
REST, AGAIN = 0.4, 0.25


@dataclass
class Hover:
    """The position of the mouse, the time of the next search for an object, and the lines of the tooltip."""

    at: tuple[float, float] = (-1.0, -1.0)
    next: float = 0.0
    lines: list[str] = field(default_factory=list)


def draw(ctx: Context) -> None:
    """Draw the tooltip after the mouse has rested for a while."""
    state = ctx.scratch.of(Hover)
    now, mouse = time.perf_counter(), imgui.get_mouse_pos()
    if (mouse.x, mouse.y) != state.at or not _free(ctx, mouse.x, mouse.y):
        state.at, state.next, state.lines = (mouse.x, mouse.y), now + REST, []
    elif now >= state.next:
        x, y, w, h = ctx.view_rect
        state.next = now + AGAIN
        state.lines = lines(ctx, *ctx.view.under((mouse.x - x) / w, 1 - (mouse.y - y) / h))
    if state.lines and imgui.begin_tooltip():
        for i, line in enumerate(state.lines):
            imgui.text_colored(ctx.theme["text" if i == 0 else "muted"], line)
        imgui.end_tooltip()


def _free(ctx: Context, mouse_x: float, mouse_y: float) -> bool:
    """Return whether the mouse is over the view itself, not over a window, and no mouse button is pressed."""
    x, y, w, h = ctx.view_rect
    io = imgui.get_io()
    popup = imgui.is_popup_open("", imgui.PopupFlags_.any_popup_id | imgui.PopupFlags_.any_popup_level)
    inside = x <= mouse_x < x + w and y <= mouse_y < y + h
    return inside and not io.want_capture_mouse and not popup and not any(io.mouse_down[i] for i in range(3))


def titled(ctx: Context, kind: str, index: int) -> str:
    """Return the kind and name of an element. The title of an element without a name already contains its kind."""
    title = name(ctx.m, kind, index)
    return title if title.startswith(f"{kind} ") else f"{kind} {title}"


def lines(ctx: Context, kind: str, index: int, body: int) -> list[str]:
    """Return the lines of the tooltip for an element of a body; none if there is no element."""
    if body < 0:
        return []
    first = titled(ctx, kind, index)
    if body == 0:
        return [first, "Fixed to the world"]
    mass = f"{float(ctx.m.body_mass[body]):.4g} kg"
    second = mass if kind == "body" else f"Of {titled(ctx, 'body', body)}, {mass}"
    return [first, second, "Selected" if ctx.view.selected == body else "A double click selects the body"]
