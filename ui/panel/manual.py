"""Manual: the pages of assets/manual, with links between them."""

import webbrowser
from pathlib import Path

from imgui_bundle import imgui

from .. import icons, page, widgets
from ..context import Context
from ..examples import ASSETS
from ..intents import OpenEditor, OpenFile

FOLDER = ASSETS / "manual"
FIRST = "README.md"
# pages of the bar over the text: what is most asked for
BAR = (("tutorial.md", "Tutorial"), ("viewer.md", "Viewer"), ("library.md", "Library"), ("faq.md", "Questions"))


def draw(ctx: Context) -> None:
    scratch = ctx.scratch
    shown = FOLDER / scratch.text("manual_page", FIRST)
    _bar(ctx, shown)
    imgui.begin_child("##page")
    width = min(imgui.get_content_region_avail().x - widgets.em(0.5), widgets.em(page.WIDEST))
    key = (str(shown), shown.stat().st_mtime_ns if shown.is_file() else 0, round(width), imgui.get_font_size())
    known = scratch.number("manual_layout", None)
    if known is None or known[0] != key:
        text = shown.read_text(encoding="utf-8") if shown.is_file() else f"There is no page `{shown.name}`."
        known = scratch.numbers["manual_layout"] = key, page.Setter(ctx, shown.parent, max(width, widgets.em(8))).page(text)
    if (place := scratch.numbers.pop("manual_place", None)) is not None:
        imgui.set_scroll_y(known[1].anchors.get(place, 0.0))
    page.draw(ctx, known[1], lambda target: follow(ctx, shown, target))
    imgui.end_child()


def _bar(ctx: Context, shown: Path) -> None:
    past = ctx.scratch.numbers.setdefault("manual_past", [])
    imgui.begin_disabled(not past)
    if widgets.button(icons.UNDO, help="Back"):
        _go(ctx, *past.pop())
    imgui.end_disabled()
    imgui.same_line()
    if widgets.button(icons.BOOK, help="Contents"):
        visit(ctx, FIRST)
    for name, title in BAR:
        imgui.same_line()
        if widgets.button(title):
            visit(ctx, name)
    imgui.separator()


def visit(ctx: Context, name: str, place: str = "") -> None:
    """Show a page, by its path in the manual; what was shown can be gone back to."""
    ctx.scratch.numbers.setdefault("manual_past", []).append((ctx.scratch.text("manual_page", FIRST), ""))
    _go(ctx, name, place)


def _go(ctx: Context, name: str, place: str) -> None:
    ctx.scratch.texts["manual_page"] = name
    ctx.scratch.numbers["manual_place"] = place


def follow(ctx: Context, shown: Path, target: str) -> None:
    """Where a link leads: another page, a model, a file for the editor, or the web."""
    name, _hash, place = target.partition("#")
    path = (shown.parent / name).resolve() if name else shown
    if "://" in target:
        webbrowser.open(target)
    elif path.suffix == ".md" and path.is_relative_to(FOLDER):
        visit(ctx, path.relative_to(FOLDER).as_posix(), place)
    elif path.suffix == ".xml" and not ctx.passive:
        ctx.emit(OpenFile(str(path)))
    else:
        ctx.emit(OpenEditor(str(path)))
