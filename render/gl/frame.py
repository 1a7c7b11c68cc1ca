"""Fills the uniform block: camera matrices, fog, lights, shadow projections. Uses no OpenGL; the layout is that of
assets/shaders/frame.glsl.

Matrices are (4, 4) row-major float64 in this file, and are transposed when written into the block. The block uses reversed
depth, which decreases from near to far: from 1 to 0 if OpenGL supports this range, which wastes no precision, else from 1 to
-1.
"""

import math
from typing import Any, Self

import numpy as np

from ...engine.core.model import MjModel
from ...engine.tables.enums import mjtCatBit, mjtGeom, mjtLightType
from ..scene.abstract import MjvGLCamera, MjvScene, drawn
from ..scene.camera import head_in_model, to_model
from ..scene.record_arrays import Records
from ..scene.rotate import cross, normalize, quat_mat
from .quality import Quality
from .record_kernels import caster_bounds

MAXLIGHT, MAXSHADOW = 16, 8
LIGHT = np.dtype([(k, "f4", 4) for k in ("pos", "dir", "att", "ambient", "diffuse", "specular")])
BLOCK = np.dtype(
    [("view", "f4", (4, 4)), ("proj", "f4", (4, 4))]
    + [(k, "f4", 4) for k in ("eye", "gaze", "fog", "range", "clip", "tint", "screen", "taps")]
    + [("shadow", "f4", (MAXSHADOW, 4, 4)), ("lights", LIGHT, MAXLIGHT)]
)
SPOT, POINT, IMAGE = (int(mjtLightType["mjLIGHT_" + k]) for k in ("SPOT", "POINT", "IMAGE"))
# ARROW and all higher geom types exist only as decor.
PLANE, ARROW = int(mjtGeom.mjGEOM_PLANE), int(mjtGeom.mjGEOM_ARROW)
DECOR = int(mjtCatBit.mjCAT_DECOR)
DARK_AMBIENT = 0.3
MAX_CONE = 160.0
MAX_EXPONENT = 128.0
TINY = 1e-10
# Fixed-function OpenGL guarantees eight lights.
CLASSIC_LIGHTS = 8
NO_CONE = -2.0
NO_TURN = np.array([1.0, 0, 0, 0])


def look(eye: np.ndarray, forward: np.ndarray, up: np.ndarray) -> np.ndarray:
    """Return the view matrix of a camera."""
    f = normalize(forward)[0]
    s = normalize(cross(f, up))[0]
    u = cross(s, f)
    m = np.eye(4)
    m[0, :3], m[1, :3], m[2, :3] = s, u, -f
    m[:3, 3] = -m[:3, :3] @ eye
    return m


def frustum(left: float, right: float, bottom: float, top: float, near: float, far: float) -> np.ndarray:
    """Return a perspective projection."""
    m = np.zeros((4, 4))
    m[0, 0], m[0, 2] = 2 * near / (right - left), (right + left) / (right - left)
    m[1, 1], m[1, 2] = 2 * near / (top - bottom), (top + bottom) / (top - bottom)
    m[2, 2], m[2, 3], m[3, 2] = -(far + near) / (far - near), -2 * far * near / (far - near), -1
    return m


def ortho(
    left: float | np.floating,
    right: float | np.floating,
    bottom: float | np.floating,
    top: float | np.floating,
    near: float | np.floating,
    far: float | np.floating,
) -> np.ndarray:
    """Return an orthographic projection."""
    m = np.eye(4)
    m[0, 0], m[1, 1], m[2, 2] = 2 / (right - left), 2 / (top - bottom), -2 / (far - near)
    m[:3, 3] = -(right + left) / (right - left), -(top + bottom) / (top - bottom), -(far + near) / (far - near)
    return m


