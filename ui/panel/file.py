"""File: open, save, print, screenshot; recent files."""

import os

from imgui_bundle import imgui

from ui import icons, widgets
from ui.context import Context
from ui.intents import OpenFile, ShowPanel


def draw(ctx: Context) -> None:
    some = ctx.m is not None
    if ctx.path:
        widgets.value_line(ctx, "Model", os.path.basename(ctx.path), 4.2)
        widgets.tooltip(ctx.path)
    widgets.button_row(ctx, (("open", f"{icons.OPEN}  Open", not ctx.passive), ("reload", f"{icons.RELOAD}  Reload", bool(ctx.path))))
    widgets.button_row(ctx, (("save_xml", "Save XML", some), ("save_mjb", "Save MJB", some),
                             ("print_model", "Print model", some), ("print_data", "Print data", some),
                             ("screenshot", "Screenshot", some), ("quit", "Quit", True)))
    if ctx.path and widgets.button(f"{icons.CODE}  Source", width=-1e-3):
        ctx.emit(ShowPanel("source", True))
    recent = [p for p in ctx.settings["recent"] if p != ctx.path]
    if recent and not ctx.passive and imgui.tree_node("Recent"):
        for path in recent[:8]:
            if imgui.selectable(f"{os.path.basename(path)}##{path}", False)[0]:
                ctx.emit(OpenFile(path))
            widgets.tooltip(path)
        imgui.tree_pop()
