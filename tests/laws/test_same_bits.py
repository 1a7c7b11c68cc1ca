"""The same inputs give the same bits: in any thread, process, copy and storage, from binary models, with recompiled kernels."""

import copy
import hashlib
import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import tumble
from tests.laws.models import PILE
from tumble import batch, rollout
from tumble.engine.machine import store

STEPS = 80
# results of a step, by their bits
HASHED = "qpos qvel qacc_warmstart sensordata".split()
SWING = """
<mujoco>
  <option timestep="0.01"><flag constraint="disable" contact="disable"/></option>
  <worldbody><body pos="0 0 1"><joint axis="0 1 0"/><geom size=".1" pos=".3 0 0"/></body></worldbody>
</mujoco>"""
PROGRAM = """
import sys, hashlib, tumble
m = tumble.MjModel.from_xml_string(sys.argv[1])
d = tumble.MjData(m)
d.qvel[0] = 0.5
tumble.mj_step(m, d, int(sys.argv[2]))
print(hashlib.sha256(b"".join(getattr(d, n).tobytes() for n in sys.argv[3:])).hexdigest())
"""


def pile(cone="elliptic"):
    return PILE.format(cone=cone, count=7, shape="box")


def load(xml):
    m = tumble.MjModel.from_xml_string(xml)
    return m, started(m)


def started(m):
    d = tumble.MjData(m)
    d.qvel[0] = 0.5
    return d


def bits(d):
    return hashlib.sha256(b"".join(getattr(d, n).tobytes() for n in HASHED)).hexdigest()


@pytest.fixture(scope="module")
def expected():
    m, d = load(pile())
    tumble.mj_step(m, d, STEPS)
    assert d.ncon > 20
    return m, bits(d)


def test_threads_side_by_side(expected):
    m, first = expected
    datas = [started(m) for _ in range(4)]
    threads = [threading.Thread(target=tumble.mj_step, args=(m, d, STEPS)) for d in datas]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert {bits(d) for d in datas} == {first}


@pytest.mark.parametrize("chunk", [1, 7, STEPS])
def test_steps_in_chunks(expected, chunk):
    m, first = expected
    d = started(m)
    for k in range(0, STEPS, chunk):
        tumble.mj_step(m, d, min(chunk, STEPS - k))
    assert bits(d) == first


@pytest.mark.parametrize("room", [1, 5000])
def test_room_for_contacts_and_rows(expected, room):
    """Results do not depend on the initial room: too little, so that early steps are repeated, or more than needed."""
    m, first = expected
    d = started(m)
    d.reserve({n: room for n in d.capacities})
    tumble.mj_step(m, d, STEPS)
    assert bits(d) == first


def test_models_and_datas_that_were_copied_or_saved(expected, tmp_path):
    m, first = expected
    tumble.mj_saveModel(m, str(tmp_path / "model.mjb"), None)
    for other in (copy.copy(m), copy.deepcopy(m), tumble.MjModel.from_binary_path(str(tmp_path / "model.mjb"))):
        d = started(other)
        tumble.mj_step(other, d, STEPS)
        assert bits(d) == first
    # a copy made halfway continues like its original
    d = started(m)
    tumble.mj_step(m, d, STEPS // 2)
    for other in (copy.copy(d), copy.deepcopy(d)):
        tumble.mj_step(other.model if other.model is not m else m, other, STEPS - STEPS // 2)
        assert bits(other) == first


def test_state_that_was_stored(expected):
    m, first = expected
    d, other = started(m), started(m)
    spec = tumble.mjtState.mjSTATE_INTEGRATION
    tumble.mj_step(m, d, STEPS // 2)
    state = np.empty(tumble.mj_stateSize(m, spec))
    tumble.mj_getState(m, d, state, spec)
    tumble.mj_step(m, other, 7)
    tumble.mj_setState(m, other, state, spec)
    tumble.mj_step(m, other, STEPS - STEPS // 2)
    assert bits(other) == first


def without_reset(integrator):
    m = tumble.MjModel.from_xml_string(SWING)
    m.opt.integrator = int(tumble.mjtIntegrator[f"mjINT_{integrator}"])
    m.opt.disableflags |= int(tumble.mjtDisableBit.mjDSBL_AUTORESET)
    return m


@pytest.mark.parametrize("integrator", ["EULER", "RK4", "IMPLICIT", "IMPLICITFAST"])
def test_nan_ends_with_the_state_that_had_it(integrator):
    """A Data that was NaN steps a sound state like a new one; in a batch and in a rollout, a bad simulation leaves the
    others alone.
    """
    m = without_reset(integrator)
    used, spec = tumble.MjData(m), tumble.mjtState.mjSTATE_INTEGRATION
    sound = np.empty(tumble.mj_stateSize(m, spec))
    tumble.mj_getState(m, used, sound, spec)
    used.qvel[0] = np.nan
    tumble.mj_step(m, used, 3)
    assert np.isnan(used.qpos).all()
    tumble.mj_setState(m, used, sound, spec)
    fresh = tumble.MjData(m)
    for d in (used, fresh):
        tumble.mj_step(m, d, 3)
    assert bits(used) == bits(fresh)

    b = batch.Batch(m, 4, nthread=1, lanes=False)
    b.qvel[:] = 0.5
    b.qvel[1] = np.nan
    b.step(nstep=3)
    assert len({x.tobytes() for x in b.qpos[[0, 2, 3]]}) == 1 and np.isfinite(b.qpos[0]).all()

    starts = np.zeros((4, tumble.mj_stateSize(m, tumble.mjtState.mjSTATE_FULLPHYSICS)))
    starts[:, 2] = 0.5
    starts[1, 2] = np.nan
    states, _ = rollout.rollout(m, tumble.MjData(m), starts, nstep=3)
    assert (states[[0, 2, 3], -1, 1:] == np.hstack((b.qpos, b.qvel))[[0, 2, 3]]).all()


def in_a_process(xml, **environment):
    command = [sys.executable, "-c", PROGRAM, xml, str(STEPS), *HASHED]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ | environment, timeout=300)
    return done.stdout.strip()


def test_processes(expected):
    assert in_a_process(pile()) == expected[1]


def test_kernels_compiled_anew(tmp_path):
    """A cache folder lacks some kernels; they are recompiled and give the same results."""
    m, d = load(SWING)
    tumble.mj_step(m, d, STEPS)
    # recompiling all of them would take minutes
    missing = ("rne-", "com_vel-")
    for file in store.folder().glob(f"*{store.SUFFIX}"):
        if not file.name.startswith(missing):
            (tmp_path / file.name).symlink_to(file)
    assert in_a_process(SWING, TUMBLE_CACHE_DIR=str(tmp_path)) == bits(d)
    assert all(any(tmp_path.glob(f"{name}*")) for name in missing)
