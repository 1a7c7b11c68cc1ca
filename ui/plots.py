"""The four figures of the profiler, the sensor bars, and figures of scripts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from imgui_bundle import ImVec2, ImVec4, imgui, implot

from .. import engine as mj
from ..render.scene.figure import HIGHLIGHT, axis_range, line_name, subtitle
from . import telemetry as T
from . import widgets
from .context import Context

_PLOT = (
    implot.Flags_.no_menus
    | implot.Flags_.no_box_select
    | implot.Flags_.no_mouse_text
    | implot.Flags_.no_inputs
    | implot.Flags_.no_title
    | implot.Flags_.no_legend
)
_AXIS = implot.AxisFlags_.no_menus | implot.AxisFlags_.no_highlight
# {solver: number of lines in the figure of counts, and in the figure of costs}
_COUNTS = {0: 3, 1: 4, 2: 5}
_COSTS = {0: 1, 1: 3, 2: 3}
MAX_SENSOR_LINES = 10
# Figures of the profiler: from top to bottom, and by priority if there is little room. Minimum height of a figure in text
# heights.
ALL_FIGURES, FIGURES, FIGURE = ("counts", "convergence", "sizes", "times"), ("times", "sizes", "counts", "convergence"), 7.0
# Start of the iteration axis, which leaves space before the first point; number of marks on an integer axis.
LEFT_OF_FIRST, MARKS = -0.5, 5
# Size of the colored square beside the name of a line, in text heights.
MARK = 0.6


def line_spec(color: ImVec4, weight: float = 1.4, dots: bool = False) -> implot.Spec:
    """Return the style of a line with this color."""
    spec = implot.Spec()
    spec.line_color, spec.fill_color, spec.line_weight = color, color, weight
    if dots:
        spec.marker, spec.marker_size, spec.marker_fill_color, spec.marker_line_color = implot.Marker_.circle, 2.0, color, color
    return spec


def key(ctx: Context, names: Iterable[str], colors: Sequence[ImVec4] = ()) -> None:
    """Draw the names and colors of the lines of a plot, side by side, in as many rows as they need."""
    colors = colors or ctx.theme.lines
    high, style, room = imgui.get_font_size(), imgui.get_style(), imgui.get_content_region_avail().x
    left, gap = imgui.get_cursor_pos_x(), 0.3 * high
    imgui.push_style_var(imgui.StyleVar_.item_spacing, ImVec2(2 * gap, 0.25 * style.item_spacing.y))
    for k, name in enumerate(names):
        width = min(MARK * high + gap + imgui.calc_text_size(name).x, room)
        if k:
            imgui.same_line()
            if imgui.get_cursor_pos_x() - left + width > room:
                imgui.new_line()
        low, top = imgui.get_cursor_screen_pos(), 0.5 * (imgui.get_text_line_height() - MARK * high)
        corner = ImVec2(low.x, low.y + top), ImVec2(low.x + MARK * high, low.y + top + MARK * high)
        imgui.get_window_draw_list().add_rect_filled(*corner, imgui.get_color_u32(colors[k % len(colors)]), 2.0)
        imgui.dummy(ImVec2(MARK * high, imgui.get_text_line_height()))
        imgui.same_line(0, gap)
        widgets.clipped(name, room - MARK * high - gap)
    imgui.pop_style_var()


def chip(label: str, room: float, color: ImVec4 | None = None) -> bool:
    """Draw a small button, in a new row if there is no room in this one. If `color` is given, add a square in this color."""
    pressed = widgets.flowing(f"{'' if color is None else '     '}{label}", room)
    if color is not None:
        low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        side, left = MARK * imgui.get_font_size(), low.x + imgui.get_style().frame_padding.x
        top = 0.5 * (low.y + high.y - side)
        imgui.get_window_draw_list().add_rect_filled(
            ImVec2(left, top), ImVec2(left + side, top + side), imgui.get_color_u32(color), 2.0
        )
    return pressed


def figure(
    ctx: Context,
    title: str,
    size: tuple[float, float],
    x: tuple[float, float],
    y: tuple[float, float],
    names: Sequence[str],
    labels: bool = True,
) -> bool:
    """Begin a small titled plot with fixed limits, with the names of its lines above it. If this returns True, draw the lines
    and then call `implot.end_plot`.
    """
    top = imgui.get_cursor_pos_y()
    with widgets.font(ctx.fonts.bold, 0.88):
        imgui.text_unformatted(title)
    key(ctx, names)
    height = size[1] - (imgui.get_cursor_pos_y() - top)
    if not implot.begin_plot(f"##{title}", ImVec2(size[0], max(40.0, height)), _PLOT):
        return False
    implot.setup_axes("", "", _AXIS | (0 if labels else implot.AxisFlags_.no_tick_labels), _AXIS)
    implot.setup_axis_limits(implot.ImAxis_.x1, x[0], x[1], implot.Cond_.always)
    implot.setup_axis_limits(implot.ImAxis_.y1, y[0], y[1], implot.Cond_.always)
    if labels:
        # Draw only a few marks, so that their numbers do not overlap.
        step = max(1, round((x[1] - x[0]) / MARKS))
        implot.setup_axis_ticks(implot.ImAxis_.x1, [float(k) for k in range(0, int(x[1]) + 1, step)])
    return True


def profiler_figures(height: float) -> tuple[str, ...]:
    """Return the figures of the profiler that fit into a column of this height (in text heights), from top to bottom."""
    count = min(max(1, int(height / FIGURE)), len(FIGURES))
    return tuple(name for name in ALL_FIGURES if name in FIGURES[:count])


def profiler(ctx: Context, width: float, height: float) -> None:
    """Draw the figures of the profiler, one above the other: counts and convergence of the last solve, and sizes and times of
    the last 201 frames.
    """
    shown = profiler_figures(height / ctx.em)
    each = (width, (height - (len(shown) - 1) * imgui.get_style().item_spacing.y) / len(shown))
    rows = T.solver_rows(ctx.m, ctx.d)
    solver = int(ctx.m.opt.solver)
    most = max([20, *(len(c) for c, _ in rows)])
    top = max([80, *(float(c.max()) for c, _ in rows if c.size)])
    with widgets.font(ctx.fonts.body, 0.82):
        counts, costs = T.COUNT_ROWS[: _COUNTS.get(solver, 5)], T.COST_ROWS[: _COSTS.get(solver, 3)]
        if "counts" in shown and figure(ctx, "Counts", each, (LEFT_OF_FIRST, most), (0, 1.05 * top), counts):
            _islands(ctx, rows, 0, counts)
            implot.end_plot()
        if "convergence" in shown and figure(ctx, "Convergence (log 10)", each, (LEFT_OF_FIRST, most), (-15.5, 5), costs):
            _islands(ctx, rows, 1, costs)
            implot.end_plot()
        if "sizes" in shown:
            _ring(ctx, "Dimensions", each, ctx.telemetry.sizes, ctx.telemetry.filled, T.SIZE_ROWS, 20.0)
        if "times" in shown:
            _ring(ctx, "CPU time (ms)", each, ctx.telemetry.times, ctx.telemetry.filled_times, T.TIME_ROWS, 0.1)


def _islands(ctx: Context, rows: list, which: int, labels: tuple[str, ...]) -> None:
    """Draw one line per label for each island. Lines with the same label have the same colour."""
    for island in rows:
        values = island[which]
        xs = np.arange(len(values), dtype=float)
        for column, label in enumerate(labels):
            if len(values):
                implot.plot_line(
                    label, xs, np.ascontiguousarray(values[:, column]), line_spec(ctx.theme.lines[column], dots=True)
                )


def _ring(ctx: Context, title: str, size: Any, values: np.ndarray, filled: int, labels: tuple[str, ...], least: float) -> None:
    used = values[len(values) - filled :]
    top = max(least, float(np.nanmax(used)) if filled else 0.0)
    if not figure(ctx, title, size, (1 - T.LENGTH, 0), (0, 1.08 * top), labels, False):
        return
    xs = np.arange(1 - filled, 1, dtype=float)
    for column, label in enumerate(labels):
        if filled:
            implot.plot_line(label, xs, np.ascontiguousarray(used[:, column]), line_spec(ctx.theme.lines[column]))
    implot.end_plot()


def sensor_groups(m: mj.MjModel) -> list[tuple[str, np.ndarray, np.ndarray]]:
    """Group consecutive sensors of the same type: return (type, addresses, scale of each value) for each group. There are at
    most MAX_SENSOR_LINES groups; further sensors join the last group.
    """
    groups: list[tuple[str, list, list]] = []
    for i in range(m.nsensor):
        kind = mj.mjtSensor(int(m.sensor_type[i])).name.removeprefix("mjSENS_").lower()
        if not groups or (groups[-1][0] != kind and len(groups) < MAX_SENSOR_LINES):
            groups.append((kind, [], []))
        begin, count = int(m.sensor_adr[i]), int(m.sensor_dim[i])
        groups[-1][1].extend(range(begin, begin + count))
        groups[-1][2].extend([1 / m.sensor_cutoff[i] if m.sensor_cutoff[i] > 0 else 1.0] * count)
    return [(kind, np.array(a, int), np.array(s)) for kind, a, s in groups]


def sensors(ctx: Context, width: float, height: float) -> None:
    """Draw a bar for each sensor value, divided by the sensor's cutoff if it has one."""
    groups = sensor_groups(ctx.m)
    data = np.asarray(ctx.d.sensordata, float)
    scaled = [data[a] * s for _, a, s in groups]
    top = max([1.0, *(float(np.abs(v).max()) for v in scaled if v.size and np.isfinite(v).all())])
    with widgets.font(ctx.fonts.body, 0.82):
        # Groups of the same type share a colour and a name.
        kinds = list(dict.fromkeys(kind for kind, _, _ in groups))
        if figure(ctx, "Sensor data", (width, height), (-1, max(1, data.size)), (-1.1 * top, 1.1 * top), kinds):
            for (kind, addresses, _), values in zip(groups, scaled, strict=True):
                implot.plot_bars(kind, addresses.astype(float), values, 0.7, line_spec(ctx.theme.lines[kinds.index(kind) % 10]))
            implot.end_plot()


