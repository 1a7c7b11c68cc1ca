"""Runs scripts that were written for the `mujoco` package: the engine, the renderer and the viewer answer to that name."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import os
import runpy
import sys
import types
from collections.abc import Sequence
from typing import Any

from .. import engine
from .compiling import Kernels
from .told import Bar

# the package whose part this is, under whatever name it was imported
HOME = sys.modules[str(__package__).rpartition(".")[0]]


class _Package(types.ModuleType):
    """`mujoco`: the names of this package; submodules on first use."""

    __path__: list[str] = []

    def __getattr__(self, name: str) -> Any:
        if name in submodules():
            return importlib.import_module(f"mujoco.{name}")
        try:
            value = getattr(HOME, name)
        except AttributeError:
            raise AttributeError(f"module 'mujoco' has no attribute {name!r}") from None
        setattr(self, name, value)
        return value


def submodules() -> dict[str, str]:
    """Submodule of the reference's package -> module that has its names."""
    return HOME.MUJOCO_SUBMODULES


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Answers `import mujoco` and its submodules before anything that is installed."""

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        if fullname == "mujoco" or fullname.startswith("mujoco.") and fullname[len("mujoco."):] in submodules():
            return importlib.machinery.ModuleSpec(fullname, self, is_package=fullname == "mujoco")
        return None

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        if spec.name == "mujoco":
            return _Package("mujoco", "The engine under the name that scripts know.")
        return importlib.import_module(submodules()[spec.name.partition(".")[2]])

    def exec_module(self, module: types.ModuleType) -> None:
        if module.__name__ == "mujoco":
            module.__dict__.update({name: getattr(engine, name) for name in engine.__all__}, __version__=engine.__version__)


def install() -> None:
    """From here on `import mujoco` means this engine."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        for name in [n for n in sys.modules if n == "mujoco" or n.startswith("mujoco.")]:
            del sys.modules[name]
        sys.meta_path.insert(0, _Finder())


def run_script(script: str, arguments: Sequence[str]) -> int:
    """Run a script as `python script arguments` would; returns its exit status."""
    if not os.path.isfile(script):
        print(f"tumble: no such script: {script}", file=sys.stderr)
        return 2
    install()
    sys.argv = [script, *arguments]
    sys.path.insert(0, os.path.dirname(os.path.abspath(script)))
    bar = Bar()
    kernels = Kernels(lambda: bar.show(kernels.progress()))
    kernels.start_waiting()
    try:
        runpy.run_path(script, run_name="__main__")
    except SystemExit as stop:
        if stop.code is None or isinstance(stop.code, int):
            return stop.code or 0
        print(stop.code, file=sys.stderr)
        return 1
    finally:
        kernels.stop()
        bar.close()
    return 0


COMMANDS = {"run": lambda options: run_script(options.script, options.arguments)}
