"""Callbacks and handlers: set_mjcb_*, get_mjcb_*, set_mju_user_*, get_mju_user_*."""

from collections.abc import Callable
from typing import Any

from ..core import hooks, pair_hooks, report
from .signature import public


def _pair(kind):
    def set_callback(callback):
        hooks.set_callback(kind, callback)

    def get_callback():
        return hooks.get_callback(kind)

    name = f"mjcb_{kind}"
    set_callback.__name__ = set_callback.__qualname__ = f"set_{name}"
    get_callback.__name__ = get_callback.__qualname__ = f"get_{name}"
    set_callback.__doc__ = f"Install the callback {name}: a Python or compiled function, or None (see engine.core.hooks)."
    get_callback.__doc__ = f"The callback {name}, or None."
    return set_callback, get_callback


for _kind in hooks.KINDS:
    for _function in _pair(_kind):
        globals()[_function.__name__] = _function


def set_mjcb_collision(type1, type2, function) -> None:
    """Install a collision function for two geom types: a Python or compiled function, or None for the pair's own.

    A Python function gets (MjModel, MjData, geom1, geom2, margin), geom1 of the lower type, and returns rows (distance, position,
    normal[, tangent]) of 7 or 10 numbers, or None. Details and compiled functions: engine.core.pair_hooks. The reference has this as
    its C table mjCOLLISIONFUNC only. ValueError for unknown types, TypeError for what cannot be called.
    """
    pair_hooks.set_pair_function(type1, type2, function)


def get_mjcb_collision(type1, type2) -> Any:
    """The collision function that was installed for two geom types, or None."""
    return pair_hooks.get_pair_function(type1, type2)


def set_mju_user_warning(handler) -> None:
    """Install a function of a text that gets all warnings instead of terminal and log file; None removes it."""
    if handler is not None and not callable(handler):
        raise TypeError("callback is not an Optional[Callable]")
    report.user_warning = handler


def get_mju_user_warning() -> Any:
    """The handler of warnings, or None."""
    return report.user_warning


# ---- memory: kept for scripts that set them; storage belongs to numpy ---------------------------------------------------
_MEMORY: dict[str, Callable[..., object] | None] = {"malloc": None, "free": None}


def _memory_pair(kind):
    def set_handler(handler):
        if handler is not None and not callable(handler):
            raise TypeError("callback is not an Optional[Callable]")
        _MEMORY[kind] = handler

    def get_handler():
        return _MEMORY[kind]

    set_handler.__name__ = set_handler.__qualname__ = f"set_mju_user_{kind}"
    get_handler.__name__ = get_handler.__qualname__ = f"get_mju_user_{kind}"
    set_handler.__doc__ = f"Keep a handler for {kind}. Storage belongs to numpy here, which never asks it."
    get_handler.__doc__ = f"The handler for {kind}, or None."
    return set_handler, get_handler


for _kind in _MEMORY:
    for _function in _memory_pair(_kind):
        globals()[_function.__name__] = _function


@public()
def mj_resetCallbacks():
    """Remove all callbacks and collision functions."""
    hooks.reset_callbacks()
    pair_hooks.reset_pair_functions()


__all__ = [n for n in dir() if n.startswith(("set_mj", "get_mj", "mj_"))]
