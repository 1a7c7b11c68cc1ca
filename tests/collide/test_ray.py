"""Rays through a scene with every type of geom: distances and geoms as the reference finds them, one by one and many
at once.
"""

import mujoco
import numpy as np
import pytest

from tests.mirror import mirror
from tests.oracle import load_pair
from tests.tolerance import ROUND
from tumble.engine.core import stages

HEIGHTS = " ".join(str(((7 * r + 3 * c) % 11) / 10) for r in range(9) for c in range(7))
SCENE = f"""<mujoco>
  <asset><mesh name="cone" builtin="cone" params="12 .3" scale=".3 .2 .4"/>\
<mesh name="ball" builtin="sphere" params="2" scale=".25 .25 .25"/>
    <hfield name="hills" nrow="9" ncol="7" size="1 1.2 .5 .1" elevation="{HEIGHTS}"/><material name="glass" rgba="1 1 1 0"/>\
</asset>
  <worldbody>
    <geom type="hfield" hfield="hills" pos="0 0 -1"/><geom type="plane" size="4 4 .1" pos="0 0 -2" group="1"/>
    <geom type="sphere" size=".4" pos="0 0 .5" material="glass"/><geom type="box" size="1 1 1" rgba="1 1 1 0"/>
    <body pos="-1 0 .4" euler="10 20 30"><freejoint/><geom type="mesh" mesh="cone"/>\
<geom type="mesh" mesh="ball" pos=".6 .3 .1" group="2"/></body>
    <body pos=".5 .5 .3" euler="40 20 10"><freejoint/><geom type="capsule" size=".1 .3"/>\
<geom type="ellipsoid" size=".2 .1 .3" pos=".5 0 0"/></body>
    <body pos=".5 -.7 .3" euler="40 0 80"><freejoint/><geom type="cylinder" size=".2 .3"/>\
<geom type="box" size=".2 .1 .3" pos="-.6 0 0" group="5"/></body>
    <body pos="2 0 1"><geom type="sdf" mesh="ball"/><geom type="mesh" mesh="cone" pos="0 .6 0"/></body>
  </worldbody></mujoco>"""
COUNT = 400


@pytest.fixture(scope="module")
def scene():
    ref, ref_data, m, d = load_pair(SCENE)
    mujoco.mj_forward(ref, ref_data)
    mirror(ref_data, d)
    return ref, ref_data, m, d


def rays(seed, count=COUNT):
    """A point and directions that mostly hit something."""
    rng = np.random.default_rng(seed)
    start = rng.uniform([-2, -2, -1.5], [3, 2, 2])
    return start, rng.uniform([-1.5, -1.5, -1.5], [2.5, 1.5, 1.2], (count, 3)) - start


@pytest.mark.parametrize("static", [0, 1])
@pytest.mark.parametrize("excluded", [-1, 0, 2])
@pytest.mark.parametrize("groups", [None, (1, 0, 1, 0, 0, 1)])
def test_one_ray(scene, groups, excluded, static):
    ref, ref_data, m, d = scene
    groups = None if groups is None else np.array(groups, np.uint8)
    hit, theirs = np.empty(1, np.int32), np.empty(1, np.int32)
    seen = set()
    for start, along in (rays(seed) for seed in range(4)):
        for v in along:
            hit[0] = -7
            expected = mujoco.mj_ray(ref, ref_data, start, v, groups, static, excluded, theirs)
            distance = stages.call(
                "ray",
                m,
                d,
                start.ctypes.data,
                v.ctypes.data,
                0 if groups is None else groups.ctypes.data,
                static,
                excluded,
                hit.ctypes.data,
            )
            assert hit[0] == theirs[0]
            assert distance == pytest.approx(expected, rel=0, abs=ROUND)
            seen.add(int(ref.geom_type[hit[0]]) if hit[0] >= 0 else -1)
    if groups is None and static and excluded < 0:
        assert seen == {-1, 0, 1, 3, 4, 5, 6, 7, 8}


