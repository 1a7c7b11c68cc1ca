"""Plot panel: values over time, in plots one below another with a common time axis. A cursor scrubs through time. A plot can
also show the spectrum, histogram or XY curve of the visible range.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from imgui_bundle import ImVec2, imgui, implot

from .. import arithmetic, icons, plotting, widgets
from ..context import Context
from ..intents import ExportPlots, ScrubTime, SetPlots
from ..plots import chip, key, line_spec
from ..plotting import Plot
from . import watch

# Maximum number of pieces of a curve; seconds that are visible while following; minimum height of a plot in text heights;
# maximum number of points of a spectrum or XY curve.
POINTS, SPAN, LEAST_HEIGHT, MOST_POINTS = 300, 10.0, 6.0, 20000
# In text heights: minimum distance between the numbers on a vertical axis, and plot height above which this axis has a title.
APART, TITLED = 1.6, 14.0
# The vertical axis of any plot, however small, has at least this many numbers, if there are enough round ones.
LEAST_TICKS = 3
# Height of the head of a plot, in text heights.
HEAD = 2.2
# Seconds between updates of results that take long to compute.
OFTEN = 0.25
BINS = 60
# Maximum number of channels that have a button to remove them.
SHOWN = 12
# Channels with the values of the Info box and the profiler.
COMMON = (
    ("energy", "energy(total 0)"),
    ("kinetic energy", "energy(kinetic 0)"),
    ("potential energy", "energy(potential 0)"),
    ("contacts", "ncon"),
    ("constraint rows", "nefc"),
    ("iterations of the solver", "solver_niter[0]"),
    ("islands", "nisland"),
)


def draw(ctx: Context) -> None:
    plots, samples = plotting.shown(ctx), ctx.samples
    low, size = imgui.get_window_pos(), imgui.get_window_size()
    ctx.scratch.of(Plotting).area = (low.x, low.y), (size.x, size.y)
    _bar(ctx, plots)
    if not plots:
        widgets.muted(
            ctx,
            "Right-click a number and choose Plot: a slider, a sensor, or a row of Watch, State, Element, Body or Info. "
            "It is recorded from then on, after each slice of steps.",
        )
        return
    if samples is None:
        return

    # Each plot gets an equal share of the height.
    style = imgui.get_style()
    height = max(
        widgets.em(LEAST_HEIGHT), (imgui.get_content_region_avail().y - (len(plots) - 1) * style.item_spacing.y) / len(plots)
    )
    span = _span(ctx, samples)
    # The vertical axes are equally wide, so that the same time is at the same place in all plots.
    aligned = implot.begin_aligned_plots("##plots", True)
    for k, plot in enumerate(plots):
        with widgets.ident(k):
            DRAW[plot.kind](ctx, k, plot, samples, span, height)
    if aligned:
        implot.end_aligned_plots()


@dataclass
class Plotting:
    """The state of the panel: whether it follows the newest samples, the visible time range, and the time axis; cached results
    with the times when they were computed; the text of the channel that is being typed.
    """

    follow: bool = True
    statistics: bool = False
    span: float = SPAN
    axis: list[float] = field(default_factory=lambda: [0.0, SPAN])
    # The ends of the time axis, which ImPlot changes, and whether the user is dragging the cursor.
    links: tuple[Any, Any] = field(default_factory=lambda: (implot.BoxedValue(0.0), implot.BoxedValue(SPAN)))
    held: bool = False
    cache: dict[Any, tuple[float, Any]] = field(default_factory=dict)
    typed: str = ""
    # position and size of the panel's window
    area: tuple[tuple[float, float], tuple[float, float]] = (0.0, 0.0), (0.0, 0.0)


def _bar(ctx: Context, plots: tuple[Plot, ...]) -> None:
    """Draw the toolbar, one row: new plots, follow, and a menu with the rest."""
    state = ctx.scratch.of(Plotting)
    if imgui.small_button("+  Plot"):
        imgui.open_popup("common")
    widgets.tooltip("Add a plot: energy, contacts, solver, or any number by name")
    _common_menu(ctx)
    imgui.same_line()
    if imgui.small_button(f"{icons.CHECK + '  ' if state.follow else ''}Follow###follow"):
        state.follow = not state.follow
    widgets.tooltip("Keep the newest samples visible; zooming or moving turns this off")
    imgui.same_line()
    if imgui.small_button("More...##more"):
        imgui.open_popup("more")
    if imgui.begin_popup("more"):
        _more(ctx, state, bool(plots))
        imgui.end_popup()


def _more(ctx: Context, state: Plotting, some: bool) -> None:
    """Draw the menu of rarely needed commands."""
    if imgui.menu_item("Statistics of the visible range", "", state.statistics)[0]:
        state.statistics = not state.statistics
    imgui.separator()
    # The picture is of the panel, not of the menu.
    low, size = state.area
    for label, kind in (("Save all samples as CSV", "csv"), ("Save a picture of the plots", "png")):
        if imgui.menu_item(label, "", False, some)[0]:
            ctx.emit(ExportPlots(kind, area=(*low, *size)))
    imgui.separator()
    if imgui.menu_item("Close all plots", "", False, some)[0]:
        ctx.emit(SetPlots(()))


def _common_menu(ctx: Context) -> None:
    """Draw the menu that adds plots: values of the Info box and the profiler, and a text field for any other channel."""
    if not imgui.begin_popup("common"):
        return
    plotting.menu(ctx, [(text, (channel,)) for text, channel in COMMON])
    imgui.set_next_item_width(widgets.em(14))
    flags = imgui.InputTextFlags_.enter_returns_true
    done, text = imgui.input_text_with_hint(
        "##any", "qpos[knee], ctrl, m.body_mass[2] ...", ctx.scratch.of(Plotting).typed, flags
    )
    ctx.scratch.of(Plotting).typed = text
    if done and (found := watch.plotted(ctx, text)):
        plotting.add(ctx, found)
        imgui.close_current_popup()
    imgui.end_popup()


def _span(ctx: Context, samples: Any) -> list[float]:
    """Return the visible time range, which is the same for all plots."""
    state, block = ctx.scratch.of(Plotting), samples.block
    axis = state.axis
    if state.follow:
        newest = float(block.times[block.count - 1]) if block.count else 0.0
        axis[:] = max(0.0, newest - state.span), max(newest, state.span)
    return axis


def _rows(samples: Any, plot: Plot) -> list[tuple[int, str]]:
    """Return (row in the samples, channel) for each channel of a plot that is recorded."""
    return [(samples.channels.index(channel), channel) for channel in plot.channels if channel in samples.channels]


def _names(ctx: Context, samples: Any, plot: Plot) -> list[str]:
    """Return the names of a plot's lines."""
    return [plotting.title(ctx.m, channel) for _row, channel in _rows(samples, plot)]


