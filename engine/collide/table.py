"""Pair table: the collision function for each pair of geom types, lower type first, as listed in tables.geom_rows.

Each function is a stage `count = family(m, d, geom1, geom2, margin)` that fills `d.manifold`. NONE means that a pair does not
collide. A user's function (see core.pair_hooks) replaces the family.
"""

import numpy as np

from ..core.stages import stage_address, table_entry
from ..machine.jit import inline
from ..tables.geom_rows import KINDS, ROWS
from ..tables.stage_rows import GEOM_TYPES, USER_PAIRS, stage_id

NONE = -1
FAMILY = np.full((KINDS, KINDS), NONE, np.int64)
for _row in ROWS:
    for _other, _name in zip(ROWS, _row.pairs, strict=False):
        if _name:
            FAMILY[_other.number, _row.number] = stage_id(f"collide_{_name}")


@inline
def user_function(d, type1, type2):
    """Return the address of the user-defined function for a pair of geom types, lower type first, or 0 if there is none."""
    return table_entry(d, USER_PAIRS + GEOM_TYPES * type1 + type2)


@inline
def pair_function(d, type1, type2):
    """Return the address of the collision function for a pair of geom types. Return NONE if the types do not collide, 0 if the
    step must stop."""
    address = user_function(d, type1, type2)
    if address != 0:
        return address
    family = FAMILY[type1, type2]
    return NONE if family == NONE else stage_address(d, family)
