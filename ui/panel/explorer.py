"""Explorer panel: the tree of bodies with their elements, and lists of all other elements. The user can filter, hide, fade and
isolate them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from imgui_bundle import ImVec2, imgui

from .. import icons, widgets
from ..context import Context
from ..element_names import BODY_OF, KINDS, name, names, owner, plural
from ..intents import DeleteElement, DuplicateElement, MoveInto, SelectElement, SetLook, ShowPanel

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
# Maximum fraction of the panel's width that the tree's indentation may take, and the least width of a level in text heights.
DEEPEST, LEVEL = 0.3, 0.45
# Buttons that affect all geoms.
LISTED = (
    ("clear", "All", "Show everything that was hidden or faded"),
    ("collision", "Collision", "Only geoms that can collide"),
    ("visual", "Visual", "Hide the collision shapes of bodies that have other visible shapes"),
)
# Kinds of elements that can be dragged into another body, and ImGui's type for such a drag.
MOVABLE = ("body", "geom", "site", "camera", "light")
PAYLOAD = "element"
PARTS = ("joint", "geom", "site", "camera", "light")


class Line(NamedTuple):
    """A row of the tree: its depth and its element. A `branch` can be opened. For the kind `list`, `i` is an index into
    LISTS.
    """

    depth: int
    kind: str
    i: int
    branch: bool


@dataclass
class Tree:
    """State of the tree: the open rows, the model and element to which the tree last scrolled, and the dragged element. Cached
    for one model: search results, elements by kind and body, visible rows with a stamp of the open rows, and the largest depth
    of the visible rows.
    """

    opened: set[str] = field(default_factory=lambda: {"body world"})
    seen: tuple[int, tuple[str, int]] | None = None
    found: tuple[Any, str, list[tuple[str, int]]] | None = None
    table: tuple[Any, dict[str, dict[int, list[int]]]] | None = None
    lines: tuple[Any, tuple[int, int], list[Line]] | None = None
    deepest: int = 0
    dragged: tuple[str, int] | None = None


def draw(ctx: Context) -> None:
    if ctx.seen is not None:
        ctx.seen.tree_rows.clear()
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
    looks = ctx.view.looks
    chosen = "" if looks is None else looks.only or ("" if looks.any else "clear")
    for k, (mode, label, help) in enumerate(LISTED):
        imgui.push_style_color(imgui.Col_.text, ctx.theme["accent" if mode == chosen else "text"])
        if widgets.flowing(label, room, first=k == 0):
            ctx.emit(SetLook(mode))
        imgui.pop_style_color()
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
        _show(ctx, Line(0, kind, i, False), 0.0, ("", name(ctx.m, kind, i), f"   ({kind})"), False)


def _table(ctx: Context) -> dict[str, dict[int, list[int]]]:
    """Return {kind: {body: its elements}}; a body's elements of kind `body` are its child bodies. Created once for each
    model."""
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
    """Return the keys of the open rows. Keys contain names, so rows stay open when the model is edited."""
    return ctx.scratch.of(Tree).opened


def _key(ctx: Context, line: Line) -> str:
    return f"{line.kind} {name(ctx.m, 'body', line.i) if line.kind == 'body' else LISTS[line.i]}"


def lines(ctx: Context) -> list[Line]:
    """Return all rows of the tree that are not inside closed ones, from top to bottom. They are cached until a row is opened or
    closed.
    """
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
            # Push the bodies in reverse order, because the stack returns the last one first.
            todo += [Line(depth + 1, "body", child, True) for child in reversed(children)]

    for k, kind in enumerate(LISTS):
        count = getattr(ctx.m, KINDS[kind])
        if count:
            out.append(Line(0, "list", k, True))
            if f"list {kind}" in opened:
                out += [Line(1, kind, i, False) for i in range(count)]

    state.lines, state.deepest = (ctx.m, stamp, out), max(line.depth for line in out)
    return out


def _reveal(ctx: Context) -> tuple[str, int] | None:
    """Open the rows that contain an element selected elsewhere. Return the element once after each selection, so that the tree
    scrolls to it.
    """
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
    """Draw the tree. There may be many rows, so draw only those in the visible part."""
    target, rows = _reveal(ctx), lines(ctx)
    height, opened = imgui.get_text_line_height_with_spacing(), _opened(ctx)
    if target:
        row = next((k for k, line in enumerate(rows) if (line.kind, line.i) == target), 0)
        # Scroll only if the row is not visible.
        if not 0 <= row * height - imgui.get_scroll_y() <= imgui.get_window_height() - 2 * height:
            imgui.set_scroll_y(max(0.0, row * height - 0.4 * imgui.get_window_height()))
    # A deep tree in a narrow panel gets narrower levels. Rows that are still too deep share the largest indentation.
    wide = DEEPEST * imgui.get_content_region_avail().x
    level = wide / max(1, ctx.scratch.of(Tree).deepest)
    level = min(imgui.get_style().indent_spacing, max(level, widgets.em(LEVEL)))
    most = int(wide / level)
    for k in widgets.clip(len(rows), height):
        line = rows[k]
        key = _key(ctx, line) if line.branch else ""
        if _show(ctx, line, min(line.depth, most) * level, _text(ctx, line), key in opened):
            opened ^= {key}


def _text(ctx: Context, line: Line) -> tuple[str, str, str]:
    """Return prefix, name and suffix of a row. The prefix is the kind, unless the name already contains it."""
    if line.kind == "list":
        return "", f"{plural(LISTS[line.i]).capitalize()} ({getattr(ctx.m, KINDS[LISTS[line.i]])})", ""
    label = name(ctx.m, line.kind, line.i)
    if line.kind == "body":
        return f"{icons.CUBE}  ", label, ""
    return ("" if line.kind in LISTS or label == f"{line.kind} {line.i}" else f"{line.kind}  "), label, ""


def _show(ctx: Context, line: Line, indent: float, parts: tuple[str, str, str], is_open: bool) -> bool:
    """Draw a row. Shorten its name if it does not fit to the left of the eye button. Return True if the row was opened or
    closed.
    """
    flags = BRANCH if line.branch else LEAF
    if (line.i or line.kind != "body") and (line.kind, line.i) in ctx.view.chosen:
        flags |= int(TREE.selected)
    imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + indent)
    imgui.set_next_item_open(is_open)
    head, label, tail = parts
    room = (
        imgui.get_content_region_avail().x
        - imgui.get_tree_node_to_label_spacing()
        - widgets.em(2.0 if line.kind in VISIBLE else 0.3)
        - imgui.calc_text_size(head + tail).x
    )
    width = imgui.calc_text_size(label).x
    if width > room and line.kind in PARTS:
        # Omit the kind to save room; the inspector shows it.
        room, head = room + imgui.calc_text_size(head).x, ""
    shown = label if width <= room else widgets.shortened(label, room, width)
    imgui.tree_node_ex(f"{head}{shown}{tail}##{line.kind}{line.i}", flags)
    if shown != label:
        widgets.tooltip(label)

    if ctx.seen is not None:
        low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        ctx.seen.tree_rows[f"{line.kind} {label}"] = [low.x, low.y, high.x - low.x, high.y - low.y]

    # A list cannot be selected, so a click anywhere on its row opens or closes it.
    toggled = line.branch and (imgui.is_item_toggled_open() or line.kind == "list" and imgui.is_item_clicked())
    if line.kind != "list":
        _row(ctx, line.kind, line.i, toggled)
    return toggled


def _row(ctx: Context, kind: str, i: int, toggled: bool) -> None:
    """Handle the common parts of all rows of elements: selection by a click, a menu, the eye button."""
    if imgui.is_item_clicked() and not toggled:
        ctx.emit(SelectElement(kind, i, toggle=imgui.get_io().key_ctrl))
    _drag(ctx, kind, i)
    if imgui.is_item_hovered() and imgui.is_mouse_double_clicked(0):
        ctx.emit(ShowPanel("element", True))
    if imgui.begin_popup_context_item(f"##menu{kind}{i}"):
        menu(ctx, kind, i)
        imgui.end_popup()
    if kind in VISIBLE and ctx.view.looks is not None:
        _eye(ctx, kind, i)


def _drag(ctx: Context, kind: str, i: int) -> None:
    """Let the user drag a row onto a body, which moves the row's element into that body."""
    state = ctx.scratch.of(Tree)
    if not ctx.passive and kind in MOVABLE and (kind, i) != ("body", 0) and imgui.begin_drag_drop_source():
        state.dragged = kind, i
        imgui.set_drag_drop_payload_py_id(PAYLOAD, 0)
        imgui.text(f"{kind} {name(ctx.m, kind, i)}")
        widgets.muted(ctx, "Drop it on a body: it keeps its pose in the world", wrap=False)
        imgui.end_drag_drop_source()
    if kind == "body" and imgui.begin_drag_drop_target():
        if imgui.accept_drag_drop_payload_py_id(PAYLOAD) is not None and state.dragged is not None:
            ctx.emit(MoveInto(state.dragged[0], state.dragged[1], body=i))
            state.dragged = None
        imgui.end_drag_drop_target()


def menu(ctx: Context, kind: str, i: int) -> None:
    """Draw the menu of an element."""
    if (kind, i) != ("body", 0) and not ctx.passive:
        # If the menu was opened on a selected element, it applies to the whole selection.
        chosen = list(ctx.view.chosen)
        also = tuple(one for one in chosen if one != (kind, i)) if (kind, i) in chosen else ()
        for label, make in (("Duplicate", DuplicateElement), ("Delete", DeleteElement)):
            if imgui.menu_item(label + (f" {1 + len(also)} elements" if also else ""), "", False)[0]:
                ctx.emit(make(kind, i, also=also))
        imgui.separator()
    if kind in VISIBLE:
        for mode, label, below in LOOKS + (BELOW if kind == "body" else ()):
            if imgui.menu_item(label, "", False)[0]:
                ctx.emit(SetLook(mode, kind, i, below))
        imgui.separator()
    if imgui.menu_item(f"{icons.LIST}  Show its fields", "", False)[0]:
        ctx.emit(SelectElement(kind, i))
        ctx.emit(ShowPanel("element", True))


def _eye(ctx: Context, kind: str, i: int) -> None:
    """Draw the eye button at the right end of a row. It cycles through shown, faded and hidden."""
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
