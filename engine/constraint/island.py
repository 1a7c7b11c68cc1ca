"""Islands: sets of trees that constraints connect, and copies of inertia and constraints sorted by island.

Islands are numbered by their first tree; trees, dofs and rows keep their order within an island.
"""

from ..core.arena import FRAME, fits, islands_end, keep, limited, no_room, push
from ..dynamics.sparsity import is_sparse
from ..machine.jit import inline, kernel, stage
from ..math.dense import copy
from ..math.sparse import same_columns
from ..tables.enums import mjtEq, mjtObj
from .append_rows import EQUALITY, FRICTION_DOF, FRICTION_TENDON, FRICTIONLESS, LIMIT_JOINT, NO_ISLAND

CONNECT, WELD, FLEX = (int(mjtEq[f"mjEQ_{n}"]) for n in ("CONNECT", "WELD", "FLEX"))
SITE = int(mjtObj.mjOBJ_SITE)
SCAN = -2


@stage
def island(m, d):
    """reads rows of constraints, M, qLD, qLDiagInv; writes nisland, nidof, tree_island, dof_island, efc_island, island_*,
    map_*, and the position-dependent copies iM*, iLD*, iefc_J*, iefc_type, iefc_id, iefc_frictionloss, iefc_D, iefc_R,
    parena, pstack, warnings.
    """
    d.nisland = d.nidof = 0
    if m.opt.disableflags & NO_ISLAND or d.nefc == 0:
        return
    # An empty row belongs to no tree, so all trees are solved together.
    if not join_trees(m, d):
        return
    number_trees(m, d)
    if d.nisland == 1 and d.nidof == m.nv:
        keep_order(m, d)
    else:
        sort_trees(m, d)
        sort_dofs(m, d)
        copy_inertia(m, d)
        sort_rows(m, d)
        copy_rows(m, d)
    if limited(d):
        count_islands(m, d)


# ---- which trees are connected -----------------------------------------------------------------------------------------
@inline
def row_trees(m, d, r):
    """Return the one or two trees (-1: none) that follow from a row's type, or (SCAN, SCAN) if its Jacobian must be read."""
    kind, k = d.efc_type[r], d.efc_id[r]
    a = b = SCAN
    if kind == FRICTION_DOF:
        a = b = m.dof_treeid[k]
    elif kind == LIMIT_JOINT:
        a = b = m.dof_treeid[m.jnt_dofadr[k]]
    elif kind >= FRICTIONLESS:
        g1, g2 = d.contact_geom[k, 0], d.contact_geom[k, 1]
        if g1 >= 0 and g2 >= 0:
            a, b = m.body_treeid[m.geom_bodyid[g1]], m.body_treeid[m.geom_bodyid[g2]]
    elif kind == EQUALITY and (m.eq_type[k] == CONNECT or m.eq_type[k] == WELD):
        a, b = m.eq_obj1id[k], m.eq_obj2id[k]
        if m.eq_objtype[k] == SITE:
            a, b = m.site_bodyid[a], m.site_bodyid[b]
        a, b = m.body_treeid[a], m.body_treeid[b]
    return a, b


@inline
def entry_tree(m, d, r, k, sparse):
    """Return the tree of entry k of a row, or -1 if the entry is zero."""
    if sparse:
        return m.dof_treeid[d.efc_J_colind[d.efc_J_rowadr[r] + k]]
    return m.dof_treeid[k] if d.efc_J[r * m.nv + k] != 0.0 else -1


@inline
def same_constraint(m, d, a, b):
    """Return whether two rows certainly involve the same trees: both belong to one constraint, which is not a flex equality."""
    kind, k = d.efc_type[b], d.efc_id[b]
    return kind == d.efc_type[a] and k == d.efc_id[a] and not (kind == EQUALITY and m.eq_type[k] == FLEX)


@inline
def next_constraint(m, d, r):
    """Return the first row after row r that may involve other trees."""
    end = r + 1
    while end < d.nefc and same_constraint(m, d, r, end):
        end += 1
    return end


@inline
def root_of(parent, t):
    while parent[t] != t:
        parent[t] = parent[parent[t]]
        t = parent[t]
    return t


