"""USD scenes → Robot: rigid bodies, colliders, visuals, joints, masses and filters of UsdPhysics. The report lists all other
contents, one row for each kind.

Lengths become meters, masses kilograms, and z points up. A link has the name of its prim. If several prims have the same name,
names of their parents are put before it.
"""

import math
import os
from collections import Counter
from typing import Any

import numpy as np

from .locate import Finder
from .pieces import ORIGIN, Link, Robot, Shape
from .report import ImportReport
from .usd_joints import KINDS, NEAR, TURNED, WORLD, Found, Reader, coordinate, rotation, tree_of
from .usd_layers import MOST_PRIMS, opened, pxr
from .usd_masses import Given, given, inertial
from .usd_shapes import Geometry, parted, quat_of, tuple_of

EARTH = 9.81
# Prims with geometry that are read, and prims that do not concern bodies.
SHAPES = ("Mesh", "Cube", "Sphere", "Capsule", "Cylinder", "Cone", "Plane")
QUIET = ("", "Xform", "Scope", "Material", "Shader", "NodeGraph", "GeomSubset", "PhysicsScene")
# Applied schemas that are read or do not concern bodies.
SCHEMAS = {
    "PhysicsRigidBodyAPI",
    "PhysicsCollisionAPI",
    "PhysicsMeshCollisionAPI",
    "PhysicsMassAPI",
    "PhysicsArticulationRootAPI",
    "PhysicsDriveAPI",
    "PhysicsLimitAPI",
    "PhysicsFilteredPairsAPI",
    "PhysicsMaterialAPI",
    "MaterialBindingAPI",
    "GeomModelAPI",
    "NodeDefAPI",
    "CollectionAPI",
}
# A matrix that turns y to z.
FROM_Y = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])


