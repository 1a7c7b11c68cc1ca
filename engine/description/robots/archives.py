"""Robots in archives (.zip, .tar and compressed ones): their members, and a folder with their files during an import.

`robot.zip!urdf/arm.urdf` names a file in an archive. Members must be plain files inside the archive; links, devices and names
that point elsewhere are refused.
"""

import lzma
import os
import shutil
import tarfile
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ...machine.regular import open_regular
from ..files.providers import MAX_MEMBER, open_archive, unpack
from ..language.errors import shown
from .packages import MOST_LISTED

# maximum unpacked size of an archive, in bytes
MOST_BYTES = 1 << 31
# Limits for tar archives: headers, and bytes of a member that is not a file, such as a long name.
MOST_HEADERS, MOST_EXTRA = 1 << 16, 1 << 16
# maximum number of folders around a member
MOST_LEVELS = 100
PIECE = 1 << 20
# Folders that some systems add to archives.
LITTER = ("__MACOSX/",)


def checked(name: str, archive: str) -> str:
    """Return the name of a member with forward slashes; OSError if it points outside the archive."""
    plain = name.replace("\\", "/")
    while plain.startswith("./"):
        plain = plain[2:]
    parts = plain.split("/")
    if len(parts) > MOST_LEVELS:
        raise OSError(f"{archive}: member '{shown(name)}' is nested deeper than {MOST_LEVELS}")
    # On Windows, a drive anywhere in a path begins a new path, and dots and blanks at the end of a name do not count.
    outside = any(part[1:2] == ":" or part not in ("", ".") and not part.strip(" .") for part in parts)
    if outside or plain.startswith("/") or "\0" in plain:
        raise OSError(f"{archive}: member '{name}' is outside the archive")
    return plain


def _zip_members(file: Any, path: str) -> Iterator[tuple[str, int, Callable[[], bytes]]]:
    with open_archive(file, path) as archive:
        for info in archive.infolist():
            # `is_dir` of some Python releases fails for an empty name.
            if info.filename and not info.is_dir():
                yield info.filename, info.file_size, lambda info=info: unpack(archive, info)


def _checked_headers() -> type[tarfile.TarInfo]:
    """Return the class of the headers of one tar archive. It limits everything that tarfile reads or skips on its own, because
    compressed data can be a million times as long as its file.
    """
    count = 0

    class Header(tarfile.TarInfo):
        @classmethod
        def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> tarfile.TarInfo:
            nonlocal count
            info, count = super().frombuf(buf, encoding, errors), count + 1
            if count > MOST_HEADERS:
                raise tarfile.ReadError(f"it has more than {MOST_HEADERS} headers")
            if not 0 <= info.size <= (MAX_MEMBER if info.isreg() else MOST_EXTRA):
                raise tarfile.ReadError(f"the size of '{info.name}' is {info.size}")
            return info

    return Header


def _tar_members(file: Any, path: str) -> Iterator[tuple[str, int, Callable[[], bytes]]]:
    try:
        with tarfile.open(fileobj=file, mode="r:*", tarinfo=_checked_headers()) as archive:
            for info in archive:
                if info.isfile():
                    # Headers of tar archives state the true size of a member.
                    yield info.name, info.size, lambda info=info: archive.extractfile(info).read()  # type: ignore[union-attr]
    except (tarfile.TarError, EOFError, ValueError, OverflowError, RecursionError, zlib.error, lzma.LZMAError) as error:
        raise OSError(f"'{path}' is not a tar archive: {error}") from None


def members(path: str) -> Iterator[tuple[str, int, Callable[[], bytes]]]:
    """Yield (name, size, function that returns the contents) of all files in an archive. OSError if it is damaged or too
    large."""
    left, count = MOST_BYTES, 0
    with open_regular(path) as file:
        for name, size, read in (_zip_members if path.lower().endswith((".zip", ".usdz")) else _tar_members)(file, path):
            name, left, count = checked(name, path), left - size, count + 1
            if size > MAX_MEMBER or left < 0 or count > MOST_LISTED:
                raise OSError(f"{path}: it has more than {MOST_LISTED} files or {MOST_BYTES >> 30} GB")
            if name and not name.startswith(LITTER):
                yield name, size, read


@contextmanager
def unpacked(path: str) -> Iterator[str]:
    """Yield a folder with the unpacked files of an archive; the folder is removed afterwards."""
    folder = os.path.realpath(tempfile.mkdtemp(prefix="tumble-"))
    try:
        for name, _, read in members(path):
            target = os.path.join(folder, *name.split("/"))
            # If several members have the same name, the last one is used, as in other unpacking tools.
            try:
                os.makedirs(os.path.dirname(target), exist_ok=True)
                with open(target, "wb") as file:
                    file.write(read())
            except OSError as error:
                # The temporary folder means nothing to users.
                raise OSError(f"{path}!{shown(name)}: {error.strerror or error}") from None
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