def _range(samples: Any, span: list[float]) -> tuple[int, int]:
    """Return the range of samples in the visible time range, with one more at both ends."""
    times = samples.block.times[: samples.block.count]
    first, last = (int(np.searchsorted(times, t)) for t in span)
    return max(0, first - 1), min(len(times), last + 1)


def _common(ctx: Context, channels: tuple[str, ...]) -> str:
    """Return the unit that all channels have in common; empty if their units differ."""
    units = {plotting.unit(ctx.m, channel) for channel in channels}
    return units.pop() if len(units) == 1 else ""


def _axes(
    ctx: Context, rows: list[tuple[int, str]], height: float, ranges: dict[str, tuple[float, float]], last: bool
) -> dict[str, implot.ImAxis_]:
    """Set up the time axis, and a vertical axis for each unit. `ranges`: the range of values of each unit. Return {unit: its
    axis}. From the third unit on, units share the third axis.
    """
    units = list(dict.fromkeys(plotting.unit(ctx.m, channel) for _row, channel in rows)) or [""]
    fit = implot.AxisFlags_.auto_fit | implot.AxisFlags_.range_fit
    # All plots have the same time axis, so only the lowest plot shows its numbers. If all channels have the same unit, it is
    # shown beside the names of the lines instead of at the axis.
    several = len(units) > 1 and height > widgets.em(TITLED)
    implot.setup_axes("", units[0] if several else "", 0 if last else implot.AxisFlags_.no_tick_labels, fit)
    implot.setup_axis_format(implot.ImAxis_.x1, "%g s")
    axes = {units[0]: implot.ImAxis_.y1}
    for k, unit in enumerate(units[1:]):
        axis = (implot.ImAxis_.y2, implot.ImAxis_.y3)[min(k, 1)]
        if k < 2:
            # The additional axes are at the right and have no grid.
            implot.setup_axis(axis, (unit or "number") if several else "", fit | implot.AxisFlags_.aux_default)
        axes[unit] = axis
    for axis in set(axes.values()):
        own = [ranges[unit] for unit, of in axes.items() if of == axis and unit in ranges]
        low, high = min((low for low, _high in own), default=0.0), max((high for _low, high in own), default=0.0)
        if low < high:
            implot.setup_axis_ticks(axis, arithmetic.round_ticks(low, high, max(LEAST_TICKS, int(height / widgets.em(APART)))))
    return axes


