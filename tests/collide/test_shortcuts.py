"""Work that the collision stage leaves out changes no result."""

import numpy as np
import pytest
from scipy.optimize import nnls

import tumble
from tests.tolerance import ROUND
from tumble.engine.collide.bounds import boxes_prove_apart
from tumble.engine.collide.flex_pairs import sides_apart
from tumble.engine.machine.interpret import interpreted
from tumble.engine.machine.memory import as_data, as_model
from tumble.engine.math.sparse import add_columns, add_transposed, columns_times, transpose

SCENE = """<mujoco><asset><mesh name="rock" vertex="0 0 0  .3 0 0  0 .3 0  0 0 .3  .2 .2 .2  .1 .3 .2"/></asset>
<worldbody><geom type="plane" size="2 2 .1"/>{bodies}
<body pos="1 0 .5"><freejoint/><geom name="rock" type="mesh" mesh="rock"/></body></worldbody></mujoco>"""
BODY = '<body pos="{} {} {}"><freejoint/><geom size=".1"/><geom type="box" size=".1 .05 .05" pos=".2 0 0"/></body>'
REACH = 0.01
# boxes that touch or overlap by less than this may be on either side
BARELY = 1e-4
# weight of the condition that weights of corners add up to 1; the distance is off by its inverse square
FIRM = 1e4


@pytest.fixture(scope="module")
def model():
    rng = np.random.default_rng(0)
    bodies = "".join(BODY.format(*p) for p in rng.uniform([-0.6, -0.6, 0.05], [0.6, 0.6, 0.6], (24, 3)))
    return tumble.MjModel.from_xml_string(SCENE.format(bodies=bodies))


def contacts(d):
    return [(*c.geom, *c.pos, c.dist) for c in d.contact]


def marks(d):
    return np.array(d.bvh_active)


def rays(m, d):
    """Cast rays, which mark the nodes of the mesh's tree that they visit."""
    hit = np.zeros(1, np.int32)
    for x in np.linspace(0.9, 1.4, 20):
        tumble.mj_ray(m, d, [x, 0.1, 2], [0, 0, -1], None, 1, -1, hit)


@pytest.mark.parametrize("spoil", [rays, lambda m, d: d.bvh_active.fill(1), lambda m, d: setattr(d, "bvh_active", 1)])
def test_marks_of_the_step_before_are_gone(model, spoil):
    d, fresh = tumble.MjData(model), tumble.MjData(model)
    for x in d, fresh:
        tumble.mj_step(model, x, 20)
        tumble.mj_forward(model, x)
    expected = marks(fresh)
    spoil(model, d)
    assert not np.array_equal(marks(d), expected)
    tumble.mj_collision(model, d)
    assert np.array_equal(marks(d), expected)


def test_a_copy_takes_marks_along_and_clears_them(model):
    d, other = tumble.MjData(model), tumble.MjData(model)
    for x in d, other:
        tumble.mj_forward(model, x)
    rays(model, d)
    tumble.mj_copyData(other, model, d)
    assert np.array_equal(marks(other), marks(d))
    tumble.mj_collision(model, other)
    tumble.mj_collision(model, d)
    assert np.array_equal(marks(other), marks(d))


def no_order(keys, rng):
    keys[:] = rng.integers(-(2**62), 2**62, keys.size)


def same_end_twice(keys, rng):
    keys[:] = 3


def zeros(keys, rng):
    keys[:] = 0


@pytest.mark.parametrize("spoil", [no_order, same_end_twice, zeros])
def test_pairs_do_not_depend_on_the_order_of_the_step_before(model, spoil):
    d, other, rng = tumble.MjData(model), tumble.MjData(model), np.random.default_rng(1)
    for _ in range(30):
        tumble.mj_step(model, d, 3)
        other.qpos[:], other.qvel[:] = d.qpos, d.qvel
        spoil(other.array("broad_key"), rng)
        for x in d, other:
            tumble.mj_forward(model, x)
        assert contacts(d) == contacts(other)
        assert np.array_equal(marks(d), marks(other))
        assert np.array_equal(d.array("broad_pair")[: d.nbroad], other.array("broad_pair")[: other.nbroad])


