"""Finds the element in a file from which an element of a compiled model was made, and all other elements made from it."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ...core.model import MjModel
from ...machine.regular import open_regular
from ..language.errors import SpecError
from ..language.schema import BODY, ROOT, Elem
from ..language.xmltree import Node
from .tags import Tag, find_tag

MACROS = ("replicate", "composite", "flexcomp", "attach")


@dataclass(frozen=True)
class Origin:
    """The origin of an element: the spec's `element`, its `node`, its grammar row `elem`, and the ids of all elements made from
    that text.

    `shared`: name of the default class if `element` is one of a default class; otherwise empty.
    """

    element: Any
    node: Node
    elem: Elem
    ids: tuple[int, ...]
    shared: str = ""

    @property
    def file(self) -> str:
        """The file that contains the text."""
        return self.node.file

    @property
    def inherits(self) -> str:
        """Name of the default class that supplies missing attributes; empty for the main class."""
        default = getattr(self.element, "default", None)
        return default.label if default is not None and default.label != "main" else ""


def _rows() -> dict[tuple[str, str], Elem]:
    """Return {(struct, tag): Elem} of those grammar elements that describe single elements of a model."""
    found = {(e.struct, e.name): e for e in (*BODY.children.values(), ROOT.children["worldbody"]) if e.struct}
    for section in ROOT.children.values():
        if section.name not in ("default", "body", "frame", "replicate", "worldbody"):
            found |= {(e.struct, e.name): e for e in section.children.values() if e.struct}
    return found


ROWS = _rows()
# {root of a file that is not MJCF: its format}
FOREIGN = {"robot": "URDF", "sdf": "SDF"}


def origin_of(m: MjModel, kind: str, index: int) -> Origin:
    """Return the origin of an element of a model; SpecError with the reason if no element of a file corresponds to it."""

    spec = m.storage.spec
    if spec is None:
        raise SpecError("this model was not read from XML")
    same = spec.items(kind)
    element = next((e for e in same if e.index == index), None)
    node = getattr(element, "place", None)
    if element is None or node is None:
        raise SpecError(f"{kind} {index} has no source text")

    # elements made by macros do not occur in the source
    elem = ROWS.get((type(element).__name__, node.tag))
    if elem is None:
        if node.tag in MACROS:
            raise SpecError(f"it is made by <{node.tag}>, which can be edited in the source", node)
        raise SpecError(f"<{node.tag}> is not an MJCF element; export the model as XML, and open that file to edit it")

    if not node.file or not os.path.isfile(node.file):
        raise SpecError("its text is not in a file", node)
    place = node.file, node.line, node.column
    return Origin(element, node, elem, tuple(e.index for e in same if _place(e) == place))


def class_of(m: MjModel, kind: str, index: int) -> Origin:
    """Return the element of the default class that supplies an element's attributes, with the `ids` of all elements that use
    it.

    SpecError if the class has no attributes for this kind.
    """

    # the nearest class with attributes for the kind
    own = origin_of(m, kind, index)
    word = own.element.kind
    label, shared = next(
        ((d.label, d.made[word]) for d in above(getattr(own.element, "default", None)) if word in d.made), ("", None)
    )
    node = getattr(shared, "place", None)
    if node is None:
        raise SpecError(f"no default class sets attributes of a {kind}", own.node)

    elem = ROOT.children["default"].children.get(node.tag)
    if elem is None or not elem.struct:
        raise SpecError(f"<{node.tag}> of a class cannot be edited here", node)

    # all elements whose class is this one or inherits from it
    heirs = tuple(
        e.index
        for e in m.storage.spec.items(kind)
        if any(word in d.made and _place(d.made[word]) == _place(shared) for d in above(getattr(e, "default", None)))
    )
    return Origin(shared, node, elem, heirs, label)


def above(default: Any) -> Iterator[Any]:
    """Yield a default class and the classes from which it inherits."""
    while default is not None:
        yield default
        default = default.parent


def _place(element: Any) -> tuple[str, int, int] | None:
    node = element.place
    return (node.file, node.line, node.column) if node is not None else None


def source_of(origin: Origin) -> tuple[bytes, Tag]:
    """Return the bytes of the file and the element's tag in them; SpecError if the file is not MJCF, or has changed since the
    model was read.
    """
    try:
        with open_regular(origin.file) as file:
            data = file.read()
    except OSError as error:
        raise SpecError(f"cannot open '{origin.file}': {error.strerror or error}", origin.node) from None
    tag = find_tag(data, origin.node)
    root = [tag, *tag.above()][-1].name
    if root in FOREIGN:
        # Some elements of these formats have the same name as an MJCF element, but different attributes.
        raise SpecError(f"it is written in {FOREIGN[root]}: edit its text, or save the model as MJCF and edit that")
    return data, tag


def consequences(origin: Origin, tag: Tag, main: str) -> list[str]:
    """Return, as sentences, what else an edit changes; empty if the text describes only one element.

    `main`: the model's own file.
    """
    found = []
    if origin.shared:
        return [f"{len(origin.ids)} elements take it from the class '{origin.shared}'", *_elsewhere(origin, main)]
    others = len(origin.ids) - 1
    around = next((above.name for above in tag.above() if above.name == "replicate"), "")
    if others > 0 or around:
        why = f"<{around}>" if around else "an attached model"
        found.append(f"its text describes {others + 1} elements, because of {why}: all of them change")
    return found + _elsewhere(origin, main)


def _elsewhere(origin: Origin, main: str) -> list[str]:
    if os.path.abspath(origin.file) == os.path.abspath(main):
        return []
    return [f"its text is in {os.path.basename(origin.file)}, which changes for all models that use it"]
