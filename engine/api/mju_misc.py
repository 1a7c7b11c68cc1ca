"""mju_*: muscles, friction pyramids, scalars, sorting, sparse matrices, conversions, strings, printing."""

import random
from collections.abc import Sequence
from math import ceil, cos, exp, floor, inf, log, sin, sqrt
from typing import Any

import numpy as np

from ..core import report
from ..machine.interpret import plain
from ..math import curves
from ..tables.compat_rows import FIRST, begun, bits, holds
from ..tables.consts import mjMAXVAL, mjMINVAL
from ..tables.enums import mjtObj
from .signature import public, require

_smooth, _length, _speed, _stretch = map(
    plain, (curves.smooth_step, curves.muscle_length_curve, curves.muscle_velocity_curve, curves.muscle_passive_curve)
)


# ---- muscles -----------------------------------------------------------------------------------------------------------
def _muscle(length: float, lengthrange: Sequence[float], acc0: float, prm: Sequence[float]) -> tuple[float, float, float]:
    """Return (peak force, optimal length, normalized length) of a muscle."""
    low, high, force, scale = prm[:4]
    peak = scale / max(mjMINVAL, acc0) if force < 0 else force
    optimum = (lengthrange[1] - lengthrange[0]) / max(mjMINVAL, high - low)
    return peak, optimum, low + (length - lengthrange[0]) / max(mjMINVAL, optimum)


@public("len:f vel:f lengthrange:T2 acc0:f prm:T9", "float")
def mju_muscleGain(length, vel, lengthrange, acc0, prm):
    """Return a muscle's active force at full activation; prm = (range (2), force, scale, lmin, lmax, vmax, fpmax, fvmax)."""
    peak, optimum, at = _muscle(length, lengthrange, acc0, prm)
    speed = vel / max(mjMINVAL, optimum * prm[6])
    return -peak * _length(at, prm[4], prm[5]) * _speed(speed, prm[8])


@public("len:f lengthrange:T2 acc0:f prm:T9", "float")
def mju_muscleBias(length, lengthrange, acc0, prm):
    """Return a muscle's passive force; prm as in mju_muscleGain."""
    peak, _, at = _muscle(length, lengthrange, acc0, prm)
    return -peak * prm[7] * _stretch(at, prm[5])


@public("ctrl:f act:f prm:T3", "float")
def mju_muscleDynamics(ctrl, act, prm):
    """Return the time derivative of a muscle's activation; prm = (activation time, deactivation time, smoothing width)."""
    unit = 0.5 + 1.5 * min(max(act, 0.0), 1.0)
    rise, fall, width = prm[0] * unit, prm[1] / unit, prm[2]
    excess = min(max(ctrl, 0.0), 1.0) - act
    if width < mjMINVAL:
        tau = rise if excess > 0 else fall
    else:
        tau = fall + (rise - fall) * _smooth(excess / width + 0.5)
    return excess / max(mjMINVAL, tau)


# ---- friction pyramids -----------------------------------------------------------------------------------------------
def _pyramid_sizes(pyramid: np.ndarray, force: np.ndarray, mu: np.ndarray) -> None:
    """Raise TypeError unless the sizes of pyramid, force and mu agree."""
    require(pyramid.size == 2 * mu.size, "size of pyramid should be twice as large as size of mu")
    require(force.size == mu.size + 1, "size of force should be exactly one larger than size of mu")


@public("pyramid:V(2n)! force:V(n+1) mu:V(n)")
def mju_encodePyramid(pyramid, force, mu):
    """Set pyramid to edge forces whose sum is a contact force."""
    _pyramid_sizes(pyramid, force, mu)
    # as in MuJoCo's Python interface, the last friction direction is not converted
    count = mu.size - 1
    with np.errstate(all="ignore"):
        normal = force[0] / np.float64(count)
        side = np.minimum(normal, force[1 : count + 1] / mu[:count])
    pyramid[0 : 2 * count : 2], pyramid[1 : 2 * count : 2] = 0.5 * (normal + side), 0.5 * (normal - side)


@public("force:V(n+1)! pyramid:V(2n) mu:V(n)")
def mju_decodePyramid(force, pyramid, mu):
    """Set force to the contact force that pyramid edge forces add up to."""
    _pyramid_sizes(pyramid, force, mu)
    if mu.size == 1:
        force[0] = pyramid[0]
        return
    # see mju_encodePyramid
    count = max(mu.size - 1, 0)
    force[0] = pyramid[: 2 * count].sum()
    force[1 : count + 1] = (pyramid[0 : 2 * count : 2] - pyramid[1 : 2 * count : 2]) * mu[:count]


