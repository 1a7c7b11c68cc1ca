"""Whether compiled code can trust a Model: every index lies in what it points into, every choice is one that exists.

The table of fields says which values the numbers of an integer field may have, behind its unit (`- > rule`):

    nbody                  a row of something         nbody?      a row, or -1 for none
    njnt[body_jntnum]      the first of so many rows; it says nothing where there are none
    mjtGeom                a member                   1,3,4,6  0..8      one of these
    count                  not negative               flag, any          anything
    *                      what the function of this file says that has the field's name
"""
import re
from typing import Any

import numpy as np

from . import enums, equality_rows, sensor_rows
from .consts import HISTORY_HEAD, mjMAXFLEXNODES
from .enums import mjtCtrlChart, mjtCtrlInput, mjtDyn, mjtGain, mjtGeom, mjtJoint, mjtObj, mjtTrn, mjtWrap
from .names import BY_OBJECT, KINDS
from .schema import SCHEMAS

# coordinates and dofs of a joint of each type
COORDINATES, DOFS = np.array((7, 4, 1, 1)), np.array((6, 3, 1, 1))
# vertices are corners of an element of each dimension, and it has so many edges
ELEMENT_EDGES = np.array((0, 1, 3, 6))
# signatures hold two bodies, the first above so many bits
BODY_BITS = 16
# types of objects that are not in lists
NO_KIND = [int(mjtObj[f"mjOBJ_{n}"]) for n in ("UNKNOWN", "FRAME", "DEFAULT")]
# rules of fields that no other field and no function of this file depends on
ALONE = ("nmat?", "ntex?", "1,3,4,6", "mjtCamLight", "mjtLightType")
SPECIAL = {}


class InvalidModel(ValueError):
    """A Model whose integer fields do not fit together; compiled code would leave its arrays."""


def special(function) -> Any:
    """Enter a function that checks the field of its name."""
    SPECIAL[function.__name__] = function
    return function


def validate(m) -> None:
    """InvalidModel with field, row and value unless compiled code can trust a Model. Costs some milliseconds; floats are not looked at.

    Models that are compiled, or loaded from XML, need no check; binary files and pickles are checked when they are loaded, and models
    that are filled by hand when their first MjData is made.
    """
    m = Reader(m)
    check_sizes(m)
    for check in CHECKS.values():
        check(m)
    for function in SPECIAL.values():
        function(m)
    for text in ("names", "paths", "text_data", "plugin_attr"):
        x = m.array(text)
        if x.size and x[-1] != 0:
            raise InvalidModel(f"{text} do not end with a zero byte")


class Reader:
    """Sizes and arrays of a Model, by name; it hands out no array that could be written later."""

    def __init__(self, model):
        self.model = model

    def __getattr__(self, name) -> Any:
        value = self.model.peek(name) if name in MODEL.slot and name in MODEL.fields and MODEL.fields[name].dims else getattr(self.model, name)
        self.__dict__[name] = value
        return value

    def array(self, name) -> np.ndarray:
        return getattr(self, name)


def validate_fields(m, names) -> None:
    """As `validate`, after only these fields have changed."""
    if all(MODEL.fields[n].values in ALONE for n in names):
        m = Reader(m)
        for n in names:
            CHECKS[n](m)
    else:
        validate(m)


def check_sizes(m) -> None:
    """InvalidModel for sizes that cannot be, before arrays of these sizes are looked at."""
    if m.nbody < 1:
        raise InvalidModel("nbody is 0, but there is always a world")
    if m.nbvh != m.nbvhstatic + m.nbvhdynamic:
        raise InvalidModel(f"nbvh is {m.nbvh}, which should be {m.nbvhstatic + m.nbvhdynamic}")
    square = m.nv * m.nv
    for name, most in (("nM", square), ("nC", square), ("nD", square), ("nB", m.nbody * m.nv), ("nJmom", m.nout * m.nv), ("nmocap", m.nbody)):
        if getattr(m, name) > most:
            raise InvalidModel(f"{name} is {getattr(m, name)}, at most {most} allowed")


