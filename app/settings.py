"""Settings kept between sessions: display flags that apply at the start, and the layout and window size, which are saved at
intervals.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from ..ui import intents as I
from . import flags
from .config import ROWS, Config
from .gui import Gui
from .host import Host
from .view import View
from .window import Window

# Seconds between saves, so that settings survive a crash.
SAVE_SECONDS = 10.0


def restore(view: View, host: Host, config: Config) -> None:
    """Apply the stored display flags and settings of the simulation loop. In a script's window, leave the display flags
    alone.
    """
    if not host.passive:
        flags.restore(view, config)
    for name in ("busy_wait", "pause_update", "stop_unstable"):
        if config[name]:
            host.post(I.SetLoop(name, True))
    if config["ring_seconds"] != ROWS["ring_seconds"].default:
        host.post(I.SetLoop("ring_seconds", config["ring_seconds"]))


class Saver:
    """Saves the settings of a window. `keep()` is called first, to add the settings of the current model."""

    def __init__(self, config: Config, gui: Gui, window: Window, keep: Callable[[], None]) -> None:
        self.config, self.gui, self.window, self.keep = config, gui, window, keep
        self.due_at = time.perf_counter() + SAVE_SECONDS

    def remember(self, intent: I.Intent) -> None:
        """Store a setting of the simulation loop that an intent changes."""
        if isinstance(intent, I.SetLoop) and intent.name in self.config.values:
            self.config[intent.name] = type(ROWS[intent.name].default)(intent.value)

    def save_if_due(self, now: float) -> None:
        if now > self.due_at:
            self.save()

    def save(self) -> None:
        """Save everything that is kept between sessions."""
        self.due_at = time.perf_counter() + SAVE_SECONDS
        self.config["layout"] = self.gui.layout()
        self.keep()
        if not self.window.fullscreen:
            self.config["maximized"] = self.window.maximized
            # A maximized window does not report its normal size, so keep the last known one.
            if not self.window.maximized:
                self.config["window"] = tuple(self.window.size)
        self.config.save()
