"""Physics panel: every field and flag of the model's options, editable while the simulation runs."""

from collections.abc import Callable, Iterable
from typing import Any

from imgui_bundle import imgui

from ... import engine as mj
from ...engine.tables.solver_rows import ROWS as SOLVERS
from .. import live, reveal, widgets
from ..context import Context
from ..fields import about
from ..intents import SetBit, SetCompat, SetField
from ..release import RELEASES

CHOICES = (
    ("integrator", "Integrator", ("Euler", "RK4", "implicit", "implicitfast", "discrete")),
    ("cone", "Cone", ("Pyramidal", "Elliptic")),
    ("jacobian", "Jacobian", ("Dense", "Sparse", "Auto")),
    ("solver", "Solver", tuple(row.name for row in SOLVERS)),
)
# {field: numbers of its choices}, for fields whose choices are not numbered 0, 1, 2 ...
NUMBERS = {"solver": tuple(row.number for row in SOLVERS)}
# Columns: field, label, type (f: float above 0, z: float that may be 0, i: integer), minimum, maximum.
ALGORITHM = (
    ("timestep", "Timestep", "f", 0, 1),
    ("iterations", "Iterations", "i", 0, 1000),
    ("tolerance", "Tolerance", "z", 0, 1),
    ("ls_iterations", "LS iter", "i", 0, 100),
    ("ls_tolerance", "LS tol", "z", 0, 0.1),
    ("noslip_iterations", "Noslip iter", "i", 0, 1000),
    ("noslip_tolerance", "Noslip tol", "z", 0, 1),
    ("ccd_iterations", "CCD iter", "i", 0, 1000),
    ("ccd_tolerance", "CCD tol", "z", 0, 1),
    ("sleep_tolerance", "Sleep tol", "z", 0, 1),
    ("sdf_iterations", "SDF iter", "i", 1, 20),
    ("sdf_initpoints", "SDF init", "i", 1, 100),
)
PHYSICAL = (
    ("gravity", "Gravity"),
    ("wind", "Wind"),
    ("magnetic", "Magnetic"),
    ("density", "Density"),
    ("viscosity", "Viscosity"),
    ("impratio", "Imp ratio"),
)
OVERRIDE = (("o_margin", "Margin"), ("o_solimp", "Sol imp"), ("o_solref", "Sol ref"), ("o_friction", "Friction"))
SIGNED = {"gravity", "wind", "magnetic", "o_solref"}


def draw(ctx: Context) -> None:
    row = ctx.scratch.of(reveal.Asked).row
    sought = row[1] if row is not None and row[0] == "physics" else ""
    for title, opened, rows, body in (
        ("Algorithmic parameters", True, (*CHOICES, *ALGORITHM), lambda: _algorithm(ctx)),
        ("Physical parameters", False, PHYSICAL, lambda: _numbers(ctx, PHYSICAL)),
    ):
        if sought in [row[0] for row in rows]:
            imgui.set_next_item_open(True)
        _node(title, opened, body)
    _node("Disable flags", True, lambda: _flags(ctx, "disableflags", mj.mjDISABLESTRING))
    _node("Enable flags", True, lambda: _flags(ctx, "enableflags", mj.mjENABLESTRING))
    _node("Contact override", False, lambda: _numbers(ctx, OVERRIDE))
    _node("Actuator group enable", False, lambda: _actuator_groups(ctx))
    live.button(ctx, "option", width=-1e-3)


def _node(title: str, opened: bool, body: Callable[[], None]) -> None:
    flags = imgui.TreeNodeFlags_.span_avail_width | (imgui.TreeNodeFlags_.default_open if opened else 0)
    if imgui.tree_node_ex(title, flags):
        imgui.unindent(imgui.get_style().indent_spacing)
        body()
        imgui.indent(imgui.get_style().indent_spacing)
        imgui.tree_pop()


def _algorithm(ctx: Context) -> None:
    opt = ctx.m.opt
    widgets.row("Compat")
    held = RELEASES.index(ctx.m.compat) if ctx.m.compat in RELEASES else 0
    if (new := widgets.choice("compat", held, RELEASES)) is not None:
        ctx.emit(SetCompat(RELEASES[new]))

    for name, label, items in CHOICES:
        widgets.row(label)
        numbers = NUMBERS.get(name, range(len(items)))
        if (new := widgets.choice(name, numbers.index(int(getattr(opt, name))), items)) is not None:
            ctx.emit(SetField(f"opt.{name}", numbers[new]))
        reveal.here(ctx, "physics", name)

    for name, label, kind, low, high in ALGORITHM:
        if not hasattr(opt, name):
            continue
        widgets.row(label, help=about(f"opt.{name}"))
        value = getattr(opt, name)
        if kind == "i":
            new = widgets.integer(name, int(value), int(low), int(high))
        else:
            new = widgets.stepped(name, float(value), zero=kind == "z")
            new = None if new is None else min(max(new, low), high)
        reveal.here(ctx, "physics", name)
        # Reject a time step of zero, which would stop the simulation.
        if new is not None and (name != "timestep" or new > 0):
            ctx.emit(SetField(f"opt.{name}", new))


def _numbers(ctx: Context, rows: Iterable[tuple[str, str]]) -> None:
    for name, label in rows:
        value = getattr(ctx.m.opt, name)
        low = float("-inf") if name in SIGNED else 0.0
        widgets.row(label, 5.5, about(f"opt.{name}"))
        if getattr(value, "shape", ()):
            new = widgets.vector(name, value, low)
        else:
            new = widgets.number(name, float(value), low)
        reveal.here(ctx, "physics", name)
        if new is not None:
            ctx.emit(SetField(f"opt.{name}", new))


def _flags(ctx: Context, field: str, labels: Any) -> None:
    bits = int(getattr(ctx.m.opt, field))
    word = "disabled" if field == "disableflags" else "enabled"
    widgets.check_grid(
        [(label, bool(bits >> i & 1), f"ticked: {word}") for i, label in enumerate(labels)],
        lambda i, on: ctx.emit(SetBit(field, 1 << i, on)),
    )


def _actuator_groups(ctx: Context) -> None:
    bits = int(ctx.m.opt.disableactuator)
    widgets.number_toggles(
        [not bits >> i & 1 for i in range(6)], lambda i, on: ctx.emit(SetBit("disableactuator", 1 << i, not on))
    )
