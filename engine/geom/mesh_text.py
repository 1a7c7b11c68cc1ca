"""Compiled, lenient parsers for mesh files in text form: lists of numbers, OBJ files with all their objects, polygons cut into
triangles.

Unlike `mesh_obj`, which matches MuJoCo's reader bit by bit, these parsers keep everything and accept variants: keywords in any
case, decimal commas, every object and material. Each number is the nearest double, up to one unit in the last place.
"""

import numpy as np

from ..machine.jit import inline, kernel, stage
from ..machine.lang import array_at, bytes_at, ints_at, longs_at
from .mesh_obj import is_blank, is_digit, is_word, line_end, skip_blank

SPACE, SLASH, HASH, COMMA, SEMICOLON = 32, 47, 35, 44, 59
V, T, F, U, G, O, M, X, R, DOT, MINUS, PLUS, E = 118, 116, 102, 117, 103, 111, 109, 120, 114, 46, 45, 43, 101
# bit that distinguishes small letters from capitals
SMALL = 32
# number of digits that fit into 64 bits; power of ten beyond which every number is 0 or infinite
MOST_DIGITS, MOST_POWER = 18, 400
# size of `counts`: numbers of positions, texture coordinates, corners, faces and marks; position of the first malformed line
COUNTS = 6
# Polygons with more corners are cut into a fan.
MOST_CORNERS = 128


@inline
def parts_words(c):
    return c <= SPACE or c == COMMA or c == SEMICOLON


@kernel
def scaled(value, power):
    """Return a number times ten to a power."""
    if power > MOST_POWER:
        power = MOST_POWER
    if power < -MOST_POWER:
        power = -MOST_POWER
    scale, n = 1.0, abs(power)
    # Both factors are exact up to 10^22.
    while n > 0:
        k = min(n, 22)
        scale = 1.0
        for _ in range(k):
            scale *= 10.0
        value = value * scale if power > 0 else value / scale
        n -= k
    return value


@kernel
def number(text, at, end, point):
    """Read the number that starts at `at`; `point` is an alternative decimal point. Return (number, index where it ends), or
    (0, `at`) if there is no number.
    """
    start, sign = at, 1.0
    if at < end and (text[at] == MINUS or text[at] == PLUS):
        sign = -1.0 if text[at] == MINUS else 1.0
        at += 1
    # Return NaN for nan, inf and infinity: none of these is usable as a coordinate.
    if is_word(text, at, end):
        while at < end and (text[at] | SMALL) >= 97 and (text[at] | SMALL) <= 122:
            at += 1
        return np.nan, at

    mantissa, digits, seen, places = 0, 0, 0, 0
    after = False
    while at < end:
        c = np.int64(text[at])
        if is_digit(c):
            seen += 1
            if digits < MOST_DIGITS:
                mantissa = 10 * mantissa + (c - 48)
                digits += 1 if mantissa > 0 else 0
                places += 1 if after else 0
            else:
                places -= 0 if after else 1
        elif not after and (c == DOT or c == point):
            after = True
        else:
            break
        at += 1
    if seen == 0:
        return 0.0, start

    power = -places
    if at + 1 < end and (text[at] | SMALL) == E:
        p, negative, exponent = at + 1, False, 0
        if text[p] == MINUS or text[p] == PLUS:
            negative = text[p] == MINUS
            p += 1
        first = p
        while p < end and is_digit(text[p]):
            exponent = min(10 * exponent + (np.int64(text[p]) - 48), 10000)
            p += 1
        if p > first:
            at = p
            power += -exponent if negative else exponent
    return sign * scaled(np.float64(mantissa), power), at


@stage("iii")
def text_words(data, size):
    """Count the words of a text, which are separated by blanks, commas and semicolons.

    reads the text; writes nothing.
    """
    text = bytes_at(data, size)
    count, inside = 0, False
    for at in range(size):
        blank = parts_words(text[at])
        if not blank and not inside:
            count += 1
        inside = not blank
    return count


@stage("iiiii")
def text_numbers(data, size, out_at, count):
    """Read the numbers of a text.

    reads the text; writes `count` numbers; returns how many were read before the first word that is not a number.
    """
    text, out = bytes_at(data, size), array_at(out_at, count)
    at, n = 0, 0
    while n < count:
        while at < size and parts_words(text[at]):
            at += 1
        out[n], stop = number(text, at, size, DOT)
        if stop == at or stop < size and not parts_words(text[stop]):
            return n
        at = stop
        n += 1
    return n


