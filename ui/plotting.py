"""Plots of values over time: their channels and titles, and the menu by which the user can plot any value."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from imgui_bundle import imgui, implot

from .. import engine as mj
from ..engine.tables.schema import SCHEMAS
from . import icons
from .context import Context
from .element_names import dof_joint, name, number_name, qpos_joint
from .intents import SetPlots, ShowPanel

KINDS = ("time", "spectrum", "histogram", "xy")
TITLES = {"time": "Over time", "spectrum": "Spectrum", "histogram": "Histogram", "xy": "XY"}
# {field of joints: suffix that its unit adds to a length or angle}
RATES = {"qpos": "", "qvel": "/s", "qacc": "/s\N{SUPERSCRIPT TWO}"}
UNITS = {"speed": "m/s", "force": "N", "energy": "J"}
# Maximum number of components of an array that can be plotted together by one menu entry.
MOST_TOGETHER = 16
_HOVERED = int(imgui.HoveredFlags_.allow_when_disabled | imgui.HoveredFlags_.allow_when_blocked_by_popup)
_FUNCTION = re.compile(r"^(\w+)\((\w+) (\d+)\)$")


@dataclass(frozen=True)
class Plot:
    """One plot: its `kind` (one of KINDS) and its channels, written as in `app.recorder`."""

    kind: str = "time"
    channels: tuple[str, ...] = ()


@dataclass
class Plots:
    """The plots of the current model."""

    rows: tuple[Plot, ...] = ()


def shown(ctx: Context) -> tuple[Plot, ...]:
    """Return the plots of the current model."""
    return ctx.scratch.of(Plots).rows


def channels(plots: tuple[Plot, ...]) -> tuple[str, ...]:
    """Return the channels of all plots, which must be recorded."""
    return tuple(dict.fromkeys(channel for plot in plots for channel in plot.channels))


def title(m: Any, channel: str) -> str:
    """Return the title of a channel, such as `qpos knee` or `force foot`."""
    if found := _FUNCTION.match(channel):
        word, kind, number = found[1], found[2], int(found[3])
        return f"{kind} energy" if word == "energy" else f"{word} {name(m, kind, number)}"
    path, _, index = channel.partition("[")
    words = number_name(m, path, int(index.rstrip("]"))) if index else ""
    return f"{path.removeprefix('d.')} {words}" if words else channel


def unit(m: Any, channel: str) -> str:
    """Return the unit of a channel; empty if it has no unit, or more than one."""
    if found := _FUNCTION.match(channel):
        return UNITS.get(found[1], "")
    path, _, index = channel.partition("[")
    if (of := path.removeprefix("d.")) in RATES and index.rstrip("]").isdigit():
        return of_joint(m, of, int(index.rstrip("]")))
    if of.startswith("qfrc_") and index.rstrip("]").isdigit():
        # The first three degrees of freedom of a free joint and those of slides take forces, all others torques.
        return "N" if of_joint(m, "qvel", int(index.rstrip("]"))) == "m/s" else "N m"
    struct = "MjModel" if path.startswith("m.") else "MjData"
    field = SCHEMAS[struct].fields.get(path.removeprefix("m.").removeprefix("d."))
    return "" if field is None or field.unit == "-" else field.unit


def of_joint(m: Any, field: str, i: int) -> str:
    """Return the unit of an element of qpos, qvel or qacc, which depends on the joint type; empty for quaternions, and for
    elements that the model lacks."""
    if not 0 <= i < (m.nq if field == "qpos" else m.nv):
        return ""
    joint = qpos_joint(m, i) if field == "qpos" else dof_joint(m, i)
    kind, first = int(m.jnt_type[joint]), int((m.jnt_qposadr if field == "qpos" else m.jnt_dofadr)[joint])
    free = kind == int(mj.mjtJoint.mjJNT_FREE)
    if kind == int(mj.mjtJoint.mjJNT_SLIDE) or free and i - first < 3:
        return f"m{RATES[field]}"
    turns = kind == int(mj.mjtJoint.mjJNT_BALL) or free
    return "" if field == "qpos" and turns else f"rad{RATES[field]}"


def end_plots() -> None:
    """End the plots that a failed panel left open. Otherwise, ImPlot refuses every later plot."""
    context = implot.get_current_context()
    if context.current_plot is not None:
        implot.end_plot()
    if context.current_alignment_h is not None or context.current_alignment_v is not None:
        implot.end_aligned_plots()


def numbered(path: str, first: int, count: int) -> tuple[str, ...]:
    """Return the channels of `count` consecutive elements of an array, by flat index."""
    return tuple(f"{path}[{i}]" for i in range(first, first + min(count, MOST_TOGETHER)))


def offer(ctx: Context, ident: str, choices: Callable[[], list[tuple[str, tuple[str, ...]]]]) -> None:
    """Add a plot menu to the last ImGui item, opened by a right click. `choices` returns the menu entries as (title, channels).
    The user can plot them in a new plot or in an existing one.
    """
    # Items that are disabled while the simulation runs also have a menu.
    if imgui.is_item_hovered(_HOVERED) and imgui.is_mouse_released(imgui.MouseButton_.right):
        imgui.open_popup(f"##plot {ident}")
    if not imgui.is_popup_open(f"##plot {ident}"):
        return
    resting = bool(imgui.get_current_context().current_item_flags & int(imgui.ItemFlags_.disabled))
    if resting:
        imgui.internal.begin_disabled_override_reenable()
    if imgui.begin_popup(f"##plot {ident}"):
        menu(ctx, choices())
        imgui.end_popup()
    if resting:
        imgui.internal.end_disabled_override_reenable()


def menu(ctx: Context, choices: list[tuple[str, tuple[str, ...]]]) -> None:
    """Draw the entries of an open plot menu."""
    plots = shown(ctx)
    if ctx.seen is not None and imgui.is_window_appearing():
        ctx.seen.menu_rows.clear()
    for text, which in choices:
        chosen = imgui.internal.menu_item_ex(f"Plot {text}", icons.CHART)
        if ctx.seen is not None:
            low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
            ctx.seen.menu_rows[text] = [low.x, low.y, high.x - low.x, high.y - low.y]
        if chosen:
            add(ctx, which)
        for k, plot in enumerate(plots):
            if plot.kind == "time" and imgui.menu_item(f"      Add {text} to plot {k + 1}", "", False)[0]:
                add(ctx, which, k)


def add(ctx: Context, which: tuple[str, ...], place: int = -1) -> None:
    """Add channels to a plot, and show the Plot panel. `place` is the index of the plot, or -1 for a new one."""
    plots = list(shown(ctx))
    if place < 0:
        plots.append(Plot("time", which))
    else:
        plots[place] = replace(plots[place], channels=tuple(dict.fromkeys((*plots[place].channels, *which))))
    ctx.emit(SetPlots(tuple(plots)))
    ctx.emit(ShowPanel("plot", True))


def of_geom(m: Any, geom: int) -> list[tuple[str, tuple[str, ...]]]:
    """Return the quantities of a geom that can be plotted, as a list of (title, channels)."""
    return [
        ("position", numbered("geom_xpos", 3 * geom, 3)),
        ("speed", (f"speed(geom {geom})",)),
        ("contact force", (f"force(geom {geom})",)),
    ]


def of_body(_m: Any, body: int) -> list[tuple[str, tuple[str, ...]]]:
    """Return the quantities of a body that can be plotted, as a list of (title, channels)."""
    return [
        ("position", numbered("xpos", 3 * body, 3)),
        ("rotation", numbered("xquat", 4 * body, 4)),
        ("velocity", numbered("cvel", 6 * body + 3, 3)),
        ("spin", numbered("cvel", 6 * body, 3)),
        ("speed", (f"speed(body {body})",)),
        ("contact force", (f"force(body {body})",)),
        ("applied force", numbered("xfrc_applied", 6 * body, 6)),
    ]


def kept(plots: tuple[Plot, ...]) -> list[dict[str, Any]]:
    """Convert plots to values that JSON can represent, for the settings."""
    return [{"kind": plot.kind, "channels": list(plot.channels)} for plot in plots]


def recalled(rows: Any) -> tuple[Plot, ...]:
    """Return the plots from values made by `kept`. Invalid entries are left out."""
    out = []
    for row in rows if isinstance(rows, list) else ():
        if isinstance(row, dict) and row.get("kind") in KINDS and isinstance(row.get("channels"), list):
            out.append(Plot(row["kind"], tuple(text for text in row["channels"] if isinstance(text, str))))
    return tuple(out)


def envelope(
    times: np.ndarray, values: np.ndarray, lows: np.ndarray, highs: np.ndarray, first: int, last: int, points: int, block: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the curves of samples `first` to `last` with few points, as (x, y (channels, len(x))). The samples are divided
    into about `points` pieces; each piece has two points, its minimum and maximum.

    `lows` and `highs` are the minimum and maximum of each `block` samples of `values`.
    """
    count = last - first
    if count <= 2 * points:
        return times[first:last], values[:, first:last]
    if count >= 2 * points * block:
        begin, end = first // block, last // block
        low, high, at = lows[:, begin:end], highs[:, begin:end], times[begin * block : end * block : block]
    else:
        low = high = values[:, first:last]
        at = times[first:last]
    cuts = np.linspace(0, len(at), points, endpoint=False).astype(int)
    x = np.repeat(at[cuts], 2)
    y = np.empty((len(values), 2 * points))
    y[:, 0::2] = np.minimum.reduceat(low, cuts, axis=1)
    y[:, 1::2] = np.maximum.reduceat(high, cuts, axis=1)
    return x, y


