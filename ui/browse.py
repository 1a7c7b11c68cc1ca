"""A small file dialog for folders, models and motions, with a field for typing and a list for clicking."""

from __future__ import annotations

import os
from dataclasses import dataclass

from imgui_bundle import ImVec2, imgui

from . import icons, widgets
from .context import Context, Filters
from .intents import MOTIONS, OpenFile

SUFFIXES = (
    ".xml",
    ".mjcf",
    ".urdf",
    ".xacro",
    ".sdf",
    ".usd",
    ".usda",
    ".usdc",
    ".usdz",
    ".stl",
    ".obj",
    ".dae",
    ".glb",
    ".ply",
    ".mjb",
    ".zip",
    ".mjz",
    *MOTIONS,
)


def listing(folder: str) -> tuple[list[str], list[str]]:
    """Return the names of sub-folders, and of models and motions, in `folder`; empty if it cannot be read."""
    try:
        entries = [e for e in os.scandir(folder) if not e.name.startswith(".")]
    except OSError:
        return [], []
    folders = sorted((e.name for e in entries if e.is_dir()), key=str.lower)
    files = sorted((e.name for e in entries if e.is_file() and e.name.lower().endswith(SUFFIXES)), key=str.lower)
    return folders, files


@dataclass
class Browsing:
    """Whether the dialog is open, and its folder; at first, the model's folder."""

    opened: bool = False
    folder: str = ""


def draw(ctx: Context) -> None:
    """Draw the dialog while it is open."""
    state = ctx.scratch.of(Browsing)
    if not state.opened:
        return
    state.folder = state.folder or os.path.dirname(ctx.path) or os.getcwd()
    viewport = imgui.get_main_viewport()
    imgui.set_next_window_pos(viewport.get_center(), imgui.Cond_.appearing, ImVec2(0.5, 0.5))
    imgui.set_next_window_size(ImVec2(widgets.em(40), widgets.em(28)), imgui.Cond_.appearing)
    flags = imgui.WindowFlags_.no_docking | imgui.WindowFlags_.no_saved_settings | imgui.WindowFlags_.no_collapse
    shown, keep = imgui.begin(f"{icons.OPEN}  Open a model###browse", True, flags)
    if shown:
        widgets.keep_inside(ctx)
        keep = _contents(ctx, state) and keep
    imgui.end()
    state.opened = bool(keep) and not imgui.is_key_pressed(imgui.Key.escape)


def _contents(ctx: Context, state: Browsing) -> bool:
    folder = state.folder
    if widgets.button(icons.UP, help="Parent folder"):
        state.folder = os.path.dirname(folder) or folder
    imgui.same_line()
    imgui.set_next_item_width(-1e-3)
    changed, typed = imgui.input_text("##path", folder, imgui.InputTextFlags_.enter_returns_true)

    if changed:
        typed = os.path.expanduser(typed)
        if os.path.isfile(typed):
            ctx.emit(OpenFile(typed))
            return False
        state.folder = typed

    if imgui.is_window_appearing():
        imgui.set_keyboard_focus_here()
    text = widgets.filter_box(ctx, "browse")
    folders, files = listing(folder)
    keep = True
    imgui.begin_child("##entries", ImVec2(0, 0), imgui.ChildFlags_.borders)
    for name in folders:
        if widgets.matches(text, name) and imgui.selectable(f"{icons.FOLDER}   {name}", False)[0]:
            state.folder = os.path.join(folder, name)
            # The filter was meant for the previous folder.
            ctx.scratch.of(Filters).texts["browse"] = ""

    for name in files:
        if widgets.matches(text, name) and imgui.selectable(f"{icons.CUBE}   {name}", False)[0]:
            ctx.emit(OpenFile(os.path.join(folder, name)))
            keep = False

    imgui.end_child()
    return keep
