"""Schemas: the parsed field tables, and where each field is stored after a struct's header.

A struct is one buffer: header cells of 8 bytes, then its arrays. The header holds, in this order, the sizes, the address of
each array, the addresses of nested structs, and the scalars. Kernels get only the header's address.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from . import data_fields, model_fields, option_fields

ENUMERATION = re.compile(r"\((mjt\w+)\)")


class Field(NamedTuple):
    """One row of a table.

    dims: () for a scalar, else sizes by name or number. used: name of the count of valid leading rows. part: its heading,
    which is the owner of a field of Model, or the stage that writes a field of Data. ours: MuJoCo has no such field; its
    row has a + before the name.
    """

    name: str
    dtype: str
    dims: tuple
    unit: str = "-"
    used: str = ""
    default: tuple = ()
    group: str = ""
    doc: str = ""
    part: str = ""
    ours: bool = False
    values: str = ""

    @property
    def text(self) -> bool:
        return self.dtype == "S1"

    @property
    def shape(self) -> str:
        """Dimensions as text, such as `ngeom x 3`; empty for a scalar."""
        return " x ".join(map(str, self.dims))

    @property
    def numpy(self) -> np.dtype:
        return np.dtype("u1" if self.text else self.dtype)

    @property
    def enumeration(self) -> str:
        """The enumeration whose numbers the field holds, named in brackets in its sentence; empty for other fields."""
        named = ENUMERATION.search(self.doc)
        return named[1] if named else ""


def _dims(words: Sequence[str]) -> tuple[int | str, ...]:
    return tuple(int(w) if w.isdigit() else w for w in words)


def extent(dim: Any) -> tuple[str, int]:
    """Return (size, factor) of a dimension: a number, a size, or `size*number`."""
    if isinstance(dim, int):
        return "", dim
    size, _, factor = dim.partition("*")
    return size, int(factor or 1)


def table_lines(text: str) -> Iterator[tuple[Any, Any, Any, Any]]:
    """Yield (columns before the first bar, unit, sentence, heading) of each row of a table.

    Rows are `... | unit | sentence`, headings `# part: text`.
    """
    part = ""
    for line in text.splitlines():
        if line[:1] == "#":
            part = line[2:].partition(":")[0]
        elif line:
            left, unit, doc = line.split(" | ")
            yield left, unit.strip(), doc, part


def headings(text: str) -> dict:
    """Return {part: text of its heading} of a table."""
    return dict(line[2:].split(": ", 1) for line in text.splitlines() if line[:1] == "#")


def parse_rows(text: str, group: str) -> list[Field]:
    """Parse rows `name dtype dims [= used] | unit | sentence`."""
    rows = []
    for left, unit, doc, part in table_lines(text):
        columns, _, used = left.partition("=")
        name, dtype, *dims = columns.split()
        unit, _, values = unit.partition(" > ")
        rows.append(
            Field(name.lstrip("+"), dtype, _dims(dims), unit, used.strip(), (), group, doc, part, name[0] == "+", values)
        )
    return rows


def parse_defaults(text: str, group: str) -> list[Field]:
    """Parse rows `name dtype count = default | unit | sentence`."""
    rows = []
    for left, unit, doc, part in table_lines(text):
        columns, _, default = left.partition("=")
        name, dtype, *dims = columns.split()
        values = tuple((float if dtype[0] == "f" else int)(x) for x in default.split())
        rows.append(
            Field(name.lstrip("+").replace(".", "__"), dtype, _dims(dims), unit, "", values, group, doc, part, name[0] == "+")
        )
    return rows


class Schema:
    """The rows of one struct in order, and their slots in the header. Fields that MuJoCo does not have get the last slots, so
    adding such a field moves no other field."""

    def __init__(
        self,
        name: str,
        sizes: Iterable[str],
        fields: Sequence[Field],
        nested: dict[str, str] | None = None,
        private: Iterable[str] = (),
    ) -> None:
        # rows
        self.name = name
        self.sizes = list(sizes)
        self.our_sizes = OUR_SIZES.intersection(sizes)
        self.fields = {f.name: f for f in fields}
        self.nested = dict(nested or {})
        # in the order of the buffer, fields of MuJoCo's buffer first
        self.arrays = sorted((f for f in fields if f.dims), key=lambda f: f.ours and f.group == "model")
        self.scalars = [f for f in fields if not f.dims]
        self.size_slot = {n: k for k, n in enumerate(self.sizes)}
        self.scalars.sort(key=lambda f: f.ours)

        # slots of the header
        theirs, ours = ([f for f in self.arrays if f.ours == own] for own in (False, True))
        # scratch first, so that a new field visible to scripts does not move it
        theirs, ours = [f.name for f in theirs], [f.name for f in sorted(ours, key=lambda f: f.group not in INTERNAL)]
        names = [*theirs, *self.nested, *(f.name for f in self.scalars), *ours]
        self.slot = {n: k + len(self.sizes) for k, n in enumerate(names)}
        self.first_scalar = len(self.sizes) + len(theirs) + len(self.nested)
        self.last_scalar = self.first_scalar + len(self.scalars)
        self.first_copied = self.first_scalar + sum(f.group == "control" for f in self.scalars)
        self.cells = self.last_scalar + len(ours)
        # cells that stages do not read come last, so that adding such a cell changes no machine code
        self.private = {n: self.cells + k for k, n in enumerate(private)}
        rows = repr((name, self.sizes, self.nested, [(f.name, f.dtype, f.dims) for f in fields]))
        self.hash = hashlib.sha1(rows.encode()).hexdigest()[:12]  # offsets are baked into machine code


# {size: the objects that it counts}
SIZE_DOCS = {
    name.strip("+ "): doc for name, _, doc in (line.partition(" | ") for line in model_fields.SIZES.split("\n") if line)
}
MODEL_SIZES = list(SIZE_DOCS)
# sizes that MuJoCo 3.4 lacks; they come last
OUR_SIZES = {line.split()[0][1:] for line in model_fields.SIZES.split("\n") if line[:1] == "+"}
_ROOM = [line.split(None, 2) for line in data_fields.CAPACITIES.strip().splitlines()]
SIZE_DOCS |= {f"n{name}_cap": f"room for {doc}" for name, _, doc in _ROOM}
FIRST_CAPACITY = {f"n{name}_cap": int(count) for name, count, _ in _ROOM}
NEEDS = {f"n{name}_cap": f"need_{name}" for name, _, _ in _ROOM}
CAPACITIES = list(FIRST_CAPACITY)

_MODEL = [
    *parse_rows(model_fields.ROWS, "model"),
    Field("signature", "u8", (), doc="hash of the structure of the spec that it was compiled from", part="sparsity"),
    Field(
        "compat_bits",
        "i8",
        (),
        doc="silent changes of later releases that apply (tables.compat_rows)",
        part="sparsity",
        ours=True,
    ),
    Field(
        "features",
        "i8",
        (),
        doc="features of later releases that the model uses, as bits (step.setconst)",
        part="sparsity",
        ours=True,
    ),
    Field(
        "nhistory",
        "i8",
        (),
        doc="numbers of all histories of controls and sensors, in plugin_state",
        part="sparsity",
        ours=True,
    ),
]
_DATA = [
    Field(need, "i8", (), group="control", doc=f"room that a stage requested: {doc}", part="driver")
    for need, (_, _, doc) in zip(NEEDS.values(), _ROOM, strict=True)
]
_DATA += [
    row
    for part in ("CONTROL", "MAIN", "STATISTICS", "WORK", "COLLISION_WORK", "CONTACT", "CONSTRAINT", "CONSTRAINT_WORK")
    for row in parse_rows(getattr(data_fields, part), part.lower())
]

# groups whose arrays are in the growable buffer
GROWING = {"collision_work", "contact", "constraint", "constraint_work"}
# groups of fields that no Python interface shows
INTERNAL = {"control", "work", "collision_work", "constraint_work"}

SCHEMAS = {
    s.name: s
    for s in (
        Schema("MjOption", [], parse_defaults(option_fields.OPTION, "option")),
        Schema("MjVisual", [], parse_defaults(option_fields.VISUAL, "visual")),
        Schema("MjStatistic", [], parse_defaults(option_fields.STATISTIC, "statistic")),
        Schema("MjModel", MODEL_SIZES, _MODEL, {"opt": "MjOption", "vis": "MjVisual", "stat": "MjStatistic"}),
        Schema("MjData", [*MODEL_SIZES, *CAPACITIES], _DATA, private=("owner", "depth", "place")),
    )
}
