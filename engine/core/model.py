"""MjModel: everything that is fixed by compilation. Steps do not change it; any number of MjData and threads can share one."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ..tables import named_access
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
# sizes for which -1 means "not set"
LIMITS = ("njmax", "nconmax")
# largest size that this check accepts; larger sizes fail when memory is allocated
MOST = 2**62 - 1
# wrap type of the objects on a fixed tendon, whose length is a weighted sum of joint coordinates
FIXED_PATH = int(mjtWrap.mjWRAP_JOINT)

# {field of a feature that MuJoCo lacks: its value in models that do not use the feature}; all other such fields are then 0
DEFAULTS = {"light_softness": 0.2}


def _size(name: str, value: Any) -> int:
    """Return a size after validating it."""
    return read_integer(value, -1 if name in LIMITS else 0, MOST)


def _addresses(samples: np.ndarray, dims: np.ndarray, start: int) -> np.ndarray:
    """Return the address of each element's history, -1 for elements without samples. Histories follow each other in memory."""
    lengths = np.where(samples > 0, HISTORY_HEAD + samples * (1 + dims), 0)
    return np.where(samples > 0, start + np.cumsum(lengths) - lengths, -1)


def one_each(n: int) -> list[tuple[str, Any]]:
    """Return (field, values) for n actuators with one control and one force each."""
    numbers = np.arange(n)
    return [("actuator_ctrladr", numbers), ("actuator_ctrlnum", 1), ("actuator_outadr", numbers), ("actuator_outnum", 1)]


def unused(m: Any) -> set[str]:
    """Return the names of those sizes and fields that MuJoCo lacks and that a model does not use, because they contain their
    defaults."""
    found = {f.name for f in m.schema.arrays if f.ours and not m.array(f.name).any()}
    found |= {f.name for f in m.schema.scalars if f.ours and not getattr(m, f.name)}
    found |= {name for name, value in DEFAULTS.items() if (m.array(name) == np.float32(value)).all()}
    if m.nactuator == m.nu == m.nout:
        found |= {name for name, values in one_each(m.nu) if (m.array(name) == values).all()} | {"nactuator", "nout"}
    # The size of `key_plastic` is a product of two counts, so this field may be larger than the rest of a file.
    return found - {"key_plastic"} if m.nplastic else found | {"nplastic"}


def _text(field: str) -> property:
    """Return a property for the bytes of a text array; the same object is returned while the text does not change."""

    def read(self) -> bytes:
        raw = self.array(field)
        texts = self.storage.texts
        kept = texts.get(field)
        if kept is None or raw.data != kept:
            kept = texts[field] = raw.tobytes()
        return kept

    return property(read)


class IndexField(ArrayField):
    """An array of indices: its edits are detected (see core.edits)."""

    __slots__ = ()

    def __get__(self, obj: Any, owner: type | None = None) -> Any:
        return self if obj is None else obj.array(self.name)


