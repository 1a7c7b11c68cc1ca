"""Fields of elements: the rows of structs.py, and the public attributes that read and write them, with checks.

`raw` of an element holds a number, tuple, text, list or array for each field. A value once read as an array stays an array, so
that writing into the array changes the model. A wrong type raises TypeError on assignment, ValueError as an add_* keyword.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Self

import numpy as np

from ...tables import enums
from ...tables.later_enums import ours
from ...tables.schema import SCHEMAS, SIZE_DOCS
from ...tables.values import read_integer, read_number, read_text
from .attributes import MAX_SINGLE, ORIENT
from .later_fields import given_later, is_later
from .ours import OUR_ROWS
from .schema import ROOT, Elem
from .structs import STRUCTS
from .types import ORIENTATION_SIZES
from .vectors import VECTORS, MjCharVec, character

MODEL = SCHEMAS["MjModel"]
DTYPES = {"f8": np.float64, "f4": np.float32, "i4": np.int32, "u1": np.uint8, "i8": np.int64}
LIMITS = {"i4": (-(2**31), 2**31 - 1), "u1": (0, 255), "i8": (-(2**63), 2**63 - 1)}
# names of alternative orientations, by mjtOrientation
FORMS = {number: form for form, number in ORIENT.items()}


class FieldRow:
    """One field of a struct: type, count (0 for a scalar, -1 for a list), default, and `note`.

    `note` is `unit | sentence`, or `= field` to use the note of a field of the compiled model.
    """

    __slots__ = ("name", "type", "count", "default", "nested", "note", "shape", "ours")

    def __init__(self, line: str) -> None:
        line, _, self.note = line.partition(" | ")
        words = line.split()
        self.name, kind, rest = words[0].lstrip("+"), words[1], words[2:]
        self.ours = words[0][0] == "+"

        # type and count
        self.nested = kind.endswith("**")
        self.count = -1 if kind.endswith("*") else 0
        kind = kind.rstrip("*")
        if kind.endswith("]"):
            kind, _, n = kind[:-1].partition("[")
            self.count = int(n)
        self.type = kind

        # parse the default value
        if kind == "orient":
            self.default = (0, ())
        elif kind == "plugin":
            self.default = None
        elif kind in ("str", "chr"):
            self.default = "" if self.count >= 0 else ()
        elif self.count > 0:
            values = [float(x) if kind[0] == "f" else int(x) for x in rest]
            self.default = tuple(values + [0.0 if kind[0] == "f" else 0] * (self.count - len(values)))
        elif self.count < 0:
            self.default = ()
        else:
            value = rest[0] if rest else "0"
            self.default = float(value) if kind[0] == "f" else int(value)
        self.shape = self._shape()

    @property
    def about(self) -> tuple[str, str]:
        """Return (unit, sentence) for this field, or for the model field that the row names."""
        own, _, other = self.note.partition("= ")
        if not own and other in MODEL.fields:
            return MODEL.fields[other].unit, MODEL.fields[other].doc
        if not own:
            return "-", SIZE_DOCS[other]
        unit, _, doc = self.note.partition(" | ")
        return unit.strip(), doc

    def _shape(self) -> str:
        """Return the name of the shape (see SHAPES) that implements this field's attribute."""
        if self.type in ("orient", "plugin"):
            return self.type
        if self.type == "chr":
            return "characters"
        if self.count < 0:
            return "nested" if self.nested else "list"
        if self.type == "str":
            return "text"
        if self.count:
            return "array"
        return "enum" if self.type.startswith("mjt") else "number"


def _rows() -> dict[str, dict[str, FieldRow]]:
    tables: dict[str, dict[str, FieldRow]] = {}
    current: dict[str, FieldRow] = {}
    # join the lines of a row that continues on the next line
    for line in re.sub(r"\n {4,}", " ", STRUCTS).split("\n"):
        if not line.strip():
            continue
        if line[0] != " ":
            current = tables[line.partition(":")[0]] = {}
        else:
            row = FieldRow(line)
            current[row.name] = row
    for struct, lines in OUR_ROWS.items():
        tables[struct].update((row.name, row) for row in map(FieldRow, lines))
    return tables


TABLES = _rows()


def _bound(elem: Elem, seen: set[Elem]) -> None:
    """Limit fields stored in single precision to numbers that fit single precision."""
    if elem in seen:
        return
    seen.add(elem)
    rows = TABLES.get(elem.struct, {})
    for attr in elem.attrs.values():
        if elem.struct == "MjVisual" or attr.field in rows and rows[attr.field].type == "f4":
            attr.limit = MAX_SINGLE
    for child in elem.children.values():
        _bound(child, seen)


_bound(ROOT, set())
_ENUMS = {}


def enum_of(name: str) -> Any:
    """Return the enum class of a type name such as mjtGeom."""
    if not _ENUMS:
        _ENUMS.update((k, v) for k, v in vars(enums).items() if k.startswith("mjt"))
    return _ENUMS[name]


# ---- values: (row, value) -> value stored in raw, or TypeError


def _one(row: FieldRow, value: Any) -> float:
    """Return one number of a field's type."""
    return read_number(value) if row.type[0] == "f" else read_integer(value, *LIMITS[row.type])


