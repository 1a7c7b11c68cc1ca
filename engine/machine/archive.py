"""Archives: kernels that a wheel brings, a file for each level of processors, read before the store and never written here.

    LEVEL.kernels      magic | SHA-256 of the index | its length | index: {"level", "made", "kernels": {key: [place, length, SHA-256]}} | code | ...

A key names sources and level as a file of the store does, so sources that were edited after they were installed find nothing here. Code
that is not what was packed is not run: the next level's is taken, or the store's, or it is compiled. An archive lies beside the sources and
is trusted as they are: it belongs to the same user, and nobody else can write it unless he can write them.
"""

import functools
import hashlib
import json
import os
import pathlib
import stat
import struct

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
    """A file is no archive, or not a whole one."""


def pack(level, made, codes) -> bytes:
    """Contents of an archive of {key: machine code} for a level; `made` says by what it was compiled."""
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
    """The index of one file. ArchiveError, OSError if it cannot be used."""

    def __init__(self, path):
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

    def read(self, key) -> bytes | None:
        """Machine code under a key; None if there is none, or if it is not what was packed."""
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


def check_trusted(status, sources) -> None:
    """ArchiveError unless a file is a plain one that only those can have written who can write the sources (both os.stat_result)."""
    if not stat.S_ISREG(status.st_mode):
        raise ArchiveError("not a file")
    if user() is not None and (status.st_uid not in (0, sources.st_uid) or status.st_mode & OTHERS_WRITE & ~sources.st_mode):
        raise ArchiveError("may have been written by others")


@functools.cache
def chosen() -> list[Archive]:
    """Archives that serve this processor, the best first: none in a checkout, and none where the compiler is set to make something else."""
    if not FOLDER.is_dir() or BOUNDSCHECK or any(target.compiler_settings()):
        return []
    found = []
    for level in target.suitable():
        try:
            found.append(Archive(FOLDER / (level.name + SUFFIX)))
        except (OSError, ArchiveError):
            # the next level serves as well; `tumble cache` tells
            continue
    return found


def load(key_of) -> bytes | None:
    """Machine code of a kernel, for the best level that has it; None if there is none. key_of(target) is its key."""
    stamps = {level.name: level.stamp for level in target.LEVELS}
    for archive in chosen():
        code = archive.read(key_of(stamps[archive.level]))
        if code is not None:
            return code
    return None


def check() -> list[tuple[pathlib.Path, str, str]]:
    """[(path, what it has, fault)] of all archives here; a fault is empty, or says what of it is not used."""
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
