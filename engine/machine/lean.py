"""A leaner front end of numba: it does much that kernels do not need, so this module replaces parts of it while kernels are
compiled.

Kernels have no references to count, no generators, `with` blocks or parallel loops, and few types. So much of numba's work
is unnecessary or repeated:

    numba                                                          here
    lifetimes of all variables, after each pass                    only where a pass reads them
    an event, three clocks and a name for each pass                nothing
    a generator and a warnings filter around each constraint       an object with two methods
    infers a call of the same function and types 25 times          infers it once
    parses an LLVM module for the size of a type                   once for each type
    compiles a helper for int32, int64 and for each literal        for int64

None of this changes the code, except the last: see `one_kind`.
"""

import contextlib
import functools
import gc
from collections.abc import Callable, Iterator
from typing import Any

from numba.core import base, compiler_machinery, errors, event, lowering, postproc, ssa, transforms, typeinfer, types
from numba.core import ir as ir_of_numba
from numba.core.errors import NumbaError, TypingError


# ---- calls -------------------------------------------------------------------------------------------------------------
def one_kind(made: Any, inlined: bool) -> None:
    """Make numba's dispatcher compile its helper once for all integers, not separately for int32, int64 and each literal
    argument.

    An inlined helper sees its callers' literals anyway. A helper that is not inlined is compiled again for each value of a
    literal flag, because loops without a branch in them are faster.
    """

    def widened(kind: Any) -> Any:
        if isinstance(kind, types.BooleanLiteral) and not inlined:
            return kind
        kind = types.unliteral(kind)
        return types.int64 if kind is types.int32 else kind

    ask, answers = made.get_call_template, {}

    def get_call_template(args: Any, keywords: Any) -> Any:
        if keywords:
            return ask(args, keywords)
        found = answers.get(args)
        if found is None:
            try:
                found = ask(tuple(widened(a) for a in args), keywords)
            except TypingError:
                # the length of a small vector must be a literal
                found = ask(args, keywords)
            answers[args] = found
        return found

    made.get_call_template = get_call_template


# (id of function type, argument types): the function type, which keeps its id valid, and the signature of a call
_CALLS: dict[tuple, tuple] = {}
_ask_templates = types.BaseFunction.get_call_type


def _call_type(function: Any, context: Any, args: Any, keywords: Any) -> Any:
    """Return the signature of a call of an operator or builtin. It depends only on the types, and inference asks for each one
    25 times."""
    if keywords:
        return _ask_templates(function, context, args, keywords)
    found = _CALLS.get((id(function), args))
    if found is None:
        found = _CALLS[id(function), args] = function, _ask_templates(function, context, args, keywords)
    return found[1]


# ---- instructions ------------------------------------------------------------------------------------------------------
# types that contain no variable
_PLAIN = {str, int, float, bool, type(None), ir_of_numba.Loc}


def _variables(instruction: Any, value: Any) -> Any:
    """Return the variables in a part of an instruction. Unlike numba's version, this does not search locations and texts, which
    took most of the time."""
    kind = type(value)
    if kind is ir_of_numba.Var:
        return [value]
    if kind in _PLAIN:
        return []
    if isinstance(value, ir_of_numba.Inst):
        return value.list_vars()
    if isinstance(value, (list, tuple, dict)):
        parts = value.values() if isinstance(value, dict) else value
        return [x for part in parts if type(part) not in _PLAIN for x in _variables(instruction, part)]
    return []


def _lifetimes(processor: Any, emit_dels: Any = False, extend_lifetimes: Any = False) -> None:
    """Replace numba's work between passes: bring loops into its form, and compute lifetimes only when they are read."""
    function = processor.func_ir
    function.blocks = transforms.canonicalize_cfg(function.blocks)
    function.variable_lifetime = postproc.VariableLifetime(function.blocks)
    function.generator_info = None


def _each(states: Any, block: Any, handler: Any) -> Any:
    """Yield a block's statements after applying a handler of SSA; numba's version also writes a log."""
    on_assign, on_other = handler.on_assign, handler.on_other
    for statement in block.body:
        yield (on_assign if isinstance(statement, ir_of_numba.Assign) else on_other)(states, statement)


# ---- passes ------------------------------------------------------------------------------------------------------------
def _run_pass(manager: Any, index: Any, one: Any, state: Any) -> None:
    """Run one pass without numba's events and clocks."""
    one.analysis = manager._analysis
    changed = [one.run_initialization(state), one.run_pass(state), one.run_finalizer(state)]
    if any(changed) and compiler_machinery._pass_registry.get(type(one)).mutates_CFG:
        postproc.PostProcessor(state.func_ir).run()


class Place:
    """A `with` block that adds the source location to an error."""

    __slots__ = ("told", "text", "words")

    def __init__(self, text: Any, *told: Any, **words: Any) -> None:
        self.text, self.told, self.words = text, told, words

    def __enter__(self) -> Any:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if isinstance(error, NumbaError):
            error.add_context(self.text.format(*self.told, **self.words) if self.told or self.words else self.text)


_NOWHERE = contextlib.nullcontext()
_WARNINGS: Any = vars(errors)["WarningsFixer"]


# ---- translation -------------------------------------------------------------------------------------------------------
_takes_place = functools.lru_cache(maxsize=None)(base._has_loc)
_SIZES: dict[str, int] = {}


def _size(context: Any, kind: Any) -> Any:
    """Return the bytes of an LLVM type on this machine."""
    text = str(kind)
    if text not in _SIZES:
        _SIZES[text] = kind.get_abi_size(context.target_data)
    return _SIZES[text]


# ---- the rows ----------------------------------------------------------------------------------------------------------
# (owner, name of its function, replacement)
LEANER: tuple[tuple[Any, str, Callable], ...] = (
    (types.BaseFunction, "get_call_type", _call_type),
    (ir_of_numba.Inst, "_rec_list_vars", _variables),
    (postproc.PostProcessor, "run", _lifetimes),
    (ssa, "_run_ssa_block_pass", _each),
    (compiler_machinery.PassManager, "_runPass", _run_pass),
    (typeinfer, "new_error_context", Place),
    (lowering, "new_error_context", Place),
    # kernels cause no warnings that a filter must catch
    (_WARNINGS, "catch_warnings", lambda fixer, filename=None, lineno=None: _NOWHERE),
    (base, "_has_loc", _takes_place),
    (base.BaseContext, "get_abi_sizeof", _size),
    # skip five nested timers of the compiler's lock
    (event, "install_timer", lambda kind, callback: _NOWHERE),
)


@contextlib.contextmanager
def front_end() -> Iterator[None]:
    """Use the replacements in this block. The garbage collector is off, because the compiler allocates much and frees
    little."""
    collects = gc.isenabled()
    gc.disable()
    before = [getattr(where, name) for where, name, _ in LEANER]
    for where, name, leaner in LEANER:
        setattr(where, name, leaner)
    try:
        yield
    finally:
        for (where, name, _), function in zip(LEANER, before, strict=True):
            setattr(where, name, function)
        if collects:
            gc.enable()
