"""Converts URDF to a Robot leniently: it reads what is meant, and reports each deviation from the format."""

import math
from collections.abc import Callable
from typing import Any

from ..language.free_names import free_name
from ..language.xmltree import Node
from .pieces import Axis, Inertial, Joint, Link, Mimic, Robot, Shape, Vec
from .report import ImportReport
from .words import Words

KINDS = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar", "spherical")
# Other spellings of joint types that occur in files.
ALIASES = {"hinge": "revolute", "rotational": "revolute", "rotary": "revolute", "slider": "prismatic", "linear": "prismatic",
           "free": "floating", "ball": "spherical", "screw": "revolute", "": "fixed"}  # fmt: skip
# Children of <robot> that other parts of the importer read; and children that do not concern the model.
ELSEWHERE = {"link", "joint", "material", "mujoco", "gazebo", "transmission", "ros2_control", "sensor"}
QUIET = {"static", "author", "version", "license", "date", "drake:diff_drive", "calibration"}


class Urdf:
    """Reads one file."""

    def __init__(self, root: Node, report: ImportReport) -> None:
        self.root, self.report, self.words = root, report, Words(report)
        self.robot = Robot(root.attrs.get("name", "").strip())
        self.colors: dict[str, tuple[Any, str]] = {}

    def read(self) -> Robot:
        """Return the robot that the file describes."""
        self._materials(self.root)
        for node in self.root.children:
            if node.tag not in ELSEWHERE and node.tag not in QUIET:
                self.report.add("skipped", node, f"<{node.tag}> is not part of URDF", "it is ignored")
        for node in self.root.all("link"):
            self._link(node)
        names: set[str] = set()
        for node in self.root.all("joint"):
            self._joint(node, names)
        self.robot.settings = self.words.one(self.root, "mujoco")
        return self.robot

    # ---- materials

    def _materials(self, node: Node) -> None:
        """Read colors and textures of named materials anywhere in the file. If several have the same name, one with a color has
        priority.
        """
        if node.tag == "material" and (name := node.attrs.get("name", "").strip()):
            look = self._look(node)
            if look != (None, "") and name not in self.colors:
                self.colors[name] = look
        for child in node.children:
            self._materials(child)

    def _look(self, node: Node) -> tuple[Vec | None, str]:
        color, texture = node.first("color"), node.first("texture")
        rgba = self.words.vector(color, "rgba", 4) if color is not None else None
        if rgba is not None:
            if max(rgba) > 1 and max(rgba) <= 255 and all(float(x).is_integer() for x in rgba[:3]):
                self.report.add(
                    "number", color, f"color is {' '.join(f'{x:g}' for x in rgba)}", "it is read as numbers up to 255"
                )
                rgba = (*(x / 255 for x in rgba[:3]), rgba[3] if rgba[3] <= 1 else rgba[3] / 255)
            rgba = tuple(min(max(x, 0.0), 1.0) for x in rgba)
        return rgba, texture.attrs.get("filename", "").strip() if texture is not None else ""

    # ---- links

    def _link(self, node: Node) -> None:
        name = self.words.text(node, "name") or f"link{len(self.robot.links)}"
        if name in self.robot.links:
            new = free_name(name, self.robot.links)
            self.report.add("name", node, f"link '{name}' occurs twice", f"the second one is called '{new}'")
            name = new
        link = self.robot.links[name] = Link(name, place=node)
        inertial = self.words.one(node, "inertial")
        if inertial is not None:
            link.inertial = self._inertial(inertial, name)
        for child in node.children:
            if child.tag in ("visual", "collision") and (shape := self._shape(child, name)) is not None:
                link.shapes.append(shape)

    def _inertial(self, node: Node, link: str) -> Inertial:
        pos, quat = self.words.origin(node)
        mass, tensor = self.words.one(node, "mass"), self.words.one(node, "inertia")
        value = self.words.number(mass, "value")
        found = Inertial(value, pos, quat, None, node)
        if value is None:
            self.report.add("mass", node, f"<inertial> of link '{link}' has no mass", "it is computed from the link's shapes")
        if tensor is None:
            return found
        names = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
        if lost := [n for n in names if n not in tensor.attrs]:
            self.report.add("attribute", tensor, f"<inertia> of link '{link}' has no {', '.join(lost)}", "0 is used")
        found.tensor = tuple(self.words.number(tensor, n, 0.0) or 0.0 for n in names)
        return found

    def _shape(self, node: Node, link: str) -> Shape | None:
        geometry = self.words.one(node, "geometry")
        collides = node.tag == "collision"
        if geometry is None:
            self.report.add("shape", node, f"<{node.tag}> of link '{link}' has no geometry", "it is left out")
            return None
        for child in geometry.children:
            if child.tag in SHAPES:
                shape = SHAPES[child.tag](self, child)
                break
        else:
            tags = ", ".join(f"<{c.tag}>" for c in geometry.children) or "nothing"
            self.report.add("shape", geometry, f"the geometry of link '{link}' is {tags}", "it is left out")
            return None
        if shape is None:
            return None
        shape.collides, shape.place, shape.name = collides, node, node.attrs.get("name", "").strip()
        shape.pos, shape.quat = self.words.origin(node)
        if any(not (s > 0 and math.isfinite(s)) for s in shape.size):
            if all(s == 0 or not math.isfinite(s) for s in shape.size):
                self.report.add("size", child, f"<{child.tag}> of link '{link}' has no size", "it is left out")
                return None
            # Replace zero and infinity by a very small size, so that the shape is usable.
            sizes = tuple(abs(s) or 1e-5 if math.isfinite(s) else 1e-5 for s in shape.size)
            self.report.add(
                "size", child, f"<{child.tag}> of link '{link}' has a size that is not positive", "it gets a size of 0.01 mm"
            )
            shape.size = sizes
        self._paint(shape, node)
        return shape

    def _paint(self, shape: Shape, node: Node) -> None:
        material = node.first("material")
        if material is None:
            return
        name = material.attrs.get("name", "").strip()
        look = self._look(material)
        shape.material = name
        shape.rgba, shape.texture = look if look != (None, "") else self.colors.get(name, (None, ""))

    # ---- joints

    def _joint(self, node: Node, names: set[str]) -> None:
        words, report = self.words, self.report
        name = words.text(node, "name") or f"joint{len(self.robot.joints)}"
        parent, child = (words.one(node, t) for t in ("parent", "child"))
        if parent is None or child is None:
            report.add(
                "unknown_link", node, f"joint '{name}' has no {'parent' if parent is None else 'child'}", "it is left out"
            )
            return
        parent, child = (words.text(n, "link") for n in (parent, child))
        if lost := [n for n in (parent, child) if n not in self.robot.links]:
            report.add("unknown_link", node, f"joint '{name}' names link '{lost[0]}', which is missing", "it is left out")
            return
        if name in names:
            new = free_name(name, names)
            report.add("name", node, f"joint '{name}' occurs twice", f"the second one is called '{new}'")
            name = new
        names.add(name)
        pos, quat = words.origin(node)
        joint = Joint(name, self._kind(node, name), parent, child, pos, quat, place=node)
        if joint.kind not in ("fixed", "floating"):
            joint.axes = [self._axis(node, joint)]
            joint.mimic = self._mimic(node)
        self.robot.joints.append(joint)

    def _kind(self, node: Node, name: str) -> str:
        kind = node.attrs.get("type", "").strip()
        if kind in KINDS:
            return kind
        low = kind.lower()
        new = low if low in KINDS else ALIASES.get(low, "fixed")
        self.report.add("joint_type", node, f"joint '{name}' has the type '{kind}'", f"it becomes {new}")
        return new

    def _axis(self, node: Node, joint: Joint) -> Axis:
        words = self.words
        at = words.one(node, "axis")
        direction = words.vector(at, "xyz", 3, (1.0, 0.0, 0.0))
        length = math.sqrt(sum(x * x for x in direction))
        if not (length > 1e-9 and math.isfinite(length)):
            self.report.add("axis", at, f"the axis of joint '{joint.name}' has no length", "the x axis is used")
            direction, length = (1.0, 0.0, 0.0), 1.0
        # Keep an axis whose length differs from 1 only by rounding.
        axis = Axis(direction if abs(length - 1) < 1e-12 else tuple(x / length for x in direction))
        limit, dynamics = words.one(node, "limit"), words.one(node, "dynamics")
        axis.lower, axis.upper = words.number(limit, "lower"), words.number(limit, "upper")
        axis.effort, axis.velocity = words.number(limit, "effort"), words.number(limit, "velocity")
        axis.damping = self._positive(dynamics, "damping", joint)
        axis.friction = self._positive(dynamics, "friction", joint)
        axis.armature = self._positive(dynamics, "armature", joint)
        return axis

    def _positive(self, node: Node, name: str, joint: Joint) -> float:
        value = self.words.number(node, name, 0.0) or 0.0
        if value < 0 or not math.isfinite(value):
            self.report.add("number", node, f"{name} of joint '{joint.name}' is {value:g}", "0 is used")
            return 0.0
        return value

    def _mimic(self, node: Node) -> Mimic | None:
        mimic = self.words.one(node, "mimic")
        if mimic is None:
            return None
        multiplier, offset = self.words.number(mimic, "multiplier", 1.0), self.words.number(mimic, "offset", 0.0)
        return Mimic(self.words.text(mimic, "joint"), 1.0 if multiplier is None else multiplier, offset or 0.0, mimic)


