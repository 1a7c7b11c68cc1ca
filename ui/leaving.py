"""Questions about unsaved changes, asked before the window closes or opens another model. They also ask which version to keep
if another program changed the same lines of a file.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import NamedTuple

from imgui_bundle import ImVec2, imgui

from . import icons, widgets
from .context import Context, Scratch
from .intents import Intent, Leave, OpenFile, SaveSources

TITLE = "Unsaved changes###leaving"


class Answer(NamedTuple):
    """A possible answer to a question: its word in `Leave`, the label of its button, its key, and its tooltip."""

    word: str
    label: str
    key: imgui.Key
    key_name: str
    help: str


CANCEL = Answer("cancel", "Cancel", imgui.Key.none, "Esc", "Keep editing")
# {type of question: its answers}
ANSWERS = {
    "leave": (
        Answer("save", f"{icons.SAVE}  Save", imgui.Key.enter, "Enter", "Write the changed texts to their files"),
        Answer("discard", "Discard", imgui.Key.d, "D", "Discard the changes; the files are not modified"),
        CANCEL,
    ),
    "clash": (
        Answer("mine", f"{icons.SAVE}  Keep mine", imgui.Key.k, "K", "Replace the file by the text in this window"),
        Answer("theirs", "Take theirs", imgui.Key.t, "T", "Replace the text in this window by that of the file"),
        Answer("as", "Save mine as...", imgui.Key.a, "A", "Write the text in this window to another file"),
        CANCEL,
    ),
}


@dataclass
class Leaving:
    """A question: its type, the files it is about, the action that the user requested, and whether the question is already
    shown.
    """

    files: list[str]
    then: Intent
    shown: bool = False
    kind: str = "leave"


@dataclass
class Question:
    """The open question, if there is one."""

    open: Leaving | None = None


def waiting(scratch: Scratch) -> Leaving | None:
    """Return the pending question; None if there is none."""
    return scratch.of(Question).open


def draw(ctx: Context) -> None:
    """Draw the open question, if there is one."""
    leaving = waiting(ctx.scratch)
    if leaving is None:
        return
    if not leaving.shown:
        imgui.open_popup(TITLE)
    imgui.set_next_window_pos(imgui.get_main_viewport().get_center(), imgui.Cond_.always, ImVec2(0.5, 0.5))
    flags = imgui.WindowFlags_.always_auto_resize | imgui.WindowFlags_.no_saved_settings | imgui.WindowFlags_.no_move
    if not imgui.begin_popup_modal(TITLE, None, flags)[0]:
        # The popup was closed by Esc.
        if leaving.shown:
            ctx.emit(Leave("cancel"))
        return
    _question(leaving)
    _answers(ctx, leaving)
    leaving.shown = True
    imgui.end_popup()


def _question(leaving: Leaving) -> None:
    names = [os.path.basename(path) for path in leaving.files]
    if leaving.kind == "clash":
        imgui.text("Another program changed the same lines. Which text is right?")
    else:
        then = leaving.then
        doing = f"opening {os.path.basename(then.path)}" if isinstance(then, OpenFile) else "closing the window"
        imgui.text(f"Save your changes before {doing}?")
    imgui.dummy(ImVec2(widgets.em(24), 0))
    for name in names:
        imgui.bullet_text(name)
    imgui.spacing()


def _answers(ctx: Context, leaving: Leaving) -> None:
    for row in ANSWERS[leaving.kind]:
        # Only the model's main file can be saved under another name.
        if row.word == "as" and (leaving.files != [os.path.abspath(ctx.path)] or not isinstance(leaving.then, SaveSources)):
            continue
        pressed = row.key != imgui.Key.none and imgui.is_key_pressed(row.key)
        pressed = pressed or row.key == imgui.Key.enter and imgui.is_key_pressed(imgui.Key.keypad_enter)
        if widgets.button(row.label, row.key_name, 0.0, row.help) or pressed and leaving.shown:
            ctx.emit(Leave(row.word))
            imgui.close_current_popup()
        imgui.same_line()
    imgui.new_line()
