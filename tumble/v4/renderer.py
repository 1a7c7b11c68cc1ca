"""Renders images without a window, with classes of the newer interface."""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false
from typing import Any

from ..engine.later.faces import face as _face
from ..engine.later.faces import plain as _plain
from ..render.offscreen import Renderer as _Renderer
from ..render.scene.abstract import LaterScene


class Renderer(_Renderer):
    """Renders images of a model without a window."""

    _SCENE = LaterScene

    def __init__(self, model: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(_plain(model), *args, **kwargs)

    @property
    def model(self) -> Any:
        return _face(super().model)

    def update_scene(self, data: Any, *args: Any, **kwargs: Any) -> None:
        """Update the scene from a state."""
        super().update_scene(_plain(data), *args, **kwargs)