def _ranges(ctx: Context, rows: list[tuple[int, str]], y: np.ndarray) -> dict[str, tuple[float, float]]:
    """Return {unit: least and greatest of its finite values}."""
    out: dict[str, tuple[float, float]] = {}
    for (_row, channel), values in zip(rows, y, strict=True):
        good = values[np.isfinite(values)]
        if good.size:
            unit = plotting.unit(ctx.m, channel)
            low, high = out.get(unit, (math.inf, -math.inf))
            out[unit] = min(low, float(good.min())), max(high, float(good.max()))
    return out


def _begin(ctx: Context, k: int, plot: Plot, height: float, names: Sequence[str]) -> bool:
    """Draw the head of a plot and the names of its lines, then begin the plot below them. Return whether it is visible."""
    top = imgui.get_cursor_pos_y()
    _head(ctx, k, plot)
    if ctx.scratch.of(Plotting).statistics:
        key(ctx, names)
    left = height - (imgui.get_cursor_pos_y() - top)
    size = ImVec2(-1, max(widgets.em(4), left))
    return implot.begin_plot(f"##{plot.kind}", size, implot.Flags_.no_title | implot.Flags_.no_legend)


def _head(ctx: Context, k: int, plot: Plot) -> None:
    """Draw the head of a plot: a choice of its kind, buttons that remove channels, and a button that closes the plot."""
    plots = list(plotting.shown(ctx))
    imgui.set_next_item_width(widgets.em(7))
    kinds = plotting.KINDS
    if (new := widgets.choice("kind", kinds.index(plot.kind), [plotting.TITLES[kind] for kind in kinds])) is not None:
        plots[k] = replace(plot, kind=kinds[new])
        ctx.emit(SetPlots(tuple(plots)))
    imgui.same_line()
    if imgui.small_button(icons.CLOSE):
        ctx.emit(SetPlots(tuple(plots[:k] + plots[k + 1 :])))
    widgets.tooltip("Close this plot")
    room = imgui.get_window_width() - widgets.em(1)
    # The first channel of an XY plot is its x axis, so it has no line.
    first = 1 if plot.kind == "xy" else 0
    for i, channel in enumerate(plot.channels[:SHOWN]):
        unit = plotting.unit(ctx.m, channel)
        text = f"{plotting.title(ctx.m, channel)}{f', {unit}' if unit else ''}  {icons.CLOSE}##{channel}"
        if chip(text, room) if i < first else chip(text, room, ctx.theme.lines[(i - first) % len(ctx.theme.lines)]):
            left = tuple(other for other in plot.channels if other != channel)
            plots[k] = replace(plot, channels=left)
            ctx.emit(SetPlots(tuple(p for p in plots if p.channels)))
        widgets.tooltip(f"{channel}  {unit}\nClick to remove it")


