"""Arrays that compiled code may only read: functions in the loop of a batch get the caller's read-only arrays as these."""

from numba import types
from numba.core.extending import models, register_model
from numba.extending import intrinsic

from .intrinsics import Plain


class Frozen(Plain):
    """A plain array whose elements cannot be assigned: the compiler refuses it."""

    def __init__(self, dtype, ndim):
        types.Array.__init__(self, dtype, ndim, "C", readonly=True, name=f"frozen({dtype}, {ndim})")


@register_model(Frozen)
class _FrozenModel(models.StructModel):
    """As that of plain arrays."""

    def __init__(self, dmm, fe_type):
        super().__init__(
            dmm, fe_type, [("data", types.CPointer(fe_type.dtype)), ("shape", types.UniTuple(types.intp, fe_type.ndim))]
        )


@intrinsic
def frozen(typing, x):
    """The same array, to be read only."""

    def codegen(context, builder, sig, args):
        return args[0]

    return Frozen(x.dtype, x.ndim)(x), codegen
