"""Limits the number of contacts between a flex and one geom, or another flex. The remaining contacts are far apart."""

from ..core.stages import GROW
from ..machine.jit import inline, kernel
from ..machine.lang import load, store
from ..math.vec import dot3, sub3
from ..tables.compat_rows import bit
from ..tables.consts import mjMAXCONPAIR

LIMITS = bit("flex_few")
FAR = 1e300


@inline
def coarse(m, f):
    """Return whether a flex moves with fewer dofs than its vertices have."""
    return m.flex_rigid[f] or m.flex_interp[f] != 0


@inline
def few(m, b1, f):
    """Return whether the contacts of flex f with b1, a body or flex, are limited."""
    return m.compat_bits & LIMITS != 0 and coarse(m, f) and (b1 < m.nbody or coarse(m, b1 - m.nbody))


@kernel
def thin(d, first):
    """writes ncon and the contacts from `first` on (scratch: broad_box, tree_stack). Return False if the step must stop.

    Keep the deepest contact. Then repeatedly keep the contact that is farthest from all kept ones, up to the maximum number of
    contacts of a pair. The order of the contacts does not change.
    """
    count = d.ncon - first
    if count <= mjMAXCONPAIR or d.ncon > d.ncon_cap:
        return True
    if count > d.nbroad_cap:
        d.need_broad = count
        d.status = GROW
        return False

    # Choose contacts one by one. broad_box holds each contact's squared distance to the nearest chosen one.
    best = 0
    for i in range(count):
        d.tree_stack[i, 0], d.broad_box[i, 0] = 0, FAR
        if d.contact_dist[first + i] < d.contact_dist[first + best]:
            best = i
    for _ in range(mjMAXCONPAIR):
        d.tree_stack[best, 0] = 1
        here, most = load(d.contact_pos, first + best, 3), -1.0
        for i in range(count):
            if d.tree_stack[i, 0] == 0:
                away = sub3(load(d.contact_pos, first + i, 3), here)
                d.broad_box[i, 0] = min(d.broad_box[i, 0], dot3(away, away))
                if d.broad_box[i, 0] > most:
                    best, most = i, d.broad_box[i, 0]

    # Copy the chosen contacts to the front. Fields that are not copied are equal in all these contacts.
    to = first
    for i in range(count):
        if d.tree_stack[i, 0]:
            at = first + i
            d.contact_dist[to], d.contact_exclude[to] = d.contact_dist[at], d.contact_exclude[at]
            store(d.contact_pos, to, load(d.contact_pos, at, 3))
            store(d.contact_frame, to, load(d.contact_frame, at, 9))
            store(d.contact_elem, to, load(d.contact_elem, at, 2))
            store(d.contact_vert, to, load(d.contact_vert, at, 2))
            to += 1
    d.ncon = to
    return True
