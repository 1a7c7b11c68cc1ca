"""Start-up: the window is up before the engine is imported."""

from __future__ import annotations

import argparse
import os
import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from ..ui.examples import BY_NAME
from .config import Config
from .window import Window, WindowError

if TYPE_CHECKING:
    from .compiling import Kernels
    from .loading import Loader
    from .session import Session


class Preparation(threading.Thread):
    """Imports the engine, has what is not cached compiled by others, and asks for the model."""

    def __init__(self, path: str, plugins: Sequence[str] = ()) -> None:
        super().__init__(name="preparation", daemon=True)
        self.path, self.plugins = path, plugins
        self.loader: Loader | None = None
        self.kernels: Kernels | None = None
        # how a session is made, once what draws is imported
        self.open: Callable[..., Session] | None = None
        self.error = ""
        self.done = threading.Event()

    def run(self) -> None:
        try:
            # the engine takes 0.24 s to import, and the window is to be up before
            from .compiling import Kernels
            from .loading import Loader, compile_file

            # these need the engine, of which the same 0.24 s hold
            from .plugins import load

            self.kernels = Kernels()
            self.kernels.start(self.path)
            plugins = load(self.plugins)
            self.loader = Loader(partial(compile_file, prepare=self.kernels.prepare))
            if self.path:
                self.loader.request(self.path)
            # what draws takes 0.4 s to import: here, so that the model is read meanwhile and the splash goes on moving
            from .opening import managed

            self.open = partial(managed, kernels=self.kernels, plugins=plugins)
        except BaseException:
            self.error = traceback.format_exc()
        self.done.set()


def open_viewer(
    path: str = "",
    config: Config | None = None,
    paused: bool = False,
    trace: str = "",
    plugins: Sequence[str] = (),
    start: bool = False,
) -> int:
    """The interactive viewer on a file, or empty. Blocks until the window is closed; returns the exit status. `start`: with the
    start page over it.
    """
    config = config or Config()
    config["start"] = start
    preparation = Preparation(path, plugins)
    preparation.start()
    window = Window("Tumble", config["window"], maximized=config["maximized"])
    # ImGui takes 0.23 s to import, and the window is to be up before
    from .splash import show

    gui = show(window, config, preparation.done.wait)
    if preparation.open is None:
        gui.close()
        window.destroy()
        if preparation.error:
            print(preparation.error)
        return 1 if preparation.error else 0
    preparation.open(window, gui, config, preparation.loader, paused, trace).run()
    return 0


def default_model() -> str:
    """The arm that comes along, which moves for as long as it is watched; empty if it does not."""
    path = BY_NAME["arm"].path
    return path if os.path.isfile(path) else ""


def view(options: argparse.Namespace) -> int:
    """The command: open the viewer; one clear line if there is no window to be had."""
    path = "" if options.empty else options.model or default_model()
    try:
        start = not (options.empty or options.model)
        return open_viewer(path, paused=options.pause, trace=options.trace, plugins=options.plugins, start=start)
    except WindowError as error:
        print(
            f"tumble: {error}; without a window: `tumble serve` shows it in a browser, `tumble render` draws it",
            file=sys.stderr,
        )
        return 1


COMMANDS = {"view": view}
