"""The scene equals the reference's, geom by geom; so do mouse actions on cameras and drags. No graphics."""

import copy

import mujoco
import numpy as np
import pytest

from tests.oracle import load_pair
from tests.tolerance import close
from tumble.render import scene as mjv
from tumble.render.scene import pick

# positions and sizes are stored in single precision on both sides
SINGLE = 2e-6
# distances of rays; the same sums in two orders
RAY = 1e-9
ALL = int(mujoco.mjtCatBit.mjCAT_ALL)
FIELDS = (
    "type dataid objtype objid category matid texcoord segid size pos mat rgba emission specular shininess reflectance".split()
)

MACHINE = """<mujoco><option gravity="0 0 -9.81"/><visual><global bvactive="true"/></visual>
 <asset><texture name="t" type="2d" builtin="checker" width="8" height="8"/>
  <material name="shiny" texture="t" reflectance=".2" rgba=".5 .6 .7 1"/>
  <mesh name="tetra" vertex="0 0 0 .1 0 0 0 .1 0 0 0 .1"/></asset>
 <worldbody><light pos="1 1 3" dir="-1 -1 -3"/><camera name="eye" pos="0 -2 1" xyaxes="1 0 0 0 1 2" sensorsize=".02 .01"
   focal=".02 .02"
   resolution="64 32"/>
  <geom name="floor" type="plane" size="0 0 .1" material="shiny"/><site name="hook" pos="0 0 1.5"/>
    <site name="far" pos=".5 0 1.2"/>
  <body name="ball" pos="0 0 .095"><freejoint/><geom size=".1"/><site name="grip"/></body>
  <body name="block" pos=".3 0 .099"><freejoint/><geom type="box" size=".1 .1 .1" material="shiny"/>
    <geom type="mesh" mesh="tetra"/></body>
  <body name="arm" pos="-1 0 1"><joint name="j1" axis="0 1 0" range="-10 10" limited="true"/>
    <geom type="capsule" size=".04 .2"/>
   <body pos=".3 0 0"><joint name="j2" type="slide" axis="1 0 0"/><geom type="cylinder" size=".05 .1"/>
    <joint name="j3" type="hinge"/><site name="tip" pos=".1 0 0"/></body></body>
  <body name="m" mocap="true" pos="0 1 1"><geom type="ellipsoid" size=".1 .05 .02" rgba="1 0 0 .4"/></body>
  <body name="swing" pos="1 1 1"><joint type="ball"/><geom size=".05" pos="0 0 -.3"/></body></worldbody>
 <equality><connect body1="arm" body2="swing" anchor="0 0 0"/></equality>
 <tendon><spatial name="rope" limited="true" range="0 1.4"><site site="hook"/><site site="far"/></spatial>
  <spatial name="wire"><site site="tip"/><site site="grip"/></spatial></tendon>
 <actuator><motor joint="j1" ctrllimited="true" ctrlrange="-1 2"/><motor site="tip"/><general tendon="wire"/>
   <motor joint="j2"/></actuator>
 <sensor><rangefinder site="grip"/></sensor></mujoco>"""


@pytest.fixture(scope="module")
def machine():
    ref, data, m, _ = load_pair(MACHINE)
    data.qpos[ref.joint("j1").qposadr] = 0.5
    data.ctrl[:] = [1.5, -0.5, 0.2, -3]
    data.xfrc_applied[1, :3] = [1, 2, 3]
    for _ in range(5):
        mujoco.mj_step(ref, data)
    mujoco.mj_forward(ref, data)
    assert data.ncon > 2 and data.nefc > 5, "the state shows contacts and limits"
    return ref, data, m


def poisoned(m):
    """Scene whose geom rows hold garbage."""
    scn = mjv.MjvScene(m, 2000)
    for _, v in scn.geom.arrays():
        v[:] = 77
    scn.geom.label.update({i: "garbage" for i in range(100)})
    return scn


