"""Macros: elements that expand to many. replicate and attach are here; composite and flexcomp have files of their own."""

from collections.abc import Sequence

from ...tables.compat_rows import holds
from ..elements.attach import attach_body, attach_frame, attach_spec
from ..elements.edit import remove_subtree
from ..elements.elements import MjsBody, MjsDefault, MjsFrame
from ..elements.keyframes import hold
from ..elements.spec import MjSpec
from ..language.errors import SpecError
from ..language.orient import mulquat, resolve, rotate_by
from ..language.schema import BODY, REPLICATE, need
from ..language.types import EULER
from ..language.xmltree import Node
from .bodies import read_body
from .composite import make_composite
from .flexcomp import MAX_BODIES, make_flexcomp
from .reader import Reader

MAX_COPIES, MAX_INNER_COPIES = 1 << 18, 1 << 13
# maximum number of values in all keyframes: each copy of a replicate copies all keyframes with all joints
MAX_KEY_NUMBERS = 1 << 22


def _spend(reader: Reader, node: Node, attribute: str, count: int) -> None:
    """Count copied elements against a limit, so that a few lines of text cannot expand to any size."""
    files = reader.places.files
    files.copied += count
    # nested models share one count; with separate counts, each level could multiply the number of elements
    limit = MAX_INNER_COPIES if files.models else MAX_COPIES
    if files.copied > limit:
        raise SpecError(f"more than {limit} copies of elements", node, attribute, node.attrs.get(attribute))


def _weight(node: Node) -> int:
    """Return the number of elements, including the node itself, to which a node expands."""
    count = node.attrs.get("count", "") if node.tag == "replicate" else ""
    return 1 + _inside(node) * (int(count) if count.strip().isdecimal() else 1)


def _inside(node: Node) -> int:
    """Return the number of elements to which one copy of a node's contents expands; an empty copy counts as one element."""
    return max(1, sum(map(_weight, node.children)))


def _movable(node: Node) -> int:
    """Return the number of joints and mocap bodies inside a node; the contents of a replicate count once."""
    return sum((n.tag in ("joint", "freejoint") or n.attrs.get("mocap") == "true") + _movable(n) for n in node.children)


def _bodies(body: MjsBody) -> int:
    """Return the number of bodies below a body."""
    return sum(1 + _bodies(child) for child in body.parts["body"])


def read_replicate(reader: Reader, node: Node, body: MjsBody, frame: MjsFrame | None, default: MjsDefault) -> None:
    """Add copies of the contents, each moved and rotated relative to the previous one, with numbers appended to all names."""
    spec = reader.spec
    keys = []
    if holds("keys_whole", spec.compat_bits):
        # set the keyframes aside until all copies exist
        keys, spec.parts["key"] = spec.parts["key"], []
    _replicate(reader, node, body, frame, default)
    spec.parts["key"] += keys


def _replicate(reader: Reader, node: Node, body: MjsBody, frame: MjsFrame | None, default: MjsDefault) -> None:
    """Add the copies."""

    # limits for the number of copies
    spec = reader.spec
    values = {n: r.read(node, node.attrs[n]) for n, r in REPLICATE.attrs.items() if n in node.attrs}
    need(node, REPLICATE)
    count = values["count"]
    _spend(reader, node, "count", max(count, 0) * _inside(node))
    movable = len(spec.items("joint")) + max(count, 0) * _movable(node)
    if max(count, 0) * len(spec.parts["key"]) * movable > MAX_KEY_NUMBERS:
        raise SpecError(f"more than {MAX_KEY_NUMBERS} numbers in copies of key frames", node, "count", node.attrs.get("count"))

    offset, euler = values.get("offset") or (0.0,) * 3, values.get("euler") or (0.0,) * 3
    degree, sequence = spec.compiler.raw["degree"], spec.compiler.raw["eulerseq"]
    rotation = _turn(node, euler, 1, degree, sequence)

    # read the contents into a temporary body, from which the copies are made
    childclass = reader.childclass(node)
    subtree = MjsBody(spec)
    subtree.parent, subtree.default = body, childclass or body.default
    body.parts["body"].append(subtree)
    inner = MjsFrame(spec)
    inner.parent, inner.frame, inner.default = subtree, frame, childclass or default
    inner.place = node
    subtree.parts["frame"].append(inner)
    read_body(reader, node, subtree, inner)
    # macros inside may have made many bodies
    if max(count, 0) * _bodies(subtree) > MAX_BODIES:
        raise SpecError(f"more than {MAX_BODIES} bodies", node, "count", node.attrs.get("count"))

    # make the copies from this subtree
    pos, quat = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)
    digits = len(str(count))
    for i in range(count):
        inner.raw["pos"], inner.raw["quat"] = pos, _turn(node, euler, i, degree, sequence)
        pos, quat = _advance(pos, quat, offset, rotation)
        attach_frame(body, inner, "", values.get("sep", "") + str(i).zfill(digits), True)

    hold(spec)
    remove_subtree(spec, subtree)
    subtree.unlink()


