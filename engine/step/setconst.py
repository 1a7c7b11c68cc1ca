"""Derived fields of a Model: masses of subtrees, quantities at qpos0 and qpos_spring, statistics."""

import contextlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..core.data import MjData
from ..core.model import MjModel
from ..core.stages import call
from ..tables import actuator_rows
from ..tables.compat_rows import holds
from ..tables.consts import mjMINVAL
from ..tables.enums import mjtCamLight, mjtEnableBit, mjtEq, mjtObj, mjtSleepPolicy
from .reset import FULLY_AWAKE
from .shapes import shapes

CONNECT, WELD = int(mjtEq["mjEQ_CONNECT"]), int(mjtEq["mjEQ_WELD"])
FIXED = int(mjtCamLight.mjCAMLIGHT_FIXED)
SLEEP = int(mjtEnableBit.mjENBL_SLEEP)
AUTO, AUTO_NEVER, AUTO_ALLOWED = (int(mjtSleepPolicy[f"mjSLEEP_{n}"]) for n in ("AUTO", "AUTO_NEVER", "AUTO_ALLOWED"))
SEEN = ("cam_xpos", "cam_xmat", "light_xpos", "light_xdir")
# columns of eq_data that contain a weld's relative orientation
RELATIVE_TURN = slice(6, 10)
# (count, field, temporary value) of fields that `plain` sets while constants are computed: camera and light modes, flex_rigid
PLAIN = (("ncam", "cam_mode", FIXED), ("nlight", "light_mode", FIXED), ("nflex", "flex_rigid", 0))


def set_const(m: MjModel, d: MjData | None = None, compiling: bool = False) -> None:
    """Recompute the derived fields of a Model, for example after changing masses, poses or limits.

    d is scratch and ends in configuration qpos_spring; if it is omitted, a Data is made. `compiling` also computes fields that
    only the compiler sets in later MuJoCo releases.
    """
    d = d or MjData(m)
    if holds("const_wide", m.compat_bits) and not compiling:
        with awake(m, d):
            later_constants(m, d)
        return
    trees(m, d)
    if m.ncam or m.nlight or m.nflex:
        with plain(m):
            call("reference_constants", m, d)
    else:
        call("reference_constants", m, d)
    equality_anchors(m, d)
    if m.nactuator:
        damping_ratios(m, d)
    call("spring_constants", m, d)


def trees(m: MjModel, d: MjData) -> None:
    """Compute the constants that depend only on the tree. ValueError if a tree should sleep although a tendon keeps it
    awake."""
    m.storage.integers[m.schema.size_slot["ngravcomp"]] = int(np.count_nonzero(m.array("body_gravcomp") > 0))
    tied = call("tree_constants", m, d)
    if tied >= 0:
        tendon, tree = divmod(tied, m.ntree)
        why = "which spans more than 2 trees" if m.tendon_treenum[tendon] > 2 else "with non-zero stiffness or damping"
        raise ValueError(f"tree {tree} connected to tendon {tendon} {why}, sleeping not allowed")


def later_constants(m: MjModel, d: MjData) -> None:
    """Recompute the constants that mj_setConst recomputes since MuJoCo 3.17. They include those that depend on sizes and poses
    of geoms, but not statistics, damping ratios and spring lengths.
    """
    kept = [
        m.stat.meaninertia,
        m.stat.meanmass,
        m.stat.meansize,
        m.stat.extent,
        m.stat.center.copy(),
        m.tendon_lengthspring.copy(),
    ]

    policy = m.tree_sleep_policy
    policy[(policy == AUTO_NEVER) | (policy == AUTO_ALLOWED)] = AUTO
    trees(m, d)
    shapes(m)
    call("shape_constants", m, d)

    # Save the poses of cameras and lights, which `plain` would change, and restore them afterwards.
    seen = {name: getattr(d, name).copy() for name in SEEN}
    with plain(m):
        call("reference_constants", m, d)
    for name, value in seen.items():
        getattr(d, name)[:] = value

    for e in np.flatnonzero(m.eq_relative):
        m.eq_data[e, RELATIVE_TURN] = 0
    equality_anchors(m, d)
    call("spring_constants", m, d)
    m.stat.meaninertia, m.stat.meanmass, m.stat.meansize, m.stat.extent, m.stat.center[:], m.tendon_lengthspring[:] = kept


@contextlib.contextmanager
def awake(m: MjModel, d: MjData) -> Iterator[None]:
    """Disable sleep temporarily. Afterwards, all trees are awake."""
    flags = m.opt.enableflags
    m.opt.enableflags &= ~SLEEP
    try:
        yield
    finally:
        m.opt.enableflags = flags
        d.tree_asleep[:] = FULLY_AWAKE


