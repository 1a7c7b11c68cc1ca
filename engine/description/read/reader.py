"""State and helpers shared by the readers of all MJCF sections."""

from collections.abc import Sequence
from typing import Any

from ...tables.compat_rows import holds
from ..elements.element import Element
from ..elements.elements import MjsBody, MjsFlex
from ..elements.spec import MjSpec
from ..language.errors import SpecError
from ..language.schema import Elem, need, read_into
from ..language.xmltree import Node

# attributes that are not fields
NAMES = frozenset(("name", "class"))
# limit of sizes: larger than in any model that could be simulated; arrays of this size are still allocated or refused quickly
MAX_SIZE = 1 << 28


class Reader:
    """The state of one reading: the spec, the directories of files, the default classes by name.

    `parse(data, filename, files)` reads another model, for elements that include whole models.
    """

    def __init__(self, spec: MjSpec, places: Any, parse: Any = None) -> None:
        self.spec = spec
        self.places = places
        self.parse = parse
        self.classes = {"main": spec.default}
        # default class -> tag of the element that last set the class's actuator
        self.shortcuts = {}
        # (flex without pins, body in which it is defined)
        self.loose = []

    def default_of(self, node: Node) -> Any:
        """Return the default class that an element names, or None."""
        name = node.attrs.get("class")
        if name is None:
            return None
        try:
            return self.classes[name]
        except KeyError:
            raise SpecError(f"unknown default class '{name}'", node, "class", name, tuple(self.classes)) from None

    def childclass(self, node: Node) -> Any:
        """Return the default class that an element sets for its children, or None."""
        name = node.attrs.get("childclass")
        if name is None:
            return None
        try:
            return self.classes[name]
        except KeyError:
            raise SpecError(f"unknown default class '{name}'", node, "childclass", name, tuple(self.classes)) from None

    def fill(self, element: Element, node: Node, elem: Elem, skip: frozenset[str] | Sequence[str] = NAMES) -> None:
        """Set name, source location and fields of an element from its node."""
        element.place = node
        name = node.attrs.get("name")
        if name is not None:
            element.label = name
        need(node, elem)
        read_into(element.raw, node, elem, skip)
        if "quat" in node.attrs and "alt" in element.raw and holds("quat_own", self.spec.compat_bits):
            element.raw["alt"] = (0, ())

    def plugin(self, owner: Element, node: Node) -> None:
        """Set an element's reference to a plugin: a named instance, or a new instance with the node's configuration."""
        ref = owner.plugin
        ref.active = 1
        ref.place = node
        ref.raw["plugin_name"] = node.attrs.get("plugin", "")
        ref.raw["name"] = node.attrs.get("instance", "")
        config = read_config(node)
        if not ref.raw["name"]:
            instance = self.spec.add("plugin")
            instance.raw["plugin_name"] = ref.raw["plugin_name"]
            instance.place = node
            instance.config = config
            ref.source = instance
        elif config:
            raise SpecError("an element that names a plugin instance cannot configure it", node)
        else:
            self.spec.raw["hasImplicitPluginElem"] = 1


def read_config(node: Node) -> dict:
    """Return the keys and values of a plugin's config elements."""
    config = {}
    for child in node.all("config"):
        for name in ("key", "value"):
            if name not in child.attrs:
                raise SpecError(f"required attribute '{name}' is missing", child, name)
        key = child.attrs["key"]
        if key in config:
            raise SpecError(f"duplicate config key '{key}'", child, "key", key)
        config[key] = child.attrs["value"]
    return config


def hold_moving(flex: MjsFlex, body: MjsBody) -> None:
    """Raise SpecError if a flex without pins is inside a body that joints move: the flex would not follow the body."""
    while body is not None:
        if body.parts["joint"]:
            raise SpecError(
                f"body '{body.name}' has joints but no vertices of the flex '{flex.name}' are pinned to it", flex.place
            )
        body = body.parent


def one_springlength(node: Node, raw: dict[str, Any]) -> None:
    """Expand a single spring length to both ends of its range."""
    if len(node.attrs.get("springlength", "").split()) == 1:
        raw["springlength"] = (raw["springlength"][0],) * 2
