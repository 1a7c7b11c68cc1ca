"""Fourth stage: everything that refers to elements of the tree gets their ids: contacts, equalities, tendons, sensors, keys."""

import numpy as np

from ..elements.elements import compile_error
from ..language.orient import EPS
from .frames import is_limited

BODY, XBODY, JOINT, GEOM, SITE, CAMERA, MESH = 1, 2, 3, 5, 6, 7, 10
SPATIAL = (BODY, XBODY, GEOM, SITE, CAMERA)
W_JOINT, W_PULLEY, W_SITE, W_SPHERE, W_CYLINDER = 1, 2, 3, 4, 5


def materials(c):
    """Ids of materials of geoms, sites, tendons, skins, flexes; of textures of materials; of meshes and height fields of geoms."""
    g = c.geom
    g.mesh = _ids(c, g, "mesh", g.meshname)
    g.hfield = _ids(c, g, "hfield", g.hfieldname)
    names = list(g.material)
    if not c.discard:
        # a geom without a material takes its mesh's
        for i, k in enumerate(g.mesh.tolist()):
            if k >= 0 and not names[i]:
                names[i] = c.mesh.elems[k].raw["material"]
    g.matid = _ids(c, g, "material", names)
    for table in (c.site, c.tendon, c.skin, c.flex):
        table.matid = _ids(c, table, "material", table.material)
    mat = c.material
    mat.texid = np.full((mat.n, 10), -1)
    for i, roles in enumerate(mat.textures):
        for r, name in enumerate(roles):
            if name:
                mat.texid[i, r] = c.need("texture", name, mat.elems[i], "texture")


def _ids(c, table, kind, names):
    out = np.full(table.n, -1)
    for i, name in enumerate(names):
        if name:
            out[i] = c.need(kind, name, table.elems[i], kind)
    return out


def pairs(c):
    """Contact pairs: parameters that are not given are mixed from the two geoms; sorted by signature."""
    p, g = c.pair, c.geom
    p.geom1, p.geom2, p.signature = (np.zeros(p.n, np.int64) for _ in range(3))
    for i, e in enumerate(p.elems):
        if p.condim[i] not in (1, 3, 4, 6) and p.condim[i] >= 0:
            raise compile_error(e, "condim must be 1, 3, 4 or 6")
        a = c.need("geom", p.geomname1[i], e, "geom1")
        b = c.need("geom", p.geomname2[i], e, "geom2")
        if g.body[a] > g.body[b]:
            a, b = b, a
        g.visual[a] = g.visual[b] = False
        p.geom1[i], p.geom2[i] = a, b
        p.signature[i] = (int(g.body[a]) << 16) + int(g.body[b])
        _mix(p, g, i, a, b)
    _reorder(c, p, ("geom1", "geom2", "signature", "condim", "friction", "solref", "solreffriction", "solimp", "margin", "gap"))


def _mix(p, g, i, a, b):
    for name in ("margin", "gap"):
        if np.isnan(getattr(p, name)[i]):
            getattr(p, name)[i] = max(getattr(g, name)[a], getattr(g, name)[b])
    if g.priority[a] != g.priority[b]:
        top = a if g.priority[a] > g.priority[b] else b
        condim, friction, solref, solimp = g.condim[top], g.friction[top], g.solref[top], g.solimp[top]
    else:
        condim = max(g.condim[a], g.condim[b])
        friction = np.maximum(g.friction[a], g.friction[b])
        x, y = g.solmix[a], g.solmix[b]
        mix = x / (x + y) if x >= EPS and y >= EPS else 0.5 if x < EPS and y < EPS else 0.0 if x < EPS else 1.0
        solref = np.minimum(g.solref[a], g.solref[b])
        solimp = mix * g.solimp[a] + (1 - mix) * g.solimp[b]
    if p.condim[i] < 0:
        p.condim[i] = condim
    if np.isnan(p.friction[i, 0]):
        p.friction[i] = friction[[0, 0, 1, 2, 2]]
    if np.isnan(p.solref[i, 0]):
        p.solref[i] = solref
    if np.isnan(p.solimp[i, 0]):
        p.solimp[i] = solimp


def _reorder(c, table, columns):
    """Rows in rising order of signature; ids follow."""
    order = np.argsort(table.signature, kind="stable")
    if (order == np.arange(table.n)).all():
        return
    for name in columns:
        setattr(table, name, getattr(table, name)[order])
    table.elems = [table.elems[i] for i in order]
    c.ids[table.kind] = table.ids()


