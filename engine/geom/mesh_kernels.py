"""Compiled loops over meshes: merging vertices, vertex normals, centroid, volume, inertia, and the bounding volume hierarchy of
faces."""

import numpy as np

from ..machine.jit import inline, kernel, stage
from ..machine.lang import array_at, ints_at, longs_at, matrix_at

MINVAL = 1e-15
EPS = 1e-14
CONVEX, EXACT, LEGACY, SHELL = 0, 1, 2, 3
# Ranges up to this size are sorted completely instead of being partitioned further.
FEW = 7
MIX = np.int64(0x9E3779B97F4A7C15 - (1 << 64))


@stage("iiiiii")
def mesh_weld(vert_at, n, slots_at, nslots, first_at):
    """Merge equal vertices.

    reads vertices (n, 3) as 32-bit patterns; writes first (n): new index of each vertex; returns the number of distinct
    vertices.
    """
    v = ints_at(vert_at, 3 * n)
    slots, first = ints_at(slots_at, nslots), ints_at(first_at, 2 * n)
    for i in range(nslots):
        slots[i] = -1
    count = 0
    for i in range(n):
        # Hash the vertex's bit pattern, then probe the table for an equal vertex.
        h = (np.int64(v[3 * i]) * 73856093) ^ (np.int64(v[3 * i + 1]) * 19349663) ^ (np.int64(v[3 * i + 2]) * 83492791)
        h = h * MIX
        h = (h ^ (h >> 29)) & (nslots - 1)
        while True:
            k = slots[h]
            if k < 0:
                slots[h] = i
                first[i] = count
                first[n + count] = i
                count += 1
                break
            if v[3 * k] == v[3 * i] and v[3 * k + 1] == v[3 * i + 1] and v[3 * k + 2] == v[3 * i + 2]:
                first[i] = first[k]
                break
            h = (h + 1) & (nslots - 1)
    return count


@inline
def edge_cross(v, a, b, c):
    """Return the cross product of the edges a-b and a-c."""
    px, py, pz = v[b, 0] - v[a, 0], v[b, 1] - v[a, 1], v[b, 2] - v[a, 2]
    qx, qy, qz = v[c, 0] - v[a, 0], v[c, 1] - v[a, 1], v[c, 2] - v[a, 2]
    return py * qz - pz * qy, pz * qx - px * qz, px * qy - py * qx


@inline
def unit_or_same(x, y, z):
    """Return (unit vector, length); tiny vectors are returned unchanged, with length 0."""
    n = x * x + y * y + z * z
    if n < EPS:
        return x, y, z, 0.0
    n = np.sqrt(n)
    if abs(n - 1) > EPS:
        return x / n, y / n, z / n, n
    return x, y, z, n


@kernel
def face_normal(v, a, b, c):
    x, y, z = edge_cross(v, a, b, c)
    return unit_or_same(x, y, z)


@stage("viiiiiii")
def mesh_normals(vert_at, nvert, face_at, nface, smooth, normal_at, removed_at):
    """Compute vertex normals.

    reads vertices and faces; writes normals (nvert, 3): area-weighted sums in single precision. Unless
    `smooth`, faces at large angles do not contribute.
    """
    v, f = matrix_at(vert_at, nvert, 3), ints_at(face_at, 3 * nface)
    normal, removed = array_at(normal_at, 3 * nvert), array_at(removed_at, 3 * nvert)

    # Sum the normals of all faces.
    for i in range(nface):
        x, y, z, area = face_normal(v, f[3 * i], f[3 * i + 1], f[3 * i + 2])
        for j in range(3):
            k = 3 * f[3 * i + j]
            normal[k] = np.float64(np.float32(normal[k] + x * area))
            normal[k + 1] = np.float64(np.float32(normal[k + 1] + y * area))
            normal[k + 2] = np.float64(np.float32(normal[k + 2] + z * area))

    # Sum the normals of those faces that are at a large angle to the vertex normal.
    if not smooth:
        for i in range(nface):
            x, y, z, area = face_normal(v, f[3 * i], f[3 * i + 1], f[3 * i + 2])
            for j in range(3):
                k = 3 * f[3 * i + j]
                p, q, r, _ = unit_or_same(normal[k], normal[k + 1], normal[k + 2])
                if x * p + y * q + z * r < 0.8:
                    removed[k] = np.float64(np.float32(removed[k] + x * area))
                    removed[k + 1] = np.float64(np.float32(removed[k + 1] + y * area))
                    removed[k + 2] = np.float64(np.float32(removed[k + 2] + z * area))

    # Subtract this second sum, and normalize.
    for k in range(nvert):
        for j in range(3):
            normal[3 * k + j] = np.float64(np.float32(normal[3 * k + j] - removed[3 * k + j]))
        x, y, z = np.float32(normal[3 * k]), np.float32(normal[3 * k + 1]), np.float32(normal[3 * k + 2])
        n = np.sqrt(x * x + y * y + z * z)
        if n > MINVAL:
            normal[3 * k], normal[3 * k + 1], normal[3 * k + 2] = x / n, y / n, z / n
        else:
            normal[3 * k], normal[3 * k + 1], normal[3 * k + 2] = 0.0, 0.0, 1.0


