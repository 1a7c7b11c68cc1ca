"""Joint: sliders for hinges and slides, position and angles for ball and free joints, all with their limits."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from imgui_bundle import imgui

from .. import plotting, reveal, scope, sliders, widgets
from ..context import Context
from ..element_names import joint_names
from ..intents import ResetJoint, SetField

FREE, BALL, SLIDE, HINGE = range(4)
DEGREE = math.pi / 180
# Width of three numbers with a label before them, in text heights.
VECTOR_ROOM = 12.0
# If 1 minus the sine of the middle angle is below this, the other two angles are ambiguous (gimbal lock).
UPRIGHT = 1e-12
BACK = "Back to the initial position"
# the fraction of the width that a name may take in a row without a slider
MOST_NAME = 0.85
# If there are more free joints than this, each is folded into one row.
MANY_FREE = 6
# (color, fraction of the range): a value that exceeds its limit by more than the fraction is shown in the color.
BEYOND = (("bad", 0.02), ("warn", 0.002))


def draw(ctx: Context) -> None:
    m, d = ctx.m, ctx.d
    labels = joint_names(m)
    shown = widgets.in_groups(m.jnt_group, ctx.view.opt.jointgroup)
    shown = scope.line(ctx, shown, lambda j: scope.of_joint(m, j), "joints")
    if m.njnt > 6:
        text = widgets.filter_box(ctx, "joint")
        shown = [j for j in shown if widgets.matches(text, labels[j])]
    if not shown:
        widgets.muted(ctx, "No joints in the visible groups")
        return

    # All lines have the same height, so that only visible ones must be drawn.
    kinds = np.asarray(m.jnt_type).tolist()
    folded = folded_joints(ctx, shown, kinds)
    lines = [(j, line) for j in shown for line in ((_folded,) if j in folded else LINES[kinds[j]])]
    ctx.scratch.of(Labels).width = widgets.label_column([labels[j] for j in shown])

    with widgets.disabled(not ctx.editable, "Pause to move joints"):
        reveal.scroll(ctx, "joint", [joint for joint, _line in lines], imgui.get_frame_height_with_spacing())
        for i in widgets.clip(len(lines), imgui.get_frame_height_with_spacing()):
            joint, line = lines[i]
            with widgets.ident(joint):
                line(ctx, m, d, joint, labels[joint])
            if line is _folded or line is LINES[kinds[joint]][0]:
                reveal.row(ctx, "joint", joint)


def folded_joints(ctx: Context, shown: list[int], kinds: list[int]) -> set[int]:
    """Return the free joints that have one row each, because there are many, and the user has not unfolded them."""
    free = {j for j in shown if kinds[j] == FREE}
    return free - ctx.scratch.of(Unfolded).joints if len(free) > MANY_FREE else set()


@dataclass
class Unfolded:
    """Free joints that the user unfolded."""

    joints: set[int] = field(default_factory=set)


@dataclass
class Labels:
    """Width of the column of names, in text heights."""

    width: float = 0.0


def _head(ctx: Context, m: Any, _d: Any, j: int, label: str) -> None:
    """Draw the name of a joint with several values, and a button to reset it."""
    folds = ctx.scratch.of(Unfolded).joints
    if j in folds and _arrow(ctx, imgui.Dir.down, "Show the position only"):
        folds.discard(j)
    widgets.row(label, ctx.scratch.of(Labels).width, most=MOST_NAME)
    count, dofs = (7, 6) if m.jnt_type[j] == FREE else (4, 3)
    address, dof = int(m.jnt_qposadr[j]), int(m.jnt_dofadr[j])
    if sliders.back(BACK):
        ctx.emit(ResetJoint(j))
    plotting.offer(
        ctx,
        "head",
        lambda: [("position", plotting.numbered("qpos", address, count)), ("velocity", plotting.numbered("qvel", dof, dofs))],
    )


def _folded(ctx: Context, m: Any, d: Any, j: int, label: str) -> None:
    """Draw a free joint as one row: its position, and a button that shows the rest."""
    if _arrow(ctx, imgui.Dir.right, "Show the angles, too"):
        ctx.scratch.of(Unfolded).joints.add(j)
    widgets.row(label, ctx.scratch.of(Labels).width)
    address = int(m.jnt_qposadr[j])
    if (new := widgets.vector("pos", d.qpos[address : address + 3], form="%.3f")) is not None:
        ctx.emit(SetField("d.qpos", new, slice(address, address + 3)))


def _arrow(ctx: Context, direction: imgui.Dir, help: str) -> bool:
    """Draw a small arrow before a name, which folds its rows. It can be used while the numbers are disabled."""
    if not ctx.editable:
        imgui.internal.begin_disabled_override_reenable()
    imgui.push_style_color(imgui.Col_.button, 0)
    imgui.push_style_var(imgui.StyleVar_.frame_border_size, 0.0)
    pressed = imgui.button("##fold", imgui.ImVec2(widgets.em(), imgui.get_frame_height()))
    low, size = imgui.get_item_rect_min(), widgets.em(0.5)
    at = imgui.ImVec2(low.x + 0.1 * size, low.y + 0.5 * (imgui.get_frame_height() - imgui.get_font_size()))
    imgui.internal.render_arrow(imgui.get_window_draw_list(), at, ctx.theme.u32("muted"), direction, 0.75)
    imgui.pop_style_var()
    imgui.pop_style_color()
    if not ctx.editable:
        imgui.internal.end_disabled_override_reenable()
    widgets.tooltip(help)
    imgui.same_line(0, widgets.em(0.2))
    return pressed


def _position(ctx: Context, m: Any, d: Any, j: int, _label: str) -> None:
    address = int(m.jnt_qposadr[j])
    _named("Position", "x, y, z")
    if (new := widgets.vector("pos", d.qpos[address : address + 3], form="%.3f")) is not None:
        ctx.emit(SetField("d.qpos", new, slice(address, address + 3)))


def _named(text: str, help: str) -> None:
    """Draw a label before three numbers, unless the numbers need the space."""
    if imgui.get_content_region_avail().x > widgets.em(VECTOR_ROOM):
        widgets.row(text, 4.6, help)


def _angles(ctx: Context, m: Any, d: Any, j: int, _label: str) -> None:
    address = int(m.jnt_qposadr[j]) + (3 if m.jnt_type[j] == FREE else 0)
    # Without a unit in the settings, three angles are in degrees, because they are typed by hand.
    unit = 1.0 if ctx.settings["angles"] == "radians" else DEGREE
    _named("Angles", f"{'Radians' if unit == 1.0 else 'Degrees'} about the fixed x, y, z axes")
    euler = to_euler(d.qpos[address : address + 4]) / unit + 0.0
    if (new := widgets.vector("rot", euler, form="%.3f" if unit == 1.0 else "%.1f")) is not None:
        ctx.emit(SetField("d.qpos", from_euler(new * unit), slice(address, address + 4)))


def _scalar(ctx: Context, m: Any, d: Any, j: int, label: str) -> None:
    """Draw a slider over the joint's range; its frame shows a warning beyond the limits."""
    address = int(m.jnt_qposadr[j])
    value = float(d.qpos[address])
    limited = bool(m.jnt_limited[j])
    # The slider needs a range even if the joint has no limits.
    ends = (-1.0, 1.0) if m.jnt_type[j] == SLIDE else (-math.pi, math.pi)
    low, high = (float(x) for x in m.jnt_range[j]) if limited else ends
    unit = DEGREE if m.jnt_type[j] == HINGE and ctx.settings["angles"] == "degrees" else 1.0
    sign = "m" if m.jnt_type[j] == SLIDE else "rad" if unit == 1.0 else "deg"
    limits = f"{low / unit:.4g} .. {high / unit:.4g} {sign}" if limited else f"No limit, in {sign}"

    widgets.row(label, ctx.scratch.of(Labels).width, limits)
    if sliders.undo(BACK):
        ctx.emit(ResetJoint(j))
    imgui.set_next_item_width(-1e-3)
    new = sliders.slider("q", value / unit, low / unit, high / unit, "%.3f" if unit == 1.0 else "%.1f")
    dof = int(m.jnt_dofadr[j])
    plotting.offer(
        ctx,
        "q",
        lambda: [
            ("position", (f"qpos[{address}]",)),
            ("velocity", (f"qvel[{dof}]",)),
            ("acceleration", (f"qacc[{dof}]",)),
            ("force of actuators", (f"qfrc_actuator[{dof}]",)),
            ("force of constraints", (f"qfrc_constraint[{dof}]",)),
        ],
    )

    if limited:
        sliders.ends(ctx, low / unit, high / unit)
        if warning := beyond(value, low, high):
            _rim(ctx.theme.u32(warning, 0.9))
    if new is not None:
        ctx.emit(SetField("d.qpos", new * unit, address))


