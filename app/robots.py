"""Models in formats other than MJCF, which are imported with the packages and xacro arguments from the command line."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from .. import engine as mj
from ..engine.description.load import origin_of
from ..engine.description.robots.archives import members
from ..engine.description.robots.packages import ARCHIVES, DESCRIPTIONS, MESH_ENDINGS, USD_ENDINGS, split
from .trust import confinement

# File endings that the importer handles.
ENDINGS = (*DESCRIPTIONS, *MESH_ENDINGS, *USD_ENDINGS)
# Options of the command line for imports: folders of packages, and arguments of xacro files.
PACKAGES: list[str] = []
ARGUMENTS: dict[str, str] = {}


def is_imported(path: str) -> bool:
    """Return whether a file is opened by the importer: anything but MJCF, binary models and archives of MJCF."""
    if path.lower().endswith(ENDINGS) or split(path)[1]:
        return True
    if not path.lower().endswith(ARCHIVES) or not os.path.isfile(path):
        return False
    # MjSpec.to_zip writes MJCF as zip archives; other archives are searched for models.
    return not path.lower().endswith(".zip") or any(name.lower().endswith(DESCRIPTIONS) for name, _, _ in members(path))


def choose(packages: Sequence[str], arguments: Sequence[str]) -> None:
    """Set packages and arguments for all later imports. ValueError if one is invalid."""
    for package in packages:
        name, equals, folder = package.partition("=")
        if not os.path.isdir(folder if equals else name):
            raise ValueError(
                f"--package {package}: there is no folder {folder or name!r}; use NAME=FOLDER, or a folder of packages"
            )
    PACKAGES.extend(packages)
    for text in arguments:
        name, equals, value = text.partition(":=")
        if not equals:
            raise ValueError(f"--arg {text}: use NAME:=VALUE")
        ARGUMENTS[name] = value


def imported(path: str, **options: Any) -> Any:
    """Return the MjSpec of a file. app.trust limits which files are read."""
    return mj.import_model(path, PACKAGES, arguments=ARGUMENTS, inside=confinement(split(path)[0]), **options)


def report_of(m: Any) -> Any:
    """Return the report of the import that a model comes from, or None."""
    return getattr(origin_of(m), "import_report", None) if isinstance(m, mj.MjModel) else None


def watched(m: Any, files: tuple[str, ...]) -> tuple[str, ...]:
    """Return the files whose change reloads a model: those that an import read, else `files`."""
    report = report_of(m)
    return tuple(dict.fromkeys((*files, *map(os.path.abspath, report.files)))) if report is not None and report.files else files
