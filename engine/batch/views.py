"""Named access to an element in all worlds: `b.joint("hinge").qpos` is (nsim, 1), `b.body("pole").mass = masses` sets each
world's mass."""

from typing import Any

import numpy as np

from ..core.data import MjData
from ..core.model import MjModel
from ..tables import named_access
from .fields import DATA_FIELDS, MODEL_FIELDS, STATE_FIELDS, did_you_mean, is_output, is_structure, not_bindable

# types of elements that have attributes in Data, and types that have attributes only in the Model
KINDS = "actuator body camera geom joint light sensor site tendon".split()
MODEL_KINDS = "equality keyframe material numeric pair".split()


def _tables(kind: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return {attribute: field} for a type of element, in Data and in the Model."""
    key = "key" if kind == "keyframe" else kind
    data = named_access.attributes(MjData, "data", key) if kind in KINDS else {}
    return data, named_access.attributes(MjModel, "model", key)


class Named:
    """One element's parts of bound and expanded fields, under the attribute names of MjData and MjModel: arrays (nsim, ...).

    Reading an attribute of Data binds its field. Reading an attribute of the Model does not expand it: it returns each
    world's values from `expand` or `set_const`, else the shared value; only expanded values are writable. Assigning expands
    the field and writes every world's value. Addresses, counts, ids and types are the same in all worlds and cannot be
    assigned.

    batch: the Batch
    kind: type of the element, such as "body"
    key: its name or id. KeyError for unknown names
    """

    __slots__ = ("_batch", "_data", "_kind", "_model", "_tables", "id", "name")

    def __init__(self, batch: Any, kind: str, key: int | str) -> None:
        model = getattr(batch.shared_model, kind)(key)
        data = getattr(batch.template, kind)(model.id) if kind in KINDS else None
        for slot, value in (
            ("_batch", batch),
            ("_kind", kind),
            ("_model", model),
            ("_data", data),
            ("_tables", _tables(kind)),
            ("id", model.id),
            ("name", model.name),
        ):
            object.__setattr__(self, slot, value)

    def __getattr__(self, attribute: str) -> np.ndarray:
        return self._part(attribute, False)

    def __setattr__(self, attribute: str, value: Any) -> None:
        if attribute in Named.__slots__:
            raise AttributeError(f"{attribute} is read-only")
        self._part(attribute, True)[...] = value

    def __dir__(self) -> list[str]:
        return sorted({"id", "name", *self._tables[0], *self._tables[1]})

    def _part(self, attribute: str, write: bool) -> np.ndarray:
        """Return the (nsim, ...) values of an attribute, writable if `write`."""
        in_data, in_model = (table.get(attribute) for table in self._tables)
        if in_data is not None and in_data.name in DATA_FIELDS:
            part = getattr(self._data, attribute)
            if isinstance(part, np.ndarray) and (part.base is not None or not part.size):
                return self._of_data(in_data.name, attribute, part, write)
        if in_model is not None and in_model.name in MODEL_FIELDS:
            return self._of_model(in_model.name, attribute, getattr(self._model, attribute), write)
        if in_data is not None or in_model is not None:
            raise AttributeError(f"{self._kind} {attribute} is not a slice of a field that the batch binds or expands")
        raise AttributeError(f"{attribute} is not a field of a {self._kind}{did_you_mean(attribute, dir(self))}")

    def _of_data(self, field: str, attribute: str, part: np.ndarray, write: bool) -> np.ndarray:
        """Return an attribute of Data."""
        if not part.size:
            return _nothing(self._batch.nsim, part)
        if write and field not in STATE_FIELDS:
            raise is_output(f"{self._kind} {attribute}")
        return self._columns(self._batch.bind(field), getattr(self._batch.template, field), part)

    def _of_model(self, field: str, attribute: str, part: np.ndarray, write: bool) -> np.ndarray:
        """Return an attribute of the Model."""
        batch = self._batch
        if not part.size:
            return _nothing(batch.nsim, part)
        if batch.models is not None:
            if write:
                raise ValueError(f"{field} comes from the caller models (set_models): edit them and call set_models again")
            values = np.stack([getattr(getattr(batch.model_of(i), self._kind)(self.id), attribute) for i in range(batch.nsim)])
            values.flags.writeable = False
            return values

        # addresses, counts and types are the same in all worlds
        if is_structure(field, part):
            if write:
                raise ValueError(f"{field} is structural: it cannot differ between simulations")
            if batch.expanded(field) is None:
                return np.broadcast_to(part, (batch.nsim, *part.shape))
        rows = batch.expand(field) if write or batch.is_expanded(field) else batch.expanded(field)
        if rows is None:
            return np.broadcast_to(part, (batch.nsim, *part.shape))
        return self._columns(rows, getattr(batch.shared_model, field), part)

    def _columns(self, rows: np.ndarray, full: Any, part: np.ndarray) -> np.ndarray:
        """Return the columns of an array (nsim, ...) that correspond to `part`, a view of the field `full`."""
        start = (part.ctypes.data - full.ctypes.data) // full.itemsize
        return rows.reshape(len(rows), -1)[:, start : start + part.size].reshape(len(rows), *part.shape)


def _nothing(nsim: int, part: np.ndarray) -> np.ndarray:
    """Return an empty read-only array."""
    empty = np.empty((nsim, *part.shape), part.dtype)
    empty.flags.writeable = False
    return empty


def span_of(data: MjData, text: str) -> tuple[str, int, int]:
    """Parse `field`, `sensor:name` or `type:name.attribute`. Return (field of Data, index of the first number, count). Raise
    ValueError for unknown names."""
    kind, _, rest = text.partition(":")
    if not rest:
        if text not in DATA_FIELDS:
            raise not_bindable(text)
        return text, 0, int(np.size(getattr(data, text)))
    if kind not in KINDS:
        raise ValueError(f"{text!r}: {kind} is not one of {', '.join(KINDS)}")
    name, _, attribute = (rest, "", "data") if kind == "sensor" else rest.rpartition(".")
    table = _tables(kind)[0]
    if attribute not in table or table[attribute].name not in DATA_FIELDS:
        raise ValueError(f"{text!r}: a {kind} has {', '.join(sorted(table))}")
    part, field = getattr(getattr(data, kind)(name), attribute), table[attribute].name
    full = getattr(data, field)
    if part.base is None:
        raise ValueError(f"{text!r} is not a part of a field")
    return field, (part.ctypes.data - full.ctypes.data) // full.itemsize, part.size


def add_accessors(cls: type) -> None:
    """Add a method for each type of named element to Batch, like those of MjData and MjModel."""
    for kind in (*KINDS, *MODEL_KINDS):
        setattr(cls, kind, _accessor(kind))


def _accessor(kind: str) -> Any:
    """Return the method for one type of element."""

    def access(self, key: int | str) -> Named:
        return Named(self, kind, key)

    access.__name__, access.__qualname__ = kind, f"Batch.{kind}"
    access.__doc__ = f"The {kind} of a name or number in all simulations: see Named."
    return access
