"""The included actuator, passive and sensor plugins compared with MuJoCo's, and what they draw."""

import mujoco
import numpy as np
import pytest

import tumble
from tests.tolerance import ROUND, close

PID = """<mujoco><extension><plugin plugin="mujoco.pid"/></extension><option integrator="{integrator}"/><worldbody>
  <body><joint name="j" type="slide" axis="1 0 0" damping=".1"/><geom size=".1"/></body></worldbody>
  <actuator><plugin name="a" plugin="mujoco.pid" joint="j" ctrlrange="-1 1" {attributes}>{config}</plugin>\
</actuator></mujoco>"""
GAINS = dict(kp=40, ki=30, kd=3)
CONTROLLERS = {
    "p": ({"kp": 7}, ""),
    "pd": ({"kp": 7, "kd": 0.3}, ""),
    "pid": (GAINS, 'actdim="1"'),
    "bounded integral": (GAINS | {"imax": 2}, 'actdim="1"'),
    "slew": (GAINS | {"slewmax": 1.5}, 'actdim="2"'),
    "slew alone": ({"kp": 40, "slewmax": 1.5}, 'actdim="1"'),
    "filter": (GAINS, 'dyntype="filter" dynprm=".1" actdim="2"'),
    "exact": (GAINS, 'dyntype="filterexact" dynprm=".1" actdim="2"'),
    "early": (GAINS, 'dyntype="filterexact" dynprm=".1" actdim="2" actearly="true"'),
    "integrator": (GAINS | {"slewmax": 3}, 'dyntype="integrator" actdim="3" actrange="-.3 .3"'),
}


def both(xml):
    """(reference model and data, model and data), each compiled by its own compiler."""
    ref, m = mujoco.MjModel.from_xml_string(xml), tumble.MjModel.from_xml_string(xml)
    return ref, mujoco.MjData(ref), m, tumble.MjData(m)


def config(values):
    return "".join(f'<config key="{k}" value="{v}"/>' for k, v in values.items())


def pid_scene(name, integrator="Euler"):
    values, attributes = CONTROLLERS[name]
    return PID.format(attributes=attributes, config=config(values), integrator=integrator)


@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicitfast"])
@pytest.mark.parametrize("name", CONTROLLERS)
def test_pid_controls_like_the_reference(name, integrator):
    ref, ref_data, m, d = both(pid_scene(name, integrator))
    for k in range(200):
        ref_data.ctrl[0] = d.ctrl[0] = 1.4 * np.sin(k / 20)
        mujoco.mj_step(ref, ref_data)
        tumble.mj_step(m, d)
    assert np.abs(ref_data.qpos).max() > 1e-3
    for field in ("qpos", "qvel", "act", "actuator_force"):
        close(getattr(d, field), getattr(ref_data, field), ROUND, field)


@pytest.mark.parametrize(
    ("values", "attributes", "message"),
    [
        ({"imax": -1, "ki": 1}, 'actdim="1"', "negative imax"),
        ({"slewmax": -1}, 'actdim="1"', "slewmax must be non-negative"),
        ({"ki": 1}, "", 'Add actdim="1" to the actuator plugin element'),
        ({"ki": 1, "slewmax": 1}, 'dyntype="filter" actdim="2"', "has actdim 2, expected 3"),
        ({"kp": "strong"}, "", "attribute 'kp' is not a number: 'strong'"),
    ],
)
def test_bad_configurations_of_pid_are_refused_with_a_place(values, attributes, message):
    xml = PID.format(attributes=attributes, config=config(values), integrator="Euler")
    with pytest.raises(ValueError, match=message) as error:
        tumble.MjModel.from_xml_string(xml)
    assert "line 3" in str(error.value) and "mujoco.pid" in str(error.value)


# ---- cable ---------------------------------------------------------------------------------------------------------------
CABLE = """<mujoco><extension><plugin plugin="mujoco.elasticity.cable"/></extension><worldbody>
  <composite prefix="c" type="cable" curve="s cos(s) 0" count="12 1 1" size="1 .3 .5" initial="{initial}" offset="0 0 1">
    <plugin plugin="mujoco.elasticity.cable">{config}</plugin>
    <joint kind="main" damping=".02"/><geom type="{shape}" size=".02 .01 .01" density="2000"/></composite>\
</worldbody></mujoco>"""