def refuse(name, wrong, x, allowed) -> None:
    """InvalidModel for the first number of a field that is marked wrong."""
    wrong = np.broadcast_to(wrong, x.shape)
    if wrong.any():
        at = np.unravel_index(int(np.argmax(wrong)), x.shape)
        raise InvalidModel(f"{name}[{', '.join(map(str, at))}] is {int(x[at])}, {allowed}")


def between(name, x, low, high) -> None:
    """InvalidModel unless low <= x < high, for numbers or arrays of the same rows."""
    if x.size:
        high = np.reshape(high, np.shape(high) + (1,) * (x.ndim - np.ndim(high)))
        refuse(name, (x < low) | (x >= high), x, f"{low} to {int(np.max(high)) - 1} allowed" if np.ndim(high) == 0 or np.size(high) == 1 else
               "which is not among what it counts")


def start(name, x, count, total) -> None:
    """InvalidModel unless the rows x .. x + count lie within a total; no rows may begin at -1, too."""
    x, count = x.astype(np.int64), count.astype(np.int64)
    refuse(name, (x < np.where(count > 0, 0, -1)) | (x + np.maximum(count, 0) > total), x, f"of {total} rows, which do not hold all that begin there")


# ---- rules of the table ----------------------------------------------------------------------------------------------------
def _rule(field):
    """The check of a field as a function of a Model, None if anything goes or a function of this file checks it."""
    name, rule = field.name, field.values
    if rule in ("any", "flag", "*", ""):
        return None
    if rule == "count":
        return lambda m: between(name, m.array(name), 0, 2**31)
    if spans := re.fullmatch(r"(\w+)\[(\w+)\]", rule):
        total, count = spans.groups()
        return lambda m: start(name, m.array(name), m.array(count), getattr(m, total))
    if rule[0].isdigit():
        low, dots, high = rule.partition("..")
        allowed = np.arange(int(low), int(high) + 1) if dots else np.array([int(x) for x in rule.split(",")])
        return lambda m: refuse(name, ~np.isin(m.array(name), allowed), m.array(name), f"{rule} allowed")
    if rule.startswith("mjt"):
        members = np.array([int(v) for n, v in getattr(enums, rule).__members__.items() if not n.startswith("mjN")])
        if rule == "mjtDataType":
            members = np.append(members, -1)
        return lambda m: refuse(name, ~np.isin(m.array(name), members), m.array(name), f"which is no {rule}")
    low, size = (-1, rule[:-1]) if rule.endswith("?") else (0, rule)
    return lambda m: between(name, m.array(name), low, getattr(m, size))


# ---- bodies and dofs -------------------------------------------------------------------------------------------------------
@special
def body_parentid(m) -> None:
    """Parents come first, so that every way to the root ends."""
    x = m.body_parentid
    between("body_parentid", x[1:], 0, np.arange(1, m.nbody))
    refuse("body_parentid", x[:1] != 0, x[:1], "the world is its own parent")
    for name in ("body_rootid", "body_weldid"):
        refuse(name, m.array(name) > np.arange(m.nbody), m.array(name), "which comes after the body")


@special
def dof_parentid(m) -> None:
    between("dof_parentid", m.dof_parentid, -1, np.arange(m.nv))


def _by_joint(m, name, widths, total):
    start(name, m.array(name), widths[m.jnt_type], total)


@special
def jnt_qposadr(m) -> None:
    _by_joint(m, "jnt_qposadr", COORDINATES, m.nq)


@special
def jnt_dofadr(m) -> None:
    _by_joint(m, "jnt_dofadr", DOFS, m.nv)


def chain_lengths(m) -> np.ndarray:
    """Number of dofs on the way from each to the root, itself included."""
    depth = [0] * m.nv
    for i, p in enumerate(m.dof_parentid.tolist()):
        depth[i] = 1 + (depth[p] if p >= 0 else 0)
    return np.array(depth, np.int64)


@special
def nM(m) -> None:
    """As many elements as the chains of all dofs have."""
    right = int(chain_lengths(m).sum())
    if m.nM != right:
        raise InvalidModel(f"nM is {m.nM}, which should be {right}")


@special
def dof_Madr(m) -> None:
    start("dof_Madr", m.dof_Madr, chain_lengths(m), m.nM)


@special
def dof_simplenum(m) -> None:
    between("dof_simplenum", m.dof_simplenum, 0, m.nv - np.arange(m.nv) + 1)


