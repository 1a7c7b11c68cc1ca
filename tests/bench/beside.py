"""Frames per second of this viewer and of the reference's `simulate`, in turns on one display: same window, same model.

    python -m tests.bench.beside [--seconds S] [--rounds N]

Both show the humanoid with the information text and the profiler, drawn by a rasteriser in software. Frames are counted
from outside, by how often the strip of the window changes that changes most: the running simulation moves it with every frame.
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
from typing import Any

import numpy as np
from Xlib import XK, X, display
from Xlib.ext import xtest

from tests.app.driver import Viewer, XServer
from tests.bench.viewer import HUMANOID, SIZE

# simulate takes two thirds of the screen
SCREEN = (SIZE[0] * 3 // 2, SIZE[1] * 3 // 2)
# rows of pixels that are looked at, and seconds between two looks: far shorter than a frame of either
STRIP = 16
LOOK = 0.003
# seconds until the picture is steady; the effort of this viewer has settled by then
SETTLE = 12.0


def biggest(root: Any) -> Any:
    """The top-level window that covers most."""

    def area(window: Any) -> int:
        geometry = window.get_geometry()
        return geometry.width * geometry.height

    return max(root.query_tree().children, key=area)


def liveliest(root: Any, x: int, y: int, width: int, height: int) -> int:
    """The first row of the strip of a window that changes most within a second."""
    pictures = []
    for _ in range(2):
        data = root.get_image(x, y, width, height, X.ZPixmap, 0xFFFFFFFF).data
        pictures.append(np.frombuffer(data, np.uint8).reshape(height, -1))
        time.sleep(1.0)
    changed = np.count_nonzero(pictures[0] != pictures[1], axis=1)
    return int(np.argmax(np.convolve(changed, np.ones(STRIP, int), "valid")))


def count(root: Any, window: Any, seconds: float) -> float:
    """Different pictures per second of the liveliest strip of a window."""
    geometry = window.get_geometry()
    origin = root.translate_coords(window, 0, 0)
    y = origin.y + liveliest(root, origin.x, origin.y, geometry.width, geometry.height)
    seen, last, begin = -1, b"", time.perf_counter()
    while time.perf_counter() - begin < seconds:
        data = root.get_image(origin.x, y, geometry.width, STRIP, X.ZPixmap, 0xFFFFFFFF).data
        if data != last:
            seen, last = seen + 1, data
        time.sleep(LOOK)
    return seen / (time.perf_counter() - begin)


def reference(server: XServer, seconds: float) -> float:
    """`simulate` as the reference's package starts it, F2 and F3 pressed."""
    process = subprocess.Popen(
        [sys.executable, "-m", "mujoco.viewer", f"--mjcf={HUMANOID}"],
        stderr=subprocess.DEVNULL,
        env=dict(os.environ, DISPLAY=server.name, LIBGL_ALWAYS_SOFTWARE="1"),
    )
    connection = display.Display(server.name)
    root = connection.screen().root
    try:
        time.sleep(SETTLE / 2)
        for name in ("F2", "F3"):
            for kind in (X.KeyPress, X.KeyRelease):
                xtest.fake_input(connection, kind, connection.keysym_to_keycode(XK.string_to_keysym(name)))
                connection.sync()
                time.sleep(0.3)
        time.sleep(SETTLE / 2)
        window = biggest(root)
        geometry = window.get_geometry()
        assert abs(geometry.width - SIZE[0]) < 8 and abs(geometry.height - SIZE[1]) < 8, f"{geometry.width}x{geometry.height}"
        return count(root, window, seconds)
    finally:
        process.kill()
        process.wait()
        connection.close()


def ours(server: XServer, seconds: float) -> tuple[float, dict]:
    """This viewer; also the last row of its own trace."""
    with tempfile.TemporaryDirectory() as name:
        viewer = Viewer(server, Path(name), str(HUMANOID), {"info": True, "profiler": True}, SIZE)
        try:
            viewer.started()
            time.sleep(SETTLE)
            return count(viewer._root, viewer.window(), seconds), viewer.row()
        finally:
            viewer.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--rounds", type=int, default=2)
    options = parser.parse_args()
    server = XServer(SCREEN)
    theirs, mine = [], []
    try:
        for _ in range(options.rounds):
            theirs.append(reference(server, options.seconds))
            rate, row = ours(server, options.seconds)
            mine.append(rate)
            print(
                f"simulate {theirs[-1]:5.1f} frames/s   here {rate:5.1f} (it says {row['fps']:.1f}; effort row "
                f"{row['quality']}, "
                f"{100 * row['measured']:.0f} % of real time)",
                flush=True,
            )
    finally:
        server.close()
    if min(theirs) > 0:
        print(f"ratio {statistics.median(mine) / statistics.median(theirs):.2f}")


if __name__ == "__main__":
    main()
