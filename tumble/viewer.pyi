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
    """The object under the mouse at a click in the view.

    kind: geom, flex, skin or body; empty for nothing
    index: id of the object
    body: id of its body
    point: position in the world, three numbers in meters
    button: left, right or middle
    """
    kind: str
    index: int
    body: int
    point: tuple[float, float, float]
    button: str
    def __init__(self, kind: str, index: int, body: int, point: tuple[float, float, float], button: str) -> None: ...

class Item:
    """An item of a panel. `remove()` removes it from the panel.

    title: label of the item
    panel: the panel; the methods `add_...` of panels create items in it
    callback: called by the script's `sync` after each change, with the new value
    help: text of the tool tip
    """
    title: str
    panel: Panel
    callback: Callable[..., object] | None
    help: str
    def remove(self) -> None:
        """Remove the item from its panel."""
    def __init__(self, title: str, panel: Panel, callback: Callable[..., object] | None = None, help: str = "") -> None: ...

class Slider(Item):
    """A slider with a `value` between `low` and `high`. The script may also set `value`.

    title, panel, callback, help: as for `Item`
    low, high, value: limits, and the initial value
    """
    low: float
    high: float
    value: float
    def remove(self) -> None:
        """Remove the item from its panel."""
    def __init__(self, title: str, panel: Panel, callback: Callable[..., object] | None = None, help: str = "", low: float = 0.0, high: float = 1.0, value: float = 0.0) -> None: ...

class Checkbox(Item):
    """A check box; `value` is whether it is ticked.

    title, panel, callback, help: as for `Item`
    value: whether it is ticked at first
    """
    value: bool
    def remove(self) -> None:
        """Remove the item from its panel."""
    def __init__(self, title: str, panel: Panel, callback: Callable[..., object] | None = None, help: str = "", value: bool = False) -> None: ...

class Choice(Item):
    """A list of names from which the user chooses one; `value` is the index of the chosen name.

    title, panel, callback, help: as for `Item`
    names: the names
    value: index of the name that is chosen at first
    """
    names: tuple[str, ...]
    value: int
    def remove(self) -> None:
        """Remove the item from its panel."""
    def __init__(self, title: str, panel: Panel, callback: Callable[..., object] | None = None, help: str = "", names: tuple[str, ...] = ..., value: int = 0) -> None: ...

class Button(Item):
    """A button. `clicks` is the number of times that it was clicked.

    title, panel, callback, help: as for `Item`
    clicks: initial number of clicks
    """
    clicks: int
    def remove(self) -> None:
        """Remove the item from its panel."""
    def __init__(self, title: str, panel: Panel, callback: Callable[..., object] | None = None, help: str = "", clicks: int = 0) -> None: ...

class Text(Item):
    """A text, with an optional title.

    title, panel, callback, help: as for `Item`
    text: the text; set the attribute `text` to change it
    """
    text: str
    def remove(self) -> None:
        """Remove the item from its panel."""
    def __init__(self, title: str, panel: Panel, callback: Callable[..., object] | None = None, help: str = "", text: str = "") -> None: ...

class PlotItem(Item):
    """A plot of curves over time. `append(time, value, ...)` adds a sample to each curve.

    title: label of the plot
    panel: the panel; `add_plot` creates plots in it
    names: name of each curve
    samples: minimum number of samples that are kept
    """
    def remove(self) -> None:
        """Remove the item from its panel."""
    def __init__(self, title: str, panel: Panel, names: Sequence[str], samples: int = 5000) -> None: ...
    def append(self, time: float, *values: float) -> None:
        """Add a sample to each curve. ValueError if the number of values is not the number of curves.

        time: in seconds
        values: one number for each curve
        """
    def clear(self) -> None:
        """Remove all samples."""
    def curves(self) -> np.ndarray:
        """Return the newest n samples, float64 (1 + ncurve, n): a row of times in seconds, then a row for each curve."""