@special
def M_rownnz(m) -> None:
    """Rows hold the chain of a dof, or its diagonal alone, so that a factorisation in place stays in them."""
    refuse("M_rownnz", (m.M_rownnz != 1) & (m.M_rownnz != chain_lengths(m)), m.M_rownnz, "which is not the length of the dof's chain")
    rows = np.repeat(np.arange(m.nv), m.M_rownnz)
    place = np.arange(rows.size) - np.repeat(np.cumsum(m.M_rownnz) - m.M_rownnz, m.M_rownnz)
    at = m.M_rowadr[rows] + place
    column = m.M_colind[at]
    refuse("M_colind", m.M_rownnz[column] <= np.minimum(place, m.M_rownnz[column]), column, "whose row is shorter than its place")
    last = m.M_colind[m.M_rowadr + m.M_rownnz - 1]
    refuse("M_colind", last != np.arange(m.nv), last, "where the diagonal is to be")


@special
def D_diag(m) -> None:
    between("D_diag", m.D_diag, 0, m.D_rownnz)


# ---- bounding volumes ------------------------------------------------------------------------------------------------------
def _tree(m, name, first, count):
    """Children lie in their tree, behind their parent, and have one parent: a search ends and needs no more room than nodes."""
    x = m.array(name)[first:first + count].astype(np.int64)
    refuse(name, (x != -1) & ((x <= np.arange(count)[:, None]) | (x >= count)), x, f"in the tree from {first}")
    some = x[x >= 0]
    if np.unique(some).size != some.size:
        raise InvalidModel(f"{name}: a node of the tree from {first} has two parents")
    return x


@special
def bvh_child(m) -> None:
    between("flex_bvhadr", m.flex_bvhadr[m.flex_bvhnum > 0], m.nbvhstatic, m.nbvh)
    owners = (("body", m.body_geomadr, m.body_geomnum), ("mesh", np.zeros(m.nmesh, int), m.mesh_facenum),
              ("flex", np.zeros(m.nflex, int), m.flex_elemnum))
    for kind, low, count in owners:
        for k in np.flatnonzero(m.array(f"{kind}_bvhnum")).tolist():
            first, nodes = int(m.array(f"{kind}_bvhadr")[k]), int(m.array(f"{kind}_bvhnum")[k])
            child = _tree(m, "bvh_child", first, nodes)
            leaf, ids = (child < 0).all(1), m.bvh_nodeid[first:first + nodes]
            refuse("bvh_child", ((child < 0).any(1) & ~leaf)[:, None], child, "one child without the other")
            refuse("bvh_nodeid", leaf != (ids >= 0), ids, "a leaf has something, an inner node has not")
            between("bvh_nodeid", ids[leaf], int(low[k]), int(low[k] + count[k]))


@special
def oct_child(m) -> None:
    for first, count in zip(m.mesh_octadr.tolist(), m.mesh_octnum.tolist(), strict=True):
        if count:
            child = _tree(m, "oct_child", first, count)
            refuse("oct_child", ((child < 0).any(1) & (child >= 0).any(1))[:, None], child, "some children without the others")


# ---- geoms, meshes, assets -------------------------------------------------------------------------------------------------
@special
def geom_dataid(m) -> None:
    x, kind = m.geom_dataid, m.geom_type
    limit = np.where(kind == int(mjtGeom.mjGEOM_HFIELD), m.nhfield, m.nmesh)
    needed = (kind == int(mjtGeom.mjGEOM_HFIELD)) | (kind == int(mjtGeom.mjGEOM_MESH))
    refuse("geom_dataid", (x >= limit) | (x < np.where(needed, 0, -1)), x, "which is no mesh or height field")


def _owned(m, name, firsts, counts, limit, low=0):
    """Numbers in the rows firsts .. firsts + counts of a field are below what their owner has."""
    counts = np.asarray(counts, np.int64)
    rows = np.repeat(np.asarray(firsts, np.int64) - (np.cumsum(counts) - counts), counts) + np.arange(counts.sum())
    between(name, m.array(name)[rows], low, np.repeat(np.asarray(limit, np.int64), counts))


