"""The same scripts on `mujoco.batch` of mujoco 4.0.0: recorded results, and live where
TUMBLE_MUJOCO4 names a Python that has it.
"""

import functools
import os
import pathlib
import subprocess

import numpy as np
import pytest

import tumble
from tests.batch.scripts import SCRIPTS, run
from tests.tolerance import SOLVE, difference
from tumble import batch

HERE = pathlib.Path(__file__).parent
PYTHON4 = os.environ.get("TUMBLE_MUJOCO4", "")


@functools.cache
def ours(name):
    return run(name, tumble, batch)


def check(name, theirs):
    found = ours(name)
    assert sorted(found) == sorted(k.split("/")[1] for k in theirs if k.startswith(f"{name}/"))
    for key, x in found.items():
        assert difference(x, theirs[f"{name}/{key}"]) <= SOLVE, key


@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts_give_the_recorded_results(name):
    check(name, np.load(HERE / "recorded.npz"))


@pytest.mark.skipif(not PYTHON4, reason="needs mujoco 4.0.0 in an environment of its own: TUMBLE_MUJOCO4=.../bin/python")
def test_scripts_give_the_results_of_the_reference(tmp_path):
    path = tmp_path / "live.npz"
    subprocess.run([PYTHON4, HERE / "scripts.py", path], check=True, cwd=tmp_path, capture_output=True)
    theirs = np.load(path)
    for name in SCRIPTS:
        check(name, theirs)
