"""Health: likely problems of the model; a click selects the element."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from imgui_bundle import imgui

from .. import icons, widgets
from ..context import Context
from ..element_names import name
from ..health import LEVELS, Finding, check
from ..intents import Exclude, SelectElement
from ..release import differences, other

COLOR = {"error": "bad", "warning": "warn", "info": "muted"}
ICON = {"error": icons.ERROR, "warning": icons.WARNING, "info": icons.INFO}


@dataclass
class Checked:
    """A model and its findings."""

    m: Any = None
    findings: list[Finding] = field(default_factory=list)


def findings(ctx: Context) -> list[Finding]:
    """Return the model's findings, computed on first use."""
    state = ctx.scratch.of(Checked)
    if state.m is not ctx.m:
        state.m, state.findings = ctx.m, check(ctx.m)
    return state.findings


def _releases(ctx: Context) -> None:
    """Draw a folded list of differences under another release."""
    changes = differences(ctx.m)
    if changes and imgui.tree_node_ex(
        f"{len(changes)} differences under compat {other(ctx.m)}", imgui.TreeNodeFlags_.span_avail_width
    ):
        for change in changes:
            widgets.muted(ctx, f"{change.version}: {change.sentence}")
        imgui.tree_pop()


def draw(ctx: Context) -> None:
    found = findings(ctx)
    counts = ", ".join(
        f"{n} {level}{'s' if n != 1 and level != 'info' else ''}"
        for level in LEVELS
        if (n := sum(f.level == level for f in found))
    )
    imgui.align_text_to_frame_padding()
    widgets.muted(ctx, counts or "No problems found", wrap=False)
    imgui.same_line()
    if widgets.button("Check again", "", 0.0, "Check again after edits of the model"):
        ctx.scratch.of(Checked).m = None
    pairs = tuple(dict.fromkeys(pair for f in found for *_, one in f.fixes if isinstance(one, Exclude) for pair in one.pairs))
    if len(pairs) > 1 and not ctx.passive:
        imgui.same_line()
        if widgets.button(
            f"Exclude {len(pairs)} overlaps", "", 0.0, "Turn off the collisions of all bodies that overlap at the start"
        ):
            ctx.emit(Exclude(pairs))
    _releases(ctx)
    text = widgets.filter_box(ctx, "health")
    flags = (
        imgui.TableFlags_.row_bg
        | imgui.TableFlags_.scroll_y
        | imgui.TableFlags_.resizable
        | imgui.TableFlags_.sizing_stretch_prop
    )
    if not imgui.begin_table("##health", 2, flags):
        return

    imgui.table_setup_column("Element", imgui.TableColumnFlags_.width_stretch, 1.0)
    imgui.table_setup_column("Finding", imgui.TableColumnFlags_.width_stretch, 2.4)
    imgui.table_setup_scroll_freeze(0, 1)
    imgui.table_headers_row()

    for i, f in enumerate(found):
        label = name(ctx.m, f.kind, f.index)
        if not widgets.matches(text, f"{f.level} {f.kind} {label} {f.text}"):
            continue
        imgui.table_next_row()
        imgui.table_next_column()
        imgui.text_colored(ctx.theme[COLOR[f.level]], ICON[f.level])
        imgui.same_line()
        if imgui.selectable(f"{f.kind} {label}##{i}", False)[0]:
            ctx.emit(SelectElement(f.kind, f.index))
        imgui.table_next_column()
        imgui.push_text_wrap_pos(0.0)
        imgui.text_unformatted(f.text)
        imgui.pop_text_wrap_pos()
        for k, (title, tip, intent) in enumerate(f.fixes if not ctx.passive else ()):
            if k:
                imgui.same_line()
            if imgui.small_button(f"{title}##{i}"):
                ctx.emit(intent)
            widgets.trace(f"{title}##{i}")
            widgets.tooltip(tip)

    imgui.end_table()
