"""What a frame of the viewer costs: processor time outside of the rasteriser, the renderer's lock, frame rate, stepping beside
it.

    python -m tests.bench.viewer [--frames N] [--geoms N]

Uses the display of the session, else an X server of its own with a software rasteriser. Times of parts are processor time of
the main thread, so that other work on the machine does not count; the lock, the frame rate and stepping are wall time.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# window of the comparison with the reference's own viewer
SIZE = (900, 600)
WARM_FRAMES = 30
STEP_SECONDS = 3.0
HUMANOID = Path(__file__).resolve().parents[2] / "assets" / "models" / "humanoid.xml"


def field(count: int) -> str:
    """`count` geoms on a grid, one in a hundred of them on a moving body."""
    shapes = (
        'type="box" size=".1 .1 .1"',
        'type="sphere" size=".12"',
        'type="capsule" size=".06 .1"',
        'type="cylinder" size=".1 .1"',
    )
    geoms, bodies = [], []
    for i in range(count):
        pos = f"{0.3 * (i % 100):g} {0.3 * (i // 100):g} "
        if i % 100:
            geoms.append(f'<geom {shapes[i % 4]} pos="{pos}.1" contype="0" conaffinity="0"/>')
        else:
            bodies.append(f'<body pos="{pos}1"><freejoint/><geom {shapes[i % 4]} contype="0" conaffinity="0"/></body>')
    return (
        '<mujoco><option gravity="0 0 0"/><statistic extent="20" center="15 15 0"/><worldbody><light pos="0 0 9"/>'
        f"{''.join(geoms)}{''.join(bodies)}</worldbody></mujoco>"
    )


class Clock:
    """Milliseconds of named parts, frame by frame."""

    def __init__(self) -> None:
        self.now: dict[str, float] = {}
        self.frames: list[dict[str, float]] = []

    def wrap(self, owner, name: str, part: str) -> None:
        """Time every call of a method as a part of the frame."""
        original = getattr(owner, name)

        def timed(*args, **kwargs):
            begin = time.thread_time()
            try:
                return original(*args, **kwargs)
            finally:
                self.now[part] = self.now.get(part, 0.0) + 1e3 * (time.thread_time() - begin)

        setattr(owner, name, timed)

    def end(self) -> None:
        self.frames.append(self.now)
        self.now = {}

    def rows(self) -> dict[str, list[float]]:
        parts = dict.fromkeys(part for frame in self.frames for part in frame)
        return {part: [frame.get(part, 0.0) for frame in self.frames] for part in parts}


def quantile(values, share: float) -> float:
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))]


def open_session(path: Path, folder: str, **settings):
    """A session with a physics thread on a model, ready to draw frames."""
    from tumble.app.config import Config
    from tumble.app.loading import Loader
    from tumble.app.window import Window

    config = Config(Path(folder) / "settings.json")
    for name, value in {"info": True, "profiler": True, **settings}.items():
        config[name] = value
    window = Window("bench", SIZE)
    from tumble.app.gui import Gui
    from tumble.app.opening import managed

    session = managed(window, Gui(window, "dark", 100, False), config, Loader())
    session.document.load(str(path))
    while session.snapshot.m is None or session.activity.frame_count < WARM_FRAMES:
        session.activity.wake()
        session.frame()
    return session


def frame_costs(name: str, path: Path, frames: int) -> None:
    """Median and 99th percentile of each part of a frame."""
    from imgui_bundle import imgui

    with tempfile.TemporaryDirectory() as folder:
        session = open_session(path, folder)
        clock = Clock()
        renderer = session.display.renderer
        clock.wrap(session.snapshot, "take", "copy")
        clock.wrap(session.interface, "draw", "panels")
        clock.wrap(imgui, "render", "panels")
        clock.wrap(session.view, "update", "scene")
        clock.wrap(renderer.list, "build", "draw list")
        clock.wrap(renderer, "_upload_surfaces", "upload")
        clock.wrap(renderer.instances, "upload", "upload")
        clock.wrap(renderer.lines, "upload", "upload")
        clock.wrap(session.telemetry, "sample", "profiler")
        session.snapshot.meter.holds.clear()
        begin = time.perf_counter()
        for _ in range(frames):
            session.activity.wake()
            session.frame()
            clock.end()
        rate = frames / (time.perf_counter() - begin)
        holds = [1e3 * h for h in session.snapshot.meter.holds]
        rows = clock.rows()
        total = [sum(frame.values()) for frame in clock.frames]
        print(
            f"{name}: {session.snapshot.m.ngeom} geoms, {rate:.1f} frames/s at {SIZE[0]}x{SIZE[1]}, effort row "
            f"{session.display.effort.index}"
        )
        for part, values in {**rows, "all of it": total}.items():
            print(f"    {part:12s} median {statistics.median(values):7.3f} ms   p99 {quantile(values, 0.99):7.3f} ms")
        print(
            f"    {'lock held':12s} median {statistics.median(holds):7.3f} ms   p99 {quantile(holds, 0.99):7.3f} ms "
            f"  max {max(holds):7.3f} ms"
        )
        session.close()


def stepping(path: Path) -> None:
    """Steps per second at unlimited speed: alone on a thread, and with the viewer drawing."""
    import tumble as mj
    from tumble.app.pacing import SPEEDS
    from tumble.app.simulation import Simulation
    from tumble.ui import intents as I

    m = mj.MjModel.from_xml_path(str(path))
    d = mj.MjData(m)
    mj.warmup(m)
    d.timing = 1
    sim = Simulation(m=m, d=d)
    sim.adopt(m, d, True)
    sim.speed = SPEEDS.index(float("inf"))
    sim.burst()
    begin, first = time.perf_counter(), sim.stepped
    while time.perf_counter() - begin < STEP_SECONDS:
        sim.burst()
    alone = (sim.stepped - first) / (time.perf_counter() - begin)
    with tempfile.TemporaryDirectory() as folder:
        session = open_session(path, folder)
        # a rasteriser in software takes the cores that the two threads are meant to have
        draw = type(session.display.pane).draw
        if os.environ.get("LIBGL_ALWAYS_SOFTWARE"):
            type(session.display.pane).draw = lambda self, scene, *_rest, **_more: self.renderer.list.build(
                scene, self.renderer.head
            )
        session.host.post(I.SetSpeed(SPEEDS.index(float("inf"))))
        for _ in range(WARM_FRAMES):
            session.frame()
        session.host.post(I.Reset())
        time.sleep(0.1)
        begin, first = time.perf_counter(), session.host.sim.stepped
        while time.perf_counter() - begin < STEP_SECONDS:
            session.frame()
        beside = (session.host.sim.stepped - first) / (time.perf_counter() - begin)
        type(session.display.pane).draw = draw
        session.close()
    print(f"stepping: {alone:,.0f} steps/s alone, {beside:,.0f} with the viewer ({100 * beside / alone:.0f} %)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--frames", type=int, default=150)
    parser.add_argument("--only", default="frames,field,stepping", help="parts to run")
    parser.add_argument("--geoms", type=int, default=10_000)
    options = parser.parse_args()
    server = None
    if not os.environ.get("DISPLAY"):
        from tests.app.driver import XServer

        server = XServer()
        os.environ["DISPLAY"], os.environ["LIBGL_ALWAYS_SOFTWARE"] = server.name, "1"
    try:
        if "frames" in options.only:
            frame_costs("humanoid", HUMANOID, options.frames)
        with tempfile.TemporaryDirectory() as folder:
            crowd = Path(folder) / "field.xml"
            crowd.write_text(field(options.geoms))
            if "field" in options.only:
                frame_costs("field", crowd, max(20, options.frames // 5))
        if "stepping" == options.only:
            stepping(HUMANOID)
        elif "stepping" in options.only:
            # a software rasteriser's helper threads would take the core that physics is meant to have
            subprocess.run(
                [sys.executable, "-m", "tests.bench.viewer", "--only", "stepping"],
                check=True,
                env={**os.environ, "LP_NUM_THREADS": "0"},
            )
    finally:
        if server:
            server.close()


if __name__ == "__main__":
    main()
