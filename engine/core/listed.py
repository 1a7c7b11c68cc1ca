"""The names of a struct that `dir` lists, because scripts use them. `dir` hides the engine's own names, which remain usable."""

from collections.abc import Collection
from typing import Any

from ..tables.schema import Schema

# names that `dir` lists although they are defined in the body of a class
KNOWN = frozenset(("_address", "_sizes", "signature", "threadpool", "model"))
# COLUMNS: prefixes of arrays that scripts access through record lists (see `records`). NO_COLUMNS: fields with such a prefix
# that belong to no record list.
COLUMNS, NO_COLUMNS = ("contact_", "solver_", "warning_", "timer_"), frozenset(("solver_niter", "solver_nnz", "solver_fwdinv"))

# names that MuJoCo lists between scalars and arrays
BETWEEN = ("threadpool", "maxuse_threadstack", "solver", "solver_niter", "solver_nnz", "solver_fwdinv", "warning", "timer")
# parts of the Data whose arrays vary in size with the constraints
ISLANDS = ("island", "make_constraint")


class Listed(type):
    """Metaclass of structs: its attribute `unlisted` contains the names that `dir` hides."""

    unlisted: frozenset = frozenset()

    def __dir__(cls) -> list[str]:
        return [n for n in super().__dir__() if n not in cls.unlisted]


def own_names(cls: Any, internal: Collection[str]) -> frozenset:
    """Return the names to hide when a class is made: those from its body and bases, from `internal` groups of fields, and a
    Data's sizes."""
    schema = cls.schema
    rows = {*schema.fields, *schema.nested, *KNOWN}
    # fields that MuJoCo 3.4 does not have
    rows -= {n for n, f in schema.fields.items() if f.ours}
    out = {n for part in cls.__mro__[:-1] for n in part.__dict__ if not n.startswith("__") and n not in rows}
    if schema.name == "MjData":
        out |= {n for n, f in schema.fields.items() if f.group in internal or n.startswith(COLUMNS)} - NO_COLUMNS
    else:
        out = (out - schema.size_slot.keys()) | schema.our_sizes
    return frozenset(out | {"unlisted", "plan", "_shapes"})


def field_lists(schema: Schema, internal: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Return {attribute: names} of a class's lists of fields, in MuJoCo's order."""
    if schema.name == "MjModel":
        sizes = tuple(n for n in schema.sizes if n not in schema.our_sizes)
        return {"_size_fields": sizes, "_all_fields": sizes + tuple(f.name for f in schema.arrays if not f.ours)}
    if schema.name == "MjOption":
        floats = tuple(f.name for f in schema.scalars if f.dtype == "f8")
        vectors, integers = tuple(f.name for f in schema.arrays), tuple(f.name for f in schema.scalars if f.dtype != "f8")
        return dict(
            _float_fields=floats, _floatarray_fields=vectors, _int_fields=integers, _all_fields=floats + vectors + integers
        )
    if schema.name == "MjData":
        known = [f for f in schema.fields.values() if not f.ours and not f.used and f.group not in internal]
        rows = [f for f in known if f.part not in ISLANDS and not f.name.startswith(COLUMNS)]
        scalars = tuple(f.name for f in rows if not f.dims)
        return {"_all_fields": scalars + BETWEEN + tuple(f.name for f in rows if f.dims and f.name not in BETWEEN)}
    return {}
