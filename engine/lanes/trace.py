"""Tracing: a kernel's unchanged source runs once in Python, with symbols in place of Data's numbers.

    stage(m, d)  ──▶  Trace: operations, elements that it loads, elements that it stores

Values that depend only on the Model (joint types, parents, sparsity, constants) are folded into the trace.
Untraceable is raised for code that cannot be traced.
"""

import math
import types
from collections.abc import Callable
from typing import Any

from ..core import stages
from ..core.stages import OK
from ..dynamics.tendon import side_within
from ..machine import arithmetic, memory
from ..machine.interpret import Reading
from ..tables import stage_rows
from ..tables.stage_rows import ABSENT
from . import fields, instead
from .circular import arccosine, arcsine, cosine, sine
from .fields import Data, Known, Lanes, Layout, Own
from .paths import branch, explore
from .rewrite import PREFIX, Branches
from .symbols import LEFT, Leave, Mask, Number, Tape, Untraceable, is_lane, select


# ---- what kernels call ---------------------------------------------------------------------------------------------------
def _of_lanes(name: str, otherwise: Callable[..., Any], operation: str | None = None) -> Callable[..., Any]:
    """Return a function that records an operation if an argument differs between lanes, and otherwise computes the result."""

    def function(*args: Any) -> Any:
        for x in args:
            if isinstance(x, Number):
                return x.tape.number(operation or name, *args)
        return otherwise(*args)

    return function


def _smallest(a: Any, b: Any) -> Any:
    return select(b < a, b, a) if is_lane(a) or is_lane(b) else min(a, b)


def _largest(a: Any, b: Any) -> Any:
    return select(b > a, b, a) if is_lane(a) or is_lane(b) else max(a, b)


def _power(a: Any, b: Any) -> Any:
    """Return a ** b; small integer powers become products."""
    if not is_lane(a) and not is_lane(b):
        return arithmetic.power(a, b)
    if is_lane(b):
        return b.tape.number("pow", a, b)
    if b == 0.5:
        return abs(a.tape.number("sqrt", a))
    if b == int(b) and abs(b) <= 8:
        result = a
        for _ in range(int(abs(b)) - 1):
            result = result * a
        return 1.0 if b == 0 else result if b > 0 else 1.0 / result
    return a.tape.number("pow", a, b)


def _divide(a: Any, b: Any) -> Any:
    return a / b if is_lane(a) or is_lane(b) else arithmetic.divide(a, b)


def _isnan(x: Any) -> Any:
    return x != x if is_lane(x) else math.isnan(x)


def _isfinite(x: Any) -> Any:
    return abs(x) < math.inf if is_lane(x) else math.isfinite(x)


def _float(x: Any) -> Any:
    return x if isinstance(x, Number) else select(x, 1.0, 0.0) if isinstance(x, Mask) else float(x)


def _rejected(name: str) -> Callable[..., Any]:
    """Return a function that raises Untraceable."""

    def reject(*_: Any) -> Any:
        raise Untraceable(f"{name} of a kernel")

    return reject


_MATH: dict[str, Any] = {name: _of_lanes(name, getattr(arithmetic.Math, name)) for name in ("sqrt", "tan", "exp", "atan2")}
_MATH |= {
    name: lambda x, here=here, there=getattr(arithmetic.Math, name): here(x) if is_lane(x) else there(x)
    for name, here in (("sin", sine), ("cos", cosine), ("asin", arcsine), ("acos", arccosine))
}
_FUNCTIONS = (
    arithmetic.FUNCTIONS
    | {getattr(math, name): function for name, function in _MATH.items()}
    | {min: _smallest, max: _largest, float: _float, abs: abs, math.isnan: _isnan, math.isfinite: _isfinite, math.pow: _power}
)


class _Math(types.SimpleNamespace):
    pass


_KEPT = ("highest_bit", "trailing_zeros", "count_ones", "guessed")
_LANGUAGE: dict[str, Any] = {name: memory.LANG[name] if name in _KEPT else _rejected(name) for name in memory.LANG}


def both(a: Any, b: Callable[[], Any]) -> Any:
    """Evaluate `a and b()`; both may be masks."""
    if isinstance(a, Mask):
        other = b()
        return a & _condition(other)
    return b() if a else a


def either(a: Any, b: Callable[[], Any]) -> Any:
    """Evaluate `a or b()`; both may be masks."""
    if isinstance(a, Mask):
        return a | _condition(b())
    return a or b()


def _condition(x: Any) -> Any:
    """Convert a number to a condition."""
    return x != 0.0 if isinstance(x, Number) else x


def invert(a: Any) -> Any:
    """Return `not a`, where `a` may be a mask."""
    return a.inverted() if isinstance(a, Mask) else not a


