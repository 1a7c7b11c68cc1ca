"""Which files a model may read: those in its own folder, and any file once the person trusts that folder.

A model names its textures, meshes and includes by paths, and these may lead anywhere. The viewer and the command line therefore
confine a model to the folder of its file, unless that folder lies in one that the person trusts: `--trust` says so, or a button
below the message in the window, and it is kept with the settings.
"""

from __future__ import annotations

import os

from ..engine.description.files.resources import within
from ..engine.description.robots.packages import DESCRIPTIONS, package_root
from .config import Config

# folders that are trusted until the end of the program, should the settings not be writable
_TRUSTED: set[str] = set()


def folder_of(path: str) -> str:
    """The folder of a model's file, without links."""
    return os.path.dirname(os.path.realpath(path))


def confinement(path: str) -> str | None:
    """The folder that a model's files must lie in; None if the person trusts it."""
    folder = folder_of(path)
    known = _TRUSTED.union(Config()["trusted"])
    return None if any(within(folder, place) for place in known) else folder


def place_of_trust(path: str) -> str:
    """The folder that is trusted for a model: its own; of a robot description that of its package, in which the meshes lie."""
    return package_root(os.path.realpath(path)) if path.lower().endswith(DESCRIPTIONS) else folder_of(path)


def trust(path: str) -> None:
    """Trust the folder of a model, and what lies in it."""
    if confinement(path) is not None:
        folder = place_of_trust(path)
        _TRUSTED.add(folder)
        config = Config()
        config["trusted"] = (*config["trusted"], folder)
        config.save()
