"""Finds a robot's files: package://, model://, file:// and relative names are searched in the usual places, in order.

    package://NAME/REST   packages= and --package, the environment's paths, parent folders that are or contain the package
    REST                  relative to the file, to the folders of its <compiler>, to parent folders

Names may have the wrong case, Windows separators, and a missing or wrong extension; each such case is noted in the report.
With `inside`, nothing outside that folder is read, whatever the name is.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import unquote

from ...machine.regular import open_regular
from ..files.resources import outside, within
from ..language.errors import MAX_PATH, shown
from .packages import MESH_ENDINGS, MOST_ABOVE, MOST_LISTED, common_root, package_name, package_root
from .report import ImportReport

# {environment variable: possible locations of a package, relative to each folder that the variable lists}
PATHS = {
    "ROS_PACKAGE_PATH": ("{pkg}", "."),
    "AMENT_PREFIX_PATH": ("share/{pkg}",),
    "COLCON_PREFIX_PATH": ("share/{pkg}", "{pkg}/share/{pkg}"),
    "CMAKE_PREFIX_PATH": ("share/{pkg}",),
    "GZ_SIM_RESOURCE_PATH": ("{pkg}", "."),
    "IGN_GAZEBO_RESOURCE_PATH": ("{pkg}", "."),
    "GAZEBO_MODEL_PATH": ("{pkg}", "."),
}
# Possible locations of a package, relative to a parent folder of the file.
NEAR = ("{pkg}", "src/{pkg}", "share/{pkg}", "*/{pkg}")
SCHEMES = ("package", "model")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):/{0,3}")
_FIND = re.compile(r"\$\(find(?:-pkg-share)?\s+([^)\s]+)\s*\)")


class Finder:
    """Finds files during one import."""

    def __init__(
        self,
        file: str,
        report: ImportReport,
        packages: Iterable[str] | Mapping[str, str] = (),
        inside: str | None = None,
        environ: Mapping[str, str] | None = None,
        top: str = "",
    ) -> None:
        self.file = file
        self.home = os.path.dirname(os.path.abspath(file))
        self.report = report
        self.inside = os.path.realpath(inside) if inside else None
        # the highest folder in which files are searched
        self.top = top
        self.packages, self.folders = given_packages(packages)
        self.environ = os.environ if environ is None else environ
        # more folders for relative names, in addition to the file's folder
        self.more: list[str] = []
        self._listed: dict[str, dict[str, str]] = {}
        self._roots: dict[str, list[str]] = {}
        self._found: dict[str, tuple[str, list[str]]] = {}
        self._below: dict[str, list[str]] = {}
        self._noted: set[tuple[str, str]] = set()

    # ---- names

    def find(self, name: str, node: Any = None, kind: str = "mesh") -> tuple[str, list[str]]:
        """Return (path, tried paths) for a file; the path is empty if it is not found. OSError if it must not be read."""
        known = self._found.get(name)
        if known is None:
            known = self._found[name] = self._find(name, node, kind)
        return known

    def _find(self, name: str, node: Any, kind: str) -> tuple[str, list[str]]:
        tried: list[str] = []
        if len(name) > MAX_PATH:
            return "", [shown(name)]
        package, rest = parted(name)
        if package is None and re.match(r"https?:", name):
            return "", [f"{name} (files are not downloaded)"]
        for way, candidate in self._candidates(package, rest):
            path, note = self._spelled(candidate)
            if not path and candidate not in tried:
                tried.append(candidate)
            if path:
                self._check(path, name)
                if way or note:
                    self._note(name, path, node, way or note)
                return path, tried
        for candidate in tried[:]:
            path = self._other_ending(candidate) if kind == "mesh" else ""
            if path:
                self._check(path, name)
                self._note(name, path, node, "a file of the same name with another ending")
                return path, tried
        return "", tried

    def _note(self, name: str, path: str, node: Any, how: str) -> None:
        if (name, path) not in self._noted:
            self._noted.add((name, path))
            self.report.add("found", node, f"'{name}' is not at the given path", f"{how}: {path}")

    def _candidates(self, package: str | None, rest: str) -> Iterator[tuple[str, str]]:
        """Yield (how the path was found, empty for the regular way; path) for all candidates, in order."""
        named = package
        if package is None:
            plain = os.path.isabs(rest)
            yield "", rest if plain else os.path.join(self.home, rest)
            for folder in () if plain else self.more:
                yield "", os.path.join(folder, rest)
            package, _, below = rest.partition("/") if plain is False else (None, "", rest)
        else:
            for root in self.roots(package):
                yield "", os.path.join(root, rest)
            below = rest
        # The file was moved out of its package, or its name is relative to another folder of the package.
        short = rest.lstrip("/")
        while short.startswith(("../", "./")):
            short = short[short.index("/") + 1 :]
        for folder in self.above():
            yield "relative to a folder above", os.path.join(folder, short)
            if package and below:
                yield "without the name of its package", os.path.join(folder, below)
        for root in dict.fromkeys((*(self.roots(named) if named else ()), self.root())):
            # An untrusted file must not learn what other folders contain.
            if (self.inside is None or within(os.path.realpath(root), self.inside)) and (hit := self._by_suffix(short, root)):
                yield "by the end of its path", hit

    def _by_suffix(self, short: str, root: str) -> str:
        """Return the file below a folder whose path shares the longest suffix with a name; empty if no file has the same base
        name, or if several have it and nothing else distinguishes them."""
        parts = short.lower().split("/")
        hits = [p for p in self._tree(root) if p.lower().rpartition("/")[2] == parts[-1]]
        for count in range(len(parts), 0, -1):
            end = "/".join(parts[-count:])
            same = [p for p in hits if ("/" + p.lower()).endswith("/" + end)]
            if len(same) == 1 or same and count > 1:
                return os.path.join(root, same[0])
        return ""

    def _tree(self, root: str) -> list[str]:
        """Return the names of all files below a folder, relative to it."""
        if root not in self._below:
            names: list[str] = []
            for folder, folders, files in os.walk(root):
                folders[:] = sorted(f for f in folders if not f.startswith("."))
                base = os.path.relpath(folder, root).replace(os.sep, "/")
                names += [f if base == "." else f"{base}/{f}" for f in sorted(files)]
                if len(names) > MOST_LISTED:
                    break
            self._below[root] = names
        return self._below[root]

    # ---- packages

    def roots(self, package: str) -> list[str]:
        """Return folders that may be a package, most likely ones first."""
        known = self._roots.get(package)
        if known is None:
            known = self._roots[package] = list(dict.fromkeys(filter(os.path.isdir, self._package_places(package))))
        return known

    def _package_places(self, package: str) -> Iterator[str]:
        if package in self.packages:
            yield self.packages[package]
        for folder in self.folders:
            if os.path.basename(folder.rstrip("/\\")) == package or package_name(folder) == package:
                yield folder
            yield os.path.join(folder, package)
        for variable, shapes in PATHS.items():
            for folder in filter(None, self.environ.get(variable, "").split(os.pathsep)):
                for shape in shapes:
                    if shape != "." or os.path.basename(folder.rstrip("/\\")) == package or package_name(folder) == package:
                        yield os.path.join(folder, shape.format(pkg=package))
        for folder in self.above():
            if os.path.basename(folder) == package or package_name(folder) == package:
                yield folder
        for folder in self.above():
            for shape in NEAR:
                if shape.startswith("*"):
                    yield from (os.path.join(folder, sub, package) for sub in self._listing(folder).values())
                else:
                    yield os.path.join(folder, shape.format(pkg=package))

    def above(self) -> list[str]:
        """Return the folder of the file and its parents, up to the highest folder that an untrusted file may search."""
        found, folder = [], self.home
        while len(found) < MOST_ABOVE:
            found.append(folder)
            up = os.path.dirname(folder)
            if folder in (up, self.top):
                break
            folder = up
        return found

    def root(self) -> str:
        """Return the folder of the package that contains the file; usually the parent of a folder `urdf`, `robots`, ..."""
        return self.top or package_root(self.file)

    # ---- the file system

    def _listing(self, folder: str) -> dict[str, str]:
        """Return {lower-case name: name} of a folder's contents."""
        found = self._listed.get(folder)
        if found is None:
            try:
                found = {entry.lower(): entry for entry in sorted(os.listdir(folder), reverse=True)}
            except OSError:
                found = {}
            self._listed[folder] = found
        return found

    def _spelled(self, path: str) -> tuple[str, str]:
        """Return (the file at a path, how its spelling differs); ("", "") if there is none."""
        path = os.path.normpath(path)
        if os.path.isfile(path):
            return path, ""
        folder, name = os.path.split(path)
        if not os.path.isdir(folder):
            folder = self._folder(folder)
        if not folder:
            return "", ""
        entries = self._listing(folder)
        for ending in ("", *MESH_ENDINGS) if "." not in name else ("",):
            hit = entries.get((name + ending).lower())
            if hit and os.path.isfile(os.path.join(folder, hit)):
                return os.path.join(folder, hit), "with another spelling" if not ending else "with its ending"
        return "", ""

    def _folder(self, path: str) -> str:
        """Return a folder, even if its name is spelled in another case; empty if there is none."""
        missing: list[str] = []
        while not os.path.isdir(path):
            path, name = os.path.split(path)
            if not name:
                return ""
            missing.append(name)
        for name in reversed(missing):
            path = os.path.join(path, self._listing(path).get(name.lower(), "\0"))
            if not os.path.isdir(path):
                return ""
        return path

    def _other_ending(self, path: str) -> str:
        folder, name = os.path.split(os.path.normpath(path))
        folder = self._folder(folder)
        entries = self._listing(folder) if folder else {}
        stem = os.path.splitext(name)[0].lower()
        return next((os.path.join(folder, entries[stem + e]) for e in MESH_ENDINGS if stem + e in entries), "")

    def _check(self, path: str, name: str) -> None:
        """Raise OutsideError if a file is outside the folder that may be read."""
        if self.inside is None or within(os.path.realpath(path), self.inside):
            return
        raise outside(
            f"{self.file}: '{name}' is {path}, outside of '{self.inside}': "
            f"the robot's package is '{common_root(self.file, path)}'",
            path,
        )

    def read(self, path: str) -> bytes:
        """Return the contents of a file that was found; OSError if it cannot be read."""
        self._check(path, path)
        self.report.files[path] = None
        with open_regular(path) as file:
            return file.read(os.fstat(file.fileno()).st_size)


