"""The entry point: a robot's file of any kind → MjSpec with a report of all that had to be repaired."""

import os
from collections.abc import Iterable, Mapping

from ...machine.garbage import no_collection
from ..elements.spec import MjSpec
from ..files.resources import Files
from ..language.depth import deep_calls
from ..language.errors import SpecError
from ..language.xmltree import MAX_DEPTH, parse
from ..read.include import read_file
from ..read.parse import spec_from_file
from .build import Builder
from .locate import Finder
from .report import ImportReport
from .urdf import read_urdf
from .xacro_files import expand, is_xacro

Packages = Iterable[str] | Mapping[str, str]
CALLS = 6


@no_collection()
@deep_calls(CALLS * MAX_DEPTH)
def import_model(
    path: str | os.PathLike[str],
    packages: Packages = (),
    repair: bool = True,
    *,
    arguments: Mapping[str, str] | None = None,
    inside: str | None = None,
    free: bool = False,
) -> MjSpec:
    """An MjSpec of a robot's file, with `spec.import_report`: each link a body of its name, each movable joint a joint of its name.

    `packages`: {name: folder}, or texts `name=folder` and folders that hold packages, for package:// names; the environment's paths and the folders
    around the file are searched, too. `repair=False` refuses what would have to be repaired, with a SpecError at its place. `arguments`: those of a
    xacro file. `inside`: a folder outside of which no file is read; xacro files, which are programs, are refused then. `free`: links without a
    parent move freely instead of standing fixed in the world.
    """
    path = os.fspath(path)
    report = ImportReport(path, strict=not repair)
    report.files[os.path.abspath(path)] = None
    finder = Finder(path, report, packages, inside)
    data = read_file(path, Files(inside=inside))
    if is_xacro(path, data):
        data = expand(path, finder, arguments or {})
    root = parse(data, path)
    kind = root.tag.lower()
    if kind == "mujoco":
        spec = spec_from_file(path, inside=inside)
    elif kind == "robot":
        robot = read_urdf(root, report)
        robot.free_roots |= free
        spec = Builder(robot, finder, report).build()
        spec.inside = finder.inside
    else:
        raise SpecError(f"unrecognized model type '{root.tag}'", root, "", root.tag, ("robot", "sdf", "mujoco"))
    spec.import_report = report
    return spec
