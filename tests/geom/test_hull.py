"""Convex hulls: the graph is that of a closed surface, and its order is Qhull's."""

import sys

import mujoco
import numpy as np
import pytest

import tumble
from tests.tolerance import EXACT
from tumble.engine.geom import hull, hull_lists
from tumble.engine.geom.hull import convex_hull

BRICK = np.array([[x, y, z] for z in (-1, 1) for y in (-1, 1) for x in (-2, 2)], float)
RING = np.array([[np.cos(a), np.sin(a), z] for z in (-1, 1) for a in np.arange(7) * 2 * np.pi / 7])


def cloud(count, seed):
    return np.random.default_rng(seed).normal(size=(count, 3))


def parts(graph):
    """(vertex ids, neighbors of each vertex as local numbers, faces)"""
    nvert, nface = graph[:2]
    adr, ids, edges = graph[2 : 2 + nvert], graph[2 + nvert : 2 + 2 * nvert], graph[2 + 2 * nvert : 2 + 3 * nvert + 3 * nface]
    around = [edges[a : a + int(np.flatnonzero(edges[a:] < 0)[0])] for a in adr]
    return ids, around, graph[2 + 3 * nvert + 3 * nface :].reshape(-1, 3)


@pytest.mark.parametrize("points", [cloud(4, 0), cloud(60, 1), BRICK, RING], ids=["tetrahedron", "cloud", "brick", "ring"])
def test_graph_is_a_closed_surface(points):
    faces, graph = convex_hull(points)
    ids, around, listed = parts(graph)
    assert np.array_equal(listed, faces)
    assert len(ids) - len(faces) * 3 // 2 + len(faces) == 2
    # every vertex is below every face's plane, and neighbours are mutual
    a, b, c = (points[faces[:, k]] for k in range(3))
    normal = np.cross(b - a, c - a)
    assert (np.einsum("fk,fvk->fv", normal, points[None] - a[:, None]) < 1e-9).all()
    assert all(i in around[j] for i, neighbours in enumerate(around) for j in neighbours)
    edges = {(ids[i], ids[j]) for i, neighbours in enumerate(around) for j in neighbours}
    assert edges == {(f[i], f[j]) for f in faces for i in range(3) for j in range(3) if i != j}


@pytest.mark.parametrize("points", [*(cloud(n, n) for n in (4, 5, 8, 20, 300)), BRICK], ids=[4, 5, 8, 20, 300, "brick"])
def test_order_is_the_reference_s(points):
    points = points.astype(np.float32).astype(float)
    text = " ".join(map(str, points.ravel()))
    ref = mujoco.MjModel.from_xml_string(
        f'<mujoco><asset><mesh name="a" vertex="{text}" inertia="convex"/></asset><worldbody>'
        '<geom type="mesh" mesh="a"/></worldbody></mujoco>'
    )
    assert np.array_equal(convex_hull(points)[1], ref.mesh_graph)


FLAT = {
    # facets with many corners, and vertices that Qhull merges away
    "prism": np.array([[np.cos(a), np.sin(a), z] for z in (-1, 1) for a in np.arange(40) * np.pi / 20]),
    "lattice": np.stack(np.meshgrid(*3 * [np.linspace(-1, 1, 6)]), -1).reshape(-1, 3),
    "drum": np.concatenate([RING * s + (0, 0, 0.1 * s) for s in (0.2, 0.6, 1, 1.4)]),
    "rounded": np.round(cloud(400, 5) / np.linalg.norm(cloud(400, 5), axis=1)[:, None], 1),
}


def reference_graph(points):
    text = " ".join(map(str, points.ravel()))
    return mujoco.MjModel.from_xml_string(
        f'<mujoco><asset><mesh name="a" vertex="{text}" inertia="convex"/></asset><worldbody>'
        '<geom type="mesh" mesh="a"/></worldbody></mujoco>'
    ).mesh_graph


@pytest.mark.skipif(sys.platform != "linux", reason="Qhull's lists are read through /proc")
@pytest.mark.parametrize("points", FLAT.values(), ids=FLAT)
def test_merged_facets_have_the_reference_s_order(points):
    points = points.astype(np.float32).astype(float)
    assert np.array_equal(convex_hull(points)[1], reference_graph(points))


@pytest.mark.parametrize("points", [cloud(4, 0), cloud(300, 1), *FLAT.values()], ids=["tetrahedron", "cloud", *FLAT])
def test_without_qhull_s_lists_the_graph_is_as_whole(points, monkeypatch):
    faces, graph = convex_hull(points)
    monkeypatch.setattr(hull, "find_lists", lambda *a: None)
    again, other = convex_hull(points)
    assert np.array_equal(faces, again) and len(graph) == len(other)
    links = [
        {(ids[i], ids[j]) for i, around in enumerate(near) for j in around} for ids, near, _ in (parts(graph), parts(other))
    ]
    assert links[0] == links[1]


def test_lists_that_are_not_the_hull_s_are_refused(monkeypatch):
    points = FLAT["prism"]
    real = hull_lists.find_lists
    right = convex_hull(points)[1]

    def elsewhere(owner, vert, *told):
        facet, vertex, room = real(owner, vert, *told)
        tried.append(real(owner, vert.copy(), *told))
        tried.append(real(object(), vert, *told))
        # a vertex is not a facet, a facet is not a vertex
        return (vertex, facet, room) if swap else (facet, vertex, 2)

    for swap in (True, False):
        tried = []
        monkeypatch.setattr(hull, "find_lists", elsewhere)
        graph = convex_hull(points)[1]
        assert tried == [None, None] and len(graph) == len(right)


HEMISPHERE = """<mujoco><asset><mesh name="h" builtin="hemisphere" params="3" scale=".1 .1 .1"/></asset><worldbody>
<geom type="plane" size="1 1 .1"/><body><freejoint/><geom type="mesh" mesh="h"/></body></worldbody></mujoco>"""


@pytest.mark.skipif(sys.platform != "linux", reason="Qhull's lists are read through /proc")
def test_hemisphere_on_a_plane_touches_where_the_reference_does():
    pairs = [(lib, m := lib.MjModel.from_xml_string(HEMISPHERE), lib.MjData(m)) for lib in (mujoco, tumble)]
    poses = np.random.default_rng(8).normal(size=(1000, 4))
    poses[0] = -1.259, 1.514, 1.346, 0.7813
    touched = 0
    for quat in poses:
        for lib, m, d in pairs:
            d.qpos[:] = 0, 0, 0.04, *quat
            lib.mj_forward(m, d)
        (_, _, a), (_, _, b) = pairs
        assert a.ncon == b.ncon
        touched += a.ncon
        np.testing.assert_allclose(b.contact.pos, a.contact.pos, rtol=0, atol=EXACT)
        np.testing.assert_allclose(b.contact.dist, a.contact.dist, rtol=0, atol=EXACT)
    assert touched > 1000


def test_fewer_vertices_on_request():
    _, graph = convex_hull(cloud(200, 3), 12)
    assert graph[0] <= 12
