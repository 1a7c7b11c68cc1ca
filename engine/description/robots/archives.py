"""Archives of robots (.zip, .tar and compressed ones): what is in them, and their files in a folder for the time of an import.

`robot.zip!urdf/arm.urdf` names a file in an archive. Members are plain files below the archive's root; links, devices and names
that lead elsewhere are refused.
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
from .packages import ARCHIVES, MOST_LISTED

# bytes that an archive unpacks to at most
MOST_BYTES = 1 << 31
PIECE = 1 << 20
# what some systems add to archives
LITTER = ("__MACOSX/",)


def split(path: str) -> tuple[str, str]:
    """(archive, member) of `archive!member`; the member is empty without one."""
    head, bang, member = path.rpartition("!")
    if bang and is_archive(head) and os.path.isfile(head):
        return head, member.lstrip("/")
    return path, ""


def is_archive(path: str) -> bool:
    """Whether a name has the ending of an archive."""
    return path.lower().endswith(ARCHIVES)


def checked(name: str, archive: str) -> str:
    """The name of a member with plain separators; OSError if it does not lie in the archive."""
    plain = name.replace("\\", "/")
    while plain.startswith("./"):
        plain = plain[2:]
    if plain.startswith("/") or ".." in plain.split("/") or plain[1:2] == ":" or "\0" in plain:
        raise OSError(f"{archive}: member '{name}' does not lie in the archive")
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
                    # a member is as long as its header says
                    yield info.name, info.size, lambda info=info: archive.extractfile(info).read()  # type: ignore[union-attr]
    except (tarfile.TarError, EOFError, ValueError, OverflowError) as error:
        raise OSError(f"'{path}' is not a tar archive: {error}") from None


def members(path: str) -> Iterator[tuple[str, int, Callable[[], bytes]]]:
    """(name, size, function that returns the contents) of all files in an archive. OSError if it is damaged, or too large."""
    left, count = MOST_BYTES, 0
    with open_regular(path) as file:
        for name, size, read in (_zip_members if path.lower().endswith(".zip") else _tar_members)(file, path):
            name, left, count = checked(name, path), left - size, count + 1
            if size > MAX_MEMBER or left < 0 or count > MOST_LISTED:
                raise OSError(f"{path}: it has more than {MOST_LISTED} files or {MOST_BYTES >> 30} GB")
            if name and not name.startswith(LITTER):
                yield name, size, read


@contextmanager
def unpacked(path: str) -> Iterator[str]:
    """A folder with the files of an archive, which is removed at the end."""
    folder = os.path.realpath(tempfile.mkdtemp(prefix="tumble-"))
    try:
        for name, _, read in members(path):
            target = os.path.join(folder, *name.split("/"))
            os.makedirs(os.path.dirname(target), exist_ok=True)
            # a name that occurs twice is the last one, as unpacking tools have it
            with open(target, "wb") as file:
                file.write(read())
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
