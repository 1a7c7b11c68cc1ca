"""Histories of controls and sensors: what functions read from them, how they are filled, what is written,
and that they are a part of states.
"""

import copy

import numpy as np
import pytest

import tumble

ARM = """<mujoco><option timestep='.1'/><worldbody><body><joint name='j' type='slide'/><geom size='.1'/><site name='s'/>\
</body></worldbody>
  <actuator><motor joint='j' nsample='5' delay='.2' interp='linear' {actuator}/><motor joint='j'/></actuator>
  <sensor><clock {sensor}/><accelerometer site='s' nsample='4'/><clock nsample='2' interval='.3'/></sensor></mujoco>"""
TIMES, VALUES = np.array([0, 0.1, 0.3, 0.7, 0.8]), np.array([[1.0], [4], [2], [7], [3]])
# of 4.0.1: at a time what is held, and interpolated linearly and cubically
READ = (
    (-0.05, 1, 1, 1),
    (0.05, 1, 2.5, 2.4583333333333335),
    (0.1, 4, 4, 4),
    (0.2, 4, 3, 2.958333333333333),
    (0.3 - 1e-15, 2, 2, 2),
    (0.3 - 1e-12, 4, 2.00000000001, 2),
    (0.5, 2, 4.5, 4.65),
    (0.75, 7, 5, 5.025),
    (0.9, 3, 3, 3),
)
# sums in another order
ROUND = 1e-11


def load(actuator="", sensor=""):
    m = tumble.MjModel.from_xml_string(ARM.format(actuator=actuator, sensor=sensor))
    return m, tumble.MjData(m)


def test_controls_are_read():
    m, d = load()
    m.actuator_delay[0] = 0
    tumble.mj_initCtrlHistory(m, d, 0, TIMES, VALUES)
    assert list(d.history[:12]) == [0, 4, *TIMES, *VALUES[:, 0]]
    for time, *wanted in READ:
        for how, x in enumerate(wanted):
            result = np.zeros(1)
            assert abs(tumble.mj_readCtrl(m, d, 0, time, result, how)[0] - x) < ROUND, (time, how)
        assert tumble.mj_readCtrl(m, d, 0, time, result, -1)[0] == tumble.mj_readCtrl(m, d, 0, time, result, 1)[0]
    m.actuator_delay[0] = 0.15
    assert tumble.mj_readCtrl(m, d, 0, 0.2, result, 1)[0] == result[0] == pytest.approx(2.5)
    d.ctrl[1] = 9
    assert tumble.mj_readCtrl(m, d, 1, 0.2, result, 1)[0] == 9
    tumble.mj_initCtrlHistory(m, d, 0, None, VALUES[::-1].copy())
    assert list(d.history[:12]) == [0, 4, *TIMES, *VALUES[::-1, 0]]
    for message, args in (("out of range", (7, 0.1, result, 1)), ("actuator_ctrlnum", (0, 0.1, np.zeros(2), 1))):
        with pytest.raises(TypeError, match=message):
            tumble.mj_readCtrl(m, d, *args)
    for message, args in (("times should have length", (TIMES[:3], VALUES)), ("values should have shape", (TIMES, VALUES[:3]))):
        with pytest.raises(TypeError, match=message):
            tumble.mj_initCtrlHistory(m, d, 0, *args)
    with pytest.raises(tumble.FatalError, match=r"strictly increasing, got times\[0\]=0.8 >= times\[1\]=0.7"):
        tumble.mj_initCtrlHistory(m, d, 0, TIMES[::-1].copy(), VALUES)


