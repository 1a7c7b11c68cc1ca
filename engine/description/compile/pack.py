"""Every Model field from the tables' columns. Rows say which column goes where.

reads  actuator: ctrladr ctrlnum history inputs is_actlimited is_forcelimited outadr outnum trnid; body: conaffinity contype dofadr dofnum jntnum
       margin parent rootid sameframe tree treeid weldid; camera: target; equality: obj1 obj2 relative; exclude: signature; geom: aabb
       fitted fluid hfield matid mesh rbound shadowless; hfield: shape; joint: dofadr is_actfrclimited is_limited nq plasticnum qposadr;
       light: target texid; material: texid; numeric: length; pair: geom1 geom2 signature; sensor: history objid refid; site: matid;
       tendon: is_actfrclimited is_limited matid plasticnum wrap; tuple: objid
"""

from itertools import accumulate

import numpy as np

from ...core.struct import fill
from ...tables.compat_rows import holds
from ..elements.elements import compile_error
from ..language.arrays import true_rows
from ..language.ours import OUR_COLUMNS
from ..language.types import FREE, SLIDE, TRN_SO3
from .columns import copy
from .names import pack_names
from .plugins import pack_plugins
from .servos import control_limits
from .structure import starts

# model prefix: (table, {model suffix: column, where the names differ})
PACK = {
    "body": (
        "body",
        "parentid=parent rootid weldid treeid dofnum jntnum pos quat ipos iquat mass inertia gravcomp margin contype "
        "conaffinity simple sameframe",
    ),
    "jnt": (
        "joint",
        "type qposadr dofadr bodyid=body group limited=is_limited actfrclimited=is_actfrclimited actgravcomp "
        "solref=solref_limit solimp=solimp_limit pos axis stiffness range actfrcrange margin",
    ),
    "geom": (
        "geom",
        "type contype conaffinity condim bodyid=body matid group priority solmix solref solimp size aabb rbound pos "
        "quat friction margin gap fluid rgba",
    ),
    "site": ("site", "type bodyid=body matid group size pos quat rgba"),
    "cam": (
        "camera",
        "mode bodyid=body targetbodyid=target pos quat orthographic fovy ipd resolution sensorsize=sensor_size intrinsic",
    ),
    "light": (
        "light",
        "mode bodyid=body targetbodyid=target type texid castshadow bulbradius intensity range active pos dir "
        "attenuation cutoff exponent ambient diffuse specular",
    ),
    "mat": ("material", "texid texuniform texrepeat emission specular shininess reflectance metallic roughness rgba"),
    "pair": ("pair", "dim=condim geom1 geom2 signature solref solreffriction solimp margin gap friction"),
    "exclude": ("exclude", "signature"),
    "eq": ("equality", "type obj1id=obj1 obj2id=obj2 objtype active0=active solref solimp data"),
    "tendon": (
        "tendon",
        "matid group limited=is_limited actfrclimited=is_actfrclimited width solref_lim=solref_limit "
        "solimp_lim=solimp_limit solref_fri=solref_friction solimp_fri=solimp_friction range actfrcrange margin "
        "stiffness damping armature frictionloss lengthspring=springlength rgba",
    ),
    "actuator": (
        "actuator",
        "trntype dyntype gaintype biastype trnid actnum=actdim group forcelimited=is_forcelimited "
        "actlimited=is_actlimited dynprm gainprm biasprm actearly forcerange actrange cranklength",
    ),
    "sensor": ("sensor", "type datatype needstage objtype objid reftype refid intprm dim cutoff noise"),
}


# kind: (field of Model, column) of each row
PLAN = {
    kind: tuple(
        (f"{prefix}_{suffix}", source or suffix)
        for suffix, _, source in (column.partition("=") for column in (*columns.split(), *OUR_COLUMNS.get(prefix, ())))
    )
    for prefix, (kind, columns) in PACK.items()
}


def pack(c, m) -> None:
    """Fill a Model of the right sizes."""
    out = {}
    for kind, rows in PLAN.items():
        if kind in c.filled and (table := getattr(c, kind)).n:
            out.update(copy(m, table, kind, rows))
    out.update(pack_names(c))
    out["names"] = np.frombuffer(c.names_buffer, np.uint8)
    out["paths"] = np.frombuffer(c.paths_buffer or b"\0", np.uint8)
    _users(c, out)
    _bodies(c, out)
    out["tree_sleep_policy"] = _sleep(c)
    _joints(c, m, out)
    g = c.geom
    if g.n:
        # primitives that were fitted to meshes show them before 4.0
        old = not holds("fitted_free", c.compat_bits)
        out["geom_dataid"] = np.where(g.mesh >= 0, g.mesh, np.where((g.fitted >= 0) & old, g.fitted, g.hfield))
    _links(c, out)
    _lists(c, out)
    for group in (c.mesh_pack, c.flex_pack, c.skin_pack):
        out.update(group["fields"])
        for name, parts in group.get("parts", {}).items():
            _placed(m.peek(name), parts)
    pack_plugins(c, out)
    _bvh(c, m, out)
    _pixels(c, m, out)
    fill(m, out)
    _octrees(c, m)


