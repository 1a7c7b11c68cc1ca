"""Persistent settings: a table of rows, and a JSON file in the user's configuration directory.

A damaged file never stops the viewer: unknown rows are ignored, and bad values are replaced by defaults. Bad entries of lists
and tables are dropped. A file that cannot be read at all is renamed and kept. The file is replaced atomically. A window writes
only the rows that it changed, so two windows keep each other's changes.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import platformdirs

from ..render.gl.lighting import LIGHTING, PIXEL
from ..render.look import LOOKS
from ..ui.letters import is_plain


@dataclass(frozen=True)
class Setting:
    """A row of the table. `low` and `high` clamp numbers, `choices` lists valid strings, and `part` checks entries of a list or
    table. `merged`: if two windows change the table, their changes are merged key by key. `saved`: the row is written to the
    file.
    """

    name: str
    default: Any
    title: str
    low: float | None = None
    high: float | None = None
    choices: tuple = ()
    saved: bool = True
    part: Callable[[Any], bool] | None = None
    merged: bool = False


def is_text(value: Any) -> bool:
    return isinstance(value, str) and is_plain(value)


def is_switch(value: Any) -> bool:
    return isinstance(value, bool)


def is_bits(value: Any) -> bool:
    return isinstance(value, int) and 0 <= value < 1 << 16


def is_length(value: Any) -> bool:
    """Return whether a value is a possible size of a window in pixels."""
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 1 << 14


def is_table(value: Any) -> bool:
    return isinstance(value, dict)


SETTINGS = (
    Setting("theme", "dark", "Theme", choices=("dark", "light")),
    Setting("font", 100, "Text size", 50, 300),
    Setting("spacing", "tight", "Spacing", choices=("tight", "wide")),
    Setting("vsync", True, "Vertical sync"),
    Setting("workspace", "default", "Workspace", choices=("default", "classic")),
    Setting("left", True, "Left panel"),
    Setting("bars", True, "Menu, timeline and status bar"),
    Setting("right", True, "Right panel"),
    Setting("help", False, "Help", saved=False),
    Setting("fly", False, "Fly with the keys", saved=False),
    Setting("start", False, "Start page", saved=False),
    Setting("hints", 0, "Hints already followed", 0, 3),
    Setting("info", False, "Info"),
    Setting("profiler", False, "Profiler"),
    Setting("sensor", False, "Sensor plot"),
    Setting("palette", False, "Search", saved=False),
    Setting("busy_wait", False, "Busy wait"),
    Setting("pause_update", False, "Pause update"),
    Setting("stop_unstable", False, "Stop when unstable"),
    Setting("ring_seconds", 10.0, "Seconds kept for the doctor", 1.0, 600.0),
    Setting("auto_reload", True, "Reload on save"),
    Setting("keep_state", True, "Keep the motion on reload"),
    Setting("adaptive", True, "Adapt quality to the machine"),
    Setting("stereo", False, "Stereo, side by side"),
    Setting("grid", "auto", "Grid on the ground", choices=("auto", "on", "off")),
    Setting("launcher", False, "Object launcher"),
    Setting("limits", True, "Limits of the selected joints"),
    Setting("stage", "auto", "Stage", choices=("auto", "on", "off")),
    Setting("lighting", PIXEL.name, "Light", choices=tuple(LIGHTING)),
    Setting("gizmo", "off", "Handles", choices=("off", "move", "turn", "scale")),
    Setting("gizmo_axes", "world", "Axes of the handles", choices=("world", "own")),
    Setting("angles", "file", "Angles", choices=("file", "degrees", "radians")),
    Setting("groups", {}, "Visible groups", part=is_bits),
    Setting("bvh_depth", 1, "Tree depth", 0, 20),
    Setting("flex_layer", 0, "Flex layer", 0, 10),
    Setting("window", (), "Window size", part=is_length),
    Setting("maximized", False, "Maximized window"),
    Setting("layout", "", "Docking layout"),
    Setting("layouts", {}, "Layouts by name", part=is_table, merged=True),
    Setting("panels", {}, "Open sections", part=is_switch),
    Setting("detached", (), "Sections in their own windows", part=is_text),
    Setting("keys", {}, "Changed keys", part=is_text),
    Setting("recent", (), "Recent files", part=is_text),
    Setting("vis_flags", {}, "Model element flags", part=is_bits),
    Setting("render_flags", {}, "Effect flags", part=is_bits),
    Setting("label", 0, "Label", 0, 64),
    Setting("frame", 0, "Frame", 0, 64),
    Setting("trusted", (), "Folders whose models may read files outside them", part=is_text),
    Setting("editor", "", "Editor command"),
    Setting("record_panels", False, "Record the whole window"),
    Setting("record_fps", 30, "Frames per second of films", 5, 120),
    Setting(
        "picture_size",
        "view",
        "Size of pictures and films",
        choices=("view", "1280x720", "1920x1080", "2560x1440", "3840x2160"),
    ),
    Setting("picture_look", "view", "Look of screenshots", choices=tuple(LOOKS)),
    Setting("record_folder", "", "Folder of films"),
    Setting("imports", {}, "Import options of each file", part=is_table, merged=True),
    Setting("models", {}, "Settings of each model file", part=is_table, merged=True),
)
ROWS = {row.name: row for row in SETTINGS}


def check(row: Setting, value: Any) -> Any:
    """Return a value that fits the row, clamped and without bad entries; if this is impossible, return the default."""
    if isinstance(row.default, tuple) and isinstance(value, list):
        value = tuple(value)
    number = isinstance(row.default, int | float) and not isinstance(row.default, bool)
    if number:
        fits = isinstance(value, int | float) and not isinstance(value, bool) and not math.isnan(value)
    else:
        fits = isinstance(value, type(row.default)) and (is_text(value) or not isinstance(value, str))
    if not fits or row.choices and value not in row.choices:
        return row.default
    if number and row.low is not None and row.high is not None:
        return cast(type[float], type(row.default))(min(max(cast(float, value), row.low), row.high))
    if row.part and isinstance(value, dict):
        return {key: part for key, part in value.items() if is_text(key) and row.part(part)}
    if row.part:
        return tuple(part for part in cast(tuple, value) if row.part(part))
    return value


class Config:
    """The current settings: read `config["theme"]`, set `config["theme"] = "light"`, write the file with `save()`."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or default_path()
        self.values = {row.name: row.default for row in SETTINGS}
        self.dirty = False
        self.overridden: dict[str, tuple[Any, Any]] = {}
        self.base, self.damage = dict(self.values), ""
        self.read()

    @property
    def rows(self) -> dict[str, Setting]:
        """The table of settings."""
        return ROWS

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def __setitem__(self, name: str, value: Any) -> None:
        value = check(ROWS[name], value)
        if value != self.values[name]:
            self.values[name] = value
            self.dirty = True

    def override(self, name: str, value: Any) -> None:
        """Set a value for this session only: the file keeps its value, unless the user changes the setting."""
        value = check(ROWS[name], value)
        if value != self.values[name]:
            self.overridden[name] = (value, self.values[name])
            self.values[name] = value

    def stored(self, name: str) -> Any:
        """Return the value to write to the file."""
        given, before = self.overridden.get(name, (None, None))
        return before if name in self.overridden and self.values[name] == given else self.values[name]

    def toggle(self, name: str) -> None:
        self[name] = not self[name]

    def read(self) -> None:
        """Read the values from the file."""
        stored, self.damage = self._file()
        if self.damage:
            self._put_aside()
        for row in SETTINGS:
            if row.saved and row.name in stored:
                self.values[row.name] = check(row, stored[row.name])
        self.base = dict(self.values)

    def _file(self) -> tuple[dict[str, Any], str]:
        """Return the contents of the file, and a message if something is wrong with them."""
        try:
            stored = json.loads(self.path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}, ""
        except (OSError, ValueError, RecursionError) as error:
            return {}, f"{type(error).__name__}: {error}"
        return (stored, "") if isinstance(stored, dict) else ({}, "it is not a table")

    def _put_aside(self) -> None:
        """Rename an unreadable file and keep it, because the user may have edited it."""
        try:
            os.replace(self.path, self.path.with_suffix(".damaged"))
        except OSError as error:
            self.damage += f" ({error})"

    def save(self) -> None:
        """Write the saved rows if something changed. A directory that cannot be written to is not an error here."""
        if not self.dirty:
            return

        # Another window may have saved in the meantime, so update the current file.
        rows = self._file()[0]
        for row in SETTINGS:
            if not row.saved:
                continue
            value, before = self.stored(row.name), self.base[row.name]
            if value != before:
                if row.merged:
                    value = merged(check(row, rows.get(row.name, {})), before, value)
                rows[row.name] = value
            # Defaults are not stored, so that later versions can change them.
            if row.name in rows and check(row, rows[row.name]) == row.default:
                del rows[row.name]

        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            # Write another file and rename it, so that a crash never leaves half a file.
            aside = self.path.with_suffix(f".{os.getpid()}.tmp")
            aside.write_text(json.dumps(rows, indent=1), encoding="utf-8")
            os.replace(aside, self.path)
            self.base = {row.name: self.stored(row.name) for row in SETTINGS}
            self.dirty = False
        except OSError:
            self.dirty = True


def merged(file: dict, before: dict, now: dict) -> dict:
    """Return the file's table, updated by the keys that changed since `before`; the newest keys come last."""
    kept = {key: value for key, value in file.items() if key not in before or key in now}
    for key, value in now.items():
        if value != before.get(key):
            kept.pop(key, None)
            kept[key] = value
    return kept


def default_path() -> Path:
    """Return TUMBLE_CONFIG if it is set, else settings.json in the platform's configuration directory."""
    override = os.environ.get("TUMBLE_CONFIG")
    return Path(override) if override else Path(platformdirs.user_config_dir("tumble", appauthor=False)) / "settings.json"
