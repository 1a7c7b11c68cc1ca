"""Every Model field from the tables' columns. Rows say which column goes where.

reads  actuator: is_actlimited is_ctrllimited is_forcelimited trnid; body: conaffinity contype dofadr dofnum jntnum margin
       parent rootid sameframe simple tree treeid weldid; camera: target; equality: obj1 obj2; exclude: signature; geom: aabb
       fitted fluid hfield matid mesh rbound sameframe; hfield: shape; joint: dofadr is_actfrclimited is_limited nq qposadr;
       light: target texid; material: texid; numeric: length; pair: geom1 geom2 signature; sensor: objid refid; site: matid
       sameframe; tendon: is_actfrclimited is_limited matid wrap; tuple: objid
"""

import numpy as np

from ..elements.elements import compile_error
from ..language.ours import OUR_COLUMNS
from ..language.types import FREE, SLIDE
from .names import pack_names
from .plugins import pack_plugins

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


def pack(c, m) -> None:
    """Fill a Model of the right sizes."""
    for prefix, (kind, columns) in PACK.items():
        table = getattr(c, kind)
        if not table.n:
            continue
        for column in [*columns.split(), *OUR_COLUMNS.get(prefix, ())]:
            suffix, _, source = column.partition("=")
            getattr(m, f"{prefix}_{suffix}")[...] = getattr(table, source or suffix)
    pack_names(c, m)
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
    pack_plugins(c, m)


def _users(c, m):
    for short, width in c.nuser.items():
        kind = {"jnt": "joint", "cam": "camera"}.get(short) or str(short)
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
    for i in np.flatnonzero(j.type < SLIDE):
        a = int(j.qposadr[i])
        if j.type[i] == FREE:
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
