"""Small quadratic programs: minimize 1/2 x'Ax + x'b with x in an ellipsoid, sum (x_i / d_i)^2 <= r^2.

The ellipsoid is scaled to a ball, and Newton's method finds the Lagrange multiplier, as for the secular equation of a trust
region.
"""

from ..machine.jit import kernel
from ..machine.lang import address_of, array_at, matrix_at
from ..math.dense import cholesky, cholesky_solve

ENOUGH = 1e-10
LIMIT = 20
# scratch layout of `ellipsoid_n`, for at most MOST dimensions: matrix, right-hand side, second solution
MOST = 6
RHS, SECOND, CELLS = MOST * MOST, MOST * MOST + MOST, MOST * MOST + 2 * MOST


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


@kernel
def ellipsoid_n(x, A, b, d, r, n, scratch):
    """Solve in up to five dimensions; scratch holds CELLS numbers. Return True if the minimum is on the ellipsoid."""
    L, rhs, second = (
        matrix_at(address_of(scratch, 0), n, n),
        array_at(address_of(scratch, RHS), n),
        array_at(address_of(scratch, SECOND), n),
    )

    # Raise the Lagrange multiplier until the solution is within the ball.
    multiplier = 0.0
    for i in range(n):
        rhs[i] = -b[i] * d[i]
    for _ in range(LIMIT):
        for i in range(n):
            for j in range(n):
                L[i, j] = A[i * n + j] * d[i] * d[j]
            L[i, i] += multiplier
        if not cholesky(L, n, ENOUGH):
            for i in range(n):
                x[i] = 0.0
            return False
        cholesky_solve(x, L, rhs, n)

        excess = -r * r
        for i in range(n):
            excess += x[i] * x[i]
        if excess < ENOUGH:
            break
        cholesky_solve(second, L, x, n)
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
