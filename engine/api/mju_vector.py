"""mju_*: vectors and dense matrices. The first argument receives the result; sizes must match."""

from collections.abc import Sequence
from math import sqrt

import numpy as np

from ..tables.consts import mjMINVAL
from .signature import public, require


def same(res: np.ndarray, *others: np.ndarray, names: Sequence[str] = ("vec",)) -> None:
    """Raise TypeError unless all vectors have the same size."""
    for x, name in zip(others, names, strict=True):
        require(x.size == res.size, f"res and {name} should have the same size")


# ---- 3 and 4 numbers -----------------------------------------------------------------------------------------------
@public("res:3!")
def mju_zero3(res):
    """Set res = 0."""
    res[:] = 0


@public("res:3! data:3")
def mju_copy3(res, data):
    """Set res = data."""
    res[:] = data


@public("res:3! vec:3 scl:f")
def mju_scl3(res, vec, scl):
    """Set res = vec scl."""
    np.multiply(vec, scl, out=res)


@public("res:3! vec1:3 vec2:3")
def mju_add3(res, vec1, vec2):
    """Set res = vec1 + vec2."""
    np.add(vec1, vec2, out=res)


@public("res:3! vec1:3 vec2:3")
def mju_sub3(res, vec1, vec2):
    """Set res = vec1 - vec2."""
    np.subtract(vec1, vec2, out=res)


@public("res:3! vec:3")
def mju_addTo3(res, vec):
    """Add vec to res."""
    res += vec


@public("res:3! vec:3")
def mju_subFrom3(res, vec):
    """Subtract vec from res."""
    res -= vec


@public("res:3! vec:3 scl:f")
def mju_addToScl3(res, vec, scl):
    """Add the product of vec and scl to res."""
    res += vec * scl


@public("res:3! vec1:3 vec2:3 scl:f")
def mju_addScl3(res, vec1, vec2, scl):
    """Set res = vec1 + vec2 scl."""
    res[:] = vec1 + vec2 * scl


@public("vec:3!", "float", code="api.bodies:normalize3(vec)")
def mju_normalize3(vec):
    """Scale vec to length 1 and return its length; below mjMINVAL it becomes (1, 0, 0)."""
    x, y, z = vec.tolist()
    norm = sqrt(x * x + y * y + z * z)
    if norm < mjMINVAL:
        vec[:] = 1, 0, 0
    else:
        vec *= 1 / norm
    return norm


@public("vec:T3", "float", code="math.vec:norm3(vec)")
def mju_norm3(vec):
    """Return the length of vec."""
    return sqrt(vec[0] * vec[0] + vec[1] * vec[1] + vec[2] * vec[2])


@public("vec1:T3 vec2:T3", "float", code="math.vec:dot3(vec1, vec2)")
def mju_dot3(vec1, vec2):
    """Return the dot product."""
    return vec1[0] * vec2[0] + vec1[1] * vec2[1] + vec1[2] * vec2[2]


@public("pos1:T3 pos2:T3", "float")
def mju_dist3(pos1, pos2):
    """Return the distance between two points."""
    x, y, z = pos1[0] - pos2[0], pos1[1] - pos2[1], pos1[2] - pos2[2]
    return sqrt(x * x + y * y + z * z)


@public("res:3! mat:9 vec:3")
def mju_mulMatVec3(res, mat, vec):
    """Set res = mat vec, mat 3 x 3."""
    res[:] = mat.reshape(3, 3) @ vec


@public("res:3! mat:9 vec:3")
def mju_mulMatTVec3(res, mat, vec):
    """Set res = mat' vec, mat 3 x 3."""
    res[:] = mat.reshape(3, 3).T @ vec


@public("res:3! a:T3 b:T3", code="api.bodies,math.vec:put(res, cross3(a, b))")
def mju_cross(res, a, b):
    """Set res = a x b."""
    res[:] = a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@public("res:4!")
def mju_zero4(res):
    """Set res = 0."""
    res[:] = 0


