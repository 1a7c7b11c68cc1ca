"""Equality panel: switches equality constraints on and off."""

from imgui_bundle import imgui

from .. import reveal, widgets
from ..context import Context
from ..element_names import names
from ..intents import SetField


def draw(ctx: Context) -> None:
    if not ctx.m.neq:
        widgets.muted(ctx, "No equality constraints")
        return
    labels = names(ctx.m, "equality")
    shown = list(range(ctx.m.neq))
    if len(shown) > 12:
        text = widgets.filter_box(ctx, "equality")
        shown = [i for i in shown if widgets.matches(text, labels[i])]
    reveal.scroll(ctx, "equality", shown, imgui.get_frame_height_with_spacing())
    for row in widgets.clip(len(shown)):
        i = shown[row]
        with widgets.ident(i):
            if (new := widgets.toggle(labels[i], bool(ctx.d.eq_active[i]))) is not None:
                ctx.emit(SetField("d.eq_active", int(new), i))
            reveal.row(ctx, "equality", i)
