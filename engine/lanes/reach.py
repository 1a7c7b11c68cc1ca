"""What scalar stages can read and write of Data, from their code: the names of fields in a stage and in all that it calls."""
import functools
import types

from ..core import stages
from ..core.interpret import function_of
from ..core.schema import SCHEMAS

_DATA = SCHEMAS["MjData"].fields


def _codes(code):
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _codes(constant)


def _visit(function, seen, names):
    if function in seen:
        return
    seen.add(function)
    for code in _codes(function.__code__):
        for name in code.co_names:
            if name in function.__globals__:
                value = function.__globals__[name]
                # a module's functions are reached by its attributes
                found = [getattr(value, n, None) for n in code.co_names] if isinstance(value, types.ModuleType) else [value]
                for inner in filter(None, map(function_of, found)):
                    _visit(inner, seen, names)
            elif name in _DATA:
                names.add(name)


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
