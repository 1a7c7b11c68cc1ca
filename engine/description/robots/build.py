"""Converts a robot to an MjSpec: a body for each link, a joint for each movable joint, constraints, inertias."""

import math
from typing import Any

from ...tables.enums import mjtEq, mjtObj
from ..elements.elements import MjsBody
from ..elements.spec import MjSpec
from ..language import orient
from ..language.errors import SpecError
from ..language.free_names import free_name
from ..language.schema import ROOT
from ..language.types import BALL, FROM_GEOM_AUTO, HINGE, SLIDE
from ..read.reader import Reader
from ..read.settings import read_compiler, read_option, read_size
from . import inertias
from .locate import Finder
from .pieces import ORIGIN, Axis, Joint, Link, Robot, Vec, filled
from .report import ImportReport
from .shapes import Shaper
from .solid import Solid, like_sheet, solid_of_shape, together
from .tree import WORLD, Tree

ON = 1
JOINT, CONNECT, WELD = int(mjtEq.mjEQ_JOINT), int(mjtEq.mjEQ_CONNECT), int(mjtEq.mjEQ_WELD)
SITE = int(mjtObj.mjOBJ_SITE)
# Mass (kg) and radius (m) of a moving link without mass or shapes; and the mass below which a mass counts as zero.
SMALL_MASS, SMALL_RADIUS, NO_MASS = 1e-3, 0.01, 1e-9
# types of joints that may mimic another
COUPLED = ("revolute", "continuous", "prismatic")
# Settings of a mujoco block that the importer ignores because it sets them itself.
DECIDED = (
    "fusestatic",
    "discardvisual",
    "strippath",
    "meshdir",
    "texturedir",
    "assetdir",
    "angle",
    "eulerseq",
    "inertiafromgeom",
)


def moved(joint: Joint, value: float) -> tuple[Any, Any]:
    """Return the pose of a joint's child relative to its pose at 0."""
    axis = joint.axes[0].axis
    if joint.kind == "prismatic":
        return tuple(value * x for x in axis), (1.0, 0.0, 0.0, 0.0)
    quat = (math.cos(0.5 * value), *(math.sin(0.5 * value) * x for x in axis))
    turned = orient.rotate_by(joint.anchor, quat)
    return tuple(x - y for x, y in zip(joint.anchor, turned, strict=True)), quat


