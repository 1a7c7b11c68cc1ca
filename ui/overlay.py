"""Overlays on the 3D view: messages, pause, real-time factor, info, help, profiler, sensor bars."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from imgui_bundle import ImVec2, imgui

from .. import engine as mj
from . import icons, images, plots, trusting, widgets
from .context import Context
from .intents import Dismiss, Examine, OpenEditor, OpenFile, SelectElement, SetLoop, ShowPanel
from .shown import Trouble
from .statusbar import how_far
from .telemetry import solver_error

_FLAGS = (
    imgui.WindowFlags_.no_decoration
    | imgui.WindowFlags_.no_docking
    | imgui.WindowFlags_.no_saved_settings
    | imgui.WindowFlags_.no_focus_on_appearing
    | imgui.WindowFlags_.no_nav
    | imgui.WindowFlags_.always_auto_resize
)
_BEHIND = imgui.WindowFlags_.no_inputs | imgui.WindowFlags_.no_bring_to_front_on_focus
MARGIN = 0.8
# Minimum size of a view that shows the profiler, and minimum size of the sensor plot, in text heights.
PROFILER_ROOM, SENSORS_LEAST = (20.0, 9.0), 6.0
# In text heights: minimum height of a view that shows the word PAUSE, the word's height, and the view height below which only
# one message fits.
PAUSE_ROOM, PAUSE_HEIGHT, LOW = 20.0, 3.6, 26.0
# files that can be shown as text
TEXTS = (".xml", ".mjcf", ".urdf")
# Prefix of the warnings about an unstable simulation.
UNSTABLE = "Unstable: "
# seconds for which a warning of the engine stays after its last occurrence
TROUBLE_SECONDS = 8.0
MOUSE_HELP = (
    ("Orbit", "Left drag"),
    ("Pan", "Right drag"),
    ("Pan on the ground", "Shift+right drag"),
    ("Zoom", "Wheel, middle drag"),
    ("Select a body", "Double-click"),
    ("Look at a point", "Right double-click"),
    ("Menu: select, hide, plot", "Right click"),
    ("Track a body", "Ctrl+right double-click"),
    ("Pull the selected body", "Ctrl+right drag"),
    ("Turn the selected body", "Ctrl+left drag"),
    ("Pull in the ground plane", "Ctrl+Shift+drag"),
    ("Swap left and right", "Alt"),
    ("Open a model", "Drop a file"),
    ("Type into a slider", "Ctrl+click"),
)


def draw(ctx: Context) -> None:
    """Draw all overlays that are enabled."""
    if ctx.m is None:
        _welcome(ctx)
    else:
        _status(ctx)
        if ctx.settings["profiler"]:
            _profiler(ctx)
        if ctx.settings["info"]:
            _info(ctx)
        if ctx.settings["sensor"]:
            _sensors(ctx) if ctx.m.nsensor else _no_sensors(ctx)
        if ctx.overlays is not None:
            _user(ctx)
        _trouble(ctx)
    _message(ctx)
    if ctx.settings["help"]:
        _help(ctx)


def box(
    ctx: Context,
    name: str,
    spot: tuple[float, float],
    pivot: tuple[float, float],
    body: Callable[[], None],
    size: tuple[float, float] | None = None,
    mouse: bool = False,
) -> None:
    """Draw a box whose corner `pivot` (0..1) is at `spot` (pixels). It is translucent, or opaque if it reacts to the mouse."""
    imgui.set_next_window_pos(ImVec2(*spot), imgui.Cond_.always, ImVec2(*pivot))
    if size:
        imgui.set_next_window_size(ImVec2(*size))
    else:
        # A box that is too large for the view is cut off at the view's edge.
        x, _y, w, h = ctx.view_rect
        width = w if mouse else free_right(ctx) - x
        imgui.set_next_window_size_constraints(
            ImVec2(0, 0), ImVec2(*(max(1.0, side - 2 * MARGIN * ctx.em) for side in (width, h)))
        )

    # A box over panels must be opaque, because its text would be hard to read on a transparent background.
    imgui.push_style_color(imgui.Col_.window_bg, ctx.theme["panel" if mouse or name == "message" else "overlay"])
    flags = int(_FLAGS)
    if size:
        flags &= ~int(imgui.WindowFlags_.always_auto_resize)
    if mouse and size:
        flags &= ~int(imgui.WindowFlags_.no_scrollbar)
    # Boxes without buttons are behind floating windows, except messages.
    without = _BEHIND if name != "message" else imgui.WindowFlags_.no_inputs
    imgui.begin(f"##{name}", None, flags | (0 if mouse else int(without)))
    body()
    imgui.end()
    imgui.pop_style_color()


def free_right(ctx: Context) -> float:
    """Return the right end of the view, left of the profiler."""
    x, _y, w, _h = ctx.view_rect
    return x + w - (profiler_width(ctx) if ctx.settings["profiler"] and ctx.m is not None else 0.0)


def profiler_width(ctx: Context) -> float:
    """Return the width of the profiler's figures; 0 if the view is too small for them."""
    _x, _y, w, h = ctx.view_rect
    if w < PROFILER_ROOM[0] * ctx.em or h < PROFILER_ROOM[1] * ctx.em:
        return 0.0
    return max(ctx.em * 11, min(0.28 * ctx.view_rect[2], ctx.em * 24))


