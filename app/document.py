"""The model file that is open: asked for, watched, reloaded; what became of it, and why the last edit did not load."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .. import engine as mj
from ..ui.context import without_place
from .config import Config
from .host import Host
from .loading import Failed, Loaded, Loader
from .messages import Messages
from .observers import Event
from .reload import Watcher
from .transfer import Change, Report, differences, transfer

RECENT = 12
# seconds of compiling that are worth a notice
LONG = 0.25
# the last reload: when, what was carried over (None: nothing), and what changed in the model
Account = tuple[str, Report | None, list[Change]]


@dataclass(frozen=True)
class Opened:
    """The simulation runs another model. `report`: what was carried over to it, `before`: the file that was open, `old`: the
    model that was, if it is of the same file.
    """

    result: Loaded
    report: Report | None
    before: str
    old: mj.MjModel | None

    @property
    def fresh(self) -> bool:
        """It is of another file."""
        return self.result.path != self.before


class Document:
    """One model file at a time. `leave()` is called before another model takes its place; `opened` tells its followers when
    that has happened; `wake()` is called when there is something to see.
    """

    def __init__(
        self,
        host: Host,
        loader: Loader | None,
        config: Config,
        messages: Messages,
        wake: Callable[[], None],
        leave: Callable[[], None],
    ) -> None:
        self.host, self.loader, self.config, self.messages = host, loader, config, messages
        self.wake, self.leave = wake, leave
        self.watcher = Watcher()
        self.path = ""
        self.failure: Failed | None = None
        self.opened: Event[Opened] = Event()
        self._pending: Loaded | None = None
        self._shown: mj.MjModel | None = None
        self.account: Account | None = None

    @property
    def waiting(self) -> bool:
        """A model is compiled and on its way to the screen."""
        return self._pending is not None

    @property
    def name(self) -> str:
        return os.path.basename(self.path)

    def title(self, m: mj.MjModel) -> str:
        """What the window is called: the file, or the name that a model of a script has."""
        if os.path.isfile(self.path) or not self.host.passive:
            return self.name
        return bytes(m.names).split(b"\0", 1)[0].decode(errors="replace") or "model of a script"

    @property
    def busy(self) -> bool:
        """A model is being compiled."""
        return self.loader is not None and bool(self.loader.busy)

    @property
    def loading(self) -> str:
        """What is being compiled, in words; empty when nothing is."""
        if self.loader is None or not (name := os.path.basename(self.loader.busy)):
            return ""
        return f"{name}: {self.loader.detail}" if self.loader.detail else name

    def load(self, path: str, keep_state: bool = False) -> None:
        """Ask for a model; the one on screen goes on."""
        if self.loader:
            self.loader.request(path, keep_state)
            self.wake()

    def reload(self, keep_state: bool = False) -> None:
        """Compile the current file again."""
        path = self.failure.path if self.failure else self.path
        if path:
            self.load(path, keep_state)
        elif self.host.passive:
            self.messages.note("warning", "this script gave the viewer no loader: launch_passive(..., loader=...)", show=True)

    def listen(self) -> None:
        """Take what the loader and the watcher found."""
        for result in self.loader.results.drain() if self.loader else ():
            self.loaded(result) if isinstance(result, Loaded) else self.failed(result)

    def follow(self) -> None:
        """Reload if a file of the model was edited and the settings say so."""
        if self.config["auto_reload"] and self.watcher.take():
            self.reload(self.config["keep_state"])

    def loaded(self, result: Loaded) -> None:
        """A model is compiled: the simulation gets it, and answers when it runs it."""
        self._pending = result
        self.leave()
        # a model that the compiler warned about starts paused
        running = False if result.warning else None
        same = result.keep_state and result.path == self.path
        self.host.swap(result.model, result.data, running, transfer if same else None)

    def failed(self, result: Failed) -> None:
        """Say why; the old model stays. The files are watched on, so that the repair is noticed."""
        self.failure = result
        self.messages.add("error", without_place(result.message) if result.line else result.message, result.file, result.line)
        self.watcher.watch(result.files, self.watcher.files, result.stamps)

    def present(self, m: mj.MjModel, copy: mj.MjData) -> None:
        """A model that a script made, under a name of its own if it can be loaded again."""
        self.loaded(Loaded(os.path.abspath("model") if self.loader else "", m, None, copy, 0.0, (), False))

    def swapped(self, report: Report | None) -> None:
        """The simulation runs the new model: those who follow the document see to theirs, in their order."""
        result, self._pending = self._pending, None
        if result is None:
            return
        before, fresh = self.path, result.path != self.path
        old, self._shown = self._shown, result.model
        self._note(result, fresh)
        opened = Opened(result, report, before, None if fresh else old)
        self.opened.tell(opened)
        compared = None if self.host.passive else opened.old
        self._tell(result, report, [] if compared is None else differences(compared, result.model))
        self.wake()

    def _note(self, result: Loaded, fresh: bool) -> None:
        """Another file, or another version of it, is open."""
        self.path, self.failure = result.path, None
        self.watcher.watch(result.files, stamps=result.stamps)
        self.config["recent"] = (self.path, *(p for p in self.config["recent"] if p != self.path))[:RECENT]
        if result.seconds:
            self.messages.note("info", f"loaded {self.name} in {result.seconds:.2f} s", show=fresh and result.seconds > LONG)

    def _tell(self, result: Loaded, report: Report | None, changed: list[Change]) -> None:
        """What a reload carried over and what it changed, and the compiler's warning."""
        self.account = (time.strftime("%H:%M:%S"), report, changed)
        if report is not None:
            self.messages.note("warning" if report.lost else "info", f"reloaded: {report.text()}", show=True)
        if result.warning:
            self.messages.note("warning", result.warning, show=True)
        if report is None and result.path.lower().endswith(".urdf") and only_seen(result.model):
            self.messages.note(
                "info",
                "this robot has visual geoms only: they are shown, but neither collide nor weigh anything; "
                "<collision> elements are what touches",
                show=True,
            )

    def close(self) -> None:
        """Stop the threads."""
        self.watcher.stop()
        if self.loader:
            self.loader.stop()


def only_seen(m: mj.MjModel) -> bool:
    """Whether a model has geoms and none of them can collide."""
    return m.ngeom > 0 and not np.any(np.asarray(m.geom_contype) | np.asarray(m.geom_conaffinity))
