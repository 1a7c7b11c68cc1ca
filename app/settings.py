"""What outlives a session: flags and modes of the view at its beginning, layout and window size in the file now and then."""

from __future__ import annotations

import time
import weakref
from typing import TYPE_CHECKING

from ..ui import intents as I
from . import flags, memory
from .config import ROWS, Config
from .host import Host
from .view import View

if TYPE_CHECKING:
    from .session import Session

# settings go to the file this often, so that what was set survives a crash
SAVE_SECONDS = 10.0


def restore(view: View, host: Host, config: Config) -> None:
    """Flags that the person kept, and settings of the loop. A script's window starts with the flags that the script knows."""
    if not host.passive:
        flags.restore(view, config)
    for name in ("busy_wait", "pause_update", "stop_unstable"):
        if config[name]:
            host.post(I.SetLoop(name, True))
    if config["ring_seconds"] != ROWS["ring_seconds"].default:
        host.post(I.SetLoop("ring_seconds", config["ring_seconds"]))


class Saver:
    """Writes the settings of a session."""

    def __init__(self, session: Session) -> None:
        # weakly: a closed session is freed at once, not when the collector happens to run
        self.session: Session = weakref.proxy(session)
        self.due_at = time.perf_counter() + SAVE_SECONDS

    def remember(self, intent: I.Intent) -> None:
        """Settings of the loop outlive the session like all others."""
        config = self.session.config
        if isinstance(intent, I.SetLoop) and intent.name in config.values:
            config[intent.name] = type(ROWS[intent.name].default)(intent.value)

    def save_if_due(self, now: float) -> None:
        if now > self.due_at:
            self.save()

    def save(self) -> None:
        """Write what outlives the session."""
        self.due_at = time.perf_counter() + SAVE_SECONDS
        s = self.session
        s.config["layout"] = s.gui.layout()
        memory.keep(s)
        if not s.window.fullscreen:
            s.config["maximized"] = s.window.maximized
            # the size to come back to from the whole screen is not known
            if not s.window.maximized:
                s.config["window"] = tuple(s.window.size)
        s.config.save()
