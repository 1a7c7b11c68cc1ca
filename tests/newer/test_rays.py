"""Rays with normals give the results recorded from 4.0.1."""

import pathlib

import numpy as np
import pytest

import tumble

from .rays import COUNT, MODEL, trace

RECORDS = dict(np.load(pathlib.Path(__file__).parent / "rays.npz"))
# vertices and heights are in single precision: distances and normals are computed from them in double
SUMS = 1e-9
# minimum fraction of the rays that should hit, so that the test is meaningful
HITS = 0.3


@pytest.fixture(scope="module")
def world():
    m = tumble.MjModel.from_xml_string(MODEL, compat="4.0")
    d = tumble.MjData(m)
    tumble.mj_forward(m, d)
    return m, d


def test_normals(world):
    found = trace(tumble, *world)
    assert str(RECORDS["version"]) == "4.0.1" and {*found, "version"} == set(RECORDS)
    for name, rows in found.items():
        wanted = RECORDS[name]
        assert rows.shape == wanted.shape and np.array_equal(rows[:, 1], wanted[:, 1]), name
        assert (rows[:, 0] >= 0).mean() > HITS and np.abs(rows - wanted).max() < SUMS, (
            name,
            np.flatnonzero(np.abs(rows - wanted).max(1) > SUMS),
        )


def test_calls_without_normals_are_as_before(world):
    m, d = world
    start, along, hit = np.array([3.0, 0, 2]), np.array([0.0, 0, -1]), np.zeros(1, np.int32)
    x = tumble.mj_ray(m, d, start, along, None, 1, -1, hit)
    assert x == pytest.approx(1.7) and hit[0] == 1
    assert (
        tumble.mj_ray(m, d, pnt=start, vec=along, geomgroup=None, flg_static=1, bodyexclude=-1, geomid=None, normal=None) == x
    )
    rays, dist, hits = np.tile(along, COUNT), np.zeros(COUNT), np.zeros(COUNT, np.int32)
    tumble.mj_multiRay(m, d, start, rays, None, 1, -1, hits, dist, COUNT, 1e10)
    assert (dist == x).all() and (hits == 1).all()
    with pytest.raises(TypeError, match="nray"):
        tumble.mj_multiRay(m, d, start, rays, None, 1, -1, hits, dist, np.zeros(3), COUNT, 1e10)
    with pytest.raises(TypeError, match="normal"):
        tumble.mj_ray(m, d, start, along, None, 1, -1, hit, np.zeros(3, np.float32))


FIELDS = {
    "octree": ("<asset><mesh name='s' builtin='sphere' params='3' scale='.3 .3 .3'/></asset>", ""),
    "plugin": ("<extension><plugin plugin='mujoco.sdf.torus'/></extension><asset><mesh name='s'>{0}</mesh></asset>", "{0}"),
}
TORUS = "<plugin plugin='mujoco.sdf.torus'><config key='radius1' value='.4'/><config key='radius2' value='.2'/></plugin>"


@pytest.mark.parametrize("compat", ["3.4", "4.0"])
@pytest.mark.parametrize(("kind", "least"), [("octree", 0.98), ("plugin", 1 - 1e-6)])
def test_normals_of_distance_fields(kind, least, compat):
    """Normals of a sphere, an octree of a mesh, point away from its center, up to the size of cells. Normals of a torus, a
    plugin, point away from the center of its tube.
    """
    asset, plugin = (text.format(TORUS) for text in FIELDS[kind])
    m = tumble.MjModel.from_xml_string(
        f"<mujoco>{asset}<worldbody><geom type='sdf' mesh='s'>{plugin}</geom></worldbody></mujoco>", compat=compat
    )
    d, rng, hit, hits = tumble.MjData(m), np.random.default_rng(0), np.zeros(1, np.int32), 0
    tumble.mj_forward(m, d)
    for _ in range(20):
        start, normal, target = rng.normal(size=3) * 2, np.ones(3), rng.normal(size=3) * 0.1
        x = tumble.mj_ray(m, d, start, target - start, None, 1, -1, hit, normal)
        if x < 0:
            assert not normal.any()
            continue
        hits += 1
        # distances to fields are in metres in 3.4, in lengths of the direction in 4.0
        metres = x if compat == "3.4" else x * np.linalg.norm(target - start)
        away = d.geom_xmat[0].reshape(3, 3).T @ (
            start + metres * (target - start) / np.linalg.norm(target - start) - d.geom_xpos[0]
        )
        if kind == "plugin":
            away -= 0.4 * np.array([*away[:2], 0]) / np.hypot(*away[:2])
        away = d.geom_xmat[0].reshape(3, 3) @ away
        assert np.linalg.norm(normal) == pytest.approx(1) and normal @ away / np.linalg.norm(away) > least
    assert hits > 5
