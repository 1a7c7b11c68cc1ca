"""The first half of compiling: numba's front end turns a kernel into one LLVM module, with passes and libraries that suit
kernels.

Imported only when something is compiled. The second half, machine code, is made by `emission`, often in another
process.

A kernel is a tree of small functions that become one C function. Numba would make each of them callable by itself: linked
with all it calls, optimised as a whole, translated to machine code. Only the result for the outermost function is used:

    numba                                             here
    helper   front end, 3 rounds of LLVM, code        helper   front end, three passes of LLVM
      stage   the same, with all helpers in it          stage   the same
        entry   the same once more                        entry   all modules linked; one full round, code (`emission`)

This takes half the time and gives the same numbers. User functions that a stage calls (see `core.debug`) may also be called
from Python: if they have an entry for Python, numba makes separate machine code for it.
"""

import contextlib
import os
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
    """Numba's translation of a function, without reference counts, because views of memory that numba does not own have
    none."""

    def incref(self, typ: Any, val: Any) -> None: ...
    def decref(self, typ: Any, val: Any) -> None: ...


@register_pass(mutates_CFG=True, analysis_only=False)
class Lowering(typed_passes.BaseNativeLowering):
    """The pass that translates with `Lower`."""

    _name = "lowering_of_kernels"
    lowering_class = Lower


class Kernel(CompilerBase):
    """The passes that kernels need: they have no closures, generators, `with`, comprehensions, array expressions or
    Python objects.

    Lifetimes of variables are not computed: they matter only for reference counts.
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


# options of all kernels; and options of kernels that are called only from kernels and need no entry for Python
OPTIONS = {"nogil": True, "error_model": "numpy", "boundscheck": BOUNDSCHECK}
INNER = {**OPTIONS, "no_cpython_wrapper": True, "no_cfunc_wrapper": True, "pipeline_class": Kernel}


def for_python(function: Callable, options: dict[str, Any]) -> Any:
    """Return numba's dispatcher of a helper, for calls from Python."""
    return numba.njit(**OPTIONS, **options)(function)


def dispatcher(function: Callable, options: dict[str, Any]) -> Any:
    """Return numba's dispatcher of a helper, for calls from other kernels."""
    made = numba.njit(**INNER, **options)(function)
    one_kind(made, bool(options.get("forceinline")))
    return made


# ---- libraries ---------------------------------------------------------------------------------------------------------
class Library(codegen.CPUCodeLibrary):
    """The module of one function. The functions that it calls are linked when a stage is emitted."""

    _shared = None
    _callable = None

    def add_llvm_module(self, ll_module: llvm.ModuleRef) -> None:
        self._optimize_functions(ll_module)
        self._final_module.link_in(ll_module)

    def _optimize_functions(self, ll_module: llvm.ModuleRef) -> None:
        # optimise just enough to keep linking fast; the stage is fully optimised later
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
        """Return this library and all that it needs, each once, callers first. Code that nothing has called yet is left out."""
        found, finished, left = {}, [], [(self, False)]
        while left:
            library, complete = left.pop()
            if complete:
                finished.append(library)
            elif id(library) not in found:
                found[id(library)] = library
                left.append((library, True))
                # numba's own libraries are linked with their dependencies already
                left.extend((x, False) for x in (library._linking_libraries if isinstance(library, Library) else ()))
        return finished[::-1]

    def own_module(self) -> llvm.ModuleRef:
        """Return this function's module, which can be linked any number of times."""
        if self._shared is None:
            self._shared = self._final_module.clone()
            for function in self._shared.functions:
                if not function.is_declaration and function.linkage == llvm.Linkage.external:
                    function.linkage = "linkonce_odr"
        return self._shared

    def link(self, module: llvm.ModuleRef) -> None:
        """Link everything that this library needs into a module that contains its own code."""
        for library in self.closure()[1:]:
            module.link_in(
                library.own_module() if isinstance(library, Library) else library._get_module_for_linking(), preserve=True
            )

    def _get_module_for_linking(self) -> Any:
        # called for user code that calls a kernel
        if self._shared_module is None:
            self._shared_module = self.own_module().clone()
            self.link(self._shared_module)
        return self._shared_module

    def _finalize_specific(self) -> None:
        """Do nothing: machine code is made when a stage is emitted."""

    def get_pointer_to_function(self, name: str) -> int:
        """Return the address of the entry for Python; 0 if there is none, as in all kernels."""
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
        """Return the bitcode of everything that `symbol` needs; only `symbol` is visible from outside."""
        module = self._final_module
        self.link(module)
        for function in module.functions:
            if not function.is_declaration and function.name != symbol:
                function.linkage = "internal"
        return module.as_bitcode()