@inline
def join(parent, a, b):
    """Join the sets of two trees. The smaller root stays, so that a set's root is its first tree."""
    if parent[a] == parent[b]:
        return
    a, b = root_of(parent, a), root_of(parent, b)
    if a < b:
        parent[b] = a
    else:
        parent[a] = b


@inline
def join_columns(m, d, r, parent, touched):
    """Join the trees of a sparse row; return the last of them, -1 if there is none. The dofs of a tree are contiguous."""
    k, end, tree = d.efc_J_rowadr[r], d.efc_J_rowadr[r] + d.efc_J_rownnz[r], -1
    if k < end:
        # Most rows have dofs of one tree, or all dofs of one and dofs of another.
        low, high = m.dof_treeid[d.efc_J_colind[k]], m.dof_treeid[d.efc_J_colind[end - 1]]
        other = k + m.tree_dofnum[low]
        if low == high or (
            other < end and m.dof_treeid[d.efc_J_colind[other - 1]] == low and m.dof_treeid[d.efc_J_colind[other]] == high
        ):
            join(parent, low, high)
            touched[low] = touched[high] = 0
            return low
    while k < end:
        t = m.dof_treeid[d.efc_J_colind[k]]
        if tree >= 0:
            join(parent, tree, t)
        tree, touched[t] = t, 0

        # Skip to the next tree.
        beyond = m.tree_dofadr[t] + m.tree_dofnum[t]
        if beyond == m.nv:
            return tree
        k += 1
        while k < end and d.efc_J_colind[k] < beyond:
            k += 1
    return tree


@inline
def join_entries(m, d, r, parent, touched):
    """Join the trees of a dense row; return the last of them, -1 if there is none."""
    tree = -1
    for e in range(m.nv):
        t = entry_tree(m, d, r, e, False)
        if t >= 0:
            if tree >= 0 and tree != t:
                join(parent, tree, t)
            tree, touched[t] = t, 0
    return tree


@kernel
def join_trees(m, d):
    """Join the trees of each row; return False if a row touches no tree.

    Sets tree_island to -1 for trees that no row touches.
    """
    parent, touched, sparse = d.work_tree, d.tree_island, is_sparse(m)
    for t in range(m.ntree):
        parent[t] = t
        touched[t] = -1

    r = 0
    while r < d.nefc:
        # Only rows of equalities can be empty; all others touch the only tree.
        if m.ntree == 1 and d.efc_type[r] != EQUALITY:
            touched[0] = 0
            return True
        a, b = row_trees(m, d, r)

        # Find the trees from the row's type or, if necessary, from its Jacobian.
        if a == SCAN:
            a = b = join_columns(m, d, r, parent, touched) if sparse else join_entries(m, d, r, parent, touched)
        else:
            if a >= 0 and b >= 0 and a != b:
                join(parent, a, b)
            if a >= 0:
                touched[a] = 0
            if b >= 0:
                touched[b] = 0

        if a < 0 and b < 0:
            return False
        r = next_constraint(m, d, r)
    return True


@kernel
def number_trees(m, d):
    """writes tree_island, nisland, nidof."""
    islands = dofs = 0
    for t in range(m.ntree):
        if d.tree_island[t] < 0:
            continue
        first = root_of(d.work_tree, t)
        if first == t:
            d.tree_island[t] = islands
            islands += 1
        else:
            d.tree_island[t] = d.tree_island[first]
        dofs += m.tree_dofnum[t]
    d.nisland, d.nidof = islands, dofs


# ---- order of trees, dofs and rows -------------------------------------------------------------------------------------
@inline
def start_groups(adr, count, n):
    """Write the start addresses of consecutive groups; return the end. Reset the counts, which are recounted as rows are
    placed."""
    a = 0
    for g in range(n):
        adr[g] = a
        a += count[g]
        count[g] = 0
    return a


@kernel
def sort_trees(m, d):
    """writes island_ntree, island_itreeadr, map_itree2tree."""
    count, adr, n = d.island_ntree, d.island_itreeadr, d.nisland
    for g in range(n):
        count[g] = 0
    for t in range(m.ntree):
        if d.tree_island[t] >= 0:
            count[d.tree_island[t]] += 1

    free = start_groups(adr, count, n)
    for t in range(m.ntree):
        g = d.tree_island[t]
        if g >= 0:
            d.map_itree2tree[adr[g] + count[g]] = t
            count[g] += 1
        else:
            d.map_itree2tree[free] = t
            free += 1


