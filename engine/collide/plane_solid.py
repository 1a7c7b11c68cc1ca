"""Collides a plane with any solid that geom.support knows: at its lowest point, and at the lowest points of the slightly tilted
solid.

On a flat side, these points are corners or points of the rim, so solids rest stably. MuJoCo's shapes have their own functions.
"""

from ..geom.support import support
from ..machine.jit import stage
from ..machine.lang import address_of, load
from ..math.vec import add3, add_scaled3, distance3, dot3, frame_of, scale3, sub3, unit3
from .convex import place_geom
from .manifold import POS, ROW, put

SLOPE = 1e-3  # tangent of the tilt
TILTS = ((0.0, 0.0), (1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0))
NEAR = 0.01  # distinct contacts are farther apart than this fraction of the solid's radius


@stage("iMDiif")
def collide_plane_solid(m, d, g1, g2, margin):
    """reads geom_xpos, geom_xmat; writes shapes, manifold. Returns the number of rows."""
    out, shape = d.manifold, address_of(d.shapes, 0)
    place_geom(m, d, shape, g2, 0.0)
    mat, origin = load(d.geom_xmat, g1, 9), load(d.geom_xpos, g1, 3)
    normal = (mat[2], mat[5], mat[8])
    frame = frame_of(normal, (0.0, 0.0, 0.0))
    x, y = (frame[3], frame[4], frame[5]), (frame[6], frame[7], frame[8])

    # Each tilt gives one candidate point; drop points near an earlier one.
    count = 0
    for a, b in TILTS:
        down, _ = unit3(sub3(scale3(add3(scale3(x, a), scale3(y, b)), SLOPE), normal))
        point = support(shape, down)
        dist = dot3(normal, sub3(point, origin))
        if dist > margin:
            continue
        place = add_scaled3(point, normal, -0.5 * dist)
        fresh = True
        for k in range(count):
            fresh = fresh and distance3(load(out, ROW * k + POS, 3), place) > NEAR * m.geom_rbound[g2]
        if fresh:
            count = put(out, count, dist, place, normal)
    return count
