"""Random drags on a real window: the grabbed point stays under the cursor.

    python -m tests.app.held [COUNT] [SEED]     COUNT drags of each kind, on all cameras, scales and speeds

A small bright ball is dragged by real events, and its position is read from the screen. The point that must not move depends on
the type of drag:

pan, pull     the ball follows the cursor; with a tracking camera a pan changes nothing
orbit         the point of the ball under the cursor is the pivot: it stays, and the ball's middle goes around it
zoom          the ball under the cursor stays
turn          the middle of the body stays
"""

from __future__ import annotations

import sys
import tempfile
import time
from itertools import product
from pathlib import Path

import numpy as np
from Xlib import Xatom, display

from tests.app.driver import PATIENT, PreparedViewer, XServer

KINDS = ("orbit", "pan", "zoom", "pull", "turn")
CAMERAS = ("perspective", "orthographic", "tracking")
SCALES = (100, 150, 200)
# a jump, and a path of small steps
SPEEDS = (1, 6)
PIXELS = 2.0
WINDOW = (700, 520)
# Only the view counts, and a software renderer must draw it quickly.
SETTINGS = {"adaptive": False, "info": False, "left": False, "right": False}
# Vertical angle of the picture, or its height in meters.
HIGH, RADIUS = {"perspective": 20.0, "orthographic": 1.5, "tracking": 20.0}, 0.022
VIEWS = {kind: f'fovy="{high}" orthographic="{str(kind == "orthographic").lower()}"' for kind, high in HIGH.items()}
XML = """<mujoco>
<visual><global azimuth="120" elevation="-40" {view}/><headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/>
<quality offsamples="0"/></visual>
<statistic center="0 0 .1" extent="1.6"/><option gravity="0 0 0"/>
<worldbody><geom type="plane" size="20 20 .1" pos="0 0 -3" rgba=".1 .2 .1 1"/>
<body pos="0 0 .1"><freejoint/><geom size="{radius}" rgba="1 0 1 1"/></body></worldbody></mujoco>"""
# Distance from the border of the view within which the ball stays, and the longest drag, as parts of the view.
MARGIN, FAR = 0.25, 0.2
# The ball is this many pixels wide, so that the center of its pixels is the grabbed point.
SMALLEST, LARGEST = 8, 26


def set_scale(server: XServer, percent: int) -> None:
    """Set the resolution that programs started from now on read, as a desktop does."""
    shown = display.Display(server.name)
    text = f"Xft.dpi:\t{round(0.96 * percent)}\n".encode()
    shown.screen().root.change_property(Xatom.RESOURCE_MANAGER, Xatom.STRING, 8, text)
    shown.sync()
    shown.close()


def ball(viewer: PreparedViewer) -> tuple[np.ndarray, float]:
    """Middle and width of the ball on the screen."""
    pixels = viewer.picture().astype(int)
    rows, columns = np.nonzero((pixels[..., 0] > 150) & (pixels[..., 1] < 90) & (pixels[..., 2] > 150))
    assert len(rows) > 8, "the ball is not seen"
    return np.array([columns.mean(), rows.mean()]), 2 * np.sqrt(len(rows) / np.pi)


def rested(viewer: PreparedViewer) -> np.ndarray:
    """Wait until the picture no longer changes; return the ball's position."""
    viewer.pictures(2)
    before, now = None, ball(viewer)[0]
    while before is None or np.abs(now - before).max() > 0.2:
        viewer.fresh()
        viewer.fresh()
        before, now = now, ball(viewer)[0]
    return now


class Eye:
    """The camera of a sample: directions right, up and back, and the size of the picture."""

    def __init__(self, row: dict, camera: str) -> None:
        azimuth, elevation = np.radians(row["azimuth"]), np.radians(row["elevation"])
        ca, sa, ce, se = np.cos(azimuth), np.sin(azimuth), np.cos(elevation), np.sin(elevation)
        forward = np.array([ce * ca, ce * sa, se])
        self.axes = np.array([[sa, -ca, 0], [-se * ca, -se * sa, ce], -forward])
        self.head = np.array(row["lookat"]) - row["distance"] * forward
        self.flat = camera == "orthographic"
        self.rect = np.array(row["rect"])
        self.scale = self.rect[3] / (HIGH[camera] if self.flat else 2 * np.tan(np.radians(HIGH[camera] / 2)))

    def inside(self, point: np.ndarray) -> np.ndarray:
        """Convert a point of the world to camera coordinates."""
        return self.axes @ (point - self.head)

    def pixel(self, point: np.ndarray) -> np.ndarray:
        """Return the window position of a point in camera coordinates."""
        across = point[:2] * self.scale / (1.0 if self.flat else -point[2])
        return self.rect[:2] + 0.5 * self.rect[2:] + across * (1, -1)

    def touched(self, middle: np.ndarray, pixel: np.ndarray) -> np.ndarray:
        """Return the point of the ball's surface under a pixel, given the ball's `middle`; both points are in camera
        coordinates."""
        across = (pixel - self.rect[:2] - 0.5 * self.rect[2:]) * (1, -1) / self.scale
        begin, way = (np.append(across, 0), np.array([0, 0, -1.0])) if self.flat else (np.zeros(3), np.append(across, -1.0))
        way = way / np.linalg.norm(way)
        near = (middle - begin) @ way
        aside = np.linalg.norm(begin + near * way - middle)
        return begin + (near - np.sqrt(max(0.0, RADIUS**2 - aside**2))) * way


