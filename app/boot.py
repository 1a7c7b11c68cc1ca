"""Start-up: the window is up before the engine is imported, and shows how far the preparation is."""

from __future__ import annotations

import argparse
import os
import sys
import threading
import traceback
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..ui.examples import BY_NAME
from .channels import Slot
from .config import Config
from .window import Window, WindowError

if TYPE_CHECKING:
    from .loading import Loader
    from .session import Session


class Preparation(threading.Thread):
    """Imports the engine, compiles what is not cached, then asks for the model."""

    def __init__(self, path: str) -> None:
        super().__init__(name="preparation", daemon=True)
        self.path = path
        self.loader: Loader | None = None
        # how a session is made, once what draws is imported
        self.open: Callable[..., Session] | None = None
        self.error = ""
        self.state: Slot[tuple[str, str, float | None]] = Slot(("Starting", "", None))
        self.done = threading.Event()

    def progress(self, done: int, total: int, name: str = "") -> None:
        """Called by the engine while it compiles."""
        self.state.put(("Compiling the physics kernels (once on this machine)", f"{done} of {total}  {name}",
                        done / total if total else None))

    def run(self) -> None:
        try:
            # the engine takes 0.24 s to import, and the window is to be up before
            from .loading import Loader, warm

            # kernels first: a model that compiles needs them
            warm(self.progress)
            self.state.put(("Starting", "", 1.0))
            self.loader = Loader()
            if self.path:
                self.loader.request(self.path)
            # what draws takes 0.4 s to import: here, so that the model is read meanwhile and the splash goes on moving
            from .opening import managed

            self.open = managed
        except BaseException:
            self.error = traceback.format_exc()
        self.done.set()


def open_viewer(path: str = "", config: Config | None = None, paused: bool = False, trace: str = "") -> int:
    """The interactive viewer on a file, or empty. Blocks until the window is closed; returns the exit status."""
    config = config or Config()
    preparation = Preparation(path)
    preparation.start()
    window = Window("Tumble", config["window"], maximized=config["maximized"])
    # ImGui takes 0.23 s to import, and the window is to be up before
    from .splash import show

    gui = show(window, config, preparation.state.peek, preparation.done.wait)
    if preparation.open is None:
        gui.close()
        window.destroy()
        if preparation.error:
            print(preparation.error)
        return 1 if preparation.error else 0
    preparation.open(window, gui, config, preparation.loader, paused, trace).run()
    return 0


def default_model() -> str:
    """The humanoid that comes along; empty if it does not."""
    path = BY_NAME["humanoid"].path
    return path if os.path.isfile(path) else ""


def view(options: argparse.Namespace) -> int:
    """The command: open the viewer; one clear line if there is no window to be had."""
    path = "" if options.empty else options.model or default_model()
    try:
        return open_viewer(path, paused=options.pause, trace=options.trace)
    except WindowError as error:
        print(f"tumble: {error}", file=sys.stderr)
        return 1


COMMANDS = {"view": view}
