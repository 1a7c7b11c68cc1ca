"""The manifold: the contacts found by a pair function, as rows of ten numbers in a flat array.

Row k is (distance, position, normal, tangent). The normal points from the first shape to the second. The tangent, if it
is not zero, is the desired second axis of the contact frame. Functions take the array and the row to fill, and return
the next free row.
"""

from ..machine.jit import inline
from ..machine.lang import store

ROW = 10
LIMIT = 50  # rows that a pair of geoms may fill (mjMAXCONPAIR)
DIST, POS, NORMAL, TANGENT = 0, 1, 4, 7


@inline
def put(out, k, dist, pos, normal):
    """Fill row k of the manifold, without a tangent; return the index of the next row."""
    store(out, ROW * k, (dist, pos[0], pos[1], pos[2], normal[0], normal[1], normal[2], 0.0, 0.0, 0.0))
    return k + 1
