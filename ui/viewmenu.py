"""The menu that a right click in the 3D view opens."""

from __future__ import annotations

import time
from dataclasses import dataclass

from imgui_bundle import imgui

from . import icons, plotting, widgets
from .context import Context
from .element_names import name
from .intents import DeleteElement, DuplicateElement, Frame, SelectElement, SetLook, ShowPanel
from .panel.source import Texts

# Seconds to wait before the menu opens, because a double click has another meaning.
PAUSE = 0.3


@dataclass
class Clicked:
    """The body and the geom that were clicked; the geom is -1 if there is none."""

    body: int = 0
    geom: int = -1


def draw(ctx: Context) -> None:
    """Open the menu when it is due, and draw it as long as it is open."""
    asked = ctx.view.menu
    if asked is not None and time.perf_counter() - asked[0] > PAUSE:
        ctx.view.menu = None
        ctx.scratch.of(Clicked).body, ctx.scratch.of(Clicked).geom = asked[1:]
        imgui.open_popup("##view menu")
    if not imgui.begin_popup("##view menu"):
        return
    clicked = ctx.scratch.of(Clicked)
    body, geom = clicked.body, clicked.geom
    if body >= ctx.m.nbody or geom >= ctx.m.ngeom:
        imgui.close_current_popup()
    else:
        _rows(ctx, body, geom)
    imgui.end_popup()


def _rows(ctx: Context, body: int, geom: int) -> None:
    kind, index = ("geom", geom) if geom >= 0 else ("body", body)
    title = name(ctx.m, kind, index)

    # The title of an element without a name already contains its kind.
    imgui.text_colored(ctx.theme["accent"], title if title.startswith(f"{kind} ") else f"{kind} {title}")
    if kind == "geom":
        imgui.text_colored(ctx.theme["muted"], f"Of body {name(ctx.m, 'body', body)}, {float(ctx.m.body_mass[body]):.4g} kg")
    imgui.separator()
    if widgets.menu_row(icons.HAND, "Select"):
        ctx.emit(SelectElement(kind, index))
        ctx.emit(ShowPanel("element", True))
    if widgets.menu_row(icons.CAMERA, "Frame"):
        ctx.emit(SelectElement(kind, index))
        ctx.emit(Frame())

    for word, mode, icon in (
        ("Hide", "hide", icons.HIDE),
        ("Fade", "ghost", icons.GHOST),
        ("Hide all others", "only", icons.EYE),
    ):
        if widgets.menu_row(icon, word):
            ctx.emit(SetLook(mode, kind, index))

    imgui.separator()
    if widgets.menu_row(icons.CODE, "Show in source"):
        ctx.scratch.of(Texts).find = (kind, title)
        ctx.emit(ShowPanel("source", True))
    # The world cannot be copied or deleted, and a script's model has no text.
    if (kind, index) != ("body", 0) and not ctx.passive:
        for word, make, icon in (("Duplicate", DuplicateElement, icons.COPY), ("Delete", DeleteElement, icons.CLOSE)):
            if widgets.menu_row(icon, word):
                ctx.emit(make(kind, index))
            widgets.trace(word)

    imgui.separator()
    if geom >= 0:
        plotting.menu(ctx, plotting.of_geom(ctx.m, geom))
    opened = imgui.internal.begin_menu_ex("Plot the body", icons.CHART)
    if not opened:
        widgets.trace("Plot the body")
        return
    plotting.menu(ctx, [(f"{text} of body", which) for text, which in plotting.of_body(ctx.m, body)])
    imgui.end_menu()
