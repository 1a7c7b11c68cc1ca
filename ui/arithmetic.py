"""Evaluates arithmetic in number fields: `pi/2`, `0.1*3`, `sqrt(2)`, `rad(90)`. Only numbers, operators and a few functions are
allowed. The module also provides the round values for stepper buttons.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Sequence

LONGEST = 200
# Round mantissas, ten per decade.
_STEPS = (1, 1.3, 1.6, 2, 2.5, 3.2, 4, 5, 6.3, 8)
# Round mantissas of axes, three per decade.
_ROUND = (1.0, 2.0, 5.0)
_TICKS = (1, 2, 4, 5, 10, 20, 50, 100)
# Exponents above this are rejected, because such powers take too long or overflow.
MOST_POWER = 1000.0
CONSTANTS = {"pi": math.pi, "tau": math.tau, "e": math.e, "inf": math.inf}
FUNCTIONS: dict[str, Callable[[float], float]] = {
    "sqrt": math.sqrt,
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "asin": math.asin,
    "acos": math.acos,
    "atan": math.atan,
    "exp": math.exp,
    "log": math.log,
    "abs": abs,
    "deg": math.degrees,
    "rad": math.radians,
}
OPERATORS: dict[type, Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Mod: operator.mod,
}


def fitting(form: str, value: float, fits: Callable[[str], bool]) -> str:
    """Return `form`, such as `%.3f`, with as many decimals as fit. Even with the fewest, the value may be too long."""
    digits, letter = int(form[2:-1]), form[-1]
    # With one digit, `%g` writes many values with an exponent, which is longer.
    least = 0 if letter == "f" else 2
    while digits > least and not fits(form % value):
        digits -= 1
        form = f"%.{digits}{letter}"
    return form


def round_step(least: float) -> float:
    """Return the smallest of 1, 2, 5, 10, ..., or a power of ten times these, that is not below `least`."""
    decade = 10.0 ** math.floor(math.log10(least))
    return next(step * decade for step in (*_ROUND, 10.0) if step * decade >= least * (1 - 1e-9))


def round_ticks(low: float, high: float, most: int) -> list[float]:
    """Return at most `most` round numbers between two numbers, at equal distances; the lower number if there is no room."""
    if not (math.isfinite(low) and math.isfinite(high)) or high - low <= 1e-12 * max(abs(low), abs(high), 1e-300):
        return [low] if math.isfinite(low) else []
    decade = 10.0 ** math.floor(math.log10((high - low) / max(1, most)))
    for step in (mantissa * decade for mantissa in _TICKS):
        first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
        if last - first < max(1, most):
            break
    return [k * step for k in range(first, last + 1)]


def joined(values: Sequence[float], fits: Callable[[str], bool], digits: Sequence[int]) -> str:
    """Return numbers as one text, with as many significant digits as fit, or with the fewest if none of the choices fits."""
    text = ""
    for count in digits:
        text = " ".join(f"{x:.{count}g}" for x in values)
        if fits(text):
            break
    return text


def evaluate(text: str) -> float:
    """Return the value of an expression. Raise ValueError with a readable message for any other text."""
    if len(text) > LONGEST:
        raise ValueError("the expression is too long")
    try:
        value = _value(ast.parse(text.strip().replace("^", "**"), mode="eval").body)
    except (SyntaxError, RecursionError, MemoryError):
        raise ValueError(f"{text.strip()!r} is not a number or an expression") from None
    except ZeroDivisionError:
        raise ValueError("division by zero") from None
    except OverflowError:
        raise ValueError("the result is too large") from None
    if isinstance(value, complex) or math.isnan(value):
        raise ValueError(f"{text.strip()!r} has no value")
    return value


def _value(node: ast.expr) -> float:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        # Use a float at once, because integers may grow without limit.
        return float(node.value)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        value = _value(node.operand)
        return -value if isinstance(node.op, ast.USub) else value
    if isinstance(node, ast.BinOp):
        left, right = _value(node.left), _value(node.right)
        if isinstance(node.op, ast.Pow):
            return _power(left, right)
        if type(node.op) in OPERATORS:
            return OPERATORS[type(node.op)](left, right)
    if isinstance(node, ast.Name) and node.id in CONSTANTS:
        return CONSTANTS[node.id]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 1 and not node.keywords:
        if node.func.id in FUNCTIONS:
            return FUNCTIONS[node.func.id](_value(node.args[0]))
        raise ValueError(f"{node.func.id!r} is not a known function; use {', '.join(FUNCTIONS)}")
    raise ValueError("only numbers, + - * / ^ ( ), pi and functions such as sqrt and sin can be used")


def _power(base: float, exponent: float) -> float:
    if abs(exponent) > MOST_POWER:
        raise ValueError("the power is too large")
    return base**exponent


def numbers(text: str) -> str:
    """Replace each expression in a list of numbers by its value. Plain numbers stay as typed."""
    return " ".join(_number(part) for part in text.split())


def _number(part: str) -> str:
    try:
        float(part)
    except ValueError:
        return f"{evaluate(part):.10g}"
    return part


def plain(value: float, form: str) -> float:
    """Return the value; return 0 if the format would show the value as a negative zero."""
    return 0.0 if -1 < value < 0 and not (form % value).strip("-0. e") else value


def log_step(value: float, direction: int, zero: bool = False) -> float:
    """Return the next round value above or below `value`, depending on `direction`."""
    if value <= 0:
        return 1e-16 if direction > 0 else 0.0
    place = round(10 * math.log10(value))
    nearest = _STEPS[place % 10] * 10.0 ** (place // 10)
    # From a value between two round values, step to the next one in the given direction.
    if not (math.isclose(nearest, value, rel_tol=1e-3) or (nearest - value) * direction < 0):
        return float(f"{nearest:.3g}")
    place += direction
    new = _STEPS[place % 10] * 10.0 ** (place // 10)
    return 0.0 if zero and new < 1e-16 else float(f"{new:.3g}")
