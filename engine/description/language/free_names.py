"""Finds names that are not taken yet. All automatic numbers in names are assigned here."""

import itertools
from collections.abc import Callable, Container


def free_name(
    name: str, taken: Container[str] | Callable[[str], bool], first: int = 2, form: str = "{}_{}", always: bool = False
) -> str:
    """Return a name that is not taken: `name` itself, else `name` with the first free number.

    taken    the names in use, or a function that returns whether a name is in use
    first    the first number
    form     how name and number are joined
    always   number the name even if it is free
    """
    in_use = taken if callable(taken) else taken.__contains__
    if not always and not in_use(name):
        return name
    return next(text for number in itertools.count(first) if not in_use(text := form.format(name, number)))
