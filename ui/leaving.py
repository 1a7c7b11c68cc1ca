"""The question about unsaved texts: save them, discard them, or cancel."""

from __future__ import annotations

import os
from dataclasses import dataclass

from imgui_bundle import ImVec2, imgui

from . import icons, widgets
from .context import Context, Scratch
from .intents import Intent, Leave, OpenFile

TITLE = "Unsaved changes###leaving"
# A key that answers without the mouse, in addition to Enter and Esc.
DISCARD = imgui.Key.d


@dataclass
class Leaving:
    """The requested action, the files with unsaved texts, and whether the question is shown."""

    files: list[str]
    then: Intent
    shown: bool = False


@dataclass
class Question:
    """The question that is open, if there is one."""

    open: Leaving | None = None


def waiting(scratch: Scratch) -> Leaving | None:
    """Return the question that is open, if there is one."""
    return scratch.of(Question).open


def draw(ctx: Context) -> None:
    """Draw the question while there is one."""
    leaving = waiting(ctx.scratch)
    if leaving is None:
        return
    if not leaving.shown:
        imgui.open_popup(TITLE)
    imgui.set_next_window_pos(imgui.get_main_viewport().get_center(), imgui.Cond_.always, ImVec2(0.5, 0.5))
    flags = imgui.WindowFlags_.always_auto_resize | imgui.WindowFlags_.no_saved_settings | imgui.WindowFlags_.no_move
    if not imgui.begin_popup_modal(TITLE, None, flags)[0]:
        # Esc has closed the question.
        if leaving.shown:
            ctx.emit(Leave("cancel"))
        return
    _question(leaving)
    _answers(ctx, leaving)
    leaving.shown = True
    imgui.end_popup()


def _question(leaving: Leaving) -> None:
    names = [os.path.basename(path) for path in leaving.files]
    doing = f"opening {os.path.basename(leaving.then.path)}" if isinstance(leaving.then, OpenFile) else "closing the window"
    imgui.text(f"Save your changes before {doing}?")
    imgui.dummy(ImVec2(widgets.em(24), 0))
    for name in names:
        imgui.bullet_text(name)
    imgui.spacing()


def _answers(ctx: Context, leaving: Leaving) -> None:
    enter = imgui.is_key_pressed(imgui.Key.enter) or imgui.is_key_pressed(imgui.Key.keypad_enter)
    rows = (
        ("save", f"{icons.SAVE}  Save", "Enter", "Write the changed texts to their files", enter),
        ("discard", "Discard", "D", "Discard the changes; the files are not modified", imgui.is_key_pressed(DISCARD)),
        ("cancel", "Cancel", "Esc", "Keep editing", False),
    )
    for answer, label, key, why, pressed in rows:
        if widgets.button(label, key, 0.0, why) or pressed and leaving.shown:
            ctx.emit(Leave(answer))
            imgui.close_current_popup()
        imgui.same_line()
    imgui.new_line()
