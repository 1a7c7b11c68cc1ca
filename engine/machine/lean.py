"""What numba's front end does for others, and at length: replaced by less while kernels are compiled.

Kernels have no references to count, no generators, `with` blocks or parallel loops, and their types are few, so much of the work is for
nothing, or the same again:

    numba                                                          here
    lifetimes of all variables, after each pass                    where one asks for them
    an event, three clocks and a name for each pass                nothing
    a generator and a warnings filter around each constraint       an object with two methods
    asks what a call of the same function and types gives, 25 x    asks once
    parses a module of LLVM for the size of a type                 once a type
    compiles a helper for int32, int64 and for each literal        for int64

Nothing of this changes what comes out, but the last: see `one_kind`.
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
    """Let numba's dispatcher `made` compile its helper once for all integers: not for int32 and int64, nor for each number in a call.

    One that is inlined sees the numbers of its callers anyway. Of one that is not, a flag in a call makes a helper of its own:
    loops without a question in them are faster.
    """

    def widened(kind):
        if isinstance(kind, types.BooleanLiteral) and not inlined:
            return kind
        kind = types.unliteral(kind)
        return types.int64 if kind is types.int32 else kind

    ask, answers = made.get_call_template, {}

    def get_call_template(args, keywords):
        if keywords:
            return ask(args, keywords)
        found = answers.get(args)
        if found is None:
            try:
                found = ask(tuple(widened(a) for a in args), keywords)
            except TypingError:
                # the length of a small vector must be known
                found = ask(args, keywords)
            answers[args] = found
        return found

    made.get_call_template = get_call_template


# (function type, types of arguments): the function type again, so that it lives as long as the row, and what a call returns
_CALLS: dict[tuple, tuple] = {}
_ask_templates = types.BaseFunction.get_call_type


def _call_type(function, context, args, keywords):
    """Signature of a call of an operator or a builtin. The answer depends on the types alone, and inference asks 25 times for each."""
    if keywords:
        return _ask_templates(function, context, args, keywords)
    found = _CALLS.get((id(function), args))
    if found is None:
        found = _CALLS[id(function), args] = function, _ask_templates(function, context, args, keywords)
    return found[1]


# ---- instructions ------------------------------------------------------------------------------------------------------
# what no variable can be in
_PLAIN = {str, int, float, bool, type(None), ir_of_numba.Loc}


def _variables(instruction, value):
    """Variables in what an instruction consists of. As numba's, without a look into places and texts: those were most of it."""
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


def _lifetimes(processor, emit_dels=False, extend_lifetimes=False):
    """What stands between passes: loops in numba's form, and lifetimes that are found when one asks for them."""
    function = processor.func_ir
    function.blocks = transforms.canonicalize_cfg(function.blocks)
    function.variable_lifetime = postproc.VariableLifetime(function.blocks)
    function.generator_info = None


def _each(states, block, handler):
    """Statements of a block after a handler of SSA, which numba tells a log about."""
    on_assign, on_other = handler.on_assign, handler.on_other
    for statement in block.body:
        yield (on_assign if isinstance(statement, ir_of_numba.Assign) else on_other)(states, statement)


# ---- passes ------------------------------------------------------------------------------------------------------------
def _run_pass(manager, index, one, state):
    one.analysis = manager._analysis
    changed = [one.run_initialization(state), one.run_pass(state), one.run_finalizer(state)]
    if any(changed) and compiler_machinery._pass_registry.get(type(one)).mutates_CFG:
        postproc.PostProcessor(state.func_ir).run()


class Place:
    """Says in an error where it was found."""

    __slots__ = ("told", "text", "words")

    def __init__(self, text, *told, **words):
        self.text, self.told, self.words = text, told, words

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if isinstance(error, NumbaError):
            error.add_context(self.text.format(*self.told, **self.words) if self.told or self.words else self.text)


_NOWHERE = contextlib.nullcontext()
_WARNINGS: Any = vars(errors)["WarningsFixer"]


# ---- translation -------------------------------------------------------------------------------------------------------
_takes_place = functools.lru_cache(maxsize=None)(base._has_loc)
_SIZES: dict[str, int] = {}


def _size(context, kind):
    """Bytes of a type of LLVM, on this machine."""
    text = str(kind)
    if text not in _SIZES:
        _SIZES[text] = kind.get_abi_size(context.target_data)
    return _SIZES[text]


# ---- the rows ----------------------------------------------------------------------------------------------------------
# (where, name, what does for kernels)
LEANER: tuple[tuple[Any, str, Callable], ...] = (
    (types.BaseFunction, "get_call_type", _call_type),
    (ir_of_numba.Inst, "_rec_list_vars", _variables),
    (postproc.PostProcessor, "run", _lifetimes),
    (ssa, "_run_ssa_block_pass", _each),
    (compiler_machinery.PassManager, "_runPass", _run_pass),
    (typeinfer, "new_error_context", Place),
    (lowering, "new_error_context", Place),
    # kernels give no warnings
    (_WARNINGS, "catch_warnings", lambda fixer, filename=None, lineno=None: _NOWHERE),
    (base, "_has_loc", _takes_place),
    (base.BaseContext, "get_abi_sizeof", _size),
    # five clocks of the compiler's lock, one in the other
    (event, "install_timer", lambda kind, callback: _NOWHERE),
)


@contextlib.contextmanager
def front_end() -> Iterator[None]:
    """In this block numba does for kernels only what they need. The garbage collector rests: the compiler makes much and drops little."""
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
