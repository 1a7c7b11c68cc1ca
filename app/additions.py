"""Additions to a window: panels, marks and keys of a script or of plugin files, on one Board. Calls their functions."""

from __future__ import annotations

import os

import numpy as np

from ..render.scene import mjv_averageCamera
from ..ui.board import Board, run
from .addons import INCLUDED
from .parts import Parts
from .plugins import PluginFile


class Additions:
    """The Board of a window, and what it was last notified of. A script brings its own Board; plugin files share one."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        # the selection, and whether a model was shown, when the Board was last notified
        self.selection, self.model = parts.view.element, None
        # whether the Board belongs to the plugin files
        self.shared = False

    def attach(self, board: Board) -> None:
        """Show a Board; changes to it wake the window."""
        s = self.parts
        s.board = s.view.board = board
        board.wake, board.look = s.activity.wake, self._look

    def detach(self) -> None:
        """Empty the Board, because the window closes. A script may keep it, which must not keep the window alive."""
        s = self.parts
        if (board := s.board) is not None:
            board.clear()
            board.wake = board.look = s.board = s.view.board = None

    def _look(self) -> tuple[np.ndarray, np.ndarray]:
        """Return position and direction of the camera."""
        if not self.parts.view.ready:
            return np.zeros(3), np.zeros(3)
        camera = mjv_averageCamera(*self.parts.view.scn.camera)
        return np.array(camera.pos, float), np.array(camera.forward, float)

    def follow(self) -> None:
        """Notify the Board of what has changed. If the viewer steps, call the pending functions between two steps."""
        s, board = self.parts, self.parts.board
        if board is None:
            return
        if s.view.element != self.selection:
            self.selection = s.view.element
            board.say("select", *self.selection)
        if s.view.m is not self.model:
            self.model = s.view.m
            board.say("load")
        # A script that is slow to answer gets no second call for the same event.
        if board.hears("frame") and self.model is not None and not board.calls:
            board.say("frame")
        if board.calls and not s.host.passive:
            self._call(board)

    def _call(self, board: Board) -> None:
        with self.parts.host.sim.lock:
            # Set only during the calls, so that a Board does not keep an old model alive.
            sim = self.parts.host.sim
            board.simulated = sim.m, sim.d
            try:
                for error in run(board):
                    self.parts.messages.failed(error)
            finally:
                board.simulated = None, None

    # --- plugin files -----------------------------------------------------------------------------------------

    def follow_plugins(self) -> None:
        """Report the results of plugin files. Saved ones are used at once: the model is compiled again with its motion kept,
        and the panels of all plugin files are built again.
        """
        s, plugins = self.parts, self.parts.plugins
        if plugins is None:
            return
        included = tuple(name for name in INCLUDED if s.config[name])
        saved = plugins.changed() + (plugins.include(included) if included != plugins.included else [])
        news = plugins.take_news()
        for row in news:
            if row.error:
                self._report(row)
            else:
                s.messages.note("info", f"Plugins of {os.path.basename(row.path)}: {row.about()}", show=bool(saved))
        if news:
            self._build()
        if any(not row.error for row in saved):
            s.document.reload(keep_state=True)

    def _build(self) -> None:
        """Let the plugin files add to the window, unless it belongs to a script."""
        s, plugins = self.parts, self.parts.plugins
        assert plugins is not None
        if (s.board is not None and not self.shared) or not (self.shared or plugins.extending()):
            return
        if not self.shared:
            self.attach(Board())
            self.shared = True
        assert s.board is not None
        s.board.clear()
        self.model = None
        for row in plugins.extend(s.board):
            self._report(row)

    def _report(self, row: PluginFile) -> None:
        """Show the error of a plugin file."""
        self.parts.messages.add("error", f"Plugin {os.path.basename(row.path)}: {row.error}", row.path, row.line)
