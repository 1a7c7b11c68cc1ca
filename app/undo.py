"""What the person did, so that it can be taken back and done again: for every kind of intent, the intents that undo and repeat
it.

Intents on window and view are looked at before they are carried out, on the main thread; those on the simulation by its own
thread (`app.commands`), which sends its entries here.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..render import scene as mjv
from ..ui import intents as I
from ..ui.intents import Entry
from ..ui.layout import ARRANGED
from ..ui.panels import BY_NAME
from .config import ROWS
from .flags import Flags, flags_of

if TYPE_CHECKING:
    from .session import Session

MOST = 500
# changes of the same thing within so many seconds are one
MERGED = 0.8
# settings that only say what is open for the moment
PASSING = ("palette", "fly", "help", "start", "hints", "layout", "models", "recent")


class Undo:
    """What was done, oldest first, and what was taken back, the next to repeat last."""

    def __init__(self) -> None:
        self.done: list[Entry] = []
        self.undone: list[Entry] = []

    def push(self, entry: Entry) -> None:
        """Something new was done: what was taken back before cannot be repeated any more."""
        self.undone.clear()
        last = self.done[-1] if self.done else None
        if last is not None and entry.key is not None and last.key == entry.key and entry.at - last.at < MERGED:
            entry = Entry(entry.title, last.back, entry.again, entry.key, entry.at)
            self.done.pop()
        self.done.append(entry)
        del self.done[:-MOST]

    def back(self) -> Entry | None:
        """The last thing that was done, which counts as taken back from now on."""
        if not self.done:
            return None
        self.undone.append(self.done.pop())
        return self.undone[-1]

    def again(self) -> Entry | None:
        """The last thing that was taken back, which counts as done from now on."""
        if not self.undone:
            return None
        self.done.append(self.undone.pop())
        return self.done[-1]

    def changed(self, old: str, new: str) -> None:
        """Another model is on screen: what was done to the state and fields of the last one means nothing to it."""
        for rows in (self.done, self.undone):
            rows[:] = [entry for entry in rows if not any(one.target == "sim" for one in entry.back)]
        if old != new and not any(
            I.OpenFile(new) in (*entry.back, *entry.again) for entry in (*self.done[-1:], *self.undone[-1:])
        ):
            self.push(Entry(f"{os.path.basename(new)} opened", (I.OpenFile(old),), (I.OpenFile(new),)))


TABLE: dict[type, Callable[[Any, Any], Entry | None]] = {}


# the function makes the entry of a kind of intent, before it is carried out
reverses = I.entering(TABLE)


def entry_of(session: Session, intent: I.Intent) -> Entry | None:
    """How to take an intent on window or view back; None for what changes nothing that lasts."""
    make = TABLE.get(type(intent))
    entry = make(session, intent) if make else None
    return entry if entry is not None and entry.back != entry.again else None


def switch(title: str, on: bool) -> str:
    return f"{title} {'on' if on else 'off'}"


def flipped(current: Any, value: Any) -> bool:
    """None means the opposite of what is."""
    return not current if value is None else bool(value)


@reverses(I.SetVisFlag)
def _vis(s: Session, intent: I.SetVisFlag) -> Entry:
    old = bool(s.view.opt.flags[intent.index])
    new = flipped(old, intent.value)
    return Entry(
        switch(mjv.mjVISSTRING[intent.index][0], new), (I.SetVisFlag(intent.index, old),), (I.SetVisFlag(intent.index, new),)
    )


@reverses(I.SetRenderFlag)
def _effect(s: Session, intent: I.SetRenderFlag) -> Entry:
    old = bool(s.view.render_flags[intent.index])
    new = flipped(old, intent.value)
    return Entry(
        switch(mjv.mjRNDSTRING[intent.index][0], new),
        (I.SetRenderFlag(intent.index, old),),
        (I.SetRenderFlag(intent.index, new),),
    )


@reverses(I.SetGroup)
def _group(s: Session, intent: I.SetGroup) -> Entry:
    kind, i = intent.kind, intent.index
    old = bool(getattr(s.view.opt, f"{kind}group")[i])
    new = flipped(old, intent.value)
    return Entry(
        f"{kind.capitalize()} group {i} {'shown' if new else 'hidden'}",
        (I.SetGroup(kind, i, old),),
        (I.SetGroup(kind, i, new),),
    )


@reverses(I.SetViewOption)
def _option(s: Session, intent: I.SetViewOption) -> Entry:
    name, old = intent.name, int(getattr(s.view.opt, intent.name))
    new = (old + 1) % intent.cycle if intent.cycle else intent.value
    words = {"label": mjv.mjLABELSTRING, "frame": mjv.mjFRAMESTRING}.get(name)
    title = f"{ROWS[name].title if name in ROWS else name}: {words[new] if words else new}"
    return Entry(title, (I.SetViewOption(name, old),), (I.SetViewOption(name, new),), ("option", name))


@reverses(I.SetSetting)
def _setting(s: Session, intent: I.SetSetting) -> Entry | None:
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


@reverses(I.ShowPanel)
def _panel(s: Session, intent: I.ShowPanel) -> Entry | None:
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


def kept_layout(s: Session) -> dict:
    """The arrangement of now."""
    return {"layout": s.gui.layout(), **{name: s.config[name] for name in ARRANGED}}


@reverses(I.Arrange)
def _arrange(s: Session, intent: I.Arrange) -> Entry:
    return Entry(f"Layout {intent.name}", (I.PutLayout(kept_layout(s)),), (intent,))


@reverses(I.KeepLayout)
def _keep_layout(s: Session, intent: I.KeepLayout) -> Entry:
    old = dict(s.config["layouts"])
    return Entry(f"Layout {intent.name} {'forgotten' if intent.forget else 'kept'}", (I.SetSetting("layouts", old),), (intent,))


@reverses(I.SetPlots)
def _plots(s: Session, intent: I.SetPlots) -> Entry:
    return Entry("Plots", (I.SetPlots(s.scratch.numbers.get("plots", ())),), (intent,))


@reverses(I.DetachPanel)
def _detach(s: Session, intent: I.DetachPanel) -> Entry:
    apart = intent.name in s.config["detached"]
    back = I.SetSetting("detached", s.config["detached"]), I.SetSetting("panels", dict(s.config["panels"]))
    return Entry(f"{BY_NAME[intent.name].title} {'put back' if apart else 'in its own window'}", back, (intent,))


@reverses(I.SetCamera)
def _camera(s: Session, intent: I.SetCamera) -> Entry:
    return Entry("Camera", (pose(s),), (intent,), "camera")


@reverses(I.Align)
def _align(s: Session, intent: I.Align) -> Entry:
    return Entry("Align view", (pose(s),), (intent,), "camera")


@reverses(I.DefaultView)
def _default_view(s: Session, intent: I.DefaultView) -> Entry:
    return Entry("Default view", (pose(s),), (intent,), "camera")


@reverses(I.DefaultFlags)
def _default_flags(s: Session, intent: I.DefaultFlags) -> Entry | None:
    flags = flags_of(s.view)
    return Entry("Default flags", (I.PutFlags(flags),), (intent,)) if flags != Flags() else None


@reverses(I.Frame)
def _frame(s: Session, intent: I.Frame) -> Entry | None:
    return Entry("Frame", (pose(s),), (intent,), "camera") if s.view.m is not None else None


def pose(s: Session) -> I.PlaceCamera:
    """The camera as it is."""
    cam = s.view.cam
    return I.PlaceCamera(
        {name: np.array(value) if isinstance(value := getattr(cam, name), np.ndarray) else value for name in I.CAMERA_FIELDS}
    )


@reverses(I.SetLook)
def _look(s: Session, intent: I.SetLook) -> Entry | None:
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
