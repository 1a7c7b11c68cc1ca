"""The wheel's kernels and the page that an index shows; all else of the build is in pyproject.toml.

TUMBLE_WHEEL_KERNELS names the folder that `python -m tumble.kernels FOLDER` filled: the wheel takes the archives for this
Python and is for one platform. Without it the wheel is the same for all platforms and has sources only; kernels are then
compiled when they are needed.

TUMBLE_WHEEL_PAGES is the address at which the files of this version can be read: pictures and links of the README lead there,
and it is the project's address. Without it an index would show broken links: it gets the text alone.
"""

import os
import pathlib
import re
import shutil
import sys

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

FOLDER = os.environ.get("TUMBLE_WHEEL_KERNELS", "")
PLACE = "tumble/engine/kernels"
PAGES = os.environ.get("TUMBLE_WHEEL_PAGES", "").rstrip("/")
# a link or a picture that leads to a file beside the README
PICTURE = re.compile(r"!\[([^\]]*)\]\((?!\w+:|#)([^)]+)\)")
LINK = re.compile(r"\[([^\]]*)\]\((?!\w+:|#)([^)]+)\)")


def description():
    """The README as it stands on a page that has no files beside it."""
    text = pathlib.Path(__file__).with_name("README.md").read_text(encoding="utf-8")
    if PAGES:
        return LINK.sub(rf"[\1]({PAGES}/\2)", text)
    return LINK.sub(r"\1", re.sub(rf"\n{PICTURE.pattern}\n", "", text))


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


setup(
    distclass=Platform,
    cmdclass={"build_py": WithKernels, "bdist_wheel": ForOnePython},
    long_description=description(),
    long_description_content_type="text/markdown",
    project_urls={"Source": PAGES} if PAGES else {},
)
