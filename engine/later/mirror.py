"""Arrays of this interface that the engine, or a scene, stores in another form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


class Mirror(np.ndarray):
    """An array that is stored in another form. Writes into it or into a view of it also update that form.

    `whole`: the array itself, also in views; `store`: a function that writes the other form, given the array.
    """

    whole: Any = None
    store: Any = None

    @classmethod
    def of(cls, values: np.ndarray, store: Callable[[np.ndarray], None]) -> Mirror:
        """Return an array of these values."""
        found = values.view(cls)
        found.whole, found.store = values, store
        return found

    def __array_finalize__(self, source: Any) -> None:
        # views, unlike results of computations, share the memory of the array from which they are made
        if isinstance(source, Mirror) and source.whole is not None and np.may_share_memory(self, source.whole):
            self.whole, self.store = source.whole, source.store

    def passed_on(self) -> None:
        """Write the other form."""
        if self.whole is not None:
            self.store(self.whole)

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(key, value)
        self.passed_on()

    def fill(self, value: Any) -> None:
        """Set all numbers."""
        self[...] = value

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, out: tuple[Any, ...] = (), **rest: Any) -> Any:
        # an in-place operation such as `m.eq_data[0] *= 2` ends here, with `out`
        bare = [np.asarray(x) if isinstance(x, Mirror) else x for x in inputs]
        if out:
            rest["out"] = tuple(x.view(np.ndarray) if isinstance(x, Mirror) else x for x in out)
        found = getattr(ufunc, method)(*bare, **rest)
        for x in out:
            if isinstance(x, Mirror):
                x.passed_on()
        return found if not out else out[0] if len(out) == 1 else out
