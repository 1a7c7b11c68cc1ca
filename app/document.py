"""The open model file: loading, watching and reloading it, and the error if the last edit did not load."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .. import engine as mj
from ..ui import intents as I
from ..ui.context import without_place
from .config import Config
from .host import Host
from .loading import Failed, Loaded, Loader
from .messages import Messages
from .observers import Event
from .reload import Watcher
from .robots import ARGUMENTS, Imported
from .transfer import Change, Report, differences, transfer

RECENT = 12
# Loading times above this number of seconds are shown over the view.
LONG = 0.25
# seconds after which a load can be cancelled by a button
PATIENCE = 1.0
LOADED = "Loaded "
# The last reload: time, report on the transferred state (None: nothing was transferred), and changes of the model.
Account = tuple[str, Report | None, list[Change]]


@dataclass(frozen=True)
class Opened:
    """The simulation has started to run a new model. `report`: which parts of the state were transferred. `before`: the
    previous file. `old`: the previous model, if it is from the same file.
    """

    result: Loaded
    report: Report | None
    before: str
    old: mj.MjModel | None

    @property
    def fresh(self) -> bool:
        """Whether the model is from another file."""
        return self.result.path != self.before


class Document:
    """One open model file. It calls `leave()` before another model replaces this one, and the functions in `opened` afterwards.
    `wake()` requests a redraw.
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
        # the arguments, options and report of an imported file, which the window shows
        self.imported: Imported | None = None
        # Intents caused by the loader's results, such as showing a panel or choosing among models.
        self.wishes: list[I.Intent] = []

    @property
    def waiting(self) -> bool:
        """Whether a compiled model is ready but not on the screen yet."""
        return self._pending is not None

    @property
    def name(self) -> str:
        return os.path.basename(self.path)

    def title(self, m: mj.MjModel) -> str:
        """Return the window's title: the file, or the name of a script's model."""
        if os.path.isfile(self.path) or not self.host.passive:
            return self.name
        return bytes(m.names).split(b"\0", 1)[0].decode(errors="replace") or "model of a script"

    @property
    def busy(self) -> bool:
        """Whether a model is being compiled."""
        return self.loader is not None and bool(self.loader.busy)

    @property
    def loading(self) -> str:
        """Message about what is being compiled; empty if nothing is."""
        if self.loader is None or not (name := os.path.basename(self.loader.busy)):
            return ""
        return f"{name}: {self.loader.detail}" if self.loader.detail else name

    @property
    def slow(self) -> bool:
        """Whether the user has waited so long for the model that a button to cancel it is of use."""
        return self.loader is not None and self.loader.seconds > PATIENCE

    def load(self, path: str, keep_state: bool = False) -> None:
        """Request a model. The current one keeps running until it is compiled."""
        if self.loader:
            self.loader.request(path, keep_state, self.config["imports"])
            self.wake()

    def cancel(self) -> None:
        """Give up the model that is being compiled; the current one stays."""
        if self.loader is not None and (path := self.loader.cancel()):
            self.messages.note("info", f"Loading {os.path.basename(path)} was cancelled", show=True)
            self.wake()

    def reload(self, keep_state: bool = False) -> None:
        """Compile the current file again."""
        path = self.failure.path if self.failure else self.path
        if path:
            self.load(path, keep_state)
        elif self.host.passive:
            self.messages.note("warning", "The script gave the viewer no loader: launch_passive(..., loader=...)", show=True)

    def listen(self) -> None:
        """Process results of the loader and the watcher."""
        for result in self.loader.results.drain() if self.loader else ():
            self.loaded(result) if isinstance(result, Loaded) else self.failed(result)

    def follow(self) -> None:
        """Reload if a file of the model was edited and the settings allow it."""
        if self.config["auto_reload"] and self.watcher.take():
            self.reload(self.config["keep_state"])

    def loaded(self, result: Loaded) -> None:
        """Pass a compiled model to the simulation, which reports when it runs the model."""
        self._pending = result
        self.leave()
        # The model starts paused if the compiler warned about it, or if it would only collapse.
        running = False if result.warning or self._collapses(result) else None
        same = result.keep_state and result.path == self.path
        self.host.swap(result.model, result.data, running, transfer if same else None)

    def _collapses(self, result: Loaded) -> bool:
        """Return whether a model is an imported robot without actuators that was not open before."""
        row = result.imported
        return row is not None and not row.bare and result.path != self.path and result.model.nv > 0 and not result.model.nu

    def failed(self, result: Failed) -> None:
        """Report why a model was not loaded; the old one stays. Keep watching its files, so that a corrected file is loaded."""
        if len(result.choices) > 1 or result.empty:
            self.wishes.append(I.Choose(result.path, result.choices))
            return
        self.failure = result
        self.imported = result.imported or self.imported
        if lacking(result.imported):
            self.wishes.append(I.ShowPanel("robot", True))
        self.messages.add("error", without_place(result.message) if result.line else result.message, result.file, result.line)
        self.watcher.watch(result.files, self.watcher.files, result.stamps)

    def present(self, m: mj.MjModel, copy: mj.MjData) -> None:
        """Show a model made by a script. It gets a name if the script can load it again."""
        self.loaded(Loaded(os.path.abspath("model") if self.loader else "", m, None, copy, 0.0, (), False))

    def swapped(self, report: Report | None) -> None:
        """Notify the functions in `opened`, in order, after the simulation has started to run the new model."""
        result, self._pending = self._pending, None
        if result is None:
            return
        before, fresh, limp = self.path, result.path != self.path, self._collapses(result)
        old, self._shown = self._shown, result.model
        self._note(result, fresh)
        opened = Opened(result, report, before, None if fresh else old)
        self.opened.tell(opened)
        if limp:
            text = "Paused, because this robot has no actuators: Space starts it, Panels > Import adds actuators"
            self.messages.note("info", text, show=True)
        compared = None if self.host.passive else opened.old
        self._tell(result, report, [] if compared is None else differences(compared, result.model))
        self.wake()

    def _note(self, result: Loaded, fresh: bool) -> None:
        """Record that another file, or a new version of it, is open."""
        self.path, self.failure, self.imported = result.path, None, result.imported
        self.watcher.watch(result.files, stamps=result.stamps)
        self.config["recent"] = (self.path, *(p for p in self.config["recent"] if p != self.path))[:RECENT]
        if result.seconds:
            # A notice about the previous file would be misleading.
            show = fresh and (result.seconds > LONG or self.messages.notice.startswith(LOADED))
            self.messages.note("info", f"{LOADED}{self.name} in {result.seconds:.2f} s", show=show)

    def _tell(self, result: Loaded, report: Report | None, changed: list[Change]) -> None:
        """Report what a reload transferred and changed, and the compiler's warning."""
        self.account = (time.strftime("%H:%M:%S"), report, changed)
        if report is not None:
            self.messages.note("warning" if report.lost else "info", f"Reloaded: {report.text()}", show=True)
        if result.warning:
            self.messages.note("warning", result.warning, show=True)
        if report is None and result.imported is not None and result.imported.declared:
            count = len(result.imported.declared)
            self.messages.note("info", f"{count} arguments of this xacro file: Panels > Import changes them", show=True)
        if report is None and result.path.lower().endswith(".urdf") and only_seen(result.model):
            self.messages.note(
                "info",
                "This robot has visual geoms only: they are shown, but have no mass and no collisions; "
                "add <collision> elements for contacts",
                show=True,
            )

    def close(self) -> None:
        """Stop the threads."""
        self.watcher.stop()
        if self.loader:
            self.loader.stop()


def lacking(row: Imported | None) -> bool:
    """Return whether a xacro file declares arguments that have no default and that the user has not given."""
    if row is None:
        return False
    given = {*row.options.get("arguments", {}), *ARGUMENTS}
    return any(default is None and name not in given for name, default in row.declared.items())


def only_seen(m: mj.MjModel) -> bool:
    """Return whether a model has geoms, but none that can collide."""
    return m.ngeom > 0 and not np.any(np.asarray(m.geom_contype) | np.asarray(m.geom_conaffinity))