class Hand:
    """Drags on one viewer. `worst`: (pixels, how) of each kind."""

    def __init__(self, viewer: PreparedViewer, camera: str, seed: int) -> None:
        self.viewer, self.camera = viewer, camera
        self.rng = np.random.default_rng(seed)
        self.worst: dict[str, tuple[float, str]] = dict.fromkeys(KINDS, (0.0, ""))
        viewer.started()
        viewer.key("space")
        viewer.until(lambda r: not r["running"], PATIENT)
        self.again()

    def again(self) -> None:
        """Return to the initial pose and camera, with the ball selected."""
        viewer = self.viewer
        for key in ("backspace", "esc", "ctrl+a"):
            viewer.key(key)
        self.rest()
        viewer.click(*rested(viewer).round(), times=2)
        viewer.until(lambda r: r["selected"] == 1)
        if self.camera == "tracking" and viewer.row()["camera"] != 1:
            viewer.hold("ctrl")
            viewer.click(*rested(viewer).round(), button=3, times=2)
            viewer.let_go("ctrl")
            viewer.until(lambda r: r["camera"] == 1, what="the camera tracks the ball")
        self.rest()

    def rest(self) -> None:
        """Move the mouse to a corner, because the text of a resting mouse must not cover the ball."""
        x, y, _w, h = self.viewer.row()["rect"]
        self.viewer.move(x + 8, y + h - 8)

    def shift(self) -> bool:
        """Choose randomly whether to drag in the horizontal plane, if the camera sees that plane from above."""
        return bool(self.rng.random() < 0.4) and abs(self.viewer.row()["elevation"]) > 25

    def target(self, begin: np.ndarray) -> np.ndarray:
        """Choose a point that is far enough for a drag."""
        x, y, w, h = self.viewer.row()["rect"]
        low, high = (x + MARGIN * w, y + MARGIN * h), (x + (1 - MARGIN) * w, y + (1 - MARGIN) * h)
        while True:
            to = np.clip(begin + self.rng.uniform(-FAR, FAR, 2) * (w, h), low, high).round()
            if np.abs(to - begin).max() >= 15:
                return to

    def do(self, kind: str, speed: int) -> float:
        """Do one drag; return the error of the ball's position in pixels."""
        viewer, (begin, width) = self.viewer, ball(self.viewer)
        if not SMALLEST <= width <= LARGEST or not self.inside(begin):
            self.again()
            begin, width = ball(viewer)
        start, to = begin.round(), self.target(begin)
        before = Eye(viewer.row(), self.camera)
        keys = ["ctrl"] if kind in ("pull", "turn") else []
        keys += ["shift"] if kind != "zoom" and self.shift() else []
        if kind == "zoom":
            notches = self.rng.integers(1, 4)
            viewer.move(*start)
            for _ in range(notches):
                button = 5 if width > 0.5 * (SMALLEST + LARGEST) else 4
                viewer.button(button, True)
                viewer.button(button, False)
        else:
            button = 1 if kind in ("orbit", "turn") else 3
            viewer.drag(*(to - start), button=button, keys=keys, start=tuple(start), steps=speed, release=kind != "pull")
        follows = kind == "pull" or kind == "pan" and self.camera != "tracking"
        if kind != "pull":
            self.rest()
        end = rested(viewer)
        if kind == "pull":
            viewer.button(3, False)
            viewer.let_go(*keys)
            self.rest()
            rested(viewer)
        wanted = begin + (to - start) if follows else begin
        if kind == "orbit" and self.camera != "tracking":
            wanted = begin + self.around(before, start)
        error = float(np.abs(end - wanted).max())
        how = f"{kind} {'+'.join(keys)} {self.camera} {start} to {to}, {speed} steps"
        self.worst[kind] = max(self.worst[kind], (error, how))
        assert not viewer.row()["menu"], how
        return error

    def around(self, before: Eye, start: np.ndarray) -> np.ndarray:
        """Return the distance in pixels by which the ball's middle moves if the camera orbits about the point under the
        cursor."""
        row = self.viewer.row()
        after, center = Eye(row, self.camera), np.array(row["xpos"][1])
        middle = before.inside(center)
        pivot = before.touched(middle, start)
        turned = pivot + after.axes @ before.axes.T @ (middle - pivot)
        return after.pixel(turned) - before.pixel(middle)

    def inside(self, at: np.ndarray) -> bool:
        """Whether a point is far enough from the borders of the view."""
        x, y, w, h = self.viewer.row()["rect"]
        share = (at - (x, y)) / (w, h)
        return bool((share > 0.2).all() and (share < 0.8).all())

    def all(self, count: int) -> None:
        """Do some drags of each kind, at the speeds in turn."""
        for kind in KINDS:
            self.again()
            for k in range(count):
                self.do(kind, SPEEDS[k % len(SPEEDS)])


def xml_of(camera: str) -> str:
    return XML.format(view=VIEWS[camera], radius=RADIUS)


def main() -> int:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    rows = list(product(CAMERAS, SCALES))
    each, failed, found = -(-count // len(rows)), 0, []
    for k, (camera, scale) in enumerate(rows):
        server = XServer()
        set_scale(server, scale)
        with tempfile.TemporaryDirectory() as name:
            path = Path(name) / "model.xml"
            path.write_text(xml_of(camera))
            viewer = PreparedViewer(server, Path(name), str(path), SETTINGS, WINDOW)
            begin = time.monotonic()
            try:
                hand = Hand(viewer, camera, seed + k)
                hand.all(each)
            finally:
                viewer.close()
                server.close()
        found.append(hand.worst)
        text = ", ".join(f"{kind} {hand.worst[kind][0]:.2f}" for kind in KINDS)
        print(
            f"{camera}, {scale} %, {each} of each kind: worst in pixels: {text} ({time.monotonic() - begin:.0f} s)", flush=True
        )
    for kind in KINDS:
        error, how = max(worst[kind] for worst in found)
        failed += error > PIXELS
        print(f"{kind}: {each * len(rows)} drags, worst {error:.2f} pixels: {how}")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
