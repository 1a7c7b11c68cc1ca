"""Meshes: loading or generating, convex hulls, normals, polygons, mass properties, conversion to their inertial frames;
packing.

adds   mesh: visual
reads  geom: mesh
"""

import concurrent.futures
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...geom.hull import convex_hull
from ...geom.mesh_kernels import face_boxes, mesh_measure, mesh_normals
from ...geom.mesh_read import MeshError, Raw, check_finite, first_wrong_face, read_mesh
from ...geom.octree import build
from ...geom.polygons import polygon_map, polygons
from ...geom.principal import ABSOLUTE, principal
from ...geom.principal import MESH as ROUGH
from ...geom.row_vectors import cross, dot
from ...machine.systems import processors
from ...tables.compat_rows import holds
from ...tables.enums import mjtMeshInertia
from ..elements.element import Element
from ..elements.elements import compile_error
from ..files.cache import ASSETS, key_of
from ..files.providers import media_type
from ..files.resources import digest_of
from ..language import orient
from ..language.arrays import true_rows
from ..language.types import MESH, SDF, numbers
from .bvh import Nodes, grow_trees
from .distance_field import field_config, field_mesh
from .resolve import Compilation, asset_digest, read_asset
from .timing import BVH, HULL, INERTIA, LOAD, OCTREE, POLYGON, new_timer, timed

CONVEX, EXACT, LEGACY, SHELL = numbers(mjtMeshInertia, "CONVEX", "EXACT", "LEGACY", "SHELL")
MINVAL = 1e-15
# behavior changes of later releases that affect meshes
CHANGES = "axes_relative", "normals_scale", "newell", "mirror_faces", "hull_best", "normal_cells"


class Mesh:
    """A compiled mesh: arrays in its inertial frame, pose of the inertial frame in the file's frame, mass properties, hull,
    bounding volume hierarchy."""

    __slots__ = (
        "vert",
        "face",
        "normal",
        "facenormal",
        "texcoord",
        "facetexcoord",
        "hull_faces",
        "graph",
        "polyadr",
        "polyvert",
        "polynormal",
        "polymap",
        "pos",
        "quat",
        "volume",
        "boxsz",
        "aamm",
        "tree",
        "octree",
        "center",
    )

    def bytes(self) -> int:
        """Return the size of all arrays in bytes."""
        parts = [getattr(self, n, None) for n in self.__slots__]
        parts += [*self.polymap, *(getattr(self.tree, n) for n in Nodes.__slots__)]
        return sum(x.nbytes for x in parts if isinstance(x, np.ndarray))


def compile_meshes(c: Compilation) -> None:
    """Compile all meshes and pack their fields."""
    needs_hull = _needs_hull(c)
    c.mesh.visual = np.ones(c.mesh.n, bool)
    for g in true_rows(c.geom.mesh >= 0):
        if c.geom.contype[g] or c.geom.conaffinity[g]:
            c.mesh.visual[c.geom.mesh[g]] = False
    sdf = np.zeros(c.mesh.n, bool)
    sdf[c.geom.mesh[(c.geom.type == SDF) & (c.geom.mesh >= 0)]] = True
    needs = [(bool(needs_hull[i]), bool(sdf[i] or e.raw["needsdf"])) for i, e in enumerate(c.mesh.elems)]
    c.meshes += _compiled(c, needs)
    c.mesh_pack = pack_meshes(c)


def _compiled(c: Compilation, needs: list[tuple[bool, bool]]) -> list[Mesh] | None:
    """Return the meshes. Meshes that are not in the cache are compiled, on several threads if allowed. If several fail, raise
    the error of the first of these meshes."""
    works = [_prepare(c, e, *need) for e, need in zip(c.mesh.elems, needs, strict=True)]
    todo = list({work.key: work for work in works if work.mesh is None}.values())
    threads = min(len(todo), processors()) if c.spec.compiler.raw["usethread"] else 1
    if threads > 1:
        with concurrent.futures.ThreadPoolExecutor(threads, "mesh") as pool:
            # begin with large meshes: if a large one came last, all other threads would wait for it
            large_first = sorted(todo, key=lambda work: -len(work.source.face) - len(work.source.vert))
            futures = {work.key: pool.submit(_work, work) for work in large_first}
            made = [futures[work.key].result() for work in todo]
    else:
        made = [_work(work) for work in todo]
    found = {}
    for work, (mesh, seconds) in zip(todo, made, strict=True):
        c.timer += seconds
        found[work.key] = mesh
        ASSETS.put(work.key, mesh, mesh.bytes())
    return [found[work.key] if work.mesh is None else work.mesh for work in works]


