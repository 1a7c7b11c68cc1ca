"""The garbage collector, at rest while much is made of which nothing is garbage."""

import contextlib
import gc
from collections.abc import Iterator
from typing import Any


@contextlib.contextmanager
def no_collection() -> Iterator[None]:
    """In this block, or in a function that is decorated with it, nothing looks for garbage in what is made; whoever has switched that off finds it so."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


class Held:
    """Something whose parts refer to each other, for as long as somebody holds this: taken apart then (`unlink`), so that there is no garbage to search for.

    What somebody has looked at may live on with him: it stays as it is.
    """

    __slots__ = ("_seen", "_whole")

    def __init__(self, whole: Any, seen: bool = False) -> None:
        self._whole, self._seen = whole, seen

    def see(self) -> Any:
        """What is held."""
        self._seen = True
        return self._whole

    def __del__(self) -> None:
        if not self._seen:
            self._whole.unlink()
