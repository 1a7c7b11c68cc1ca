"""XML text as a tree of nodes with their locations. This is the only file that uses an XML parser.

Hardened: no document types, no entities beyond XML's five, bounded text size and depth. Tolerant where real files are sloppy
and the meaning is clear: `--` inside comments, blank lines before the declaration, unescaped `&`, stray bytes.
"""

from __future__ import annotations

import re
from typing import Any
from xml.parsers import expat

from .errors import SpecError

MAX_BYTES = 1 << 28
# Limits of signs in a text: elements and attributes take up to a hundred times as much memory as their text.
MAX_TAGS, MAX_ATTRIBUTES = 1 << 22, 1 << 23
# shared value of `children` for nodes without any
NONE: Any = ()
# key under which `parse`, with `texts`, stores the characters inside an element; no attribute has this name
TEXT = ""
# maximum depth of an element with children, as in MuJoCo
MAX_DEPTH = 498


class Node:
    """One element: tag, attributes in order, children, and its location in the file."""

    __slots__ = ("tag", "attrs", "children", "file", "line", "column", "comment")

    def __init__(self, tag: str, attrs: dict[str, str], file: str = "", line: int = 0, column: int = 0) -> None:
        self.tag = tag
        self.attrs = attrs
        self.children: list[Node] = NONE
        self.file = file
        self.line = line
        self.column = column
        self.comment = ""

    def add(self, child: Node) -> None:
        """Append a child."""
        if self.children:
            self.children.append(child)
        else:
            self.children = [child]

    def first(self, tag: str) -> Node | None:
        """Return the first child with this tag, or None."""
        for c in self.children:
            if c.tag == tag:
                return c
        return None

    def all(self, tag: str) -> list[Node]:
        """Return all children with this tag."""
        return [c for c in self.children if c.tag == tag]


class _Place:
    def __init__(self, file: str, line: int, column: int, tag: str = "") -> None:
        self.file, self.line, self.column, self.tag = file, line, column, tag


def parse(data: bytes | str, file: str = "", texts: bool = False) -> Node:
    """Parse bytes or str and return the root node; SpecError with file, line and column if the text is not XML.

    texts: keep the characters inside elements, under the attribute TEXT.
    """
    if isinstance(data, str):
        data = data.encode("utf-8", "surrogatepass")

    if len(data) > MAX_BYTES:
        raise SpecError(f"XML text of {len(data)} bytes is larger than the limit of {MAX_BYTES}", _Place(file, 1, 1))
    if not data.strip(b"\0 \t\r\n"):
        raise SpecError("empty file", _Place(file, 1, 1))
    for sign, most, name in ((b"<", MAX_TAGS, "tags"), (b"=", MAX_ATTRIBUTES, "attributes")):
        if len(data) > most and data.count(sign) > most:
            raise SpecError(f"XML text with more than {most} {name}", _Place(file, 1, 1))

    builder = _Builder(file, texts)
    try:
        builder.run(data)
    except expat.ExpatError as first:
        if builder.closed and builder.root is not None:
            return builder.root
        # second try, for text that violates only details of XML
        clean = _clean(data)
        if clean == data:
            raise _xml_error(first, file) from None
        builder = _Builder(file, texts)
        try:
            builder.run(clean)
        except expat.ExpatError as e:
            if not builder.closed:
                raise _xml_error(e, file) from None
    if builder.root is None:
        raise SpecError("no root element", _Place(file, 1, 1))
    return builder.root


def _xml_error(e: expat.ExpatError, file: str) -> SpecError:
    # Remove "not well-formed" from Expat's text, because the message below begins with it.
    why = expat.ErrorString(e.code).replace("not well-formed (invalid token)", "invalid token")
    return SpecError(f"not well-formed XML: {why}", _Place(file, e.lineno, e.offset + 1))


