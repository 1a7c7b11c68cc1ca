"""Plugins of users: written in Python, compiled, and what goes wrong in them."""

import copy
import ctypes
import gc
import pickle

import mujoco
import numpy as np
import pytest

import tumble
from tests.plugins.compiled import drag_forces, half_field, half_gradient, half_static
from tests.tolerance import ROUND, close
from tumble.engine import mjtPluginCapabilityBit as Can
from tumble.engine.core import stages
from tumble.engine.tables import stage_rows

XML = """<mujoco><extension><plugin plugin="{name}"/></extension><option gravity="0 0 0"/><worldbody>
  <body><joint name="j" type="slide" axis="1 0 0"/><geom size=".1" mass="2"/><site name="s"/>{body}</body>
    </worldbody>{rest}</mujoco>"""
ACTUATOR = '<actuator><plugin plugin="{name}" joint="j" {attributes}>{config}</plugin></actuator>'
SENSOR = '<sensor><plugin plugin="{name}" objtype="site" objname="s"/></sensor>'


@pytest.fixture(scope="module", autouse=True)
def loaded():
    """A pass that waits for a kernel begins again and calls again: not here, where calls are counted."""
    for name in stage_rows.names():
        stages.ensure(name)


def model(plugin, rest="", body="", **words):
    """Model that uses a plugin, registered first."""
    tumble.mjp_registerPlugin(plugin)
    words = {"name": plugin.name, "attributes": "", "config": ""} | words
    return tumble.MjModel.from_xml_string(XML.format(name=plugin.name, rest=rest.format(**words), body=body.format(**words)))


def count_calls(name, capability, **members):
    """(plugin, list of the names of its functions as they are called)"""
    calls = []

    def record(key):
        def function(*args):
            calls.append(key)

        return function

    keys = ("init", "destroy", "copy", "reset", "compute", "advance", "visualize", "actuator_act_dot")
    functions = {k: record(k) for k in keys} | members
    return tumble.mjpPlugin(name, (), capability, **functions), calls


# ---- written in Python -----------------------------------------------------------------------------------------------------
def test_a_stateful_actuator():
    def compute(m, d, instance, bit):
        assert bit == Can.mjPLUGIN_ACTUATOR
        gain = float(tumble.mj_getPluginConfig(m, instance, "gain"))
        for i in np.flatnonzero(m.actuator_plugin == instance):
            d.actuator_force[i] = gain * d.ctrl[i] - d.plugin_state[m.plugin_stateadr[instance]]

    def advance(m, d, instance):
        d.plugin_state[m.plugin_stateadr[instance]] += m.opt.timestep * abs(d.ctrl[0])

    def reset(m, state, data, instance):
        state[:] = 0.5, 7

    m = model(
        tumble.mjpPlugin(
            "tests.motor", ("gain",), Can.mjPLUGIN_ACTUATOR, nstate=2, compute=compute, advance=advance, reset=reset
        ),
        ACTUATOR,
        config='<config key="gain" value="3"/>',
    )
    d = tumble.MjData(m)
    assert m.npluginstate == 2 and m.plugin_statenum[0] == 2 and d.plugin_state.tolist() == [0.5, 7]
    state = tumble.mj_stateSize(m, tumble.mjtState.mjSTATE_PLUGIN)
    assert state == 2
    d.ctrl[0], heat, v = 2, 0.5, 0.0
    for _ in range(10):
        tumble.mj_step(m, d)
        # force from the state before the step, then both move on
        v += m.opt.timestep * (3 * 2 - heat) / 2
        heat += m.opt.timestep * 2
        close(d.qvel[0], v, ROUND, "velocity")
        close(d.plugin_state[0], heat, ROUND, "state")
    other = copy.copy(d)
    assert other.plugin_state[0] == d.plugin_state[0]
    assert pickle.loads(pickle.dumps(d)).plugin_state.tolist() == d.plugin_state.tolist()
    tumble.mj_resetData(m, d)
    assert d.plugin_state.tolist() == [0.5, 7] != other.plugin_state.tolist()


