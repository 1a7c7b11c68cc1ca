"""Saves edited source files: all of them, or one under another name. Handles answers to questions about unsaved changes."""

from __future__ import annotations

import os

from ..ui import browse, leaving
from ..ui import intents as I
from ..ui.panel import source
from .files import write
from .parts import Parts


def put(s: Parts, intent: I.SaveText) -> bool:
    """Write a source text to its file; return whether that worked."""
    try:
        write(intent.path, intent.data)
    except OSError as error:
        s.messages.note("error", f"{os.path.basename(intent.path)} was not saved: {error.strerror or error}")
        return False
    return True


def panes(s: Parts) -> dict[str, source.Pane]:
    """Return the editors of all open files, after updating them from the files."""
    found = s.scratch.of(source.Texts).panes
    for pane in found.values():
        pane.refresh()
    return found


def save(s: Parts, intent: I.SaveSources) -> None:
    """Save edited files, and report which ones. If another program has changed the same lines of a file, ask the user."""
    found = panes(s)
    edited = [path for path in source.unsaved(s.scratch) if intent.path in ("", path)]
    clashes = [path for path in edited if found[path].conflict]
    saved = [os.path.basename(path) for path in edited if path not in clashes and put(s, found[path].saving())]
    for path in edited:
        # The text counts as saved from now on.
        found[path].refresh()
    if saved:
        s.messages.note("info", f"Saved {', '.join(saved)}", show=True)
    elif not edited:
        export = s.keys.chord("export_xml")
        s.messages.note("info", f"There is no unsaved text; File > Export saves the model ({export}: as XML)", show=True)
    if clashes:
        s.settle(clashes, intent)


def save_as(s: Parts, intent: I.SaveAs) -> None:
    """Write the text of the model's main file to another file, and open that file. The changes are then only in the new
    file.
    """
    path = os.path.abspath(s.document.path) if s.document.path else ""
    if s.host.passive or not path.lower().endswith(source.SUFFIXES) or not os.path.isfile(path):
        s.messages.note("warning", "This model has no text; File > Export saves it as a file", show=True)
        return
    if not intent.path:
        browse.ask_name(s.scratch, path)
        return
    pane = panes(s).get(path) or source.Pane.of(path)
    new = os.path.abspath(intent.path)
    if new == path:
        save(s, I.SaveSources(path))
        return
    if not put(s, I.SaveText(new, pane.saving().data)):
        return
    s.messages.note("info", f"Saved {new}", show=True)
    # The changes are now in the new file, so restore the old text in this editor.
    pane.replace(pane.file)
    pane.refresh()
    s.queue.append(I.OpenFile(new))


def merged(s: Parts) -> None:
    """Report the files in whose editors another program's changes have been merged."""
    for path, pane in s.scratch.of(source.Texts).panes.items():
        if pane.merged:
            pane.merged = False
            text = f"{os.path.basename(path)} was changed elsewhere; the source has these changes and yours, and is not saved"
            s.messages.note("warning", text, show=True)


def answer(s: Parts, intent: I.Leave) -> None:
    """Apply the answer to the pending question about unsaved changes, then continue with the requested action."""
    question, s.scratch.of(leaving.Question).open = leaving.waiting(s.scratch), None
    if question is None or intent.answer == "cancel":
        return
    found = panes(s)
    if intent.answer == "as":
        browse.ask_name(s.scratch, question.files[0])
        return
    if intent.answer == "save" and (clashes := [path for path in question.files if found[path].conflict]):
        s.settle(clashes, question.then)
        question.files = [path for path in question.files if path not in clashes]
    for path in question.files:
        if intent.answer in ("save", "mine"):
            put(s, found[path].saving())
        else:
            found[path].replace(found[path].file)
        found[path].refresh()
    # If a file could not be saved, the same question is still pending.
    if leaving.waiting(s.scratch) is None:
        s.queue.append(question.then)
