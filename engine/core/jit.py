"""The compiled-kernel layer: decorators, the stage registry.

This is the only module that asks numba to compile. Kernels are plain Python functions marked with

    inline   small helper, always inlined; takes and returns scalars and tuples
    leaf     like `inline`, with re-associating arithmetic for long reductions
    kernel   larger internal function, called from stages
    stage    C-callable entry point, found through the table in `core.stages`

Nothing is compiled when a module is imported. A stage is compiled when it is first needed, as one object file named by its stamp
(see `stamp`), which is kept (see `store`). A later process maps it with llvmlite alone: numba itself is imported only when something
has to be compiled.
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

# after so many calls from Python a stage is worth an entry of its own
OFTEN = 16
LOCK = threading.RLock()
_HELPERS: list["Helper"] = []
_PLACEHOLDERS: dict[str, "Placeholder"] = {}
CTYPES = {"v": None, "i": ctypes.c_int64, "f": ctypes.c_double, "M": ctypes.c_int64, "D": ctypes.c_int64}


# ---- decorators -----------------------------------------------------------------------------------------------------
class Helper:
    """A kernel function that is not a stage: its numba dispatcher is made on first use."""

    # debuggers find a function's lines by it
    __code__ = property(lambda self: self.function.__code__)

    def __init__(self, function, options):
        functools.update_wrapper(self, function)
        self.function, self.options = function, options
        # part of the stamp of whoever calls it
        function.kernel_options = tuple(sorted((k, tuple(sorted(v)) if isinstance(v, set) else v) for k, v in options.items()))
        # numba's dispatchers: for kernels, for Python
        self._inner: Any = None
        self._outer: Any = None
        _HELPERS.append(self)

    @property
    def dispatcher(self) -> Any:
        """For use by other kernels: nothing is generated for calls from Python."""
        if self._inner is None:
            self._inner = backend().dispatcher(self.function, self.options)
        return self._inner

    def __call__(self, *args):
        with LOCK:
            link_helpers()
            if self._outer is None:
                self._outer = backend().for_python(self.function, self.options)
        return self._outer(*args)


class Placeholder:
    """Stands for a compiler intrinsic until numba is loaded."""

    def __init__(self, name, home="intrinsics"):
        self.name, self.home = name, home
        _PLACEHOLDERS[name] = self

    def __call__(self, *args) -> Any:
        raise TypeError(f"{self.name} can only be called inside a kernel")


def inline(function) -> Helper:
    return Helper(function, {"forceinline": True})


def leaf(function) -> Helper:
    return Helper(function, {"forceinline": True, "fastmath": {"contract", "reassoc", "nsz", "arcp"}})


def kernel(function) -> Helper:
    return Helper(function, {})


def kernel_fast(function) -> Helper:
    """A larger function that consists of long reductions."""
    return Helper(function, {"fastmath": {"contract", "reassoc", "nsz", "arcp"}})


def generators(home) -> ModuleType:
    """A module of code generators. With numba they take 0.4 s to import, which a start on a full cache is spared."""
    return importlib.import_module(f".{home}", __package__)


def backend() -> ModuleType:
    """What makes machine code. With numba it takes 0.6 s to import, which a start on a full cache is spared."""
    return importlib.import_module(".checked" if BOUNDSCHECK else ".backend", __package__)


def link_helpers() -> None:
    """Put real dispatchers and intrinsics where kernels' globals hold their stand-ins."""
    modules = {h.function.__globals__["__name__"]: h.function.__globals__ for h in _HELPERS}
    modules.update({s.function.__globals__["__name__"]: s.function.__globals__ for s in Stage.registry.values()})
    for space in modules.values():
        for name, value in list(space.items()):
            if isinstance(value, Helper):
                space[name] = value.dispatcher
            elif isinstance(value, Placeholder):
                space[name] = getattr(generators(value.home), value.name)


class Half(NamedTuple):
    """A stage after the first half of compiling: a module of LLVM, and what machine code is to be made for (see `emission`)."""

    bitcode: bytes
    machine: emission.Machine


