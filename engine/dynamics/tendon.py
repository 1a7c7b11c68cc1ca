"""Tendons: lengths, paths and Jacobians of fixed and spatial tendons, and tendon velocities."""

from ..core.stages import run
from ..machine.jit import inline, kernel, stage
from ..machine.lang import address_of, array_at, ints_at, load, store
from ..math.dense import dot
from ..math.vec import distance3, dot3, mat_t_vec3, norm3, sub3, unit3
from ..tables.compat_rows import bit
from ..tables.enums import mjtEnableBit, mjtWrap
from ..tables.stage_rows import stage_id
from .awake import ASLEEP, tendon_state
from .force import dof_translation, last_dof
from .sparsity import is_sparse
from .tendon_rows import flat_columns, flat_jacobian
from .wrap import NO_WRAP, wrap_geom

SLEEP = int(mjtEnableBit.mjENBL_SLEEP)
JOINT, PULLEY, SPHERE, CYLINDER = (int(mjtWrap[f"mjWRAP_{n}"]) for n in ("JOINT", "PULLEY", "SPHERE", "CYLINDER"))
# Values of wrap_obj for objects that are not geoms.
OBJ_SITE, OBJ_PULLEY = -1, -2
SPATIAL, WINDS = stage_id("tendon_spatial"), bit("side_winding")


@inline
def any_spatial(m):
    """Return whether a tendon goes through sites."""
    for t in range(m.ntendon):
        if m.wrap_type[m.tendon_adr[t]] != JOINT:
            return True
    return False


@stage
def tendon(m, d):
    """reads qpos, site_xpos, geom_xpos, geom_xmat, cdof, subtree_com.

    writes ten_length, ten_wrapadr, ten_wrapnum, wrap_obj, wrap_xpos, ten_J and, if sparse, ten_J_rownnz, ten_J_rowadr,
    ten_J_colind.
    """
    if any_spatial(m):
        run(m, d, SPATIAL)
        return
    clear_tendons(m, d)
    sleep = m.opt.enableflags & SLEEP != 0 and d.ntree_awake < m.ntree
    for t in range(m.ntendon):
        if not (sleep and tendon_state(m, d, t) == ASLEEP):
            start_row(m, d, t, 0)
            fixed_tendon(m, d, t)


@stage
def tendon_spatial(m, d):
    """Do the same as stage `tendon`, also for spatial tendons. Models without them do not compile these kernels."""
    clear_tendons(m, d)
    sleep = m.opt.enableflags & SLEEP != 0 and d.ntree_awake < m.ntree
    count = 0
    for t in range(m.ntendon):
        if sleep and tendon_state(m, d, t) == ASLEEP:
            continue
        start_row(m, d, t, count)
        if m.wrap_type[m.tendon_adr[t]] == JOINT:
            fixed_tendon(m, d, t)
        else:
            count += spatial_tendon(m, d, t, count)


@stage
def tendon_vel(m, d):
    """reads ten_J, qvel; writes ten_velocity."""
    J = flat_jacobian(m, d)
    if not is_sparse(m):
        for t in range(m.ntendon):
            d.ten_velocity[t] = dot(J, t * m.nv, d.qvel, 0, m.nv)
        return
    columns = flat_columns(m, d)
    for t in range(m.ntendon):
        start = d.ten_J_rowadr[t]
        v = 0.0
        for a in range(start, start + d.ten_J_rownnz[t]):
            v += J[a] * d.qvel[columns[a]]
        d.ten_velocity[t] = v


@kernel
def clear_tendons(m, d):
    """Set lengths and Jacobians of all tendons to zero, including sleeping ones."""
    for t in range(m.ntendon):
        d.ten_length[t] = 0.0
    if is_sparse(m):
        for t in range(m.ntendon):
            d.ten_J_rownnz[t] = 0
    else:
        J = flat_jacobian(m, d)
        for k in range(m.ntendon * m.nv):
            J[k] = 0.0


