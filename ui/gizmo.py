"""Handles in the view for the selected element. Dragging them moves, turns or scales the element in the running model. At the
end of the drag, the change is written to the source text.

ImGuizmo draws and handles them. A motion in the world is converted to coordinates of the body that carries the element, so that
it stays valid when the body moves.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from imgui_bundle import imgui, imguizmo

from .. import engine as mj
from ..engine.description.rewrite.pose import MOVED, scaled_sizes
from ..engine.tables.geom_rows import ROWS as GEOM_ROWS
from ..render.scene import mjv_averageCamera
from .context import Context
from .element_names import owner
from .intents import MoveElement, ScaleElement, SetField, SimIntent, Together

guizmo: Any = imguizmo.im_guizmo
# {kind: (Data's fields of the position and the orientation or direction in the world, Model's fields of both)}
PLACES = {
    "body": ("xpos", "xmat", "body_pos", "body_quat"),
    "geom": ("geom_xpos", "geom_xmat", "geom_pos", "geom_quat"),
    "site": ("site_xpos", "site_xmat", "site_pos", "site_quat"),
    "camera": ("cam_xpos", "cam_xmat", "cam_pos", "cam_quat"),
    "joint": ("xanchor", "xaxis", "jnt_pos", "jnt_axis"),
    "light": ("light_xpos", "light_xdir", "light_pos", "light_dir"),
}
SIZED = ("geom", "site")
SIZES = {"geom": "geom_size", "site": "site_size"}
TYPES = {"geom": "geom_type", "site": "site_type"}
# {field of a pose: field with a flag}. If the flag is set, the engine ignores the pose and uses that of an equal frame.
SAME_FRAME = {
    f"{kind}_{part}": f"{kind}_sameframe"
    for kind, parts in (("geom", ("pos", "quat")), ("site", ("pos", "quat")), ("body", ("ipos", "iquat")))
    for part in parts
}
# Increments while Ctrl is held, for rotations (degrees) and scaling. For motions, a tenth of the power of ten below the mean
# size is used.
TURN_STEP, SCALE_STEP = 5.0, 0.1
# Size of the handles, where the view has size 2 (clip space).
SIZE = 0.18
# A drag is ignored if its translation, relative to the model's mean size, and its rotation are smaller than this.
STILL = 1e-6
# minimum scale factor
LEAST = 1e-3


@dataclass
class Drag:
    """A drag of the handles: the state at its start (world poses of the element and its carrier, and values of the Model), and
    the current pose.
    """

    kind: str
    index: int
    mode: str
    start: np.ndarray
    carrier: np.ndarray
    fields: tuple[np.ndarray, np.ndarray]
    now: np.ndarray
    size: np.ndarray | None = None
    # length in the world that one pixel covers at the element's depth
    pixel: float = 0.0


@dataclass
class Handles:
    """State of the handles: whether the mouse is over them or drags them, their position in the window, the drag, and whether
    the drag is to be cancelled.
    """

    over: bool = False
    using: bool = False
    at: list[float] | None = None
    drag: Drag | None = None
    cancel: bool = False

    def clear(self) -> None:
        """Remove the handles."""
        self.over = self.using = self.cancel = False
        self.at = self.drag = None


def draw(ctx: Context) -> None:
    """Draw the handles for the selected element, if it has a pose."""
    state = ctx.scratch.of(Handles)
    mode, (kind, index) = ctx.settings["gizmo"], ctx.view.element
    drag = state.drag
    other = drag is not None and (drag.kind, drag.index, drag.mode) != (kind, index, mode)

    # Before the first frame of a model, there is no camera.
    if (
        ctx.m is None
        or ctx.passive
        or other
        or not shown(ctx.m, mode, kind, index)
        or ctx.view.scn is None
        or ctx.view.scn.camera[0].frustum_near <= 0
    ):
        state.clear()
        _why_none(ctx, mode, kind, index)
        return

    if state.cancel:
        drag = _give_up(ctx, state)
    here = pose(ctx.m, ctx.d, kind, index)
    state.at = next(iter(on_screen(ctx, here[None, :3, 3])), None)
    matrix = guizmo.Matrix16((drag.now if drag is not None else here).T.ravel().tolist())
    changed, felt = handles(ctx, mode, matrix), state.over

    # Ignore a press that began before the handles were under the mouse, such as the click that selected the element.
    state.over, state.using = guizmo.is_over(), guizmo.is_using() and (felt or state.using)
    now = np.array(matrix.values).reshape(4, 4).T
    if state.using and drag is None:
        drag = state.drag = begin(ctx.m, ctx.d, kind, index, mode, here)
        drag.pixel = pixel_length(ctx, here[:3, 3])
    if drag is not None and changed:
        drag.now = now
        if intents := live(ctx.m, drag):
            ctx.emit(Together(intents))
    if drag is not None and not state.using:
        state.drag = None
        if (intent := result(ctx.m, drag)) is not None:
            ctx.emit(intent)


def _give_up(ctx: Context, state: Handles) -> None:
    """Cancel a drag: restore the element's pose at its start, and leave the source unchanged."""
    drag = state.drag
    if drag is not None:
        drag.now = drag.start
        ctx.emit(Together(live(ctx.m, drag)))
    # The mouse button is still pressed. Reset ImGuizmo, so that the handles wait for a new press.
    guizmo.enable(False)
    guizmo.enable(True)
    state.using, state.drag, state.cancel = False, None, False


