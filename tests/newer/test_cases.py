"""What later releases added or changed, in numbers: compiled fields, forward dynamics and a step are those that 4.0.1 recorded."""
import pathlib

import numpy as np
import pytest

import tumble

from .cases import CASES, ROWS, SMOOTH, SOLVED, measure, unpacked

RECORDS = dict(np.load(pathlib.Path(__file__).parent / "records.npz"))
# largest error over the largest number of a field: sums in another order; contacts, and rows that divide by small numbers; what a solver stops at
SUMS, CONTACTS, SOLVER = 1e-9, 1e-8, 1e-7
LIMIT = dict.fromkeys(SMOOTH, SUMS) | dict.fromkeys(ROWS, CONTACTS) | dict.fromkeys(SOLVED, SOLVER)
# numbers below this count as none
FLOOR = 1e-3


def error(found, expected):
    """Largest difference over the largest number."""
    if found.size != expected.size:
        return np.inf
    return float(np.abs(found.ravel() - expected).max(initial=0) / max(np.abs(expected).max(initial=0), FLOOR))


def test_records_are_of_the_oracle():
    assert str(RECORDS["version"]) == "4.0.1" and {key.split(".")[0] for key in RECORDS} == {*CASES, "version"}


@pytest.mark.parametrize("name", CASES)
def test_case(name):
    xml, fields = CASES[name]
    m = tumble.MjModel.from_xml_string(xml, compat="4.0")
    recorded = unpacked(RECORDS, name, fields)
    for key, x in measure(tumble, m, tumble.MjData(m), name, fields).items():
        kind, _, field = key.partition(".")
        limit = SUMS if kind == "model" else SOLVER if kind == "step" else LIMIT[field]
        assert error(x, recorded[key]) < limit, f"{key}\n{x.ravel()}\n{recorded[key]}"


# cases in which a switched change counts: 3.4 must give other numbers
SWITCHED = ("connect_bodies", "connect_sites", "weld_bodies", "weld_sites", "margins", "margin_pair")


@pytest.mark.parametrize("name", SWITCHED)
def test_the_switch_counts(name):
    m = tumble.MjModel.from_xml_string(CASES[name][0])
    found, recorded = measure(tumble, m, tumble.MjData(m), name, CASES[name][1]), unpacked(RECORDS, name, CASES[name][1])
    assert max(error(found[f"step.{n}"], recorded[f"step.{n}"]) for n in ("qpos", "qvel")) > SOLVER
