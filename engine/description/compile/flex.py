"""Flexes: world vertices at the reference pose, topology, elasticity, bounding volume hierarchy over elements; packing.

reads  body: parent; flex: matid
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.report import warn
from ...geom import flex_cells, flex_stiffness, flex_topology
from ...tables.compat_rows import holds
from ...tables.consts import mjMINVAL
from ...tables.equality_rows import BY_NAME
from ..elements.elements import compile_error
from ..language import orient
from ..language.arrays import rotate
from ..language.keywords import KEYWORDS
from . import placing
from .bvh import grow_tree
from .resolve import Compilation

SCALARS = (
    "contype",
    "conaffinity",
    "condim",
    "priority",
    "solmix",
    "solref",
    "solimp",
    "friction",
    "margin",
    "gap",
    "internal",
    "selfcollide",
    "activelayers",
    "passive",
    "group",
    "radius",
    "damping",
    "edgestiffness",
    "edgedamping",
    "flatskin",
    "rgba",
)
EDGES = BY_NAME["flex"].number
_, BEND, STRETCH, BOTH = KEYWORDS["elastic2d"].values()


class Flex:
    """A compiled flex. The functions below set its attributes, and are called in this order."""

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...
        def __setattr__(self, name: str, value: Any) -> None: ...


def compile_flexes(c: Compilation) -> None:
    """Compile all flexes and pack their fields."""
    poses = _reference_poses(c)
    c.flexes = [_compile(c, i, poses) for i in range(c.flex.n)]
    c.flex_pack = {"sizes": _sizes(c.flexes), "fields": _fields(c)}


def _reference_poses(c: Compilation) -> tuple[np.ndarray, np.ndarray]:
    """Return the world poses of all bodies at the reference pose."""
    body = c.body
    pose = np.concatenate((body.pos, body.quat), 1)
    pose[0] = 0.0, 0.0, 0.0, *orient.UNIT
    placing.world_poses(body.parent, pose, body.n)
    return pose[:, :3], pose[:, 3:]


def _compile(c: Compilation, i: int, poses: tuple[np.ndarray, np.ndarray]) -> Flex:
    e = c.flex.elems[i]
    raw = e.raw
    f = Flex()
    f.raw, f.e, f.dim, f.matid = raw, e, raw["dim"], int(c.flex.matid[i])
    _check(f)
    _resolve(c, f)
    _vertices(f, poses, holds("cell_frame", c.compat_bits))
    f.edge, f.edgeid = flex_topology.edges(f.elem, f.dim)
    f.flap = flex_topology.flaps(f.elem, f.edgeid, len(f.edge)) if f.dim == 2 else None
    _elasticity(c, f)
    f.shell, f.layer, f.pairs = flex_topology.boundary(f.elem, f.dim)
    _tree(f)
    f.rigid_edges = np.zeros(len(f.edge), np.uint8)
    if f.rigid:
        f.rigid_edges[:] = 1
    elif not f.interpolated:
        weld = c.body.weldid[f.owner]
        f.rigid_edges[:] = weld[f.edge[:, 0]] == weld[f.edge[:, 1]]
    f.equality = any(q.raw["type"] == EDGES and q.raw["name1"] == e.name for q in c.equality.elems)
    acting = f.rigid or f.equality or any(raw[name] for name in ("edgestiffness", "edgedamping", "damping", "young"))
    if not acting and holds("loose_told", c.compat_bits):
        warn(f"nothing holds flex '{e.name}' together: it has neither equality constraints nor passive forces")
    return f


def _check(f: Flex) -> None:
    raw, e, dim = f.raw, f.e, f.dim
    f.interpolated = len(raw["nodebody"]) > 0

    # counts
    if not 1 <= dim <= 3:
        raise compile_error(e, "dim must be 1, 2 or 3")
    if not len(raw["elem"]):
        raise compile_error(e, "there are no elements")
    if len(raw["elem"]) % (dim + 1):
        raise compile_error(e, "the number of vertices of elements must be a multiple of dim + 1")
    if not len(raw["vertbody"]) and not f.interpolated:
        raise compile_error(e, "neither bodies nor nodes are given")
    if len(raw["vert"]) % 3 or len(raw["node"]) % 3:
        raise compile_error(e, "the number of coordinates must be a multiple of 3")
    if raw["edgestiffness"] > 0 and dim > 1:
        raise compile_error(e, "edge stiffness needs dim 1")
    if f.interpolated and (raw["selfcollide"] or raw["internal"]) and not holds("cell_self", e.spec.compat_bits):
        raise compile_error(e, "an interpolated flex cannot collide with itself")

    # check vertices and elements
    f.elem = np.array(raw["elem"], np.int64).reshape(-1, dim + 1)
    f.given = np.asarray(raw["vert"], np.float64).reshape(-1, 3)
    f.centered = not len(f.given)
    f.nvert = len(raw["vertbody"]) if f.centered else len(f.given)
    f.rigid = not f.centered and len(raw["vertbody"]) == 1
    if f.nvert < dim + 1:
        raise compile_error(e, "there are too few vertices")
    if f.elem.min() < 0 or f.elem.max() >= f.nvert:
        raise compile_error(e, "an element has a vertex that does not exist")
    if (np.diff(np.sort(f.elem, 1), axis=1) == 0).any():
        raise compile_error(e, "an element has the same vertex twice")

    # nodes
    f.nodes = len(raw["nodebody"])
    f.order = int(f.nodes ** (1.0 / 3)) - 1 if f.nodes else 0
    if f.nodes and f.nodes != (f.order + 1) ** 3:
        raise compile_error(e, f"the number of nodes must be {(f.order + 1) ** 3}, it is {f.nodes}")
    if f.nodes and f.order not in (1, 2):
        raise compile_error(e, "there must be 8 or 27 nodes")

    # check texture coordinates
    f.texcoord = np.asarray(raw["texcoord"], np.float32)
    f.elemtexcoord = np.asarray(raw["elemtexcoord"], np.int64)
    if len(f.texcoord) and not len(f.elemtexcoord):
        if len(f.texcoord) != 2 * f.nvert:
            raise compile_error(e, "two texture coordinates for each vertex are expected")
        # MuJoCo always copies three vertex indices per element, and copies them before it reorients tetrahedra.
        f.elemtexcoord = f.elem.reshape(-1)[: 3 * len(f.elem)].copy()


def _resolve(c: Compilation, f: Flex) -> None:
    """Look up the bodies of vertices and nodes."""
    e, raw = f.e, f.raw
    joints = np.bincount(c.joint.body, minlength=c.body.n)
    f.owner = np.array([c.need("body", n, e, "body") for n in raw["vertbody"]], np.int64)
    f.nodeowner = np.array([c.need("body", n, e, "body") for n in raw["nodebody"]], np.int64)
    held = f.dim == 2 and raw["elastic2d"] in (BEND, BOTH) and bool((joints[f.owner] != 3).any())
    if held and not holds("bend_pinned", c.compat_bits):
        raise compile_error(e, "pins are not supported for bending")
    if holds("bend_pinned", c.compat_bits) and raw["young"] > 0:
        for b in (*f.owner, *f.nodeowner):
            if c.body.mocap[b]:
                raise compile_error(e, f"an elastic flex cannot be attached to a mocap body, {c.body.elems[b].name!r}")
    if not f.rigid and len(f.owner) != f.nvert:
        raise compile_error(e, f"{len(f.owner)} bodies for {f.nvert} vertices")
    if f.interpolated and len(raw["node"]) not in (0, 3 * f.nodes):
        raise compile_error(e, f"{len(raw['node'])} coordinates for {f.nodes} nodes")
    if not f.rigid and not f.interpolated:
        f.rigid = bool((f.owner == f.owner[0]).all())
    f.node = np.asarray(raw["node"], np.float64).reshape(-1, 3)
    if not f.centered:
        f.centered = not (f.node if f.interpolated else f.given).any()


def _vertices(f: Flex, poses: tuple[np.ndarray, np.ndarray], cell_frame: bool) -> None:
    """Compute world positions of vertices and nodes; reorient tetrahedra whose faces would point inwards."""
    pos, quat = poses
    owner = np.full(f.nvert, f.owner[0]) if f.rigid else f.owner
    f.point = pos[owner]
    if (not f.centered or f.interpolated) and len(f.given):
        f.point = f.point + rotate(quat[owner], f.given)
    f.cellpoint = f.point
    f.vertbody = np.full(f.nvert, -1) if f.interpolated else owner
    f.nodepoint = pos[f.nodeowner] if f.nodes else np.zeros((0, 3))
    if f.nodes and not f.centered:
        f.nodepoint = f.nodepoint + rotate(quat[f.nodeowner], f.node)
    if f.interpolated and cell_frame:
        # work in the frame of the cell, so that nothing depends on how the cell is turned at first
        side = f.order + 1
        ends = f.nodepoint[[f.order * side * side, f.order * side, f.order]] - f.nodepoint[0]
        frame = ends / np.maximum(np.linalg.norm(ends, axis=1), mjMINVAL)[:, None]
        f.nodepoint, f.cellpoint = f.nodepoint @ frame.T, f.point @ frame.T
    if f.dim == 3:
        a, b, d, g = (f.point[f.elem[:, k]] for k in range(4))
        inward = flex_stiffness.dot(flex_stiffness.cross(b - a, d - a), g - a) > 0
        f.elem[inward, 1], f.elem[inward, 2] = f.elem[inward, 2], f.elem[inward, 1].copy()


def _elasticity(c: Compilation, f: Flex) -> None:
    raw, e, n = f.raw, f.e, len(f.elem)
    f.stiffness, f.bending = np.zeros((n, 21)), np.zeros((len(f.edge), 17))
    young, poisson, thickness = raw["young"], raw["poisson"], raw["thickness"]
    if young <= 0:
        return
    if not 0 <= poisson < 0.5:
        raise compile_error(e, "Poisson's ratio must be at least 0 and smaller than 0.5")

    # stiffness of the elements
    exact = holds("flex_elastic", c.compat_bits)
    if f.interpolated:
        if f.dim == 2 and raw["elastic2d"] and holds("cell_mesh", c.compat_bits):
            raise compile_error(
                e, "attribute 'elastic2d': shells of trilinear and quadratic flexes (MuJoCo 3.8.1) are not supported"
            )
        if (3 * f.nodes) ** 2 // 21 > n or (3 * f.nodes) ** 2 > 21 * n:
            raise compile_error(e, f"an interpolated flex needs at least {-(-((3 * f.nodes) ** 2) // 21)} elements")
        flat = _cell_stiffness(c, f, young, poisson)
        f.stiffness.reshape(-1)[: len(flat)] = flat
    elif f.dim == 2 and raw["elastic2d"] >= STRETCH and thickness > 0:
        f.stiffness = flex_stiffness.stretching(f.point, f.elem, young, poisson, thickness, exact)
    elif f.dim == 3:
        f.stiffness = flex_stiffness.stretching(f.point, f.elem, young, poisson, 4, exact)

    # bending stiffness of the edges
    if f.dim == 2 and raw["elastic2d"] in (BEND, BOTH):
        if thickness < 0:
            raise compile_error(e, "bending needs a positive thickness")
        # flexural rigidity of a plate, E t^3 / (12 (1 - nu^2)), or the value that MuJoCo 3.4 uses
        modulus = young / (2 * (1 + poisson)) / (0.75 * (1 - poisson) if exact else 1)
        at_rest, flap = holds("bend_rest", c.compat_bits), f.flap
        if at_rest:
            # MuJoCo 3.4 takes the ends of some edges in the wrong order.
            flap = np.concatenate((f.edge, f.flap[:, 2:]), 1)
        f.bending = flex_stiffness.bending(f.point, flap, modulus, thickness, at_rest)


def _cell_stiffness(c: Compilation, f: Flex, young: float, poisson: float) -> np.ndarray:
    """Return the stiffness matrix (flat) of an interpolated flex."""
    if not holds("cell_mesh", c.compat_bits):
        return flex_stiffness.interpolated(f.nodepoint, young, poisson, f.order, holds("cell_exact", c.compat_bits))
    if not flex_cells.encloses(f.elem):
        raise compile_error(f.e, "since MuJoCo 4.0, trilinear and quadratic flexes need tetrahedra or a closed surface")
    low, size = f.nodepoint[0], f.nodepoint[-1] - f.nodepoint[0]
    return flex_cells.stiffness(flex_cells.moments((f.cellpoint - low) / size, f.elem), size, young, poisson, f.order)


def _tree(f: Flex) -> None:
    """Build the bounding volume hierarchy over active elements; compute vertex coordinates relative to the box around all
    vertices."""
    active = np.arange(len(f.elem))
    if f.dim == 3:
        active = active[f.layer < f.raw["activelayers"]]
    f.tree = None
    f.vert0 = np.zeros((f.nvert, 3))
    if not len(active):
        return
    corners = f.point[f.elem[active]]
    low, high = corners.min(1), corners.max(1)
    mid, half = 0.5 * (high + low), 0.5 * (high - low) + f.raw["radius"]
    f.tree = grow_tree(mid - half, mid + half, mid)
    leaf = f.tree.nodeid >= 0
    f.tree.nodeid[leaf] = active[f.tree.nodeid[leaf]]
    box = f.tree.aabb[0]
    with np.errstate(all="ignore"):
        f.vert0 = (f.point - box[:3]) / (2 * (box[3:] - f.raw["radius"])) + 0.5
    if f.cellpoint is not f.point:
        low, size = f.nodepoint.min(0), np.ptp(f.nodepoint, 0)
        f.vert0 = np.where(size > mjMINVAL, (f.cellpoint - low) / np.maximum(size, mjMINVAL), 0.5)


def _sizes(flexes: list[Flex]) -> dict[str, int]:
    def total(count: Callable[..., Any]) -> int:
        return sum(count(f) for f in flexes)

    return {
        "nflexnode": total(lambda f: f.nodes),
        "nflexvert": total(lambda f: f.nvert),
        "nflexedge": total(lambda f: len(f.edge)),
        "nflexelem": total(lambda f: len(f.elem)),
        "nflexelemdata": total(lambda f: f.elem.size),
        "nflexelemedge": total(lambda f: f.edgeid.size),
        "nflexshelldata": total(lambda f: len(f.shell)),
        "nflexevpair": total(lambda f: len(f.pairs)),
        "nflextexcoord": total(lambda f: len(f.texcoord) // 2),
    }


def _adr(counts: list[int] | np.ndarray) -> np.ndarray:
    counts = np.array(counts, np.int64)
    return np.cumsum(counts) - counts


def _fields(c: Compilation) -> dict[str, np.ndarray]:
    flexes, out = c.flexes, {}

    # parameters
    for name in SCALARS:
        out["flex_" + name] = np.array([f.raw[name] for f in flexes])
    for name, values in (
        ("dim", [f.dim for f in flexes]),
        ("matid", [f.matid for f in flexes]),
        ("interp", [f.order for f in flexes]),
        ("rigid", [f.rigid for f in flexes]),
        ("centered", [f.centered for f in flexes]),
        ("edgeequality", [f.equality for f in flexes]),
    ):
        out["flex_" + name] = np.array(values)

    # collect addresses and counts
    counts = {
        "node": [f.nodes for f in flexes],
        "vert": [f.nvert for f in flexes],
        "edge": [len(f.edge) for f in flexes],
        "elem": [len(f.elem) for f in flexes],
    }
    for name, values in counts.items():
        out[f"flex_{name}adr"], out[f"flex_{name}num"] = _adr(values), np.array(values)
    out["flex_elemdataadr"] = _adr([f.elem.size for f in flexes])
    out["flex_elemedgeadr"] = _adr([f.edgeid.size for f in flexes])

    shell = np.array([len(f.shell) for f in flexes])
    out["flex_shellnum"] = shell // np.array([f.dim for f in flexes])
    out["flex_shelldataadr"] = np.where(out["flex_shellnum"] > 0, _adr(shell), -1)
    pairs = np.array([len(f.pairs) for f in flexes])
    out["flex_evpairnum"], out["flex_evpairadr"] = pairs, np.where(pairs > 0, _adr(pairs), -1)
    tex = np.array([len(f.texcoord) // 2 for f in flexes])
    out["flex_texcoordadr"] = np.where(tex > 0, _adr(tex), -1)
    out.update(_arrays(flexes))
    return out


def _texture_ids(f: Flex) -> np.ndarray:
    """Return the texture coordinate index of each vertex of each element."""
    if not len(f.texcoord):
        return f.elem.reshape(-1)
    ids = np.zeros(f.elem.size, np.int64)
    n = min(len(f.elemtexcoord), len(ids))
    ids[:n] = f.elemtexcoord[:n]
    return ids


def _arrays(flexes: list[Flex]) -> dict[str, np.ndarray]:
    def joined(get: Callable[..., Any]) -> np.ndarray:
        return np.concatenate([get(f) for f in flexes])

    no_flap = np.array([-1, -1])
    return {
        "flex_nodebodyid": joined(lambda f: np.full(f.nodes, f.owner[0]) if f.rigid else f.nodeowner),
        "flex_vertbodyid": joined(lambda f: f.vertbody),
        "flex_edge": joined(lambda f: f.edge),
        "flex_edgeflap": joined(
            lambda f: f.flap[:, 2:] if f.dim == 2 and f.raw["elastic2d"] in (BEND, BOTH) else np.tile(no_flap, (len(f.edge), 1))
        ),
        "flex_elem": joined(lambda f: f.elem.reshape(-1)),
        "flex_elemtexcoord": joined(_texture_ids),
        "flex_elemedge": joined(lambda f: f.edgeid.reshape(-1)),
        "flex_elemlayer": joined(lambda f: f.layer),
        "flex_shell": joined(lambda f: f.shell),
        "flex_evpair": joined(lambda f: f.pairs),
        "flex_vert": joined(lambda f: np.zeros((f.nvert, 3)) if f.centered and not f.interpolated else f.given),
        "flex_vert0": joined(lambda f: f.vert0),
        "flex_node": joined(lambda f: f.node if f.interpolated and not f.centered else np.zeros((f.nodes, 3))),
        "flex_node0": joined(lambda f: f.nodepoint),
        "flex_stiffness": joined(lambda f: f.stiffness),
        "flex_bending": joined(lambda f: f.bending),
        "flexedge_rigid": joined(lambda f: f.rigid_edges),
        "flex_texcoord": joined(lambda f: f.texcoord.reshape(-1, 2)),
    }
