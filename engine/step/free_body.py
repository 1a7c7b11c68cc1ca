"""Free bodies under implicitfast, as in MuJoCo 3.11 and later: their derivatives include gyroscopic forces.

The matrix of implicitfast omits the derivative of gyroscopic forces because it is not symmetric. A body on a free joint,
without joints below it, has six rows and columns that are coupled to no others. This 6 x 6 block is assembled again with
the derivative and solved separately; the result is that of `implicit` (MuJoCo's manual, Computation, Free bodies).
"""

from ..dynamics.awake import ASLEEP
from ..dynamics.kinematics import FREE, SLEEP
from ..dynamics.metric import is_discrete
from ..dynamics.sparsity import is_sparse
from ..dynamics.tendon_rows import flat_columns, flat_jacobian
from ..machine.jit import inline, kernel, stage
from ..machine.lang import load, small
from ..math.spatial import add6, add_scaled6, cross_force, cross_motion, dot6, inertia_mul
from ..tables.consts import mjMINVAL

SIZE = 6


@stage
def free_bodies(m, d):
    """reads M, qDeriv or efm_M, cdof, cdof_dot, cvel, cinert, qfrc_smooth, qfrc_constraint; writes work_v1, or qacc of
    discrete steps, of dofs of free bodies without joints below.
    """
    discrete = is_discrete(m)
    sleep = (m.opt.enableflags & SLEEP) != 0
    block, force = small(36), small(6)
    for j in range(m.njnt):
        b = m.jnt_bodyid[j]
        if m.jnt_type[j] != FREE or m.tree_dofnum[m.body_treeid[b]] != SIZE or (sleep and d.body_awake[b] == ASLEEP):
            continue
        i = m.jnt_dofadr[j]
        if discrete and is_tied(m, d, i):
            continue

        fill(m, d, b, i, block)
        for k in range(SIZE):
            force[k] = d.qfrc_smooth[i + k] + d.qfrc_constraint[i + k] + (d.efm_c[i + k] if discrete else 0.0)
        if eliminate(block, force):
            for k in range(SIZE):
                if discrete:
                    d.qacc[i + k] = force[k]
                else:
                    d.work_v1[i + k] = force[k]


@inline
def whole_inertia(m, d, b):
    """Return the total inertia of body b and of all bodies below, which are welded to body b."""
    inertia = load(d.cinert, b, 10)
    tree = m.body_treeid[b]
    for k in range(b + 1, m.nbody):
        if m.body_treeid[k] != tree:
            break
        other = load(d.cinert, k, 10)
        inertia = (
            inertia[0] + other[0],
            inertia[1] + other[1],
            inertia[2] + other[2],
            inertia[3] + other[3],
            inertia[4] + other[4],
            inertia[5] + other[5],
            inertia[6] + other[6],
            inertia[7] + other[7],
            inertia[8] + other[8],
            inertia[9] + other[9],
        )
    return inertia


@kernel
def free_forces(m, d):
    """Compute the forces that produce qacc under `discrete`, for free bodies on which no constraint row acts.

    reads qacc; writes work_v1 of their dofs.
    """
    block = small(36)
    for j in range(m.njnt):
        b, i = m.jnt_bodyid[j], m.jnt_dofadr[j]
        if m.jnt_type[j] != FREE or m.tree_dofnum[m.body_treeid[b]] != SIZE or is_tied(m, d, i):
            continue
        fill(m, d, b, i, block)
        for r in range(SIZE):
            s = 0.0
            for k in range(SIZE):
                s += block[SIZE * r + k] * d.qacc[i + k]
            d.work_v1[i + r] = s


@kernel
def is_coupled(m, d, i):
    """Return whether a tendon or actuator that is part of the effective inertia acts on any of the six dofs i to i + 5."""
    J, columns, sparse = flat_jacobian(m, d), flat_columns(m, d), is_sparse(m)
    for t in range(m.ntendon):
        start, count = (d.ten_J_rowadr[t], d.ten_J_rownnz[t]) if sparse else (t * m.nv + i, SIZE)
        for a in range(start, start + count if d.efm_ts[t] != 0 else start):
            if J[a] != 0 and (not sparse or i <= columns[a] < i + SIZE):
                return True
    for o in range(m.nout):
        for a in range(d.moment_rowadr[o], d.moment_rowadr[o] + d.moment_rownnz[o] if d.efm_as[o] != 0 else d.moment_rowadr[o]):
            if d.actuator_moment[a] != 0 and i <= d.moment_colind[a] < i + SIZE:
                return True
    return False


