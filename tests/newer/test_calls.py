"""Functions that later releases added, and calls that they changed."""

import numpy as np
import pytest

import tumble
import tumble.v4 as newer
from tumble.render.scene.abstract import drawn
from tumble.v4 import rollout

SHAPES = "".join(
    f"<geom type='{kind}' size='1 1 1' {more}/>"
    for kind, more in (
        ("plane", ""),
        ("hfield", "hfield='h'"),
        ("sphere", ""),
        ("capsule", ""),
        ("ellipsoid", ""),
        ("cylinder", ""),
        ("box", ""),
        ("mesh", "mesh='p'"),
    )
)
ALL = (
    "<mujoco><asset><mesh name='p' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/><hfield name='h' nrow='2' ncol='2' size='1 1 "
    "1 1'/></asset>"
    f"<worldbody>{SHAPES}</worldbody></mujoco>"
)
# from 4.0.1, in the order of the shapes above: with several contacts of convex pairs, and without
MANY = """0 0 1 2 1 4 4 4   0 0 50 50 50 50 50 50   1 50 1 1 1 1 1 1   2 50 1 2 1 2 4 2   1 50 1 1 1 1 1 1   4 50 1 2 1 4 4 4 \
  4 50 1 4 1 4 8 4   4 50 1 2 1 4 4 4"""
FEW = """0 0 1 2 1 4 4 4   0 0 50 50 50 50 50 50   1 50 1 1 1 1 1 1   2 50 1 2 1 1 4 1   1 50 1 1 1 1 1 1   4 50 1 1 1 1 1 1  \
 4 50 1 4 1 1 8 1   4 50 1 1 1 1 1 1"""
MULTICCD = int(tumble.mjtEnableBit.mjENBL_MULTICCD)
SLEEPY = (
    "<mujoco><option><flag sleep='enable'/></option><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
)


@pytest.mark.parametrize(("compat", "counts"), [("4.0", MANY), ("3.4", FEW)])
def test_most_contacts_of_a_pair(compat, counts):
    m = tumble.MjModel.from_xml_string(ALL, compat=compat)
    assert bool(m.opt.enableflags & MULTICCD) == (compat == "4.0")
    found = [tumble.mj_maxContact(m, a, b, -1) for a in range(m.ngeom) for b in range(m.ngeom)]
    assert found == [int(n) for n in counts.split()]
    with pytest.raises(tumble.FatalError):
        tumble.mj_maxContact(m, 0, m.ngeom, 0)


def test_a_symmetric_matrix_from_its_lower_triangle():
    m = tumble.MjModel.from_xml_string(SLEEPY.replace("<geom", "<geom pos='.1 .2 .3'"))
    d = tumble.MjData(m)
    tumble.mj_forward(m, d)
    full, found = np.zeros((m.nv, m.nv)), np.ones((m.nv, m.nv))
    tumble.mj_fullM(m, full, d.qM)
    tumble.mju_sym2dense(found, d.M, m.M_rownnz, m.M_rowadr, m.M_colind)
    assert np.array_equal(full, found) and np.abs(full - np.diag(np.diag(full))).max() > 0
    with pytest.raises(TypeError, match="square"):
        tumble.mju_sym2dense(np.zeros((2, 3)), d.M, m.M_rownnz, m.M_rowadr, m.M_colind)


ARM = """<mujoco><worldbody><body pos='0 0 1'><joint/><geom name='g' size='.1' pos='.1 .2 .3'/><body pos='.1 .2 .4'>
    <joint axis='1 2 3'/>
  <geom size='.1 .2 .3' type='box'/></body></body></worldbody></mujoco>"""
# from 4.0.1, at qpos .3 .4: the inertia, and its slopes by configuration in compressed rows
INERTIA = [3.4882212498030207, 0.6349774518527932, 0.6349774518527932, 1.12]
SLOPES = [[0, 0, 0], [0.2913171135432435, 0.03675503601474617, 0]]
# accuracy lost by differences over a step of 1e-6
SLOPE = 1e-8