@special
def mesh_face(m) -> None:
    _owned(m, "mesh_face", m.mesh_faceadr, m.mesh_facenum, m.mesh_vertnum)
    _owned(m, "mesh_facenormal", m.mesh_faceadr, m.mesh_facenum, m.mesh_normalnum)
    some = m.mesh_texcoordadr >= 0
    _owned(m, "mesh_facetexcoord", m.mesh_faceadr[some], m.mesh_facenum[some], m.mesh_texcoordnum[some])


@special
def mesh_polyvert(m) -> None:
    """Polygons of a mesh, and polygons that meet at its vertices."""
    mesh_of = np.repeat(np.arange(m.nmesh), m.mesh_polynum)
    rows = np.concatenate([np.arange(a, a + n) for a, n in zip(m.mesh_polyadr.tolist(), m.mesh_polynum.tolist(), strict=True)] or [np.zeros(0, int)])
    _owned(m, "mesh_polyvert", m.mesh_polyvertadr[rows], m.mesh_polyvertnum[rows], m.mesh_vertnum[mesh_of])
    mesh_of = np.repeat(np.arange(m.nmesh), m.mesh_vertnum)
    rows = np.concatenate([np.arange(a, a + n) for a, n in zip(m.mesh_vertadr.tolist(), m.mesh_vertnum.tolist(), strict=True)] or [np.zeros(0, int)])
    _owned(m, "mesh_polymap", m.mesh_polymapadr[rows], m.mesh_polymapnum[rows], m.mesh_polynum[mesh_of])


@special
def mesh_graph(m) -> None:
    """A hull: its counts, where the edges of each vertex begin, vertices, lists of neighbours that end with -1, faces."""
    between("mesh_graphadr", m.mesh_graphadr, -1, m.nmeshgraph)
    for k, first in enumerate(m.mesh_graphadr.tolist()):
        if first < 0:
            continue
        graph = m.mesh_graph[first:].astype(np.int64)
        vertices, faces = (int(graph[0]), int(graph[1])) if graph.size > 1 else (-1, -1)
        edges = vertices + 3 * faces
        if vertices < 1 or faces < 0 or 2 + 2 * vertices + edges + 3 * faces > graph.size:
            raise InvalidModel(f"mesh_graph: the hull of mesh {k} does not lie in it")
        adr, ids, neighbours, corners = np.split(graph[2:2 + 2 * vertices + edges + 3 * faces], np.cumsum((vertices, vertices, edges)))
        between("mesh_graph", adr, 0, max(edges, 1))
        between("mesh_graph", ids, 0, int(m.mesh_vertnum[k]))
        between("mesh_graph", neighbours, -1, vertices)
        between("mesh_graph", corners, 0, int(m.mesh_vertnum[k]))
        if edges and neighbours[-1] != -1:
            raise InvalidModel(f"mesh_graph: the last list of neighbours of mesh {k} does not end")


@special
def skin_face(m) -> None:
    _owned(m, "skin_face", m.skin_faceadr, m.skin_facenum, m.skin_vertnum)
    some = m.skin_texcoordadr >= 0
    between("skin_texcoordadr", m.skin_texcoordadr, -1, max(m.nskintexvert, 1))
    start("skin_texcoordadr", m.skin_texcoordadr[some], m.skin_vertnum[some], m.nskintexvert)
    skin_of = np.repeat(np.arange(m.nskin), m.skin_bonenum)
    rows = np.concatenate([np.arange(a, a + n) for a, n in zip(m.skin_boneadr.tolist(), m.skin_bonenum.tolist(), strict=True)] or [np.zeros(0, int)])
    _owned(m, "skin_bonevertid", m.skin_bonevertadr[rows], m.skin_bonevertnum[rows], m.skin_vertnum[skin_of])


@special
def hfield_adr(m) -> None:
    refuse("hfield_nrow", m.hfield_nrow < 1, m.hfield_nrow, "a grid has rows")
    refuse("hfield_ncol", m.hfield_ncol < 1, m.hfield_ncol, "a grid has columns")
    start("hfield_adr", m.hfield_adr, m.hfield_nrow.astype(np.int64) * m.hfield_ncol, m.nhfielddata)


