"""Collides one pair of geoms: fills the manifold, mixes the contact parameters, appends the contacts to Data."""

from ..core.arena import PAIR_CONTACTS, refused
from ..core.stages import stage_address, table_entry
from ..dynamics.adhesion import mix_adhesion
from ..machine.jit import inline, kernel
from ..machine.lang import invoke_filter, invoke_pair, load, store
from ..math.vec import frame_of
from ..tables.compat_rows import ADHESION
from ..tables.consts import mjMINMU, mjMINVAL
from ..tables.enums import mjtEnableBit, mjtSleepState
from ..tables.stage_rows import stage_id
from .arrest import arrested
from .filter import masks_meet, mix_gap, mix_margin, spheres_apart
from .manifold import DIST, NORMAL, POS, ROW, TANGENT
from .swept import speculates
from .table import NONE, pair_function

OVERRIDE, SLEEP = int(mjtEnableBit.mjENBL_OVERRIDE), int(mjtEnableBit.mjENBL_SLEEP)
AWAKE = int(mjtSleepState.mjS_AWAKE)
STOP = -1
HOOK_FILTER, AHEAD = stage_id("hook_contactfilter"), stage_id("collide_ahead")


@inline
def mix_factor(s1, s2):
    """Return the weight of the first of two geoms, given their mixing coefficients s1 and s2."""
    if s1 >= mjMINVAL and s2 >= mjMINVAL:
        return s1 / (s1 + s2)
    if s1 < mjMINVAL and s2 < mjMINVAL:
        return 0.5
    return 0.0 if s1 < mjMINVAL else 1.0


@inline
def mix2(a, b, s):
    return s * a[0] + (1 - s) * b[0], s * a[1] + (1 - s) * b[1]


@inline
def mix5(a, b, s):
    t = 1 - s
    return s * a[0] + t * b[0], s * a[1] + t * b[1], s * a[2] + t * b[2], s * a[3] + t * b[3], s * a[4] + t * b[4]


@inline
def mix_solver(priority1, priority2, solmix1, solmix2, ref1, ref2, imp1, imp2):
    """Return (solref, solimp) of a contact between two objects: those of the object with higher priority, or mixed values.

    If a solref is in the direct format (negative numbers), solref is not mixed: the smaller numbers are used.
    """
    s = mix_factor(solmix1, solmix2)
    if priority1 > priority2:
        ref, imp = ref1, imp1
    elif priority1 < priority2:
        ref, imp = ref2, imp2
    else:
        imp = mix5(imp1, imp2, s)
        ref = mix2(ref1, ref2, s) if ref1[0] > 0 and ref2[0] > 0 else (min(ref1[0], ref2[0]), min(ref1[1], ref2[1]))
    return ref, imp


@inline
def mix_friction(priority1, priority2, a, b):
    """Return five friction coefficients of a contact from the three of each object."""
    if priority1 > priority2:
        f = a
    elif priority1 < priority2:
        f = b
    else:
        f = (max(a[0], b[0]), max(a[1], b[1]), max(a[2], b[2]))
    return f[0], f[0], f[1], f[2], f[2]


@inline
def mix_condim(priority1, priority2, a, b):
    if priority1 > priority2:
        return a
    return b if priority1 < priority2 else max(a, b)


@kernel
def write_contacts(m, d, count, dim, include, ref, ref_friction, imp, friction, ahead, sticky):
    """reads manifold; writes parameters and geometry of `count` new contact rows. Returns the first row, or STOP if there is no
    room.

    `ahead`: the geoms will touch within the step, and exert forces now. `sticky`: they also attract each other in the gap, but
    without friction there. Rows that do not fit are counted nevertheless, so that growing once is enough.
    """
    first = d.ncon
    d.ncon = first + count
    if first + count > d.ncon_cap:
        # If this Data may not grow, the first call that overflows reports how many contacts fit: `first`.
        if first <= d.ncon_cap:
            d.need_con = first
        return STOP

    # If the flag `override` is set, options replace the parameters of the pair. Friction is never exactly zero.
    if m.opt.enableflags & OVERRIDE:
        o = m.opt
        ref = ref_friction = load(o.o_solref, 0, 2)
        imp, friction = load(o.o_solimp, 0, 5), load(o.o_friction, 0, 5)
    friction = (
        max(mjMINMU, friction[0]),
        max(mjMINMU, friction[1]),
        max(mjMINMU, friction[2]),
        max(mjMINMU, friction[3]),
        max(mjMINMU, friction[4]),
    )

    rows = d.manifold
    for k in range(count):
        c, a = first + k, ROW * k
        dist = arrested(m, ref, imp, include, d.impact_time, d.impact_speed) if ahead else rows[a + DIST]
        d.contact_dist[c] = dist
        store(d.contact_pos, c, load(rows, a + POS, 3))
        store(d.contact_frame, c, frame_of(load(rows, a + NORMAL, 3), load(rows, a + TANGENT, 3)))
        d.contact_includemargin[c] = include

        # At distances above margin minus gap there is no force, except the pull of sticky geoms.
        beyond = dist >= include and not ahead
        d.contact_exclude[c] = beyond and not sticky
        d.contact_dim[c] = 1 if beyond and sticky else dim
        d.contact_efc_address[c] = -1
        d.contact_mu[c] = 0.0
        store(d.contact_solref, c, ref)
        store(d.contact_solreffriction, c, ref_friction)
        store(d.contact_solimp, c, imp)
        store(d.contact_friction, c, friction)
        for i in range(36):
            d.contact_H[c, i] = 0.0
    return first


