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

DATA_FIELDS: frozenset[str]
MODEL_FIELDS: frozenset[str]
uniform: Callable[..., float]
normal: Callable[..., float]

class Batch:
    """Many simulations of a copy of a model, stepped on threads by compiled code.

        b = Batch(model, nsim=1024)
        qpos, ctrl = b.bind("qpos"), b.bind("ctrl")
        ctrl[:] = policy(qpos); b.step()

    Each simulation has a row in two arrays: `state`, float64 (nsim, nstate), contains its integration state; `warning`, int32
    (nsim, mjNWARNING, 2), contains lastinfo and number. A call loads rows into a Data, computes without the interpreter lock,
    and stores the rows, so memory grows only with the number of threads. Results are bit-identical to single steps, whatever
    the number of threads and the number and order of simulations. `bind` returns live arrays, also as attributes: `b.xpos`.

    After a call, `status`, int32 (nsim,), is nonzero for simulations that failed; these keep their state, and the call raises
    SimulationError. Concurrent calls from several threads run one after the other. During a call, changes (bind, expand, ...)
    and calls from functions in the loop raise BatchInUse. Wrong arguments raise ValueError, TypeError, IndexError, FatalError.

    nsim: number of simulations, at least 1
    nthread: number of threads, including the caller's; 0: one for each processor
    persistent: give each simulation its own Data, which sleep needs
    lanes: True vectorizes steps if the model allows it (`engine.lanes`); the last bits of results differ from single steps.
        False: never. "auto": after many steps, if faster. Another process translates the model first, so the step at which the
        last bits change depends on the machine.
    """
    def __init__(self, model: MjModel, nsim: int, nthread: int = 0, persistent: bool = False, lanes: bool | str = "auto") -> None: ...
    @property
    def nsim(self) -> int:
        """Number of simulations."""
    @property
    def nthread(self) -> int:
        """Number of threads, including the calling thread."""
    @property
    def nstate(self) -> int:
        """Number of values in a row of `state`: mj_stateSize(model, mjSTATE_INTEGRATION)."""
    @property
    def persistent(self) -> bool:
        """Whether each simulation has its own Data."""
    @property
    def shared_model(self) -> MjModel:
        """The batch's copy of the model. All worlds use it, except for expanded fields."""
    @property
    def template(self) -> MjData:
        """A scratch Data of the model, from which array shapes are read. Any call may overwrite it."""
    def error(self, sim: int) -> str:
        """Return why a simulation failed in its last call; empty if it succeeded. IndexError if there is no such simulation."""
    def bind(self, name: str) -> Any:
        """Return the live (nsim, ...) array of a field of MjData, one of DATA_FIELDS. ValueError if it cannot be bound. State
        fields are views of the rows of `state` (float64): the next call starts from the values you write. Other fields are
        read-only copies that each call refreshes; they are zero until the next call, unless the batch is persistent.
        """
    def expand(self, name: str) -> np.ndarray:
        """Return the live (nsim, ...) array of a Model field, with a value for each simulation: one of MODEL_FIELDS, or
        `opt.<name>`. After writing a field that mj_setConst reads, such as a mass, call set_const. ValueError for other names,
        FatalError after set_models.
        """
    def expanded(self, name: str) -> np.ndarray | None:
        """Return the read-only (nsim, ...) values of a field; None if all simulations share one value."""
    def is_expanded(self, name: str) -> bool:
        """Return whether `expand` was called for a field."""
    def set_const(self, ids: npt.ArrayLike | None = None) -> None:
        """Run mj_setConst on each simulation's model; the computed fields then have separate values for each simulation.
        FatalError after set_models.

        ids: as for `step`
        """
    def set_models(self, models: MjModel | Sequence[MjModel] | None) -> None:
        """Run simulation i on models[i], or all on one model; None restores the batch's model. Raise FatalError if fields are
        expanded or the models' sizes differ.
        """
    @property
    def models(self) -> MjModel | tuple[MjModel, ...] | None:
        """The argument of set_models: None, a model, or a tuple with one model per simulation."""
    def model_of(self, sim: int) -> MjModel:
        """Return the model of a simulation, without its expanded values."""
    def step(self, ids: npt.ArrayLike | None = None, nstep: int = 1, stage: int = 0) -> None:
        """Make nstep steps of each simulation, then forward dynamics up to a stage. Results other than the state belong to the
        state before the last step, as with mj_step. FatalError for other values of nstep or stage.

        ids: simulations to step: int (n,), sorted and unique, or bool (nsim,); None: all. ValueError for other values
        nstep: number of steps, at least 1
        stage: mjtStage: mjSTAGE_VEL updates what depends on positions and velocities, mjSTAGE_ACC everything
        """
    def forward(self, ids: npt.ArrayLike | None = None, stage: int = 3) -> None:
        """Run forward dynamics up to a stage, by default like mj_forward.

        ids, stage: as for `step`
        """
    def reset(self, ids: npt.ArrayLike | None = None, keyframe: npt.ArrayLike = -1, stage: int = 3) -> None:
        """Set the initial state or a keyframe's, then run forward dynamics.

        ids, stage: as for `step`
        keyframe: int () or (n,): index of the keyframe for all or for each simulation; -1: the initial state
        """
    def rollout(self, nstep: int, control: npt.ArrayLike | None = None, control_spec: int = 32, record: Sequence[Any] = ..., ids: npt.ArrayLike | None = None, out: dict[Any, np.ndarray] | None = None, cluster: Any = None) -> dict[Any, npt.NDArray[Any]]:
        """Make nstep steps and record results after each. Return {item: (n, nstep, ...)} for the call's n simulations. After a
        warning, a simulation stops and repeats its last results. ValueError for wrong arguments.

        control: float64 (n, nstep, ncontrol), or an array that broadcasts to it: values of `control_spec`; None: no change
        control_spec: state components, bits of mjSTATE_USER
        record: names of MjData fields, or mjtState numbers of state components
        ids: as for `step`
        out: {item: C-contiguous array (n, nstep, ...) to record into}
        cluster: workers, as for `rollout.rollout`; results are bit-identical
        """
    def jac(self, body: npt.ArrayLike, point: npt.ArrayLike, ids: npt.ArrayLike | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Return Jacobians (jacp, jacr) of world points, each float64 (n, 3, nv).

        body: int () or (n,): id of the body with which each point moves
        point: float64 (3) or (n, 3): in meters
        ids: as for `step`
        """
    def ray(self, pnt: npt.ArrayLike, vec: npt.ArrayLike, geomgroup: npt.ArrayLike | None = None, flg_static: bool = True, bodyexclude: npt.ArrayLike = -1, ids: npt.ArrayLike | None = None, normal: bool = False) -> tuple[np.ndarray, ...]:
        """Cast rays in n simulations. Return (dist, geomid), float64 and int32 (n, nray), and if `normal` also normals, float64
        (n, nray, 3). Both dist (in lengths of vec) and geomid are -1 for a miss.

        pnt, vec: float64 (3), (nray, 3) or (n, nray, 3): starts in the world, in meters, and directions
        geomgroup: uint8 (6): flags of the groups to include; None: all
        bodyexclude: int (), (nray,) or (n, nray): id of a body whose geoms are ignored, or -1
        ids: as for `step`
        """
    def fail(self, world: int, text: str) -> None:
        """Record that a world failed."""
    def before_step(self, function: Callable[..., Any], *arrays: np.ndarray) -> Function:
        """Call function(m, d, i, *arrays) before each step of simulation i, compiled, without the interpreter lock. It may read
        and write simulation i's MjData (ctrl, qfrc_applied, ...). Functions run in the order in which they were added. If one
        cannot be compiled, it runs interpreted, with a SlowFunction warning. Before a call's first step, d has the state of
        simulation i, but its computed fields may be another simulation's. ValueError if the function writes a read-only array.

        arrays: the caller's arrays (nsim, ...) of any numeric type, read and written at i
        """
    def after_step(self, function: Callable[..., Any], *arrays: np.ndarray) -> Function:
        """Like `before_step`, but called after each step, before results are recorded: for rewards and termination."""
    def at_reset(self, function: Callable[..., Any], *arrays: np.ndarray) -> Function:
        """Like `before_step`, but called after each reset or restart, e.g. to draw states with `uniform(batch.random, i)`.
        To randomize the model, pass arrays from `expand`: values written at index i change simulation i's model.
        """
    def remove(self, function: Function) -> None:
        """Remove a function, given by the object that before_step, after_step or at_reset returned."""
    def restart(self, ended: np.ndarray | None) -> None:
        """After each step, even in the middle of a call, restart every simulation i with nonzero ended[i].

        ended: bool or uint8 (nsim,), written by functions or the caller; it is not cleared. None: no restarts
        """
    @property
    def random(self) -> np.ndarray:
        """int64 (nsim,): each simulation's position in its random sequence, for `uniform` and `normal`; `seed` restarts it."""
    def seed(self, seed: int) -> None:
        """Restart the random sequences. Simulation i's sequence depends only on the seed and on i."""
    def observe(self, *names: str, dtype: npt.DTypeLike = ...) -> np.ndarray:
        """Return a live (nsim, n) array of observations in one block of memory, which every call refreshes. torch and JAX can
        share it: torch.from_dlpack(array).

        names: fields of MjData ("qpos"), sensors ("sensor:gyro"), attributes ("site:hand.xpos"). ValueError for unknown ones
        dtype: float64, or float32 as learners expect. TypeError for others
        """
    def get_model(self, sim: int, model: MjModel | None = None) -> MjModel:
        """Return a copy of a simulation's model with its expanded values, in `model` if given. FatalError for other sizes."""
    def get_data(self, sim: int, data: MjData | None = None) -> MjData:
        """Return a Data (`data`, or a new one) with a simulation's state and warnings; if persistent, with all values.
        FatalError if the sizes of `data` differ.
        """
    def actuator(self, key: int | str) -> Named:
        """The actuator of a name or number in all simulations: see Named."""
    def body(self, key: int | str) -> Named:
        """The body of a name or number in all simulations: see Named."""
    def camera(self, key: int | str) -> Named:
        """The camera of a name or number in all simulations: see Named."""
    def geom(self, key: int | str) -> Named:
        """The geom of a name or number in all simulations: see Named."""
    def joint(self, key: int | str) -> Named:
        """The joint of a name or number in all simulations: see Named."""
    def light(self, key: int | str) -> Named:
        """The light of a name or number in all simulations: see Named."""
    def sensor(self, key: int | str) -> Named:
        """The sensor of a name or number in all simulations: see Named."""
    def site(self, key: int | str) -> Named:
        """The site of a name or number in all simulations: see Named."""
    def tendon(self, key: int | str) -> Named:
        """The tendon of a name or number in all simulations: see Named."""
    def equality(self, key: int | str) -> Named:
        """The equality of a name or number in all simulations: see Named."""
    def keyframe(self, key: int | str) -> Named:
        """The keyframe of a name or number in all simulations: see Named."""
    def material(self, key: int | str) -> Named:
        """The material of a name or number in all simulations: see Named."""
    def numeric(self, key: int | str) -> Named:
        """The numeric of a name or number in all simulations: see Named."""
    def pair(self, key: int | str) -> Named:
        """The pair of a name or number in all simulations: see Named."""
    def __getattr__(self, name: str) -> Any: ...
    def __setattr__(self, name: str, value: Any) -> None: ...

class Cluster:
    """The workers of `rollout(..., cluster=...)`, and their task settings. `with Cluster(4) as c:` keeps its processes
    between calls. TypeError for other arguments, ValueError unless seconds and timeout are positive.

    where: a number of processes on this machine, the address of a Ray cluster ("auto", "host:6379", "ray://host:10001") or
        of a Dask scheduler ("tcp://host:8786", "dask:host:8786"), a dask.distributed.Client, any concurrent.futures.Executor
        (MPI, Loky, ...), or a function without arguments that returns an executor. The function is called again if a worker's
        death breaks the executor.
    workers: number of concurrent tasks; 0: as many as `where` reports
    seconds: target duration of a task in seconds
    timeout: seconds without an answer after which a task is reassigned
    attempts: maximum number of tries of a task
    progress: called as progress(done, count) when a range is complete
    """
    def __init__(self, where: Any, *, workers: int = 0, seconds: float = 1.0, timeout: float = 600.0, attempts: int = 5, progress: Callable[[int, int], object] | None = None) -> None: ...
    def __enter__(self) -> Cluster: ...
    def __exit__(self, exc_type: Any, exc_val: Any, exc_tb: Any) -> None: ...
    def pool(self) -> Any:
        """The workers: a Pool, started when first used."""
    def close(self, hurry: bool = False) -> None:
        """Stop the processes that this object started. `hurry`: do not wait for their tasks."""
    def spread(self, function: Callable[..., Any], models: Sequence[MjModel], count: int, cut: Callable[[int, int], tuple[Any, ...]]) -> Iterator[tuple[int, int, Any]]:
        """Yield (start, stop, function(models[start:stop], *cut(start, stop))), in order, for ranges that cover range(count).
        ClusterError is raised if a worker has another version or processor, or if a range fails too often.

        function: importable by workers; its exceptions are raised here
        models: one for each index, or a single model, which the function receives in a list of length one
        """

class ClusterError(RuntimeError):
    """Raised if workers cannot be used: their version or processor differs, too many died, or the executor is broken."""

class Function:
    """A user's function in the step loop: the address of its code, and a table of the addresses and lengths of its arrays.

    `named`: the fields of Data that it uses; None if unknown.

    function: called as function(m, d, i, *arrays). TypeError if it cannot be called
    arrays: arrays (nsim, ...) of any numeric type. ValueError if the function writes to a read-only one
    """
    function: Callable[..., Any]
    arrays: tuple[np.ndarray, ...]
    table: np.ndarray
    code: Any
    address: int
    compiled: bool
    named: frozenset[str] | None
    def __init__(self, function: Callable[..., Any], arrays: tuple[np.ndarray, ...]) -> None: ...

class Named:
    """One element's parts of bound and expanded fields, under the attribute names of MjData and MjModel: arrays (nsim, ...).

    Reading an attribute of Data binds its field. Reading an attribute of the Model does not expand it: it returns each
    world's values from `expand` or `set_const`, else the shared value; only expanded values are writable. Assigning expands
    the field and writes every world's value. Addresses, counts, ids and types are the same in all worlds and cannot be
    assigned.

    batch: the Batch
    kind: type of the element, such as "body"
    key: its name or id. KeyError for unknown names
    """
    id: Any
    name: Any
    def __init__(self, batch: Any, kind: str, key: int | str) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def __setattr__(self, name: str, value: Any) -> None: ...

class SimulationError(RuntimeError):
    """Raised if worlds of a call failed. They keep their state from before the call; the other worlds are complete.
    `Batch.error(i)` returns the reason.

    ids: int (k,), the worlds that failed
    message: the reason for the first of them
    count: number of worlds in the call
    """
    ids: np.ndarray
    def __init__(self, ids: Any, message: str, count: int | None = None) -> None: ...

class SlowFunction(UserWarning):
    """Warning: a function is called through the interpreter, in every step of every simulation."""
