"""Results that this interface computes when they are read, and what scripts write into them."""

from typing import Any

import numpy as np

from .mirror import Mirror

# key in the `__dict__` of a Data: {field: (computed values before the first write, values with all writes)}
WRITTEN = "written_results"


def kept(d: Any, name: str, computed: np.ndarray) -> np.ndarray:
    """Return an array of a field's computed values that a script may write. Later reads return the written values until the
    engine computes others."""
    if not computed.size:
        return computed
    written = d.__dict__.setdefault(WRITTEN, {})
    before, values = written.pop(name, (None, computed))
    if before is None or before.shape != computed.shape or not np.array_equal(before, computed, equal_nan=True):
        before, values = computed.copy(), computed
    else:
        written[name] = before, values

    def store(now: np.ndarray) -> None:
        written[name] = before, now

    return Mirror.of(values, store)


def forget(d: Any) -> None:
    """Remove what scripts wrote into the results of a Data."""
    d.__dict__.pop(WRITTEN, None)
