"""Builds wheels of the sources, and environments in which one is installed.

environment/lib/.../site-packages/   tumble/          the wheel, nothing else of ours
                                     others.pth  ──▶  numpy, numba, ... of the environment that runs the tests
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import venv

from tests.app.driver import ROOT

SECONDS = 500
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
MADE = (".git", ".venv", ".venv-oldest", "__pycache__", "build", "dist", "*.egg-info", ".*_cache", ".hypothesis")


def copy_sources(base):
    """Copy the checkout to a folder, without build products; return the path."""
    source = base / "source"
    if not source.exists():
        shutil.copytree(ROOT, source, ignore=shutil.ignore_patterns(*MADE))
    return source


def build_wheel(base, **environment):
    """Build a wheel of a copy of the sources in a folder; returns its path."""
    source, place = copy_sources(base), base / "wheels"
    shutil.rmtree(place, ignore_errors=True)
    subprocess.run(
        [*PIP, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", place, source],
        check=True,
        timeout=SECONDS,
        env=os.environ | environment,
    )
    (wheel,) = place.glob("tumble-*.whl")
    return wheel


def install(wheel, folder):
    """Make an environment with a wheel; returns its site-packages folder."""
    venv.create(folder, symlinks=os.name != "nt")
    place = sysconfig.get_path("purelib", "venv", {"base": str(folder), "platbase": str(folder)})
    subprocess.run([*PIP, "install", "--no-deps", "--no-index", "--target", place, wheel], check=True, timeout=SECONDS)
    # Only the path: its own files of this type are not processed
    with open(os.path.join(place, "others.pth"), "w") as others:
        others.write(sysconfig.get_path("purelib") + "\n")
    return place


def python(site):
    """The interpreter of the environment that a site-packages folder belongs to."""
    base = os.path.join(os.path.dirname(site), "..", "..") if os.name != "nt" else os.path.join(site, "..", "..")
    return os.path.join(os.path.abspath(base), "Scripts" if os.name == "nt" else "bin", "python")
