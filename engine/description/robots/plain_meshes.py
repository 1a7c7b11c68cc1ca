"""Simple mesh formats: STL (binary and ASCII), PLY, OFF."""

import re
from typing import Any

import numpy as np

from ...geom.mesh_read import MeshError, decoded
from ...geom.mesh_text import corners_in, numbers_in
from .parts import Part, cut

# Data types of PLY.
TYPES = {
    "char": "i1", "int8": "i1", "uchar": "u1", "uint8": "u1", "short": "i2", "int16": "i2", "ushort": "u2", "uint16": "u2",
    "int": "i4", "int32": "i4", "uint": "u4", "uint32": "u4", "float": "f4", "float32": "f4", "double": "f8", "float64": "f8",
}  # fmt: skip
# Strings longer than this, in bytes, are converted to numbers by compiled code.
LONG = 1 << 12
ORDERS = {"binary_little_endian": "<", "binary_big_endian": ">"}


def read_stl(data: bytes) -> list[Part]:
    """Read an STL of either type, whatever its header says. Correct a count that does not match the file's size."""
    count = int(np.frombuffer(data, "<u4", 1, 80)[0]) if len(data) >= 84 else 0
    if len(data) != 84 + 50 * count:
        text = decoded(data) if data[:3] in (b"\xef\xbb\xbf",) or data[:2] in (b"\xff\xfe", b"\xfe\xff") else data
        if text.lstrip()[:5].lower() == b"solid" and b"vertex" in text.lower():
            return [_ascii_stl(text)]
    if len(data) == 84 and not count:
        raise MeshError("the STL file has no triangles")
    if len(data) < 134:
        raise MeshError(f"{len(data)} bytes are not an STL file")
    count = min(count, (len(data) - 84) // 50) or (len(data) - 84) // 50
    rows = np.frombuffer(data, np.uint8, 50 * count, 84).reshape(count, 50)
    vert = np.ascontiguousarray(rows[:, 12:48]).view("<f4").reshape(-1, 3).astype(np.float64)
    return [Part(vert, np.arange(3 * count, dtype=np.int32).reshape(-1, 3))]


def _ascii_stl(text: bytes) -> Part:
    vert = corners_in(text)
    vert = vert[: len(vert) // 3 * 3]
    if not len(vert):
        raise MeshError("the ASCII STL file has no triangles")
    return Part(vert, np.arange(len(vert), dtype=np.int32).reshape(-1, 3))


def numbers_of(text: bytes, count: int = -1) -> np.ndarray:
    """Return all numbers of a string that contains only numbers and spaces; MeshError for anything else, or if there are not
    `count` of them."""
    if len(text) > LONG and (found := numbers_in(text)) is not None and count in (-1, len(found)):
        return found
    try:
        found = np.array(text.split(), np.float64)
    except ValueError as error:
        raise MeshError(f"a number cannot be read: {error}") from None
    if count >= 0 and len(found) != count:
        raise MeshError(f"{len(found)} numbers, {count} expected")
    return found


def read_off(data: bytes) -> list[Part]:
    """Read OFF: counts, vertices, polygons; colors are ignored."""
    text = re.sub(rb"#[^\n]*", b"", decoded(data))
    head = re.match(rb"\s*(ST)?(C)?(N)?(4)?OFF\b", text)
    lines = [line for line in text[head.end() if head else 0 :].splitlines() if line.strip()]
    if not lines:
        raise MeshError("the OFF file is empty")
    counts = [int(x) for x in lines[0].split()[:2]]
    if len(counts) < 2 or len(lines) < 1 + sum(counts):
        raise MeshError("the OFF file is shorter than its counts say")
    vert = np.array([[float(x) for x in line.split()[:3]] for line in lines[1 : 1 + counts[0]]])
    corners, sizes = [], []
    for line in lines[1 + counts[0] : 1 + sum(counts)]:
        words = line.split()
        sizes.append(int(words[0]))
        corners += [int(x) for x in words[1 : 1 + sizes[-1]]]
    return [Part(vert, cut(vert, np.array(sizes), np.array(corners, np.int32)).astype(np.int32))]


def read_ply(data: bytes) -> list[Part]:
    """Read PLY, ASCII or binary: vertices and faces. The mean color of the vertices or faces becomes the part's
    color."""
    end = re.search(rb"end_header[ \t]*\r?\n", data)
    if not data.startswith(b"ply") or end is None:
        raise MeshError("the PLY header is missing")
    order, elements = "", []
    for line in data[: end.start()].decode("ascii", "replace").splitlines():
        words = line.split()
        if words[:1] == ["format"]:
            order = words[1]
        elif words[:1] == ["element"]:
            elements.append((words[1], int(words[2]), []))
        elif words[:1] == ["property"] and elements:
            elements[-1][2].append(words[1:])
    body, at = data[end.end() :], 0
    words = body.split() if order == "ascii" else []
    table: dict[str, Any] = {}
    for name, count, properties in elements:
        if order == "ascii":
            table[name], at = _ascii_rows(words, at, count, properties)
        elif order in ORDERS:
            table[name], at = _binary_rows(body, at, count, properties, ORDERS[order])
        else:
            raise MeshError(f"unknown PLY format '{order}'")
    return [_ply_part(table)]


def _ply_part(table: dict[str, Any]) -> Part:
    vertex, face = table.get("vertex", {}), table.get("face", {})
    if not {"x", "y", "z"} <= set(vertex):
        raise MeshError("the PLY file has no vertices")
    sizes, corners = next(
        (face[k] for k in ("vertex_indices", "vertex_index") if k in face), (np.zeros(0, int), np.zeros(0, int))
    )
    vert = np.stack([vertex[k] for k in "xyz"], 1).astype(np.float64)
    part = Part(vert, cut(vert, sizes, corners).astype(np.int32))
    colored = next((rows for rows in (vertex, face) if {"red", "green", "blue"} <= set(rows) and len(rows["red"])), None)
    if colored is not None and len(part.vert):
        colors = np.stack([colored[k] for k in ("red", "green", "blue")], 1).astype(float)
        scale = 255.0 if colors.max() > 1 else 1.0
        part.rgba = (*(colors.mean(0) / scale).tolist(), 1.0)
    return part


def _ascii_rows(words: list[bytes], at: int, count: int, properties: list[list[str]]) -> tuple[dict[str, Any], int]:
    columns: dict = {p[-1]: [] for p in properties}
    sizes: dict = {p[-1]: [] for p in properties if p[0] == "list"}
    if not sizes:
        width = len(properties)
        rows = np.array(words[at : at + width * count], np.float64).reshape(count, width)
        return {p[-1]: rows[:, k] for k, p in enumerate(properties)}, at + width * count
    for _ in range(count):
        for p in properties:
            if p[0] == "list":
                n = _length(words[at])
                sizes[p[-1]].append(n)
                columns[p[-1]] += words[at + 1 : at + 1 + n]
                at += 1 + n
            else:
                columns[p[-1]].append(words[at])
                at += 1
    out = {k: np.array(v, np.float64) for k, v in columns.items() if k not in sizes}
    return out | {k: (np.array(n), np.array(columns[k], np.float64).astype(np.int64)) for k, n in sizes.items()}, at


def _binary_rows(body: bytes, at: int, count: int, properties: list[list[str]], order: str) -> tuple[dict[str, Any], int]:
    if not any(p[0] == "list" for p in properties):
        kind = np.dtype([(p[-1], order + TYPES[p[0]]) for p in properties])
        rows = np.frombuffer(body, kind, count, at)
        return {p[-1]: rows[p[-1]] for p in properties}, at + kind.itemsize * count
    if (uniform := _uniform_rows(body, at, count, properties, order)) is not None:
        return uniform
    columns: dict = {p[-1]: [] for p in properties}
    sizes: dict = {p[-1]: [] for p in properties if p[0] == "list"}
    for _ in range(count):
        for p in properties:
            n = 1
            if p[0] == "list":
                size = np.dtype(order + TYPES[p[1]])
                n, at = _length(np.frombuffer(body, size, 1, at)[0]), at + size.itemsize
                sizes[p[-1]].append(n)
            kind = np.dtype(order + TYPES[p[-2]])
            columns[p[-1]].append(np.frombuffer(body, kind, n, at))
            at += n * kind.itemsize
    out = {k: np.concatenate(v) if v else np.zeros(0) for k, v in columns.items()}
    return {k: (np.array(sizes[k]), v.astype(np.int64)) if k in sizes else v for k, v in out.items()}, at


def _length(word: Any) -> int:
    """Return the length of a list; MeshError if it is negative, because reading would then go backward."""
    n = int(word)
    if n < 0:
        raise MeshError(f"a list of the PLY file has {n} items")
    return n


def _uniform_rows(
    body: bytes, at: int, count: int, properties: list[list[str]], order: str
) -> tuple[dict[str, Any], int] | None:
    """Return rows whose lists all have the same length, read at once; None if the lengths differ."""
    if [p[0] for p in properties] != ["list"] or not count:
        return None
    (_, size, item, name) = properties[0]
    n = int(np.frombuffer(body, order + TYPES[size], 1, at)[0])
    kind = np.dtype([("n", order + TYPES[size]), ("items", order + TYPES[item], (n,))])
    if at + kind.itemsize * count > len(body):
        return None
    rows = np.frombuffer(body, kind, count, at)
    if not (rows["n"] == n).all():
        return None
    return {name: (rows["n"].astype(np.int64), rows["items"].reshape(-1).astype(np.int64))}, at + kind.itemsize * count