def camera_matrices(cam: MjvGLCamera, scn: MjvScene, aspect: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the view matrix (model space to eye) and the projection of a GL camera. aspect: width / height."""
    half = cam.frustum_width or 0.5 * aspect * (cam.frustum_top - cam.frustum_bottom)
    make = ortho if cam.orthographic else frustum
    proj = make(
        cam.frustum_center - half,
        cam.frustum_center + half,
        cam.frustum_bottom,
        cam.frustum_top,
        cam.frustum_near,
        cam.frustum_far,
    )
    view = look(cam.pos.astype(float), cam.forward.astype(float), cam.up.astype(float))
    if scn.enabletransform:
        room = np.eye(4)
        room[:3, :3] = scn.scale * quat_mat(scn.rotate.astype(float))
        room[:3, 3] = scn.translate
        view = view @ room
    return view, proj


def single_matrices(cam: MjvGLCamera, scn: MjvScene, aspect: float, turn: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return view and projection with reversed depth, computed in single precision."""
    f4 = np.float32
    b, t, n, f, center, width = (f4(getattr(cam, "frustum_" + k)) for k in ("bottom", "top", "near", "far", "center", "width"))
    half = width or f4(0.5) * f4(aspect) * (t - b)
    l, r = center - half, center + half

    # Make the projection.
    m = np.zeros((4, 4), f4)
    if cam.orthographic:
        m = ortho(l, r, b, t, n, f).astype(f4)
    else:
        m[0, 0], m[0, 2], m[1, 1], m[1, 2] = 2 * n / (r - l), (r + l) / (r - l), 2 * n / (t - b), (t + b) / (t - b)
        m[2, 2], m[2, 3], m[3, 2] = -(f + n) / (f - n), -(2 * f * n) / (f - n), -1

    # Make the view from an orthonormal basis of the camera's directions.
    forward, up = single_unit(cam.forward), np.asarray(cam.up, f4)
    side = single_unit(single_cross(forward, up))
    up = single_unit(single_cross(side, forward))
    pos, view = np.asarray(cam.pos, f4), np.eye(4, dtype=f4)
    view[0, :3], view[1, :3], view[2, :3] = side, up, -forward
    view[:3, 3] = [-single_dot(side, pos), -single_dot(up, pos), single_dot(forward, pos)]
    if scn.enabletransform:
        room = np.eye(4, dtype=f4)
        room[:3, :3], room[:3, 3] = scn.scale * quat_mat(scn.rotate.astype(float)), scn.translate
        view = product(view, room)
    return view, product(turn.astype(f4), m)


def single_dot(a: np.ndarray, b: np.ndarray) -> Any:
    """Return the scalar product of single-precision vectors (3,), summed from left to right."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def single_cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the cross product of single-precision vectors (3,)."""
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]], np.float32)


def single_unit(v: np.ndarray) -> np.ndarray:
    """Normalize a single-precision vector (3,); a zero vector becomes the z axis."""
    v = np.asarray(v, np.float32)
    size = np.sqrt(single_dot(v, v))
    return v * (np.float32(1) / size) if size >= TINY else np.array([0, 0, 1], np.float32)


def reflection(pos: np.ndarray, normal: np.ndarray) -> np.ndarray:
    """Return the matrix that mirrors model space at a plane."""
    m = np.eye(4)
    m[:3, :3] -= 2 * np.outer(normal, normal)
    m[:3, 3] = 2 * (normal @ pos) * normal
    return m


