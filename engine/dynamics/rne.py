"""Recursive Newton-Euler algorithm: joint forces of a motion (R. Featherstone, Rigid Body Dynamics Algorithms, chapter 5)."""

from ..machine.jit import inline, kernel, stage
from ..machine.lang import load, store
from ..math.spatial import add6, add_scaled6, cross_force, dot6, inertia_mul, scale6
from ..tables.enums import mjtDisableBit
from .kinematics import SLEEP

NO_GRAVITY = int(mjtDisableBit.mjDSBL_GRAVITY)


@stage
def rne(m, d):
    """reads cinert, cdof, cdof_dot, cvel, qvel; writes qfrc_bias."""
    newton_euler(m, d, d.qfrc_bias, False)


@stage
def rne_full(m, d):
    """reads also qacc; writes qfrc_inverse: the force for a motion with acceleration qacc."""
    newton_euler(m, d, d.qfrc_inverse, True)


@inline
def dof_sum(m, x, b, v):
    """Return the sum of v[i] x[i] over the dofs i of body b; each row x[i] is a spatial vector."""
    i = m.body_dofadr[b]
    n = m.body_dofnum[b]
    if n == 0:
        return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    s = scale6(load(x, i, 6), v[i])
    for k in range(i + 1, i + n):
        s = add_scaled6(s, load(x, k, 6), v[k])
    return s


@kernel
def newton_euler(m, d, result, accelerate):
    """writes result: forward pass of accelerations and body forces, backward pass of forces (scratch: work_cacc, work_cfrc)."""
    sleep = (m.opt.enableflags & SLEEP) != 0 and d.nbody_awake < m.nbody
    acc, frc = d.work_cacc, d.work_cfrc
    g = m.opt.gravity
    zero = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    store(acc, 0, zero if m.opt.disableflags & NO_GRAVITY else (0.0, 0.0, 0.0, -g[0], -g[1], -g[2]))
    store(frc, 0, zero)

    # Compute accelerations and forces of bodies, from the root to the leaves.
    for k in range(1, d.nbody_awake if sleep else m.nbody):
        b = d.body_awake_ind[k] if sleep else k
        a = add6(load(acc, m.body_parentid[b], 6), dof_sum(m, d.cdof_dot, b, d.qvel))
        if accelerate:
            a = add6(a, dof_sum(m, d.cdof, b, d.qacc))
        store(acc, b, a)
        inertia, v = load(d.cinert, b, 10), load(d.cvel, b, 6)
        store(frc, b, add6(inertia_mul(inertia, a), cross_force(v, inertia_mul(inertia, v))))

    # Sum the forces towards the root, and project them onto the joints.
    for k in range((d.nparent_awake if sleep else m.nbody) - 1, 0, -1):
        b = d.parent_awake_ind[k] if sleep else k
        p = m.body_parentid[b]
        if p > 0:
            store(frc, p, add6(load(frc, p, 6), load(frc, b, 6)))
    nv = d.nv_awake if sleep else m.nv
    for k in range(nv):
        i = d.dof_awake_ind[k] if sleep else k
        result[i] = dot6(load(d.cdof, i, 6), load(frc, m.dof_bodyid[i], 6))
