"""What a script puts into a viewer: controls in panels, marks in the scene, functions that are called. Without ImGui, which
scripts need not import.

    the script     kp = board.add_slider("kp", 0, 100);  kp.value;  board.on_click(function)   board.calls: what is to be called
    the window     ui.script_panels draws the panels and writes `value`;  board.say("click", hit)

Tuples are replaced as a whole, and a value is one object that is put in one move: nobody needs a lock to read them.
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

from ..engine.tables.enums import mjtCatBit, mjtGeom, mjtObj
from ..render.scene import MjvGeom
from ..render.scene.emit import DEFAULTS, IDENTITY, connector
from ..render.scene.rows import Rows
from .chords import normalise

I = TypeVar("I", bound="Item")
# samples that a plot keeps at least
SAMPLES = 5000
CAMERA_KINDS = ("colour", "depth", "segmentation")
# what a script can hear of, beside its keys
HEARD = ("click", "select", "drop")
SPHERE, ARROW, LINE, LABEL = (int(mjtGeom[f"mjGEOM_{kind}"]) for kind in ("SPHERE", "ARROW", "LINE", "LABEL"))
ORANGE = (1.0, 0.55, 0.1, 1.0)


@dataclass(frozen=True)
class Hit:
    """What a click in the view met: `kind` (geom, flex, skin, body; empty for nothing), its `index`, its `body`, the `point` in
    the world, and the `button` (left, right, middle).
    """

    kind: str
    index: int
    body: int
    point: tuple[float, float, float]
    button: str


@dataclass(eq=False)
class Item:
    """One thing in a panel. `remove()` takes it away."""

    title: str
    panel: Panel
    callback: Callable[..., object] | None = None
    help: str = ""

    def remove(self) -> None:
        """Take it out of its panel."""
        self.panel.drop(self)

    def changed(self, *arguments: Any) -> None:
        """The window's thread: have the callback called by the script's."""
        if self.callback is not None:
            self.panel.board.calls.append((self.callback, arguments))


@dataclass(eq=False)
class Slider(Item):
    """`value` between `low` and `high`; the script may set it, too."""

    low: float = 0.0
    high: float = 1.0
    value: float = 0.0


@dataclass(eq=False)
class Checkbox(Item):
    """`value`: whether it is ticked."""

    value: bool = False


@dataclass(eq=False)
class Choice(Item):
    """One of `names`; `value` is its number."""

    names: tuple[str, ...] = ()
    value: int = 0


@dataclass(eq=False)
class Button(Item):
    """`clicks`: how often it was pressed."""

    clicks: int = 0


@dataclass(eq=False)
class Text(Item):
    """`text`, under a title if there is one."""

    text: str = ""


class PlotItem(Item):
    """Curves over time. `append(time, value, ...)` adds a sample of each curve."""

    def __init__(self, title: str, panel: Panel, names: Sequence[str], samples: int = SAMPLES) -> None:
        super().__init__(title, panel)
        self.names, self.samples = tuple(names), max(2, int(samples))
        # (numbers, how many columns of them are filled): read by the window, replaced as a whole when it is full
        self.block: tuple[np.ndarray, list[int]] = self._empty(), [0]

    def _empty(self) -> np.ndarray:
        return np.empty((1 + len(self.names), 2 * self.samples))

    def append(self, time: float, *values: float) -> None:
        """Add a sample; ValueError unless there is one value for each curve."""
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
        """Begin anew."""
        self.block = self._empty(), [0]

    def curves(self) -> np.ndarray:
        """(1 + curves, n): times and values of the newest samples."""
        rows, count = self.block
        return rows[:, max(0, count[0] - self.samples) : count[0]]


class ImageItem(Item):
    """A picture. `show(pixels)` replaces it: (height, width, 3 or 4) bytes, first row at the top."""

    def __init__(self, title: str, panel: Panel, pixels: npt.ArrayLike | None = None) -> None:
        super().__init__(title, panel)
        self.pixels: np.ndarray | None = None
        if pixels is not None:
            self.show(pixels)

    def show(self, pixels: npt.ArrayLike) -> None:
        """Copies; ValueError for other shapes or types."""
        image = np.array(pixels)
        if image.ndim != 3 or image.shape[2] not in (3, 4) or image.dtype != np.uint8 or not image.size:
            raise ValueError(f"an image is (height, width, 3 or 4) bytes, got {image.shape} of {image.dtype}")
        self.pixels = image


@dataclass(eq=False)
class CameraItem(Item):
    """What a camera sees, live. `camera`: its name or number, -1 for the view's own; `kind`: of CAMERA_KINDS."""

    camera: int | str = -1
    kind: str = CAMERA_KINDS[0]
    width: int = 320
    height: int = 240


