"""Index checks in kernels (`TUMBLE_BOUNDSCHECK=1`): if an index is out of bounds, the process ends and reports the stage.

Numba's checks return an error, which a C function cannot pass on. This module's code therefore prints a line to stderr and
aborts. On import, the module replaces some functions of the code generators. It is a separate file because the text of
the generators' files is part of every kernel's stamp.
"""

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from . import backend, intrinsics
from .backend import compile_entry, dispatcher, for_python, machine

WORD, BYTES = ir.IntType(64), ir.IntType(8).as_pointer()
STDERR = 2


def told(builder: Any, status: Any, symbol: str) -> None:
    """Emit code that, after an error in a kernel, prints a line with the kernel's name and ends the process."""
    module, raw = builder.module, f"{symbol}: an index is out of bounds\n".encode()
    with builder.if_then(status.is_error, likely=False):
        line = builder.bitcast(cgutils.global_constant(module, "why", cgutils.make_bytearray(raw)), BYTES)
        write = cgutils.get_or_insert_function(module, ir.FunctionType(WORD, [ir.IntType(32), BYTES, WORD]), "write")
        builder.call(write, [ir.IntType(32)(STDERR), line, WORD(len(raw))])
        builder.call(cgutils.get_or_insert_function(module, ir.FunctionType(ir.VoidType(), []), "abort"), [])


# ---- rows ----------------------------------------------------------------------------------------------------------------
def _first(context: Any, builder: Any, sig: Any, args: Any, count: int) -> Any:
    """Return a pointer to the first of `count` numbers at an index; emit a check that all of these numbers are inside the
    array.

    If count is 0, the pointer may lie just past the end.
    """
    ty = sig.args[0]
    a = cgutils.create_struct_proxy(ty)(context, builder, value=args[0])
    index = context.cast(builder, args[1], sig.args[1], types.intp)
    rows, each = builder.extract_value(a.shape, 0), builder.extract_value(a.shape, 1) if ty.ndim == 2 else WORD(1)
    first = builder.mul(index, each)
    outside = builder.or_(
        builder.icmp_unsigned(">", index, rows),
        builder.icmp_unsigned(">", builder.add(first, WORD(count)), builder.mul(rows, each)),
    )
    with builder.if_then(outside, likely=False):
        context.call_conv.return_user_exc(builder, IndexError, ("index is out of bounds",))
    return builder.gep(a.data, [first])


@intrinsic(prefer_literal=True)
def load(typing, x, i, n):
    """`intrinsics.load` with index checks."""
    if not isinstance(n, types.IntegerLiteral):
        return None

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        p = _first(context, builder, sig, args, n.literal_value)
        return context.make_tuple(
            builder, sig.return_type, [builder.load(builder.gep(p, [WORD(k)])) for k in range(n.literal_value)]
        )

    return types.UniTuple(x.dtype, n.literal_value)(x, i, n), codegen


@intrinsic
def store(typing, x, i, v):
    """`intrinsics.store` with index checks."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        p = _first(context, builder, sig, args, len(v))
        for k, t in enumerate(v):
            builder.store(context.cast(builder, builder.extract_value(args[2], k), t, x.dtype), builder.gep(p, [WORD(k)]))
        return context.get_dummy_value()

    return types.void(x, i, v), codegen


@intrinsic
def address_of(typing, x, k):
    """`intrinsics.address_of` with an index check."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.ptrtoint(_first(context, builder, sig, args, 0), WORD)

    return types.int64(x, k), codegen


for _module, _name, _mine in (
    (backend, "told", told),
    (intrinsics, "load", load),
    (intrinsics, "store", store),
    (intrinsics, "address_of", address_of),
):
    setattr(_module, _name, _mine)
__all__ = ["compile_entry", "dispatcher", "for_python", "machine"]
