"""The stages that a new table row recompiles: compares the stamps of all stages of the sources with those of a copy with the
row, each in its own process.
"""

import json
import os
import subprocess
import sys
import types
from typing import Any

import pytest

from tests.app.driver import ROOT
from tests.house.test_recipes import apply, places, tree  # noqa: F401 (a fixture)
from tumble.engine.machine import stamp
from tumble.engine.tables.stage_rows import STAGES

STAMPS = """
import json, sys
from tumble.engine.core import stages
from tumble.engine.machine import jit, stamp, target
from tumble.engine.tables import stage_rows
names = stage_rows.names()[::int(sys.argv[1])]
found = {name: stages.find(name) for name in names}
json.dump({name: stamp.of_stage(stage.function, stage.sig, target.of_host(False)) for name, stage in found.items()}, sys.stdout)
"""


def stamps(folder, order=1):
    """{stage: stamp} of the sources in a folder, computed in the order of the table or in reverse."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST")} | {"PYTHONPATH": str(folder)}
    done = subprocess.run(
        [sys.executable, "-c", STAMPS, str(order)], cwd=folder, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def before():
    return stamps(ROOT)


def changed(before, folder):
    """Names of the stages of the sources that would be recompiled."""
    after = stamps(folder)
    return {name for name in before if after.get(name) != before[name]}


def test_no_stamp_depends_on_those_taken_before(before):
    """Stamps do not depend on the order in which they are computed, even if a field has the name of a stage."""
    assert stamps(ROOT, -1) == before


def test_a_field_is_told_from_a_stage_of_its_name():
    """A reader of the field is not recompiled when the stage changes; a caller of the stage is; a kernel that does both
    has the field in its stamp, too.
    """
    space: dict[str, Any] = {}
    exec(
        "def reads(m, d):\n    d.energy[0] = 1.0\ndef calls(m, d):\n    energy(m, d)\ndef both(m, d):\n    "
        "energy(m, d.energy)\n"  # noqa: S102
        "def one(m, d):\n    return 1\ndef two(m, d):\n    return 2\n",
        space,
    )

    def stamped(name, **names):
        return stamp.of_function(types.FunctionType(space[name].__code__, names))

    stages_of_the_name = [types.SimpleNamespace(function=space[n]) for n in ("one", "two")]
    for name, same in (("reads", True), ("calls", False), ("both", False)):
        found = [stamped(name, energy=s) for s in stages_of_the_name]
        assert (found[0] == found[1]) == same, name
    assert stamped("reads", energy=stages_of_the_name[0]) == stamped("reads")
    assert stamp.read_apart(space["both"].__code__)["energy"] == stamp.BOTH


def test_a_new_sensor_recompiles_nothing(tree, before):  # noqa: F811
    apply(tree, places("A sensor"))
    assert not changed(before, tree)


@pytest.mark.parametrize(
    ("title", "users"), [("An MJCF attribute", {"sensor_touch"}), ("A field", {"energy_pos", "passive", "adhesive_forces"})]
)
def test_a_new_field_recompiles_who_uses_it(title, users, tree, before):  # noqa: F811
    """A new field of Data also recompiles the readers of our own fields after it, such as qfrc_adhesion."""
    apply(tree, places(title))
    assert changed(before, tree) == users


def test_a_new_stage_recompiles_nothing(tree, before):  # noqa: F811
    apply(
        tree,
        [
            ("after", "engine/tables/stage_rows.py", STAGES.splitlines()[-1], "slowly   step.slowly   -\n"),
            (
                "Create",
                "engine/step/slowly.py",
                "",
                """\"""A new stage.\"""
from ..machine.jit import stage


@stage
def slowly(m, d):
    \"""writes time.\"""
    d.time += m.opt.timestep
""",
            ),
        ],
    )
    assert not changed(before, tree)


def test_a_changed_kernel_recompiles_who_calls_it(tree, before):  # noqa: F811
    apply(
        tree,
        [
            (
                "instead of",
                "engine/sense/zones.py",
                "return dot3(v, v) < size[0] * size[0]",
                "return dot3(v, v) <= size[0] * size[0]",
            )
        ],
    )
    assert changed(before, tree) == {"sensor_inside", "sensor_contact"}
