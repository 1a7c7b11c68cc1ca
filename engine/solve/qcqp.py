"""Small quadratic programs: minimize 1/2 x'Ax + x'b with x in an ellipsoid, sum (x_i / d_i)^2 <= r^2.

The ellipsoid is scaled to a ball, and Newton's method finds the Lagrange multiplier, as for the secular equation of a trust
region.
"""

from ..machine.jit import inline, kernel
from ..machine.lang import small

ENOUGH = 1e-10
LIMIT = 20
# most dimensions, and elements of their matrix
MOST, CELLS = 5, 25


@kernel
def ellipsoid_2(x, A, b, d, r):
    """Solve in two dimensions; return True if the minimum is on the ellipsoid."""
    b0, b1 = b[0] * d[0], b[1] * d[1]
    a00, a01, a11 = A[0] * d[0] * d[0], A[1] * d[0] * d[1], A[3] * d[1] * d[1]

    # Raise the Lagrange multiplier until the solution is within the ball.
    multiplier = 0.0
    v0 = v1 = 0.0
    for _ in range(LIMIT):
        det = (a00 + multiplier) * (a11 + multiplier) - a01 * a01
        if det < ENOUGH:
            x[0] = x[1] = 0.0
            return False
        inverse = 1 / det
        p00, p11, p01 = (a11 + multiplier) * inverse, (a00 + multiplier) * inverse, -a01 * inverse
        v0, v1 = -p00 * b0 - p01 * b1, -p01 * b0 - p11 * b1

        excess = v0 * v0 + v1 * v1 - r * r
        if excess < ENOUGH:
            break
        change = excess / (2.0 * (p00 * v0 * v0 + 2.0 * p01 * v0 * v1 + p11 * v1 * v1))
        if change < ENOUGH:
            break
        multiplier += change
    x[0], x[1] = v0 * d[0], v1 * d[1]
    return multiplier != 0.0


@kernel
def ellipsoid_3(x, A, b, d, r):
    """Solve in three dimensions; return True if the minimum is on the ellipsoid."""
    b0, b1, b2 = b[0] * d[0], b[1] * d[1], b[2] * d[2]
    a00, a11, a22 = A[0] * d[0] * d[0], A[4] * d[1] * d[1], A[8] * d[2] * d[2]
    a01, a02, a12 = A[1] * d[0] * d[1], A[2] * d[0] * d[2], A[5] * d[1] * d[2]

    # Raise the Lagrange multiplier until the solution is within the ball.
    multiplier = 0.0
    v0 = v1 = v2 = 0.0
    for _ in range(LIMIT):
        q0, q1, q2 = a00 + multiplier, a11 + multiplier, a22 + multiplier
        p00, p11, p22 = q1 * q2 - a12 * a12, q0 * q2 - a02 * a02, q0 * q1 - a01 * a01
        p01, p02, p12 = a02 * a12 - a01 * q2, a01 * a12 - a02 * q1, a01 * a02 - a12 * q0
        det = q0 * p00 + a01 * p01 + a02 * p02
        if det < ENOUGH:
            x[0] = x[1] = x[2] = 0.0
            return False
        s = 1 / det
        p00, p11, p22, p01, p02, p12 = p00 * s, p11 * s, p22 * s, p01 * s, p02 * s, p12 * s
        v0, v1, v2 = -p00 * b0 - p01 * b1 - p02 * b2, -p01 * b0 - p11 * b1 - p12 * b2, -p02 * b0 - p12 * b1 - p22 * b2

        excess = v0 * v0 + v1 * v1 + v2 * v2 - r * r
        if excess < ENOUGH:
            break
        slope = -2.0 * (p00 * v0 * v0 + p11 * v1 * v1 + p22 * v2 * v2) - 4.0 * (p01 * v0 * v1 + p02 * v0 * v2 + p12 * v1 * v2)
        change = -excess / slope
        if change < ENOUGH:
            break
        multiplier += change
    x[0], x[1], x[2] = v0 * d[0], v1 * d[1], v2 * d[2]
    return multiplier != 0.0


@inline
def ellipsoid_n(x, A, b, d, r, n):
    """Solve in n dimensions, at most MOST; return True if the minimum is on the ellipsoid. A constant n unrolls the loops."""
    L, rhs, second = small(CELLS), small(MOST), small(MOST)

    # Raise the Lagrange multiplier until the solution is within the ball.
    multiplier = 0.0
    for i in range(n):
        rhs[i] = -b[i] * d[i]
    for _ in range(LIMIT):
        for i in range(n):
            for j in range(i + 1):
                L[i * n + j] = A[i * n + j] * d[i] * d[j]
            L[i * n + i] += multiplier
        if not factor_small(L, n):
            for i in range(n):
                x[i] = 0.0
            return False
        solve_small(x, L, rhs, n)

        excess = -r * r
        for i in range(n):
            excess += x[i] * x[i]
        if excess < ENOUGH:
            break
        solve_small(second, L, x, n)
        slope = 0.0
        for i in range(n):
            slope += x[i] * second[i]
        change = excess / (2.0 * slope)
        if change < ENOUGH:
            break
        multiplier += change
    for i in range(n):
        x[i] *= d[i]
    return multiplier != 0.0


@inline
def factor_small(L, n):
    """Factor the lower triangle of L as L D L' in place; the diagonal stores inverse pivots. Return False if a pivot is too
    small. There are no square roots, which take long."""
    for j in range(n):
        pivot = L[j * n + j]
        if pivot < ENOUGH:
            return False
        inverse = 1 / pivot
        for i in range(j + 1, n):
            s = L[i * n + j] * inverse
            for k in range(j + 1, i + 1):
                L[i * n + k] -= s * L[k * n + j]
        L[j * n + j] = inverse
    return True


@inline
def solve_small(x, L, b, n):
    """Set x = inv(A) b, given the factor of A from `factor_small`, whose columns are multiplied by their pivots."""
    for i in range(n):
        s = b[i]
        for k in range(i):
            s -= L[i * n + k] * x[k]
        x[i] = s * L[i * n + i]
    for i in range(n - 1, -1, -1):
        s = 0.0
        for k in range(i + 1, n):
            s += L[k * n + i] * x[k]
        x[i] -= s * L[i * n + i]
