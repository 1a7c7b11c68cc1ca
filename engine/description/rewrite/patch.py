"""Byte patches that set or remove attributes and add or delete elements; the rest of the file stays unchanged."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ..language.errors import SpecError
from ..language.xmltree import Node
from .tags import Tag, attributes

BLANKS = b" \t"
# indentation used if the file shows none
STEP = b"  "
_ESCAPES = (("&", "&amp;"), ("<", "&lt;"), ("\n", "&#10;"), ("\r", "&#13;"), ("\t", "&#9;"))


class Patch(NamedTuple):
    """Replaces the bytes `old` at offset `at` by `new`."""

    at: int
    old: bytes
    new: bytes


def apply(data: bytes, patches: Iterable[Patch]) -> bytes:
    """Return the text with all patches applied; their offsets refer to `data`. ValueError if `old` does not match."""
    parts, at = [], 0
    for patch in sorted(patches):
        if patch.at < at or data[patch.at : patch.at + len(patch.old)] != patch.old:
            raise ValueError("the text at the position of the change is not the expected text")
        parts += data[at : patch.at], patch.new
        at = patch.at + len(patch.old)
    return b"".join([*parts, data[at:]])


def _alike(one: bytes, other: bytes) -> int:
    """Return the length in bytes of the common beginning of two texts."""
    return next((k for k, (x, y) in enumerate(zip(one, other, strict=False)) if x != y), min(len(one), len(other)))


def between(old: bytes, new: bytes) -> Patch:
    """Return a patch that turns one text into another. It begins after the last tag of their common beginning, and ends with
    the last difference.
    """
    at = old.rfind(b">", 0, _alike(old, new)) + 1
    end = _alike(old[at:][::-1], new[at:][::-1])
    return Patch(at, old[at : len(old) - end], new[at : len(new) - end])


def reverse(patches: Iterable[Patch]) -> list[Patch]:
    """Return patches that undo the given ones, with offsets in the patched text."""
    found, shift = [], 0
    for patch in sorted(patches):
        found.append(Patch(patch.at + shift, patch.new, patch.old))
        shift += len(patch.new) - len(patch.old)
    return found


def escaped(text: str, quote: bytes, data: bytes) -> bytes:
    """Return an attribute's value as it is written between quotes. If the file is not UTF-8, non-ASCII characters become
    references."""
    for sign, entity in _ESCAPES:
        text = text.replace(sign, entity)
    text = text.replace(quote.decode(), "&quot;" if quote == b'"' else "&apos;")
    try:
        data.decode("utf-8")
    except UnicodeError:
        return text.encode("ascii", "xmlcharrefreplace")
    return text.encode("utf-8")


def set_attributes(data: bytes, tag: Tag, values: Mapping[str, str | None]) -> list[Patch]:
    """Return patches that set attributes; the value None removes an attribute. New attributes follow the last existing one."""

    spans = attributes(data, tag)
    there = dict(spans)
    patches, fresh = [], b""
    quote = spans[-1][1].quote if spans else b'"'

    # one patch for each changed attribute
    for name, text in values.items():
        span = there.get(name)
        if text is None:
            if span is not None:
                patches.append(Patch(span.begin, data[span.begin : span.end + 1], b""))
        elif span is None:
            fresh += b" " + name.encode("utf-8") + b"=" + quote + escaped(text, quote, data) + quote
        elif (new := escaped(text, span.quote, data)) != (old := data[span.value : span.end]):
            patches.append(Patch(span.value, old, new))

    # new attributes, in one patch
    if fresh:
        # merge the new attributes into the patch of a removal that ends where they start
        last = spans[-1][1].end + 1 if spans else tag.begin + 1 + len(tag.name.encode("utf-8"))
        going = next((p for p in patches if not p.new and p.at + len(p.old) == last), None)
        if going is not None:
            patches.remove(going)
            patches.append(Patch(going.at, going.old, fresh))
        else:
            patches.append(Patch(last, b"", fresh))
    return sorted(patches)


def _line_start(data: bytes, at: int) -> int:
    return data.rfind(b"\n", 0, at) + 1


def indent_of(data: bytes, tag: Tag) -> bytes | None:
    """Return the indentation of an element that is first on its line; None if something else precedes it."""
    before = data[_line_start(data, tag.begin) : tag.begin]
    return None if before.strip(BLANKS) else before


def line_end(data: bytes, at: int) -> bytes:
    """Return the line ending used near an offset."""
    end = data.find(b"\n", at)
    if end < 0:
        end = data.rfind(b"\n")
    return b"\r\n" if end > 0 and data[end - 1 : end] == b"\r" else b"\n"


def _inner_indent(data: bytes, parent: Tag) -> bytes:
    """Return the indentation of the elements inside a parent."""
    for child in parent.children:
        if (found := indent_of(data, child)) is not None:
            return found
    own = indent_of(data, parent) or b""
    outer = indent_of(data, parent.parent) if parent.parent is not None else None
    step = own.removeprefix(outer) if outer is not None and own.startswith(outer) else b""
    return own + (step or (b"\t" if own[:1] == b"\t" else STEP))


def add_element(data: bytes, parent: Tag, name: str, values: Mapping[str, str]) -> list[Patch]:
    """Return patches that add an element to a parent: after the last one of its name, else after all others."""
    return add_text(data, parent, name, element_text(name, values, data))


def element_text(name: str, values: Mapping[str, str], data: bytes = b"") -> bytes:
    """Return the text of an element with these attributes and no contents, for a file with the contents `data`."""
    text = b"<" + name.encode("utf-8")
    for key, value in values.items():
        text += b" " + key.encode("utf-8") + b'="' + escaped(value, b'"', data) + b'"'
    return text + b"/>"


def add_text(data: bytes, parent: Tag, name: str, text: bytes, after: Tag | None = None) -> list[Patch]:
    """Return patches that add the text of an element `name`, without indentation, to a parent: after a given child, or else
    after the last child of that name, or else after all children.
    """

    # a parent without contents (`<a/>`) gets a closing tag
    end, indent = line_end(data, parent.begin), _inner_indent(data, parent)
    text = text.replace(b"\n", end + indent)
    if parent.closed:
        slash = parent.inside - 2
        start = len(data[:slash].rstrip())
        own = indent_of(data, parent) or b""
        fresh = b">" + end + indent + text + end + own + b"</" + parent.name.encode("utf-8") + b">"
        return [Patch(start, data[start : parent.inside], fresh)]

    # insert after the given child, the last child with this name, or the last child
    behind = after or next(
        (c for c in reversed(parent.children) if c.name == name), parent.children[-1] if parent.children else None
    )
    if behind is not None:
        if indent_of(data, behind) is None:
            # this element shares a line with others
            return [Patch(behind.end, b"", text)]
        return [Patch(_behind_comment(data, behind.end), b"", end + indent + text)]

    # the only child: insert before the closing tag
    closing = _line_start(data, parent.close)
    if closing > parent.inside and not data[closing : parent.close].strip(BLANKS):
        return [Patch(closing, b"", indent + text + end)]
    return [Patch(parent.close, b"", end + indent + text + end + (indent_of(data, parent) or b""))]


def _behind_comment(data: bytes, at: int) -> int:
    """Return the offset after a comment that ends an element's line, or `at` if there is none."""
    rest = data[at : (data.find(b"\n", at) + 1 or len(data) + 1) - 1]
    stripped = rest.strip(BLANKS + b"\r")
    one = stripped.startswith(b"<!--") and stripped.endswith(b"-->") and stripped.find(b"-->") == len(stripped) - 3
    return at + len(rest.rstrip(BLANKS + b"\r")) if one else at


def delete_element(data: bytes, tag: Tag) -> list[Patch]:
    """Return patches that remove an element with its contents, and any lines that contain nothing else. SpecError for the
    root."""
    if tag.parent is None:
        raise SpecError("the root element cannot be deleted", Node(tag.name, {}, "", tag.line, tag.column))
    begin, end = tag.begin, tag.end
    start, stop = _line_start(data, begin), data.find(b"\n", end) + 1 or len(data)
    if not data[start:begin].strip(BLANKS) and not data[end:stop].strip(BLANKS + b"\r\n"):
        begin, end = start, stop
    return [Patch(begin, data[begin:end], b"")]
