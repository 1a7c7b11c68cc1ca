"""Arranges a robot's joints as a tree: one parent per link, no loops, free joints only where MJCF allows them, valid mimics."""

from typing import Any

from ..language import orient
from ..language.free_names import free_name
from .pieces import Axis, Joint, Robot
from .report import ImportReport

WORLD = "world"


class Tree:
    """The structure of a robot, from which the spec is built.

    order     links, parents before children
    above    {link: the joint that holds it}
    closing  joints that close loops; they become constraints
    """

    def __init__(self, robot: Robot, report: ImportReport) -> None:
        self.robot, self.report = robot, report
        self.above: dict[str, Joint] = {}
        self.closing: list[Joint] = []
        self._parents()
        self.order = self._order()
        self._worlds()
        self._floating()
        self._mimics()

    def _parents(self) -> None:
        for joint in self.robot.joints:
            if joint.child in self.above or joint.child == joint.parent:
                self.closing.append(joint)
                what = (
                    "its own parent"
                    if joint.child == joint.parent
                    else f"already held by joint '{self.above[joint.child].name}'"
                )
                self.report.add(
                    "several_parents",
                    joint.place,
                    f"link '{joint.child}' of joint '{joint.name}' is {what}",
                    "the joint becomes a constraint",
                )
            else:
                self.above[joint.child] = joint
        self.closing = [j for j in self.closing if j.child != j.parent]

    def _order(self) -> list[str]:
        below: dict[str, list[str]] = {name: [] for name in self.robot.links}
        for child, joint in self.above.items():
            below[joint.parent].append(child)
        order: list[str] = []
        done: set[str] = set()

        def walk(root: str) -> None:
            todo = [root]
            while todo:
                name = todo.pop()
                if name not in done:
                    done.add(name)
                    order.append(name)
                    todo += reversed(below[name])

        for name in self.robot.links:
            if name not in self.above:
                walk(name)
        # Links that no root reaches are in loops: open each loop at one of its joints.
        for name in self.robot.links:
            if name not in done:
                joint = self.above.pop(name)
                below[joint.parent].remove(name)
                self.closing.append(joint)
                self.report.add(
                    "loop", joint.place, f"link '{name}' is part of a loop", f"joint '{joint.name}' becomes a constraint"
                )
                walk(name)
        return order

    def _worlds(self) -> None:
        """Rename a link called world that has a parent, because the name of the world is reserved."""
        link = self.robot.links.get(WORLD)
        if link is None or WORLD not in self.above:
            return
        new = free_name(WORLD, self.robot.links)
        self.report.add("name", link.place, "link 'world' is not the root", f"it is called '{new}'")
        link.name = new
        self.robot.links = {new if name == WORLD else name: value for name, value in self.robot.links.items()}
        self.order = [new if name == WORLD else name for name in self.order]
        for joint in self.robot.joints:
            joint.parent = new if joint.parent == WORLD else joint.parent
            joint.child = new if joint.child == WORLD else joint.child
        self.above[new] = self.above.pop(WORLD)

    def moves(self, name: str) -> bool:
        """Return whether a link can move relative to the world."""
        while name in self.above:
            if self.above[name].kind != "fixed":
                return True
            name = self.above[name].parent
        return False

    def pose(self, name: str) -> Any:
        """Return the pose of a link in the world, with all joints at 0."""
        chain = []
        while name in self.above:
            chain.append(self.above[name])
            name = self.above[name].parent
        pos, quat = self.robot.links[name].pos, self.robot.links[name].quat
        for joint in reversed(chain):
            pos, quat = orient.compose(pos, quat, joint.pos, joint.quat)
        return pos, quat

    def _floating(self) -> None:
        """Move free joints below the world. A fixed parent's pose is applied; below a moving parent, six joints replace the
        free one."""
        for joint in list(self.above.values()):
            if joint.kind != "floating":
                continue
            if not self.moves(joint.parent):
                continue
            self.report.add(
                "joint_type",
                joint.place,
                f"joint '{joint.name}' is floating on link '{joint.parent}', which moves",
                "it becomes three slides and a ball joint",
            )
            joint.kind = "loose"
            joint.axes = [Axis((1.0, 0.0, 0.0)), Axis((0.0, 1.0, 0.0)), Axis((0.0, 0.0, 1.0))]

    def _mimics(self) -> None:
        """Make each mimic joint follow a moving joint that is not a mimic itself."""
        kinds = {j.name: j for j in self.above.values()}
        for joint in kinds.values():
            mimic = joint.mimic
            if mimic is None:
                continue
            if mimic.joint not in kinds and (meant := self._meant(mimic.joint, joint, kinds)):
                self.report.add(
                    "mimic",
                    mimic.place,
                    f"joint '{joint.name}' mimics '{mimic.joint}', which is missing",
                    f"'{meant}' is meant",
                )
                mimic.joint = meant
            seen = {joint.name}
            while True:
                leader = kinds.get(mimic.joint)
                if leader is not None and leader.kind == "fixed":
                    what = f"joint '{joint.name}' mimics '{mimic.joint}', which is fixed"
                    self.report.add("mimic", mimic.place, what, f"it is held at {mimic.offset:g}")
                    mimic.joint = ""
                    break
                if leader is None or leader.kind not in ("revolute", "continuous", "prismatic") or leader.name in seen:
                    why = (
                        "is missing"
                        if leader is None
                        else "is the joint itself"
                        if leader.name in seen
                        else f"is {leader.kind}"
                    )
                    self.report.add(
                        "mimic", mimic.place, f"joint '{joint.name}' mimics '{mimic.joint}', which {why}", "it moves on its own"
                    )
                    joint.mimic = None
                    break
                if leader.mimic is None:
                    break
                # The leader is a mimic itself: combine both, and follow the leader's leader.
                seen.add(leader.name)
                mimic.multiplier, mimic.offset, mimic.joint = (
                    mimic.multiplier * leader.mimic.multiplier,
                    mimic.offset + mimic.multiplier * leader.mimic.offset,
                    leader.mimic.joint,
                )

    def _meant(self, name: str, joint: Joint, kinds: dict[str, Joint]) -> str:
        """Return the joint whose name ends with the missing name. If there are several, return the one whose name shares the
        longest prefix with the follower's.
        """
        hits = [k for k in kinds if k.lower().endswith(name.lower()) and k != joint.name] if name else []
        begins = [shared_letters(k, joint.name) for k in hits]
        best = max(begins, default=0)
        return hits[begins.index(best)] if hits and begins.count(best) == 1 else ""


def shared_letters(one: str, two: str) -> int:
    """Return the number of characters in the common prefix of two names."""
    return next((k for k, (a, b) in enumerate(zip(one, two)) if a != b), min(len(one), len(two)))