class ImageItem(Item):
    """A picture. `show(pixels)` replaces it.

    title: label of the picture
    panel: the panel; `add_image` creates pictures in it
    pixels: as for `show`; None shows nothing at first
    """
    def remove(self) -> None:
        """Remove the item from its panel."""
    def __init__(self, title: str, panel: Panel, pixels: npt.ArrayLike | None = None) -> None: ...
    def show(self, pixels: npt.ArrayLike) -> None:
        """Copy an image and show it. ValueError for an array of another shape or type.

        pixels: uint8 (height, width, 3) or (height, width, 4), top row first
        """

class CameraItem(Item):
    """A live camera image.

    title, panel, callback, help: as for `Item`
    camera, kind, width, height: as for `Adding.add_camera`
    """
    camera: int | str
    kind: str
    width: int
    height: int
    def remove(self) -> None:
        """Remove the item from its panel."""
    def __init__(self, title: str, panel: Panel, callback: Callable[..., object] | None = None, help: str = "", camera: int | str = -1, kind: str = "colour", width: int = 320, height: int = 240) -> None: ...

class Adding:
    """Methods that add controls to a panel. Each of them returns the new item."""
    @property
    def home(self) -> Panel:
        """The panel to which items are added."""
    def add_slider(self, title: str, low: float, high: float, value: float | None = None, callback: Callable[[float], object] | None = None, help: str = "") -> Slider:
        """Add a slider from `low` to `high`. ValueError unless low < high.

        value: initial value; None: low
        callback: `sync` calls callback(value) after each change
        help: text of the tool tip
        """
    def add_checkbox(self, title: str, value: bool = False, callback: Callable[[bool], object] | None = None, help: str = "") -> Checkbox:
        """Add a check box.

        value: whether it is ticked at first
        callback: `sync` calls callback(value) after each change
        help: text of the tool tip
        """
    def add_choice(self, title: str, names: Sequence[str], value: int = 0, callback: Callable[[int], object] | None = None, help: str = "") -> Choice:
        """Add a list of names from which the user chooses one.

        value: index of the name that is chosen at first
        callback: `sync` calls callback(index) after each change
        help: text of the tool tip
        """
    def add_button(self, title: str, callback: Callable[[], object] | None = None, help: str = "") -> Button:
        """Add a button.

        callback: `sync` calls callback() after each click
        help: text of the tool tip
        """
    def add_text(self, title: str, text: str = "") -> Text:
        """Add a title and a text; set `text` to change it."""
    def add_plot(self, title: str, names: Sequence[str] = ..., samples: int = 5000) -> PlotItem:
        """Add curves over time.

        names: name of each curve
        samples: minimum number of samples that are kept
        """
    def add_image(self, title: str, pixels: npt.ArrayLike | None = None) -> ImageItem:
        """Add a picture. ValueError for an array of another shape or type.

        pixels: uint8 (height, width, 3) or (height, width, 4), top row first; None: show nothing until `show` is called
        """
    def add_camera(self, camera: int | str = -1, kind: str = "colour", width: int = 320, height: int = 240, title: str = "") -> CameraItem:
        """Add a live camera image with colours, depths or a segmentation. ValueError for another kind.

        camera: name or id of a camera, or -1 for the view's camera
        kind: one of CAMERA_KINDS: colour, depth, segmentation
        width, height: size of the image in pixels
        title: label of the image
        """

