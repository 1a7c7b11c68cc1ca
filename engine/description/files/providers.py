"""Resource providers: objects that read names of the form `scheme:rest`. `data:` URIs and `zip:archive!member` are built in.

A provider serves every type of file: models, includes, meshes, textures, height fields, skins, Gmsh. Its result is not
modified.
"""

import binascii
import os
import posixpath
import re
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import unquote_to_bytes

from ...machine.regular import MAX_FILE, open_regular

MAX_MEMBER = 1 << 29
# bytes unpacked at a time
PIECE = 1 << 20

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*")
_providers = {}


class Provider:
    """A reader of names that begin with `scheme:`. Each function gets the full name, or the handle that `open` returned for it.

    scheme: letters before the colon. FatalError at registration if it is taken or invalid
    read: called as read(handle), returns bytes
    open: called as open(name), returns a handle, None if there is no such resource; by default the handle is the name
    close: called as close(handle)
    getdir: called as getdir(name), returns the part of the name that relative names are joined to
    modified: called as modified(name, since), returns whether it changed after `since`, in seconds as from time.time()
    place: called as place(name), returns the file that contains the resource of this name; '' if no file does; None if that is
        unknown. A provider that returns None is refused if loading is confined to a directory.
    """

    def __init__(
        self,
        scheme: str,
        read: Callable[[Any], bytes],
        open: Callable[..., Any] | None = None,
        close: Callable[..., Any] | None = None,
        getdir: Callable[..., Any] | None = None,
        modified: Callable[..., Any] | None = None,
        place: Callable[..., Any] | None = None,
    ) -> None:
        self.scheme, self.read = scheme, read
        self.open = open or (lambda name: name)
        self.close = close or (lambda handle: None)
        self.getdir = getdir or folder
        self.modified = modified or (lambda name, since: False)
        self.place = place or (lambda name: None)

    def contents(self, name: str) -> bytes:
        """Return the bytes of a name; OSError for any failure."""
        try:
            handle = self.open(name)
            if handle is None:
                raise FileNotFoundError("no such resource")
            try:
                data = self.read(handle)
            finally:
                self.close(handle)
        except OSError:
            raise
        except Exception as error:
            raise OSError(f"provider '{self.scheme}': {type(error).__name__}: {error}") from error
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise OSError(f"provider '{self.scheme}' returned {type(data).__name__}, bytes expected")
        if len(data) > MAX_FILE:
            raise OSError(f"provider '{self.scheme}' returned {len(data)} bytes, more than the limit of {MAX_FILE}")
        return bytes(data)

    def exists(self, name: str) -> bool:
        """Return whether a name can be opened."""
        try:
            handle = self.open(name)
            if handle is None:
                return False
            self.close(handle)
        except Exception:
            return False
        return True


def register_provider(provider: Any) -> int:
    """Make names `scheme:...` readable. Return the provider's slot, counted from 1.

    ValueError if the scheme is invalid or taken, or the provider has no `read`.
    """
    scheme = getattr(provider, "scheme", None)
    if not isinstance(scheme, str) or not _SCHEME.fullmatch(scheme):
        raise ValueError(f"'{scheme}' is not a scheme")
    if not callable(getattr(provider, "read", None)):
        raise ValueError(f"the provider for '{scheme}:' has no function to read")
    # on some systems, paths start with one letter and a colon
    if len(scheme) == 1 or scheme.lower() in _providers:
        raise ValueError(
            f"a provider for '{scheme}:' is already registered" if len(scheme) > 1 else f"'{scheme}' is too short for a scheme"
        )
    _providers[scheme.lower()] = provider
    return len(_providers)


def providers() -> list[Provider]:
    """Return all providers in the order of their slots."""
    return list(_providers.values())


def provider_of(name: str) -> Any:
    """Return the provider for the scheme of a name, or None."""
    scheme, colon, _ = name.partition(":")
    return _providers.get(scheme.lower()) if colon else None


def folder(path: str) -> str:
    """Return the directory part of a path with its separator, as written."""
    cut = max(path.rfind("/"), path.rfind("\\"), path.rfind("!"))
    return path[: cut + 1]


def is_data(name: str) -> bool:
    """Return whether a name is a data: URI, which has no file extension."""
    return name[:5].lower() == "data:"


def media_type(name: str) -> str:
    """Return the content type that a data: URI declares, or an empty string."""
    return name[5:].partition(",")[0].partition(";")[0].strip().lower() if is_data(name) else ""


