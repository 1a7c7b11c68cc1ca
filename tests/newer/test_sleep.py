"""Under 4.0, simulations with sleeping and waking parts equal the records of 4.0.1; in 3.4, flexes never sleep."""

import pathlib

import numpy as np
import pytest

import tumble

from .sleep import MODELS, run

RECORDS = dict(np.load(pathlib.Path(__file__).parent / "sleep.npz"))
# largest error relative to the largest number of a column: rounding that grows in the simulation
LIMIT = 1e-7
# columns of smaller numbers are compared absolutely
FLOOR = 1e-2


def load(name, compat="4.0"):
    m = tumble.MjModel.from_xml_string(MODELS[name][0], compat=compat)
    return m, tumble.MjData(m)


def test_records_are_of_the_oracle():
    assert str(RECORDS["version"]) == "4.0.1" and set(RECORDS) == {*MODELS, "version"}


@pytest.mark.parametrize("name", MODELS)
def test_simulation(name):
    m, d = load(name)
    found, expected = run(tumble, m, d, name), RECORDS[name]
    assert found.shape == expected.shape
    error = np.abs(found - expected).max(1) / np.maximum(np.abs(expected).max(1), FLOOR)
    assert error.max() < LIMIT, (int(error.argmax()), float(error.max()))


def test_flexes_sleep_and_wake_with_what_touches_them():
    m, d = load("strip_ball")
    states = []
    for _ in range(420):
        tumble.mj_step(m, d)
        states.append((bool(d.tree_awake[:3].any()), bool(d.tree_awake[:3].all())))
    assert all(some == every for some, every in states), "all parts of a flex sleep and wake together"
    asleep = states.index((False, False))
    woken = states.index((True, True), asleep)
    assert woken > asleep + 10


def test_what_sleeps_has_no_passive_forces_and_stays():
    m, d = load("cloth")
    while d.ntree_awake:
        tumble.mj_step(m, d)
    place = np.array(d.qpos)
    for _ in range(20):
        tumble.mj_step(m, d)
    assert np.array_equal(place, d.qpos) and not d.qvel.any() and d.nefc == d.ncon == 0


def test_a_weld_to_a_mocap_body_wakes():
    m, d = load("hand_weld")
    while d.ntree_awake:
        tumble.mj_step(m, d)
    d.eq_active[0] = 1
    tumble.mj_step(m, d)
    assert d.ntree_awake == 1


def test_flexes_stay_awake_in_the_first_release():
    m, d = load("strip_ball", "3.4")
    assert (m.tree_sleep_policy[:3] == tumble.mjtSleepPolicy.mjSLEEP_AUTO_NEVER).all()
    with pytest.raises(tumble.FatalError, match="flex equality"):
        tumble.mj_step(m, d)


def test_actuators_that_damp_a_tendon_keep_its_trees_awake():
    text = MODELS["springy_tendon"][0].replace("stiffness='0 3'", "name='t'").replace("<body", "<body sleep='allowed'")
    text = text.replace("</mujoco>", "<actuator><motor tendon='t' damping='1'/></actuator></mujoco>")
    with pytest.raises(ValueError, match="sleeping not allowed"):
        tumble.MjModel.from_xml_string(text, compat="4.0")
