"""Draws the panels of a script: windows with the controls that it has added to its `ui.board`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from imgui_bundle import ImVec2, imgui, implot

from . import board as B
from . import icons, images, layout, panels, plotting, sliders, widgets
from .context import Context
from .element_names import names
from .plots import key, line_spec

# Initial width of a window and height of a plot, in text heights; maximum number of points of a curve.
WIDTH, PLOT_HEIGHT, POINTS = 17.0, 8.0, 400
CORNERS = (1, 0), (0, 1), (0, 0), (1, 1)
# Line widths of the current episode, and of earlier episodes.
LAST, EARLIER = 1.6, 0.6
# Width of the column of labels, in text heights.
LABEL = 5.5


@dataclass
class Placed:
    """The view's rectangle in the last frame, and the titles of windows that already have a size."""

    view: tuple[float, float, float, float] | None = None
    sized: set[str] = field(default_factory=set)


def draw(ctx: Context) -> None:
    """Draw each panel of the script that has items and is not closed."""
    if ctx.board is None:
        return
    if ctx.seen is not None:
        ctx.seen.script.clear()
    # Place new windows only once the view's size has settled, because the panels are still being arranged at first.
    state = ctx.scratch.of(Placed)
    still, state.view = state.view == ctx.view_rect, ctx.view_rect
    for number, panel in enumerate(ctx.board.panels):
        if panel.items and panel.opened and (still or panel.title in state.sized):
            _window(ctx, panel, number, state)


def menu(ctx: Context) -> None:
    """Draw the script's entries in the menu of panels."""
    if ctx.board is None or not ctx.board.panels:
        return
    imgui.separator()
    for panel in ctx.board.panels:
        if widgets.menu_row(icons.CODE, f"{panel.title}##script", "", panel.opened):
            panel.opened = not panel.opened


def _window(ctx: Context, panel: B.Panel, number: int, state: Placed) -> None:
    x, y, w, h = ctx.view_rect
    margin = widgets.em(0.8)
    width, most = min(widgets.em(WIDTH), w - 2 * margin), max(widgets.em(6), h - 2 * margin)

    # When a window opens first, dock it beside the view if there is room.
    name = f"{icons.CODE}  {panel.title}###script {panel.title}"
    if panel.title not in state.sized and ctx.board is not None and imgui.internal.find_window_by_name(name) is None:
        layout.dock_for_script(ctx.scratch, name, [f"###script {other.title}" for other in ctx.board.panels[:number]])

    # Otherwise, place windows in the corners of the view, one after another.
    right, low = CORNERS[number % len(CORNERS)]
    place = ImVec2(x + w - margin if right else x + margin, y + h - margin if low else y + margin)
    imgui.set_next_window_pos(place, imgui.Cond_.first_use_ever, ImVec2(right, low))

    # The height fits the contents, but is at most that of the view.
    imgui.set_next_window_size(ImVec2(width, 0), imgui.Cond_.first_use_ever)
    if panel.title not in state.sized:
        imgui.set_next_window_size_constraints(ImVec2(0, 0), ImVec2(width, most))
        state.sized.add(panel.title)
    panels.one_close()
    shown, keep = imgui.begin(name, True, imgui.WindowFlags_.no_collapse)

    if shown:
        widgets.keep_inside(ctx)
        for i, item in enumerate(panel.items):
            # Find fonts for unusual letters in every frame: the texts are short, and plain letters are skipped quickly.
            ctx.fonts.see(" ".join((panel.title, item.title, getattr(item, "text", ""), *map(str, getattr(item, "names", ())))))
            with widgets.ident(i):
                try:
                    DRAW[type(item)](ctx, item)
                except Exception as error:
                    plotting.end_plots()
                    ctx.report(f"{panel.title}, {item.title}", error)
            if ctx.seen is not None:
                low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
                ctx.seen.script[item.title] = [low.x, low.y, high.x - low.x, high.y - low.y]

    imgui.end()
    if not keep:
        panel.opened = False


