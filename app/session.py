"""A session: one window on one simulation, its parts and its frame loop. Everything here runs on the main thread.

events (window -> intents)    document (the model file)   activity (when to draw)     settings (what is kept)
interface (panels)             display (3D view)             filming (films)              messages (console, notices)
"""

from __future__ import annotations

import os
import sys
import time
import weakref

import numpy as np

from .. import engine as mj
from ..ui import intents as I
from ..ui import leaving, playback, plotting, reveal
from ..ui.context import Scratch
from ..ui.element_names import name, names
from ..ui.panel import source
from ..ui.telemetry import Telemetry
from . import actions, memory, recordings, saving, settings, undo_rows
from .activity import Activity
from .additions import Additions
from .compiling import Progress
from .config import Config
from .display import Display
from .doctor.examine import Examiner
from .document import Document, Opened
from .drafts import FOLDER, Drafts, digest
from .editing import Editing
from .events import Events
from .filming import Filming
from .fly import Flight
from .gestures import Gestures
from .gui import Gui
from .host import Host
from .insets import Insets
from .interface import Interface
from .keymap import Keymap
from .loading import Loader
from .messages import Messages
from .pacing import SPEEDS, Pacer
from .parts import Parts
from .snapshot import Snapshot
from .state_history import INTEGRATION
from .thumbnails import FOLDER as THUMBNAILS
from .thumbnails import Thumbnails
from .trace import Trace
from .trajectory import from_states
from .undo import Undo
from .view import View
from .window import Window

# Python's thread switch interval in seconds. With the default, the physics thread would lose a slice at each switch.
SWITCH = 0.0002
# Seconds that a frame may spend on input, and number of frames at the start that handle no input.
INPUT_SECONDS, FIRST_FRAMES = 0.5, 3
# seconds until the picture after a keyframe or a reload is drawn
LOOK_SECONDS = 0.3
# seconds to wait for the simulation to apply requests before more input is processed
FOLLOW_SECONDS = 0.05


