"""Archives: compiled kernels in a wheel, one file per processor level. They are searched before the store (see `store`); this
process never writes them.

    LEVEL.kernels      magic | SHA-256 of the index | its length | index | code | ...
    index              {"level", "made", "kernels": {key: [offset, length, SHA-256]}}

A key identifies sources and level, like a file name in the store. After an edit of the sources, no key matches, so the
kernels are compiled. Code whose hash does not match is not run: the next level's code or the store's is used, or the kernel
is compiled. An archive lies beside the sources and is trusted like them: it must have the same owner, and must not be
writable by users who cannot write the sources.
"""

import functools
import hashlib
import json
import os
import pathlib
import stat
import struct
from collections.abc import Callable

from . import target
from .regular import without_waiting
from .stamp import BOUNDSCHECK
from .store import OTHERS_WRITE
from .systems import user

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "kernels"
MAGIC = b"tumble-archive-1\n"
SUFFIX = ".kernels"
HEADER = struct.Struct(f"<{len(MAGIC)}s{hashlib.sha256().digest_size}sQ")


class ArchiveError(ValueError):
    """Raised if a file is not an archive, or is incomplete."""


def pack(level: str, made: str, codes: dict[str, bytes]) -> bytes:
    """Return the contents of an archive file for a level, from {key: machine code}; `made` names the compiler."""
    kernels, place = {}, 0
    for key, code in sorted(codes.items()):
        kernels[key] = [place, len(code), hashlib.sha256(code).hexdigest()]
        place += len(code)
    index = json.dumps({"level": level, "made": made, "kernels": kernels}).encode()
    return (
        HEADER.pack(MAGIC, hashlib.sha256(index).digest(), len(index))
        + index
        + b"".join(code for _, code in sorted(codes.items()))
    )


class Archive:
    """The index of an archive file. Raise ArchiveError or OSError if it cannot be used."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = pathlib.Path(path)
        with open(path, "rb", opener=without_waiting) as file:
            check_trusted(os.fstat(file.fileno()), os.stat(__file__))
            head = file.read(HEADER.size)
            magic, digest, length = HEADER.unpack(head) if len(head) == HEADER.size else (b"", b"", 0)
            index = file.read(length) if magic == MAGIC and length <= self.path.stat().st_size else b""
        if not index or hashlib.sha256(index).digest() != digest:
            raise ArchiveError("damaged")
        table = json.loads(index)
        self.level, self.made, self.kernels = table["level"], table["made"], table["kernels"]
        self.start = HEADER.size + length

    def read(self, key: str) -> bytes | None:
        """Return the machine code stored under a key; None if it is missing or damaged."""
        if key not in self.kernels:
            return None
        place, length, digest = self.kernels[key]
        try:
            with open(self.path, "rb", opener=without_waiting) as file:
                check_trusted(os.fstat(file.fileno()), os.stat(__file__))
                file.seek(self.start + place)
                code = file.read(length)
        except (OSError, ArchiveError):
            return None
        return code if hashlib.sha256(code).hexdigest() == digest else None


def check_trusted(status: os.stat_result, sources: os.stat_result) -> None:
    """Raise ArchiveError unless a file is regular and can only be written by users who can also write the sources. `status` and
    `sources` are os.stat_result."""
    if not stat.S_ISREG(status.st_mode):
        raise ArchiveError("not a file")
    if user() is not None and (status.st_uid not in (0, sources.st_uid) or status.st_mode & OTHERS_WRITE & ~sources.st_mode):
        raise ArchiveError("may have been written by others")


@functools.cache
def chosen() -> list[Archive]:
    """Return the archives that suit this processor, best first. The list is empty in a checkout, or if compiler settings
    require other code."""
    if not FOLDER.is_dir() or BOUNDSCHECK or any(target.compiler_settings()):
        return []
    found = []
    for level in target.suitable():
        try:
            found.append(Archive(FOLDER / (level.name + SUFFIX)))
        except (OSError, ArchiveError):
            # skip this archive, because the one for the next level works as well; `tumble cache` reports the fault
            continue
    return found


def load(key_of: Callable[[str], str]) -> bytes | None:
    """Return a kernel's machine code for the best level that has it; None if none does. `key_of(target)` returns the kernel's
    key for a level."""
    stamps = {level.name: level.stamp for level in target.LEVELS}
    for archive in chosen():
        code = archive.read(key_of(stamps[archive.level]))
        if code is not None:
            return code
    return None


def check() -> list[tuple[pathlib.Path, str, str]]:
    """Return [(path, contents, fault)] of all archives. `fault` is empty, or tells why some or all of the contents are not
    used."""
    rows = []
    for path in sorted(FOLDER.glob(f"*{SUFFIX}")):
        try:
            archive = Archive(path)
        except (OSError, ArchiveError) as error:
            rows.append((path, "", getattr(error, "strerror", None) or str(error)))
            continue
        bad = [key for key in archive.kernels if archive.read(key) is None]
        rows.append((path, f"{len(archive.kernels)} kernels by {archive.made}", f"{len(bad)} damaged" if bad else ""))
    return rows
