"""A script's additions to a viewer: controls in panels, shapes in the scene, callbacks. This module does not use ImGui, so that
scripts need not import it.

    in the script   kp = board.add_slider("kp", 0, 100);  kp.value;  board.on_click(function)     board.calls: pending calls
    in the window   ui.script_panels draws the panels and writes `value`;  board.say("click", hit)

Tuples are replaced as a whole, and a value is one object assigned at once, so readers need no lock.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from .chords import normalise
from .shapes import ORANGE, arrows, labels, lines, points

I = TypeVar("I", bound="Item")
# default for the minimum number of samples that a plot keeps
SAMPLES = 5000
CAMERA_KINDS = ("colour", "depth", "segmentation")


@dataclass(frozen=True)
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


@dataclass(eq=False)
class Item:
    """An item of a panel. `remove()` removes it from the panel.

    title: label of the item
    panel: the panel; the methods `add_...` of panels create items in it
    callback: called by the script's `sync` after each change, with the new value
    help: text of the tool tip
    """

    title: str
    panel: Panel
    callback: Callable[..., object] | None = None
    help: str = ""

    def remove(self) -> None:
        """Remove the item from its panel."""
        self.panel.drop(self)

    def changed(self, *arguments: Any) -> None:
        """Queue the callback; the script's thread will call it. The window's thread calls this method."""
        if self.callback is not None:
            self.panel.board.calls.append((self.callback, arguments))


@dataclass(eq=False)
class Slider(Item):
    """A slider with a `value` between `low` and `high`. The script may also set `value`.

    title, panel, callback, help: as for `Item`
    low, high, value: limits, and the initial value
    """

    low: float = 0.0
    high: float = 1.0
    value: float = 0.0


@dataclass(eq=False)
class Checkbox(Item):
    """A check box; `value` is whether it is ticked.

    title, panel, callback, help: as for `Item`
    value: whether it is ticked at first
    """

    value: bool = False


@dataclass(eq=False)
class Choice(Item):
    """A list of names from which the user chooses one; `value` is the index of the chosen name.

    title, panel, callback, help: as for `Item`
    names: the names
    value: index of the name that is chosen at first
    """

    names: tuple[str, ...] = ()
    value: int = 0


@dataclass(eq=False)
class Button(Item):
    """A button. `clicks` is the number of times that it was clicked.

    title, panel, callback, help: as for `Item`
    clicks: initial number of clicks
    """

    clicks: int = 0


@dataclass(eq=False)
class Text(Item):
    """A text, with an optional title.

    title, panel, callback, help: as for `Item`
    text: the text; set the attribute `text` to change it
    """

    text: str = ""


class PlotItem(Item):
    """A plot of curves over time. `append(time, value, ...)` adds a sample to each curve.

    title: label of the plot
    panel: the panel; `add_plot` creates plots in it
    names: name of each curve
    samples: minimum number of samples that are kept
    """

    def __init__(self, title: str, panel: Panel, names: Sequence[str], samples: int = SAMPLES) -> None:
        super().__init__(title, panel)
        self.names, self.samples = tuple(names), max(2, int(samples))
        # (values, number of filled columns), which the window reads. When the array is full, a new tuple replaces this one.
        self.block: tuple[np.ndarray, list[int]] = self._empty(), [0]

    def _empty(self) -> np.ndarray:
        return np.empty((1 + len(self.names), 2 * self.samples))

    def append(self, time: float, *values: float) -> None:
        """Add a sample to each curve. ValueError if the number of values is not the number of curves.

        time: in seconds
        values: one number for each curve
        """
        if len(values) != len(self.names):
            raise ValueError(f"{len(values)} values for the {len(self.names)} curves {', '.join(self.names)}")
        rows, count = self.block
        if count[0] == rows.shape[1]:
            fresh = self._empty()
            fresh[:, : self.samples] = rows[:, -self.samples :]
            self.block = rows, count = fresh, [self.samples]
        rows[:, count[0]] = time, *values
        count[0] += 1

    def clear(self) -> None:
        """Remove all samples."""
        self.block = self._empty(), [0]

    def curves(self) -> np.ndarray:
        """Return the newest n samples, float64 (1 + ncurve, n): a row of times in seconds, then a row for each curve."""
        rows, count = self.block
        return rows[:, max(0, count[0] - self.samples) : count[0]]


class ImageItem(Item):
    """A picture. `show(pixels)` replaces it.

    title: label of the picture
    panel: the panel; `add_image` creates pictures in it
    pixels: as for `show`; None shows nothing at first
    """

    def __init__(self, title: str, panel: Panel, pixels: npt.ArrayLike | None = None) -> None:
        super().__init__(title, panel)
        self.pixels: np.ndarray | None = None
        if pixels is not None:
            self.show(pixels)

    def show(self, pixels: npt.ArrayLike) -> None:
        """Copy an image and show it. ValueError for an array of another shape or type.

        pixels: uint8 (height, width, 3) or (height, width, 4), top row first
        """
        image = np.array(pixels)
        if image.ndim != 3 or image.shape[2] not in (3, 4) or image.dtype != np.uint8 or not image.size:
            raise ValueError(f"an image must be an array (height, width, 3 or 4) of bytes, got {image.shape} of {image.dtype}")
        self.pixels = image


@dataclass(eq=False)
class CameraItem(Item):
    """A live camera image.

    title, panel, callback, help: as for `Item`
    camera, kind, width, height: as for `Adding.add_camera`
    """

    camera: int | str = -1
    kind: str = CAMERA_KINDS[0]
    width: int = 320
    height: int = 240


class Adding(ABC):
    """Methods that add controls to a panel. Each of them returns the new item."""

    @property
    @abstractmethod
    def home(self) -> Panel:
        """The panel to which items are added."""

    def add_slider(
        self,
        title: str,
        low: float,
        high: float,
        value: float | None = None,
        callback: Callable[[float], object] | None = None,
        help: str = "",
    ) -> Slider:
        """Add a slider from `low` to `high`. ValueError unless low < high.

        value: initial value; None: low
        callback: `sync` calls callback(value) after each change
        help: text of the tool tip
        """
        if not low < high:
            raise ValueError(f"a slider needs low < high, got {low} and {high}")
        return self.home._put(
            Slider(title, self.home, callback, help, float(low), float(high), float(low if value is None else value))
        )

    def add_checkbox(
        self, title: str, value: bool = False, callback: Callable[[bool], object] | None = None, help: str = ""
    ) -> Checkbox:
        """Add a check box.

        value: whether it is ticked at first
        callback: `sync` calls callback(value) after each change
        help: text of the tool tip
        """
        return self.home._put(Checkbox(title, self.home, callback, help, bool(value)))

    def add_choice(
        self, title: str, names: Sequence[str], value: int = 0, callback: Callable[[int], object] | None = None, help: str = ""
    ) -> Choice:
        """Add a list of names from which the user chooses one.

        value: index of the name that is chosen at first
        callback: `sync` calls callback(index) after each change
        help: text of the tool tip
        """
        return self.home._put(Choice(title, self.home, callback, help, tuple(names), int(value)))

    def add_button(self, title: str, callback: Callable[[], object] | None = None, help: str = "") -> Button:
        """Add a button.

        callback: `sync` calls callback() after each click
        help: text of the tool tip
        """
        return self.home._put(Button(title, self.home, callback, help))

    def add_text(self, title: str, text: str = "") -> Text:
        """Add a title and a text; set `text` to change it."""
        return self.home._put(Text(title, self.home, text=str(text)))

    def add_plot(self, title: str, names: Sequence[str] = ("value",), samples: int = SAMPLES) -> PlotItem:
        """Add curves over time.

        names: name of each curve
        samples: minimum number of samples that are kept
        """
        return self.home._put(PlotItem(title, self.home, names, samples))

    def add_image(self, title: str, pixels: npt.ArrayLike | None = None) -> ImageItem:
        """Add a picture. ValueError for an array of another shape or type.

        pixels: uint8 (height, width, 3) or (height, width, 4), top row first; None: show nothing until `show` is called
        """
        return self.home._put(ImageItem(title, self.home, pixels))

    def add_camera(
        self, camera: int | str = -1, kind: str = CAMERA_KINDS[0], width: int = 320, height: int = 240, title: str = ""
    ) -> CameraItem:
        """Add a live camera image with colours, depths or a segmentation. ValueError for another kind.

        camera: name or id of a camera, or -1 for the view's camera
        kind: one of CAMERA_KINDS: colour, depth, segmentation
        width, height: size of the image in pixels
        title: label of the image
        """
        if kind not in CAMERA_KINDS:
            raise ValueError(f"a camera shows {', '.join(CAMERA_KINDS)}, not {kind!r}")
        return self.home._put(CameraItem(title, self.home, None, "", camera, kind, int(width), int(height)))


class Panel(Adding):
    """A panel that a script has added: a window with controls.

    title: title of the window
    board: the Board; its method `add_panel` creates panels
    """

    def __init__(self, title: str, board: Board) -> None:
        self.title, self.board = title, board
        self.items: tuple[Item, ...] = ()
        # False after the user has closed the panel; the menu of panels can open it again
        self.opened = True

    @property
    def home(self) -> Panel:
        """The panel itself."""
        return self

    def _put(self, item: I) -> I:
        """Add an item."""
        with self.board.writing:
            self.items = (*self.items, item)
        self.board.changed()
        return item

    def drop(self, item: Item) -> None:
        """Remove an item."""
        with self.board.writing:
            self.items = tuple(other for other in self.items if other is not item)
        self.board.changed()

    def remove(self) -> None:
        """Remove the panel."""
        with self.board.writing:
            self.board.panels = tuple(other for other in self.board.panels if other is not self)
        self.board.changed()


class Mark:
    """Shapes that a script has added to the scene. `visible` hides or shows them. The methods `add_points`, `add_lines`, ...
    of a Board create marks.

    board: the Board
    make: function that makes the shapes from the arguments of `place`
    """

    def __init__(self, board: Board, make: Callable[..., Any]) -> None:
        self.board, self._make = board, make
        self.visible = True
        self.rows: Any = None

    def place(self, *where: npt.ArrayLike, **how: Any) -> Mark:
        """Replace the shapes. The arguments are those of the method that created this mark, such as `add_points`.

        where: float (n, 3): positions in the world, in meters; arrows have two such arrays
        how: the other arguments of that method, by name
        """
        self.rows = self._make(*where, **how)
        return self

    def remove(self) -> None:
        """Remove the shapes from the scene."""
        with self.board.writing:
            self.board.marks = tuple(other for other in self.board.marks if other is not self)


class Board(Adding):
    """A script's additions to one viewer. `add_panel(title)` creates a panel. `add_slider` and similar methods add to the panel
    titled Script. A Board has no arguments.
    """

    def __init__(self) -> None:
        self.panels: tuple[Panel, ...] = ()
        self.marks: tuple[Mark, ...] = ()
        # Listeners of events and of keys: {event: functions}, {chord: functions}.
        self.listeners: dict[str, tuple[Callable[..., object], ...]] = {}
        self.keys: dict[str, tuple[Callable[..., object], ...]] = {}
        # (function, arguments) of pending calls, which the script's thread will make
        self.calls: deque[tuple[Callable[..., object], tuple]] = deque()
        # lock that a thread holds while it replaces a tuple
        self.writing = threading.Lock()
        # Function that requests a redraw of the window, and function that returns position and direction of its camera.
        self.wake: Callable[[], object] | None = None
        self.look: Callable[[], tuple[np.ndarray, np.ndarray]] | None = None
        # model and data that the viewer steps, during callbacks
        self.simulated: tuple[Any, Any] = (None, None)

    @property
    def m(self) -> Any:
        """The MjModel that the viewer steps. Only callbacks may use it; at other times it is None."""
        return self.simulated[0]

    @property
    def d(self) -> Any:
        """The MjData that the viewer steps. Only callbacks may use it; at other times it is None."""
        return self.simulated[1]

    @property
    def eye(self) -> tuple[np.ndarray, np.ndarray]:
        """Position of the camera in the world, in meters, and unit vector of the direction in which it looks: two float (3,).
        Both are zero before the first picture.
        """
        return self.look() if self.look is not None else (np.zeros(3), np.zeros(3))

    def changed(self) -> None:
        """Request a redraw of the window."""
        if self.wake is not None:
            self.wake()

    def add_panel(self, title: str) -> Panel:
        """Return the panel with this title; create it if there is none."""
        found = next((panel for panel in self.panels if panel.title == title), None)
        if found is None:
            found = Panel(title, self)
            with self.writing:
                self.panels = (*self.panels, found)
            self.changed()
        return found

    @property
    def home(self) -> Panel:
        """The default panel, titled Script."""
        return self.add_panel("Script")

    def _mark(self, make: Callable[..., Any], *where: npt.ArrayLike, **how: Any) -> Mark:
        mark = Mark(self, make).place(*where, **how)
        with self.writing:
            self.marks = (*self.marks, mark)
        return mark

    def add_points(self, where: npt.ArrayLike, size: npt.ArrayLike = 0.02, rgba: npt.ArrayLike = ORANGE) -> Mark:
        """Add spheres. ValueError if a position is not finite.

        where: float (n, 3): positions in the world, in meters
        size: float () or (n,): radius in meters
        rgba: float (4,) or (n, 4): from 0 to 1; by default orange
        """
        return self._mark(points, where, size=size, rgba=rgba)

    def add_lines(self, where: npt.ArrayLike, width: float = 2.0, rgba: npt.ArrayLike = ORANGE, strip: bool = True) -> Mark:
        """Add a polyline through points. ValueError if a position is not finite.

        where: float (n, 3): points in the world, in meters
        width: in pixels
        rgba: float (4,), or one row (4,) for each segment: from 0 to 1; by default orange
        strip: False adds a segment for each pair of points
        """
        return self._mark(lines, where, width=width, rgba=rgba, strip=strip)

    def add_arrows(self, where: npt.ArrayLike, to: npt.ArrayLike, width: float = 0.01, rgba: npt.ArrayLike = ORANGE) -> Mark:
        """Add arrows. ValueError if a position is not finite, or if the numbers of points differ.

        where, to: float (n, 3): starts and tips in the world, in meters
        width: radius of the shaft in meters
        rgba: float (4,) or (n, 4): from 0 to 1; by default orange
        """
        return self._mark(arrows, where, to, width=width, rgba=rgba)

    def add_labels(self, where: npt.ArrayLike, texts: str | Sequence[str]) -> Mark:
        """Add text labels. ValueError if a position is not finite, or if the numbers of texts and positions differ.

        where: float (n, 3): positions in the world, in meters
        texts: a text for each position, or one text for one position; at most 99 characters of it are shown
        """
        return self._mark(labels, where, texts)

    # --- listeners -----------------------------------------------------------------------------------------------

    def on_click(self, function: Callable[[Hit], object]) -> None:
        """Call a function at each click in the view, with a Hit as its argument. TypeError if it cannot be called."""
        self._listen(self.listeners, "click", function)

    def on_select(self, function: Callable[[str, int], object]) -> None:
        """Call a function at each change of the selection, with kind and index of the element. ("body", 0) means that nothing
        is selected. TypeError if it cannot be called.
        """
        self._listen(self.listeners, "select", function)

    def on_drop(self, function: Callable[[list[str]], object]) -> None:
        """Call a function with the names of files that the user drops on the window. The viewer then does not open
        these files. TypeError if it cannot be called.
        """
        self._listen(self.listeners, "drop", function)

    def on_load(self, function: Callable[[], object]) -> None:
        """Call a function when the window shows another model, also after a reload. TypeError if it cannot be called."""
        self._listen(self.listeners, "load", function)

    def on_frame(self, function: Callable[[], object]) -> None:
        """Call a function between the pictures of the window: up to 60 times a second while something moves, more rarely
        otherwise. TypeError if it cannot be called.
        """
        self._listen(self.listeners, "frame", function)

    def on_key(self, chord: str, function: Callable[[], object]) -> None:
        """Call a function when a key is pressed. This disables the key's usual action in the viewer. ValueError if there is no
        such key, TypeError if the function cannot be called.

        chord: the key, such as `K` or `Ctrl+Shift+K`
        """
        self._listen(self.keys, normalise(chord), function)

    def _listen(self, table: dict[str, tuple], key: str, function: Callable[..., object]) -> None:
        if not callable(function):
            raise TypeError(f"{function!r} cannot be called")
        with self.writing:
            table[key] = (*table.get(key, ()), function)

    def hears(self, what: str) -> bool:
        """Return whether an event has listeners."""
        return what in self.listeners

    def say(self, what: str, *arguments: Any) -> bool:
        """Queue calls of an event's listeners; return whether there are any. The window's thread calls this.

        what: click, select, drop, load or frame
        """
        functions = self.listeners.get(what, ())
        self.calls.extend((function, arguments) for function in functions)
        return bool(functions)

    def pressed(self, chord: str) -> bool:
        """Queue calls of a key's listeners; return whether there are any. The window's thread calls this."""
        functions = self.keys.get(chord, ())
        self.calls.extend((function, ()) for function in functions)
        return bool(functions)

    def clear(self) -> None:
        """Remove everything, because the window is closed."""
        with self.writing:
            self.panels, self.marks = (), ()
            self.listeners, self.keys = {}, {}
            self.calls.clear()


def run(board: Board) -> Iterator[Exception]:
    """Make the pending calls in order; yield the errors that they raise."""
    while board.calls:
        function, arguments = board.calls.popleft()
        try:
            function(*arguments)
        except Exception as error:
            yield error
