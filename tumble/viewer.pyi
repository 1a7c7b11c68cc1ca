"""Written by `python -m tumble.stubs`; do not edit."""
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
    """The object under the mouse at a click in the view: its `kind` (geom, flex, skin, body; empty for nothing), its `index`,
    its `body`, the `point` in the world, and the mouse `button` (left, right, middle).
    """
    kind: str
    index: int
    body: int
    point: tuple[float, float, float]
    button: str
    def __init__(self, kind: str, index: int, body: int, point: tuple[float, float, float], button: str) -> None: ...

class Item:
    """An item of a panel. `remove()` removes it from the panel."""
    title: str
    panel: Panel
    callback: Callable[..., object] | None
    help: str
    def remove(self) -> None:
        """Remove the item from its panel."""
    def __init__(self, title: str, panel: Panel, callback: Callable[..., object] | None = ..., help: str = ...) -> None: ...

class Slider(Item):
    """A slider with a `value` between `low` and `high`. The script may also set `value`."""
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
    """A list of `names` from which the user chooses one; `value` is the index of the chosen name."""
    names: tuple[str, ...]
    value: int
    def remove(self) -> None:
        """Remove the item from its panel."""
    def __init__(self, title: str, panel: Panel, callback: Callable[..., object] | None = ..., help: str = ..., names: tuple[str, ...] = ..., value: int = ...) -> None: ...

class Button(Item):
    """A button. `clicks` is the number of times that it was clicked."""
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
    """A plot of curves over time. `append(time, value, ...)` adds a sample to each curve."""
    def remove(self) -> None:
        """Remove the item from its panel."""
    def __init__(self, title: str, panel: Panel, names: Sequence[str], samples: int = ...) -> None: ...
    def clear(self) -> None:
        """Remove all samples."""
    def curves(self) -> np.ndarray:
        """Return the newest samples as an array (1 + curves, n): a row of times, then a row of values for each curve."""

class ImageItem(Item):
    """A picture. `show(pixels)` replaces it; `pixels` is an array (height, width, 3 or 4) of bytes, top row first."""
    def remove(self) -> None:
        """Remove the item from its panel."""
    def __init__(self, title: str, panel: Panel, pixels: npt.ArrayLike | None = ...) -> None: ...
    def show(self, pixels: npt.ArrayLike) -> None:
        """Copy an image and show it. Raise ValueError for an array of another shape or type."""

class CameraItem(Item):
    """A live camera image. `camera`: name or number of a camera, or -1 for the view's camera. `kind`: one of CAMERA_KINDS."""
    camera: int | str
    kind: str
    width: int
    height: int
    def remove(self) -> None:
        """Remove the item from its panel."""
    def __init__(self, title: str, panel: Panel, callback: Callable[..., object] | None = ..., help: str = ..., camera: int | str = ..., kind: str = ..., width: int = ..., height: int = ...) -> None: ...

class Adding:
    """Methods that add controls to a panel. Each of them returns the new item."""
    @property
    def home(self) -> Panel:
        """The panel to which items are added."""
    def add_slider(self, title: str, low: float, high: float, value: float | None = ..., callback: Callable[[float], object] | None = ..., help: str = ...) -> Slider:
        """Add a slider from `low` to `high`. Raise ValueError unless low < high. The script's `sync` calls `callback(value)`
        after each change.
        """
    def add_checkbox(self, title: str, value: bool = ..., callback: Callable[[bool], object] | None = ..., help: str = ...) -> Checkbox:
        """Add a check box."""
    def add_choice(self, title: str, names: Sequence[str], value: int = ..., callback: Callable[[int], object] | None = ..., help: str = ...) -> Choice:
        """Add a list of names from which the user chooses one; `value` is the index of the name."""
    def add_button(self, title: str, callback: Callable[[], object] | None = ..., help: str = ...) -> Button:
        """Add a button."""
    def add_text(self, title: str, text: str = ...) -> Text:
        """Add a title and a text; set `text` to change it."""
    def add_plot(self, title: str, names: Sequence[str] = ..., samples: int = ...) -> PlotItem:
        """Add curves over time. At least the newest `samples` are kept."""
    def add_image(self, title: str, pixels: npt.ArrayLike | None = ...) -> ImageItem:
        """Add a picture."""
    def add_camera(self, camera: int | str = ..., kind: str = ..., width: int = ..., height: int = ..., title: str = ...) -> CameraItem:
        """Add a live camera image with colours, depths or a segmentation. Raise ValueError for another kind."""

