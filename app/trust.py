"""Which files a model may read: only those in its own folder, or any file if the user trusts that folder.

A model names its textures, meshes and includes by paths that may lead anywhere. The viewer and the command line therefore
confine a model to the folder of its file, unless the user trusts a folder that contains it. The user does so with `--trust` or
a button below the message in the window; the choice is kept in the settings.
"""

from __future__ import annotations

import os

from ..engine.description.files.resources import within
from ..engine.description.robots.packages import DESCRIPTIONS, package_root
from .config import Config

# Folders that are trusted until the program ends. They are needed if the settings cannot be written.
_TRUSTED: set[str] = set()


def folder_of(path: str) -> str:
    """Return the folder of a model's file, with symbolic links resolved."""
    return os.path.dirname(os.path.realpath(path))


def confinement(path: str) -> str | None:
    """Return the folder to which a model's files are confined; None if the user trusts the model."""
    folder = folder_of(path)
    known = _TRUSTED.union(Config()["trusted"])
    return None if any(within(folder, place) for place in known) else folder


def place_of_trust(path: str) -> str:
    """Return the folder to trust for a model: its own folder. For a robot description, it is the folder of its package."""
    return package_root(os.path.realpath(path)) if path.lower().endswith(DESCRIPTIONS) else folder_of(path)


def trust(path: str) -> None:
    """Trust the folder of a model, with its subfolders. For a robot description, trust the folder of its package, which
    contains the meshes.
    """
    if confinement(path) is not None:
        folder = place_of_trust(path)
        _TRUSTED.add(folder)
        config = Config()
        config["trusted"] = (*config["trusted"], folder)
        config.save()
