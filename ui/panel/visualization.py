"""Visualization panel: every field of the model's visual settings and statistics, editable while the simulation runs."""

from __future__ import annotations

from typing import Any

import numpy as np
from imgui_bundle import imgui

from .. import live, widgets
from ..context import Context
from ..intents import SetField

# {section: rows of (path, label, type)}. Types: f float, c color (3 or 4 numbers), v vector, or a tuple of choices.
ROWS: dict[str, tuple] = {
    "Headlight": (
        ("vis.headlight.active", "Active", ("Off", "On")),
        ("vis.headlight.ambient", "Ambient", "c"),
        ("vis.headlight.diffuse", "Diffuse", "c"),
        ("vis.headlight.specular", "Specular", "c"),
    ),
    "Free camera": (
        ("vis.global_.orthographic", "Projection", ("Perspective", "Orthographic")),
        ("vis.global_.fovy", "Field of view", "f"),
        ("stat.center", "Center", "v"),
        ("vis.global_.azimuth", "Azimuth", "f"),
        ("vis.global_.elevation", "Elevation", "f"),
    ),
    "Global": (
        ("stat.extent", "Extent", "f"),
        ("vis.global_.ellipsoidinertia", "Inertia", ("Box", "Ellipsoid")),
        ("vis.global_.bvactive", "BVH active", ("False", "True")),
        ("vis.global_.linewidth", "Line width", "f"),
        ("vis.global_.glow", "Glow", "f"),
    ),
    "Map": tuple(
        (f"vis.map.{n}", label, "f")
        for n, label in (
            ("stiffness", "Stiffness"),
            ("stiffnessrot", "Rot stiffness"),
            ("force", "Force"),
            ("torque", "Torque"),
            ("alpha", "Alpha"),
            ("fogstart", "Fog start"),
            ("fogend", "Fog end"),
            ("znear", "Z near"),
            ("zfar", "Z far"),
            ("haze", "Haze"),
            ("shadowclip", "Shadow clip"),
            ("shadowscale", "Shadow scale"),
            ("actuatortendon", "Actuator tendon"),
        )
    ),
    "Scale": (
        ("stat.meansize", "All (mean size)", "f"),
        *(
            (f"vis.scale.{n}", label, "f")
            for n, label in (
                ("forcewidth", "Force width"),
                ("contactwidth", "Contact width"),
                ("contactheight", "Contact height"),
                ("connect", "Connect"),
                ("com", "Com"),
                ("camera", "Camera"),
                ("light", "Light"),
                ("selectpoint", "Select point"),
                ("jointlength", "Joint length"),
                ("jointwidth", "Joint width"),
                ("actuatorlength", "Actuator length"),
                ("actuatorwidth", "Actuator width"),
                ("framelength", "Frame length"),
                ("framewidth", "Frame width"),
                ("constraint", "Constraint"),
                ("slidercrank", "Slider-crank"),
                ("frustum", "Frustum"),
            )
        ),
    ),
    "Colors": tuple(
        (f"vis.rgba.{n}", label, "c")
        for n, label in (
            ("fog", "Fog"),
            ("haze", "Haze"),
            ("force", "Force"),
            ("inertia", "Inertia"),
            ("joint", "Joint"),
            ("actuator", "Actuator"),
            ("actuatornegative", "Act. negative"),
            ("actuatorpositive", "Act. positive"),
            ("com", "Com"),
            ("camera", "Camera"),
            ("light", "Light"),
            ("selectpoint", "Select point"),
            ("connect", "Connect"),
            ("contactpoint", "Contact point"),
            ("contactforce", "Contact force"),
            ("contactfriction", "Contact friction"),
            ("contacttorque", "Contact torque"),
            ("contactgap", "Contact gap"),
            ("rangefinder", "Range finder"),
            ("constraint", "Constraint"),
            ("slidercrank", "Slider-crank"),
            ("crankbroken", "Crank broken"),
            ("frustum", "Frustum"),
            ("bv", "Bounding volume"),
            ("bvactive", "BV active"),
        )
    ),
}


def value_of(m: Any, path: str) -> Any:
    """Return the value at a dotted path, starting at the model."""
    for part in path.split("."):
        m = getattr(m, part)
    return m


def draw(ctx: Context) -> None:
    for title, rows in ROWS.items():
        flags = imgui.TreeNodeFlags_.span_avail_width | (imgui.TreeNodeFlags_.default_open if title == "Headlight" else 0)
        if imgui.tree_node_ex(title, flags):
            imgui.unindent(imgui.get_style().indent_spacing)
            for path, label, kind in rows:
                _row(ctx, path, label, kind)
            if title == "Free camera":
                widgets.button_row(ctx, (("align", "Align", True),), 1)
            imgui.indent(imgui.get_style().indent_spacing)
            imgui.tree_pop()
    live.button(ctx, "visual", width=-1e-3)


def _row(ctx: Context, path: str, label: str, kind: Any) -> None:
    value = value_of(ctx.m, path)
    widgets.row(label, 8.2)
    if isinstance(kind, tuple):
        new = widgets.radio(int(value), kind)
    elif kind == "c":
        new = widgets.color(path, value, alpha=len(value) == 4)
    elif kind == "v":
        new = widgets.vector(path, np.asarray(value))
    else:
        new = widgets.number(path, float(value))
    if new is not None:
        ctx.emit(SetField(path, new))