@inline
def area_of(v, a, b, c):
    """Return (area, unit normal) of a triangle. A tiny triangle has area 0."""
    x, y, z = edge_cross(v, a, b, c)
    n = np.sqrt(x * x + y * y + z * z)
    if n < MINVAL:
        return 0.0, x, y, z
    return 0.5 * n, x / n, y / n, z / n


@stage("viiiiiiii")
def mesh_measure(vert_at, nvert, face_at, nface, solid_at, nsolid, mode, out_at):
    """Compute area, volume, center of mass and inertia of a mesh.

    reads vertices, faces and the faces that define the inertia; writes to `out`: face area, volume or surface, center of mass
    (3), products of inertia (6), volume about that center.
    """
    v, f, s = matrix_at(vert_at, nvert, 3), ints_at(face_at, 3 * nface), ints_at(solid_at, 3 * nsolid)
    out = array_at(out_at, 12)

    # Compute the centroid of the faces.
    cx, cy, cz, total = 0.0, 0.0, 0.0, 0.0
    for i in range(nface):
        a, b, c = f[3 * i], f[3 * i + 1], f[3 * i + 2]
        area, _, _, _ = area_of(v, a, b, c)
        cx += area * ((v[a, 0] + v[b, 0] + v[c, 0]) / 3)
        cy += area * ((v[a, 1] + v[b, 1] + v[c, 1]) / 3)
        cz += area * ((v[a, 2] + v[b, 2] + v[c, 2]) / 3)
        total += area
    if total >= MINVAL:
        cx, cy, cz = cx / total, cy / total, cz / total
    out[0] = total

    # Compute volume and center of mass from the tetrahedra between this centroid and the faces.
    volume, mx, my, mz = 0.0, 0.0, 0.0, 0.0
    for i in range(nsolid):
        a, b, c = s[3 * i], s[3 * i + 1], s[3 * i + 2]
        w, x, y, z = area_of(v, a, b, c)
        px = (v[a, 0] + v[b, 0] + v[c, 0]) / 3
        py = (v[a, 1] + v[b, 1] + v[c, 1]) / 3
        pz = (v[a, 2] + v[b, 2] + v[c, 2]) / 3
        if mode != SHELL:
            w = ((px - cx) * x + (py - cy) * y + (pz - cz) * z) * w / 3
        if mode == LEGACY:
            w = abs(w)
        volume += w
        mx += w * (px * 3.0 / 4.0 + cx / 4.0)
        my += w * (py * 3.0 / 4.0 + cy / 4.0)
        mz += w * (pz * 3.0 / 4.0 + cz / 4.0)
    if volume >= MINVAL:
        mx, my, mz = mx / volume, my / volume, mz / volume
    out[1], out[2], out[3], out[4] = volume, mx, my, mz
    products(v, s, nsolid, mode, mx, my, mz, out)


