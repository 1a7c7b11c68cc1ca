"""Arguments and results with large arrays between processes of one machine: the numbers cross by shared memory, not by a pipe.

    sender   value ──┬── numbers ──▶ a file in shared memory ──────────▶ views of its pages, the file has no name any more ──┬──▶ value
                     └── what they are ──▶ Parcel ──── pipe ──────────────────────────────────────────────────────────────────┘

A worker that writes 30 MB to a pipe does nothing else while they are read, 64 KB at a time: a twentieth of a second's work.
"""

import itertools
import mmap
import os
import pathlib
import pickle
import tempfile
from typing import Any, NamedTuple

# where files are memory, on systems that have such a place
MEMORY = pathlib.Path("/dev/shm")
# less goes by the pipe
LEAST = 1 << 20
# arrays begin at a multiple of this many bytes
ALIGNMENT = 64


class Parcel(NamedTuple):
    """A value on its way: how it is put together, the file with the numbers, bytes of each array of them."""

    head: bytes
    path: str
    sizes: list[int]


def folder() -> Any:
    """A folder for parcels, a TemporaryDirectory; None where files are no memory."""
    if not MEMORY.is_dir() or not os.access(MEMORY, os.W_OK):
        return None
    return tempfile.TemporaryDirectory(prefix="tumble-", dir=MEMORY, ignore_cleanup_errors=True)


def wrapped(value: Any, where: str) -> Any:
    """A value to be sent, as a Parcel in a folder if that is quicker; the value itself if it is small, or there is no folder or no room in it."""
    buffers: list[pickle.PickleBuffer] = []
    if not where:
        return value
    head = pickle.dumps(value, 5, buffer_callback=buffers.append)
    numbers = [b.raw() for b in buffers]
    sizes = [x.nbytes for x in numbers]
    if sum(map(_padded, sizes)) < LEAST:
        return value
    path = ""
    try:
        file, path = tempfile.mkstemp(dir=where)
        with os.fdopen(file, "wb") as out:
            for x, size in zip(numbers, sizes, strict=True):
                out.write(x)
                out.write(bytes(_padded(size) - size))
    except OSError:
        # memory is full, or the folder is gone: the pipe is slower and has no limit
        if path:
            pathlib.Path(path).unlink(missing_ok=True)
        return value
    return Parcel(head, path, sizes)


def unwrapped(value: Any) -> Any:
    """What was sent. The memory of a parcel's arrays is freed with them."""
    if not isinstance(value, Parcel):
        return value
    with open(value.path, "rb") as file:
        pages = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY))
    os.unlink(value.path)
    starts = itertools.accumulate(map(_padded, value.sizes[:-1]), initial=0)
    return pickle.loads(
        value.head, buffers=[pages[start : start + size] for start, size in zip(starts, value.sizes, strict=True)]
    )


def _padded(count):
    return -(-count // ALIGNMENT) * ALIGNMENT
