"""Forces of a surrounding fluid on bodies, by the inertia-box or the ellipsoid model (MuJoCo's manual, Computation, Fluid
forces).

Ellipsoid model: added mass after Lamb, Hydrodynamics; Magnus and Kutta lift; blunt, slender and angular drag.
"""

from math import sqrt

from ..machine.jit import inline, kernel, stage
from ..machine.lang import load
from ..math.vec import add3, add_scaled3, cross3, mat_t_vec3, mat_vec3, norm3, scale3, sub3
from ..tables.consts import mjMINVAL, mjPI
from ..tables.enums import mjtEnableBit, mjtGeom
from .awake import ASLEEP
from .force import apply_force
from .objects import head3, into_frame, out_of_com, tail3

SLEEP = int(mjtEnableBit.mjENBL_SLEEP)
NOT_AT_ALL, INERTIA_BOX, ELLIPSOIDS = range(3)
SPHERE, CAPSULE, CYLINDER = int(mjtGeom.mjGEOM_SPHERE), int(mjtGeom.mjGEOM_CAPSULE), int(mjtGeom.mjGEOM_CYLINDER)


@stage
def fluid(m, d):
    """reads cvel, poses, opt.density, opt.viscosity, opt.wind; adds to qfrc_fluid."""
    for b in range(m.nbody):
        kind = fluid_model(m, d, b)
        if kind == INERTIA_BOX:
            box_force(m, d, b)
        elif kind == ELLIPSOIDS:
            for g in range(m.body_geomadr[b], m.body_geomadr[b] + m.body_geomnum[b]):
                if m.geom_fluid[g, 0] != 0:
                    ellipsoid_force(m, d, b, g)


@inline
def fluid_model(m, d, b):
    """Return the fluid model of body b: NOT_AT_ALL if it has no mass or sleeps, ELLIPSOIDS if any of its geoms requests it."""
    sleep = m.opt.enableflags & SLEEP != 0 and d.nbody_awake < m.nbody
    if m.body_mass[b] < mjMINVAL or sleep and d.body_awake[b] == ASLEEP:
        return NOT_AT_ALL
    for g in range(m.body_geomadr[b], m.body_geomadr[b] + m.body_geomnum[b]):
        if m.geom_fluid[g, 0] > 0:
            return ELLIPSOIDS
    return INERTIA_BOX


@inline
def relative_velocity(m, d, b, pos, mat):
    """Return the (angular, linear) velocity of a frame of body b relative to the fluid, expressed in that frame."""
    v = into_frame(mat, out_of_com(m, d, d.cvel, b, pos))
    return head3(v), sub3(tail3(v), mat_t_vec3(mat, load(m.opt.wind, 0, 3)))


@inline
def edge(a, b, c, mass):
    """Return the edge length, along the axis of principal moment a, of the box whose principal moments are a, b, c."""
    return sqrt(max(mjMINVAL, b + c - a) / mass * 6.0)


@inline
def fourth(x):
    return (x * x) * (x * x)


@kernel
def box_force(m, d, b):
    """Apply the drag of the box equivalent to the body's inertia, and the Stokes drag of a sphere of the box's mean edge
    length."""
    i, mass = load(m.body_inertia, b, 3), m.body_mass[b]
    box = (edge(i[0], i[1], i[2], mass), edge(i[1], i[0], i[2], mass), edge(i[2], i[0], i[1], mass))
    pos, mat = load(d.xipos, b, 3), load(d.ximat, b, 9)
    w, v = relative_velocity(m, d, b, pos, mat)

    density, viscosity = m.opt.density, m.opt.viscosity
    torque, force = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    if viscosity > 0:
        size = (box[0] + box[1] + box[2]) / 3.0
        torque, force = scale3(w, -mjPI * size * size * size * viscosity), scale3(v, -3.0 * mjPI * size * viscosity)

    if density > 0:
        x, y, z = fourth(box[0]), fourth(box[1]), fourth(box[2])
        force = (
            force[0] - 0.5 * density * box[1] * box[2] * abs(v[0]) * v[0],
            force[1] - 0.5 * density * box[0] * box[2] * abs(v[1]) * v[1],
            force[2] - 0.5 * density * box[0] * box[1] * abs(v[2]) * v[2],
        )
        torque = (
            torque[0] - density * box[0] * (y + z) * abs(w[0]) * w[0] / 64.0,
            torque[1] - density * box[1] * (x + z) * abs(w[1]) * w[1] / 64.0,
            torque[2] - density * box[2] * (x + y) * abs(w[2]) * w[2] / 64.0,
        )
    apply_force(m, d, d.qfrc_fluid, b, pos, mat_vec3(mat, force), mat_vec3(mat, torque))


