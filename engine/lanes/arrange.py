"""Arranges the operations of a trace so that few values wait for their use at the same time. Values that wait, and for which
no register is left, go to the stack and come back, which can take longer than the operations.

    order     an operation comes just before the first one that uses its result
    stores    as early as possible: then a value need not wait to be stored
    reloads   a value that lane memory holds anyway is loaded from there if it was last used long before
"""

import collections
from collections.abc import Sequence
from typing import Any

from .trace import Trace

# A value that was not used in this many operations is loaded again. With 30 or 300 instead, traced code of a chain of 20 bodies
# and of the humanoid takes 2 to 10 % longer.
FAR = 100


def live(trace: Trace) -> list[bool]:
    """For each operation, return whether any stored result depends on it."""
    needed = [False] * len(trace.rows)
    for value in trace.stores.values():
        if isinstance(value, int):
            needed[value] = True
    for k in range(len(trace.rows) - 1, -1, -1):
        if needed[k]:
            for x in _inputs(trace, k):
                needed[x] = True
    return needed


def loaded(trace: Trace) -> set[int]:
    """Return the elements of lane memory that the needed operations load."""
    return {operands[0] for (name, operands), used in zip(trace.rows, live(trace), strict=True) if used and name == "load"}


def _inputs(trace: Trace, k: int) -> list[int]:
    """Return the operations whose results operation k uses."""
    name, operands = trace.rows[k]
    return [] if name == "load" else [x for x in operands if isinstance(x, int)]


def _order(trace: Trace) -> list[int]:
    """Return the operations that are needed, each just before the first one that uses it."""
    # `registers`: the number of registers that an operation needs, if no other operation uses its inputs (R. Sethi and J. D.
    # Ullman, The generation of optimal code for arithmetic expressions, 1970)
    registers: list[int] = []
    for k in range(len(trace.rows)):
        counts = sorted((registers[x] for x in _inputs(trace, k)), reverse=True)
        registers.append(max([1, *(n + kept for kept, n in enumerate(counts))]))

    # Compute one stored result after the other. Of an operation's inputs, the one that needs most registers comes first.
    found: list[int] = []
    done = [False] * len(trace.rows)
    for value in sorted(x for x in trace.stores.values() if isinstance(x, int)):
        path = [value]
        while path:
            k = path[-1]
            missing = [x for x in _inputs(trace, k) if not done[x]]
            if missing:
                path.append(max(missing, key=registers.__getitem__))
            else:
                path.pop()
                if not done[k]:
                    done[k] = True
                    found.append(k)
    return found


def _stores(trace: Trace, order: list[int]) -> dict[int, list[tuple[int, Any]]]:
    """Return {position in `order`: (element, value) that can be stored after it}; position -1 is the beginning."""
    position = {k: n for n, k in enumerate(order)}
    # an element must be read before it is overwritten
    read = {trace.rows[k][1][0]: n for n, k in enumerate(order) if trace.rows[k][0] == "load"}
    found = collections.defaultdict(list)
    for element, value in sorted(trace.stores.items()):
        known = position[value] if isinstance(value, int) else -1
        found[max(known, read.get(element, -1))].append((element, value))
    return found


def arranged(trace: Trace) -> list[tuple[str, Sequence[Any]]]:
    """Return rows (operation, operands), like those of a trace, and with rows ("store", (element, value))."""
    order = _order(trace)
    made: list[tuple[str, Sequence[Any]]] = []
    stores = _stores(trace, order)
    # `place`: the row that computed a value, or loaded it last; `used`: the last row that used it; `home`: an element that has
    # it; `holds`: the value of an element
    place: dict[int, int] = {}
    used: dict[int, int] = {}
    home: dict[int, int] = {}
    holds: dict[int, int] = {}

    def operand(x: Any) -> Any:
        """Return the row of a value in its new place, which may be a new row, or a constant."""
        if not isinstance(x, int):
            return x
        if x in home and len(made) - used[x] > FAR:
            place[x] = len(made)
            made.append(("load", (home[x],)))
        used[x] = len(made)
        return place[x]

    for n in range(-1, len(order)):
        if n >= 0:
            k = order[n]
            name, operands = trace.rows[k]
            if name == "load":
                home[k], holds[operands[0]] = operands[0], k
            else:
                operands = tuple(operand(x) for x in operands)
            place[k] = used[k] = len(made)
            made.append((name, operands))
        for element, value in stores[n]:
            made.append(("store", (element, operand(value))))
            home.pop(holds.pop(element, -1), None)
            if isinstance(value, int):
                home[value], holds[element] = element, value
    return made
