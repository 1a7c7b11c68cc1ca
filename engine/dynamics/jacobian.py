"""Jacobians of points, bodies, sites and pairs of points, by columns: one column for each dof on the path to the root.

A column is the velocity of a point (and the angular velocity of its body) when one dof moves at unit speed. Dense and sparse
Jacobians hold the same columns at different positions, so everything here works on chains of dofs.
"""

from ..machine.jit import inline, kernel, stage
from ..machine.lang import load, matrix_at
from ..math.vec import add3, cross3, sub3
from .force import axis_rate, last_dof


# ---- chains ------------------------------------------------------------------------------------------------------------
@kernel
def pair_chain(m, b1, b2, chain):
    """Store the dofs that move either body, from the last to the first; return their count.

    Entries are 4 dof + (1 if it moves b1) + (2 if it moves b2).
    """
    i, j = last_dof(m, b1), last_dof(m, b2)
    n = 0
    while i >= 0 or j >= 0:
        if i == j:
            chain[n] = 4 * i + 3
            i = m.dof_parentid[i]
            j = i
        elif i > j:
            chain[n] = 4 * i + 1
            i = m.dof_parentid[i]
        else:
            chain[n] = 4 * j + 2
            j = m.dof_parentid[j]
        n += 1
    return n


@inline
def drop_shared(chain, n):
    """Remove the dofs that move both bodies from a chain of n entries; return how many are left."""
    left = 0
    for e in range(n):
        if chain[e] & 3 != 3:
            chain[left] = chain[e]
            left += 1
    return left


# ---- columns -----------------------------------------------------------------------------------------------------------
@inline
def arm(m, d, point, b):
    """Return the vector from the center of mass of b's tree, the origin of spatial vectors, to a point."""
    return sub3(point, load(d.subtree_com, m.body_rootid[b], 3))


@inline
def point_column(d, i, offset):
    """Return the velocity of a point at `offset` from its tree's center of mass, for unit velocity of dof i."""
    c = load(d.cdof, i, 6)
    return add3((c[3], c[4], c[5]), cross3((c[0], c[1], c[2]), offset))


@inline
def difference_column(d, entry, offset1, offset2):
    """Return (dof, linear part, angular part) of one column of the difference between two points' Jacobians: point 2 minus
    point 1."""
    i = entry >> 2
    c = load(d.cdof, i, 6)
    turn = (c[0], c[1], c[2])
    zero = (0.0, 0.0, 0.0)
    p1 = add3((c[3], c[4], c[5]), cross3(turn, offset1)) if entry & 1 else zero
    p2 = add3((c[3], c[4], c[5]), cross3(turn, offset2)) if entry & 2 else zero
    return i, sub3(p2, p1), sub3(turn if entry & 2 else zero, turn if entry & 1 else zero)


# ---- whole Jacobians, for the programming interface --------------------------------------------------------------------
@inline
def clear_jacobian(x, n):
    for r in range(3):
        for i in range(n):
            x[r, i] = 0.0


@kernel
def add_point_jacobian(m, d, p, r, point, b, weight):
    """Add `weight` times the Jacobian of a point of body b to p (3 x nv, translation) and r (rotation), each only if it has
    rows.
    """
    offset = arm(m, d, point, b)
    i = last_dof(m, b)
    while i >= 0:
        if p.shape[0] == 3:
            v = point_column(d, i, offset)
            p[0, i] += weight * v[0]
            p[1, i] += weight * v[1]
            p[2, i] += weight * v[2]
        if r.shape[0] == 3:
            c = load(d.cdof, i, 3)
            r[0, i] += weight * c[0]
            r[1, i] += weight * c[1]
            r[2, i] += weight * c[2]
        i = m.dof_parentid[i]


@stage("vMDiifffi")
def point_jacobian(m, d, jacp, jacr, x, y, z, body):
    """reads cdof, subtree_com; writes 3 x nv matrices at two addresses (0: none): Jacobians of a point of a body."""
    p, r = matrix_at(jacp, 3 if jacp != 0 else 0, m.nv), matrix_at(jacr, 3 if jacr != 0 else 0, m.nv)
    if jacp != 0:
        clear_jacobian(p, m.nv)
    if jacr != 0:
        clear_jacobian(r, m.nv)
    add_point_jacobian(m, d, p, r, (x, y, z), body, 1.0)


@stage("vMDii")
def subtree_jacobian(m, d, jacp, body):
    """reads cdof, subtree_com, xipos; writes the 3 x nv matrix at an address: Jacobian of a subtree's center of mass."""
    p, none = matrix_at(jacp, 3, m.nv), matrix_at(jacp, 0, m.nv)
    clear_jacobian(p, m.nv)
    b = body
    while b < m.nbody and (b == body or m.body_parentid[b] >= body):
        add_point_jacobian(m, d, p, none, load(d.xipos, b, 3), b, m.body_mass[b])
        b += 1
    for k in range(3):
        for i in range(m.nv):
            p[k, i] /= m.body_subtreemass[body]


@stage("vMDiifffi")
def jacobian_rate(m, d, jacp, jacr, x, y, z, body):
    """reads cdof, cdof_dot, cvel, subtree_com; writes 3 x nv matrices at two addresses: time derivatives of a point's
    Jacobians.

    The axes of a quaternion joint are fixed in the moving body, so they turn with the body's whole velocity.
    """
    p, r = matrix_at(jacp, 3 if jacp != 0 else 0, m.nv), matrix_at(jacr, 3 if jacr != 0 else 0, m.nv)
    if jacp != 0:
        clear_jacobian(p, m.nv)
    if jacr != 0:
        clear_jacobian(r, m.nv)

    offset = arm(m, d, (x, y, z), body)
    v = load(d.cvel, body, 6)
    speed = sub3((v[3], v[4], v[5]), cross3(offset, (v[0], v[1], v[2])))
    i = last_dof(m, body)
    while i >= 0:
        c = load(d.cdof, i, 6)
        rate = axis_rate(m, d, i, c)
        if jacr != 0:
            r[0, i], r[1, i], r[2, i] = rate[0], rate[1], rate[2]
        if jacp != 0:
            w = add3(
                add3((rate[3], rate[4], rate[5]), cross3((rate[0], rate[1], rate[2]), offset)),
                cross3((c[0], c[1], c[2]), speed),
            )
            p[0, i], p[1, i], p[2, i] = w
        i = m.dof_parentid[i]