class Panel(Adding):
    """A panel that a script has added: a window with controls."""
    @property
    def home(self) -> Panel:
        """The panel itself."""
    def add_slider(self, title: str, low: float, high: float, value: float | None = ..., callback: Callable[[float], object] | None = ..., help: str = ...) -> Slider:
        """Add a slider from `low` to `high`. Raise ValueError unless low < high. The script's `sync` calls `callback(value)`
        after each change.
        """
    def add_checkbox(self, title: str, value: bool = ..., callback: Callable[[bool], object] | None = ..., help: str = ...) -> Checkbox:
        """Add a check box."""
    def add_choice(self, title: str, names: Sequence[str], value: int = ..., callback: Callable[[int], object] | None = ..., help: str = ...) -> Choice:
        """Add a list of names from which the user chooses one; `value` is the index of the name."""
    def add_button(self, title: str, callback: Callable[[], object] | None = ..., help: str = ...) -> Button:
        """Add a button."""
    def add_text(self, title: str, text: str = ...) -> Text:
        """Add a title and a text; set `text` to change it."""
    def add_plot(self, title: str, names: Sequence[str] = ..., samples: int = ...) -> PlotItem:
        """Add curves over time. At least the newest `samples` are kept."""
    def add_image(self, title: str, pixels: npt.ArrayLike | None = ...) -> ImageItem:
        """Add a picture."""
    def add_camera(self, camera: int | str = ..., kind: str = ..., width: int = ..., height: int = ..., title: str = ...) -> CameraItem:
        """Add a live camera image with colours, depths or a segmentation. Raise ValueError for another kind."""
    def __init__(self, title: str, board: Board) -> None: ...
    def drop(self, item: Item) -> None:
        """Remove an item."""
    def remove(self) -> None:
        """Remove the panel."""

class Mark:
    """Shapes that a script has added to the scene. `place(...)` replaces them, `visible` hides or shows them, `remove()`
    removes them.
    """
    def __init__(self, board: Board, make: Callable[..., Any]) -> None: ...
    def remove(self) -> None:
        """Remove the shapes from the scene."""

