"""Finds the lists of facets and vertices that Qhull keeps internally for a hull, in the memory of SciPy's object.

The order of the triangles around a vertex is the history of Qhull's merges, which SciPy does not report. The lists are doubly
linked structs of Qhull 8.0 (`libqhull_r.h`: qhT, facetT, vertexT, setT), the same on every 64-bit system. Everything is
verified. To locate the lists, memory is read through the operating system, so a wrong address is an error instead of a crash.
The lists must agree with what SciPy reports about the hull. Then every element must link back to the previous one, and every
facet must have the offset that SciPy reports.
"""

import mmap
from typing import Any

import numpy as np

from ..machine.jit import kernel, stage
from ..machine.lang import array_at, ints_at, longs_at
from ..machine.systems import OwnMemory

# Number of words of SciPy's object that may contain the address of Qhull's globals. The globals are smaller than a memory page.
OWNER_WORDS = slice(2, 5)
# Byte offsets of the facet list, the vertex list and the next facet's id, relative to the field with the number of facets. The
# number of vertices is in the field after it.
FACET_LIST, VERTEX_LIST, NEXT_ID = -112, -24, 16
# Indices of fields in a facet, and the facet's size, in 8-byte words. ID is an index of a 32-bit word.
OFFSET, PREVIOUS, NEXT, FACET_WORDS = 2, 6, 7, 14
ID = 27
# Indices of fields in a vertex, and the vertex's size, in 8-byte words. A set starts with its capacity; 0 ends its elements.
AFTER, BEFORE, POINT, NEIGHBORS, VERTEX_WORDS = 0, 1, 2, 3, 4
BYTES = 24


def find_lists(owner: Any, vert: np.ndarray, nface: int, nvert: int, offset: float) -> tuple[int, int, int] | None:
    """Return (address of the first facet, address of the first vertex, space for facet ids) of the hull in SciPy's object
    `owner`.

    Return None if they cannot be read.

    vert (n, 3) are the points given to Qhull, offset is that of the first facet's plane.
    """
    if np.dtype(np.intp).itemsize != 8:
        return None
    with OwnMemory() as memory:
        for qh in _words(memory, id(owner), 8 * OWNER_WORDS.stop)[OWNER_WORDS].tolist():
            words = _words(memory, qh, mmap.PAGESIZE)
            if (words == vert.ctypes.data).any():
                return _lists(memory, words.view(np.int32), nface, nvert, offset)
    return None


