"""Reads an MJCF tree into an MjSpec: the sections in reading order, and default classes."""

from collections.abc import Callable
from typing import Any

from ...tables.compat_rows import holds
from ..elements.elements import MjsBody, MjsDefault, MjsFrame
from ..elements.spec import MjSpec
from ..language import schema
from ..language.errors import SpecError
from ..language.schema import ROOT
from ..language.types import AUTO
from ..language.xmltree import Node
from .actuators import own_gains, read_actuators, set_actuator
from .assets import read_assets, read_material
from .bodies import READERS, read_body, read_camera, read_light
from .custom import read_custom, read_extension
from .include import Places
from .links import read_contacts, read_deformables, read_equalities, read_keys, read_tendons
from .reader import Reader, hold_moving, one_springlength
from .sensors import read_sensors
from .settings import read_compiler, read_option, read_size, read_statistic, read_visual


def _macro(reader: Reader, node: Node, body: MjsBody, frame: MjsFrame | None, default: MjsDefault | None) -> None:
    """Read a macro, an element that expands to many."""
    # imported late, which saves 2.5 ms for models without macros
    from .macros import MACROS

    MACROS[node.tag](reader, node, body, frame, default)


READERS.update(dict.fromkeys(("replicate", "attach", "composite", "flexcomp"), _macro))


def read_mjcf(root: Node, spec: MjSpec, places: Places, parse: Callable[..., Any]) -> None:
    """Fill a spec from an expanded MJCF tree. `parse(data, filename, files)` reads the models that it refers to."""

    # check the structure first, so that readers see only known elements
    schema.check(root)
    reader = Reader(spec, places, parse)

    if "model" in root.attrs:
        spec.modelname = root.attrs["model"]
    spec.comment = root.comment

    # sections, in the order of SECTIONS
    sections = {}
    for child in root.children:
        sections.setdefault(child.tag, []).append(child)
    for tag, read in SECTIONS:
        for node in sections.get(tag, ()):
            read(reader, node)
        if tag == "compiler" and holds("tendon_auto", spec.compat_bits):
            spec.default.tendon.raw["actfrclimited"] = AUTO
        if tag == "default":
            spec.settled = set()

    if holds("removed", spec.compat_bits):
        schema.check_removed(root)

    # the tree
    for node in sections.get("worldbody", ()):
        spec.worldbody.place = spec.worldbody.place or node
        read_body(reader, node, spec.worldbody, None)
    for flex, body in reader.loose:
        hold_moving(flex, body)
    spec.settled = None


def read_default(reader: Reader, node: Node, parent: MjsDefault | None = None) -> None:
    """Read a default class and the classes nested in it."""

    # the class
    name = node.attrs.get("class", "")
    if parent is None:
        current = reader.spec.default
        if name not in ("", "main"):
            raise SpecError("the top-level default class is called 'main'", node, "class", name)
    else:
        if not name:
            raise SpecError("a nested default needs a class name", node, "class")
        if name in reader.classes:
            raise SpecError(f"repeated default class '{name}'", node, "class", name)
        current = reader.classes[name] = MjsDefault(reader.spec, name, parent)

    for child in current.children:
        # make all elements of classes that an earlier section defined, so that they do not inherit values read now
        child.complete()

    # read the defaults of the class, then the classes nested in it
    elems = ROOT.children["default"].children
    nested = []
    for child in node.children:
        tag, elem = child.tag, elems[child.tag]
        if tag == "default":
            nested.append(child)
        elif tag == "material":
            read_material(reader, child, current.material, elem)
        elif tag == "camera":
            read_camera(reader, child, current.camera, elem)
        elif tag == "light":
            read_light(reader, child, current.light, elem)
        elif tag == "tendon":
            reader.fill(current.tendon, child, elem)
            one_springlength(child, current.tendon.raw)
        elif tag in current.KINDS:
            reader.fill(getattr(current, tag), child, elem)
        else:
            own_gains(reader, tag, current.actuator.raw, current)
            set_actuator(reader, child, current.actuator, elem)
            reader.shortcuts[current] = tag

    for child in nested:
        read_default(reader, child, current)


SECTIONS = (
    ("compiler", read_compiler),
    ("option", read_option),
    ("size", read_size),
    ("visual", read_visual),
    ("statistic", read_statistic),
    ("default", read_default),
    ("extension", read_extension),
    ("custom", read_custom),
    ("asset", read_assets),
    ("contact", read_contacts),
    ("deformable", read_deformables),
    ("equality", read_equalities),
    ("tendon", read_tendons),
    ("actuator", read_actuators),
    ("sensor", read_sensors),
    ("keyframe", read_keys),
)
