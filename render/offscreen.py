"""Renders images without a window: `Renderer` has the interface of `mujoco.Renderer`.

with Renderer(model, height=480, width=640) as r:
    r.update_scene(data, camera='side')
    rgb = r.render()                       # (480, 640, 3) uint8
    r.enable_depth_rendering()
    depth = r.render()                     # (480, 640) float32, meters along the view direction
    r.disable_depth_rendering()
    r.enable_segmentation_rendering()
    seg = r.render()                       # (480, 640, 2) int32: object id and type (mjtObj), -1 for background
"""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Any, Self, SupportsIndex

import numpy as np
import numpy.typing as npt

from ..engine.core.data import MjData
from ..engine.core.model import MjModel
from ..engine.tables.enums import mjtCamera, mjtCatBit, mjtObj
from .gl.context import GLContext
from .gl.lighting import CLASSIC, LIGHTING
from .scene import MjvCamera, MjvOption, MjvScene, mjv_defaultFreeCamera, mjv_updateScene
from .scene.label_texts import name_of

TOO_LARGE = """Image %s %d > framebuffer %s %d. Either reduce the image %s or specify a larger offscreen
framebuffer in the model XML using the clause:
<visual>
  <global off%s="my_%s"/>
</visual>"""


def check_size(model: MjModel, width: int, height: int) -> None:
    """Raise ValueError if an image is larger than the model's offscreen buffer."""
    for what, have, limit in (("width", width, model.vis.global_.offwidth), ("height", height, model.vis.global_.offheight)):
        if have > limit:
            raise ValueError(TOO_LARGE % (what, have, what, limit, what, what, what))