def _time(ctx: Context, k: int, plot: Plot, samples: Any, span: list[float], height: float) -> None:
    state, block = ctx.scratch.of(Plotting), samples.block
    rows, (first, last) = _rows(samples, plot), _range(samples, span)
    names = _names(ctx, samples, plot)
    if state.statistics and last > first:
        names = [f"{name}{_words(state, block, *row, first, last)}" for name, row in zip(names, rows, strict=True)]
    if not _begin(ctx, k, plot, height, names):
        return

    picked = [row for row, _channel in rows]
    x, y = np.zeros(0), np.zeros((len(rows), 0))
    if last > first and picked:
        x, y = plotting.envelope(
            block.times,
            block.values[picked] if len(picked) < len(samples.channels) else block.values,
            block.lows[picked],
            block.highs[picked],
            first,
            last,
            POINTS,
            block_length(block),
        )
    axes = _axes(ctx, rows, height - widgets.em(HEAD), _ranges(ctx, rows, y), k == len(plotting.shown(ctx)) - 1)
    low, high = state.links
    low.value, high.value = span
    implot.setup_axis_links(implot.ImAxis_.x1, low, high)

    if x.size:
        for i, (_row, channel) in enumerate(rows):
            implot.set_axes(implot.ImAxis_.x1, axes[plotting.unit(ctx.m, channel)])
            implot.plot_line(
                f"##{channel}",
                np.ascontiguousarray(x),
                np.ascontiguousarray(y[i]),
                line_spec(ctx.theme.lines[i % len(ctx.theme.lines)]),
            )

    implot.set_axes(implot.ImAxis_.x1, implot.ImAxis_.y1)
    _cursor(ctx, state, rows, samples)
    _marks(ctx)
    implot.end_plot()
    if (low.value, high.value) != tuple(span) and high.value > low.value and not state.held:
        # The user has zoomed or moved the time axis.
        state.follow, span[:] = False, (low.value, high.value)
        state.span = span[1] - span[0]


def block_length(block: Any) -> int:
    """Return the number of samples summarized by one entry of `lows` and `highs`."""
    return len(block.times) // max(1, block.lows.shape[1])


def _cursor(ctx: Context, state: Plotting, rows: list, samples: Any) -> None:
    """Draw a line at the time of the displayed state. Dragging it scrubs through the recorded states."""
    changed, at, _clicked, _hovered, held = implot.drag_line_x(
        0, float(ctx.d.time), ctx.theme["text"], 1.4, 0, False, False, False
    )
    state.held = bool(held)
    if ctx.seen is not None:
        spot = implot.plot_to_pixels(float(ctx.d.time), implot.get_plot_limits().y.min)
        ctx.seen.cursor = [spot.x, spot.y - 0.5 * implot.get_plot_size().y]
    if changed:
        ctx.emit(ScrubTime(float(at)))

    # A tooltip shows the values at the time under the mouse.
    if implot.is_plot_hovered() and samples.block.count:
        point = implot.get_plot_mouse_pos().x
        times = samples.block.times[: samples.block.count]
        i = min(int(np.searchsorted(times, point)), len(times) - 1)
        values = samples.block.values
        lines = [
            f"{times[i]:.5g} s",
            *(
                f"{plotting.title(ctx.m, channel)}: {values[row, i]:.6g} {plotting.unit(ctx.m, channel)}"
                for row, channel in rows
            ),
        ]
        imgui.set_tooltip("\n".join(lines))


def _marks(ctx: Context) -> None:
    """Draw a vertical line at each of the doctor's marks."""
    if marks := ctx.status.marks:
        implot.plot_inf_lines("##marks", np.array([mark.time for mark in marks]), line_spec(ctx.theme["bad"], 1.0))


