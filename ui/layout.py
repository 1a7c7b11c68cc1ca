"""The dock space with its panels, and the rectangle that they leave for the 3D view."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from imgui_bundle import ImVec2, imgui

from .context import Resized, Scratch
from .panels import BY_NAME, INSPECTOR_WINDOW, PANELS, SIDES, window_name
from .widgets import em

# Width of side columns in text heights: in windows narrower than WIDE, and in wider ones.
CLASSIC, EXPLORER, INSPECTOR = (21.0, 21.0), (12.6, 18.0), (16.0, 22.0)
WIDE = 106.0
# height of the panels below the view, in text heights
BOTTOM = 16.0
# Maximum fraction of the window's width for a side column, and of its height for the bottom panels.
MOST_SIDE, MOST_BOTTOM = 0.3, 0.45
AXIS_Y = 1
# Minimum height, in text heights, of a dock node that is split between two windows, and the fraction of a column that a
# script's windows get.
SPLIT, SCRIPTS = 18.0, 0.6
# A dock node in a saved layout: id, parent, attributes. Maximum number of nodes, and of characters of a layout.
_NODE = re.compile(r"^ *Dock(?:Node|Space) +ID=0x([0-9A-F]+)(?: Parent=0x([0-9A-F]+))?(.*)$", re.MULTILINE)
_POSITION, _LENGTHS = re.compile(r" Pos=-?(\d+),-?(\d+)"), re.compile(r"(?:Pos|Size|SizeRef)=([^ ]*)")
MOST_NODES, MOST_LETTERS, LONGEST = 100, 100_000, 1 << 15
# Settings that belong to an arrangement of windows and change with it.
ARRANGED = ("workspace", "bars", "panels", "detached", "left", "right")
# {window that is a column: its widths in narrow and in wide windows}
COLUMNS = {
    SIDES["left"]: CLASSIC,
    SIDES["right"]: CLASSIC,
    INSPECTOR_WINDOW: INSPECTOR,
    window_name(BY_NAME["explorer"]): EXPLORER,
}


def is_sound(layout: str) -> bool:
    """Return whether ImGui can use a saved layout. ImGui trusts the tree of dock nodes: a damaged one ends the program, or is
    followed forever. Each node comes after its parent, a split node has two children, and one leaf of a tree is the center.
    """
    rows = _NODE.findall(layout) if len(layout) <= MOST_LETTERS else []
    children: dict[int, int] = {}
    split, center = set(), 0
    for own, above, rest in rows:
        node, parent = int(own, 16), int(above, 16) if above else 0
        if not node or node in children or parent and parent not in children:
            return False
        children[node] = 0
        if parent:
            children[parent] += 1
        if " Split=" in rest:
            split.add(node)
        if " CentralNode=1" in rest:
            center += 1 + MOST_NODES * (node in split)
        # A position may be negative, on another screen.
        lengths = [part for text in _LENGTHS.findall(_POSITION.sub(r" Pos=\1,\2", rest)) for part in text.split(",")]
        if len(lengths) % 2 or not all(part.isdecimal() and len(part) < 6 and int(part) <= LONGEST for part in lengths):
            return False
    whole = all(count == 2 * (node in split) for node, count in children.items())
    return 0 < len(rows) <= MOST_NODES and whole and center <= 1


@dataclass(frozen=True)
class Preset:
    """An arrangement of windows for one type of work. `opened`: the visible panels. `tall`: those of them that are in a
    separate column to the left of the view, with `share` of the window's width (0: the usual width). `left`, `right`: whether
    the side columns are shown. `workspace`: `classic` means two columns of sections, as in simulate. `bars`: whether menu,
    timeline and status bar are shown.
    """

    title: str
    tip: str
    left: bool = True
    right: bool = True
    opened: tuple[str, ...] = ()
    tall: tuple[str, ...] = ()
    share: float = 0.0
    workspace: str = "default"
    bars: bool = True


PRESETS = {
    "default": Preset(
        "Default",
        "The model's tree at the left, the selection at the right",
        opened=("explorer", "joint", "control", "element"),
        tall=("explorer",),
    ),
    "inspect": Preset(
        "Inspect",
        "A wide tree of bodies, and all details of the selection",
        opened=("explorer", "element", "selection"),
        tall=("explorer",),
        share=0.27,
    ),
    "edit": Preset(
        "Edit",
        "The source beside the view, fields at the right, messages below",
        opened=("source", "console", "element"),
        tall=("source",),
        share=0.4,
    ),
    "present": Preset("Present", "Only the view; Esc ends it", False, False, bars=False),
    "script": Preset(
        "Script", "Controls at the right, plots and messages below", opened=("plot", "console", "joint", "control")
    ),
    "classic": Preset(
        "Classic",
        "As in simulate: the program's sections at the left, the model's at the right",
        opened=("file", "option", "simulation", "joint", "control"),
        workspace="classic",
    ),
}


def dock_space(scratch: Scratch) -> tuple[float, float, float, float]:
    """Draw the dock space under all windows. Arrange the windows if a preset is requested. Return the rectangle of the view."""
    scratch.of(Resized).now = _fit(imgui.get_main_viewport(), scratch.of(Docked))
    internal = imgui.internal
    viewport = imgui.get_main_viewport()
    docked, wanted = scratch.of(Docked), scratch.of(Wanted)

    # Arranging replaces the nodes, to which windows and the hovered place refer once the dock space is drawn. Only in the first
    # frame, its id is not known before.
    if wanted.preset and docked.space:
        _arrange(docked.space, viewport, PRESETS[wanted.preset])
        wanted.preset = ""
    docked.space = space = imgui.dock_space_over_viewport(0, viewport, imgui.DockNodeFlags_.passthru_central_node)
    if wanted.preset:
        _arrange(space, viewport, PRESETS[wanted.preset])
        wanted.preset = ""
    node = internal.dock_builder_get_central_node(space)
    if node is None:
        return viewport.work_pos.x, viewport.work_pos.y, viewport.work_size.x, viewport.work_size.y
    # ImGui draws the splitters beside the view at whole pixels, so extend the view to all pixels that it partly covers.
    x, y = math.floor(node.pos.x), math.floor(node.pos.y)
    return x, y, max(1.0, math.ceil(node.pos.x + node.size.x) - x), max(1.0, math.ceil(node.pos.y + node.size.y) - y)


@dataclass
class Wanted:
    """The preset that is applied in the next frame; empty to keep the current arrangement."""

    preset: str = ""


@dataclass
class Docked:
    """State of the docking: window size and text height in the last frame, and the id of the dock space. For each column: the
    width that the user set, in text heights (None: the usual width), and its actual width.
    """

    window: tuple[tuple[float, float], float] | None = None
    columns: dict[str, tuple[float | None, float]] = field(default_factory=dict)
    space: int = 0


def _fit(viewport: Any, docked: Docked) -> bool:
    """Adjust columns to changes of the window or text size: their width scales with the text, but is limited to leave room for
    the view.

    Return whether the size of the window or text has changed since the last frame.
    """
    size, height = (viewport.work_size.x, viewport.work_size.y), em()
    nodes = {name: (_node(name), 0, MOST_SIDE, usual(name, size[0])) for name in COLUMNS}
    bottom = next(
        (node for panel in PANELS if panel.side == "window" and (node := _node(window_name(panel))) and _below(node)), None
    )
    nodes["bottom"] = (bottom, 1, MOST_BOTTOM, BOTTOM)
    changed, docked.window = docked.window != (size, height), (size, height)

    for name, (node, axis, most, width) in nodes.items():
        # A column whose windows are all hidden has no size yet.
        if node is None or min(node.size.x, node.size.y) <= 0:
            continue
        # Skip a window that the user has moved below the view, where it is not a column.
        node = _column(node) if name in COLUMNS else node
        if name in COLUMNS and node.parent_node is not None and _below(node):
            continue
        now = (node.size.x, node.size.y)[axis]

        # None means the usual width, even if a lack of room makes the column narrower now.
        unusual = abs(now - width * height) > 2 and now < most * size[axis] - 2
        wanted, given = docked.columns.get(name, (now / height if unusual else None, now))
        if not changed and abs(now - given) > 1.5:
            # The user has dragged the border of the column.
            wanted, given = now / height, now
        elif changed:
            given = max(1.0, min((width if wanted is None else wanted) * height, most * size[axis]))
            new = (given, node.size.y) if axis == 0 else (node.size.x, given)
            imgui.internal.dock_builder_set_node_size(node.id_, ImVec2(*new))
        docked.columns[name] = (wanted, given)
    return changed


def usual(name: str, width: float) -> float:
    """Return the usual width of a column in text heights. `width` is the width of the window in pixels."""
    return COLUMNS.get(name, CLASSIC)[width >= WIDE * em()]


def _node(name: str) -> Any:
    """Return the dock node of a window; None if the window floats or does not exist."""
    window = imgui.internal.find_window_by_name(name)
    node = window.dock_node if window else None
    return node if node is not None and not imgui.internal.dock_node_get_root_node(node).is_floating_node() else None


def _column(node: Any) -> Any:
    """Return the node of the whole column of a node: it includes the windows above and below, but not the view."""
    above, view = set(), imgui.internal.dock_node_get_root_node(node).central_node
    while view is not None:
        above.add(int(view.id_))
        view = view.parent_node
    while (parent := node.parent_node) is not None and int(parent.split_axis) == AXIS_Y and int(parent.id_) not in above:
        node = parent
    return node


def dock_for_script(scratch: Scratch, name: str, others: Sequence[str]) -> None:
    """Dock a new window of a script if there is room: under the last of the script's `others`, else under the right column, or
    in a new column.
    """
    if place := _place(scratch, others):
        imgui.internal.dock_builder_dock_window(name, place)


def _place(scratch: Scratch, others: Sequence[str]) -> int:
    """Return the id of a dock node for a new window, or 0 if there is none. If the last window has little height, the new
    window becomes a tab of it.
    """
    b = imgui.internal
    last = next((node for name in reversed(others) if (node := _node(name)) is not None), None)
    base = last or _node(INSPECTOR_WINDOW) or _node(SIDES["right"])
    if base is not None and min(base.size.x, base.size.y) > 0:
        if base.size.y < em(SPLIT):
            return int(base.id_) if last is not None else 0
        return int(b.dock_builder_split_node_py(base.id_, imgui.Dir.down, SCRIPTS if last is None else 0.5)[-2])
    view = b.dock_builder_get_central_node(scratch.of(Docked).space)
    width = usual(INSPECTOR_WINDOW, imgui.get_main_viewport().work_size.x) * em()
    if view is None or view.size.x * MOST_SIDE < width:
        return 0
    return int(b.dock_builder_split_node_py(view.id_, imgui.Dir.right, width / view.size.x)[-2])


def _below(node: Any) -> bool:
    """Return whether a node is above or below its neighbour, not beside it."""
    return node.parent_node is None or int(node.parent_node.split_axis) == AXIS_Y


def _arrange(space: int, viewport: Any, preset: Preset) -> None:
    """Dock the columns at the left and right, and all other windows below the view. The windows below the view stay hidden
    until they are opened."""
    b = imgui.internal
    width, height = viewport.work_size.x, viewport.work_size.y
    classic = preset.workspace == "classic"
    b.dock_builder_remove_node(space)
    b.dock_builder_add_node(space, int(b.DockNodeFlagsPrivate_.dock_space) | int(imgui.DockNodeFlags_.passthru_central_node))
    b.dock_builder_set_node_size(space, viewport.work_size)

    # Dock the right column, and the left column if there is one.
    side = SIDES["right"] if classic else INSPECTOR_WINDOW
    share = min(MOST_SIDE, usual(side, width) * em() / width)
    right, middle = b.dock_builder_split_node_py(space, imgui.Dir.right, share)[-2:]
    for name in (SIDES["right"], INSPECTOR_WINDOW):
        b.dock_builder_dock_window(name, right)
    tall = [window_name(BY_NAME[name]) for name in preset.tall]
    first = SIDES["left"] if classic or not tall else tall[0]
    column = preset.share or min(MOST_SIDE, usual(first, width) * em() / width)
    left, middle = b.dock_builder_split_node_py(middle, imgui.Dir.left, column / (1.0 - share))[-2:]
    for name in (SIDES["left"], *tall):
        b.dock_builder_dock_window(name, left)

    # All other windows become tabs below the view.
    bottom, _view = b.dock_builder_split_node_py(middle, imgui.Dir.down, min(MOST_BOTTOM, em(BOTTOM) / height))[-2:]
    for panel in PANELS:
        if panel.side == "window" and panel.size is None and panel.name not in preset.tall:
            b.dock_builder_dock_window(window_name(panel), bottom)
    b.dock_builder_finish(space)
