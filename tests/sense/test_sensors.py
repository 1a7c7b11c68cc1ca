"""Sensors against the reference, and the sensor table against the reference's compiled models."""

import mujoco
import numpy as np
import pytest

from tests.mirror import difference, mirror, random_state
from tests.oracle import load_pair
from tests.tolerance import ITER, ROUND
from tumble.engine.core import stages
from tumble.engine.sense.catalog import BY_TYPE, SENSORS, contact_size, sensor_dim

from .models import PLAIN, frame_sensors, sensing_model

STAGES = "sensor_pos sensor_vel sensor_acc".split()


def sense(pair):
    """Run the three stages on mirrored inputs, everything they can compute poisoned; {sensor type: largest difference}."""
    ref, ref_data, m, d = pair
    mirror(ref_data, d)
    d.poison("sensordata", "subtree_linvel", "subtree_angmom", "cacc", "cfrc_int", "cfrc_ext", "energy")
    for name in STAGES:
        stages.call(name, m, d)
    worst = {}
    for i in range(ref.nsensor):
        part = slice(ref.sensor_adr[i], ref.sensor_adr[i] + ref.sensor_dim[i])
        kind = BY_TYPE[int(ref.sensor_type[i])].name
        worst[kind] = max(worst.get(kind, 0), difference(d.sensordata[part], ref_data.sensordata[part]))
    return worst


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("sensors", [PLAIN, frame_sensors()])
def test_sensors(sensors, seed):
    pair = load_pair(sensing_model(sensors))
    random_state(*pair[:2], seed, 0.5)
    worst = sense(pair)
    assert max(worst.values()) <= ROUND, worst


def test_limit_sensors_read_active_limits():
    pair = load_pair(sensing_model(PLAIN))
    ref, ref_data, m, d = pair
    ref_data.joint("elbow").qpos, ref_data.joint("lift").qpos = 1.2, 0.35
    ref_data.qvel[:] = 0.3
    mujoco.mj_forward(ref, ref_data)
    worst = sense(pair)
    assert max(worst.values()) <= ROUND, worst
    for kind in ("jointlimitpos", "jointlimitvel", "jointlimitfrc", "tendonlimitpos", "tendonlimitfrc"):
        rows = [i for i in range(ref.nsensor) if ref.sensor_type[i] == SENSORS[kind].type]
        assert any(d.sensordata[ref.sensor_adr[i]] != 0 for i in rows), kind


@pytest.mark.parametrize("cutoff", [0.01, 0.5])
def test_cutoff_bounds_sensors_by_their_data_type(cutoff):
    pair = load_pair(sensing_model(PLAIN))
    ref, ref_data, m, _ = pair
    ref.sensor_cutoff[:] = m.sensor_cutoff = cutoff
    random_state(ref, ref_data, 1)
    worst = sense(pair)
    assert max(worst.values()) <= ROUND, worst
    real = ref.sensor_datatype == mujoco.mjtDataType.mjDATATYPE_REAL
    for i in np.flatnonzero(real):
        assert np.abs(pair[3].sensordata[ref.sensor_adr[i] : ref.sensor_adr[i] + ref.sensor_dim[i]]).max() <= cutoff


def test_disabled_sensors_keep_their_values():
    ref, ref_data, m, d = load_pair(sensing_model(PLAIN))
    m.opt.disableflags = ref.opt.disableflags = int(mujoco.mjtDisableBit.mjDSBL_SENSOR)
    random_state(ref, ref_data)
    mirror(ref_data, d)
    d.sensordata = ref_data.sensordata = 123
    mujoco.mj_forward(ref, ref_data)
    for name in STAGES:
        stages.call(name, m, d)
    assert (ref_data.sensordata == 123).all() and (d.sensordata == 123).all()


def test_lazy_results_are_only_computed_for_sensors_that_need_them():
    ref, ref_data, m, d = load_pair(sensing_model('<jointpos joint="elbow"/><gyro site="a1"/><actuatorfrc actuator="hinge"/>'))
    random_state(ref, ref_data)
    mirror(ref_data, d)
    fields = "subtree_linvel subtree_angmom cacc cfrc_int cfrc_ext energy".split()
    d.poison(*fields)
    for name in STAGES:
        stages.call(name, m, d)
    assert all(np.isnan(d.array(n)).all() for n in fields)


SLEEPY = """<mujoco><option gravity="0 0 0"><flag sleep="enable"/></option><worldbody><site name="still"/>
    <body name="a" sleep="init"><joint name="ja"/><geom size=".1"/><site name="sa" pos=".1 0 0"/></body>
    <body name="b" pos="1 0 0"><joint name="jb"/><geom size=".1"/><site name="sb" pos=".1 .1 .1"/></body></worldbody>
  <tendon><spatial name="near"><site site="sa"/><site site="sb"/></spatial><fixed name="far"><joint joint="ja" coef="2"/>\
</fixed></tendon>
  <actuator><motor name="ma" joint="ja"/><motor name="mt" tendon="near"/></actuator>
  <sensor><jointpos joint="ja"/><jointpos joint="jb"/><tendonpos tendon="near"/><tendonpos tendon="far"/>\
<actuatorpos actuator="ma"/>
    <actuatorpos actuator="mt"/><gyro site="sa"/><gyro site="sb"/><gyro site="still"/><clock/><user dim="1"/>
    <framepos objtype="site" objname="sa" reftype="site" refname="sb"/>\
<framepos objtype="site" objname="sa" reftype="site" refname="still"/>
    <framepos objtype="site" objname="still"/></sensor></mujoco>"""


