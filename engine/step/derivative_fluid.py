"""Derivative of fluid forces with respect to velocity, for integrators that are implicit in velocity.

Each body or geom has a 6x6 matrix B of derivatives of its local wrench by its local velocity (angular, then linear). Its
contribution is J' B J with the local Jacobian J. The formulas are the derivatives of those in `dynamics.fluid`.
"""

from math import sqrt

from ..dynamics.fluid import ELLIPSOIDS, INERTIA_BOX, edge, fluid_model, fourth, half_axes, largest_moment, relative_velocity
from ..dynamics.force import dof_translation, last_dof
from ..dynamics.kinematics import FREE, SLEEP
from ..dynamics.metric import is_discrete
from ..machine.jit import inline, kernel, stage
from ..machine.lang import load, small
from ..math.vec import mat_t_vec3, norm3, scale3, sub3
from ..tables.compat_rows import bit
from ..tables.consts import mjMINVAL, mjPI
from ..tables.enums import mjtIntegrator

IMPLICITFAST = int(mjtIntegrator.mjINT_IMPLICITFAST)
TURN = bit("free_turn")


@inline
def is_free_body(m, b):
    """Return whether body b is a free body without joints below it, or is welded to one. Such bodies are solved separately, in
    `free_body`."""
    i = last_dof(m, b)
    return m.compat_bits & TURN != 0 and i >= 0 and m.jnt_type[m.dof_jntid[i]] == FREE and m.tree_dofnum[m.dof_treeid[i]] == 6


@stage
def derivative_fluid(m, d):
    """reads cvel, cdof, poses; writes qDeriv += d qfrc_fluid / d qvel (scratch: work_6v)."""
    sleep = (m.opt.enableflags & SLEEP) != 0 and d.nv_awake < m.nv
    for k in range(d.nbody_awake if sleep else m.nbody):
        b = d.body_awake_ind[k] if sleep else k
        kind = fluid_model(m, d, b)
        if kind == INERTIA_BOX:
            box_derivative(m, d, b)
        elif kind == ELLIPSOIDS:
            for g in range(m.body_geomadr[b], m.body_geomadr[b] + m.body_geomnum[b]):
                if m.geom_fluid[g, 0] != 0:
                    ellipsoid_derivative(m, d, b, g)


@kernel
def add_product(m, d, b, pos, mat, B):
    """Add J' B J to qDeriv, where J is the Jacobian of a frame of body b."""
    offset = sub3(pos, load(d.subtree_com, m.body_rootid[b], 3))
    J = d.work_6v

    # Compute the Jacobian in the local frame.
    i = last_dof(m, b)
    while i >= 0:
        turn, shift = mat_t_vec3(mat, load(d.cdof, i, 3)), mat_t_vec3(mat, dof_translation(d, i, offset))
        for r in range(3):
            J[r, i], J[r + 3, i] = turn[r], shift[r]
        i = m.dof_parentid[i]

    # Add the product for all pairs of dofs that move the body. row: row k of J' B.
    row, k = small(6), last_dof(m, b)
    while k >= 0:
        for c in range(6):
            row[c] = 0.0
        for r in range(6):
            for c in range(6):
                row[c] += J[r, k] * B[6 * r + c]
        for a in range(m.D_rowadr[k], m.D_rowadr[k] + m.D_rownnz[k]):
            p = m.D_colind[a]
            # Skip columns of deeper dofs, which do not move this body.
            if p > last_dof(m, b):
                continue
            s = 0.0
            for c in range(6):
                s += row[c] * J[c, p]
            d.qDeriv[a] += s
        k = m.dof_parentid[k]

    # Clear the Jacobian for the next body.
    i = last_dof(m, b)
    while i >= 0:
        for r in range(6):
            J[r, i] = 0.0
        i = m.dof_parentid[i]


