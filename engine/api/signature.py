"""Checked public functions: one line of text declares each argument, for the checks and for the help text.

    @public("res:3! vec:3 quat:4")                         fixed sizes; `!` marks arguments written in place
    @public("m d jacp:M(3,nv)!? point:3 body:i(nbody)")    model, data, matrix or None, vector, integer

Kinds: m MjModel, d MjData, i int, u unsigned, c byte, f float, s str, b bool, o anything, N (a number) or V vector, M
matrix. N, V and M take an optional element type (`:i` int32, `:f` float32, `:b` uint8; float64 by default). `T3` is a
tuple of 3 floats. `?` allows None, `=x` is a default. Inputs are converted; arrays that are written must have the right
type, shape and order. Anything else is a TypeError. Sizes in brackets (for an integer, the size that bounds it) are checked
only in compiled calls (see `entries`); the Python function must check them itself.
"""

import functools
import inspect
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from ..calls import compiled as calls
from ..core.data import MjData
from ..core.model import MjModel
from ..machine import layout
from ..tables.values import read_integer, read_number, read_text
from . import entries

_ELEMENT = {"": np.dtype(np.float64), "i": np.dtype(np.int32), "f": np.dtype(np.float32), "b": np.dtype(np.uint8)}
_TOKEN = re.compile(
    r"(?P<name>\w+)(?::(?P<kind>T?\d+|[a-zA-Z])(?P<element>[ifb]?))?(?:\((?P<sizes>[\w,+]+)\))?"
    r"(?P<out>!?)(?P<none>\??)(?:=(?P<default>\S+))?$"
)
_DEFAULTS = {"None": None, "True": True, "False": False}
_INT, _UNSIGNED, _BYTE = (-(2**31), 2**31 - 1), (0, 2**32 - 1), (0, 2**8 - 1)


# ---- converters: value -> what the function receives, or TypeError ----------------------------------------------------
def _integer(low: int, high: int) -> Callable[[Any], int]:
    def convert(x: Any) -> int:
        return read_integer(x, low, high)

    return convert


def _number(x: Any) -> float:
    if type(x) is float:
        return x
    return read_number(x)


def _instance(cls) -> Callable[[Any], Any]:
    def convert(x: Any) -> Any:
        if not isinstance(x, cls):
            raise TypeError(f"needs {cls.__name__}, got {type(x).__name__}")
        return x

    return convert


def _read(x: Any, dtype: np.dtype) -> np.ndarray:
    """Return an input as a contiguous array of real numbers."""
    x = np.asarray(x)
    if x.dtype.kind == "c" or x.dtype.kind == "O" and any(v is None for v in x.flat):
        raise TypeError(f"needs real numbers, got {x.dtype}")
    return np.ascontiguousarray(x, dtype) if x.ndim else x.astype(dtype)


def _vector(size: int, dtype: np.dtype, out: bool) -> Callable[[Any], np.ndarray]:
    """Return the converter of a vector; size 0 allows any length."""

    def convert(x: Any) -> np.ndarray:
        if out:
            x = _writable(x, dtype)
        elif type(x) is not np.ndarray or x.dtype != dtype or not x.flags.c_contiguous:
            x = _read(x, dtype)
        if x.ndim == 2 and x.shape[1] == 1:
            x = x.reshape(-1)
        if x.ndim != 1 or size and x.size != size:
            raise TypeError(f"needs shape ({size or 'n'},), got {x.shape}")
        return x

    return convert


def _matrix(dtype: np.dtype, out: bool) -> Callable[[Any], np.ndarray]:
    """Return the converter of a matrix."""

    def convert(x: Any) -> np.ndarray:
        if out:
            x = _writable(x, dtype)
        else:
            x = _read(x, dtype)
        if x.ndim == 1:
            x = x.reshape(-1, 1)
        if x.ndim != 2:
            raise TypeError(f"needs a matrix, got shape {x.shape}")
        return x

    return convert


