"""A cache of compiled assets, looked up by the contents of their files and by their settings, so that an edited model reloads
quickly.

The least recently used assets are dropped when the size exceeds the limit. Several threads may compile at once.
"""

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

import numpy as np

# limit in bytes, as in MuJoCo
CAPACITY = 500 << 20
# longer lists are hashed as arrays
MANY = 16
# types of most values, which are hashed by their repr
SHORT = frozenset((int, float, str))


class Cache:
    """Objects by key, with their sizes in bytes; `capacity` limits the total size."""

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._rows = OrderedDict()
        self._lock = threading.Lock()
        self._capacity = capacity
        self.size = 0

    @property
    def capacity(self) -> int:
        """The limit of the total size, in bytes."""
        return self._capacity

    @capacity.setter
    def capacity(self, count: int) -> None:
        with self._lock:
            self._capacity = count
            self._shrink()

    def get(self, key: bytes) -> Any:
        """Return the object stored under a key, or None."""
        with self._lock:
            row = self._rows.get(key)
            if row is None:
                return None
            self._rows.move_to_end(key)
            return row[0]

    def put(self, key: bytes, value: Any, count: int) -> None:
        """Store an object of `count` bytes; an object larger than the limit is not kept."""
        with self._lock:
            old = self._rows.pop(key, None)
            self.size -= old[1] if old else 0
            self._rows[key] = value, count
            self.size += count
            self._shrink()

    def _shrink(self) -> None:
        while self.size > self._capacity and self._rows:
            _, (_, count) = self._rows.popitem(last=False)
            self.size -= count

    def clear(self) -> None:
        """Drop all objects."""
        with self._lock:
            self._rows.clear()
            self.size = 0

    def __len__(self) -> int:
        return len(self._rows)


ASSETS = Cache()


def key_of(kind: str, raw: dict[str, Any], left_out: Sequence[str], *contents: bytes) -> bytes:
    """Return a digest of a kind, of an element's fields except those in `left_out`, and of the given bytes."""
    h, plain = hashlib.sha1(kind.encode()), []
    # fields have a fixed order, that of their class
    for name, value in raw.items():
        if name in left_out:
            continue
        if type(value) in SHORT:
            plain += name, value
            continue
        if isinstance(value, (bytes, bytearray)):
            h.update(value)
            value = len(value)
        elif isinstance(value, np.ndarray) or isinstance(value, (list, tuple)) and len(value) > MANY:
            h.update(np.ascontiguousarray(value).data)
            value = len(value)
        plain += name, value
    h.update(repr(plain).encode())
    for data in contents:
        h.update(len(data).to_bytes(8, "little"))
        h.update(data)
    return h.digest()
