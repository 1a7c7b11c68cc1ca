"""Syntax highlighting for XML in the code editor, which does not support XML. Letters are recoloured right after the editor has
drawn them.

Only visible lines are processed. Parsing starts at the last tag or comment that begins before them.
"""

from __future__ import annotations

import ctypes
import re
import unicodedata
from typing import Any

import numpy as np
from imgui_bundle import ImVec2, imgui
from imgui_bundle import imgui_color_text_edit as text_edit

Editor = text_edit.TextEditor
VERTEX = np.dtype([("pos", "<f4", 2), ("uv", "<f4", 2), ("color", "<u4")])
# the editor's child window for searches
SEARCH = "find-replace"
# Columns beyond this are never visible.
WIDEST = 1000
# {token: its colour in the editor's palette}
COLORS = {
    "comment": Editor.Color.comment,
    "declaration": Editor.Color.preprocessor,
    "tag": Editor.Color.keyword,
    "sign": Editor.Color.punctuation,
    "name": Editor.Color.known_identifier,
    "text": Editor.Color.string,
    "number": Editor.Color.number,
}
# A value ends at the next tag at the latest. Otherwise, a missing quote would colour the rest of the file.
_TOKEN = re.compile(
    r"""(?P<comment><!--.*?(?:-->|\Z))|(?P<declaration><[?!][^>]*>?)|(?P<open></?)(?P<tag>[\w:.-]*)|(?P<close>/?>)"""
    r"""|(?P<value>"[^"<]*"?|'[^'<]*'?)|(?P<name>[\w:.-]+)|(?P<sign>=)""",
    re.DOTALL,
)
_NUMBERS = re.compile(r"""["'][\s\d.eE+-]+["']?""")


def tokens(text: str, begin: int, end: int) -> list[tuple[int, int, str]]:
    """Return (first, end, token) of the coloured tokens between two positions of a text. Text between tags is not coloured."""
    out: list[tuple[int, int, str]] = []
    inside = False
    for hit in _TOKEN.finditer(text, start(text, begin)):
        if hit.start() >= end:
            break
        kind, (first, last) = hit.lastgroup, hit.span()
        if kind in ("comment", "declaration"):
            out.append((first, last, kind))
        elif kind == "tag":
            inside = True
            out += [(*hit.span("open"), "sign"), (*hit.span("tag"), "tag")]
        elif not inside:
            continue
        elif kind == "value":
            out.append((first, last, "number" if _NUMBERS.fullmatch(hit[0]) else "text"))
        else:
            inside = kind != "close"
            out.append((first, last, "name" if kind == "name" else "sign"))
    return [token for token in out if token[1] > begin]


def start(text: str, begin: int) -> int:
    """Return the position at which to start parsing, so that the syntax at `begin` is known."""
    comment = text.rfind("<!--", 0, begin)
    if comment >= 0 and text.find("-->", comment, begin) < 0:
        return comment
    return max(0, text.rfind("<", 0, begin))


def line_starts(text: str) -> np.ndarray:
    """Return the position of the first letter of every line."""
    return np.concatenate([[0], np.flatnonzero(np.frombuffer(text.encode("utf-32-le"), "<u4") == ord("\n")) + 1])


def cells(text: str, starts: np.ndarray, first: int, last: int, tab: int, colors: dict[str, int], plain: int) -> np.ndarray:
    """Return the colours (lines, columns) of the letters in lines `first` to `last`."""
    begin, end = int(starts[first]), int(starts[last + 1]) if last + 1 < len(starts) else len(text)
    flat = np.full(end - begin + 1, plain, np.uint32)
    for a, b, what in tokens(text, begin, end):
        flat[max(0, a - begin) : b - begin] = colors[what]
    out = np.full((last - first + 1, WIDEST), plain, np.uint32)
    for row in range(last - first + 1):
        a = int(starts[first + row])
        b = int(starts[first + row + 1]) - 1 if first + row + 1 < len(starts) else len(text)
        line = text[a:b]
        part = flat[a - begin : b - begin]
        if "\t" in line or not line.isascii():
            part = np.repeat(part, columns(line, tab))
        out[row, : min(len(part), WIDEST)] = part[:WIDEST]
    return out