def _writable(x: Any, dtype: np.dtype) -> np.ndarray:
    """Return an array that can be written; TypeError for anything else."""
    if type(x) is not np.ndarray and not isinstance(x, np.ndarray):
        raise TypeError(f"needs a {dtype} array to write to, got {type(x).__name__}")
    if x.dtype != dtype:
        raise TypeError(f"needs a {dtype} array to write to, got {x.dtype}")
    if not (x.flags.writeable and x.flags.c_contiguous):
        raise TypeError("needs a writeable C-contiguous array")
    # writing to the memory directly works even if a subclass of ndarray redefines assignment
    return x if type(x) is np.ndarray else x.view(np.ndarray)


def _tuple(size: int) -> Callable[[Any], tuple]:
    """Return the converter of a tuple of floats."""
    read = _vector(size, _ELEMENT[""], False)

    def convert(x: Any) -> tuple:
        return tuple(read(x).tolist())

    return convert


_SIMPLE = {
    "i": (_integer(*_INT), "typing.SupportsInt"),
    "c": (_integer(*_BYTE), "typing.SupportsInt"),
    "u": (_integer(*_UNSIGNED), "typing.SupportsInt"),
    "z": (_integer(0, 2**64 - 1), "typing.SupportsInt"),
    "f": (_number, "typing.SupportsFloat"),
    "s": (read_text, "str"),
    "b": (bool, "bool"),
    "o": (lambda x: x, "object"),
    "m": (_instance(MjModel), "mujoco._structs.MjModel"),
    "d": (_instance(MjData), "mujoco._structs.MjData"),
}


def _argument(token: str) -> tuple[str, Callable[[Any], Any], str, Any]:
    """Return (name, converter, type as text, default) of one token of a declaration."""
    match = _TOKEN.match(token)
    if match is None:
        raise ValueError(f"cannot read argument {token!r}")

    # split the token into name and default
    name, kind, out = match["name"], match["kind"] or match["name"], bool(match["out"])
    default = match["default"]
    default = inspect.Parameter.empty if default is None else _DEFAULTS[default] if default in _DEFAULTS else int(default)
    dtype = _ELEMENT[match["element"] or ""]

    # converter, and the type as MuJoCo's help texts show it
    if kind in _SIMPLE:
        convert, text = _SIMPLE[kind]
    else:
        size = int(kind.lstrip("T")) if kind[-1].isdigit() else 0
        convert = _tuple(size) if kind[0] == "T" else _matrix(dtype, out) if kind == "M" else _vector(size, dtype, out)
        shape = "[m, n]" if kind == "M" else f"[{size or 'm'}, 1]"
        flags = ('"flags.writeable"' if out else "", '"flags.c_contiguous"' if kind == "M" else "")
        text = f"typing.Annotated[numpy.typing.NDArray[numpy.{dtype}], " + ", ".join([f'"{shape}"', *filter(None, flags)]) + "]"
    if match["none"]:
        convert, text = _optional(convert), text + " | None"
    return name, convert, text, default


