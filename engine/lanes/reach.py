"""What scalar stages, and functions of the caller's, can read and write of Data, from their code: the names of fields in it and in all that it calls."""

import functools
import types
from typing import Any

from ..core import stages
from ..machine.interpret import function_of
from ..machine.jit import Placeholder
from ..machine.stamp import FIELD, read_apart
from ..tables.schema import SCHEMAS

_DATA = SCHEMAS["MjData"].fields


def _codes(code):
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _codes(constant)


# what gets at fields by other means than their names
_BLIND = ("header_of", "as_data", "invoke")
# modules whose functions know no Data
_PLAIN = ("builtins", "math", "numpy")


def _visit(function, seen, names):
    """Enter the names of fields in a function and in all that it calls; whether nothing that it calls gets at others."""
    if function in seen:
        return True
    seen.add(function)
    outer = dict(zip(function.__code__.co_freevars, (c.cell_contents for c in function.__closure__ or ()), strict=True))
    known = True
    for code in _codes(function.__code__):
        names.update(n for n in code.co_names if n in _DATA)
        # an attribute may have the name of a global: `d.time` is not the module
        for name in (*(n for n, how in read_apart(code).items() if how != FIELD), *code.co_freevars):
            known &= _enter(outer.get(name, function.__globals__.get(name)), code, seen, names)
    return known


def _enter(value, code, seen, names):
    """As `_visit`, of a value that code names."""
    inner = value if isinstance(value, types.FunctionType) else function_of(value)
    if inner is not None:
        return _visit(inner, seen, names)
    if isinstance(value, Placeholder) or type(value).__name__ == "_Intrinsic":
        return not (value.name if isinstance(value, Placeholder) else value.__name__).startswith(_BLIND)
    if isinstance(value, types.ModuleType):
        # a module's functions are reached by its attributes
        for found in filter(None, (function_of(getattr(value, n, None)) for n in code.co_names)):
            _visit(found, seen, names)
        return value.__name__ in _PLAIN
    return not callable(value) or (getattr(value, "__module__", None) or "builtins") in _PLAIN


@functools.cache
def named(stage: str) -> frozenset[str]:
    """Fields of Data that a stage names, itself or through kernels that it calls; stages that it runs are not among these."""
    names: set[str] = set()
    _visit(stages.find(stage).function, set(), names)
    return frozenset(names)


@functools.cache
def written(stage: str) -> frozenset[str]:
    """Fields of Data that a stage's first sentence says that it writes."""
    text = (stages.find(stage).function.__doc__ or "").partition("writes ")[2].partition(".")[0]
    return frozenset(w for w in text.replace(",", " ").split() if w in _DATA)


def named_by(function) -> frozenset[str] | None:
    """Fields of Data that a function of the caller's names, itself or through functions that it calls; None if it calls what cannot be looked into."""
    names: set[str] = set()
    return frozenset(names) if _visit(function, set(), names) else None


def names_called(function) -> frozenset[str]:
    """Names that a function's code, and that of functions that it calls, looks up in modules."""
    names: set[str] = set()
    seen: set[Any] = set()
    _visit(function, seen, names)
    return frozenset(name for f in seen for code in _codes(f.__code__) for name in (*code.co_names, *code.co_freevars))
