"""What `tumble` and its commands are given on the command line: a row for each command, one line for what cannot be meant."""

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

# releases whose changes can be asked for
RELEASES = (*(f"3.{k}" for k in range(4, 18)), "4.0")
MODEL = "MJCF, URDF or MJB file, or the name of an example"
NAMES = f"models that come along: {', '.join(BY_NAME)}"
EXAMPLES = """examples:
  tumble robot.xml                                        look at a model; the same as  tumble view robot.xml
  tumble info robot.urdf                                  sizes, warnings, and what is likely to make trouble
  tumble compile robot.urdf robot.xml                     one MJCF file
  tumble import robot.urdf folder/                        clean MJCF with its meshes, and a report of repairs
  tumble export robot.xml folder/ --urdf                  what URDF can say of it
  tumble doctor robot.xml                                 why it blows up, and what helps
  tumble diff old.xml new.xml                             which numbers of the compiled models differ
  tumble replay session.zip                               what was done in the viewer, to the same bits
  tumble render robot.xml film.mp4 --duration 5           five simulated seconds
  tumble render robot.xml depth.npy --depth --camera eye  distances in metres
  tumble serve robot.xml                                  in a browser, on this machine or through a tunnel
  tumble sweep robot.xml --vary opt.timestep=.001,.002 --record energy --out sweep.csv
  tumble run train.py --steps 1000                        a script for the mujoco package
  tumble dominoes                                         one of the models that come along

`tumble COMMAND --help` tells more. The status is 0 when all went well, 1 when a file, a model or a device is at fault, 2 when
the words of the command line are, and 3 when doctor, diff or replay found what they look for."""
ACROSS = 80
LAST_PORT = 65535
# how argparse begins to say that arguments are missing
REQUIRED = "the following arguments are required: "


class Wrong(argparse.ArgumentParser):
    """A parser whose errors are one line that says what was probably meant, and where to read on."""

    def error(self, message: str) -> NoReturn:
        """End the program with status 2."""
        self.exit(2, f"{self.prog}: {self._plain(message)}; `{self.prog} --help` lists what there is\n")

    def _plain(self, message: str) -> str:
        """argparse's message, with the words that are nearest to an unknown one."""
        unknown = re.match(r"argument (\S+): invalid choice: '([^']*)' \(choose from (.*)\)", message)
        if unknown:
            option, word, choices = unknown.groups()
            known = re.findall(r"[^', ]+", choices)
            return f"{option} cannot be {word!r}{nearest(word, known) or f'; it is one of {choices}'}"
        if message.startswith(REQUIRED):
            return f"it needs {message.removeprefix(REQUIRED)}"
        message = re.sub(r"invalid (?:float|int) value: (.*)", r"\1 is no number", message)
        return message.removeprefix("argument ")

    def refuse(self, rest: list[str]) -> NoReturn:
        """Refuse arguments that no one asked for."""
        options = [*(word for word in self._option_string_actions if word.startswith("--")), "--version"]
        word = next((w for w in rest if w.startswith("-")), rest[0])
        kind = "option" if word.startswith("-") else "argument"
        self.error(f"there is no {kind} {word}{nearest(word.partition('=')[0], options)}")


def nearest(word: str, known: list[str]) -> str:
    """' (did you mean ...?)', or nothing if no known word is like this one."""
    found = difflib.get_close_matches(word, known, 1)
    return f" (did you mean {found[0]}?)" if found else ""


