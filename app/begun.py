"""New contacts, as marks on the timeline: which geoms, and when. They are detected only while the user wants such marks."""

from __future__ import annotations

from collections import deque

import numpy as np

from .. import engine as mj
from ..ui.element_names import name

# Two geoms must be apart for APART seconds before their contact counts as new, because resting contacts flicker. At most MOST
# marks are kept.
APART, MOST = 0.05, 400


class Begun:
    """Contacts of a Model and Data that have begun since this object was made. `note` reads the current contacts; `marks` has
    the (time, text) of each new one."""

    def __init__(self, m: mj.MjModel, d: mj.MjData) -> None:
        self.m, self.d = m, d
        self.marks: tuple[tuple[float, str], ...] = ()
        self._found: deque[tuple[float, str]] = deque(maxlen=MOST)
        # {(geom, geom): time at which the two were last in contact}
        self._last: dict[tuple[int, int], float] = {}
        self._now = float(d.time)
        for pair in self._pairs():
            self._last[pair] = self._now

    def _pairs(self) -> list[tuple[int, int]]:
        """Return the pairs of geoms that push each other. Contacts of flexes are left out, because they have no geoms."""
        count = int(self.d.ncon)
        if not count:
            return []
        contact = self.d.contact
        pairs = np.asarray(contact.geom).reshape(-1, 2)[:count]
        pushing = (np.asarray(contact.efc_address)[:count] >= 0) & (pairs >= 0).all(1)
        return [(int(a), int(b)) for a, b in pairs[pushing]]

    def note(self) -> None:
        """Mark contacts that are new at Data's time."""
        now = float(self.d.time)
        if now < self._now:
            self._back(now)
        self._now = now
        for pair in self._pairs():
            last = self._last.get(pair)
            self._last[pair] = now
            if last is None or now - last > APART:
                a, b = (name(self.m, "geom", geom) for geom in pair)
                self._found.append((now, f"{a} touches {b}"))
                self.marks = tuple(self._found)

    def _back(self, now: float) -> None:
        """Drop marks after time `now`, because the simulation went back to it."""
        self._found = deque((row for row in self._found if row[0] <= now), MOST)
        self.marks = tuple(self._found)
        self._last = {pair: min(last, now) for pair, last in self._last.items()}
