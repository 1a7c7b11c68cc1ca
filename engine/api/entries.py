"""Public functions as C functions for the interpreter, with compiled code for calls that need no conversion (see
`calls.compiled`).

    @public("m d res:V(nv)! vec:V(nv)", code="dynamics.products:mul_inertia(m, d, res, vec)")
                  │                                                │
                  └─ row: declares each argument                   └─ body: module, and an expression in its kernels
                                                                      and the arguments

At first, a function calls its Python function. After HOT calls, its body is loaded, or compiled like any stage. From
then on, calls with matching arguments run the compiled code. In the expression, arrays are addresses. Arrays without
fixed sizes are followed by their sizes as `x_size` or `x_rows`, `x_columns`; `x:T4` is a tuple of 4 numbers.
"""

from __future__ import annotations

import ctypes
import inspect
import types
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..calls import compiled as calls
from ..core import owner, stages
from ..core.data import MjData
from ..core.model import MjModel
from ..machine import jit, layout
from ..machine.lang import array_at, load, longs_at
from ..tables import stage_rows
from ..tables.schema import SCHEMAS
from . import lazy

# number of calls before a function loads its compiled code, so that scripts with few calls save the time
HOT = 32
# After this many calls of a stage from Python, it is worth compiling what makes such calls faster.
MANY = 256
PREFIX = "public_"
# {name of a body's stage: a public function with this body}
FUNCTIONS: dict[str, Function] = {}
# the row that all functions share, made once, and the objects whose addresses it contains
SHARED: dict[str, tuple] = {}
RESULTS = {"None": calls.NONE, "int": calls.COUNTED, "float": calls.MEASURED}
_SIZES = SCHEMAS["MjModel"].size_slot


class Argument(NamedTuple):
    """An argument, as a function's row declares it. `sizes`: an array's sizes, or the exclusive upper bound of an index; each
    is a number, the name of a size, or None.
    """

    name: str
    kind: int
    of: int = 0
    need: int = 0
    optional: bool = False
    sizes: tuple = ()
    tuple_of: int = 0
    holder: int = 0
    index: int = 0

    def cells(self) -> list[int]:
        """Return the cells that this argument occupies in its function's row."""
        rules = [calls.FREE if n is None else n if isinstance(n, int) else calls.SIZE - _SIZES[n] for n in self.sizes]
        rules = [*rules, calls.FREE, calls.FREE][:2] if self.kind != calls.RECORD else [self.sizes[0], 0]
        return [self.kind, self.of, self.need, int(self.optional), *rules, self.holder, self.index]

    def lines(self, k: int) -> tuple[list[str], int]:
        """Return the lines of the body's source that read this argument, beginning with word k, and the index of the next
        word."""
        if self.kind in (calls.MODEL, calls.DATA):
            return [], k
        if self.kind == calls.NUMBER:
            return [f"{self.name} = x[{k}]"], k + 1
        if self.kind == calls.RECORD:
            return [f"{self.name}, {self.name}_index = w[{k}], w[{k + 1}]"], k + 2
        if self.tuple_of:
            return [f"{self.name} = load(array_at(w[{k}], {self.tuple_of}), 0, {self.tuple_of})"], k + 1
        lines, suffixes = [f"{self.name} = w[{k}]"], ("_size",) if self.kind == calls.VECTOR else ("_rows", "_columns")
        for suffix, size in zip(suffixes, self.sizes if self.kind in (calls.VECTOR, calls.MATRIX) else (), strict=False):
            if size is None:
                k += 1
                lines.append(f"{self.name}{suffix} = w[{k}]")
        return lines, k + 1


def integer(name: str) -> Argument:
    """Return a 32-bit integer argument."""
    return Argument(name, calls.INTEGER, -(2**31), 2**31 - 1, sizes=(None,))


def vector(name: str, size: str | int | None, optional: bool = False, dtype: type = np.float64) -> Argument:
    """Return an input vector of a fixed size."""
    return Argument(name, calls.VECTOR, id(np.dtype(dtype)), layout.CONTIGUOUS | layout.ALIGNED, optional, (size,))


# ---- bodies --------------------------------------------------------------------------------------------------------------
def _kernel(value: Any) -> Any:
    """Return the object to which a name in a body's source refers. For a stage, return its kernel, which is then compiled into
    the body."""
    return jit.kernel(value.function) if isinstance(value, jit.Stage) else value


