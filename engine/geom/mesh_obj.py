"""Compiled reader of Wavefront OBJ text: vertices, normals, texture coordinates and triangles of the first shape.

Numbers are read as common loaders read them, so that vertices agree to the last bit: digits into a double, one multiplication,
then single precision. Polygons are triangulated by ear clipping in single precision.
"""

import numpy as np

from ..machine.jit import inline, kernel, stage
from ..machine.lang import array_at, bytes_at, ints_at, longs_at

NEWLINE, RETURN, SPACE, TAB, SLASH, HASH = 10, 13, 32, 9, 47, 35
V, N, T, F, G, O, DOT, MINUS, PLUS, E_SMALL, E_BIG = 118, 110, 116, 102, 103, 111, 46, 45, 43, 101, 69
EPSILON = np.float32(1.1920929e-07)
# number of counters: positions, normals, texture coordinates, corners, faces, triangles
COUNTS = 6
MAX_CORNERS = 4096
# Polygons with more corners are dropped, as in MuJoCo's reader.
MOST_CORNERS = 100


@inline
def is_blank(c):
    return c == SPACE or c == TAB


@inline
def is_digit(c):
    return 48 <= c <= 57


@inline
def ends_line(c):
    return c == NEWLINE or c == RETURN


@kernel
def skip_blank(text, at, end):
    while at < end and is_blank(text[at]):
        at += 1
    return at


@kernel
def line_end(text, at, end):
    while at < end and not ends_line(text[at]):
        at += 1
    return at


@kernel
def word_end(text, at, end):
    while at < end and not is_blank(text[at]):
        at += 1
    return at


@inline
def is_word(text, at, end):
    """Return whether `nan` or `inf` starts here, ignoring case."""
    if at + 3 > end:
        return False
    a, b, c = text[at] | 32, text[at + 1] | 32, text[at + 2] | 32
    return (a == 110 and b == 97 and c == 110) or (a == 105 and b == 110 and c == 102)


@kernel
def real(text, at, end):
    """Return the number in text[at:end], or 0 if the text is not a number."""
    sign, mantissa, exponent, power = 1.0, 0.0, 0, 1
    if at >= end:
        return 0.0
    if text[at] == PLUS or text[at] == MINUS:
        sign = -1.0 if text[at] == MINUS else 1.0
        at += 1
    elif not is_digit(text[at]) and text[at] != DOT and not is_word(text, at, end):
        return 0.0
    # Return NaN also for `inf`: neither is a usable coordinate, and the caller checks only for NaN.
    if is_word(text, at, end):
        return np.nan

    # Read the digits before and after the decimal point.
    start = at
    while at < end and is_digit(text[at]):
        mantissa = mantissa * 10 + (np.int64(text[at]) - 48)
        at += 1
    if at == start and not (at < end and text[at] == DOT):
        return 0.0
    if at < end and text[at] == DOT:
        at += 1
        place = 1
        while at < end and is_digit(text[at]):
            mantissa += (np.int64(text[at]) - 48) * tenth(place)
            place += 1
            at += 1

    # Read the exponent.
    if at < end and (text[at] == E_SMALL or text[at] == E_BIG):
        at += 1
        if at < end and (text[at] == PLUS or text[at] == MINUS):
            power = -1 if text[at] == MINUS else 1
            at += 1
        start = at
        while at < end and is_digit(text[at]):
            exponent = exponent * 10 + (np.int64(text[at]) - 48)
            at += 1
        if at == start:
            return 0.0

    if exponent == 0:
        return sign * mantissa
    exponent *= power
    return sign * (mantissa * 5.0**exponent * 2.0**exponent)


@inline
def tenth(place):
    """Return 10 to the power of -`place`."""
    if place == 1:
        return 0.1
    if place == 2:
        return 0.01
    if place == 3:
        return 0.001
    if place == 4:
        return 0.0001
    if place == 5:
        return 0.00001
    if place == 6:
        return 0.000001
    if place == 7:
        return 0.0000001
    return 10.0**-place