@public("pos0:f vel0:f Kp:f Kv:f dt:f", "float")
def mju_springDamper(pos0, vel0, Kp, Kv, dt):
    """Return the position after time dt of a unit mass on a spring and damper.

    pos0, vel0: position and velocity at time 0
    Kp, Kv: stiffness and damping
    dt: in seconds
    """
    root, decay = Kv * Kv - 4 * Kp, -Kv / 2
    try:
        if root > mjMINVAL:
            w = sqrt(root) / 2
            slow, fast = decay + w, decay - w
            return (pos0 * fast - vel0) / (fast - slow) * exp(slow * dt) + (pos0 * slow - vel0) / (slow - fast) * exp(fast * dt)
        rate = vel0 - decay * pos0
        if root >= -mjMINVAL:
            return exp(decay * dt) * (pos0 + rate * dt)
        w = sqrt(-root) / 2
        return exp(decay * dt) * (pos0 * cos(w * dt) + rate / w * sin(w * dt))
    except OverflowError:
        return inf


# ---- scalars -------------------------------------------------------------------------------------------------------------
@public("a:f b:f", "float")
def mju_min(a, b):
    """Return the smaller number."""
    return a if a <= b else b


@public("a:f b:f", "float")
def mju_max(a, b):
    """Return the larger number."""
    return a if a >= b else b


@public("x:f min:f max:f", "float")
def mju_clip(x, low, high):
    """Return x clamped to the range from min to max."""
    return low if x < low else high if x > high else x


@public("x:f", "float")
def mju_sign(x):
    """Return -1, 0 or 1."""
    return -1.0 if x < 0 else 1.0 if x > 0 else 0.0


@public("x:f", "int")
def mju_round(x):
    """Return the nearest integer, rounding halves up; away from zero if `tumble.compat` is 3.11 or later."""
    if not -(2.0**31) < x < 2.0**31:
        return -(2**31)
    if x < 0 and holds("round_away", bits(begun() or FIRST)):
        return -floor(0.5 - x)
    low = floor(x)
    return low if x - low < ceil(x) - x else ceil(x)


@public("x:f", "int")
def mju_isBad(x):
    """Return 1 if x is NaN or its absolute value is above mjMAXVAL."""
    return int(not -mjMAXVAL <= x <= mjMAXVAL)


@public("vec:V!", "int")
def mju_isZero(vec):
    """Return 1 if all elements are 0."""
    return int(not vec.any())


@public("x:f", "float")
def mju_sigmoid(x):
    """Return a quintic that rises from 0 at 0 to 1 at 1, with zero first and second derivatives at both ends."""
    return float(_smooth(x))


@public("index:i base:i", "float")
def mju_Halton(index, base):
    """Return an element of a Halton sequence."""
    require(base > 1 or index <= 0, "base should be at least 2")
    part, total = 1.0 / base if base else inf, 0.0
    while index > 0:
        index, digit = divmod(index, base)
        total += part * digit
        part /= base
    return total


_RANDOM = random.Random(1)


@public("num2:o?=None", "float")
def mju_standardNormal(num2=None):
    """Return a random number from the standard normal distribution.

    num2: float64 (1), written: a second random number; a number or None is ignored
    """
    x, y = _RANDOM.random(), _RANDOM.random()
    size = sqrt(-2 * log(1 - x))
    if isinstance(num2, np.ndarray) and num2.size:
        num2.flat[0] = size * sin(2 * np.pi * y)
    elif num2 is not None and not isinstance(num2, (int, float)):
        raise TypeError(f"mju_standardNormal(): num2 needs None, a number or an array, got {type(num2).__name__}")
    return size * cos(2 * np.pi * y)


# ---- arrays ----------------------------------------------------------------------------------------------------------
@public("list:V!")
def mju_insertionSort(values):
    """Sort in place, smallest first."""
    values.sort(kind="stable")


@public("list:Vi!")
def mju_insertionSortInt(values):
    """Sort in place, smallest first."""
    values.sort(kind="stable")


def _conversion(name: str, spec: str, doc: str) -> Any:
    """Return a function that converts vec to the type of res."""

    def convert(res: Any, vec: Any) -> None:
        require(res.size == vec.size, "res and vec should have the same size")
        res[:] = vec

    convert.__name__ = convert.__qualname__ = name
    convert.__doc__ = doc
    return public(spec)(convert)


mju_f2n = _conversion("mju_f2n", "res:V! vec:Vf", "Set res = vec, float32 to float64.")
mju_n2f = _conversion("mju_n2f", "res:Vf! vec:V", "Set res = vec, float64 to float32.")
mju_d2n = _conversion("mju_d2n", "res:V! vec:V", "Set res = vec.")
mju_n2d = _conversion("mju_n2d", "res:V! vec:V", "Set res = vec.")