def user_figure(ctx: Context, fig: Any, index: int = 0) -> None:
    """Draw a MjvFigure of a script: its lines or bars, colours, names, ranges, and its highlighted line."""
    size = imgui.get_content_region_avail()
    first, last = subtitle(fig.title, fig.subplot)
    title = fig.title[first:last]
    flags = _PLOT & ~implot.Flags_.no_title if title else _PLOT
    if fig.flg_legend:
        # The script's flag determines whether its figure has a legend.
        flags &= ~implot.Flags_.no_legend
    implot.push_style_color(implot.Col_.frame_bg, ImVec4(*map(float, fig.figurergba)))
    implot.push_style_color(implot.Col_.plot_bg, ImVec4(*map(float, fig.panergba)))
    if implot.begin_plot(f"{title}##figure{index}", ImVec2(size.x, size.y), flags):
        implot.setup_axes(fig.xlabel, "", _AXIS, _AXIS)
        for axis, name in enumerate((implot.ImAxis_.x1, implot.ImAxis_.y1)):
            implot.setup_axis_limits(name, *axis_range(fig, axis), implot.Cond_.always)
        for k in range(len(fig.linepnt) - 1, -1, -1):
            if fig.linepnt[k] > 0:
                _user_line(fig, k)
        if fig.flg_selection:
            implot.plot_inf_lines("##selection", np.array([float(fig.selection)]), line_spec(ImVec4(1, 1, 1, 1)))
        implot.end_plot()
    implot.pop_style_color(2)


def _user_line(fig: Any, k: int) -> None:
    """Draw line k of a script's figure: a polyline or, in a bar plot, a segment for each pair of points."""
    points = np.array(fig.linedata[k], float)[: 2 * int(fig.linepnt[k])].reshape(-1, 2)
    if fig.flg_barplot:
        # NaN after each pair of points separates the bars.
        pairs = points[: len(points) // 2 * 2].reshape(-1, 2, 2)
        points = np.concatenate([pairs, np.full((len(pairs), 1, 2), np.nan)], 1).reshape(-1, 2)
    width = (float(fig.linewidth) or 1.4) * (HIGHLIGHT if k == fig.highlightid else 1)
    red, green, blue = map(float, fig.linergb[k])
    color = ImVec4(red, green, blue, 1)
    xs, ys = np.ascontiguousarray(points[:, 0]), np.ascontiguousarray(points[:, 1])
    implot.plot_line(line_name(fig, k) or f"##{k}", xs, ys, line_spec(color, width))