def _why_none(ctx: Context, mode: str, kind: str, index: int) -> None:
    """Show the reason in the view if the element cannot be scaled."""
    if (
        ctx.m is None
        or ctx.passive
        or ctx.view.scn is None
        or not shown(ctx.m, "move", kind, index)
        or shown(ctx.m, mode, kind, index)
        or mode == "off"
    ):
        return

    for at in on_screen(ctx, pose(ctx.m, ctx.d, kind, index)[None, :3, 3]):
        text = (
            f"a {kind} has no size"
            if kind not in SIZED
            else f"the size of a {row_of(ctx.m, kind, index).name} comes from its asset"
        )
        size, margin, canvas = imgui.calc_text_size(text), 0.3 * ctx.em, imgui.get_background_draw_list()
        x, y = at[0] - 0.5 * size.x, at[1] - 0.5 * size.y
        canvas.add_rect_filled(
            (x - margin, y - margin),
            (x + size.x + margin, y + size.y + margin),
            imgui.get_color_u32(imgui.Col_.popup_bg),
            margin,
        )
        canvas.add_text((x, y), imgui.get_color_u32(imgui.Col_.text), text)


def shown(m: Any, mode: str, kind: str, index: int) -> bool:
    """Return whether an element has handles for this mode: move, turn or scale."""
    if (
        mode == "off"
        or kind not in MOVED
        or (kind, index) == ("body", 0)
        or kind == "joint"
        and m.jnt_type[index] == int(mj.mjtJoint.mjJNT_FREE)
    ):
        return False
    return mode != "scale" or kind in SIZED and row_of(m, kind, index).sizes > 0


def row_of(m: Any, kind: str, index: int) -> Any:
    """Return the row for the type of a geom or site, from the engine's table of geom types."""
    number = int(getattr(m, TYPES[kind])[index])
    return next(row for row in GEOM_ROWS if row.number == number)


def handles(ctx: Context, mode: str, matrix: Any) -> bool:
    """Draw the handles and process the mouse. Return whether the user has changed the matrix."""
    guizmo.begin_frame()
    guizmo.set_drawlist(imgui.get_background_draw_list())
    guizmo.set_rect(*ctx.view_rect)
    guizmo.allow_axis_flip(False)
    guizmo.set_gizmo_size_clip_space(SIZE)
    camera = mjv_averageCamera(*ctx.view.scn.camera)
    guizmo.set_orthographic(bool(camera.orthographic))
    op = {"move": guizmo.OPERATION.translate, "turn": guizmo.OPERATION.rotate, "scale": guizmo.OPERATION.scale}[mode]
    # Always scale along the element's own axes.
    own = mode == "scale" or ctx.settings["gizmo_axes"] == "own"
    step = {
        "move": 10.0 ** (math.floor(math.log10(max(1e-9, float(ctx.m.stat.meansize)))) - 1),
        "turn": TURN_STEP,
        "scale": SCALE_STEP,
    }[mode]
    snap = guizmo.Matrix3([step] * 3) if imgui.get_io().key_ctrl else None
    view, projection = (guizmo.Matrix16(part.T.ravel().tolist()) for part in looked(ctx, camera))
    return bool(guizmo.manipulate(view, projection, op, guizmo.MODE.local if own else guizmo.MODE.world, matrix, None, snap))


