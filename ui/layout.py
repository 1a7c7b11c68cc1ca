"""The dock space and the rectangle that it leaves for the 3D view."""

from __future__ import annotations

from imgui_bundle import imgui

from ui.panels import PANELS, SIDES
from ui.widgets import em

LEFT_WIDTH, RIGHT_WIDTH = 21.0, 21.0
# of a narrow window, one side takes at most this share
MOST = 0.27


def dock_space(first: bool) -> tuple[float, float, float, float]:
    """Submit the dock space under all windows; `first` builds the default arrangement. Returns the free rectangle."""
    internal = imgui.internal
    viewport = imgui.get_main_viewport()
    space = imgui.dock_space_over_viewport(0, viewport, imgui.DockNodeFlags_.passthru_central_node)
    if first:
        _arrange(space, viewport)
    node = internal.dock_builder_get_central_node(space)
    if node is None:
        return viewport.work_pos.x, viewport.work_pos.y, viewport.work_size.x, viewport.work_size.y
    return node.pos.x, node.pos.y, max(1.0, node.size.x), max(1.0, node.size.y)


def _arrange(space: int, viewport) -> None:
    """Left and right column; windows of their own dock under the view, out of sight until opened."""
    b = imgui.internal
    width, height = viewport.work_size.x, viewport.work_size.y
    b.dock_builder_remove_node(space)
    b.dock_builder_add_node(space, b.DockNodeFlagsPrivate_.dock_space | imgui.DockNodeFlags_.passthru_central_node)
    b.dock_builder_set_node_size(space, viewport.work_size)
    left, rest = b.dock_builder_split_node_py(space, imgui.Dir.left, min(MOST, em(LEFT_WIDTH) / width))[-2:]
    part = min(MOST, em(RIGHT_WIDTH) / width) / (1.0 - min(MOST, em(LEFT_WIDTH) / width))
    right, middle = b.dock_builder_split_node_py(rest, imgui.Dir.right, part)[-2:]
    bottom, _view = b.dock_builder_split_node_py(middle, imgui.Dir.down, min(0.45, em(16) / height))[-2:]
    b.dock_builder_dock_window(SIDES["left"], left)
    b.dock_builder_dock_window(SIDES["right"], right)
    for panel in PANELS:
        if panel.side == "window":
            b.dock_builder_dock_window(f"{panel.icon}  {panel.title}###{panel.name}", bottom)
    b.dock_builder_finish(space)
