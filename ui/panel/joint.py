"""Joint: a slider per hinge and slide, position and angles per ball and free joint, all with their limits."""

from __future__ import annotations

import math

import numpy as np
from imgui_bundle import imgui

from ui import icons, widgets
from ui.context import Context
from ui.intents import ResetJoint, SetField
from ui.names import names

FREE, BALL, SLIDE, HINGE = range(4)


def draw(ctx: Context) -> None:
    m, d = ctx.m, ctx.d
    labels = names(m, "joint")
    shown = [j for j in range(m.njnt) if ctx.view.opt.jointgroup[min(max(int(m.jnt_group[j]), 0), 5)]]
    if m.njnt > 6:
        text = widgets.filter_box(ctx, "joint")
        shown = [j for j in shown if widgets.matches(text, labels[j])]
    if not shown:
        widgets.muted(ctx, "No joints in the visible groups")
        return
    with widgets.disabled(not ctx.editable, "Pause to move joints"):
        # rows of ball and free joints are higher, so only plain lists can skip what is out of sight
        plain = all(m.jnt_type[j] >= SLIDE for j in shown) and len(shown) > 50
        for i in widgets.clip(len(shown), imgui.get_frame_height_with_spacing()) if plain else range(len(shown)):
            with widgets.ident(shown[i]):
                _joint(ctx, m, d, shown[i], labels[shown[i]])


def _joint(ctx: Context, m, d, j: int, label: str) -> None:
    kind, address = int(m.jnt_type[j]), int(m.jnt_qposadr[j])
    if kind in (SLIDE, HINGE):
        _scalar(ctx, m, j, label, float(d.qpos[address]), address)
        return
    widgets.row(label)
    if widgets.button(f"{icons.UNDO}  reset", "Back to the initial position"):
        ctx.emit(ResetJoint(j))
    if kind == FREE:
        widgets.row("position", 4.6, "x, y, z")
        if (new := widgets.vector("pos", d.qpos[address : address + 3], form="%.3f")) is not None:
            ctx.emit(SetField("d.qpos", new, slice(address, address + 3)))
        address += 3
    widgets.row("angles", 4.6, "Degrees about the fixed x, y, z axes")
    euler = np.degrees(to_euler(d.qpos[address : address + 4])) + 0.0
    if (new := widgets.vector("rot", euler, form="%.1f")) is not None:
        ctx.emit(SetField("d.qpos", from_euler(np.radians(new)), slice(address, address + 4)))


def _scalar(ctx: Context, m, j: int, label: str, value: float, address: int) -> None:
    """A slider over the joint's range; its rim warns at and beyond the limits."""
    limited = bool(m.jnt_limited[j])
    ends = (-1.0, 1.0) if m.jnt_type[j] == SLIDE else (-math.pi, math.pi)
    low, high = (float(x) for x in m.jnt_range[j]) if limited else ends
    widgets.row(label, 8.0, f"{low:.4g} .. {high:.4g}" if limited else "no limit")
    if imgui.small_button(icons.UNDO):
        ctx.emit(ResetJoint(j))
    widgets.tooltip("Back to the initial position")
    imgui.same_line(0, widgets.em(0.3))
    imgui.set_next_item_width(-1e-3)
    new = widgets.slider("q", value, low, high, "%.3f")
    if limited:
        widgets.ends(ctx, f"{low:.3g}", f"{high:.3g}", f"{value:.3f}")
        near = 0.01 * (high - low)
        if value < low + near or value > high - near:
            widgets.rim(ctx.theme.u32("bad" if value < low or value > high else "warn", 0.9))
    if new is not None:
        ctx.emit(SetField("d.qpos", new, address))


def to_euler(q) -> np.ndarray:
    """Unit quaternion (w, x, y, z) -> angles about fixed x, y, z axes, applied in this order."""
    w, x, y, z = q
    pitch = math.asin(min(1.0, max(-1.0, 2 * (w * y - z * x))))
    return np.array([math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)), pitch,
                     math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))])


def from_euler(angles) -> np.ndarray:
    """The inverse of `to_euler`."""
    (cx, cy, cz), (sx, sy, sz) = np.cos(0.5 * np.asarray(angles)), np.sin(0.5 * np.asarray(angles))
    return np.array([cx * cy * cz + sx * sy * sz, sx * cy * cz - cx * sy * sz,
                     cx * sy * cz + sx * cy * sz, cx * cy * sz - sx * sy * cz])
