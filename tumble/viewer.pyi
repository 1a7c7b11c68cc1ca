"""Written by `python -m tumble.stubs`; not to be edited."""
import enum
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from types import TracebackType
from typing import IO, Any, Generic, SupportsFloat, SupportsIndex, TypeAlias, TypeVar, overload

import numpy as np
import numpy.typing as npt



from . import MjData, MjModel, MjrRect, MjvCamera, MjvFigure, MjvOption, MjvPerturb, MjvScene

KeyCallbackType: TypeAlias = Callable[..., None]
LoaderType: TypeAlias = Callable[[], tuple[MjModel, MjData]]

class Hit:
    """What was hit by a click in the view: `kind` (geom, flex, skin, body; empty for nothing), its `index`, its `body`, the
    `point` in the world, and the `button` (left, right, middle).
    """
    kind: str
    index: int
    body: int
    point: tuple[float, float, float]
    button: str
    def __init__(self, kind: str, index: int, body: int, point: tuple[float, float, float], button: str) -> None: ...

class Item:
    """An item of a panel. `remove()` removes it."""
    title: str
    panel: Panel
    callback: Callable[..., object] | None
    help: str
    def remove(self) -> None:
        """Remove the item from its panel."""
    def __init__(self, title: str, panel: Panel, callback: Callable[..., object] | None = ..., help: str = ...) -> None: ...

class Slider(Item):
    """A slider with a `value` between `low` and `high`, which the script may set as well."""
    low: float
    high: float
    value: float
    def remove(self) -> None:
        """Remove the item from its panel."""
    def __init__(self, title: str, panel: Panel, callback: Callable[..., object] | None = ..., help: str = ..., low: float = ..., high: float = ..., value: float = ...) -> None: ...

class Checkbox(Item):
    """A check box; `value` is whether it is ticked."""
    value: bool
    def remove(self) -> None:
        """Remove the item from its panel."""
    def __init__(self, title: str, panel: Panel, callback: Callable[..., object] | None = ..., help: str = ..., value: bool = ...) -> None: ...

class Choice(Item):
    """A list of `names`, one of which is chosen; `value` is its index."""
    names: tuple[str, ...]
    value: int
    def remove(self) -> None:
        """Remove the item from its panel."""
    def __init__(self, title: str, panel: Panel, callback: Callable[..., object] | None = ..., help: str = ..., names: tuple[str, ...] = ..., value: int = ...) -> None: ...

class Button(Item):
    """A button; `clicks` counts how often it was clicked."""
    clicks: int
    def remove(self) -> None:
        """Remove the item from its panel."""
    def __init__(self, title: str, panel: Panel, callback: Callable[..., object] | None = ..., help: str = ..., clicks: int = ...) -> None: ...

class Text(Item):
    """A text, with an optional title."""
    text: str
    def remove(self) -> None:
        """Remove the item from its panel."""
    def __init__(self, title: str, panel: Panel, callback: Callable[..., object] | None = ..., help: str = ..., text: str = ...) -> None: ...

class PlotItem(Item):
    """Curves over time. `append(time, value, ...)` adds a sample to each curve."""
    def remove(self) -> None:
        """Remove the item from its panel."""
    def __init__(self, title: str, panel: Panel, names: Sequence[str], samples: int = ...) -> None: ...
    def clear(self) -> None:
        """Remove all samples."""
    def curves(self) -> np.ndarray:
        """Return an array (1 + curves, n): times and values of the newest samples."""

class ImageItem(Item):
    """A picture. `show(pixels)` replaces it by an array (height, width, 3 or 4) of bytes, top row first."""
    def remove(self) -> None:
        """Remove the item from its panel."""
    def __init__(self, title: str, panel: Panel, pixels: npt.ArrayLike | None = ...) -> None: ...
    def show(self, pixels: npt.ArrayLike) -> None:
        """Copy and show an image; ValueError for an array of another shape or type."""

