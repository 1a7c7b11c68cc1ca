"""Written by `python -m tumble.stubs`; do not edit."""
import enum
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from types import TracebackType
from typing import IO, Any, Generic, SupportsFloat, SupportsIndex, TypeAlias, TypeVar, overload

import numpy as np
import numpy.typing as npt


from . import Renderer as Renderer
from . import MjData, MjModel, MjrRect, MjvCamera, MjvFigure, MjvOption, MjvPerturb, MjvScene

PLAIN: Look

class Look:
    """Settings of an image, for the command line, scripts and panels. ValueError if a value is out of its range.

    samples: number of pictures that are averaged, 1 to 4096; fewer are faster, more give a smoother image
    environment: fraction of the ambient light that comes from the sky, which leaves corners darker, 0 to 1
    softness: angular radius of the lights in degrees, 0 to 45; larger values make shadows softer
    aperture: width of the lens, relative to the focus distance, 0 to 1; 0: everything is sharp
    focus: focus distance in meters; 0: the distance of the object in the middle
    transparent: transparent background (an alpha channel) instead of the sky
    ground: draw the planes on which the model stands
    """
    samples: int
    environment: float
    softness: float
    aperture: float
    focus: float
    transparent: bool
    ground: bool
    def __init__(self, samples: int = 64, environment: float = 1.0, softness: float = 1.5, aperture: float = 0.0, focus: float = 0.0, transparent: bool = False, ground: bool = True) -> None: ...

class Studio(Renderer):
    """A Renderer of a model that also takes images of any size. RuntimeError without OpenGL.

    model: the model whose scenes it draws
    max_geom: maximum number of geoms in a scene
    """
    def __init__(self, model: Any, max_geom: int = 100000) -> None: ...
    @property
    def model(self) -> MjModel:
        """The model."""
    @property
    def scene(self) -> MjvScene:
        """The scene, to which scripts can add geoms between update_scene and render."""
    @property
    def height(self) -> int:
        """Image height in pixels."""
    @property
    def width(self) -> int:
        """Image width in pixels."""
    def enable_depth_rendering(self) -> None:
        """Make render() return distances in meters along the view direction."""
    def disable_depth_rendering(self) -> None:
        """Stop returning distances."""
    def enable_segmentation_rendering(self) -> None:
        """Make render() return object ids and types."""
    def disable_segmentation_rendering(self) -> None:
        """Stop returning object ids."""
    def update_scene(self, data: MjData, camera: str | int | MjvCamera = -1, scene_option: MjvOption | None = None) -> None:
        """Rebuild the scene from a state.

        camera: an MjvCamera, an id or a name; -1 is the default free camera. ValueError if there is no such camera
        """
    def render(self, *, out: npt.NDArray[Any] | None = None) -> npt.NDArray[Any]:
        """Draw the scene and return the image, top row first: uint8 (height, width, 3); with depth rendering, float32 (height,
        width), in meters; with segmentation, int32 (height, width, 2), the id and type (mjtObj) of objects, -1 for none.
        RuntimeError after close.

        out: array (height, width, 3), or (height, width) with depth rendering, that receives the image, and is then returned;
            segmentation ignores it. None: a new array. ValueError for other shapes
        """
    def close(self) -> None:
        """Free the context and everything in it; safe to call twice."""
    def __enter__(self) -> Renderer: ...
    def __exit__(self, exc_type: type[BaseException] | None, exc_value: BaseException | None, traceback: TracebackType | None) -> None: ...
    def picture(self, width: int, height: int, look: Look | None = None) -> np.ndarray:
        """Return an image of the scene, top row first: uint8 (height, width, 3), or (height, width, 4) with alpha if the look
        is transparent. Only memory limits the size. RuntimeError after close.

        width, height: size of the image in pixels
        look: settings; None: `Look()`
        """
