"""The command line: `tumble model.xml` opens the viewer; `tumble <command>` runs another command."""

from __future__ import annotations

import argparse
import contextlib
import difflib
import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType
from typing import NoReturn

from ..ui.examples import BY_NAME, located
from .addons import folders
from .arguments import COMMANDS, MODULES, Wrong, parser
from .terminal import guard


def main(argv: Sequence[str] | None = None) -> int:
    """Run the `tumble` command; return the exit status."""
    # A terminal may lack letters of names in a model. Print their numbers, as the error stream does. A stream whose file was
    # replaced by a pipe cannot change.
    with contextlib.suppress(OSError):
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")
    arguments = list(sys.argv[1:] if argv is None else argv)
    first = arguments[0] if arguments else ""
    # A path alone, or no argument, opens the viewer.
    if not arguments or arguments[0] not in (*COMMANDS, "-h", "--help", "--version"):
        arguments.insert(0, "view")
    try:
        top = parser()
        options, rest = top.parse_known_args(separated(arguments))
        if rest:
            mistaken(first, options.parser, rest)
        # a script may use its terminal as it likes
        if options.command != "run":
            guard()
        return command(options)
    except SystemExit as stop:
        # The error message has been printed already.
        return stop.code if isinstance(stop.code, int) else 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader of our output has closed the pipe, so print nothing more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def mistaken(first: str, one: Wrong, rest: list[str]) -> NoReturn:
    """Exit with an error about unknown arguments. Suggest a command if the first word resembles one."""
    near = difflib.get_close_matches(first, COMMANDS, 1)
    if first not in COMMANDS and near and not os.path.exists(first):
        told = f"there is no command {first!r} (did you mean {near[0]}?); `tumble --help` lists all"
        print(f"tumble: {told}", file=sys.stderr)
        raise SystemExit(2)
    one.refuse(rest)


def separated(arguments: list[str]) -> list[str]:
    """Return the arguments of the command line. For `run -m module`, insert a separator before the module's own arguments."""
    at = 3 if arguments[1:2] == ["--compat"] else 1
    if arguments[:1] == ["run"] and arguments[at : at + 1] == ["-m"] and len(arguments) > at + 1:
        return [*arguments[: at + 2], "--", "", *arguments[at + 2 :]]
    return arguments


def command(options: argparse.Namespace) -> int:
    """Run a command; return the exit status."""
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
        # The engine reads this environment variable when it is imported.
        os.environ["TUMBLE_COMPAT"] = options.compat

    # The viewer opens its window before it loads plugins.
    given = getattr(options, "plugins", ())
    for folder in given:
        if not os.path.isdir(folder):
            print(f"tumble: --plugins {folder}: there is no such folder", file=sys.stderr)
            return 1

    if options.command not in ("view", "warmup", "cache", "completion") and folders(given):
        late("plugins").load(given)
    return late(MODULES[options.command]).COMMANDS[options.command](options)


def chosen(packages: Sequence[str], arguments: Sequence[str]) -> None:
    """Store the command line's options for robot descriptions."""
    try:
        late("robots").choose(packages, arguments)
    except ValueError as error:
        print(f"tumble: {error}", file=sys.stderr)
        raise SystemExit(2) from None


def late(module: str) -> ModuleType:
    """Import a module of this package that only some commands need."""
    # --help and --version must answer in 0.03 s. The modules of most commands take 0.3 s to import, and the viewer's window 0.1
    # s more.
    return import_module(f".{module}", __package__)


def is_there(path: str) -> bool:
    """Return whether a path exists. For `archive!member`, return whether the archive exists."""
    return os.path.exists(path) or "!" in path and os.path.isfile(path.rpartition("!")[0])


def missing(path: str) -> int:
    """Report that a path does not exist, and suggest a similar command or example. Return 1 for a path with an extension, which
    must be a missing file. Return 2 for any other word, which may be meant as a command.
    """
    near = difflib.get_close_matches(path, (*COMMANDS, *BY_NAME), 1) if not os.path.splitext(path)[1] else ()
    kind = "command" if near and near[0] in COMMANDS else "example"
    print(f"tumble: no such file: {path}" + (f" (did you mean the {kind} {near[0]!r}?)" if near else ""), file=sys.stderr)
    return 1 if os.path.splitext(path)[1] else 2


if __name__ == "__main__":
    sys.exit(main())
