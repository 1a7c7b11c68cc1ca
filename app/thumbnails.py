"""Small pictures of model files for the chooser. Another process reads and draws the models, so the window never waits for
them, and a damaged file cannot harm it.

Pictures are kept in a folder beside the settings, by the path, time and size of their file.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from .. import engine as mj
from ..engine.description.robots.packages import split
from ..engine.machine.systems import APART, step_back
from ..render import scene as mjv
from ..render.offscreen import Renderer
from .loading import read_model
from .staging import Stage

# Name of the folder; number of pictures kept; their size in pixels.
FOLDER, MOST, WIDTH, HEIGHT = "thumbnails", 400, 256, 192
# Maximum seconds for one picture; seconds without requests after which the process ends.
LONGEST, IDLE = 60.0, 20.0
# the stage's base color; floor and sky are lighter or darker shades of it
COLOR = (0.22, 0.26, 0.33)
LIGHTING = "pixel"


class Thumbnails:
    """Pictures by path. `picture(path)` returns one or requests it; `changed()` is called when one is ready."""

    def __init__(self, folder: Path, changed: Callable[[], object]) -> None:
        self.folder, self.changed = folder, changed
        self.made: dict[str, np.ndarray | None] = {}
        self._wanted: list[str] = []
        self._wake = threading.Event()
        self._thread: threading.Thread | None = None
        self._process: subprocess.Popen | None = None
        self._stop = False

    def picture(self, path: str) -> np.ndarray | None:
        """Return the picture of a file as (height, width, 3) bytes; None if it is not made yet, or cannot be made."""
        if path not in self.made and path not in self._wanted:
            self._wanted.append(path)
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="thumbnails", daemon=True)
                self._thread.start()
            self._wake.set()
        return self.made.get(path)

    def _run(self) -> None:
        while not self._stop:
            if not self._wanted:
                self._wake.clear()
                if not self._wake.wait(IDLE) and not self._wanted:
                    break
                continue
            path = self._wanted[0]
            self.made[path] = self._picture(path)
            self._wanted.remove(path)
            self.changed()
        self._end()

    def _picture(self, path: str) -> np.ndarray | None:
        try:
            target = self.folder / f"{key_of(path)}.png"
            if not target.exists():
                self.folder.mkdir(parents=True, exist_ok=True)
                self._draw(path, str(target))
            with Image.open(target) as image:
                return np.asarray(image.convert("RGB"))
        except (OSError, ValueError):
            return None

    def _draw(self, path: str, target: str) -> None:
        """Let the process draw a picture. Terminate the process if it takes too long."""
        if self._process is None or self._process.poll() is not None:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", f"from {__name__} import work; work()"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "TUMBLE_QUIET": "1"},
                creationflags=APART,
                start_new_session=True,
            )
        process = self._process
        assert process.stdin is not None and process.stdout is not None
        late = threading.Timer(LONGEST, process.kill)
        late.daemon = True
        late.start()
        try:
            process.stdin.write(json.dumps([path, target]).encode() + b"\n")
            process.stdin.flush()
            process.stdout.readline()
        finally:
            late.cancel()

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    pipe.close()
        prune(self.folder)

    def stop(self) -> None:
        """End the process and the thread."""
        self._stop = True
        self._wanted.clear()
        self._wake.set()
        if (process := self._process) is not None:
            process.kill()
        if self._thread is not None:
            self._thread.join(5.0)


def key_of(path: str) -> str:
    """Return the file name of a model file's picture. OSError if the model file is missing."""
    file = split(path)[0]
    state = os.stat(file)
    return hashlib.sha256(f"{path}\0{state.st_mtime_ns}\0{state.st_size}".encode("utf-8", "surrogatepass")).hexdigest()[:32]


def prune(folder: Path) -> None:
    """Remove the oldest pictures if there are too many."""
    try:
        old = sorted(folder.glob("*.png"), key=lambda file: file.stat().st_mtime)[:-MOST]
        for file in old:
            file.unlink()
    except OSError:
        # Another window may have removed the file.
        return


# --- the other process -------------------------------------------------------------------------------------------


def work() -> None:
    """Draw pictures. Each line of standard input is a list: path of the model, path of the picture. Answer each with a line."""
    step_back(10)
    for line in sys.stdin.buffer:
        path, target = json.loads(line)
        begin = time.perf_counter()
        try:
            draw(path, target)
            answer = ""
        except Exception as error:
            # A file may cause any exception; the chooser then shows the model without a picture.
            answer = f"{type(error).__name__}: {error}"
        sys.stdout.write(json.dumps([answer, time.perf_counter() - begin]) + "\n")
        sys.stdout.flush()


def draw(path: str, target: str) -> None:
    """Write a picture of a model in its reference pose."""
    m = read_model(path)
    d = mj.MjData(m)
    mj.mj_kinematics(m, d)
    mj.mj_comPos(m, d)
    mj.mj_camlight(m, d)
    glob = m.vis.global_
    glob.offwidth, glob.offheight = max(WIDTH, glob.offwidth), max(HEIGHT, glob.offheight)
    with Painter(m, HEIGHT, WIDTH, max_geom=100_000, lighting=LIGHTING) as renderer:
        image = picture(m, d, renderer)
    # Write another file and rename it, so that the window never reads half a picture.
    aside = f"{target}.{os.getpid()}"
    Image.fromarray(image).save(aside, "PNG")
    os.replace(aside, target)


class Painter(Renderer):
    """A Renderer that can draw the stage's sky."""

    def sky(self, stage: Stage) -> None:
        """Draw the sky of a stage."""
        assert self._gl is not None
        self._gl.renderer.gradient = stage.gradient() if stage.sky else None


def picture(m: Any, d: Any, renderer: Painter) -> np.ndarray:
    """Return a picture of a model on its stage."""
    stage, cam = Stage(m), mjv.MjvCamera()
    stage.color = COLOR
    mjv.mjv_defaultFreeCamera(m, cam)
    if stage.whole:
        stage.frame(m, cam)
    renderer.update_scene(d, cam)
    stage.put(renderer.scene)
    renderer.sky(stage)
    return renderer.render()