@kernel
def sort_dofs(m, d):
    """writes dof_island, island_nv, island_idofadr, island_dofadr, map_dof2idof, map_idof2dof. The dofs of a tree are
    contiguous."""
    for g in range(d.nisland):
        d.island_nv[g] = 0
    k = 0
    for j in range(m.ntree):
        t = d.map_itree2tree[j]
        g, first, n = d.tree_island[t], m.tree_dofadr[t], m.tree_dofnum[t]
        if g >= 0:
            if d.island_nv[g] == 0:
                d.island_idofadr[g], d.island_dofadr[g] = k, first
            d.island_nv[g] += n
        for i in range(n):
            d.dof_island[first + i] = g
            d.map_dof2idof[first + i] = k + i
            d.map_idof2dof[k + i] = first + i
        k += n


@inline
def first_tree(m, d, r, sparse):
    """Return a tree that a constraint's first row touches."""
    t, other = row_trees(m, d, r)
    if t == SCAN:
        e = 0
        t = entry_tree(m, d, r, e, sparse)
        while t < 0:
            e += 1
            t = entry_tree(m, d, r, e, sparse)
    return other if t < 0 else t


@inline
def end_of_row(d, r):
    """Return the address after the last entry of a sparse row."""
    return d.efc_J_rowadr[r] + d.efc_J_rownnz[r]


@kernel
def sort_rows(m, d):
    """writes efc_island, island_ne, island_nf, island_iefcadr; work_tree: where each island's part of iefc_J begins."""
    count, adr, n, sparse, entries = d.island_nefc, d.island_iefcadr, d.nisland, is_sparse(m), d.work_tree
    for g in range(n):
        count[g] = entries[g] = d.island_ne[g] = d.island_nf[g] = 0

    r = 0
    while r < d.nefc:
        # A constraint's later rows may be empty, so keep them in the island of its first row.
        end = next_constraint(m, d, r)
        g = d.tree_island[first_tree(m, d, r, sparse)]
        for i in range(r, end):
            d.efc_island[i] = g

        # Count the rows in their island.
        count[g] += end - r
        if sparse:
            entries[g] += end_of_row(d, end - 1) - d.efc_J_rowadr[r]
        kind = d.efc_type[r]
        if kind == EQUALITY:
            d.island_ne[g] += end - r
        elif kind == FRICTION_DOF or kind == FRICTION_TENDON:
            d.island_nf[g] += end - r
        r = end

    start_groups(adr, count, n)
    a = 0
    for g in range(n):
        entries[g], a = a, a + entries[g]


# ---- copies ------------------------------------------------------------------------------------------------------------
@kernel
def copy_inertia(m, d):
    """writes iM, iM_rownnz, iM_rowadr, iM_colind, iLD, iLDiagInv: rows of M and its factor by island; columns count from the
    island's first dof. The rows of a tree are contiguous.
    """
    a = 0
    for j in range(m.ntree):
        t = d.map_itree2tree[j]
        if d.tree_island[t] < 0:
            return
        first, n = m.tree_dofadr[t], m.tree_dofnum[t]
        k, start = d.map_dof2idof[first], m.M_rowadr[first]
        for i in range(n):
            d.iM_rownnz[k + i] = m.M_rownnz[first + i]
            d.iM_rowadr[k + i] = m.M_rowadr[first + i] - start + a
            d.iLDiagInv[k + i] = d.qLDiagInv[first + i]
        count = m.M_rowadr[first + n - 1] + m.M_rownnz[first + n - 1] - start
        shift = k - first - d.island_idofadr[d.tree_island[t]]
        for c in range(count):
            d.iM_colind[a + c] = m.M_colind[start + c] + shift
            d.iM[a + c] = d.M[start + c]
            d.iLD[a + c] = d.qLD[start + c]
        a += count


