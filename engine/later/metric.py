"""Fields of the effective metric M + h D + h^2 K of the integrator `discrete`; zeros with another integrator.

The engine stores the diagonal and the scales of terms that couple dofs in its own fields (`dynamics.metric`). Fields for the
metric of flexes stay empty, because the engine does not have it.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..tables.enums import mjtDisableBit, mjtIntegrator, mjtTrn

DISCRETE = int(mjtIntegrator.mjINT_DISCRETE)
NO_SPRING = int(mjtDisableBit.mjDSBL_SPRING)
BY_JOINT = (int(mjtTrn.mjTRN_JOINT), int(mjtTrn.mjTRN_JOINTINPARENT))


def active(d: Any) -> bool:
    """Return whether steps use the metric."""
    return d.model.opt.integrator == DISCRETE


def _stiffness(d: Any) -> np.ndarray:
    """Return h k of each dof."""
    m, found = d.model, np.zeros(d.model.nv)
    if m.opt.disableflags & NO_SPRING:
        return found
    for j in range(m.njnt):
        i, k = int(m.jnt_dofadr[j]), float(m.jnt_stiffness[j])
        size = (6, 3, 1, 1)[int(m.jnt_type[j])]
        if size == 1:
            x = float(d.qpos[m.jnt_qposadr[j]] - m.qpos_spring[m.jnt_qposadr[j]])
            k += 2 * float(m.jnt_stiffnesspoly[j, 0]) * abs(x) + 3 * float(m.jnt_stiffnesspoly[j, 1]) * x * x
        found[i : i + size] = m.opt.timestep * max(0.0, k)
    return found


def _ids(scales: np.ndarray) -> np.ndarray:
    """Return the ids of rows with a scale, padded with zeros."""
    found = np.zeros(len(scales), np.int32)
    ids = np.flatnonzero(scales)
    found[: len(ids)] = ids
    return found


def _outputs(d: Any) -> np.ndarray:
    """Return the scale of each actuator's first output."""
    return d.efm_as[d.model.actuator_outadr]


def _backbone(d: Any) -> np.ndarray:
    """Return the terms added to the diagonal of the inertia, from joints and from actuators of one joint."""
    m, found, scales = d.model, np.array(d.efm_diag), _outputs(d)
    for i in range(m.nactuator):
        if scales[i] and int(m.actuator_trntype[i]) in BY_JOINT:
            o = int(m.actuator_outadr[i])
            at = slice(int(d.moment_rowadr[o]), int(d.moment_rowadr[o]) + int(d.moment_rownnz[o]))
            found[d.moment_colind[at]] += scales[i] * d.actuator_moment[at] ** 2
    return found


def _row(size: str, compute: Callable[[Any], np.ndarray], dtype: Any = np.float64) -> Callable[[Any], np.ndarray]:
    def read(d: Any) -> np.ndarray:
        return np.array(compute(d)) if active(d) else np.zeros(getattr(d.model, size), dtype)

    return read


def _count(compute: Callable[[Any], int]) -> Callable[[Any], int]:
    return lambda d: compute(d) if active(d) else 0


def _none(*sizes: str | int, dtype: Any = np.float64) -> Callable[[Any], np.ndarray]:
    return lambda d: np.zeros([getattr(d.model, n) if isinstance(n, str) else n for n in sizes], dtype)


METRIC: dict[str, Callable[[Any], Any]] = {
    "efm_active": _count(lambda d: 1),
    "efm_c": _row("nv", lambda d: -_stiffness(d) * d.qvel),
    "efm_diag": _row("nv", lambda d: d.efm_diag),
    "efm_ck": _row("nv", _stiffness),
    "efm_sdiag": _row("nv", _backbone),
    "efm_fluid": _none("nC"),
    "efm_tid": _row("ntendon", lambda d: _ids(d.efm_ts), np.int32),
    "efm_ts": _row("ntendon", lambda d: d.efm_ts),
    "efm_tk": _none("ntendon"),
    "efm_aid": _row("nactuator", lambda d: _ids(_outputs(d)), np.int32),
    "efm_as": _row("nactuator", _outputs),
    "efm_ak": _none("nactuator"),
    "efm_ca": _none("nv"),
    "efm_K_rownnz": _none("nv", dtype=np.int32),
    "efm_K_rowadr": _none("nv", dtype=np.int32),
    "efm_K_colind": _none(0, dtype=np.int32),
    "efm_K_val": _none(0),
    "efm_dofid": _none(0, dtype=np.int32),
    "efm_con_ind": _none(0, dtype=np.int32),
    "efm_con_val": _none(0),
    "efm_L": _none(0),
    "nefmK": lambda d: 0,
    "nefmcon": lambda d: 0,
    "nefmdof": lambda d: 0,
    "nefmL": lambda d: 0,
    "nefmT": _count(lambda d: int(np.count_nonzero(d.efm_ts))),
    "nefmA": _count(lambda d: int(np.count_nonzero(_outputs(d)))),
}
