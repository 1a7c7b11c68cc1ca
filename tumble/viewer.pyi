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
    """What a click in the view met: `kind` (geom, flex, skin, body; empty for nothing), its `index`, its `body`, the `point` in
    the world, and the `button` (left, right, middle).
    """
    kind: str
    index: int
    body: int
    point: tuple[float, float, float]
    button: str
    def __init__(self, kind: str, index: int, body: int, point: tuple[float, float, float], button: str) -> None: ...

class Item:
    """One thing in a panel. `remove()` takes it away."""
    title: str
    panel: Panel
    callback: Callable[..., object] | None
    help: str
    def remove(self) -> None:
        """Take it out of its panel."""
    def __init__(self, title: str, panel: Panel, callback: Callable[..., object] | None = ..., help: str = ...) -> None: ...

class Slider(Item):
    """`value` between `low` and `high`; the script may set it, too."""
    low: float
    high: float
    value: float
    def remove(self) -> None:
        """Take it out of its panel."""
    def __init__(self, title: str, panel: Panel, callback: Callable[..., object] | None = ..., help: str = ..., low: float = ..., high: float = ..., value: float = ...) -> None: ...

class Checkbox(Item):
    """`value`: whether it is ticked."""
    value: bool
    def remove(self) -> None:
        """Take it out of its panel."""
    def __init__(self, title: str, panel: Panel, callback: Callable[..., object] | None = ..., help: str = ..., value: bool = ...) -> None: ...

class Choice(Item):
    """One of `names`; `value` is its number."""
    names: tuple[str, ...]
    value: int
    def remove(self) -> None:
        """Take it out of its panel."""
    def __init__(self, title: str, panel: Panel, callback: Callable[..., object] | None = ..., help: str = ..., names: tuple[str, ...] = ..., value: int = ...) -> None: ...

class Button(Item):
    """`clicks`: how often it was pressed."""
    clicks: int
    def remove(self) -> None:
        """Take it out of its panel."""
    def __init__(self, title: str, panel: Panel, callback: Callable[..., object] | None = ..., help: str = ..., clicks: int = ...) -> None: ...

class Text(Item):
    """`text`, under a title if there is one."""
    text: str
    def remove(self) -> None:
        """Take it out of its panel."""
    def __init__(self, title: str, panel: Panel, callback: Callable[..., object] | None = ..., help: str = ..., text: str = ...) -> None: ...

class PlotItem(Item):
    """Curves over time. `append(time, value, ...)` adds a sample of each curve."""
    def remove(self) -> None:
        """Take it out of its panel."""
    def __init__(self, title: str, panel: Panel, names: Sequence[str], samples: int = ...) -> None: ...
    def clear(self) -> None:
        """Begin anew."""
    def curves(self) -> np.ndarray:
        """(1 + curves, n): times and values of the newest samples."""

class ImageItem(Item):
    """A picture. `show(pixels)` replaces it: (height, width, 3 or 4) bytes, first row at the top."""
    def remove(self) -> None:
        """Take it out of its panel."""
    def __init__(self, title: str, panel: Panel, pixels: npt.ArrayLike | None = ...) -> None: ...
    def show(self, pixels: npt.ArrayLike) -> None:
        """Copies; ValueError for other shapes or types."""

class CameraItem(Item):
    """What a camera sees, live. `camera`: its name or number, -1 for the view's own; `kind`: of CAMERA_KINDS."""
    camera: int | str
    kind: str
    width: int
    height: int
    def remove(self) -> None:
        """Take it out of its panel."""
    def __init__(self, title: str, panel: Panel, callback: Callable[..., object] | None = ..., help: str = ..., camera: int | str = ..., kind: str = ..., width: int = ..., height: int = ...) -> None: ...

