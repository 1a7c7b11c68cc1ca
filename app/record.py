"""Records the window at the pace of the simulation: a second of film is a second of simulation time. If the simulation runs
faster than real time, a second of film is a second of wall-clock time.

The main thread only hands over frames; another thread compresses and writes them. If that thread falls behind, a frame is
dropped and the previous one is shown longer. So neither the window nor physics waits, and the film keeps its timing.
"""

from __future__ import annotations

import os
import queue
import threading
from typing import Any

import numpy as np

from .film import FilmError, ffmpeg, open_film

# maximum number of frames in the queue of the writing thread
WAITING = 8
NAME = "recording_{:02d}{}"


def free_name(folder: str) -> str:
    """Return an unused file name in the folder, with the suffix of the best available format."""
    suffix = ".mp4" if ffmpeg() else ".gif"
    number = 1
    while os.path.exists(path := os.path.join(folder, NAME.format(number, suffix))):
        number += 1
    return path


class Recorder:
    """Records one film. `due` returns whether a frame is needed now, `add` queues it, and `stop` ends the film. `done` is set
    when the file is complete.
    """

    def __init__(self, path: str, fps: float) -> None:
        self.path, self.fps = os.path.abspath(path), fps
        self.seconds, self.count, self.left_out = 0.0, 0, 0
        self.error = ""
        self.done = threading.Event()
        self._last: float | None = None
        self._shape: tuple[int, ...] = ()
        self._queue: queue.Queue[tuple[np.ndarray, int]] = queue.Queue(WAITING)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="recorder", daemon=True)
        self._thread.start()

    def due(self, time: float, speed: float = 1.0) -> bool:
        """Return whether the film needs a frame at this simulation time. Jumps back in time are ignored."""
        if self.done.is_set() or self._stop.is_set():
            return False
        if self._last is not None and time > self._last:
            self.seconds += (time - self._last) / max(1.0, speed)
        self._last = time
        return self._missing() > 0

    def _missing(self) -> int:
        return int(self.seconds * self.fps + 1e-6) + 1 - self.count

    @property
    def behind(self) -> bool:
        """Whether the film needs a frame."""
        return self._missing() > 0

    def add(self, image: np.ndarray) -> None:
        """Queue the current frame, (h, w, 3) bytes, for writing. All frames get the size of the first one."""
        self._shape = self._shape or image.shape
        missing = self._missing()
        try:
            self._queue.put_nowait((fitted(image, self._shape), missing))
            self.count += missing
        except queue.Full:
            self.left_out += 1

    def stop(self) -> None:
        """End the film; return at once."""
        self._stop.set()

    def join(self, seconds: float) -> bool:
        """End the film and wait at most `seconds` until the file is complete."""
        self.stop()
        self._thread.join(seconds)
        return self.done.is_set()

    @property
    def text(self) -> str:
        """A message about the result."""
        if self.error:
            return f"Recording failed: {self.error}"
        if not self.count:
            return "Nothing was recorded: no time passed"
        late = f"; {self.left_out} pictures were left out because this machine was too slow" if self.left_out else ""
        return f"Saved {self.path} ({self.count / self.fps:.1f} s, {self.count} pictures{late})"

    def _run(self) -> None:
        film: Any = None
        try:
            while True:
                try:
                    image, times = self._queue.get(timeout=0.05)
                except queue.Empty:
                    if self._stop.is_set():
                        break
                    continue
                film = film or open_film(self.path, self.fps, image.shape, live=True)
                film.add(image, times)
        except Exception as error:
            self.error = str(error) if isinstance(error, FilmError) else f"{type(error).__name__}: {error}"
        try:
            if film is not None:
                film.close()
        except Exception as error:
            self.error = self.error or str(error)
        self.done.set()


def fitted(image: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Return the image centered in an image of this shape, cropped or with a black border. A film cannot change its size."""
    if image.shape == shape:
        return image
    out = np.zeros(shape, np.uint8)
    rows, columns = (min(a, b) for a, b in zip(image.shape[:2], shape[:2]))
    (y, x), (v, u) = (((s[0] - rows) // 2, (s[1] - columns) // 2) for s in (image.shape, shape))
    out[v : v + rows, u : u + columns] = image[y : y + rows, x : x + columns]
    return out
