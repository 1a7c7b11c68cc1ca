"""File panel: open, save, print, screenshot, film, recent files."""

import os

from imgui_bundle import imgui

from .. import icons, widgets
from ..context import Context
from ..intents import OpenFile, SetSetting, ShowPanel


def draw(ctx: Context) -> None:
    some = ctx.m is not None
    if ctx.path:
        widgets.value_line(ctx, "Model", os.path.basename(ctx.path), 4.2)
        widgets.tooltip(ctx.path)
    widgets.button_row(
        ctx, (("open", f"{icons.OPEN}  Open", not ctx.passive), ("reload", f"{icons.RELOAD}  Reload", bool(ctx.path)))
    )
    widgets.button_row(
        ctx,
        (
            ("save", "Save", some),
            ("export_xml", "Export XML", some),
            ("save_mjb", "Export MJB", some),
            ("print_model", "Print model", some),
            ("print_data", "Print data", some),
            ("save_log", "Session log", some and not ctx.passive),
            ("screenshot", "Screenshot", some),
            ("quit", "Quit", True),
        ),
    )
    _record(ctx)
    if ctx.path and widgets.button(f"{icons.CODE}  Source", width=-1e-3):
        ctx.emit(ShowPanel("source", True))
    recent = [p for p in ctx.settings["recent"] if p != ctx.path]

    if recent and not ctx.passive and imgui.tree_node("Recent"):
        for path in recent[:8]:
            if imgui.selectable(f"{os.path.basename(path)}##{path}", False)[0]:
                ctx.emit(OpenFile(path))
            widgets.tooltip(path)
        imgui.tree_pop()


def _record(ctx: Context) -> None:
    """Draw the record button and the settings for films."""
    label = f"{icons.RECORD}  Record" if ctx.recording is None else f"{icons.STOP}  Stop, {ctx.recording:.1f} s"

    # The label changes while the button is pressed, so give it a fixed id.
    widgets.button_row(ctx, (("record", f"{label}###record", ctx.m is not None),), 1)
    settings = ctx.settings
    if not imgui.tree_node("Recording settings"):
        return
    if (
        new := widgets.toggle("With panels", settings["record_panels"], "The whole window instead of the 3D view alone")
    ) is not None:
        ctx.emit(SetSetting("record_panels", new))
    widgets.row(
        "Pictures",
        help="One second of film shows one second of simulation time; slow down the simulation if this machine cannot keep up",
    )
    if (rate := widgets.integer("fps", settings["record_fps"], 5, 120)) is not None:
        ctx.emit(SetSetting("record_fps", rate))
    sizes = settings.rows["picture_size"].choices
    widgets.row(
        "Size",
        help="Size of films and screenshots of the view; view: the current size, and screenshots show the whole window",
    )
    if (new := widgets.choice("size", sizes.index(settings["picture_size"]), sizes)) is not None:
        ctx.emit(SetSetting("picture_size", sizes[new]))
    looks = settings.rows["picture_look"].choices
    widgets.row(
        "Look",
        help="Look of screenshots; view: as on screen; "
        "studio: with ambient light, soft shadows and metals, which takes a while; "
        "cut out: the same, with a transparent background instead of sky and ground",
    )
    if (new := widgets.choice("look", looks.index(settings["picture_look"]), looks)) is not None:
        ctx.emit(SetSetting("picture_look", looks[new]))
    widgets.row("Folder", help="Folder of films; empty: the folder where the viewer was started")
    changed, text = imgui.input_text_with_hint("##folder", os.getcwd(), settings["record_folder"])
    if changed:
        ctx.emit(SetSetting("record_folder", text))
    imgui.tree_pop()
