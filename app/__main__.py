"""The command line: `tumble model.xml` opens the viewer; `tumble <command>` does the rest."""

from __future__ import annotations

import argparse
import difflib
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType
from typing import NoReturn

from ..ui.examples import BY_NAME, located
from .addons import folders
<<<<<<< HEAD

# releases whose changes can be asked for
RELEASES = (*(f"3.{k}" for k in range(4, 18)), "4.0")
MODEL = "MJCF, URDF or MJB file, or the name of an example"
NAMES = f"models that come along: {', '.join(BY_NAME)}"
EXAMPLES = """examples:
  tumble robot.xml                                        look at a model; the same as  tumble view robot.xml
  tumble info robot.urdf                                  sizes, warnings, and what is likely to make trouble
  tumble compile robot.urdf robot.xml                     one MJCF file
  tumble import robot.urdf folder/                        clean MJCF with its meshes, and a report of repairs
  tumble doctor robot.xml                                 why it blows up, and what helps
  tumble replay session.zip                               what was done in the viewer, to the same bits
  tumble render robot.xml film.mp4 --duration 5           five simulated seconds
  tumble render robot.xml depth.npy --depth --camera eye  distances in metres
  tumble serve robot.xml                                  in a browser, on this machine or through a tunnel
  tumble sweep robot.xml --vary opt.timestep=.001,.002 --record energy --out sweep.csv
  tumble run train.py --steps 1000                        a script for the mujoco package
  tumble dominoes                                         one of the models that come along

`tumble COMMAND --help` tells more."""
# command -> the module whose table COMMANDS has it
MODULES = {
    "view": "boot",
    "bench": "headless",
    "compile": "headless",
    "import": "importing",
    "render": "render",
    "info": "headless",
    "warmup": "headless",
    "serve": "serving",
    "doctor": "doctor.command",
    "replay": "replay",
    "sweep": "sweep",
    "cache": "kernels",
    "run": "dropin",
}
COMMANDS = tuple(MODULES)
ACROSS = 80


