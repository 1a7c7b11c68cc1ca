"""Two boxes: separating axes, then clipping of the face or edges that meet.

The axis of least penetration is a face normal of either box or a product of two edges (S. Gottschalk et al., OBBTree, 1996). Both
cases work in the frame of a reference face whose outward normal is z, with the face in the plane z = 0. Small arrays hold what is
indexed by a variable: `rot` the second box's axes seen from the first (columns), half-sizes `size1`, `size2`.
"""
from math import sqrt

from ..core.consts import mjMINVAL
from ..core.jit import inline, stage
from ..core.lang import load, small, store
from ..math.vec import add3, add_scaled3, dot3, mat_t_mat3, mat_t_vec3, mat_vec3, scale3, sub3, transpose3, unit3
from .manifold import LIMIT, POS, ROW, put

APART = -1
EDGES = 12
SHRINK = 1 - 1e-12                       # an edge pair must beat the faces by more than rounding
REMOVE_RATIO = 1.01                      # contacts farther outside a box than this are dropped


@inline
def bit(k):
    return 1 << k


@inline
def least_penetration(margin, rot, pos21, pos12, size1, size2, norm):
    """(code, corner bits of edge 1, of edge 2, whether box 2 lies against the normal); writes the edge normal to `norm`.

    Codes 0-5 and 6-11 are faces +x +y +z -x -y -z of box 1 and 2, 12 + 3 i + j edges i and j, APART if boxes are apart.
    """
    code, corner1, corner2, against = APART, 0, 0, False
    deepest = margin
    for i in range(3):
        deepest += size1[i] * 3 + size2[i] * 3
    for i in range(3):
        reach2 = abs(rot[3 * i]) * size2[0] + abs(rot[3 * i + 1]) * size2[1] + abs(rot[3 * i + 2]) * size2[2]
        reach1 = abs(rot[i]) * size1[0] + abs(rot[3 + i]) * size1[1] + abs(rot[6 + i]) * size1[2]
        depth1, depth2 = -abs(pos21[i]) + size1[i] + reach2, -abs(pos12[i]) + size2[i] + reach1
        if depth1 < -margin or depth2 < -margin:
            return APART, 0, 0, False
        if depth1 < deepest:
            deepest, code = depth1, i + (3 if pos21[i] < 0 else 0)
        if depth2 < deepest:
            deepest, code = depth2, i + (9 if pos12[i] < 0 else 6)
    n = small(3)
    for i in range(3):
        for j in range(3):
            x, y, z = rot[j], rot[3 + j], rot[6 + j]
            axis, length = unit3((0.0 if i == 0 else z if i == 1 else -y, -z if i == 0 else 0.0 if i == 1 else x,
                                  y if i == 0 else -x if i == 1 else 0.0))
            if length < mjMINVAL:
                continue
            store(n, 0, axis)
            shift = dot3((pos21[0], pos21[1], pos21[2]), axis)
            depth = 0.0
            for k in range(3):
                if k != i:
                    depth += size1[k] * abs(n[k])
            for k in range(3):
                if k != j:
                    depth += size2[k] * abs(rot[3 * i + 3 - k - j]) / length
            depth -= abs(shift)
            if depth < -margin:
                return APART, 0, 0, False
            if depth < deepest * SHRINK:
                deepest, against, code = depth, shift < 0, EDGES + 3 * i + j
                store(norm, 0, axis)
                corner1 = corner2 = 0
                for k in range(3):
                    if k != i and (n[k] > 0) != against:
                        corner1 += bit(k)
                    if k != j and ((rot[3 * i + 3 - k - j] > 0) != against) != ((k - j + 3) % 3 == 1):
                        corner2 += bit(k)
    return code, corner1, corner2, against


@inline
def face_turn(face):
    """Order and signs of axes that turn a box's face (+x +y +z -x -y -z) upwards."""
    axis, up = face % 3, face < 3
    if axis == 0:
        return (2, 1, 0), (-1.0 if up else 1.0, 1.0, 1.0 if up else -1.0)
    if axis == 1:
        return (0, 2, 1), (1.0, -1.0 if up else 1.0, 1.0 if up else -1.0)
    return (0, 1, 2), (1.0 if up else -1.0, 1.0, 1.0 if up else -1.0)


@inline
def turned(v, order, sign):
    return v[order[0]] * sign[0], v[order[1]] * sign[1], v[order[2]] * sign[2]


@inline
def turned_columns(mat, order, sign):
    """Columns of a matrix (as a small array) in the order of a turn."""
    i, j, k = order
    a, b, c = sign
    return (mat[i] * a, mat[j] * b, mat[k] * c, mat[3 + i] * a, mat[3 + j] * b, mat[3 + k] * c,
            mat[6 + i] * a, mat[6 + j] * b, mat[6 + k] * c)


