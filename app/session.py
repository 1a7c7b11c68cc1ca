"""The frame loop: events in, intents out, copy, scene, panels, picture. Everything here runs on the main thread."""

from __future__ import annotations

import math
import os
import sys
import time
import traceback
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import glfw

from .. import engine as mj
from ..render import scene as mjv
from ..render.gl import quality
from ..render.gl.image import read_rgb
from ..render.gl.lighting import LIGHTING
from ..render.gl.pane import Pane
from ..render.gl.picture import Pictures
from ..render.gl.renderer import Renderer
from ..ui import browse, layout, overlay, panels, search, statusbar, toolbar
from ..ui import intents as I
from ..ui.context import Context, Log, LogLine, Scratch, without_place
from ..ui.panel import source
from ..ui.telemetry import Telemetry
from . import actions, memory
from .config import Config
from .effort import BEST, Effort
from .gestures import Gestures, Rect
from .gui import Gui
from .keymap import KeyCodes, Keymap, no_text
from .loading import Failed, Loaded, Loader
from .pacing import REAL_TIME, SPEEDS, Pacer, RateMeter
from .record import Recorder
from .reload import Watcher
from .snapshot import Snapshot
from .transfer import differences, transfer
from .view import View
from .window import Window

AWAKE = 0.6          # seconds of drawing after the last thing that happened, while nothing moves,
AWAKE_FRAMES = 5     # and frames, which take longer on a slow machine: a click has its press, its release and what it opens
NAP = 0.1            # seconds between looks when nothing moves
NOTICE_SECONDS = 4.0
SEGMENT, FOG = int(mj.mjtRndFlag.mjRND_SEGMENT), int(mj.mjtRndFlag.mjRND_FOG)
RECENT = 12
# for a film to be complete when the window closes
FILM_SECONDS = 20.0
# settings go to the file this often, so that what was set survives a crash
SAVE_SECONDS = 10.0
# seconds after which a thread that computes in Python lets the other one in; the default would cost physics a slice each time
SWITCH = 0.0002


