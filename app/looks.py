"""Elements that the user has hidden, faded or isolated, independent of their groups.

Each geom, site, tendon, flex and skin has a display mode; the mode of a body applies to its geoms and sites. The draw list is
filtered after it is built, and picking ignores hidden elements. Model and Data are not changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ..engine.tables.enums import mjtObj

SHOWN, GHOST, HIDDEN = 0, 1, 2
MODES = {"show": SHOWN, "ghost": GHOST, "hide": HIDDEN}
GHOST_ALPHA = 0.18
# {kind: size field of the model}
KINDS = {"geom": "ngeom", "site": "nsite", "tendon": "ntendon", "flex": "nflex", "skin": "nskin"}
_TYPE = {kind: int(mjtObj[f"mjOBJ_{kind.upper()}"]) for kind in KINDS}


class Looks:
    """The display mode of each element of one model."""

    def __init__(self, m: Any) -> None:
        self.m = m
        self.modes = {kind: np.zeros(getattr(m, size), np.uint8) for kind, size in KINDS.items()}
        self.any, self.only = False, ""

    def members(self, kind: str, i: int, subtree: bool = False) -> dict[str, np.ndarray]:
        """Return {kind: ids} of the elements whose modes this element determines. `subtree`: include the
        elements of the bodies below it.
        """
        if kind in KINDS:
            return {kind: np.array([i])}
        if kind != "body":
            return {}
        inside = np.zeros(self.m.nbody, bool)
        inside[i] = True
        if subtree:
            # In a model, parent bodies come before their children.
            for body in range(i + 1, self.m.nbody):
                inside[body] = inside[self.m.body_parentid[body]]
        return {k: np.flatnonzero(inside[getattr(self.m, f"{k}_bodyid")]) for k in ("geom", "site")}

    def set(self, mode: str, kind: str, i: int, subtree: bool = False) -> None:
        """Set the mode of an element: `show`, `ghost`, `hide`, `only` (hide everything else) or `focus` (fade
        everything else).
        """
        chosen = self.members(kind, i, subtree)
        if mode in ("only", "focus"):
            for modes in self.modes.values():
                modes[:] = HIDDEN if mode == "only" else GHOST
        for k, ids in chosen.items():
            self.modes[k][ids] = MODES.get(mode, SHOWN)
        self._changed()

    def geoms_only(self, which: str) -> None:
        """Show only geoms that can collide (`collision`), or hide those that only collide (`visual`). A colliding geom also
        counts as visual if it belongs to the world, or if all geoms of its body can collide.
        """
        m = self.m
        collides = (np.asarray(m.geom_contype) | np.asarray(m.geom_conaffinity)) != 0
        bodies = np.asarray(m.geom_bodyid)
        dressed = np.isin(bodies, bodies[~collides]) & (bodies > 0)
        self.clear()
        self.modes["geom"][collides & dressed if which == "visual" else ~collides] = HIDDEN
        self.any, self.only = bool(self.modes["geom"].any()), which

    def put(self, modes: Mapping[str, np.ndarray]) -> None:
        """Set all modes at once. Modes from another model are set only for kinds with the same number of elements."""
        for kind, rows in modes.items():
            if len(rows) == len(self.modes[kind]):
                self.modes[kind][:] = rows
        self._changed()

    def clear(self) -> None:
        """Show everything again."""
        for modes in self.modes.values():
            modes[:] = SHOWN
        self.any, self.only = False, ""

    def mode(self, kind: str, i: int) -> int:
        """Return the mode of an element; for a body, the mode of its geoms and sites if they agree, else SHOWN."""
        rows = [self.modes[k][ids] for k, ids in self.members(kind, i).items() if len(ids)]
        values = set(np.concatenate(rows).tolist()) if rows else set()
        return values.pop() if len(values) == 1 else SHOWN

    def names(self, labels: Mapping[str, Iterable[str]]) -> dict[str, dict[str, int]]:
        """Return {kind: {label: mode}} for modes other than SHOWN, to transfer them to an edited model."""
        return {
            kind: {label: int(self.modes[kind][i]) for i, label in enumerate(labels[kind]) if self.modes[kind][i]}
            for kind in KINDS
        }

    def restore(self, saved: dict[str, dict[str, int]], labels: Mapping[str, Iterable[str]]) -> None:
        """Set the modes that `names` returned."""
        for kind, table in saved.items():
            for i, label in enumerate(labels[kind]):
                self.modes[kind][i] = table.get(label, SHOWN)
        self._changed()

    def _changed(self) -> None:
        """Record that modes of single elements were set."""
        self.any, self.only = any(modes.any() for modes in self.modes.values()), ""

    # --- use ----------------------------------------------------------------------------------------------------

    def apply(self, scn: Any) -> None:
        """Make faded elements transparent in a draw list, and remove hidden ones."""
        if not self.any:
            return
        count, rows = scn.ngeom, scn.geom
        types, ids = rows.objtype[:count], rows.objid[:count]
        keep = np.ones(count, bool)
        for kind, modes in self.modes.items():
            hit = np.flatnonzero((types == _TYPE[kind]) & (ids >= 0) & (ids < len(modes)))
            if not len(hit) or not modes.any():
                continue
            mode = modes[ids[hit]]
            keep[hit[mode == HIDDEN]] = False
            faded = hit[mode == GHOST]
            rows.rgba[faded, 3] *= GHOST_ALPHA
        if not keep.all():
            compact(scn, np.flatnonzero(keep))

    def pickable(self, m: Any) -> Any:
        """Return a model for picking. Its hidden geoms are fully transparent, so that rays pass through them."""
        hidden = self.modes["geom"] == HIDDEN
        if not hidden.any():
            return m
        rgba, material = np.array(m.geom_rgba), np.array(m.geom_matid)
        rgba[hidden, 3], material[hidden] = 0.0, -1
        return Masked(m, geom_rgba=rgba, geom_matid=material)


class Masked:
    """A stand-in for an object, with some attributes replaced."""

    def __init__(self, inner: Any, **replaced: Any) -> None:
        self._inner = inner
        self.__dict__.update(replaced)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


def compact(scn: Any, keep: np.ndarray) -> None:
    """Keep only the given rows of a draw list, in order."""
    count = len(keep)
    for _name, rows in scn.geom.arrays():
        rows[:count] = rows[keep]
    for _name, texts in scn.geom.texts():
        moved = {new: texts[old] for new, old in enumerate(keep.tolist()) if old in texts}
        texts.clear()
        texts.update(moved)
    scn.ngeom = count
