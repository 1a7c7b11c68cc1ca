"""Written by `python -m tumble.stubs`; not to be edited."""
import enum
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import IO, Any, Generic, SupportsFloat, SupportsIndex, TypeAlias, TypeVar, overload

import numpy as np
import numpy.typing as npt



from . import MjData, MjModel, MjrRect, MjvCamera, MjvFigure, MjvOption, MjvPerturb, MjvScene

KeyCallbackType: TypeAlias = Callable[..., None]
LoaderType: TypeAlias = Callable[[], tuple[MjModel, MjData]]

class Handle:
    """What a script holds while its viewer is open. Also a context manager that closes it."""
    @property
    def cam(self) -> MjvCamera:
        """The camera; writing to it moves the view."""
    @property
    def opt(self) -> MjvOption:
        """The visual options."""
    @property
    def perturb(self) -> MjvPerturb:
        """The selection and the pull of the mouse."""
    @property
    def pert(self) -> MjvPerturb:
        """The selection and the pull of the mouse."""
    @property
    def user_scn(self) -> MjvScene:
        """A scene of the script's own; its geoms are drawn after the model's."""
    @property
    def m(self) -> MjModel:
        """The MjModel on show; a loader may have made it anew."""
    @property
    def d(self) -> MjData:
        """The script's MjData; a loader may have made it anew."""
    @property
    def viewport(self) -> MjrRect:
        """The 3D view's rectangle in the window."""
    def is_running(self) -> bool:
        """Whether the window is open."""
    def close(self) -> None:
        """Close the window and wait for it."""
    def lock(self) -> AbstractContextManager[Any]:
        """Keeps the window from reading while the script writes."""
    def sync(self, state_only: bool = ...) -> None:
        """Exchange with the window: show the script's state, take over what the person changed."""
    def update_hfield(self, hfieldid: int) -> None:
        """Show new heights of a height field; returns when they are uploaded."""
    def update_mesh(self, meshid: int) -> None:
        """Show new vertices of a mesh."""
    def update_texture(self, texid: int) -> None:
        """Show new pixels of a texture."""
    def set_figures(self, viewports_figures: Any) -> None:
        """One or a list of (viewport, MjvFigure), drawn over the window as they are now."""
    def clear_figures(self) -> None:
        """Take away all figures that were set."""
    def set_texts(self, texts: Any) -> None:
        """One or a list of (font, gridpos, left text, right text); None means the default."""
    def clear_texts(self) -> None:
        """Take away all texts that were set."""
    def set_images(self, viewports_images: Any) -> None:
        """One or a list of (viewport, (height, width, 3) uint8, top row first); ValueError for other sizes or types."""
    def clear_images(self) -> None:
        """Take away all images that were set."""
    def __enter__(self) -> Handle: ...
    def __exit__(self, *_exc: object) -> None: ...

def launch(model: MjModel | None = ..., data: MjData | None = ..., *, loader: LoaderType | None = ..., show_left_ui: bool = ..., show_right_ui: bool = ...) -> None:
    """A viewer that steps by itself; blocks until it is closed. Give a model (and data), or a loader that Reload calls again."""

def launch_from_path(path: str) -> None:
    """A viewer that steps by itself, on a file."""

def launch_passive(model: MjModel, data: MjData, *, key_callback: KeyCallbackType | None = ..., show_left_ui: bool = ..., show_right_ui: bool = ..., loader: LoaderType | None = ...) -> Handle:
    """Open a viewer on a script's own Model and Data; returns at once. The script steps and calls `sync`.

    `loader` returns (model, data) again when the person asks for a reload; `Handle.m` and `Handle.d` are then the new ones.
    """
