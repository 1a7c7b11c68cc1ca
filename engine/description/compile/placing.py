"""Compiled checks, limits and inertial frames of geoms, joints and bodies.

Columns are those of tables (table.Table.at): vector columns have `width` numbers from one row to the next, scalar columns are
contiguous. Functions with many columns take one array of their addresses and sizes; a comment above the function lists its
contents. Compiler settings are rows of numbers, with a stride of `step` numbers between elements: 0 if all elements share one
row.
Functions that find a fault return its number (see `fault`), which encodes the type of fault and the element, or NO_FAULT.
"""

from math import sqrt

from ...geom.principal import EPS, axes_of, unit_or_same4
from ...machine.jit import inline, kernel, stage
from ...machine.lang import array_at, bytes_at, ints_at, load, longs_at, matrix_at, store
from ...math.quat import quat_mat, quat_mul
from ...math.vec import add3, mat_vec3
from ...tables.enums import mjtLimited
from ..language.types import AUTO, BALL, FREE, FROM_GEOM, FROM_GEOM_AUTO, HINGE, ON, PLANE

NO_FAULT = -1
# Flags of a geom. IN_GROUP: its group contributes to mass. GIVES: it contributes to the inertia computed for its body.
IN_GROUP, GIVES = 1, 2
DEGREE = 0.017453292519943295
# columns of the compiler settings for joints
IN_DEGREES, AUTOLIMITS, JOINT_SETTINGS = range(3)
# columns of the compiler settings for geoms
GEOM_MODE, LOWEST_GROUP, HIGHEST_GROUP, GEOM_SETTINGS = range(4)
# columns of the compiler settings for bodies
BODY_MODE, LEAST_MASS, LEAST_INERTIA, BALANCE, BODY_SETTINGS = range(5)
CONDIM, MOVING_PLANE = range(2)
NAN_SIZE, FLAT_PLANE, FIRST_SIZE = range(3)
LIMITS_UNASKED, RANGE_ORDER, BALL_RANGE, FORCES_UNASKED, FORCE_ORDER, NO_AXIS = range(6)
NEGATIVE_GEOM, FLAT_GEOMS, NEGATIVE_BODY, UNBALANCED = range(4)
assert AUTO == int(mjtLimited.mjLIMITED_AUTO) and ON == int(mjtLimited.mjLIMITED_TRUE)


@inline
def fault(which, i, n):
    """Return the number that encodes a type of fault and the element i of n that has it."""
    return which * n + i


@stage("iiiiiiiiii")
def geom_faults(type_at, condim_at, contype_at, conaffinity_at, body_at, weld_at, nbody, visual_at, n):
    """reads geoms and the weld ids of bodies; writes which geoms are visual; returns CONDIM or MOVING_PLANE."""
    kind, condim, body, weld = ints_at(type_at, n), ints_at(condim_at, n), longs_at(body_at, n), longs_at(weld_at, nbody)
    contype, conaffinity, visual = ints_at(contype_at, n), ints_at(conaffinity_at, n), bytes_at(visual_at, n)
    for i in range(n):
        if condim[i] != 1 and condim[i] != 3 and condim[i] != 4 and condim[i] != 6:
            return fault(CONDIM, i, n)
    for i in range(n):
        if kind[i] == PLANE and weld[body[i]] != 0:
            return fault(MOVING_PLANE, i, n)
        visual[i] = 1 if contype[i] == 0 and conaffinity[i] == 0 else 0
    return NO_FAULT


@stage("iiiiiii")
def size_faults(size_at, width, type_at, n, count_at, kinds):
    """reads sizes, and the number of sizes that each geom type uses.

    Check the sizes of a geom. Return NAN_SIZE, FLAT_PLANE, or FIRST_SIZE plus the index of a size that is not positive.
    """
    size, kind, count = matrix_at(size_at, n, width), ints_at(type_at, n), longs_at(count_at, kinds)
    for i in range(n):
        if size[i, 0] != size[i, 0] or size[i, 1] != size[i, 1] or size[i, 2] != size[i, 2]:
            return fault(NAN_SIZE, i, n)
    for i in range(n):
        if kind[i] == PLANE and size[i, 2] <= 0:
            return fault(FLAT_PLANE, i, n)
    for k in range(3):
        for i in range(n):
            if kind[i] != PLANE and count[kind[i]] > k and size[i, k] <= 0:
                return fault(FIRST_SIZE + k, i, n)
    return NO_FAULT


# contents of `joint_at`: addresses of joint columns, stride of vector columns, number of joints
TYPE, LIMITED, FORCED, RANGE, FORCE, AXIS, ANCHOR, REF, REST, JOINT_WIDTH, NJOINT, JOINT_PLACES = range(12)


