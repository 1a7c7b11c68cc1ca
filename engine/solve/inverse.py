"""Constraint forces for given accelerations. Constraints are soft, so the motion determines the forces without a solver."""

from ..constraint.reference import row_velocity
from ..constraint.update import joint_forces, update_all
from ..machine.jit import stage


@stage
def inv_constraint(m, d):
    """reads rows, qacc; writes efc_force, efc_state, qfrc_constraint: the constraint forces that belong to these
    accelerations.
    """
    for i in range(m.nv):
        d.qfrc_constraint[i] = 0.0
    if d.nefc > 0:
        row_velocity(m, d, d.solve_jar, d.qacc)
        for r in range(d.nefc):
            d.solve_jar[r] -= d.efc_aref[r]
        update_all(m, d, d.solve_jar, False)
        joint_forces(m, d)
