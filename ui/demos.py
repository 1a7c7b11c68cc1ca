"""Windows for people who write panels: the style editor, and the demos of Dear ImGui and ImPlot that show every widget."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from imgui_bundle import imgui, implot

from .context import Context


def _style() -> bool:
    """Draw the style editor. Its changes last until the theme, the text size or the spacing changes."""
    imgui.set_next_window_size(imgui.ImVec2(30 * imgui.get_font_size(), 34 * imgui.get_font_size()), imgui.Cond_.appearing)
    shown, opened = imgui.begin("Style editor", True)
    if shown:
        imgui.show_style_editor()
    imgui.end()
    return bool(opened)


# title of a window, and the function that draws it and returns whether it stays open
WINDOWS: tuple[tuple[str, Callable[[], bool | None]], ...] = (
    ("Style editor", _style),
    ("Dear ImGui demo", lambda: imgui.show_demo_window(True)),
    ("ImPlot demo", lambda: implot.show_demo_window(True)),
)


@dataclass
class Opened:
    """Titles of the open windows."""

    titles: set[str] = field(default_factory=set)


def menu(ctx: Context) -> None:
    """Draw the submenu with these windows."""
    if not imgui.begin_menu("For authors of panels"):
        return
    opened = ctx.scratch.of(Opened).titles
    for title, _ in WINDOWS:
        if imgui.menu_item(title, "", title in opened)[0]:
            opened ^= {title}
    imgui.end_menu()


def draw(ctx: Context) -> None:
    """Draw the open windows."""
    opened = ctx.scratch.of(Opened).titles
    for title, show in WINDOWS if opened else ():
        if title in opened and not show():
            opened.remove(title)
