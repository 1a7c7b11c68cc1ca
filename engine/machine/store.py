"""The store of compiled kernels: files of machine code that are checked before they are mapped, and never needed.

    NAME-STAMP.kernel      magic | SHA-256 of name and code | code

What is empty, cut short, changed or renamed does not have its digest and is compiled again. Code is taken only from files that nobody
can have written but this user, the administrator or the owner of these sources, as ssh does with its keys. A file is written under
a name of its own, synced and moved, so that any number of processes may fill one folder. If nothing can be saved, kernels live in
memory and one warning says so.

Folders: TUMBLE_CACHE_DIR or NUMBA_CACHE_DIR alone if given; else beside the sources of a checkout, then the user's cache folder.
All are read, the first that takes files is written.
"""

import functools
import hashlib
import os
import pathlib
import stat
import sys
import tempfile
import threading
import time
import warnings
from typing import Any

import platformdirs

from .regular import open_regular
from .systems import user

PACKAGE = pathlib.Path(__file__).resolve().parents[1]
MAGIC = b"tumble-kernel-1\n"
HEADER = len(MAGIC) + hashlib.sha256().digest_size
SUFFIX = ".kernel"
# a stage's files of older sources are kept this long: other checkouts may share the folder
KEEP_SECONDS = 7 * 86400
# what a process that died while writing has left
ABANDONED_SECONDS = 3600
OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH

_warned = threading.Event()


class StoreWarning(RuntimeWarning):
    """Compiled kernels could not be kept: the next start compiles them again."""


def seal(name, code) -> bytes:
    """A file's contents for machine code under a name."""
    return MAGIC + hashlib.sha256(name.encode() + b"\0" + code).digest() + code


def unseal(name, contents) -> bytes | None:
    """The machine code in a file's contents; None if they are not what was written under this name."""
    code = contents[HEADER:]
    return code if code and contents == seal(name, code) else None


@functools.cache
def _trusted_owners():
    """Users whose files may hold code: this one, the administrator, and whoever owns these sources, which are code, too."""
    return None if (own := user()) is None else {0, own, os.stat(__file__).st_uid}


def is_safe(status) -> bool:
    """Whether a file (os.stat_result) is a plain one that nobody else can have written."""
    owners = _trusted_owners()
    return stat.S_ISREG(status.st_mode) and (owners is None or status.st_uid in owners and not status.st_mode & OTHERS_WRITE)


@functools.cache
def _user_folder():
    """The user's cache folder; a private one for temporary files where there is no home."""
    try:
        return pathlib.Path(platformdirs.user_cache_dir("tumble", appauthor=False)).expanduser() / "kernels"
    except RuntimeError:
        return pathlib.Path(tempfile.gettempdir()) / f"tumble-{'user' if (own := user()) is None else own}" / "kernels"


def folders() -> list[pathlib.Path]:
    """Folders that are read, in order."""
    named = os.environ.get("TUMBLE_CACHE_DIR") or os.environ.get("NUMBA_CACHE_DIR")
    if named:
        return [pathlib.Path(os.path.expanduser(named))]
    # an installed package is left as it was installed, so that nothing stays behind when it is removed
    checkout = (PACKAGE.parent / "pyproject.toml").is_file()
    return [*([PACKAGE / "__pycache__" / "kernels"] if checkout else []), _user_folder()]


@functools.cache
def _writable(candidates):
    for folder in candidates:
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(folder, os.W_OK | os.X_OK):
            return folder
    return None


def folder() -> pathlib.Path | None:
    """The folder that files are written to; None if there is none."""
    return _writable(tuple(folders()))


def _read(path):
    """(contents, whether they are safe) of a plain file. What was looked at is what is read. OSError if it is no plain file, or cannot be read."""
    with open_regular(path) as file:
        return file.read(), is_safe(os.fstat(file.fileno()))


def load(name) -> bytes | None:
    """Machine code that was saved under a name; None if there is none that can be trusted."""
    for place in folders():
        try:
            contents, safe = _read(place / (name + SUFFIX))
        except OSError:
            continue
        code = unseal(name, contents) if safe else None
        if code is not None:
            return code
    return None


def save(name, code) -> bool:
    """Keep machine code under a name; whether it is kept. A failure is a StoreWarning, once in a process: the code is in memory all the same."""
    place = folder()
    try:
        if place is None:
            raise OSError(f"no writable folder (tried {', '.join(map(str, folders()))})")
        _write(place, name, seal(name, code))
    except OSError as error:
        if not _warned.is_set():
            _warned.set()
            warnings.warn(
                StoreWarning(
                    f"compiled kernels cannot be kept, so the next start compiles them again: {error}; "
                    "TUMBLE_CACHE_DIR names another folder"
                ),
                stacklevel=2,
            )
        return False
    _forget_older(place, name)
    return True


def _write(place, name, contents):
    # it may have been removed since
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, partial = tempfile.mkstemp(prefix=f"{name}.", suffix=".tmp", dir=place)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(contents)
            file.flush()
            os.fsync(file.fileno())
        if sys.platform != "win32":
            # others may read what this user compiled
            os.chmod(partial, 0o644)
        if os.path.isdir(place / (name + SUFFIX)):
            # an empty one makes room
            _remove(place / (name + SUFFIX))
        _exchange(partial, place / (name + SUFFIX))
    except BaseException:
        pathlib.Path(partial).unlink(missing_ok=True)
        raise


def _exchange(partial, final):
    """Give a file its name, in one move."""
    try:
        os.replace(partial, final)
    except PermissionError:
        # Windows keeps a file that another process is reading; under the same name it has the same code
        if not final.is_file():
            raise
        os.unlink(partial)


def _forget_older(place, name):
    """Objects of the same stage made from older sources are of no more use."""
    stage, now = name.rpartition("-")[0], time.time()
    for pattern, age in ((f"{stage}-*{SUFFIX}", KEEP_SECONDS), (f"{stage}-*.tmp", ABANDONED_SECONDS)):
        for old in place.glob(pattern):
            try:
                if old.stem != name and old.stat().st_mtime < now - age:
                    old.unlink()
            except OSError:
                # another process was faster
                continue


def check(place) -> list[Any]:
    """[(path, fault)] of a folder's files; a fault is empty, or says why the file is not used."""
    rows = []
    for path in sorted(place.glob(f"*{SUFFIX}")):
        try:
            contents, safe = _read(path)
        except OSError as error:
            rows.append((path, error.strerror or "cannot be read"))
            continue
        fault = "" if unseal(path.stem, contents) is not None else "damaged"
        rows.append((path, fault if safe else "may have been written by others"))
    return rows


def _remove(path):
    """Remove a file or an empty folder; whether that was possible."""
    try:
        path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink(missing_ok=True)
    except OSError:
        # a full folder is not ours, and another user's file may stay as well
        return False
    return True


def clear(place) -> int:
    """Remove all kernels of a folder; returns how many were removed."""
    return sum(_remove(path) for path in (*place.glob(f"*{SUFFIX}"), *place.glob("*.tmp"), *place.glob("*.o")))