def _cached(state: Plotting, key: Any, make: Any) -> Any:
    """Return a result that takes long to compute. It is computed again only at intervals."""
    now = time.perf_counter()
    found = state.cache.get(key)
    if found is None or now - found[0] > OFTEN:
        state.cache[key] = found = (now, make())
    return found[1]


def _words(state: Plotting, block: Any, row: int, channel: str, first: int, last: int) -> str:
    """Return the statistics of a channel in the visible range, as text."""
    found = _cached(state, ("stats", channel), lambda: plotting.statistics(block.values[row, first:last]))
    return "".join(f"  {word} {value:.4g}" for word, value in found.items())


def _spectrum(ctx: Context, k: int, plot: Plot, samples: Any, span: list[float], height: float) -> None:
    if not _begin(ctx, k, plot, height, _names(ctx, samples, plot)):
        return
    state, block = ctx.scratch.of(Plotting), samples.block
    implot.setup_axes("Hz", _common(ctx, plot.channels), implot.AxisFlags_.auto_fit, implot.AxisFlags_.auto_fit)
    first, last = _range(samples, span)
    for i, (row, channel) in enumerate(_rows(samples, plot)):
        x, y = _cached(
            state,
            ("spectrum", channel),
            lambda row=row: plotting.spectrum(block.times[first:last], block.values[row, first:last]),
        )
        step = max(1, len(x) // MOST_POINTS)
        implot.plot_line(
            f"##{channel}",
            np.ascontiguousarray(x[::step]),
            np.ascontiguousarray(y[::step]),
            line_spec(ctx.theme.lines[i % len(ctx.theme.lines)]),
        )
    implot.end_plot()


def _histogram(ctx: Context, k: int, plot: Plot, samples: Any, span: list[float], height: float) -> None:
    if not _begin(ctx, k, plot, height, _names(ctx, samples, plot)):
        return
    state, block = ctx.scratch.of(Plotting), samples.block
    implot.setup_axes(_common(ctx, plot.channels), "samples", implot.AxisFlags_.auto_fit, implot.AxisFlags_.auto_fit)
    first, last = _range(samples, span)

    def counted(row: int) -> tuple[np.ndarray, np.ndarray]:
        good = block.values[row, first:last]
        counts, edges = np.histogram(good[np.isfinite(good)], BINS)
        return 0.5 * (edges[1:] + edges[:-1]), counts.astype(float)

    for i, (row, channel) in enumerate(_rows(samples, plot)):
        x, y = _cached(state, ("histogram", channel), lambda row=row: counted(row))
        implot.plot_stairs(f"##{channel}", x, y, line_spec(ctx.theme.lines[i % len(ctx.theme.lines)]))
    implot.end_plot()


def _xy(ctx: Context, k: int, plot: Plot, samples: Any, span: list[float], height: float) -> None:
    """Draw an XY plot, with the first channel on the x axis and the others on the y axis."""
    if not _begin(ctx, k, plot, height, _names(ctx, samples, plot)[1:]):
        return
    block, rows, (first, last) = samples.block, _rows(samples, plot), _range(samples, span)
    fit = implot.AxisFlags_.auto_fit
    implot.setup_axes(plotting.title(ctx.m, plot.channels[0]) if plot.channels else "", "", fit, fit)
    step = max(1, (last - first) // MOST_POINTS)
    for i, (row, channel) in enumerate(rows[1:]):
        implot.plot_line(
            f"##{channel}",
            np.ascontiguousarray(block.values[rows[0][0], first:last:step]),
            np.ascontiguousarray(block.values[row, first:last:step]),
            line_spec(ctx.theme.lines[i % len(ctx.theme.lines)]),
        )
    implot.end_plot()


DRAW = {"time": _time, "spectrum": _spectrum, "histogram": _histogram, "xy": _xy}
