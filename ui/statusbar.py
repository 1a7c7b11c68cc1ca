"""The status bar at the bottom: state and speed of the simulation, and counts of warnings."""

from __future__ import annotations

import os
from typing import Any

from imgui_bundle import imgui

from . import icons, widgets
from .context import Context
from .element_names import name
from .intents import Scrub, ShowPanel

# Width of the warning counts at the right end, in text heights.
COUNTS = 6.6
_BAR = (
    imgui.WindowFlags_.no_scrollbar
    | imgui.WindowFlags_.no_saved_settings
    | imgui.WindowFlags_.menu_bar
    | imgui.WindowFlags_.no_docking
)


def draw(ctx: Context) -> None:
    """Draw the status bar, one line over the whole width of the window."""
    imgui.push_style_var(imgui.StyleVar_.window_rounding, 0.0)
    shown = imgui.internal.begin_viewport_side_bar(
        "##status", imgui.get_main_viewport(), imgui.Dir.down, float(round(imgui.get_frame_height())), _BAR
    )
    imgui.pop_style_var()
    if shown:
        if imgui.begin_menu_bar():
            _line(ctx)
            imgui.end_menu_bar()
    imgui.end()


def parts(ctx: Context) -> list[tuple[str, str, str]]:
    """Return the parts of the line from left to right, as (text, colour, tooltip)."""
    if ctx.m is None:
        return [("No model", "muted", "")]

    status = ctx.status
    out = [
        (os.path.basename(ctx.path) or "model", "text", ctx.path),
        ("Waiting for the script", "warn", "The script has not called sync for a while; your changes take effect when it does")
        if ctx.waiting
        else (
            "Starts soon" if status.held else "Running" if status.running else "Paused",
            "good" if status.running and not status.held else "warn",
            "",
        ),
        (f"{ctx.d.time:.3f} s", "text", "Simulation time"),
    ]
    if status.compiling is not None:
        out.append(compiling(status.compiling))

    if status.measured is not None and not ctx.waiting:
        wanted = ctx.speeds[status.speed] / 100
        slow = wanted != float("inf") and status.measured < 0.9 * wanted
        out.append(
            (f"{100 * status.measured:.0f} % real time", "warn" if slow else "muted", "Measured over the last half second")
        )

    out.append((f"{ctx.fps:.0f} fps", "muted", f"{ctx.frame_ms:.1f} ms of work per frame"))
    if ctx.recording is not None:
        out.append((f"{icons.RECORD}  {ctx.recording:.1f} s", "bad", f"Recording; {ctx.hint('record')} ends it"))
    if ctx.view.selected > 0:
        out.append((f"{icons.HAND}  {name(ctx.m, 'body', ctx.view.selected)}", "accent", "Selected body"))
    return out


def compiling(progress: Any) -> tuple[str, str, str]:
    """Return the part of the line with the progress of compiling kernels, as (text, colour, tooltip)."""
    if progress.fault:
        return (f"{icons.WARNING} A kernel did not compile", "bad", progress.fault)
    held = (
        "the model moves as soon as the kernels for steps are ready" if progress.holding else "the kernels for steps are ready"
    )
    return (f"Compiling kernels: {how_far(progress)}", "accent", f"Once on this machine; {held}")


def how_far(progress: Any) -> str:
    """Return a text about progress, such as `12 of 42, about 14 s`."""
    return f"{progress.done} of {progress.total}" + (
        f", about {progress.seconds_left} s" if progress.seconds_left is not None else ""
    )


def _line(ctx: Context) -> None:
    end = imgui.get_window_width() - widgets.em(COUNTS + 0.6)
    for i, (text, color, help) in enumerate(parts(ctx)):
        if i:
            imgui.same_line(0, widgets.em(1.2))
            # In a narrow bar, omit the last parts.
            if imgui.get_cursor_pos_x() + imgui.calc_text_size(text).x > end:
                break
        imgui.text_colored(ctx.theme[color], text)
        widgets.tooltip(help)
        if i == 1:
            _trouble(ctx)
    if ctx.settings["workspace"] == "classic":
        _timeline(ctx)
    _counts(ctx)


def _trouble(ctx: Context) -> None:
    """Draw the engine's latest warning, with a link to its causes."""
    trouble = ctx.status.trouble if ctx.m is not None else None
    if trouble is None:
        return
    imgui.same_line(0, widgets.em(1.2))
    often = f"  x{trouble.count}" if trouble.count > 1 else ""
    imgui.text_colored(ctx.theme["bad"], f"{icons.WARNING}  {trouble_title(ctx.m, trouble)}{often}")
    if imgui.is_item_clicked():
        ctx.emit(ShowPanel("health", True))
    widgets.tooltip(f"{trouble.text}\nClick for the health of the model")


def trouble_title(m: Any, trouble: Any) -> str:
    """Return a short title of a warning, such as `Unstable: joint knee`."""
    kind, index = trouble.element
    word = "Unstable" if trouble.text.startswith("Unstable") else "Warning"
    return f"{word}: {kind} {name(m, kind, index)}" if kind else word


def _timeline(ctx: Context) -> None:
    """Draw a slider that scrubs through the recorded states."""
    oldest = 1 - ctx.status.history
    counts = widgets.em(8)
    begin = max(imgui.get_cursor_pos_x() + widgets.em(1.5), 0.5 * imgui.get_window_width())
    room = imgui.get_window_width() - counts - begin
    if ctx.m is None or oldest >= 0 or room < widgets.em(6):
        return
    imgui.same_line(begin)
    imgui.set_next_item_width(room)
    imgui.push_style_var(imgui.StyleVar_.frame_padding, (4, 0))
    imgui.push_style_color(imgui.Col_.frame_bg, ctx.theme["raised"])
    imgui.set_cursor_pos_y(0.5 * (imgui.get_window_height() - imgui.get_font_size()))
    shown = f"{ctx.status.position}" if ctx.status.position else "now"
    changed, new = imgui.slider_int("##timeline", ctx.status.position, oldest, 0, shown.replace("%", ""))
    imgui.pop_style_color()
    imgui.pop_style_var()
    widgets.tooltip("Recorded states: drag to go back")
    if changed:
        ctx.emit(Scrub(new))


def _counts(ctx: Context) -> None:
    imgui.same_line(imgui.get_window_width() - widgets.em(COUNTS))
    for level, icon, color in (("warning", icons.WARNING, "warn"), ("error", icons.ERROR, "bad")):
        count = ctx.log.count[level]
        imgui.text_colored(ctx.theme[color if count else "muted"], f"{icon} {count}")
        if imgui.is_item_clicked():
            ctx.emit(ShowPanel("console", True))
        widgets.tooltip(f"{level}s: click for the console")
        imgui.same_line(0, widgets.em(0.9))
