"""State panel: the values of the chosen components of the simulation state, editable while the simulation is paused."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from imgui_bundle import imgui

from ...engine.api.state import COMPONENTS
from ...engine.tables.enums import mjtState
from .. import plotting, widgets
from ..context import Context
from ..element_names import number_name
from ..fields import about
from ..intents import SetField

# {field of a component: its title}
TITLES = {
    "time": "Time",
    "qpos": "Position",
    "qvel": "Velocity",
    "act": "Activation",
    "qacc_warmstart": "Warm start",
    "ctrl": "Control",
    "qfrc_applied": "Joint force",
    "xfrc_applied": "Body force",
    "eq_active": "Equalities",
    "mocap_pos": "Mocap position",
    "mocap_quat": "Mocap rotation",
    "userdata": "User data",
    "plugin_state": "Plugin state",
}
# title and components of each preset
PRESETS = (
    ("Physics", int(mjtState.mjSTATE_PHYSICS)),
    ("Full physics", int(mjtState.mjSTATE_FULLPHYSICS)),
    ("User", int(mjtState.mjSTATE_USER)),
    ("Integration", int(mjtState.mjSTATE_INTEGRATION)),
)

HELP = """Physics: what a step changes. Full physics: also time and plugins. User: what a person or a program sets.
Integration: everything that the next step depends on."""
# Minimum width of a column of check boxes, in text heights.
NARROW = 6.8


@dataclass
class Chosen:
    """The shown components, as bits of mjtState. Cached: the rows that match the filter, and everything that they depend on
    (`key`).
    """

    components: int = PRESETS[0][1]
    key: tuple[Any, ...] = ()
    rows: list[tuple[str, int]] = field(default_factory=list)


def draw(ctx: Context) -> None:
    chosen = ctx.scratch.of(Chosen)
    _components(ctx, chosen)
    text = widgets.filter_box(ctx, "state", "Filter by name or field")
    rows = _rows(ctx, chosen, text)
    if not rows:
        widgets.muted(ctx, "No value matches" if text else "The model has no values of these components")
        return
    with widgets.disabled(not ctx.editable, "Pause to edit the state"):
        for k in widgets.clip(len(rows), imgui.get_frame_height_with_spacing()):
            _value(ctx, *rows[k])


def _components(ctx: Context, chosen: Chosen) -> None:
    """Draw the presets, and a box for each component."""
    widgets.row("Show", 3.5, HELP)
    titles = [*(title for title, _ in PRESETS), "As chosen below"]
    now = next((k for k, (_, bits) in enumerate(PRESETS) if bits == chosen.components), len(PRESETS))
    if (new := widgets.choice("components", now, titles)) is not None and new < len(PRESETS):
        chosen.components = PRESETS[new][1]

    # An empty component needs no box.
    there = [(int(bit), name) for bit, name, _ in COMPONENTS if np.size(getattr(ctx.d, name))]

    def change(k: int, on: bool) -> None:
        bit = there[k][0]
        chosen.components = chosen.components | bit if on else chosen.components & ~bit

    widgets.check_grid([(TITLES[name], bool(chosen.components & bit), about(name)) for bit, name in there], change, NARROW)


def _rows(ctx: Context, chosen: Chosen, text: str) -> list[tuple[str, int]]:
    """Return (field, index) of all values of the chosen components that match the filter."""
    key = (ctx.status.generation, id(ctx.m), chosen.components, text)
    if chosen.key != key:
        chosen.key, chosen.rows = key, []
        for bit, name, _ in COMPONENTS:
            if chosen.components & int(bit):
                values = ((name, i) for i in range(int(np.size(getattr(ctx.d, name)))))
                chosen.rows += [row for row in values if not text or widgets.matches(text, " ".join(_titles(ctx, *row)))]
    return chosen.rows


def _titles(ctx: Context, name: str, i: int) -> tuple[str, str]:
    """Return the name of a value and its place in Data."""
    return number_name(ctx.m, name, i) if name != "time" else "Time", f"{name}[{i}]" if name != "time" else name


def _value(ctx: Context, name: str, i: int) -> None:
    """Draw the row of one value."""
    title, place = _titles(ctx, name, i)
    widgets.row(title or place, 7.0, f"{place}  {title}\n{about(name)}")
    values = np.asarray(getattr(ctx.d, name))
    new = widgets.number(place, float(values.ravel()[i]), form="%.8g")
    plotting.offer(ctx, place, lambda: [(title or place, (place,))])
    if new is not None:
        index = tuple(int(k) for k in np.unravel_index(i, values.shape)) if values.shape else None
        ctx.emit(SetField(f"d.{name}", new, index))
