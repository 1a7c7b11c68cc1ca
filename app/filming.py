"""A film of the window: begun and ended by the person, fed with the pictures that it lacks."""

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

# seconds before the first picture; time that the window has after each, in parts of what it took
FIRST, SHARE = 0.05, 2.0
# for a film to be complete when the window closes
FILM_SECONDS = 20.0


class Filming:
    """At most one film at a time."""

    def __init__(self, config: Config, messages: Messages) -> None:
        self.config, self.messages = config, messages
        self.recorder: Recorder | None = None
        # the window has its turn until then
        self._rest_until = 0.0
        # the next picture is the last one
        self._last = False

    @property
    def seconds(self) -> float | None:
        """Length of the film so far; None without one."""
        return self.recorder.seconds if self.recorder is not None else None

    @property
    def ending(self) -> bool:
        """A film is complete, and that has not been said yet."""
        return self.recorder is not None and self.recorder.done.is_set()

    def begin(self, path: str, running: bool) -> None:
        """A new film, of a free name in the folder of the settings if `path` is empty; a message if it cannot be written."""
        if self.recorder is not None:
            return
        path = path or free_name(os.path.expanduser(self.config["record_folder"]) or os.getcwd())
        try:
            check_folder(path)
        except FilmError as error:
            self.messages.note("error", f"cannot record: {error}; choose another folder under File > What is recorded")
            return
        self.recorder = Recorder(path, self.config["record_fps"])
        # the window says that it records before it takes the first picture
        self._rest_until = clock() + FIRST
        how = "" if os.path.splitext(path)[1].lower() != ".gif" else " as a GIF, because ffmpeg is not installed"
        paused = "" if running else "; the film goes on while the simulation runs"
        self.messages.note("info", f"recording {os.path.basename(path)}{how}{paused}", show=True)

    def end(self) -> None:
        """One last picture, so that the film is as long as what it shows; then it is written to the end."""
        self._last = self.recorder is not None

    def feed(self, panels: bool, time: float, status: Status, pixels: Callable[[bool], np.ndarray]) -> None:
        """Give the film the picture it lacks at a simulation time: the view before anything is drawn over it, or the window
        with panels.
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
            # a film on a slow machine repeats pictures; it does not take all the time of the window
            self._rest_until = clock() + SHARE * (clock() - now)
        if self._last:
            self._last = False
            film.stop()

    def close(self) -> None:
        """Wait for the film to be complete."""
        if self.recorder is not None:
            self.recorder.join(FILM_SECONDS)
            print(self.recorder.text)