# ---- ASCII STL


@inline
def is_vertex(text, at, end):
    """Return whether the word `vertex` starts here, ignoring case."""
    if at + 7 > end or (text[at] | SMALL) != V or (text[at + 5] | SMALL) != X:
        return False
    word = ((text[at + 1] | SMALL) == E) & ((text[at + 2] | SMALL) == R) & ((text[at + 3] | SMALL) == T)
    return word and (text[at + 4] | SMALL) == E and text[at + 6] <= SPACE


@stage("iiiii")
def stl_corners(data, size, out_at, most):
    """Read the numbers after each word `vertex` of a text.

    reads the text; writes at most `most` numbers; returns their count.
    """
    text, out = bytes_at(data, size), array_at(out_at, most)
    at, n = 0, 0
    while at + 7 < size:
        if not is_vertex(text, at, size):
            at += 1
            continue
        at += 6
        for _ in range(3):
            while at < size and text[at] <= SPACE:
                at += 1
            value, stop = number(text, at, size, DOT)
            if stop == at or n >= most:
                return n
            out[n] = value
            n += 1
            at = stop
    return n


# ---- OBJ


@inline
def is_mark(c):
    """Return whether a line that starts with letter c may name an object or a material (usemtl, o, g, mtllib)."""
    return c == U or c == O or c == G or c == M


@kernel
def words_end(text, at, end):
    """Return the index at which a line's words end: the start of its comment, or the end of the line."""
    while at < end and text[at] != HASH:
        at += 1
    return at


@kernel
def keyword(text, at, end):
    """Classify a line by its keyword. Return V, T (for vt) or F; the first letter in lower case for lines that are kept as
    marks; or 0 for other lines.
    """
    if end - at < 2:
        return 0
    c, following = np.int64(text[at] | SMALL), np.int64(text[at + 1])
    if is_blank(following):
        return c if c == V or c == F or c == O or c == G else 0
    if c == V and (following | SMALL) == T and end - at > 2 and is_blank(text[at + 2]):
        return T
    if (c == U or c == M) and end - at > 6:
        return c
    return 0


@stage("viii")
def wave_count(data, size, out):
    """Count the elements of an OBJ file's text.

    reads the text; writes counts: positions, texture coordinates, corners, faces, marks.
    """
    text, counts = bytes_at(data, size), longs_at(out, COUNTS)
    for i in range(COUNTS):
        counts[i] = 0
    at = 0
    while at < size:
        at = skip_blank(text, at, size)
        end = line_end(text, at, size)
        word = keyword(text, at, end)
        if word == V:
            counts[0] += 1
        elif word == T:
            counts[1] += 1
        elif word == F:
            counts[3] += 1
            p, stop, inside = at + 1, words_end(text, at, end), False
            while p < stop:
                blank = is_blank(text[p])
                if not blank and not inside:
                    counts[2] += 1
                inside = not blank
                p += 1
        elif word != 0:
            counts[4] += 1
        at = end + 1


@kernel
def reals(text, at, end, out, k, n):
    """Read n numbers of a line into out[k:]; missing numbers are 0. Return whether all words are numbers."""
    end = words_end(text, at, end)
    for i in range(n):
        at = skip_blank(text, at, end)
        out[k + i], stop = number(text, at, end, COMMA)
        if stop < end and not is_blank(text[stop]):
            return False
        at = stop
    return True


@kernel
def index(text, at, end, n):
    """Read an index that counts from 1, or from the end if negative. Return (index from 0, or -1 if invalid; offset at which
    its text ends)."""
    negative, value, start = False, 0, at
    if at < end and (text[at] == MINUS or text[at] == PLUS):
        negative = text[at] == MINUS
        at += 1
        start = at
    while at < end and is_digit(text[at]):
        value = min(10 * value + (np.int64(text[at]) - 48), 1 << 31)
        at += 1
    if at == start or value == 0 or negative and value > n:
        return -1, at
    return n - value if negative else min(value - 1, (1 << 31) - 1), at


