"""Contacts and constraint rows as arrays, and the engine's rules that decide whether two geoms collide."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, cast

import numpy as np

from .. import engine as mj
from ..engine.collide.table import FAMILY, NONE
from ..engine.tables.compat_rows import bit
from ..render.scene.decor_contact import contact_forces, contact_rows
from .element_names import dof_name, name, names

OVERRIDE, SLEEP = int(mj.mjtEnableBit.mjENBL_OVERRIDE), int(mj.mjtEnableBit.mjENBL_SLEEP)
# {type of constraint row: (its description, kind of the element to which `efc_id` refers)}
KINDS = {
    int(getattr(mj.mjtConstraint, f"mjCNSTR_{key}")): row
    for key, row in {
        "EQUALITY": ("equality", "equality"),
        "FRICTION_DOF": ("friction of a joint", "dof"),
        "FRICTION_TENDON": ("friction of a tendon", "tendon"),
        "LIMIT_JOINT": ("limit of a joint", "joint"),
        "LIMIT_TENDON": ("limit of a tendon", "tendon"),
        "CONTACT_FRICTIONLESS": ("contact", "contact"),
        "CONTACT_PYRAMIDAL": ("contact, edge", "contact"),
        "CONTACT_ELLIPTIC": ("contact, cone", "contact"),
    }.items()
}
STATES = {int(state): state.name.removeprefix("mjCNSTRSTATE_").lower() for state in mj.mjtConstraintState}
# Columns of the table of contacts; it can be sorted by each of them.
CONTACT_COLUMNS = ("geom1", "geom2", "dist", "normal", "tangential", "use", "dim", "island")
# Normal force in newtons below which the used fraction of the friction cone is meaningless.
LEAST_FORCE = 1e-9


@dataclass
class Contacts:
    """The contacts at one time, in the order of Data: positions (n, 3), frames (n, 3, 3), forces (n, 3) along the frame's axes,
    and an array for each of CONTACT_COLUMNS. `use`: used fraction of the friction cone. `geom` (n, 2): ids of the geoms, -1 for
    a flex. `ordinal`: index of the contact among those of the same pair.
    """

    pos: np.ndarray
    frame: np.ndarray
    force: np.ndarray
    geom: np.ndarray
    mu: np.ndarray
    ordinal: np.ndarray
    columns: dict[str, np.ndarray]
    time: float = 0.0

    def __len__(self) -> int:
        return len(self.pos)

    def key(self, k: int) -> tuple[int, int, int]:
        """Return a key that identifies a contact from step to step: its two geoms, and its index among the contacts of this
        pair.
        """
        return int(self.geom[k, 0]), int(self.geom[k, 1]), int(self.ordinal[k])

    def find(self, key: tuple[int, int, int] | None) -> int:
        """Return the index of the contact with a key; -1 if there is no such contact now."""
        if key is None or not len(self):
            return -1
        found = np.flatnonzero((self.geom[:, 0] == key[0]) & (self.geom[:, 1] == key[1]) & (self.ordinal == key[2]))
        return int(found[0]) if len(found) else -1


def contacts(m: Any, d: Any) -> Contacts:
    """Return copies of all current contacts."""
    rows = contact_rows(d)
    count = len(rows["dist"])
    geom, adr = np.array(rows["geom"]).reshape(-1, 2), np.asarray(rows["efc_address"])
    force = contact_forces(cast(Any, SimpleNamespace(m=m, d=d)), rows, np.arange(count))
    tangential, mu = np.hypot(force[:, 1], force[:, 2]), np.array(rows["friction"])[:, 0]
    use = np.where(force[:, 0] > LEAST_FORCE, tangential / np.maximum(mu * force[:, 0], LEAST_FORCE), 0.0)
    island = np.asarray(d.efc_island)[: int(d.nefc)] if int(d.nisland) else np.zeros(0, int)
    of = np.where((adr >= 0) & (adr < len(island)), island[np.clip(adr, 0, max(0, len(island) - 1))] if len(island) else -1, -1)

    # Count the contacts of each pair; they are consecutive.
    new = np.ones(count, bool)
    new[1:] = (geom[1:] != geom[:-1]).any(1)
    first = np.maximum.accumulate(np.where(new, np.arange(count), 0)) if count else np.zeros(0, int)
    columns = {
        "geom1": geom[:, 0],
        "geom2": geom[:, 1],
        "dist": np.array(rows["dist"]),
        "normal": force[:, 0],
        "tangential": tangential,
        "use": use,
        "dim": np.array(rows["dim"]),
        "island": of,
    }
    return Contacts(
        np.array(rows["pos"]),
        np.array(rows["frame"]).reshape(-1, 3, 3),
        force,
        geom,
        mu,
        np.arange(count) - first,
        columns,
        float(d.time),
    )


def matching(m: Any, found: Contacts, text: str) -> np.ndarray:
    """Return the indices of the contacts that match a filter: each of its words must occur in the name of one of the
    two geoms.
    """
    keep = np.ones(len(found), bool)
    for word in text.split():
        # The last entry, index -1, is for flexes.
        has = np.array([word in label.lower() for label in names(m, "geom")] + [word in "flex"], bool)
        keep &= has[found.geom].any(1)
    return np.flatnonzero(keep)


def ordered(found: Contacts, rows: np.ndarray, column: str, down: bool) -> np.ndarray:
    """Return the rows sorted by a column. Rows with equal values keep their order."""
    values = found.columns[column][rows]
    order = np.argsort(-values.astype(float) if down else values, kind="stable")
    return rows[order]


def row_label(m: Any, d: Any, k: int) -> tuple[str, str]:
    """Return (kind, title) of constraint row k."""
    word, kind = KINDS.get(int(d.efc_type[k]), ("other", ""))
    i = int(d.efc_id[k])
    if kind == "contact":
        pair = np.asarray(d.contact.geom).reshape(-1, 2)[i] if i < int(d.ncon) else (-1, -1)
        return word, " - ".join(name(m, "geom", int(g)) or "flex" for g in pair)
    return word, dof_name(m, i) if kind == "dof" else name(m, kind, i) if kind else ""


@dataclass(frozen=True)
class Rule:
    """A rule for a pair of geoms. `verdict`: True if it allows a collision, False if it forbids one, None if it is only
    information.
    """

    title: str
    verdict: bool | None
    text: str


def collide(rules: list[Rule]) -> bool:
    """Return whether the geoms can collide: no rule forbids it."""
    return all(rule.verdict is not False for rule in rules)


def why(m: Any, d: Any, g1: int, g2: int) -> list[Rule]:
    """Return the engine's rules for a pair of geoms, in the order in which it applies them: what allows or forbids a collision,
    and the current distance.
    """
    if m.geom_type[g1] > m.geom_type[g2]:
        g1, g2 = g2, g1
    flags = int(m.opt.disableflags)
    out = [
        Rule(
            "contacts are on",
            not flags & (int(mj.mjtDisableBit.mjDSBL_CONTACT) | int(mj.mjtDisableBit.mjDSBL_CONSTRAINT)),
            "Physics > Disable flags: contact, constraint",
        )
    ]
    listed = [k for k in range(m.npair) if {int(m.pair_geom1[k]), int(m.pair_geom2[k])} == {g1, g2}]
    if listed:
        out.append(Rule("pair", True, f"<pair> {name(m, 'pair', listed[0])} names them, so bodies and masks do not count"))
    else:
        out += _bodies(m, d, int(m.geom_bodyid[g1]), int(m.geom_bodyid[g2]))
        out.append(_masks(m, g1, g2))
    types = [mj.mjtGeom(int(m.geom_type[g])).name.removeprefix("mjGEOM_").lower() for g in (g1, g2)]
    out.append(Rule("shapes", bool(FAMILY[m.geom_type[g1], m.geom_type[g2]] != NONE), f"{types[0]} and {types[1]}"))
    out.append(_near(m, d, g1, g2, listed[0] if listed else -1))
    return out


def _bodies(m: Any, d: Any, b1: int, b2: int) -> list[Rule]:
    """Return the collision rules that concern the bodies of the two geoms."""
    weld = [int(m.body_weldid[b]) for b in (b1, b2)]
    parent = [int(m.body_weldid[m.body_parentid[w]]) for w in weld]
    labels = [name(m, "body", b) for b in (b1, b2)]
    if weld[0] == weld[1]:
        apart = "same body" if b1 == b2 else f"{labels[0]} and {labels[1]} are one rigid piece: no joint between them"
        return [Rule("move against each other", False, apart if weld[0] else "both are fixed to the world")]

    out = [Rule("move against each other", True, f"{labels[0]} and {labels[1]}")]
    related = 0 not in weld and (weld[0] == parent[1] or weld[1] == parent[0])
    filtered = not int(m.opt.disableflags) & int(mj.mjtDisableBit.mjDSBL_FILTERPARENT)
    if related:
        how = "; Physics > Disable flags: filterparent lets them collide" if filtered else ""
        out.append(Rule("parent and child", not filtered, f"one is the parent of the other{how}"))
    signature = (min(b1, b2) << 16) + max(b1, b2)
    excluded = np.flatnonzero(np.asarray(m.exclude_signature).astype(np.uint32) == signature)
    if len(excluded):
        out.append(Rule("exclude", False, f"<exclude> {name(m, 'exclude', int(excluded[0]))} excludes their bodies"))
    if m.compat_bits & bit("mocap_still") and not m.body_dofnum[weld[0]] and not m.body_dofnum[weld[1]]:
        out.append(Rule("degrees of freedom", False, "neither can move by itself"))

    if int(m.opt.enableflags) & SLEEP:
        # A body that is fixed to the world counts as asleep here, so the pair sleeps if the other body does.
        asleep = [
            w == 0 or int(d.body_awake[b]) == int(mj.mjtSleepState.mjS_ASLEEP) for w, b in zip(weld, (b1, b2), strict=True)
        ]
        out.append(Rule("awake", not all(asleep), "both sleep" if all(asleep) else "at least one is awake"))

    return out


def _masks(m: Any, g1: int, g2: int) -> Rule:
    type1, type2, near1, near2 = (
        int(x) for x in (m.geom_contype[g1], m.geom_contype[g2], m.geom_conaffinity[g1], m.geom_conaffinity[g2])
    )
    text = f"contype {type1} & conaffinity {near2} = {type1 & near2}, contype {type2} & conaffinity {near1} = {type2 & near1}"
    return Rule("masks", bool(type1 & near2 or type2 & near1), text)


def _near(m: Any, d: Any, g1: int, g2: int, pair: int) -> Rule:
    """Return a rule about the current distance of two geoms, the margin, and their contacts."""
    if int(m.opt.enableflags) & OVERRIDE:
        margin = float(m.opt.o_margin)
    else:
        own = [float(m.geom_margin[g]) for g in (g1, g2)]
        margin = float(m.pair_margin[pair]) if pair >= 0 else sum(own) if m.compat_bits & bit("margin_sum") else max(own)
    gap = float(m.pair_gap[pair]) if pair >= 0 else max(float(m.geom_gap[g]) for g in (g1, g2))
    geom = np.asarray(d.contact.geom).reshape(-1, 2)[: int(d.ncon)]
    touching = int((np.isin(geom, (g1, g2)).all(1) & (geom[:, 0] != geom[:, 1])).sum())
    far = float(m.stat.extent)
    distance = mj.mj_geomDistance(m, d, g1, g2, far, None)
    away = f"{distance:.4g} apart" if distance < far else f"more than {far:.4g} apart"
    return Rule(
        "near enough", None, f"{away}, margin {margin:.4g}" + (f", gap {gap:.4g}" if gap else "") + f"; {touching} contacts now"
    )