def test_activations_of_an_actuator():
    def rates(m, d, instance):
        d.act_dot[0] = d.ctrl[0] - d.act[0]

    def compute(m, d, instance, bit):
        d.actuator_force[0] = d.act[0]

    m = model(
        tumble.mjpPlugin("tests.lag", (), Can.mjPLUGIN_ACTUATOR, actuator_act_dot=rates, compute=compute),
        ACTUATOR,
        attributes='actdim="1"',
    )
    d, act = tumble.MjData(m), 0.0
    d.ctrl[0] = 1
    for _ in range(20):
        tumble.mj_step(m, d)
        act += m.opt.timestep * (1 - act)
    close(d.act[0], act, ROUND, "act")


@pytest.mark.parametrize("stage", ["POS", "VEL", "ACC"])
def test_a_sensor_is_computed_after_the_stage_that_it_needs(stage):
    def compute(m, d, instance, bit):
        assert bit == Can.mjPLUGIN_SENSOR
        d.sensordata[:] = d.qpos[0], d.qvel[0], d.qacc[0]

    p = tumble.mjpPlugin(
        f"tests.sensor.{stage}",
        (),
        Can.mjPLUGIN_SENSOR,
        tumble.mjtStage[f"mjSTAGE_{stage}"],
        compute=compute,
        nsensordata=lambda m, instance, sensor: 3 * int(m.sensor_plugin[sensor] == instance),
    )
    m = model(p, SENSOR)
    assert m.sensor_dim[0] == 3 and m.sensor_needstage[0] == tumble.mjtStage[f"mjSTAGE_{stage}"]
    d = tumble.MjData(m)
    d.qpos[0], d.qvel[0], d.qfrc_applied[0] = 1, 2, 6
    tumble.mj_forward(m, d)
    known = {"POS": 2, "VEL": 2, "ACC": 3}[stage]
    assert d.sensordata[:known].tolist() == [1, 2, 3][:known]
    # the acceleration of the stage before is not that of this state
    assert (d.sensordata[2] == 3) == (stage == "ACC")


def test_the_life_of_an_instance():
    p, calls = count_calls("tests.life", Can.mjPLUGIN_PASSIVE)
    m = model(p, body='<plugin plugin="{name}"/>')
    gc.collect()
    calls.clear()
    d = tumble.MjData(m)
    assert calls == ["init", "reset"]
    tumble.mj_step(m, d)
    assert calls[2:] == ["compute", "advance"]
    del calls[:]
    e = copy.copy(d)
    assert calls == ["init", "copy"]
    tumble.mjv_updateScene(m, d, tumble.MjvOption(), None, tumble.MjvCamera(), 7, tumble.MjvScene(m, 10))
    assert calls[2:] == ["visualize"]
    del calls[:], e
    gc.collect()
    assert calls == ["destroy"]
    m.opt.integrator = tumble.mjtIntegrator.mjINT_RK4
    tumble.mj_step(m, d)
    assert calls[1:] == ["compute"] * 4 + ["advance"]


def test_instances_keep_objects_and_arrays():
    made = {}

    def init(m, d, instance):
        made[instance] = np.arange(3.0) if instance else {"n": 0}
        return made[instance]

    p = tumble.mjpPlugin("tests.objects", (), Can.mjPLUGIN_PASSIVE, init=init, compute=lambda m, d, i, bit: None)
    m = model(p, body='<plugin plugin="{name}"/><body><joint type="slide"/><geom size=".1"/><plugin plugin="{name}"/></body>')
    d = tumble.MjData(m)
    assert d.plugin_object(0) is made[0] and d.plugin_object(1) is made[1]
    assert d.plugin_data.tolist() == [0, made[1].ctypes.data] and d.plugin.tolist() == m.plugin.tolist()
    # neither a reset nor a copy takes them away
    tumble.mj_resetData(m, d)
    address, other = d.plugin_data[1], tumble.MjData(m)
    tumble.mj_copyData(d, m, other)
    assert d.plugin_data[1] == address != other.plugin_data[1]
    with pytest.raises(IndexError, match="out of range for 2"):
        d.plugin_object(2)


