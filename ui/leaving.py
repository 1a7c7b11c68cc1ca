"""The question before unsaved texts would be left behind: save them, discard them, or stay."""

from __future__ import annotations

import os
from dataclasses import dataclass

from imgui_bundle import ImVec2, imgui

from . import icons, widgets
from .context import Context, Scratch
from .intents import Intent, Leave, OpenFile

TITLE = "Unsaved changes###leaving"
# the key that answers without the mouse, beside Enter and Esc
DISCARD = imgui.Key.d


@dataclass
class Leaving:
    """What was asked for, the files whose texts it would leave behind, and whether the question is on the screen."""

    files: list[str]
    then: Intent
    shown: bool = False


@dataclass
class Question:
    """The question that is open, if there is one."""

    open: Leaving | None = None


def waiting(scratch: Scratch) -> Leaving | None:
    """The question that is open, if there is one."""
    return scratch.of(Question).open


def draw(ctx: Context) -> None:
    """Ask, while there is a question."""
    leaving = waiting(ctx.scratch)
    if leaving is None:
        return
    if not leaving.shown:
        imgui.open_popup(TITLE)
    imgui.set_next_window_pos(imgui.get_main_viewport().get_center(), imgui.Cond_.always, ImVec2(0.5, 0.5))
    flags = imgui.WindowFlags_.always_auto_resize | imgui.WindowFlags_.no_saved_settings | imgui.WindowFlags_.no_move
    if not imgui.begin_popup_modal(TITLE, None, flags)[0]:
        # Esc has closed it
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
        ("save", f"{icons.SAVE}  Save", "Enter", "Write the changed texts into their files", enter),
        ("discard", "Discard", "D", "Throw the changes away: the files stay as they are", imgui.is_key_pressed(DISCARD)),
        ("cancel", "Cancel", "Esc", "Stay here, with the changes", False),
    )
    for answer, label, key, why, pressed in rows:
        if widgets.button(label, key, 0.0, why) or pressed and leaving.shown:
            ctx.emit(Leave(answer))
            imgui.close_current_popup()
        imgui.same_line()
    imgui.new_line()
