"""Models that are not MJCF: imported with what the command line says of packages, xacro arguments and actuators."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from .. import engine as mj
from ..engine.description.load import origin_of
from ..engine.description.robots.archives import members, split
from ..engine.description.robots.packages import ARCHIVES, DESCRIPTIONS, MESH_ENDINGS
from .trust import confinement

# endings of files that are imported
ENDINGS = (*DESCRIPTIONS, *MESH_ENDINGS)
# what the command line says of imports: folders of packages, and arguments of xacro files
PACKAGES: list[str] = []
ARGUMENTS: dict[str, str] = {}


def is_imported(path: str) -> bool:
    """Whether a file is opened by import: what is neither MJCF nor a binary model nor an archive of MJCF."""
    if path.lower().endswith(ENDINGS) or split(path)[1]:
        return True
    if not path.lower().endswith(ARCHIVES) or not os.path.isfile(path):
        return False
    # a zip archive of MJCF is what MjSpec.to_zip writes; of any other archive the models are listed
    return not path.lower().endswith(".zip") or any(name.lower().endswith(DESCRIPTIONS) for name, _, _ in members(path))


def choose(packages: Sequence[str], arguments: Sequence[str]) -> None:
    """Keep what the command line says, for all imports from then on. ValueError for a package or an argument that is none."""
    for package in packages:
        name, equals, folder = package.partition("=")
        if not os.path.isdir(folder if equals else name):
            raise ValueError(
                f"--package {package}: there is no folder {folder or name!r}; it is NAME=FOLDER, or a folder of packages"
            )
    PACKAGES.extend(packages)
    for text in arguments:
        name, equals, value = text.partition(":=")
        if not equals:
            raise ValueError(f"--arg {text}: it is NAME:=VALUE")
        ARGUMENTS[name] = value


def imported(path: str, **options: Any) -> Any:
    """The MjSpec of a file; files are read as app.trust allows."""
    return mj.import_model(path, PACKAGES, arguments=ARGUMENTS, inside=confinement(split(path)[0]), **options)


def report_of(m: Any) -> Any:
    """The report of the import that a model comes from, or None."""
    return getattr(origin_of(m), "import_report", None) if isinstance(m, mj.MjModel) else None


def watched(m: Any, files: tuple[str, ...]) -> tuple[str, ...]:
    """Files whose change reloads a model: those that an import read, else `files`."""
    report = report_of(m)
    return tuple(dict.fromkeys((*files, *map(os.path.abspath, report.files)))) if report is not None and report.files else files
