"""Manual panel: the pages of assets/manual, with working links."""

from __future__ import annotations

import webbrowser
from dataclasses import dataclass, field
from pathlib import Path

from imgui_bundle import imgui

from .. import icons, page, widgets
from ..context import Context
from ..examples import ASSETS
from ..intents import OpenEditor, OpenFile

FOLDER = ASSETS / "manual"
FIRST = "README.md"
# The most useful pages, which are in the bar above the text.
BAR = (("tutorial.md", "Tutorial"), ("viewer.md", "Viewer"), ("library.md", "Library"), ("faq.md", "Questions"))


@dataclass
class Reading:
    """State of the panel: the path of the displayed page within the manual, the anchor to scroll to, and earlier pages. Cached:
    the page's layout, and the values on which it depends.
    """

    page: str = FIRST
    place: str | None = None
    past: list[tuple[str, str]] = field(default_factory=list)
    layout: tuple[tuple, page.Layout] | None = None


def draw(ctx: Context) -> None:
    state = ctx.scratch.of(Reading)
    shown = FOLDER / state.page
    _bar(ctx, shown)
    imgui.begin_child("##page")
    width = min(imgui.get_content_region_avail().x - widgets.em(0.5), widgets.em(page.WIDEST))
    key = (str(shown), shown.stat().st_mtime_ns if shown.is_file() else 0, round(width), imgui.get_font_size())
    known = state.layout
    if known is None or known[0] != key:
        text = shown.read_text(encoding="utf-8") if shown.is_file() else f"There is no page `{shown.name}`."
        known = state.layout = key, page.Setter(ctx, shown.parent, max(width, widgets.em(8))).page(text)
    if state.place is not None:
        imgui.set_scroll_y(known[1].anchors.get(state.place, 0.0))
        state.place = None
    page.draw(ctx, known[1], lambda target: follow(ctx, shown, target))
    imgui.end_child()


def _bar(ctx: Context, shown: Path) -> None:
    past = ctx.scratch.of(Reading).past
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
    """Show a page, given by its path within the manual. Remember the current page, so that the user can go back."""
    state = ctx.scratch.of(Reading)
    state.past.append((state.page, ""))
    _go(ctx, name, place)


def _go(ctx: Context, name: str, place: str) -> None:
    state = ctx.scratch.of(Reading)
    state.page, state.place = name, place


def follow(ctx: Context, shown: Path, target: str) -> None:
    """Follow a link. It may lead to another page, a model, a file for the editor, or the web."""
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
