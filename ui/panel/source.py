"""Source: the model's XML and what it includes, the error marked at its line; saving reloads the model."""

from __future__ import annotations

import os
import re
from typing import Any

from imgui_bundle import imgui
from imgui_bundle import imgui_color_text_edit as text_edit

from ui import icons, widgets
from ui.context import Context
from ui.intents import OpenEditor
from ui.names import name

SUFFIXES = (".xml", ".mjcf", ".urdf")


def draw(ctx: Context) -> None:
    files = texts(ctx)
    if not files:
        widgets.muted(ctx, "No source text")
        return
    path = _chosen(ctx, files)
    editor = _editor(ctx, path)
    _bar(ctx, files, path, editor)
    _mark(ctx, editor)
    kind = text_edit.TextEditor
    editor["widget"].set_palette(kind.get_light_palette() if ctx.theme.name == "light" else kind.get_dark_palette())
    if ctx.failure and ctx.failure.message:
        _error(ctx, editor)
    with widgets.font(ctx.fonts.mono):
        editor["widget"].render("##source")


def texts(ctx: Context) -> list[str]:
    """The main file first, then what it includes, then a file that only an error names."""
    found = [ctx.path, *ctx.files, ctx.failure.file if ctx.failure else ""]
    return list(dict.fromkeys(os.path.abspath(f) for f in found if f and f.lower().endswith(SUFFIXES) and os.path.exists(f)))


def _chosen(ctx: Context, files: list[str]) -> str:
    """The file on show: where the last error is, where a search led, or what was picked from the list."""
    numbers = ctx.scratch.numbers
    failure = (ctx.failure.file, ctx.failure.line, ctx.failure.message) if ctx.failure else None
    if failure != numbers.get("source_failure"):
        numbers["source_failure"] = failure
        if failure and os.path.abspath(failure[0]) in files:
            numbers["source_file"] = os.path.abspath(failure[0])
    if wanted := numbers.pop("source_find", None):
        place = find(files, *wanted)
        if place:
            numbers["source_file"], numbers["source_goto"] = place
    path = numbers.get("source_file", files[0])
    return path if path in files else files[0]


def find(files: list[str], kind: str, label: str) -> tuple[str, int] | None:
    """(file, line) of the first element with this name whose tag may be of this kind; any tag if none is."""
    named = re.compile(rf'<\s*([\w]+)[^<>]*?\bname\s*=\s*["\']{re.escape(label)}["\']')
    places = []
    for path in files:
        try:
            with open(path, encoding="utf-8") as file:
                text = file.read()
        except (OSError, UnicodeError):
            continue
        for hit in named.finditer(text):
            exact = hit[1].lower() in (kind, f"free{kind}", kind.removeprefix("camera") or kind)
            places.append((not exact, path, text.count("\n", 0, hit.start()) + 1))
    return min(places)[1:] if places else None


def _bar(ctx: Context, files: list[str], path: str, editor: dict[str, Any]) -> None:
    widget = editor["widget"]
    changed = widget.get_text().rstrip("\n") != editor["text"].rstrip("\n")
    imgui.begin_disabled(not changed)
    if widgets.button(f"{icons.SAVE}  Save", "the model reloads") and changed:
        write(path, widget.get_text())
        editor["stamp"], editor["text"] = _stamp(path), widget.get_text()
    imgui.end_disabled()
    imgui.same_line()
    imgui.begin_disabled(not changed)
    if widgets.button(f"{icons.UNDO}  Revert", "back to what the file holds"):
        editor["stamp"] = None
    imgui.end_disabled()
    imgui.same_line()
    if widgets.button(f"{icons.DETACH}  Open in editor", "", 0.0, "At the line of the error or of the cursor"):
        line = ctx.failure.line if ctx.failure and ctx.failure.line else widget.get_main_cursor_position().line + 1
        ctx.emit(OpenEditor(path, line))
    imgui.same_line()
    if ctx.view.selected > 0:
        if widgets.button(f"{icons.HAND}  Selected", "", 0.0, "Go to the selected body"):
            ctx.scratch.numbers["source_find"] = ("body", name(ctx.m, "body", ctx.view.selected))
        imgui.same_line()
    imgui.set_next_item_width(-1e-3)
    folder = os.path.dirname(files[0])
    if (new := widgets.choice("file", files.index(path), [os.path.relpath(f, folder) for f in files])) is not None:
        ctx.scratch.numbers["source_file"] = files[new]


def _error(ctx: Context, editor: dict[str, Any]) -> None:
    """The error in words; a click goes to its line."""
    failure = ctx.failure
    imgui.push_style_color(imgui.Col_.text, ctx.theme["bad"])
    place = f"line {failure.line}: " if failure.line else ""
    if imgui.selectable(f"{icons.WARNING}  {place}{ctx.failure_text.splitlines()[0]}##error", False)[0] and failure.line:
        ctx.scratch.numbers["source_file"] = os.path.abspath(failure.file)
        ctx.scratch.numbers["source_goto"] = failure.line
    imgui.pop_style_color()
    widgets.tooltip(failure.message)


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
    editors = ctx.scratch.numbers.setdefault("source", {})
    state = editors.get(path)
    if state is None:
        widget = text_edit.TextEditor()
        widget.set_show_whitespaces_enabled(False)
        editors[path] = state = {"path": path, "widget": widget, "stamp": None, "mark": None, "text": ""}
    if state["stamp"] != (stamp := _stamp(path)):
        state["stamp"], state["mark"] = stamp, None
        try:
            with open(path, encoding="utf-8") as file:
                state["text"] = file.read()
        except (OSError, UnicodeError):
            state["text"] = ""
        state["widget"].set_text(state["text"])
    return state


def _mark(ctx: Context, editor: dict[str, Any]) -> None:
    """Colour the line that the last error names, and go where somebody asked to go."""
    here = ctx.failure and ctx.failure.line and os.path.abspath(ctx.failure.file) == editor["path"]
    mark = (ctx.failure.line, ctx.failure.message) if here else None
    widget = editor["widget"]
    if mark != editor["mark"]:
        editor["mark"] = mark
        widget.clear_markers()
        if mark:
            color = ctx.theme.u32("bad", 0.35)
            widget.add_marker(mark[0] - 1, color, color, mark[1], mark[1])
            _go(widget, mark[0])
    if line := ctx.scratch.numbers.pop("source_goto", 0):
        _go(widget, line)


def _go(widget: Any, line: int) -> None:
    """Cursor to a line, line in the middle."""
    widget.set_cursor(text_edit.TextEditor.DocPos(line - 1, 0))
    widget.scroll_to_line(line - 1, text_edit.TextEditor.Scroll.align_middle)
