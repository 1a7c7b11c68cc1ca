"""Edits of elements, written into the text of the model file. The model is then reloaded with its motion kept; undo restores
the same bytes.
"""

from __future__ import annotations

import itertools
import os
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..engine.description.language.attributes import Attr
from ..engine.description.language.errors import SpecError
from ..engine.description.language.schema import ROOT, Elem
from ..engine.description.rewrite import origin, patch, pose, tags
from ..engine.machine.regular import open_regular
from ..ui import intents as I
from ..ui.context import Scratch, without_place
from ..ui.names import name, names
from ..ui.names import owner as body_of
from ..ui.panel import source
from .commands import key_values
from .document import Document
from .files import write
from .host import Host
from .messages import Messages
from .snapshot import Snapshot
from .undo import Undo

# Bodies contain other elements, so additions go inside the body's own tag.
BODIES = ("body", "worldbody")
# Endings of files into which a keyframe can be written, and the format of its numbers.
TEXTS, DIGITS = (".xml", ".mjcf"), "{:.9g}"


class Editing:
    """Applies edits one at a time: each waits until the model with the previous edit is on screen."""

    def __init__(
        self, host: Host, document: Document, snapshot: Snapshot, undo: Undo, messages: Messages, scratch: Scratch
    ) -> None:
        self.host, self.document, self.snapshot = host, document, snapshot
        self.undo, self.messages, self.scratch = undo, messages, scratch
        self.waiting: list[I.ElementIntent] = []
        # File, line and column of an added element that will be selected.
        self.fresh: tuple[str, int, int] | None = None

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
        while self.waiting and not self.busy:
            self._carry_out(self.waiting.pop(0))

    def _carry_out(self, intent: I.ElementIntent) -> None:
        m = self.snapshot.m
        try:
            if m is None or self.host.passive:
                raise SpecError("this model belongs to a script; its text cannot be edited here")
            shared = isinstance(intent, I.EditElement) and intent.shared
            where = (origin.class_of if shared else origin.origin_of)(m, intent.kind, intent.index)
            if os.path.abspath(where.file) in source.unsaved(self.scratch):
                raise SpecError(
                    f"{os.path.basename(where.file)} has unsaved edits in Panels > Source; save or revert them first"
                )
            data, tag = origin.source_of(where)
            title = f"class {where.shared}: " if shared else f"{intent.kind} {name(m, intent.kind, intent.index)}: "
            self._put(where.file, data, MAKERS[type(intent)](m, intent, where, data, tag), title + TITLES[type(intent)](intent))
            for text in origin.consequences(where, tag, self.document.path):
                self.messages.note("info", title + text, show=True)
        except (SpecError, OSError) as error:
            # Drop values that were only tried in the model, too.
            self.waiting.clear()
            self.messages.note("warning", without_place(str(error)), show=True)
            if self.document.path and isinstance(intent, I.MoveElement | I.ScaleElement):
                self.document.reload(keep_state=True)

    def add_key(self) -> None:
        """Write the displayed state as a new keyframe into the model's file."""
        m, d, path = self.snapshot.m, self.snapshot.d, os.path.abspath(self.document.path)
        try:
            if m is None or d is None or self.busy:
                raise SpecError("there is no model on screen yet")
            if self.host.passive or not path.lower().endswith(TEXTS):
                raise SpecError("the model has no MJCF text of its own that a keyframe could be written into")
            if path in source.unsaved(self.scratch):
                raise SpecError(f"{os.path.basename(path)} has edits in Panels > Source that are not saved: save them first")
            with open_regular(path) as file:
                data = file.read()
            title = free_key(names(m, "key"))
            self._put(path, data, keyframe(data, {"name": title, **key_values(d, DIGITS)}), f"keyframe {title} added")
            self.messages.note("info", f"keyframe {title} is in {os.path.basename(path)}", show=True)
        except (SpecError, OSError) as error:
            self.messages.note("warning", without_place(str(error)), show=True)

    def _put(self, file: str, data: bytes, patches: list[patch.Patch], title: str) -> None:
        """Write patches, reload, and store an undo entry."""
        if not patches:
            return
        new = patch.apply(data, patches)
        path = os.path.abspath(file)
        self._write(path, new)
        back, again = tuple(patch.reverse(patches)), tuple(patches)
        self.undo.push(
            I.Entry(
                title,
                (I.PatchText(path, back, len(new), zlib.crc32(new)),),
                (I.PatchText(path, again, len(data), zlib.crc32(data)),),
            )
        )
        if any(not p.old and p.new.lstrip().startswith(b"<") for p in patches):
            self.fresh = file, *added(new, patches[0])

    def _write(self, path: str, data: bytes) -> None:
        write(path, data)
        # Load it now, instead of waiting until the watcher notices the change.
        self.document.watcher.watch(self.document.watcher.files)
        self.document.load(self.document.path, keep_state=True)

    def patch(self, intent: I.PatchText) -> None:
        """Undo or redo an edit, if the file has not changed since."""
        try:
            with open_regular(intent.path) as file:
                data = file.read()
            if len(data) != intent.size or zlib.crc32(data) != intent.checksum:
                raise SpecError(f"{os.path.basename(intent.path)} was changed since then, so its text is kept")
            self._write(intent.path, patch.apply(data, [patch.Patch(*one) for one in intent.patches]))
        except (SpecError, OSError) as error:
            self.messages.note("warning", str(error), show=True)

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


