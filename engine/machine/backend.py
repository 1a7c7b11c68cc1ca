"""The first half of compiling: a kernel as one module of LLVM, by numba's front end with passes and libraries that suit kernels.

Imported when something is compiled. The second half, machine code, is made by `emission`, often in another process.

A kernel is a tree of small functions that end up in one C function. Numba makes each of them ready to be called by itself: linked with
all that it calls, optimised as a whole, translated to machine code. Of all this only what happens to the outermost function is used:

    numba                                             here
    helper   front end, 3 rounds of LLVM, code        helper   front end, three passes of LLVM
      stage   the same, with all helpers in it          stage   the same
        entry   the same once more                        entry   all modules linked; then one full round, code (see `emission`)

which takes half of the time and gives the same numbers. Functions of a user's that a stage calls (see `core.debug`) may be
called from Python as well: they get machine code of their own, made by numba, if they have an entry for Python.
"""

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import llvmlite.binding as llvm
import numba
from llvmlite import ir
from numba.core import codegen, config, lowering, typed_passes, types, untyped_passes
from numba.core.compiler import CompilerBase
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.registry import cpu_target
from numba.core.runtime import rtsys

from . import emission
from .intrinsics import signature
from .lean import front_end, one_kind
from .stamp import BOUNDSCHECK


# ---- front end ---------------------------------------------------------------------------------------------------------
class Lower(lowering.Lower):
    """Numba's translation of a function; views of memory that is not numba's have no references to count."""

    def incref(self, typ: Any, val: Any) -> None: ...
    def decref(self, typ: Any, val: Any) -> None: ...


@register_pass(mutates_CFG=True, analysis_only=False)
class Lowering(typed_passes.BaseNativeLowering):
    """The pass that translates, by `Lower`."""

    _name = "lowering_of_kernels"
    lowering_class = Lower


class Kernel(CompilerBase):
    """The passes that kernels need: they have no closures, generators, `with`, comprehensions, array expressions or Python objects.

    Where the life of a variable ends is not looked for: it matters to what has references only.
    """

    def define_pipelines(self) -> list[PassManager]:
        passes = PassManager("kernel")
        for each in (
            untyped_passes.TranslateByteCode,
            untyped_passes.FixupArgs,
            untyped_passes.IRProcessing,
            untyped_passes.RewriteSemanticConstants,
            untyped_passes.DeadBranchPrune,
            untyped_passes.GenericRewrites,
            untyped_passes.ReconstructSSA,
            typed_passes.NopythonTypeInference,
            typed_passes.PreLowerStripPhis,
            Lowering,
            typed_passes.NoPythonBackend,
        ):
            passes.add_pass(each, each.__name__)
        passes.finalize()
        return [passes]


# how all kernels are compiled, and those that only kernels call: nothing is made for calls from Python
OPTIONS = {"nogil": True, "error_model": "numpy", "boundscheck": BOUNDSCHECK}
INNER = {**OPTIONS, "no_cpython_wrapper": True, "no_cfunc_wrapper": True, "pipeline_class": Kernel}


def for_python(function: Callable, options: dict[str, Any]) -> Any:
    """Numba's dispatcher of a helper, for calls from Python."""
    return numba.njit(**OPTIONS, **options)(function)


def dispatcher(function: Callable, options: dict[str, Any]) -> Any:
    """Numba's dispatcher of a helper, for calls from other kernels."""
    made = numba.njit(**INNER, **options)(function)
    one_kind(made, bool(options.get("forceinline")))
    return made


