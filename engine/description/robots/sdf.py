"""Converts SDFormat to a Robot: models and worlds with links, joints, frames, includes; poses by `relative_to`. The report
lists ignored elements.

In a file with one model, names of links and joints are kept. With several models, those of all but the first are prefixed by
the model's name.
"""

import math
import os
from collections.abc import Callable
from typing import Any

from ..language import orient
from ..language.errors import SpecError
from ..language.free_names import free_name
from ..language.xmltree import TEXT, Node, parse
from .locate import Finder
from .pieces import ORIGIN, TURNING, UNIT, Axis, Inertial, Joint, Link, Quat, Robot, Shape, Vec
from .report import ImportReport
from .sensors import read_sensor
from .words import Words, from_rpy, text_of, unit_quat

MODEL_FRAME, WORLD = "__model__", "world"
MOST_DEPTH, MOST_INCLUDES = 20, 2000
KINDS = {
    "revolute": "revolute",
    "continuous": "continuous",
    "prismatic": "prismatic",
    "fixed": "fixed",
    "ball": "spherical",
    "universal": "universal",
    "revolute2": "universal",
}
# Children of models and worlds: those that are read, and those that are ignored silently, because they do not concern bodies.
READ = {"link", "joint", "frame", "model", "include", "static", "pose", "self_collide", "gravity", "physics", "placement_frame"}
QUIET = {
    "light",
    "scene",
    "gui",
    "audio",
    "wind",
    "magnetic_field",
    "atmosphere",
    "spherical_coordinates",
    "state",
    "allow_auto_disable",
    "enable_wind",
}


class _Scope:
    """A model that is being read: its frames by name, its pose in the world, and the prefix of its names."""

    def __init__(self, node: Node, pose: Any, prefix: str, static: bool) -> None:
        self.node, self.pose, self.prefix, self.static = node, pose, prefix, static
        self.frames: dict[str, Node] = {
            c.attrs["name"]: c for c in node.children if c.tag in ("link", "joint", "frame") and "name" in c.attrs
        }
        self.poses: dict[str, Any] = {}


