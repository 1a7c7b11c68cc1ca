"""The store of compiled kernels: files of machine code, which are verified before they are mapped. The engine also works
without a store.

    NAME-STAMP.kernel      magic | SHA-256 of name and code | code

A file that is empty, truncated, changed or renamed does not match its hash; the kernel is then compiled again. Code is read
only from files that belong to this user, the administrator or the owner of these sources, and that no other user can write.
(ssh treats its keys in the same way.) A file is written under a temporary name, synced and renamed, so any number of processes
can fill one folder. If saving fails, kernels stay only in memory, and one warning is issued.

Folders: if TUMBLE_CACHE_DIR or NUMBA_CACHE_DIR is set, only that one. Otherwise a folder beside the sources of a checkout,
then the user's cache folder. All folders are read; new files go to the first writable one.
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
from collections.abc import Iterable
from typing import Any

import platformdirs

from .regular import open_regular
from .systems import user

PACKAGE = pathlib.Path(__file__).resolve().parents[1]
MAGIC = b"tumble-kernel-1\n"
HEADER = len(MAGIC) + hashlib.sha256().digest_size
SUFFIX = ".kernel"
# Age at which files made from older versions of a stage's source are removed; until then, other checkouts may use them.
KEEP_SECONDS = 7 * 86400
# age at which temporary files are removed; they remain if a process dies while writing
ABANDONED_SECONDS = 3600
OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH

_warned = threading.Event()


class StoreWarning(RuntimeWarning):
    """Warning: compiled kernels could not be saved, so the next start compiles them again."""


def seal(name: str, code: bytes) -> bytes:
    """Return the file contents for machine code saved under a name."""
    return MAGIC + hashlib.sha256(name.encode() + b"\0" + code).digest() + code


def unseal(name: str, contents: bytes) -> bytes | None:
    """Return the machine code in a file's contents, or None unless the contents were saved under this name."""
    code = contents[HEADER:]
    return code if code and contents == seal(name, code) else None


@functools.cache
def _trusted_owners() -> set[int] | None:
    """Return the users whose files are trusted: this user, the administrator, and the owner of these sources, who could change
    the sources as well."""
    return None if (own := user()) is None else {0, own, os.stat(__file__).st_uid}


def is_safe(status: os.stat_result) -> bool:
    """Return whether a file is regular and could not have been written by an untrusted user. `status` is an
    os.stat_result."""
    owners = _trusted_owners()
    return stat.S_ISREG(status.st_mode) and (owners is None or status.st_uid in owners and not status.st_mode & OTHERS_WRITE)


@functools.cache
def _user_folder() -> pathlib.Path:
    """Return the user's cache folder, or a private folder among the temporary files if there is no home folder."""
    try:
        return pathlib.Path(platformdirs.user_cache_dir("tumble", appauthor=False)).expanduser() / "kernels"
    except RuntimeError:
        return pathlib.Path(tempfile.gettempdir()) / f"tumble-{'user' if (own := user()) is None else own}" / "kernels"


def folders() -> list[pathlib.Path]:
    """Return the folders that are read, in order."""
    named = os.environ.get("TUMBLE_CACHE_DIR") or os.environ.get("NUMBA_CACHE_DIR")
    if named:
        return [pathlib.Path(os.path.expanduser(named))]
    # write nothing into an installed package, so that uninstalling removes everything
    checkout = (PACKAGE.parent / "pyproject.toml").is_file()
    return [*([PACKAGE / "__pycache__" / "kernels"] if checkout else []), _user_folder()]


@functools.cache
def _writable(candidates: Iterable[pathlib.Path]) -> pathlib.Path | None:
    """Return the first writable folder, created if necessary; None if there is none."""
    for folder in candidates:
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(folder, os.W_OK | os.X_OK):
            return folder
    return None


def folder() -> pathlib.Path | None:
    """Return the folder for new files; None if there is none."""
    return _writable(tuple(folders()))


def _read(path: pathlib.Path) -> tuple[bytes, bool]:
    """Return (contents of a regular file, whether it is safe), checked on the open file. Raise OSError if it cannot be
    read."""
    with open_regular(path) as file:
        return file.read(), is_safe(os.fstat(file.fileno()))


def load(name: str) -> bytes | None:
    """Return the machine code saved under a name, or None if there is no trusted file."""
    for place in folders():
        try:
            contents, safe = _read(place / (name + SUFFIX))
        except OSError:
            continue
        code = unseal(name, contents) if safe else None
        if code is not None:
            return code
    return None


def save(name: str, code: bytes) -> bool:
    """Save machine code under a name; return whether this worked. The first failure issues a StoreWarning."""
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
                    "set TUMBLE_CACHE_DIR to another folder"
                ),
                stacklevel=2,
            )
        return False
    _forget_older(place, name)
    return True


def _write(place: pathlib.Path, name: str, contents: bytes) -> None:
    """Write a file under a temporary name and rename it."""
    # another process may have removed the folder
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, partial = tempfile.mkstemp(prefix=f"{name}.", suffix=".tmp", dir=place)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(contents)
            file.flush()
            os.fsync(file.fileno())
        if sys.platform != "win32":
            # other users may read this user's compiled code
            os.chmod(partial, 0o644)
        if os.path.isdir(place / (name + SUFFIX)):
            # remove an empty folder that has the name of the file to be written
            _remove(place / (name + SUFFIX))
        _exchange(partial, place / (name + SUFFIX))
    except BaseException:
        pathlib.Path(partial).unlink(missing_ok=True)
        raise


def _exchange(partial: str, final: pathlib.Path) -> None:
    """Rename a file atomically."""
    try:
        os.replace(partial, final)
    except PermissionError:
        # Windows cannot replace a file that another process is reading; the existing file has the same code
        if not final.is_file():
            raise
        os.unlink(partial)


def _forget_older(place: pathlib.Path, name: str) -> None:
    """Remove files of the same stage from older sources."""
    stage, now = name.rpartition("-")[0], time.time()
    for pattern, age in ((f"{stage}-*{SUFFIX}", KEEP_SECONDS), (f"{stage}-*.tmp", ABANDONED_SECONDS)):
        for old in place.glob(pattern):
            try:
                if old.stem != name and old.stat().st_mtime < now - age:
                    old.unlink()
            except OSError:
                # another process has already removed the file
                continue


def check(place: pathlib.Path) -> list[Any]:
    """Return [(path, fault)] for the files of a folder. `fault` is empty, or tells why the file is not used."""
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


def _remove(path: pathlib.Path) -> bool:
    """Remove a file or an empty folder; return whether this worked."""
    try:
        path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink(missing_ok=True)
    except OSError:
        # the folder contains other files, or the file belongs to another user
        return False
    return True


def clear(place: pathlib.Path) -> int:
    """Remove all kernels in a folder; return their number."""
    return sum(_remove(path) for path in (*place.glob(f"*{SUFFIX}"), *place.glob("*.tmp"), *place.glob("*.o")))
