"""mju_*: quaternions, poses, spatial vectors; mjd_*: their derivatives."""

import math
from math import cos, factorial, nan, sin, sqrt, tan

import numpy as np

from ..core.report import FatalError
from ..machine.interpret import plain
from ..math import quat as q
from ..math import vec as v
from ..tables.compat_rows import FIRST, begun, bits, holds
from ..tables.consts import mjMINVAL
from .signature import public, require

_rotate, _mul, _conj, _unit, _axis_angle = map(plain, (q.rotate, q.quat_mul, q.quat_conj, q.quat_unit, q.axis_angle))
_mat, _vel, _from_mat, _from_z, _deriv = map(plain, (q.quat_mat, q.quat_vel, q.mat_quat, q.quat_from_z, q.quat_deriv))
_integrate, _add3, _cross3, _sub3, _unit3, _dot3 = map(plain, (q.quat_integrate, v.add3, v.cross3, v.sub3, v.unit3, v.dot3))

IDENTITY = (1.0, 0.0, 0.0, 0.0)
ROTATION_PRECISION = 1e-9


@public("res:3! vec:T3 quat:T4", code="api.bodies,math.quat,math.vec:put(res, turned(quat, vec))")
def mju_rotVecQuat(res, vec, quat):
    """Set res = vec rotated by quat."""
    res[:] = vec if quat == IDENTITY else _rotate(quat, vec)


@public("res:4! quat:T4", code="api.bodies,math.quat,math.vec:put(res, quat_conj(quat))")
def mju_negQuat(res, quat):
    """Set res to the conjugate, the inverse rotation."""
    res[:] = _conj(quat)


@public("res:4! quat1:T4 quat2:T4", code="api.bodies,math.quat,math.vec:put(res, quat_mul(quat1, quat2))")
def mju_mulQuat(res, quat1, quat2):
    """Set res = quat1 quat2."""
    res[:] = _mul(quat1, quat2)


@public("res:4! quat:T4 axis:T3")
def mju_mulQuatAxis(res, quat, axis):
    """Set res = quat (0, axis)."""
    res[:] = _mul(quat, (0.0, *axis))


@public("res:4! axis:T3 angle:f", code="api.bodies,math.quat,math.vec:put(res, turn_about(axis, angle))")
def mju_axisAngle2Quat(res, axis, angle):
    """Set res to the rotation by angle about a unit axis.

    angle: in radians
    """
    res[:] = _axis_angle(axis, angle) if abs(angle) < math.inf else (nan,) * 4


@public("res:3! quat:T4 dt:f", code="api.bodies,math.quat,math.vec:put(res, quat_vel(quat, dt))")
def mju_quat2Vel(res, quat, dt):
    """Set res to the angular velocity that rotates by quat in time dt, the short way.

    dt: in seconds
    """
    if dt:
        res[:] = _vel(quat, dt)
    else:
        with np.errstate(all="ignore"):
            res[:] = np.divide(_vel(quat, 1.0), dt)


@public("res:3! qa:T4 qb:T4", code="api.bodies,math.quat,math.vec:put(res, quat_vel(quat_mul(quat_conj(qb), qa), 1.0))")
def mju_subQuat(res, qa, qb):
    """Set res to the rotation vector from qb to qa, in the frame of qb."""
    res[:] = _vel(_mul(_conj(qb), qa), 1.0)


@public("res:9! quat:T4", code="api.bodies,math.quat,math.vec:put(res, quat_mat(quat))")
def mju_quat2Mat(res, quat):
    """Set res to the rotation matrix of quat."""
    res[:] = _mat(quat)


@public("quat:4! mat:T9", code="api.bodies,math.quat,math.vec:put(quat, mat_quat(mat))")
def mju_mat2Quat(quat, mat):
    """Set quat to the quaternion of a rotation matrix."""
    try:
        quat[:] = _from_mat(mat)
    except (ValueError, ZeroDivisionError):
        # the matrix is not a rotation, so a square root of a negative number was taken
        quat[:] = nan


@public("res:4! quat:T4 vel:T3", code="api.bodies,math.quat,math.vec:put(res, quat_deriv(quat, vel))")
def mju_derivQuat(res, quat, vel):
    """Set res to the time derivative of quat for an angular velocity in the rotated (local) frame.

    vel: in radians per second
    """
    res[:] = _deriv(quat, vel)


