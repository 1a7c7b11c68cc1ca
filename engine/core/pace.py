"""Divides long compiled calls into time slices. Between slices, Python handles signals such as Ctrl+C, and other threads can
stop the call."""

from time import perf_counter

# length of a slice in seconds: even if steps become ten times slower, Ctrl+C is delayed by only 0.2 s
SLICE = 0.02
# maximum ratio of the numbers of steps in two consecutive slices
FASTER = 128


class Pace:
    """The number of steps in one compiled call: one at first, then as many as fit into a slice."""

    __slots__ = ("start", "steps")

    def __init__(self, steps: int = 1) -> None:
        self.steps, self.start = steps, perf_counter()

    def update(self, done: int) -> None:
        """Adjust `steps` after `done` steps since the last update."""
        now = perf_counter()
        spent, self.start = now - self.start, now
        most = FASTER * self.steps
        steps = int(SLICE * (done or 1) / spent) if spent > 0 else most
        self.steps = most if steps > most else steps or 1
