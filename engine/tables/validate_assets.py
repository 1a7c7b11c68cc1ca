"""Checks of meshes, skins, height fields, textures and flexes: faces, polygons and edges refer to their owner's vertices."""

from typing import Any

import numpy as np

from .consts import mjMAXFLEXNODES
from .enums import mjtGeom
from .validate_terms import Checks, InvalidModel, between, refuse, start

# number of edges of an element, by its dimension
ELEMENT_EDGES = np.array((0, 1, 3, 6))
special = Checks()


@special
def geom_dataid(m: Any) -> None:
    x, kind = m.geom_dataid, m.geom_type
    limit = np.where(kind == int(mjtGeom.mjGEOM_HFIELD), m.nhfield, m.nmesh)
    needed = (kind == int(mjtGeom.mjGEOM_HFIELD)) | (kind == int(mjtGeom.mjGEOM_MESH))
    refuse("geom_dataid", (x >= limit) | (x < np.where(needed, 0, -1)), x, "which is not the id of a mesh or height field")


def _owned(m: Any, name: str, firsts: Any, counts: Any, limit: Any, low: int = 0) -> None:
    """Raise InvalidModel unless the numbers in rows firsts .. firsts + counts of a field are below their owner's limit."""
    counts = np.asarray(counts, np.int64)
    rows = np.repeat(np.asarray(firsts, np.int64) - (np.cumsum(counts) - counts), counts) + np.arange(counts.sum())
    between(name, m.array(name)[rows], low, np.repeat(np.asarray(limit, np.int64), counts))


@special
def mesh_face(m: Any) -> None:
    _owned(m, "mesh_face", m.mesh_faceadr, m.mesh_facenum, m.mesh_vertnum)
    # -1: this corner of a face has no normal or texture coordinates, although the OBJ file contains some
    _owned(m, "mesh_facenormal", m.mesh_faceadr, m.mesh_facenum, m.mesh_normalnum, -1)
    some = m.mesh_texcoordadr >= 0
    _owned(m, "mesh_facetexcoord", m.mesh_faceadr[some], m.mesh_facenum[some], m.mesh_texcoordnum[some], -1)


@special
def mesh_polyvert(m: Any) -> None:
    """Check polygons of a mesh, and the list of polygons at each vertex."""
    mesh_of = np.repeat(np.arange(m.nmesh), m.mesh_polynum)
    rows = np.concatenate(
        [np.arange(a, a + n) for a, n in zip(m.mesh_polyadr.tolist(), m.mesh_polynum.tolist(), strict=True)]
        or [np.zeros(0, int)]
    )
    _owned(m, "mesh_polyvert", m.mesh_polyvertadr[rows], m.mesh_polyvertnum[rows], m.mesh_vertnum[mesh_of])
    mesh_of = np.repeat(np.arange(m.nmesh), m.mesh_vertnum)
    rows = np.concatenate(
        [np.arange(a, a + n) for a, n in zip(m.mesh_vertadr.tolist(), m.mesh_vertnum.tolist(), strict=True)]
        or [np.zeros(0, int)]
    )
    _owned(m, "mesh_polymap", m.mesh_polymapadr[rows], m.mesh_polymapnum[rows], m.mesh_polynum[mesh_of])


@special
def mesh_graph(m: Any) -> None:
    """Check a hull: its counts, where each vertex's edges begin, vertices, lists of neighbours ending with -1, faces."""
    between("mesh_graphadr", m.mesh_graphadr, -1, m.nmeshgraph)
    for k, first in enumerate(m.mesh_graphadr.tolist()):
        if first < 0:
            continue

        # split the hull into its lists
        graph = m.mesh_graph[first:].astype(np.int64)
        vertices, faces = (int(graph[0]), int(graph[1])) if graph.size > 1 else (-1, -1)
        edges = vertices + 3 * faces
        if vertices < 1 or faces < 0 or 2 + 2 * vertices + edges + 3 * faces > graph.size:
            raise InvalidModel(f"mesh_graph: the hull of mesh {k} does not fit into the array")
        adr, ids, neighbours, corners = np.split(
            graph[2 : 2 + 2 * vertices + edges + 3 * faces], np.cumsum((vertices, vertices, edges))
        )
        between("mesh_graph", adr, 0, max(edges, 1))
        between("mesh_graph", ids, 0, int(m.mesh_vertnum[k]))
        between("mesh_graph", neighbours, -1, vertices)
        between("mesh_graph", corners, 0, int(m.mesh_vertnum[k]))
        if edges and neighbours[-1] != -1:
            raise InvalidModel(f"mesh_graph: the last list of neighbours of mesh {k} does not end with -1")