def product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Multiply single-precision matrices (..., 4, 4). Each entry is summed from left to right, as OpenGL drivers do."""
    out = a[..., :, :1] * b[..., :1, :]
    for k in (1, 2, 3):
        out = out + a[..., :, k : k + 1] * b[..., k : k + 1, :]
    return out


class FrameData:
    """Fills the uniform block for a view of a scene and for the mirror image of this view. `whole`: OpenGL supports depths from
    0 to 1 (otherwise -1 to 1)."""

    def __init__(self, whole: bool = False) -> None:
        self.block = np.zeros((), BLOCK)
        self.layers = []
        self.view = self.proj = np.eye(4)
        self.turn = np.diag([1, 1, -0.5, 1]) if whole else np.diag([1.0, 1, -1, 1])
        self.turn[2, 3] = 0.5 * whole
        self.half = 1.0 if whole else 0.5
        # (view matrix, projection matrix) for classic lighting.
        self.single: tuple[np.ndarray, np.ndarray] | None = None

    def begin(
        self,
        scn: MjvScene,
        m: MjModel,
        cam: MjvGLCamera,
        size: tuple[int, int],
        quality: Quality,
        shadows: bool,
        classic: bool = False,
    ) -> Self:
        """Set camera, fog, lights and shadow projections for a view of `size` pixels. `classic`: use the lighting of
        mjr_render (see render.gl.lighting)."""
        b = self.block

        # Make the camera matrices.
        view, proj = camera_matrices(cam, scn, size[0] / size[1])
        self.view, self.proj = view, proj
        self.single = single_matrices(cam, scn, size[0] / size[1], self.turn) if classic else None
        b["view"], b["proj"] = view.T, (self.turn @ proj).T
        head, forward, _ = head_in_model(scn)

        # Before the first forward kinematics, a camera has a position but no direction.
        eye, _ = to_model(cam.pos.astype(float), NO_TURN, scn)
        b["eye"][:3], b["eye"][3], b["gaze"][:3] = eye, cam.orthographic, forward
        b["gaze"][3] = cam.orthographic and not classic

        # Set fog, lights and sizes.
        ext, vmap = m.stat.extent, m.vis.map
        b["fog"] = (*np.asarray(m.vis.rgba.fog)[:3], drawn(scn)[5])
        n = min(scn.nlight, CLASSIC_LIGHTS if classic else MAXLIGHT)
        b["range"] = (ext * vmap.fogstart, ext * vmap.fogend, n, 0 if scn.nlight else DARK_AMBIENT)
        b["clip"] = (0, 0, 0, 1)
        b["tint"] = (1, 1, 1, 1)
        b["screen"] = (size[0], size[1], 1 / size[0], 1 / size[1])
        self._lights(scn, m, cam, n, quality, shadows, head, forward, classic)
        return self

    def _lights(
        self,
        scn: MjvScene,
        m: MjModel,
        cam: MjvGLCamera,
        n: int,
        quality: Quality,
        shadows: bool,
        head: np.ndarray,
        forward: np.ndarray,
        classic: bool,
    ) -> None:
        b, L = self.block, scn.light
        self.layers = []
        casters = caster_sphere(scn) if shadows else None
        for i in range(n):
            # Set position, direction and attenuation; only spot lights have a cone.
            o, kind = b["lights"][i], int(L.type[i])
            placed = kind in (SPOT, POINT)
            cone = kind == SPOT and L.cutoff[i] <= 90
            o["pos"] = (*L.pos[i], placed)
            o["dir"] = (*normalize(L.dir[i])[0], math.cos(math.radians(float(L.cutoff[i]))) if cone else NO_CONE)
            o["att"] = (*(L.attenuation[i] if kind == SPOT else (1, 0, 0)), spot_exponent(L, i, classic) if kind == SPOT else 0)

            # Image lights have no effect in this renderer.
            on = kind != IMAGE
            o["ambient"][:3], o["diffuse"][:3], o["specular"][:3] = L.ambient[i] * on, L.diffuse[i] * on, L.specular[i] * on
            o["ambient"][3] = -1

            # Each light that casts shadows gets one layer of the shadow maps, as long as free layers are left.
            if casters is not None and L.castshadow[i] and on and len(self.layers) < MAXSHADOW:
                o["ambient"][3] = len(self.layers)
                mat = (
                    classic_light_matrix(L, i, m, cam)
                    if classic
                    else light_matrix(L, i, m, cam, casters, quality.shadowsize, head, forward)
                )
                b["shadow"][len(self.layers)] = (self.turn @ mat).T
                self.layers.append(i)
        b["taps"] = (1 / max(quality.shadowsize, 1), self.half, quality.taps, 1.5 / max(quality.shadowsize, 1))

    def clip_matrices(self, records: np.ndarray, mirror: np.ndarray | None = None) -> np.ndarray:
        """Return column-major matrices (n, 4, 4), one for each record, that transform unit shapes to clip space. `mirror` (4,
        4) mirrors the view.

        Every operation is rounded to single precision, as if the matrices were multiplied one by one in fixed-function OpenGL.
        """
        assert self.single is not None
        view = self.single[0] if mirror is None else product(self.single[0], mirror.astype(np.float32))
        # Geoms at infinite or NaN positions are invisible; a warning in every frame would not help.
        with np.errstate(invalid="ignore", over="ignore"):
            return self._clip_matrices(records, view)

    def _clip_matrices(self, records: np.ndarray, view: np.ndarray) -> np.ndarray:
        assert self.single is not None
        move, turn = records["m"][:, :, 3], np.zeros((len(records), 4, 4), np.float32)
        turn[:, :3, :3], turn[:, 3, 3] = records["m"][:, :, :3], 1
        place = np.tile(view, (len(records), 1, 1))
        place[:, :, 3] = view[:, 0] * move[:, :1] + view[:, 1] * move[:, 1:2] + view[:, 2] * move[:, 2:] + view[:, 3]
        place = product(place, turn)
        place[:, :, :3] *= records["scale"][:, None, :3]
        return np.ascontiguousarray(product(self.single[1], place).swapaxes(1, 2))

    def mirror(self, pos: np.ndarray, normal: np.ndarray, reflectance: float) -> np.ndarray:
        """Return the uniform block for the mirror image of this view: nothing behind the mirror plane, no shadows, scaled
        colors."""
        b, r = self.block.copy(), reflection(pos, normal)
        b["view"] = (self.view @ r).T
        # Specular highlights depend on the mirrored position of the eye.
        b["eye"][:3] = r[:3, :3] @ b["eye"][:3] + r[:3, 3]
        b["gaze"][:3] = r[:3, :3] @ b["gaze"][:3]
        b["clip"] = (*normal, -(normal @ pos))
        b["tint"] = (reflectance, reflectance, reflectance, 0)
        return b

    def unshadowed(self) -> np.ndarray:
        """Return the uniform block of this view without shadows."""
        b = self.block.copy()
        b["tint"][3] = 0
        return b


def caster_sphere(scn: MjvScene) -> tuple[np.ndarray, float] | None:
    """Return center and radius of a sphere around all shadow casters except planes, or None if there are none."""
    points = [
        edge
        for buf in (scn.surface.flexvert, scn.surface.skinvert)
        if len(buf)
        for edge in (buf.reshape(-1, 3).min(0), buf.reshape(-1, 3).max(0))
    ]
    found = np.empty(4)
    if not caster_bounds(scn.geom.located(), scn.ngeom, np.array([*points, np.zeros(3)]), len(points), found):
        return None
    return found[:3], float(found[3])


def light_matrix(
    L: Records,
    i: int,
    m: MjModel,
    cam: MjvGLCamera,
    casters: tuple[np.ndarray, float],
    size: int,
    head: np.ndarray,
    forward: np.ndarray,
) -> np.ndarray:
    """Return a light's projection that covers the shadow casters within the model's shadow range, snapped to texels."""
    mid, rad = casters
    d = normalize(L.dir[i])[0]
    up = cross(d, [-1, 0, 0])
    up = up if up @ up > 0.01 else cross(d, [0, 1, 0])
    if int(L.type[i]) not in (SPOT, POINT):
        # For a directional light, use an orthographic projection.
        limit = m.stat.extent * m.vis.map.shadowclip
        if rad > limit:
            # If the shadow map cannot cover the world, follow the view.
            mid = head + forward * np.clip((mid - head) @ forward, 0, 2 * limit)
            reach, rad = rad, limit
        else:
            reach = rad
        rad = quantize(rad)
        view = look(np.zeros(3), d, up)
        c = view[:3, :3] @ mid
        texel = 2 * rad / max(size, 1)
        c[:2] = np.round(c[:2] / texel) * texel
        return ortho(c[0] - rad, c[0] + rad, c[1] - rad, c[1] + rad, -c[2] - 2 * reach, -c[2] + 2 * reach) @ view

    # For a spot or point light, use a perspective projection; narrow it to the shadow casters if the light is outside them.
    pos = L.pos[i].astype(float)
    dist = float(np.linalg.norm(mid - pos))
    cone = min(2 * float(L.cutoff[i]), MAX_CONE) if int(L.type[i]) == SPOT else MAX_CONE
    near, far = max(cam.frustum_near, dist - rad), max(dist + rad, 2 * cam.frustum_near)
    aim, fov = d, cone
    if dist > 1.05 * rad:
        tight = 2 * math.degrees(math.asin(rad / dist)) * 1.02
        if tight < cone:
            aim, fov = (mid - pos) / dist, tight
            up = cross(aim, [-1, 0, 0])
            up = up if up @ up > 0.01 else cross(aim, [0, 1, 0])
    near = max(near * 0.5, 1e-3 * far)
    h = near * math.tan(math.radians(min(fov, MAX_CONE)) / 2)
    return frustum(-h, h, -h, h, near, far * 1.5) @ look(pos, aim, up)


def spot_exponent(L: Records, i: int, classic: bool) -> float:
    """Return the exponent of a spot light. As in fixed-function OpenGL, an exponent out of range is ignored; the cone is then
    evenly lit."""
    e = float(L.exponent[i])
    return 0.0 if classic and e > MAX_EXPONENT else min(e, MAX_EXPONENT)


def classic_light_matrix(L: Records, i: int, m: MjModel, cam: MjvGLCamera) -> np.ndarray:
    """Return a light's projection whose size is given by `model.vis.map`: a square around the light's axis, or a part of its
    cone."""
    near, far, vmap = cam.frustum_near, cam.frustum_far, m.vis.map
    d = L.dir[i].astype(float)
    up = cross(d, [-1, 0, 0])
    up = up if up @ up > 0.01 else cross(d, [0, 1, 0])
    view = look(L.pos[i].astype(float), d, up)
    if int(L.type[i]) not in (SPOT, POINT):
        side = m.stat.extent * vmap.shadowclip
        return ortho(-side, side, -side, side, near, far) @ view
    cone = min(2 * float(L.cutoff[i]) * vmap.shadowscale, MAX_CONE) if int(L.type[i]) == SPOT else MAX_CONE
    h = near * math.tan(math.radians(cone) / 2)
    return frustum(-h, h, -h, h, near, far) @ view


def quantize(r: float) -> float:
    """Round a size up to coarse steps, so that shadows do not flicker when objects move."""
    step = 2.0 ** math.floor(math.log2(max(r, 1e-9))) / 8
    return math.ceil(r / step) * step
