"""The top bar: menus from the table of actions, transport buttons, speed, camera."""

from __future__ import annotations

import os
from dataclasses import dataclass

from imgui_bundle import imgui

from . import demos, gallery, icons, script_panels, showmenu, widgets
from .context import Context
from .element_names import names
from .intents import Arrange, DetachPanel, KeepLayout, OpenFile, SetCamera, SetRunning, SetSetting, SetSpeed, ShowPanel
from .layout import PRESETS
from .panel.simulation import speed_label
from .panels import BY_NAME, is_open
from .tips import TIPS

# Menus, each with the group of its actions.
MENUS = (("File", "File"), ("Edit", "Edit"), ("Simulate", "Simulation"))
# Submenus of the View menu, each with the group of its actions. One list of all would not fit into a low window.
OF_VIEW = (("Camera", "Camera"), ("Hide and fade", "Look"), ("Window and text", "Window"))
SEPARATE_BEFORE = {
    "play_past",
    "puppet",
    "bookmark",
    "faster",
    "keep_past",
    "undo_edit",
    "copy_elements",
    "gizmo_off",
    "write_source",
    "settings",
    "export_xml",
    "print_model",
    "save",
    "default_flags",
    "frame_selected",
    "free",
    "hide",
    "show_all",
    "help",
    "screenshot",
    "quit",
    "reset",
    "copy_state",
    "copy_camera",
    "frame",
    "left",
    "palette",
    "bigger",
}
TRANSPORT = (
    ("reset", icons.RESTART),
    ("back", icons.STEP_BACK),
    ("run", icons.PLAY),
    ("step", icons.STEP_FORWARD),
    ("reload", icons.RELOAD),
)
# Panels at the top of the menu of panels, and {submenu: its panels}.
FIRST = "Windows"
PLACES = {
    FIRST: ("explorer", "source", "plot", "contacts", "health", "doctor", "robot", "console", "cameras", "settings"),
    "Sections of the selection": ("element", "selection", "joint", "control", "equality", "sensors"),
    "Sections of the model": ("simulation", "physics", "visualization", "rendering", "group", "watch", "state", "motions"),
    "The program": ("file", "option", "history", "changes", "keys", "plugins", "examples", "manual"),
}
# Parts, in the order in which they are omitted if the window is too narrow.
LEAVE_OUT = ("camera", "speed", "reload", "reset", "search", "back", "step")
# Space above and below the buttons, in text heights.
AIR = 0.2


def draw(ctx: Context) -> None:
    """Draw one bar over the whole width, a little higher than its buttons."""
    # The height is a whole number of pixels: a window below starts at a whole pixel, so a fraction would leave a line that
    # nothing draws on.
    high = round(imgui.get_frame_height() + 2 * widgets.em(AIR))
    padding = imgui.get_style().frame_padding.x, 0.5 * (high - imgui.get_font_size())
    imgui.push_style_var(imgui.StyleVar_.frame_padding, padding)
    shown = imgui.begin_main_menu_bar()
    imgui.pop_style_var()
    if not shown:
        return

    for title, group in MENUS:
        if imgui.begin_menu(title):
            _menu(ctx, group)
            imgui.end_menu()
    if imgui.begin_menu("View"):
        for title, group in OF_VIEW:
            if imgui.begin_menu(title):
                _menu(ctx, group)
                imgui.end_menu()
        imgui.separator()
        showmenu.draw(ctx)
        imgui.end_menu()
    if imgui.begin_menu("Panels"):
        _panels(ctx)
        imgui.end_menu()
    if imgui.begin_menu("Help"):
        _help(ctx)
        imgui.end_menu()
    _rest(ctx)
    imgui.end_main_menu_bar()