def parser() -> argparse.ArgumentParser:
    """Arguments of every command."""
    top = argparse.ArgumentParser(
        prog="tumble",
        description="Rigid-body physics with an interactive viewer.",
        epilog=f"{EXAMPLES}\n\n{textwrap.fill(NAMES, ACROSS)}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"tumble {version()}")
    commands = top.add_subparsers(dest="command", metavar="command")
    view = commands.add_parser("view", help="open the viewer (the default)")
    view.add_argument("model", nargs="?", default="", help=f"{MODEL}; the arm if none is given")
    view.add_argument("--empty", action="store_true", help="start without a model")
    view.add_argument("--pause", action="store_true", help="start paused")
    view.add_argument("--trace", default="", metavar="FILE", help="write what happens to a file, one JSON line a sample")
    bench = commands.add_parser("bench", help="measure stepping speed")
    bench.add_argument("model", help=MODEL)
    bench.add_argument("--seconds", type=float, default=3.0, help="wall seconds to measure (default 3)")
    bench.add_argument("--noise", type=float, default=0.0, help="standard deviation of control noise, in half ranges")
    compile_ = commands.add_parser("compile", help="compile a model and save it")
    compile_.add_argument("model", help=MODEL)
    compile_.add_argument("output", help="output file: .xml, .mjb or .txt")
    import_ = commands.add_parser(
        "import", help="open a robot description (URDF, xacro, SDF) or a mesh and save it as a folder of clean MJCF"
    )
    import_arguments(import_)
    serve = commands.add_parser("serve", help="show and control a model in browsers (extra `web`)")
    serve_arguments(serve)
    info = commands.add_parser("info", help="sizes, compiler warnings and health of a model")
    info.add_argument("model", help=MODEL)
    doctor = commands.add_parser("doctor", help="why a model blows up: the cause by name, and remedies that were tried")
    doctor.add_argument("model", help=MODEL)
    doctor.add_argument("--seconds", type=float, default=5.0, help="simulated seconds to run at most (default 5)")
    doctor.add_argument("--key", default="", help="start from a keyframe, by name or number")
    sweep = commands.add_parser("sweep", help="run a model with many values of its numbers, here or on a cluster")
    sweep_arguments(sweep)
    replay = commands.add_parser(
        "replay", help="repeat a session that was saved as a log (File > Session log), and compare the bits"
    )
    replay.add_argument("log", help="the log, session.zip")
    render = commands.add_parser("render", help="pictures and films without a window")
    render_arguments(render)
    for reader in (view, bench, compile_, import_, serve, info, doctor, sweep, render):
        description_arguments(reader)
        reader.add_argument(
            "--trust", action="store_true", help="let models of this one's folder read files elsewhere, and remember that"
        )
        reader.add_argument(
            "--compat",
            choices=RELEASES,
            default=None,
            metavar="RELEASE",
            help="release of MuJoCo whose silent changes hold, 3.4 to 4.0; what the file says, else 3.4, if not given",
        )
    commands.add_parser("warmup", help="compile all kernels now")
    cache = commands.add_parser("cache", help="where compiled kernels are; check them, or remove them")
    kind = cache.add_mutually_exclusive_group()
    kind.add_argument("--check", action="store_true", help="read every file; the status is 1 if one is damaged or not safe")
    kind.add_argument("--clear", action="store_true", help="remove them; they are compiled again when they are needed")
    run = commands.add_parser("run", help="run a script that was written for the mujoco package")
    for command_ in (view, bench, compile_, import_, serve, info, doctor, replay, sweep, render, run):
        command_.add_argument(
            "--plugins",
            action="append",
            default=[],
            metavar="DIR",
            help="a folder of plugins: Python files that register themselves",
        )
    run.add_argument(
        "-m",
        dest="module",
        default="",
        metavar="module",
        help="run a module instead, as `python -m module` does (the rest are its arguments)",
    )
    run.add_argument(
        "script", nargs="?", default="", help="a Python file that says `import mujoco`; it runs unchanged on this engine"
    )
    run.add_argument("arguments", nargs=argparse.REMAINDER, help="what the script gets as its arguments")
    return top


def import_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `tumble import`."""
    parser.add_argument("model", help="URDF, xacro, SDF or mesh file")
    parser.add_argument("output", help="folder for the XML, its meshes and textures, and report.md")
    parser.add_argument("--strict", action="store_true", help="refuse what would have to be repaired")
    parser.add_argument(
        "--free", action="store_true", help="links without a parent move freely instead of standing fixed in the world"
    )
    parser.add_argument(
        "--actuators",
        choices=("position", "velocity", "motor"),
        default="",
        help="make an actuator for each joint that is driven, with force ranges from the joints' effort limits",
    )
    parser.add_argument(
        "--exclude-overlaps", action="store_true", help="let links not collide that overlap in the reference pose"
    )
    parser.add_argument("--verbose", action="store_true", help="print every line of the report")


def description_arguments(reader: argparse.ArgumentParser) -> None:
    """Where the files of a robot description are, for every command that reads models."""
    reader.add_argument(
        "--package",
        action="append",
        default=[],
        metavar="NAME=FOLDER",
        help="where package://NAME and $(find NAME) lead in a robot description, or a folder of packages",
    )
    reader.add_argument("--arg", action="append", default=[], metavar="NAME:=VALUE", help="an argument of a xacro file")


def serve_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `tumble serve`."""
    parser.add_argument("model", help=MODEL)
    parser.add_argument(
        "--port", type=int, default=8080, help="where it listens (default 8080, or the next one that is free; 0: any)"
    )
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        metavar="ADDRESS",
        help="which connections it takes: of this machine (default), 0.0.0.0 for all",
    )
    parser.add_argument("--no-token", action="store_true", help="let everybody act who reaches it")
    parser.add_argument(
        "--play", default="", metavar="FILE", help="play a trajectory instead: .npz with qpos and time or with state, or .csv"
    )
    parser.add_argument("--pause", action="store_true", help="start paused")


