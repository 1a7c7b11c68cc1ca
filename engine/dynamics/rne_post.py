"""Forces between bodies: accelerations, external and internal forces of each body, all in its tree's center-of-mass frame.

Recursive Newton-Euler with the complete accelerations; torque first. R. Featherstone, Rigid Body Dynamics Algorithms, chapter
5.
"""

from ..core.stages import run
from ..machine.jit import inline, kernel, stage
from ..machine.lang import load, store
from ..math.quat import quat_conj, quat_mul
from ..math.spatial import add6, add_scaled6, cross_force, inertia_mul, scale6
from ..math.vec import add3, mat_t_vec3, mat_vec3, scale3
from ..tables.compat_rows import bit
from ..tables.enums import mjtDisableBit, mjtEq, mjtObj
from ..tables.stage_rows import stage_id
from .objects import add_external, contact_wrench, head3, join6, tail3, weld_frames
from .tendon import any_spatial

NO_GRAVITY = int(mjtDisableBit.mjDSBL_GRAVITY)
CONNECT, WELD, FLEX = (int(mjtEq[f"mjEQ_{n}"]) for n in ("CONNECT", "WELD", "FLEX"))
BODY = int(mjtObj.mjOBJ_BODY)
TENDON_PULL, WRENCH = bit("tendon_pull"), stage_id("tendon_wrench")
ZERO = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@stage
def rne_post(m, d):
    """reads xfrc_applied, contacts, efc_force, qvel, qacc, cdof, cdof_dot, cvel, cinert; writes cacc, cfrc_ext, cfrc_int."""
    for b in range(m.nbody):
        store(d.cfrc_ext, b, ZERO)
    for b in range(1, m.nbody):
        x = load(d.xfrc_applied, b, 6)
        if x[0] != 0 or x[1] != 0 or x[2] != 0 or x[3] != 0 or x[4] != 0 or x[5] != 0:
            add_external(m, d, b, load(d.xipos, b, 3), join6(tail3(x), head3(x)), 1.0)
    contact_forces(m, d)
    equality_forces(m, d)
    if m.compat_bits & TENDON_PULL and any_spatial(m) and not run(m, d, WRENCH):
        return
    internal_forces(m, d)


@kernel
def contact_forces(m, d):
    """Add contact forces, which act on the second body and, reversed, on the first."""
    for k in range(d.ncon):
        g1, g2 = d.contact_geom[k, 0], d.contact_geom[k, 1]
        if d.contact_efc_address[k] < 0 or g1 < 0 or g2 < 0:
            continue
        f, frame, pos = contact_wrench(m, d, k), load(d.contact_frame, k, 9), load(d.contact_pos, k, 3)
        force = join6(mat_t_vec3(frame, tail3(f)), mat_t_vec3(frame, head3(f)))
        if m.geom_bodyid[g1]:
            add_external(m, d, m.geom_bodyid[g1], pos, force, -1.0)
        if m.geom_bodyid[g2]:
            add_external(m, d, m.geom_bodyid[g2], pos, force, 1.0)


@inline
def anchor(m, d, e, second):
    """Return the (body, world point) to which equality constraint e attaches its first or second object."""
    obj = m.eq_obj2id[e] if second else m.eq_obj1id[e]
    if m.eq_objtype[e] != BODY:
        b = m.site_bodyid[obj]
        local = load(m.site_pos, obj, 3)
    else:
        b = obj
        # a weld stores the second body's anchor first
        front = second != (m.eq_type[e] == CONNECT)
        local = (
            (m.eq_data[e, 0], m.eq_data[e, 1], m.eq_data[e, 2])
            if front
            else (m.eq_data[e, 3], m.eq_data[e, 4], m.eq_data[e, 5])
        )
    return b, add3(mat_vec3(load(d.xmat, b, 9), local), load(d.xpos, b, 3))


@kernel
def weld_torque(m, d, e, f):
    """Return the torque, in world axes, that a weld's three rotation rows exert on the first body.

    The rows are scale / 2 vec(conj(q2) w q1).
    """
    b1, b2 = m.eq_obj1id[e], m.eq_obj2id[e]
    if m.eq_objtype[e] != BODY:
        b1, b2 = m.site_bodyid[b1], m.site_bodyid[b2]
    q1, q2 = weld_frames(m, d, e, b1, b2)
    t = quat_mul(quat_mul(q2, (0.0, f[0], f[1], f[2])), quat_conj(q1))
    return scale3((t[1], t[2], t[3]), 0.5 * m.eq_data[e, 10])


@kernel
def equality_forces(m, d):
    """Add the forces of connect and weld constraints to both bodies. Other equalities act in joint space only."""

    i = 0
    while i < d.ne:
        e = d.efc_id[i]
        kind = m.eq_type[e]
        if kind == CONNECT or kind == WELD:
            force, torque = load(d.efc_force, i, 3), (0.0, 0.0, 0.0)
            if kind == WELD:
                torque = load(d.efc_force, i + 3, 3)
                if m.compat_bits & TENDON_PULL:
                    torque = weld_torque(m, d, e, torque)
            wrench = join6(torque, force)
            b, point = anchor(m, d, e, False)
            if b:
                add_external(m, d, b, point, wrench, 1.0)
            b, point = anchor(m, d, e, True)
            if b:
                add_external(m, d, b, point, wrench, -1.0)
            i += 6 if kind == WELD else 3
        elif kind == FLEX:
            f = m.eq_obj1id[e]
            start = m.flex_edgeadr[f]
            for edge in range(start, start + m.flex_edgenum[f]):
                i += 0 if m.flexedge_rigid[edge] else 1
        else:
            i += 1


@kernel
def internal_forces(m, d):
    """Compute body accelerations from the root outwards, then the forces that parents exert on their children."""
    g = (0.0, 0.0, 0.0) if m.opt.disableflags & NO_GRAVITY else load(m.opt.gravity, 0, 3)
    store(d.cacc, 0, (0.0, 0.0, 0.0, -g[0], -g[1], -g[2]))
    store(d.cfrc_int, 0, ZERO)

    for b in range(1, m.nbody):
        first, count = m.body_dofadr[b], m.body_dofnum[b]
        a = load(d.cacc, m.body_parentid[b], 6)
        if count:
            coriolis, push = scale6(load(d.cdof_dot, first, 6), d.qvel[first]), scale6(load(d.cdof, first, 6), d.qacc[first])
            for i in range(first + 1, first + count):
                coriolis = add_scaled6(coriolis, load(d.cdof_dot, i, 6), d.qvel[i])
                push = add_scaled6(push, load(d.cdof, i, 6), d.qacc[i])
            a = add6(add6(a, coriolis), push)
        store(d.cacc, b, a)
        inertia, v = load(d.cinert, b, 10), load(d.cvel, b, 6)
        f = add6(inertia_mul(inertia, a), cross_force(v, inertia_mul(inertia, v)))
        store(d.cfrc_int, b, add_scaled6(f, load(d.cfrc_ext, b, 6), -1.0))

    for b in range(m.nbody - 1, 0, -1):
        up = m.body_parentid[b]
        store(d.cfrc_int, up, add6(load(d.cfrc_int, up, 6), load(d.cfrc_int, b, 6)))
