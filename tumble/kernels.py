"""Compiles kernels for a wheel: `python -m tumble.kernels FOLDER` compiles all stages and writes one archive per processor
level.

    FOLDER/objects/*.kernel                 machine code, kept between runs: only changed stages are compiled again
    FOLDER/cpython-311/x86-64-v3.kernels    what a wheel for this Python contains (see setup.py and
    engine/machine/archive.py)

Kernels are identified by a hash of their bytecode, so each version of Python has its own archives.
"""

# pyright: reportMissingImports=false
import argparse
import os
import pathlib
import platform
import subprocess
import sys
import time
from collections.abc import Sequence

from .engine.calls.warm import warmup
from .engine.core import stages
from .engine.machine import archive, store, target
from .engine.tables import stage_rows

ROOT = pathlib.Path(__file__).resolve().parents[1]


def archives_in(folder: pathlib.Path) -> pathlib.Path:
    """Return the folder for this Python's archives."""
    return folder / str(sys.implementation.cache_tag)


def made() -> str:
    """Return a string that identifies the compiler."""
    import llvmlite

    return f"{target.numba_version().rpartition('.')[0]}, llvmlite {llvmlite.__version__}, Python {platform.python_version()}"


def environment(folder: pathlib.Path, level: target.Level) -> dict[str, str]:
    """Return the environment variables for a process that compiles for a level: its own store, and only the level's compiler
    settings."""
    plain = {k: v for k, v in os.environ.items() if not k.startswith(("NUMBA_", "TUMBLE_"))}
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    return (
        plain
        | level.settings
        | {"TUMBLE_CACHE_DIR": str(folder / "objects"), "TUMBLE_LEVEL": target.NATIVE, "PYTHONPATH": path}
    )


def pack(folder: pathlib.Path, level: target.Level, names: Sequence[str], workers: int | None) -> pathlib.Path:
    """Compile missing kernels, write the archive for one level of processors, and return the archive's path. The process must
    run with the environment variables that `environment` returns for this level."""
    warmup(names, workers, Told(level.name))
    codes = {}
    for name in names:
        stage = stages.find(name)
        code = store.load(stage.key)
        if code is None:
            raise RuntimeError(f"{name} was compiled for {level.name}, but is not in {folder / 'objects'}")
        codes[stage.key_for(level.stamp)] = code
    place = archives_in(folder)
    place.mkdir(parents=True, exist_ok=True)
    path = place / (level.name + archive.SUFFIX)
    partial = path.with_suffix(".tmp")
    partial.write_bytes(archive.pack(level.name, made(), codes))
    partial.replace(path)
    return path


class Told:
    """Prints how many kernels of a level are done, at most once every EVERY seconds, and at the end."""

    EVERY = 60.0

    def __init__(self, level: str) -> None:
        self.level, self.said = level, time.monotonic()

    def __call__(self, done: int, total: int, name: str) -> None:
        now = time.monotonic()
        if done == total or now - self.said >= self.EVERY:
            self.said = now
            print(f"{self.level}: {done} of {total} kernels", flush=True)


def main(argv: Sequence[str] | None = None) -> int:
    """Make the archives of all levels, or of the levels given on the command line."""
    # options
    parser = argparse.ArgumentParser(prog="python -m tumble.kernels", description="Compile kernels for a wheel.")
    parser.add_argument("folder", type=pathlib.Path, help="folder for object files and archives")
    known = {level.name: level for level in target.levels()}
    parser.add_argument(
        "--levels", nargs="+", choices=known, default=[*known], help="levels of processors (default: all of this architecture)"
    )
    parser.add_argument(
        "--stages",
        nargs="+",
        choices=stage_rows.everything(),
        default=stage_rows.everything(),
        metavar="STAGE",
        help="stages (default: all)",
    )
    parser.add_argument("--workers", type=int, help="number of compiling processes (default: one per core)")
    # internal option, for the process that compiles for one level
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(argv)
    folder = options.folder.resolve()

    # run a separate process for each level
    for level in (known[name] for name in options.levels):
        if options.here:
            path = pack(folder, level, options.stages, options.workers)
            print(f"{path}: {len(options.stages)} kernels, {path.stat().st_size / 1e6:.1f} MB by {made()}", flush=True)
            continue
        words = [
            "--here",
            "--levels",
            level.name,
            "--stages",
            *options.stages,
            *(["--workers", str(options.workers)] if options.workers else []),
        ]
        status = subprocess.run(
            [sys.executable, "-P", "-m", "tumble.kernels", str(folder), *words], env=environment(folder, level)
        ).returncode
        if status:
            return status
    return 0


if __name__ == "__main__":
    sys.exit(main())
