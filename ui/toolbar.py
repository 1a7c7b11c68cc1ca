"""The top bar: menus from the action table, transport buttons, speed, camera."""

from __future__ import annotations

import os

from imgui_bundle import imgui

from ui import icons, widgets
from ui.context import Context
from ui.intents import DetachPanel, OpenFile, SetCamera, SetRunning, SetSetting, SetSpeed, ShowPanel
from ui.names import names
from ui.panel.simulation import speed_label
from ui.panels import PANELS, is_open

# menu -> groups of actions in it
MENUS = (("File", ("File",)), ("Simulation", ("Simulation",)), ("View", ("Camera", "Look", "Window")))
SEPARATE_BEFORE = {"save_xml", "hide", "show_all", "help", "screenshot", "quit", "reset", "copy_state", "copy_camera", "frame", "left",
                   "palette", "bigger"}
TRANSPORT = (("reset", icons.RESET, "Reset"), ("back", icons.STEP_BACK, "Step back"), ("run", icons.PLAY, "Play / pause"),
             ("step", icons.STEP_FORWARD, "Step forward"), ("reload", icons.RELOAD, "Reload"))


def draw(ctx: Context) -> None:
    """One bar over the whole width."""
    if not imgui.begin_main_menu_bar():
        return
    for title, groups in MENUS:
        if imgui.begin_menu(title):
            _menu(ctx, groups)
            imgui.end_menu()
    if imgui.begin_menu("Panels"):
        _panels(ctx)
        imgui.end_menu()
    _transport(ctx)
    _right(ctx)
    imgui.end_main_menu_bar()


def _menu(ctx: Context, groups: tuple[str, ...]) -> None:
    for title, actions in ctx.keys.groups().items():
        if title not in groups:
            continue
        for action in actions:
            if action.id in SEPARATE_BEFORE:
                imgui.separator()
            checked = bool(ctx.settings[action.id]) if action.id in ctx.settings.values else False
            if imgui.menu_item(action.title, ctx.hint(action.id), checked)[0]:
                ctx.emit(action.make())
        if title == "File" and ctx.settings["recent"] and imgui.begin_menu("Recent"):
            for path in ctx.settings["recent"]:
                if imgui.menu_item(f"{os.path.basename(path)}##{path}", "", False)[0]:
                    ctx.emit(OpenFile(path))
                widgets.tooltip(path)
            imgui.end_menu()
        if len(groups) > 1 and title == groups[0]:
            imgui.separator()


def _panels(ctx: Context) -> None:
    for panel in PANELS:
        hint = ctx.hint(f"panel.{panel.name}") if f"panel.{panel.name}" in ctx.keys.actions else ""
        if imgui.menu_item(f"{panel.icon}   {panel.title}", hint, is_open(ctx, panel))[0]:
            ctx.emit(ShowPanel(panel.name))
    imgui.separator()
    if imgui.menu_item("Arrange again", "", False)[0]:
        for name in ctx.settings["detached"]:
            ctx.emit(DetachPanel(name))
        ctx.emit(SetSetting("layout", ""))


def _transport(ctx: Context) -> None:
    """Centred over the window: reset, back, play, forward, reload."""
    size = imgui.get_frame_height() * 1.25
    spacing = imgui.get_style().item_spacing.x * 0.5
    total = len(TRANSPORT) * size + (len(TRANSPORT) - 1) * spacing
    imgui.set_cursor_pos_x(max(imgui.get_cursor_pos_x() + widgets.em(1), 0.5 * (imgui.get_window_width() - total)))
    for i, (action, icon, title) in enumerate(TRANSPORT):
        if i:
            imgui.same_line(0, spacing)
        enabled = ctx.m is not None and (action != "step" or not ctx.status.running)
        if action == "run":
            icon = icons.PAUSE if ctx.status.running else icons.PLAY
            imgui.push_style_color(imgui.Col_.text, ctx.theme["accent"])
        imgui.begin_disabled(not enabled)
        if imgui.button(f"{icon}##{action}", (size, 0)):
            ctx.emit(SetRunning() if action == "run" else ctx.keys.actions[action].make())
        widgets.tooltip(f"{title}   {ctx.hint(action)}")
        imgui.end_disabled()
        if action == "run":
            imgui.pop_style_color()


def _right(ctx: Context) -> None:
    """Speed, camera, search at the right end."""
    if ctx.m is None:
        return
    speed, camera, gap = widgets.em(6.4), widgets.em(9), imgui.get_style().item_spacing.x
    end = imgui.get_window_width() - widgets.em(0.6)
    imgui.same_line(end - speed - camera - imgui.get_frame_height() * 1.25 - 2 * gap)
    imgui.set_next_item_width(speed)
    if (new := widgets.choice("barspeed", ctx.status.speed, [speed_label(s) for s in ctx.speeds])) is not None:
        ctx.emit(SetSpeed(new))
    widgets.tooltip(f"Speed   {ctx.hint('slower')}  {ctx.hint('faster')}")
    imgui.set_next_item_width(camera)
    if (new := widgets.choice("barcamera", ctx.view.camera, ["Free", "Tracking", *names(ctx.m, "camera")])) is not None:
        ctx.emit(SetCamera(new))
    widgets.tooltip("Camera")
    if imgui.button(icons.SEARCH, (imgui.get_frame_height() * 1.25, 0)):
        ctx.emit(SetSetting("palette", True))
    widgets.tooltip(f"Search   {ctx.hint('palette')}")