def test_sensors_are_filled_and_read():
    m, d = load()
    tumble.mj_initSensorHistory(m, d, 1, np.arange(4.0), np.arange(12.0).reshape(4, 3), 0.5)
    assert list(d.history[12:30]) == [0.5, 3, 0, 1, 2, 3, *range(12)] and list(m.sensor_historyadr) == [-1, 12, 30]
    result = np.zeros(3)
    assert list(tumble.mj_readSensor(m, d, 1, 1.25, result, 1)) == list(result) == [3.75, 4.75, 5.75]
    assert list(tumble.mj_readSensor(m, d, 1, 1.25, result, 0)) == [3, 4, 5]
    assert list(d.history[30:]) == pytest.approx([-0.3, 1, -0.6, -0.3, 0, 0])
    with pytest.raises(TypeError, match="sensor_dim"):
        tumble.mj_readSensor(m, d, 1, 1.25, result[:2], 0)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"actuator": "nsample='0'"}, "delay needs"),
        ({"sensor": "delay='.1'"}, "delay needs"),
        ({"sensor": "nsample='2' interval='-1'"}, "negative"),
        ({"sensor": "nsample='2' interval='1 1'"}, "positive"),
        ({"sensor": "nsample='2' interval='1 -2'"}, "greater than -period"),
    ],
)
def test_faults(parts, message):
    text = ARM.replace("nsample='5' ", "") if "actuator" in parts else ARM
    with pytest.raises(ValueError, match=message):
        tumble.MjModel.from_xml_string(text.format_map({"actuator": "", "sensor": ""} | parts))


def test_they_are_written():
    m, _ = load(sensor="nsample='3' interval='.3 -.1' delay='.2' interp='cubic'")
    again = tumble.MjModel.from_xml_string(
        tumble.MjSpec.from_string(
            ARM.format(actuator="", sensor="nsample='3' interval='.3 -.1' delay='.2' interp='cubic'")
        ).to_xml()
    )
    for name in ("actuator_history", "actuator_delay", "sensor_history", "sensor_delay", "sensor_interval"):
        assert getattr(m, name).any() and np.array_equal(getattr(m, name), getattr(again, name)), name
    spec = tumble.MjSpec.from_string(ARM.format(actuator="", sensor=""))
    spec.actuators[1].nsample, spec.actuators[1].delay = 2, 0.1
    assert list(spec.compile().actuator_history[1]) == [2, 0]


def test_range_finders_and_cameras_are_written():
    text = """<mujoco><worldbody><site name='s'/><camera name='c' resolution='4 3' projection='orthographic'
    output='depth segmentation'/></worldbody><sensor>
      <rangefinder camera='c' data='dist normal'/><rangefinder site='s' data='point'/><rangefinder camera='c'/>
        <rangefinder site='s'/></sensor></mujoco>"""
    spec = tumble.MjSpec.from_string(text)
    m, again = spec.compile(), tumble.MjModel.from_xml_string(spec.to_xml())
    assert list(m.sensor_dim) == [48, 3, 12, 1] and list(m.cam_output) == [18] and list(m.cam_projection) == [1]
    for name in ("sensor_dim", "sensor_intprm", "sensor_objtype", "cam_output", "cam_orthographic"):
        assert np.array_equal(getattr(m, name), getattr(again, name)), name
    assert spec.sensors[0].get_data_size() == 48
    with pytest.raises(ValueError, match="order"):
        tumble.MjModel.from_xml_string(text.replace("dist normal", "normal dist"))
    with pytest.raises(ValueError, match="order"):
        tumble.MjModel.from_xml_string(text.replace("depth segm", "segmentation segm"))


def test_they_are_a_part_of_states():
    m, d = load(sensor="nsample='3' delay='.2'")
    d.ctrl[0] = 3
    tumble.mj_step(m, d, 2)
    state = np.zeros(tumble.mj_stateSize(m, tumble.mjtState.mjSTATE_FULLPHYSICS))
    tumble.mj_getState(m, d, state, tumble.mjtState.mjSTATE_FULLPHYSICS)
    other, same = tumble.MjData(m), copy.copy(d)
    tumble.mj_setState(m, other, state, tumble.mjtState.mjSTATE_FULLPHYSICS)
    other.ctrl[0] = 3
    for x in (d, other, same):
        tumble.mj_step(m, x, 3)
    assert d.history.any() and all(
        np.array_equal(x.history, d.history) and np.array_equal(x.qpos, d.qpos) for x in (other, same)
    )
    tumble.mj_resetData(m, d)
    assert np.array_equal(d.history, tumble.MjData(m).history) and not np.array_equal(d.history, other.history)
