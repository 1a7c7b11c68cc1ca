"""Joints of UsdPhysics → joints of a tree: their frames and axes, positions in the file's pose, drives, and which of them close
loops.
"""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .pieces import Axis, Joint
from .usd_layers import pxr
from .usd_shapes import AXES, Note, quat_of, tuple_of

WORLD = "world"
# {type of a prim: type of a joint}
KINDS = {
    "PhysicsFixedJoint": "fixed",
    "PhysicsRevoluteJoint": "revolute",
    "PhysicsPrismaticJoint": "prismatic",
    "PhysicsSphericalJoint": "spherical",
    "PhysicsJoint": "generic",
}
# Names of the degrees of freedom of a generic joint, and the drives of joints with one degree of freedom.
FREEDOMS = ("transX", "transY", "transZ", "rotX", "rotY", "rotZ")
DRIVES = {"revolute": "angular", "prismatic": "linear"}
# Distance (m) and angle (rad) up to which two frames count as equal.
NEAR, TURNED = 1e-4, 1e-3


@dataclass
class Found:
    """A joint of the file before one of its bodies becomes the parent: the bodies of both sides, and the joint's frames in them
    (4, 4)."""

    name: str
    path: str
    kind: str
    ends: tuple[str, str]
    frames: tuple[np.ndarray, np.ndarray]
    axis: int
    limits: tuple[float, float] | None = None
    effort: float | None = None
    # Whether the file excludes this joint from the tree of joints.
    loop: bool = False
    # Whether the two bodies of the joint collide with each other.
    collides: bool = False
    drive: dict[str, Any] = field(default_factory=dict)

    def joint(self, reverse: bool = False) -> Joint:
        """Return the joint with its first body as the parent or, with `reverse`, with its second body as the parent."""
        (parent, child), (above, below) = self.ends, self.frames
        if reverse:
            parent, child, above, below = child, parent, below, above
        pose = above @ np.linalg.inv(below)
        # If parent and child are exchanged, the axis has the opposite direction.
        direction = below[:3, self.axis] * (-1.0 if reverse else 1.0)
        bounds = self.limits or (None, None)
        axis = Axis(tuple_of(direction), *bounds, effort=self.effort)
        kind = "continuous" if self.kind == "revolute" and self.limits is None else self.kind
        pos, anchor = tuple_of(pose[:3, 3]), tuple_of(below[:3, 3])
        return Joint(self.name, kind, parent, child, pos, quat_of(pose[:3, :3]), anchor, [axis])


def rotation(quat: Any) -> np.ndarray:
    """Return the matrix (3, 3) of a quaternion of USD; the identity if it has no length."""
    w, (x, y, z) = float(quat.GetReal()), map(float, quat.GetImaginary())
    length = w * w + x * x + y * y + z * z
    if not (length > 1e-12 and math.isfinite(length)):
        return np.eye(3)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + (2 / length) * (w * cross + cross @ cross)


def coordinate(found: Found, poses: dict[str, np.ndarray]) -> tuple[float, float, float]:
    """Return (position, distance, angle) of a joint in the file's pose. Distance and angle measure how far its frames are
    apart, not counting its degree of freedom."""
    one, two = (poses[end] @ frame for end, frame in zip(found.ends, found.frames, strict=True))
    apart = np.linalg.inv(one) @ two
    shift, turn = apart[:3, 3].copy(), apart[:3, :3]
    k, value = found.axis, 0.0
    if found.kind == "revolute":
        i, j = (k + 1) % 3, (k + 2) % 3
        value = math.atan2(turn[j, i] - turn[i, j], turn[i, i] + turn[j, j])
        back = np.eye(3)
        back[i, i] = back[j, j] = math.cos(value)
        back[i, j], back[j, i] = math.sin(value), -math.sin(value)
        turn = back @ turn
    elif found.kind == "prismatic":
        value, shift[k] = float(shift[k]), 0.0
    angle = math.acos(min(max((float(np.trace(turn)) - 1) / 2, -1.0), 1.0))
    return value, float(np.linalg.norm(shift)), angle


