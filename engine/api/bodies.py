"""Kernels for public functions that do more than call one stage; `entries` uses them. `w` is the array of a call's words, which
hold its arguments and its result.

A kernel whose row begins with `?` returns whether it handled the call. If not, it has written nothing; the Python
function then runs and raises the errors.
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
# END: first bit above the components of a state. REAL: bytes of a float64.
END = 1 << 13
REAL = 8

_jacobian, _velocity, _acceleration = (kernel(s.function) for s in (point_jacobian, object_velocity, object_acceleration))
_mul, _mul_root, _solve = (kernel(s.function) for s in (mul_inertia, mul_inertia_root, solve_inertia))


@inline
def put(address, v):
    """Write a tuple to an address."""
    store(array_at(address, len(v)), 0, v)


@inline
def overlap(a, b, n):
    """Return whether two vectors of n numbers share memory."""
    return a < b + REAL * n and b < a + REAL * n


# ---- stages of the whole model -----------------------------------------------------------------------------------------
@inline
def watched(d, w):
    """Make the next stage check for edited indices."""
    if w[1] != 0:
        d.status, d.status_arg = WATCH, w[1]


@kernel
def component(m, d, w):
    """Run the stage whose number is the constant in the function's row, after checking for edited indices. If it stopped, the
    status says why.
    """
    watched(d, w)
    if w[1] == 0 or run(m, d, INDICES_DIFFER):
        run(m, d, w[0])


@kernel
def forward(m, d, w):
    """Run forward dynamics, unless the stack is marked as full."""
    if 0 < d.narena and d.narena <= d.pstack:
        return False
    watched(d, w)
    address = stage_address(d, FORWARD)
    if address != 0:
        invoke_skip(address, m, d, 0, 0)
    return True


@kernel
def inverse(m, d, w):
    """Run inverse dynamics."""
    watched(d, w)
    address = stage_address(d, INVERSE)
    if address != 0:
        invoke_skip(address, m, d, 0, 0)


@kernel
def part(m, d, w):
    """Run the stage whose number is the constant in the function's row. The stage itself checks for edited indices."""
    watched(d, w)
    run(m, d, w[0])


@kernel
def step(m, d, w):
    """Make one time step."""
    watched(d, w)
    address = stage_address(d, STEP)
    if address != 0:
        invoke_index(address, m, d, 1)


# ---- Jacobians -----------------------------------------------------------------------------------------------------------
@inline
def jacobian(m, d, jacp, jacr, point, body):
    """Write the Jacobians of a point of a body."""
    _jacobian(m, d, jacp, jacr, point[0], point[1], point[2], body)


# ---- states --------------------------------------------------------------------------------------------------------------
@kernel
def state_size(m, sig):
    """Return the number of elements of a state; -1 for an invalid signature."""
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
    """Write the number of elements of a state; return False for an invalid signature."""
    w[0] = state_size(m, sig)
    return w[0] >= 0


@kernel
def move_state(m, d, state, size, sig, write):
    """Copy a state from or to Data, if the sizes agree."""
    if state_size(m, sig) != size:
        return False
    transfer_state(m, d, array_at(state, size), sig, write)
    return True


# ---- inertia and velocities ----------------------------------------------------------------------------------------------
@kernel
def inertia_product(m, d, res, vec, root):
    """Multiply by the joint-space inertia matrix or its square root, unless the vectors overlap."""
    if overlap(res, vec, m.nv):
        return False
    if root:
        _mul_root(m, d, res, vec)
    else:
        _mul(m, d, res, vec)
    return True


@kernel
def inertia_solution(m, d, x, count, columns, y, y_count, y_columns):
    """Solve with the joint-space inertia matrix, if the sizes agree."""
    if count != y_count or columns != m.nv or y_columns != m.nv:
        return False
    copy_bytes(x, y, REAL * m.nv * count)
    _solve(m, d, x, count)
    return True


@kernel
def has_object(m, kind, i):
    """Return whether an object exists and is of a type that has a velocity."""
    if kind == BODY or kind == XBODY:
        return 0 <= i < m.nbody
    if kind == GEOM:
        return 0 <= i < m.ngeom
    if kind == SITE:
        return 0 <= i < m.nsite
    return kind == CAMERA and 0 <= i < m.ncam


@kernel
def velocity(m, d, kind, i, res, local):
    """Write an object's velocity, if the object exists."""
    if not has_object(m, kind, i):
        return False
    _velocity(m, d, kind, i, res, local)
    return True


@kernel
def acceleration(m, d, kind, i, res, local):
    """Write an object's acceleration, if the object exists."""
    if not has_object(m, kind, i):
        return False
    _acceleration(m, d, kind, i, res, local)
    return True


# ---- small vectors -------------------------------------------------------------------------------------------------------
@inline
def turned(quat, vec):
    """Rotate a vector by a quaternion; the identity keeps even infinite vectors unchanged."""
    return vec if quat[0] == 1 and quat[1] == 0 and quat[2] == 0 and quat[3] == 0 else rotate(quat, vec)


@inline
def turn_about(axis, angle):
    """Return the quaternion of a rotation; NaN for an infinite angle."""
    return axis_angle(axis, angle) if abs(angle) < inf else (nan, nan, nan, nan)


@kernel
def turn_on(quat, vel, scale):
    """Integrate a quaternion in place."""
    put(quat, quat_integrate(load(array_at(quat, 4), 0, 4), vel, scale))


@inline
def scale_to_one(res, v, norm):
    """Scale a vector to length 1; write (1, 0, ...) if it is too short."""
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
    """Normalize a vector of 3 numbers in place and return its length."""
    v = load(array_at(res, 3), 0, 3)
    norm = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    scale_to_one(res, v, norm)
    return norm


@kernel
def normalize4(res):
    """Normalize a vector of 4 numbers in place and return its length."""
    v = load(array_at(res, 4), 0, 4)
    norm = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3])
    scale_to_one(res, v, norm)
    return norm