def _read_data(name: str) -> bytes:
    head, comma, body = name.partition(",")
    if not comma:
        raise OSError("a data: URI needs a comma")
    if not head.lower().endswith(";base64"):
        return unquote_to_bytes(body)
    # imported late, which saves 0.7 ms for models without such names
    import base64

    try:
        # base64 text may contain line breaks
        return base64.b64decode("".join(unquote_to_bytes(body).decode("ascii", "replace").split()), validate=True)
    except binascii.Error as error:
        raise OSError(f"a data: URI is not base64: {error}") from None


def _parts(name: str) -> tuple[str, str]:
    """Return (archive, member) of a zip: name; the member is reduced so that it cannot leave the archive."""
    archive, bang, member = name[4:].partition("!")
    if not bang:
        raise OSError("a zip: name must have the form 'zip:archive!member'")
    return archive, posixpath.normpath(member.replace("\\", "/")).lstrip("/")


def _zipfile() -> Any:
    # imported late, which saves 4 to 14 ms for models outside archives
    import zipfile

    return zipfile


class OpenArchives:
    """Zip archives kept open during a load, so that an archive's directory is read once instead of once per asset.

    Loads may run in several threads; the archives are closed when the last load ends.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loads = 0
        # {path: (open file, archive)}
        self._open: dict[str, tuple[Any, Any]] = {}

    @contextmanager
    def during_load(self) -> Iterator[None]:
        """Keep all archives that are opened in this context open until its end."""
        with self._lock:
            self._loads += 1
        try:
            yield
        finally:
            with self._lock:
                self._loads -= 1
                ended = () if self._loads else tuple(self._open.values())
                if not self._loads:
                    self._open = {}
            for file, archive in ended:
                archive.close()
                file.close()

    @contextmanager
    def opened(self, path: str) -> Iterator[Any]:
        """Open the zip archive at a path for reading, in this context. OSError if it is not a zip archive."""

        # reuse an archive that this load has opened
        with self._lock:
            kept = self._open.get(path)
        if kept is not None:
            yield kept[1]
            return

        # open it, and keep it if a load is running
        file = open_regular(path)
        try:
            archive = open_archive(file, path)
        except OSError:
            file.close()
            raise
        with self._lock:
            keep = self._loads > 0 and path not in self._open
            if keep:
                self._open[path] = file, archive

        try:
            yield archive
        finally:
            if not keep:
                archive.close()
                file.close()


ARCHIVES = OpenArchives()


def open_archive(file: Any, title: str) -> Any:
    """Return the zip archive in an open binary file. OSError, which names `title`, if the file is not one."""
    zipfile = _zipfile()
    try:
        return zipfile.ZipFile(file)
    # damaged directories also raise struct.error or UnicodeDecodeError
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OverflowError, EOFError, struct.error) as error:
        raise OSError(f"'{title}' is not a zip archive: {error}") from None


def _open_zip(name: str) -> tuple[str, Any] | None:
    archive, member = _parts(name)
    with ARCHIVES.opened(archive) as z:
        info = z.NameToInfo.get(member)
    if info is None:
        raise FileNotFoundError(f"no '{member}' in '{archive}'")
    return archive, info


def _read_zip(handle: tuple[str, Any]) -> Any:
    archive, info = handle
    with ARCHIVES.opened(archive) as z:
        return unpack(z, info)


def unpack(archive: Any, info: Any, limit: int = MAX_MEMBER) -> bytes:
    """Return the bytes of a member of an open archive.

    OSError if the member exceeds the limit, has another size than it declares, or cannot be unpacked.
    """
    if info.file_size > limit:
        raise OSError(f"'{info.filename}' unpacks to {info.file_size} bytes, more than the limit of {limit}")
    pieces, size = [], 0
    try:
        with archive.open(info) as member:
            # unpack in pieces, because one read could unpack more than the member declares
            while piece := member.read(PIECE):
                pieces.append(piece)
                size += len(piece)
    # decompressors raise many exception types for damaged or encrypted members
    except Exception as error:
        raise OSError(f"'{info.filename}' cannot be unpacked: {error or type(error).__name__}") from None
    if size != info.file_size:
        raise OSError(f"'{info.filename}' unpacks to {size} bytes, but declares {info.file_size}")
    return b"".join(pieces)


def _zip_modified(name: str, since: float) -> bool:
    try:
        return os.stat(_parts(name)[0]).st_mtime > since
    except OSError:
        return True


register_provider(Provider("data", _read_data, getdir=lambda name: "", place=lambda name: ""))
register_provider(Provider("zip", _read_zip, open=_open_zip, modified=_zip_modified, place=lambda name: _parts(name)[0]))
