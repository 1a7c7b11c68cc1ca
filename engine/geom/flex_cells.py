"""Interpolated flexes that do not fill their box: integrals over the mesh, and with a small weight over the rest of the box.

The box is the unit cube here. All integrands are polynomials, so the integrals follow from the moments of the mesh. The weights
that distribute mass to the nodes are positive everywhere. In a linear cell, they are the shape functions. In a quadratic cell,
they are the Bernstein polynomials, after moving half of the two outer ones to the middle node.
"""

from collections.abc import Sequence

import numpy as np

# weight of the part of the box outside the mesh; least mass of a node, as a fraction of its mass in a full box
OUTSIDE, LEAST = 1e-6, 0.02
# coefficients of the shape functions and of the mass weights, the constant term first
SHAPES = {1: ((1, -1, 0), (0, 1, 0)), 2: ((1, -3, 2), (0, 4, -4), (0, -1, 2))}
WEIGHTS = {1: ((1, -1, 0), (0, 1, 0)), 2: ((0.5, -1, 0.5), (0.5, 1, -1), (0, 0, 0.5))}
# highest power of a coordinate in products of shape functions; points of a quadrature rule that is exact for products of three
POWER, POINTS = 4, 7


def moments(point: np.ndarray, elem: np.ndarray) -> np.ndarray:
    """Return the integrals of x^a y^b z^c, for powers up to 4, over tetrahedra or inside a closed surface, and over the rest of
    the unit cube."""
    s, w = np.polynomial.legendre.leggauss(POINTS)
    s, w = (s + 1) / 2, w / 2
    a, b, c = (x.ravel() for x in np.meshgrid(s, s, s, indexing="ij"))
    weight = np.einsum("i,j,k->ijk", w * (1 - s) ** 2, w * (1 - s), w).ravel()
    place = np.stack((a, b * (1 - a), c * (1 - a) * (1 - b)))
    powers = np.arange(POWER + 1)
    found = np.zeros((POWER + 1,) * 3)
    solid = elem.shape[1] == 4
    for corner in point[elem]:
        # A surface triangle and the origin form a tetrahedron with a signed volume; parts outside the surface cancel.
        first = corner[0] if solid else np.zeros(3)
        sides = corner[1:] - first if solid else corner
        volume = np.linalg.det(sides)
        at = first + place.T @ sides
        x, y, z = (at[:, k, None] ** powers for k in range(3))
        found += np.einsum("n,na,nb,nc->abc", weight * (abs(volume) if solid else volume), x, y, z, optimize=True)
    found *= np.sign(found[0, 0, 0])
    full = 1 / (1 + powers)
    return found + OUTSIDE * (np.einsum("a,b,c->abc", full, full, full) - found)


def encloses(elem: np.ndarray) -> bool:
    """Return whether elements are tetrahedra, or triangles that form a closed surface with one outer side."""
    if elem.shape[1] == 4:
        return True
    if elem.shape[1] != 3:
        return False
    sides = np.concatenate([elem[:, (k, (k + 1) % 3)] for k in range(3)])
    once = len(np.unique(sides, axis=0)) == len(sides)
    return once and np.array_equal(np.unique(sides, axis=0), np.unique(sides[:, ::-1], axis=0))


def _sum(polynomials: Sequence[Sequence[float]], moment: np.ndarray) -> np.ndarray:
    """Return the integrals of products of one polynomial for each axis, flat."""
    p = np.array(polynomials, float)
    k = p.shape[1]
    return np.einsum("ia,jb,kc,abc->ijk", p, p, p, moment[:k, :k, :k]).ravel()


def masses(moment: np.ndarray, order: int) -> np.ndarray:
    """Return each node's share of the mass."""
    full = 1 / (1 + np.arange(POWER + 1))
    most = _sum(WEIGHTS[order], np.einsum("a,b,c->abc", full, full, full))
    found = np.maximum(_sum(WEIGHTS[order], moment), LEAST * most)
    return found / found.sum()


def stiffness(moment: np.ndarray, size: np.ndarray, young: float, poisson: float, order: int) -> np.ndarray:
    """Return the stiffness matrix (flat) of a box of (order + 1)³ nodes, for linear elasticity."""
    la = young * poisson / ((1 + poisson) * (1 - 2 * poisson))
    mu = young / (2 * (1 + poisson))
    n = order + 1
    shape = np.zeros((2, n, 3))
    shape[0] = SHAPES[order]
    shape[1, :, :2] = shape[0, :, 1:] * (1, 2)

    # products of two shape functions or slopes along one axis
    product = np.zeros((2, 2, n, n, POWER + 1))
    for a in range(3):
        for b in range(3):
            product[..., a + b] += shape[:, None, :, None, a] * shape[None, :, None, :, b]

    # slope[r, s]: integrals of the slope of node i along r times the slope of node j along s
    slope = np.zeros((3, 3, n**3, n**3))
    for r in range(3):
        for s in range(3):
            x, y, z = (product[int(r == axis), int(s == axis)] for axis in range(3))
            part = np.einsum("ija,klb,mnc,abc->ikmjln", x, y, z, moment, optimize=True).reshape(n**3, n**3)
            slope[r, s] = part / (size[r] * size[s])
    out = np.zeros((n**3, 3, n**3, 3))
    for r in range(3):
        for s in range(3):
            out[:, r, :, s] -= la * slope[r, s] + mu * slope[s, r]
            out[:, r, :, r] -= mu * slope[s, s]
    return (out * np.prod(size)).reshape(-1)
