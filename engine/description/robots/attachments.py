"""Parts of a robot other than links and joints: SRDF files, Gazebo tags and transmissions become excludes, keyframes, sensors
and actuators.
"""

import math
import os
from typing import Any

import numpy as np

from ...tables.enums import mjtBias, mjtObj, mjtSensor
from ..compile.driver import compile_spec
from ..files.resources import within
from ..language import orient
from ..language.errors import SpecError
from ..language.free_names import free_name
from ..language.types import HINGE, JOINT_NQ, SLIDE, TRN_JOINT
from ..language.xmltree import Node, parse
from .build import Builder
from .locate import Finder
from .pieces import TURNING, Robot, Sensor, filled
from .report import ImportReport
from .sensors import CAMERAS, SENSORS, read_sensor
from .words import Words, from_rpy, text_of

# Folders of SRDF files, relative to the folder of a URDF.
SRDF_FOLDERS = (".", "srdf", "../srdf", "../config", "config")
KINDS = ("position", "velocity", "motor")
# Natural frequency (Hz) of position servos, and time constant (s) of velocity servos.
FREQUENCY, SETTLING = 15.0, 0.05
SITE, BODY = int(mjtObj.mjOBJ_SITE), int(mjtObj.mjOBJ_BODY)
# Parameters of a contact sensor for the number of contacts and their net force: data bits 0 and 1, reduction 3, one slot.
NET_FORCE = (3, 3, 1)
AFFINE = int(mjtBias.mjBIAS_AFFINE)


class _Reader:
    """Reads the tags that other programs put into a URDF."""

    def __init__(self, robot: Robot, finder: Finder, report: ImportReport) -> None:
        self.robot, self.finder, self.report, self.words = robot, finder, report, Words(report)

    def number(self, node: Node, *path: str) -> float | None:
        """Return the number in an element below a node, or None."""
        text = text_of(node, *path)
        return self.words.numbers(node, path[-1], text, 1)[0] if text else None

    def gazebo(self, root: Node) -> None:
        """Read friction and sensors from <gazebo reference="LINK">."""
        for node in root.all("gazebo"):
            link = self.robot.links.get(node.attrs.get("reference", ""))
            if link is None:
                continue
            mu = next((v for path in (("mu1",), ("mu",)) if (v := self.number(node, *path)) is not None), None)
            for shape in link.shapes if mu is not None and mu >= 0 else ():
                if shape.collides:
                    shape.extras["friction"] = (mu, *TURNING)
            for sensor in node.all("sensor"):
                pose = text_of(sensor, "pose")
                values = self.words.numbers(sensor, "<pose>", pose, 6) if pose else (0.0,) * 6
                found = read_sensor(sensor, link.name, (values[:3], from_rpy(values[3:])), self.words)
                self.robot.sensors += [found] if found else []

    def transmissions(self, root: Node) -> None:
        """Read which joints <transmission> and <ros2_control> drive, and through which interface."""
        for node in root.all("transmission"):
            for joint in node.all("joint"):
                kind = text_of(joint, "hardwareInterface").lower()
                self.robot.drives[joint.attrs.get("name", "")] = {"interface": kind, "place": node}
        for node in root.all("ros2_control"):
            for joint in node.all("joint"):
                names = [c.attrs.get("name", "") for c in joint.all("command_interface")]
                if names:
                    self.robot.drives[joint.attrs.get("name", "")] = {"interface": names[0].lower(), "place": joint}

    def srdf(self) -> None:
        """Read the SRDF file with the robot's name next to the URDF: pairs of links that do not collide, and named states."""
        for folder in SRDF_FOLDERS:
            place = os.path.normpath(os.path.join(self.finder.home, folder))
            if self.finder.inside and not within(os.path.realpath(place), self.finder.inside):
                continue
            for name in sorted(os.listdir(place)) if os.path.isdir(place) else ():
                if name.lower().endswith(".srdf") and self._read_srdf(os.path.join(place, name)):
                    return

    def _read_srdf(self, path: str) -> bool:
        try:
            root = parse(self.finder.read(path), path)
        except (OSError, SpecError):
            # The file is a xacro program, or belongs to another robot.
            return False
        if root.tag != "robot" or root.attrs.get("name") != self.robot.name:
            return False
        for node in root.all("disable_collisions"):
            pair = node.attrs.get("link1", ""), node.attrs.get("link2", "")
            if all(name in self.robot.links for name in pair):
                self.robot.excludes.append(pair)
        for state in root.all("group_state"):
            name = state.attrs.get("name", "") or "state"
            values = self.robot.states.setdefault(name, {})
            for joint in state.all("joint"):
                value = self.words.number(joint, "value")
                if value is not None:
                    values[joint.attrs.get("name", "")] = value
        return True


def read_attachments(data: bytes, root: Node, robot: Robot, finder: Finder, report: ImportReport) -> None:
    """Add the contents of SRDF files, Gazebo tags and transmissions to a robot."""
    reader = _Reader(robot, finder, report)
    if root.first("gazebo") or root.first("transmission") or root.first("ros2_control"):
        # Parse again and keep the text inside elements, where these tags have their values.
        texts = parse(data, report.file, texts=True)
        reader.gazebo(texts)
        reader.transmissions(texts)
    reader.srdf()


