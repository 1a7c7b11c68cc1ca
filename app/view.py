"""The 3D view: camera, visual options, scene, selection and pull. It is used only on the main thread.

It reads the renderer's own copy of Data; the mouse acts on bodies through `Perturb` intents.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import engine as mj
from ..render import scene as mjv
from ..render.scene.camera import camera_frame
from ..ui import intents as I
from ..ui.board import Board, Hit
from ..ui.element_names import names, owner
from .ghosts import Ghosts
from .grip import Grip, Lens, Pivot, grip, lens_of
from .looks import KINDS, Looks
from .simulation import PERTURB_FIELDS
from .staging import Stage

MAXGEOM, SEGMENT = 100_000, int(mj.mjtRndFlag.mjRND_SEGMENT)
# In a view that is taller than wide, a free camera moves back, but no farther than for this ratio of width to height.
NARROWEST = 0.4
# AIR: margin factor for the radius of framed objects. AROUND: framed radius around a body without geoms, in stat.meansize.
AIR, AROUND = 1.15, 5.0
# Objects whose radius is below this share of the distance are hardly visible.
SPECK = 0.04
# Seconds in which a tracking camera catches up with most of its lag. Lags smaller than ARRIVED, relative to the distance, are
# ignored.
GLIDE, ARRIVED = 0.08, 1e-3
# An orbit turns about the point under the cursor if that point is nearer than this multiple of the camera's distance; otherwise
# about the look-at point. An orbit about a point at the horizon would carry the camera away.
FARTHEST = 4.0
_MOUSE = {name: f"mjMOUSE_{name.upper()}" for name in ("rotate_v", "rotate_h", "move_v", "move_h", "zoom")}


class View:
    """Camera, options and selection of one window. `m` and `d` are the model and the renderer's copy, or None."""

    def __init__(self, emit: Callable[[I.Intent], None]) -> None:
        self.emit = emit
        self.m: mj.MjModel | None = None
        self.d: mj.MjData | None = None
        self.cam = mjv.MjvCamera()
        self.opt = mjv.MjvOption()
        self.pert = mjv.MjvPerturb()
        self.scn: Any = None
        self.render_flags = [int(row[1]) for row in mjv.mjRNDSTRING]
        self.aspect = 1.0
        self.user_scene: Any = None

        # additions of a script
        self.board: Board | None = None

        # shapes with which panels point at things in the view
        self.pointed: tuple = ()
        self.looks: Looks | None = None
        self.ghosts: Ghosts | None = None
        self.stereo = 0

        # which of floor, lights and sky the model lacks, and whether this view adds the missing ones
        self.stage: Stage | None = None
        self.staged = False

        # While the camera flies, a drag turns the camera on the spot.
        self.flying = False

        # The selected element: a body, unless the user selected something else by the tree, a list or a click.
        self.element: tuple[str, int] = ("body", 0)
        self.geom = -1
        # other elements that are selected together with it
        self.more: tuple[tuple[str, int], ...] = ()

        # The last right click: time, body and geom.
        self.menu: tuple[float, int, int] | None = None

        # whether the current pull has not moved yet
        self._still = False

        # the point that a pan or a pull holds, and the center of an orbit
        self.grip: Grip | None = None
        self.pivot: Pivot | None = None

        # Lag of a tracking camera that waits for the end of a pull or is catching up, and the time of its last update.
        self._lag, self._drawn = np.zeros(3), 0.0

    def adopt(self, m: mj.MjModel, d: mj.MjData, align: bool, stage: Stage | None = None) -> None:
        """Show a new model with nothing selected; the camera stays unless `align`. `stage`: the model's stage, if known."""
        kept = self.looks.names(labels(self.m)) if self.looks is not None and not align else {}
        self.m, self.d = m, d
        self.scn = mjv.MjvScene(m, MAXGEOM)
        self.pert = mjv.MjvPerturb()
        self.grip, self.pivot, self._lag = None, None, np.zeros(3)
        self.element, self.geom, self.more = ("body", 0), -1, ()
        self.looks = Looks(m)
        self.ghosts = Ghosts(m, self.ghosts)
        self.stage = stage or Stage(m)
        self.looks.restore(kept, labels(m))
        if align:
            self.align()
            self.approach()
        self.keep_camera(m)

    def keep_camera(self, m: mj.MjModel) -> None:
        """Change to the free camera if the model lacks the camera, or the tracked body, that was selected."""
        fixed, tracking = (self.cam.type == kind for kind in (mj.mjtCamera.mjCAMERA_FIXED, mj.mjtCamera.mjCAMERA_TRACKING))
        if fixed and not 0 <= self.cam.fixedcamid < m.ncam or tracking and not 0 <= self.cam.trackbodyid < m.nbody:
            self.set_camera(0)

    def update(self) -> Any:
        """Rebuild the draw list from the copy of Data; return the scene, or None without a model."""
        if self.m is None or self.d is None or self.looks is None:
            return None
        if self.cam.type == mj.mjtCamera.mjCAMERA_TRACKING and self.pert.select > 0:
            self.cam.trackbodyid = self.pert.select
        # Undo restores cameras of earlier models, and scripts may set any number.
        self.keep_camera(self.m)
        self.scn.flags[:] = self.render_flags
        cam = self._tracking() if self.cam.type == mj.mjtCamera.mjCAMERA_TRACKING else self.cam
        mjv.mjv_updateScene(self.m, self.d, self.opt, self.pert, cam, int(mj.mjtCatBit.mjCAT_ALL), self.scn)
        self.cam.lookat[:] = cam.lookat
        self.scn.stereo = self.stereo
        self.put(self.scn)
        self.put_stage(self.scn)
        return self.scn

    @property
    def gliding(self) -> bool:
        """Whether a tracking camera is still catching up with its body."""
        return bool(self._lag.any())

    def _tracking(self) -> Any:
        """Return the camera that follows its body. It waits during a pull, because otherwise the body would move away from the
        cursor; afterwards, it catches up.
        """
        assert self.d is not None
        body = np.array(self.d.subtree_com[self.cam.trackbodyid])
        now = time.perf_counter()
        if self.perturbing and self.pert.active & mj.mjtPertBit.mjPERT_TRANSLATE:
            self._lag = self.cam.lookat - body
        elif self.gliding:
            self._lag *= np.exp((self._drawn - now) / GLIDE)
            if np.linalg.norm(self._lag) < ARRIVED * float(self.cam.distance):
                self._lag[:] = 0
        self._drawn = now
        if not self.gliding:
            return self.cam
        waiting = copy.copy(self.cam)
        waiting.type, waiting.lookat = int(mj.mjtCamera.mjCAMERA_FREE), body + self._lag
        return waiting

    def put(self, scn: Any) -> None:
        """Remove hidden geoms from a scene of the model; add the geoms of scripts, panels and displayed motions."""
        if self.looks is not None:
            self.looks.apply(scn)
        if self.ghosts is not None and self.d is not None:
            self.ghosts.put(scn, float(self.d.time), self)
        if self.user_scene is not None:
            scn.append(self.user_scene)
        for shapes in self.pointed:
            scn.append(shapes)
        for mark in self.board.marks if self.board is not None else ():
            if mark.visible:
                scn.append(mark.rows)

    def put_stage(self, scn: Any) -> None:
        """Add floor and lights to a scene whose model has none. In segmentation images, they would be mistaken for objects."""
        if self.staged and self.stage is not None and not scn.flags[SEGMENT]:
            self.stage.put(scn)

    # --- camera -------------------------------------------------------------------------------------------------

    def align(self) -> None:
        """Set the model's initial camera, or a free camera that frames everything if it has none."""
        if self.m is None:
            return
        camera = int(self.m.vis.global_.cameraid)
        if 0 <= camera < self.m.ncam:
            self.cam.type, self.cam.fixedcamid = int(mj.mjtCamera.mjCAMERA_FIXED), camera
        else:
            self.free_camera(self.cam)
            # The default camera fits the height, so a view that is taller than wide needs more distance.
            self.cam.distance /= min(1.0, max(NARROWEST, self.aspect))

    def free_camera(self, cam: Any) -> None:
        """Set the free camera with which a newly loaded model starts. It is the model's own or, if the view adds floor, lights
        and sky, one that looks at the model from the side.
        """
        assert self.m is not None
        mjv.mjv_defaultFreeCamera(self.m, cam)
        if self.staged and self.stage is not None and self.stage.whole and unset(self.m):
            self.stage.frame(self.m, cam)

    def bounds(self, geoms: np.ndarray) -> tuple[np.ndarray, float] | None:
        """Return center and radius of a sphere around geoms in their current poses; None if they have no size."""
        assert self.m is not None and self.d is not None
        radius = np.asarray(self.m.geom_rbound)[geoms]
        geoms, radius = geoms[radius > 0], radius[radius > 0]
        if not len(geoms):
            return None
        at = np.asarray(self.d.geom_xpos)[geoms]
        low, high = (at - radius[:, None]).min(0), (at + radius[:, None]).max(0)
        center = 0.5 * (low + high)
        return center, float((np.linalg.norm(at - center, axis=1) + radius).max())

    def frame(self, everything: bool) -> bool:
        """Fit the selection in the view, or everything that can move (everything, if nothing can). Return False if nothing is
        selected.
        """
        if self.m is None or self.d is None:
            return True
        owner_of = np.asarray(self.m.geom_bodyid)
        moving = np.flatnonzero(np.asarray(self.m.body_weldid)[owner_of] > 0)
        if everything:
            found = self.bounds(moving) or self.bounds(np.arange(self.m.ngeom))
        else:
            kind, i = self.element
            if self.looks is None or (kind, i) == ("body", 0):
                return False
            body = owner(self.m, kind, i)
            members = np.array([i]) if kind == "geom" else self.looks.members("body", body, True)["geom"]
            found = self.bounds(members) or (np.array(self.d.xpos[body]), AROUND * float(self.m.stat.meansize))
        if found is not None:
            self.set_camera(0)
            self.cam.lookat[:] = found[0]
            narrow = min(1.0, max(NARROWEST, self.aspect))
            self.cam.distance = AIR * found[1] / np.sin(0.5 * np.radians(float(self.m.vis.global_.fovy))) / narrow
        return True

    def lost(self) -> bool:
        """Return whether a free camera shows nothing that can move: the moving geoms are outside the picture, or too small to
        see."""
        if not self.ready or self.cam.type != int(mj.mjtCamera.mjCAMERA_FREE):
            return False
        assert self.m is not None
        moving = np.flatnonzero(np.asarray(self.m.body_weldid)[np.asarray(self.m.geom_bodyid)] > 0)
        found = self.bounds(moving)
        if found is None:
            return False
        center, radius = found
        lens = self.lens()
        away = center - lens.head
        depth = float(away @ lens.forward)
        if depth <= 0:
            return True

        x, y = lens.project(center)
        # Radius of the sphere around moving geoms, as a fraction of the picture's height.
        ball = radius / ((lens.high - lens.low) * (1.0 if lens.orthographic else max(depth, 1e-9)))
        outside = max(-x * self.aspect, (x - 1.0) * self.aspect, -y, y - 1.0)
        return outside > 0.5 * ball or ball < 0.5 * SPECK

    def approach(self) -> None:
        """Move closer to a model whose ground is so large that moving bodies would be too small to see."""
        if self.m is None or self.d is None or self.cam.type != int(mj.mjtCamera.mjCAMERA_FREE):
            return
        if not np.any(self.d.geom_xpos):
            # Poses have not been computed yet.
            return
        found = self.bounds(np.flatnonzero(np.asarray(self.m.body_weldid)[np.asarray(self.m.geom_bodyid)] > 0))
        if found is not None and found[1] < SPECK * float(self.cam.distance):
            self.frame(True)

    @property
    def camera(self) -> int:
        """Index of the camera: 0 free, 1 tracking, 2.. model cameras."""
        kind = self.cam.type
        if kind == mj.mjtCamera.mjCAMERA_FIXED:
            return 2 + self.cam.fixedcamid
        return 1 if kind == mj.mjtCamera.mjCAMERA_TRACKING else 0

    def set_camera(self, index: int) -> None:
        """Select a camera. Tracking follows the selected body and needs one."""
        cam = self.cam
        if index == 1 and self.pert.select > 0:
            cam.type, cam.trackbodyid, cam.fixedcamid = int(mj.mjtCamera.mjCAMERA_TRACKING), self.pert.select, -1
        elif index >= 2 and self.m is not None and index - 2 < self.m.ncam:
            cam.type, cam.fixedcamid, cam.trackbodyid = int(mj.mjtCamera.mjCAMERA_FIXED), index - 2, -1
        else:
            cam.type, cam.trackbodyid, cam.fixedcamid = int(mj.mjtCamera.mjCAMERA_FREE), -1, -1

    def step_camera(self, step: int) -> None:
        """Go to the next or previous model camera; from a free camera, to the first or last."""
        count = self.m.ncam if self.m is not None else 0
        if count:
            now = self.camera - 2
            self.set_camera(2 + ((now + step) % count if now >= 0 else (0 if step > 0 else count - 1)))

    @property
    def ready(self) -> bool:
        """Whether a picture of the model has been drawn. Before the first one, the scene has no valid camera."""
        return self.m is not None and self.looks is not None and self.scn is not None and self.scn.camera[0].frustum_near > 0

    def lens(self) -> Lens:
        """Return the lens of the current camera; valid only if `ready`."""
        assert self.d is not None
        return lens_of(self.d, self.cam, self.scn, self.aspect)

    def grab(self, action: str, x: float, y: float) -> None:
        """Start a drag at (x, y) in 0..1, y up, or change its action: hold the point under the cursor."""
        held, self.grip = self.grip, None
        free = self.cam.type == mj.mjtCamera.mjCAMERA_FREE
        self.pivot = self._pivot(x, y) if action.startswith("rotate_") and free and not self.perturbing else None
        if not action.startswith("move_") or not self.ready or not (free or self.perturbing):
            return
        assert self.m is not None and self.looks is not None
        lens = self.lens()
        if self.perturbing:
            # The body may lag behind the pull. If the plane of the drag changes, continue from the pull's target, not from the
            # body.
            anchor = np.array(self.pert.refselpos)
            if held is None:
                body, point, *_ = self._hit(self.looks.pickable(self.m), x, y)
                anchor = point if body == self.selected else anchor
            self.grip = grip(action, lens, x, y, anchor, (self.pert.refpos.copy(), self.pert.refselpos.copy()))
        else:
            body, point, *_ = self._hit(self.looks.pickable(self.m), x, y)
            origin, way = lens.ray(x, y)
            anchor = point if body >= 0 else origin + way * float(self.cam.distance)
            self.grip = grip(action, lens, x, y, anchor, (lens, self.cam.lookat.copy()))

    def _pivot(self, x: float, y: float) -> Pivot | None:
        """Return the point at (x, y) as the center of an orbit; None if there is nothing near it."""
        if not self.ready or self.flying:
            return None
        assert self.m is not None and self.looks is not None
        body, point, *_ = self._hit(self.looks.pickable(self.m), x, y)
        if body < 0:
            return None
        head, *axes = camera_frame(self.d, self.cam)
        if np.linalg.norm(point - head) > FARTHEST * float(self.cam.distance):
            return None
        return Pivot(point, np.array(axes) @ (point - self.cam.lookat))

    def _orbit(self) -> None:
        """After the camera has turned about its look-at point, move it so that the pivot is where it was in the picture."""
        if self.pivot is not None:
            axes = np.array(camera_frame(self.d, self.cam)[1:])
            self.cam.lookat[:] = self.pivot.point - axes.T @ self.pivot.offset

    def move_camera(self, action: str, dx: float, dy: float, x: float = 0.5, y: float = 0.5) -> None:
        """Process a drag that moved by (dx, dy) view heights, y down, to (x, y) in 0..1, y up; the wheel zooms to (x, y)."""
        if self.m is None:
            return
        if action == "wheel":
            self._zoom(dy, x, y)
        elif self.grip is not None and self.grip.action == action:
            lens, lookat = self.grip.start
            offset = self.grip.offset(lens, x, y)
            if offset is not None:
                self.cam.lookat[:] = lookat - offset
        elif self.flying and action.startswith("rotate"):
            # The eye stays, and the look-at point moves around it.
            eye = self.cam.lookat - float(self.cam.distance) * direction(self.cam.azimuth, self.cam.elevation)
            mjv.mjv_moveCamera(self.m, int(getattr(mj.mjtMouse, _MOUSE[action])), dx, dy, self.scn, self.cam)
            self.cam.lookat[:] = eye + float(self.cam.distance) * direction(self.cam.azimuth, self.cam.elevation)
        else:
            mjv.mjv_moveCamera(self.m, int(getattr(mj.mjtMouse, _MOUSE[action])), dx, dy, self.scn, self.cam)
            if action.startswith("rotate"):
                self._orbit()

    def _zoom(self, dy: float, x: float, y: float) -> None:
        """Move closer along the ray through (x, y), so that the point under the cursor stays where it is."""
        assert self.m is not None
        before = float(self.cam.distance)
        mjv.mjv_moveCamera(self.m, int(mj.mjtMouse.mjMOUSE_ZOOM), 0.0, dy, self.scn, self.cam)
        if self.ready and self.cam.type == mj.mjtCamera.mjCAMERA_FREE:
            lens = self.lens()
            self.cam.lookat += (before - float(self.cam.distance)) * (lens.ray(x, y)[1] - lens.forward)

    def camera_element(self, name: str = "") -> str:
        """Return a <camera> element for the pose on screen: position, and the x and y axes of the image."""
        left, right = self.scn.camera[0], self.scn.camera[1]
        pos = 0.5 * (np.asarray(left.pos) + np.asarray(right.pos))
        forward, up = np.asarray(left.forward, float), np.asarray(left.up, float)
        across = np.cross(forward, up)
        text = " ".join(f"{x:.3f}" for x in pos), " ".join(f"{x:.3f}" for x in [*across, *up])
        title = f'name="{name}" ' if name else ""
        return f'<camera {title}pos="{text[0]}" xyaxes="{text[1]}"/>'

    # --- selection and pull -------------------------------------------------------------------------------------

    @property
    def selected(self) -> int:
        return int(self.pert.select)

    @property
    def perturbing(self) -> bool:
        return bool(self.pert.active)

    def select(self, body: int, point: np.ndarray | None = None, flex: int = -1, skin: int = -1) -> None:
        """Select a body, and remember the hit point in its frame; 0 selects nothing."""
        assert self.m is not None and self.d is not None
        self.end_perturb()
        self.pert.select, self.pert.flexselect, self.pert.skinselect = max(0, body), flex, skin
        self.element, self.geom, self.more = ("body", max(0, body)), -1, ()
        if body > 0:
            origin = self.d.xpos[body]
            offset = (self.d.xipos[body] if point is None else point) - origin
            self.pert.localpos[:] = self.d.xmat[body].reshape(3, 3).T @ offset

    def select_element(self, kind: str, i: int) -> None:
        """Select any element; the mouse then pulls the body to which the element belongs, if there is one."""
        body = owner(self.m, kind, i)
        self.select(body, flex=i if kind == "flex" else -1, skin=i if kind == "skin" else -1)
        self.element, self.geom = (kind, i), i if kind == "geom" else -1

    @property
    def chosen(self) -> tuple[tuple[str, int], ...]:
        """All selected elements; the last selected one is first."""
        return () if self.element == ("body", 0) else (self.element, *self.more)

    def toggle_element(self, kind: str, i: int) -> None:
        """Add an element to the selection, or remove it from there. The inspector shows the element that was added last."""
        others = tuple(one for one in self.chosen if one != (kind, i))
        if len(others) < len(self.chosen):
            if not others:
                self.select(0)
                return
            (kind, i), others = others[0], others[1:]
        if (kind, i) != ("body", 0):
            self.select_element(kind, i)
            self.more = others

    def select_parent(self) -> None:
        if self.m is not None and self.selected > 0:
            self.select(int(self.m.body_parentid[self.selected]))

    def pick(self, mode: str, x: float, y: float) -> None:
        """Handle a click at (x, y) in 0..1, y up. `mode`: select, add (to the selected elements), lookat, track or menu; a menu
        waits for a possible second click.
        """
        self.menu = None
        if self.m is None or self.looks is None:
            return
        body, point, geom, flex, skin = self._hit(self.looks.pickable(self.m), x, y)
        if mode == "select":
            self.select(body, point, flex, skin)
            self.geom = geom
            return
        if mode == "add":
            if body > 0:
                # Elements of one kind can be edited together, so geoms are added to geoms.
                kind = "geom" if geom >= 0 and self.element[0] == "geom" else "body"
                self.toggle_element(kind, geom if kind == "geom" else body)
            return
        if mode == "menu":
            self.menu = (time.perf_counter(), body, geom) if body >= 0 else None
            return
        if body >= 0:
            self.cam.lookat[:] = point
        if mode == "track" and body > 0:
            self.cam.type, self.cam.trackbodyid, self.cam.fixedcamid = int(mj.mjtCamera.mjCAMERA_TRACKING), body, -1

    def clicked(self, button: str, x: float, y: float) -> Hit:
        """Return a Hit for the point (x, y) in 0..1, y up; its kind is empty if nothing is there."""
        if not self.ready:
            return Hit("", -1, -1, (0.0, 0.0, 0.0), button)
        assert self.m is not None and self.looks is not None
        body, point, geom, flex, skin = self._hit(self.looks.pickable(self.m), x, y)
        kind, index = next(
            ((kind, found) for kind, found in (("geom", geom), ("flex", flex), ("skin", skin)) if found >= 0), ("body", body)
        )
        at = float(point[0]), float(point[1]), float(point[2])
        return Hit(kind if body >= 0 else "", index, body, at, button)

    def under(self, x: float, y: float) -> tuple[str, int, int]:
        """Return (kind, index, body) of the element at (x, y) in 0..1, y up; the body is -1 if nothing is there."""
        hit = self.clicked("", x, y)
        return hit.kind or "body", hit.index, hit.body

    def _hit(self, pickable: mj.MjModel, x: float, y: float) -> tuple[int, np.ndarray, int, int, int]:
        """Return (body, point, geom, flex, skin) of the first hit of a ray through (x, y); missing ids are -1."""
        assert self.d is not None
        point, geom, flex, skin = np.zeros(3), *(np.full(1, -1, np.int32) for _ in range(3))
        body = mjv.mjv_select(pickable, self.d, self.opt, self.aspect, x, y, self.scn, point, geom, flex, skin)
        return body, point, int(geom[0]), int(flex[0]), int(skin[0])

    def selected_rows(self) -> np.ndarray:
        """Return draw-list rows of the selection: a geom, or the geoms of a body."""
        if self.m is None or self.scn is None or not self.chosen:
            return np.zeros(0, int)
        count, rows = self.scn.ngeom, self.scn.geom
        shown = np.flatnonzero(
            (rows.objtype[:count] == int(mj.mjtObj.mjOBJ_GEOM)) & (rows.category[:count] != int(mj.mjtCatBit.mjCAT_DECOR))
        )
        ids = rows.objid[shown]
        shown = shown[(ids >= 0) & (ids < self.m.ngeom)]
        geoms = [i for kind, i in self.chosen if kind == "geom"]
        bodies = [body for kind, i in self.chosen if kind != "geom" and (body := owner(self.m, kind, i)) > 0]
        ids = rows.objid[shown]
        return shown[np.isin(ids, geoms) | np.isin(np.asarray(self.m.geom_bodyid)[ids], bodies)]

    def begin_perturb(self, mode: str) -> bool:
        """Start a pull with the body's current pose as reference."""
        if self.m is None or self.d is None or self.selected <= 0:
            return False
        mjv.mjv_initPerturb(self.m, self.d, self.scn, self.pert)
        self.grip = None
        bit = mj.mjtPertBit.mjPERT_TRANSLATE if mode == "translate" else mj.mjtPertBit.mjPERT_ROTATE
        self.pert.active, self._still = int(bit), True
        self.send_perturb()
        return True

    def move_perturb(self, action: str, dx: float, dy: float, x: float = 0.5, y: float = 0.5) -> None:
        """Process a pull that moved by (dx, dy) view heights, y down, to (x, y) in 0..1, y up."""
        if self.m is None or self.d is None:
            return
        self._still = False
        if self.grip is not None and self.grip.action == action:
            offset = self.grip.offset(self.lens(), x, y)
            if offset is not None:
                refpos, refselpos = self.grip.start
                self.pert.refpos[:], self.pert.refselpos[:] = refpos + offset, refselpos + offset
        else:
            mjv.mjv_movePerturb(self.m, self.d, int(getattr(mj.mjtMouse, _MOUSE[action])), dx, dy, self.scn, self.pert)
        self.send_perturb()

    def end_perturb(self) -> None:
        self.grip = None
        if self.pert.active:
            self.pert.active = self.pert.active2 = 0
            self.send_perturb(self._still)
            self._still = False

    def send_perturb(self, still: bool = False) -> None:
        """Send the current pull to the simulation. `still`: the pull ends without having moved."""
        # Send values, not the object, because the mouse keeps changing it.
        values = {}
        for name in PERTURB_FIELDS:
            value = getattr(self.pert, name)
            values[name] = value.copy() if isinstance(value, np.ndarray) else value
        self.emit(I.Perturb(values, still))

    def close(self) -> None:
        """Stop drawing, because the window is closed. A script may still read camera, options and selection."""
        self.scn = self.user_scene = self.ghosts = self.grip = self.pivot = None

    def forget_click(self) -> None:
        """Cancel the menu that a click requested."""
        self.menu = None


def labels(m: Any) -> dict[str, list[str]]:
    """Return the names of elements that can be hidden."""
    return {kind: names(m, kind) for kind in KINDS}


def unset(m: Any) -> bool:
    """Return whether a model leaves the angles of its first view at their defaults."""
    return (float(m.vis.global_.azimuth), float(m.vis.global_.elevation)) == (90.0, -45.0)


def direction(azimuth: float, elevation: float) -> np.ndarray:
    """Return the direction of a free camera from its angles in degrees."""
    a, e = np.radians(azimuth), np.radians(elevation)
    return np.array([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)])