class Board(Adding):
    """A script's additions to one viewer. `add_panel(title)` creates a panel. `add_slider` and similar methods add to the panel
    titled Script.
    """
    @property
    def home(self) -> Panel:
        """The default panel, titled Script."""
    def add_slider(self, title: str, low: float, high: float, value: float | None = ..., callback: Callable[[float], object] | None = ..., help: str = ...) -> Slider:
        """Add a slider from `low` to `high`. Raise ValueError unless low < high. The script's `sync` calls `callback(value)`
        after each change.
        """
    def add_checkbox(self, title: str, value: bool = ..., callback: Callable[[bool], object] | None = ..., help: str = ...) -> Checkbox:
        """Add a check box."""
    def add_choice(self, title: str, names: Sequence[str], value: int = ..., callback: Callable[[int], object] | None = ..., help: str = ...) -> Choice:
        """Add a list of names from which the user chooses one; `value` is the index of the name."""
    def add_button(self, title: str, callback: Callable[[], object] | None = ..., help: str = ...) -> Button:
        """Add a button."""
    def add_text(self, title: str, text: str = ...) -> Text:
        """Add a title and a text; set `text` to change it."""
    def add_plot(self, title: str, names: Sequence[str] = ..., samples: int = ...) -> PlotItem:
        """Add curves over time. At least the newest `samples` are kept."""
    def add_image(self, title: str, pixels: npt.ArrayLike | None = ...) -> ImageItem:
        """Add a picture."""
    def add_camera(self, camera: int | str = ..., kind: str = ..., width: int = ..., height: int = ..., title: str = ...) -> CameraItem:
        """Add a live camera image with colours, depths or a segmentation. Raise ValueError for another kind."""
    def __init__(self) -> None: ...
    def add_panel(self, title: str) -> Panel:
        """Return the panel with this title; create it if there is none."""
    def add_points(self, where: npt.ArrayLike, size: npt.ArrayLike = ..., rgba: npt.ArrayLike = ...) -> Mark:
        """Add spheres at world positions (n, 3) in metres."""
    def add_lines(self, where: npt.ArrayLike, width: float = ..., rgba: npt.ArrayLike = ..., strip: bool = ...) -> Mark:
        """Add a polyline through points (n, 3). With `strip=False`, add a segment for each pair of points."""
    def add_arrows(self, where: npt.ArrayLike, to: npt.ArrayLike, width: float = ..., rgba: npt.ArrayLike = ...) -> Mark:
        """Add arrows from the points `where` (n, 3) to the points `to` (n, 3)."""
    def add_labels(self, where: npt.ArrayLike, texts: str | Sequence[str]) -> Mark:
        """Add text labels at positions (n, 3)."""
    def on_click(self, function: Callable[[Hit], object]) -> None:
        """Call a function at each click in the view, with a Hit as its argument."""
    def on_select(self, function: Callable[[str, int], object]) -> None:
        """Call a function at each change of the selection, with kind and index of the element. ("body", 0) means that nothing
        is selected.
        """
    def on_drop(self, function: Callable[[list[str]], object]) -> None:
        """Call a function with the names of files that the user drops on the window. The viewer then does not open
        these files.
        """
    def on_key(self, chord: str, function: Callable[[], object]) -> None:
        """Call a function when a key is pressed, such as `K` or `Ctrl+Shift+K`. This disables the key's usual action in the
        viewer. Raise ValueError if there is no such key.
        """
    def hears(self, what: str) -> bool:
        """Return whether an event has listeners."""
    def say(self, what: str, *arguments: Sequence[str]) -> bool:
        """Queue calls of an event's listeners; return whether there are any. `what`: click, select or drop. Called by the
        window's thread.
        """
    def pressed(self, chord: str) -> bool:
        """Queue calls of a key's listeners; return whether there are any. The window's thread calls this."""
    def clear(self) -> None:
        """Remove everything, because the window is closed."""

