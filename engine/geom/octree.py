"""Octrees that sample the signed distance field of a mesh. Cells that touch the surface are divided, down to DEPTH levels.

Neighbors across a face differ by at most one level. If a cell's corner lies within an edge or a face of a larger neighbor (a
hanging corner), its value is the mean of this edge's or face's corners, so the field is continuous. Positions are integers in
units of the smallest cell; `paint` maps each smallest cell to the leaf that covers it.
"""

from typing import Any

import numpy as np

from ..machine.jit import kernel, stage
from ..machine.lang import ints_at, load, matrix_at
from ..math.vec import cross3, dot3, sub3
from .mesh_distance import mesh_distances

DEPTH = 6
SIDE = 1 << DEPTH
MARGIN = 1.1  # relative margin of the box around the mesh
CORNERS = np.array([[k & 1, k >> 1 & 1, k >> 2] for k in range(8)])


# ---- triangles in boxes --------------------------------------------------------------------------------------------------
@kernel
def outside_edge(e0, e1, x0, x1, p0, p1, s0, s1, sign):
    """Return whether the projection of a box (corner p, size s) is outside one edge of a triangle's projection."""
    n0, n1 = -e1 * sign, e0 * sign
    d = -(n0 * x0 + n1 * x1) + max(0.0, s0 * n0) + max(0.0, s1 * n1)
    return n0 * p0 + n1 * p1 + d < 0


@kernel
def touches(v, low, high):
    """Return whether a triangle (9 numbers) overlaps a box (Schwarz and Seidel 2010)."""
    a, b, c = (v[0], v[1], v[2]), (v[3], v[4], v[5]), (v[6], v[7], v[8])
    for k in range(3):
        if a[k] < low[k] and b[k] < low[k] and c[k] < low[k] or a[k] > high[k] and b[k] > high[k] and c[k] > high[k]:
            return False

    # The plane of the triangle must separate two extreme corners of the box.
    e, f, g = sub3(b, a), sub3(c, b), sub3(a, c)
    n, size = cross3(e, f), sub3(high, low)
    far = (size[0] if n[0] > 0 else 0.0, size[1] if n[1] > 0 else 0.0, size[2] if n[2] > 0 else 0.0)
    base = dot3(n, low)
    if (base + dot3(n, sub3(far, a))) * (base + dot3(n, sub3(sub3(size, far), a))) > 0:
        return False

    # The projections of box and triangle along each axis must overlap.
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        sign = 1.0 if n[k] >= 0 else -1.0
        if (
            outside_edge(e[i], e[j], a[i], a[j], low[i], low[j], size[i], size[j], sign)
            or outside_edge(f[i], f[j], b[i], b[j], low[i], low[j], size[i], size[j], sign)
            or outside_edge(g[i], g[j], c[i], c[j], low[i], low[j], size[i], size[j], sign)
        ):
            return False
    return True


@stage("iiiiiiiiiii")
def pick_triangles(triangles, ntriangle, boxes, nbox, start_at, count_at, list_at, nlist, out_at, found_at):
    """Select, for each of several boxes, the triangles that touch the box.

    reads triangles (n, 9), boxes (low, high), and for each box a section of a list of triangles; writes the triangles of this
    section that touch the box to `out`, one box after the other, their counts to `found`; returns the total.
    """
    tri, box = matrix_at(triangles, ntriangle, 9), matrix_at(boxes, nbox, 6)
    start, count, source = ints_at(start_at, nbox), ints_at(count_at, nbox), ints_at(list_at, nlist)
    out, found = ints_at(out_at, 1 << 40), ints_at(found_at, nbox)

    total = 0
    for b in range(nbox):
        first = total
        low, high = (box[b, 0], box[b, 1], box[b, 2]), (box[b, 3], box[b, 4], box[b, 5])
        for k in range(start[b], start[b] + count[b]):
            if touches(load(tri, source[k], 9), low, high):
                out[total] = source[k]
                total += 1
        found[b] = total - first
    return total


