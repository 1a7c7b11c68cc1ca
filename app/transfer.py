"""Carries a simulation over to an edited model. Elements of the old and the new model are matched by their names.

Unnamed elements are matched by their position among those of the same type under the same body, and only if their number is
unchanged. Remaining elements count as renamed if they differ only by name: bodies under the same parent with equal joints,
joints of the same body, type and axis, and actuators with the same target.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass

import numpy as np

from .. import engine as mj
from ..engine.tables.schema import SCHEMAS

# {joint type: (size in qpos, size in qvel)}
WIDTH = {0: (7, 6), 1: (4, 3), 2: (1, 1), 3: (1, 1)}
# Limits for the line that is shown over the view: number of names, and number of characters of each.
TOLD, LETTERS = 3, 36


@dataclass(frozen=True)
class Report:
    """The result of a transfer: numbers and names of elements whose state was kept, of removed ones and of new ones. `renamed`
    elements count as kept.
    """

    kept: int
    lost: tuple[str, ...]
    added: tuple[str, ...]
    renamed: tuple[str, ...] = ()

    def text(self) -> str:
        """Return a one-line summary; the reload panel shows the whole report."""
        parts = [f"state kept for {self.kept} elements"]
        for word, names in (("renamed", self.renamed), ("gone", self.lost), ("new", self.added)):
            if names:
                more = f" and {len(names) - TOLD} more" if len(names) > TOLD else ""
                parts.append(f"{word}: {', '.join(map(shortened, names[:TOLD]))}{more}")
        return "; ".join(parts)


def shortened(name: str) -> str:
    """Return a name; replace the middle of a long one by `...`."""
    half = LETTERS // 2 - 1
    return " -> ".join(part if len(part) <= LETTERS else f"{part[:half]}...{part[-half:]}" for part in name.split(" -> "))


def keys(m: mj.MjModel, kind: str, count: int, parent: np.ndarray | None = None) -> dict[str, int]:
    """Return {text that identifies an element across edits: id} for all elements of a type."""
    member = getattr(mj.mjtObj, f"mjOBJ_{kind.upper()}")
    out: dict[str, int] = {}
    unnamed: dict[str, int] = {}
    for i in range(count):
        name = mj.mj_id2name(m, member, i)
        if not name:
            place = ""
            if parent is not None:
                place = mj.mj_id2name(m, mj.mjtObj.mjOBJ_BODY, int(parent[i])) or ""
            unnamed[place] = unnamed.get(place, -1) + 1
            name = f"[{place}:{unnamed[place]}]"
        out[name] = i
    return out


def _span(start: int, width: int) -> slice:
    return slice(start, start + width)


def transfer(m0: mj.MjModel, d0: mj.MjData, m: mj.MjModel, d: mj.MjData) -> Report:
    """Copy time, qpos, qvel, warm start, act, ctrl, mocap and eq_active from (m0, d0) to `d`. The caller must then call
    mj_forward.
    """
    match = Match(m0, m)
    bodies = match.bodies()
    joints = match.pairs(
        "joint",
        "njnt",
        "jnt_bodyid",
        lambda m, i, same: (same["body"](int(m.jnt_bodyid[i])), int(m.jnt_type[i]), *np.round(m.jnt_axis[i], 6).tolist()),
    )
    actuators = match.pairs(
        "actuator",
        "nactuator",
        "",
        lambda m, i, same: (int(m.actuator_trntype[i]), int(m.actuator_actnum[i]), target(m, i, same)),
    )
    d.time = d0.time

    # Only joints of the same type have the same coordinates.
    for a, b in joints:
        if m0.jnt_type[a] == m.jnt_type[b]:
            nq, nv = WIDTH[int(m.jnt_type[b])]
            d.qpos[_span(m.jnt_qposadr[b], nq)] = d0.qpos[_span(m0.jnt_qposadr[a], nq)]
            for name in ("qvel", "qacc_warmstart"):
                getattr(d, name)[_span(m.jnt_dofadr[b], nv)] = getattr(d0, name)[_span(m0.jnt_dofadr[a], nv)]

    # Copy the controls and activations of an actuator only if their number is unchanged.
    for a, b in actuators:
        inputs = int(m.actuator_ctrlnum[b])
        if inputs == m0.actuator_ctrlnum[a]:
            d.ctrl[_span(m.actuator_ctrladr[b], inputs)] = d0.ctrl[_span(m0.actuator_ctrladr[a], inputs)]
        width = int(m.actuator_actnum[b])
        if width and width == m0.actuator_actnum[a]:
            d.act[_span(m.actuator_actadr[b], width)] = d0.act[_span(m0.actuator_actadr[a], width)]

    for a, b in match.pairs("equality", "neq"):
        d.eq_active[b] = d0.eq_active[a]
    for a, b in bodies:
        i, j = m0.body_mocapid[a], m.body_mocapid[b]
        if i >= 0 and j >= 0:
            d.mocap_pos[j], d.mocap_quat[j] = d0.mocap_pos[i], d0.mocap_quat[i]

    return match.report()


# A function that returns the traits of an element other than its name, as a comparable value. Arguments: the model, the id, and
# for each kind a function that converts ids to ids of the new model.
Traits = Callable[[mj.MjModel, int, dict[str, Callable[[int], Hashable]]], Hashable]


class Match:
    """Matches the elements of an old and a new model, one type after another, and counts the matches for the report."""

    def __init__(self, m0: mj.MjModel, m: mj.MjModel) -> None:
        self.m0, self.m = m0, m
        self.maps: dict[str, dict[int, int]] = {}
        self.kept = 0
        self.lost: list[str] = []
        self.added: list[str] = []
        self.renamed: list[str] = []

    def pairs(
        self, kind: str, size: str, parent: str = "", traits: Traits | None = None, rounds: int = 1
    ) -> list[tuple[int, int]]:
        """Return (old id, new id) of the elements that are in both models, in the order of the new model. Renamed elements are
        found in rounds, each of which uses the matches of the previous ones.
        """
        old, new = (keys(m, kind, getattr(m, size), getattr(m, parent) if parent else None) for m in (self.m0, self.m))
        found = self.maps[kind] = {old[name]: new[name] for name in new if name in old}
        gone, fresh = ({i: name for name, i in a.items() if name not in b} for a, b in ((old, new), (new, old)))

        while traits is not None and rounds and gone and fresh:
            rounds -= 1
            again = self._renamed(traits, gone, fresh)
            for a, b in again:
                self.renamed.append(f"{kind} {gone.pop(a)} -> {fresh.pop(b)}")
                found[a] = b
            if not again:
                break

        self.kept += len(found)
        self.lost += [f"{kind} {name}" for name in gone.values()]
        self.added += [f"{kind} {name}" for name in fresh.values()]
        return sorted(found.items(), key=lambda pair: pair[1])

    def _renamed(self, traits: Traits, gone: dict[int, str], fresh: dict[int, str]) -> list[tuple[int, int]]:
        """Pair unmatched elements of both models by their traits, if equally many of them have the same traits."""
        sides: list[dict[Hashable, list[int]]] = []
        for m, rows, old in ((self.m0, gone, True), (self.m, fresh, False)):
            same: dict[str, Callable[[int], Hashable]] = {
                kind: table.get if old else (lambda i, known=frozenset(table.values()): i if i in known else None)
                for kind, table in self.maps.items()
            }
            groups: dict[Hashable, list[int]] = {}
            for i in rows:
                groups.setdefault(traits(m, i, same), []).append(i)
            sides.append(groups)
        return [
            pair
            for key, ids in sides[0].items()
            if not _unknown(key) and len(ids) == len(sides[1].get(key, ()))
            for pair in zip(ids, sides[1][key])
        ]

    def bodies(self) -> list[tuple[int, int]]:
        """Match bodies from the root outward, in several rounds, because a renamed body may have renamed children."""
        return self.pairs(
            "body",
            "nbody",
            "",
            lambda m, i, same: (
                same["body"](int(m.body_parentid[i])),
                int(m.body_jntnum[i]),
                int(m.body_geomnum[i]),
                bool(m.body_mocapid[i] >= 0),
            ),
            rounds=64,
        )

    def report(self) -> Report:
        return Report(self.kept, tuple(self.lost), tuple(self.added), tuple(self.renamed))


def _unknown(key: Hashable) -> bool:
    """Return whether traits refer to an element that is not in both models."""
    return isinstance(key, tuple) and any(part is None or _unknown(part) for part in key)


def target(m: mj.MjModel, i: int, same: dict[str, Callable[[int], Hashable]]) -> Hashable:
    """Return the target of an actuator: a joint by its id in the new model, anything else by its name."""
    kinds = {
        mj.mjtTrn.mjTRN_JOINT: "",
        mj.mjtTrn.mjTRN_JOINTINPARENT: "",
        mj.mjtTrn.mjTRN_TENDON: "TENDON",
        mj.mjtTrn.mjTRN_SITE: "SITE",
        mj.mjtTrn.mjTRN_BODY: "BODY",
        mj.mjtTrn.mjTRN_SLIDERCRANK: "SITE",
    }
    kind = kinds.get(mj.mjtTrn(int(m.actuator_trntype[i])))
    if kind is None:
        return None
    index = int(m.actuator_trnid[i, 0])
    return (mj.mj_id2name(m, getattr(mj.mjtObj, f"mjOBJ_{kind}"), index) or None) if kind else same["joint"](index)


# --- what an edit changed ----------------------------------------------------------------------------------------

# {kind: (size field, field with the parent)} of the elements whose values are compared
COMPARED = {
    "body": ("nbody", ""),
    "joint": ("njnt", "jnt_bodyid"),
    "geom": ("ngeom", "geom_bodyid"),
    "site": ("nsite", "site_bodyid"),
    "camera": ("ncam", "cam_bodyid"),
    "light": ("nlight", "light_bodyid"),
    "tendon": ("ntendon", ""),
    "actuator": ("nactuator", ""),
    "sensor": ("nsensor", ""),
    "equality": ("neq", ""),
    "material": ("nmat", ""),
}
SAME = 1e-9


@dataclass(frozen=True)
class Change:
    """A value of the model that was changed by an edit. `text` shows the old and the new value."""

    kind: str
    index: int
    name: str
    field: str
    text: str
    size: float


def differences(m0: mj.MjModel, m: mj.MjModel) -> list[Change]:
    """Return the numeric fields with different values, for elements that are in both models. The largest relative changes come
    first.
    """
    out: list[Change] = []
    for kind, (size, parent) in COMPARED.items():
        old = keys(m0, kind, getattr(m0, size), getattr(m0, parent) if parent else None)
        new = keys(m, kind, getattr(m, size), getattr(m, parent) if parent else None)
        both = [(label, old[label], new[label]) for label in new if label in old]
        if not both:
            continue
        a, b = (np.array([row[k] for row in both]) for k in (1, 2))
        for field in SCHEMAS["MjModel"].arrays:
            if field.dims[0] == size and field.dtype[0] == "f" and 0 not in field.dims:
                out += _field_changes(
                    kind, field.name, both, np.asarray(getattr(m0, field.name))[a], np.asarray(getattr(m, field.name))[b]
                )
    for name in SCHEMAS["MjOption"].fields:
        before, after = np.atleast_1d(getattr(m0.opt, name)), np.atleast_1d(getattr(m.opt, name))
        if not np.array_equal(before, after):
            out.append(Change("option", 0, "option", name, f"{_short(before)} -> {_short(after)}", np.inf))
    return sorted(out, key=lambda c: -c.size)


def _field_changes(kind: str, field: str, both: list, old: np.ndarray, new: np.ndarray) -> list[Change]:
    if old.shape != new.shape or not old.size:
        return []
    old, new = old.reshape(len(both), -1), new.reshape(len(both), -1)
    # Values that are unset in both models are NaN; count them as equal.
    old, new = np.nan_to_num(old.astype(float)), np.nan_to_num(new.astype(float))
    scale = np.maximum(np.abs(old).max(1), np.abs(new).max(1))
    size = np.abs(new - old).max(1) / np.maximum(scale, 1e-300)
    return [
        Change(kind, both[k][2], both[k][0], field, f"{_short(old[k])} -> {_short(new[k])}", float(size[k]))
        for k in np.flatnonzero(size > SAME)
    ]


def _short(values: np.ndarray) -> str:
    text = " ".join(f"{x:.5g}" for x in values.ravel()[:6].tolist())
    return text + (" .." if values.size > 6 else "")