def _menu(ctx: Context, group: str) -> None:
    """Draw the actions of a group."""
    for k, action in enumerate(ctx.keys.groups()[group]):
        if k and action.id in SEPARATE_BEFORE:
            imgui.separator()
        checked = (
            bool(ctx.settings[action.id])
            if action.id in ctx.settings.values
            else action.id == "record" and ctx.recording is not None
        )
        enabled = action.id != "cancel_load" or bool(ctx.loading)
        if imgui.menu_item(action.title, ctx.hint(action.id), checked, enabled)[0]:
            ctx.emit(action.make())
        if action.id == "open":
            _recent(ctx)
            _examples(ctx)


def _recent(ctx: Context) -> None:
    if ctx.settings["recent"] and imgui.begin_menu("Recent"):
        for path in ctx.settings["recent"]:
            if imgui.menu_item(f"{os.path.basename(path)}##{path}", "", False)[0]:
                ctx.emit(OpenFile(path))
            widgets.tooltip(path)
        imgui.end_menu()


def _examples(ctx: Context) -> None:
    if imgui.begin_menu("Examples", not ctx.passive):
        gallery.menu(ctx)
        imgui.end_menu()


def _panels(ctx: Context) -> None:
    """Draw a menu of all windows and sections, in the order in which they are used, then layouts."""
    for name in PLACES[FIRST]:
        _panel(ctx, name)
    imgui.separator()
    for title, rows in PLACES.items():
        if title != FIRST and imgui.begin_menu(title):
            for name in rows:
                _panel(ctx, name)
            imgui.end_menu()
    script_panels.menu(ctx)
    imgui.separator()
    if imgui.begin_menu("Layout"):
        _layouts(ctx)
        imgui.end_menu()
    if imgui.menu_item("Arrange again", "", False)[0]:
        for name in ctx.settings["detached"]:
            ctx.emit(DetachPanel(name))
        ctx.emit(SetSetting("layout", ""))


def _panel(ctx: Context, name: str) -> None:
    panel = BY_NAME[name]
    hint = ctx.hint(f"panel.{name}") if f"panel.{name}" in ctx.keys.actions else ""
    if widgets.menu_row(panel.icon, panel.title, hint, is_open(ctx, panel)):
        ctx.emit(ShowPanel(name))
    widgets.tooltip(TIPS[f"panel.{name}"])


@dataclass
class Typed:
    """The name of a layout that is being typed."""

    text: str = ""


def _layouts(ctx: Context) -> None:
    """Draw presets, the user's layouts, and a field for the name of a new one."""
    for name, preset in PRESETS.items():
        if imgui.menu_item(preset.title, "", False)[0]:
            ctx.emit(Arrange(name))
        widgets.tooltip(preset.tip)
    imgui.separator()
    for kept in ctx.settings["layouts"]:
        if imgui.small_button(f"{icons.CLOSE}##{kept}"):
            ctx.emit(KeepLayout(kept, forget=True))
        widgets.tooltip("Forget this layout")
        imgui.same_line()
        if imgui.menu_item(f"{kept}##layout", "", False)[0]:
            ctx.emit(Arrange(kept))
    imgui.set_next_item_width(widgets.em(12))
    typed = ctx.scratch.of(Typed)
    done, text = imgui.input_text_with_hint(
        "##keep", f"{icons.SAVE}  Save as ...", typed.text, imgui.InputTextFlags_.enter_returns_true
    )
    typed.text = "" if done else text
    # A saved layout must not hide a preset of the same name.
    if done and text.strip() and text.strip() not in PRESETS:
        ctx.emit(KeepLayout(text.strip()))
        imgui.close_current_popup()


def _help(ctx: Context) -> None:
    for name in ("manual", "examples", "keys"):
        panel = BY_NAME[name]
        if widgets.menu_row(panel.icon, panel.title):
            ctx.emit(ShowPanel(name, True))
    if widgets.menu_row(icons.CUBES, "Start page", "", bool(ctx.settings["start"]), not ctx.passive):
        ctx.emit(SetSetting("start"))
    imgui.separator()
    help = ctx.keys.actions["help"]
    if imgui.menu_item("Keys and mouse", ctx.hint(help.id), bool(ctx.settings["help"]))[0]:
        ctx.emit(help.make())
    imgui.separator()
    demos.menu(ctx)


