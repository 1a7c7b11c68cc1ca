"""Unit quaternions (w, x, y, z) and poses as tuples."""

from math import atan2, cos, pi, sin, sqrt

from ..machine.jit import inline
from ..tables.consts import mjMINVAL
from .vec import cross3, dot3, unit3


@inline
def quat_mul(a, b):
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


@inline
def quat_conj(q):
    return q[0], -q[1], -q[2], -q[3]


@inline
def rotate(q, v):
    """Rotate v by q."""
    x = q[0] * v[0] + q[2] * v[2] - q[3] * v[1]
    y = q[0] * v[1] + q[3] * v[0] - q[1] * v[2]
    z = q[0] * v[2] + q[1] * v[1] - q[2] * v[0]
    return v[0] + 2 * (q[2] * z - q[3] * y), v[1] + 2 * (q[3] * x - q[1] * z), v[2] + 2 * (q[1] * y - q[2] * x)


@inline
def quat_mat(q):
    """Return the rotation matrix, row by row."""
    w, x, y, z = q
    ww, xx, yy, zz = w * w, x * x, y * y, z * z
    return (
        ww + xx - yy - zz,
        2 * (x * y - w * z),
        2 * (x * z + w * y),
        2 * (x * y + w * z),
        ww - xx + yy - zz,
        2 * (y * z - w * x),
        2 * (x * z - w * y),
        2 * (y * z + w * x),
        ww - xx - yy + zz,
    )


@inline
def quat_unit(q):
    """Normalize q. Return the identity if the norm is below mjMINVAL, and q itself if the norm is 1 up to mjMINVAL."""
    n = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    if n < mjMINVAL:
        return 1.0, 0.0, 0.0, 0.0
    r = 1 / n if abs(n - 1) > mjMINVAL else 1.0
    return q[0] * r, q[1] * r, q[2] * r, q[3] * r


@inline
def axis_angle(axis, angle):
    s = sin(0.5 * angle)
    return cos(0.5 * angle), axis[0] * s, axis[1] * s, axis[2] * s


@inline
def quat_vel(q, dt):
    """Return the angular velocity that rotates by q in time dt, by the shorter way."""
    axis, s = unit3((q[1], q[2], q[3]))
    speed = 2 * atan2(s, q[0])
    if speed > pi:
        speed -= 2 * pi
    speed /= dt
    return axis[0] * speed, axis[1] * speed, axis[2] * speed


@inline
def quat_sub(a, b):
    """Return the rotation vector r for which b * quat(r) = a."""
    return quat_vel(quat_mul(quat_conj(b), a), 1.0)


@inline
def quat_integrate(q, v, dt):
    """Return q rotated for time dt by angular velocity v in the rotated (local) frame."""
    axis, speed = unit3(v)
    return quat_mul(quat_unit(q), axis_angle(axis, dt * speed))


@inline
def mat_quat(m):
    """Convert a rotation matrix to a quaternion, through its largest component (Shepperd's method)."""
    if m[0] + m[4] + m[8] > 0:
        w = 0.5 * sqrt(1 + m[0] + m[4] + m[8])
        q = (w, 0.25 * (m[7] - m[5]) / w, 0.25 * (m[2] - m[6]) / w, 0.25 * (m[3] - m[1]) / w)
    elif m[0] > m[4] and m[0] > m[8]:
        x = 0.5 * sqrt(1 + m[0] - m[4] - m[8])
        q = (0.25 * (m[7] - m[5]) / x, x, 0.25 * (m[1] + m[3]) / x, 0.25 * (m[2] + m[6]) / x)
    elif m[4] > m[8]:
        y = 0.5 * sqrt(1 - m[0] + m[4] - m[8])
        q = (0.25 * (m[2] - m[6]) / y, 0.25 * (m[1] + m[3]) / y, y, 0.25 * (m[5] + m[7]) / y)
    else:
        z = 0.5 * sqrt(1 - m[0] - m[4] + m[8])
        q = (0.25 * (m[3] - m[1]) / z, 0.25 * (m[2] + m[6]) / z, 0.25 * (m[5] + m[7]) / z, z)
    return quat_unit(q)


@inline
def quat_from_z(v):
    """Return the rotation that takes the z axis to v."""
    v, n = unit3(v)
    z = (0.0, 0.0, 1.0)
    axis, s = unit3(cross3(z, v))
    if n < mjMINVAL:
        return 1.0, 0.0, 0.0, 0.0
    if abs(s) < mjMINVAL:
        return (0.0, 1.0, 0.0, 0.0) if dot3(v, z) < 0 else (1.0, 0.0, 0.0, 0.0)
    return axis_angle(axis, atan2(s, dot3(v, z)))


@inline
def quat_deriv(q, v):
    """Return the time derivative of q for angular velocity v in the rotated (local) frame."""
    return (
        0.5 * (-v[0] * q[1] - v[1] * q[2] - v[2] * q[3]),
        0.5 * (v[0] * q[0] + v[1] * q[3] - v[2] * q[2]),
        0.5 * (-v[0] * q[3] + v[1] * q[0] + v[2] * q[1]),
        0.5 * (v[0] * q[2] - v[1] * q[1] + v[2] * q[0]),
    )
