"""The example scripts run, quickly, from any folder; their notebooks are the same programs."""

import importlib.util
import json
import os
import re
import subprocess
import sys

import pytest

from tests.app.driver import ROOT, XServer
from tests.optional import lacks_windows
from tumble import notebooks

FOLDER = ROOT / "assets" / "examples"
SCRIPTS = sorted(FOLDER.glob("*.py"))
TOPICS = set(
    "first control least_squares rollouts plugin edit_spec data_set learn panel "
    "pick mpc reach gripper figure cards gait".split()
)
# {example: package that it needs}
NEEDED = {"gait": "gymnasium"}
# examples that open a window
WINDOWED = {"panel"}
# seconds that an example may take with compiled kernels; a loaded machine gets more
LONGEST, PATIENCE = 20, 5
# maximum bytes of a notebook with its outputs
MOST_BYTES = 300_000


def test_there_is_one_for_each_topic():
    assert {p.stem for p in SCRIPTS} == TOPICS


@pytest.fixture
def display(path):
    """Environment of a script: a screen for those that open a window. Skips examples that need a missing package."""
    if path.stem in NEEDED:
        pytest.importorskip(NEEDED[path.stem])
    if path.stem not in WINDOWED:
        yield {}
        return
    if reason := lacks_windows():
        pytest.skip(reason)
    server = XServer()
    yield {"DISPLAY": server.name, "LIBGL_ALWAYS_SOFTWARE": "1"}
    server.close()


@pytest.mark.skipif(
    all(importlib.util.find_spec(n) for n in ("nbclient", "ipykernel")), reason="the same lines are run as a notebook below"
)
@pytest.mark.parametrize("path", SCRIPTS, ids=lambda p: p.stem)
def test_it_runs(path, tmp_path, display):
    env = (
        os.environ
        | {"PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path), "TUMBLE_CONFIG": str(tmp_path / "settings.json")}
        | display
    )
    done = subprocess.run(
        [sys.executable, str(path)], cwd=tmp_path, env=env, capture_output=True, text=True, timeout=PATIENCE * LONGEST
    )
    if "no OpenGL context could be made" in done.stderr:
        pytest.skip("nothing to draw with")
    assert done.returncode == 0 and done.stdout, done.stderr


def test_notebooks_are_fresh():
    written = notebooks.texts()
    assert {p.name for p in FOLDER.glob("*.ipynb")} == set(written)
    stale = [name for name, text in written.items() if notebooks.bare((FOLDER / name).read_text()) != text]
    assert not stale, f"`make pictures` writes {', '.join(stale)} anew"


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda p: p.stem)
def test_notebooks_show_what_they_print(path):
    """Outputs are in the tree, are small, and name no folder of the machine on which they were made."""
    text = (FOLDER / f"{path.stem}.ipynb").read_text()
    rows = [row for row in json.loads(text)["cells"] if row["cell_type"] == "code"]
    assert any(row["outputs"] for row in rows) and len(text) < MOST_BYTES
    assert not re.search(r"/(?:home|root|tmp|Users)/", text)


@pytest.mark.slow
@pytest.mark.parametrize("path", SCRIPTS, ids=lambda p: p.stem)
def test_notebooks_run_as_notebooks(path, display, monkeypatch):
    pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    for name, value in (display | {"PYTHONPATH": str(ROOT)}).items():
        monkeypatch.setenv(name, value)
    made = json.loads(notebooks.executed((FOLDER / f"{path.stem}.ipynb").read_text()))
    assert any(row["outputs"] for row in made["cells"] if row["cell_type"] == "code")


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda p: p.stem)
def test_cells_are_the_script(path):
    rows = json.loads((FOLDER / f"{path.stem}.ipynb").read_text())["cells"]
    assert rows[0]["cell_type"] == "markdown" and rows[0]["source"][0].startswith("# ")
    code = "\n".join("".join(row["source"]) for row in rows if row["cell_type"] == "code")
    lines = [line for line in path.read_text().splitlines() if line and not line.startswith("#")]
    assert [line for line in code.splitlines() if line and not line.startswith("#")] == lines
    compile(code, path.name, "exec")
