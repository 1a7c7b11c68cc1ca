"""Adds compiled kernels to the wheel, and adapts the README for the package index. Other settings are in pyproject.toml.

TUMBLE_WHEEL_KERNELS is the folder that `python -m tumble.kernels FOLDER` has filled. The wheel then contains the folder's
archives for this Python, and is specific to one platform. If the variable is not set, the wheel contains only sources and
suits all platforms; kernels are then compiled when they are needed.

TUMBLE_WHEEL_PAGES is the web address of this version's files. Pictures and links of the README then point there, and the index
shows it as the project's source. If it is not set, pictures and links are removed, because the index would show them broken.
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
# a picture, and a link, whose target is a file beside the README
PICTURE = re.compile(r"!\[([^\]]*)\]\((?!\w+:|#)([^)]+)\)")
LINK = re.compile(r"\[([^\]]*)\]\((?!\w+:|#)([^)]+)\)")


def description():
    """Return the README for a page without the files beside it: with absolute links, or without links and pictures."""
    text = pathlib.Path(__file__).with_name("README.md").read_text(encoding="utf-8")
    if PAGES:
        return LINK.sub(rf"[\1]({PAGES}/\2)", text)
    return LINK.sub(r"\1", re.sub(rf"\n{PICTURE.pattern}\n", "", text))


def archives():
    """Return the archives of kernels that were made for this Python. Stop the build if the given folder has none."""
    place = pathlib.Path(FOLDER, sys.implementation.cache_tag)
    found = sorted(place.glob("*.kernels")) if FOLDER else []
    if FOLDER and not found:
        raise SystemExit(f"there are no kernels in {place}: run  python -m tumble.kernels {FOLDER}")
    return found


class WithKernels(build_py):
    """Build step that also copies the archives of kernels to the engine's sources."""

    def run(self):
        super().run()
        place = pathlib.Path(self.build_lib, PLACE)
        if not self.editable_mode:
            # remove the archives of an earlier build
            shutil.rmtree(place, ignore_errors=True)
        if not self.editable_mode and archives():
            place.mkdir(parents=True)
            for path in archives():
                shutil.copyfile(path, place / path.name)


class Platform(Distribution):
    """A package that is specific to one platform if it contains kernels."""

    def has_ext_modules(self):
        return bool(FOLDER)


class ForOnePython(bdist_wheel):
    """Tags a wheel with kernels for one version of Python, because the kernels' keys depend on that version's bytecode. The ABI
    tag is `none`, because kernels are not linked with Python.
    """

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