@stage("iiiii")
def joint_faults(joint_at, limits_at, setting_at, step):
    """reads joints, whose columns `joint_at` lists; writes two rows of flags (joints with position limits, joints with force
    limits), angles in radians, unit axes.

    Free joints get no position. Returns LIMITS_UNASKED, RANGE_ORDER, BALL_RANGE, FORCES_UNASKED, FORCE_ORDER or NO_AXIS.
    """
    p = longs_at(joint_at, JOINT_PLACES)
    n, width = p[NJOINT], p[JOINT_WIDTH]
    kind, limited, forced = ints_at(p[TYPE], n), ints_at(p[LIMITED], n), ints_at(p[FORCED], n)
    span, force = matrix_at(p[RANGE], n, width), matrix_at(p[FORCE], n, width)
    axis, pos = matrix_at(p[AXIS], n, width), matrix_at(p[ANCHOR], n, width)
    ref, rest = array_at(p[REF], n), array_at(p[REST], n)
    active, setting = bytes_at(limits_at, 2 * n), array_at(setting_at, step * n + JOINT_SETTINGS)

    # set position limits
    for i in range(n):
        if kind[i] == FREE:
            limited[i] = 0
        if unasked(setting[step * i + AUTOLIMITS], i, limited[i], span):
            return fault(LIMITS_UNASKED, i, n)
        active[i] = 1 if limits(limited[i], span, i) else 0
    for i in range(n):
        if active[i] and kind[i] != BALL and span[i, 0] >= span[i, 1]:
            return fault(RANGE_ORDER, i, n)
    for i in range(n):
        if active[i] and kind[i] == BALL and span[i, 0] != 0:
            return fault(BALL_RANGE, i, n)

    # convert to radians; then force limits
    for i in range(n):
        turns = kind[i] == HINGE or kind[i] == BALL
        if active[i] and turns and setting[step * i + IN_DEGREES] != 0:
            span[i, 0] *= DEGREE
            span[i, 1] *= DEGREE
        if kind[i] == FREE or kind[i] == BALL:
            forced[i] = 0
        if unasked(setting[step * i + AUTOLIMITS], i, forced[i], force):
            return fault(FORCES_UNASKED, i, n)
        active[n + i] = 1 if limits(forced[i], force, i) else 0
    for i in range(n):
        if active[n + i] and force[i, 0] >= force[i, 1]:
            return fault(FORCE_ORDER, i, n)

    # check axes, and convert references
    for i in range(n):
        if not unit_axis(axis, i, kind[i] == FREE or kind[i] == BALL):
            return fault(NO_AXIS, i, n)
        if kind[i] == FREE:
            pos[i, 0] = pos[i, 1] = pos[i, 2] = 0.0
        if kind[i] == HINGE and setting[step * i + IN_DEGREES] != 0:
            ref[i] *= DEGREE
            rest[i] *= DEGREE
    return NO_FAULT


@inline
def limits(limited, span, i):
    """Return whether limits are active: switched on, or set to automatic and given a range."""
    return limited == ON or limited == AUTO and span[i, 0] < span[i, 1]


@inline
def unasked(automatic, i, limited, span):
    """Return whether a range is given that does not activate limits, because the attribute is not automatic."""
    return automatic == 0 and limited == AUTO and (span[i, 0] != 0 or span[i, 1] != 0)


@kernel
def unit_axis(axis, i, upright):
    """Normalize a joint's axis, or set it to z. Return False if the axis is too short to normalize."""
    if upright:
        axis[i, 0], axis[i, 1], axis[i, 2] = 0.0, 0.0, 1.0
    n = axis[i, 0] * axis[i, 0] + axis[i, 1] * axis[i, 1] + axis[i, 2] * axis[i, 2]
    if not n >= EPS:
        return False
    length = sqrt(n)
    if abs(length - 1) > EPS:
        axis[i, 0], axis[i, 1], axis[i, 2] = axis[i, 0] / length, axis[i, 1] / length, axis[i, 2] / length
    return not length < EPS


# contents of `geom_at`: addresses of geom columns, of the bodies' column `explicitinertial`, and of the results; then sizes
(
    GROUP, MASS_GIVEN, DENSITY_GIVEN, GEOM_BODY, VOLUME, EXPLICIT, MARKED, GEOM_MASS, GEOM_COUNT, BODY_COUNT, GEOM_PLACES,
) = range(11)  # fmt: skip


