"""Skips the search for contacts within a flex while its vertices have moved too little for any.

    reach    the largest distance at which two elements may touch
    slack    when the flex was examined, all elements that may touch were farther apart than reach + slack
    moved    since then, each vertex has moved by at most this, not counting a translation of the whole flex

Two elements come closer by at most 2 moved. While that is less than the slack, none can touch. So a search is skipped only if
its result is known, and results do not depend on what is remembered. If a flex moves fast, or if its Data serves many worlds,
an examination saves few searches: then the next one is put off, longer each time.
"""

from math import sqrt

from ..machine.jit import inline, kernel
from ..machine.lang import load, store
from ..math.vec import cross3, dot3, sub3
from .flex_pairs import DOUBT, box_of_element, corner_place, scaled_gap, share_body, share_vertex
from .sweep import LOW, close_box, gather_close, open_box, sort_ends

# columns of flex_still
SLACK, REACH, SKIPPED, WAIT, PAUSE = range(5)
# An examination costs about three searches. It has paid if as many are skipped; otherwise the pause doubles, up to a limit.
WORTH, SHORTEST, LONGEST = 4, 16, 256
NEVER = -1e300


@inline
def active(m, f, e):
    """Return True if an element can collide. In a solid flex, only elements of the active outer layers can."""
    return m.flex_dim[f] < 3 or m.flex_elemlayer[m.flex_elemadr[f] + e] < m.flex_activelayers[f]


@inline
def reach_of(m, f):
    """Return the distance beyond which the surfaces of two elements never count as touching."""
    return 2 * m.flex_radius[f] + DOUBT * m.opt.ccd_tolerance


@inline
def longest_first(m, d, f):
    """Return the axes x, y, z in the order for the sweep: the flex's longest side first."""
    root = load(d.bvh_aabb_dyn, m.flex_bvhadr[f] - m.nbvhstatic, 6)
    if root[3] > root[4] and root[3] > root[5]:
        return 0, 1, 2
    if root[4] > root[5]:
        return 1, 0, 2
    return 2, 0, 1


@kernel
def list_elements(m, d, f, extra):
    """writes broad_body, broad_box: the active elements of a flex, and their boxes with `extra` on each side. Return their
    count."""
    elements, box, n = d.broad_body, d.broad_box, 0
    x, y, z = longest_first(m, d, f)
    for e in range(m.flex_elemnum[f]):
        if active(m, f, e):
            c = load(d.flexelem_aabb, m.flex_elemadr[f] + e, 6)
            a, b, h = c[x + 3] + extra, c[y + 3] + extra, c[z + 3] + extra
            elements[n] = e
            store(box, n, (c[x] - a, c[y] - b, c[z] - h, c[x] + a, c[y] + b, c[z] + h))
            n += 1
    return n


@kernel
def farthest_moved(m, d, f):
    """Return how far a vertex has moved since the flex was examined, at most, apart from the translation of its first one."""
    first, most = m.flex_vertadr[f], 0.0
    shift = sub3(load(d.flexvert_xpos, first, 3), load(d.flex_examined, first, 3))
    for v in range(first, first + m.flex_vertnum[f]):
        moved = sub3(sub3(load(d.flexvert_xpos, v, 3), load(d.flex_examined, v, 3)), shift)
        most = max(most, dot3(moved, moved))
    return sqrt(most)


@kernel
def rests(m, d, f):
    """Return whether the flex has moved so little since its examination that its elements cannot touch each other."""
    kept = d.flex_still
    if not (kept[f, SLACK] > 0 and kept[f, REACH] == reach_of(m, f)):
        return False
    if not 2 * farthest_moved(m, d, f) < kept[f, SLACK]:
        return False
    kept[f, SKIPPED] += 1
    return True


@inline
def gap_along(n, a1, a2, a3, b1, b2, b3):
    """Return the gap between two triangles along a vector of any length, or NEVER along a vector without length."""
    size = dot3(n, n)
    if not size > 0:
        return NEVER
    return scaled_gap(n, a1, a2, a3, b1, b2, b3) / sqrt(size)