def _profiler(ctx: Context) -> None:
    x, y, w, h = ctx.view_rect
    width = profiler_width(ctx)
    if not width:
        return
    margin = 0.5 * MARGIN * ctx.em

    def body() -> None:
        room = imgui.get_content_region_avail()
        plots.profiler(ctx, room.x, room.y)

    box(ctx, "profiler", (x + w - margin, y + margin), (1, 0), body, (width - margin, h - 2 * margin))


def _sensors(ctx: Context) -> None:
    x, y, w, h = ctx.view_rect
    margin = 0.5 * MARGIN * ctx.em
    size = (min(max(16 * ctx.em, 0.28 * w), free_right(ctx) - x - 2 * margin), min(max(10 * ctx.em, h / 3), h - 2 * margin))
    # Place the plot above the info box if there is no room beside the box.
    lift, info = 0.0, imgui.internal.find_window_by_name("##info") if ctx.settings["info"] else None
    if info is not None and info.size.x + size[0] + 3 * margin > free_right(ctx) - x:
        lift = _info_height(ctx) + 2 * margin
        # The plot must also stay below the word PAUSE.
        size = size[0], min(size[1], h - lift - 2 * margin - (0.0 if ctx.status.running else PAUSE_HEIGHT * ctx.em))
    if min(size) < SENSORS_LEAST * ctx.em:
        return
    picture = images.chosen(ctx)

    def body() -> None:
        room = imgui.get_content_region_avail()
        if picture:
            images.sensor(ctx, picture, (room.x, room.y))
        else:
            plots.sensors(ctx, room.x, room.y)

    box(ctx, "sensorplot", (free_right(ctx) - margin, y + h - margin - lift), (1, 1), body, size)


def _no_sensors(ctx: Context) -> None:
    """Show why there is no sensor plot."""
    x, y, _w, h = ctx.view_rect
    margin, lift = 0.5 * MARGIN * ctx.em, _info_height(ctx) + MARGIN * ctx.em if ctx.settings["info"] else 0.0
    text = f"{icons.INFO}  This model has no sensors"
    box(ctx, "sensorplot", (free_right(ctx) - margin, y + h - margin - lift), (1, 1), lambda: imgui.text_unformatted(text))