def _turn(node: Node, euler: Sequence[float], times: int, degree: int, sequence: str) -> tuple[float, ...]:
    quat, error = resolve((1.0, 0.0, 0.0, 0.0), (EULER, tuple(times * e for e in euler)), degree, sequence)
    if error:
        raise SpecError(error, node, "euler")
    return quat


def _advance(
    pos: Sequence[float], quat: Sequence[float], offset: Sequence[float], rotation: Sequence[float]
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    step = rotate_by(offset, quat)
    return tuple(p + s for p, s in zip(pos, step)), mulquat(quat, rotation)


def read_attach(reader: Reader, node: Node, body: MjsBody, frame: MjsFrame | None, default: MjsDefault) -> None:
    """Attach a body or frame of a model asset, or a whole asset. Without `model`, attach a body or frame of this model (since
    MuJoCo 3.11)."""

    # find what to attach
    need(node, BODY.children["attach"])
    spec = reader.spec
    model, name, prefix = node.attrs.get("model"), node.attrs.get("body", ""), node.attrs["prefix"]
    inner = node.attrs.get("frame", "")
    if name and inner:
        raise SpecError("a body and a frame cannot both be attached", node, "frame")
    if model is None and not (name or inner):
        raise SpecError("required attribute 'model' is missing", node, "model")

    # make the frame to which it is attached
    holder = frame
    if holder is None:
        holder = body.add_frame()
        holder.place = node

    # If this model already has a body with this name, move that body into the frame.
    present = spec.find("body", prefix + name) if prefix + name else None
    if present is not None:
        present.frame = holder
        return

    asset = spec if model is None else spec.specs.get(model)
    if asset is None:
        raise SpecError(f"unknown model '{model}'", node, "model", model, tuple(spec.specs))
    if inner:
        _attach_frame(reader, node, asset, holder, inner, prefix)
        return

    # attach the whole asset, or one of its bodies
    child = asset.worldbody if not name else asset.find("body", name)
    if child is not None:
        _spend(reader, node, "model", sum(1 + len(b.geoms) + len(b.joints) + len(b.sites) for b in _below(child)))
    if not name:
        attach_spec(holder, asset, prefix, "", True)
        return
    if child is None:
        known = tuple(b.label for b in asset.all_bodies())
        raise SpecError(f"no body '{name}' in model '{model}'", node, "body", name, known)
    attach_body(holder, child, prefix, "", True)


def _attach_frame(reader: Reader, node: Node, asset: MjSpec, holder: MjsFrame, name: str, prefix: str) -> None:
    """Attach a frame, without the frames around it."""
    frame = asset.find("frame", name)
    if frame is None:
        raise SpecError(f"no frame '{name}'", node, "frame", name, tuple(f.label for f in asset.items("frame") if f.label))
    _spend(reader, node, "frame", sum(1 + len(b.geoms) + len(b.joints) + len(b.sites) for b in _below(frame.parent)))
    attach_frame(holder.parent, frame, prefix, "", True).frame = holder


def _below(body: MjsBody) -> list[MjsBody]:
    """Return a body and all bodies below it."""
    found = [body]
    for b in found:
        found += b.bodies
    return found


MACROS = {"replicate": read_replicate, "attach": read_attach, "composite": make_composite, "flexcomp": make_flexcomp}
