"""Kernel helpers as ordinary Python functions, so that one formula serves both compiled stages and the programming interface."""
import functools
import types

from .jit import Helper


def _python_function(value):
    """The Python function behind a helper, or behind the dispatcher that replaces it once numba is loaded; None for anything else."""
    if isinstance(value, Helper):
        return value.function
    return getattr(value, "py_func", None)


@functools.cache
def _plain(function):
    space = dict(function.__globals__)
    copy = types.FunctionType(function.__code__, space, function.__name__, function.__defaults__, function.__closure__)
    copy.__doc__ = function.__doc__
    # only what the code names: the rest of the module stays as it is
    for name in function.__code__.co_names:
        inner = _python_function(space.get(name))
        if inner is not None:
            space[name] = _plain(inner)
    return copy


def plain(helper):
    """A helper as a Python function on floats and tuples; what it calls is plain too. Nothing is compiled."""
    return _plain(_python_function(helper))
