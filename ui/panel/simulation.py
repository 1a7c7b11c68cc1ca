"""Simulation panel: run, reset, speed, keyframes, noise, history."""

from dataclasses import dataclass
from functools import cache

from imgui_bundle import imgui

from .. import icons, live, sliders, widgets
from ..context import Context
from ..element_names import names
from ..intents import AddKey, LoadKey, SaveKey, Scrub, SetLoop, SetNoise, SetRunning, SetSpeed


def draw(ctx: Context) -> None:
    status = ctx.status
    if (new := widgets.radio(int(status.running), (f"{icons.PAUSE}  Pause", f"{icons.PLAY}  Run"))) is not None:
        ctx.emit(SetRunning(bool(new)))
    widgets.button_row(ctx, (("reset", "Reset", True), ("reload", "Reload", bool(ctx.path)), ("align", "Align", True)), 3)
    widgets.button_row(ctx, (("copy_state", "Copy state", True), ("copy_state_full", "All digits", True)), 2)
    _speed(ctx)
    _noise(ctx)
    _history(ctx)
    _keys(ctx)


@cache
def speed_label(percent: float) -> str:
    """Return the text for a speed, given in percent of real time."""
    return "Unlimited" if percent == float("inf") else f"{percent:g} %"


def _speed(ctx: Context) -> None:
    widgets.row("Speed")
    if (new := widgets.choice("speed", ctx.status.speed, [speed_label(s) for s in ctx.speeds])) is not None:
        ctx.emit(SetSpeed(new))
    widgets.tooltip(f"In percent of real time\n{ctx.hint('slower')} slower, {ctx.hint('faster')} faster")


def _noise(ctx: Context) -> None:
    status = ctx.status
    for label, name, high, form in (("Noise scale", "std", 1.0, "%.3f"), ("Noise rate", "rate", 4.0, "%.2f s")):
        widgets.row(label, help="Random controls: their strength, and the time constant of their decay")
        if (new := sliders.slider(name, getattr(status, f"noise_{name}"), 0.0, high, form)) is not None:
            ctx.emit(SetNoise(**{name: new}))


def _history(ctx: Context) -> None:
    status = ctx.status
    oldest = min(0, 1 - status.history)
    widgets.row("History", help=f"{status.history} states; back {ctx.hint('back')}, forward {ctx.hint('step')}")
    with widgets.disabled(oldest == 0):
        imgui.set_next_item_width(-1e-3)
        changed, new = imgui.slider_int("##history", status.position, min(oldest, -1), 0)
        if changed:
            ctx.emit(Scrub(new))


@dataclass
class Chosen:
    """The keyframe that is selected in the list."""

    key: int = 0


def _keys(ctx: Context) -> None:
    m = ctx.m
    if not ctx.passive and widgets.button(
        "Add keyframe", width=-1e-3, help="Write the state on screen into the source as a new keyframe; undo takes it out again"
    ):
        ctx.emit(AddKey())
    if not m.nkey:
        return
    key = min(ctx.scratch.of(Chosen).key, m.nkey - 1)
    widgets.row("Keyframe")
    if (new := widgets.choice("key", key, names(m, "key"))) is not None:
        ctx.scratch.of(Chosen).key = key = new
    spacing = imgui.get_style().item_spacing.x
    width = (imgui.get_content_region_avail().x - spacing) / 2
    if widgets.button("Load key", width=width):
        ctx.emit(LoadKey(key))
    imgui.same_line()
    if widgets.button("Save key", width=width, help="Write the current state into this keyframe of the model in memory"):
        ctx.emit(SaveKey(key))
    live.button(ctx, "key", key, -1e-3)
    if (new := widgets.toggle("Noise pulls toward this keyframe", ctx.status.key >= 0)) is not None:
        ctx.emit(SetLoop("key", key if new else -1))
