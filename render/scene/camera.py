"""Converts abstract cameras to two GL cameras, poses between model and room space, and mouse motions to camera motions.

Functions that have output arguments in MuJoCo also have them here: arrays are written in place, and None skips a result.
"""

from __future__ import annotations

import math
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from ...engine.core.data import MjData
from ...engine.core.model import MjModel
from ...engine.tables.compat_rows import holds
from ...engine.tables.enums import mjtCamera, mjtMouse
from .abstract import MjvGLCamera, MjvScene
from .options import MjvCamera
from .rotate import MINVAL, cross, mat_quat, mul_pose, neg_pose, normalize, quat_mat

FREE, TRACKING, FIXED, USER = (int(mjtCamera["mjCAMERA_" + k]) for k in ("FREE", "TRACKING", "FIXED", "USER"))
(ROTATE_V, ROTATE_H, MOVE_V, MOVE_H, ZOOM, MOVE_V_REL, MOVE_H_REL, TURN_V, TURN_H) = (
    int(mjtMouse["mjMOUSE_" + k])
    for k in ("ROTATE_V", "ROTATE_H", "MOVE_V", "MOVE_H", "ZOOM", "MOVE_V_REL", "MOVE_H_REL", "TURN_V", "TURN_H")
)
# In orthographic views, a drag moves the camera by this fraction of the frustum's height.
ORTHO_DRAG = 0.15


def _put(out: Any, value: Any) -> None:
    if out is not None:
        np.asarray(out)[...] = np.reshape(value, np.shape(out))


def check_camera(m: MjModel, cam: MjvCamera) -> None:
    """Raise ValueError if a camera refers to an element that is not in the model."""
    if cam.type == FIXED and not 0 <= cam.fixedcamid < m.ncam:
        raise ValueError(f"fixed camera id {cam.fixedcamid} is outside 0..{m.ncam - 1}")
    if cam.type == TRACKING and not 0 <= cam.trackbodyid < m.nbody:
        raise ValueError(f"track body id {cam.trackbodyid} is outside 0..{m.nbody - 1}")
    if cam.type not in (FREE, TRACKING, FIXED):
        raise ValueError(f"unknown camera type {cam.type}")


