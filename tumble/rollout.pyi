"""Written by `python -m tumble.stubs`; not to be edited."""
import enum
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import IO, Any, Generic, SupportsFloat, SupportsIndex, TypeAlias, TypeVar, overload

import numpy as np
import numpy.typing as npt



from . import MjData, MjModel, MjrRect, MjvCamera, MjvFigure, MjvOption, MjvPerturb, MjvScene

_Trajectories: TypeAlias = tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]

class Rollout:
    """A pool of threads for rollouts; with `nthread` 0 or None, they run on the calling thread."""
    def __init__(self, *, nthread: SupportsIndex | None = ...) -> None: ...
    def __enter__(self) -> Rollout: ...
    def __exit__(self, exc_type: Any, exc_val: Any, exc_tb: Any) -> None: ...
    def close(self) -> None:
        """Stop the threads; no rollouts are possible afterwards."""
    def rollout(self, model: MjModel | Sequence[MjModel], data: MjData | Sequence[MjData], initial_state: npt.ArrayLike, control: npt.ArrayLike | None = ..., *, control_spec: SupportsIndex = ..., skip_checks: bool = ..., nstep: SupportsIndex | None = ..., initial_warmstart: npt.ArrayLike | None = ..., state: npt.NDArray[np.float64] | None = ..., sensordata: npt.NDArray[np.float64] | None = ..., chunk_size: SupportsIndex | None = ..., lanes: bool = ...) -> _Trajectories:
        """Trajectories of open-loop controls; returns (state, sensordata).

        model: a model or one a trajectory, all of the same sizes; data: a MjData, or a list of one a thread.
        initial_state ([nbatch or 1] x nstate): full physics states; initial_warmstart ([nbatch or 1] x nv): accelerations.
        control ([nbatch or 1] x [nstep or 1] x ncontrol): values of the components `control_spec` (bits of mjtState).
        nstep: number of steps, if no array tells it; state, sensordata (nbatch x nstep x size): arrays for the results.
        chunk_size: trajectories that a thread takes at a time; skip_checks: arrays are given complete and of the right shapes.
        lanes: step several trajectories of one model side by side, as `batch.Batch(lanes=True)` does, without use of data: numbers agree to rounding.
        ValueError for shapes that do not fit; RuntimeError after close.
        """

def rollout(model: MjModel | Sequence[MjModel], data: MjData | Sequence[MjData] | None, initial_state: npt.ArrayLike, control: npt.ArrayLike | None = ..., *, control_spec: SupportsIndex = ..., skip_checks: bool = ..., nstep: SupportsIndex | None = ..., initial_warmstart: npt.ArrayLike | None = ..., state: npt.NDArray[np.float64] | None = ..., sensordata: npt.NDArray[np.float64] | None = ..., chunk_size: SupportsIndex | None = ..., persistent_pool: bool = ..., cluster: Any = ..., lanes: bool = ...) -> _Trajectories:
    """Trajectories of open-loop controls; returns (state, sensordata). See Rollout.rollout; a list of data makes one thread each.

    persistent_pool: keep the threads for the next call.
    cluster: workers that compute them, with the same bits: a `batch.Cluster`, or what makes one (a number of processes, a Ray address, a Dask
    client, an executor); data and chunk_size are not used then, and arrays are checked.
    """

def shutdown_persistent_pool() -> None:
    """Stop the threads that `rollout(..., persistent_pool=True)` has kept."""

def stream(cluster: Any, model: MjModel | Sequence[MjModel], initial_state: npt.ArrayLike, control: npt.ArrayLike | None = ..., *, control_spec: SupportsIndex = ..., nstep: SupportsIndex | None = ..., initial_warmstart: npt.ArrayLike | None = ..., lanes: bool = ...) -> Iterator[tuple[int, int, Any, Any]]:
    """As rollout(..., cluster=cluster), in pieces: (start, stop, state, sensordata) of ranges of trajectories, in their order, when they are complete.

    The arrays are (stop - start, nstep, size); results that were taken are not kept, so that they need not fit into memory.
    """