# ---- compiled --------------------------------------------------------------------------------------------------------------
def drag(m, d, instance, bit):
    d.qfrc_passive[0] -= float(tumble.mj_getPluginConfig(m, instance, "c")) * d.qvel[0]


def test_compiled_and_python_functions_agree():
    results = []
    for name, compute in (
        ("python", drag),
        ("stage", drag_forces),
        ("address", drag_forces.address),
        ("ctypes", ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * 4)(drag_forces.address)),
    ):
        p = tumble.mjpPlugin(
            f"tests.drag.{name}",
            ("c",),
            Can.mjPLUGIN_PASSIVE,
            compute=compute,
            init=lambda m, d, i: np.array([float(tumble.mj_getPluginConfig(m, i, "c"))]),
        )
        m = model(p, body='<plugin plugin="{name}"><config key="c" value="1.5"/></plugin>')
        d = tumble.MjData(m)
        d.qvel[0] = 1
        tumble.mj_step(m, d, nstep=100)
        results.append(d.qvel[0])
    assert results[0] < 0.95 and len(set(results)) == 1


@pytest.mark.parametrize("kind", ["python", "compiled"])
def test_a_field_of_a_user(kind):
    def distance(point, d, instance):
        return half_space(point)

    def gradient(out, point, d, instance):
        out[2] = 1

    def half_space(point, attributes=None):
        return max(point[2], np.abs(point[:2]).max() - 0.5, -0.2 - point[2])

    def box(aabb, attributes):
        aabb[:] = 0, 0, -0.1, 0.6, 0.6, 0.15

    functions = dict(
        python=dict(sdf_distance=distance, sdf_gradient=gradient, sdf_staticdistance=half_space),
        compiled=dict(sdf_distance=half_field, sdf_gradient=half_gradient, sdf_staticdistance=half_static),
    )[kind]
    p = tumble.mjpPlugin(f"tests.slab.{kind}", (), Can.mjPLUGIN_SDF, sdf_aabb=box, **functions)
    tumble.mjp_registerPlugin(p)
    m = tumble.MjModel.from_xml_string(f"""<mujoco><extension><plugin plugin="{p.name}"/></extension><asset><mesh name="m">\
<plugin plugin="{p.name}"/></mesh></asset>
      <worldbody><geom type="sdf" mesh="m"><plugin plugin="{p.name}"/></geom><body pos="0 0 .15"><freejoint/><geom size=".2"/>\
</body></worldbody></mujoco>""")
    # a slab of 1 x 1 x .2
    assert abs(np.ptp(m.mesh_vert[:, 0]) - 1) < 2e-2 and abs(np.ptp(m.mesh_vert[:, 2]) - 0.2) < 2e-2
    d = tumble.MjData(m)
    tumble.mj_step(m, d)
    # from points that the descent left near the deepest one, all roughly along the slab's normal
    assert d.ncon > 0 and d.contact.frame[:, 2].max() < -0.95
    assert (
        abs(tumble.mj_ray(m, d, np.array([0.4, 0.4, 1]), np.array([0, 0, -1.0]), None, 1, -1, np.zeros(1, np.int32)) - 1) < 1e-6
    )


# ---- errors ----------------------------------------------------------------------------------------------------------------
class Boom(Exception):
    """An error of a plugin."""


def fail(*args):
    raise Boom("the plugin failed")


