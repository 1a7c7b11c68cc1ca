"""No step reads what nobody wrote."""
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


def test_a_read_of_scratch_is_seen(monkeypatch):
    """What the check would find: a number of scratch that gets into the state."""
    m = tumble.MjModel.from_xml_path(str(ROOT / "assets" / "models" / "humanoid.xml"))
    real = tumble.mj_step

    def step(m, d):
        d.qvel[0] += float(d.storage.buffer[memory.scratch(d) + 8])
        real(m, d)
    monkeypatch.setattr(tumble, "mj_step", step)
    assert memory.difference(m, 2) == "qpos at step 0"
    assert np.unique(memory.PATTERNS).size == 2
