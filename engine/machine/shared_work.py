"""Divides work that releases the GIL among threads, without the import time of thread pools."""

import threading
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any


def share(function: Callable[..., Any], rows: Iterable[tuple[Any, ...]], threads: int) -> None:
    """Call a function with each row of arguments, on this and `threads` - 1 other threads. If calls fail, no more rows are
    begun, and the first error is raised."""
    left, errors = deque(rows), []

    def work() -> None:
        while left and not errors:
            try:
                row = left.popleft()
            except IndexError:
                # Another thread took the last row.
                return
            try:
                function(*row)
            except BaseException as error:
                errors.append(error)

    helpers = [threading.Thread(target=work, name="share", daemon=True) for _ in range(min(threads, len(left)) - 1)]
    for helper in helpers:
        helper.start()
    work()
    for helper in helpers:
        helper.join()
    if errors:
        raise errors[0]
