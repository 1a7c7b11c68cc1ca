"""The whitened Jacobian Y = J M^(-1/2), where M = L' D L: rows of efc_J times inv(L) sqrt(inv(D)).

MuJoCo computes it if the solver needs it: with PGS, noslip iterations or the flag `diagexact`.
"""

from typing import Any

import numpy as np

from ..dynamics.sparsity import is_sparse
from ..machine.interpret import plain
from ..tables.enums import mjtEnableBit, mjtSolver

_is_sparse = plain(is_sparse)
PGS = int(getattr(mjtSolver, "mjSOL_PGS"))
EXACT = int(mjtEnableBit.mjENBL_DIAGEXACT)


def has_rows(m: Any) -> bool:
    """Return whether MuJoCo would compute the whitened Jacobian of a model."""
    return m.opt.solver == PGS or m.opt.noslip_iterations > 0 or m.opt.enableflags & EXACT != 0


def whitened(d: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return (elements, length of each row, start of each row, columns). For a dense Jacobian, the last three are empty or
    zero."""
    m = d.model
    n = d.nefc
    none = np.zeros(n, np.int32)
    if not n or not has_rows(m):
        return np.zeros(0), none, none, np.zeros(0, np.int32)
    sparse = _is_sparse(m)
    rows, pattern = np.zeros((n, m.nv)), np.zeros((n, m.nv), bool)
    for r in range(n):
        if sparse:
            at = slice(int(d.efc_J_rowadr[r]), int(d.efc_J_rowadr[r]) + int(d.efc_J_rownnz[r]))
            rows[r, d.efc_J_colind[at]], pattern[r, d.efc_J_colind[at]] = d.efc_J[at], True
        else:
            rows[r] = d.efc_J.reshape(n, m.nv)[r]

    # Process one dof at a time, from the leaves to the roots.
    for i in range(m.nv - 1, -1, -1):
        last = int(m.M_rowadr[i] + m.M_rownnz[i]) - 1
        above = slice(int(m.M_rowadr[i]), last)
        rows[:, m.M_colind[above]] -= rows[:, i : i + 1] * d.qLD[above]
        pattern[:, m.M_colind[above]] |= pattern[:, i : i + 1]
        rows[:, i] /= np.sqrt(d.qLD[last])
    if not sparse:
        return rows.ravel(), none, none, np.zeros(rows.size, np.int32)
    each = pattern.sum(1).astype(np.int32)
    return rows[pattern], each, (np.cumsum(each) - each).astype(np.int32), np.nonzero(pattern)[1].astype(np.int32)
