"""What sizes depend on: the order of degrees of freedom, sparsity, frames that coincide, names.

adds   body: sameframe; geom: sameframe; site: sameframe
"""

import numpy as np

from ..language.types import BODY_ROTATION, DIFFERENT, INERTIA_ROTATION, SAME_BODY, SAME_INERTIA
from .names import name_buffer, path_buffer
from .sparse import dof_tree, matrices, simple

FRAME_EPS = 1e-6


def _near(a, b):
    return (np.abs(a - b) < FRAME_EPS).all(1)


def sameframe(pos, quat, ipos=None, iquat=None) -> np.ndarray:
    """How frames relate to the body's and its inertia's, as mjtSameFrame."""
    zero = _near(pos, 0)
    unit = _near(quat, (1, 0, 0, 0)) | _near(-quat, (1, 0, 0, 0))
    out = np.where(zero & unit, SAME_BODY, np.where(unit, BODY_ROTATION, DIFFERENT))
    if ipos is not None:
        turn = _near(quat, iquat) | _near(-quat, iquat)
        out = np.where(out != DIFFERENT, out,
                       np.where(turn & _near(pos, ipos), SAME_INERTIA, np.where(turn, INERTIA_ROTATION, DIFFERENT)))
    return out


def prepare(c) -> None:
    """What sizes depend on: the order of dofs and the sparsity."""
    body = c.body
    c.nv = dof_tree(c)
    body.sameframe = sameframe(body.ipos, body.iquat)
    simple(c, FRAME_EPS)
    c.index = matrices(c, c.nv)
    c.index["_chains"] = np.empty(int(c.index["D_diag"].sum() + c.nv) if c.nv else 0, bool)
    for table in (c.geom, c.site):
        if table.n:
            table.sameframe = sameframe(table.pos, table.quat, body.ipos[table.body], body.iquat[table.body])
    name_buffer(c)
    path_buffer(c)
