"""The question whether a model may read files outside its folder. It shows the folder, the requested file and the reason."""

from __future__ import annotations

import os
from typing import Any

from imgui_bundle import imgui

from . import icons, widgets
from .context import Context
from .intents import Trust

REASON = (
    "An untrusted model could read your files, so models may read only their own folder. Trust this folder if you know where "
    "its models come from."
)
# number of files that are listed; more are counted
MOST = 5
PROGRAM = "A xacro file is a program that runs with your rights. Trust its folder if you know where it comes from."


def is_program(failure: Any) -> bool:
    """Return whether the refused file is a program."""
    return failure.path.lower().endswith(".xacro")


def title(failure: Any) -> str:
    """Return the title of the question, which names the file and the reason."""
    count = 1 + len(failure.more)
    files = "a file" if count == 1 else f"{count} files"
    wants = "is a program" if is_program(failure) else f"needs {files} outside its folder"
    return f"{os.path.basename(failure.path)} {wants}"


def lines(failure: Any) -> tuple[str, list[str]]:
    """Return the folder to trust, and a line of text for each requested file: its path, relative to this folder. The first line
    also names the place where the model requests the file. If there are many files, the last line counts the rest.
    """
    folder, wanted = failure.trusts, failure.wanted
    if not wanted:
        return short(folder), []
    place = f", wanted by {os.path.basename(failure.file)}, line {failure.line}" if failure.line else ""
    rows = [f"{seen_from(folder, wanted)}{place}", *(seen_from(folder, path) for path in failure.more)]
    left = len(rows) - MOST
    return short(folder), rows if left <= 0 else [*rows[:MOST], f"and {left} more"]


def seen_from(folder: str, path: str) -> str:
    """Return a path relative to a folder, or the path itself if that is shorter, as for a file in a distant folder."""
    relative = os.path.relpath(path, folder) if folder else path
    return short(path) if len(relative) > len(short(path)) else relative


def short(path: str) -> str:
    """Return a path with `~` for the user's home."""
    home = os.path.expanduser("~")
    return "~" + path[len(home) :] if path.startswith(home + os.sep) else path


def draw(ctx: Context, failure: Any, room: float) -> None:
    """Draw the question below its title, and its button."""
    folder, wanted = lines(failure)
    if folder:
        imgui.text_unformatted("Folder")
        imgui.same_line(0, widgets.em(0.5))
        widgets.clipped(folder, room - widgets.em(5))
    imgui.indent(widgets.em())
    for k, row in enumerate(wanted):
        # The last row may be a count, which has no icon.
        if k < MOST:
            imgui.text_unformatted(icons.FILE)
            imgui.same_line()
        widgets.muted(ctx, row)
    imgui.unindent(widgets.em())
    imgui.text_unformatted(PROGRAM if is_program(failure) else REASON)


def button(ctx: Context, failure: Any) -> None:
    """Draw the button that trusts the folder."""
    if imgui.small_button(f"{icons.CHECK}  Trust this folder"):
        ctx.emit(Trust())
    widgets.trace("Trust")
    widgets.tooltip(f"{failure.trusts}\nFrom now on, let models of this folder read files outside it")