class CameraItem(Item):
    """A live camera image. `camera`: name or number of the camera, -1 for the view's own; `kind`: one of CAMERA_KINDS."""
    camera: int | str
    kind: str
    width: int
    height: int
    def remove(self) -> None:
        """Remove the item from its panel."""
    def __init__(self, title: str, panel: Panel, callback: Callable[..., object] | None = ..., help: str = ..., camera: int | str = ..., kind: str = ..., width: int = ..., height: int = ...) -> None: ...

class Adding:
    """Adds controls to a panel. Each method returns the new item."""
    @property
    def home(self) -> Panel:
        """The panel that receives the items."""
    def add_slider(self, title: str, low: float, high: float, value: float | None = ..., callback: Callable[[float], object] | None = ..., help: str = ...) -> Slider:
        """Add a slider from `low` to `high`; ValueError unless low < high. The script's `sync` calls `callback(value)`."""
    def add_checkbox(self, title: str, value: bool = ..., callback: Callable[[bool], object] | None = ..., help: str = ...) -> Checkbox:
        """Add a check box."""
    def add_choice(self, title: str, names: Sequence[str], value: int = ..., callback: Callable[[int], object] | None = ..., help: str = ...) -> Choice:
        """Add a list of names, of which one is chosen, given by its index."""
    def add_button(self, title: str, callback: Callable[[], object] | None = ..., help: str = ...) -> Button:
        """Add a button."""
    def add_text(self, title: str, text: str = ...) -> Text:
        """Add a title and a text; set `text` to change it."""
    def add_plot(self, title: str, names: Sequence[str] = ..., samples: int = ...) -> PlotItem:
        """Add curves over time that keep the newest `samples`."""
    def add_image(self, title: str, pixels: npt.ArrayLike | None = ...) -> ImageItem:
        """Add a picture."""
    def add_camera(self, camera: int | str = ..., kind: str = ..., width: int = ..., height: int = ..., title: str = ...) -> CameraItem:
        """Add a live image of a camera's colours, depths or segmentation; ValueError for another kind."""

class Panel(Adding):
    """A window of the script."""
    @property
    def home(self) -> Panel:
        """This panel itself."""
    def add_slider(self, title: str, low: float, high: float, value: float | None = ..., callback: Callable[[float], object] | None = ..., help: str = ...) -> Slider:
        """Add a slider from `low` to `high`; ValueError unless low < high. The script's `sync` calls `callback(value)`."""
    def add_checkbox(self, title: str, value: bool = ..., callback: Callable[[bool], object] | None = ..., help: str = ...) -> Checkbox:
        """Add a check box."""
    def add_choice(self, title: str, names: Sequence[str], value: int = ..., callback: Callable[[int], object] | None = ..., help: str = ...) -> Choice:
        """Add a list of names, of which one is chosen, given by its index."""
    def add_button(self, title: str, callback: Callable[[], object] | None = ..., help: str = ...) -> Button:
        """Add a button."""
    def add_text(self, title: str, text: str = ...) -> Text:
        """Add a title and a text; set `text` to change it."""
    def add_plot(self, title: str, names: Sequence[str] = ..., samples: int = ...) -> PlotItem:
        """Add curves over time that keep the newest `samples`."""
    def add_image(self, title: str, pixels: npt.ArrayLike | None = ...) -> ImageItem:
        """Add a picture."""
    def add_camera(self, camera: int | str = ..., kind: str = ..., width: int = ..., height: int = ..., title: str = ...) -> CameraItem:
        """Add a live image of a camera's colours, depths or segmentation; ValueError for another kind."""
    def __init__(self, title: str, board: Board) -> None: ...
    def drop(self, item: Item) -> None:
        """Remove an item."""
    def remove(self) -> None:
        """Remove the panel."""

class Mark:
    """Shapes in the scene. `place(...)` replaces them; `visible` hides or shows them; `remove()` removes them."""
    def __init__(self, board: Board, make: Callable[..., Any]) -> None: ...
    def remove(self) -> None:
        """Remove the shapes from the scene."""

