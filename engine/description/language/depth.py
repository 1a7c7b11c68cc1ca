"""A larger recursion limit while deeply nested elements are processed."""

import contextlib
import sys
import threading
from collections.abc import Iterator

_lock = threading.Lock()


@contextlib.contextmanager
def deep_calls(frames: int) -> Iterator[None]:
    """Raise the interpreter's recursion limit by `frames` in this context. All threads share the limit."""
    with _lock:
        sys.setrecursionlimit(sys.getrecursionlimit() + frames)
    try:
        yield
    finally:
        with _lock:
            sys.setrecursionlimit(sys.getrecursionlimit() - frames)
