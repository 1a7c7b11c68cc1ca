"""Runs a batch's steps on lanes: allocates each thread's memory, and decides whether to use lanes. See `engine.lanes`."""

import copy
import itertools
import math
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core import stages
from ..core.data import MjData
from ..core.model import MjModel
from ..core.stages import OK
from ..core.struct import contents
from ..lanes import newton, order, packed
from ..lanes.assemble import INPUTS, STATE, Program
from ..lanes.build import begin, ended
from ..lanes.fields import is_made_late
from ..lanes.program import kept_program, program_of, table, values_of
from ..lanes.run import (
    AFTER_LAST,
    BEFORE_LAST,
    BORDER,
    CODE_AT,
    CONTROL_ROWS,
    END_LAST,
    FAILED,
    HALTED,
    KNOWN,
    LANE,
    LANE_CELLS,
    LANE_DATA,
    LANE_MODELS,
    MEMORY,
    MODEL_DATA,
    NKNOWN,
    NOTE,
    NOTES,
    NOWN,
    NPAIRS,
    NPROGRAM,
    OWN,
    PAIRS,
    PAIRS_AT,
    PROGRAM,
    QUEUE,
    RECORD_FIRST,
    RECORD_LAST,
    SCRATCH,
    SHOWN_LAST,
    SIZE,
    STATE_ROWS,
    WIDTH,
)
from ..machine.jit import Stage
from ..machine.layout import PACK
from ..machine.storage import ALIGN
from ..step.worlds import COLUMNS, NEXT, PACKED, SLOT
from ..step.worlds import KIND as KIND_OF_ROW
from ..tables.enums import mjtIntegrator
from ..tables.schema import SCHEMAS
from .copy_rows import address
from .expansion import Expansion
from .models import worker_data
from .threads import Call, Threads

RK4 = int(mjtIntegrator.mjINT_RK4)
# "auto" first makes this many steps world by world, so small jobs are bit-identical to single steps and start no process.
FEW = 1 << 16
# "auto" then alternates between calls on lanes and calls world by world, until it has made MOST_CALLS of each kind, or at least
# FEWEST_CALLS that took LONG_ENOUGH seconds in total. It compares again when the time of a step grows or shrinks by the factor
# CHANGED.
FEWEST_CALLS, MOST_CALLS, LONG_ENOUGH, CHANGED = 2, 20, 0.2, 1.3
# maximum number of translations for a model that is edited repeatedly
MOST_TRANSLATIONS = 3
# lane memory begins at a multiple of this many bytes
ALIGNMENT = 64
# cells of a call's description for the addresses of a thread's lane memory, in the order of `Place.cells`
PLACE_CELLS = np.array([MODEL_DATA, LANE_DATA, MEMORY, NOTES, SCRATCH, QUEUE, LANE_MODELS])
# fields that vectorized steps do not update
NOT_KEPT = {"bvh_active", "wrap_obj", "wrap_xpos", "ten_wrapadr", "ten_wrapnum", "solver_nnz"}
# the callbacks' rows in the stage table, and their contents while no callback is set
HOOKS = np.array(order.HOOKS)
NO_HOOKS = bytes(8 * len(HOOKS))
_NAMES = {slot: name for name, slot in SCHEMAS["MjData"].slot.items()}


class LanesWarning(UserWarning):
    """Warning: vectorized steps were requested but are impossible, so worlds are stepped one by one."""


class Trial:
    """Calls that run alternately on lanes and world by world, until it is known what is faster. The trial begins again if the
    time of a step changes later, for example because geoms touch."""

    def __init__(self) -> None:
        # calls after which the result is checked; twice as many after each new trial, so that trials become rare
        self._pause = MOST_CALLS
        # number of steps of a call whose time is not known yet, and whether it runs on lanes
        self._open: tuple[int, bool] | None = None
        self._begin()

    def _begin(self) -> None:
        """Begin to compare."""
        # {on lanes: number of calls, and the shortest time of a step in them}; seconds of all calls
        self._calls, self._fastest, self._spent = {True: 0, False: 0}, {True: math.inf, False: math.inf}, 0.0
        # the result; number of calls since then, and the shortest time of a step in them
        self._lanes: bool | None = None
        self._since, self._shortest = 0, math.inf

    def says_lanes(self, spent: float, steps: int) -> bool:
        """Return whether the next call, of `steps` steps, runs on lanes. `spent`: seconds that the previous call took."""
        self._measure(spent)
        fewer = min(self._calls.values())
        if self._lanes is None and (fewer >= MOST_CALLS or fewer >= FEWEST_CALLS and self._spent >= LONG_ENOUGH):
            self._lanes = self._fastest[True] <= self._fastest[False]
        lanes = self._calls[True] <= self._calls[False] if self._lanes is None else self._lanes
        # a call without steps has no time of a step
        self._open = (steps, lanes) if steps else None
        return lanes

    def rests(self, spent: float, steps: int) -> bool:
        """Return whether the next call runs world by world because lanes were slower; the arguments are those of
        `says_lanes`."""
        if self._lanes is not False:
            return False
        self._measure(spent)
        if self._lanes is None:
            return False
        self._open = (steps, False) if steps else None
        return True

    def skip(self) -> None:
        """Do not count the previous call, or a call that could not run on lanes."""
        self._open = None

    def _measure(self, spent: float) -> None:
        """Count the previous call; begin again if the result may no longer hold."""
        if self._open is None:
            return
        (steps, lanes), self._open = self._open, None
        if self._lanes is None:
            self._calls[lanes] += 1
            self._fastest[lanes] = min(self._fastest[lanes], spent / steps)
            self._spent += spent
            return

        self._since, self._shortest = self._since + 1, min(self._shortest, spent / steps)
        if self._since >= self._pause:
            change = self._shortest / self._fastest[lanes]
            if 1 / CHANGED < change < CHANGED:
                self._since, self._shortest = 0, math.inf
            else:
                self._pause *= 2
                self._begin()