class Panel(Adding):
    """A panel that a script has added: a window with controls.

    title: title of the window
    board: the Board; its method `add_panel` creates panels
    """
    @property
    def home(self) -> Panel:
        """The panel itself."""
    def add_slider(self, title: str, low: float, high: float, value: float | None = None, callback: Callable[[float], object] | None = None, help: str = "") -> Slider:
        """Add a slider from `low` to `high`. ValueError unless low < high.

        value: initial value; None: low
        callback: `sync` calls callback(value) after each change
        help: text of the tool tip
        """
    def add_checkbox(self, title: str, value: bool = False, callback: Callable[[bool], object] | None = None, help: str = "") -> Checkbox:
        """Add a check box.

        value: whether it is ticked at first
        callback: `sync` calls callback(value) after each change
        help: text of the tool tip
        """
    def add_choice(self, title: str, names: Sequence[str], value: int = 0, callback: Callable[[int], object] | None = None, help: str = "") -> Choice:
        """Add a list of names from which the user chooses one.

        value: index of the name that is chosen at first
        callback: `sync` calls callback(index) after each change
        help: text of the tool tip
        """
    def add_button(self, title: str, callback: Callable[[], object] | None = None, help: str = "") -> Button:
        """Add a button.

        callback: `sync` calls callback() after each click
        help: text of the tool tip
        """
    def add_text(self, title: str, text: str = "") -> Text:
        """Add a title and a text; set `text` to change it."""
    def add_plot(self, title: str, names: Sequence[str] = ..., samples: int = 5000) -> PlotItem:
        """Add curves over time.

        names: name of each curve
        samples: minimum number of samples that are kept
        """
    def add_image(self, title: str, pixels: npt.ArrayLike | None = None) -> ImageItem:
        """Add a picture. ValueError for an array of another shape or type.

        pixels: uint8 (height, width, 3) or (height, width, 4), top row first; None: show nothing until `show` is called
        """
    def add_camera(self, camera: int | str = -1, kind: str = "colour", width: int = 320, height: int = 240, title: str = "") -> CameraItem:
        """Add a live camera image with colours, depths or a segmentation. ValueError for another kind.

        camera: name or id of a camera, or -1 for the view's camera
        kind: one of CAMERA_KINDS: colour, depth, segmentation
        width, height: size of the image in pixels
        title: label of the image
        """
    def __init__(self, title: str, board: Board) -> None: ...
    def drop(self, item: Item) -> None:
        """Remove an item."""
    def remove(self) -> None:
        """Remove the panel."""

class Mark:
    """Shapes that a script has added to the scene. `visible` hides or shows them. The methods `add_points`, `add_lines`, ...
    of a Board create marks.

    board: the Board
    make: function that makes the shapes from the arguments of `place`
    """
    visible: bool
    def __init__(self, board: Board, make: Callable[..., Any]) -> None: ...
    def place(self, *where: npt.ArrayLike, **how: Any) -> Mark:
        """Replace the shapes. The arguments are those of the method that created this mark, such as `add_points`.

        where: float (n, 3): positions in the world, in meters; arrows have two such arrays
        how: the other arguments of that method, by name
        """
    def remove(self) -> None:
        """Remove the shapes from the scene."""