@kernel
def whole(text, at, end):
    """Return the integer in text[at:end], or 0 if there is none."""
    sign, value = 1, 0
    if at < end and (text[at] == MINUS or text[at] == PLUS):
        sign = -1 if text[at] == MINUS else 1
        at += 1
    while at < end and is_digit(text[at]):
        value = value * 10 + (np.int64(text[at]) - 48)
        at += 1
    return sign * value


@kernel
def part_end(text, at, end):
    while at < end and text[at] != SLASH and not is_blank(text[at]):
        at += 1
    return at


@stage("viii")
def obj_count(data, size, out):
    """Count the elements of an OBJ file's text.

    reads the text; writes counts: positions, normals, texture coordinates, corners of faces, faces.
    """
    text = bytes_at(data, size)
    counts = longs_at(out, COUNTS)
    for i in range(COUNTS):
        counts[i] = 0

    at = 0
    while at < size:
        at = skip_blank(text, at, size)
        end = line_end(text, at, size)
        if end - at > 2:
            if text[at] == V:
                if is_blank(text[at + 1]):
                    counts[0] += 1
                elif text[at + 1] == N and is_blank(text[at + 2]):
                    counts[1] += 1
                elif text[at + 1] == T and is_blank(text[at + 2]):
                    counts[2] += 1
            elif text[at] == F and is_blank(text[at + 1]):
                counts[4] += 1
                p = at + 2
                while p < end:
                    p = skip_blank(text, p, end)
                    if p < end:
                        counts[3] += 1
                        p = word_end(text, p, end)
        at = end + 1


@kernel
def reals_of(text, at, end, out, k, n):
    """Read n single-precision numbers of a line into out[k:]."""
    for i in range(n):
        at = skip_blank(text, at, end)
        stop = word_end(text, at, end)
        out[k + i] = np.float64(np.float32(real(text, at, stop)))
        at = stop


@kernel
def fix(index, n):
    """Convert an index of the file (from 1, or negative from the end) to a zero-based index; -2 marks an error."""
    return index - 1 if index > 0 else n + index if index < 0 else -2


@kernel
def corners_of(text, at, end, nv, nn, nt, corner):
    """Read the corners (position, normal, texture index) of one face line. Return their count, or -1 for a bad index."""
    n = 0
    while True:
        at = skip_blank(text, at, end)
        if at >= end or n >= MAX_CORNERS:
            return n

        # Read the index of the position.
        stop = word_end(text, at, end)
        c = 3 * n
        corner[c], corner[c + 1], corner[c + 2] = fix(whole(text, at, stop), nv), -1, -1
        if corner[c] == -2:
            return -1

        # Texture coordinates and normal are optional.
        p = part_end(text, at, stop)
        if p < stop and text[p] == SLASH:
            p += 1
            if p < stop and text[p] == SLASH:
                corner[c + 1] = fix(whole(text, p + 1, stop), nn)
            else:
                corner[c + 2] = fix(whole(text, p, stop), nt)
                p = part_end(text, p, stop)
                if p < stop and text[p] == SLASH:
                    corner[c + 1] = fix(whole(text, p + 1, stop), nn)
            if corner[c + 1] == -2 or corner[c + 2] == -2:
                return -1
        n += 1
        at = stop


@kernel
def plane_axes(vert, nv, corner, n):
    """Return the two coordinate axes that span the plane onto which a polygon is projected, as 3 * first + second."""
    for k in range(n):
        a, b, c = corner[3 * k], corner[3 * ((k + 1) % n)], corner[3 * ((k + 2) % n)]
        if a >= nv or b >= nv or c >= nv or a < 0 or b < 0 or c < 0:
            continue
        ex = np.float32(vert[3 * b]) - np.float32(vert[3 * a])
        ey = np.float32(vert[3 * b + 1]) - np.float32(vert[3 * a + 1])
        ez = np.float32(vert[3 * b + 2]) - np.float32(vert[3 * a + 2])
        fx = np.float32(vert[3 * c]) - np.float32(vert[3 * b])
        fy = np.float32(vert[3 * c + 1]) - np.float32(vert[3 * b + 1])
        fz = np.float32(vert[3 * c + 2]) - np.float32(vert[3 * b + 2])
        cx, cy, cz = abs(ey * fz - ez * fy), abs(ez * fx - ex * fz), abs(ex * fy - ey * fx)
        if cx > EPSILON or cy > EPSILON or cz > EPSILON:
            if cx > cy and cx > cz:
                return 5
            return 1 if cz > cx and cz > cy else 2
    return 5


