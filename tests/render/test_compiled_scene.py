"""Scenes in compiled code are, to the bit, those that Python makes, and cost no Python for each geom."""

import pathlib

import numpy as np
import pytest

import tumble
from tests.api.test_calls import frames, function_of
from tumble.engine.machine import layout

pytestmark = pytest.mark.skipif(
    not layout.known(), reason="this interpreter keeps objects in another way: all calls are in Python"
)

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILES = sorted([*(ROOT / "assets" / "models").glob("*.xml"), *(ROOT / "tests" / "scenes").glob("*.xml")])
ALL, FREE, TRACKING, FIXED = 7, 0, 1, 2
FLAGS = tumble.mjtVisFlag
# what may be shown: flags that are turned, values of options
LOOKS = (
    (),
    (FLAGS.mjVIS_TRANSPARENT,),
    (FLAGS.mjVIS_TEXTURE,),
    (FLAGS.mjVIS_CONVEXHULL,),
    (FLAGS.mjVIS_STATIC,),
    (FLAGS.mjVIS_TENDON, FLAGS.mjVIS_RANGEFINDER),
    (FLAGS.mjVIS_JOINT,),
    (FLAGS.mjVIS_FLEXEDGE, FLAGS.mjVIS_FLEXSKIN, FLAGS.mjVIS_SKIN),
)
CROWD = 500
# functions in Python that an update of a scene may run whatever it shows
FEW = 100


def cameras(m):
    """One camera of each kind."""
    free, track = tumble.MjvCamera(), tumble.MjvCamera()
    tumble.mjv_defaultFreeCamera(m, free)
    free.azimuth, free.elevation = 37, -21
    track.type, track.trackbodyid, track.distance = TRACKING, m.nbody - 1, 3
    found = [free, track]
    for k in range(m.ncam):
        fixed = tumble.MjvCamera()
        fixed.type, fixed.fixedcamid = FIXED, k
        found.append(fixed)
    return found


def contents(scn):
    """Bytes of everything that is drawn."""
    found = {k: x[: scn.ngeom].tobytes() for k, x in scn.geom.arrays()} | {
        "cam " + k: x.tobytes() for k, x in scn.glcam.arrays()
    }
    found |= {"light " + k: x[: scn.nlight].tobytes() for k, x in scn.light.arrays()} | {"label": dict(scn.geom.label)}
    return found | {
        n: getattr(scn, n)
        for n in ("ngeom", "nlight", "status", "enabletransform", "flexvertopt", "flexedgeopt", "flexfaceopt", "flexskinopt")
    }


def poisoned(m, maxgeom=2000):
    """A scene in which everything shows that is not written."""
    scn = tumble.MjvScene(m, maxgeom)
    for _, x in (*scn.geom.arrays(), *scn.light.arrays()):
        x.fill(77)
    return scn


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_scenes_are_those_of_python(path):
    try:
        m = tumble.MjModel.from_xml_path(str(path))
    except ValueError:
        pytest.skip("no model by itself")
    d = tumble.MjData(m)
    tumble.mj_step(m, d, 5)
    update = function_of("mjv_updateScene")
    theirs, own = poisoned(m), poisoned(m)
    for look in LOOKS:
        opt = tumble.MjvOption()
        for flag in look:
            opt.flags[flag] = 1 - opt.flags[flag]
        opt.sitegroup[3:] = 1
        for k, cam in enumerate(cameras(m)):
            catmask = ALL if k else int(tumble.mjtCatBit.mjCAT_DYNAMIC)
            update.slow(m, d, opt, None, cam, catmask, theirs)
            tumble.mjv_updateScene(m, d, opt, tumble.MjvPerturb() if k else None, cam, catmask, own)
            a, b = contents(theirs), contents(own)
            assert [n for n in a if a[n] != b[n]] == [], (look, k)


