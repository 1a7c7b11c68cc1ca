"""The kinematic tree of MJCF: bodies and all that stands in them, including frames, replicate, attach and the macros."""

from ...core.enums import mjtLightType
from ..elements.attach import attach_body, attach_frame, attach_spec
from ..elements.edit import remove_subtree
from ..elements.elements import MjsBody, MjsCamera, MjsFrame, MjsGeom, MjsJoint, MjsLight, MjsSite
from ..elements.keyframes import hold
from ..language.errors import SpecError
from ..language.orient import mulquat, resolve, rotate_by
from ..language.schema import BODY, FRAME, REPLICATE, need, read_into
from ..language.types import EULER, FREE

NAMES = frozenset(("name", "class"))
FRAME_NAMES = frozenset(("name", "childclass"))
ELEMENTS = BODY.children

SPOT, DIRECTIONAL = (int(t) for t in (mjtLightType.mjLIGHT_SPOT, mjtLightType.mjLIGHT_DIRECTIONAL))

MAX_COPIES, MAX_INNER_COPIES = 1 << 18, 1 << 13


def read_body(reader, node, body, frame):
    """All elements inside a body or frame node."""
    inherited = (frame or body).default
    for child in node.children:
        reads = READERS.get(child.tag)
        default = reader.default_of(child) if "class" in child.attrs else None
        reads(reader, child, body, frame, default or inherited)


def _add(reader, node, body, frame, default, cls, items):
    element = cls(reader.spec, default)
    element.parent, element.frame = body, frame
    items.append(element)
    return element


def read_inertial(reader, node, body, frame, default):
    if body is reader.spec.worldbody:
        raise SpecError("the world body cannot have an inertia", node)
    need(node, ELEMENTS["inertial"])
    raw = body.raw
    raw["explicitinertial"] = 1
    read_into(raw, node, ELEMENTS["inertial"])
    if "fullinertia" in node.attrs and (raw["ialt"][0] or "quat" in node.attrs):
        raise SpecError("fullinertia and an orientation cannot both be given", node, "fullinertia")


def read_joint(reader, node, body, frame, default):
    if body is reader.spec.worldbody:
        raise SpecError("the world body cannot have joints", node)
    joint = _add(reader, node, body, frame, default, MjsJoint, body.parts["joint"])
    reader.fill(joint, node, ELEMENTS["joint"])


def read_freejoint(reader, node, body, frame, default):
    if body is reader.spec.worldbody:
        raise SpecError("the world body cannot have joints", node)
    joint = _add(reader, node, body, frame, None, MjsJoint, body.parts["joint"])
    joint.raw["type"] = FREE
    joint.default = default
    reader.fill(joint, node, ELEMENTS["freejoint"])


def read_geom(reader, node, body, frame, default):
    geom = _add(reader, node, body, frame, default, MjsGeom, body.parts["geom"])
    reader.fill(geom, node, ELEMENTS["geom"])
    for plugin in node.children[:1]:
        reader.plugin(geom, plugin)


def read_site(reader, node, body, frame, default):
    reader.fill(_add(reader, node, body, frame, default, MjsSite, body.parts["site"]), node, ELEMENTS["site"])


def _camera(reader, node, body, frame, default):
    read_camera(reader, node, _add(reader, node, body, frame, default, MjsCamera, body.parts["camera"]), ELEMENTS["camera"])


def read_camera(reader, node, camera, elem):
    """A camera's fields, with the rules on which of its intrinsics go together."""
    reader.fill(camera, node, elem)
    attrs = node.attrs
    focal = "focal" in attrs or "focalpixel" in attrs
    if (focal or "principal" in attrs or "principalpixel" in attrs) and "sensorsize" not in attrs:
        raise SpecError("required attribute 'sensorsize' is missing", node, "sensorsize")
    if (focal or "sensorsize" in attrs) and "resolution" not in attrs:
        raise SpecError("required attribute 'resolution' is missing", node, "resolution")
    if min(camera.raw["resolution"]) < 0:
        raise SpecError("the resolution is negative", node, "resolution", attrs.get("resolution"))
    if "fovy" in attrs and "sensorsize" in attrs:
        raise SpecError("either 'fovy' or 'sensorsize' can be given, not both", node, "fovy")
    # of two forms of the same length the one in pixels is read
    for pixel, length, field in (("principalpixel", "principal", "principal_length"), ("focalpixel", "focal", "focal_length")):
        if pixel in attrs and length in attrs:
            camera.raw[field] = (0.0, 0.0)
    if "user" not in attrs:
        camera.raw["userdata"] = ()


def _light(reader, node, body, frame, default):
    read_light(reader, node, _add(reader, node, body, frame, default, MjsLight, body.parts["light"]), ELEMENTS["light"])


def read_light(reader, node, light, elem):
    """A light's fields; `directional` is the old form of its type."""
    reader.fill(light, node, elem, ("name", "class", "directional"))
    if "directional" in node.attrs:
        directional = elem.attrs["directional"].read(node, node.attrs["directional"])
        if "type" in node.attrs:
            raise SpecError("'type' and 'directional' cannot both be given", node, "directional")
        light.raw["type"] = DIRECTIONAL if directional else SPOT


