"""One window on one simulation: its parts, and the frame loop that turns them. Everything here runs on the main thread.

events (window -> intents)     document (the model file)     activity (when to draw)      settings (what is kept)
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
from ..ui import leaving, plotting, reveal
from ..ui.board import Board, run
from ..ui.context import Scratch
from ..ui.names import name, names
from ..ui.panel import source
from ..ui.telemetry import Telemetry
from . import actions, memory, settings, undo_rows
from .activity import Activity
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
from .history import INTEGRATION
from .host import Host
from .insets import Insets
from .interface import Interface
from .keymap import Keymap
from .loading import Loader
from .messages import Messages
from .pacing import Pacer
from .parts import Parts
from .plugins import Plugins
from .snapshot import Snapshot
from .trace import Trace
from .trajectory import from_states
from .undo import Undo
from .view import View
from .window import Window

# seconds after which a thread that computes in Python lets the other one in; the default would cost physics a slice each time
SWITCH = 0.0002
# seconds a picture that may go into following input; pictures before which it is not followed
INPUT_SECONDS, FIRST_FRAMES = 0.5, 3
# seconds after a keyframe or a reload at which its picture is there
LOOK_SECONDS = 0.3
# seconds that the simulation may take to do what was asked for, before input goes on without it
FOLLOW_SECONDS = 0.05


class Session:
    """One window on one simulation. `host` steps it: a Worker, or the script's own loop."""

    # seconds between looks when nothing moves
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

        # its parts refer to it weakly: a closed session is freed at once, not when the collector happens to run
        me = weakref.proxy(self)
        self.activity = Activity(lambda: me.moving())
        self.messages = Messages(self.activity.wake)
        self.document = Document(host, loader, config, self.messages, self.activity.wake, lambda: memory.keep(me.parts))
        self.editing = Editing(host, self.document, self.snapshot, self.undo, self.messages, self.scratch)
        self.display = Display(window, gui, config, self.view)
        self.examiner = Examiner(self.activity.wake)
        self.filming = Filming(config, self.messages)
        self.drafts = Drafts(config.path.parent / FOLDER)
        self.parts = self._parts()

        # the selection that a script was last told of
        self.selection = self.view.element
        self.interface = Interface(self.parts)
        self.events = Events(self.parts)
        self.saver = settings.Saver(config, gui, window, lambda: memory.keep(me.parts))
        self.pacer = Pacer(window.refresh)
        self.trace: Trace | None = None
        self.document.opened.follow(self.show, self.forget, self.remember)

        # what was last said of kernels and of a model that is being read
        self.shown: tuple[Progress | None, str] = (None, "")

        # how long to wait for events when nothing moves, and whether others draw in this thread, too
        self.nap, self.shared = self.NAP, False

        # whether the simulation was asked for something since the last frame of the panels
        self._posted = False

        self._title = ""

        # when to look whether a keyframe or a reload has left the view
        self._look_at = 0.0

        settings.restore(self.view, host, config)
        if config.damage:
            self.messages.note("warning", f"the settings in {config.path} could not be read and start anew: {config.damage}")
        self._switch = sys.getswitchinterval()
        sys.setswitchinterval(SWITCH)
        window.listen()
        window.set_vsync(config["vsync"])
        self.activity.wake()

    def _parts(self) -> Parts:
        """What panels, actions and events take what they need from."""
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
            keys=self.keys,
            telemetry=self.telemetry,
            queue=self.queue,
            undo=self.undo,
            scratch=self.scratch,
        )

    # --- the loop -----------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Until the window closes."""
        self.document.watcher.start()
        if self.parts.plugins:
            self.parts.plugins.watch()
        try:
            while not self.finished():
                self.frame()
        finally:
            self.close()

    def finished(self) -> bool:
        """The window is to close; over texts that were edited and not saved only if the person says so."""
        if not self.window.closing:
            return False
        if self.parts.parting or not self.parts.asks(I.Quit()):
            return True
        self.window.close(False)
        return False

    def frame(self) -> None:
        """One picture, or a nap while nothing moves."""
        now, display, activity = time.perf_counter(), self.display, self.activity
        if activity.asleep and display.refined and not self.window.inbox:
            self.window.wait(self.nap)
        else:
            self.window.poll()
        if self.shared:
            self.enter()
        self.take_input()
        self.listen()
        self.apply()
        self.tell_script()
        self.retitle()
        if self.trace:
            self.trace.sample(self.parts, now)
        if self.unseen():
            self.saver.save_if_due(now)
            self.window.wait(self.NAP)
            return

        # the last picture before a nap is drawn with all effort
        was, display.refined = display.refined, activity.asleep
        if was and display.refined:
            return

        begin = time.perf_counter()
        self.find_again(now)
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

        # a script that draws has its own pace
        if self.nap:
            self.pacer.wait()

    def retitle(self) -> None:
        """The window is called by its model, and says when it waits for a script."""
        m = self.snapshot.m
        title = "Tumble" if m is None else f"{self.document.title(m)} - Tumble"
        title = f"{title} (waiting for the script)" if self.host.waiting and m is not None else title
        if title != self._title:
            self._title = title
            self.window.set_title(title)
            self.activity.wake()

    def find_again(self, now: float) -> None:
        """After a keyframe or a reload: frame what moves, if it has left the view."""
        if not self._look_at or now < self._look_at:
            return
        self._look_at = 0.0
        if self.view.lost():
            # no entry of its own to undo: that belongs to what the person did
            self.view.frame(True)
            self.messages.note("info", "framed again: what moves had left the view", show=True)

    def unseen(self) -> bool:
        """Whether no picture is needed: the window is minimised, and none goes into a file."""
        display = self.display
        files = self.filming.recorder is not None or display.shot or display.cuttings or display.photos.busy
        return not files and not self.shared and self.activity.frame_count > FIRST_FRAMES and self.window.hidden

    def keep_drafts(self) -> None:
        """Write down what was typed and not saved."""
        self.drafts.follow(self.scratch.of(source.Texts).panes)
        if self.drafts.failure:
            self.messages.note("warning", self.drafts.failure)
            self.drafts.failure = ""

    def recover(self) -> None:
        """Bring back texts of the model's files that a crash left unsaved."""
        found = self.drafts.take(self.document.watcher.files)
        for draft in found:
            pane = source.recover(self.scratch, draft.path, draft.text)
            pane.conflict = pane.changed and digest(pane.file) != draft.base
        # this window's own drafts are there before the others go
        self.keep_drafts()
        for draft in found:
            self.drafts.forget(draft.path)
        texts = self.scratch.of(source.Texts)
        if back := [draft for draft in found if texts.panes[draft.path].changed]:
            names = ", ".join(os.path.basename(draft.path) for draft in back)
            self.queue.append(I.ShowPanel("source", True))
            texts.file = back[0].path
            self.messages.note("warning", f"unsaved changes of {names} are back: Save keeps them, Revert discards them")

    def take_input(self) -> None:
        """Handle what the window heard, with frames of the panels between what may depend on them; what takes too long waits
        for the next picture.
        """
        if self.window.inbox:
            # what the last frame asked for has been done by now
            self.snapshot.take(self.host.sim)
        end = time.perf_counter() + INPUT_SECONDS
        while (
            (self.events.feed() or self.gui.behind) and self.activity.frame_count > FIRST_FRAMES and time.perf_counter() < end
        ):
            self.apply()
            self.follow_input()

    def follow_input(self) -> None:
        """A frame of the panels without a picture: they, and the scene that clicks meet, follow what was done."""
        self.gui.begin(self.events.closing_popups(), brief=True)
        rect = self.interface.draw()
        self.gestures.rect = rect
        self.display.place(rect)
        self.gui.skip()
        if self._posted:
            # a pull begins where the one before has left its body
            self.host.follow(FOLLOW_SECONDS)
            self.snapshot.take(self.host.sim)
        self._posted = False
        self.view.update()
        self.events.release()

    def enter(self) -> None:
        """What this thread draws next goes into this window."""
        self.window.make_current()
        self.gui.enter()

    def draw(self) -> None:
        """Panels, the view under them, and the picture for files."""
        film = self.filming.recorder is not None and self.config["record_panels"]
        self.display.best = film or bool(self.display.shot and self.display.size is None)
        if self.interface.stays():
            self.gui.again(self.display.draw)
            return
        self.gui.smooth(self.display.smooth)
        self._posted = False
        # keys whose release waits in line are not held
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
        """Pictures that were asked for become files, those of the studio after a while."""
        photos = self.display.photos
        before = photos.path if photos.busy else ""
        for path in (self.display.screenshot(), *self.display.cut(), photos.develop()):
            if path:
                self.messages.note("info", f"saved {path}", show=True)
        if photos.busy and photos.path != before:
            self.messages.note("info", "taking a picture in the studio", show=True)

    def picture(self) -> None:
        """The 3D view, before the panels are drawn over it."""
        if self.display.draw():
            self.interface.write(self.display.labels)
            self.parts.insets.draw(self.display)
            self.film(panels=False)

    def film(self, panels: bool) -> None:
        """Give a film that is being recorded its picture."""
        if self.filming.recorder is not None:
            self.filming.feed(panels, float(self.snapshot.d.time), self.host.status.peek(), self.display.grab)

    def moving(self) -> bool:
        """Something changes by itself."""
        status = self.host.status.peek()
        running = status.running and not status.held and self.snapshot.m is not None and not self.host.waiting
        asked = leaving.waiting(self.scratch) is not None
        shown = (
            asked or self.gestures.dragging or self.view.menu is not None or self.view.gliding or reveal.flashing(self.scratch)
        )
        return running or shown or self.flight.moving or status.pause_update or self.display.photos.busy or self.filming.ending

    # --- messages -----------------------------------------------------------------------------------------------

    def listen(self) -> None:
        """Take what other threads sent."""
        self.document.listen()
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

        # what is on the screen while a model is read or compiled hardly changes, and whoever does it needs the processor
        shown = self.host.status.peek().compiling, self.document.loading
        if shown != self.shown and self.activity.glance():
            self.shown = shown
        self.document.follow()
        self.editing.follow()
        if self.parts.plugins:
            self.follow_plugins(self.parts.plugins)

    def keep_past(self, states: np.ndarray) -> None:
        """Show past states as a motion."""
        m, ghosts = self.view.m, self.view.ghosts
        if m is None or ghosts is None or len(states) < 2 or states.shape[1] != mj.mj_stateSize(m, INTEGRATION):
            self.messages.note("info", "nothing has happened yet", show=True)
            return
        motion = from_states(m, states, f"run {len(ghosts.rows) + 1}")
        ghosts.add(motion, float(motion.time[0]))
        text = (
            f"{motion.name}: the last {motion.duration:.3g} s stay to compare with: go back to {motion.time[0]:.3g} s, or reset"
        )
        self.messages.note("info", text, show=True)

    def follow_plugins(self, plugins: Plugins) -> None:
        """Say what became of plugins; what was saved is in use at once, and the model is compiled again with its motion
        kept.
        """
        saved = plugins.changed()
        for row in plugins.take_news():
            if row.error:
                self.messages.add("error", f"plugin {os.path.basename(row.path)}: {row.error}", row.path, row.line)
            else:
                self.messages.note(
                    "info", f"plugins of {os.path.basename(row.path)}: {', '.join(row.names) or 'none'}", show=bool(saved)
                )
        if any(not row.error for row in saved):
            self.document.reload(keep_state=True)

    def apply(self) -> None:
        """Carry out what was asked for since the last frame."""
        while self.queue:
            batch, self.queue[:] = list(self.queue), []
            self.activity.wake()
            for intent in batch:
                if intent.target == "sim":
                    self.saver.remember(intent)
                    self.host.post(intent)
                    self._posted = True
                    if isinstance(intent, I.LoadKey) and not self.view.lost():
                        self._look_at = time.perf_counter() + LOOK_SECONDS
                    continue
                try:
                    entry = undo_rows.entry_of(self.parts, intent)
                    actions.apply(self.parts, intent)
                    if entry is not None:
                        self.undo.push(entry)
                        if intent in self.events.spoken:
                            self.messages.note("info", f"{entry.title}   ({self.keys.chord('undo')} takes it back)", show=True)
                except Exception as error:
                    self.messages.failed(error)
            self.events.spoken.clear()

    def show(self, opened: Opened) -> None:
        """Another model comes on screen."""
        result, old = opened.result, opened.old

        # what nobody saw before need not be found again
        seen = not opened.fresh and not self.view.lost()
        self.snapshot.adopt(result.model, result.copy)
        self.snapshot.take(self.host.sim)
        self.gestures.cancel()
        selected = None if old is None else (self.view.element[0], name(old, *self.view.element))
        self.view.adopt(result.model, result.copy, align=opened.fresh)
        self.reselect(selected)
        self.display.upload(result.model)
        if seen:
            self._look_at = time.perf_counter() + LOOK_SECONDS

    def forget(self, opened: Opened) -> None:
        """What was of the last model goes."""
        self.telemetry.clear()
        self.examiner.forget(opened.result.model)
        if not self.host.passive and opened.before:
            self.undo.changed(opened.before, opened.result.path)

    def remember(self, opened: Opened) -> None:
        """What is known of this model comes back."""
        plots = self.scratch.of(plotting.Plots)

        # another model has other numbers; of the same one, what is plotted is followed on
        self.host.post(I.Follow(() if opened.fresh else plotting.channels(plots.rows)))
        if opened.fresh:
            plots.rows = ()
        if opened.fresh or opened.report is None:
            memory.recall(self.parts, opened.fresh)
        if opened.fresh and not self.host.passive:
            self.recover()

    def reselect(self, selected: tuple[str, str] | None) -> None:
        """After a reload: select what was added, else what has the kind and name of what was selected."""
        m = self.snapshot.m
        if (found := self.editing.select()) is None and selected is not None and selected[1] in (rows := names(m, selected[0])):
            found = selected[0], rows.index(selected[1])
        if found is not None and found != ("body", 0):
            self.view.select_element(*found)

    def adopt(self, m: mj.MjModel, d: mj.MjData) -> None:
        """Show a model that a script made; `d` is Data of its own that nobody else touches."""
        self.document.present(m, d)
        self.listen()

    # --- scripts ------------------------------------------------------------------------------------------------

    def attach(self, board: Board) -> None:
        """Show what a script puts on its board, and let it hear what happens."""
        self.parts.board = self.view.board = board
        board.wake = self.activity.wake

    def tell_script(self) -> None:
        """Tell a script what is selected now; where the viewer steps by itself, call its functions while nothing moves."""
        board = self.parts.board
        if board is None:
            return
        if self.view.element != self.selection:
            self.selection = self.view.element
            board.say("select", *self.selection)
        if board.calls and not self.host.passive:
            with self.host.sim.lock:
                for error in run(board):
                    self.messages.failed(error)

    # --- end ----------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Stop the threads, keep the settings, free the window."""
        sys.setswitchinterval(self._switch)
        self.filming.close()
        self.examiner.stop()
        self.document.close()
        if self.parts.plugins:
            self.parts.plugins.stop()
        self.host.stop()
        if (board := self.parts.board) is not None:
            board.clear()
            board.wake = self.parts.board = self.view.board = None
        self.undo.clear()
        self.keep_drafts()
        self.saver.save()
        if self.trace:
            self.trace.close()
        self.interface.pictures.close()
        self.parts.insets.close()
        self.display.close()
        self.view.close()
        self.gui.close()
        self.window.destroy()
