"""Tooltips in the source editor. They explain the MJCF element or attribute under the mouse, with descriptions from the tables
of the language.
"""

from __future__ import annotations

import re
import textwrap

from ..engine.description.language import about
from ..engine.description.language.attributes import Attr
from ..engine.description.language.schema import ROOT, Elem
from .fields import ACROSS
from .xml_colors import tokens

ROOTS = ("mujoco", "mujocoinclude")
# Files longer than this get no tooltips, because the text is parsed for each word under the mouse.
LONGEST = 4_000_000
_TAG = re.compile(r"<!--.*?(?:-->|\Z)|<(/?)([\w:.-]+)((?:[^<>\"']|\"[^\"]*\"|'[^']*')*?)(/?)>", re.DOTALL)
KINDS = {"s": "text", "file": "file name", "class": "default class", "f": "number", "i": "integer"}


def at(text: str, place: int) -> str:
    """Return the tooltip for a character offset in an XML text; empty if there is nothing to explain there."""
    if len(text) > LONGEST:
        return ""
    hit = next(((a, b, what) for a, b, what in tokens(text, place, place + 1) if a <= place < b), None)
    if hit is None or hit[2] not in ("tag", "name"):
        return ""
    begin = text.rfind("<", 0, place + 1)
    tag = re.compile(r"</?([\w:.-]*)").match(text, begin)
    elem = find([*above(text, begin), tag[1]]) if tag else None
    if elem is None:
        return ""
    return of_element(elem) if hit[2] == "tag" else of_attribute(elem, text[hit[0] : hit[1]])


def above(text: str, place: int) -> list[str]:
    """Return the names of the elements that contain a character offset, outermost first. An end tag does not
    count as inside its element.
    """
    path: list[str] = []
    for tag in _TAG.finditer(text, 0, place):
        if not tag[2]:
            continue
        if tag[1]:
            del path[-1:]
        elif not tag[4]:
            path.append(tag[2])
    return path[:-1] if text.startswith("</", place) else path


def find(path: list[str]) -> Elem | None:
    """Return the element of the MJCF grammar at a path of names; None if there is none."""
    if path[0] not in ROOTS:
        return None
    elem: Elem | None = ROOT
    for name in path[1:]:
        elem = elem.children.get(name) if elem is not None else None
    return elem


def of_element(elem: Elem) -> str:
    """Return the name and the description of an element, as a text."""
    return f"<{elem.name}>\n" + textwrap.fill(about.of_element(elem), ACROSS)


def of_attribute(elem: Elem, name: str) -> str:
    """Return the name, type, unit and description of an attribute as a text; the type includes the keywords that it allows."""
    attr, found = elem.attrs.get(name), about.of_attribute(elem, name) if name in elem.attrs else None
    if attr is None or found is None:
        return ""
    unit, doc = found
    head = "   ".join(x for x in (name, kind(attr), unit if unit != "-" else "", "required" if attr.required else "") if x)
    return head + "\n" + textwrap.fill(doc, ACROSS)


def kind(attr: Attr) -> str:
    """Describe the allowed values of an attribute."""
    if attr.words:
        return textwrap.shorten(" | ".join(attr.words), ACROSS, placeholder=" ...")
    one = KINDS[attr.kind]
    if attr.high == 1 or attr.kind not in "fi":
        return one
    return f"{one}s" if attr.high < 0 else f"{attr.high} {one}s" if attr.low == attr.high else f"up to {attr.high} {one}s"
