"""The kinematic tree, with values as given: bodies, frames with their poses, and their elements."""

import math
from typing import Any

from ..elements.element import Element
from ..elements.elements import MjsBody, MjsFrame, MjsJoint
from ..language.schema import BODY, FRAME
from ..language.types import FREE
from ..language.xml_text import number, numbers
from ..language.xmltree import Node
from .authored import AsWritten, intrinsics, plugin
from .bodies import chain_of
from .writer import add, put

KINDS = ("joint", "geom", "site", "camera", "light", "body")
# attributes of a free joint, which uses no class
FREE_FIELDS = frozenset(("type", "group", "align", "info"))


def tree(w: AsWritten, root: Node) -> None:
    """Write the world and everything in it."""
    _contents(w, add(root, "worldbody"), w.spec.worldbody, "main")


def _contents(w: AsWritten, node: Node, body: MjsBody, context: str) -> None:
    ref = body.raw["plugin"]
    if ref is not None and ref.raw["active"]:
        plugin(node, body)
    lines = {kind: list(reversed(body.parts[kind])) for kind in KINDS}
    opened = set()
    _inside(w, node, None, context, lines, opened)
    for frame in body.parts["frame"]:
        if frame not in opened:
            # write an empty frame
            _open(w, node, [f for f in chain_of(frame, None) if f not in opened], context, opened)


def _open(w: AsWritten, node: Node, frames: list[MjsFrame], context: str, opened: set[MjsFrame]) -> tuple[Node, str]:
    """Write nested frames; return (node, class) of the innermost one."""
    for frame in frames:
        node = add(node, "frame")
        if frame not in opened:
            put(node, "name", frame.name)
        opened.add(frame)
        context = _class(w, node, frame, context)
        w.attributes(node, FRAME, frame, MjsFrame.blank)
    return node, context


def _class(w: AsWritten, node: Node, e: Element, context: str) -> str:
    """Return the name of an element's class. Where it differs from the surrounding class, write it as `childclass`."""
    name = w.class_of(e).name
    put(node, "childclass", name if name != context else "")
    return name


def _inside(
    w: AsWritten, node: Node, frame: MjsFrame | None, context: str, lines: dict[str, list[Element]], opened: set[MjsFrame]
) -> None:
    """Write the contents of a frame (None: of the body), each kind in its order.

    Frames inside it are opened when their first element is next in order. If two kinds are ordered differently, a frame is
    opened again; it has the same pose.
    """
    while True:
        for kind in KINDS:
            while lines[kind] and lines[kind][-1].frame is frame:
                _element(w, node, kind, lines[kind].pop(), context)
        below = next((c for kind in KINDS if lines[kind] for c in [chain_of(lines[kind][-1].frame, frame)] if c), None)
        if below is None:
            return
        child, inner = _open(w, node, below[:1], context, opened)
        _inside(w, child, below[0], inner, lines, opened)


def _element(w: AsWritten, node: Node, kind: str, e: Element, context: str) -> None:
    if kind == "body":
        _body(w, add(node, "body"), e, context)
    elif kind == "joint" and _is_free(e):
        child = add(node, "freejoint")
        put(child, "name", e.name)
        w.attributes(child, BODY.children["freejoint"], e, MjsJoint.blank)
    else:
        child, elem = add(node, kind), BODY.children[kind]
        w.head(child, e, context)
        w.element(child, elem, e, kind)
        if kind == "camera":
            intrinsics(child, elem, e)
        if kind == "geom":
            plugin(child, e)


def _is_free(e: Element) -> bool:
    """Return whether a joint can be written as a free joint without a class."""
    return e.raw["type"] == FREE and all(
        e.raw[name] == value for name, value in MjsJoint.blank.items() if name not in FREE_FIELDS
    )


def _body(w: AsWritten, node: Node, e: Any, context: str) -> None:
    put(node, "name", e.name)
    context = _class(w, node, e, context)
    w.attributes(node, BODY, e, e.blank)
    if e.raw["explicitinertial"] or not math.isnan(e.raw["ipos"][0]):
        _inertial(w, add(node, "inertial"), e)
    elif w.model is not None and w.spec.compiler.raw["saveinertial"] and e.index > 0:
        m, i = w.model, e.index
        add(node, "inertial").attrs.update(
            pos=numbers(m.body_ipos[i].tolist()),
            quat=numbers(m.body_iquat[i].tolist()),
            mass=number(float(m.body_mass[i])),
            diaginertia=numbers(m.body_inertia[i].tolist()),
        )
    _contents(w, node, e, context)


def _inertial(w: AsWritten, node: Node, e: Element) -> None:
    raw = w.notation.fields(e)
    node.attrs.update(pos=numbers((0.0,) * 3 if math.isnan(raw["ipos"][0]) else raw["ipos"]), mass=number(raw["mass"]))
    w.attributes(node, BODY.children["inertial"], e, e.blank, ("pos", "mass"))