@stage("viii")
def geom_totals(geom_at, setting_at, step):
    """reads the geoms and bodies whose columns `geom_at` lists; writes marks (IN_GROUP, GIVES) and masses of geoms."""
    p = longs_at(geom_at, GEOM_PLACES)
    n = p[GEOM_COUNT]
    group, body, own = ints_at(p[GROUP], n), longs_at(p[GEOM_BODY], n), bytes_at(p[EXPLICIT], p[BODY_COUNT])
    mass, density, volume = array_at(p[MASS_GIVEN], n), array_at(p[DENSITY_GIVEN], n), array_at(p[VOLUME], n)
    total, mark = array_at(p[GEOM_MASS], n), bytes_at(p[MARKED], n)
    setting = array_at(setting_at, step * n + GEOM_SETTINGS)
    for i in range(n):
        inside = setting[step * i + LOWEST_GROUP] <= group[i] <= setting[step * i + HIGHEST_GROUP]
        gives = inside and body[i] > 0 and (own[body[i]] == 0 or setting[step * i + GEOM_MODE] == FROM_GEOM)
        mark[i] = (IN_GROUP if inside else 0) + (GIVES if gives else 0)
        total[i] = 0.0
        if gives:
            given = mass[i] == mass[i]
            total[i] = density[i] * volume[i] if not given else mass[i] if mass[i] != 0 and volume[i] > EPS else 0.0


@inline
def negative3(x, i):
    return x[i, 0] < 0 or x[i, 1] < 0 or x[i, 2] < 0


@stage("iiiiii")
def body_frames(place_at, setting_at, step, rule, rescued):
    """reads geoms and bodies, whose columns `place_at` lists; writes inertial frames, masses and moments of bodies.

    Inertias come from geoms where required. They are raised to the bounds in the settings, and balanced on request.
    `rule`: tolerance of principal axes; `rescued`: zero moments are allowed where a bound raises them. Returns
    NEGATIVE_GEOM (with a geom), FLAT_GEOMS, NEGATIVE_BODY or UNBALANCED (with a body).
    """
    p = longs_at(place_at, PLACES)
    ngeom, n, width, setting = p[NGEOM], p[NBODY], p[BODY_WIDTH], array_at(setting_at, step * p[NBODY] + BODY_SETTINGS)
    total, moments, mark = array_at(p[TOTAL], ngeom), matrix_at(p[MOMENTS], ngeom, 3), bytes_at(p[MARK], ngeom)
    density, given = array_at(p[DENSITY], ngeom), array_at(p[GIVEN_MASS], ngeom)

    for g in range(ngeom):
        if mark[g] & GIVES and (total[g] < 0 or negative3(moments, g) or density[g] < 0 or given[g] < 0):
            return fault(NEGATIVE_GEOM, g, max(n, ngeom))

    # compute frames from geoms, or use the ones given for bodies
    ipos, iquat, inertia, mass = (
        matrix_at(p[IPOS], n, width),
        matrix_at(p[IQUAT], n, width),
        matrix_at(p[INERTIA], n, width),
        array_at(p[MASS], n),
    )
    pos, quat = matrix_at(p[POS], n, width), matrix_at(p[QUAT], n, width)
    flat = inertia_of_geoms(p, setting, step, rule, rescued)
    if flat > 0:
        return fault(FLAT_GEOMS, flat, max(n, ngeom))
    for b in range(n):
        if ipos[b, 0] != ipos[b, 0]:
            store(ipos, b, load(pos, b, 3))
            store(iquat, b, load(quat, b, 4))
    for b in range(1, n):
        mass[b] = at_least(mass[b], setting[step * b + LEAST_MASS])
        for k in range(3):
            inertia[b, k] = at_least(inertia[b, k], setting[step * b + LEAST_INERTIA])
    for b in range(1, n):
        if mass[b] < 0 or negative3(inertia, b):
            return fault(NEGATIVE_BODY, b, max(n, ngeom))

    # check the triangle inequality of the moments
    for b in range(1, n):
        x, y, z = inertia[b, 0], inertia[b, 1], inertia[b, 2]
        if x + y < z or x + z < y or y + z < x:
            if setting[step * b + BALANCE] == 0:
                return fault(UNBALANCED, b, max(n, ngeom))
            inertia[b, 0] = inertia[b, 1] = inertia[b, 2] = (x + y + z) / 3.0
    return NO_FAULT


@inline
def at_least(value, bound):
    return bound if value < bound or bound != bound else value