class Tracer(Reading):
    """Traces kernels onto one tape."""

    rewriter = Branches
    functions = _FUNCTIONS
    math = _Math(**(vars(arithmetic.Math) | _MATH | {"isnan": _isnan, "isfinite": _isfinite, "pow": _power}))
    numpy = type("Numpy", (arithmetic.Numpy,), {"float64": staticmethod(_float), "sqrt": staticmethod(_MATH["sqrt"])})

    def __init__(self, full: bool = False) -> None:
        super().__init__()
        self.tape = Tape()
        self.space = Reading.space | {
            "arithmetic.power": _power,
            "arithmetic.divide": _divide,
            f"{PREFIX}branch": lambda mask, *rest: branch(self.tape, _condition(mask), *rest),
            f"{PREFIX}both": both,
            f"{PREFIX}either": either,
            f"{PREFIX}invert": invert,
            f"{PREFIX}choose": lambda mask, a, b: self._choose(_condition(mask), a, b),
        }

        # replacements of intrinsics, followed by replacements of functions that have a lane version
        self.language = _LANGUAGE | {
            "load": fields.load,
            "store": fields.store,
            "flat": fields.flat,
            "address_of": fields.address_of,
            "array_at": fields.vector_at("array_at"),
            "ints_at": fields.vector_at("ints_at"),
            "small": lambda n: fields.scratch(self.tape, n, Lanes),
            "small_int": lambda n: fields.scratch(self.tape, n, Known),
        }
        self._replaced = {
            "run": self.run,
            "run_for": self.run_for,
            "value_for": self.value_for,
            "table_entry": lambda d, k: int(stages.TABLE[k]),
            "call_hook": self.call_hook,
            "stage_address": _rejected("stage_address"),
            "warn": self.leave,
            "count_warning": self.leave,
            "tell": self.leave,
            "reset": self.leave,
            "in_lanes": lambda: True,
            "append": instead.append,
            "add_point": instead.add_point,
            "incidence": instead.incidence,
            "exact_incidence": instead.exact_incidence,
            "side_within": self.side_within,
        }
        if full:
            # exclude the lane from the vectorized step at its first constraint row
            self._replaced["reserve_rows"] = self.leave

    def _choose(self, mask: Any, a: Callable[[], Any], b: Callable[[], Any]) -> Any:
        """Evaluate a conditional expression, whose condition may be a mask."""
        if not isinstance(mask, Mask):
            return a() if mask else b()
        (x,) = branch(self.tape, mask, lambda _: (a(),), lambda _: (b(),), (None,))
        return x

    def seen(self, name: str, value: Any) -> Any:
        return self._replaced[name] if name in self._replaced else super().seen(name, value)

    def wrapped(self, made: Any) -> Any:
        def call(*args: Any) -> Any:
            return explore(self.tape, made, args)

        return call

    @staticmethod
    def leave(*_: Any) -> Any:
        """End this path: its lanes are excluded from the vectorized step."""
        raise Leave

    def side_within(self, m: Any, d: Any, side: int, geom: int) -> Any:
        """Evaluate `dynamics.tendon.side_within`. A result that depends only on the Model is a constant of the trace."""
        known = instead.side_within(m, side, geom)
        return self.read(side_within)(m, d, side, geom) if known is None else known

    def run(self, m: Any, d: Any, k: int) -> Any:
        """Trace a stage that another stage runs."""
        if stages.TABLE[k] == ABSENT:
            raise Untraceable("a stage that is absent")
        self.read(stages.find(stage_rows.NAME[k]))(m, d)
        return True

    def run_for(self, m: Any, d: Any, k: int, i: int) -> Any:
        """Trace a stage that runs for one element."""
        if stages.TABLE[k] != ABSENT:
            self.read(stages.find(stage_rows.NAME[k]))(m, d, i)
        return True

    def value_for(self, m: Any, d: Any, k: int, i: int) -> Any:
        """Return the result of a stage for one element; 0 if there is no such stage."""
        return 0.0 if stages.TABLE[k] == ABSENT else self.read(stages.find(stage_rows.NAME[k]))(m, d, i)

    def call_hook(self, m: Any, d: Any, k: int) -> Any:
        """Raise Untraceable if a callback is installed."""
        if stages.TABLE[k]:
            raise Untraceable("a callback")


class Trace:
    """The recorded operations of a kernel.

    `rows`: operations (see symbols.Tape). `stores`: {element: index of an operation, or a constant}. `asked`: assumed counts
    of Data that the kernel read.
    """

    def __init__(self, tape: Tape, asked: frozenset = frozenset()) -> None:
        self.asked = asked
        self.rows, self.stores, self.integers = tape.rows, {}, {}
        for place in tape.written:
            value: Any = tape.memory.get(place)
            if isinstance(place, int):
                self.stores[place] = value.place if is_lane(value) else value
                if isinstance(value, Mask):
                    raise Untraceable("a condition is stored")
            elif place[0] != "scratch":
                if is_lane(value):
                    raise Untraceable(f"{place[0]} depends on the state")
                self.integers[place] = value
        self.loads = set(tape.loaded)


def trace(
    kernel: Any,
    model: int,
    layout: Layout,
    integers: dict,
    counts: dict | None = None,
    full: bool = False,
    own: frozenset[str] = frozenset(),
) -> Trace:
    """Trace a stage, or a kernel of (Model, Data), for the Model at an address. Raise Untraceable if this is impossible.

    `integers`: known integers of Data that earlier stages wrote; those of this kernel are added. `full`: lanes leave when a
    constraint row is reserved. `own`: Model fields that differ between worlds.
    """
    tracer = Tracer(full)
    tape = tracer.tape
    tape.memory.update(integers)
    m: Any = memory.as_model(model)
    if own:
        m = Own(m, tape, layout, own)
    d = Data(tape, m, layout, counts)

    # run the kernel on symbols
    try:
        # an object with `trace_with` traces itself
        kernel.trace_with(tracer, m, d) if hasattr(kernel, "trace_with") else tracer.read(kernel)(m, d)
    except Leave:
        raise Untraceable("it always warns") from None
    except (AttributeError, TypeError, ValueError, IndexError, ZeroDivisionError) as error:
        # the kernel passed a symbol to a function that accepts only plain numbers
        raise Untraceable(f"{type(error).__name__}: {error}") from error
    result = Trace(tape, frozenset(d.asked))
    integers.update(result.integers)
    return result


__all__ = ["LEFT", "OK", "Trace", "Tracer", "Untraceable", "trace"]
