"""Examples panel: pictures of the included models."""

from .. import gallery, widgets
from ..context import Context


def draw(ctx: Context) -> None:
    with widgets.disabled(ctx.passive):
        gallery.panel(ctx)
