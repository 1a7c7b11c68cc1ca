"""Actions on imported files and collision shapes: a small function for each intent. They run on the main thread."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from .. import engine as mj
from ..engine.description.rewrite.patch import element_text
from ..engine.description.robots.decomposing import EXTRA, can_decompose
from ..engine.description.robots.fitting import DECOMPOSE
from ..ui import browse, chooser
from ..ui import intents as I
from . import memory
from .parts import Parts
from .robots import file_of

TABLE: dict[type, Callable[[Any, Any], None]] = {}
handles = I.entering(TABLE)


@handles(I.Choose)
def _choose(s: Parts, intent: I.Choose) -> None:
    if intent.found:
        s.scratch.of(chooser.Choosing).begin(intent.path, intent.found)
    else:
        s.scratch.of(browse.Browsing).folder, s.scratch.of(browse.Browsing).opened = intent.path, True


@handles(I.SetImport)
def _set_import(s: Parts, intent: I.SetImport) -> None:
    if intent.options.get("fit") == DECOMPOSE or DECOMPOSE in intent.options.get("own", {}).values():
        if not can_decompose():
            s.messages.note("warning", EXTRA, show=True)
            return
    table = {path: value for path, value in s.config["imports"].items() if path != intent.path}
    if intent.options:
        table[intent.path] = intent.options
    s.config["imports"] = dict(list(table.items())[-memory.FILES :])
    s.document.load(intent.path, keep_state=True)


@handles(I.Exclude)
def _exclude(s: Parts, intent: I.Exclude) -> None:
    row = s.document.imported
    if row is not None and row.report is not None:
        old = [tuple(pair) for pair in row.options.get("exclude", ())]
        fresh = [pair for pair in intent.pairs if pair not in old]
        s.queue.append(I.SetImport(row.path, row.changed(exclude=[list(pair) for pair in (*old, *fresh)])))
        return
    m = s.view.m
    unnamed = sorted(
        {name for pair in intent.pairs for name in pair if m is not None and name not in (*body_names(m), "world")}
    )
    if unnamed:
        s.messages.note(
            "warning", f"{', '.join(unnamed)}: a body needs a name before its collisions can be excluded", show=True
        )
        return
    rows = "\n".join(element_text("exclude", {"body1": one, "body2": two}).decode() for one, two in intent.pairs)
    s.editing.ask(I.PasteElements("body", 0, f"<contact>\n{rows}\n</contact>"))


def body_names(m: Any) -> list[str]:
    """Return the names of all bodies that have a name."""
    return [found for k in range(m.nbody) if (found := mj.mj_id2name(m, mj.mjtObj.mjOBJ_BODY, k))]


@handles(I.ShapeGeoms)
def _shape_geoms(s: Parts, intent: I.ShapeGeoms) -> None:
    row, m = s.document.imported, s.view.m
    if row is None or row.report is None or m is None:
        s.editing.shape(intent)
        return
    files = {file for _, g in intent.targets if (file := file_of(m, row.report, g))}
    if not files:
        s.messages.note("warning", "This geom does not come from a mesh of the imported file", show=True)
        return
    own = {**row.options.get("own", {}), **dict.fromkeys(files, intent.how)}
    s.queue.append(I.SetImport(row.path, row.changed(own=own)))
    s.messages.note("info", f"{os.path.basename(row.path)} is imported again; its file does not change", show=True)


@handles(I.StopShaping)
def _stop_shaping(s: Parts, intent: I.StopShaping) -> None:
    if s.editing.shaping is not None:
        s.editing.shaping.stop.set()
