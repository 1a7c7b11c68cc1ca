"""Rollouts equal stepping for any number of threads, and equal MuJoCo's rollouts; wrong shapes raise errors."""

import copy

import mujoco
import mujoco.rollout
import numpy as np
import pytest

import tumble
from tests.api.models import RIG
from tumble.engine import rollout

# tolerance of an iterative solver over a hundred steps
ITER = 1e-8
FULL = int(tumble.mjtState.mjSTATE_FULLPHYSICS)
NBATCH, NSTEP = 12, 30


@pytest.fixture(scope="module")
def setup():
    m = tumble.MjModel.from_xml_string(RIG)
    d = tumble.MjData(m)
    initial = np.zeros((NBATCH, tumble.mj_stateSize(m, FULL)))
    for k, row in enumerate(initial):
        d.qpos[2] = 0.1 + 0.01 * k
        tumble.mj_getState(m, d, row, FULL)
    control = np.random.default_rng(0).normal(size=(NBATCH, NSTEP, m.nu))
    return m, d, initial, control


def test_like_stepping(setup):
    m, d, initial, control = setup
    state, sensors = rollout.rollout(m, d, initial, control)
    assert state.shape == (NBATCH, NSTEP, initial.shape[1]) and sensors.shape == (NBATCH, NSTEP, m.nsensordata)
    for k in (0, NBATCH - 1):
        own = tumble.MjData(m)
        tumble.mj_setState(m, own, initial[k], FULL)
        row = np.zeros(initial.shape[1])
        for t in range(NSTEP):
            own.ctrl[:] = control[k, t]
            tumble.mj_step(m, own)
            tumble.mj_getState(m, own, row, FULL)
            np.testing.assert_array_equal(state[k, t], row)
            np.testing.assert_array_equal(sensors[k, t], own.sensordata)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_change_nothing(setup, threads):
    m, d, initial, control = setup
    alone = rollout.rollout(m, d, initial, control)
    with rollout.Rollout(nthread=threads) as pool:
        for chunk in (None, 1, 7):
            got = pool.rollout(m, [copy.copy(d) for _ in range(threads)], initial, control, chunk_size=chunk)
            np.testing.assert_array_equal(got[0], alone[0])
            np.testing.assert_array_equal(got[1], alone[1])
    with pytest.raises(RuntimeError, match="shutdown"):
        pool.rollout(m, d, initial)


def test_like_the_reference(setup):
    m, d, initial, control = setup
    ref = mujoco.MjModel.from_xml_string(RIG)
    expected = mujoco.rollout.rollout(ref, mujoco.MjData(ref), initial, control)
    got = rollout.rollout(m, d, initial, control)
    for a, b in zip(got, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=0, atol=ITER * np.abs(b).max())


def test_other_controls_and_warm_starts(setup):
    m, d, initial, _ = setup
    spec = int(tumble.mjtState.mjSTATE_CTRL | tumble.mjtState.mjSTATE_QFRC_APPLIED | tumble.mjtState.mjSTATE_MOCAP_POS)
    control = 0.1 * np.random.default_rng(1).normal(size=(NSTEP, tumble.mj_stateSize(m, spec)))
    warm = np.ones(m.nv)
    d.xfrc_applied[:] = 100
    got = rollout.rollout(m, d, initial[0], control, control_spec=spec, initial_warmstart=warm)
    ref = mujoco.MjModel.from_xml_string(RIG)
    expected = mujoco.rollout.rollout(ref, mujoco.MjData(ref), initial[0], control, control_spec=spec, initial_warmstart=warm)
    np.testing.assert_allclose(got[0], expected[0], rtol=0, atol=ITER * np.abs(expected[0]).max())


def test_results_go_to_given_arrays(setup):
    m, d, initial, control = setup
    state = np.full((NBATCH, NSTEP, initial.shape[1]), np.nan)
    got, _ = rollout.rollout(m, d, initial, control, state=state)
    assert np.shares_memory(got, state) and not np.isnan(state).any()
    none, _ = rollout.rollout(m, d, initial, control, state=state, skip_checks=True, nstep=NSTEP)
    assert none is state


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"control": "text"}, "control must be a numpy array or float"),
        ({"control": np.zeros((2, 3, 4, 5))}, "control can have at most 3 dimensions"),
        ({"initial_state": np.zeros((NBATCH, 3))}, "trailing dimension of initial_state must be"),
        ({"control": np.zeros((NSTEP, 9))}, "trailing dimension of control"),
        ({"control_spec": int(tumble.mjtState.mjSTATE_ACT)}, "control_spec can only contain bits in mjSTATE_USER"),
        ({"data": []}, "list of data instances is empty"),
        ({"nstep": 2.5}, "nstep must be an integer"),
        ({"state": np.zeros((3, NSTEP, 2))}, "dimension 0 inferred as"),
    ],
)
def test_shapes_that_do_not_fit(setup, change, message):
    m, d, initial, control = setup
    arguments = {"model": m, "data": d, "initial_state": initial, "control": control} | change
    with pytest.raises(ValueError, match=message):
        rollout.rollout(**arguments)


def test_models_that_do_not_fit(setup):
    m, d, initial, control = setup
    other = tumble.MjModel.from_xml_string("<mujoco/>")
    with pytest.raises(ValueError, match="not compatible"):
        rollout.rollout([m] * (NBATCH - 1) + [other], d, initial, control)
    with pytest.raises(ValueError):
        rollout.rollout(m, tumble.MjData(other), initial, control)
    broken = copy.copy(m)
    broken.opt.solver = 10
    with pytest.raises(tumble.FatalError, match="unknown solver type 10"):
        rollout.rollout(broken, tumble.MjData(broken), initial, control)
