"""Cost of a frame for its thread, and cost of open panels for stepping, compared with upper limits.

    python -m tests.bench.frames [--frames N] [--rounds N] [--geoms N] [--drawn]

Processor time of the drawing thread has two parts: `driver` is inside OpenGL calls, ImGui's renderer and the swap; `ours` is
the rest, which the bounds limit. A software rasterizer needs 150 ms for 10,000 geoms, and at that rate panels are drawn in
each frame; so with such a one the calls that fill pixels do nothing, and frames follow each other as with a graphics card.
With `--drawn` pixels are filled in any case. Stepping runs at unlimited speed,
alternating between the side windows alone and plots, contacts, explorer, doctor and state open. Its rate is measured by
wall time and by processor time of the thread that steps. Wall time has no bound, because other work on the machine adds to it.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

from tests.bench.viewer import HUMANOID, WARM_FRAMES, field, open_session, quantile

# milliseconds of our own processor time: median, 99th percentile
BOUNDS = {"humanoid": (2.7, 8.0), "field": (3.0, 10.0)}
# fraction of the rate without open panels
STEPPING = 0.95
STEP_SECONDS = 2.0
OPEN = ("plot", "contacts", "explorer", "doctor", "state")
CURVES = (("qpos", 16), ("qvel", 16), ("ctrl", 16), ("sensordata", 2))


# calls that measure what a timer takes
EMPTY = 20_000
# calls that fill pixels
FILLS = ("glDraw", "glMultiDraw", "glBlitFramebuffer", "glClear")


def nothing(*_args) -> None:
    """In place of a call that fills pixels."""


class Driver:
    """Return the seconds of processor time inside OpenGL since the last call."""

    def __init__(self, session, drawn: bool) -> None:
        from tumble.render.gl.state import GL

        self.seconds, self.calls, self.own = 0.0, 0, 0.0
        self.own = self.overhead()
        session.window.swap = self.timed(session.window.swap)
        # ImGui's own renderer calls OpenGL by itself
        session.gui.backend.draw = self.timed(session.gui.backend.draw)
        for name, function in list(vars(GL).items()):
            if name.startswith("gl") and callable(function):
                fills = name.startswith(FILLS) and not name.startswith("glDrawBuffer")
                setattr(GL, name, nothing if fills and not drawn else self.timed(function))

    def timed(self, function):
        """Return the same function with a timer."""

        def wrapped(*args):
            begin = time.thread_time()
            try:
                return function(*args)
            finally:
                self.calls += 1
                self.seconds += time.thread_time() - begin

        return wrapped

    def overhead(self) -> float:
        """Return the seconds that a timer takes outside of what it measures."""
        function = self.timed(nothing)
        begin = time.thread_time()
        for _ in range(EMPTY):
            function(0)
        whole = time.thread_time() - begin
        begin = time.thread_time()
        for _ in range(EMPTY):
            nothing(0)
        return max(0.0, (whole - self.take() - (time.thread_time() - begin)) / EMPTY)

    def take(self) -> float:
        """Return the accumulated time, with the timers' own time, and reset it."""
        seconds = self.seconds + self.calls * self.own
        self.seconds, self.calls = 0.0, 0
        return seconds


def costs(session, frames: int, drawn: bool) -> dict[str, list[float]]:
    """Milliseconds of each frame: `all` of it, in the `driver`, and `ours`."""
    driver, rows = Driver(session, drawn), {"all": [], "driver": [], "ours": []}
    while session.activity.touched:
        session.frame()
    for _ in range(frames):
        driver.take()
        begin = time.thread_time()
        session.frame()
        whole, inside = 1e3 * (time.thread_time() - begin), 1e3 * driver.take()
        for name, value in (("all", whole), ("driver", inside), ("ours", whole - inside)):
            rows[name].append(value)
    return rows


def told(title: str, rows: dict[str, list[float]], bounds: tuple[float, float]) -> bool:
    """Print the times; return whether they are within the bounds."""
    print(title)
    for name, values in rows.items():
        print(f"    {name:8s} median {statistics.median(values):7.3f} ms   p99 {quantile(values, 0.99):7.3f} ms")
    fine = statistics.median(rows["ours"]) <= bounds[0] and quantile(rows["ours"], 0.99) <= bounds[1]
    print(f"    {'kept' if fine else 'NOT KEPT'}: {bounds[0]:g} ms, p99 {bounds[1]:g} ms", flush=True)
    return fine