def _status(ctx: Context) -> None:
    """Draw PAUSE at the top centre, and the real-time factor at the top left."""
    x, y, _w, h = ctx.view_rect
    status, margin = ctx.status, MARGIN * ctx.em
    # The status bar shows the factor as well.
    if not status.running and h > PAUSE_ROOM * ctx.em and ctx.settings["bars"]:
        text = f"{icons.PAUSE}  PAUSE" + (f"  at {ctx.d.time:.2f} s" if status.position else "")
        box(ctx, "pause", (0.5 * (x + free_right(ctx)), y + margin), (0.5, 0), lambda: big(ctx, text, "text"))
    if status.held and h > PAUSE_ROOM * ctx.em:
        box(ctx, "held", (0.5 * (x + free_right(ctx)), y + margin), (0.5, 0), lambda: _held(ctx))
    if ctx.settings["fly"]:
        words = f"{icons.VIDEO}  Flying: W A S D, Q E, Shift is faster, drag looks around, Esc ends"
        box(ctx, "fly", (0.5 * (x + free_right(ctx)), y + 5 * margin), (0.5, 0), lambda: imgui.text_unformatted(words))
    text = factor_text(ctx.speeds[status.speed], None if ctx.waiting else status.measured)
    if text:
        box(ctx, "factor", (x + margin, y + margin), (0, 0), lambda: big(ctx, text, "text"))


@dataclass
class PutAway:
    """The warning that the user closed: generation of the model, kind and element."""

    trouble: tuple[int, int, tuple[str, int]] | None = None


@dataclass
class Widest:
    """The largest width that texts in the info box have had for this model, in characters."""

    generation: int = -1
    columns: int = 0


def _troubled(ctx: Context) -> Trouble | None:
    """Return the recent warning of the engine that the user has not closed, if there is one."""
    trouble = ctx.status.trouble
    if ctx.m is None or trouble is None or ctx.status.running and time.perf_counter() - trouble.last > TROUBLE_SECONDS:
        return None
    closed = ctx.scratch.of(PutAway).trouble == (ctx.status.generation, trouble.kind, trouble.element)
    return None if closed else trouble


def _trouble(ctx: Context) -> None:
    """Draw the engine's last warning: its element, and buttons to investigate it."""
    trouble = _troubled(ctx)
    if trouble is None:
        return
    closed = ctx.status.generation, trouble.kind, trouble.element
    x, y, _w, _h = ctx.view_rect
    room = free_right(ctx) - x - 2 * MARGIN * ctx.em

    def put_away() -> None:
        ctx.scratch.of(PutAway).trouble = closed

    def body() -> None:
        stopped = trouble.reset and ctx.status.stop_unstable and not ctx.status.running
        often = f", reset {trouble.count} times" if trouble.reset and trouble.count > 1 else ", reset" if trouble.reset else ""
        often = ", stopped before the reset" if stopped else often
        imgui.push_text_wrap_pos(min(room, 34 * ctx.em))
        imgui.text_colored(
            ctx.theme["bad"],
            f"{icons.WARNING}  Unstable{often}" if trouble.text.startswith(UNSTABLE) else f"{icons.WARNING}  Warning",
        )
        imgui.text_unformatted(trouble.text.replace(UNSTABLE + "the", "The"))
        imgui.pop_text_wrap_pos()
        if widgets.flowing(f"{icons.DOCTOR}  Why?", room, first=True):
            ctx.emit(ShowPanel("doctor", True))
            ctx.emit(Examine())
            # The Doctor panel shows the details.
            put_away()
        widgets.tooltip("Go back to the start of the problem, look for the cause and try remedies")
        if widgets.flowing(f"{icons.WRENCH}  Health", room):
            ctx.emit(ShowPanel("health", True))
        kind, index = trouble.element
        if kind and widgets.flowing(f"{icons.HAND}  Select", room):
            ctx.emit(SelectElement(kind, index))
        if trouble.reset and not ctx.status.stop_unstable:
            if widgets.flowing(f"{icons.PAUSE}  Stop there", room):
                ctx.emit(SetLoop("stop_unstable", True))
            widgets.tooltip("Pause before the step at which the simulation would be reset")
        if widgets.flowing(f"{icons.CLOSE}##trouble", room):
            put_away()

    box(ctx, "trouble", (0.5 * (x + free_right(ctx)), y + 4 * MARGIN * ctx.em), (0.5, 0), body, mouse=True)