class Scene:
    """Reads one USD stage."""

    def __init__(self, stage: Any, report: ImportReport, actuators: bool) -> None:
        self.stage, self.report, self.actuators = stage, report, actuators
        self.geom, self.physics = pxr("UsdGeom"), pxr("UsdPhysics")
        usd = pxr("Usd")
        self.time = usd.TimeCode.EarliestTime()
        self.cache = self.geom.XformCache(self.time)
        self.meter = float(self.geom.GetStageMetersPerUnit(stage))
        self.kilogram = float(self.physics.GetStageKilogramsPerUnit(stage))
        if not all(math.isfinite(x) and x > 0 for x in (self.meter, self.kilogram)):
            raise ValueError(f"{report.file}: metersPerUnit and kilogramsPerUnit must be positive")
        self.upright = FROM_Y if self.geom.GetStageUpAxis(stage) == "Y" else np.eye(3)
        # {(rule, what was found, what was done): paths of prims}
        self.notes: dict[tuple[str, str, str], list[str]] = {}
        self.shapes = Geometry(self.note, self.time)
        self.reader = Reader(self.note, self.time, self.meter, self.kilogram)
        inside = usd.TraverseInstanceProxies(usd.PrimDefaultPredicate)
        self.prims: list[Any] = []
        for prim in usd.PrimRange(stage.GetPseudoRoot(), inside):
            self.prims.append(prim)
            if len(self.prims) > MOST_PRIMS:
                raise ValueError(f"{report.file}: a scene of more than {MOST_PRIMS} prims is not opened")
        self.robot = Robot(free_roots=True)
        # {path of a prim: its link, or the world}, {link: its pose in the world (4, 4)}, {link: its prim}
        self.owner: dict[str, str] = {}
        self.poses: dict[str, np.ndarray] = {WORLD: np.eye(4)}
        self.bodies: dict[str, Any] = {}
        # {link: its colliders, their given masses, densities of their materials}
        self.colliders: dict[str, list[tuple[Shape, Given, float]]] = {}

    # ---- the report

    def note(self, rule: str, path: Any, what: str, done: str) -> None:
        """Count a finding at a prim."""
        self.notes.setdefault((rule, what, done), []).append(str(path))

    def flush(self) -> None:
        """Write one row for each kind of finding."""
        for (rule, what, done), paths in self.notes.items():
            count = f"{what}: '{paths[0]}'" + (f" and {len(paths) - 1} more" if len(paths) > 1 else "")
            self.report.add(rule, None, count, done)

    # ---- reading

    def read(self) -> Robot:
        """Return the robot that the USD stage describes."""
        robot = self.robot
        top = self.stage.GetDefaultPrim()
        robot.name = top.GetName() if top else os.path.splitext(os.path.basename(self.report.file))[0]
        self._links()
        self._settings()
        colliding: dict[str, bool] = {}
        for prim in self.prims:
            self._contents(prim, colliding)
        for name, prim in self.bodies.items():
            self._mass(prim, robot.links[name])
        self._joints()
        self._filters()
        self.flush()
        return robot

    def world(self, prim: Any) -> np.ndarray:
        """Return the map (4, 4) from coordinates of a prim to meters in the world."""
        matrix = np.array(self.cache.GetLocalToWorldTransform(prim)).T
        if not np.isfinite(matrix).all():
            raise ValueError(f"{self.report.file}: the transform of '{prim.GetPath()}' is not finite")
        found = np.eye(4)
        found[:3] = (self.upright * self.meter) @ matrix[:3]
        return found

    def _links(self) -> None:
        """Create a link for each rigid body, and find the link to which each prim belongs."""
        found: list[tuple[Any, Any]] = []
        for prim in self.prims:
            if not prim.HasAPI(self.physics.RigidBodyAPI):
                continue
            api = self.physics.RigidBodyAPI(prim)
            if api.GetRigidBodyEnabledAttr().Get(self.time) is False:
                self.note("unsupported", prim.GetPath(), "a rigid body is disabled", "it does not move")
                continue
            found.append((prim, api))
        names = short_names([str(prim.GetPath()) for prim, _ in found], {WORLD})
        for (prim, api), name in zip(found, names, strict=True):
            if name != prim.GetName():
                self.note("renamed", prim.GetPath(), "several rigid bodies have the same name", "parents are put before it")
            axes, _, _ = parted(self.world(prim)[:3, :3])
            pose = np.eye(4)
            pose[:3, :3], pose[:3, 3] = axes, self.world(prim)[:3, 3]
            link = Link(name, pos=tuple_of(pose[:3, 3]), quat=quat_of(axes))
            self.poses[name], self.bodies[name], self.robot.links[name] = pose, prim, link
            self.owner[str(prim.GetPath())] = name
            if api.GetKinematicEnabledAttr().Get(self.time):
                link.static = True
                self.note("unsupported", prim.GetPath(), "a rigid body is kinematic", "it does not move")
            speeds = api.GetVelocityAttr().Get(self.time), api.GetAngularVelocityAttr().Get(self.time)
            if any(any(speed or ()) for speed in speeds):
                self.note("unsupported", prim.GetPath(), "a rigid body has a velocity", "it begins at rest")
        for prim in self.prims:
            path = str(prim.GetPath())
            if path not in self.owner:
                self.owner[path] = self.owner.get(str(prim.GetPath().GetParentPath()), WORLD)

    def _settings(self) -> None:
        scenes = [self.physics.Scene(p) for p in self.prims if p.IsA(self.physics.Scene)]
        for scene in scenes[1:]:
            self.note("unsupported", scene.GetPath(), "there are several physics scenes", "the first one is used")
        if scenes:
            direction = np.array(scenes[0].GetGravityDirectionAttr().Get(self.time) or ORIGIN, float)
            magnitude = scenes[0].GetGravityMagnitudeAttr().Get(self.time)
            size = EARTH if magnitude is None or magnitude < 0 else float(magnitude) * self.meter
            length = float(np.linalg.norm(direction))
            down = self.upright @ direction / length if length > 0 else np.array([0.0, 0.0, -1.0])
            self.robot.gravity = tuple_of(down * size)

    def _contents(self, prim: Any, colliding: dict[str, bool]) -> None:
        """Read the geometry of a prim, and report unsupported contents."""
        path, kind = str(prim.GetPath()), str(prim.GetTypeName())
        link = self.owner[path]
        collider = prim.HasAPI(self.physics.CollisionAPI)
        if collider:
            on = self.physics.CollisionAPI(prim).GetCollisionEnabledAttr().Get(self.time) is not False
            if not on:
                self.note("unsupported", path, "a collider is disabled", "it does not collide")
            colliding[path] = on
        elif link == self.owner.get(str(prim.GetPath().GetParentPath()), WORLD):
            # Some programs mark a group as a collider, instead of the shapes in it.
            colliding[path] = colliding.get(str(prim.GetPath().GetParentPath()), False)
        operations = prim.GetMetadata("apiSchemas")
        for schema in operations.GetAddedOrExplicitItems() if operations else ():
            if schema.partition(":")[0] not in SCHEMAS:
                self.note("unsupported", path, f"a prim has the schema {schema.partition(':')[0]}", "it is not used")
        if prim.IsA(self.geom.Xformable) and self.geom.Xformable(prim).TransformMightBeTimeVarying():
            self.note("unsupported", path, "a prim has an animated transform", "the first sample is used")
        if kind in SHAPES:
            self._shape(prim, link, colliding.get(path, False))
        elif prim.IsA(self.geom.Gprim) and colliding.get(path, False):
            self.note("shape", path, f"a collider is a {kind}", "it is left out")
        elif kind not in QUIET and kind not in KINDS:
            self.note("unsupported", path, f"a prim has the type {kind}", "it is not used")

    def _shape(self, prim: Any, link: str, collides: bool) -> None:
        path, image = prim.GetPath(), self.geom.Imageable(prim)
        shown = image.ComputeVisibility(self.time) != "invisible" and image.ComputePurpose() in ("default", "render")
        if not shown and not collides:
            self.note("skipped", path, "geometry is hidden, a guide or a proxy", "it is not used")
            return
        if str(prim.GetTypeName()) == "Plane" and link != WORLD:
            self.note("shape", path, "a rigid body has a plane", "it is left out")
            return
        shape = self.shapes.shape(prim, np.linalg.inv(self.poses[link]) @ self.world(prim))
        if shape is None:
            return
        if link == WORLD and WORLD not in self.robot.links:
            self.robot.links = {WORLD: Link(WORLD, static=True), **self.robot.links}
        shapes = self.robot.links[link].shapes
        if shown:
            rgba, material = self.shapes.look(prim)
            shapes.append(with_fields(shape, collides=False, rgba=rgba, material=material))
        if collides:
            approximation = prim.GetAttribute("physics:approximation")
            word = approximation.Get(self.time) if approximation else None
            if shape.kind == "mesh" and word not in (None, "convexHull"):
                self.note("unsupported", path, f"a collider has the approximation '{word}'", "its convex hull collides")
            solid = with_fields(shape, collides=True, extras=self.shapes.friction(prim))
            shapes.append(solid)
            own = given(prim, self.meter, self.kilogram, self.time) if str(path) != self._path(link) else Given()
            material_density = self.shapes.density(prim) * self.kilogram / self.meter**3
            self.colliders.setdefault(link, []).append((solid, own, material_density))

    def _path(self, link: str) -> str:
        return str(self.bodies[link].GetPath()) if link in self.bodies else ""

    def _mass(self, prim: Any, link: Link) -> None:
        own = given(prim, self.meter, self.kilogram, self.time)
        center = None
        if own.center is not None:
            here = np.linalg.inv(self.poses[link.name]) @ self.world(prim) @ (*own.center, 1.0)
            center = tuple_of(here[:3])
        rows = self.colliders.get(link.name) or [(shape, Given(), 0.0) for shape in link.shapes]
        link.inertial = inertial(own, rows, center)
        missing = [word for word, value in (("mass", own.mass), ("inertia", own.moments)) if not value]
        if missing and link.inertial is not None and link.inertial.tensor is not None:
            done = "computed from its shapes, with the densities of the file or that of water"
            self.note("defaults", prim.GetPath(), f"a rigid body has no {' and no '.join(missing)}", done)

    # ---- joints

    def _frame(self, prim: Any, side: int) -> tuple[str, np.ndarray] | None:
        """Return (link, frame in it) of a side of a joint; None if its body is missing."""
        targets = prim.GetRelationship(f"physics:body{side}").GetTargets()
        if len(targets) > 1:
            self.note("duplicate", prim.GetPath(), "a joint has several bodies on a side", "the first one counts")
        body = self.stage.GetPrimAtPath(targets[0]) if targets else self.stage.GetPseudoRoot()
        if not body or targets and str(body.GetPath()) not in self.owner:
            self.note("unknown_link", prim.GetPath(), f"a joint names '{targets[0]}', which is missing", "it is left out")
            return None
        link = self.owner.get(str(body.GetPath()), WORLD)
        whole = self.world(body) if targets else self._ground()
        frame = np.eye(4)
        pos = prim.GetAttribute(f"physics:localPos{side}").Get(self.time)
        quat = prim.GetAttribute(f"physics:localRot{side}").Get(self.time)
        frame[:3, 3] = (whole @ (*(map(float, pos or ORIGIN)), 1.0))[:3]
        frame[:3, :3] = parted(whole[:3, :3])[0] @ (rotation(quat) if quat is not None else np.eye(3))
        if not np.isfinite(frame).all():
            raise ValueError(f"{self.report.file}: the frame of joint '{prim.GetPath()}' is not finite")
        return link, np.linalg.inv(self.poses[link]) @ frame

    def _ground(self) -> np.ndarray:
        found = np.eye(4)
        found[:3, :3] = self.upright * self.meter
        return found

    def _read_joint(self, prim: Any, name: str) -> Found | None:
        path = prim.GetPath()
        if self.physics.Joint(prim).GetJointEnabledAttr().Get(self.time) is False:
            self.note("unsupported", path, "a joint is disabled", "it is left out")
            return None
        one, two = self._frame(prim, 0), self._frame(prim, 1)
        if one is None or two is None:
            return None
        if one[0] == two[0]:
            self.note("unsupported", path, "a joint connects a body with itself", "it is left out")
            return None
        return self.reader.read(prim, name, (one, two))

    def _joints(self) -> None:
        robot = self.robot
        prims = [p for p in self.prims if str(p.GetTypeName()) in KINDS]
        names = short_names([str(p.GetPath()) for p in prims], set())
        for prim, name in zip(prims, names, strict=True):
            if name != prim.GetName():
                self.note("renamed", prim.GetPath(), "several joints have the same name", "parents are put before it")
        found = [f for prim, name in zip(prims, names, strict=True) if (f := self._read_joint(prim, name)) is not None]
        if any(WORLD in f.ends for f in found) and WORLD not in robot.links:
            robot.links = {WORLD: Link(WORLD, static=True), **robot.links}
        api = self.physics.ArticulationRootAPI
        roots = [name for name, prim in self.bodies.items() if prim.HasAPI(api)]
        robot.joints, closing = tree_of(found, list(robot.links), roots)
        for each in closing:
            self._close(each)
        inner = {joint.name for joint in robot.joints}
        for each in found:
            if each.collides:
                self.note("unsupported", each.path, "the bodies of a joint collide", "neighbors do not collide")
            if each.name in inner:
                self._position(each)
            if each.drive and each.name in inner:
                robot.drives[each.name] = each.drive
                if not self.actuators:
                    self.note("drives", each.path, "a joint has a drive", "it becomes an actuator with --actuators")

    def _close(self, found: Found) -> None:
        """Convert a joint that closes a loop to a constraint."""
        if found.kind == "prismatic":
            self.note("joint_type", found.path, "a prismatic joint closes a loop", "it is left out")
            return
        self.note("closing", found.path, f"a {found.kind} joint closes a loop", "it becomes a constraint")
        if found.limits or found.drive:
            self.note("unsupported", found.path, "a joint that closes a loop has limits or a drive", "they are not used")
        self.robot.loops.append(found.joint())
        if not found.collides:
            self.robot.excludes.append(found.ends)

    def _position(self, found: Found) -> None:
        """Store the position of a joint in the file's pose, for a keyframe."""
        value, distance, angle = coordinate(found, self.poses)
        if distance > NEAR or angle > TURNED:
            self.note("apart", found.path, "the frames of a joint do not meet", "its second body is moved until they do")
        if abs(value) > 1e-6:
            self.robot.states.setdefault("file", {})[found.name] = value

    # ---- filters

    def _filters(self) -> None:
        """Exclude collisions of filtered pairs; a pair of groups excludes all of their links."""
        for prim in self.prims:
            if not prim.HasAPI(self.physics.FilteredPairsAPI):
                continue
            for target in self.physics.FilteredPairsAPI(prim).GetFilteredPairsRel().GetTargets():
                for one in self._below(str(prim.GetPath())):
                    for two in self._below(str(target)):
                        if one != two:
                            self.robot.excludes.append((one, two))

    def _below(self, path: str) -> list[str]:
        """Return the link of a prim, or all links below it."""
        if self.owner.get(path, WORLD) != WORLD:
            return [self.owner[path]]
        return [name for name, prim in self.bodies.items() if str(prim.GetPath()).startswith(path.rstrip("/") + "/")]


def with_fields(shape: Shape, **fields: Any) -> Shape:
    """Return a copy of a shape with other values for some fields."""
    return Shape(**{**vars(shape), "extras": dict(shape.extras), **fields})


def short_names(paths: list[str], taken: set[str]) -> list[str]:
    """Return the shortest suffixes of paths that differ from each other and from taken names."""
    ends = [path.strip("/").split("/") for path in paths]
    lengths = [1] * len(paths)
    while True:
        names = ["/".join(parts[-n:]) for parts, n in zip(ends, lengths, strict=True)]
        counts = Counter(names)
        longer = [k for k, name in enumerate(names) if (counts[name] > 1 or name in taken) and lengths[k] < len(ends[k])]
        if not longer:
            break
        for k in longer:
            lengths[k] += 1
    return [f"{name}_" if name in taken else name for name in names]


def read_usd(path: str, finder: Finder, report: ImportReport, actuators: bool = False) -> Robot:
    """Return the robot that a USD file describes. `actuators`: whether drives become actuators."""
    with opened(path, finder, report) as stage:
        return Scene(stage, report, actuators).read()