@kernel
def inside(x0, y0, x1, y1, x2, y2, x, y):
    """Return whether a point is in a triangle, by the crossing-number test."""
    odd = False
    if (y0 > y) != (y2 > y) and x < (x2 - x0) * (y - y0) / (y2 - y0) + x0:
        odd = not odd
    if (y1 > y) != (y0 > y) and x < (x0 - x1) * (y - y1) / (y0 - y1) + x1:
        odd = not odd
    if (y2 > y) != (y1 > y) and x < (x1 - x2) * (y - y2) / (y1 - y2) + x2:
        odd = not odd
    return odd


@inline
def coordinate(vert, nv, index, axis):
    return np.float32(vert[3 * index + axis]) if 0 <= index < nv else np.float32(0)


@kernel
def put(tri, count, corner, a, b, c):
    """Append a triangle of three corners; return the new number of triangles."""
    corners = (a, b, c)
    for k in range(3):
        for j in range(3):
            tri[9 * count + 3 * k + j] = corner[3 * corners[k] + j]
    return count + 1


@kernel
def is_ear(vert, nv, corner, n, guess, u, w, area, later):
    """Return whether the corner after `guess` is an ear that can be cut off.

    With `later`, the sign of the area between the origin and the ear's first edge stands for the orientation of the polygon, as
    in releases since 3.13.
    """
    a, b, c = corner[3 * (guess % n)], corner[3 * ((guess + 1) % n)], corner[3 * ((guess + 2) % n)]
    x0, y0 = coordinate(vert, nv, a, u), coordinate(vert, nv, a, w)
    x1, y1 = coordinate(vert, nv, b, u), coordinate(vert, nv, b, w)
    x2, y2 = coordinate(vert, nv, c, u), coordinate(vert, nv, c, w)
    cross = (x1 - x0) * (y2 - y1) - (y1 - y0) * (x2 - x1)
    if later:
        area = (x0 * y1 - y0 * x1) * np.float32(0.5)
    if cross * area < np.float32(0):
        return False
    for other in range(3, n):
        o = corner[3 * ((guess + other) % n)]
        if 0 <= o < nv and inside(x0, y0, x1, y1, x2, y2, coordinate(vert, nv, o, u), coordinate(vert, nv, o, w)):
            return False
    return True


@kernel
def clip(vert, nv, corner, n, tri, count, later):
    """Triangulate a polygon by ear clipping; return the new number of triangles. See `is_ear` for `later`."""
    axes = plane_axes(vert, nv, corner, n)
    u, w = axes // 3, axes % 3

    # The sign of the area gives the orientation.
    area = np.float32(0)
    for k in range(n):
        a, b = corner[3 * k], corner[3 * ((k + 1) % n)]
        if a >= nv or b >= nv or a < 0 or b < 0:
            continue
        area += (
            coordinate(vert, nv, a, u) * coordinate(vert, nv, b, w) - coordinate(vert, nv, a, w) * coordinate(vert, nv, b, u)
        ) * np.float32(0.5)

    # Cut ears until three corners remain, or until a complete round finds no ear.
    guess, left, before = 0, n, n
    while n > 3 and left > 0:
        if guess >= n:
            guess -= n
        if before != n:
            before, left = n, n
        else:
            left -= 1
        if not is_ear(vert, nv, corner, n, guess, u, w, area, later):
            guess += 1
            continue
        count = put(tri, count, corner, guess % n, (guess + 1) % n, (guess + 2) % n)
        for r in range(3 * ((guess + 1) % n), 3 * (n - 1)):
            corner[r] = corner[r + 3]
        n -= 1

    if n == 3:
        count = put(tri, count, corner, 0, 1, 2)
    return count