@kernel
def box_derivative(m, d, b):
    """Add the derivative of the drag of a body's inertia box, whose matrix B is diagonal."""
    i, mass = load(m.body_inertia, b, 3), m.body_mass[b]
    box = (edge(i[0], i[1], i[2], mass), edge(i[1], i[0], i[2], mass), edge(i[2], i[0], i[1], mass))
    pos, mat = load(d.xipos, b, 3), load(d.ximat, b, 9)
    w, v = relative_velocity(m, d, b, pos, mat)

    B = small(36)
    for k in range(36):
        B[k] = 0.0

    # Add viscous drag, then quadratic drag.
    density, viscosity = m.opt.density, m.opt.viscosity
    if viscosity > 0:
        size = (box[0] + box[1] + box[2]) / 3.0
        for r in range(3):
            B[7 * r] -= mjPI * size * size * size * viscosity
            B[7 * r + 21] -= 3.0 * mjPI * size * viscosity
    if density > 0:
        x, y, z = fourth(box[0]), fourth(box[1]), fourth(box[2])
        B[0] -= density * box[0] * (y + z) * 2 * abs(w[0]) / 64.0
        B[7] -= density * box[1] * (x + z) * 2 * abs(w[1]) / 64.0
        B[14] -= density * box[2] * (x + y) * 2 * abs(w[2]) / 64.0
        B[21] -= density * box[1] * box[2] * abs(v[0])
        B[28] -= density * box[0] * box[2] * abs(v[1])
        B[35] -= density * box[0] * box[1] * abs(v[2])
    add_product(m, d, b, pos, mat, B)


# ---- ellipsoid model -----------------------------------------------------------------------------------------------------
@inline
def put(B, row, col, D):
    """Add a 3x3 matrix to a quadrant of B."""
    for r in range(3):
        for c in range(3):
            B[6 * (3 * row + r) + 3 * col + c] += D[3 * r + c]


@inline
def by_left(b):
    """Return d (a x b) / d a."""
    return 0.0, b[2], -b[1], -b[2], 0.0, b[0], b[1], -b[0], 0.0


@inline
def by_right(a):
    """Return d (a x b) / d b."""
    return 0.0, -a[2], a[1], a[2], 0.0, -a[0], -a[1], a[0], 0.0


@inline
def columns(D, s):
    """Return a matrix with its columns scaled by s."""
    return D[0] * s[0], D[1] * s[1], D[2] * s[2], D[3] * s[0], D[4] * s[1], D[5] * s[2], D[6] * s[0], D[7] * s[1], D[8] * s[2]


@kernel
def added_mass(B, w, v, mass, inertia):
    """Add the derivative of added-mass forces: torque p x v + s x w, force p x w, with p = mass v and s = inertia w."""
    p = (mass[0] * v[0], mass[1] * v[1], mass[2] * v[2])
    s = (inertia[0] * w[0], inertia[1] * w[1], inertia[2] * w[2])
    put(B, 0, 0, by_right(s))
    put(B, 0, 0, columns(by_left(w), inertia))
    put(B, 0, 1, by_right(p))
    put(B, 0, 1, columns(by_left(v), mass))
    put(B, 1, 0, by_right(p))
    put(B, 1, 1, columns(by_left(w), mass))


@kernel
def angular_drag(B, w, density, viscosity, s, slender, angular):
    """Add the derivative of Stokes torque and of quadratic drag torque."""
    big, low = max(max(s[0], s[1]), s[2]), min(min(s[0], s[1]), s[2])
    mid = s[0] + s[1] + s[2] - big - low
    size = 2.0 / 3.0 * (s[0] + s[1] + s[2])
    top = 8.0 / 15.0 * mjPI * mid * fourth(big)

    # Add the quadratic part. The derivative of the norm gives the outer product.
    i0, i1, i2 = largest_moment(s[0], s[1], s[2]), largest_moment(s[1], s[2], s[0]), largest_moment(s[2], s[0], s[1])
    k = (angular * i0 + slender * (top - i0), angular * i1 + slender * (top - i1), angular * i2 + slender * (top - i2))
    scale = -density / max(mjMINVAL, norm3((w[0] * k[0], w[1] * k[1], w[2] * k[2])))
    q = (scale * w[0] * k[0] * k[0], scale * w[1] * k[1] * k[1], scale * w[2] * k[2] * k[2])
    inner = w[0] * q[0] + w[1] * q[1] + w[2] * q[2] - viscosity * (mjPI * size * size * size)
    put(
        B,
        0,
        0,
        (
            inner + w[0] * q[0],
            w[0] * q[1],
            w[0] * q[2],
            w[1] * q[0],
            inner + w[1] * q[1],
            w[1] * q[2],
            w[2] * q[0],
            w[2] * q[1],
            inner + w[2] * q[2],
        ),
    )


