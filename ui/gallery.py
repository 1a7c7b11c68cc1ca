"""Pictures of the examples, as buttons in a menu and in a panel."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from . import widgets
from .context import Context
from .examples import EXAMPLES, PICTURE, Example
from .intents import OpenFile
from .page import picture

# Width and margin of a picture in text heights, and number of rows in the menu.
WIDTH, MARGIN = 8.6, 0.35
MENU_ROWS = 3


def menu(ctx: Context) -> None:
    """Draw all examples in a menu."""
    for k, example in enumerate(EXAMPLES):
        if k % -(-len(EXAMPLES) // MENU_ROWS):
            imgui.same_line()
        if cell(ctx, example, widgets.em(WIDTH)):
            imgui.close_current_popup()


def panel(ctx: Context) -> None:
    """Draw all examples in rows that fill the width. Below them, describe the example under the mouse."""
    room, gap = imgui.get_content_region_avail().x, imgui.get_style().item_spacing.x
    columns = max(1, int((room + gap) // (widgets.em(WIDTH) + gap)))
    for k, example in enumerate(EXAMPLES):
        if k % columns:
            imgui.same_line()
        cell(ctx, example, (room - gap * (columns - 1)) / columns)


def cell(ctx: Context, example: Example, width: float) -> bool:
    """Draw the picture of an example with its title. A click opens the model; return whether it was clicked."""
    margin, line = widgets.em(MARGIN), imgui.get_text_line_height()
    inner = width - 2 * margin
    height = inner * PICTURE[1] / PICTURE[0]
    begin = imgui.get_cursor_screen_pos()
    clicked = imgui.selectable(f"##{example.name}", example.path == ctx.path, 0, ImVec2(width, height + line + 3 * margin))[0]
    if widgets.resting():
        imgui.set_tooltip(f"{example.text}\ntumble {example.name}")
    draw, left, top = imgui.get_window_draw_list(), begin.x + margin, begin.y + margin
    shown = picture(example.picture)
    texture = ctx.texture(("example", example.name), shown) if ctx.texture and shown is not None else 0
    if texture:
        draw.add_image(imgui.ImTextureRef(texture), ImVec2(left, top), ImVec2(left + inner, top + height))
    else:
        draw.add_rect_filled(ImVec2(left, top), ImVec2(left + inner, top + height), ctx.theme.u32("field"))
    # Center the title below the picture.
    free = inner - imgui.calc_text_size(example.title).x
    draw.add_text(ImVec2(left + max(0.0, 0.5 * free), top + height + margin), ctx.theme.u32("text"), example.title)
    if clicked:
        ctx.emit(OpenFile(example.path))
    return clicked
