"""Packed state vectors, keyframes, copies of Data."""

from typing import Any

import numpy as np

from ..core import stages
from ..core.data import MjData
from ..core.model import MjModel
from ..core.report import FatalError
from ..tables.enums import mjtState
from .signature import public, require

# component bit, field, dimensions of the field
COMPONENTS = (
    (mjtState.mjSTATE_TIME, "time", ()),
    (mjtState.mjSTATE_QPOS, "qpos", ("nq",)),
    (mjtState.mjSTATE_QVEL, "qvel", ("nv",)),
    (mjtState.mjSTATE_ACT, "act", ("na",)),
    (mjtState.mjSTATE_WARMSTART, "qacc_warmstart", ("nv",)),
    (mjtState.mjSTATE_CTRL, "ctrl", ("nu",)),
    (mjtState.mjSTATE_QFRC_APPLIED, "qfrc_applied", ("nv",)),
    (mjtState.mjSTATE_XFRC_APPLIED, "xfrc_applied", ("nbody", 6)),
    (mjtState.mjSTATE_EQ_ACTIVE, "eq_active", ("neq",)),
    (mjtState.mjSTATE_MOCAP_POS, "mocap_pos", ("nmocap", 3)),
    (mjtState.mjSTATE_MOCAP_QUAT, "mocap_quat", ("nmocap", 4)),
    (mjtState.mjSTATE_USERDATA, "userdata", ("nuserdata",)),
    (mjtState.mjSTATE_PLUGIN, "plugin_state", ("npluginstate",)),
)
END = 1 << int(mjtState.mjNSTATE)


def parts(m: MjModel, signature: int, function: str = "mj_stateSize") -> list[tuple[str, int]]:
    """Return (field, number of elements) of each component in a signature. FatalError for an invalid signature."""
    if signature >= END:
        raise FatalError(f"{function}: invalid state signature {signature} >= 2^mjNSTATE")
    found = []
    for bit, field, dims in COMPONENTS:
        if signature & bit:
            count = 1
            for n in dims:
                count *= n if isinstance(n, int) else getattr(m, n)
            found.append((field, count))
    return found


def size(m: MjModel, signature: int) -> int:
    """Return the number of elements of a state."""
    return sum(count for _, count in parts(m, signature))


@public("m sig:u", "int", code="api.bodies:?count_state(m, sig, w)")
def mj_stateSize(m, sig):
    """Return the number of elements of a state with components sig (bits of mjtState)."""
    return size(m, sig)


@public("m d state:V! sig:u", code="api.bodies:?move_state(m, d, state, state_size, sig, False)")
def mj_getState(m, d, state, sig):
    """Copy the components sig of d to state, in the order of their bits.

    state: mj_stateSize(m, sig) numbers
    """
    require(state.size == size(m, sig), "state size should equal mj_stateSize(m, sig)")
    stages.call("pack_state", m, d, state.ctypes.data, state.size, sig)


@public("m d state:V sig:u", code="api.bodies:?move_state(m, d, state, state_size, sig, True)")
def mj_setState(m, d, state, sig):
    """Copy the components sig from state to d.

    state: mj_stateSize(m, sig) numbers
    """
    require(state.size == size(m, sig), "state size should equal mj_stateSize(m, sig)")
    stages.call("unpack_state", m, d, state.ctypes.data, state.size, sig)


@public("m src:d dst:d sig:u")
def mj_copyState(m, src, dst, sig):
    """Copy the components sig from src to dst."""
    for field, count in parts(m, sig):
        if field == "time":
            dst.time = src.time
        elif count:
            getattr(dst, field)[...] = getattr(src, field)


@public("m src:V srcsig:u dst:V! dstsig:u")
def mj_extractState(m, src, srcsig, dst, dstsig):
    """Copy the components dstsig to dst from a state with the components srcsig, which must include them.

    src: mj_stateSize(m, srcsig) numbers
    dst: mj_stateSize(m, dstsig) numbers. FatalError unless srcsig includes dstsig
    """
    require(src.size == size(m, srcsig), "src size should equal mj_stateSize(m, srcsig)")
    require(dst.size == size(m, dstsig), "dst size should equal mj_stateSize(m, dstsig)")
    if dstsig & ~srcsig:
        raise FatalError("mj_extractState: dstsig is not a subset of srcsig")
    wanted = {field for field, _ in parts(m, dstsig)}
    start = written = 0
    for field, count in parts(m, srcsig):
        if field in wanted:
            dst[written : written + count] = src[start : start + count]
            written += count
        start += count


@public("m d k:i")
def mj_setKeyframe(m, d, k):
    """Store the state of d in keyframe k of the model."""
    if k < 0:
        raise FatalError("mj_setKeyframe: keyframe index cannot be negative")
    if k >= m.nkey:
        raise FatalError(f"mj_setKeyframe: index must be smaller than {m.nkey} (keyframes allocated in model)")
    m.key_time[k] = d.time
    for name in ("qpos", "qvel", "act", "ctrl", "plastic"):
        getattr(m, f"key_{name}")[k] = getattr(d, name)
    m.key_mpos[k] = d.mocap_pos.ravel()
    m.key_mquat[k] = d.mocap_quat.ravel()


def mj_copyData(d_dest: MjData, m: MjModel, d_src: MjData) -> Any:
    """Copy d_src to d_dest, two Data of the model m. Returns d_dest."""
    for d in (d_dest, d_src):
        if not isinstance(d, MjData):
            raise TypeError(f"mj_copyData: MjData is expected, not {type(d).__name__}")
    d_dest.copy_from(d_src)
    return d_dest


def fill_results(d: MjData, value: int) -> None:
    """Set every byte of the float arrays of fixed size, except those of the state, to `value`."""
    keep = {field for _, field, _ in COMPONENTS} | {"qacc", "act_dot", "tree_asleep"}
    for f in d.schema.arrays:
        if f.group == "main" and f.name not in keep and f.numpy.kind == "f":
            d.array(f.name).view(np.uint8)[...] = value


__all__ = ["mj_copyData", "mj_copyState", "mj_extractState", "mj_getState", "mj_setKeyframe", "mj_setState", "mj_stateSize"]
