"""Fields of the Model that have values of each world's own: arrays of them, models made with them, constants that follow from them."""

import copy
import ctypes
import weakref
from typing import Any

import numpy as np

from ..core import hooks
from ..core.data import MjData
from ..core.model import MjModel
from ..core.report import FatalError
from ..core.struct import contents, same, set_contents
from ..description.language.column_rows import constants
from ..step.setconst import set_const
from ..tables.schema import SCHEMAS
from ..tables.validate import INDICES, InvalidModel, validate_fields
from .fields import MODEL_FIELDS, OPTION, not_expandable
from .models import PARTS, ThreadModel
from .rows import Table, dtype_of

_MODEL = SCHEMAS["MjModel"]
# what set_const reads: with none of it expanded, it computes what the model has already
_CONSTANT_INPUTS = constants() | frozenset(
    """flex_damping flex_edgestiffness flex_node flex_radius flex_stiffness flex_vert flex_vert0 qpos0 qpos_spring wrap_prm""".split()
)
_ACCEPT = ctypes.CFUNCTYPE(*[ctypes.c_int64] * 5)


class Expansion:
    """Values of each world's own. `given`: fields that the caller expanded; `derived`: those that set_const made of them.

    Indices become visible to compiled code only as a copy that was checked. Where the caller's rows differ from it, compiled code asks for a
    check before it takes them, whoever wrote them: the caller, another thread, or functions in the loop.
    """

    def __init__(self, model: MjModel, nsim: int):
        self.model, self.nsim = model, nsim
        self.given: dict[str, np.ndarray] = {}
        self.derived: dict[str, np.ndarray] = {}
        self.table = Table()
        self._shown: dict[str, np.ndarray] = {}
        self._checked: dict[str, np.ndarray] = {}
        own = weakref.ref(self)

        def accept(_, data, world, __):
            expansion = own()
            return 0 if expansion is None else hooks.guard(lambda: expansion.accept(world), data, 0)

        self._callback = _ACCEPT(accept)
        self._scratch: Any = None

    def __bool__(self):
        return bool(self.given or self.derived)

    # ---- fields ------------------------------------------------------------------------------------------------------------
    def _place(self, name):
        """(struct's name, its object, field, name there)."""
        part, _, field = name.rpartition(".")
        if part:
            struct = getattr(self.model, part)
            return PARTS[part].schema.name, struct, struct.schema.fields[field], field
        return "MjModel", self.model, _MODEL.fields[name], name

    def _value(self, name, model=None):
        """A field's value in a model, an array without dimensions for a number."""
        if name in _MODEL.size_slot:
            return np.array(getattr(model or self.model, name), np.int64)
        part, _, field = name.rpartition(".")
        struct = getattr(model or self.model, part) if part else model or self.model
        f = struct.schema.fields[field]
        value = struct.array(field) if f.dims else np.array(getattr(struct, field), dtype_of(f))
        return value[: self._boxes()] if name == "bvh_aabb" else value

    def _boxes(self):
        """How many boxes belong to bodies; those of meshes are shared."""
        m = self.model
        return int((m.array("body_bvhadr") + m.array("body_bvhnum")).max(initial=0))

    def _make(self, name):
        value = self._value(name)
        rows = np.empty((self.nsim, *value.shape), value.dtype)
        rows[...] = value
        if name in _MODEL.size_slot:
            self.table.size(name, rows)
        else:
            struct, _, _, field = self._place(name)
            if name in INDICES:
                self._checked[name] = rows.copy()
            self.table.input(struct, field, rows, self._checked.get(name))
        return rows

    def expand(self, name: str) -> np.ndarray:
        """The live (nsim, ...) values of a field."""
        if name not in MODEL_FIELDS:
            raise not_expandable(name)
        if name not in self.given:
            self.given[name] = self.derived.pop(name) if name in self.derived else self._make(name)
        return self.shown(name)

    def shown(self, name: str) -> np.ndarray:
        """The array of an expanded field that scripts get, the same one each time: a view, as compiled code has addresses of what lies behind it."""
        return self._shown.setdefault(name, self.given[name].view())

    def expanded(self, name: str) -> np.ndarray | None:
        """The values of a field, read-only, None if all worlds share it."""
        if name not in MODEL_FIELDS:
            raise not_expandable(name)
        rows = self.given.get(name, self.derived.get(name))
        if rows is None:
            return None
        view = rows.view()
        view.flags.writeable = False
        return view

    def fill(self, given: dict[str, np.ndarray], derived: dict[str, np.ndarray]) -> None:
        """Take over the values of another expansion of the same model, for as many worlds."""
        for own, values in ((self.given, given), (self.derived, derived)):
            for name, rows in values.items():
                own[name] = self._make(name)
                own[name][...] = rows

    # ---- models ------------------------------------------------------------------------------------------------------------
    @property
    def names(self) -> frozenset[str]:
        """Fields that differ from world to world."""
        return frozenset((*self.given, *self.derived))

    def thread_model(self, model: MjModel | None = None) -> ThreadModel:
        """A model for one thread, which takes worlds' values and has everything else of the batch's model, or of a copy of it."""
        return ThreadModel(model or self.model, self.names)

    @property
    def callback(self) -> int:
        """Address of a function that compiled code asks to check the indices of a world."""
        return hooks.address_of_code(self._callback)

    def write(self, target: MjModel, world: int, derived: bool = True) -> None:
        """A world's model into another model of the same sizes. InvalidModel if it was given an index out of range."""
        self.accept(world)
        self._write(target, world, self.given | (self.derived if derived else {}) | self._checked)

    def _write(self, target, world, values):
        set_contents(target, contents(self.model))
        n = len(_MODEL.sizes)
        target.storage.header[:n] = self.model.storage.header[:n]
        for part in _MODEL.nested:
            getattr(target, part).copy_from(getattr(self.model, part))
        for name, rows in values.items():
            if name in _MODEL.size_slot:
                target.storage.header[_MODEL.size_slot[name]] = rows[world]
                continue
            part, _, field = name.rpartition(".")
            struct = getattr(target, part) if part else target
            if struct.schema.fields[field].dims:
                struct.array(field)[: len(rows[world])] = rows[world]
            else:
                setattr(struct, field, rows[world].item())

    def accept(self, world: int) -> int:
        """Check indices of a world that were written since they were checked last, and let compiled code have them: 1, or InvalidModel."""
        changed = [n for n, kept in self._checked.items() if self.given[n][world].tobytes() != kept[world].tobytes()]
        if changed:
            self._check(world, changed)
        return 1

    def _check(self, world, changed):
        """The world's model, in which these indices are right."""
        target = copy.copy(self.model)
        self._write(target, world, self.given)
        if "plugin" in changed and (target.array("plugin") != self.model.array("plugin")).any():
            raise InvalidModel("plugin: an instance cannot become one of another plugin")
        validate_fields(target, changed)
        for name in changed:
            # as they were when they were checked: another thread may have written since
            self._checked[name][world] = target.array(name)
        return target

    def check_indices(self) -> None:
        """InvalidModel if a world was given an index out of range. What was looked at is not looked at again."""
        known = {}
        for world in sorted({k for n, kept in self._checked.items() for k in _unequal(self.given[n], kept)}):
            changed = [n for n, kept in self._checked.items() if self.given[n][world].tobytes() != kept[world].tobytes()]
            key = tuple(self.given[n][world].tobytes() for n in self._checked)
            if key not in known:
                known[key] = self._check(world, changed)
            for name in changed:
                self._checked[name][world] = known[key].array(name)

    # ---- constants -----------------------------------------------------------------------------------------------------------
    def set_const(self, worlds, fail) -> None:
        """Recompute what follows from expanded fields for some worlds. `fail(world, text)` is called for those where that is impossible."""
        if not any(n in _CONSTANT_INPUTS or n.startswith(OPTION) for n in self.given):
            return
        if self._scratch is None:
            model = copy.copy(self.model)
            self._scratch = model, MjData(model)
        model, data = self._scratch
        found = {}
        for world in worlds:
            try:
                self.write(model, world, False)
                set_const(model, data)
            except (ValueError, FatalError, MemoryError) as error:
                fail(world, str(error))
                continue
            found[world] = self._differences(model)
        names = {n for values in found.values() for n in values} - self.given.keys()
        for name in sorted(names - self.derived.keys()):
            self.derived[name] = self._make(name)
        for name, rows in self.derived.items():
            shared = self._value(name)
            for world, values in found.items():
                rows[world] = values.get(name, shared)
        # fields that the caller expanded and set_const computes are recomputed all the same
        for world, values in found.items():
            for name in values.keys() & self.given.keys():
                self.given[name][world] = values[name]

    def _differences(self, model):
        """{field: value} of what set_const computed differently from the shared model, or from what a world was given."""
        found = {}
        names = [f.name for f in _MODEL.arrays if f.name not in INDICES and not f.text]
        if same(model, self.model) and not self.given:
            return found
        for name in names:
            value = model.array(name)
            if value.tobytes() != self.model.array(name).tobytes():
                found[name] = self._value(name, model).copy()
        for name in ("stat.meaninertia", "stat.meanmass", "stat.meansize", "stat.extent"):
            value = self._value(name, model)
            if value != self._value(name):
                found[name] = value
        if model.ngravcomp != self.model.ngravcomp:
            found["ngravcomp"] = np.array(model.ngravcomp, np.int64)
        return found


def _unequal(a, b):
    """Rows of which two arrays have other bytes."""
    a, b = (x.reshape(len(x), -1).view(np.uint8) for x in (a, b))
    return np.flatnonzero((a != b).any(1)).tolist()