@pytest.mark.parametrize("shape", ["capsule", "cylinder", "box"])
@pytest.mark.parametrize("initial", ["free", "none"])
@pytest.mark.parametrize("flat", ["true", "false"])
def test_cables_move_like_the_reference(shape, initial, flat):
    xml = CABLE.format(shape=shape, initial=initial, config=config({"twist": 1e6, "bend": 4e6, "flat": flat}))
    ref, ref_data, m, d = both(xml)
    # a free cable would fall without being bent
    d.qvel[-12:] = ref_data.qvel[-12:] = 1
    for _ in range(100):
        mujoco.mj_step(ref, ref_data)
        tumble.mj_step(m, d)
    assert np.abs(ref_data.qfrc_passive).max() > 1e-6
    close(d.qfrc_passive, ref_data.qfrc_passive, ROUND * 1e3, "qfrc_passive: rounding grows over 100 steps")
    close(d.qpos, ref_data.qpos, ROUND, "qpos")


def test_a_cable_at_rest_has_no_force():
    m = tumble.MjModel.from_xml_string(CABLE.format(shape="box", initial="none", config=config({"twist": 1e6, "bend": 4e6})))
    d = tumble.MjData(m)
    tumble.mj_forward(m, d)
    assert np.abs(d.qfrc_passive).max() < ROUND


def test_stress_colours_a_cable_as_in_the_reference():
    ref, ref_data, m, d = both(
        CABLE.format(shape="capsule", initial="none", config=config({"twist": 1e6, "bend": 4e6, "vmax": 0.6}))
    )
    own = m.geom_rgba.copy()
    for _ in range(60):
        mujoco.mj_step(ref, ref_data)
        tumble.mj_step(m, d)
    # a copy is drawn like its source
    other = tumble.MjData(m)
    tumble.mj_copyData(other, m, d)
    for data in (d, other):
        m.geom_rgba[:] = own
        mujoco.mjv_updateScene(ref, ref_data, mujoco.MjvOption(), None, mujoco.MjvCamera(), 7, mujoco.MjvScene(ref, 100))
        tumble.mjv_updateScene(m, data, tumble.MjvOption(), None, tumble.MjvCamera(), 7, tumble.MjvScene(m, 100))
        assert len(np.unique(ref.geom_rgba[:, :3], axis=0)) > 5
        close(m.geom_rgba, ref.geom_rgba, 1e-5, "colours are in single precision")


@pytest.mark.parametrize(
    ("values", "message"), [({"twist": "stiff"}, "attribute 'twist' is not a number"), ({"twits": 1}, "did you mean 'twist'")]
)
def test_bad_configurations_of_cables(values, message):
    with pytest.raises(ValueError, match=message):
        tumble.MjModel.from_xml_string(CABLE.format(shape="box", initial="none", config=config(values)))


# ---- touch grid ------------------------------------------------------------------------------------------------------------
GRID = """<mujoco><extension><plugin plugin="mujoco.sensor.touch_grid"/></extension><worldbody>
  <geom name="floor" type="plane" size="2 2 .1" friction=".6 .02 .01" condim="6"/>
  <body name="hand" pos="0 0 .1"><joint type="slide" axis="0 0 1"/><joint type="slide" axis="1 0 0"/>
    <geom type="box" size=".2 .15 .1"/><body pos=".1 0 0"><geom type="box" size=".2 .1 .1"/></body>\
<site name="eye" pos="0 0 .3" euler="{euler}"/></body>
  <body pos=".02 .03 .25" euler="20 10 0"><freejoint/><geom type="box" size=".05 .08 .06" condim="4"/></body></worldbody>
  <sensor><plugin name="grid" plugin="mujoco.sensor.touch_grid" objtype="{objtype}" objname="{objname}">{config}</plugin>\
</sensor></mujoco>"""
LOOK = {"size": "7 7", "fov": "45 45"}


def grid_scene(values, euler="0 0 0", objtype="site", objname="eye"):
    return GRID.format(config=config(values), euler=euler, objtype=objtype, objname=objname)


