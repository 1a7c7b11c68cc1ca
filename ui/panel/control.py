"""Control panel: a slider for each control, for actuators in visible groups."""

from typing import Any

import numpy as np
from imgui_bundle import ImVec2, imgui

from ... import engine as mj
from .. import plotting, reveal, scope, sliders, widgets
from ..context import Context
from ..element_names import control_names, control_owners
from ..intents import ClearControls, SetField, ShowPanel


def draw(ctx: Context) -> None:
    m, d = ctx.m, ctx.d
    if not m.nu:
        widgets.muted(ctx, "No controls")
        if ctx.imported is not None and widgets.button(
            "Add actuators...", "", 0.0, "Import the robot with a motor at each joint"
        ):
            ctx.emit(ShowPanel("robot", True))
        return
    shown = widgets.in_groups(np.repeat(m.actuator_group, m.actuator_ctrlnum), ctx.view.opt.actuatorgroup)
    labels = control_names(m)
    shown = scope.line(ctx, shown, lambda i: scope.of_control(m, i), "controls")
    if widgets.button("All controls to zero", width=-1e-3):
        ctx.emit(ClearControls())
    if m.nu > 6:
        text = widgets.filter_box(ctx, "control")
        shown = [i for i in shown if widgets.matches(text, labels[i])]
    off, column = int(m.opt.disableactuator), widgets.label_column([labels[i] for i in shown])
    # A muscle has a second line of the same height.
    muscle = np.asarray(m.actuator_dyntype) == int(mj.mjtDyn.mjDYN_MUSCLE)
    lines = [(i, second) for i in shown for second in range(1 + bool(muscle[control_owners(m)[i]]))]
    reveal.scroll(ctx, "control", [i for i, _second in lines], imgui.get_frame_height_with_spacing())
    for row in widgets.clip(len(lines), imgui.get_frame_height_with_spacing()):
        i, second = lines[row]
        if second:
            _muscle(ctx, control_owners(m)[i], column)
            continue
        group = int(m.actuator_group[control_owners(m)[i]])
        with widgets.ident(i), widgets.disabled(0 <= group < 31 and bool(off >> group & 1), "This actuator group is disabled"):
            _control(ctx, m, i, labels[i], float(d.ctrl[i]), column)
            reveal.row(ctx, "control", i)


def _muscle(ctx: Context, actuator: int, column: float) -> None:
    """Draw the activation and the length of a muscle."""
    m, d = ctx.m, ctx.d
    act, out = float(d.act[m.actuator_actadr[actuator]]), int(m.actuator_outadr[actuator])
    widgets.row("", column)
    imgui.progress_bar(min(max(act, 0.0), 1.0), ImVec2(-1e-3, 0), f"{act:.2f} active,  {float(d.actuator_length[out]):.3f} m")
    widgets.tooltip("Activation and length of the muscle; the activation follows the control")
    if ctx.seen is not None:
        ctx.seen.element_rows[f"muscle {actuator}"] = [imgui.get_item_rect_min().x, imgui.get_item_rect_min().y]


def _control(ctx: Context, m: Any, i: int, label: str, value: float, column: float) -> None:
    low, high = (float(x) for x in m.actuator_ctrlrange[i])
    if not high > low:
        # The actuator has no control range, but a slider needs one.
        low, high = -1.0, 1.0
    widgets.row(label, column, f"{low:.4g} .. {high:.4g}")
    if sliders.undo("Back to zero"):
        ctx.emit(SetField("d.ctrl", min(max(0.0, low), high), i))
    imgui.set_next_item_width(-1e-3)
    new = sliders.slider("u", value, low, high, "%.3f")
    actuator = control_owners(m)[i]
    o, activation = int(m.actuator_outadr[actuator]), int(m.actuator_actadr[actuator])
    plotting.offer(
        ctx,
        "u",
        lambda: [
            ("control", (f"ctrl[{i}]",)),
            ("force", (f"actuator_force[{o}]",)),
            ("length", (f"actuator_length[{o}]",)),
            ("velocity", (f"actuator_velocity[{o}]",)),
            *([("activation", (f"act[{activation}]",))] if activation >= 0 else []),
        ],
    )
    if new is not None:
        ctx.emit(SetField("d.ctrl", new, i))
    sliders.ends(ctx, low, high)