def test_a_full_scene_is_told():
    m = tumble.MjModel.from_xml_string(
        "<mujoco><worldbody><geom size='1'/><geom size='1'/><geom size='1' rgba='0 0 0 0'/></worldbody></mujoco>"
    )
    d = tumble.MjData(m)
    update = function_of("mjv_updateScene")
    opt, cam = tumble.MjvOption(), tumble.MjvCamera()
    for room, expected in ((1, (1, 1)), (2, (2, 0)), (3, (2, 0))):
        for call in (update.slow, tumble.mjv_updateScene, tumble.mjv_updateScene):
            scn = tumble.MjvScene(m, room)
            call(m, d, opt, None, cam, ALL, scn)
            assert (scn.ngeom, scn.status) == expected


def test_labels_do_not_stay():
    m = tumble.MjModel.from_xml_string("<mujoco><worldbody><geom name='a' size='1'/></worldbody></mujoco>")
    d, scn, opt, cam = tumble.MjData(m), tumble.MjvScene(m, 10), tumble.MjvOption(), tumble.MjvCamera()
    function_of("mjv_updateScene")
    for label, text in ((tumble.mjtLabel.mjLABEL_GEOM, "a"), (tumble.mjtLabel.mjLABEL_NONE, "")):
        opt.label = label
        tumble.mjv_updateScene(m, d, opt, None, cam, ALL, scn)
        assert scn.geoms[0].label == text


def test_geoms_by_hand_are_those_of_python():
    rng = np.random.default_rng(5)
    scene = tumble.MjvScene(tumble.MjModel.from_xml_string("<mujoco/>"), 3)
    init, connect = function_of("mjv_initGeom"), function_of("mjv_connector")
    one, two = scene.geoms[0], scene.geoms[2]
    for kind in (
        tumble.mjtGeom.mjGEOM_SPHERE,
        tumble.mjtGeom.mjGEOM_CAPSULE,
        tumble.mjtGeom.mjGEOM_BOX,
        tumble.mjtGeom.mjGEOM_ARROW,
    ):
        for given in (0, 1):
            values = [rng.normal(size=3), rng.normal(size=3), rng.normal(size=9), rng.random(4).astype(np.float32)]
            values = [x if given else None for x in values]
            init.slow(one, kind, *values)
            tumble.mjv_initGeom(two, kind, *values)
            assert same(scene, "segid")
        for start, end in (*rng.normal(size=(4, 2, 3)), np.zeros((2, 3)), np.array([[0, 0, 1.0], [0, 0, -2]])):
            if kind in (tumble.mjtGeom.mjGEOM_BOX, tumble.mjtGeom.mjGEOM_SPHERE):
                for call in (connect.slow, tumble.mjv_connector):
                    with pytest.raises(ValueError, match="cannot connect"):
                        call(one, kind, 0.1, start, end)
                continue
            connect.slow(one, kind, 0.1, start, end)
            tumble.mjv_connector(two, kind, 0.1, start, end)
            assert same(scene, "segid")
    two.label = "text"
    tumble.mjv_initGeom(two, 2, None, None, None, None)
    assert two.label == ""


def same(scene, but):
    """Whether rows 0 and 2 hold the same bits."""
    wrong = [k for k, x in scene.geom.arrays() if k != but and x[0].tobytes() != x[2].tobytes()]
    assert not wrong, wrong
    return True


def test_no_python_for_each_geom():
    geoms = "".join(f"<geom size='.1' pos='{k} 0 0'/>" for k in range(CROWD))
    m = tumble.MjModel.from_xml_string(f"<mujoco><worldbody>{geoms}</worldbody></mujoco>")
    d, scn, opt, cam = tumble.MjData(m), tumble.MjvScene(m, CROWD), tumble.MjvOption(), tumble.MjvCamera()
    function_of("mjv_updateScene"), function_of("mjv_initGeom")
    tumble.mjv_updateScene(m, d, opt, None, cam, ALL, scn)
    assert frames(tumble.mjv_updateScene, (m, d, opt, None, cam, ALL, scn)) == 0 and scn.ngeom == CROWD
    # new objects are seen by Python first
    assert frames(tumble.mjv_updateScene, (m, d, tumble.MjvOption(), None, tumble.MjvCamera(), ALL, scn)) < FEW
    geom = scn.geoms[3]
    assert frames(tumble.mjv_initGeom, (geom, 2, np.ones(3), np.ones(3), np.ones(9), np.ones(4, np.float32))) == 0
