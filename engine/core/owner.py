"""Lets only one thread at a time use a Data. A second thread gets an error that names both threads, before it has changed
anything.

    after the header of a Data   ... | owner: a thread's ident | depth: its nested calls | place: the first of these calls |

Every call that works on a Data enters it first. In Python this is done by `stages.call` and other code that calls
machine code, in machine code by `enter_call` (see `calls.compiled`). A thread may enter again, for example from a
callback that calls a function with the same Data. Threads do not wait, except for the viewer's short `visit`. All cells are
read and written under the interpreter lock. Between reading the owner and claiming the Data, there is no call and no backward
jump, so the interpreter does not switch threads there.
"""

import contextlib
import os
import sys
import time
import types
from collections.abc import Iterator, Sequence
from threading import enumerate as all_threads
from threading import get_ident
from typing import Any, NoReturn

from ..machine.storage import Storage
from ..tables.schema import SCHEMAS

OWNER, DEPTH, PLACE = (SCHEMAS["MjData"].private[n] for n in ("owner", "depth", "place"))
# The cell PLACE of a Data identifies the call that uses it: by a stage's number, or by FIRST_FUNCTION plus the function's index
# in FUNCTIONS. Below, such a number is called a place.
FUNCTIONS: list[str] = []
FIRST_FUNCTION = 1 << 20
# bit of a place that marks a short call: other threads may wait until the call ends
SHORT = 1 << 40
# seconds between two attempts, and total seconds before a waiting thread gives up
LOOK, PATIENCE = 1e-4, 10.0
_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_ROOMS = tuple(os.path.join(_ROOT, name) + os.sep for name in ("engine", "render", "ui", "app"))
_LIBRARY, _OTHERS = os.path.dirname(os.__file__), "site-packages"


class DataInUse(RuntimeError):
    """A thread used an MjData that another thread is working on. The refused call had no effect."""


def function_place(name: str) -> int:
    """Return the place (the number that identifies a call, see FUNCTIONS) of a function that is not a stage."""
    if name not in FUNCTIONS:
        FUNCTIONS.append(name)
    return FIRST_FUNCTION + FUNCTIONS.index(name)


def _line(frame: types.FrameType | None) -> str:
    """Return the line of the user's script from which a frame was called, as ` (file:line)`."""
    while frame is not None:
        name = frame.f_code.co_filename
        if not name.startswith(_ROOMS) and (_OTHERS in name or not name.startswith(_LIBRARY)):
            return f" ({name}:{frame.f_lineno})"
        frame = frame.f_back
    return ""


def told(ident: int, name: str) -> str:
    """Describe a thread, its current call, and the line of the script that made the call."""
    thread = next((t.name for t in all_threads() if t.ident == ident), str(ident))
    # sys._current_frames is meant for debugging, as is this error message
    return f"thread {thread!r} in {name}{_line(sys._current_frames().get(ident))}"


# names of stages by number; core.stages fills this
STAGE_NAMES: dict[int, str] = {}


def _named(place: int) -> str:
    """Return the name of the stage or function that a place identifies."""
    place &= SHORT - 1
    return FUNCTIONS[place - FIRST_FUNCTION] if place >= FIRST_FUNCTION else STAGE_NAMES.get(place, "a call")


def _refuse(cells: Sequence[int], place: int) -> NoReturn:
    """Raise DataInUse, naming both threads."""
    owner, held = cells[OWNER], cells[PLACE]
    raise DataInUse(
        f"an MjData was used by two threads at once: {told(get_ident(), _named(place))} while {told(owner, _named(held))}; "
        "give each thread an MjData of its own, or a lock"
    )


def enter(storage: Storage, place: int) -> int:
    """Begin a call with a Data. Return the previous nesting depth, for `leave`. DataInUse if another thread uses the Data."""
    cells, me, end = storage.integers, get_ident(), None

    # No function call and no backward jump is between test and claim, so no other thread can intervene.
    while True:
        owner = cells[OWNER]
        if owner == 0 or owner == me:
            depth = cells[DEPTH]
            cells[OWNER] = me
            cells[DEPTH] = depth + 1
            if depth == 0:
                cells[PLACE] = place
            return depth

        # wait only if this call or the call in progress is short
        if not cells[PLACE] & SHORT and not place & SHORT:
            _refuse(cells, place)
        end = end or time.monotonic() + PATIENCE
        if time.monotonic() > end:
            _refuse(cells, place)
        time.sleep(LOOK)


def leave(storage: Storage, depth: int) -> None:
    """End a call; `depth` is the result of `enter`."""
    cells = storage.integers
    cells[DEPTH] = depth
    if depth == 0:
        cells[OWNER] = 0


@contextlib.contextmanager
def inside(d: Any, name: str) -> Iterator[int]:
    """Keep a Data in use by this thread during a block. Yields the previous nesting depth."""
    storage = d.storage
    depth = enter(storage, function_place(name))
    try:
        yield depth
    finally:
        leave(storage, depth)


def storage_of(d: Any) -> Any:
    """Return the storage of a Data. Return None for another package's Data, which functions that only read fields by name also
    accept.
    """
    return getattr(d, "storage", None)


@contextlib.contextmanager
def visit(d: Any, name: str) -> Iterator[None]:
    """Use a Data for a short block: wait until it is free, and make others wait until the block ends."""
    storage = storage_of(d)
    if storage is None:
        # another package's Data has no owner cells
        yield
        return
    depth = enter(storage, function_place(name) | SHORT)
    try:
        yield
    finally:
        leave(storage, depth)


def forget(storage: Storage) -> None:
    """In a forked process, clear an owner whose thread the fork did not copy."""
    cells = storage.integers
    if cells[OWNER] != get_ident():
        cells[OWNER] = cells[DEPTH] = 0
