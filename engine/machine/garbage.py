"""The garbage collector: paused while many objects are made that stay alive."""

import contextlib
import gc
from collections.abc import Iterator
from typing import Any


@contextlib.contextmanager
def no_collection() -> Iterator[None]:
    """Pause the garbage collector in a block or a decorated function; if it was off before, it stays off."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


class Held:
    """Holds an object whose parts refer to each other; when this goes away, `unlink` takes it apart, so the collector
    need not find it.

    If anyone got the object through `see`, it may still be in use: then it is left alone.
    """

    __slots__ = ("_seen", "_whole")

    def __init__(self, whole: Any, seen: bool = False) -> None:
        self._whole, self._seen = whole, seen

    def see(self) -> Any:
        """Return the object."""
        self._seen = True
        return self._whole

    def __del__(self) -> None:
        if not self._seen:
            self._whole.unlink()