@kernel
def products(v, s, nsolid, mode, mx, my, mz, out):
    """Write second moments about (mx, my, mz) into out[5:11] (xx yy zz xy xz yz) and the volume into out[11]."""
    total, share = 0.0, 12.0 if mode == SHELL else 20.0
    for j in range(6):
        out[5 + j] = 0.0
    for i in range(nsolid):
        a, b, c = s[3 * i], s[3 * i + 1], s[3 * i + 2]

        d0, d1, d2 = v[a, 0] - mx, v[a, 1] - my, v[a, 2] - mz
        e0, e1, e2 = v[b, 0] - mx, v[b, 1] - my, v[b, 2] - mz
        f0, f1, f2 = v[c, 0] - mx, v[c, 1] - my, v[c, 2] - mz
        px, py, pz = e0 - d0, e1 - d1, e2 - d2
        qx, qy, qz = f0 - d0, f1 - d1, f2 - d2
        x, y, z = py * qz - pz * qy, pz * qx - px * qz, px * qy - py * qx
        n = np.sqrt(x * x + y * y + z * z)
        w = 0.0
        if n >= MINVAL:
            w = 0.5 * n
            if mode != SHELL:
                w = ((d0 + e0 + f0) / 3 * (x / n) + (d1 + e1 + f1) / 3 * (y / n) + (d2 + e2 + f2) / 3 * (z / n)) * w / 3

        if mode == LEGACY:
            w = abs(w)
        total += w
        w = w / share
        out[5] += w * second(d0, e0, f0, d0, e0, f0)
        out[6] += w * second(d1, e1, f1, d1, e1, f1)
        out[7] += w * second(d2, e2, f2, d2, e2, f2)
        out[8] += w * second(d0, e0, f0, d1, e1, f1)
        out[9] += w * second(d0, e0, f0, d2, e2, f2)
        out[10] += w * second(d1, e1, f1, d2, e2, f2)
    out[11] = total


@inline
def second(d, e, f, p, q, r):
    """Return twenty times the mean product of two coordinates over a tetrahedron with one corner at the origin."""
    return 2 * (d * p + e * q + f * r) + d * q + p * e + d * r + p * f + e * r + q * f


@inline
def sorts_before(key, axis, p, q):
    """Return whether leaf p precedes leaf q along an axis. Leaves at the same position are ordered by index."""
    x, y = key[p, axis], key[q, axis]
    return x < y if abs(x - y) > EPS else p < q


@inline
def exchange(order, i, j):
    order[i], order[j] = order[j], order[i]


@kernel
def sort_three(key, order, axis, a, b, c):
    """Sort the leaves at positions a, b, c of `order`; return the number of exchanges."""
    if not sorts_before(key, axis, order[b], order[a]):
        if not sorts_before(key, axis, order[c], order[b]):
            return 0
        exchange(order, b, c)
        if sorts_before(key, axis, order[b], order[a]):
            exchange(order, a, b)
            return 2
        return 1
    if sorts_before(key, axis, order[c], order[b]):
        exchange(order, a, c)
        return 1
    exchange(order, a, b)
    if sorts_before(key, axis, order[c], order[b]):
        exchange(order, b, c)
        return 2
    return 1


@kernel
def sort_few(key, order, low, high, axis):
    """Sort a short range of leaves by selection sort."""
    for i in range(low, high - 1):
        least = i
        for j in range(i + 1, high):
            if sorts_before(key, axis, order[j], order[least]):
                least = j
        if least != i:
            exchange(order, i, least)


@kernel
def is_sorted(key, order, low, high, axis):
    for i in range(low + 1, high):
        if sorts_before(key, axis, order[i], order[i - 1]):
            return False
    return True


@kernel
def split_equal(key, order, low, high, axis):
    """Move leaves that equal the first (and smallest) leaf to the front. Return the start of the other leaves, or -1 if there
    are none."""
    i, j = low + 1, high - 1
    if not sorts_before(key, axis, order[low], order[j]):
        while i < j and not sorts_before(key, axis, order[low], order[i]):
            i += 1
        if i == j:
            return -1
        exchange(order, i, j)
        i += 1
    if i == j:
        return -1
    last = len(order) - 1
    while True:
        while i < last and not sorts_before(key, axis, order[low], order[i]):
            i += 1
        j -= 1
        while j > 0 and sorts_before(key, axis, order[low], order[j]):
            j -= 1
        if i >= j:
            return i
        exchange(order, i, j)
        i += 1