def factor_text(wanted: float, measured: float | None) -> str:
    """Return `50 %`, with the measured factor in brackets if it differs by more than a tenth."""
    text = "" if wanted == 100 else "max" if math.isinf(wanted) else f"{wanted:g} %"
    if measured is not None and (math.isinf(wanted) or abs(100 * measured - wanted) > 0.1 * wanted):
        shown = 100 * measured
        text += f" ({shown:.1f} %)" if shown < 10 else f" ({shown:.0f} %)"
    return text.strip()


def big(ctx: Context, text: str, color: str) -> None:
    """Write a line in large letters. `color`: a name of the theme."""
    imgui.push_style_color(imgui.Col_.text, ctx.theme[color])
    with widgets.font(ctx.fonts.bold, 1.35):
        imgui.text_unformatted(text)
    imgui.pop_style_color()


def _held(ctx: Context) -> None:
    """Draw the reason why the model does not move yet, and when it will."""
    progress = ctx.status.compiling
    if progress is None:
        return
    big(ctx, f"{icons.GEAR}  Compiling the physics", "text")
    imgui.push_style_color(imgui.Col_.plot_histogram, ctx.theme["accent"])
    imgui.progress_bar(
        progress.done / max(1, progress.total), ImVec2(max(imgui.get_item_rect_size().x, 16 * ctx.em), 0.3 * ctx.em), ""
    )
    imgui.pop_style_color()
    imgui.text_colored(ctx.theme["muted"], f"{how_far(progress)}, once on this machine")


# Minimum width of texts in the info box: the width that they have at full speed.
INFO_COLUMNS = len("100.0 % of real time")
# Width of titles in the info box, in text heights, and the box's smallest relative letter size. If the box is higher than
# HIGH_INFO times the view, messages move to the top of the view.
INFO_TITLES, LEAST_LETTERS, HIGH_INFO = 4.8, 0.5, 0.5
# height of a message, in text heights
MESSAGE_ROOM = 5.0


def info_rows(ctx: Context) -> list[tuple[str, str]]:
    """Return (title, text) for each line of the info box."""
    m, d = ctx.m, ctx.d
    error, iterations = solver_error(m, d)
    step = ctx.telemetry.step_ms or ctx.status.step_ms
    rows = [
        ("Time", f"{d.time:.3f} s"),
        ("Size", f"{int(d.nefc)}  ({int(d.ncon)} con)"),
        ("CPU", f"{step:.3f} ms/{'step' if ctx.status.running else 'forward'}"),
        ("Solver", f"{error:.1f}  ({iterations} it)"),
        ("FPS", f"{ctx.fps:.1f}" if ctx.fps < 1 else f"{ctx.fps:.0f}"),
    ]
    used, most = memory_use(d)
    rows.append(("Memory", f"{size_text(used)} of {size_text(most)}"))
    if ctx.status.measured is not None:
        rows.insert(1, ("Speed", f"{100 * ctx.status.measured:.1f} % of real time"))
    enabled = int(m.opt.enableflags)
    if enabled & mj.mjtEnableBit.mjENBL_ENERGY:
        rows.append(("Energy", f"{float(np.sum(d.energy)):.3f}"))
    if enabled & mj.mjtEnableBit.mjENBL_FWDINV:
        a, b = np.log10(np.maximum(d.solver_fwdinv, 1e-15))
        rows.append(("FwdInv", f"{a:.1f}  {b:.1f}"))
    if not int(m.opt.disableflags) & mj.mjtDisableBit.mjDSBL_ISLAND and d.nisland > 0:
        rows.append(("Islands", f"{int(d.nisland)}"))
    return rows


