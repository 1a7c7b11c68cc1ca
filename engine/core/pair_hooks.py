"""User collision functions: a function for a pair of geom types replaces the built-in one.

A Python function gets (MjModel, MjData, geom1, geom2, margin), where geom1 has the lower type. It returns None or an array of
contacts: (n, 7) with rows (distance, position, normal), or (n, 10) with rows (distance, position, normal, tangent), in meters
and world coordinates. Distances are negative in penetration, normals are unit vectors from geom1 to geom2, and a tangent
suggests the second axis of the contact frame. The function is called only for geoms that pass all filters and whose bounding
spheres, widened by the margin, overlap.

A compiled function (a stage of signature "iMDiif", a numba cfunc, a ctypes pointer, an address) gets the addresses of both
headers, the geoms and the margin, fills `manifold` of Data as described in `engine.collide.manifold`, and returns the
number of rows. It runs without the interpreter lock.
"""

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np

from ..tables import stage_rows
from ..tables.consts import mjMAXCONPAIR
from ..tables.enums import mjtGeom
from ..tables.geom_rows import BY_NUMBER
from ..tables.values import read_integer
from . import hooks, stages

KIND = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * 4, ctypes.c_double)
FAILED = -1  # a function that returns this number of rows stops the step
_SET: dict[int, tuple] = {}


def _key(type1: Any, type2: Any) -> int:
    """Return the row of the stage table for two geom types in either order."""
    low, high = sorted(read_integer(t) for t in (type1, type2))
    if {low, high} - {*BY_NUMBER}:
        raise ValueError(
            f"geom types are 0 to {mjtGeom.mjNGEOMTYPES - 1} (mjGEOM_PLANE to mjGEOM_SDF) or new, not {type1!r} and {type2!r}"
        )
    return stage_rows.USER_PAIRS + stage_rows.GEOM_TYPES * low + high


def _contacts(found: Any, names: str) -> np.ndarray:
    """Return a Python function's result as an array of contacts. ValueError if the result is not such an array."""
    rows = np.asarray([] if found is None else found, float)
    if rows.size == 0:
        return np.zeros((0, 10))
    if rows.ndim != 2 or rows.shape[1] not in (7, 10) or not np.isfinite(rows).all():
        raise ValueError(
            f"collision function of {names}: contacts must be finite rows of 7 or 10 numbers (distance, position, normal"
            f"[, tangent]), got an array of shape {rows.shape}"
        )
    if len(rows) > mjMAXCONPAIR:
        raise ValueError(
            f"collision function of {names}: {len(rows)} contacts, but a pair of geoms can have at most {mjMAXCONPAIR}"
        )
    return rows


def _entry(function: Callable[..., Any], names: str) -> Callable[..., Any]:
    """Return a function that takes addresses, calls a Python collision function and writes the resulting contacts to
    `manifold`."""

    def answer(m: int, d: int, geom1: int, geom2: int, margin: float) -> int:
        data = hooks.live(d)
        rows = _contacts(function(hooks.live(m), data, geom1, geom2, margin), names)
        manifold = data.array("manifold").reshape(mjMAXCONPAIR, -1)
        manifold[: len(rows)] = 0
        manifold[: len(rows), : rows.shape[1]] = rows
        return len(rows)

    return lambda m, d, geom1, geom2, margin: hooks.guard(lambda: answer(m, d, geom1, geom2, margin), d, FAILED)


def set_pair_function(type1: Any, type2: Any, function: Any) -> None:
    """Install a collision function for a pair of geom types; None restores the built-in function."""
    key = _key(type1, type2)
    names = " and ".join(mjtGeom(t).name for t in sorted((int(type1), int(type2))))
    kept, address = hooks.machine_code(function, lambda: KIND(_entry(function, names)))
    # a thread may be executing the old function: free it only after the new one is installed
    old = _SET.pop(key, None)
    stages.TABLE[key] = address
    if function is not None:
        _SET[key] = (function, kept)
    del old


def get_pair_function(type1: Any, type2: Any) -> Any:
    """Return the function that the user set for a pair of geom types, or None."""
    return _SET.get(_key(type1, type2), (None,))[0]


def reset_pair_functions() -> None:
    """Restore the built-in functions of all pairs."""
    for key in list(_SET):
        stages.TABLE[key] = 0
        del _SET[key]
