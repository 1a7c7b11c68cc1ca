"""MjModel: everything that compilation fixes. Constant while stepping; shared by any number of MjData and threads."""

import copy
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ..tables import names
from ..tables.compat_rows import named
from ..tables.consts import HISTORY_HEAD
from ..tables.enums import mjtWrap
from ..tables.schema import MODEL_SIZES, OUR_SIZES
from ..tables.validate import INDICES, validate
from ..tables.values import read_integer
from . import edits
from .options import MjOption, MjStatistic, MjVisual
from .struct import ArrayField, NestedField, Struct, contents, set_contents

LAST = "mapD2M"
KNOWN, NBUFFER = frozenset(MODEL_SIZES), MODEL_SIZES.index("nbuffer")
THEIR_SIZES = [k for k, n in enumerate(MODEL_SIZES) if n not in OUR_SIZES]
NU, NACTUATOR, NOUT = map(MODEL_SIZES.index, ("nu", "nactuator", "nout"))
# sizes that may be left open, as -1
LIMITS = ("njmax", "nconmax")
_INTEGER, OPEN = {int}, tuple(MODEL_SIZES.index(name) for name in LIMITS)
# the largest number of anything: allocation says what is too much
MOST = 2**62 - 1
# objects on the path of a tendon that is a sum of joint coordinates
FIXED_PATH = int(mjtWrap.mjWRAP_JOINT)


def _size(name, value):
    """A number of something, checked."""
    return read_integer(value, -1 if name in LIMITS else 0, MOST)


def _addresses(samples, dims, start):
    """Where histories begin, one behind the other, -1 of those without samples."""
    lengths = np.where(samples > 0, HISTORY_HEAD + samples * (1 + dims), 0)
    return np.where(samples > 0, start + np.cumsum(lengths) - lengths, -1)


def one_each(n) -> list[tuple[str, Any]]:
    """(field, values) of n actuators that have one control and one force each."""
    numbers = np.arange(n)
    return [("actuator_ctrladr", numbers), ("actuator_ctrlnum", 1), ("actuator_outadr", numbers), ("actuator_outnum", 1)]


def unused(m) -> set[str]:
    """Names of sizes and fields of ours whose values say that the model uses nothing of later releases."""
    found = {f.name for f in m.schema.arrays if f.ours and not m.array(f.name).any()}
    found |= {f.name for f in m.schema.scalars if f.ours and not getattr(m, f.name)}
    if m.nactuator == m.nu == m.nout:
        found |= {name for name, values in one_each(m.nu) if (m.array(name) == values).all()} | {"nactuator", "nout"}
    return found if m.nplastic else found | {"nplastic"}


def _text(field):
    """Bytes of a text array; the same object as long as the text does not change."""

    def read(self):
        raw = self.array(field)
        texts = self.storage.texts
        kept = texts.get(field)
        if kept is None or raw.data != kept:
            kept = texts[field] = raw.tobytes()
        return kept

    return property(read)


class IndexField(ArrayField):
    """An array of indices: what is handed out is looked at later."""

    __slots__ = ()

    def __get__(self, obj, owner=None) -> Any:
        return self if obj is None else obj.array(self.name)


