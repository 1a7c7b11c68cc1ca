"""Products with the joint-space inertia and its factor, and joint forces of given loads, for the programming interface.

Vectors and matrices are float64 arrays at addresses; rows of matrices are vectors.
"""

from math import sqrt

from ..machine.jit import stage
from ..machine.lang import array_at, load, matrix_at
from .force import apply_force
from .inertia import solve
from .rne import newton_euler


@stage("vMDii")
def mul_inertia(m, d, result, vector):
    """reads M; writes nv numbers at address `result`: inertia times the vector at address `vector`."""
    y, x = array_at(result, m.nv), array_at(vector, m.nv)
    for i in range(m.nv):
        y[i] = 0.0
    for i in range(m.nv):
        start = m.M_rowadr[i]
        last = start + m.M_rownnz[i] - 1
        total = 0.0
        for a in range(start, last):
            j = m.M_colind[a]
            total += d.M[a] * x[j]
            y[j] += d.M[a] * x[i]
        y[i] += total + d.M[last] * x[i]


@stage("vMDii")
def mul_inertia_root(m, d, result, vector):
    """reads qLD; writes nv numbers at address `result`: sqrt(D) L times the vector at address `vector`."""
    y, x = array_at(result, m.nv), array_at(vector, m.nv)
    for i in range(m.nv):
        start = m.M_rowadr[i]
        last = start + m.M_rownnz[i] - 1
        total = x[i]
        for a in range(start, last):
            total += d.qLD[a] * x[m.M_colind[a]]
        y[i] = total * sqrt(d.qLD[last])


@stage("vMDii")
def solve_inertia(m, d, vectors, count):
    """reads qLD, qLDiagInv; replaces each of `count` vectors x at an address by inv(M) x."""
    x = array_at(vectors, count * m.nv)
    for k in range(count):
        solve(m, d, x, k * m.nv, d.qLD, d.qLDiagInv, False)


@stage("vMDiii")
def solve_inertia_root(m, d, vectors, root, count):
    """reads qLD; replaces each of `count` vectors x by inv((sqrt(D) L)') x; `root` holds 1 / sqrt(D)."""
    x, r = array_at(vectors, count * m.nv), array_at(root, m.nv)
    for k in range(count):
        o = k * m.nv
        for i in range(m.nv - 1, -1, -1):
            for a in range(m.M_rowadr[i], m.M_rowadr[i] + m.M_rownnz[i] - 1):
                x[o + m.M_colind[a]] -= d.qLD[a] * x[o + i]
        for i in range(m.nv):
            x[o + i] *= r[i]


@stage("vMii")
def full_inertia(m, result, packed):
    """writes the nv x nv matrix at address `result`: the symmetric matrix whose nM numbers, along chains of dofs, are at
    `packed`.
    """
    full, x = matrix_at(result, m.nv, m.nv), array_at(packed, m.nM)
    for i in range(m.nv):
        for j in range(m.nv):
            full[i, j] = 0.0
    for i in range(m.nv):
        a, j = m.dof_Madr[i], i
        while j >= 0:
            full[i, j] = full[j, i] = x[a]
            a += 1
            j = m.dof_parentid[j]


@stage("vMDiii")
def joint_force(m, d, target, load_address, body):
    """reads cdof, subtree_com; adds to nv numbers at address `target`: joint forces of a load (force, torque, world point) on a
    body.
    """
    x = array_at(load_address, 9)
    apply_force(m, d, array_at(target, m.nv), body, load(x, 6, 3), load(x, 0, 3), load(x, 3, 3))


@stage("vMDii")
def motion_force(m, d, accelerate, result):
    """reads cinert, cdof, cdof_dot, cvel, qvel, qacc; writes nv numbers at address `result`: bias force, with inertial forces
    if requested.
    """
    newton_euler(m, d, array_at(result, m.nv), accelerate != 0)
