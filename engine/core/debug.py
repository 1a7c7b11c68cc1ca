"""Replaces stages by their interpreted functions, or by the user's functions. `tumble.debug` is the public interface.

    step_many ── table of stages ──┬── kinematics     machine code
                                   ├── collision      C function that calls the interpreted kernel
                                   └── solve_newton   C function that calls the user's function

A `Change` replaces one or more stages. The newest replacement of a stage runs; when all its replacements are removed, its
machine code runs again. An error in a function reaches the caller of the engine, as with callbacks (see `core.hooks`).
"""

import ctypes
import functools
import importlib
import pkgutil
from collections.abc import Callable
from typing import Any

from ..machine import interpret, jit, memory
from ..machine.arithmetic import integer
from ..tables import stage_rows
from . import hooks, plugin, stages
from .struct import Struct

ALL = "all"
# {stage: replacements of the stage, newest last, as (Change, address of the code, Python function called with addresses)}
_LAYERS: dict[str, list] = {}
# {replaced stage: (address of its machine code, function that calls the machine code)}
_OWN: dict[str, tuple] = {}
# keep C functions forever: a thread may still be inside a removed one
_KEPT: list = []
# _CHANGES: active changes. _EVERYTHING: those of them that interpret all stages, including stages loaded later.
_CHANGES: set["Change"] = set()
_EVERYTHING: list["Change"] = []


# ---- entries -------------------------------------------------------------------------------------------------------------
def c_function(function: Callable[..., Any], sig: str) -> int:
    """Return the address of a C function with a signature. The C function calls a Python function with addresses and
    numbers."""
    kinds = [jit.CTYPES[c] for c in sig]
    data = sig.index("D") - 1 if "D" in sig else None

    def guarded(*args: Any) -> Any:
        # exceptions cannot pass through compiled code: the Data stores the exception, and the stage's caller stops
        return function(*args) if data is None else hooks.guard(lambda: function(*args), args[data], 0)

    entry = ctypes.CFUNCTYPE(*kinds)(guarded)
    _KEPT.append(entry)
    return hooks.address_of_code(entry)


def _result(sig: str) -> Callable[[Any], Any]:
    """Return the function that converts a Python function's result to the stage's result type."""
    return {"i": integer, "f": float, "v": lambda value: None}[sig[0]]


def _arguments(sig: str, model: Callable[[int], Any], data: Callable[[int], Any]) -> list[Callable[[int], Any] | None]:
    """Return functions that convert a kernel's arguments from addresses; None for arguments that are numbers."""
    return [{"M": model, "D": data}.get(c) for c in sig[1:]]


def _call(
    function: Callable[..., Any], sig: str, model: Callable[[int], Any], data: Callable[[int], Any]
) -> Callable[..., Any]:
    """Return a function that takes addresses and numbers, and calls `function` with structs and numbers."""
    makers, result = _arguments(sig, model, data), _result(sig)

    def call(*args: Any) -> Any:
        return result(function(*[x if make is None else make(x) for make, x in zip(makers, args, strict=True)]))

    return functools.update_wrapper(call, function)


@functools.cache
def interpreted_entry(stage: jit.Stage) -> tuple[int, Callable[..., Any]]:
    """Return (address, Python function called with addresses) of an interpreted stage. Its source is read at the first call."""

    def first(*args: Any) -> Any:
        return interpret.interpreted(stage)(*args)

    call = _call(functools.update_wrapper(first, stage.function), stage.sig, memory.as_model, memory.as_data)
    return c_function(call, stage.sig), call


def _user_entry(stage: jit.Stage, function: Any) -> tuple[int, Callable[..., Any] | None]:
    """Return (address, Python function called with addresses) of a user's function that replaces a stage. For compiled code,
    the Python function is None."""
    kernel = interpret.function_of(function)
    if isinstance(function, jit.Stage):
        if function.sig != stage.sig:
            raise TypeError(f"stage {stage.name} has the signature {stage.sig!r}, {function.name} has {function.sig!r}")
    elif kernel is not None:
        # a kernel or a numba function is compiled for the stage's arguments
        function = jit.Stage(kernel, stage.sig, listed=False)

    # call compiled code by its address
    address = hooks.address_of_code(function)
    if address:
        _KEPT.append(function)
        return address, None
    if not callable(function):
        raise TypeError(f"the replacement of stage {stage.name} is neither a function nor compiled code: {function!r}")
    call = _call(function, stage.sig, hooks.live, hooks.live)
    return c_function(call, stage.sig), call


# ---- layers --------------------------------------------------------------------------------------------------------------
def _enter(stage: jit.Stage) -> None:
    """Install a stage's newest replacement for all callers of the stage."""
    layers, before = _LAYERS.get(stage.name), stage.entry
    (stages.REPLACED.add if layers else stages.REPLACED.discard)(stage.name)

    # before the first replacement, save the machine code; after the last one is removed, restore it
    if layers:
        _OWN.setdefault(stage.name, (stage.entry, stage.call_entry, stage.swift))
        _, stage.entry, stage.call_entry = layers[-1]
        stage.swift = None
    elif stage.name in _OWN:
        stage.entry, stage.call_entry, stage.swift = _OWN.pop(stage.name)
    if stage.name in stage_rows.NUMBER:
        # The address is 0 if the stage was never needed. The machine code is then loaded at its first use, as always.
        stages.TABLE[stage_rows.PLACES[stage.name]] = stage.entry
    # callbacks and plugin functions may be stages
    for table in (stages.TABLE, plugin.TABLE):
        if before and before != stage.entry and (table == before).any():
            table[table == before] = stage.address
    _count()


