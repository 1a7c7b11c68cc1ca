"""A record of a running session, for tests and bug reports: one JSON line for each sample, 20 samples per second.

`tumble view --trace FILE model.xml`. Samples hold what is visible from outside: time, speed, the selection and its pose,
the camera, flags, the last failure, frame and lock times, threads, memory.
"""

from __future__ import annotations

import dataclasses
import json
import threading
import time
from typing import Any

from imgui_bundle import imgui

from ..engine.machine.systems import process_start, resident_memory
from ..ui import browse, chooser, hover, labels, leaving, playback, rail
from ..ui.context import Filters, Seen
from ..ui.gizmo import Handles
from ..ui.panel import source
from ..ui.panel.watch import Watched
from ..ui.panels import PANELS
from ..ui.plotting import Plots
from .config import SETTINGS
from .doctor.examine import Examination
from .parts import Parts
from .simulation import Status
from .warned import Trouble

PERIOD = 0.05
SIMPLE = [row.name for row in SETTINGS if isinstance(row.default, bool | int | str) and row.name != "layout"]


class Trace:
    """Appends samples of a session to a file."""

    def __init__(self, path: str) -> None:
        self._file = open(path, "a", buffering=1, encoding="utf-8")
        self._next = 0.0
        self._begin = process_start()

    def sample(self, parts: Parts, now: float) -> None:
        """Write a sample if one is due."""
        parts.seen = parts.seen or Seen()
        if now < self._next:
            return
        self._next = now + PERIOD
        self._file.write(json.dumps(row(parts) | {"since_start": round(time.time() - self._begin, 3)}) + "\n")

    def close(self) -> None:
        self._file.close()


def windows() -> dict[str, list[float]]:
    """Return the positions of visible panels that have their own window."""
    found = {p.name: imgui.internal.find_window_by_name(f"{p.icon}  {p.title}###{p.name}") for p in PANELS}
    return {
        name: [w.pos.x, w.pos.y, w.size.x, w.size.y] for name, w in found.items() if w is not None and w.active and not w.hidden
    }


BOXES = ("trouble", "message", "info", "sensorplot", "palette", "welcome", "helpbox", "start", "hint")


def boxes() -> dict[str, list[float]]:
    """Return the positions of boxes over the view."""
    found = {name: imgui.internal.find_window_by_name(f"##{name}") for name in BOXES}
    return {
        name: [w.pos.x, w.pos.y, w.size.x, w.size.y] for name, w in found.items() if w is not None and w.active and not w.hidden
    }


def texts(parts: Parts) -> dict[str, list]:
    """Return the cursor's line, whether an error is marked, and whether another program changed the file, for each file in the
    source panel.
    """
    return {
        path: [pane.widget.get_main_cursor_position().line + 1, pane.widget.has_squiggles(), pane.conflict]
        for path, pane in parts.scratch.of(source.Texts).panes.items()
    }


def choosing(parts: Parts) -> list | None:
    """Return the names of the models in the open chooser, the chosen row, and the number of pictures that are ready."""
    state = parts.scratch.of(chooser.Choosing)
    if not state.opened:
        return None
    ready = sum(image is not None for image in parts.thumbnails.made.values())
    return [[row.name for row in state.found], state.row, ready]


def trouble(found: Trouble | None) -> list | None:
    """Return the element, text and count of a warning of the engine."""
    return [*found.element, found.text, found.count] if found else None


def doctor(shown: Examination) -> dict[str, Any]:
    """Return the doctor's activity, the first cause it found, and titles of remedies that helped."""
    report = shown.report
    first = report.causes[0].cause if report and report.causes else None
    return {
        "busy": shown.busy,
        "failed": shown.failed,
        "cause": [first.kind, *first.about] if first else None,
        "helped": [t.remedy.title for t in report.trials if t.helped] if report else [],
    }