@kernel
def split_about(key, order, axis, pivot, i, j):
    """Partition leaves i to j - 1 around the leaf at `pivot`, which may move. Return (start of the upper part, number of
    exchanges).

    Comparisons may be inconsistent, so the search can run into neighboring ranges; only the ends of the whole array stop it.
    """
    count, last = 0, len(order) - 1

    if i < j:
        while True:
            while i < last and sorts_before(key, axis, order[i], order[pivot]):
                i += 1
            j -= 1
            while j > 0 and not sorts_before(key, axis, order[j], order[pivot]):
                j -= 1
            if i >= j:
                break
            exchange(order, i, j)
            count += 1
            if pivot == i:
                pivot = j
            i += 1

    if i != pivot and sorts_before(key, axis, order[pivot], order[i]):
        exchange(order, i, pivot)
        count += 1
    return i, count


@kernel
def select(key, order, low, high, axis, k):
    """Move the k-th smallest leaf to order[k], and smaller leaves before it, by quickselect with the median of three as pivot.

    It takes exactly the steps of the C++ library that MuJoCo is linked with, because the order of leaves whose center is
    undefined depends on them.
    """
    while high - low > FEW:
        middle = low + (high - low) // 2
        count = sort_three(key, order, axis, low, middle, high - 1)
        i, j = low, high - 1
        if not sorts_before(key, axis, order[low], order[middle]):
            # If the first leaf is not less than the median, search from the end for a leaf that is less.
            j -= 1
            while j > low and not sorts_before(key, axis, order[j], order[middle]):
                j -= 1
            if j == low:
                low = split_equal(key, order, low, high, axis)
                if low < 0 or k < low:
                    return
                continue
            exchange(order, low, j)
            count += 1

        i, more = split_about(key, order, axis, middle, i + 1, j)
        if i == k:
            return
        below = k < i
        # If no leaf was exchanged, the range is probably sorted.
        if count + more == 0 and is_sorted(key, order, low if below else i, i if below else high, axis):
            return
        if below:
            high = i
        else:
            low = i + 1

    if high - low == 3:
        sort_three(key, order, axis, low, low + 1, high - 1)
    else:
        sort_few(key, order, low, high, axis)


@stage("viiiii")
def face_boxes(vert_at, nvert, face_at, nface, box_at):
    """Compute the input of `leaf_trees` for the faces of a mesh.

    reads vertices and faces; writes rows of 9: bounding box (low, high) and circumcenter of each face.
    """
    v, f, out = matrix_at(vert_at, nvert, 3), ints_at(face_at, 3 * nface), matrix_at(box_at, nface, 9)
    for i in range(nface):
        a, b, c = f[3 * i], f[3 * i + 1], f[3 * i + 2]
        for k in range(3):
            low, high = min(min(v[a, k], v[b, k]), v[c, k]), max(max(v[a, k], v[b, k]), v[c, k])
            # Convert to center and half size and back, to get the same rounding as MuJoCo.
            mid, half = 0.5 * (low + high), 0.5 * (high - low)
            out[i, k], out[i, 3 + k] = mid - half, mid + half

        # Circumcenter: c + ((p.p q - q.q p) x n) / (2 n.n), with edges p and q from corner c, and their cross product n.
        px, py, pz = v[a, 0] - v[c, 0], v[a, 1] - v[c, 1], v[a, 2] - v[c, 2]
        qx, qy, qz = v[b, 0] - v[c, 0], v[b, 1] - v[c, 1], v[b, 2] - v[c, 2]
        nx, ny, nz = py * qz - pz * qy, pz * qx - px * qz, px * qy - py * qx
        area = np.sqrt(nx * nx + ny * ny + nz * nz)
        pp, qq, scale = px * px + py * py + pz * pz, qx * qx + qy * qy + qz * qz, 2.0 * area * area
        wx, wy, wz = pp * qx - qq * px, pp * qy - qq * py, pp * qz - qq * pz
        out[i, 6] = (wy * nz - wz * ny) / scale + v[c, 0]
        out[i, 7] = (wz * nx - wx * nz) / scale + v[c, 1]
        out[i, 8] = (wx * ny - wy * nx) / scale + v[c, 2]


