"""Reload panel: which states the last reload kept and which it lost, and which values of the model changed."""

from __future__ import annotations

from imgui_bundle import imgui

from .. import widgets
from ..context import Context
from ..element_names import KINDS
from ..intents import SelectElement


def draw(ctx: Context) -> None:
    if ctx.account is None:
        widgets.muted(ctx, "Nothing has been reloaded yet")
        return
    when, report, changes = ctx.account
    if report is None:
        widgets.muted(ctx, f"{when}: loaded; the simulation restarted")
    else:
        widgets.muted(ctx, f"{when}: state kept for {report.kept} elements")
        for title, rows, color in (
            ("Renamed: carried over", report.renamed, "good"),
            ("Not carried over: removed from the model", report.lost, "warn"),
            ("New: start from the initial state", report.added, "accent"),
        ):
            if rows:
                _list(ctx, title, rows, color)
    _changes(ctx, changes)


def _list(ctx: Context, title: str, rows: tuple[str, ...], color: str) -> None:
    imgui.push_style_color(imgui.Col_.text, ctx.theme[color])
    opened = imgui.tree_node_ex(f"{title} ({len(rows)})###{title}", imgui.TreeNodeFlags_.default_open)
    imgui.pop_style_color()
    if opened:
        for i in widgets.clip(len(rows)):
            imgui.text_unformatted(rows[i])
        imgui.tree_pop()


def _changes(ctx: Context, changes: list) -> None:
    text = widgets.filter_box(ctx, "changes", f"Filter {len(changes)} changed values")
    shown = [c for c in changes if widgets.matches(text, f"{c.kind} {c.name} {c.field}")]
    flags = (
        imgui.TableFlags_.row_bg
        | imgui.TableFlags_.scroll_y
        | imgui.TableFlags_.resizable
        | imgui.TableFlags_.sizing_stretch_prop
    )
    if not shown or not imgui.begin_table("##changes", 3, flags):
        return

    for title in ("Element", "Field", "Old -> new"):
        imgui.table_setup_column(title)
    imgui.table_setup_scroll_freeze(0, 1)
    imgui.table_headers_row()

    for i in widgets.clip(len(shown)):
        change = shown[i]
        imgui.table_next_row()
        imgui.table_next_column()
        if imgui.selectable(f"{change.kind} {change.name}##{i}", False)[0] and change.kind in KINDS:
            ctx.emit(SelectElement(change.kind, change.index))
        imgui.table_next_column()
        imgui.text_unformatted(change.field)
        imgui.table_next_column()
        with widgets.font(ctx.fonts.mono):
            imgui.text_unformatted(change.text)

    imgui.end_table()
