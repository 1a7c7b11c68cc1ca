"""Import: how the open robot, scene or mesh file was read. It shows arguments of xacro files, density of meshes, collision
shapes, overlapping bodies, and the report. A change imports the file again and keeps the motion.
"""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from imgui_bundle import imgui

from ...engine.description.robots.fitting import DECOMPOSE, HULL
from ...engine.description.robots.inertias import DENSITY
from .. import icons, widgets
from ..context import Context
from ..element_names import names
from ..intents import Exclude, OpenEditor, SelectElement, SetImport

# {word of an option: title}; the first row is the default
FITS = {
    HULL: "Convex hull",
    "auto": "Smallest shape",
    "box": "Box",
    "cylinder": "Cylinder",
    "capsule": "Capsule",
    DECOMPOSE: "Convex pieces",
}
FIT_HELP = (
    "Convex hull: fast, fills holes\nSmallest shape: the box, cylinder or capsule with the least volume\n"
    "Convex pieces: follow hollow meshes; needs the package coacd"
)
DRIVES = {"": "None", "position": "Position servos", "velocity": "Velocity servos", "motor": "Motors"}
# {scale factor of a mesh file: unit of its lengths}
UNITS = {1.0: "meters", 0.01: "centimeters", 0.001: "millimeters", 0.0254: "inches"}
# {severity: (color, icon)}
SEVERITY = {"error": ("bad", icons.ERROR), "repair": ("warn", icons.WRENCH), "note": ("muted", icons.INFO)}
LABEL, MOST_ROWS = 9.0, 40


@dataclass
class Typed:
    """Arguments that are typed but not applied yet, for one file."""

    path: str = ""
    texts: dict[str, str] = field(default_factory=dict)


def draw(ctx: Context) -> None:
    row = ctx.imported
    if row is None:
        widgets.muted(
            ctx,
            "This panel shows how a URDF, xacro, SDF, USD or mesh file was read. The open model is none of these.",
        )
        return

    # the file, and its report; a file that failed to load has arguments, but no report
    widgets.value_line(ctx, "File", os.path.basename(row.path), LABEL)
    widgets.tooltip(row.path)
    if row.report is not None:
        widgets.value_line(ctx, "Report", row.report.summary(), LABEL)
    if row.declared:
        _arguments(ctx, row)
    if row.report is None:
        return

    # sections that concern this kind of file
    if row.bare:
        _mesh(ctx, row)
    else:
        _tree(ctx, row)
    if row.report.collisions:
        _collisions(ctx, row)
    if row.report.overlaps or row.options.get("exclude"):
        _overlaps(ctx, row)
    _report(ctx, row.report)


def _set(ctx: Context, row: Any, **values: Any) -> None:
    ctx.emit(SetImport(row.path, row.changed(**values)))


def _arguments(ctx: Context, row: Any) -> None:
    """Draw a field for each argument of a xacro file."""
    widgets.heading("Arguments")
    typed, given = ctx.scratch.of(Typed), row.options.get("arguments", {})
    if typed.path != row.path:
        typed.path, typed.texts = row.path, {}

    # a field for each argument; typed texts are kept until the user applies them
    width = min(widgets.label_column(list(row.declared)), 14.0)
    entered = False
    for name, default in row.declared.items():
        now = typed.texts[name] if name in typed.texts else str(given.get(name, default or ""))
        needed = default is None and name not in given
        widgets.row(
            f"{name} *" if needed else name,
            width,
            "This argument has no default" if default is None else f"Default: {default or 'empty'}",
        )
        changed, text = imgui.input_text_with_hint(f"##{name}", "needed" if needed else "empty", now)
        widgets.trace(f"argument {name}")
        if changed:
            typed.texts[name] = text
        entered = entered or imgui.is_item_deactivated() and imgui.is_key_pressed(imgui.Key.enter)

    # apply the values that differ from those in use; values that equal a default are not stored
    pending = {name: text for name, text in typed.texts.items() if text != given.get(name, row.declared.get(name) or "")}
    imgui.begin_disabled(not pending)
    pressed = widgets.button(f"{icons.CHECK}  Apply", "Enter", 0.0, "Expand the file again with these arguments")
    imgui.end_disabled()
    if (pressed or entered) and pending:
        values = {**given, **pending}
        kept = {name: text for name, text in values.items() if text != row.declared.get(name)}
        typed.texts = {}
        _set(ctx, row, arguments=kept)
    if given:
        imgui.same_line()
        if widgets.button(f"{icons.UNDO}  Defaults", "", 0.0, "Use the file's own defaults again"):
            typed.texts = {}
            _set(ctx, row, arguments=None)


