"""Boxes over the view while a model is loaded or collision shapes are computed, each with a button that cancels it."""

from __future__ import annotations

from imgui_bundle import imgui

from . import icons, widgets
from .context import Context
from .intents import CancelLoad, StopShaping
from .overlay import MARGIN, big, box

CANCEL, CANCEL_LOAD = "Cancel##shapes", "Cancel##load"


def draw(ctx: Context) -> None:
    """Draw the boxes of the work that is going on."""
    if ctx.loading:
        _loading(ctx)
    if ctx.shaping and ctx.m is not None:
        _shaping(ctx)


def _loading(ctx: Context) -> None:
    def body() -> None:
        big(ctx, f"Loading {ctx.loading}", "accent")
        if ctx.slow and widgets.button(CANCEL_LOAD, "", 0.0, "Give up this model, and keep the current one"):
            ctx.emit(CancelLoad())

    x, y, w, _h = ctx.view_rect
    box(ctx, "banner", (x + 0.5 * w, y + 3.6 * MARGIN * ctx.em), (0.5, 0), body, mouse=ctx.slow)


def _shaping(ctx: Context) -> None:
    def body() -> None:
        imgui.align_text_to_frame_padding()
        imgui.text_unformatted(f"{icons.SHAPES}  {ctx.shaping}")
        imgui.same_line()
        if widgets.button(CANCEL, "", 0.0, "Leave the collision shapes as they are"):
            ctx.emit(StopShaping())

    x, y, w, h = ctx.view_rect
    box(ctx, "computing", (x + 0.5 * w, y + h - 4 * MARGIN * ctx.em), (0.5, 1), body, mouse=True)