@pytest.mark.parametrize(
    "values",
    [LOOK, LOOK | {"nchannel": 6, "gamma": 0.4}, {"size": "3 8", "fov": "180 90", "nchannel": 3, "gamma": 1}],
    ids=["normal force", "fovea, all channels", "wide"],
)
@pytest.mark.parametrize("euler", ["0 0 0", "25 -10 40"])
def test_a_touch_grid_feels_like_the_reference(values, euler):
    ref, ref_data, m, d = both(grid_scene(values, euler))
    assert m.nsensordata == ref.nsensordata and m.sensor_needstage[0] == ref.sensor_needstage[0]
    felt = 0
    for _ in range(120):
        d.qpos[:], d.qvel[:], d.qacc_warmstart[:] = ref_data.qpos, ref_data.qvel, ref_data.qacc_warmstart
        mujoco.mj_step(ref, ref_data)
        tumble.mj_step(m, d)
        felt += np.abs(ref_data.sensordata).max() > 0
        # contact forces of an iterative solver
        close(d.sensordata, ref_data.sensordata, 1e-8, "sensordata")
    assert felt > 30


def test_the_boxes_of_a_touch_grid():
    ref, ref_data, m, d = both(grid_scene(LOOK | {"nchannel": 3}, "25 -10 40"))
    for _ in range(100):
        mujoco.mj_step(ref, ref_data)
    d.qpos[:], d.qvel[:], d.qacc_warmstart[:] = ref_data.qpos, ref_data.qvel, ref_data.qacc_warmstart
    mujoco.mj_forward(ref, ref_data)
    tumble.mj_forward(m, d)
    scenes = []
    for package, model, data in ((mujoco, ref, ref_data), (tumble, m, d)):
        scene = package.MjvScene(model, 100)
        package.mjv_updateScene(model, data, package.MjvOption(), None, package.MjvCamera(), 7, scene)
        scenes.append(scene)
    mine, theirs = (
        [g for g in list(s.geoms)[: s.ngeom] if g.category == 4 and g.type == mujoco.mjtGeom.mjGEOM_BOX] for s in scenes[::-1]
    )
    assert len(mine) == len(theirs) > 2
    for g, h in zip(mine, theirs, strict=True):
        for name in ("pos", "size", "mat", "rgba"):
            close(getattr(g, name), getattr(h, name), 1e-5, f"{name}: scenes are in single precision")


@pytest.mark.parametrize(
    ("scene", "message"),
    [
        (grid_scene({"fov": "45 45"}), "resolutions must be specified"),
        (grid_scene(LOOK | {"size": "0 4"}), "resolutions must be positive"),
        (grid_scene(LOOK | {"size": "7"}), "resolutions must be specified"),
        (grid_scene(LOOK | {"size": "a b"}), "'size' does not hold numbers"),
        (grid_scene({"size": "7 7"}), "fields of view must be specified"),
        (grid_scene(LOOK | {"fov": "200 45"}), r"fov\[0\]"),
        (grid_scene(LOOK | {"fov": "45 100"}), r"fov\[1\]"),
        (grid_scene(LOOK | {"gamma": 2}), "gamma"),
        (grid_scene(LOOK | {"nchannel": 7}), "nchannel must be between 1 and 6"),
        (grid_scene(LOOK, objtype="body", objname="hand"), "must be attached to a site"),
    ],
)
def test_bad_configurations_of_touch_grids(scene, message):
    with pytest.raises(ValueError, match=message) as error:
        tumble.MjModel.from_xml_string(scene)
    assert "line" in str(error.value)


# ---- many Data at once ---------------------------------------------------------------------------------------------------
def test_rollouts_of_compiled_plugins_in_threads():
    xml = CABLE.format(shape="capsule", initial="free", config=config({"twist": 1e6, "bend": 4e6}))
    m = tumble.MjModel.from_xml_string(xml)
    d = tumble.MjData(m)
    start = np.zeros((4, 1 + m.nq + m.nv))
    tumble.mj_getState(m, d, start[0], tumble.mjtState.mjSTATE_FULLPHYSICS)
    start[1:] = start[0]
    start[:, -3:] = np.random.default_rng(0).normal(size=(4, 3))
    threads = [tumble.MjData(m), tumble.MjData(m)]
    together, _ = tumble.rollout.rollout(m, threads, start, nstep=30)
    for k in range(4):
        alone, _ = tumble.rollout.rollout(m, tumble.MjData(m), start[k : k + 1], nstep=30)
        assert np.array_equal(alone[0], together[k])
