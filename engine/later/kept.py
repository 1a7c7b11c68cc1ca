"""Results that this interface computes when they are read, and what scripts write into them."""

from typing import Any

import numpy as np

from .mirror import Mirror

# key in the `__dict__` of a Data: {field: (time, computed values before the first write, values with all writes)}
WRITTEN = "written_results"


def kept(d: Any, name: str, computed: np.ndarray) -> np.ndarray:
    """Return an array of a field's computed values that a script may write. Later reads return the written values until the
    engine computes the field again, which shows in the time or in other values; see also `calls.ALL_RESULTS`."""
    if not computed.size:
        return computed
    written = d.__dict__.setdefault(WRITTEN, {})
    when, before, values = written.pop(name, (None, computed, computed))
    if when == d.time and before.shape == computed.shape and np.array_equal(before, computed, equal_nan=True):
        written[name] = when, before, values
    else:
        when, before, values = d.time, computed.copy(), computed

    def store(now: np.ndarray) -> None:
        written[name] = when, before, now

    return Mirror.of(values, store)