def camera_frame(d: Any, cam: MjvCamera) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return position, forward, up and right of an abstract camera in world coordinates."""
    if cam.type == FIXED:
        mat = np.asarray(d.cam_xmat)[cam.fixedcamid].reshape(3, 3)
        return np.array(d.cam_xpos[cam.fixedcamid]), -mat[:, 2], mat[:, 1].copy(), mat[:, 0].copy()
    az, el = math.radians(cam.azimuth), math.radians(cam.elevation)
    ca, sa, ce, se = math.cos(az), math.sin(az), math.cos(el), math.sin(el)
    forward = np.array([ce * ca, ce * sa, se])
    return cam.lookat - cam.distance * forward, forward, np.array([-se * ca, -se * sa, ce]), np.array([sa, -ca, 0])


def intrinsic_frustum(znear: float, intrinsic: np.ndarray, sensorsize: np.ndarray) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    """Return the extents (bottom, top), (left, right), at the near plane, of a camera with focal lengths and principal point,
    in single precision."""
    znear, fx, fy, cx, cy, w, h = np.array([znear, *intrinsic, *sensorsize], np.float32)
    return (znear / fy * (h / 2 - cy), znear / fy * (h / 2 + cy)), (znear / fx * (w / 2 - cx), znear / fx * (w / 2 + cx))


def camera_frustum(
    m: MjModel, cam: MjvCamera
) -> tuple[tuple[Any, Any], tuple[Any, Any] | tuple[float, float], tuple[float, Any], int]:
    """Return vertical extents, horizontal extents (0: to be computed from the aspect ratio), clip distances and the
    orthographic flag."""
    # Round the near distance to single precision first, because the last bits of depth depend on it.
    near, far = float(np.float32(m.vis.map.znear * m.stat.extent)), m.vis.map.zfar * m.stat.extent
    ortho, fovy, ver, hor = m.vis.global_.orthographic, m.vis.global_.fovy, None, (0.0, 0.0)
    if cam.type == FIXED:
        i = cam.fixedcamid
        ortho, fovy = int(m.cam_orthographic[i]), float(m.cam_fovy[i])
        if m.cam_sensorsize[i, 1] and not ortho:
            ver, hor = intrinsic_frustum(near, m.cam_intrinsic[i], m.cam_sensorsize[i])
    if ver is None:
        half = fovy / 2 if ortho else near * math.tan(fovy * math.pi / 360)
        ver = (half, half)
    return ver, hor, (near, far), int(ortho)


def mjv_cameraFrame(
    headpos: npt.NDArray[np.float64],
    forward: npt.NDArray[np.float64],
    up: npt.NDArray[np.float64],
    right: npt.NDArray[np.float64],
    d: MjData,
    cam: MjvCamera,
) -> None:
    """Write the frame of an abstract camera into the given arrays; None skips one. ValueError if the model lacks the camera.

    headpos: float64 (3), written: position in the world, in meters
    forward, up, right: float64 (3), written: unit vectors
    """
    for out, v in zip((headpos, forward, up, right), camera_frame(d, cam)):
        _put(out, v)


def mjv_cameraFrustum(
    zver: npt.NDArray[np.float32], zhor: npt.NDArray[np.float32], zclip: npt.NDArray[np.float32], m: MjModel, cam: MjvCamera
) -> None:
    """Write the frustum of an abstract camera into the given arrays; None skips one. ValueError if the model lacks the camera.

    zver: float32 (2), written: vertical extents on the two sides of the axis at the near plane, in meters
    zhor: float32 (2), written: horizontal extents; zeros if the viewport's aspect ratio determines them
    zclip: float32 (2), written: distances of the near and far planes, in meters
    """
    check_camera(m, cam)
    for out, v in zip((zver, zhor, zclip), camera_frustum(m, cam)):
        _put(out, v)


def mjv_updateCamera(m: MjModel, d: MjData, cam: MjvCamera | None, scn: MjvScene) -> None:
    """Set both GL cameras of the scene from an abstract camera. A user camera, or None, changes nothing."""
    if m is None or cam is None or cam.type == USER:
        return
    check_camera(m, cam)
    if cam.type == TRACKING:
        cam.lookat = d.subtree_com[cam.trackbodyid]
    head, forward, up, right = camera_frame(d, cam)
    ver, hor, clip, ortho = camera_frustum(m, cam)
    ipd = float(m.cam_ipd[cam.fixedcamid]) if cam.type == FIXED else m.vis.global_.ipd
    gl = scn.glcam
    gl.pos[0], gl.pos[1] = head - 0.5 * ipd * right, head + 0.5 * ipd * right
    gl.forward[:], gl.up[:], gl.orthographic[:] = forward, up, ortho
    # models of the original `mujoco` package have the same fields, but no compat_bits
    bottom, top = ver[::-1] if holds("principal_up", int(getattr(m, "compat_bits", 0))) else ver
    gl.frustum_top[:], gl.frustum_bottom[:] = top, -bottom
    gl.frustum_center[:], gl.frustum_width[:] = (hor[1] - hor[0]) / 2, (hor[1] + hor[0]) / 2
    gl.frustum_near[:], gl.frustum_far[:] = clip
    scn.enabletransform = 0


def mjv_camera2GLCamera(m: MjModel, d: MjData, cam: MjvCamera) -> MjvGLCamera:
    """Return the GL camera of an abstract camera, midway between the eyes (since 4.0). Raise ValueError if the model lacks
    the camera."""
    check_camera(m, cam)
    head, forward, up, _ = camera_frame(d, cam)
    if cam.type == TRACKING:
        head += d.subtree_com[cam.trackbodyid] - cam.lookat
    out = MjvGLCamera()
    out.pos, out.forward, out.up = head, forward, up
    ver, hor, (out.frustum_near, out.frustum_far), _ = camera_frustum(m, cam)
    out.orthographic = int(m.cam_orthographic[cam.fixedcamid]) if cam.type == FIXED else int(cam.orthographic)
    if cam.type != FIXED and out.orthographic != m.vis.global_.orthographic:
        half = view_of(m, None, cam)[3] / 2
        ver = (half, half) if out.orthographic else (half * out.frustum_near,) * 2

    # mjv_updateCamera of release 3.4 swaps top and bottom, so images move against the principal point; here, they move with it.
    out.frustum_top, out.frustum_bottom = ver[0], -ver[1]
    out.frustum_center, out.frustum_width = (hor[1] - hor[0]) / 2, (hor[1] + hor[0]) / 2
    return out


def mjv_averageCamera(cam1: MjvGLCamera, cam2: MjvGLCamera) -> MjvGLCamera:
    """Return the camera midway between two GL cameras, with its up direction made orthogonal to forward."""
    if cam1.orthographic != cam2.orthographic:
        raise ValueError("cannot average a perspective and an orthographic camera")
    out = MjvGLCamera()
    out.pos = 0.5 * (cam1.pos.astype(float) + cam2.pos)
    forward, _ = normalize(cam1.forward.astype(float) + cam2.forward)
    up = cam1.up.astype(float) + cam2.up
    along = up[0] * forward[0] + up[1] * forward[1] + up[2] * forward[2]
    out.forward, out.up = forward, normalize(up - forward * along)[0]
    for k in ("bottom", "top", "center", "width", "near", "far"):
        k = "frustum_" + k
        setattr(out, k, 0.5 * (getattr(cam1, k) + getattr(cam2, k)))
    out.orthographic = cam1.orthographic
    return out


def _need_scale(scn: MjvScene) -> None:
    if scn.scale < MINVAL:
        raise ValueError(f"scale of the scene is too small: {scn.scale:g}")


def _need_near(scn: MjvScene) -> None:
    if (scn.glcam.frustum_near < MINVAL).any():
        raise ValueError("near plane of the scene camera is too close: update the camera first")


def to_model(pos: npt.ArrayLike, quat: npt.ArrayLike, scn: MjvScene) -> tuple[np.ndarray, np.ndarray]:
    """Convert a pose in room space to model space."""
    _need_scale(scn)
    if not scn.enabletransform:
        return np.array(pos, float), np.array(quat, float)
    p, q = mul_pose(*neg_pose(scn.translate.astype(float), scn.rotate.astype(float)), pos, quat)
    return p / scn.scale, q


def mjv_room2model(
    modelpos: npt.NDArray[np.float64],
    modelquat: npt.NDArray[np.float64],
    roompos: npt.ArrayLike,
    roomquat: npt.ArrayLike,
    scn: MjvScene,
) -> None:
    """Convert a pose in room space to model space, by inverting the scene transform.

    modelpos: float64 (3), written: in meters
    modelquat: float64 (4), written
    roompos: float64 (3): in meters
    roomquat: float64 (4)
    """
    p, q = to_model(roompos, roomquat, scn)
    _put(modelpos, p)
    _put(modelquat, q)


def mjv_model2room(
    roompos: npt.NDArray[np.float64],
    roomquat: npt.NDArray[np.float64],
    modelpos: npt.ArrayLike,
    modelquat: npt.ArrayLike,
    scn: MjvScene,
) -> None:
    """Convert a pose in model space to room space.

    roompos: float64 (3), written: in meters
    roomquat: float64 (4), written
    modelpos: float64 (3): in meters
    modelquat: float64 (4)
    """
    _need_scale(scn)
    p, q = np.array(modelpos, float), np.array(modelquat, float)
    if scn.enabletransform:
        p, q = mul_pose(scn.translate.astype(float), scn.rotate.astype(float), p, q)
        p = p * scn.scale
    _put(roompos, p)
    _put(roomquat, q)


def head_in_model(scn: MjvScene) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return head position, forward and up in model space, averaged over the two GL cameras."""
    _need_near(scn)
    if not scn.enabletransform:
        return head_in_room(scn)
    pos, fwd, ups = np.zeros(3), np.zeros(3), np.zeros(3)
    for cam in scn.camera:
        f, u = normalize(cam.forward)[0], normalize(cam.up)[0]
        left = normalize(cross(u, f))[0]
        p, q = to_model(cam.pos.astype(float), mat_quat(np.stack([left, u, f], 1)), scn)
        mat = quat_mat(q)
        pos += 0.5 * p
        fwd += 0.5 * mat[:, 2]
        ups += 0.5 * mat[:, 1]
    return pos, normalize(fwd)[0], normalize(ups)[0]


