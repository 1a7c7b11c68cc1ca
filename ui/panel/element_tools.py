"""The row of tools above an element's fields: the filter, and icons for actions on the element."""

from __future__ import annotations

from imgui_bundle import imgui

from .. import gizmo, icons, live, widgets
from ..context import Context
from ..element_names import name
from ..intents import Recompute, SetSetting, ShowPanel, WriteSource
from . import collision_shapes, explorer
from .source import Texts

# {value of the setting: its title}
MODES = {"off": "No handles", "move": "Move", "turn": "Turn", "scale": "Scale"}
AXES = {"world": "Axes of the world", "own": "Axes of the element"}
# Filters narrower than this (in text heights) have a shorter hint.
NARROW = 7.5


def draw(ctx: Context, kind: str, i: int) -> str:
    """Draw the row. Return the text of the filter, in lower case."""
    movable, script = gizmo.shown(ctx.m, "move", kind, i), ctx.passive
    tools = 2 + movable + (not script)
    room = imgui.get_content_region_avail().x - tools * (imgui.get_frame_height() + _gap())
    hint = "Filter fields" if room > widgets.em(NARROW) else "Filter"
    text = widgets.filter_box(ctx, "element", hint, room)
    if movable:
        _handles(ctx)
    if not script and _icon(icons.SAVE, "write", f"Write the changes to the source. {live.HELP}"):
        ctx.emit(WriteSource(kind, i))
    if _icon(icons.EYE, "look", "Show, fade, hide or isolate it"):
        imgui.open_popup("look")
    if imgui.begin_popup("look"):
        explorer.menu(ctx, kind, i)
        imgui.end_popup()
    if _icon(icons.MORE, "more", "More"):
        imgui.open_popup("more")
    if imgui.begin_popup("more"):
        _more(ctx, kind, i)
        imgui.end_popup()
    return text


def _gap() -> float:
    return 0.5 * imgui.get_style().item_spacing.x


def _icon(icon: str, key: str, help: str) -> bool:
    """Draw a square button on the line of the last item."""
    imgui.same_line(0, _gap())
    return widgets.icon(icon, key, help)


def _handles(ctx: Context) -> None:
    """Draw the button whose menu chooses the handles in the view. It is tinted while there are handles."""
    mode, axes = ctx.settings["gizmo"], ctx.settings["gizmo_axes"]
    if mode != "off":
        imgui.push_style_color(imgui.Col_.text, ctx.theme["accent"])
    pressed = _icon(icons.MOVE, "handles", "Handles in the view that move, turn or scale it; Ctrl makes steps")
    if mode != "off":
        imgui.pop_style_color()
    if pressed:
        imgui.open_popup("handles")
    if imgui.begin_popup("handles"):
        for key, title in MODES.items():
            if imgui.menu_item(title, ctx.hint(f"gizmo_{key}"), mode == key)[0]:
                ctx.emit(SetSetting("gizmo", key))
            widgets.trace(title)
        imgui.separator()
        for key, title in AXES.items():
            if imgui.menu_item(title, "", axes == key, mode in ("move", "turn"))[0]:
                ctx.emit(SetSetting("gizmo_axes", key))
        imgui.end_popup()


def _more(ctx: Context, kind: str, i: int) -> None:
    """Draw the menu of less common actions."""
    if imgui.menu_item(f"{icons.CODE}  Show in source", "", False)[0]:
        ctx.scratch.of(Texts).find = (kind, name(ctx.m, kind, i))
        ctx.emit(ShowPanel("source", True))
    widgets.tooltip("Show the line of the XML that names it")
    if imgui.menu_item("Recompute derived values", "", False)[0]:
        ctx.emit(Recompute())
    widgets.tooltip("Update subtree masses, inverse weights and lengths after edits")
    widgets.trace("Recompute derived values")
    if collision_shapes.applies(ctx.m, kind, i):
        imgui.separator()
        collision_shapes.submenu(ctx, i)