@contextlib.contextmanager
def plain(m: MjModel) -> Iterator[None]:
    """Temporarily fix cameras and lights to their bodies, and make all flexes deformable."""
    saved = [
        (x, x.copy(), value) for x, value in ((getattr(m, field), value) for size, field, value in PLAIN if getattr(m, size))
    ]
    for x, _, value in saved:
        x[:] = value
    try:
        yield
    finally:
        for x, values, _ in saved:
            x[:] = values


def equality_anchors(m: MjModel, d: MjData) -> None:
    """Set the eq_data that the user did not specify: anchors and relative poses at qpos0."""
    for e in range(m.neq):
        a, b = m.eq_obj1id[e], m.eq_obj2id[e]
        data, bodies = m.eq_data[e], m.eq_objtype[e] == mjtObj.mjOBJ_BODY
        if m.eq_type[e] == CONNECT:
            if not bodies:
                data[:] = 0
                continue
            data[3:6] = move_anchor(d, a, b, data[:3])
        elif m.eq_type[e] == WELD and bodies:
            if data[6:10].any():
                data[6:10] /= max(np.linalg.norm(data[6:10]), mjMINVAL)
                continue
            data[3:6] = move_anchor(d, b, a, data[:3])
            data[6:10] = relative_turn(d.xquat[a], d.xquat[b])


def operational_inertia(m: MjModel, d: MjData, rows: Any) -> float:
    """Return the inertia 1 / (J inv(M) J') of an actuator with moment rows J. If there are several rows, return the harmonic
    mean."""
    M, J = np.zeros((m.nv, m.nv)), np.zeros((len(rows), m.nv))
    for k, o in enumerate(rows):
        span = slice(d.moment_rowadr[o], d.moment_rowadr[o] + d.moment_rownnz[o])
        J[k, d.moment_colind[span]] = d.actuator_moment[span]
    for i in range(m.nv):
        row = slice(m.M_rowadr[i], m.M_rowadr[i] + m.M_rownnz[i])
        M[i, m.M_colind[row]] = M[m.M_colind[row], i] = d.M[row]
    return len(rows) / max(mjMINVAL, float((J * np.linalg.solve(M, J.T).T).sum()))


def diagonal_inertia(m: MjModel, d: MjData, o: int) -> float:
    """Return the inertia of actuator output o as MuJoCo before 3.15 computes it: from the diagonal of M at the dofs in its
    moment."""
    span = slice(d.moment_rowadr[o], d.moment_rowadr[o] + d.moment_rownnz[o])
    squared = np.abs(d.actuator_moment[span]) ** 2
    used = squared > mjMINVAL
    return (m.dof_M0[d.moment_colind[span]][used] / squared[used]).sum()


def move_anchor(d: MjData, source: Any, target: Any, point: Any) -> np.ndarray:
    """Convert a point from one body's frame to another's.

    Sums are written out to fix their order, because the forces of a stiff constraint at rest consist only of rounding errors.
    """
    place = (d.xmat[source].reshape(3, 3) * point).sum(1) + d.xpos[source]
    return (d.xmat[target].reshape(3, 3).T * (place - d.xpos[target])).sum(1)


def relative_turn(a: Any, b: Any) -> tuple[float, float, float, float]:
    """Return conjugate(a) * b."""
    w, x, y, z = a[0], -a[1], -a[2], -a[3]
    return (
        w * b[0] - x * b[1] - y * b[2] - z * b[3],
        w * b[1] + x * b[0] + y * b[3] - z * b[2],
        w * b[2] - x * b[3] + y * b[0] + z * b[1],
        w * b[3] + x * b[2] - y * b[1] + z * b[0],
    )


def damping_ratios(m: MjModel, d: MjData) -> None:
    """Convert damping ratios of position actuators (a positive third biasprm) to damping, using the reflected inertia."""
    gain, bias = m.actuator_gainprm, m.actuator_biasprm
    ratio, always, servo = (actuator_rows.among(m, "gain", *x) for x in (["ratio"], ["always_ratio"], actuator_rows.SEVERAL))

    for k in np.flatnonzero(((gain[:, 0] == -bias[:, 1]) & ratio | always) & (bias[:, 2] > 0)):
        rows = range(m.actuator_outadr[k], m.actuator_outadr[k] + m.actuator_outnum[k])
        exact = holds("dampratio_all", m.compat_bits) or servo[k]
        mass = operational_inertia(m, d, rows) if exact else diagonal_inertia(m, d, rows[0])
        bias[k, 2] = -(bias[k, 2] * 2 * np.sqrt(-bias[k, 1] * mass))
