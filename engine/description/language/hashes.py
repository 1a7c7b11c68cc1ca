"""Hashes of strings, equal to MuJoCo's: h = 33 h xor c, starting with 5381, in 64 bits, with signed characters. Compiled."""

from typing import Any

import numpy as np

from ...machine.jit import kernel, stage
from ...machine.lang import bytes_at, ints_at, longs_at

FIRST, FACTOR = np.uint64(5381), np.uint64(33)
MASK = (1 << 64) - 1
# number of slots in the name table for each name
LOAD = 2
# upper bits of a character whose sign bit is set, when it is extended to 64 bits
SIGN, HIGH = np.uint64(128), np.uint64((1 << 64) - 256)


@kernel
def text_hash(text, k):
    """Return the hash of the zero-terminated string that starts at index k."""
    h = FIRST
    while text[k] != 0:
        c = np.uint64(text[k])
        if c >= SIGN:
            c = c | HIGH
        h = (h * FACTOR) ^ c
        k += 1
    return h


@stage("viiiii")
def hash_texts(text_at, size, start_at, n, out_at):
    """reads zero-terminated strings and the start indices of n of them; writes their hashes."""
    text, start, out = bytes_at(text_at, size), longs_at(start_at, n), longs_at(out_at, n)
    for i in range(n):
        out[i] = np.int64(text_hash(text, start[i]))


@stage("viiiiiii")
def place_names(text_at, size, start_at, count_at, kinds, table_at, room):
    """reads zero-terminated names, their start indices and the number of names of each kind; writes the lookup table.

    The table has a part for each kind, in which a name's number is stored at its hash or at the next free slot.
    """
    text, counts, table = bytes_at(text_at, size), longs_at(count_at, kinds), ints_at(table_at, room)
    for k in range(room):
        table[k] = -1
    done = 0
    for kind in range(kinds):
        n, first = counts[kind], LOAD * done
        start, width = longs_at(start_at + 8 * done, n), LOAD * n
        for i in range(n):
            if text[start[i]] != 0:
                k = np.int64(text_hash(text, start[i]) % np.uint64(width))
                while table[first + k] != -1:
                    k = k + 1 if k + 1 < width else 0
                table[first + k] = i
        done += n


def hashes(text: bytes, starts: Any) -> np.ndarray:
    """Return the hashes (n,), uint64, of the zero-terminated strings that start at the indices `starts` of `text`."""
    starts, kept = np.array(starts, np.int64), np.array(np.frombuffer(text, np.uint8))
    out = np.zeros(len(starts), np.int64)
    if len(starts):
        hash_texts(kept, len(text), starts, len(starts), out)
    return out.view(np.uint64)


def hash_of(text: bytes) -> int:
    """Return the hash of one string, given as bytes without zeros."""
    return int(hashes(text + b"\0", (0,))[0])


def name_table(text: bytes, starts: Any, counts: Any) -> np.ndarray:
    """Return the lookup table of names, with one part for each kind. `counts`: the number of names of each kind. `starts`:
    where each name starts in `text`, in the order of the kinds."""
    starts, kept, counts = np.array(starts, np.int64), np.array(np.frombuffer(text, np.uint8)), np.array(counts, np.int64)
    table = np.empty(LOAD * len(starts), np.int32)
    if len(starts):
        place_names(kept, len(text), starts, counts, len(counts), table, len(table))
    return table
