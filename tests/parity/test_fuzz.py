"""Random models, one step at a time against the oracle: what is computed from the same state agrees, or both give up alike."""
import copy

import mujoco
import numpy as np
import pytest

import tumble
from tests.mirror import mirror
from tests.oracle import to_engine_model
from tests.parity.fuzz import random_model
from tests.tolerance import ITER, SOLVE, difference

MODELS, STEPS = 48, 4
STATE = int(mujoco.mjtState.mjSTATE_INTEGRATION)
SLEEP = int(mujoco.mjtEnableBit.mjENBL_SLEEP)
# before constraints a step is a chain of sums and one factorisation; after them an iteration was stopped by a tolerance of 1e-8
TOLERANCE = {"qfrc_passive": SOLVE, "qfrc_bias": SOLVE, "qfrc_actuator": SOLVE, "ten_length": SOLVE, "actuator_length": SOLVE,
             "qacc_warmstart": ITER, "qpos": ITER, "qvel": ITER, "act": ITER, "sensordata": ITER, "energy": ITER}
# qhull decides the order of a mesh's faces and neighbours
ORDER_ONLY = {"mesh_graph"}
# states whose step changes this much for a nudge of the last bits are no test of anything
CHAOTIC = 1e-5
SAFETY = 1000


def results(d):
    return {n: np.array(getattr(d, n), float) for n in TOLERANCE} | {"counts": np.array([d.ncon, d.nefc, d.time])}


def outcome(step, m, d):
    """(results, number of each warning) of a step, or the message of the error."""
    try:
        step(m, d)
    except (mujoco.FatalError, tumble.FatalError) as error:
        return str(error)
    return results(d), [w.number for w in d.warning]


def jitter(ref, data, rng):
    """The results of a step from nearly the same state."""
    data.qpos += 1e-14 * rng.normal(size=ref.nq)
    data.qvel += 1e-14 * rng.normal(size=ref.nv)
    return outcome(mujoco.mj_step, ref, data)[0]


@pytest.mark.parametrize("seed", range(MODELS))
def test_steps_of_random_models(seed):
    xml = random_model(seed)
    try:
        ref = mujoco.MjModel.from_xml_string(xml)
    except ValueError:
        with pytest.raises(ValueError):
            tumble.MjModel.from_xml_string(xml)
        return
    m, same = tumble.MjModel.from_xml_string(xml), to_engine_model(ref)
    for f in m.schema.arrays:
        if not f.text and f.name not in ORDER_ONLY:
            assert difference(m.array(f.name), same.array(f.name)) <= SOLVE, f"{f.name} of model {seed}"
    rng = np.random.default_rng(seed)
    data, d = mujoco.MjData(ref), tumble.MjData(same)
    data.qvel[:], data.ctrl[:] = rng.normal(size=ref.nv), rng.normal(size=ref.nu)
    data.xfrc_applied[:] = rng.normal(size=(ref.nbody, 6)) * (rng.random((ref.nbody, 1)) < 0.2)
    for k in range(STEPS):
        before = copy.copy(data)
        if k == 0:
            state = np.empty(mujoco.mj_stateSize(ref, STATE))
            mujoco.mj_getState(ref, data, state, STATE)
            tumble.mj_setState(same, d, state, STATE)
        else:
            mirror(data, d)
        theirs, ours = outcome(mujoco.mj_step, ref, data), outcome(tumble.mj_step, same, d)
        if isinstance(theirs, str):
            assert ours == theirs, f"model {seed}, step {k}"
            return
        assert ours[1] == theirs[1], f"warnings of model {seed}, step {k}"
        shaken = [jitter(ref, copy.copy(before), rng) for _ in range(2)]
        floor = {n: max(difference(s[n], theirs[0][n]) if s[n].shape == theirs[0][n].shape else np.inf for s in shaken) for n in theirs[0]}
        if max(floor.values()) > CHAOTIC:
            return
        for name, tolerance in TOLERANCE.items():
            gap = difference(ours[0][name], theirs[0][name])
            assert gap <= max(tolerance, SAFETY * floor[name]), f"{name} of model {seed}, step {k}: {gap:.3g}, floor {floor[name]:.3g}"
        assert (ours[0]["counts"] == theirs[0]["counts"]).all()
