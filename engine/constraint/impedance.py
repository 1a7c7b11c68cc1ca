"""Constraint parameters: impedance, stiffness and damping, regularization.

A row with position error r obeys a + d (b v + k r) = (1 - d) a0, with impedance d(r) between 0 and 1 (manual, Computation,
"Solver parameters"). R = (1 - d) / d times the approximate inverse inertia of the row.
"""

from math import sqrt

from ..dynamics.softness import DEFAULT, checked_reference, resolved, shortest_time, spring
from ..dynamics.sparsity import is_sparse
from ..machine.jit import inline, kernel
from ..machine.lang import load, store
from ..math.curves import impedance
from ..math.spatial import norm6
from ..math.vec import clip, norm3
from ..tables.consts import mjMAXIMP, mjMINIMP, mjMINVAL
from ..tables.enums import mjtEq
from ..tables.equality_rows import BY_NAME
from .append_rows import ELLIPTIC, EQUALITY, FRICTION_DOF, FRICTION_TENDON, LIMIT_JOINT, LIMIT_TENDON, PYRAMIDAL

CONNECT, WELD = (int(mjtEq[f"mjEQ_{n}"]) for n in ("CONNECT", "WELD"))
# types of constraints whose row errors are combined into a vector
CONNECT_ROWS, WELD_ROWS = BY_NAME["connect"].vector, BY_NAME["weld"].vector


@kernel
def solver_params(m, d, kind, k):
    """Return (solref, solref of friction directions, solimp) of object k, to which a row of type `kind` belongs."""
    none = (0.0, 0.0)
    if kind == EQUALITY:
        return load(m.eq_solref, k, 2), none, load(m.eq_solimp, k, 5)
    if kind == FRICTION_DOF:
        return load(m.dof_solref, k, 2), none, load(m.dof_solimp, k, 5)
    if kind == FRICTION_TENDON:
        return load(m.tendon_solref_fri, k, 2), none, load(m.tendon_solimp_fri, k, 5)
    if kind == LIMIT_JOINT:
        return load(m.jnt_solref, k, 2), none, load(m.jnt_solimp, k, 5)
    if kind == LIMIT_TENDON:
        return load(m.tendon_solref_lim, k, 2), none, load(m.tendon_solimp_lim, k, 5)
    return load(d.contact_solref, k, 2), load(d.contact_solreffriction, k, 2), load(d.contact_solimp, k, 5)


@inline
def checked_impedance(p):
    return (
        clip(p[0], mjMINIMP, mjMAXIMP),
        clip(p[1], mjMINIMP, mjMAXIMP),
        max(0.0, p[2]),
        clip(p[3], mjMINIMP, mjMAXIMP),
        max(1.0, p[4]),
    )


@kernel
def metric_ratio(m, d, r):
    """Return the ratio of a row's inverse inertia under `discrete` (see dynamics.metric) to its inverse inertia from M alone.

    Both are computed from the diagonals of the matrices.
    """
    bare = moved = 0.0
    sparse = is_sparse(m)
    start, count = (d.efc_J_rowadr[r], d.efc_J_rownnz[r]) if sparse else (r * m.nv, m.nv)
    for a in range(start, start + count):
        i = d.efc_J_colind[a] if sparse else a - start
        square = d.efc_J[a] * d.efc_J[a]
        inertia = d.M[m.M_rowadr[i] + m.M_rownnz[i] - 1]
        bare += square / inertia
        moved += square / (inertia + d.efm_sdiag[i])
    return moved / bare if bare > 0 else 1.0