@public("res:4!")
def mju_unit4(res):
    """Set res = (1, 0, 0, 0)."""
    res[:] = 1, 0, 0, 0


@public("res:4! data:4")
def mju_copy4(res, data):
    """Set res = data."""
    res[:] = data


@public("vec:4!", "float", code="api.bodies:normalize4(vec)")
def mju_normalize4(vec):
    """Scale vec to length 1 and return its length; below mjMINVAL it becomes (1, 0, 0, 0)."""
    a, b, c, d = vec.tolist()
    norm = sqrt(a * a + b * b + c * c + d * d)
    if norm < mjMINVAL:
        vec[:] = 1, 0, 0, 0
    elif abs(norm - 1) > mjMINVAL:
        vec *= 1 / norm
    return norm


# ---- any length ----------------------------------------------------------------------------------------------------
@public("res:V!")
def mju_zero(res):
    """Set res = 0."""
    res[:] = 0


@public("res:V! val:f")
def mju_fill(res, val):
    """Set every element of res to val."""
    res[:] = val


@public("res:V! vec:V")
def mju_copy(res, vec):
    """Set res = vec."""
    same(res, vec)
    res[:] = vec


@public("vec:V!", "float")
def mju_sum(vec):
    """Return the sum of the elements."""
    return float(np.sum(vec))


@public("vec:V!", "float")
def mju_L1(vec):
    """Return the sum of absolute values."""
    return float(np.sum(np.abs(vec)))


@public("res:V! vec:V scl:f")
def mju_scl(res, vec, scl):
    """Set res = vec scl."""
    same(res, vec)
    np.multiply(vec, scl, out=res)


@public("res:V! vec1:V vec2:V")
def mju_add(res, vec1, vec2):
    """Set res = vec1 + vec2."""
    same(res, vec1, vec2, names=("vec1", "vec2"))
    np.add(vec1, vec2, out=res)


@public("res:V! vec1:V vec2:V")
def mju_sub(res, vec1, vec2):
    """Set res = vec1 - vec2."""
    same(res, vec1, vec2, names=("vec1", "vec2"))
    np.subtract(vec1, vec2, out=res)


@public("res:V! vec:V")
def mju_addTo(res, vec):
    """Add vec to res."""
    same(res, vec)
    res += vec


@public("res:V! vec:V")
def mju_subFrom(res, vec):
    """Subtract vec from res."""
    same(res, vec)
    res -= vec


@public("res:V! vec:V scl:f")
def mju_addToScl(res, vec, scl):
    """Add the product of vec and scl to res."""
    same(res, vec)
    res += vec * scl


@public("res:V! vec1:V vec2:V scl:f")
def mju_addScl(res, vec1, vec2, scl):
    """Set res = vec1 + vec2 scl."""
    same(res, vec1, vec2, names=("vec1", "vec2"))
    res[:] = vec1 + vec2 * scl


@public("res:V!", "float")
def mju_normalize(res):
    """Scale res to length 1 and return its length; below mjMINVAL it becomes (1, 0, ..., 0)."""
    norm = sqrt(np.dot(res, res))
    if norm < mjMINVAL:
        res[:] = 0
        res[:1] = 1
    else:
        res *= 1 / norm
    return norm


@public("res:V", "float")
def mju_norm(res):
    """Return the length of a vector."""
    return sqrt(np.dot(res, res))


@public("vec1:V vec2:V", "float")
def mju_dot(vec1, vec2):
    """Return the dot product."""
    require(vec1.size == vec2.size, "vec1 and vec2 should have the same size")
    return float(np.dot(vec1, vec2))


# ---- matrices --------------------------------------------------------------------------------------------------------
@public("res:V(nr)! mat:M(nr,nc) vec:V(nc)")
def mju_mulMatVec(res, mat, vec):
    """Set res = mat vec."""
    require(res.size == mat.shape[0], "size of res should equal the number of rows in mat")
    require(vec.size == mat.shape[1], "size of vec should equal the number of columns in mat")
    res[:] = mat @ vec


