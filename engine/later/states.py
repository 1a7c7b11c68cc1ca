"""Packed states of the newest MuJoCo release, in which histories and plastic states are separate components."""

from typing import Any

import numpy as np

from ..core.report import FatalError
from ..tables.face_rows import MEMBERS
from .faces import plain

# {component: field of Data}; in the engine, three of these fields are parts of plugin_state
FIELDS = {
    "TIME": "time",
    "QPOS": "qpos",
    "QVEL": "qvel",
    "ACT": "act",
    "HISTORY": "history",
    "WARMSTART": "qacc_warmstart",
    "CTRL": "ctrl",
    "QFRC_APPLIED": "qfrc_applied",
    "XFRC_APPLIED": "xfrc_applied",
    "EQ_ACTIVE": "eq_active",
    "MOCAP_POS": "mocap_pos",
    "MOCAP_QUAT": "mocap_quat",
    "USERDATA": "userdata",
    "PLUGIN": "plugin_state",
    "PLASTIC": "plastic",
}
COMPONENTS = [(MEMBERS["mjtState"][f"mjSTATE_{name}"], field) for name, field in FIELDS.items()]
END = 1 << MEMBERS["mjtState"]["mjNSTATE"]
SIZES = {
    "qpos": ("nq",),
    "qvel": ("nv",),
    "act": ("na",),
    "qacc_warmstart": ("nv",),
    "ctrl": ("nu",),
    "qfrc_applied": ("nv",),
    "xfrc_applied": ("nbody", 6),
    "eq_active": ("neq",),
    "mocap_pos": ("nmocap", 3),
    "mocap_quat": ("nmocap", 4),
    "userdata": ("nuserdata",),
    "history": ("nhistory",),
    "plastic": ("nplastic",),
}


def _size(m: Any, field: str) -> int:
    """Return the number of elements of a component, given its field."""
    if field == "time":
        return 1
    if field == "plugin_state":
        return m.npluginstate - m.nhistory - m.nplastic
    count = 1
    for n in SIZES[field]:
        count *= n if isinstance(n, int) else getattr(m, n)
    return count


def _part(m: Any, d: Any, field: str) -> np.ndarray:
    """Return a component as an array."""
    x = getattr(d, field)
    return np.reshape(x[: _size(m, field)] if field == "plugin_state" else x, -1)


def components(m: Any, sig: Any, function: str) -> list[tuple[str, int]]:
    """Return (field, number of elements) of each component in a state signature. Raise FatalError for an invalid signature."""
    sig = int(sig)
    if not 0 <= sig < END:
        raise FatalError(f"{function}: invalid state signature {sig}: bits of mjtState are expected")
    return [(field, _size(m, field)) for bit, field in COMPONENTS if sig & bit]


def _sized(function: str, name: str, state: Any, count: int) -> np.ndarray:
    if not isinstance(state, np.ndarray) or state.dtype != np.float64 or state.size != count:
        raise TypeError(f"{function}(): {name} should be an array of {count} numbers")
    return state.reshape(-1)


def mj_stateSize(m: Any, sig: int) -> int:
    """Return the number of elements of a state with components sig (bits of mjtState)."""
    return sum(count for _, count in components(plain(m), sig, "mj_stateSize"))


def mj_getState(m: Any, d: Any, state: np.ndarray, sig: int) -> None:
    """Copy the components sig of d to state, in the order of their bits."""
    m, d, at = plain(m), plain(d), 0
    parts = components(m, sig, "mj_getState")
    out = _sized("mj_getState", "state", state, sum(count for _, count in parts))
    for field, count in parts:
        out[at : at + count] = _part(m, d, field)
        at += count


def mj_setState(m: Any, d: Any, state: np.ndarray, sig: int) -> None:
    """Copy the components sig from state to d, in the order of their bits."""
    m, d, at = plain(m), plain(d), 0
    parts = components(m, sig, "mj_setState")
    given = _sized("mj_setState", "state", np.asarray(state, np.float64), sum(count for _, count in parts))
    for field, count in parts:
        _write(m, d, field, given[at : at + count])
        at += count


def _write(m: Any, d: Any, field: str, values: np.ndarray) -> None:
    if field == "time":
        d.time = float(values[0])
    elif field == "plugin_state":
        d.plugin_state[: len(values)] = values
    else:
        x = getattr(d, field)
        x[...] = values.reshape(x.shape)


def mj_copyState(m: Any, src: Any, dst: Any, sig: int) -> None:
    """Copy the components sig from src to dst."""
    m, src, dst = plain(m), plain(src), plain(dst)
    for field, _ in components(m, sig, "mj_copyState"):
        _write(m, dst, field, _part(m, src, field))


def mj_extractState(m: Any, src: np.ndarray, srcsig: int, dst: np.ndarray, dstsig: int) -> None:
    """Copy the components dstsig of state src, which has the components srcsig, to dst."""
    m = plain(m)
    have, want = components(m, srcsig, "mj_extractState"), components(m, dstsig, "mj_extractState")
    if int(dstsig) & ~int(srcsig):
        raise FatalError("mj_extractState: dstsig is not a subset of srcsig")
    given = _sized("mj_extractState", "src", np.asarray(src, np.float64), sum(count for _, count in have))
    out = _sized("mj_extractState", "dst", dst, sum(count for _, count in want))
    wanted, a, b = {field for field, _ in want}, 0, 0
    for field, count in have:
        if field in wanted:
            out[b : b + count] = given[a : a + count]
            b += count
        a += count


__all__ = ["mj_copyState", "mj_extractState", "mj_getState", "mj_setState", "mj_stateSize"]
