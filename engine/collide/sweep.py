"""Sweep and prune (D. Baraff, 1992): finds boxes that overlap. The ends of their intervals along one axis are visited in order.
A box whose interval opens is compared, along the other two axes, with all boxes whose intervals are open.

These boxes are in no order. Their bounds along the two axes are in groups of PACK boxes, so that a group is compared at once:

    broad_open      group 0: PACK lower ends y, PACK lower ends z, PACK upper ends y, PACK upper ends z   group 1: ...
    broad_active    the box in each place
    broad_place     of each box: its place, and how many boxes had been opened before it
"""

import numpy as np

from ..machine.jit import inline, kernel
from ..machine.lang import bits_of, flat, pack_at, spread, trailing_zeros
from ..machine.layout import PACK
from ..math.order import settle_keys, sort_keys

# the part of a sort key that is the number of an end
LOW = 0xFFFFFFFF
# insertion sort is the fastest if it needs at most this many moves per key
MOVES = 8
# coordinates in a row of boxes: lower ends x, y, z, upper ends x, y, z; those of a group
LOW_Y, LOW_Z, HIGH_Y, HIGH_Z = 1, 2, 4, 5
ENDS = (LOW_Y, LOW_Z, HIGH_Y, HIGH_Z)
GROUP, BITS = len(ENDS) * PACK, 3


@inline
def sort_key(value, k):
    """Return an integer key that sorts by value, rounded to single precision; equal values are sorted by k."""
    bits = np.int64(np.float32(value + 0.0).view(np.int32))
    ordered = bits if bits >= 0 else bits ^ 0x7FFFFFFF
    return (ordered << 32) | k


@inline
def end_key(box, end):
    """Return the sort key of one end of a box's interval along the first axis. Box i has ends 2 i (lower) and 2 i + 1
    (upper)."""
    return sort_key(box[end >> 1, 3 if end & 1 else 0], end)


@kernel
def sort_again(keys, box, n):
    """Sort the ends of n intervals, starting from their order in the last step, which `keys` contains. Return False if an end
    is missing in `keys` or occurs twice, or if the order has changed too much.
    """
    for k in range(2 * n):
        end = keys[k] & LOW
        if end >= 2 * n:
            return False
        keys[k] = end_key(box, end)
    if not settle_keys(keys, 2 * n, MOVES * 2 * n):
        return False

    # Two equal keys mean that an interval endpoint is listed twice.
    for k in range(1, 2 * n):
        if keys[k] == keys[k - 1]:
            return False
    return True


@inline
def sort_ends(keys, room, box, n):
    """Sort the ends of n intervals along the first axis; `room` is scratch."""
    if not sort_again(keys, box, n):
        for end in range(2 * n):
            keys[end] = end_key(box, end)
        sort_keys(keys, room, 2 * n)


@inline
def least_room(n):
    """Return the least nbroad_cap for a sweep over n boxes."""
    return max(2 * n, PACK)


@inline
def first_end(place):
    """Return where broad_open contains the first of the four ends of a place."""
    return GROUP * (place >> BITS) + (place & (PACK - 1))


@inline
def open_box(d, i, count, opened):
    """Add box i to the `count` open boxes, the `opened`th that is opened. Return the new count."""
    ends, at = flat(d.broad_open), first_end(count)
    ends[at], ends[at + PACK] = d.broad_box[i, LOW_Y], d.broad_box[i, LOW_Z]
    ends[at + 2 * PACK], ends[at + 3 * PACK] = d.broad_box[i, HIGH_Y], d.broad_box[i, HIGH_Z]
    d.broad_active[count] = i
    d.broad_place[i, 0], d.broad_place[i, 1] = count, opened
    return count + 1


@inline
def close_box(d, i, count):
    """Remove box i from the `count` open boxes: the last one takes its place. Return the new count."""
    # The upper end of a box with undefined bounds may come first.
    place = d.broad_place[i, 0]
    if not 0 <= place < count or d.broad_active[place] != i:
        return count
    ends, last = flat(d.broad_open), d.broad_active[count - 1]
    to, at = first_end(place), first_end(count - 1)
    for k in range(len(ENDS)):
        ends[to + PACK * k] = ends[at + PACK * k]
    d.broad_active[place] = last
    d.broad_place[last, 0] = place
    return count - 1


@kernel
def gather_close(d, i, count):
    """writes tree_stack: those of the `count` open boxes that overlap box i along the second and third axis. Return their
    number."""
    box, ends, close, listed = d.broad_box, flat(d.broad_open), d.tree_stack, d.broad_active
    y0, z0, y1, z1 = spread(box[i, LOW_Y]), spread(box[i, LOW_Z]), spread(box[i, HIGH_Y]), spread(box[i, HIGH_Z])
    found, first, most = 0, 0, (1 << PACK) - 1
    while first < count:
        k = len(ENDS) * (first >> BITS)
        beside = (pack_at(ends, k) > y1) | (y0 > pack_at(ends, k + 2))
        above = (pack_at(ends, k + 1) > z1) | (z0 > pack_at(ends, k + 3))
        # The last group may not be full.
        left = (most ^ bits_of(beside | above)) & (most >> max(0, first + PACK - count))
        while left:
            close[found, 0] = listed[first + trailing_zeros(left)]
            left &= left - 1
            found += 1
        first += PACK
    return found


@inline
def in_order(d, close, found):
    """Sort the first boxes in `close` by the order in which they were opened. Most are few."""
    for k in range(1, found):
        i, j = close[k, 0], k
        while j > 0 and d.broad_place[close[j - 1, 0], 1] > d.broad_place[i, 1]:
            close[j, 0] = close[j - 1, 0]
            j -= 1
        close[j, 0] = i