def _rim(color: int) -> None:
    """Draw a coloured frame around the last item."""
    low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
    imgui.get_window_draw_list().add_rect(low, high, color, imgui.get_style().frame_rounding, 1.2)


def beyond(value: float, low: float, high: float) -> str:
    """Return the color of the warning for a value outside its range; empty for small violations, which soft limits allow."""
    over = max(low - value, value - high)
    return next((color for color, share in BEYOND if over > share * (high - low)), "")


# The functions that draw the lines of each joint type.
LINES = {FREE: (_head, _position, _angles), BALL: (_head, _angles), SLIDE: (_scalar,), HINGE: (_scalar,)}


def to_euler(q: np.ndarray) -> np.ndarray:
    """Convert a unit quaternion (w, x, y, z) to angles about fixed x, y, z axes, applied in this order."""
    w, x, y, z = q
    sine = 2 * (w * y - z * x)
    # If the middle angle is 90 degrees up or down, only the difference of the other two is known (gimbal lock). Assign it to z.
    if abs(sine) > 1 - UPRIGHT:
        return np.array([0.0, math.copysign(0.5 * math.pi, sine), math.atan2(2 * (w * z - x * y), 1 - 2 * (x * x + z * z))])
    pitch = math.asin(sine)
    return np.array(
        [
            math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
            pitch,
            math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
        ]
    )


def from_euler(angles: np.ndarray) -> np.ndarray:
    """Return the inverse of `to_euler`."""
    (cx, cy, cz), (sx, sy, sz) = np.cos(0.5 * np.asarray(angles)), np.sin(0.5 * np.asarray(angles))
    return np.array(
        [cx * cy * cz + sx * sy * sz, sx * cy * cz - cx * sy * sz, cx * sy * cz + sx * cy * sz, cx * cy * sz - sx * sy * cz]
    )
