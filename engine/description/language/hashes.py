"""Hash of texts, as the reference's: h = 33 h xor c from 5381, in 64 bits; characters are signed. Compiled."""

import numpy as np

from ...machine.jit import kernel, stage
from ...machine.lang import bytes_at, ints_at, longs_at

FIRST, FACTOR = np.uint64(5381), np.uint64(33)
MASK = (1 << 64) - 1
# places of the table of names for each name
LOAD = 2
# what a character adds beside its own bits if its sign is set
SIGN, HIGH = np.uint64(128), np.uint64((1 << 64) - 256)


@kernel
def text_hash(text, k):
    """Hash of the text that starts at k."""
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
    """reads a text of many, each ended by a zero, and where n of them start; writes their hashes."""
    text, start, out = bytes_at(text_at, size), longs_at(start_at, n), longs_at(out_at, n)
    for i in range(n):
        out[i] = np.int64(text_hash(text, start[i]))


@stage("viiiiiii")
def place_names(text_at, size, start_at, count_at, kinds, table_at, room):
    """reads a text of many names, each ended by a zero, where they start and how many there are of each kind; writes the table that finds them: a part
    of each kind, in which a name's number stands at its hash, or at the next free place."""
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


def hashes(text, starts) -> np.ndarray:
    """uint64 (n,): hashes of the texts that start at these places of `text`, bytes in which each ends with a zero."""
    starts, kept = np.array(starts, np.int64), np.array(np.frombuffer(text, np.uint8))
    out = np.zeros(len(starts), np.int64)
    if len(starts):
        hash_texts(kept, len(text), starts, len(starts), out)
    return out.view(np.uint64)


def hash_of(text) -> int:
    """Hash of one text, bytes without zeros."""
    return int(hashes(text + b"\0", (0,))[0])


def name_table(text, starts, counts) -> np.ndarray:
    """The table that finds names: a part for each kind, of which there are `counts`; the starts of all names lie one after the other in `starts`."""
    starts, kept, counts = np.array(starts, np.int64), np.array(np.frombuffer(text, np.uint8)), np.array(counts, np.int64)
    table = np.empty(LOAD * len(starts), np.int32)
    if len(starts):
        place_names(kept, len(text), starts, counts, len(counts), table, len(table))
    return table
