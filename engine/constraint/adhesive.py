"""Rows of contacts that pull (see `dynamics.adhesion`): the wanted normal acceleration is raised by the attraction."""

from ..dynamics.adhesion import contact_adhesion, edges_of
from ..machine.jit import stage


@stage
def adhesive_rows(m, d):
    """reads contacts, efc_R; adds to efc_aref: R times the adhesion, shared by the edges of a pyramid."""
    for k in range(d.ncon):
        row = d.contact_efc_address[k]
        force = contact_adhesion(m, d, k) if row >= 0 else 0.0
        edges = edges_of(m, d, k)
        for r in range(row, row + edges if force != 0 else row):
            d.efc_aref[r] += d.efc_R[r] * force / edges