def _box(reader: Urdf, node: Node) -> Shape:
    size = reader.words.vector(node, "size", 3, (0.0, 0.0, 0.0))
    return Shape("box", False, tuple(s / 2 for s in size))


def _round(kind: str) -> Callable[[Urdf, Node], Shape]:
    def read(reader: Urdf, node: Node) -> Shape:
        radius = reader.words.number(node, "radius") or 0.0
        if kind == "sphere":
            return Shape(kind, False, (radius,))
        return Shape(kind, False, (radius, (reader.words.number(node, "length") or 0.0) / 2))

    return read


def _mesh(reader: Urdf, node: Node) -> Shape | None:
    file = node.attrs.get("filename", "").strip() or node.attrs.get("file", "").strip() or node.attrs.get("url", "").strip()
    if not file:
        reader.report.add("shape", node, "<mesh> has no filename", "it is left out")
        return None
    scale = reader.words.vector(node, "scale", 3, (1.0, 1.0, 1.0))
    if not all(math.isfinite(s) and s for s in scale):
        reader.report.add("size", node, f"the scale of '{file}' is {' '.join(f'{s:g}' for s in scale)}", "1 is used")
        scale = tuple(s if s and math.isfinite(s) else 1.0 for s in scale)
    return Shape("mesh", False, (), file, scale)


def _plane(reader: Urdf, node: Node) -> Shape:
    """Return a plane, which is an extension by PyBullet; its normal is the z axis."""
    return Shape("plane", False)


SHAPES = {
    "box": _box,
    "cylinder": _round("cylinder"),
    "sphere": _round("sphere"),
    "capsule": _round("capsule"),
    "mesh": _mesh,
    "plane": _plane,
}


def read_urdf(root: Node, report: ImportReport) -> Robot:
    """Return the robot that a URDF tree describes."""
    return Urdf(root, report).read()