def memory_use(d: Any) -> tuple[int, int]:
    """Return the maximum number of bytes used by contacts and constraints, and the number available: the size of the arena if
    it is limited, else of the memory that grows on demand.
    """
    if d.limit_arena:
        return int(d.maxuse_arena), max(1, int(d.narena))
    grown = d.storage.growable
    return 0 if grown is None else int(grown.nbytes), max(1, d.memory_limit)


def size_text(count: int) -> str:
    """Return a number of bytes in a readable unit."""
    size, unit = float(count), 0
    while size >= 1024 and unit < 4:
        size, unit = size / 1024, unit + 1
    return f"{size:.3g} {('B', 'KiB', 'MiB', 'GiB', 'TiB')[unit]}"


def _info(ctx: Context) -> None:
    x, y, _w, h = ctx.view_rect
    # A low view has room for either the info box or a message.
    if h < _info_height(ctx) + MESSAGE_ROOM * ctx.em and _message_text(ctx):
        return
    margin, rows = MARGIN * ctx.em, info_rows(ctx)
    # Keep the largest width that the box had for this model, because changing sizes are hard to read.
    widest, generation = ctx.scratch.of(Widest), ctx.status.generation
    if widest.generation != generation:
        widest.generation, widest.columns = generation, INFO_COLUMNS
    columns = widest.columns = max(widest.columns, *(len(text) for _title, text in rows))

    size = _info_size(ctx, columns)

    def body() -> None:
        with widgets.font(ctx.fonts.body, size):
            for title, text in rows:
                widgets.muted(ctx, title, wrap=False)
                imgui.same_line(INFO_TITLES * size * ctx.em)
                # The size is already set: relative sizes of nested fonts would multiply.
                with widgets.font(ctx.fonts.mono):
                    imgui.text_unformatted(text.ljust(columns))

    box(ctx, "info", (x + margin, y + h - margin), (0, 1), body)


def _info_size(ctx: Context, columns: int) -> float:
    """Return the letter size of the info box: normal, or so small that the box fits in the view."""
    _x, _y, _w, h = ctx.view_rect
    style = imgui.get_style()
    with widgets.font(ctx.fonts.mono):
        wide = INFO_TITLES * ctx.em + columns * imgui.calc_text_size("0").x
    room = free_right(ctx) - ctx.view_rect[0] - 2 * MARGIN * ctx.em - 2 * style.window_padding.x
    across, down = room / wide, (h - 2 * MARGIN * ctx.em) / _info_height(ctx)
    return max(LEAST_LETTERS, min(1.0, across, down))


def _info_height(ctx: Context) -> float:
    """Return the height of the info box with letters of normal size."""
    style, count = imgui.get_style(), len(info_rows(ctx))
    return count * imgui.get_text_line_height_with_spacing() - style.item_spacing.y + 2 * style.window_padding.y


def _message_text(ctx: Context) -> str:
    failure = ctx.failure
    return (ctx.failure_text or failure.message) if failure else ctx.status.message or ctx.notice


def _message(ctx: Context) -> None:
    """Draw the last error or warning at the bottom of the view, with buttons to go to its line."""
    failure, text = ctx.failure, _message_text(ctx)
    x, y, _w, h = ctx.view_rect
    # Omit the message if the box of the engine's warning already shows it, or if a low view has no room for both.
    told = ctx.status.trouble is not None and text.startswith(ctx.status.trouble.text)
    if not text or not failure and (h < LOW * ctx.em or told) and _troubled(ctx):
        return
    margin = MARGIN * ctx.em
    room = free_right(ctx) - x - 2 * margin
    lift = _info_height(ctx) + margin if ctx.settings["info"] and ctx.m is not None else 0.0
    bad = bool(failure or ctx.status.message) or ctx.notice_level == "error"
    warns = ctx.notice_level == "warning" or failure is not None and failure.outside
    # If the info box fills most of the view, the message is above it.
    top = lift > HIGH_INFO * h

    def body() -> None:
        wide = min(room - imgui.get_style().window_padding.x, 46 * ctx.em)
        imgui.push_text_wrap_pos(wide)
        color = "warn" if warns else "bad" if bad else "muted"
        imgui.push_style_color(imgui.Col_.text, ctx.theme[color])
        if failure and failure.outside:
            imgui.text_unformatted(f"{icons.FOLDER}  {trusting.title(failure)}")
        elif failure:
            place = f":{failure.line}" if failure.line else ""
            imgui.text_unformatted(f"{icons.WARNING}  {failure.file}{place}")
        imgui.pop_style_color()
        if not failure:
            imgui.text_colored(ctx.theme[color if bad or warns else "accent"], icons.WARNING if bad or warns else icons.INFO)
            imgui.same_line()
        if failure and failure.outside:
            trusting.draw(ctx, failure, wide)
        else:
            imgui.text_unformatted(text)
        imgui.pop_text_wrap_pos()
        if failure:
            _failure_buttons(ctx, failure, room)

    spot = (x + margin, y + margin) if top else (x + margin, y + h - margin - lift)
    box(ctx, "message", spot, (0, 0 if top else 1), body, mouse=bool(failure))


