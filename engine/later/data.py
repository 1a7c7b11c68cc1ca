"""MjData of the newest release, and its contacts."""

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from ..core.data import MjData as Base
from ..core.records import CLASSES
from ..core.records import MjContact as BaseContact
from ..dynamics.sparsity import is_sparse
from ..machine.interpret import plain as interpreted
from ..tables import face_rows, named_access
from ..tables.enums import mjtEnableBit, mjtSensor, mjtWarning
from ..tables.face_rows import MEMBERS
from ..tables.schema import Field
from .contacts import adhesion_of, surface_velocity_of
from .differing_fields import TABLE as ROWS
from .faces import Copied, face, plain, registered
from .fields import TABLE as FIELDS
from .fields import edge_rows, sealed, starts, tendon_rows
from .kept import kept
from .metric import METRIC
from .mirror import Mirror
from .model import MjModel, gone, of_engine
from .whitened import whitened

_is_sparse = interpreted(is_sparse)
GAINED, LOST = face_rows.changed("MjData")
# Fields of named elements that are computed on access: {type of element: {attribute: field}}.
MORE = {
    "body": {"xiquat": Field("xiquat", "f8", ("nbody", 4))},
    "geom": {"xquat": Field("geom_xquat", "f8", ("ngeom", 4))},
    "site": {"xquat": Field("site_xquat", "f8", ("nsite", 4))},
}
VIEWS: dict[str, Any] = {}
# for each warning of this release, its index in the engine's list
WARNINGS = [int(mjtWarning[name]) for name in MEMBERS["mjtWarning"] if name != "mjNWARNING"]
ENERGY, POTENTIAL = int(mjtEnableBit.mjENBL_ENERGY), int(mjtSensor.mjSENS_E_POTENTIAL)


@registered(Base)
class MjData(Copied, Base):
    """State and results of a simulation of `model`."""

    __slots__ = ("plain",)
    more_fields: ClassVar[dict[str, Any]] = {}
    lost_fields: ClassVar[frozenset[str]] = frozenset()

    def __new__(cls, model: Any) -> Any:
        return face(Base(plain(model)))

    def __init__(self, model: Any) -> None:
        # `__new__` has already initialized the object.
        pass

    def __del__(self) -> None:
        # The engine's object owns and frees the memory.
        pass

    @property
    def model(self) -> MjModel:  # type: ignore[override]
        return face(self.plain.model)

    @property
    def contact(self) -> Any:
        """Contacts found by the last collision detection."""
        return ContactList(self.plain)

    @property
    def warning(self) -> Any:
        """Counts of warnings, by mjtWarning."""
        return WarningList(self.plain)

    def bind(self, specs: Any) -> Any:
        """Return views of the Data's rows for an element, or a sequence of elements, of the spec from which the model was
        compiled."""
        return self.plain.bind(specs)

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(getattr(type(self), name, None), property) and (name in GAINED or name in TABLE):
            object.__setattr__(self, name, value)
        else:
            setattr(self.plain, name, value)


# ---- contacts and warnings ---------------------------------------------------------------------------------------------
class MjContact(BaseContact):
    """A contact, including the fields added after 3.4."""

    __slots__ = ()
    members = BaseContact.members | {"adhesion": ("f8", ()), "surfacevel": ("f8", (3,))}

    def _column(self, name: str) -> np.ndarray:
        column = getattr(self._rows, name, None)
        return super()._column(name) if column is None else column

    @property
    def adhesion(self) -> float:
        return float(self._column("adhesion")[self._index])

    @adhesion.setter
    def adhesion(self, value: float) -> None:
        self._column("adhesion")[self._index] = value

    @property
    def surfacevel(self) -> np.ndarray:
        return self._column("surfacevel")[self._index]

    @surfacevel.setter
    def surfacevel(self, value: Any) -> None:
        self._column("surfacevel")[self._index][:] = value


_LISTS = {name: pair[1] for name, pair in CLASSES.items()}


class ContactList(_LISTS["MjContact"]):  # type: ignore[misc]
    """Contacts of a Data."""

    __slots__ = ()
    kind = MjContact

    @property
    def adhesion(self) -> np.ndarray:
        return self._part(adhesion_of(self._data))

    @property
    def surfacevel(self) -> np.ndarray:
        return self._part(surface_velocity_of(self._data))

    def _part(self, x: np.ndarray) -> np.ndarray:
        return sealed(x if self._span is None else x[self._span])

    def _column(self, name: str) -> np.ndarray:
        return getattr(self, name) if name in ("adhesion", "surfacevel") else super()._column(name)


class WarningList(_LISTS["MjWarningStat"]):  # type: ignore[misc]
    """Counts of warnings in the order of this release."""

    __slots__ = ()

    def __len__(self) -> int:
        return len(WARNINGS)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return super().__getitem__(index)
        if not 0 <= int(index) < len(WARNINGS):
            raise IndexError(f"warning index {index} is out of range for {len(WARNINGS)} records")
        return super().__getitem__(WARNINGS[int(index)])

    def __iter__(self) -> Any:
        return (self[k] for k in range(len(self)))

    @property
    def lastinfo(self) -> np.ndarray:
        return self._data.warning_lastinfo[WARNINGS]

    @property
    def number(self) -> np.ndarray:
        return self._data.warning_number[WARNINGS]


