"""Stamps: hashes of everything that a stage's machine code depends on. The stamp is part of the object file's name in the
store.

A stage's machine code depends on the bytecode of its function and of every kernel it reaches, the constants they use, the
offsets of the Model and Data fields they use, and the code generators (`intrinsics` and others):

    stage ── bytecode ── names ──┬── a kernel: its stamp, which covers the names in that kernel, and so on
                                 ├── a number, tuple, array: its value
                                 ├── a field: its slot, type and dimensions
                                 └── an intrinsic, a builtin, a function of math: its name

So changing a comment or docstring, or moving a function to another file, recompiles nothing, and a new table row recompiles
only the stages that use it. The stamp covers the code that this process has loaded; later edits of files do not matter.
"""

import builtins
import dis
import functools
import hashlib
import os
import pathlib
import types
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from ..tables.schema import SCHEMAS

# kernels with index checks have different machine code
BOUNDSCHECK = os.environ.get("TUMBLE_BOUNDSCHECK", "") == "1"
PACKAGE = str(__package__).partition(".")[0]
_KERNELS: dict[types.FunctionType, bytes] = {}


def digest(*parts: Any) -> bytes:
    """Return one hash that combines several values."""
    return hashlib.sha1(b"\0".join(p if isinstance(p, bytes) else str(p).encode() for p in parts)).digest()


@functools.cache
def field_places() -> dict:
    """Return {name of a field or size: text with its slot, type and dimensions in every struct that has it}."""
    places = {}
    for schema in SCHEMAS.values():
        for name, slot in {**schema.size_slot, **schema.slot}.items():
            f = schema.fields.get(name)
            shape = (
                (f.dtype, [(d, schema.size_slot.get(str(d).partition("*")[0])) for d in f.dims])
                if f
                else schema.nested.get(name)
            )
            places[name] = f"{places.get(name, '')} {schema.name} {slot} {shape}"
    return places


def of_value(value: Any, names: Collection[str], where: str) -> bytes | str:
    """Return the stamp of a value that a kernel refers to by name. If it is a module, only its attributes in `names` count."""
    # Constants are represented by their values.
    if isinstance(value, (bool, int, float, str, type(None))):
        return f"{type(value).__name__} {value!r}"
    if isinstance(value, (tuple, frozenset)):
        parts = [digest(of_value(v, names, where)) for v in value]
        return digest(type(value).__name__, *(parts if isinstance(value, tuple) else sorted(parts)))
    if isinstance(value, np.ndarray | np.generic):
        return digest(str(value.dtype), value.shape, value.tobytes())

    # The value is code, or a module, of which only the attributes that the kernel reads count.
    if isinstance(value, types.CodeType):
        return of_code(value, {}, where)
    if isinstance(value, types.ModuleType):
        own = value.__name__.partition(".")[0] == PACKAGE
        return digest(
            value.__name__.rpartition(".")[2],
            *(digest(n, of_value(vars(value)[n], names, where)) for n in names if own and n in vars(value)),
        )

    # kernels and intrinsics, before or after the compiler has replaced them by its own objects
    function = getattr(value, "function", None) or getattr(value, "py_func", None)
    if function is not None:
        return of_function(function)
    if isinstance(value, types.BuiltinFunctionType | type | np.ufunc):
        return f"builtin {value.__name__}"
    # an intrinsic: its name is part of the kernel's code already
    if type(value).__name__ in ("Placeholder", "_Intrinsic"):
        return "intrinsic"
    raise TypeError(f"{where} uses {value!r}, which a stamp cannot distinguish from other values")


def of_code(code: types.CodeType, space: Mapping[str, Any], where: str) -> bytes:
    """Return the stamp of bytecode; the global names in it are looked up in `space`."""
    names, fields = code.co_names, field_places()
    parts = [code.co_code, code.co_argcount, code.co_varnames[: code.co_argcount], names]
    parts += [of_value(c, names, where) for c in code.co_consts]
    # A field may have the name of a stage. A kernel that only reads the field does not call the stage.
    apart = read_apart(code) if any(n in space and n in fields for n in names) else {}
    for name in names:
        if name in space and apart.get(name) != FIELD:
            parts.append(digest(name, of_value(space[name], names, where)))
        if name in fields and (name in apart and apart[name] != GLOBAL or name not in space and not hasattr(builtins, name)):
            parts.append(fields[name])
    return digest(*parts)


# Ways in which bytecode reads a name: as a global, as an attribute, as both.
GLOBAL, FIELD, BOTH = 1, 2, 3


def read_apart(code: types.CodeType) -> dict[str, int]:
    """Return {name: the way in which it is read} for a piece of bytecode."""
    found: dict[str, int] = {}
    for step in dis.get_instructions(code):
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_ATTR", "STORE_ATTR", "LOAD_METHOD"):
            found[step.argval] = found.get(step.argval, 0) | (GLOBAL if step.opname in ("LOAD_GLOBAL", "LOAD_NAME") else FIELD)
    return found


def of_function(function: Any) -> bytes:
    """Return the stamp of a kernel: its code and everything that it calls, but not its docstring."""
    code = function.__code__
    if function not in _KERNELS:
        # placeholder for the kernel inside its own stamp, if the kernel calls itself
        _KERNELS[function] = function.__qualname__.encode()
        if function.__doc__ is not None and code.co_consts and code.co_consts[0] == function.__doc__:
            bare = code.replace(co_consts=(None, *code.co_consts[1:]))
        else:
            bare = code
        cells = [of_value(c.cell_contents, code.co_names, function.__qualname__) for c in function.__closure__ or ()]
        defaults = [of_value(v, (), function.__qualname__) for v in function.__defaults__ or ()]
        options = of_value(getattr(function, "kernel_options", ()), (), function.__qualname__)
        _KERNELS[function] = digest(of_code(bare, function.__globals__, function.__qualname__), *cells, *defaults, options)
    return _KERNELS[function]


@functools.cache
def of_generators() -> bytes:
    """Return the hash of the code generators: the intrinsics, the packs, and the compilation of a stage."""
    return digest(
        *(
            pathlib.Path(__file__).with_name(name).read_bytes()
            for name in ("intrinsics.py", "packs.py", "backend.py", "lean.py", "emission.py")
        )
    )


@functools.cache
def of_target(target: str) -> str:
    """Return the hash of a target, which represents everything besides the sources (see `machine.target`)."""
    return digest(target).hex()[:10]


def of_stage(function: Any, signature: str, target: str) -> str:
    """Return the stamp of a stage's machine code for a target: 20 hexadecimal digits, used in its file name."""
    return digest(of_function(function), signature, of_generators(), of_target(target)).hex()[:20]