def _count() -> None:
    """Tell the compiled entry points whether any replacement is active."""
    stages.LAYERED[0] = len(_EVERYTHING) + sum(map(bool, _LAYERS.values()))


def _find(name: Any) -> jit.Stage:
    """Return the stage with this name, or the stage that is passed. ValueError if there is none."""
    name = getattr(name, "name", name)
    if stage_rows.MODULE.get(name, "-") != "-":
        return stages.find(name)
    if name not in jit.Stage.registry:
        # stages called only from Python have no row: import all modules to find them
        engine = importlib.import_module(str(__package__).rpartition(".")[0])
        for module in pkgutil.walk_packages(engine.__path__, f"{engine.__name__}."):
            importlib.import_module(module.name)
    if name not in jit.Stage.registry:
        hint = ": set a callback instead" if name in stage_rows.NUMBER else f"; the stages are {', '.join(stage_rows.names())}"
        raise ValueError(f"there is no stage {name!r}{hint}")
    return jit.Stage.registry[name]


class Change:
    """A replacement of stages, active until `restore()` or the end of a `with` block. `replace` and `interpreted` create it;
    it has no arguments.
    """

    def __init__(self) -> None:
        self.names: set[str] = set()

    def put(self, stage: Any, address: int, call: Callable[..., Any] | None) -> None:
        """Replace a stage by the code at an address.

        call: runs instead when Python calls the stage; None: the code runs
        """
        with jit.LOCK:
            _LAYERS.setdefault(stage.name, []).append((self, address, call))
            self.names.add(stage.name)
            _enter(stage)

    def drop(self, name: str) -> None:
        """Stop replacing one stage. Do nothing if this object does not replace it."""
        with jit.LOCK:
            if name in self.names:
                self.names.remove(name)
                _LAYERS[name] = [layer for layer in _LAYERS[name] if layer[0] is not self]
                _enter(jit.Stage.registry[name])

    def restore(self) -> None:
        """Stop replacing stages: earlier replacements, or else the machine code, run again."""
        with jit.LOCK:
            if self in _EVERYTHING:
                _EVERYTHING.remove(self)
                jit.Stage.newcomer = _newcomer if _EVERYTHING else None
                _count()
            _CHANGES.discard(self)
            for name in list(self.names):
                self.drop(name)

    def __enter__(self) -> "Change":
        return self

    def __exit__(self, *error: object) -> None:
        self.restore()

    def __repr__(self) -> str:
        return f"<change of stages: {', '.join(sorted(self.names)) or 'none'}>"


def _newcomer(stage: jit.Stage) -> None:
    """Interpret a stage at its first call."""
    if jit.Stage.registry.get(stage.name) is stage:
        change = _EVERYTHING[-1]
        if stage.name not in change.names:
            change.put(stage, *interpreted_entry(stage))


# ---- public functions ----------------------------------------------------------------------------------------------------
def interpreted(*names: str) -> Change:
    """Run stages as Python functions, so that breakpoints, `print` and debuggers work in them; other stages stay
    compiled. Takes effect at once; returns a `Change` for `with` or `restore()`. ValueError for an unknown name.

    names: stages (see `names()`), all if none is given
    """
    change = Change()
    found = [_find(name) for name in names if name != ALL]
    with jit.LOCK:
        _CHANGES.add(change)
        for stage in found:
            change.put(stage, *interpreted_entry(stage))
        if not names or ALL in names:
            _EVERYTHING.append(change)
            # stages that were never called are replaced at their first call
            for stage in list(jit.Stage.registry.values()):
                if stage.entry and stage.name not in change.names:
                    change.put(stage, *interpreted_entry(stage))
            jit.Stage.newcomer = _newcomer
            _count()
    return change


def replace(name: str, function: Any) -> Change:
    """Run a function in place of a stage.

    A Python function gets the MjModel and the MjData, then the stage's other arguments as numbers (addresses of arrays as
    integers). It returns the stage's result if the stage has one, and may raise. Compiled code gets addresses and runs
    without the interpreter lock: a kernel of `machine.jit`, a function of `numba.njit` written like a kernel, a
    `numba.cfunc`, a ctypes pointer, an address.

    Takes effect at once; returns a `Change` for `with` or `restore()`. ValueError for an unknown stage, TypeError for
    an object that is not a function or has another signature.
    """
    stage, change = _find(name), Change()
    entry = _user_entry(stage, function)
    with jit.LOCK:
        _CHANGES.add(change)
        change.put(stage, *entry)
    return change


@functools.cache
def machine_code(stage: jit.Stage) -> Any:
    """Return a stage's machine code as a separate Stage that replacements do not affect."""
    return jit.Stage(stage.function, stage.sig, listed=False)


def compiled(name: str) -> Callable[..., Any]:
    """Return the machine code of a stage as a function (model, data, ...), even if the stage is replaced. Replacements can call
    it. ValueError for an unknown stage.
    """
    entry = machine_code(_find(name))

    def call(*args: Any) -> Any:
        return entry(*[x.storage.address if isinstance(x, Struct) else x for x in args])

    return functools.update_wrapper(call, entry.function)


def restore() -> None:
    """Remove all replacements: every stage runs its machine code again."""
    for change in list(_CHANGES):
        change.restore()


def names() -> list[str]:
    """Return the names of the stages, in the order of their table."""
    return stage_rows.names()


def from_environment(text: str) -> Change | None:
    """Interpret the stages listed in the environment variable TUMBLE_INTERPRET: `all`, or names separated by commas."""
    wanted = text.replace(",", " ").split()
    return interpreted(*wanted) if wanted else None
