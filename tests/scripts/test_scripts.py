"""Scripts as users write them: they run, and type checkers find nothing in them but the mistakes that were made on purpose."""

import json
import os
import pathlib
import re
import subprocess
import sys

import pytest

from tests.app.conftest import server  # noqa: F401

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[1]
MISTAKES = HERE / "mistakes.py"
WINDOW = HERE / "passive_viewer.py"
SCRIPTS = sorted(p for p in HERE.glob("*.py") if p.name != "__init__.py" and not p.name.startswith("test_") and p != MISTAKES)
COUNT = 12


def run(path, *args, **env):
    return subprocess.run(
        [sys.executable, str(path), *args],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)} | env,
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_there_are_as_many_as_promised():
    assert len(SCRIPTS) == COUNT


@pytest.mark.parametrize("path", [p for p in SCRIPTS if p != WINDOW], ids=lambda p: p.stem)
def test_a_script_runs(path):
    done = run(path)
    if "no OpenGL context could be made" in done.stderr:
        pytest.skip("nothing to draw with")
    assert done.returncode == 0 and done.stdout, done.stderr


@pytest.mark.window
def test_the_script_with_a_window_runs(server, tmp_path):  # noqa: F811
    done = run(WINDOW, "0.3", DISPLAY=server.name, TUMBLE_CONFIG=str(tmp_path / "s.json"), LIBGL_ALWAYS_SOFTWARE="1")
    assert done.returncode == 0 and done.stdout.startswith("True"), done.stderr


def marked():
    """Lines with a mistake."""
    return {i for i, line in enumerate(MISTAKES.read_text().splitlines(), 1) if "# wrong" in line}


def pyright():
    """{file name: lines with an error} of pyright, in its basic mode."""
    done = subprocess.run(
        [sys.executable, "-m", "pyright", "-p", str(HERE), "--pythonpath", sys.executable, "--outputjson"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
    )
    found = {}
    for row in json.loads(done.stdout)["generalDiagnostics"]:
        found.setdefault(pathlib.Path(row["file"]).name, set()).add(row["range"]["start"]["line"] + 1)
    return found


def mypy():
    """{file name: lines with an error} of mypy."""
    files = [str(p) for p in (*SCRIPTS, MISTAKES, *(ROOT / "tumble").glob("*.pyi"))]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file=", "--cache-dir", os.devnull, *files],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert "error:" in done.stdout, done.stdout + done.stderr
    found = {}
    for file, line in re.findall(r"^(\S+?):(\d+): error:", done.stdout, re.M):
        found.setdefault(pathlib.Path(file).name, set()).add(int(line))
    return found


@pytest.mark.parametrize("check", [pyright, mypy], ids=lambda f: f.__name__)
def test_only_mistakes_are_reported(check):
    found = check()
    assert found.pop(MISTAKES.name, set()) == marked()
    assert not found, found


def test_every_marked_line_is_a_mistake():
    assert len(marked()) > 15
