"""Reads Gmsh files (2.2 and 4.1, text and binary) with one block of nodes and one block of triangles or tetrahedra."""

import re
from typing import Any

import numpy as np

from .mesh_read import MeshError

LIMIT = 2**31 // 4
# {element type: number of nodes}
NODES = {1: 2, 2: 3, 4: 4}
HEADER41 = 52


def read_gmsh(data: bytes) -> tuple[int, np.ndarray, np.ndarray]:
    """Return (dim, points (n, 3), elements (m, dim + 1)); MeshError for a malformed file."""
    if not data:
        raise MeshError("the GMSH file is empty")
    if not data.startswith(b"$MeshFormat"):
        raise MeshError("a GMSH file must begin with $MeshFormat")
    header = re.match(rb"\s*([-+.\deE]+)\s+([-+]?\d+)", data[11:80])
    try:
        if header is None:
            raise ValueError
        version, binary = round(100 * float(header[1])), int(header[2])
    except ValueError:
        raise MeshError("the GMSH file header cannot be read") from None
    if version not in (220, 410):
        raise MeshError("only versions 4.1 and 2.2 of GMSH files are supported")
    nodes, elements = _section(data, b"Nodes"), _section(data, b"Elements")
    if version == 410:
        return _binary41(nodes, elements) if binary else _text41(nodes, elements)
    return _binary22(nodes, elements) if binary else _text22(nodes, elements)


def _section(data: bytes, name: bytes) -> Any:
    begin = data.find(b"$" + name)
    if begin < 0:
        raise MeshError(f"the GMSH file has no ${name.decode()}")
    begin += len(name) + 2
    end = data.find(b"$End" + name)
    if end < begin:
        raise MeshError(f"the GMSH file has no $End{name.decode()} after ${name.decode()}")
    return data[begin:end]


class _Words:
    """Reads the numbers of a text section one after another."""

    def __init__(self, section: Any, what: str) -> None:
        self.words, self.at, self.what = section.split(), 0, what
        if self.words and not section[-1:].isspace():
            # The last number may be cut off, so drop it.
            self.words.pop()

    def take(self, n: int, kind: type[np.generic] = np.int64, what: str | None = None) -> np.ndarray:
        """Return the next n numbers as an array."""
        words = self.words[self.at : self.at + n]
        self.at += n
        try:
            if len(words) < n:
                raise ValueError
            return np.array(words).astype(kind) if n else np.zeros(0, kind)
        except (ValueError, OverflowError):
            raise MeshError(f"error reading {what or self.what}") from None


def _check41(blocks: int, total: int, inblock: Any, dim: int, what: str) -> None:
    if total < 0 or total >= LIMIT:
        raise MeshError(f"invalid number of {what}")
    if blocks != 1 or total != inblock:
        raise MeshError(f"all {what} must be in a single block")
    if not 1 <= dim <= 3:
        raise MeshError("the entity must be 1D, 2D or 3D")


def _check_type(dim: int, nodes_dim: Any, kind: Any) -> None:
    if dim != nodes_dim:
        raise MeshError("inconsistent dimensionality in Elements")
    if {1: 1, 2: 2, 3: 4}[dim] != kind:
        raise MeshError("the element type is inconsistent with the dimensionality")


def _sequential(tags: Any, first: Any) -> None:
    if (tags != np.arange(len(tags)) + first).any():
        raise MeshError("node tags must be sequential")


def _text41(nodes: Any, elements: Any) -> Any:
    w = _Words(nodes, "Nodes header")
    blocks, total, first, last, dim, _, _, inblock = w.take(8).tolist()
    _check41(blocks, total, inblock, dim, "nodes")
    if last != inblock:
        raise MeshError("the largest node tag must be the number of nodes")
    _sequential(w.take(total, what="node tags"), first)
    points = w.take(3 * total, np.float64, "node coordinates").reshape(-1, 3)
    w = _Words(elements, "Elements header")
    blocks, count, _, _, edim, _, kind, inblock = w.take(8).tolist()
    _check41(blocks, count, inblock, edim, "elements")
    _check_type(edim, dim, kind)
    rows = w.take(count * (dim + 2), what="Elements").reshape(count, dim + 2)
    return dim, points, rows[:, 1:] - first


def _header41(section: Any, what: str) -> Any:
    if len(section) < HEADER41:
        raise MeshError(f"invalid {what} header")
    longs, ints = np.frombuffer(section, "<i8", 4), np.frombuffer(section, "<i4", 3, 32)
    return (*longs.tolist(), *ints.tolist(), int(np.frombuffer(section, "<i8", 1, 44)[0]))