def head_in_room(scn: MjvScene) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return head position, forward and up in room space, averaged over the two GL cameras."""
    _need_near(scn)
    g = scn.glcam
    return g.pos.astype(float).mean(0), normalize(g.forward.astype(float).sum(0))[0], normalize(g.up.astype(float).sum(0))[0]


def mjv_cameraInModel(
    headpos: npt.NDArray[np.float64], forward: npt.NDArray[np.float64], up: npt.NDArray[np.float64], scn: MjvScene
) -> None:
    """Write the camera's frame in model space, averaged over the two GL cameras; None skips an array.

    headpos: float64 (3), written: position in meters
    forward, up: float64 (3), written: unit vectors
    """
    for out, v in zip((headpos, forward, up), head_in_model(scn)):
        _put(out, v)


def mjv_cameraInRoom(
    headpos: npt.NDArray[np.float64], forward: npt.NDArray[np.float64], up: npt.NDArray[np.float64], scn: MjvScene
) -> None:
    """Write the camera's frame in room space, averaged over the two GL cameras; None skips an array.

    headpos: float64 (3), written: position in meters
    forward, up: float64 (3), written: unit vectors
    """
    for out, v in zip((headpos, forward, up), head_in_room(scn)):
        _put(out, v)


def mjv_frustumHeight(scn: MjvScene) -> float:
    """Return the view's height in meters, averaged over both cameras: at a distance of 1 meter (perspective) or at any distance
    (orthographic). ValueError if only one camera is orthographic.
    """
    g = scn.glcam
    if g.orthographic[0] != g.orthographic[1]:
        raise ValueError("cannot average a perspective and an orthographic camera")
    height = g.frustum_top.astype(float) - g.frustum_bottom
    if not g.orthographic[0]:
        _need_near(scn)
        height = height / g.frustum_near
    return float(height.mean())


def align(vec: Any, forward: Any) -> np.ndarray:
    """Rotate a vector about the vertical, by the rotation that turns the y axis to the camera's horizontal direction."""
    fx, fy = float(forward[0]), float(forward[1])
    n = math.hypot(fx, fy)
    fx, fy = (fx / n, fy / n) if n >= MINVAL else (1.0, 0.0)
    return np.array([vec[0] * fy + vec[1] * fx, -vec[0] * fx + vec[1] * fy, vec[2]])