def _failure_buttons(ctx: Context, failure: Any, room: float) -> None:
    """Draw buttons to go to the line of the error, and to close the message."""
    shown = failure.file.lower().endswith(TEXTS)
    if failure.outside:
        trusting.button(ctx, failure)
    if shown and widgets.flowing(f"{icons.CODE}  Show in source", room, first=not failure.outside):
        ctx.emit(ShowPanel("source", True))
    if shown and widgets.flowing(f"{icons.DETACH}  Open in editor", room):
        ctx.emit(OpenEditor(failure.file, failure.line))
    if widgets.flowing(f"{icons.CLOSE}  Close", room, first=not shown and not failure.outside):
        ctx.emit(Dismiss())
    widgets.tooltip("Esc")


# {grid position: (position in the view, corner of the box that is placed there)}
PLACES = {
    0: (0.0, 0.0),
    1: (1.0, 0.0),
    2: (0.0, 1.0),
    3: (1.0, 1.0),
    4: (0.5, 0.0),
    5: (0.5, 1.0),
    6: (0.0, 0.5),
    7: (1.0, 0.5),
}


def _user(ctx: Context) -> None:
    """Draw a script's texts and figures."""
    x, y, w, h = ctx.view_rect
    margin = MARGIN * ctx.em
    room = free_right(ctx) - x
    if ctx.overlays is None:
        return
    images.user(ctx, ctx.overlays.images)
    for i, (scale, place, left, right) in enumerate(ctx.overlays.texts):
        u, v = PLACES.get(int(place or 0), (0.0, 0.0))
        size = (int(scale) if scale is not None else 150) / 150

        def body(left: str = left or "", right: str = right or "", size: float = size) -> None:
            with widgets.font(ctx.fonts.body, size):
                imgui.text_unformatted(left)
                if right:
                    imgui.same_line(0, ctx.em)
                    imgui.text_unformatted(right)

        box(ctx, f"text{i}", (x + margin + u * (room - 2 * margin), y + margin + v * (h - 2 * margin)), (u, v), body)
    # Figures are at the script's positions, in window pixels from the lower left corner.
    for i, (rect, figure) in enumerate(ctx.overlays.figures):
        top = imgui.get_io().display_size.y - (rect.bottom + rect.height) / ctx.pixels
        box(
            ctx,
            f"figure{i}",
            (rect.left / ctx.pixels, top),
            (0, 0),
            lambda f=figure, i=i: plots.user_figure(ctx, f, i),
            (rect.width / ctx.pixels, rect.height / ctx.pixels),
        )


