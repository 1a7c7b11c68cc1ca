"""One palette over commands, elements and fields."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from engine.core.schema import INTERNAL, SCHEMAS
from ui import icons, widgets
from ui.context import Context
from ui.intents import Intent, SelectElement, SetSetting, ShowPanel
from ui.names import BODY_OF, KINDS, names
from ui.panels import PANELS

SHOWN = 200
# distance from the top of the view in text heights; where the kind and the chord begin, in shares of the width
TOP, KIND_AT, CHORD_AT = 4.2, 0.52, 0.76
# every array of Data, Model and its options can be watched
FIELDS = (*(f.name for f in SCHEMAS["MjData"].arrays if f.group not in INTERNAL), "time", "energy",
          *(f"m.{f.name}" for f in SCHEMAS["MjModel"].arrays), *(f"opt.{f}" for f in SCHEMAS["MjOption"].fields))


def entries(ctx: Context) -> list[tuple[str, str, str, Intent | str]]:
    """(text, kind, chord, what to do); a text to do is a field to watch."""
    rows: list[tuple[str, str, str, Intent | str]] = []
    rows += [(a.title, a.group, ctx.hint(a.id), a.make()) for a in ctx.keys.actions.values() if a.id != "palette"]
    rows += [(p.title, "Panel", "", ShowPanel(p.name, True)) for p in PANELS]
    if ctx.m is not None:
        rows += [(label, kind, "", SelectElement(kind, i)) for kind in KINDS for i, label in enumerate(names(ctx.m, kind))]
        rows += [(field, "Watch", "", field) for field in FIELDS]
    return rows


def rank(text: str, name: str) -> int | None:
    """Smaller is better; None if the words do not occur."""
    low = name.lower()
    if not widgets.matches(text, low):
        return None
    return 0 if low == text else 1 if low.startswith(text) else 2


def find(ctx: Context, text: str) -> list[tuple[str, str, str, Intent | str]]:
    """Matching entries, best first; looked for once for each text."""
    cached = ctx.scratch.numbers.get("palette_found")
    if cached is not None and cached[:2] == (id(ctx.m), text):
        return cached[2]
    hits = [(r, i, row) for i, row in enumerate(entries(ctx)) if (r := rank(text, f"{row[0]} {row[1]}")) is not None]
    found = [row for _r, _i, row in sorted(hits, key=lambda h: h[:2])[:SHOWN]]
    ctx.scratch.numbers["palette_found"] = (id(ctx.m), text, found)
    return found


def draw(ctx: Context) -> None:
    """The palette, while it is open."""
    if not ctx.settings["palette"]:
        ctx.scratch.numbers["palette_new"] = True
        return
    x, y, w, _h = ctx.view_rect
    width = min(w * 0.9, widgets.em(34))
    imgui.set_next_window_pos(ImVec2(x + 0.5 * w, y + widgets.em(TOP)), imgui.Cond_.always, ImVec2(0.5, 0))
    imgui.set_next_window_size(ImVec2(width, widgets.em(24)))
    flags = (imgui.WindowFlags_.no_decoration | imgui.WindowFlags_.no_docking | imgui.WindowFlags_.no_saved_settings
             | imgui.WindowFlags_.no_move)
    imgui.begin("##palette", None, flags)
    fresh = ctx.scratch.numbers.pop("palette_new", False)
    if fresh:
        ctx.scratch.numbers.pop("palette_found", None)
        ctx.scratch.texts["palette"] = ""
        ctx.scratch.numbers["palette_row"] = 0
        imgui.set_window_focus()
        imgui.set_keyboard_focus_here()
    text = widgets.filter_box(ctx, "palette", "Commands, elements, fields")
    _rows(ctx, find(ctx, text))
    lost = not fresh and not imgui.is_window_focused(imgui.FocusedFlags_.child_windows | imgui.FocusedFlags_.root_window)
    if lost or imgui.is_key_pressed(imgui.Key.escape):
        ctx.emit(SetSetting("palette", False))
    imgui.end()


def _rows(ctx: Context, rows: list) -> None:
    chosen = int(ctx.scratch.number("palette_row", 0))
    chosen += imgui.is_key_pressed(imgui.Key.down_arrow) - imgui.is_key_pressed(imgui.Key.up_arrow)
    chosen = min(max(chosen, 0), max(0, len(rows) - 1))
    if ctx.scratch.text("palette") != ctx.scratch.text("palette_last"):
        ctx.scratch.texts["palette_last"], chosen = ctx.scratch.text("palette"), 0
    ctx.scratch.numbers["palette_row"] = chosen
    imgui.begin_child("##rows")
    room = imgui.get_content_region_avail().x
    for i in widgets.clip(len(rows)):
        text, kind, chord, action = rows[i]
        picked = widgets.choosable(text, f"{i}", i == chosen, KIND_AT * room - widgets.em(0.6))
        imgui.same_line(KIND_AT * room)
        widgets.muted(ctx, kind, wrap=False)
        if chord:
            imgui.same_line(CHORD_AT * room)
            imgui.text_colored(ctx.theme["accent"], chord)
        if picked or i == chosen and imgui.is_key_pressed(imgui.Key.enter):
            _do(ctx, action)
    if not rows:
        widgets.muted(ctx, f"{icons.SEARCH}  nothing found")
    imgui.end_child()


def _do(ctx: Context, action: Intent | str) -> None:
    if isinstance(action, str):
        ctx.scratch.numbers.setdefault("watch", []).append(action)
        action = ShowPanel("watch", True)
    ctx.emit(action)
    # what has no body shows in its fields
    if isinstance(action, SelectElement) and action.kind != "body" and action.kind not in BODY_OF:
        ctx.emit(ShowPanel("element", True))
    ctx.emit(SetSetting("palette", False))
