"""Console panel: messages about loading and saving, warnings, and errors."""

import os
from typing import Any

from imgui_bundle import imgui

from .. import icons, widgets
from ..context import Context, LogLine
from ..intents import CopyText, OpenEditor

COLOR = {"info": "muted", "warning": "warn", "error": "bad"}
ICON = {"info": icons.INFO, "warning": icons.WARNING, "error": icons.ERROR}


def draw(ctx: Context) -> None:
    if widgets.button("Clear"):
        ctx.log.clear()
    imgui.same_line()
    if widgets.button(f"{icons.COPY}  Copy all"):
        ctx.emit(CopyText("\n".join(f"{line.time} {line.level}: {place(line)}{line.text}" for line in ctx.log.lines)))
    imgui.same_line()
    text = widgets.filter_box(ctx, "console")
    lines = [line for line in ctx.log.lines if widgets.matches(text, line.text)]
    if not imgui.begin_child("##lines", (0, 0)):
        imgui.end_child()
        return
    for i, line in enumerate(lines):
        _line(ctx, i, line)
    if imgui.get_scroll_y() >= imgui.get_scroll_max_y():
        imgui.set_scroll_here_y(1.0)
    imgui.end_child()


def place(line: LogLine) -> str:
    """Return `file:line: ` if a message refers to a line; otherwise return an empty string."""
    return f"{line.file}:{line.line}: " if line.file and line.line else ""


def _line(ctx: Context, i: int, line: Any) -> None:
    imgui.push_style_color(imgui.Col_.text, ctx.theme[COLOR[line.level]])
    imgui.text_unformatted(ICON[line.level])
    imgui.pop_style_color()
    imgui.same_line()
    widgets.muted(ctx, line.time, wrap=False)
    imgui.same_line()
    if line.file and line.line:
        if imgui.text_link(f"{os.path.basename(line.file)}:{line.line}##{i}"):
            ctx.emit(OpenEditor(line.file, line.line))
        widgets.tooltip(f"{line.file}\nOpen in the editor")
        imgui.same_line()
    imgui.push_text_wrap_pos(0.0)
    imgui.text_unformatted(line.text)
    imgui.pop_text_wrap_pos()
