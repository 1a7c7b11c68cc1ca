"""Reads URDF into an MjSpec: links become bodies. The compiler, option and size sections of a `mujoco` block apply."""

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

from ...tables.compat_rows import holds
from ...tables.enums import mjtEq
from ..elements.elements import MjsBody, MjsGeom, MjsJoint
from ..elements.spec import MjSpec
from ..files import resources
from ..language import orient
from ..language.attributes import Attr, attribute
from ..language.errors import SpecError
from ..language.schema import ROOT
from ..language.types import BALL, BOX, CAPSULE, CYLINDER, EULER, FREE, HINGE, MESH, OFF, SLIDE, SPHERE
from ..language.xmltree import Node
from .reader import Reader
from .settings import read_compiler, read_option, read_size

JOINTS = {
    "revolute": HINGE,
    "continuous": HINGE,
    "prismatic": SLIDE,
    "fixed": None,
    "floating": FREE,
    "planar": "planar",
    "spherical": BALL,
}


def only(node: Node, tag: str, required: bool = False) -> Any:
    """Return the only child with a tag, or None. SpecError if there are several, or none where one is required."""
    found = None
    for child in node.children:
        if child.tag == tag:
            if found is not None:
                raise SpecError(f"repeated element '{tag}'", child)
            found = child
    if required and found is None:
        raise SpecError(f"missing element '{tag}' in '{node.tag}'", node)
    return found


# cached, because a robot has few kinds of attributes
@functools.cache
def _row(name: str, count: int) -> Attr:
    """Return the grammar row of an attribute with `count` numbers."""
    return attribute(f"{name} f{count}" if count > 1 else f"{name} f")


def numbers(node: Node, name: str, count: int, required: bool = False) -> Any:
    """Return `count` numbers of an attribute, or None if it is absent."""
    if name not in node.attrs:
        if required:
            raise SpecError(f"required attribute '{name}' is missing", node, name)
        return None
    return _row(name, count).read(node, node.attrs[name])


def text(node: Node, name: str) -> str:
    """Return a required text attribute."""
    if name not in node.attrs:
        raise SpecError(f"required attribute '{name}' is missing", node, name)
    return node.attrs[name]


def origin(node: Node) -> tuple[Any, Any]:
    """Return (position, quaternion) of a node's origin."""
    at = only(node, "origin")
    pos, quat = (0.0, 0.0, 0.0), orient.UNIT
    if at is not None:
        pos = numbers(at, "xyz", 3) or pos
        turn = numbers(at, "rpy", 3)
        if turn:
            quat = orient.resolve(quat, (EULER, turn), False, "XYZ")[0]
    return pos, quat


class _Robot:
    def __init__(self, spec: MjSpec) -> None:
        self.spec = spec
        self.bodies = {}
        self.colors = {}
        self.geom_names = set()
        self.meshes = {}


def read_urdf(root: Node, spec: MjSpec) -> None:
    """Fill a spec from a URDF tree."""
    spec.strippath = 0 if holds("urdf_folders", spec.compat_bits) else 1
    spec.compiler.raw.update(fusestatic=1, discardvisual=1)
    _extension(root, spec)
    spec.compiler.raw["degree"] = 0
    if "name" in root.attrs:
        spec.modelname = root.attrs["name"]
    robot = _Robot(spec)
    _materials(robot, root)
    _tree(robot, root)
    for node in root.all("link"):
        _link(robot, node)
    for node in root.all("joint"):
        _joint(robot, node)


def _extension(root: Node, spec: MjSpec) -> None:
    """Read the settings in a `mujoco` block; unknown attributes are ignored."""
    block = only(root, "mujoco")
    if block is None:
        return
    reader = Reader(spec, None)
    for tag, read in (("compiler", read_compiler), ("option", read_option), ("size", read_size)):
        section = only(block, tag)
        if section is not None:
            known = ROOT.children[tag].attrs
            section.attrs = {k: v for k, v in section.attrs.items() if k in known}
            section.children = [ch for ch in section.children if ch.tag in ROOT.children[tag].children]
            read(reader, section)


def _materials(robot: _Robot, root: Node) -> None:
    """Collect the colors of all named materials, at any depth; if several have the same name, the first is used."""
    todo = [root]
    while todo:
        node = todo.pop()
        todo += node.children[::-1]
        if node.tag == "material" and "name" in node.attrs and node.attrs["name"] not in robot.colors:
            color = only(node, "color")
            if color is not None:
                robot.colors[node.attrs["name"]] = numbers(color, "rgba", 4, True)


