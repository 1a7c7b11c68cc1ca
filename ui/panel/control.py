"""Control: a slider per actuator of the visible groups."""

from imgui_bundle import imgui

from .. import plotting, reveal, widgets
from ..context import Context
from ..intents import ClearControls, SetField
from ..names import names


def draw(ctx: Context) -> None:
    m, d = ctx.m, ctx.d
    if not m.nu:
        widgets.muted(ctx, "No actuators")
        return
    labels = names(m, "actuator")
    shown = widgets.in_groups(m.actuator_group, ctx.view.opt.actuatorgroup)
    if widgets.button("Clear all", width=-1e-3):
        ctx.emit(ClearControls())
    if m.nu > 6:
        text = widgets.filter_box(ctx, "control")
        shown = [i for i in shown if widgets.matches(text, labels[i])]
    off, column = int(m.opt.disableactuator), widgets.label_column([labels[i] for i in shown])
    reveal.scroll(ctx, "control", shown, imgui.get_frame_height_with_spacing())
    for row in widgets.clip(len(shown), imgui.get_frame_height_with_spacing()):
        i = shown[row]
        group = int(m.actuator_group[i])
        with widgets.ident(i), widgets.disabled(0 <= group < 31 and bool(off >> group & 1), "This actuator group is disabled"):
            _control(ctx, m, i, labels[i], float(d.ctrl[i]), column)
            reveal.row(ctx, "control", i)


def _control(ctx: Context, m, i: int, label: str, value: float, column: float) -> None:
    low, high = (float(x) for x in m.actuator_ctrlrange[i])
    if not high > low:
        low, high = -1.0, 1.0
    widgets.row(label, column, f"{low:.4g} .. {high:.4g}")
    if widgets.undo("Back to zero"):
        ctx.emit(SetField("d.ctrl", min(max(0.0, low), high), i))
    imgui.set_next_item_width(-1e-3)
    new = widgets.slider("u", value, low, high, "%.3f")
    plotting.offer(ctx, "u", [("control", (f"ctrl[{i}]",)), ("force", (f"actuator_force[{i}]",)), ("length", (f"actuator_length[{i}]",)),
                              ("velocity", (f"actuator_velocity[{i}]",))])
    if new is not None:
        ctx.emit(SetField("d.ctrl", new, i))
    widgets.ends(ctx, value, low, high)
