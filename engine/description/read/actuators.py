"""The actuator section of MJCF: transmissions and actuator shortcuts."""

from typing import Any

from ...tables.actuator_rows import DECIDED, is_kind
from ...tables.compat_rows import holds
from ..elements import servo_shortcuts, shortcuts
from ..elements.element import Element
from ..elements.elements import MjsActuator
from ..language.errors import SpecError
from ..language.schema import ROOT, Elem
from ..language.shortcut_rows import BY_NAME
from ..language.types import (
    TRN_BODY,
    TRN_JOINT,
    TRN_JOINTINPARENT,
    TRN_SITE,
    TRN_SLIDERCRANK,
    TRN_TENDON,
    TRN_UNDEFINED,
)
from ..language.xmltree import Node
from .reader import Reader


def read_actuators(reader: Reader, node: Node) -> None:
    for child in node.children:
        elem = ROOT.children["actuator"].children[child.tag]
        default = reader.default_of(child)
        actuator = reader.spec.add("actuator", default)
        own_gains(reader, child.tag, actuator.raw, default or reader.spec.default)
        set_actuator(reader, child, actuator, elem)


# shortcut -> type of its gain, if not fixed
GAINS = {"damper": "affine", "muscle": "muscle", "pid": "pid", "orientation": "so3", "dcmotor": "dcmotor"}


# shortcut -> indices of the numbers that are its arguments. The shortcut inherits these from a class set by `general`; it
# resets all other numbers.
FROM_GENERAL = {
    "motor": {},
    "position": {"gainprm": (0,), "biasprm": (2,)},
    "velocity": {"gainprm": (0,)},
    "intvelocity": {"gainprm": (0,), "biasprm": (2,)},
    "damper": {"gainprm": (2,)},
    "cylinder": {"gainprm": (0,), "biasprm": (0, 1, 2), "dynprm": (0,)},
    "adhesion": {"gainprm": (0,)},
}


def _only(raw: dict[str, Any], kept: dict[str, tuple[int, ...]]) -> None:
    """Reset the fields that a shortcut sets, except for the numbers with the indices `kept`."""
    for name in DECIDED:
        old, new = raw[name], MjsActuator.blank[name]
        if name in kept:
            new = tuple(old[k] if k in kept[name] else x for k, x in enumerate(new))
        raw[name] = new


def own_gains(reader: Reader, tag: str, raw: dict[str, Any], default: Any) -> None:
    """Let a shortcut inherit gains only from a suitable class (since release 3.16).

    This is the nearest class whose actuator is defined by the same shortcut, or by `general` with the same type of gain.
    """
    later = tag in servo_shortcuts.STARTS
    if tag in ("general", "plugin") or not later and not holds("shortcut_own", reader.spec.compat_bits):
        return
    while default is not None:
        written = reader.shortcuts.get(default)
        if written == tag or written == "general" and is_kind(default.actuator.raw, gain=GAINS.get(tag, "fixed")):
            break
        default = default.parent
    source = MjsActuator.blank if default is None else default.actuator.raw
    raw.update([(name, source[name]) for name in DECIDED])
    if default is not None and reader.shortcuts.get(default) == "general" and tag in FROM_GENERAL:
        _only(raw, FROM_GENERAL[tag])
    if later:
        raw["ctrlspec"] = source["ctrlspec"]
        raw.update(servo_shortcuts.STARTS[tag] if default is None else {})
    if tag in shortcuts.SERVOS:
        # clear the constant of the bias, which only `general` can set
        raw["biasprm"] = (0.0, *raw["biasprm"][1:])


# attribute -> transmission type
TARGETS = {
    "joint": TRN_JOINT,
    "jointinparent": TRN_JOINTINPARENT,
    "tendon": TRN_TENDON,
    "cranksite": TRN_SLIDERCRANK,
    "site": TRN_SITE,
    "body": TRN_BODY,
}
# attributes that are not fields: names, targets, arguments of shortcuts
ARGUMENTS = frozenset(
    ("name", "class", "plugin", "instance", *TARGETS, *(name for row in BY_NAME.values() for name in row.arguments))
)


def _own_range(raw: dict[str, Any], attrs: dict[str, str], given: dict[str, Any], name: str) -> None:
    """Let a servo's own range override its class's inheritrange, and vice versa (since MuJoCo 4.0)."""
    if "inheritrange" in attrs and name not in attrs:
        raw[name] = (0.0, 0.0)
    elif name in attrs and "inheritrange" not in attrs:
        raw["inheritrange"] = 0.0
        given["inheritrange"] = 0.0


def set_actuator(reader: Reader, node: Node, actuator: Element, elem: Elem) -> None:
    """Set an actuator's fields: the transmission, then the fields that its shortcut sets."""
    reader.fill(actuator, node, elem, ARGUMENTS)
    raw, attrs = actuator.raw, node.attrs

    # read the transmission
    given = [t for t in TARGETS if t in attrs]
    if len(given) > 1:
        raise SpecError("an actuator has at most one transmission target", node, given[1])
    for name in given:
        raw["target"], raw["trntype"] = attrs[name], TARGETS[name]
    if ("cranklength" in attrs or "slidersite" in attrs) and raw["trntype"] not in (TRN_SLIDERCRANK, TRN_UNDEFINED):
        raise SpecError("cranklength and slidersite belong to a slider-crank", node, "cranklength")
    if "refsite" in attrs and raw["trntype"] not in (TRN_SITE, TRN_UNDEFINED):
        raise SpecError("refsite belongs to a site transmission", node, "refsite")

    # plugin, shortcut, or general
    if node.tag == "plugin":
        reader.plugin(actuator, node)
    elif node.tag != "general":
        row = BY_NAME[node.tag]
        actuator.shortcut = node.tag
        given = {name: elem.attrs[name].read(node, attrs[name]) for name in row.arguments if name in attrs}
        if node.tag in shortcuts.SERVOS and holds("range_wins", reader.spec.compat_bits):
            _own_range(raw, attrs, given, "actrange" if node.tag == "intvelocity" else "ctrlrange")
        given = {name: value for name, value in given.items() if value is not None}
        values = row.taken(raw, given)
        if holds("damper_kept", reader.spec.compat_bits):
            if node.tag == "damper" and "kv" not in given:
                values["kv"] = -raw["gainprm"][2]
            elif node.tag == "cylinder" and "bias" in given:
                values["bias"] = given["bias"]
        error = getattr(shortcuts, node.tag)(raw, **values)
        if error:
            raise SpecError(error, node)
        if holds("shortcut_own", reader.spec.compat_bits) and node.tag not in servo_shortcuts.STARTS:
            raw["ctrlspec"] = shortcuts.INPUTS.get(node.tag, 0)
        if node.tag == "intvelocity" and ("actlimited" in attrs or holds("servo_limit", reader.spec.compat_bits)):
            # the shortcut always enables the limit
            raw["actlimited"] = elem.attrs["actlimited"].read(node, attrs.get("actlimited", "auto"))
    elif "inheritrange" in attrs:
        raw["inheritrange"] = elem.attrs["inheritrange"].read(node, attrs["inheritrange"])
