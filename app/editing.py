"""Edits of elements, written into the model file. The model is then reloaded and its motion kept. Undo restores the file byte
for byte.
"""

from __future__ import annotations

import os
import threading
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ..engine.description import live
from ..engine.description.language.errors import SpecError
from ..engine.description.language.free_names import free_name
from ..engine.description.rewrite import origin, patch, tags
from ..engine.description.robots.decomposing import EXTRA, can_decompose
from ..engine.description.robots.fitting import DECOMPOSE
from ..engine.machine.regular import open_regular
from ..ui import intents as I
from ..ui.context import Scratch, without_place
from ..ui.element_names import name, names
from ..ui.panel import source
from .commands import key_values
from .document import Document
from .edits import MAKERS, TITLES, Changes, copied, found, in_section, live_changes, shapes_written
from .files import write
from .host import Host
from .messages import Messages
from .shaping import Shaping
from .snapshot import Snapshot
from .undo import Undo

# edits that change only the source text of one element
ONE = (I.EditElement, I.MoveElement, I.ScaleElement, I.AddElement, I.DeleteElement)
# suffixes of files into which a keyframe can be written, and the format of its numbers
TEXTS, DIGITS = (".xml", ".mjcf"), "{:.9g}"


SELECTED: dict[str, type[I.ElementIntent]] = {"duplicate": I.DuplicateElement, "delete": I.DeleteElement}


class Clipboard(Protocol):
    """The system's clipboard."""

    def copy(self, text: str) -> None: ...
    def pasted(self) -> str: ...


@dataclass(frozen=True)
class Trial:
    """The contents that the files of an edit had before it, and its undo entry."""

    files: dict[str, bytes]
    entry: I.Entry


class Search:
    """A search, in its own thread, for the changes made to a running model since it was compiled."""

    def __init__(self, m: Any, intent: I.WriteSource) -> None:
        self.m, self.intent = m, intent
        self.found: list[live.Changed] = []
        self.error = ""
        self.thread = threading.Thread(target=self._run, name="live changes", daemon=True)

    def _run(self) -> None:
        try:
            self.found = live.changes(self.m, self.intent.kind, self.intent.index)
        except (ValueError, MemoryError) as error:
            self.error = str(error) or type(error).__name__


