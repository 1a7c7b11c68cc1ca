"""Reads mesh files as arrays: STL, OBJ or MSH (binary), selected by content type.

Some formats that MuJoCo rejects are accepted: ASCII STL, and OBJ files with a byte order mark or keywords in capitals.
"""

import codecs
import re
from typing import Any

import numpy as np

from .mesh_kernels import mesh_weld
from .mesh_obj import parse_obj

# largest number of faces in an STL file that MuJoCo reads
MOST_FACES = 200000
# OBJ lines whose keywords are used, but which are written in capitals
CAPITALS = re.compile(rb"^[ \t]*(?:V|VN|VT|F|O|G)(?=[ \t])", re.MULTILINE)
ENCODINGS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
TYPES = {".stl": "model/stl", ".obj": "model/obj", ".msh": "model/vnd.mujoco.msh"}


class MeshError(ValueError):
    """Error for a mesh that cannot be used. The caller adds file and line."""


class Raw:
    """Mesh data of a file: vertices (n, 3) float64, faces (m, 3). Normals, texture coordinates and their faces may be None."""

    __slots__ = ("vert", "face", "normal", "texcoord", "facenormal", "facetexcoord", "is_obj", "fixed_frame")
    normal: np.ndarray | None
    texcoord: np.ndarray | None
    facenormal: np.ndarray | None
    facetexcoord: np.ndarray | None

    def __init__(self, vert: np.ndarray | None = None, face: np.ndarray | None = None) -> None:
        self.vert = np.zeros((0, 3)) if vert is None else vert
        self.face = np.zeros((0, 3), np.int32) if face is None else face
        self.normal = self.texcoord = self.facenormal = self.facetexcoord = None
        self.is_obj = False
        # True if the mesh comes from a signed distance field and keeps its frame. Others move to principal inertia frames.
        self.fixed_frame = False


def type_of(name: str, content_type: str) -> str:
    """Return the given content type, or else the type that the file name's extension implies."""
    if content_type:
        return content_type.partition(";")[0].strip()
    dot = name.rfind(".")
    return TYPES.get(name[dot:].lower(), "") if dot >= 0 else ""


def read_mesh(data: bytes, name: str, content_type: str, righthand: bool, later: bool = False) -> Raw:
    """Return the raw mesh stored in the bytes of a file; see `read_obj` for `later`."""
    kind = type_of(name, content_type)
    reader = {"model/stl": read_stl, "model/obj": read_obj, "model/vnd.mujoco.msh": read_msh}.get(kind)
    if reader is None:
        raise MeshError(f"unknown or unsupported mesh file (content type '{kind}')")
    raw = read_obj(data, righthand, later) if reader is read_obj else reader(data, righthand)
    check_finite(raw.vert)
    return raw


def check_finite(vert: np.ndarray) -> None:
    """Raise MeshError if a vertex is not finite; the message names the first such vertex."""
    bad = ~np.isfinite(vert).all(1)
    if bad.any():
        raise MeshError(f"vertex {int(np.argmax(bad))} is not finite")


def first_wrong_face(face: np.ndarray, count: int) -> int:
    """Return the index of the first face with a vertex index outside 0 .. count - 1, or -1 if there is none."""
    if not len(face) or face.min() >= 0 and face.max() < count:
        return -1
    return int(np.argmax(((face < 0) | (face >= count)).any(1)))


