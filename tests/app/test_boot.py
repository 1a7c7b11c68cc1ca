"""The window comes first: it can be opened without importing the engine or the renderer."""

import subprocess
import sys

import pytest

from tests.app.driver import ROOT

# slow imports
ENGINE, NUMBA, IMGUI, GL = "tumble.engine.core", "numba", "imgui_bundle", "OpenGL"


def loaded(module, *, names=(ENGINE, NUMBA, IMGUI, GL)):
    """Return those of the names that a fresh process has loaded after importing a module."""
    code = f"import sys, {module}; print(*[n for n in {names!r} if n in sys.modules])"
    return subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()


@pytest.mark.parametrize(
    "module, late",
    [
        ("tumble.app.__main__", (ENGINE, NUMBA, IMGUI, GL)),
        ("tumble.app.boot", (ENGINE, NUMBA, IMGUI, GL)),
        ("tumble.app.splash", (ENGINE, NUMBA, GL)),
        ("tumble.app.loading", (NUMBA, IMGUI, GL)),
        ("tumble.app.headless", (NUMBA, IMGUI, GL)),
        ("tumble.app.render", (NUMBA, IMGUI, GL)),
        ("tumble.viewer", (NUMBA, IMGUI, GL)),
    ],
)
def test_what_is_imported_later(module, late):
    assert not set(loaded(module)) & set(late)


def test_a_start_imports_all_of_it_in_the_end():
    """The whole viewer imports the engine and ImGui, but not PyOpenGL, which only scripts need."""
    assert loaded("tumble.app.opening", names=(ENGINE, IMGUI, GL)) == [ENGINE, IMGUI]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="ends by a signal")
def test_a_crash_of_native_code_prints_where_python_was():
    code = """if True:
        import argparse, ctypes
        from tumble.app import boot
        boot.open_viewer = lambda *_args, **_named: ctypes.string_at(0)
        boot.view(argparse.Namespace(empty=True, pause=False, trace="", plugins=[]))"""
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode < 0
    assert "Segmentation fault" in run.stderr and "in view" in run.stderr, run.stderr
