"""The button *Write to source*, and a check whether the running model has a value.

All panels follow one rule: a change exists only in memory until it is written to the source, and is lost when the model is
loaded again.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import icons, widgets
from .context import Context
from .intents import WriteSource

WRITE = f"{icons.SAVE}  Write to source"
HELP = "Changes are in memory only, until the model is loaded again. This writes them into the file; undo removes them from it"


def button(ctx: Context, kind: str = "", index: int = -1, width: float = 0.0) -> None:
    """Draw the button that writes the changes of an element or a section to the source. Without a kind, it writes all
    changes.
    """
    if ctx.passive:
        return
    if widgets.button(f"{WRITE}##{kind}", "", width, HELP):
        ctx.emit(WriteSource(kind, index))


def holds(m: Any, path: str, value: Any, index: Any = None) -> bool:
    """Return whether a field of the model (such as `opt.timestep` or `m.dof_damping`) currently has this value."""
    head, *way = path.split(".")
    found = m if head == "m" else getattr(m, head)
    for name in way:
        found = getattr(found, name)
    now = np.asarray(found)
    return bool(np.allclose(now if index is None or not now.shape else now[index], value, 1e-6, 0.0))
