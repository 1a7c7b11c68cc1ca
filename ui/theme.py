"""Colours, fonts and sizes. Colours come from assets/themes/<name>.toml; sizes are in units of the text height."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from imgui_bundle import ImVec2, ImVec4, imgui, implot

from . import fallback

ASSETS = Path(__file__).resolve().parent.parent / "assets"
BASE_SIZE = 15.0
# Margin above and below the curves, as a fraction of a plot's height.
FIT = 0.08
# {ImGui's colour slot: name in the palette}
SLOTS = {
    "text": "text",
    "text_disabled": "muted",
    "window_bg": "panel",
    "child_bg": "clear",
    "popup_bg": "panel",
    "border": "border",
    "border_shadow": "clear",
    "frame_bg": "field",
    "frame_bg_hovered": "hover",
    "frame_bg_active": "active",
    "title_bg": "background",
    "title_bg_active": "background",
    "title_bg_collapsed": "background",
    "menu_bar_bg": "background",
    "scrollbar_bg": "clear",
    "scrollbar_grab": "hover",
    "scrollbar_grab_hovered": "muted",
    "scrollbar_grab_active": "accent",
    "check_mark": "accent",
    "slider_grab": "accent",
    "slider_grab_active": "accent",
    "button": "raised",
    "button_hovered": "hover",
    "button_active": "accent_dim",
    "header": "accent_dim",
    "header_hovered": "hover",
    "header_active": "active",
    "separator": "border",
    "separator_hovered": "accent",
    "separator_active": "accent",
    "resize_grip": "clear",
    "resize_grip_hovered": "accent_dim",
    "resize_grip_active": "accent",
    "tab": "background",
    "tab_hovered": "hover",
    "tab_selected": "panel",
    "tab_selected_overline": "accent",
    "tab_dimmed": "background",
    "tab_dimmed_selected": "panel",
    "tab_dimmed_selected_overline": "border",
    "docking_preview": "accent_dim",
    "docking_empty_bg": "clear",
    "table_header_bg": "raised",
    "table_border_strong": "border",
    "table_border_light": "border",
    "table_row_bg": "clear",
    "table_row_bg_alt": "stripe",
    "text_selected_bg": "accent_dim",
    "nav_cursor": "accent",
    "text_link": "accent",
    "drag_drop_target": "accent",
    "modal_window_dim_bg": "dim",
    "plot_histogram": "accent",
    "plot_lines": "accent",
    "checkbox_selected_bg": "field",
    "drag_drop_target_bg": "accent_dim",
    "unsaved_marker": "accent",
    "plot_histogram_hovered": "accent",
    "plot_lines_hovered": "accent",
    "nav_windowing_highlight": "accent",
    "nav_windowing_dim_bg": "dim",
    "input_text_cursor": "text",
    "tree_lines": "border",
}


def parse(text: str) -> ImVec4:
    """Convert `#rrggbb` or `#rrggbbaa` to RGBA in 0..1."""
    digits = text.lstrip("#").ljust(8, "f")
    return ImVec4(*(int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4, 6)))


@dataclass
class Theme:
    """A palette, given by name, and the fonts."""

    name: str
    color: dict[str, ImVec4]
    lines: list[ImVec4]

    def __getitem__(self, name: str) -> ImVec4:
        return self.color[name]

    def u32(self, name: str, alpha: float = 1.0) -> int:
        c = self.color[name]
        return imgui.get_color_u32(ImVec4(c.x, c.y, c.z, c.w * alpha))


def load(name: str) -> Theme:
    """Read a palette."""
    with open(ASSETS / "themes" / f"{name}.toml", "rb") as file:
        rows = tomllib.load(file)
    color = {key: parse(value) for key, value in rows["color"].items()}
    text = color["text"]
    color["clear"] = ImVec4(0, 0, 0, 0)
    color["stripe"] = ImVec4(text.x, text.y, text.z, 0.035)
    color["dim"] = ImVec4(0, 0, 0, 0.45)
    return Theme(name, color, [parse(c) for c in rows["plot"]["lines"]])


@dataclass
class Fonts:
    """The fonts: body text with icons, bold for titles and large messages, monospace for numbers in columns.

    Texts that come from outside the program are reported by `see`. Once one of them has letters that these fonts lack, the
    system's fonts are added.
    """

    body: Any
    bold: Any
    mono: Any
    # The letters beyond ASCII that have been seen so far.
    seen: set[str] = field(default_factory=set)
    search: fallback.Search | None = None

    def see(self, text: str) -> None:
        """Register a text that will be drawn. If our fonts lack one of its letters, start to search the system's fonts."""
        if text.isascii() or self.search is not None:
            return
        fresh = set(text) - self.seen
        self.seen |= fresh
        if any(self.lacks(letter) for letter in fresh):
            self.search = fallback.Search()
            self.search.start()

    def lacks(self, letter: str) -> bool:
        """Return whether our fonts lack a letter. Icons and unprintable characters do not count."""
        return ord(letter) > 0x7F and letter.isprintable() and not self.body.is_glyph_in_font(ord(letter))

    def complete(self) -> bool:
        """Add the system's fonts once they are found. Return whether the search has ended now. Call this between frames,
        because a frame may not change its fonts.
        """
        search = self.search
        if search is None or search.done or search.is_alive():
            return False
        search.done = True
        for path in search.found:
            for font in (self.body, self.bold, self.mono):
                join(font, path)
        return True

    def missing(self) -> str:
        """Return the letters seen so far for which no font was found."""
        return "".join(sorted(filter(self.lacks, self.seen)))


