"""Edits of a whole spec: deleting elements with their dependents, turning bodies into frames, copying."""

import copy
from collections.abc import Iterable
from typing import Any

import numpy as np

from ...core.report import warn
from ...geom.principal import principal
from ...tables.compat_rows import holds
from ..language.arrays import compose, global_inertia, offset_inertia
from .element import Element
from .elements import LISTS, MjsBody, MjsDefault, MjsFrame, is_inside, need
from .keyframes import copied_order, hold
from .references import RENAME, USERS, Known, KnownBefore, finds_all, named_instances
from .spec import OBJECTS, MjSpec, copy_history, set_roots

# types of elements that are deleted together with the element that they refer to
DEPENDENT = ("pair", "exclude", "tendon", "equality", "actuator", "sensor")
MIN_MASS = 1e-15


# ---- delete


def delete(spec: MjSpec, element: Any) -> None:
    """Remove an element from a spec, with its subtree and the elements that refer to it. TypeError or ValueError if this is
    impossible."""
    if isinstance(element, MjsDefault):
        delete_default(spec, element)
        return
    kind = getattr(element, "kind", None)
    if kind not in OBJECTS and kind not in LISTS:
        raise TypeError(f"delete(): incompatible function arguments: needs an element, got {type(element).__name__}")
    if element.spec is not spec or spec.position(element) < 0:
        raise ValueError("Error: element is not in this model")

    # together with a body, remove its subtree and its dependents
    if kind == "body":
        if element is spec.worldbody:
            raise ValueError("Error: cannot remove the world body")
        hold(spec)
        remove_subtree(spec, element)
        return

    if kind == "frame":
        _delete_frame(spec, element)
        return

    # remove any other element from its list
    _delete_plugins(spec, [element])
    owner = element.parent if kind in LISTS else spec
    owner.parts[kind] = [e for e in owner.parts[kind] if e is not element]
    spec.changed()


def _delete_frame(spec: MjSpec, frame: MjsFrame) -> None:
    """Remove a frame with its contents. Before release 4.0, do nothing except warn, as in MuJoCo."""
    if not holds("frame_gone", spec.compat_bits):
        warn(f"frame '{frame.label}' was not deleted: before release 4.0, frames cannot be deleted; delete their elements")
        return
    body = frame.parent
    inside = {kind: [e for e in body.parts[kind] if is_inside(frame, e.frame)] for kind in LISTS}
    for inner in inside.pop("body"):
        delete(spec, inner)
    for kind, found in inside.items():
        _delete_plugins(spec, found)
        body.parts[kind] = [e for e in body.parts[kind] if e not in found and e is not frame]
    spec.changed()


def delete_default(spec: MjSpec, default: MjsDefault) -> None:
    """Remove a default class and its subclasses. Elements that were created with these classes keep their values."""
    if default.spec is not spec:
        raise ValueError("Error: default is not in this model")
    if default.parent is None:
        raise ValueError("Error: cannot remove the global default ('main')")
    default.parent.children.remove(default)


def _delete_plugins(spec: MjSpec, elements: Iterable[Any]) -> None:
    """Remove plugin instances that belong only to one of these elements."""
    for e in elements:
        ref = e.raw.get("plugin")
        if ref is not None and ref.raw["active"] and not ref.raw["name"] and ref.source is not None:
            spec.parts["plugin"] = [p for p in spec.parts["plugin"] if p is not ref.source]


def remove_subtree(spec: MjSpec, body: MjsBody) -> None:
    """Remove a body with its subtree and everything that refers to it."""
    below = {kind: body.find_all(kind) for kind in LISTS}
    below["body"].append(body)
    body.parent.parts["body"] = [b for b in body.parent.parts["body"] if b is not body]
    spec.changed()
    _delete_plugins(spec, below["body"] + below["geom"])

    # remove dependents
    lost = {kind: {e.label for e in found} - {""} for kind, found in below.items()}
    known = Known(spec)
    before = KnownBefore(known, lost)
    for kind in DEPENDENT:
        # keep an element whose reference was already invalid, so that compiling reports the error
        kept = [e for e in spec.parts[kind] if finds_all(e, known) or not finds_all(e, before)]
        if len(kept) < len(spec.parts[kind]):
            # dependents of this element are removed as well
            lost[kind] = {e.label for e in spec.parts[kind]} - {e.label for e in kept}
            spec.parts[kind] = kept
            known.sets.pop(kind, None)
    if any(p.label for p in spec.parts["plugin"]):
        used = set().union(*(named_instances(spec, kind) for kind in USERS))
        spec.parts["plugin"] = [p for p in spec.parts["plugin"] if not p.label or p.label in used]


# ---- bodies into frames


def body_to_frame(body: MjsBody) -> MjsFrame:
    """Turn a body into a frame of its parent. The body's elements and child bodies move into the frame. Return the frame."""
    parent, spec = body.parent, body.spec
    if parent is None:
        raise ValueError("Error: the world body cannot become a frame")

    # the frame takes the body's pose, and the parent takes its inertia
    frame = MjsFrame(spec, body.default)
    frame.parent, frame.frame = parent, body.frame
    for name in ("pos", "quat", "alt"):
        frame.raw[name] = copy.copy(body.raw[name])
    if parent is not spec.worldbody and body.raw["mass"] >= MIN_MASS:
        add_inertia(parent.raw, body.raw)

    # move the contents
    parent.parts["frame"].append(frame)
    for kind in LISTS:
        for e in body.parts[kind]:
            e.parent = parent
            if e.frame is None:
                e.frame = frame
        parent.parts[kind] = parent.parts[kind] + body.parts[kind]
        body.parts[kind] = []
    parent.parts["body"] = [b for b in parent.parts["body"] if b is not body]
    spec.changed()
    return frame


