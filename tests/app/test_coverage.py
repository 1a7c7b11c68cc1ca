"""The inventory of the viewers is complete: every id has an implementation and an existing test, or a note on its
substitute."""

import ast
import importlib
from collections import Counter
from functools import cache

import pytest

from tests.app.coverage import COUNTS, rows
from tests.app.driver import ROOT


@cache
def functions(file):
    """Names of the test functions of a file."""
    path = ROOT / "tests" / file
    assert path.is_file(), f"no file {file}"
    return {n.name for n in ast.parse(path.read_text()).body if isinstance(n, ast.FunctionDef)}


def test_every_id_stands_once():
    found = Counter(i for ids, _where, _tests in rows() for i in ids)
    wanted = {f"{part}{number:03d}" for part, count in COUNTS.items() for number in range(1, count + 1)}
    assert set(found) == wanted, set(found) ^ wanted
    assert not [i for i, count in found.items() if count > 1]


@pytest.mark.parametrize("row", rows(), ids=lambda row: row[0][0])
def test_each_row_has_a_place_and_a_test(row):
    _ids, where, tests = row
    if where.startswith("-"):
        assert len(where) > 20, "says nothing"
    else:
        module, _, name = where.partition(":")
        found = importlib.import_module(f"tumble.{module}")
        assert not name or hasattr(found, name), f"{module} has no {name}"
        assert tests, "no test"
    for test in tests:
        file, _, name = test.partition("::")
        assert name in functions(file), f"no such test: {test}"
