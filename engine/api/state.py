"""Packed state vectors and copies of Data."""
import numpy as np

from ..core.enums import mjtState

# component bit: (field, number of elements as size expression)
COMPONENTS = (
    (mjtState.mjSTATE_TIME, "time", ()), (mjtState.mjSTATE_QPOS, "qpos", ("nq",)), (mjtState.mjSTATE_QVEL, "qvel", ("nv",)),
    (mjtState.mjSTATE_ACT, "act", ("na",)), (mjtState.mjSTATE_WARMSTART, "qacc_warmstart", ("nv",)),
    (mjtState.mjSTATE_CTRL, "ctrl", ("nu",)), (mjtState.mjSTATE_QFRC_APPLIED, "qfrc_applied", ("nv",)),
    (mjtState.mjSTATE_XFRC_APPLIED, "xfrc_applied", ("nbody", 6)), (mjtState.mjSTATE_EQ_ACTIVE, "eq_active", ("neq",)),
    (mjtState.mjSTATE_MOCAP_POS, "mocap_pos", ("nmocap", 3)), (mjtState.mjSTATE_MOCAP_QUAT, "mocap_quat", ("nmocap", 4)),
    (mjtState.mjSTATE_USERDATA, "userdata", ("nuserdata",)), (mjtState.mjSTATE_PLUGIN, "plugin_state", ("npluginstate",)),
)
ALL_BITS = sum(int(bit) for bit, _, _ in COMPONENTS)


def _parts(m, signature):
    """(field, count) of each component in a signature."""
    signature = int(signature)
    if signature < 0 or signature & ~ALL_BITS:
        raise ValueError(f"invalid state signature {signature}")
    parts = []
    for bit, field, dims in COMPONENTS:
        if signature & bit:
            count = 1
            for n in dims:
                count *= n if isinstance(n, int) else getattr(m, n)
            parts.append((field, count))
    return parts


def mj_stateSize(m, spec):
    """Number of elements of a state with components `spec` (bits of mjtState)."""
    return sum(count for _, count in _parts(m, spec))


def mj_getState(m, d, state, spec):
    """state[:] = the components `spec` of d, in the order of their bits; float64, shape (mj_stateSize,)."""
    _check(state, mj_stateSize(m, spec), "state")
    start = 0
    for field, count in _parts(m, spec):
        state[start:start + count] = np.ravel(getattr(d, field))
        start += count


def mj_setState(m, d, state, spec):
    """The components `spec` of d = state."""
    state = np.asarray(state, dtype=np.float64)
    _check(state, mj_stateSize(m, spec), "state")
    start = 0
    for field, count in _parts(m, spec):
        if field == "time":
            d.time = state[start]
        else:
            target = getattr(d, field)
            target[...] = state[start:start + count].reshape(target.shape)
        start += count


def mj_copyState(m, src, dst, spec):
    """The components `spec` of dst = those of src."""
    for field, _ in _parts(m, spec):
        if field == "time":
            dst.time = src.time
        else:
            getattr(dst, field)[...] = getattr(src, field)


def mj_extractState(m, src, srcspec, dst, dstspec):
    """dst[:] = the components `dstspec` of a packed state with components `srcspec`, of which they are a subset."""
    if int(dstspec) & ~int(srcspec):
        raise ValueError("dst signature must be a subset of src signature")
    _check(src, mj_stateSize(m, srcspec), "src")
    _check(dst, mj_stateSize(m, dstspec), "dst")
    wanted = {field for field, _ in _parts(m, dstspec)}
    start = written = 0
    for field, count in _parts(m, srcspec):
        if field in wanted:
            dst[written:written + count] = src[start:start + count]
            written += count
        start += count


def mj_setKeyframe(m, d, k):
    """Key frame k of the model = the state of d."""
    if not 0 <= k < m.nkey:
        raise IndexError(f"keyframe index must be between 0 and {m.nkey - 1} (inclusive), got {k}")
    m.key_time[k] = d.time
    for name in ("qpos", "qvel", "act", "ctrl"):
        getattr(m, f"key_{name}")[k] = getattr(d, name)
    m.key_mpos[k] = d.mocap_pos.ravel()
    m.key_mquat[k] = d.mocap_quat.ravel()


def mj_copyData(d_dest, m, d_src):
    """d_dest becomes a copy of d_src; both belong to m."""
    d_dest.copy_from(d_src)
    return d_dest


def fill_results(d, value):
    """Set every byte of the fixed arrays that hold no state to `value`."""
    keep = {field for _, field, _ in COMPONENTS} | {"qacc", "act_dot", "tree_asleep"}
    for f in d.schema.arrays:
        if f.group == "main" and f.name not in keep and f.numpy.kind == "f":
            d.array(f.name).view(np.uint8)[...] = value


def _check(x, count, name):
    if np.ndim(x) != 1 or len(x) != count:
        raise TypeError(f"{name} size should equal mj_stateSize(m, sig): {count}, got shape {np.shape(x)}")


__all__ = ["mj_copyData", "mj_copyState", "mj_extractState", "mj_getState", "mj_setKeyframe", "mj_setState", "mj_stateSize"]