def test_calls_without_what_was_removed():
    for compat, rounded in (("3.4", [-2, -1, 0, 1, 2, 3]), ("4.0", [-3, -2, -1, 1, 2, 3])):
        tumble.compat = compat
        try:
            assert [tumble.mju_round(x) for x in (-2.5, -1.5, -0.5, 0.5, 1.5, 2.5)] == rounded
        finally:
            tumble.compat = None
    m = tumble.MjModel.from_xml_string(ARM, compat="4.0")
    d, full, again = tumble.MjData(m), np.zeros((2, 2)), np.zeros((2, 2))
    d.qpos[:] = 0.3, 0.4
    tumble.mj_forward(m, d)
    tumble.mj_fullM(m, d, full)
    tumble.mj_fullM(m=m, d=d, dst=again)
    assert full.ravel() == pytest.approx(INERTIA, rel=1e-12) and np.array_equal(full, again)
    found = np.zeros((2, m.nC))
    tumble.mjd_inverseFD(m, d, 1e-6, 0, None, None, None, None, None, None, found)
    assert np.abs(found - SLOPES).max() < SLOPE
    # a body whose packed inertia has zeros that its rows leave out
    free = tumble.MjModel.from_xml_string(SLEEPY.replace("sleep='enable'", "gravity='enable'"), compat="4.0")
    assert free.nC < free.nM
    d, slopes = tumble.MjData(free), np.ones((free.nv, free.nC))
    tumble.mjd_inverseFD(free, d, 1e-6, 0, None, None, None, None, None, None, slopes)
    assert not slopes.any()
    with pytest.raises(TypeError, match="nv, nC"):
        tumble.mjd_inverseFD(free, d, 1e-6, 0, None, None, None, None, None, None, np.zeros((free.nv, free.nM)))


SEEN = """<mujoco><worldbody><geom type='plane' size='1 1 .1'/><camera fovy='2' pos='1 2 3'/>
  <camera pos='1 2 3' euler='10 20 30' resolution='100 200' sensorsize='.1 .2' focal='.3 .4' principal='.01 .02'/>
  <body pos='0 0 1'><freejoint/><geom name='g' size='.1'/></body></worldbody></mujoco>"""
# from 4.0.1: look-at point, distance and angles after a motion by .03, .07, for perspective and orthographic cameras
MOVED = {
    (1, 0): (0, 0, 0.5, 1.8, 31.6, -32.6),
    (2, 1): (0, 0, 0.5, 1.8, 31.6, -32.6),
    (3, 0): (-0.02692223, 0.03572701, 0.60438181, 1.8, 37, -20),
    (4, 0): (0.05644079, 0.09854555, 0.5, 1.8, 37, -20),
    (5, 0): (0, 0, 0.5, 1.493468378, 37, -20),
    (6, 0): (0.03717491, -0.00955077, 0.56577848, 1.8, 37, -20),
    (7, 1): (0.07058748, 0.01562741, 0.47605859, 1.8, 37, -20),
    (8, 0): (-0.13978709, -0.10533713, 0.14584884, 1.8, 37, -32.6),
    (9, 1): (0.08980132, -0.1316438, 0.5, 1.8, 31.6, -20),
    (3, 1): (-0.21936158, 0.29110264, 1.3505, 1.8, 37, -20),
    (4, 1): (0.45987793, 0.80294632, 0.5, 1.8, 37, -20),
}
# digits that were recorded
WRITTEN = 1e-8


def _camera(m, **fields):
    cam = tumble.MjvCamera()
    tumble.mjv_defaultFreeCamera(m, cam)
    for key, value in {"azimuth": 37, "elevation": -20, **fields}.items():
        setattr(cam, key, value)
    return cam


