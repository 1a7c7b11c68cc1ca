"""MjData: state and results of one simulation. Two buffers: a fixed one, and a growable one for contacts and
constraints.

A stage that lacks room sets `status` to GROW, writes the capacities it needs to `need_*`, and returns. The compiled
driver then stops before it has integrated anything; `grow` replaces the growable buffer, and the driver repeats the
step. The buffer grows up to `memory_limit` bytes. Contacts and constraint rows beyond that are dropped and counted as
warnings, as MuJoCo does when its arena is full. A stage that cannot drop anything raises MemoryError.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import numpy as np

from ..machine.storage import address_of
from ..machine.systems import after_fork
from ..tables import named_access
from ..tables.schema import CAPACITIES, FIRST_CAPACITY, GROWING, NEEDS, SIZE_DOCS
from ..tables.scratch import START_CELLS
from ..tables.validate import validate
from ..tables.values import read_integer
from . import arena, hooks, owner, plugin, report, stages
from .model import MjModel
from .records import add_record_lists
from .struct import Plan, Struct

GROWTH = 1.5
# default limit for the growable buffer of a Data, in bytes
MEMORY_LIMIT = 1 << 30
# maximum fraction of the limit that contacts may use; arrays derived from contacts need the rest
CONTACT_SHARE = 0.5
COPY = owner.function_place("mj_copyData")
NO_CAPACITY = (0,) * len(CAPACITIES)
NO_ROOM = dict.fromkeys(CAPACITIES, 0)
# first and last of the fields that record solver iterations; these fields take 160 KB
RECORDS = "solver_improvement", "solver_nupdate"

# Large arrays that are often zero: {field: (mark, size)}. The mark, a scalar of Data, says from which row on the array is zero.
# Stages clear only the rows before it. If it is unknown, the mark is the size.
_CLEARED = {"bvh_active": ("bvh_end", "nbvh"), "flexedge_J": ("flexedge_end", "nflexedge")}


def _marked(name: str, doc: str) -> property:
    """Return the property of a field in _CLEARED."""

    def read(self: Any) -> np.ndarray:
        return self.array(name)

    def write(self: Any, value: Any) -> None:
        self.array(name)[...] = value

    return property(read, write, doc=doc)


class MjData(Struct, schema="MjData"):
    """State and results of a simulation of `model`."""

    if TYPE_CHECKING:
        # bindings to the elements of a spec; modules that import this one set them
        bind: Any
        bind_scalar: Any

    __slots__ = ("model",)
    model: MjModel

    def __init__(self, model: MjModel) -> None:
        if not isinstance(model, MjModel):
            raise TypeError(
                "MjModel cannot be None" if model is None else f"MjData() needs an MjModel, got {type(model).__name__}"
            )
        self._attach(model)
        self._begin()

    def _attach(self, model: MjModel, capacities: dict[str, int] | None = None, unread: tuple[str, str] = ("", "")) -> None:
        """Allocate memory for a model and connect it to the stage table. `unread`: first and last field that need no
        clearing."""
        # a second call would free memory whose addresses another thread may hold
        if hasattr(self, "storage"):
            raise TypeError("an MjData cannot be initialized again: make another one")
        if not model.storage.trusted:
            validate(model)
            model.trust()

        # allocate header and fixed arrays
        self._allocate([*model.storage.header[: len(model.schema.sizes)].tolist(), *NO_CAPACITY], *unread)
        object.__setattr__(self, "model", model)
        self.__dict__.update(model_signature=model.signature, plugin_instances=None, _memory_limit=MEMORY_LIMIT)
        hooks.register(model, self)
        cells, slot, storage = self.storage.integers, self.schema.slot, self.storage

        # addresses and sizes that compiled code reads from the header
        cells[slot["stage_table"]] = stages.TABLE_ADDRESS
        stages.check_edits(model, self)
        cells[slot["arrays_address"]], cells[slot["arrays_bytes"]], cells[slot["result_bytes"]] = storage.arrays
        # begin with depth 1 (in use): no other thread can use this Data yet
        self._reserve(capacities or model.__dict__.get("room", FIRST_CAPACITY), 1)
        cells[slot["nplugin"]], cells[slot["narena"]] = model.nplugin, model.narena
        cells[slot["full"]] = stages.LIMITED if arena.asked(model) else 0
        cells[slot["timing"]] = 1
        for mark, size in _CLEARED.values():
            cells[slot[mark]] = getattr(model, size)

        # a table that all Datas of the model share, and that kernels fill
        if model.nmeshgraph:
            starts = model.__dict__.setdefault("_hull_starts", np.zeros((model.nmesh, START_CELLS), np.int32))
            self.__dict__["_hull_starts"] = starts
            cells[slot["hull_starts"]] = starts.ctypes.data

        # set up plugin instances
        if model.nplugin:
            instances = plugin.Instances(model, self)
            self.__dict__["plugin_instances"] = instances
            instances.start(model, self)

    def _begin(self) -> None:
        """Reset for the first time."""
        # the memory of a new Data is already zero: `fresh` lets reset skip pages that remain unused
        self.storage.integers[self.schema.slot["fresh"]] = 1
        stages.call("reset_data", self.model, self)

    def plugin_object(self, instance: Any) -> Any:
        """Return the object that a plugin's init function returned for an instance."""
        kept = self.plugin_instances
        if kept is None or not 0 <= instance < len(kept.objects):
            raise IndexError(f"plugin instance {instance} is out of range for {self.model.nplugin} instances")
        return kept.objects[instance]

    def __del__(self) -> None:
        kept = self.__dict__.get("plugin_instances")
        if kept is not None:
            kept.destroy(self)

    @property
    def capacities(self) -> dict[str, int]:
        return {n: self.storage.integers[self.schema.size_slot[n]] for n in CAPACITIES}

    @property
    def memory_limit(self) -> int:
        """Upper bound in bytes for contacts, constraint rows and scratch of collision and solvers together: 1 GiB by
        default.

        Contacts beyond it are dropped (mjWARN_CONTACTFULL). If rows do not fit, the step has no constraints
        (mjWARN_CNSTRFULL). If anything else does not fit, the call raises MemoryError. Lowering the limit does not shrink
        memory that is already allocated.
        """
        return self._memory_limit

    @memory_limit.setter
    def memory_limit(self, count: int) -> None:
        self.__dict__["_memory_limit"] = read_integer(count, 0, 2**62)
        self.full &= stages.LIMITED

    @property
    def limit_arena(self) -> bool:
        """Whether contacts, constraint rows and islands that do not fit into MuJoCo's arena of `narena` bytes are
        dropped.

        Dropped elements are counted as mjWARN_CONTACTFULL and mjWARN_CNSTRFULL; parena, maxuse_arena, maxuse_con and
        maxuse_efc equal MuJoCo's (scratch is counted only where it limits contacts and rows). The default is True if
        the model sets the size of its memory, otherwise False: then memory grows up to `memory_limit`.
        """
        return self.full & stages.LIMITED != 0

    @limit_arena.setter
    def limit_arena(self, on: bool) -> None:
        self.full = self.full | stages.LIMITED if on else self.full & ~stages.LIMITED
        if not on:
            self.parena = 0

    def _sizes_with(self, capacities: dict[str, int]) -> list[int]:
        """Return all sizes in the schema's order, with the capacities replaced by the given ones."""
        sizes = self.storage.header[: len(self.schema.sizes)].tolist()
        for n in CAPACITIES:
            sizes[self.schema.size_slot[n]] = capacities[n]
        return sizes

    def reserve(self, capacities: dict[str, int]) -> None:
        """Replace the growable buffer and keep its contents, except contacts and rows that do not fit into a smaller one.

        MemoryError leaves everything unchanged.
        """
        with owner.inside(self, "MjData.reserve") as depth:
            self._reserve(capacities, depth)
            if any(capacities[f"{n}_cap"] < getattr(self, n) for n in ("ncon", "nefc", "nJ", "nA")):
                self._forget()

    def _reserve(self, capacities: dict[str, int], depth: int) -> None:
        """Allocate the growable buffer, copy the old contents, and switch to it. `depth`: how deeply this thread's calls are
        nested in the Data."""
        own, storage, sizes = self.__dict__, self.storage, self._sizes_with(capacities)

        # allocate
        offsets, count, slots = _GROWING.offsets(sizes), len(sizes), _GROWING.slots
        new = storage.room(int(offsets[-1]))
        first = address_of(new)
        addresses = first + offsets[:-1]
        first_time = storage.growable is None

        # copy the contents of the old buffer
        if not first_time:
            for k, name in enumerate(_GROWING_NAMES):
                kept = self.peek(name).reshape(-1).view(np.uint8)
                start, end = offsets[k], min(offsets[k] + kept.size, offsets[k + 1])
                new[start:end] = kept[: end - start]
        # if this is called from a callback, the outer call still uses the old buffer: keep it
        retired = [*storage.retired, storage.growable] if depth > 1 else []
        # Switch to the new buffer. This cannot fail. No call or loop is in between, so no other thread can intervene.
        storage.header[:count] = sizes
        storage.header[slots] = addresses
        storage.growable, storage.growable_address, storage.retired = new, first, retired

        # views of the old buffer are stale
        for views in () if first_time else (storage.whole, own):
            for n in _GROWING_SET & views.keys():
                views.pop(n, None)
        storage.used.clear()

    def grow(self) -> None:
        """Allocate the capacities that the last stage requested. If the memory limit prevents this for a buffer, mark the
        buffer as full.

        MemoryError if the limit or the machine has no room for something that cannot be dropped.
        """
        wanted = {n: getattr(self, need) for n, need in NEEDS.items()}
        for need in NEEDS.values():
            setattr(self, need, 0)
        try:
            self.reserve(self._within_limit(wanted))
        except MemoryError:
            # an interrupted step leaves no valid contacts or rows
            self._forget()
            raise

    def _forget(self) -> None:
        """Drop all contacts and constraint rows."""
        self.ncon = self.ne = self.nf = self.nl = self.nefc = self.nJ = self.nA = self.nisland = self.nidof = 0

    def _within_limit(self, wanted: dict[str, int]) -> dict[str, int]:
        """Return capacities for `wanted`, with spare room if the memory limit allows it. Warn about dropped elements."""
        # try spare room first, then the exact need
        now = self.capacities
        spare = {n: int(k * GROWTH) + 16 if k > now[n] else now[n] for n, k in wanted.items()}
        exact = {n: max(k, now[n]) for n, k in wanted.items()}
        for new in (spare, exact):
            if _GROWING.bytes(self._sizes_with(new)) <= self._memory_limit:
                return new

        # beyond the limit: keep as many contacts as fit, and drop all rows if they do not fit
        new, told = dict(now), []
        if wanted["ncon_cap"] > now["ncon_cap"]:
            new["ncon_cap"] = self._most_contacts(now)
            self.full |= stages.FULL_CONTACTS
            told.append(f"only {new['ncon_cap']} of {wanted['ncon_cap']} contacts are kept")
        if wanted["nefc_cap"] > now["nefc_cap"] or wanted["nJ_cap"] > now["nJ_cap"]:
            self.full |= stages.FULL_ROWS
            told.append(f"{wanted['nefc_cap']} constraint rows are left out")

        # dropping contacts or rows would not make enough room
        if not told:
            name = max(wanted, key=lambda n: wanted[n] - now[n])
            raise MemoryError(
                f"{SIZE_DOCS[name].removeprefix('room for ')}: {wanted[name]} need {self._over(exact)}; set MjData.memory_limit"
            )
        report.warn(f"{' and '.join(told)}: all need {self._over(exact)}; set MjData.memory_limit. Time = {self.time:.4f}.")
        return new

    def _over(self, capacities: dict[str, int]) -> str:
        """Return a message that compares the required memory with the limit."""
        need, limit = _GROWING.bytes(self._sizes_with(capacities)) / 2**20, self._memory_limit / 2**20
        return f"{need:.0f} MiB, more than the memory limit of {limit:.0f} MiB"

    def _most_contacts(self, now: dict[str, int]) -> int:
        """Return how many contacts fit into their fraction of the memory limit; at least the current capacity."""
        without = _GROWING.bytes(self._sizes_with({**now, "ncon_cap": 0}))
        each = _GROWING.bytes(self._sizes_with({**now, "ncon_cap": 1})) - without
        return max(now["ncon_cap"], int(min(CONTACT_SHARE * self._memory_limit, self._memory_limit - without) // each))

    def copy_from(self, other: MjData) -> None:
        """Overwrite this Data with a copy of another MjData of the same model. Only the used parts of growable arrays are
        copied."""
        own, theirs = self.storage, other.storage
        if own is theirs:
            return
        if theirs.buffer.size != own.buffer.size:
            raise ValueError("MjData of models of different sizes cannot be copied onto each other")

        # no other thread may be using either of the two
        depth = owner.enter(own, COPY)
        try:
            before = owner.enter(theirs, COPY)
            try:
                if any(own.header[k] < theirs.header[k] for k in map(self.schema.size_slot.get, CAPACITIES)):
                    self._reserve(other.capacities, depth + 1)
                stages.call("copy_data", self.model, self, theirs.address)
            finally:
                owner.leave(theirs, before)
            if self.plugin_instances is not None:
                self.plugin_instances.copied(self, other)
        finally:
            owner.leave(own, depth)

    def __copy__(self) -> MjData:
        new = MjData.__new__(MjData)
        new._attach(self.model, self.capacities)
        new.memory_limit, new.limit_arena = self.memory_limit, self.limit_arena
        new.copy_from(self)
        return new

    def __deepcopy__(self, memo: dict) -> MjData:
        """Return a copy with its own copy of the model."""
        new = MjData.__new__(MjData)
        model = copy.deepcopy(self.model, memo)
        new._attach(model, self.capacities)
        new.memory_limit, new.limit_arena = self.memory_limit, self.limit_arena
        new.copy_from(self)
        return new

    @property
    def _address(self) -> int:
        return self.storage.address

    def array(self, name: str) -> np.ndarray:
        """Return the whole array (n, ...) of a field, including rows that are not in use."""
        mark = _CLEARED.get(name)
        if mark is not None:
            # a caller may set any of the elements, so the next step must clear all of them
            setattr(self, mark[0], getattr(self.model, mark[1]))
        return super().array(name)

    bvh_active = _marked("bvh_active", "Flags of the bounding volume tree nodes that were tested (nbvh).")
    flexedge_J = _marked("flexedge_J", "Edge Jacobians: change of each edge's length with each dof (nflexedge x nv).")

    @property
    def signature(self) -> int:
        """Signature of the model of this Data."""
        return self.model_signature

    @property
    def history(self) -> np.ndarray:
        """Past controls and sensor readings with their times (nhistory), stored in plugin_state."""
        end = self.model.npluginstate - self.model.nplastic
        return self.plugin_state[end - self.model.nhistory : end]

    @property
    def plastic(self) -> np.ndarray:
        """Rest lengths of plastic springs (nplastic), of joints, then of tendons; stored at the end of plugin_state (since
        4.0)."""
        return self.plugin_state[self.model.npluginstate - self.model.nplastic :]

    @property
    def xiquat(self) -> np.ndarray:
        """Orientations of inertial frames in the world (nbody, 4), computed on access (since 4.0)."""
        return _turned(self.xquat, self.model.body_iquat)

    @property
    def geom_xquat(self) -> np.ndarray:
        """Orientations of geoms in the world (ngeom, 4), computed on access (since 4.0)."""
        return _turned(self.xquat[self.model.geom_bodyid], self.model.geom_quat)

    @property
    def site_xquat(self) -> np.ndarray:
        """Orientations of sites in the world (nsite, 4), computed on access (since 4.0)."""
        return _turned(self.xquat[self.model.site_bodyid], self.model.site_quat)

    @property
    def efc_diagA(self) -> np.ndarray:
        """Same as efc_diagApprox; releases since 3.10 use this name."""
        return self.efc_diagApprox

    @property
    def threadpool(self) -> int:
        """Number of threads that `mju_threadpool` of `tumble.v4` asked for. Only the calling thread steps a Data."""
        return self.__dict__.get("threads_asked", 0)

    def __getstate__(self) -> dict[str, Any]:
        with owner.inside(self, "a pickle"):
            return self._state()

    def _state(self) -> dict[str, Any]:
        """Return everything that a pickle needs."""
        arrays = {f.name: np.array(self.array(f.name)) for f in self.schema.arrays}
        scalars = {f.name: getattr(self, f.name) for f in self.schema.scalars if f.group != "control"}
        return {
            "model": self.model,
            "capacities": self.capacities,
            "memory_limit": self.memory_limit,
            "limit_arena": self.limit_arena,
            "arrays": arrays,
            "scalars": scalars,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._attach(state["model"], state["capacities"])
        self.memory_limit, self.limit_arena = state["memory_limit"], state["limit_arena"]
        for n, x in state["arrays"].items():
            if n != "plugin_data":
                self.array(n)[...] = x
        for n, x in state["scalars"].items():
            setattr(self, n, x)

    def __repr__(self) -> str:
        return f"<MjData time={self.time:g} ncon={self.ncon} nefc={self.nefc}>"


_GROWING_NAMES = [f.name for f in MjData.schema.arrays if f.group in GROWING]
_GROWING_SET = frozenset(_GROWING_NAMES)
_GROWING = Plan(MjData.schema, [MjData.schema.fields[n] for n in _GROWING_NAMES])


def _turned(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the products of two arrays of quaternions (n, 4)."""
    (w, x, y, z), (p, q, r, s) = a.T, b.T
    return np.stack(
        [
            w * p - x * q - y * r - z * s,
            w * q + x * p + y * s - z * r,
            w * r - x * s + y * p + z * q,
            w * s + x * r - y * q + z * p,
        ],
        1,
    )


def scratch(model: MjModel) -> MjData:
    """Return a Data for temporary work. It has no memory for contacts until some occur. Solver records are not cleared, because
    they are never read.
    """
    d = object.__new__(MjData)
    d._attach(model, model.__dict__.get("room", NO_ROOM), RECORDS)
    d._begin()
    return d


def _used(field: Any) -> property:
    """Return a property for the used part of an array. The view is kept while count and buffer stay the same."""

    def read(self) -> np.ndarray:
        storage = self.storage
        count = storage.integers[slot]
        kept = storage.used.get(field.name)
        if kept is None or len(kept) != count:
            buffer, full = storage.growable, self.array(field.name)
            # an empty array must not keep a buffer in memory
            kept = storage.used[field.name] = full[:count] if count else np.empty((0, *full.shape[1:]), full.dtype)
            if storage.growable is not buffer:
                # another thread has just replaced the buffer: return this view, but do not store it
                storage.used.pop(field.name, None)
        return kept

    def write(self, value: Any) -> None:
        read(self)[...] = value

    slot = MjData.schema.slot[field.used]
    return property(read, write)


for _field in MjData.schema.arrays:
    if _field.used:
        setattr(MjData, _field.name, _used(_field))
named_access.add_accessors(MjData, "data")


def _forked() -> None:
    """In a forked process, free every Data that was in use by a thread that the fork did not copy."""
    for d in hooks.everything():
        if isinstance(d, MjData):
            owner.forget(d.storage)


after_fork(_forked)
add_record_lists(MjData)