@public("quat:4! vel:T3 scale:f", code="api.bodies,math.quat,math.vec:turn_on(quat, vel, scale)")
def mju_quatIntegrate(quat, vel, scale):
    """Rotate quat by angular velocity vel, given in the rotated (local) frame, for time scale.

    vel: in radians per second
    scale: time in seconds
    """
    try:
        quat[:] = _integrate(tuple(quat.tolist()), vel, scale)
    except ValueError:
        # an infinite angle has no sine
        quat[:] = nan


@public("quat:4! vec:T3", code="api.bodies,math.quat,math.vec:put(quat, quat_from_z(vec))")
def mju_quatZ2Vec(quat, vec):
    """Set quat to the rotation that takes the z axis to vec."""
    quat[:] = _from_z(vec)


def _half_turn(r: np.ndarray, mat: np.ndarray) -> list[float] | None:
    """Return the axis, in the frame of r, of the half turn that brings r closest to a matrix; None if no half turn brings it
    closer.

    r is a stationary point, where r'M is symmetric. A half turn about n changes the trace of r'M to 2 n'r'Mn - tr(r'M).
    """
    left = r.T @ mat
    trace, (sizes, axes) = np.trace(left), np.linalg.eigh((left + left.T) / 2)
    k = int(np.argmax(sizes))
    if sizes[k] - trace <= ROTATION_PRECISION * np.abs(sizes).max():
        return None
    return axes[:, k].tolist()


@public("quat:4! mat:T9", "int")
def mju_mat2Rot(quat, mat):
    """Rotate quat to the rotation nearest to a matrix; return the number of iterations.

    Source: M. Mueller, J. Bender, N. Chentanez, M. Macklin, A robust method to extract the rotational part of deformations
    (2016).
    """
    columns = [(mat[k], mat[k + 3], mat[k + 6]) for k in range(3)]
    turn, escapes = tuple(quat.tolist()), holds("turn_escapes", bits(begun() or FIRST))
    if escapes:
        turn = _unit(turn)

    # each iteration turns the frame's axes towards the matrix's columns
    for count in range(500):
        r = _mat(turn)
        axes = [(r[k], r[k + 3], r[k + 6]) for k in range(3)]
        pull = (0.0, 0.0, 0.0)
        for a, c in zip(axes, columns, strict=True):
            pull = _add3(pull, _cross3(a, c))
        stretch = abs(sum(_dot3(a, c) for a, c in zip(axes, columns, strict=True))) + mjMINVAL
        axis, angle = _unit3((pull[0] / stretch, pull[1] / stretch, pull[2] / stretch))

        # converged, perhaps at a stationary point that is not the nearest
        if not angle >= ROTATION_PRECISION:
            half = _half_turn(np.reshape(r, (3, 3)), np.reshape(mat, (3, 3))) if escapes else None
            if half is None:
                quat[:] = turn
                return count
            turn = _unit(_mul(turn, (0.0, *half)))
            continue
        turn = _unit(_mul(_axis_angle(axis, angle), turn)) if angle < math.inf else (nan,) * 4
    quat[:] = turn
    return 500


@public("quat:4! euler:T3 seq:s")
def mju_euler2Quat(quat, euler, seq):
    """Set quat to three rotations about the axes named by seq. Lower case: about moving axes; upper case: about fixed axes.

    euler: in radians
    seq: three letters of xyzXYZ. FatalError for others
    """
    if len(seq) != 3:
        raise FatalError("mju_euler2Quat: seq must contain exactly 3 characters")
    turn = IDENTITY
    for k, (letter, angle) in enumerate(zip(seq, euler, strict=True)):
        axis = "xyz".find(letter.lower())
        if axis < 0:
            raise FatalError(f"mju_euler2Quat: seq[{k}] is '{letter}', should be one of x, y, z, X, Y, Z")
        if not abs(angle) < math.inf:
            turn = (nan,) * 4
            continue
        part = [cos(angle / 2), 0.0, 0.0, 0.0]
        part[axis + 1] = sin(angle / 2)
        turn = _mul(turn, part) if letter.islower() else _mul(part, turn)
    quat[:] = turn


