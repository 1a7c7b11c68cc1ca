"""Runs scripts written for the `mujoco` package: `import mujoco` gives them this engine, its renderer and its viewer.

Other distributions install packages inside MuJoCo's (`mujoco.mjx`), and scripts look for files there. So `mujoco.__path__`
lists the real folders of that name, but no compiled code is loaded from them. Child processes find this engine as well, because
the folder of assets/standin/mujoco.py comes first on their path.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.readers
import importlib.util
import os
import runpy
import sys
import types
from collections.abc import Callable, Sequence
from typing import Any, cast

from .. import engine
from ..engine.tables.compat_rows import LAST, chosen
from ..render.gl.libraries import claim_platform
from .compiling import Kernels
from .told import Bar

# This package, under the name by which it was imported.
HOME = sys.modules[str(__package__).rpartition(".")[0]]
STANDIN = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "assets", "standin")
# PyOpenGL and this package must use the same OpenGL platform.
MUJOCO_GL, CLAIMED = "MUJOCO_GL", ("egl", "osmesa")


def home() -> Any:
    """Return the module whose names scripts see: this package, or its variant with the names of the newest MuJoCo release."""
    return HOME.v4 if chosen() == LAST else HOME


class _Package(types.ModuleType):
    """The module `mujoco`. It has this package's names, and imports submodules on first use."""

    def __getattr__(self, name: str) -> Any:
        if name in submodules():
            try:
                return importlib.import_module(f"mujoco.{name}")
            except OSError as error:
                # mujoco.cgl needs a library that exists only on macOS
                raise AttributeError(f"module 'mujoco' has no attribute {name!r}: {error}") from None
        if name.startswith("__") and name != "__all__":
            # Do not forward these names to this package; the import system sets them on the module itself.
            raise AttributeError(f"module 'mujoco' has no attribute {name!r}")
        try:
            value = getattr(home(), name)
        except AttributeError:
            raise AttributeError(f"module 'mujoco' has no attribute {name!r}") from None
        setattr(self, name, value)
        return value

    def __dir__(self) -> list[str]:
        return sorted({*self.__dict__, *(name for name in dir(home()) if not name.startswith("__"))})


def submodules() -> dict[str, str]:
    """Return {submodule of the `mujoco` package: module of this package that provides its names}."""
    return home().MUJOCO_SUBMODULES


def folders() -> list[str]:
    """Return the folders named mujoco on the import path, those with an installed package first. If there are none, return this
    package's folder.
    """
    found = [os.path.join(entry or os.getcwd(), "mujoco") for entry in sys.path]
    real = list(dict.fromkeys(os.path.abspath(folder) for folder in found if os.path.isdir(folder)))
    real.sort(key=lambda folder: not os.path.isfile(os.path.join(folder, "__init__.py")))
    return real or [os.path.dirname(os.path.abspath(str(HOME.__file__)))]


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds `mujoco` and its submodules before the import system finds an installed package."""

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        top, _, name = fullname.partition(".")
        if top != "mujoco":
            return None
        if not name:
            spec = importlib.machinery.ModuleSpec(fullname, self, is_package=True)
            spec.submodule_search_locations = folders()
            spec.origin = self.path
            spec.has_location = True
            return spec
        if name in submodules():
            return importlib.machinery.ModuleSpec(fullname, self, is_package=hasattr(self.create_module(name), "__path__"))
        found = importlib.machinery.PathFinder.find_spec(fullname, path)
        if found and "." not in name and isinstance(found.loader, importlib.machinery.ExtensionFileLoader):
            raise ModuleNotFoundError(f"{fullname} is MuJoCo's compiled code, which this engine replaces", name=fullname)
        return found

    @property
    def path(self) -> str:
        """The file of the package's `__init__` module."""
        return os.path.join(folders()[0], "__init__.py")

    def get_resource_reader(self, fullname: str) -> Any:
        """Return the object by which importlib.resources reads the package's files."""
        return importlib.readers.FileReader(cast(Any, self))

    def create_module(self, spec: Any) -> types.ModuleType:
        name = spec if isinstance(spec, str) else spec.name.partition(".")[2]
        if not name:
            return _Package("mujoco", "This engine, under the name `mujoco`.")
        return importlib.import_module(submodules()[name])

    def exec_module(self, module: types.ModuleType) -> None:
        if isinstance(module, _Package):
            if home() is not HOME:
                module.__dict__["__version__"] = home().__version__
            else:
                module.__dict__.update({name: getattr(engine, name) for name in engine.__all__}, __version__=engine.__version__)
            if (platform := os.environ.get(MUJOCO_GL, "").lower().strip()) in CLAIMED:
                claim_platform(platform)


def install() -> None:
    """Make `import mujoco` mean this engine, in this process and its children."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        for name in [n for n in sys.modules if n == "mujoco" or n.startswith("mujoco.")]:
            del sys.modules[name]
        sys.meta_path.insert(0, _Finder())
    given = [part for part in os.environ.get("PYTHONPATH", "").split(os.pathsep) if part and part != STANDIN]
    os.environ["PYTHONPATH"] = os.pathsep.join([STANDIN, *given])
    # Child processes of multiprocessing get this process's path.
    if STANDIN not in sys.path:
        sys.path.insert(0, STANDIN)


def run_script(script: str, arguments: Sequence[str]) -> int:
    """Run a script as `python script arguments` would; return its exit status."""
    if not script:
        print("tumble run needs a script, or -m and a module; see `tumble run --help`", file=sys.stderr)
        return 2
    if not os.path.isfile(script):
        print(f"tumble: no such script: {script}", file=sys.stderr)
        return 1
    install()
    sys.argv = [script, *arguments]
    sys.path.insert(0, os.path.dirname(os.path.abspath(script)))
    return finished(lambda: runpy.run_path(script, run_name="__main__"))


def run_module(module: str, arguments: Sequence[str]) -> int:
    """Run a module as `python -m module arguments` would; return its exit status."""
    install()
    sys.argv = ["-m", *arguments]
    sys.path.insert(0, os.getcwd())
    if not is_there(module):
        print(f"tumble: no module named {module}", file=sys.stderr)
        return 1
    return finished(lambda: runpy.run_module(module, run_name="__main__", alter_sys=True))


def is_there(module: str) -> bool:
    """Return whether a module with this name exists. This imports its parent packages, as `python -m` does."""
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError as error:
        # The failed import may be one inside the package. The module may still exist; running it then shows the error.
        return not f"{module}.".startswith(f"{error.name}.")


def finished(work: Callable[[], object]) -> int:
    """Run a program; kernels are compiled on all cores. Return its exit status."""
    bar = Bar()
    kernels = Kernels(lambda: bar.show(kernels.progress()))
    kernels.start_waiting()
    try:
        work()
    except SystemExit as stop:
        if stop.code is None or isinstance(stop.code, int):
            return stop.code or 0
        print(stop.code, file=sys.stderr)
        return 1
    finally:
        kernels.stop()
        bar.close()
    return 0


def run(options: Any) -> int:
    """Run `tumble run script.py ...` or `tumble run -m module ...`."""
    if options.module:
        return run_module(options.module, options.arguments)
    return run_script(options.script, options.arguments)


COMMANDS = {"run": run}
