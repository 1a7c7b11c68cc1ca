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
    """A pool of threads for rollouts. If `nthread` is 0 or None, rollouts run on the calling thread."""
    def __init__(self, *, nthread: SupportsIndex | None = ...) -> None: ...
    def __enter__(self) -> Rollout: ...
    def __exit__(self, exc_type: Any, exc_val: Any, exc_tb: Any) -> None: ...
    def close(self) -> None:
        """Stop the threads. After this, `rollout` raises RuntimeError."""
    def rollout(self, model: MjModel | Sequence[MjModel], data: MjData | Sequence[MjData], initial_state: npt.ArrayLike, control: npt.ArrayLike | None = ..., *, control_spec: SupportsIndex = ..., skip_checks: bool = ..., nstep: SupportsIndex | None = ..., initial_warmstart: npt.ArrayLike | None = ..., state: npt.NDArray[np.float64] | None = ..., sensordata: npt.NDArray[np.float64] | None = ..., chunk_size: SupportsIndex | None = ..., lanes: bool = ...) -> _Trajectories:
        """Compute trajectories with open-loop controls; return (state, sensordata).

        model: one model, or one for each trajectory, all of the same sizes; data: an MjData, or a list with one per thread.
        initial_state ([nbatch or 1] x nstate): full physics states; initial_warmstart ([nbatch or 1] x nv): accelerations.
        control ([nbatch or 1] x [nstep or 1] x ncontrol): values of the components `control_spec` (bits of mjtState).
        nstep: number of steps, if no array determines it; state, sensordata (nbatch x nstep x size): arrays for the results.
        chunk_size: trajectories that a thread takes at a time; skip_checks: trust that arrays are complete and have valid
        shapes. lanes: step several trajectories of one model in one vector, like `batch.Batch(lanes=True)`, without using
        data; results agree up to rounding errors. Raise ValueError for shapes that do not match, RuntimeError after close.
        """

def rollout(model: MjModel | Sequence[MjModel], data: MjData | Sequence[MjData] | None, initial_state: npt.ArrayLike, control: npt.ArrayLike | None = ..., *, control_spec: SupportsIndex = ..., skip_checks: bool = ..., nstep: SupportsIndex | None = ..., initial_warmstart: npt.ArrayLike | None = ..., state: npt.NDArray[np.float64] | None = ..., sensordata: npt.NDArray[np.float64] | None = ..., chunk_size: SupportsIndex | None = ..., persistent_pool: bool = ..., cluster: Any = ..., lanes: bool = ...) -> _Trajectories:
    """Compute trajectories with open-loop controls; return (state, sensordata). See Rollout.rollout. One thread runs for each
    Data in the list `data`.

    persistent_pool: keep the threads for the next call. cluster: workers that compute the trajectories, bit-identically: a
    `batch.Cluster`, or the argument to make one (a number of processes, an address of Ray or Dask, an executor). With a
    cluster, data and chunk_size are not used, and arrays are always checked.
    """

def shutdown_persistent_pool() -> None:
    """Stop the threads kept by `rollout(..., persistent_pool=True)`."""

def stream(cluster: Any, model: MjModel | Sequence[MjModel], initial_state: npt.ArrayLike, control: npt.ArrayLike | None = ..., *, control_spec: SupportsIndex = ..., nstep: SupportsIndex | None = ..., initial_warmstart: npt.ArrayLike | None = ..., lanes: bool = ...) -> Iterator[tuple[int, int, Any, Any]]:
    """Like rollout(..., cluster=cluster), but yield (start, stop, state, sensordata) of each range, in order, as soon as it
    is finished.

    The arrays have the shape (stop - start, nstep, size). Yielded results are not kept, so all results together may exceed the
    memory.
    """
