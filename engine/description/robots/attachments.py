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
from ..language.types import HINGE, JOINT_NQ, SLIDE, TRN_JOINT
from ..language.xmltree import Node, parse
from .build import Builder
from .locate import Finder
from .pieces import ORIGIN, TURNING, UNIT, Robot, Sensor, filled, unused
from .report import ImportReport
from .sdf import text_of
from .words import Words, from_rpy

# Folders of SRDF files, relative to the folder of a URDF.
SRDF_FOLDERS = (".", "srdf", "../srdf", "../config", "config")
KINDS = ("position", "velocity", "motor")
# Natural frequency (Hz) of position servos, and time constant (s) of velocity servos.
FREQUENCY, SETTLING = 5.0, 0.05
# {Gazebo's sensor type: types of sensors at a site}
SENSORS = {
    "imu": ("ACCELEROMETER", "GYRO", "FRAMEQUAT"),
    "force_torque": ("FORCE", "TORQUE"),
    "contact": ("TOUCH",),
    "bumper": ("TOUCH",),
    "ray": ("RANGEFINDER",),
    "lidar": ("RANGEFINDER",),
    "gpu_ray": ("RANGEFINDER",),
}
CAMERAS = ("camera", "depth", "depth_camera", "rgbd_camera", "wideanglecamera")
SITE = int(mjtObj.mjOBJ_SITE)
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
                self._sensor(sensor, link.name)

    def _sensor(self, node: Node, link: str) -> None:
        kind, name = node.attrs.get("type", ""), node.attrs.get("name", "") or "sensor"
        pose = text_of(node, "pose")
        values = self.words.numbers(node, "<pose>", pose, 6) if pose else (0.0,) * 6
        found = Sensor(kind, name, link, values[:3] if pose else ORIGIN, from_rpy(values[3:]) if pose else UNIT, {}, node)
        if kind in CAMERAS:
            found.values["fov"] = self.number(node, "camera", "horizontal_fov") or 1.047
            size = (self.number(node, "camera", "image", k) for k in ("width", "height"))
            found.values["size"] = tuple(int(x) if x and x > 0 else d for x, d in zip(size, (640, 480), strict=True))
        elif kind not in SENSORS:
            self.report.add("unsupported", node, f"sensor '{name}' of type '{kind}'", "it is not used")
            return
        self.robot.sensors.append(found)

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
        """Read the SRDF file with the robot's name beside the URDF: pairs that do not collide, and states."""
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
        builder.spec.add("key").set(name=unused(name, taken), qpos=qpos)


def _sensor(builder: Builder, sensor: Sensor) -> None:
    body = builder.bodies[sensor.link]
    shaper = builder.shaper
    name = shaper.name("site", sensor.name)
    if sensor.kind in CAMERAS:
        width, height = sensor.values["size"]
        fovy = math.degrees(2 * math.atan(math.tan(min(sensor.values["fov"], 3.1) / 2) * height / width))
        # A robot's cameras look along x, with z up.
        turn = orient.mulquat(sensor.quat, (0.5, 0.5, -0.5, -0.5))
        filled(body.add_camera(), name, sensor.place, pos=sensor.pos, quat=turn, fovy=fovy, resolution=(width, height))
        return
    # In MJCF, a ray measures along its site's z axis; in robot descriptions, along x.
    turn = (
        orient.mulquat(sensor.quat, (0.7071067811865476, 0.0, 0.7071067811865476, 0.0))
        if SENSORS[sensor.kind] == ("RANGEFINDER",)
        else sensor.quat
    )
    size = (0.05, 0.05, 0.05) if SENSORS[sensor.kind] == ("TOUCH",) else (0.005, 0.005, 0.005)
    filled(body.add_site(), name, sensor.place, pos=sensor.pos, quat=turn, size=size)
    for word in SENSORS[sensor.kind]:
        made = builder.spec.add("sensor")
        kind = int(mjtSensor[f"mjSENS_{word}"])
        label = shaper.name("sensor", name if len(SENSORS[sensor.kind]) == 1 else f"{name}_{word.lower()}")
        filled(made, label, sensor.place, type=kind, objtype=SITE, objname=name)


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
                report.add("actuator", joint.place, f"joint '{joint.name}' has no effort limit", "its motor takes -1 to 1")
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