class Session:
    """One window on one simulation. `host` steps it: a Worker, or the script's own loop."""

    def __init__(self, window: Window, gui: Gui, config: Config, host: Any, loader: Loader | None = None) -> None:
        self.window, self.gui, self.config, self.host, self.loader = window, gui, config, host, loader
        self.keys = Keymap(config["keys"])
        self.codes = KeyCodes(glfw)
        self.queue: list[I.Intent] = []
        self.view = View(self.queue.append)
        self.gestures = Gestures(self.view)
        self.snapshot, self.telemetry = Snapshot(), Telemetry()
        self.watcher = Watcher()
        self.renderer: Renderer | None = None
        self.pane: Pane | None = None
        self.viewport = (0, 0, 0, 0)
        self.pictures = Pictures()
        self.account: Any = None
        self.effort, self.refined = Effort(window.refresh), False
        self.log, self.scratch = Log(), Scratch()
        self.path, self.shot = "", ""
        self.failure: Failed | None = None
        self.pending: Loaded | None = None
        self.notice, self.notice_until = "", 0.0
        # a layout without docking is none of ours
        self.arrange, self.browsing = "[Docking]" not in config["layout"], False
        self.save_at = time.perf_counter() + SAVE_SECONDS
        self.pacer, self.frames = Pacer(window.refresh), RateMeter(0.5)
        self.frame_count, self.work_ms = 0, 0.0
        self.awake_until, self.awake_frames = 0.0, 0
        self.key_callback: Any = None
        self.user: Any = None
        self.trace: Any = None
        self.given_up: list[str] = []
        self.recorder: Recorder | None = None
        self._restore_view()
        if not self.arrange:
            gui.restore(config["layout"])
        if config.damage:
            self.note("warning", f"the settings in {config.path} could not be read and start anew: {config.damage}")
        self._switch = sys.getswitchinterval()
        sys.setswitchinterval(SWITCH)
        window.listen(self)
        window.set_vsync(config["vsync"])
        self.wake()

    def _restore_view(self) -> None:
        """Flags and modes of the last session."""
        for name, flags in (("vis_flags", self.view.opt.flags), ("render_flags", self.view.render_flags)):
            for index, value in self.config[name].items():
                if index.isdecimal() and int(index) < len(flags):
                    flags[int(index)] = int(bool(value))
        for name, count in (("label", len(mjv.mjLABELSTRING)), ("frame", len(mjv.mjFRAMESTRING)), ("bvh_depth", 0), ("flex_layer", 0)):
            setattr(self.view.opt, name, self.config[name] % count if count else self.config[name])
        for kind, bits in self.config["groups"].items():
            groups = getattr(self.view.opt, f"{kind}group", None)
            if groups is not None:
                groups[:] = [bits >> i & 1 for i in range(len(groups))]
        for name in ("busy_wait", "pause_update"):
            if self.config[name]:
                self.host.post(I.SetLoop(name, True))

    # --- the loop -----------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Until the window closes."""
        self.watcher.start()
        try:
            while not self.finished():
                self.frame()
        finally:
            self.close()

    def finished(self) -> bool:
        """The window is to close. The first time, not over texts that were edited and not saved."""
        if not self.window.closing:
            return False
        edited = [] if self.host.passive else source.unsaved(self.scratch)
        if not edited or edited == self.given_up:
            return True
        self.given_up = edited
        self.window.close(False)
        names = ", ".join(os.path.basename(path) for path in edited)
        self.note("warning", f"{names}: edited in Panels > Source and not saved. Quit again to leave it so", show=True)
        return False

    def frame(self) -> None:
        """One picture, or a nap while nothing moves."""
        now = time.perf_counter()
        if self.asleep and self.refined:
            self.window.wait(NAP)
        else:
            self.window.poll()
        self._listen()
        self._apply()
        if self.trace:
            self.trace.sample(self, now)
        # the last picture before a nap is drawn with all effort
        was, self.refined = self.refined, self.asleep
        if was and self.refined:
            return
        begin = time.perf_counter()
        if self.snapshot.take(self.host.sim) and self.config["profiler"] | self.config["info"]:
            self.telemetry.sample(self.snapshot.m, self.snapshot.d)
        self.gui.smooth(self.refined or self.effort.smooth or not self.config["adaptive"])
        self.gui.begin()
        self._panels()
        self.gui.end(self._picture)
        self.pictures.sweep()
        self._screenshot()
        self._record(panels=True)
        self.work_ms = 0.9 * self.work_ms + 0.1 * 1e3 * (time.perf_counter() - begin)
        self.window.swap()
        if not self.refined:
            self.effort.feed(1e3 * (time.perf_counter() - begin))
        self._drawn()
        if now > self.save_at:
            self.save()
        self.pacer.wait()

    def _drawn(self) -> None:
        """One more frame is on the screen."""
        self.frame_count += 1
        self.awake_frames = max(0, self.awake_frames - 1)
        self.frames.add(time.perf_counter(), float(self.frame_count))

    @property
    def moving(self) -> bool:
        """Something changes by itself."""
        status = self.host.status.peek()
        busy = self.loader is not None and self.loader.busy
        ending = self.recorder is not None and self.recorder.done.is_set()
        return bool(status.running and self.snapshot.m is not None or status.pause_update or busy or ending or self.gestures.dragging)

    @property
    def asleep(self) -> bool:
        """Nothing moves and nobody has touched anything for a while."""
        return time.perf_counter() > self.awake_until and not self.awake_frames and not self.moving

    def wake(self) -> None:
        """Something happened: draw for a while."""
        self.awake_until, self.awake_frames = time.perf_counter() + AWAKE, AWAKE_FRAMES

    # --- messages -----------------------------------------------------------------------------------------------

    def _listen(self) -> None:
        """Take what other threads sent."""
        for result in self.loader.results.drain() if self.loader else ():
            self._loaded(result) if isinstance(result, Loaded) else self._failed(result)
        for kind, value in self.host.replies.drain():
            self.wake()
            if kind == "swapped":
                self._swapped(value)
            elif kind == "clipboard":
                self.set_clipboard(value)
            else:
                self.note("error" if kind == "error" else "info", value)
        if self.config["auto_reload"] and self.watcher.take():
            self.reload(self.config["keep_state"])

    def _apply(self) -> None:
        """Carry out what was asked for since the last frame."""
        while self.queue:
            batch, self.queue[:] = list(self.queue), []
            self.wake()
            for intent in batch:
                if intent.target == "sim":
                    self._remember(intent)
                    self.host.post(intent)
                    continue
                try:
                    actions.apply(self, intent)
                except Exception as error:
                    self.on_error(error)

    def _remember(self, intent: I.Intent) -> None:
        """Settings of the loop outlive the session like all others."""
        if isinstance(intent, I.SetLoop) and intent.name in self.config.values:
            self.config[intent.name] = bool(intent.value)

    def load(self, path: str, keep_state: bool = False) -> None:
        """Ask for a model; the one on screen goes on."""
        if self.loader:
            self.loader.request(path, keep_state)
            self.wake()

    def reload(self, keep_state: bool = False) -> None:
        """Compile the current file again."""
        path = self.failure.path if self.failure else self.path
        if path:
            self.load(path, keep_state)
        elif self.host.passive:
            self.note("warning", "this script gave the viewer no loader: launch_passive(..., loader=...)", show=True)

    def _loaded(self, result: Loaded) -> None:
        self.pending = result
        memory.keep(self)
        # a model that the compiler warned about starts paused
        running = False if result.warning else None
        same = result.keep_state and result.path == self.path
        self.host.swap(result.model, result.data, running, transfer if same else None)

    def _swapped(self, report: Any) -> None:
        """The simulation runs the new model: show it."""
        result, self.pending = self.pending, None
        if result is None:
            return
        fresh = result.path != self.path
        old = None if fresh else self.snapshot.m
        self.path, self.failure = result.path, None
        self.snapshot.adopt(result.model, result.copy)
        self.snapshot.take(self.host.sim)
        self.gestures.cancel()
        self.view.adopt(result.model, result.copy, align=fresh)
        if self.renderer is None:
            self.renderer = Renderer()
            self.pane = Pane(self.renderer)
            self.effort = Effort(self.window.refresh, str(self.renderer.device))
        self.renderer.upload(result.model)
        self.telemetry.clear()
        self.watcher.watch(result.files)
        self.window.set_title(f"{os.path.basename(self.path)} - Tumble")
        recent = [self.path, *(p for p in self.config["recent"] if p != self.path)]
        self.config["recent"] = tuple(recent[:RECENT])
        self.note("info", f"loaded {os.path.basename(self.path)} in {result.seconds:.2f} s", show=fresh and result.seconds > 0.25)
        if fresh or report is None:
            memory.recall(self, fresh)
        changed = differences(old, result.model) if old is not None and not self.host.passive else []
        self.account = (time.strftime("%H:%M:%S"), report, changed)
        if report is not None:
            self.note("warning" if report.lost else "info", f"reloaded: {report.text()}", show=True)
        if result.warning:
            self.note("warning", result.warning, show=True)
        self.wake()

    def _failed(self, result: Failed) -> None:
        """Say why; the old model stays. The files are watched on, so that the repair is noticed."""
        self.failure = result
        text = without_place(result.message) if result.line else result.message
        self.log.add(LogLine(time.strftime("%H:%M:%S"), "error", text, result.file, result.line))
        self.watcher.watch(result.files, self.watcher.files)
        self.wake()

    def note(self, level: str, text: str, show: bool = False) -> None:
        """Put a line in the console; `show` also puts it over the view for a few seconds."""
        self.log.add(LogLine(time.strftime("%H:%M:%S"), level, text))
        if show or level != "info":
            self.notice, self.notice_until = text.splitlines()[-1] if text else "", time.perf_counter() + NOTICE_SECONDS
        self.wake()

    def set_clipboard(self, text: str) -> None:
        glfw.set_clipboard_string(None, text)
        self.note("info", "copied to the clipboard", show=True)

    # --- drawing ------------------------------------------------------------------------------------------------

    def context(self) -> Context:
        """What panels see this frame."""
        if self.notice and time.perf_counter() > self.notice_until:
            self.notice = ""
        gui, snapshot = self.gui, self.snapshot
        theme = gui.restyle(self.config["theme"], self.config["font"], self.config["spacing"] == "wide")
        loading = os.path.basename(self.loader.busy) if self.loader else ""
        if loading and self.loader and self.loader.detail:
            loading += f": {self.loader.detail}"
        return Context(snapshot.m, snapshot.d, self.view, self.host.status.peek(), self.config, self.keys, self.queue.append,
                       theme, gui.fonts, self.telemetry, self.log, self.scratch, SPEEDS, REAL_TIME, self.path, loading,
                       self.failure, self.notice, self.frames.rate or 0.0, self.work_ms, self.host.passive, self.user,
                       em=layout.em(), texture=self.pictures.texture, pixels=self.window.pixels_per_unit,
                       files=self.watcher.files, account=self.account,
                       recording=self.recorder.seconds if self.recorder is not None else None)

    def _panels(self) -> None:
        """Submit the interface, and note the rectangle that is left for the view."""
        ctx = self.context()
        toolbar.draw(ctx)
        statusbar.draw(ctx)
        ctx.view_rect = layout.dock_space(self.arrange, self.scratch)
        self.arrange = False
        panels.draw_all(ctx)
        overlay.draw(ctx)
        search.draw(ctx)
        self.browsing = browse.draw(ctx, self.browsing)
        if ctx.m is None:
            self.gui.fill(ctx.theme["scene"])
        rect = Rect(*ctx.view_rect)
        self.gestures.rect, self.view.aspect = rect, rect.w / rect.h
        scale, height = self.window.pixels_per_unit, self.window.framebuffer[1]
        self.viewport = (int(rect.x * scale), int(height - (rect.y + rect.h) * scale), int(rect.w * scale), int(rect.h * scale))

    def _picture(self) -> None:
        """The 3D view, into its part of the window."""
        self.view.stereo = int(mj.mjtStereo.mjSTEREO_SIDEBYSIDE) if self.config["stereo"] else 0
        scene = self.view.update()
        if scene is None or self.renderer is None or self.pane is None:
            return
        self.renderer.quality, resolution = self.quality_now()
        self.renderer.background = self.background
        self.renderer.labels.scale = 0.01 * self.config["font"] * self.window.dpi * self.window.pixels_per_unit
        self.renderer.lighting = LIGHTING[self.config["lighting"]]
        self.pane.draw(scene, self.viewport, resolution)
        self._record(panels=False)

    @property
    def background(self) -> tuple[float, float, float]:
        """What shows where the model has no sky; black behind colours that stand for ids, the colour of the fog behind fog."""
        if self.view.render_flags[SEGMENT]:
            return 0.0, 0.0, 0.0
        if self.view.render_flags[FOG] and self.snapshot.m is not None:
            red, green, blue = (float(x) for x in self.snapshot.m.vis.rgba.fog[:3])
            return red, green, blue
        color = self.gui.theme["scene"]
        return color.x, color.y, color.z

    def quality_now(self) -> tuple[quality.Quality, float]:
        """What this machine keeps up with, capped by what the model asks for; all of it for a picture that stands still."""
        own = quality.from_model(self.snapshot.m)
        if not self.config["adaptive"]:
            return own, 1.0
        row = BEST if self.refined else self.effort.row
        return quality.capped(own, **asdict(quality.LEVELS[row.level])), row.scale

    def _screenshot(self) -> None:
        """Save the whole window as the person sees it."""
        if self.shot and self.renderer is not None:
            path, self.shot = self.shot, ""
            save_png(path, read_rgb(0, *self.window.framebuffer))
            self.note("info", f"saved {os.path.abspath(path)}", show=True)

    def _record(self, panels: bool) -> None:
        """Give the recorder the picture it lacks: the view before anything is drawn over it, or the whole window."""
        film = self.recorder
        if film is None or panels != self.config["record_panels"]:
            return
        if film.done.is_set():
            self.recorder = None
            self.note("error" if film.error else "info", film.text, show=True)
            return
        speed = SPEEDS[self.host.status.peek().speed] / 100
        if math.isinf(speed):
            speed = self.host.status.peek().measured or 1.0
        if film.due(float(self.snapshot.d.time), speed):
            x, y, w, h = (0, 0, *self.window.framebuffer) if panels else self.viewport
            film.add(read_rgb(0, w, h, x, y))

    # --- events -------------------------------------------------------------------------------------------------

    def on_key(self, key: int, scancode: int, action: int, mods: int) -> None:
        self.wake()
        # outside of text fields Tab belongs to the panels, not to ImGui's walk from field to field
        if key != glfw.KEY_TAB or action == glfw.RELEASE or self.gui.wants_text:
            self.gui.key(key, scancode, action, mods)
        chord = self.codes.chord(key, mods)
        if self.key_callback and action != glfw.REPEAT and not self.gui.wants_text:
            self.key_callback(key, action, mods)
        if action == glfw.RELEASE or not chord:
            return
        if waiting := self.scratch.numbers.pop("rebind", ""):
            # escape gives the change up
            if chord != "Esc":
                self.queue.append(I.Rebind(waiting, chord))
            return
        if (self.gui.wants_text or self.config["palette"]) and not no_text(chord):
            return
        found = self.keys.find(chord)
        if found and (action == glfw.PRESS or found.repeat):
            self.queue.append(found.make())

    def on_char(self, code: int) -> None:
        self.gui.char(code)

    def on_button(self, button: int, action: int, mods: int, x: float, y: float) -> None:
        self.wake()
        self.gui.move(x, y)
        if action == glfw.PRESS:
            if not self.gui.over_panel(x, y):
                self.gestures.press(button, mods, x, y, time.perf_counter())
        else:
            self.gestures.release(button)
        self.gui.button(button, action == glfw.PRESS)

    def on_move(self, mods: int, x: float, y: float) -> None:
        self.wake()
        self.gui.move(x, y)
        self.gestures.move(mods, x, y)

    def on_wheel(self, x: float, y: float, dx: float, dy: float) -> None:
        self.wake()
        if self.gui.over_panel(x, y) or not self.gestures.wheel(x, y, dy):
            self.gui.wheel(dx, dy)

    def on_drop(self, paths: Sequence[str]) -> None:
        self.wake()
        if paths and self.loader:
            self.load(paths[0])

    def on_focus(self, focused: bool) -> None:
        self.wake()
        self.gui.focus(focused)
        if not focused:
            self.gestures.cancel()

    def on_resize(self) -> None:
        self.wake()

    def on_error(self, error: Exception) -> None:
        """Something that was asked for failed: say so and go on."""
        self.note("error", f"{type(error).__name__}: {error}")
        print("".join(traceback.format_exception(error)), file=sys.stderr)

    # --- end ----------------------------------------------------------------------------------------------------

    def save(self) -> None:
        """Write what outlives the session."""
        self.save_at = time.perf_counter() + SAVE_SECONDS
        self.config["layout"] = self.gui.layout()
        memory.keep(self)
        if not self.window.fullscreen:
            self.config["maximized"] = self.window.maximized
            # the size to come back to from the whole screen is not known
            if not self.window.maximized:
                self.config["window"] = tuple(self.window.size)
        self.config.save()

    def close(self) -> None:
        """Stop the threads, keep the settings, free the window."""
        sys.setswitchinterval(self._switch)
        if self.recorder is not None:
            self.recorder.join(FILM_SECONDS)
            print(self.recorder.text)
        self.watcher.stop()
        if self.loader:
            self.loader.stop()
        self.host.stop()
        self.save()
        if self.trace:
            self.trace.close()
        self.pictures.close()
        if self.pane is not None and self.renderer is not None:
            self.pane.close()
            self.renderer.close()
        self.gui.close()
        self.window.destroy()


def save_png(path: str, pixels: Any) -> None:
    """Write an (h, w, 3) array of bytes, top row first."""
    from PIL import Image

    Image.fromarray(pixels).save(path)
