"""Copies of a complete Data, and packed state vectors."""

import numpy as np

from ..machine.jit import kernel, stage
from ..machine.lang import array_at, as_data, copy_bytes, flat, header_of, longs_at
from ..tables.enums import mjtState
from ..tables.schema import GROWING, SCHEMAS
from .reset import restore_plugin_data

_DATA = SCHEMAS["MjData"]
_CELLS, _FIRST = _DATA.last_scalar, _DATA.first_copied

# for each growable array of results: (header slot, bytes per row, header slot of the number of rows in use)
_GROWING = np.array(
    [
        (_DATA.slot[f.name], f.numpy.itemsize * int(np.prod([n for n in f.dims[1:]])), _DATA.slot[f.used])
        for f in _DATA.arrays
        if f.group in GROWING and f.used
    ],
    np.int64,
)


@stage("vMDi")
def copy_data(m, d, source):
    """reads another Data of the same model, by address; writes every field of this one. Of growable arrays, only rows in use
    are copied."""
    other = as_data(source)
    old, new = longs_at(source, _CELLS), longs_at(header_of(d), _CELLS)
    for k in range(_FIRST, _CELLS):
        new[k] = old[k]
    copy_bytes(d.arrays_address, other.arrays_address, d.result_bytes)
    for k in range(_GROWING.shape[0]):
        copy_bytes(new[_GROWING[k, 0]], old[_GROWING[k, 0]], _GROWING[k, 1] * old[_GROWING[k, 2]])
    d.bvh_end, d.flexedge_end = m.nbvh, m.nflexedge
    restore_plugin_data(m, d)


# ---- packed state vectors ----------------------------------------------------------------------------------------------
(TIME, QPOS, QVEL, ACT, WARMSTART, CTRL, QFRC, XFRC, EQ_ACTIVE, MOCAP_POS, MOCAP_QUAT, USERDATA, PLUGIN) = (
    int(mjtState[f"mjSTATE_{n}"])
    for n in (
        "TIME",
        "QPOS",
        "QVEL",
        "ACT",
        "WARMSTART",
        "CTRL",
        "QFRC_APPLIED",
        "XFRC_APPLIED",
        "EQ_ACTIVE",
        "MOCAP_POS",
        "MOCAP_QUAT",
        "USERDATA",
        "PLUGIN",
    )
)


@kernel
def transfer(x, k, field, n, wanted, write):
    """If `write`, copy n numbers from x[k:] to a field, else from the field to x[k:]. Return the index in x of the next
    field."""
    if wanted == 0:
        return k
    for i in range(n):
        if write:
            field[i] = x[k + i]
        else:
            x[k + i] = field[i]
    return k + n


@kernel
def transfer_state(m, d, x, sig, write):
    """Copy the components `sig` (bits of mjtState) of d to x, or with `write` from x to d, in the order of their bits."""
    k = 0
    if sig & TIME:
        if write:
            d.time = x[0]
        else:
            x[0] = d.time
        k = 1

    k = transfer(x, k, d.qpos, m.nq, sig & QPOS, write)
    k = transfer(x, k, d.qvel, m.nv, sig & QVEL, write)
    k = transfer(x, k, d.act, m.na, sig & ACT, write)
    k = transfer(x, k, d.qacc_warmstart, m.nv, sig & WARMSTART, write)
    k = transfer(x, k, d.ctrl, m.nu, sig & CTRL, write)
    k = transfer(x, k, d.qfrc_applied, m.nv, sig & QFRC, write)
    k = transfer(x, k, flat(d.xfrc_applied), 6 * m.nbody, sig & XFRC, write)
    k = transfer(x, k, d.eq_active, m.neq, sig & EQ_ACTIVE, write)
    k = transfer(x, k, flat(d.mocap_pos), 3 * m.nmocap, sig & MOCAP_POS, write)
    k = transfer(x, k, flat(d.mocap_quat), 4 * m.nmocap, sig & MOCAP_QUAT, write)
    k = transfer(x, k, d.userdata, m.nuserdata, sig & USERDATA, write)
    return transfer(x, k, d.plugin_state, m.npluginstate, sig & PLUGIN, write)


@stage("vMDiii")
def pack_state(m, d, address, count, sig):
    """writes `count` numbers at an address: the components `sig` of the state."""
    transfer_state(m, d, array_at(address, count), sig, False)


@stage("vMDiii")
def unpack_state(m, d, address, count, sig):
    """reads `count` numbers at an address; writes the components `sig` of the state (time, qpos, qvel, act, qacc_warmstart,
    ctrl, qfrc_applied, xfrc_applied, eq_active, mocap_pos, mocap_quat, userdata, plugin_state).
    """
    transfer_state(m, d, array_at(address, count), sig, True)
