"""The splash screen, shown while the engine is imported. This module imports ImGui, so it is imported after the window
opens.
"""

from __future__ import annotations

from collections.abc import Callable

from ..ui import splash
from .config import Config
from .gui import Gui, dressed
from .window import Window

# seconds between frames
PERIOD = 1 / 30


def show(window: Window, config: Config, done: Callable[[float], bool]) -> Gui:
    """Show an animation until the window closes or `done` returns True; `done(seconds)` waits at most this long. Return the
    window's ImGui.
    """
    gui = dressed(window, config)
    while not done(0.0) and not window.closing:
        window.poll()
        gui.begin()
        gui.fill(gui.theme["background"])
        splash.draw(gui.theme, gui.fonts)
        gui.end()
        window.swap()
        done(PERIOD)
    return gui