# contents of `place_at`: addresses of geom columns, body columns and scratch, then sizes
(
    TOTAL,
    MOMENTS,
    MARK,
    DENSITY,
    GIVEN_MASS,
    BODY_OF,
    GEOM_POS,
    GEOM_QUAT,
    POS,
    QUAT,
    IPOS,
    IQUAT,
    INERTIA,
    MASS,
    COUNT,
    SUM,
    NGEOM,
    GEOM_WIDTH,
    NBODY,
    BODY_WIDTH,
    PLACES,
) = range(21)


@kernel
def inertia_of_geoms(p, setting, step, rule, rescued):
    """Set inertial frames of bodies that take theirs from geoms. Return the first body whose geoms have no volume, or 0."""
    ngeom, n, width, count = p[NGEOM], p[NBODY], p[BODY_WIDTH], longs_at(p[COUNT], p[NBODY])
    total, mark, body = array_at(p[TOTAL], ngeom), bytes_at(p[MARK], ngeom), longs_at(p[BODY_OF], ngeom)
    pos, ipos = matrix_at(p[GEOM_POS], ngeom, p[GEOM_WIDTH]), matrix_at(p[IPOS], n, width)
    quat, iquat = matrix_at(p[GEOM_QUAT], ngeom, p[GEOM_WIDTH]), matrix_at(p[IQUAT], n, width)
    moments, inertia, mass = matrix_at(p[MOMENTS], ngeom, 3), matrix_at(p[INERTIA], n, width), array_at(p[MASS], n)

    # number of contributing geoms of each body; -1 if the body's inertia is given
    for b in range(n):
        count[b] = 0
        wanted = (
            setting[step * b + BODY_MODE] == FROM_GEOM
            or setting[step * b + BODY_MODE] == FROM_GEOM_AUTO
            and ipos[b, 0] != ipos[b, 0]
        )
        if b == 0 or not wanted:
            count[b] = -1
    for g in range(ngeom):
        b = body[g]
        if count[b] >= 0 and mark[g] & IN_GROUP and total[g] > EPS:
            count[b] += 1

    # the inertial frame of a body with a single geom is the geom's frame
    for g in range(ngeom):
        b = body[g]
        if count[b] == 1 and mark[g] & IN_GROUP and total[g] > EPS:
            store(ipos, b, load(pos, g, 3))
            store(iquat, b, load(quat, g, 4))
            store(inertia, b, load(moments, g, 3))
            mass[b] = total[g]
    return composed(p, setting, step, rule, rescued)


@kernel
def composed(p, setting, step, rule, rescued):
    """Set the inertial frames of bodies with several geoms: center of mass, then moments about it."""
    ngeom, n, width, count, s = p[NGEOM], p[NBODY], p[BODY_WIDTH], longs_at(p[COUNT], p[NBODY]), matrix_at(p[SUM], p[NBODY], 10)
    total, mark, body = array_at(p[TOTAL], ngeom), bytes_at(p[MARK], ngeom), longs_at(p[BODY_OF], ngeom)
    pos, ipos = matrix_at(p[GEOM_POS], ngeom, p[GEOM_WIDTH]), matrix_at(p[IPOS], n, width)
    quat, iquat = matrix_at(p[GEOM_QUAT], ngeom, p[GEOM_WIDTH]), matrix_at(p[IQUAT], n, width)
    moments, inertia, mass = matrix_at(p[MOMENTS], ngeom, 3), matrix_at(p[INERTIA], n, width), array_at(p[MASS], n)

    # find the center of mass
    for b in range(n):
        for k in range(10):
            s[b, k] = 0.0
    for g in range(ngeom):
        b = body[g]
        if count[b] > 1 and mark[g] & IN_GROUP and total[g] > EPS:
            s[b, 0] += total[g]
            for k in range(3):
                s[b, 1 + k] += total[g] * pos[g, k]
    for b in range(n):
        if count[b] > 1:
            mass[b] = s[b, 0]
            for k in range(3):
                ipos[b, k] = s[b, 1 + k] / s[b, 0]

    # add up moments about it
    for g in range(ngeom):
        b = body[g]
        if count[b] > 1 and mark[g] & IN_GROUP and total[g] > EPS:
            add_geom(
                s,
                b,
                total[g],
                load(moments, g, 3),
                load(quat, g, 4),
                (pos[g, 0] - ipos[b, 0], pos[g, 1] - ipos[b, 1], pos[g, 2] - ipos[b, 2]),
            )

    # find the principal axes
    flat = 0
    for b in range(n - 1, 0, -1):
        if count[b] > 1:
            found = axes_of((s[b, 4], s[b, 5], s[b, 6], s[b, 7], s[b, 8], s[b, 9]), rule)
            store(inertia, b, (found[0], found[1], found[2]))
            store(iquat, b, (found[3], found[4], found[5], found[6]))
            if found[2] < (-EPS if rescued and setting[step * b + LEAST_INERTIA] > 0 else EPS):
                flat = b
    return flat


