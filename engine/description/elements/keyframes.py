"""Keyframes of attached models: stored per element while the tree is edited, and converted to complete vectors when the spec is
compiled."""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ..language.errors import SpecError
from ..language.types import BALL, FREE, JOINT_NQ, JOINT_NV
from ..language.xmltree import Node
from .servo_shortcuts import activations, controls
from .spec import MjSpec

# types of elements that have values in keyframes, in the order of the arguments of `layout_of`
KEYED = ("joint", "actuator", "tendon", "body")


class StoredKey:
    """A keyframe that is stored per element: {vector: {element: values}}.

    `given` lists the vectors that the keyframe has; `place` is the node from which it was read.
    """

    def __init__(self, name: str, time: float, given: list[str], place: Node | None) -> None:
        self.name, self.time, self.given, self.place = name, time, given, place
        self.parts = {g: {} for g in given}

    def moved(self, copies: dict[Any, Any]) -> "StoredKey":
        """Return this keyframe with its elements replaced by their copies, given {old element: new element}."""
        new = StoredKey(self.name, self.time, self.given, self.place)
        new.parts = {g: {copies.get(e, e): v for e, v in part.items()} for g, part in self.parts.items()}
        return new


def layout(spec: MjSpec) -> dict:
    """Return the layout of a spec's keyframes: {vector: ([(element, start, width)], size)}."""
    return layout_of(spec.items("joint"), spec.parts["actuator"], spec.parts["tendon"], spec.all_bodies())


def layout_of(joints: Iterable[Any], actuators: Iterable[Any], tendons: Iterable[Any], bodies: Iterable[Any]) -> dict:
    """Return the layout of keyframes if the elements are in the order of a model; see `layout`."""
    mocaps = [b for b in bodies if b.raw["mocap"]]
    rows = {
        "qpos": [(j, JOINT_NQ[j.raw["type"]]) for j in joints],
        "qvel": [(j, JOINT_NV[j.raw["type"]]) for j in joints],
        "act": [(a, activations(a.raw)) for a in actuators],
        "ctrl": [(a, controls(a.raw)) for a in actuators],
        "mpos": [(b, 3) for b in mocaps],
        "mquat": [(b, 4) for b in mocaps],
        "plastic": [(j, JOINT_NQ[j.raw["type"]]) for j in joints if j.raw["springyield"] > 0]
        + [(t, 2) for t in tendons if t.raw["springyield"] > 0],
    }
    out = {}
    for name, items in rows.items():
        at, placed = 0, []
        for e, width in items:
            placed.append((e, at, width))
            at += width
        out[name] = placed, at
    return out


def order_of(spec: MjSpec) -> tuple | None:
    """Return the current `key_order` of a spec: the elements to which the values in its keyframes belong; None without
    keyframes."""
    if not spec.parts["key"]:
        return None
    # visit joints and bodies in one pass, since the tree may be large
    bodies = spec.all_bodies()
    return [e for b in bodies for e in b.parts["joint"]], list(spec.parts["actuator"]), list(spec.parts["tendon"]), bodies


def copied_order(order: tuple[Any, ...] | None, copies: dict[Any, Any]) -> tuple | None:
    """Return the `key_order` of a spec with its elements replaced by their copies, given {old element: new element}."""
    return tuple([copies.get(e, e) for e in elements] for elements in order) if order is not None else None


def store(source: MjSpec, names: Callable[[str], str]) -> list[StoredKey]:
    """Return the keyframes of `source`, renamed by `names`, with values stored per element. `settle` later assigns the values
    to the copied elements."""
    table, keys = layout(source), []
    compiled = layout_of(*source.key_order) if source.key_order is not None else table
    for key in source.parts["key"]:
        given = [g for g in table if len(key.raw[g])]
        stored = StoredKey(names(key.label), key.raw["time"], given, key.place)
        for g in given:
            values = list(key.raw[g])
            # if a keyframe has the size of the last compiled model, its values are in the order of that model's elements
            placed, size = compiled[g] if len(values) == compiled[g][1] else table[g]
            if 0 < len(values) < size:
                # NaN marks a missing value, which compiling fills in
                values += [math.nan] * (size - len(values))
            if len(values) != size:
                raise SpecError(f"key '{key.label}': {g} has {len(values)} numbers, {size} expected", key.place, g)
            stored.parts[g] = {e: values[at : at + width] for e, at, width in placed}
        keys.append(stored)
    return keys


def expand(spec: MjSpec) -> None:
    """Extend the keyframes of a spec to elements that were added at its end: these get their reference state."""
    order = order_of(spec)
    if order is None:
        return
    for g, (placed, size) in layout_of(*order).items():
        short = [key for key in spec.parts["key"] if 0 < len(key.raw[g]) < size]
        rest = [v for e, _, width in placed for v in _at_reference(g, e, width)] if short else []
        for key in short:
            key.raw[g] = (*key.raw[g], *rest[len(key.raw[g]) :])
    spec.key_order = order


def _at_reference(vector: str, e: Any, width: int) -> Sequence[float]:
    """Return the reference state of an element in one vector, as given in the element's spec.

    Joints that were never compiled have no type in the reference yet, so their free and ball poses are not used.
    """
    if vector == "qpos":
        known = e.index >= 0
        if known and width == JOINT_NQ[FREE]:
            return (*e.parent.raw["pos"], *e.parent.raw["quat"])
        if known and width == JOINT_NQ[BALL]:
            return (1.0, 0.0, 0.0, 0.0)
        return (e.raw["ref"],) + (0.0,) * (width - 1)
    if vector == "plastic":
        return (math.nan,) * width
    return e.raw["pos"] if vector == "mpos" else e.raw["quat"] if vector == "mquat" else (0.0,) * width


def hold(spec: MjSpec) -> None:
    """Store the values of all keyframes per element, so that they survive removals of elements. Compiling converts them
    back."""
    if spec.parts["key"]:
        spec.pending_keys += store(spec, lambda name: name)
        spec.parts["key"] = []


def settle(spec: MjSpec, keys: list[StoredKey], copies: dict[Any, Any], same: bool) -> None:
    """Assign the values of stored keyframes to the copies of their elements, given {old element: new element}.

    With `same`, elements without a copy keep their values. Keyframes that were stored earlier go to an element's first copy.
    """
    # keep only elements that keyframes can have values for: with a replicate element, this loop runs once for each copy
    moved = {e for e in copies if e.kind in ("joint", "actuator", "tendon") or e.kind == "body" and e.raw["mocap"]}
    for stored in spec.pending_keys if moved else ():
        for part in stored.parts.values():
            for e in part.keys() & moved:
                part[copies[e]] = part.pop(e)
    for stored in keys:
        stored.parts = {
            g: {copies.get(e, e): v for e, v in part.items() if same or e in copies} for g, part in stored.parts.items()
        }
        spec.pending_keys.append(stored)


def resolve(spec: MjSpec, reference: Callable[[str, Any, int], list[float]]) -> list[Any]:
    """Return [(stored keyframe, {vector: values})] in the compiled layout; `reference(vector, element, width)` returns missing
    values.
    """
    table = layout(spec) if spec.pending_keys else {}
    rows = []
    for stored in spec.pending_keys:
        values = {}
        for g in stored.given:
            placed, size = table[g]
            out = [0.0] * size
            for e, at, width in placed:
                part = stored.parts[g].get(e)
                out[at : at + width] = part if part is not None and len(part) == width else reference(g, e, width)
            values[g] = out
        rows.append((stored, values))
    return rows
