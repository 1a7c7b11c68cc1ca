"""The user's collision functions, Python or compiled, replace those of a pair."""

import numpy as np
import pytest

import tumble
from tumble.engine.collide.manifold import put
from tumble.engine.machine.jit import stage
from tumble.engine.machine.lang import load
from tumble.engine.math.vec import sub3
from tumble.engine.tables.enums import mjtGeom

SPHERE, BOX, PLANE = mjtGeom.mjGEOM_SPHERE, mjtGeom.mjGEOM_BOX, mjtGeom.mjGEOM_PLANE
SCENE = """<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/>
  <body pos="0 0 .09"><freejoint/><geom name="ball" size=".1"/></body>
  <body pos=".5 0 .12"><freejoint/><geom name="brick" type="box" size=".1 .1 .1"/></body>
  <body pos="3 0 .12"><freejoint/><geom name="far" type="box" size=".1 .1 .1"/></body></worldbody></mujoco>"""


@pytest.fixture
def scene():
    m = tumble.MjModel.from_xml_string(SCENE)
    d = tumble.MjData(m)
    # A step that waits for a kernel restarts and calls again, which must not happen here.
    tumble.mj_forward(m, d)
    yield m, d
    tumble.mj_resetCallbacks()


@stage("iMDiif")
def raised_floor(m, d, g1, g2, margin):
    """reads geom_xpos; writes manifold: a plane that lies 1 cm higher, against a sphere."""
    origin, centre = load(d.geom_xpos, g1, 3), load(d.geom_xpos, g2, 3)
    height = sub3(centre, origin)[2] - m.geom_size[g2, 0] - 0.01
    return put(d.manifold, 0, height, centre, (0.0, 0.0, 1.0)) if height < margin else 0


def test_compiled_function(scene):
    m, d = scene
    tumble.mj_forward(m, d)
    own = d.contact[0].dist
    tumble.set_mjcb_collision(SPHERE, PLANE, raised_floor)
    assert tumble.get_mjcb_collision(PLANE, SPHERE) is raised_floor
    tumble.mj_forward(m, d)
    assert d.ncon == 1 and d.contact[0].dist == pytest.approx(own - 0.01, abs=1e-15)
    assert tumble.mj_geomDistance(m, d, 0, 1, 1.0, None) == d.contact[0].dist
    tumble.set_mjcb_collision(PLANE, SPHERE, None)
    tumble.mj_forward(m, d)
    assert d.contact[0].dist == own


def test_python_function(scene):
    m, d = scene
    asked = []

    def corners(model, data, geom1, geom2, margin):
        assert model is m and data is d
        asked.append((geom1, geom2, margin))
        return [(-0.001 * k, k, 0, 0, 0, 0, 1, 0, 1, 0) for k in range(1, 4)]

    tumble.set_mjcb_collision(PLANE, BOX, corners)
    tumble.mj_forward(m, d)
    assert asked == [(0, 2, 0.0), (0, 3, 0.0)]
    rows = [c for c in d.contact if c.geom[1] == 2]
    assert [c.dist for c in rows] == [-0.001, -0.002, -0.003] and [c.pos[0] for c in rows] == [1, 2, 3]
    np.testing.assert_array_equal(rows[0].frame, [0, 0, 1, 0, 1, 0, -1, 0, 0])
    tumble.set_mjcb_collision(PLANE, BOX, lambda *args: None)
    tumble.mj_forward(m, d)
    assert [tuple(c.geom) for c in d.contact] == [(0, 1)]


def test_pairs_without_a_function_of_their_own(scene):
    m, d = scene
    # two planes do not collide, because their cell of the table is empty; a user's function fills it
    m.geom_type[1] = PLANE
    m.geom_rbound[1] = 0
    tumble.mj_forward(m, d)
    assert not any(tuple(c.geom) == (0, 1) for c in d.contact)
    tumble.set_mjcb_collision(PLANE, PLANE, lambda model, data, a, b, margin: [[-0.5, 0, 0, 0, 0, 0, 1]])
    tumble.mj_forward(m, d)
    assert [c.dist for c in d.contact if tuple(c.geom) == (0, 1)] == [-0.5]
    assert d.contact[0].frame[:3].tolist() == [0, 0, 1]


@pytest.mark.parametrize(
    "answer, complaint",
    [
        ([[1, 2, 3]], r"rows of 7 or 10 numbers.*shape \(1, 3\)"),
        ([[np.nan] * 7], "finite"),
        ([[0] * 7] * 51, "51 contacts, but a pair of geoms can have at most 50"),
    ],
)
def test_bad_answers(scene, answer, complaint):
    m, d = scene
    tumble.set_mjcb_collision(PLANE, SPHERE, lambda *args: answer)
    with pytest.raises(ValueError, match=f"mjGEOM_PLANE and mjGEOM_SPHERE: .*{complaint}"):
        tumble.mj_step(m, d)
    assert d.time == 0


def test_errors_pass_through(scene):
    m, d = scene

    def fail(*args):
        raise KeyError("lost")

    tumble.set_mjcb_collision(PLANE, SPHERE, fail)
    with pytest.raises(KeyError, match="lost"):
        tumble.mj_step(m, d)
    tumble.mj_resetCallbacks()
    assert tumble.get_mjcb_collision(PLANE, SPHERE) is None
    tumble.mj_step(m, d)
    assert d.ncon and d.contact[0].dist < 0


def test_bad_arguments(scene):
    with pytest.raises(TypeError, match="not an Optional"):
        tumble.set_mjcb_collision(PLANE, SPHERE, "text")
    with pytest.raises(ValueError, match="geom types are 0 to 8"):
        tumble.set_mjcb_collision(PLANE, 9, None)
    with pytest.raises(TypeError):
        tumble.set_mjcb_collision(PLANE, 1.5, None)
