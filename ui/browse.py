"""A small file dialog: folders, models and motions, typed or clicked. It opens a file, or asks for the name of a new one."""

from __future__ import annotations

import os
from dataclasses import dataclass

from imgui_bundle import ImVec2, imgui

from ..engine.description.robots.packages import ARCHIVES, DESCRIPTIONS, MESH_ENDINGS, USD_ENDINGS
from . import icons, widgets
from .context import Context, Filters, Scratch
from .intents import MOTIONS, OpenFile, SaveAs
from .letters import is_plain

SUFFIXES = (".xml", ".mjcf", ".mjb", ".mjz", *DESCRIPTIONS, *USD_ENDINGS, *MESH_ENDINGS, *ARCHIVES, *MOTIONS)


def listing(folder: str) -> tuple[list[str], list[str]]:
    """Return the names of sub-folders, and of models and motions, in `folder`; empty if it cannot be read. Names that cannot be
    displayed are left out.
    """
    try:
        entries = [e for e in os.scandir(folder) if not e.name.startswith(".") and is_plain(e.name)]
    except OSError:
        return [], []
    folders = sorted((e.name for e in entries if e.is_dir()), key=str.lower)
    files = sorted((e.name for e in entries if e.is_file() and e.name.lower().endswith(SUFFIXES)), key=str.lower)
    return folders, files


@dataclass
class Browsing:
    """State of the dialog: whether it is open, and its folder, which is initially the model's. For saving under a new name:
    whether the dialog asks for a name, the name, and an existing file that the next Enter replaces.
    """

    opened: bool = False
    folder: str = ""
    saves: bool = False
    name: str = ""
    replaces: str = ""
    # whether to move the keyboard focus back to the field for the name
    focus: bool = False


def ask_name(scratch: Scratch, path: str) -> None:
    """Open the dialog to save a file under a new name, in its folder."""
    state = scratch.of(Browsing)
    state.opened, state.saves, state.replaces = True, True, ""
    state.folder, state.name = os.path.split(path)


def draw(ctx: Context) -> None:
    """Draw the dialog while it is open."""
    state = ctx.scratch.of(Browsing)
    if not state.opened:
        state.saves = False
        return
    state.folder = state.folder or os.path.dirname(ctx.path) or os.getcwd()
    viewport = imgui.get_main_viewport()
    imgui.set_next_window_pos(viewport.get_center(), imgui.Cond_.appearing, ImVec2(0.5, 0.5))
    room = viewport.work_size
    imgui.set_next_window_size(ImVec2(min(widgets.em(40), room.x), min(widgets.em(28), room.y)), imgui.Cond_.appearing)
    flags = imgui.WindowFlags_.no_docking | imgui.WindowFlags_.no_saved_settings | imgui.WindowFlags_.no_collapse
    title = f"{icons.SAVE}  Save as" if state.saves else f"{icons.OPEN}  Open a model"
    shown, keep = imgui.begin(f"{title}###browse", True, flags)
    if shown:
        widgets.keep_inside(ctx)
        keep = (_naming(ctx, state) if state.saves else True) and _contents(ctx, state) and keep
    imgui.end()
    state.opened = bool(keep) and not imgui.is_key_pressed(imgui.Key.escape)


def _naming(ctx: Context, state: Browsing) -> bool:
    """Draw the field for the name of the new file; return False once the file is requested."""
    widgets.row("Name", 4.0)
    imgui.set_next_item_width(imgui.get_content_region_avail().x - widgets.em(6))
    if imgui.is_window_appearing() or state.focus:
        state.focus = False
        imgui.set_keyboard_focus_here()
    changed, state.name = imgui.input_text("##name", state.name)
    entered = imgui.is_item_deactivated() and imgui.is_key_pressed(imgui.Key.enter)
    path = target(state.folder, state.name)
    if changed or path != state.replaces:
        state.replaces = ""
    imgui.same_line()
    pressed = widgets.button("Replace" if state.replaces else "Save", "Enter", -1e-3)
    if state.replaces:
        imgui.text_colored(ctx.theme["warn"], f"{icons.WARNING}  {os.path.basename(path)} exists: Enter again replaces it")
    if not (entered or pressed) or not state.name.strip():
        return True
    if os.path.isdir(path):
        state.folder, state.name = path, os.path.basename(ctx.path)
        return True
    if os.path.exists(path) and not state.replaces:
        state.replaces, state.focus = path, True
        return True
    ctx.emit(SaveAs(path))
    return False


def target(folder: str, typed: str) -> str:
    """Return the path of a typed name; `.xml` is added to names without an ending."""
    path = os.path.normpath(os.path.join(folder, os.path.expanduser(typed.strip())))
    return path if os.path.splitext(path)[1] or os.path.isdir(path) else f"{path}.xml"


def _contents(ctx: Context, state: Browsing) -> bool:
    folder = state.folder
    if widgets.button(icons.UP, help="Parent folder"):
        state.folder = os.path.dirname(folder) or folder
    imgui.same_line()
    if not state.saves:
        if widgets.button(f"{icons.CUBES}##folder", help="Open the model in this folder, or choose one of several"):
            ctx.emit(OpenFile(folder))
            return False
        imgui.same_line()
    imgui.set_next_item_width(-1e-3)
    changed, typed = imgui.input_text("##path", folder, imgui.InputTextFlags_.enter_returns_true)

    if changed:
        typed = os.path.expanduser(typed)
        if os.path.isfile(typed) and not state.saves:
            ctx.emit(OpenFile(typed))
            return False
        state.folder = typed

    if imgui.is_window_appearing() and not state.saves:
        imgui.set_keyboard_focus_here()
    text = widgets.filter_box(ctx, "browse")
    folders, files = listing(folder)
    ctx.fonts.see(" ".join((folder, *folders, *files)))
    keep = True
    imgui.begin_child("##entries", ImVec2(0, 0), imgui.ChildFlags_.borders)
    for name in folders:
        if widgets.matches(text, name) and imgui.selectable(f"{icons.FOLDER}   {name}", False)[0]:
            state.folder = os.path.join(folder, name)
            # The filter was meant for the previous folder.
            ctx.scratch.of(Filters).texts["browse"] = ""

    for name in files:
        if widgets.matches(text, name) and imgui.selectable(f"{icons.CUBE}   {name}", False)[0]:
            if state.saves:
                state.name = name
            else:
                ctx.emit(OpenFile(os.path.join(folder, name)))
                keep = False

    imgui.end_child()
    return keep
