"""Elasticity of flexes: stretching of triangles and tetrahedra, bending of sheets, linear elasticity of interpolated cells."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .row_vectors import cross, dot

# For each edge: the two sides of the element (edges of a triangle, faces of a tetrahedron) not adjacent to the edge.
LINES: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = (((2, 0), (0, 1)), ((0, 1), (1, 2)), ((1, 2), (2, 0)))
_TRIANGLES = ((2, 1, 0), (0, 1, 3), (1, 2, 3), (2, 0, 3))
SIDES = tuple((_TRIANGLES[a], _TRIANGLES[b]) for a, b in ((2, 3), (1, 3), (2, 1), (1, 0), (0, 2), (0, 3)))


def _unit(v: np.ndarray) -> Any:
    n = np.sqrt(dot(v, v))
    with np.errstate(all="ignore"):
        return np.where((n * n < 1e-14)[:, None], v, v / n[:, None]), n


def stretching(
    point: np.ndarray, elem: np.ndarray, young: float, poisson: float, thickness: float, exact: bool = False
) -> np.ndarray:
    """Return the elements' metric tensors with respect to squared edge lengths, as upper triangles (n, 21).

    point (m, 3): vertices; elem (n, 3 or 4): vertices of triangles or tetrahedra. `exact` selects the compatibility change
    flex_elastic.
    """
    sheet = elem.shape[1] == 3
    x = [point[elem[:, k]] for k in range(elem.shape[1])]
    normal = cross(x[1] - x[0], x[2] - x[0])
    volume = np.sqrt(dot(normal, normal)) / 2 if sheet else dot(normal, x[3] - x[0]) / 6

    # Lamé parameters, times the volume.
    mu = young / (2 * (1 + poisson)) * np.abs(volume) / 4 * thickness
    la = young * poisson / ((1 + poisson) * (1 - 2 * poisson)) * np.abs(volume) / 4 * thickness
    if exact:
        # For sheets, assume plane stress.
        mu, la = (4 * mu, 2 * la * (1 - 2 * poisson) / (1 - poisson)) if sheet else (mu, la / 2)

    # Compute the basis of the metric: one symmetric matrix per edge.
    basis = []
    for left, right in LINES if sheet else SIDES:
        if sheet:
            p, q = x[left[0]] - x[left[1]], x[right[1]] - x[right[0]]
            n = _unit(cross(q, p))[0]
            p, q = cross(n, p), cross(q, n)
            scale = 8 * volume * volume
        else:
            p = cross(x[left[1]] - x[left[0]], x[left[2]] - x[left[0]])
            q = cross(x[right[1]] - x[right[0]], x[right[2]] - x[right[0]])
            scale = 36 * 2 * volume * volume
        basis.append((p[:, :, None] * q[:, None, :] + q[:, :, None] * p[:, None, :]) / scale[:, None, None])
    return _metric(basis, mu, la)


def _metric(basis: Sequence[Any], mu: np.ndarray, la: np.ndarray) -> Any:
    n = len(basis)
    trace = [b[:, 0, 0] + b[:, 1, 1] + b[:, 2, 2] for b in basis]
    out, at = np.zeros((len(mu), 21)), 0
    for i in range(n):
        for j in range(i, n):
            square = 0.0
            for r in range(3):
                for s in range(3):
                    square = square + basis[i][:, r, s] * basis[j][:, s, r]
            out[:, at] = mu * square + la * trace[j] * trace[i]
            at += 1
    return out


def bending(point: np.ndarray, flap: np.ndarray, mu: float, thickness: float, exact: bool = False) -> np.ndarray:
    """Return bending parameters (n, 17) of n edges: the 4 x 4 matrix that couples the vertices of both adjacent triangles, and
    the curvature of the reference shape. Boundary edges get zeros. `exact` selects the compatibility change bend_rest.
    """
    out = np.zeros((len(flap), 17))
    inner = np.flatnonzero(flap[:, 3] != -1)
    a, b, c, d = (point[flap[inner, k]] for k in range(4))

    def cot(p: np.ndarray, q: np.ndarray, r: np.ndarray) -> Any:
        e, f = q - p, r - p
        n = cross(e, f)
        return dot(e, f) / np.sqrt(dot(n, n))

    def area(p: np.ndarray, q: np.ndarray, r: np.ndarray) -> Any:
        n = cross(q - p, r - p)
        return np.sqrt(dot(n, n)) / 2

    with np.errstate(all="ignore"):
        a1, a2, a3, a4 = cot(a, b, c), cot(a, d, b), cot(b, c, a), cot(b, a, d)
        weight = (a3 + a4, a1 + a2, -(a1 + a3), -(a2 + a4))
        stiffness = 3 * mu * thickness**3 / (24 * (area(a, b, c) + area(b, a, d)))
        e0, e1, e2, e3, e4 = b - a, c - a, d - a, c - b, d - b
        t0 = -(a3[:, None] * e1 + a1[:, None] * e3)
        t1 = -(a4[:, None] * e2 + a2[:, None] * e4)
        square = dot(e0, e0)
        cosine = -dot(t0, t1) / square
        for i in range(4):
            for j in range(4):
                out[inner, 4 * i + j] = weight[i] * weight[j] * cosine * stiffness
        if exact:
            # length of the edge, divided by the height of each triangle over it
            slender = (a1 + a3) * (a2 + a4) / square
            out[inner, 16] = -dot(cross(e0, e1), e2) * slender * slender * stiffness
        else:
            out[inner, 16] = dot(cross(e0, e1), e2) * (a1 - a3) * (a4 - a2) * stiffness / (square * np.sqrt(square))
    return out


def _quadrature(order: int, exact: bool) -> Any:
    """Return Gauss points and weights on the unit interval. MuJoCo 3.4 places the outer two of three points elsewhere."""
    if order == 2:
        return (-0.5 / math.sqrt(3) + 0.5, 0.5 / math.sqrt(3) + 0.5), (0.5, 0.5)
    r = 0.5 * math.sqrt(3.0 / 5.0) if exact else 0.5 / math.sqrt(3.0 / 5.0)
    return (0.5, -r + 0.5, r + 0.5), (8.0 / 9.0 * 0.5, 5.0 / 9.0 * 0.5, 5.0 / 9.0 * 0.5)


def _shape(s: float, order: int) -> Any:
    """Return values and slopes of the one-dimensional basis functions at s."""
    if order == 1:
        return (1 - s, s), (-1.0, 1.0)
    return (2 * s * s - 3 * s + 1, 4 * (s - s * s), 2 * s * s - s), (4 * s - 3, 4 * (1 - 2 * s), 4 * s - 1)


def interpolated(node: np.ndarray, young: float, poisson: float, order: int, exact: bool = False) -> np.ndarray:
    """Return the stiffness matrix (flat) of a cell of (order + 1)³ nodes. The first and the last node are opposite corners.

    `exact` selects the compatibility change cell_exact.
    """
    n = len(node)
    size = node[-1] - node[0]
    det = float(size[0] * size[1] * size[2])
    inverse = 1.0 / size
    la = young * poisson / (1 + poisson) / (1 - 2 * poisson)
    mu = young / (2 * (1 + poisson)) * (2 if exact else 1)

    # Sum over the quadrature points of the cell.
    points, weights = _quadrature(order + 1, exact)
    out = np.zeros((n, 3, n, 3))
    shapes = [_shape(p, order) for p in points]
    for s, ws in zip(shapes, weights):
        for t, wt in zip(shapes, weights):
            for u, wu in zip(shapes, weights):
                volume = ws * wt * wu * det
                f = np.array(
                    [
                        (s[1][i] * t[0][j] * u[0][k], s[0][i] * t[1][j] * u[0][k], s[0][i] * t[0][j] * u[1][k])
                        for i in range(order + 1)
                        for j in range(order + 1)
                        for k in range(order + 1)
                    ]
                )
                _accumulate(out, inverse * f, la, mu, volume)
    return out.reshape(-1)


def _accumulate(out: np.ndarray, g: np.ndarray, la: float, mu: float, volume: float) -> None:
    """Subtract the contribution of one quadrature point, a contraction of strains, from the stiffness matrix."""
    n = len(g)
    strain = np.zeros((n, 3, 3, 3))
    for k in range(3):
        strain[:, k, k, :] += g / 2
        strain[:, k, :, k] += g / 2
    flat = strain.reshape(3 * n, 9)
    trace = g.reshape(-1)
    product = np.zeros((3 * n, 3 * n))
    for r in range(3):
        part = np.zeros((3 * n, 3 * n))
        for c in range(3):
            part += flat[:, None, 3 * r + c] * flat[None, :, 3 * c + r]
        product += part
    view = out.reshape(3 * n, 3 * n)
    view -= la * trace[:, None] * trace[None, :] * volume
    view -= mu * product * volume
