"""Figures drawn with OpenGL: `mjr_figure`. The layout is computed in numpy, then drawn as rectangles, lines and text.

Pixel positions start at the lower left corner of the figure. The computed axes are written back into the figure, where scripts
expect them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..scene.figure import HIGHLIGHT, MjvFigure, axis_range, line_name, number, subtitle
from .frame import BLOCK, ortho
from .state import GL

MAX_TICKS, SELECTION_WIDTH = 20, 3
WHITE = (1.0, 1.0, 1.0)
MUTED = 0.4


class Page:
    """The layout of a figure: rectangles (x, y, w, h, rgba), lines, texts (x, y, text, rgba), and the remaining plot area."""

    def __init__(self, fig: MjvFigure, w: int, h: int, char: int, line: int) -> None:
        self.fig, self.char, self.line, self.pad = fig, char, line, line // 2
        self.back, self.rects, self.texts, self.legend = [(0, 0, w, h, *fig.figurergba)], [], [], []
        self.segments = []
        self.limits = [axis_range(fig, 0), axis_range(fig, 1)]
        self.pane = [0, 0, w, h]
        self._titles(w, h)
        self._ticks()
        x, y, w, h = self.pane
        self.pane = [x + self.pad, y + self.pad, w - 2 * self.pad, h - 2 * self.pad]

    def width(self, text: str) -> int:
        """Return the width of a text in pixels."""
        return len(text) * self.char

    def _write(self, x: float, y: float, text: str, rgb: Sequence[float] | np.ndarray) -> None:
        self.texts.append((x, y, text, (*(float(c) for c in rgb), 1.0)))

    def _titles(self, w: int, h: int) -> None:
        """Add the subplot's title, muted titles of the neighboring subplots, and the x axis label. All of them reduce the plot
        area's height."""
        fig, x0, y0 = self.fig, 0, 0
        first, last = subtitle(fig.title, fig.subplot)
        top = 0
        if last > first:
            top = self.line + self.pad
            left, y = max(0, w // 2 - self.width(fig.title[first:last]) // 2), h - top
            rgb = np.asarray(fig.textrgb)
            before = fig.title[max(0, first - left // self.char) : first]
            after = fig.title[last : last + max(0, int((w - left) // self.char) - (last - first))]
            muted = MUTED * rgb + (1 - MUTED) * np.asarray(fig.figurergba)[:3]
            self._write(left - self.width(before), y, before, muted)
            self._write(left + (last - first) * self.char, y, after, muted)
            self._write(left, y, fig.title[first:last], rgb)
        if fig.xlabel:
            self._write(max(0, w / 2 - self.width(fig.xlabel) / 2), self.pad, fig.xlabel, fig.textrgb)
            y0 = self.line + self.pad // 2
        self.pane = [x0, y0, w, h - y0 - top]

    def _ticks(self) -> None:
        """Add tick labels of both axes, which reduce the plot area."""
        fig = self.fig
        if min(fig.gridsize) <= 1:
            return

        # Make the label texts; compute the margins that they need below and to the left.
        x0, y0, w, h = self.pane
        (nx, ny), pad = (min(int(k), MAX_TICKS) for k in fig.gridsize), self.pad
        xs = [number(fig.xformat, v) for v in np.linspace(*self.limits[0], nx)] if fig.flg_ticklabel[0] else []
        ys = [number(fig.yformat, v) for v in np.linspace(*self.limits[1], ny)] if fig.flg_ticklabel[1] else []
        below = self.line + pad if xs else 0
        aside = max(self.width(t) for t in [fig.minwidth, *ys]) + pad if ys else 0

        # Add labels of the x axis.
        for i, text in enumerate(xs):
            # The first and last labels must stay inside the pane.
            back = 0 if i == 0 else self.width(text) * (1 if i == nx - 1 else 0.5)
            self._write(x0 + pad + aside + (w - 2 * pad - aside) * i / (nx - 1) - back, y0 + pad, text, fig.textrgb)

        # Add labels of the y axis.
        for i, text in enumerate(ys):
            self._write(
                x0 + aside - self.width(text),
                y0 + pad + below - self.line / 2 + (h - 2 * pad - below) * i / (ny - 1),
                text,
                fig.textrgb,
            )
        self.pane = [x0 + aside, y0 + below, w - aside, h - below]

    def at(self, points: npt.ArrayLike) -> np.ndarray:
        """Return the pixels of data points (n, 2)."""
        x, y, w, h = self.pane
        low, high = np.array(self.limits).T
        return np.array([x, y]) + (np.asarray(points, float) - low) / (high - low) * np.array([w, h])

    def stroke(self, ends: np.ndarray, rgb: Sequence[float] | np.ndarray, width: float) -> None:
        """Add line segments (n, 2, 2), in pixels. Omit segments with an end that is not finite."""
        ends = ends[np.isfinite(ends).all((1, 2))]
        rows = np.zeros((len(ends), 12), np.float32)
        rows[:, 0:2], rows[:, 3:5] = ends[:, 0], ends[:, 1]
        rows[:, 6:9], rows[:, 9], rows[:, 10] = rgb, 1, width
        self.segments.append(rows)

    def plot(self) -> None:
        """Lay out the plot area, grid, lines, selection, legend and highlighted line."""
        fig = self.fig
        x, y, w, h = self.pane
        self.rects.append((x, y, w, h, *fig.panergba))
        if min(fig.gridsize) > 1:
            nx, ny = (min(int(k), MAX_TICKS) for k in fig.gridsize)
            upright = [((v, y), (v, y + h)) for v in np.linspace(x, x + w, nx)]
            level = [((x, v), (x + w, v)) for v in np.linspace(y, y + h, ny)]
            self.stroke(np.array(upright + level, float), fig.gridrgb, fig.gridwidth)

        # The first line is drawn last, so it is on top.
        for k in range(len(fig.linepnt) - 1, -1, -1):
            self.curve(k, fig.linewidth)
        if fig.flg_selection:
            self.stroke(self.at([(fig.selection, v) for v in self.limits[1]])[None], WHITE, SELECTION_WIDTH)

        # Draw the highlighted line again, wider, with its value at the selection.
        chosen = self.names() if fig.flg_legend else fig.highlightid
        if 0 <= chosen < len(fig.linepnt) and fig.linepnt[chosen] > 0:
            self.curve(chosen, HIGHLIGHT * fig.linewidth)
            if fig.flg_selection:
                points = fig.linedata[chosen].reshape(-1, 2)[: fig.linepnt[chosen]]
                near = points[np.argmin(np.abs(points[:, 0] - fig.selection))]
                self._write(x + 0.1 * w, y + 0.1 * h, f"( {near[0]:.4g} : {near[1]:.4g} )", fig.textrgb)

    def curve(self, k: int, width: float) -> None:
        """Draw line k as one polyline, or as separate bars."""
        points = self.at(self.fig.linedata[k].reshape(-1, 2)[: max(int(self.fig.linepnt[k]), 0)])
        if len(points) > 1:
            ends = (
                points[: len(points) // 2 * 2].reshape(-1, 2, 2)
                if self.fig.flg_barplot
                else np.stack([points[:-1], points[1:]], 1)
            )
            self.stroke(ends, self.fig.linergb[k], width)

    def names(self) -> int:
        """Lay out the legend in the upper right corner. Return the line to highlight: the line whose name is at position
        `highlight`, else line `highlightid`."""
        fig, pad, line = self.fig, self.pad, self.line
        x, y, w, h = self.pane
        named = [(k, name) for k in range(max(fig.legendoffset, 0), len(fig.linepnt)) if (name := line_name(fig, k))]
        named = named[: max(0, int((h - 2 * pad) // line))]
        chosen = fig.highlightid
        if not named:
            return chosen

        # The legend is as wide as its longest name.
        wide = max(self.width(name) for _, name in named)
        self.legend.append(
            (
                x + w - 2 * pad - wide,
                y + h - 2 * pad - line * len(named),
                wide + 2 * pad,
                line * len(named) + 2 * pad,
                *fig.legendrgba,
            )
        )
        for row, (k, name) in enumerate(named):
            self._write(x + w - pad - self.width(name), y + h - pad - (row + 0.85) * line, name, fig.linergb[k])

        # The mouse position is in pixels of the framebuffer.
        mx, my = fig.highlight[0] - self.corner[0], fig.highlight[1] - self.corner[1]
        if x + w - pad - wide <= mx <= x + w - pad and y + h - pad - line * len(named) <= my <= y + h - pad:
            chosen = named[min(int((y + h - pad - my) // line), len(named) - 1)][0]
        return chosen

    corner: tuple[int, int] = (0, 0)


def draw_figure(viewport: tuple[int, int, int, int], fig: MjvFigure, con: Any) -> None:
    """Draw a figure into (x, y, w, h) of the bound framebuffer and store its axes in it."""
    x, y, w, h = viewport
    page = Page(fig, w, h, int(con.charWidth[ord("0")]), con.charHeight)
    page.corner = x, y
    fig.xaxisdata, fig.yaxisdata = page.limits
    left, bottom, wide, high = page.pane
    GL.glViewport(x, y, w, h)
    if wide > 0 and high > 0:
        fig.xaxispixel, fig.yaxispixel = [x + left, x + left + wide - 1], [y + bottom, y + bottom + high - 1]
        page.plot()
    quads = con.renderer.labels.quads
    quads(con.fill, fills(page.back + page.rects), (w, h))
    if page.segments:
        strokes(con, np.concatenate(page.segments), (w, h), (int(x + left), int(y + bottom), int(wide) + 1, int(high) + 1))
    if page.legend:
        quads(con.fill, fills(page.legend), (w, h))
    con.renderer.labels.text([t for t in page.texts if t[2]], (w, h), con.size())


def fills(rows: Sequence[Sequence[float]] | np.ndarray) -> np.ndarray:
    """Convert rectangles (x, y, w, h, r, g, b, a) to records of the text program."""
    out = np.zeros((len(rows), 12), np.float32)
    rows = np.array(rows, np.float32)
    out[:, :4], out[:, 6:8], out[:, 8:] = rows[:, :4], 1, rows[:, 4:]
    return out


def strokes(con: Any, records: np.ndarray, size: tuple[int, int], clip: tuple[int, int, int, int]) -> None:
    """Draw line records, in pixels of a viewport of `size`, clipped to the framebuffer rectangle `clip`."""
    w, h = size
    block = np.zeros((), BLOCK)
    block["view"], block["proj"] = np.eye(4), ortho(0, w, 0, h, -1, 1).T

    # Lines are unlit, so they need no shadow.
    block["eye"], block["tint"], block["clip"] = (0, 0, 0, 1), (1, 1, 1, 0), (0, 0, 0, 1)
    block["screen"] = w, h, 1 / w, 1 / h
    con.block.upload(block)
    con.lines.upload(np.ascontiguousarray(records))

    # Draw with clipping and blending, without depth test.
    GL.glEnable(GL.GL_SCISSOR_TEST)
    GL.glScissor(*clip)
    GL.glDisable(GL.GL_DEPTH_TEST)
    GL.glEnable(GL.GL_BLEND)
    GL.glBlendFunc(GL.GL_SRC_ALPHA, GL.GL_ONE_MINUS_SRC_ALPHA)
    con.renderer.program("line")
    con.lines.draw()
    GL.glDisable(GL.GL_BLEND)
    GL.glDisable(GL.GL_SCISSOR_TEST)