# ---- the tree ------------------------------------------------------------------------------------------------------------
class Octree:
    """Octree cells as arrays: aabb (n, 6) center and half sizes, depth (n,), child (n, 8) or -1, coeff (n, 8) distances at
    corners.
    """

    def __init__(self, low: Any, high: Any) -> None:
        self.box = np.concatenate((low, high))[None]
        self.depth, self.place = np.zeros(1, np.int64), np.zeros((1, 3), np.int64)
        self.child = np.full((1, 8), -1)

    def __len__(self) -> int:
        return len(self.depth)

    @property
    def size(self) -> np.ndarray:
        """Return the side lengths of the cells, in units of the smallest cell's side."""
        return SIDE >> self.depth

    @property
    def leaves(self) -> np.ndarray:
        return np.flatnonzero(self.child[:, 0] < 0)

    def divide(self, cells: np.ndarray) -> None:
        """Divide the given leaves, in order, into eight children each."""
        cells = np.asarray(cells)
        new = len(self) + np.arange(8 * len(cells)).reshape(-1, 8)
        self.child[cells] = new
        low, high = np.repeat(self.box[cells, :3], 8, 0), np.repeat(self.box[cells, 3:], 8, 0)
        middle, upper = (high + low) / 2, np.tile(CORNERS, (len(cells), 1)) == 1
        self.box = np.concatenate((self.box, np.concatenate((np.where(upper, middle, low), np.where(upper, high, middle)), 1)))
        half = np.repeat(self.size[cells] // 2, 8)
        self.place = np.concatenate((self.place, np.repeat(self.place[cells], 8, 0) + half[:, None] * upper))
        self.depth = np.concatenate((self.depth, np.repeat(self.depth[cells] + 1, 8)))
        self.child = np.concatenate((self.child, np.full((8 * len(cells), 8), -1)))

    def refine(self, triangles: Any) -> None:
        """Divide the cells that touch a triangle, one level after another."""
        count = len(triangles)
        items, start, number = np.arange(count, dtype=np.int32), np.zeros(1, np.int32), np.full(1, count, np.int32)
        cells = np.zeros(1, np.int64)

        # Find the triangles that touch the cells of this level.
        for _ in range(DEPTH):
            boxes = np.ascontiguousarray(self.box[cells])
            out, found = np.zeros(max(1, int(number.sum())), np.int32), np.zeros(len(cells), np.int32)
            total = pick_triangles(
                triangles.ctypes.data,
                count,
                boxes.ctypes.data,
                len(cells),
                start.ctypes.data,
                number.ctypes.data,
                items.ctypes.data,
                len(items),
                out.ctypes.data,
                found.ctypes.data,
            )

            # These cells' children are the cells of the next level.
            hit = found > 0
            if not hit.any():
                return
            self.divide(cells[hit])
            cells = self.child[cells[hit]].ravel()
            first = (np.cumsum(found) - found)[hit]
            items, start, number = out[:total], np.repeat(first, 8).astype(np.int32), np.repeat(found[hit], 8).astype(np.int32)

    def paint(self) -> np.ndarray:
        """Return, as an array (SIDE, SIDE, SIDE), the index of the leaf that covers each cell of the finest grid."""
        grid = np.full((SIDE, SIDE, SIDE), -1)
        leaves = self.leaves
        for s in np.unique(self.size[leaves]):
            some = leaves[self.size[leaves] == s]
            steps = np.stack(np.meshgrid(*[np.arange(s)] * 3, indexing="ij"), -1).reshape(-1, 3)
            x, y, z = (self.place[some][:, None] + steps).reshape(-1, 3).T
            grid[x, y, z] = np.repeat(some, len(steps))
        return grid

    def neighbours(self) -> tuple[np.ndarray, np.ndarray]:
        """Return (leaves (n,), neighbors (n, 6) of each leaf across its faces -x +x -y +y -z +z; -1 at the octree's boundary).

        If a face has several neighbors, the one next to its middle is chosen.
        """
        grid, leaves = self.paint(), self.leaves
        size, place = self.size[leaves], self.place[leaves]
        out = np.full((len(leaves), 6), -1)
        for k in range(6):
            at = place + np.where(size > 1, size // 2 - 1, 0)[:, None]
            at[:, k // 2] = place[:, k // 2] + (size if k & 1 else -1)
            ok = (at[:, k // 2] >= 0) & (at[:, k // 2] < SIDE)
            out[ok, k] = grid[tuple(at[ok].T)]
        return leaves, out

    def balance(self) -> None:
        """Divide leaves until neighbors across faces differ by at most one level."""
        while True:
            leaves, beside = self.neighbours()
            level = self.depth[leaves][:, None]
            other = np.where(beside >= 0, self.depth[beside], level)
            # Process the leaves in order, and each leaf's faces in order. At each face, divide the leaf before its neighbor.
            todo = np.stack(
                (np.where(other > level + 1, leaves[:, None], -1), np.where(level > other + 1, beside, -1)), -1
            ).ravel()
            todo = todo[todo >= 0]
            if not len(todo):
                return
            self.divide(todo[np.sort(np.unique(todo, return_index=True)[1])])

    def hanging(self) -> tuple[np.ndarray, np.ndarray]:
        """Return (keys (n,) of hanging corners; keys (n, 4) of two or four other corners, whose mean is the hanging corner's
        value; -1 if unused)."""
        leaves, beside = self.neighbours()
        rows = []
        for k in range(6):
            dim, side = divmod(k, 2)
            coarse = (beside[:, k] >= 0) & (self.depth[beside[:, k]] < self.depth[leaves])
            for i in range(4):
                offset = np.zeros(3, np.int64)
                offset[dim], offset[(dim + 1) % 3], offset[(dim + 2) % 3] = side, i & 1, i >> 1
                leaf = leaves[coarse]
                rows.append(
                    (
                        np.flatnonzero(coarse) * 24 + 4 * k + i,
                        self.place[leaf] + self.size[leaf][:, None] * offset,
                        beside[coarse, k],
                    )
                )

        # Sort by leaves, faces and corners.
        order = np.argsort(np.concatenate([r[0] for r in rows]))
        point, other = (np.concatenate([r[j] for r in rows])[order] for j in (1, 2))
        low = self.place[other]
        high = low + self.size[other][:, None]
        planes = ((point == low) | (point == high)).sum(1)
        keep = (planes == 1) | (planes == 2)
        point, low, high = point[keep], low[keep], high[keep]
        # A hanging corner can occur in several leaves and faces: keep only the first occurrence.
        keys, first = np.unique(key(point), return_index=True)
        return keys, _supports(point[first], low[first], high[first])

    def evaluate(self, distances: Any) -> None:
        """Set the values at all corners: at free corners `distances(points)`, at hanging corners the mean of other corners."""
        keys, supports = self.hanging()
        value, known = np.zeros((SIDE + 1) ** 3), np.zeros((SIDE + 1) ** 3, bool)
        position = self.corner_positions()

        # Proceed level by level, because hanging corners need the values of larger cells.
        for level in range(DEPTH + 1):
            cells = np.flatnonzero(self.depth == level)
            if not len(cells):
                break
            corners = np.unique(key(self.place[cells][:, None] + self.size[cells][:, None, None] * CORNERS))
            corners = corners[~known[corners]]
            at = np.searchsorted(keys, corners)
            hangs = (
                (at < len(keys)) & (keys[np.minimum(at, len(keys) - 1)] == corners)
                if len(keys)
                else np.zeros(len(corners), bool)
            )

            # First set values at free corners, then at hanging ones.
            free = corners[~hangs]
            if len(free):
                value[free] = distances(np.stack([position[j][unkey(free)[j]] for j in range(3)], 1))
            use = supports[at[hangs]]
            total = value[use[:, 0]] + value[use[:, 1]]
            four = use[:, 2] >= 0
            value[corners[hangs]] = np.where(four, (total + value[use[:, 2]] + value[use[:, 3]]) / 4, total / 2)
            known[corners] = True
        self.coeff = value[key(self.place[:, None] + self.size[:, None, None] * CORNERS)]

    def corner_positions(self) -> np.ndarray:
        """Return an array of SIDE + 1 coordinates for each of the three axes, computed by repeated halving."""
        out = np.zeros((3, SIDE + 1))
        out[:, 0], out[:, SIDE] = self.box[0, :3], self.box[0, 3:]
        step = SIDE
        while step > 1:
            out[:, step // 2 :: step] = (out[:, step::step] + out[:, :-1:step]) / 2
            step //= 2
        return out

    def pack(self, m: Any, mesh: int, at: Any) -> int:
        """Write the cells into a Model, starting at row `at`; return the next free row."""
        n = len(self)
        m.mesh_octadr[mesh], m.mesh_octnum[mesh] = at, n
        low, high = self.box[:, :3], self.box[:, 3:]
        m.oct_aabb[at : at + n] = np.concatenate(((low + high) / 2, (high - low) / 2), 1)
        m.oct_depth[at : at + n], m.oct_child[at : at + n], m.oct_coeff[at : at + n] = self.depth, self.child, self.coeff
        return at + n


def key(place: np.ndarray) -> np.ndarray:
    """Return the key of a corner: one integer that encodes its integer coordinates."""
    return (place[..., 0] * (SIDE + 1) + place[..., 1]) * (SIDE + 1) + place[..., 2]


def unkey(k: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return k // (SIDE + 1) ** 2, k // (SIDE + 1) % (SIDE + 1), k % (SIDE + 1)


def _supports(point: np.ndarray, low: Any, high: Any) -> Any:
    """Return, for each point, the keys of a larger cell's corners around it: two for a point on an edge, four for a point on a
    face."""
    n = np.arange(len(point))
    border = (point == low) | (point == high)
    upper = (point == high).astype(np.int64)
    edge = border.sum(1) == 2
    # axis along the edge, or perpendicular to the face
    axis = np.where(edge, np.argmin(border, 1), np.argmax(border, 1))
    out = np.full((len(point), 4), -1)
    for j in range(4):
        bits = upper.copy()
        bits[n, axis] = np.where(edge, j & 1, upper[n, axis])
        for shift, bit in ((1, j & 1), (2, j >> 1)):
            other = (axis + shift) % 3
            bits[n, other] = np.where(edge, upper[n, other], bit)
        corner = key(np.where(bits == 1, high, low))
        out[:, j] = np.where(edge & (j > 1), -1, corner)
    return out


def build(vert: np.ndarray, face: np.ndarray, bounds: Any, tree: Any) -> Octree:
    """Return the octree of a mesh, given vertices (n, 3), triangles (m, 3), bounds (low, high) of the vertices, and a tree over
    the triangles.
    """
    center, half = (bounds[:3] + bounds[3:]) / 2, (bounds[3:] - bounds[:3]) / 2
    out = Octree(center - MARGIN * half, center + MARGIN * half)
    out.refine(np.ascontiguousarray(vert[face].reshape(-1, 9)))
    out.balance()
    out.evaluate(lambda points: mesh_distances(points, vert, face, tree))
    return out
