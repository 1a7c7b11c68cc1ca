"""The type of read-only arrays in compiled code. In a batch's step loop, users' functions receive the caller's read-only arrays
with this type."""

from typing import Any

from numba import types
from numba.core.extending import models, register_model
from numba.extending import intrinsic

from .intrinsics import Plain


class Frozen(Plain):
    """A plain array whose elements cannot be assigned: assignments do not compile."""

    def __init__(self, dtype: Any, ndim: int) -> None:
        types.Array.__init__(self, dtype, ndim, "C", readonly=True, name=f"frozen({dtype}, {ndim})")


@register_model(Frozen)
class _FrozenModel(models.StructModel):
    """numba's data model of the type, the same as for plain arrays."""

    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(
            dmm, fe_type, [("data", types.CPointer(fe_type.dtype)), ("shape", types.UniTuple(types.intp, fe_type.ndim))]
        )


@intrinsic
def frozen(typing, x):
    """Return the same array with the read-only type."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return args[0]

    return Frozen(x.dtype, x.ndim)(x), codegen