class Board(Adding):
    """A script's additions to one viewer. `add_panel(title)` creates a panel. `add_slider` and similar methods add to the panel
    titled Script. A Board has no arguments.
    """
    @property
    def home(self) -> Panel:
        """The default panel, titled Script."""
    def add_slider(self, title: str, low: float, high: float, value: float | None = None, callback: Callable[[float], object] | None = None, help: str = "") -> Slider:
        """Add a slider from `low` to `high`. ValueError unless low < high.

        value: initial value; None: low
        callback: `sync` calls callback(value) after each change
        help: text of the tool tip
        """
    def add_checkbox(self, title: str, value: bool = False, callback: Callable[[bool], object] | None = None, help: str = "") -> Checkbox:
        """Add a check box.

        value: whether it is ticked at first
        callback: `sync` calls callback(value) after each change
        help: text of the tool tip
        """
    def add_choice(self, title: str, names: Sequence[str], value: int = 0, callback: Callable[[int], object] | None = None, help: str = "") -> Choice:
        """Add a list of names from which the user chooses one.

        value: index of the name that is chosen at first
        callback: `sync` calls callback(index) after each change
        help: text of the tool tip
        """
    def add_button(self, title: str, callback: Callable[[], object] | None = None, help: str = "") -> Button:
        """Add a button.

        callback: `sync` calls callback() after each click
        help: text of the tool tip
        """
    def add_text(self, title: str, text: str = "") -> Text:
        """Add a title and a text; set `text` to change it."""
    def add_plot(self, title: str, names: Sequence[str] = ..., samples: int = 5000) -> PlotItem:
        """Add curves over time.

        names: name of each curve
        samples: minimum number of samples that are kept
        """
    def add_image(self, title: str, pixels: npt.ArrayLike | None = None) -> ImageItem:
        """Add a picture. ValueError for an array of another shape or type.

        pixels: uint8 (height, width, 3) or (height, width, 4), top row first; None: show nothing until `show` is called
        """
    def add_camera(self, camera: int | str = -1, kind: str = "colour", width: int = 320, height: int = 240, title: str = "") -> CameraItem:
        """Add a live camera image with colours, depths or a segmentation. ValueError for another kind.

        camera: name or id of a camera, or -1 for the view's camera
        kind: one of CAMERA_KINDS: colour, depth, segmentation
        width, height: size of the image in pixels
        title: label of the image
        """
    def __init__(self) -> None: ...
    @property
    def m(self) -> MjModel:
        """The MjModel that the viewer steps. Only callbacks may use it; at other times it is None."""
    @property
    def d(self) -> MjData:
        """The MjData that the viewer steps. Only callbacks may use it; at other times it is None."""
    @property
    def eye(self) -> tuple[np.ndarray, np.ndarray]:
        """Position of the camera in the world, in meters, and unit vector of the direction in which it looks: two float (3,).
        Both are zero before the first picture.
        """
    def add_panel(self, title: str) -> Panel:
        """Return the panel with this title; create it if there is none."""
    def add_points(self, where: npt.ArrayLike, size: npt.ArrayLike = 0.02, rgba: npt.ArrayLike = ...) -> Mark:
        """Add spheres. ValueError if a position is not finite.

        where: float (n, 3): positions in the world, in meters
        size: float () or (n,): radius in meters
        rgba: float (4,) or (n, 4): from 0 to 1; by default orange
        """
    def add_lines(self, where: npt.ArrayLike, width: float = 2.0, rgba: npt.ArrayLike = ..., strip: bool = True) -> Mark:
        """Add a polyline through points. ValueError if a position is not finite.

        where: float (n, 3): points in the world, in meters
        width: in pixels
        rgba: float (4,), or one row (4,) for each segment: from 0 to 1; by default orange
        strip: False adds a segment for each pair of points
        """
    def add_arrows(self, where: npt.ArrayLike, to: npt.ArrayLike, width: float = 0.01, rgba: npt.ArrayLike = ...) -> Mark:
        """Add arrows. ValueError if a position is not finite, or if the numbers of points differ.

        where, to: float (n, 3): starts and tips in the world, in meters
        width: radius of the shaft in meters
        rgba: float (4,) or (n, 4): from 0 to 1; by default orange
        """
    def add_labels(self, where: npt.ArrayLike, texts: str | Sequence[str]) -> Mark:
        """Add text labels. ValueError if a position is not finite, or if the numbers of texts and positions differ.

        where: float (n, 3): positions in the world, in meters
        texts: a text for each position, or one text for one position; at most 99 characters of it are shown
        """
    def on_click(self, function: Callable[[Hit], object]) -> None:
        """Call a function at each click in the view, with a Hit as its argument. TypeError if it cannot be called."""
    def on_select(self, function: Callable[[str, int], object]) -> None:
        """Call a function at each change of the selection, with kind and index of the element. ("body", 0) means that nothing
        is selected. TypeError if it cannot be called.
        """
    def on_drop(self, function: Callable[[list[str]], object]) -> None:
        """Call a function with the names of files that the user drops on the window. The viewer then does not open
        these files. TypeError if it cannot be called.
        """
    def on_load(self, function: Callable[[], object]) -> None:
        """Call a function when the window shows another model, also after a reload. TypeError if it cannot be called."""
    def on_frame(self, function: Callable[[], object]) -> None:
        """Call a function between the pictures of the window: up to 60 times a second while something moves, more rarely
        otherwise. TypeError if it cannot be called.
        """
    def on_key(self, chord: str, function: Callable[[], object]) -> None:
        """Call a function when a key is pressed. This disables the key's usual action in the viewer. ValueError if there is no
        such key, TypeError if the function cannot be called.

        chord: the key, such as `K` or `Ctrl+Shift+K`
        """
    def hears(self, what: str) -> bool:
        """Return whether an event has listeners."""
    def say(self, what: str, *arguments: Sequence[str]) -> bool:
        """Queue calls of an event's listeners; return whether there are any. The window's thread calls this.

        what: click, select, drop, load or frame
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
    def add_slider(self, title: str, low: float, high: float, value: float | None = None, callback: Callable[[float], object] | None = None, help: str = "") -> Slider:
        """Add a slider from `low` to `high`. ValueError unless low < high.

        value: initial value; None: low
        callback: `sync` calls callback(value) after each change
        help: text of the tool tip
        """
    def add_checkbox(self, title: str, value: bool = False, callback: Callable[[bool], object] | None = None, help: str = "") -> Checkbox:
        """Add a check box.

        value: whether it is ticked at first
        callback: `sync` calls callback(value) after each change
        help: text of the tool tip
        """
    def add_choice(self, title: str, names: Sequence[str], value: int = 0, callback: Callable[[int], object] | None = None, help: str = "") -> Choice:
        """Add a list of names from which the user chooses one.

        value: index of the name that is chosen at first
        callback: `sync` calls callback(index) after each change
        help: text of the tool tip
        """
    def add_button(self, title: str, callback: Callable[[], object] | None = None, help: str = "") -> Button:
        """Add a button.

        callback: `sync` calls callback() after each click
        help: text of the tool tip
        """
    def add_text(self, title: str, text: str = "") -> Text:
        """Add a title and a text; set `text` to change it."""
    def add_plot(self, title: str, names: Sequence[str] = ..., samples: int = 5000) -> PlotItem:
        """Add curves over time.

        names: name of each curve
        samples: minimum number of samples that are kept
        """
    def add_image(self, title: str, pixels: npt.ArrayLike | None = None) -> ImageItem:
        """Add a picture. ValueError for an array of another shape or type.

        pixels: uint8 (height, width, 3) or (height, width, 4), top row first; None: show nothing until `show` is called
        """
    def add_camera(self, camera: int | str = -1, kind: str = "colour", width: int = 320, height: int = 240, title: str = "") -> CameraItem:
        """Add a live camera image with colours, depths or a segmentation. ValueError for another kind.

        camera: name or id of a camera, or -1 for the view's camera
        kind: one of CAMERA_KINDS: colour, depth, segmentation
        width, height: size of the image in pixels
        title: label of the image
        """
    @property
    def m(self) -> MjModel:
        """The displayed MjModel. It differs from the initial one if a loader has replaced it."""
    @property
    def d(self) -> MjData:
        """The script's MjData. It differs from the initial one if a loader has replaced it."""
    @property
    def eye(self) -> tuple[np.ndarray, np.ndarray]:
        """Position of the camera in the world, in meters, and unit vector of the direction in which it looks: two float (3,).
        Both are zero before the first picture.
        """
    def add_panel(self, title: str) -> Panel:
        """Return the panel with this title; create it if there is none."""
    def add_points(self, where: npt.ArrayLike, size: npt.ArrayLike = 0.02, rgba: npt.ArrayLike = ...) -> Mark:
        """Add spheres. ValueError if a position is not finite.

        where: float (n, 3): positions in the world, in meters
        size: float () or (n,): radius in meters
        rgba: float (4,) or (n, 4): from 0 to 1; by default orange
        """
    def add_lines(self, where: npt.ArrayLike, width: float = 2.0, rgba: npt.ArrayLike = ..., strip: bool = True) -> Mark:
        """Add a polyline through points. ValueError if a position is not finite.

        where: float (n, 3): points in the world, in meters
        width: in pixels
        rgba: float (4,), or one row (4,) for each segment: from 0 to 1; by default orange
        strip: False adds a segment for each pair of points
        """
    def add_arrows(self, where: npt.ArrayLike, to: npt.ArrayLike, width: float = 0.01, rgba: npt.ArrayLike = ...) -> Mark:
        """Add arrows. ValueError if a position is not finite, or if the numbers of points differ.

        where, to: float (n, 3): starts and tips in the world, in meters
        width: radius of the shaft in meters
        rgba: float (4,) or (n, 4): from 0 to 1; by default orange
        """
    def add_labels(self, where: npt.ArrayLike, texts: str | Sequence[str]) -> Mark:
        """Add text labels. ValueError if a position is not finite, or if the numbers of texts and positions differ.

        where: float (n, 3): positions in the world, in meters
        texts: a text for each position, or one text for one position; at most 99 characters of it are shown
        """
    def on_click(self, function: Callable[[Hit], object]) -> None:
        """Call a function at each click in the view, with a Hit as its argument. TypeError if it cannot be called."""
    def on_select(self, function: Callable[[str, int], object]) -> None:
        """Call a function at each change of the selection, with kind and index of the element. ("body", 0) means that nothing
        is selected. TypeError if it cannot be called.
        """
    def on_drop(self, function: Callable[[list[str]], object]) -> None:
        """Call a function with the names of files that the user drops on the window. The viewer then does not open
        these files. TypeError if it cannot be called.
        """
    def on_load(self, function: Callable[[], object]) -> None:
        """Call a function when the window shows another model, also after a reload. TypeError if it cannot be called."""
    def on_frame(self, function: Callable[[], object]) -> None:
        """Call a function between the pictures of the window: up to 60 times a second while something moves, more rarely
        otherwise. TypeError if it cannot be called.
        """
    def on_key(self, chord: str, function: Callable[[], object]) -> None:
        """Call a function when a key is pressed. This disables the key's usual action in the viewer. ValueError if there is no
        such key, TypeError if the function cannot be called.

        chord: the key, such as `K` or `Ctrl+Shift+K`
        """
    def hears(self, what: str) -> bool:
        """Return whether an event has listeners."""
    def say(self, what: str, *arguments: Sequence[str]) -> bool:
        """Queue calls of an event's listeners; return whether there are any. The window's thread calls this.

        what: click, select, drop, load or frame
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
    def viewport(self) -> MjrRect:
        """The 3D view's rectangle in the window, in pixels."""
    def is_running(self) -> bool:
        """Return whether the window is open."""
    def close(self) -> None:
        """Close the window and wait for it."""
    def lock(self) -> AbstractContextManager[Any]:
        """Return a lock. While the script holds it and writes, the window does not read."""
    def sync(self, state_only: bool = False) -> None:
        """Exchange data with the window: show the script's state, and receive the user's changes. Call the callbacks of
        controls. Wait while the user has paused the simulation. Do nothing after the window is closed.

        state_only: copy only the state (mjSTATE_INTEGRATION) to the window, which computes the rest
        """
    def update_hfield(self, hfieldid: int) -> None:
        """Show the new heights of a height field. Return after the window has uploaded them."""
    def update_mesh(self, meshid: int) -> None:
        """Show the new vertices of a mesh."""
    def update_texture(self, texid: int) -> None:
        """Show the new pixels of a texture."""
    def set_figures(self, viewports_figures: Any) -> None:
        """Draw figures over the window. The figures are copied.

        viewports_figures: a pair (viewport, MjvFigure), or a list of pairs; viewport: an MjrRect in pixels
        """
    def clear_figures(self) -> None:
        """Remove all figures."""
    def set_texts(self, texts: Any) -> None:
        """Show one (font, gridpos, left text, right text) tuple, or a list of them. None selects the default value.

        texts: font is a mjtFontScale, gridpos a mjtGridPos
        """
    def clear_texts(self) -> None:
        """Remove all overlay texts."""
    def set_images(self, viewports_images: Any) -> None:
        """Show images over the window. ValueError for other images.

        viewports_images: a pair (viewport, image), or a list of pairs; viewport: an MjrRect in pixels; image: uint8 (height,
            width, 3), top row first, of the viewport's size
        """
    def clear_images(self) -> None:
        """Remove all images."""
    def __enter__(self) -> Handle: ...
    def __exit__(self, *_exc: object) -> None: ...