@special
def tex_adr(m) -> None:
    between("tex_nchannel", m.tex_nchannel, 1, 5)
    pixels = m.tex_height.astype(np.float64) * m.tex_width * m.tex_nchannel
    refuse("tex_height", pixels > m.ntexdata, m.tex_height, "more than there are pixels")
    start("tex_adr", m.tex_adr, pixels, m.ntexdata)


# ---- flexes ----------------------------------------------------------------------------------------------------------------
@special
def flex_interp(m) -> None:
    nodes = np.where(m.flex_interp > 0, (m.flex_interp + 1) ** 3, 0)
    refuse("flex_nodenum", (m.flex_interp > 0) & (m.flex_nodenum != nodes) | (m.flex_nodenum > mjMAXFLEXNODES), m.flex_nodenum, "which is no cell")


@special
def flex_elem(m) -> None:
    """Elements, edges and shells list vertices of their own flex."""
    vertices, dim, count = m.flex_vertnum, m.flex_dim.astype(np.int64), m.flex_elemnum.astype(np.int64)
    start("flex_elemdataadr", m.flex_elemdataadr, count * (dim + 1), m.nflexelemdata)
    start("flex_elemedgeadr", m.flex_elemedgeadr, count * ELEMENT_EDGES[dim], m.nflexelemedge)
    start("flex_shelldataadr", m.flex_shelldataadr, m.flex_shellnum * dim, m.nflexshelldata)
    _owned(m, "flex_elem", m.flex_elemdataadr, count * (dim + 1), vertices)
    _owned(m, "flex_elemedge", m.flex_elemedgeadr, count * ELEMENT_EDGES[dim], m.flex_edgenum)
    _owned(m, "flex_shell", m.flex_shelldataadr, m.flex_shellnum * dim, vertices)
    _owned(m, "flex_edge", m.flex_edgeadr, m.flex_edgenum, vertices)
    _owned(m, "flex_edgeflap", m.flex_edgeadr, m.flex_edgenum, vertices, -1)
    some = m.flex_texcoordadr >= 0
    _owned(m, "flex_elemtexcoord", m.flex_elemdataadr[some], (count * (dim + 1))[some], m.nflextexcoord - m.flex_texcoordadr[some])
    rows = np.concatenate([np.arange(a, a + n) for a, n in zip(m.flex_evpairadr.tolist(), m.flex_evpairnum.tolist(), strict=True)] or [np.zeros(0, int)])
    for column, limit in ((0, m.flex_elemnum), (1, vertices)):
        between("flex_evpair", m.flex_evpair[rows, column], 0, np.repeat(limit, m.flex_evpairnum))


@special
def flex_vertbodyid(m) -> None:
    """Vertices without a body follow nodes."""
    lowest = np.zeros(m.nflexvert, int)
    for f in np.flatnonzero(m.flex_interp):
        lowest[m.flex_vertadr[f]:m.flex_vertadr[f] + m.flex_vertnum[f]] = -1
    x = m.flex_vertbodyid
    refuse("flex_vertbodyid", (x < lowest) | (x >= m.nbody), x, f"{m.nbody} bodies")


# ---- what refers to kinds --------------------------------------------------------------------------------------------------
def count_of(m, kind) -> int:
    """How many there are of a kind (mjtObj)."""
    if kind == mjtObj.mjOBJ_DOF:
        return m.nv
    return getattr(m, KINDS[BY_OBJECT[kind]][1]) if kind in BY_OBJECT else 0


def _objects(m, name, kinds, x, none=False):
    """Numbers x are objects of their kinds; -1 only where `none`. Things of no kind have any number."""
    limit = np.zeros(np.shape(x), np.int64)
    for kind in np.unique(kinds).tolist():
        limit[kinds == kind] = count_of(m, kind)
    refuse(name, ~np.isin(kinds, NO_KIND) & ((x >= limit) | (x < (-1 if none else 0))), x, "which is no such object")


def _pairs(m, name):
    """Signatures are two bodies, (one << 16) + other."""
    x = m.array(name)
    refuse(name, (x & ((1 << BODY_BITS) - 1) >= m.nbody) | (x < 0) | ((x >> BODY_BITS) >= m.nbody), x, "which is no pair of bodies")


@special
def pair_signature(m) -> None:
    _pairs(m, "pair_signature")


@special
def exclude_signature(m) -> None:
    _pairs(m, "exclude_signature")


