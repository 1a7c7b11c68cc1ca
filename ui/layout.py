"""The dock space and the rectangle that it leaves for the 3D view."""

from __future__ import annotations

from typing import Any

from imgui_bundle import ImVec2, imgui

from .context import Scratch
from .panels import PANELS, SIDES, window_name
from .widgets import em

# of the left and the right column and of what lies under the view, in text heights
SIDE, BOTTOM = 21.0, 16.0
# shares of the window that they take at most
MOST_SIDE, MOST_BOTTOM = 0.3, 0.45


def dock_space(first: bool, scratch: Scratch) -> tuple[float, float, float, float]:
    """Submit the dock space under all windows; `first` builds the default arrangement. Returns the free rectangle."""
    scratch.numbers["resized"] = _fit(imgui.get_main_viewport(), scratch.numbers.setdefault("docked", {}))
    internal = imgui.internal
    viewport = imgui.get_main_viewport()
    space = imgui.dock_space_over_viewport(0, viewport, imgui.DockNodeFlags_.passthru_central_node)
    if first:
        _arrange(space, viewport)
    node = internal.dock_builder_get_central_node(space)
    if node is None:
        return viewport.work_pos.x, viewport.work_pos.y, viewport.work_size.x, viewport.work_size.y
    return node.pos.x, node.pos.y, max(1.0, node.size.x), max(1.0, node.size.y)


def _fit(viewport: Any, docked: dict) -> bool:
    """Keep room for the view: columns follow the text size, and give way while the window is too small for them.

    Returns whether the window or the text has another size than in the last frame.
    """
    size, height = (viewport.work_size.x, viewport.work_size.y), em()
    nodes = {name: (_node(name), 0, MOST_SIDE) for name in SIDES.values()}
    bottom = next((node for panel in PANELS if panel.side == "window" and (node := _node(window_name(panel)))), None)
    nodes["bottom"] = (bottom, 1, MOST_BOTTOM)
    changed, docked["window"] = docked.get("window") != (size, height), (size, height)
    for name, (node, axis, most) in nodes.items():
        if node is None:
            continue
        now = (node.size.x, node.size.y)[axis]
        # what had to be narrow at the beginning is as wide as usual when there is room
        first = now / height if now < most * size[axis] - 2 else (SIDE, BOTTOM)[axis]
        wanted, given = docked.get(name, (first, now))
        if not changed and abs(now - given) > 1.5:
            # somebody has dragged the border
            wanted, given = now / height, now
        elif changed:
            given = min(wanted * height, most * size[axis])
            new = (given, node.size.y) if axis == 0 else (node.size.x, given)
            imgui.internal.dock_builder_set_node_size(node.id_, ImVec2(*new))
        docked[name] = (wanted, given)
    return changed


def _node(name: str) -> Any:
    """Where a window is docked; None if it floats or is not there."""
    window = imgui.internal.find_window_by_name(name)
    node = window.dock_node if window else None
    return node if node is not None and not imgui.internal.dock_node_get_root_node(node).is_floating_node() else None


def _arrange(space: int, viewport) -> None:
    """Left and right column; windows of their own dock under the view, out of sight until opened."""
    b = imgui.internal
    width, height = viewport.work_size.x, viewport.work_size.y
    b.dock_builder_remove_node(space)
    b.dock_builder_add_node(space, b.DockNodeFlagsPrivate_.dock_space | imgui.DockNodeFlags_.passthru_central_node)
    b.dock_builder_set_node_size(space, viewport.work_size)
    share = min(MOST_SIDE, em(SIDE) / width)
    left, rest = b.dock_builder_split_node_py(space, imgui.Dir.left, share)[-2:]
    right, middle = b.dock_builder_split_node_py(rest, imgui.Dir.right, share / (1.0 - share))[-2:]
    bottom, _view = b.dock_builder_split_node_py(middle, imgui.Dir.down, min(MOST_BOTTOM, em(BOTTOM) / height))[-2:]
    b.dock_builder_dock_window(SIDES["left"], left)
    b.dock_builder_dock_window(SIDES["right"], right)
    for panel in PANELS:
        if panel.side == "window" and panel.size is None:
            b.dock_builder_dock_window(window_name(panel), bottom)
    b.dock_builder_finish(space)
