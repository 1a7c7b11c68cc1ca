"""Text labels in the view, drawn by ImGui beside their points. Near labels are placed first; labels that find no free space are
left out.

    above
left  *  right    a label takes the first free side of its point
    below
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from imgui_bundle import imgui

# Maximum number of labels, nearest first. No view has room for more.
MOST = 400
# Distance from a point to its text, in text heights.
GAP = 0.25
# Text colour and edge colour. White letters with a dark edge are readable on any background.
WHITE, SHADE = 0xFFFFFFFF, 0x90000000
EDGES = ((-1, -1), (1, -1), (-1, 1), (1, 1))


class Text(NamedTuple):
    """A label: the position of its point in window units from the upper left corner, its text, and the distance from the
    camera.
    """

    x: float
    y: float
    text: str
    depth: float


@dataclass
class Written:
    """The labels shown in the view."""

    texts: set[str] = field(default_factory=set)


class Room:
    """The space occupied by labels, as horizontal intervals in rows of the view. A row is one line high, so a label is in one
    row or in two.
    """

    def __init__(self, height: float) -> None:
        self.height = height
        self.rows: dict[int, list[tuple[float, float]]] = defaultdict(list)

    def take(self, x: float, y: float, width: float) -> bool:
        """Occupy the space of one line of text, given its upper left corner and width. Return False if this space is
        not free.
        """
        rows = [self.rows[k] for k in range(int(y // self.height), int((y + 0.999 * self.height) // self.height) + 1)]
        if any(begin < x + width and x < end for row in rows for begin, end in row):
            return False
        for row in rows:
            row.append((x, x + width))
        return True


def placed(
    texts: Iterable[Text], before: set[str], height: float, area: tuple[float, float, float, float]
) -> list[tuple[float, float, str]]:
    """Return (x, y, text) of the labels that find free space in an area (x, y, width, height). x and y are the label's upper
    left corner.

    Labels that were shown `before` come first, so that they do not flicker where objects pass each other.
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
    """Draw labels over the view, but under the panels. Return the texts that found free space."""
    canvas = imgui.get_background_draw_list()
    canvas.push_clip_rect(area[:2], (area[0] + area[2], area[1] + area[3]))
    found = placed(texts, before, imgui.get_font_size(), area)
    for x, y, text in found:
        write(canvas, x, y, text)
    canvas.pop_clip_rect()
    return {text for _, _, text in found}


def write(canvas: Any, x: float, y: float, text: str, color: int = WHITE) -> None:
    """Write a text with a dark edge, from its upper left corner."""
    # Round to whole pixels, to keep letters sharp.
    x, y = round(x), round(y)
    for dx, dy in EDGES:
        canvas.add_text((x + dx, y + dy), SHADE, text)
    canvas.add_text((x, y), color, text)
