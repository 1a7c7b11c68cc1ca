"""Robots in archives (.zip, .tar and compressed ones): their members, and a folder with their files during an import.

`robot.zip!urdf/arm.urdf` names a file in an archive. Members must be plain files inside the archive; links, devices and names
that point elsewhere are refused.
"""

import os
import shutil
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ...machine.regular import open_regular
from ..files.providers import MAX_MEMBER, open_archive, unpack
from .packages import MOST_LISTED

# maximum unpacked size of an archive, in bytes
MOST_BYTES = 1 << 31
PIECE = 1 << 20
# Folders that some systems add to archives.
LITTER = ("__MACOSX/",)


def checked(name: str, archive: str) -> str:
    """Return the name of a member with forward slashes; OSError if it points outside the archive."""
    plain = name.replace("\\", "/")
    while plain.startswith("./"):
        plain = plain[2:]
    if plain.startswith("/") or ".." in plain.split("/") or plain[1:2] == ":" or "\0" in plain:
        raise OSError(f"{archive}: member '{name}' is outside the archive")
    return plain


def _zip_members(file: Any, path: str) -> Iterator[tuple[str, int, Callable[[], bytes]]]:
    with open_archive(file, path) as archive:
        for info in archive.infolist():
            if not info.is_dir():
                yield info.filename, info.file_size, lambda info=info: unpack(archive, info)


def _tar_members(file: Any, path: str) -> Iterator[tuple[str, int, Callable[[], bytes]]]:
    try:
        with tarfile.open(fileobj=file, mode="r:*") as archive:
            for info in archive:
                if info.isfile():
                    # Headers of tar archives state the true size of a member.
                    yield info.name, info.size, lambda info=info: archive.extractfile(info).read()  # type: ignore[union-attr]
    except (tarfile.TarError, EOFError, ValueError, OverflowError) as error:
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
            os.makedirs(os.path.dirname(target), exist_ok=True)
            # If several members have the same name, the last one is used, as in other unpacking tools.
            with open(target, "wb") as file:
                file.write(read())
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