class Adding:
    """What puts controls into a panel. Each returns what it added."""
    @property
    def home(self) -> Panel:
        """The panel."""
    def add_slider(self, title: str, low: float, high: float, value: float | None = ..., callback: Callable[[float], object] | None = ..., help: str = ...) -> Slider:
        """A slider from `low` to `high`; ValueError if there is nothing between them. `callback(value)` is called in `sync`."""
    def add_checkbox(self, title: str, value: bool = ..., callback: Callable[[bool], object] | None = ..., help: str = ...) -> Checkbox:
        """A box to tick."""
    def add_choice(self, title: str, names: Sequence[str], value: int = ..., callback: Callable[[int], object] | None = ..., help: str = ...) -> Choice:
        """A list of which one is chosen, by its number."""
    def add_button(self, title: str, callback: Callable[[], object] | None = ..., help: str = ...) -> Button:
        """A button."""
    def add_text(self, title: str, text: str = ...) -> Text:
        """A title and a text; set `text` to change it."""
    def add_plot(self, title: str, names: Sequence[str] = ..., samples: int = ...) -> PlotItem:
        """Curves over time that keep the newest `samples`."""
    def add_image(self, title: str, pixels: npt.ArrayLike | None = ...) -> ImageItem:
        """A picture."""
    def add_camera(self, camera: int | str = ..., kind: str = ..., width: int = ..., height: int = ..., title: str = ...) -> CameraItem:
        """A camera's colours, depths or segmentation, live; ValueError for another kind."""

class Panel(Adding):
    """A window of the script's own."""
    @property
    def home(self) -> Panel:
        """Itself."""
    def add_slider(self, title: str, low: float, high: float, value: float | None = ..., callback: Callable[[float], object] | None = ..., help: str = ...) -> Slider:
        """A slider from `low` to `high`; ValueError if there is nothing between them. `callback(value)` is called in `sync`."""
    def add_checkbox(self, title: str, value: bool = ..., callback: Callable[[bool], object] | None = ..., help: str = ...) -> Checkbox:
        """A box to tick."""
    def add_choice(self, title: str, names: Sequence[str], value: int = ..., callback: Callable[[int], object] | None = ..., help: str = ...) -> Choice:
        """A list of which one is chosen, by its number."""
    def add_button(self, title: str, callback: Callable[[], object] | None = ..., help: str = ...) -> Button:
        """A button."""
    def add_text(self, title: str, text: str = ...) -> Text:
        """A title and a text; set `text` to change it."""
    def add_plot(self, title: str, names: Sequence[str] = ..., samples: int = ...) -> PlotItem:
        """Curves over time that keep the newest `samples`."""
    def add_image(self, title: str, pixels: npt.ArrayLike | None = ...) -> ImageItem:
        """A picture."""
    def add_camera(self, camera: int | str = ..., kind: str = ..., width: int = ..., height: int = ..., title: str = ...) -> CameraItem:
        """A camera's colours, depths or segmentation, live; ValueError for another kind."""
    def __init__(self, title: str, board: Board) -> None: ...
    def drop(self, item: Item) -> None:
        """Take one thing away."""
    def remove(self) -> None:
        """Take the panel away."""

class Mark:
    """Shapes in the scene. `place(...)` takes what made it, again; `visible` hides it; `remove()` takes it away."""
    def __init__(self, board: Board, make: Callable[..., Any]) -> None: ...
    def remove(self) -> None:
        """Take it out of the scene."""

