"""Hash of texts, as the reference's: h = 33 h xor c from 5381, in 64 bits; characters are signed. Compiled."""

import numpy as np

from ...core.jit import stage
from ...core.lang import bytes_at, longs_at

FIRST, FACTOR = np.uint64(5381), np.uint64(33)
# what a character adds beside its own bits if its sign is set
SIGN, HIGH = np.uint64(128), np.uint64((1 << 64) - 256)


@stage("viiiii")
def hash_texts(text_at, size, start_at, n, out_at):
    """reads a text of many, each ended by a zero, and where n of them start; writes their hashes."""
    text, start, out = bytes_at(text_at, size), longs_at(start_at, n), longs_at(out_at, n)
    for i in range(n):
        h, k = FIRST, start[i]
        while text[k] != 0:
            c = np.uint64(text[k])
            if c >= SIGN:
                c = c | HIGH
            h = (h * FACTOR) ^ c
            k += 1
        out[i] = np.int64(h)


def hashes(text, starts) -> np.ndarray:
    """uint64 (n,): hashes of the texts that start at these places of `text`, bytes in which each ends with a zero."""
    starts = np.asarray(starts, np.int64)
    out = np.zeros(len(starts), np.int64)
    if len(starts):
        hash_texts(np.frombuffer(text, np.uint8).ctypes.data, len(text), starts.ctypes.data, len(starts), out.ctypes.data)
    return out.view(np.uint64)
