"""The timeline: transport buttons at the left, then the recorded states on an axis of seconds, with marks and a playhead."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from imgui_bundle import ImVec2, imgui

from . import icons, widgets
from .arithmetic import round_step
from .context import Context
from .element_names import capital
from .intents import Bookmark, PlayPast, SaveFile, Scrub, SetLoop, SetRunning, SetSpeed
from .panel.simulation import speed_label
from .playback import Playback

# (action, icon)
TRANSPORT = (
    ("reset", icons.RESTART),
    ("back", icons.STEP_BACK),
    ("run", icons.PLAY),
    ("step", icons.STEP_FORWARD),
)
# Sizes in text heights: the bar, a button, the list of speeds, the time at the right, and the shortest track.
HEIGHT, BUTTON, SPEED, TIME, LEAST = 2.5, 1.9, 6.0, 5.4, 8.0
# Parts, in the order in which they are omitted if there is no room.
LEAVE_OUT = ("speed", "time", "reset", "back", "step")
# Minimum distance between two axis labels in text heights, and the axis position as a fraction of the track's height.
APART, MIDDLE = 4.5, 0.36
# In pixels: half the width of the playhead, and the distance within which the mouse finds a mark.
HEAD, CATCH = 5.0, 4.0
# maximum number of marks that the tooltip lists
MOST_WORDS = 8
# Zoom factor of one notch of the wheel, and the smallest number of visible states.
ZOOM, LEAST_STATES = 1.25, 5.0
_BAR = imgui.WindowFlags_.no_decoration | imgui.WindowFlags_.no_saved_settings | imgui.WindowFlags_.no_docking


@dataclass(frozen=True)
class Axis:
    """Maps states to pixel positions between `left` and `right`. There are `count` recorded states. The last
    `run` of them, from time `begin` to `end`, contain no reset.
    """

    left: float
    right: float
    count: int
    run: int
    begin: float
    end: float
    # the visible part of the states, as fractions
    zoom: tuple[float, float] = (0.0, 1.0)

    def x(self, index: float) -> float:
        """Return the position of a state; 0 is the oldest."""
        low, high = self.zoom
        return self.left + (self.right - self.left) * (index / max(1, self.count - 1) - low) / (high - low)

    def share(self, x: float) -> float:
        """Return a position as a fraction of all states."""
        low, high = self.zoom
        return low + (high - low) * (x - self.left) / max(1.0, self.right - self.left)

    def index(self, x: float) -> int:
        """Return the state at a position."""
        return min(max(round(self.share(x) * (self.count - 1)), 0), max(0, self.count - 1))

    def of_time(self, time: float) -> float | None:
        """Return the position of a time since the last reset; None if it is not recorded."""
        if self.run < 2 or not self.begin <= time <= self.end or self.end <= self.begin:
            return None
        share = (time - self.begin) / (self.end - self.begin)
        return self.x(self.count - self.run + share * (self.run - 1))

    def time(self, index: int) -> float | None:
        """Return the time of a state; None for states before the last reset."""
        return self.nearest_time(index) if index >= self.count - self.run else None

    def nearest_time(self, index: int) -> float:
        """Return the time of a state; for states before the last reset, the time at which this run begins."""
        since = max(0, index - (self.count - self.run))
        return self.begin + (self.end - self.begin) * since / max(1, self.run - 1)

    def ticks(self, apart: float) -> Iterator[tuple[float, float]]:
        """Yield round times and their positions, at least `apart` pixels from each other."""
        first, last, seconds = self.x(self.count - self.run), self.x(self.count - 1), self.end - self.begin
        if self.run < 2 or seconds <= 0 or last - first < apart:
            return
        step = round_step(apart * seconds / (last - first))
        # yield only visible times
        low, high = (self.begin + seconds * (x - first) / (last - first) for x in (self.left, self.right))
        for k in range(math.ceil(max(self.begin, low) / step), math.floor(min(self.end, high) / step) + 1):
            if (x := self.of_time(k * step)) is not None:
                yield k * step, x


def draw(ctx: Context) -> None:
    """Draw one bar over the whole width, above the status bar."""
    viewport = imgui.get_main_viewport()
    imgui.push_style_var(imgui.StyleVar_.window_rounding, 0.0)
    imgui.push_style_var(imgui.StyleVar_.window_padding, ImVec2(widgets.em(0.6), widgets.em(0.25)))
    shown = imgui.internal.begin_viewport_side_bar(
        "##timeline", viewport, imgui.Dir.down, float(round(widgets.em(HEIGHT))), _BAR
    )
    imgui.pop_style_var(2)
    if shown:
        _parts(ctx)
    imgui.end()


def _parts(ctx: Context) -> None:
    """Draw buttons, speed, track and time; omit parts that do not fit."""
    gap, room = imgui.get_style().item_spacing.x, imgui.get_content_region_avail().x
    shown = [action for action, _icon in TRANSPORT] + ["speed", "time"]
    width = {"speed": widgets.em(SPEED), "time": widgets.em(TIME)}
    for name in LEAVE_OUT:
        if sum(width.get(part, widgets.em(BUTTON)) + gap for part in shown) + widgets.em(LEAST) > room:
            shown.remove(name)

    for action, icon in TRANSPORT:
        if action in shown:
            _button(ctx, action, icon)
            imgui.same_line()
    if "speed" in shown:
        _speed(ctx)
        imgui.same_line()
    right = width["time"] if "time" in shown else 0.0
    _track(ctx, imgui.get_content_region_avail().x - right)
    if right:
        imgui.same_line(0, gap)
        _time(ctx)


def _button(ctx: Context, action: str, icon: str) -> None:
    running = ctx.m is not None and ctx.status.running
    if action == "run":
        icon = icons.PAUSE if running or ctx.scratch.of(Playback).rate else icons.PLAY
        imgui.push_style_color(imgui.Col_.text, ctx.theme["accent"])
    imgui.begin_disabled(ctx.m is None or action == "step" and running)
    if imgui.button(f"{icon}##{action}", ImVec2(widgets.em(BUTTON), widgets.em(BUTTON))):
        ctx.emit(SetRunning() if action == "run" else ctx.keys.actions[action].make())
    imgui.end_disabled()
    if action == "run":
        imgui.pop_style_color()
    widgets.tooltip(ctx.tip(action))


def _speed(ctx: Context) -> None:
    imgui.set_next_item_width(widgets.em(SPEED))
    imgui.set_cursor_pos_y(0.5 * (imgui.get_window_height() - imgui.get_frame_height()))
    if (new := widgets.choice("speed", ctx.status.speed, [speed_label(s) for s in ctx.speeds])) is not None:
        ctx.emit(SetSpeed(new))
    widgets.tooltip(f"Speed, in percent of real time\n{ctx.hint('slower')} slower, {ctx.hint('faster')} faster")


def _time(ctx: Context) -> None:
    """Draw the simulation time, and the length of a film that is being recorded."""
    if ctx.m is None:
        return
    imgui.set_cursor_pos_y(0.5 * (imgui.get_window_height() - imgui.get_text_line_height()))
    if ctx.recording is not None:
        imgui.text_colored(ctx.theme["bad"], f"{icons.RECORD}  {ctx.recording:.1f} s")
    else:
        imgui.text_unformatted(f"{ctx.d.time:.2f} s")


def _track(ctx: Context, width: float) -> None:
    """Draw the recorded states; a drag goes to one of them."""
    height = widgets.em(HEIGHT - 0.5)
    imgui.set_cursor_pos_y(widgets.em(0.25))
    low = imgui.get_cursor_screen_pos()
    imgui.invisible_button("##track", ImVec2(max(1.0, width), height))
    # The frame in which the button is released has the last motion of the drag.
    active, hovered = imgui.is_item_active() or imgui.is_item_deactivated(), imgui.is_item_hovered()
    high = ImVec2(low.x + width, low.y + height)
    draw_list = imgui.get_window_draw_list()
    draw_list.add_rect_filled(low, high, ctx.theme.u32("field"), imgui.get_style().frame_rounding)
    status = ctx.status
    if ctx.m is None or status.history < 2:
        return

    played = ctx.scratch.of(Playback)
    axis = Axis(low.x + HEAD + 2, high.x - HEAD - 2, status.history, status.run, *status.span, zoom=played.zoom)
    if ctx.seen is not None:
        ctx.seen.timeline[:] = axis.left, low.y, axis.right, high.y
    draw_list.push_clip_rect(low, high, True)
    _range(ctx, axis, low, high)
    _axis(ctx, axis, low, high)
    marks = _marks(ctx, axis, low, high)
    _playhead(ctx, axis, low, high)
    draw_list.pop_clip_rect()
    if hovered and imgui.get_io().mouse_wheel:
        played.zoom = zoomed(axis, imgui.get_mouse_pos().x, imgui.get_io().mouse_wheel)
    if imgui.begin_popup_context_item("##range"):
        _menu(ctx, axis)
        imgui.end_popup()
    if active and (imgui.get_io().key_shift or ctx.scratch.of(Marking).begin is not None):
        _mark(ctx, axis)
    elif active:
        position = axis.index(imgui.get_mouse_pos().x) - (status.history - 1)
        if position != status.position:
            ctx.emit(Scrub(position))
    elif hovered:
        _explain(axis, marks)
    if not imgui.is_mouse_down(0):
        ctx.scratch.of(Marking).begin = None


def zoomed(axis: Axis, x: float, notches: float) -> tuple[float, float]:
    """Return the visible part of the states after turning the wheel at pixel `x`; the state there stays under the mouse."""
    (low, high), at = axis.zoom, axis.share(x)
    width = min(1.0, max(LEAST_STATES / max(LEAST_STATES, axis.count), (high - low) * ZOOM**-notches))
    first = min(max(0.0, at - (at - low) * width / (high - low)), 1.0 - width)
    return first, first + width


@dataclass
class Marking:
    """The simulation times at which a drag that marks a range began, and of the last right click."""

    begin: float | None = None
    clicked: float | None = None


def _mark(ctx: Context, axis: Axis) -> None:
    """Mark a time range by dragging with Shift held. States before the last reset belong to another run: over them, the range
    ends where this run begins."""
    state, time = ctx.scratch.of(Marking), axis.nearest_time(axis.index(imgui.get_mouse_pos().x))
    state.begin = time if state.begin is None else state.begin
    begin, end = sorted((state.begin, time))
    ctx.scratch.of(Playback).span = (begin, end) if end > begin else None


def _range(ctx: Context, axis: Axis, low: Any, high: Any) -> None:
    """Draw the marked range."""
    span = ctx.scratch.of(Playback).span
    if span is None or span[1] < axis.begin or span[0] > axis.end:
        return
    first, last = (axis.of_time(min(max(time, axis.begin), axis.end)) for time in span)
    if first is not None and last is not None:
        draw_list = imgui.get_window_draw_list()
        draw_list.add_rect_filled(ImVec2(first, low.y), ImVec2(last, high.y), ctx.theme.u32("accent", 0.22))
        for x in (first, last):
            draw_list.add_line(ImVec2(x, low.y), ImVec2(x, high.y), ctx.theme.u32("accent", 0.8), 1.0)


# A row of the menu: label, key, whether it is ticked (None: it never is), whether it is enabled, and its function.
Row = tuple[str, str, bool | None, bool, Callable[[], None]]
CONTACTS = "Mark new contacts"


def _menu(ctx: Context, axis: Axis) -> None:
    """Draw the menu of a right click on the track."""
    played = ctx.scratch.of(Playback)
    if imgui.is_window_appearing():
        ctx.scratch.of(Marking).clicked = axis.time(axis.index(imgui.get_mouse_pos().x))
    marked = played.span is not None
    # Groups of rows: playback, the displayed moment, the marked range, the zoom.
    groups: tuple[tuple[Row, ...], ...] = (
        (
            ("Play", ctx.hint("play_past"), None, True, lambda: ctx.emit(PlayPast())),
            ("Play backwards", ctx.hint("play_back"), None, True, lambda: ctx.emit(PlayPast(-1.0))),
            ("Play in a loop", "", played.loops, True, lambda: setattr(played, "loop", not played.loops)),
        ),
        (
            ("Bookmark this moment", ctx.hint("bookmark"), None, True, lambda: ctx.emit(Bookmark())),
            (CONTACTS, "", ctx.status.mark_contacts, True, lambda: ctx.emit(SetLoop("mark_contacts", None))),
        ),
        (
            ("Film the range", "", None, marked, lambda: ctx.emit(PlayPast(film=True))),
            ("Export the range as a motion", "", None, marked, lambda: ctx.emit(SaveFile("motion", span=played.span))),
            ("Clear the range", "", None, marked, lambda: setattr(played, "span", None)),
        ),
        (
            ("Zoom to the range", "", None, marked, lambda: _zoom_to(axis, played)),
            ("Show everything", "", None, played.zoom != (0.0, 1.0), lambda: setattr(played, "zoom", (0.0, 1.0))),
        ),
    )

    # Draw the rows.
    for k, rows in enumerate(groups):
        if k:
            imgui.separator()
        for label, key, ticked, enabled, act in rows:
            if imgui.menu_item(label, key, bool(ticked), enabled)[0]:
                act()
            _seen(ctx, label)
    if not marked:
        imgui.separator()
        widgets.muted(ctx, "Mark a range: Shift + drag", wrap=False)


def _seen(ctx: Context, label: str) -> None:
    """Record the position of a menu row, for traces."""
    if ctx.seen is not None:
        low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        ctx.seen.menu_rows[label] = [low.x, low.y, high.x - low.x, high.y - low.y]


def _zoom_to(axis: Axis, played: Playback) -> None:
    """Zoom to the marked range."""
    assert played.span is not None
    whole = replace(axis, zoom=(0.0, 1.0))
    ends = [whole.of_time(min(max(time, axis.begin), axis.end)) for time in played.span]
    low, high = (0.0 if x is None else whole.share(x) for x in ends)
    played.zoom = (low, high) if high > low else (0.0, 1.0)


def _axis(ctx: Context, axis: Axis, low: Any, high: Any) -> None:
    """Draw the axis with labels in seconds; the part before the last reset has another shade."""
    draw_list = imgui.get_window_draw_list()
    middle = low.y + MIDDLE * (high.y - low.y)
    first = axis.x(axis.count - axis.run)
    draw_list.add_line(ImVec2(axis.left, middle), ImVec2(axis.right, middle), ctx.theme.u32("border"), 2.0)
    draw_list.add_line(ImVec2(first, middle), ImVec2(axis.right, middle), ctx.theme.u32("muted"), 2.0)
    if axis.run < axis.count:
        draw_list.add_line(ImVec2(first, low.y + 3), ImVec2(first, high.y - 3), ctx.theme.u32("warn"), 1.0)

    size, head = imgui.get_font_size() * 0.85, axis.x(axis.count - 1 + ctx.status.position)
    for time, x in axis.ticks(widgets.em(APART)):
        text = f"{time:.6g} s"
        wide = 0.85 * imgui.calc_text_size(text).x
        draw_list.add_line(ImVec2(x, middle - 3), ImVec2(x, middle + 3), ctx.theme.u32("muted"), 1.0)
        at = min(max(x - 0.5 * wide, low.x + 2), high.x - wide - 2)
        if axis.run < axis.count and abs(x - first) < 0.5 * wide:
            # Move the label, because the line that marks the last reset would cross it out.
            at = first + 4
        # Omit a label that the playhead would cross out.
        if not at - 2 < head < at + wide + 2:
            draw_list.add_text(imgui.get_font(), size, ImVec2(at, high.y - size - 1), ctx.theme.u32("muted"), text)


def _marks(ctx: Context, axis: Axis, low: Any, high: Any) -> list[tuple[float, str]]:
    """Draw marks since the last reset, and the reset itself; return their positions and texts."""
    found = []
    if axis.run < axis.count:
        found.append((axis.x(axis.count - axis.run), "Reset"))
    middle, size = low.y + MIDDLE * (high.y - low.y), widgets.em(0.28)
    for time in ctx.scratch.of(Playback).bookmarks:
        if (x := axis.of_time(time)) is not None:
            found.append((x, f"Bookmark at {time:.3f} s"))
            top = low.y + 1
            imgui.get_window_draw_list().add_triangle_filled(
                ImVec2(x, top), ImVec2(x + 2.2 * size, top + size), ImVec2(x, top + 2 * size), ctx.theme.u32("good")
            )
            imgui.get_window_draw_list().add_line(ImVec2(x, top), ImVec2(x, high.y - 3), ctx.theme.u32("good"), 1.0)
    for time, text in ctx.status.begun:
        if (x := axis.of_time(time)) is not None:
            found.append((x, capital(text)))
            imgui.get_window_draw_list().add_circle_filled(ImVec2(x, middle), 0.6 * size, ctx.theme.u32("accent"))
    for mark in ctx.status.marks:
        if (x := axis.of_time(mark.time)) is None:
            continue
        found.append((x, f"{capital(mark.text)}\nRight click: ask the doctor"))
        imgui.get_window_draw_list().add_circle_filled(ImVec2(x, middle), size, ctx.theme.u32("bad"))
    return found


def _playhead(ctx: Context, axis: Axis, low: Any, high: Any) -> None:
    """Draw a thin line with a handle at the displayed state."""
    x = axis.x(axis.count - 1 + ctx.status.position)
    draw_list, color = imgui.get_window_draw_list(), ctx.theme.u32("accent")
    draw_list.add_line(ImVec2(x, low.y + 2), ImVec2(x, high.y - 2), color, 2.0)
    draw_list.add_triangle_filled(ImVec2(x - HEAD, low.y), ImVec2(x + HEAD, low.y), ImVec2(x, low.y + 1.6 * HEAD), color)


def _explain(axis: Axis, marks: list[tuple[float, str]]) -> None:
    """Show the time under the mouse, and any mark there."""
    x = imgui.get_mouse_pos().x
    time = axis.time(axis.index(x))
    words = [text for at, text in marks if abs(at - x) <= CATCH]
    if len(words) > MOST_WORDS:
        words = [*words[:MOST_WORDS], f"and {len(words) - MOST_WORDS} more"]
    imgui.set_tooltip("\n".join(["Before the last reset" if time is None else f"{time:.3f} s: drag to go there", *words]))
