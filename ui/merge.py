"""Three-way merge of texts, line by line."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import NamedTuple

# If there are more pairs of lines in the changed parts than this, a line-by-line comparison would take too long. The parts then
# count as one change.
MOST_PAIRS = 4_000_000


class Hunk(NamedTuple):
    """One change: lines `begin` to `end` of the base text are replaced by `lines`."""

    begin: int
    end: int
    lines: tuple[str, ...]


def merge(base: str, mine: str, theirs: str) -> str | None:
    """Return `base` with the changes of both texts. Return None if their changes touch the same or neighboring lines."""
    old = base.split("\n")
    own, foreign = hunks(old, mine.split("\n")), hunks(old, theirs.split("\n"))
    # If both texts have the same change, apply it once.
    both = set(own)
    foreign = [hunk for hunk in foreign if hunk not in both]
    if any(a.begin <= b.end and b.begin <= a.end for a in own for b in foreign):
        return None
    out, at = [], 0
    for hunk in sorted((*own, *foreign)):
        out += [*old[at : hunk.begin], *hunk.lines]
        at = hunk.end
    return "\n".join([*out, *old[at:]])


def hunks(old: list[str], new: list[str]) -> list[Hunk]:
    """Return the changes that turn `old` into `new`, in order."""
    # Skip equal lines at the beginning and at the end.
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    a, b = old[head : len(old) - tail], new[head : len(new) - tail]
    if not a and not b:
        return []
    if len(a) * len(b) > MOST_PAIRS:
        return [Hunk(head, len(old) - tail, tuple(b))]
    rows = SequenceMatcher(None, a, b).get_opcodes()
    return [Hunk(head + i, head + j, tuple(b[k:m])) for kind, i, j, k, m in rows if kind != "equal"]
