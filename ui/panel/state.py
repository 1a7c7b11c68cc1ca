"""State panel: the values of the simulation state by component, editable while the simulation is paused."""

from dataclasses import dataclass

import numpy as np
from imgui_bundle import imgui

from .. import plotting, widgets
from ..context import Context
from ..element_names import number_name
from ..fields import about
from ..intents import SetField

COMPONENTS = (
    ("qpos", "Position"),
    ("qvel", "Velocity"),
    ("act", "Activation"),
    ("ctrl", "Control"),
    ("qfrc_applied", "Applied force"),
    ("qacc_warmstart", "Warm start"),
    ("mocap_pos", "Mocap position"),
    ("mocap_quat", "Mocap rotation"),
    ("userdata", "User data"),
)


@dataclass
class Chosen:
    """The index of the displayed component in COMPONENTS."""

    component: int = 0


def draw(ctx: Context) -> None:
    widgets.value_line(ctx, "Time", f"{ctx.d.time:.6f}", 5.5)
    chosen = min(ctx.scratch.of(Chosen).component, len(COMPONENTS) - 1)
    widgets.row("Show", 5.5, about(COMPONENTS[chosen][0]))
    if (new := widgets.choice("component", chosen, [title for _, title in COMPONENTS])) is not None:
        ctx.scratch.of(Chosen).component = chosen = new
    field = COMPONENTS[chosen][0]
    values = np.asarray(getattr(ctx.d, field)).ravel()
    if not values.size:
        widgets.muted(ctx, "(empty)")
        return
    with widgets.disabled(not ctx.editable, "Pause to edit the state"):
        for i in widgets.clip(values.size, imgui.get_frame_height_with_spacing()):
            title = number_name(ctx.m, field, i)
            widgets.row(title or f"{field}[{i}]", 7.0, f"{field}[{i}]  {title}\n{about(field)}")
            new = widgets.number(f"{i}", float(values[i]), form="%.8g")
            plotting.offer(ctx, f"{i}", lambda: [(title or f"{field}[{i}]", (f"{field}[{i}]",))])
            if new is not None:
                shape = np.asarray(getattr(ctx.d, field)).shape
                ctx.emit(SetField(f"d.{field}", new, tuple(int(k) for k in np.unravel_index(i, shape))))
