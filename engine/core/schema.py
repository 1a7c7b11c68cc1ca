"""Schemas: the parsed field tables, and where each field lies behind a struct's header.

A struct is one buffer: header cells of 8 bytes, then its arrays. The header holds, in this order, the sizes, the address
of each array, the addresses of nested structs and the scalars. Kernels see only the header's address.
"""
import hashlib
from typing import NamedTuple

import numpy as np

from . import data_fields, model_fields, option_fields


class Field(NamedTuple):
    """One row. `dims` is () for a scalar, else sizes by name or number; `used` names the count of valid leading rows."""
    name: str
    dtype: str
    dims: tuple
    unit: str = ""
    used: str = ""
    default: tuple = ()
    group: str = ""

    @property
    def text(self):
        return self.dtype == "S1"

    @property
    def numpy(self):
        return np.dtype("u1" if self.text else self.dtype)


def _dims(words):
    return tuple(int(w) if w.isdigit() else w for w in words)


def extent(dim):
    """(size, factor) of a dimension: a number, a size, or `size*number`."""
    if isinstance(dim, int):
        return "", dim
    size, _, factor = dim.partition("*")
    return size, int(factor or 1)


def parse_rows(text, group):
    """Rows `name dtype dims [= used]  unit` (columns are separated by two blanks)."""
    rows = []
    for line in text.strip().splitlines():
        name, dtype, rest = (line + "   ").split(None, 2) if len(line.split()) > 2 else (*line.split(), "")
        spec, _, unit = rest.strip().partition("  ")
        dims, _, used = spec.partition("=")
        words = dims.split()
        # a scalar's unit stands where an array's dimensions would
        if words and not all(w.isdigit() or w.partition("*")[0] in _SIZES for w in words):
            words, unit = [], spec
        rows.append(Field(name, dtype, _dims(words), unit.strip(), used.strip(), (), group))
    return rows


def parse_defaults(text, group):
    """Rows `name dtype count = default`."""
    rows = []
    for line in text.strip().splitlines():
        left, _, right = line.partition("=")
        name, dtype, *dims = left.split()
        rows.append(Field(name.replace(".", "__"), dtype, _dims(dims), "", "", tuple((float if dtype[0] == "f" else int)(x) for x in right.split()), group))
    return rows


class Schema:
    """Ordered rows of one struct and their slots in the header."""

    def __init__(self, name, sizes, fields, nested=None):
        self.name = name
        self.sizes = list(sizes)
        self.fields = {f.name: f for f in fields}
        self.nested = dict(nested or {})
        self.arrays = [f for f in fields if f.dims]
        self.scalars = [f for f in fields if not f.dims]
        self.size_slot = {n: k for k, n in enumerate(self.sizes)}
        names = [*(f.name for f in self.arrays), *self.nested, *(f.name for f in self.scalars)]
        self.slot = {n: k + len(self.sizes) for k, n in enumerate(names)}
        self.first_scalar = len(self.sizes) + len(self.arrays) + len(self.nested)
        self.first_copied = self.first_scalar + sum(f.group == "control" for f in self.scalars)
        self.cells = self.first_scalar + len(self.scalars)
        rows = repr((name, self.sizes, self.nested, [(f.name, f.dtype, f.dims) for f in fields]))
        self.hash = hashlib.sha1(rows.encode()).hexdigest()[:12]    # offsets are baked into machine code


MODEL_SIZES = model_fields.SIZES.split()
_ROOM = [line.split()[:2] for line in data_fields.CAPACITIES.strip().splitlines()]
FIRST_CAPACITY = {f"n{name}_cap": int(count) for name, count in _ROOM}
NEEDS = {f"n{name}_cap": f"need_{name}" for name, _ in _ROOM}
CAPACITIES = list(FIRST_CAPACITY)
_SIZES = {*MODEL_SIZES, *CAPACITIES}

_MODEL = [*parse_rows(model_fields.ROWS, "model"), Field("signature", "u8", ())]
_DATA = [Field(need, "i8", (), group="control") for need in NEEDS.values()]
_DATA += [row for part in ("CONTROL", "MAIN", "STATISTICS", "WORK", "COLLISION_WORK", "CONTACT", "CONSTRAINT", "CONSTRAINT_WORK")
         for row in parse_rows(getattr(data_fields, part), part.lower())]

# groups whose arrays lie in the growable buffer
GROWING = {"collision_work", "contact", "constraint", "constraint_work"}
# groups that no interface shows
INTERNAL = {"control", "work", "collision_work", "constraint_work"}

SCHEMAS = {s.name: s for s in (
    Schema("MjOption", [], parse_defaults(option_fields.OPTION, "option")),
    Schema("MjVisual", [], parse_defaults(option_fields.VISUAL, "visual")),
    Schema("MjStatistic", [], parse_defaults(option_fields.STATISTIC, "statistic")),
    Schema("MjModel", MODEL_SIZES, _MODEL, {"opt": "MjOption", "vis": "MjVisual", "stat": "MjStatistic"}),
    Schema("MjData", [*MODEL_SIZES, *CAPACITIES], _DATA),
)}