# ---- libraries ---------------------------------------------------------------------------------------------------------
class Library(codegen.CPUCodeLibrary):
    """The module of one function; what it calls is linked when a stage is emitted."""

    _shared = None
    _callable = None

    def add_llvm_module(self, ll_module: llvm.ModuleRef) -> None:
        self._optimize_functions(ll_module)
        self._final_module.link_in(ll_module)

    def _optimize_functions(self, ll_module: llvm.ModuleRef) -> None:
        # only so much that little is linked: the rest happens in the stage, where it counts
        ll_module.data_layout = self._codegen._data_layout
        builder = self._codegen._pass_builder()
        for function in ll_module.functions:
            if not function.is_declaration:
                passes = llvm.create_new_function_pass_manager()
                passes.add_sroa_pass()
                passes.add_instruction_combine_pass()
                passes.add_simplify_cfg_pass()
                passes.run(function, builder)

    def finalize(self) -> None:
        self._raise_if_finalized()
        self._finalize_dynamic_globals()
        self._finalized = True

    def closure(self) -> "list[codegen.CPUCodeLibrary]":
        """This library and all that it needs, each once, callers before what they call: what nothing calls so far is not linked."""
        found, finished, left = {}, [], [(self, False)]
        while left:
            library, complete = left.pop()
            if complete:
                finished.append(library)
            elif id(library) not in found:
                found[id(library)] = library
                left.append((library, True))
                # libraries of numba's own bring theirs along
                left.extend((x, False) for x in (library._linking_libraries if isinstance(library, Library) else ()))
        return finished[::-1]

    def own_module(self) -> llvm.ModuleRef:
        """This function's module, for linking any number of times."""
        if self._shared is None:
            self._shared = self._final_module.clone()
            for function in self._shared.functions:
                if not function.is_declaration and function.linkage == llvm.Linkage.external:
                    function.linkage = "linkonce_odr"
        return self._shared

    def link(self, module: llvm.ModuleRef) -> None:
        """Link all that this library needs into a module that has its own code."""
        for library in self.closure()[1:]:
            module.link_in(
                library.own_module() if isinstance(library, Library) else library._get_module_for_linking(), preserve=True
            )

    def _get_module_for_linking(self):
        # asked for by code of a user's that calls a kernel
        if self._shared_module is None:
            self._shared_module = self.own_module().clone()
            self.link(self._shared_module)
        return self._shared_module

    def _finalize_specific(self):
        """Nothing is translated before a stage is emitted."""

    def get_pointer_to_function(self, name: str) -> int:
        """Address of the entry for Python, 0 if there is none, as for all kernels."""
        if not any(f.name == name and not f.is_declaration for f in self._final_module.functions):
            return 0
        if self._callable is None:
            module = self._final_module.clone()
            self.link(module)
            self._callable = NUMBA.create_library(self.name)
            self._callable._final_module.link_in(module)
            self._callable.finalize()
        return self._callable.get_pointer_to_function(name)

    def whole(self, symbol: str) -> bytes:
        """Bitcode of all that `symbol` needs, which alone is seen from outside."""
        module = self._final_module
        self.link(module)
        for function in module.functions:
            if not function.is_declaration and function.name != symbol:
                function.linkage = "internal"
        return module.as_bitcode()


class Codegen(codegen.JITCPUCodegen):
    """Numba's code generator for this machine, without an engine that runs what it makes."""

    _library_class = Library

    def _add_module(self, module):
        """Nothing is run from here."""

    def set_env(self, env_name: str, env: Any) -> None:
        # the environment of a function that Python can call lies where its machine code does
        if NUMBA._engine.is_symbol_defined(env_name):
            NUMBA.set_env(env_name, env)


# the run-time library of numba's must be machine code before anything else is made
rtsys.initialize(cpu_target.target_context)
NUMBA = cpu_target.target_context.codegen()
OURS = Codegen("tumble")


@contextlib.contextmanager
def kernels() -> Iterator[None]:
    """In this block functions are compiled as kernels."""
    context = cpu_target.target_context
    context._internal_codegen = OURS
    try:
        with front_end():
            yield
    finally:
        context._internal_codegen = NUMBA


# ---- C entry points ----------------------------------------------------------------------------------------------------
def machine() -> emission.Machine:
    """What machine code is made for here, as numba's settings have it."""
    reloc = "static" if llvm.Target.from_default_triple().name.startswith("x86") else "default"
    return emission.Machine(
        OURS._get_host_cpu_name(),
        OURS._tm_features,
        reloc,
        int(config.OPT),
        OURS._opt_level,
        OURS._loopvect,
        bool(config.LOOP_VECTORIZE),
        bool(config.SLP_VECTORIZE),
        bool(config.USING_SVML),
    )


@global_compiler_lock
def compile_entry(function: Callable, symbol: str, text: str) -> bytes:
    """Bitcode of a stage's function; its one exported function has the C calling convention."""
    sig = signature(text)
    with kernels():
        made = numba.njit(sig, **INNER)(function)
        return c_entry(symbol, made.overloads[sig.args], sig)


def told(builder: Any, status: Any, symbol: str) -> None:
    """Code for a kernel's error: none, since kernels raise nothing (see `checked`)."""


def c_entry(symbol: str, compiled: Any, sig: Any) -> bytes:
    """Bitcode of a compiled overload behind a C function of the same arguments."""
    context = cpu_target.target_context
    library = context.codegen().create_library(symbol)
    module = library.create_ir_module(symbol)
    fndesc = compiled.fndesc
    callee = ir.Function(module, context.call_conv.get_function_type(fndesc.restype, fndesc.argtypes), fndesc.llvm_func_name)
    result = ir.VoidType() if sig.return_type == types.void else context.get_value_type(sig.return_type)
    entry = ir.Function(module, ir.FunctionType(result, [context.get_value_type(t) for t in sig.args]), symbol)
    builder = ir.IRBuilder(entry.append_basic_block("entry"))
    status, out = context.call_conv.call_function(
        builder, callee, fndesc.restype, fndesc.argtypes, entry.args, attrs=("alwaysinline",)
    )
    told(builder, status, symbol)
    builder.ret_void() if sig.return_type == types.void else builder.ret(out)
    library.add_ir_module(module)
    library.add_linking_library(compiled.library)
    library.finalize()
    return library.whole(symbol)
