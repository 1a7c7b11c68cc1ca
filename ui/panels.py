"""The table of panels. Only this module begins and ends their windows.

A section is in the left or right side window, as in simulate, or in its own window. A new panel is a
file in ui/panel and a row here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from imgui_bundle import ImVec2, imgui

from . import icons, plotting, rail, reveal, widgets
from .context import Context
from .intents import DetachPanel, SetSetting, ShowPanel

# Windows that open at the right border of the view.
AT_RIGHT = ("cameras",)
# Distance of these windows from the border of the view, in text heights.
EDGE = 0.8
# Windows that open over the inspector, so that the model stays visible: their maximum fraction of the program's width, and
# their minimum width in text heights.
OVER_INSPECTOR, MOST_WIDTH, LEAST_WIDTH = ("settings", "robot", "history"), 0.5, 20.0
# Floating windows are offset so that their titles stay visible; after this many, the offsets repeat.
CASCADE = 6
# Width and height of a separate window, in text heights.
WINDOW = 34.0, 22.0
SIDES = {"left": "Simulation##left", "right": "Controls##right"}
INSPECTOR_WINDOW = f"{icons.SLIDERS}  Inspector###inspector"
# Sections of the inspector: first sections about the selection, then sections about the model. Panels about the program are
# separate windows.
OF_SELECTION = ("element", "selection")
OF_MODEL = (
    "joint",
    "control",
    "equality",
    "sensors",
    "simulation",
    "physics",
    "visualization",
    "rendering",
    "group",
    "watch",
    "state",
    "motions",
)
OF_PROGRAM = ("file", "option")


@dataclass(frozen=True)
class Panel:
    """A panel. `side`: left, right, or window (always separate). `needs`: `model` if the panel is empty without a model. `size`
    (in text heights): if given, the panel initially floats and is not docked.
    """

    name: str
    title: str
    icon: str
    side: str
    opened: bool = False
    needs: str = "model"
    size: tuple[float, float] | None = None

    @property
    def draw(self) -> Callable[[Context], None]:
        """The function in ui/panel/<name>.py, imported on first use."""
        # Importing all panels takes 0.2 s, most of it for the text editor.
        return import_module(f".panel.{self.name}", __package__).draw


PANELS = (
    Panel("file", "File", icons.FILE, "left", False, ""),
    Panel("option", "Option", icons.GEAR, "left", False, ""),
    Panel("simulation", "Simulation", icons.PLAY, "left"),
    Panel("watch", "Watch", icons.WATCH, "left"),
    Panel("physics", "Physics", icons.ATOM, "left"),
    Panel("rendering", "Rendering", icons.CAMERA, "left"),
    Panel("visualization", "Visualization", icons.PALETTE, "left"),
    Panel("group", "Group enable", icons.LAYERS, "left"),
    Panel("joint", "Joint", icons.SLIDERS, "right", True),
    Panel("control", "Control", icons.GAUGE, "right", True),
    Panel("equality", "Equality", icons.LINK, "right"),
    Panel("sensors", "Sensors", icons.WAVE, "right"),
    Panel("selection", "Body", icons.HAND, "right"),
    Panel("element", "Element", icons.CUBE, "right", True),
    Panel("state", "State", icons.LIST, "right"),
    Panel("motions", "Motions", icons.GHOST, "right"),
    Panel("plot", "Plot", icons.CHART, "window"),
    Panel("cameras", "Cameras", icons.VIDEO, "window", size=(19.0, 21.0)),
    Panel("contacts", "Contacts", icons.BOLT, "window"),
    Panel("health", "Health", icons.HEALTH, "window"),
    Panel("robot", "Import", icons.WRENCH, "window", False, "", (34.0, 36.0)),
    Panel("doctor", "Doctor", icons.DOCTOR, "window"),
    Panel("changes", "Changes of a reload", icons.DIFF, "window"),
    Panel("explorer", "Explorer", icons.TREE, "window", True),
    Panel("plugins", "Plugins", icons.PLUG, "window", False, ""),
    Panel("examples", "Examples", icons.SHAPES, "window", False, "", (48.0, 28.0)),
    Panel("manual", "Manual", icons.BOOK, "window", False, "", (48.0, 36.0)),
    Panel("source", "Source", icons.CODE, "window", False, ""),
    Panel("console", "Console", icons.TERMINAL, "window", False, ""),
    Panel("history", "Undo list", icons.HISTORY, "window", False, "", (24.0, 24.0)),
    Panel("settings", "Settings", icons.GEAR, "window", False, "", (34.0, 30.0)),
    Panel("keys", "Keyboard", icons.KEYBOARD, "window", False, ""),
)
BY_NAME = {panel.name: panel for panel in PANELS}


def is_open(ctx: Context, panel: Panel) -> bool:
    return bool(ctx.settings["panels"].get(panel.name, panel.opened))


def column(panel: Panel, workspace: str) -> str:
    """Return the column that shows a panel: left, right, or empty if the panel has a separate window."""
    if workspace == "classic":
        return "" if panel.side == "window" else panel.side
    if panel.name == "explorer":
        return "left"
    return "right" if panel.name in OF_SELECTION + OF_MODEL else ""


def window_name(panel: Panel) -> str:
    """Return the title and id of a panel's separate window."""
    return f"{panel.icon}  {panel.title}###{panel.name}"