# ---- poses -------------------------------------------------------------------------------------------------------------
@public("posres:3! quatres:4! pos1:T3 quat1:T4 pos2:T3 quat2:T4")
def mju_mulPose(posres, quatres, pos1, quat1, pos2, quat2):
    """Set (posres, quatres) to pose 1 followed by pose 2 in its frame."""
    quatres[:] = _unit(_mul(quat1, quat2))
    posres[:] = _add3(_rotate(quat1, pos2), pos1)


@public("posres:3! quatres:4! pos:T3 quat:T4")
def mju_negPose(posres, quatres, pos, quat):
    """Set (posres, quatres) to the inverse pose."""
    inverse = _conj(quat)
    quatres[:] = inverse
    posres[:] = [-x for x in _rotate(inverse, pos)]


@public("res:3! pos:T3 quat:T4 vec:T3")
def mju_trnVecPose(res, pos, quat, vec):
    """Set res to the point vec of a frame, expressed in the parent frame."""
    res[:] = _add3(_rotate(quat, vec), pos)


@public("res:6! vec:T6 flg_force:i newpos:T3 oldpos:T3 rotnew2old:9")
def mju_transformSpatial(res, vec, flg_force, newpos, oldpos, rotnew2old):
    """Set res to a motion vector (or a force, if flg_force) of the old frame, expressed in the new frame; rotational part
    first."""
    turn, push = vec[:3], vec[3:]
    shift = _sub3(newpos, oldpos)
    if flg_force:
        turn = _sub3(turn, _cross3(shift, push))
    else:
        push = _sub3(push, _cross3(shift, turn))
    r = rotnew2old.reshape(3, 3).T
    res[:3], res[3:] = r @ turn, r @ push


# ---- derivatives -------------------------------------------------------------------------------------------------------
def _cross_matrix(x: float, y: float, z: float) -> np.ndarray:
    """Return the matrix of the cross product with a vector."""
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def _rotation_coefficients(angle: float) -> tuple[float, ...]:
    """Return sin(a)/a, (1 - cos(a))/a^2 and (a - sin(a))/a^3. For small a they are series, which avoid cancellation."""
    xx = angle * angle
    if angle > 1 / 32:
        return sin(angle) / angle, (1 - cos(angle)) / xx, (angle - sin(angle)) / (xx * angle)
    return tuple(
        1 / factorial(k) - xx / factorial(k + 2) + xx**2 / factorial(k + 4) - xx**3 / factorial(k + 6) for k in (1, 2, 3)
    )


@public("qa:V(4) qb:V(4) Da:M(9)!? Db:M(9)!?")
def mjd_subQuat(qa, qb, Da, Db):
    """Compute derivatives of mju_subQuat with respect to rotations of qa and qb in their own frames; 9 numbers each, or
    None."""
    require(qa.size == 4, "qa must have size 4")
    require(qb.size == 4, "qb must have size 4")
    require(Da is None or Da.size == 9, "Da must have size 9")
    require(Db is None or Db.size == 9, "Db must have size 9")
    axis, angle = _unit3(_vel(_mul(_conj(tuple(qb.tolist())), tuple(qa.tolist())), 1.0))
    half, cross = 0.5 * angle, _cross_matrix(*axis)
    jacobian = np.eye(3) + half * cross + (0.0 if half < 6e-8 else 1 - half / tan(half)) * (cross @ cross)
    if Da is not None:
        Da.reshape(3, 3)[:] = jacobian
    if Db is not None:
        Db.reshape(3, 3)[:] = -jacobian.T


@public("vel:3 scale:f Dquat:9! Dvel:9! Dscale:3!")
def mjd_quatIntegrate(vel, scale, Dquat, Dvel, Dscale):
    """Compute derivatives of mju_quatIntegrate with respect to the quaternion, the scaled velocity and the scale, as rotations
    in local frames.

    vel: in radians per second
    scale: time in seconds
    """
    s = scale * vel
    angle = sqrt(float(s @ s))
    cross = _cross_matrix(*s)
    square = cross @ cross
    first, second, third = _rotation_coefficients(angle) if angle < math.inf else (nan, nan, nan)
    Dquat.reshape(3, 3)[:] = np.eye(3) - first * cross + second * square
    right = np.eye(3) - second * cross + third * square
    Dvel.reshape(3, 3)[:] = right
    Dscale[:] = right @ vel


__all__ = [n for n in dir() if n.startswith(("mju_", "mjd_"))]
