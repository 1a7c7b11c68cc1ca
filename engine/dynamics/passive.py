"""Passive forces: springs, dampers, gravity compensation. Fluid and flexes have separate stages."""

from ..core.stages import AT_PASSIVE, call_hook, run, run_plugins
from ..machine.jit import kernel, stage
from ..machine.lang import load
from ..math.quat import quat_sub, quat_unit
from ..math.vec import norm3, scale3
from ..tables.compat_rows import ADHESION, DRIVE, PLASTIC, POLYNOMIAL, bit
from ..tables.enums import mjtDisableBit
from ..tables.force_rows import OURS
from ..tables.stage_rows import FORCES, stage_id
from .awake import ASLEEP
from .force import apply_force
from .kinematics import BALL, FREE, SLEEP

NO_SPRING, NO_DAMPER, NO_GRAVITY = (int(mjtDisableBit[f"mjDSBL_{n}"]) for n in ("SPRING", "DAMPER", "GRAVITY"))
FLUID, TENDON_PASSIVE, FLEX_PASSIVE, CONTACT_PASSIVE = (
    stage_id(n) for n in ("fluid", "tendon_passive", "flex_passive", "contact_passive")
)
HOOK = stage_id("hook_passive")
EXTRA = POLYNOMIAL | DRIVE
EXTRA_FORCES, PLASTIC_FORCES, ADHESIVE_FORCES = (stage_id(n) for n in ("extra_forces", "plastic_forces", "adhesive_forces"))
GRAVCOMP_ALL = bit("gravcomp_all")
FORCES_OF_OURS = len(OURS)


@stage
def passive(m, d):
    """reads qpos, qvel; writes qfrc_spring, qfrc_damper, qfrc_gravcomp, qfrc_fluid, qfrc_adhesion, qfrc_passive."""
    sleep = (m.opt.enableflags & SLEEP) != 0 and d.nv_awake < m.nv
    nv = d.nv_awake if sleep else m.nv
    for k in range(nv):
        i = d.dof_awake_ind[k] if sleep else k
        d.qfrc_spring[i] = d.qfrc_damper[i] = d.qfrc_gravcomp[i] = d.qfrc_fluid[i] = d.qfrc_passive[i] = 0.0
    if m.features & ADHESION:
        for k in range(nv):
            d.qfrc_adhesion[d.dof_awake_ind[k] if sleep else k] = 0.0
    if m.opt.disableflags & NO_SPRING and m.opt.disableflags & NO_DAMPER:
        return

    # Add springs and dampers of joints, flexes and tendons, then those of features added after 3.4.
    if m.opt.disableflags & NO_SPRING == 0:
        joint_springs(m, d)
    if m.opt.disableflags & NO_DAMPER == 0:
        for k in range(nv):
            i = d.dof_awake_ind[k] if sleep else k
            damping = m.dof_damping[i]
            if damping != 0:
                d.qfrc_damper[i] = -damping * d.qvel[i]
    if m.nflex and not run(m, d, FLEX_PASSIVE):
        return
    if m.ntendon and not run(m, d, TENDON_PASSIVE):
        return
    if m.features & EXTRA and not run(m, d, EXTRA_FORCES):
        return
    if m.features & PLASTIC and not run(m, d, PLASTIC_FORCES):
        return

    compensated = gravity_compensation(m, d)
    fluid = m.opt.viscosity != 0 or m.opt.density != 0
    if fluid and not run(m, d, FLUID):
        return
    if m.nflex and not run(m, d, CONTACT_PASSIVE):
        return

    # Sum all passive forces.
    for k in range(nv):
        i = d.dof_awake_ind[k] if sleep else k
        # Add instead of assigning, because flex contacts may have added forces already.
        d.qfrc_passive[i] = d.qfrc_passive[i] + (d.qfrc_spring[i] + d.qfrc_damper[i])
        if fluid:
            d.qfrc_passive[i] += d.qfrc_fluid[i]

    if compensated:
        # Before 3.5, the compensating force acts only on dofs of compensated bodies, not on other dofs that move them.
        everywhere = m.compat_bits & GRAVCOMP_ALL != 0
        for k in range(nv):
            i = d.dof_awake_ind[k] if sleep else k
            if not m.jnt_actgravcomp[m.dof_jntid[i]] and (everywhere or m.body_gravcomp[m.dof_bodyid[i]] != 0):
                d.qfrc_passive[i] += d.qfrc_gravcomp[i]

    if m.features & ADHESION and d.ncon and not run(m, d, ADHESIVE_FORCES):
        return
    for k in range(FORCES_OF_OURS):
        if not run(m, d, FORCES + k):
            return
    call_hook(m, d, HOOK)
    run_plugins(m, d, AT_PASSIVE)


@kernel
def joint_springs(m, d):
    """writes qfrc_spring."""
    sleep = (m.opt.enableflags & SLEEP) != 0 and d.ntree_awake < m.ntree
    for j in range(m.njnt):
        stiffness = m.jnt_stiffness[j]
        if stiffness == 0 or sleep and d.body_awake[m.jnt_bodyid[j]] == ASLEEP:
            continue
        a, i, kind = m.jnt_qposadr[j], m.jnt_dofadr[j], m.jnt_type[j]
        if kind == FREE:
            for c in range(3):
                d.qfrc_spring[i + c] = -stiffness * (d.qpos[a + c] - m.qpos_spring[a + c])
            a += 3
            i += 3
        if kind == FREE or kind == BALL:
            turn = quat_sub(quat_unit(load(d.qpos, a, 4)), load(m.qpos_spring, a, 4))
            for c in range(3):
                d.qfrc_spring[i + c] = -stiffness * turn[c]
        else:
            d.qfrc_spring[i] = -stiffness * (d.qpos[a] - m.qpos_spring[a])


@kernel
def gravity_compensation(m, d):
    """writes qfrc_gravcomp; returns whether any body is compensated."""
    g = load(m.opt.gravity, 0, 3)
    if m.ngravcomp == 0 or m.opt.disableflags & NO_GRAVITY or norm3(g) == 0:
        return False
    sleep = (m.opt.enableflags & SLEEP) != 0 and d.nbody_awake < m.nbody
    found = False
    for b in range(1, m.nbody):
        if m.body_gravcomp[b] != 0 and not (sleep and d.body_awake[b] == ASLEEP):
            found = True
            force = scale3(g, -(m.body_mass[b] * m.body_gravcomp[b]))
            apply_force(m, d, d.qfrc_gravcomp, b, load(d.xipos, b, 3), force, (0.0, 0.0, 0.0))
    return found
