"""Branches on lanes: all ways through a function are taken, one after the other, and what they leave is merged by selection.

    def sign(x):                      first run     x < 0 taken        returns -1.0
        if x < 0:               ──▶   second run    x < 0 not taken    returns 1.0      ──▶   select(x < 0, -1.0, 1.0)
            return -1.0
        return 1.0

An `if` without return, break or continue in it becomes two functions of what it assigns (`rewrite`), so that its ways meet behind it. A way that ends with
`Leave`, at a warning for example, counts for no lane: those that would have gone there are marked.
"""

from typing import Any

from .symbols import LEFT, Leave, Mask, Tape, Untraceable, select

# ways through one function: a test of each of many controls leaves by as many
MOST = 160
_NOTHING = object()


class Frame:
    """One run of a function: the decisions that are given, and those that were taken."""

    def __init__(self, given):
        self.given, self.taken = given, []

    def decide(self, mask) -> Any:
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
    """What a way left: the decisions on it, the value returned, {place: value} written; `left`: it led out of the straight line."""

    def __init__(self, taken, value, written, left):
        self.taken, self.value, self.written, self.left = taken, value, written, left


def merged(tape: Tape, mask, a: Way, b: Way) -> Way:
    """One way of two that part at a mask."""
    if a.left and b.left:
        return Way([], None, {}, True)
    places = dict.fromkeys((*a.written, *b.written))
    if a.left or b.left:
        stays, mark = (b, (mask, 1.0)) if a.left else (a, (mask, None))
        written = dict(stays.written)
        before = written.get(LEFT, tape.read(LEFT))
        written[LEFT] = select(mask, 1.0, before) if mark[1] else select(mask, before, 1.0)
        return Way([], stays.value, written, False)
    written = {}
    for place in places:
        values = [way.written[place] if place in way.written else _before(tape, place) for way in (a, b)]
        written[place] = select(mask, *values)
    return Way([], select(mask, a.value, b.value), written, False)


def _before(tape, place):
    # scratch that only one way has written
    return tape.read(place) if isinstance(place, int) else tape.memory.get(place)


def _merge(tape, ways, depth):
    if len(ways) == 1 and len(ways[0].taken) <= depth:
        return ways[0]
    mask = ways[0].taken[depth][0]
    sides = [_merge(tape, [w for w in ways if w.taken[depth][1] is side], depth + 1) for side in (True, False)]
    return merged(tape, mask, *sides)


def _run(tape, function, args, given):
    frame, start, value, left = Frame(given), len(tape.journal), None, False
    tape.frames.append(frame)
    try:
        value = function(*args)
    except Leave:
        left = True
    finally:
        tape.frames.pop()
    return frame, start, value, left


def explore(tape: Tape, function, args) -> Any:
    """The value of a function of lanes, with what it writes."""
    ways, given = [], []
    while True:
        frame, start, value, left = _run(tape, function, args, given)
        if not frame.taken:
            if left:
                raise Leave
            return value
        ways.append(Way(frame.taken, value, tape.undo(start), left))
        if len(ways) > MOST:
            raise Untraceable("too many ways through one function")
        given = [way for _, way in frame.taken]
        while given and not given[-1]:
            given.pop()
        if not given:
            return enter(tape, _merge(tape, ways, 0))
        given[-1] = False


def enter(tape: Tape, way: Way) -> Any:
    """What a way left becomes true; its value."""
    if way.left:
        raise Leave
    for place, value in way.written.items():
        tape.write(place, value)
    return way.value


def branch(tape: Tape, mask, then, otherwise, values) -> Any:
    """`if mask: ... else: ...` as functions of the variables that it assigns; their values behind it."""
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
