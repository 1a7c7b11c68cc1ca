"""Merges bodies without joints into their parents (compiler option `fusestatic`).

adds   body: parent
reads  body: jntnum tree
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...geom.principal import principal
from ...tables.compat_rows import holds
from ...tables.enums import mjtSensor
from ..elements.elements import compile_error
from ..language import orient
from ..language.arrays import global_inertia, offset_inertia
from ..language.types import OBJ_BODY, OBJ_SITE, OBJ_XBODY, TRN_BODY
from .bvh import body_tree, body_trees
from .frames import cameras_targets
from .inertia import MINVAL, axes_rule, collect
from .resolve import Compilation
from .structure import topology
from .table import Table

FORCE, TORQUE = int(mjtSensor.mjSENS_FORCE), int(mjtSensor.mjSENS_TORQUE)


def referenced_bodies(c: Compilation) -> set[Any]:
    """Return the names of bodies that other elements refer to."""
    names = set()
    for table in (c.camera, c.light):
        names.update(table.targetbody)
    for i in range(c.exclude.n):
        names.update((c.exclude.bodyname1[i], c.exclude.bodyname2[i]))
    for e in c.equality.elems:
        if e.raw["objtype"] == OBJ_BODY:
            names.update((e.raw["name1"], e.raw["name2"]))
    names.update(e.raw["target"] for e in c.actuator.elems if e.raw["trntype"] == TRN_BODY)
    for e in c.sensor.elems:
        for kind, name in (("objtype", "objname"), ("reftype", "refname")):
            if e.raw[kind] in (OBJ_BODY, OBJ_XBODY):
                names.add(e.raw[name])
    for e in c.tuple.elems:
        names.update(n for k, n in zip(e.raw["objtype"], e.raw["objname"]) if k in (OBJ_BODY, OBJ_XBODY))
    for e in (*c.skin.elems, *c.flex.elems):
        for field in ("bodyname", "vertbody", "nodebody"):
            names.update(e.raw.get(field, ()))
    names.discard("")
    return names


def _with_force_sensor(c: Compilation) -> set[Any]:
    """Return the bodies whose sites have force or torque sensors."""
    sites = {e.raw["objname"] for e in c.sensor.elems if e.raw["type"] in (FORCE, TORQUE) and e.raw["objtype"] == OBJ_SITE}
    return {int(c.site.body[c.ids["site"][n]]) for n in sites if n in c.ids["site"]}


def kept_bodies(c: Compilation) -> set[int]:
    """Return the bodies that are not merged: bodies that have joints, are mocap bodies, or are referred to."""
    named, sensed, body = referenced_bodies(c), _with_force_sensor(c), c.body
    return {
        b for b, e in enumerate(body.elems) if body.jntnum[b] or body.mocap[b] or e.name and (e.name in named or b in sensed)
    }


class _Tree:
    """The kinematic tree as lists, from which bodies are removed."""

    def __init__(self, c: Compilation) -> None:
        n = c.body.n
        self.children = [[] for _ in range(n)]
        for b in range(1, n):
            self.children[c.body.parent[b]].append(b)
        self.parent = c.body.parent.tolist()
        self.items = {}
        for kind in ("geom", "site", "camera", "light"):
            lists = [[] for _ in range(n)]
            for i, b in enumerate(getattr(c, kind).body.tolist()):
                lists[b].append(i)
            self.items[kind] = lists
        self.c, self.surplus = c, 0
        self.volumes = list(c.body.tree)
        self.leaves = [list(t.nodeid) if t is not None else [] for t in self.volumes]

    def remove(self, b: int) -> None:
        """Remove body b: its children take its place in the parent, and its elements are appended to the parent's."""
        p = self.parent[b]
        at = self.children[p].index(b)
        self.children[p][at : at + 1] = self.children[b]
        for child in self.children[b]:
            self.parent[child] = p
        for lists in self.items.values():
            lists[p] += lists[b]
            lists[b] = []
        self.regrow(p, b)

    def regrow(self, p: int, b: int) -> None:
        """Rebuild the bounding volume hierarchy of body p after body b was merged into it.

        MuJoCo leaves two traces of earlier trees, which are reproduced: inner nodes keep the id of a geom that was at
        their index before, and each merge of two trees makes the node count one too high.
        """
        lost = self.volumes[p] is not None and self.volumes[b] is not None
        self.surplus += lost
        if self.items["geom"][p]:
            tree = self.volumes[p] = body_tree(self.c, p, self.items["geom"][p])
            ids = self.leaves[p]
            nodes = tree.nodeid if tree is not None else []
            ids += [-1] * (len(nodes) - len(ids))
            for i, geom in enumerate(nodes):
                if geom >= 0:
                    ids[i] = geom

    def order(self) -> list[int]:
        """Return the remaining bodies in depth-first order."""
        found, todo = [], [0]
        while todo:
            b = todo.pop()
            found.append(b)
            todo += self.children[b][::-1]
        return found