@special
def eq_obj1id(m) -> None:
    kind = m.eq_type
    sites = m.eq_objtype == int(mjtObj.mjOBJ_SITE)
    # numbers without a row are of kinds that were removed
    refuse("eq_type", ~np.isin(kind, list(equality_rows.BY_NUMBER)), kind, "which is no constraint")
    for row in equality_rows.ROWS:
        some, anchors = kind == row.number, row.objects == equality_rows.ANCHORS
        first, second, types = m.eq_obj1id[some], m.eq_obj2id[some], np.where(sites[some], int(mjtObj.mjOBJ_SITE), int(mjtObj.mjOBJ_BODY))
        if anchors:
            refuse("eq_objtype", m.eq_objtype[some] != types, m.eq_objtype[some], "bodies or sites are held together")
        else:
            types[:] = int(mjtObj[f"mjOBJ_{row.objects.upper()}"])
        _objects(m, "eq_obj1id", types, first)
        _objects(m, "eq_obj2id", types, second, not anchors)
        if not anchors and "name2" not in row.attributes:
            refuse("eq_obj2id", second != -1, second, f"a {row.name} stands alone")


@special
def wrap_objid(m) -> None:
    """Paths: joints alone, or sites between which geoms and pulleys lie; geoms may name a site at their side."""
    kind, x = m.wrap_type, m.wrap_objid
    joint, site, pulley = (kind == int(mjtWrap[f"mjWRAP_{n}"]) for n in ("JOINT", "SITE", "PULLEY"))
    geom = (kind == int(mjtWrap.mjWRAP_SPHERE)) | (kind == int(mjtWrap.mjWRAP_CYLINDER))
    refuse("wrap_type", ~(joint | site | pulley | geom), kind, "which nothing on a path is")
    limit = np.where(joint, m.njnt, np.where(site, m.nsite, np.where(geom, m.ngeom, 2**31)))
    refuse("wrap_objid", (x >= limit) | ~pulley & (x < 0), x, "which is no such object")
    side = np.where(geom, m.wrap_prm, -1)
    refuse("wrap_prm", ~((side >= -1) & (side < m.nsite) & (side == np.floor(side))), side, "which is no site")
    refuse("tendon_num", m.tendon_num < 1, m.tendon_num, "a path has something on it")
    for t, (first, count) in enumerate(zip(m.tendon_adr.tolist(), m.tendon_num.tolist(), strict=True)):
        rows = slice(first, first + count)
        if joint[rows].any() and not joint[rows].all():
            raise InvalidModel(f"wrap_type: tendon {t} has joints beside other things")
        inner = np.flatnonzero(geom[rows])
        if inner.size and (inner[0] == 0 or inner[-1] == count - 1 or not (site[rows][inner - 1] & site[rows][inner + 1]).all()):
            raise InvalidModel(f"wrap_type: a geom of tendon {t} does not lie between sites")
    scalar = m.jnt_type[np.where(joint, np.clip(x, 0, None), 0)] >= int(mjtJoint.mjJNT_SLIDE) if m.njnt else ~joint
    refuse("wrap_objid", joint & ~scalar, x, "which is no slide or hinge")


@special
def tendon_treeid(m) -> None:
    both = m.tendon_treenum == 2
    refuse("tendon_treeid", both[:, None] & (m.tendon_treeid < 0), m.tendon_treeid, "two trees are needed")


