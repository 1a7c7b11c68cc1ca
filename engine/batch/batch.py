"""Batch: many simulations of one model, stepped on threads by compiled code. See class `Batch`."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..api.state import size as state_size
from ..core import edits, stages
from ..core.data import MjData
from ..core.model import MjModel
from ..core.report import FatalError
from ..step import worlds
from ..tables.enums import mjtEnableBit, mjtStage, mjtState, mjtWarning
from ..tables.values import assign, read_integer
from . import chance
from .arguments import broadcast_integers, check_marks, jacobians, outputs, rays, read_ids, read_span
from .copy_rows import Table, address, columns_of, initial_rows, rows_of
from .elsewhere import check_no_obstacle, roll_out_elsewhere
from .expansion import Expansion
from .fields import DATA_FIELDS, OPTION, STATE_FIELDS, did_you_mean, is_output, not_bindable
from .functions import Function
from .lanes import Choice
from .models import NEEDS_PERSISTENT, one_for_each, worker_data
from .plans import Plan
from .threads import Call, SimulationError, Threads, check_callbacks, processors
from .views import add_accessors, span_of

_SLEEP = int(mjtEnableBit.mjENBL_SLEEP)
_INTEGRATION, _CTRL = (int(mjtState[f"mjSTATE_{n}"]) for n in ("INTEGRATION", "CTRL"))
_NONE, _ACC = int(mjtStage.mjSTAGE_NONE), int(mjtStage.mjSTAGE_ACC)
# names of the methods, for error messages
_METHODS = {worlds.STEP: "Batch.step or rollout", worlds.FORWARD: "Batch.forward", worlds.APPLY: "Batch.jac or ray"}
# _ASSIGNED: attributes that can be assigned. _FIXED: read-only attributes.
_ASSIGNED, _FIXED = ("state", "warning", "random"), ("model", "status", "ids")


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

    def __init__(self, model: MjModel, nsim: int, nthread: int = 0, persistent: bool = False, lanes: bool | str = "auto"):
        if not isinstance(model, MjModel):
            raise TypeError(f"Batch(): incompatible constructor arguments: needs MjModel, got {type(model).__name__}")
        self._nsim = read_integer(nsim)
        if self._nsim <= 0:
            raise ValueError("nsim must be positive")
        if model.opt.enableflags & _SLEEP and not persistent:
            raise ValueError(NEEDS_PERSISTENT)
        nthread = read_integer(nthread)
        own = self.__dict__
        own["model"] = model
        # copy the model, so that later changes of the caller's model have no effect
        self._model = copy.copy(model)
        self._lanes = Choice(lanes)
        self._threads = Threads(min(nthread if nthread > 0 else processors(), self._nsim))
        self._data = [worker_data(self._model) for _ in range(self.nthread)]
        self._persistent = [worker_data(self._model) for _ in range(self._nsim)] if persistent else None
        self._addresses = np.array([d.storage.address for d in self._persistent], np.int64) if self._persistent else None
        self._expansion, self._thread_models = Expansion(self._model, self._nsim), []
        self._models: Any = None
        self._model_addresses = None

        # arrays that compiled code reads and writes
        self._bound: dict[str, np.ndarray] = {}
        self._outputs, self._functions = Table(), []
        self._ended: np.ndarray | None = None
        # whether a Python function called in the step loop may keep a reference to a simulation's Data
        self._shown = False
        self._shared: Plan | None = None
        self._random: np.ndarray | None = None
        self._errors: dict[int, str] = {}
        self._turn = self._threads.turn
        self._state = initial_rows(self._model, self._data[0], self._nsim)
        self._warning = np.zeros((self._nsim, int(mjtWarning.mjNWARNING), 2), np.int32)
        self._status = np.zeros(self._nsim, np.int32)
        # scripts get views: if they changed the shape of the arrays themselves, compiled code would not notice
        own.update(state=self._state.view(), warning=self._warning.view(), status=self._status.view(), ids=None)
        self.status.flags.writeable = False

    # ---- properties ------------------------------------------------------------------------------------------------------
    @property
    def nsim(self) -> int:
        """Number of simulations."""
        return self._nsim

    @property
    def nthread(self) -> int:
        """Number of threads, including the calling thread."""
        return self._threads.count

    @property
    def nstate(self) -> int:
        """Number of values in a row of `state`: mj_stateSize(model, mjSTATE_INTEGRATION)."""
        return self._state.shape[1]

    @property
    def persistent(self) -> bool:
        """Whether each simulation has its own Data."""
        return self._persistent is not None

    @property
    def shared_model(self) -> MjModel:
        """The batch's copy of the model. All worlds use it, except for expanded fields."""
        return self._model

    @property
    def template(self) -> MjData:
        """A scratch Data of the model, from which array shapes are read. Any call may overwrite it."""
        return self._data[0]

    def __getattr__(self, name: str) -> np.ndarray:
        if name in DATA_FIELDS:
            return self.bind(name)
        known = {*DATA_FIELDS, *(n for n in dir(type(self)) if n[0] != "_"), *(n for n in self.__dict__ if n[0] != "_")}
        raise AttributeError(f"'Batch' object has no attribute {name!r}{did_you_mean(name, known)}")

    def __setattr__(self, name: str, value: Any) -> None:
        if name in STATE_FIELDS:
            np.copyto(self.bind(name), value, casting="same_kind")
        elif name in _ASSIGNED:
            assign(getattr(self, name), value)
        elif name in DATA_FIELDS:
            raise is_output(name)
        elif name in _FIXED:
            raise AttributeError(f"{name} of a Batch cannot be changed")
        else:
            object.__setattr__(self, name, value)

    def __dir__(self) -> list[str]:
        return sorted({*object.__dir__(self), *DATA_FIELDS})

    def error(self, sim: int) -> str:
        """Return why a simulation failed in its last call; empty if it succeeded. IndexError if there is no such simulation."""
        return self._errors.get(self._index(sim), "")

    def _index(self, sim: Any) -> int:
        sim = read_integer(sim)
        if not 0 <= sim < self._nsim:
            raise IndexError(f"sim must be in [0, {self._nsim}), got {sim}")
        return sim

    # ---- fields of Data --------------------------------------------------------------------------------------------------
    def bind(self, name: str) -> np.ndarray:
        """Return the live (nsim, ...) array of a field of MjData, one of DATA_FIELDS. ValueError if it cannot be bound. State
        fields are views of the rows of `state` (float64): the next call starts from the values you write. Other fields are
        read-only copies that each call refreshes; they are zero until the next call, unless the batch is persistent."""
        if name in self._bound:
            return self._bound[name]
        if name not in DATA_FIELDS:
            raise not_bindable(name)
        with self._turn.change(f"Batch.bind({name!r})"):
            if name not in self._bound:
                self._bound[name] = columns_of(self._state, name, self._model) if name in STATE_FIELDS else self._output(name)
        return self._bound[name]

    def _output(self, name: str) -> np.ndarray:
        x = rows_of(name, self._model, self._nsim, self._persistent)
        self._outputs.output(name, x)
        view = x.view()
        view.flags.writeable = False
        return view

    # ---- fields of the Model ---------------------------------------------------------------------------------------------
    def expand(self, name: str) -> np.ndarray:
        """Return the live (nsim, ...) array of a Model field, with a value for each simulation: one of MODEL_FIELDS, or
        `opt.<name>`. After writing a field that mj_setConst reads, such as a mass, call set_const. ValueError for other names,
        FatalError after set_models."""
        if not self.is_expanded(name):
            with self._turn.change(f"Batch.expand({name!r})"):
                if self._models is not None:
                    raise FatalError("mjb_expand: the batch runs on caller models")
                self._expansion.expand(name)
                self._thread_models = []
        return self._expansion.shown(name)

    def expanded(self, name: str) -> np.ndarray | None:
        """Return the read-only (nsim, ...) values of a field; None if all simulations share one value."""
        return self._expansion.expanded(name)

    def is_expanded(self, name: str) -> bool:
        """Return whether `expand` was called for a field."""
        return name in self._expansion.given

    def set_const(self, ids: npt.ArrayLike | None = None) -> None:
        """Run mj_setConst on each simulation's model; the computed fields then have separate values for each simulation.
        FatalError after set_models.

        ids: as for `step`"""
        if self._models is not None:
            raise FatalError("mjb_setConst: the batch runs on caller models")
        with self._turn.call("Batch.set_const"):
            ids = self._begin(ids)
            before = self._expansion.derived.keys() | set()
            failed = []
            self._expansion.set_const(
                range(self._nsim) if ids is None else ids.tolist(), lambda i, text: failed.append((i, text))
            )
            if self._expansion.derived.keys() != before:
                self._thread_models = []
            for i, text in failed:
                self.fail(i, text)
        self._raise_failed(ids, len(failed))

    def set_models(self, models: MjModel | Sequence[MjModel] | None) -> None:
        """Run simulation i on models[i], or all on one model; None restores the batch's model. Raise FatalError if fields are
        expanded or the models' sizes differ."""
        each = None if models is None else one_for_each(models, self._model, self._nsim, self.persistent)
        with self._turn.change("Batch.set_models"):
            if self._expansion and models is not None:
                raise FatalError("mjb_setModels: the batch has per-simulation model fields")
            self._models = models if models is None or isinstance(models, MjModel) else tuple(each or ())
            self._model_addresses = None if each is None else np.array([m.storage.address for m in each], np.int64)

    @property
    def models(self) -> MjModel | tuple[MjModel, ...] | None:
        """The argument of set_models: None, a model, or a tuple with one model per simulation."""
        return self._models

    def _caller_model(self, sim: int) -> MjModel | None:
        """Return the model that set_models assigned to a simulation, or None."""
        return None if self._models is None else self.model_of(sim)

    def model_of(self, sim: int) -> MjModel:
        """Return the model of a simulation, without its expanded values."""
        if self._models is None:
            return self._model
        return self._models if isinstance(self._models, MjModel) else self._models[sim]

    # ---- calls -----------------------------------------------------------------------------------------------------------
    def step(self, ids: npt.ArrayLike | None = None, nstep: int = 1, stage: int = _NONE) -> None:
        """Make nstep steps of each simulation, then forward dynamics up to a stage. Results other than the state belong to the
        state before the last step, as with mj_step. FatalError for other values of nstep or stage.

        ids: simulations to step: int (n,), sorted and unique, or bool (nsim,); None: all. ValueError for other values
        nstep: number of steps, at least 1
        stage: mjtStage: mjSTAGE_VEL updates what depends on positions and velocities, mjSTAGE_ACC everything
        """
        nstep = read_integer(nstep)
        if nstep <= 0:
            raise FatalError("mjb_step: nstep must be positive")
        self._call("mjb_step", worlds.STEP, ids, stage, {worlds.NSTEP: nstep})

    def forward(self, ids: npt.ArrayLike | None = None, stage: int = _ACC) -> None:
        """Run forward dynamics up to a stage, by default like mj_forward.

        ids, stage: as for `step`
        """
        self._call("mjb_forward", worlds.FORWARD, ids, stage, {})

    def reset(self, ids: npt.ArrayLike | None = None, keyframe: npt.ArrayLike = -1, stage: int = _ACC) -> None:
        """Set the initial state or a keyframe's, then run forward dynamics.

        ids, stage: as for `step`
        keyframe: int () or (n,): index of the keyframe for all or for each simulation; -1: the initial state
        """
        ids = read_ids(ids, self._nsim)
        with self._turn.call("Batch.reset"):
            nkey = self._model.nkey if self._models is None else min(self.model_of(i).nkey for i in range(self._nsim))
            keys = broadcast_integers(keyframe, (self._nsim if ids is None else len(ids),), -1, nkey, "keyframe")
            self._work("mjb_reset", worlds.RESET, ids, stage, {worlds.KEYS: address(keys)}, keys)

    def rollout(
        self,
        nstep: int,
        control: npt.ArrayLike | None = None,
        control_spec: int = _CTRL,
        record: Sequence[Any] = ("qpos",),
        ids: npt.ArrayLike | None = None,
        out: dict[Any, np.ndarray] | None = None,
        cluster: Any = None,
    ) -> dict[Any, np.ndarray]:
        """Make nstep steps and record results after each. Return {item: (n, nstep, ...)} for the call's n simulations. After a
        warning, a simulation stops and repeats its last results. ValueError for wrong arguments.

        control: float64 (n, nstep, ncontrol), or an array that broadcasts to it: values of `control_spec`; None: no change
        control_spec: state components, bits of mjSTATE_USER
        record: names of MjData fields, or mjtState numbers of state components
        ids: as for `step`
        out: {item: C-contiguous array (n, nstep, ...) to record into}
        cluster: workers, as for `rollout.rollout`; results are bit-identical
        """
        nstep, spec = read_span(nstep, control_spec)
        ids = read_ids(ids, self._nsim)
        n = self._nsim if ids is None else len(ids)
        cells = {worlds.NSTEP: nstep, worlds.HALTS: 1}
        if control is not None:
            ncontrol = state_size(self._model, spec)
            control = np.ascontiguousarray(np.broadcast_to(np.asarray(control, np.float64), (n, nstep, ncontrol)))
            cells |= {worlds.CONTROL: address(control), worlds.SPEC: spec, worlds.NCONTROL: ncontrol}

        # make the table of recorded fields
        table = Table()
        results = outputs(self._model, record, (n, nstep), out or {}, table)
        cells |= {worlds.RECORDS: address(table.rows), worlds.NRECORD: len(table.rows)}
        if cluster is not None:
            self._roll_out_elsewhere(cluster, ids, (nstep, control, spec, self._lanes.wanted is True), results)
            return results
        self._call("mjb_rollout", worlds.STEP, ids, _NONE, cells, control, table)
        return results

    def _roll_out_elsewhere(self, cluster: Any, ids: Any, call: tuple, results: dict[Any, np.ndarray]) -> None:
        obstacles = {
            "functions": self._functions,
            "restart": self._ended is not None,
            "set_models": self._models is not None,
            "persistent": self._persistent is not None,
            "bound or observed outputs": self._outputs.arrays,
        }
        check_no_obstacle(obstacles)

        with self._turn.call("Batch.rollout"):
            self._prepared()
            ids = self._begin(ids)
            rows, fields = np.arange(self._nsim) if ids is None else ids, (self._expansion.given, self._expansion.derived)
            own = (rows, self._state, self._warning)
            parts = roll_out_elsewhere(cluster, worlds_of, self._model, own, fields, call, results)
            # the simulations get their new states only after all ranges of simulations are complete
            for start, i, state, warning, errors in parts:
                self._state[i], self._warning[i] = state, warning
                for k, text in errors.items():
                    self.fail(int(rows[start + k]), text)
            self._raise_failed(ids, np.count_nonzero(self._status[rows]))

    def jac(self, body: npt.ArrayLike, point: npt.ArrayLike, ids: npt.ArrayLike | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Return Jacobians (jacp, jacr) of world points, each float64 (n, 3, nv).

        body: int () or (n,): id of the body with which each point moves
        point: float64 (3) or (n, 3): in meters
        ids: as for `step`
        """
        ids = read_ids(ids, self._nsim)
        n = self._nsim if ids is None else len(ids)
        cells, results, alive = jacobians(body, point, n, self._model.nbody, self._model.nv)
        self._query("world_jacobian", ids, cells, *alive, *results)
        return results

    def ray(
        self,
        pnt: npt.ArrayLike,
        vec: npt.ArrayLike,
        geomgroup: npt.ArrayLike | None = None,
        flg_static: bool = True,
        bodyexclude: npt.ArrayLike = -1,
        ids: npt.ArrayLike | None = None,
        normal: bool = False,
    ) -> tuple[np.ndarray, ...]:
        """Cast rays in n simulations. Return (dist, geomid), float64 and int32 (n, nray), and if `normal` also normals, float64
        (n, nray, 3). Both dist (in lengths of vec) and geomid are -1 for a miss.

        pnt, vec: float64 (3), (nray, 3) or (n, nray, 3): starts in the world, in meters, and directions
        geomgroup: uint8 (6): flags of the groups to include; None: all
        bodyexclude: int (), (nray,) or (n, nray): id of a body whose geoms are ignored, or -1
        ids: as for `step`
        """
        ids = read_ids(ids, self._nsim)
        n = self._nsim if ids is None else len(ids)
        cells, results, alive = rays(pnt, vec, geomgroup, flg_static, bodyexclude, n, self._model.nbody, normal)
        if results[0].size:
            self._query("world_rays", ids, cells, alive, *results)
        return results

    def _query(self, stage: str, ids: np.ndarray | None, cells: np.ndarray, *alive: Any) -> None:
        """Run a stage for each simulation at its current state, without changing the state."""
        job = {worlds.FUNCTION: stages.ensure(stage), worlds.ARGUMENTS: address(cells), worlds.SAVES: 0}
        self._call("mjb_apply", worlds.APPLY, ids, _NONE, job, cells, *alive)

    def _begin(self, ids: Any) -> np.ndarray | None:
        """Return the ids of a call's simulations, and clear their errors."""
        ids = read_ids(ids, self._nsim)
        if ids is None:
            self._status.fill(0)
            if self._errors:
                self._errors.clear()
        else:
            self._status[ids] = 0
            if self._errors:
                for i in ids.tolist():
                    self._errors.pop(i, None)
        self.__dict__["ids"] = ids
        return ids

    def fail(self, world: int, text: str) -> None:
        """Record that a world failed."""
        self._status[world], self._errors[world] = 1, text

    def _call(self, function: str, mode: int, ids: Any, stage: int, cells: dict[int, int], *alive: Any) -> None:
        """Run a call on simulations, after calls of other threads have finished."""
        with self._turn.call(_METHODS[mode]):
            self._work(function, mode, ids, stage, cells, *alive)

    def _work(self, function: str, mode: int, ids: Any, stage: int, cells: dict[int, int], *alive: Any) -> None:
        """Run a call on simulations. `alive`: objects to keep alive, because the call's description points to them."""
        stage = read_integer(stage)
        if not _NONE <= stage <= _ACC:
            raise FatalError(f"{function}: stage must be in [mjSTAGE_NONE, mjSTAGE_ACC] = [{_NONE}, {_ACC}], got {stage}")
        check_callbacks()
        models, functions = self._prepared(), self._functions
        ids = self._begin(read_ids(ids, self._nsim))
        count = self._nsim if ids is None else len(ids)
        if not count:
            return

        # complete the description of this call
        plan = self._plan()
        job = plan.cells.copy()
        job[worlds.MODE], job[worlds.STAGE], job[worlds.IDS] = mode, stage, address(ids)
        for cell, value in cells.items():
            job[cell] = value
        steps = count * cells[worlds.NSTEP] if mode == worlds.STEP else 0

        # run the call on lanes or world by world
        lanes = None
        if steps and self._lanes.wanted:
            seen, looked, alone = plan.with_tables([x for x in alive if isinstance(x, Table)])
            lanes = self._lanes.lanes_for(self._expansion, self._threads, alone, looked, steps)
        if lanes:
            call = lanes.run(self, self._threads, job, count, steps, plan.named, *seen)
        else:
            each = self._threads.share(count, steps, self._data[0])
            if functions and not self._shown:
                self._shown = any(not f.compiled for _, f in functions)
            call = Call(job, count, each, self, bool(functions), self._shown)
            self._threads.run(call, models, self._caller_model, self._data, self._persistent)
        del alive
        self._raise_failed(ids, call.failed)

    def _raise_failed(self, ids: np.ndarray | None, count: Any) -> None:
        if count:
            worlds_of_call = np.arange(self._nsim) if ids is None else ids
            failed = worlds_of_call[self._status[worlds_of_call] != 0]
            raise SimulationError(failed, self.error(int(failed[0])), len(worlds_of_call))

    def _prepared(self) -> list[Any]:
        """Check the models for edits, then return one model for each thread."""
        if self._models is not None:
            for m in {id(m): m for m in ([self._models] if isinstance(self._models, MjModel) else self._models)}.values():
                stages.check_edits(m, self._data[0])
        elif self._model.storage.table:
            stages.check_edits(self._model, self._data[0])
        if not (expansion := self._expansion):
            return [self._model] * self._threads.count

        # check the expanded fields
        flags = expansion.given.get(f"{OPTION}enableflags")
        if flags is not None and self._persistent is None and (flags & _SLEEP).any():
            raise ValueError(NEEDS_PERSISTENT)
        expansion.check_indices()
        if not self._thread_models:
            self._thread_models = [expansion.thread_model() for _ in range(self._threads.count)]
        for m in self._thread_models:
            m.refresh()
        return self._thread_models

    def _plan(self) -> Plan:
        """Return the plan that calls share. Recompute the plan if anything that it depends on was replaced."""
        parts = self._outputs.rows, self._functions, self._expansion.table.rows, self._ended, self._model_addresses
        if self._shared is None or not self._shared.holds(parts):
            memory = self._state, self._warning, self._addresses
            self._shared = Plan(parts, memory, self._expansion, self._models is not None)
        return self._shared

    # ---- functions in the loop -------------------------------------------------------------------------------------------
    def before_step(self, function: Callable[..., Any], *arrays: np.ndarray) -> Function:
        """Call function(m, d, i, *arrays) before each step of simulation i, compiled, without the interpreter lock. It may read
        and write simulation i's MjData (ctrl, qfrc_applied, ...). Functions run in the order in which they were added. If one
        cannot be compiled, it runs interpreted, with a SlowFunction warning. Before a call's first step, d has the state of
        simulation i, but its computed fields may be another simulation's. ValueError if the function writes a read-only array.

        arrays: the caller's arrays (nsim, ...) of any numeric type, read and written at i
        """
        return self._add_function(worlds.BEFORE, function, arrays)

    def after_step(self, function: Callable[..., Any], *arrays: np.ndarray) -> Function:
        """Like `before_step`, but called after each step, before results are recorded: for rewards and termination."""
        return self._add_function(worlds.AFTER, function, arrays)

    def at_reset(self, function: Callable[..., Any], *arrays: np.ndarray) -> Function:
        """Like `before_step`, but called after each reset or restart, e.g. to draw states with `uniform(batch.random, i)`.
        To randomize the model, pass arrays from `expand`: values written at index i change simulation i's model."""
        return self._add_function(worlds.AT_RESET, function, arrays)

    def remove(self, function: Function) -> None:
        """Remove a function, given by the object that before_step, after_step or at_reset returned."""
        with self._turn.change("Batch.remove"):
            self._functions = [(when, f) for when, f in self._functions if f is not function]

    def restart(self, ended: np.ndarray | None) -> None:
        """After each step, even in the middle of a call, restart every simulation i with nonzero ended[i].

        ended: bool or uint8 (nsim,), written by functions or the caller; it is not cleared. None: no restarts
        """
        check_marks(ended, self._nsim)
        with self._turn.change("Batch.restart"):
            self._ended = None if ended is None else ended.view()

    @property
    def random(self) -> np.ndarray:
        """int64 (nsim,): each simulation's position in its random sequence, for `uniform` and `normal`; `seed` restarts it."""
        if self._random is None:
            self._random = chance.seeds(0, self._nsim)
        return self._random.view()

    def seed(self, seed: int) -> None:
        """Restart the random sequences. Simulation i's sequence depends only on the seed and on i."""
        self.random[:] = chance.seeds(seed, self._nsim)

    def _add_function(self, when: int, function: Callable[..., Any], arrays: tuple[np.ndarray, ...]) -> Function:
        made = Function(function, arrays)
        with self._turn.change("a new function in the loop"):
            self._functions = [*self._functions, (when, made)]
        return made

    def observe(self, *names: str, dtype: npt.DTypeLike = np.float64) -> np.ndarray:
        """Return a live (nsim, n) array of observations in one block of memory, which every call refreshes. torch and JAX can
        share it: torch.from_dlpack(array).

        names: fields of MjData ("qpos"), sensors ("sensor:gyro"), attributes ("site:hand.xpos"). ValueError for unknown ones
        dtype: float64, or float32 as learners expect. TypeError for others
        """
        spans = [span_of(self.template, name) for name in names]
        out, column = np.zeros((self._nsim, sum(count for _, _, count in spans)), dtype), 0
        if out.dtype not in (np.float64, np.float32):
            raise TypeError(f"observations must be float64 or float32, not {out.dtype}")
        with self._turn.change("Batch.observe"):
            for field, start, count in spans:
                self._outputs.part(field, start, count, out, column)
                column += count
        return out

    # ---- one simulation --------------------------------------------------------------------------------------------------
    def get_model(self, sim: int, model: MjModel | None = None) -> MjModel:
        """Return a copy of a simulation's model with its expanded values, in `model` if given. FatalError for other sizes."""
        sim = self._index(sim)
        source = self.model_of(sim)
        if model is None:
            model = copy.copy(source)
        elif not isinstance(model, MjModel) or [*model.sizes().values()] != [*source.sizes().values()]:
            raise FatalError("mjb_getModel: model sizes differ from the simulation's")
        with self._turn.change("Batch.get_model"):
            stages.check_edits(source, self._data[0])
            if self._models is None:
                self._expansion.write(model, sim)
            else:
                Expansion(source, 1).write(model, 0)
        if model.storage.trusted and model.storage.watched:
            edits.accept(model, self._data[0])
        return model

    def get_data(self, sim: int, data: MjData | None = None) -> MjData:
        """Return a Data (`data`, or a new one) with a simulation's state and warnings; if persistent, with all values.
        FatalError if the sizes of `data` differ."""
        sim = self._index(sim)
        if data is None:
            data = MjData(self.model_of(sim))
        else:
            try:
                stages.check_model(self._model, data)
            except ValueError:
                raise FatalError("mjb_getData: data sizes differ from the batch's") from None
        if self._persistent is not None:
            with self._turn.change("Batch.get_data"):
                data.copy_from(self._persistent[sim])
        stages.call("unpack_state", self._model, data, self._state[sim].ctypes.data, self.nstate, _INTEGRATION)
        data.array("warning_lastinfo")[:], data.array("warning_number")[:] = self._warning[sim].T
        return data


def worlds_of(model: MjModel, count: int, lanes: bool, given: Any, derived: Any) -> Batch:
    """Return a Batch on one thread with the given expanded and derived fields, for a worker."""
    b = Batch(model, count, 1, lanes=lanes)
    b._expansion.fill(given, derived)
    return b


add_accessors(Batch)