def _tree(robot: _Robot, root: Node) -> None:
    """Create the bodies of all links, nested as the joints connect them."""

    # collect links and joints
    names, parent, children = [], {}, {}
    for node in root.all("link"):
        name = text(node, "name")
        if name in children:
            raise SpecError(f"repeated link '{name}'", node, "name", name)
        names.append(name)
        children[name] = []
    for node in root.all("joint"):
        one, two = (text(only(node, t, True), "link") for t in ("parent", "child"))
        for name in (one, two):
            if name not in children:
                raise SpecError(f"link '{name}' of the joint is missing", node, "", name, tuple(names))
        if two in parent:
            raise SpecError(f"link '{two}' has several parents", node)
        parent[two] = one
        children[one].append(two)

    # bodies, from the roots down
    spec = robot.spec
    todo = [(name, None) for name in reversed(names) if name not in parent]
    while todo:
        name, above = todo.pop()
        if name == "world":
            body = spec.worldbody
        else:
            body = MjsBody(spec, None, name)
            body.parent = above or spec.worldbody
            body.default = spec.default
            body.parent.parts["body"].append(body)
        robot.bodies[name] = body
        todo += [(child, body) for child in reversed(children[name])]

    if len(robot.bodies) < len(names):
        lost = next(n for n in names if n not in robot.bodies)
        raise SpecError(f"link '{lost}' is part of a loop", root)


