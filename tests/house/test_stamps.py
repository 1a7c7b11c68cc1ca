"""What a new row recompiles: stamps of all stages of the sources and of a copy with the row, each taken in a process of its own."""
import json
import os
import subprocess
import sys

import pytest

from tests.app.driver import ROOT
from tests.house.test_recipes import apply, places, tree  # noqa: F401 (a fixture)
from tumble.engine.core.stages import STAGES

STAMPS = """
import json, sys
from tumble.engine.core import jit, stages, stamp, target
json.dump({name: stamp.of_stage(stages.find(name).function, stages.find(name).sig, target.of_host(False)) for name in stages.names()}, sys.stdout)
"""


def stamps(folder):
    """{stage: stamp} of the sources in a folder."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST")} | {"PYTHONPATH": str(folder)}
    done = subprocess.run([sys.executable, "-c", STAMPS], cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def before():
    return stamps(ROOT)


def changed(before, folder):
    """Names of the stages of the sources that would be compiled again."""
    after = stamps(folder)
    return {name for name in before if after.get(name) != before[name]}


def test_a_new_sensor_recompiles_nothing(tree, before):  # noqa: F811
    apply(tree, places("A sensor"))
    assert not changed(before, tree)


@pytest.mark.parametrize(("title", "users"), [("An MJCF attribute", {"sensor_touch"}), ("A field", {"energy_pos"})])
def test_a_new_field_recompiles_who_uses_it(title, users, tree, before):  # noqa: F811
    apply(tree, places(title))
    assert changed(before, tree) == users


def test_a_new_stage_recompiles_nothing(tree, before):  # noqa: F811
    apply(tree, [("after", "engine/core/stages.py", STAGES.splitlines()[-1], "slowly   step.slowly   -\n"),
                 ("Create", "engine/step/slowly.py", "", """\"""A new stage.\"""
from ..core.jit import stage


@stage
def slowly(m, d):
    \"""writes time.\"""
    d.time += m.opt.timestep
""")])
    assert not changed(before, tree)


def test_a_changed_kernel_recompiles_who_calls_it(tree, before):  # noqa: F811
    apply(tree, [("instead of", "engine/sense/zones.py", "return dot3(v, v) < size[0] * size[0]", "return dot3(v, v) <= size[0] * size[0]")])
    assert changed(before, tree) == {"sensor_inside", "sensor_contact"}
