"""Fills the Model's fields from the tables' columns. The table `column_rows` says which column belongs to which field.

reads  actuator: ctrladr ctrlnum history inputs is_actlimited is_forcelimited outadr outnum trnid;
       body: conaffinity contype dofadr dofnum jntnum margin parent rootid sameframe tree treeid weldid; camera: target;
       equality: obj1 obj2 relative; exclude: signature; geom: aabb fitted fluid hfield matid mesh rbound shadowless;
       hfield: shape; joint: dofadr is_actfrclimited is_limited nq plasticnum qposadr; light: target texid; material: texid;
       numeric: length; pair: geom1 geom2 signature; sensor: history objid refid; site: matid;
       tendon: is_actfrclimited is_limited matid plasticnum wrap; tuple: objid
"""

from collections.abc import Iterable
from itertools import accumulate
from typing import Any

import numpy as np

from ...core.model import MjModel
from ...core.struct import fill
from ...machine.shared_work import share
from ...machine.systems import processors
from ...tables.compat_rows import holds
from ..elements.elements import compile_error
from ..language.arrays import true_rows
from ..language.column_rows import FACTORS, KINDS, multiplied, per
from ..language.ours import OUR_COLUMNS
from ..language.types import FREE, SLIDE, TRN_SO3
from .columns import copy
from .name_buffers import pack_names
from .plugins import pack_plugins
from .resolve import Compilation
from .servos import control_limits
from .structure import starts
from .table import Table

# {type of element: [(field of the Model, column), ...]}; for fields without a table row, both names are equal
PLAN = {
    name: tuple(
        dict.fromkeys(
            [(row.field, row.column) for row in kind.rows if row.field and not row.per]
            + [(f"{kind.prefix}_{column}", column) for column in OUR_COLUMNS.get(kind.prefix, ())]
        )
    )
    for name, kind in KINDS.items()
    if kind.size != "-"
}
# LARGE: copies of at least this many bytes are divided among threads. SHARE: number of bytes that a thread copies at a time.
LARGE, SHARE = 1 << 24, 1 << 21
# arrays to be written one after another into a field
Copies = list[tuple[np.ndarray, list[Any]]]
# fields with one value per dof that are computed from columns of joints
ON_DOFS = tuple((row.field, row.column) for row in per("dof"))


def pack(c: Compilation, m: MjModel) -> None:
    """Fill the fields of a Model whose sizes are set."""

    # copy columns that are fields
    out = {}
    for kind, rows in PLAN.items():
        if kind in c.filled and (table := getattr(c, kind)).n:
            out.update(copy(m, table, kind, rows))
            _multiply(out, table, rows)

    # names, user data and the tree
    out.update(pack_names(c))
    out["names"] = np.frombuffer(c.names_buffer, np.uint8)
    out["paths"] = np.frombuffer(c.paths_buffer or b"\0", np.uint8)
    _users(c, out)
    _bodies(c, out)
    out["tree_sleep_policy"] = _sleep(c)
    _joints(c, m, out)

    g = c.geom
    if g.n:
        # Before 4.0, primitives fitted to meshes keep the mesh's id, and viewers show the mesh.
        old = not holds("fitted_free", c.compat_bits)
        out["geom_dataid"] = np.where(g.mesh >= 0, g.mesh, np.where((g.fitted >= 0) & old, g.fitted, g.hfield))

    # references, lists and assets
    _links(c, out)
    _lists(c, out)

    copies: Copies = []
    for group in (c.mesh_pack, c.flex_pack, c.skin_pack):
        out.update(group["fields"])
        copies += [(m.peek(name), parts) for name, parts in group.get("parts", {}).items()]

    pack_plugins(c, out)
    copies += _bvh(c, m, out)
    _copy_all(copies, processors() if c.spec.compiler.raw["usethread"] else 1)
    _pixels(c, m, out)
    fill(m, out)
    _octrees(c, m)


