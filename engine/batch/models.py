"""Models whose fields differ from world to world: a header of a thread's own, with memory of its own for the fields that differ.

    the batch's model   header ── arrays                thread's model   header ──┬── the batch's arrays
                                                                                  └── its own, for what is expanded
"""
import numpy as np

from ..core import hooks
from ..core.model import MjModel
from ..core.options import MjOption, MjStatistic
from ..core.schema import SCHEMAS
from ..core.storage import address_of, aligned_bytes
from ..core.struct import contents, set_contents

_MODEL = SCHEMAS["MjModel"]


class _Cells:
    """What calls need of a model's storage: where its header is."""

    __slots__ = ("address",)

    def __init__(self, address):
        self.address = address


class ThreadModel:
    """A model as one thread sees it. Worlds' values are copied into it by compiled code."""

    def __init__(self, model: MjModel, fields):
        """fields: names of arrays of the model that differ."""
        self.model = model
        raw = aligned_bytes(8 * _MODEL.cells)
        self.header = raw.view(np.int64)
        self.storage = _Cells(address_of(raw))
        self.opt, self.stat = MjOption(), MjStatistic()
        self.arrays = {}
        for name in fields:
            full = model.array(name)
            own = aligned_bytes(-(-full.nbytes // 64) * 64).view(full.dtype)[:full.size].reshape(full.shape) if full.size else full
            self.arrays[name] = own
        # callbacks and plugins that ask for the model by its address get the batch's one
        hooks.alias(self.storage.address, model)
        self.refresh()

    def refresh(self) -> None:
        """Take over everything that does not differ."""
        model = self.model
        self.header[:] = model.storage.header
        for name, own in self.arrays.items():
            if own.size:
                own[...] = model.array(name)
                self.header[_MODEL.slot[name]] = address_of(own)
        for name in ("opt", "stat"):
            part = getattr(self, name)
            set_contents(part, contents(getattr(model, name)))
            self.header[_MODEL.slot[name]] = part.storage.address
