"""The topology of a flex, derived from its elements: edges, flaps, shell, layers, pairs of an element and an opposite
vertex."""

import numpy as np

# Vertices of each edge, by dimension.
EDGES = {1: ((0, 1),), 2: ((1, 2), (2, 0), (0, 1)), 3: ((0, 1), (1, 2), (2, 0), (2, 3), (0, 3), (1, 3))}
# Vertices of each face of an element, oriented outwards.
FACES = {1: ((0,), (1,)), 2: ((0, 1), (2, 0), (1, 2)), 3: ((0, 1, 2), (0, 3, 1), (0, 2, 3), (1, 3, 2))}


def edges(elem: np.ndarray, dim: int) -> tuple[np.ndarray, np.ndarray]:
    """Return (distinct edges in order of appearance (n, 2), edge ids of each element)."""
    pairs = np.sort(elem[:, np.array(EDGES[dim])].reshape(-1, 2), 1)
    keys = pairs[:, 0] * (int(elem.max()) + 1) + pairs[:, 1]
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return pairs[np.sort(first)], rank[inverse.reshape(-1)].reshape(len(elem), -1)


def flaps(elem: np.ndarray, edgeid: np.ndarray, count: int) -> np.ndarray:
    """Return for each edge of a sheet its two vertices, and the opposite vertex in both adjacent triangles (-1 if there is only
    one triangle).
    """
    corners = elem[:, np.array(EDGES[2])].reshape(-1, 2)
    opposite = elem[:, [(e[1] + 1) % 3 for e in EDGES[2]]].reshape(-1)
    ids = edgeid.reshape(-1)
    _, first = np.unique(ids, return_index=True)
    out = np.full((count, 4), -1)
    later = np.ones(len(ids), bool)
    later[first] = False
    out[ids[later], 3] = opposite[later]
    out[:, :2], out[:, 2] = corners[first], opposite[first]
    return out


def boundary(elem: np.ndarray, dim: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return (shell, layer of each element, pairs (element, vertex)).

    The shell consists of the faces that belong to only one element. The layer is the number of elements between an element and
    the shell. In lines and sheets, each pair is an element at the shell and the vertex of a neighbor that the two do not share.
    """
    n = len(elem)
    faces = elem[:, np.array(FACES[dim])].reshape(-1, dim)
    owner = np.repeat(np.arange(n), dim + 1)
    rows = np.sort(faces, 1)
    # Sort stably: each element has a face only once, so the elements that share a face stay in order.
    order = np.lexsort(rows.T[::-1])
    faces, owner, rows = faces[order], owner[order], rows[order]
    same = (rows[1:] == rows[:-1]).all(1)

    # A face that occurs once is part of the shell.
    alone = ~(np.concatenate(([False], same)) | np.concatenate((same, [False])))
    border = np.zeros(n, bool)
    border[owner[alone]] = True
    shell = faces[alone].reshape(-1)
    left, right, common = owner[:-1][same], owner[1:][same], rows[1:][same]
    layer = np.zeros(n, np.int64)
    if dim == 3:
        layer = _layers(n, border, left, right)
        return shell, layer, np.zeros((0, 2), np.int64)

    # For any two neighboring elements at the shell, pair each element with that vertex of its neighbor that it does not share.
    near = border[left] | border[right]
    left, right, common = left[near], right[near], common[near]
    pairs = np.empty((len(left), 2, 2), np.int64)
    for side, (one, other) in enumerate(((left, right), (right, left))):
        outside = ~(elem[one][:, :, None] == common[:, None, :]).any(2)
        pairs[:, side, 0] = other
        pairs[:, side, 1] = elem[one, outside.argmax(1)]
    return shell, layer, pairs.reshape(-1, 2)


def _layers(n: int, border: np.ndarray, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return each element's distance from the boundary elements, counted in steps between neighbors; n + 1 if it is not
    connected to them."""
    layer = np.where(border, 0, n + 1)
    while True:
        before = layer.copy()
        np.minimum.at(layer, left, before[right] + 1)
        np.minimum.at(layer, right, before[left] + 1)
        if (layer == before).all():
            return layer
