"""Custom data that only user programs read (tuples and numerics), and keyframes.

adds   numeric: length; tuple: objid
"""

import math

import numpy as np

from ...core.model import MjModel
from ..elements.elements import compile_error
from ..language.arrays import normalize, true_rows
from ..language.types import FREE, OBJ_GEOM, SLIDE
from .resolve import Compilation
from .servos import neutral_controls


def tuples(c: Compilation) -> None:
    """Look up the object ids of tuples."""
    t = c.tuple
    t.objid = []
    for i, e in enumerate(t.elems):
        types, names, prms = t.objtype[i], t.objname[i], t.objprm[i]
        if not len(types):
            raise compile_error(e, "the tuple is empty")
        if not len(types) == len(names) == len(prms):
            raise compile_error(e, "the lists of the tuple have different lengths")
        ids = [c.need_type(int(k), n, e, "objname") for k, n in zip(types, names)]
        for k, g in zip(types, ids):
            if k == OBJ_GEOM:
                c.geom.visual[g] = False
        t.objid.append(ids)


def numerics(c: Compilation) -> None:
    """Set the lengths of numerics. Raise an error if `size` is less than the length of `data`, or if the length is zero."""
    for e in c.numeric.elems:
        n, size = len(e.raw["data"]), e.raw["size"]
        if size and n > size:
            raise compile_error(e, f"{n} numbers given, size is {size}")
        if not size and not n:
            raise compile_error(e, "the size cannot be zero")
    c.numeric.length = [e.raw["size"] or len(e.raw["data"]) for e in c.numeric.elems]


def keys(c: Compilation, m: MjModel) -> None:
    """Write keyframes into the model; missing vectors are taken from the model's initial state."""

    # vectors with their widths and defaults
    k = c.key
    if not k.n:
        return
    nmocap = m.nmocap
    mocap = true_rows(m.body_mocapid >= 0)
    sizes = (
        ("qpos", m.nq, m.qpos0),
        ("qvel", m.nv, 0.0),
        ("act", m.na, 0.0),
        ("ctrl", m.nu, neutral_controls(m)),
        ("plastic", m.nplastic, np.nan),
        ("mpos", 3 * nmocap, m.body_pos[mocap].ravel()),
        ("mquat", 4 * nmocap, m.body_quat[mocap].ravel()),
    )

    m.key_time[:] = [raw["time"] for raw in k.raws]
    for name, n, default in sizes:
        rows = m.peek("key_" + name).reshape(k.n, n)
        rows[:] = default
        for row, e in zip(rows, k.elems):
            values = e.raw[name]
            if len(values) == 0:
                continue
            if len(values) != n:
                raise compile_error(e, f"{name} has {len(values)} numbers, {n} expected")
            # NaN marks values that a keyframe does not set, see keyframes.store
            if math.isnan(sum(values)):
                values = np.where(np.isnan(values), default, values)
                e.raw[name] = tuple(values.tolist())
            row[:] = values

    # normalize the quaternions of joints and mocap bodies
    for j in true_rows(m.jnt_type < SLIDE):
        a = int(m.jnt_qposadr[j]) + (3 if m.jnt_type[j] == FREE else 0)
        m.key_qpos[:, a : a + 4] = unit_rows(m.key_qpos[:, a : a + 4])
    for j in range(nmocap):
        part = m.key_mquat[:, 4 * j : 4 * j + 4] if m.key_mquat.ndim == 2 else m.key_mquat[:, j]
        part[...] = unit_rows(part)


def rest_keys(m: MjModel) -> None:
    """Fill in the plastic state of keyframes that lack it: the rest positions of springs that can yield."""
    if m.nkey and m.nplastic:
        m.key_plastic[...] = np.where(np.isnan(m.key_plastic), resting(m), m.key_plastic)


def resting(m: MjModel) -> np.ndarray:
    """Return the initial plastic state: rest positions of joint springs that can yield, then of tendon springs."""
    joints = [m.qpos_spring[a : a + n] for a, n in zip(m.jnt_qposadr.tolist(), m.jnt_plasticnum.tolist(), strict=True) if n]
    return np.concatenate([*joints, m.tendon_lengthspring[m.tendon_plasticnum > 0].ravel()])


def unit_rows(q: np.ndarray) -> np.ndarray:
    """Return normalized quaternions (one in each row); zeros become the unit quaternion."""
    q, length = normalize(np.array(q))
    q[length == 0] = (1.0, 0.0, 0.0, 0.0)
    return q
