"""Moving surfaces of geoms: conveyor belts, treadmills, turntables. Contacts use their velocity in the tangent plane."""

from ..machine.jit import inline, stage
from ..machine.lang import load
from ..math.vec import add3, cross3, dot3, mat_vec3, sub3
from ..tables.enums import mjtCone

PYRAMID = int(mjtCone.mjCONE_PYRAMIDAL)


@inline
def surface_at(m, d, g, point):
    """Return (velocity at a point, angular velocity) of a geom's surface relative to the geom; zeros if there is no geom g."""
    if g < 0:
        return (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    v, mat = load(m.geom_surfacevel, g, 6), load(d.geom_xmat, g, 9)
    turn = mat_vec3(mat, (v[3], v[4], v[5]))
    return add3(mat_vec3(mat, (v[0], v[1], v[2])), cross3(turn, sub3(point, load(d.geom_xpos, g, 3)))), turn


@stage
def surface_velocity(m, d):
    """reads contacts, poses of geoms; adds to efc_vel: the velocity of surfaces in the friction rows."""
    for k in range(d.ncon):
        row, dim = d.contact_efc_address[k], d.contact_dim[k]
        if row < 0 or dim == 1:
            continue

        # Project the relative velocity of both surfaces on the directions of friction.
        point, frame = load(d.contact_pos, k, 3), load(d.contact_frame, k, 9)
        v1, w1 = surface_at(m, d, d.contact_geom[k, 0], point)
        v2, w2 = surface_at(m, d, d.contact_geom[k, 1], point)
        v, w = sub3(v2, v1), sub3(w2, w1)
        speeds = (
            dot3((frame[3], frame[4], frame[5]), v),
            dot3((frame[6], frame[7], frame[8]), v),
            dot3((frame[0], frame[1], frame[2]), w),
        )

        for j in range(min(dim - 1, 3)):
            if m.opt.cone == PYRAMID:
                x = d.contact_friction[k, j] * speeds[j]
                d.efc_vel[row + 2 * j] += x
                d.efc_vel[row + 2 * j + 1] -= x
            else:
                d.efc_vel[row + 1 + j] += speeds[j]
