"""Helpers for files: atomic writing, unused names, and recognition of session logs."""

from __future__ import annotations

import errno
import itertools
import os
import shutil
import struct
import zipfile

# Archive members that only session logs have.
LOG_MEMBERS = ("log.json", "session.json")


def write(path: str, data: bytes) -> None:
    """Replace a file atomically, so that readers never see a partial file. Links, permissions, pipes and devices are kept."""
    target = os.path.realpath(path)
    if os.path.exists(target) and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
    if os.path.exists(target) and not os.path.isfile(target):
        with open(target, "wb") as file:
            file.write(data)
        return
    aside = f"{target}.{os.getpid()}.part"
    try:
        with open(aside, "wb") as file:
            file.write(data)
        if os.path.exists(target):
            shutil.copymode(target, aside)
        os.replace(aside, target)
    except OSError:
        if os.path.exists(aside):
            os.unlink(aside)
        raise


def free_name(name: str) -> str:
    """Return the name, with a number added if a file with this name exists."""
    stem, ending = os.path.splitext(name)
    return next(text for k in itertools.count() if not os.path.exists(text := f"{stem}{f'_{k}' if k else ''}{ending}"))


def is_log(path: str) -> bool:
    """Return whether a file is a session log."""
    if not path.lower().endswith(".zip") or not os.path.isfile(path):
        return False
    try:
        with zipfile.ZipFile(path) as file:
            return any(name in file.namelist() for name in LOG_MEMBERS)
    # zipfile raises many types of errors for damaged files
    except (OSError, zipfile.BadZipFile, NotImplementedError, ValueError, OverflowError, EOFError, struct.error):
        return False