def classic(ctx: Context) -> bool:
    """Return whether windows are arranged as in simulate."""
    return ctx.settings["workspace"] == "classic"


def draw_all(ctx: Context) -> None:
    """Draw the columns beside the view, and every panel that has a separate window."""
    detached = set(ctx.settings["detached"])
    if classic(ctx):
        for side, title in SIDES.items():
            if ctx.settings[side]:
                _side(ctx, side, title, [panel for panel in PANELS if panel.side == side and panel.name not in detached])
    elif ctx.settings["right"] and not rail.folded(ctx, "right"):
        _side(ctx, "right", INSPECTOR_WINDOW, inspector(ctx, detached))
    rail.opened(ctx, "right", lambda: _sections(ctx, inspector(ctx, detached)))
    rail.opened(ctx, "left", lambda: body(ctx, BY_NAME["explorer"]))

    for panel in PANELS:
        if not is_open(ctx, panel):
            continue
        # The explorer is the column at the left, unless the user moved it.
        if panel.name == "explorer" and not classic(ctx) and (not ctx.settings["left"] or rail.folded(ctx, "left")):
            continue
        own = panel.name in OF_PROGRAM and not classic(ctx)
        if panel.side == "window" or own or panel.name in detached:
            _window(ctx, panel)


def inspector(ctx: Context, detached: set[str]) -> list[Panel]:
    """Return the inspector's sections. If nothing is selected, sections about the selection appear only if the user opened
    them."""
    selected = ctx.m is not None and ctx.view.element != ("body", 0)
    asked = ctx.settings["panels"]
    above = [name for name in OF_SELECTION if selected or asked.get(name) or reveal.wanted(ctx, name)]
    return [BY_NAME[name] for name in (*above, *OF_MODEL) if name not in detached]


def one_close() -> None:
    """Give the next window a close button only on its tab, not on its dock node."""
    kind = imgui.WindowClass()
    kind.dock_node_flags_override_set = imgui.internal.DockNodeFlagsPrivate_.no_close_button
    imgui.set_next_window_class(kind)


def _side(ctx: Context, side: str, title: str, sections: list[Panel]) -> None:
    one_close()
    if any(reveal.wanted(ctx, panel.name) for panel in sections):
        imgui.set_next_window_focus()
    shown, keep = imgui.begin(title, True, imgui.WindowFlags_.no_collapse)
    if shown:
        _sections(ctx, sections)
    imgui.end()
    if not keep:
        ctx.emit(SetSetting(side, False))


@dataclass
class Inspected:
    """The selection in the last frame."""

    element: tuple[str, int] | None = None


def _sections(ctx: Context, sections: list[Panel]) -> None:
    # Show a new selection from its top, unless a row of it was requested.
    state, asked = ctx.scratch.of(Inspected), ctx.scratch.of(reveal.Asked)
    if state.element != (now := ctx.view.element):
        state.element = now
        if asked.panel is None and asked.row is None and not classic(ctx):
            imgui.set_scroll_y(0.0)
    for panel in sections:
        _section(ctx, panel)