class Codegen(codegen.JITCPUCodegen):
    """Numba's code generator for this machine, without an engine that runs code."""

    _library_class = Library

    def _add_module(self, module: Any) -> None:
        """Do nothing: no code runs from this library."""

    def set_env(self, env_name: str, env: Any) -> None:
        # the environment of a function that Python can call belongs to the engine that runs its machine code
        if NUMBA._engine.is_symbol_defined(env_name):
            NUMBA.set_env(env_name, env)


# numba's run-time library must be compiled to machine code first
rtsys.initialize(cpu_target.target_context)
NUMBA = cpu_target.target_context.codegen()
OURS = Codegen("tumble")


@contextlib.contextmanager
def kernels() -> Iterator[None]:
    """Compile functions as kernels in this block."""
    context = cpu_target.target_context
    context._internal_codegen = OURS
    try:
        with front_end():
            yield
    finally:
        context._internal_codegen = NUMBA


# ---- C entry points ----------------------------------------------------------------------------------------------------
def machine() -> emission.Machine:
    """Return the machine for which code is made here, according to numba's settings."""
    reloc = "static" if llvm.Target.from_default_triple().name.startswith("x86") else "default"
    return emission.Machine(
        OURS._get_host_cpu_name(),
        OURS._tm_features,
        reloc,
        int(config.OPT),
        OURS._opt_level,
        OURS._loopvect,
        bool(config.LOOP_VECTORIZE),
        # on by default, unlike in numba: kernels have much straight code on tuples, and steps are 2 to 7 % faster
        bool(int(os.environ.get("NUMBA_SLP_VECTORIZE", "1"))),
        bool(config.USING_SVML),
    )


@global_compiler_lock
def compile_entry(function: Callable, symbol: str, text: str) -> bytes:
    """Return the bitcode of a stage's function; its one exported function has the C calling convention."""
    sig = signature(text)
    with kernels():
        made = numba.njit(sig, **INNER)(function)
        return c_entry(symbol, made.overloads[sig.args], sig)


def told(builder: Any, status: Any, symbol: str) -> None:
    """Emit no code for a kernel's error: kernels raise nothing (see `checked`)."""


def c_entry(symbol: str, compiled: Any, sig: Any) -> bytes:
    """Return the bitcode of a compiled overload, wrapped in a C function with the same arguments."""
    context = cpu_target.target_context

    # declare the kernel and the C function
    library = context.codegen().create_library(symbol)
    module = library.create_ir_module(symbol)
    fndesc = compiled.fndesc
    callee = ir.Function(module, context.call_conv.get_function_type(fndesc.restype, fndesc.argtypes), fndesc.llvm_func_name)
    result = ir.VoidType() if sig.return_type == types.void else context.get_value_type(sig.return_type)
    entry = ir.Function(module, ir.FunctionType(result, [context.get_value_type(t) for t in sig.args]), symbol)

    # the C function calls the kernel
    builder = ir.IRBuilder(entry.append_basic_block("entry"))
    status, out = context.call_conv.call_function(
        builder, callee, fndesc.restype, fndesc.argtypes, entry.args, attrs=("alwaysinline",)
    )
    told(builder, status, symbol)
    builder.ret_void() if sig.return_type == types.void else builder.ret(out)

    # link everything that it needs
    library.add_ir_module(module)
    library.add_linking_library(compiled.library)
    library.finalize()
    return library.whole(symbol)
