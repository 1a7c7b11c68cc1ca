"""Models whose fields differ between worlds. Each thread has its own header, and memory for the fields that differ.

the batch's model   header ── arrays                thread's model   header ──┬── the batch's arrays
                                                                              └── its own arrays for expanded fields
"""

from collections.abc import Iterable, Sequence

import numpy as np

from ..core import hooks
from ..core.data import MjData
from ..core.model import MjModel
from ..core.options import MjOption, MjStatistic
from ..core.report import FatalError
from ..core.struct import contents, set_contents
from ..machine.storage import address_of, aligned_bytes
from ..tables.enums import mjtEnableBit
from ..tables.schema import MODEL_SIZES, SCHEMAS

_MODEL = SCHEMAS["MjModel"]
_SLEEP = int(mjtEnableBit.mjENBL_SLEEP)
# structs inside a model: {attribute: class}
PARTS = {"opt": MjOption, "stat": MjStatistic}
# model sizes that determine the layout of a Data
_DATA_SIZES = [
    k
    for k, n in enumerate(MODEL_SIZES)
    if any(n in map(str, f.dims) or any(str(x).startswith(f"{n}*") for x in f.dims) for f in SCHEMAS["MjData"].arrays)
]
NEEDS_PERSISTENT = "sleep and IPC require a persistent batch: their bookkeeping is not part of the state"


def worker_data(model: MjModel) -> MjData:
    """Return a Data in which worlds are computed. Its timers are off: nothing reads them, and reading the clock takes time."""
    d = MjData(model)
    d.timing = 0
    return d


def one_for_each(models: MjModel | Sequence[MjModel], shared: MjModel, nsim: int, persistent: bool) -> list[MjModel]:
    """Return the caller's model for each simulation, after checking that it is compatible with the batch's model."""
    each = [models] * nsim if isinstance(models, MjModel) else list(models)
    if len(each) != nsim:
        raise ValueError(f"set_models needs a model per simulation, got {len(each)} for {nsim}")
    for i, m in enumerate(each):
        if not isinstance(m, MjModel):
            raise TypeError(f"set_models needs MjModel, got {type(m).__name__}")
        if any(m.storage.header[k] != shared.storage.header[k] for k in _DATA_SIZES):
            raise FatalError(f"mjb_setModels: model {i} does not give mjData the batch model's layout")
        if m.opt.enableflags & _SLEEP and not persistent:
            raise ValueError(NEEDS_PERSISTENT)
        if not m.storage.trusted:
            # the MjData constructor checks the model's indices
            MjData(m)
        # Python functions receive this model object
        hooks.alias(m.storage.address, m)
    return each


class _Cells:
    """A minimal replacement of a model's storage: calls need only the address of the header."""

    __slots__ = ("address",)

    def __init__(self, address: int) -> None:
        self.address = address


class ThreadModel:
    """A thread's model, into which compiled code copies the values of worlds."""

    def __init__(self, model: MjModel, fields: Iterable[str]) -> None:
        """Allocate memory for the fields that differ: array names of the model, or `opt.name`."""
        self.model = model
        raw = aligned_bytes(8 * _MODEL.cells)
        self.header = raw.view(np.int64)
        self.storage = _Cells(address_of(raw))
        # structs without differing fields are shared with the batch's model
        self.parts = {name: kind() for name, kind in PARTS.items() if any(f.startswith(f"{name}.") for f in fields)}
        self.opt, self.stat = (self.parts.get(name) or getattr(model, name) for name in PARTS)

        # make separate arrays for fields that differ
        self.arrays = {}
        for name in fields:
            if name in _MODEL.fields:
                full = model.array(name)
                own = (
                    aligned_bytes(-(-full.nbytes // 64) * 64).view(full.dtype)[: full.size].reshape(full.shape)
                    if full.size
                    else full
                )
                own[...] = full
                self.arrays[name] = own
        # callbacks and plugins find the model by its address: they get the batch's model
        hooks.alias(self.storage.address, model)
        self.refresh()

    def refresh(self) -> None:
        """Copy the numbers of the batch's model, which may have been edited. Arrays that do not differ between worlds are
        shared."""
        model = self.model
        self.header[:] = model.storage.header
        for name, own in self.arrays.items():
            if own.size:
                self.header[_MODEL.slot[name]] = address_of(own)
        for name, part in self.parts.items():
            set_contents(part, contents(getattr(model, name)))
            self.header[_MODEL.slot[name]] = part.storage.address