@inline
def start_row(m, d, t, count):
    """Start tendon t: its path begins at point `count`, and its Jacobian row, if packed, after the previous tendon's row."""
    d.ten_wrapadr[t] = count
    d.ten_wrapnum[t] = 0
    if is_sparse(m):
        d.ten_J_rowadr[t] = d.ten_J_rowadr[t - 1] + d.ten_J_rownnz[t - 1] if t else 0


@kernel
def fixed_tendon(m, d, t):
    """Compute the length and Jacobian of a weighted sum of joint positions."""
    J = flat_jacobian(m, d)
    columns = flat_columns(m, d)
    sparse = is_sparse(m)
    start = d.ten_J_rowadr[t] if sparse else 0
    length = 0.0
    first = m.tendon_adr[t]
    for w in range(first, first + m.tendon_num[t]):
        j, coef = m.wrap_objid[w], m.wrap_prm[w]
        i = m.jnt_dofadr[j]
        length += coef * d.qpos[m.jnt_qposadr[j]]
        if not sparse:
            J[t * m.nv + i] = coef

            continue
        # Insert into the sorted row.
        a = start + d.ten_J_rownnz[t]
        while a > start and columns[a - 1] > i:
            a -= 1
        if a > start and columns[a - 1] == i:
            J[a - 1] += coef
            continue
        for k in range(start + d.ten_J_rownnz[t], a, -1):
            J[k] = J[k - 1]
            columns[k] = columns[k - 1]
        J[a] = coef
        columns[a] = i
        d.ten_J_rownnz[t] += 1
    d.ten_length[t] = length


@inline
def add_point(m, d, n, point, obj):
    """Store point n of the paths, and the object that it is on; return the new number of points."""
    store(array_at(address_of(d.wrap_xpos, 0), 6 * m.nwrap), 3 * n, point)
    ints_at(address_of(d.wrap_obj, 0), 2 * m.nwrap)[n] = obj
    return n + 1


@inline
def add_piece(m, d, t, n, obj, body0, body1, point0, point1, scale):
    """Add a straight segment, from path point n to the next point, to tendon t.

    Stores point0 as a path point on object `obj`; if the two bodies differ, adds the segment to the Jacobian. Returns the new
    number of points.
    """
    if body0 != body1:
        add_segment(m, d, t, body0, body1, point0, point1, scale)
    return add_point(m, d, n, point0, obj)


@inline
def side_within(m, d, side, geom):
    """Return whether a side site is within the radius of a geom, so that the tendon passes inside."""
    offset = sub3(load(d.site_xpos, side, 3), load(d.geom_xpos, geom, 3))
    return norm3(mat_t_vec3(load(d.geom_xmat, geom, 9), offset)) < m.geom_size[geom, 0]


@inline
def around_geom(m, d, pos0, pos1, geom, kind, prm):
    """Return (wrapped length or NO_WRAP, first and last point on the geom) of a tendon between two points.

    `prm` is the side site, or -1.
    """
    side = int(round(prm))
    inside = side >= 0 and side_within(m, d, side, geom)
    return wrap_geom(
        pos0,
        pos1,
        load(d.geom_xpos, geom, 3),
        load(d.geom_xmat, geom, 9),
        m.geom_size[geom, 0],
        kind == SPHERE,
        load(d.site_xpos, max(side, 0), 3),
        side >= 0,
        inside,
        m.compat_bits & WINDS != 0,
    )


