"""Merging of texts by lines: changes of both sides are kept, or refused as a whole."""

import numpy as np
import pytest

from tumble.ui.merge import MOST_PAIRS, merge

BASE = "\n".join(f"line {k}" for k in range(12))


def edited(text, changes):
    """A text with {line: new line, or None to delete it, or "+..." to add one after it}."""
    out = []
    for k, line in enumerate(text.split("\n")):
        new = changes.get(k, line)
        out += [line, new[1:]] if new is not None and new.startswith("+") else [new] if new is not None else []
    return "\n".join(out)


@pytest.mark.parametrize(
    "mine,theirs",
    [
        ({1: "a"}, {9: "b"}),
        ({0: "+a"}, {5: None}),
        ({3: None, 7: "+x"}, {10: "+y"}),
        ({}, {4: "z"}),
        ({11: "+end"}, {0: "top"}),
    ],
)
def test_changes_apart_are_both_kept(mine, theirs):
    want = edited(BASE, {**mine, **theirs})
    assert merge(BASE, edited(BASE, mine), edited(BASE, theirs)) == want
    assert merge(BASE, edited(BASE, theirs), edited(BASE, mine)) == want


@pytest.mark.parametrize(
    "mine,theirs",
    [({4: "a"}, {4: "b"}), ({4: "a"}, {5: "b"}), ({4: "+a"}, {4: "+b"}), ({4: None}, {4: "b"}), ({4: None}, {3: "+b"})],
)
def test_changes_that_touch_are_refused(mine, theirs):
    assert merge(BASE, edited(BASE, mine), edited(BASE, theirs)) is None


def test_the_same_change_counts_once():
    assert merge(BASE, edited(BASE, {4: "a", 9: "c"}), edited(BASE, {4: "a", 1: "b"})) == edited(BASE, {4: "a", 9: "c", 1: "b"})


def test_random_changes_apart():
    """Each side changes lines of its own, with an untouched line between: nothing of either is lost."""
    rng = np.random.default_rng(3)
    for _ in range(300):
        base = "\n".join(f"{k} {'same' if rng.random() < 0.3 else rng.integers(9)}" for k in range(30))
        sides = ({}, {})
        for k in range(0, 30, 2):
            side = sides[rng.integers(2)]
            if rng.random() < 0.5:
                side[k] = [f"new {rng.integers(99)}", None][rng.integers(2)]
        got = merge(base, edited(base, sides[0]), edited(base, sides[1]))
        assert got in (edited(base, {**sides[0], **sides[1]}), None)
        assert got is not None or "same" in base


def test_large_texts_are_merged_at_once():
    """Large texts are merged without comparing all pairs of lines, which would take minutes."""
    count = int(1.5 * MOST_PAIRS**0.5)
    base = "\n".join("<geom/>" for _ in range(count))
    mine = "\n".join("<site/>" for _ in range(count))
    assert merge(base, mine, base + "\n<end/>") is None
    assert merge(base, mine, base) == mine
