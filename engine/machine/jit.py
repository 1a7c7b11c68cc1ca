"""Compiles kernels: decorators, and the registry of stages.

Only this module calls numba to compile. Kernels are plain Python functions with one of these decorators:

    inline   small helper, always inlined; takes and returns scalars and tuples
    leaf     like `inline`, with re-associating arithmetic for long reductions
    kernel   larger internal function, called from stages
    stage    C-callable entry point, found through the table of `core.stages`

Kernels are not annotated. By convention, `m` is the Model, `d` the Data, `i`, `j`, `k` are integers, and other names are
floats, tuples of floats, or arrays, as the docstring says.

Importing a module compiles nothing. A stage is compiled when it is first needed, into an object file that is named by its
stamp (see `stamp`) and saved (see `store`). Later processes map this file with llvmlite alone; they import numba only if
something must be compiled.
"""

import contextlib
import ctypes
import functools
import importlib
import itertools
import pathlib
import sys
import threading
from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from . import archive, emission, stamp, store, target
from .stamp import BOUNDSCHECK
from .storage import address_of

PACKAGE = pathlib.Path(__file__).resolve().parents[1]

# number of calls from Python after which a stage gets a faster entry
OFTEN = 16
LOCK = threading.RLock()
_HELPERS: list["Helper"] = []
_PLACEHOLDERS: dict[str, "Placeholder"] = {}
CTYPES = {"v": None, "i": ctypes.c_int64, "f": ctypes.c_double, "M": ctypes.c_int64, "D": ctypes.c_int64}


# ---- decorators -----------------------------------------------------------------------------------------------------
class Helper:
    """A kernel that is not a stage. Its numba dispatcher is made when first used."""

    # debuggers read a function's lines from this attribute
    __code__ = property(lambda self: self.function.__code__)

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        functools.update_wrapper(self, function)
        self.function, self.options = function, options
        # the compiler options are part of the stamp (see `stamp`) of kernels that call this one
        function.kernel_options = tuple(sorted((k, tuple(sorted(v)) if isinstance(v, set) else v) for k, v in options.items()))
        # numba's dispatchers: for calls from kernels, for calls from Python
        self._inner: Any = None
        self._outer: Any = None
        _HELPERS.append(self)

    @property
    def dispatcher(self) -> Any:
        """The dispatcher for calls from other kernels. It compiles no entry point for Python. Calls from Python, which find it
        in the kernel's module, go to `__call__`.
        """
        if self._inner is None:
            made = self._inner = backend().dispatcher(self.function, self.options)
            own = {"__module__": __name__, "__call__": lambda _inner, *args: self(*args)}
            made.__class__ = type("Inner", (type(made),), own)
        return self._inner

    def __call__(self, *args: Any) -> Any:
        with LOCK:
            link_helpers()
            if self._outer is None:
                self._outer = backend().for_python(self.function, self.options)
        return self._outer(*args)


class Placeholder:
    """Stands for a compiler intrinsic until numba is imported."""

    def __init__(self, name: str, home: str = "intrinsics") -> None:
        self.name, self.home = name, home
        _PLACEHOLDERS[name] = self

    def __call__(self, *args: Any) -> Any:
        raise TypeError(f"{self.name} can only be called inside a kernel")


def inline(function: Callable[..., Any]) -> Helper:
    """Decorate a small helper that is always inlined."""
    return Helper(function, {"forceinline": True})


def leaf(function: Callable[..., Any]) -> Helper:
    """Decorate an inlined helper whose long sums the compiler may reorder."""
    return Helper(function, {"forceinline": True, "fastmath": {"contract", "reassoc", "nsz", "arcp"}})


def kernel(function: Callable[..., Any]) -> Helper:
    """Decorate a larger internal function."""
    return Helper(function, {})


def kernel_fast(function: Callable[..., Any]) -> Helper:
    """Decorate a larger internal function whose long sums the compiler may reorder."""
    return Helper(function, {"fastmath": {"contract", "reassoc", "nsz", "arcp"}})


def generators(home: str) -> ModuleType:
    """Import a module of code generators, and numba with it. This takes 0.4 s and is not needed if the cache is full."""
    return importlib.import_module(f".{home}", __package__)


