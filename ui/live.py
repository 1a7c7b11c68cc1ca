"""The button *Write to source*, and whether a value holds in the running model.

One rule for all panels: what a panel changes holds in memory, until it is written into the source or the model is loaded again.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import icons, widgets
from .context import Context
from .intents import WriteSource

WRITE = f"{icons.SAVE}  Write to source"
HELP = "Changes hold in memory until the model is loaded again. Write them into the file; undo takes them out again"


def button(ctx: Context, kind: str = "", index: int = -1, width: float = 0.0) -> None:
    """Draw the button for the changes of an element or a section of the model; for all changes without a kind."""
    if ctx.passive:
        return
    if widgets.button(f"{WRITE}##{kind}", "", width, HELP):
        ctx.emit(WriteSource(kind, index))


def holds(m: Any, path: str, value: Any, index: Any = None) -> bool:
    """Return whether a field of the model (`opt.timestep`, `m.dof_damping`) has a value."""
    head, *way = path.split(".")
    found = m if head == "m" else getattr(m, head)
    for name in way:
        found = getattr(found, name)
    now = np.asarray(found)
    return bool(np.allclose(now if index is None or not now.shape else now[index], value, 1e-6, 0.0))
