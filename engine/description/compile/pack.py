"""Last stage: sizes, then every Model field from the tables' columns. Rows say which column goes where."""

import numpy as np

from ..language.kinds import KINDS
from .sparse import dof_tree, matrices, simple

# model prefix: (table, {model suffix: column, where the names differ})
PACK = {
    "body": ("body", "parentid=parent rootid weldid treeid dofnum jntnum pos quat ipos iquat mass inertia gravcomp margin contype "
                     "conaffinity simple sameframe"),
    "jnt": ("joint", "type qposadr dofadr bodyid=body group limited=is_limited actfrclimited=is_actfrclimited actgravcomp "
                     "solref=solref_limit solimp=solimp_limit pos axis stiffness range actfrcrange margin"),
    "geom": ("geom", "type contype conaffinity condim bodyid=body matid group priority solmix solref solimp size aabb rbound pos "
                     "quat friction margin gap fluid rgba sameframe"),
    "site": ("site", "type bodyid=body matid group size pos quat rgba sameframe"),
    "cam": ("camera", "mode bodyid=body targetbodyid=target pos quat orthographic fovy ipd resolution sensorsize=sensor_size "
                      "intrinsic"),
    "light": ("light", "mode bodyid=body targetbodyid=target type texid castshadow bulbradius intensity range active pos dir "
                       "attenuation cutoff exponent ambient diffuse specular"),
    "mat": ("material", "texid texuniform texrepeat emission specular shininess reflectance metallic roughness rgba"),
    "pair": ("pair", "dim=condim geom1 geom2 signature solref solreffriction solimp margin gap friction"),
    "exclude": ("exclude", "signature"),
    "eq": ("equality", "type obj1id=obj1 obj2id=obj2 objtype active0=active solref solimp data"),
    "tendon": ("tendon", "matid group limited=is_limited actfrclimited=is_actfrclimited width solref_lim=solref_limit "
                         "solimp_lim=solimp_limit solref_fri=solref_friction solimp_fri=solimp_friction range actfrcrange margin "
                         "stiffness damping armature frictionloss lengthspring=springlength rgba"),
    "actuator": ("actuator", "trntype dyntype gaintype biastype trnid actnum=actdim group ctrllimited=is_ctrllimited "
                             "forcelimited=is_forcelimited actlimited=is_actlimited dynprm gainprm biasprm actearly ctrlrange "
                             "forcerange actrange gear cranklength lengthrange"),
    "sensor": ("sensor", "type datatype needstage objtype objid reftype refid intprm dim cutoff noise"),
}

# names buffer: tables in order with the model's count and address field
NAMED = ("body", "joint", "geom", "site", "camera", "light", "flex", "mesh", "skin", "hfield", "texture", "material", "pair",
         "exclude", "equality", "tendon", "actuator", "sensor", "numeric", "text", "tuple", "key", "plugin")
SHORT = {"joint": "jnt", "camera": "cam", "texture": "tex", "material": "mat", "equality": "eq"}
COUNT = {"actuator": "u"}
LOAD = 2

assert all(k in KINDS for k in NAMED)


def sizes(c):
    """{size: value} of the Model."""
    s = {"n" + COUNT.get(k, SHORT.get(k, k)): getattr(c, k).n for k in NAMED}
    for short, width in c.nuser.items():
        s["nuser_" + short] = width
    j = c.joint
    s["nq"] = int(j.nq.sum()) if j.n else 0
    s["nv"] = c.nv
    s["ntree"] = c.ntree
    s["na"] = int(c.actuator.actdim.sum()) if c.actuator.n else 0
    s["nmocap"] = int((c.body.mocap != 0).sum())
    index = c.index
    s["nM"] = int(len(index["_chains"]))
    s["nD"] = len(index["D_colind"])
    s["nC"] = len(index["M_colind"])
    s["nB"] = len(index["B_colind"])
    _bvh_sizes(c, s)
    for group in (c.mesh_pack, c.flex_pack, c.skin_pack):
        s.update(group["sizes"])
    s["nhfielddata"] = sum(len(h) for h in c.hfield_data)
    s["ntexdata"] = sum(len(t.data) for t in c.textures)
    s["nwrap"] = sum(len(w) for w in c.tendon.wrap)
    s["nsensordata"] = int(c.sensor.dim.sum()) if c.sensor.n else 0
    s["nnumericdata"] = sum(c.numeric.length)
    s["ntextdata"] = sum(len(t.encode()) + 1 for t in c.text.data)
    s["ntupledata"] = sum(len(t) for t in c.tuple.objid)
    s["npluginattr"] = sum(len(a) for a in c.plugin_attr)
    s["nnames"] = len(c.names_buffer)
    s["npaths"] = max(1, len(c.paths_buffer))
    s["nnames_map"] = LOAD * sum(getattr(c, k).n for k in NAMED)
    kinds = c.equality.type.tolist() if c.equality.n else []
    s["nemax"] = sum({0: 3, 1: 7}.get(t, 1) for t in kinds)
    s["nuserdata"], s["njmax"], s["nconmax"] = (c.spec.raw[n] for n in ("nuserdata", "njmax", "nconmax"))
    s["nJmom"] = _moment_size(c)
    s["ngravcomp"] = int((c.body.gravcomp > 0).sum())
    s["npluginstate"] = sum(c.plugin_state)
    s["narena"] = arena_bytes(c.spec, s)
    return s


