"""Callbacks and handlers: set_mjcb_*, get_mjcb_*, set_mju_user_*, get_mju_user_*."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core import hooks, pair_hooks, report
from .signature import public


def _pair(kind: str) -> tuple[Callable[[Any], None], Callable[[], Any]]:
    """Return two functions, which set and get a callback."""

    def set_callback(callback: Any) -> None:
        hooks.set_callback(kind, callback)

    def get_callback() -> Any:
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


def set_mjcb_collision(type1: Any, type2: Any, function: Any) -> None:
    """Install a collision function for two geom types: a Python or compiled function, or None to restore the built-in one.

    A Python function gets (MjModel, MjData, geom1, geom2, margin), where geom1 has the lower type. It returns rows (distance,
    position, normal[, tangent]) of 7 or 10 numbers, or None. See engine.core.pair_hooks for details and compiled functions.
    In MuJoCo this exists only as the C table mjCOLLISIONFUNC. ValueError for unknown types, TypeError for objects that
    cannot be called.
    """
    pair_hooks.set_pair_function(type1, type2, function)


def get_mjcb_collision(type1: Any, type2: Any) -> Any:
    """Return the collision function that was installed for two geom types, or None."""
    return pair_hooks.get_pair_function(type1, type2)


def set_mju_user_warning(handler: Any) -> None:
    """Install a function that receives the text of every warning, which then goes neither to the terminal nor to the log file;
    None removes it."""
    if handler is not None and not callable(handler):
        raise TypeError("callback is not an Optional[Callable]")
    report.user_warning = handler


def get_mju_user_warning() -> Any:
    """Return the installed handler of warnings, or None."""
    return report.user_warning


# ---- memory handlers: stored for scripts that set them, but never called, because numpy owns the memory --------------
_MEMORY: dict[str, Callable[..., object] | None] = {"malloc": None, "free": None}


def _memory_pair(kind: str) -> tuple[Callable[[Any], None], Callable[[], Any]]:
    """Return two functions, which set and get a memory handler."""

    def set_handler(handler: Any) -> None:
        if handler is not None and not callable(handler):
            raise TypeError("callback is not an Optional[Callable]")
        _MEMORY[kind] = handler

    def get_handler() -> Any:
        return _MEMORY[kind]

    set_handler.__name__ = set_handler.__qualname__ = f"set_mju_user_{kind}"
    get_handler.__name__ = get_handler.__qualname__ = f"get_mju_user_{kind}"
    set_handler.__doc__ = f"Store a handler for `{kind}`. It is never called, because numpy allocates the memory."
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
