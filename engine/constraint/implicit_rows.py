"""Constraint rows of the integrator `discrete`: each row's spring and damper are evaluated at the end of the step.

With v+ = v + h a and r+ = r + h v+, a row with  a = -b v+ - k r+  requires

    a = -(b v + k (r + h v)) s        with  s = 1 / (1 + h b + h^2 k)

and is 1 / s times as stiff: R becomes s R. A row acts on the effective inertia (see dynamics.metric), so R is also scaled by
the ratio of two sums over dofs of J^2 / M: one with the diagonal of the effective inertia, one with that of M (MuJoCo's manual,
Computation, Integrators).
"""

from ..core.stages import run
from ..machine.jit import stage
from ..tables.compat_rows import ADHESION
from ..tables.stage_rows import stage_id
from .impedance import set_impedance

CONSTRAINT_RATE, ADHESIVE = stage_id("constraint_rate"), stage_id("adhesive_rows")


@stage
def implicit_rows(m, d):
    """reads rows, qvel by efc_vel, efm_sdiag, M, efc_bare; writes efc_KBIP, efc_R, efc_D, efc_diagApprox, efc_aref,
    contact_mu.
    """
    set_impedance(m, d, True)
    h = m.opt.timestep
    for r in range(d.nefc):
        k, b = d.efc_KBIP[r, 0] * d.efc_KBIP[r, 2], d.efc_KBIP[r, 1]
        d.efc_aref[r] = -(b * d.efc_vel[r] + k * (d.efc_pos[r] - d.efc_margin[r] + h * d.efc_vel[r]))
    if m.neq and not run(m, d, CONSTRAINT_RATE):
        return
    for r in range(d.nefc):
        d.efc_aref[r] /= 1 + h * d.efc_KBIP[r, 1] + h * h * d.efc_KBIP[r, 0] * d.efc_KBIP[r, 2]
    if m.features & ADHESION and d.ncon:
        run(m, d, ADHESIVE)
