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
from ..read.parse import editable, parse_spec
from .attachments import attach, read_attachments
from .bare import mesh_model
from .build import Builder
from .locate import Finder
from .meshes import kind_of_mesh
from .packages import model_of_folder
from .report import ImportReport
from .sdf import read_sdf
from .urdf import read_urdf
from .xacro_files import expand, is_installed, is_xacro

CALLS = 6
SDF_ENDINGS = (".sdf", ".world")


@no_collection()
@deep_calls(CALLS * MAX_DEPTH)
def import_model(
    path: str | os.PathLike[str],
    packages: Iterable[str] | Mapping[str, str] = (),
    repair: bool = True,
    *,
    arguments: Mapping[str, str] | None = None,
    inside: str | None = None,
    free: bool = False,
    actuators: str = "",
) -> MjSpec:
    """An MjSpec of a robot's file, or of the only one in a folder, with `spec.import_report`.

    Each link becomes a body of its name, each movable joint a joint of its name.

    packages   {name: folder}, or texts `name=folder` and folders that hold packages, for package:// names; the environment's
               paths and the folders around the file are searched, too
    repair     False refuses what would have to be repaired, with a SpecError at its place
    arguments  those of a xacro file
    inside     a folder outside of which no file is read; xacro files, which are programs, are refused then
    free       links without a parent move freely instead of standing fixed in the world
    actuators  position, velocity or motor: an actuator for each joint that is driven
    """
    path = os.fspath(path)
    if os.path.isdir(path):
        path = model_of_folder(path)
    report = ImportReport(path, strict=not repair)
    report.files[os.path.abspath(path)] = None
    finder = Finder(path, report, packages, inside)
    files = Files(inside=inside)
    data = read_file(path, files)
    if is_xacro(path, data) and (path.lower().endswith(".xacro") or is_installed() or inside):
        data = expand(path, finder, arguments or {})
    if kind_of_mesh(data, path):
        return _reported(mesh_model(path, finder, report), finder, report)
    sdf = path.lower().endswith(SDF_ENDINGS) or b"<sdf" in data[:4096]
    root = parse(data, path, texts=sdf)
    kind = root.tag.lower()
    if kind == "mujoco":
        spec = editable(parse_spec(data, path, files), None)
    elif kind in ("robot", "sdf", "gazebo"):
        robot = read_urdf(root, report) if kind == "robot" else read_sdf(root, finder, report)
        robot.free_roots |= free
        if kind == "robot":
            read_attachments(data, root, robot, finder, report)
        builder = Builder(robot, finder, report)
        spec = builder.build()
        attach(builder, actuators)
    else:
        raise SpecError(f"unrecognized model type '{root.tag}'", root, "", root.tag, ("robot", "sdf", "mujoco"))
    return _reported(spec, finder, report)


def _reported(spec, finder, report):
    spec.inside = finder.inside
    spec.import_report = report
    return spec