class Adding(ABC):
    """What puts controls into a panel. Each returns what it added."""

    @property
    @abstractmethod
    def home(self) -> Panel:
        """The panel."""

    def add_slider(
        self,
        title: str,
        low: float,
        high: float,
        value: float | None = None,
        callback: Callable[[float], object] | None = None,
        help: str = "",
    ) -> Slider:
        """A slider from `low` to `high`; ValueError if there is nothing between them. `callback(value)` is called in `sync`."""
        if not low < high:
            raise ValueError(f"a slider needs low < high, got {low} and {high}")
        return self.home._put(
            Slider(title, self.home, callback, help, float(low), float(high), float(low if value is None else value))
        )

    def add_checkbox(
        self, title: str, value: bool = False, callback: Callable[[bool], object] | None = None, help: str = ""
    ) -> Checkbox:
        """A box to tick."""
        return self.home._put(Checkbox(title, self.home, callback, help, bool(value)))

    def add_choice(
        self, title: str, names: Sequence[str], value: int = 0, callback: Callable[[int], object] | None = None, help: str = ""
    ) -> Choice:
        """A list of which one is chosen, by its number."""
        return self.home._put(Choice(title, self.home, callback, help, tuple(names), int(value)))

    def add_button(self, title: str, callback: Callable[[], object] | None = None, help: str = "") -> Button:
        """A button."""
        return self.home._put(Button(title, self.home, callback, help))

    def add_text(self, title: str, text: str = "") -> Text:
        """A title and a text; set `text` to change it."""
        return self.home._put(Text(title, self.home, text=str(text)))

    def add_plot(self, title: str, names: Sequence[str] = ("value",), samples: int = SAMPLES) -> PlotItem:
        """Curves over time that keep the newest `samples`."""
        return self.home._put(PlotItem(title, self.home, names, samples))

    def add_image(self, title: str, pixels: npt.ArrayLike | None = None) -> ImageItem:
        """A picture."""
        return self.home._put(ImageItem(title, self.home, pixels))

    def add_camera(
        self, camera: int | str = -1, kind: str = CAMERA_KINDS[0], width: int = 320, height: int = 240, title: str = ""
    ) -> CameraItem:
        """A camera's colours, depths or segmentation, live; ValueError for another kind."""
        if kind not in CAMERA_KINDS:
            raise ValueError(f"a camera shows {', '.join(CAMERA_KINDS)}, not {kind!r}")
        return self.home._put(CameraItem(title, self.home, None, "", camera, kind, int(width), int(height)))


class Panel(Adding):
    """A window of the script's own."""

    def __init__(self, title: str, board: Board) -> None:
        self.title, self.board = title, board
        self.items: tuple[Item, ...] = ()
        # closed by the person, until it is opened in the menu of panels
        self.opened = True

    @property
    def home(self) -> Panel:
        """Itself."""
        return self

    def _put(self, item: I) -> I:
        """Add one thing."""
        with self.board.writing:
            self.items = (*self.items, item)
        self.board.changed()
        return item

    def drop(self, item: Item) -> None:
        """Take one thing away."""
        with self.board.writing:
            self.items = tuple(other for other in self.items if other is not item)
        self.board.changed()

    def remove(self) -> None:
        """Take the panel away."""
        with self.board.writing:
            self.board.panels = tuple(other for other in self.board.panels if other is not self)
        self.board.changed()