def _rest(ctx: Context) -> None:
    """Draw transport buttons in the middle, and speed, camera and search at the right end. Omit what does not fit."""
    gap, button = imgui.get_style().item_spacing.x, imgui.get_frame_height() * 1.25
    begin, end = imgui.get_cursor_pos_x() + widgets.em(1), imgui.get_window_width() - widgets.em(0.6)
    parts = (
        [("speed", _speed, widgets.em(6.4)), ("camera", _camera, widgets.em(9)), ("search", _search, button)]
        if ctx.m is not None
        else []
    )
    # In other workspaces, the timeline contains the transport buttons and the speed.
    classic = ctx.settings["workspace"] == "classic"
    buttons = [row[0] for row in TRANSPORT] if classic else []
    parts = [part for part in parts if classic or part[0] != "speed"]

    def length() -> float:
        return len(buttons) * (button + 0.5 * gap) + sum(width + gap for _name, _draw, width in parts)

    for left_out in LEAVE_OUT:
        if length() > end - begin:
            parts, buttons = [p for p in parts if p[0] != left_out], [b for b in buttons if b != left_out]
    right = end - sum(width + gap for _name, _draw, width in parts)
    total = len(buttons) * (button + 0.5 * gap)
    _transport(ctx, buttons, max(begin, min(0.5 * (imgui.get_window_width() - total), right - total)), button)
    for _name, draw_part, width in parts:
        right += gap
        _place(right)
        imgui.set_next_item_width(width)
        draw_part(ctx, width)
        right += width


def _place(x: float) -> None:
    """Put the next item of the bar at `x`, vertically centered."""
    imgui.set_cursor_pos((x, 0.5 * (imgui.get_window_height() - imgui.get_frame_height())))


def _transport(ctx: Context, buttons: list[str], x: float, size: float) -> None:
    """Draw the buttons reset, back, play, forward, reload."""
    for action, icon in TRANSPORT:
        if action not in buttons:
            continue
        _place(x)
        x += size + 0.5 * imgui.get_style().item_spacing.x
        enabled = ctx.m is not None and (action != "step" or not ctx.status.running)
        if action == "run":
            icon = icons.PAUSE if ctx.status.running and ctx.m is not None else icons.PLAY
            imgui.push_style_color(imgui.Col_.text, ctx.theme["accent"])
        imgui.begin_disabled(not enabled)
        if imgui.button(f"{icon}##{action}", (size, 0)):
            ctx.emit(SetRunning() if action == "run" else ctx.keys.actions[action].make())
        widgets.tooltip(ctx.tip(action))
        imgui.end_disabled()
        if action == "run":
            imgui.pop_style_color()


def _speed(ctx: Context, _width: float) -> None:
    if (new := widgets.choice("barspeed", ctx.status.speed, [speed_label(s) for s in ctx.speeds])) is not None:
        ctx.emit(SetSpeed(new))
    widgets.tooltip(f"Speed, in percent of real time\n{ctx.hint('slower')} slower, {ctx.hint('faster')} faster")


def _camera(ctx: Context, _width: float) -> None:
    if (
        new := widgets.choice(
            "barcamera", ctx.view.camera, [f"{icons.VIDEO}  {row}" for row in ("Free", "Tracking", *names(ctx.m, "camera"))]
        )
    ) is not None:
        ctx.emit(SetCamera(new))
    widgets.tooltip(f"Camera of the view\n{ctx.hint('previous_camera')} previous, {ctx.hint('next_camera')} next")


def _search(ctx: Context, width: float) -> None:
    if imgui.button(icons.SEARCH, (width, 0)):
        ctx.emit(SetSetting("palette", True))
    widgets.tooltip(ctx.tip("palette"))