def test_a_camera_moves_without_a_scene():
    m = tumble.MjModel.from_xml_string(SEEN)
    assert [int(tumble.mjtMouse.mjMOUSE_TURN_V), int(tumble.mjtMouse.mjMOUSE_TURN_H)] == [8, 9]
    for (action, flat), wanted in MOVED.items():
        cam = _camera(m, orthographic=flat)
        tumble.mjv_moveCamera(m, action, 0.03, 0.07, cam)
        assert np.abs(np.array([*cam.lookat, cam.distance, cam.azimuth, cam.elevation]) - wanted).max() < WRITTEN, (
            action,
            flat,
        )
    # a camera that looks nearly down turns no further than 89 degrees, and around its full circle
    cam = _camera(m, azimuth=179, elevation=-85)
    tumble.mjv_moveCamera(m, 8, 0.03, 0.2, cam)
    assert np.abs(cam.lookat - [0.1254469, -0.00218968, 0.49342461]).max() < WRITTEN and (cam.azimuth, cam.elevation) == (
        179,
        -89,
    )
    tumble.mjv_moveCamera(m, 9, -0.03, 0.2, cam)
    assert np.abs(cam.lookat - [0.1255347, -0.00514802, 0.49342461]).max() < WRITTEN and cam.azimuth == pytest.approx(-175.6)
    with pytest.raises(TypeError, match="camera"):
        tumble.mjv_moveCamera(m, 1, 0, 0, None)
    with pytest.raises(ValueError, match="action"):
        tumble.mjv_moveCamera(m, 10, 0, 0, cam)


# from 4.0.1: position, up, center, width, bottom, top, near, far and projection
EYES = (
    (
        {},
        (-1.3508493900299072, -1.0179380178451538, 1.1156362295150757),
        (0.27314943075180054, 0.2058328539133072, 0.9396926164627075),
        (0, 0, -0.004970562644302845, 0.004970562644302845, 0.012000000104308128, 60, 0),
    ),
    (
        {"orthographic": 1},
        (-1.3508493900299072, -1.0179380178451538, 1.1156362295150757),
        (0.27314943075180054, 0.2058328539133072, 0.9396926164627075),
        (0, 0, -22.5, 22.5, 0.012000000104308128, 60, 1),
    ),
    (
        {"type": 1, "trackbodyid": 1},
        (-1.3508493900299072, -1.0179380178451538, 1.6156362295150757),
        (0.27314943075180054, 0.2058328539133072, 0.9396926164627075),
        (0, 0, -0.004970562644302845, 0.004970562644302845, 0.012000000104308128, 60, 0),
    ),
    (
        {"type": 2, "fixedcamid": 1},
        (1, 2, 3),
        (-0.46984630823135376, 0.823172926902771, 0.318795770406723),
        (
            0.00040000007720664144,
            0.0020000000949949026,
            -0.0036000001709908247,
            0.0023999998811632395,
            0.012000000104308128,
            60,
            0,
        ),
    ),
)


def test_a_camera_as_opengl_takes_it():
    m = tumble.MjModel.from_xml_string(SEEN)
    d = tumble.MjData(m)
    tumble.mj_forward(m, d)
    for fields, pos, up, rest in EYES:
        eye = tumble.mjv_camera2GLCamera(m, d, _camera(m, **fields))
        assert np.abs(eye.pos - np.array(pos)).max() < SINGLE and np.abs(eye.up - np.array(up)).max() < SINGLE
        found = [getattr(eye, f"frustum_{n}") for n in ("center", "width", "bottom", "top", "near", "far")]
        assert [*found, eye.orthographic] == pytest.approx(rest, rel=SINGLE)
    with pytest.raises(ValueError, match="fixed camera"):
        tumble.mjv_camera2GLCamera(m, d, _camera(m, type=2, fixedcamid=2))


