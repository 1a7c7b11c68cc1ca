"""Whether a compilation, done again, would give the same model: then a copy of the model can take its place."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...core import hooks, logs
from ...core.model import MjModel
from ...core.stages import LAYERED
from ...tables.compat_rows import begun
from .resources import is_settled

# maximum number of bytes of a model that is stored
LARGE_MODEL = 1 << 23


def has_other_inputs() -> bool:
    """Return whether more than a model's source and its files takes part in compiling: callbacks, replaced stages, message
    handlers, a release chosen for the process."""
    return begun() is not None or bool(LAYERED[0] or hooks.installed()) or logs.is_asked(logs.COMPILING)


def is_copyable(m: MjModel, seen: Sequence[tuple[str, Any]] | None) -> bool:
    """Return whether copies of a model may take the place of later compilations.

    `seen`: what compiling read from the file system, see `Files.seen`; None if the result may depend on anything else.
    """
    if seen is None or m.nplugin or m.storage.buffer.nbytes > LARGE_MODEL:
        return False
    # compiling with a singular inertia matrix issues a Python warning, which a copy would not repeat
    if np.isnan(m.peek("dof_invweight0")).any():
        return False
    return all(isinstance(x, bool) or is_settled(x) for _, x in seen)
