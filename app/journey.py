"""Camera motion during a film: the camera stays, circles once, or moves between the model's cameras."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.spatial.transform import Rotation, RotationSpline

TURN = 360.0


class Journey:
    """A camera that stays in place."""

    def __init__(self, m: Any, cam: Any) -> None:
        self.m, self.cam = m, cam

    @contextmanager
    def at(self, d: Any, k: int, count: int) -> Iterator[Any]:
        """Yield the camera for frame k of `count`. Inside the context, the cameras in the Data may be moved."""
        yield self.cam


class Turntable(Journey):
    """The free camera circles once around its look-at point, so that the film can be played in a loop."""

    def __init__(self, m: Any, cam: Any) -> None:
        super().__init__(m, cam)
        self.first = cam.azimuth

    @contextmanager
    def at(self, d: Any, k: int, count: int) -> Iterator[Any]:
        self.cam.azimuth = self.first + TURN * k / count
        yield self.cam


class Path(Journey):
    """The camera moves smoothly from one model camera to the next; the model's cameras may move, too. The film starts
    at the first of them and ends at the last.
    """

    def __init__(self, m: Any, cam: Any, stations: Sequence[int]) -> None:
        super().__init__(m, cam)
        self.stations = list(stations)

    @contextmanager
    def at(self, d: Any, k: int, count: int) -> Iterator[Any]:
        m, first = self.m, self.stations[0]
        places = d.cam_xpos, d.cam_xmat, m.cam_fovy
        kept = [np.array(rows[first]) for rows in places]
        for rows, value in zip(places, self.pose(d, k / max(1, count - 1)), strict=True):
            rows[first] = value
        try:
            yield self.cam
        finally:
            for rows, value in zip(places, kept, strict=True):
                rows[first] = value

    def pose(self, d: Any, share: float) -> tuple[np.ndarray, np.ndarray, float]:
        """Return the camera's position (3,), axes (9,) and field of view in degrees, at a fraction of the path."""
        times = np.linspace(0.0, 1.0, len(self.stations))
        turns = Rotation.from_matrix(np.asarray(d.cam_xmat)[self.stations].reshape(-1, 3, 3))
        place = CubicSpline(times, np.asarray(d.cam_xpos)[self.stations], bc_type="clamped")(share)
        view = CubicSpline(times, np.asarray(self.m.cam_fovy)[self.stations], bc_type="clamped")(share)
        return place, RotationSpline(times, turns)(share).as_matrix().ravel(), float(view)
