"""Fusing bodies without joints into their parents, and dropping what is only looked at; both as the compiler's options ask."""

import numpy as np

from ..elements.elements import compile_error
from ..language import orient
from ..language.arrays import global_inertia, offset_inertia, principal
from .bvh import body_tree, body_trees
from .inertia import MINVAL, collect
from .resolve import body_data

BODY, XBODY, SITE = 1, 2, 6
FORCE, TORQUE = 4, 5


def referenced_bodies(c):
    """Names of bodies that something refers to."""
    names = set()
    for table in (c.camera, c.light):
        names.update(table.targetbody)
    for i in range(c.exclude.n):
        names.update((c.exclude.bodyname1[i], c.exclude.bodyname2[i]))
    for e in c.equality.elems:
        if e.raw["objtype"] == BODY:
            names.update((e.raw["name1"], e.raw["name2"]))
    names.update(e.raw["target"] for e in c.actuator.elems if e.raw["trntype"] == 5)
    for e in c.sensor.elems:
        for kind, name in (("objtype", "objname"), ("reftype", "refname")):
            if e.raw[kind] in (BODY, XBODY):
                names.add(e.raw[name])
    for e in c.tuple.elems:
        names.update(n for k, n in zip(e.raw["objtype"], e.raw["objname"]) if k in (BODY, XBODY))
    for e in (*c.skin.elems, *c.flex.elems):
        for field in ("bodyname", "vertbody", "nodebody"):
            names.update(e.raw.get(field, ()))
    names.discard("")
    return names


def _with_force_sensor(c):
    """Bodies whose sites carry force or torque sensors."""
    sites = {e.raw["objname"] for e in c.sensor.elems if e.raw["type"] in (FORCE, TORQUE) and e.raw["objtype"] == SITE}
    return {int(c.site.body[c.ids["site"][n]]) for n in sites if n in c.ids["site"]}


class _Tree:
    """The tree as lists while bodies vanish."""

    def __init__(self, c):
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

    def remove(self, b):
        """Children and elements of b go to its parent, children in its place, elements at the end."""
        p = self.parent[b]
        at = self.children[p].index(b)
        self.children[p][at:at + 1] = self.children[b]
        for child in self.children[b]:
            self.parent[child] = p
        for lists in self.items.values():
            lists[p] += lists[b]
            lists[b] = []
        self.regrow(p, b)

    def regrow(self, p, b):
        """The volume hierarchy of p once more. The reference leaves two traces of the earlier ones: nodes inside keep the id of a geom
        that stood in their place, and where two are merged into one the number of nodes is one too high."""
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

    def order(self):
        """Bodies that are left, depth first."""
        found, todo = [], [0]
        while todo:
            b = todo.pop()
            found.append(b)
            todo += self.children[b][::-1]
        return found


def fuse(c):
    """Merge static bodies that nothing refers to into their parents."""
    body = c.body
    kept = referenced_bodies(c)
    sensed = _with_force_sensor(c)
    tree = _Tree(c)
    gone = False
    for b in range(1, body.n):
        e = body.elems[b]
        if body.jntnum[b] or body.mocap[b] or (e.name and (e.name in kept or b in sensed)):
            continue
        p = tree.parent[b]
        if p and body.mass[b] >= MINVAL:
            _add_inertia(body, p, b)
        pos, quat = tuple(body.pos[b]), tuple(body.quat[b])
        for child in tree.children[b]:
            body.pos[child], body.quat[child] = orient.compose(pos, quat, body.pos[child], body.quat[child])
        for kind, lists in tree.items.items():
            _move(getattr(c, kind), lists[b], pos, quat, kind == "light")
        tree.remove(b)
        gone = True
    if gone:
        _rebuild(c, tree)


def _move(table, rows, pos, quat, light):
    for i in rows:
        if light:
            table.pos[i] = np.add(pos, orient.rotate_by(table.pos[i], quat))
            table.dir[i] = orient.rotate_by(table.dir[i], quat)
        else:
            table.pos[i], table.quat[i] = orient.compose(pos, quat, table.pos[i], table.quat[i])


def _add_inertia(body, p, b):
    """Mass and inertia of b, as seen from p, are added to p's."""
    # the reference applies the two poses in this order, and turns the inertia by the inertial frame alone
    ipos, _ = orient.compose(tuple(body.ipos[b]), tuple(body.iquat[b]), tuple(body.pos[b]), tuple(body.quat[b]))
    mass = np.array([body.mass[p], body.mass[b]])
    center = np.array([body.ipos[p], ipos])
    total = mass.sum()
    if total < MINVAL:
        body.mass[p], body.inertia[p], body.ipos[p], body.iquat[p] = 0, 0, 0, orient.UNIT
        return
    com = (mass[:, None] * center).sum(0) / total
    full = global_inertia(body.inertia[[p, b]], body.iquat[[p, b]]) + offset_inertia(mass, center - com)
    moments, quat = principal(full.sum(0)[None])
    if moments[0, 2] < 1e-14:
        raise compile_error(body.elems[b], "the inertia after fusing is not positive definite")
    body.mass[p], body.ipos[p], body.inertia[p], body.iquat[p] = total, com, moments[0], quat[0]