def body(name: str, arguments: Sequence[Argument], code: str, returns: str) -> jit.Stage:
    """Return the body of a function as a stage."""
    # make the source, which reads the arguments from words and then calls the expression
    place, _, expression = code.partition(":")
    lines, k = [], 2
    for a in arguments:
        more, k = a.lines(k)
        lines += more
    checked = expression.startswith("?")
    call = expression.lstrip("?")
    # An expression that begins with `?` writes the result itself, and returns whether it handled the call (see `bodies`).
    end = [f"return {call}"] if checked else [{"None": "", "int": "w[0] = ", "float": "x[0] = "}[returns] + call, "return 1"]
    text = "\n    ".join(
        [f"def {PREFIX}{name}(m, d, words, count):", "w, x = longs_at(words, count), array_at(words, count)", *lines, *end]
    )
    made = compile(text, f"<code of {name}>", "exec")
    space: dict[str, Any] = {"__name__": f"{__name__}.{name}", "longs_at": longs_at, "array_at": array_at, "load": load}

    # Look up the names in the source. The modules are imported late, because that takes 0.4 s.
    modules = [lazy.load(f".{p}") for p in place.split(",")]
    wanted = {n for c in made.co_consts if isinstance(c, types.CodeType) for n in c.co_names} - space.keys()
    for n in wanted:
        found = next((vars(module)[n] for module in modules if n in vars(module)), None)
        if found is not None:
            space[n] = _kernel(found)
    exec(made, space)  # noqa: S102  (text of this file and of the functions' rows)
    return jit.Stage(space[PREFIX + name], "iMDii")


def __getattr__(name: str) -> Any:
    # workers that compile in advance find a stage by its name
    if name in FUNCTIONS:
        return FUNCTIONS[name].stage
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


# ---- functions -----------------------------------------------------------------------------------------------------------
class _MethodDef(ctypes.Structure):
    """CPython's PyMethodDef."""

    _fields_ = [("name", ctypes.c_char_p), ("function", ctypes.c_void_p), ("flags", ctypes.c_int), ("doc", ctypes.c_char_p)]


_FASTCALL, _KEYWORDS = 0x80, 0x2
_NEW = ctypes.pythonapi.PyCFunction_NewEx
_NEW.restype, _NEW.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.py_object, ctypes.py_object)


def shared() -> tuple[np.ndarray, dict[int, Any]]:
    """Return the row that all functions share, and the objects in it. If several threads make this row at once, all threads
    get the row that was stored first, because the functions' rows contain its address.
    """
    return SHARED.get("row") or SHARED.setdefault("row", _new_shared())


def _new_shared() -> tuple[np.ndarray, dict[int, Any]]:
    """Create the shared row: types, objects and C functions of the interpreter."""
    minus_one, g = 1.0, np.zeros(calls.GLOBAL_COUNT, np.int64)
    objects = {
        calls.ARRAY_TYPE: np.ndarray,
        calls.FLOAT_TYPE: float,
        calls.DOUBLE_TYPE: np.float64,
        calls.INT_TYPE: int,
        calls.MODEL_TYPE: MjModel,
        calls.DATA_TYPE: MjData,
        calls.NOTHING: None,
        calls.ZERO: minus_one,
    }
    functions = {
        calls.AS_LONG: "PyLong_AsLongLongAndOverflow",
        calls.AS_INDEX: "PyNumber_Index",
        calls.CLEAR: "PyErr_Clear",
        calls.CALL: "PyObject_Vectorcall",
        calls.SAVE: "PyEval_SaveThread",
        calls.RESTORE: "PyEval_RestoreThread",
        calls.KEEP: "Py_IncRef",
        calls.DROP: "Py_DecRef",
        calls.FROM_LONG: "PyLong_FromLongLong",
        calls.NEGATIVE: "PyNumber_Negative",
        calls.IDENT: "PyThread_get_thread_ident",
    }

    # store the addresses of all these objects
    for k, value in objects.items():
        g[k] = id(value)
    for k, name in functions.items():
        g[k] = layout.c_function(name)
    g[calls.OFF] = stages.LAYERED.ctypes.data
    return g, objects


class CallCells(np.ndarray):
    """A function's row as an array of cells, which compiled code reads (see `calls.compiled`). `keeps` holds the objects whose
    addresses are in the cells."""

    keeps: tuple = ()