def _section(ctx: Context, panel: Panel) -> None:
    """Draw a collapsing header and its section. A double click on the title opens or closes all sections of the side in the
    same way."""
    was = is_open(ctx, panel)
    imgui.set_next_item_open(was)
    imgui.push_style_color(imgui.Col_.header, ctx.theme["raised"])
    with widgets.font(ctx.fonts.bold):
        now = imgui.collapsing_header(f"{panel.icon}   {panel.title}###{panel.name}", imgui.TreeNodeFlags_.allow_overlap)
    imgui.pop_style_color()
    reveal.came(ctx, panel.name)
    double = imgui.is_item_hovered() and imgui.is_mouse_double_clicked(0)
    widgets.tooltip(ctx.tip(f"panel.{panel.name}"))
    if imgui.begin_popup_context_item(f"##menu_{panel.name}"):
        if imgui.menu_item(f"{icons.DETACH}  Own window", "", False)[0]:
            ctx.emit(DetachPanel(panel.name))
        imgui.end_popup()
    # The clicked header is already visible, so do not scroll to it.
    if now != was:
        ctx.emit(ShowPanel(panel.name, now, reveal=False))
    if double:
        for other in PANELS:
            if other.side == panel.side:
                ctx.emit(ShowPanel(other.name, now, reveal=False))
    # Use the state from before the click, because the request takes effect in the next frame.
    if was:
        with widgets.ident(panel.name):
            body(ctx, panel)
        imgui.dummy(ImVec2(0, widgets.em(0.25)))


def _window(ctx: Context, panel: Panel) -> None:
    x, y, w, h = ctx.view_rect
    step = widgets.em(2) + PANELS.index(panel) % CASCADE * widgets.em(1.7)
    viewport = imgui.get_main_viewport()
    low, room = viewport.work_pos, viewport.work_size
    width, height = (min(widgets.em(wanted), side) for wanted, side in zip(panel.size or WINDOW, (room.x, room.y), strict=True))
    if panel.name in OVER_INSPECTOR:
        width = min(width, max(MOST_WIDTH * room.x, widgets.em(LEAST_WIDTH)), room.x)
    place = ImVec2(min(x + step, low.x + room.x - width), min(y + step, low.y + room.y - height))
    if panel.name in AT_RIGHT:
        # The window opens in the corner of the view, not over the model, and below the axes.
        edge = widgets.em(EDGE)
        place = ImVec2(max(x, x + w - width - edge), max(y, y + h - height - edge))
    elif panel.name in OVER_INSPECTOR:
        place = ImVec2(low.x + room.x - width, max(low.y, y))
        height = min(height, low.y + room.y - place.y)
    imgui.set_next_window_pos(place, imgui.Cond_.first_use_ever)
    imgui.set_next_window_size(ImVec2(width, height), imgui.Cond_.first_use_ever)
    one_close()
    if reveal.wanted(ctx, panel.name):
        imgui.set_next_window_focus()
    shown, keep = imgui.begin(window_name(panel), True, imgui.WindowFlags_.no_collapse)

    if shown:
        if reveal.wanted(ctx, panel.name):
            reveal.done(ctx)
        widgets.keep_inside(ctx)
        body(ctx, panel)
        reveal.window(ctx, panel.name)

    imgui.end()
    if not keep:
        ctx.emit(DetachPanel(panel.name) if panel.side != "window" else ShowPanel(panel.name, False))


def body(ctx: Context, panel: Panel) -> None:
    """Draw the panel, or why it is empty. A panel that fails shows its error; other panels are not affected."""
    if panel.needs == "model" and ctx.m is None:
        widgets.muted(ctx, "No model")
        return
    internal, alpha = imgui.internal, imgui.get_style().alpha
    before = internal.ErrorRecoveryState()
    internal.error_recovery_store_state(before)
    try:
        panel.draw(ctx)
    except Exception as error:
        # Close plots, ids, fonts and groups that the panel left open.
        plotting.end_plots()
        io = imgui.get_io()
        io.config_error_recovery_enable_assert = io.config_error_recovery_enable_tooltip = False
        internal.error_recovery_try_to_recover_state(before)
        io.config_error_recovery_enable_assert = True
        # The recovery may leave everything transparent, which would keep the old picture on the screen.
        imgui.get_style().alpha = alpha
        ctx.report(panel.name, error)
        imgui.text_colored(ctx.theme["bad"], f"{icons.WARNING}  {type(error).__name__}")
        widgets.muted(ctx, str(error))