@pytest.mark.parametrize("key", ["compute", "advance", "reset", "actuator_act_dot"])
def test_errors_of_functions_reach_the_caller(key):
    p, _ = count_calls(f"tests.error.{key}", Can.mjPLUGIN_ACTUATOR)
    armed = []
    setattr(p, key, lambda *args: fail() if armed else None)
    m = model(p, ACTUATOR)
    d = tumble.MjData(m)
    armed.append(1)
    with pytest.raises(Boom, match="the plugin failed"):
        tumble.mj_resetData(m, d) if key == "reset" else tumble.mj_step(m, d)
    armed.clear()
    tumble.mj_step(m, d)


@pytest.mark.parametrize("key", ["sdf_distance", "sdf_gradient"])
def test_errors_of_fields_reach_the_caller(key):
    functions = {"sdf_distance": lambda x, d, i: x[2], "sdf_gradient": lambda g, x, d, i: None} | {key: fail}
    p = tumble.mjpPlugin(
        f"tests.error.{key}",
        (),
        Can.mjPLUGIN_SDF,
        sdf_staticdistance=half_static,
        sdf_aabb=lambda b, a: b.__setitem__(slice(3, 6), 1),
        **functions,
    )
    tumble.mjp_registerPlugin(p)
    m = tumble.MjModel.from_xml_string(f"""<mujoco><extension><plugin plugin="{p.name}"/></extension><asset><mesh name="m">\
<plugin plugin="{p.name}"/></mesh></asset>
      <worldbody><geom type="sdf" mesh="m"><plugin plugin="{p.name}"/></geom><body><freejoint/><geom size=".2"/></body>\
</worldbody></mujoco>""")
    with pytest.raises(Boom):
        tumble.mj_forward(m, tumble.MjData(m))


def test_an_instance_that_cannot_be_set_up_is_refused_with_a_place():
    p, _ = count_calls("tests.error.init", Can.mjPLUGIN_PASSIVE, init=fail)
    with pytest.raises(ValueError, match="init failed for plugin id 0 .*the plugin failed") as error:
        model(p, body='<plugin plugin="{name}"/>')
    assert "line" in str(error.value)


@pytest.mark.parametrize(
    ("members", "message"),
    [
        (dict(nstate=-1), "nstate of plugin .* is negative: -1"),
        (dict(nstate=lambda m, i: "many"), "nstate of plugin .* failed"),
        (dict(nstate=fail), "nstate of plugin .* failed: the plugin failed"),
        (dict(nsensordata=-2), "nsensordata of plugin .* is negative"),
        (dict(nsensordata=fail), "nsensordata of plugin .* failed"),
    ],
)
def test_sizes_that_make_no_sense(members, message, request):
    p, _ = count_calls(f"tests.size.{request.node.callspec.id}", Can.mjPLUGIN_SENSOR, **{"nsensordata": 1} | members)
    with pytest.raises(ValueError, match=message) as error:
        model(p, SENSOR)
    assert "line" in str(error.value)


def test_a_plugin_only_does_what_it_can():
    p, _ = count_calls("tests.passive.only", Can.mjPLUGIN_PASSIVE)
    with pytest.raises(ValueError, match="'tests.passive.only' does not support actuators"):
        model(p, ACTUATOR)


UNKNOWN = XML.format(name="tests.unknown", body="", rest="")


def test_unknown_plugins_are_refused():
    with pytest.raises(ValueError, match="tests.unknown"):
        tumble.MjModel.from_xml_string(UNKNOWN)
    with pytest.raises(ValueError):
        mujoco.MjModel.from_xml_string(UNKNOWN)


def test_a_model_whose_plugin_is_not_registered_cannot_be_run():
    p, _ = count_calls("tests.slot", Can.mjPLUGIN_PASSIVE)
    m = model(p, body='<plugin plugin="{name}"/>')
    m.plugin[0] = 1000
    with pytest.raises(tumble.FatalError, match="invalid plugin slot: 1000"):
        tumble.MjData(m)
