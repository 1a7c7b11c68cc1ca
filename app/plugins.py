"""Runs the user's plugin files before the first model is loaded, and each file again when it is saved. Files that fail are
skipped.

A file registers plugins of the engine. It may also define two functions, which only the viewer calls: `extend_viewer(board)`
adds panels, keys and marks to the window (see ui.board), and `edit_spec(spec)` changes each model before it is compiled.
"""

from __future__ import annotations

import importlib.util
import os
import sys
import threading
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from ..engine.core import plugin
from ..engine.description.elements.spec import MjSpec
from ..ui.board import Board
from . import addons
from .reload import Watcher, stamp

# names of the functions for the viewer
HOOKS = ("extend_viewer", "edit_spec")


@dataclass(frozen=True)
class PluginFile:
    """The result of running a plugin file: the plugins it registered and its functions for the viewer, or an error and its
    line."""

    path: str
    names: tuple[str, ...] = ()
    error: str = ""
    line: int = 0
    extend_viewer: Callable[[Board], object] | None = None
    edit_spec: Callable[[MjSpec], object] | None = None

    def about(self) -> str:
        """Return what the file adds, as a text."""
        hooks = (("a part of the viewer", self.extend_viewer), ("a change of models", self.edit_spec))
        return ", ".join([*self.names, *(text for text, function in hooks if function)]) or "none"


class PluginFileError(Exception):
    """A function of a plugin file failed. `file` and `line` tell where."""

    def __init__(self, row: PluginFile) -> None:
        super().__init__(f"plugin {os.path.basename(row.path)}: {row.error}")
        self.file, self.line = row.path, row.line


def run(path: str, replaceable: Iterable[str] = ()) -> PluginFile:
    """Run one plugin file. It may replace the plugins in `replaceable`, which an earlier run registered."""
    name = f"tumble_addon_{os.path.splitext(os.path.basename(path))[0]}_{abs(hash(path)):x}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with plugin.renewing(replaceable) as registered:
        try:
            # Compile the current source, because cached bytecode may be older.
            with open(path, "rb") as file:
                code = compile(file.read(), path, "exec")
            sys.modules[name] = module
            exec(code, module.__dict__)  # noqa: S102
        except Exception as error:
            return failed(PluginFile(path, tuple(registered)), error)
    extend, edit = (found if callable(found := module.__dict__.get(name)) else None for name in HOOKS)
    return PluginFile(path, tuple(registered), extend_viewer=extend, edit_spec=edit)


def failed(row: PluginFile, error: Exception) -> PluginFile:
    """Return a file's result with an error that it raised."""
    return replace(row, error=f"{type(error).__name__}: {error}", line=line_of(error, row.path))


def line_of(error: Exception, path: str) -> int:
    """Return the line of the file at which an error was raised; 0 if it was raised in another file."""
    if isinstance(error, SyntaxError):
        return error.lineno or 0
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    return lines[-1] or 0 if lines else 0


class Plugins:
    """The plugin files of all folders, in order. `included`: settings whose plugins are used, see addons.INCLUDED. `news`:
    results that have not been shown yet.
    """

    def __init__(self, given: Iterable[str] = (), included: Iterable[str] = ()) -> None:
        self.folders, self.included = addons.folders(given), tuple(included)
        self.files: dict[str, PluginFile] = {}
        self.stamps: dict[str, object] = {}
        self.missing: list[str] = []
        self.news: list[PluginFile] = []
        self.watcher = Watcher()
        self._lock = threading.Lock()

    def scan(self) -> list[PluginFile]:
        """Run new files and changed files; return their results."""
        with self._lock:
            found, self.missing = addons.files(self.folders)
            ran = []
            for path in (*found, *(addons.INCLUDED[name] for name in self.included)):
                now = stamp(path)
                if self.stamps.get(path) == now:
                    continue
                self.stamps[path] = now
                old = self.files.get(path)
                new = run(path, old.names if old else ())
                if new.error and old:
                    # A file that fails keeps the functions of its last run, as it keeps its plugins.
                    new = replace(new, extend_viewer=old.extend_viewer, edit_spec=old.edit_spec)
                self.files[path] = new
                ran.append(new)
            self.news += ran
            return ran

    def include(self, names: tuple[str, ...]) -> list[PluginFile]:
        """Use these included plugins from now on; return the results of those that are turned on or off."""
        with self._lock:
            off = [addons.INCLUDED[name] for name in self.included if name not in names]
            self.included = names
            for path in off:
                self.files.pop(path, None)
                self.stamps.pop(path, None)
        ended = [PluginFile(path) for path in off]
        self.news += ended
        return ended + self.scan()

    def extending(self) -> bool:
        """Return whether a file adds to the window."""
        return any(row.extend_viewer for row in self.files.values())

    def extend(self, board: Board) -> list[PluginFile]:
        """Let the files add to a Board; return the results of those that fail."""
        wrong = []
        for row in self.files.values():
            if row.extend_viewer is not None:
                try:
                    row.extend_viewer(board)
                except Exception as error:
                    wrong.append(failed(row, error))
        return wrong

    def editor(self) -> Callable[[Any], None] | None:
        """Return a function by which the files change a spec, or None if no file does. PluginFileError if a file fails."""
        rows = [row for row in self.files.values() if row.edit_spec is not None]

        def edit(spec: Any) -> None:
            for row in rows:
                assert row.edit_spec is not None
                try:
                    row.edit_spec(spec)
                except Exception as error:
                    raise PluginFileError(failed(row, error)) from error

        return edit if rows else None

    def watch(self) -> None:
        """Start watching for changed files. Without plugin folders, nothing is watched."""
        if self.folders:
            self.watcher.watch([*self.folders, *self.files])
            self.watcher.start()

    def changed(self) -> list[PluginFile]:
        """Run the files that were saved since the last call; return their results."""
        if not self.folders or not self.watcher.take():
            return []
        ran = self.scan()
        self.watcher.watch([*self.folders, *self.files])
        return ran

    def take_news(self) -> list[PluginFile]:
        """Return the results since the last call."""
        news, self.news = self.news, []
        return news

    def stop(self) -> None:
        self.watcher.stop()


def load(given: Iterable[str] = (), included: Iterable[str] = ()) -> Plugins:
    """Run all plugin files. Print each error as one line on the error stream."""
    plugins = Plugins(given, included)
    for row in plugins.scan():
        if row.error:
            print(f"tumble: plugin {row.path}{f':{row.line}' if row.line else ''}: {row.error}", file=sys.stderr)
    for text in plugins.missing:
        print(f"tumble: plugins: {text}", file=sys.stderr)
    return plugins