def _sequence(value: Any) -> Any:
    if isinstance(value, (str, bytes)) or not hasattr(value, "__iter__") or not hasattr(value, "__len__"):
        raise TypeError(f"needs a list or array, got {type(value).__name__}")
    return value


def numbers(row: FieldRow, value: Any) -> np.ndarray:
    """Return an array of a field's type from a list, tuple or array of numbers."""
    if isinstance(value, np.ndarray) and value.ndim == 1 and value.dtype.kind in ("biuf" if row.type[0] == "f" else "biu"):
        return value.astype(DTYPES[row.type])
    if row.type == "u1" and isinstance(value, (bytes, bytearray)):
        return np.frombuffer(value, np.uint8).copy()
    return np.array([_one(row, x) for x in _sequence(value)], DTYPES[row.type])


def texts(row: FieldRow, value: list[str] | str) -> list[str]:
    """Return a list of strings."""
    out = list(_sequence(value))
    return [read_text(x) for x in out]


def nested(row: FieldRow, value: Any) -> list[Any]:
    """Return a list of lists of numbers."""
    return [numbers(row, x).tolist() for x in _sequence(value)]


def text(row: FieldRow, value: str) -> str:
    """Return a string; bytes are decoded."""
    return read_text(value)


def member(row: FieldRow, value: int) -> int:
    """Return the number of an enum's member."""
    cls, value = enum_of(row.type), ours(value)
    if not isinstance(value, cls):
        raise TypeError(f"needs {cls.__name__}, got {type(value).__name__}")
    return int(value)


def characters(row: FieldRow, value: Iterable[Any]) -> str:
    """Return the text of a sequence of single characters."""
    value = "".join(character(x) for x in value)
    if len(value) > row.count:
        raise TypeError(f"needs at most {row.count} characters, got {len(value)}")
    return value


def _list_of(row: FieldRow, value: Any) -> list[str] | np.ndarray | None:
    return texts(row, value) if row.type == "str" else numbers(row, value)


# shape of a field -> (function that converts a value to its stored form, message for an invalid keyword argument)
READERS = {
    "number": (_one, "is the wrong type."),
    "enum": (member, "is the wrong type."),
    "text": (text, "should be a string."),
    "list": (_list_of, "has the wrong type."),
    "nested": (nested, "has the wrong type."),
    "array": (numbers, "should be a list/array."),
    "characters": (characters, "should be a list/array."),
}


def _checked(row: FieldRow, read: Callable[..., Any], value: Any) -> Any:
    try:
        return read(row, value)
    except (TypeError, ValueError, OverflowError) as error:
        raise TypeError(f"{row.name}: incompatible function arguments: {error}") from None


# ---- public attributes


def _plain(row: FieldRow) -> property:
    """Return the property for a number, text or enum member."""
    name, read_value = row.name, READERS[row.shape][0]
    if row.shape == "enum":

        def member_of(self) -> int:
            value = self.raw[name]
            try:
                return enum_of(row.type)(value)
            except ValueError:
                return value

        read = member_of
    elif row.type == "f4":

        def single(self) -> float:
            return float(np.float32(self.raw[name]))

        read = single
    else:

        def value_of(self) -> float | str:
            return self.raw[name]

        read = value_of

    def write(self, value: float | str) -> None:
        self.raw[name] = _checked(row, read_value, value)

    return property(read, write)


def _array(row: FieldRow) -> property:
    name, count, dtype = row.name, row.count, DTYPES[row.type]

    def read(self) -> np.ndarray:
        value = self.raw[name]
        if not isinstance(value, np.ndarray):
            value = self.raw[name] = np.array(value, dtype)
        return value

    def write(self, value: Any) -> None:
        given = _checked(row, numbers, value)
        if given.size != count:
            raise TypeError(f"{name}: incompatible function arguments: needs {count} numbers, got {given.size}")
        # write into the existing array, which other objects may share
        read(self)[:] = given

    return property(read, write)


def _list(row: FieldRow) -> property:
    name, cls = row.name, VECTORS[row.type]

    def read(self) -> Any:
        value = self.raw[name]
        wanted = list if row.type == "str" else np.ndarray
        if not isinstance(value, wanted):
            value = self.raw[name] = list(value) if wanted is list else np.array(value, DTYPES[row.type])
        return cls.over(value)

    def write(self, value: Any) -> None:
        self.raw[name] = _checked(row, _list_of, value)

    return property(read, write)


def _nested(row: FieldRow) -> property:
    name = row.name

    def read(self) -> list[Any]:
        return [list(x) for x in self.raw[name]]

    def write(self, value: Any) -> None:
        self.raw[name] = _checked(row, nested, value)

    return property(read, write)


def _characters(row: FieldRow) -> property:
    name = row.name

    def read(self) -> Any:
        return MjCharVec.over(list(self.raw[name]), lambda items: self.raw.__setitem__(name, "".join(items)))

    def write(self, value: list[str]) -> None:
        given = _checked(row, characters, value)
        self.raw[name] = given + self.raw[name][len(given) :]

    return property(read, write)