class Choice:
    """Decides whether a batch's steps run on lanes ("auto", True or False), and keeps the lanes once they exist."""

    def __init__(self, lanes: Any) -> None:
        if not (isinstance(lanes, bool) or lanes == "auto"):
            raise ValueError(f"lanes must be 'auto', True or False, got {lanes!r}")
        self.wanted = lanes
        self.made: Any = None
        self._trial = Trial()
        self._seen: set[str] = set()
        # for "auto": total steps of all worlds so far, name of the program being translated, number of translations
        self._steps, self._name, self._translations = 0, "", 0

    def lanes_for(self, expansion: Expansion, threads: Threads, alone: str, seen: frozenset[str], steps: int) -> Any:
        """Return the lanes for a call, or None if the call runs world by world: because lanes are impossible or, with "auto",
        slower. `_possible` describes the arguments."""
        if self._trial.rests(threads.spent, steps):
            return None
        lanes = self._possible(expansion, threads.count, alone, seen, steps)
        if lanes is None:
            self._trial.skip()
        elif self.wanted == "auto" and not self._trial.says_lanes(threads.spent, steps):
            return None
        return lanes

    def _possible(self, expansion: Expansion, threads: int, alone: str, seen: frozenset[str], steps: int) -> Any:
        """Return the lanes for a call, or None if there are none.

        `alone`: why this call must run world by world, or ''. `seen`: fields that are bound, recorded or used by
        functions. `steps`: total steps of all its worlds.
        """
        if stages.LAYERED[0]:
            # lanes trace the original stages, so replaced stages would be ignored
            alone = alone or "stages are replaced"

        # return if lanes are not wanted, or if too few steps were made so far
        self._steps += steps
        if self.wanted is False or self.wanted == "auto" and (alone or self._steps < FEW):
            return None
        if not alone and (self.made is None or not self.made.current() or self.made.misses(seen)):
            # a field that was read once will probably be read again
            self._seen |= seen
            program = None if self.wanted is True else self._translated(expansion)
            if self.wanted is not True and program is None:
                return None
            self.made, self._trial = Lanes(expansion, threads, frozenset(self._seen), program), Trial()
            if not self.made.reason and not self.made.current():
                alone = "callbacks are installed"

        # warn only if lanes were requested
        reason = alone or self.made.reason
        if reason and self.wanted is True:
            warnings.warn(f"no lanes: {reason}", LanesWarning, stacklevel=6)
        return None if reason else self.made

    def _translated(self, expansion: Expansion) -> Program | None:
        """Return the model's program if it is ready. Otherwise start another process that translates the model; if that fails,
        disable lanes."""
        if self._name and not ended(self._name):
            return None
        model, own = expansion.model, expansion.names
        program = kept_program(model, frozenset(self._seen), own)
        if isinstance(program, Program):
            self._name = ""
            return program
        # the translation failed, or the model was edited too often
        if program is not None or self._name or self._translations == MOST_TRANSLATIONS:
            self.wanted = False
            return None
        try:
            self._name = begin(model, frozenset(self._seen), own)
        except OSError as error:
            self.wanted = False
            warnings.warn(f"no lanes: no process can translate the model ({error})", LanesWarning, stacklevel=7)
        self._translations += 1
        return None


