"""Source panel: an editor for the model's XML and its includes, which marks the line of an error. Saving a text reloads the
model.
"""

from __future__ import annotations

import codecs
import os
import re
from dataclasses import dataclass, field
from typing import Any

from imgui_bundle import imgui
from imgui_bundle import imgui_color_text_edit as text_edit

from ...engine.machine.regular import open_regular
from .. import icons, source_help, widgets
from ..context import Context, Scratch
from ..element_names import name
from ..intents import OpenEditor, SaveSources, SaveText
from ..merge import merge
from ..shown import Failure
from ..xml_colors import Painter, back_search

SUFFIXES = (".xml", ".mjcf", ".urdf")
Editor = text_edit.TextEditor
TITLE = "##source"


@dataclass
class Texts:
    """State of the panel: the editors by path, the displayed file, the line to show (0: none), the element to find (kind and
    name), and the last error.
    """

    panes: dict[str, Pane] = field(default_factory=dict)
    file: str = ""
    line: int = 0
    find: tuple[str, str] | None = None
    failure: tuple[str, int, str] | None = None

    def go(self, path: str, line: int) -> None:
        """Show a line of a file in the panel."""
        self.file, self.line = os.path.abspath(path), line


def draw(ctx: Context) -> None:
    files = texts(ctx)
    if not files:
        widgets.muted(ctx, "No source text")
        return
    path = _chosen(ctx, files)
    pane = _pane(ctx, path)
    _bar(ctx, files, pane)

    pane.mark(ctx)
    pane.widget.set_palette(Editor.get_light_palette() if ctx.theme.name == "light" else Editor.get_dark_palette())
    if pane.conflict:
        _conflict(ctx, pane)
    if ctx.failure is not None and ctx.failure.message:
        _error(ctx, ctx.failure)

    with widgets.font(ctx.fonts.mono):
        pane.widget.render(TITLE)
        # The last ImGui item is the editor.
        resting = widgets.resting()
        pane.colors.paint(pane.text, TITLE)
        back_search(TITLE, ctx.theme.u32("panel"))
    if resting:
        pane.explain()


def texts(ctx: Context) -> list[str]:
    """Return the files that can be shown: the main file, its includes, and any other file that an error names."""
    found = [ctx.path, *ctx.files, ctx.failure.file if ctx.failure else ""]
    return list(dict.fromkeys(os.path.abspath(f) for f in found if f and f.lower().endswith(SUFFIXES) and os.path.exists(f)))


def _chosen(ctx: Context, files: list[str]) -> str:
    """Return the file to show. A new error or a search selects its file; otherwise, the user picks one from the list."""
    state = ctx.scratch.of(Texts)
    failure = (ctx.failure.file, ctx.failure.line, ctx.failure.message) if ctx.failure else None
    if failure != state.failure:
        state.failure = failure
        if failure and os.path.abspath(failure[0]) in files:
            state.file = os.path.abspath(failure[0])
    if state.find:
        place, state.find = find(files, *state.find), None
        if place:
            state.file, state.line = place
    return state.file if state.file in files else files[0]


def find(files: list[str], kind: str, label: str) -> tuple[str, int] | None:
    """Return (file, line) of the first element with this name whose tag can belong to this kind. If there is none, return that
    of any element with the name.
    """
    named = re.compile(rf'<\s*([\w]+)[^<>]*?\bname\s*=\s*["\']{re.escape(label)}["\']')
    places = []
    for path in files:
        try:
            with open_regular(path) as file:
                text = file.read().decode()
        except (OSError, UnicodeError):
            continue
        for hit in named.finditer(text):
            exact = hit[1].lower() in (kind, f"free{kind}", kind.removeprefix("camera") or kind)
            places.append((not exact, path, text.count("\n", 0, hit.start()) + 1))
    return min(places)[1:] if places else None


