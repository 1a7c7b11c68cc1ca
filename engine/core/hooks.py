"""User callbacks: Python functions, or compiled functions given by address. They are stored in the `hook_*` rows of the stage
table.

A Python function gets the MjModel and MjData objects and may raise. The stage that called it then stops, and the error
reaches the caller of the engine. A compiled function (a stage, a numba cfunc, a ctypes pointer, an address) gets the
addresses of their headers and runs without the interpreter lock.
"""

import ctypes
import weakref
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from ..tables import stage_rows
from ..tables.values import C_FUNCTION, read_number
from . import report, stages
from .struct import Struct

_I, _F = ctypes.c_int64, ctypes.c_double
# {callback: (row of the stage table, C signature)}
KINDS = {
    "control": ("hook_control", ctypes.CFUNCTYPE(None, _I, _I)),
    "passive": ("hook_passive", ctypes.CFUNCTYPE(None, _I, _I)),
    "sensor": ("hook_sensor", ctypes.CFUNCTYPE(None, _I, _I)),
    "act_dyn": ("hook_act_dyn", ctypes.CFUNCTYPE(_F, _I, _I, _I)),
    "act_gain": ("hook_act_gain", ctypes.CFUNCTYPE(_F, _I, _I, _I)),
    "act_bias": ("hook_act_bias", ctypes.CFUNCTYPE(_F, _I, _I, _I)),
    "contactfilter": ("hook_contactfilter", ctypes.CFUNCTYPE(_I, _I, _I, _I, _I)),
    "time": ("hook_time", ctypes.CFUNCTYPE(_F, _I)),
}

# {address of a header: object}; converts the addresses that compiled code passes to functions
_LIVE = weakref.WeakValueDictionary()
# {address of a Data: error raised by a callback}
_ERRORS: dict[int, BaseException] = {}
# {callback: (the user's function, the object that keeps its C entry alive)}
_SET: dict[str, tuple] = dict.fromkeys(KINDS, (None, None))
# names of the callbacks that are set
_INSTALLED: list[tuple[str, ...]] = [()]


def register(model: Struct, data: Struct) -> None:
    """Register a Data and its Model, so that callbacks receive these objects."""
    _LIVE[model.storage.address] = model
    _LIVE[data.storage.address] = data


def alias(address: int, model: Struct) -> None:
    """Map the address of another header to a Model, while that Model exists."""
    _LIVE[address] = model


def live(address: int) -> Any:
    """Return the Model or Data whose header is at an address."""
    return _LIVE[address]


def everything() -> list:
    """Return every Model and Data that callbacks may receive."""
    return list(_LIVE.values())


def take_error(address: int) -> BaseException | None:
    """Return and remove the error that a callback raised in the last call with this Data; None if there is none."""
    return _ERRORS.pop(address, None)


@stages.recovery(stages.RAISED)
def raise_error(d: Struct, _: int) -> NoReturn:
    """Raise in the caller the error that a callback raised inside a stage."""
    raise take_error(d.storage.address) or stages.EngineError("a callback failed")


def guard(function: Callable[..., Any], data_address: int, error_value: Any, *args: Any, model: int = 0) -> float | None:
    """Run a callback. If it raises, store the error for the caller of the stage, tell the stage to stop, and return
    `error_value`.

    `model`: address of the Model passed to the callback. The callback may have written indices, so they are checked before
    compiled code uses them.
    """
    try:
        result = function(*args)
        if model and _LIVE[model].storage.table:
            _check_edits(_LIVE[model], _LIVE[data_address])
        return result
    except BaseException as error:
        _ERRORS[data_address] = error
        data = _LIVE.get(data_address)
        if data is not None:
            data.status = stages.RAISED
        return error_value


def _check_edits(m: Struct, d: Struct) -> None:
    """Raise InvalidModel if a callback wrote wrong indices during a call. Otherwise restore the status argument, so that the
    call continues."""
    argument = d.status_arg
    stages.check_edits(m, d)
    d.status_arg = argument


def _number(name: str, value: Any) -> float:
    """Return a callback's result as a number; TypeError for anything else."""
    try:
        return read_number(value)
    except (TypeError, ValueError):
        raise TypeError(f"mjcb_{name} callback did not return a number") from None


def _entry(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that takes addresses and calls a Python callback with the objects at these addresses."""
    if name == "time":
        return lambda d: guard(lambda: _number(name, function()), d, 0.0)
    if name == "sensor":
        return lambda m, d: guard(lambda: function(_LIVE[m], _LIVE[d], _LIVE[d].status_arg), d, None, model=m)
    if name in ("control", "passive"):
        return lambda m, d: guard(lambda: function(_LIVE[m], _LIVE[d]), d, None, model=m)
    if name == "contactfilter":
        return lambda m, d, g1, g2: guard(lambda: int(_number(name, function(_LIVE[m], _LIVE[d], g1, g2))), d, 0, model=m)
    return lambda m, d, i: guard(lambda: _number(name, function(_LIVE[m], _LIVE[d], i)), d, 0.0, model=m)


def address_of_code(function: Any) -> int:
    """Return the address of compiled code; 0 for a Python callable or anything else."""
    if isinstance(function, C_FUNCTION):
        return ctypes.cast(function, ctypes.c_void_p).value or 0
    if isinstance(function, int) and not isinstance(function, bool):
        return function if function > 4096 else 0
    # reading the address compiles a stage
    address = getattr(function, "address", None)
    return address if isinstance(address, int) else 0


def machine_code(function: Any, wrap: Callable[[], Any]) -> tuple[None, int] | tuple[Any, int]:
    """Return (object to keep alive, address) of a user's function; (None, 0) for None. `wrap` makes a C function from a Python
    function.
    """
    if function is None:
        return None, 0
    address = address_of_code(function)
    if address:
        return None if isinstance(function, int) else function, address
    if not callable(function):
        raise TypeError("callback is not an Optional[Callable]")
    entry = wrap()
    return entry, address_of_code(entry)


@ctypes.CFUNCTYPE(_I, _I, _I, _I, _I)
def _say(_: Any, d: int, kind: int, info: int) -> int:
    """Report the first warning of a type in a Data; compiled code calls this."""
    data = _LIVE.get(d)
    if data is not None:
        guard(lambda: report.tell(kind, info, data.time), d, None)
    return 0


stages.TABLE[stage_rows.NUMBER["hook_warning"]] = address_of_code(_say)


def set_callback(name: str, function: Any) -> None:
    """Install a callback, or remove it with None."""
    row, kind = KINDS[name]
    kept, address = machine_code(function, lambda: kind(_entry(name, function)))
    old = _SET[name]
    stages.TABLE[stage_rows.NUMBER[row]] = address
    # a thread may still be executing the old callback: free it only now
    _SET[name] = (function, kept)
    _INSTALLED[0] = tuple(kind for kind in KINDS if get_callback(kind) is not None)
    del old


def get_callback(name: str) -> Any:
    """Return the function that the user set, or None."""
    return _SET[name][0]


def installed() -> Sequence[str]:
    """Return the names of the callbacks that the user set."""
    return _INSTALLED[0]


def reset_callbacks() -> None:
    """Remove all callbacks."""
    for name in KINDS:
        set_callback(name, None)
