"""Box-box collision as in MuJoCo 3.12 and later: separating axes, then all contacts of a clipped face, or one contact of two
edges.

The axis of largest separation is a face normal of either box or the cross product of two edges (S. Gottschalk, M. Lin, D.
Manocha, OBBTree, 1996). If it is a face normal, the facing side of the other box is clipped by the four planes through the
face's sides (I. Sutherland, G. Hodgman, Reentrant polygon clipping, 1974). Every remaining corner within the margin becomes a
contact, halfway between the surfaces. If it is a product of edges, there is one contact halfway between their nearest points.
A face normal is preferred to a nearly equal edge product, because faces make more contacts.

Small arrays hold values that are indexed by a variable: `rot` the second box's axes seen from the first (columns),
half-sizes `size1`, `size2`, and polygons with three numbers per corner: two in the plane of the face, and the height
over it.
"""

from ..machine.jit import inline, kernel, stage
from ..machine.lang import load, small, store
from ..math.vec import add3, add_scaled3, clip, dot3, mat_t_mat3, mat_t_vec3, mat_vec3, scale3, sub3, transpose3, unit3
from ..tables.consts import mjMAXVAL, mjMINVAL
from .manifold import put

APART = -1
FACES2, EDGES = 3, 6  # codes of the first face of box 2, and of the first pair of edges
ROUNDING = 1e-13  # boxes are apart if the separation exceeds this fraction of their sizes
PARALLEL = 1e-16  # square of the sine below which two edges have no common normal
EDGE_BIAS = 1e-6  # fraction by which edges must be better than earlier axes
SAME, BETTER = 0.99, 0.05  # fraction of a face's depth by which nearly parallel edge products must be better
FLAT = 1e-9  # if a component of an axis is below this, both adjacent edges are equally near
REPEATED = 1e-14  # corners closer than this (squared, relative to the face's size) are merged
CORNERS, ROOM = 12, 36  # a square clipped by four planes has at most eight corners, of three numbers each


@inline
def edge_axis(rot, i, j):
    """Return (unit cross product of axis i of box 1 and axis j of box 2, in the frame of box 1; squared sine of their angle).

    Component i of the product is 0.
    """
    a, b = (i + 1) % 3, (i + 2) % 3
    axis = small(3)
    axis[i], axis[a], axis[b] = 0.0, -rot[3 * b + j], rot[3 * a + j]
    square = axis[a] * axis[a] + axis[b] * axis[b]
    n, _ = unit3(load(axis, 0, 3))
    return n, square


@inline
def best_face(rot, pos21, pos12, size1, size2, limit):
    """Return (code, separation) of the face normal along which the boxes are farthest apart; APART if the separation exceeds
    the limit."""
    code, best = APART, -mjMAXVAL
    for i in range(3):
        apart = (
            abs(pos21[i])
            - size1[i]
            - (abs(rot[3 * i]) * size2[0] + abs(rot[3 * i + 1]) * size2[1] + abs(rot[3 * i + 2]) * size2[2])
        )
        if apart > limit:
            return APART, 0.0
        if apart > best:
            best, code = apart, i

    for j in range(3):
        apart = abs(pos12[j]) - size2[j] - (abs(rot[j]) * size1[0] + abs(rot[3 + j]) * size1[1] + abs(rot[6 + j]) * size1[2])
        if apart > limit:
            return APART, 0.0
        if apart > best:
            best, code = apart, FACES2 + j

    return code, best