def excludes(c):
    """Body pairs without contacts, sorted by signature."""
    x = c.exclude
    x.signature = np.zeros(x.n, np.int64)
    for i, e in enumerate(x.elems):
        a = c.need("body", x.bodyname1[i], e, "body1")
        b = c.need("body", x.bodyname2[i], e, "body2")
        x.signature[i] = (min(a, b) << 16) + max(a, b)
    _reorder(c, x, ("signature",))


_EQUALITY = {0: None, 1: None, 2: "joint", 3: "tendon", 4: "flex"}


def equalities(c):
    """Ids of the one or two objects of each equality constraint."""
    q = c.equality
    q.obj1, q.obj2 = np.zeros(q.n, np.int64), np.zeros(q.n, np.int64)
    for i, e in enumerate(q.elems):
        t = int(q.type[i])
        if t not in _EQUALITY:
            raise compile_error(e, "this type of equality is not supported")
        kind = _EQUALITY[t] or {BODY: "body", SITE: "site"}.get(int(q.objtype[i]))
        if kind is None:
            raise compile_error(e, "connect and weld need bodies or sites")
        a = c.need(kind, q.name1[i], e, kind)
        b = c.need(kind, q.name2[i], e, kind) if q.name2[i] else 0 if kind == "body" else -1
        if a == b:
            raise compile_error(e, f"'{q.name1[i]}' is related to itself")
        if t == 2:
            for k in (a, b):
                if k >= 0 and c.joint.type[k] < 2:
                    raise compile_error(e, "only hinge and slide joints can be related")
        if t == 4 and c.flexes[a].rigid:
            raise compile_error(e, "the flex is rigid")
        q.obj1[i], q.obj2[i] = a, b


def tendons(c):
    """Tendon paths checked and flattened; limits."""
    t = c.tendon
    t.wrap = []
    for i, e in enumerate(t.elems):
        if not e.wraps:
            raise compile_error(e, "the path is empty")
        rows = [_wrap(c, w) for w in e.wraps]
        spatial = rows[0][0] != W_JOINT
        if spatial:
            _check_path(c, t, i, e, rows)
        elif any(r[0] != W_JOINT for r in rows):
            raise compile_error(e, "a fixed tendon holds joints only")
        t.wrap.append(rows)
    t.is_limited = is_limited(t.limited, t.range)
    t.is_actfrclimited = is_limited(t.actfrclimited, t.actfrcrange)
    for i, e in enumerate(t.elems):
        raw = c.compiler_of(e)
        for flag, span, on, name in ((t.limited, t.range, t.is_limited, ""),
                                     (t.actfrclimited, t.actfrcrange, t.is_actfrclimited, "actuatorfrc")):
            if not raw["autolimits"] and flag[i] == 2 and span[i].any():
                raise compile_error(e, f"{name}range is given but not {name}limited; set autolimits or {name}limited")
            if on[i] and span[i, 0] >= span[i, 1]:
                raise compile_error(e, f"{name}range[0] must be smaller than {name}range[1]")
        if t.is_actfrclimited[i] and (t.actfrcrange[i, 0] > 0 or t.actfrcrange[i, 1] < 0):
            raise compile_error(e, "actuatorfrcrange must include 0")
        if t.springlength[i, 0] > t.springlength[i, 1]:
            raise compile_error(e, "springlength[0] must not be larger than springlength[1]")


def _wrap(c, w):
    """(type, object id, parameter) of one object of a path."""
    kind = w.raw["type"]
    if kind == W_PULLEY:
        if w.prm < 0:
            raise compile_error(w, "the divisor of a pulley is negative")
        return kind, -1, w.prm
    if kind == W_JOINT:
        return kind, c.need("joint", w.target_name, w, "joint"), w.prm
    if kind == W_SITE:
        return kind, c.need("site", w.target_name, w, "site"), w.prm
    g = c.need("geom", w.target_name, w, "geom")
    if c.geom.type[g] not in (2, 5):
        raise compile_error(w, f"geom '{w.target_name}' is not a sphere or cylinder")
    side = c.need("site", w.sidesite_name, w, "sidesite") if w.sidesite_name else -1
    return W_CYLINDER if c.geom.type[g] == 5 else W_SPHERE, g, side


