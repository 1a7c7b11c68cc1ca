"""Lays out and draws a Markdown page: flowing text, tables, code, pictures, links. Parts outside the window are not drawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from imgui_bundle import ImVec2, imgui
from PIL import Image

from . import widgets
from .context import Context
from .markdown import Block, Span, anchor, parse

# Text sizes of headings by level, and of code, relative to normal text; spacing of lines and of blocks, in text heights.
HEADINGS, CODE, LEADING, GAP = (1.7, 1.3, 1.1, 1.0, 1.0, 1.0), 0.94, 0.28, 0.65
# In text heights: margins of code and of table cells, indent of lists, and maximum width of text.
CODE_MARGIN, CELL_MARGIN, INDENT, WIDEST = 0.6, 0.45, 1.4, 52.0
# In text heights: minimum width to which a table column is shrunk, and maximum width of pictures in a table.
NARROW, CELL_PICTURE = 4.0, 14.0
# {style: colour}; `block` is the style of a code block
COLORS = {"": "text", "slanted": "muted", "bold": "text", "code": "accent", "block": "text"}


def faces(ctx: Context) -> dict[str, Any]:
    """Return the font of each style."""
    fonts = ctx.fonts
    return {"": fonts.body, "slanted": fonts.body, "bold": fonts.bold, "code": fonts.mono, "block": fonts.mono}


@dataclass(frozen=True)
class Piece:
    """A part of the page at a position. `kind`: text, box, line or picture. `what`: the text, or the picture's file."""

    kind: str
    x: float
    y: float
    w: float
    h: float
    what: str = ""
    style: str = ""
    scale: float = 1.0
    link: str = ""


@dataclass
class Layout:
    """A page that has been laid out: its pieces from top to bottom, its total height, and the positions of headings."""

    pieces: list[Piece] = field(default_factory=list)
    height: float = 0.0
    anchors: dict[str, float] = field(default_factory=dict)


@cache
def picture(path: str) -> np.ndarray | None:
    """Read a picture file as (h, w, 3) bytes; return None if it cannot be read."""
    try:
        with Image.open(path) as image:
            return np.asarray(image.convert("RGB"))
    except OSError:
        return None


class Setter:
    """Computes the layout of a page."""

    def __init__(self, ctx: Context, folder: Path, width: float) -> None:
        self.ctx, self.folder, self.width = ctx, folder, width
        self.em, self.out, self.y = widgets.em(), Layout(), 0.0
        self.fonts = faces(ctx)

    def page(self, text: str) -> Layout:
        for block in parse(text):
            getattr(self, f"_{block.kind}")(block)
            self.y += GAP * self.em
        self.out.height = self.y
        return self.out

    # --- blocks -----------------------------------------------------------------------------------------------------

    def _heading(self, block: Block) -> None:
        self.y += (0.0 if not self.y else 0.5) * self.em
        self.out.anchors[anchor(block)] = self.y
        self._flow(tuple(Span(s.text, "bold", s.link) for s in block.spans), 0, self.width, HEADINGS[block.level - 1])

    def _text(self, block: Block) -> None:
        self._flow(block.spans, 0, self.width)

    def _item(self, block: Block) -> None:
        x = INDENT * self.em * block.level
        # List items are closer together than paragraphs.
        self.y -= 0.3 * self.em
        self._put("text", x - self.em, self._size(block.mark), block.mark)
        self._flow(block.spans, x, self.width - x)

    def _code(self, block: Block) -> None:
        margin, top = CODE_MARGIN * self.em, self.y
        lines, high = block.text.split("\n"), CODE * self.em * (1 + LEADING)
        self.out.pieces.append(Piece("box", 0, top, self.width, len(lines) * high + 2 * margin, block.text))
        self.y += margin
        for line in lines:
            if line:
                self._put("text", margin, self._size(line, "block", CODE), line, "block", CODE)
            self.y += high
        self.y += margin

    def _rule(self, _block: Block) -> None:
        self._line()

    def _picture(self, block: Block) -> None:
        self._image(block.spans[0], 0, self.width)

    def _table(self, block: Block) -> None:
        margin, count = CELL_MARGIN * self.em, max(map(len, block.rows))
        rows = [row + ((),) * (count - len(row)) for row in block.rows]
        wanted = [max(self._length(row[k]) for row in rows) + 2 * margin for k in range(count)]
        widths = self._share(wanted)
        for n, row in enumerate(rows):
            if not any(row):
                continue
            top, bottom, x = self.y, self.y, 0.0
            for width, cell in zip(widths, row):
                self.y = top + 0.5 * margin
                self._flow(
                    tuple(Span(s.text, "bold", s.link, s.picture) for s in cell) if not n else cell,
                    x + margin,
                    width - 2 * margin,
                )
                bottom, x = max(bottom, self.y), x + width
            self.y = bottom + 0.5 * margin
            self._line()

    def _share(self, wanted: list[float]) -> list[float]:
        """Return the widths of table columns: the wanted widths if there is room; otherwise, wide columns are reduced first."""
        room, left, widths = self.width, len(wanted), [0.0] * len(wanted)
        for k in sorted(range(len(wanted)), key=lambda k: wanted[k]):
            widths[k] = min(wanted[k], max(room / left, min(NARROW * self.em, wanted[k])))
            room, left = room - widths[k], left - 1
        return widths

    # --- lines ------------------------------------------------------------------------------------------------------

    def _flow(self, spans: tuple[Span, ...], left: float, width: float, scale: float = 1.0) -> None:
        """Lay out flowing text from left to right, in as many lines as it needs."""
        x, high, pending = 0.0, scale * self.em * (1 + LEADING), None
        for span in spans:
            if span.picture:
                self._image(span, left, min(width, CELL_PICTURE * self.em))
                continue
            size = scale * (CODE if span.style == "code" else 1.0)
            for word in _words(span.text):
                w = self._size(word, span.style, size)
                if x and x + self._size(word.rstrip(), span.style, size) > width:
                    pending = self._write(pending)
                    x, self.y, word = 0.0, self.y + high, word.lstrip()
                    w = self._size(word, span.style, size)
                # Join words of the same style into one piece, so that there is less to draw.
                if pending and pending.style == span.style and pending.link == span.link and pending.scale == size:
                    pending = Piece(
                        "text", pending.x, self.y, pending.w + w, pending.h, pending.what + word, span.style, size, span.link
                    )
                else:
                    self._write(pending)
                    pending = Piece("text", left + x, self.y, w, size * self.em, word, span.style, size, span.link)
                x += w

        self._write(pending)
        self.y += high if x else 0.0

    def _write(self, piece: Piece | None) -> None:
        if piece is not None and piece.what:
            self.out.pieces.append(piece)

    def _image(self, span: Span, left: float, room: float) -> None:
        path = str((self.folder / span.picture).resolve())
        pixels = picture(path)
        if pixels is None:
            self._flow((Span(f"[{span.text}]", "slanted"),), left, room)
            return
        height, width = pixels.shape[:2]
        w = min(room, float(width) * self.em / 15)
        self.out.pieces.append(Piece("picture", left, self.y, w, w * height / width, path))
        self.y += w * height / width + 0.3 * self.em

    def _line(self) -> None:
        self.out.pieces.append(Piece("line", 0, self.y, self.width, 1))

    def _put(self, kind: str, x: float, w: float, what: str, style: str = "", scale: float = 1.0) -> None:
        self.out.pieces.append(Piece(kind, x, self.y, w, scale * self.em, what, style, scale))

    def _length(self, spans: tuple[Span, ...]) -> float:
        """Return the width that pieces of text need on one line."""
        return sum(
            CELL_PICTURE * self.em if s.picture else self._size(s.text, s.style, CODE if s.style == "code" else 1.0)
            for s in spans
        )

    def _size(self, text: str, style: str = "", scale: float = 1.0) -> float:
        with widgets.font(self.fonts[style], scale):
            return imgui.calc_text_size(text).x


