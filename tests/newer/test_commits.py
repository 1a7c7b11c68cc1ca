"""The list of commits is complete: each commit has a release and a category."""

import pathlib
import re

from tumble.engine.tables import compat_rows

LINES = (pathlib.Path(__file__).parent / "commits.txt").read_text().splitlines()
# commits between tag 3.4.0 and the newest stored one
COMMITS = 1549
LINE = re.compile(r"([0-9a-f]{12}) (\d\.\d+(?:\.\d)?) (behaviour|no behaviour) (-|\d+\.\d+\.\d+/\d+)")


def test_every_commit_is_sorted():
    found = [LINE.fullmatch(line) for line in LINES if line[0] != "#"]
    assert len(found) == COMMITS and all(found)
    rows = [match.groups() for match in found if match]
    assert len({commit for commit, *_ in rows}) == COMMITS
    assert all(compat_rows.key(release)[:2] > (3, 4) for _, release, *_ in rows)


def test_releases_with_changes_have_commits_that_change_behaviour():
    changed = {compat_rows.key(row.version)[:2] for row in compat_rows.ROWS}
    sorted_in = {compat_rows.key(m[2])[:2] for m in map(LINE.fullmatch, LINES) if m and m[3] == "behaviour"}
    assert {version for version in changed if version <= (3, 12)} <= sorted_in
