"""Positions of elements and attributes in the bytes of an XML file, as reported by the parser."""

import re
from typing import NamedTuple
from xml.parsers import expat

from ..language.errors import SpecError
from ..language.xmltree import Node, blanked

# one attribute in a well-formed tag: whitespace, name, quoted value
_ATTRIBUTE = re.compile(rb"\s+([^\s=/>\"']+)\s*=\s*(\"[^\"]*\"|'[^']*')")
_NAME = re.compile(rb"<([^\s/>]+)")


class Span(NamedTuple):
    """Byte offsets of an attribute: `begin` before its leading spaces, `value` and `end` around the text between quotes."""

    begin: int
    value: int
    end: int
    quote: bytes


class Tag:
    """One element: its opening tag from `begin` to `inside`, its closing tag from `close` to `end`; `closed`: a single tag
    `<a/>`.
    """

    __slots__ = ("name", "line", "column", "begin", "inside", "close", "end", "parent", "children")

    def __init__(self, name: str, line: int, column: int, begin: int, parent: "Tag | None") -> None:
        self.name, self.line, self.column, self.begin, self.parent = name, line, column, begin, parent
        self.inside = self.close = self.end = begin
        self.children: list[Tag] = []

    @property
    def closed(self) -> bool:
        return self.close == self.inside == self.end

    def above(self) -> "list[Tag]":
        """Return the elements around this one, from the innermost."""
        found, tag = [], self.parent
        while tag is not None:
            found.append(tag)
            tag = tag.parent
        return found


def read_tags(data: bytes, file: str = "") -> list[Tag]:
    """Return all elements of an XML text in the order of their opening tags; SpecError if it is not XML."""
    try:
        return _Reader().run(data)
    except expat.ExpatError as error:
        # second try, with those repairs of the model reader that keep positions
        clean = blanked(data)
        try:
            return _Reader().run(clean)
        except expat.ExpatError:
            raise SpecError(
                f"the file is not well-formed XML: {expat.ErrorString(error.code)}; correct it before editing elements",
                Node("", {}, file, error.lineno, error.offset + 1),
            ) from None


class _Reader:
    def __init__(self) -> None:
        self.tags: list[Tag] = []
        self.stack: list[Tag] = []
        self.data = b""
        self.parser = p = expat.ParserCreate("utf-8")
        p.StartElementHandler, p.EndElementHandler = self.start, self.finish

    def run(self, data: bytes) -> list[Tag]:
        self.data = data
        try:
            self.parser.Parse(data, True)
        except expat.ExpatError:
            # ignore text after the root element
            if not self.tags or self.stack:
                raise
        return self.tags

    def start(self, name: str, _attrs: dict[str, str]) -> None:
        p = self.parser
        tag = Tag(
            name, p.CurrentLineNumber, p.CurrentColumnNumber + 1, p.CurrentByteIndex, self.stack[-1] if self.stack else None
        )
        spans = attributes(self.data, tag)
        tag.inside = self.data.index(b">", spans[-1][1].end + 1 if spans else tag.begin) + 1
        if self.stack:
            self.stack[-1].children.append(tag)
        self.tags.append(tag)
        self.stack.append(tag)

    def finish(self, _name: str) -> None:
        tag, data = self.stack.pop(), self.data
        if data[tag.inside - 2 : tag.inside] == b"/>":
            tag.close = tag.end = tag.inside
        else:
            tag.close = self.parser.CurrentByteIndex
            tag.end = data.index(b">", tag.close) + 1
        if not self.stack:
            self.parser.StartElementHandler = self.parser.EndElementHandler = None


def attributes(data: bytes, tag: Tag) -> list[tuple[str, Span]]:
    """Return names and positions of an opening tag's attributes, in order."""
    name = _NAME.match(data, tag.begin)
    # the parser has already accepted this tag
    assert name is not None
    at, found = name.end(), []
    while hit := _ATTRIBUTE.match(data, at):
        found.append((hit[1].decode("utf-8"), Span(hit.start(), hit.start(2) + 1, hit.end(2) - 1, hit[2][:1])))
        at = hit.end()
    return found


def find_tag(data: bytes, node: Node) -> Tag:
    """Return the tag of an element that was read from this text; SpecError if the text has changed."""
    same = [tag for tag in read_tags(data, node.file) if tag.line == node.line and tag.name == node.tag]
    # the model reader's repairs may have shifted columns
    exact = [tag for tag in same if tag.column == node.column] or same
    # CDATA of an element `text` acts as its attribute `data`
    if len(exact) != 1 or not {name for name, _ in attributes(data, exact[0])} >= node.attrs.keys() - {"data"}:
        raise SpecError("the file was changed since the model was loaded: reload it first", node)
    return exact[0]
