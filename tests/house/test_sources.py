"""The helpers that read sources for the tests of this folder: all nodes of a file, and one test for each folder that lists all
wrong files."""

import ast

import pytest

from tests.house.sources import SOURCES, each_file, nodes, parsed


def test_nodes_are_those_of_the_standard_library():
    for path in SOURCES[::40]:
        assert list(map(id, nodes(path))) == list(map(id, ast.walk(parsed(path))))


def test_every_file_that_breaks_a_rule_is_told(tmp_path, monkeypatch):
    paths = [tmp_path / "a" / "one.py", tmp_path / "a" / "two.py", tmp_path / "b" / "three.py"]
    monkeypatch.setattr("tests.house.sources.ROOT", tmp_path)
    seen = []

    @each_file(paths)
    def test_rule(path):
        seen.append(path)
        assert path.stem == "three", "not three"

    (mark,) = test_rule.pytestmark
    assert list(mark.args[1]) == ["a", "b"]
    with pytest.raises(AssertionError, match="(?s)a/one.py: not three.*a/two.py: not three"):
        test_rule("a")
    test_rule("b")
    assert seen == paths
