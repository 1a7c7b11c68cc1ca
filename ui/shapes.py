"""Shapes that scripts and panels add to the scene: spheres, lines, arrows and labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..engine.tables.enums import mjtCatBit, mjtGeom, mjtObj
from ..render.scene import MjvGeom
from ..render.scene.emit import DEFAULTS, IDENTITY, connector
from ..render.scene.record_arrays import Records

SPHERE, ARROW, LINE, LABEL = (int(mjtGeom[f"mjGEOM_{kind}"]) for kind in ("SPHERE", "ARROW", "LINE", "LABEL"))
ORANGE = (1.0, 0.55, 0.1, 1.0)


class Shapes:
    """Geoms in the form that MjvScene.append needs."""

    def __init__(self, count: int, kind: int, rgba: npt.ArrayLike, texts: Sequence[str] = (), /, **fields: Any) -> None:
        self.ngeom, self.geom = count, Records(MjvGeom, count)
        values = {
            **DEFAULTS,
            "type": kind,
            "objtype": int(mjtObj.mjOBJ_UNKNOWN),
            "category": int(mjtCatBit.mjCAT_DECOR),
            "objid": -1,
            "rgba": np.asarray(rgba, np.float32),
            "emission": 0.6,
            "mat": IDENTITY,
            **fields,
        }
        for name, value in values.items():
            getattr(self.geom, name)[:] = value
        self.geom.transparent[:] = self.geom.rgba[:, 3] < 1
        self.geom.label.update({k: str(text)[:99] for k, text in enumerate(texts) if text})


def places(points: npt.ArrayLike) -> np.ndarray:
    """Return positions as an array (n, 3). Raise ValueError if a number is not finite."""
    out = np.array(points, float).reshape(-1, 3)
    if not np.isfinite(out).all():
        raise ValueError("positions must be finite numbers")
    return out


def points(where: npt.ArrayLike, size: npt.ArrayLike = 0.02, rgba: npt.ArrayLike = ORANGE) -> Shapes:
    """Return spheres of radius `size` at positions."""
    at = places(where)
    return Shapes(len(at), SPHERE, rgba, pos=at, size=np.broadcast_to(np.asarray(size, float).reshape(-1, 1), (len(at), 3)))


def lines(where: npt.ArrayLike, width: float = 2.0, rgba: npt.ArrayLike = ORANGE, strip: bool = True) -> Shapes:
    """Return a polyline through all points or, without `strip`, a segment for each pair of points. `width` is in pixels."""
    at = places(where)
    begin, end = (at[:-1], at[1:]) if strip else (at[0 : len(at) // 2 * 2 : 2], at[1::2])
    return Shapes(len(begin), LINE, rgba, **connector(LINE, width, begin, end))


def arrows(where: npt.ArrayLike, to: npt.ArrayLike, width: float = 0.01, rgba: npt.ArrayLike = ORANGE) -> Shapes:
    """Return arrows between pairs of points."""
    begin, end = places(where), places(to)
    if len(begin) != len(end):
        raise ValueError(f"{len(begin)} start points, but {len(end)} end points")
    return Shapes(len(begin), ARROW, rgba, **connector(ARROW, width, begin, end))


def labels(where: npt.ArrayLike, texts: str | Sequence[str]) -> Shapes:
    """Return text labels at positions."""
    at, words = places(where), [texts] if isinstance(texts, str) else list(texts)
    if len(words) != len(at):
        raise ValueError(f"{len(words)} texts for {len(at)} positions")
    return Shapes(len(at), LABEL, (1, 1, 1, 1), words, pos=at)
