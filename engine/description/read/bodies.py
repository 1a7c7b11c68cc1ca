"""The kinematic tree of MJCF: bodies and the elements in them, including frames. mjcf.py adds macros to READERS."""

from collections.abc import Callable
from typing import Any

from ...tables.compat_rows import holds
from ...tables.enums import mjtLightType
from ..elements.element import Element
from ..elements.elements import MjsBody, MjsCamera, MjsDefault, MjsFrame, MjsGeom, MjsJoint, MjsLight, MjsSite
from ..language.errors import SpecError
from ..language.schema import BODY, FRAME, Elem, need, read_into
from ..language.types import FREE
from ..language.xmltree import Node
from .reader import Reader

NAMES = frozenset(("name", "class"))
FRAME_NAMES = frozenset(("name", "childclass"))
ELEMENTS = BODY.children

SPOT, DIRECTIONAL = (int(t) for t in (mjtLightType.mjLIGHT_SPOT, mjtLightType.mjLIGHT_DIRECTIONAL))


def read_body(reader: Reader, node: Node, body: MjsBody, frame: MjsFrame | None) -> None:
    """Read all elements inside a body or frame node."""
    inherited = (frame or body).default
    for child in node.children:
        reads = READERS[child.tag]
        default = reader.default_of(child) if "class" in child.attrs else None
        reads(reader, child, body, frame, default or inherited)


def _add(
    reader: Reader,
    node: Node,
    body: MjsBody,
    frame: MjsFrame | None,
    default: MjsDefault | None,
    cls: type,
    items: list[Element],
) -> Any:
    element = cls(reader.spec, default)
    element.parent, element.frame = body, frame
    items.append(element)
    return element


def read_inertial(reader: Reader, node: Node, body: MjsBody, frame: MjsFrame | None, default: MjsDefault | None) -> None:
    if body is reader.spec.worldbody:
        raise SpecError("the world body cannot have an inertia", node)
    need(node, ELEMENTS["inertial"])
    raw = body.raw
    raw["explicitinertial"] = 1
    read_into(raw, node, ELEMENTS["inertial"])
    if "fullinertia" in node.attrs and (raw["ialt"][0] or "quat" in node.attrs):
        raise SpecError("fullinertia and an orientation cannot both be given", node, "fullinertia")


def read_joint(reader: Reader, node: Node, body: MjsBody, frame: MjsFrame | None, default: MjsDefault | None) -> None:
    if body is reader.spec.worldbody:
        raise SpecError("the world body cannot have joints", node)
    joint = _add(reader, node, body, frame, default, MjsJoint, body.parts["joint"])
    reader.fill(joint, node, ELEMENTS["joint"])


def read_freejoint(reader: Reader, node: Node, body: MjsBody, frame: MjsFrame | None, default: MjsDefault | None) -> None:
    if body is reader.spec.worldbody:
        raise SpecError("the world body cannot have joints", node)
    joint = _add(reader, node, body, frame, None, MjsJoint, body.parts["joint"])
    joint.raw["type"] = FREE
    joint.default = default
    reader.fill(joint, node, ELEMENTS["freejoint"])


def read_geom(reader: Reader, node: Node, body: MjsBody, frame: MjsFrame | None, default: MjsDefault | None) -> None:
    geom = _add(reader, node, body, frame, default, MjsGeom, body.parts["geom"])
    reader.fill(geom, node, ELEMENTS["geom"])
    for plugin in node.children[:1]:
        reader.plugin(geom, plugin)


def read_site(reader: Reader, node: Node, body: MjsBody, frame: MjsFrame | None, default: MjsDefault | None) -> None:
    reader.fill(_add(reader, node, body, frame, default, MjsSite, body.parts["site"]), node, ELEMENTS["site"])


def _camera(reader: Reader, node: Node, body: MjsBody, frame: MjsFrame | None, default: MjsDefault | None) -> None:
    read_camera(reader, node, _add(reader, node, body, frame, default, MjsCamera, body.parts["camera"]), ELEMENTS["camera"])