def backend() -> ModuleType:
    """Import the module that makes machine code, and numba with it. This takes 0.6 s and is not needed if the cache is
    full."""
    return importlib.import_module(".checked" if BOUNDSCHECK else ".backend", __package__)


def link_helpers() -> None:
    """Replace the placeholders in kernels' globals by dispatchers and intrinsics."""
    modules = {h.function.__globals__["__name__"]: h.function.__globals__ for h in _HELPERS}
    modules.update({s.function.__globals__["__name__"]: s.function.__globals__ for s in Stage.registry.values()})
    for space in modules.values():
        for name, value in list(space.items()):
            if isinstance(value, Helper):
                space[name] = value.dispatcher
            elif isinstance(value, Placeholder):
                space[name] = getattr(generators(value.home), value.name)


class Half(NamedTuple):
    """A stage after the first half of compiling: an LLVM module, and the target machine (see `emission`)."""

    bitcode: bytes
    machine: emission.Machine


# ---- stages ----------------------------------------------------------------------------------------------------------
class Stage:
    """A C-callable kernel. `sig` gives the types of the result and the arguments: v void, i int64, f float64, M Model, D
    Data.

    A stage that is not `listed` does not belong to the engine: it is a user's function that replaces a stage.
    """

    __code__ = property(lambda self: self.function.__code__)
    registry: dict[str, "Stage"] = {}
    # function that is called for a stage without machine code while all stages are interpreted
    newcomer: Callable | None = None
    # Called for a stage that must be compiled, with its arguments if known. The function waits for the machine code, replaces
    # the stage, or returns a function for this one call (see calls.meanwhile).
    stand_in: Any = None
    # context manager around the compilation of a stage in this process, for measuring the time (see `calls.waiting`)
    watching: Callable[[Any], contextlib.AbstractContextManager[Any]] = contextlib.nullcontext
    # function that returns a stage's C function with the interpreter's calling convention, or None
    swift_entry: Any = None

    def __init__(self, function: Callable[..., Any], sig: str, listed: bool = True, lines: bool = True) -> None:
        functools.update_wrapper(self, function)
        self.function, self.sig, self.name = function, sig, function.__name__
        self.lines = lines
        if not lines:
            function.kernel_options = (("lines", False),)  # type: ignore[attr-defined]
        self.path = pathlib.Path(function.__code__.co_filename).resolve()
        self.symbol = f"tumble_{self.name}"

        # address of the code that runs, and the ctypes function that calls it
        self.entry = 0
        self.call_entry = None
        # entry without argument conversions, made after OFTEN calls (see `swift_entry`)
        self.swift = None
        self.calls, self.tried = 0, OFTEN
        # 'wheel', 'cache' or 'compiled', for reports and tests; empty while there is no machine code
        self.origin = ""

        # only the engine's stages are registered by name
        self.listed = listed
        if not listed:
            return
        if self.name in Stage.registry and Stage.registry[self.name].path != self.path:
            raise ValueError(f"two stages are named {self.name}: {self.path} and {Stage.registry[self.name].path}")
        Stage.registry[self.name] = self

    @property
    def key(self) -> str:
        """Name under which the store keeps this stage's machine code for this processor."""
        return self.key_for(target.of_host(BOUNDSCHECK))

    def key_for(self, made_for: str) -> str:
        """Return the name under which the store keeps this stage's machine code for a target (see `target`)."""
        return f"{self.name}-{stamp.of_stage(self.function, self.sig, made_for)}"

    def _kept(self) -> tuple[bytes | None, str]:
        """Return (machine code, origin) from the wheel or the store, or (None, '') if it must be compiled."""
        code = archive.load(self.key_for)
        if code is not None:
            return code, "wheel"
        code = store.load(self.key)
        return code, "cache" if code is not None else ""

    @property
    def cached(self) -> bool:
        """Return whether machine code of the stage exists already."""
        return bool(self.origin) or Stage.newcomer is not None and self.entered() or self._kept()[0] is not None

    @property
    def address(self) -> int:
        """Address of the compiled function. The code is mapped from the store, or compiled first."""
        while not self.entry:
            with LOCK:
                if not self.entered():
                    self.entry = self._load() or (0 if Stage.stand_in and self.listed else self._compile())
            # do not hold the lock here, because the thread that makes the code needs it
            if not self.entry and Stage.stand_in:
                Stage.stand_in(self, ())
        return self.entry

    def entered(self) -> bool:
        """Return whether the stage has an address, either of its machine code or of a replacement (see `core.debug`)."""
        if not self.entry and Stage.newcomer is not None:
            Stage.newcomer(self)
        return self.entry != 0

    def _load(self) -> int:
        """Map the code if it exists already; return its address or 0."""
        code, origin = self._kept()
        return self._map(code, origin) if code is not None else 0

    def _map(self, code: bytes, origin: str) -> int:
        """Map machine code and record its origin; return its address."""
        self.origin = origin
        return map_object(self.symbol, code)

    def take(self, code: bytes) -> None:
        """Map machine code that another process made."""
        with LOCK:
            if not self.entered():
                self.entry = self._map(code, "compiled")

    def begin(self) -> Half | None:
        """Run the first half of compiling; `finish` completes it in this or another process. Return None if the code is
        cached."""
        with LOCK:
            return None if self.cached else compile_half(self)

    def finish(self, half: Half) -> bytes:
        """Make machine code and save it in the store, without mapping it. Return b"" if the code was saved, else the code."""
        code = emit(self, half)
        return b"" if store.save(self.key, code) else code

    def _compile(self) -> int:
        """Compile, store and map the code; return its address."""
        with Stage.watching(self):
            code = emit(self, compile_half(self))
        store.save(self.key, code)
        return self._map(code, "compiled")

    def __call__(self, *args: Any) -> Any:
        """Call with integers (addresses), floats and writable arrays; arrays are passed by address. Releases the GIL."""
        return self.convert(*args) if self.swift is None else self.swift(*args)

    def convert(self, *args: Any) -> Any:
        """Call with arguments that may need conversions."""
        numbers = [address_of(x) if isinstance(x, np.ndarray) else x for x in args]
        if self.call_entry is None:
            if Stage.stand_in and self.listed and not self.cached and (once := Stage.stand_in(self, numbers)):
                return once(*numbers)
            types = [CTYPES[c] for c in self.sig]
            self.call_entry = ctypes.CFUNCTYPE(*types)(self.address)
        self.calls += 1
        if self.calls >= self.tried and Stage.swift_entry:
            # A try that fails takes as long as many calls, so try less and less often.
            self.tried *= 2
            self.swift = Stage.swift_entry(self)
        return self.call_entry(*numbers)


