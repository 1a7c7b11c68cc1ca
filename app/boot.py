"""Start-up: the window opens before the engine is imported."""

from __future__ import annotations

import argparse
import contextlib
import faulthandler
import os
import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from ..ui.examples import BY_NAME
from .addons import INCLUDED
from .config import Config
from .files import is_log
from .window import Window, WindowError

if TYPE_CHECKING:
    from .compiling import Kernels
    from .loading import Loader
    from .session import Session


class Preparation(threading.Thread):
    """Imports the engine, starts the worker processes that compile missing kernels, and requests the model."""

    def __init__(self, path: str, plugins: Sequence[str] = (), included: Sequence[str] = ()) -> None:
        super().__init__(name="preparation", daemon=True)
        self.path, self.plugins, self.included = path, plugins, included
        self.loader: Loader | None = None
        self.kernels: Kernels | None = None
        # function that opens a session, set after the renderer is imported
        self.open: Callable[..., Session] | None = None
        self.error = ""
        # the session log that the window replays, if the file is one
        self.log = ""
        self.done = threading.Event()

    def run(self) -> None:
        try:
            # The engine takes 0.24 s to import, and the window must open earlier.
            from .compiling import Kernels
            from .loading import Loader, compile_file

            # Plugins need the engine, whose import takes 0.24 s.
            from .plugins import load

            if is_log(self.path):
                self.path, self.log = "", self.path
            self.kernels = Kernels()
            self.kernels.start(self.path)
            plugins = load(self.plugins, self.included)
            self.loader = Loader(partial(compile_file, prepare=self.kernels.prepare, editor=plugins.editor))
            if self.path:
                self.loader.request(self.path)
            # Import the renderer (0.4 s) in this thread, while the model loads and the splash screen is animated.
            from .opening import managed, prepare

            self.loader.draw = prepare
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
    """Open the viewer with a file, or without a model if `path` is empty. Return the exit status after the user closes it.
    `start`: show the start page.
    """
    config = config or Config()
    config["start"] = start
    preparation = Preparation(path, plugins, [name for name in INCLUDED if config[name]])
    preparation.start()
    window = Window("Tumble", config["window"], maximized=config["maximized"])
    # ImGui takes 0.23 s to import, and the window must open earlier.
    from .splash import show

    gui = show(window, config, preparation.done.wait)
    if preparation.open is None:
        gui.close()
        window.destroy()
        if preparation.error:
            print(preparation.error)
        return 1 if preparation.error else 0
    preparation.open(window, gui, config, preparation.loader, paused, trace, log=preparation.log).run()
    return 0


def default_model() -> str:
    """Return the path of the included arm, which moves without any input; empty if the file is missing."""
    path = BY_NAME["arm"].path
    return path if os.path.isfile(path) else ""


def view(options: argparse.Namespace) -> int:
    """Open the viewer. If no window can be opened, print one line with the reason."""
    # If native code crashes, Python prints the stack of each thread.
    with contextlib.suppress(AttributeError, OSError, RuntimeError):
        faulthandler.enable()
    path = "" if options.empty else options.model or default_model()
    try:
        start = not (options.empty or options.model)
        return open_viewer(path, paused=options.pause, trace=options.trace, plugins=options.plugins, start=start)
    except WindowError as error:
        print(
            f"tumble: {error}; without a window, use `tumble serve` (browser) or `tumble render` (pictures)",
            file=sys.stderr,
        )
        return 1


COMMANDS = {"view": view}
