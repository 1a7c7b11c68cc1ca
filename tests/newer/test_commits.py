"""The list of commits is complete: each commit has a release and a category, and each change of behaviour has something that
covers it.
"""

import pathlib
import re

import pytest

from tumble.engine.tables import compat_rows

from .coverage import ROWS
from .test_coverage import PROOFS, is_refused

LINES = (pathlib.Path(__file__).parent / "commits.txt").read_text().splitlines()
# commits between tag 3.4.0 and the newest stored one
COMMITS = 1549
LINE = re.compile(r"([0-9a-f]{12}) (\d\.\d+(?:\.\d)?) (behaviour|no behaviour) (-|\d+\.\d+\.\d+/\d+|[a-z]+:\S+)")
FOUND = [match.groups() for match in map(LINE.fullmatch, LINES) if match]
PROVED = sorted({(release, cover) for _, release, _, cover in FOUND if ":" in cover})


def test_every_commit_is_sorted():
    assert len(FOUND) == COMMITS == sum(line[0] != "#" for line in LINES)
    assert len({commit for commit, *_ in FOUND}) == COMMITS
    assert all(compat_rows.key(release)[:2] > (3, 4) for _, release, *_ in FOUND)


def test_changes_of_behaviour_are_covered():
    assert [commit for commit, _, sort, cover in FOUND if sort == "behaviour" and cover == "-"] == []
    assert [commit for commit, _, sort, cover in FOUND if sort != "behaviour" and ":" in cover] == []


@pytest.mark.parametrize("release, cover", PROVED, ids=[cover for _, cover in PROVED])
def test_what_covers_a_commit_exists(release, cover):
    kind, _, name = cover.partition(":")
    if kind == "gone":
        assert compat_rows.key(release) <= compat_rows.key(name) < (4, 0)
    elif kind == "field":
        assert is_refused(cover)
    else:
        assert PROOFS[kind](name)
    # the page on releases names it as well, unless it is a part of a change that has a row of its own
    if kind == "fix":
        assert any(cover in row.evidence for row in ROWS)


def test_releases_with_changes_have_commits_that_change_behaviour():
    changed = {compat_rows.key(row.version)[:2] for row in compat_rows.ROWS}
    sorted_in = {compat_rows.key(release)[:2] for _, release, sort, _ in FOUND if sort == "behaviour"}
    assert {version for version in changed if version <= (3, 12)} <= sorted_in