def _needs_hull(c: Compilation) -> np.ndarray:
    """Return a mask of meshes whose hull is needed: for collision, for a contact pair, or for inertia."""
    g = c.geom
    paired = np.zeros(g.n, bool)
    for e in c.pair.elems:
        for name in (e.raw["geomname1"], e.raw["geomname2"]):
            i = c.find("geom", name)
            if i >= 0:
                paired[i] = True
    out = np.zeros(c.mesh.n, bool)
    for i in true_rows((g.mesh >= 0) & ((g.type == MESH) | (g.type == SDF))):
        if g.contype[i] or g.conaffinity[i] or paired[i] or c.mesh.elems[g.mesh[i]].raw["inertia"] == CONVEX:
            out[g.mesh[i]] = True
    return out


class Work:
    """A mesh to be compiled: the cached result, or everything needed to compute it."""

    __slots__ = ("element", "key", "mesh", "source", "rules", "samples")


def _prepare(c: Compilation, e: Element, needs_hull: bool, needs_sdf: bool) -> Work | None:
    """Return the cached mesh if nothing that affects it has changed; otherwise, return the data needed to compile it."""
    work, raw = Work(), e.raw
    name, about = c.file_of(e, raw["file"]) if raw["file"] else "", _field_text(c, e)
    rules = needs_hull, *(holds(change, c.compat_bits) for change in CHANGES)
    how = bytes((needs_sdf, holds("obj_quads", c.compat_bits), *rules))
    work.element, work.key = e, _key(raw, asset_digest(c, e, name) if name else b"", about, how)
    work.mesh = ASSETS.get(work.key)
    if work.mesh is None:
        # read again: the file may have changed since its digest was computed
        data = read_asset(c, e, name) if name else b""
        work.key = _key(raw, digest_of(data) if name else b"", about, how)
        try:
            with timed(c.timer, LOAD):
                work.source = _source(c, e, data)
        except MeshError as error:
            raise compile_error(e, str(error)) from None
        # if a plugin computes the distance field, the field need not be sampled here
        work.rules, work.samples = rules, needs_sdf and not (raw["plugin"] is not None and raw["plugin"].raw["active"])
    return work


def _work(work: Work) -> tuple[Mesh, np.ndarray] | None:
    """Compile a mesh and return (mesh, seconds of each part). Meshes do not depend on each other, so several threads can do
    this."""
    timer = new_timer()
    try:
        mesh = process(work.element.raw, work.source, *work.rules, timer=timer)
        if work.samples:
            with timed(timer, OCTREE):
                mesh.octree = build(mesh.vert, mesh.face, mesh.aamm, mesh.tree)
    except MeshError as error:
        raise compile_error(work.element, str(error)) from None
    return mesh, timer


def _key(raw: dict[str, Any], digest: bytes, about: bytes, how: bytes) -> bytes:
    return key_of("mesh", raw, ("info", "material", "plugin"), digest, about, how)


def _field_text(c: Compilation, e: Element) -> bytes:
    """Return the part of the cache key that describes a plugin's field: the plugin and its configuration."""
    if e.raw["plugin"] is None or not e.raw["plugin"].raw["active"]:
        return b""
    found, texts = field_config(c, e)
    return repr((found.name, texts)).encode()