class _Builder:
    def __init__(self, file: str, texts: bool = False) -> None:
        self.file = file
        self.root: Node | None = None
        # stack of nodes: a root above the document's root, then all open nodes
        self.stack = [Node("", {})]
        self.closed = False
        self.parser = p = expat.ParserCreate("utf-8")
        p.buffer_text = True
        p.StartElementHandler = self.start
        p.EndElementHandler = self.end
        p.CommentHandler = self.comment
        # characters in each open element, or in a CDATA section
        self.pieces: list[list[str]] = []
        if texts:
            p.StartElementHandler, p.EndElementHandler = self.start_with_text, self.end_with_text
            p.CharacterDataHandler = self.inner_text
        else:
            p.StartCdataSectionHandler, p.EndCdataSectionHandler = self.section, self.section_end
        p.StartDoctypeDeclHandler = self.doctype
        p.EntityDeclHandler = self.doctype

    def run(self, data: bytes) -> None:
        try:
            self.parser.Parse(data, True)
        finally:
            # breaks a reference cycle: the parser's handlers refer to this builder
            del self.parser

    def start(self, tag: str, attrs: dict[str, str]) -> None:
        p, stack = self.parser, self.stack
        node = Node(tag, attrs, self.file, p.CurrentLineNumber, p.CurrentColumnNumber + 1)
        above = stack[-1]
        if above.children is NONE:
            above.children = [node]
        else:
            above.children.append(node)
        stack.append(node)
        if self.root is None:
            self.root = node
        if len(stack) > MAX_DEPTH + 2:
            raise SpecError(f"elements nested deeper than {MAX_DEPTH}", node)

    def end(self, tag: str) -> None:
        stack = self.stack
        stack.pop()
        if len(stack) == 1:
            # ignore everything after the root element
            self.closed, p = True, self.parser
            p.StartElementHandler = p.EndElementHandler = None

    def comment(self, text: str) -> None:
        # keep only a comment directly inside the root, the model's comment
        root = self.root
        if len(self.stack) == 2 and root is not None and not root.children and not root.comment:
            root.comment = text

    def section(self) -> None:
        # CDATA inside a `text` element replaces its `data` attribute
        if self.stack[-1].tag == "text" and "data" not in self.stack[-1].attrs:
            self.pieces = [[]]
            self.parser.CharacterDataHandler = self.inner_text

    def section_end(self) -> None:
        if self.parser.CharacterDataHandler is not None and (found := self.pieces.pop()):
            self.stack[-1].attrs["data"] = "".join(found)
        self.parser.CharacterDataHandler = None

    def start_with_text(self, tag: str, attrs: dict[str, str]) -> None:
        self.pieces.append([])
        self.start(tag, attrs)

    def end_with_text(self, tag: str) -> None:
        found = self.pieces.pop()
        if found:
            self.stack[-1].attrs[TEXT] = "".join(found)
        self.end(tag)

    def inner_text(self, text: str) -> None:
        self.pieces[-1].append(text)

    def doctype(self, *_: Any) -> None:
        p = self.parser
        raise SpecError("document types and entities are not allowed", _Place(self.file, p.CurrentLineNumber, 0))


# an attribute directly followed by another one, without a space between them
_JOINED = re.compile(rb"""(\s[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))(?=[A-Za-z_])""")
_DECLARATION = re.compile(rb"<\?xml\s[^<>]*\?>")
_AMPERSAND = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[0-9a-fA-F]+);)")


def _clean(data: bytes) -> bytes:
    """Return the text without syntax errors that strict parsers reject; line numbers stay the same."""
    data = data.decode("utf-8-sig", "replace").encode("utf-8")
    data = _clean_comments(_clean_declaration(data))
    data = _AMPERSAND.sub(b"&amp;", data)
    data = _JOINED.sub(rb"\1 ", data)
    return data


def blanked(data: bytes) -> bytes:
    """Return a text of the same length without most of the syntax errors that strict parsers reject; elements keep their byte
    offsets."""
    data = data.decode("utf-8", "surrogateescape").encode("utf-8", "replace")
    return _AMPERSAND.sub(b"+", _clean_comments(_clean_declaration(data)))


def _clean_declaration(data: bytes) -> bytes:
    """Return the text with spaces in place of its XML declaration, which may follow blank lines or comments."""
    return _DECLARATION.sub(lambda found: re.sub(rb"[^\n]", b" ", found[0]), data)


def _clean_comments(data: bytes) -> bytes:
    """Return the text without hyphens inside comments.

    An unclosed comment does not count as a comment. The search stops there, because no later comment can be closed either.
    """
    parts, start = [], 0
    while True:
        opens = data.find(b"<!--", start)
        closes = data.find(b"-->", opens + 4) if opens >= 0 else -1
        if closes < 0:
            return b"".join([*parts, data[start:]])
        parts += data[start : opens + 4], data[opens + 4 : closes].replace(b"-", b" "), b"-->"
        start = closes + 3
