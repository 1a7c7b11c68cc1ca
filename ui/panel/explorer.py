"""Explorer: the tree of bodies with their elements, and lists of everything else. The user can filter, hide, fade and isolate
them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from imgui_bundle import ImVec2, imgui

from .. import icons, widgets
from ..context import Context
from ..intents import SelectElement, SetLook, ShowPanel
from ..names import BODY_OF, KINDS, name, names, owner

TREE = imgui.TreeNodeFlags_
_ROW = TREE.no_tree_push_on_open | TREE.span_avail_width | TREE.allow_overlap
BRANCH, LEAF = int(_ROW | TREE.open_on_arrow), int(_ROW | TREE.leaf)
LISTS = tuple(kind for kind in KINDS if kind != "body" and kind not in BODY_OF)
# Kinds of elements that can be hidden.
VISIBLE = ("body", "geom", "site", "tendon", "flex", "skin")
LOOKS = (
    ("hide", f"{icons.HIDE}  Hide", False),
    ("ghost", f"{icons.GHOST}  Fade", False),
    ("show", f"{icons.EYE}  Show", False),
    ("only", "Hide all others", False),
    ("focus", "Fade all others", False),
)
BELOW = (
    ("hide", "Hide with all below", True),
    ("show", "Show with all below", True),
    ("only", "Hide all but this and below", True),
    ("focus", "Fade all but this and below", True),
)
EYES = (icons.EYE, icons.GHOST, icons.HIDE)
NEXT = ("ghost", "hide", "show")
# Maximum share of the width for the tree's indentation.
DEEPEST = 0.45
# Buttons that affect all geoms.
LISTED = (
    ("clear", "Show all", "Show everything that was hidden or faded"),
    ("collision", "Collision", "Only geoms that can collide"),
    ("visual", "Visual", "Only geoms that cannot collide"),
)
PARTS = ("joint", "geom", "site", "camera", "light")


class Line(NamedTuple):
    """A row of the tree: its depth and element; a `branch` can be opened. For the kind `list`, `i` is an index into LISTS."""

    depth: int
    kind: str
    i: int
    branch: bool


@dataclass
class Tree:
    """The state of the tree: which rows are open, and to which model and selection it has scrolled. For one model, it caches
    search results, elements by kind and body, and the visible rows with a stamp of the open ones.
    """

    opened: set[str] = field(default_factory=lambda: {"body world"})
    seen: tuple[int, tuple[str, int]] | None = None
    found: tuple[Any, str, list[tuple[str, int]]] | None = None
    table: tuple[Any, dict[str, dict[int, list[int]]]] | None = None
    lines: tuple[Any, tuple[int, int], list[Line]] | None = None


def draw(ctx: Context) -> None:
    _bar(ctx)
    text = widgets.filter_box(ctx, "explorer", "Find by name or kind")
    if not imgui.begin_child("##tree"):
        imgui.end_child()
        return
    if text:
        _found(ctx, text)
    else:
        _tree(ctx)
    imgui.end_child()


def _bar(ctx: Context) -> None:
    """Draw the buttons that affect all geoms."""
    room = imgui.get_window_width() - imgui.get_style().window_padding.x
    for k, (mode, label, help) in enumerate(LISTED):
        if widgets.flowing(label, room, first=k == 0):
            ctx.emit(SetLook(mode))
        widgets.tooltip(help)


def _found(ctx: Context, text: str) -> None:
    state = ctx.scratch.of(Tree)
    if state.found is None or state.found[0] is not ctx.m or state.found[1] != text:
        hits = [
            (kind, i)
            for kind in KINDS
            for i, label in enumerate(names(ctx.m, kind))
            if widgets.matches(text, f"{label} {kind}")
        ]
        state.found = ctx.m, text, hits
    hits = state.found[2]
    widgets.muted(ctx, f"{len(hits)} found")
    for row in widgets.clip(len(hits)):
        kind, i = hits[row]
        _show(ctx, Line(0, kind, i, False), ("", name(ctx.m, kind, i), f"   ({kind})"), False)


def _table(ctx: Context) -> dict[str, dict[int, list[int]]]:
    """Return the elements of every body by kind, child bodies under `body`; created once for each model."""
    state = ctx.scratch.of(Tree)
    if state.table is None or state.table[0] is not ctx.m:
        table: dict[str, dict[int, list[int]]] = {"body": {}}
        for body, parent in enumerate(np.asarray(ctx.m.body_parentid).tolist()):
            if body:
                table["body"].setdefault(parent, []).append(body)
        for kind, field in BODY_OF.items():
            rows = table.setdefault(kind, {})
            for i, body in enumerate(np.asarray(getattr(ctx.m, field)).tolist()):
                rows.setdefault(body, []).append(i)
        state.table = ctx.m, table
    return state.table[1]


def _opened(ctx: Context) -> set[str]:
    """Return the keys of open rows. They use names, so that rows stay open when the model is edited."""
    return ctx.scratch.of(Tree).opened


def _key(ctx: Context, line: Line) -> str:
    return f"{line.kind} {name(ctx.m, 'body', line.i) if line.kind == 'body' else LISTS[line.i]}"


def lines(ctx: Context) -> list[Line]:
    """Return all visible rows from top to bottom. They are recomputed when a row is opened or closed."""
    opened = _opened(ctx)
    stamp = (len(opened), hash(frozenset(opened)))
    state = ctx.scratch.of(Tree)
    if state.lines is not None and state.lines[0] is ctx.m and state.lines[1] == stamp:
        return state.lines[2]

    table, out = _table(ctx), []
    todo = [Line(0, "body", 0, True)]
    while todo:
        line = todo.pop()
        depth, kind, i, _branch = line
        below = [(part, k) for part in PARTS for k in table[part].get(i, [])] if kind == "body" else []
        children = table["body"].get(i, []) if kind == "body" else []
        branch = bool(below or children)
        out.append(line._replace(branch=branch))
        if branch and _key(ctx, line) in opened:
            out += [Line(depth + 1, part, k, False) for part, k in below]
            # The stack returns them in reverse order.
            todo += [Line(depth + 1, "body", child, True) for child in reversed(children)]

    for k, kind in enumerate(LISTS):
        count = getattr(ctx.m, KINDS[kind])
        if count:
            out.append(Line(0, "list", k, True))
            if f"list {kind}" in opened:
                out += [Line(1, kind, i, False) for i in range(count)]

    state.lines = ctx.m, stamp, out
    return out


def _reveal(ctx: Context) -> tuple[str, int] | None:
    """Open the path to an element that was selected elsewhere. Return the element once, so that the tree scrolls to it."""
    state, now = ctx.scratch.of(Tree), (id(ctx.m), ctx.view.element)
    if state.seen == now:
        return None
    state.seen = now
    kind, i = ctx.view.element
    if (kind, i) == ("body", 0):
        return None
    if kind in LISTS:
        _opened(ctx).add(f"list {kind}")
        return kind, i
    body = owner(ctx.m, kind, i)
    above = {body} if kind != "body" else set()
    while body > 0:
        body = int(ctx.m.body_parentid[body])
        above.add(body)
    _opened(ctx).update(f"body {name(ctx.m, 'body', body)}" for body in above)
    return kind, i


def _tree(ctx: Context) -> None:
    """Draw only the rows in the visible part, because there may be many."""
    target, rows = _reveal(ctx), lines(ctx)
    height, opened = imgui.get_text_line_height_with_spacing(), _opened(ctx)
    if target:
        row = next((k for k, line in enumerate(rows) if (line.kind, line.i) == target), 0)
        # Do not scroll if the row is already visible.
        if not 0 <= row * height - imgui.get_scroll_y() <= imgui.get_window_height() - 2 * height:
            imgui.set_scroll_y(max(0.0, row * height - 0.4 * imgui.get_window_height()))
    # Levels that do not fit are stacked.
    most = int(DEEPEST * imgui.get_content_region_avail().x / imgui.get_style().indent_spacing)
    for k in widgets.clip(len(rows), height):
        line = rows[k]
        key = _key(ctx, line) if line.branch else ""
        if _show(ctx, line._replace(depth=min(line.depth, most)), _text(ctx, line), key in opened):
            opened ^= {key}


def _text(ctx: Context, line: Line) -> tuple[str, str, str]:
    """Return prefix, name and suffix of a row. If an element has no name, its title already contains its kind and number."""
    if line.kind == "list":
        return "", f"{LISTS[line.i].capitalize()}s ({getattr(ctx.m, KINDS[LISTS[line.i]])})", ""
    label = name(ctx.m, line.kind, line.i)
    if line.kind == "body":
        return f"{icons.CUBE}  ", label, ""
    return ("" if line.kind in LISTS or label == f"{line.kind} {line.i}" else f"{line.kind}  "), label, ""


def _show(ctx: Context, line: Line, parts: tuple[str, str, str], is_open: bool) -> bool:
    """Draw a row, with its name shortened to the room left of the eye. Return True if the row was opened or closed."""
    flags = BRANCH if line.branch else LEAF
    if (line.i or line.kind != "body") and ctx.view.element == (line.kind, line.i):
        flags |= int(TREE.selected)
    imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + line.depth * imgui.get_style().indent_spacing)
    imgui.set_next_item_open(is_open)
    head, label, tail = parts
    room = (
        imgui.get_content_region_avail().x
        - imgui.get_tree_node_to_label_spacing()
        - widgets.em(2)
        - imgui.calc_text_size(head + tail).x
    )
    width = imgui.calc_text_size(label).x
    if width > room and line.kind in PARTS:
        # Omit the kind to save room, because the inspector shows it.
        room, head = room + imgui.calc_text_size(head).x, ""
    shown = label if width <= room else widgets.shortened(label, room, width)
    imgui.tree_node_ex(f"{head}{shown}{tail}##{line.kind}{line.i}", flags)
    if shown != label:
        widgets.tooltip(label)

    # A list cannot be selected, so a click anywhere on its row opens it.
    toggled = line.branch and (imgui.is_item_toggled_open() or line.kind == "list" and imgui.is_item_clicked())
    if line.kind != "list":
        _row(ctx, line.kind, line.i, toggled)
    return toggled


def _row(ctx: Context, kind: str, i: int, toggled: bool) -> None:
    """Handle what all rows have in common: selection by click, a menu, an eye."""
    if imgui.is_item_clicked() and not toggled:
        ctx.emit(SelectElement(kind, i))
    if imgui.is_item_hovered() and imgui.is_mouse_double_clicked(0):
        ctx.emit(ShowPanel("element", True))
    if imgui.begin_popup_context_item(f"##menu{kind}{i}"):
        menu(ctx, kind, i)
        imgui.end_popup()
    if kind in VISIBLE and ctx.view.looks is not None:
        _eye(ctx, kind, i)


def menu(ctx: Context, kind: str, i: int) -> None:
    """Draw the entries of an element's menu."""
    if kind in VISIBLE:
        for mode, label, below in LOOKS + (BELOW if kind == "body" else ()):
            if imgui.menu_item(label, "", False)[0]:
                ctx.emit(SetLook(mode, kind, i, below))
        imgui.separator()
    if imgui.menu_item(f"{icons.LIST}  Show its fields", "", False)[0]:
        ctx.emit(SelectElement(kind, i))
        ctx.emit(ShowPanel("element", True))


def _eye(ctx: Context, kind: str, i: int) -> None:
    """Draw the small button at the right, which cycles through shown, faded and hidden."""
    mode = ctx.view.looks.mode(kind, i)
    imgui.same_line(imgui.get_cursor_pos_x() + imgui.get_content_region_avail().x - widgets.em(1.6))
    imgui.push_style_color(imgui.Col_.button, ctx.theme["clear"])
    imgui.push_style_color(imgui.Col_.text, ctx.theme["accent" if mode else "muted"])
    imgui.push_style_var(imgui.StyleVar_.frame_border_size, 0.0)
    imgui.push_style_var(imgui.StyleVar_.frame_padding, ImVec2(2, 0))
    if imgui.button(f"{EYES[mode]}##eye{kind}{i}", ImVec2(widgets.em(1.5), 0)):
        ctx.emit(SetLook(NEXT[mode], kind, i))
    imgui.pop_style_var(2)
    imgui.pop_style_color(2)
    widgets.tooltip(f"{NEXT[mode]} this {kind}")