def launch(model: MjModel | None = None, data: MjData | None = None, *, loader: LoaderType | None = None, show_left_ui: bool = True, show_right_ui: bool = True, board: Board | None = None) -> None:
    """Open a viewer that steps the simulation; return when the user closes it. ValueError for a loader together with a model or
    data, or for data without a model.

    model: the model, or a loader; None: a viewer without a model
    data: its state; None: the initial state
    loader: function that returns a new (model, data); Reload calls it again
    show_left_ui, show_right_ui: whether the panels on this side are shown
    board: a Board with controls and marks to show. Its callbacks are called between steps
    """

def launch_from_path(path: str) -> None:
    """Open a viewer that steps the simulation of a model file; return when the user closes it.

    path: an MJCF or URDF file, or a binary model; the viewer shows errors in it
    """

def launch_passive(model: MjModel, data: MjData, *, key_callback: KeyCallbackType | None = None, show_left_ui: bool = True, show_right_ui: bool = True, loader: LoaderType | None = None, own_thread: bool = ...) -> Handle:
    """Open a viewer on a script's Model and Data, and return at once. The script steps and calls `sync`. Several viewers can be
    open at a time. ValueError for arguments of other types, RuntimeError if the window does not open.

    key_callback: called with the code of each pressed key, or with (key, action, modifiers) if it has three parameters
    show_left_ui, show_right_ui: whether the panels on this side are shown
    loader: called when the user reloads; returns a new (model, data), which are then `Handle.m` and `Handle.d`
    own_thread: False: draw the window inside `sync`, which one thread must then call often. This is for systems that allow
        windows only in the main thread, and the default there (macOS).
    """

