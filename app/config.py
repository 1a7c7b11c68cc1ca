"""Settings that outlive a session: one table of rows, one JSON file in the person's configuration directory.

Unknown rows in the file are ignored and bad values replaced by the default, so an old or broken file never stops the
viewer. The file is replaced in one move.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import platformdirs


@dataclass(frozen=True)
class Setting:
    """One row. `low`/`high` clamp numbers, `choices` limit texts; `saved` rows go to the file."""

    name: str
    default: Any
    title: str
    low: float | None = None
    high: float | None = None
    choices: tuple = ()
    saved: bool = True


SETTINGS = (
    Setting("theme", "dark", "Theme", choices=("dark", "light")),
    Setting("font", 100, "Text size", 50, 300),
    Setting("spacing", "tight", "Spacing", choices=("tight", "wide")),
    Setting("vsync", True, "Vertical sync"),
    Setting("left", True, "Left panel"),
    Setting("right", True, "Right panel"),
    Setting("help", False, "Help", saved=False),
    Setting("info", False, "Info"),
    Setting("profiler", False, "Profiler"),
    Setting("sensor", False, "Sensor plot"),
    Setting("palette", False, "Search", saved=False),
    Setting("busy_wait", False, "Busy wait"),
    Setting("pause_update", False, "Pause update"),
    Setting("auto_reload", True, "Reload on save"),
    Setting("keep_state", True, "Keep the motion on reload"),
    Setting("adaptive", True, "Adapt quality to the machine"),
    Setting("stereo", False, "Stereo, side by side"),
    Setting("groups", {}, "Visible groups"),
    Setting("bvh_depth", 1, "Tree depth", 0, 20),
    Setting("flex_layer", 0, "Flex layer", 0, 10),
    Setting("window", (), "Window size", saved=True),
    Setting("layout", "", "Docking layout"),
    Setting("panels", {}, "Open sections"),
    Setting("detached", (), "Sections with their own window"),
    Setting("keys", {}, "Changed keys"),
    Setting("recent", (), "Recent files"),
    Setting("vis_flags", {}, "Model element flags"),
    Setting("render_flags", {}, "Effect flags"),
    Setting("label", 0, "Label"),
    Setting("frame", 0, "Frame"),
    Setting("editor", "", "Editor command"),
)
ROWS = {row.name: row for row in SETTINGS}


def check(row: Setting, value: Any) -> Any:
    """The value if it fits the row, clamped; the default otherwise."""
    if isinstance(row.default, tuple) and isinstance(value, list):
        value = tuple(value)
    number = isinstance(row.default, int | float) and not isinstance(row.default, bool)
    fits = isinstance(value, int | float) and not isinstance(value, bool) if number else isinstance(value, type(row.default))
    if not fits or row.choices and value not in row.choices:
        return row.default
    if number and row.low is not None and row.high is not None:
        return type(row.default)(min(max(value, row.low), row.high))
    return value


class Config:
    """The current settings. `config["theme"]`, `config["theme"] = "light"`, `save()`."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or default_path()
        self.values = {row.name: row.default for row in SETTINGS}
        self.dirty = False
        self.overridden: dict[str, tuple[Any, Any]] = {}
        self.read()

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def __setitem__(self, name: str, value: Any) -> None:
        value = check(ROWS[name], value)
        if value != self.values[name]:
            self.values[name] = value
            self.dirty = True

    def override(self, name: str, value: Any) -> None:
        """A value for this session only: the file keeps what it has, unless the person changes it."""
        value = check(ROWS[name], value)
        if value != self.values[name]:
            self.overridden[name] = (value, self.values[name])
            self.values[name] = value

    def stored(self, name: str) -> Any:
        """What belongs into the file."""
        given, before = self.overridden.get(name, (None, None))
        return before if name in self.overridden and self.values[name] == given else self.values[name]

    def toggle(self, name: str) -> None:
        self[name] = not self[name]

    def read(self) -> None:
        """Take over what the file holds."""
        try:
            stored = json.loads(self.path.read_text())
        except (OSError, ValueError):
            return
        if isinstance(stored, dict):
            for row in SETTINGS:
                if row.saved and row.name in stored:
                    self.values[row.name] = check(row, stored[row.name])

    def save(self) -> None:
        """Write the saved rows if anything changed; an unwritable directory is not an error here."""
        if not self.dirty:
            return
        rows = {row.name: value for row in SETTINGS if row.saved and (value := self.stored(row.name)) != row.default}
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            aside = self.path.with_suffix(f".{os.getpid()}.tmp")
            aside.write_text(json.dumps(rows, indent=1))
            os.replace(aside, self.path)
            self.dirty = False
        except OSError:
            self.dirty = True


def default_path() -> Path:
    """TUMBLE_CONFIG if set, else settings.json in the platform's configuration directory."""
    override = os.environ.get("TUMBLE_CONFIG")
    return Path(override) if override else Path(platformdirs.user_config_dir("tumble", appauthor=False)) / "settings.json"
