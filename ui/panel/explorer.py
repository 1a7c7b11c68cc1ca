"""Explorer: the tree of bodies with all that is on them, and lists of everything else; filter, hide, fade, isolate."""

from __future__ import annotations

import numpy as np
from imgui_bundle import ImVec2, imgui

from ui import icons, widgets
from ui.context import Context
from ui.intents import SelectElement, SetLook, ShowPanel
from ui.names import BODY_OF, KINDS, name, names, owner

TREE = imgui.TreeNodeFlags_
LISTS = tuple(kind for kind in KINDS if kind != "body" and kind not in BODY_OF)
# kinds that can be hidden
VISIBLE = ("body", "geom", "site", "tendon", "flex", "skin")
LOOKS = (("hide", f"{icons.HIDE}  Hide", False), ("ghost", f"{icons.GHOST}  Fade", False), ("show", f"{icons.EYE}  Show", False),
         ("only", "Hide all others", False), ("focus", "Fade all others", False))
BELOW = (("hide", "Hide with all below", True), ("show", "Show with all below", True), ("only", "Hide all but this and below", True),
         ("focus", "Fade all but this and below", True))
EYES = (icons.EYE, icons.GHOST, icons.HIDE)
NEXT = ("ghost", "hide", "show")
PARTS = ("joint", "geom", "site", "camera", "light")


def draw(ctx: Context) -> None:
    _bar(ctx)
    text = widgets.filter_box(ctx, "explorer", "Find by name or kind")
    if not imgui.begin_child("##tree"):
        imgui.end_child()
        return
    if text:
        _found(ctx, text)
    else:
        _reveal(ctx)
        _body(ctx, 0)
        for kind in LISTS:
            _list(ctx, kind)
    imgui.end_child()


def _bar(ctx: Context) -> None:
    """What concerns all geoms at once."""
    for mode, label, help in (("clear", "Show all", "Show everything that was hidden or faded"),
                              ("collision", "Collision", "Only geoms that can collide"),
                              ("visual", "Visual", "Only geoms that cannot collide")):
        if widgets.button(label, "", 0.0, help):
            ctx.emit(SetLook(mode))
        imgui.same_line()
    imgui.new_line()


def _found(ctx: Context, text: str) -> None:
    hits = [(kind, i, label) for kind in KINDS for i, label in enumerate(names(ctx.m, kind)) if widgets.matches(text, f"{label} {kind}")]
    widgets.muted(ctx, f"{len(hits)} found")
    for row in widgets.clip(len(hits)):
        kind, i, label = hits[row]
        _leaf(ctx, kind, i, f"{label}   ({kind})")


def _table(ctx: Context) -> dict[str, dict[int, list[int]]]:
    """Elements of every body by kind, children under `body`; made once a model."""
    cached = ctx.scratch.numbers.get("tree")
    if cached is None or cached[0] is not ctx.m:
        table: dict[str, dict[int, list[int]]] = {"body": {}}
        for body in range(1, ctx.m.nbody):
            table["body"].setdefault(int(ctx.m.body_parentid[body]), []).append(body)
        for kind, field in BODY_OF.items():
            rows = table.setdefault(kind, {})
            for i, body in enumerate(np.asarray(getattr(ctx.m, field)).tolist()):
                rows.setdefault(body, []).append(i)
        ctx.scratch.numbers["tree"] = cached = (ctx.m, table)
    return cached[1]


def _reveal(ctx: Context) -> None:
    """Open the way to an element that was selected somewhere else, and scroll to it once."""
    numbers = ctx.scratch.numbers
    numbers["tree_open"] = set()
    if numbers.get("tree_seen") == (id(ctx.m), ctx.view.element):
        return
    numbers["tree_seen"] = (id(ctx.m), ctx.view.element)
    kind, i = ctx.view.element
    body = owner(ctx.m, kind, i)
    if not i or not body:
        return
    above = {body} if kind != "body" else set()
    while body > 0:
        body = int(ctx.m.body_parentid[body])
        above.add(body)
    numbers["tree_open"] = above
    numbers["tree_scroll"] = ctx.view.element


def _body(ctx: Context, body: int) -> None:
    m, table = ctx.m, _table(ctx)
    children = table["body"].get(body, [])
    parts = [(kind, i) for kind in PARTS for i in table[kind].get(body, [])]
    flags = TREE.open_on_arrow | TREE.span_avail_width | TREE.allow_overlap | (TREE.default_open if body == 0 else 0)
    flags |= (TREE.selected if body and ctx.view.element == ("body", body) else 0) | (0 if children or parts else TREE.leaf)
    if body in ctx.scratch.numbers["tree_open"]:
        imgui.set_next_item_open(True)
    opened = imgui.tree_node_ex(f"{icons.CUBE}  {name(m, 'body', body)}##{body}", flags)
    _row(ctx, "body", body, imgui.is_item_toggled_open())
    if not opened:
        return
    for kind, i in parts:
        _leaf(ctx, kind, i, f"{kind}  {name(m, kind, i)}")
    for child in children:
        _body(ctx, child)
    imgui.tree_pop()


def _leaf(ctx: Context, kind: str, i: int, label: str) -> None:
    flags = TREE.leaf | TREE.no_tree_push_on_open | TREE.span_avail_width | TREE.allow_overlap
    imgui.tree_node_ex(f"{label}##{kind}{i}", flags | (TREE.selected if ctx.view.element == (kind, i) else 0))
    _row(ctx, kind, i, False)


def _row(ctx: Context, kind: str, i: int, toggled: bool) -> None:
    """What all rows have: selection by click, a menu, an eye."""
    if imgui.is_item_clicked() and not toggled:
        ctx.emit(SelectElement(kind, i))
    if imgui.is_item_hovered() and imgui.is_mouse_double_clicked(0):
        ctx.emit(ShowPanel("element", True))
    if ctx.scratch.numbers.get("tree_scroll") == (kind, i):
        imgui.set_scroll_here_y(0.4)
        del ctx.scratch.numbers["tree_scroll"]
    if imgui.begin_popup_context_item(f"##menu{kind}{i}"):
        menu(ctx, kind, i)
        imgui.end_popup()
    if kind in VISIBLE and ctx.view.looks is not None:
        _eye(ctx, kind, i)


def menu(ctx: Context, kind: str, i: int) -> None:
    """The entries of an element's menu."""
    if kind in VISIBLE:
        for mode, label, below in LOOKS + (BELOW if kind == "body" else ()):
            if imgui.menu_item(label, "", False)[0]:
                ctx.emit(SetLook(mode, kind, i, below))
        imgui.separator()
    if imgui.menu_item(f"{icons.LIST}  Show its fields", "", False)[0]:
        ctx.emit(SelectElement(kind, i))
        ctx.emit(ShowPanel("element", True))


def _eye(ctx: Context, kind: str, i: int) -> None:
    """A small button at the right: shown, faded, hidden, and round again."""
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


def _list(ctx: Context, kind: str) -> None:
    rows = names(ctx.m, kind)
    if rows and imgui.tree_node_ex(f"{kind.capitalize()}s ({len(rows)})##list{kind}", TREE.span_avail_width):
        for i in widgets.clip(len(rows)):
            _leaf(ctx, kind, i, rows[i])
        imgui.tree_pop()
