"""Written by `python -m tumble.stubs`; not to be edited."""
import enum
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import IO, Any, Generic, SupportsFloat, SupportsIndex, TypeAlias, TypeVar, overload

import numpy as np
import numpy.typing as npt



from . import MjData, MjModel, MjrRect, MjvCamera, MjvFigure, MjvOption, MjvPerturb, MjvScene

DATA_FIELDS: frozenset[str]
MODEL_FIELDS: frozenset[str]
uniform: Callable[..., float]
normal: Callable[..., float]

class Batch:
    """nsim simulations of a copy of a model, on nthread threads (0: one a processor), the caller's among them.

    b = Batch(model, nsim=1024)
    qpos, ctrl = b.bind("qpos"), b.bind("ctrl")
    ctrl[:] = policy(qpos); b.step()

    A simulation is a row of `state` (its integration state) and a row of `warning` (nsim, mjNWARNING, 2: last number, count). A call takes
    rows into a Data, works on it without the interpreter lock, and puts the rows back, so that memory grows with threads, not with
    simulations. Results have the bits of single stepping, whatever the number of threads, of simulations and their order. `bind` gives live
    arrays, also as attributes: `b.ctrl = u`, `b.xpos`. With persistent=True each simulation has a Data of its own, which models that sleep need.

    After a call `status` (nsim) is not 0 and `error(i)` has a text where a simulation failed; it keeps the state from before the call.
    lanes=True: steps run on vectors where the model allows it (`engine.lanes`): last bits are not those of single steps. False: never. "auto": when
    many steps were made, if it pays; another process translates the model meanwhile, so the step at which bits change depends on the machine.

    Calls of several threads are made one after the other. In a call, changes (bind, expand, set_models, functions) and calls by the loop's own functions
    raise BatchInUse. Calls raise SimulationError for simulations that fail, ValueError, TypeError, IndexError or FatalError for wrong arguments.
    """
    def __init__(self, model: MjModel, nsim: int, nthread: int = ..., persistent: bool = ..., lanes: bool | str = ...) -> None: ...
    @property
    def nsim(self) -> int:
        """How many simulations."""
    @property
    def nthread(self) -> int:
        """How many threads, the caller's among them."""
    @property
    def nstate(self) -> int:
        """Numbers in a row of `state`: mj_stateSize(model, mjSTATE_INTEGRATION)."""
    @property
    def persistent(self) -> bool:
        """Whether each simulation has a Data of its own."""
    @property
    def shared_model(self) -> MjModel:
        """The batch's copy of the model, which worlds share but for expanded fields."""
    @property
    def template(self) -> MjData:
        """A Data of the model, for shapes; calls overwrite it."""
    def error(self, sim: int) -> str:
        """Why a simulation failed in its last call, or ''. IndexError if there is none of that number."""
    def bind(self, name: str) -> Any:
        """A live (nsim, ...) array of a field of MjData, one of DATA_FIELDS.

        Fields of the state are views of its rows (float64): what is written is the state at the simulation's next call. Others are copied
        out after each call and are read-only; a field bound between two calls is zero until the next one, unless the batch is persistent.
        """
    def expand(self, name: str) -> np.ndarray:
        """Values of each simulation's own for a field of MjModel, one of MODEL_FIELDS, or `opt.<name>`: the live (nsim, ...) array.

        After writing what mj_setConst reads, masses for example, call set_const.
        """
    def expanded(self, name: str) -> np.ndarray | None:
        """The read-only values of a field that `expand` or `set_const` gave each simulation, None if they share it."""
    def is_expanded(self, name: str) -> bool:
        """Whether `expand` was called for a field."""
    def set_const(self, ids: npt.ArrayLike | None = ...) -> None:
        """mj_setConst for each simulation's model; fields that it computes get values of each simulation's own."""
    def set_models(self, models: MjModel | Sequence[MjModel] | None) -> None:
        """Simulation i runs on models[i], or all on one model; None: on the batch's again. FatalError if fields are expanded, or sizes differ."""
    @property
    def models(self) -> MjModel | tuple[MjModel, ...] | None:
        """What set_models was given: None, a model, or a tuple of one for each simulation."""
    def model_of(self, sim: int) -> MjModel:
        """The model that a simulation runs on, but for expanded fields."""
    def step(self, ids: npt.ArrayLike | None = ..., nstep: int = ..., stage: int = ...) -> None:
        """nstep steps of each simulation (ids: sorted numbers or a mask, None for all), then forward dynamics up to a stage (mjtStage).

        Results other than the state belong to the state before the last step, as with mj_step; mjSTAGE_VEL brings those up to date that
        depend on positions and velocities, mjSTAGE_ACC all.
        """
    def forward(self, ids: npt.ArrayLike | None = ..., stage: int = ...) -> None:
        """Forward dynamics up to a stage, by default as mj_forward."""
    def rollout(self, nstep: int, control: npt.ArrayLike | None = ..., control_spec: int = ..., record: Sequence[Any] = ..., ids: npt.ArrayLike | None = ..., out: dict[Any, np.ndarray] | None = ..., cluster: Any = ...) -> dict[Any, npt.NDArray[Any]]:
        """nstep steps with controls for each, and what is recorded after each: {item: (n, nstep, ...)} for the n simulations of the call.

        control (n, nstep, ncontrol): components control_spec (bits of mjSTATE_USER) for each step, None: inputs stay. record: names of fields
        of MjData, or numbers of mjtState for parts of the state. out: {item: array to record into}. A simulation that is warned of
        stops, and its last results are repeated. cluster: workers that do it, as for `rollout.rollout`, with the same bits.
        """
    def jac(self, body: npt.ArrayLike, point: npt.ArrayLike, ids: npt.ArrayLike | None = ...) -> tuple[np.ndarray, np.ndarray]:
        """(jacp, jacr), each (n, 3, nv): Jacobians of points (3) or (n, 3) in world axes, fixed to a body, or one for each simulation."""
    def ray(self, pnt: npt.ArrayLike, vec: npt.ArrayLike, geomgroup: npt.ArrayLike | None = ..., flg_static: bool = ..., bodyexclude: npt.ArrayLike = ..., ids: npt.ArrayLike | None = ..., normal: bool = ...) -> tuple[np.ndarray, ...]:
        """(dist, geomid), each (n, nray), and with `normal` the surfaces' normals (n, nray, 3): see mj_ray; -1 for rays that hit nothing.

        pnt, vec: (3), (nray, 3) or (n, nray, 3); bodyexclude: a body whose geoms are not seen, or one for each ray.
        """
    def fail(self, world: int, text: str) -> None:
        """Take note that a world failed."""
    def before_step(self, function: Callable[..., Any], *arrays: np.ndarray) -> Function:
        """Call function(m, d, i, *arrays) before each step of simulation i, compiled and without the interpreter lock: see `functions`.

        It reads and writes fields of its simulation's MjData (ctrl, qfrc_applied, ...) and the caller's arrays, at i. Functions are called in the
        order in which they were given. One that cannot be compiled is called through the interpreter, with a SlowFunction warning. Before the first
        step of a call only the state is the simulation's own; what was computed is there after a step.
        """
    def after_step(self, function: Callable[..., Any], *arrays: np.ndarray) -> Function:
        """As before_step, after each step, before results are recorded: rewards, ends."""
    def at_reset(self, function: Callable[..., Any], *arrays: np.ndarray) -> Function:
        """As before_step, after each reset, by `reset` or by `restart`: initial states at random, with `uniform(random, i)` of `batch.random`.

        Arrays of `expand` among its arguments are parameters at random: what it writes there at i is its simulation's model from then on.
        """
    def remove(self, function: Function) -> None:
        """Take away what one of these three returned."""
    def restart(self, ended: np.ndarray | None) -> None:
        """Simulations i with ended[i] not 0 behind a step start again, in the middle of a call of many steps, too. None: no more.

        ended: bool or uint8 (nsim,), which functions or the caller write; it is not cleared.
        """
    @property
    def random(self) -> np.ndarray:
        """int64 (nsim,): where each simulation's sequence of random numbers is, for `uniform` and `normal`; begun by `seed`."""
    def seed(self, seed: int) -> None:
        """Begin the sequences of random numbers: simulation i's depends on the seed and i alone."""
    def observe(self, *names: str, dtype: npt.DTypeLike = ...) -> np.ndarray:
        """A live (nsim, n) array of numbers of each simulation, refreshed by every call, one behind the other in one block of memory.

        names: fields of MjData ("qpos"), sensors ("sensor:gyro"), attributes of elements ("site:hand.xpos", "joint:knee.qvel"). dtype: float64,
        or float32 as learners take it. torch and JAX share its memory: torch.from_dlpack(array). ValueError for unknown names.
        """
    def get_model(self, sim: int, model: MjModel | None = ...) -> MjModel:
        """A copy of a simulation's model, with its values of expanded fields; `model`: one of the same sizes to write into."""
    def get_data(self, sim: int, data: MjData | None = ...) -> MjData:
        """A simulation's state and warnings as a MjData, of a persistent batch all of it; `data`: one of the same sizes to write into."""
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
    """Workers for `rollout(..., cluster=...)`, and how tasks are given to them; `with Cluster(4) as c:` keeps own processes between calls.

    where: a number of processes on this machine, the address of a Ray cluster ("auto", "ray://..."), a dask.distributed.Client, any
    concurrent.futures.Executor (of MPI, Loky, ...), or a function without arguments that makes one, also after a worker's death broke it.
    workers: tasks at a time, 0 to ask `where`; seconds: how long a task shall take; timeout: seconds after which a worker counts as silent and
    its task is given to another one; attempts: how often a task is tried; progress(done, count): called when a range is complete.
    """
    def __init__(self, where: Any, *, workers: int = ..., seconds: float = ..., timeout: float = ..., attempts: int = ..., progress: Callable[[int, int], object] | None = ...) -> None: ...
    def __enter__(self) -> Cluster: ...
    def __exit__(self, exc_type: Any, exc_val: Any, exc_tb: Any) -> None: ...
    def pool(self) -> Any:
        """The workers, a Pool, started when they are needed."""
    def close(self, hurry: bool = ...) -> None:
        """Stop processes that were started for this; `hurry`: without waiting for what they do."""
    def spread(self, function: Callable[..., Any], models: Sequence[MjModel], count: int, cut: Callable[[int, int], tuple[Any, ...]]) -> Iterator[tuple[int, int, Any]]:
        """(start, stop, function(models[start:stop], *cut(start, stop))) of ranges that make up range(count), in their order.

        function: importable by workers; models: one for each number, or one for all, which the function then gets as a list of one.
        What it raises is raised here. ClusterError for workers of another version or processor, and for a range that fails too often.
        """

class ClusterError(RuntimeError):
    """Workers that cannot be used: another version or processor, too many that died, an executor that is broken."""

class Function:
    """A function in the loop: the address of its code, and a table of the addresses and lengths of its arrays. `named`: fields of Data that it names,
    None if that is not known.
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
    """One element's part of bound and expanded fields, with the attributes that it has in MjData and MjModel.

    Reading an attribute of Data binds its field. An attribute of the Model is read without expanding it: what `expand` or `set_const` gave
    each world, else the model's value for all, read-only unless `expand` made it. Assigning expands the field and writes every world's
    value. Addresses, counts, ids and types are the same in all worlds and cannot be assigned.
    """
    id: Any
    name: Any
    def __init__(self, batch: Any, kind: str, key: int | str) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def __setattr__(self, name: str, value: Any) -> None: ...

class SimulationError(RuntimeError):
    """Some worlds of a call failed: `ids`. They keep the state from before the call; the others are complete. `Batch.error(i)` says why."""
    ids: np.ndarray
    def __init__(self, ids: Any, message: str, count: int | None = ...) -> None: ...

class SlowFunction(UserWarning):
    """A function that is called through the interpreter in every step of every simulation."""
