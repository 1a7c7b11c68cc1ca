"""The user interface over the view: toolbar, panels, overlays, palette. It gives them a Context and computes the free space."""

from __future__ import annotations

import time

from ..render.gl.picture import Pictures
from ..ui import (
    axes,
    browse,
    chooser,
    computing,
    demos,
    gizmo,
    grid,
    hover,
    labels,
    layout,
    leaving,
    limits,
    overlay,
    panels,
    rail,
    reveal,
    script_panels,
    search,
    start,
    statusbar,
    timeline,
    toolbar,
    viewmenu,
    widgets,
)
from ..ui.context import Context, Overlays
from ..ui.panel.contacts import Marks
from .gestures import Rect
from .pacing import REAL_TIME, SPEEDS
from .parts import Parts

# While only the simulation moves, panels are drawn once in this many frames, or after this many seconds.
KEPT_FRAMES, KEPT_SECONDS = 3, 0.1


class Interface:
    """The panels of a window."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        self.pictures = Pictures()
        # A stored layout without dock areas, or without the inspector, is damaged or comes from another version of the program.
        # In that case, request a preset, by which the next frame arranges all windows.
        kept = parts.config["layout"]
        classic = parts.config["workspace"] == "classic"
        ours = layout.is_sound(kept) and (classic or "###inspector" in kept)
        parts.scratch.of(layout.Wanted).preset = "" if ours else "classic" if classic else "default"
        # the part of the window that is left for the view
        self.area = 0.0, 0.0, 1.0, 1.0
        # Time when the panels were last drawn, and frames since then.
        self.drawn_at, self.kept = 0.0, 0
        # overlays of a script over the view
        self.user: Overlays | None = None
        if ours:
            parts.gui.restore(parts.config["layout"])

    def context(self) -> Context:
        """Return the Context of this frame, which panels receive."""
        s, gui, document = self.parts, self.parts.gui, self.parts.document
        theme = gui.restyle(s.config["theme"], s.config["font"], s.config["spacing"] == "wide")
        return Context(
            m=s.snapshot.m,
            d=s.snapshot.d,
            view=s.view,
            status=s.host.status.peek(),
            settings=s.config,
            keys=s.keys,
            emit=s.queue.append,
            theme=theme,
            fonts=gui.fonts,
            telemetry=s.telemetry,
            log=s.messages.log,
            scratch=s.scratch,
            speeds=SPEEDS,
            real_time=REAL_TIME,
            path=document.path,
            loading=document.loading,
            slow=document.slow,
            failure=document.failure,
            notice=s.messages.draw(),
            notice_level=s.messages.level,
            fps=s.activity.rate,
            frame_ms=s.activity.work_ms,
            passive=s.host.passive,
            waiting=s.host.waiting,
            overlays=self.user,
            em=layout.em(),
            texture=self.pictures.texture,
            pixels=s.window.pixels_per_unit,
            thumbnail=s.thumbnails.picture,
            imported=document.imported,
            shaping=s.editing.shaping.told if s.editing.shaping is not None else "",
            files=document.watcher.files,
            account=document.account,
            recording=s.filming.seconds,
            board=s.board,
            inset=s.insets.image,
            doctor=s.examiner.shown,
            samples=s.host.status.peek().samples,
            undo=s.undo,
            plugins=tuple(s.plugins.files.values()) if s.plugins else (),
            seen=s.seen,
        )

    def add_fonts(self) -> None:
        """Add the system's fonts once a text needs them and they are found."""
        s = self.parts
        if not s.gui.fonts.complete():
            return
        s.activity.wake()
        if lost := s.gui.fonts.missing():
            s.messages.note("info", f"No installed font has {lost[:20]}: install one, such as Noto Sans CJK")

    def stays(self) -> bool:
        """Return whether the panels can keep their last drawing: the user touches nothing, and changing numbers need not be
        updated in each frame.

        Labels and handles over the view are drawn in each frame, and so are panels in a film or a picture.
        """
        s, display = self.parts, self.parts.display
        self.kept += 1
        asked = (
            display.refined
            or display.shot
            or display.cuttings
            or display.photos.busy
            or s.filming.recorder is not None
            or s.scratch.of(layout.Wanted).preset
        )
        follows = (
            s.scratch.of(labels.Written).texts
            or display.labels
            or s.scratch.of(gizmo.Handles).at is not None
            or reveal.flashing(s.scratch)
            or s.scratch.of(limits.Drawn).any
        )
        late = self.kept >= KEPT_FRAMES or time.perf_counter() - self.drawn_at > KEPT_SECONDS
        return not (late or s.activity.touched or asked or follows or s.gui.busy())

    def draw(self) -> Rect:
        """Draw all panels; return the rectangle left for the view."""
        self.drawn_at, self.kept = time.perf_counter(), 0
        s, ctx = self.parts, self.context()
        widgets.TRACED = None if s.seen is None else s.seen.fresh_buttons()
        if s.config["bars"]:
            toolbar.draw(ctx)
            statusbar.draw(ctx)
            if not panels.classic(ctx):
                timeline.draw(ctx)
            rail.draw(ctx)

        ctx.view_rect = layout.dock_space(ctx.scratch)
        panels.draw_all(ctx)
        script_panels.draw(ctx)
        demos.draw(ctx)
        marks = ctx.scratch.of(Marks)
        s.view.pointed, marks.shapes = (*marks.shapes, *grid.shapes(ctx)), ()
        gizmo.draw(ctx)
        if ctx.scratch.of(gizmo.Handles).using:
            # The drag moves the handles, not the camera.
            s.gestures.cancel()
        overlay.draw(ctx)
        computing.draw(ctx)
        if ctx.m is not None:
            if s.config["bars"]:
                axes.draw(ctx)
            grid.draw(ctx)
            limits.draw(ctx)
        start.draw(ctx)
        if s.config["start"] and (s.gestures.dragging or s.undo.done):
            # Any action of the user closes the start page.
            s.config["start"] = False
        if ctx.m is not None:
            viewmenu.draw(ctx)
            if s.config["bars"]:
                hover.draw(ctx)
        search.draw(ctx)
        leaving.draw(ctx)
        browse.draw(ctx)
        chooser.draw(ctx)
        if ctx.m is None:
            s.gui.fill(ctx.theme["scene"])
        self.area = ctx.view_rect
        return Rect(*ctx.view_rect)

    def write(self, texts: list[tuple[float, float, str, float]]) -> None:
        """Write labels (x, y, text, depth) over the view, in framebuffer pixels from its lower left corner."""
        scale, height = self.parts.window.pixels_per_unit, self.parts.window.framebuffer[1]
        rows, written = [], self.parts.scratch.of(labels.Written)
        for x, y, text, depth in texts:
            self.parts.gui.fonts.see(text)
            rows.append(labels.Text(x / scale, (height - y) / scale, text, depth))
        written.texts = labels.draw(rows, written.texts, self.area)
