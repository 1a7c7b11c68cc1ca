"""Rolls out trajectories from initial states with open-loop controls: `rollout.rollout(...)`, or `with
rollout.Rollout(nthread=4) as r`."""

from __future__ import annotations

import atexit
import collections.abc
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from .api.state import size as state_size
from .batch import batch
from .batch.cluster import as_cluster, check_alone
from .batch.lanes import LanesWarning
from .core import hooks
from .core.data import MjData
from .core.model import MjModel
from .step.rollout import Pool, Trajectories
from .tables.enums import mjtEnableBit, mjtState
from .tables.schema import MODEL_SIZES, SCHEMAS
from .tables.values import read_integer

_FULL = int(mjtState.mjSTATE_FULLPHYSICS)
_SLEEP = int(mjtEnableBit.mjENBL_SLEEP)
_CTRL, _USER = int(mjtState.mjSTATE_CTRL), int(mjtState.mjSTATE_USER)
# Model sizes on which the size of a Data depends
_DATA_SIZES = [k for k, n in enumerate(MODEL_SIZES) if any(n in f.dims for f in SCHEMAS["MjData"].arrays)]


class Rollout:
    """A pool of threads for rollouts.

    nthread: number of threads; 0 or None: rollouts run on the calling thread
    """

    def __init__(self, *, nthread: Any = None) -> None:
        self.nthread = 0 if nthread is None else read_integer(nthread, 0, 4096)
        self._pool: Pool | None = Pool(self.nthread)

    def __enter__(self) -> Rollout:
        return self

    def __exit__(self, exc_type: object, exc_val: object, exc_tb: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop the threads. After this, `rollout` raises RuntimeError."""
        if self._pool is not None:
            self._pool.close()
        self._pool = None

    def rollout(
        self,
        model: Any,
        data: Any,
        initial_state: Any,
        control: Any = None,
        *,
        control_spec: Any = _CTRL,
        skip_checks: bool = False,
        nstep: Any = None,
        initial_warmstart: Any = None,
        state: Any = None,
        sensordata: Any = None,
        chunk_size: Any = None,
        lanes: bool = False,
    ) -> tuple[Any, Any]:
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
        pool = self._pool
        if pool is None:
            raise RuntimeError("rollout requested after thread pool shutdown")
        data = list(data) if isinstance(data, collections.abc.Sequence) else [data]
        if not skip_checks:
            model, nstep, initial_state, initial_warmstart, control, state, sensordata = _complete(
                model, control_spec, nstep, chunk_size, initial_state, initial_warmstart, control, state, sensordata
            )

        # run, after the checks that cannot be skipped
        self._run(
            pool,
            model,
            data,
            nstep,
            int(control_spec),
            initial_state,
            initial_warmstart,
            control,
            state,
            sensordata,
            chunk_size,
            lanes,
        )
        return state, sensordata

    def _run(
        self,
        pool: Pool,
        models: Any,
        data: Sequence[Any],
        nstep: int | None,
        spec: int,
        initial_state: np.ndarray,
        warm: Any,
        control: Any,
        state: Any,
        sensordata: Any,
        chunk: int | None,
        lanes: bool,
    ) -> None:
        """Make the checks that cannot be skipped (each row must fit into its array and its Data), then run."""
        nbatch = initial_state.shape[0]

        # check models and data
        models = [models] * nbatch if isinstance(models, MjModel) else list(models)
        _check_data(data, self.nthread)
        if len(models) < nbatch:
            raise ValueError(f"{nbatch} initial states but {len(models)} models")
        models = models[:nbatch]
        for m in models:
            if not isinstance(m, MjModel):
                raise TypeError(f"model needs MjModel, got {type(m).__name__}")
        first = data[0]
        for x in {id(x): x for x in [*models, *data]}.values():
            if any(x.storage.header[k] != first.storage.header[k] for k in _DATA_SIZES):
                raise ValueError("models are not compatible")
        if nstep is None or nstep < 1:
            return

        # check arrays
        m = models[0]
        ncontrol = state_size(m, spec)
        for name, x, steps, width in (
            ("state0", initial_state, 1, state_size(m, _FULL)),
            ("warmstart0", warm, 1, m.nv),
            ("control", control, nstep, ncontrol),
            ("state", state, nstep, state_size(m, _FULL)),
            ("sensordata", sensordata, nstep, m.nsensordata),
        ):
            _check_array(name, x, nbatch * steps * width, name in ("state", "sensordata"))

        # run
        if lanes and _on_lanes(max(1, self.nthread), models, nstep, spec, initial_state, warm, control, state, sensordata):
            return
        chunk = None if chunk is None else max(1, chunk)
        pool.run(Trajectories(models, nstep, spec, initial_state, warm, control, state, sensordata, ncontrol), data, chunk)


def _on_lanes(
    threads: int,
    models: Sequence[MjModel],
    nstep: int,
    spec: int,
    initial_state: np.ndarray,
    warm: Any,
    control: Any,
    state: Any,
    sensordata: Any,
) -> bool:
    """Compute trajectories with a Batch on lanes. If this is impossible, issue a warning and return False."""
    m, count = models[0], len(models)
    # a row of a Batch's state begins with the full physics state only if the model has no plugin state
    obstacles = {
        "trajectories have models of their own": any(x is not m for x in models),
        "plugins, delays and springs that yield need whole steps": m.npluginstate > 0,
        "sleep needs whole steps": bool(m.opt.enableflags & _SLEEP),
        "callbacks are installed": bool(hooks.installed()),
    }
    reason = next((text for text, holds in obstacles.items() if holds), "")
    if reason:
        warnings.warn(f"no lanes: {reason}", LanesWarning, stacklevel=4)
        return False
    many = batch.Batch(m, count, threads, lanes=True)
    many.state[:, : state_size(m, _FULL)] = initial_state.reshape(count, -1)
    many.qacc_warmstart[:] = 0 if warm is None else warm.reshape(count, -1)
    out = {name: x.reshape(count, nstep, -1) for name, x in ((_FULL, state), ("sensordata", sensordata)) if x is not None}
    many.rollout(nstep, None if control is None else control.reshape(count, nstep, -1), spec, tuple(out), out=out)
    return True


def _check_data(data: Sequence[Any], nthread: int) -> None:
    """Raise an error unless data is a list with one Data for each thread."""
    if not data:
        raise ValueError("The list of data instances is empty")
    if nthread == 0 and len(data) > 1:
        raise ValueError("More than one data instance passed but rollout is configured to run on main thread")
    if nthread > 0 and nthread != len(data):
        raise ValueError(f"Length of data: {len(data)} not equal to nthread: {nthread}")
    for d in data:
        if not isinstance(d, MjData):
            raise TypeError(f"data needs MjData, got {type(d).__name__}")
    if len({id(d) for d in data}) != len(data):
        raise ValueError("threads need data instances of their own")


def _check_array(name: str, x: Any, count: int, written: bool) -> None:
    """Raise an error unless an array has the right type and size."""
    if x is None:
        return
    if not isinstance(x, np.ndarray) or x.dtype != np.float64 or not x.flags.c_contiguous or written and not x.flags.writeable:
        raise TypeError(f"{name} needs a C-contiguous float64 array{', writeable' if written else ''}")
    if x.size != count:
        raise ValueError(f"{name}.size should be {count}, got {x.size}")


# ---- completing arguments ------------------------------------------------------------------------------------------------
def _complete(
    model: Any,
    spec: int,
    nstep: Any,
    chunk: Any,
    initial_state: Any,
    warm: Any,
    control: Any,
    state: Any,
    sensordata: Any,
    allocate: bool = True,
) -> tuple[Any, ...]:
    """Return (models, nstep, arrays): infer sizes from each other, and repeat single rows. `allocate`: allocate missing
    result arrays."""
    models = [model] if isinstance(model, MjModel) else list(model)

    # types and dimensions
    if spec & ~_USER:
        raise ValueError("control_spec can only contain bits in mjSTATE_USER")
    for name, value in (("nstep", nstep), ("chunk_size", chunk)):
        if value and not isinstance(value, int):
            raise ValueError(f"{name} must be an integer")
    named = {
        "initial_state": initial_state,
        "initial_warmstart": warm,
        "control": control,
        "state": state,
        "sensordata": sensordata,
    }
    dims = {"initial_state": 2, "initial_warmstart": 2, "control": 3, "state": 3, "sensordata": 3}
    for name, x in named.items():
        if x is not None and not isinstance(x, (np.ndarray, float)):
            raise ValueError(f"{name} must be a numpy array or float")
    for name, x in named.items():
        if np.ndim(x) > dims[name] and x is not None:
            raise ValueError(f"{name} can have at most {dims[name]} dimensions")

    # find the number of trajectories and steps
    named = {name: None if x is None else _leading(x, dims[name]) for name, x in named.items()}
    nbatch = _common(0, 1, named)
    if nbatch == 1:
        nbatch = len(models)
    if len(models) > 1 and len(models) != nbatch:
        raise ValueError(f"nbatch inferred as {nbatch} but model is length {len(models)}")
    nstep = _common(1, nstep or 1, {n: named[n] for n in ("control", "state", "sensordata")})

    # repeat rows as needed
    widths = _widths(models, spec)
    for name, width in zip(("initial_state", "state", "control", "initial_warmstart", "sensordata"), widths, strict=True):
        x = named[name]
        if x is not None and x.shape[-1] != width:
            raise ValueError(f"trailing dimension of {name} must be {width}, got {x.shape[-1]}")
    models = models * nbatch if len(models) == 1 else models
    inputs = [
        _repeat(named[n], shape)
        for n, shape in (("initial_state", (nbatch,)), ("initial_warmstart", (nbatch,)), ("control", (nbatch, nstep)))
    ]
    results = [
        np.empty((nbatch, nstep, width)) if named[n] is None and allocate else named[n]
        for n, width in (("state", widths[0]), ("sensordata", widths[4]))
    ]
    return models, nstep, *inputs, *results


def _widths(models: Sequence[MjModel], spec: int) -> tuple[int, ...]:
    """Return the row sizes of initial state, state, control, warm start and sensors, which must be the same for all
    models."""
    found = {
        (state_size(m, _FULL), state_size(m, _FULL), state_size(m, spec), m.nv, m.nsensordata)
        for m in {id(m): m for m in models}.values()
    }
    if len(found) != 1:
        raise ValueError("models are not compatible")
    return found.pop()


def _leading(x: Any, ndim: int) -> np.ndarray:
    """Return a C-contiguous float64 array with `ndim` axes; leading axes of length 1 are added."""
    x = np.asarray(x)
    return np.ascontiguousarray(x.reshape((1,) * (ndim - x.ndim) + x.shape), np.float64)


def _common(axis: int, value: int, named: dict[str, Any]) -> int:
    """Return the common length of arrays along an axis. Arrays of length 1 do not count."""
    for name, x in named.items():
        if x is None or x.shape[axis] == value:
            continue
        if value == 1:
            value = x.shape[axis]
        elif x.shape[axis] != 1:
            raise ValueError(f"dimension {axis} inferred as {value} but {name} has {x.shape[axis]}")
    return value


def _repeat(x: np.ndarray | None, lengths: tuple[int, ...]) -> np.ndarray | None:
    """Repeat axes of length 1 to the given lengths."""
    if x is None:
        return None
    return np.ascontiguousarray(np.broadcast_to(x, (*lengths, *x.shape[len(lengths) :])))


# ---- one function --------------------------------------------------------------------------------------------------------
_persistent = None


def shutdown_persistent_pool() -> None:
    """Stop the threads kept by `rollout(..., persistent_pool=True)`."""
    global _persistent
    if _persistent is not None:
        _persistent.close()
    _persistent = None


atexit.register(shutdown_persistent_pool)


def rollout(
    model: Any,
    data: Any,
    initial_state: Any,
    control: Any = None,
    *,
    control_spec: Any = _CTRL,
    skip_checks: bool = False,
    nstep: Any = None,
    initial_warmstart: Any = None,
    state: Any = None,
    sensordata: Any = None,
    chunk_size: Any = None,
    persistent_pool: bool = False,
    cluster: Any = None,
    lanes: bool = False,
) -> tuple[Any, Any]:
    """Compute nbatch trajectories with open-loop controls, with one thread for each Data in the list `data`. Return (state,
    sensordata), float64 (nbatch, nstep, nstate) and (nbatch, nstep, nsensordata). ValueError for shapes or models that do
    not match, batch.ClusterError if workers fail.

    initial_state, control, initial_warmstart, state, sensordata: as for `Rollout.rollout`; so are other arguments
    persistent_pool: keep the threads for the next call
    cluster: workers that compute the trajectories, bit-identically: a `batch.Cluster`, or the argument to make one (a number of
        processes, an address of Ray or Dask, an executor). With a cluster, data and chunk_size are not used, and arrays are
        always checked.
    """
    global _persistent
    if cluster is not None:
        (state, sensordata), ranges = _spread(
            cluster, model, initial_state, control, control_spec, nstep, initial_warmstart, state, sensordata, lanes=lanes
        )
        for start, stop, result in ranges:
            state[start:stop], sensordata[start:stop] = result
        return state, sensordata

    # run on threads of this process
    data = list(data) if isinstance(data, collections.abc.Sequence) else [data]
    nthread = len(data) if len(data) > 1 else 0
    if persistent_pool:
        if _persistent is None or _persistent.nthread != nthread:
            shutdown_persistent_pool()
            _persistent = Rollout(nthread=nthread)
        runner = _persistent
    else:
        runner = Rollout(nthread=nthread)
    try:
        return runner.rollout(
            model,
            data,
            initial_state,
            control,
            control_spec=control_spec,
            skip_checks=skip_checks,
            nstep=nstep,
            initial_warmstart=initial_warmstart,
            state=state,
            sensordata=sensordata,
            chunk_size=chunk_size,
            lanes=lanes,
        )
    finally:
        if runner is not _persistent:
            runner.close()


# ---- on a cluster --------------------------------------------------------------------------------------------------------
def compute_range(
    models: list[MjModel], spec: int, nstep: int, initial_state: np.ndarray, warm: Any, control: Any, lanes: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """Compute some trajectories in a worker; return (state, sensordata)."""
    with Rollout() as runner:
        return runner.rollout(
            models,
            MjData(models[0]),
            initial_state,
            control,
            control_spec=spec,
            nstep=nstep,
            initial_warmstart=warm,
            lanes=lanes,
        )


def _spread(
    where: Any,
    model: Any,
    initial_state: Any,
    control: Any,
    spec: Any,
    nstep: Any,
    warm: Any,
    *results,
    allocate: bool = True,
    lanes: bool = False,
) -> tuple[Any, Iterator[Any]]:
    """Return ((state, sensordata), iterator). The iterator yields (start, stop, (state, sensordata)) of ranges; the arrays of
    all trajectories are not filled yet."""
    # check all arguments before sending any to a worker
    if initial_state is None:
        raise ValueError("initial_state must be given")
    spec = int(spec)
    models, nstep, initial_state, warm, control, *results = _complete(
        model,
        spec,
        nstep,
        None,
        initial_state,
        warm,
        control,
        *results,
        allocate,  # pyright: ignore[reportCallIssue]
    )
    for m in models:
        if any(m.storage.header[k] != models[0].storage.header[k] for k in _DATA_SIZES):
            raise ValueError("models are not compatible")
    for name, x, width in zip(("state", "sensordata"), results, (state_size(models[0], _FULL), models[0].nsensordata)):
        _check_array(name, x, len(models) * nstep * width, True)
    check_alone()
    cluster, own = as_cluster(where)
    # send a model only once if all trajectories use it
    models, count = models[:1] if all(m is models[0] for m in models) else models, len(models)

    def cut(start: int, stop: int) -> tuple[Any, ...]:
        return spec, nstep, *(None if x is None else x[start:stop] for x in (initial_state, warm, control)), lanes

    def ranges() -> Iterator[Any]:
        try:
            yield from cluster.spread(compute_range, models, count, cut)
        finally:
            if own:
                cluster.close()

    return results, ranges()


def stream(
    cluster: Any,
    model: Any,
    initial_state: Any,
    control: Any = None,
    *,
    control_spec: Any = _CTRL,
    nstep: Any = None,
    initial_warmstart: Any = None,
    lanes: bool = False,
) -> Iterator[tuple[int, int, Any, Any]]:
    """Like rollout(..., cluster=cluster), but yield (start, stop, state, sensordata) of each range, in order, as soon as it
    is finished. The arrays are float64 (stop - start, nstep, nstate) and (stop - start, nstep, nsensordata). Yielded results
    are not kept, so all results together may exceed the memory. Errors are those of `rollout`.

    initial_state, control, initial_warmstart: as for `Rollout.rollout`; so are other arguments
    """
    _, ranges = _spread(
        cluster, model, initial_state, control, control_spec, nstep, initial_warmstart, None, None, allocate=False, lanes=lanes
    )
    return ((start, stop, *result) for start, stop, result in ranges)


__all__ = ["Rollout", "rollout", "shutdown_persistent_pool", "stream"]
