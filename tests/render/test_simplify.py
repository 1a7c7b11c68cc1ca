"""Simplified meshes: few triangles, close to the surface, without gaps, with both sides of plates and the seams of textures."""

import numpy as np

from tumble.render.scene.simplify import CELLS, simplified


def grid(n, at):
    """Triangles of an n x n grid: vertices from the parameters (u, v) in 0 ... 1, and indices."""
    u, v = np.meshgrid(np.linspace(0, 1, n), np.linspace(0, 1, n), indexing="ij")
    pos, nrm, tex = at(u.ravel(), v.ravel())
    k = np.arange(n * n).reshape(n, n)
    a, b, c, d = (x.ravel() for x in (k[:-1, :-1], k[1:, :-1], k[1:, 1:], k[:-1, 1:]))
    ind = np.stack([a, b, c, a, c, d], 1).ravel().astype(np.uint32)
    return np.hstack([pos, nrm, tex]).astype(np.float32), ind


def ball(u, v):
    a, b = 2 * np.pi * u, np.pi * v
    pos = np.stack([np.sin(b) * np.cos(a), np.sin(b) * np.sin(a), np.cos(b)], 1)
    return pos, pos, np.zeros((len(u), 2))


def sheet(height, way):
    def at(u, v):
        pos = np.stack([u, v, np.full_like(u, height)], 1)
        return pos, np.tile([0.0, 0.0, way], (len(u), 1)), np.stack([u, v], 1)

    return at


def joined(one, two):
    return np.vstack([one[0], two[0]]), np.concatenate([one[1], two[1] + len(one[0])]).astype(np.uint32)


def test_a_ball_keeps_its_surface_without_gaps():
    full = grid(260, ball)
    vert, ind = simplified(full)
    corners = ind.reshape(-1, 3)
    assert len(corners) < 0.2 * len(full[1]) / 3
    assert (np.abs(np.linalg.norm(vert[:, :3], axis=1) - 1) < 2 / CELLS).all()
    # normals point outward and have unit length
    np.testing.assert_allclose(np.linalg.norm(vert[:, 3:6], axis=1), 1, atol=1e-5)
    assert (np.einsum("ij,ij->i", vert[:, :3], vert[:, 3:6]) > 0.9).all()
    # coincident vertices have exactly equal positions, so the triangles close the ball, and its volume is that of a sphere
    a, b, c = (vert[corners[:, k], :3].astype(float) for k in range(3))
    volume = np.abs(np.einsum("ij,ij->i", a, np.cross(b, c))).sum() / 6
    assert abs(volume - 4 / 3 * np.pi) < 0.02 * volume


def test_a_thin_plate_keeps_both_sides():
    """The sides of a plate that are closer than a cell are distinguished by their normals."""
    vert, ind = simplified(joined(grid(150, sheet(0.0, -1.0)), grid(150, sheet(0.001, 1.0))))
    sides = vert[ind.reshape(-1, 3)[:, 0], 5]
    assert (sides > 0.99).sum() == (sides < -0.99).sum() > CELLS**2


def test_seams_of_textures_stay():
    """A texture that is laid twice on a strip jumps back in its middle. No triangle stretches it over the jump."""

    def at(u, v):
        pos, nrm, tex = sheet(0.0, 1.0)(u, v)
        tex[:, 0] = 2 * u % 1
        return pos, nrm, tex

    left, right = (grid(120, lambda u, v, k=k: at(0.4999999 * u + 0.5 * k, v)) for k in (0, 1))
    vert, ind = simplified(joined(left, right))
    u = vert[ind.reshape(-1, 3), 6]
    assert len(u) > 1000 and np.ptp(u, axis=1).max() < 0.2


def test_what_would_hardly_get_simpler_stays():
    assert simplified(grid(30, ball)) is None
