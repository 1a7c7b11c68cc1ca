"""Models in formats other than MJCF: imported with packages and xacro arguments from the command line, and with the options
that the user chose in the window for each file.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .. import engine as mj
from ..engine.description.load import origin_of
from ..engine.description.robots.archives import members
from ..engine.description.robots.fitting import EVERY, WAYS
from ..engine.description.robots.packages import ARCHIVES, DESCRIPTIONS, MESH_ENDINGS, USD_ENDINGS, split
from ..engine.description.robots.xacro_files import arguments as arguments_in
from ..engine.machine.regular import open_regular
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
    # A zip archive may be MJCF written by MjSpec.to_zip; other archives are searched for models.
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
    given = ARGUMENTS | options.pop("arguments", {})
    return mj.import_model(path, PACKAGES, arguments=given, inside=confinement(split(path)[0]), **options)


def is_number(value: Any) -> bool:
    return isinstance(value, float | int) and not isinstance(value, bool) and 0 < value < 1e12


def is_texts(value: Any) -> bool:
    return isinstance(value, Mapping) and all(isinstance(one, str) for one in (*value, *value.values()))


def is_pairs(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(
        isinstance(one, list | tuple) and len(one) == 2 and all(isinstance(name, str) for name in one) for one in value
    )


# {option of an import that the window stores: whether a stored value can be used}
OPTIONS: dict[str, Callable[[Any], bool]] = {
    "arguments": is_texts,
    "fit": lambda value: value in WAYS,
    "own": lambda value: is_texts(value) and all(one in WAYS for one in value.values()),
    "exclude": is_pairs,
    "density": is_number,
    "scale": is_number,
    "free": lambda value: value is True,
    "actuators": lambda value: value in ("position", "velocity", "motor"),
}


def usable(stored: Any) -> dict[str, Any]:
    """Return the options of an import that can be used; others are ignored, because settings can be edited by hand."""
    table = stored if isinstance(stored, Mapping) else {}
    return {name: table[name] for name, fits in OPTIONS.items() if name in table and fits(table[name])}


def keywords(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return stored options as arguments of `import_model`."""
    out = {name: value for name, value in options.items() if name not in ("fit", "own", "exclude")}
    every = {EVERY: options["fit"]} if "fit" in options else {}
    out["fit"] = {**every, **options.get("own", {})}
    out["exclude_overlaps"] = [tuple(pair) for pair in options.get("exclude", ())]
    return out


def declared_by(path: str, report: Any = None) -> dict[str, str | None]:
    """Return {argument: default, or None} of a xacro file and of the files that it includes; empty for other files."""
    if not path.lower().endswith(".xacro"):
        return {}
    found: dict[str, str | None] = {}
    # A default in any of the files counts, because the main file may use what an included one declares.
    for name in (path, *(file for file in getattr(report, "files", ()) if file.lower().endswith(".xacro"))):
        try:
            with open_regular(name) as file:
                fresh = arguments_in(file.read())
            found |= {name: default for name, default in fresh.items() if found.get(name) is None}
        except OSError:
            continue
    return found


@dataclass(frozen=True)
class Imported:
    """An imported file in the window: the arguments that it declares, the user's options and, if it loaded, the report."""

    path: str
    declared: Mapping[str, str | None] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    report: Any = None

    @property
    def bare(self) -> bool:
        """Whether this is a mesh that is opened alone."""
        return self.path.lower().endswith(MESH_ENDINGS)

    def changed(self, **values: Any) -> dict[str, Any]:
        """Return the options with other values; None and empty values remove an option."""
        return {name: value for name, value in {**self.options, **values}.items() if value}


def report_of(m: Any) -> Any:
    """Return the report of the import that made a model, or None."""
    return getattr(origin_of(m), "import_report", None) if isinstance(m, mj.MjModel) else None


def file_of(m: Any, report: Any, geom: int) -> str:
    """Return the file of a colliding mesh geom, as the description names it; empty for other geoms."""
    mesh = int(m.geom_dataid[geom])
    if mesh < 0 or int(m.geom_type[geom]) != int(mj.mjtGeom.mjGEOM_MESH):
        return ""
    return report.sources.get(f"mesh {mj.mj_id2name(m, mj.mjtObj.mjOBJ_MESH, mesh)}", "")


def watched(m: Any, files: tuple[str, ...]) -> tuple[str, ...]:
    """Return the files whose changes cause a model to be reloaded: the files that an import read, else `files`."""
    report = report_of(m)
    return tuple(dict.fromkeys((*files, *map(os.path.abspath, report.files)))) if report is not None and report.files else files
