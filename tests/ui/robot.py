"""A robot user for panels without a window: it sees every drawn widget and operates it with mouse and keys.

ImGui's own test engine runs its tests on separate threads, which Python's interpreter lock rules out. Here widgets are
recorded as they are submitted, and events are sent between two frames.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from imgui_bundle import ImVec2, imgui

from tumble.ui import panels

WIDGETS = (
    "button",
    "small_button",
    "checkbox",
    "input_text",
    "input_int",
    "input_text_with_hint",
    "slider_scalar",
    "slider_int",
    "begin_combo",
    "selectable",
    "color_edit3",
    "color_edit4",
    "menu_item",
    "tree_node_ex",
    "tree_node",
    "text_link",
)
# so tall that nothing needs scrolling
SIZE = (460, 6000)


@dataclass
class Item:
    """One widget of the last frame: function, label, id, center, size, window."""

    kind: str
    label: str
    ident: int
    window: int
    x: float
    y: float
    w: float
    h: float

    @property
    def text(self) -> str:
        return self.label.partition("##")[0].strip()


class Robot:
    """Operates one panel of a `Stage`."""

    def __init__(self, stage: Any, panel: str, monkeypatch: Any, size: tuple[float, float] = SIZE) -> None:
        self.stage, self.name, self.size = stage, panel, size
        self.items: list[Item] = []
        self.tooltips: list[str] = []
        for kind in WIDGETS:
            monkeypatch.setattr(imgui, kind, self._seen(kind, getattr(imgui, kind)))
        row = imgui.internal.menu_item_ex
        monkeypatch.setattr(imgui.internal, "menu_item_ex", self._seen("menu_item", row))
        original = imgui.set_tooltip
        monkeypatch.setattr(imgui, "set_tooltip", lambda text: (self.tooltips.append(text), original(text)))
        io = imgui.get_io()
        io.display_size = ImVec2(size[0] + 40, size[1] + 40)
        self.frame()
        self.frame()

    def _seen(self, kind: str, original: Callable) -> Callable:
        def call(label: str, *args: Any, **kwargs: Any) -> Any:
            ident, window = imgui.get_id(label), imgui.internal.get_current_window().id_
            out = original(label, *args, **kwargs)
            if kind == "begin_combo" and out:
                # the popup is the current window now, and its last item is not the box
                self.items.append(Item(kind, label, ident, window, -1, -1, 0, 0))
                return out
            low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
            self.items.append(
                Item(kind, label, ident, window, 0.5 * (low.x + high.x), 0.5 * (low.y + high.y), high.x - low.x, high.y - low.y)
            )
            return out

        return call

    # ---- frames and events -----------------------------------------------------------------------------------------------

    def frame(self) -> None:
        """Draw the panel once."""
        self.items, self.tooltips = [], []

        def draw() -> None:
            ctx = self.stage.context()
            imgui.set_next_window_pos(ImVec2(0, 0))
            imgui.set_next_window_size(ImVec2(*self.size))
            imgui.begin("robot", None, imgui.WindowFlags_.no_title_bar)
            panels.body(ctx, panels.BY_NAME[self.name])
            imgui.end()

        self.stage.gui.frame(draw)

    def press(self, x: float, y: float, times: int = 1) -> None:
        """Click a point."""
        io = imgui.get_io()
        io.add_mouse_pos_event(x, y)
        self.frame()
        for _ in range(times):
            for down in (True, False):
                io.add_mouse_button_event(0, down)
                self.frame()

    def click(self, item: Item) -> list:
        """Click a widget; return the resulting intents."""
        self.stage.intents.clear()
        self.press(item.x if item.kind != "checkbox" else item.x - 0.5 * item.w + 0.5 * item.h, item.y)
        self.frame()
        return list(self.stage.intents)

    def slide(self, item: Item, share: float) -> list:
        """Press a slider at a fraction of its length."""
        self.stage.intents.clear()
        self.press(item.x + (share - 0.5) * item.w, item.y)
        return list(self.stage.intents)

    @contextmanager
    def held(self, *keys: Any) -> Iterator[None]:
        io = imgui.get_io()
        for key in keys:
            io.add_key_event(key, True)
        yield
        for key in keys:
            io.add_key_event(key, False)

    def key(self, key: Any) -> None:
        io = imgui.get_io()
        for down in (True, False):
            io.add_key_event(key, down)
            self.frame()

    def type(self, item: Item, text: str, end: Any = imgui.Key.enter) -> list:
        """Ctrl+click into a number, replace it, and end with a key."""
        self.stage.intents.clear()
        with self.held(imgui.Key.mod_ctrl):
            self.press(item.x, item.y)
        self.frame()
        for letter in text:
            imgui.get_io().add_input_character(ord(letter))
            self.frame()
        if end is not None:
            self.key(end)
        self.frame()
        return list(self.stage.intents)

    def pick(self, item: Item, index: int) -> list:
        """Open a drop-down list and choose a row."""
        self.stage.intents.clear()
        self.press(item.x, item.y)
        self.frame()
        rows = [i for i in self.items if i.kind == "selectable" and i.window != item.window]
        assert rows, f"{item.label} opens nothing"
        self.press(rows[index].x, rows[index].y)
        self.frame()
        return list(self.stage.intents)

    def open_all(self) -> None:
        """Open every closed tree node."""
        for _ in range(4):
            for item in [i for i in self.items if i.kind in ("tree_node_ex", "tree_node")]:
                before = len(self.items)
                self.press(item.x - 0.5 * item.w + 0.4 * item.h, item.y)
                self.frame()
                if len(self.items) < before:
                    self.press(item.x - 0.5 * item.w + 0.4 * item.h, item.y)
                    self.frame()

    def find(self, label: str, kind: str = "") -> Item:
        """The widget with this label or the text of it."""
        hits = [i for i in self.items if label in (i.label, i.text) and kind in ("", i.kind)]
        assert hits, f"no {kind} {label!r} among {sorted({(i.kind, i.label) for i in self.items})}"
        return hits[0]

    def all(self, kind: str) -> list[Item]:
        return [i for i in self.items if i.kind == kind]
