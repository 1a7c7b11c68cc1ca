"""No step reads unwritten memory."""

import subprocess
import sys

import numpy as np
import pytest

import tumble
from tests.app.driver import ROOT
from tests.parity.fuzz import random_model
from tests.robust import memory

MODELS = ("humanoid", "cloth", "softbody", "sensors", "muscles", "rope")
STEPS = 20


@pytest.mark.parametrize("name", MODELS)
def test_examples(name):
    assert memory.difference(tumble.MjModel.from_xml_path(str(ROOT / "assets" / "models" / f"{name}.xml")), STEPS) == ""


@pytest.mark.parametrize("seed", range(12))
def test_random_models(seed):
    assert memory.difference(tumble.MjModel.from_xml_string(random_model(seed)), 8) == ""


@pytest.mark.parametrize("integrator", tumble.mjtIntegrator.__members__)
@pytest.mark.parametrize("name", ("sensors", "muscles"))
def test_integrators(name, integrator):
    m = tumble.MjModel.from_xml_path(str(ROOT / "assets" / "models" / f"{name}.xml"))
    m.opt.integrator = int(tumble.mjtIntegrator[integrator])
    assert memory.difference(m, STEPS) == ""


def test_a_read_of_scratch_is_seen(monkeypatch):
    """The check finds a scratch number that is copied into the state."""
    m = tumble.MjModel.from_xml_path(str(ROOT / "assets" / "models" / "humanoid.xml"))
    real = tumble.mj_step

    def step(m, d):
        d.qvel[0] += float(d.storage.buffer[memory.scratch(d) + 8])
        real(m, d)

    monkeypatch.setattr(tumble, "mj_step", step)
    assert memory.difference(m, 2) == "qpos at step 0"
    assert np.unique(memory.PATTERNS).size == len(memory.PATTERNS)


PLANTED = """
import numpy as np
import tumble
from tumble.engine.machine import jit
from tumble.engine.machine.lang import address_of, array_at, bits_of, load, part_at, spread

@jit.kernel
def inner(x, k):
    return x[k]

@jit.stage("fii")
def planted_index(a, k):
    return inner(array_at(a, 4), k)

@jit.stage("fii")
def planted_load(a, k):
    return load(array_at(a, 4), k, 3)[2]

@jit.stage("iii")
def planted_address(a, k):
    return address_of(array_at(a, 4), k)

@jit.stage("iii")
def planted_part(a, k):
    return bits_of(part_at(array_at(a, 4), 0, k) > spread(-1.0))

x = np.arange(8.0)
{call}
print("went through")
"""


@pytest.mark.parametrize(
    ("call", "sound", "bad"),
    [
        ("planted_index", 3, 4),
        ("planted_load", 1, 2),
        ("planted_address", 4, 5),
        ("planted_part", 4, 5),
        ("planted_part", 0, 5),
    ],
)
def test_checked_kernels_end_the_process(call, sound, bad, tmp_path):
    """An index that is one too large is reported with the stage's name, however deep in the kernels it is."""
    env = {**memory.os.environ, "TUMBLE_BOUNDSCHECK": "1", "TUMBLE_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    for k in (sound, bad):
        code = PLANTED.format(call=f"{call}(x.ctypes.data, {k})")
        (tmp_path / "planted.py").write_text(code)
        done = subprocess.run([sys.executable, str(tmp_path / "planted.py")], capture_output=True, text=True, env=env, cwd=ROOT)
        if k == sound:
            assert done.stdout == "went through\n", done.stderr
        else:
            assert done.returncode == -6 and done.stderr == f"tumble_{call}: an index is out of bounds\n"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="forks")
def test_guards_end_the_process(monkeypatch):
    """Reads inside a guarded buffer return its zeros; a read beyond its last cache line ends the process."""
    monkeypatch.setattr(
        memory, "verdict", lambda at: str(int(np.lib.stride_tricks.as_strided(memory.guarded_bytes(100), (1 << 20,), (1,))[at]))
    )
    assert memory.looked_at(0) == memory.looked_at(99) == "0"
    assert memory.looked_at(128) == "!SIGSEGV"
