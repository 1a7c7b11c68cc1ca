"""Keyboard panel: a searchable list of all chords, which the user can change."""

from dataclasses import dataclass
from typing import Any

from imgui_bundle import imgui

from .. import icons, widgets
from ..context import Context
from ..intents import Rebind


@dataclass
class Rebinding:
    """The action to which the next pressed chord is assigned; empty if there is none."""

    action: str = ""


def draw(ctx: Context) -> None:
    text = widgets.filter_box(ctx, "keys", "Find an action or a key")
    flags = imgui.TableFlags_.row_bg | imgui.TableFlags_.scroll_y | imgui.TableFlags_.sizing_stretch_prop
    if not imgui.begin_table("##keys", 3, flags):
        return
    for title, weight in (("Action", 3.0), ("Group", 2.0), ("Key", 2.4)):
        imgui.table_setup_column(title, imgui.TableColumnFlags_.width_stretch, weight)
    imgui.table_setup_scroll_freeze(0, 1)
    imgui.table_headers_row()
    actions = [a for a in ctx.keys.actions.values() if widgets.matches(text, f"{a.title} {a.group} {ctx.hint(a.id)}")]
    for row in widgets.clip(len(actions), imgui.get_frame_height() + 2 * imgui.get_style().cell_padding.y):
        with widgets.ident(actions[row].id):
            _row(ctx, actions[row])
    imgui.end_table()


def _row(ctx: Context, action: Any) -> None:
    imgui.table_next_row()
    imgui.table_next_column()
    imgui.align_text_to_frame_padding()
    imgui.text_unformatted(action.title)
    imgui.table_next_column()
    widgets.muted(ctx, action.group, wrap=False)
    imgui.table_next_column()
    waiting = ctx.scratch.of(Rebinding).action == action.id
    label = "Press a key..." if waiting else ctx.hint(action.id) or "none"
    if imgui.button(label, (imgui.get_content_region_avail().x - 2 * widgets.em(1.9), 0)):
        ctx.scratch.of(Rebinding).action = "" if waiting else action.id
    imgui.same_line(0, widgets.em(0.2))
    if widgets.button(icons.CLOSE, help="No key"):
        ctx.emit(Rebind(action.id, ""))
    imgui.same_line(0, widgets.em(0.2))
    if action.id in ctx.keys.changes and widgets.button(icons.UNDO, help=f"Back to {action.chord or 'none'}"):
        ctx.emit(Rebind(action.id, None))