@kernel
def linear_drag(B, v, density, viscosity, s, blunt, slender):
    """Add the derivative of Stokes force and of quadratic drag over the projected area."""
    big, low = max(max(s[0], s[1]), s[2]), min(min(s[0], s[1]), s[2])
    mid = s[0] + s[1] + s[2] - big - low
    size, widest = 2.0 / 3.0 * (s[0] + s[1] + s[2]), mjPI * big * mid
    a, b, c = (s[1] * s[2]) ** 2, (s[2] * s[0]) ** 2, (s[0] * s[1]) ** 2

    # Compute the projected area and its derivative.
    x, y, z = v
    xx, yy, zz = x * x, y * y, z * z
    below, above = a * a * xx + b * b * yy + c * c * zz, a * xx + b * yy + c * zz
    slope = mjPI / max(mjMINVAL, sqrt(above * above * above * below))
    shadow = mjPI * sqrt(below / max(mjMINVAL, above))
    speed = norm3(v)
    area = density * speed * (blunt - slender) * slope
    g = (
        area * a * x * (b * yy * (a - b) + c * zz * (a - c)),
        area * b * y * (a * xx * (b - a) + c * zz * (b - c)),
        area * c * z * (a * xx * (c - a) + b * yy * (c - b)),
    )

    k = -density * (shadow * blunt + slender * (widest - shadow)) / max(mjMINVAL, speed)
    inner, line = xx + yy + zz, viscosity * 3.0 * mjPI * size
    put(
        B,
        1,
        1,
        (
            k * (xx + inner) - x * g[0] - line,
            k * x * y - x * g[1],
            k * x * z - x * g[2],
            k * x * y - y * g[0],
            k * (yy + inner) - y * g[1] - line,
            k * y * z - y * g[2],
            k * x * z - z * g[0],
            k * y * z - z * g[1],
            k * (zz + inner) - z * g[2] - line,
        ),
    )


@kernel
def kutta_lift(B, v, density, s, coefficient):
    """Add the derivative of the Kutta lift of a body that moves at an angle to its axes."""
    a, b, c = (s[1] * s[2]) ** 2, (s[2] * s[0]) ** 2, (s[0] * s[1]) ** 2
    x, y, z = v
    xx, yy, zz = x * x, y * y, z * z
    below, above, square = a * a * xx + b * b * yy + c * c * zz, a * xx + b * yy + c * zz, xx + yy + zz
    k = mjPI * coefficient * density / max(mjMINVAL, sqrt(below * above * square))

    f, g, h = yy * (a - b) + zz * (a - c), xx * (b - a) + zz * (b - c), xx * (c - a) + yy * (c - b)
    ratio, cosine = above / max(mjMINVAL, below), above / max(mjMINVAL, square)
    t = (a * a * ratio - a + cosine, b * b * ratio - b + cosine, c * c * ratio - c + cosine)
    n = 2 * above
    put(
        B,
        1,
        1,
        (
            k * (t[0] * f * xx - f * above),
            k * (n * (b - a) + t[1] * f) * x * y,
            k * (n * (c - a) + t[2] * f) * x * z,
            k * (n * (a - b) + t[0] * g) * x * y,
            k * (t[1] * g * yy - g * above),
            k * (n * (c - b) + t[2] * g) * y * z,
            k * (n * (a - c) + t[0] * h) * x * z,
            k * (n * (b - c) + t[1] * h) * y * z,
            k * (t[2] * h * zz - h * above),
        ),
    )


@kernel
def ellipsoid_derivative(m, d, b, g):
    """Add the derivative of fluid forces on one geom in the ellipsoid model. Symmetrize the derivative if the integrator needs
    this."""
    pos, mat, c = load(d.geom_xpos, g, 3), load(d.geom_xmat, g, 9), load(m.geom_fluid, g, 12)
    w, v = relative_velocity(m, d, b, pos, mat)
    s, density, viscosity = half_axes(m, g), m.opt.density, m.opt.viscosity
    B = small(36)
    for k in range(36):
        B[k] = 0.0

    # Add Magnus and Kutta lift, drag, and added mass.
    magnus = c[5] * density * (4.0 / 3.0 * mjPI * s[0] * s[1] * s[2])
    if not is_discrete(m):
        put(B, 1, 0, by_left(scale3(v, magnus)))
        put(B, 1, 1, by_right(scale3(w, magnus)))
        kutta_lift(B, v, density, s, c[4])
    linear_drag(B, v, density, viscosity, s, c[1], c[2])
    angular_drag(B, w, density, viscosity, s, c[2], c[3])
    if not is_discrete(m):
        added_mass(
            B, w, v, (density * c[6], density * c[7], density * c[8]), (density * c[9], density * c[10], density * c[11])
        )

    if m.opt.integrator == IMPLICITFAST and not is_free_body(m, b) or is_discrete(m):
        for r in range(6):
            for k in range(r):
                mean = 0.5 * (B[6 * r + k] + B[6 * k + r])
                B[6 * r + k] = B[6 * k + r] = mean
    add_product(m, d, b, pos, mat, B)
