"""Public functions as the interpreter's own kind of function, with compiled code for the calls that need no conversion (see `calls.compiled`).

    @public("m d res:V(nv)! vec:V(nv)", code="dynamics.products:mul_inertia(m, d, res, vec)")
                  │                                                │
                  └─ row: what each argument must be               └─ body: module, and an expression in its kernels and the arguments

A function begins as a way to its Python function. Once it was called HOT times its body is mapped, or compiled if nobody did so before, as any
stage is, and from then on calls of the usual kind go there. In the expression arrays are addresses, with fixed sizes or followed by
their sizes as `x_size` or `x_rows`, `x_columns`; `x:T4` is a tuple of 4 numbers.
"""

import ctypes
import inspect
import types
from collections.abc import Callable
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

# calls of a function before its code is mapped: a script that makes a few pays for nothing
HOT = 32
PREFIX = "public_"
# functions with code, by the name of its stage
FUNCTIONS: dict[str, "Function"] = {}
# what their rows share: the first that is made, and what it holds addresses of
SHARED: dict[str, tuple] = {}
RESULTS = {"None": calls.NONE, "int": calls.COUNTED, "float": calls.MEASURED}
_SIZES = SCHEMAS["MjModel"].size_slot


class Argument(NamedTuple):
    """What a row says of an argument. `sizes`: of an array, or for an index the count of what it is one of: numbers, names of sizes, or None."""

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
        """The cells of the row."""
        rules = [calls.FREE if n is None else n if isinstance(n, int) else calls.SIZE - _SIZES[n] for n in self.sizes]
        rules = [*rules, calls.FREE, calls.FREE][:2] if self.kind != calls.RECORD else [self.sizes[0], 0]
        return [self.kind, self.of, self.need, int(self.optional), *rules, self.holder, self.index]

    def lines(self, k) -> tuple[list[str], int]:
        """Lines of the body that take the argument from the words at k, and the place of the next word."""
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


def integer(name) -> Argument:
    """An argument of 32 bits."""
    return Argument(name, calls.INTEGER, -(2**31), 2**31 - 1, sizes=(None,))


def vector(name, size, optional=False, dtype: type = np.float64) -> Argument:
    """A vector of a fixed size that is read."""
    return Argument(name, calls.VECTOR, id(np.dtype(dtype)), layout.CONTIGUOUS | layout.ALIGNED, optional, (size,))


# ---- bodies --------------------------------------------------------------------------------------------------------------
def _kernel(value):
    """What a body calls for a name: of a stage its kernel, which becomes a part of the body."""
    return jit.kernel(value.function) if isinstance(value, jit.Stage) else value


def body(name, arguments, code, returns) -> jit.Stage:
    """The compiled part of a function as a stage."""
    place, _, expression = code.partition(":")
    lines, k = [], 2
    for a in arguments:
        more, k = a.lines(k)
        lines += more
    checked = expression.startswith("?")
    call = expression.lstrip("?")
    # what is checked writes its result itself
    end = [f"return {call}"] if checked else [{"None": "", "int": "w[0] = ", "float": "x[0] = "}[returns] + call, "return 1"]
    text = "\n    ".join(
        [f"def {PREFIX}{name}(m, d, words, count):", "w, x = longs_at(words, count), array_at(words, count)", *lines, *end]
    )
    made = compile(text, f"<code of {name}>", "exec")
    space: dict[str, Any] = {"__name__": f"{__name__}.{name}", "longs_at": longs_at, "array_at": array_at, "load": load}
    # bodies are made when they are needed: their modules take 0.4 s to import
    modules = [lazy.load(f".{p}") for p in place.split(",")]
    wanted = {n for c in made.co_consts if isinstance(c, types.CodeType) for n in c.co_names} - space.keys()
    for n in wanted:
        found = next((vars(module)[n] for module in modules if n in vars(module)), None)
        if found is not None:
            space[n] = _kernel(found)
    exec(made, space)  # noqa: S102  (text of this file and of the functions' rows)
    return jit.Stage(space[PREFIX + name], "iMDii")


def __getattr__(name):
    # a stage by its name, as workers that compile ahead ask for it
    if name in FUNCTIONS:
        return FUNCTIONS[name].stage
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


# ---- functions -------------------------------------------------------------------------------------------------------------
class _MethodDef(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("function", ctypes.c_void_p), ("flags", ctypes.c_int), ("doc", ctypes.c_char_p)]


_FASTCALL, _KEYWORDS = 0x80, 0x2
_NEW = ctypes.pythonapi.PyCFunction_NewEx
_NEW.restype, _NEW.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.py_object, ctypes.py_object)