def read_plugin(reader, node, body, frame, default):
    reader.plugin(body, node)


def read_frame(reader, node, body, frame, default):
    childclass = reader.childclass(node)
    new = MjsFrame(reader.spec)
    new.parent, new.frame = body, frame
    body.parts["frame"].append(new)
    new.default = childclass or default
    reader.fill(new, node, FRAME, FRAME_NAMES)
    new.raw["childclass"] = node.attrs.get("childclass", "")
    read_body(reader, node, body, new)


def read_child(reader, node, body, frame, default):
    childclass = reader.childclass(node)
    child = MjsBody(reader.spec)
    child.parent, child.frame = body, frame
    body.parts["body"].append(child)
    child.default = childclass or default
    reader.fill(child, node, BODY, FRAME_NAMES)
    child.raw["childclass"] = node.attrs.get("childclass", "")
    read_body(reader, node, child, None)


def _spend(reader, node, attribute, count):
    """Count elements that are copied: a few lines of text must not multiply without end."""
    files = reader.places.files
    files.copied += count
    # models inside models could grow by a factor at each level
    limit = MAX_INNER_COPIES if files.models else MAX_COPIES
    if files.copied > limit:
        raise SpecError(f"more than {limit} copies of elements", node, attribute, node.attrs.get(attribute))


def _weight(node):
    """Elements that a node stands for, itself and what is inside."""
    inside = sum(map(_weight, node.children))
    count = node.attrs.get("count", "") if node.tag == "replicate" else ""
    return 1 + inside * (int(count) if count.strip().isdecimal() else 1)


def read_replicate(reader, node, body, frame, default):
    """Copies of the inside, each turned and moved on from the one before, with numbers behind all names."""
    spec = reader.spec
    values = {n: r.read(node, node.attrs[n]) for n, r in REPLICATE.attrs.items() if n in node.attrs}
    need(node, REPLICATE)
    count = values["count"]
    _spend(reader, node, "count", max(count, 0) * sum(map(_weight, node.children)))
    offset, euler = values.get("offset") or (0.0,) * 3, values.get("euler") or (0.0,) * 3
    degree, sequence = spec.compiler.raw["degree"], spec.compiler.raw["eulerseq"]
    rotation = _turn(node, euler, 1, degree, sequence)
    childclass = reader.childclass(node)
    subtree = MjsBody(spec)
    subtree.parent, subtree.default = body, childclass or body.default
    body.parts["body"].append(subtree)
    inner = MjsFrame(spec)
    inner.parent, inner.frame, inner.default = subtree, frame, childclass or default
    inner.place = node
    subtree.parts["frame"].append(inner)
    read_body(reader, node, subtree, inner)
    pos, quat = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)
    digits = len(str(count))
    for i in range(count):
        inner.raw["pos"], inner.raw["quat"] = pos, _turn(node, euler, i, degree, sequence)
        pos, quat = _advance(pos, quat, offset, rotation)
        attach_frame(body, inner, "", values.get("sep", "") + str(i).zfill(digits), True)
    hold(spec)
    remove_subtree(spec, subtree)


def _turn(node, euler, times, degree, sequence):
    quat, error = resolve((1.0, 0.0, 0.0, 0.0), (EULER, tuple(times * e for e in euler)), degree, sequence)
    if error:
        raise SpecError(error, node, "euler")
    return quat


def _advance(pos, quat, offset, rotation):
    step = rotate_by(offset, quat)
    return tuple(p + s for p, s in zip(pos, step)), mulquat(quat, rotation)


def read_attach(reader, node, body, frame, default):
    """Attach a body of a model asset, or the whole of it."""
    need(node, ELEMENTS["attach"])
    spec = reader.spec
    model, name, prefix = node.attrs["model"], node.attrs.get("body", ""), node.attrs["prefix"]
    holder = frame
    if holder is None:
        holder = body.add_frame()
        holder.place = node
    present = spec.find("body", prefix + name) if prefix + name else None
    if present is not None:
        present.frame = holder
        return
    asset = spec.specs.get(model)
    if asset is None:
        raise SpecError(f"unknown model '{model}'", node, "model", model, tuple(spec.specs))
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


def _below(body):
    """A body and all below it."""
    found = [body]
    for b in found:
        found += b.bodies
    return found


def read_composite(reader, node, body, frame, default):
    # 1.6 ms that models without composites need not pay
    from .composite import make_composite
    make_composite(reader, node, body, frame, default)


def read_flexcomp(reader, node, body, frame, default):
    # 0.7 ms that models without flexcomps need not pay
    from .flexcomp import make_flexcomp
    make_flexcomp(reader, node, body, frame)


READERS = {
    "inertial": read_inertial, "joint": read_joint, "freejoint": read_freejoint, "geom": read_geom, "site": read_site,
    "camera": _camera, "light": _light, "plugin": read_plugin, "frame": read_frame, "body": read_child,
    "replicate": read_replicate, "attach": read_attach, "composite": read_composite, "flexcomp": read_flexcomp,
}
