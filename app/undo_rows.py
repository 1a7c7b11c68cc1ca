"""Undo entries of intents on window and view: for each type of intent, the intents that undo and redo it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..render import scene as mjv
from ..ui import intents as I
from ..ui.element_names import sentence
from ..ui.intents import Entry
from ..ui.layout import ARRANGED
from ..ui.panels import BY_NAME
from ..ui.plotting import Plots
from .config import ROWS
from .flags import Flags, flags_of
from .parts import Parts
from .robots import usable

# settings without undo, because they only store which parts of the window are open
PASSING = ("palette", "fly", "help", "start", "hints", "layout", "models", "imports", "recent")

TABLE: dict[type, Callable[[Any, Any], Entry | None]] = {}


# decorator for the function that makes the entry for a type of intent, before the intent is applied
reverses = I.entering(TABLE)


def entry_of(parts: Parts, intent: I.Intent) -> Entry | None:
    """Return the undo entry of an intent on window or view; None if it changes nothing permanently."""
    make = TABLE.get(type(intent))
    entry = make(parts, intent) if make else None
    return entry if entry is not None and entry.back != entry.again else None


def switch(title: str, on: bool) -> str:
    return f"{title} {'on' if on else 'off'}"


def flipped(current: Any, value: Any) -> bool:
    """Return the new value of a switch; a `value` of None means the opposite of the current one."""
    return not current if value is None else bool(value)


@reverses(I.SetVisFlag)
def _vis(s: Parts, intent: I.SetVisFlag) -> Entry:
    old = bool(s.view.opt.flags[intent.index])
    new = flipped(old, intent.value)
    return Entry(
        switch(sentence(mjv.mjVISSTRING[intent.index][0]), new),
        (I.SetVisFlag(intent.index, old),),
        (I.SetVisFlag(intent.index, new),),
    )


@reverses(I.SetRenderFlag)
def _effect(s: Parts, intent: I.SetRenderFlag) -> Entry:
    old = bool(s.view.render_flags[intent.index])
    new = flipped(old, intent.value)
    return Entry(
        switch(sentence(mjv.mjRNDSTRING[intent.index][0]), new),
        (I.SetRenderFlag(intent.index, old),),
        (I.SetRenderFlag(intent.index, new),),
    )


@reverses(I.SetGroup)
def _group(s: Parts, intent: I.SetGroup) -> Entry:
    kind, i = intent.kind, intent.index
    old = bool(getattr(s.view.opt, f"{kind}group")[i])
    new = flipped(old, intent.value)
    return Entry(
        f"{kind.capitalize()} group {i} {'shown' if new else 'hidden'}",
        (I.SetGroup(kind, i, old),),
        (I.SetGroup(kind, i, new),),
    )


@reverses(I.SetViewOption)
def _option(s: Parts, intent: I.SetViewOption) -> Entry:
    name, old = intent.name, int(getattr(s.view.opt, intent.name))
    new = (old + 1) % intent.cycle if intent.cycle else intent.value
    words = {"label": mjv.mjLABELSTRING, "frame": mjv.mjFRAMESTRING}.get(name)
    title = f"{ROWS[name].title if name in ROWS else name}: {words[new] if words else new}"
    return Entry(title, (I.SetViewOption(name, old),), (I.SetViewOption(name, new),), ("option", name))


@reverses(I.SetSetting)
def _setting(s: Parts, intent: I.SetSetting) -> Entry | None:
    if intent.name in PASSING:
        return None
    name, new = ("font", s.config["font"] + 10 * intent.value) if intent.name == "font_step" else (intent.name, intent.value)
    old, title = s.config[name], ROWS[name].title
    if isinstance(old, bool):
        new = flipped(old, new)
        title = switch(title, new)
    elif isinstance(new, str | int | float):
        title = f"{title}: {new}"
    return Entry(title, (I.SetSetting(name, old),), (I.SetSetting(name, new),), ("setting", name))


@reverses(I.SetImport)
def _import(s: Parts, intent: I.SetImport) -> Entry:
    old = dict(usable(s.config["imports"].get(intent.path)))
    names = sorted({name for name in {**old, **intent.options} if old.get(name) != intent.options.get(name)})
    return Entry(f"Import: {', '.join(names)}", (I.SetImport(intent.path, old),), (intent,))


@reverses(I.ShowPanel)
def _panel(s: Parts, intent: I.ShowPanel) -> Entry | None:
    panel = BY_NAME[intent.name]
    old = dict(s.config["panels"])
    was = bool(old.get(panel.name, panel.opened))
    new = flipped(was, intent.value)
    if was == new and not intent.only:
        return None
    return Entry(
        f"{panel.title} {'opened' if new else 'closed'}",
        (I.SetSetting("panels", old),),
        (intent if intent.value is not None else I.ShowPanel(intent.name, new, intent.only, intent.reveal),),
    )


def kept_layout(s: Parts) -> dict:
    """Return the current arrangement of the window."""
    return {"layout": s.gui.layout(), **{name: s.config[name] for name in ARRANGED}}


@reverses(I.Arrange)
def _arrange(s: Parts, intent: I.Arrange) -> Entry:
    return Entry(f"Layout {intent.name}", (I.PutLayout(kept_layout(s)),), (intent,))


@reverses(I.KeepLayout)
def _keep_layout(s: Parts, intent: I.KeepLayout) -> Entry:
    old = dict(s.config["layouts"])
    return Entry(f"Layout {intent.name} {'forgotten' if intent.forget else 'kept'}", (I.SetSetting("layouts", old),), (intent,))


@reverses(I.SetPlots)
def _plots(s: Parts, intent: I.SetPlots) -> Entry:
    return Entry("Plots", (I.SetPlots(s.scratch.of(Plots).rows),), (intent,))


@reverses(I.DetachPanel)
def _detach(s: Parts, intent: I.DetachPanel) -> Entry:
    apart = intent.name in s.config["detached"]
    back = I.SetSetting("detached", s.config["detached"]), I.SetSetting("panels", dict(s.config["panels"]))
    return Entry(f"{BY_NAME[intent.name].title} {'put back' if apart else 'in its own window'}", back, (intent,))


@reverses(I.SetCamera)
def _camera(s: Parts, intent: I.SetCamera) -> Entry:
    return Entry("Camera", (pose(s),), (intent,), "camera")


@reverses(I.Align)
def _align(s: Parts, intent: I.Align) -> Entry:
    return Entry("Align view", (pose(s),), (intent,), "camera")


@reverses(I.DefaultView)
def _default_view(s: Parts, intent: I.DefaultView) -> Entry:
    return Entry("Default view", (pose(s),), (intent,), "camera")


@reverses(I.DefaultFlags)
def _default_flags(s: Parts, intent: I.DefaultFlags) -> Entry | None:
    flags = flags_of(s.view)
    return Entry("Default flags", (I.PutFlags(flags),), (intent,)) if flags != Flags() else None


@reverses(I.Frame)
def _frame(s: Parts, intent: I.Frame) -> Entry | None:
    return Entry("Frame", (pose(s),), (intent,), "camera") if s.view.m is not None else None


def pose(s: Parts) -> I.PlaceCamera:
    """Return an intent that restores the current camera."""
    cam = s.view.cam
    return I.PlaceCamera(
        {name: np.array(value) if isinstance(value := getattr(cam, name), np.ndarray) else value for name in I.CAMERA_FIELDS}
    )


@reverses(I.SetLook)
def _look(s: Parts, intent: I.SetLook) -> Entry | None:
    looks = s.view.looks
    if looks is None:
        return None
    titles = {
        "hide": "Hidden",
        "ghost": "Faded",
        "show": "Shown",
        "only": "All others hidden",
        "focus": "All others faded",
        "collision": "Collision geoms only",
        "visual": "Visual geoms only",
        "clear": "Everything shown",
    }
    kind, index = (intent.kind, intent.index) if intent.kind else s.view.element
    again = (
        intent
        if intent.kind or intent.mode in ("collision", "visual", "clear")
        else I.SetLook(intent.mode, kind, index, intent.subtree)
    )
    return Entry(titles[intent.mode], (I.RestoreLooks({k: np.array(v) for k, v in looks.modes.items()}),), (again,))