@pytest.mark.parametrize("alike", [1, 3, 6])
def test_products_by_columns_have_the_bits_of_those_by_rows(alike):
    """Both products give the same bits for a matrix with groups of columns that have elements in the same rows."""
    rng = np.random.default_rng(2)
    n, width = 40, 30
    A = np.where(np.repeat(rng.random((n, width // alike)) < 0.2, alike, axis=1), rng.normal(size=(n, width)), 0)
    nnz = (A != 0).sum(1).astype(np.int32)
    adr = np.concatenate([[0], np.cumsum(nnz)[:-1]]).astype(np.int32)
    row, col = np.nonzero(A)
    values, T, rows, end = A[row, col], np.empty(len(row)), np.empty(len(row), np.int32), np.empty((width, 2), np.int32)
    by_rows, by_columns = np.zeros(width), np.full(width, np.nan)
    interpreted(transpose)(T, end, rows, values, nnz, adr, col, n, width)
    x, v, product = np.where(rng.random(n) < 0.3, 0, rng.normal(size=n)), rng.normal(size=width), np.zeros(n)
    assert (end[:, 1] >= alike - 1).sum() >= width // alike

    # A' x and A v
    interpreted(add_transposed)(by_rows, values, nnz, adr, col, np.zeros(n, np.int32), x, n)
    interpreted(columns_times)(by_columns, T, end, rows, x, width)
    interpreted(add_columns)(product, T, end, rows, v, width)
    assert np.array_equal(by_rows, by_columns)
    np.testing.assert_allclose(by_columns, A.T @ x, atol=ROUND)
    np.testing.assert_allclose(product, A @ v, atol=ROUND)


def distance(a, b):
    """Distance of two triangles: weights of their corners that bring two points as close as possible."""
    matrix = np.zeros((5, 6))
    matrix[:3, :3], matrix[:3, 3:] = a.T, -b.T
    matrix[3, :3] = matrix[4, 3:] = FIRM
    weights, _ = nnls(matrix, [0, 0, 0, FIRM, FIRM])
    return np.linalg.norm(weights[:3] @ a - weights[3:] @ b)


SOLIDS = """<mujoco><asset><mesh name="rock" vertex="0 0 0  .3 0 0  0 .3 0  0 0 .3  .2 .2 .2  .1 .3 .2"/></asset><worldbody>
<body><freejoint/><geom type="{}" size=".1 .2 .05" {}/></body><body><freejoint/><geom type="{}" size=".07 .12 .2" {}/></body>
</worldbody></mujoco>"""
KINDS = ("box", "ellipsoid", "cylinder", "capsule", "sphere", "mesh")


@pytest.mark.parametrize("second", KINDS)
@pytest.mark.parametrize("first", KINDS)
def test_only_geoms_that_are_apart_are_left_out(first, second):
    """If bounding boxes separate two geoms, the geoms' distance is above the margin; for box geoms, the converse also holds."""
    meshes = ['mesh="rock"' if kind == "mesh" else "" for kind in (first, second)]
    # before 4.0, the distance of some shapes that are apart is 0
    m = tumble.MjModel.from_xml_string(SOLIDS.format(first, meshes[0], second, meshes[1]), compat="4.0")
    d, rng, apart, left_out = tumble.MjData(m), np.random.default_rng(4), interpreted(boxes_prove_apart), 0
    for k in range(60):
        d.qpos[:] = rng.normal(size=14)
        d.qpos[:3], d.qpos[7:10] = 0.25 * rng.normal(size=3), 0
        if k % 3 == 0:
            d.qpos[3:7] = d.qpos[10:14] = 1, 0, 0, 0
        tumble.mj_kinematics(m, d)
        distance, margin = tumble.mj_geomDistance(m, d, 0, 1, 10, None), 0.05 * (k % 2)
        found = apart(as_model(m._address), as_data(d._address), 0, 1, margin)
        assert not found or distance > margin
        if first == second == "box" and margin == 0 and abs(distance) > BARELY:
            assert found == (distance > 0)
        left_out += found
    assert left_out > 10


def test_a_size_that_a_program_changes_needs_no_new_bounding_box():
    m = tumble.MjModel.from_xml_string(SOLIDS.format("ellipsoid", "", "cylinder", ""))
    d = tumble.MjData(m)
    d.qpos[:3] = 0.5, 0, 0
    tumble.mj_forward(m, d)
    assert d.ncon == 0
    m.geom_size[0] = m.geom_rbound[0] = 1
    tumble.mj_forward(m, d)
    assert d.ncon == 1


def test_only_triangles_that_are_apart_are_left_out():
    apart, rng, left_out = interpreted(sides_apart), np.random.default_rng(3), 0
    touching = 0
    for k in range(400):
        a, b = rng.normal(size=(3, 3)), rng.normal(size=(3, 3)) + rng.normal(size=3)
        if k % 2:
            # nearly in one plane, as neighbors in a cloth
            a[:, 2], b[:, 2] = 0.01 * a[:, 2], 0.01 * b[:, 2]
        if apart(*map(tuple, (*a, *b)), REACH) or apart(*map(tuple, (*b, *a)), REACH):
            left_out += 1
            assert distance(a, b) > REACH
        touching += distance(a, b) < REACH
    assert left_out > 100 and touching > 20