def added(data: bytes, fresh: patch.Patch) -> tuple[int, int]:
    """Return line and column of the element that a patch added; (0, 0) if there is none."""
    end = fresh.at + len(fresh.new)
    return next(((tag.line, tag.column) for tag in tags.read_tags(data) if fresh.at <= tag.begin < end), (0, 0))


def free_key(taken: Sequence[str]) -> str:
    """Return the first of key1, key2, ... that is not the name of a keyframe."""
    return next(name for k in itertools.count(1) if (name := f"key{k}") not in taken)


def keyframe(data: bytes, values: Mapping[str, str]) -> list[patch.Patch]:
    """Return the patch that adds a keyframe to the text of a model. A <keyframe> section is added if there is none."""
    root = next((tag for tag in tags.read_tags(data) if tag.parent is None), None)
    if root is None or root.name != "mujoco":
        raise SpecError("keyframes are written into files of MJCF")
    section = next((tag for tag in root.children if tag.name == "keyframe"), None)
    if section is not None:
        return patch.add_element(data, section, "key", values)

    # The new section and the key in it are joined into one patch, so that one undo removes both.
    [first] = patch.add_element(data, root, "keyframe", {})
    opened = patch.apply(data, [first])
    section = next(tag for tag in tags.read_tags(opened) if tag.name == "keyframe" and tag.parent is not None)
    new = patch.apply(opened, patch.add_element(opened, section, "key", values))
    return [patch.Patch(first.at, first.old, new[first.at : len(new) - (len(data) - first.at - len(first.old))])]


def checked(elem: Elem, node: Any, values: Any) -> None:
    """Raise SpecError for texts that an attribute cannot have."""
    for key, text in values:
        attr: Attr | None = elem.attrs.get(key)
        if attr is None:
            raise SpecError(f"<{elem.name}> has no attribute '{key}'", node)
        if text is not None:
            attr.read(node, text)
        elif attr.required:
            raise SpecError(f"<{elem.name}> needs its attribute '{key}'", node)


def _edit(_m: Any, intent: I.EditElement, where: origin.Origin, data: bytes, tag: tags.Tag) -> list[patch.Patch]:
    checked(where.elem, where.node, intent.values)
    return patch.set_attributes(data, tag, dict(intent.values))


def _move(m: Any, intent: I.MoveElement, where: origin.Origin, data: bytes, tag: tags.Tag) -> list[patch.Patch]:
    body = int(m.body_parentid[intent.index]) if intent.kind == "body" else body_of(m, intent.kind, intent.index)
    carrier = next(b for b in m.storage.spec.all_bodies() if b.index == body)
    return patch.set_attributes(data, tag, pose.moved(where, carrier, (intent.pos, intent.quat)))


def _scale(_m: Any, intent: I.ScaleElement, where: origin.Origin, data: bytes, tag: tags.Tag) -> list[patch.Patch]:
    return patch.set_attributes(data, tag, pose.scaled(where, intent.factors))


def _add(_m: Any, intent: I.AddElement, where: origin.Origin, data: bytes, tag: tags.Tag) -> list[patch.Patch]:
    if tag.name not in BODIES:
        raise SpecError(f"<{tag.name}> holds no elements", where.node)
    elem = ROOT.children["worldbody"].children.get(intent.tag)
    if elem is None:
        raise SpecError(f"a body has no <{intent.tag}>", where.node)
    checked(elem, where.node, intent.values)
    return patch.add_element(data, tag, intent.tag, dict(intent.values))


def _delete(_m: Any, _intent: I.DeleteElement, where: origin.Origin, data: bytes, tag: tags.Tag) -> list[patch.Patch]:
    if tag.name == "worldbody":
        raise SpecError("the world cannot be deleted", where.node)
    return patch.delete_element(data, tag)


MAKERS: dict[type, Any] = {
    I.EditElement: _edit,
    I.MoveElement: _move,
    I.ScaleElement: _scale,
    I.AddElement: _add,
    I.DeleteElement: _delete,
}
TITLES: dict[type, Callable[[Any], str]] = {
    I.EditElement: lambda intent: ", ".join(
        f"{key} = {text}" if text is not None else f"{key} removed" for key, text in intent.values
    ),
    I.MoveElement: lambda _intent: "moved",
    I.ScaleElement: lambda _intent: "scaled",
    I.AddElement: lambda intent: f"<{intent.tag}> added",
    I.DeleteElement: lambda _intent: "deleted",
}
