"""Free bodies under implicitfast, as later releases step them: the derivative of their gyroscopic forces is taken into account.

The matrix of implicitfast leaves it out, since it is not symmetric. For a body on a free joint with no joints below it these are six rows and columns
that nothing else shares: they are put together once more with it and solved on their own, which is what `implicit` does (the reference's manual,
Computation, Free bodies).
"""
from ..core.consts import mjMINVAL
from ..core.jit import inline, kernel, stage
from ..core.lang import load, small
from ..dynamics.awake import ASLEEP
from ..dynamics.kinematics import FREE, SLEEP
from ..math.spatial import add6, add_scaled6, cross_force, cross_motion, dot6, inertia_mul

SIZE = 6


@stage
def free_bodies(m, d):
    """reads M, qDeriv, cdof, cdof_dot, cvel, cinert, qfrc_smooth, qfrc_constraint; writes work_v1 of dofs of free bodies without joints below."""
    sleep = (m.opt.enableflags & SLEEP) != 0
    block, force = small(36), small(6)
    for j in range(m.njnt):
        b = m.jnt_bodyid[j]
        if m.jnt_type[j] != FREE or m.tree_dofnum[m.body_treeid[b]] != SIZE or (sleep and d.body_awake[b] == ASLEEP):
            continue
        i = m.jnt_dofadr[j]
        fill(m, d, b, i, block)
        for k in range(SIZE):
            force[k] = d.qfrc_smooth[i + k] + d.qfrc_constraint[i + k]
        if eliminate(block, force):
            for k in range(SIZE):
                d.work_v1[i + k] = force[k]


@inline
def whole_inertia(m, d, b):
    """Inertia of a body and of all that is welded to it below."""
    inertia = load(d.cinert, b, 10)
    tree = m.body_treeid[b]
    for k in range(b + 1, m.nbody):
        if m.body_treeid[k] != tree:
            break
        other = load(d.cinert, k, 10)
        inertia = (inertia[0] + other[0], inertia[1] + other[1], inertia[2] + other[2], inertia[3] + other[3], inertia[4] + other[4],
                   inertia[5] + other[5], inertia[6] + other[6], inertia[7] + other[7], inertia[8] + other[8], inertia[9] + other[9])
    return inertia


@kernel
def fill(m, d, b, i, block):
    """block = M - h (D - d bias / d velocity) of the dofs of a free body that begin at i."""
    h = m.opt.timestep
    inertia, v = whole_inertia(m, d, b), load(d.cvel, b, 6)
    momentum = inertia_mul(inertia, v)
    for r in range(SIZE):
        adr = m.D_rowadr[i + r]
        for k in range(SIZE):
            block[SIZE * r + k] = 0.0
        for k in range(m.D_rownnz[i + r]):
            a = m.mapM2D[adr + k]
            block[SIZE * r + (m.D_colind[adr + k] - i)] = (d.M[a] if a >= 0 else 0.0) - h * d.qDeriv[adr + k]
    for k in range(SIZE):
        axis = load(d.cdof, i + k, 6)
        change = load(d.cdof_dot, i + k, 6)
        # translations turn the axes of rotation; rotations of a joint do not turn their own
        if k < 3:
            for r in range(3, SIZE):
                change = add_scaled6(change, cross_motion(axis, load(d.cdof, i + r, 6)), d.qvel[i + r])
        rate = add6(inertia_mul(inertia, change), add6(cross_force(axis, momentum), cross_force(v, inertia_mul(inertia, axis))))
        for r in range(SIZE):
            block[SIZE * r + k] += h * dot6(load(d.cdof, i + r, 6), rate)


@kernel
def eliminate(a, x):
    """Solve a 6 x 6 system in place by elimination with row exchange; False if it is singular."""
    for k in range(SIZE):
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
    for t in range(SIZE):
        k = SIZE - 1 - t
        s = x[k]
        for c in range(k + 1, SIZE):
            s -= a[SIZE * k + c] * x[c]
        x[k] = s / a[SIZE * k + k]
    return True