def add_inertia(parent: dict[str, Any], child: dict[str, Any]) -> None:
    """Add mass and inertia of a child body, which are given in the child's frame, to the parent of the body."""
    if not parent["explicitinertial"]:
        parent.update(explicitinertial=1, mass=0.0, ipos=(0.0,) * 3, iquat=(1.0, 0.0, 0.0, 0.0), inertia=(0.0,) * 3)
    masses: list[float] = [parent["mass"], child["mass"]]

    # compute the position of each center of mass in the parent's frame
    rows: list[np.ndarray] = []
    poses = [
        (np.array([parent["ipos"]], float), np.array([parent["iquat"]], float)),
        compose(
            np.array([child["pos"]], float),
            np.array([child["quat"]], float),
            np.array([child["ipos"]], float),
            np.array([child["iquat"]], float),
        ),
    ]

    # compute the combined inertia about the common center
    total = sum(masses)
    center: Any = sum(m * p for m, (p, _) in zip(masses, poses)) / total
    for m, raw, (pos, quat) in zip(masses, (parent, child), poses):
        rows.append(global_inertia(np.array([raw["inertia"]], float), quat) + offset_inertia(np.array([m]), pos - center))
    moments, quat = principal(sum(rows, np.zeros(1)))
    parent.update(mass=total, ipos=tuple(center[0].tolist()), iquat=tuple(quat[0].tolist()), inertia=tuple(moments[0].tolist()))


# ---- copies


class _Copy:
    """State of one copy operation: maps from old default classes, compiler settings and elements to their copies."""

    def __init__(self, source: MjSpec, new: MjSpec) -> None:
        self.source, self.new = source, new
        self.classes = {}
        self.compilers = {source.compiler: new.compiler}
        self.elements, self.dropped = {}, 0

    def defaults(self) -> None:
        copied = self.source.default.copy_to(self.new)
        todo = [(self.source.default, copied)]
        while todo:
            old, fresh = todo.pop()
            self.classes[old] = fresh
            for kind in fresh.KINDS:
                self.settings(getattr(fresh, kind))
            todo += zip(old.children, fresh.children)
        set_roots(self.new, default=copied)

    def settings(self, e: Element) -> None:
        e.compiler = self.compilers.get(e.compiler, e.compiler)

    def element(self, e: Any) -> Any:
        fresh = self.elements[e] = e.copy_to(self.new)
        fresh.default = self.classes.get(e.default, e.default)
        fresh.index = e.index
        self.settings(fresh)
        ref = e.raw.get("plugin")
        if ref is not None:
            fresh.raw["plugin"].source = ref.source
            fresh.raw["plugin"].spec = self.new
        return fresh

    def body(self, body: MjsBody, parent: MjsBody | None) -> MjsBody:
        fresh = self.element(body)
        fresh.parent = parent
        fresh.parts = {kind: [] for kind in LISTS}
        for kind in LISTS:
            if kind != "body":
                fresh.parts[kind] = [self.element(e) for e in body.parts[kind]]
                for e in fresh.parts[kind]:
                    e.parent = fresh
        return fresh

    def tree(self) -> None:
        set_roots(self.new, worldbody=self.body(self.source.worldbody, None))
        todo = [self.source.worldbody]
        while todo:
            body = todo.pop()
            fresh = self.elements[body]
            fresh.parts["body"] = [self.body(b, fresh) for b in body.parts["body"]]
            todo += body.parts["body"]
        for e in list(self.elements.values()):
            e.frame = self.elements.get(e.frame)

    def outside(self) -> None:
        """Copy the elements outside the tree; omit elements that refer to something deleted, as MuJoCo does."""
        known = Known(self.new)
        # copy types of elements before other types that refer to them
        for kind in (*(kind for kind in OBJECTS if kind not in RENAME), *RENAME):
            found = kept = self.source.parts[kind]
            if kind in RENAME:
                kept = [e for e in found if finds_all(e, known)]
            self.dropped += len(found) - len(kept)
            self.new.parts[kind] = [self.element(e) for e in kept]
            known.sets.pop(kind, None)
        for e in self.elements.values():
            ref = e.raw.get("plugin")
            if ref is not None:
                ref.source = self.elements.get(ref.source, ref.source)


def copy_spec(source: MjSpec) -> MjSpec:
    """Return a copy of a spec with all its elements."""
    need("copy", source, MjSpec)
    new = MjSpec()
    new.raw = dict(source.raw)
    set_roots(new, compiler=source.compiler.copy_to(new))
    new.option, new.visual, new.stat = source.option, source.visual, source.stat

    # copy default classes, the tree, then everything else
    c = _Copy(source, new)
    c.defaults()
    c.tree()
    c.outside()

    # copy the state outside the elements
    new.specs = dict(source.specs)
    new.active_plugins = list(source.active_plugins)
    new.given, new.warnings = set(source.given), list(source.warnings)
    new.pending_keys = [k.moved(c.elements) for k in source.pending_keys]
    new.key_order = copied_order(source.key_order, c.elements)
    new.files, new.override_assets, new.deep = source.files, source.override_assets, source.deep
    new.inside, new.later = source.inside, source.later
    copy_history(new, source)
    if c.dropped:
        new.changed()
    return new