class Board(Adding):
    """A script's additions to one viewer. `add_panel(title)` creates a panel; `add_slider` and the others use the panel with
    the title Script.
    """
    @property
    def home(self) -> Panel:
        """The default panel for controls."""
    def add_slider(self, title: str, low: float, high: float, value: float | None = ..., callback: Callable[[float], object] | None = ..., help: str = ...) -> Slider:
        """Add a slider from `low` to `high`; ValueError unless low < high. The script's `sync` calls `callback(value)`."""
    def add_checkbox(self, title: str, value: bool = ..., callback: Callable[[bool], object] | None = ..., help: str = ...) -> Checkbox:
        """Add a check box."""
    def add_choice(self, title: str, names: Sequence[str], value: int = ..., callback: Callable[[int], object] | None = ..., help: str = ...) -> Choice:
        """Add a list of names, of which one is chosen, given by its index."""
    def add_button(self, title: str, callback: Callable[[], object] | None = ..., help: str = ...) -> Button:
        """Add a button."""
    def add_text(self, title: str, text: str = ...) -> Text:
        """Add a title and a text; set `text` to change it."""
    def add_plot(self, title: str, names: Sequence[str] = ..., samples: int = ...) -> PlotItem:
        """Add curves over time that keep the newest `samples`."""
    def add_image(self, title: str, pixels: npt.ArrayLike | None = ...) -> ImageItem:
        """Add a picture."""
    def add_camera(self, camera: int | str = ..., kind: str = ..., width: int = ..., height: int = ..., title: str = ...) -> CameraItem:
        """Add a live image of a camera's colours, depths or segmentation; ValueError for another kind."""
    def __init__(self) -> None: ...
    def add_panel(self, title: str) -> Panel:
        """Return a new panel, or the existing one with this title."""
    def add_points(self, where: npt.ArrayLike, size: npt.ArrayLike = ..., rgba: npt.ArrayLike = ...) -> Mark:
        """Add spheres at world positions (n, 3) in metres."""
    def add_lines(self, where: npt.ArrayLike, width: float = ..., rgba: npt.ArrayLike = ..., strip: bool = ...) -> Mark:
        """Add a line through points (n, 3); `strip=False`: a segment for each pair of points."""
    def add_arrows(self, where: npt.ArrayLike, to: npt.ArrayLike, width: float = ..., rgba: npt.ArrayLike = ...) -> Mark:
        """Add arrows from (n, 3) points to (n, 3) points."""
    def add_labels(self, where: npt.ArrayLike, texts: str | Sequence[str]) -> Mark:
        """Add texts at (n, 3) positions."""
    def on_click(self, function: Callable[[Hit], object]) -> None:
        """Call a function with a Hit for each click in the view."""
    def on_select(self, function: Callable[[str, int], object]) -> None:
        """Call a function with kind and index of each new selection; ("body", 0) means that nothing is selected."""
    def on_drop(self, function: Callable[[list[str]], object]) -> None:
        """Call a function with the files that are dropped on the window; the viewer then does not open them."""
    def on_key(self, chord: str, function: Callable[[], object]) -> None:
        """Call a function when a key is pressed, such as `K` or `Ctrl+Shift+K`. The key's usual action in the viewer is then
        disabled. ValueError if there is no such key.
        """
    def hears(self, what: str) -> bool:
        """Return whether this event has listeners."""
    def say(self, what: str, *arguments: Sequence[str]) -> bool:
        """Queue the listeners of an event in HEARD; called by the window's thread. Return whether there are any."""
    def pressed(self, chord: str) -> bool:
        """Queue the listeners of a key; called by the window's thread. Return whether there are any."""
    def clear(self) -> None:
        """Remove everything when the window is closed."""

