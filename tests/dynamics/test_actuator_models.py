"""Muscle curves and activation dynamics against the reference's functions, over ranges that reach every branch."""

import mujoco
import numpy as np
import pytest

from tumble.engine.dynamics.actuator_models import muscle_bias, muscle_dynamics, muscle_gain

# a few roundings of numbers of order 1 to 1000
RELATIVE = 1e-13

rng = np.random.default_rng(3)
PARAMETERS = [np.array([0.75, 1.05, force, 200, 0.5, 1.6, 1.5, 1.3, top]) for force in (-1, 80.0) for top in (1.0, 1.2)]


@pytest.mark.parametrize("prm", PARAMETERS)
def test_muscle_gain_and_bias(prm):
    bounds, acc0 = np.array([0.3, 0.9]), 12.0
    for length, velocity in rng.uniform([-0.5, -3], [2.5, 3], (300, 2)):
        gain = muscle_gain(length, velocity, *bounds, acc0, tuple(prm))
        bias = muscle_bias(length, *bounds, acc0, tuple(prm))
        assert gain == pytest.approx(mujoco.mju_muscleGain(length, velocity, bounds, acc0, prm), rel=RELATIVE, abs=1e-300)
        assert bias == pytest.approx(mujoco.mju_muscleBias(length, bounds, acc0, prm), rel=RELATIVE, abs=1e-300)


@pytest.mark.parametrize("width", [0.0, 0.3])
def test_muscle_dynamics(width):
    prm = np.array([0.01, 0.04, width])
    for ctrl, act in rng.uniform(-0.3, 1.3, (200, 2)):
        assert muscle_dynamics(ctrl, act, tuple(prm)) == pytest.approx(mujoco.mju_muscleDynamics(ctrl, act, prm), rel=RELATIVE)