def test_a_spec_is_encoded_as_its_file_is_named(tmp_path):
    spec = tumble.MjSpec.from_string(ARM)
    m = spec.compile()
    m.body_mass[1] = 7
    for name in ("a.XML", "a.mjz", "a.zip", "a.mjb", "a.txt", "odd.name"):
        path = tmp_path / name
        assert spec.encode(str(path), m, "text/xml" if name == "odd.name" else None) == path.stat().st_size > 0
    again = tumble.MjSpec.from_zip(str(tmp_path / "a.mjz")).compile()
    for found in (
        tumble.MjModel.from_xml_path(str(tmp_path / "a.XML")),
        again,
        tumble.MjModel.from_binary_path(str(tmp_path / "a.mjb")),
    ):
        assert found.body_mass[1] == 7 and found.nbody == m.nbody
    assert "body_mass" in (tmp_path / "a.txt").read_text().lower()
    spec.encode(tmp_path / "b.xml")
    assert tumble.MjModel.from_xml_path(str(tmp_path / "b.xml")).body_mass[1] != 7
    # values of 4.0.1
    for name, message in (
        ("c.mjb", "model is required for MJB encoding"),
        ("c.txt", "model is required for TXT encoding"),
        ("c.foo", "no encoder found"),
        ("none/c.xml", "Error writing resource"),
    ):
        with pytest.raises(tumble.FatalError, match=message):
            spec.encode(str(tmp_path / name))
    assert not list(tmp_path.glob("c.*"))


def test_options_are_assigned_in_place():
    m, other = (tumble.MjModel.from_xml_string(SLEEPY) for _ in range(2))
    other.opt.timestep, other.vis.map.znear, other.stat.extent = 0.5, 0.25, 7.0
    kept = m.opt, m.vis, m.stat
    m.opt, m.vis, m.stat = other.opt, other.vis, other.stat
    assert kept == (m.opt, m.vis, m.stat) and (kept[0].timestep, kept[1].map.znear, kept[2].extent) == (0.5, 0.25, 7.0)


def test_differences_are_refused_if_trees_may_fall_asleep():
    for compat, refused in (("3.4", False), ("4.0", True)):
        m = tumble.MjModel.from_xml_string(SLEEPY, compat=compat)
        d, A = tumble.MjData(m), np.zeros((12, 12))
        if refused:
            with pytest.raises(tumble.FatalError, match="sleeping"):
                tumble.mjd_transitionFD(m, d, 1e-6, 0, A, None, None, None)
        else:
            tumble.mjd_transitionFD(m, d, 1e-6, 0, A, None, None, None)
            assert A[0, 0] == pytest.approx(1)


def test_normals_of_polygons_are_those_of_their_outlines():
    """The normal of a polygon is along the sum of the areas that its edges span. Its first corners alone suffice only
    if it is flat up to rounding.
    """
    ring = [(round(np.cos(k), 3), round(np.sin(k), 3)) for k in np.arange(9) * 2 * np.pi / 9]
    points = " ".join(f"{x} {y} {z + 1e-5 * x * x}" for z in (0, 1) for x, y in ring)
    xml = (
        f"<mujoco><asset><mesh name='p' vertex='{points}'/></asset><worldbody><geom type='mesh' mesh='p'/></worldbody></mujoco>"
    )
    off = {}
    for compat in ("3.4", "4.0"):
        m = tumble.MjModel.from_xml_string(xml, compat=compat)
        assert m.mesh_polyvertnum.max() > 3
        off[compat] = 0.0
        for k in range(m.nmeshpoly):
            corners = m.mesh_vert[m.mesh_polyvert[m.mesh_polyvertadr[k] :][: m.mesh_polyvertnum[k]]].astype(float)
            area = np.cross(corners - corners[0], np.roll(corners, -1, axis=0) - corners[0]).sum(0)
            off[compat] = max(off[compat], np.abs(area / np.linalg.norm(area) - m.mesh_polynormal[k]).max())
    assert off["4.0"] < SINGLE < off["3.4"]


# accuracy of vertices in single precision
SINGLE = 1e-6


def test_data_with_threads():
    """The thread pool of a Data survives a reset and is not copied, and a rollout refuses such Data."""
    m = newer.MjModel.from_xml_string("<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>")
    d, other = newer.MjData(m), newer.MjData(m)
    newer.mju_threadpool(d, 2)
    newer.mj_resetData(m, d)
    newer.mj_copyData(other, m, d)
    assert d.threadpool and not other.threadpool
    start = np.zeros((1, newer.mj_stateSize(m, newer.mjtState.mjSTATE_FULLPHYSICS)))
    with pytest.raises(ValueError, match="mju_threadpool"):
        rollout.rollout(m, d, start, np.zeros((1, 2, 0)))
    newer.mju_threadpool(d, 0)
    assert not d.threadpool and len(rollout.rollout(m, d, start, np.zeros((1, 2, 0)))) == 2


