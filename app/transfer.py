"""Carrying a simulation over to an edited model: states are matched by the names of their elements.

Elements without a name match by their place among the unnamed ones of the same kind, under the same body where there is
one, and only if the count of those did not change.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import engine as mj
from engine.core.schema import SCHEMAS

# joint type -> numbers in qpos, in qvel
WIDTH = {0: (7, 6), 1: (4, 3), 2: (1, 1), 3: (1, 1)}


@dataclass(frozen=True)
class Report:
    """What was carried over, and what was not (element kinds and names)."""

    kept: int
    lost: tuple[str, ...]
    added: tuple[str, ...]

    def text(self) -> str:
        parts = [f"state kept for {self.kept} elements"]
        for word, names in (("gone", self.lost), ("new", self.added)):
            if names:
                more = f" and {len(names) - 6} more" if len(names) > 6 else ""
                parts.append(f"{word}: {', '.join(names[:6])}{more}")
        return "; ".join(parts)


def keys(m: mj.MjModel, kind: str, count: int, parent: np.ndarray | None = None) -> dict[str, int]:
    """Stable text for every element of a kind -> id."""
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
    """Copy time, qpos, qvel, warm start, act, ctrl, mocap and eq_active from (m0, d0) into `d`. Forward is left to the caller."""
    kept, lost, added = 0, [], []

    def pairs(kind: str, size: str, parent: str = ""):
        nonlocal kept
        old = keys(m0, kind, getattr(m0, size), getattr(m0, parent) if parent else None)
        new = keys(m, kind, getattr(m, size), getattr(m, parent) if parent else None)
        lost.extend(f"{kind} {name}" for name in old if name not in new)
        added.extend(f"{kind} {name}" for name in new if name not in old)
        both = [(old[name], new[name]) for name in new if name in old]
        kept += len(both)
        return both

    d.time = d0.time
    for a, b in pairs("joint", "njnt", "jnt_bodyid"):
        if m0.jnt_type[a] == m.jnt_type[b]:
            nq, nv = WIDTH[int(m.jnt_type[b])]
            d.qpos[_span(m.jnt_qposadr[b], nq)] = d0.qpos[_span(m0.jnt_qposadr[a], nq)]
            for name in ("qvel", "qacc_warmstart"):
                getattr(d, name)[_span(m.jnt_dofadr[b], nv)] = getattr(d0, name)[_span(m0.jnt_dofadr[a], nv)]
    for a, b in pairs("actuator", "nu"):
        d.ctrl[b] = d0.ctrl[a]
        width = int(m.actuator_actnum[b])
        if width and width == m0.actuator_actnum[a]:
            d.act[_span(m.actuator_actadr[b], width)] = d0.act[_span(m0.actuator_actadr[a], width)]
    for a, b in pairs("equality", "neq"):
        d.eq_active[b] = d0.eq_active[a]
    for a, b in pairs("body", "nbody"):
        i, j = m0.body_mocapid[a], m.body_mocapid[b]
        if i >= 0 and j >= 0:
            d.mocap_pos[j], d.mocap_quat[j] = d0.mocap_pos[i], d0.mocap_quat[i]
    return Report(kept, tuple(lost), tuple(added))


# --- what an edit changed ----------------------------------------------------------------------------------------

# kind -> size, field of the parent; elements are matched by name as above
COMPARED = {"body": ("nbody", ""), "joint": ("njnt", "jnt_bodyid"), "geom": ("ngeom", "geom_bodyid"), "site": ("nsite", "site_bodyid"),
            "camera": ("ncam", "cam_bodyid"), "light": ("nlight", "light_bodyid"), "tendon": ("ntendon", ""), "actuator": ("nu", ""),
            "sensor": ("nsensor", ""), "equality": ("neq", ""), "material": ("nmat", "")}
SAME = 1e-9


@dataclass(frozen=True)
class Change:
    """A number of the model that an edit changed: `text` is the old value and the new one."""

    kind: str
    index: int
    name: str
    field: str
    text: str
    size: float


def differences(m0: mj.MjModel, m: mj.MjModel) -> list[Change]:
    """Numeric fields that differ between two models, for elements that both have; the largest relative changes first."""
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
                out += _field_changes(kind, field.name, both, np.asarray(getattr(m0, field.name))[a], np.asarray(getattr(m, field.name))[b])
    for name in SCHEMAS["MjOption"].fields:
        before, after = np.atleast_1d(getattr(m0.opt, name)), np.atleast_1d(getattr(m.opt, name))
        if not np.array_equal(before, after):
            out.append(Change("option", 0, "option", name, f"{_short(before)} -> {_short(after)}", np.inf))
    return sorted(out, key=lambda c: -c.size)


def _field_changes(kind: str, field: str, both: list, old: np.ndarray, new: np.ndarray) -> list[Change]:
    if old.shape != new.shape or not old.size:
        return []
    old, new = old.reshape(len(both), -1), new.reshape(len(both), -1)
    # unset values are nan on both sides
    old, new = np.nan_to_num(old.astype(float)), np.nan_to_num(new.astype(float))
    scale = np.maximum(np.abs(old).max(1), np.abs(new).max(1))
    size = np.abs(new - old).max(1) / np.maximum(scale, 1e-300)
    return [Change(kind, both[k][2], both[k][0], field, f"{_short(old[k])} -> {_short(new[k])}", float(size[k]))
            for k in np.flatnonzero(size > SAME)]


def _short(values: np.ndarray) -> str:
    text = " ".join(f"{x:.5g}" for x in values.ravel()[:6].tolist())
    return text + (" .." if values.size > 6 else "")
