"""Elements as text outside of a file (snippets): copying, checking, renaming, and indenting them for another place in a file.

A snippet holds elements of a body as they are written, and other elements inside their section, such as `<actuator>`. A comment
before them gives the settings for angles with which they were written.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from ..language import about
from ..language.errors import SpecError
from ..language.free_names import free_name
from ..language.schema import BODY, ROOT, Elem, check
from ..language.xmltree import Node, parse
from . import patch
from .numbers import number_text
from .origin import Origin
from .pose import frame_pose, moved
from .tags import Tag, attributes, read_tags

# Longer snippets are not pasted.
LONGEST = 1 << 20
# Sections whose elements may be pasted. The others hold settings of the whole model.
SECTIONS = ("asset", "deformable", "contact", "equality", "tendon", "actuator", "sensor", "keyframe", "custom")
OPEN, CLOSE = b"<mujoco>", b"</mujoco>"
SETTINGS = '<!-- angle="{}" eulerseq="{}" -->\n'
_SETTINGS = re.compile(r'^\s*<!-- angle="(degree|radian)" eulerseq="([xyzXYZ]{3})" -->\s*')
# {attribute that refers to an element: kind of that element}
REFERS = {
    "target": "body",
    "jointinparent": "joint",
    "refsite": "site",
    "cranksite": "site",
    "slidersite": "site",
    "sidesite": "site",
    **{f"{kind}{n}": kind for kind in ("body", "joint", "geom", "site", "tendon") for n in ("", "1", "2")},
    **{kind: kind for kind in ("actuator", "material", "mesh", "texture", "hfield")},
}
# {attribute that names an element: attribute that gives the element's kind}
TYPED = {"objname": "objtype", "refname": "reftype"}
# {keyword of `objtype` that is not a kind: its kind}
WORDS = {"xbody": "body"}


def kind_of(elem: Elem) -> str:
    """Return the kind of element that a row of the grammar describes; empty if it has none."""
    return elem.struct.removeprefix("Mjs").lower()


def copied(origin: Origin, data: bytes, tag: Tag, carrier: Any) -> bytes:
    """Return the text of an element for pasting elsewhere: with its class, and with its pose in its body even if it is in a
    frame.

    `carrier` is the body that holds the element, None for elements outside bodies.
    """
    changes: dict[str, str | None] = {}
    element, attrs = origin.element, origin.node.attrs
    default, word = getattr(element, "default", None), "childclass" if tag.name == "body" else "class"
    if default is not None and default.label != "main" and word in origin.elem.attrs and word not in attrs:
        changes[word] = default.label
    if carrier is not None and getattr(element, "frame", None) is not None:
        changes |= moved(origin, carrier, frame_pose(element, carrier))
    return lifted(patch.apply(data, patch.set_attributes(data, tag, changes)), tag)


def lifted(data: bytes, tag: Tag) -> bytes:
    """Return the text of the element that begins where `tag` does, without the indentation of its lines."""
    again = next(one for one in read_tags(data) if one.begin == tag.begin)
    text = data[again.begin : again.end].replace(b"\r\n", b"\n")
    indent = patch.indent_of(data, again) or b""
    first, *rest = text.split(b"\n")
    return b"\n".join([first, *(line.removeprefix(indent) for line in rest)])


def with_settings(text: str, degree: bool, eulerseq: str) -> str:
    """Return a snippet that begins with a comment about its angles: their unit, and the sequence of Euler angles."""
    return SETTINGS.format("degree" if degree else "radian", eulerseq) + text


def read(text: str) -> tuple[str, bool | None, str]:
    """Return (snippet without the comment about its angles, whether they are in degrees (None: unknown), sequence of Euler
    angles)."""
    if len(text) > LONGEST:
        raise SpecError("the text on the clipboard is too long to be elements of a model")
    found = _SETTINGS.match(text)
    return (text[found.end() :], found[1] == "degree", found[2]) if found else (text, None, "")


def parts(text: str) -> list[tuple[str, bytes]]:
    """Return the elements of a snippet: (section, text), with section `worldbody` for elements of a body. Check them as in a
    file; SpecError for any other text.
    """
    data = OPEN + text.encode("utf-8", "surrogatepass").strip() + CLOSE
    root = parse(data, "clipboard")
    tags = [tag for tag in read_tags(data, "clipboard") if tag.parent is not None and tag.parent.parent is None]
    found: list[tuple[str, bytes]] = []
    for node, tag in zip(root.children, tags, strict=True):
        if node.tag in BODY.children:
            check(node, BODY.children[node.tag])
            found.append(("worldbody", lifted(data, tag)))
        elif node.tag in SECTIONS:
            check(node, ROOT.children[node.tag])
            found += [(node.tag, lifted(data, child)) for child in tag.children]
        else:
            raise SpecError(f"<{node.tag}> on the clipboard is not an element that can be pasted", node)
    if not found:
        raise SpecError("there are no elements of a model on the clipboard")
    return found


def walk(data: bytes, elem: Elem) -> Iterator[tuple[Tag, Elem]]:
    """Yield all tags of a snippet's element with their rows of the grammar."""
    known: dict[int, Elem] = {}
    for tag in read_tags(data):
        row = elem if tag.parent is None else known[id(tag.parent)].children.get(tag.name)
        if row is None:
            raise SpecError(f"unrecognized element '{tag.name}'", Node(tag.name, {}, "clipboard", tag.line, tag.column))
        known[id(tag)] = row
        yield tag, row


