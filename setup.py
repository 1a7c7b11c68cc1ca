"""The wheel's kernels; all else of the build is in pyproject.toml.

TUMBLE_WHEEL_KERNELS names the folder that `python -m tumble.kernels FOLDER` filled: the wheel takes the archives for this Python and is for
one platform. Without it the wheel is the same for all platforms and has sources only; kernels are then compiled when they are needed.
"""
import os
import pathlib
import shutil
import sys

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

FOLDER = os.environ.get("TUMBLE_WHEEL_KERNELS", "")
PLACE = "tumble/engine/kernels"


def archives():
    """Those that were made for this Python."""
    place = pathlib.Path(FOLDER, sys.implementation.cache_tag)
    found = sorted(place.glob("*.kernels")) if FOLDER else []
    if FOLDER and not found:
        raise SystemExit(f"there are no kernels in {place}: run  python -m tumble.kernels {FOLDER}")
    return found


class WithKernels(build_py):
    """Puts the archives beside the sources of the engine."""

    def run(self):
        super().run()
        place = pathlib.Path(self.build_lib, PLACE)
        if not self.editable_mode:
            # what another build has left
            shutil.rmtree(place, ignore_errors=True)
        if not self.editable_mode and archives():
            place.mkdir(parents=True)
            for path in archives():
                shutil.copyfile(path, place / path.name)


class Platform(Distribution):
    """With kernels the package is machine code of one platform."""

    def has_ext_modules(self):
        return bool(FOLDER)


class ForOnePython(bdist_wheel):
    """Kernels are named by the bytecode of one version of Python, and need nothing of Python's own."""

    def get_tag(self):
        python, abi, platform = super().get_tag()
        return (python, "none", platform) if FOLDER else (python, abi, platform)


setup(distclass=Platform, cmdclass={"build_py": WithKernels, "bdist_wheel": ForOnePython})
