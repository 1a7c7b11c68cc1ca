"""Room for recursion over elements that stand inside one another, for the length of one call."""

import contextlib
import sys
import threading
from collections.abc import Iterator

_lock = threading.Lock()


@contextlib.contextmanager
def deep_calls(frames) -> Iterator[None]:
    """Let calls nest `frames` deeper than the interpreter's limit while this is open. The limit is one for all threads."""
    with _lock:
        sys.setrecursionlimit(sys.getrecursionlimit() + frames)
    try:
        yield
    finally:
        with _lock:
            sys.setrecursionlimit(sys.getrecursionlimit() - frames)