class Function(layout.Entry):
    """The object behind a public function: its row, its Python functions, and its body (the compiled code)."""

    __slots__ = ("_arguments", "_stage", "asked", "code", "definition", "left", "own", "returns", "short", "slow", "constant")

    def __init__(self, slow: Callable[..., Any], arguments: Any, code: str, returns: str, constant: int, short: bool) -> None:
        super().__init__(slow.__name__)
        self.short = short
        self.slow, self._arguments, self.code, self.returns, self.constant = slow, arguments, code, returns, constant
        self.left, self.asked, self._stage, self.row = HOT, 0, None, None
        name = slow.__name__
        # functions that differ only in their constant share a body
        self.own = code.partition(":")[2].partition("(")[0] if constant else name
        shown = f"{name}{inspect.signature(slow)}\n--\n\n{slow.__doc__}"
        self.definition = _MethodDef(
            name.encode(), layout.c_function("PyObject_Vectorcall"), _FASTCALL | _KEYWORDS, shown.encode()
        )

    def public(self) -> Callable[..., Any]:
        """Return the function that users call."""
        return _NEW(ctypes.addressof(self.definition), self, self.slow.__module__)

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """The arguments that the row declares. They are parsed when needed, because most functions are called too rarely to be
        compiled."""
        found = self._arguments
        if not isinstance(found, tuple):
            found = self._arguments = found()
        return found

    @property
    def stage(self) -> jit.Stage:
        """The body, as a stage."""
        if self._stage is None:
            self._stage = jit.Stage.registry.get(PREFIX + self.own) or body(self.own, self.arguments, self.code, self.returns)
        return self._stage

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the Python function, while there is no compiled code."""
        self.left -= 1
        if self.left < 0:
            # if nothing can be compiled now, try again after twice as many calls
            self.asked += 1
            self.left = HOT << self.asked
            self.prepare()
        return self.slow(*args, **kwargs)

    def prepare(self) -> bool:
        """Switch later calls to compiled code. Return False while some stages are still interpreted, or still being compiled by
        other processes."""
        if stages.LAYERED[0] or jit.Stage.stand_in is not None and not (self.stage.cached and calls.enter_call.cached):
            return False
        try:
            code, enter = self.stage.address, calls.enter_call.address
        except ModuleNotFoundError:
            # this installation cannot compile, and lacks compiled code for this function
            self.left = 2**62
            return False
        row = self._new_row(code)
        # Keep the first row, because a thread may be inside a call that uses it. No call lies between test and assignment, so
        # no other thread can intervene.
        if self.row is None:
            self.row = row
        self.definition.function = enter
        return True

    def _new_row(self, code: int) -> np.ndarray:
        """Return a new row for this function. It keeps the objects whose addresses it contains."""
        slow, arguments = self.slow, self.arguments

        def mend(*args: Any) -> Any:
            """Continue a call that stopped halfway: fix the cause, then repeat the call in Python."""
            struct = {a.kind: x for a, x in zip(arguments, args, strict=True)}
            stages.recover(struct[calls.DATA], struct[calls.MODEL])
            return slow(*args)

        g, _ = shared()
        row = [
            g.ctypes.data,
            id(slow),
            id(mend),
            len(arguments),
            code,
            int(any(a.kind == calls.DATA for a in arguments)),
            int("(m, d, w)" in self.code),
            RESULTS[self.returns],
            self.constant,
            owner.function_place(slow.__name__) | (owner.SHORT if self.short else 0),
            *(c for a in arguments for c in a.cells()),
        ]
        made = np.array(row, np.int64).view(CallCells)
        made.keeps = slow, mend, g
        return made


def enter(
    slow: Callable[..., Any], arguments: Any, code: str, returns: str = "None", constant: int = 0, short: bool = False
) -> Callable[..., Any]:
    """Return a public function with compiled code; if this interpreter lays out objects differently, return the Python function
    itself.

    arguments: the arguments that its row declares, or a function that returns them. short: calls are short, so other
    threads may wait until they end (see `owner.visit`).
    """
    if not layout.known() or not all(
        (calls.ROW, calls.STORAGE, calls.STORAGE_OF_DATA, calls.MODEL_OF, calls.ADDRESS, calls.TABLE)
    ):
        return slow
    function = Function(slow, arguments, code, returns, constant, short)
    name = PREFIX + function.own
    FUNCTIONS.setdefault(name, function)
    stage_rows.LOADER_MODULE.setdefault(name, "api.entries")
    stage_rows.MODULE.setdefault(name, "api.entries")
    return function.public()


# ---- stages that Python calls --------------------------------------------------------------------------------------------
def swift_entry(stage: Any) -> Callable[..., Any] | None:
    """Return a stage of integers as a C function of the interpreter, which is three times faster than ctypes; None if
    that is impossible now.

    Such functions are never freed, because a thread may be running one.
    """
    if (
        stages.LAYERED[0]
        or jit.Stage.stand_in is not None
        or "f" in stage.sig
        or len(stage.sig) > layout.CALL_WORDS
        or (stage.calls < MANY and not calls.enter_stage.cached)
    ):
        return None
    try:
        enter_stage = calls.enter_stage.address
    except ModuleNotFoundError:
        # this installation cannot compile, and lacks compiled code for this
        return None
    g, _ = shared()
    convert, definition = stage.convert, _MethodDef(stage.symbol.encode(), enter_stage, _FASTCALL, None)
    row = np.array([g.ctypes.data, stage.address, len(stage.sig) - 1, id(convert), int(stage.sig[0] == "i")], np.int64).view(
        CallCells
    )
    row.keeps = g, convert, definition
    return _NEW(ctypes.addressof(definition), row, None)


if layout.known():
    jit.Stage.swift_entry = staticmethod(swift_entry)
