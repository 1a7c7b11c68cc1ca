"""Random numbers for worlds: each world has its own sequence, derived from one seed and independent of threads and of other
worlds.

Generator: SplitMix64 (Steele, Lea, Flood, Fast splittable pseudorandom number generators, 2014).
"""

from math import cos, log, sqrt

import numpy as np

from ..machine.jit import kernel
from ..tables.consts import mjPI

GAMMA, FIRST, SECOND = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
S11, S27, S30, S31 = (np.uint64(n) for n in (11, 27, 30, 31))
# spacing of 53-bit numbers in [0, 1)
SPACING = 2.0**-53


@kernel
def uniform(random, i):
    """Return the next number, in [0, 1), of world i's sequence. `random` is the batch's array of this name."""
    word = np.uint64(random[i]) + GAMMA
    random[i] = np.int64(word)
    word = (word ^ (word >> S30)) * FIRST
    word = (word ^ (word >> S27)) * SECOND
    word = word ^ (word >> S31)
    return np.float64(word >> S11) * SPACING


@kernel
def normal(random, i):
    """Return the next number of world i's sequence, with standard normal distribution (Box and Muller, 1958)."""
    radius = sqrt(-2.0 * log(1.0 - uniform(random, i)))
    return radius * cos(2.0 * mjPI * uniform(random, i))


def seeds(seed: int, nsim: int) -> np.ndarray:
    """Return the initial positions of the worlds in their sequences, int64 (nsim,). World i's position depends only on the seed
    and on i."""
    with np.errstate(over="ignore"):
        word = np.uint64(seed % 2**64) * SECOND + np.arange(1, nsim + 1, dtype=np.uint64) * FIRST
        word = (word ^ (word >> S30)) * FIRST
        word = (word ^ (word >> S27)) * SECOND
        return (word ^ (word >> S31)).view(np.int64)