def looked(ctx: Context, camera: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the view and projection matrices, in OpenGL's convention, of the camera midway between the two eyes."""
    forward, up, pos = (np.asarray(x, float) for x in (camera.forward, camera.up, camera.pos))
    view = np.eye(4)
    view[:3, :3] = np.cross(forward, up), up, -forward
    view[:3, 3] = -view[:3, :3] @ pos
    low, high, near, far = (float(getattr(camera, f"frustum_{name}")) for name in ("bottom", "top", "near", "far"))
    half = float(camera.frustum_width) or 0.5 * ctx.view.aspect * (high - low)
    left, right = float(camera.frustum_center) - half, float(camera.frustum_center) + half
    projection = np.zeros((4, 4))
    if camera.orthographic:
        np.fill_diagonal(projection, (2 / (right - left), 2 / (high - low), -2 / (far - near), 1.0))
        projection[:3, 3] = -(right + left) / (right - left), -(high + low) / (high - low), -(far + near) / (far - near)
    else:
        np.fill_diagonal(projection, (2 * near / (right - left), 2 * near / (high - low), -(far + near) / (far - near), 0.0))
        projection[:3, 2] = (right + left) / (right - left), (high + low) / (high - low), -(far + near) / (far - near)
        projection[2, 3], projection[3, 2] = -2 * far * near / (far - near), -1.0
    return view, projection


def on_screen(ctx: Context, points: np.ndarray) -> list[list[float]]:
    """Return the window positions of points (n, 3) in the world; none if one of the points is behind the camera."""
    view, projection = looked(ctx, mjv_averageCamera(*ctx.view.scn.camera))
    seen = np.c_[points, np.ones(len(points))] @ (projection @ view).T
    if (seen[:, 3] <= 0).any():
        return []
    x, y, w, h = ctx.view_rect
    across, up = (seen[:, :2] / seen[:, 3:]).T
    return np.column_stack((x + w * (0.5 + 0.5 * across), y + h * (0.5 - 0.5 * up))).tolist()


# --- poses ---------------------------------------------------------------------------------------------------------


def pose(m: Any, d: Any, kind: str, index: int) -> np.ndarray:
    """Return the world pose of an element as a 4 x 4 matrix. For a joint or light, the z axis is its axis or direction."""
    place, turn = (np.asarray(getattr(d, name)[index], float) for name in PLACES[kind][:2])
    out = np.eye(4)
    out[:3, 3] = place
    if turn.size == 9:
        out[:3, :3] = turn.reshape(3, 3)
    else:
        quat, flat = np.zeros(4), np.zeros(9)
        mj.mju_quatZ2Vec(quat, np.ascontiguousarray(turn))
        mj.mju_quat2Mat(flat, quat)
        out[:3, :3] = flat.reshape(3, 3)
    return out


def carrier_of(m: Any, kind: str, index: int) -> int:
    """Return the body in whose frame an element's pose is given."""
    return int(m.body_parentid[index]) if kind == "body" else owner(m, kind, index)


def begin(m: Any, d: Any, kind: str, index: int, mode: str, here: np.ndarray) -> Drag:
    """Return a new drag, with the current values as its start."""
    a, b = (np.array(getattr(m, name)[index], float) for name in PLACES[kind][2:])
    size = np.array(getattr(m, SIZES[kind])[index], float) if kind in SIZED else None
    return Drag(kind, index, mode, here, carrier_pose(m, d, kind, index), (a, b), here.copy(), size)


def carrier_pose(m: Any, d: Any, kind: str, index: int) -> np.ndarray:
    """Return the world pose of an element's carrier. For a joint, this is the pose of its body without the motion of the body's
    joints.
    """
    body = carrier_of(m, kind, index)
    if kind != "joint":
        return pose(m, d, "body", body)
    local, flat = np.eye(4), np.zeros(9)
    mj.mju_quat2Mat(flat, np.array(m.body_quat[body], float))
    local[:3, :3], local[:3, 3] = flat.reshape(3, 3), m.body_pos[body]
    return pose(m, d, "body", int(m.body_parentid[body])) @ local


def motion(drag: Drag) -> tuple[np.ndarray, np.ndarray]:
    """Return the motion of a drag in the carrier's frame, as position and quaternion."""
    world = drag.now @ np.linalg.inv(drag.start)
    # Remove the scale, which `factors` returns separately.
    u, _, v = np.linalg.svd(world[:3, :3])
    world[:3, :3] = u @ v
    local = np.linalg.inv(drag.carrier) @ world @ drag.carrier
    quat = np.zeros(4)
    mj.mju_mat2Quat(quat, np.ascontiguousarray(local[:3, :3]).ravel())
    return local[:3, 3], quat


def factors(drag: Drag) -> tuple[float, ...]:
    """Return the scale factors along the element's axes."""
    return tuple(max(LEAST, float(np.linalg.norm(drag.now[:3, k]))) for k in range(3))


def live(m: Any, drag: Drag) -> tuple[SimIntent, ...]:
    """Return intents that apply the drag to the running model."""
    i, kind = drag.index, drag.kind
    if drag.mode == "scale":
        assert drag.size is not None
        new = scaled_sizes(row_of(m, kind, i), tuple(drag.size.tolist()), factors(drag))
        return (SetField(f"m.{SIZES[kind]}", np.array([*new, *drag.size[len(new) :]]), i),)
    pos, quat = motion(drag)
    if kind == "body" and (m.body_mocapid[i] >= 0 or is_free(m, i)):
        # The pose of a free or mocap body is part of the state, not of the model.
        return _placed(m, i, drag)
    first, second = moved(drag, pos, quat)
    return *apart(f"{kind}_pos", i), SetField(f"m.{PLACES[kind][2]}", first, i), SetField(f"m.{PLACES[kind][3]}", second, i)


def moved(drag: Drag, pos: np.ndarray, quat: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the new values of the Model's fields for the pose of the dragged element: position, and orientation or
    direction.
    """
    (first, second), place = drag.fields, np.zeros(3)
    mj.mju_rotVecQuat(place, first, quat)
    turn = np.zeros(len(second))
    if len(second) == 4:
        mj.mju_mulQuat(turn, quat, second)
    else:
        mj.mju_rotVecQuat(turn, second, quat)
    return place + pos, turn


def apart(field: str, index: int) -> tuple[SetField, ...]:
    """Return intents that make the engine use a changed pose. The compiler may have set a flag that the pose equals that of the
    body or of its inertia. The engine would then ignore the changed pose.
    """
    noted = SAME_FRAME.get(field)
    return (SetField(f"m.{noted}", int(mj.mjtSameFrame.mjSAMEFRAME_NONE), index),) if noted else ()


def is_free(m: Any, body: int) -> bool:
    """Return whether a body has a free joint."""
    first = int(m.body_jntadr[body])
    return first >= 0 and int(m.jnt_type[first]) == int(mj.mjtJoint.mjJNT_FREE)


def _placed(m: Any, body: int, drag: Drag) -> tuple[SimIntent, ...]:
    """Return intents that set a free or mocap body to the pose of the handles."""
    quat = np.zeros(4)
    mj.mju_mat2Quat(quat, np.ascontiguousarray(drag.now[:3, :3]).ravel())
    mocap = int(m.body_mocapid[body])
    if mocap >= 0:
        return SetField("d.mocap_pos", drag.now[:3, 3].copy(), mocap), SetField("d.mocap_quat", quat, mocap)
    first = int(m.jnt_qposadr[m.body_jntadr[body]])
    return (SetField("d.qpos", np.concatenate([drag.now[:3, 3], quat]), slice(first, first + 7)),)


def result(m: Any, drag: Drag) -> MoveElement | ScaleElement | None:
    """Return the edit of the source text for a drag; None if nothing has changed."""
    if drag.mode == "scale":
        new = tuple(float(f"{x:.4g}") for x in factors(drag))
        return ScaleElement(drag.kind, drag.index, new) if new != (1.0, 1.0, 1.0) else None
    pos, quat = motion(drag)
    if drag.mode == "move" and drag.pixel:
        # The mouse is only accurate to a pixel, and handles have single precision. So round the motion, and ignore axes that
        # hardly moved.
        pos, quat = rounded(pos, drag.pixel), np.array([1.0, 0.0, 0.0, 0.0])
    if np.abs(pos).max() < STILL * float(m.stat.meansize) and np.abs(quat[1:]).max() < STILL:
        return None
    return MoveElement(drag.kind, drag.index, tuple(pos.tolist()), tuple(quat.tolist()))


def pixel_length(ctx: Context, point: np.ndarray) -> float:
    """Return the length in the world that one pixel covers at the depth of a point."""
    camera = mjv_averageCamera(*ctx.view.scn.camera)
    high = float(camera.frustum_top) - float(camera.frustum_bottom)
    if not camera.orthographic:
        depth = float(np.dot(point - np.asarray(camera.pos, float), np.asarray(camera.forward, float)))
        high *= max(depth, float(camera.frustum_near)) / float(camera.frustum_near)
    return high / max(1.0, ctx.view_rect[3] * ctx.pixels)


def rounded(move: np.ndarray, pixel: float) -> np.ndarray:
    """Round a motion to decimals that are not finer than half a pixel. Axes that moved less than half a pixel become 0."""
    digits = -math.floor(math.log10(0.5 * pixel))
    return np.where(np.abs(move) < 0.5 * pixel, 0.0, np.round(move, digits)) + 0.0