def _multiply(out: dict[str, Any], table: Table, pairs: Iterable[tuple[str, str]], index: np.ndarray | None = None) -> None:
    """Multiply columns by the attributes that scale them. `index`: the element to which each row of the fields belongs."""
    for field, column in pairs if FACTORS else ():
        values = multiplied(table, column)
        if values is not None:
            out[field] = values if index is None else values[index]


def _users(c: Compilation, out: dict[str, Any]) -> None:
    for short, width in c.nuser.items():
        kind = {"jnt": "joint", "cam": "camera"}.get(short) or str(short)
        if width:
            out[short + "_user"] = getattr(c, kind).user(width)


def _bodies(c: Compilation, out: dict[str, Any]) -> None:
    body = c.body
    out["body_dofadr"], out["body_mocapid"] = body.dofadr, -1
    if np.count_nonzero(body.mocap):
        mocap = body.mocap != 0
        out["body_mocapid"] = np.where(mocap, np.cumsum(mocap) - 1, -1)


def _sleep(c: Compilation) -> np.ndarray:
    """Return the sleep policies of trees."""
    body = c.body
    policy = np.zeros(c.ntree, np.int32)
    for i in true_rows(body.sleep):
        tree = int(body.treeid[i])
        if tree < 0 or tree == body.treeid[i - 1]:
            raise compile_error(body.elems[i], "a sleep policy is only allowed for movable root bodies")
        policy[tree] = body.sleep[i]
    return policy


def _joints(c: Compilation, m: MjModel, out: dict[str, Any]) -> None:
    j, dof, body = c.joint, c.dof, c.body
    if not j.n:
        return

    # reference and spring positions: ball and free joints have several numbers
    rest, spring, several = j.ref, j.springref, true_rows(j.type < SLIDE)
    if len(several):
        rest, spring = np.repeat(rest, j.nq), np.repeat(spring, j.nq)
    for i in several:
        a = int(j.qposadr[i])
        if j.type[i] == FREE:
            rest[a : a + 3], rest[a + 3 : a + 7] = body.pos[j.body[i]], body.quat[j.body[i]]
            spring[a : a + 7] = rest[a : a + 7]
        else:
            rest[a : a + 4] = spring[a : a + 4] = (1, 0, 0, 0)

    # copy fields that have one value per dof
    out.update(copy(m, j, "dof", ON_DOFS, dof["jnt"]))
    _multiply(out, j, ON_DOFS, dof["jnt"])
    out.update(
        qpos0=rest,
        qpos_spring=spring,
        dof_bodyid=dof["body"],
        dof_jntid=dof["jnt"],
        dof_parentid=dof["parent"],
        dof_treeid=dof["tree"],
        dof_simplenum=dof["simplenum"],
    )


def _links(c: Compilation, out: dict[str, Any]) -> None:
    """Set addresses of activations, sensor data and tendon paths."""
    if c.actuator.n:
        a = c.actuator
        out["actuator_actadr"] = np.where(a.actdim > 0, starts(a.actdim), -1)
        out["actuator_trntype"], out["actuator_ctrlspec"] = np.where(a.outnum > 1, TRN_SO3, a.trntype), a.inputs
        for row in per("out"):
            out[row.field] = np.repeat(getattr(a, row.column), a.outnum, axis=0)
        out["actuator_ctrllimited"], out["actuator_ctrlrange"] = control_limits(a)
    if c.sensor.n:
        out["sensor_adr"] = starts(c.sensor.dim)
    if c.tendon.n:
        num = np.array([len(w) for w in c.tendon.wrap])
        out["tendon_num"], out["tendon_adr"] = num, starts(num)
        out["wrap_type"], out["wrap_objid"], out["wrap_prm"] = zip(*[r for w in c.tendon.wrap for r in w])


