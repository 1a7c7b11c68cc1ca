"""Who is inside a Data: one thread at a time. A second one gets an error that names both, before it has touched anything.

    behind the header of a Data ... | owner: a thread's ident | depth: its calls inside each other | place: what the first of them is |

Every call that works on a Data enters it first: `stages.call` and whatever calls machine code by itself in Python, `enter_call` (see `calls.compiled`) in
machine code. A thread may enter again (a callback that calls a function of the Data it was given); nobody waits, but for the viewer's short
`visit`. All cells are read and written with the interpreter lock held, and between the look and the claim is neither a call nor a jump
backwards: where the interpreter changes threads.
"""

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from threading import enumerate as all_threads
from threading import get_ident
from typing import Any

from ..tables.schema import SCHEMAS

OWNER, DEPTH, PLACE = (SCHEMAS["MjData"].private[n] for n in ("owner", "depth", "place"))
# what can be entered: stages by their number, functions behind them by their place in this list
FUNCTIONS: list[str] = []
FIRST_FUNCTION = 1 << 20
# bit of a place: whoever comes may wait
SHORT = 1 << 40
# seconds: between two looks of one who waits, and until waiting is given up
LOOK, PATIENCE = 1e-4, 10.0
_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_ROOMS = tuple(os.path.join(_ROOT, name) + os.sep for name in ("engine", "render", "ui", "app"))
_LIBRARY, _OTHERS = os.path.dirname(os.__file__), "site-packages"


class DataInUse(RuntimeError):
    """A thread called something with an MjData that another thread is working on. What was called has not happened."""


def function_place(name) -> int:
    """The place of a function that is no stage."""
    if name not in FUNCTIONS:
        FUNCTIONS.append(name)
    return FIRST_FUNCTION + FUNCTIONS.index(name)


def _line(frame):
    """Line of a script that a frame was called from, as ` (file:line)`."""
    while frame is not None:
        name = frame.f_code.co_filename
        if not name.startswith(_ROOMS) and (_OTHERS in name or not name.startswith(_LIBRARY)):
            return f" ({name}:{frame.f_lineno})"
        frame = frame.f_back
    return ""


def told(ident: int, name: str) -> str:
    """A thread, the call it is in, and the line of the script that made it."""
    thread = next((t.name for t in all_threads() if t.ident == ident), str(ident))
    # frames of threads are for whoever looks into a program that went wrong, as here
    return f"thread {thread!r} in {name}{_line(sys._current_frames().get(ident))}"


# names of stages by number: the table of stages enters them
STAGE_NAMES: dict[int, str] = {}


def _named(place):
    """The name of a place."""
    place &= SHORT - 1
    return FUNCTIONS[place - FIRST_FUNCTION] if place >= FIRST_FUNCTION else STAGE_NAMES.get(place, "a call")


def _refuse(cells, place):
    owner, held = cells[OWNER], cells[PLACE]
    raise DataInUse(
        f"an MjData was used by two threads at once: {told(get_ident(), _named(place))} while {told(owner, _named(held))}; "
        "give each thread an MjData of its own, or a lock"
    )


def enter(storage, place) -> int:
    """Begin a call with a Data. Returns how deep the calls of this thread in it were before, for `leave`. DataInUse if another thread is in it."""
    cells, me, end = storage.integers, get_ident(), None
    while True:
        owner = cells[OWNER]
        if owner == 0 or owner == me:
            depth = cells[DEPTH]
            cells[OWNER] = me
            cells[DEPTH] = depth + 1
            if depth == 0:
                cells[PLACE] = place
            return depth
        if not cells[PLACE] & SHORT and not place & SHORT:
            _refuse(cells, place)
        end = end or time.monotonic() + PATIENCE
        if time.monotonic() > end:
            _refuse(cells, place)
        time.sleep(LOOK)


def leave(storage, depth) -> None:
    """End a call; `depth` is what `enter` returned."""
    cells = storage.integers
    cells[DEPTH] = depth
    if depth == 0:
        cells[OWNER] = 0


@contextlib.contextmanager
def inside(d, name) -> Iterator[int]:
    """For the length of a block: this thread is inside a Data. Gives the depth before."""
    storage = d.storage
    depth = enter(storage, function_place(name))
    try:
        yield depth
    finally:
        leave(storage, depth)


def storage_of(d: Any) -> Any:
    """Where the numbers of a Data lie; None for the Data of another package, which what reads it by names alone takes as well."""
    return getattr(d, "storage", None)


@contextlib.contextmanager
def visit(d, name) -> Iterator[None]:
    """For a block that takes a moment: waits until a Data is free, and lets others wait for its end."""
    storage = storage_of(d)
    if storage is None:
        # it has no owner here
        yield
        return
    depth = enter(storage, function_place(name) | SHORT)
    try:
        yield
    finally:
        leave(storage, depth)


def forget(storage) -> None:
    """In a forked process: a thread that was inside a Data is not there any more."""
    cells = storage.integers
    if cells[OWNER] != get_ident():
        cells[OWNER] = cells[DEPTH] = 0