def _users(c, out):
    for short, width in c.nuser.items():
        kind = {"jnt": "joint", "cam": "camera"}.get(short) or str(short)
        if width:
            out[short + "_user"] = getattr(c, kind).user(width)


def _bodies(c, out):
    body = c.body
    out["body_dofadr"], out["body_mocapid"] = body.dofadr, -1
    if np.count_nonzero(body.mocap):
        mocap = body.mocap != 0
        out["body_mocapid"] = np.where(mocap, np.cumsum(mocap) - 1, -1)


def _sleep(c):
    """Sleep policies of trees."""
    body = c.body
    policy = np.zeros(c.ntree, np.int32)
    for i in true_rows(body.sleep):
        tree = int(body.treeid[i])
        if tree < 0 or tree == body.treeid[i - 1]:
            raise compile_error(body.elems[i], "a sleep policy is only allowed for movable root bodies")
        policy[tree] = body.sleep[i]
    return policy


# fields of dofs that are columns of their joints
ON_DOFS = (
    ("dof_solref", "solref_friction"),
    ("dof_solimp", "solimp_friction"),
    ("dof_frictionloss", "frictionloss"),
    ("dof_armature", "armature"),
    ("dof_damping", "damping"),
    ("dof_dampingpoly", "dampingpoly"),
)


def _joints(c, m, out):
    j, dof, body = c.joint, c.dof, c.body
    if not j.n:
        return
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
    out.update(copy(m, j, "dof", ON_DOFS, dof["jnt"]))
    out.update(
        qpos0=rest,
        qpos_spring=spring,
        dof_bodyid=dof["body"],
        dof_jntid=dof["jnt"],
        dof_parentid=dof["parent"],
        dof_treeid=dof["tree"],
        dof_simplenum=dof["simplenum"],
    )


def _links(c, out):
    """Addresses of activations, sensor data and tendon paths."""
    if c.actuator.n:
        a = c.actuator
        out["actuator_actadr"] = np.where(a.actdim > 0, starts(a.actdim), -1)
        out["actuator_trntype"], out["actuator_ctrlspec"] = np.where(a.outnum > 1, TRN_SO3, a.trntype), a.inputs
        for name in ("gear", "lengthrange"):
            out["actuator_" + name] = np.repeat(getattr(a, name), a.outnum, axis=0)
        out["actuator_ctrllimited"], out["actuator_ctrlrange"] = control_limits(a)
    if c.sensor.n:
        out["sensor_adr"] = starts(c.sensor.dim)
    if c.tendon.n:
        num = np.array([len(w) for w in c.tendon.wrap])
        out["tendon_num"], out["tendon_adr"] = num, starts(num)
        out["wrap_type"], out["wrap_objid"], out["wrap_prm"] = zip(*[r for w in c.tendon.wrap for r in w])


def _lists(c, out):
    """Numerics, texts and tuples: sizes, addresses, contents one after the other."""
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


def _bvh(c, m, out):
    """Volume hierarchies, one after the other."""
    at, static, trees = 0, 0, []
    for kind, owners in (("body", c.body.tree), ("mesh", [x.tree for x in c.meshes]), ("flex", [x.tree for x in c.flexes])):
        if kind == "flex":
            # boxes of what deforms are computed in each step
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
    for name, found in (("child", trees), ("nodeid", trees), ("depth", trees), ("aabb", trees[:static])):
        if found:
            target, parts = m.peek("bvh_" + name), [getattr(t, name) for t in found]
            np.concatenate(parts, out=target[: sum(map(len, parts))], casting="unsafe")


def _octrees(c, m):
    at = 0
    for i, x in enumerate(c.meshes):
        m.mesh_octadr[i] = -1
        if x.octree is not None and len(x.octree):
            at = x.octree.pack(m, i, at)


def _pixels(c, m, out):
    """Height fields and textures."""
    if c.hfield.n:
        out["hfield_size"], out["hfield_nrow"], out["hfield_ncol"] = c.hfield.size, *zip(*c.hfield.shape)
        out["hfield_adr"] = _placed(m.peek("hfield_data"), c.hfield_data)
    if c.textures:
        for name in ("type", "colorspace", "height", "width", "nchannel"):
            out["tex_" + name] = [getattr(t, name) for t in c.textures]
        out["tex_adr"] = _placed(m.peek("tex_data"), [t.data for t in c.textures])


def _placed(target, parts):
    """Put parts one after the other; returns where each begins."""
    at = starts(np.array([len(p) for p in parts], np.int64))
    for a, part in zip(at.tolist(), parts, strict=True):
        target[a : a + len(part)] = part
    return at
