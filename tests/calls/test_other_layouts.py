"""An interpreter with a different object layout: code that relies on the layout detects this, and plain Python does the same
work."""

import os
import subprocess
import sys

import pytest

from tests.app.driver import ROOT

# layouts of other interpreters: the probe of one object fails, or an attribute's offset is not found
FOREIGN = {
    "as it is": "pass",
    "arrays": "layout.ARRAY_DATA = 24",
    "floats": "layout.FLOAT_VALUE = 24",
    "tuples": "layout.TUPLE_ITEMS = 16",
    "no vectorcall": "layout.known = lambda: False",
    "slots": "layout.slot_offset = lambda cls, name: 0",
}
PROGRAM = """
import hashlib, importlib.machinery, sys, types

import numpy as np

class Foreign(importlib.machinery.PathFinder):
    # changes the module as soon as it has been read, before others read it

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        found = super().find_spec(name, path, target)
        if name == "tumble.engine.machine.layout":
            execute = found.loader.exec_module
            def exec_module(layout):
                execute(layout)
                {change}
            found.loader.exec_module = exec_module
        return found

sys.meta_path.insert(0, Foreign)
import tumble as mj

m = mj.MjModel.from_xml_path({model!r})
d = mj.MjData(m)
jacobian, out = np.zeros((3, m.nv)), hashlib.sha1()
# more calls than a function needs to be compiled, and steps that are called as functions of the interpreter
for k in range(200):
    mj.mj_step(m, d)
    mj.mj_jac(m, d, jacobian, None, d.xpos[2], 2)
    out.update(jacobian.tobytes())
out.update(d.qpos.tobytes())
print(isinstance(mj.mj_jac, types.FunctionType), out.hexdigest())
"""


@pytest.fixture(scope="module")
def usual():
    return run(FOREIGN["as it is"])


def run(change):
    """(whether public functions are plain ones, a digest of their results)."""
    program = PROGRAM.format(change=change, model=str(ROOT / "assets/models/humanoid.xml"))
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    plain, digest = done.stdout.split()
    return plain == "True", digest


@pytest.mark.parametrize("change", list(FOREIGN)[1:])
def test_plain_functions_give_the_same_bits(usual, change):
    plain, digest = run(FOREIGN[change])
    assert plain and digest == usual[1]


def test_here_functions_are_compiled_where_the_layout_is_known(usual):
    from tumble.engine.machine import layout

    assert usual[0] != layout.known()
