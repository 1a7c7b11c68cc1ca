"""MjModel fields added after MuJoCo 3.4, computed when they are read. `TABLE` is {field: function of the engine's model}.

Most are read-only copies, because writing into one would change nothing. Fields in `STORES` may be written, because the engine
stores their numbers in another form. Features that this engine lacks (effective inertia of flexes, meshes of sites, textures by
reference, plastic flexes) have the values of models without these features.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..description.language.arrays import matrices
from ..tables.enums import mjtTrn, mjtWrap
from .mirror import Mirror

JOINT, PULLEY = int(mjtWrap.mjWRAP_JOINT), int(mjtWrap.mjWRAP_PULLEY)
SITE = int(mjtWrap.mjWRAP_SITE)
BY_JOINT = (int(mjtTrn.mjTRN_JOINT), int(mjtTrn.mjTRN_JOINTINPARENT))
BY_TENDON = int(mjtTrn.mjTRN_TENDON)
# number of dofs of a joint, by type
DOFS = (6, 3, 1, 1)
# directions in which extreme vertices are stored: all points of a 3 x 3 x 3 grid
DIRECTIONS = np.array([(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1)], np.float32)


def sealed(x: Any) -> np.ndarray:
    """Return a read-only array; an empty one may be written, because nothing can be lost."""
    x = np.asarray(x)
    x.flags.writeable = x.size == 0
    return x


# ---- structure of sparse Jacobians -------------------------------------------------------------------------------------
def chain(m: Any, body: int) -> set[int]:
    """Return the set of dofs that move a body."""
    found = set()
    body = int(m.body_weldid[body])
    while body > 0:
        start, count = int(m.body_dofadr[body]), int(m.body_dofnum[body])
        found.update(range(start, start + count))
        body = int(m.body_weldid[m.body_parentid[body]])
    return found


def tendon_rows(m: Any) -> list[list[int]]:
    """Return, for each tendon, the sorted dofs on which its length depends."""
    rows = []
    for t in range(m.ntendon):
        start = int(m.tendon_adr[t])
        path = range(start, start + int(m.tendon_num[t]))
        dofs: set[int] = set()
        for w in path:
            kind, index = int(m.wrap_type[w]), int(m.wrap_objid[w])
            if kind == JOINT:
                dofs.add(int(m.jnt_dofadr[index]))
            elif kind != PULLEY:
                dofs |= chain(m, int((m.site_bodyid if kind == SITE else m.geom_bodyid)[index]))
        rows.append(sorted(dofs))
    return rows


def edge_rows(m: Any) -> list[list[int]]:
    """Return, for each flex edge, the sorted dofs on which its length depends; none for rigid edges and interpolated flexes."""
    rows: list[list[int]] = [[] for _ in range(m.nflexedge)]
    for f in range(m.nflex):
        start, first = int(m.flex_edgeadr[f]), int(m.flex_vertadr[f])
        if m.flex_rigid[f] or m.flex_interp[f]:
            continue
        for e in range(start, start + int(m.flex_edgenum[f])):
            if not m.flexedge_rigid[e]:
                one, two = (int(m.flex_vertbodyid[first + v]) for v in m.flex_edge[e])
                rows[e] = sorted(chain(m, one) | chain(m, two))
    return rows


def moment_count(m: Any) -> int:
    """Return the maximum total number of elements in the moment rows of all actuators."""
    total, tendons = 0, counts(tendon_rows(m))
    for i in range(m.nactuator):
        kind, (one, other) = mjtTrn(int(m.actuator_trntype[i])).name.removeprefix("mjTRN_"), m.actuator_trnid[i]
        if kind == "TENDON":
            total += int(tendons[one])
        elif kind in ("JOINT", "JOINTINPARENT"):
            total += DOFS[int(m.jnt_type[one])]
        elif kind == "SO3":
            total += 3 * m.nv if other >= 0 else 3
        elif kind == "BODY":
            total += m.nv
        else:
            dofs = chain(m, int(m.site_bodyid[one]))
            beside = chain(m, int(m.site_bodyid[other])) if other >= 0 else set()
            total += len(dofs | beside if kind == "SLIDERCRANK" else dofs ^ beside)
    return total


def counts(rows: list[list[int]]) -> np.ndarray:
    """Return the number of elements of each sparse row."""
    return np.array([len(row) for row in rows], np.int32)


def starts(rows: list[list[int]]) -> np.ndarray:
    """Return the address of each sparse row."""
    each = counts(rows)
    return (np.cumsum(each) - each).astype(np.int32)


def columns(rows: list[list[int]]) -> np.ndarray:
    """Return the column indices (dofs) of all sparse rows, concatenated."""
    return np.array([i for row in rows for i in row], np.int32)


# ---- the rest ----------------------------------------------------------------------------------------------------------
def _driver(m: Any, kinds: tuple[int, ...], size: int) -> np.ndarray:
    """Return the actuator that adds inertia or damping to each joint or tendon, -1 if none does."""
    found = np.full(size, -1, np.int32)
    for i in range(m.nactuator):
        own = m.actuator_armature[i] or m.actuator_damping[i] or m.actuator_dampingpoly[i].any()
        if own and int(m.actuator_trntype[i]) in kinds:
            found[m.actuator_trnid[i, 0]] = i
    return found


def _extrema(m: Any) -> np.ndarray:
    """Return the hull index of each mesh's farthest vertex in each of DIRECTIONS; zeros for a mesh without a hull."""
    found = np.zeros((m.nmesh, len(DIRECTIONS)), np.int32)
    for k in range(m.nmesh):
        at = int(m.mesh_graphadr[k])
        if at < 0:
            continue
        count = int(m.mesh_graph[at])
        corners = m.mesh_graph[at + 2 + count : at + 2 + 2 * count]
        x, y, z = m.mesh_vert[int(m.mesh_vertadr[k]) + corners].T
        # Compare in single precision, as MuJoCo does: many vertices then tie, and the first of them counts.
        for i, (a, b, c) in enumerate(DIRECTIONS):
            found[k, i] = np.argmax(x * a + y * b + z * c)
    return found


