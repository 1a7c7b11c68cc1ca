"""Numbers as text. What did not change stays as it was written."""

from collections.abc import Sequence

# digits of what is written, and below which part of the largest number of a list (or of 1) a change is none
DIGITS, SAME = 8, 1e-9


def number_text(x: float) -> str:
    """A number in as few letters as its first digits need."""
    x = float(f"{x:.{DIGITS}g}")
    return str(int(x)) if x == int(x) and abs(x) < 1e15 else repr(x)


def numbers_text(values: Sequence[float], old: str = "") -> str:
    """Numbers as they are written behind each other; those that the old text has already keep their words."""
    words = old.split()
    scale = max([1.0, *map(abs, values)])
    values = [0.0 if abs(x) < SAME * scale else x for x in values]
    if len(words) != len(values):
        return " ".join(map(number_text, values))
    kept = [word if _is(word, x, scale) else number_text(x) for word, x in zip(words, values)]
    return old if kept == words else " ".join(kept)


def _is(word, x, scale):
    try:
        return abs(float(word) - x) <= SAME * scale
    except ValueError:
        return False
