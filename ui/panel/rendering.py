"""Rendering: camera, labels, frames, visible elements and effects."""

from ...render import scene as mjv
from ...render.gl.lighting import LIGHTING
from .. import icons, images, widgets
from ..context import Context
from ..element_names import names, sentence
from ..intents import SetCamera, SetRenderFlag, SetSetting, SetViewOption, SetVisFlag

STAGE = "Floor, lights and sky for models that have none: in the view only, never in the model; auto: not in windows of scripts"


def draw(ctx: Context) -> None:
    view = ctx.view
    widgets.row("Camera", 5.5)
    cameras = ["Free", "Tracking", *names(ctx.m, "camera")]
    if (new := widgets.choice("camera", view.camera, cameras)) is not None:
        ctx.emit(SetCamera(new))
    widgets.tooltip("Tracking follows the selected body" if view.selected <= 0 else "")

    for name, label, items in (("label", "Label", mjv.mjLABELSTRING), ("frame", "Frame", mjv.mjFRAMESTRING)):
        widgets.row(label, 5.5)
        if (new := widgets.choice(name, int(getattr(view.opt, name)), items)) is not None:
            ctx.emit(SetViewOption(name, new))
        widgets.tooltip(ctx.tip(name))

    widgets.row("Stereo", 5.5)
    if (new := widgets.radio(int(ctx.settings["stereo"]), ("Off", "Side by side"))) is not None:
        ctx.emit(SetSetting("stereo", bool(new)))
    widgets.row("Light", 5.5, "; ".join(f"{row.label}: {row.tip}" for row in LIGHTING.values()))
    looks = list(LIGHTING)
    if (new := widgets.radio(looks.index(ctx.settings["lighting"]), tuple(row.label for row in LIGHTING.values()))) is not None:
        ctx.emit(SetSetting("lighting", looks[new]))
    widgets.row("Stage", 5.5, STAGE)
    modes = ctx.settings.rows["stage"].choices
    with widgets.ident("stage"):
        new = widgets.radio(modes.index(ctx.settings["stage"]), tuple(word.capitalize() for word in modes))
    if new is not None:
        ctx.emit(SetSetting("stage", modes[new]))
    images.choice(ctx)
    widgets.button_row(ctx, (("align", "Align", True), ("copy_camera", f"{icons.COPY}  Copy camera", True)))
    widgets.heading("Model elements")
    flags = view.opt.flags
    widgets.check_grid(
        [(sentence(row[0]), bool(flags[i]), ctx.tip(f"vis.{row[0]}")) for i, row in enumerate(mjv.mjVISSTRING)],
        lambda i, on: ctx.emit(SetVisFlag(i, on)),
    )

    for name, label, high in (("bvh_depth", "Tree depth", 20), ("flex_layer", "Flex layer", 10)):
        widgets.row(label)
        changed, new = widgets.imgui.slider_int(f"##{name}", int(getattr(view.opt, name)), 0, high)
        if changed:
            ctx.emit(SetViewOption(name, new))

    widgets.heading("Effects")
    widgets.check_grid(
        [(sentence(row[0]), bool(view.render_flags[i]), ctx.tip(f"render.{row[0]}")) for i, row in enumerate(mjv.mjRNDSTRING)],
        lambda i, on: ctx.emit(SetRenderFlag(i, on)),
    )