class Command(NamedTuple):
    """A command.

    module: which one of this package carries it out. fill: gives a parser its arguments. reads: models, of robot descriptions
    too. loads: plugins. tells: numbers, which `--json` prints for programs. works: long enough to say how far it is.
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
    """Arguments of every command."""
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
            one.add_argument("--quiet", action="store_true", help="say nothing of how far it is")
    # what follows a script belongs to the script, so this comes last
    run = commands.choices["run"]
    run.add_argument("arguments", nargs=argparse.REMAINDER, help="what the script gets as its arguments")
    return top


def version() -> str:
    """Of the distribution that is installed."""
    try:
        return installed("tumble")
    except PackageNotFoundError:
        return "(not installed)"


def port(text: str) -> int:
    """Where a server listens."""
    if not text.isdecimal() or int(text) > LAST_PORT:
        raise argparse.ArgumentTypeError(f"{text!r} is no port; ports are numbers from 0 to {LAST_PORT}")
    return int(text)


# ---- arguments of the commands -------------------------------------------------------------------------------------------
def view_arguments(one: argparse.ArgumentParser) -> None:
    """Options of `tumble view`."""
    one.add_argument("model", nargs="?", default="", help=f"{MODEL}; the arm if none is given")
    one.add_argument("--empty", action="store_true", help="start without a model")
    one.add_argument("--pause", action="store_true", help="start paused")
    one.add_argument("--trace", default="", metavar="FILE", help="write what happens to a file, one JSON line a sample")


def bench_arguments(one: argparse.ArgumentParser) -> None:
    """Options of `tumble bench`."""
    one.add_argument("model", help=MODEL)
    one.add_argument("--seconds", type=float, default=3.0, help="wall seconds to measure (default 3)")
    one.add_argument("--noise", type=float, default=0.0, help="standard deviation of control noise, in half ranges")


def compile_arguments(one: argparse.ArgumentParser) -> None:
    """Arguments of `tumble compile`."""
    one.add_argument("model", help=MODEL)
    one.add_argument("output", help="output file: .xml, .mjb or .txt")


def info_arguments(one: argparse.ArgumentParser) -> None:
    """Arguments of `tumble info`."""
    one.add_argument("model", help=MODEL)
    one.add_argument("--sizes", action="store_true", help="the sizes of the Model, too: nq, nv, nu, ...")


def diff_arguments(one: argparse.ArgumentParser) -> None:
    """Options of `tumble diff`."""
    one.add_argument("model", help=MODEL)
    one.add_argument("other", help="the model that it is compared with")
    one.add_argument(
        "--most", type=int, default=40, metavar="N", help="print at most this many differences (default 40; 0: all)"
    )


def doctor_arguments(one: argparse.ArgumentParser) -> None:
    """Options of `tumble doctor`."""
    one.add_argument("model", help=MODEL)
    one.add_argument("--seconds", type=float, default=5.0, help="simulated seconds to run at most (default 5)")
    one.add_argument("--key", default="", help="start from a keyframe, by name or number")


def replay_arguments(one: argparse.ArgumentParser) -> None:
    """Arguments of `tumble replay`."""
    one.add_argument("log", help="the log, session.zip")


def cache_arguments(one: argparse.ArgumentParser) -> None:
    """Options of `tumble cache`."""
    kind = one.add_mutually_exclusive_group()
    kind.add_argument("--check", action="store_true", help="read every file; the status is 1 if one is damaged or not safe")
    kind.add_argument("--clear", action="store_true", help="remove them; they are compiled again when they are needed")


def run_arguments(one: argparse.ArgumentParser) -> None:
    """Options of `tumble run`."""
    one.add_argument(
        "--compat",
        choices=RELEASES,
        default=None,
        metavar="RELEASE",
        help="release of MuJoCo that the script is for, 3.4 to 4.0: its changes hold, with 4.0 its names and numbers, too",
    )
    one.add_argument(
        "-m",
        dest="module",
        default="",
        metavar="module",
        help="run a module instead, as `python -m module` does (the rest are its arguments)",
    )
    one.add_argument(
        "script", nargs="?", default="", help="a Python file that says `import mujoco`; it runs unchanged on this engine"
    )


def completion_arguments(one: argparse.ArgumentParser) -> None:
    """Arguments of `tumble completion`."""
    one.add_argument(
        "shell", choices=("bash", "zsh", "fish"), help="whose completion is printed; its first lines say how to use it"
    )


def no_arguments(one: argparse.ArgumentParser) -> None:
    """A command that needs none."""


def reading_arguments(one: argparse.ArgumentParser) -> None:
    """Options of every command that reads models."""
    description_arguments(one)
    one.add_argument(
        "--trust", action="store_true", help="let models of this one's folder read files elsewhere, and remember that"
    )
    one.add_argument(
        "--compat",
        choices=RELEASES,
        default=None,
        metavar="RELEASE",
        help="release of MuJoCo whose silent changes hold, 3.4 to 4.0; what the file says, else 3.4, if not given",
    )


def import_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `tumble import`."""
    parser.add_argument("model", help="URDF, xacro, SDF or mesh file")
    parser.add_argument("output", help="folder for the XML, its meshes and textures, and report.md")
    parser.add_argument("--strict", action="store_true", help="refuse what MuJoCo refuses, and of other formats every repair")
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
    parser.add_argument(
        "--fit", default="", choices=("box", "cylinder", "capsule", "auto"), help="such shapes collide in place of meshes"
    )
    parser.add_argument(
        "--decompose", action="store_true", help="meshes collide as convex pieces (extra `robots`) instead of as their hulls"
    )
    parser.add_argument("--verbose", action="store_true", help="print every line of the report")


def export_arguments(one: argparse.ArgumentParser) -> None:
    """Options of `tumble export`."""
    one.add_argument("model", help=MODEL)
    one.add_argument("output", help="folder for the URDF and its meshes")
    one.add_argument("--urdf", action="store_true", help="the format; it is the only one")


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
        "--port", type=port, default=8080, help="where it listens (default 8080, or the next one that is free; 0: any)"
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


# in the order in which `tumble --help` lists them
ROWS = (
    Command("view", "boot", "open the viewer (the default)", view_arguments, works=False),
    Command("bench", "headless", "measure stepping speed", bench_arguments, tells=True),
    Command("compile", "headless", "compile a model and save it", compile_arguments),
    Command(
        "import",
        "importing",
        "open a robot description (URDF, xacro, SDF) or a mesh and save it as a folder of clean MJCF",
        import_arguments,
    ),
    Command("export", "importing", "write a model as URDF with its meshes, and list what URDF cannot say", export_arguments),
    Command("serve", "serving", "show and control a model in browsers (extra `web`)", serve_arguments),
    Command("info", "headless", "sizes, compiler warnings and health of a model", info_arguments, tells=True),
    Command("diff", "compare", "which numbers of two compiled models differ", diff_arguments, tells=True),
    Command(
        "doctor",
        "doctor.command",
        "why a model blows up: the cause by name, and remedies that were tried",
        doctor_arguments,
        tells=True,
    ),
    Command("sweep", "sweep", "run a model with many values of its numbers, here or on a cluster", sweep_arguments, tells=True),
    Command(
        "replay",
        "replay",
        "repeat a session that was saved as a log (File > Session log), and compare the bits",
        replay_arguments,
        reads=False,
    ),
    Command("render", "render", "pictures and films without a window", render_arguments),
    Command("warmup", "headless", "compile all kernels now", no_arguments, reads=False, loads=False),
    Command(
        "cache",
        "kernels",
        "where compiled kernels are; check them, or remove them",
        cache_arguments,
        reads=False,
        loads=False,
        works=False,
    ),
    Command("run", "dropin", "run a script that was written for the mujoco package", run_arguments, reads=False, works=False),
    Command(
        "completion",
        "completion",
        "completion of words for a shell",
        completion_arguments,
        reads=False,
        loads=False,
        works=False,
    ),
)
# command -> the module whose table COMMANDS has it
MODULES = {row.name: row.module for row in ROWS}
COMMANDS = tuple(MODULES)