def spread(session, shown: bool) -> None:
    """Open the panels and plot the curves, or close them."""
    from tumble.ui import intents as I
    from tumble.ui.plotting import Plot, numbered

    m, d = session.snapshot.m, session.snapshot.d
    plots = [
        Plot("time", numbered(field, 0, min(count, getattr(d, field).size)))
        for field, count in CURVES
        if m is not None and getattr(d, field).size
    ]
    session.queue.extend(I.ShowPanel(name, shown) for name in OPEN)
    session.queue.append(I.SetPlots(tuple(plots) if shown else ()))
    for _ in range(WARM_FRAMES):
        session.activity.wake()
        session.frame()


def rate(session) -> tuple[float, float]:
    """Steps per second of wall time, and of processor time of the stepping thread, while frames are drawn."""
    clock = time.pthread_getcpuclockid(session.host.ident)
    before, begin, used = session.host.sim.stepped, time.perf_counter(), time.clock_gettime(clock)
    while time.perf_counter() - begin < STEP_SECONDS:
        session.frame()
    steps = session.host.sim.stepped - before
    return steps / (time.perf_counter() - begin), steps / (time.clock_gettime(clock) - used)


def stepping(path: Path, rounds: int) -> bool:
    """Compare stepping with and without open panels, alternating; return whether the bound is kept."""
    from tumble.app.pacing import SPEEDS
    from tumble.ui import intents as I

    sides: dict[bool, list[tuple[float, float]]] = {False: [], True: []}
    with tempfile.TemporaryDirectory() as folder:
        session = open_session(path, folder, info=False, profiler=False)
        # a software rasterizer occupies the cores that the two threads should have
        type(session.display.pane).draw = lambda self, scene, *_rest, **_more: self.renderer.list.build(
            scene, self.renderer.head
        )
        session.host.post(I.SetSpeed(SPEEDS.index(float("inf"))))
        for _ in range(rounds):
            for shown in (False, True):
                spread(session, shown)
                # the same motion on both sides
                session.host.post(I.Reset())
                sides[shown].append(rate(session))
        session.close()
    ratios = []
    for k, what in enumerate(("wall time", "processor time of its thread")):
        without, beside = (statistics.median(row[k] for row in sides[shown]) for shown in (False, True))
        ratios.append(beside / without)
        print(
            f"steps a second of {what}: {without:,.0f} without, {beside:,.0f} with plots and panels ({100 * ratios[-1]:.1f} %)"
        )
    fine = ratios[1] >= STEPPING
    print(f"    {'kept' if fine else 'NOT KEPT'}: {100 * STEPPING:g} % by processor time", flush=True)
    return fine


def main() -> int:
    parser = argparse.ArgumentParser(description="what a frame costs, and what panels cost stepping")
    parser.add_argument("--frames", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--geoms", type=int, default=10_000)
    parser.add_argument("--drawn", action="store_true", help="fill the pixels, also with a software rasterizer")
    options = parser.parse_args()
    server = None
    if not os.environ.get("DISPLAY"):
        from tests.app.driver import XServer

        # a rasterizer's helper threads would occupy the cores of the measured threads
        server = XServer()
        os.environ |= {"DISPLAY": server.name, "LIBGL_ALWAYS_SOFTWARE": "1", "LP_NUM_THREADS": "0"}
    drawn = options.drawn or not os.environ.get("LIBGL_ALWAYS_SOFTWARE")
    try:
        fine = []
        with tempfile.TemporaryDirectory() as folder:
            crowd = Path(folder) / "field.xml"
            crowd.write_text(field(options.geoms))
            for name, path, shown in (("humanoid", HUMANOID, False), ("humanoid", HUMANOID, True), ("field", crowd, False)):
                with tempfile.TemporaryDirectory() as settings:
                    session = open_session(path, settings)
                    spread(session, shown)
                    title = f"{name}, {session.snapshot.m.ngeom} geoms{', plots and panels open' * shown}"
                    fine.append(told(title, costs(session, options.frames, drawn), BOUNDS[name]))
                    session.close()
        fine.append(stepping(HUMANOID, options.rounds))
    finally:
        if server:
            server.close()
    return int(not all(fine))


if __name__ == "__main__":
    sys.exit(main())