# ---- stages ----------------------------------------------------------------------------------------------------------
class Stage:
    """A C-callable kernel. `sig` is the result and the arguments: v void, i int64, f float64, M Model, D Data.

    One that is not `listed` is no stage of the engine: something of a user's that goes into the place of one.
    """

    __code__ = property(lambda self: self.function.__code__)
    registry: dict[str, "Stage"] = {}
    # called with a stage that has no address yet while all stages are interpreted
    newcomer: Callable | None = None
    # called with a stage that would have to be compiled, and its arguments if they are known: waits for its code, puts something else in its
    # place, or returns a function that does for this call (see core.meanwhile)
    stand_in: Any = None
    # a context around compiling a stage in this process, for who waits for it (see `core.waiting`)
    watching: Callable[[Any], contextlib.AbstractContextManager[Any]] = contextlib.nullcontext
    # makes a function of the interpreter's own kind of a stage, or None
    swift_entry: Any = None

    def __init__(self, function, sig, listed=True):
        functools.update_wrapper(self, function)
        self.function, self.sig, self.name = function, sig, function.__name__
        self.path = pathlib.Path(function.__code__.co_filename).resolve()
        self.symbol = f"tumble_{self.name}"
        self.entry = 0
        self.call_entry = None
        # what the interpreter calls without conversions, once it was called often (see `swift_entry`)
        self.swift = None
        self.calls = 0
        # 'wheel', 'cache' or 'compiled', for reports and tests; empty without machine code
        self.origin = ""
        self.listed = listed
        if not listed:
            return
        if self.name in Stage.registry and Stage.registry[self.name].path != self.path:
            raise ValueError(f"two stages are named {self.name}: {self.path} and {Stage.registry[self.name].path}")
        Stage.registry[self.name] = self

    @property
    def key(self) -> str:
        """Name of this stage's machine code in the store, for this very processor."""
        return self.key_for(target.of_host(BOUNDSCHECK))

    def key_for(self, made_for) -> str:
        """Name of this stage's machine code for a target (see `target`)."""
        return f"{self.name}-{stamp.of_stage(self.function, self.sig, made_for)}"

    def _kept(self):
        """(machine code, where it was) if it came with the package or was compiled before, else (None, '')."""
        code = archive.load(self.key_for)
        if code is not None:
            return code, "wheel"
        code = store.load(self.key)
        return code, "cache" if code is not None else ""

    @property
    def cached(self) -> bool:
        """Whether nothing has to be compiled."""
        return bool(self.origin) or Stage.newcomer is not None and self.entered() or self._kept()[0] is not None

    @property
    def address(self) -> int:
        """Address of the compiled function, which is mapped from the store or compiled first."""
        while not self.entry:
            with LOCK:
                if not self.entered():
                    self.entry = self._load() or (0 if Stage.stand_in and self.listed else self._compile())
            # not under the lock: what is waited for needs it
            if not self.entry and Stage.stand_in:
                Stage.stand_in(self, ())
        return self.entry

    def entered(self) -> bool:
        """Whether the stage has an address already, that of its machine code or of what stands in its place (see `core.debug`)."""
        if not self.entry and Stage.newcomer is not None:
            Stage.newcomer(self)
        return self.entry != 0

    def _load(self):
        code, origin = self._kept()
        return self._map(code, origin) if code is not None else 0

    def _map(self, code, origin):
        self.origin = origin
        return map_object(self.symbol, code)

    def take(self, code) -> None:
        """Enter machine code that another process has made."""
        with LOCK:
            if not self.entered():
                self.entry = self._map(code, "compiled")

    def begin(self) -> Half | None:
        """The first half of compiling this, for `finish`, here or in another process; None if it is in the cache."""
        with LOCK:
            return None if self.cached else compile_half(self)

    def finish(self, half: Half) -> bytes:
        """Make machine code and put it into the store without mapping it; returns it if it could not be kept."""
        code = emit(self, half)
        return b"" if store.save(self.key, code) else code

    def _compile(self):
        with Stage.watching(self):
            code = emit(self, compile_half(self))
        store.save(self.key, code)
        return self._map(code, "compiled")

    def __call__(self, *args):
        """Call with integers (addresses), floats, and arrays that can be written, for their addresses; releases the GIL."""
        return self.convert(*args) if self.swift is None else self.swift(*args)

    def convert(self, *args) -> Any:
        """A call whose arguments may need conversions."""
        numbers = [address_of(x) if isinstance(x, np.ndarray) else x for x in args]
        if self.call_entry is None:
            if Stage.stand_in and self.listed and not self.cached and (once := Stage.stand_in(self, numbers)):
                return once(*numbers)
            types = [CTYPES[c] for c in self.sig]
            self.call_entry = ctypes.CFUNCTYPE(*types)(self.address)
        self.calls += 1
        if self.calls % OFTEN == 0 and Stage.swift_entry:
            self.swift = Stage.swift_entry(self)
        return self.call_entry(*numbers)


def stage(arg) -> Stage | Callable[..., Any]:
    """`@stage` for void(Model, Data), `@stage("iMDi")` for another signature."""
    if callable(arg):
        return Stage(arg, "vMD")
    return lambda function: Stage(function, arg)


@functools.cache
def _lljit():
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    model = "small" if sys.platform == "win32" else "jitdefault"
    return llvm.create_lljit_compiler(llvm.Target.from_default_triple().create_target_machine(jit=True, codemodel=model))


_MAPPED = []
# of libraries: one that could not be linked keeps its name
_NUMBERS = itertools.count()


def map_object(symbol, data) -> int:
    """Map an object file into this process; returns the address of `symbol`."""
    import llvmlite.binding as llvm

    library = llvm.JITLibraryBuilder().add_object_img(data).export_symbol(symbol).add_current_process()
    tracker = library.link(_lljit(), f"{symbol}.{next(_NUMBERS)}")
    _MAPPED.append(tracker)
    return tracker[symbol]


def compile_half(stage) -> Half:
    """Compile a stage with numba into a module whose one exported function has the C calling convention."""
    link_helpers()
    # under a debugger the compiler would take ten times as long
    trace = sys.gettrace()
    sys.settrace(None)
    try:
        return Half(backend().compile_entry(stage.function, stage.symbol, stage.sig), backend().machine())
    finally:
        sys.settrace(trace)


def emit(stage, half) -> bytes:
    """Relocatable object of a stage that is compiled by half."""
    return emission.emit(half.bitcode, stage.symbol, half.machine)
