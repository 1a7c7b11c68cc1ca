"""Texts in the view: written by ImGui beside their points, those in front first; one that finds no room among them is left out.

    above
left  *  right        a label takes the first side of its point that is free
    below
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from imgui_bundle import imgui

# labels that are looked at, nearest first: more than any view has room for
MOST = 400
# from a point to its text, in text heights
GAP = 0.25
# white letters with a dark edge are read on anything
WHITE, SHADE = 0xFFFFFFFF, 0x90000000
EDGES = ((-1, -1), (1, -1), (-1, 1), (1, 1))


class Text(NamedTuple):
    """A label's point in units of the window from its upper left corner, what it says, and how far away it is."""

    x: float
    y: float
    text: str
    depth: float


@dataclass
class Written:
    """The labels that are in the view."""

    texts: set[str] = field(default_factory=set)


class Room:
    """What is taken, as spans in rows as high as a line: a label lies in one row or in two."""

    def __init__(self, height: float) -> None:
        self.height = height
        self.rows: dict[int, list[tuple[float, float]]] = defaultdict(list)

    def take(self, x: float, y: float, width: float) -> bool:
        """Whether a line at its upper left corner finds room, which is its own from now on."""
        rows = [self.rows[k] for k in range(int(y // self.height), int((y + 0.999 * self.height) // self.height) + 1)]
        if any(begin < x + width and x < end for row in rows for begin, end in row):
            return False
        for row in rows:
            row.append((x, x + width))
        return True


def placed(
    texts: Iterable[Text], before: set[str], height: float, area: tuple[float, float, float, float]
) -> list[tuple[float, float, str]]:
    """(x, y, text) of the upper left corners of labels that find room in an area (x, y, width, height).

    Those that were there `before` come first, so that labels do not flicker where things pass each other.
    """
    left, top, width, tall = area
    inside = [t for t in texts if left <= t.x < left + width and top <= t.y < top + tall]
    inside.sort(key=lambda t: (t.text not in before, t.depth))
    room, out, gap = Room(height), [], GAP * height
    for t in inside[:MOST]:
        wide = imgui.calc_text_size(t.text).x
        across, level = t.x - 0.5 * wide, t.y - 0.5 * height
        for x, y in ((t.x + gap, level), (across, t.y - height - gap), (across, t.y + gap), (t.x - wide - gap, level)):
            if left <= x and x + wide <= left + width and room.take(x, y, wide):
                out.append((x, y, t.text))
                break
    return out


def draw(texts: Iterable[Text], before: set[str], area: tuple[float, float, float, float]) -> set[str]:
    """Write labels over the view and under the panels; returns those that found room."""
    canvas = imgui.get_background_draw_list()
    canvas.push_clip_rect(area[:2], (area[0] + area[2], area[1] + area[3]))
    found = placed(texts, before, imgui.get_font_size(), area)
    for x, y, text in found:
        # whole pixels keep letters sharp
        x, y = round(x), round(y)
        for dx, dy in EDGES:
            canvas.add_text((x + dx, y + dy), SHADE, text)
        canvas.add_text((x, y), WHITE, text)
    canvas.pop_clip_rect()
    return {text for _, _, text in found}
