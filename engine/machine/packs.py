"""Packs: PACK numbers in one vector register, for kernels that solve several problems at once.

    a = pack_at(x, k)       numbers 8 k to 8 k + 7 of x                 put_pack(x, k, a)
    a * b + spread(0.5)     number by number; may be fused              a < b         a mask; so are m & n, m | n, ~m
    times(a, b)             a product that is not fused                 wide()        whether packs are fast on this target
    plus_product(s, a, b), minus_product(s, a, b)           s + a b, s - a b: fused wherever the target has such an operation
    pick(a < b, a, b)       one or the other, number by number          bits_of(m)    a mask as an integer; inverse: mask_of
    part_at(x, i, n), put_part(x, i, n, a)      the first n numbers of a pack, from number i of x on
    subtract_outer(x, k, s, a, b)               subtract a[0] b from pack k of x, a[1] b from pack k + s, ...
    pack_columns(x, k, places, i), unpack_columns(...)      numbers i to i + 7 of eight vectors, and packs k to k + 7 of x

Each number depends only on the numbers in the same position, not on its neighbours. Processors with narrower registers use
two or four for a pack. In Python, packs are `machine.pack_values.Pack`.
"""

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.extending import models, register_model
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.core.typing.templates import signature as make_signature
from numba.extending import intrinsic, lower_builtin

from .intrinsics import BOUNDSCHECK, I64, Plain, check_index, plain_array
from .layout import PACK

_DOUBLES = ir.VectorType(ir.DoubleType(), PACK)
_FLAGS = ir.VectorType(ir.IntType(1), PACK)
# as in `lanes.emit`, allow sums and products to be fused
_FUSED = ("contract",)


class _PackType(types.Type):
    def __init__(self) -> None:
        super().__init__(name=f"pack{PACK}")


class _MaskType(types.Type):
    def __init__(self) -> None:
        super().__init__(name=f"mask{PACK}")


pack_type, mask_type = _PackType(), _MaskType()


@register_model(_PackType)
class _PackModel(models.PrimitiveModel):
    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, _DOUBLES)


@register_model(_MaskType)
class _MaskModel(models.PrimitiveModel):
    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, _FLAGS)