class Editing:
    """Applies edits one at a time: each waits until the model with the previous edit is on screen."""

    def __init__(
        self, host: Host, document: Document, snapshot: Snapshot, undo: Undo, messages: Messages, scratch: Scratch
    ) -> None:
        self.host, self.document, self.snapshot = host, document, snapshot
        self.undo, self.messages, self.scratch = undo, messages, scratch
        self.waiting: list[I.ElementIntent] = []
        # File, line and column of an added element, which is selected after the reload.
        self.fresh: tuple[str, int, int] | None = None
        # an edit that is undone if the model does not load
        self.trial: Trial | None = None
        # the search for changes of the running model, and the computation of collision shapes
        self.search: Search | None = None
        self.shaping: Shaping | None = None

    @property
    def busy(self) -> bool:
        """Whether an edited model is not on the screen yet."""
        return self.document.busy or self.document.waiting

    def ask(self, intent: I.ElementIntent) -> None:
        """Apply an edit as soon as the model on screen matches the files."""
        self.waiting.append(intent)
        self.follow()

    def follow(self) -> None:
        """Apply the next edit if nothing prevents it."""
        self.judge()
        self.follow_search()
        self.follow_shaping()
        while self.waiting and not self.busy:
            self._carry_out(self.waiting.pop(0))

    def _carry_out(self, intent: I.ElementIntent) -> None:
        m, d = self.snapshot.m, self.snapshot.d
        try:
            if m is None or d is None or self.host.passive:
                raise SpecError("this model belongs to a script; its text cannot be edited here")
            changes = MAKERS[type(intent)](m, d, intent, self.document.path)
            self._check_unsaved(changes)
            title, further = self._title(m, intent), self._consequences(m, intent)
            self._put(changes, title)
            for text in further:
                self.messages.note("info", text, show=True)
        except (SpecError, OSError) as error:
            # The running model may have values that the user was only trying out. Reloading discards these, too.
            self.waiting.clear()
            self.messages.note("warning", f"Not done: {without_place(str(error))}", show=True)
            if self.document.path and isinstance(intent, I.MoveElement | I.ScaleElement):
                self.document.reload(keep_state=True)

    @staticmethod
    def _title(m: Any, intent: I.ElementIntent) -> str:
        """Return the title of an edit in the undo list."""
        if isinstance(intent, I.EditElement) and intent.shared:
            who = f"class {origin.class_of(m, intent.kind, intent.index).shared}"
        else:
            who = f"{intent.kind} {name(m, intent.kind, intent.index)}"
        also = f" and {len(intent.also)} more" if intent.also else ""
        return f"{who}{also}: {TITLES[type(intent)](m, intent)}"

    def _consequences(self, m: Any, intent: I.ElementIntent) -> list[str]:
        """Return sentences about other elements that an edit changes."""
        shared = isinstance(intent, I.EditElement) and intent.shared
        row = found(m, intent.kind, intent.index, shared) if isinstance(intent, ONE) and not intent.also else None
        if row is None:
            return []
        who = self._title(m, intent).partition(": ")[0]
        return [f"{who}: {text}" for text in origin.consequences(row.where, row.tag, self.document.path)]

    def of_selection(self, what: str, chosen: Sequence[tuple[str, int]], board: Clipboard) -> None:
        """Copy, paste, duplicate or delete the selected elements."""
        if what != "paste" and not chosen:
            self.messages.note("warning", "Select an element first: double-click a body, or use the explorer", show=True)
            return
        if what == "copy":
            try:
                if self.snapshot.m is None or self.host.passive:
                    raise SpecError("this model belongs to a script, so its elements have no text")
                board.copy(copied(self.snapshot.m, chosen))
                count = f"{len(chosen)} elements" if len(chosen) > 1 else f"{chosen[0][0]} {name(self.snapshot.m, *chosen[0])}"
                self.messages.note("info", f"Copied {count} to the clipboard, as MJCF", show=True)
            except SpecError as error:
                self.messages.note("warning", f"Not done: {without_place(str(error))}", show=True)
        elif what == "paste":
            self.ask(I.PasteElements(*(chosen[0] if chosen else ("body", 0)), board.pasted()))
        else:
            self.ask(SELECTED[what](*chosen[0], also=tuple(chosen[1:])))

    def write_live(self, intent: I.WriteSource) -> None:
        """Find the changes of the running model in another thread, because the search compiles the model twice; then write
        them.
        """
        m = self.snapshot.m
        if m is None or self.host.passive:
            self.messages.note("warning", "This model belongs to a script; it has no text to write into", show=True)
        elif self.host.status.peek().posing:
            self.messages.note("warning", "Not written: posing mode has changed the options; switch it off first", show=True)
        elif self.search is None:
            self.search = Search(m, intent)
            self.search.thread.start()

    def follow_search(self) -> None:
        """Write the changes that were found."""
        search = self.search
        if search is None or search.thread.is_alive() or self.busy:
            return
        self.search = None
        try:
            self._check_work(search)
            if not search.found:
                self.messages.note("info", "The source has all values already", show=True)
                return
            changes = live_changes(search.m, search.found, self.document.path)
            self._check_unsaved(changes)
            count = sum(len(row.values) for row in search.found)
            self._put(changes, f"{count} live value{'s' if count > 1 else ''} written")
            shown = ", ".join(sorted({key for row in search.found for key in row.values}))
            self.messages.note("info", f"Written into the source: {shown}", show=True)
        except (SpecError, OSError) as error:
            self.messages.note("warning", f"Not written: {without_place(str(error))}", show=True)

    def shape(self, intent: I.ShapeGeoms) -> None:
        """Compute collision shapes in another thread, because that may take minutes; then write them."""
        m = self.snapshot.m
        if m is None or self.host.passive:
            self.messages.note("warning", "This model belongs to a script; it has no text to write into", show=True)
        elif intent.how == DECOMPOSE and not can_decompose():
            self.messages.note("warning", EXTRA, show=True)
        elif self.shaping is not None:
            self.messages.note("warning", "Other collision shapes are still being computed", show=True)
        else:
            self.shaping = Shaping(m, intent)
            self.shaping.thread.start()

    def follow_shaping(self) -> None:
        """Write the collision shapes that were computed, as one edit."""
        shaping = self.shaping
        if shaping is None or shaping.thread.is_alive() or self.busy:
            return
        self.shaping = None
        if shaping.stop.is_set():
            self.messages.note("info", "Cancelled: the collision shapes stay as they are", show=True)
            return
        try:
            self._check_work(shaping)
            changes = shapes_written(shaping.m, shaping.found, self.document.path)
            self._check_unsaved(changes)
            count = len(shaping.found)
            self._put(changes, f"{shaping.intent.how} shapes of {count} mesh{'es' if count > 1 else ''}")
            for row in shaping.found:
                self.messages.note("info", row.told, show=True)
        except (SpecError, OSError) as error:
            self.messages.note("warning", f"Not done: {without_place(str(error))}", show=True)

    def _check_work(self, work: Search | Shaping) -> None:
        """Raise SpecError if the work of another thread failed, or concerns a model that is no longer shown."""
        if work.m is not self.snapshot.m:
            raise SpecError("the model was loaded again in the meantime; try again")
        if work.error:
            raise SpecError(work.error)

    def _check_unsaved(self, changes: Changes) -> None:
        """Raise SpecError if a file of an edit has unsaved changes."""
        edited = set(source.unsaved(self.scratch)) & changes.files.keys()
        if edited:
            raise SpecError(f"{os.path.basename(edited.pop())} has unsaved edits in Panels > Source; save or revert them first")

    def add_key(self) -> None:
        """Write the displayed state as a new keyframe into the model's file."""
        m, d, path = self.snapshot.m, self.snapshot.d, os.path.abspath(self.document.path)
        try:
            if m is None or d is None or self.busy:
                raise SpecError("there is no model on screen yet")
            if self.host.passive or not path.lower().endswith(TEXTS):
                raise SpecError("the model has no MJCF file into which a keyframe could be written")
            if path in source.unsaved(self.scratch):
                raise SpecError(f"{os.path.basename(path)} has edits in Panels > Source that are not saved: save them first")
            with open_regular(path) as file:
                data = file.read()
            title = free_key(names(m, "key"))
            changes = Changes()
            changes.add(path, data, keyframe(data, {"name": title, **key_values(d, DIGITS)}))
            self._put(changes, f"keyframe {title} added")
            self.messages.note("info", f"Keyframe {title} is in {os.path.basename(path)}", show=True)
        except (SpecError, OSError) as error:
            self.messages.note("warning", f"Not done: {without_place(str(error))}", show=True)

    def _put(self, changes: Changes, title: str) -> None:
        """Write patches, reload, and store an undo entry."""
        back, again, files = [], [], {}
        for path, (data, patches) in changes.files.items():
            if not patches:
                continue
            new = files[path] = patch.apply(data, patches)
            back.append(I.PatchText(path, tuple(patch.reverse(patches)), len(new), zlib.crc32(new)))
            again.append(I.PatchText(path, tuple(patches), len(data), zlib.crc32(data)))
            fresh = next((p for p in sorted(patches) if len(p.new) > len(p.old) and b"<" in p.new), None)
            if fresh is not None:
                self.fresh = path, *added(new, patch.reverse(patches)[sorted(patches).index(fresh)])
        if not files:
            return
        entry = I.Entry(title, tuple(back), tuple(again))
        self.trial = Trial({path: changes.files[path][0] for path in files}, entry) if changes.tried else None
        for path, new in files.items():
            write(path, new)
        self.undo.push(entry)
        self._load()

    def _load(self) -> None:
        # Load it now, instead of waiting until the watcher notices the change.
        self.document.watcher.watch(self.document.watcher.files)
        self.document.load(self.document.path, keep_state=True)

    def judge(self) -> None:
        """Keep a trial edit if the model has loaded with it; otherwise, restore the files and report why."""
        trial = self.trial
        if trial is None or self.busy:
            return
        self.trial, failure = None, self.document.failure
        if failure is None:
            return
        self.document.failure, self.fresh = None, None
        for path, data in trial.files.items():
            write(path, data)
        self.document.watcher.watch(self.document.watcher.files)
        self.undo.done[:] = [entry for entry in self.undo.done if entry is not trial.entry]
        self.messages.note("warning", f"Not done: {without_place(failure.message)}", show=True)

    def patch(self, intent: I.PatchText) -> None:
        """Undo or redo an edit, if the file has not changed since."""
        try:
            with open_regular(intent.path) as file:
                data = file.read()
            if len(data) != intent.size or zlib.crc32(data) != intent.checksum:
                raise SpecError(f"{os.path.basename(intent.path)} was changed since then, so its text is kept")
            write(intent.path, patch.apply(data, [patch.Patch(*one) for one in intent.patches]))
            self._load()
        except (SpecError, OSError) as error:
            self.messages.note("warning", f"Not done: {error}", show=True)

    def select(self) -> tuple[str, int] | None:
        """Return the added element if the model on screen has it."""
        fresh, self.fresh = self.fresh, None
        m = self.snapshot.m
        spec = m.storage.spec if m is not None else None
        if fresh is None or spec is None:
            return None
        for kind in ("body", "geom", "site", "joint", "camera", "light"):
            for element in spec.items(kind):
                node = element.place
                if node is not None and (node.file, node.line, node.column) == fresh:
                    return kind, element.index
        return None


def added(data: bytes, change: patch.Patch) -> tuple[int, int]:
    """Return line and column of the element that a change added to a file's text; (0, 0) if there is none."""
    end = change.at + len(change.old)
    return next(((tag.line, tag.column) for tag in tags.read_tags(data) if change.at <= tag.begin < end), (0, 0))


def free_key(taken: Sequence[str]) -> str:
    """Return the first of key1, key2, ... that is not the name of a keyframe."""
    return free_name("key", taken, 1, "{}{}", always=True)


def keyframe(data: bytes, values: Mapping[str, str]) -> list[patch.Patch]:
    """Return the patch that adds a keyframe to the text of a model. A <keyframe> section is added if there is none."""
    wrong = "keyframes are written into files of MJCF"
    return in_section(data, "keyframe", wrong, [lambda text, place: patch.add_element(text, place, "key", values)])
