"""Velocities of constraint rows, and the accelerations that the rows request."""

from ..core.stages import run
from ..dynamics.sparsity import is_sparse
from ..machine.jit import kernel, stage
from ..machine.lang import address_of, matrix_at
from ..math.dense import times as dense_times
from ..math.sparse import supernode_times, supernode_times_two
from ..tables.compat_rows import ADHESION, SURFACE, bit
from ..tables.stage_rows import stage_id

RATE, CONSTRAINT_RATE, SURFACE_VELOCITY = bit("jdot_bias"), stage_id("constraint_rate"), stage_id("surface_velocity")
ADHESIVE = stage_id("adhesive_rows")


@kernel
def row_velocity(m, d, y, x):
    """Set y = J x."""
    if is_sparse(m):
        supernode_times(y, d.efc_J, d.efc_J_rownnz, d.efc_J_rowadr, d.efc_J_colind, d.efc_J_rowsuper, x, d.nefc)
    else:
        dense_times(y, matrix_at(address_of(d.efc_J, 0), d.nefc, m.nv), x, d.nefc, m.nv)


@kernel
def two_row_velocities(m, d, y, x, z, w):
    """Set y = J x and z = J w."""
    if is_sparse(m):
        supernode_times_two(y, z, d.efc_J, d.efc_J_rownnz, d.efc_J_rowadr, d.efc_J_colind, d.efc_J_rowsuper, x, w, d.nefc)
    else:
        row_velocity(m, d, y, x)
        row_velocity(m, d, z, w)


@stage
def reference_constraint(m, d):
    """reads efc_J, efc_KBIP, efc_pos, efc_margin, qvel; writes efc_vel, efc_aref."""
    row_velocity(m, d, d.efc_vel, d.qvel)
    if m.features & SURFACE and not run(m, d, SURFACE_VELOCITY):
        return
    for r in range(d.nefc):
        spring = d.efc_KBIP[r, 0] * d.efc_KBIP[r, 2] * (d.efc_pos[r] - d.efc_margin[r])
        d.efc_aref[r] = -d.efc_KBIP[r, 1] * d.efc_vel[r] - spring
    if m.features & ADHESION and d.ncon and not run(m, d, ADHESIVE):
        return
    if m.neq and m.compat_bits & RATE:
        run(m, d, CONSTRAINT_RATE)