@inline
def gap_of_sides(a1, a2, a3, b1, b2, b3):
    """Return the largest gap between two triangles along four directions: the normal of the first triangle, and those in its
    plane that are perpendicular to an edge."""
    u, v, w = sub3(a2, a1), sub3(a3, a2), sub3(a1, a3)
    normal = cross3(u, v)
    edges = max(
        gap_along(cross3(u, normal), a1, a2, a3, b1, b2, b3),
        gap_along(cross3(v, normal), a1, a2, a3, b1, b2, b3),
        gap_along(cross3(w, normal), a1, a2, a3, b1, b2, b3),
    )
    return max(edges, gap_along(normal, a1, a2, a3, b1, b2, b3))


@kernel
def distance_beyond(m, d, f, i, e, reach):
    """Return a lower bound of the distance of two elements, minus the reach of contacts."""
    a, b = box_of_element(m, d, f, i), box_of_element(m, d, f, e)
    apart = max(abs(a[0] - b[0]) - (a[3] + b[3]), abs(a[1] - b[1]) - (a[4] + b[4]), abs(a[2] - b[2]) - (a[5] + b[5]))
    # boxes contain the radius
    least = apart + 2 * m.flex_radius[f] - reach
    if m.flex_dim[f] == 2:
        a1, a2, a3 = corner_place(m, d, f, i, 0), corner_place(m, d, f, i, 1), corner_place(m, d, f, i, 2)
        b1, b2, b3 = corner_place(m, d, f, e, 0), corner_place(m, d, f, e, 1), corner_place(m, d, f, e, 2)
        sides = max(gap_of_sides(a1, a2, a3, b1, b2, b3), gap_of_sides(b1, b2, b3, a1, a2, a3))
        least = max(least, sides - reach)
    return least


@kernel
def least_slack(m, d, f):
    """Return the slack (see the top of this file), or a number that is not positive if elements may touch (scratch:
    broad_body, broad_box, broad_active, broad_place, broad_open, broad_key, broad_merge, tree_stack)."""
    # Elements farther apart than the typical size of one are not looked at.
    size, count = 0.0, 0
    for e in range(m.flex_elemnum[f]):
        if active(m, f, e):
            box = box_of_element(m, d, f, e)
            size += max(box[3], box[4], box[5])
            count += 1
    size /= count
    reach = reach_of(m, f)
    slack = size - DOUBT * m.opt.ccd_tolerance
    n = list_elements(m, d, f, 0.5 * size)
    elements, keys, close = d.broad_body, d.broad_key, d.tree_stack
    sort_ends(keys, d.broad_merge, d.broad_box, n)
    inside = 0
    for k in range(2 * n):
        i = (keys[k] & LOW) >> 1
        if keys[k] & 1:
            inside = close_box(d, i, inside)
            continue
        found = gather_close(d, i, inside)
        for j in range(found):
            one, other = elements[close[j, 0]], elements[i]
            if not share_vertex(m, f, one, other) and not share_body(m, f, one, f, other):
                slack = min(slack, distance_beyond(m, d, f, one, other, reach))
                if not slack > 0:
                    return slack
        inside = open_box(d, i, inside, k)
    return slack


@kernel
def examine(m, d, f, touching):
    """writes flex_still, flex_examined, after a search that found contacts or, if not `touching`, none."""
    kept = d.flex_still
    if touching:
        kept[f, SLACK] = 0.0
        return
    if kept[f, WAIT] > 0:
        kept[f, WAIT] -= 1
        return

    # Wait if the last examination has not paid.
    if kept[f, SKIPPED] >= WORTH:
        kept[f, PAUSE] = 0
    elif kept[f, PAUSE] >= SHORTEST:
        kept[f, PAUSE] = min(2 * kept[f, PAUSE], LONGEST)
    else:
        kept[f, PAUSE] = SHORTEST
    kept[f, SLACK] = least_slack(m, d, f)
    kept[f, REACH], kept[f, SKIPPED], kept[f, WAIT] = reach_of(m, f), 0, kept[f, PAUSE]
    if kept[f, SLACK] > 0:
        for v in range(m.flex_vertadr[f], m.flex_vertadr[f] + m.flex_vertnum[f]):
            store(d.flex_examined, v, load(d.flexvert_xpos, v, 3))