class Handle(Board):
    """A script's access to an open viewer. It is also a context manager, which closes the viewer at its end."""
    @property
    def home(self) -> Panel:
        """The default panel, titled Script."""
    def add_slider(self, title: str, low: float, high: float, value: float | None = ..., callback: Callable[[float], object] | None = ..., help: str = ...) -> Slider:
        """Add a slider from `low` to `high`. Raise ValueError unless low < high. The script's `sync` calls `callback(value)`
        after each change.
        """
    def add_checkbox(self, title: str, value: bool = ..., callback: Callable[[bool], object] | None = ..., help: str = ...) -> Checkbox:
        """Add a check box."""
    def add_choice(self, title: str, names: Sequence[str], value: int = ..., callback: Callable[[int], object] | None = ..., help: str = ...) -> Choice:
        """Add a list of names from which the user chooses one; `value` is the index of the name."""
    def add_button(self, title: str, callback: Callable[[], object] | None = ..., help: str = ...) -> Button:
        """Add a button."""
    def add_text(self, title: str, text: str = ...) -> Text:
        """Add a title and a text; set `text` to change it."""
    def add_plot(self, title: str, names: Sequence[str] = ..., samples: int = ...) -> PlotItem:
        """Add curves over time. At least the newest `samples` are kept."""
    def add_image(self, title: str, pixels: npt.ArrayLike | None = ...) -> ImageItem:
        """Add a picture."""
    def add_camera(self, camera: int | str = ..., kind: str = ..., width: int = ..., height: int = ..., title: str = ...) -> CameraItem:
        """Add a live camera image with colours, depths or a segmentation. Raise ValueError for another kind."""
    def add_panel(self, title: str) -> Panel:
        """Return the panel with this title; create it if there is none."""
    def add_points(self, where: npt.ArrayLike, size: npt.ArrayLike = ..., rgba: npt.ArrayLike = ...) -> Mark:
        """Add spheres at world positions (n, 3) in metres."""
    def add_lines(self, where: npt.ArrayLike, width: float = ..., rgba: npt.ArrayLike = ..., strip: bool = ...) -> Mark:
        """Add a polyline through points (n, 3). With `strip=False`, add a segment for each pair of points."""
    def add_arrows(self, where: npt.ArrayLike, to: npt.ArrayLike, width: float = ..., rgba: npt.ArrayLike = ...) -> Mark:
        """Add arrows from the points `where` (n, 3) to the points `to` (n, 3)."""
    def add_labels(self, where: npt.ArrayLike, texts: str | Sequence[str]) -> Mark:
        """Add text labels at positions (n, 3)."""
    def on_click(self, function: Callable[[Hit], object]) -> None:
        """Call a function at each click in the view, with a Hit as its argument."""
    def on_select(self, function: Callable[[str, int], object]) -> None:
        """Call a function at each change of the selection, with kind and index of the element. ("body", 0) means that nothing
        is selected.
        """
    def on_drop(self, function: Callable[[list[str]], object]) -> None:
        """Call a function with the names of files that the user drops on the window. The viewer then does not open
        these files.
        """
    def on_key(self, chord: str, function: Callable[[], object]) -> None:
        """Call a function when a key is pressed, such as `K` or `Ctrl+Shift+K`. This disables the key's usual action in the
        viewer. Raise ValueError if there is no such key.
        """
    def hears(self, what: str) -> bool:
        """Return whether an event has listeners."""
    def say(self, what: str, *arguments: Sequence[str]) -> bool:
        """Queue calls of an event's listeners; return whether there are any. `what`: click, select or drop. Called by the
        window's thread.
        """
    def pressed(self, chord: str) -> bool:
        """Queue calls of a key's listeners; return whether there are any. The window's thread calls this."""
    def clear(self) -> None:
        """Remove everything, because the window is closed."""
    @property
    def cam(self) -> MjvCamera:
        """The camera; writing to it moves the view."""
    @property
    def opt(self) -> MjvOption:
        """The visual options."""
    @property
    def perturb(self) -> MjvPerturb:
        """The selected body, and the force with which the mouse pulls it."""
    @property
    def pert(self) -> MjvPerturb:
        """The selected body, and the force with which the mouse pulls it."""
    @property
    def user_scn(self) -> MjvScene:
        """A scene for the script's own geoms, which are drawn after the model's."""
    @property
    def m(self) -> MjModel:
        """The displayed MjModel. It differs from the initial one if a loader has replaced it."""
    @property
    def d(self) -> MjData:
        """The script's MjData. It differs from the initial one if a loader has replaced it."""
    @property
    def viewport(self) -> MjrRect:
        """The 3D view's rectangle in the window."""
    def is_running(self) -> bool:
        """Return whether the window is open."""
    def close(self) -> None:
        """Close the window and wait for it."""
    def lock(self) -> AbstractContextManager[Any]:
        """Return a lock. While the script holds it and writes, the window does not read."""
    def sync(self, state_only: bool = ...) -> None:
        """Exchange data with the window: show the script's state, and receive the user's changes."""
    def update_hfield(self, hfieldid: int) -> None:
        """Show the new heights of a height field. Return after the window has uploaded them."""
    def update_mesh(self, meshid: int) -> None:
        """Show the new vertices of a mesh."""
    def update_texture(self, texid: int) -> None:
        """Show the new pixels of a texture."""
    def set_figures(self, viewports_figures: Any) -> None:
        """Draw one (viewport, MjvFigure) pair, or a list of pairs, over the window. The figures are copied."""
    def clear_figures(self) -> None:
        """Remove all figures."""
    def set_texts(self, texts: Any) -> None:
        """Show one (font, gridpos, left text, right text) tuple, or a list of them. None selects the default value."""
    def clear_texts(self) -> None:
        """Remove all overlay texts."""
    def set_images(self, viewports_images: Any) -> None:
        """Show one (viewport, image) pair, or a list of pairs. Raise ValueError unless each image is (height, width, 3) uint8,
        top row first.
        """
    def clear_images(self) -> None:
        """Remove all images."""
    def __enter__(self) -> Handle: ...
    def __exit__(self, *_exc: object) -> None: ...

