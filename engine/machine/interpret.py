"""Runs kernels as Python functions. The same source can be compiled or interpreted.

`interpreted(kernel)` is a Python function with the kernel's source lines, so breakpoints, `print` and debuggers work in it.
The functions that it calls are also interpreted, and names of `machine.lang` refer to their Python versions in
`machine.memory`. Python compiles the kernel's source again, after replacing operators that behave differently in Python
(see `machine.arithmetic`):

    a / b, a // b, a % b, a ** b     unless b is a nonzero literal
    a << b                           wraps to 64 bits; in functions that shift or use ^, so do a + b, a - b, a * b

File names and line numbers are kept. All of this happens at the first call.
"""

from __future__ import annotations

import ast
import builtins
import functools
import math
import pathlib
import threading
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from . import arithmetic, memory
from .jit import Helper, Placeholder, Stage

_OPERATORS = {ast.Div: "divide", ast.FloorDiv: "floor_divide", ast.Mod: "modulo", ast.Pow: "power", ast.LShift: "shift_left"}
_MODULAR = {ast.Add: "add", ast.Sub: "subtract", ast.Mult: "multiply"}
# prefix of operator names in a kernel's namespace; its dot makes them differ from all names in sources
_PREFIX = "arithmetic."
# held while a function and its callees are read, because all readers share the cached syntax trees
_LOCK = threading.RLock()
_SPACE = {_PREFIX + name: getattr(arithmetic, name) for name in [*_OPERATORS.values(), *_MODULAR.values()]}


def function_of(value: Any) -> Any:
    """Return the Python function of a kernel, or of the numba dispatcher that replaced it; None for anything else."""
    if isinstance(value, Helper | Stage):
        return value.function
    return getattr(value, "py_func", None)


# ---- source ------------------------------------------------------------------------------------------------------------
@functools.cache
def _definitions(path: str) -> dict[tuple[str, int], ast.FunctionDef]:
    """Return {(name, first line, including decorators): definition} for the functions of a source file."""
    tree = ast.parse(pathlib.Path(path).read_text(encoding="utf-8"), path)
    nodes = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)]
    return {(n.name, min([n.lineno, *(d.lineno for d in n.decorator_list)])): n for n in nodes}


class Rewriter(ast.NodeTransformer):
    """Replaces operators by calls to functions in `machine.arithmetic`."""

    def __init__(self, modular: bool) -> None:
        self.names = _OPERATORS | (_MODULAR if modular else {})

    def _call(self, node: Any, left: ast.expr, right: ast.expr) -> ast.expr | None:
        """Return the call that replaces an operator, or None if the operator can stay."""
        # division by a nonzero literal cannot fail
        plain = isinstance(right, ast.Constant) and right.value != 0 and isinstance(node.op, ast.Div | ast.FloorDiv | ast.Mod)
        name = None if plain else self.names.get(type(node.op))
        if name is None:
            return None
        return ast.copy_location(ast.Call(ast.Name(_PREFIX + name, ast.Load()), [left, right], []), node)

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        self.generic_visit(node)
        return self._call(node, node.left, node.right) or node

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        self.generic_visit(node)
        target = node.target
        # evaluating the target twice is safe: indices in kernels have no side effects
        if isinstance(target, ast.Name):
            before = ast.Name(target.id, ast.Load())
        elif isinstance(target, ast.Subscript):
            before = ast.Subscript(target.value, target.slice, ast.Load())
        else:
            before = ast.Attribute(target.value, target.attr, ast.Load())
        call = self._call(node, before, node.value)
        return node if call is None else ast.copy_location(ast.Assign([target], call), node)


def _has_bits(node: ast.AST) -> bool:
    """Return whether a function uses shifts or ^."""
    return any(isinstance(n, ast.LShift | ast.RShift | ast.BitXor) for n in ast.walk(node))


def _code(function: types.FunctionType, rewriter: type[Rewriter]) -> types.CodeType:
    """Return a kernel's code object: its source, after a rewriter has replaced operators, compiled to bytecode."""
    code = function.__code__
    node = _definitions(code.co_filename).get((function.__name__, code.co_firstlineno))
    if node is None or [a.arg for a in node.args.args] != list(code.co_varnames[: code.co_argcount]):
        raise RuntimeError(
            f"{code.co_filename}, line {code.co_firstlineno}: the source of {function.__name__} has changed since it was loaded"
        )
    if code.co_freevars:
        raise TypeError(f"{function.__qualname__} is a closure, but kernels can use only names of their module")
    # keep the decorators' lines, but never call them: debuggers identify a function by its first line
    tree = ast.Module([rewriter(_has_bits(node)).visit(node)], [])
    module = compile(ast.fix_missing_locations(tree), code.co_filename, "exec", dont_inherit=True)
    return next(c for c in module.co_consts if isinstance(c, types.CodeType) and c.co_name == function.__name__)