def _optional(convert: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a converter that also accepts None."""
    return lambda x: None if x is None else convert(x)


# ---- the decorator -----------------------------------------------------------------------------------------------------
def public(spec: str = "", returns: str = "None", code: str = "", constant: int = 0, later: Any = None) -> Callable[..., Any]:
    """Return a decorator that checks a function's arguments as `spec` declares, and puts its signature at the top of its help
    text.

    code: the stage or expression that runs calls without conversion (see `entries`). constant: a number passed to it.
    later: a public function with the arguments of later releases. It gets calls with more arguments, with other names,
    or with a Data where `spec` has none.
    """

    def wrap(function: Callable[..., Any]) -> Callable[..., Any]:
        arguments = [_argument(t) for t in spec.split()]

        # parse the declared arguments
        name, count = function.__name__, len(arguments)
        names, converters = [a[0] for a in arguments], [a[1] for a in arguments]
        shown = [f"{n}: {t}" + ("" if v is inspect.Parameter.empty else f" = {v}") for n, _, t, v in arguments]
        defaults = {n: v for n, _, _, v in arguments if v is not inspect.Parameter.empty}

        def order(args: Any, kwargs: dict[str, Any]) -> list[Any]:
            """Return positional and named arguments in the declared order, with defaults."""
            if len(args) > count:
                raise TypeError(f"{name}() takes {count} arguments ({', '.join(names)}), got {len(args)}")
            given = dict(zip(names, args, strict=False))
            for key, value in kwargs.items():
                if key not in names or key in given:
                    raise TypeError(
                        f"{name}() got {'two values for' if key in given else 'an unknown'} argument {key!r}; "
                        f"it takes {', '.join(names)}"
                    )
                given[key] = value
            missing = [n for n in names if n not in given and n not in defaults]
            if missing:
                raise TypeError(f"{name}(): incompatible function arguments: missing {', '.join(missing)}")
            return [given[n] if n in given else defaults[n] for n in names]

        def is_later(args: Any, kwargs: dict[str, Any]) -> bool:
            """Return whether a call has the arguments of later releases."""
            return (
                len(args) + len(kwargs) > count
                or not kwargs.keys() <= set(names)
                or "d" not in names
                and any(isinstance(a, MjData) for a in args)
            )

        def explain(args: Any) -> TypeError | None:
            """Return a TypeError that names the first argument that does not fit."""
            for key, convert, value in zip(names, converters, args, strict=True):
                try:
                    convert(value)
                except (TypeError, ValueError, OverflowError) as error:
                    return TypeError(f"{name}(): incompatible function arguments: {key}: {error}")
            return None

        @functools.wraps(function)
        def call(*args, **kwargs) -> Any:
            if later is not None and is_later(args, kwargs):
                return later(*args, **kwargs)
            if kwargs or len(args) != count:
                args = order(args, kwargs)
            try:
                args = [c(a) for c, a in zip(converters, args)]  # noqa: B905
            except (TypeError, ValueError, OverflowError) as error:
                raise (explain(args) or error) from None
            return function(*args)

        # help text, signature, and the declared sizes of arrays, for the reference pages
        text = inspect.cleandoc(function.__doc__ or "")
        call.__doc__ = f"{name}({', '.join(shown)}) -> {returns}\n\n{text}\n"
        parameters = [inspect.Parameter(n, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=v) for n, _, _, v in arguments]
        setattr(call, "__signature__", inspect.Signature(parameters))
        matches = filter(None, map(_TOKEN.match, spec.split()))
        setattr(call, "sizes", {m["name"]: m["sizes"].replace(",", ", ") for m in matches if m["sizes"]})
        return entries.enter(call, lambda: tuple(map(_cells, spec.split())), code, returns, constant) if code else call

    return wrap


_FIXED = {"m": calls.MODEL, "d": calls.DATA, "f": calls.NUMBER, "o": calls.OBJECT}
_LIMITS = {"i": _INT, "u": _UNSIGNED, "c": _BYTE}


def _cells(token: str) -> entries.Argument:
    """Return the declaration of an argument for a compiled call."""
    match = _TOKEN.match(token)
    assert match is not None
    name, kind, sizes = (
        match["name"],
        match["kind"] or match["name"],
        (match["sizes"] or "").split(",") if match["sizes"] else [],
    )
    sizes = tuple(int(n) if n.isdigit() else n for n in sizes)

    # types without sizes, then arrays
    if kind in _FIXED:
        return entries.Argument(name, _FIXED[kind])
    if kind in _LIMITS:
        return entries.Argument(name, calls.INTEGER, *_LIMITS[kind], sizes=sizes or (None,))
    need = layout.CONTIGUOUS | layout.ALIGNED | (layout.WRITEABLE if match["out"] else 0)
    fixed = int(kind.lstrip("T")) if kind[-1].isdigit() else 0
    sizes = (fixed,) if fixed else sizes or ((None, None) if kind == "M" else (None,))
    # matrices of one fixed size are usually passed as vectors
    return entries.Argument(
        name,
        calls.MATRIX if len(sizes) == 2 else calls.VECTOR,
        id(_ELEMENT[match["element"] or ""]),
        need,
        bool(match["none"]),
        sizes,
        fixed if kind[0] == "T" else 0,
    )


def require(condition: bool, message: str) -> None:
    """Raise TypeError unless a condition on sizes holds."""
    if not condition:
        raise TypeError(message)
