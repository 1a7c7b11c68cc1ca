"""Momentum of subtrees: linear velocity of their centers of mass and angular momentum about them."""

from ..machine.jit import stage
from ..machine.lang import load, store
from ..math.vec import add3, cross3, mat_t_vec3, mat_vec3, scale3, sub3
from ..tables.consts import mjMINVAL
from ..tables.enums import mjtEnableBit
from .awake import SLEEP_WHOLE
from .objects import head3, out_of_com, tail3

SLEEP = int(mjtEnableBit.mjENBL_SLEEP)


@stage
def subtree_vel(m, d):
    """reads cvel, xipos, ximat, subtree_com; writes subtree_linvel, subtree_angmom (scratch: work_cacc)."""
    sleep = m.opt.enableflags & SLEEP != 0 and d.nbody_awake < m.nbody and m.compat_bits & SLEEP_WHOLE == 0
    count = d.nbody_awake if sleep else m.nbody
    for k in range(count):
        b = d.body_awake_ind[k] if sleep else k
        v = out_of_com(m, d, d.cvel, b, load(d.xipos, b, 3))
        store(d.work_cacc, b, v)
        store(d.subtree_linvel, b, scale3(tail3(v), m.body_mass[b]))
        mat, inertia = load(d.ximat, b, 9), load(m.body_inertia, b, 3)
        spin = mat_t_vec3(mat, head3(v))
        store(d.subtree_angmom, b, mat_vec3(mat, (spin[0] * inertia[0], spin[1] * inertia[1], spin[2] * inertia[2])))

    # Sum the momenta towards the root, then convert them to velocities.
    for k in range(count - 1, -1, -1):
        b = d.body_awake_ind[k] if sleep else k
        p = load(d.subtree_linvel, b, 3)
        if b:
            up = m.body_parentid[b]
            store(d.subtree_linvel, up, add3(load(d.subtree_linvel, up, 3), p))
        store(d.subtree_linvel, b, scale3(p, 1 / max(mjMINVAL, m.body_subtreemass[b])))

    # Angular momentum about the parent's center of mass: the subtree's about its own center of mass, plus that of this center.
    for k in range(count - 1, 0, -1):
        b = d.body_awake_ind[k] if sleep else k
        up = m.body_parentid[b]
        com, v = load(d.subtree_com, b, 3), load(d.subtree_linvel, b, 3)
        p = scale3(sub3(tail3(load(d.work_cacc, b, 6)), v), m.body_mass[b])
        spin = add3(load(d.subtree_angmom, b, 3), cross3(sub3(load(d.xipos, b, 3), com), p))
        store(d.subtree_angmom, b, spin)
        p = scale3(sub3(v, load(d.subtree_linvel, up, 3)), m.body_subtreemass[b])
        orbit = cross3(sub3(com, load(d.subtree_com, up, 3)), p)
        store(d.subtree_angmom, up, add3(add3(load(d.subtree_angmom, up, 3), spin), orbit))