def _link(robot: _Robot, node: Node) -> None:
    body = robot.bodies[node.attrs["name"]]
    body.place = node

    # inertia
    raw = body.raw
    inertial = only(node, "inertial")
    if inertial is not None:
        raw["explicitinertial"] = 1
        raw["ipos"], raw["iquat"] = origin(inertial)
        raw["mass"] = numbers(only(inertial, "mass", True), "value", 1, True)
        tensor = only(inertial, "inertia", True)
        full = tuple(numbers(tensor, n, 1, True) for n in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz"))
        raw["fullinertia"] = full if any(full) else (math.nan, *full[1:])
    raw["pos"], raw["quat"] = (0.0, 0.0, 0.0), orient.UNIT

    # geoms
    color, name = None, ""
    for child in node.children:
        if child.tag == "visual":
            color = _color(robot, child) or color
            if robot.spec.compiler.raw["discardvisual"]:
                continue
        elif child.tag != "collision":
            continue
        geom = _geom(robot, child, body, child.tag == "collision")
        if color:
            geom.raw["rgba"] = color
        name = child.attrs.get("name", name)
        if name and name not in robot.geom_names:
            geom.label = name
            robot.geom_names.add(name)


def _color(robot: _Robot, node: Node) -> Any:
    material = only(node, "material")
    if material is None:
        return None
    color = only(material, "color")
    if color is not None:
        return numbers(color, "rgba", 4, True)
    return robot.colors.get(text(material, "name"))


def _geom(robot: _Robot, node: Node, body: MjsBody, collision: bool) -> MjsGeom:
    """Add a geom for a visual or collision element; return it."""
    shape = only(node, "geometry", True)
    geom = MjsGeom(robot.spec, robot.spec.default)
    geom.parent, geom.place = body, node
    body.parts["geom"].append(geom)
    raw = geom.raw
    if not collision:
        raw.update(contype=0, conaffinity=0, group=1, density=0.0)
    for tag, read in SHAPES.items():
        child = only(shape, tag)
        if child is not None:
            read(robot, child, raw)
            break
    else:
        raise SpecError("the geometry contains no known shape", shape, "", None, tuple(SHAPES))
    raw["pos"], raw["quat"] = origin(node)
    return geom


def _box(robot: _Robot, node: Node, raw: dict[str, Any]) -> None:
    size = numbers(node, "size", 3, True)
    raw.update(type=BOX, size=tuple(s / 2 for s in size))


def _round(kind: int) -> Callable[..., None]:
    def read(robot: _Robot, node: Node, raw: dict[str, Any]) -> None:
        radius = numbers(node, "radius", 1, True)
        length = numbers(node, "length", 1, True) / 2 if kind != SPHERE else 0.0
        raw.update(type=kind, size=(radius, length, 0.0))

    return read


def _mesh(robot: _Robot, node: Node, raw: dict[str, Any]) -> None:
    raw["type"] = MESH
    file = text(node, "filename")
    scale = numbers(node, "scale", 3) or (1.0, 1.0, 1.0)
    if robot.spec.strippath:
        file = resources.stripped(file)
    name = resources.basename(file)
    name = name[: name.rfind(".")] if "." in name else name
    known = robot.meshes.setdefault(name, [])
    for i, mesh in enumerate(known):
        if tuple(mesh.raw["scale"]) == scale:
            break
    else:
        i = len(known)
        mesh = robot.spec.add("mesh", name=name + (str(i) if i else ""))
        mesh.raw["file"], mesh.raw["scale"], mesh.place = file, scale, node
        known.append(mesh)
    raw["meshname"] = name if not i and len(known) == 1 else mesh.name if i == len(known) - 1 else name


SHAPES = {"box": _box, "cylinder": _round(CYLINDER), "sphere": _round(SPHERE), "capsule": _round(CAPSULE), "mesh": _mesh}


def _joint(robot: _Robot, node: Node) -> None:
    kind = text(node, "type")
    if kind not in JOINTS:
        raise SpecError(f"invalid joint type '{kind}'", node, "type", kind, tuple(JOINTS))
    name = text(node, "name")
    body = robot.bodies[text(only(node, "child", True), "link")]

    # set the pose of the child body
    body.raw["pos"], body.raw["quat"] = origin(node)
    at = only(node, "axis")
    axis = numbers(at, "xyz", 3, True) if at is not None else (1.0, 0.0, 0.0)

    # add the joint's degrees of freedom
    kind = JOINTS[kind]
    if kind is None:
        return
    if kind == "planar":
        m = orient.matrix(orient.from_z(axis))
        joints = [
            _add_joint(robot, body, node, name + "_TX", SLIDE, (m[0], m[3], m[6])),
            _add_joint(robot, body, node, name + "_TY", SLIDE, (m[1], m[4], m[7])),
            _add_joint(robot, body, node, name + "_RZ", HINGE, axis),
        ]
    else:
        joints = [_add_joint(robot, body, node, name, kind, axis)]

    # set damping, friction and limits
    dynamics = only(node, "dynamics")
    if dynamics is not None:
        for attribute, field in (("damping", "damping"), ("friction", "frictionloss")):
            value = numbers(dynamics, attribute, 1)
            if value is not None:
                for j in joints:
                    j.raw[field] = value
    # before 4.0, MuJoCo obeys the limits of continuous joints, which should turn without end
    endless = text(node, "type") == "continuous" and holds("urdf_joints", robot.spec.compat_bits)
    _limit(node, joints[0].raw, endless)
    _mimic(robot, node, joints[0])


def _mimic(robot: _Robot, node: Node, joint: MjsJoint) -> None:
    """Read a joint that follows another one: an equality from 4.0 on; earlier releases leave the joint free."""
    mimic = only(node, "mimic")
    if mimic is None:
        return
    leader = text(mimic, "joint")
    if not holds("urdf_joints", robot.spec.compat_bits):
        robot.spec.warnings.append(
            f"line {mimic.line}: joint '{joint.label}' does not mimic '{leader}': mimic joints need release 4.0 or an equality"
        )
        return
    equality = robot.spec.add("equality")
    equality.place = mimic
    multiplier, offset = numbers(mimic, "multiplier", 1), numbers(mimic, "offset", 1)
    data = list(equality.raw["data"])
    data[:5] = [offset or 0.0, 1.0 if multiplier is None else multiplier, 0.0, 0.0, 0.0]
    equality.raw.update(type=int(mjtEq.mjEQ_JOINT), name1=joint.label, name2=leader, data=tuple(data))


def _add_joint(robot: _Robot, body: MjsBody, node: Node, name: str, kind: int, axis: Sequence[float]) -> MjsJoint:
    joint = MjsJoint(robot.spec, robot.spec.default, name)
    joint.parent, joint.place = body, node
    joint.raw["type"] = kind
    if kind != FREE:
        joint.raw["axis"] = tuple(axis)
    body.parts["joint"].append(joint)
    return joint


def _limit(node: Node, raw: dict[str, Any], endless: bool = False) -> None:
    limit = only(node, "limit")
    if limit is None:
        return
    low, high = numbers(limit, "lower", 1), numbers(limit, "upper", 1)
    span = (raw["range"][0] if low is None else low, raw["range"][1] if high is None else high)
    if endless:
        span = (0.0, 0.0)
    raw["range"] = span
    if (low is None) != (high is None) or span[0] > span[1]:
        raw["limited"] = OFF
    effort = abs(numbers(limit, "effort", 1) or 0.0)
    if effort > 0:
        raw["actfrcrange"] = (-effort, effort)