class Session:
    """One window on one simulation. `host` steps it: a Worker, or the script's own loop."""

    # seconds between checks while nothing moves
    NAP = 0.1

    def __init__(self, window: Window, gui: Gui, config: Config, host: Host, loader: Loader | None = None) -> None:
        self.window, self.gui, self.config, self.host = window, gui, config, host
        self.keys = Keymap(config["keys"])
        self.queue: list[I.Intent] = []
        self.undo = Undo()
        self.view = View(self.queue.append)
        self.gestures = Gestures(self.view)
        self.flight = Flight(window, self.view)
        self.snapshot, self.telemetry, self.scratch = Snapshot(), Telemetry(), Scratch()

        # Parts refer to the session weakly, so that a closed session is freed at once, not by the garbage collector.
        me = weakref.proxy(self)
        self.activity = Activity(lambda: me.moving())
        self.messages = Messages(self.activity.wake, gui.fonts.see)
        self.document = Document(host, loader, config, self.messages, self.activity.wake, lambda: memory.keep(me.parts))
        self.editing = Editing(host, self.document, self.snapshot, self.undo, self.messages, self.scratch)
        self.display = Display(window, gui, config, self.view, host.passive)
        self.examiner = Examiner(self.activity.wake)
        self.filming = Filming(config, self.messages)
        self.drafts = Drafts(config.path.parent / FOLDER)
        self.parts = self._parts()

        self.additions = Additions(self.parts)
        self.interface = Interface(self.parts)
        self.events = Events(self.parts)
        self.saver = settings.Saver(config, gui, window, lambda: memory.keep(me.parts))
        self.pacer = Pacer(window.refresh)
        self.trace: Trace | None = None
        self.document.opened.follow(self.show, self.forget, self.remember)

        # the last shown progress of kernels and of loading, and whether loading is slow
        self.shown: tuple[Progress | None, str, bool] = None, "", False

        # Seconds to wait for events while nothing moves, and whether this thread also draws other windows.
        self.nap, self.shared = self.NAP, False

        # whether something was requested from the simulation since the last frame of the panels
        self._posted = False
        # whether the simulation steps in longer bursts, because the window is minimised
        self._relaxed, self._title = False, ""
        # when to check whether a keyframe or a reload has moved things out of the view
        self._look_at = 0.0

        gui.fonts.see(" ".join(config["recent"]))
        settings.restore(self.view, host, config)
        if config.damage:
            self.messages.note(
                "warning", f"The settings in {config.path} could not be read, so it is replaced: {config.damage}"
            )
        self._switch = sys.getswitchinterval()
        sys.setswitchinterval(SWITCH)
        window.listen()
        window.set_vsync(config["vsync"])
        self.activity.wake()

    def _parts(self) -> Parts:
        """Return the parts that panels, actions and events use."""
        return Parts(
            window=self.window,
            gui=self.gui,
            config=self.config,
            host=self.host,
            activity=self.activity,
            messages=self.messages,
            document=self.document,
            view=self.view,
            display=self.display,
            gestures=self.gestures,
            snapshot=self.snapshot,
            editing=self.editing,
            examiner=self.examiner,
            filming=self.filming,
            insets=Insets(),
            thumbnails=Thumbnails(self.config.path.parent / THUMBNAILS, self.activity.wake),
            keys=self.keys,
            telemetry=self.telemetry,
            queue=self.queue,
            undo=self.undo,
            scratch=self.scratch,
        )

    # --- the loop -----------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Run the frame loop until the window closes."""
        self.document.watcher.start()
        if self.parts.plugins:
            self.parts.plugins.watch()
        try:
            while not self.finished():
                self.frame()
        finally:
            self.close()

    def finished(self) -> bool:
        """Return whether to close the window. If there are unsaved changes, the user must confirm."""
        if not self.window.closing:
            return False
        if self.parts.parting or not self.parts.asks(I.Quit()):
            return True
        self.window.close(False)
        return False

    def frame(self) -> None:
        """Draw one frame, or rest while nothing moves."""
        now = time.perf_counter()
        if self.activity.asleep and self.display.refined and not self.window.inbox:
            self.window.wait(self.nap)
        else:
            self.window.poll()
        begin, busy = time.perf_counter(), time.thread_time()
        drawn = self.turn(now)
        self.activity.held(time.perf_counter() - begin, time.thread_time() - busy)
        if self._relaxed:
            self.window.wait(self.NAP)
        elif drawn and self.nap:
            # Wait until the next picture is due, unless a script decides when to draw it.
            self.pacer.wait()

    def turn(self, now: float) -> bool:
        """Handle input and messages, and draw a frame if one is needed. Return whether it was drawn."""
        display, activity = self.display, self.activity
        if self.shared:
            self.enter()
        self.take_input()
        self.listen()
        self.apply()
        self.additions.follow()
        self.retitle()
        if self.trace:
            self.trace.sample(self.parts, now)
        unseen = self.unseen()
        if unseen != self._relaxed:
            self._relaxed = unseen
            self.host.relax(unseen)
        if unseen:
            self.saver.save_if_due(now)
            return False

        # The last frame before a rest is drawn in full quality.
        was, display.refined = display.refined, activity.asleep
        if was and display.refined:
            return False

        begin = time.perf_counter()
        self.find_again(now)
        self.play(now)
        self.flight.advance(self.config["fly"] and not self.gui.wants_text, now)
        if self.snapshot.take(self.host.sim) and self.config["profiler"] | self.config["info"]:
            self.telemetry.sample(self.snapshot.m, self.snapshot.d)
        self.draw()
        self.keep_drafts()
        activity.worked(time.perf_counter() - begin)
        self.window.swap()
        if not display.refined:
            display.effort.feed(1e3 * (time.perf_counter() - begin))
        activity.drawn(time.perf_counter() - begin)
        self.saver.save_if_due(now)
        return True

    def retitle(self) -> None:
        """Set the window's title: the model's name, and whether the window waits for its script."""
        m = self.snapshot.m
        title = "Tumble" if m is None else f"{self.document.title(m)} - Tumble"
        title = f"{title} (waiting for the script)" if self.host.waiting and m is not None else title
        if title != self._title:
            self._title = title
            self.window.set_title(title)
            self.activity.wake()

    def play(self, now: float) -> None:
        """Advance the playing of recorded states."""
        if self.scratch.of(playback.Playback).rate:
            status, film = self.host.status.peek(), self.filming.recorder
            speed = min(SPEEDS[status.speed] / 100, 100.0)
            for intent in playback.advance(self.scratch, status, now, speed, film is not None and not film.behind):
                self.host.post(intent) if intent.target == "sim" else self.queue.append(intent)
            if film is not None:
                # The next picture of the film shows this state.
                self.host.follow(FOLLOW_SECONDS)
            self.activity.wake()

    def find_again(self, now: float) -> None:
        """After a keyframe or a reload, frame the moving bodies if they have left the view."""
        if not self._look_at or now < self._look_at:
            return
        self._look_at = 0.0
        if self.view.lost():
            # Framing needs no separate undo entry, because it belongs to the user's action.
            self.view.frame(True)
            self.messages.note("info", "The view was adjusted, because the moving bodies had left it", show=True)

    def unseen(self) -> bool:
        """Return whether no frame is needed: the window is minimised, and nothing is being recorded."""
        display = self.display
        files = self.filming.recorder is not None or display.saving
        return not files and not self.shared and self.activity.frame_count > FIRST_FRAMES and self.window.hidden

    def keep_drafts(self) -> None:
        """Save drafts of unsaved changes, and report changes of other programs that were merged."""
        saving.merged(self.parts)
        self.drafts.follow(self.scratch.of(source.Texts).panes)
        if self.drafts.failure:
            self.messages.note("warning", self.drafts.failure)
            self.drafts.failure = ""

    def recover(self) -> None:
        """Restore texts of the model's files that were unsaved when a session crashed, unless they are edited here already."""
        edited = source.unsaved(self.scratch)
        found = self.drafts.take(path for path in self.document.watcher.files if path not in edited)
        for draft in found:
            pane = source.recover(self.scratch, draft.path, draft.text)
            if pane.changed and digest(pane.file) != draft.base:
                pane.doubt()
        # Write this window's drafts before those of the crashed session are removed.
        self.keep_drafts()
        for draft in found:
            self.drafts.forget(draft.path)
        texts = self.scratch.of(source.Texts)
        if back := [draft for draft in found if texts.panes[draft.path].changed]:
            names = ", ".join(os.path.basename(draft.path) for draft in back)
            self.queue.append(I.ShowPanel("source", True))
            texts.file = back[0].path
            self.messages.note("warning", f"Unsaved changes of {names} were restored: Save keeps them, Revert discards them")

    def take_input(self) -> None:
        """Handle input events, and draw panels between events that depend on them. Input that takes too long waits for the next
        frame.
        """
        if self.window.inbox:
            # Requests of the last frame have been applied by now.
            self.snapshot.take(self.host.sim)
        end = time.perf_counter() + INPUT_SECONDS
        while (
            (self.events.feed() or self.gui.behind) and self.activity.frame_count > FIRST_FRAMES and time.perf_counter() < end
        ):
            self.apply()
            self.follow_input()

    def follow_input(self) -> None:
        """Run the panels without drawing, so that they and the scene for clicks reflect earlier events."""
        self.gui.begin(self.events.closing_popups(), brief=True)
        rect = self.interface.draw()
        self.gestures.rect = rect
        self.display.place(rect)
        self.gui.skip()
        if self._posted:
            # A pull starts where the previous one has left its body.
            self.host.follow(FOLLOW_SECONDS)
            self.snapshot.take(self.host.sim)
        self._posted = False
        self.view.update()
        self.events.release()

    def enter(self) -> None:
        """Make this the window that this thread draws into."""
        self.window.make_current()
        self.gui.enter()

    def draw(self) -> None:
        """Draw the view, the panels over it, and frames for films."""
        film = self.filming.recorder is not None
        if film and not self.display.filmed:
            self.display.start_film()
        self.display.filmed = film
        self.display.best = film or bool(self.display.shot and self.display.size is None)
        if self.interface.stays():
            self.gui.again(self.display.draw)
            return
        self.gui.smooth(self.display.smooth)
        self._posted = False
        # While events wait in the inbox, a key may be released already, so keys must not repeat.
        self.gui.begin(self.events.closing_popups(), brief=bool(self.window.inbox) or self.gui.behind)
        rect = self.interface.draw()
        self.gestures.rect = rect
        self.display.place(rect)
        self.window.poll()
        self.gui.end(self.picture)
        self.window.poll()
        self.events.release()
        self.interface.pictures.sweep()
        self.save_pictures()
        self.film(panels=True)

    def save_pictures(self) -> None:
        """Save requested pictures. Studio pictures take several frames."""
        photos = self.display.photos
        before = photos.path if photos.busy else ""
        self.display.screenshot()
        self.display.cut()
        if (developed := photos.develop()) is not None:
            self.display.save(*developed)
        self.messages.saved(self.display.exports.finished())
        if photos.busy and photos.path != before:
            self.messages.note("info", "Rendering a studio picture", show=True)

    def picture(self) -> None:
        """Draw the 3D view, before the panels are drawn over it."""
        if self.display.draw(lambda: self.film(panels=False)):
            self.interface.write(self.display.labels)
            self.parts.insets.draw(self.display)

    def film(self, panels: bool) -> None:
        """Pass a frame to the film that is being recorded."""
        if self.filming.recorder is not None:
            self.filming.feed(panels, float(self.snapshot.d.time), self.host.status.peek(), self.display.grab)

    def moving(self) -> bool:
        """Return whether something changes by itself."""
        status = self.host.status.peek()
        running = status.running and not status.held and self.snapshot.m is not None and not self.host.waiting
        asked = leaving.waiting(self.scratch) is not None
        shown = (
            asked
            or self.display.uploading
            or self.gestures.dragging
            or self.view.menu is not None
            or self.view.gliding
            or reveal.flashing(self.scratch)
        )
        return running or shown or self.flight.moving or status.pause_update or self.display.saving or self.filming.ending

    # --- messages -----------------------------------------------------------------------------------------------

    def listen(self) -> None:
        """Process messages of other threads."""
        failure = self.document.failure
        self.document.listen()
        if self.document.failure and self.document.failure is not failure:
            # A file that cannot be loaded may have a draft, too.
            self.recover()
        self.queue += self.document.wishes
        self.document.wishes.clear()
        for kind, value in self.host.replies.drain():
            self.activity.wake()
            if kind == "swapped":
                self.document.swapped(value)
            elif kind == "done":
                self.undo.push(value)
            elif kind == "examine":
                self.examiner.begin(value)
            elif kind == "past":
                self.keep_past(value)
            elif kind == "warned":
                self.messages.warned(value)
            elif kind == "failed":
                self.messages.failed(value)
            elif kind == "clipboard":
                self.parts.set_clipboard(value)
            else:
                self.messages.note("error" if kind == "error" else "info", value, show=kind == "saved")

        self.interface.add_fonts()
        self.messages.follow()
        # While a model is read or compiled, the screen hardly changes, and compiling needs the processor.
        shown = self.host.status.peek().compiling, self.document.loading, self.document.slow
        if shown != self.shown and self.activity.glance():
            self.shown = shown
        self.document.follow()
        recordings.follow(self.parts)
        self.editing.follow()
        self.additions.follow_plugins()

    def keep_past(self, states: np.ndarray) -> None:
        """Show past states as a motion."""
        m, ghosts = self.view.m, self.view.ghosts
        if m is None or ghosts is None or len(states) < 2 or states.shape[1] != mj.mj_stateSize(m, INTEGRATION):
            self.messages.note("info", "Nothing has been recorded yet", show=True)
            return
        motion = from_states(m, states, f"Run {len(ghosts.rows) + 1}")
        ghosts.add(motion, float(motion.time[0]))
        back = f"go back to {motion.time[0]:.3g} s, or reset"
        text = f"{motion.name}: the last {motion.duration:.3g} s are kept for comparison; {back}"
        self.messages.note("info", text, show=True)

    def apply(self) -> None:
        """Apply requests since the last frame."""
        if not self.queue:
            return
        while self.queue:
            # Actions may queue more intents, so continue until the queue is empty.
            batch, self.queue[:] = list(self.queue), []
            self.activity.wake()
            for intent in batch:
                if intent.target == "sim":
                    if playback.heard(self.scratch, intent, self.queue):
                        continue
                    self.saver.remember(intent)
                    self.host.post(intent)
                    self._posted = True
                    # A keyframe may move the bodies out of view. If they are in view now, check once it is drawn.
                    if isinstance(intent, I.LoadKey) and not self.view.lost():
                        self._look_at = time.perf_counter() + LOOK_SECONDS
                    continue
                try:
                    # The undo entry needs the values from before the action.
                    entry = undo_rows.entry_of(self.parts, intent)
                    actions.apply(self.parts, intent)
                    if entry is not None:
                        self.undo.push(entry)
                        if intent in self.events.spoken:
                            self.messages.note("info", f"{entry.title}   ({self.keys.chord('undo')} to undo)", show=True)
                except Exception as error:
                    self.messages.failed(error)
            self.events.spoken.clear()
        # A text that was saved or discarded must not come back if the process is killed before the next picture.
        self.keep_drafts()

    def show(self, opened: Opened) -> None:
        """Show another model on screen."""
        result, old = opened.result, opened.old

        # If the bodies were out of view before, do not move the camera to them.
        seen = not opened.fresh and not self.view.lost()
        self.snapshot.adopt(result.model, result.copy)
        self.snapshot.take(self.host.sim)
        self.gestures.cancel()
        self.gui.fonts.see(f"{bytes(result.model.names).decode(errors='ignore')} {result.path}")
        selected = [] if old is None else [(kind, name(old, kind, i)) for kind, i in self.view.chosen]
        self.view.adopt(result.model, result.copy, align=opened.fresh, stage=result.stage)
        self.reselect(selected)
        self.display.upload(result.model, result.assets)
        if seen:
            self._look_at = time.perf_counter() + LOOK_SECONDS

    def forget(self, opened: Opened) -> None:
        """Clear the data of the last model."""
        self.telemetry.clear()
        if opened.fresh:
            self.scratch.of(playback.Playback).clear()
        self.examiner.forget(opened.result.model)
        if not self.host.passive and opened.before:
            self.undo.changed(opened.before, opened.result.path)

    def remember(self, opened: Opened) -> None:
        """Restore the plots, settings and drafts that were kept for this model."""
        plots = self.scratch.of(plotting.Plots)

        # Another model has other channels; the same model keeps its plots.
        self.host.post(I.Follow(() if opened.fresh else plotting.channels(plots.rows)))
        if opened.fresh:
            plots.rows = ()
        if opened.fresh or opened.report is None:
            memory.recall(self.parts, opened.fresh)
        if opened.fresh and not self.host.passive:
            self.recover()

    def reselect(self, selected: list[tuple[str, str]]) -> None:
        """After a reload, select the added element, or else the elements whose kinds and names were selected before."""
        m = self.snapshot.m
        again = [(kind, names(m, kind).index(label)) for kind, label in selected if label in names(m, kind)]
        if (fresh := self.editing.select()) is not None:
            again = [fresh]
        for kind, index in reversed([one for one in again if one != ("body", 0)]):
            self.view.toggle_element(kind, index)

    def adopt(self, m: mj.MjModel, d: mj.MjData) -> None:
        """Show a model made by a script; `d` is a separate Data for the window."""
        self.document.present(m, d)
        self.listen()

    # --- end ----------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Stop the threads, save the settings, free the window."""
        sys.setswitchinterval(self._switch)
        self.filming.close()
        self.examiner.stop()
        self.parts.thumbnails.stop()
        self.document.close()
        if self.parts.plugins:
            self.parts.plugins.stop()
        self.host.stop()
        self.additions.detach()
        self.undo.clear()

        self.keep_drafts()
        self.saver.save()
        if self.trace:
            self.trace.close()

        self.interface.pictures.close()
        self.parts.insets.close()
        self.display.exports.close()
        self.display.close()
        self.view.close()
        self.gui.close()
        self.window.destroy()
