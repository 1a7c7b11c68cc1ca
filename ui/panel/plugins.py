"""Plugins panel: the registered plugins with their files, capabilities and instances in the current model, and the files that
failed or add to the viewer.
"""

from __future__ import annotations

import os
from typing import Any

from imgui_bundle import imgui

from ... import engine as mj
from .. import icons, widgets
from ..context import Context
from ..intents import OpenEditor

CAPABILITIES = tuple((int(bit), bit.name.removeprefix("mjPLUGIN_").lower()) for bit in mj.mjtPluginCapabilityBit)
HELPS = (
    "Name in <plugin plugin=...>",
    "Its capabilities",
    "Instances in this model",
    "The file that registered it; a click opens it",
)


def draw(ctx: Context) -> None:
    for row in ctx.plugins:
        if row.error:
            _failed(ctx, row)
        elif row.extend_viewer or row.edit_spec:
            _file(ctx, row)
    if not imgui.begin_table(
        "##plugins",
        4,
        imgui.TableFlags_.row_bg
        | imgui.TableFlags_.scroll_y
        | imgui.TableFlags_.resizable
        | imgui.TableFlags_.sizing_stretch_prop,
    ):
        return

    for title, weight in (("Plugin", 2.2), ("Kind", 1.4), ("Instances", 1.8), ("File", 1.6)):
        imgui.table_setup_column(title, imgui.TableColumnFlags_.width_stretch, weight)
    imgui.table_setup_scroll_freeze(0, 1)
    widgets.headers(HELPS)
    origin = {name: row.path for row in ctx.plugins for name in row.names}
    used = instances(ctx.m) if ctx.m is not None else {}

    # Show the user's own plugins first.
    slots = sorted(range(mj.mjp_pluginCount()), key=lambda slot: mj.mjp_getPluginAtSlot(slot).name not in origin)
    for slot in slots:
        _row(ctx, mj.mjp_getPluginAtSlot(slot), used.get(slot, []), origin)
    imgui.end_table()


def instances(m: mj.MjModel) -> dict[int, list[str]]:
    """Return {slot of a plugin: names of its instances in a model}."""
    found: dict[int, list[str]] = {}
    for i in range(m.nplugin):
        found.setdefault(int(m.plugin[i]), []).append(mj.mj_id2name(m, mj.mjtObj.mjOBJ_PLUGIN, i) or f"instance {i}")
    return found


def _row(ctx: Context, plugin: Any, used: list[str], origin: dict[str, str]) -> None:
    path = origin.get(plugin.name, "")
    imgui.table_next_row()
    for text, help in (
        (plugin.name, ", ".join(plugin.attributes) or "No attributes"),
        (", ".join(word for bit, word in CAPABILITIES if plugin.capabilityflags & bit), ""),
        (", ".join(used), ""),
    ):
        imgui.table_next_column()
        widgets.clipped(text, imgui.get_content_region_avail().x)
        widgets.tooltip(f"{text}\n{help}" if help else "")
    imgui.table_next_column()
    if path:
        if imgui.text_link(f"{os.path.basename(path)}##{plugin.name}"):
            ctx.emit(OpenEditor(path, 1))
        widgets.tooltip(path)
    else:
        widgets.muted(ctx, "Built in" if plugin.name.startswith("mujoco.") else "A script", wrap=False)


def _file(ctx: Context, row: Any) -> None:
    """Draw the name of a plugin file and what it adds to the viewer."""
    if imgui.text_link(f"{os.path.basename(row.path)}##{row.path}"):
        ctx.emit(OpenEditor(row.path, 1))
    widgets.tooltip(row.path)
    imgui.same_line()
    widgets.muted(ctx, row.about(), wrap=False)


def _failed(ctx: Context, row: Any) -> None:
    imgui.text_colored(ctx.theme["bad"], icons.ERROR)
    imgui.same_line()
    if imgui.text_link(f"{os.path.basename(row.path)}:{row.line}##{row.path}"):
        ctx.emit(OpenEditor(row.path, max(1, row.line)))
    widgets.tooltip(row.path)
    imgui.same_line()
    imgui.push_text_wrap_pos(0.0)
    imgui.text_unformatted(row.error)
    imgui.pop_text_wrap_pos()