def _flat(m: Any, name: str, adr: str) -> tuple[np.ndarray, np.ndarray]:
    """Return (rows of all flexes that have any, concatenated; start of each flex's rows, or -1), for elements or edges.

    Elements of flexes that only resist bending have rows of zeros."""
    rows = getattr(m, name)
    starts_, sizes = (m.flex_elemadr, m.flex_elemnum) if adr == "elem" else (m.flex_edgeadr, m.flex_edgenum)
    parts, at, address = [], 0, np.full(m.nflex, -1, np.int32)
    for f in range(m.nflex):
        part = rows[int(starts_[f]) : int(starts_[f]) + int(sizes[f])]
        bent = m.flex_bending[int(m.flex_edgeadr[f]) : int(m.flex_edgeadr[f]) + int(m.flex_edgenum[f])].any()
        if part.any() or bent and adr == "elem":
            address[f], at = at, at + part.size
            parts.append(part.ravel())
    return np.concatenate(parts) if parts else np.zeros(0), address


def _half_sizes(m: Any) -> np.ndarray:
    """Return half sizes of the boxes around the vertices of each flex at qpos0. The engine stores vertices relative to these
    boxes: of interpolated flexes, in the frame of the flex; of others, in world axes.
    """
    found = np.zeros((m.nflex, 3))
    place, turn = np.zeros((m.nbody, 3)), np.tile(np.eye(3), (m.nbody, 1, 1))
    for b in range(1, m.nbody if m.nflex else 0):
        above = m.body_parentid[b]
        place[b] = place[above] + turn[above] @ m.body_pos[b]
        turn[b] = turn[above] @ matrices(m.body_quat[b : b + 1])[0]
    for f in range(m.nflex):
        at = slice(int(m.flex_vertadr[f]), int(m.flex_vertadr[f]) + int(m.flex_vertnum[f]))
        points = m.flex_vert[at]
        if not m.flex_interp[f]:
            own = m.flex_vertbodyid[at]
            points = place[own] + np.einsum("nij,nj->ni", turn[own], points)
        if len(points):
            found[f] = np.ptp(points, 0) / 2
    return found


def relations(m: Any) -> np.ndarray:
    """Return eq_data with a twelfth column: whether a weld's relative pose is the pose at qpos0."""
    own = m.eq_data.shape[1]

    def store(values: np.ndarray) -> None:
        m.eq_data[:] = values[:, :own]
        m.eq_relative[:] = values[:, own] != 0

    return Mirror.of(np.column_stack([m.eq_data, m.eq_relative]) if m.neq else np.zeros((0, own + 1)), store)


def _store_flat(name: str, adr: str) -> Callable[[Any, np.ndarray], None]:
    """Return a function that writes concatenated rows, such as those of `_flat`, into the rows of all flexes."""

    def store(m: Any, values: np.ndarray) -> None:
        rows, (_, address) = getattr(m, name), _flat(m, name, adr)
        starts_, sizes = (m.flex_elemadr, m.flex_elemnum) if adr == "elem" else (m.flex_edgeadr, m.flex_edgenum)
        for f in np.flatnonzero(address >= 0):
            part = rows[int(starts_[f]) : int(starts_[f]) + int(sizes[f])]
            part[:] = values[address[f] : address[f] + part.size].reshape(part.shape)

    return store