# ---- names -------------------------------------------------------------------------------------------------------------
class _Module:
    """Stands for a module of this package; its attributes are the versions that interpreted kernels should use."""

    def __init__(self, module: types.ModuleType, reading: Reading) -> None:
        self._module, self._reading = module, reading

    def __getattr__(self, name: str) -> Any:
        value = self._reading.seen(name, getattr(self._module, name))
        self.__dict__[name] = value
        return value


def _inner_names(code: types.CodeType) -> Iterator[str]:
    """Yield the names in a piece of code and in the code nested in it."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _inner_names(constant)


class Reading:
    """Reads kernels as Python functions: rewrites their source, and replaces names in it. Kernels read by this base class
    compute with numbers; a subclass can let them compute with symbols.
    """

    rewriter: type[Rewriter] = Rewriter
    language: dict[str, Any] = memory.LANG
    functions: dict[Any, Any] = arithmetic.FUNCTIONS
    math: Any = arithmetic.Math
    numpy: Any = arithmetic.Numpy
    # names of operators in a kernel's namespace
    space: dict[str, Any] = _SPACE

    def __init__(self) -> None:
        # {kernel's function: its interpreted version}
        self._known: dict[types.FunctionType, Any] = {}

    def seen(self, name: str, value: Any) -> Any:
        """Return the replacement for a value that a kernel refers to by name."""
        function = function_of(value)
        if function is not None:
            return self.read(function)
        if isinstance(value, Placeholder) or type(value).__name__ == "_Intrinsic":
            return self.language[name]
        if isinstance(value, types.ModuleType):
            if value is np or value is math:
                return self.numpy if value is np else self.math
            return _Module(value, self) if value.__name__.partition(".")[0] == __name__.partition(".")[0] else value
        if isinstance(value, np.ndarray):
            return memory.of_numpy(value)
        if arithmetic.is_scalar(value):
            return arithmetic.constant(value)
        if isinstance(value, types.BuiltinFunctionType | type):
            return self.functions.get(value, value)
        return value

    def wrapped(self, made: Any) -> Any:
        """Return the object that callers get for a function that was read. Subclasses may wrap the function."""
        return made

    def read(self, kernel: Any) -> Any:
        """Return a kernel as a Python function; see `interpreted`."""
        with _LOCK:
            return self._read(function_of(kernel) or kernel)

    def _read(self, function: Any) -> Any:
        known = self._known.get(function)
        if known is not None:
            return known
        code = _code(function, self.rewriter)
        space = dict(function.__globals__) | self.space
        made = types.FunctionType(code, space, function.__name__, function.__defaults__)
        functools.update_wrapper(made, function)
        # store the function before its names are resolved, because a kernel may call itself
        self._known[function] = result = self.wrapped(made)
        # replace only the names that the code uses, not the whole module
        for name in set(_inner_names(code)):
            if name in function.__globals__:
                space[name] = self.seen(name, function.__globals__[name])
            elif hasattr(builtins, name):
                space[name] = self.functions.get(getattr(builtins, name), getattr(builtins, name))
        return result


_PLAIN = Reading()


def seen(name: str, value: Any) -> Any:
    """Return the replacement for a value that an interpreted kernel refers to by name."""
    return _PLAIN.seen(name, value)


def interpreted(kernel: Any) -> types.FunctionType:
    """Return a kernel (Stage, Helper, or a function written like a kernel) as a Python function.

    It takes and returns Python numbers and tuples. Structs are `memory.as_model(address)` or `memory.as_data(address)`, and
    arrays `memory.Array`. Raise RuntimeError if the source file has changed since the function was loaded.
    """
    return _PLAIN.read(kernel)


def plain(helper: Any) -> Callable[..., Any]:
    """Return a helper as a function of floats and tuples, for the public API. Nothing is compiled; the helper's source is read
    at the first call."""
    function = function_of(helper)
    if function is None:
        raise TypeError(f"{helper!r} is not a kernel")

    @functools.wraps(function)
    def call(*args: Any) -> Any:
        return interpreted(function)(*args)

    return call


__all__ = ["Reading", "Rewriter", "interpreted", "plain", "seen"]