@pytest.mark.parametrize("cutoff", [1e10, 1.0])
@pytest.mark.parametrize("seed", range(4))
def test_many_rays(scene, seed, cutoff):
    ref, ref_data, m, d = scene
    start, along = rays(seed)
    hits, distances = np.empty(COUNT, np.int32), np.empty(COUNT)
    theirs, expected = np.empty(COUNT, np.int32), np.empty(COUNT)
    mujoco.mj_multiRay(ref, ref_data, start, along.ravel(), None, 1, -1, theirs, expected, COUNT, cutoff)
    scratch = np.full((ref.ngeom, 5), np.nan)
    stages.call(
        "multi_ray",
        m,
        d,
        start.ctypes.data,
        along.ctypes.data,
        0,
        1,
        -1,
        hits.ctypes.data,
        distances.ctypes.data,
        COUNT,
        scratch.ctypes.data,
        cutoff,
    )
    assert np.array_equal(hits, theirs)
    np.testing.assert_allclose(distances, expected, rtol=0, atol=ROUND)


def test_single_meshes_and_height_fields(scene):
    ref, ref_data, m, d = scene
    for g in range(ref.ngeom):
        function = {1: mujoco.mj_rayHfield, 7: mujoco.mj_rayMesh}.get(int(ref.geom_type[g]))
        if function:
            start, along = rays(g)
            mine = [stages.call("ray_one", m, d, g, start.ctypes.data, v.ctypes.data) for v in along]
            expected = [function(ref, ref_data, g, start, v) for v in along]
            np.testing.assert_allclose(mine, expected, rtol=0, atol=ROUND)
            assert max(expected) > 0


def test_visited_tree_nodes_are_marked(scene):
    ref, ref_data, m, d = scene
    ref_data.bvh_active[:] = 0
    d.bvh_active[:] = 0
    test_many_rays(scene, 1, 1e10)
    assert ref_data.bvh_active.any()
    assert np.array_equal(d.bvh_active, ref_data.bvh_active)


def along_rows(rng, count):
    """Points above a field and directions, most of them anywhere, a third along rows, columns, straight down or nearly so."""
    start, along = rng.uniform([-2, -2, -0.5], [2, 2, 1.5], (count, 3)), rng.normal(0, [1, 1, 0.2], (count, 3))
    special = rng.integers(0, 3, count // 3)
    along[: count // 3] = np.eye(3)[special] * rng.choice([-1, 1], (count // 3, 1))
    along[: count // 3] += rng.normal(0, 1, (count // 3, 3)) * rng.choice([0, 1e-12, 1e-3], (count // 3, 1))
    return start, along


@pytest.mark.parametrize("rows, columns", [(70, 45), (3, 90), (2, 2)])
@pytest.mark.parametrize("flatness", [1, 12])
def test_rays_over_large_height_fields(rows, columns, flatness):
    """Only cells that a ray may hit are tested, and none of them is missed. A flat field has a few high cells."""
    ref, ref_data, m, d = load_pair(
        f'<mujoco><asset><hfield name="rough" nrow="{rows}" ncol="{columns}" size="1.5 1 .4 .1"/></asset>'
        '<worldbody><geom type="hfield" hfield="rough" euler="20 -10 30"/></worldbody></mujoco>'
    )
    rng = np.random.default_rng(rows)
    ref.hfield_data[:] = m.hfield_data[:] = rng.uniform(0, 1, rows * columns) ** flatness
    mujoco.mj_forward(ref, ref_data)
    mirror(ref_data, d)
    start, along = along_rows(rng, 3000)
    turned = along @ ref_data.geom_xmat[0].reshape(3, 3).T
    for directions in (along, turned):
        mine = [stages.call("ray_one", m, d, 0, p.ctypes.data, v.ctypes.data) for p, v in zip(start, directions, strict=True)]
        expected = [mujoco.mj_rayHfield(ref, ref_data, 0, p, v) for p, v in zip(start, directions, strict=True)]
        np.testing.assert_allclose(mine, expected, rtol=ROUND, atol=ROUND)
        assert np.mean(np.array(expected) > 0) > 0.05
