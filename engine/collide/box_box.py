r"""Box-box collision: separating axes, then clipping of the face or the two edges in contact.

The axis of least penetration is one of 15 axes: a face normal of either box, or the cross product of two edges. If one of them
separates the boxes, they are apart (S. Gottschalk, M. Lin, D. Manocha, OBBTree, 1996; C. Ericson, Real-Time Collision
Detection, 2005, 4.4.1). Both cases work in the frame of a reference face whose outward normal is z, with the face in the plane
z = 0:

    a face normal: the other box's edges near its      an edge product: a face of box 2 next to its edge is projected along
    lowest corner are clipped at the outline           the normal n onto the plane of a face of box 1, and clipped there

               \     /                                          \  n|        the outline is |x| <= face[0], |y| <= face[1]
                \   /                                            \  |   /
         ________\_/____ z = 0                              ______\_|__/__ z = 0
        | face    V     |                                  | face  \| /   |
        |               |                                  |        V     |

Clipping tries 24 candidates in turn: 4 edges of a parallelogram at 4 sides of the outline, by the parameter at which
they cross (Y. Liang, B. Barsky, 1984), the outline's 4 corners inside the parallelogram, and the parallelogram's 4
corners inside the outline.

Small arrays hold values that are indexed by a variable: `rot` the second box's axes seen from the first (columns),
half-sizes `size1`, `size2`, `lines` the edges of a parallelogram (start, direction).
"""

from math import sqrt

from ..core.stages import stage_address
from ..machine.jit import inline, stage
from ..machine.lang import invoke_pair, load, small, store
from ..math.vec import add3, add_scaled3, clip, dot3, mat_t_mat3, mat_t_vec3, mat_vec3, scale3, sub3, transpose3, unit3
from ..tables.compat_rows import bit as changes
from ..tables.consts import mjMINVAL
from ..tables.stage_rows import stage_id
from .manifold import LIMIT, POS, ROW, put

APART = -1
CLIP, FACE = changes("box_clip"), stage_id("collide_box_face")  # function used since MuJoCo 3.12
FACES2, EDGES = 6, 12  # codes of the first face of box 2, and of the first pair of edges
SHRINK = 1 - 1e-12  # an edge pair must beat the faces by more than rounding
STEEP = 0.5  # edges whose direction has a larger z are not clipped
REMOVE_RATIO = 1.01  # contacts farther outside a box than this are dropped
# Order and signs of axes that turn each face (+x +y +z -x -y -z) of a box upwards; both faces of an axis have the same order.
ORDER = ((2, 1, 0), (0, 2, 1), (0, 1, 2))
SIGN = ((-1.0, 1.0, 1.0), (1.0, -1.0, 1.0), (1.0, 1.0, 1.0), (1.0, 1.0, -1.0), (1.0, 1.0, -1.0), (-1.0, 1.0, -1.0))
# for each axis, the two other axes, in the order in which ties are broken
OTHERS = ((1, 2), (0, 2), (1, 0))
# Candidate points for clipping: 0-15 crossings of edges, 16-19 corners of the outline, 20-23 corners of the parallelogram.
OUTLINE_CORNERS, CORNERS, CANDIDATES = 16, 20, 24


@inline
def bit(k):
    return 1 << k


# ---- separating axes ---------------------------------------------------------------------------------------------------
@inline
def least_face(margin, rot, pos21, pos12, size1, size2):
    """Return (least depth along the face normals of both boxes, its code), or (0, APART)."""
    code, deepest = APART, margin
    for i in range(3):
        deepest += size1[i] * 3 + size2[i] * 3
    for i in range(3):
        reach2 = abs(rot[3 * i]) * size2[0] + abs(rot[3 * i + 1]) * size2[1] + abs(rot[3 * i + 2]) * size2[2]
        reach1 = abs(rot[i]) * size1[0] + abs(rot[3 + i]) * size1[1] + abs(rot[6 + i]) * size1[2]
        depth1, depth2 = -abs(pos21[i]) + size1[i] + reach2, -abs(pos12[i]) + size2[i] + reach1
        if depth1 < -margin or depth2 < -margin:
            return 0.0, APART
        if depth1 < deepest:
            deepest, code = depth1, i + (3 if pos21[i] < 0 else 0)
        if depth2 < deepest:
            deepest, code = depth2, FACES2 + i + (3 if pos12[i] < 0 else 0)
    return deepest, code


