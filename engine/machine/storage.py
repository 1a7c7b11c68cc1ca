"""Storage: the memory of a struct, and its caches. One object for each struct: `m.storage`, `d.storage`.

buffer     header | array | array | ...          header: sizes, addresses of the arrays, scalars; 8 bytes each
growable   array | array | ...                   contacts and constraints of a Data; replaced when they need more room
"""

import ctypes
import mmap
import sys
import weakref
from typing import Any

import numpy as np

from .garbage import Held

ALIGN = 64
# Arrays of at least this many bytes get memory directly from the system. Its pages are zero and allocated at first touch, and
# much of a large Data is never touched. Reused memory would have to be cleared, 0.4 ms per megabyte.
PAGED = 1 << 22
# where memory maps are shared with child processes by default
_PRIVATE = {} if sys.platform == "win32" else {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS}
_ADDRESS = ctypes.addressof
# arrays support the buffer interface, but their type does not say so to type checkers
_BYTE_OF: Any = ctypes.c_char.from_buffer


def address_of(x: np.ndarray) -> int:
    """Return the address of the first byte of a writable array that is not empty. `x.ctypes.data` takes three times as long."""
    return _ADDRESS(_BYTE_OF(x))


def aligned_bytes(count: int, first: int = 0, last: int = 0) -> np.ndarray:
    """Return a zeroed uint8 array aligned for vector loads. Bytes first:last may hold anything: the caller will write
    them."""
    if count >= PAGED:
        raw = _pages(count + ALIGN)
    else:
        raw = (np.empty if last > first else np.zeros)(count + ALIGN, np.uint8)
    skip = -address_of(raw) % ALIGN
    raw = raw[skip : skip + count]
    if last > first and count < PAGED:
        raw[:first] = raw[last:] = 0
    return raw


def _pages(count: int) -> np.ndarray:
    """Return a zeroed uint8 array in its own pages; large pages where the system has them."""
    try:
        memory = mmap.mmap(-1, count, **_PRIVATE)
    except OSError as error:
        raise MemoryError(f"no room for {count} bytes: {error}") from None
    if sys.platform == "linux":
        # on macOS and Windows, such memory cannot use large pages
        memory.madvise(mmap.MADV_HUGEPAGE)
    return np.frombuffer(memory, np.uint8)


class Storage:
    """Memory of a struct.

    buffer           header and fixed arrays, as bytes
    growable         the second buffer of a Data, or None
    address          address of the header: the argument of kernels
    growable_address address of the second buffer, 0 without one
    header           (cells,) int64: the header
    arrays           (address, bytes, bytes of results) of the arrays
    integers         header as Python integers; unsigned, floats: the same cells as other types
    whole            {field: view}: whole arrays of fields that show only their used part
    used             {field: view}: the used parts
    elements         {view class: {index: weak reference}} of named access: the same object while anyone refers to it
    rows             {(view class, attribute, index): array} of elements; arrays hold the buffer, not the struct
    retired          second buffers replaced during nested calls: the outer calls still use their addresses
    names, ids       {element type: names}, {element type: {name: id}}, made at first use
    by_type          {mjtObj: (names by id, ids by name)}
    texts            {field: bytes} of text arrays; the same object while the text does not change
    held             a garbage.Held of what a model was compiled from, if known; spec: the same object, marked as seen
    pace             steps that the next call of a Data may make in one go, from the time of the last ones (see core.pace)
    trusted          whether the indices of a Model are known to be right (see tables.validate)
    watched          {field: Watch} of a trusted Model: indices that users can write (see core.edits)
    table            addresses of the watched arrays, None if there are none
    copies           {field: bytes}: last known contents of arrays that were watched before
    fresh            whether only its maker has seen a trusted Model, so that nothing is watched yet
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
        """Allocate a header of `cells` cells and `nbytes` bytes of arrays; the first `results` bytes of these are not
        scratch.

        Bytes written[0]:written[1] of the arrays are not cleared: the caller will write them.
        """
        start = -(-8 * cells // ALIGN) * ALIGN
        first, last = written
        self.buffer = aligned_bytes(start + nbytes, start + first, start + last)
        self.header = self.buffer[: 8 * cells].view(np.int64)
        self.address = address_of(self.buffer)
        raw = self.buffer.data[: 8 * cells]
        self.integers, self.unsigned, self.floats = raw.cast("q"), raw.cast("Q"), raw.cast("d")
        self.arrays = self.address + start, nbytes, results

        # the second buffer
        self.growable: np.ndarray | None = None
        self.growable_address = 0
        self.retired: list[np.ndarray | None] = []

        # cached views of the buffers
        self.whole: dict[str, np.ndarray] = {}
        self.used: dict[str, np.ndarray] = {}
        # views hold the struct, so the struct refers to them weakly
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
        """The objects from which a model was compiled; None if unknown."""
        return self.held.see() if self.held is not None else None

    @staticmethod
    def room(nbytes: int) -> np.ndarray:
        """Allocate memory for a second buffer."""
        return aligned_bytes(nbytes + ALIGN)
