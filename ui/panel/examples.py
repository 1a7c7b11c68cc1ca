"""Examples: the models that come along, as pictures."""

from .. import gallery, widgets
from ..context import Context


def draw(ctx: Context) -> None:
    with widgets.disabled(ctx.passive):
        gallery.panel(ctx)