@stage("viiiiiiii")
def wave_read(data, size, counts_at, vert_at, tex_at, corner_at, edge_at, mark_at):
    """Read an OBJ file's text.

    reads the text and its counts; writes positions (3), texture coordinates (2), corners (position, coordinate: -1 for none),
    the number of corners of each face, and marks (begin and end of the line, faces before it); counts[5] is one more than the
    position of the first malformed line.
    """
    text, counts = bytes_at(data, size), longs_at(counts_at, COUNTS)
    vert, tex = array_at(vert_at, 3 * counts[0]), array_at(tex_at, 2 * counts[1])
    corner, edge = ints_at(corner_at, 2 * counts[2]), ints_at(edge_at, counts[3])
    mark = longs_at(mark_at, 3 * counts[4])

    at, nv, nt, nc, nf, nm = 0, 0, 0, 0, 0, 0
    while at < size:
        at = skip_blank(text, at, size)
        end = line_end(text, at, size)
        word = keyword(text, at, end)
        if word == V or word == T:
            width = 3 if word == V else 2
            good = reals(text, at + 4 - width, end, vert if word == V else tex, width * (nv if word == V else nt), width)
            nv += 1 if word == V else 0
            nt += 1 if word == T else 0
            if not good and counts[5] == 0:
                counts[5] = at + 1
        elif word == F:
            p, stop, first = at + 1, words_end(text, at, end), nc
            while True:
                p = skip_blank(text, p, stop)
                if p >= stop:
                    break
                corner[2 * nc], p = index(text, p, stop, nv)
                corner[2 * nc + 1] = -1
                if p < stop and text[p] == SLASH:
                    corner[2 * nc + 1], p = index(text, p + 1, stop, nt)
                while p < stop and not is_blank(text[p]):
                    p += 1
                nc += 1
            edge[nf] = nc - first
            nf += 1
        elif word != 0:
            mark[3 * nm], mark[3 * nm + 1], mark[3 * nm + 2] = at, end, nf
            nm += 1
        at = end + 1


# ---- polygons


@inline
def turn(x, y, a, b, c):
    """Return twice the signed area of a triangle of projected corners."""
    return (x[b] - x[a]) * (y[c] - y[a]) - (y[b] - y[a]) * (x[c] - x[a])


@kernel
def flatten(vert, nvert, corner, first, n, x, y):
    """Project a polygon's corners onto a plane, with its normal pointing up. Return whether the projected polygon is convex."""
    u, v, w = 0.0, 0.0, 0.0
    for k in range(n):
        i, j = np.int64(corner[first + k]), np.int64(corner[first + (k + 1) % n])
        if i < 0 or j < 0 or i >= nvert or j >= nvert:
            return True
        i, j = 3 * i, 3 * j
        u += (vert[i + 1] - vert[j + 1]) * (vert[i + 2] + vert[j + 2])
        v += (vert[i + 2] - vert[j + 2]) * (vert[i] + vert[j])
        w += (vert[i] - vert[j]) * (vert[i + 1] + vert[j + 1])

    # Omit the coordinate in which the normal is largest; the sign of this component preserves the orientation.
    a, b, up = 0, 1, w
    if abs(u) > abs(w) and abs(u) >= abs(v):
        a, b, up = 1, 2, u
    elif abs(v) > abs(w):
        a, b, up = 2, 0, v
    for k in range(n):
        i = 3 * np.int64(corner[first + k])
        x[k] = vert[i + a]
        y[k] = vert[i + b] if up >= 0 else -vert[i + b]

    for k in range(n):
        if turn(x, y, k, (k + 1) % n, (k + 2) % n) < 0:
            return False
    return True


@kernel
def is_ear(x, y, left, n, k):
    """Return whether the k-th remaining corner can be cut off."""
    a, b, c = left[(k + n - 1) % n], left[k], left[(k + 1) % n]
    if turn(x, y, a, b, c) <= 0:
        return False
    for j in range(n):
        p = left[j]
        if p == a or p == b or p == c:
            continue
        # A corner at the same position as a corner of the triangle is part of a seam and does not count.
        if (x[p] == x[a] and y[p] == y[a]) or (x[p] == x[b] and y[p] == y[b]) or (x[p] == x[c] and y[p] == y[c]):
            continue
        if turn(x, y, a, b, p) >= 0 and turn(x, y, b, c, p) >= 0 and turn(x, y, c, a, p) >= 0:
            return False
    return True