def _slider(ctx: Context, item: B.Slider) -> None:
    widgets.row(item.title, LABEL, item.help)
    new = sliders.slider(item.title, item.value, item.low, item.high)
    sliders.ends(ctx, item.low, item.high)
    if new is not None:
        item.value = float(new)
        item.changed(item.value)


def _checkbox(_ctx: Context, item: B.Checkbox) -> None:
    if (new := widgets.toggle(item.title, item.value, item.help)) is not None:
        item.value = new
        item.changed(new)


def _choice(_ctx: Context, item: B.Choice) -> None:
    widgets.row(item.title, LABEL, item.help)
    if (new := widgets.choice(item.title, item.value, item.names)) is not None:
        item.value = new
        item.changed(new)


def _button(_ctx: Context, item: B.Button) -> None:
    if widgets.button(item.title, "", imgui.get_content_region_avail().x, item.help):
        item.clicks += 1
        item.changed()


def _text(ctx: Context, item: B.Text) -> None:
    if item.title:
        widgets.row(item.title, LABEL, item.help)
    imgui.push_text_wrap_pos(0.0)
    imgui.text_unformatted(item.text)
    imgui.pop_text_wrap_pos()


def _title(ctx: Context, item: B.Item) -> None:
    if item.title:
        with widgets.font(ctx.fonts.bold, 0.88):
            imgui.text_unformatted(item.title)


def _plot(ctx: Context, item: B.PlotItem) -> None:
    _title(ctx, item)
    if any(item.names):
        key(ctx, item.names)
    flags = implot.Flags_.no_menus | implot.Flags_.no_mouse_text | implot.Flags_.no_box_select | implot.Flags_.no_legend
    if not implot.begin_plot(f"##{item.title}", ImVec2(-1, widgets.em(PLOT_HEIGHT)), flags):
        return
    fit = implot.AxisFlags_.auto_fit
    implot.setup_axes("", "", fit | implot.AxisFlags_.no_label, fit | implot.AxisFlags_.no_label)
    rows = item.curves()
    if rows.shape[1]:
        for begin, end in plotting.episodes(rows[0]):
            # Use the same name for a line in all episodes, so that it has the same color.
            part = rows[:, begin:end]
            x, y = plotting.envelope(part[0], part[1:], part[1:], part[1:], 0, end - begin, POINTS, end - begin)
            for k, name in enumerate(item.names):
                implot.plot_line(
                    f"{name}###{k}",
                    np.ascontiguousarray(x),
                    np.ascontiguousarray(y[k]),
                    line_spec(ctx.theme.lines[k % len(ctx.theme.lines)], weight=LAST if end == rows.shape[1] else EARLIER),
                )
    implot.end_plot()


def _image(ctx: Context, item: B.ImageItem) -> None:
    _title(ctx, item)
    if (pixels := item.pixels) is not None:
        width = imgui.get_content_region_avail().x
        images.show(ctx, ("script", id(item)), pixels, (width, width * pixels.shape[0] / pixels.shape[1]))


def _camera(ctx: Context, item: B.CameraItem) -> None:
    _title(ctx, item)
    cameras = names(ctx.m, "camera") if ctx.m is not None else []
    number = item.camera if isinstance(item.camera, int) else cameras.index(item.camera) if item.camera in cameras else None
    if number is None or number >= len(cameras):
        widgets.muted(ctx, f"No camera {item.camera}")
        return
    inset(ctx, number, item.kind, item.width, item.height)


def inset(ctx: Context, camera: int, kind: str, width: int, height: int) -> None:
    """Draw the image of a camera, as wide as the available space."""
    image = ctx.inset(camera, kind, width, height) if ctx.inset else None
    room = imgui.get_content_region_avail().x
    size = room, room * height / width
    if image is None:
        imgui.dummy(ImVec2(*size))
    else:
        images.show(ctx, ("inset", camera, kind, width, height), image, size)


DRAW: dict[type, Callable[[Context, Any], None]] = {
    B.Slider: _slider,
    B.Checkbox: _checkbox,
    B.Choice: _choice,
    B.Button: _button,
    B.Text: _text,
    B.PlotItem: _plot,
    B.ImageItem: _image,
    B.CameraItem: _camera,
}
