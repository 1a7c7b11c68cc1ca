"""Where the person's plugins are: Python files that register plugins of the engine. Imports nothing of the engine."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import platformdirs

PATH = "TUMBLE_PLUGIN_PATH"


def own_folder() -> Path:
    """The folder `plugins` in the person's data directory."""
    return Path(platformdirs.user_data_dir("tumble", appauthor=False)) / "plugins"


def folders(given: Iterable[str] = ()) -> list[str]:
    """Folders that are scanned: those on the command line, those of TUMBLE_PLUGIN_PATH, the person's own if it is there."""
    named = [*given, *(part for part in os.environ.get(PATH, "").split(os.pathsep) if part)]
    own = [str(own_folder())] if own_folder().is_dir() else []
    return list(dict.fromkeys(os.path.abspath(os.path.expanduser(folder)) for folder in [*named, *own]))


def files(places: Iterable[str]) -> tuple[list[str], list[str]]:
    """Python files in the folders but those whose names begin with an underscore, and what could not be read."""
    found, missing = [], []
    for place in places:
        try:
            names = sorted(os.listdir(place))
        except OSError as error:
            missing.append(f"{place}: {error.strerror or error}")
            continue
        found += [os.path.join(place, name) for name in names if name.endswith(".py") and not name.startswith("_")]
    return found, missing
