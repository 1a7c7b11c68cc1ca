"""Explorer: the tree of bodies, and lists of everything else; a filter over all names."""

from imgui_bundle import imgui

from ui import icons, widgets
from ui.context import Context
from ui.intents import SelectBody
from ui.names import KINDS, name, names

TREE = imgui.TreeNodeFlags_
PARTS = (("joint", "body_jntadr", "body_jntnum"), ("geom", "body_geomadr", "body_geomnum"))
LISTS = tuple(kind for kind in KINDS if kind not in ("body", "joint", "geom", "site", "camera", "light"))


def draw(ctx: Context) -> None:
    text = widgets.filter_box(ctx, "explorer", "Find by name")
    if not imgui.begin_child("##tree"):
        imgui.end_child()
        return
    if text:
        _found(ctx, text)
    else:
        _body(ctx, 0)
        for kind in LISTS:
            _list(ctx, kind)
    imgui.end_child()


def _found(ctx: Context, text: str) -> None:
    hits = [(kind, i, label) for kind in KINDS for i, label in enumerate(names(ctx.m, kind)) if widgets.matches(text, label)]
    widgets.muted(ctx, f"{len(hits)} found")
    for row in widgets.clip(len(hits)):
        kind, i, label = hits[row]
        if imgui.selectable(f"{label}   ({kind})##{kind}{i}", False)[0]:
            ctx.emit(SelectBody(owner(ctx.m, kind, i)))


def owner(m, kind: str, i: int) -> int:
    """The body that an element belongs to; 0 if it belongs to none."""
    if kind == "body":
        return i
    attribute = {"joint": "jnt_bodyid", "geom": "geom_bodyid", "site": "site_bodyid", "camera": "cam_bodyid",
                 "light": "light_bodyid"}.get(kind)
    return int(getattr(m, attribute)[i]) if attribute else 0


def _children(ctx: Context) -> dict[int, list[int]]:
    """Children of every body, made once a model."""
    cached = ctx.scratch.numbers.get("children")
    if cached is None or cached[0] is not ctx.m:
        table: dict[int, list[int]] = {}
        for body in range(1, ctx.m.nbody):
            table.setdefault(int(ctx.m.body_parentid[body]), []).append(body)
        ctx.scratch.numbers["children"] = cached = (ctx.m, table)
    return cached[1]


def _body(ctx: Context, body: int) -> None:
    m, children = ctx.m, _children(ctx).get(body, [])
    parts = [(kind, i) for kind, adr, num in PARTS for i in range(int(getattr(m, adr)[body]), int(getattr(m, adr)[body] + getattr(m, num)[body]))]
    flags = TREE.open_on_arrow | TREE.span_avail_width | (TREE.default_open if body == 0 else 0)
    flags |= (TREE.selected if ctx.view.selected == body and body else 0) | (0 if children or parts else TREE.leaf)
    opened = imgui.tree_node_ex(f"{icons.CUBE}  {name(m, 'body', body)}##{body}", flags)
    if imgui.is_item_clicked() and not imgui.is_item_toggled_open():
        ctx.emit(SelectBody(body))
    if not opened:
        return
    for kind, i in parts:
        imgui.tree_node_ex(f"{kind}  {name(m, kind, i)}##{kind}{i}", TREE.leaf | TREE.no_tree_push_on_open | TREE.span_avail_width)
        if imgui.is_item_clicked():
            ctx.emit(SelectBody(body))
    for child in children:
        _body(ctx, child)
    imgui.tree_pop()


def _list(ctx: Context, kind: str) -> None:
    rows = names(ctx.m, kind)
    if rows and imgui.tree_node_ex(f"{kind.capitalize()}s ({len(rows)})", TREE.span_avail_width):
        for i in widgets.clip(len(rows)):
            imgui.text_unformatted(f"{i:4d}  {rows[i]}")
        imgui.tree_pop()