@special
def skin_face(m: Any) -> None:
    _owned(m, "skin_face", m.skin_faceadr, m.skin_facenum, m.skin_vertnum)
    some = m.skin_texcoordadr >= 0
    between("skin_texcoordadr", m.skin_texcoordadr, -1, max(m.nskintexvert, 1))
    start("skin_texcoordadr", m.skin_texcoordadr[some], m.skin_vertnum[some], m.nskintexvert)
    skin_of = np.repeat(np.arange(m.nskin), m.skin_bonenum)
    rows = np.concatenate(
        [np.arange(a, a + n) for a, n in zip(m.skin_boneadr.tolist(), m.skin_bonenum.tolist(), strict=True)]
        or [np.zeros(0, int)]
    )
    _owned(m, "skin_bonevertid", m.skin_bonevertadr[rows], m.skin_bonevertnum[rows], m.skin_vertnum[skin_of])


@special
def hfield_adr(m: Any) -> None:
    refuse("hfield_nrow", m.hfield_nrow < 1, m.hfield_nrow, "but a grid needs at least one row")
    refuse("hfield_ncol", m.hfield_ncol < 1, m.hfield_ncol, "but a grid needs at least one column")
    start("hfield_adr", m.hfield_adr, m.hfield_nrow.astype(np.int64) * m.hfield_ncol, m.nhfielddata)


@special
def tex_adr(m: Any) -> None:
    between("tex_nchannel", m.tex_nchannel, 1, 5)
    pixels = m.tex_height.astype(np.float64) * m.tex_width * m.tex_nchannel
    refuse("tex_height", pixels > m.ntexdata, m.tex_height, "which needs more data than the model has")
    start("tex_adr", m.tex_adr, pixels, m.ntexdata)


# ---- flexes --------------------------------------------------------------------------------------------------------------
@special
def flex_interp(m: Any) -> None:
    nodes = np.where(m.flex_interp > 0, (m.flex_interp + 1) ** 3, 0)
    refuse(
        "flex_nodenum",
        (m.flex_interp > 0) & (m.flex_nodenum != nodes) | (m.flex_nodenum > mjMAXFLEXNODES),
        m.flex_nodenum,
        "which is not the number of nodes of a cell",
    )


@special
def flex_elem(m: Any) -> None:
    """Check that elements, edges and shells use vertices of their own flex."""
    vertices, dim, count = m.flex_vertnum, m.flex_dim.astype(np.int64), m.flex_elemnum.astype(np.int64)
    start("flex_elemdataadr", m.flex_elemdataadr, count * (dim + 1), m.nflexelemdata)
    start("flex_elemedgeadr", m.flex_elemedgeadr, count * ELEMENT_EDGES[dim], m.nflexelemedge)
    start("flex_shelldataadr", m.flex_shelldataadr, m.flex_shellnum * dim, m.nflexshelldata)
    _owned(m, "flex_elem", m.flex_elemdataadr, count * (dim + 1), vertices)
    _owned(m, "flex_elemedge", m.flex_elemedgeadr, count * ELEMENT_EDGES[dim], m.flex_edgenum)
    _owned(m, "flex_shell", m.flex_shelldataadr, m.flex_shellnum * dim, vertices)
    _owned(m, "flex_edge", m.flex_edgeadr, m.flex_edgenum, vertices)
    _owned(m, "flex_edgeflap", m.flex_edgeadr, m.flex_edgenum, vertices, -1)

    # texture coordinates, and pairs of elements and vertices
    some = m.flex_texcoordadr >= 0
    _owned(
        m, "flex_elemtexcoord", m.flex_elemdataadr[some], (count * (dim + 1))[some], m.nflextexcoord - m.flex_texcoordadr[some]
    )
    rows = np.concatenate(
        [np.arange(a, a + n) for a, n in zip(m.flex_evpairadr.tolist(), m.flex_evpairnum.tolist(), strict=True)]
        or [np.zeros(0, int)]
    )
    for column, limit in ((0, m.flex_elemnum), (1, vertices)):
        between("flex_evpair", m.flex_evpair[rows, column], 0, np.repeat(limit, m.flex_evpairnum))


@special
def flex_vertbodyid(m: Any) -> None:
    """Check that vertices without a body belong to a flex with nodes."""
    lowest = np.zeros(m.nflexvert, int)
    for f in np.flatnonzero(m.flex_interp):
        lowest[m.flex_vertadr[f] : m.flex_vertadr[f] + m.flex_vertnum[f]] = -1
    x = m.flex_vertbodyid
    refuse("flex_vertbodyid", (x < lowest) | (x >= m.nbody), x, f"but there are {m.nbody} bodies")