@inline
def turned_rows(mat, order, sign):
    i, j, k = 3 * order[0], 3 * order[1], 3 * order[2]
    a, b, c = sign
    return (mat[i] * a, mat[i + 1] * a, mat[i + 2] * a, mat[j] * b, mat[j + 1] * b, mat[j + 2] * b,
            mat[k] * c, mat[k + 1] * c, mat[k + 2] * c)


@inline
def line(lines, k, origin, direction):
    store(lines, 6 * k, origin)
    store(lines, 6 * k + 3, direction)


@inline
def face_contacts(out, margin, box_mat, box_pos, turn, r, p, face, size, sign):
    """Clip the other box (axes r, centre p, half-sizes size) against a face (half-sizes and height `face`); returns rows."""
    order, flips = turn
    world = turned_columns(box_mat, order, flips)
    normal = scale3((world[2], world[5], world[8]), sign)
    height = face[2]
    p = (p[0], p[1], p[2] - height)

    # lowest corner, and the edges from it that are not steep
    corner = p
    edges = small(6)
    count = 0
    for i in range(3):
        down = r[6 + i] < 0
        column = (r[i], r[3 + i], r[6 + i])
        corner = add_scaled3(corner, column, size[i] * (1.0 if down else -1.0))
        if abs(r[6 + i]) < 0.5:
            store(edges, 3 * count, scale3(column, size[i] * (-2.0 if down else 2.0)))
            count += 1
    first, second = load(edges, 0, 3), load(edges, 3, 3)
    along = add3(corner, first)
    lines = small(24)
    if count > 0:
        line(lines, 0, corner, first)
    if count > 1:
        line(lines, 1, corner, second)
        line(lines, 2, along, second)
        line(lines, 3, add3(corner, second), first)

    n = 0
    # 0-15: edges against the face's outline, 16-19: corners of the face, 20-23: corners of the other box
    for trial in range(24):
        if trial < 16:
            i, q, side = trial >> 2, (trial >> 1) & 1, trial & 1
            if count == 0 or (count == 1 and i > 0):
                continue
            a, b, c, e = lines[6 * i + q], lines[6 * i + 3 + q], lines[6 * i + 1 - q], lines[6 * i + 4 - q]
            if abs(b) <= mjMINVAL:
                continue
            t = ((face[q] if side else -face[q]) - a) * (1 / b)
            if t < 0 or t > 1 or abs(c + e * t) > face[1 - q]:
                continue
            point = add_scaled3(load(lines, 6 * i, 3), load(lines, 6 * i + 3, 3), t)
        elif trial < 20:
            if count < 2:
                continue
            x, y = face[0] if trial & 2 else -face[0], face[1] if trial & 1 else -face[1]
            inverse = 1 / (first[0] * second[1] - second[0] * first[1])
            dx, dy = x - corner[0], y - corner[1]
            u, v = (dx * second[1] - dy * second[0]) * inverse, (dy * first[0] - dx * first[1]) * inverse
            if u <= 0 or v <= 0 or u >= 1 or v >= 1:
                continue
            point = (x, y, corner[2] + u * first[2] + v * second[2])
        else:
            i = trial - 20
            if i >= bit(count):
                break
            point = corner if i == 0 else along if i == 1 else add3(corner, second) if i == 2 else add3(along, second)
            if i and (point[0] <= -face[0] or point[0] >= face[0] or point[1] <= -face[1] or point[1] >= face[1]):
                continue
        if point[2] <= margin:
            place = add3(mat_vec3(world, (point[0], point[1], 0.5 * point[2] + height)), box_pos)
            n = put(out, n, point[2], place, normal)
    return n


@inline
def other_axes(k):
    """The two axes besides k, in the order in which ties are broken."""
    if k == 0:
        return 1, 2
    if k == 1:
        return 0, 2
    return 1, 0


@inline
def outside(x, half):
    """How far x lies beyond -half .. half."""
    return x + half if x < -half else x - half if x > half else 0.0


@inline
def outline(corners, lines):
    """Write the four edges of a parallelogram given by its corners; returns the first corner and the edges from it."""
    origin = load(corners, 0, 3)
    first, second = sub3(load(corners, 3, 3), origin), sub3(load(corners, 6, 3), origin)
    line(lines, 0, origin, first)
    line(lines, 1, origin, second)
    line(lines, 2, add3(origin, first), second)
    line(lines, 3, add3(origin, second), first)
    return origin, first, second