def read_camera(reader: Reader, node: Node, camera: MjsCamera, elem: Elem) -> None:
    """Read a camera's fields, and check which of its intrinsics can be given together."""
    reader.fill(camera, node, elem)
    attrs = node.attrs
    focal = "focal" in attrs or "focalpixel" in attrs
    if (focal or "principal" in attrs or "principalpixel" in attrs) and "sensorsize" not in attrs:
        raise SpecError("required attribute 'sensorsize' is missing", node, "sensorsize")
    if (focal or "sensorsize" in attrs) and "resolution" not in attrs and not holds("camera_one", reader.spec.compat_bits):
        raise SpecError("required attribute 'resolution' is missing", node, "resolution")
    if min(camera.raw["resolution"]) < 0:
        raise SpecError("the resolution is negative", node, "resolution", attrs.get("resolution"))
    if "fovy" in attrs and "sensorsize" in attrs:
        raise SpecError("either 'fovy' or 'sensorsize' can be given, not both", node, "fovy")
    # if a length is given both in pixels and in meters, use the pixels
    for pixel, length, field in (("principalpixel", "principal", "principal_length"), ("focalpixel", "focal", "focal_length")):
        if pixel in attrs and length in attrs:
            camera.raw[field] = (0.0, 0.0)
    if "user" not in attrs:
        camera.raw["userdata"] = ()


def _light(reader: Reader, node: Node, body: MjsBody, frame: MjsFrame | None, default: MjsDefault | None) -> None:
    read_light(reader, node, _add(reader, node, body, frame, default, MjsLight, body.parts["light"]), ELEMENTS["light"])


def read_light(reader: Reader, node: Node, light: MjsLight, elem: Elem) -> None:
    """Read a light's fields; `directional` is an older notation of its type."""
    reader.fill(light, node, elem, ("name", "class", "directional"))
    if "directional" in node.attrs:
        directional = elem.attrs["directional"].read(node, node.attrs["directional"])
        if "type" in node.attrs:
            raise SpecError("'type' and 'directional' cannot both be given", node, "directional")
        light.raw["type"] = DIRECTIONAL if directional else SPOT


def read_plugin(reader: Reader, node: Node, body: MjsBody, frame: MjsFrame | None, default: MjsDefault | None) -> None:
    reader.plugin(body, node)


def read_frame(reader: Reader, node: Node, body: MjsBody, frame: MjsFrame | None, default: MjsDefault | None) -> None:
    childclass = reader.childclass(node)
    new = MjsFrame(reader.spec)
    new.parent, new.frame = body, frame
    body.parts["frame"].append(new)
    new.default = childclass or default
    reader.fill(new, node, FRAME, FRAME_NAMES)
    new.raw["childclass"] = node.attrs.get("childclass", "")
    if len(node.attrs.get("scale", "").split()) == 1:
        new.raw["scale"] = (new.raw["scale"][0],) * 3
    read_body(reader, node, body, new)


def read_child(reader: Reader, node: Node, body: MjsBody, frame: MjsFrame | None, default: MjsDefault | None) -> None:
    childclass = reader.childclass(node)
    child = MjsBody(reader.spec)
    child.parent, child.frame = body, frame
    body.parts["body"].append(child)
    child.default = childclass or default
    reader.fill(child, node, BODY, FRAME_NAMES)
    child.raw["childclass"] = node.attrs.get("childclass", "")
    read_body(reader, node, child, None)


READERS: dict[str, Callable[..., None]] = {
    "inertial": read_inertial,
    "joint": read_joint,
    "freejoint": read_freejoint,
    "geom": read_geom,
    "site": read_site,
    "camera": _camera,
    "light": _light,
    "plugin": read_plugin,
    "frame": read_frame,
    "body": read_child,
}
