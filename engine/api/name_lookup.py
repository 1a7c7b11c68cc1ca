"""Names and ids of model elements; the version."""

import functools
from collections.abc import Callable
from typing import Any

from ..tables.consts import mjVERSION_HEADER
from ..tables.enums import mjtObj
from ..tables.named_access import id2name, name2id
from .signature import public

# types accepted as an object type; a float with the same value must not match
_TYPES = {int, mjtObj}


def quickly(column: int) -> Callable[..., Any]:
    """Return a decorator for a lookup (model, type, key): it tries the model's table of known names first, then calls the
    function."""

    def wrap(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            try:
                m, kind, key = args
                if type(kind) in _TYPES and not kwargs and (column or type(key) is int and key >= 0):
                    return m.storage.by_type[kind][column][key] or function(*args)
            except (ValueError, AttributeError, LookupError, TypeError):
                # the function reports the error
                return function(*args, **kwargs)
            return function(*args, **kwargs)

        return functools.update_wrapper(call, function)

    return wrap


@quickly(1)
@public("m type:i name:s", "int")
def mj_name2id(m, kind, name):
    """Return the id of the object of a type (mjtObj) with a name, or -1."""
    return name2id(m, kind, name)


@quickly(0)
@public("m type:i id:i", "str")
def mj_id2name(m, kind, index):
    """Return the name of an object, or None."""
    return id2name(m, kind, index)


@public("", "int")
def mj_version():
    """Return the version of MuJoCo whose interface and results this engine has."""
    return mjVERSION_HEADER


@public("", "str")
def mj_versionString():
    """Return the release of MuJoCo whose results this engine computes, as a string."""
    return "3.4.0"


__all__ = ["mj_id2name", "mj_name2id", "mj_version", "mj_versionString"]
