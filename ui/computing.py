"""A box over the view while collision shapes are computed, with a button that cancels the computation."""

from __future__ import annotations

from imgui_bundle import imgui

from . import icons, widgets
from .context import Context
from .intents import StopShaping
from .overlay import MARGIN, box

CANCEL = "Cancel##shapes"


def draw(ctx: Context) -> None:
    """Draw the box if shapes are being computed."""
    if not ctx.shaping or ctx.m is None:
        return

    def body() -> None:
        imgui.align_text_to_frame_padding()
        imgui.text_unformatted(f"{icons.SHAPES}  {ctx.shaping}")
        imgui.same_line()
        if widgets.button(CANCEL, "", 0.0, "Leave the collision shapes as they are"):
            ctx.emit(StopShaping())

    x, y, w, h = ctx.view_rect
    box(ctx, "computing", (x + 0.5 * w, y + h - 4 * MARGIN * ctx.em), (0.5, 1), body, mouse=True)