def join(font: Any, path: Path) -> None:
    """Let a font take missing letters from another font file."""
    config = imgui.ImFontConfig()
    config.merge_mode, config.dst_font = True, font
    imgui.get_io().fonts.add_font_from_file_ttf(str(path), BASE_SIZE, config)


def load_fonts() -> Fonts:
    """Add the fonts of assets/fonts; their sizes are set when they are used."""
    atlas = imgui.get_io().fonts
    folder = ASSETS / "fonts"
    merge = imgui.ImFontConfig()
    merge.merge_mode = True
    merge.glyph_min_advance_x = BASE_SIZE
    merge.glyph_offset = ImVec2(0, 1)
    body = atlas.add_font_from_file_ttf(str(folder / "Roboto-Regular.ttf"), BASE_SIZE)
    atlas.add_font_from_file_ttf(str(folder / "FontAwesome6-Solid.otf"), 0.86 * BASE_SIZE, merge)
    bold = atlas.add_font_from_file_ttf(str(folder / "Roboto-Bold.ttf"), BASE_SIZE)
    atlas.add_font_from_file_ttf(str(folder / "FontAwesome6-Solid.otf"), 0.86 * BASE_SIZE, merge)
    mono = atlas.add_font_from_file_ttf(str(folder / "Inconsolata-Medium.ttf"), BASE_SIZE)
    # The monospace font has no Greek or Cyrillic letters.
    join(mono, folder / "Roboto-Regular.ttf")
    return Fonts(body, bold, mono)


def apply(name: str, percent: float, dpi: float, wide: bool) -> Theme:
    """Apply a palette and a text size. `dpi` is the monitor's scale, `percent` the user's."""
    theme = load(name)
    # Start from a new style, because scaling a scaled one would accumulate.
    style = imgui.Style()
    scale = dpi * percent / 100
    _shape(style, 1.25 if wide else 1.0)
    style.scale_all_sizes(scale)
    style.font_size_base = BASE_SIZE
    style.font_scale_main = percent / 100
    style.font_scale_dpi = dpi
    for slot, key in SLOTS.items():
        style.set_color_(getattr(imgui.Col_, slot), theme[key])
    current = imgui.get_style()
    copy_style(style, current)
    _plot_style(theme, scale)
    return theme


def _shape(style: Any, room: float) -> None:
    """Set paddings and roundings for 15 px text; `room` widens the gaps."""
    style.window_padding = ImVec2(10 * room, 8 * room)
    style.frame_padding = ImVec2(8, 4 * room)
    style.item_spacing = ImVec2(8, 5 * room)
    style.item_inner_spacing = ImVec2(6, 4)
    style.cell_padding = ImVec2(5, 2.5 * room)
    style.indent_spacing = 14
    style.scrollbar_size = 11
    style.grab_min_size = 5
    style.window_rounding, style.child_rounding, style.popup_rounding = 6, 5, 6
    style.frame_rounding, style.grab_rounding, style.scrollbar_rounding, style.tab_rounding = 4, 3, 6, 4
    style.window_border_size = style.child_border_size = style.popup_border_size = 1
    style.frame_border_size = 1
    style.tab_bar_border_size = 0
    style.tab_bar_overline_size = 2
    style.docking_separator_size = 2
    style.separator_text_border_size = 1
    style.separator_text_padding = ImVec2(0, 3)
    style.window_title_align = ImVec2(0, 0.5)
    style.window_menu_button_position = imgui.Dir.none
    style.disabled_alpha = 0.45
    style.hover_stationary_delay, style.hover_delay_short = 0.2, 0.35


def copy_style(source: Any, target: Any) -> None:
    """Copy every plain attribute and colour of a style."""
    for name in dir(type(source)):
        if name.startswith("_") or name.endswith("_"):
            continue
        value = getattr(source, name)
        if not callable(value):
            setattr(target, name, value)
    for i in range(imgui.Col_.count):
        target.set_color_(i, source.color_(i))


def _plot_style(theme: Theme, scale: float) -> None:
    style = implot.get_style()

    # Leave a margin, so that constant signals and the ends of a range are not drawn on the frame.
    style.fit_padding = ImVec2(0, FIT)
    style.plot_padding = ImVec2(6 * scale, 5 * scale)
    style.legend_padding = ImVec2(5 * scale, 4 * scale)
    style.legend_inner_padding = ImVec2(4 * scale, 2 * scale)
    style.legend_spacing = ImVec2(4 * scale, 0)
    style.label_padding = ImVec2(4 * scale, 3 * scale)
    style.plot_min_size = ImVec2(60 * scale, 40 * scale)
    colors = {
        "frame_bg": "clear",
        "plot_bg": "clear",
        "plot_border": "border",
        "legend_bg": "overlay",
        "legend_border": "clear",
        "legend_text": "text",
        "title_text": "text",
        "inlay_text": "muted",
        "axis_text": "muted",
        "axis_grid": "border",
        "axis_tick": "border",
    }
    for slot, key in colors.items():
        if hasattr(implot.Col_, slot):
            style.set_color_(getattr(implot.Col_, slot), theme[key])
