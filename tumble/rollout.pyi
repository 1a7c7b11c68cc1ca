"""Written by `python -m tumble.stubs`; do not edit."""
import enum
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from types import TracebackType
from typing import IO, Any, Generic, SupportsFloat, SupportsIndex, TypeAlias, TypeVar, overload

import numpy as np
import numpy.typing as npt



from . import MjData, MjModel, MjrRect, MjvCamera, MjvFigure, MjvOption, MjvPerturb, MjvScene

_Trajectories: TypeAlias = tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]

class Rollout:
    """A pool of threads for rollouts.

    nthread: number of threads; 0 or None: rollouts run on the calling thread
    """
    def __init__(self, *, nthread: SupportsIndex | None = None) -> None: ...
    def __enter__(self) -> Rollout: ...
    def __exit__(self, exc_type: Any, exc_val: Any, exc_tb: Any) -> None: ...
    def close(self) -> None:
        """Stop the threads. After this, `rollout` raises RuntimeError."""
    def rollout(self, model: MjModel | Sequence[MjModel], data: MjData | Sequence[MjData], initial_state: npt.ArrayLike, control: npt.ArrayLike | None = None, *, control_spec: SupportsIndex = 32, skip_checks: bool = False, nstep: SupportsIndex | None = None, initial_warmstart: npt.ArrayLike | None = None, state: npt.NDArray[np.float64] | None = None, sensordata: npt.NDArray[np.float64] | None = None, chunk_size: SupportsIndex | None = None, lanes: bool = False) -> _Trajectories:
        """Compute nbatch trajectories with open-loop controls. Return (state, sensordata), float64 (nbatch, nstep, nstate) and
        (nbatch, nstep, nsensordata). ValueError for shapes or models that do not match and for lists instead of numpy arrays,
        RuntimeError after close.

        model: one model, or one for each trajectory, all of the same sizes
        data: an MjData, or a list with one per thread
        initial_state: float64 (nbatch, nstate) or (nstate,): full physics states, mjSTATE_FULLPHYSICS
        control: float64 (nbatch, nstep, ncontrol), (nstep, ncontrol) or (ncontrol,): values of the components `control_spec`;
            axes of length 1 are repeated. None: no controls
        control_spec: bits of mjSTATE_USER
        nstep: number of steps, if no array determines it
        initial_warmstart: float64 (nbatch, nv) or (nv,): accelerations with which the solver starts; None: zeros
        state: float64 (nbatch, nstep, nstate) for the results; None: a new array
        sensordata: float64 (nbatch, nstep, nsensordata) for the results; None: a new array
        chunk_size: number of trajectories that a thread takes at a time
        skip_checks: trust that arrays are complete and have valid shapes
        lanes: step several trajectories of one model in one vector, like `batch.Batch(lanes=True)`, without using data; results
            agree up to rounding errors
        """

def rollout(model: MjModel | Sequence[MjModel], data: MjData | Sequence[MjData] | None, initial_state: npt.ArrayLike, control: npt.ArrayLike | None = None, *, control_spec: SupportsIndex = 32, skip_checks: bool = False, nstep: SupportsIndex | None = None, initial_warmstart: npt.ArrayLike | None = None, state: npt.NDArray[np.float64] | None = None, sensordata: npt.NDArray[np.float64] | None = None, chunk_size: SupportsIndex | None = None, persistent_pool: bool = False, cluster: Any = None, lanes: bool = False) -> _Trajectories:
    """Compute nbatch trajectories with open-loop controls, with one thread for each Data in the list `data`. Return (state,
    sensordata), float64 (nbatch, nstep, nstate) and (nbatch, nstep, nsensordata). ValueError for shapes or models that do
    not match, batch.ClusterError if workers fail.

    initial_state, control, initial_warmstart, state, sensordata: as for `Rollout.rollout`; so are other arguments
    persistent_pool: keep the threads for the next call
    cluster: workers that compute the trajectories, bit-identically: a `batch.Cluster`, or the argument to make one (a number of
        processes, an address of Ray or Dask, an executor). With a cluster, data and chunk_size are not used, and arrays are
        always checked.
    """

def shutdown_persistent_pool() -> None:
    """Stop the threads kept by `rollout(..., persistent_pool=True)`."""

def stream(cluster: Any, model: MjModel | Sequence[MjModel], initial_state: npt.ArrayLike, control: npt.ArrayLike | None = None, *, control_spec: SupportsIndex = 32, nstep: SupportsIndex | None = None, initial_warmstart: npt.ArrayLike | None = None, lanes: bool = False) -> Iterator[tuple[int, int, Any, Any]]:
    """Like rollout(..., cluster=cluster), but yield (start, stop, state, sensordata) of each range, in order, as soon as it
    is finished. The arrays are float64 (stop - start, nstep, nstate) and (stop - start, nstep, nsensordata). Yielded results
    are not kept, so all results together may exceed the memory. Errors are those of `rollout`.

    initial_state, control, initial_warmstart: as for `Rollout.rollout`; so are other arguments
    """
