"""Convex hulls: the graph is that of a closed surface, and its order is Qhull's."""
import mujoco
import numpy as np
import pytest

from tumble.engine.geom.hull import convex_hull

BRICK = np.array([[x, y, z] for z in (-1, 1) for y in (-1, 1) for x in (-2, 2)], float)
RING = np.array([[np.cos(a), np.sin(a), z] for z in (-1, 1) for a in np.arange(7) * 2 * np.pi / 7])


def cloud(count, seed):
    return np.random.default_rng(seed).normal(size=(count, 3))


def parts(graph):
    """(vertex ids, neighbours of each vertex as local numbers, faces)"""
    nvert, nface = graph[:2]
    adr, ids, edges = graph[2:2 + nvert], graph[2 + nvert:2 + 2 * nvert], graph[2 + 2 * nvert:2 + 3 * nvert + 3 * nface]
    around = [edges[a:a + int(np.flatnonzero(edges[a:] < 0)[0])] for a in adr]
    return ids, around, graph[2 + 3 * nvert + 3 * nface:].reshape(-1, 3)


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
    ref = mujoco.MjModel.from_xml_string(f'<mujoco><asset><mesh name="a" vertex="{text}" inertia="convex"/></asset><worldbody>'
                                         '<geom type="mesh" mesh="a"/></worldbody></mujoco>')
    assert np.array_equal(convex_hull(points)[1], ref.mesh_graph)


def test_fewer_vertices_on_request():
    _, graph = convex_hull(cloud(200, 3), 12)
    assert graph[0] <= 12
