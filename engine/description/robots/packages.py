"""Folders of robots: which endings their files have, the package that a file is part of, the model in a folder.

Little is imported here, since the viewer asks before it opens anything.
"""

import os
import re

from ...machine.regular import open_regular
from ..files.resources import within

# descriptions whose files lie in a package around them
DESCRIPTIONS = (".urdf", ".xacro", ".sdf", ".world")
# what is a model of its own in a folder
MODELS = (*DESCRIPTIONS, ".mjcf", ".mjb", ".mjz")
# tried for a name without a known ending, and, last of all, instead of the one that a name has
MESH_ENDINGS = (".stl", ".obj", ".dae", ".glb", ".gltf", ".ply", ".off", ".3mf")
# files that mark the root of a package
MARKS = ("package.xml", "model.config", "manifest.xml", ".git")
# folders above a file that are searched, and entries of a folder tree that are listed at most
MOST_ABOVE, MOST_LISTED = 12, 20000
_NAME = re.compile(rb"<name[^>]*>\s*([^<\s]+)\s*</name>")


def model_of_folder(folder: str) -> str:
    """The model in a folder: the only one; ValueError that lists them if there are several, or none."""
    found: list[str] = []
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        found += [os.path.join(place, f) for f in sorted(files) if f.lower().endswith(MODELS)]
        if len(found) > MOST_LISTED:
            break
    # a xacro program beside what it was expanded to is not a model of its own
    plain = [f for f in found if not f.lower().endswith(".xacro")] or found
    if len(plain) == 1:
        return plain[0]
    names = [os.path.relpath(f, folder) for f in plain[:20]]
    listed = ", ".join(names) + (f" and {len(plain) - 20} more" if len(plain) > 20 else "")
    raise ValueError(f"a folder is no model: open one of the files in it ({listed or 'there is none'})")


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
