"""Undo and redo of the user's actions.

The main thread makes the entries for intents on window and view, before it applies the intents (`app.undo_rows`). The physics
thread makes those for intents on the simulation (`app.commands`), and sends them here.
"""

from __future__ import annotations

import os

from ..ui import intents as I
from ..ui.intents import Entry

MOST = 500
# Changes of the same value within this many seconds become one entry.
MERGED = 0.8


# {scope that can be undone separately: its name}
SCOPES = {"edit": "the source", "simulation": "the simulation", "view": "view and window"}


def scope_of(entry: Entry) -> str:
    """Return the scope of an entry: the source (edit), the simulation, or the view."""
    if any(isinstance(one, I.PatchText) for one in entry.back):
        return "edit"
    return "simulation" if any(one.target == "sim" for one in entry.back) else "view"


def _moved(rows: list[Entry], others: list[Entry], scope: str) -> Entry | None:
    """Move the last entry of a scope from `rows` to the end of `others`; return it."""
    place = next((k for k in range(len(rows) - 1, -1, -1) if not scope or scope_of(rows[k]) == scope), None)
    if place is None:
        return None
    others.append(rows.pop(place))
    return others[-1]


class Undo:
    """Two lists of entries: entries that can be undone, oldest first, and entries that can be redone, the next one last."""

    def __init__(self) -> None:
        self.done: list[Entry] = []
        self.undone: list[Entry] = []

    def push(self, entry: Entry) -> None:
        """Add an entry. Undone entries can no longer be redone."""
        self.undone.clear()
        last = self.done[-1] if self.done else None
        if last is not None and entry.key is not None and last.key == entry.key and entry.at - last.at < MERGED:
            entry = Entry(entry.title, last.back, entry.again, entry.key, entry.at)
            self.done.pop()
        self.done.append(entry)
        del self.done[:-MOST]

    def clear(self) -> None:
        """Remove all entries."""
        self.done.clear()
        self.undone.clear()

    def back(self, scope: str = "") -> Entry | None:
        """Return the last entry to undo, and move it to the undone entries. If a scope is given, consider only its entries."""
        return _moved(self.done, self.undone, scope)

    def again(self, scope: str = "") -> Entry | None:
        """Return the next entry to redo, and move it back to the done entries. If a scope is given, consider only its
        entries.
        """
        return _moved(self.undone, self.done, scope)

    def changed(self, old: str, new: str) -> None:
        """Remove the entries about the old model's state and fields, because a new model is on screen."""
        for rows in (self.done, self.undone):
            rows[:] = [entry for entry in rows if not any(one.target == "sim" for one in entry.back)]
        if old != new and not any(
            I.OpenFile(new) in (*entry.back, *entry.again) for entry in (*self.done[-1:], *self.undone[-1:])
        ):
            self.push(Entry(f"{os.path.basename(new)} opened", (I.OpenFile(old),), (I.OpenFile(new),)))