@inline
def cross_axis(i, v):
    """Return the cross product of the unit vector along axis i and v."""
    if i == 0:
        return 0.0, -v[2], v[1]
    if i == 1:
        return v[2], 0.0, -v[0]
    return -v[1], v[0], 0.0


@inline
def least_penetration(margin, rot, pos21, pos12, size1, size2, norm):
    """Return (code of the axis, corner bits of edge 1, corner bits of edge 2, whether the edge normal points away from box 2).

    Writes the edge normal to `norm`.

    Codes: 0-5 for faces +x +y +z -x -y -z of box 1, 6-11 for those of box 2, 12 + 3 i + j for edges i and j, or APART.
    """
    corner1, corner2, against = 0, 0, False
    deepest, code = least_face(margin, rot, pos21, pos12, size1, size2)
    if code == APART:
        return APART, 0, 0, False

    # Try the cross products of all pairs of edges. For nearly parallel edges, the product has no reliable direction.
    n = small(3)
    for i in range(3):
        for j in range(3):
            axis, length = unit3(cross_axis(i, (rot[j], rot[3 + j], rot[6 + j])))
            if length < mjMINVAL:
                continue
            store(n, 0, axis)
            shift = dot3((pos21[0], pos21[1], pos21[2]), axis)
            depth = 0.0

            # Depth along the edge product: the sum of both boxes' half-widths, minus the distance of the centers.
            for k in range(3):
                if k != i:
                    depth += size1[k] * abs(n[k])
            for k in range(3):
                if k != j:
                    depth += size2[k] * abs(rot[3 * i + 3 - k - j]) / length
            depth -= abs(shift)
            if depth < -margin:
                return APART, 0, 0, False

            # This is the best axis so far: remember it, and the deepest corner of each box.
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


# ---- the frame of a face -----------------------------------------------------------------------------------------------
@inline
def face_turn(face):
    """Return the order and signs of the axes that turn a box's face (+x +y +z -x -y -z) upwards."""
    return ORDER[face % 3], SIGN[face]


@inline
def turned(v, order, sign):
    """Return the coordinates of a vector in the frame of a turned face."""
    return v[order[0]] * sign[0], v[order[1]] * sign[1], v[order[2]] * sign[2]


@inline
def turned_columns(mat, order, sign):
    """Return a matrix (as a small array) with its columns reordered and negated for a turned face."""
    i, j, k = order
    a, b, c = sign
    return (
        mat[i] * a,
        mat[j] * b,
        mat[k] * c,
        mat[3 + i] * a,
        mat[3 + j] * b,
        mat[3 + k] * c,
        mat[6 + i] * a,
        mat[6 + j] * b,
        mat[6 + k] * c,
    )


@inline
def turned_rows(mat, order, sign):
    """Return a matrix (as a small array) with its rows reordered and negated for a turned face."""
    i, j, k = 3 * order[0], 3 * order[1], 3 * order[2]
    a, b, c = sign
    return (
        mat[i] * a,
        mat[i + 1] * a,
        mat[i + 2] * a,
        mat[j] * b,
        mat[j + 1] * b,
        mat[j + 2] * b,
        mat[k] * c,
        mat[k + 1] * c,
        mat[k + 2] * c,
    )


# ---- clipping ----------------------------------------------------------------------------------------------------------
@inline
def line(lines, k, origin, direction):
    """Write edge k: its start point and its direction."""
    store(lines, 6 * k, origin)
    store(lines, 6 * k + 3, direction)


@inline
def crossing(lines, i, q, limit, width):
    """Find where edge i crosses the side of the outline along which coordinate q equals `limit`.

    Return (whether they cross, that is, within -width .. width; parameter of the edge; the other coordinate).
    """
    a, b, c, e = lines[6 * i + q], lines[6 * i + 3 + q], lines[6 * i + 1 - q], lines[6 * i + 4 - q]
    if abs(b) <= mjMINVAL:
        return False, 0.0, 0.0
    t = (limit - a) * (1 / b)
    across = c + e * t
    return not (t < 0 or t > 1 or abs(across) > width), t, across


@inline
def outline_corner(face, k):
    """Return corner k = 0..3 of the outline of the face."""
    return face[0] if k & 2 else -face[0], face[1] if k & 1 else -face[1]


@inline
def parallelogram_corner(origin, first, second, k):
    """Return corner k = 0..3 of a parallelogram: bit 0 of k goes along the first edge, bit 1 along the second."""
    point = add3(origin, first) if k & 1 else origin
    return add3(point, second) if k & 2 else point


