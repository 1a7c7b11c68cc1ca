"""Branches on lanes: all paths through a function run one after the other, and select instructions merge their results.

    def sign(x):                      first run     x < 0 taken        returns -1.0
        if x < 0:               ──▶   second run    x < 0 not taken    returns 1.0      ──▶   select(x < 0, -1.0, 1.0)
            return -1.0
        return 1.0

An `if` without return, break or continue becomes two functions of the variables it assigns (`rewrite`), so its paths merge
right after it. A path that ends with `Leave`, for example at a warning, has no result: the lanes that would have taken it
are marked.
"""

from collections.abc import Callable, Sequence
from typing import Any

from .symbols import LEFT, Leave, Mask, Tape, Untraceable, select

# maximum number of paths through one function; a function with many early returns can reach it
MOST = 160
_NOTHING = object()


class Frame:
    """One run of a function: its prescribed branch decisions, and the decisions actually taken."""

    def __init__(self, given: list[bool]) -> None:
        self.given, self.taken = given, []

    def decide(self, mask: Mask) -> Any:
        """Return the direction of a branch: as before for the same mask, else as prescribed, else True."""
        for known, way in self.taken:
            if known.place == mask.place:
                return way
        k = len(self.taken)
        way = self.given[k] if k < len(self.given) else True
        self.taken.append((mask, way))
        if k > MOST:
            raise Untraceable("too many branches on lanes in one function")
        return way


class Way:
    """The result of a path: its decisions, its returned value, and its writes as {element or scratch cell: value}. `left`: the
    path raised Leave."""

    def __init__(self, taken: list[tuple[Any, bool]], value: Any, written: dict[Any, Any], left: bool) -> None:
        self.taken, self.value, self.written, self.left = taken, value, written, left


def merged(tape: Tape, mask: Mask, a: Way, b: Way) -> Way:
    """Merge two paths that split at a branch on `mask`."""
    if a.left and b.left:
        return Way([], None, {}, True)
    places = dict.fromkeys((*a.written, *b.written))

    # mark the lanes whose path is excluded from the vectorized step
    if a.left or b.left:
        stays, mark = (b, (mask, 1.0)) if a.left else (a, (mask, None))
        written = dict(stays.written)
        before = written.get(LEFT, tape.read(LEFT))
        written[LEFT] = select(mask, 1.0, before) if mark[1] else select(mask, before, 1.0)
        return Way([], stays.value, written, False)

    # select each written value
    written = {}
    for place in places:
        values = [way.written[place] if place in way.written else _before(tape, place) for way in (a, b)]
        written[place] = select(mask, *values)
    return Way([], select(mask, a.value, b.value), written, False)


def _before(tape: Tape, place: Any) -> Any:
    """Return the value that an element or scratch cell had before the branch; None for scratch that only one path has
    written."""
    return tape.read(place) if isinstance(place, int) else tape.memory.get(place)


def _merge(tape: Tape, ways: list[Way], depth: int) -> Way:
    """Merge paths by their decisions, from the deepest branch upward."""
    if len(ways) == 1 and len(ways[0].taken) <= depth:
        return ways[0]
    mask = ways[0].taken[depth][0]
    sides = [_merge(tape, [w for w in ways if w.taken[depth][1] is side], depth + 1) for side in (True, False)]
    return merged(tape, mask, *sides)


def _run(tape: Tape, function: Callable[..., Any], args: Sequence[Any], given: list[bool]) -> tuple[Frame, int, Any, bool]:
    """Run a function with prescribed branch decisions. Return (its Frame, the length of the tape's undo log before the run, its
    value, whether it raised Leave)."""
    frame, start, value, left = Frame(given), len(tape.journal), None, False
    tape.frames.append(frame)
    try:
        value = function(*args)
    except Leave:
        left = True
    finally:
        tape.frames.pop()
    return frame, start, value, left


def explore(tape: Tape, function: Callable[..., Any], args: Sequence[Any]) -> Any:
    """Run all paths of a function; apply the merged writes and return the merged value."""
    ways, given = [], []
    while True:
        frame, start, value, left = _run(tape, function, args, given)

        # without a branch there is only one path
        if not frame.taken:
            if left:
                raise Leave
            return value

        # undo the writes of this run, then try the next combination of decisions
        ways.append(Way(frame.taken, value, tape.undo(start), left))
        if len(ways) > MOST:
            raise Untraceable("too many paths through one function")
        given = [way for _, way in frame.taken]
        while given and not given[-1]:
            given.pop()
        if not given:
            return enter(tape, _merge(tape, ways, 0))
        given[-1] = False


def enter(tape: Tape, way: Way) -> Any:
    """Apply the writes of a path; return its value."""
    if way.left:
        raise Leave
    for place, value in way.written.items():
        tape.write(place, value)
    return way.value


def branch(tape: Tape, mask: Any, then: Callable[..., Any], otherwise: Callable[..., Any], values: tuple) -> Any:
    """Run `if mask: ... else: ...`. The branches are functions of the variables that they assign; return these variables."""
    if not isinstance(mask, Mask):
        return then(*values) if mask else otherwise(*values)
    ways = []
    for function in (then, otherwise):
        start, value, left = len(tape.journal), None, False
        try:
            value = explore(tape, function, values)
        except Leave:
            left = True
        ways.append(Way([], value, tape.undo(start), left))
    return enter(tape, merged(tape, mask, *ways))