@inline
def of_neighbors(d, g):
    """Return whether the trees of an island follow each other in the model."""
    first, n = d.island_itreeadr[g], d.island_ntree[g]
    return d.map_itree2tree[first + n - 1] - d.map_itree2tree[first] == n - 1


@kernel
def copy_entries(d, g, r, end, k, a):
    """Copy the sparse rows r to end - 1 of efc_J to iefc_J, where they belong to island g: to row k and those after it, with
    their entries from address a on. Return the address after the last entry."""
    start, J, col, to, tocol = d.efc_J_rowadr[r], d.efc_J, d.efc_J_colind, d.iefc_J, d.iefc_J_colind
    move, n = a - start, end_of_row(d, end - 1) - start
    copy(d.iefc_J_rownnz, k, d.efc_J_rownnz, r, end - r)
    for i in range(end - r):
        d.iefc_J_rowadr[k + i] = d.efc_J_rowadr[r + i] + move
    copy(to, a, J, start, n)

    # In iefc_J, an island's first dof has column 0.
    if of_neighbors(d, g):
        first = d.island_dofadr[g]
        for c in range(n):
            tocol[a + c] = col[start + c] - first
        return a + n
    first = d.island_idofadr[g]
    for i in range(r, end):
        width = d.efc_J_rownnz[i]
        if i > r and d.efc_J_rowsuper[i - 1] > 0:
            # This row has the same columns as the row before: copy them.
            for c in range(a, a + width):
                tocol[c] = tocol[c - width]
        else:
            for c in range(a, a + width):
                tocol[c] = d.map_dof2idof[col[c - move]] - first
        a += width
    return a


@kernel
def copy_run(d, r, n, k):
    """Copy what describes n rows that follow each other, from row r to row k of the order of islands."""
    for i in range(n):
        d.map_efc2iefc[r + i] = k + i
    for i in range(n):
        d.map_iefc2efc[k + i] = r + i
    copy(d.iefc_type, k, d.efc_type, r, n)
    copy(d.iefc_id, k, d.efc_id, r, n)
    copy(d.iefc_frictionloss, k, d.efc_frictionloss, r, n)
    copy(d.iefc_D, k, d.efc_D, r, n)
    copy(d.iefc_R, k, d.efc_R, r, n)


@kernel
def join_supernodes(d, first, n):
    """writes iefc_J_rowsuper of an island's n rows, from row `first` on. Rows that followed each other before are not compared
    again."""
    count, order, nnz, adr, col = d.iefc_J_rowsuper, d.map_iefc2efc, d.iefc_J_rownnz, d.iefc_J_rowadr, d.iefc_J_colind
    count[first + n - 1] = 0
    for k in range(first + n - 2, first - 1, -1):
        r = order[k]
        same = d.efc_J_rowsuper[r] > 0 if order[k + 1] == r + 1 else same_columns(nnz, adr, col, k)
        count[k] = count[k + 1] + 1 if same else 0


@kernel
def copy_rows(m, d):
    """writes map_efc2iefc, map_iefc2efc, island_nefc, iefc_J and its structure, iefc_type, iefc_id, iefc_frictionloss, iefc_D,
    iefc_R."""
    count, entries, sparse, nv, r = d.island_nefc, d.work_tree, is_sparse(m), m.nv, 0
    while r < d.nefc:
        # Rows of an island that follow each other stay together.
        g, end = d.efc_island[r], r + 1
        while end < d.nefc and d.efc_island[end] == g:
            end += 1
        k = d.island_iefcadr[g] + count[g]
        count[g] += end - r
        if sparse:
            entries[g] = copy_entries(d, g, r, end, k, entries[g])
        copy_run(d, r, end - r, k)
        r = end

    # For each island, find supernodes (sparse) or copy its columns (dense).
    for g in range(d.nisland):
        first, n, dof, width = d.island_iefcadr[g], d.island_nefc[g], d.island_idofadr[g], d.island_nv[g]
        if sparse:
            join_supernodes(d, first, n)
            continue
        a = d.nidof * first
        for k in range(first, first + n):
            start = d.map_iefc2efc[k] * nv
            if width == nv:
                copy(d.iefc_J, a, d.efc_J, start, nv)
            elif of_neighbors(d, g):
                copy(d.iefc_J, a, d.efc_J, start + d.island_dofadr[g], width)
            else:
                for c in range(width):
                    d.iefc_J[a + c] = d.efc_J[start + d.map_idof2dof[dof + c]]
            a += width


