"""The collision stage: pairs of bodies from the broad phase and explicit pairs, merged in the order of their signatures."""

from ..core.arena import CONTACT as CONTACT_BYTES
from ..core.arena import FRAME, limited, push
from ..core.stages import FULL_CONTACTS, GROW, run, stage_address
from ..core.timers import now, stop_timer
from ..dynamics.awake import flex_asleep
from ..machine.jit import inline, kernel, stage
from ..machine.lang import invoke_pair
from ..tables.enums import mjtDisableBit, mjtTimer, mjtWarning
from ..tables.stage_rows import stage_id
from .broad import masks
from .contact import collide_geoms, collide_listed
from .filter import masks_meet
from .mid import collide_trees, listed
from .swept import fast_body, speculates

CONSTRAINT, CONTACT, MIDPHASE = (int(mjtDisableBit[f"mjDSBL_{n}"]) for n in ("CONSTRAINT", "CONTACT", "MIDPHASE"))
BROAD, NARROW = int(mjtTimer.mjTIMER_COL_BROAD), int(mjtTimer.mjTIMER_COL_NARROW)
BROAD_PHASE, FLEX = stage_id("broad_phase"), stage_id("collide_flex")
COM_VEL = stage_id("com_vel")
UNSIGNED = 0xFFFFFFFF
CONTACTFULL = int(mjtWarning.mjWARN_CONTACTFULL)


@kernel
def collide_bodies(m, d, b1, b2, start, end):
    """Collide all geoms of one body with all geoms of another body, except explicit pairs `start` to `end`. Return False if the
    step must stop."""
    first1, count1, first2, count2 = m.body_geomadr[b1], m.body_geomnum[b1], m.body_geomadr[b2], m.body_geomnum[b2]
    single = count1 == 1 and count2 == 1
    if (
        not single
        and not m.opt.disableflags & MIDPHASE
        and m.body_bvhadr[b1] >= 0
        and m.body_bvhadr[b2] >= 0
        and not (speculates(m) and (fast_body(m, d, b1) or fast_body(m, d, b2)))
    ):
        return collide_trees(m, d, b1, b2, start, end)
    for g1 in range(first1, first1 + count1):
        for g2 in range(first2, first2 + count2):
            if not listed(m, g1, g2, start, end) and not collide_geoms(m, d, g1, g2):
                return False
    return True


@inline
def collide_with_flex(m, d, b1, b2):
    """Collide a body or flex b1 with flex b2; if both are equal, collide the flex with itself."""
    address = stage_address(d, FLEX)
    return address != 0 and invoke_pair(address, m, d, b1, b2, 0.0) >= 0


@kernel
def narrow_phase(m, d):
    """Collide all pairs of the broad phase. Explicit pairs of the same two bodies come first. Return False if the step must
    stop."""
    pair, exclude, last = 0, 0, -1
    for k in range(d.nbroad):
        signature = d.broad_pair[k]
        if signature == last:
            continue
        last = signature

        # Collide explicit pairs that come before this pair of bodies or belong to the same bodies.
        start, merged = pair, False
        while pair < m.npair and (m.pair_signature[pair] & UNSIGNED) <= signature:
            merged = merged or (m.pair_signature[pair] & UNSIGNED) == signature
            if not collide_listed(m, d, pair):
                return False
            pair += 1

        # Skip excluded pairs of bodies.
        while exclude < m.nexclude and (m.exclude_signature[exclude] & UNSIGNED) < signature:
            exclude += 1
        if exclude < m.nexclude and (m.exclude_signature[exclude] & UNSIGNED) == signature:
            continue

        b1, b2 = signature >> 16, signature & 0xFFFF
        if b2 >= m.nbody:
            go_on = collide_with_flex(m, d, b1, b2)
        else:
            go_on = collide_bodies(m, d, b1, b2, start if merged else pair, pair)
        if not go_on:
            return False

    # Collide the remaining explicit pairs, and flexes with themselves.
    while pair < m.npair:
        if not collide_listed(m, d, pair):
            return False
        pair += 1
    for f in range(m.nbody, m.nbody + m.nflex):
        contype, affinity = masks(m, f)
        if not m.flex_rigid[f - m.nbody] and masks_meet(contype, affinity, contype, affinity):
            if not flex_asleep(m, d, f - m.nbody) and not collide_with_flex(m, d, f, f):
                return False
    return True


@inline
def count_broad(m, d):
    """Count the scratch memory that MuJoCo needs to list pairs."""
    n = m.nbody + m.nflex
    push(d, FRAME, 8)
    push(d, 4 * (n * (n - 1) // 2), 4)


@inline
def begin_collision(m, d):
    """Clear the contacts; return whether anything can collide."""
    d.ncon = d.nefc = d.nisland = d.parena = 0
    if m.vis.global__bvactive:
        # Clear the flags only up to the last marked node, because the bounding volume trees of meshes have many nodes.
        active = d.bvh_active
        for k in range(d.bvh_end):
            active[k] = 0
        d.bvh_end = 0
    return m.opt.disableflags & (CONSTRAINT | CONTACT) == 0 and m.nbody + m.nflex > 1


@inline
def end_collision(d, done):
    """writes ncon, the number of arena bytes that contacts take, or the reason why the step stops."""
    if not done:
        d.ncon = 0
    elif d.ncon > d.ncon_cap and d.full & FULL_CONTACTS:
        d.ncon, d.need_con = d.need_con, 0
        d.warning_number[CONTACTFULL] += 1
        d.warning_lastinfo[CONTACTFULL] = d.ncon
    elif d.ncon > d.ncon_cap:
        d.need_con = d.ncon
        d.ncon = 0
        d.status = GROW
    if limited(d):
        d.parena = d.ncon * CONTACT_BYTES


@stage
def collision(m, d):
    """reads poses, body_awake, cdof and qvel if geoms are swept; writes cvel in that case, ncon, contact rows, bvh_active,
    nefc, nisland, parena, pstack, tree_stack, tree_pair, manifold, timers, warnings.
    """
    if not begin_collision(m, d):
        return

    # If contacts are predicted, the broad phase needs velocities.
    begin = now(d)
    if speculates(m) and not run(m, d, COM_VEL):
        return
    if not run(m, d, BROAD_PHASE):
        return
    middle = stop_timer(d, BROAD, begin)

    # Collide pairs of geoms. MuJoCo's list of pairs takes scratch memory, which is freed afterwards.
    stack = d.pstack
    if limited(d):
        count_broad(m, d)
    done = narrow_phase(m, d)
    d.pstack = stack
    stop_timer(d, NARROW, middle)
    end_collision(d, done)


@stage
def collide_pairs(m, d):
    """reads poses, broad_pair and nbroad; writes ncon, contact rows, bvh_active, nefc, nisland, parena, pstack,
    tree_stack, tree_pair, manifold, warnings.
    """
    if begin_collision(m, d):
        stack = d.pstack
        if limited(d):
            count_broad(m, d)
        done = narrow_phase(m, d)
        d.pstack = stack
        end_collision(d, done)
