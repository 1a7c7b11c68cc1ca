"""The command line of `tumble`: a table with one row per command, and one-line errors for invalid arguments."""

from __future__ import annotations

import argparse
import difflib
import re
import textwrap
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed
from typing import Any, NamedTuple, NoReturn

from ..render.gl.lighting import CLASSIC, LIGHTING
from ..render.look import settings
from ..ui.examples import BY_NAME

# MuJoCo releases that `--compat` accepts.
RELEASES = (*(f"3.{k}" for k in range(4, 18)), "4.0")
MODEL = "MJCF, URDF or MJB file, or the name of an example"
NAMES = f"included models: {', '.join(BY_NAME)}"
EXAMPLES = """examples:
  tumble robot.xml                                        open a model in the viewer; the same as tumble view robot.xml
  tumble info robot.urdf                                  sizes, warnings, and likely problems
  tumble compile robot.urdf robot.xml                     one MJCF file
  tumble import robot.urdf folder/                        clean MJCF with its meshes, and a report of repairs
  tumble export robot.xml folder/ --urdf                  the model as URDF, as far as URDF can express it
  tumble doctor robot.xml                                 why it becomes unstable, and what helps
  tumble diff old.xml new.xml                             which numbers of the compiled models differ
  tumble session.zip                                      play a session that was saved in the viewer
  tumble replay session.zip                               repeat a viewer session, bit for bit
  tumble render robot.xml film.mp4 --duration 5           five simulated seconds
  tumble render robot.xml depth.npy --depth --camera eye  distances in metres
  tumble serve robot.xml                                  in a browser, on this machine or through a tunnel
  tumble sweep robot.xml --vary opt.timestep=.001,.002 --record energy --out sweep.csv
  tumble run train.py --steps 1000                        a script for the mujoco package
  tumble dominoes                                         one of the included models

`tumble COMMAND --help` shows its options. The exit status is 0 for success, 1 for an error in a file, model or device,
2 for a wrong command line, and 3 if doctor, diff or replay found a problem or a difference."""
ACROSS = 80
LAST_PORT = 65535
# argparse's messages about missing arguments begin with this text.
REQUIRED = "the following arguments are required: "


class Wrong(argparse.ArgumentParser):
    """A parser with one-line errors, which suggest a similar word and name the help command."""

    def error(self, message: str) -> NoReturn:
        """End the program with status 2."""
        self.exit(2, f"{self.prog}: {self._plain(message)}; `{self.prog} --help` lists the options\n")

    def _plain(self, message: str) -> str:
        """Return argparse's message in plain words. For an unknown word, suggest similar known ones."""
        unknown = re.match(r"argument (\S+): invalid choice: '([^']*)' \(choose from (.*)\)", message)
        if unknown:
            option, word, choices = unknown.groups()
            known = re.findall(r"[^', ]+", choices)
            return f"{option} cannot be {word!r}{nearest(word, known) or f'; it is one of {choices}'}"
        if message.startswith(REQUIRED):
            return f"missing: {message.removeprefix(REQUIRED)}"
        message = re.sub(r"invalid (?:float|int) value: (.*)", r"\1 is not a number", message)
        return message.removeprefix("argument ")

    def refuse(self, rest: list[str]) -> NoReturn:
        """Exit with an error for arguments that the command does not know."""
        options = [*(word for word in self._option_string_actions if word.startswith("--")), "--version"]
        word = next((w for w in rest if w.startswith("-")), rest[0])
        kind = "option" if word.startswith("-") else "argument"
        self.error(f"there is no {kind} {word}{nearest(word.partition('=')[0], options)}")


def nearest(word: str, known: list[str]) -> str:
    """Return ' (did you mean ...?)'; empty if no known word is similar to `word`."""
    found = difflib.get_close_matches(word, known, 1)
    return f" (did you mean {found[0]}?)" if found else ""


class Command(NamedTuple):
    """A command.

    `module`: the module of this package that runs the command. `fill`: adds its arguments to a parser. `reads`: it reads
    models, including robot descriptions. `loads`: it loads plugins. `tells`: `--json` prints its results for programs. `works`:
    it may take long enough to show progress.
    """

    name: str
    module: str
    help: str
    fill: Callable[[Any], None]
    reads: bool = True
    loads: bool = True
    tells: bool = False
    works: bool = True


