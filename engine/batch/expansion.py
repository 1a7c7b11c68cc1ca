"""Model fields with separate values for each world: the arrays, models made from them, and constants computed from them."""

from __future__ import annotations

import copy
import ctypes
import weakref
from collections.abc import Callable, Iterable
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
from .copy_rows import Table, dtype_of
from .fields import MODEL_FIELDS, OPTION, not_expandable
from .models import PARTS, ThreadModel

_MODEL = SCHEMAS["MjModel"]
# fields that set_const reads; if none of them is expanded, set_const need not run
_CONSTANT_INPUTS = constants() | frozenset(
    """flex_damping flex_edgestiffness flex_node flex_radius flex_stiffness flex_vert flex_vert0
    qpos0 qpos_spring wrap_prm""".split()
)
_ACCEPT = ctypes.CFUNCTYPE(*[ctypes.c_int64] * 5)


class Expansion:
    """Model fields with separate values for each world. `given`: fields that the caller expanded; `derived`: fields that
    set_const computed.

    Compiled code reads indices (ids of other elements) only from a checked copy. If a world's row differs from this copy,
    compiled code requests a check first. It does not matter whether the caller, another thread or a function in the loop wrote
    the row.
    """

    def __init__(self, model: MjModel, nsim: int) -> None:
        self.model, self.nsim = model, nsim
        self.given: dict[str, np.ndarray] = {}
        self.derived: dict[str, np.ndarray] = {}
        self.table = Table()
        self._shown: dict[str, np.ndarray] = {}
        self._checked: dict[str, np.ndarray] = {}
        own = weakref.ref(self)

        def accept(_: int, data: int, world: int, __: int) -> Any:
            expansion = own()
            return 0 if expansion is None else hooks.guard(lambda: expansion.accept(world), data, 0)

        self._callback = _ACCEPT(accept)
        self._scratch: Any = None

    def __bool__(self) -> bool:
        return bool(self.given or self.derived)

    # ---- fields ----------------------------------------------------------------------------------------------------------
    def _place(self, name: str) -> tuple[str, Any, Any, str]:
        """Split a field name; return (name of the struct, the struct, the field's entry in its schema, the name inside the
        struct)."""
        part, _, field = name.rpartition(".")
        if part:
            struct = getattr(self.model, part)
            return PARTS[part].schema.name, struct, struct.schema.fields[field], field
        return "MjModel", self.model, _MODEL.fields[name], name

    def _value(self, name: str, model: MjModel | None = None) -> np.ndarray:
        """Return a field's value in a model; scalars become arrays without dimensions."""
        if name in _MODEL.size_slot:
            return np.array(getattr(model or self.model, name), np.int64)
        part, _, field = name.rpartition(".")
        struct = getattr(model or self.model, part) if part else model or self.model
        f = struct.schema.fields[field]
        value = struct.array(field) if f.dims else np.array(getattr(struct, field), dtype_of(f))
        return value[: self._boxes()] if name == "bvh_aabb" else value

    def _boxes(self) -> int:
        """Return how many bounding boxes belong to bodies. The other boxes belong to meshes, and all worlds share them."""
        m = self.model
        return int((m.array("body_bvhadr") + m.array("body_bvhnum")).max(initial=0))

    def _make(self, name: str) -> np.ndarray:
        """Make the array of values for a field and add it to the table."""
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
        """Return the live (nsim, ...) values of a field. Raise ValueError if it cannot differ between worlds."""
        if name not in MODEL_FIELDS:
            raise not_expandable(name)
        if name not in self.given:
            self.given[name] = self.derived.pop(name) if name in self.derived else self._make(name)
        return self.shown(name)

    def shown(self, name: str) -> np.ndarray:
        """Return the array of an expanded field that scripts see: always the same view, because compiled code has the address
        of its base."""
        return self._shown.setdefault(name, self.given[name].view())

    def expanded(self, name: str) -> np.ndarray | None:
        """Return a read-only view of a field's values for each world, or None if all worlds share one value."""
        if name not in MODEL_FIELDS:
            raise not_expandable(name)
        rows = self.given.get(name, self.derived.get(name))
        if rows is None:
            return None
        view = rows.view()
        view.flags.writeable = False
        return view

    def fill(self, given: dict[str, np.ndarray], derived: dict[str, np.ndarray]) -> None:
        """Copy the values from an expansion with the same model and number of worlds."""
        for own, values in ((self.given, given), (self.derived, derived)):
            for name, rows in values.items():
                own[name] = self._make(name)
                own[name][...] = rows

    # ---- models ----------------------------------------------------------------------------------------------------------
    @property
    def names(self) -> frozenset[str]:
        """Fields that differ between worlds."""
        return frozenset((*self.given, *self.derived))

    def thread_model(self, model: MjModel | None = None) -> ThreadModel:
        """Return a model for one thread, into which a world's values are copied. Unexpanded fields are shared with the batch's
        model or with `model`."""
        return ThreadModel(model or self.model, self.names)

    @property
    def callback(self) -> int:
        """Return the address of a function that compiled code calls to check the indices of a world."""
        return hooks.address_of_code(self._callback)

    def write(self, target: MjModel, world: int, derived: bool = True) -> None:
        """Write a world's model into a model of the same sizes. Raise InvalidModel if the world has an index out of range."""
        self.accept(world)
        self._write(target, world, self.given | (self.derived if derived else {}) | self._checked)

    def _write(self, target: MjModel, world: int, values: dict[str, np.ndarray]) -> None:
        """Write the shared model's values, then a world's own values, into `target`."""
        set_contents(target, contents(self.model))
        n = len(_MODEL.sizes)
        target.storage.header[:n] = self.model.storage.header[:n]
        for part in _MODEL.nested:
            getattr(target, part).copy_from(getattr(self.model, part))

        # write the world's own values
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
        """Check the world's indices that changed since the last check, so that compiled code can use them. Return 1, or raise
        InvalidModel."""
        changed = [n for n, kept in self._checked.items() if self.given[n][world].tobytes() != kept[world].tobytes()]
        if changed:
            self._check(world, changed)
        return 1

    def _check(self, world: int, changed: list[str]) -> MjModel:
        """Check the changed indices of a world; return its model."""
        target = copy.copy(self.model)
        self._write(target, world, self.given)
        if "plugin" in changed and (target.array("plugin") != self.model.array("plugin")).any():
            raise InvalidModel("plugin: an instance cannot become one of another plugin")
        validate_fields(target, changed)
        for name in changed:
            # copy the values that were checked, because another thread may have changed the caller's array since
            self._checked[name][world] = target.array(name)
        return target

    def check_indices(self) -> None:
        """Raise InvalidModel if a world has an index out of range. Worlds with equal indices are checked once."""
        known = {}
        for world in sorted({k for n, kept in self._checked.items() for k in _unequal(self.given[n], kept)}):
            changed = [n for n, kept in self._checked.items() if self.given[n][world].tobytes() != kept[world].tobytes()]
            key = tuple(self.given[n][world].tobytes() for n in self._checked)
            if key not in known:
                known[key] = self._check(world, changed)
            for name in changed:
                self._checked[name][world] = known[key].array(name)

    # ---- constants -------------------------------------------------------------------------------------------------------
    def set_const(self, worlds: Iterable[int], fail: Callable[[int, str], object]) -> None:
        """Recompute, for some worlds, the constants that depend on expanded fields. If a world's constants cannot be computed,
        call `fail(world, text)`."""
        if not any(n in _CONSTANT_INPUTS or n.startswith(OPTION) for n in self.given):
            return
        if self._scratch is None:
            model = copy.copy(self.model)
            self._scratch = model, MjData(model)
        model, data = self._scratch

        # compute each world's constants
        found = {}
        for world in worlds:
            try:
                self.write(model, world, False)
                set_const(model, data)
            except (ValueError, FatalError, MemoryError) as error:
                fail(world, str(error))
                continue
            found[world] = self._differences(model)

        # write the constants to the rows of derived fields
        names = {n for values in found.values() for n in values} - self.given.keys()
        for name in sorted(names - self.derived.keys()):
            self.derived[name] = self._make(name)
        for name, rows in self.derived.items():
            shared = self._value(name)
            for world, values in found.items():
                rows[world] = values.get(name, shared)
        # if the caller expanded a field that set_const computes, overwrite the caller's values
        for world, values in found.items():
            for name in values.keys() & self.given.keys():
                self.given[name][world] = values[name]

    def _differences(self, model: MjModel) -> dict[str, np.ndarray]:
        """Return {field: value} of those computed values that differ from the shared model or from the world's given values."""
        found = {}
        names = [f.name for f in _MODEL.arrays if f.name not in INDICES and not f.text]
        if same(model, self.model) and not self.given:
            return found

        # arrays
        for name in names:
            value = model.array(name)
            if value.tobytes() != self.model.array(name).tobytes():
                found[name] = self._value(name, model).copy()

        # compare statistics and counts
        for name in ("stat.meaninertia", "stat.meanmass", "stat.meansize", "stat.extent"):
            value = self._value(name, model)
            if value != self._value(name):
                found[name] = value
        if model.ngravcomp != self.model.ngravcomp:
            found["ngravcomp"] = np.array(model.ngravcomp, np.int64)
        return found


def _unequal(a: np.ndarray, b: np.ndarray) -> list[int]:
    """Return the rows in which two arrays have different bytes."""
    a, b = (x.reshape(len(x), -1).view(np.uint8) for x in (a, b))
    return np.flatnonzero((a != b).any(1)).tolist()
