"""Merges the global settings of an attached model into its parent (compiler attribute `conflict`, since MuJoCo 3.10).

RULES gives the action of `merge` for a setting that both models give: keep the smaller value (least), keep the larger
(most), or refuse (none).
"""

import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ...core.options import MjOption, MjVisual
from ...core.report import warn
from ..language.keywords import DISABLE, ENABLE, KEYWORDS
from ..language.xml_text import numbers
from .spec import MjSpec

RULES = """
least | option timestep tolerance ls_tolerance noslip_tolerance ccd_tolerance sleep_tolerance
least | map znear
least | global_ realtime
most  | option iterations ls_iterations noslip_iterations ccd_iterations sdf_iterations sdf_initpoints
most  | map zfar
most  | size memory nkey nuserdata nuser_body nuser_jnt nuser_geom nuser_site nuser_cam nuser_tendon nuser_actuator nuser_sensor
none  | option gravity wind magnetic density viscosity integrator cone jacobian solver impratio
none  | option o_margin o_solref o_solimp o_friction
"""
WARNING, MERGE, ERROR = (KEYWORDS["conflict"][word] for word in ("warning", "merge", "error"))
# (option field that contains flags, names of the flags); a file can also set a flag to its default value
FLAGS = (("disableflags", DISABLE), ("enableflags", ENABLE))
GROUPS = 31


def _rows() -> Iterator[tuple[str, ...]]:
    for line in RULES.strip().splitlines():
        rule, _, text = line.partition(" | ")
        where, *fields = text.split()
        for field in fields:
            yield rule.strip(), where, field


ROWS = list(_rows())


class Settings:
    """One setting of a spec: its value, whether it was given, and functions to change it."""

    def __init__(self, spec: MjSpec, where: str, field: str) -> None:
        self.spec, self.where, self.field = spec, where, field
        self.name = {"option": field, "size": field}.get(where) or f"{where.rstrip('_')}__{field}"

    def value(self) -> Any:
        """Return the value; arrays are copied."""
        if self.where == "size":
            return self.spec.raw[self.field]
        value = getattr(self._struct(self.spec.option, self.spec.visual), self.field)
        return value.copy() if isinstance(value, np.ndarray) else value

    def _struct(self, option: MjOption, visual: MjVisual) -> Any:
        return option if self.where == "option" else getattr(visual, self.where)

    def given(self) -> bool:
        """Return whether a file gives the setting, or the setting's value differs from the default."""
        return self.name in self.spec.given or not np.array_equal(self.value(), self._default())

    def _default(self) -> Any:
        return type(self.spec)().raw[self.field] if self.where == "size" else getattr(self._struct(*_defaults()), self.field)

    def set(self, value: Any) -> None:
        """Set the value and mark it as given."""
        if self.where == "size":
            self.spec.raw[self.field] = value
        else:
            setattr(self._struct(self.spec.option, self.spec.visual), self.field, value)
            self.spec.given.add(self.name)


@functools.cache
def _defaults() -> tuple[MjOption, MjVisual]:
    return MjOption(), MjVisual()


def meet(spec: MjSpec, child: MjSpec) -> None:
    """Keep, merge or refuse the settings of a child spec that is to be attached, according to the parent's `conflict` policy.

    If there are conflicts, nothing is changed, and a ValueError lists them all.
    """
    policy = spec.compiler.raw["conflict"]
    if policy == WARNING and "conflict" not in spec.given:
        # the default policy ignores the child's settings
        return

    # collect all conflicts first, so that an error leaves the parent unchanged
    told, faults, changes = [], [], []
    for rule, where, field in ROWS:
        mine, theirs = Settings(spec, where, field), Settings(child, where, field)
        if theirs.given() and not np.array_equal(mine.value(), theirs.value()):
            _decide(policy, rule, mine, theirs, told, faults, changes)
    _flags(policy, spec, child, told, faults, changes)

    if faults:
        word = next(word for word, value in KEYWORDS["conflict"].items() if value == policy)
        raise ValueError(f"Error: Attach conflict on attach, policy is '{word}'\n" + "\n".join(faults))
    for change in changes:
        change()
    if told:
        warn("settings of an attached model differ\n" + "\n".join(told))


def _decide(
    policy: int,
    rule: str,
    mine: Settings,
    theirs: Settings,
    told: list[str],
    faults: list[str],
    changes: list[Callable[[], None]],
) -> None:
    """Handle a setting that is given in the child spec and differs from the parent's."""
    one, other, given = mine.value(), theirs.value(), mine.given()
    text = f"{mine.field}: parent has {_text(one)}{'' if given else ' (default)'}, child has {_text(other)}"
    if given and (policy == ERROR or policy == MERGE and rule == "none"):
        faults.append(text)
        return
    takes = policy == MERGE and (not given or (other < one if rule == "least" else other > one))
    told.append(f"{text}, {'taking' if takes else 'keeping'} {_text(other if takes else one)}")
    if takes:
        changes.append(functools.partial(mine.set, other))


def _text(value: Any) -> str:
    return numbers(np.atleast_1d(value).tolist())


def _flags(
    policy: int, spec: MjSpec, child: MjSpec, told: list[str], faults: list[str], changes: list[Callable[[], None]]
) -> None:
    """Merge flags by union. If the child explicitly unsets a flag that the parent sets, this is a conflict."""
    for field, names in FLAGS:
        mine, theirs = getattr(spec.option, field), getattr(child.option, field)
        for i, name in enumerate(names):
            if mine >> i & 1 and not theirs >> i & 1 and name in child.given and policy != MERGE:
                (faults if policy == ERROR else told).append(f"flag '{name}': parent set, child unset")
        _union(policy, spec, field, theirs, told, changes, [f"flag '{name}'" for name in names])
    _union(
        policy,
        spec,
        "disableactuator",
        child.option.disableactuator,
        told,
        changes,
        [f"disableactuator group {i}" for i in range(GROUPS)],
    )


def _union(
    policy: int, spec: MjSpec, field: str, theirs: int, told: list[str], changes: list[Callable[[], None]], names: list[str]
) -> None:
    mine = getattr(spec.option, field)
    if policy == MERGE and theirs & ~mine:
        told += [f"{name}: added from child" for i, name in enumerate(names) if (theirs & ~mine) >> i & 1]
        changes.append(functools.partial(setattr, spec.option, field, mine | theirs))