@inline
def parallelogram_coordinates(x, y, origin, first, second, inverse):
    """Return the coordinates of a point of the plane in the basis of two edges. `inverse` is 1 / (first edge x second edge)."""
    dx, dy = x - origin[0], y - origin[1]
    return (dx * second[1] - dy * second[0]) * inverse, (dy * first[0] - dx * first[1]) * inverse


@inline
def face_candidate(trial, lines, count, corner, first, second, face):
    """Return (whether candidate point k is within the outline, the point).

    With 0, 1 or 2 edges (`count`), the clipped figure is a point, a line, or a parallelogram of four lines.
    """
    nothing = (False, (0.0, 0.0, 0.0))

    # Candidates 0-15: crossings of an edge and a side of the outline.
    if trial < OUTLINE_CORNERS:
        i, q, side = trial >> 2, (trial >> 1) & 1, trial & 1
        if count == 0 or (count == 1 and i > 0):
            return nothing
        hit, t, _ = crossing(lines, i, q, face[q] if side else -face[q], face[1 - q])
        return hit, add_scaled3(load(lines, 6 * i, 3), load(lines, 6 * i + 3, 3), t)

    # Candidates 16-19: corners of the outline inside the parallelogram.
    if trial < CORNERS:
        if count < 2:
            return nothing
        x, y = outline_corner(face, trial - OUTLINE_CORNERS)
        u, v = parallelogram_coordinates(x, y, corner, first, second, 1 / (first[0] * second[1] - second[0] * first[1]))
        return not (u <= 0 or v <= 0 or u >= 1 or v >= 1), (x, y, corner[2] + u * first[2] + v * second[2])

    # Candidates 20-23: corners of the parallelogram inside the outline.
    i = trial - CORNERS
    if i >= bit(count):
        return nothing
    # The lowest corner is accepted even if it is outside the outline.
    point = parallelogram_corner(corner, first, second, i)
    return not (i and (point[0] <= -face[0] or point[0] >= face[0] or point[1] <= -face[1] or point[1] >= face[1])), point


@inline
def face_contacts(out, margin, box_mat, box_pos, turn, r, p, face, size, sign):
    """Clip the other box (axes r, center p, half-sizes `size`) against a face (half-sizes and height `face`); return the number
    of rows."""
    order, flips = turn
    world = turned_columns(box_mat, order, flips)
    normal = scale3((world[2], world[5], world[8]), sign)
    height = face[2]
    p = (p[0], p[1], p[2] - height)

    # Find the lowest corner, and those edges at this corner that are not steep.
    corner = p
    edges = small(6)
    count = 0
    for i in range(3):
        down = r[6 + i] < 0
        column = (r[i], r[3 + i], r[6 + i])
        corner = add_scaled3(corner, column, size[i] * (1.0 if down else -1.0))
        if abs(r[6 + i]) < STEEP:
            store(edges, 3 * count, scale3(column, size[i] * (-2.0 if down else 2.0)))
            count += 1
    first, second = load(edges, 0, 3), load(edges, 3, 3)
    lines = small(24)
    if count > 0:
        line(lines, 0, corner, first)
    if count > 1:
        line(lines, 1, corner, second)
        line(lines, 2, add3(corner, first), second)
        line(lines, 3, add3(corner, second), first)

    # Every candidate within the margin is a contact, halfway between the surfaces.
    n = 0
    for trial in range(CANDIDATES):
        inside, point = face_candidate(trial, lines, count, corner, first, second, face)
        if inside and point[2] <= margin:
            place = add3(mat_vec3(world, (point[0], point[1], 0.5 * point[2] + height)), box_pos)
            n = put(out, n, point[2], place, normal)
    return n


@inline
def outline(corners, lines):
    """Write the four edges of a parallelogram given by its corners; return the first corner and the two edges that start
    there."""
    origin = load(corners, 0, 3)
    first, second = sub3(load(corners, 3, 3), origin), sub3(load(corners, 6, 3), origin)
    line(lines, 0, origin, first)
    line(lines, 1, origin, second)
    line(lines, 2, add3(origin, first), second)
    line(lines, 3, add3(origin, second), first)
    return origin, first, second


