"""Makes arithmetic in interpreted kernels behave as in compiled kernels (see `machine.interpret`).

    division by zero      inf or nan; 0 for // and % of integers
    float64               a Python float
    int64                 a Python int, wrapped to 64 bits in kernels that shift bits
    float32               `single`: two of them give a rounded float32; with other numbers the result is float64
    uint64                `word`

Functions of `math` return nan or inf where Python raises an exception. Sources: IEEE 754; numba's typing rules and its "numpy"
error model.
"""

import ctypes
import math
import operator
import struct
import types
from collections.abc import Callable
from typing import Any

import numpy as np

LOWEST = -(2**63)
_MASK = 2**64 - 1
# numba multiplies repeatedly for exponents up to this, and calls the power function for larger ones
LARGEST_EXPONENT = 0x10000


# ---- numbers ---------------------------------------------------------------------------------------------------------
class single(float):  # noqa: N801
    """A float32."""

    __slots__ = ()

    def __new__(cls, value: Any) -> Any:
        return float.__new__(cls, ctypes.c_float(value).value)

    def view(self, kind: Any) -> int:
        """Reinterpret the bits as an int32."""
        if kind is not int32:
            raise TypeError("kernels look at a float32 only as an int32")
        return struct.unpack("=i", struct.pack("=f", self))[0]

    def __neg__(self) -> Any:
        return single(float.__neg__(self))

    def __abs__(self) -> Any:
        return single(float.__abs__(self))


def _rounded(name: str) -> Callable[[Any, Any], Any]:
    """Return float's operator `name`. If both operands are `single`, the result is rounded to single precision."""
    exact = getattr(float, name)

    def operation(self, other: Any) -> Any:
        # float64 is precise enough for the sum, product or quotient of two float32: rounding it again gives the correct
        # float32.
        result = exact(self, other)
        return single(result) if type(other) is single else result

    return operation


for _name in ("__add__", "__sub__", "__mul__", "__truediv__"):
    setattr(single, _name, _rounded(_name))


class word(int):  # noqa: N801
    """A uint64."""

    __slots__ = ()

    def __new__(cls, value: Any) -> Any:
        return int.__new__(cls, int(value) & _MASK)


def _modular(name: str) -> Callable[[Any, Any], Any]:
    """Return int's operator `name`; the result wraps to 64 bits."""
    exact = getattr(int, name)
    return lambda self, other: word(exact(self, other))


for _name in ("__add__", "__sub__", "__mul__", "__and__", "__or__", "__xor__", "__lshift__", "__rshift__"):
    setattr(word, _name, _modular(_name))


def wrapped(x: Any) -> Any:
    """Return an integer wrapped to int64."""
    return (x - LOWEST & _MASK) + LOWEST


def int32(x: Any) -> int:
    """Return an integer wrapped to int32."""
    return (int(x) + 2**31 & 2**32 - 1) - 2**31


def integer(x: Any) -> int:
    """Return int(x). A value outside the range of int64 becomes the minimum of int64, as on x86."""
    try:
        result = int(x)
    except (ValueError, OverflowError):
        return LOWEST
    if LOWEST <= result < -LOWEST:
        return result
    return LOWEST if isinstance(x, float) else wrapped(result)


# ---- operators -------------------------------------------------------------------------------------------------------
def divide(a: Any, b: Any) -> float:
    """Return a / b as in compiled code: division by zero gives inf or nan."""
    try:
        return a / b
    except ZeroDivisionError:
        if a == 0 or a != a:
            return math.nan
        return math.copysign(math.inf, a) * math.copysign(1.0, b)


def floor_divide(a: Any, b: Any) -> float:
    """Return a // b as in compiled code: an integer divided by zero gives 0."""
    try:
        return a // b
    except ZeroDivisionError:
        return divide(a, b) if isinstance(a, float) or isinstance(b, float) else 0