def _check_path(c, t, i, e, rows):
    n = len(rows)
    if n < 2:
        raise compile_error(e, "a spatial path needs at least two objects")
    if t.width[i] <= 0:
        raise compile_error(e, "the width must be positive")
    if t.armature[i] < 0:
        raise compile_error(e, "the armature is negative")
    kinds = [r[0] for r in rows]
    for k, (kind, obj, _) in enumerate(rows):
        before, after = kinds[k - 1] if k else 0, kinds[k + 1] if k < n - 1 else 0
        if kind == W_PULLEY and (before == W_PULLEY or k == n - 1):
            raise compile_error(e, f"pulley {k} follows a pulley or ends the path")
        if kind == W_SITE:
            if before in (0, W_PULLEY) and after in (0, W_PULLEY):
                raise compile_error(e, f"site {k} needs a neighbour that is not a pulley")
            if after == W_SITE and rows[k + 1][1] == obj:
                raise compile_error(e, f"site {k} is repeated")
        if kind in (W_SPHERE, W_CYLINDER):
            if before != W_SITE or after != W_SITE:
                raise compile_error(e, f"geom {k} must stand between sites")
            if t.armature[i] > 0:
                raise compile_error(e, "a tendon with armature cannot wrap around geoms")
            c.geom.visual[obj] = False
        if kind == W_JOINT:
            raise compile_error(e, f"joint {k} in a spatial path")


def actuators(c):
    """Transmission ids, inherited ranges, limits, activation dimensions."""
    a = c.actuator
    a.trnid = np.full((a.n, 2), -1)
    for i, e in enumerate(a.elems):
        if not a.target[i]:
            raise compile_error(e, "the transmission target is missing")
        _transmission(c, a, i, e)
        _inherit(c, a, i, e)
    for name, label in (("forcelimited", "force"), ("ctrllimited", "ctrl"), ("actlimited", "act")):
        flag, span = getattr(a, name), getattr(a, label + "range")
        on = is_limited(flag, span)
        setattr(a, "is_" + name, on)
        for i in np.flatnonzero((flag == 2) & span.any(1)):
            if not c.compiler_of(a.elems[i])["autolimits"]:
                raise compile_error(a.elems[i], f"{label}range is given but not {name}; set autolimits or {name}")
        for i in np.flatnonzero(on & (span[:, 0] >= span[:, 1])):
            raise compile_error(a.elems[i], f"{label}range[0] must be smaller than {label}range[1]")
    for i, e in enumerate(a.elems):
        _activation(a, i, e)
        for kind, prm in ((a.gaintype[i], a.gainprm[i]), (a.biastype[i], a.biasprm[i])):
            if kind == 2:
                _check_muscle(prm, e)
    a.actdim = np.where(a.actdim < 0, a.dyntype != 0, a.actdim)


def _transmission(c, a, i, e):
    kind = int(a.trntype[i])
    target = {0: "joint", 1: "joint", 2: "site", 3: "tendon", 4: "site", 5: "body"}.get(kind)
    if target is None:
        raise compile_error(e, "an actuator needs a transmission target")
    if kind == 2:
        if not a.slidersite[i]:
            raise compile_error(e, "a slider-crank needs a slidersite")
        a.trnid[i, 1] = c.need("site", a.slidersite[i], e, "slidersite")
        if a.cranklength[i] <= 0:
            raise compile_error(e, "cranklength must be positive")
    if kind == 4 and a.refsite[i]:
        a.trnid[i, 1] = c.need("site", a.refsite[i], e, "refsite")
    a.trnid[i, 0] = c.need(target, a.target[i], e, "target")


def _inherit(c, a, i, e):
    """A position servo whose range is that of its joint or tendon."""
    share = a.inheritrange[i]
    if not (a.gaintype[i] == 0 and a.biastype[i] == 1 and a.gainprm[i, 0] == -a.biasprm[i, 1] and share > 0):
        return
    if a.dyntype[i] not in (0, 1, 3):
        raise compile_error(e, "inheritrange is for position and intvelocity actuators")
    if a.trntype[i] == 0:
        if c.joint.type[a.trnid[i, 0]] < 2:
            raise compile_error(e, "inheritrange needs a hinge or slide joint")
        span = c.joint.range[a.trnid[i, 0]]
    elif a.trntype[i] == 3:
        span = c.tendon.range[a.trnid[i, 0]]
    else:
        raise compile_error(e, "inheritrange needs a joint or tendon")
    if span[0] == span[1]:
        raise compile_error(e, f"inheritrange is given but '{a.target[i]}' has no range")
    middle, radius = 0.5 * (span[1] + span[0]), 0.5 * (span[1] - span[0]) * share
    (a.actrange if a.dyntype[i] == 1 else a.ctrlrange)[i] = middle - radius, middle + radius


