"""Compares what a script returns with the record of 4.0.1."""

import numpy as np


def check(name, found, records, limit):
    """Assert that the {key: value} of a script equals its records: texts exactly, numbers within a limit, relative to the
    largest number of an array.
    """
    found = {f"{name}.{key}": np.array(value) for key, value in found.items()}
    assert found.keys() == {key for key in records if key.startswith(f"{name}.")}
    for key, value in found.items():
        recorded = records[key]
        if recorded.dtype.kind in "US":
            assert value.tolist() == recorded.tolist(), key
            continue
        assert value.shape == recorded.shape, (key, value.shape, recorded.shape)
        # NaN marks missing values, such as those beyond the last contact
        here, wanted = value.astype(float), recorded.astype(float)
        assert np.array_equal(np.isnan(here), np.isnan(wanted)), key
        here, wanted = np.nan_to_num(here), np.nan_to_num(wanted)
        worst, size = np.abs(here - wanted).max(initial=0), max(1, np.abs(wanted).max(initial=0))
        assert worst < limit * size, f"{key}\n{value}\n{recorded}"
