"""Pauses the garbage collector while many long-lived objects are made."""

import contextlib
import gc
from collections.abc import Iterator
from typing import Any


@contextlib.contextmanager
def no_collection() -> Iterator[None]:
    """Pause the garbage collector in a block or a decorated function. If the collector was already off, it stays off."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


class Held:
    """Holds an object whose parts refer to each other. When the holder is freed, `unlink` breaks the cycles, so that the parts
    are freed without the garbage collector.

    If `see` has returned the object, it may still be in use, so it is not unlinked.
    """

    __slots__ = ("_seen", "_whole")

    def __init__(self, whole: Any, seen: bool = False) -> None:
        self._whole, self._seen = whole, seen

    def see(self) -> Any:
        """Return the object. From now on, the holder assumes that other code uses the object."""
        self._seen = True
        return self._whole

    def __del__(self) -> None:
        if not self._seen:
            self._whole.unlink()