# ---- operators -----------------------------------------------------------------------------------------------------------
def _enter(op: Any, kind: Any, result: Any, count: Any, emit: Any) -> None:
    """Define an operator on packs or masks: its type and the instruction it becomes."""

    class Template(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            return make_signature(result, *args) if args == (kind,) * count else None

    entered: Any = infer_global(op)
    entered(Template)
    lower_builtin(op, *[kind] * count)(lambda context, builder, sig, args: emit(builder, *args))


for _op, _name in ((operator.add, "fadd"), (operator.sub, "fsub"), (operator.mul, "fmul")):
    _enter(_op, pack_type, pack_type, 2, lambda builder, a, b, name=_name: getattr(builder, name)(a, b, flags=_FUSED))
_enter(operator.truediv, pack_type, pack_type, 2, lambda builder, a, b: builder.fdiv(a, b))
_enter(operator.neg, pack_type, pack_type, 1, lambda builder, a: builder.fneg(a))
for _op, _name in ((operator.lt, "<"), (operator.le, "<="), (operator.gt, ">"), (operator.ge, ">="), (operator.eq, "==")):
    _enter(_op, pack_type, mask_type, 2, lambda builder, a, b, name=_name: builder.fcmp_ordered(name, a, b))
_enter(operator.ne, pack_type, mask_type, 2, lambda builder, a, b: builder.fcmp_unordered("!=", a, b))
_enter(operator.and_, mask_type, mask_type, 2, lambda builder, a, b: builder.and_(a, b))
_enter(operator.or_, mask_type, mask_type, 2, lambda builder, a, b: builder.or_(a, b))
_enter(operator.invert, mask_type, mask_type, 1, lambda builder, a: builder.not_(a))


# ---- memory --------------------------------------------------------------------------------------------------------------
def _pointer(context: Any, builder: Any, x: Any, index_type: Any, index: Any) -> Any:
    """Emit a pointer to pack k of a vector."""
    a = plain_array(context, builder, Plain(types.float64, 1), x)
    first = builder.mul(context.cast(builder, index, index_type, types.intp), ir.Constant(I64, PACK))
    if BOUNDSCHECK:
        check_index(context, builder, builder.add(first, ir.Constant(I64, PACK - 1)), builder.extract_value(a.shape, 0))
    return builder.bitcast(builder.gep(a.data, [first]), _DOUBLES.as_pointer())


@intrinsic
def pack_at(typing, x, k):
    """Return pack k of a vector that is aligned to the size of a pack."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.load(_pointer(context, builder, args[0], sig.args[1], args[1]), align=8 * PACK)

    return pack_type(x, k), codegen


@intrinsic
def put_pack(typing, x, k, a):
    """Write pack k of a vector that is aligned to the size of a pack."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder.store(args[2], _pointer(context, builder, args[0], sig.args[1], args[1]), align=8 * PACK)
        return context.get_dummy_value()

    return types.void(x, k, pack_type), codegen


def _part(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """Emit (pointer to number i of a vector, mask of the first n numbers from there on)."""
    x, i, n = args[:3]
    first = context.cast(builder, i, sig.args[1], types.intp)
    count = context.cast(builder, n, sig.args[2], types.intp)
    a = plain_array(context, builder, Plain(types.float64, 1), x)
    if BOUNDSCHECK:
        most = ir.Constant(I64, PACK)
        held = builder.select(builder.icmp_signed("<", count, most), count, most)
        last = builder.sub(builder.add(first, held), ir.Constant(I64, 1))
        # if there are no numbers, no memory is touched
        with builder.if_then(builder.icmp_signed(">", held, ir.Constant(I64, 0))):
            check_index(context, builder, last, builder.extract_value(a.shape, 0))
    words = ir.VectorType(I64, PACK)
    mask = builder.icmp_signed("<", ir.Constant(words, list(range(PACK))), _spread(builder, count, words))
    return builder.bitcast(builder.gep(a.data, [first]), _DOUBLES.as_pointer()), mask


@intrinsic
def part_at(typing, x, i, n):
    """Return a pack of the n numbers of a vector from number i on, at most PACK, and zeros."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        pointer, mask = _part(context, builder, sig, args)
        kind = ir.FunctionType(_DOUBLES, [pointer.type, ir.IntType(32), _FLAGS, _DOUBLES])
        read = cgutils.get_or_insert_function(builder.module, kind, f"llvm.masked.load.v{PACK}f64.p0")
        return builder.call(read, [pointer, ir.Constant(ir.IntType(32), 8), mask, ir.Constant(_DOUBLES, [0.0] * PACK)])

    return pack_type(x, i, n), codegen


@intrinsic
def put_part(typing, x, i, n, a):
    """Write the first n numbers of a pack, at most PACK, to a vector from number i on."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        pointer, mask = _part(context, builder, sig, args)
        kind = ir.FunctionType(ir.VoidType(), [_DOUBLES, pointer.type, ir.IntType(32), _FLAGS])
        write = cgutils.get_or_insert_function(builder.module, kind, f"llvm.masked.store.v{PACK}f64.p0")
        builder.call(write, [args[3], pointer, ir.Constant(ir.IntType(32), 8), mask])
        return context.get_dummy_value()

    return types.void(x, i, n, pack_type), codegen


def _subtract_outer(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """Emit the loop of `subtract_outer`, for any number of pairs of packs."""
    x, k, step, *pairs = args
    at = context.cast(builder, k, sig.args[1], types.intp)
    stride = context.cast(builder, step, sig.args[2], types.intp)
    for i in range(PACK):
        pointer = _pointer(context, builder, x, types.intp, at)
        value = builder.load(pointer, align=8 * PACK)
        for a, b in zip(pairs[::2], pairs[1::2], strict=True):
            value = builder.fsub(value, builder.fmul(_lane(builder, a, i), b))
        builder.store(value, pointer, align=8 * PACK)
        at = builder.add(at, stride)
    return context.get_dummy_value()


@intrinsic
def subtract_outer(typing, x, k, step, a, b):
    """Subtract from the packs k, k + step, k + 2 step, ... of x, PACK in all, the products of b with the numbers of a. They are
    not fused."""
    return types.void(x, k, step, pack_type, pack_type), _subtract_outer


@intrinsic
def subtract_two_outer(typing, x, k, step, a, b, c, e):
    """Do subtract_outer with a and b, then with c and e."""
    return types.void(x, k, step, pack_type, pack_type, pack_type, pack_type), _subtract_outer


# ---- matrices turned over ------------------------------------------------------------------------------------------------
def _turned(builder: Any, rows: Any) -> Any:
    """Emit the transpose of PACK packs: swap blocks of size 1, then 2, then 4 across the diagonal.

    a b | . .        a e | . .
    e f | . .   ->   b f | . .      and so on for blocks of twice the size
    """
    size = 1
    while size < PACK:
        upper = [j if not j & size else PACK + j - size for j in range(PACK)]
        lower = [j + size if not j & size else PACK + j for j in range(PACK)]
        masks = [ir.Constant(ir.VectorType(ir.IntType(32), PACK), m) for m in (upper, lower)]
        for i in range(PACK):
            if not i & size:
                pair = rows[i], rows[i + size]
                rows[i], rows[i + size] = (builder.shuffle_vector(*pair, mask) for mask in masks)
        size *= 2
    return rows


def _beside(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """Emit (pointers to PACK numbers from `first` on of each vector, pointers to packs k, k + 1, ... of x)."""
    x, k, places, first = args
    table = plain_array(context, builder, Plain(types.int64, 1), places)
    if BOUNDSCHECK:
        check_index(context, builder, ir.Constant(I64, PACK - 1), builder.extract_value(table.shape, 0))
    outside = []
    for i in range(PACK):
        pointer = builder.inttoptr(builder.load(builder.gep(table.data, [ir.Constant(I64, i)])), ir.DoubleType().as_pointer())
        outside.append(
            builder.bitcast(
                builder.gep(pointer, [context.cast(builder, first, sig.args[3], types.intp)]), _DOUBLES.as_pointer()
            )
        )
    last = builder.add(context.cast(builder, k, sig.args[1], types.intp), ir.Constant(I64, PACK - 1))
    highest = _pointer(context, builder, x, types.intp, last)
    return outside, [builder.gep(highest, [ir.Constant(I64, j - PACK + 1)]) for j in range(PACK)]


@intrinsic
def pack_columns(typing, x, k, places, first):
    """Read numbers `first` to first + 7 of the vectors at PACK addresses into packs k to k + 7 of x; each pack has
    one number per vector."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        outside, inside = _beside(context, builder, sig, args)
        for pointer, row in zip(inside, _turned(builder, [builder.load(p, align=8) for p in outside]), strict=True):
            builder.store(row, pointer, align=8 * PACK)
        return context.get_dummy_value()

    return types.void(x, k, places, first), codegen


@intrinsic
def unpack_columns(typing, x, k, places, first):
    """Do the reverse of `pack_columns`."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        outside, inside = _beside(context, builder, sig, args)
        for pointer, row in zip(outside, _turned(builder, [builder.load(p, align=8 * PACK) for p in inside]), strict=True):
            builder.store(row, pointer, align=8)
        return context.get_dummy_value()

    return types.void(x, k, places, first), codegen


# ---- the rest ------------------------------------------------------------------------------------------------------------
@intrinsic
def wide(typing):
    """Return whether a pack fits into two registers, which is a constant of the target."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return ir.Constant(ir.IntType(1), int("+avx2" in context.codegen()._tm_features))

    return types.boolean(), codegen


@intrinsic
def spread(typing, x):
    """Return a pack with one number repeated."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _spread(builder, args[0])

    return pack_type(types.float64), codegen


def _spread(builder: Any, x: Any, kind: Any = _DOUBLES) -> Any:
    """Emit a vector with one number repeated."""
    return _lane(builder, builder.insert_element(ir.Constant(kind, ir.Undefined), x, ir.Constant(ir.IntType(32), 0)), 0)


def _lane(builder: Any, a: Any, i: int) -> Any:
    """Emit a vector that repeats number i of another vector."""
    places = ir.Constant(ir.VectorType(ir.IntType(32), PACK), [i] * PACK)
    return builder.shuffle_vector(a, ir.Constant(a.type, ir.Undefined), places)


@intrinsic
def pick(typing, mask, a, b):
    """Return a where a mask holds, else b."""
    return pack_type(mask_type, pack_type, pack_type), lambda context, builder, sig, args: builder.select(*args)


@intrinsic
def times(typing, a, b):
    """Return products that are never fused with a sum, so that compiled code rounds as Python does."""
    return pack_type(pack_type, pack_type), lambda context, builder, sig, args: builder.fmul(*args)


def _muladd(builder: Any, a: Any, b: Any, s: Any) -> Any:
    """Emit s + a b, fused if the target can."""
    kind = ir.FunctionType(_DOUBLES, [_DOUBLES] * 3)
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, f"llvm.fmuladd.v{PACK}f64"), [a, b, s])


@intrinsic
def plus_product(typing, s, a, b):
    """Return s + a b. Whether it is fused depends on the target only, whereas a product in an expression stays apart where the
    compiler finds another use of it."""
    return pack_type(s, a, b), lambda context, builder, sig, args: _muladd(builder, args[1], args[2], args[0])


@intrinsic
def minus_product(typing, s, a, b):
    """Return s - a b, like `plus_product`."""
    return pack_type(s, a, b), lambda context, builder, sig, args: _muladd(builder, builder.fneg(args[1]), args[2], args[0])


def _function(builder: Any, name: Any, x: Any) -> Any:
    """Emit a call of an LLVM function on a pack."""
    kind = ir.FunctionType(_DOUBLES, [_DOUBLES])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, f"llvm.{name}.v{PACK}f64"), [x])


@intrinsic
def roots_of(typing, a):
    """Return the square root of each number."""
    return pack_type(pack_type), lambda context, builder, sig, args: _function(builder, "sqrt", args[0])


@intrinsic
def sizes_of(typing, a):
    """Return the absolute value of each number."""
    return pack_type(pack_type), lambda context, builder, sig, args: _function(builder, "fabs", args[0])


@intrinsic
def bits_of(typing, mask):
    """Return a mask as an integer, with the first condition in the lowest bit."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.zext(builder.bitcast(args[0], ir.IntType(PACK)), I64)

    return types.int64(mask_type), codegen


@intrinsic
def mask_of(typing, bits):
    """Return the mask with the bits of an integer."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.bitcast(builder.trunc(args[0], ir.IntType(PACK)), _FLAGS)

    return mask_type(types.int64), codegen