def mjv_alignToCamera(res: npt.NDArray[np.float64], vec: npt.ArrayLike, forward: npt.ArrayLike) -> None:
    """Rotate a vector about the vertical, by the rotation that turns the y axis to the camera's horizontal direction.

    res: float64 (3), written
    vec: float64 (3)
    forward: float64 (3): direction in which the camera looks
    """
    _put(res, align(vec, forward))


def drag_vector(action: int, dx: float, dy: float, forward: np.ndarray) -> np.ndarray:
    """Convert a mouse motion to a world vector that is aligned with the vertical: the axis of a rotation, or the direction of a
    translation."""
    shape = {
        ROTATE_V: (dy, 0, dx),
        ROTATE_H: (dy, dx, 0),
        MOVE_V: (dx, 0, -dy),
        MOVE_V_REL: (dx, 0, -dy),
        MOVE_H: (dx, -dy, 0),
        MOVE_H_REL: (dx, -dy, 0),
        ZOOM: (0, 0, 0),
    }
    if int(action) not in shape:
        raise ValueError(f"unknown mouse action {int(action)}")
    return align(shape[int(action)], forward)


def _turn(cam: MjvCamera, action: int, reldx: float, reldy: float) -> None:
    """Turn the camera, keeping its position."""
    head = camera_frame(None, cam)[0]
    if action == TURN_H:
        cam.azimuth -= reldx * 180
    else:
        cam.elevation = min(max(cam.elevation - reldy * 180, -89), 89)
    cam.lookat = head + cam.distance * camera_frame(None, cam)[1]


def view_of(m: MjModel, scn: MjvScene | None, cam: MjvCamera) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    """Return head position, forward, up and frustum height of a scene or, if there is none, of the free or tracking camera."""
    if scn is not None:
        return *head_in_model(scn), mjv_frustumHeight(scn)
    head, forward, up, _ = camera_frame(None, cam)
    fovy = m.vis.global_.fovy
    return head, forward, up, fovy if cam.orthographic else 2 * math.tan(fovy * math.pi / 360)


def mjv_moveCamera(
    m: MjModel, action: SupportsIndex, reldx: Any, reldy: Any, scn: Any = None, cam: MjvCamera | None = None
) -> None:
    """Move a camera by a mouse motion, in fractions of the viewport height. Fixed cameras do not move; tracking cameras do
    not pan.

    If there is no scene argument, as in release 3.11 and later, the fifth argument is the camera. Turning (since 4.0) keeps the
    camera's position and moves the point it looks at. ValueError for an unknown action.

    action: mjtMouse
    reldx, reldy: motion of the mouse, in fractions of the viewport's height
    """
    if cam is None:
        scn, cam = None, scn
    if not isinstance(cam, MjvCamera):
        raise TypeError(f"mjv_moveCamera: a camera is expected, got {type(cam).__name__}")
    if cam.type == FIXED:
        return

    action, extent = int(action), m.stat.extent
    if action in (ROTATE_V, ROTATE_H):
        cam.azimuth -= reldx * 180
        cam.elevation -= reldy * 180
    elif action in (TURN_V, TURN_H):
        _turn(cam, action, reldx, reldy)
    elif action == ZOOM:
        cam.distance -= math.log(1 + cam.distance / extent / 3) * reldy * 9 * extent
    elif action in (MOVE_V, MOVE_H, MOVE_V_REL, MOVE_H_REL):
        if cam.type == TRACKING:
            return
        head, forward, up, height = view_of(m, scn, cam)
        if action in (MOVE_V, MOVE_H):
            scale = height * float((cam.lookat - head) @ forward) * (ORTHO_DRAG if cam.orthographic else 1)
            cam.lookat -= scale * drag_vector(action, reldx, reldy, forward)
        else:
            cam.lookat += reldy * (up if action == MOVE_V_REL else forward) + reldx * cross(forward, up)
    else:
        raise ValueError(f"unknown mouse action {action}")

    # Keep angles and distance in range.
    if cam.azimuth > 180:
        cam.azimuth -= 360
    elif cam.azimuth < -180:
        cam.azimuth += 360
    cam.elevation = min(max(cam.elevation, -89), 89)
    cam.distance = min(max(cam.distance, 0.01 * extent), 100 * extent)