@kernel
def cut_shorter(vert, nv, corner, tri, count):
    """Cut a face of four corners along its shorter diagonal (the second one if both have equal length). Return the number of
    triangles."""
    first = second = 0.0
    for axis in range(3):
        x = coordinate(vert, nv, corner[6], axis) - coordinate(vert, nv, corner[0], axis)
        y = coordinate(vert, nv, corner[9], axis) - coordinate(vert, nv, corner[3], axis)
        first += x * x
        second += y * y
    if first < second:
        return put(tri, put(tri, count, corner, 0, 1, 2), corner, 0, 2, 3)
    return put(tri, put(tri, count, corner, 0, 1, 3), corner, 1, 2, 3)


@stage("viiiiiiiii")
def obj_read(data, size, counts_at, vert_at, normal_at, tex_at, tri_at, corner_at, later):
    """Read the text of an OBJ file; with `later`, cut faces as releases since 3.13 do: those of four corners along the
    shorter diagonal, larger ones by another test for ears.

    reads the text and its counts; writes positions, normals, texture coordinates and triangles (9 indices each); counts[5] is
    the number of triangles, -1 for a bad index.
    """
    text = bytes_at(data, size)
    counts = longs_at(counts_at, COUNTS)
    vert, normal = array_at(vert_at, 3 * counts[0]), array_at(normal_at, 3 * counts[1])
    tex = array_at(tex_at, 2 * counts[2])
    tri, corner = ints_at(tri_at, 9 * counts[3]), longs_at(corner_at, 3 * MAX_CORNERS)

    at, nv, nn, nt, count, done = 0, 0, 0, 0, 0, False
    while at < size:
        at = skip_blank(text, at, size)
        end = line_end(text, at, size)
        if end - at > 2 and text[at] == V:
            if is_blank(text[at + 1]):
                reals_of(text, at + 2, end, vert, 3 * nv, 3)
                nv += 1
            elif text[at + 1] == N and is_blank(text[at + 2]):
                reals_of(text, at + 3, end, normal, 3 * nn, 3)
                nn += 1
            elif text[at + 1] == T and is_blank(text[at + 2]):
                reals_of(text, at + 3, end, tex, 2 * nt, 2)
                nt += 1
        elif end - at > 2 and text[at] == F and is_blank(text[at + 1]):
            n = corners_of(text, at + 2, end, nv, nn, nt, corner)
            if n < 0:
                counts[5] = -1
                return
            if 3 <= n <= MOST_CORNERS and not done:
                if n == 4 and later:
                    count = cut_shorter(vert, nv, corner, tri, count)
                else:
                    count = clip(vert, nv, corner, n, tri, count, later)
        elif end > at and (text[at] == G or text[at] == O) and (end - at == 1 or is_blank(text[at + 1])):
            # Only the first group with faces is used.
            done = count > 0
        at = end + 1
    counts[5] = count


def parse_obj(data: bytes, later: bool = False) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray] | None:
    """Return (positions, normals, texture coordinates, triangles (n, 3, 3) of position, normal, texture index), or None if
    malformed.
    """
    text = np.frombuffer(data, np.uint8)

    counts = np.zeros(COUNTS, np.int64)
    obj_count(text.ctypes.data, len(text), counts.ctypes.data)
    vert, normal = np.zeros(3 * counts[0] + 1), np.zeros(3 * counts[1] + 1)
    tex, tri = np.zeros(2 * counts[2] + 1), np.zeros(9 * counts[3] + 1, np.int32)
    corner = np.zeros(3 * MAX_CORNERS + 3, np.int64)
    obj_read(
        text.ctypes.data,
        len(text),
        counts.ctypes.data,
        vert.ctypes.data,
        normal.ctypes.data,
        tex.ctypes.data,
        tri.ctypes.data,
        corner.ctypes.data,
        later,
    )
    if counts[5] < 0:
        return None
    return vert[:-1].reshape(-1, 3), normal[:-1].reshape(-1, 3), tex[:-1].reshape(-1, 2), tri[: 9 * counts[5]].reshape(-1, 3, 3)