@special
def actuator_trnid(m) -> None:
    kind, first, second = m.actuator_trntype, m.actuator_trnid[:, 0], m.actuator_trnid[:, 1]
    objects = {mjtTrn.mjTRN_JOINT: mjtObj.mjOBJ_JOINT, mjtTrn.mjTRN_JOINTINPARENT: mjtObj.mjOBJ_JOINT, mjtTrn.mjTRN_TENDON: mjtObj.mjOBJ_TENDON,
               mjtTrn.mjTRN_SITE: mjtObj.mjOBJ_SITE, mjtTrn.mjTRN_SLIDERCRANK: mjtObj.mjOBJ_SITE, mjtTrn.mjTRN_BODY: mjtObj.mjOBJ_BODY}
    refuse("actuator_trntype", ~np.isin(kind, [*map(int, objects), int(mjtTrn.mjTRN_SO3)]), kind, "which nothing acts on")
    for trn, obj in objects.items():
        _objects(m, "actuator_trnid", np.full((kind == int(trn)).sum(), int(obj)), first[kind == int(trn)])
    crank, site = (kind == int(mjtTrn[f"mjTRN_{n}"]) for n in ("SLIDERCRANK", "SITE"))
    between("actuator_trnid", second[crank], 0, m.nsite)
    between("actuator_trnid", second[site], -1, m.nsite)
    turn = kind == int(mjtTrn.mjTRN_SO3)
    between("actuator_trnid", second[turn], -1, m.nsite)
    between("actuator_trnid", first[turn & (second >= 0)], 0, m.nsite)
    balls = first[turn & (second < 0)]
    between("actuator_trnid", balls, 0, m.njnt)
    refuse("actuator_trnid", m.jnt_type[balls] != int(mjtJoint.mjJNT_BALL), balls, "which is no ball joint")
    needed = ~np.isin(m.actuator_dyntype, (int(mjtDyn.mjDYN_NONE), int(mjtDyn.mjDYN_DCMOTOR))) & (m.actuator_plugin < 0)
    refuse("actuator_actadr", (m.actuator_actnum == 0) & (m.actuator_actadr != -1), m.actuator_actadr, "without an activation, -1 allowed")
    refuse("actuator_actnum", needed & (m.actuator_actnum < 1), m.actuator_actnum, "dynamics need an activation")


@special
def actuator_history(m) -> None:
    """Histories lie within plugin_state, and what waits for the end of the step before them."""
    held = 0
    for name, samples, dims in (("actuator", m.actuator_history[:, 0], m.actuator_ctrlnum), ("sensor", m.sensor_history[:, 0], m.sensor_dim)):
        refuse(f"{name}_history", samples < 0, samples, "samples to keep")
        held += int(((samples > 0) * (HISTORY_HEAD + samples.astype(np.int64) * (1 + dims))).sum())
    waiting = int(m.sensor_dim[m.sensor_history[:, 0] > 0].sum())
    if m.nhistory != held or m.npluginstate < held + waiting + m.nplastic:
        raise InvalidModel(f"nhistory is {m.nhistory}, npluginstate {m.npluginstate}: {held} numbers are kept, {waiting} wait")


@special
def jnt_plasticnum(m) -> None:
    """Springs that yield have a coordinate or a quaternion where they rest, tendons two lengths, and that is all of the plastic state."""
    kinds = np.array((0, 4, 1, 1))[m.jnt_type]
    refuse("jnt_plasticnum", (m.jnt_plasticnum != 0) & (m.jnt_plasticnum != kinds), m.jnt_plasticnum, "which a joint of its type has not")
    held = int(m.jnt_plasticnum.sum()) + int(m.tendon_plasticnum.sum())
    if m.nplastic != held:
        raise InvalidModel(f"nplastic is {m.nplastic}, which should be {held}")


# inputs of pid servos
SETPOINTS = int(mjtCtrlInput.mjINPUT_POS | mjtCtrlInput.mjINPUT_VEL | mjtCtrlInput.mjINPUT_FF)


@special
def actuator_ctrlnum(m) -> None:
    """As many controls, forces and activations as the kind of an actuator has."""
    gain, spec = m.actuator_gaintype, m.actuator_ctrlspec
    turns = gain == int(mjtGain.mjGAIN_SO3)
    refuse("actuator_gaintype", turns != (m.actuator_trntype == int(mjtTrn.mjTRN_SO3)), gain, "which does not go with the transmission")
    refuse("actuator_outnum", m.actuator_outnum != np.where(turns, 3, 1), m.actuator_outnum, "which are not the forces of its transmission")
    inputs = sum((spec >> k & 1) for k in range(4))
    pid, motor = gain == int(mjtGain.mjGAIN_PID), gain == int(mjtGain.mjGAIN_DCMOTOR)
    wanted = np.where(turns, np.where(spec == int(mjtCtrlChart.mjCHART_QUAT), 4, 3), np.where(pid | motor, inputs, 1))
    refuse("actuator_ctrlnum", m.actuator_ctrlnum != wanted, m.actuator_ctrlnum, "which are not the controls of its kind")
    refuse("actuator_ctrlspec", turns & ~np.isin(spec, list(mjtCtrlChart)) | pid & (spec & ~SETPOINTS).astype(bool), spec, "which the kind does not have")
    states = np.where(m.actuator_dyntype == int(mjtDyn.mjDYN_INTEGRATOR), wanted, 0)
    refuse("actuator_actnum", m.actuator_actnum < states, m.actuator_actnum, "an integrator has one for each control")
    refuse("actuator_dyntype", (turns & (m.actuator_dyntype > int(mjtDyn.mjDYN_INTEGRATOR))) | (motor != (m.actuator_dyntype == int(mjtDyn.mjDYN_DCMOTOR))),
           m.actuator_dyntype, "which does not go with the gain")


