"""Copies MuJoCo's whole MjData to ours, optionally without room for its rows; and compares many fields at once."""

from tests.mirror import difference as worst
from tests.mirror import mirror as fill
from tests.oracle import to_engine_model
from tumble.engine.core.data import MjData

ROWS = "efc_type efc_id efc_pos efc_margin efc_frictionloss efc_diagApprox efc_KBIP efc_D efc_R".split()
SPARSE = "efc_J_rownnz efc_J_rowadr efc_J_rowsuper efc_J_colind".split()


def mirror(ref, ref_data, tight=False):
    """(model, data) with all values of the reference's. `tight`: no room for rows, so stages have to request more."""
    m = to_engine_model(ref)
    d = MjData(m)
    fill(ref_data, d)
    if tight:
        d.nefc = d.nJ = d.nA = 0
        d.reserve({**d.capacities, "nefc_cap": 1, "nJ_cap": 1, "nA_cap": 0, "nH_cap": 0})
    return m, d


def compare(d, ref_data, names):
    """{field: worst difference} for the fields that differ at all."""
    errors = {n: worst(getattr(d, n), getattr(ref_data, n)) for n in names}
    return {n: e for n, e in errors.items() if e}