def ranges_of(model: MjModel) -> list[np.ndarray]:
    """Return the model memory on which a program depends, as int64 views: a few long ranges, which are quick to copy and
    compare."""
    header, buffer, spans = model.storage.header, model.storage.buffer, []
    for x in values_of(model)[1 : -len(contents(model.opt))]:
        # arrays start at cache lines, and zeros fill each array's last line
        start = x.ctypes.data - model.storage.address
        end = start + -(-x.nbytes // ALIGN) * ALIGN
        if x.size and spans and spans[-1][1] == start:
            spans[-1][1] = end
        elif x.size:
            spans.append([start, end])
    alone = [header[model.schema.first_scalar : model.schema.last_scalar], *contents(model.opt)]
    return [np.ravel(x).view(np.int64) for x in (*alone, *(buffer[start:end] for start, end in spans))]


def fields_of(rows: np.ndarray) -> list[str]:
    """Return the Data fields that must be computed for these rows of recorded results."""
    rows = rows.reshape(-1, COLUMNS)
    names = [_NAMES[int(r[SLOT])] for r in rows if r[KIND_OF_ROW] != PACKED]
    return [*names, *(STATE if any(r[KIND_OF_ROW] == PACKED for r in rows) else ())]


def aligned(count: int) -> np.ndarray:
    """Return an array of zeros, aligned for packs. Pages that are never touched use no memory."""
    raw = np.zeros(count + ALIGNMENT // 8)
    first = -raw.ctypes.data % ALIGNMENT // 8
    return raw[first : first + count]


class Place:
    """A thread's lane memory: a Data for each lane and, if fields differ between worlds, a Model for each lane."""

    def __init__(self, model: MjModel, program: Program, expansion: Expansion) -> None:
        self.models = [expansion.thread_model(model) for _ in range(program.width)] if expansion else [model] * program.width
        self.model_addresses = np.array([m.storage.address for m in self.models], np.int64)
        self.data = [worker_data(model) for _ in range(program.width)]
        for d in self.data:
            # compute the integers that depend only on the model
            stages.call("forward_skip", model, d, 0, 0)
        # Integers that traced parts assume. A scalar step may overwrite them, because it omits row entries that are zero.
        self.known = MjData(model)
        stages.call("forward_skip", model, self.known, 0, 0)
        for name, values in program.known.items():
            flat = self.known.array(name).reshape(-1)
            for k, value in values:
                flat[k] = value

        # allocate memory for compiled code
        self.addresses = np.array([d.storage.address for d in self.data], np.int64)
        self.notes = np.zeros((program.width, NOTE), np.int64)
        self.memory = aligned(program.size * program.width).reshape(-1, program.width)
        self.scratch = aligned(packed.SIZE * PACK)
        self.queue = np.zeros((program.width * max(1, model.ntree), newton.COLUMNS), np.int64)
        for name, k in program.first.items():
            f = MjData.schema.fields.get(name)
            # arrays that are allocated when first used have no values yet
            if f and not is_made_late(f):
                x = np.ravel(self.data[0].array(name)) if f.dims else np.array([getattr(self.data[0], name)])
                self.memory[k : k + x.size] = x[:, None]

        # addresses of this memory, in the order of PLACE_CELLS
        arrays = self.addresses, self.memory, self.notes, self.scratch, self.queue, self.model_addresses
        self.cells = np.array([self.known.storage.address, *map(address, arrays)], np.int64)

        # storage for each call: its description, and the integers of the lanes' Datas
        self.job = np.zeros(LANE_CELLS, np.int64)
        self.job_address, self.integers = address(self.job), [d.storage.integers for d in self.data]


class Lanes:
    """A model's program, and the memory in which it runs."""

    def __init__(
        self, expansion: Expansion, threads: int, seen: frozenset[str] = frozenset(), program: Program | None = None
    ) -> None:
        self.expansion, self.names = expansion, expansion.names
        # the fields that the last call read, and the call description that was made for these fields
        self.asked: tuple | None = None

        # translate the model, unless a program is given
        model = expansion.model
        self.kept = [(x, x.tobytes()) for x in ranges_of(model)]
        made = program or program_of(model, kept=seen, own=self.names)
        self.program: Any = made
        self.model, self.places = model, []
        if not isinstance(made, str):
            self.model = copy.copy(model)
            # Do not clear the flags of tested boxes: nothing reads them, and for large meshes this takes longer than a step.
            self.model.vis.global_.bvactive = 0
            self.places = [Place(self.model, self.program, expansion) for _ in range(threads)]

        # make tables for compiled code
        if self.places:
            self.rows, self.pairs = table(self.program.rows), np.array(self.program.pairs, np.int64)
            slot, known = MjData.schema.slot, self.places[0].known
            self.known = np.array([[slot[name], known.array(name).nbytes] for name in self.program.known] or [[0, 0]], np.int64)

    @property
    def reason(self) -> str:
        """Why vectorized steps are impossible; empty if they are possible."""
        return self.program if isinstance(self.program, str) else ""

    def misses(self, seen: frozenset[str]) -> bool:
        """Return whether a field in `seen` is not among the program's results."""
        return not self.reason and not seen.isdisjoint(self.program.left_out)

    def current(self) -> bool:
        """Return whether the model is unchanged since its translation, and the same fields differ between worlds."""
        if (self.names or self.expansion) and self.names != self.expansion.names or NO_HOOKS != stages.TABLE[HOOKS].tobytes():
            return False
        # this reads the memory twice, but allocates no array for each range
        return all([now.tobytes() == then for now, then in self.kept])

    def describe(
        self, job: np.ndarray, named: Sequence[set[str]], kept: Sequence[str], recorded: Sequence[str] = ()
    ) -> tuple[np.ndarray, Any]:
        """Return (description of a call, the objects that it points to).

        named: fields that functions use before and after steps. kept: bound fields. recorded: recorded fields.
        """
        # calls with the same plan and recorded fields differ only in their worlds and steps
        asked = self.asked
        if asked is None or asked[0] is not named or asked[1] is not kept or asked[2] != recorded:
            asked = self.asked = named, kept, recorded, *self._describe(named, kept, recorded)
        cells, border = asked[3:]
        made = cells.copy()
        made[: len(job)] = job
        if not self.program.own:
            return made, (border, None)

        # fields that differ between worlds
        values = self.expansion.given | self.expansion.derived
        own = np.array(
            [
                [k, values[n][0].size, values[n].ctypes.data, values[n].strides[0]]
                for n, k in self.program.own.items()
                if values[n][0].size
            ],
            np.int64,
        )
        made[OWN], made[NOWN] = address(own), len(own)
        return made, (border, own)

    def _describe(
        self, named: Sequence[set[str]], kept: Sequence[str], recorded: Sequence[str]
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return (cells of the call description, table of copy rows) for calls that read the fields `named`, `kept` and
        `recorded`."""
        p = self.program
        # fields that users' functions use are already in the lanes' Datas, where a function may have overwritten them
        shown = set().union(*named)
        lists = [[n for n in names if n not in shown] for names in (recorded, kept)] + [sorted(shown - set(INPUTS))]
        extra = [p.border_of(names, self.model) for names in [*lists, *([n for n in STATE if n in names] for names in named)]]
        border = table([*p.border, *itertools.chain(*extra)])
        ends = np.cumsum([len(p.border), *map(len, extra)])

        made = np.zeros(LANE_CELLS, np.int64)
        made[WIDTH], made[SIZE], made[CODE_AT] = p.width, p.size, p.address
        made[PROGRAM], made[NPROGRAM], made[BORDER] = address(self.rows), p.count, address(border)
        made[STATE_ROWS], made[CONTROL_ROWS] = p.state_rows, p.control_rows
        made[[RECORD_FIRST, RECORD_LAST, END_LAST, SHOWN_LAST, BEFORE_LAST, AFTER_LAST]] = ends
        made[KNOWN], made[NKNOWN] = address(self.known), len(p.known)
        made[PAIRS], made[NPAIRS], made[PAIRS_AT] = address(self.pairs), len(p.pairs), p.pairs_at
        return made, border

    def run(
        self,
        outcome: Any,
        threads: Any,
        job: np.ndarray,
        count: int,
        steps: int,
        named: Sequence[set[str]],
        kept: Sequence[str],
        recorded: Sequence[str] = (),
    ) -> Call:
        """Run a call of `count` worlds, with `steps` steps in total, on threads; report failures to `outcome`."""
        width = self.program.width
        each = threads.share(count, -(-steps // width), self.places[0].data[0])
        made, alive = self.describe(job, named, kept, recorded)
        call = LaneCall(made, count, -(-each // width) * width, outcome, False)
        stages.ensure("run_lanes")
        threads.run(call, [self.model] * threads.count, None, self.places, None)
        del alive
        return call


class LaneCall(Call):
    """A call that runs groups of worlds on lanes."""

    def _world(self, job: np.ndarray) -> int:
        """Return the world in the lane that was interrupted."""
        k = int(job[NEXT] + job[LANE])
        return k if self.ids is None else int(self.ids[k])

    def run(self, model: Any, model_of: Any, d: Place, persistent: Any, sliced: bool) -> None:
        """Run groups of worlds on lanes until none are left."""
        place, entry = d, Stage.registry["run_lanes"]
        job, first = place.job, place.data[0].storage
        job[:] = self.job
        job[PLACE_CELLS] = place.cells
        for _ in self.stops(entry, job, place.job_address, model, first, place.integers, sliced):
            k = int(job[LANE]) if job[LANE] < len(place.data) else 0
            x = place.data[k]
            if x.status != OK and not self._mended(x, place.models[k], self._world(job)):
                place.notes[int(job[LANE]), HALTED] = FAILED