def _store_same(name: str) -> Callable[[Any, np.ndarray], None]:
    """Return a function that writes values into the engine's array of the same name, which has another type."""

    def store(m: Any, values: np.ndarray) -> None:
        m.array(name)[:] = values

    return store


def _store_shadows(m: Any, values: np.ndarray) -> None:
    m.geom_shadowless[:] = ~values


# {field: function that writes the field's values into the engine's model}
STORES: dict[str, Callable[[Any, np.ndarray], None]] = {
    "geom_castshadow": _store_shadows,
    "flex_stiffness": _store_flat("flex_stiffness", "elem"),
    "flex_bending": _store_flat("flex_bending", "edge"),
    "flex_edgeequality": _store_same("flex_edgeequality"),
}


def _full(shape: Any, value: float, dtype: Any = np.int32) -> np.ndarray:
    return np.full(shape, value, dtype)


TABLE: dict[str, Callable[[Any], Any]] = {
    "nJten": lambda m: int(counts(tendon_rows(m)).sum()),
    "ten_J_rownnz": lambda m: counts(tendon_rows(m)),
    "ten_J_rowadr": lambda m: starts(tendon_rows(m)),
    "ten_J_colind": lambda m: columns(tendon_rows(m)),
    "nJfe": lambda m: int(counts(edge_rows(m)).sum()),
    "flexedge_J_rownnz": lambda m: counts(edge_rows(m)),
    "flexedge_J_rowadr": lambda m: starts(edge_rows(m)),
    "flexedge_J_colind": lambda m: columns(edge_rows(m)),
    "nJmom": moment_count,
    "jnt_actuatorid": lambda m: _driver(m, BY_JOINT, m.njnt),
    "tendon_actuatorid": lambda m: _driver(m, (BY_TENDON,), m.ntendon),
    "mesh_extrema": _extrema,
    "npolygonmax": lambda m: int(m.mesh_polyvertnum.max(initial=0)),
    "nmeshdegmax": lambda m: int(m.mesh_polymapnum.max(initial=0)),
    "actuator_historyadr": lambda m: m.actuator_historyadr.astype(np.int32),
    "sensor_historyadr": lambda m: m.sensor_historyadr.astype(np.int32),
    "geom_castshadow": lambda m: m.geom_castshadow.astype(bool),
    "flex_edgeequality": lambda m: m.flex_edgeequality.astype(np.int32),
    "tex_adr": lambda m: m.tex_adr.astype(np.int64),
    "site_dataid": lambda m: _full(m.nsite, -1),
    "tex_contenttypeadr": lambda m: _full(m.ntex, -1),
    "flex_cellnum": lambda m: _full((m.nflex, 3), 1),
    "flex_stiffness": lambda m: _flat(m, "flex_stiffness", "elem")[0],
    "flex_stiffnessadr": lambda m: _flat(m, "flex_stiffness", "elem")[1],
    "nflexstiffness": lambda m: len(_flat(m, "flex_stiffness", "elem")[0]),
    "flex_bending": lambda m: _flat(m, "flex_bending", "edge")[0],
    "flex_bendingadr": lambda m: _flat(m, "flex_bending", "edge")[1],
    "nflexbending": lambda m: len(_flat(m, "flex_bending", "edge")[0]),
    "flex_size": _half_sizes,
    "flex_matid": lambda m: np.repeat(m.flex_matid, m.flex_elemnum).astype(np.int32),
    "flex_vertcell": lambda m: _full(m.nflexvert, -1),
    "flex_plasticadr": lambda m: _full(m.nflex, -1),
    "flex_plasticmode": lambda m: _full(m.nflex, 0),
    "flex_yield": lambda m: _full((m.nflex, 2), 0, np.float64),
    "nefm0dof": lambda m: 0,
    "nefm0L": lambda m: 0,
    "nefmCvert": lambda m: 0,
    "efm0_dofid": lambda m: _full(0, 0),
    "efm0_L_rownnz": lambda m: _full(0, 0),
    "efm0_L_rowadr": lambda m: _full(0, 0),
    "efm0_L_colind": lambda m: _full(0, 0),
    "efm0_L": lambda m: _full(0, 0, np.float64),
    "efmC_perm": lambda m: _full(0, 0),
    "npluginstate": lambda m: m.npluginstate - m.nhistory - m.nplastic,
}
