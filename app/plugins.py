"""Runs the user's plugin files before the first model is loaded, and each file again when it is saved. Files that fail are
skipped.
"""

from __future__ import annotations

import importlib.util
import os
import sys
import threading
import traceback
from collections.abc import Iterable
from dataclasses import dataclass

from ..engine.core import plugin
from . import addons
from .reload import Watcher, stamp


@dataclass(frozen=True)
class PluginFile:
    """The result of running a plugin file: the plugins it registered, or an error and its line."""

    path: str
    names: tuple[str, ...] = ()
    error: str = ""
    line: int = 0


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
            return PluginFile(path, tuple(registered), f"{type(error).__name__}: {error}", line_of(error, path))
    return PluginFile(path, tuple(registered))


def line_of(error: Exception, path: str) -> int:
    """Return the line of the file at which an error was raised; 0 if it was raised in another file."""
    if isinstance(error, SyntaxError):
        return error.lineno or 0
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    return lines[-1] or 0 if lines else 0


class Plugins:
    """The plugin files of all folders, in order. `news`: results that have not been shown yet."""

    def __init__(self, given: Iterable[str] = ()) -> None:
        self.folders = addons.folders(given)
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
            for path in found:
                now = stamp(path)
                if self.stamps.get(path) == now:
                    continue
                self.stamps[path] = now
                old = self.files.get(path)
                self.files[path] = run(path, old.names if old else ())
                ran.append(self.files[path])
            self.news += ran
            return ran

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


def load(given: Iterable[str] = ()) -> Plugins:
    """Run all plugin files. Print each error as one line on the error stream."""
    plugins = Plugins(given)
    for row in plugins.scan():
        if row.error:
            print(f"tumble: plugin {row.path}{f':{row.line}' if row.line else ''}: {row.error}", file=sys.stderr)
    for text in plugins.missing:
        print(f"tumble: plugins: {text}", file=sys.stderr)
    return plugins
