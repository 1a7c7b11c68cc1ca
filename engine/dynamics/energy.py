"""Potential and kinetic energy."""

from ..core.stages import run
from ..machine.jit import inline, kernel, stage
from ..machine.lang import load
from ..math.dense import dot
from ..math.quat import quat_sub
from ..math.vec import dot3, sub3
from ..tables.compat_rows import PLASTIC, POLYNOMIAL
from ..tables.enums import mjtDisableBit
from ..tables.stage_rows import stage_id
from .awake import AWAKE, SLEEP_WHOLE
from .kinematics import BALL, FREE, SLEEP
from .tendon_force import spring_excess

EXTRA_ENERGY, PLASTIC_ENERGY = stage_id("extra_energy"), stage_id("plastic_energy")

NO_SPRING, NO_GRAVITY = (int(mjtDisableBit[f"mjDSBL_{n}"]) for n in ("SPRING", "GRAVITY"))


@stage
def energy_pos(m, d):
    """reads qpos, xipos, ten_length, flexedge_length; writes energy[0]: gravity and springs, in J."""
    e = 0.0
    if m.opt.disableflags & NO_GRAVITY == 0:
        g = load(m.opt.gravity, 0, 3)
        for b in range(1, m.nbody):
            e -= m.body_mass[b] * dot3(g, load(d.xipos, b, 3))
    if m.opt.disableflags & NO_SPRING == 0:
        e = joint_energy(m, d, e)
        e = tendon_energy(m, d, e)
        e = flex_energy(m, d, e)
    d.energy[0] = e
    if m.features & POLYNOMIAL and m.opt.disableflags & NO_SPRING == 0:
        run(m, d, EXTRA_ENERGY)
    if m.features & PLASTIC and m.opt.disableflags & NO_SPRING == 0:
        run(m, d, PLASTIC_ENERGY)


@kernel
def joint_energy(m, d, e):
    sleep = (m.opt.enableflags & SLEEP) != 0 and d.nbody_awake < m.nbody and m.compat_bits & SLEEP_WHOLE == 0
    for j in range(m.njnt):
        stiffness = m.jnt_stiffness[j]
        if stiffness == 0 or sleep and d.body_awake[m.jnt_bodyid[j]] != AWAKE:
            continue
        a, kind = m.jnt_qposadr[j], m.jnt_type[j]
        if kind == FREE:
            x = sub3(load(d.qpos, a, 3), load(m.qpos_spring, a, 3))
            e += 0.5 * stiffness * dot3(x, x)
            a += 3
        if kind == FREE or kind == BALL:
            x = quat_sub(load(d.qpos, a, 4), load(m.qpos_spring, a, 4))
            e += 0.5 * stiffness * dot3(x, x)
        else:
            s = d.qpos[a] - m.qpos_spring[a]
            e += 0.5 * stiffness * s * s
    return e


@kernel
def tendon_energy(m, d, e):
    for t in range(m.ntendon):
        length, low, high = d.ten_length[t], m.tendon_lengthspring[t, 0], m.tendon_lengthspring[t, 1]
        x = spring_excess(length, low, high)
        e += 0.5 * m.tendon_stiffness[t] * x * x
    return e


@kernel
def flex_energy(m, d, e):
    for f in range(m.nflex):
        stiffness = m.flex_edgestiffness[f]
        if m.flex_rigid[f] or stiffness == 0 or m.flex_dim[f] > 1:
            continue
        for k in range(m.flex_edgeadr[f], m.flex_edgeadr[f] + m.flex_edgenum[f]):
            if not m.flexedge_rigid[k]:
                x = m.flexedge_length0[k] - d.flexedge_length[k]
                e += 0.5 * stiffness * x * x
    return e


@kernel
def inertia_times(m, d, result, v):
    """Set result = M v."""
    M, col = d.M, m.M_colind
    for i in range(m.nv):
        result[i] = 0.0
    for i in range(m.nv):
        start = m.M_rowadr[i]
        last = start + m.M_rownnz[i] - 1
        s = M[last] * v[i]
        for a in range(start, last):
            j = col[a]
            s += M[a] * v[j]
            result[j] += M[a] * v[i]
        result[i] += s


@stage
def energy_vel(m, d):
    """reads M, qvel; writes energy[1]: kinetic energy, in J (scratch: work_v1)."""
    if m.opt.enableflags & SLEEP != 0 and d.nv_awake < m.nv:
        d.energy[1] = awake_energy(m, d)
        return
    inertia_times(m, d, d.work_v1, d.qvel)
    d.energy[1] = 0.5 * dot(d.work_v1, 0, d.qvel, 0, m.nv)


@inline
def awake_energy(m, d):
    """Return the kinetic energy of trees that are awake; the others have zero velocity."""
    e = 0.0
    for k in range(d.nv_awake):
        i = d.dof_awake_ind[k]
        start = m.M_rowadr[i]
        last = start + m.M_rownnz[i] - 1
        s = 0.5 * d.M[last] * d.qvel[i]
        for a in range(start, last):
            s += d.M[a] * d.qvel[m.M_colind[a]]
        e += s * d.qvel[i]
    return e
