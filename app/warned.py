"""Warnings of the engine, with the names of the elements. The engine counts them by type and index, and clears the counts when
it resets.
"""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, replace

import numpy as np

from .. import engine as mj
from ..ui.names import dof_joint, dof_name, name, qpos_joint, qpos_name

_W = mj.mjtWarning
BAD = {int(_W.mjWARN_BADQACC): "acceleration", int(_W.mjWARN_BADQVEL): "velocity", int(_W.mjWARN_BADQPOS): "position"}
BAD_KINDS = tuple(BAD)
BAD_CTRL, INERTIA = int(_W.mjWARN_BADCTRL), int(_W.mjWARN_INERTIA)
# The console repeats a warning at these counts.
AGAIN = frozenset(10**k for k in range(1, 9))
# If, after a burst, more time than this share of a step is missing, time was set back.
LACKING = 0.5


@dataclass(frozen=True)
class Trouble:
    """A type of warning at one element. `count`: number of occurrences. `at`: simulation time, and `last`: wall time, of the
    latest one. `reset`: whether the engine reset the simulation. `element`: kind and id, ("", 0) if there is none.
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
        return f"unstable: the {BAD[kind]} of {what} is huge or NaN"
    if kind == BAD_CTRL:
        return f"the control of actuator {name(m, 'actuator', info)} is huge or NaN: all controls count as zero"
    if kind == INERTIA:
        return f"the inertia matrix is close to singular at {dof_name(m, info)}: add mass or armature there"
    return mj.mju_warningText(kind, info)


class Warned:
    """Checks the warning counts of one Data after every burst."""

    def __init__(self) -> None:
        self.m: mj.MjModel | None = None
        self.d: mj.MjData | None = None
        self.counts = self.seen = np.zeros(0, np.int32)
        self.found: dict[tuple[int, int], Trouble] = {}
        self.latest: Trouble | None = None
        # warnings for the console
        self.news: deque[Trouble] = deque()

    def adopt(self, m: mj.MjModel, d: mj.MjData) -> None:
        """Use another model, which has no warnings yet."""
        self.m, self.d = m, d
        # This is a view, because the engine counts in place.
        self.counts = d.warning.number
        self.clear()

    def clear(self) -> None:
        """Clear the warnings after a reset by the user."""
        self.seen = np.array(self.counts)
        self.found.clear()
        self.latest = None

    def look(self, expected: float) -> bool:
        """Check for warnings after a burst that should have reached a given time. Return whether the engine reset the
        simulation."""
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
        # Numbers of contacts and rows differ each time, so ignore them.
        key = kind, info if element[0] else -1
        old = self.found.get(key)
        count = more + (old.count if old else 0)
        now = Trouble(kind, element, wording(self.m, kind, info), count, float(self.d.time), time.perf_counter(), reset)
        if old:
            now = replace(now, text=old.text)
        self.found[key] = now
        # The warning that caused a reset matters more than others.
        if kind in BAD or self.latest is None or self.latest.kind not in BAD:
            self.latest = now
        if old is None or any(old.count < n <= count for n in AGAIN):
            self.news.append(now)