@kernel
def set_impedance(m, d, implicit):
    """reads efc_type, efc_id, efc_pos, efc_margin, efc_diagApprox, contacts; writes efc_R, efc_D, efc_KBIP, efc_diagApprox,
    contact_mu.

    `implicit`: rows refer to the end of the step, and use efc_bare and the effective inertia.
    """
    shortest = shortest_time(m)
    row = 0
    while row < d.nefc:
        kind, k = d.efc_type[row], d.efc_id[row]
        ref, tangent, imp = solver_params(m, d, kind, k)
        ref = checked_reference(ref, DEFAULT, shortest)
        tangent = checked_reference(tangent, (0.0, 0.0), shortest)
        imp = checked_impedance(imp)

        # Rows of one constraint share their impedance; connect and weld use the length of their error vector.
        size, pos = 1, d.efc_pos[row]
        if kind == ELLIPTIC:
            size = d.contact_dim[k]
        elif kind == PYRAMIDAL:
            size = 2 * (d.contact_dim[k] - 1)
        elif kind == EQUALITY:
            if m.eq_type[k] == WELD:
                size, pos = WELD_ROWS, norm6(load(d.efc_pos, row, 6))
            elif m.eq_type[k] == CONNECT:
                size, pos = CONNECT_ROWS, norm3(load(d.efc_pos, row, 3))

        # Compute stiffness and damping. Friction has no stiffness.
        value, slope = impedance(imp, pos - d.efc_margin[row])
        stiffness, damping = spring(ref, imp[1])
        if kind == FRICTION_DOF or kind == FRICTION_TENDON:
            stiffness = 0.0
        elif implicit and kind != EQUALITY:
            stiffness, damping = resolved(m, ref, stiffness, damping, value)

        # Compute the effective inverse inertia at the end of the step.
        if implicit:
            h = m.opt.timestep
            share = 1 / (1 + h * damping + h * h * stiffness * value)
            for j in range(size):
                d.efc_diagApprox[row + j] = (
                    d.efc_bare[row + j]
                    * metric_ratio(m, d, row + j)
                    * max(share, (1 - mjMAXIMP) / mjMAXIMP * value / (1 - value))
                )

        # All edges of a pyramid have the same regularization.
        if kind == PYRAMIDAL and not implicit:
            set_edges(m, d, row, k, size, stiffness, damping, value, slope)
            row += size
            continue

        # Set the regularization. Friction rows of an elliptic contact have no stiffness.
        for j in range(size):
            d.efc_R[row + j] = max(mjMINVAL, (1 - value) * d.efc_diagApprox[row + j] / value)
            store(d.efc_KBIP, row + j, (stiffness, damping, value, slope))
            if kind == ELLIPTIC and j == 0:
                stiffness = 0.0
                if tangent[0] != 0.0 or tangent[1] != 0.0:
                    damping = spring(tangent, imp[1])[1]

        if kind == ELLIPTIC or kind == PYRAMIDAL:
            scale_friction(m, d, row, k, kind, size)
        for j in range(row, row + size):
            d.efc_D[j] = 1 / d.efc_R[j]
            d.efc_diagApprox[j] = d.efc_R[j] * value / (1 - value)
        row += size


@inline
def set_edges(m, d, row, k, size, stiffness, damping, value, slope):
    """Set what `set_impedance` writes for the rows of a pyramid."""
    d.efc_R[row] = max(mjMINVAL, (1 - value) * d.efc_diagApprox[row] / value)
    scale_friction(m, d, row, k, PYRAMIDAL, size)
    R = d.efc_R[row]
    D, inertia = 1 / R, R * value / (1 - value)
    for j in range(row, row + size):
        store(d.efc_KBIP, j, (stiffness, damping, value, slope))
        d.efc_D[j], d.efc_diagApprox[j] = D, inertia


@inline
def scale_friction(m, d, row, k, kind, size):
    """Set the regularization of a contact's friction directions, and the friction coefficient mu of its regularized cone."""
    R, friction = d.efc_R, d.contact_friction
    R[row + 1] = R[row] / max(mjMINVAL, m.opt.impratio)
    mu = friction[k, 0] * sqrt(R[row + 1] / R[row])
    d.contact_mu[k] = mu
    if kind == ELLIPTIC:
        for j in range(1, size - 1):
            R[row + j + 1] = R[row + 1] * friction[k, 0] * friction[k, 0] / (friction[k, j] * friction[k, j])
    else:
        # All edges of the pyramid get the same value, so that together they match the elliptic cone.
        edge = 2 * mu * mu * R[row]
        for j in range(row, row + size):
            R[j] = edge
