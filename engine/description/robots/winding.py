"""Triangles that all face outward. Renderers skip triangles that are seen from behind, so triangles with the wrong
orientation look like holes."""

import numpy as np

from ...geom.mesh_winding import SLOT, SUMS, mesh_winding
from ...machine.storage import address_of


def wrong_way(vert: np.ndarray, face: np.ndarray) -> np.ndarray:
    """Return a mask (n,) of triangles that are oriented differently from their neighbors, or inward if they enclose a
    volume."""
    count = len(face)
    if not count:
        return np.zeros(0, bool)
    vert, face = np.array(vert, np.float64, order="C"), np.array(face, np.int32, order="C")
    wrong, odd = np.empty(count, np.uint8), np.empty(count, np.uint8)
    # a hash table that is at most half full
    slots = 1 << max(4, (6 * count - 1).bit_length())
    table, parent, sums = np.empty(SLOT * slots, np.int32), np.empty(count, np.int32), np.empty(SUMS * count)
    scratch = address_of(table), slots, address_of(parent), address_of(odd), address_of(sums)
    mesh_winding(address_of(vert), len(vert), address_of(face), count, *scratch, address_of(wrong))
    return wrong.astype(bool)
