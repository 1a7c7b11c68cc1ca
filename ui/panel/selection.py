"""Selection panel: the selected body, with its position and motion."""

from imgui_bundle import imgui

from .. import plotting, widgets
from ..context import Context
from ..element_names import name, names
from ..intents import SelectBody, SetCamera


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
        ("Inertia", m.body_inertia[body]),
        ("Position", d.xpos[body]),
        ("Rotation", d.xquat[body]),
        ("Velocity", d.cvel[body][3:]),
        ("Spin", d.cvel[body][:3]),
        ("Applied", d.xfrc_applied[body]),
        ("Geoms", f"{m.body_geomnum[body]}"),
        ("Joints", f"{m.body_jntnum[body]}"),
    )
    for label, value in rows:
        if isinstance(value, str):
            widgets.value_line(ctx, label, value, 5.5)
        else:
            widgets.vector_line(ctx, label, value, 5.5)
        plotting.offer(ctx, label, lambda: plotting.of_body(m, body))
    half = 0.5 * (imgui.get_content_region_avail().x - imgui.get_style().item_spacing.x)
    if widgets.button("Select parent", ctx.tip("parent"), half):
        ctx.emit(SelectBody(-1))
    imgui.same_line()
    if widgets.button("Track", "", half, "Let the camera follow this body"):
        ctx.emit(SetCamera(1))
