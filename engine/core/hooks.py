"""User callbacks: Python functions, or compiled ones by address, entered into the `hook_*` rows of the stage table.

A Python function gets the MjModel and MjData objects and may raise: the stage that called it stops, and the error goes on to
whoever called the engine. A compiled function (a stage, a numba cfunc, a ctypes pointer, an address) gets the addresses of
their headers and runs without the interpreter lock.
"""

import ctypes
import weakref
from typing import Any, NoReturn

from ..tables import stage_rows
from ..tables.values import C_FUNCTION, read_number
from . import report, stages

_I, _F = ctypes.c_int64, ctypes.c_double
# callback: (row of the stage table, C signature, arguments after model and data)
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

# header address: object, for calls that come back from compiled code
_LIVE = weakref.WeakValueDictionary()
# address of a Data: the error that its callback raised
_ERRORS: dict[int, BaseException] = {}
# callback: (what the user set, what keeps the machine-code entry alive)
_SET: dict[str, tuple] = dict.fromkeys(KINDS, (None, None))


def register(model, data) -> None:
    """Make a Data and its Model known to callbacks."""
    _LIVE[model.storage.address] = model
    _LIVE[data.storage.address] = data


def alias(address, model) -> None:
    """Have a header at another address stand for a Model, as long as that lives."""
    _LIVE[address] = model


def live(address) -> Any:
    """The Model or Data whose header is at an address."""
    return _LIVE[address]


def everything() -> list:
    """All that calls may come back with."""
    return list(_LIVE.values())


def take_error(address) -> BaseException | None:
    """The error that a callback raised in the last call with this Data, or None."""
    return _ERRORS.pop(address, None)


@stages.recovery(stages.RAISED)
def raise_error(d, _) -> NoReturn:
    """Raise in the caller what a callback raised inside a stage."""
    raise take_error(d.storage.address) or stages.EngineError("a callback failed")


def guard(function, data_address, error_value, *args, model=0) -> float | None:
    """Run a callback; its error is kept for the caller of the stage, which is told to stop. `model`: address of the Model that it got, whose indices it may
    have written: compiled code goes on with them."""
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


def _check_edits(m, d):
    """InvalidModel if a callback in the middle of a call wrote indices that are wrong. The call goes on with the argument of its status."""
    argument = d.status_arg
    stages.check_edits(m, d)
    d.status_arg = argument


def _number(name, value):
    try:
        return read_number(value)
    except (TypeError, ValueError):
        raise TypeError(f"mjcb_{name} callback did not return a number") from None


def _entry(name, function):
    """Function of addresses that calls a Python callback with objects."""
    if name == "time":
        return lambda d: guard(lambda: _number(name, function()), d, 0.0)
    if name == "sensor":
        return lambda m, d: guard(lambda: function(_LIVE[m], _LIVE[d], _LIVE[d].status_arg), d, None, model=m)
    if name in ("control", "passive"):
        return lambda m, d: guard(lambda: function(_LIVE[m], _LIVE[d]), d, None, model=m)
    if name == "contactfilter":
        return lambda m, d, g1, g2: guard(lambda: int(_number(name, function(_LIVE[m], _LIVE[d], g1, g2))), d, 0, model=m)
    return lambda m, d, i: guard(lambda: _number(name, function(_LIVE[m], _LIVE[d], i)), d, 0.0, model=m)


def address_of_code(function) -> int:
    """Address of compiled code, or 0 if a function is a Python callable or none at all."""
    if isinstance(function, C_FUNCTION):
        return ctypes.cast(function, ctypes.c_void_p).value or 0
    if isinstance(function, int) and not isinstance(function, bool):
        return function if function > 4096 else 0
    # stages compile when they are asked for their address
    address = getattr(function, "address", None)
    return address if isinstance(address, int) else 0


def machine_code(function, wrap) -> tuple[None, int] | tuple[Any, int]:
    """(what keeps it alive, address) of a user's function; `wrap` makes a C function of a Python one. None has address 0."""
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
def _say(_, d, kind, info):
    """The first warning of its kind in a Data, from compiled code."""
    data = _LIVE.get(d)
    if data is not None:
        guard(lambda: report.tell(kind, info, data.time), d, None)
    return 0


stages.TABLE[stage_rows.NUMBER["hook_warning"]] = address_of_code(_say)


def set_callback(name, function) -> None:
    """Install a callback, or remove it with None."""
    row, kind = KINDS[name]
    kept, address = machine_code(function, lambda: kind(_entry(name, function)))
    old = _SET[name]
    stages.TABLE[stage_rows.NUMBER[row]] = address
    # a thread may be inside the old one: it is let go only now
    _SET[name] = (function, kept)
    del old


def get_callback(name) -> Any:
    """What the user set, or None."""
    return _SET[name][0]


def installed() -> list[str]:
    """Names of the callbacks that the user set."""
    return [name for name in KINDS if get_callback(name) is not None]


def reset_callbacks() -> None:
    """Remove all callbacks."""
    for name in KINDS:
        set_callback(name, None)
