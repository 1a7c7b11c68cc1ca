"""Motions panel: recorded motions, shown beside the simulation as transparent copies of the moving bodies."""

from __future__ import annotations

from typing import Any

from imgui_bundle import imgui

from .. import icons, sliders, widgets
from ..context import Context
from ..intents import LoadMotion, OpenFile, PutOnTimeline, RemoveGhost, SetGhost, TakePose
from .element_source import beside

LABEL = 6.0
HELP = (
    "Drop a file on the window: .npz with qpos (frames, numbers) and time, or .csv with a column for each joint. "
    "Or keep the past, change something, and compare with a second run."
)


def draw(ctx: Context) -> None:
    widgets.button_row(
        ctx, (("keep_past", "Keep the past", not ctx.passive), ("save_motion", "Save the past", not ctx.passive))
    )
    half = 0.5 * (imgui.get_content_region_avail().x - imgui.get_style().item_spacing.x)
    if widgets.button(f"{icons.OPEN}  Load...", "", half, "A file with a motion"):
        ctx.emit(OpenFile())
    imgui.same_line()
    imgui.begin_disabled(not ctx.m.nkey)
    if widgets.button("Keyframes", "", half, "The keyframes of the model, one after the other"):
        ctx.emit(LoadMotion())
    imgui.end_disabled()
    if not ctx.view.ghosts.rows:
        widgets.muted(ctx, HELP)
    for k, ghost in enumerate(ctx.view.ghosts.rows):
        with widgets.ident(f"ghost{k}"):
            _ghost(ctx, k, ghost)


def _ghost(ctx: Context, k: int, ghost: Any) -> None:
    imgui.separator()
    imgui.push_style_color(imgui.Col_.check_mark, (*ghost.tint, 1.0))
    length = f"{len(ghost.motion.time)} frames, {ghost.motion.duration:.4g} s"
    if (new := widgets.toggle(ghost.motion.name, ghost.visible, length)) is not None:
        ctx.emit(SetGhost(k, "visible", new))
    imgui.pop_style_color()
    widgets.row("Starts at", LABEL, "Simulation time of its first frame, in s")
    if (value := widgets.number("offset", ghost.offset, form="%.4g")) is not None:
        ctx.emit(SetGhost(k, "offset", value))
    widgets.row("Opacity", LABEL)
    if (value := sliders.slider("opacity", ghost.opacity, 0.0, 1.0, "%.2f")) is not None:
        ctx.emit(SetGhost(k, "opacity", min(1.0, max(0.0, value))))
    if (new := widgets.toggle("Loop", ghost.loop)) is not None:
        ctx.emit(SetGhost(k, "loop", new))
    imgui.begin_disabled(not ctx.editable)
    if widgets.button("Take its pose", "", 0.0, "Set the model to the motion's current pose; only while paused"):
        ctx.emit(TakePose(k))
    imgui.end_disabled()
    beside("On the timeline", True)
    if widgets.button(
        "On the timeline", "", 0.0, "Replace the recorded states by this motion, so that you can play it on the timeline"
    ):
        ctx.emit(PutOnTimeline(k))
    beside("Remove", True)
    if widgets.button("Remove"):
        ctx.emit(RemoveGhost(k))
