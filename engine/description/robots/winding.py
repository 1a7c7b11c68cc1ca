"""Triangles that all face outward. Renderers skip triangles that are seen from behind, so wrong ones look like holes."""

import numpy as np

# Larger meshes are left as they are, because this takes a second for a million triangles.
MOST_TRIANGLES = 400_000
# A group of triangles is flat if its volume is below this multiple of its area to the power of 3/2.
FLAT = 0.01


def wrong_way(vert: np.ndarray, face: np.ndarray) -> np.ndarray:
    """Return which triangles (n,) face another way than their neighbors, or inward if they enclose a volume."""
    if len(face) > MOST_TRIANGLES:
        return np.zeros(len(face), bool)
    begin, end = face.ravel(), face[:, [1, 2, 0]].ravel()
    count = len(vert)
    ways = begin.astype(np.int64) * count + end
    corner = vert[face] - vert.mean(0)
    normal = np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    volumes = (corner[:, 0] * normal).sum(1)

    # In a mesh whose triangles agree, no edge occurs twice in the same direction. If it is closed, all may face inward.
    distinct = np.unique(ways)
    if len(distinct) == len(ways):
        back = end.astype(np.int64) * count + begin
        inside_out = volumes.sum() < 0 and np.array_equal(distinct, np.unique(back))
        return np.full(len(face), inside_out)

    # Pairs of triangles that share an edge with nothing else, and whether they disagree.
    edges = np.minimum(begin, end).astype(np.int64) * count + np.maximum(begin, end)
    order = np.argsort(edges, kind="stable")
    _, first, times = np.unique(edges[order], return_index=True, return_counts=True)
    one, two = (order[first[times == 2] + k] for k in (0, 1))
    differ = ways[one] == ways[two]
    group, odd = _groups(len(face), (one // 3).tolist(), (two // 3).tolist(), differ.tolist())

    # Each group faces outward as seen from its own center. A nearly flat group keeps the side that most of its area shows.
    sign, size = np.where(odd, -1.0, 1.0), np.linalg.norm(normal, axis=1)
    whole = np.maximum(np.bincount(group, size, len(face)), 1e-300)
    middle = np.stack([np.bincount(group, size * corner[:, :, k].mean(1), len(face)) / whole for k in range(3)], 1)
    volume = np.bincount(group, sign * ((corner[:, 0] - middle[group]) * normal).sum(1), len(face))
    area = np.bincount(group, sign * size, len(face))
    inward = np.where(np.abs(volume) > FLAT * whole**1.5, volume < 0, area < 0)
    return odd ^ inward[group]


def _groups(count: int, one: list[int], two: list[int], differ: list[bool]) -> tuple[np.ndarray, np.ndarray]:
    """Return the group of each of `count` triangles, and whether it disagrees with the first triangle of its group."""
    parent, odd = list(range(count)), [False] * count

    def root(k: int) -> tuple[int, bool]:
        """Return the first triangle of a group, and whether a triangle disagrees with it."""
        path, flip = [], False
        while parent[k] != k:
            path.append(k)
            k = parent[k]
        for i in reversed(path):
            flip ^= odd[i]
            parent[i], odd[i] = k, flip
        return k, flip

    for a, b, way in zip(one, two, differ, strict=True):
        (first, flip), (second, other) = root(a), root(b)
        if first != second:
            parent[second], odd[second] = first, flip ^ other ^ way
    rows = [root(k) for k in range(count)]
    return np.array([k for k, _ in rows]), np.array([flip for _, flip in rows])