def test_sleeping_sensors_keep_their_values():
    pair = load_pair(SLEEPY)
    ref, ref_data, m, d = pair
    mujoco.mj_forward(ref, ref_data)
    assert ref_data.ntree_awake == 1
    ref_data.qvel[1] = 2
    ref_data.time = 7
    ref_data.sensordata = 123
    mujoco.mj_forward(ref, ref_data)
    mirror(ref_data, d)
    d.sensordata = 123
    for name in STAGES:
        stages.call(name, m, d)
    assert (ref_data.sensordata == 123).any()
    assert difference(d.sensordata, ref_data.sensordata) <= ROUND


PILE = """<mujoco><option cone="CONE"/><worldbody><geom name="floor" type="plane" size="5 5 .1"/>
    <site name="zone" type="box" size=".5 5 5"/>
    <body name="tower"><freejoint/><geom name="t0" type="box" size=".1 .1 .1" pos="0 0 .099"/>
      <body name="top"><joint axis="0 1 0"/><geom name="t1" type="sphere" size=".1" pos=".6 0 .099" condim="6"/></body></body>
    <body name="ball" pos="0.02 .03 .298"><freejoint/><geom name="b0" type="sphere" size=".1" condim="4"/></body></worldbody>
  <sensor>SENSORS</sensor></mujoco>"""
WHO = [
    "",
    'geom1="floor"',
    'geom1="t0"',
    'geom2="floor"',
    'geom1="b0" geom2="t0"',
    'geom1="t0" geom2="b0"',
    'body1="tower"',
    'body2="ball"',
    'subtree1="tower"',
    'subtree1="tower" subtree2="ball"',
    'subtree2="tower" body1="world"',
    'site="zone"',
    'site="zone" body2="ball"',
    'site="zone" geom2="t0"',
]
DATA = ["found force torque dist pos normal tangent", "found", "force", "torque dist", "pos tangent", "normal"]


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("reduce", ["none", "mindist", "maxforce", "netforce"])
def test_contact_sensors(reduce, cone):
    rows = "".join(
        f'<contact {who} reduce="{reduce}" num="{num}" data="{data}"/>' for who in WHO for data in DATA for num in (1, 3, 20)
    )
    pair = load_pair(PILE.replace("SENSORS", rows).replace("CONE", cone))
    ref, ref_data, *_ = pair
    for step in range(3):
        mujoco.mj_step(ref, ref_data)
        mujoco.mj_forward(ref, ref_data)
        assert ref_data.ncon >= 5
        worst = sense(pair)
        assert worst["contact"] <= ROUND, step
    found = [ref_data.sensordata[ref.sensor_adr[i]] for i in range(0, ref.nsensor, 3 * len(DATA))]
    assert all(found), found


APART = """<mujoco><worldbody>
    <body name="a" pos="0 0 1" euler="10 20 30"><freejoint/><geom name="a0" type="box" size=".1 .2 .3"/>
      <geom name="a1" type="capsule" size=".1 .2" pos=".3 0 0"/></body>
    <body name="b" pos=".9 0 1" euler="30 10 -20"><freejoint/><geom name="b0" type="cylinder" size=".1 .2"/>
      <geom name="b1" type="sphere" size=".15" pos="0 .3 0"/></body>
    <body name="c" pos="0 .9 .9"><freejoint/><geom name="c0" type="ellipsoid" size=".1 .2 .15"/></body></worldbody>
      <sensor>SENSORS</sensor></mujoco>"""
PAIRS = [
    'geom1="a0" geom2="b0"',
    'geom1="b0" geom2="a1"',
    'geom1="b1" geom2="a1"',
    'body1="a" body2="b"',
    'body1="b" geom2="c0"',
    'geom1="a0" body2="c"',
]


@pytest.mark.parametrize("cutoff", [0.05, 0.4, 2])
@pytest.mark.parametrize("seed", range(3))
def test_distance_sensors(seed, cutoff):
    rows = "".join(
        f'<{tag} {pair} cutoff="{c}"/>'
        for pair in PAIRS
        for c in (cutoff, 2 * cutoff)
        for tag in ("distance", "normal", "fromto")
    )
    rows += "".join(f'<{tag} {pair} cutoff="{cutoff}"/>' for tag in ("fromto", "distance") for pair in PAIRS)
    pair = load_pair(APART.replace("SENSORS", rows))
    random_state(*pair[:2], seed, 0.1)
    worst = sense(pair)
    assert worst["distance"] <= ITER
    # witness points of nearly parallel faces are where the iteration stops
    assert max(worst["normal"], worst["fromto"]) <= 10 * ITER
    assert (pair[1].sensordata != 0).any()