def values(data: bytes, tag: Tag) -> dict[str, str]:
    """Return the attributes of a tag as written; references such as `&amp;` are not resolved."""
    return {name: data[span.value : span.end].decode("utf-8", "replace") for name, span in attributes(data, tag)}


def row_of(section: str, data: bytes) -> Elem:
    """Return the row of the grammar for an element of a section."""
    name = read_tags(data)[0].name
    return ROOT.children[section].children[name]


def renames(found: Collection[tuple[str, bytes]], taken: Mapping[str, Collection[str]]) -> dict[tuple[str, str], str]:
    """Return {(kind, name): new name} for names of a snippet's elements that are taken, or used twice."""
    used = {kind: set(names) for kind, names in taken.items()}
    out: dict[tuple[str, str], str] = {}
    for section, data in found:
        for tag, row in walk(data, row_of(section, data)):
            name, kind = values(data, tag).get("name", ""), kind_of(row)
            if not name or not kind:
                continue
            names = used.setdefault(kind, set())
            if name in names:
                out[kind, name] = fresh(name, names)
            names.add(out.get((kind, name), name))
    return out


def fresh(name: str, taken: Collection[str]) -> str:
    """Return the first of name_2, name_3 ... that is not taken. If the name ends with a number, counting continues from
    there."""
    stem, number = re.fullmatch(r"(.*?)(?:_(\d{1,6}))?", name, re.DOTALL).groups()  # type: ignore[union-attr]
    return free_name(stem, taken, int(number) + 1 if number else 2, always=True)


def renamed(section: str, data: bytes, new: Mapping[tuple[str, str], str]) -> bytes:
    """Return an element's text with new names, also where it refers to them."""
    patches = []
    for tag, row in walk(data, row_of(section, data)):
        found, changes = values(data, tag), {}
        for key, text in found.items():
            kind = kind_of(row) if key == "name" else REFERS.get(key, "")
            if key in TYPED:
                kind = WORDS.get(word := found.get(TYPED[key], ""), word)
            if (kind, text) in new:
                changes[key] = new[kind, text]
        patches += patch.set_attributes(data, tag, changes)
    return patch.apply(data, patches)


def converted(section: str, data: bytes, degree: bool) -> bytes:
    """Return an element's text with its angles in degrees instead of radians, or the reverse."""
    patches, factor = [], 180 / math.pi if degree else math.pi / 180
    for tag, row in walk(data, row_of(section, data)):
        found, changes = values(data, tag), {}
        for key in found.keys() & row.attrs.keys():
            if (angles := angle_part(row, key, found)) is not None:
                words = found[key].split()
                changes[key] = " ".join(
                    number_text(float(word) * factor) if k in range(len(words))[angles] else word
                    for k, word in enumerate(words)
                )
        patches += patch.set_attributes(data, tag, changes)
    return patch.apply(data, patches)


def angle_part(row: Elem, key: str, found: Mapping[str, Any]) -> slice | None:
    """Return the slice of an attribute's numbers that are angles in the file's unit; None if none are. `found`: other
    attributes."""
    unit = (about.of_attribute(row, key) or ("",))[0]
    if unit == "angle":
        return slice(3, None) if key == "axisangle" else slice(None)
    return slice(None) if unit == "m or angle" and found.get("type", "hinge") in ("hinge", "ball") else None