def _bar(ctx: Context, files: list[str], pane: Pane) -> None:
    then = "the model reloads" if ctx.settings["auto_reload"] else f"reload with {ctx.hint('reload')}"
    imgui.begin_disabled(not pane.changed)
    if widgets.button(f"{icons.SAVE}  Save", "Ctrl+S", 0.0, f"Save to the file; {then}"):
        ctx.emit(SaveSources(pane.path))
        pane.widget.set_focus()
    imgui.same_line()
    if widgets.button(f"{icons.UNDO}  Revert", "", 0.0, "Restore the text from the file"):
        pane.replace(pane.file)
        pane.widget.set_focus()
    imgui.end_disabled()
    imgui.same_line()
    if widgets.button(f"{icons.DETACH}  Open in editor", "", 0.0, "Open at the line of the error or the cursor"):
        failure = ctx.failure
        failed = failure is not None and failure.line > 0 and os.path.abspath(failure.file) == pane.path
        line = failure.line if failure is not None and failed else pane.widget.get_main_cursor_position().line + 1
        ctx.emit(OpenEditor(pane.path, line))
    imgui.same_line()
    if ctx.m is not None and ctx.view.selected > 0:
        if widgets.button(f"{icons.HAND}  Selected", "", 0.0, "Go to the selected body"):
            ctx.scratch.of(Texts).find = ("body", name(ctx.m, "body", ctx.view.selected))
        imgui.same_line()
    imgui.set_next_item_width(-1e-3)
    folder, panes = os.path.dirname(files[0]), ctx.scratch.of(Texts).panes
    labels = [os.path.relpath(f, folder) + ("  *" if f in panes and panes[f].changed else "") for f in files]
    if (new := widgets.choice("file", files.index(pane.path), labels)) is not None:
        ctx.scratch.of(Texts).file = files[new]


def _error(ctx: Context, failure: Failure) -> None:
    """Draw the error message. A click goes to the line of the error."""
    imgui.push_style_color(imgui.Col_.text, ctx.theme["bad"])
    place = f"line {failure.line}: " if failure.line else ""
    if imgui.selectable(f"{icons.WARNING}  {place}{ctx.failure_text.splitlines()[0]}##error", False)[0] and failure.line:
        ctx.scratch.of(Texts).go(failure.file, failure.line)
    imgui.pop_style_color()
    widgets.tooltip(failure.message)


def _conflict(ctx: Context, pane: Pane) -> None:
    """Draw a warning that another program and the user have changed the same lines."""
    imgui.text_colored(ctx.theme["warn"], f"{icons.WARNING}  The same lines were changed elsewhere")
    widgets.tooltip("Another program changed the file. Save asks which text to keep")
    imgui.same_line()
    if widgets.button("Load the file's text"):
        pane.replace(pane.file)


def unsaved(scratch: Scratch) -> list[str]:
    """Return the files with unsaved changes."""
    return [path for path, pane in scratch.of(Texts).panes.items() if pane.changed]


def recover(scratch: Scratch, path: str, text: str) -> Pane:
    """Put an unsaved text from a crashed session into the editor of its file, as an unsaved change."""
    panes = scratch.of(Texts).panes
    pane = panes[path] if path in panes else panes.setdefault(path, Pane(path))
    pane.refresh()
    pane.replace(text)
    return pane


