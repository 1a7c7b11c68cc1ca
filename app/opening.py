"""Creates the session of a window, which either runs its own physics thread or shows a script's simulation. This module imports
the renderer, so import it only after the window has opened.
"""

from __future__ import annotations

from typing import Any

from ..render.gl import assets
from ..ui.intents import OpenFile
from .compiling import Kernels
from .config import Config
from .gui import Gui, dressed
from .host import Host
from .loading import Loader
from .plugins import Plugins
from .session import Session
from .simulation import Simulation
from .staging import Stage
from .trace import Trace
from .window import Window
from .worker import Worker


def prepare(m: Any) -> tuple[assets.Assets, Stage]:
    """Return what a window needs to draw a model. The loader calls this, because it may take long for a large model."""
    return assets.prepare(m, simple=True), Stage(m)


def managed(
    window: Window,
    gui: Gui,
    config: Config,
    loader: Loader | None,
    paused: bool = False,
    trace: str = "",
    kernels: Kernels | None = None,
    plugins: Plugins | None = None,
    log: str = "",
) -> Session:
    """Return a session with its own physics thread. `trace`: a file to which the session writes measurements; `log`: a session
    log that it replays.
    """
    if loader is not None:
        loader.draw = prepare
    worker = Worker(Simulation(running=not paused, kernels=kernels or Kernels()))
    worker.start()
    session = Session(window, gui, config, worker, loader)
    session.parts.plugins = plugins
    if trace:
        session.trace = Trace(trace)
    if log:
        session.queue.append(OpenFile(log))
    return session


def on_host(window: Window, config: Config, host: Host, loader: Loader | None) -> Session:
    """Return a session that shows the simulation of a host."""
    return Session(window, dressed(window, config), config, host, loader)


__all__ = ["managed", "on_host", "prepare"]
