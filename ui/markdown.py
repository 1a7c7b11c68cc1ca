"""Parses the Markdown of manual pages into blocks, without drawing them.

It supports headings, paragraphs, lists, tables, code between fences and pictures. Within a line, it supports **bold**,
*slanted*, `code` and [links](target).
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Span:
    """A piece of text within a line. `style`: empty, bold, slanted or code. `link`: target of a link. `picture`: file of a
    picture that is shown instead of the text.
    """

    text: str
    style: str = ""
    link: str = ""
    picture: str = ""


@dataclass(frozen=True)
class Block:
    """A block of a page. `kind`: heading (with `level`), text, item (with the `level` of its list and its `mark`), code (with
    `text`), table (with `rows` of cells), picture or rule.
    """

    kind: str
    spans: tuple[Span, ...] = ()
    level: int = 0
    mark: str = ""
    text: str = ""
    rows: tuple[tuple[tuple[Span, ...], ...], ...] = ()


_INLINE = re.compile(
    r"!\[(?P<alt>[^\]]*)\]\((?P<picture>[^)]+)\)|\[(?P<name>(?:[^\[\]]|`[^`]*`)+)\]\((?P<link>[^)\s]+)\)|`(?P<code>[^`]+)`"
    r"|\*\*(?P<bold>[^*]+)\*\*|(?<![\w*])\*(?P<slanted>[^*\s][^*]*)\*(?![\w*])|\\(?P<plain>[|*`\[\]_\\])"
    r"|(?P<url>https?://[^\s)>,]+[^\s)>,.])"
)
_ITEM = re.compile(r"^(\s*)([-*]|\d+\.)\s+(.*)$")
_FENCE, _HEADING, _RULE = re.compile(r"^\s*```"), re.compile(r"^(#{1,6})\s+(.*)$"), re.compile(r"^\s*(---+|\*\*\*+)\s*$")
# lines that end the paragraph before them
_BEGIN = re.compile(r"\s*([-*]\s|\d+\.\s|```|#{1,6}\s|\||---+\s*$)")
_DIVIDER = re.compile(r"^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$")


def spans(text: str) -> tuple[Span, ...]:
    """Split a line into pieces with one style each."""
    found, at = [], 0
    for hit in _INLINE.finditer(text):
        if hit.start() > at:
            found.append(Span(text[at : hit.start()]))
        at = hit.end()
        part = hit.groupdict()
        if part["picture"]:
            found.append(Span(part["alt"], picture=part["picture"]))
        elif part["link"]:
            found.append(Span(part["name"].replace("`", ""), "code" if part["name"].startswith("`") else "", part["link"]))
        elif part["url"]:
            found.append(Span(part["url"], link=part["url"]))
        else:
            style = next(s for s in ("code", "bold", "slanted", "plain") if part[s])
            found.append(
                Span(part[style].replace("`", "") if style == "slanted" else part[style], "" if style == "plain" else style)
            )
    if at < len(text):
        found.append(Span(text[at:]))
    return tuple(found)


def cells(line: str) -> tuple[tuple[Span, ...], ...]:
    """Return the cells of a table row. A bar after a backslash does not separate cells."""
    parts = re.split(r"(?<!\\)\|", line.strip().removeprefix("|").removesuffix("|"))
    return tuple(spans(part.strip()) for part in parts)


def parse(text: str) -> list[Block]:
    """Return the blocks of a page, in order."""
    lines, found, k = text.splitlines(), [], 0
    while k < len(lines):
        line = lines[k]
        if _FENCE.match(line):
            end = next((j for j in range(k + 1, len(lines)) if _FENCE.match(lines[j])), len(lines))
            found.append(Block("code", text="\n".join(lines[k + 1 : end])))
            k = end + 1
        elif hit := _HEADING.match(line):
            found.append(Block("heading", spans(hit[2]), len(hit[1])))
            k += 1
        elif _RULE.match(line):
            found.append(Block("rule"))
            k += 1
        elif line.lstrip().startswith("|") and k + 1 < len(lines) and _DIVIDER.match(lines[k + 1]):
            end = next((j for j in range(k + 2, len(lines)) if not lines[j].lstrip().startswith("|")), len(lines))
            found.append(Block("table", rows=tuple(cells(row) for row in (line, *lines[k + 2 : end]))))
            k = end
        elif line.startswith("    ") and not _ITEM.match(line):
            end = next((j for j in range(k, len(lines)) if lines[j].strip() and not lines[j].startswith("    ")), len(lines))
            found.append(Block("code", text="\n".join(row[4:] for row in lines[k:end]).rstrip()))
            k = end
        elif line.strip():
            k = _prose(lines, k, found)
        else:
            k += 1

    return found


def _prose(lines: list[str], k: int, found: list[Block]) -> int:
    """Read a paragraph or list item and join its lines. Return the index of the first line after it."""
    item = _ITEM.match(lines[k])
    words = [item[3] if item else lines[k].strip()]
    k += 1
    while k < len(lines) and lines[k].strip() and not _BEGIN.match(lines[k]):
        words.append(lines[k].strip())
        k += 1
    pieces = spans(" ".join(words))
    if item:
        found.append(Block("item", pieces, 1 + len(item[1].expandtabs(4)) // 2, "\u2022" if item[2] in "-*" else item[2]))
    elif len(pieces) == 1 and pieces[0].picture:
        found.append(Block("picture", pieces))
    else:
        found.append(Block("text", pieces))
    return k


def anchor(block: Block) -> str:
    """Return the anchor of a heading: the part after the # in links to it."""
    text = "".join(span.text for span in block.spans).lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
