"""Derivatives of whole steps by finite differences: mjd_transitionFD, mjd_inverseFD."""

from typing import Any

import numpy as np

from ..core import stages
from ..core.model import MjModel
from ..core.report import FatalError
from ..tables.compat_rows import holds
from ..tables.enums import mjtEnableBit, mjtIntegrator
from .signature import public, require


def _table(*arrays: Any) -> np.ndarray:
    """Return the addresses of arrays, 0 for None."""
    return np.array([0 if x is None else x.ctypes.data for x in arrays], np.int64)


def _same_shape(x: Any, shape: tuple[int, ...], name: str, text: str) -> None:
    """Raise TypeError unless an array has a given shape; None is accepted."""
    require(x is None or x.shape == shape, f"{name} should be of shape ({text})")


def _refuse_runge_kutta(function: str, m: MjModel) -> None:
    """Raise FatalError for the RK4 integrator."""
    if m.opt.integrator == mjtIntegrator.mjINT_RK4:
        raise FatalError(f"{function}: RK4 integrator is not supported")


def _refuse_sleep(function: str, m: MjModel) -> None:
    """Raise FatalError if sleep is enabled, in releases that refuse it."""
    if m.opt.enableflags & mjtEnableBit.mjENBL_SLEEP and holds("fd_awake", m.compat_bits):
        raise FatalError(f"{function}: sleeping is not supported")


@public("m d eps:f flg_centered:i A:M(n,n)!? B:M(n,nu)!? C:M(nsensordata,n)!? D:M(nsensordata,nu)!?")
def mjd_transitionFD(m, d, eps, flg_centered, A, B, C, D):
    """Compute derivatives of a step by finite differences of size eps: next state = A state + B ctrl, sensors = C state + D
    ctrl.

    The state is (configuration difference as a velocity, qvel, act), of size n = 2 nv + na. A is (n, n), B (n, nu),
    C (nsensordata, n), D (nsensordata, nu); pass None for a matrix that you do not need. As in MuJoCo, D of centered
    differences has the opposite sign.
    """
    _refuse_runge_kutta("mjd_transitionFD", m)
    _refuse_sleep("mjd_transitionFD", m)
    nv, na, nu, ns = m.nv, m.na, m.nu, m.nsensordata
    n, state = 2 * nv + na, m.nq + nv + na
    _same_shape(A, (n, n), "A", "2*nv+na, 2*nv+na")
    _same_shape(B, (n, nu), "B", "2*nv+na, nu")
    _same_shape(C, (ns, n), "C", "nsensordata, 2*nv+na")
    _same_shape(D, (ns, nu), "D", "nsensordata, nu")

    # the stage writes transposed matrices
    turned = [None if x is None else np.zeros(x.shape[::-1]) for x in (A, B, C, D)]
    by_state, by_ctrl, sensor_by_state, sensor_by_ctrl = turned

    def split(x: np.ndarray | None) -> tuple[np.ndarray | None, ...]:
        return (None,) * 3 if x is None else (x[:nv], x[nv : 2 * nv], x[2 * nv :])

    scratch = [np.zeros(k) for k in (1 + state + m.npluginstate + nu + nv, state, state, state, ns, ns, ns, nv)]
    table = _table(*split(by_state), by_ctrl, *split(sensor_by_state), sensor_by_ctrl, *scratch)
    stages.call("finite_transition", m, d, eps, flg_centered, table.ctypes.data)
    for x, t in zip((A, B, C, D), turned, strict=True):
        if x is not None and t is not None:
            x[:] = t.T


@public(
    "m d eps:f flg_actuation:i DfDq:M(nv,nv)!? DfDv:M(nv,nv)!? DfDa:M(nv,nv)!? DsDq:M(nv,nsensordata)!? "
    "DsDv:M(nv,nsensordata)!? DsDa:M(nv,nsensordata)!? DmDq:M(nv,nM)!?"
)
def mjd_inverseFD(m, d, eps, flg_actuation, DfDq, DfDv, DfDa, DsDq, DsDv, DsDa, DmDq):
    """Compute derivatives of inverse dynamics by finite differences of size eps. Each row of a result belongs to one input.

    The results are derivatives of the force (less actuator forces if flg_actuation) and of the sensors, with respect to
    configuration, velocity and acceleration. The last result is the derivative of the inertia with respect to configuration.
    The inertia is qM; since release 3.11, it is M, which has nC numbers. Pass None for arrays that you do not need.
    """
    # check the arguments
    in_rows = holds("slope_rows", m.compat_bits)
    for name, x in (("DfDq", DfDq), ("DfDv", DfDv), ("DfDa", DfDa)):
        _same_shape(x, (m.nv, m.nv), name, "nv, nv")
    for name, x in (("DsDq", DsDq), ("DsDv", DsDv), ("DsDa", DsDa)):
        _same_shape(x, (m.nv, m.nsensordata), name, "nv, nsensordata")
    _same_shape(DmDq, (m.nv, m.nC if in_rows else m.nM), "DmDq", "nv, nC" if in_rows else "nv, nM")
    _refuse_runge_kutta("mjd_inverseFD", m)
    _refuse_sleep("mjd_inverseFD", m)
    if m.opt.noslip_iterations:
        raise FatalError("mjd_inverseFD: noslip solver is not supported")

    # the stage writes qM; later releases return M
    scratch = [np.zeros(k) for k in (m.nq, m.nv, m.nv, m.nsensordata, m.nM, m.nv)]
    packed = np.zeros((m.nv, m.nM)) if in_rows and DmDq is not None else DmDq
    table = _table(DfDq, DfDv, DfDa, DsDq, DsDv, DsDa, packed, *scratch)
    stages.call("finite_inverse", m, d, eps, flg_actuation, table.ctypes.data)
    if in_rows and DmDq is not None and packed is not None:
        DmDq[:] = packed[:, m.mapM2M]


__all__ = ["mjd_inverseFD", "mjd_transitionFD"]
