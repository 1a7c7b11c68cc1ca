"""Cameras: live pictures from several cameras side by side, as colours, depths or segmentation."""

from __future__ import annotations

from dataclasses import dataclass

from imgui_bundle import imgui

from .. import icons, widgets
from ..board import CAMERA_KINDS
from ..context import Context
from ..element_names import names
from ..intents import AddCamera
from ..script_panels import inset

# Initial (camera, kind). If the model has no camera, the depths of the view itself are shown.
FIRST = (0, CAMERA_KINDS[0]), (-1, CAMERA_KINDS[1])
# Minimum width of a picture in text heights, and its size in pixels.
LEAST, SIZE = 13.0, (320, 240)


@dataclass
class Insets:
    """(camera, kind) of each picture; None before the first frame."""

    rows: list[tuple[int, str]] | None = None


def draw(ctx: Context) -> None:
    cameras = ["The view", *names(ctx.m, "camera")]
    state = ctx.scratch.of(Insets)
    if state.rows is None:
        state.rows = [FIRST[0] if len(cameras) > 1 else FIRST[1]]
    rows = state.rows
    room = imgui.get_content_region_avail().x
    columns = max(1, min(len(rows), int(room // widgets.em(LEAST))))
    change = None
    if imgui.begin_table("##insets", columns, imgui.TableFlags_.sizing_stretch_same):
        for k, (camera, kind) in enumerate(rows):
            imgui.table_next_column()
            with widgets.ident(k):
                change = _one(ctx, k, camera if camera + 1 < len(cameras) else -1, kind, cameras) or change
        imgui.end_table()
    if imgui.small_button("+  Camera"):
        change = len(rows), (-1 if len(cameras) == 1 else min(len(rows), len(cameras) - 2), CAMERA_KINDS[0])
    if not ctx.passive:
        imgui.same_line()
        if widgets.button("Write view to source", help="Add a <camera> element at the view's current position", small=True):
            ctx.emit(AddCamera())
    if change is not None:
        k, row = change
        state.rows = [*rows[:k], *([row] if row else []), *rows[k + 1 :]]


def _one(ctx: Context, k: int, camera: int, kind: str, cameras: list[str]) -> tuple[int, tuple[int, str] | None] | None:
    """Draw a picture below its choices. Return its new (camera, kind), or None to remove it."""
    out: tuple[int, tuple[int, str] | None] | None = None
    spare = imgui.get_content_region_avail().x - imgui.get_frame_height() - 2 * imgui.get_style().item_spacing.x
    imgui.set_next_item_width(0.55 * spare)
    if (new := widgets.choice("camera", camera + 1, cameras)) is not None:
        out = k, (new - 1, kind)
    imgui.same_line()
    imgui.set_next_item_width(0.45 * spare)
    if (new := widgets.choice("kind", CAMERA_KINDS.index(kind), CAMERA_KINDS)) is not None:
        out = k, (camera, CAMERA_KINDS[new])
    imgui.same_line()
    if imgui.small_button(icons.CLOSE):
        out = k, None
    inset(ctx, camera, kind, *SIZE)
    return out
