"""Fields of the effective inertia M + h D + h^2 K of the integrator `discrete`; zeros with other integrators.

The engine stores the diagonal and the scales of terms that couple dofs in its own fields (`dynamics.metric`). Fields for flexes
stay empty, because the engine does not include flexes in it.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..dynamics.actuator_slopes import length_slope
from ..dynamics.extra import spring_slope
from ..dynamics.tendon_force import spring_excess
from ..machine import memory
from ..machine.interpret import plain as interpreted
from ..tables.enums import mjtDisableBit, mjtIntegrator

DISCRETE = int(mjtIntegrator.mjINT_DISCRETE)
NO_SPRING = int(mjtDisableBit.mjDSBL_SPRING)
NO_DAMPER = int(mjtDisableBit.mjDSBL_DAMPER)
_spring_excess, _spring_slope, _length_slope = map(interpreted, (spring_excess, spring_slope, length_slope))


def active(d: Any) -> bool:
    """Return whether steps use the effective inertia."""
    return d.model.opt.integrator == DISCRETE


def _stiffness(d: Any) -> np.ndarray:
    """Return time step times stiffness (h k) of each dof."""
    m, found = d.model, np.zeros(d.model.nv)
    if m.opt.disableflags & NO_SPRING:
        return found
    for j in range(m.njnt):
        i, k = int(m.jnt_dofadr[j]), float(m.jnt_stiffness[j])
        size = (6, 3, 1, 1)[int(m.jnt_type[j])]
        if size == 1:
            x = float(d.qpos[m.jnt_qposadr[j]] - m.qpos_spring[m.jnt_qposadr[j]])
            k += _spring_slope(*m.jnt_stiffnesspoly[j], x)
        found[i : i + size] = m.opt.timestep * max(0.0, k)
    return found


def _ids(scales: np.ndarray) -> np.ndarray:
    """Return the indices of nonzero scales, padded with zeros to the length of `scales`."""
    found = np.zeros(len(scales), np.int32)
    ids = np.flatnonzero(scales)
    found[: len(ids)] = ids
    return found


def _first(scales: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return the values at the indices of nonzero scales, padded with zeros to the length of `scales`."""
    found = np.zeros(len(scales))
    ids = np.flatnonzero(scales)
    found[: len(ids)] = values[ids]
    return found


def _tendon_stiffness(d: Any) -> np.ndarray:
    """Return time step times stiffness (h k) of each tendon."""
    m, found = d.model, np.zeros(d.model.ntendon)
    if m.opt.disableflags & NO_SPRING:
        return found
    for t in range(m.ntendon):
        x = _spring_excess(d.ten_length[t], *m.tendon_lengthspring[t])
        if x:
            k = m.tendon_stiffness[t] + _spring_slope(*m.tendon_stiffnesspoly[t], -x)
            found[t] = m.opt.timestep * max(0.0, k)
    return found


def _outputs(d: Any) -> np.ndarray:
    """Return the scale of each actuator's first output."""
    return d.efm_as[d.model.actuator_outadr]


def _actuator_stiffness(d: Any) -> np.ndarray:
    """Return time step times stiffness (h k) of each actuator that resists motion."""
    m, found = d.model, np.zeros(d.model.nactuator)
    views = memory.as_model(m.storage.address), memory.as_data(d.storage.address)
    for i in np.flatnonzero(_outputs(d)):
        found[i] = m.opt.timestep * max(0.0, -_length_slope(*views, int(i)))
    return found


def _actuator_shift(d: Any) -> np.ndarray:
    """Return the actuators' contribution to -h K v."""
    m, found = d.model, np.zeros(d.model.nv)
    stiffness = np.repeat(_actuator_stiffness(d), m.actuator_outnum)
    for o in np.flatnonzero(stiffness):
        at = slice(int(d.moment_rowadr[o]), int(d.moment_rowadr[o]) + int(d.moment_rownnz[o]))
        found[d.moment_colind[at]] -= stiffness[o] * d.actuator_velocity[o] * d.actuator_moment[at]
    return found


def _drag(d: Any) -> np.ndarray:
    """Return time step times the damping of fluids, in the sparsity of M."""
    m = d.model
    passive = m.opt.disableflags & NO_SPRING == 0 or m.opt.disableflags & NO_DAMPER == 0
    in_fluid = passive and (m.opt.viscosity > 0 or m.opt.density > 0)
    return -m.opt.timestep * d.qDeriv[m.mapD2M] if in_fluid else np.zeros(m.nC)


def _row(size: str, compute: Callable[[Any], np.ndarray], dtype: Any = np.float64) -> Callable[[Any], np.ndarray]:
    def read(d: Any) -> np.ndarray:
        return compute(d) if active(d) else np.zeros(getattr(d.model, size), dtype)

    return read


def _count(compute: Callable[[Any], int]) -> Callable[[Any], int]:
    return lambda d: compute(d) if active(d) else 0


def _none(*sizes: str | int, dtype: Any = np.float64) -> Callable[[Any], np.ndarray]:
    return lambda d: np.zeros([getattr(d.model, n) if isinstance(n, str) else n for n in sizes], dtype)


METRIC: dict[str, Callable[[Any], Any]] = {
    "efm_active": _count(lambda d: 1),
    "efm_c": _row("nv", lambda d: d.efm_c - _actuator_shift(d)),
    "efm_diag": _row("nv", lambda d: d.efm_diag),
    "efm_ck": _row("nv", _stiffness),
    "efm_sdiag": _row("nv", lambda d: d.efm_sdiag),
    "efm_fluid": _row("nC", _drag),
    "efm_tid": _row("ntendon", lambda d: _ids(d.efm_ts), np.int32),
    "efm_ts": _row("ntendon", lambda d: _first(d.efm_ts, d.efm_ts)),
    "efm_tk": _row("ntendon", lambda d: _first(d.efm_ts, _tendon_stiffness(d))),
    "efm_aid": _row("nactuator", lambda d: _ids(_outputs(d)), np.int32),
    "efm_as": _row("nactuator", lambda d: _first(_outputs(d), _outputs(d))),
    "efm_ak": _row("nactuator", lambda d: _first(_outputs(d), _actuator_stiffness(d))),
    "efm_ca": _row("nv", _actuator_shift),
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