def weld(vert: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (distinct vertices in order of appearance, index of each vertex among them)."""
    v = np.ascontiguousarray(vert, np.float32)
    n = len(v)
    # Replace negative zero by zero.
    bits = (v + np.float32(0)).view(np.int32)
    slots = 1 << max(4, (2 * n - 1).bit_length())
    table, first = np.empty(slots, np.int32), np.zeros(2 * n, np.int32)
    count = mesh_weld(bits.ctypes.data, n, table.ctypes.data, slots, first.ctypes.data)
    return v[first[n : n + count]], first[:n]


def read_stl(data: bytes, righthand: bool) -> Raw:
    """Read STL triangles, and merge equal vertices."""
    count = int(np.frombuffer(data, "<i4", 1, 80)[0]) if len(data) >= 84 else 0
    head = decoded(data[:1000]).lower().lstrip()
    if len(data) != 84 + 50 * count and head.startswith(b"solid") and b"facet" in head:
        vert = _ascii_vertices(decoded(data))
    else:
        vert = _binary_vertices(data, count)
    if not (np.abs(vert) <= 2.0**30).all():
        raise MeshError(f"vertex {int(np.argmax(~(np.abs(vert) <= 2.0**30).all(1)))} is out of bounds")
    distinct, index = weld(vert)
    face = index.reshape(-1, 3)
    if not righthand:
        face = face[:, [0, 2, 1]]
    if len(distinct) == len(vert):
        distinct = vert
    return Raw(distinct.astype(np.float64), np.ascontiguousarray(face, np.int32))


def _binary_vertices(data: bytes, count: int) -> Any:
    """Return the corners of the triangles of a binary STL file (3 * count, 3)."""
    if len(data) < 84:
        raise MeshError(f"{len(data)} bytes, but the header of an STL file has 84")
    if not 1 <= count <= MOST_FACES:
        raise MeshError(f"{count} faces: a binary STL file must have between 1 and {MOST_FACES}")
    if len(data) != 84 + 50 * count:
        raise MeshError(f"{len(data)} bytes, {84 + 50 * count} expected for {count} faces of a binary STL file")
    rows = np.frombuffer(data, np.uint8, offset=84).reshape(count, 50)
    return np.ascontiguousarray(rows[:, 12:48]).view("<f4").reshape(-1, 3)


def _ascii_vertices(data: bytes) -> Any:
    """Return the corners of the triangles of an ASCII STL file (3 * faces, 3)."""
    rows = []
    for number, line in enumerate(data.splitlines(), 1):
        word, *words = line.split() or [b""]
        if word.lower() != b"vertex":
            continue
        try:
            x, y, z = map(float, words)
        except ValueError:
            raise MeshError(f"line {number} of the ASCII STL file: a vertex has three numbers, got {_quoted(line)}") from None
        rows.append((x, y, z))
    if not rows or len(rows) % 3:
        raise MeshError(f"the ASCII STL file has {len(rows)} vertices; faces need three each")
    if len(rows) > 3 * MOST_FACES:
        raise MeshError(f"{len(rows) // 3} faces: an STL file must have between 1 and {MOST_FACES}")
    with np.errstate(over="ignore"):
        return np.array(rows, np.float64).astype(np.float32)


def decoded(data: bytes) -> bytes:
    """Convert a text file to UTF-8 without a byte order mark."""
    for mark, encoding in ENCODINGS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace").encode()
    return data


def _quoted(line: Any) -> Any:
    return repr(line.strip()[:60].decode("utf-8", "replace"))


def read_obj(data: bytes, righthand: bool, later: bool = False) -> Raw:
    """Read Wavefront OBJ: the first group with faces. See `mesh_obj.obj_read` for `later`."""
    parsed = parse_obj(data, later)
    if parsed is None or not _is_whole(parsed):
        # MuJoCo's reader would skip a first line with a byte order mark, and lines with keywords in capitals: normalize both.
        plain = CAPITALS.sub(lambda found: found[0].lower(), decoded(data))
        parsed = (parse_obj(plain, later) if plain != data else None) or parsed
        if parsed is None:
            raise MeshError(_first_fault(plain))

    vert, normal, tex, tri = parsed
    if not righthand:
        tri = tri[:, [0, 2, 1]]
    raw = Raw(vert, np.ascontiguousarray(tri[:, :, 0], np.int32))
    raw.is_obj = True
    if len(normal):
        raw.normal = normal.astype(np.float32)
        raw.facenormal = np.ascontiguousarray(tri[:, :, 1], np.int32)
    if len(tex):
        raw.texcoord = texcoord = tex.astype(np.float32)
        texcoord[:, 1] = 1 - texcoord[:, 1]
        raw.facetexcoord = np.ascontiguousarray(tri[:, :, 2], np.int32)
    return raw


def _is_whole(parsed: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]) -> bool:
    """Return whether a parsed OBJ file has at least four vertices, and every vertex that its faces refer to."""
    return parsed is not None and len(parsed[0]) >= 4 and first_wrong_face(parsed[3][:, :, 0], len(parsed[0])) < 0


def _first_fault(data: bytes) -> Any:
    """Describe the error in an OBJ file that cannot be parsed: its first face line with an invalid index."""
    for number, line in enumerate(data.splitlines(), 1):
        word, *corners = line.split() or [b""]
        if word == b"f" and any(re.fullmatch(rb"[+-]?0*[1-9]\d*(/[+-]?\d*){0,2}", corner) is None for corner in corners):
            return f"line {number} of the OBJ file is not a face: {_quoted(line)}"
    return "the OBJ file cannot be parsed"


def read_msh(data: bytes, righthand: bool) -> Raw:
    """Read binary MSH: counts, then vertices, normals, texture coordinates, faces."""
    if len(data) < 16:
        raise MeshError("the MSH header is missing")
    nv, nn, nt, nf = (int(n) for n in np.frombuffer(data, "<i4", 4))
    if nv < 4 or min(nf, nn, nt) < 0 or nn not in (0, nv) or nt not in (0, nv):
        raise MeshError(f"impossible sizes in the MSH header: {nv} {nn} {nt} {nf}")
    if len(data) != 16 + 12 * nv + 12 * nn + 8 * nt + 12 * nf:
        raise MeshError(f"the MSH file has {len(data)} bytes, {16 + 12 * nv + 12 * nn + 8 * nt + 12 * nf} expected")

    # Read the sections in order; all but the vertices are optional.
    at = 16
    raw = Raw(np.frombuffer(data, "<f4", 3 * nv, at).reshape(-1, 3).astype(np.float64))
    at += 12 * nv
    if nn:
        raw.normal = np.frombuffer(data, "<f4", 3 * nn, at).reshape(-1, 3).copy()
        at += 12 * nn
    if nt:
        raw.texcoord = np.frombuffer(data, "<f4", 2 * nt, at).reshape(-1, 2).copy()
        at += 8 * nt
    if nf:
        face = np.frombuffer(data, "<i4", 3 * nf, at).reshape(-1, 3)
        raw.face = np.ascontiguousarray(face if righthand else face[:, [0, 2, 1]], np.int32)
        raw.facenormal = face.copy()
        raw.facetexcoord = face.copy() if nt else None
    return raw


def obj_lines(data: bytes) -> tuple[np.ndarray, np.ndarray]:
    """Return (vertices (n, 3), pairs of vertices (k, 2)) of the lines of an OBJ file's first shape (since 3.10).

    Unused vertices are dropped, and equal ones merged. MeshError if there are no lines, or if one refers to a missing vertex.
    """
    points, ends = [], []
    for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1):
        kind, *words = line.partition("#")[0].split() or [""]
        if kind in ("o", "g") and ends:
            break
        try:
            if kind == "v":
                points.append([float(np.float32(word)) for word in words[:3]])
            elif kind == "l":
                found = [int(word.partition("/")[0]) for word in words]
                found = [k - 1 if k > 0 else len(points) + k for k in found]
                ends += zip(found, found[1:], strict=False)
        except ValueError:
            raise MeshError(f"line {number} is not a list of numbers: {line.strip()[:40]!r}") from None

    # Check the parsed lines.
    vert, pairs = np.array(points, np.float64), np.array(ends, np.int64).reshape(-1, 2)
    if not len(pairs):
        raise MeshError("the file must have lines")
    if vert.ndim != 2 or vert.shape[1] != 3 or not np.isfinite(vert).all():
        raise MeshError("a vertex must have three numbers")
    if pairs.min() < 0 or pairs.max() >= len(vert):
        raise MeshError(f"a line has vertex {int(pairs.max()) + 1}, the file has {len(vert)}")

    # Keep only vertices that lines use.
    used = np.unique(pairs)
    kept, place = weld(vert[used])
    return np.array(kept, np.float64), place[np.searchsorted(used, pairs)]
