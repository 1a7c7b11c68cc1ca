"""Checks of bodies and dofs: parents come first, matrices have the rows of their chains, bounding volumes are trees."""

from typing import Any

import numpy as np

from .validate_terms import Checks, InvalidModel, between, refuse, start

# coordinates and dofs of a joint of each type
COORDINATES, DOFS = np.array((7, 4, 1, 1)), np.array((6, 3, 1, 1))
special = Checks()


@special
def body_parentid(m: Any) -> None:
    """Check that parents come first, so that every path to the root ends."""
    x = m.body_parentid
    between("body_parentid", x[1:], 0, np.arange(1, m.nbody))
    refuse("body_parentid", x[:1] != 0, x[:1], "but the world must be its own parent")
    for name in ("body_rootid", "body_weldid"):
        refuse(name, m.array(name) > np.arange(m.nbody), m.array(name), "which comes after the body")


@special
def dof_parentid(m: Any) -> None:
    """Check that dofs are numbered branch by branch: the parent of a dof is the previous dof or one of its ancestors."""
    between("dof_parentid", m.dof_parentid, -1, np.arange(m.nv))
    branch: list[int] = []
    for i, p in enumerate(m.dof_parentid.tolist()):
        while branch and branch[-1] != p:
            branch.pop()
        if p >= 0 and not branch:
            raise InvalidModel(f"dof_parentid[{i}] is {p}, which is not on the branch of dof {i - 1}")
        branch.append(i)


def _by_joint(m: Any, name: str, widths: np.ndarray, total: int) -> None:
    start(name, m.array(name), widths[m.jnt_type], total)


@special
def jnt_qposadr(m: Any) -> None:
    _by_joint(m, "jnt_qposadr", COORDINATES, m.nq)


@special
def jnt_dofadr(m: Any) -> None:
    _by_joint(m, "jnt_dofadr", DOFS, m.nv)


def chain_lengths(m: Any) -> np.ndarray:
    """Return the number of dofs from each dof to the root, including itself."""
    depth = [0] * m.nv
    for i, p in enumerate(m.dof_parentid.tolist()):
        depth[i] = 1 + (depth[p] if p >= 0 else 0)
    return np.array(depth, np.int64)


@special
def nM(m: Any) -> None:
    """Check that nM is the sum of the chain lengths of all dofs."""
    right = int(chain_lengths(m).sum())
    if m.nM != right:
        raise InvalidModel(f"nM is {m.nM}, which should be {right}")


@special
def nD(m: Any) -> None:
    """Check that nD counts the diagonal of M once and all other elements twice. The engine's scratch memory has this size."""
    right = 2 * int(chain_lengths(m).sum()) - m.nv
    if m.nD != right:
        raise InvalidModel(f"nD is {m.nD}, which should be {right}")


@special
def dof_Madr(m: Any) -> None:
    start("dof_Madr", m.dof_Madr, chain_lengths(m), m.nM)


@special
def dof_simplenum(m: Any) -> None:
    between("dof_simplenum", m.dof_simplenum, 0, m.nv - np.arange(m.nv) + 1)


@special
def M_rownnz(m: Any) -> None:
    """Check that rows hold the chain of a dof, or only its diagonal, so that factorising in place stays within them."""
    refuse(
        "M_rownnz",
        (m.M_rownnz != 1) & (m.M_rownnz != chain_lengths(m)),
        m.M_rownnz,
        "which is not the length of the dof's chain",
    )
    begin = np.cumsum(m.M_rownnz) - m.M_rownnz
    refuse("M_rowadr", m.M_rowadr != begin, m.M_rowadr, "which is not the end of the row before")
    rows = np.repeat(np.arange(m.nv), m.M_rownnz)
    place = np.arange(rows.size) - np.repeat(np.cumsum(m.M_rownnz) - m.M_rownnz, m.M_rownnz)
    at = m.M_rowadr[rows] + place
    column = m.M_colind[at]
    refuse("M_colind", m.M_rownnz[column] <= np.minimum(place, m.M_rownnz[column]), column, "whose row has too few elements")
    last = m.M_colind[m.M_rowadr + m.M_rownnz - 1]
    refuse("M_colind", last != np.arange(m.nv), last, "but the last element of a row must be the diagonal")


@special
def tree_dofnum(m: Any) -> None:
    """Check that all dofs are in trees, and that the dofs of a tree are contiguous, in the order of the trees."""
    refuse("tree_dofnum", m.tree_dofnum < 1, m.tree_dofnum, "but each tree has dofs")
    begin = np.cumsum(m.tree_dofnum) - m.tree_dofnum
    refuse("tree_dofadr", m.tree_dofadr != begin, m.tree_dofadr, "which is not the end of the tree before")
    if int(m.tree_dofnum.sum()) != m.nv:
        raise InvalidModel(f"tree_dofnum: the trees have {int(m.tree_dofnum.sum())} dofs, which should be {m.nv}")
    tree = np.repeat(np.arange(m.ntree), m.tree_dofnum)
    refuse("dof_treeid", m.dof_treeid != tree, m.dof_treeid, "which is another tree than that of its dofs")


@special
def D_diag(m: Any) -> None:
    between("D_diag", m.D_diag, 0, m.D_rownnz)


# ---- bounding volumes ----------------------------------------------------------------------------------------------------
def _tree(m: Any, name: str, first: int, count: int) -> Any:
    """Return a tree's children after checking that they are in the tree, come after their parent, and have one parent.

    A search therefore ends, and needs no more room than there are nodes.
    """
    x = m.array(name)[first : first + count].astype(np.int64)
    refuse(
        name,
        (x != -1) & ((x <= np.arange(count)[:, None]) | (x >= count)),
        x,
        f"which is not a valid child in the tree that begins at {first}",
    )
    some = x[x >= 0]
    if np.unique(some).size != some.size:
        raise InvalidModel(f"{name}: a node of the tree that begins at {first} has two parents")
    return x


@special
def bvh_child(m: Any) -> None:
    between("flex_bvhadr", m.flex_bvhadr[m.flex_bvhnum > 0], m.nbvhstatic, m.nbvh)
    owners = (
        ("body", m.body_geomadr, m.body_geomnum),
        ("mesh", np.zeros(m.nmesh, int), m.mesh_facenum),
        ("flex", np.zeros(m.nflex, int), m.flex_elemnum),
    )
    for kind, low, count in owners:
        for k in np.flatnonzero(m.array(f"{kind}_bvhnum")).tolist():
            first, nodes = int(m.array(f"{kind}_bvhadr")[k]), int(m.array(f"{kind}_bvhnum")[k])
            child = _tree(m, "bvh_child", first, nodes)
            leaf, ids = (child < 0).all(1), m.bvh_nodeid[first : first + nodes]
            refuse("bvh_child", ((child < 0).any(1) & ~leaf)[:, None], child, "but a node needs both children or none")
            refuse("bvh_nodeid", leaf & (ids < 0), ids, "but a leaf must refer to an object")
            between("bvh_nodeid", ids[leaf], int(low[k]), int(low[k] + count[k]))
            # in bodies that were fused when a robot description was read, other nodes keep what was there, as in MuJoCo
            between("bvh_nodeid", ids[~leaf], -1, m.ngeom if kind == "body" else 0)


@special
def oct_child(m: Any) -> None:
    for first, count in zip(m.mesh_octadr.tolist(), m.mesh_octnum.tolist(), strict=True):
        if count:
            child = _tree(m, "oct_child", first, count)
            refuse(
                "oct_child", ((child < 0).any(1) & (child >= 0).any(1))[:, None], child, "but a node needs all children or none"
            )
