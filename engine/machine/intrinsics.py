"""Operations that kernels can use beyond numba's: struct views, arrays without negative indices, small vectors, calls by
address.

Imported only when something is compiled (see `machine.jit`). Kernels import the names from `machine.lang`.

`Plain` arrays give numba unsigned indices, so no index wraps around: with numba's test for negative indices, gathers such
as `x[adr[k] + c]` do not vectorise. Small vectors are tuples: `load` and `store` move a row between memory and registers.
"""

import operator
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.extending import infer_getattr, models, register_model
from numba.core.imputils import lower_getattr_generic, lower_setattr_generic
from numba.core.typing.templates import AttributeTemplate
from numba.core.typing.templates import signature as make_signature
from numba.extending import intrinsic, lower_builtin
from numba.np import numpy_support

from ..tables.schema import SCHEMAS, extent
from .layout import CALL_WORDS
from .stamp import BOUNDSCHECK

I64 = ir.IntType(64)


# ---- arrays without wraparound ---------------------------------------------------------------------------------------
class Plain(types.Array):
    """C-contiguous array without reference counts; its integer indices are never negative."""

    def __init__(self, dtype: Any, ndim: Any) -> None:
        super().__init__(dtype, ndim, "C", name=f"plain({dtype}, {ndim})")


@register_model(Plain)
class _PlainModel(models.StructModel):
    """Compiled as address and shape only: two or three words when passed between functions."""

    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(
            dmm, fe_type, [("data", types.CPointer(fe_type.dtype)), ("shape", types.UniTuple(types.intp, fe_type.ndim))]
        )


def plain_array(context: Any, builder: Any, ty: Any, value: Any = None) -> Any:
    """Return an array as its fields: address and shape."""
    return cgutils.create_struct_proxy(ty)(context, builder, value=value)


def _tag(instruction: Any, builder: Any, dtype: Any) -> Any:
    """Attach type-based alias information: numbers of different types do not overlap; bytes may overlap anything."""
    module = builder.module
    root = module.add_metadata(["tumble"])
    char = module.add_metadata(["byte", root, ir.Constant(I64, 0)])
    name = str(dtype)
    kind = char if name in ("uint8", "int8") else module.add_metadata([name, char, ir.Constant(I64, 0)])
    instruction.set_metadata("tbaa", module.add_metadata([kind, kind, ir.Constant(I64, 0)]))
    return instruction


def _element(context: Any, builder: Any, array_type: Any, array: Any, index_type: Any, index: Any) -> Any:
    """Emit the address of an element."""
    a = plain_array(context, builder, array_type, array)
    single = isinstance(index_type, types.Integer)
    kinds = [index_type] if single else list(index_type)
    parts = [index] if single else [builder.extract_value(index, k) for k in range(len(kinds))]
    offset = None
    for k, (part, kind) in enumerate(zip(parts, kinds, strict=True)):
        part = context.cast(builder, part, kind, types.intp)
        if BOUNDSCHECK:
            check_index(context, builder, part, builder.extract_value(a.shape, k))
        offset = part if offset is None else builder.add(builder.mul(offset, builder.extract_value(a.shape, k)), part)
    return builder.gep(a.data, [offset])


def check_index(context: Any, builder: Any, index: Any, count: Any) -> None:
    """Emit a check that raises IndexError."""
    with builder.if_then(builder.icmp_unsigned(">=", index, count), likely=False):
        context.call_conv.return_user_exc(builder, IndexError, ("index is out of bounds",))


def _full_index(array: Any, index: Any) -> Any:
    """Return whether an index selects a single element."""
    return (
        isinstance(index, types.Integer)
        and array.ndim == 1
        or isinstance(index, types.BaseTuple)
        and len(index) == array.ndim
        and all(isinstance(t, types.Integer) for t in index)
    )