def _words(memory: OwnMemory, address: int, count: int) -> np.ndarray:
    """Return the 8-byte words at an address, or an empty array if the memory is not readable."""
    text = memory.read(address, count)
    return np.frombuffer(text[: len(text) // 8 * 8], np.int64)


def _lists(memory: OwnMemory, numbers: np.ndarray, nface: int, nvert: int, offset: float) -> tuple[int, int, int] | None:
    for k in np.flatnonzero((numbers[:-1] == nface) & (numbers[1:] == nvert)).tolist():
        # Locate the lists relative to the field with the number of facets.
        facets, vertices, ids = (k + part // 4 for part in (FACET_LIST, VERTEX_LIST, NEXT_ID))
        if facets < 0 or ids >= len(numbers):
            continue
        facet, vertex = (int(numbers[i : i + 2].copy().view(np.int64)[0]) for i in (facets, vertices))
        first, head = _words(memory, facet, 8 * FACET_WORDS), _words(memory, vertex, 8 * VERTEX_WORDS)

        # The first facet must agree with SciPy. In both lists, the first and the second element must refer to each other.
        if len(first) == FACET_WORDS and len(head) == VERTEX_WORDS and first[OFFSET : OFFSET + 1].view(float)[0] == offset:
            second = _words(memory, int(first[NEXT]), 8 * FACET_WORDS), _words(memory, int(head[AFTER]), 8 * VERTEX_WORDS)
            if (
                len(second[0]) == FACET_WORDS
                and second[0][PREVIOUS] == facet
                and len(second[1])
                and second[1][BEFORE] == vertex
            ):
                return facet, vertex, int(numbers[ids])
    return None


@kernel
def walk_facets(offset, nface, first, at, place, room):
    """Store the addresses of the facets, and the index of each facet by its id. Return False if the memory does not contain the
    hull's facets."""
    a, before = first, np.int64(0)
    for j in range(nface):
        f = longs_at(a, FACET_WORDS)
        number = np.int64(ints_at(a, 2 * FACET_WORDS)[ID])
        if (
            array_at(a, FACET_WORDS)[OFFSET] != offset[4 * j + 3]
            or f[PREVIOUS] != before
            or f[NEXT] == 0
            or number < 0
            or number >= room
        ):
            return False
        at[j], place[number] = a, j
        before, a = a, f[NEXT]
    return True


@kernel
def walk_vertices(nvert, first, point_at, npoint, ids, sets):
    """Store the vertices' point ids, and the addresses of the sets of facets around them. Return False if the memory does not
    contain the hull's vertices.
    """
    a, before = first, np.int64(0)
    for i in range(nvert):
        v = longs_at(a, VERTEX_WORDS)
        p = v[POINT] - point_at
        if v[BEFORE] != before or v[AFTER] == 0 or p < 0 or p % BYTES != 0 or p >= BYTES * npoint:
            return False
        ids[i], sets[i] = p // BYTES, v[NEIGHBORS]
        before, a = a, v[AFTER]
    return True


@kernel
def read_sets(nvert, sets, start, around, total, at, place, room):
    """Store the facets around each vertex, one vertex after another. Return False if a set contains anything but facets of the
    hull.
    """
    n = 0
    for i in range(nvert):
        start[i] = n
        size = np.int64(ints_at(sets[i], 1)[0])
        elements = longs_at(sets[i] + 8, size + 1)
        k = 0
        while k <= size and elements[k] != 0:
            number = np.int64(ints_at(elements[k], 2 * FACET_WORDS)[ID])
            if n >= total or number < 0 or number >= room or at[place[number]] != elements[k]:
                return False
            around[n] = place[number]
            n, k = n + 1, k + 1
    start[nvert] = n
    return n == total


@kernel
def facets_in_order(nvert, simplex, total, local, start, around):
    """Store the facets around each vertex in ascending order, one vertex after another."""
    for i in range(nvert + 1):
        start[i] = 0
    for k in range(total):
        start[local[simplex[k]] + 1] += 1
    for i in range(nvert):
        start[i + 1] += start[i]
    for k in range(total):
        i = local[simplex[k]]
        around[start[i]] = k // 3
        start[i] += 1
    for i in range(nvert):
        start[nvert - i] = start[nvert - i - 1]
    start[0] = 0


@kernel
def fill_edges(nvert, simplex, total, local, start, around, met, adr, edge):
    """Store each vertex's neighbors, in the order of its facets, followed by -1. Return the number of entries, or -1 if they do
    not fit.
    """
    for i in range(nvert):
        met[i] = -1
    n = np.int64(0)
    for i in range(nvert):
        adr[i], met[i] = n, i
        for k in range(start[i], start[i + 1]):
            for c in range(3):
                v = local[simplex[3 * around[k] + c]]
                if met[v] == i:
                    continue
                if n >= total + i:
                    return -1
                edge[n], met[v] = v, i
                n += 1
        edge[n] = -1
        n += 1
    return n


@stage("iiiiiiiiii")
def hull_edges(simplex_at, nface, offset_at, point_at, npoint, nvert, lists_at, work_at, graph_at):
    """Write the edge addresses, vertex ids and edges of the hull graph, computed from triangles, planes and Qhull's lists.

    If the lists are 0, vertex ids are read from the graph, and facets are taken in their order. Returns the length of the edge
    list (including the -1 entries), or -1 if the lists are not those of the hull.
    """
    total, lists = 3 * nface, longs_at(lists_at, 3)

    facet, vertex, room = lists[0], lists[1], lists[2]
    simplex, offset = ints_at(simplex_at, total), array_at(offset_at, 4 * nface)
    adr, ids, edge = (
        ints_at(graph_at, nvert),
        ints_at(graph_at + 4 * nvert, nvert),
        ints_at(graph_at + 8 * nvert, total + nvert),
    )
    at, sets, ints = longs_at(work_at, nface), longs_at(work_at + 8 * nface, nvert), work_at + 8 * (nface + nvert)
    local, place = ints_at(ints, npoint), ints_at(ints + 4 * npoint, room)
    start, around = ints_at(ints + 4 * (npoint + room), nvert + 1), ints_at(ints + 4 * (npoint + room + nvert + 1), total)

    # Read Qhull's lists.
    for i in range(nvert):
        sets[i] = 0
    if facet != 0 and not (
        walk_facets(offset, nface, facet, at, place, room) and walk_vertices(nvert, vertex, point_at, npoint, ids, sets)
    ):
        return -1

    # Find the hull index of each point, and whether Qhull has stored sets of facets for all vertices.
    for i in range(npoint):
        local[i] = -1
    merged = True
    for i in range(nvert):
        local[ids[i]] = i
        merged = merged and sets[i] != 0
    for k in range(total):
        if local[simplex[k]] < 0:
            return -1

    # Qhull stores the facet sets of vertices only after its first merge.
    if not merged:
        facets_in_order(nvert, simplex, total, local, start, around)
    elif not read_sets(nvert, sets, start, around, total, at, place, room):
        return -1
    return fill_edges(nvert, simplex, total, local, start, around, sets, adr, edge)


def work_bytes(nface: int, npoint: int, nvert: int, room: int) -> int:
    """Return the bytes of scratch that `hull_edges` needs."""
    return 8 * (nface + nvert) + 4 * (npoint + room + nvert + 1 + 3 * nface)