@kernel
def add_geom(s, b, mass, moments, quat, d):
    """Add a geom's inertia to its body's sum (xx, yy, zz, xy, xz, yz): first the geom's own inertia, then the part due to the
    geom's offset."""

    # add the rotated principal moments, m diag(moments) m^T
    w, x, y, z = quat
    m = (
        w * w + x * x - y * y - z * z,
        2 * (x * y - w * z),
        2 * (x * z + w * y),
        2 * (x * y + w * z),
        w * w - x * x + y * y - z * z,
        2 * (y * z - w * x),
        2 * (x * z - w * y),
        2 * (y * z + w * x),
        w * w - x * x - y * y + z * z,
    )
    t = (
        m[0] * moments[0],
        m[1] * moments[1],
        m[2] * moments[2],
        m[3] * moments[0],
        m[4] * moments[1],
        m[5] * moments[2],
        m[6] * moments[0],
        m[7] * moments[1],
        m[8] * moments[2],
    )

    s[b, 4] += m[0] * t[0] + m[1] * t[1] + m[2] * t[2]
    s[b, 5] += m[3] * t[3] + m[4] * t[4] + m[5] * t[5]
    s[b, 6] += m[6] * t[6] + m[7] * t[7] + m[8] * t[8]
    s[b, 7] += m[0] * t[3] + m[1] * t[4] + m[2] * t[5]
    s[b, 8] += m[0] * t[6] + m[1] * t[7] + m[2] * t[8]
    s[b, 9] += m[3] * t[6] + m[4] * t[7] + m[5] * t[8]

    # add the part due to the offset (parallel axis theorem)
    x, y, z = d
    s[b, 4] += mass * (y * y + z * z)
    s[b, 5] += mass * (x * x + z * z)
    s[b, 6] += mass * (x * x + y * y)
    s[b, 7] += -mass * x * y
    s[b, 8] += -mass * x * z
    s[b, 9] += -mass * y * z


# contents of `touch_at`: addresses of geom columns and of body columns, then sizes
(
    TOUCH_BODY, CONTYPE, CONAFFINITY, MARGIN, GAP, BODY_BITS, BODY_AFFINITY, BODY_MARGIN, TOUCH_GEOMS, TOUCH_BODIES,
    TOUCH_PLACES,
) = range(11)  # fmt: skip


@stage("vii")
def collect_geoms(touch_at, outside):
    """reads the geoms whose columns `touch_at` lists; writes contact bits and margins of bodies from all of their geoms.

    `outside`: whether gaps are added to margins.
    """
    p = longs_at(touch_at, TOUCH_PLACES)
    n, nbody = p[TOUCH_GEOMS], p[TOUCH_BODIES]
    body, contype, conaffinity = longs_at(p[TOUCH_BODY], n), ints_at(p[CONTYPE], n), ints_at(p[CONAFFINITY], n)
    margin, gap, most = array_at(p[MARGIN], n), array_at(p[GAP], n), array_at(p[BODY_MARGIN], nbody)
    bits, affinity = longs_at(p[BODY_BITS], nbody), longs_at(p[BODY_AFFINITY], nbody)
    for b in range(nbody):
        bits[b] = affinity[b] = 0
        most[b] = 0.0
    for i in range(n):
        b, far = body[i], margin[i] + gap[i] if outside else margin[i]
        bits[b] |= contype[i]
        affinity[b] |= conaffinity[i]
        if far > most[b] or far != far:
            most[b] = far


@stage("viii")
def unit_quats(quat_at, width, n):
    """reads and writes quaternions, normalized; a quaternion too short to normalize is unchanged."""
    quat = matrix_at(quat_at, n, width)
    for i in range(n):
        store(quat, i, unit_or_same4(load(quat, i, 4)))


# number of values in a pose: position, quaternion
POSE = 7


@stage("viii")
def world_poses(parent_at, pose_at, n):
    """reads parents of bodies, which precede them; writes poses: converts them from the parents' frames to the world."""
    parent, pose = longs_at(parent_at, n), array_at(pose_at, POSE * n)
    for b in range(1, n):
        up, at = POSE * parent[b], POSE * b
        quat = load(pose, up + 3, 4)
        store(pose, at, add3(load(pose, up, 3), mat_vec3(quat_mat(quat), load(pose, at, 3))))
        store(pose, at + 3, unit_or_same4(quat_mul(quat, load(pose, at + 3, 4))))