class Sdf:
    """Reads a file and its includes."""

    def __init__(self, root: Node, finder: Finder, report: ImportReport) -> None:
        self.root, self.finder, self.report = root, finder, report
        self.words = Words(report)
        self.robot = Robot(free_roots=True)
        self.models = self.includes = 0
        self.joints: set[str] = set()
        self.version = root.attrs.get("version", "1.6")

    def read(self) -> Robot:
        """Return the robot that the file describes."""
        for node in self.root.children:
            if node.tag == "world":
                self._world(node)
            elif node.tag in ("model", "include"):
                self._entry(node, (ORIGIN, UNIT), 0)
        if not self.robot.name:
            self.robot.name = os.path.splitext(os.path.basename(self.report.file))[0]
        return self.robot

    def _world(self, node: Node) -> None:
        self.robot.name = node.attrs.get("name", "")
        if gravity := text_of(node, "gravity"):
            self.robot.gravity = self.words.numbers(node, "gravity", gravity, 3)
        if step := text_of(node, "physics", "max_step_size"):
            self.robot.timestep = self.number(node, step, "max_step_size")
        for child in node.children:
            if child.tag in ("model", "include"):
                self._entry(child, (ORIGIN, UNIT), 0)
            else:
                self._skip(child, "world")

    def _skip(self, node: Node, where: str) -> None:
        if node.tag not in READ and node.tag not in QUIET:
            self.report.add("unsupported", node, f"<{node.tag}> of a {where}", "it is not used")

    def _entry(self, node: Node, above: Any, depth: int) -> None:
        """Read a model, which may be an included one."""
        if depth > MOST_DEPTH:
            self.report.add("loop", node, "models include each other", "the innermost is left out")
            return
        if node.tag == "include":
            self._include(node, above, depth)
        else:
            self._model(
                node, orient.compose(*above, *self.pose(node)), depth, node.attrs.get("name", "model"), text_of(node, "static")
            )

    def _include(self, node: Node, above: Any, depth: int) -> None:
        self.includes += 1
        if self.includes > MOST_INCLUDES:
            raise SpecError(f"more than {MOST_INCLUDES} included models", node)
        uri = text_of(node, "uri")
        path = self._model_file(uri, node)
        if not path:
            self.report.add("shape", node, f"the model '{uri}' was not found", "it is left out")
            return
        root = parse(self.finder.read(path), path, texts=True)
        model = next((c for c in root.children if c.tag == "model"), None)
        if model is None:
            self.report.add("shape", node, f"'{path}' holds no model", "it is left out")
            return
        inner = Finder(path, self.report, self.finder.packages, self.finder.inside, top=self.finder.top)
        inner.folders = self.finder.folders
        old, self.finder = self.finder, inner
        pose = self.pose(node) if node.first("pose") is not None else self.pose(model)
        name = text_of(node, "name") or model.attrs.get("name", "model")
        self._model(model, orient.compose(*above, *pose), depth + 1, name, text_of(node, "static") or text_of(model, "static"))
        self.finder = old

    def _model_file(self, uri: str, node: Node) -> str:
        """Return the SDF file for an include: in a folder, the file named by model.config, else the only one."""
        path = self.finder.find(uri, node, "file")[0]
        if path:
            return path
        folders = (
            self.finder.roots(uri.partition("://")[2].strip("/")) if "://" in uri else [os.path.join(self.finder.home, uri)]
        )
        for folder in folders:
            config = os.path.join(folder, "model.config")
            names = []
            if os.path.isfile(config):
                found = parse(self.finder.read(config), config, texts=True).all("sdf")
                names += [n.attrs.get(TEXT, "").strip() for n in found][::-1]
            for name in (*names, "model.sdf"):
                if name and os.path.isfile(os.path.join(folder, name)):
                    return os.path.join(folder, name)
        return ""

    # ---- models

    def _model(self, node: Node, pose: Any, depth: int, name: str, static: str) -> None:
        prefix = f"{name}::" if self.models else ""
        self.models += 1
        self.robot.name = self.robot.name or name
        scope = _Scope(node, pose, prefix, static.lower() in ("true", "1"))
        for child in node.children:
            if child.tag == "link":
                self._link(child, scope)
            elif child.tag in ("model", "include"):
                self._entry(child, pose, depth + 1)
            else:
                self._skip(child, "model")
        for child in node.all("joint"):
            self._joint(child, scope)

    def number(self, node: Node, text: str, what: str) -> float:
        """Return a string as one number."""
        return self.words.numbers(node, what, text, 1)[0]

    def pose(self, node: Node) -> Any:
        """Return (position, quaternion) of an element's <pose>."""
        at = node.first("pose")
        text = at.attrs.get(TEXT, "").strip() if at is not None else ""
        if at is None or not text:
            return ORIGIN, UNIT
        values = self.words.parse(at, "<pose>", text)
        if at.attrs.get("rotation_format") == "quat_xyzw" and len(values) == 7:
            x, y, z, w = values[3:]
            return tuple(values[:3]), unit_quat((w, x, y, z))
        values = self.words.fit(at, "<pose>", values, 6)
        turn = values[3:]
        if at.attrs.get("degrees", "").lower() in ("true", "1"):
            turn = tuple(map(math.radians, turn))
        return values[:3], from_rpy(turn)

    def frame(self, name: str, scope: _Scope) -> Any:
        """Return the pose of a link, joint or frame in its model."""
        # frames whose poses follow from the next one's
        chain: dict[str, Node] = {}
        while name not in ("", MODEL_FRAME, WORLD) and name not in scope.poses:
            node = scope.frames.get(name)
            if node is None or name in chain:
                self.report.add(
                    "unknown_link",
                    node or scope.node,
                    f"frame '{name}' {'is part of a loop' if node else 'is missing'}",
                    "the model's is used",
                )
                name = ""
                break
            chain[name] = node
            at = node.first("pose")
            name = at.attrs.get("relative_to", "") or at.attrs.get("frame", "") if at is not None else ""
            if not name:
                name = {"joint": text_of(node, "child"), "frame": node.attrs.get("attached_to", "")}.get(node.tag, "")
        pose = orient.invert(*scope.pose) if name == WORLD else scope.poses.get(name, (ORIGIN, UNIT))
        for name, node in reversed(chain.items()):
            pose = scope.poses[name] = orient.compose(*pose, *self.pose(node))
        return pose

    def _link(self, node: Node, scope: _Scope) -> None:
        wanted = scope.prefix + (node.attrs.get("name", "") or "link")
        name = free_name(wanted, self.robot.links)
        if name != wanted:
            self.report.add("name", node, f"link '{wanted}' occurs twice", f"the second one is called '{name}'")
        pos, quat = orient.compose(*scope.pose, *self.frame(node.attrs.get("name", ""), scope))
        link = self.robot.links[name] = Link(name, pos=pos, quat=quat, static=scope.static, place=node)
        if text_of(node, "gravity").lower() in ("false", "0"):
            link.gravcomp = 1.0
        link.inertial = self._inertial(node)
        for child in node.children:
            if child.tag in ("visual", "collision"):
                shape = self._shape(child, name)
                if shape is not None:
                    link.shapes.append(shape)
            elif child.tag == "sensor":
                self._sensor(child, name, self.pose(child))
            elif child.tag in ("light", "battery", "projector", "audio_source", "particle_emitter"):
                self.report.add("unsupported", child, f"<{child.tag}> of link '{name}'", "it is not used")

    def _sensor(self, node: Node, link: str, pose: Any) -> None:
        found = read_sensor(node, link, pose, self.words)
        self.robot.sensors += [found] if found else []

    def _inertial(self, node: Node) -> Inertial:
        inertial = node.first("inertial")
        if inertial is None:
            # SDF's default inertia.
            return Inertial(1.0, ORIGIN, UNIT, (1.0, 1.0, 1.0, 0.0, 0.0, 0.0), node)
        pos, quat = self.pose(inertial)
        tensor = inertial.first("inertia")
        mass = text_of(inertial, "mass")
        found = Inertial(self.number(inertial, mass, "<mass>") if mass else 1.0, pos, quat, None, inertial)
        if tensor is not None:
            rows = [text_of(tensor, n) for n in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")]
            found.tensor = tuple(self.number(tensor, t, "<inertia>") if t else 0.0 for t in rows)
        return found

    # ---- shapes

    def _shape(self, node: Node, link: str) -> Shape | None:
        geometry = node.first("geometry")
        for child in geometry.children if geometry is not None else ():
            if child.tag in SHAPES:
                shape = SHAPES[child.tag](self, child)
                break
        else:
            tags = ", ".join(f"<{c.tag}>" for c in geometry.children) if geometry is not None else ""
            if tags != "<empty>":
                self.report.add("shape", node, f"the geometry of link '{link}' is {tags or 'missing'}", "it is left out")
            return None
        if any(not (s > 0 and math.isfinite(s)) for s in shape.size):
            self.report.add("size", child, f"<{child.tag}> of link '{link}' has a size that is not positive", "it is left out")
            return None
        shape.collides, shape.place, shape.name = node.tag == "collision", node, node.attrs.get("name", "")
        pos, quat = self.pose(node)
        shape.pos, shape.quat = orient.compose(pos, quat, shape.pos, shape.quat)
        material = node.first("material")
        if material is not None:
            color = text_of(material, "diffuse") or text_of(material, "ambient")
            if color:
                rgba = [*self.words.parse(material, "color", color), 1.0][:4]
                shape.rgba = tuple(min(max(x, 0.0), 1.0) for x in rgba) if len(rgba) == 4 else None
            shape.texture = text_of(material, "pbr", "metal", "albedo_map")
        friction = text_of(node, "surface", "friction", "ode", "mu")
        if friction and shape.collides:
            shape.extras["friction"] = (max(self.number(node, friction, "<mu>"), 0.0), *TURNING)
        return shape

    # ---- joints

    def _joint(self, node: Node, scope: _Scope) -> None:
        wanted = scope.prefix + (node.attrs.get("name", "") or f"joint{len(self.joints)}")
        name = free_name(wanted, self.joints)
        self.joints.add(name)
        parent, child = text_of(node, "parent"), text_of(node, "child")
        links = {WORLD: WORLD} | {n: scope.prefix + n for n in (parent, child) if scope.prefix + n in self.robot.links}
        if child not in links or child == WORLD or parent not in links:
            inner = next((n for n in (parent, child) if n not in links), child)
            self.report.add(
                "unknown_link", node, f"joint '{name}' names '{inner}', which is not a link of its model", "it is left out"
            )
            return
        kind = node.attrs.get("type", "fixed")
        if kind not in KINDS:
            self.report.add("joint_type", node, f"joint '{name}' has the type '{kind}'", "it becomes fixed")
        at = self.frame(child, scope)
        above = orient.invert(*scope.pose) if parent == WORLD else self.frame(parent, scope)
        pos, quat = orient.compose(*orient.invert(*above), *at)
        own = orient.compose(*orient.invert(*at), *self.frame(node.attrs.get("name", ""), scope))
        joint = Joint(name, KINDS.get(kind, "fixed"), links[parent], links[child], pos, quat, own[0], place=node)
        if parent == WORLD and WORLD not in self.robot.links:
            # A joint to the world requires the world as a link.
            self.robot.links = {WORLD: Link(WORLD, static=True), **self.robot.links}
        for tag in ("axis", "axis2"):
            axis = node.first(tag)
            if axis is not None and (tag == "axis" or joint.kind == "universal"):
                joint.axes.append(self._axis(axis, own[1], at[1], scope, name))
        if joint.kind not in ("fixed",) and not joint.axes:
            joint.axes = [Axis((0.0, 0.0, 1.0))]
        self.robot.joints.append(joint)
        for sensor in node.all("sensor"):
            self._sensor(sensor, joint.child, orient.compose(*own, *self.pose(sensor)))

    def _axis(self, node: Node, turn: Quat, child: Quat, scope: _Scope, name: str) -> Axis:
        """Return an axis in the frame of the child link. `turn`: the joint's orientation in that frame; `child`: the link's
        orientation in the model.
        """
        xyz = self.words.numbers(node, "<xyz>", text_of(node, "xyz") or "0 0 1", 3)
        direction = node.first("xyz")
        base = direction.attrs.get("expressed_in", "") if direction is not None else ""
        if base:
            xyz = orient.rotate_by(orient.rotate_by(xyz, self.frame(base, scope)[1]), orient.invert(ORIGIN, child)[1])
        elif text_of(node, "use_parent_model_frame").lower() in ("true", "1") or self.version <= "1.4":
            # Before SDF 1.5, axes were given in the model's frame.
            xyz = orient.rotate_by(xyz, orient.invert(ORIGIN, child)[1])
        else:
            xyz = orient.rotate_by(xyz, turn)
        length = math.sqrt(sum(x * x for x in xyz))
        if not length > 1e-9:
            self.report.add("axis", node, f"the axis of joint '{name}' has no length", "the z axis is used")
            xyz, length = (0.0, 0.0, 1.0), 1.0
        axis = Axis(tuple(x / length for x in xyz))  # type: ignore[arg-type]
        low, high = (text_of(node, "limit", n) for n in ("lower", "upper"))
        if low or high:
            low, high = (self.number(node, t, "<limit>") if t else s * math.inf for t, s in ((low, -1), (high, 1)))
            # In SDF, huge limits mean no limits.
            if low > -1e15 or high < 1e15:
                axis.lower, axis.upper = low, high
        effort = text_of(node, "limit", "effort")
        axis.effort = self.number(node, effort, "<effort>") if effort else None
        for tag, field in (
            ("damping", "damping"),
            ("friction", "friction"),
            ("spring_stiffness", "stiffness"),
            ("spring_reference", "rest"),
        ):
            if value := text_of(node, "dynamics", tag):
                number = self.number(node, value, f"<{tag}>")
                setattr(axis, field, number if tag == "spring_reference" else max(number, 0.0))
        return axis


def _size(reader: "Sdf", node: Node, tag: str, count: int) -> Vec:
    text = text_of(node, tag)
    return reader.words.numbers(node, f"<{tag}>", text, count) if text else (0.0,) * count


def _box(reader: "Sdf", node: Node) -> Shape:
    return Shape("box", False, tuple(s / 2 for s in _size(reader, node, "size", 3)))


def _round(kind: str) -> Callable[["Sdf", Node], Shape]:
    def read(reader: "Sdf", node: Node):
        return Shape(kind, False, (_size(reader, node, "radius", 1)[0], _size(reader, node, "length", 1)[0] / 2))

    return read


def _sphere(reader: "Sdf", node: Node) -> Shape:
    return Shape("sphere", False, _size(reader, node, "radius", 1))


def _ellipsoid(reader: "Sdf", node: Node) -> Shape:
    return Shape("ellipsoid", False, _size(reader, node, "radii", 3))


def _plane(reader: "Sdf", node: Node) -> Shape:
    normal = _size(reader, node, "normal", 3) if text_of(node, "normal") else (0.0, 0.0, 1.0)
    return Shape("plane", False, quat=orient.from_z(normal) if any(normal) else UNIT)


def _mesh(reader: "Sdf", node: Node) -> Shape:
    scale = _size(reader, node, "scale", 3) if text_of(node, "scale") else (1.0, 1.0, 1.0)
    file = text_of(node, "uri")
    # Names are relative to the file that contains them, which may be an included one.
    path = reader.finder.find(file, node)[0]
    return Shape("mesh", False, (), path or file, scale, submesh=text_of(node, "submesh", "name"))


SHAPES = {
    "box": _box,
    "cylinder": _round("cylinder"),
    "capsule": _round("capsule"),
    "sphere": _sphere,
    "ellipsoid": _ellipsoid,
    "plane": _plane,
    "mesh": _mesh,
}


def read_sdf(root: Node, finder: Finder, report: ImportReport) -> Robot:
    """Return the robot that an SDF tree describes; the tree must have been parsed with `texts`."""
    return Sdf(root, finder, report).read()