def _welcome(ctx: Context) -> None:
    x, y, w, h = ctx.view_rect

    def body() -> None:
        big(ctx, f"{icons.CUBES}  Tumble", "accent")
        widgets.muted(ctx, "Drop a model file here, or", wrap=False)
        if imgui.button(f"{icons.OPEN}  Open a model..."):
            ctx.emit(OpenFile())
        imgui.same_line()
        if imgui.button(f"{icons.SHAPES}  Examples"):
            ctx.emit(ShowPanel("examples", True))
        for path in ctx.settings["recent"][:6]:
            if imgui.selectable(f"{path}##recent", False)[0]:
                ctx.emit(OpenFile(path))

    if not ctx.loading:
        box(ctx, "welcome", (x + 0.5 * w, y + 0.42 * h), (0.5, 0.5), body, mouse=True)


def help_groups(ctx: Context) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return titles with lines (effect, chord): all chords by group, and the mouse. Actions that differ only in a number share
    a line."""
    out = []
    for title, actions in ctx.keys.groups().items():
        rows: dict[str, list[str]] = {}
        for action in actions:
            if chord := ctx.hint(action.id):
                rows.setdefault(action.title.rstrip(" 0123456789") + ("s" if title == "Groups" else ""), []).append(chord)
        out.append((title, [(text, f"{c[0]} .. {c[-1]}" if len(c) > 1 else c[0]) for text, c in rows.items()]))
    out.insert(2, ("Mouse", list(MOUSE_HELP)))
    return out


# Usual and minimum width of a column of Help in text heights, and the fraction of it where the chord begins.
COLUMN, LEAST_COLUMN, CHORD_AT = 21.2, 19.4, 0.56


def help_columns(groups: list[tuple[str, list[tuple[str, str]]]], columns: int) -> list[list[tuple[str, str]]]:
    """Return the groups as columns of about equal height. (title, "") starts a group, which may continue in the next column."""
    lines = [line for title, rows in groups for line in ((title, ""), *rows, ("", ""))]
    height = -(-len(lines) // columns)
    out: list[list[tuple[str, str]]] = [[]]
    for k, line in enumerate(lines):
        # A title must not be alone at the bottom of a column.
        last = len(out[-1]) == height - 1 and line[0] and not line[1] and k + 1 < len(lines)
        if (len(out[-1]) >= height or last) and len(out) < columns:
            out.append([])
        if line[0] or out[-1]:
            out[-1].append(line)
    return out


def _help(ctx: Context) -> None:
    """Draw the help overlay in the middle of the window, in balanced columns."""
    viewport = imgui.get_main_viewport()
    margin, padding = 1.6 * ctx.em, ctx.em
    groups = help_groups(ctx)
    # Measure texts with the font in which the help is drawn.
    with widgets.font(ctx.fonts.body, 0.92):
        em, line = imgui.get_font_size(), imgui.get_text_line_height_with_spacing()
        room = viewport.size.x - 2 * margin - 2 * padding
        columns = help_columns(groups, max(1, min(5, int(room // (LEAST_COLUMN * em)))))
        width = min(COLUMN * em, room / len(columns))
        tallest = max(len(column) for column in columns)
        size = (len(columns) * width + 2 * padding, min(viewport.size.y - 2 * margin, tallest * line + 2 * padding))

        def body() -> None:
            imgui.columns(len(columns), "##help", False)
            for column in columns:
                for text, chord in column:
                    _help_line(ctx, CHORD_AT * width, text, chord)
                imgui.next_column()
            imgui.columns(1)

        center = viewport.get_center()
        imgui.push_style_var(imgui.StyleVar_.window_padding, ImVec2(padding, padding))
        box(ctx, "helpbox", (center.x, center.y), (0.5, 0.5), body, size, mouse=True)
        imgui.pop_style_var()


def _help_line(ctx: Context, split: float, text: str, chord: str) -> None:
    if text and not chord:
        with widgets.font(ctx.fonts.bold, 0.92):
            imgui.text_colored(ctx.theme["accent"], text)
        return
    if not text:
        imgui.new_line()
        return
    widgets.clipped(text, split - ctx.em - widgets.em(0.5))
    # The position is relative to the start of the column, including the margin.
    imgui.same_line(split)
    imgui.text_colored(ctx.theme["muted"], chord)
