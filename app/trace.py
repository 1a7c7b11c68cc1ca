"""A running record of a session for tests and bug reports: one JSON line a sample, 20 a second.

`tumble view --trace FILE model.xml`. Rows hold what can be seen from outside: time, speed, what is selected and where,
the camera, flags, the last failure, frame and lock times, threads, memory.
"""

from __future__ import annotations

import dataclasses
import json
import threading
import time
from typing import TYPE_CHECKING, Any

from imgui_bundle import imgui

from ..engine.machine.systems import process_start, resident_memory
from ..ui import leaving
from ..ui.panel import source
from ..ui.panels import PANELS
from .config import SETTINGS
from .doctor.examine import Examination
from .warned import Trouble

if TYPE_CHECKING:
    from .session import Session
    from .simulation import Status

PERIOD = 0.05
SIMPLE = [row.name for row in SETTINGS if isinstance(row.default, bool | int | str) and row.name != "layout"]


class Trace:
    """Appends samples of a session to a file."""

    def __init__(self, path: str) -> None:
        self._file = open(path, "a", buffering=1, encoding="utf-8")
        self._next = 0.0
        self._begin = process_start()

    def sample(self, session: Session, now: float) -> None:
        """Write a line if one is due."""
        if now < self._next:
            return
        self._next = now + PERIOD
        self._file.write(json.dumps(row(session) | {"since_start": round(time.time() - self._begin, 3)}) + "\n")

    def close(self) -> None:
        self._file.close()


def windows() -> dict[str, list[float]]:
    """Places of the panels that have a window of their own and are in sight."""
    found = {p.name: imgui.internal.find_window_by_name(f"{p.icon}  {p.title}###{p.name}") for p in PANELS}
    return {
        name: [w.pos.x, w.pos.y, w.size.x, w.size.y] for name, w in found.items() if w is not None and w.active and not w.hidden
    }


BOXES = ("trouble", "message", "info", "sensorplot", "palette", "welcome", "helpbox", "start", "hint")


def boxes() -> dict[str, list[float]]:
    """Places of what lies over the view."""
    found = {name: imgui.internal.find_window_by_name(f"##{name}") for name in BOXES}
    return {
        name: [w.pos.x, w.pos.y, w.size.x, w.size.y] for name, w in found.items() if w is not None and w.active and not w.hidden
    }


def texts(session: Session) -> dict[str, list]:
    """Line of the cursor, whether an error is marked, whether the file was changed elsewhere; for every file in the source
    panel.
    """
    return {
        path: [pane.widget.get_main_cursor_position().line + 1, pane.widget.has_squiggles(), pane.conflict]
        for path, pane in session.scratch.numbers.get("source", {}).items()
    }


def trouble(found: Trouble | None) -> list | None:
    """What the engine warned about: element, text, how often."""
    return [*found.element, found.text, found.count] if found else None


def doctor(shown: Examination) -> dict[str, Any]:
    """What the doctor is at, the first cause that it names, titles of remedies that helped."""
    report = shown.report
    first = report.causes[0].cause if report and report.causes else None
    return {
        "busy": shown.busy,
        "failed": shown.failed,
        "cause": [first.kind, *first.about] if first else None,
        "helped": [t.remedy.title for t in report.trials if t.helped] if report else [],
    }


def row(session: Session) -> dict[str, Any]:
    """One sample."""
    status, view = session.host.status.peek(), session.view
    m, d = session.snapshot.m, session.snapshot.d
    rect, cam = session.gestures.rect, view.cam
    document = session.document
    out = {
        "frame": session.activity.frame_count,
        "fps": session.activity.frames.rate,
        "inbox": len(session.window.inbox),
        "work_ms": round(session.activity.work_ms, 2),
        "path": document.path,
        "loading": document.loader.busy if document.loader else "",
        "generation": status.generation,
        "running": status.running,
        "speed": status.speed,
        "measured": status.measured,
        "history": status.history,
        "position": status.position,
        "stepped": status.stepped,
        "message": status.message,
        "trouble": trouble(status.trouble),
        "notice": session.messages.notice,
        "failure": document.failure.message if document.failure else "",
        "failure_line": document.failure.line if document.failure else 0,
        "undo": [entry.title for entry in session.undo.done[-8:]],
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
        "settings": {name: session.config[name] for name in SIMPLE},
        "detached": list(session.config["detached"]),
        "watch": session.scratch.numbers.get("watch", []),
        "noise": [status.noise_std, status.noise_rate],
        "fullscreen": session.window.fullscreen,
        "browsing": session.interface.browsing,
        "element": list(view.element),
        "size": list(session.window.size),
    }
    out |= of_panels(session, status)

    if d is not None:
        out |= {
            "time": float(d.time),
            "nbody": int(m.nbody),
            "qpos": [float(x) for x in d.qpos[:40]],
            "ctrl": [float(x) for x in d.ctrl[:20]],
            "xpos": [[float(x) for x in p] for p in d.xpos[:20]],
        }

    return out


def of_panels(session: Session, status: Status) -> dict[str, Any]:
    """What a sample says of panels, plots, texts and threads."""
    view, meter, film = session.view, session.snapshot.meter, session.filming.recorder
    return {
        "looks": {kind: [int(x) for x in modes[:20]] for kind, modes in view.looks.modes.items()} if view.looks else {},
        "compiling": dataclasses.astuple(status.compiling) if status.compiling else None,
        "pause_update": status.pause_update,
        "busy_wait": status.busy_wait,
        "panel_errors": session.messages.log.count["error"],
        "log": [[line.level, line.text] for line in list(session.messages.log.lines)[-8:]],
        "quality": session.display.effort.index,
        "panels": session.config["panels"],
        "windows": windows(),
        "timeline": session.scratch.numbers.get("timeline", []),
        "rail": session.scratch.numbers.get("rail", ""),
        "boxes": boxes(),
        "menu": session.gui.menu_open(),
        "typed": session.scratch.text("palette"),
        "shown": session.scratch.numbers.get("shown", {}),
        "marks": [[mark.kind, mark.time, mark.text] for mark in status.marks[-8:]],
        "doctor": doctor(session.examiner.shown),
        "plots": [[plot.kind, list(plot.channels)] for plot in session.scratch.numbers.get("plots", ())],
        "cursor": session.scratch.numbers.get("plotting", {}).get("cursor"),
        "ghosts": [[ghost.motion.name, len(ghost.motion.time), ghost.visible] for ghost in view.ghosts.rows]
        if view.ghosts
        else [],
        "labels": sorted(session.interface.labels),
        "gizmo": {name: value for name, value in session.scratch.number("gizmo", {}).items() if name != "drag"},
        "element_rows": session.scratch.number("element_rows", {}),
        "hover": session.scratch.numbers.get("hover", []),
        "samples": status.samples.block.count if status.samples else 0,
        "menu_rows": session.scratch.numbers.get("menu_rows", {}),
        "recording": [film.count, film.path] if film else None,
        "unsaved": source.unsaved(session.scratch),
        "asking": (question := leaving.waiting(session.scratch)) is not None and question.shown,
        "source": texts(session),
        "hold_ms": round(1e3 * meter.worst_hold, 3),
        "wait_ms": round(1e3 * meter.worst_wait, 3),
        "missed": session.snapshot.missed,
        "threads": threading.active_count(),
        "memory": resident_memory(),
    }