class Pane:
    """The editor of one file. `file` is the text on disk, `text` the text in the editor."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.widget = Editor()
        self.widget.set_show_whitespaces_enabled(False)
        # Do not complete pairs: typing a closing quote would then insert two quotes.
        self.widget.set_complete_paired_glyphs(False)
        self.colors = Painter(self.widget)
        self.file = self.text = ""
        self.encoding, self.line_end = "utf-8", "\n"
        self.conflict = self.edited = False
        # The text of the file on which the edits are based; None if it is not known.
        self.base: str | None = ""
        # Whether another program's changes were merged into the edited text. The session reports this once.
        self.merged = False
        # Undo index below which the user cannot undo, so that changes by other programs are kept.
        self._theirs = 0
        self._stamp: Any = None
        self._mark: Any = None
        self.widget.set_change_callback(self._touched)

    @classmethod
    def of(cls, path: str) -> Pane:
        """Return a new editor for a file."""
        pane = cls(path)
        pane.refresh()
        return pane

    def _touched(self) -> None:
        self.edited = True

    @property
    def changed(self) -> bool:
        return self.text.rstrip("\n") != self.file.rstrip("\n")

    def refresh(self) -> None:
        """Read the text that the user has typed, and adopt changes of the file by other programs."""
        while self.widget.get_undo_index() < self._theirs:
            self.widget.redo()
        if self.edited:
            self.edited, self.text = False, self.widget.get_text()
            if not self.changed:
                self.conflict, self.base = False, self.file
        if self._stamp == (now := stamp(self.path)):
            return

        first, before, typed = self._stamp is None, self.file, self.changed
        self._stamp, self._mark = now, None
        self.file, self.encoding, self.line_end = read(self.path)

        if first:
            self.text = self.base = self.file
            self.widget.set_text(self.file)
        elif not self.changed:
            self.conflict, self.base = False, self.file
        elif typed and self.file != before and self.file:
            self._merge()
        elif not typed:
            self.replace(self.file)
            # Forbid undoing this change; saving the old text would lose the other program's changes.
            self._theirs = self.widget.get_undo_index()

    def _merge(self) -> None:
        """Merge another program's changes of the file into the edited text. If both changed the same lines, the user must
        decide. If the file is missing or empty, do nothing, because its writer may not have finished.
        """
        both = None
        if self.base is not None:
            both = merge(self.base.rstrip("\n"), self.text.rstrip("\n"), self.file.rstrip("\n"))
        if both is None:
            self.conflict = True
            return
        self.replace(both)
        self.base, self.merged = self.file, True
        self._theirs = self.widget.get_undo_index()

    def doubt(self) -> None:
        """Make the user decide between the edited text and the file, because the text on which the edits are based is not
        known.
        """
        self.base, self.conflict = None, True

    def replace(self, text: str) -> None:
        """Replace the text by one edit, which can be undone. The cursor keeps its position in text that does not change."""
        old, new = self.widget.get_text().rstrip("\n"), text.rstrip("\n")
        same = common(old, new)
        below = common(old[same:][::-1], new[same:][::-1])
        if old != new:
            cursor, top = self.widget.get_main_cursor_position(), self.widget.get_first_visible_row()
            begin, end = place(old, same), place(old, len(old) - below)
            self.widget.replace_section_text(begin, end, new[same : len(new) - below])
            # Restore the cursor, which the edit has moved.
            more = new.count("\n") - old.count("\n") if end < cursor else 0
            self.widget.set_cursor(Editor.DocPos(min(max(cursor.line + more, 0), new.count("\n")), cursor.index))
            self.widget.scroll_to_line(top, Editor.Scroll.align_top)
        self.text, self.conflict = self.widget.get_text(), False
        if not self.changed:
            self.base = self.file

    def saving(self) -> SaveText:
        """Return the intent that saves the text, in the file's encoding and with its line ends."""
        self.text = self.widget.get_text()
        text = self.text.rstrip("\n") + "\n"
        return SaveText(self.path, text.replace("\n", self.line_end).encode(self.encoding, "xmlcharrefreplace"))

    def mark(self, ctx: Context) -> None:
        """Mark the line of the last error, and underline the wrong part of it. If a location was requested, go there."""
        failure = ctx.failure
        here = failure is not None and failure.line > 0 and os.path.abspath(failure.file) == self.path
        mark = (failure.line, failure.column, failure.message) if failure is not None and here else None
        if mark != self._mark:
            self._mark = mark
            self.widget.clear_markers()
            self.widget.clear_squiggles()
            if failure is not None and mark:
                color = ctx.theme.u32("bad", 0.35)
                self.widget.add_marker(failure.line - 1, color, color, failure.message, failure.message)
                begin, end = culprit(self.file, failure.line, failure.column, failure.attribute, failure.found)
                if begin < end and not self.changed:
                    self.widget.add_squiggle(
                        place(self.file, begin), place(self.file, end), 0, ctx.theme.u32("bad"), failure.message
                    )
                # Do not move the cursor of a user who may be typing.
                if not writing():
                    self.go(place(self.file, begin) if begin < end else Editor.DocPos(failure.line - 1, 0))
        state = ctx.scratch.of(Texts)
        if line := state.line:
            state.line = 0
            self.go(Editor.DocPos(line - 1, 0))

    def explain(self) -> None:
        """Show a tooltip about the text under the mouse, except on the line of an error, which has its own tooltip."""
        mouse = imgui.get_mouse_pos()
        if not self.widget.is_mouse_pos_over_glyph(mouse):
            return
        spot = self.widget.get_doc_pos_at_mouse_pos(mouse)
        if self._mark is None or spot.line != self._mark[0] - 1:
            if text := source_help.at(self.text, offset(self.text, spot.line, spot.index)):
                imgui.set_tooltip(text)

    def go(self, at: Any) -> None:
        """Move the cursor to a location, and scroll its line to the middle."""
        self.widget.set_cursor(at)
        # Do not center positions inside a line, because a long line may have to scroll sideways.
        if not at.index:
            self.widget.scroll_to_line(at.line, Editor.Scroll.align_middle)


