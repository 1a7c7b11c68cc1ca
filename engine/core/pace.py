"""Slices of compiled calls that last: between two of them the interpreter sees signals such as Ctrl+C, and other threads can stop them."""

from time import perf_counter

# seconds of a slice: a step may take ten times as long as the last ones before Ctrl+C has to wait for 0.2 s
SLICE = 0.02
# times more steps than in the last slice
FASTER = 128


class Pace:
    """How many steps to make in one compiled call: one at first, then as many as a slice has time for."""

    __slots__ = ("start", "steps")

    def __init__(self, steps: int = 1) -> None:
        self.steps, self.start = steps, perf_counter()

    def update(self, done) -> None:
        """Take note that `done` steps were made since the last note."""
        now = perf_counter()
        each, self.start = (now - self.start) / max(done, 1), now
        self.steps = max(1, min(int(SLICE / max(each, 1e-9)), FASTER * self.steps))