class Handle(Board):
    """Access to an open viewer for a script. It is also a context manager that closes the viewer."""
    @property
    def home(self) -> Panel:
        """The default panel for controls."""
    def add_slider(self, title: str, low: float, high: float, value: float | None = ..., callback: Callable[[float], object] | None = ..., help: str = ...) -> Slider:
        """Add a slider from `low` to `high`; ValueError unless low < high. The script's `sync` calls `callback(value)`."""
    def add_checkbox(self, title: str, value: bool = ..., callback: Callable[[bool], object] | None = ..., help: str = ...) -> Checkbox:
        """Add a check box."""
    def add_choice(self, title: str, names: Sequence[str], value: int = ..., callback: Callable[[int], object] | None = ..., help: str = ...) -> Choice:
        """Add a list of names, of which one is chosen, given by its index."""
    def add_button(self, title: str, callback: Callable[[], object] | None = ..., help: str = ...) -> Button:
        """Add a button."""
    def add_text(self, title: str, text: str = ...) -> Text:
        """Add a title and a text; set `text` to change it."""
    def add_plot(self, title: str, names: Sequence[str] = ..., samples: int = ...) -> PlotItem:
        """Add curves over time that keep the newest `samples`."""
    def add_image(self, title: str, pixels: npt.ArrayLike | None = ...) -> ImageItem:
        """Add a picture."""
    def add_camera(self, camera: int | str = ..., kind: str = ..., width: int = ..., height: int = ..., title: str = ...) -> CameraItem:
        """Add a live image of a camera's colours, depths or segmentation; ValueError for another kind."""
    def add_panel(self, title: str) -> Panel:
        """Return a new panel, or the existing one with this title."""
    def add_points(self, where: npt.ArrayLike, size: npt.ArrayLike = ..., rgba: npt.ArrayLike = ...) -> Mark:
        """Add spheres at world positions (n, 3) in metres."""
    def add_lines(self, where: npt.ArrayLike, width: float = ..., rgba: npt.ArrayLike = ..., strip: bool = ...) -> Mark:
        """Add a line through points (n, 3); `strip=False`: a segment for each pair of points."""
    def add_arrows(self, where: npt.ArrayLike, to: npt.ArrayLike, width: float = ..., rgba: npt.ArrayLike = ...) -> Mark:
        """Add arrows from (n, 3) points to (n, 3) points."""
    def add_labels(self, where: npt.ArrayLike, texts: str | Sequence[str]) -> Mark:
        """Add texts at (n, 3) positions."""
    def on_click(self, function: Callable[[Hit], object]) -> None:
        """Call a function with a Hit for each click in the view."""
    def on_select(self, function: Callable[[str, int], object]) -> None:
        """Call a function with kind and index of each new selection; ("body", 0) means that nothing is selected."""
    def on_drop(self, function: Callable[[list[str]], object]) -> None:
        """Call a function with the files that are dropped on the window; the viewer then does not open them."""
    def on_key(self, chord: str, function: Callable[[], object]) -> None:
        """Call a function when a key is pressed, such as `K` or `Ctrl+Shift+K`. The key's usual action in the viewer is then
        disabled. ValueError if there is no such key.
        """
    def hears(self, what: str) -> bool:
        """Return whether this event has listeners."""
    def say(self, what: str, *arguments: Sequence[str]) -> bool:
        """Queue the listeners of an event in HEARD; called by the window's thread. Return whether there are any."""
    def pressed(self, chord: str) -> bool:
        """Queue the listeners of a key; called by the window's thread. Return whether there are any."""
    def clear(self) -> None:
        """Remove everything when the window is closed."""
    @property
    def cam(self) -> MjvCamera:
        """The camera; writing to it moves the view."""
    @property
    def opt(self) -> MjvOption:
        """The visual options."""
    @property
    def perturb(self) -> MjvPerturb:
        """The selection and the mouse's pull."""
    @property
    def pert(self) -> MjvPerturb:
        """The selection and the mouse's pull."""
    @property
    def user_scn(self) -> MjvScene:
        """A scene for the script's own geoms, drawn after the model's."""
    @property
    def m(self) -> MjModel:
        """The displayed MjModel; a loader may have replaced it."""
    @property
    def d(self) -> MjData:
        """The script's MjData; a loader may have replaced it."""
    @property
    def viewport(self) -> MjrRect:
        """The 3D view's rectangle in the window."""
    def is_running(self) -> bool:
        """Return whether the window is open."""
    def close(self) -> None:
        """Close the window and wait for it."""
    def lock(self) -> AbstractContextManager[Any]:
        """Return a lock that keeps the window from reading while the script writes."""
    def sync(self, state_only: bool = ...) -> None:
        """Exchange data with the window: show the script's state, and take over the user's changes."""
    def update_hfield(self, hfieldid: int) -> None:
        """Show new heights of a height field; returns after they are uploaded."""
    def update_mesh(self, meshid: int) -> None:
        """Show new vertices of a mesh."""
    def update_texture(self, texid: int) -> None:
        """Show new pixels of a texture."""
    def set_figures(self, viewports_figures: Any) -> None:
        """Draw one (viewport, MjvFigure), or a list of them, over the window, as they are now."""
    def clear_figures(self) -> None:
        """Remove all figures."""
    def set_texts(self, texts: Any) -> None:
        """Show one (font, gridpos, left text, right text), or a list of them; None selects the default."""
    def clear_texts(self) -> None:
        """Remove all texts."""
    def set_images(self, viewports_images: Any) -> None:
        """Show one (viewport, image), or a list of them. Images are (height, width, 3) uint8, top row first; otherwise
        ValueError.
        """
    def clear_images(self) -> None:
        """Remove all images."""
    def __enter__(self) -> Handle: ...
    def __exit__(self, *_exc: object) -> None: ...

