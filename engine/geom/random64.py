"""The 64-bit Mersenne twister (Nishimura and Matsumoto, 2000), seeded with 42, which places the random marks of textures."""

import numpy as np

from ..machine.jit import stage
from ..machine.lang import bytes_at, longs_at

SIZE, HALF = 312, 156
MATRIX = np.uint64(0xB5026F5AA96619E9)
UPPER, LOWER = np.uint64(0xFFFFFFFF80000000), np.uint64(0x7FFFFFFF)
FACTOR = np.uint64(6364136223846793005)
MASK_B, MASK_D, MASK_T = np.uint64(0x71D67FFFEDA60000), np.uint64(0x5555555555555555), np.uint64(0xFFF7EEE000000000)
SEED = np.uint64(42)
S1, S29, S17, S37, S43, S62 = (np.uint64(n) for n in (1, 29, 17, 37, 43, 62))
RANGE = 18446744073709551616.0


@stage("viiif")
def marks_random(state, out, count, below):
    """Draw random marks.

    reads nothing of the model; writes the state's 312 words and `count` bytes: 1 where the next number is below `below`.
    """
    x = longs_at(state, SIZE)
    mark = bytes_at(out, count)
    word = SEED

    # Seed the state.
    x[0] = np.int64(word)
    for i in range(1, SIZE):
        word = FACTOR * (word ^ (word >> S62)) + np.uint64(i)
        x[i] = np.int64(word)
    k = SIZE

    for n in range(count):
        if k == SIZE:
            # Compute the next 312 words. Each depends on its successor and on the word half a round ahead.
            for i in range(SIZE):
                bits = (np.uint64(x[i]) & UPPER) | (np.uint64(x[(i + 1) % SIZE]) & LOWER)
                word = np.uint64(x[(i + HALF) % SIZE]) ^ (bits >> S1)
                if bits & S1:
                    word = word ^ MATRIX
                x[i] = np.int64(word)
            k = 0
        word = np.uint64(x[k])
        k += 1

        # Temper the word: this distributes its bits more evenly.
        word = word ^ ((word >> S29) & MASK_D)
        word = word ^ ((word << S17) & MASK_B)
        word = word ^ ((word << S37) & MASK_T)
        word = word ^ (word >> S43)
        mark[n] = 1 if np.float64(word) / RANGE < below else 0


def uniforms_below(count: int, below: float) -> np.ndarray:
    """Return bool (count,): for each of the first `count` numbers in [0, 1), whether it is below a bound."""
    state, out = np.zeros(SIZE, np.int64), np.zeros(count, np.uint8)
    marks_random(state.ctypes.data, out.ctypes.data, count, float(below))
    return out.view(bool)