def _pane(ctx: Context, path: str) -> Pane:
    """Return the editor of a file, with its text updated from the file."""
    panes = ctx.scratch.of(Texts).panes
    if path not in panes:
        panes[path] = Pane(path)
    pane = panes[path]
    before = pane.file
    pane.refresh()
    if pane.file is not before:
        ctx.fonts.see(f"{path} {pane.file}")
    return pane


def writing() -> bool:
    """Return whether the editor has the keyboard."""
    window = imgui.get_current_context().nav_window
    return window is not None and f"/{TITLE}_" in window.name


def stamp(path: str) -> tuple[int, int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def read(path: str) -> tuple[str, str, str]:
    """Return (text, encoding, line end) of a file. A file that is not UTF-8 is read as one letter per byte, so that saving
    preserves its bytes.
    """
    try:
        with open_regular(path) as file:
            data = file.read()
    except OSError:
        return "", "utf-8", "\n"
    encoding = "utf-8-sig" if data.startswith(codecs.BOM_UTF8) else "utf-8"
    try:
        text = data.decode(encoding)
    except UnicodeError:
        encoding, text = "latin-1", data.decode("latin-1")
    line_end = "\r\n" if "\r\n" in text else "\n"
    return text.replace("\r\n", "\n"), encoding, line_end


def common(a: str, b: str) -> int:
    """Return the length of the longest common prefix of two texts."""
    low, high = 0, min(len(a), len(b))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if a[low:middle] == b[low:middle] else (low, middle - 1)
    return low


def place(text: str, at: int) -> Any:
    """Return line and column of an offset in a text."""
    return Editor.DocPos(text.count("\n", 0, at), at - text.rfind("\n", 0, at) - 1)


def offset(text: str, line: int, column: int) -> int:
    """Return the offset of a line and column in a text."""
    at = 0
    for _ in range(line):
        at = text.find("\n", at) + 1
    return at + column


def culprit(text: str, line: int, column: int, attribute: str, found: str) -> tuple[int, int]:
    """Return the range to underline for an error, as (begin, end): the attribute that the error names, else the word that it
    quotes, else the tag. Return (0, 0) if none is found.
    """
    lines = text.split("\n")
    if not 1 <= line <= len(lines):
        return 0, 0
    first = sum(len(row) + 1 for row in lines[: line - 1])
    begin = first + min(max(column - 1, 0), len(lines[line - 1]))
    if column <= 0:
        begin += len(lines[line - 1]) - len(lines[line - 1].lstrip())
    tag = re.compile(r"</?[\w:.-]+(?:[^<>\"']|\"[^\"]*\"|'[^']*')*>?").match(text, begin)
    if tag is None:
        rest = re.compile(r"[^\s<>]+|\S").search(text, begin, first + len(lines[line - 1]))
        return rest.span() if rest else (first, first + len(lines[line - 1]))
    for wanted in ([rf"(?<![\w:.-]){re.escape(attribute)}\s*=\s*(\"[^\"]*\"|'[^']*')"] if attribute else []) + (
        [rf"[\w:.-]+\s*=\s*([\"']){re.escape(found)}\1"] if found else []
    ):
        if hit := re.compile(wanted).search(text, tag.start(), tag.end()):
            return hit.span()
    name = re.compile(r"</?[\w:.-]+").match(text, begin)
    # The pattern always matches, because a tag begins with a name.
    assert name is not None
    return begin, name.end()
