"""Finds names that are not taken yet. All automatic numbers in names are assigned here."""

from collections.abc import Callable, Container

# numbers that are tried one by one
FEW = 100


def free_name(
    name: str, taken: Container[str] | Callable[[str], bool], first: int = 2, form: str = "{}_{}", always: bool = False
) -> str:
    """Return a name that is not taken: `name` itself, else `name` with the first free number.

    taken    the names in use, or a function that returns whether a name is in use
    first    the first number; if a hundred numbers from there are taken, a later free number may be used
    form     how name and number are joined
    always   number the name even if it is free
    """
    in_use = taken if callable(taken) else taken.__contains__
    if not always and not in_use(name):
        return name
    for number in range(first, first + FEW):
        if not in_use(text := form.format(name, number)):
            return text

    # With many equal names, trying all numbers would take time that grows with their square: double the steps, then bisect.
    last, free = first + FEW - 1, first + FEW
    while in_use(form.format(name, free)):
        last, free = free, 2 * free - first
    while free - last > 1:
        middle = (last + free) // 2
        last, free = (middle, free) if in_use(form.format(name, middle)) else (last, middle)
    return form.format(name, free)
