"""Records values over time. The physics thread appends a sample of each value after each slice of steps, and the window reads
the samples without a lock.

times, values   (CAPACITY,), (channels, CAPACITY); two of each, because when one is full, its newest half moves to the other
lows, highs     minimum and maximum of each BLOCK samples, so that drawing all of them reads only a small part
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from .. import engine as mj
from ..ui.element_names import KINDS

# Capacity in samples. At least the newest half is always kept.
CAPACITY = 1 << 18
BLOCK = 64
# Maximum number of channels, and of stored values in all channels together.
MOST_CHANNELS, MOST_NUMBERS = 128, 1 << 24
# Prefixes of arrays that are reallocated when they grow: constraints and contacts.
MOVED = ("efc_", "contact")
_FUNCTION = re.compile(r"^(\w+)\((\w+) (\d+)\)$")


@dataclass
class Block:
    """Samples, oldest first. The first `count` entries of `times` and `values`, and the first `count // BLOCK` of `lows` and
    `highs`, are valid.
    """

    times: np.ndarray
    values: np.ndarray
    lows: np.ndarray
    highs: np.ndarray
    count: int = 0

    @classmethod
    def empty(cls, channels: int, capacity: int) -> Block:
        few = capacity // BLOCK
        return cls(np.empty(capacity), np.empty((channels, capacity)), np.empty((channels, few)), np.empty((channels, few)))

    def fill(self, other: Block, first: int) -> None:
        """Copy the samples of another block, starting at index `first`, which is a multiple of BLOCK."""
        count, few = other.count - first, (other.count - first) // BLOCK
        self.times[:count] = other.times[first : other.count]
        self.values[:, :count] = other.values[:, first : other.count]
        self.lows[:, :few] = other.lows[:, first // BLOCK : first // BLOCK + few]
        self.highs[:, :few] = other.highs[:, first // BLOCK : first // BLOCK + few]
        self.count = count


@dataclass(frozen=True)
class Samples:
    """The data that the window reads: the names of the channels, and the current block."""

    channels: tuple[str, ...] = ()
    block: Block = field(default_factory=lambda: Block.empty(0, BLOCK))


class Recorder:
    """Records channels of one Model and Data, such as `qpos[3]`, `ncon`, `m.body_mass[2]`, `speed(geom 4)`, `force(geom 4)`,
    `energy(total 0)`.
    """

    def __init__(self, m: mj.MjModel, d: mj.MjData) -> None:
        self.m, self.d = m, d
        self.shown = Samples()
        self._spare = self.shown.block
        # readers of channels: a view for adjacent elements of an array, a function for each other channel
        self._runs: list[tuple[slice, np.ndarray]] = []
        self._read: list[tuple[int, Callable[[], float]]] = []

    def follow(self, channels: tuple[str, ...]) -> None:
        """Set the channels to record, and keep the samples of channels that were already recorded. Raise ValueError naming a
        channel that cannot be read.
        """
        channels = tuple(dict.fromkeys(channels))[:MOST_CHANNELS]
        if channels == self.shown.channels:
            return
        self._runs, self._read = readers(self.m, self.d, channels)
        capacity = min(CAPACITY, MOST_NUMBERS // max(1, len(channels))) // (2 * BLOCK) * 2 * BLOCK
        block, old = Block.empty(len(channels), capacity), self.shown
        self._spare = Block.empty(len(channels), capacity)
        first = max(0, old.block.count - capacity // 2) // BLOCK * BLOCK
        count, few = old.block.count - first, (old.block.count - first) // BLOCK
        block.times[:count] = old.block.times[first : old.block.count]
        for row, text in enumerate(channels):
            known = old.channels.index(text) if text in old.channels else None
            block.values[row, :count] = np.nan if known is None else old.block.values[known, first : old.block.count]
            block.lows[row, :few] = np.nan if known is None else old.block.lows[known, first // BLOCK : first // BLOCK + few]
            block.highs[row, :few] = np.nan if known is None else old.block.highs[known, first // BLOCK : first // BLOCK + few]
        block.count = count
        self.shown = Samples(channels, block)

    def sample(self) -> None:
        """Append a sample at Data's current time. If time has decreased, as after a reset, first drop the later samples."""
        if not self.shown.channels:
            return
        block, now = self.shown.block, float(self.d.time)
        if block.count and not now > block.times[block.count - 1]:
            block.count = int(np.searchsorted(block.times[: block.count], now))
        if block.count == len(block.times):
            block = self._turn(block)
        i = block.count
        block.times[i] = now
        for rows, numbers in self._runs:
            block.values[rows, i] = numbers
        for row, read in self._read:
            block.values[row, i] = read()
        if (i + 1) % BLOCK == 0:
            part, k = block.values[:, i + 1 - BLOCK : i + 1], i // BLOCK
            np.min(part, axis=1, out=block.lows[:, k])
            np.max(part, axis=1, out=block.highs[:, k])
        block.count = i + 1

    def _turn(self, full: Block) -> Block:
        """Copy the newest half to the spare block, and continue with that block."""
        spare, self._spare = self._spare, full
        spare.fill(full, len(full.times) // 2)
        self.shown = Samples(self.shown.channels, spare)
        return spare


def readers(
    m: mj.MjModel, d: mj.MjData, channels: tuple[str, ...]
) -> tuple[list[tuple[slice, np.ndarray]], list[tuple[int, Callable[[], float]]]]:
    """Return readers of channels: (rows, view) for adjacent elements of an array, (row, function) for each other channel. Raise
    ValueError as `reader` does.
    """
    runs: list[tuple[slice, np.ndarray]] = []
    single: list[tuple[int, Callable[[], float]]] = []
    # The current run of adjacent elements: name and values of its array, its start in the rows (`begin`) and in the array
    # (`first`), and the row after its end (`after`).
    name, values, begin, first, after = "", np.zeros(0), 0, 0, -1
    for row, text in enumerate(channels):
        found = place(m, d, text)
        if found is None:
            single.append((row, reader(m, d, text)))
            continue
        path, array, i = found
        if path == name and row == after and i == first + row - begin:
            runs.pop()
        else:
            name, values, begin, first = path, array, row, i
        runs.append((slice(begin, row + 1), values[first : i + 1]))
        after = row + 1
    return runs, single


def place(m: mj.MjModel, d: mj.MjData, text: str) -> tuple[str, np.ndarray, int] | None:
    """Return (array name, flat array, index) of a channel. Return None if it is not an element of an array, or if the array is
    not contiguous or may be reallocated.
    """
    path, _, index = text.partition("[")
    owner: object = m if path.startswith("m.") else d
    name = path.removeprefix("m.").removeprefix("d.")
    if not index or _FUNCTION.match(text) or not hasattr(owner, name) or (owner is d and name.startswith(MOVED)):
        return None
    values, i = np.asarray(getattr(owner, name)), int(index.rstrip("]"))
    return (
        (path, values.reshape(-1), i)
        if values.flags.c_contiguous and 0 <= i < values.size and not name.startswith("_")
        else None
    )


def reader(m: mj.MjModel, d: mj.MjData, text: str) -> Callable[[], float]:
    """Return a function that reads a channel for which `place` returns None. Raise ValueError if there is no such channel."""
    if found := _FUNCTION.match(text):
        word, kind, number = found[1], found[2], int(found[3])
        if word in FUNCTIONS and (kind not in KINDS or number < getattr(m, KINDS[kind])):
            return FUNCTIONS[word](m, d, kind, number)
        raise ValueError(f"no such function: {text}")
    path, _, index = text.partition("[")
    owner: object = m if path.startswith("m.") else d
    name = path.removeprefix("m.").removeprefix("d.")
    if name.startswith("_") or not hasattr(owner, name):
        raise ValueError(f"no such field: {text}")
    if not index:
        return lambda: float(np.ravel(getattr(owner, name))[0])
    i = int(index.rstrip("]"))
    if not 0 <= i < np.asarray(getattr(owner, name)).size and not (owner is d and name.startswith(MOVED)):
        raise ValueError(f"no such number: {text}")
    return lambda: float(flat[i]) if i < (flat := np.ravel(getattr(owner, name))).size else float("nan")


def readable(m: mj.MjModel, d: mj.MjData, text: str) -> bool:
    """Return whether a model has a channel."""
    try:
        reader(m, d, text)
    except ValueError:
        return False
    return True


def _speed(m: mj.MjModel, d: mj.MjData, kind: str, number: int) -> Callable[[], float]:
    """Return a function that returns the speed of a geom, site or body center, in m/s."""
    kinds = {"geom": mj.mjtObj.mjOBJ_GEOM, "site": mj.mjtObj.mjOBJ_SITE, "body": mj.mjtObj.mjOBJ_XBODY}
    if kind not in kinds:
        raise ValueError(f"a {kind} has no speed")
    six = np.zeros(6)

    def read() -> float:
        mj.mj_objectVelocity(m, d, kinds[kind], number, six, 0)
        return float(np.sqrt(six[3:] @ six[3:]))

    return read


def _force(m: mj.MjModel, d: mj.MjData, kind: str, number: int) -> Callable[[], float]:
    """Return a function that returns the sum of the normal contact forces on a geom, or on all geoms of a body, in newtons."""
    six, bodies = np.zeros(6), np.asarray(m.geom_bodyid)

    def read() -> float:
        count = int(d.ncon)
        if not count:
            return 0.0
        pairs = np.asarray(d.contact.geom).reshape(-1, 2)[:count]
        mine = (pairs == number).any(axis=1) if kind == "geom" else ((bodies[pairs] == number) & (pairs >= 0)).any(axis=1)
        total = 0.0
        for k in np.flatnonzero(mine).tolist():
            mj.mj_contactForce(m, d, k, six)
            total += float(six[0])
        return total

    return read


def _energy(m: mj.MjModel, d: mj.MjData, kind: str, _number: int) -> Callable[[], float]:
    """Return a function that returns the potential, kinetic or total energy in joules, even if the model does not enable
    energy.
    """
    shown = np.zeros(2)

    def read() -> float:
        shown[:] = d.energy
        mj.mj_energyPos(m, d)
        mj.mj_energyVel(m, d)
        potential, kinetic = float(d.energy[0]), float(d.energy[1])
        # Restore the energies that are shown to the user.
        d.energy[:] = shown
        return {"potential": potential, "kinetic": kinetic}.get(kind, potential + kinetic)

    return read


FUNCTIONS: dict[str, Callable[[mj.MjModel, mj.MjData, str, int], Callable[[], float]]] = {
    "speed": _speed,
    "force": _force,
    "energy": _energy,
}