class Board(Adding):
    """Everything of one viewer. `add_panel(title)` makes a window of its own; `add_slider` and the others use one with the
    title Script.
    """
    @property
    def home(self) -> Panel:
        """The panel for what asks for none."""
    def add_slider(self, title: str, low: float, high: float, value: float | None = ..., callback: Callable[[float], object] | None = ..., help: str = ...) -> Slider:
        """A slider from `low` to `high`; ValueError if there is nothing between them. `callback(value)` is called in `sync`."""
    def add_checkbox(self, title: str, value: bool = ..., callback: Callable[[bool], object] | None = ..., help: str = ...) -> Checkbox:
        """A box to tick."""
    def add_choice(self, title: str, names: Sequence[str], value: int = ..., callback: Callable[[int], object] | None = ..., help: str = ...) -> Choice:
        """A list of which one is chosen, by its number."""
    def add_button(self, title: str, callback: Callable[[], object] | None = ..., help: str = ...) -> Button:
        """A button."""
    def add_text(self, title: str, text: str = ...) -> Text:
        """A title and a text; set `text` to change it."""
    def add_plot(self, title: str, names: Sequence[str] = ..., samples: int = ...) -> PlotItem:
        """Curves over time that keep the newest `samples`."""
    def add_image(self, title: str, pixels: npt.ArrayLike | None = ...) -> ImageItem:
        """A picture."""
    def add_camera(self, camera: int | str = ..., kind: str = ..., width: int = ..., height: int = ..., title: str = ...) -> CameraItem:
        """A camera's colours, depths or segmentation, live; ValueError for another kind."""
    def __init__(self) -> None: ...
    def add_panel(self, title: str) -> Panel:
        """A window of its own, or the one that has this title."""
    def add_points(self, where: npt.ArrayLike, size: npt.ArrayLike = ..., rgba: npt.ArrayLike = ...) -> Mark:
        """Balls at (n, 3) places, in metres of the world."""
    def add_lines(self, where: npt.ArrayLike, width: float = ..., rgba: npt.ArrayLike = ..., strip: bool = ...) -> Mark:
        """A line through (n, 3) places; `strip=False`: a piece for each pair of them."""
    def add_arrows(self, where: npt.ArrayLike, to: npt.ArrayLike, width: float = ..., rgba: npt.ArrayLike = ...) -> Mark:
        """Arrows from (n, 3) places to (n, 3) places."""
    def add_labels(self, where: npt.ArrayLike, texts: str | Sequence[str]) -> Mark:
        """Texts at (n, 3) places."""
    def on_click(self, function: Callable[[Hit], object]) -> None:
        """Call it with what a click in the view met."""
    def on_select(self, function: Callable[[str, int], object]) -> None:
        """Call it with kind and number of what is selected now; ("body", 0) is nothing."""
    def on_drop(self, function: Callable[[list[str]], object]) -> None:
        """Call it with the files that are dropped; the viewer does not open them then."""
    def on_key(self, chord: str, function: Callable[[], object]) -> None:
        """Call it when a key is pressed, as `K` or `Ctrl+Shift+K`; the viewer does nothing by this key then. ValueError if
        there is no such key.
        """
    def hears(self, what: str) -> bool:
        """Whether anybody listens to this."""
    def say(self, what: str, *arguments: Sequence[str]) -> bool:
        """The window's thread: something of HEARD has happened. Whether anybody listens."""
    def pressed(self, chord: str) -> bool:
        """The window's thread: a key was pressed. Whether it is the script's."""
    def clear(self) -> None:
        """The window is closed: nothing is shown or heard any more."""

class Handle(Board):
    """What a script holds while its viewer is open. Also a context manager that closes it."""
    @property
    def home(self) -> Panel:
        """The panel for what asks for none."""
    def add_slider(self, title: str, low: float, high: float, value: float | None = ..., callback: Callable[[float], object] | None = ..., help: str = ...) -> Slider:
        """A slider from `low` to `high`; ValueError if there is nothing between them. `callback(value)` is called in `sync`."""
    def add_checkbox(self, title: str, value: bool = ..., callback: Callable[[bool], object] | None = ..., help: str = ...) -> Checkbox:
        """A box to tick."""
    def add_choice(self, title: str, names: Sequence[str], value: int = ..., callback: Callable[[int], object] | None = ..., help: str = ...) -> Choice:
        """A list of which one is chosen, by its number."""
    def add_button(self, title: str, callback: Callable[[], object] | None = ..., help: str = ...) -> Button:
        """A button."""
    def add_text(self, title: str, text: str = ...) -> Text:
        """A title and a text; set `text` to change it."""
    def add_plot(self, title: str, names: Sequence[str] = ..., samples: int = ...) -> PlotItem:
        """Curves over time that keep the newest `samples`."""
    def add_image(self, title: str, pixels: npt.ArrayLike | None = ...) -> ImageItem:
        """A picture."""
    def add_camera(self, camera: int | str = ..., kind: str = ..., width: int = ..., height: int = ..., title: str = ...) -> CameraItem:
        """A camera's colours, depths or segmentation, live; ValueError for another kind."""
    def add_panel(self, title: str) -> Panel:
        """A window of its own, or the one that has this title."""
    def add_points(self, where: npt.ArrayLike, size: npt.ArrayLike = ..., rgba: npt.ArrayLike = ...) -> Mark:
        """Balls at (n, 3) places, in metres of the world."""
    def add_lines(self, where: npt.ArrayLike, width: float = ..., rgba: npt.ArrayLike = ..., strip: bool = ...) -> Mark:
        """A line through (n, 3) places; `strip=False`: a piece for each pair of them."""
    def add_arrows(self, where: npt.ArrayLike, to: npt.ArrayLike, width: float = ..., rgba: npt.ArrayLike = ...) -> Mark:
        """Arrows from (n, 3) places to (n, 3) places."""
    def add_labels(self, where: npt.ArrayLike, texts: str | Sequence[str]) -> Mark:
        """Texts at (n, 3) places."""
    def on_click(self, function: Callable[[Hit], object]) -> None:
        """Call it with what a click in the view met."""
    def on_select(self, function: Callable[[str, int], object]) -> None:
        """Call it with kind and number of what is selected now; ("body", 0) is nothing."""
    def on_drop(self, function: Callable[[list[str]], object]) -> None:
        """Call it with the files that are dropped; the viewer does not open them then."""
    def on_key(self, chord: str, function: Callable[[], object]) -> None:
        """Call it when a key is pressed, as `K` or `Ctrl+Shift+K`; the viewer does nothing by this key then. ValueError if
        there is no such key.
        """
    def hears(self, what: str) -> bool:
        """Whether anybody listens to this."""
    def say(self, what: str, *arguments: Sequence[str]) -> bool:
        """The window's thread: something of HEARD has happened. Whether anybody listens."""
    def pressed(self, chord: str) -> bool:
        """The window's thread: a key was pressed. Whether it is the script's."""
    def clear(self) -> None:
        """The window is closed: nothing is shown or heard any more."""
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

