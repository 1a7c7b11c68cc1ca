"""The entry point: converts a robot's file of any supported type to an MjSpec, with a report of all repairs."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ...machine.garbage import no_collection
from ..compile.driver import compile_spec
from ..elements.spec import MjSpec
from ..files.resources import Files
from ..language.depth import deep_calls
from ..language.errors import SpecError
from ..language.xmltree import MAX_DEPTH, Node, parse
from ..read.include import read_file
from ..read.parse import editable, parse_spec
from .archives import checked, unpacked
from .attachments import attach, read_attachments
from .bare import mesh_model
from .build import Builder
from .decomposing import EXTRA, can_decompose
from .fitting import DECOMPOSE, KINDS, WAYS
from .inertias import DENSITY
from .locate import Finder
from .meshes import kind_of_mesh
from .overlaps import exclude, list_overlaps, overlapping
from .packages import USD_ENDINGS, is_archive, model_of_folder, split
from .pieces import Robot
from .report import ImportReport
from .sdf import read_sdf
from .shapes import Shaper
from .urdf import read_urdf
from .usd import read_usd
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
    fit: str | Mapping[str, str] = "",
    decompose: bool = False,
    exclude_overlaps: bool | Iterable[tuple[str, str]] = False,
    density: float = DENSITY,
    scale: float = 1.0,
) -> MjSpec:
    """Return an MjSpec for a robot's file (or for the only one in a folder or archive), with `spec.import_report`.

    Each link becomes a body, and each movable joint a joint, with the same name. SpecError, a ValueError, for files that cannot
    be read, ValueError for wrong arguments, ImportError if `decompose` needs a package that is not installed.

    path: a file, a folder, an archive (.zip, .tar.gz, ...), or `archive!member`
    packages: {name: folder}, or strings `name=folder` and folders that contain packages, for package:// names; paths of the
        environment and the folders around the file are also searched
    repair: False: refuse a URDF that MuJoCo refuses, with MuJoCo's message, and any other file that needs a repair
    arguments: arguments of a xacro file
    inside: a folder; no file outside it is read, and xacro files are refused, because they are programs
    free: links without a parent move freely instead of being fixed to the world
    actuators: position, velocity or motor: add an actuator to each driven joint
    fit: box, cylinder, capsule or auto: replace collision meshes by this shape; auto chooses the one of least volume;
        or {mesh file: one of these, decompose or hull}; the file `*` stands for all others
    decompose: replace collision meshes by convex pieces (package coacd, extra `robots`) instead of hulls
    exclude_overlaps: turn off collisions of bodies that overlap in the reference pose: all, or pairs of names
    density: density in kg/m^3 of a mesh file that is opened alone
    scale: factor for the lengths of a mesh file that is opened alone
    """
    options = Options(packages, repair, arguments or {}, free, actuators, *_ways(fit), decompose, density, scale)
    wanted = decompose or DECOMPOSE in options.own.values()
    if wanted and not can_decompose():
        raise ImportError(EXTRA)
    if not (density > 0 and scale > 0):
        raise ValueError(f"density {density:g} and scale {scale:g} must be positive")
    path, member = split(os.fspath(path))
    if not member and not (is_archive(path) and os.path.isfile(path)):
        spec = _import(model_of_folder(path) if os.path.isdir(path) else path, options, inside)
    else:
        spec = _import_archive(path, member, options, inside)
    if exclude_overlaps is not True:
        exclude(spec, [(one, two) for one, two in exclude_overlaps or ()])
    elif spec.import_report is not None:
        pairs = overlapping(spec.compile())
        list_overlaps(spec.import_report, pairs.items(), True)
        exclude(spec, pairs)
    return spec


def _ways(fit: str | Mapping[str, str]) -> tuple[str, Mapping[str, str]]:
    """Return (shape for all meshes, {mesh file: shape for it}) from the argument `fit`; ValueError for an unknown word."""
    every, own = (fit, {}) if isinstance(fit, str) else ("", dict(fit))
    for word, known in ((every, ("", *KINDS)), *((word, WAYS) for word in own.values())):
        if word not in known:
            raise ValueError(f"fit: '{word}' is not one of {', '.join(filter(None, known))}")
    return every, own


@dataclass(frozen=True)
class Options:
    """Options of an import; see `import_model`."""

    packages: Iterable[str] | Mapping[str, str]
    repair: bool
    arguments: Mapping[str, str]
    free: bool
    actuators: str
    fit: str
    own: Mapping[str, str]
    decompose: bool
    density: float
    scale: float


def _import_archive(path: str, member: str, options: Options, inside: str | None) -> MjSpec:
    """Import a file of an archive. Errors and the report call it `archive!member`."""
    with unpacked(path) as folder:
        begin, name = folder + os.sep, f"{path}!"
        try:
            if member:
                file = os.path.join(folder, *checked(member, path).split("/"))
            else:
                file = model_of_folder(folder, os.path.basename(path))
            spec = _import(file, options, folder if inside else None, folder)
        except ValueError as error:
            error.args = tuple(str(a).replace(begin, name) for a in error.args)
            if isinstance(error, SpecError):
                error.file = error.file.replace(begin, name)
            raise
        for element in spec.items("body"):
            if isinstance(element.place, Node):
                element.place.file = element.place.file.replace(begin, name)
    if spec.import_report is not None:
        spec.import_report.moved(begin, name)
        spec.import_report.files = {os.path.abspath(path): None}
    spec.inside = inside
    return spec


def _import(path: str, options: Options, inside: str | None, top: str = "") -> MjSpec:
    """Return an MjSpec for a file; `top` is the highest folder in which files are searched."""
    report = ImportReport(path)
    report.files[os.path.abspath(path)] = None
    finder = Finder(path, report, options.packages, inside, top=top)
    if path.lower().endswith(USD_ENDINGS):
        report.strict = not options.repair
        robot = read_usd(path, finder, report, bool(options.actuators))
        return _reported(_built(robot, finder, report, options), finder, report)
    files = Files(inside=inside)
    data = read_file(path, files)
    if is_xacro(path, data) and (path.lower().endswith(".xacro") or is_installed() or inside):
        data = expand(path, finder, options.arguments)
    if kind_of_mesh(data, path):
        report.strict = not options.repair
        spec = mesh_model(path, finder, report, options.scale, options.density, lambda shaper: _choose(shaper, options))
        return _reported(spec, finder, report)
    sdf = path.lower().endswith(SDF_ENDINGS) or b"<sdf" in data[:4096]
    root = parse(data, path, texts=sdf)
    kind = root.tag.lower()
    if not options.repair and kind == "robot":
        # This raises the same errors, in the same words, as MuJoCo's URDF reader.
        compile_spec(parse_spec(data, path, files))
    else:
        report.strict = not options.repair
    if kind == "mujoco":
        spec = _mjcf(path, data, files, top)
    elif kind in ("robot", "sdf", "gazebo"):
        robot = read_urdf(root, report) if kind == "robot" else read_sdf(root, finder, report)
        if kind == "robot":
            read_attachments(data, root, robot, finder, report)
        spec = _built(robot, finder, report, options)
    else:
        raise SpecError(f"unrecognized model type '{root.tag}'", root, "", root.tag, ("robot", "sdf", "mujoco"))
    return _reported(spec, finder, report)


def _built(robot: Robot, finder: Finder, report: ImportReport, options: Options) -> MjSpec:
    """Return the spec of a robot, with its sensors, keyframes and actuators."""
    robot.free_roots |= options.free
    if not robot.links:
        found = "it has macros and no links" if is_xacro(report.file, b"") else "it has no links"
        report.add("empty", None, found, "open the file that includes it" if is_xacro(report.file, b"") else "")
    builder = Builder(robot, finder, report)
    _choose(builder.shaper, options)
    spec = builder.build()
    attach(builder, options.actuators)
    return spec


def _choose(shaper: Shaper, options: Options) -> None:
    """Set the shapes that replace collision meshes."""
    shaper.fit, shaper.own, shaper.decompose = options.fit, options.own, options.decompose


def _mjcf(path: str, data: bytes, files: Files, top: str) -> MjSpec:
    """Return an MjSpec for MJCF. If its folder will be removed, also read all files that it may name."""
    if not top:
        return editable(parse_spec(data, path, files), None)
    home = os.path.dirname(path)
    near = [os.path.join(place, name) for place, _, names in os.walk(top) for name in names]
    below = {os.path.relpath(name, home).replace(os.sep, "/"): read_file(name, files) for name in near}
    return editable(parse_spec(data, "", Files(below, files.inside, folders=())), below)


def _reported(spec: MjSpec, finder: Finder, report: ImportReport) -> MjSpec:
    spec.inside = finder.inside
    spec.import_report = report
    return spec
