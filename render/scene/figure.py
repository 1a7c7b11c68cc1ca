"""The 2D figure record with MuJoCo's fields and defaults; computes axes and the names of lines."""

from __future__ import annotations

import re

import numpy as np

from .record_arrays import Float, Int, Record, Text, Vec
from .rotate import halton

MAXLINE, MAXLINEPNT = 100, 1001
MIN_RANGE = 1e-5
# The highlighted line is wider than others by this factor.
HIGHLIGHT = 5
COLORS = ((1, 0.3, 0.3), (0.1, 1, 0.1), (0.3, 0.3, 1), (0.1, 1, 1), (1, 0.2, 1), (1, 1, 0.1), (1, 0.6, 0.2), (0.6, 0.7, 0.4))


def line_colors() -> list[tuple[float, ...]]:
    """Return the color of each line: eight fixed colors, then colors that are spread evenly over all hues."""
    return list(COLORS) + [tuple(0.1 + 0.8 * halton(n, b) for b in (2, 3, 5)) for n in range(len(COLORS), MAXLINE)]


class MjvFigure(Record):
    """A line or bar plot: up to 100 lines of up to 1001 points (x, y interleaved in `linedata`)."""

    __slots__ = ()
    flg_legend = Int()
    flg_ticklabel = Vec("i4", (2,))
    flg_extend = Int()
    flg_barplot = Int()
    flg_selection = Int()
    flg_symmetric = Int()
    linewidth = Float()
    gridwidth = Float()
    gridsize = Vec("i4", (2,))
    gridrgb = Vec("f4", (3,))
    figurergba = Vec("f4", (4,))
    panergba = Vec("f4", (4,))
    legendrgba = Vec("f4", (4,))
    textrgb = Vec("f4", (3,))
    linergb = Vec("f4", (MAXLINE, 3))
    range = Vec("f4", (2, 2))
    xformat = Text(19)
    yformat = Text(19)
    minwidth = Text(19)
    title = Text(999)
    xlabel = Text(99)
    linename = Vec("S100", (MAXLINE,))
    legendoffset = Int()
    subplot = Int()
    highlight = Vec("i4", (2,))
    highlightid = Int()
    selection = Float()
    linepnt = Vec("i4", (MAXLINE,))
    linedata = Vec("f4", (MAXLINE, 2 * MAXLINEPNT))
    xaxispixel = Vec("i4", (2,))
    yaxispixel = Vec("i4", (2,))
    xaxisdata = Vec("f4", (2,))
    yaxisdata = Vec("f4", (2,))


def mjv_defaultFigure(fig: MjvFigure) -> None:
    """Set a figure to its defaults."""
    for f in fig.fields():
        setattr(fig, f.name, "" if isinstance(f, Text) else b"" if f.name == "linename" else 0)
    fig.highlightid = -1
    fig.flg_legend, fig.flg_ticklabel, fig.flg_extend = 1, [1, 1], 1
    fig.linewidth, fig.gridwidth, fig.gridsize = 3, 1, [2, 2]
    fig.gridrgb, fig.textrgb = [0.4] * 3, [1] * 3
    fig.figurergba, fig.panergba, fig.legendrgba = [0, 0, 0, 1], [0, 0, 0, 1], [0, 0, 0, 0.3]
    fig.range, fig.linergb = [[0, 1], [0, 1]], line_colors()
    fig.xformat, fig.yformat, fig.minwidth = "%.0f", "%.2g", "XXX"


def axis_range(fig: MjvFigure, axis: int) -> tuple[float, float]:
    """Return (low, high) of an axis: the figure's own range, extended to the data if the figure requests this."""
    low, high = (float(v) for v in fig.range[axis])
    given = low < high
    if not given or fig.flg_extend:
        points = [fig.linedata[k, axis : 2 * n : 2] for k, n in enumerate(fig.linepnt.tolist()) if n > 0]
        data = np.concatenate(points) if points else np.zeros(0)
        data = data[np.isfinite(data)]
        if len(data):
            ends = (float(data.min()), float(data.max()))
            low, high = (min(low, ends[0]), max(high, ends[1])) if given else ends
    if high - low < MIN_RANGE:
        middle = 0.5 * (low + high)
        low, high = middle - 0.5 * MIN_RANGE, middle + 0.5 * MIN_RANGE

    if axis == 1:
        # Round to whole steps of the leading digit, to keep labels short.
        step = 10.0 ** np.floor(np.log10(high - low))
        low, high = float(np.floor(low / step) * step), float(np.ceil(high / step) * step)
        if fig.flg_symmetric:
            high = max(abs(low), abs(high))
            low = -high
    return low, high


def number(fmt: str, value: float) -> str:
    """Format a tick label, without trailing zeros after the decimal point."""
    text = fmt % value
    return re.sub(r"(\.\d*?)0+$", r"\1", text).removesuffix(".")


def line_name(fig: MjvFigure, k: int) -> str:
    """Return the name of line k as text."""
    return bytes(fig.linename[k]).split(b"\0")[0].decode("ascii", "replace")


def subtitle(title: str, subplot: int) -> tuple[int, int]:
    """Return start and end of a subplot's part of the title. Parts are separated by two or more spaces."""
    parts = [part.span() for part in re.finditer(r"\S+(?: \S+)*", title)]
    return parts[subplot] if 0 <= subplot < len(parts) else (0, 0)