class Mark:
    """Shapes in the scene. `place(...)` takes what made it, again; `visible` hides it; `remove()` takes it away."""

    def __init__(self, board: Board, make: Callable[..., Any]) -> None:
        self.board, self._make = board, make
        self.visible = True
        self.rows: Any = None

    def place(self, *where: npt.ArrayLike, **how: Any) -> Mark:
        """Other places, and whatever else makes it."""
        self.rows = self._make(*where, **how)
        return self

    def remove(self) -> None:
        """Take it out of the scene."""
        with self.board.writing:
            self.board.marks = tuple(other for other in self.board.marks if other is not self)


class Shapes:
    """Geoms as MjvScene.append takes them."""

    def __init__(self, count: int, kind: int, rgba: npt.ArrayLike, texts: Sequence[str] = (), /, **fields: Any) -> None:
        self.ngeom, self.geom = count, Rows(MjvGeom, count)
        values = {
            **DEFAULTS,
            "type": kind,
            "objtype": int(mjtObj.mjOBJ_UNKNOWN),
            "category": int(mjtCatBit.mjCAT_DECOR),
            "objid": -1,
            "rgba": np.asarray(rgba, np.float32),
            "emission": 0.6,
            "mat": IDENTITY,
            **fields,
        }
        for name, value in values.items():
            getattr(self.geom, name)[:] = value
        self.geom.transparent[:] = self.geom.rgba[:, 3] < 1
        self.geom.label.update({k: str(text)[:99] for k, text in enumerate(texts) if text})


def places(points: npt.ArrayLike) -> np.ndarray:
    """(n, 3) finite numbers; ValueError otherwise."""
    out = np.array(points, float).reshape(-1, 3)
    if not np.isfinite(out).all():
        raise ValueError("places must be finite numbers")
    return out


def points(where: npt.ArrayLike, size: npt.ArrayLike = 0.02, rgba: npt.ArrayLike = ORANGE) -> Shapes:
    """Balls of radius `size`."""
    at = places(where)
    return Shapes(len(at), SPHERE, rgba, pos=at, size=np.broadcast_to(np.asarray(size, float).reshape(-1, 1), (len(at), 3)))