# ---- fields ------------------------------------------------------------------------------------------------------------
def _packed(d: Any, name: str, rows: list[list[int]]) -> np.ndarray:
    """Return the elements of Jacobian `name` at the dofs listed in `rows`, concatenated. Writes into the array are passed on to
    the engine, except for elements that the engine does not store.
    """
    own, places, known = d.array(name).reshape(-1), *_places(d, name, rows)

    def store(values: np.ndarray) -> None:
        own[places[known]] = values[known]

    return Mirror.of(np.where(known, own[places], 0.0) if len(own) else np.zeros(len(places)), store)


def _places(d: Any, name: str, rows: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    """Return, for the elements at the dofs listed in `rows`, (index in the engine's Jacobian, whether the engine stores it).
    The engine's Jacobian may be dense or list other dofs, depending on the option `jacobian`.
    """
    m, first = d.model, starts(rows)
    places, known = np.zeros(sum(map(len, rows)), np.int64), np.ones(sum(map(len, rows)), bool)
    sparse, col = _is_sparse(m), d.array(f"{name}_colind").ravel()
    count, start = d.array(f"{name}_rownnz"), d.array(f"{name}_rowadr")
    for k, dofs in enumerate(rows):
        at = slice(int(first[k]), int(first[k]) + len(dofs))
        if sparse:
            begin = int(start[k])
            found = {i: begin + n for n, i in enumerate(col[begin : begin + int(count[k])].tolist())}
            places[at], known[at] = [found.get(i, 0) for i in dofs], [i in found for i in dofs]
        else:
            places[at] = [k * m.nv + i for i in dofs]
    return places, known


def _plugin_part(d: Any) -> np.ndarray:
    m = d.model
    return d.plugin_state[: m.npluginstate - m.nhistory - m.nplastic]


def _zeros(*sizes: str | int, dtype: Any = np.float64) -> Callable[[Any], np.ndarray]:
    """Return a function that returns zeros, for fields of flex and solver features that this engine lacks."""
    return lambda d: np.zeros([getattr(d.model, n) if isinstance(n, str) else n for n in sizes], dtype)


TABLE: dict[str, Callable[[Any], Any]] = {
    "ten_J": lambda d: _packed(d, "ten_J", tendon_rows(d.model)),
    "flexedge_J": lambda d: _packed(d, "flexedge_J", edge_rows(d.model)),
    "efc_Y": lambda d: whitened(d)[0],
    "efc_Y_rownnz": lambda d: whitened(d)[1],
    "efc_Y_rowadr": lambda d: whitened(d)[2],
    "efc_Y_colind": lambda d: whitened(d)[3],
    "nY": lambda d: len(whitened(d)[0]),
    "efc_diagA": lambda d: d.efc_diagApprox,
    "flg_energypos": lambda d: bool(d.energy[0] and (d.model.opt.enableflags & ENERGY or POTENTIAL in d.model.sensor_type)),
    "flg_energyvel": lambda d: bool(d.model.opt.enableflags & ENERGY and d.energy.any()),
    "flg_subtreevel": lambda d: bool(d.subtree_linvel.any() or d.subtree_angmom.any()),
    "flg_rnepost": lambda d: bool(d.cacc.any() or d.cfrc_int.any()),
    "flexelem_krot": lambda d: np.zeros(FIELDS["nflexstiffness"](d.model)),
    "flex_hessian_valid": _zeros("nflex", dtype=bool),
    "flexvert_hessian": _zeros("nflexvert", 6),
    "flexedge_hessian": _zeros("nflexedge", 9),
    "flexvert_lambda": _zeros("nflexvert"),
    "flexvert_conage": _zeros("nflexvert", dtype=np.int32),
    **METRIC,
}

# fields that are arrays of the engine under other names
OF_ENGINE = ("efc_diagA",)


def _flags(name: str) -> property:
    """Return a property for an array of flags: a boolean view of the engine's bytes."""
    return property(
        lambda self: self.plain.array(name).view(np.bool_),
        lambda self, value: setattr(self.plain, name, value),
    )


def _computed(name: str) -> property:
    compute = TABLE[name]

    def read(self) -> Any:
        value = compute(self.plain)
        own = not isinstance(value, np.ndarray) or isinstance(value, Mirror) or name in OF_ENGINE
        return value if own else kept(self.plain, name, value)

    return property(read, lambda self, value: read(self).__setitem__(..., value))


def _own_or_copy(name: str) -> property:
    """Return a property for a field: the engine's array if its values are those of this release, else a read-only copy."""

    def read(self) -> Any:
        found = ROWS[name](self.plain)
        return found if found.base is not None and np.shares_memory(found, self.plain.array(name)) else sealed(found)

    return property(read, lambda self, value: read(self).__setitem__(..., value))


for _name in GAINED:
    setattr(MjData, _name, of_engine(_name))
for _name in ROWS:
    setattr(MjData, _name, _own_or_copy(_name))
for _name in ("eq_active", "bvh_active"):
    setattr(MjData, _name, _flags(_name))
for _name in TABLE:
    setattr(MjData, _name, _computed(_name))
for _name in LOST - TABLE.keys():
    setattr(MjData, _name, gone("MjData", _name))


def _plugin_state(self) -> np.ndarray:
    return _plugin_part(self.plain)


setattr(MjData, "plugin_state", property(_plugin_state, lambda self, value: _plugin_part(self.plain).__setitem__(..., value)))
MjData.more_fields, MjData.lost_fields = MORE, LOST
named_access.add_accessors(MjData, "data", VIEWS)
MjData.unlisted = frozenset((Base.unlisted | LOST | {"plain", "more_fields", "lost_fields"}) - GAINED)
