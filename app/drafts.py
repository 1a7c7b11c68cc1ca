"""Drafts: copies of unsaved changes to source files, so that a crash does not lose them.

Each edited file has a draft in the settings folder. It is written whenever the edited text changes, and removed when the
changes are saved or discarded. If the process that wrote a draft has ended and the draft still exists, the process has crashed.
The draft is restored when its model is opened.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol

from ..engine.machine.systems import running
from .files import write

FOLDER = "unsaved"


@dataclass(frozen=True)
class Draft:
    """A copy of a file's unsaved text. `base` is the digest of the file when editing began; `at` is the time when the draft was
    written.
    """

    path: str
    text: str
    base: str
    at: float


class Text(Protocol):
    """A text that is being edited; `file` is the saved text on disk."""

    text: str
    file: str

    @property
    def changed(self) -> bool: ...


class Drafts:
    """The drafts of one window. `folder` is where they are stored."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        # {path: text of this window's draft}; the reason why drafts cannot be written
        self.kept: dict[str, str] = {}
        self.failure = ""

    def follow(self, texts: Mapping[str, Text]) -> None:
        """Write drafts of files with unsaved changes. Remove a draft once its changes are saved or discarded."""
        for path, text in texts.items():
            if text.changed and self.kept.get(path) != text.text:
                self._keep(Draft(path, text.text, digest(text.file), time.time()))
            elif not text.changed and self.kept.pop(path, None) is not None:
                self.name(path).unlink(missing_ok=True)

    def _keep(self, draft: Draft) -> None:
        # Record the text even if writing fails, so that the failure is reported once and not in each frame.
        self.kept[draft.path] = draft.text
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write(str(self.name(draft.path)), json.dumps(asdict(draft)).encode())
        except OSError as error:
            self.failure = f"A crash would lose unsaved texts, because drafts cannot be written: {error}"

    def take(self, paths: Iterable[str]) -> list[Draft]:
        """Return the newest draft of each file, among the drafts that crashed sessions left."""
        found: dict[str, Draft] = {}
        for path in paths:
            for file in self.folder.glob(f"{digest(path)}.*.json"):
                draft = read(file) if abandoned(file) else None
                if draft is not None and draft.path == path and (path not in found or found[path].at < draft.at):
                    found[path] = draft
        return list(found.values())

    def forget(self, path: str) -> None:
        """Remove the drafts of a file that were left by crashed sessions; this window now keeps its own draft."""
        for file in self.folder.glob(f"{digest(path)}.*.json"):
            if abandoned(file):
                file.unlink(missing_ok=True)

    def name(self, path: str) -> Path:
        """Return the name of the file with this window's draft."""
        return self.folder / f"{digest(path)}.{os.getpid()}.json"


def digest(text: str) -> str:
    """Return a short digest of a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:20]


def abandoned(file: Path) -> bool:
    """Return whether the process that wrote a draft has ended."""
    owner = file.name.split(".")[1]
    return owner.isdecimal() and int(owner) != os.getpid() and not running(int(owner))


def read(file: Path) -> Draft | None:
    """Read a draft from a file. Return None if the file contains something else."""
    try:
        draft = Draft(**json.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
    fits = all(isinstance(value, str) for value in (draft.path, draft.text, draft.base)) and isinstance(draft.at, float)
    return draft if fits else None