def lines(where: npt.ArrayLike, width: float = 2.0, rgba: npt.ArrayLike = ORANGE, strip: bool = True) -> Shapes:
    """A line through all places, or a piece for each pair of them; `width` in pixels."""
    at = places(where)
    begin, end = (at[:-1], at[1:]) if strip else (at[0 : len(at) // 2 * 2 : 2], at[1::2])
    return Shapes(len(begin), LINE, rgba, **connector(LINE, width, begin, end))


def arrows(where: npt.ArrayLike, to: npt.ArrayLike, width: float = 0.01, rgba: npt.ArrayLike = ORANGE) -> Shapes:
    """Arrows from places to places."""
    begin, end = places(where), places(to)
    if len(begin) != len(end):
        raise ValueError(f"{len(begin)} arrows begin and {len(end)} end")
    return Shapes(len(begin), ARROW, rgba, **connector(ARROW, width, begin, end))


def labels(where: npt.ArrayLike, texts: str | Sequence[str]) -> Shapes:
    """Texts at places."""
    at, words = places(where), [texts] if isinstance(texts, str) else list(texts)
    if len(words) != len(at):
        raise ValueError(f"{len(words)} texts for {len(at)} places")
    return Shapes(len(at), LABEL, (1, 1, 1, 1), words, pos=at)


class Board(Adding):
    """Everything of one viewer. `add_panel(title)` makes a window of its own; `add_slider` and the others use one with the
    title Script.
    """

    def __init__(self) -> None:
        self.panels: tuple[Panel, ...] = ()
        self.marks: tuple[Mark, ...] = ()
        # functions by what they hear of, and by chord
        self.listeners: dict[str, tuple[Callable[..., object], ...]] = {}
        self.keys: dict[str, tuple[Callable[..., object], ...]] = {}
        # (function, arguments) that the script's thread is to call
        self.calls: deque[tuple[Callable[..., object], tuple]] = deque()
        # held by whoever replaces a tuple
        self.writing = threading.Lock()
        # says that there is something new to see
        self.wake: Callable[[], object] | None = None

    def changed(self) -> None:
        """Have the window drawn."""
        if self.wake is not None:
            self.wake()

    def add_panel(self, title: str) -> Panel:
        """A window of its own, or the one that has this title."""
        found = next((panel for panel in self.panels if panel.title == title), None)
        if found is None:
            found = Panel(title, self)
            with self.writing:
                self.panels = (*self.panels, found)
            self.changed()
        return found

    @property
    def home(self) -> Panel:
        """The panel for what asks for none."""
        return self.add_panel("Script")

    def _mark(self, make: Callable[..., Any], *where: npt.ArrayLike, **how: Any) -> Mark:
        mark = Mark(self, make).place(*where, **how)
        with self.writing:
            self.marks = (*self.marks, mark)
        return mark

    def add_points(self, where: npt.ArrayLike, size: npt.ArrayLike = 0.02, rgba: npt.ArrayLike = ORANGE) -> Mark:
        """Balls at (n, 3) places, in metres of the world."""
        return self._mark(points, where, size=size, rgba=rgba)

    def add_lines(self, where: npt.ArrayLike, width: float = 2.0, rgba: npt.ArrayLike = ORANGE, strip: bool = True) -> Mark:
        """A line through (n, 3) places; `strip=False`: a piece for each pair of them."""
        return self._mark(lines, where, width=width, rgba=rgba, strip=strip)

    def add_arrows(self, where: npt.ArrayLike, to: npt.ArrayLike, width: float = 0.01, rgba: npt.ArrayLike = ORANGE) -> Mark:
        """Arrows from (n, 3) places to (n, 3) places."""
        return self._mark(arrows, where, to, width=width, rgba=rgba)

    def add_labels(self, where: npt.ArrayLike, texts: str | Sequence[str]) -> Mark:
        """Texts at (n, 3) places."""
        return self._mark(labels, where, texts)

    # --- what is heard -------------------------------------------------------------------------------------------

    def on_click(self, function: Callable[[Hit], object]) -> None:
        """Call it with what a click in the view met."""
        self._listen(self.listeners, "click", function)

    def on_select(self, function: Callable[[str, int], object]) -> None:
        """Call it with kind and number of what is selected now; ("body", 0) is nothing."""
        self._listen(self.listeners, "select", function)

    def on_drop(self, function: Callable[[list[str]], object]) -> None:
        """Call it with the files that are dropped; the viewer does not open them then."""
        self._listen(self.listeners, "drop", function)

    def on_key(self, chord: str, function: Callable[[], object]) -> None:
        """Call it when a key is pressed, as `K` or `Ctrl+Shift+K`; the viewer does nothing by this key then. ValueError if
        there is no such key.
        """
        self._listen(self.keys, normalise(chord), function)

    def _listen(self, table: dict[str, tuple], key: str, function: Callable[..., object]) -> None:
        if not callable(function):
            raise TypeError(f"{function!r} cannot be called")
        with self.writing:
            table[key] = (*table.get(key, ()), function)

    def hears(self, what: str) -> bool:
        """Whether anybody listens to this."""
        return what in self.listeners

    def say(self, what: str, *arguments: Any) -> bool:
        """The window's thread: something of HEARD has happened. Whether anybody listens."""
        functions = self.listeners.get(what, ())
        self.calls.extend((function, arguments) for function in functions)
        return bool(functions)

    def pressed(self, chord: str) -> bool:
        """The window's thread: a key was pressed. Whether it is the script's."""
        functions = self.keys.get(chord, ())
        self.calls.extend((function, ()) for function in functions)
        return bool(functions)

    def clear(self) -> None:
        """The window is closed: nothing is shown or heard any more."""
        with self.writing:
            self.panels, self.marks = (), ()
            self.listeners, self.keys = {}, {}
            self.calls.clear()


def run(board: Board) -> Iterator[Exception]:
    """Call what is to be called, in order; yields the errors that are raised."""
    while board.calls:
        function, arguments = board.calls.popleft()
        try:
            function(*arguments)
        except Exception as error:
            yield error