class MjModel(Struct, schema="MjModel"):
    """A compiled model. `MjModel(**sizes)` allocates zeroed arrays; use `from_xml_path` and its siblings to load one."""

    def __init__(self, **sizes):
        # another thread may have addresses of the memory that it would leave
        if hasattr(self, "storage"):
            raise TypeError("an MjModel is made once: make another one")
        if not sizes.keys() <= KNOWN:
            raise TypeError(f"unknown sizes: {', '.join(sorted(sizes.keys() - KNOWN))}")
        # before 3.11 each actuator had one control and one force
        self._make(
            [sizes.get(n, sizes.get("nu", 0) if n in ("nactuator", "nout") else 0) for n in MODEL_SIZES],
            MjOption(),
            MjVisual(),
            MjStatistic(),
        )

    @classmethod
    def of(cls, sizes, opt, vis, written="") -> "MjModel":
        """A model of sizes in the schema's order, with copies of options; its arrays are 0 but that of the field that the caller is going to write."""
        new = object.__new__(cls)
        new._make(sizes, copy.copy(opt), copy.copy(vis), MjStatistic(), written)
        return new

    def _make(self, sizes, opt, vis, stat, written=""):
        if not (
            _INTEGER.issuperset(map(type, sizes))
            and max(sizes) <= MOST
            and sum([k < 0 for k in sizes]) == sum([sizes[k] == -1 for k in OPEN])
        ):
            sizes = [_size(n, k) for n, k in zip(MODEL_SIZES, sizes, strict=True)]
        self._allocate(sizes, written, written)
        if 0 < sizes[NACTUATOR] == sizes[NU] == sizes[NOUT]:
            for name, values in one_each(sizes[NU]):
                self.peek(name)[:] = values
        # the reference's buffer holds the same arrays, each on a cache line, and ends with the last one
        if not sizes[NBUFFER]:
            self.storage.integers[NBUFFER] = self.plan.end(sizes, LAST_FIELD)
        self.__dict__.update(opt=opt, vis=vis, stat=stat)
        cells, slot = self.storage.integers, self.schema.slot
        cells[slot["opt"]], cells[slot["vis"]], cells[slot["stat"]] = (
            opt.storage.address,
            vis.storage.address,
            stat.storage.address,
        )

    if TYPE_CHECKING:
        # modules above put these here: loaders, and what goes back to elements of a spec
        from_xml_path: ClassVar[Any]
        from_xml_string: ClassVar[Any]
        from_binary_path: ClassVar[Any]
        bind: Any
        bind_scalar: Any

    opt, vis, stat = NestedField("opt"), NestedField("vis"), NestedField("stat")
    names = _text("names")
    paths = _text("paths")
    text_data = _text("text_data")

    @property
    def compat(self) -> str:
        """The release whose silent changes hold, such as "3.4" (see tables.compat_rows)."""
        return named(self.compat_bits)

    @property
    def plugin_attr(self) -> np.ndarray:
        kept = self.storage.used.get("plugin_attr")
        if kept is None:
            kept = self.storage.used["plugin_attr"] = self.array("plugin_attr").view(np.int8)
        return kept

    @property
    def tendon_type(self) -> np.ndarray:
        """Kinds of tendons: 0 fixed, 1 spatial (of 4.0)."""
        return (self.wrap_type[self.tendon_adr] != FIXED_PATH).astype(np.int32) if self.ntendon else np.zeros(0, np.int32)

    @property
    def cam_projection(self) -> np.ndarray:
        """Projections of cameras, 0 perspective, 1 orthographic: cam_orthographic under the name that it has in later releases."""
        return self.cam_orthographic

    @property
    def flg_gravcomp(self) -> bool:
        """Whether a body's gravity is compensated (of 3.11)."""
        return bool(self.ngravcomp)

    @property
    def flg_surfacevel(self) -> bool:
        """Whether the surface of a geom moves (of 3.11)."""
        return bool(self.geom_surfacevel.any())

    @property
    def flg_adhesion(self) -> bool:
        """Whether contacts of a geom or a pair adhere (of 3.11)."""
        return bool(self.geom_adhesion.any() or self.pair_adhesion.any())

    @property
    def jnt_plasticadr(self) -> np.ndarray:
        """Where the plastic state of each joint begins in MjData.plastic, -1: it has none (of 4.0)."""
        return np.where(self.jnt_plasticnum > 0, np.cumsum(self.jnt_plasticnum) - self.jnt_plasticnum, -1).astype(np.int32)

    @property
    def tendon_plasticadr(self) -> np.ndarray:
        """Where the plastic state of each tendon begins in MjData.plastic, -1: it has none (of 4.0)."""
        count = self.tendon_plasticnum
        return np.where(count > 0, int(self.jnt_plasticnum.sum()) + np.cumsum(count) - count, -1).astype(np.int32)

    @property
    def actuator_historyadr(self) -> np.ndarray:
        """Where the history of each actuator's control begins in MjData.history, -1: it has none."""
        return _addresses(self.actuator_history[:, 0], self.actuator_ctrlnum, 0)

    @property
    def sensor_historyadr(self) -> np.ndarray:
        """Where the history of each sensor begins in MjData.history, -1: it has none."""
        controls = self.actuator_history[:, 0]
        return _addresses(
            self.sensor_history[:, 0],
            self.sensor_dim,
            int((controls > 0) @ (HISTORY_HEAD + (1 + self.actuator_ctrlnum) * controls)),
        )

    def __setattr__(self, name, value):
        if name in ("opt", "vis", "stat"):
            getattr(self, name).copy_from(value)
        elif name in ("names", "paths", "text_data"):
            self.array(name)[:] = np.frombuffer(bytes(value), np.uint8)
            for kept in (self.storage.names, self.storage.ids, self.storage.by_type):
                kept.clear()
        else:
            super().__setattr__(name, value)

    def _view(self, name):
        return edits.hand_out(self, name) if name in INDICES else super()._view(name)

    def trust(self, fresh: bool = False) -> None:
        """Take the indices for right from now on; what somebody may write later is looked at (see core.edits).

        A `fresh` model was only seen by who made it: no array of it is written again.
        """
        storage, own = self.storage, self.__dict__
        # what was handed out is looked at again when it is asked for
        storage.rows.clear()
        names = INDICES & own.keys()
        if fresh:
            for name in names:
                del own[name]
        else:
            edits.watch_all(self, names)
        storage.trusted, storage.fresh = True, False

    def sizes(self) -> dict[str, int]:
        """All sizes by name."""
        return {n: self.storage.integers[k] for n, k in self.schema.size_slot.items()}

    def __copy__(self):
        new = MjModel(**self.sizes())
        set_contents(new, contents(self))
        for n in self.schema.nested:
            getattr(new, n).copy_from(getattr(self, n))
        new.storage.texts.update(self.storage.texts)
        new.storage.held, new.storage.trusted = self.storage.held, self.storage.trusted and not self.storage.watched
        return new

    def __deepcopy__(self, memo):
        return copy.copy(self)

    @property
    def _address(self):
        return self.storage.address

    @property
    def _sizes(self):
        """All sizes as a column, in the order of the reference's header."""
        return self.storage.header[THEIR_SIZES].reshape(-1, 1)

    def __getstate__(self):
        # what is ours only where the model uses it
        out = unused(self)
        arrays = {f.name: np.array(self.array(f.name)) for f in self.schema.arrays if f.name not in out}
        scalars = {f.name: getattr(self, f.name) for f in self.schema.scalars if f.name not in out}
        return {
            "sizes": {n: k for n, k in self.sizes().items() if n not in out},
            "arrays": arrays,
            "scalars": scalars,
            "nested": {n: getattr(self, n).__getstate__() for n in self.schema.nested},
        }

    @property
    def geom_castshadow(self) -> np.ndarray:
        """Whether each geom casts shadows, a copy (ngeom), of 4.0; what is kept is geom_shadowless."""
        return 1 - self.geom_shadowless

    def __setstate__(self, state):
        MjModel.__init__(self, **state["sizes"])
        for n, x in state["arrays"].items():
            self.array(n)[...] = x
        for n, x in state["scalars"].items():
            setattr(self, n, x)
        for n, values in state["nested"].items():
            target = getattr(self, n)
            for k, x in values.items():
                setattr(target, k, x if x.ndim else x.item())
        validate(self)
        self.trust(True)

    def __repr__(self):
        shown = ", ".join(f"{n}={getattr(self, n)}" for n in ("nq", "nv", "nu", "nbody", "njnt", "ngeom"))
        return f"<MjModel {shown}>"


LAST_FIELD = [f.name for f in MjModel.plan.fields].index(LAST)
for _name in INDICES:
    setattr(MjModel, _name, IndexField(_name))
names.add_accessors(MjModel, "model")
