"""Errors in reading and compiling a model: the location, what was found there, and what would be valid."""

from collections.abc import Iterable, Sequence
from typing import Any

# longer names are shortened in messages, because a data: URI may be megabytes long
MAX_PATH, MAX_DATA = 4096, 120


class SpecError(ValueError):
    """A model cannot be read or compiled. `file`, `line`, `column`, `element`, `attribute` give the location, as far as it is
    known.

    `owner` is the element of a spec that cannot be compiled; the message contains its name and id.
    """

    def __init__(
        self,
        message: str,
        node: Any = None,
        attribute: str = "",
        found: Any = None,
        known: Sequence[str] = (),
        owner: Any = None,
    ) -> None:
        self.file = getattr(node, "file", "") or ""
        self.line = getattr(node, "line", 0) or 0
        self.column = getattr(node, "column", 0) or 0
        self.element = getattr(node, "tag", "") or ""
        self.attribute = attribute
        self.found = found
        self.message = message
        text = message
        near = nearest(found, known) if found is not None and known else ""
        if near:
            text += f" (did you mean '{near}'?)"
        elif known and len(known) <= 12:
            text += " (expected one of: " + ", ".join(known) + ")"
        place = self.place()
        if owner is not None:
            super().__init__(f"Error: {text}\n{_identity(owner, place, text)}")
        else:
            super().__init__(f"{place}: {text}" if place else f"Error: {text}")

    def place(self) -> str:
        """Return the location as text, as far as it is known: file, line and column, element and attribute."""
        parts = []
        if self.file:
            parts.append(self.file)
        if self.line:
            parts.append(f"line {self.line}" + (f", column {self.column}" if self.column else ""))
        if self.element:
            parts.append(f"element '{self.element}'" + (f", attribute '{self.attribute}'" if self.attribute else ""))
        return ", ".join(parts)


def _identity(owner: Any, place: str, text: str) -> str:
    """Return name, id, file and origin of an element as text; a file that `text` already names is left out."""
    # for an object on a tendon's path, give the name of the tendon
    owner = getattr(owner, "tendon", owner)
    words = [f"Element name '{owner.name}'"]
    index = owner.spec.position(owner) if owner.spec is not None else -1
    if index >= 0:
        words.append(f"id {index}")
    file = owner.raw.get("file", "")
    if file and file not in text:
        words.append(f"file '{shown(file)}'")
    words.append(place or owner.raw.get("info", ""))
    return ", ".join(w for w in words if w)


def shown(name: str) -> str:
    """Return a file's name as messages show it: shortened if it is longer than any path, or a long data: URI."""
    most = MAX_DATA if name[:5].lower() == "data:" else MAX_PATH
    return name if len(name) <= most else name[:most] + "..."


def nearest(word: Any, known: Iterable[str]) -> str:
    """Return the known name most similar to `word`, or an empty string."""
    # imported here, which saves 0.8 ms for models without errors
    import difflib

    hit = difflib.get_close_matches(str(word), [k for k in known if k], 1, 0.6)
    return hit[0] if hit else ""
