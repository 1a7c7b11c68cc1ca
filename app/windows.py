"""The windows of passive viewers, beside scripts. One thread draws all of them in turn, because neither glfw nor ImGui supports
several threads.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .. import engine as mj
from ..engine.machine.systems import release_memory
from ..render import scene as mjv
from ..ui import intents as I
from ..ui.board import Board
from ..ui.context import Overlays
from .channels import Queue
from .passive_host import PassiveHost

if TYPE_CHECKING:
    from .session import Session

# frames per second of a passive viewer with software rendering
SOFTWARE_HZ = 20.0
# Seconds that the thread sleeps per window if there are several, and seconds to wait for a window to close.
SHORT_NAP, CLOSING = 0.005, 10.0


class Viewer:
    """The window of one passive viewer. The drawing thread calls `make` to create its session."""

    def __init__(self, host: PassiveHost, make: Callable[[], Session], key_callback: Callable[..., None] | None) -> None:
        self.host, self.key_callback = host, key_callback
        self.overlays = Overlays()
        self.board: Board | None = None
        self.error: BaseException | None = None
        self.ready, self.ended = threading.Event(), threading.Event()
        self.inside = self._ending = False
        self._make, self._next = make, 0.0
        self._session: Session | None = None
        self._calls: Queue[tuple[Callable[[Any], None], threading.Event]] = Queue()

    @property
    def session(self) -> Any:
        """The window's session, which is available only after `ready` is set."""
        return self._session

    def open(self, inside: bool = False) -> bool:
        """Create the window and draw its first frames. Return False if this failed. `inside`: the script's thread draws the
        window.
        """
        self.inside = inside
        try:
            self._session = session = self._make()
            session.shared = inside
            session.interface.user = self.overlays
            session.events.key_callback = self.key_callback
            if self.board is not None:
                session.additions.attach(self.board)
            m, _d = self.host.sim.loaded
            session.adopt(m, mj.MjData(m))
            # Several frames are needed until the panels are arranged and the view has its final size.
            for _ in range(3):
                session.frame()
            if session.display.effort.software:
                # Drawing takes processor time from the script, so draw fewer frames.
                session.pacer.dt = 1 / SOFTWARE_HZ
            session.nap = 0.0 if inside else session.nap
        except BaseException as error:
            self.error = error
            self.host.closed.set()
            self.ended.set()

        self.ready.set()
        return self.error is None

    def frame(self) -> bool:
        """Draw one frame. If the user has closed the window, free everything and return False."""
        session = self.session
        try:
            if not session.finished():
                self.host.catch_up()
                session.frame()
                for function, done in self._calls.drain():
                    function(session)
                    done.set()
                return True
        except BaseException:
            self.end()
            raise
        self.end()
        return False

    def end(self) -> None:
        """Free the window."""
        if self._ending:
            return
        self._ending = True
        try:
            self.session.enter()
            self.session.close()
        finally:
            # Break the reference cycle: the script's handle refers to this window and its host, and both refer to the handle.
            self.board = self.host.board = self.host.turn = None
            release_memory()
            self.host.closed.set()
            self.ended.set()

    def turn(self) -> None:
        """Draw a frame if one is due. The script's thread calls this."""
        if not self.ended.is_set() and time.perf_counter() >= self._next:
            self.frame()
            self._next = time.perf_counter() + self.session.pacer.dt

    def call(self, function: Callable[[Any], None]) -> None:
        """Run a function on the window's thread, and wait for it to finish."""
        if self.inside:
            self.session.enter()
            function(self.session)
            return
        done = threading.Event()
        self._calls.put((function, done))
        self.session.activity.wake()
        while not (done.wait(0.1) or self.ended.is_set()):
            continue

    def viewport(self) -> Any:
        """Return the view's rectangle in the window."""
        return mjv.MjrRect(*self.session.display.viewport)

    def close(self) -> None:
        """Request that the window closes, and wait until it has closed."""
        if self._session is None or self.ended.is_set():
            return
        if self.inside:
            self.end()
            return
        self._session.queue.append(I.Quit(ask=False))
        self._session.window.wake()
        if threading.current_thread() is not Windows.thread:
            self.ended.wait(CLOSING)


class Windows:
    """The thread that draws all windows. It runs while there are windows."""

    lock = threading.Lock()
    thread: threading.Thread | None = None
    waiting: list[Viewer] = []  # noqa: RUF012
    shown: list[Viewer] = []  # noqa: RUF012

    @classmethod
    def show(cls, viewer: Viewer) -> None:
        """Open a window, and start to draw it."""
        with cls.lock:
            cls.waiting.append(viewer)
            if cls.thread is None:
                cls.thread = threading.Thread(target=cls._run, name="viewer", daemon=True)
                cls.thread.start()

    @classmethod
    def _run(cls) -> None:
        try:
            while cls._more():
                for viewer in list(cls.shown):
                    if not viewer.frame():
                        cls.shown.remove(viewer)
        finally:
            with cls.lock:
                for viewer in (*cls.shown, *cls.waiting):
                    viewer.host.closed.set()
                cls.thread = None
                cls.shown.clear()

    @classmethod
    def _more(cls) -> bool:
        """Open the windows that are waiting to be opened. Return False when no window is left."""
        with cls.lock:
            waiting, cls.waiting = cls.waiting, []
            if not waiting and not cls.shown:
                # The next call of `show` starts another thread.
                cls.thread = None
                return False
        for viewer in waiting:
            if viewer.open():
                cls.shown.append(viewer)
        for viewer in cls.shown:
            viewer.session.shared = viewer.session.shared or len(cls.shown) > 1
            viewer.session.nap = SHORT_NAP if len(cls.shown) > 1 else viewer.session.NAP
        return True
