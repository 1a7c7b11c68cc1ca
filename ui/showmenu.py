"""Menus for the contents of the view: elements, effects, labels, frames and groups. They stay open, so that the user can change
several settings.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from imgui_bundle import imgui

from ..render import scene as mjv
from . import widgets
from .context import Context
from .element_names import sentence
from .intents import SetGroup, SetRenderFlag, SetViewOption, SetVisFlag
from .tips import TIPS

KINDS = ("geom", "site", "joint", "tendon", "actuator", "flex", "skin")


def draw(ctx: Context) -> None:
    """Draw the entries of these menus, one below the other."""
    view = ctx.view
    for title, body in (
        ("Show elements", _elements),
        ("Effects", _effects),
        ("Groups", _groups),
    ):
        if imgui.begin_menu(title, ctx.m is not None):
            imgui.push_item_flag(imgui.ItemFlags_.auto_close_popups, False)
            body(ctx)
            imgui.pop_item_flag()
            imgui.end_menu()
    for title, name, words in (("Labels", "label", mjv.mjLABELSTRING), ("Frames", "frame", mjv.mjFRAMESTRING)):
        if imgui.begin_menu(title, ctx.m is not None):
            now = int(getattr(view.opt, name))
            _ticks(words, lambda i, now=now: i == now, lambda i, name=name: ctx.emit(SetViewOption(name, i)))
            imgui.end_menu()


def _ticks(words: Sequence[str], on: Callable[[int], bool], change: Callable[[int], None]) -> None:
    for i, word in enumerate(words):
        if imgui.menu_item(word, "", on(i))[0]:
            change(i)


def _elements(ctx: Context) -> None:
    flags = ctx.view.opt.flags
    for i, row in enumerate(mjv.mjVISSTRING):
        if imgui.menu_item(sentence(row[0]), ctx.hint(f"vis.{row[0]}"), bool(flags[i]))[0]:
            ctx.emit(SetVisFlag(i))
        widgets.tooltip(TIPS[f"vis.{row[0]}"])


def _effects(ctx: Context) -> None:
    flags = ctx.view.render_flags
    for i, row in enumerate(mjv.mjRNDSTRING):
        if imgui.menu_item(sentence(row[0]), ctx.hint(f"render.{row[0]}"), bool(flags[i]))[0]:
            ctx.emit(SetRenderFlag(i))
        widgets.tooltip(TIPS[f"render.{row[0]}"])


def _groups(ctx: Context) -> None:
    """Draw a grid of check boxes, with a row for each kind of element and a column for each group."""
    for kind in KINDS:
        groups = getattr(ctx.view.opt, f"{kind}group")
        imgui.align_text_to_frame_padding()
        imgui.text_unformatted(kind.capitalize())
        for i, on in enumerate(groups):
            imgui.same_line(widgets.em(5 + 2.6 * i))
            changed, value = imgui.checkbox(f"{i}##{kind}", bool(on))
            if changed:
                ctx.emit(SetGroup(kind, i, value))