class MjsOrientation:
    """An element's alternative orientation: `type` selects axisangle, xyaxes, zaxis or euler.

    Iteration yields (type, numbers), the form that compiler and reader use.
    """

    __slots__ = ("_kind", "_forms")

    def __init__(self, *args: Any) -> None:
        raise TypeError(f"{type(self).__name__}: No constructor defined!")

    @classmethod
    def of(cls, pair: Any) -> Self:
        """Return the orientation for a pair (type, numbers)."""
        new = cls.__new__(cls)
        new._kind, new._forms = int(pair[0]), {k: np.zeros(ORIENTATION_SIZES[k]) for k in FORMS}
        if new._kind:
            new._forms[new._kind][:] = pair[1]
        return new

    def copy(self) -> MjsOrientation:
        """Return an independent copy."""
        new = MjsOrientation.of((0, ()))
        new.take(self)
        return new

    def take(self, other: MjsOrientation) -> None:
        """Copy type and numbers of another orientation."""
        self._kind = other._kind
        for k, values in other._forms.items():
            self._forms[k][:] = values

    def __iter__(self) -> Iterator[Any]:
        yield self._kind
        yield tuple(self._forms[self._kind].tolist()) if self._kind else ()

    def __getitem__(self, index: Any) -> int:
        return tuple(self)[index]

    @property
    def type(self) -> Any:
        return enum_of("mjtOrientation")(self._kind)

    @type.setter
    def type(self, kind: Any) -> None:
        if not isinstance(kind, enum_of("mjtOrientation")):
            raise TypeError(f"type: incompatible function arguments: needs mjtOrientation, got {kind!r}")
        self._kind = int(kind)


def _form(kind: int, name: str) -> property:
    row = FieldRow(f"{name} f8[{ORIENTATION_SIZES[kind]}]")

    def read(self) -> np.ndarray:
        return self._forms[kind]

    def write(self, value: np.ndarray) -> None:
        given = _checked(row, numbers, value)
        if given.size != row.count:
            raise TypeError(f"{name}: incompatible function arguments: needs {row.count} numbers, got {given.size}")
        self._forms[kind][:] = given

    return property(read, write)


for _kind, _name in FORMS.items():
    setattr(MjsOrientation, _name, _form(_kind, _name))


def _orient(row: FieldRow) -> property:
    name = row.name

    def read(self) -> MjsOrientation:
        value = self.raw[name]
        if not isinstance(value, MjsOrientation):
            value = self.raw[name] = MjsOrientation.of(value)
        return value

    def write(self, value: Any) -> None:
        if not isinstance(value, MjsOrientation):
            raise TypeError(f"{name}: incompatible function arguments: needs MjsOrientation, got {type(value).__name__}")
        read(self).take(value)

    return property(read, write)


SHAPES = {
    "number": _plain,
    "enum": _plain,
    "text": _plain,
    "array": _array,
    "list": _list,
    "nested": _nested,
    "characters": _characters,
    "orient": _orient,
}


# ---- keyword arguments of add_* methods

NAME = FieldRow("name str")


def keywords(rows: dict[str, FieldRow], named: bool = True) -> dict[str, tuple[FieldRow, int]]:
    """Return {keyword: (row, orientation type or 0)} for the keywords of an element, in the order of its fields."""
    out = {"name": (NAME, 0)} if named else {}
    for name, row in rows.items():
        if row.type == "orient":
            prefix = "i" if name == "ialt" else ""
            out.update((prefix + form, (row, kind)) for kind, form in FORMS.items())
        else:
            out[name] = (row, 0)
    return out


def set_keywords(element: Any, known: dict[str, tuple[FieldRow, int]], values: dict[str, Any]) -> None:
    """Set fields given by keyword. TypeError for an unknown keyword, ValueError for an invalid value."""
    if is_later(element):
        values = given_later(element, known, values)
    for key in values:
        if key not in known:
            raise TypeError(
                f"Invalid {key} keyword argument. Valid options are: "
                + ", ".join(k for k, (row, _) in known.items() if not row.ours)
                + "."
            )

    # at most one notation of an orientation may be given
    oriented = set()
    for key, value in values.items():
        row, kind = known[key]
        if kind:
            if row.name in oriented:
                forms = [k for k in known if known[k][0] is row]
                raise ValueError(f"Only one of: {', '.join(forms[:-1])}, or{forms[-1]} can be set.")
            oriented.add(row.name)
            element.raw[row.name] = (kind, tuple(_keyword(FieldRow(f"{key} f8[{ORIENTATION_SIZES[kind]}]"), value).tolist()))
        elif key == "name" and "name" not in element.rows:
            element.label = _keyword(row, value)
        elif row.type == "plugin":
            element.plugin.take(value)
        else:
            element.raw[key] = _keyword(row, value)


def _keyword(row: FieldRow, value: Any) -> Any:
    read, wrong = READERS[row.shape]
    try:
        given = read(row, value)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{row.name} {wrong}") from None
    if row.count > 0 and len(given) != row.count:
        raise ValueError(f"{row.name} should be a list/array of size {row.count}.")
    return given