def compare(ref, data, m, opt, pert=None, cam=None):
    """Update both scenes and compare every geom; returns the reference's geom count."""
    theirs, ours = mujoco.MjvScene(ref, 2000), poisoned(m)
    other, mine = mjv.MjvOption(), mjv.MjvPerturb()
    other.assign(opt)
    cam = cam or free(ref)
    if pert is not None:
        mine.assign(pert)
    for _ in range(2):  # infinite planes follow the camera of the previous update
        mujoco.mjv_updateScene(ref, data, opt, pert, cam, ALL, theirs)
        mjv.mjv_updateScene(m, data, other, mine if pert is not None else None, cam, ALL, ours)
    assert ours.ngeom == theirs.ngeom
    for i in range(theirs.ngeom):
        a, b = ours.geoms[i], theirs.geoms[i]
        assert a.label == b.label, i
        for f in FIELDS:
            close(getattr(a, f), getattr(b, f), SINGLE, f"geom {i} {f}")
    assert ours.nlight == theirs.nlight
    for i in range(theirs.nlight):
        # lights of later releases have a softness
        for f in (f for f in mjv.MjvLight.fields() if hasattr(theirs.lights[i], f.name)):
            close(getattr(ours.lights[i], f.name), getattr(theirs.lights[i], f.name), SINGLE, f"light {i} {f.name}")
    for k in (0, 1):
        for f in mjv.MjvGLCamera.fields():
            close(getattr(ours.camera[k], f.name), getattr(theirs.camera[k], f.name), SINGLE, f"camera {k} {f.name}")
    return theirs.ngeom


def free(ref):
    cam = mujoco.MjvCamera()
    mujoco.mjv_defaultFreeCamera(ref, cam)
    return cam


@pytest.mark.parametrize("flag", range(int(mujoco.mjtVisFlag.mjNVISFLAG)))
def test_each_flag(machine, flag):
    opt = mujoco.MjvOption()
    opt.flags[flag] = 1 - opt.flags[flag]
    assert compare(*machine, opt) > 3


@pytest.mark.parametrize("label", range(int(mujoco.mjtLabel.mjNLABEL)))
def test_each_label_with_everything_shown(machine, label):
    opt = mujoco.MjvOption()
    opt.flags[:], opt.label = 1, label
    opt.flags[int(mujoco.mjtVisFlag.mjVIS_INERTIA)] = 0
    pert = mujoco.MjvPerturb()
    pert.select, pert.active = 1, 3
    pert.refpos[:], pert.refselpos[:] = [0.1, 0, 0.3], [0.1, 0.1, 0.4]
    assert compare(*machine, opt, pert) > 40


@pytest.mark.parametrize("frame", range(int(mujoco.mjtFrame.mjNFRAME)))
def test_each_frame(machine, frame):
    opt = mujoco.MjvOption()
    opt.frame = frame
    opt.flags[[int(mujoco.mjtVisFlag.mjVIS_CAMERA), int(mujoco.mjtVisFlag.mjVIS_LIGHT)]] = 1
    compare(*machine, opt)


@pytest.mark.parametrize("kind", ["fixed", "tracking", "orthographic"])
def test_cameras(machine, kind):
    ref, data, m = machine
    cam = free(ref)
    if kind == "fixed":
        cam.type, cam.fixedcamid = 2, 0
    elif kind == "tracking":
        cam.type, cam.trackbodyid = 1, 1
    else:
        ref, m = copy.copy(ref), load_pair(MACHINE)[2]
        ref.vis.global_.orthographic = m.vis.global_.orthographic = 1
    compare(ref, data, m, mujoco.MjvOption(), cam=cam)


def test_full_scene_stops_and_says_so(machine):
    """A scene with room for five geoms holds the first five."""
    _, data, m = machine
    scn, opt = mjv.MjvScene(m, 5), mjv.MjvOption()
    opt.flags[:] = 1
    before = data.warning[int(mujoco.mjtWarning.mjWARN_VGEOMFULL)].number
    cam = mjv.MjvCamera()
    mjv.mjv_updateScene(m, data, opt, None, cam, ALL, scn)
    assert scn.ngeom == 5 and scn.status == 1
    assert data.warning[int(mujoco.mjtWarning.mjWARN_VGEOMFULL)].number == before + 1