def shared() -> tuple[np.ndarray, dict[int, Any]]:
    """The row of what all functions share, and its objects. Rows keep its address: of threads that make it at once all get the first."""
    return SHARED.get("row") or SHARED.setdefault("row", _new_shared())


def _new_shared():
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
    for k, value in objects.items():
        g[k] = id(value)
    for k, name in functions.items():
        g[k] = layout.c_function(name)
    g[calls.OFF] = stages.LAYERED.ctypes.data
    return g, objects


class Row(np.ndarray):
    """Cells that compiled code goes by (see `calls.compiled`). `keeps`: the objects whose addresses are in them, which live as long as they do."""

    keeps: tuple = ()


class Function(layout.Entry):
    """What a public function belongs to: its row, its functions in Python, its body."""

    __slots__ = ("_arguments", "_stage", "asked", "code", "definition", "left", "own", "returns", "short", "slow", "constant")

    def __init__(self, slow, arguments, code, returns, constant, short):
        super().__init__(slow.__name__)
        self.short = short
        self.slow, self._arguments, self.code, self.returns, self.constant = slow, arguments, code, returns, constant
        self.left, self.asked, self._stage, self.row = HOT, 0, None, None
        name = slow.__name__
        # functions that differ in their constant have one body
        self.own = code.partition(":")[2].partition("(")[0] if constant else name
        shown = f"{name}{inspect.signature(slow)}\n--\n\n{slow.__doc__}"
        self.definition = _MethodDef(
            name.encode(), layout.c_function("PyObject_Vectorcall"), _FASTCALL | _KEYWORDS, shown.encode()
        )

    def public(self) -> Callable[..., Any]:
        """The function that users get."""
        return _NEW(ctypes.addressof(self.definition), self, self.slow.__module__)

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """What the row says of each argument; most functions are never called so often that it is needed."""
        found = self._arguments
        if not isinstance(found, tuple):
            found = self._arguments = found()
        return found

    @property
    def stage(self) -> jit.Stage:
        """The body as a stage."""
        if self._stage is None:
            self._stage = jit.Stage.registry.get(PREFIX + self.own) or body(self.own, self.arguments, self.code, self.returns)
        return self._stage

    def __call__(self, *args, **kwargs):
        """A call before there is code."""
        self.left -= 1
        if self.left < 0:
            # where nothing is compiled now, the next look is later and later
            self.asked += 1
            self.left = HOT << self.asked
            self.prepare()
        return self.slow(*args, **kwargs)

    def prepare(self) -> bool:
        """Have calls go to compiled code from now on. False while stages are interpreted or compiled by others."""
        if stages.LAYERED[0] or jit.Stage.stand_in is not None and not (self.stage.cached and calls.enter_call.cached):
            return False
        try:
            code, enter = self.stage.address, calls.enter_call.address
        except ModuleNotFoundError:
            # an installation that cannot compile, and nobody has compiled this
            self.left = 2**62
            return False
        row = self._new_row(code)
        # a thread may be inside a call that goes by the first row; between the look and the entry is no call, so no other thread
        if self.row is None:
            self.row = row
        self.definition.function = enter
        return True

    def _new_row(self, code):
        """The row, which keeps what it has addresses of."""
        slow, arguments = self.slow, self.arguments

        def mend(*args):
            """What follows a call that stopped halfway: mend the cause, then the same call again."""
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
        made = np.array(row, np.int64).view(Row)
        made.keeps = slow, mend, g
        return made


def enter(slow, arguments, code, returns="None", constant=0, short=False) -> Callable[..., Any]:
    """A public function with compiled code; the Python function itself where this interpreter's objects are not as they are expected.

    arguments: what its row says of them, or a function that tells. short: other threads may wait for its end (see `owner.visit`).
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


# ---- stages that Python calls ----------------------------------------------------------------------------------------------
def swift_entry(stage) -> Callable[..., Any] | None:
    """A stage of integers as a function of the interpreter's own kind, which takes a third of the time that ctypes takes; None where that cannot be had now.

    Functions are made once and stay: threads may be inside.
    """
    if (
        stages.LAYERED[0]
        or jit.Stage.stand_in is not None
        or "f" in stage.sig
        or len(stage.sig) > layout.CALL_WORDS
        or not calls.enter_stage.cached
    ):
        return None
    g, _ = shared()
    convert, definition = stage.convert, _MethodDef(stage.symbol.encode(), calls.enter_stage.address, _FASTCALL, None)
    row = np.array([g.ctypes.data, stage.address, len(stage.sig) - 1, id(convert), int(stage.sig[0] == "i")], np.int64).view(
        Row
    )
    row.keeps = g, convert, definition
    return _NEW(ctypes.addressof(definition), row, None)


if layout.known():
    jit.Stage.swift_entry = staticmethod(swift_entry)
