"""Sends large arrays between processes on one machine, through shared memory instead of a pipe.

    value ──┬── numbers ──▶ a file in shared memory ──▶ mapped by the receiver, which removes the file's name ──┬──▶ value
            └── structure ──▶ Parcel ──── pipe ─────────────────────────────────────────────────────────────────┘

A pipe transfers data in pieces of 64 KB; for 30 MB, the worker would wait for a twentieth of a second.
"""

import itertools
import mmap
import os
import pathlib
import pickle
import tempfile
from typing import Any, NamedTuple

# folder in memory, on systems that have one
MEMORY = pathlib.Path("/dev/shm")
# values smaller than this are sent through the pipe
LEAST = 1 << 20
# arrays begin at a multiple of this many bytes
ALIGNMENT = 64


class Parcel(NamedTuple):
    """A value being sent: its structure, the file that contains the numbers, and the number of bytes of each array."""

    head: bytes
    path: str
    sizes: list[int]


def folder() -> Any:
    """Return a folder for parcels as a TemporaryDirectory, or None if shared memory is unavailable."""
    if not MEMORY.is_dir() or not os.access(MEMORY, os.W_OK):
        return None
    return tempfile.TemporaryDirectory(prefix="tumble-", dir=MEMORY, ignore_cleanup_errors=True)


def wrapped(value: Any, where: str) -> Any:
    """If it is faster, return a Parcel to send in place of a value, else return the value itself. Values that are small, or do
    not fit into shared memory, are sent as they are."""
    buffers: list[pickle.PickleBuffer] = []
    if not where:
        return value

    # separate the structure of the value from its numbers
    head = pickle.dumps(value, 5, buffer_callback=buffers.append)
    numbers = [b.raw() for b in buffers]
    sizes = [x.nbytes for x in numbers]
    if sum(map(_padded, sizes)) < LEAST:
        return value

    # write the numbers to a file
    path = ""
    try:
        file, path = tempfile.mkstemp(dir=where)
        with os.fdopen(file, "wb") as out:
            for x, size in zip(numbers, sizes, strict=True):
                out.write(x)
                out.write(bytes(_padded(size) - size))
    except OSError:
        # shared memory is full, or the folder was removed: send through the slower pipe
        if path:
            pathlib.Path(path).unlink(missing_ok=True)
        return value
    return Parcel(head, path, sizes)


def unwrapped(value: Any) -> Any:
    """Return the value that was sent. The parcel's memory is freed together with its arrays."""
    if not isinstance(value, Parcel):
        return value
    with open(value.path, "rb") as file:
        pages = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY))
    os.unlink(value.path)
    starts = itertools.accumulate(map(_padded, value.sizes[:-1]), initial=0)
    return pickle.loads(
        value.head, buffers=[pages[start : start + size] for start, size in zip(starts, value.sizes, strict=True)]
    )


def _padded(count: int) -> int:
    """Round up to a multiple of the alignment."""
    return -(-count // ALIGNMENT) * ALIGNMENT