@kernel
def is_tied(m, d, i):
    """Return whether a constraint row, or a tendon or actuator in the effective inertia, acts on any of a free body's six dofs
    i to i + 5."""
    if is_coupled(m, d, i):
        return True
    if d.nisland > 0:
        return d.dof_island[i] >= 0
    sparse = is_sparse(m)
    for r in range(d.nefc):
        start, count = (d.efc_J_rowadr[r], d.efc_J_rownnz[r]) if sparse else (r * m.nv + i, SIZE)
        for a in range(start, start + count):
            if d.efc_J[a] != 0 and (not sparse or i <= d.efc_J_colind[a] < i + SIZE):
                return True
    return False


@inline
def metric_entry(m, d, r, c):
    """Return an element of the symmetric matrix efm_M."""
    row, col = max(r, c), min(r, c)
    for a in range(m.M_rowadr[row], m.M_rowadr[row] + m.M_rownnz[row]):
        if m.M_colind[a] == col:
            return d.efm_M[a]
    return 0.0


@kernel
def fill(m, d, b, i, block):
    """Set the block M - h (D - d bias / d velocity) for the six dofs i to i + 5 of a free body."""
    h = m.opt.timestep
    inertia, v = whole_inertia(m, d, b), load(d.cvel, b, 6)
    momentum = inertia_mul(inertia, v)

    # Set the block to M - h D, or to the effective inertia of `discrete`.
    for r in range(SIZE):
        adr = m.D_rowadr[i + r]
        for k in range(SIZE):
            block[SIZE * r + k] = 0.0
        for k in range(m.D_rownnz[i + r]):
            a = m.mapM2D[adr + k]
            if is_discrete(m):
                block[SIZE * r + (m.D_colind[adr + k] - i)] = metric_entry(m, d, i + r, m.D_colind[adr + k])
            else:
                block[SIZE * r + (m.D_colind[adr + k] - i)] = (d.M[a] if a >= 0 else 0.0) - h * d.qDeriv[adr + k]

    # Add the derivative of the bias force, column by column.
    for k in range(SIZE):
        axis = load(d.cdof, i + k, 6)
        change = load(d.cdof_dot, i + k, 6)
        # Translations also change the axes of rotation (as spatial vectors). Rotations do not change their own joint's axes.
        if k < 3:
            for r in range(3, SIZE):
                change = add_scaled6(change, cross_motion(axis, load(d.cdof, i + r, 6)), d.qvel[i + r])
        rate = add6(inertia_mul(inertia, change), add6(cross_force(axis, momentum), cross_force(v, inertia_mul(inertia, axis))))
        for r in range(SIZE):
            block[SIZE * r + k] += h * dot6(load(d.cdof, i + r, 6), rate)


@kernel
def eliminate(a, x):
    """Solve a 6 x 6 system in place by Gaussian elimination with partial pivoting; return False if it is singular."""
    for k in range(SIZE):
        # Use the largest entry of the column as pivot.
        best = k
        for r in range(k + 1, SIZE):
            if abs(a[SIZE * r + k]) > abs(a[SIZE * best + k]):
                best = r
        if abs(a[SIZE * best + k]) < mjMINVAL:
            return False
        if best != k:
            for c in range(SIZE):
                a[SIZE * k + c], a[SIZE * best + c] = a[SIZE * best + c], a[SIZE * k + c]
            x[k], x[best] = x[best], x[k]

        for r in range(k + 1, SIZE):
            s = a[SIZE * r + k] / a[SIZE * k + k]
            for c in range(k, SIZE):
                a[SIZE * r + c] -= s * a[SIZE * k + c]
            x[r] -= s * x[k]

    # Substitute back.
    for t in range(SIZE):
        k = SIZE - 1 - t
        s = x[k]
        for c in range(k + 1, SIZE):
            s -= a[SIZE * k + c] * x[c]
        x[k] = s / a[SIZE * k + k]
    return True
