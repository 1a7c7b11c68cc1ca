"""The second half of compiling: an LLVM module becomes machine code. It needs only llvmlite, and nothing from the process of
the first half.

    backend: numba, one function after the other ── bitcode and a Machine, 20-150 KB ── emission: passes of LLVM, an
    object file

So one process can run the front end of a stage, whose helpers it knows from earlier stages, while another makes the machine
code of the previous one. (Importing llvmlite takes 0.05 s, which commands that call no kernel save.)
"""

import functools
from collections.abc import Iterator
from typing import Any, NamedTuple


class Machine(NamedTuple):
    """The target of machine code: the processor (LLVM's names) and the settings of the passes."""

    cpu: str
    features: str
    reloc: str
    level: int
    # the first round of passes, which inlines everything into one function
    first_level: int
    first_vectorize: bool
    vectorize: bool
    vectorize_lines: bool
    # vector versions of math functions from Intel's library
    svml: bool


@functools.cache
def _target_machine(machine: Machine) -> Any:
    """Return LLVM's target machine."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    if machine.svml:
        llvm.set_option("SVML", "-vector-library=SVML")
    target = llvm.Target.from_triple(llvm.get_process_triple())
    return target.create_target_machine(
        cpu=machine.cpu, features=machine.features, opt=machine.level, reloc=machine.reloc, codemodel="jitdefault", jit=True
    )


def _rounds(machine: Machine) -> Iterator[tuple[Any, Any]]:
    """Yield (manager, builder) for each round of passes over the whole module, in order."""
    import llvmlite.binding as llvm

    def builder(level: int, vectorize: bool, lines: bool) -> Any:
        tuning = llvm.create_pipeline_tuning_options(level)
        tuning.loop_vectorization, tuning.slp_vectorization = vectorize, lines
        return llvm.create_pass_builder(_target_machine(machine), tuning)

    first = builder(machine.first_level, machine.first_vectorize, False)
    inlining = first.getModulePassManager()
    if machine.level:
        # bring loops into the form that vectorisation needs, before other passes hide it
        inlining.add_loop_rotate_pass()
        inlining.add_instruction_combine_pass()
        inlining.add_jump_threading_pass()
    yield inlining, first
    # Only one round vectorizes: a second one finds the same vectors, makes steps 1 % faster, and takes a third of the total
    # time.
    full = builder(machine.level, machine.vectorize, machine.vectorize_lines)
    yield full.getModulePassManager(), full


def emit(bitcode: bytes, symbol: str, machine: Machine) -> bytes:
    """Return the object code of a module whose one exported function is `symbol`. RuntimeError if it calls a kernel
    that is not linked."""
    import llvmlite.binding as llvm

    module = llvm.parse_bitcode(bitcode)
    for passes, builder in _rounds(machine):
        passes.run(module, builder)
    missing = [f.name for f in module.functions if f.is_declaration and f.name.startswith("_ZN")]
    if missing:
        raise RuntimeError(f"{symbol} calls functions that are not linked: {', '.join(missing)}")
    return _target_machine(machine).emit_object(module)


def for_host() -> Machine:
    """Return the machine for LLVM text: this processor, independent of numba's settings."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    reloc = "static" if llvm.Target.from_default_triple().name.startswith("x86") else "default"
    return Machine(llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten(), reloc, 2, 0, False, False, False, False)


def emit_text(text: str, machine: Machine) -> bytes:
    """Return the object code of a module in LLVM's text form that needs no passes."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    module = llvm.parse_assembly(text)
    module.verify()
    return _target_machine(machine).emit_object(module)