def parser() -> Wrong:
    """Return the parser for all commands."""
    top = Wrong(
        prog="tumble",
        description="Rigid-body physics with an interactive viewer.",
        epilog=f"{EXAMPLES}\n\n{textwrap.fill(NAMES, ACROSS)}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"tumble {version()}")
    commands = top.add_subparsers(dest="command", metavar="command")

    for row in ROWS:
        one = commands.add_parser(row.name, help=row.help)
        one.set_defaults(parser=one)
        row.fill(one)
        if row.reads:
            reading_arguments(one)
        if row.loads:
            one.add_argument(
                "--plugins",
                action="append",
                default=[],
                metavar="DIR",
                help="a folder of plugins: Python files that register themselves",
            )
        if row.tells:
            one.add_argument("--json", action="store_true", help="print one JSON object instead of lines")
        if row.works:
            one.add_argument("--quiet", action="store_true", help="do not show progress")
    # Add `arguments` last, because everything after the script belongs to the script.
    run = commands.choices["run"]
    run.add_argument("arguments", nargs=argparse.REMAINDER, help="arguments for the script")
    return top


def version() -> str:
    """Return the version of the installed distribution."""
    try:
        return installed("tumble")
    except PackageNotFoundError:
        return "(not installed)"


def port(text: str) -> int:
    """Convert a port number."""
    if not text.isdecimal() or int(text) > LAST_PORT:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port; ports are numbers from 0 to {LAST_PORT}")
    return int(text)


# ---- arguments of the commands -------------------------------------------------------------------------------------------
def view_arguments(one: argparse.ArgumentParser) -> None:
    """Add the options of `tumble view`."""
    one.add_argument("model", nargs="?", default="", help=f"{MODEL}; default: the included arm")
    one.add_argument("--empty", action="store_true", help="start without a model")
    one.add_argument("--pause", action="store_true", help="start paused")
    one.add_argument("--trace", default="", metavar="FILE", help="write measurements to a file, one JSON line for each sample")


def bench_arguments(one: argparse.ArgumentParser) -> None:
    """Add the options of `tumble bench`."""
    one.add_argument("model", help=MODEL)
    one.add_argument("--seconds", type=float, default=3.0, help="wall-clock seconds to measure (default 3)")
    one.add_argument(
        "--noise", type=float, default=0.0, help="standard deviation of control noise, relative to half the control range"
    )


def compile_arguments(one: argparse.ArgumentParser) -> None:
    """Add the arguments of `tumble compile`."""
    one.add_argument("model", help=MODEL)
    one.add_argument("output", help="output file: .xml, .mjb or .txt")


def info_arguments(one: argparse.ArgumentParser) -> None:
    """Add the arguments of `tumble info`."""
    one.add_argument("model", help=MODEL)
    one.add_argument("--sizes", action="store_true", help="also print the sizes of the model: nq, nv, nu, ...")


def diff_arguments(one: argparse.ArgumentParser) -> None:
    """Add the options of `tumble diff`."""
    one.add_argument("model", help=MODEL)
    one.add_argument("other", help="the model to compare with")
    one.add_argument(
        "--most", type=int, default=40, metavar="N", help="print at most this many differences (default 40; 0: all)"
    )


def doctor_arguments(one: argparse.ArgumentParser) -> None:
    """Add the options of `tumble doctor`."""
    one.add_argument("model", help=MODEL)
    one.add_argument("--seconds", type=float, default=5.0, help="maximum simulated seconds (default 5)")
    one.add_argument("--key", default="", help="start from a keyframe, by name or number")


def replay_arguments(one: argparse.ArgumentParser) -> None:
    """Add the arguments of `tumble replay`."""
    one.add_argument("log", help="a session log (.zip)")


def cache_arguments(one: argparse.ArgumentParser) -> None:
    """Add the options of `tumble cache`."""
    kind = one.add_mutually_exclusive_group()
    kind.add_argument("--check", action="store_true", help="check every file; the exit status is 1 if one is damaged or unsafe")
    kind.add_argument("--clear", action="store_true", help="remove the kernels; they are compiled again when needed")


def run_arguments(one: argparse.ArgumentParser) -> None:
    """Add the options of `tumble run`."""
    one.add_argument(
        "--compat",
        choices=RELEASES,
        default=None,
        metavar="RELEASE",
        help="MuJoCo release that the script was written for, 3.4 to 4.0: its behaviour applies, and for 4.0 also its names",
    )
    one.add_argument(
        "-m",
        dest="module",
        default="",
        metavar="module",
        help="run a module instead, as `python -m module` does (all other arguments are passed to the module)",
    )
    one.add_argument(
        "script", nargs="?", default="", help="a Python file with `import mujoco`; it runs unchanged on this engine"
    )


def completion_arguments(one: argparse.ArgumentParser) -> None:
    """Add the arguments of `tumble completion`."""
    one.add_argument(
        "shell", choices=("bash", "zsh", "fish"), help="the shell; the first lines of the output explain how to use it"
    )


def no_arguments(one: argparse.ArgumentParser) -> None:
    """Add nothing, for commands without arguments."""


def reading_arguments(one: argparse.ArgumentParser) -> None:
    """Add the options of every command that reads models."""
    description_arguments(one)
    one.add_argument(
        "--trust",
        action="store_true",
        help="let models in this model's folder read files outside it, now and in later sessions",
    )
    one.add_argument(
        "--compat",
        choices=RELEASES,
        default=None,
        metavar="RELEASE",
        help="MuJoCo release whose behaviour applies, 3.4 to 4.0; default: the release named in the file, or 3.4",
    )


def import_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `tumble import`."""
    parser.add_argument("model", help="URDF, xacro, SDF, USD (extra `usd`) or mesh file")
    parser.add_argument("output", help="folder for the XML, its meshes and textures, and report.md")
    parser.add_argument(
        "--strict",
        action="store_true",
        help="fail if MuJoCo would refuse the file; for other formats, fail instead of repairing",
    )
    parser.add_argument(
        "--free", action="store_true", help="let links without a parent move freely instead of fixing them to the world"
    )
    parser.add_argument(
        "--actuators",
        choices=("position", "velocity", "motor"),
        default="",
        help="add an actuator to each driven joint, with a force range from its effort limit",
    )
    parser.add_argument(
        "--exclude-overlaps", action="store_true", help="exclude collisions of links that overlap in the reference pose"
    )
    parser.add_argument(
        "--fit",
        default="",
        choices=("box", "cylinder", "capsule", "auto"),
        help="replace collision meshes by this shape",
    )
    parser.add_argument(
        "--decompose", action="store_true", help="replace collision meshes by convex pieces instead of hulls (extra `robots`)"
    )
    parser.add_argument("--verbose", action="store_true", help="print every line of the report")


def export_arguments(one: argparse.ArgumentParser) -> None:
    """Add the options of `tumble export`."""
    one.add_argument("model", help=MODEL)
    one.add_argument("output", help="folder for the URDF and its meshes")
    one.add_argument("--urdf", action="store_true", help="write URDF, the only format so far")


def description_arguments(reader: argparse.ArgumentParser) -> None:
    """Add the options that locate the files of a robot description, for every command that reads models."""
    reader.add_argument(
        "--package",
        action="append",
        default=[],
        metavar="NAME=FOLDER",
        help="folder for package://NAME and $(find NAME) in robot descriptions, or a folder of packages",
    )
    reader.add_argument("--arg", action="append", default=[], metavar="NAME:=VALUE", help="an argument of a xacro file")


def serve_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `tumble serve`."""
    parser.add_argument("model", help=MODEL)
    parser.add_argument(
        "--port", type=port, default=8080, help="port to listen on (default 8080, or the next one that is free; 0: any)"
    )
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        metavar="ADDRESS",
        help="address to listen on: this machine only (default), or 0.0.0.0 for all connections",
    )
    parser.add_argument("--no-token", action="store_true", help="let everyone who can connect control the simulation")
    parser.add_argument(
        "--play",
        default="",
        metavar="FILE",
        help="play a trajectory: .npz with qpos and time or with state, or .csv",
    )
    parser.add_argument("--pause", action="store_true", help="start paused")