def _activation(a, i, e):
    dim, dyn = int(a.actdim[i]), int(a.dyntype[i])
    if a.is_actlimited[i] and dyn == 0:
        raise compile_error(e, "actrange is given but dyntype is none")
    if a.plugin[i] is not None and a.plugin[i].raw["active"]:
        return
    if dim > 1 and dyn != 5:
        raise compile_error(e, "actdim > 1 is only allowed for dyntype 'user'")
    if dim == 1 and dyn == 0:
        raise compile_error(e, "actdim 1 in an actuator without state")
    if dim == 0 and dyn != 0:
        raise compile_error(e, "actdim 0 in an actuator with state")


def _check_muscle(p, e):
    if p[0] >= p[1]:
        raise compile_error(e, "a muscle needs range[0] < range[1]")
    if p[4] >= 1 or p[5] <= 1:
        raise compile_error(e, "a muscle needs lmin < 1 < lmax")
    if min(p[3], p[6], p[7], p[8]) <= 0:
        raise compile_error(e, "scale, vmax, fpmax and fvmax of a muscle must be positive")


def tuples(c):
    """Object ids of tuples."""
    t = c.tuple
    t.objid = []
    for i, e in enumerate(t.elems):
        types, names, prms = t.objtype[i], t.objname[i], t.objprm[i]
        if not len(types):
            raise compile_error(e, "the tuple is empty")
        if not len(types) == len(names) == len(prms):
            raise compile_error(e, "the lists of the tuple have different lengths")
        ids = [c.need_type(int(k), n, e, "objname") for k, n in zip(types, names)]
        for k, g in zip(types, ids):
            if k == GEOM:
                c.geom.visual[g] = False
        t.objid.append(ids)


def numerics(c):
    """Sizes of numerics agree with their data."""
    for e in c.numeric.elems:
        n, size = len(e.raw["data"]), e.raw["size"]
        if size and n > size:
            raise compile_error(e, f"{n} numbers given, size is {size}")
        if not size and not n:
            raise compile_error(e, "the size cannot be zero")
    c.numeric.length = [e.raw["size"] or len(e.raw["data"]) for e in c.numeric.elems]


def keys(c, m):
    """Key frames: what is not given is the model's own state."""
    k = c.key
    nmocap = m.nmocap
    mocap = np.flatnonzero(m.body_mocapid >= 0)
    sizes = (("qpos", m.nq, m.qpos0), ("qvel", m.nv, 0.0), ("act", m.na, 0.0), ("ctrl", m.nu, 0.0),
             ("mpos", 3 * nmocap, m.body_pos[mocap].ravel()), ("mquat", 4 * nmocap, m.body_quat[mocap].ravel()))
    for i, e in enumerate(k.elems):
        m.key_time[i] = e.raw["time"]
        for name, n, default in sizes:
            values = e.raw[name]
            if len(values) == 0:
                values = default
            elif len(values) == n:
                # a key of a part of the model: the rest is as without a key
                values = np.where(np.isnan(values), default, values)
                e.raw[name] = tuple(values.tolist())
            else:
                raise compile_error(e, f"{name} has {len(values)} numbers, {n} expected")
            getattr(m, "key_" + name)[i].ravel()[:] = values
    for j in np.flatnonzero(m.jnt_type < 2):
        a = int(m.jnt_qposadr[j]) + (3 if m.jnt_type[j] == 0 else 0)
        m.key_qpos[:, a:a + 4] = unit_rows(m.key_qpos[:, a:a + 4])
    for j in range(nmocap):
        part = m.key_mquat[:, 4 * j:4 * j + 4] if m.key_mquat.ndim == 2 else m.key_mquat[:, j]
        part[...] = unit_rows(part)


def unit_rows(q):
    """Rows normalised; rows of zeros become unit quaternions."""
    from ..language.arrays import normalize
    q, length = normalize(np.array(q))
    q[length == 0] = (1.0, 0.0, 0.0, 0.0)
    return q