def modulo(a: Any, b: Any) -> float:
    """Return a % b as in compiled code: an integer divided by zero gives 0."""
    try:
        return a % b
    except ZeroDivisionError:
        return math.nan if isinstance(a, float) or isinstance(b, float) else 0


def power(a: Any, b: Any) -> float:
    """Return a ** b as in compiled code: integer exponents multiply repeatedly, the exponent 1/2 takes the square root."""
    if not isinstance(b, float) and abs(b) <= LARGEST_EXPONENT:
        result, left, square = 1.0 if isinstance(a, float) or b < 0 else 1, abs(b), a
        while left:
            if left & 1:
                result *= square
            left >>= 1
            square *= square
        return divide(1.0, result) if b < 0 else result

    # exponents for which LLVM emits simpler code
    if b == 0.5:
        return math.inf if a == -math.inf else abs(sqrt(a))
    if b == 2.0:
        return a * a
    try:
        return math.pow(a, b)
    except OverflowError:
        return -math.inf if a < 0 and b % 2 == 1 else math.inf
    except ValueError:
        # the root of a negative number, or a negative power of zero
        return math.nan if a else math.inf


def _fits(operation: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Wrap an operation so that integer results wrap to int64; other results are not changed."""

    def wrapping(a: Any, b: Any) -> Any:
        result = operation(a, b)
        return wrapped(result) if type(result) is int and not LOWEST <= result < -LOWEST else result

    return wrapping


add, subtract, multiply, shift_left = map(_fits, (operator.add, operator.sub, operator.mul, operator.lshift))


# ---- functions -------------------------------------------------------------------------------------------------------
def _defined(function: Callable[[Any], Any], otherwise: float = math.nan) -> Callable[[Any], Any]:
    """Return a function of one number that gives nan or inf where the Python function raises. For a float32, the result is a
    float32."""

    def value(x: Any) -> Any:
        try:
            result = function(x)
        except (ValueError, OverflowError):
            return otherwise
        return single(result) if type(x) is single else result

    value.__name__ = function.__name__
    return value


sqrt = _defined(math.sqrt)


def _whole(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a rounding function. A value outside the range of int64 becomes the minimum of int64, as on x86."""

    def value(x: Any) -> Any:
        result = function(x) if math.isfinite(x) else LOWEST
        return result if LOWEST <= result < -LOWEST else LOWEST

    return value


nearest, floor, ceil = map(_whole, (round, math.floor, math.ceil))

# replacements for functions that kernels import from `math`, and for builtins
FUNCTIONS = {f: _defined(f) for f in (math.sin, math.cos, math.tan, math.asin, math.acos)} | {
    math.exp: _defined(math.exp, math.inf),
    math.sqrt: sqrt,
    math.floor: floor,
    math.ceil: ceil,
    math.pow: power,
    math.atan2: math.atan2,
    math.isnan: math.isnan,
    math.isfinite: math.isfinite,
    int: integer,
    round: nearest,
    float: float,
    abs: abs,
    min: min,
    max: max,
    len: len,
    range: range,
    bool: bool,
    print: print,
}


Math = types.SimpleNamespace(
    **{name: FUNCTIONS.get(value, value) for name, value in vars(math).items() if not name.startswith("_")}
)


class Numpy:
    """Stands for numpy in interpreted kernels; it has only the functions that kernels use."""

    float64, float32, int64, int32, uint64 = float, single, integer, int32, word
    inf, nan, pi = math.inf, math.nan, math.pi
    sqrt, floor, ceil = sqrt, floor, ceil


def constant(value: Any) -> Any:
    """Convert a numpy scalar to the number that interpreted kernels see."""
    kind = {"float32": single, "uint64": word}.get(value.dtype.name)
    return kind(value) if kind else value.item()


def is_scalar(value: Any) -> bool:
    """Return whether a constant of a kernel is a numpy scalar."""
    return isinstance(value, np.generic)