@inline
def edge_crossing(trial, lines, solids, face, slope, margin, point):
    """Return (whether an edge of the projected face crosses the outline within the margin, depth).

    Writes the point halfway between edge and face."""
    i, q, side = trial >> 2, (trial >> 1) & 1, trial & 1
    limit = face[q] if side else -face[q]
    hit, t, across = crossing(lines, i, q, limit, face[1 - q])
    if not hit or (solids[6 * i + 2] + solids[6 * i + 5] * t) * slope > margin:
        return False, 0.0
    store(point, 0, add_scaled3(scale3(load(solids, 6 * i, 3), 0.5), load(solids, 6 * i + 3, 3), 0.5 * t))
    point[q] += 0.5 * limit
    point[1 - q] += 0.5 * across
    return True, point[2] * slope * 2


@inline
def edge_outline_corner(trial, solid, origin, first, second, det, face, crossings, reach, point):
    """Return (whether a corner of the outline is inside the projected face, depth, determinant for the next corner).

    Writes the point halfway between both faces."""
    x, y = outline_corner(face, trial - OUTLINE_CORNERS)
    u, v = parallelogram_coordinates(x, y, origin, first, second, 1 / det)
    out_u, out_v = u < 0 or u > 1, v < 0 or v > 1
    if (out_u and out_v) if crossings == 0 else (out_u or out_v):
        return False, 0.0, det
    u, v = min(max(u, 0.0), 1.0), min(max(v, 0.0), 1.0)
    below = add_scaled3(add_scaled3(scale3(load(solid, 0, 3), 1 - u - v), load(solid, 3, 3), u), load(solid, 6, 3), v)
    dif = sub3((x, y, 0.0), below)
    # As in MuJoCo, this square overwrites the determinant, also for the following corners.
    det = dot3(dif, dif)
    if below[2] > 0 and det > reach:
        return False, 0.0, det
    store(point, 0, scale3(add3((x, y, 0.0), below), 0.5))
    return True, sqrt(det) * (-1.0 if below[2] < 0 else 1.0), det


@inline
def edge_corner(i, cast, solid, face, slope, crossings, inner, reach, point):
    """Return (whether corner i of the projected face makes a contact, depth); write the point halfway to the outline's face."""
    x, y, z = cast[3 * i], cast[3 * i + 1], solid[3 * i + 2]
    # Compute the distance outside the outline.
    out_x, out_y = x - clip(x, -face[0], face[0]), y - clip(y, -face[1], face[1])
    if (inner and out_x != 0 and out_y != 0) if crossings == 0 else (out_x != 0 or out_y != 0):
        return False, 0.0
    square = out_x * out_x + out_y * out_y + z * slope * z * slope
    if z > 0 and square > reach:
        return False, 0.0
    nearest = (clip(x, -face[0], face[0]), clip(y, -face[1], face[1]), 0.0)
    store(point, 0, add_scaled3(scale3(nearest, 0.5), load(solid, 3 * i, 3), 0.5))
    return True, sqrt(square) * (-1.0 if z < 0 else 1.0)


@inline
def edge_frame(rot, i1, i2, corner1):
    """Return (axes of box 2 that span the face to project, order and signs of the axes that turn the face of box 1 upwards).

    For each box, choose the face whose normal is most nearly along the edge normal.
    """
    a1, a2 = OTHERS[i2]
    if abs(rot[3 * i1 + a1]) < abs(rot[3 * i1 + a2]):
        a1, a2 = a2, a1
    b1, b2 = OTHERS[i1]
    up = b1 if abs(rot[3 * b1 + i2]) < abs(rot[3 * b2 + i2]) else b2
    order, flips = face_turn(up if corner1 & bit(up) else up + 3)
    return a1, a2, order, flips


@inline
def edge_contacts(out, margin, mat1, pos1, size1, size2, rot, pos21, norm, i1, i2, corner1, corner2, against):
    """Collide edge i1 of box 1 with edge i2 of box 2. Project a face of box 2 along the normal, and clip it by a face of box
    1."""
    a1, a2, order, flips = edge_frame(rot, i1, i2, corner1)
    r, p, normal = turned_rows(rot, order, flips), turned(pos21, order, flips), turned(norm, order, flips)
    if abs(normal[2]) < mjMINVAL:
        return 0
    face = (abs(size1[order[0]]), abs(size1[order[1]]), abs(size1[order[2]]))
    height = face[2]
    axes = small(9)
    store(axes, 0, r)
    column1, column2 = (axes[a1], axes[3 + a1], axes[6 + a1]), (axes[a2], axes[3 + a2], axes[6 + a2])
    edge = (axes[i2], axes[3 + i2], axes[6 + i2])

    # Compute the four corners of box 2's face, and project them along the normal onto the plane of box 1's face.
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
    reach, point = margin * margin, small(3)
    n = crossings = inner = 0

    # Try all candidate points in order: the tests of later points depend on how many earlier ones were accepted.
    for trial in range(CANDIDATES):
        if trial < OUTLINE_CORNERS:
            found, depth = edge_crossing(trial, lines, solids, face, slope, margin, point)
            crossings += found
        elif trial < CORNERS:
            found, depth, det = edge_outline_corner(trial, solid, origin, first, second, det, face, crossings, reach, point)
            inner += found
        else:
            found, depth = edge_corner(trial - CORNERS, cast, solid, face, slope, crossings, inner, reach, point)
        if found:
            place = add3(mat_vec3(world, (point[0], point[1], point[2] + height)), pos1)
            n = put(out, n, depth, place, direction)
    return n


