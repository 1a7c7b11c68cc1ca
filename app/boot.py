"""Start-up: the window is up before the engine is imported, and shows how far the preparation is."""

from __future__ import annotations

import threading
import traceback
from typing import Any

from .channels import Slot
from .config import Config
from .loading import Loader
from .window import Window


class Preparation(threading.Thread):
    """Imports the engine, compiles what is not cached, then asks for the model."""

    def __init__(self, path: str) -> None:
        super().__init__(name="preparation", daemon=True)
        self.path = path
        self.loader: Loader | None = None
        self.error = ""
        self.state: Slot[tuple[str, str, float | None]] = Slot(("Starting", "", None))
        self.done = threading.Event()

    def progress(self, done: int, total: int, name: str = "") -> None:
        """Called by the engine while it compiles."""
        self.state.put(("Compiling the physics kernels (once on this machine)", f"{done} of {total}  {name}",
                        done / total if total else None))

    def run(self) -> None:
        try:
            from .. import engine

            # kernels first: a model that compiles needs them
            engine.warmup(progress=self.progress)
            self.state.put(("Starting", "", 1.0))
            self.loader = Loader()
            if self.path:
                self.loader.request(self.path)
            # what the main thread needs next; imported here, so that the splash goes on moving
            from . import session  # noqa: F401
        except BaseException:
            self.error = traceback.format_exc()
        self.done.set()


def open_viewer(path: str = "", config: Config | None = None, paused: bool = False, trace: str = "") -> int:
    """The interactive viewer on a file, or empty. Blocks until the window is closed; returns the exit status."""
    config = config or Config()
    preparation = Preparation(path)
    preparation.start()
    window = Window("Tumble", config["window"], maximized=config["maximized"])
    from .gui import Gui

    gui = Gui(window, config["theme"], config["font"], config["spacing"] == "wide")
    if not splash(window, gui, preparation):
        gui.close()
        window.destroy()
        if preparation.error:
            print(preparation.error)
        return 1 if preparation.error else 0
    made = session(window, gui, config, preparation.loader, paused)
    if trace:
        from .trace import Trace

        made.trace = Trace(trace)
    made.run()
    return 0


def splash(window: Window, gui: Any, preparation: Preparation) -> bool:
    """Draw progress until the engine is there; False if it failed or the window was closed."""
    from ..ui import splash as picture

    while not preparation.done.is_set() and not window.closing:
        window.poll()
        gui.begin()
        gui.fill(gui.theme["background"])
        picture.draw(gui.theme, gui.fonts, *(preparation.state.peek() or ("", "", None)))
        gui.end()
        window.swap()
        preparation.done.wait(1 / 30)
    return preparation.done.is_set() and not preparation.error


def session(window: Window, gui: Any, config: Config, loader: Loader | None, paused: bool = False) -> Any:
    """A session with a physics thread of its own."""
    from .session import Session
    from .simulation import Simulation
    from .worker import Worker

    worker = Worker(Simulation(running=not paused))
    worker.start()
    return Session(window, gui, config, worker, loader)