def test_selection_hits_what_the_reference_hits(machine):
    """Rays through a grid of view points hit the same body, geom and point."""
    ref, data, m = machine
    opt, scn, theirs = mjv.MjvOption(), mjv.MjvScene(m, 500), mujoco.MjvScene(ref, 500)
    cam = free(ref)
    cam.lookat[:], cam.distance, cam.elevation = [0, 0.3, 0.5], 2.5, -20
    mjv.mjv_updateScene(m, data, opt, None, cam, ALL, scn)
    mujoco.mjv_updateScene(ref, data, mujoco.MjvOption(), None, cam, ALL, theirs)
    bodies = set()
    for x in np.linspace(0.05, 0.95, 25):
        for y in np.linspace(0.05, 0.95, 25):
            got = []
            for mod, model, o, s in ((mujoco, ref, mujoco.MjvOption(), theirs), (mjv, m, opt, scn)):
                point, ids = np.full(3, 77.0), [np.full((1, 1), 77, np.int32) for _ in range(3)]
                body = mod.mjv_select(model, data, o, 1.5, x, y, s, point, *ids)
                got.append((body, *(int(i[0, 0]) for i in ids), point))
            assert got[0][:4] == got[1][:4]
            close(got[1][4], got[0][4], SINGLE, "point")
            bodies.add(got[0][0])
    assert len(bodies) > 3, bodies


@pytest.mark.parametrize("body", ["ball", "arm", "swing", "m"])
def test_drag_equals_the_reference(machine, body):
    """The start, moves and rotations of a drag, its forces, and the pose that it sets while paused equal the reference's."""
    ref, data, m = machine
    out = []
    for mod, model in ((mujoco, ref), (mjv, m)):
        d, scn, p = copy.copy(data), mod.MjvScene(model, 500), mod.MjvPerturb()
        mod.mjv_updateScene(model, d, mod.MjvOption(), None, free(ref), ALL, scn)
        p.select = ref.body(body).id
        p.localpos = [0.01, 0.02, 0.03]
        mod.mjv_initPerturb(model, d, scn, p)
        for action, dx, dy in ((3, 0.1, 0.2), (4, -0.1, 0.1), (1, 0.2, 0.1), (2, 0.9, 0.9), (6, 0.1, 0.1), (7, 0.2, -0.1)):
            mod.mjv_movePerturb(model, d, action, dx, dy, scn, p)
        row = [p.refpos, p.refquat, p.refselpos, [p.localmass, p.scale]]
        for p.active in (1, 2):
            mod.mjv_applyPerturbForce(model, d, p)
            row.append(d.xfrc_applied[p.select].copy())
        mod.mjv_applyPerturbPose(model, d, p, 1)
        out.append(np.concatenate([*row, d.qpos, d.mocap_pos.ravel(), d.mocap_quat.ravel()]))
    close(out[1], out[0], SINGLE, "drag")


def test_camera_moves_equal_the_reference(machine):
    """All mouse actions on a free camera equal the reference's, including the limits at both ends."""
    ref, data, m = machine
    out = []
    for mod, model in ((mujoco, ref), (mjv, m)):
        scn, cam = mod.MjvScene(model, 500), mod.MjvCamera()
        mod.mjv_defaultFreeCamera(model, cam)
        row = []
        for action in (1, 2, 3, 4, 5, 6, 7):
            for dx, dy in ((0.1, 0.2), (-3, -3), (0.3, 9)):
                mod.mjv_updateScene(model, data, mod.MjvOption(), None, cam, ALL, scn)
                mod.mjv_moveCamera(model, action, dx, dy, scn, cam)
                row += [*cam.lookat, cam.distance, cam.azimuth, cam.elevation]
        out.append(row)
    close(out[1], out[0], 10 * SINGLE, "camera")


