"""What the window shows while the engine is imported and kernels are compiled. Imports ImGui, so it comes after the window."""

from __future__ import annotations

from collections.abc import Callable

from ..ui import splash
from .config import Config
from .gui import Gui, dressed
from .window import Window

# seconds between looks at how far the preparation is
PERIOD = 1 / 30
# what is being done, detail, and the part that is done, if it is known
Progress = tuple[str, str, float | None]


def show(window: Window, config: Config, state: Callable[[], Progress], done: Callable[[float], bool]) -> Gui:
    """Draw progress until `done(seconds)`, which waits, says so, or the window is to close; returns the window's ImGui."""
    gui = dressed(window, config)
    while not done(0.0) and not window.closing:
        window.poll()
        gui.begin()
        gui.fill(gui.theme["background"])
        splash.draw(gui.theme, gui.fonts, *state())
        gui.end()
        window.swap()
        done(PERIOD)
    return gui