def launch(model: MjModel | None = ..., data: MjData | None = ..., *, loader: LoaderType | None = ..., show_left_ui: bool = ..., show_right_ui: bool = ..., board: Board | None = ...) -> None:
    """A viewer that steps by itself; blocks until it is closed. Give a model (and data), or a loader that Reload calls again.

    `board`: controls and marks to show; its functions are called between steps.
    """

def launch_from_path(path: str) -> None:
    """A viewer that steps by itself, on a file."""

def launch_passive(model: MjModel, data: MjData, *, key_callback: KeyCallbackType | None = ..., show_left_ui: bool = ..., show_right_ui: bool = ..., loader: LoaderType | None = ..., own_thread: bool = ...) -> Handle:
    """Open a viewer on a script's own Model and Data; returns at once. The script steps and calls `sync`. There may be several.

    `loader` returns (model, data) again when the person asks for a reload; `Handle.m` and `Handle.d` are then the new ones.
    Without `own_thread` the window is drawn inside `sync`, which must then be called often, by one thread: where windows belong
    to the main thread.
    """

class Served:
    """What a script holds of a server. Also a context manager that closes it; a notebook shows it as the scene."""
    def __init__(self, server: Any) -> None: ...
    @property
    def url(self) -> str:
        """The address for a browser that may act."""
    @property
    def watch_url(self) -> str:
        """The address for browsers that only watch."""
    def sync(self, state_only: bool = ...) -> None:
        """Show the script's state and take over what persons changed; while one has paused it, stays here. What steps by itself
        needs none.
        """
    def is_running(self) -> bool:
        """Whether it serves."""
    def close(self) -> None:
        """End the server and its threads."""
    def __enter__(self) -> Served: ...
    def __exit__(self, *_exc: object) -> None: ...

class Film:
    """A trajectory as one page of HTML that needs no server; a notebook shows it."""
    def __init__(self, page: str) -> None: ...
    def save(self, path: str) -> None:
        """Write the page into a file."""

def serve(model: MjModel, data: MjData | None = ..., *, host: str = ..., port: int = ..., token: bool = ..., steps: bool | None = ..., trajectory: Any = ..., dt: float | None = ..., running: bool = ...) -> Served:
    """Show a simulation in browsers, at the `url` of what is returned at once. Needs viser (extra `web`).

    With `data` the script steps and calls `sync`, as with `launch_passive`; without, or with `steps`, a thread steps in real
    time. A `trajectory` is played instead: an .npz or .csv file, or a mapping with `qpos` (n, nq) and what else there is of
    `time`, `qvel`, `act`, `ctrl`, `mocap_pos`, `mocap_quat`; or an array of positions or of states as `mj_getState` gives them.
    `dt`: seconds between two of its rows where it has no times. `host`, `port`: where it listens, for this machine only if not
    given, and at the next free port; without a `token` in the address anybody who reaches it may act. ValueError for arguments
    that are none of these, ImportError without viser.
    """