def row(parts: Parts) -> dict[str, Any]:
    """Return one sample."""
    status, view = parts.host.status.peek(), parts.view
    m, d = parts.snapshot.m, parts.snapshot.d
    rect, cam = parts.gestures.rect, view.cam
    document = parts.document
    held, busy = parts.activity.take_longest()
    out = {
        "frame": parts.activity.frame_count,
        "fps": parts.activity.frames.rate,
        "inbox": len(parts.window.inbox),
        "work_ms": round(parts.activity.work_ms, 2),
        "uploading": parts.display.uploading,
        "held_ms": round(1e3 * held, 1),
        "busy_ms": round(1e3 * busy, 1),
        "path": document.path,
        "loading": document.loader.busy if document.loader else "",
        "generation": shown_generation(parts, status),
        "running": status.running,
        "speed": status.speed,
        "measured": status.measured,
        "history": status.history,
        "position": status.position,
        "stepped": status.stepped,
        "message": status.message,
        "trouble": trouble(status.trouble),
        "notice": parts.messages.notice,
        "failure": document.failure.message if document.failure else "",
        "failure_line": document.failure.line if document.failure else 0,
        "undo": [entry.title for entry in parts.undo.done[-8:]],
        "selected": view.selected,
        "perturbing": view.perturbing,
        "camera": view.camera,
        "azimuth": cam.azimuth,
        "elevation": cam.elevation,
        "distance": cam.distance,
        "lookat": [float(x) for x in cam.lookat],
        "vis_flags": [int(x) for x in view.opt.flags],
        "render_flags": [int(x) for x in view.render_flags],
        "label": int(view.opt.label),
        "frame_mode": int(view.opt.frame),
        "geomgroup": [int(x) for x in view.opt.geomgroup],
        "sitegroup": [int(x) for x in view.opt.sitegroup],
        "rect": [rect.x, rect.y, rect.w, rect.h],
        "settings": {name: parts.config[name] for name in SIMPLE},
        "detached": list(parts.config["detached"]),
        "watch": parts.scratch.of(Watched).rows,
        "noise": [status.noise_std, status.noise_rate],
        "fullscreen": parts.window.fullscreen,
        "browsing": parts.scratch.of(browse.Browsing).opened,
        "choosing": choosing(parts),
        "import": dict(document.imported.options) if document.imported else {},
        "element": list(view.element),
        "chosen": [list(one) for one in view.chosen],
        "size": list(parts.window.size),
    }
    out |= of_panels(parts, status)

    if d is not None:
        out |= {
            "time": float(d.time),
            "nbody": int(m.nbody),
            "qpos": [float(x) for x in d.qpos[:40]],
            "ctrl": [float(x) for x in d.ctrl[:20]],
            "xpos": [[float(x) for x in p] for p in d.xpos[:20]],
        }

    return out


def shown_generation(parts: Parts, status: Status) -> int:
    """Return the generation of the model in the window. If the simulation already has a newer model, return the number before
    that model's, because clicks in the window do not reach the newer model yet.
    """
    return status.generation if parts.snapshot.m is parts.host.sim.m else status.generation - 1


def of_panels(parts: Parts, status: Status) -> dict[str, Any]:
    """Return the values of a sample that describe panels, plots, source texts and threads."""
    view, meter, film = parts.view, parts.snapshot.meter, parts.filming.recorder
    seen, handles = parts.seen or Seen(), parts.scratch.of(Handles)
    return {
        "looks": {kind: [int(x) for x in modes[:20]] for kind, modes in view.looks.modes.items()} if view.looks else {},
        "compiling": dataclasses.astuple(status.compiling) if status.compiling else None,
        "pause_update": status.pause_update,
        "busy_wait": status.busy_wait,
        "puppet": status.puppet,
        "posing": status.posing,
        "begun": [list(row) for row in status.begun[-8:]],
        "panel_errors": parts.messages.log.count["error"],
        "log": [[line.level, line.text] for line in list(parts.messages.log.lines)[-8:]],
        "quality": parts.display.effort.index,
        "panels": parts.config["panels"],
        "windows": windows(),
        "timeline": seen.timeline,
        "playing": (played := parts.scratch.of(playback.Playback)).rate,
        "range": played.span,
        "bookmarks": played.bookmarks,
        "zoom": played.zoom,
        "rail": parts.scratch.of(rail.Opened).side,
        "boxes": boxes(),
        "menu": parts.gui.menu_open(),
        "typed": parts.scratch.of(Filters).texts.get("palette", ""),
        "shown": seen.flashes,
        "marks": [[mark.kind, mark.time, mark.text] for mark in status.marks[-8:]],
        "doctor": doctor(parts.examiner.shown),
        "plots": [[plot.kind, list(plot.channels)] for plot in parts.scratch.of(Plots).rows],
        "cursor": seen.cursor or None,
        "ghosts": [[ghost.motion.name, len(ghost.motion.time), ghost.visible] for ghost in view.ghosts.rows]
        if view.ghosts
        else [],
        "labels": sorted(parts.scratch.of(labels.Written).texts),
        "gizmo": {"over": handles.over, "using": handles.using, "at": handles.at},
        "element_rows": seen.element_rows,
        "tree_rows": seen.tree_rows,
        "buttons": seen.buttons,
        "hover": parts.scratch.of(hover.Hover).lines,
        "samples": status.samples.block.count if status.samples else 0,
        "sampled": float(status.samples.block.times[0]) if status.samples and status.samples.block.count else None,
        "menu_rows": seen.menu_rows,
        "recording": [film.count, film.path] if film else None,
        "unsaved": source.unsaved(parts.scratch),
        "asking": (question := leaving.waiting(parts.scratch)) is not None and question.shown,
        "source": texts(parts),
        "hold_ms": round(1e3 * meter.worst_hold, 3),
        "wait_ms": round(1e3 * meter.worst_wait, 3),
        "missed": parts.snapshot.missed,
        "threads": threading.active_count(),
        "memory": resident_memory(),
    }