def _lists(c: Compilation, out: dict[str, Any]) -> None:
    """Set sizes, start addresses and concatenated contents of numerics, texts and tuples."""
    if c.numeric.n:
        num = np.array(c.numeric.length, dtype=np.int64)
        out["numeric_size"], out["numeric_adr"] = num, starts(num)
        out["numeric_data"] = [
            x for data, n in zip(c.numeric.data, c.numeric.length) for x in (*data, *(0.0,) * (n - len(data)))
        ]
    if c.text.n:
        texts = [t.encode() + b"\0" for t in c.text.data]
        num = np.array([len(t) for t in texts])
        out["text_size"], out["text_adr"], out["text_data"] = num, starts(num), np.frombuffer(b"".join(texts), np.uint8)
    if c.tuple.n:
        num = np.array([len(t) for t in c.tuple.objid])
        out["tuple_size"], out["tuple_adr"] = num, starts(num)
        for name in ("objtype", "objid", "objprm"):
            out["tuple_" + name] = [x for values in getattr(c.tuple, name) for x in values]


def _bvh(c: Compilation, m: MjModel, out: dict[str, Any]) -> Copies:
    """Set addresses and numbers of nodes of the bounding volume hierarchies; return the arrays to copy, with their targets."""
    at, static, trees = 0, 0, []
    for kind, owners in (("body", c.body.tree), ("mesh", [x.tree for x in c.meshes]), ("flex", [x.tree for x in c.flexes])):
        if kind == "flex":
            # flexes deform, so their boxes are computed in each step
            static = len(trees)
        if not owners:
            continue
        count = [len(t.nodeid) if t is not None else 0 for t in owners]
        out[kind + "_bvhadr"], out[kind + "_bvhnum"] = (
            [at + k if n else -1 for k, n in zip(accumulate(count, initial=0), count)],
            count,
        )
        at += sum(count)
        trees += [t for t, n in zip(owners, count) if n]
    found = (("child", trees), ("nodeid", trees), ("depth", trees), ("aabb", trees[:static]))
    return [(m.peek("bvh_" + name), [getattr(t, name) for t in own]) for name, own in found]


def _octrees(c: Compilation, m: MjModel) -> None:
    at = 0
    for i, x in enumerate(c.meshes):
        m.mesh_octadr[i] = -1
        if x.octree is not None and len(x.octree):
            at = x.octree.pack(m, i, at)


def _pixels(c: Compilation, m: MjModel, out: dict[str, Any]) -> None:
    """Set fields of height fields and textures."""
    if c.hfield.n:
        out["hfield_size"], out["hfield_nrow"], out["hfield_ncol"] = c.hfield.size, *zip(*c.hfield.shape)
        out["hfield_adr"] = _placed(m.peek("hfield_data"), c.hfield_data)
    if c.textures:
        for name in ("type", "colorspace", "height", "width", "nchannel"):
            out["tex_" + name] = [getattr(t, name) for t in c.textures]
        out["tex_adr"] = _placed(m.peek("tex_data"), [t.data for t in c.textures])


def _placed(target: np.ndarray, parts: list[Any]) -> np.ndarray:
    """Write parts one after another into `target`; return the start of each."""
    at = starts(np.array([len(p) for p in parts], np.int64))
    _join(target, parts)
    return at


def _copy_all(copies: Copies, threads: int) -> None:
    """Write arrays one after another into their targets. Several threads share large copies, because the system prepares the
    memory of a new Model page by page when it is first written."""
    copies = [(target, parts) for target, parts in copies if parts]
    if threads < 2 or sum(target.nbytes for target, _ in copies) < LARGE:
        for target, parts in copies:
            _join(target, parts)
        return
    jobs: Copies = []
    for target, parts in copies:
        at = first = size = 0
        for k, part in enumerate(parts):
            size += len(part)
            if size * target[:1].nbytes >= SHARE or k == len(parts) - 1:
                jobs.append((target[at : at + size], parts[first : k + 1]))
                at, first, size = at + size, k + 1, 0
    share(_join, jobs, threads)


def _join(target: np.ndarray, parts: list[Any]) -> None:
    """Write arrays one after another to the beginning of `target`."""
    if len(parts) == 1:
        target[: len(parts[0])] = parts[0]
    else:
        np.concatenate(parts, out=target[: sum(map(len, parts))], casting="unsafe")