def test_room_transform_goes_there_and_back(machine):
    """room2model undoes model2room, and both equal the reference."""
    ref, _, m = machine
    rng = np.random.default_rng(0)
    ours, theirs = mjv.MjvScene(m, 1), mujoco.MjvScene(ref, 1)
    q = rng.normal(size=4)
    for s in (ours, theirs):
        s.enabletransform, s.scale = 1, 0.7
        s.translate[:], s.rotate[:] = [1, 2, 3], q / np.linalg.norm(q)
    p0, q0 = rng.normal(size=3), rng.normal(size=4)
    q0 /= np.linalg.norm(q0)
    p1, q1, p2, q2, p3, q3 = (np.full(k, 77.0) for k in (3, 4) * 3)
    mjv.mjv_model2room(p1, q1, p0, q0, ours)
    mujoco.mjv_model2room(p2, q2, p0, q0, theirs)
    close(p1, p2, SINGLE, "position")
    close(q1, q2, SINGLE, "orientation")
    mujoco.mjv_room2model(p2, q2, p1, q1, theirs)
    mjv.mjv_room2model(p3, q3, p1, q1, ours)
    close(p3, p2, SINGLE, "position back")
    close(q3, q2, SINGLE, "orientation back")


@pytest.mark.parametrize("name", ["MjvOption", "MjvCamera", "MjvPerturb", "MjvFigure"])
def test_defaults_equal_the_reference(name):
    """Every field of a new record equals the reference's, after the default function where there is one."""
    theirs, ours = getattr(mujoco, name)(), getattr(mjv, name)()
    default = "mjv_default" + name[3:]
    getattr(mujoco, default)(theirs)
    getattr(mjv, default)(ours)
    for f in ours.fields():
        a, b = getattr(ours, f.name), getattr(theirs, f.name)
        assert np.allclose(a, b, atol=1e-7) if np.asarray(b).dtype.kind in "fiu" else np.all(a == b), f.name


def test_views_write_into_the_arrays():
    """A geom view refers to its row: both sides see each other's writes; text is truncated, wrong indices are errors."""
    scn = mjv.MjvScene(None, 3)
    g = scn.geoms[1]
    mjv.mjv_initGeom(g, mujoco.mjtGeom.mjGEOM_CAPSULE, [0.1, 0.2, 9], [1, 2, 3], np.eye(3).ravel(), [1, 0, 0, 0.5])
    g.label = "x" * 200
    assert scn.geom.size[1].tolist() == pytest.approx([0.1, 0.1, 0.2]) and scn.geom.type[1] == 3
    assert len(scn.geoms[1].label) == 99 and scn.geoms[-2].pos[2] == 3
    scn.geom.pos[1, 0] = 8
    assert g.pos[0] == 8 and g.mat.shape == (3, 3)
    with pytest.raises(IndexError):
        scn.geoms[3]
    with pytest.raises(ValueError, match="cannot connect"):
        mjv.mjv_connector(g, mujoco.mjtGeom.mjGEOM_BOX, 0.1, [0, 0, 0], [0, 0, 1])


def test_append_and_snapshot_copy_scenes(machine):
    """Appended geoms get new segmentation ids; a snapshot equals its source and is independent of it."""
    ref, data, m = machine
    a, b = mjv.MjvScene(m, 100), mjv.MjvScene(m, 100)
    mjv.mjv_updateScene(m, data, mjv.MjvOption(), None, free(ref), ALL, a)
    b.snapshot(a)
    assert b.append(a, 0, 2) == 2 and b.geom.segid[b.ngeom - 1] == b.ngeom - 1
    assert b.ngeom == a.ngeom + 2
    close(b.geom.pos[: a.ngeom], a.geom.pos[: a.ngeom], 0.0, "snapshot")
    b.geom.pos[0] += 1
    assert (b.geom.pos[0] != a.geom.pos[0]).all()


def test_every_exported_name_exists_once():
    assert len(set(mjv.__all__)) == len(mjv.__all__)
    assert not [n for n in mjv.__all__ if not hasattr(mjv, n)]