def _source(c: Compilation, e: Element, data: bytes) -> Raw | None:
    """Return the uncompiled mesh: from a file, from a signed distance plugin, or from given vertices."""

    # use the arrays given in the element
    raw = e.raw
    given = Raw(_points(raw["uservert"], "vertex", 3).astype(np.float64), _points(raw["userface"], "face", 3, np.int32))
    given.normal = _points(raw["usernormal"], "normal", 3) if len(raw["usernormal"]) else None
    given.texcoord = _points(raw["usertexcoord"], "texcoord", 2) if len(raw["usertexcoord"]) else None
    given.facenormal = _points(raw["userfacenormal"], "facenormal", 3, np.int32) if len(raw["userfacenormal"]) else None
    given.facetexcoord = _points(raw["userfacetexcoord"], "facetexcoord", 3, np.int32) if len(raw["userfacetexcoord"]) else None
    check_finite(given.vert)

    # take the arrays not given from the file
    source = given
    if raw["file"]:
        scale = raw["scale"]
        source = read_mesh(
            data,
            raw["file"],
            raw["content_type"] or media_type(raw["file"]),
            scale[0] * scale[1] * scale[2] > 0,
            holds("obj_quads", c.compat_bits),
        )
        for name in ("normal", "texcoord", "face", "vert", "facenormal", "facetexcoord"):
            mine, theirs = getattr(source, name), getattr(given, name)
            if mine is not None and len(mine) and theirs is not None and len(theirs):
                raise MeshError(f"repeated {name}: both in the file and in the element")
            if mine is None or not len(mine):
                setattr(source, name, theirs)
    elif raw["plugin"] is not None and raw["plugin"].raw["active"]:
        source = field_mesh(c, e)

    _check(source)
    return source


def _points(values: np.ndarray | Sequence[float], name: str, width: int, dtype: type[np.generic] = np.float32) -> np.ndarray:
    if len(values) % width:
        raise MeshError(f"{name} has {len(values)} numbers, a multiple of {width} is expected")
    return np.asarray(values, dtype).reshape(-1, width)


def _check(s: Raw) -> None:
    if len(s.vert) < 4:
        raise MeshError(f"at least 4 vertices are required, got {len(s.vert)}")
    if (
        s.texcoord is not None
        and len(s.texcoord)
        and len(s.texcoord) != len(s.vert)
        and s.facetexcoord is None
        and not s.is_obj
    ):
        raise MeshError("texcoord must have two numbers for each vertex")
    bad = first_wrong_face(s.face, len(s.vert))
    if bad >= 0:
        wrong = next(int(v) for v in s.face[bad] if not 0 <= v < len(s.vert))
        raise MeshError(f"face {bad} refers to vertex {wrong}; there are {len(s.vert)}, counted from 0")


def process(
    raw: dict[str, Any],
    s: Raw,
    needs_hull: bool,
    relative: bool = False,
    turned: bool = False,
    outline: bool = False,
    mirrored: bool = False,
    rest: bool = False,
    cells: bool = False,
    timer: np.ndarray | None = None,
) -> Mesh:
    """Compute hull, normals, polygons, mass properties and bounding volume hierarchy of a mesh; move it to its inertial frame.

    `relative`, `turned`, `outline`, `mirrored`, `rest`, `cells`: the behavior changes listed in CHANGES.
    """

    m = Mesh()
    m.octree = None
    vert = np.array(s.vert, np.float64)
    face = np.ascontiguousarray(s.face, np.int32)

    # make the hull; its faces are used if the mesh has none
    if raw["inertia"] == EXACT:
        _check_orientation(vert, face)
    m.hull_faces, m.graph = None, np.zeros(0, np.int32)
    if needs_hull or not len(face):
        with timed(timer, HULL):
            m.hull_faces, m.graph = convex_hull(vert, raw["maxhullvert"], rest)
    if not len(face):
        face = m.hull_faces.copy()

    # compute normals and texture coordinates
    m.face = face
    _normals(m, raw, s, vert, face)
    m.texcoord = s.texcoord if s.texcoord is not None else np.zeros((0, 2), np.float32)
    m.facetexcoord = s.facetexcoord if s.facetexcoord is not None else face if len(m.texcoord) else np.zeros_like(face)

    # a negative scale turns faces inside out
    if mirrored and np.prod(np.sign(raw["scale"])) < 0:
        # faces of a file were reversed when it was read, but normals of faces in MuJoCo's own format were not
        names = ("hull_faces",) if raw["file"] and len(s.face) else ("hull_faces", "face", "facenormal", "facetexcoord")
        own = len(names) == 1 and raw["file"].lower().endswith(".msh") and s.facenormal is not None
        _mirror(m, (*names, "facenormal") if own else names)
        face = m.face

    # compute polygons and mass properties
    with timed(timer, POLYGON):
        triangles = m.hull_faces if m.hull_faces is not None else face[:0] if cells else face
        m.polyadr, m.polyvert = polygons(vert, triangles, cells)
    vert = _transform(raw, m, vert, turned)
    with timed(timer, INERTIA):
        _inertia(raw, m, vert, face, s.fixed_frame, ROUGH if relative else ABSOLUTE)

    # prepare data for collision
    m.polynormal = _outline_normals(m) if outline else _polygon_normals(m)
    m.polymap = polygon_map(m.polyadr, m.polyvert, len(m.vert))
    with timed(timer, BVH):
        _tree(m)
    return m


