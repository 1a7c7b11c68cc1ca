"""The start page: a card from which the user can open models, and three hints. Each hint disappears after the user has followed
it.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from imgui_bundle import imgui

from . import gallery, icons, overlay, widgets
from .context import Context
from .examples import BY_NAME
from .intents import OpenFile, SetSetting, ShowPanel

# Examples on the card, and maximum number of recent files.
SHOWN, RECENT = ("arm", "humanoid", "car", "hand", "cloth", "dominoes"), 4
# Number of pictures in a row; their width, and the minimum height of a view that shows them, in text heights.
ACROSS, CELL, ROOM = 3, 7.2, 30.0
# Minimum and usual width of a hint in text heights; the view's width divided by the hint's maximum width.
LEAST_HINT, HINT, HINT_PART = 11.0, 15.0, 3.2
# Camera rotation in degrees after which the first hint counts as followed.
TURNED = 5.0
HINTS = (
    "Drag with the left button to turn the view, with the right one to move it",
    "Double-click a part to select it; Ctrl + right drag pulls it",
    "Space pauses and runs; the timeline below goes back",
)


@dataclass
class Hint:
    """The hints in this window: whether they are shown, the current hint, and the model and the state when it appeared. The
    state consists of the camera's azimuth and elevation, and whether the simulation was running.
    """

    wanted: bool = False
    step: int = -1
    m: Any = None
    begin: tuple[float, float, bool] = (0.0, 0.0, False)


def draw(ctx: Context) -> None:
    """Draw the card and the current hint, if they are wanted."""
    hint = ctx.scratch.of(Hint)
    if ctx.settings["start"] and not ctx.passive:
        hint.wanted = True
    if ctx.settings["start"] and ctx.m is not None and not ctx.failure:
        _card(ctx)
    # A small view has room for only one of them: the card hides the hint.
    covered = ctx.settings["start"] and ctx.view_rect[3] < ROOM * ctx.em
    # Nothing moves while the physics is compiled; a box in the same place reports that.
    covered = covered or bool(ctx.status.held)
    if hint.wanted and ctx.m is not None and ctx.settings["hints"] < len(HINTS) and not covered:
        _hint(ctx, hint)


def _card(ctx: Context) -> None:
    """Draw the card in the lower left corner of the view: a button to open a file, examples, and recent files."""
    x, y, _w, h = ctx.view_rect
    margin = overlay.MARGIN * ctx.em

    def body() -> None:
        if widgets.button(f"{icons.OPEN}  Open a robot or model", ctx.hint("open"), 0.0, "MJCF, URDF, SDF, a mesh or a folder"):
            ctx.emit(OpenFile())
        imgui.same_line()
        if widgets.button(f"{icons.CLOSE}##start", "", 0.0, "Close; Help > Start page opens it again"):
            ctx.emit(SetSetting("start", False))
        widgets.muted(ctx, "Or drop it anywhere. Examples:", wrap=False)
        if h > ROOM * ctx.em:
            _examples(ctx)
        if widgets.button(f"{icons.SHAPES}  All examples", "", 0.0, "Fifteen models, each of which shows one feature"):
            ctx.emit(ShowPanel("examples", True))
        for path in [path for path in ctx.settings["recent"] if path != ctx.path][:RECENT]:
            if imgui.selectable(f"{os.path.basename(path)}##{path}", False)[0]:
                ctx.emit(OpenFile(path))
            widgets.tooltip(path)

    overlay.box(ctx, "start", (x + margin, y + h - margin), (0, 1), body, mouse=True)


def _examples(ctx: Context) -> None:
    for k, name in enumerate(SHOWN):
        if k % ACROSS:
            imgui.same_line()
        gallery.cell(ctx, BY_NAME[name], widgets.em(CELL))


def _hint(ctx: Context, hint: Hint) -> None:
    """Draw the current hint until the user has followed it."""
    step = ctx.settings["hints"]
    now = (float(ctx.view.cam.azimuth), float(ctx.view.cam.elevation), bool(ctx.status.running))
    # Start the comparison again after a change of the model, because the user did not turn the new model's camera.
    if hint.step != step or hint.m is not ctx.m:
        hint.step, hint.m, hint.begin = step, ctx.m, now
    begin = hint.begin
    turned = abs(now[0] - begin[0]) + abs(now[1] - begin[1]) > TURNED
    if (turned, ctx.view.perturbing, now[2] != begin[2])[step]:
        ctx.emit(SetSetting("hints", step + 1))
        return

    # Place the hint in the upper left corner of the view: models are in the middle, and the axes are in the upper right corner.
    x, y, w, _h = ctx.view_rect
    wide = min(HINT, max(LEAST_HINT, w / ctx.em / HINT_PART)) * ctx.em

    def body() -> None:
        left, right = imgui.get_cursor_pos_x(), imgui.get_cursor_pos_x() + wide
        imgui.text_colored(ctx.theme["accent"], f"{icons.INFO}  {hint.step + 1} of {len(HINTS)}")
        imgui.same_line(right - imgui.get_frame_height())
        if imgui.small_button(f"{icons.CLOSE}##hint"):
            ctx.emit(SetSetting("hints", len(HINTS)))
        widgets.tooltip("No more hints")
        imgui.set_cursor_pos_x(left)
        imgui.push_text_wrap_pos(right)
        imgui.text_unformatted(HINTS[step])
        imgui.pop_text_wrap_pos()

    overlay.box(ctx, "hint", (x + overlay.MARGIN * ctx.em, y + overlay.MARGIN * ctx.em), (0, 0), body, mouse=True)
