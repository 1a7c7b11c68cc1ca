"""Compiled search for triangles of a mesh that are oriented differently from their neighbors, or inward."""

import numpy as np

from ..machine.jit import kernel, stage
from ..machine.lang import array_at, bytes_at, ints_at, matrix_at
from .mesh_kernels import MIX, edge_cross

# A group of triangles is flat if its volume is below this multiple of its area to the power of 3/2.
FLAT = 0.01
# Sums of a group of triangles: area; centroid times area (3); signed area; signed volume.
AREA, CENTROID, SIGNED, VOLUME, SUMS = 0, 1, 4, 5, 6
# Columns of a slot of the hash table: the first two half-edges of an edge, and the number of all its half-edges.
FIRST, SECOND, TIMES, SLOT = 0, 1, 2, 3


@kernel
def find_group(parent, odd, k):
    """Return (first triangle of k's group, whether k disagrees with it), and shorten the path to it."""
    root, flip = k, False
    while parent[root] != root:
        flip ^= odd[root] != 0
        root = parent[root]
    whole = flip
    while parent[k] != root and k != root:
        after, own = parent[k], odd[k] != 0
        parent[k], odd[k] = root, flip
        flip ^= own
        k = after
    return root, whole


@kernel
def edge_slot(slots, nslots, f, begin, end):
    """Return the slot of an edge, or the empty slot where it belongs."""
    low, high = min(begin, end), max(begin, end)
    h = (np.int64(low) * 73856093 ^ np.int64(high) * 19349663) * MIX
    h = (h ^ (h >> 29)) & (nslots - 1)
    while slots[SLOT * h + TIMES] > 0:
        e = slots[SLOT * h + FIRST]
        a, b = f[e], f[e - 2 if e % 3 == 2 else e + 1]
        if min(a, b) == low and max(a, b) == high:
            break
        h = (h + 1) & (nslots - 1)
    return h


@kernel
def join_triangles(f, nface, slots, nslots, parent, odd):
    """Join triangles that share an edge with no other triangle, and record which disagree. Return (whether any two triangles
    disagree, whether the mesh is closed).
    """
    # Collect the half-edges of each edge.
    for k in range(nslots):
        slots[SLOT * k + TIMES] = 0
    for e in range(3 * nface):
        h = edge_slot(slots, nslots, f, f[e], f[e - 2 if e % 3 == 2 else e + 1])
        if slots[SLOT * h + TIMES] < 2:
            slots[SLOT * h + slots[SLOT * h + TIMES]] = e
        slots[SLOT * h + TIMES] += 1

    # Triangles disagree if both run through their common edge in the same direction.
    for k in range(nface):
        parent[k], odd[k] = k, 0
    disagree, closed = False, True
    for h in range(nslots):
        times = slots[SLOT * h + TIMES]
        closed &= times == 0 or times == 2
        if times >= 2:
            one, two = slots[SLOT * h + FIRST], slots[SLOT * h + SECOND]
            differ = f[one] == f[two]
            # two of three half-edges have the same direction
            disagree |= differ or times > 2
            if times == 2:
                a, flip = find_group(parent, odd, one // 3)
                b, other = find_group(parent, odd, two // 3)
                if a != b:
                    parent[b], odd[b] = a, flip ^ other ^ differ
    return disagree, closed


@kernel
def is_inside_out(v, nvert, f, nface):
    """Return whether the volume of a closed mesh is negative."""
    mx, my, mz = 0.0, 0.0, 0.0
    for i in range(nvert):
        mx, my, mz = mx + v[i, 0], my + v[i, 1], mz + v[i, 2]
    mx, my, mz = mx / max(nvert, 1), my / max(nvert, 1), mz / max(nvert, 1)
    total = 0.0
    for k in range(nface):
        a = f[3 * k]
        x, y, z = edge_cross(v, a, f[3 * k + 1], f[3 * k + 2])
        total += (v[a, 0] - mx) * x + (v[a, 1] - my) * y + (v[a, 2] - mz) * z
    return total < 0


@kernel
def sum_groups(v, f, nface, parent, odd, sums):
    """Sum area and centroid of each group, then its signed area, and its signed volume as seen from its centroid."""
    for k in range(SUMS * nface):
        sums[k] = 0.0
    for k in range(nface):
        a, b, c = f[3 * k], f[3 * k + 1], f[3 * k + 2]
        x, y, z = edge_cross(v, a, b, c)
        area, at = np.sqrt(x * x + y * y + z * z), SUMS * find_group(parent, odd, k)[0]
        sums[at + AREA] += area
        for i in range(3):
            sums[at + CENTROID + i] += area * (v[a, i] + v[b, i] + v[c, i]) / 3

    for k in range(nface):
        a = f[3 * k]
        x, y, z = edge_cross(v, a, f[3 * k + 1], f[3 * k + 2])
        root, flip = find_group(parent, odd, k)
        at, sign = SUMS * root, -1.0 if flip else 1.0
        whole = max(sums[at + AREA], 1e-300)
        sums[at + SIGNED] += sign * np.sqrt(x * x + y * y + z * z)
        for i, normal in ((0, x), (1, y), (2, z)):
            sums[at + VOLUME] += sign * (v[a, i] - sums[at + CENTROID + i] / whole) * normal


@stage("iiiiiiiiiii")
def mesh_winding(vert_at, nvert, face_at, nface, slots_at, nslots, parent_at, odd_at, sums_at, wrong_at):
    """Find triangles that face the wrong way.

    reads vertices and faces; writes wrong (nface): 1 for triangles to reverse; returns how many. Slots (nslots, 3), parent,
    odd (nface) and sums (nface, 6) are scratch memory.
    """
    v, f, slots = matrix_at(vert_at, nvert, 3), ints_at(face_at, 3 * nface), ints_at(slots_at, SLOT * nslots)
    parent, odd, wrong = ints_at(parent_at, nface), bytes_at(odd_at, nface), bytes_at(wrong_at, nface)
    sums = array_at(sums_at, SUMS * nface)

    # If all triangles agree, only a closed mesh can be inside out.
    disagree, closed = join_triangles(f, nface, slots, nslots, parent, odd)
    if not disagree:
        inward = closed and is_inside_out(v, nvert, f, nface)
        for k in range(nface):
            wrong[k] = inward
        return nface if inward else 0

    # Each group faces outward as seen from its own center. A nearly flat group faces the side that most of its area faces.
    sum_groups(v, f, nface, parent, odd, sums)
    count = 0
    for k in range(nface):
        root, flip = find_group(parent, odd, k)
        at = SUMS * root
        flat = abs(sums[at + VOLUME]) <= FLAT * sums[at + AREA] ** 1.5
        wrong[k] = flip ^ ((sums[at + SIGNED] if flat else sums[at + VOLUME]) < 0)
        count += wrong[k]
    return count
