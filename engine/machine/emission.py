"""The second half of compiling: machine code from a module of LLVM. It needs llvmlite alone, and nothing of what the first half had made.

    backend: numba, one function after the other ── bitcode and a Machine, 20-150 KB ── emission: passes of LLVM, an object file

so one process can be at the front end of a stage, whose helpers it knows from the stages before, while another one is at the machine
code of the last. (llvmlite takes 0.05 s to import, which commands that call no kernel are spared.)
"""

import functools
from typing import NamedTuple


class Machine(NamedTuple):
    """What machine code is made for: the processor in LLVM's words, and how the passes work."""

    cpu: str
    features: str
    reloc: str
    level: int
    # of the first round, which brings everything into one function
    first_level: int
    first_vectorize: bool
    vectorize: bool
    vectorize_lines: bool
    # vectors of math functions by Intel's library
    svml: bool


@functools.cache
def _target_machine(machine):
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    if machine.svml:
        llvm.set_option("SVML", "-vector-library=SVML")
    target = llvm.Target.from_triple(llvm.get_process_triple())
    return target.create_target_machine(
        cpu=machine.cpu, features=machine.features, opt=machine.level, reloc=machine.reloc, codemodel="jitdefault", jit=True
    )


def _rounds(machine):
    """The rounds of passes over the whole module: (manager, builder) of each, in order."""
    import llvmlite.binding as llvm

    def builder(level, vectorize, lines):
        tuning = llvm.create_pipeline_tuning_options(level)
        tuning.loop_vectorization, tuning.slp_vectorization = vectorize, lines
        return llvm.create_pass_builder(_target_machine(machine), tuning)

    first = builder(machine.first_level, machine.first_vectorize, False)
    inlining = first.getModulePassManager()
    if machine.level:
        # loops in the form that vectors need, before anything hides it
        inlining.add_loop_rotate_pass()
        inlining.add_instruction_combine_pass()
        inlining.add_jump_threading_pass()
    yield inlining, first
    # once: a second time makes the same vectors, steps that are 1 % faster, and takes a third of all time
    full = builder(machine.level, machine.vectorize, machine.vectorize_lines)
    yield full.getModulePassManager(), full


def emit(bitcode: bytes, symbol: str, machine: Machine) -> bytes:
    """Object code of a module whose one exported function is `symbol`. RuntimeError if it calls what it has not."""
    import llvmlite.binding as llvm

    module = llvm.parse_bitcode(bitcode)
    for passes, builder in _rounds(machine):
        passes.run(module, builder)
    missing = [f.name for f in module.functions if f.is_declaration and f.name.startswith("_ZN")]
    if missing:
        raise RuntimeError(f"{symbol} calls what is not linked: {', '.join(missing)}")
    return _target_machine(machine).emit_object(module)


def for_host() -> Machine:
    """What machine code of text in LLVM's own language is made for: this very processor, without numba's settings."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    reloc = "static" if llvm.Target.from_default_triple().name.startswith("x86") else "default"
    return Machine(llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten(), reloc, 2, 0, False, False, False, False)


def emit_text(text: str, machine: Machine) -> bytes:
    """Object code of a module that is written in LLVM's language and needs no passes: it is translated as it stands."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    module = llvm.parse_assembly(text)
    module.verify()
    return _target_machine(machine).emit_object(module)
