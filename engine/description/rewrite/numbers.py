"""Numbers as text; unchanged numbers keep their notation."""

from collections.abc import Sequence

# Number of digits written. A change smaller than SAME times the largest number of a list (at least 1) is ignored.
DIGITS, SAME = 8, 1e-9


def number_text(x: float) -> str:
    """Return a number with DIGITS significant digits, as short as possible."""
    x = float(f"{x:.{DIGITS}g}")
    return str(int(x)) if x == int(x) and abs(x) < 1e15 else repr(x)


def numbers_text(values: Sequence[float], old: str = "") -> str:
    """Return a list of numbers as text; numbers that have not changed keep their old notation."""
    words = old.split()
    scale = max([1.0, *map(abs, values)])
    values = [0.0 if abs(x) < SAME * scale else x for x in values]
    if len(words) != len(values):
        return " ".join(map(number_text, values))
    kept = [word if _is(word, x, scale) else number_text(x) for word, x in zip(words, values)]
    return old if kept == words else " ".join(kept)


def _is(word: str, x: float, scale: float) -> bool:
    try:
        return abs(float(word) - x) <= SAME * scale
    except ValueError:
        return False
