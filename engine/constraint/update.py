"""State, force and cost of constraint rows at a given acceleration: the projection that defines the soft constraints.

The cost of a row is a quadratic function of jar = J a - aref within the row's admissible set. Beyond it, the cost of friction
loss is linear; that of an elliptic cone depends on the distance to the cone (manual, Computation, "Constraint solver").
"""

from math import sqrt

from ..dynamics.sparsity import is_sparse
from ..machine.jit import inline, kernel, leaf, stage
from ..machine.lang import address_of, matrix_at
from ..math.dense import transposed_times
from ..math.sparse import add_transposed
from ..tables.enums import mjtCone
from .append_rows import ELLIPTIC

SATISFIED, QUADRATIC, LINEARNEG, LINEARPOS, CONE = range(5)
ELLIPTIC_CONES = int(mjtCone.mjCONE_ELLIPTIC)


@leaf
def update_equalities(n, D, jar, state, force):
    """Set states and forces of equality rows; return their cost."""
    cost = 0.0
    for r in range(n):
        x = D[r] * jar[r]
        force[r] = -x
        state[r] = QUADRATIC
        cost += x * jar[r]
    return 0.5 * cost


@kernel
def update_bilateral(ne, nf, D, R, floss, jar, state, force):
    """Set states and forces of equality and friction loss rows; return their cost."""
    cost = update_equalities(ne, D, jar, state, force)

    # Friction loss is bounded: the cost is linear beyond the bound.
    for r in range(ne, ne + nf):
        f, x = floss[r], jar[r]
        bound = R[r] * f
        if x <= -bound:
            force[r], state[r] = f, LINEARNEG
            cost += -0.5 * bound * f - f * x
        elif x >= bound:
            force[r], state[r] = -f, LINEARPOS
            cost += -0.5 * bound * f + f * x
        else:
            force[r], state[r] = -D[r] * x, QUADRATIC
            cost += 0.5 * D[r] * x * x
    return cost


@kernel
def update_unilateral(first, n, D, jar, state, force):
    """Set states and forces of limits, frictionless and pyramidal contacts; return (cost, active rows)."""
    cost = 0.0
    active = 0
    for r in range(first, n):
        x = jar[r]
        inside = x < 0
        x = x if inside else 0.0
        y = D[r] * x
        force[r] = -y if inside else 0.0
        state[r] = QUADRATIC if inside else SATISFIED
        active += 1 if inside else 0
        cost += 0.5 * y * x
    return cost, active


@kernel
def update_cones(d, first, n, kind, ident, D, jar, state, force, hessian):
    """Set states and forces of limits and contacts where contacts can be elliptic.

    Return (cost, active rows, rows of contacts in the middle zone, where friction is at its bound). With `hessian`, write
    contact_H, the second derivative of the cost, for contacts in that zone.
    """
    cost = 0.0
    active = cones = 0
    r = first
    while r < n:
        if kind[r] != ELLIPTIC:
            more, one = update_unilateral(r, r + 1, D, jar, state, force)
            cost += more
            active += one
            r += 1
            continue

        # The normal part and the length of the tangential part determine the contact's zone.
        k = ident[r]
        dim, mu = d.contact_dim[k], d.contact_mu[k]
        normal = jar[r] * mu
        square = 0.0
        for j in range(1, dim):
            u = jar[r + j] * d.contact_friction[k, j - 1]
            square += u * u
        tangent = sqrt(square)

        # Upper zone: no force. Lower zone: the unbounded force -D jar. Middle zone: friction is at its bound.
        if normal >= mu * tangent or (tangent <= 0 and normal >= 0):
            result = SATISFIED
            for j in range(r, r + dim):
                force[j] = 0.0
        elif mu * normal + tangent <= 0 or (tangent <= 0 and normal < 0):
            result = QUADRATIC
            for j in range(r, r + dim):
                x = D[j] * jar[j]
                force[j] = -x
                cost += 0.5 * x * jar[j]
        else:
            result = CONE
            cones += dim
            scale = D[r] / (mu * mu * (1 + mu * mu))
            gap = normal - mu * tangent
            cost += 0.5 * scale * gap * gap
            f = -scale * gap * mu
            force[r] = f
            for j in range(1, dim):
                friction = d.contact_friction[k, j - 1]
                force[r + j] = -f / tangent * (jar[r + j] * friction) * friction
            if hessian:
                cone_hessian(d, k, dim, mu, jar, r, normal, tangent, scale)

        for j in range(r, r + dim):
            state[j] = result
        active += 0 if result == SATISFIED else dim
        r += dim
    return cost, active, cones


@inline
def cone_scale(d, k, j, mu):
    return mu if j == 0 else d.contact_friction[k, j - 1]


@kernel
def cone_hessian(d, k, dim, mu, jar, r, normal, tangent, scale):
    """writes contact_H (dim x dim) of a contact in the middle zone."""
    H = d.contact_H
    for a in range(dim):
        sa = cone_scale(d, k, a, mu)
        ua = jar[r + a] * sa
        for b in range(a, dim):
            sb = cone_scale(d, k, b, mu)
            ub = jar[r + b] * sb
            if a == 0:
                h = 1.0 if b == 0 else -mu / tangent * ub
            else:
                h = mu * normal / (tangent * tangent * tangent) * ub * ua
                if a == b:
                    h += mu * mu - mu * normal / tangent
            h *= scale * sa * sb
            H[k, a * dim + b] = h
            H[k, b * dim + a] = h


@kernel
def update_all(m, d, jar, hessian):
    """writes efc_state, efc_force; returns the cost."""
    first = d.ne + d.nf
    cost = update_bilateral(d.ne, d.nf, d.efc_D, d.efc_R, d.efc_frictionloss, jar, d.efc_state, d.efc_force)
    if m.opt.cone == ELLIPTIC_CONES:
        more, _, _ = update_cones(d, first, d.nefc, d.efc_type, d.efc_id, d.efc_D, jar, d.efc_state, d.efc_force, hessian)
    else:
        more, _ = update_unilateral(first, d.nefc, d.efc_D, jar, d.efc_state, d.efc_force)
    return cost + more


@kernel
def joint_forces(m, d):
    """writes qfrc_constraint = J' efc_force."""
    if is_sparse(m):
        for i in range(m.nv):
            d.qfrc_constraint[i] = 0.0
        add_transposed(
            d.qfrc_constraint, d.efc_J, d.efc_J_rownnz, d.efc_J_rowadr, d.efc_J_colind, d.efc_J_rowsuper, d.efc_force, d.nefc
        )
    else:
        transposed_times(d.qfrc_constraint, matrix_at(address_of(d.efc_J, 0), d.nefc, m.nv), d.efc_force, d.nefc, m.nv)


@stage("fMDi")
def constraint_update(m, d, hessian):
    """reads solve_jar (J qacc - aref) and the rows; writes efc_state, efc_force, qfrc_constraint, with `hessian` contact_H;
    returns the cost.
    """
    cost = update_all(m, d, d.solve_jar, hessian != 0)
    joint_forces(m, d)
    return cost