def given_packages(packages: Iterable[str] | Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """Return ({name: folder}, folders that are or contain packages) from a mapping, or from strings `name=folder` or
    `folder`."""
    if isinstance(packages, Mapping):
        return {str(k): os.path.abspath(os.fspath(v)) for k, v in packages.items()}, []
    named, folders = {}, []
    for text in [packages] if isinstance(packages, (str, os.PathLike)) else packages:
        name, equals, folder = os.fspath(text).partition("=")
        if equals:
            named[name] = os.path.abspath(folder)
        else:
            folders.append(os.path.abspath(name))
    return named, folders


def parted(name: str) -> tuple[str | None, str]:
    """Return (package or None, path) of a file name in a description."""
    name = name.strip().replace("\\", "/")
    if found := _FIND.match(name):
        return found[1], name[found.end() :].lstrip("/")
    name = _FIND.sub(r"package://\1", name)
    found = _SCHEME.match(name)
    if found is None:
        return None, name
    scheme, rest = found[1].lower(), name[found.end() :]
    if scheme in SCHEMES:
        package, _, below = unquote(rest).partition("/")
        return package, re.sub(r"/+", "/", below)
    if scheme == "file":
        rest = unquote(rest)
        if rest.startswith("$(find ") or _SCHEME.match(rest):
            return parted(rest)
        # file:///a is absolute; file://a is often used for relative names.
        slashes = len(found[0]) - len(found[1]) - 1
        return None, "/" + rest if slashes == 3 and not re.match(r"[A-Za-z]:", rest) else rest
    return None, name
