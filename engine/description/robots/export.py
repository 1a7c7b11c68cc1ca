"""Export of a model as URDF, with a list of what the format cannot express.

Link frames are at the anchors of their joints, as URDF requires. A body with several joints becomes a chain of links. Joint
positions are relative to the reference pose, which is zero in URDF.
"""

import math
import os
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ...tables.enums import mjtEq
from ..language import orient
from ..language.free_names import free_name
from ..language.types import BALL, BOX, CAPSULE, CYLINDER, FREE, HINGE, MESH, SLIDE, SPHERE
from .folder import plain_write, safe_name, stl_of
from .pieces import ORIGIN, UNIT, Quat, Vec
from .tree import WORLD

MESHES = "meshes"
JOINT = int(mjtEq.mjEQ_JOINT)
# Values for numbers that the format requires and the model does not have.
NO_EFFORT, NO_VELOCITY = 1000.0, 1000.0
NAMES = {FREE: "floating", SLIDE: "prismatic", HINGE: "revolute"}
# (count in a model, feature that URDF cannot express)
UNSAID = (
    ("nu", "actuators"),
    ("nsensor", "sensors"),
    ("ntendon", "tendons"),
    ("nsite", "sites"),
    ("ncam", "cameras"),
    ("nlight", "lights"),
    ("nkey", "keyframes"),
    ("nexclude", "excluded pairs"),
    ("npair", "contact pairs"),
    ("nflex", "flexes"),
    ("nskin", "skins"),
    ("nhfield", "height fields"),
    ("ntex", "textures"),
    ("nplugin", "plugins"),
    ("nmocap", "mocap bodies"),
)
# (field of a model, its neutral value, what URDF loses if the field has another value)
LOST = (
    ("dof_armature", 0.0, "armature of joints"),
    ("jnt_stiffness", 0.0, "springs of joints"),
    ("body_gravcomp", 0.0, "gravity compensation"),
    ("geom_margin", 0.0, "margins of contacts"),
)