TOUCH_SITES = "".join(
    f'<site name="{t}{k}" type="{t}" size=".05 .06 .07" pos="{x} {x} -.13" euler="0 20 0"/>'
    for k, x in enumerate((0.1, 0.08, 0.3))
    for t in "sphere capsule ellipsoid cylinder box".split()
)


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_touch_sensors(cone):
    sites = TOUCH_SITES
    rows = "".join(f'<touch site="{t}{k}"/>' for k in range(3) for t in "sphere capsule ellipsoid cylinder box".split())
    pair = load_pair(
        PILE.replace('<geom name="t0"', sites + '<geom name="t0"')
        .replace("SENSORS", rows + '<touch site="zone"/>')
        .replace("CONE", cone)
    )
    ref, ref_data, *_ = pair
    for _ in range(3):
        mujoco.mj_step(ref, ref_data)
        mujoco.mj_forward(ref, ref_data)
        worst = sense(pair)
        assert worst["touch"] <= ROUND
    # some zones feel contacts, those off to the side do not
    assert 3 < (ref_data.sensordata > 0).sum() < ref.nsensor


TACTILE = """<mujoco><compiler boundmass=".01" boundinertia=".001"/>
  <asset><mesh name="cap" builtin="wedge" params="9 9 45 45 0" scale=".3 .3 .3"/>
    <mesh name="plate" builtin="plate" params="7 9" scale=".3 .5 .2"/></asset>
  <worldbody><geom type="plane" size="5 5 .1"/><geom type="SHAPE" size=".3 .25 .2" pos="0 0 .1" euler="10 20 30"/>
    <body pos=".02 .03 .55"><freejoint/><geom size=".3"/><geom name="ball" type="mesh" mesh="cap" mass="0" contype="0"
      conaffinity="0"/></body>
    <body pos="1 0 .17" euler="20 5 0"><freejoint/><geom type="box" size=".3 .5 .2"/>
      <geom name="pad" type="mesh" mesh="plate" mass="0" contype="0" conaffinity="0" euler="180 0 0"/></body>
  </worldbody><sensor><tactile geom="ball" mesh="cap"/><tactile geom="pad" mesh="plate"/></sensor></mujoco>"""


# a mesh has an octree if some geom uses it as a signed distance field
CORNERS = " ".join(f"{x} {y} {z}" for x in (-0.2, 0.2) for y in (-0.2, 0.2) for z in (-0.2, 0.2))
MESH_TACTILE = (
    TACTILE.replace("<asset>", f'<asset><mesh name="cube" vertex="{CORNERS}"/>')
    .replace('size=".3 .25 .2"', 'mesh="cube"')
    .replace("<worldbody>", '<worldbody><geom type="sdf" mesh="cube" contype="0" conaffinity="0" pos="0 0 5"/>')
)


@pytest.mark.parametrize("shape", "sphere capsule ellipsoid cylinder box mesh".split())
def test_tactile_sensors(shape):
    pair = load_pair((MESH_TACTILE if shape == "mesh" else TACTILE).replace("SHAPE", shape))
    ref, ref_data, *_ = pair
    felt = 0
    for k in range(6):
        random_state(ref, ref_data, k, 0.02)
        worst = sense(pair)
        felt += (ref_data.sensordata != 0).sum()
        assert worst["tactile"] <= ROUND
    assert felt > 30


def test_catalog_holds_every_sensor_type_once():
    assert sorted(r.type for r in SENSORS.values() if not r.row.ours) == [int(k) for k in mujoco.mjtSensor.__members__.values()]
    ref = mujoco.MjModel.from_xml_string(
        sensing_model(
            PLAIN + frame_sensors() + '<distance geom1="ball" geom2="cube"/><normal geom1="ball" geom2="cube"/>'
            '<fromto geom1="ball" geom2="cube"/>'
        )
    )
    for i in range(ref.nsensor):
        row = BY_TYPE[int(ref.sensor_type[i])]
        if row.name == "user":
            continue
        # of a range finder the size depends on what it reports
        expected = (int(row.stage), 1 if row.name == "rangefinder" else row.dim, int(row.datatype))
        assert (ref.sensor_needstage[i], ref.sensor_dim[i], ref.sensor_datatype[i]) == expected, row.name
    assert set(BY_TYPE[int(t)].name for t in ref.sensor_type) >= set(SENSORS) - {"contact", "tactile", "plugin"}


@pytest.mark.parametrize("data", DATA)
def test_size_of_contact_sensors(data):
    ref = mujoco.MjModel.from_xml_string(
        PILE.replace("CONE", "elliptic").replace("SENSORS", f'<contact data="{data}" num="4"/>')
    )
    fields = int(ref.sensor_intprm[0, 0])
    assert sensor_dim("contact", fields, 4) == ref.sensor_dim[0] == 4 * contact_size(fields)
