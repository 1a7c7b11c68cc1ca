"""What `dir` lists of a struct: what scripts know. The engine's own names stay where they are, but reflection does not come upon them."""

from typing import Any

# defined in the bodies of classes, and known to scripts
KNOWN = frozenset(("_address", "_sizes", "signature", "threadpool", "model"))
# columns of the small structs of a Data, which scripts reach by lists; and what begins as they do
COLUMNS, NO_COLUMNS = ("contact_", "solver_", "warning_", "timer_"), frozenset(("solver_niter", "solver_nnz", "solver_fwdinv"))

# what the reference lists between scalars and arrays
BETWEEN = ("threadpool", "maxuse_threadstack", "solver", "solver_niter", "solver_nnz", "solver_fwdinv", "warning", "timer")
# parts whose arrays come and go with the constraints
ISLANDS = ("island", "make_constraint")


class Listed(type):
    """Class of structs: `unlisted` are the names that dir leaves out."""

    unlisted: frozenset = frozenset()

    def __dir__(cls) -> list[str]:
        return [n for n in super().__dir__() if n not in cls.unlisted]


def own_names(cls: Any, internal) -> frozenset:
    """Names that are the engine's own when a class is made: of its body and base, of `internal` groups of fields, and a Data's sizes and columns."""
    schema = cls.schema
    rows = {*schema.fields, *schema.nested, *KNOWN}
    # what the reference's 3.4 has not
    rows -= {n for n, f in schema.fields.items() if f.ours}
    out = {n for part in cls.__mro__[:-1] for n in part.__dict__ if not n.startswith("__") and n not in rows}
    if schema.name == "MjData":
        out |= {n for n, f in schema.fields.items() if f.group in internal or n.startswith(COLUMNS)} - NO_COLUMNS
    else:
        out = (out - schema.size_slot.keys()) | schema.our_sizes
    return frozenset(out | {"unlisted", "plan", "_shapes"})


def field_lists(schema, internal) -> dict[str, tuple[str, ...]]:
    """{attribute: names} of the lists of fields that classes have, in the order of the reference."""
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