@public("res:V(nc)! mat:M(nr,nc) vec:V(nr)")
def mju_mulMatTVec(res, mat, vec):
    """Set res = mat' vec."""
    require(res.size == mat.shape[1], "size of res should equal the number of columns in mat")
    require(vec.size == mat.shape[0], "size of vec should equal the number of rows in mat")
    res[:] = mat.T @ vec


@public("vec1:V(n) mat:M(n,n) vec2:V(n)", "float")
def mju_mulVecMatVec(vec1, mat, vec2):
    """Return vec1' mat vec2 for a square matrix."""
    require(vec1.size == vec2.size, "size of vec1 should equal the size of vec2")
    require(vec1.size == mat.shape[1], "size of vectors should equal the number of columns in mat")
    require(vec1.size == mat.shape[0], "size of vectors should equal the number of rows in mat")
    return float(vec1 @ (mat @ vec2))


@public("res:M(nc,nr)! mat:M(nr,nc)")
def mju_transpose(res, mat):
    """Set res = mat'."""
    require(res.shape[1] == mat.shape[0], "#columns in res should equal #rows in mat")
    require(res.shape[0] == mat.shape[1], "#rows in res should equal #columns in mat")
    res[:] = mat.T.copy()


@public("res:M(n,n)! mat:M(n,n)")
def mju_symmetrize(res, mat):
    """Set res = (mat + mat') / 2."""
    require(mat.shape[0] == mat.shape[1], "mat should be square")
    require(res.shape == mat.shape, "res and mat should have the same shape")
    res[:] = 0.5 * (mat + mat.T)


@public("mat:M(n,n)!")
def mju_eye(mat):
    """Set mat to the identity."""
    require(mat.shape[0] == mat.shape[1], "mat should be square")
    mat[:] = np.eye(mat.shape[0])


@public("res:M(r1,c2)! mat1:M(r1,c1) mat2:M(c1,c2)")
def mju_mulMatMat(res, mat1, mat2):
    """Set res = mat1 mat2."""
    require(res.shape[0] == mat1.shape[0], "#rows in res should equal #rows in mat1")
    require(res.shape[1] == mat2.shape[1], "#columns in res should equal #columns in mat2")
    require(mat1.shape[1] == mat2.shape[0], "#columns in mat1 should equal #rows in mat2")
    res[:] = mat1 @ mat2


@public("res:M(r1,r2)! mat1:M(r1,c) mat2:M(r2,c)")
def mju_mulMatMatT(res, mat1, mat2):
    """Set res = mat1 mat2'."""
    require(res.shape[0] == mat1.shape[0], "#rows in res should equal #rows in mat1")
    require(res.shape[1] == mat2.shape[0], "#columns in res should equal #rows in mat2")
    require(mat1.shape[1] == mat2.shape[1], "#columns in mat1 should equal #columns in mat2")
    res[:] = mat1 @ mat2.T


@public("res:M(c1,c2)! mat1:M(r,c1) mat2:M(r,c2)")
def mju_mulMatTMat(res, mat1, mat2):
    """Set res = mat1' mat2."""
    require(res.shape[0] == mat1.shape[1], "#rows in res should equal #columns in mat1")
    require(res.shape[1] == mat2.shape[1], "#columns in res should equal #columns in mat2")
    require(mat1.shape[0] == mat2.shape[0], "#rows in mat1 should equal #rows in mat2")
    res[:] = mat1.T @ mat2


@public("res:M(nc,nc)! mat:M(nr,nc) diag:V(nr)!?")
def mju_sqrMatTD(res, mat, diag):
    """Set res = mat' diag mat; None for diag means the identity."""
    require(res.shape[0] == mat.shape[1], "#rows in res should equal #columns in mat")
    require(res.shape[1] == mat.shape[1], "#rows in res should equal #columns in mat")
    require(diag is None or diag.size == mat.shape[0], "size of diag should equal the number of rows in mat")
    res[:] = mat.T @ (mat if diag is None else mat * diag[:, None])


__all__ = [n for n in dir() if n.startswith("mju_")]
