"""Small models whose results differ in 4.0.1, although its list of changes does not say so."""

import numpy as np
import pytest

import tumble
import tumble.v4 as mj

CUBE = "-.1 -.1 -.1 .1 -.1 -.1 -.1 .1 -.1 .1 .1 -.1 -.1 -.1 .1 .1 -.1 .1 -.1 .1 .1 .1 .1 .1"
# shapes with one center: 4.0.1's depths and normals
CENTRED = {
    ("ellipsoid", ".1 .15 .2", "sphere", ".05"): (-0.148678, (0.9912, -0.0388, -0.1266)),
    ("mesh", "", "sphere", ".05"): (-0.149905, (0.0015, 0.0005, 1)),
    ("ellipsoid", ".1 .1 .2", "capsule", ".05 .05"): (-0.14577, (-0.8329, -0.5533, 0.0057)),
}
# position of the shapes, which affects rounding
PLACES = {("ellipsoid", "sphere"): 0, ("mesh", "sphere"): 3, ("ellipsoid", "capsule"): 5}


@pytest.mark.parametrize("case", CENTRED)
def test_shapes_with_one_center_touch(case):
    shapes = [f'type="{k}" mesh="m"' if k == "mesh" else f'type="{k}" size="{s}"' for k, s in (case[:2], case[2:])]
    bodies = "".join(f'<body pos="5 0 2"><freejoint/><geom {shape}/></body>' for shape in shapes)
    text = f'<mujoco><asset><mesh name="m" vertex="{CUBE}"/></asset><worldbody>{bodies}</worldbody></mujoco>'
    m = mj.MjModel.from_xml_string(text.replace("5 0 2", f"{PLACES[case[0], case[2]]} 0 2"))
    d = mj.MjData(m)
    mj.mj_forward(m, d)
    depth, normal = CENTRED[case]
    assert d.ncon == 1 and d.contact.dist[0] == pytest.approx(depth, abs=1e-5)
    # turned shapes of revolution have other normals, by rounding
    if "capsule" not in case:
        assert np.abs(d.contact.frame[0, :3] @ normal) == pytest.approx(1, abs=1e-3)


def test_planes_on_mocap_bodies():
    text = (
        "<mujoco><worldbody><body mocap='true'><geom type='plane' size='1 1 1'/></body><body pos='0 0 .05'><freejoint/>"
        "<geom size='.1'/></body></worldbody></mujoco>"
    )
    m = mj.MjModel.from_xml_string(text)
    d = mj.MjData(m)
    mj.mj_forward(m, d)
    assert d.ncon == 1 and d.contact.dist[0] == pytest.approx(-0.05)


def test_names_that_clash_are_refused():
    spec = mj.MjSpec()
    spec.worldbody.add_body(name="a")
    with pytest.raises(ValueError, match="repeated name 'a' in body"):
        spec.worldbody.add_body(name="a")
    other = spec.worldbody.add_body(name="b")
    with pytest.raises(ValueError, match="repeated name 'a' in body"):
        other.name = "a"
    assert [body.name for body in spec.bodies] == ["world", "a", "", "b"]
    older = tumble.MjSpec()
    assert [older.worldbody.add_body(name="a").name for _ in range(2)] == ["a", "a"]


def test_groups_of_inertia_are_saved():
    text = "<mujoco><compiler inertiagrouprange='0 2'/><worldbody><body><geom size='.1'/></body></worldbody></mujoco>"
    for module, saved in ((mj, True), (tumble, False)):
        spec = module.MjSpec.from_string(text)
        spec.compile()
        assert ('inertiagrouprange="0 2"' in spec.to_xml()) == saved


def test_normals_of_mirrored_faces():
    corners, normals = np.eye(4, 3, -1, np.float32), np.array([[0, 0, -1], [1, 0, 0], [0, 1, 0], [0, 0, 1]], np.float32)
    faces = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], np.int32)
    data = b"".join(x.tobytes() for x in (np.array([4, 4, 0, 4], np.int32), corners, normals, faces))
    text = (
        "<mujoco><asset><mesh file='a.msh' scale='-1 1 1'/></asset><worldbody><geom type='mesh' mesh='a'/></worldbody></mujoco>"
    )
    m = mj.MjModel.from_xml_string(text, {"a.msh": data})
    assert m.mesh_face.tolist() == m.mesh_facenormal.tolist() == faces[:, [0, 2, 1]].tolist()


# polygons, and their triangles by 3.12 and by 3.13, which loses two of the last polygon
POLYGONS = (
    ("2 0 0 .5 1.5 0 -1 1.2 0 -1.8 -.5 0 -.2 -1.6 0 1 -1 0", "012 023 034 045", "012 023 345 035"),
    ("10.49 7.87 0 10.27 7.96 0 9.29 6.3 0 10.59 6.19 0 10.88 6.52 0 10.98 6.78 0", "012 023 034 045", "012 345 350 023"),
    ("9.01 6.86 0 9.06 6.66 0 9.15 6.47 0 9.51 6.13 0 9.52 6.13 0", "012 023 034", "401"),
)


@pytest.mark.parametrize("points, early, late", POLYGONS)
def test_polygons_of_obj_files(points, early, late):
    """The test for ears of later releases depends on where the origin is. The triangles are those of 3.12.0 and 4.0.1."""
    corners = np.array(points.split(), float).reshape(-1, 3).tolist()
    lines = [f"v {x} {y} {z}" for x, y, z in [*corners, [0.1, 0.2, 3]]]
    face = " ".join(str(k + 1) for k in range(len(corners)))
    data = "\n".join([*lines, f"f {face}", f"f 1 {len(lines)} 2", ""]).encode()
    asset = "<asset><mesh file='a.obj' inertia='shell'/></asset>"
    text = f"<mujoco>{asset}<worldbody><geom type='mesh' mesh='a'/></worldbody></mujoco>"
    for compat, wanted in (("3.12", early), ("3.13", late), ("4.0", late)):
        faces = tumble.MjModel.from_xml_string(text, {"a.obj": data}, compat=compat).mesh_face.tolist()[:-1]
        assert [sorted(f) for f in faces] == [sorted(map(int, t)) for t in wanted.split()], compat


def test_quadrilaterals_of_obj_files():
    """Quadrilaterals are cut along the shorter diagonal, or along the second one if both are equal."""
    corners = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1.2\nv 0 1 1\n"
    data = (corners + "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n").encode()
    text = "<mujoco><asset><mesh file='a.obj'/></asset><worldbody><geom type='mesh' mesh='a'/></worldbody></mujoco>"
    faces = mj.MjModel.from_xml_string(text, {"a.obj": data}).mesh_face.tolist()
    assert faces[:2] == [[0, 3, 1], [3, 2, 1]] and faces[8:10] == [[2, 3, 7], [2, 7, 6]]
    assert tumble.MjModel.from_xml_string(text, {"a.obj": data}).mesh_face.tolist()[:2] == [[0, 3, 2], [0, 2, 1]]
