"""Fields of the later interface contain the same values as in 4.0.1, with the same shapes and types; see record_fields."""

import pathlib

import numpy as np
import pytest

import tumble.v4 as mj

from .fields import MODELS, measured

RECORD = np.load(pathlib.Path(__file__).parent / "fields.npz")
# largest error relative to the largest number of a field; numbers below the floor count as zero
CLOSE, FLOOR = 1e-6, 1e-3


@pytest.mark.parametrize("key", MODELS)
def test_fields(key):
    assert str(RECORD["version"]) == mj.__version__
    wrong = []
    for name, found in measured(mj, MODELS[key]).items():
        wanted = RECORD[f"{key}/{name}"]
        same = found.shape == wanted.shape and found.dtype == wanted.dtype
        gap = np.abs(np.asarray(found, float) - np.asarray(wanted, float)).max(initial=0) if same else np.inf
        if not gap <= CLOSE * max(np.abs(np.asarray(wanted, float)).max(initial=0), FLOOR):
            wrong.append((name, found.shape, wanted.shape, found.dtype, wanted.dtype, gap))
    assert not wrong


def test_fields_are_not_empty():
    """Each field is nonzero in some model, except sizes of features that no model uses, and one index that is always 0."""
    seen = {name.partition("/")[2] for name, x in RECORD.items() if name != "version" and np.any(x)}
    every = {name.partition("/")[2] for name in RECORD if name != "version"}
    unused = {"m.nplastic", "m.nhistory", "m.npluginstate", "f.nefmK", "f.nefmL", "m.ten_J_colind"}
    assert every - seen <= unused