@inline
def half_axes(m, g):
    """Return the half axes of the ellipsoid that represents a geom."""
    s, kind = load(m.geom_size, g, 3), m.geom_type[g]
    if kind == SPHERE:
        return s[0], s[0], s[0]
    if kind == CAPSULE:
        return s[0], s[0], s[1] + s[0]
    if kind == CYLINDER:
        return s[0], s[0], s[1]
    return s


@kernel
def ellipsoid_force(m, d, b, g):
    """Apply the force of the fluid on one geom.

    geom_fluid: scale, blunt, slender, angular drag, Kutta, Magnus lift, virtual mass, virtual inertia.
    """
    pos, mat, c = load(d.geom_xpos, g, 3), load(d.geom_xmat, g, 9), load(m.geom_fluid, g, 12)
    w, v = relative_velocity(m, d, b, pos, mat)
    density = m.opt.density
    p = (density * c[6] * v[0], density * c[7] * v[1], density * c[8] * v[2])
    spin = (density * c[9] * w[0], density * c[10] * w[1], density * c[11] * w[2])
    torque, force = add3(cross3(p, v), cross3(spin, w)), cross3(p, w)
    drag_torque, drag_force = viscous_force(v, w, density, m.opt.viscosity, half_axes(m, g), c)
    torque, force = scale3(add3(torque, drag_torque), c[0]), scale3(add3(force, drag_force), c[0])
    apply_force(m, d, d.qfrc_fluid, b, pos, mat_vec3(mat, force), mat_vec3(mat, torque))


@inline
def largest_moment(a, b, c):
    """Return the largest moment of drag about the axis with half axis a; b, c: the other half axes."""
    return 8.0 / 15.0 * mjPI * a * fourth(max(b, c))


@inline
def viscous_force(v, w, density, viscosity, s, c):
    """Return (torque, force) of lift and drag on an ellipsoid.

    s: half axes; c: coefficients (_, blunt, slender, angular, Kutta, Magnus).
    """
    volume = 4.0 / 3.0 * mjPI * s[0] * s[1] * s[2]
    big, small = max(max(s[0], s[1]), s[2]), min(min(s[0], s[1]), s[2])
    mid = s[0] + s[1] + s[2] - big - small
    speed = norm3(v)
    magnus = scale3(cross3(w, v), c[5] * density * volume)

    # Project the ellipsoid along the velocity; `shadow` is the projected area. Compute the Kutta lift.
    x, y, z = s[1] * s[2], s[2] * s[0], s[0] * s[1]
    normal = (x * x * v[0], y * y * v[1], z * z * v[2])
    below = fourth(x) * (v[0] * v[0]) + fourth(y) * (v[1] * v[1]) + fourth(z) * (v[2] * v[2])
    above = (x * v[0]) * (x * v[0]) + (y * v[1]) * (y * v[1]) + (z * v[2]) * (z * v[2])
    shadow = mjPI * sqrt(below / max(mjMINVAL, above))
    cosine = above / max(mjMINVAL, speed * below)
    kutta = cross3(scale3(cross3(normal, v), c[4] * density * cosine * shadow), v)

    # Stokes flow around the sphere of the mean diameter, and quadratic drag.
    size = 2.0 / 3.0 * (s[0] + s[1] + s[2])
    top = 8.0 / 15.0 * mjPI * mid * fourth(big)
    i0, i1, i2 = largest_moment(s[0], s[1], s[2]), largest_moment(s[1], s[2], s[0]), largest_moment(s[2], s[0], s[1])
    twist = (
        w[0] * (c[3] * i0 + c[2] * (top - i0)),
        w[1] * (c[3] * i1 + c[2] * (top - i1)),
        w[2] * (c[3] * i2 + c[2] * (top - i2)),
    )
    linear = viscosity * (3.0 * mjPI * size) + density * speed * (shadow * c[1] + c[2] * (mjPI * big * mid - shadow))
    angular = viscosity * (mjPI * size * size * size) + density * norm3(twist)
    return scale3(w, -angular), add_scaled3(add3(magnus, kutta), v, -linear)
