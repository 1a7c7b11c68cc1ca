"""Film recording in the window. The user starts and stops it; the window adds a frame whenever one is due."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from time import perf_counter as clock

import numpy as np

from .config import Config
from .film import FilmError, check_folder
from .messages import Messages
from .pacing import SPEEDS
from .record import Recorder, free_name
from .simulation import Status

# Seconds before the first frame. After each frame, recording pauses for this multiple of the time that the frame took.
FIRST, SHARE = 0.05, 2.0
# When the window closes, wait this many seconds for the film to be completed.
FILM_SECONDS = 20.0


class Filming:
    """Records at most one film at a time."""

    def __init__(self, config: Config, messages: Messages) -> None:
        self.config, self.messages = config, messages
        self.recorder: Recorder | None = None
        # Time before which no frame is taken, so that the window stays responsive.
        self._rest_until = 0.0
        # whether the next frame is the last one
        self._last = False

    @property
    def seconds(self) -> float | None:
        """Length of the film so far; None if none is being recorded."""
        return self.recorder.seconds if self.recorder is not None else None

    @property
    def ending(self) -> bool:
        """Whether the film is complete, but its completion has not been reported yet."""
        return self.recorder is not None and self.recorder.done.is_set()

    def begin(self, path: str, running: bool) -> None:
        """Start a film. An empty `path` selects an unused name in the folder from the settings. Errors are shown as a
        message."""
        if self.recorder is not None:
            return
        path = path or free_name(os.path.expanduser(self.config["record_folder"]) or os.getcwd())
        try:
            check_folder(path)
        except FilmError as error:
            self.messages.note("error", f"Cannot record: {error}; choose another folder under File > Recording settings")
            return
        self.recorder = Recorder(path, self.config["record_fps"])
        # Leave time to show the message before the first frame.
        self._rest_until = clock() + FIRST
        how = "" if os.path.splitext(path)[1].lower() != ".gif" else " as a GIF, because ffmpeg is not installed"
        paused = "" if running else "; the film continues while the simulation runs"
        self.messages.note("info", f"Recording {os.path.basename(path)}{how}{paused}", show=True)

    def end(self) -> None:
        """Complete the file after one last frame, so that the film is as long as the recording."""
        self._last = self.recorder is not None

    def feed(self, panels: bool, time: float, status: Status, pixels: Callable[[bool], np.ndarray]) -> None:
        """Add the frame that is due at a simulation time. `panels`: whether the frame shows the whole window with its panels,
        or only the view, before anything is drawn over it.
        """
        film = self.recorder
        if film is None or panels != self.config["record_panels"]:
            return
        if film.done.is_set():
            self.recorder = None
            self.messages.note("error" if film.error else "info", film.text, show=True)
            return
        speed = SPEEDS[status.speed] / 100
        if math.isinf(speed):
            speed = status.measured or 1.0
        now = clock()
        if film.due(time, speed) and (self._last or now >= self._rest_until):
            film.add(pixels(panels))
            # On a slow machine, leave time for the window; the film then repeats frames.
            self._rest_until = clock() + SHARE * (clock() - now)
        if self._last:
            self._last = False
            film.stop()

    def close(self) -> None:
        """Wait for the film to be complete."""
        if self.recorder is not None:
            self.recorder.join(FILM_SECONDS)
            print(self.recorder.text)
