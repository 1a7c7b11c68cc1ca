"""Parts of the renderer that need no graphics: draw lists, projections, shadow frustums, glyphs, quality, shapes."""

import mujoco
import numpy as np
import pytest

import tumble
from tests.oracle import load_pair
from tests.robust.test_trusted_models import binary
from tests.tolerance import ROUND, TESS, close
from tumble.engine.core.binary import read_model
from tumble.render import scene as mjv
from tumble.render.gl import frame, instances, quality
from tumble.render.null import NullRenderer
from tumble.render.scene import strokes, tessellate
from tumble.render.scene.catenary import catenary

PILE = """<mujoco><asset><texture name="t" type="2d" builtin="checker" width="8" height="8"/><material name="m" texture="t"/>
    </asset>
 <worldbody><light castshadow="true" pos="0 0 3" dir="0 0 -1"/><geom name="mirror" type="plane" size="1 1 .1" material="m"/>
 <replicate count="20" offset=".3 0 0"><geom type="box" size=".1 .1 .1"/><geom size=".1" rgba="1 0 0 .5" pos="0 .3 0"/>
  <geom type="capsule" size=".05 .1" material="m" pos="0 -.3 0"/></replicate></worldbody></mujoco>"""


@pytest.fixture
def pile():
    ref, data, m, _ = load_pair(PILE)
    mujoco.mj_forward(ref, data)
    scn, cam = mjv.MjvScene(m, 200), mjv.MjvCamera()
    mjv.mjv_defaultFreeCamera(m, cam)
    mjv.mjv_updateScene(m, data, mjv.MjvOption(), None, cam, 7, scn)
    return m, scn


def test_draw_list_groups_equal_things_and_keeps_all(pile):
    """Opaque boxes and capsules are one batch each, the transparent spheres one from near to far; every geom occurs once."""
    m, scn = pile
    head = scn.glcam.pos.mean(0).astype(float)
    out = instances.DrawList(instances.ModelTables(m)).build(scn, head)
    assert sorted(out.order.tolist()) == list(range(scn.ngeom))
    solid = {instances.UNIT[b[1]]: b[3] for b in out.batches[instances.CASTER]}
    assert solid == {"box": 20, "capsule": 20, "plane": 1}
    clear = out.batches[instances.TRANSPARENT]
    assert [(instances.UNIT[b[1]], b[3]) for b in clear] == [("sphere", 20)]
    near = np.linalg.norm(scn.geom.pos[out.order[-20:]] - head, axis=1)
    assert (np.diff(near) >= -1e-6).all()
    far_first = out.batches[instances.FAR_FIRST]
    assert [(instances.UNIT[b[1]], b[3]) for b in far_first] == [("sphere", 20)]
    start = far_first[0][2]
    assert (out.records[start : start + 20] == out.records[clear[0][2] : clear[0][2] + 20][::-1]).all(), (
        "the same ones backwards"
    )
    records = out.records[: len(out.order)]
    caps = scn.geom.type[out.order] == int(mujoco.mjtGeom.mjGEOM_CAPSULE)
    close(records["scale"][caps, 3], np.full(20, 0.1), 1e-7, "half length")
    assert (records["tex"][caps, 0] == 1).all() and (records["tex"][scn.geom.matid[out.order] < 0, 0] == 0).all()


def test_projection_of_the_frustum_corners(pile):
    """Corners of near and far plane project to the corners of the clip cube, for both kinds of camera."""
    _, scn = pile
    for ortho in (0, 1):
        cam = mjv.mjv_averageCamera(*scn.camera)
        cam.orthographic = ortho
        view, proj = frame.camera_matrices(cam, scn, 1.5)
        right = np.cross(cam.forward, cam.up)
        for depth, z in ((cam.frustum_near, -1), (cam.frustum_far, 1)):
            grow = 1 if ortho else depth / cam.frustum_near
            corner = cam.pos + depth * cam.forward + grow * (cam.frustum_top * cam.up + 1.5 * cam.frustum_top * right)
            p = proj @ view @ np.append(corner, 1)
            close(p[:3] / p[3], [1, 1, z], TESS, "the camera is single precision, far is 5000 times near")


def test_shadow_map_covers_all_casters(pile):
    """All lit geoms except the plane lie inside the light's clip cube, and they use more than half of it."""
    m, scn = pile
    cam = mjv.mjv_averageCamera(*scn.camera)
    data = frame.FrameData().begin(scn, m, cam, (300, 200), quality.Quality(), True)
    assert len(data.layers) == 1
    mat = data.block["shadow"][0].T
    pos = scn.geom.pos[1 : scn.ngeom]
    pos = pos[pos[:, 0] < 2.9]  # the cone of 45 degrees ends at 3
    p = np.hstack([pos, np.ones((len(pos), 1))]) @ mat.T
    ndc = p[:, :3] / p[:, 3:]
    assert (np.abs(ndc) < 1).all()
    assert np.abs(ndc[:, 0]).max() > 0.5 or np.abs(ndc[:, 1]).max() > 0.5


