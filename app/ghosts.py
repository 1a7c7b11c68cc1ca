"""Ghosts: recorded motions, shown beside the simulation as transparent copies of the model at the displayed time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import engine as mj
from ..render import scene as mjv
from .trajectory import Trajectory, turns_of

# number of extra rows in a scene, beyond the model's geoms
SPARE = 8
DECOR, DYNAMIC = int(mj.mjtCatBit.mjCAT_DECOR), int(mj.mjtCatBit.mjCAT_DYNAMIC)
UNKNOWN, GEOM = int(mj.mjtObj.mjOBJ_UNKNOWN), int(mj.mjtObj.mjOBJ_GEOM)
# Geoms coincide if their positions, relative to the model's extent, and their rotation matrices differ by less than this.
SAME = 1e-3
# Colors of successive ghosts, and their share when mixed with the model's colors.
TINTS = ((0.35, 0.65, 1.0), (1.0, 0.7, 0.25), (0.45, 0.9, 0.5), (0.95, 0.45, 0.75))
MIX = 0.6
OPACITY = 0.4


@dataclass
class Ghost:
    """A motion and how it is shown. `offset`: the simulation time at which the motion starts, in seconds."""

    motion: Trajectory
    tint: tuple[float, float, float]
    offset: float = 0.0
    opacity: float = OPACITY
    loop: bool = False
    visible: bool = True


class Ghosts:
    """All ghosts of one Model. Without ghosts, this costs no time."""

    def __init__(self, m: mj.MjModel, before: Ghosts | None = None) -> None:
        self.m = m
        # After an edit of the model, keep the ghosts if their motions still fit.
        fits = (
            before is not None
            and (before.m.nq, before.m.nmocap) == (m.nq, m.nmocap)
            and (turns_of(before.m) == turns_of(m)).all()
        )
        self.rows: list[Ghost] = list(before.rows) if before is not None and fits else []
        self._count = len(self.rows)
        self._d: mj.MjData | None = None
        self._scene: Any = None
        self._opt: Any = None
        # the geom of each row of the scene, or -1
        self._ids = np.zeros(0, int)

    def add(self, motion: Trajectory, offset: float = 0.0) -> Ghost:
        """Show a motion."""
        ghost = Ghost(motion, TINTS[self._count % len(TINTS)], offset)
        self._count += 1
        self.rows.append(ghost)
        return ghost

    def pose(self, ghost: Ghost, time: float) -> mj.MjData:
        """Return a Data with the pose of a ghost at a simulation time. The next call overwrites it."""
        if self._d is None:
            self._d = mj.MjData(self.m)
        ghost.motion.put(self._d, time - ghost.offset, ghost.loop)
        return self._d

    def put(self, scn: Any, time: float, view: Any) -> None:
        """Append the geoms of all visible ghosts to a scene, at a simulation time."""
        for ghost in self.rows:
            if ghost.visible and ghost.opacity > 0:
                d = self.pose(ghost, time)
                drawn = self._drawn(d, ghost, view)
                apart = self._apart(d, view.d)
                # Append runs of consecutive geoms, because most geoms are drawn, or left out, together with their neighbors.
                ends = np.flatnonzero(np.diff(apart, prepend=False, append=False)).reshape(-1, 2)
                for start, stop in ends.tolist():
                    scn.append(drawn, start, stop)

    def _apart(self, d: mj.MjData, now: mj.MjData) -> np.ndarray:
        """Return, for each geom of the drawn scene, whether its pose differs from that in the model's state `now`. Coincident
        geoms would flicker.
        """
        ids = self._ids
        moved = np.abs(np.asarray(d.geom_xpos) - np.asarray(now.geom_xpos)).max(1) > SAME * self.m.stat.extent
        turned = np.abs(np.asarray(d.geom_xmat) - np.asarray(now.geom_xmat)).max(1) > SAME
        return (ids < 0) | (moved | turned)[ids]

    def _drawn(self, d: mj.MjData, ghost: Ghost, view: Any) -> Any:
        """Return a scene of the moving geoms in a ghost's color. The geoms belong to no element, so they cannot be picked,
        hidden or outlined.
        """
        if self._scene is None:
            self._scene, self._opt = mjv.MjvScene(self.m, self.m.ngeom + SPARE), mjv.MjvOption()
            self._opt.flags[:] = 0
        self._opt.geomgroup[:] = view.opt.geomgroup
        mj.mj_kinematics(self.m, d)
        mjv.mjv_updateScene(self.m, d, self._opt, None, view.cam, DYNAMIC, self._scene)
        rows, count = self._scene.geom, self._scene.ngeom
        self._ids = np.where(rows.objtype[:count] == GEOM, rows.objid[:count], -1)
        rows.rgba[:count, :3] = (1 - MIX) * rows.rgba[:count, :3] + MIX * np.array(ghost.tint)
        rows.rgba[:count, 3] *= ghost.opacity
        rows.category[:count], rows.objtype[:count], rows.objid[:count], rows.castshadow[:count] = DECOR, UNKNOWN, -1, 0
        return self._scene