# ---- into the spec


def attach(builder: Builder, kind: str = "") -> None:
    """Add sensors and keyframes to the spec, and actuators if their type is given."""
    if kind and kind not in KINDS:
        raise ValueError(f"actuators: '{kind}' is not one of {', '.join(KINDS)}")
    for sensor in builder.robot.sensors:
        _sensor(builder, sensor)
    if not builder.robot.states and not kind:
        return
    m = compile_spec(builder.spec)
    joints = {e.label: (k, e) for k, e in enumerate(builder.spec.items("joint"))}
    if kind:
        _actuators(builder, kind, m, joints)
    for name, values in builder.robot.states.items():
        qpos = np.array(m.qpos0)
        for joint, value in values.items():
            k, _ = joints.get(joint, (-1, None))
            if k >= 0 and JOINT_NQ[int(m.jnt_type[k])] == 1:
                qpos[int(m.jnt_qposadr[k])] = value
        taken = {e.label for e in builder.spec.parts["key"]}
        builder.spec.add("key").set(name=free_name(name, taken), qpos=qpos)


def _sensor(builder: Builder, sensor: Sensor) -> None:
    """Add the camera of a sensor, or its site and sensors, to the spec."""
    body, shaper = builder.bodies[sensor.link], builder.shaper
    if sensor.kind in CAMERAS:
        width, height = sensor.values["size"]
        fovy = math.degrees(2 * math.atan(math.tan(min(sensor.values["fov"], 3.1) / 2) * height / width))
        # A robot's cameras look along x, with z up.
        turn = orient.mulquat(sensor.quat, (0.5, 0.5, -0.5, -0.5))
        name = shaper.name("camera", sensor.name)
        filled(body.add_camera(), name, sensor.place, pos=sensor.pos, quat=turn, fovy=fovy, resolution=(width, height))
        return

    kinds = SENSORS[sensor.kind]
    target: dict[str, Any] = {"objtype": BODY, "objname": body.label, "intprm": NET_FORCE}
    label = sensor.name
    if kinds != ("CONTACT",):
        # In MJCF, a ray measures along its site's z axis; in robot descriptions, along x.
        along = (0.7071067811865476, 0.0, 0.7071067811865476, 0.0)
        turn = orient.mulquat(sensor.quat, along) if kinds == ("RANGEFINDER",) else sensor.quat
        label = shaper.name("site", sensor.name)
        filled(body.add_site(), label, sensor.place, pos=sensor.pos, quat=turn, size=(0.005, 0.005, 0.005))
        target = {"objtype": SITE, "objname": label}
    for word in kinds:
        name = shaper.name("sensor", label if len(kinds) == 1 else f"{label}_{word.lower()}")
        filled(builder.spec.add("sensor"), name, sensor.place, type=int(mjtSensor[f"mjSENS_{word}"]), **target)


def _actuators(builder: Builder, kind: str, m: Any, joints: dict[str, Any]) -> None:
    """Add an actuator to each joint with one degree of freedom that does not follow another joint. If the file names driven
    joints, add actuators only to those.
    """
    robot, report = builder.robot, builder.report
    for joint in builder.tree.above.values():
        k, element = joints.get(joint.name, (-1, None))
        if k < 0 or element.raw["type"] not in (HINGE, SLIDE) or joint.mimic is not None:
            continue
        if robot.drives and joint.name not in robot.drives:
            continue
        axis = joint.axes[0]
        effort = abs(axis.effort) if axis.effort and math.isfinite(axis.effort) else 0.0
        # The inertia that the joint moves in the reference pose.
        inertia = 1.0 / max(float(m.dof_invweight0[int(m.jnt_dofadr[k])]), 1e-12)
        # Gains of the joint's drive in the file, if it has one.
        drive = robot.drives.get(joint.name, {})
        stiff, damp = (drive.get(word, 0.0) * (inertia if drive.get("relative") else 1.0) for word in ("stiffness", "damping"))
        fields: dict[str, Any] = {"trntype": TRN_JOINT, "target": joint.name}
        if effort:
            fields["forcerange"] = (-effort, effort)
        if kind == "motor":
            limit = effort or 1.0
            fields["ctrlrange"] = (-limit, limit)
            if not effort:
                report.add(
                    "actuator",
                    joint.place,
                    f"joint '{joint.name}' has no effort limit",
                    "the control range of its motor is -1 to 1",
                )
        elif kind == "velocity":
            gain = damp or inertia / SETTLING
            fields.update(gainprm=(gain, *[0.0] * 9), biastype=AFFINE, biasprm=(0.0, 0.0, -gain, *[0.0] * 7))
            if axis.velocity:
                fields["ctrlrange"] = (-abs(axis.velocity), abs(axis.velocity))
        else:
            if not stiff:
                stiff = inertia * (2 * math.pi * FREQUENCY) ** 2
                damp = 2 * math.sqrt(stiff * inertia)
            fields.update(gainprm=(stiff, *[0.0] * 9), biastype=AFFINE, biasprm=(0.0, -stiff, -damp, *[0.0] * 7))
            if element.raw["range"][0] < element.raw["range"][1]:
                fields["ctrlrange"] = tuple(element.raw["range"])
        filled(builder.spec.add("actuator"), joint.name, joint.place, **fields)