def columns(line: str, tab: int) -> list[int]:
    """Return the number of columns of each letter in the editor: tabs end at multiples of `tab`, Chinese letters have two."""
    found: list[int] = []
    column = 0
    for letter in line:
        wide = 1 + (unicodedata.east_asian_width(letter) in "WF")
        found.append(tab - column % tab if letter == "\t" else wide)
        column += found[-1]
    return found


def inner(window: Any, title: str) -> Any:
    """Return the child window with this title; None if there is none yet."""
    return imgui.internal.find_window_by_name(f"{window.name}/{title}_{window.get_id(title):08X}")


def back_search(title: str, color: int) -> None:
    """Give the editor's search box an opaque background, because the text below would show through. Call this after `paint`."""
    editor = inner(imgui.internal.get_current_window(), title)
    box = inner(editor, SEARCH) if editor is not None else None
    if editor is None or box is None or not box.active:
        return
    # The box is drawn after its parent's list.
    low, high = box.pos, ImVec2(box.pos.x + box.size.x, box.pos.y + box.size.y)
    editor.draw_list.push_clip_rect(low, high)
    editor.draw_list.add_rect_filled(low, high, color)
    editor.draw_list.pop_clip_rect()


class Painter:
    """Recolours the text that an editor has drawn."""

    def __init__(self, widget: Any) -> None:
        self.widget = widget
        self._text, self._starts = "", line_starts("")
        self._key: tuple = ()
        self._cells = np.zeros((0, 0), np.uint32)

    def paint(self, text: str, title: str) -> None:
        """Recolour the text of the editor. Call this right after `render(title)`, in the same window. `text` is the editor's
        text.
        """
        widget, child = self.widget, inner(imgui.internal.get_current_window(), title)
        if child is None or not child.draw_list.vtx_buffer.size():
            return
        if text is not self._text:
            self._text, self._starts, self._key = text, line_starts(text), ()
        count = len(self._starts)
        first, last = (min(max(row, 0), count - 1) for row in (widget.get_first_visible_row(), widget.get_last_visible_row()))

        # An editor that is hardly higher than its frame shows no lines.
        if last < first:
            return

        palette = widget.get_palette()
        plain = palette.get(Editor.Color.text)
        key = first, last, plain
        if key != self._key:
            colors = {what: palette.get(color) for what, color in COLORS.items()}
            self._key, self._cells = key, cells(text, self._starts, first, last, widget.get_tab_size(), colors, plain)
        origin = widget.doc_pos2_screen_pos(Editor.DocPos(first, 0))
        recolor(
            vertices(child.draw_list),
            self._cells,
            (origin.x, origin.y),
            (widget.get_glyph_width(), widget.get_line_height()),
            plain,
        )


def vertices(draw_list: Any) -> np.ndarray:
    """Return the vertices of a draw list without copying them. They are valid until more is drawn."""
    buffer = draw_list.vtx_buffer
    return np.frombuffer((ctypes.c_char * (buffer.size() * VERTEX.itemsize)).from_address(buffer.data_address()), VERTEX)


def recolor(rows: np.ndarray, table: np.ndarray, origin: tuple[float, float], cell: tuple[float, float], plain: int) -> None:
    """Give every letter the colour of its cell. A letter consists of four vertices in the plain colour, with an area of the
    font texture.
    """
    found = np.flatnonzero(rows["color"] == plain)
    if len(found) % 4 or not len(found) or not min(cell) > 0:
        return
    quads = found.reshape(-1, 4)
    # Skip cursors, whose vertices share a single point of the texture.
    letters = quads[np.ptp(rows["uv"][quads], axis=1).min(-1) > 0]
    middle = (rows["pos"][letters].mean(1) - origin) / cell
    column, line = np.floor(middle).astype(int).T
    inside = (column >= 0) & (line >= 0) & (line < len(table)) & (column < table.shape[1])
    rows["color"][letters[inside]] = table[line[inside], column[inside], None]
