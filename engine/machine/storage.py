"""Storage: the memory of a struct (a Model, Data or options), with its caches: `m.storage`, `d.storage`.

buffer     header | array | array | ...          header: sizes, addresses of the arrays, scalars; 8 bytes each
growable   array | array | ...                   contacts and constraints of a Data; replaced when they need more memory
"""

import ctypes
import mmap
import sys
import weakref
from typing import Any

import numpy as np

from .garbage import Held

ALIGN = 64
# Arrays of at least this many bytes get memory pages directly from the system, which zeroes and allocates them when first
# touched. Much of a large Data is never touched, and clearing reused memory takes 0.4 ms per megabyte.
PAGED = 1 << 22
# map memory privately: some systems share maps with child processes by default
_PRIVATE = {} if sys.platform == "win32" else {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS}
_ADDRESS = ctypes.addressof
# arrays support the buffer interface, but their type annotations lack it
_BYTE_OF: Any = ctypes.c_char.from_buffer


def address_of(x: np.ndarray) -> int:
    """Return the address of the first byte of a nonempty, writable array. `x.ctypes.data` takes three times as long."""
    return _ADDRESS(_BYTE_OF(x))


def aligned_bytes(count: int, first: int = 0, last: int = 0) -> np.ndarray:
    """Return a zeroed uint8 array, aligned for vector loads. Bytes first:last are not cleared, because the caller will write
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
    """Return a zeroed uint8 array in its own memory pages; large pages if the system has them."""
    try:
        memory = mmap.mmap(-1, count, **_PRIVATE)
    except OSError as error:
        raise MemoryError(f"no room for {count} bytes: {error}") from None
    if sys.platform == "linux":
        # macOS and Windows have no large pages for such memory
        memory.madvise(mmap.MADV_HUGEPAGE)
    return np.frombuffer(memory, np.uint8)


class Storage:
    """The memory of a struct.

    buffer           header and fixed arrays, as bytes
    growable         the second buffer of a Data, or None
    address          address of the header: the argument of kernels
    growable_address address of the second buffer, 0 without one
    header           (cells,) int64: the header
    arrays           (address, bytes, bytes of results) of the arrays
    integers         header as Python integers; `unsigned`, `floats`: the same cells as other types
    whole            {field: view}: whole arrays of fields that normally show only their used part
    used             {field: view}: the used parts
    elements         {view class: {index: weak reference}} for named access: the same object as long as it is referenced
    rows             {(view class, attribute, index): array} of elements; the arrays refer to the buffer, not to the struct
    retired          second buffers that were replaced during nested calls; the outer calls still use their addresses
    names, ids       {element type: names}, {element type: {name: id}}, made at first use
    by_type          {mjtObj: (names by id, ids by name)}
    texts            {field: bytes} of text arrays; the same object while the text does not change
    held             garbage.Held of the spec from which a model was compiled, if known; `spec` returns it and marks it as seen
    pace             steps that a Data's next call may make at once, estimated from the last steps' duration (see core.pace)
    trusted          whether the indices of a Model are known to be valid (see tables.validate)
    watched          {field: Watch} of a trusted Model: indices that users can write (see core.edits)
    table            addresses of the watched arrays, None if there are none
    copies           {field: bytes}: last known contents of arrays that are no longer watched
    fresh            whether no user has seen a trusted Model yet, so that nothing needs watching
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
        """Allocate a header of `cells` 8-byte cells, and `nbytes` bytes for arrays. The first `results` bytes of arrays are
        results, the rest is scratch.

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
        # views refer to the struct, so the struct keeps only weak references to them
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
        """The spec from which a model was compiled; None if unknown."""
        return self.held.see() if self.held is not None else None

    @staticmethod
    def room(nbytes: int) -> np.ndarray:
        """Allocate memory for a second buffer."""
        return aligned_bytes(nbytes + ALIGN)
