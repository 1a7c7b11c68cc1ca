"""From an element of a compiled model to the element of a file that it comes from, and what else that one stands for."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ...machine.regular import open_regular
from ..language.errors import SpecError
from ..language.schema import BODY, ROOT, Elem
from ..language.xmltree import Node
from .tags import Tag, find_tag

MACROS = ("replicate", "composite", "flexcomp", "attach")


@dataclass(frozen=True)
class Origin:
    """`element` of the spec, the `node` that it was read from, its row `elem` of the grammar, and ids of all that comes from the same text.

    `shared`: the default class whose element it is; empty for an element of the model itself.
    """

    element: Any
    node: Node
    elem: Elem
    ids: tuple[int, ...]
    shared: str = ""

    @property
    def file(self) -> str:
        """The file that the text stands in."""
        return self.node.file

    @property
    def inherits(self) -> str:
        """Name of the default class that attributes come from which are not given; empty for the main class."""
        default = getattr(self.element, "default", None)
        return default.label if default is not None and default.label != "main" else ""


def _rows():
    """{(struct, tag): Elem} of all elements that stand for one element of a model."""
    found = {(e.struct, e.name): e for e in (*BODY.children.values(), ROOT.children["worldbody"]) if e.struct}
    for section in ROOT.children.values():
        if section.name not in ("default", "body", "frame", "replicate", "worldbody"):
            found |= {(e.struct, e.name): e for e in section.children.values() if e.struct}
    return found


ROWS = _rows()


def origin_of(m, kind: str, index: int) -> Origin:
    """Where an element of a model was read from; SpecError with the reason if no element of a file stands for it."""
    spec = m.storage.spec
    if spec is None:
        raise SpecError("this model was not read from XML")
    same = spec.items(kind)
    element = next((e for e in same if e.index == index), None)
    node = getattr(element, "place", None)
    if element is None or node is None:
        raise SpecError(f"no text stands for {kind} {index}")
    elem = ROWS.get((type(element).__name__, node.tag))
    if elem is None:
        made = (
            f"it is made by <{node.tag}>, which can be edited in the source"
            if node.tag in MACROS
            else f"<{node.tag}> cannot be edited here"
        )
        raise SpecError(made, node)
    if not node.file or not os.path.isfile(node.file):
        raise SpecError("its text is in no file", node)
    place = node.file, node.line, node.column
    return Origin(element, node, elem, tuple(e.index for e in same if _place(e) == place))


def class_of(m, kind: str, index: int) -> Origin:
    """The element of the default class that an element takes its attributes from; its `ids` are those of all that take them from there.

    SpecError if its class says nothing of elements of this kind.
    """
    own = origin_of(m, kind, index)
    word = own.element.kind
    label, shared = next(
        ((d.label, d.made[word]) for d in above(getattr(own.element, "default", None)) if word in d.made), ("", None)
    )
    node = getattr(shared, "place", None)
    if node is None:
        raise SpecError(f"no default class says anything of a {kind}", own.node)
    elem = ROOT.children["default"].children.get(node.tag)
    if elem is None or not elem.struct:
        raise SpecError(f"<{node.tag}> of a class cannot be edited here", node)
    heirs = tuple(
        e.index
        for e in m.storage.spec.items(kind)
        if any(word in d.made and _place(d.made[word]) == _place(shared) for d in above(getattr(e, "default", None)))
    )
    return Origin(shared, node, elem, heirs, label)


def above(default: Any) -> Iterator[Any]:
    """A default class and those that it inherits from."""
    while default is not None:
        yield default
        default = default.parent


def _place(element):
    node = element.place
    return (node.file, node.line, node.column) if node is not None else None


def source_of(origin: Origin) -> tuple[bytes, Tag]:
    """The bytes of its file and its place in them; SpecError if the file is another one than the model was read from."""
    try:
        with open_regular(origin.file) as file:
            data = file.read()
    except OSError as error:
        raise SpecError(f"cannot open '{origin.file}': {error.strerror or error}", origin.node) from None
    return data, find_tag(data, origin.node)


def consequences(origin: Origin, tag: Tag, main: str) -> list[str]:
    """What else an edit of the text changes, in words; nothing for an element that stands for itself alone. `main`: the model's own file."""
    found = []
    if origin.shared:
        return [f"{len(origin.ids)} elements take it from the class '{origin.shared}'", *_elsewhere(origin, main)]
    others = len(origin.ids) - 1
    around = next((above.name for above in tag.above() if above.name == "replicate"), "")
    if others > 0 or around:
        why = f"<{around}>" if around else "an attached model"
        found.append(f"its text stands for {others + 1} elements, by {why}: all of them change")
    return found + _elsewhere(origin, main)


def _elsewhere(origin, main):
    if os.path.abspath(origin.file) == os.path.abspath(main):
        return []
    return [f"its text is in {os.path.basename(origin.file)}, which changes for all models that use it"]
