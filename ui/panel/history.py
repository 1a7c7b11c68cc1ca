"""History panel: the user's actions, oldest first, then the undone actions. A click undoes or redoes all actions up to the
clicked one.
"""

from __future__ import annotations

from dataclasses import dataclass

from imgui_bundle import imgui

from .. import widgets
from ..context import Context
from ..intents import Undo


def draw(ctx: Context) -> None:
    if ctx.undo is None or not (ctx.undo.done or ctx.undo.undone):
        widgets.muted(ctx, "No actions yet: pulls, sliders, options and edits are listed here")
        return
    done, undone = ctx.undo.done, ctx.undo.undone
    if imgui.begin_child("##moments"):
        if widgets.choosable("Start", "start", not done) and done:
            ctx.emit(Undo(count=len(done)))
        for k, entry in enumerate(done):
            if widgets.choosable(entry.title, f"done{k}", k == len(done) - 1) and k < len(done) - 1:
                ctx.emit(Undo(count=len(done) - 1 - k))
        imgui.push_style_color(imgui.Col_.text, ctx.theme["muted"])
        # The last entry of `undone` is the next action to redo, so show it first.
        for k, entry in enumerate(reversed(undone)):
            if widgets.choosable(entry.title, f"undone{k}"):
                ctx.emit(Undo(redo=True, count=k + 1))
        imgui.pop_style_color()
        _follow(ctx, (len(done), len(undone)))
    imgui.end_child()


@dataclass
class Moment:
    """The numbers of done and undone actions when the list was last drawn."""

    counts: tuple[int, int] = (0, 0)


def _follow(ctx: Context, moment: tuple[int, int]) -> None:
    """Scroll to the end of the list if an action was added."""
    if ctx.scratch.of(Moment).counts != moment:
        grew = moment[1] == 0
        ctx.scratch.of(Moment).counts = moment
        if grew:
            imgui.set_scroll_here_y(1.0)
