"""Storage: where the numbers of a struct lie, and what is kept of them. One object a struct, `m.storage`, `d.storage`.

buffer     header | array | array | ...          header: sizes, addresses of the arrays, scalars; 8 bytes each
growable   array | array | ...                   of a Data: contacts and constraints, replaced when they need more room
"""

import ctypes
import mmap
import sys
import weakref
from typing import Any

import numpy as np

from .garbage import Held

ALIGN = 64
# from so many bytes on memory is asked of the system, whose pages are zero and come when they are touched: much of a large Data never is, while memory
# that was used before is cleared as a whole, 0.4 ms a megabyte
PAGED = 1 << 22
# where a process shares memory with its children unless it says otherwise
_PRIVATE = {} if sys.platform == "win32" else {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS}
_ADDRESS = ctypes.addressof
# arrays can be looked into, which their type does not tell
_BYTE_OF: Any = ctypes.c_char.from_buffer


def address_of(x: np.ndarray) -> int:
    """Address of the first byte of an array that can be written and is not empty; `x.ctypes.data` takes three times as long."""
    return _ADDRESS(_BYTE_OF(x))


def aligned_bytes(count: int, first: int = 0, last: int = 0) -> np.ndarray:
    """Zeroed uint8 array whose first byte is aligned for vector loads. What lies in first:last may be anything: it is going to be written."""
    if count >= PAGED:
        raw = _pages(count + ALIGN)
    else:
        raw = (np.empty if last > first else np.zeros)(count + ALIGN, np.uint8)
    skip = -address_of(raw) % ALIGN
    raw = raw[skip : skip + count]
    if last > first and count < PAGED:
        raw[:first] = raw[last:] = 0
    return raw


def _pages(count):
    """Zeroed uint8 array in pages of its own, large ones where the system has them, as numpy asks for."""
    try:
        memory = mmap.mmap(-1, count, **_PRIVATE)
    except OSError as error:
        raise MemoryError(f"no room for {count} bytes: {error}") from None
    if sys.platform == "linux":
        # macOS and Windows have no large pages for memory like this
        memory.madvise(mmap.MADV_HUGEPAGE)
    return np.frombuffer(memory, np.uint8)


class Storage:
    """Memory of a struct.

    buffer           header and fixed arrays, as bytes                  growable          the second buffer of a Data, or None
    address          of the header: what kernels are called with        growable_address  of the second buffer, 0 without one
    header           (cells,) int64: the header                         arrays            (address, bytes, bytes of results) of the arrays
    integers         header as Python integers; unsigned, floats: the same cells as other numbers
    whole            {field: view}: whole arrays of fields that show only a part of theirs
    used             {field: view}: the parts in use
    elements         {view class: {index: weak reference}} of named access: an element is the same as long as somebody holds it
    rows             {(view class, attribute, index): array} of elements; arrays hold the buffer, not the struct
    retired          second buffers that were replaced while calls were inside each other: the outer ones know their addresses
    names, ids       {kind: names}, {kind: {name: id}}, made on first use; by_type: {mjtObj: the same names by id and ids by name}
    texts            {field: bytes} of text arrays, the same object as long as the text is the same
    held             what a model was compiled from, if it is known: a garbage.Held; spec: the same, seen
    pace             steps of a Data that its next call may make in one go, from how long the last ones took (see core.pace)
    trusted          whether the indices of a Model are known to be right (see tables.validate)
    watched          {field: Watch} of a trusted Model: indices that somebody can write (see core.edits); table: their addresses, None without any
    copies           {field: bytes}: what was watched before, as it was then
    fresh            whether only who makes a trusted Model has seen it: nothing of it is watched yet
    """

    __slots__ = (
        "address",
        "arrays",
        "buffer",
        "by_type",
        "copies",
        "elements",
        "floats",
        "fresh",
        "growable",
        "growable_address",
        "header",
        "held",
        "ids",
        "integers",
        "names",
        "pace",
        "retired",
        "rows",
        "table",
        "texts",
        "trusted",
        "unsigned",
        "used",
        "watched",
        "whole",
    )

    def __init__(self, cells: int, nbytes: int, results: int, written: tuple[int, int] = (0, 0)) -> None:
        """A header of so many cells, and arrays of nbytes, of which the first `results` bytes are no scratch. Some bytes of them the caller is going to write:
        these are not cleared."""
        start = -(-8 * cells // ALIGN) * ALIGN
        first, last = written
        self.buffer = aligned_bytes(start + nbytes, start + first, start + last)
        self.header = self.buffer[: 8 * cells].view(np.int64)
        self.address = address_of(self.buffer)
        raw = self.buffer.data[: 8 * cells]
        self.integers, self.unsigned, self.floats = raw.cast("q"), raw.cast("Q"), raw.cast("d")
        self.arrays = self.address + start, nbytes, results
        self.growable: np.ndarray | None = None
        self.growable_address = 0
        self.retired: list[np.ndarray | None] = []
        self.whole: dict[str, np.ndarray] = {}
        self.used: dict[str, np.ndarray] = {}
        # views hold the struct; it must not hold them
        self.elements: dict[type, dict[int, weakref.ref]] = {}
        self.rows: dict[tuple, np.ndarray] = {}
        self.by_type: dict[int, tuple[list[str], dict[str, int]]] = {}
        self.names: dict[str, list[str]] = {}
        self.ids: dict[str, dict[str, int]] = {}
        self.texts: dict[str, bytes] = {}
        self.held: Held | None = None
        self.pace = 1
        self.trusted = self.fresh = False
        self.watched: dict[str, Any] = {}
        self.copies: dict[str, np.ndarray] = {}
        self.table: tuple | None = None

    @property
    def spec(self) -> Any:
        """What a model was compiled from; None if that is not known."""
        return self.held.see() if self.held is not None else None

    @staticmethod
    def room(nbytes: int) -> np.ndarray:
        """Memory for a second buffer."""
        return aligned_bytes(nbytes + ALIGN)