class Renderer:
    """Renders scenes of one model into arrays. A `with` statement closes it at the end. RuntimeError without OpenGL.

        with Renderer(model, height=480, width=640) as r:
            r.update_scene(data, camera="side")
            rgb = r.render()

    model: the model whose scenes it draws
    height, width: size of the images in pixels. ValueError if it exceeds offheight, offwidth of the model's visual/global
    max_geom: maximum number of geoms in a scene
    font_scale: no effect; accepted because MuJoCo's Renderer has this argument
    lighting: 'classic', the traditional look, or 'pixel', as in the viewer. ValueError for other words
    """

    # the class of its scene
    _SCENE = MjvScene

    def __init__(
        self,
        model: MjModel,
        height: Any = 240,
        width: Any = 320,
        max_geom: SupportsIndex = 10000,
        font_scale: Any = None,
        lighting: str = CLASSIC.name,
    ) -> None:
        check_size(model, width, height)
        if lighting not in LIGHTING:
            raise ValueError(f"lighting is {lighting!r}, it must be one of {', '.join(LIGHTING)}")
        self._model, self._width, self._height = model, width, height
        self._gl_context = self._gl = self._mjr = None
        self._scene = self._SCENE(model, max_geom)
        self._scene_option = MjvOption()
        self._cameras: dict[int, MjvCamera] = {}
        self._depth = self._segmentation = False
        self._gl_context = GLContext(width, height)
        # Importing OpenGL and the renderer takes 0.4 s.
        # The context must exist first, because it determines the OpenGL platform.
        from .gl.mjr_context import ImageRenderer, around

        self._around = around
        self._gl = ImageRenderer(model, font_scale, LIGHTING[lighting])

    @property
    def _mjr_context(self) -> Any:
        """An MjrContext of this renderer, for scripts that call mjr_* functions; None after `close`. The size of its offscreen
        buffer is that of the images."""
        if self._gl is None or self._gl_context is None:
            return None
        if self._mjr is None:
            self._gl_context.make_current()
            self._mjr = self._around(self._gl, self._model, self._width, self._height)
        return self._mjr

    @property
    def model(self) -> Any:
        """The model."""
        return self._model

    @property
    def scene(self) -> MjvScene:
        """The scene, to which scripts can add geoms between update_scene and render."""
        return self._scene

    @property
    def height(self) -> int:
        """Image height in pixels."""
        return self._height

    @property
    def width(self) -> int:
        """Image width in pixels."""
        return self._width

    def enable_depth_rendering(self) -> None:
        """Make render() return distances in meters along the view direction."""
        self._segmentation, self._depth = False, True

    def disable_depth_rendering(self) -> None:
        """Stop returning distances."""
        self._depth = False

    def enable_segmentation_rendering(self) -> None:
        """Make render() return object ids and types."""
        self._segmentation, self._depth = True, False

    def disable_segmentation_rendering(self) -> None:
        """Stop returning object ids."""
        self._segmentation = False

    def _camera(self, camera: Any) -> Any:
        """Return the MjvCamera for a camera given as object, id (-1: free) or name."""
        if not isinstance(camera, (int, str, np.integer)):
            return camera
        m = self._model
        if isinstance(camera, str):
            names = [name_of(m, mjtObj.mjOBJ_CAMERA, i) for i in range(m.ncam)]
            if camera not in names:
                raise ValueError(f'The camera "{camera}" does not exist.')
            camera = names.index(camera)
        if not -1 <= camera < m.ncam:
            raise ValueError(f"The camera id {camera} is out of range [-1, {m.ncam}).")

        # Create each camera object only once, because compiled code keeps its address.
        out = self._cameras.get(int(camera))
        if out is None:
            out = self._cameras[int(camera)] = MjvCamera()
            out.type, out.fixedcamid = int(mjtCamera.mjCAMERA_FIXED), int(camera)
        if camera == -1:
            mjv_defaultFreeCamera(m, out)
        return out

    def update_scene(self, data: MjData, camera: str | int | MjvCamera = -1, scene_option: MjvOption | None = None) -> None:
        """Rebuild the scene from a state.

        camera: an MjvCamera, an id or a name; -1 is the default free camera. ValueError if there is no such camera
        """
        mjv_updateScene(
            self._model,
            data,
            scene_option or self._scene_option,
            None,
            self._camera(camera),
            int(mjtCatBit.mjCAT_ALL),
            self._scene,
        )

    def render(self, *, out: npt.NDArray[Any] | None = None) -> np.ndarray:
        """Draw the scene and return the image, top row first: uint8 (height, width, 3); with depth rendering, float32 (height,
        width), in meters; with segmentation, int32 (height, width, 2), the id and type (mjtObj) of objects, -1 for none.
        RuntimeError after close.

        out: array (height, width, 3), or (height, width) with depth rendering, that receives the image, and is then returned;
            segmentation ignores it. None: a new array. ValueError for other shapes
        """
        if self._gl is None or self._gl_context is None:
            raise RuntimeError("render cannot be called after close.")
        self._gl_context.make_current()
        shape = (self._height, self._width) if self._depth else (self._height, self._width, 3)
        if out is not None and out.shape != shape:
            raise ValueError(
                f"Expected `out.shape == {shape}`. Got `out.shape={out.shape}` instead. When using depth rendering, the out "
                "array should be of shape (height, width) and otherwise (height, width, 3)."
            )

        if self._depth:
            image = self._distance()
        elif self._segmentation:
            return self._objects()
        else:
            image = self._gl.rgb(self._scene, self._width, self._height)

        if out is None:
            return image
        out[:] = image
        return out

    def _distance(self) -> np.ndarray:
        """Return the distance of each pixel along the view direction. Where nothing is visible, this is the distance of the far
        plane."""
        assert self._gl is not None
        _, dist = self._gl.renderer.draw_ids(self._scene, self._width, self._height)
        far = np.float32(self._model.vis.map.zfar * self._model.stat.extent)
        return np.where(np.isfinite(dist), dist, far).astype(np.float32)

    def _objects(self) -> np.ndarray:
        """Return the object id and type of each pixel."""
        assert self._gl is not None
        ids, _ = self._gl.renderer.draw_ids(self._scene, self._width, self._height)
        n, g = self._scene.ngeom, self._scene.geom
        table = np.full((max(n, int(g.segid[:n].max(initial=0)) + 1) + 1, 2), -1, np.int32)
        seen = g.segid[:n] >= 0
        table[g.segid[:n][seen] + 1] = np.stack([g.objid[:n][seen], g.objtype[:n][seen]], 1)
        return table[ids + 1]

    def close(self) -> None:
        """Free the context and everything in it; safe to call twice."""
        if self._gl is not None and self._gl_context is not None:
            self._gl_context.make_current()
            self._gl.close()
        if self._gl_context is not None:
            self._gl_context.free()
        self._gl = self._gl_context = self._mjr = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, exc_type: type[BaseException] | None, exc_value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def __del__(self) -> None:
        # When the process ends, its contexts are freed anyway.
        if getattr(self, "_gl", None) is not None and not sys.is_finalizing():
            self.close()
