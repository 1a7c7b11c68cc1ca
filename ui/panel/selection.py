"""Selection panel: the selected body, with its position and motion."""

import numpy as np
from imgui_bundle import imgui

from .. import plotting, widgets
from ..context import Context
from ..intents import SelectBody, SetCamera
from ..names import name, names


def draw(ctx: Context) -> None:
    m, d, body = ctx.m, ctx.d, ctx.view.selected
    widgets.row("Body", 5.5)
    if (new := widgets.choice("body", body, ["(nothing)", *names(m, "body")[1:]])) is not None:
        ctx.emit(SelectBody(new))
    if body <= 0:
        widgets.muted(ctx, "Double-click a body in the view to select it")
        return

    parent = int(m.body_parentid[body])
    rows = (
        ("Parent", name(m, "body", parent)),
        ("Mass", f"{m.body_mass[body]:.5g} kg"),
        ("Subtree", f"{m.body_subtreemass[body]:.5g} kg"),
        ("Inertia", _numbers(m.body_inertia[body])),
        ("Position", _numbers(d.xpos[body])),
        ("Rotation", _numbers(d.xquat[body])),
        ("Velocity", _numbers(d.cvel[body][3:])),
        ("Spin", _numbers(d.cvel[body][:3])),
        ("Applied", _numbers(d.xfrc_applied[body])),
        ("Geoms", f"{m.body_geomnum[body]}"),
        ("Joints", f"{m.body_jntnum[body]}"),
    )
    for label, text in rows:
        widgets.value_line(ctx, label, text, 5.5)
        plotting.offer(ctx, label, lambda: plotting.of_body(m, body))
    half = 0.5 * (imgui.get_content_region_avail().x - imgui.get_style().item_spacing.x)
    if widgets.button("Select parent", ctx.tip("parent"), half):
        ctx.emit(SelectBody(-1))
    imgui.same_line()
    if widgets.button("Track", "", half, "Let the camera follow this body"):
        ctx.emit(SetCamera(1))


def _numbers(values) -> str:
    return "  ".join(f"{x:.4g}" for x in np.asarray(values))
