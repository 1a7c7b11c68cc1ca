"""Bounding volume hierarchies of bodies over their geoms.

adds   body: tree
reads  geom: aabb
"""

from typing import Any, Self

import numpy as np

from ...geom.mesh_kernels import leaf_tree
from ..language.arrays import rotate
from ..language.orient import EPS

_CORNERS = np.array([[(v >> k) & 1 for k in range(3)] for v in range(8)], bool)


def corner_bounds(low, high, quat=None, shift=None, back=None) -> tuple[Any, Any]:
    """(min, max) rows of boxes after turning, shifting and turning back into another frame."""
    lo, hi = np.inf, -np.inf
    for corner in _CORNERS:
        v = np.where(corner, high, low)
        if quat is not None:
            v = rotate(back, rotate(quat, v) + shift)
        lo, hi = np.minimum(lo, v), np.maximum(hi, v)
    return lo, hi


class Tree:
    """Nodes in depth-first order: boxes (center, half size), children, leaf ids (-1 inside), depths. For one or two leaves."""

    __slots__ = ("aabb", "child", "nodeid", "depth")

    def __init__(self):
        self.aabb, self.child, self.nodeid, self.depth = [], [], [], []

    def grow(self, low, high, center, ids) -> Self:
        """Build over leaves given as lists of three numbers each; splits at the median along the longest axis."""
        # (leaf numbers, depth, parent node, which child)
        todo = [(list(range(len(ids))), 0, -1, 0)]
        while todo:
            leaves, depth, parent, side = todo.pop()
            lo = [min([low[i][k] for i in leaves]) for k in range(3)]
            hi = [max([high[i][k] for i in leaves]) for k in range(3)]
            for k in range(3):
                if abs(lo[k] - hi[k]) < EPS:
                    lo[k] -= EPS
                    hi[k] += EPS
            index = len(self.nodeid)
            if parent >= 0:
                self.child[parent][side] = index
            self.aabb.append([(h + l) / 2 for h, l in zip(hi, lo)] + [(h - l) / 2 for h, l in zip(hi, lo)])
            self.child.append([-1, -1])
            self.depth.append(depth)
            self.nodeid.append(ids[leaves[0]] if len(leaves) == 1 else -1)
            if len(leaves) == 1:
                continue
            edge = [h - l for h, l in zip(hi, lo)]
            axis = 1 if edge[1] >= edge[0] + EPS else 0
            axis = 2 if edge[2] >= edge[axis] + EPS else axis
            if center[leaves[0]][axis] - center[leaves[1]][axis] > EPS:
                leaves.reverse()
            m = len(leaves) // 2
            todo.append((leaves[m:], depth + 1, index, 1))
            todo.append((leaves[:m], depth + 1, index, 0))
        return self


class Nodes:
    """A volume hierarchy as arrays: boxes (center, half size), children, leaf ids (-1 inside), depths."""

    __slots__ = ("aabb", "child", "nodeid", "depth")


def grow_tree(low, high, center) -> Nodes:
    """A hierarchy over boxes, given as arrays of minima, maxima and centers, shape (n, 3) each."""
    n = len(low)
    low, high, center = (np.ascontiguousarray(x, np.float64) for x in (low, high, center))
    order, stack = np.zeros(n, np.int64), np.zeros(5 * (2 * n + 4), np.int64)
    aabb, child, info = np.zeros((2 * n, 6)), np.zeros((2 * n, 2), np.int32), np.zeros((2 * n, 2), np.int32)
    count = leaf_tree(low.ctypes.data, high.ctypes.data, center.ctypes.data, n, order.ctypes.data, stack.ctypes.data,
                      aabb.ctypes.data, child.ctypes.data, info.ctypes.data)
    t = Nodes()
    t.aabb, t.child, t.nodeid, t.depth = aabb[:count], child[:count], info[:count, 0], info[:count, 1]
    return t


def _boxes(c, rows, b):
    """(min, max, center) of geoms in the inertial frames of bodies b, one for each geom."""
    g, body = c.geom, c.body
    low, high = g.aabb[rows, :3] - g.aabb[rows, 3:], g.aabb[rows, :3] + g.aabb[rows, 3:]
    back = body.iquat[b] * (1, -1, -1, -1)
    shift = g.pos[rows] - body.ipos[b]
    low, high = corner_bounds(low, high, g.quat[rows], shift, back)
    return low, high, rotate(back, shift)


def _grow(low, high, center, ids):
    """A tree over boxes with these ids."""
    if len(ids) < 3:
        return Tree().grow(low.tolist(), high.tolist(), center.tolist(), ids)
    tree = grow_tree(low, high, center)
    tree.nodeid = [ids[i] if i >= 0 else -1 for i in tree.nodeid.tolist()]
    return tree


def _active(c):
    return (c.geom.contype != 0) | (c.geom.conaffinity != 0)


def body_tree(c, b, rows) -> Tree | Nodes | None:
    """The tree of body b over those of some geoms that can collide; None if none can."""
    rows = np.array(rows, np.int64)
    rows = rows[_active(c)[rows]]
    return _grow(*_boxes(c, rows, np.full(len(rows), b)), rows.tolist()) if len(rows) else None


def body_trees(c) -> None:
    """A tree for each body over its geoms that can collide."""
    c.body.tree = [None] * c.body.n
    active = np.flatnonzero(_active(c))
    if not len(active):
        return
    b = c.geom.body[active]
    low, high, center = _boxes(c, active, b)
    ids = active.tolist()
    bounds = np.flatnonzero(np.diff(b, prepend=-1)).tolist() + [len(b)]
    for start, end in zip(bounds, bounds[1:]):
        c.body.tree[b[start]] = _grow(low[start:end], high[start:end], center[start:end], ids[start:end])
