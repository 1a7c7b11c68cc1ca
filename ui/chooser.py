"""The chooser: the models of a folder or an archive, with pictures, of which the user opens one."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from imgui_bundle import ImVec2, imgui

from . import icons, widgets
from .context import Context, Filters
from .intents import OpenFile
from .letters import is_plain

# Width and height of the window, and of a picture, in text heights; the gap around a picture.
SIZE, PICTURE, GAP = (46.0, 32.0), (6.4, 4.8), 0.3
# Lists of more than MANY models get a filter. Page Up and Page Down move by PAGE rows.
MANY, PAGE = 6, 5


@dataclass
class Choosing:
    """State of the chooser: whether it is open, the folder or archive with its models, and the chosen row."""

    opened: bool = False
    path: str = ""
    found: tuple[Any, ...] = ()
    row: int = 0
    # whether the window has just opened, so that the filter receives the keyboard
    fresh: bool = False

    def begin(self, path: str, found: tuple[Any, ...]) -> None:
        """Show the models of a folder or archive."""
        # Names that cannot be displayed are left out.
        found = tuple(row for row in found if is_plain(row.name))
        self.opened, self.path, self.found, self.row, self.fresh = True, path, found, 0, True

    def path_of(self, row: Any) -> str:
        """Return the path that opens a model."""
        if os.path.isdir(self.path):
            return os.path.join(self.path, *row.name.split("/"))
        return f"{self.path}!{row.name}"


def size_text(size: int) -> str:
    """Return a file size in a short form."""
    if size < 1 << 20:
        return f"{max(size >> 10, 1)} kB"
    return f"{size / (1 << 20):.1f} MB"


def draw(ctx: Context) -> None:
    """Draw the chooser while it is open."""
    state = ctx.scratch.of(Choosing)
    if not state.opened:
        return

    # Place the chooser in the middle of the program's window, and make it smaller than that window.
    viewport = imgui.get_main_viewport()
    room = viewport.work_size
    size = ImVec2(*(min(widgets.em(wanted), 0.94 * side) for wanted, side in zip(SIZE, (room.x, room.y), strict=True)))
    imgui.set_next_window_pos(viewport.get_center(), imgui.Cond_.appearing, ImVec2(0.5, 0.5))
    imgui.set_next_window_size(size, imgui.Cond_.appearing)
    flags = imgui.WindowFlags_.no_docking | imgui.WindowFlags_.no_saved_settings | imgui.WindowFlags_.no_collapse

    # a chooser that has just opened receives the keyboard focus
    title = f"{icons.OPEN}  {len(state.found)} models in {os.path.basename(state.path)}###chooser"
    if state.fresh:
        imgui.set_next_window_focus()
        ctx.scratch.of(Filters).texts["chooser"] = ""
    shown, keep = imgui.begin(title, True, flags)
    done = False
    if shown:
        widgets.keep_inside(ctx)
        done = _contents(ctx, state)
    imgui.end()
    state.fresh = False
    state.opened = bool(keep) and not done and not imgui.is_key_pressed(imgui.Key.escape)


def _contents(ctx: Context, state: Choosing) -> bool:
    """Draw filter and rows; return True once a model is opened."""
    widgets.muted(ctx, "Enter or a double click opens the chosen model", wrap=False)
    text = ""
    if len(state.found) > MANY:
        if state.fresh:
            imgui.set_keyboard_focus_here()
        text = widgets.filter_box(ctx, "chooser", "Filter by name or format")
    ctx.fonts.see(" ".join(row.name for row in state.found))
    rows = [row for row in state.found if widgets.matches(text, f"{row.name} {row.kind}")]
    before = state.row
    for key, by in (
        (imgui.Key.down_arrow, 1),
        (imgui.Key.up_arrow, -1),
        (imgui.Key.page_down, PAGE),
        (imgui.Key.page_up, -PAGE),
    ):
        state.row += by * imgui.is_key_pressed(key)
    state.row = min(max(state.row, 0), max(len(rows) - 1, 0))
    if not rows:
        widgets.muted(ctx, f"{icons.SEARCH}  nothing found")
        return False

    imgui.begin_child("##models", ImVec2(0, 0), imgui.ChildFlags_.borders)
    high = widgets.em(PICTURE[1] + 2 * GAP)
    if state.row != before:
        # Keep the chosen row visible.
        top, tall = imgui.get_scroll_y(), imgui.get_content_region_avail().y
        imgui.set_scroll_y(min(max(top, (state.row + 1) * high - tall), state.row * high))
    entered = imgui.is_key_pressed(imgui.Key.enter) or imgui.is_key_pressed(imgui.Key.keypad_enter)
    opened = rows[state.row] if entered and not state.fresh else None
    for k in widgets.clip(len(rows), high):
        if _row(ctx, state, rows[k], k, high):
            opened = rows[k]
    imgui.end_child()
    if opened is not None:
        ctx.emit(OpenFile(state.path_of(opened)))
    return opened is not None


def _row(ctx: Context, state: Choosing, row: Any, k: int, high: float) -> bool:
    """Draw a model: its picture, name, format and size. Return whether it was double-clicked."""
    begin, path = imgui.get_cursor_screen_pos(), state.path_of(row)
    spacing = imgui.get_style().item_spacing.y
    flags = imgui.SelectableFlags_.allow_double_click
    if imgui.selectable(f"##{row.name}", k == state.row, flags, ImVec2(0, high - spacing))[0]:
        state.row = k
    opened = imgui.is_item_hovered() and imgui.is_mouse_double_clicked(0)
    widgets.trace(row.name)
    widgets.tooltip(path)

    # Draw the picture, or an empty field until it is ready.
    canvas, gap = imgui.get_window_draw_list(), widgets.em(GAP)
    wide, tall = widgets.em(PICTURE[0]), widgets.em(PICTURE[1])
    low = ImVec2(begin.x + gap, begin.y + gap - 0.5 * spacing)
    image = ctx.thumbnail(path) if ctx.thumbnail else None
    texture = ctx.texture(("thumbnail", path), image) if ctx.texture and image is not None else 0
    corner = ImVec2(low.x + wide, low.y + tall)
    if texture:
        canvas.add_image_rounded(
            imgui.ImTextureRef(texture), low, corner, ImVec2(0, 0), ImVec2(1, 1), 0xFFFFFFFF, imgui.get_style().frame_rounding
        )
    else:
        canvas.add_rect_filled(low, corner, ctx.theme.u32("field"), imgui.get_style().frame_rounding)
        mark = icons.CUBE
        size = imgui.calc_text_size(mark)
        at = ImVec2(0.5 * (low.x + corner.x - size.x), 0.5 * (low.y + corner.y - size.y))
        canvas.add_text(at, ctx.theme.u32("muted"), mark)

    # Draw the name in bold, then folder, format and size.
    left, line = corner.x + widgets.em(0.8), imgui.get_text_line_height_with_spacing()
    room = imgui.get_window_pos().x + imgui.get_window_width() - left - widgets.em(1.5)
    folder, _, name = row.name.rpartition("/")
    texts = ((name, "text"), (folder or ".", "muted"), (f"{row.kind}, {size_text(row.size)}", "muted"))
    top = begin.y + 0.5 * (high - spacing - len(texts) * line)
    for i, (text, color) in enumerate(texts):
        width = imgui.calc_text_size(text).x
        short = text if width <= room else widgets.shortened(text, room, width)
        canvas.add_text(ImVec2(left, top + i * line), ctx.theme.u32(color), short)
    return opened
