"""The splash screen: the window's contents while the engine is imported."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from . import icons
from .theme import Fonts, Theme


def draw(theme: Theme, fonts: Fonts) -> None:
    """Draw the program's name and a moving bar. The bar shows no progress, because the remaining time is not known."""
    viewport = imgui.get_main_viewport()
    size = imgui.get_font_size()
    imgui.set_next_window_pos(viewport.get_center(), imgui.Cond_.always, ImVec2(0.5, 0.5))
    imgui.set_next_window_size(ImVec2(min(26 * size, 0.9 * viewport.size.x), 0))
    flags = imgui.WindowFlags_.no_decoration | imgui.WindowFlags_.no_saved_settings | imgui.WindowFlags_.no_docking
    imgui.begin("##splash", None, flags)
    imgui.push_font(fonts.bold, 1.7 * imgui.get_style().font_size_base)
    imgui.text_colored(theme["accent"], f"{icons.CUBES}  Tumble")
    imgui.pop_font()
    imgui.spacing()
    imgui.text_unformatted("Starting")
    # ImGui draws an indeterminate bar for a negative fraction.
    imgui.progress_bar(-0.35 * imgui.get_time(), ImVec2(-1e-3, 0.5 * size), "")
    imgui.end()
