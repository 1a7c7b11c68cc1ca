"""Bounding volume hierarchies of bodies over their geoms.

adds   body: tree
reads  geom: aabb visual
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...geom.mesh_kernels import leaf_trees
from ...geom.turned_boxes import OUT, turned_boxes
from ..language.arrays import true_rows
from .resolve import Compilation


class Nodes:
    """A bounding volume hierarchy as arrays in depth-first order: boxes (center, half size), children, ids of leaves (-1 for
    inner nodes), depths."""

    __slots__ = ("aabb", "child", "nodeid", "depth")

    def __init__(self, aabb: np.ndarray, child: np.ndarray, nodeid: Any, depth: np.ndarray) -> None:
        self.aabb, self.child, self.nodeid, self.depth = aabb, child, nodeid, depth


def grow_trees(boxes: np.ndarray, counts: Sequence[int]) -> list[Nodes]:
    """Return one hierarchy for each entry of `counts`. `boxes` (n, 9): minima, maxima and centers; hierarchy k covers the next
    counts[k] rows."""
    n, most, numbers = len(boxes), max(counts), np.array(counts, np.int64)
    order, stack = np.zeros(most, np.int64), np.zeros(5 * (2 * most + 4), np.int64)
    aabb, child, info = np.zeros((2 * n, 6)), np.zeros((2 * n, 2), np.int32), np.zeros((2 * n, 2), np.int32)
    leaf_trees(boxes, numbers, len(counts), order, stack, aabb, child, info)
    trees, at = [], 0
    for count in counts:
        rows = slice(at, at + 2 * count - 1)
        trees.append(Nodes(aabb[rows], child[rows], info[rows, 0], info[rows, 1]))
        at = rows.stop
    return trees


def grow_tree(low: np.ndarray, high: np.ndarray, center: np.ndarray) -> Nodes:
    """Return one hierarchy over boxes given as arrays (n, 3) of minima, maxima and centers."""
    return grow_trees(np.concatenate((low, high, center), 1, dtype=float), (len(low),))[0]


def _boxes(c: Compilation, rows: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return minima, maxima and centers (n, 9) of geoms in the inertial frames of their bodies; `b` lists the body of each
    geom."""
    g, body = c.geom, c.body
    given, out = (
        np.concatenate((g.aabb[rows], g.pos[rows], g.quat[rows], body.ipos[b], body.iquat[b]), 1),
        np.empty((len(rows), OUT)),
    )
    turned_boxes(given, len(rows), out)
    return out


def _active(c: Compilation) -> np.ndarray:
    return (c.geom.contype != 0) | (c.geom.conaffinity != 0)


def _grow(c: Compilation, rows: np.ndarray, bodies: np.ndarray, counts: Sequence[int]) -> list[Nodes]:
    """Return one tree for each entry of `counts`, over the next geoms in `rows`. The leaves are geom ids."""
    trees = grow_trees(_boxes(c, rows, bodies), counts)
    at = 0
    for tree, count in zip(trees, counts):
        ids = [*rows[at : at + count].tolist(), -1]
        tree.nodeid = [ids[i] for i in tree.nodeid.tolist()]
        at += count
    return trees


def body_tree(c: Compilation, b: int, rows: Any) -> Nodes | None:
    """Return the tree of body b over the geoms in `rows` that can collide; None if none of them can."""
    rows = np.array(rows, np.int64)
    rows = rows[_active(c)[rows]]
    return _grow(c, rows, np.full(len(rows), b), (len(rows),))[0] if len(rows) else None


def body_trees(c: Compilation) -> None:
    """Add a tree for each body over its geoms that can collide."""
    c.body.tree = [None] * c.body.n
    # skip visual geoms: they have no contact bits and are in no contact pair
    rows = true_rows(~c.geom.visual)
    if not len(rows):
        return
    owners = c.geom.body[rows]
    counts = {}
    for b in owners.tolist():
        counts[b] = counts.get(b, 0) + 1
    for b, tree in zip(counts, _grow(c, rows, owners, tuple(counts.values()))):
        c.body.tree[b] = tree