def sweep_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `tumble sweep`."""
    parser.add_argument("model", help=MODEL)
    parser.add_argument(
        "--vary",
        action="append",
        required=True,
        metavar="NAME=VALUES",
        help="a value of the model or its state (opt.timestep, geom:floor.friction, joint:*.damping, joint:knee.qpos, "
        "actuator:motor.ctrl, body:cart.pos[2]), and the values to use: 1,2,5; low:high:count; low:high:count:log; "
        "low..high at random; repeat the option to get all combinations",
    )
    parser.add_argument(
        "--record",
        action="append",
        required=True,
        metavar="NAME,...",
        help="what to record: energy, qpos, sensor:touch, site:hand.xpos, joint:knee.qvel, ncon, ...",
    )
    parser.add_argument("--duration", type=float, default=5.0, help="simulated seconds of each case (default 5)")
    parser.add_argument(
        "--interval",
        type=float,
        default=0.0,
        help="simulated seconds between two samples (default: a hundredth of the duration)",
    )
    parser.add_argument("--samples", type=int, default=1, help="random samples for each combination (default 1)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the random samples (default 0)")
    parser.add_argument("--key", default="", help="start from a keyframe, by name or number")
    parser.add_argument("--out", default="", metavar="FILE", help="all samples: .npz, .csv, or .parquet (extra `parquet`)")
    parser.add_argument("--plot", default="", metavar="FILE", help="curves of all records: .png, .svg, .pdf (extra `plot`)")
    parser.add_argument(
        "--cluster",
        default="",
        metavar="WHERE",
        help="number of processes, or the address of a Dask scheduler (tcp://HOST:PORT) or Ray cluster (auto, ray://HOST:PORT)",
    )


def render_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `tumble render`."""
    parser.add_argument("model", help=MODEL)
    parser.add_argument(
        "output",
        help="picture (.png, .jpg), distances (.npy), film (.gif; .mp4, .mkv, .webm, .mov with ffmpeg), or numbered "
        "pictures (frame_%%04d.png)",
    )
    parser.add_argument("--size", default="640x480", metavar="WxH", help="pixels (default 640x480)")
    parser.add_argument("--camera", default="", help="name or number of a model camera; the free camera if not given")
    parser.add_argument("--azimuth", type=float, help="azimuth of the free camera, degrees")
    parser.add_argument("--elevation", type=float, help="elevation of the free camera, degrees")
    parser.add_argument("--distance", type=float, help="distance of the free camera, metres")
    parser.add_argument("--key", default="", help="start from a keyframe, by name or number")
    parser.add_argument("--time", type=float, default=0.0, help="simulate this many seconds first")
    parser.add_argument("--duration", type=float, default=0.0, help="length of a film in simulated seconds")
    parser.add_argument("--fps", type=float, default=30.0, help="pictures per simulated second (default 30)")
    parser.add_argument(
        "--light",
        choices=tuple(LIGHTING),
        default=CLASSIC.name,
        help="lighting per vertex with hard shadows, as in scripts (classic), or per pixel, as in the viewer (pixel)",
    )
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument(
        "--studio",
        action="store_true",
        help="render in publication quality, with ambient light, soft shadows and metals; takes seconds",
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
                help=text if not setting.default else f"do not {text}",
            )
            continue
        parser.add_argument(
            f"--{setting.name}",
            type=type(setting.default),
            metavar="NUMBER",
            help=f"{text}; {low:g} to {high:g}, with --studio {setting.default:g}",
        )

    way = parser.add_mutually_exclusive_group()
    way.add_argument("--turntable", action="store_true", help="move the free camera once around the model during a film")
    way.add_argument(
        "--path",
        default="",
        metavar="CAMERA,CAMERA,...",
        help="move smoothly between the model's cameras during a film",
    )
    parser.add_argument(
        "--freeze", action="store_true", help="stop the simulation during a film; --duration is then the film's length"
    )
    kind.add_argument("--depth", action="store_true", help="draw distances instead of colours")
    kind.add_argument("--segmentation", action="store_true", help="draw each element in a different colour, for segmentation")