def stage(arg: Any, lines: bool = True) -> Stage | Callable[..., Any]:
    """Decorate a stage: `@stage` for void(Model, Data), `@stage("iMDi")` for other signatures.

    lines: whether lines of straight code are turned into vectors. A few stages are faster without.
    """
    if callable(arg):
        return Stage(arg, "vMD")
    return lambda function: Stage(function, arg, lines=lines)


@functools.cache
def _lljit() -> Any:
    """Return the LLVM object that maps object files into this process."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    model = "small" if sys.platform == "win32" else "jitdefault"
    return llvm.create_lljit_compiler(llvm.Target.from_default_triple().create_target_machine(jit=True, codemodel=model))


_MAPPED = []
# counter that makes library names unique: a name remains in use even if linking failed
_NUMBERS = itertools.count()


def map_object(symbol: str, data: bytes) -> int:
    """Map an object file into this process and return the address of `symbol`."""
    import llvmlite.binding as llvm

    library = llvm.JITLibraryBuilder().add_object_img(data).export_symbol(symbol).add_current_process()
    tracker = library.link(_lljit(), f"{symbol}.{next(_NUMBERS)}")
    _MAPPED.append(tracker)
    return tracker[symbol]


def compile_half(stage: Stage) -> Half:
    """Compile a stage with numba to an LLVM module, which exports one function in the C calling convention."""
    link_helpers()
    # suspend a debugger's trace function, which would make the compiler ten times slower
    trace = sys.gettrace()
    sys.settrace(None)
    try:
        machine = backend().machine()
        machine = machine._replace(vectorize_lines=machine.vectorize_lines and stage.lines)
        return Half(backend().compile_entry(stage.function, stage.symbol, stage.sig), machine)
    finally:
        sys.settrace(trace)


def emit(stage: Stage, half: Half) -> bytes:
    """Complete the second half of compiling; return the stage's object code."""
    return emission.emit(half.bitcode, stage.symbol, half.machine)