def take_rows(table, rows, renumber=None):
    """Keep some rows of a table, in a new order; its columns and elements follow."""
    for name, value in list(table.__dict__.items()):
        if isinstance(value, np.ndarray) and len(value) == table.n:
            setattr(table, name, value[rows])
        elif isinstance(value, list) and len(value) == table.n:
            setattr(table, name, [value[i] for i in rows])
    table.n = len(rows)
    if renumber is not None:
        table.body = renumber[table.body]


def _rebuild(c, tree):
    """Ids after fusing: bodies that are left in order, what is on them in theirs."""
    left = tree.order()
    number = np.full(c.body.n, -1)
    number[left] = np.arange(len(left))
    owner = {kind: np.zeros(getattr(c, kind).n, np.int64) for kind in tree.items}
    for kind, lists in tree.items.items():
        rows = [i for b in left for i in lists[b]]
        for b in left:
            owner[kind][lists[b]] = b
        table = getattr(c, kind)
        table.body = owner[kind]
        take_rows(table, rows, number)
        c.ids[kind] = table.ids()
    parent = np.array([tree.parent[b] for b in left])
    take_rows(c.body, left)
    c.body.parent = np.where(np.arange(len(left)) > 0, number[parent], 0)
    c.joint.body = number[c.joint.body]
    order = np.argsort(c.joint.body, kind="stable")
    take_rows(c.joint, order.tolist())
    c.ids["joint"] = c.joint.ids()
    c.ids["body"] = c.body.ids()
    body_data(c)
    collect(c)
    body_trees(c)
    c.surplus_nodes = tree.surplus
    rows = [i for b in left for i in tree.items["geom"][b]]
    number = dict(zip(rows, range(len(rows))))
    for volumes, b in zip(c.body.tree, left):
        if volumes is not None:
            volumes.nodeid = [number.get(i, -1) for i in tree.leaves[b][:len(volumes.nodeid)]]
    from .frames import cameras_targets
    cameras_targets(c)


def discard_visual(c):
    """Drop geoms that cannot collide and that nothing refers to, and meshes that only they use."""
    g = c.geom
    used = g.mesh[(g.mesh >= 0) & ~g.visual]
    c.mesh.visual = np.ones(c.mesh.n, bool) if not hasattr(c.mesh, "visual") else c.mesh.visual
    c.mesh.visual[used] = False
    if not g.visual.any() and not c.mesh.visual.any():
        return
    rows = np.flatnonzero(~g.visual).tolist()
    number = np.full(g.n, -1)
    number[rows] = np.arange(len(rows))
    take_rows(g, rows)
    c.ids["geom"] = g.ids()
    c.pair.geom1, c.pair.geom2 = number[c.pair.geom1], number[c.pair.geom2]
    for kind, ids in ((c.sensor.objtype, c.sensor.objid), (c.sensor.reftype, c.sensor.refid)):
        at = np.flatnonzero(kind == 5)
        ids[at] = number[ids[at]]
    c.tendon.wrap = [[(k, int(number[o]) if k in (4, 5) else o, p) for k, o, p in w] for w in c.tendon.wrap]
    c.tuple.objid = [[int(number[o]) if k == 5 else o for k, o in zip(types, ids)] for types, ids in zip(c.tuple.objtype, c.tuple.objid)]
    for tree in c.body.tree:
        if tree is not None:
            tree.nodeid = [int(number[i]) if i >= 0 else -1 for i in tree.nodeid]
    _discard_meshes(c)


def _discard_meshes(c):
    from .mesh import pack_meshes
    rows = np.flatnonzero(~c.mesh.visual).tolist()
    number = np.full(c.mesh.n + 1, -1)
    number[rows] = np.arange(len(rows))
    c.geom.mesh, c.geom.fitted = number[c.geom.mesh], number[c.geom.fitted]
    at = np.flatnonzero(c.sensor.objtype == 10)
    c.sensor.objid[at] = number[c.sensor.objid[at]]
    take_rows(c.mesh, rows)
    c.ids["mesh"] = c.mesh.ids()
    c.meshes = [c.meshes[i] for i in rows]
    if c.meshes:
        c.mesh_pack = pack_meshes(c)
    else:
        c.mesh_pack = {"sizes": {}, "fields": {}}
