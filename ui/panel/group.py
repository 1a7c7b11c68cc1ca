"""Group enable panel: which groups of each kind of element are shown."""

from .. import widgets
from ..context import Context
from ..intents import SetGroup

KINDS = ("geom", "site", "joint", "tendon", "actuator", "flex", "skin")


def draw(ctx: Context) -> None:
    for kind in KINDS:
        groups = getattr(ctx.view.opt, f"{kind}group")
        widgets.row(kind.capitalize(), 5.5)
        with widgets.ident(kind):
            widgets.number_toggles([bool(g) for g in groups], lambda i, on, kind=kind: ctx.emit(SetGroup(kind, i, on)))