class Reader:
    """Reads joints. `frame(prim, side)` returns (body, frame in it) of a side of a joint, or None if the body is missing."""

    def __init__(self, note: Note, time: Any, meter: float, kilogram: float) -> None:
        self.note, self.time, self.meter, self.kilogram = note, time, meter, kilogram
        self.physics = pxr("UsdPhysics")

    def read(self, prim: Any, name: str, sides: tuple[tuple[str, np.ndarray], tuple[str, np.ndarray]]) -> Found | None:
        """Return a joint with given bodies and frames; None if it has several degrees of freedom."""
        path, api = str(prim.GetPath()), self.physics.Joint(prim)
        kind = KINDS[str(prim.GetTypeName())]
        axis = AXES.get(str(prim.GetAttribute("physics:axis").Get(self.time) or "X"), 0)
        limits: Any = None
        if kind in ("revolute", "prismatic"):
            limits = tuple(prim.GetAttribute(f"physics:{end}Limit").Get(self.time) for end in ("lower", "upper"))
        drives = (DRIVES.get(kind, ""),)
        if kind == "generic":
            kind, axis, limits, drive = self._generic(prim)
            drives = (drive, DRIVES.get(kind, ""))
        if not kind:
            self.note("joint_type", path, "a joint has several degrees of freedom", "it is left out")
            return None
        ends, frames = (sides[0][0], sides[1][0]), (sides[0][1], sides[1][1])
        found = Found(name, path, kind, ends, frames, axis, self._limits(path, kind, limits))
        found.loop = bool(api.GetExcludeFromArticulationAttr().Get(self.time))
        found.collides = bool(api.GetCollisionEnabledAttr().Get(self.time))
        for attribute in (api.GetBreakForceAttr(), api.GetBreakTorqueAttr()):
            value = attribute.Get(self.time)
            # The default, the largest float32, means that the joint does not break.
            if value is not None and 0 <= value < 1e38:
                self.note("unsupported", path, f"a joint has a {attribute.GetBaseName()}", "it does not break")
        if kind == "spherical":
            cones = [prim.GetAttribute(f"physics:coneAngle{k}Limit").Get(self.time) for k in (0, 1)]
            if any(c is not None and 0 <= c < 180 for c in cones):
                self.note("unsupported", path, "a spherical joint has a cone limit", "it is not limited")
        self._drive(prim, found, drives)
        return found

    def _generic(self, prim: Any) -> tuple[str, int, Any, str]:
        """Return (type, axis, limits, name of the drive) of a generic joint, given the degrees of freedom that its limits leave
        free.
        """
        free, limits = [], {}
        for name in FREEDOMS:
            if not prim.HasAPI(self.physics.LimitAPI, name):
                free.append(name)
                continue
            api = self.physics.LimitAPI(prim, name)
            low, high = api.GetLowAttr().Get(self.time), api.GetHighAttr().Get(self.time)
            # Limits in reverse order lock a degree of freedom.
            if low is None or high is None or low < high:
                free.append(name)
                limits[name] = (low, high)
        if not free:
            return "fixed", 0, None, ""
        if free == ["rotX", "rotY", "rotZ"]:
            return "spherical", 0, None, ""
        if len(free) > 1:
            return "", 0, None, ""
        kind = "prismatic" if free[0].startswith("trans") else "revolute"
        return kind, AXES[free[0][-1]], limits.get(free[0]), free[0]

    def _limits(self, path: str, kind: str, limits: Any) -> tuple[float, float] | None:
        if limits is None or kind not in DRIVES:
            return None
        unit = math.pi / 180 if kind == "revolute" else self.meter
        low, high = (math.copysign(math.inf, sign) if x is None else float(x) for x, sign in zip(limits, (-1, 1), strict=True))
        if math.isnan(low) or math.isnan(high):
            self.note("limits", path, "a joint has a limit that is not a number", "it is not limited")
            return None
        # For a joint without limits, USD may also write the largest float32.
        low, high = (x * unit if abs(x) < 1e30 else math.copysign(math.inf, x) for x in (low, high))
        return None if low == -math.inf and high == math.inf else (low, high)

    def _drive(self, prim: Any, found: Found, names: tuple[str, ...]) -> None:
        """Read the drive of a joint: spring and damper that pull it to a target."""
        applied = [s.rpartition(":")[2] for s in prim.GetAppliedSchemas() if s.startswith("PhysicsDriveAPI:")]
        wanted = next((name for name in names if name and name in applied), "")
        for name in applied:
            if name != wanted:
                self.note("unsupported", found.path, f"a {found.kind} joint has a drive '{name}'", "it is not used")
        if not wanted:
            return
        api = self.physics.DriveAPI(prim, wanted)
        force = self.kilogram * (self.meter**2 if found.kind == "revolute" else self.meter)
        per = self.kilogram * self.meter**2 * 180 / math.pi if found.kind == "revolute" else self.kilogram
        relative = api.GetTypeAttr().Get(self.time) == "acceleration"
        if relative:
            per = 180 / math.pi if found.kind == "revolute" else 1.0
        stiffness, damping, most = (
            float(a.Get(self.time) or 0.0) for a in (api.GetStiffnessAttr(), api.GetDampingAttr(), api.GetMaxForceAttr())
        )
        if 0 < most < 1e30:
            found.effort = most * force
        if stiffness > 0 or damping > 0:
            found.drive = {"stiffness": max(stiffness, 0) * per, "damping": max(damping, 0) * per, "relative": relative}
            if api.GetTargetPositionAttr().Get(self.time) or api.GetTargetVelocityAttr().Get(self.time):
                self.note("unsupported", found.path, "a drive has a target", "controls begin at 0")


def tree_of(joints: list[Found], links: list[str], roots: list[str]) -> tuple[list[Joint], list[Found]]:
    """Return (joints of a tree, joints that close loops). Trees begin at the world, at given roots, and at links that are not
    the second body of any joint; a joint whose second body is nearer to its root is reversed.
    """
    beside: dict[str, list[Found]] = {}
    for found in joints:
        for end in found.ends if not found.loop else ():
            beside.setdefault(end, []).append(found)
    held = {found.ends[1] for found in joints if not found.loop}
    made: list[Joint] = []
    used: set[int] = set()
    seen: set[str] = set()
    for root in (WORLD, *roots, *(name for name in links if name not in held), *links):
        todo = [root] if root not in seen else []
        seen.add(root)
        while todo:
            name = todo.pop(0)
            for found in beside.get(name, ()):
                other = found.ends[found.ends[0] == name]
                if other not in seen:
                    seen.add(other)
                    used.add(id(found))
                    made.append(found.joint(reverse=found.ends[1] == name))
                    todo.append(other)
    return made, [found for found in joints if id(found) not in used]