def sweep_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `tumble sweep`."""
    parser.add_argument("model", help=MODEL)
    parser.add_argument(
        "--vary",
        action="append",
        required=True,
        metavar="NAME=VALUES",
        help="numbers of the model or of its state (opt.timestep, geom:floor.friction, joint:*.damping, joint:knee.qpos, "
        "actuator:motor.ctrl, body:cart.pos[2]) and their values: 1,2,5; low:high:count; low:high:count:log; "
        "at random low..high; again: all combinations",
    )
    parser.add_argument(
        "--record",
        action="append",
        required=True,
        metavar="NAME,...",
        help="what is recorded: energy, qpos, sensor:touch, site:hand.xpos, joint:knee.qvel, ncon, ...",
    )
    parser.add_argument("--duration", type=float, default=5.0, help="simulated seconds of each case (default 5)")
    parser.add_argument(
        "--interval",
        type=float,
        default=0.0,
        help="simulated seconds between two samples (default: a hundredth of the duration)",
    )
    parser.add_argument(
        "--samples", type=int, default=1, help="how often what is random is drawn for each combination (default 1)"
    )
    parser.add_argument("--seed", type=int, default=0, help="of what is random (default 0)")
    parser.add_argument("--key", default="", help="start from a keyframe, by name or number")
    parser.add_argument("--out", default="", metavar="FILE", help="all samples: .npz, .csv, or .parquet (extra `parquet`)")
    parser.add_argument("--plot", default="", metavar="FILE", help="curves of all records: .png, .svg, .pdf (extra `plot`)")
    parser.add_argument(
        "--cluster",
        default="",
        metavar="WHERE",
        help="number of processes, dask:ADDRESS of a scheduler, or the address of a Ray cluster",
    )


def render_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `tumble render`."""
    parser.add_argument("model", help=MODEL)
    parser.add_argument(
        "output",
        help="picture (.png, .jpg), distances (.npy), film (.gif; .mp4, .mkv, .webm, .mov with ffmpeg), or numbered "
        "pictures (frame_%%04d.png)",
    )
    parser.add_argument("--size", default="640x480", metavar="WxH", help="pixels (default 640x480)")
    parser.add_argument("--camera", default="", help="name or number of a model camera; the free camera if not given")
    parser.add_argument("--azimuth", type=float, help="of the free camera, degrees")
    parser.add_argument("--elevation", type=float, help="of the free camera, degrees")
    parser.add_argument("--distance", type=float, help="of the free camera, metres")
    parser.add_argument("--key", default="", help="start from a keyframe, by name or number")
    parser.add_argument("--time", type=float, default=0.0, help="simulate this many seconds first")
    parser.add_argument("--duration", type=float, default=0.0, help="length of a film in simulated seconds")
    parser.add_argument("--fps", type=float, default=30.0, help="pictures per simulated second (default 30)")
    parser.add_argument(
        "--light",
        choices=tuple(LIGHTING),
        default=CLASSIC.name,
        help="at vertices with hard shadows, as pictures of scripts (classic), or as in the viewer (pixel)",
    )
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument(
        "--studio",
        action="store_true",
        help="a picture to publish: light of the surroundings, soft shadows, metals; takes seconds",
    )
    for setting in settings():
        text, (low, high) = setting.metadata["text"], (setting.metadata[k] for k in ("low", "high"))
        if isinstance(setting.default, bool):
            word = f"--{setting.name}" if not setting.default else f"--no-{setting.name}"
            parser.add_argument(
                word,
                dest=setting.name,
                action="store_const",
                const=not setting.default,
                help=text if not setting.default else f"without {text}",
            )
            continue
        parser.add_argument(
            f"--{setting.name}",
            type=type(setting.default),
            metavar="NUMBER",
            help=f"{text}; {low:g} to {high:g}, with --studio {setting.default:g}",
        )
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--turntable", action="store_true", help="the free camera goes once around during a film")
    way.add_argument(
        "--path",
        default="",
        metavar="CAMERA,CAMERA,...",
        help="the view goes smoothly from camera to camera of the model during a film",
    )
    parser.add_argument(
        "--freeze", action="store_true", help="the simulation stands still during a film; --duration is the film's"
    )
    kind.add_argument("--depth", action="store_true", help="distances instead of colours")
    kind.add_argument("--segmentation", action="store_true", help="a colour per element instead of its own")