def fuse(c: Compilation) -> None:
    """Merge static bodies that nothing refers to into their parents."""
    body = c.body
    kept = referenced_bodies(c)
    sensed = _with_force_sensor(c)
    tree = _Tree(c)
    exact = holds("fuse_exact", c.compat_bits)
    last = -1 if exact else max((i for i, e in enumerate(body.elems) if e.name and e.name in kept), default=-1)
    removed = 0

    for b in range(1, body.n):
        e = body.elems[b]
        # MuJoCo looks up the last referenced body by its old id. While that id is not below the number of remaining bodies,
        # MuJoCo keeps all named bodies before it.
        lost = b < last >= body.n - removed
        if body.jntnum[b] or body.mocap[b] or (e.name and (e.name in kept or b in sensed or lost)):
            continue

        p = tree.parent[b]
        if p and body.mass[b] >= MINVAL:
            _add_inertia(body, p, b, exact, axes_rule(c))
        pos, quat = tuple(body.pos[b]), tuple(body.quat[b])
        for child in tree.children[b]:
            body.pos[child], body.quat[child] = orient.compose(pos, quat, body.pos[child], body.quat[child])
        for kind, lists in tree.items.items():
            _move(getattr(c, kind), lists[b], pos, quat, kind == "light")
        tree.remove(b)
        removed += 1
    if removed:
        _rebuild(c, tree)


def _move(table: Table, rows: list[int], pos: Sequence[float], quat: Sequence[float], light: bool) -> None:
    for i in rows:
        if light:
            table.pos[i] = np.add(pos, orient.rotate_by(table.pos[i], quat))
            table.dir[i] = orient.rotate_by(table.dir[i], quat)
        else:
            table.pos[i], table.quat[i] = orient.compose(pos, quat, table.pos[i], table.quat[i])


def _add_inertia(body: Table, p: int, b: int, exact: bool, rule: int) -> None:
    """Add the mass and inertia of body b, expressed in the frame of body p, to body p."""
    inner, outer = (tuple(body.ipos[b]), tuple(body.iquat[b])), (tuple(body.pos[b]), tuple(body.quat[b]))
    if exact:
        ipos, iquat = orient.compose(*outer, *inner)
    else:
        # MuJoCo 3.4 composes the two poses in this order, and rotates the inertia by the orientation of the inertial frame only
        ipos, iquat = orient.compose(*inner, *outer)[0], inner[1]
    mass = np.array([body.mass[p], body.mass[b]])
    center = np.array([body.ipos[p], ipos])
    total = mass.sum()
    if total < MINVAL:
        body.mass[p], body.inertia[p], body.ipos[p], body.iquat[p] = 0, 0, 0, orient.UNIT
        return
    com = (mass[:, None] * center).sum(0) / total
    full = global_inertia(body.inertia[[p, b]], np.array([body.iquat[p], iquat])) + offset_inertia(mass, center - com)
    moments, quat = principal(full.sum(0)[None], rule)
    if moments[0, 2] < 1e-14:
        raise compile_error(body.elems[b], "the inertia after fusing is not positive definite")
    body.mass[p], body.ipos[p], body.inertia[p], body.iquat[p] = total, com, moments[0], quat[0]


def _rebuild(c: Compilation, tree: _Tree) -> None:
    """Renumber after merging: the remaining bodies in order, and their elements."""

    left = tree.order()
    number = np.full(c.body.n, -1)
    number[left] = np.arange(len(left))

    # regroup elements by the remaining bodies
    for kind, lists in tree.items.items():
        table = getattr(c, kind)
        if not table.n:
            continue
        owner = np.zeros(table.n, np.int64)
        for b in left:
            owner[lists[b]] = b
        table.body = owner
        table.take([i for b in left for i in lists[b]], number)
        c.ids[kind] = table.ids()

    # renumber bodies and joints
    parent = np.array([tree.parent[b] for b in left])
    c.body.take(left)
    c.body.parent = np.where(np.arange(len(left)) > 0, number[parent], 0)
    c.joint.body = number[c.joint.body]
    order = np.argsort(c.joint.body, kind="stable")
    c.joint.take(order.tolist())
    c.ids["joint"] = c.joint.ids()
    c.ids["body"] = c.body.ids()

    # update derived columns and bounding volume hierarchies
    topology(c)
    collect(c)
    body_trees(c)
    c.surplus_nodes = tree.surplus
    rows = [i for b in left for i in tree.items["geom"][b]]
    number = dict(zip(rows, range(len(rows))))
    for volumes, b in zip(c.body.tree, left):
        if volumes is not None:
            volumes.nodeid = [number.get(i, -1) for i in tree.leaves[b][: len(volumes.nodeid)]]
    cameras_targets(c)