def test_rendering_flags_have_their_later_places():
    """Flags of a scene are those of the newest release, drawing reads them, and the flag for depth is refused by name."""
    scene = newer.MjvScene(newer.MjModel.from_xml_string("<mujoco/>"), 1)
    # from 4.0.1
    assert scene.flags.tolist() == [1, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 1]
    scene.flags[newer.mjtRndFlag.mjRND_SEGMENT] = 1
    assert drawn(scene)[tumble.mjtRndFlag.mjRND_SEGMENT] == 1 and drawn(scene)[tumble.mjtRndFlag.mjRND_IDCOLOR] == 0
    with pytest.raises(ValueError, match="mjRND_DEPTH"):
        scene.flags[newer.mjtRndFlag.mjRND_DEPTH] = 1
    assert not scene.flags[newer.mjtRndFlag.mjRND_DEPTH]


def test_batches_check_edited_models_of_this_interface():
    m = newer.MjModel.from_xml_string("<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>")
    m.jnt_type[0] = newer.mjtJoint.mjJNT_SLIDE
    newer.batch.Batch(m, nsim=2).step()
    m.jnt_type[0] = 99
    with pytest.raises(tumble.InvalidModel, match="jnt_type"):
        newer.batch.Batch(m, nsim=2)


# ---- arrays that are wider than the engine's -------------------------------------------------------------------------------
JOINED = """<mujoco><worldbody><body name="a" pos="0 0 1"><freejoint/><geom size=".1"/></body>
  <body name="b" pos="1 0 1"><freejoint/><geom size=".1"/></body></worldbody>
  <equality><weld name="w" body1="a" body2="b"/><connect body1="a" body2="b" anchor="0 0 0"/></equality></mujoco>"""


@pytest.mark.parametrize(
    "write",
    [
        lambda x: x.__setitem__((0, slice(0, 3)), 0.5),
        lambda x: x[1].__setitem__(slice(None), 2.0),
        lambda x: x[0, :6].__iadd__(0.25),
        lambda x: np.multiply(x, 3.0, out=x),
        lambda x: x[1].fill(0.75),
    ],
)
def test_what_is_written_into_eq_data_counts(write):
    m = newer.MjModel.from_xml_string(JOINED)
    x = m.eq_data
    write(x)
    np.testing.assert_array_equal(m.plain.eq_data, np.asarray(x)[:, :11])
    np.testing.assert_array_equal(m.plain.eq_relative, np.asarray(x)[:, 11] != 0)


def test_results_and_copies_of_eq_data_are_arrays_of_their_own():
    m = newer.MjModel.from_xml_string(JOINED)
    before = m.plain.eq_data.copy()
    for other in (m.eq_data * 2, m.eq_data.copy(), m.eq_data[[0, 1]]):
        other[:] = 7
    np.testing.assert_array_equal(m.plain.eq_data, before)

    m.eq_data = np.ones((2, 12))
    m.equality("w").data[:3] = 4
    assert m.plain.eq_data[:, 10].tolist() == [1, 1] and m.plain.eq_data[0, :4].tolist() == [4, 4, 4, 1]


def test_every_flag_has_its_words():
    assert len(newer.mjRNDSTRING) == newer.mjtRndFlag.mjNRNDFLAG and newer.mjRNDSTRING[7][0] == "Depth"
    assert len(newer.mjDISABLESTRING) == newer.mjtDisableBit.mjNDISABLE
    assert len(newer.mjENABLESTRING) == newer.mjtEnableBit.mjNENABLE
    assert len(newer.mjVISSTRING) == newer.mjtVisFlag.mjNVISFLAG