class Served:
    """A running server, as scripts see it. As a context manager, it closes the server at its end. In a notebook, it displays
    the scene.

    server: the server; `serve` creates it
    """
    def __init__(self, server: Any) -> None: ...
    @property
    def url(self) -> str:
        """The address for browsers that may control the simulation."""
    @property
    def watch_url(self) -> str:
        """The address for browsers that may only watch."""
    def sync(self, state_only: bool = False) -> None:
        """Show the script's state and apply changes from browsers. Wait while a browser has paused the simulation. A server
        that steps the simulation itself needs no call.

        state_only: as for `Handle.sync`
        """
    def is_running(self) -> bool:
        """Return whether the server runs."""
    def close(self) -> None:
        """Stop the server and its threads."""
    def __enter__(self) -> Served: ...
    def __exit__(self, *_exc: object) -> None: ...

class Film:
    """A trajectory as one HTML page, which a notebook displays without a server.

    page: text of the page; `tumble.show` creates it
    """
    def __init__(self, page: str) -> None: ...
    def save(self, path: str) -> None:
        """Write the page to a file. OSError if that fails."""

def serve(model: MjModel, data: MjData | None = None, *, host: str = "127.0.0.1", port: int = 8080, token: bool = True, steps: bool | None = None, trajectory: Any = None, dt: float | None = None, running: bool = True) -> Served:
    """Show a simulation in browsers, at the `url` of the returned object. This needs the package viser (extra `web`);
    ImportError without it. ValueError for wrong arguments, OSError if this machine lacks the address.

    data: the state that the script steps, calling `sync`, as with `launch_passive`; None: a thread steps in real time
    host: address to listen on; by default this machine only
    port: port to listen on, or the next free one; 0: any
    token: whether addresses contain a secret; without one, everyone who can connect may control the simulation
    steps: whether a thread steps `data`; None: only without `data`
    trajectory: played instead of a simulation: an .npz or .csv file, an array of positions (n, nq) or of states from
        `mj_getState` (n, nstate), or a mapping with `qpos` (n, nq) and any of `time`, `qvel`, `act`, `ctrl`, `mocap_pos`,
        `mocap_quat`, each (n, ...)
    dt: seconds between rows of a trajectory without times
    running: whether the simulation runs at first
    """