@stage("viiiiiiii")
def leaf_trees(box_at, count_at, ntree, order_at, stack_at, aabb_at, child_at, info_at):
    """Build the bounding volume hierarchies of several trees from their leaves, one tree after another.

    reads rows of 9, boxes (low, high) and centers of the leaves, and how many leaves (at least one) each tree has; writes 2
    count - 1 nodes of each tree in depth-first order: aabb (6), child (2), info (leaf, depth). Indices of leaves and
    children are relative to the tree. Nodes are split at the median along the longest axis.
    """
    counts, first = longs_at(count_at, ntree), 0
    for t in range(ntree):
        # A tree of n leaves has 2 n - 1 nodes.
        n, node = counts[t], 2 * first - t
        at = box_at + 72 * first
        grow_tree(
            matrix_at(at, n, 9),
            matrix_at(at + 24, n, 9),
            matrix_at(at + 48, n, 9),
            longs_at(order_at, n),
            longs_at(stack_at, 5 * (2 * n + 4)),
            array_at(aabb_at + 48 * node, 12 * n),
            ints_at(child_at + 8 * node, 4 * n),
            ints_at(info_at + 8 * node, 4 * n),
        )
        first += n


@kernel
def grow_tree(low, high, center, order, stack, aabb, child, info):
    """Build the nodes of one tree."""
    n = len(order)
    for i in range(n):
        order[i] = i
    count, top = 0, 1
    stack[0], stack[1], stack[2], stack[3], stack[4] = 0, n, 0, -1, 0

    # Each stack entry is a range of leaves, its depth, its parent, and its side of the parent.
    while top > 0:
        top -= 1
        start, end, depth, parent, side = (
            stack[5 * top],
            stack[5 * top + 1],
            stack[5 * top + 2],
            stack[5 * top + 3],
            stack[5 * top + 4],
        )
        if parent >= 0:
            child[2 * parent + side] = count

        # Write the node and its box. Its children are written later.
        axis = node_box(low, high, order, start, end, aabb, count)
        child[2 * count], child[2 * count + 1] = -1, -1
        info[2 * count], info[2 * count + 1] = -1, depth

        if end - start == 1:
            info[2 * count] = order[start]
        else:
            middle = start + (end - start) // 2
            select(center, order, start, end, axis, middle)
            stack[5 * top], stack[5 * top + 1], stack[5 * top + 2], stack[5 * top + 3], stack[5 * top + 4] = (
                middle,
                end,
                depth + 1,
                count,
                1,
            )
            top += 1
            stack[5 * top], stack[5 * top + 1], stack[5 * top + 2], stack[5 * top + 3], stack[5 * top + 4] = (
                start,
                middle,
                depth + 1,
                count,
                0,
            )
            top += 1
        count += 1


@kernel
def node_box(low, high, order, start, end, aabb, count):
    """Write the bounding box of order[start:end] into `aabb`; return the longest axis of the box."""
    p = order[start]
    x0, y0, z0, x1, y1, z1 = low[p, 0], low[p, 1], low[p, 2], high[p, 0], high[p, 1], high[p, 2]
    for i in range(start + 1, end):
        p = order[i]
        x0, y0, z0 = min(x0, low[p, 0]), min(y0, low[p, 1]), min(z0, low[p, 2])
        x1, y1, z1 = max(x1, high[p, 0]), max(y1, high[p, 1]), max(z1, high[p, 2])

    # Give flat boxes a minimal thickness.
    q = 6 * count
    aabb[q], aabb[q + 1], aabb[q + 2], aabb[q + 3], aabb[q + 4], aabb[q + 5] = x0, y0, z0, x1, y1, z1
    for k in range(3):
        if abs(aabb[q + k] - aabb[q + 3 + k]) < EPS:
            aabb[q + k], aabb[q + 3 + k] = aabb[q + k] - EPS, aabb[q + 3 + k] + EPS

    # Find the longest axis. A later axis must be clearly longer, so that rounding cannot prefer it.
    x = aabb[6 * count + 3] - aabb[6 * count]
    y = aabb[6 * count + 4] - aabb[6 * count + 1]
    z = aabb[6 * count + 5] - aabb[6 * count + 2]
    axis, length = 0, x
    if y >= x + EPS:
        axis, length = 1, y
    if z >= length + EPS:
        axis = 2

    # Convert to center and half sizes.
    for k in range(3):
        a, b = aabb[6 * count + k], aabb[6 * count + 3 + k]
        aabb[6 * count + k], aabb[6 * count + 3 + k] = (b + a) / 2, (b - a) / 2
    return axis
