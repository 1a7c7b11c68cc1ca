"""Support functions: the point of a convex shape farthest in a direction (a unit vector of the world)."""
from math import sqrt

from ..core.consts import mjMINVAL
from ..core.jit import inline
from ..math.vec import add3, mat_t_vec3, mat_vec3, scale3, unit3


@inline
def to_world(pos, mat, p):
    return add3(mat_vec3(mat, p), pos)


@inline
def support_ellipsoid(pos, mat, size, direction):
    """Scale the direction by the semi-axes, normalise, scale again."""
    v = mat_t_vec3(mat, direction)
    v, _ = unit3((v[0] * size[0], v[1] * size[1], v[2] * size[2]))
    return to_world(pos, mat, (v[0] * size[0], v[1] * size[1], v[2] * size[2]))