@stage("viiiiiiii")
def cut_polygons(vert_at, nvert, corner_at, ncorner, edge_at, npoly, tri_at, space_at):
    """Cut polygons into triangles. Convex polygons become a fan; others are cut ear by ear.

    reads vertices, the vertex of each corner, the number of corners of each polygon; writes triangles of corners: n - 2 for a
    polygon of n corners.
    """
    vert, corner, edge = array_at(vert_at, 3 * nvert), ints_at(corner_at, ncorner), ints_at(edge_at, npoly)
    tri = ints_at(tri_at, 3 * ncorner)
    x, y = array_at(space_at, MOST_CORNERS), array_at(space_at + 8 * MOST_CORNERS, MOST_CORNERS)
    left = longs_at(space_at + 16 * MOST_CORNERS, MOST_CORNERS)

    first, t = 0, 0
    for i in range(npoly):
        n = np.int64(edge[i])
        if 3 < n <= MOST_CORNERS and not flatten(vert, nvert, corner, first, n, x, y):
            for k in range(n):
                left[k] = k
            # Cut ears until three corners are left. If there is no ear, cut the rest into a fan.
            m, k, misses = n, 0, 0
            while m > 3 and misses < m:
                if is_ear(x, y, left, m, k % m):
                    k = k % m
                    tri[t], tri[t + 1], tri[t + 2] = first + left[(k + m - 1) % m], first + left[k], first + left[(k + 1) % m]
                    t += 3
                    for j in range(k, m - 1):
                        left[j] = left[j + 1]
                    m -= 1
                    misses = 0
                else:
                    k += 1
                    misses += 1
            for j in range(1, m - 1):
                tri[t], tri[t + 1], tri[t + 2] = first + left[0], first + left[j], first + left[j + 1]
                t += 3
        else:
            for k in range(1, n - 1):
                tri[t], tri[t + 1], tri[t + 2] = first, first + k, first + k + 1
                t += 3
        first += n


# ---- called from Python


def numbers_in(data: bytes) -> np.ndarray | None:
    """Return all numbers of a text; None if it contains any other word."""
    text = np.frombuffer(data, np.uint8)
    count = text_words(text.ctypes.data, len(text)) if len(text) else 0
    out = np.zeros(count)
    return out if count == 0 or text_numbers(text.ctypes.data, len(text), out.ctypes.data, count) == count else None


def corners_in(data: bytes) -> np.ndarray:
    """Return the corners (n, 3) of an ASCII STL text, up to the first malformed corner."""
    text = np.frombuffer(data, np.uint8)
    out = np.zeros(3 * (data.count(b"vertex") or data.lower().count(b"vertex")) + 1)
    count = stl_corners(text.ctypes.data, len(text), out.ctypes.data, len(out) - 1) if len(text) else 0
    return out[: count // 3 * 3].reshape(-1, 3)


class Wave:
    """An OBJ file as arrays: positions (n, 3), texture coordinates (k, 2), corners (index of position, index of texture
    coordinate), the number of corners of each face, and marks: (number of preceding faces, line). `fault`: byte offset of
    the first malformed line, or -1.
    """

    def __init__(self, data: bytes) -> None:
        text, counts = np.frombuffer(data, np.uint8), np.zeros(COUNTS, np.int64)
        at, size = text.ctypes.data, len(text)
        if size:
            wave_count(at, size, counts.ctypes.data)
        nv, nt, nc, nf, nm, _ = counts.tolist()
        self.vert, self.texcoord = np.zeros((nv, 3)), np.zeros((nt, 2))
        self.corner, self.edge = np.zeros((nc, 2), np.int32), np.zeros(nf, np.int32)
        marks = np.zeros((nm, 3), np.int64)
        out = [a.ctypes.data for a in (counts, self.vert, self.texcoord, self.corner, self.edge, marks)]
        if size:
            wave_read(at, size, *out)
        self.fault = int(counts[5]) - 1
        self.marks = [(faces, data[begin:end]) for begin, end, faces in marks.tolist()]


def triangles_of(vert: np.ndarray, edge: np.ndarray, corner: np.ndarray) -> np.ndarray:
    """Cut polygons into triangles (m, 3) of corner indices. `edge`: number of corners of each polygon; `corner`: vertex of each
    corner."""
    edge = np.ascontiguousarray(edge, np.int32)
    if not len(edge) or (edge == 3).all():
        return np.arange(3 * len(edge), dtype=np.int32).reshape(-1, 3)
    vert, corner = np.ascontiguousarray(vert, np.float64), np.ascontiguousarray(corner, np.int32)
    tri, space = np.zeros((len(corner), 3), np.int32), np.zeros(3 * MOST_CORNERS)
    places = [a.ctypes.data for a in (vert, corner, edge, tri, space)]
    cut_polygons(places[0], len(vert), places[1], len(corner), places[2], len(edge), places[3], places[4])
    return tri[: int(np.maximum(edge - 2, 0).sum())]