def test_reflection_is_its_own_inverse():
    n = np.array([1.0, 2, 3]) / np.sqrt(14)
    m = frame.reflection(np.array([0.3, 0.1, 0.2]), n)
    close(m @ m, np.eye(4), ROUND, "twice")
    close((m @ [0.3, 0.1, 0.2, 1])[:3], [0.3, 0.1, 0.2], ROUND, "point in the plane")


def test_every_printable_character_has_ink_inside_its_cell():
    """All 95 characters exist; all except the space reach full ink; no two look the same."""
    field = strokes.atlas(4)
    seen = set()
    for code in range(strokes.FIRST, strokes.LAST + 1):
        r, c = divmod(code - strokes.FIRST, strokes.COLUMNS)
        cell = field[r * 40 : (r + 1) * 40, c * 24 : (c + 1) * 24]
        assert (cell.max() > 200) == (chr(code) != " "), chr(code)
        seen.add(cell.tobytes())
    assert len(seen) == 95


def test_adapter_lowers_quality_when_late_and_raises_it_slowly():
    a = quality.Adapter(budget_ms=10, level=1, patience=3)
    assert [a.feed(20) for _ in range(2)] == [None, None]
    assert a.feed(20) == quality.LEVELS[2]
    assert all(a.feed(5) is None for _ in range(200)), "neither late nor early"
    changes = [q for q in (a.feed(1) for _ in range(200)) if q]
    assert changes and changes[0] == quality.LEVELS[1]


@pytest.mark.parametrize("name", ["sphere", "capsule", "cylinder", "box", "arrow", "arrow1", "arrow2"])
def test_unit_shapes_are_closed_and_face_outward(name):
    """Every edge (by position) is used once in each direction; normals agree with the winding."""
    v, i = tessellate.unit_shapes(12, 8)[name]
    p = v[i, :3].astype(float) + [0, 0, 1] * v[i, 7:8] * 0.5
    tri = p.reshape(-1, 3, 3)
    area = np.cross(tri[:, 1] - tri[:, 0], tri[:, 2] - tri[:, 0])
    real = np.linalg.norm(area, axis=1) > 1e-9
    outward = np.einsum("ij,ij->i", area, v[i, 3:6].reshape(-1, 3, 3).mean(1))
    assert (outward[real] > 0).all()
    volume = np.einsum("ij,ij->i", tri[:, 0], np.cross(tri[:, 1], tri[:, 2])).sum() / 6
    assert volume > 0
    if not name.startswith("arrow"):
        close(area.sum(0), np.zeros(3), TESS, "closed surfaces have no net area; the tip of an arrow overlaps its shaft")


@pytest.mark.parametrize("length", [1.2, 2.0, 5.0])
def test_catenary_has_the_given_length(length):
    """Summed segment lengths approach the string's length, ends are exact, and the curve hangs down."""
    p = catenary([0, 0, 1], [1, 0, 1.2], [0, 0, -9.81], length, 400)
    close(p[0], [0, 0, 1], ROUND, "start")
    close(p[-1], [1, 0, 1.2], ROUND, "end")
    total = np.linalg.norm(np.diff(p, axis=0), axis=1).sum()
    assert abs(total - length) < 0.02 * length, "chords of 400 pieces, the last one longer"
    assert p[:, 2].min() < 1


def test_null_renderer_has_every_public_call_of_the_real_one():
    from tumble.render.gl.renderer import Renderer

    public = {k for k in vars(Renderer) if not k.startswith("_") and callable(vars(Renderer)[k])} - {
        "begin",
        "finish",
        "program",
    }
    assert not [k for k in public if not hasattr(NullRenderer, k)]


OBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n{}f {}\nf {}\nf {}\nf {}\n"
CORNERS = "1 3 2", "1 2 4", "1 4 3", "2 3 4"


@pytest.mark.parametrize("lines", ["vn 0 0 1\n", "vn 0 0 1\nvt .5 .5\n"])
def test_faces_without_normals_are_flat(lines):
    """An OBJ file may contain normals and texture coordinates that no face uses; MuJoCo numbers them -1."""
    text = '<mujoco><asset><mesh name="m" file="m.obj"/></asset><worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>'
    own, plain = (tumble.MjModel.from_xml_string(text, {"m.obj": OBJ.format(head, *CORNERS).encode()}) for head in (lines, ""))
    assert (own.mesh_facenormal == -1).all()
    vert, index = tessellate.mesh(own, 0)
    expected, order = tessellate.mesh(plain, 0)
    assert len(index) == 12 and len(vert) == len(expected) == 12, "four triangles, each with corners of its own"
    close(vert[index, :6], expected[order, :6], TESS)
    again = read_model(np.frombuffer(binary(own), np.uint8))
    assert (again.mesh_facenormal == -1).all()