@inline
def cast_corner(cast, solid, i, face, slope, crossings, inner, reach, point):
    """(whether corner i of the cast face makes a contact, depth); writes the point halfway to the face."""
    x, y, z = cast[3 * i], cast[3 * i + 1], solid[3 * i + 2]
    out_x, out_y = outside(x, face[0]), outside(y, face[1])
    if (inner and out_x != 0 and out_y != 0) if crossings == 0 else (out_x != 0 or out_y != 0):
        return False, 0.0
    square = out_x * out_x + out_y * out_y + z * slope * z * slope
    if z > 0 and square > reach:
        return False, 0.0
    flat = (x if out_x == 0 else face[0] if x > 0 else -face[0], y if out_y == 0 else face[1] if y > 0 else -face[1], 0.0)
    store(point, 0, add_scaled3(scale3(flat, 0.5), load(solid, 3 * i, 3), 0.5))
    return True, sqrt(square) * (-1.0 if z < 0 else 1.0)


@inline
def edge_contacts(out, margin, mat1, pos1, size1, size2, rot, pos21, norm, i1, i2, corner1, corner2, against):
    """Edge i1 of box 1 against edge i2 of box 2: clip a face of box 2, cast along the normal, against a face of box 1."""
    a1, a2 = other_axes(i2)
    if abs(rot[3 * i1 + a1]) < abs(rot[3 * i1 + a2]):
        a1, a2 = a2, a1
    b1, b2 = other_axes(i1)
    up = b1 if abs(rot[3 * b1 + i2]) < abs(rot[3 * b2 + i2]) else b2
    order, flips = face_turn(up if corner1 & bit(up) else up + 3)
    r, p, normal = turned_rows(rot, order, flips), turned(pos21, order, flips), turned(norm, order, flips)
    if abs(normal[2]) < mjMINVAL:
        return 0
    face = (abs(size1[order[0]]), abs(size1[order[1]]), abs(size1[order[2]]))
    height = face[2]
    axes = small(9)
    store(axes, 0, r)
    column1, column2 = (axes[a1], axes[3 + a1], axes[6 + a1]), (axes[a2], axes[3 + a2], axes[6 + a2])
    edge = (axes[i2], axes[3 + i2], axes[6 + i2])

    # four corners of box 2's face, and where the normal takes them in the plane of box 1's face
    solid, cast, lines, solids = small(12), small(12), small(24), small(24)
    slope = 1 / normal[2]
    side1, side2 = size2[a1] * (1.0 if corner2 & bit(a1) else -1.0), size2[a2] * (1.0 if corner2 & bit(a2) else -1.0)
    for i in range(4):
        q = add_scaled3((p[0], p[1], p[2] - height), column1, -side1 if i & 2 else side1)
        q = add_scaled3(add_scaled3(q, column2, side2), edge, -size2[i2] if i & 1 else size2[i2])
        store(solid, 3 * i, q)
        store(cast, 3 * i, add_scaled3(q, normal, -q[2] * slope))
    slope *= -1.0 if against else 1.0

    origin, first, second = outline(cast, lines)
    outline(solid, solids)
    world = turned_columns(mat1, order, flips)
    direction = scale3(mat_vec3(world, normal), -1.0 if against else 1.0)
    det = first[0] * second[1] - second[0] * first[1]
    reach, point, depth = margin * margin, small(3), 0.0
    n = crossings = inner = 0
    for trial in range(24):
        if trial < 16:
            # cast edges against the face's outline
            i, q, side = trial >> 2, (trial >> 1) & 1, trial & 1
            a, b, c, e = lines[6 * i + q], lines[6 * i + 3 + q], lines[6 * i + 1 - q], lines[6 * i + 4 - q]
            if abs(b) <= mjMINVAL:
                continue
            limit = face[q] if side else -face[q]
            t = (limit - a) * (1 / b)
            across = c + e * t
            outer = t < 0 or t > 1 or abs(across) > face[1 - q]
            if outer or (solids[6 * i + 2] + solids[6 * i + 5] * t) * slope > margin:
                continue
            store(point, 0, add_scaled3(scale3(load(solids, 6 * i, 3), 0.5), load(solids, 6 * i + 3, 3), 0.5 * t))
            point[q] += 0.5 * limit
            point[1 - q] += 0.5 * across
            depth = point[2] * slope * 2
            crossings += 1
        elif trial < 20:
            # corners of the face inside the cast one
            x, y = face[0] if trial & 2 else -face[0], face[1] if trial & 1 else -face[1]
            dx, dy = x - origin[0], y - origin[1]
            u, v = (dx * second[1] - dy * second[0]) * (1 / det), (dy * first[0] - dx * first[1]) * (1 / det)
            out_u, out_v = u < 0 or u > 1, v < 0 or v > 1
            if (out_u and out_v) if crossings == 0 else (out_u or out_v):
                continue
            u, v = min(max(u, 0.0), 1.0), min(max(v, 0.0), 1.0)
            below = add_scaled3(add_scaled3(scale3(load(solid, 0, 3), 1 - u - v), load(solid, 3, 3), u), load(solid, 6, 3), v)
            dif = sub3((x, y, 0.0), below)
            # the reference keeps this square where the determinant was, also for the corners that follow
            det = dot3(dif, dif)
            if below[2] > 0 and det > reach:
                continue
            store(point, 0, scale3(add3((x, y, 0.0), below), 0.5))
            depth = sqrt(det) * (-1.0 if below[2] < 0 else 1.0)
            inner += 1
        else:
            # corners of the cast face inside the face
            near, depth = cast_corner(cast, solid, trial - 20, face, slope, crossings, inner, reach, point)
            if not near:
                continue
        place = add3(mat_vec3(world, (point[0], point[1], point[2] + height)), pos1)
        n = put(out, n, depth, place, direction)
    return n


