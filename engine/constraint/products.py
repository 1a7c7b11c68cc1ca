"""Products of the constraint Jacobian with vectors, for the programming interface. Vectors are float64 arrays at addresses."""

from ..dynamics.sparsity import is_sparse
from ..machine.jit import stage
from ..machine.lang import array_at


@stage("vMDii")
def mul_jacobian(m, d, result, vector):
    """reads efc_J; writes nefc numbers at address `result`: Jacobian times the nv numbers at address `vector`."""
    y, x = array_at(result, d.nefc), array_at(vector, m.nv)
    sparse = is_sparse(m)
    for r in range(d.nefc):
        start, count = (d.efc_J_rowadr[r], d.efc_J_rownnz[r]) if sparse else (r * m.nv, m.nv)
        total = 0.0
        for k in range(count):
            total += d.efc_J[start + k] * x[d.efc_J_colind[start + k] if sparse else k]
        y[r] = total


@stage("vMDii")
def mul_jacobian_transposed(m, d, result, vector):
    """reads efc_J; writes nv numbers at address `result`: transposed Jacobian times the nefc numbers at address `vector`."""
    y, x = array_at(result, m.nv), array_at(vector, d.nefc)
    for i in range(m.nv):
        y[i] = 0.0
    sparse = is_sparse(m)
    for r in range(d.nefc):
        if x[r] != 0:
            start, count = (d.efc_J_rowadr[r], d.efc_J_rownnz[r]) if sparse else (r * m.nv, m.nv)
            for k in range(count):
                y[d.efc_J_colind[start + k] if sparse else k] += d.efc_J[start + k] * x[r]


__all__ = ["mul_jacobian", "mul_jacobian_transposed"]