class Export:
    """Exports one model."""

    def __init__(self, m: Any) -> None:
        self.m = m
        self.root = ET.Element("robot")
        self.unsaid: Counter[str] = Counter()
        self.links: set[str] = set()
        self.joints: set[str] = set()
        # The link of each body, and the position of the link's frame in the body's frame.
        self.link_of: dict[int, str] = {}
        self.offset: dict[int, Vec] = {}
        self.meshes: dict[int, str] = {}
        self.taken: set[str] = set()
        self.joint_of: dict[int, ET.Element] = {}

    def run(self, name: str) -> ET.Element:
        """Return the root of the URDF."""
        m = self.m
        self.root.set("name", name)
        for field, what in UNSAID:
            self.unsaid[what] += int(getattr(m, field))
        for field, plain, what in LOST:
            self.unsaid[what] += int((np.asarray(getattr(m, field)) != plain).sum())
        if self._needs_world():
            self._link(0, WORLD)
        for body in range(1, m.nbody):
            self._body(body)
        self._mimics()
        self.unsaid += Counter()
        return self.root

    def _needs_world(self) -> bool:
        """Return whether URDF needs a link for the world."""
        m = self.m
        roots = [b for b in range(1, m.nbody) if int(m.body_parentid[b]) == 0]
        placed = any(int(m.body_jntnum[b]) or any(m.body_pos[b]) or m.body_quat[b][0] != 1 for b in roots)
        return bool(int(m.body_geomnum[0])) or len(roots) != 1 or placed

    # ---- links

    def _name(self, kind: str, wanted: str, taken: set[str]) -> str:
        name = free_name(wanted or kind, taken)
        taken.add(name)
        return name

    def _link(self, body: int, wanted: str, offset: Vec = ORIGIN) -> ET.Element:
        """Add the link of a body, with its frame at `offset` in the body's frame."""
        m = self.m
        name = self.link_of[body] = self._name("link", wanted, self.links)
        self.offset[body] = offset
        node = ET.SubElement(self.root, "link", name=name)
        if body and m.body_mass[body] > 0:
            inertial = ET.SubElement(node, "inertial")
            _origin(inertial, np.subtract(m.body_ipos[body], offset), tuple(m.body_iquat[body]))
            ET.SubElement(inertial, "mass", value=_text(m.body_mass[body]))
            moments = dict(zip(("ixx", "iyy", "izz"), map(_text, m.body_inertia[body]), strict=True))
            ET.SubElement(inertial, "inertia", **moments, ixy="0", ixz="0", iyz="0")
        first = int(m.body_geomadr[body])
        for geom in range(first, first + int(m.body_geomnum[body])):
            self._geom(node, geom, offset)
        return node

    def _geom(self, node: ET.Element, geom: int, offset: Vec) -> None:
        m = self.m
        shape = SHAPES.get(int(m.geom_type[geom]))
        if shape is None:
            self.unsaid["geoms that are planes, ellipsoids or fields"] += 1
            return
        if int(m.geom_type[geom]) == CAPSULE:
            self.unsaid["capsules (not every reader knows <capsule>)"] += 1
        collides = bool(m.geom_contype[geom] or m.geom_conaffinity[geom])
        # A colliding geom is also visible, unless its group is hidden.
        for tag in ("collision",) if collides and int(m.geom_group[geom]) > 2 else ("visual", "collision")[: 1 + collides]:
            part = ET.SubElement(node, tag)
            if label := m.geom(geom).name:
                part.set("name", label)
            _origin(part, np.subtract(m.geom_pos[geom], offset), tuple(m.geom_quat[geom]))
            shape(self, ET.SubElement(part, "geometry"), geom)
            if tag == "visual":
                material = int(m.geom_matid[geom])
                rgba = m.geom_rgba[geom] if material < 0 else m.mat_rgba[material]
                label = m.mat(material).name if material >= 0 else f"color_{'_'.join(_text(round(float(x), 3)) for x in rgba)}"
                ET.SubElement(ET.SubElement(part, "material", name=label), "color", rgba=" ".join(map(_text, rgba)))

    def mesh(self, geom: int) -> str:
        """Return the file name of a geom's mesh."""
        mesh = int(self.m.geom_dataid[geom])
        if mesh not in self.meshes:
            self.meshes[mesh] = safe_name(self.m.mesh(mesh).name or "mesh", self.taken) + ".stl"
        return f"{MESHES}/{self.meshes[mesh]}"

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Yield (name, contents) of the mesh files."""
        m = self.m
        for mesh, file in self.meshes.items():
            a, n = int(m.mesh_vertadr[mesh]), int(m.mesh_vertnum[mesh])
            b, k = int(m.mesh_faceadr[mesh]), int(m.mesh_facenum[mesh])
            yield file, stl_of({"uservert": np.asarray(m.mesh_vert[a : a + n]), "userface": np.asarray(m.mesh_face[b : b + k])})

    # ---- joints

    def _body(self, body: int) -> None:
        """Add a body as a link, with the joint to its parent. If a body has several joints, all but the last lead to massless
        links."""
        m = self.m
        label, parent = m.body(body).name or f"body{body}", int(m.body_parentid[body])
        first, count = int(m.body_jntadr[body]), int(m.body_jntnum[body])
        pos, quat = tuple(m.body_pos[body]), tuple(m.body_quat[body])
        if parent not in self.link_of:
            self._link(body, label)
            return
        above, origin = self.link_of[parent], self.offset[parent]
        steps = [s for k in range(first, first + count) for s in self._steps(k)] or [
            (f"{label}_fixed", "fixed", ORIGIN, None, -1)
        ]
        # Position of the parent link in this body's frame, in the reference pose.
        for k, (name, kind, anchor, axis, joint) in enumerate(steps):
            last = k == len(steps) - 1
            if last:
                self._link(body, label, anchor)
                link = self.link_of[body]
            else:
                link = self._name("link", f"{label}_{k + 1}", self.links)
                ET.SubElement(self.root, "link", name=link)
            if k == 0:
                at, turn = orient.compose(pos, quat, anchor, UNIT)
                at = tuple(np.subtract(at, origin).tolist())
            else:
                at, turn = tuple(np.subtract(anchor, steps[k - 1][2]).tolist()), UNIT
            self._joint(name, kind, above, link, at, turn, axis, joint)
            above = link

    def _steps(self, joint: int) -> list[tuple[str, str, Vec, Vec | None, int]]:
        """Return (name, kind, anchor, axis, index of the model's joint or -1) of the URDF joints for a joint of the model."""
        m = self.m
        name, kind = m.jnt(joint).name or f"joint{joint}", int(m.jnt_type[joint])
        if kind == FREE:
            return [(name, NAMES[kind], ORIGIN, None, -1)]
        anchor = tuple(float(x) for x in m.jnt_pos[joint])
        if kind == BALL:
            self.unsaid["ball joints (three hinges are written)"] += 1
            axes = (("_x", (1.0, 0.0, 0.0)), ("_y", (0.0, 1.0, 0.0)), ("_z", (0.0, 0.0, 1.0)))
            return [(name + end, "continuous", anchor, axis, -1) for end, axis in axes]
        limited = bool(m.jnt_limited[joint]) or kind == SLIDE
        return [(name, NAMES[kind] if limited else "continuous", anchor, tuple(float(x) for x in m.jnt_axis[joint]), joint)]

    def _joint(self, name: str, kind: str, above: str, link: str, pos: Vec, quat: Quat, axis: Vec | None, joint: int) -> None:
        m = self.m
        node = ET.SubElement(self.root, "joint", name=self._name("joint", name, self.joints), type=kind)
        _origin(node, pos, quat)
        ET.SubElement(node, "parent", link=above)
        ET.SubElement(node, "child", link=link)
        if axis is not None:
            ET.SubElement(node, "axis", xyz=" ".join(map(_text, axis)))
        if joint < 0:
            return
        self.joint_of[joint] = node
        effort = float(np.abs(m.jnt_actfrcrange[joint]).max()) if m.jnt_actfrclimited[joint] else NO_EFFORT
        limit = ET.SubElement(node, "limit", effort=_text(effort), velocity=_text(NO_VELOCITY))
        if kind != "continuous":
            start = float(m.qpos0[int(m.jnt_qposadr[joint])])
            low, high = (float(x) - start for x in m.jnt_range[joint]) if m.jnt_limited[joint] else (-1e8, 1e8)
            limit.set("lower", _text(low))
            limit.set("upper", _text(high))
        dof = int(m.jnt_dofadr[joint])
        ET.SubElement(node, "dynamics", damping=_text(m.dof_damping[dof]), friction=_text(m.dof_frictionloss[dof]))

    def _mimics(self) -> None:
        """Write equalities of two joints as mimic joints if they are linear."""
        m = self.m
        for k in range(m.neq):
            one, two, data = int(m.eq_obj1id[k]), int(m.eq_obj2id[k]), np.asarray(m.eq_data[k])
            line = int(m.eq_type[k]) == JOINT and two >= 0 and not data[2:5].any() and bool(m.eq_active0[k])
            if line and one in self.joint_of and two in self.joint_of and self.joint_of[one].find("mimic") is None:
                leader = self.joint_of[two].attrib["name"]
                ET.SubElement(self.joint_of[one], "mimic", joint=leader, multiplier=_text(data[1]), offset=_text(data[0]))
            else:
                self.unsaid["equalities"] += 1


def _text(value: Any) -> str:
    """Return a number as text that reads back exactly."""
    return f"{float(value):.17g}" if float(f"{float(value):.12g}") != float(value) else f"{float(value):.12g}"


def rpy_of(quat: Quat) -> Vec:
    """Return roll, pitch and yaw of a quaternion."""
    m = orient.matrix(quat)
    pitch = math.atan2(-m[6], math.hypot(m[0], m[3]))
    if math.hypot(m[0], m[3]) < 1e-9:
        return math.atan2(-m[5], m[4]), pitch, 0.0
    return math.atan2(m[7], m[8]), pitch, math.atan2(m[3], m[0])


def _origin(node: ET.Element, pos: Any, quat: Quat) -> None:
    if any(pos) or tuple(quat) != UNIT:
        ET.SubElement(node, "origin", xyz=" ".join(map(_text, pos)), rpy=" ".join(map(_text, rpy_of(quat))))


def _box(export: Export, node: ET.Element, geom: int) -> None:
    ET.SubElement(node, "box", size=" ".join(_text(2 * x) for x in export.m.geom_size[geom]))


def _sphere(export: Export, node: ET.Element, geom: int) -> None:
    ET.SubElement(node, "sphere", radius=_text(export.m.geom_size[geom][0]))


def _cylinder(export: Export, node: ET.Element, geom: int) -> None:
    radius, half, _ = export.m.geom_size[geom]
    ET.SubElement(node, "cylinder", radius=_text(radius), length=_text(2 * half))


def _capsule(export: Export, node: ET.Element, geom: int) -> None:
    """Write a capsule, which is not part of ROS's format; most readers accept it, including Tumble's."""
    radius, half, _ = export.m.geom_size[geom]
    ET.SubElement(node, "capsule", radius=_text(radius), length=_text(2 * half))


def _mesh(export: Export, node: ET.Element, geom: int) -> None:
    ET.SubElement(node, "mesh", filename=export.mesh(geom))


SHAPES: dict[int, Callable[[Export, ET.Element, int], None]] = {
    BOX: _box,
    SPHERE: _sphere,
    CYLINDER: _cylinder,
    CAPSULE: _capsule,
    MESH: _mesh,
}


def write_urdf(
    m: Any, folder: str, name: str = "robot", write: Callable[[str, bytes], None] = plain_write
) -> tuple[str, list[str]]:
    """Write a model as URDF, with its meshes, to a folder. Return (path, what the format cannot express). `write(path, data)`
    writes a file.
    """
    export = Export(m)
    root = export.run(name)
    ET.indent(root)
    os.makedirs(os.path.join(folder, MESHES), exist_ok=True)
    for file, data in export.files():
        write(os.path.join(folder, MESHES, file), data)
    path = os.path.join(folder, f"{safe_name(name, set())}.urdf")
    write(path, b'<?xml version="1.0"?>\n' + ET.tostring(root, "utf-8") + b"\n")
    return path, [f"{count} {what}" for what, count in sorted(export.unsaid.items()) if count]
