"""Watches the files of a model: the XML, its includes, and its assets.

It polls sizes and times instead of using the system's notifications. This works with editors that save by renaming, network
drives and containers, and costs a few microseconds for each file.
"""

from __future__ import annotations

import os
import threading
import time
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Mapping

from ..engine.description.files.providers import provider_of

# The properties of a file that change when the file is written: time, size, inode; None if the file does not exist.
Stamp = tuple[int, int, int] | None
POLL = 0.2
QUIET = 0.15
ASSET_DIRS = {"mesh": "meshdir", "hfield": "meshdir", "skin": "meshdir", "texture": "texturedir"}
FILE_ATTRIBUTES = ("file", "fileright", "fileleft", "fileup", "filedown", "filefront", "fileback")


def model_files(path: str) -> tuple[str, ...]:
    """Return the existing files of the model at `path`, beginning with that file. If a file cannot be parsed, the files it
    refers to are left out.
    """
    found: dict[str, None] = {}
    _collect(os.path.abspath(path), os.path.dirname(os.path.abspath(path)), {}, found)
    return tuple(found)


def _collect(path: str, root: str, dirs: dict[str, str], found: dict[str, None]) -> None:
    if path in found or not (os.path.isfile(path) or provider_of(path)):
        return

    found[path] = None
    if os.path.splitext(path)[1].lower() not in (".xml", ".mjcf", ".urdf"):
        return

    try:
        tree = ET.parse(path)
    except (ET.ParseError, OSError, UnicodeError):
        return

    # Any file of the model may set these directories; they apply to all files after it.
    for compiler in tree.iter("compiler"):
        for name in ("assetdir", "meshdir", "texturedir"):
            if name in compiler.attrib:
                dirs[name] = compiler.attrib[name]

    for element in tree.iter():
        for name in FILE_ATTRIBUTES:
            if file := element.attrib.get(name):
                if element.tag in ("include", "model"):
                    _collect(_resolve(file, "", root, path), root, dirs, found)
                else:
                    folder = dirs.get(ASSET_DIRS.get(element.tag, ""), dirs.get("assetdir", ""))
                    _collect(_resolve(file, folder, root, path), root, dirs, found)


def _resolve(file: str, folder: str, root: str, source: str) -> str:
    """Return the path of a file relative to the asset directory of the main file. If it does not exist, return its path
    relative to the file that refers to it.
    """
    if (provider := provider_of(file)) is not None:
        # For a member of an archive, watch the archive. A data: URI has no file and cannot change.
        place = provider.place(file)
        return file if place is None else place
    first = os.path.normpath(os.path.join(root, folder, file))
    second = os.path.normpath(os.path.join(os.path.dirname(source), folder, file))
    return first if os.path.exists(first) else second


def stamps_of(files: Iterable[str]) -> dict[str, Stamp]:
    """Return the stamps of files on disk. Files of resource providers are left out, because the providers report changes
    themselves.
    """
    return {f: stamp(f) for f in files if provider_of(f) is None}


def stamp(path: str, since: float = 0.0) -> Stamp:
    """Return the stamp of a file; None if it is missing. For a file of a resource provider, the stamp only shows whether the
    file was modified after the time `since`.
    """
    if (provider := provider_of(path)) is not None:
        return int(provider.modified(path, since)), 0, 0
    try:
        s = os.stat(path)
    except OSError:
        return None
    return s.st_mtime_ns, s.st_size, s.st_ino


class Watcher:
    """Notices when a watched file is saved. Its thread calls `poll(now)`, which only reads file stats.

    A change is reported once the files have been quiet for QUIET seconds. So a save in several writes counts once, as does
    a file that is briefly missing while it is replaced.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stamps: dict[str, Stamp] = {}
        self._dirty: float | None = None
        self._since = 0.0
        self._changed = threading.Event()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def watch(self, files: Iterable[str], extra: Iterable[str] = (), stamps: Mapping[str, Stamp] | None = None) -> None:
        """Replace the list of watched files. `extra`: files to watch although the last parse did not find them. `stamps`:
        stamps from before the files were read, so that the next poll notices later changes.
        """
        known = stamps or {}
        with self._lock:
            self._since = time.time()
            self._stamps = {f: known[f] if f in known else stamp(f, self._since) for f in dict.fromkeys([*files, *extra])}
            self._dirty = None
            self._changed.clear()

    @property
    def files(self) -> tuple[str, ...]:
        with self._lock:
            return tuple(self._stamps)

    def poll(self, now: float) -> bool:
        """Return True once after each change, as soon as the files have not changed for a while."""
        with self._lock:
            current = {f: stamp(f, self._since) for f in self._stamps}
            if current != self._stamps:
                self._stamps, self._dirty = current, now
                return False
            if self._dirty is None or now - self._dirty < QUIET or None in current.values():
                return False
            self._dirty = None
            return True

    def take(self) -> bool:
        """Return True if a change was seen since the last call."""
        changed = self._changed.is_set()
        self._changed.clear()
        return changed

    def start(self) -> None:
        self._thread = threading.Thread(target=self._run, name="watcher", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        if self._thread:
            self._thread.join(2.0)

    def _run(self) -> None:
        while not self._stop.wait(POLL if self._dirty is None else QUIET / 3):
            if self.poll(time.monotonic()):
                self._changed.set()
