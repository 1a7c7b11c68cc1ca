"""Folders of robots: file name extensions, the package that contains a file, and the model in a folder.

This module imports little, because the viewer uses it before it opens anything.
"""

import os
import re
from dataclasses import dataclass

from ...machine.regular import open_regular
from ..files.resources import within

# Extensions of robot descriptions, whose meshes and textures are in the package around them.
DESCRIPTIONS = (".urdf", ".xacro", ".sdf", ".world")
# Extensions of scenes, which the package usd-core reads.
USD_ENDINGS = (".usd", ".usda", ".usdc", ".usdz")
# {extension, or root element of XML: type of the file}
KINDS = {
    ".urdf": "URDF", ".xacro": "xacro", ".sdf": "SDF", ".world": "SDF",
    ".mjcf": "MJCF", ".mjb": "binary", ".mjz": "archive", ".xml": "", **dict.fromkeys(USD_ENDINGS, "USD"),
}  # fmt: skip
ROOTS = {b"mujoco": "MJCF", b"robot": "URDF", b"sdf": "SDF"}
ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")
# Extensions to try for a name without a known extension or, as a last resort, in place of a known one.
MESH_ENDINGS = (".stl", ".obj", ".dae", ".glb", ".gltf", ".ply", ".off", ".3mf")
# Files that mark the root of a package.
MARKS = ("package.xml", "model.config", "manifest.xml", ".git")
# Number of parent folders to search, and maximum number of entries listed in a folder tree.
MOST_ABOVE, MOST_LISTED = 12, 20000
# maximum number of models named in a message
MOST_NAMED = 20
# bytes to search for the root of an XML file
HEAD = 4096
_ROOT = re.compile(rb"<([A-Za-z]\w*)[\s>/]")
_NAME = re.compile(rb"<name[^<>]*>\s*([^<\s]+)\s*</name>")


def split(path: str) -> tuple[str, str]:
    """Return (archive, member) of `archive!member`; the member is empty for other names."""
    head, bang, member = path.rpartition("!")
    if bang and is_archive(head) and os.path.isfile(head):
        return head, member.lstrip("/")
    return path, ""


def is_archive(path: str) -> bool:
    """Return whether a name has the extension of an archive."""
    return path.lower().endswith(ARCHIVES)


@dataclass(frozen=True)
class Found:
    """A model in a folder: its path below the folder, its type, and its size in bytes."""

    name: str
    kind: str
    size: int

    def __str__(self) -> str:
        return f"{self.name} ({self.kind}, {max(self.size >> 10, 1)} kB)"


def kind_of(path: str) -> str:
    """Return the type of model in a file, by its extension, or for XML by its root; empty if it is not a model."""
    ending = os.path.splitext(path)[1].lower()
    if ending not in KINDS:
        return ""
    if ending != ".xml":
        return KINDS[ending]
    try:
        with open_regular(path) as file:
            root = _ROOT.search(file.read(HEAD))
    except OSError:
        return ""
    return ROOTS.get(root[1].lower(), "") if root else ""


def models_in(folder: str) -> list[Found]:
    """Return all models in a folder tree: descriptions, MJCF and binary models, or if there are none, meshes."""
    found: list[Found] = []
    meshes: list[Found] = []
    count = 0
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        for name in sorted(files):
            path = os.path.join(place, name)
            kind = kind_of(path) or ("mesh" if name.lower().endswith(MESH_ENDINGS) else "")
            if kind:
                short = os.path.relpath(path, folder).replace(os.sep, "/")
                try:
                    row = Found(short, kind, os.path.getsize(path))
                except OSError:
                    # It is a link to a missing file, or has just been removed.
                    continue
                (meshes if kind == "mesh" else found).append(row)
        count += len(files)
        if count > MOST_LISTED:
            break
    return found or meshes


class SeveralModels(ValueError):
    """A folder or archive holds several models, or none. `found` lists them."""

    def __init__(self, text: str, found: list[Found]) -> None:
        super().__init__(text)
        self.found = tuple(found)


def model_of_folder(folder: str, title: str = "a folder") -> str:
    """Return the only model in a folder. SeveralModels lists the models, unless there is exactly one."""
    found = every = models_in(folder)
    # Ignore scenes next to descriptions, xacro programs next to their expanded files, and MJCF that others include.
    for without in ("USD", "xacro", "MJCF"):
        found = [f for f in found if f.kind != without] or found
    if len(found) == 1:
        return os.path.join(folder, *found[0].name.split("/"))
    listed = ", ".join(map(str, found[:MOST_NAMED])) + (
        f" and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
    )
    raise SeveralModels(f"{title} is not a model: open one of its files ({listed or 'there is none'})", every)


def package_name(folder: str) -> str:
    """Return the package name in a folder's package.xml; empty if there is no such file."""
    path = os.path.join(folder, "package.xml")
    if not os.path.isfile(path):
        return ""
    try:
        with open_regular(path) as file:
            found = _NAME.search(file.read(1 << 16))
    except OSError:
        return ""
    return found[1].decode("utf-8", "replace") if found else ""


def package_root(file: str) -> str:
    """Return the folder of the package that contains a file: the nearest parent with a package.xml or model.config, otherwise
    the parent of the file's folder.
    """
    home = folder = os.path.dirname(os.path.abspath(file))
    for _ in range(MOST_ABOVE):
        if any(os.path.exists(os.path.join(folder, mark)) for mark in MARKS):
            return folder
        up = os.path.dirname(folder)
        if up == folder:
            break
        folder = up
    # A drive, its top-level folders, a home folder and its parent are never packages.
    up = os.path.dirname(home)
    shared = os.path.dirname(up) == os.path.dirname(os.path.dirname(up)) or within(os.path.expanduser("~"), up)
    return home if shared else up


def common_root(file: str, other: str) -> str:
    """Return a folder that contains both a robot's file and another of its files: the package, if it contains both."""
    root = package_root(file)
    return (
        root
        if within(os.path.realpath(other), os.path.realpath(root))
        else os.path.commonpath([os.path.dirname(os.path.abspath(file)), os.path.dirname(os.path.abspath(other))])
    )