=======
from .arguments import COMMANDS, MODULES, Wrong, parser
>>>>>>> main


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point of the `tumble` command; returns the exit status."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    first = arguments[0] if arguments else ""
    # a bare path, or nothing, means the viewer
    if not arguments or arguments[0] not in (*COMMANDS, "-h", "--help", "--version"):
        arguments.insert(0, "view")
    try:
        top = parser()
        options, rest = top.parse_known_args(separated(arguments))
        if rest:
            mistaken(first, options.parser, rest)
        return command(options)
    except SystemExit as stop:
        # what was wrong has been said
        return stop.code if isinstance(stop.code, int) else 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # whoever read our output has had enough; nothing is to be said at the end either
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def mistaken(first: str, one: Wrong, rest: list[str]) -> NoReturn:
    """Refuse what is left of a command line; perhaps its first word was meant to be a command."""
    near = difflib.get_close_matches(first, COMMANDS, 1)
    if first not in COMMANDS and near and not os.path.exists(first):
        told = f"there is no command {first!r} (did you mean {near[0]}?); `tumble --help` lists all"
        print(f"tumble: {told}", file=sys.stderr)
        raise SystemExit(2)
    one.refuse(rest)


def separated(arguments: list[str]) -> list[str]:
    """Arguments with those of a module that is to be run set apart from ours."""
    if arguments[:2] == ["run", "-m"] and len(arguments) > 2:
        return ["run", "-m", arguments[2], "--", "", *arguments[3:]]
    return arguments


def command(options: argparse.Namespace) -> int:
    """Carry out what was asked for; returns the exit status."""
    if getattr(options, "model", ""):
        options.model = located(options.model)
    if options.command == "view" and options.model and not is_there(options.model):
        return missing(options.model)
    if getattr(options, "trust", False) and options.model:
        late("trust").trust(options.model)
    packages, arguments = getattr(options, "package", ()), getattr(options, "arg", ())
    if packages or arguments:
        chosen(packages, arguments)
    if getattr(options, "quiet", False):
        os.environ["TUMBLE_QUIET"] = "1"
    if getattr(options, "compat", None):
        # the engine, which is loaded later, reads it
        os.environ["TUMBLE_COMPAT"] = options.compat
    # the viewer's window is up before they are
    given = getattr(options, "plugins", ())
    for folder in given:
        if not os.path.isdir(folder):
            print(f"tumble: --plugins {folder}: there is no such folder", file=sys.stderr)
            return 1
    if options.command not in ("view", "warmup", "cache", "completion") and folders(given):
        late("plugins").load(given)
    return late(MODULES[options.command]).COMMANDS[options.command](options)


def chosen(packages: Sequence[str], arguments: Sequence[str]) -> None:
    """Keep what the command line says of robot descriptions."""
    try:
        late("robots").choose(packages, arguments)
    except ValueError as error:
        print(f"tumble: {error}", file=sys.stderr)
        raise SystemExit(2) from None


def late(module: str) -> ModuleType:
    """A module of this package that only some commands need."""
    # --help and --version answer in 0.03 s: what most commands need takes 0.3 s to import, the viewer's window 0.1 s more
    return import_module(f".{module}", __package__)


def is_there(path: str) -> bool:
    """Whether there is a file or folder at a path, or the archive of `archive!member`."""
    return os.path.exists(path) or "!" in path and os.path.isfile(path.rpartition("!")[0])


def missing(path: str) -> int:
    """Nothing was found at a path: perhaps it was meant to be a command or an example. A path that ends as models do is a file
    that is missing, anything else a word that cannot be meant.
    """
    near = difflib.get_close_matches(path, (*COMMANDS, *BY_NAME), 1) if not os.path.splitext(path)[1] else ()
    kind = "command" if near and near[0] in COMMANDS else "example"
    print(f"tumble: no such file: {path}" + (f" (did you mean the {kind} {near[0]!r}?)" if near else ""), file=sys.stderr)
    return 1 if os.path.splitext(path)[1] else 2


if __name__ == "__main__":
    sys.exit(main())
