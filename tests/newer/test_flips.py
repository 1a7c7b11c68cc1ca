"""Each silent change of a step matters in some model: with it switched off alone, 4.0 gives other numbers."""

from typing import Any

import numpy as np
import pytest

import tumble
from tumble.engine.tables import compat_rows

from .cases import CASES, measure
from .sleep import MODELS, run

# changes that no model of the cases shows by stepping, and why
ELSEWHERE: dict[str, str] = {}


def numbers(m: Any, name: str) -> np.ndarray:
    """Return what a case or a simulation compares, in one array."""
    d = tumble.MjData(m)
    if name in MODELS:
        return run(tumble, m, d, name).ravel()
    return np.concatenate([x.ravel() for x in measure(tumble, m, d, name, "").values()])


@pytest.fixture(scope="module")
def shown():
    """{change of a step: a model that has other numbers without it}."""
    left = {row.name for row in compat_rows.ROWS if row.where == "step"}
    found = {}
    for name in (*MODELS, *CASES):
        m = tumble.MjModel.from_xml_string((MODELS.get(name) or CASES[name])[0], compat="4.0")
        held, before = m.compat_bits, numbers(m, name)
        for change in sorted(left):
            m.compat_bits = held & ~compat_rows.bit(change)
            # A release without the change may refuse what the model does.
            try:
                after = numbers(m, name)
            except (tumble.FatalError, ValueError):
                found[change] = name
                continue
            if after.shape != before.shape or not np.array_equal(after, before, equal_nan=True):
                found[change] = name
        left -= set(found)
    return found


@pytest.mark.parametrize("change", [row.name for row in compat_rows.ROWS if row.where == "step"])
def test_without_one_change_some_model_differs(change, shown):
    assert (change in shown) != (change in ELSEWHERE), shown.get(change)
