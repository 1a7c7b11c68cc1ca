"""Finds the fields of Data that scalar stages and callers' functions can read and write, from the names in their code and in
all functions that they call."""

import functools
import types
from collections.abc import Iterator
from typing import Any

from ..core import stages
from ..machine.interpret import function_of
from ..machine.jit import Placeholder
from ..machine.stamp import FIELD, read_apart
from ..tables.schema import SCHEMAS

_DATA = SCHEMAS["MjData"].fields


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """Yield a piece of code and the code nested in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _codes(constant)


# intrinsics that can access a field without naming it
_BLIND = ("header_of", "as_data", "invoke")
# modules whose functions never access Data
_PLAIN = ("builtins", "math", "numpy")


def _visit(function: Any, seen: set[Any], names: set[str]) -> bool:
    """Collect the fields named by a function and its callees. Return False if they may also access other fields."""
    if function in seen:
        return True
    seen.add(function)
    outer = dict(zip(function.__code__.co_freevars, (c.cell_contents for c in function.__closure__ or ()), strict=True))
    known = True
    for code in _codes(function.__code__):
        names.update(n for n in code.co_names if n in _DATA)
        # an attribute may be named like a global: `d.time` is not the module `time`
        for name in (*(n for n, how in read_apart(code).items() if how != FIELD), *code.co_freevars):
            known &= _enter(outer.get(name, function.__globals__.get(name)), code, seen, names)
    return known


def _enter(value: Any, code: types.CodeType, seen: set[Any], names: set[str]) -> bool:
    """Like `_visit`, for the object that a name in the code refers to."""
    inner = value if isinstance(value, types.FunctionType) else function_of(value)
    if inner is not None:
        return _visit(inner, seen, names)
    if isinstance(value, Placeholder) or type(value).__name__ == "_Intrinsic":
        return not (value.name if isinstance(value, Placeholder) else value.__name__).startswith(_BLIND)
    if isinstance(value, types.ModuleType):
        # a module's functions are reached through its attributes
        for found in filter(None, (function_of(getattr(value, n, None)) for n in code.co_names)):
            _visit(found, seen, names)
        return value.__name__ in _PLAIN
    return not callable(value) or (getattr(value, "__module__", None) or "builtins") in _PLAIN


@functools.cache
def named(stage: str) -> frozenset[str]:
    """Return the fields of Data that a stage names, itself or in kernels that it calls, but not in stages that it runs."""
    names: set[str] = set()
    _visit(stages.find(stage).function, set(), names)
    return frozenset(names)


@functools.cache
def written(stage: str) -> frozenset[str]:
    """Return the fields of Data that a stage writes according to its docstring."""
    text = (stages.find(stage).function.__doc__ or "").partition("writes ")[2].partition(".")[0]
    return frozenset(w for w in text.replace(",", " ").split() if w in _DATA)


def named_by(function: Any) -> frozenset[str] | None:
    """Return the fields of Data that a caller's function uses, directly or through its callees; None if a callee cannot be
    inspected."""
    names: set[str] = set()
    return frozenset(names) if _visit(function, set(), names) else None


def names_called(function: Any) -> frozenset[str]:
    """Return all names of globals, attributes and outer variables in a function and its callees."""
    names: set[str] = set()
    seen: set[Any] = set()
    _visit(function, seen, names)
    return frozenset(name for f in seen for code in _codes(f.__code__) for name in (*code.co_names, *code.co_freevars))