# The order of this table is the order in `tumble --help`.
ROWS = (
    Command("view", "boot", "open the viewer (the default)", view_arguments, works=False),
    Command("bench", "headless", "measure stepping speed", bench_arguments, tells=True),
    Command("compile", "headless", "compile a model and save it", compile_arguments),
    Command(
        "import",
        "importing",
        "open a robot description (URDF, xacro, SDF, USD) or a mesh and save it as a folder of clean MJCF",
        import_arguments,
    ),
    Command(
        "export", "importing", "write a model as URDF with its meshes, and list what URDF cannot express", export_arguments
    ),
    Command("serve", "serving", "show and control a model in browsers (extra `web`)", serve_arguments),
    Command("info", "headless", "print sizes, compiler warnings and likely problems of a model", info_arguments, tells=True),
    Command("diff", "compare", "compare the numbers of two compiled models", diff_arguments, tells=True),
    Command(
        "doctor",
        "doctor.command",
        "find out why a model becomes unstable, and try remedies",
        doctor_arguments,
        tells=True,
    ),
    Command(
        "sweep", "sweep", "run a model with many parameter values, on this machine or on a cluster", sweep_arguments, tells=True
    ),
    Command(
        "replay",
        "replay",
        "repeat a session log (File > Session log) and compare the final state bit for bit",
        replay_arguments,
        reads=False,
    ),
    Command("render", "render", "make pictures and films without a window", render_arguments),
    Command("warmup", "headless", "compile all kernels now", no_arguments, reads=False, loads=False),
    Command(
        "cache",
        "kernels",
        "show the folder of compiled kernels; check or remove them",
        cache_arguments,
        reads=False,
        loads=False,
        works=False,
    ),
    Command("run", "dropin", "run a script that was written for the mujoco package", run_arguments, reads=False, works=False),
    Command(
        "completion",
        "completion",
        "print a completion script for a shell",
        completion_arguments,
        reads=False,
        loads=False,
        works=False,
    ),
)
# {command: module that implements it}; the COMMANDS table of the module contains the function
MODULES = {row.name: row.module for row in ROWS}
COMMANDS = tuple(MODULES)