class MjModel(Struct, schema="MjModel"):
    """A compiled model. `MjModel(**sizes)` allocates zeroed arrays; use `from_xml_path` and its siblings to load one."""

    def __init__(self, **sizes: int) -> None:
        # a second call would free memory whose addresses another thread may hold
        if hasattr(self, "storage"):
            raise TypeError("an MjModel cannot be initialized again: make another one")
        if not sizes.keys() <= KNOWN:
            raise TypeError(f"unknown sizes: {', '.join(sorted(sizes.keys() - KNOWN))}")
        # before 3.11, each actuator had one control and one force
        given = [sizes.get(n, sizes.get("nu", 0) if n in ("nactuator", "nout") else 0) for n in MODEL_SIZES]
        self._make(
            [_size(n, k) for n, k in zip(MODEL_SIZES, given, strict=True)],
            MjOption(),
            MjVisual(),
            MjStatistic(),
        )

    @classmethod
    def of(cls, sizes: Sequence[int], opt: MjOption, vis: MjVisual, written: str = "") -> MjModel:
        """Return a model with valid sizes in the schema's order, and copies of the options. Arrays are 0, except the field
        `written`, which the caller fills."""
        new = object.__new__(cls)
        new._make(sizes, opt.__copy__(), vis.__copy__(), MjStatistic(), written)
        return new

    def _make(self, sizes: Sequence[int], opt: MjOption, vis: MjVisual, stat: MjStatistic, written: str = "") -> None:
        """Allocate memory, and fill the fields that are determined by sizes and options alone."""
        self._allocate(sizes, written, written)
        if 0 < sizes[NACTUATOR] == sizes[NU] == sizes[NOUT]:
            for name, values in one_each(sizes[NU]):
                self.peek(name)[:] = values
        for name, value in DEFAULTS.items():
            self.peek(name)[...] = value
        # MuJoCo's buffer contains the same arrays, each aligned to a cache line, and ends after the last array
        if not sizes[NBUFFER]:
            self.storage.integers[NBUFFER] = int(self.plan.spans(sizes)[1][LAST_FIELD])
        self.__dict__.update(opt=opt, vis=vis, stat=stat)

        # compiled code accesses the options by their addresses
        cells, slot = self.storage.integers, self.schema.slot
        cells[slot["opt"]], cells[slot["vis"]], cells[slot["stat"]] = (
            opt.storage.address,
            vis.storage.address,
            stat.storage.address,
        )

    if TYPE_CHECKING:
        # loaders, and bindings to the elements of a spec; modules that import this one set them
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
        """The release whose unannounced behavior changes apply, such as "3.4" (see tables.compat_rows)."""
        return named(self.compat_bits)

    @property
    def plugin_attr(self) -> np.ndarray:
        """Configuration strings of plugin instances, as bytes."""
        kept = self.storage.used.get("plugin_attr")
        if kept is None:
            kept = self.storage.used["plugin_attr"] = self.array("plugin_attr").view(np.int8)
        return kept

    @property
    def tendon_type(self) -> np.ndarray:
        """Types of tendons: 0 fixed, 1 spatial (since 4.0)."""
        return (self.wrap_type[self.tendon_adr] != FIXED_PATH).astype(np.int32) if self.ntendon else np.zeros(0, np.int32)

    @property
    def cam_projection(self) -> np.ndarray:
        """Projections of cameras: 0 perspective, 1 orthographic. Later releases use this name for cam_orthographic."""
        return self.cam_orthographic

    @property
    def flg_gravcomp(self) -> bool:
        """Whether gravity of any body is compensated (since 3.11)."""
        return bool(self.ngravcomp)

    @property
    def flg_surfacevel(self) -> bool:
        """Whether the surface of any geom moves (since 3.11)."""
        return bool(self.geom_surfacevel.any())

    @property
    def flg_adhesion(self) -> bool:
        """Whether contacts of any geom or pair adhere (since 3.11)."""
        return bool(self.geom_adhesion.any() or self.pair_adhesion.any())

    @property
    def jnt_plasticadr(self) -> np.ndarray:
        """Index of each joint's plastic state in MjData.plastic, -1 if it has none (since 4.0)."""
        return np.where(self.jnt_plasticnum > 0, np.cumsum(self.jnt_plasticnum) - self.jnt_plasticnum, -1).astype(np.int32)

    @property
    def tendon_plasticadr(self) -> np.ndarray:
        """Index of each tendon's plastic state in MjData.plastic, -1 if it has none (since 4.0)."""
        count = self.tendon_plasticnum
        return np.where(count > 0, int(self.jnt_plasticnum.sum()) + np.cumsum(count) - count, -1).astype(np.int32)

    @property
    def actuator_historyadr(self) -> np.ndarray:
        """Index of each actuator's control history in MjData.history, -1 if it has none."""
        return _addresses(self.actuator_history[:, 0], self.actuator_ctrlnum, 0)

    @property
    def sensor_historyadr(self) -> np.ndarray:
        """Index of each sensor's history in MjData.history, -1 if it has none."""
        controls = self.actuator_history[:, 0]
        return _addresses(
            self.sensor_history[:, 0],
            self.sensor_dim,
            int((controls > 0) @ (HISTORY_HEAD + (1 + self.actuator_ctrlnum) * controls)),
        )

    def __setattr__(self, name: str, value: Any) -> None:
        if name in ("opt", "vis", "stat"):
            getattr(self, name).copy_from(value)
        elif name in ("names", "paths", "text_data"):
            self.array(name)[:] = np.frombuffer(bytes(value), np.uint8)
            for kept in (self.storage.names, self.storage.ids, self.storage.by_type):
                kept.clear()
        else:
            super().__setattr__(name, value)

    def _view(self, name: str) -> np.ndarray:
        return edits.hand_out(self, name) if name in INDICES else super()._view(name)

    def trust(self, fresh: bool = False) -> None:
        """Trust the indices from now on, and detect later edits (see core.edits).

        `fresh`: no other code has seen the model, and the code that made it will write no array again.
        """
        storage, own = self.storage, self.__dict__
        # drop earlier views, which are not watched; the next access makes watched ones
        storage.rows.clear()
        names = [name for name in own if name in INDICES]
        if fresh:
            for name in names:
                del own[name]
        else:
            edits.watch_all(self, names)
        storage.trusted, storage.fresh = True, False

    def sizes(self) -> dict[str, int]:
        """Return all sizes by name."""
        return {n: self.storage.integers[k] for n, k in self.schema.size_slot.items()}

    def __copy__(self) -> MjModel:
        new = MjModel.of(self.storage.header[: len(MODEL_SIZES)].tolist(), self.opt, self.vis)
        set_contents(new, contents(self))
        new.stat.copy_from(self.stat)
        new.__dict__.update((name, self.__dict__[name]) for name in ("arena_asked", "room") if name in self.__dict__)
        new.storage.texts.update(self.storage.texts)
        new.storage.held, new.storage.trusted = self.storage.held, self.storage.trusted and not self.storage.watched
        return new

    def __deepcopy__(self, memo: dict) -> MjModel:
        return copy.copy(self)

    @property
    def _address(self) -> int:
        return self.storage.address

    @property
    def _sizes(self) -> np.ndarray:
        """Return all sizes as a column of text, in the order of MuJoCo's header."""
        return self.storage.header[THEIR_SIZES].reshape(-1, 1)

    def __getstate__(self) -> dict[str, Any]:
        # include fields that MuJoCo does not have only if the model uses them
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
        """Whether each geom casts a shadow, as a copy (ngeom) (since 4.0). The stored field is geom_shadowless."""
        return 1 - self.geom_shadowless

    def __setstate__(self, state: dict[str, Any]) -> None:
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

    def __repr__(self) -> str:
        shown = ", ".join(f"{n}={getattr(self, n)}" for n in ("nq", "nv", "nu", "nbody", "njnt", "ngeom"))
        return f"<MjModel {shown}>"


LAST_FIELD = [f.name for f in MjModel.plan.fields].index(LAST)
for _name in INDICES:
    setattr(MjModel, _name, IndexField(_name))
named_access.add_accessors(MjModel, "model")
