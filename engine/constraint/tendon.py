"""Rows of tendons: friction loss and length limits."""

from ..machine.jit import inline, stage
from .append_rows import FRICTION_TENDON, LIMIT_TENDON, put_tendon


@inline
def remember(d, t, row):
    """Store the index of the first row of a tendon."""
    if d.tendon_efcadr[t] == -1:
        d.tendon_efcadr[t] = row


@stage
def tendon_friction_rows(m, d):
    """reads ten_J; writes rows of friction loss, tendon_efcadr."""
    for t in range(m.ntendon):
        if m.tendon_frictionloss[t] > 0:
            row = d.nefc
            put_tendon(m, d, t, 1.0, FRICTION_TENDON, t, 0.0, 0.0, m.tendon_frictionloss[t], m.tendon_invweight0[t])
            remember(d, t, row)


@stage
def tendon_limit_rows(m, d):
    """reads ten_length, ten_J; writes rows of limits, tendon_efcadr."""
    for t in range(m.ntendon):
        if m.tendon_limited[t] == 0:
            continue
        side = -1.0
        for k in range(2):
            dist = side * (m.tendon_range[t, k] - d.ten_length[t])
            if dist < m.tendon_margin[t]:
                row = d.nefc
                put_tendon(m, d, t, -side, LIMIT_TENDON, t, dist, m.tendon_margin[t], 0.0, m.tendon_invweight0[t])
                remember(d, t, row)
            side = 1.0