def _binary41(nodes: Any, elements: Any) -> Any:
    blocks, total, first, _, dim, _, _, inblock = _header41(nodes, "nodes")
    _check41(blocks, total, inblock, dim, "nodes")
    if len(nodes) < HEADER41 + 32 * total:
        raise MeshError("insufficient byte size of Nodes")
    _sequential(np.frombuffer(nodes, "<i8", total, HEADER41), first)
    points = np.frombuffer(nodes, "<f8", 3 * total, HEADER41 + 8 * total).reshape(-1, 3)
    blocks, count, _, _, edim, _, kind, inblock = _header41(elements, "elements")
    _check41(blocks, count, inblock, edim, "elements")
    _check_type(edim, dim, kind)
    if len(elements) < HEADER41 + 8 * count * (dim + 2):
        raise MeshError("insufficient byte size of Elements")
    rows = np.frombuffer(elements, "<i8", count * (dim + 2), HEADER41).reshape(count, dim + 2)
    return dim, points.copy(), rows[:, 1:] - first


def _digits(section: Any, what: str) -> None:
    """Raise MeshError if the first line of a section, a count, contains anything but digits."""
    line = section.partition(b"\n")[0]
    if line and not line.isdigit():
        raise MeshError(f"invalid {what} header")


def _nodes_of(kind: Any) -> Any:
    if kind not in (2, 4):
        raise MeshError("invalid number of node tags")
    return NODES[kind]


def _tags(tags: Any, limit: Any) -> Any:
    if len(tags) and (tags.min() < 1 or tags.max() > limit):
        raise MeshError("invalid node tag")
    return tags - 1


def _text22(nodes: Any, elements: Any) -> Any:
    _digits(nodes, "node")
    w = _Words(nodes, "Nodes header")
    total = int(w.take(1)[0])
    if not 0 <= total < LIMIT:
        raise MeshError("invalid number of nodes")
    points = w.take(4 * total, np.float64, "node coordinates").reshape(-1, 4)[:, 1:]

    _digits(elements, "elements")
    w = _Words(elements, "Elements header")
    count = int(w.take(1)[0])
    if not 0 <= count < LIMIT:
        raise MeshError("invalid number of elements")
    w.what = "Elements"

    # All elements have as many numbers as the first element.
    _, kind, ntags = w.take(3).tolist()
    per = _nodes_of(kind)
    w.at -= 3
    width = 3 + (2 if ntags > 0 else 0) + per
    rows = w.take(count * width).reshape(count, width)
    if ((rows[:, 2] > 0) != (ntags > 0)).any():
        raise MeshError("elements with and without tags are mixed")
    return per - 1, np.ascontiguousarray(points), _tags(rows[:, width - per :], total)


def _count22(section: Any, what: str) -> Any:
    """Return (count, size of the header). The count is text. The binary data after it starts with a small integer, so one byte
    of the data precedes the first zero byte."""
    if len(section) < 4:
        raise MeshError(f"invalid {what} header")
    text = section[:10].partition(b"\0")[0]
    number = re.match(rb"\s*\d{1,9}", text)
    if number is None:
        raise MeshError(f"invalid number of {what}")
    return int(number[0]), len(text) - 1


def _binary22(nodes: Any, elements: Any) -> Any:
    total, at = _count22(nodes, "nodes")
    if len(nodes) < 4 + 28 * total or len(nodes) < at + 28 * total:
        raise MeshError("insufficient byte size of Nodes")
    rows = np.frombuffer(nodes, np.uint8, 28 * total, at).reshape(-1, 28)
    points = np.ascontiguousarray(rows[:, 4:]).view("<f8")

    # The first element determines the type and the number of tags of all elements.
    count, at = _count22(elements, "elements")
    if len(elements) < at + 16:
        raise MeshError("insufficient byte size of Elements")
    data = np.frombuffer(elements, "<i4", (len(elements) - at) // 4, at)
    kind, ntags = int(data[0]), int(data[2])
    per = _nodes_of(kind)
    if len(elements) < 17 + 20 * count:
        raise MeshError("insufficient byte size of Elements")
    if ntags > 0:
        width, start = 6 + per, 6
    else:
        # The first element follows a header of four numbers.
        width, start = 5, 4
    if len(data) < width * (count - 1) + start + per:
        raise MeshError("insufficient byte size of Elements")
    index = start + width * np.arange(count)[:, None] + np.arange(per)
    return per - 1, points, _tags(data[index].astype(np.int64), total)