def _mesh(ctx: Context, row: Any) -> None:
    """Draw density and unit of a mesh that is opened alone, and the mass and inertia that result."""
    widgets.heading("Mesh")
    density = float(row.options.get("density", DENSITY))
    widgets.row("Density", LABEL, "kg/m^3: water 1000, plastic about 1200, aluminum 2700, steel 7850")
    if (new := widgets.number("density", density, 1e-3, 1e6)) is not None:
        _set(ctx, row, density=new if new != DENSITY else None)
    widgets.trace("density")
    scale = float(row.options.get("scale", 1.0))
    factors = list(UNITS)
    widgets.row("Unit", LABEL, "Unit of the lengths in the file; STL and OBJ files do not name it")
    at = factors.index(scale) if scale in factors else -1
    if (picked := widgets.choice("unit", at, list(UNITS.values()))) is not None:
        _set(ctx, row, scale=factors[picked] if factors[picked] != 1.0 else None)
    if ctx.m is not None and ctx.m.nbody > 1 and ctx.path == row.path:
        widgets.value_line(ctx, "Mass", f"{float(ctx.m.body_mass[1]):.5g} kg", LABEL)
        moments = " ".join(f"{float(x):.4g}" for x in ctx.m.body_inertia[1])
        widgets.value_line(ctx, "Inertia", f"{moments} kg m^2", LABEL)
    for entry in row.report.of("measured"):
        widgets.muted(ctx, entry.found)


def _tree(ctx: Context, row: Any) -> None:
    """Draw the controls for how the base is fixed, and for the actuators."""
    widgets.heading("Robot")
    widgets.row("Base", LABEL, "Whether links without a parent are fixed to the world")
    if (new := widgets.radio(int(bool(row.options.get("free"))), ("Fixed", "Free"))) is not None:
        _set(ctx, row, free=bool(new) or None)
    widgets.row("Actuators", LABEL, "Add an actuator to each driven joint, with a force range from its effort limit")
    words = list(DRIVES)
    if (new := widgets.choice("actuators", words.index(row.options.get("actuators", "")), list(DRIVES.values()))) is not None:
        _set(ctx, row, actuators=words[new] or None)


def _collisions(ctx: Context, row: Any) -> None:
    """Draw the choice of collision shapes that replace meshes: for all meshes, and for each file."""
    widgets.heading("Shapes that collide in place of a mesh")
    words, titles = list(FITS), list(FITS.values())
    every = row.options.get("fit", HULL)
    widgets.row("All meshes", LABEL, FIT_HELP)
    if (new := widgets.choice("every", words.index(every), titles)) is not None:
        _set(ctx, row, fit=words[new] if words[new] != HULL else None, own=None)

    # a choice for each mesh file, if there are several
    own = row.options.get("own", {})
    rows = list(row.report.collisions.items())
    if len(rows) == 1:
        widgets.muted(ctx, rows[0][1])
        return
    for file, result in rows[:MOST_ROWS]:
        with widgets.ident(file):
            widgets.row(os.path.basename(file), LABEL, file)
            if (new := widgets.choice("own", words.index(own.get(file, every)), titles)) is not None:
                _set(ctx, row, own={**own, file: words[new]})
            widgets.tooltip(result)
            if own.get(file, every) != HULL:
                widgets.muted(ctx, result)
    if len(rows) > MOST_ROWS:
        widgets.muted(ctx, f"and {len(rows) - MOST_ROWS} more files")