def _lower_getitem(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    array, index = sig.args
    if not _full_index(array, index):
        raise TypeError("kernels read single elements: use load for rows")
    item = builder.load(_element(context, builder, array, args[0], index, args[1]))
    return _tag(item, builder, array.dtype)


def _lower_setitem(context: Any, builder: Any, sig: Any, args: Any) -> None:
    array, index, value = sig.args
    if not _full_index(array, index):
        raise TypeError("kernels write single elements: use store for rows")
    item = context.cast(builder, args[2], value, array.dtype)
    _tag(builder.store(item, _element(context, builder, array, args[0], index, args[1])), builder, array.dtype)


for _index in (types.Integer, types.BaseTuple):
    lower_builtin(operator.getitem, Plain, _index)(_lower_getitem)
    lower_builtin(operator.setitem, Plain, _index, types.Any)(_lower_setitem)


@lower_builtin(len, Plain)
def _lower_len(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.extract_value(plain_array(context, builder, sig.args[0], args[0]).shape, 0)


# ---- struct views ----------------------------------------------------------------------------------------------------
class StructType(types.Type):
    """A pointer to a struct's header. The schema's hash is in the type's name because offsets become part of machine code."""

    def __init__(self, schema: Any) -> None:
        self.schema = schema
        super().__init__(name=f"{schema.name}@{schema.hash}")


STRUCTS = {name: StructType(schema) for name, schema in SCHEMAS.items()}


@register_model(StructType)
class _Pointer(models.PrimitiveModel):
    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, I64)


def _numba_dtype(field: Any) -> Any:
    """Return numba's type of a field's elements; scalars in the header are float64 or int64."""
    if not field.dims:
        return types.float64 if np.dtype(field.dtype).kind == "f" else types.int64
    return numpy_support.from_dtype(np.dtype(field.dtype))


@infer_getattr
class _Attribute(AttributeTemplate):
    key = StructType

    def generic_resolve(self, typ: Any, attr: Any) -> Any:
        schema = typ.schema
        if attr in schema.size_slot:
            return types.int64
        if attr in schema.nested:
            return STRUCTS[schema.nested[attr]]
        field = schema.fields.get(attr)
        if field is None:
            return None
        dtype = _numba_dtype(field)
        return Plain(dtype, len(field.dims)) if field.dims else dtype


def _cell(builder: Any, base: Any, slot: Any, llty: Any, invariant: Any) -> Any:
    """Emit the load of a header cell; `invariant` cells do not change during a call."""
    pointer = builder.inttoptr(builder.add(base, ir.Constant(I64, 8 * slot)), llty.as_pointer())
    value = builder.load(pointer)
    if invariant:
        value.set_metadata("invariant.load", builder.module.add_metadata([]))
    return value


@lower_getattr_generic(StructType)
def _getattr(context: Any, builder: Any, typ: Any, base: Any, attr: Any) -> Any:
    schema = typ.schema
    if attr in schema.size_slot:
        return _cell(builder, base, schema.size_slot[attr], I64, True)
    if attr in schema.nested:
        return _cell(builder, base, schema.slot[attr], I64, True)
    field = schema.fields[attr]
    dtype = _numba_dtype(field)
    if not field.dims:
        return _cell(builder, base, schema.slot[attr], context.get_value_type(dtype), False)
    data = _cell(builder, base, schema.slot[attr], context.get_data_type(dtype).as_pointer(), True)
    shape = [_extent(builder, base, schema, dim) for dim in field.dims]
    return _make_array(context, builder, Plain(dtype, len(shape)), data, shape)


def _extent(builder: Any, base: Any, schema: Any, dim: Any) -> Any:
    """Emit a dimension as a value: a number, a size, or a multiple of a size."""
    size, factor = extent(dim)
    if not size:
        return ir.Constant(I64, factor)
    value = _cell(builder, base, schema.size_slot[size], I64, True)
    return value if factor == 1 else builder.mul(value, ir.Constant(I64, factor))


def _make_array(context: Any, builder: Any, typ: Any, data: Any, shape: Any) -> Any:
    """Emit an array from its address and shape."""
    array = plain_array(context, builder, typ)
    array.data = data
    array.shape = cgutils.pack_array(builder, shape, I64)
    return array._getvalue()


@lower_setattr_generic(StructType)
def _setattr(context: Any, builder: Any, sig: Any, args: Any, attr: Any) -> None:
    typ, value_type = sig.args
    field = typ.schema.fields[attr]
    if field.dims:
        raise TypeError(f"{attr} is an array: write its elements")
    dtype = _numba_dtype(field)
    pointer = builder.inttoptr(
        builder.add(args[0], ir.Constant(I64, 8 * typ.schema.slot[attr])), context.get_value_type(dtype).as_pointer()
    )
    builder.store(context.cast(builder, args[1], value_type, dtype), pointer)


# ---- small vectors -----------------------------------------------------------------------------------------------------
def _row(context: Any, builder: Any, ty: Any, array: Any, index_ty: Any, index: Any) -> Any:
    """Emit a pointer to the first number of a row, or to an element of a 1-D array."""
    a = plain_array(context, builder, ty, array)
    index = context.cast(builder, index, index_ty, types.intp)
    if BOUNDSCHECK:
        check_index(context, builder, index, builder.extract_value(a.shape, 0))
    if ty.ndim == 1:
        return builder.gep(a.data, [index])
    return builder.gep(a.data, [builder.mul(index, builder.extract_value(a.shape, 1))])


@intrinsic(prefer_literal=True)
def load(typing, x, i, n):
    """Return row i of a 2-D array, or n elements from i on of a 1-D array, as a tuple; n is a literal."""
    if not isinstance(n, types.IntegerLiteral):
        return None

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        p = _row(context, builder, x, args[0], sig.args[1], args[1])
        parts = [_tag(builder.load(builder.gep(p, [ir.Constant(I64, k)])), builder, x.dtype) for k in range(n.literal_value)]
        return context.make_tuple(builder, sig.return_type, parts)

    return types.UniTuple(x.dtype, n.literal_value)(x, i, n), codegen


@intrinsic
def store(typing, x, i, v):
    """Write x[i, :len(v)] = v, or x[i:i+len(v)] = v for a 1-D array."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        p = _row(context, builder, x, args[0], sig.args[1], args[1])
        for k, t in enumerate(v):
            value = context.cast(builder, builder.extract_value(args[2], k), t, x.dtype)
            _tag(builder.store(value, builder.gep(p, [ir.Constant(I64, k)])), builder, x.dtype)
        return context.get_dummy_value()

    return types.void(x, i, v), codegen


def _scratch(builder: Any, kind: Any) -> Any:
    """Reserve stack memory in the calling function; unlike numba's helper, it does not clear it."""
    with builder.goto_entry_block():
        return builder.alloca(kind)


@intrinsic(prefer_literal=True)
def small(typing, n):
    """Return uninitialised float64 scratch of n numbers on the stack of the calling function; n is a literal."""
    if not isinstance(n, types.IntegerLiteral):
        return None
    result = Plain(types.float64, 1)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        data = _scratch(builder, ir.ArrayType(ir.DoubleType(), n.literal_value))
        data = builder.bitcast(data, ir.DoubleType().as_pointer())
        return _make_array(context, builder, result, data, [ir.Constant(I64, n.literal_value)])

    return result(n), codegen


@intrinsic(prefer_literal=True)
def small_int(typing, n):
    """Return uninitialised int64 scratch of n numbers on the stack of the calling function; n is a literal."""
    if not isinstance(n, types.IntegerLiteral):
        return None
    result = Plain(types.int64, 1)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        data = _scratch(builder, ir.ArrayType(I64, n.literal_value))
        data = builder.bitcast(data, I64.as_pointer())
        return _make_array(context, builder, result, data, [ir.Constant(I64, n.literal_value)])

    return result(n), codegen


@intrinsic
def flat(typing, x):
    """Return all elements of an array, row by row, as a 1-D array."""
    result = Plain(x.dtype, 1)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        a = plain_array(context, builder, x, args[0])
        n = ir.Constant(I64, 1)
        for k in range(x.ndim):
            n = builder.mul(n, builder.extract_value(a.shape, k))
        return _make_array(context, builder, result, a.data, [n])

    return result(x), codegen


# ---- memory and calls by address ---------------------------------------------------------------------------------------
def _array_at(dtype: Any, ndim: Any) -> Any:
    """Return an intrinsic that makes an array of a given shape at an address."""

    def typer(typing: Any, address: Any, *shape: Any) -> Any:
        result = Plain(dtype, ndim)

        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            data = builder.inttoptr(args[0], context.get_data_type(dtype).as_pointer())
            parts = [context.cast(builder, a, t, types.intp) for a, t in zip(args[1:], sig.args[1:], strict=True)]
            return _make_array(context, builder, result, data, parts)

        return result(address, *shape), codegen

    return typer


@intrinsic
def array_at(typing, address, n):
    """Return a 1-D float64 array of n numbers at an address."""
    return _array_at(types.float64, 1)(typing, address, n)


@intrinsic
def matrix_at(typing, address, n, k):
    """Return a 2-D float64 array of n rows at an address."""
    return _array_at(types.float64, 2)(typing, address, n, k)


@intrinsic
def ints_at(typing, address, n):
    """Return a 1-D int32 array at an address."""
    return _array_at(types.int32, 1)(typing, address, n)


@intrinsic
def floats_at(typing, address, n):
    """Return a 1-D float32 array at an address."""
    return _array_at(types.float32, 1)(typing, address, n)


@intrinsic
def longs_at(typing, address, n):
    """Return a 1-D int64 array at an address."""
    return _array_at(types.int64, 1)(typing, address, n)


@intrinsic
def bytes_at(typing, address, n):
    """Return a 1-D uint8 array at an address."""
    return _array_at(types.uint8, 1)(typing, address, n)


@intrinsic
def address_of(typing, x, k):
    """Return the address of element k of a 1-D array."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        p = _row(context, builder, x, args[0], sig.args[1], args[1])
        return builder.ptrtoint(p, I64)

    return types.int64(x, k), codegen


@intrinsic
def header_of(typing, struct):
    """Return the address of a struct's header."""
    return types.int64(struct), lambda context, builder, sig, args: args[0]


def _caster(name: Any) -> Any:
    """Return an intrinsic that turns an address into a struct."""

    @intrinsic
    def cast(typing, address):
        return STRUCTS[name](types.int64), lambda context, builder, sig, args: args[0]

    return cast


as_model, as_data = _caster("MjModel"), _caster("MjData")


def _call_codegen(result: Any) -> Any:
    """Return the code generator of a call by address with a given result type."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        values = [
            context.cast(builder, a, t, types.float64 if isinstance(t, types.Float) else types.int64)
            if isinstance(t, types.Number)
            else a
            for a, t in zip(args[1:], sig.args[1:], strict=True)
        ]
        fn = ir.FunctionType(result, [v.type for v in values])
        out = builder.call(builder.inttoptr(args[0], fn.as_pointer()), values)
        return context.get_dummy_value() if isinstance(result, ir.VoidType) else out

    return codegen


@intrinsic
def invoke(typing, address, m, d):
    """Call a stage `v(M, D)` by address."""
    return types.void(types.int64, m, d), _call_codegen(ir.VoidType())


@intrinsic
def invoke_pair(typing, address, m, d, g1, g2, margin):
    """Call a collision function `i(M, D, geom, geom, margin)` by address; returns the number of contacts found."""
    return types.int64(types.int64, m, d, types.int64, types.int64, types.float64), _call_codegen(I64)


@intrinsic
def invoke_skip(typing, address, m, d, skip, skip_sensors):
    """Call forward dynamics `v(M, D, skip, skip sensors)` by address."""
    return types.void(types.int64, m, d, types.int64, types.int64), _call_codegen(ir.VoidType())


@intrinsic
def invoke_index(typing, address, m, d, i):
    """Call a stage `v(M, D, index)` by address."""
    return types.void(types.int64, m, d, types.int64), _call_codegen(ir.VoidType())


@intrinsic
def invoke_distance(typing, address, m, d, i, x, y, z):
    """Call a distance field of a plugin `f(M, D, instance, x, y, z)` by address."""
    real = types.float64
    return real(types.int64, m, d, types.int64, real, real, real), _call_codegen(ir.DoubleType())


@intrinsic
def invoke_gradient(typing, address, m, d, i, x, y, z, out):
    """Call a gradient of a plugin `v(M, D, instance, x, y, z, address of 3 numbers)` by address."""
    real = types.float64
    return types.void(types.int64, m, d, types.int64, real, real, real, types.int64), _call_codegen(ir.VoidType())


@intrinsic
def invoke_field(typing, address, x, y, z, attributes):
    """Call a field `f(x, y, z, address of its attributes)` by address."""
    real = types.float64
    return real(types.int64, real, real, real, types.int64), _call_codegen(ir.DoubleType())


@intrinsic
def count_ones(typing, x):
    """Return the number of set bits."""
    return types.int64(types.int64), lambda context, builder, sig, args: builder.ctpop(args[0])


@intrinsic
def trailing_zeros(typing, x):
    """Return the position of the lowest set bit; x is not 0."""
    return types.int64(types.int64), lambda context, builder, sig, args: builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))


@intrinsic
def guessed(typing, x):
    """Return the condition x. The compiler makes an `if` on it a jump, not a choice between two values.

    A choice waits for x. At a jump, the processor predicts x and goes on. This is faster where the next operations depend on
    the result, and x is predictable.
    """

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        bit = ir.IntType(1)
        expect = builder.module.declare_intrinsic("llvm.expect", [bit], ir.FunctionType(bit, [bit, bit]))
        return builder.call(expect, [args[0], ir.Constant(bit, 0)])

    return types.boolean(types.boolean), codegen


@intrinsic
def highest_bit(typing, x):
    """Return the position of the highest set bit; x is not 0."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.sub(ir.Constant(I64, 63), builder.ctlz(args[0], ir.Constant(ir.IntType(1), 1)))

    return types.int64(types.int64), codegen


@intrinsic
def invoke_clock(typing, address, d):
    """Call a user's clock `f(D)` by address."""
    return types.float64(types.int64, d), _call_codegen(ir.DoubleType())


@intrinsic
def invoke_value(typing, address, m, d, i):
    """Call a user's function `f(M, D, index)` by address."""
    return types.float64(types.int64, m, d, types.int64), _call_codegen(ir.DoubleType())


@intrinsic
def invoke_filter(typing, address, m, d, g1, g2):
    """Call a user's function `i(M, D, geom, geom)` by address."""
    return types.int64(types.int64, m, d, types.int64, types.int64), _call_codegen(I64)


@intrinsic
def invoke_words(typing, address, words):
    """Call a function of up to CALL_WORDS integers by address. The integers are stored at `words`; the function ignores those
    it does not take."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        first = builder.inttoptr(args[1], I64.as_pointer())
        values = [builder.load(builder.gep(first, [ir.Constant(I64, k)])) for k in range(CALL_WORDS)]
        fn = ir.FunctionType(I64, [I64] * CALL_WORDS)
        return builder.call(builder.inttoptr(args[0], fn.as_pointer()), values)

    return types.int64(types.int64, types.int64), codegen


@intrinsic
def clock_ns(typing):
    """Return a monotonic clock in nanoseconds."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        pair = ir.LiteralStructType([I64, I64])
        spec = cgutils.alloca_once(builder, pair)
        fn = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(ir.IntType(32), [ir.IntType(32), pair.as_pointer()]), "clock_gettime"
        )
        builder.call(fn, [ir.Constant(ir.IntType(32), 1), spec])
        value = builder.load(spec)
        return builder.add(
            builder.mul(builder.extract_value(value, 0), ir.Constant(I64, 1_000_000_000)), builder.extract_value(value, 1)
        )

    return types.int64(), codegen


@intrinsic
def cycles(typing):
    """Return the processor's counter of cycles, whose rate is constant; 0 on targets where programs may not read one."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        if not builder.module.triple.startswith("x86_64"):
            return ir.Constant(I64, 0)
        fn = cgutils.get_or_insert_function(builder.module, ir.FunctionType(I64, []), "llvm.readcyclecounter")
        return builder.call(fn, [])

    return types.int64(), codegen


@intrinsic
def copy_bytes(typing, target, source, count):
    """Move memory between two addresses (memmove)."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        p = ir.IntType(8).as_pointer()
        cgutils.raw_memmove(builder, builder.inttoptr(args[0], p), builder.inttoptr(args[1], p), args[2], ir.Constant(I64, 1))
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.int64), codegen


# ---- signatures of C entry points ----------------------------------------------------------------------------------------
_TYPES = {"v": types.void, "i": types.int64, "f": types.float64, "M": STRUCTS["MjModel"], "D": STRUCTS["MjData"]}


def signature(text: Any) -> Any:
    """Return numba's signature for a text such as "vMD"."""
    return make_signature(_TYPES[text[0]], *(_TYPES[c] for c in text[1:]))