def test_scene_as_text_has_every_thing(machine, tmp_path):
    """The text has blocks for all geoms, lights and cameras, in the requested format of numbers. Wrong formats are refused."""
    import tumble

    _, data, m = machine
    scn, path = mjv.MjvScene(m, 500), tmp_path / "scene.txt"
    mjv.mjv_updateScene(m, data, mjv.MjvOption(), None, mjv.MjvCamera(), ALL, scn)
    scn.enabletransform = 1
    tumble.mj_printScene(scn, str(path))
    text = path.read_text()
    assert f"GEOMS {scn.ngeom}\n" in text and text.count("  GEOM ") == scn.ngeom and text.count("  LIGHT ") == scn.nlight
    assert text.count("frustum_near") == 2 and "Shadow            1" in text and "TRANSFORM 1" in text
    tumble.mj_printFormattedScene(scn, str(path), "%.5f")
    assert f"{scn.geoms[1].pos[2]:.5f}" in path.read_text()
    with pytest.raises(ValueError, match="format"):
        tumble.mj_printFormattedScene(scn, str(path), "%d %d")


def test_scripts_may_derive_scenes(machine):
    """A derived scene with its own `geoms` is filled and copied like any other."""

    class Own(mjv.MjvScene):
        @property
        def geoms(self):
            return super().geoms[: self.ngeom]

    ref, data, m = machine
    own, plain = Own(m, 500), mjv.MjvScene(m, 500)
    for scn in (own, plain):
        mjv.mjv_updateScene(m, data, mjv.MjvOption(), None, free(ref), ALL, scn)
    assert len(own.geoms) == own.ngeom == plain.ngeom < len(plain.geoms)
    close(own.geoms[3].pos, plain.geoms[3].pos, 0.0, "position")


@pytest.mark.parametrize("seed", range(4))
def test_cameras_agree_to_the_last_bit(seed, machine):
    """GL cameras and their average equal the reference's bit for bit: they decide which of two coinciding surfaces is
    visible.
    """
    ref, data, m = machine
    rng = np.random.default_rng(seed)
    free = dict(type=0, azimuth=rng.uniform(-180, 180), elevation=rng.uniform(-90, 90), distance=rng.uniform(0.1, 9))
    for row in (free, dict(type=int(mujoco.mjtCamera.mjCAMERA_FIXED), fixedcamid=0)):
        got, expected = mjv.MjvScene(m, 100), mujoco.MjvScene(ref, 100)
        for lib, model, scene in ((mjv, m, got), (mujoco, ref, expected)):
            cam = lib.MjvCamera()
            for name, value in row.items():
                setattr(cam, name, value)
            lib.mjv_updateCamera(model, data, cam, scene)
        both = [(got.camera[k], expected.camera[k]) for k in (0, 1)]
        both.append((mjv.mjv_averageCamera(*got.camera), mujoco.mjv_averageCamera(*expected.camera)))
        for a, b in both:
            for name in (
                "pos",
                "forward",
                "up",
                *("frustum_" + k for k in ("bottom", "top", "center", "width", "near", "far")),
            ):
                assert np.array_equal(np.float32(getattr(a, name)), np.float32(getattr(b, name))), (row, name)


@pytest.mark.parametrize("kind", [kind for kind, shape in pick.SHAPES.items() if shape.__name__ != "ray"])
def test_the_engines_kernel_picks_what_the_arrays_pick(kind):
    # the kernel picks the solids for which `pick` has no array function; both must agree on the others
    rng = np.random.default_rng(kind)
    p, size = rng.normal(size=(200, 3)), rng.uniform(0.3, 1, (200, 3))
    v = 0.7 * rng.normal(size=(200, 3)) - p
    own, kernel = pick.SHAPES[kind](p, v, size), pick.ray_kernel(kind)(p, v, size)
    assert 20 < np.isfinite(own).sum() < 200 and (np.isfinite(own) == np.isfinite(kernel)).all()
    hit = np.isfinite(own)
    assert np.abs(own[hit] - kernel[hit]).max() < RAY