@inline
def side_of_box(point, pos, mat, size):
    """1 outside the box made a little larger, -1 inside it made a little smaller, 0 between."""
    x, y, z = mat_t_vec3(mat, sub3(point, pos))
    x, y, z = abs(x), abs(y), abs(z)
    if x > size[0] * REMOVE_RATIO or y > size[1] * REMOVE_RATIO or z > size[2] * REMOVE_RATIO:
        return 1
    return -1 if x < size[0] / REMOVE_RATIO and y < size[1] / REMOVE_RATIO and z < size[2] / REMOVE_RATIO else 0


@inline
def drop_bad(out, n, margin, pos1, mat1, size1, pos2, mat2, size2):
    """Remove contacts outside one box that are not inside the other, and those that a later one repeats; returns what is left."""
    size1 = (size1[0] + margin, size1[1] + margin, size1[2] + margin)
    size2 = (size2[0] + margin, size2[1] + margin, size2[2] + margin)
    kept = 0
    for i in range(n):
        point = load(out, ROW * i + POS, 3)
        side1, side2 = side_of_box(point, pos1, mat1, size1), side_of_box(point, pos2, mat2, size2)
        if (side1 == 1 and side2 != -1) or (side2 == 1 and side1 != -1):
            continue
        row = load(out, ROW * i, 10)
        store(out, ROW * kept, row)
        kept += 1
    n, kept = kept, 0
    for i in range(n):
        row = load(out, ROW * i, 10)
        again = False
        for j in range(i + 1, n):
            if row[1] == out[ROW * j + 1] and row[2] == out[ROW * j + 2] and row[3] == out[ROW * j + 3]:
                again = True
                break
        if not again:
            store(out, ROW * kept, row)
            kept += 1
    return kept


@stage("iMDiif")
def collide_box_box(m, d, g1, g2, margin):
    """reads geom_xpos, geom_xmat; writes manifold. Returns the number of rows."""
    out = d.manifold
    pos1, mat1, half1 = load(d.geom_xpos, g1, 3), load(d.geom_xmat, g1, 9), load(m.geom_size, g1, 3)
    pos2, mat2, half2 = load(d.geom_xpos, g2, 3), load(d.geom_xmat, g2, 9), load(m.geom_size, g2, 3)
    rot, rott, size1, size2, norm = small(9), small(9), small(3), small(3), small(3)
    pos21, pos12 = mat_t_vec3(mat1, sub3(pos2, pos1)), mat_t_vec3(mat2, sub3(pos1, pos2))
    turn = mat_t_mat3(mat1, mat2)
    store(rot, 0, turn)
    store(size1, 0, half1)
    store(size2, 0, half2)
    code, corner1, corner2, against = least_penetration(margin, rot, pos21, pos12, size1, size2, norm)
    if code == APART:
        return 0
    frame = small(9)
    store(frame, 0, mat1)
    if code >= EDGES:
        n = edge_contacts(out, margin, frame, pos1, size1, size2, rot, pos21, norm, (code - EDGES) // 3, (code - EDGES) % 3,
                          corner1, corner2, against)
    else:
        # the reference face belongs to box 1, or to box 2 and all roles change
        second = code >= 6
        order, flips = face_turn(code % 6)
        store(rott, 0, transpose3(turn))
        if second:
            store(frame, 0, mat2)
        r = turned_rows(rott if second else rot, order, flips)
        p = turned(pos12 if second else pos21, order, flips)
        face = turned(half2 if second else half1, order, flips)
        n = face_contacts(out, margin, frame, pos2 if second else pos1, (order, flips), r, p,
                          (abs(face[0]), abs(face[1]), abs(face[2])), half1 if second else half2, -1.0 if second else 1.0)
    return drop_bad(out, min(n, LIMIT), margin, pos1, mat1, half1, pos2, mat2, half2)