def _bvh_sizes(c, s):
    body = sum(len(t.nodeid) for t in c.body.tree if t is not None)
    mesh = sum(len(m.tree.nodeid) if m.tree is not None else 0 for m in c.meshes)
    s["nbvhstatic"] = body + mesh + c.surplus_nodes
    s["nbvhdynamic"] = sum(len(f.tree.nodeid) if f.tree is not None else 0 for f in c.flexes)
    s["nbvh"] = s["nbvhstatic"] + s["nbvhdynamic"]
    s["noct"] = sum(len(m.octree) if m.octree is not None else 0 for m in c.meshes)


def _moment_size(c):
    """Most nonzeros of the actuator moments."""
    a, total = c.actuator, 0
    for i in range(a.n):
        if a.trntype[i] in (0, 1):
            total += int((6, 3, 1, 1)[c.joint.type[a.trnid[i, 0]]])
        else:
            total += c.nv
    return total


CONTACT_BYTES = 576


def arena_bytes(spec, s):
    """Size of the reference's arena: as given, or its estimate rounded up to megabytes."""
    if spec.raw["memory"] != -1:
        return spec.raw["memory"]
    nconmax = 100 if s["nconmax"] == -1 else s["nconmax"]
    njmax = 500 if s["njmax"] == -1 else s["njmax"]
    nv = s["nv"]
    if spec.raw["nstack"] != -1:
        size = 8 * spec.raw["nstack"]
    else:
        rows = njmax + s["neq"] + nv
        many = sum(s[n] for n in ("nq", "nv", "nu", "na", "nbody", "njnt", "ngeom", "nsite", "neq", "ntendon", "nwrap"))
        size = 8 * max(1000, 5 * rows * rows + 20 * many)
    size += nconmax * CONTACT_BYTES + njmax * (8 * 4 + 14 * 8) + nv * 12 + njmax * nv * 24 + njmax * njmax * 12
    return -(-size // (1 << 20)) << 20


def name_buffer(c):
    """All names one after the other, each ended by a zero, and the address of each."""
    parts, at = [c.spec.modelname.encode() + b"\0"], len(c.spec.modelname.encode()) + 1
    c.name_adr = {}
    for kind in NAMED:
        addresses = []
        for e in getattr(c, kind).elems:
            text = e.name.encode() + b"\0"
            addresses.append(at)
            at += len(text)
            parts.append(text)
        c.name_adr[kind] = addresses
    c.names_buffer = b"".join(parts)


def path_buffer(c):
    """All file names, as the names."""
    parts, at = [], 0
    c.path_adr = {}
    for kind in ("hfield", "mesh", "skin", "texture"):
        addresses = []
        for e in getattr(c, kind).elems:
            file = e.raw["file"]
            addresses.append(at if file else -1)
            if file:
                parts.append(file.encode() + b"\0")
                at += len(parts[-1])
        c.path_adr[kind] = addresses
    c.paths_buffer = b"".join(parts)


def hash_name(text, n):
    """Slot of a name in a table of n slots."""
    h = 5381
    for ch in text.encode():
        # the reference's characters are signed
        h = ((h << 5) + h) ^ (ch if ch < 128 else ch - 256)
        h &= 0xffffffffffffffff
    return h % n


def _names(c, m):
    m.names = c.names_buffer
    m.paths = c.paths_buffer or b"\0"
    table = np.full(m.nnames_map, -1, np.int32)
    at = 0
    for kind in NAMED:
        addresses = c.name_adr[kind]
        getattr(m, f"name_{SHORT.get(kind, kind)}adr")[:] = addresses
        size = LOAD * len(addresses)
        for i, e in enumerate(getattr(c, kind).elems):
            if e.name:
                k = hash_name(e.name, size)
                while table[at + k] != -1:
                    k = (k + 1) % size
                table[at + k] = i
        at += size
    m.names_map[:] = table
    for kind, addresses in c.path_adr.items():
        getattr(m, f"{SHORT.get(kind, kind)}_pathadr")[:] = addresses


FRAME_EPS = 1e-6


def _near(a, b):
    return (np.abs(a - b) < FRAME_EPS).all(1)


def sameframe(pos, quat, ipos=None, iquat=None):
    """How frames relate to the body's and its inertia's: 1 same, 2 as the inertia's, 3 and 4 the same rotation only."""
    zero = _near(pos, 0)
    unit = _near(quat, (1, 0, 0, 0)) | _near(-quat, (1, 0, 0, 0))
    out = np.where(zero & unit, 1, np.where(unit, 3, 0))
    if ipos is not None:
        turn = _near(quat, iquat) | _near(-quat, iquat)
        out = np.where(out > 0, out, np.where(turn & _near(pos, ipos), 2, np.where(turn, 4, 0)))
    return out


def prepare(c):
    """What sizes depend on: the order of dofs and the sparsity."""
    body = c.body
    c.nv = dof_tree(c)
    body.sameframe = sameframe(body.ipos, body.iquat)
    simple(c, FRAME_EPS)
    c.index = matrices(c, c.nv)
    c.index["_chains"] = np.empty(int(c.index["D_diag"].sum() + c.nv) if c.nv else 0, bool)
    for table in (c.geom, c.site):
        table.sameframe = sameframe(table.pos, table.quat, body.ipos[table.body], body.iquat[table.body])
    name_buffer(c)
    path_buffer(c)


def pack(c, m):
    """Fill a Model of the right sizes."""
    for prefix, (kind, columns) in PACK.items():
        table = getattr(c, kind)
        if not table.n:
            continue
        for column in columns.split():
            suffix, _, source = column.partition("=")
            getattr(m, f"{prefix}_{suffix}")[...] = getattr(table, source or suffix)
    _names(c, m)
    _users(c, m)
    _bodies(c, m)
    _joints(c, m)
    for name, values in c.index.items():
        if name[0] != "_":
            getattr(m, name)[:] = values
    g = c.geom
    if g.n:
        m.geom_dataid[:] = np.where(g.mesh >= 0, g.mesh, np.where(g.fitted >= 0, g.fitted, g.hfield))
    _links(c, m)
    _lists(c, m)
    _bvh(c, m)
    for group in (c.mesh_pack, c.flex_pack, c.skin_pack):
        for name, values in group["fields"].items():
            getattr(m, name)[...] = values
    _pixels(c, m)
    from .plugins import pack_plugins
    pack_plugins(c, m)


def _users(c, m):
    for short, width in c.nuser.items():
        kind = {"jnt": "joint", "cam": "camera"}.get(short, short)
        if width:
            getattr(m, short + "_user")[:] = getattr(c, kind).user(width)


def _bodies(c, m):
    body = c.body
    m.body_dofadr[:] = body.dofadr
    m.body_mocapid[:] = np.where(body.mocap != 0, np.cumsum(body.mocap != 0) - 1, -1)
    for name, table in (("jnt", c.joint), ("geom", c.geom)):
        num = np.bincount(table.body, minlength=body.n)
        getattr(m, f"body_{name}num")[:] = num
        getattr(m, f"body_{name}adr")[:] = np.where(num > 0, np.cumsum(num) - num, -1)
    m.tree_sleep_policy[:] = 0
    for i in np.flatnonzero(body.sleep):
        from ..elements.elements import compile_error
        tree = int(body.treeid[i])
        if tree < 0 or tree == body.treeid[i - 1]:
            raise compile_error(body.elems[i], "a sleep policy is only allowed for movable root bodies")
        m.tree_sleep_policy[tree] = body.sleep[i]


def _joints(c, m):
    j, dof, body = c.joint, c.dof, c.body
    if not j.n:
        return
    m.qpos0[:] = np.repeat(j.ref, j.nq)
    m.qpos_spring[:] = np.repeat(j.springref, j.nq)
    for i in np.flatnonzero(j.type < 2):
        a = int(j.qposadr[i])
        if j.type[i] == 0:
            m.qpos0[a:a + 3], m.qpos0[a + 3:a + 7] = body.pos[j.body[i]], body.quat[j.body[i]]
            m.qpos_spring[a:a + 7] = m.qpos0[a:a + 7]
        else:
            m.qpos0[a:a + 4] = m.qpos_spring[a:a + 4] = (1, 0, 0, 0)
    of = dof["jnt"]
    m.dof_bodyid[:], m.dof_jntid[:], m.dof_parentid[:] = dof["body"], of, dof["parent"]
    m.dof_treeid[:], m.dof_simplenum[:] = dof["tree"], dof["simplenum"]
    m.dof_solref[:], m.dof_solimp[:] = j.solref_friction[of], j.solimp_friction[of]
    m.dof_frictionloss[:], m.dof_armature[:], m.dof_damping[:] = j.frictionloss[of], j.armature[of], j.damping[of]


def _links(c, m):
    """Addresses of activations, sensor data and tendon paths."""
    num = m.actuator_actnum
    m.actuator_actadr[:] = np.where(num > 0, np.cumsum(num) - num, -1)
    m.sensor_adr[:] = np.cumsum(m.sensor_dim) - m.sensor_dim
    num = np.array([len(w) for w in c.tendon.wrap], dtype=np.int64)
    m.tendon_num[:], m.tendon_adr[:] = num, np.cumsum(num) - num
    rows = [r for w in c.tendon.wrap for r in w]
    if rows:
        m.wrap_type[:], m.wrap_objid[:], m.wrap_prm[:] = zip(*rows)


def _lists(c, m):
    """Numerics, texts and tuples: sizes, addresses, contents one after the other."""
    num = np.array(c.numeric.length, dtype=np.int64)
    m.numeric_size[:], m.numeric_adr[:] = num, np.cumsum(num) - num
    for adr, data in zip(m.numeric_adr, c.numeric.data):
        m.numeric_data[adr:adr + len(data)] = data
    texts = [t.encode() + b"\0" for t in c.text.data]
    num = np.array([len(t) for t in texts], dtype=np.int64)
    m.text_size[:], m.text_adr[:] = num, np.cumsum(num) - num
    if texts:
        m.text_data = b"".join(texts)
    num = np.array([len(t) for t in c.tuple.objid], dtype=np.int64)
    m.tuple_size[:], m.tuple_adr[:] = num, np.cumsum(num) - num
    for k, ids in enumerate(c.tuple.objid):
        a = int(m.tuple_adr[k])
        m.tuple_objtype[a:a + len(ids)] = c.tuple.objtype[k]
        m.tuple_objid[a:a + len(ids)] = ids
        m.tuple_objprm[a:a + len(ids)] = c.tuple.objprm[k]


def _bvh(c, m):
    at = 0
    owners = [("body", i, t) for i, t in enumerate(c.body.tree)]
    owners += [("mesh", i, x.tree) for i, x in enumerate(c.meshes)]
    owners += [("flex", i, x.tree) for i, x in enumerate(c.flexes)]
    m.body_bvhadr[:] = -1
    m.mesh_bvhadr[:] = -1
    m.flex_bvhadr[:] = -1
    for kind, i, tree in owners:
        if tree is None or not len(tree.nodeid):
            continue
        n = len(tree.nodeid)
        getattr(m, kind + "_bvhadr")[i], getattr(m, kind + "_bvhnum")[i] = at, n
        m.bvh_child[at:at + n], m.bvh_nodeid[at:at + n], m.bvh_depth[at:at + n] = tree.child, tree.nodeid, tree.depth
        if kind != "flex":
            m.bvh_aabb[at:at + n] = tree.aabb
        at += n
    m.mesh_octadr[:] = -1
    at = 0
    for i, x in enumerate(c.meshes):
        if x.octree is not None and len(x.octree):
            at = x.octree.pack(m, i, at)


def _pixels(c, m):
    """Height fields and textures."""
    at = 0
    for i, data in enumerate(c.hfield_data):
        m.hfield_size[i], m.hfield_nrow[i], m.hfield_ncol[i] = c.hfield.size[i], c.hfield.shape[i][0], c.hfield.shape[i][1]
        m.hfield_adr[i] = at
        m.hfield_data[at:at + len(data)] = data
        at += len(data)
    at = 0
    for i, t in enumerate(c.textures):
        m.tex_type[i], m.tex_colorspace[i] = t.type, t.colorspace
        m.tex_height[i], m.tex_width[i], m.tex_nchannel[i] = t.height, t.width, t.nchannel
        m.tex_adr[i] = at
        m.tex_data[at:at + len(t.data)] = t.data
        at += len(t.data)