@kernel
def spatial_tendon(m, d, t, n):
    """Follow tendon t from site to site, around geoms and through pulleys. `n` is the number of path points of earlier tendons.
    Return the number of path points of this tendon."""
    first, last = m.tendon_adr[t], m.tendon_adr[t] + m.tendon_num[t] - 1
    before = n
    divisor, length = 1.0, 0.0
    w = first
    while w < last:
        # At a pulley, start a new branch, whose length is divided by the pulley's divisor.
        kind = m.wrap_type[w + 1]
        if m.wrap_type[w] == PULLEY or kind == PULLEY:
            if m.wrap_type[w] == PULLEY:
                divisor = m.wrap_prm[w]
                n = add_point(m, d, n, (0.0, 0.0, 0.0), OBJ_PULLEY)
            w += 1
            continue

        # The next piece of the path is straight or wraps around a geom.
        site, geom = m.wrap_objid[w], -1
        end = m.wrap_objid[w + 1]
        if kind == SPHERE or kind == CYLINDER:
            geom, end = end, m.wrap_objid[w + 2]
        pos0, pos1 = load(d.site_xpos, site, 3), load(d.site_xpos, end, 3)
        body0, body1 = m.site_bodyid[site], m.site_bodyid[end]
        wrapped, p, q = NO_WRAP, pos0, pos1
        if geom >= 0:
            wrapped, p, q = around_geom(m, d, pos0, pos1, geom, kind, m.wrap_prm[w + 1])

        if wrapped < 0:
            length += distance3(pos1, pos0) / divisor
            n = add_piece(m, d, t, n, OBJ_SITE, body0, body1, pos0, pos1, 1 / divisor)
        else:
            body = m.geom_bodyid[geom]
            length += (distance3(p, pos0) + wrapped + distance3(pos1, q)) / divisor
            n = add_piece(m, d, t, n, OBJ_SITE, body0, body, pos0, p, 1 / divisor)
            n = add_point(m, d, n, p, geom)
            n = add_piece(m, d, t, n, geom, body, body1, q, pos1, 1 / divisor)
        w += 2 if geom >= 0 else 1
        # Store the last site of a branch.
        if w == last or m.wrap_type[w + 1] == PULLEY:
            n = add_point(m, d, n, pos1, OBJ_SITE)
    d.ten_length[t] = length
    d.ten_wrapnum[t] = n - before
    return n - before


@inline
def column_difference(d, k, a, offset0, b, offset1):
    """For unit velocity of dof k, return the velocity of point 1 (moved by dof b) minus that of point 0 (moved by dof a)."""
    x = dof_translation(d, k, offset1) if b == k else (0.0, 0.0, 0.0)
    return sub3(x, dof_translation(d, k, offset0)) if a == k else x


@kernel
def add_segment(m, d, t, body0, body1, point0, point1, scale):
    """Add a straight segment between points of two bodies to the Jacobian row of tendon t."""
    along, _ = unit3(sub3(point1, point0))
    offset0 = sub3(point0, load(d.subtree_com, m.body_rootid[body0], 3))
    offset1 = sub3(point1, load(d.subtree_com, m.body_rootid[body1], 3))

    J = flat_jacobian(m, d)
    a, b = last_dof(m, body0), last_dof(m, body1)
    if not is_sparse(m):
        row = t * m.nv
        while a >= 0 or b >= 0:
            k = max(a, b)
            J[row + k] += dot3(column_difference(d, k, a, offset0, b, offset1), along) * scale
            a = m.dof_parentid[a] if a == k else a
            b = m.dof_parentid[b] if b == k else b
        return

    # For a sparse row, make room for new columns, then merge from the back, visiting the dofs of both chains in descending
    # order.
    columns = flat_columns(m, d)
    start = d.ten_J_rowadr[t]
    old = start + d.ten_J_rownnz[t] - 1
    new = old + new_columns(m, columns, start, old, a, b)
    d.ten_J_rownnz[t] = new - start + 1
    while a >= 0 or b >= 0:
        k = max(a, b)
        while old >= start and columns[old] > k:
            columns[new] = columns[old]
            J[new] = J[old]
            new -= 1
            old -= 1
        x = dot3(column_difference(d, k, a, offset0, b, offset1), along) * scale
        if old >= start and columns[old] == k:
            x += J[old]
            old -= 1
        columns[new] = k
        J[new] = x
        new -= 1
        a = m.dof_parentid[a] if a == k else a
        b = m.dof_parentid[b] if b == k else b


@kernel
def new_columns(m, columns, start, end, a, b):
    """Count the dofs, on the chains from dofs a and b to the root, that are not among the sorted columns start..end."""
    count = 0
    while a >= 0 or b >= 0:
        k = max(a, b)
        while end >= start and columns[end] > k:
            end -= 1
        if end < start or columns[end] != k:
            count += 1
        a = m.dof_parentid[a] if a == k else a
        b = m.dof_parentid[b] if b == k else b
    return count
