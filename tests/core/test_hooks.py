"""Callbacks: called with the objects, errors pass through, nothing stays behind."""

import numpy as np
import pytest

import tumble
from tests.api.models import RIG
from tests.core.quiet import quiet

USER = """
<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/>
  <body pos="0 0 .09"><joint type="slide" axis="0 0 1"/><joint name="x" type="slide" axis="1 0 0"/>
    <geom name="ball" size=".1"/></body></worldbody>
  <actuator><general joint="x" dyntype="user" gaintype="user" biastype="user" actdim="1"/></actuator>
  <sensor><user objtype="geom" objname="floor" datatype="real" needstage="vel" dim="1"/></sensor></mujoco>"""


@pytest.fixture
def rig():
    yield from quiet(RIG)


@pytest.fixture
def user():
    m = tumble.MjModel.from_xml_string(USER)
    yield m, tumble.MjData(m)
    tumble.mj_resetCallbacks()


def test_control(rig):
    m, d = rig
    seen = []

    def control(model, data):
        assert model is m and data is d
        seen.append(data.time)
        data.ctrl[:] = 0.5

    tumble.set_mjcb_control(control)
    assert tumble.get_mjcb_control() is control
    tumble.mj_step(m, d, 3)
    assert seen == [0.0, m.opt.timestep, 2 * m.opt.timestep]
    np.testing.assert_array_equal(d.ctrl, 0.5)
    tumble.set_mjcb_control(None)
    assert tumble.get_mjcb_control() is None
    tumble.mj_step(m, d)
    assert len(seen) == 3


def test_passive(rig):
    m, d = rig
    tumble.mj_forward(m, d)
    before = d.qfrc_passive.copy()

    def passive(model, data):
        data.qfrc_passive[:] += 2

    tumble.set_mjcb_passive(passive)
    tumble.mj_forward(m, d)
    np.testing.assert_allclose(d.qfrc_passive - before, 2, rtol=1e-12)


@pytest.mark.parametrize("name", ["control", "passive", "sensor", "time", "contactfilter", "act_dyn", "act_gain", "act_bias"])
def test_errors_pass_through(user, name):
    m, d = user

    def fail(*args):
        raise KeyError(name, args[2:])

    getattr(tumble, f"set_mjcb_{name}")(fail)
    for call in (tumble.mj_forward, tumble.mj_step):
        with pytest.raises(KeyError, match=name):
            call(m, d)
    getattr(tumble, f"set_mjcb_{name}")(None)
    tumble.mj_step(m, d)


def test_actuator_functions(user):
    m, d = user
    tumble.set_mjcb_act_dyn(lambda model, data, i: 3.0 + i)
    tumble.set_mjcb_act_gain(lambda model, data, i: 2.0)
    tumble.set_mjcb_act_bias(lambda model, data, i: -1.0)
    d.act[:] = 5
    tumble.mj_forward(m, d)
    assert d.act_dot[0] == 3 and d.actuator_force[0] == 2 * 5 - 1
    tumble.set_mjcb_act_bias(lambda model, data, i: "much")
    with pytest.raises(TypeError, match="mjcb_act_bias callback did not return a number"):
        tumble.mj_forward(m, d)


def test_sensor(user):
    m, d = user

    def sensor(model, data, stage):
        if stage == tumble.mjtStage.mjSTAGE_VEL:
            data.sensordata[0] = 17

    tumble.set_mjcb_sensor(sensor)
    tumble.mj_forward(m, d)
    assert d.sensordata[0] == 17


def test_contact_filter(user):
    m, d = user
    tumble.mj_forward(m, d)
    assert d.ncon == 1
    pairs = []

    def discard(model, data, g1, g2):
        pairs.append((g1, g2))
        return 1

    tumble.set_mjcb_contactfilter(discard)
    tumble.mj_forward(m, d)
    assert d.ncon == 0 and pairs == [(0, 1)]


def test_time(rig):
    m, d = rig
    ticks = iter(range(10**6))
    tumble.set_mjcb_time(lambda: next(ticks))
    tumble.mj_forward(m, d)
    number = tumble.mjtTimer.mjTIMER_FORWARD
    assert d.timer[number].duration >= 1 and float(d.timer[number].duration).is_integer()
    tumble.set_mjcb_time(lambda: "late")
    with pytest.raises(TypeError, match="mjcb_time callback did not return a number"):
        tumble.mj_forward(m, d)


def test_not_callable():
    for bad in (1, "text", [1]):
        with pytest.raises(TypeError, match="callback is not an Optional"):
            tumble.set_mjcb_control(bad)