# ---- sparse matrices ---------------------------------------------------------------------------------------------------
@public("res:V(nnz)! mat:M(nr,nc) rownnz:Vi(nr)! rowadr:Vi(nr)! colind:Vi(nnz)!", "int")
def mju_dense2sparse(res, mat, rownnz, rowadr, colind):
    """Store mat in compressed rows; return 0, or 1 if res is too short."""
    require(rownnz.size == len(mat), "#rows in mat should equal size of rownnz")
    require(rowadr.size == len(mat), "#rows in mat should equal size of rowadr")
    require(res.size == colind.size, "#size of res should equal size of colind")
    rows, columns = np.nonzero(mat)
    if not res.size or rows.size > res.size:
        return int(not res.size or rows.size > res.size)
    rownnz[:] = np.bincount(rows, minlength=len(mat))
    rowadr[:] = np.concatenate([[0], np.cumsum(rownnz)[:-1]])[: len(mat)]
    colind[: rows.size], res[: rows.size] = columns, mat[rows, columns]
    return 0


def _row_numbers(rownnz: np.ndarray, rowadr: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (row, position) of every stored element."""
    rows = np.repeat(np.arange(rownnz.size), np.maximum(rownnz, 0))
    start = np.repeat(rowadr, np.maximum(rownnz, 0)).astype(np.int64)
    ends = np.cumsum(np.maximum(rownnz, 0))
    return rows, start + np.arange(rows.size) - np.repeat(ends - np.maximum(rownnz, 0), np.maximum(rownnz, 0))


@public("res:M(nr,nc)! mat:V(nnz) rownnz:Vi(nr) rowadr:Vi(nr) colind:Vi(nnz)")
def mju_sparse2dense(res, mat, rownnz, rowadr, colind):
    """Set res to the matrix stored in compressed rows."""
    require(len(res) == rownnz.size, "#rows in res should equal size of rownnz")
    require(len(res) == rowadr.size, "#rows in res should equal size of rowadr")
    # check the longest row first, before lists of that length are made
    require(not rownnz.size or rownnz.max() <= min(mat.size, colind.size), "rows and columns should lie within res and mat")
    rows, at = _row_numbers(rownnz, rowadr)
    inside = not at.size or 0 <= at.min() and at.max() < min(mat.size, colind.size)
    require(
        inside and (not at.size or 0 <= colind[at].min() and colind[at].max() < res.shape[1]),
        "rows and columns should lie within res and mat",
    )
    res[:] = 0
    res[rows, colind[at]] = mat[at]


# ---- texts and printing --------------------------------------------------------------------------------------------------
_TYPE_NAMES = {
    int(t): t.name[6:].lower() for t in mjtObj if t.name not in ("mjOBJ_UNKNOWN", "mjNOBJECT", "mjOBJ_DEFAULT", "mjOBJ_MODEL")
}


@public("type:i", "str")
def mju_type2Str(kind):
    """Return the name of an object type (mjtObj), or None."""
    return _TYPE_NAMES.get(kind)


@public("str:s", "int")
def mju_str2Type(text):
    """Return the object type (mjtObj) with a name; 0 if there is none."""
    return next((t for t, name in _TYPE_NAMES.items() if name == text), 0)


@public("nbytes:z", "str")
def mju_writeNumBytes(nbytes):
    """Return a number of bytes as text, with a suffix if it is a whole number of units."""
    return report.bytes_text(nbytes)


@public("warning:i info:z", "str")
def mju_warningText(warning, info):
    """Return the text of a warning (mjtWarning) about an element or size."""
    return report.warning_text(warning, info)


@public("type:s msg:s")
def mju_writeLog(kind, msg):
    """Append a message to the log file."""
    report.write_log(kind, msg)


@public("mat:M(nr,nc)")
def mju_printMat(mat):
    """Print a matrix."""
    print("".join("".join(f"{x:.8f} " for x in row) + "\n" for row in mat))


@public("mat:V(nnz) rownnz:Vi(nr) rowadr:Vi(nr) colind:Vi(nnz)")
def mju_printMatSparse(mat, rownnz, rowadr, colind):
    """Print the stored elements of a matrix in compressed rows."""
    require(rownnz.size == rowadr.size, "size of rownnz should equal size of rowadr")
    end = int(rownnz[-1] + rowadr[-1]) if rownnz.size else 0
    require(mat.size == end, "size of mat should equal rownnz[-1] + rowadr[-1]")
    require(colind.size == end, "size of colind should equal rownnz[-1] + rowadr[-1]")
    for r, (start, count) in enumerate(zip(rowadr.tolist(), rownnz.tolist(), strict=True)):
        print("".join(f"({r} {colind[a]}): {mat[a]:9.6f}  " for a in range(max(0, start), min(start + count, mat.size))))
    print()


__all__ = [n for n in dir() if n.startswith("mju_")]
