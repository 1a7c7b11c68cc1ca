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
    """Settings of an image, for the command line, scripts and panels. Raise ValueError if a value is out of its range."""
    samples: int
    environment: float
    softness: float
    aperture: float
    focus: float
    transparent: bool
    ground: bool
    def __init__(self, samples: int = ..., environment: float = ..., softness: float = ..., aperture: float = ..., focus: float = ..., transparent: bool = ..., ground: bool = ...) -> None: ...

class Studio(Renderer):
    """A Renderer of a model that also takes images of any size. Raises RuntimeError without OpenGL.

    max_geom: maximum number of geoms in a scene.
    """
    def __init__(self, model: Any, max_geom: int = ...) -> None: ...
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
        """Make render() return distances."""
    def disable_depth_rendering(self) -> None:
        """Stop returning distances."""
    def enable_segmentation_rendering(self) -> None:
        """Make render() return object ids and types."""
    def disable_segmentation_rendering(self) -> None:
        """Stop returning object ids."""
    def update_scene(self, data: MjData, camera: str | int | MjvCamera = ..., scene_option: MjvOption | None = ...) -> None:
        """Rebuild the scene from a state. camera: an MjvCamera, an id or a name; -1 is the default free camera."""
    def render(self, *, out: npt.NDArray[Any] | None = ...) -> npt.NDArray[Any]:
        """Draw the scene into a new array, or into `out`, whose shape must match. Return the array."""
    def close(self) -> None: ...
    def __enter__(self) -> Renderer: ...
    def __exit__(self, exc_type: type[BaseException] | None, exc_value: BaseException | None, traceback: TracebackType | None) -> None: ...
    def picture(self, width: int, height: int, look: Look | None = ...) -> np.ndarray:
        """Return an image of the scene: (height, width, 3) uint8, or (height, width, 4) with alpha if the look is
        transparent.

        Only memory limits the size.
        """
