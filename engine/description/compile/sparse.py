"""Sparsity: trees of degrees of freedom, rows of M, D and B, and the maps between their entries.

adds   body: dofadr lastdof rootid simple treeid
reads  body: dofnum parent sameframe weldid; joint: nv; tendon: wrap
"""

import numpy as np

from ..language.orient import EPS
from ..language.types import BALL, HINGE, SAME_BODY, SLIDE, WRAP_CYLINDER, WRAP_SITE, WRAP_SPHERE


def chains(parent) -> tuple[np.ndarray, ...] | tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(row, column, step) of all pairs of an entry and its ancestors, itself included: column = step-th parent of row."""
    n = len(parent)
    row, rows, cols, steps = np.arange(n), [], [], []
    col, k = row, 0
    while len(row):
        rows.append(row)
        cols.append(col)
        steps.append(np.full(len(row), k))
        up = parent[col]
        live = up >= 0
        row, col, k = row[live], up[live], k + 1
    if not rows:
        return (np.zeros(0, np.int64),) * 3
    return np.concatenate(rows), np.concatenate(cols), np.concatenate(steps)


def starts(counts) -> np.ndarray:
    """Start of each run of a list of run lengths."""
    return np.cumsum(counts) - counts


def dof_tree(c) -> int:
    """Parents of degrees of freedom, their bodies, joints and trees."""
    body, j = c.body, c.joint
    nv = int(j.nv.sum()) if j.n else 0
    dof = c.dof = {}
    dof["jnt"] = np.repeat(np.arange(j.n), j.nv) if j.n else np.zeros(0, np.int64)
    dof["body"] = j.body[dof["jnt"]] if j.n else np.zeros(0, np.int64)
    last, parent = [-1] * body.n, np.full(nv, -1)
    up, adr, num = body.parent.tolist(), np.full(body.n, -1), body.dofnum.tolist()
    at = 0
    for b in range(body.n):
        before = last[up[b]] if b else -1
        n = num[b]
        if n:
            adr[b] = at
            parent[at] = before
            if n > 1:
                parent[at + 1:at + n] = np.arange(at, at + n - 1)
            at += n
            before = at - 1
        last[b] = before
    body.dofadr, body.lastdof = adr, np.array(last)
    dof["parent"] = parent
    dof["tree"] = np.cumsum(parent == -1) - 1
    weld = body.weldid
    first = adr[weld]
    body.treeid = np.where(body.dofnum[weld] > 0, dof["tree"][np.maximum(first, 0)] if nv else -1, -1)
    c.ntree = int((parent == -1).sum())
    return nv


def simple(c, frame_eps) -> None:
    """body_simple and dof_simplenum: bodies whose inertia is diagonal in their dofs."""
    body, j, n = c.body, c.joint, c.body.n
    parent = body.parent
    root = np.arange(n)
    up, roots = parent.tolist(), root.tolist()
    for b in range(1, n):
        if up[b]:
            roots[b] = roots[up[b]]
    body.rootid = np.array(roots)
    fixed_base = (parent[parent] == 0) & (body.dofnum[parent] == 0)
    level = ((body.sameframe == SAME_BODY) & ((body.rootid == np.arange(n)) | fixed_base)).astype(np.int64)
    level[parent[1:][parent[1:] > 0]] = 0
    if j.n:
        rotation = (j.type == BALL) | (j.type == HINGE)
        before = np.zeros(n, np.int64)
        np.add.at(before, j.body, rotation)
        count = np.cumsum(rotation) - rotation
        first = np.searchsorted(j.body, j.body)
        found = count - count[first] > 0
        crooked = ((np.abs(j.axis) > EPS).sum(1) != 1) & (j.type >= SLIDE)
        off = (np.abs(j.pos) >= frame_eps).any(1)
        level[j.body[found | off | crooked]] = 0
        slides = np.ones(n, bool)
        slides[j.body[j.type != SLIDE]] = False
        level[(level > 0) & slides & (body.dofnum > 0)] = 2
    for i, rows in enumerate(c.tendon.wrap):
        if c.tendon.armature[i] != 0:
            for kind, obj, _ in rows:
                if kind == WRAP_SITE:
                    level[c.site.body[obj]] = 0
                elif kind in (WRAP_SPHERE, WRAP_CYLINDER):
                    level[c.geom.body[obj]] = 0
    body.simple = level
    of_dof = level[c.dof["body"]] > 0
    run, simplenum = 0, np.zeros(len(of_dof), np.int64)
    for i in range(len(of_dof) - 1, -1, -1):
        run = run + 1 if of_dof[i] else 0
        simplenum[i] = run
    c.dof["simplenum"] = simplenum


def matrices(c, nv) -> dict:
    """All index arrays of M, D and B as {field: array}, and their sizes."""
    out = {}
    parent = c.dof["parent"]
    row, col, step = chains(parent)
    depth = np.bincount(row, minlength=nv)
    out["dof_Madr"] = starts(depth)
    legacy = out["dof_Madr"][row] + step
    _lower(c, out, row, col, step, legacy, nv)
    # D: the pattern of every row is its ancestors and descendants
    off = step > 0
    r = np.concatenate((row, col[off]))
    k = np.concatenate((col, row[off]))
    order = np.lexsort((k, r))
    r, k = r[order], k[order]
    out["D_rownnz"] = np.bincount(r, minlength=nv)
    out["D_rowadr"] = starts(out["D_rownnz"])
    out["D_colind"] = k
    out["D_diag"] = depth - 1
    # entries of M as one number each, in rising order
    key_m = c.dof["M_row"] * max(nv, 1) + out["M_colind"]
    key_d = np.maximum(r, k) * max(nv, 1) + np.minimum(r, k)
    if nv:
        at = np.minimum(np.searchsorted(key_m, key_d), len(key_m) - 1)
        out["mapM2D"] = np.where(key_m[at] == key_d, at, -1)
        out["mapD2M"] = np.searchsorted(r * nv + k, key_m)
    _body_rows(c, out, nv)
    return out


def _lower(c, out, row, col, step, legacy, nv):
    """M: the lower triangle, simple dofs having only their diagonal."""
    keep = (c.dof["simplenum"][row] == 0) | (step == 0)
    row, col, legacy = row[keep], col[keep], legacy[keep]
    order = np.lexsort((col, row))
    c.dof["M_row"] = row[order]
    out["M_colind"] = col[order]
    out["mapM2M"] = legacy[order]
    out["M_rownnz"] = np.bincount(row, minlength=nv)
    out["M_rowadr"] = starts(out["M_rownnz"])


def _body_rows(c, out, nv):
    """B: for each body the dofs of its subtree and of its ancestors."""
    body = c.body
    n = body.n
    if not nv:
        out["B_rownnz"] = out["B_rowadr"] = np.zeros(n, np.int64)
        out["B_colind"] = np.zeros(0, np.int64)
        return
    up = body.parent.copy()
    up[0] = -1
    below, above, _ = chains(up)
    # dofs of body `below` belong to the subtree of body `above`
    num = body.dofnum[below]
    rows = np.repeat(above, num)
    first = np.repeat(body.dofadr[below], num)
    cols = first + np.arange(len(first)) - np.repeat(starts(num), num)
    # and dofs of strict ancestors `above` belong to the row of `below`
    strict = (below != above) & (above > 0)
    b, a = below[strict], above[strict]
    num = body.dofnum[a]
    more = np.repeat(b, num)
    first = np.repeat(body.dofadr[a], num)
    rows = np.concatenate((rows, more))
    cols = np.concatenate((cols, first + np.arange(len(first)) - np.repeat(starts(num), num)))
    order = np.lexsort((cols, rows))
    out["B_rownnz"] = np.bincount(rows, minlength=n)
    out["B_rowadr"] = starts(out["B_rownnz"])
    out["B_colind"] = cols[order]
