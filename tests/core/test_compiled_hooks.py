"""Compiled callbacks: stages, C functions and addresses take the place of Python functions
and run without the interpreter lock.
"""

import ctypes
import threading

import numpy as np
import pytest

import tumble
from tests.core.quiet import quiet
from tumble.engine.machine.jit import stage

RIG = """<mujoco><option timestep=".01"/><worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 .09">
  <joint type="slide" axis="0 0 1"/><joint name="x" type="slide" axis="1 0 0"/><geom size=".1" mass="1"/></body></worldbody>
  <actuator><general joint="x" dyntype="user" gaintype="user" biastype="user" actdim="1"/></actuator></mujoco>"""


@stage
def steer(m, d):
    """reads time; writes ctrl."""
    d.ctrl[0] = 2.0 * d.time


@stage
def drag(m, d):
    """reads qvel; writes qfrc_passive."""
    d.qfrc_passive[1] -= 3.0 * d.qvel[1]


@stage("fMDi")
def thrice(m, d, i):
    """reads ctrl. Returns a rate."""
    return 3.0 * d.ctrl[i]


@stage("fMDi")
def seven(m, d, i):
    """Returns a number."""
    return 7.0


@stage("iMDii")
def discard(m, d, g1, g2):
    """Returns 1: no contact is wanted."""
    return 1


@pytest.fixture
def rig():
    yield from quiet(RIG)


def test_stages(rig):
    m, d = rig
    for name, function in (
        ("control", steer),
        ("passive", drag),
        ("act_dyn", thrice),
        ("act_gain", seven),
        ("act_bias", seven),
        ("contactfilter", discard),
    ):
        getattr(tumble, f"set_mjcb_{name}")(function)
        assert getattr(tumble, f"get_mjcb_{name}")() is function
    d.time, d.qvel[1], d.act[0] = 1.5, 0.5, 2.0
    tumble.mj_forward(m, d)
    assert d.ctrl[0] == 3 and d.qfrc_passive[1] == -1.5 and d.act_dot[0] == 9
    assert d.actuator_force[0] == 7 * 2 + 7
    assert d.ncon == 0


def test_addresses_and_c_functions(rig):
    m, d = rig
    tumble.set_mjcb_act_gain(seven.address)
    d.act[0] = 2
    tumble.mj_forward(m, d)
    assert d.actuator_force[0] == 14
    kind = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)
    tumble.set_mjcb_act_gain(kind(seven.address))
    tumble.mj_forward(m, d)
    assert d.actuator_force[0] == 14


def test_threads_step_side_by_side(rig):
    m, _ = rig
    tumble.set_mjcb_control(steer)
    tumble.set_mjcb_act_dyn(thrice)
    tumble.set_mjcb_act_gain(seven)
    many = [tumble.MjData(m) for _ in range(4)]
    workers = [threading.Thread(target=tumble.mj_step, args=(m, d, 200)) for d in many]
    for w in workers:
        w.start()
    for w in workers:
        w.join()
    assert abs(many[0].qpos[1]) > 0.1
    for d in many[1:]:
        np.testing.assert_array_equal(d.qpos, many[0].qpos)