def _mirror(m: Mesh, fields: Sequence[str]) -> None:
    """Reverse the vertex order of triangles."""
    for name in fields:
        faces = getattr(m, name)
        if faces is not None:
            setattr(m, name, np.ascontiguousarray(faces[:, [0, 2, 1]]))


def _check_orientation(vert: np.ndarray, face: np.ndarray) -> None:
    """Raise MeshError if two triangles have the same directed edge."""
    a, b, c = vert[face[:, 0]], vert[face[:, 1]], vert[face[:, 2]]
    area = 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1)
    f = face[area > np.sqrt(MINVAL)].astype(np.int64)
    edges = np.concatenate((f[:, [0, 1]], f[:, [1, 2]], f[:, [2, 0]]))
    keys = np.sort(edges[:, 0] * len(vert) + edges[:, 1])
    twice = true_rows(keys[1:] == keys[:-1])
    if len(twice):
        p, q = divmod(int(keys[twice[0]]), len(vert))
        raise MeshError(f"faces have inconsistent orientation, see those with vertices {p + 1} and {q + 1}")


def _normals(m: Mesh, raw: dict[str, Any], s: Raw, vert: np.ndarray, face: np.ndarray) -> None:
    """Set vertex normals, and the normal indices of faces: as given, or computed."""

    facenormal = s.facenormal
    if s.normal is None or not len(s.normal):
        normal, removed = np.zeros(3 * len(vert)), np.zeros(3 * len(vert))
        mesh_normals(
            vert.ctypes.data,
            len(vert),
            face.ctypes.data,
            len(face),
            int(raw["smoothnormal"]),
            normal.ctypes.data,
            removed.ctypes.data,
        )
        m.normal = normal.reshape(-1, 3).astype(np.float32)
        facenormal = face
    else:
        m.normal = np.array(s.normal, np.float32)

    # a file may have several normals for each vertex
    if facenormal is not None and len(facenormal) and facenormal.shape != face.shape:
        raise MeshError("faces and face normals differ in number")
    if facenormal is None or not len(facenormal):
        facenormal = (len(m.normal) // len(vert)) * face
    m.facenormal = np.ascontiguousarray(facenormal, np.int32)


def _transform(raw: dict[str, Any], m: Mesh, vert: np.ndarray, turned: bool) -> np.ndarray:
    """Apply offset, rotation and scale of the asset."""
    f4 = np.float32
    if any(raw["refpos"]):
        vert = vert - np.asarray(raw["refpos"])
    quat = tuple(raw["refquat"])
    if quat != (1.0, 0.0, 0.0, 0.0):
        r = np.array(orient.matrix(orient.normal(quat)[0])).reshape(3, 3)
        vert = _turn(vert, r.T)
        m.normal = _turn(m.normal.astype(np.float64), r.T).astype(f4)
    scale = np.asarray(raw["scale"], np.float64)
    if (scale != 1).any():
        vert = vert * scale
        m.normal = (m.normal / scale if turned else m.normal * scale).astype(f4)
    n = m.normal
    length = n[:, 0] * n[:, 0] + n[:, 1] * n[:, 1] + n[:, 2] * n[:, 2]
    ok = length > MINVAL
    with np.errstate(all="ignore"):
        n = n * np.where(ok, f4(1) / np.sqrt(length), f4(0))[:, None]
    n[~ok] = (0, 0, 1)
    m.normal = n
    return np.ascontiguousarray(vert)


def _turn(v: np.ndarray, r: np.ndarray) -> np.ndarray:
    """Multiply vectors (n, 3) by a matrix. The products are summed in a fixed order, for reproducible bits."""
    return v[:, 0, None] * r[:, 0] + v[:, 1, None] * r[:, 1] + v[:, 2, None] * r[:, 2]


def _inertia(raw: dict[str, Any], m: Mesh, vert: np.ndarray, face: np.ndarray, fixed: bool, rule: int) -> None:
    """Compute volume or area, and the box with the same inertia; move the vertices to the principal frame."""

    # compute surface, volume, center of mass and second moments
    mode = raw["inertia"]
    solid = np.ascontiguousarray(m.hull_faces if mode == CONVEX and m.hull_faces is not None else face, np.int32)
    out = np.zeros(12)
    mesh_measure(vert.ctypes.data, len(vert), face.ctypes.data, len(face), solid.ctypes.data, len(solid), mode, out.ctypes.data)
    if not out[0] >= MINVAL:
        raise MeshError("the surface area is too small")
    if not out[1] >= MINVAL:
        if mode == SHELL:
            raise MeshError("the surface area is too small")
        raise MeshError(
            "the volume is negative (triangles face inwards)"
            if out[1] < 0
            else "the volume is too small; inertia='shell' would use the surface"
        )

    # compute the principal moments
    com, p, m.volume = out[2:5].copy(), out[5:11], float(out[11])
    inert = np.array([[p[1] + p[2], p[0] + p[2], p[0] + p[1], -p[3], -p[4], -p[5]]])
    moments, quats = principal(inert, rule)
    (x, y, z), quat = moments[0], tuple(quats[0].tolist())
    if z <= 0:
        raise MeshError("an eigenvalue of the inertia is not positive")
    slack = 1e-9
    for a, b, big in ((x, y, z), (x, z, y), (y, z, x)):
        if a + b < big * (1.0 - 1e-6) - slack:
            raise MeshError("the eigenvalues of the inertia violate A + B >= C")

    # compute the box with the same inertia
    with np.errstate(invalid="ignore"):
        m.boxsz = tuple(0.5 * np.sqrt(6 * np.array([y + z - x, x + z - y, x + y - z]) / m.volume))

    # express the vertices in the principal frame
    if fixed:
        com, quat = np.zeros(3), orient.UNIT
    back = np.array(orient.matrix((quat[0], -quat[1], -quat[2], -quat[3]))).reshape(3, 3)
    m.vert = np.ascontiguousarray(_turn(vert - com, back))
    m.normal = _turn(m.normal.astype(np.float64), back).astype(np.float32)
    m.pos, m.quat = tuple(com.tolist()), quat
    # the box always contains the origin, as in MuJoCo
    m.aamm = np.concatenate((np.minimum(m.vert.min(0), AAMM_START[0]), np.maximum(m.vert.max(0), AAMM_START[1])))


AAMM_START = (1e10, -1e10)


def _polygon_normals(m: Mesh) -> np.ndarray:
    a, b, d = (m.vert[m.polyvert[m.polyadr + k]] for k in range(3))
    n = cross(b - a, d - a)
    length = np.sqrt(dot(n, n))
    n[length < 1e-14] = (1, 0, 0)
    with np.errstate(all="ignore"):
        return n / length[:, None]


def _outline_normals(m: Mesh) -> np.ndarray:
    """Return polygon normals that take all corners into account (M. Newell's method; I. Sutherland, R. Sproull, R. Schumacker,
    1974)."""
    if not len(m.polyadr):
        return np.zeros((0, 3))
    last = np.append(m.polyadr[1:], len(m.polyvert)) - 1
    after = np.arange(1, len(m.polyvert) + 1)
    after[last] = m.polyadr
    v = m.vert[m.polyvert]
    # projected areas, relative to the first corner of each polygon
    v = v - np.repeat(v[m.polyadr], last + 1 - m.polyadr, axis=0)
    n = np.add.reduceat(np.cross(v, v[after]), m.polyadr)
    length = np.sqrt((n * n).sum(1))
    n[length < 1e-14] = (1, 0, 0)
    with np.errstate(all="ignore"):
        return n / np.sqrt((n * n).sum(1))[:, None]


def _tree(m: Mesh) -> None:
    """Build the hierarchy over faces, split by their circumcenters."""
    boxes = np.empty((len(m.face), 9))
    face_boxes(m.vert.ctypes.data, len(m.vert), m.face.ctypes.data, len(m.face), boxes.ctypes.data)
    m.tree = grow_trees(boxes, (len(boxes),))[0]


def pack_meshes(c: Compilation) -> dict:
    """Return {sizes, fields, parts} of all meshes; `parts` are fields whose value is a list with one array for each mesh."""
    ms = c.meshes
    maps = [m.polymap for m in ms]
    sizes, fields, parts = {}, {}, {}

    def lay(num: str | None, adr: str, size: str, counts: Any, missing: bool = False) -> np.ndarray:
        counts = np.array(counts, dtype=np.int64)
        start = np.cumsum(counts) - counts
        if num:
            fields[num] = counts
        fields[adr] = np.where(counts > 0, start, -1) if missing else start
        sizes[size] = int(counts.sum())
        return start

    lay("mesh_vertnum", "mesh_vertadr", "nmeshvert", [len(m.vert) for m in ms])
    lay("mesh_normalnum", "mesh_normaladr", "nmeshnormal", [len(m.normal) for m in ms])
    lay("mesh_texcoordnum", "mesh_texcoordadr", "nmeshtexcoord", [len(m.texcoord) for m in ms], True)
    lay("mesh_facenum", "mesh_faceadr", "nmeshface", [len(m.face) for m in ms])
    lay(None, "mesh_graphadr", "nmeshgraph", [len(m.graph) for m in ms], True)
    lay("mesh_polynum", "mesh_polyadr", "nmeshpoly", [len(m.polyadr) for m in ms])
    polyvert = np.cumsum([0] + [len(m.polyvert) for m in ms])
    polymap = np.cumsum([0] + [len(p[2]) for p in maps])
    sizes["nmeshpolyvert"], sizes["nmeshpolymap"] = int(polyvert[-1]), int(polymap[-1])
    parts["mesh_polyvertadr"] = [m.polyadr + o for m, o in zip(ms, polyvert)]
    parts["mesh_polyvertnum"] = [np.diff(np.append(m.polyadr, len(m.polyvert))) for m in ms]
    parts["mesh_polymapadr"] = [p[0] + o for p, o in zip(maps, polymap)]
    parts["mesh_polymapnum"] = [p[1] for p in maps]
    for name, width in (
        ("vert", 3),
        ("normal", 3),
        ("texcoord", 2),
        ("face", 3),
        ("facenormal", 3),
        ("facetexcoord", 3),
        ("graph", 0),
        ("polynormal", 3),
        ("polyvert", 0),
    ):
        parts["mesh_" + name] = [np.reshape(getattr(m, name), (-1, width) if width else -1) for m in ms]
    parts["mesh_polymap"] = [p[2] for p in maps]
    fields["mesh_pos"] = np.array([m.pos for m in ms])
    fields["mesh_quat"] = np.array([m.quat for m in ms])
    fields["mesh_scale"] = c.mesh.scale
    return {"sizes": sizes, "fields": fields, "parts": parts}
