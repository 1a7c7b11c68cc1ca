"""Locates the user's plugins: Python files that register engine plugins. This module does not import the engine."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import platformdirs

PATH = "TUMBLE_PLUGIN_PATH"
# {setting: file} of the plugins that come with the program
INCLUDED = {"launcher": str(Path(__file__).parents[1] / "assets" / "plugins" / "launcher.py")}


def own_folder() -> Path:
    """Return the folder `plugins` in the user's data directory."""
    return Path(platformdirs.user_data_dir("tumble", appauthor=False)) / "plugins"


def folders(given: Iterable[str] = ()) -> list[str]:
    """Return the plugin folders: from the command line, from TUMBLE_PLUGIN_PATH, and the user's own if it exists."""
    named = [*given, *(part for part in os.environ.get(PATH, "").split(os.pathsep) if part)]
    own = [str(own_folder())] if own_folder().is_dir() else []
    return list(dict.fromkeys(os.path.abspath(os.path.expanduser(folder)) for folder in [*named, *own]))


def files(places: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return the plugin files in folders, and the folders that cannot be read. Names that begin with "_" are skipped."""
    found, missing = [], []
    for place in places:
        try:
            names = sorted(os.listdir(place))
        except OSError as error:
            missing.append(f"{place}: {error.strerror or error}")
            continue
        found += [os.path.join(place, name) for name in names if name.endswith(".py") and not name.startswith("_")]
    return found, missing