def launch(model: MjModel | None = ..., data: MjData | None = ..., *, loader: LoaderType | None = ..., show_left_ui: bool = ..., show_right_ui: bool = ..., board: Board | None = ...) -> None:
    """Open a viewer that steps the simulation; return when the user closes it. Pass a model (and data), or a loader, which
    Reload calls again.

    `board`: a Board with controls and marks to show. Its callbacks are called between steps.
    """

def launch_from_path(path: str) -> None:
    """Open a viewer that steps the simulation of a model file; return when the user closes it."""

def launch_passive(model: MjModel, data: MjData, *, key_callback: KeyCallbackType | None = ..., show_left_ui: bool = ..., show_right_ui: bool = ..., loader: LoaderType | None = ..., own_thread: bool = ...) -> Handle:
    """Open a viewer on a script's Model and Data, and return at once. The script steps and calls `sync`. Several viewers can be
    open at a time.

    When the user reloads, `loader` is called and returns a new (model, data); these are then available as `Handle.m` and
    `Handle.d`. Without `own_thread`, the window is drawn inside `sync`, which one thread must then call often. This is for
    systems that allow windows only in the main thread.
    """

class Served:
    """A running server, as scripts see it. As a context manager, it closes the server at its end. In a notebook, it displays
    the scene.
    """
    def __init__(self, server: Any) -> None: ...
    @property
    def url(self) -> str:
        """The address for browsers that may control the simulation."""
    @property
    def watch_url(self) -> str:
        """The address for browsers that may only watch."""
    def sync(self, state_only: bool = ...) -> None:
        """Show the script's state and apply changes from browsers. Wait while a browser has paused the simulation. A server
        that steps the simulation itself needs no call.
        """
    def is_running(self) -> bool:
        """Return whether the server runs."""
    def close(self) -> None:
        """Stop the server and its threads."""
    def __enter__(self) -> Served: ...
    def __exit__(self, *_exc: object) -> None: ...

class Film:
    """A trajectory as one HTML page, which a notebook displays without a server."""
    def __init__(self, page: str) -> None: ...
    def save(self, path: str) -> None:
        """Write the page to a file."""

def serve(model: MjModel, data: MjData | None = ..., *, host: str = ..., port: int = ..., token: bool = ..., steps: bool | None = ..., trajectory: Any = ..., dt: float | None = ..., running: bool = ...) -> Served:
    """Show a simulation in browsers, at the `url` of the returned object. This needs the package viser (extra `web`).

    With `data`, the script steps and calls `sync`, as with `launch_passive`. Without it, or with `steps`, a thread steps in
    real time. A `trajectory` is played instead of a simulation: an .npz or .csv file, or an array of positions or of states
    from `mj_getState`, or a mapping with `qpos` (n, nq) and any of `time`, `qvel`, `act`, `ctrl`, `mocap_pos`, `mocap_quat`.
    `dt`: seconds between its rows if it has no times. `host` and `port`: address to listen on; by default this machine only, at
    the next free port. Without a `token` in the address, everyone who can connect may control the simulation. ValueError for
    other arguments, ImportError without viser.
    """