class Builder:
    """Builds the spec of one robot."""

    def __init__(self, robot: Robot, finder: Finder, report: ImportReport) -> None:
        self.robot, self.report = robot, report
        self.spec = MjSpec()
        self.shaper = Shaper(self.spec, finder, report)
        self.tree = Tree(robot, report)
        self.bodies: dict[str, MjsBody] = {}
        self.by_name = {joint.name: joint for joint in self.tree.above.values()}
        # {link: whether it has a geom that collides}
        self.solid: dict[str, bool] = {}
        self.joint_names: dict[str, list[str]] = {}
        self.excluded: set[frozenset[str]] = set()

    def build(self) -> MjSpec:
        """Return the spec of the robot."""
        shapes = (shape for link in self.robot.links.values() for shape in link.shapes)
        with self.shaper.reading(shapes):
            return self._build()

    def _build(self) -> MjSpec:
        spec, robot = self.spec, self.robot
        spec.modelname = robot.name or "robot"
        self._settings()
        for name in self.tree.order:
            self._link(robot.links[name], self.tree.above.get(name))
        self._masses()
        for joint in self.tree.above.values():
            self._couple(joint)
        for joint in (*robot.loops, *self.tree.closing):
            self._close(joint)
        self._adjacent()
        for one, two in robot.excludes:
            self.exclude(one, two)
        return spec

    def _settings(self) -> None:
        """Apply the settings of a mujoco block, except those that the importer sets."""
        spec, block = self.spec, self.robot.settings
        if block is not None:
            reader = Reader(spec, None)
            for tag, read in (("compiler", read_compiler), ("option", read_option), ("size", read_size)):
                section = block.first(tag)
                if section is not None:
                    known = ROOT.children[tag].attrs
                    section.attrs = {k: v for k, v in section.attrs.items() if k in known and k not in DECIDED}
                    section.children = []
                    try:
                        read(reader, section)
                    except SpecError as error:
                        self.report.add(
                            "skipped", section, f"<{tag}> of <mujoco>: {error.message}", "the rest of it is not used"
                        )
        spec.compiler.raw.update(degree=0, fusestatic=0, discardvisual=0, inertiafromgeom=FROM_GEOM_AUTO)
        if self.robot.gravity is not None:
            spec.option.gravity = self.robot.gravity
        if self.robot.timestep:
            spec.option.timestep = self.robot.timestep

    # ---- links

    def _link(self, link: Link, joint: Joint | None) -> None:
        if link.name == WORLD and joint is None:
            self.bodies[link.name] = self.spec.worldbody
        else:
            above = self.bodies[joint.parent] if joint is not None else self.spec.worldbody
            pos, quat = (joint.pos, joint.quat) if joint is not None else (link.pos, link.quat)
            rest = self._rest(joint) if joint is not None else 0.0
            if joint is not None and joint.kind == "floating":
                # A free joint is only allowed directly below the world.
                above, (pos, quat) = self.spec.worldbody, self.tree.pose(link.name)
            elif joint is not None and rest:
                # in MJCF, a body's pose is given at the joint position `ref`
                pos, quat = orient.compose(pos, quat, *moved(joint, rest))
            body = self.bodies[link.name] = filled(above.add_body(), link.name, link.place, pos=pos, quat=quat)
            if link.gravcomp:
                body.raw["gravcomp"] = link.gravcomp
            if joint is not None:
                self._joint(body, joint, rest)
            elif self.robot.free_roots and not link.static:
                body.add_freejoint(name=self._joint_name(f"{link.name}_free"))
        made = [geom for shape in link.shapes for geom in self.shaper.add(self.bodies[link.name], shape)]
        self.solid[link.name] = any(geom.raw["contype"] or geom.raw["conaffinity"] for geom in made)

    def _joint_name(self, wanted: str) -> str:
        name = free_name(wanted, self.joint_names)
        self.joint_names[name] = [name]
        return name

    def _joint(self, body: MjsBody, joint: Joint, rest: float) -> None:
        axes, made = joint.axes, []

        def add(name: str, **fields) -> Any:
            return filled(body.add_joint(), name, joint.place, pos=joint.anchor, **fields)

        if joint.kind == "floating":
            body.add_freejoint(name=joint.name)
        elif joint.kind in ("revolute", "continuous", "prismatic"):
            kind = SLIDE if joint.kind == "prismatic" else HINGE
            made = [(add(joint.name, type=kind, axis=axes[0].axis, ref=rest), axes[0])]
        elif joint.kind == "spherical":
            made = [(add(joint.name, type=BALL), axes[0])]
        elif joint.kind == "universal":
            made = [(add(joint.name + ("" if k == 0 else "_2"), type=HINGE, axis=a.axis), a) for k, a in enumerate(axes)]
        elif joint.kind == "planar":
            # A planar joint becomes two slides in the plane and a hinge about its normal.
            m = orient.matrix(orient.from_z(axes[0].axis))
            rows = (("_TX", SLIDE, (m[0], m[3], m[6])), ("_TY", SLIDE, (m[1], m[4], m[7])), ("_RZ", HINGE, axes[0].axis))
            made = [(add(joint.name + end, type=kind, axis=axis), Axis()) for end, kind, axis in rows]
        elif joint.kind == "loose":
            # MJCF allows free joints only directly below the world; on a moving link, three slides and a ball joint replace
            # one.
            made = [
                (add(joint.name + end, type=SLIDE, axis=a.axis), a) for end, a in zip(("_x", "_y", "_z"), axes, strict=True)
            ]
            made.append((add(joint.name, type=BALL), Axis()))
        for element, axis in made:
            self._axis(element, axis, joint)
        self.joint_names[joint.name] = [element.label for element, _ in made] or [joint.name]

    def _rest(self, joint: Joint) -> float:
        """Return the position of a joint when all joints that are not mimic joints are at 0."""
        value, factor, passed = 0.0, 1.0, set()
        while joint.mimic is not None and joint.kind in COUPLED and joint.name not in passed:
            passed.add(joint.name)
            value += factor * joint.mimic.offset
            factor *= joint.mimic.multiplier
            leader = self.by_name.get(joint.mimic.joint)
            if leader is None:
                break
            joint = leader
        return value

    def _axis(self, element: Any, axis: Axis, joint: Joint) -> None:
        raw = element.raw
        raw.update(damping=axis.damping, frictionloss=axis.friction, armature=axis.armature)
        if axis.stiffness:
            raw.update(stiffness=axis.stiffness, springref=axis.rest)
        if axis.effort and 0 < abs(axis.effort) < math.inf:
            raw["actfrcrange"] = (-abs(axis.effort), abs(axis.effort))
        if joint.kind in ("revolute", "prismatic", "universal"):
            self._limits(element, axis, joint)

    def _limits(self, element: Any, axis: Axis, joint: Joint) -> None:
        """Set limits with the meaning they have in URDF; equal limits other than zero fix the joint there."""
        low, high = axis.lower, axis.upper
        name, report, place = joint.name, self.report, joint.place
        if low is None and high is None:
            return
        low, high = (0.0 if x is None else x for x in (low, high))
        if low == -math.inf and high == math.inf:
            return
        if low > high:
            report.add(
                "limits", place, f"joint '{name}' has the limits {low:g} to {high:g}", f"they become {high:g} to {low:g}"
            )
            low, high = high, low
        if low == high:
            if low == 0:
                report.add("limits", place, f"both limits of joint '{name}' are 0", "it is not limited")
                return
            # A range needs low < high, so an equality constraint fixes the joint instead.
            report.add("limits", place, f"both limits of joint '{name}' are {low:g}", "a constraint holds it there")
            filled(self.spec.add("equality"), "", place, type=JOINT, name1=name, data=(low, *[0.0] * 9, 1.0))
            return
        # Limits of a model must be finite.
        bound = 1e8
        if not (math.isfinite(low) and math.isfinite(high)):
            report.add(
                "limits", place, f"joint '{name}' has the limits {low:g} to {high:g}", f"infinite limits become {bound:g}"
            )
            low, high = max(low, -bound), min(high, bound)
        element.raw.update(limited=ON, range=(low, high))

    # ---- masses

    def _masses(self) -> None:
        """Set the inertial frames of all bodies, and a mass for moving bodies without one."""
        carried: dict[str, bool] = {}
        for name in self.tree.order:
            link = self.robot.links[name]
            carried[name] = self._inertial(link, self.bodies[name])
        for name in reversed(self.tree.order):
            joint = self.tree.above.get(name)
            if joint is not None and joint.kind == "fixed" and carried[name]:
                carried[joint.parent] = True
        for name in self.tree.order:
            joint = self.tree.above.get(name)
            free = (
                joint is not None
                and joint.kind != "fixed"
                or joint is None
                and self.robot.free_roots
                and not self.robot.links[name].static
            )
            body = self.bodies[name]
            if free and not carried[name] and body is not self.spec.worldbody:
                self._small_mass(self.robot.links[name])
            # Shapes of a link without inertia have no mass. This is set for each geom, not for the whole model, because bodies
            # that a script adds later get their mass from their geoms.
            if not body.raw["explicitinertial"]:
                for geom in body.geoms:
                    geom.raw["mass"] = 0.0

    def _solid(self, link: Link) -> Solid | None:
        """Return the solid that a link's shapes form: its collision shapes or, if they have no volume, its visual shapes."""
        for collides in (True, False):
            shapes = [s for s in link.shapes if s.collides == collides]
            found = together(solid_of_shape(s, self.shaper.parts(s) if s.kind == "mesh" else ()) for s in shapes)
            if found is not None:
                return found
        return None

    def _inertial(self, link: Link, body: MjsBody) -> bool:
        """Give a body its inertia; return whether it has any mass."""
        given, report = link.inertial, self.report
        if given is None or body is self.spec.worldbody:
            return False
        mass, tensor, place = given.mass, given.tensor, given.place
        if mass is not None and (mass < 0 or not math.isfinite(mass)):
            report.add("mass", place, f"the mass of link '{link.name}' is {mass:g}", "it is computed from the link's shapes")
            mass = None
        if mass is None:
            solid = self._solid(link)
            mass = solid.volume * inertias.DENSITY if solid is not None else 0.0
        if mass < NO_MASS:
            if tensor is not None and any(tensor):
                report.add("inertia", place, f"link '{link.name}' has an inertia and no mass", "the inertia is not used")
            return False
        pos, quat = given.pos, given.quat
        tensor = inertias.turned(tensor, quat) if tensor is not None else None
        if tensor is None or not any(tensor):
            pos, tensor = self._missing_tensor(link, mass, pos, tensor is None)
        elif not inertias.is_physical(tensor):
            fixed = inertias.nearest_physical(tensor)
            shown = " ".join(f"{x:.4g}" for x in tensor)
            if fixed is None:
                pos, tensor = self._missing_tensor(link, mass, pos, False, shown)
            else:
                new = " ".join(f"{x:.4g}" for x in fixed)
                report.add(
                    "inertia",
                    place,
                    f"the inertia of link '{link.name}' is not physical: {shown}",
                    f"the nearest physical one is {new}",
                )
                tensor = fixed
        body.raw.update(mass=mass, ipos=tuple(pos), fullinertia=tuple(tensor), explicitinertial=1)
        return True

    def _missing_tensor(self, link: Link, mass: float, pos: Vec, absent: bool, shown: str = "") -> tuple[Vec, Vec]:
        """Return (center, tensor) computed from a link's shapes; the center of mass stays as in the file."""
        solid = self._solid(link)
        if solid is not None:
            tensor = solid.tensor(mass)
            if not inertias.is_physical(tensor):
                tensor = inertias.nearest_physical(tensor) or inertias.ball(mass, SMALL_RADIUS)
            done = f"it is computed from the link's shapes{like_sheet(solid)}"
        else:
            radius = (3 * mass / (4 * math.pi * inertias.DENSITY)) ** (1 / 3)
            tensor, done = inertias.ball(mass, radius), f"that of a ball with a radius of {radius:.3g} m is used"
        what = "missing" if absent else f"not physical: {shown}" if shown else "zero"
        place = link.inertial.place if link.inertial is not None else link.place
        self.report.add("no_inertia", place, f"the inertia of link '{link.name}' is {what}", done)
        least = inertias.LEAST_MOMENT
        tensor = (*(max(x, least) for x in tensor[:3]), *tensor[3:])
        return pos, tensor

    def _small_mass(self, link: Link) -> None:
        """Give a moving link without mass the mass of its shapes, or else a small one."""
        body, solid = self.bodies[link.name], self._solid(link)
        place = link.inertial.place if link.inertial is not None else link.place
        mass = solid.volume * inertias.DENSITY if solid is not None else 0.0
        if link.inertial is None and solid is not None and mass > NO_MASS:
            tensor = solid.tensor(mass)
            if inertias.is_physical(tensor) and min(tensor[:3]) > inertias.LEAST_MOMENT:
                body.raw.update(mass=mass, ipos=tuple(solid.center.tolist()), fullinertia=tensor, explicitinertial=1)
                # A mesh that is opened alone has no element that could give its mass.
                if place is not None:
                    self.report.add(
                        "massless",
                        place,
                        f"link '{link.name}' has no <inertial>",
                        f"its shapes weigh {mass:.4g} kg with the density of water{like_sheet(solid)}",
                    )
                elif solid.sheet:
                    self.report.add("massless", None, "the mesh encloses no volume", f"it has a mass{like_sheet(solid)}")
                return
        body.raw.update(mass=SMALL_MASS, ipos=ORIGIN, fullinertia=inertias.ball(SMALL_MASS, SMALL_RADIUS), explicitinertial=1)
        self.report.add("massless", place, f"link '{link.name}' moves and has no mass", f"it gets {SMALL_MASS:g} kg")

    # ---- constraints

    def _couple(self, joint: Joint) -> None:
        """Add a mimic joint as an equality."""
        if joint.mimic is None:
            return
        if joint.kind not in COUPLED:
            self.report.add(
                "mimic",
                joint.mimic.place,
                f"joint '{joint.name}' is {joint.kind} and cannot mimic another",
                "it moves on its own",
            )
            return
        mimic = joint.mimic
        # relative to the rest positions of both joints, which contain the offset
        data = (0.0, mimic.multiplier if mimic.joint else 0.0, *[0.0] * 8, 1.0)
        filled(self.spec.add("equality"), "", mimic.place, type=JOINT, name1=joint.name, name2=mimic.joint, data=data)

    def _close(self, joint: Joint) -> None:
        """Close a loop with a joint: make two sites coincide and, for a hinge, two more along its axis."""
        one, two = self.bodies[joint.parent], self.bodies[joint.child]
        rows: list[Any] = [(joint.name, joint.anchor)]
        kind = WELD if joint.kind == "fixed" else CONNECT
        if joint.kind in ("revolute", "continuous"):
            along = tuple(x + 0.05 * y for x, y in zip(joint.anchor, joint.axes[0].axis, strict=True))
            rows.append((f"{joint.name}_axis", along))
        for name, at in rows:
            pos, _ = orient.compose(joint.pos, joint.quat, at, (1.0, 0.0, 0.0, 0.0))
            filled(one.add_site(), f"{name}_parent", joint.place, pos=pos, quat=joint.quat)
            filled(two.add_site(), f"{name}_child", joint.place, pos=at)
            ends = {"name1": f"{name}_parent", "name2": f"{name}_child"}
            filled(self.spec.add("equality"), name, joint.place, type=kind, objtype=SITE, **ends)

    # ---- contacts

    def exclude(self, one: str, two: str) -> None:
        """Exclude collisions between two links' bodies, once for each pair."""
        a, b = (self.bodies[n].label if n in self.bodies else n for n in (one, two))
        pair = frozenset((a, b))
        if a != b and pair not in self.excluded:
            self.excluded.add(pair)
            filled(self.spec.add("exclude"), "", None, bodyname1=a, bodyname2=b)

    def _adjacent(self) -> None:
        """Exclude collisions between neighboring links. MJCF already does so, except if one of them is fixed to the world."""
        for name, joint in self.tree.above.items():
            if joint.kind == "fixed" or not self.solid[name] or self.tree.moves(joint.parent):
                continue
            parent = joint.parent
            while parent in self.tree.above and not self.solid[parent]:
                parent = self.tree.above[parent].parent
            if self.solid[parent] and self.bodies[parent] is not self.spec.worldbody:
                self.exclude(parent, name)
                self.report.add("adjacent", joint.place, f"links '{parent}' and '{name}' are neighbors", "they do not collide")
