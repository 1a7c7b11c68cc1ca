"""A small stroke font and its distance field. The table has one row for each printable ASCII character.

A glyph is a list of polylines on a grid 4 units wide: two digits per point (x, y), `|` between polylines. The baseline is at
y = 2; capitals reach to 8, small letters to 6, descenders to 0. A repeated point is a dot. All glyphs advance by 6.
"""

from itertools import pairwise

import numpy as np

ADVANCE, BASELINE, HEIGHT = 6, 2, 10
RING = "12 03 07 18 38 47 43 32 12"
BOWL = "45 36 16 05 03 12 32 43"
S_CURVE = "47 38 18 07 06 15 35 44 43 32 12 03"
GLYPHS = {
    "A": "02 28 42|14 34",
    "B": "02 08 38 47 46 35 05|35 44 43 32 02",
    "C": "47 38 18 07 03 12 32 43",
    "D": "02 08 28 47 43 22 02",
    "E": "48 08 02 42|05 35",
    "F": "48 08 02|05 35",
    "G": "47 38 18 07 03 12 32 43 45 25",
    "H": "02 08|42 48|05 45",
    "I": "12 32|18 38|22 28",
    "J": "48 43 32 12 03",
    "K": "02 08|48 04|15 42",
    "L": "08 02 42",
    "M": "02 08 25 48 42",
    "N": "02 08 42 48",
    "O": RING,
    "P": "02 08 38 47 46 35 05",
    "Q": RING + "|23 41",
    "R": "02 08 38 47 46 35 05|25 42",
    "S": S_CURVE,
    "T": "08 48|28 22",
    "U": "08 03 12 32 43 48",
    "V": "08 22 48",
    "W": "08 12 25 32 48",
    "X": "02 48|08 42",
    "Y": "08 25 48|25 22",
    "Z": "08 48 02 42",
    "a": "46 42|" + BOWL,
    "b": "08 02|05 16 36 45 43 32 12 03",
    "c": BOWL,
    "d": "48 42|" + BOWL,
    "e": "04 44 45 36 16 05 03 12 32 43",
    "f": "38 28 17 12|06 36",
    "g": "46 41 30 10 01|" + BOWL,
    "h": "08 02|05 16 36 45 42",
    "i": "26 22|28 28",
    "j": "26 21 10 00|28 28",
    "k": "08 02|46 04 42",
    "l": "28 23 32",
    "m": "02 06|05 16 25 22|25 36 45 42",
    "n": "06 02|05 16 36 45 42",
    "o": "12 03 05 16 36 45 43 32 12",
    "p": "06 00|05 16 36 45 43 32 12 03",
    "q": "46 40|" + BOWL,
    "r": "06 02|05 16 36 45",
    "s": "45 36 16 05 14 34 43 32 12 03",
    "t": "18 13 22 32|06 36",
    "u": "06 03 12 32 43|46 42",
    "v": "06 22 46",
    "w": "06 12 25 32 46",
    "x": "02 46|06 42",
    "y": "06 22|46 22 10 00",
    "z": "06 46 02 42",
    "0": RING + "|13 37",
    "1": "17 28 22|12 32",
    "2": "07 18 38 47 46 02 42",
    "3": "07 18 38 47 46 35 25|35 44 43 32 12 03",
    "4": "32 38 04 44",
    "5": "48 08 05 35 44 43 32 12 03",
    "6": "47 38 18 07 03 12 32 43 44 35 15 04",
    "7": "08 48 22",
    "8": "15 06 07 18 38 47 46 35 15 04 03 12 32 43 44 35",
    "9": "03 12 32 43 47 38 18 07 06 15 35 46",
    ".": "22 22",
    ",": "23 22 11",
    ":": "25 25|22 22",
    ";": "25 25|23 22 11",
    "!": "28 24|22 22",
    "?": "07 18 38 47 46 25 24|22 22",
    "-": "15 35",
    "_": "01 41",
    "+": "05 45|27 23",
    "=": "06 46|04 44",
    "*": "27 23|06 44|04 46",
    "/": "02 48",
    "\\": "08 42",
    "|": "29 21",
    "(": "29 17 13 21",
    ")": "29 37 33 21",
    "[": "39 19 11 31",
    "]": "19 39 31 11",
    "{": "39 28 26 15 24 22 31",
    "}": "19 28 26 35 24 22 11",
    "<": "47 05 43",
    ">": "07 45 03",
    '"': "18 16|38 36",
    "'": "28 26",
    "`": "18 27",
    "~": "05 16 34 45",
    "^": "06 28 46",
    "#": "12 18|32 38|06 46|04 44",
    "$": S_CURVE + "|29 21",
    "%": "08 18 17 07 08|33 43 42 32 33|02 48",
    "&": "42 06 07 18 27 26 04 03 12 22 44",
    "@": "34 36 16 14 34 44 47 38 18 07 03 12 42",
    " ": "",
}
FIRST, LAST = 32, 126
COLUMNS = 16
# Distance from a stroke, in grid units, at which the distance field reaches 0.
REACH = 2.0


def segments(ch: str) -> np.ndarray:
    """Return the (k, 2, 2) line segments of a glyph."""
    out = []
    for line in filter(None, GLYPHS[ch].split("|")):
        p = [(int(a), int(b)) for a, b in line.split()]
        out += list(pairwise(p))
    return np.array(out, float).reshape(-1, 2, 2)


def distance(points: np.ndarray, seg: np.ndarray) -> np.ndarray:
    """Return the distance of points (n, 2) from the nearest of the segments (k, 2, 2), or inf if there are none."""
    if not len(seg):
        return np.full(len(points), np.inf)
    a, d = seg[:, 0], seg[:, 1] - seg[:, 0]
    rel = points[:, None] - a
    t = np.clip((rel * d).sum(2) / np.maximum((d * d).sum(1), 1e-12), 0, 1)
    return np.sqrt(((rel - t[..., None] * d) ** 2).sum(2)).min(1)


def atlas(scale: int = 5) -> np.ndarray:
    """Return the (rows, columns) uint8 distance field of all glyphs.

    It is 255 on a stroke and 0 at distance REACH. Cells have ADVANCE x HEIGHT units; the first cell is character FIRST.
    """
    w, h = ADVANCE * scale, HEIGHT * scale
    rows = -(-(LAST - FIRST + 1) // COLUMNS)
    out = np.zeros((rows * h, COLUMNS * w), np.uint8)
    y, x = np.mgrid[0:h, 0:w]
    points = np.stack([(x.ravel() + 0.5) / scale - 1, (y.ravel() + 0.5) / scale], 1)
    for code in range(FIRST, LAST + 1):
        d = distance(points, segments(chr(code))).reshape(h, w)
        r, c = divmod(code - FIRST, COLUMNS)
        out[r * h : (r + 1) * h, c * w : (c + 1) * w] = np.round(255 * np.clip(1 - d / REACH, 0, 1))
    return out
