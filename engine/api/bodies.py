"""Kernels of public functions that are more than one call of a stage; `entries` says what they are parts of. `w`: the words of a call.

A kernel whose row begins with `?` returns whether it did the call. False leaves it to the function in Python, with its errors: nothing was written.
"""

from math import inf, nan, sqrt

from ..core.stages import WATCH, run, stage_address
from ..dynamics.jacobian import point_jacobian
from ..dynamics.objects import object_acceleration, object_velocity
from ..dynamics.products import mul_inertia, mul_inertia_root, solve_inertia
from ..machine.jit import inline, kernel
from ..machine.lang import array_at, copy_bytes, invoke_index, invoke_skip, load, store
from ..math.quat import axis_angle, quat_integrate, rotate
from ..step.state import transfer_state
from ..tables.consts import mjMINVAL
from ..tables.enums import mjtObj
from ..tables.stage_rows import stage_ids

FORWARD, INVERSE, INDICES_DIFFER, STEP = stage_ids("forward_skip inverse_skip indices_differ step_many")
BODY, XBODY, GEOM, SITE, CAMERA = (int(mjtObj[f"mjOBJ_{n}"]) for n in ("BODY", "XBODY", "GEOM", "SITE", "CAMERA"))
# bits of a state, and bytes of a number
END = 1 << 13
REAL = 8

_jacobian, _velocity, _acceleration = (kernel(s.function) for s in (point_jacobian, object_velocity, object_acceleration))
_mul, _mul_root, _solve = (kernel(s.function) for s in (mul_inertia, mul_inertia_root, solve_inertia))


@inline
def put(address, v):
    """Write a tuple."""
    store(array_at(address, len(v)), 0, v)


@inline
def overlap(a, b, n):
    """Whether two vectors of n numbers share memory."""
    return a < b + REAL * n and b < a + REAL * n


# ---- stages of the whole model -----------------------------------------------------------------------------------------
@inline
def watched(d, w):
    """Have the next stage look for edits of indices."""
    if w[1] != 0:
        d.status, d.status_arg = WATCH, w[1]


@kernel
def component(m, d, w):
    """The stage whose number is the constant of the row. What stops it is in the status."""
    watched(d, w)
    if w[1] == 0 or run(m, d, INDICES_DIFFER):
        run(m, d, w[0])


@kernel
def forward(m, d, w):
    if 0 < d.narena and d.narena <= d.pstack:
        return False
    watched(d, w)
    address = stage_address(d, FORWARD)
    if address != 0:
        invoke_skip(address, m, d, 0, 0)
    return True


@kernel
def inverse(m, d, w):
    watched(d, w)
    address = stage_address(d, INVERSE)
    if address != 0:
        invoke_skip(address, m, d, 0, 0)


@kernel
def part(m, d, w):
    """The stage whose number is the constant of the row, which looks for edits itself."""
    watched(d, w)
    run(m, d, w[0])


@kernel
def step(m, d, w):
    watched(d, w)
    address = stage_address(d, STEP)
    if address != 0:
        invoke_index(address, m, d, 1)


# ---- Jacobians -----------------------------------------------------------------------------------------------------------
@inline
def jacobian(m, d, jacp, jacr, point, body):
    _jacobian(m, d, jacp, jacr, point[0], point[1], point[2], body)


# ---- states ----------------------------------------------------------------------------------------------------------------
@kernel
def state_size(m, sig):
    """Number of elements of a state; -1 for a signature that there is not."""
    if sig >= END:
        return -1
    size = 1 if sig & 1 else 0
    sizes = (m.nq, m.nv, m.na, m.nv, m.nu, m.nv, 6 * m.nbody, m.neq, 3 * m.nmocap, 4 * m.nmocap, m.nuserdata, m.npluginstate)
    for k in range(12):
        if sig >> (k + 1) & 1:
            size += sizes[k]
    return size


@kernel
def count_state(m, sig, w):
    w[0] = state_size(m, sig)
    return w[0] >= 0


@kernel
def move_state(m, d, state, size, sig, write):
    if state_size(m, sig) != size:
        return False
    transfer_state(m, d, array_at(state, size), sig, write)
    return True


# ---- inertia and velocities --------------------------------------------------------------------------------------------------
@kernel
def inertia_product(m, d, res, vec, root):
    if overlap(res, vec, m.nv):
        return False
    if root:
        _mul_root(m, d, res, vec)
    else:
        _mul(m, d, res, vec)
    return True


@kernel
def inertia_solution(m, d, x, count, columns, y, y_count, y_columns):
    if count != y_count or columns != m.nv or y_columns != m.nv:
        return False
    copy_bytes(x, y, REAL * m.nv * count)
    _solve(m, d, x, count)
    return True


@kernel
def has_object(m, kind, i):
    """Whether there is an object of a type that moves."""
    if kind == BODY or kind == XBODY:
        return 0 <= i < m.nbody
    if kind == GEOM:
        return 0 <= i < m.ngeom
    if kind == SITE:
        return 0 <= i < m.nsite
    return kind == CAMERA and 0 <= i < m.ncam


@kernel
def velocity(m, d, kind, i, res, local):
    if not has_object(m, kind, i):
        return False
    _velocity(m, d, kind, i, res, local)
    return True


@kernel
def acceleration(m, d, kind, i, res, local):
    if not has_object(m, kind, i):
        return False
    _acceleration(m, d, kind, i, res, local)
    return True


# ---- small vectors -------------------------------------------------------------------------------------------------------------
@inline
def turned(quat, vec):
    """A vector turned by a quaternion; by none, it is itself even if it is infinite."""
    return vec if quat[0] == 1 and quat[1] == 0 and quat[2] == 0 and quat[3] == 0 else rotate(quat, vec)


@inline
def turn_about(axis, angle):
    return axis_angle(axis, angle) if abs(angle) < inf else (nan, nan, nan, nan)


@kernel
def turn_on(quat, vel, scale):
    """Integrate a quaternion in place."""
    put(quat, quat_integrate(load(array_at(quat, 4), 0, 4), vel, scale))


@inline
def scale_to_one(res, v, norm):
    """Write a vector of length 1, (1, 0, ...) for one that is too short."""
    x = array_at(res, len(v))
    if norm < mjMINVAL:
        for k in range(len(v)):
            x[k] = 0.0
        x[0] = 1.0
    elif len(v) == 3 or abs(norm - 1) > mjMINVAL:
        r = 1 / norm
        for k in range(len(v)):
            x[k] *= r


@kernel
def normalize3(res):
    v = load(array_at(res, 3), 0, 3)
    norm = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    scale_to_one(res, v, norm)
    return norm


@kernel
def normalize4(res):
    v = load(array_at(res, 4), 0, 4)
    norm = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3])
    scale_to_one(res, v, norm)
    return norm
