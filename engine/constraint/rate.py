"""Accelerations of constraint rows from changing Jacobians: (dJ/dt) v of connect and weld.

A row's acceleration is J dv/dt + (dJ/dt) v. Without the second part, as in releases before 3.7, bodies that turn quickly drift.
"""

from ..dynamics.force import axis_rate, last_dof
from ..dynamics.jacobian import arm
from ..dynamics.objects import weld_frames
from ..machine.jit import inline, kernel, stage
from ..machine.lang import load
from ..math.quat import quat_conj, quat_mul
from ..math.vec import add3, cross3, dot3, scale3, sub3
from ..tables.enums import mjtEq
from .append_rows import EQUALITY
from .equality import attachment

CONNECT, WELD = (int(mjtEq[f"mjEQ_{n}"]) for n in ("CONNECT", "WELD"))


@kernel
def point_bias(m, d, body, point):
    """Return the acceleration of a point of a body, and the body's angular acceleration, if the velocities of all dofs stay
    constant.
    """
    offset = arm(m, d, point, body)
    v = load(d.cvel, body, 6)
    speed = sub3((v[3], v[4], v[5]), cross3(offset, (v[0], v[1], v[2])))
    moved = turned = (0.0, 0.0, 0.0)
    i = last_dof(m, body)
    while i >= 0:
        axis = load(d.cdof, i, 6)
        rate = axis_rate(m, d, i, axis)
        spin = (rate[0], rate[1], rate[2])
        column = add3(add3((rate[3], rate[4], rate[5]), cross3(spin, offset)), cross3((axis[0], axis[1], axis[2]), speed))
        moved, turned = add3(moved, scale3(column, d.qvel[i])), add3(turned, scale3(spin, d.qvel[i]))
        i = m.dof_parentid[i]
    return moved, turned


@inline
def turning_rate(q2, w1, w2, turned, q1):
    """Return the rate of change of vec(conj(q2) w q1) for w = w1 - w2.

    The frames have angular velocities w1 and w2; `turned` is the difference of their angular accelerations.
    """
    w = sub3(w1, w2)
    part = add3(turned, cross3(w1, w2))
    found = quat_mul(quat_mul(quat_conj(q2), (-0.5 * dot3(w, w), part[0], part[1], part[2])), q1)
    return found[1], found[2], found[3]


@stage
def constraint_rate(m, d):
    """reads efc_type, efc_id, cdof, cdof_dot, cvel, qvel, poses; adds to efc_aref: the rate of the Jacobian of connect and
    weld.
    """
    r = 0
    while r < d.nefc and d.efc_type[r] == EQUALITY:
        e = d.efc_id[r]
        kind = m.eq_type[e]
        if kind != CONNECT and kind != WELD:
            r += 1
            continue

        # Subtract the relative acceleration of the two points of a connect or weld.
        weld = kind == WELD
        k1, k2 = m.eq_obj1id[e], m.eq_obj2id[e]
        b1, p1 = attachment(m, d, e, k1, 3 if weld else 0)
        b2, p2 = attachment(m, d, e, k2, 0 if weld else 3)
        moved1, turned1 = point_bias(m, d, b1, p1)
        moved2, turned2 = point_bias(m, d, b2, p2)
        for c in range(3):
            d.efc_aref[r + c] -= sub3(moved1, moved2)[c]
        r += 3
        if not weld:
            continue

        # For a weld, also subtract the relative angular acceleration of the two frames.
        q1, q2 = weld_frames(m, d, e, b1, b2)
        rate = scale3(
            turning_rate(q2, load(d.cvel, b1, 3), load(d.cvel, b2, 3), sub3(turned1, turned2), q1), 0.5 * m.eq_data[e, 10]
        )
        for c in range(3):
            d.efc_aref[r + c] -= rate[c]
        r += 3
