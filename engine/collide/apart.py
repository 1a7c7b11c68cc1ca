"""Remembers planes that separated convex geoms. In the next step most planes still do, which saves the search for a contact.

             |                          s: the point of A - B that is nearest along the normal
      ( B )  |  [ A ]   --> normal      apart if normal . s > 0
             |

A plane skips the search only if it proves that the geoms are apart, so results do not depend on what is remembered. (They could
only if the search erred, and found a contact of shapes that are more than two tolerances apart.)
"""

from ..geom.support import LOCAL, VERTEX, integers
from ..machine.jit import inline, kernel
from ..machine.lang import load, small, store
from ..math.vec import dot3, mat_t_vec3, mat_vec3, scale3, sub3, unit3
from .ccd import FAR_SIDE
from .gjk import FAR, WIDTH, support_difference

# Number of remembered planes less 1; of two pairs with the same row, the later one is remembered.
LAST = 127
# The search may take geoms that are closer than its tolerance for touching, so a plane must prove this many tolerances.
SURE = 2.0


@inline
def row_of(g1, g2):
    return (61 * g1 + g2) & LAST


@inline
def remembers(d, k, g1, g2):
    """Return whether row k is that of these two geoms."""
    return d.apart_geoms[k, 0] == g1 and d.apart_geoms[k, 1] == g2


@kernel
def still_apart(m, d, a, b, g1, g2):
    """Return whether the plane that separated two geoms when they were last compared still does. a, b: their shape blocks."""
    k = row_of(g1, g2)
    if not remembers(d, k, g1, g2):
        return False
    normal = mat_vec3(load(d.geom_xmat, g1, 9), load(d.apart_normal, k, 3))

    # The search for a vertex of a mesh starts at the vertex that was found last. That must not depend on what is remembered.
    one, other = integers(a), integers(b)
    vertex1, local1, vertex2, local2 = one[VERTEX], one[LOCAL], other[VERTEX], other[LOCAL]
    nearest = support_difference(a, b, small(WIDTH), 0, scale3(normal, -1.0))
    one[VERTEX], one[LOCAL], other[VERTEX], other[LOCAL] = vertex1, local1, vertex2, local2
    return dot3(normal, nearest) > SURE * m.opt.ccd_tolerance


@inline
def remember_plane(d, g1, g2, count):
    """Remember the plane that separates two geoms for which `ccd` has found `count` contacts; forget it if they touch."""
    k = row_of(g1, g2)
    if count == 0:
        # Beyond the cutoff, `ccd` returns the normal in the place of the first of the nearest points.
        normal = load(d.witness, 0, 3)
        if d.ccd_dist < FAR:
            normal = sub3(normal, load(d.witness, FAR_SIDE, 3))
        normal, _ = unit3(mat_t_vec3(load(d.geom_xmat, g1, 9), normal))
        store(d.apart_geoms, k, (g1, g2))
        store(d.apart_normal, k, normal)
    elif remembers(d, k, g1, g2):
        d.apart_geoms[k, 0] = -1
