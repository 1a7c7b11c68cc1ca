"""ImGui without a window or a GPU: frames are laid out and discarded. Also the inputs of a panel."""

from __future__ import annotations

from typing import Any

from imgui_bundle import ImVec2, imgui, implot

from tumble.app.config import Config
from tumble.app.keymap import Keymap
from tumble.app.pacing import REAL_TIME, SPEEDS
from tumble.app.simulation import Simulation
from tumble.app.undo import Undo
from tumble.app.view import View
from tumble.ui import computing, layout, overlay, panels, rail, search, statusbar, theme, timeline, toolbar
from tumble.ui.context import Context, Log, Scratch, Seen
from tumble.ui.telemetry import Telemetry

SIZE = (1400, 900)


class NullGui:
    """A context whose textures are discarded."""

    def __init__(self, name: str = "dark", percent: float = 100, size: tuple[int, int] = SIZE) -> None:
        self.context, self.plots = imgui.create_context(), implot.create_context()
        io = imgui.get_io()
        io.set_ini_filename("")
        io.display_size, io.delta_time = ImVec2(*size), 1 / 60
        io.config_flags |= imgui.ConfigFlags_.docking_enable
        io.backend_flags |= imgui.BackendFlags_.renderer_has_textures
        self.fonts, self.theme = theme.load_fonts(), theme.apply(name, percent, 1.0, False)

    def frame(self, draw) -> Any:
        """One frame; returns what `draw` returns."""
        imgui.new_frame()
        out = draw()
        imgui.render()
        for texture in imgui.get_platform_io().textures:
            if texture.status in (imgui.ImTextureStatus.want_create, imgui.ImTextureStatus.want_updates):
                texture.set_tex_id(1)
                texture.status = imgui.ImTextureStatus.ok
            elif texture.status == imgui.ImTextureStatus.want_destroy:
                texture.set_tex_id(0)
                texture.status = imgui.ImTextureStatus.destroyed
        return out

    def vertices(self) -> int:
        return imgui.get_draw_data().total_vtx_count

    def close(self) -> None:
        imgui.set_current_context(self.context)
        implot.set_current_context(self.plots)
        for texture in imgui.get_platform_io().textures:
            texture.set_tex_id(0)
            texture.status = imgui.ImTextureStatus.destroyed
        imgui.get_io().backend_flags &= ~imgui.BackendFlags_.renderer_has_textures
        implot.destroy_context(self.plots)
        imgui.destroy_context(self.context)


class Stage:
    """A simulation, a view and settings, enough for every panel."""

    def __init__(self, gui: NullGui, m: Any, d: Any, config: Config, path: str = "") -> None:
        self.gui, self.m, self.d, self.config = gui, m, d, config
        self.intents: list = []
        self.sim = Simulation(running=False)
        self.view = View(self.intents.append)
        if m is not None:
            self.sim.adopt(m, d)
            self.view.adopt(m, d, align=True)
        self.keys, self.telemetry, self.log, self.scratch = Keymap(), Telemetry(), Log(), Scratch()
        self.failure: Any = None
        self.undo = Undo()
        self.path, self.seen = path, Seen()
        self.scratch.of(layout.Wanted).preset = config["workspace"]

    def classic(self) -> Stage:
        """Arrange the panels as in simulate; return this Stage."""
        self.config["workspace"] = self.scratch.of(layout.Wanted).preset = "classic"
        self.config["panels"] = dict.fromkeys(layout.PRESETS["classic"].opened, True)
        return self

    def context(self) -> Context:
        if self.m is not None:
            self.telemetry.sample(self.m, self.d)
        return Context(
            self.m,
            self.d,
            self.view,
            self.sim.status(),
            self.config,
            self.keys,
            self.intents.append,
            self.gui.theme,
            self.gui.fonts,
            self.telemetry,
            self.log,
            self.scratch,
            SPEEDS,
            REAL_TIME,
            self.path,
            failure=self.failure,
            undo=self.undo,
            samples=self.sim.status().samples,
            em=layout.em(),
            seen=self.seen,
        )

    def everything(self) -> Context:
        """Draw the whole window once."""
        ctx = self.context()
        toolbar.draw(ctx)
        statusbar.draw(ctx)
        if not panels.classic(ctx):
            timeline.draw(ctx)
        rail.draw(ctx)
        ctx.view_rect = layout.dock_space(self.scratch)
        panels.draw_all(ctx)
        overlay.draw(ctx)
        computing.draw(ctx)
        search.draw(ctx)
        return ctx

    def frames(self, count: int = 3) -> Context:
        for _ in range(count):
            ctx = self.gui.frame(self.everything)
        return ctx

    def panel(self, name: str) -> Context:
        """Draw one panel in a separate window."""

        def draw() -> Context:
            ctx = self.context()
            imgui.set_next_window_size(ImVec2(400, 880))
            imgui.begin("test")
            panels.body(ctx, panels.BY_NAME[name])
            imgui.end()
            return ctx

        return self.gui.frame(draw)
