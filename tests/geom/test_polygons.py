"""Coplanar triangles become polygons: their number and outline do not depend on the triangulation."""

import numpy as np
import pytest

from tumble.engine.geom.polygons import polygon_map, polygons


def grid(n, m, height=0.0):
    """A flat n by m grid of squares, each cut in two, facing up."""
    x, y = np.meshgrid(np.arange(n + 1.0), np.arange(m + 1.0), indexing="ij")
    vert = np.stack((x.ravel(), y.ravel(), np.full(x.size, height)), 1)
    k = np.arange((n + 1) * (m + 1)).reshape(n + 1, m + 1)
    a, b, c, d = (q.ravel() for q in (k[:-1, :-1], k[1:, :-1], k[1:, 1:], k[:-1, 1:]))
    return vert, np.concatenate((np.stack((a, b, c), 1), np.stack((a, c, d), 1)))


def area(vert, loop):
    """Signed area of a loop in the xy plane."""
    x, y = vert[loop, 0], vert[loop, 1]
    return 0.5 * (x * np.roll(y, -1) - y * np.roll(x, -1)).sum()


@pytest.mark.parametrize("seed", range(3))
def test_a_flat_grid_is_one_polygon_in_any_order_of_its_faces(seed):
    vert, face = grid(12, 7)
    face = np.random.default_rng(seed).permutation(face)
    starts, loops = polygons(vert, face)
    assert len(starts) == 1
    assert sorted(set(loops)) == sorted(set(np.flatnonzero((vert[:, 0] % 12 == 0) | (vert[:, 1] % 7 == 0))))
    assert area(vert, loops) == 84


@pytest.mark.parametrize("seed", range(3))
def test_patches_that_do_not_touch_stay_apart(seed):
    parts = [grid(3, 2, height) for height in (0.0, 1.0, 2.0)]
    vert = np.concatenate([v for v, _ in parts])
    face = np.concatenate([f + k * len(parts[0][0]) for k, (_, f) in enumerate(parts)])
    starts, loops = polygons(vert, np.random.default_rng(seed).permutation(face))
    assert len(starts) == 3
    assert sorted(area(vert, part) for part in np.split(loops, starts[1:])) == [6, 6, 6]


def test_directions_of_a_ball_are_polygons_of_their_own():
    points = np.random.default_rng(5).normal(size=(60, 3))
    from tumble.engine.geom.hull import convex_hull

    vert = points / np.linalg.norm(points, axis=1)[:, None]
    faces, _ = convex_hull(vert)
    starts, loops = polygons(vert, faces)
    assert len(starts) == len(faces) and len(loops) == 3 * len(faces)
    first, number, owner = polygon_map(starts, loops, len(vert))
    for v in range(len(vert)):
        around = owner[first[v] : first[v] + number[v]]
        assert all(v in loops[3 * p : 3 * p + 3] for p in around) and len(around) == (faces == v).sum()
