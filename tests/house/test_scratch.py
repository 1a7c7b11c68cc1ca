"""Cells of shared scratch arrays: no two orders share one, and all lie in their array."""

from tumble.engine.tables import scratch
from tumble.engine.tables.schema import SCHEMAS


def test_cells_of_the_problem_are_distinct_and_fit():
    cells = [
        *range(scratch.PROBLEM),
        scratch.OPERATION,
        scratch.CONES,
        scratch.HAD_CONES,
        scratch.UPDATES,
        scratch.NONZEROS,
        scratch.FLEX_CONTACT,
    ]
    (size,) = SCHEMAS["MjData"].fields["work_problem"].dims
    assert len(set(cells)) == len(cells) and max(cells) < size
