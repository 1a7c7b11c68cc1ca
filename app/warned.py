"""Collects the engine's warnings and adds the names of the elements. The engine counts warnings by type and index; it clears
the counts when it resets the simulation.
"""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, replace

import numpy as np

from .. import engine as mj
from ..ui.element_names import dof_joint, dof_name, name, qpos_joint, qpos_name

_W = mj.mjtWarning
BAD = {int(_W.mjWARN_BADQACC): "acceleration", int(_W.mjWARN_BADQVEL): "velocity", int(_W.mjWARN_BADQPOS): "position"}
BAD_KINDS = tuple(BAD)
BAD_CTRL, INERTIA = int(_W.mjWARN_BADCTRL), int(_W.mjWARN_INERTIA)
# Counts at which the console repeats a warning.
AGAIN = frozenset(10**k for k in range(1, 9))
# The engine has reset the simulation if the time after a burst is more than this fraction of a step below the expected time.
LACKING = 0.5


@dataclass(frozen=True)
class Trouble:
    """A type of warning at one element. `count`: number of occurrences. `at` and `last`: simulation time and wall-clock time of
    the latest one. `reset`: whether the engine reset the simulation. `element`: kind and id; ("", 0) if there is none.
    """

    kind: int
    element: tuple[str, int]
    text: str
    count: int
    at: float
    last: float
    reset: bool = False


def element_of(m: mj.MjModel, kind: int, info: int) -> tuple[str, int]:
    """Return the element to which a warning's index refers."""
    if kind == BAD_CTRL:
        return "actuator", info
    if kind == int(_W.mjWARN_BADQPOS):
        return "joint", qpos_joint(m, info)
    return ("joint", dof_joint(m, info)) if kind in BAD or kind == INERTIA else ("", 0)


def wording(m: mj.MjModel, kind: int, info: int) -> str:
    """Return the text of a warning, with the name of its element."""
    if kind in BAD:
        what = qpos_name(m, info) if kind == int(_W.mjWARN_BADQPOS) else dof_name(m, info)
        return f"Unstable: the {BAD[kind]} of {what} is huge or NaN"
    if kind == BAD_CTRL:
        return f"The control of actuator {name(m, 'actuator', info)} is huge or NaN: all controls count as zero"
    if kind == INERTIA:
        return f"The inertia matrix is close to singular at {dof_name(m, info)}: add mass or armature there"
    return mj.mju_warningText(kind, info)


class Warned:
    """Checks the warning counts of one Data after every burst of steps."""

    def __init__(self) -> None:
        self.m: mj.MjModel | None = None
        self.d: mj.MjData | None = None
        self.counts = self.seen = np.zeros(0, np.int32)
        self.found: dict[tuple[int, int], Trouble] = {}
        self.latest: Trouble | None = None
        # warnings that the console has not shown yet
        self.news: deque[Trouble] = deque()

    def adopt(self, m: mj.MjModel, d: mj.MjData) -> None:
        """Switch to another model, and forget the warnings of the previous one."""
        self.m, self.d = m, d
        # A view of the engine's array, in which the engine counts.
        self.counts = d.warning.number
        self.clear()

    def clear(self) -> None:
        """Clear the warnings, after the user has reset the simulation."""
        self.seen = np.array(self.counts)
        self.found.clear()
        self.latest = None

    def look(self, expected: float) -> bool:
        """Check for warnings after a burst of steps, which should have ended at time `expected`. Return whether the engine
        reset the simulation.
        """
        assert self.m is not None and self.d is not None
        again = self.d.time < expected - LACKING * self.m.opt.timestep
        if not again and np.array_equal(self.counts, self.seen):
            return False
        reset = False
        for kind, count in enumerate(self.counts.tolist()):
            more = count if again else count - int(self.seen[kind])
            if more > 0:
                reset |= again and kind in BAD
                self._note(kind, int(self.d.warning[kind].lastinfo), 1 if kind in BAD else more, again and kind in BAD)
        self.seen = np.array(self.counts)
        return reset

    def _note(self, kind: int, info: int, more: int, reset: bool) -> None:
        assert self.m is not None and self.d is not None
        element = element_of(self.m, kind, info)
        # Warnings without an element count as the same one. Their index is a number of contacts or constraint rows, which
        # differs each time.
        key = kind, info if element[0] else -1
        old = self.found.get(key)
        count = more + (old.count if old else 0)
        now = Trouble(kind, element, wording(self.m, kind, info), count, float(self.d.time), time.perf_counter(), reset)
        if old:
            now = replace(now, text=old.text)
        self.found[key] = now
        # Keep a warning that caused a reset as the latest one, because it matters more than others.
        if kind in BAD or self.latest is None or self.latest.kind not in BAD:
            self.latest = now
        if old is None or any(old.count < n <= count for n in AGAIN):
            self.news.append(now)
