"""Folders of robots: which endings their files have, the package that a file is part of, the model in a folder.

Little is imported here, since the viewer asks before it opens anything.
"""

import os
import re
from dataclasses import dataclass

from ...machine.regular import open_regular
from ..files.resources import within

# descriptions whose files lie in a package around them
DESCRIPTIONS = (".urdf", ".xacro", ".sdf", ".world")
# ending, or root element of XML → what such a file is
KINDS = {
    ".urdf": "URDF", ".xacro": "xacro", ".sdf": "SDF", ".world": "SDF",
    ".mjcf": "MJCF", ".mjb": "binary", ".mjz": "archive", ".xml": "",
}  # fmt: skip
ROOTS = {b"mujoco": "MJCF", b"robot": "URDF", b"sdf": "SDF"}
ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")
# tried for a name without a known ending, and, last of all, instead of the one that a name has
MESH_ENDINGS = (".stl", ".obj", ".dae", ".glb", ".gltf", ".ply", ".off", ".3mf")
# files that mark the root of a package
MARKS = ("package.xml", "model.config", "manifest.xml", ".git")
# folders above a file that are searched, and entries of a folder tree that are listed at most
MOST_ABOVE, MOST_LISTED = 12, 20000
# models that a message names
MOST_NAMED = 20
# bytes in which the root of an XML file is looked for
HEAD = 4096
_ROOT = re.compile(rb"<([A-Za-z]\w*)[\s>/]")
_NAME = re.compile(rb"<name[^>]*>\s*([^<\s]+)\s*</name>")


@dataclass(frozen=True)
class Found:
    """A model in a folder: its path below the folder, what it is, its size in bytes."""

    name: str
    kind: str
    size: int

    def __str__(self) -> str:
        return f"{self.name} ({self.kind}, {max(self.size >> 10, 1)} kB)"


def kind_of(path: str) -> str:
    """What kind of model a file is, by its ending, or for XML by its root; empty if it is none."""
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
    """All models in a folder tree: descriptions, MJCF and binary models; if there is none of them, meshes."""
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
                (meshes if kind == "mesh" else found).append(Found(short, kind, os.path.getsize(path)))
        count += len(files)
        if count > MOST_LISTED:
            break
    return found or meshes


def model_of_folder(folder: str, title: str = "a folder") -> str:
    """The model in a folder: the only one; ValueError that lists them if there are several, or none."""
    found = models_in(folder)
    # a xacro program beside what it was expanded to is not a model of its own, nor is MJCF that others include
    for without in ("xacro", "MJCF"):
        found = [f for f in found if f.kind != without] or found
    if len(found) == 1:
        return os.path.join(folder, *found[0].name.split("/"))
    listed = ", ".join(map(str, found[:MOST_NAMED])) + (
        f" and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
    )
    raise ValueError(f"{title} is no model: open one of the files in it ({listed or 'there is none'})")


def package_name(folder: str) -> str:
    """The name that a folder's package.xml says; empty without one."""
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
    """The folder of the package that a file is part of: the next one above with a package.xml or model.config, else the one
    above its own.
    """
    home = folder = os.path.dirname(os.path.abspath(file))
    for _ in range(MOST_ABOVE):
        if any(os.path.exists(os.path.join(folder, mark)) for mark in MARKS):
            return folder
        up = os.path.dirname(folder)
        if up == folder:
            break
        folder = up
    # a drive, what lies directly on it, a home or what holds homes is nobody's package
    up = os.path.dirname(home)
    shared = os.path.dirname(up) == os.path.dirname(os.path.dirname(up)) or within(os.path.expanduser("~"), up)
    return home if shared else up


def common_root(file: str, other: str) -> str:
    """The folder that holds a robot's file and another of its files: the package if it holds both."""
    root = package_root(file)
    return (
        root
        if within(os.path.realpath(other), os.path.realpath(root))
        else os.path.commonpath([os.path.dirname(os.path.abspath(file)), os.path.dirname(os.path.abspath(other))])
    )