def _words(text: str) -> list[str]:
    """Split a text into words, each with the space before it."""
    found, word = [], ""
    for letter in text:
        if letter == " " and word.strip():
            found.append(word)
            word = ""
        word += letter
    return [*found, word] if word else found


def draw(ctx: Context, layout: Layout, follow: Callable[[str], None]) -> None:
    """Draw the visible part of a page. A click on a link calls `follow(target)`; a double click on code copies it."""
    origin, low = imgui.get_cursor_screen_pos(), imgui.get_scroll_y()
    high = low + imgui.get_window_height()
    fonts = faces(ctx)
    canvas, size = imgui.get_window_draw_list(), imgui.get_font_size()
    over = imgui.is_window_hovered()

    for piece in layout.pieces:
        if piece.y + piece.h < low or piece.y > high:
            continue
        a, b = (
            ImVec2(origin.x + piece.x, origin.y + piece.y),
            ImVec2(origin.x + piece.x + piece.w, origin.y + piece.y + piece.h),
        )
        under = over and piece.kind in ("text", "box") and imgui.is_mouse_hovering_rect(a, b)
        if piece.kind == "text":
            color = ctx.theme.u32("accent" if piece.link else COLORS[piece.style])
            canvas.add_text(fonts[piece.style], piece.scale * size, a, color, piece.what)
            if piece.link:
                canvas.add_line(ImVec2(a.x, b.y), b, ctx.theme.u32("accent", 1.0 if under else 0.35))
                if under:
                    imgui.set_mouse_cursor(imgui.MouseCursor_.hand)
                    if imgui.is_mouse_clicked(0):
                        follow(piece.link)
        elif piece.kind == "box":
            canvas.add_rect_filled(a, b, ctx.theme.u32("field"), widgets.em(0.3))
            if under and imgui.is_mouse_double_clicked(0):
                imgui.set_clipboard_text(piece.what)
        elif piece.kind == "line":
            canvas.add_line(a, ImVec2(b.x, a.y), ctx.theme.u32("border"))
        else:
            pixels = picture(piece.what)
            texture = ctx.texture(("page", piece.what), pixels) if ctx.texture and pixels is not None else 0
            if texture:
                canvas.add_image(imgui.ImTextureRef(texture), a, b)

    imgui.dummy(ImVec2(1, layout.height))
