"""MjData: state and results of one simulation. Two buffers: a fixed one, and a growable one for contacts and constraints.

A stage that finds too little room sets `status` to GROW and `need_*` to what it wants, and returns. The compiled driver then
stops before anything was integrated; `grow` replaces the growable buffer, and the driver runs that step again.
"""
import copy
import importlib

import numpy as np

from . import hooks, names, stages
from .model import MjModel
from .records import add_record_lists
from .schema import CAPACITIES, FIRST_CAPACITY, GROWING, NEEDS
from .struct import ALIGN, NestedField, Plan, Struct, aligned_bytes

GROWTH = 1.5


class MjData(Struct, schema="MjData"):
    """State and results of a simulation of `model`."""

    model = NestedField("model")

    def __init__(self, model):
        if not isinstance(model, MjModel):
            raise TypeError("MjModel cannot be None" if model is None else f"MjData() needs an MjModel, got {type(model).__name__}")
        self._attach(model)
        stages.call("reset_data", model, self)

    def _attach(self, model, capacities=None):
        sizes = model.sizes()
        self._allocate(sizes | dict.fromkeys(CAPACITIES, 0))
        self.__dict__.update(model=model, model_signature=model.signature, _views={})
        names.prepare(self)
        hooks.register(model, self)
        self.stage_table = stages.TABLE.ctypes.data
        self.arrays_address, self.arrays_bytes, self.result_bytes = self._arrays
        self._reserve(capacities or FIRST_CAPACITY)
        self.nplugin = model.nplugin
        self.narena = model.narena
        self.timing = 1
        self.__dict__["plugin_instances"] = None
        if model.nplugin:
            # by name: what kernels are made of does not depend on it
            instances = importlib.import_module(".plugin", __package__).Instances(model, self)
            self.__dict__["plugin_instances"] = instances
            instances.start(model, self)

    def plugin_object(self, instance):
        """What a plugin's init returned for an instance."""
        kept = self.plugin_instances
        if kept is None or not 0 <= instance < len(kept.objects):
            raise IndexError(f"plugin instance {instance} is out of range for {self.model.nplugin} instances")
        return kept.objects[instance]

    def __del__(self):
        kept = self.__dict__.get("plugin_instances")
        if kept is not None:
            kept.destroy(self)

    @property
    def capacities(self):
        return {n: int(self._header[self.schema.size_slot[n]]) for n in CAPACITIES}

    def _reserve(self, capacities):
        """Replace the growable buffer, keeping what the old one holds."""
        s, own, old = self.schema, self.__dict__, {}
        if self._growable is not None:
            old = {n: self.array(n) for n in _GROWING_NAMES}
        for n in CAPACITIES:
            self._header[s.size_slot[n]] = capacities[n]
        offsets = _GROWING.offsets(self._header[:len(s.sizes)])
        buffer = aligned_bytes(int(offsets[-1]) + ALIGN)
        first = buffer.ctypes.data
        for n in _GROWING_NAMES:
            self._full.pop(n, None)
            own.pop(n, None)
        own.update(_growable=buffer, _growable_addr=first)
        self._header[_GROWING.slots] = first + offsets[:-1]
        for n, kept in old.items():
            new = self.array(n)
            keep = min(len(kept), len(new))
            new[:keep] = kept[:keep]
        self._views.clear()

    def grow(self):
        """Give contacts and constraints the room that the last stage asked for."""
        new = self.capacities
        for n, need in NEEDS.items():
            wanted = getattr(self, need)
            if wanted > new[n]:
                new[n] = int(wanted * GROWTH) + 16
            setattr(self, need, 0)
        self._reserve(new)

    def copy_from(self, other):
        """Become a copy of another MjData of the same model: two memory moves, and one a used growable array."""
        if other._addr == self._addr:
            return
        if other._buffer.size != self._buffer.size:
            raise ValueError("MjData of models of different sizes cannot be copied onto each other")
        if any(self._header[k] < other._header[k] for k in map(self.schema.size_slot.get, CAPACITIES)):
            self._reserve(other.capacities)
        stages.call("copy_data", self.model, self, other._addr)
        if self.plugin_instances is not None:
            self.plugin_instances.copied(self, other)

    def __copy__(self):
        new = MjData.__new__(MjData)
        new._attach(self.model, self.capacities)
        new.copy_from(self)
        return new

    def __deepcopy__(self, memo):
        """A copy with a copy of the model."""
        new = MjData.__new__(MjData)
        model = copy.deepcopy(self.model, memo)
        new._attach(model, self.capacities)
        new.copy_from(self)
        return new

    @property
    def _address(self):
        return self._addr

    @property
    def signature(self):
        """Signature of the model that this belongs to."""
        return self.model_signature

    @property
    def threadpool(self):
        """0: a Data is stepped by the thread that calls."""
        return 0

    def __getstate__(self):
        arrays = {f.name: np.array(self.array(f.name)) for f in self.schema.arrays}
        scalars = {f.name: getattr(self, f.name) for f in self.schema.scalars if f.group != "control"}
        return {"model": self.model, "capacities": self.capacities, "arrays": arrays, "scalars": scalars}

    def __setstate__(self, state):
        self._attach(state["model"], state["capacities"])
        for n, x in state["arrays"].items():
            if n != "plugin_data":
                self.array(n)[...] = x
        for n, x in state["scalars"].items():
            setattr(self, n, x)

    def __repr__(self):
        return f"<MjData time={self.time:g} ncon={self.ncon} nefc={self.nefc}>"


_GROWING_NAMES = [f.name for f in MjData.schema.arrays if f.group in GROWING]
_GROWING = Plan(MjData.schema, [MjData.schema.fields[n] for n in _GROWING_NAMES])


def _used(field):
    """A view of the valid part of an array; the view object is kept while count and buffer stay the same."""
    def read(self):
        count = int(self._header[slot])
        kept = self._views.get(field.name)
        if kept is None or len(kept) != count:
            full = self.array(field.name)
            # an empty array holds on to no buffer
            kept = self._views[field.name] = full[:count] if count else np.empty((0, *full.shape[1:]), full.dtype)
        return kept

    def write(self, value):
        read(self)[...] = value
    slot = MjData.schema.slot[field.used]
    return property(read, write)


for _field in MjData.schema.arrays:
    if _field.used:
        setattr(MjData, _field.name, _used(_field))
names.add_accessors(MjData, "data")
add_record_lists(MjData)