# kind of the objects of sensors whose rows name one kind
SENSED = {"site": mjtObj.mjOBJ_SITE, "joint": mjtObj.mjOBJ_JOINT, "tendon": mjtObj.mjOBJ_TENDON, "actuator": mjtObj.mjOBJ_ACTUATOR, "body": mjtObj.mjOBJ_BODY,
          "camera": mjtObj.mjOBJ_CAMERA, "mesh": mjtObj.mjOBJ_MESH, "geom": mjtObj.mjOBJ_GEOM}
FRAMES = [int(mjtObj[f"mjOBJ_{n}"]) for n in ("BODY", "XBODY", "GEOM", "SITE", "CAMERA")]


@special
def sensor_type(m) -> None:
    """Sensors are of known types, as long as the table says, and measure what the table says."""
    refuse("sensor_type", ~np.isin(m.sensor_type, list(sensor_rows.BY_NUMBER)), m.sensor_type, "which is no sensor")
    for number in np.unique(m.sensor_type).tolist():
        row, some = sensor_rows.BY_NUMBER[number], m.sensor_type == number
        if row.dim:
            forces = m.actuator_outnum[np.clip(m.sensor_objid[some], 0, m.nactuator - 1)] if row.object == "actuator" and m.nactuator else row.dim
            refuse("sensor_dim", m.sensor_dim[some] != forces, m.sensor_dim[some], f"a {row.name} has {row.dim}, or one for each force of its actuator")
        for side, kind, what in (("obj", row.object, "sensor_objtype"), ("ref", row.reference, "sensor_reftype")):
            types, ids = m.array(what)[some], m.array(f"sensor_{side}id")[some]
            optional = side == "ref" or not kind or kind == "?any"
            if kind in SENSED and not optional:
                refuse(what, types != int(SENSED[kind]), types, f"a {row.name} measures a {kind}")
            elif kind in SENSED:
                refuse(what, (types != int(SENSED[kind])) & (ids >= 0), types, f"a {row.name} measures against a {kind}")
            elif kind == "frame" and not optional:
                refuse(what, ~np.isin(types, FRAMES), types, f"a {row.name} measures a frame")
            elif kind == "frame":
                refuse(what, ~np.isin(types, FRAMES) & (ids >= 0), types, f"a {row.name} measures against a frame")
            elif kind == "site|camera":
                refuse(what, ~np.isin(types, (int(mjtObj.mjOBJ_SITE), int(mjtObj.mjOBJ_CAMERA))), types, f"a {row.name} looks from sites and cameras")
            elif kind == "body|geom":
                refuse(what, ~np.isin(types, (int(mjtObj.mjOBJ_BODY), int(mjtObj.mjOBJ_GEOM))), types, f"a {row.name} measures bodies and geoms")
            _objects(m, f"sensor_{side}id", types, ids)


@special
def tuple_objid(m) -> None:
    _objects(m, "tuple_objid", m.tuple_objtype, m.tuple_objid)


@special
def plugin(m) -> None:
    """Instances belong to plugins; which ones there are is known when a Data is made."""
    refuse("plugin", m.plugin < 0, m.plugin, "which is no plugin")


MODEL = SCHEMAS["MjModel"]
CHECKS = {f.name: check for f in MODEL.arrays if (check := _rule(f))}
# fields whose values decide what compiled code reads
INDICES = frozenset([f.name for f in MODEL.arrays if f.values not in ("", "any", "flag")] + ["wrap_prm"])