@inline
def along_edges(rot, i, j, pos21, size1, size2):
    """Return (separation along the cross product of two edges, False if the edges are nearly parallel and have no cross
    product)."""
    n, square = edge_axis(rot, i, j)
    if square < PARALLEL:
        return 0.0, False
    axis = small(3)
    store(axis, 0, n)
    a, b, c, e = (i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3
    reach1 = size1[a] * abs(axis[a]) + size1[b] * abs(axis[b])
    reach2 = size2[c] * abs(axis[a] * rot[3 * a + c] + axis[b] * rot[3 * b + c]) + size2[e] * abs(
        axis[a] * rot[3 * a + e] + axis[b] * rot[3 * b + e]
    )
    return abs(axis[a] * pos21[a] + axis[b] * pos21[b]) - reach1 - reach2, True


@kernel
def best_axis(rot, pos21, pos12, size1, size2, limit):
    """Return the code of the axis along which the boxes are farthest apart, or APART.

    Codes 0-2 and 3-5 are faces of box 1 and 2, 6 + 3 i + j is edges i and j.
    """
    face, apart_face = best_face(rot, pos21, pos12, size1, size2, limit)
    code, best = face, apart_face
    if face == APART:
        return APART

    # Try the nine edge cross products: one is chosen only if its separation clearly exceeds that of the faces.
    for i in range(3):
        for j in range(3):
            apart, crossed = along_edges(rot, i, j, pos21, size1, size2)
            if not crossed:
                continue
            if apart > limit:
                return APART
            if apart - EDGE_BIAS * abs(apart) > best and apart > apart_face:
                best, code = apart, EDGES + 3 * i + j

    # If the best edge product is close to the face normal, prefer the face.
    if code >= EDGES:
        n, _ = edge_axis(rot, (code - EDGES) // 3, (code - EDGES) % 3)
        f = face % 3
        along = (
            abs(n[0] * rot[f] + n[1] * rot[3 + f] + n[2] * rot[6 + f])
            if face >= FACES2
            else abs(n[0] if f == 0 else n[1] if f == 1 else n[2])
        )
        if along > SAME and best < apart_face + BETTER * abs(apart_face) + mjMINVAL:
            return face
    return code


@inline
def flat_component(v, a, b):
    """Return which of two components of an axis is near zero; -1 if neither is."""
    return a if abs(v[a]) < FLAT else b if abs(v[b]) < FLAT else -1


@kernel
def collide_edges(out, mat1, pos1, rot, pos21, size1, size2, i, j, limit):
    """Make one contact between edge i of box 1 and edge j of box 2; return the number of rows."""
    n, _ = edge_axis(rot, i, j)
    if dot3(n, load(pos21, 0, 3)) < 0:
        n = scale3(n, -1.0)

    axis1, axis2, corner1, corner2 = small(3), small(3), small(3), small(3)
    turn = load(rot, 0, 9)
    n2 = mat_t_vec3(turn, n)
    store(axis1, 0, n)
    store(axis2, 0, n2)
    a, b, c, e = (i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3
    flat1, flat2 = flat_component(axis1, a, b), flat_component(axis2, c, e)
    direction = rot[j], rot[3 + j], rot[6 + j]
    cosine = rot[3 * i + j]
    rest = 1 - cosine * cosine

    # If an edge is parallel to the face below it, two of the face's edges are equally near: try both.
    best, near1, near2 = mjMAXVAL, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for flip in range(4):
        if (flip & 1 and flat2 < 0) or (flip & 2 and flat1 < 0):
            continue
        corner1[i], corner2[j] = 0.0, 0.0
        corner1[a], corner1[b] = size1[a] if axis1[a] >= 0 else -size1[a], size1[b] if axis1[b] >= 0 else -size1[b]
        corner2[c], corner2[e] = -size2[c] if axis2[c] >= 0 else size2[c], -size2[e] if axis2[e] >= 0 else size2[e]
        if flip & 2:
            corner1[flat1] = -corner1[flat1]
        if flip & 1:
            corner2[flat2] = -corner2[flat2]
        start = add3(mat_vec3(turn, load(corner2, 0, 3)), load(pos21, 0, 3))
        between = sub3(start, load(corner1, 0, 3))
        along1, along2 = between[0] if i == 0 else between[1] if i == 1 else between[2], dot3(direction, between)

        # Find the nearest points of the two edges. Each point is computed from the other one, and clamped to its edge.
        s = clip(0.0 if rest < mjMINVAL else (along1 - cosine * along2) / rest, -size1[i], size1[i])
        t = clip(cosine * s - along2, -size2[j], size2[j])
        corner1[i] = clip(along1 + cosine * t, -size1[i], size1[i])
        p, q = load(corner1, 0, 3), add_scaled3(start, direction, t)
        dif = sub3(q, p)
        square = dot3(dif, dif)
        if square < best:
            best, near1, near2 = square, p, q

    # Make one contact halfway between the nearest points.
    dist = dot3(sub3(near2, near1), n)
    if dist > limit:
        return 0
    middle = (0.5 * (near1[0] + near2[0]), 0.5 * (near1[1] + near2[1]), 0.5 * (near1[2] + near2[2]))
    return put(out, 0, dist, add3(mat_vec3(mat1, middle), pos1), mat_vec3(mat1, n))


@inline
def clip_side(polygon, spare, count, q, sign, limit):
    """Write to `spare` the part of a polygon where sign * coordinate q <= limit. Return its number of corners, or -1 if nothing
    was cut off.
    """
    outside = False
    for k in range(count):
        outside = outside or sign * polygon[3 * k + q] - limit > 0
    if not outside:
        return -1

    # Keep corners inside the limit, and add a corner where an edge crosses the limit.
    n = 0
    for k in range(count):
        after = 0 if k + 1 == count else k + 1
        here, there = sign * polygon[3 * k + q] - limit, sign * polygon[3 * after + q] - limit
        p = load(polygon, 3 * k, 3)
        if here <= 0 and n < CORNERS:
            store(spare, 3 * n, p)
            n += 1
        if ((here < 0 and there > 0) or (here > 0 and there < 0)) and n < CORNERS:
            store(spare, 3 * n, add_scaled3(p, sub3(load(polygon, 3 * after, 3), p), here / (here - there)))
            n += 1
    return n


@inline
def start_polygon(polygon, a, flip, axes, centre, face, size):
    """Write the corners of the side of the other box that is opposite to face `a`, in the frame of `a`. Return the two axes of
    that side.

    `flip` is -1 if the other box is on the negative side of the reference box.
    """
    x, y = (a + 1) % 3, (a + 2) % 3

    # Find the axis of the other box most nearly along the normal of face `a`.
    across = 0
    for k in range(1, 3):
        if abs(axes[3 * a + k]) > abs(axes[3 * a + across]):
            across = k
    side = size[across] * (-1.0 if flip * axes[3 * a + across] > 0 else 1.0)

    # Compute the center of that side, and the half-edges to its four corners.
    u, v = (across + 1) % 3, (across + 2) % 3
    middle = (
        centre[x] + side * axes[3 * x + across],
        centre[y] + side * axes[3 * y + across],
        flip * (centre[a] + side * axes[3 * a + across]) - face[a],
    )
    du = (size[u] * axes[3 * x + u], size[u] * axes[3 * y + u], flip * (size[u] * axes[3 * a + u]))
    dv = (size[v] * axes[3 * x + v], size[v] * axes[3 * y + v], flip * (size[v] * axes[3 * a + v]))
    for k in range(4):
        su, sv = -1.0 if k == 1 or k == 2 else 1.0, -1.0 if k >= 2 else 1.0
        store(polygon, 3 * k, add_scaled3(add_scaled3(middle, du, su), dv, sv))
    return x, y


@kernel
def collide_face(out, margin, a, flip, mat, pos, axes, centre, face, size, sign):
    """Make contacts between face `a` of a box (pose `mat`, `pos`, half-sizes `face`) and the other box; return the number of
    rows.

    The other box is given by its axes, center and half-sizes in the frame of the first box.
    """
    polygon, spare = small(ROOM), small(ROOM)
    x, y = start_polygon(polygon, a, flip, axes, centre, face, size)

    # Clip by the four sides of the face.
    count = 4
    for k in range(4):
        q = k >> 1
        left = clip_side(polygon, spare, count, q, -1.0 if k & 1 else 1.0, face[y if q else x])
        if left >= 0:
            count = left
            polygon, spare = spare, polygon

    # Each distinct corner within the margin makes a contact.
    normal = (sign * mat[a], sign * mat[3 + a], sign * mat[6 + a])
    turn, point = load(mat, 0, 9), small(3)
    near = REPEATED * (face[x] * face[x] + face[y] * face[y])
    n = 0
    for k in range(count):
        p = load(polygon, 3 * k, 3)
        if p[2] > margin:
            continue
        repeated = False
        for old in range(n):
            dx, dy = spare[3 * old] - p[0], spare[3 * old + 1] - p[1]
            repeated = repeated or dx * dx + dy * dy < near
        if not repeated:
            store(spare, 3 * n, p)
            point[x], point[y], point[a] = p[0], p[1], flip * (face[a] + 0.5 * p[2])
            n = put(out, n, p[2], add3(mat_vec3(turn, load(point, 0, 3)), pos), normal)
    return n


@stage("iMDiif")
def collide_box_face(m, d, g1, g2, margin):
    """reads geom_xpos, geom_xmat; writes manifold. Returns the number of rows."""
    out = d.manifold
    pos1, mat1, half1 = load(d.geom_xpos, g1, 3), load(d.geom_xmat, g1, 9), load(m.geom_size, g1, 3)
    pos2, mat2, half2 = load(d.geom_xpos, g2, 3), load(d.geom_xmat, g2, 9), load(m.geom_size, g2, 3)

    # Compute the pose of each box in the frame of the other.
    rot, pos21, pos12, size1, size2, frame = small(9), small(3), small(3), small(3), small(3), small(9)
    store(pos21, 0, mat_t_vec3(mat1, sub3(pos2, pos1)))
    store(pos12, 0, mat_t_vec3(mat2, sub3(pos1, pos2)))
    turn = mat_t_mat3(mat1, mat2)
    store(rot, 0, turn)
    store(size1, 0, half1)
    store(size2, 0, half2)

    # Find the separating axis, then make the contacts of two edges, a face of box 1, or a face of box 2.
    limit = margin + ROUNDING * (half1[0] + half1[1] + half1[2] + half2[0] + half2[1] + half2[2])
    code = best_axis(rot, pos21, pos12, size1, size2, limit)
    if code == APART:
        return 0
    if code >= EDGES:
        return collide_edges(out, mat1, pos1, rot, pos21, size1, size2, (code - EDGES) // 3, (code - EDGES) % 3, limit)
    if code < FACES2:
        store(frame, 0, mat1)
        flip = 1.0 if pos21[code] >= 0 else -1.0
        return collide_face(out, margin, code, flip, frame, pos1, rot, pos21, size1, size2, flip)
    a = code - FACES2
    flip = 1.0 if pos12[a] >= 0 else -1.0
    store(frame, 0, mat2)
    store(rot, 0, transpose3(turn))
    return collide_face(out, margin, a, flip, frame, pos2, rot, pos12, size2, size1, -flip)