def _overlaps(ctx: Context, row: Any) -> None:
    """Draw pairs of bodies that overlap in the reference pose, and those whose collisions are turned off."""
    widgets.heading("Bodies that overlap in the reference pose")
    excluded = [tuple(pair) for pair in row.options.get("exclude", ())]
    left = {pair: depth for pair, depth in row.report.overlaps.items() if pair not in excluded}
    if len(left) > 1 and widgets.button(
        f"{icons.HIDE}  Exclude all {len(left)}", "", 0.0, "Turn off the collisions of all these pairs"
    ):
        ctx.emit(Exclude(tuple(left)))

    # pairs that collide, deepest first, then pairs that were excluded
    for pair, depth in list(left.items())[:MOST_ROWS]:
        with widgets.ident("/".join(pair)):
            if imgui.small_button("Exclude"):
                ctx.emit(Exclude((pair,)))
            widgets.trace("Exclude")
            widgets.tooltip("Turn off the collisions of these two bodies")
            imgui.same_line()
            _pair(ctx, pair, f"{1e3 * depth:.3g} mm")
    for pair in excluded[:MOST_ROWS]:
        with widgets.ident("/".join(("off", *pair))):
            if imgui.small_button(f"{icons.UNDO}"):
                _set(ctx, row, exclude=[list(one) for one in excluded if one != pair])
            widgets.tooltip("Let these two bodies collide again")
            imgui.same_line()
            _pair(ctx, pair, "do not collide")


def _pair(ctx: Context, pair: tuple[str, str], text: str) -> None:
    """Draw two bodies as links that select them, and a text after them."""
    for k, name in enumerate(pair):
        if k:
            imgui.text_unformatted("-")
            imgui.same_line()
        if imgui.text_link(f"{name}##{k}") and ctx.m is not None and name in (labels := names(ctx.m, "body")):
            ctx.emit(SelectElement("body", labels.index(name), True))
        imgui.same_line()
    widgets.muted(ctx, text, wrap=False)


def _report(ctx: Context, report: Any) -> None:
    """Draw all entries of the report; equal findings in the same file are one row."""
    widgets.heading("Report")
    if not len(report):
        widgets.muted(ctx, "Nothing was repaired")
        return

    # sort by severity, and keep what matches the filter
    text = widgets.filter_box(ctx, "report", "Filter the report") if len(report) > MOST_ROWS // 4 else ""
    order = list(SEVERITY)
    rows = sorted(report, key=lambda e: order.index(e.severity))
    counts = Counter(e.severity for e in rows if widgets.matches(text, f"{e.severity} {e.rule} {e.found} {e.done}"))
    shown = [e for e in rows if widgets.matches(text, f"{e.severity} {e.rule} {e.found} {e.done}")]

    # one row each: icon, line as a link, sentence
    for k, entry in enumerate(shown[: 5 * MOST_ROWS]):
        color, icon = SEVERITY[entry.severity]
        imgui.text_colored(ctx.theme[color], icon)
        widgets.tooltip(entry.severity)
        imgui.same_line()
        if entry.line:
            if imgui.text_link(f"{entry.line}##{k}"):
                ctx.emit(OpenEditor(entry.file, entry.line))
            widgets.tooltip(f"Open {os.path.basename(entry.file)} at line {entry.line}")
            imgui.same_line()
        imgui.push_text_wrap_pos(0.0)
        imgui.text_unformatted(f"{entry.found}; {entry.done}" if entry.done else entry.found)
        imgui.pop_text_wrap_pos()
    if len(shown) > 5 * MOST_ROWS:
        widgets.muted(ctx, f"and {len(shown) - 5 * MOST_ROWS} more: {dict(counts)}")
