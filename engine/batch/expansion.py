"""Fields of the Model that have values of each world's own: arrays of them, models made with them, constants that follow from them."""
import copy
from typing import Any

import numpy as np

from ..core.data import MjData
from ..core.model import MjModel
from ..core.options import MjOption, MjStatistic
from ..core.report import FatalError
from ..core.schema import SCHEMAS
from ..core.struct import contents, same, set_contents
from ..core.validate import INDICES, validate_fields
from ..step.setconst import set_const
from .fields import MODEL_FIELDS, OPTION, not_expandable
from .models import ThreadModel
from .rows import Table, dtype_of

_MODEL = SCHEMAS["MjModel"]
# what set_const reads: with none of it expanded, it computes what the model has already
_CONSTANT_INPUTS = frozenset("""actuator_biasprm actuator_cranklength actuator_gainprm actuator_gear body_gravcomp body_inertia body_ipos
body_iquat body_mass body_pos body_quat cam_pos cam_quat dof_armature dof_damping eq_data flex_damping flex_edgestiffness flex_node flex_radius
flex_stiffness flex_vert flex_vert0 geom_pos geom_quat geom_size jnt_axis jnt_pos jnt_stiffness light_dir light_pos qpos0 qpos_spring site_pos
site_quat tendon_armature tendon_damping tendon_stiffness wrap_prm""".split())
# parts of a model that hold fields, too
_PARTS = {"opt": MjOption, "stat": MjStatistic}


class Expansion:
    """Values of each world's own. `given`: fields that the caller expanded; `derived`: those that set_const made of them."""

    def __init__(self, model: MjModel, nsim: int):
        self.model, self.nsim = model, nsim
        self.given: dict[str, np.ndarray] = {}
        self.derived: dict[str, np.ndarray] = {}
        self.table = Table()
        self._shown: dict[str, np.ndarray] = {}
        self._checked: dict[str, np.ndarray] = {}
        self._scratch: Any = None

    def __bool__(self):
        return bool(self.given or self.derived)

    # ---- fields ------------------------------------------------------------------------------------------------------------
    def _place(self, name):
        """(struct's name, its object, field, name there)."""
        part, _, field = name.rpartition(".")
        if part:
            struct = getattr(self.model, part)
            return _PARTS[part].schema.name, struct, struct.schema.fields[field], field
        return "MjModel", self.model, _MODEL.fields[name], name

    def _value(self, name, model=None):
        """A field's value in a model, an array without dimensions for a number."""
        if name in _MODEL.size_slot:
            return np.array(getattr(model or self.model, name), np.int64)
        part, _, field = name.rpartition(".")
        struct = getattr(model or self.model, part) if part else model or self.model
        f = struct.schema.fields[field]
        value = struct.array(field) if f.dims else np.array(getattr(struct, field), dtype_of(f))
        return value[:self._boxes()] if name == "bvh_aabb" else value

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
            self.table.input(struct, field, rows)
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
        return ThreadModel(model or self.model, [n for n in self.names if n in _MODEL.fields])

    def write(self, target: MjModel, world: int, derived: bool = True) -> None:
        """A world's model into another model of the same sizes."""
        set_contents(target, contents(self.model))
        n = len(_MODEL.sizes)
        target.storage.header[:n] = self.model.storage.header[:n]
        for part in _MODEL.nested:
            getattr(target, part).copy_from(getattr(self.model, part))
        for name, rows in (self.given | self.derived if derived else self.given).items():
            if name in _MODEL.size_slot:
                target.storage.header[_MODEL.size_slot[name]] = rows[world]
                continue
            part, _, field = name.rpartition(".")
            struct = getattr(target, part) if part else target
            if struct.schema.fields[field].dims:
                struct.array(field)[:len(rows[world])] = rows[world]
            else:
                setattr(struct, field, rows[world].item())

    def check_indices(self) -> None:
        """InvalidModel if a world was given an index out of range. What was looked at is not looked at again."""
        for name in INDICES & self.given.keys():
            rows = self.given[name]
            before = self._checked.get(name)
            if before is not None and np.array_equal(before, rows):
                continue
            flat = rows.reshape(self.nsim, -1)
            target = copy.copy(self.model)
            for world in np.unique(flat, axis=0, return_index=True)[1]:
                self.write(target, int(world))
                validate_fields(target, [name])
            self._checked[name] = rows.copy()

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
            self.write(model, world, False)
            try:
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