@inline
def side_of_box(point, pos, mat, size):
    """Return 1 for a point outside the slightly enlarged box, -1 inside the slightly shrunken box, else 0."""
    x, y, z = mat_t_vec3(mat, sub3(point, pos))
    x, y, z = abs(x), abs(y), abs(z)
    if x > size[0] * REMOVE_RATIO or y > size[1] * REMOVE_RATIO or z > size[2] * REMOVE_RATIO:
        return 1
    return -1 if x < size[0] / REMOVE_RATIO and y < size[1] / REMOVE_RATIO and z < size[2] / REMOVE_RATIO else 0


@inline
def prune_contacts(out, n, margin, pos1, mat1, size1, pos2, mat2, size2):
    """Remove duplicate contacts, and contacts that are outside one box and not inside the other. Return the number of contacts
    left."""
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

    # Drop a contact if a later one has the same position.
    n, kept = kept, 0
    for i in range(n):
        row = load(out, ROW * i, 10)
        duplicate = False
        for j in range(i + 1, n):
            if row[1] == out[ROW * j + 1] and row[2] == out[ROW * j + 2] and row[3] == out[ROW * j + 3]:
                duplicate = True
                break
        if not duplicate:
            store(out, ROW * kept, row)
            kept += 1
    return kept


@stage("iMDiif")
def collide_box_box(m, d, g1, g2, margin):
    """reads geom_xpos, geom_xmat; writes manifold. Returns the number of rows."""

    # MuJoCo 3.12 and later use the function in `box_face` instead.
    if m.compat_bits & CLIP:
        address = stage_address(d, FACE)
        return invoke_pair(address, m, d, g1, g2, margin) if address else -1
    out = d.manifold
    pos1, mat1, half1 = load(d.geom_xpos, g1, 3), load(d.geom_xmat, g1, 9), load(m.geom_size, g1, 3)
    pos2, mat2, half2 = load(d.geom_xpos, g2, 3), load(d.geom_xmat, g2, 9), load(m.geom_size, g2, 3)
    rot, rott, size1, size2, norm = small(9), small(9), small(3), small(3), small(3)
    pos21, pos12 = mat_t_vec3(mat1, sub3(pos2, pos1)), mat_t_vec3(mat2, sub3(pos1, pos2))
    turn = mat_t_mat3(mat1, mat2)
    store(rot, 0, turn)
    store(size1, 0, half1)
    store(size2, 0, half2)

    # The separating axis determines the type of contact: edge against edge, or face against the other box.
    code, corner1, corner2, against = least_penetration(margin, rot, pos21, pos12, size1, size2, norm)
    if code == APART:
        return 0
    frame = small(9)
    store(frame, 0, mat1)
    if code >= EDGES:
        n = edge_contacts(
            out,
            margin,
            frame,
            pos1,
            size1,
            size2,
            rot,
            pos21,
            norm,
            (code - EDGES) // 3,
            (code - EDGES) % 3,
            corner1,
            corner2,
            against,
        )
    else:
        # The reference face belongs to box 1 or box 2; if to box 2, the boxes swap roles.
        second = code >= FACES2
        order, flips = face_turn(code % FACES2)
        store(rott, 0, transpose3(turn))
        if second:
            store(frame, 0, mat2)
        r = turned_rows(rott if second else rot, order, flips)
        p = turned(pos12 if second else pos21, order, flips)
        face = turned(half2 if second else half1, order, flips)
        n = face_contacts(
            out,
            margin,
            frame,
            pos2 if second else pos1,
            (order, flips),
            r,
            p,
            (abs(face[0]), abs(face[1]), abs(face[2])),
            half1 if second else half2,
            -1.0 if second else 1.0,
        )
    return prune_contacts(out, min(n, LIMIT), margin, pos1, mat1, half1, pos2, mat2, half2)
