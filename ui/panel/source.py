"""Source: the model's XML with the error marked at its line; saving it reloads the model."""

from __future__ import annotations

import os
from typing import Any

from imgui_bundle import imgui
from imgui_bundle import imgui_color_text_edit as text_edit

from ui import icons, widgets
from ui.context import Context
from ui.intents import OpenEditor


def draw(ctx: Context) -> None:
    path = ctx.failure.file if ctx.failure else ctx.path
    if not path or not path.lower().endswith((".xml", ".mjcf", ".urdf")):
        widgets.muted(ctx, "No source text")
        return
    editor = _editor(ctx, path)
    if widgets.button(f"{icons.SAVE}  Save", "the model reloads"):
        write(path, editor["widget"].get_text())
        editor["stamp"] = _stamp(path)
    imgui.same_line()
    if widgets.button(f"{icons.DETACH}  Open in editor"):
        ctx.emit(OpenEditor(path, ctx.failure.line if ctx.failure else 0))
    imgui.same_line()
    widgets.muted(ctx, os.path.basename(path), wrap=False)
    _mark(ctx, editor)
    kind = text_edit.TextEditor
    editor["widget"].set_palette(kind.get_light_palette() if ctx.theme.name == "light" else kind.get_dark_palette())
    with widgets.font(ctx.fonts.mono):
        editor["widget"].render("##source")


def write(path: str, text: str) -> None:
    """Replace the file in one move, so that nobody reads half of it."""
    aside = f"{path}.part"
    with open(aside, "w", encoding="utf-8") as file:
        file.write(text.rstrip("\n") + "\n")
    os.replace(aside, path)


def _stamp(path: str) -> float:
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0


def _editor(ctx: Context, path: str) -> dict[str, Any]:
    """The editor of this file; the text is read again when the file has changed on disk."""
    state = ctx.scratch.numbers.get("source")
    if state is None or state["path"] != path:
        widget = text_edit.TextEditor()
        widget.set_show_whitespaces_enabled(False)
        ctx.scratch.numbers["source"] = state = {"path": path, "widget": widget, "stamp": None, "mark": None}
    if state["stamp"] != (stamp := _stamp(path)):
        state["stamp"] = stamp
        try:
            with open(path, encoding="utf-8") as file:
                state["widget"].set_text(file.read())
        except (OSError, UnicodeError):
            state["widget"].set_text("")
    return state


def _mark(ctx: Context, editor: dict[str, Any]) -> None:
    """Colour the line that the last error names, and go there once."""
    mark = (ctx.failure.line, ctx.failure.message) if ctx.failure and ctx.failure.line else None
    if mark == editor["mark"]:
        return
    editor["mark"] = mark
    widget = editor["widget"]
    widget.clear_markers()
    if mark:
        color = ctx.theme.u32("bad", 0.35)
        widget.add_marker(mark[0] - 1, color, color, mark[1], mark[1])
        widget.scroll_to_line(mark[0] - 1, text_edit.TextEditor.Scroll.align_middle)
