"""A palette that searches commands, elements and fields."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from imgui_bundle import ImVec2, imgui

from ..engine.tables.schema import INTERNAL, SCHEMAS
from . import icons, reveal, widgets
from .context import Context, Filters
from .element_names import KINDS, names
from .fields import about
from .intents import Arrange, Intent, LoadKey, Quit, SelectElement, SetLoop, SetSetting, ShowPanel
from .layout import PRESETS
from .panel import physics
from .panel.watch import Watched
from .panels import PANELS

SHOWN = 200
# settings that switch something in the simulation loop
LOOPS = ("busy_wait", "pause_update", "stop_unstable", "puppet", "posing", "mark_contacts")
# Number of rows for Page Up and Page Down.
PAGE = 15
# Distance from the top of the view in text heights; where kind and chord start, as fractions of the width.
TOP, KIND_AT, CHORD_AT = 4.2, 0.52, 0.76
# In text heights: maximum height of the palette, and the room that it needs besides its rows.
MOST_HIGH, ROOM = 24.0, 2.8
# Fields that can be watched: all arrays of Data and Model, and the options.
FIELDS = (
    *(f.name for f in SCHEMAS["MjData"].arrays if f.group not in INTERNAL),
    "time",
    *(f"m.{f.name}" for f in SCHEMAS["MjModel"].arrays),
    *(f"opt.{f}" for f in SCHEMAS["MjOption"].fields),
)


# Options of the model that the panel Physics can change.
OPTIONS = (*physics.CHOICES, *physics.ALGORITHM, *physics.PHYSICAL)


@dataclass
class Palette:
    """The palette's state: whether it opens in the next frame, the chosen row, the text of the current rows, and the results
    (model, text and rows).
    """

    fresh: bool = False
    row: int = 0
    text: str = ""
    found: tuple[Any, str, tuple[list, int]] | None = None


def entries(ctx: Context) -> list[tuple[str, str, str, Intent | str]]:
    """Return (text, kind, chord, action) for every entry; an action that is a string names a field to watch."""
    rows: list[tuple[str, str, str, Intent | str]] = []
    rows += [(a.title, a.group, ctx.hint(a.id), a.make()) for a in ctx.keys.actions.values() if a.id != "palette"]
    rows += settings(ctx)
    rows += [(f"Layout: {preset.title}", "Layout", "", Arrange(name)) for name, preset in PRESETS.items()]
    rows += [(f"Layout: {name}", "Layout", "", Arrange(name)) for name in ctx.settings["layouts"]]
    rows += [(p.title, "Panel", "", ShowPanel(p.name, True)) for p in PANELS]
    if ctx.m is not None:
        rows += [
            (label, kind.capitalize(), "", SelectElement(kind, i, True))
            for kind in KINDS
            for i, label in enumerate(names(ctx.m, kind))
        ]
        rows += [(f"Load keyframe {label}", "Keyframe", "", LoadKey(i)) for i, label in enumerate(names(ctx.m, "key"))]
        rows += [(row[1], "Physics", "", ShowPanel("physics", True, row=row[0])) for row in OPTIONS]
        rows += [(field, "Watch", "", field) for field in FIELDS]
    return rows


def settings(ctx: Context) -> list[tuple[str, str, str, Intent | str]]:
    """Return an entry for each switch and choice in the table of settings that has no action."""
    known, rows = {a.id for a in ctx.keys.actions.values()}, []
    for row in ctx.settings.rows.values():
        if isinstance(row.default, bool) and row.name not in known and row.name not in LOOPS:
            rows.append((row.title, f"Setting, {'on' if ctx.settings[row.name] else 'off'}", "", SetSetting(row.name)))
        rows += [(f"{row.title}: {word}", "Setting", "", SetSetting(row.name, word)) for word in row.choices]
    rows += [
        (
            name.replace("_", " ").capitalize(),
            f"Setting, {'on' if getattr(ctx.status, name) else 'off'}",
            "",
            SetLoop(name, not getattr(ctx.status, name)),
        )
        for name in LOOPS
    ]
    return rows


def rank(text: str, name: str) -> int | None:
    """Return the rank of a name, smaller is better; None if the words do not occur."""
    low = name.lower()
    if not widgets.matches(text, low):
        return None
    return 0 if low == text else 1 if low.startswith(text) else 2


def find(ctx: Context, text: str) -> tuple[list[tuple[str, str, str, Intent | str]], int]:
    """Return matching entries, best first, and how many more there are. Results are cached for each text."""
    state = ctx.scratch.of(Palette)
    if state.found is not None and state.found[0] is ctx.m and state.found[1] == text:
        return state.found[2]
    hits = [(r, i, row) for i, row in enumerate(entries(ctx)) if (r := rank(text, f"{row[0]} {row[1]}")) is not None]
    # Quit comes last, so that users do not quit by accident.
    found = (
        [row for _r, _i, row in sorted(hits, key=lambda h: (isinstance(h[2][3], Quit), *h[:2]))[:SHOWN]],
        max(0, len(hits) - SHOWN),
    )
    state.found = ctx.m, text, found
    return found


def draw(ctx: Context) -> None:
    """Draw the palette while it is open."""
    state = ctx.scratch.of(Palette)
    if not ctx.settings["palette"]:
        state.fresh = True
        return

    x, y, w, _h = ctx.view_rect
    width = min(w * 0.9, widgets.em(34))
    imgui.set_next_window_pos(ImVec2(x + 0.5 * w, y + widgets.em(TOP)), imgui.Cond_.always, ImVec2(0.5, 0))
    # The window is as high as its rows need.
    count = len(state.found[2][0]) if state.found is not None and not state.fresh else SHOWN
    high = (
        max(1, count) + (state.found is not None and state.found[2][1] > 0)
    ) * imgui.get_text_line_height_with_spacing() + widgets.em(ROOM)
    imgui.set_next_window_size(ImVec2(width, min(widgets.em(MOST_HIGH), high)))
    flags = (
        imgui.WindowFlags_.no_decoration
        | imgui.WindowFlags_.no_docking
        | imgui.WindowFlags_.no_saved_settings
        | imgui.WindowFlags_.no_move
    )
    imgui.begin("##palette", None, flags)
    fresh, state.fresh = state.fresh, False

    if fresh:
        state.found, state.row = None, 0
        ctx.scratch.of(Filters).texts["palette"] = ""
        imgui.set_window_focus()
        imgui.set_keyboard_focus_here()

    text = widgets.filter_box(ctx, "palette", "Commands, elements, fields")
    _rows(ctx, state, text, *find(ctx, text))
    # In the palette's first frame, ImGui has not given it the focus yet.
    lost = not fresh and not imgui.is_window_focused(imgui.FocusedFlags_.child_windows | imgui.FocusedFlags_.root_window)
    if lost or imgui.is_key_pressed(imgui.Key.escape):
        ctx.emit(SetSetting("palette", False))
    imgui.end()


def _rows(ctx: Context, state: Palette, text: str, rows: list, more: int) -> None:
    before = chosen = state.row
    for key, by in (
        (imgui.Key.down_arrow, 1),
        (imgui.Key.up_arrow, -1),
        (imgui.Key.page_down, PAGE),
        (imgui.Key.page_up, -PAGE),
    ):
        chosen += by * imgui.is_key_pressed(key)

    chosen = min(max(chosen, 0), max(0, len(rows) - 1))
    if text != state.text:
        state.text, chosen = text, 0
    state.row = chosen
    imgui.begin_child("##rows")
    room = imgui.get_content_region_avail().x

    if chosen != before:
        # Keep the chosen row visible.
        high = imgui.get_text_line_height_with_spacing()
        top, tall = imgui.get_scroll_y(), imgui.get_content_region_avail().y
        imgui.set_scroll_y(min(max(top, (chosen + 1) * high - tall), chosen * high))

    for i in widgets.clip(len(rows)):
        title, kind, chord, action = rows[i]
        picked = widgets.choosable(title, f"{i}", i == chosen, KIND_AT * room - widgets.em(0.6))
        if isinstance(action, str):
            widgets.tooltip(about(action))
        imgui.same_line(KIND_AT * room)
        widgets.muted(ctx, kind, wrap=False)
        if chord:
            imgui.same_line(CHORD_AT * room)
            imgui.text_colored(ctx.theme["accent"], chord)
        if picked:
            _do(ctx, action)

    if rows and (imgui.is_key_pressed(imgui.Key.enter) or imgui.is_key_pressed(imgui.Key.keypad_enter)):
        _do(ctx, rows[chosen][3])
    if more:
        widgets.muted(ctx, f"And {more} more: type more to narrow the results")
    if not rows:
        widgets.muted(ctx, f"{icons.SEARCH}  Nothing found")
    imgui.end_child()


def _do(ctx: Context, action: Intent | str) -> None:
    if isinstance(action, str):
        watched = ctx.scratch.of(Watched).rows
        watched.append(action)
        ctx.emit(ShowPanel("watch", True))
        reveal.ask_row(ctx.scratch, "watch", len(watched) - 1)
        ctx.emit(SetSetting("palette", False))
        return
    ctx.emit(action)
    ctx.emit(SetSetting("palette", False))