@kernel
def keep_order(m, d):
    """Write everything that the functions above write, for the case of a single island of all trees, where the order stays the
    same."""
    nv, n = m.nv, d.nefc
    d.island_ntree[0], d.island_nv[0], d.island_nefc[0], d.island_ne[0], d.island_nf[0] = m.ntree, nv, n, d.ne, d.nf
    d.island_itreeadr[0] = d.island_idofadr[0] = d.island_dofadr[0] = d.island_iefcadr[0] = 0

    # Copy trees, dofs and inertia.
    for t in range(m.ntree):
        d.map_itree2tree[t] = t
    for i in range(nv):
        d.dof_island[i] = 0
        d.map_dof2idof[i] = d.map_idof2dof[i] = i
    copy(d.iM_rownnz, 0, m.M_rownnz, 0, nv)
    copy(d.iM_rowadr, 0, m.M_rowadr, 0, nv)
    copy(d.iLDiagInv, 0, d.qLDiagInv, 0, nv)
    copy(d.iM_colind, 0, m.M_colind, 0, m.nC)
    copy(d.iM, 0, d.M, 0, m.nC)
    copy(d.iLD, 0, d.qLD, 0, m.nC)

    # Copy rows and their Jacobian.
    for r in range(n):
        d.efc_island[r] = 0
    copy_run(d, 0, n, 0)
    if is_sparse(m):
        copy_entries(d, 0, 0, n, 0, 0)
        copy(d.iefc_J_rowsuper, 0, d.efc_J_rowsuper, 0, n)
    else:
        copy(d.iefc_J, 0, d.efc_J, 0, n * nv)


# ---- MuJoCo's arena ----------------------------------------------------------------------------------------------------
@inline
def next_tree(m, d, r, k, sparse, tree):
    """Search a row, starting at entry k, for a tree other than `tree`. Return (this tree, index of the entry after it), or
    (-1, k) if there is none."""
    count = d.efc_J_rownnz[r] if sparse else m.nv
    while k < count:
        t = entry_tree(m, d, r, k, sparse)
        k += 1
        if t >= 0 and t != tree:
            return t, k
    return -1, k


@inline
def add_edges(a, b, last, count):
    """Return (last edge, number of edges) after adding an edge between trees a and b.

    An edge between two different trees counts twice. An edge equal to the previous one does not count.
    """
    if (a, b) == last or (b, a) == last:
        return last, count
    return (b, a), count + (1 if a == b else 2)


@kernel
def count_edges(m, d):
    """Return the length of MuJoCo's list of edges between trees."""
    sparse, count, last = is_sparse(m), 0, (-1, -1)
    for r in range(d.nefc):
        if r > 0 and same_constraint(m, d, r - 1, r):
            continue

        # For most rows, the type determines the trees.
        a, b = row_trees(m, d, r)
        if a != SCAN:
            a, b = (b, a) if a < 0 else (a, b)
            last, count = add_edges(a, b if b >= 0 else a, last, count)
            continue

        # Other rows may have more than two trees: search their Jacobian.
        a, k = next_tree(m, d, r, 0, sparse, -1)
        b, k = next_tree(m, d, r, k, sparse, a)
        last, count = add_edges(a, b if b >= 0 else a, last, count)
        while b >= 0:
            c, k = next_tree(m, d, r, k, sparse, b)
            if c >= 0:
                last, count = add_edges(b, c, last, count)
            b = c
    return count


@kernel
def count_islands(m, d):
    """Count the memory of islands in the arena. If there is no room, drop all rows."""
    if d.nisland == 0:
        return
    stack, edges = d.pstack, 4 * count_edges(m, d)
    push(d, FRAME, 8)
    for size in (8 * d.nJ, 4 * m.ntree, 4 * m.ntree, edges, 4 * m.ntree, edges):
        push(d, size, 4)
    end = islands_end(m, d)
    if fits(d, end):
        keep(d, end)
    else:
        no_room(d)
        d.nefc = d.nisland = d.nidof = 0
    d.pstack = stack
