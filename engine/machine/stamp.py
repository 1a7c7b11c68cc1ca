"""Stamps: what the machine code of a stage depends on, as a hash. The name of its object file in the cache.

A stage's machine code follows from the bytecode of its function and of every kernel that it reaches, from the constants that
these name, from where the fields that they name lie in Model and Data, and from the code generators of `intrinsics`:

    stage ── bytecode ── names ──┬── a kernel: its stamp          collide ── contact ── mix_parameters ── ...
                                 ├── a number, tuple, array: its value
                                 ├── a field: its slot, type and dimensions
                                 └── an intrinsic, a builtin, a function of math: its name

So a comment, a docstring, a function moved to another file or a new row of a table recompile nothing but the stages that see
them, and what is hashed is what this process has loaded, whatever has happened to the files since.
"""

import builtins
import dis
import functools
import hashlib
import os
import pathlib
import types

import numpy as np

from ..tables.schema import SCHEMAS

# kernels with index checks are other machine code
BOUNDSCHECK = os.environ.get("TUMBLE_BOUNDSCHECK", "") == "1"
PACKAGE = str(__package__).partition(".")[0]
_KERNELS: dict[types.FunctionType, bytes] = {}


def digest(*parts) -> bytes:
    """One hash of several texts and hashes."""
    return hashlib.sha1(b"\0".join(p if isinstance(p, bytes) else str(p).encode() for p in parts)).digest()


@functools.cache
def field_places() -> dict:
    """Name of a field or size -> where every struct that has it keeps it."""
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


def of_value(value, names, where) -> bytes | str:
    """Stamp of what a name of a kernel stands for. `names` are the attributes that the kernel may take from it."""
    if isinstance(value, (bool, int, float, str, type(None))):
        return f"{type(value).__name__} {value!r}"
    if isinstance(value, (tuple, frozenset)):
        parts = [digest(of_value(v, names, where)) for v in value]
        return digest(type(value).__name__, *(parts if isinstance(value, tuple) else sorted(parts)))
    if isinstance(value, np.ndarray | np.generic):
        return digest(str(value.dtype), value.shape, value.tobytes())
    if isinstance(value, types.CodeType):
        return of_code(value, {}, where)
    if isinstance(value, types.ModuleType):
        own = value.__name__.partition(".")[0] == PACKAGE
        return digest(
            value.__name__.rpartition(".")[2],
            *(digest(n, of_value(vars(value)[n], names, where)) for n in names if own and n in vars(value)),
        )
    # kernels and intrinsics, before and after the compiler has put its own objects in their place
    function = getattr(value, "function", None) or getattr(value, "py_func", None)
    if function is not None:
        return of_function(function)
    if isinstance(value, types.BuiltinFunctionType | type | np.ufunc):
        return f"builtin {value.__name__}"
    # an intrinsic: kernels import it under its own name, which is part of their code
    if type(value).__name__ in ("Placeholder", "_Intrinsic"):
        return "intrinsic"
    raise TypeError(f"{where} uses {value!r}, which no stamp can tell from another")


def of_code(code, space, where) -> bytes:
    """Stamp of a piece of bytecode whose global names are looked up in `space`."""
    names, fields = code.co_names, field_places()
    parts = [code.co_code, code.co_argcount, code.co_varnames[: code.co_argcount], names]
    parts += [of_value(c, names, where) for c in code.co_consts]
    # a field may have the name of a stage, which then is no part of what reads the field
    apart = read_apart(code) if any(n in space and n in fields for n in names) else {}
    for name in names:
        if name in space and apart.get(name) != FIELD:
            parts.append(digest(name, of_value(space[name], names, where)))
        if name in fields and (name in apart and apart[name] != GLOBAL or name not in space and not hasattr(builtins, name)):
            parts.append(fields[name])
    return digest(*parts)


# how a name is read: as a global, as an attribute, as both
GLOBAL, FIELD, BOTH = 1, 2, 3


def read_apart(code) -> dict[str, int]:
    """{name: how it is read} of a piece of bytecode."""
    found: dict[str, int] = {}
    for step in dis.get_instructions(code):
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_ATTR", "STORE_ATTR", "LOAD_METHOD"):
            found[step.argval] = found.get(step.argval, 0) | (GLOBAL if step.opname in ("LOAD_GLOBAL", "LOAD_NAME") else FIELD)
    return found


def of_function(function) -> bytes:
    """Stamp of a kernel: its code and, through the names in it, everything that it calls. A docstring is no part of it."""
    code = function.__code__
    if function not in _KERNELS:
        # a kernel that calls itself is known by its name
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
    """Hash of the code generators: intrinsics, and how a stage is compiled."""
    return digest(
        *(
            pathlib.Path(__file__).with_name(name).read_bytes()
            for name in ("intrinsics.py", "packs.py", "backend.py", "lean.py", "emission.py")
        )
    )


@functools.cache
def of_target(target) -> str:
    """Hash of what machine code depends on besides the sources (see `machine.target`)."""
    return digest(target).hex()[:10]


def of_stage(function, signature, target) -> str:
    """Name part of a stage's machine code for a target: 20 hexadecimal digits."""
    return digest(of_function(function), signature, of_generators(), of_target(target)).hex()[:20]