@inline
def set_contact_geoms(d, first, count, g1, g2):
    """Write the ids of the geoms to which the new contacts belong."""
    for c in range(first, first + count):
        store(d.contact_geom, c, (g1, g2))
        store(d.contact_flex, c, (-1, -1))
        store(d.contact_elem, c, (-1, -1))
        store(d.contact_vert, c, (-1, -1))


@inline
def filtered(m, d, g1, g2):
    """Return whether the user's filter forbids contacts of two geoms, or if there is no filter, whether the bit masks forbid
    them."""
    user = table_entry(d, HOOK_FILTER)
    if user != 0:
        return invoke_filter(user, m, d, g1, g2) != 0
    return not masks_meet(m.geom_contype[g1], m.geom_conaffinity[g1], m.geom_contype[g2], m.geom_conaffinity[g2])


@inline
def fill_manifold(m, d, g1, g2, margin):
    """Fill the manifold for two geoms, ordered by type. Return the number of rows, or -1 if the step must stop."""
    if spheres_apart(m, d, g1, g2, margin):
        return 0
    address = pair_function(d, m.geom_type[g1], m.geom_type[g2])
    if address == NONE or refused(d, PAIR_CONTACTS):
        return 0
    return invoke_pair(address, m, d, g1, g2, margin) if address != 0 else -1


@inline
def count_contacts(m, d, g1, g2):
    """Fill the manifold for two geoms, ordered by type, unless filters forbid contacts.

    Return the number of rows, -1 if the step must stop.
    """
    if filtered(m, d, g1, g2):
        return 0
    return fill_manifold(m, d, g1, g2, mix_margin(m, m.geom_margin[g1], m.geom_margin[g2], m.geom_gap[g1], m.geom_gap[g2]))


@kernel
def find_contacts(m, d, g1, g2, margin, include):
    """Return (number of rows of the manifold, whether the geoms are apart but will touch within the step).

    The geoms are in the order of their types. The number of rows is -1 if the step must stop.
    """
    count = fill_manifold(m, d, g1, g2, margin)
    if count < 0 or not speculates(m):
        return count, False
    for k in range(count):
        if d.manifold[ROW * k + DIST] < include:
            return count, False
    address = stage_address(d, AHEAD)
    if address == 0:
        return -1, False
    later = invoke_pair(address, m, d, g1, g2, include)
    return (later, True) if later != 0 else (fill_manifold(m, d, g1, g2, margin) if count else 0, False)


@kernel
def collide_geoms(m, d, g1, g2):
    """Collide two geoms, unless filters forbid contacts; write the contacts. Return False if the step must stop."""
    if m.geom_type[g1] > m.geom_type[g2]:
        g1, g2 = g2, g1
    if filtered(m, d, g1, g2):
        return True

    # Find the contacts.
    margin = mix_margin(m, m.geom_margin[g1], m.geom_margin[g2], m.geom_gap[g1], m.geom_gap[g2])
    gap = mix_gap(m, m.geom_gap[g1], m.geom_gap[g2])
    count, ahead = find_contacts(m, d, g1, g2, margin, margin - gap)
    if count <= 0:
        return count == 0

    # Mix the parameters.
    p1, p2 = m.geom_priority[g1], m.geom_priority[g2]
    ref, imp = mix_solver(
        p1,
        p2,
        m.geom_solmix[g1],
        m.geom_solmix[g2],
        load(m.geom_solref, g1, 2),
        load(m.geom_solref, g2, 2),
        load(m.geom_solimp, g1, 5),
        load(m.geom_solimp, g2, 5),
    )
    friction = mix_friction(p1, p2, load(m.geom_friction, g1, 3), load(m.geom_friction, g2, 3))
    dim = mix_condim(p1, p2, m.geom_condim[g1], m.geom_condim[g2])

    # Append the contacts to Data.
    first = write_contacts(
        m,
        d,
        count,
        dim,
        margin - gap,
        ref,
        (0.0, 0.0),
        imp,
        friction,
        ahead,
        m.features & ADHESION != 0 and mix_adhesion(m, g1, g2) != 0,
    )
    if first != STOP:
        set_contact_geoms(d, first, count, g1, g2)
    return True


@kernel
def collide_listed(m, d, k):
    """Collide the geoms of explicit pair k, with the parameters of the pair. Return False if the step must stop."""
    g1, g2 = m.pair_geom1[k], m.pair_geom2[k]
    if m.opt.enableflags & SLEEP and d.body_awake[m.geom_bodyid[g1]] != AWAKE and d.body_awake[m.geom_bodyid[g2]] != AWAKE:
        return True
    if m.geom_type[g1] > m.geom_type[g2]:
        g1, g2 = g2, g1

    # Find the contacts, and append them to Data with the parameters of the pair.
    margin = mix_margin(m, m.pair_margin[k], 0.0, m.pair_gap[k], 0.0)
    count, ahead = find_contacts(m, d, g1, g2, margin, margin - m.pair_gap[k])
    if count <= 0:
        return count == 0
    first = write_contacts(
        m,
        d,
        count,
        m.pair_dim[k],
        margin - m.pair_gap[k],
        load(m.pair_solref, k, 2),
        load(m.pair_solreffriction, k, 2),
        load(m.pair_solimp, k, 5),
        load(m.pair_friction, k, 5),
        ahead,
        m.pair_adhesion[k] != 0,
    )
    if first != STOP:
        set_contact_geoms(d, first, count, g1, g2)
    return True