def spectrum(times: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (frequencies in Hz, amplitudes) of a curve. It is resampled at equal intervals, its mean is removed, and a Hann
    window is applied.
    """
    good = np.isfinite(values)
    times, values = times[good], values[good]
    if len(times) < 8:
        return np.zeros(1), np.zeros(1)
    even = np.linspace(times[0], times[-1], len(times))
    laid = np.interp(even, times, values)
    window = np.hanning(len(laid))
    amplitude = 2.0 * np.abs(np.fft.rfft((laid - laid.mean()) * window)) / window.sum()
    return np.fft.rfftfreq(len(laid), even[1] - even[0]), amplitude


def statistics(values: np.ndarray) -> dict[str, float]:
    """Return minimum, maximum, mean, standard deviation and root mean square of the finite values."""
    good = values[np.isfinite(values)]
    if not good.size:
        return {}
    return {
        "min": float(good.min()),
        "max": float(good.max()),
        "mean": float(good.mean()),
        "std": float(good.std()),
        "rms": float(np.sqrt(np.mean(good * good))),
    }


def episodes(x: np.ndarray, most: int = 24) -> list[tuple[int, int]]:
    """Split x where it decreases. Return (first, end) of each resulting stretch, for the newest `most` stretches."""
    falls = (np.flatnonzero(np.diff(x) < 0) + 1).tolist()
    return list(itertools.pairwise([0, *falls, len(x)]))[-most:]
