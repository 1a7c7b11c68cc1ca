"""MjData fields whose contents differ between this release and the engine: islands, rows of tendons, moments.

`TABLE` has {field: function of the engine's Data}. Each function returns the engine's array where both are equal.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..tables.enums import mjtConstraint, mjtEq, mjtTrn
from .fields import moment_count, tendon_rows
from .metric import active

OF_TENDONS = tuple(int(mjtConstraint[f"mjCNSTR_{n}"]) for n in ("FRICTION_TENDON", "LIMIT_TENDON"))
EQUALITY, TENDONS = int(mjtConstraint.mjCNSTR_EQUALITY), int(mjtEq.mjEQ_TENDON)
BY_TENDON = int(mjtTrn.mjTRN_TENDON)


# ---- islands -----------------------------------------------------------------------------------------------------------
def _none_is_negative(name: str) -> Callable[[Any], np.ndarray]:
    """Return a function that reads a field of island indices; without islands, they are -1 instead of the engine's 0."""

    def read(d: Any) -> np.ndarray:
        own = getattr(d, name)
        return own if d.nisland else np.full(own.shape, -1, own.dtype)

    return read


def _gathered(name: str, whole: str, order: str, size: str) -> Callable[[Any], np.ndarray]:
    """Return a function that reads a field sorted by islands. With the integrator `discrete`, the engine solves all islands at
    once and does not update its sorted copies, so the function sorts the field itself."""

    def read(d: Any) -> np.ndarray:
        own = getattr(d, name)
        if not d.nisland or not active(d):
            return own
        found, count = np.array(own), int(getattr(d, size))
        found[:count] = getattr(d, whole)[getattr(d, order)[:count]]
        return found

    return read


# {sorted field: (unsorted field, permutation, number of elements)}
SORTED = {name: (name[1:], "map_iefc2efc", "nefc") for name in "iefc_force iefc_aref iefc_D iefc_R iefc_state".split()} | {
    name: ("q" + name[1:], "map_idof2dof", "nidof") for name in "iacc iacc_smooth ifrc_smooth ifrc_constraint".split()
}


# ---- rows of tendons ---------------------------------------------------------------------------------------------------
def _first_rows(d: Any) -> np.ndarray:
    """Return the first constraint row of each tendon (equality, friction or limit), or -1 if it has none."""
    m = d.model
    found = np.full(m.ntendon, -1, np.int32)
    kinds, ids = d.efc_type, d.efc_id
    for r in range(d.nefc - 1, -1, -1):
        i = int(ids[r])
        if kinds[r] in OF_TENDONS:
            found[i] = r
        elif kinds[r] == EQUALITY and m.eq_type[i] == TENDONS:
            both = [k for k in (m.eq_obj1id[i], m.eq_obj2id[i]) if k >= 0]
            found[both] = r
    return found


# ---- moments -----------------------------------------------------------------------------------------------------------
def _moments(d: Any) -> dict[str, np.ndarray]:
    """Return the fields of the actuators' moment rows. Rows of tendon actuators include all dofs that can move the tendon; the
    engine omits zeros."""
    m = d.model
    size = moment_count(m)
    own = {n: d.array(n) for n in ("moment_rownnz", "moment_rowadr", "moment_colind", "actuator_moment")}
    if BY_TENDON not in m.actuator_trntype:
        return own | {n: own[n][:size] for n in ("moment_colind", "actuator_moment")}
    rows, at = tendon_rows(m), 0
    found = {n: np.zeros(m.nout if "row" in n else size, own[n].dtype) for n in own}
    kinds = np.repeat(m.actuator_trntype, m.actuator_outnum)
    targets = np.repeat(m.actuator_trnid[:, 0], m.actuator_outnum)
    for o in range(m.nout):
        part = slice(int(own["moment_rowadr"][o]), int(own["moment_rowadr"][o] + own["moment_rownnz"][o]))
        columns, values = own["moment_colind"][part], own["actuator_moment"][part]
        if kinds[o] == BY_TENDON and own["moment_rownnz"].any():
            dense = np.zeros(m.nv)
            dense[columns] = values
            columns = np.array(rows[targets[o]], np.int32)
            values = dense[columns]
        found["moment_rownnz"][o], found["moment_rowadr"][o] = len(columns), at
        found["moment_colind"][at : at + len(columns)], found["actuator_moment"][at : at + len(columns)] = columns, values
        at += len(columns)
    return found


def _moment(name: str) -> Callable[[Any], np.ndarray]:
    return lambda d: _moments(d)[name]


TABLE: dict[str, Callable[[Any], np.ndarray]] = {
    "dof_island": _none_is_negative("dof_island"),
    "tree_island": _none_is_negative("tree_island"),
    "tendon_efcadr": _first_rows,
    **{name: _gathered(name, *more) for name, more in SORTED.items()},
    **{name: _moment(name) for name in ("moment_rownnz", "moment_rowadr", "moment_colind", "actuator_moment")},
}