def launch(model: MjModel | None = ..., data: MjData | None = ..., *, loader: LoaderType | None = ..., show_left_ui: bool = ..., show_right_ui: bool = ..., board: Board | None = ...) -> None:
    """Open a viewer that steps the simulation; returns when it is closed. Pass a model (and data), or a loader for Reload to
    call.

    `board`: controls and marks to show; its functions are called between steps.
    """

def launch_from_path(path: str) -> None:
    """Open a viewer that steps the simulation of a model file."""

def launch_passive(model: MjModel, data: MjData, *, key_callback: KeyCallbackType | None = ..., show_left_ui: bool = ..., show_right_ui: bool = ..., loader: LoaderType | None = ..., own_thread: bool = ...) -> Handle:
    """Open a viewer on a script's Model and Data; returns at once. The script steps and calls `sync`. Several viewers can be
    open.

    When the user reloads, `loader` is called and returns a new (model, data), then available as `Handle.m` and `Handle.d`.
    Without `own_thread`, the window is drawn inside `sync`, which one thread must then call often. This is for systems where
    windows belong to the main thread.
    """

class Served:
    """A running server, as scripts see it. As a context manager, it closes the server; in a notebook, it is shown as the
    scene.
    """
    def __init__(self, server: Any) -> None: ...
    @property
    def url(self) -> str:
        """The address for browsers that may control the simulation."""
    @property
    def watch_url(self) -> str:
        """The address for browsers that may only watch."""
    def sync(self, state_only: bool = ...) -> None:
        """Show the script's state and take over changes from browsers; wait while a browser has paused it. Servers that step by
        themselves need no call.
        """
    def is_running(self) -> bool:
        """Return whether the server runs."""
    def close(self) -> None:
        """Stop the server and its threads."""
    def __enter__(self) -> Served: ...
    def __exit__(self, *_exc: object) -> None: ...

class Film:
    """A trajectory as one HTML page that needs no server; a notebook shows it."""
    def __init__(self, page: str) -> None: ...
    def save(self, path: str) -> None:
        """Write the page to a file."""

def serve(model: MjModel, data: MjData | None = ..., *, host: str = ..., port: int = ..., token: bool = ..., steps: bool | None = ..., trajectory: Any = ..., dt: float | None = ..., running: bool = ...) -> Served:
    """Show a simulation in browsers, at the `url` of the returned object. Needs viser (extra `web`).

    With `data`, the script steps and calls `sync`, as with `launch_passive`. Without it, or with `steps`, a thread steps in
    real time. A `trajectory` is played instead of a simulation: an .npz or .csv file, or an array of positions or of states
    from `mj_getState`, or a mapping with `qpos` (n, nq) and any of `time`, `qvel`, `act`, `ctrl`, `mocap_pos`, `mocap_quat`.
    `dt`: seconds between its rows if it has no times. `host` and `port`: address to listen on; by default this machine only, at
    the next free port. Without a `token` in the address, everyone who can connect may control the simulation. ValueError for
    other arguments, ImportError without viser.
    """
