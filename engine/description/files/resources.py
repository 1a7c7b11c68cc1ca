"""Files by name: given assets first, then registered providers (scheme:name), then the file system."""

import hashlib
import os
import time
from collections.abc import Iterable, Mapping
from typing import Any

from ...machine.regular import check_regular, open_regular
from .providers import provider_of

# age in nanoseconds above which an unchanged modification time proves that a file is unchanged; maximum number of digests
SETTLED, MANY = 2_000_000_000, 1 << 16
# {identity of an unchanged file (path, device, inode, size, times): digest of its contents}
_DIGESTS: dict[tuple, bytes] = {}


class OutsideError(PermissionError):
    """A file is outside the directory that the caller allows. `wanted`: its path; empty if the caller must not learn paths."""

    wanted = ""


def outside(text: str, wanted: str) -> OutsideError:
    """Return the error for a file outside the directory."""
    error = OutsideError(text)
    error.wanted = wanted
    return error


def within(path: str, folder: str) -> bool:
    """Return whether a path is a folder of the file system, or is inside it, after links are resolved."""
    return (path + os.sep).startswith(folder.rstrip(os.sep) + os.sep)


def dirname(path: str) -> str:
    """Return the directory part of a path with its separator, as written. A provider splits its own names."""
    provider = provider_of(path)
    return provider.getdir(path) if provider is not None else path[: max(path.rfind("/"), path.rfind("\\")) + 1]


def is_absolute(path: str) -> bool:
    """Return whether a path is absolute on any operating system, or begins with the scheme of a provider."""
    return path[:1] in ("/", "\\") or ":/" in path or ":\\" in path or provider_of(path) is not None


def join(*parts: str) -> str:
    """Join path parts; a later absolute part replaces the parts before it. `.` and `..` are reduced."""
    path = ""
    for part in parts:
        if not part:
            continue
        if is_absolute(part) or not path:
            path = part
        else:
            path = path + part if path[-1] in "/\\!" else path + "/" + part
    return reduce_path(path)


def reduce_path(path: str) -> str:
    """Return the path without `.` and with `..` resolved where possible."""
    if provider_of(path) is not None or "." not in path:
        return path
    path = path.replace("\\", "/")
    root = "/" if path[:1] == "/" else ""
    parts = []
    for p in path[len(root) :].split("/"):
        if p == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif p != ".":
            parts.append(p)
    return root + "/".join(parts)


class Files:
    """Reads files by name for one load: from the load's assets ({name: bytes or text}), providers, the file system.

    `inside`: a directory; files outside it are refused. `folders`: if given, assets are looked up by their full names, after
    removing one of these leading folders; otherwise, by the last part of their names. `mounts`: {path: provider} for all names
    at and below a path.
    """

    def __init__(
        self,
        assets: Mapping[str, Any] | None = None,
        inside: str | os.PathLike | None = None,
        folders: Iterable[str] | None = None,
        mounts: Mapping[str, Any] | None = None,
    ) -> None:
        self.assets = {}
        self.mounts = mounts or {}
        self.folders = sorted(filter(None, folders or ()), key=len, reverse=True)
        self.inside = os.path.realpath(inside) if inside else None
        self.used = []
        # `seen`: results of file system lookups, as (path, whether it is a file) or (path, stamp of its contents).
        # `repeatable`: whether the load used no other source of files. The function `unchanged` decides from `seen` whether a
        # new load would find the same.
        self.seen: list[tuple[str, Any]] = []
        self.repeatable = True
        # models that are being read, the outermost first; number of elements that macros have copied
        self.models = []
        self.copied = 0
        if folders is not None:
            self.assets = {reduce_path(name): data for name, data in (assets or {}).items()}
            return
        for name, data in (assets or {}).items():
            key = basename(name).lower()
            if key in self.assets:
                raise ValueError(f"Repeated file name in assets: {key}")
            self.assets[key] = data
            self.assets.setdefault(reduce_path(name), data)

    def _provider(self, path: str) -> Any:
        """Return the provider mounted at the longest path above a name, or the provider of its scheme; None for the file
        system."""
        above = [at for at in self.mounts if path == at or path.startswith(at + "/")]
        return self.mounts[max(above, key=len)] if above else provider_of(path)

    def _asset(self, path: str) -> bytes | str | None:
        if not self.assets:
            return None
        for folder in self.folders:
            if path.startswith(folder):
                path = path[len(folder) :]
                break
        hit = self.assets.get(basename(path).lower())
        return self.assets.get(reduce_path(path)) if hit is None else hit

    def exists(self, path: str) -> bool:
        """Return whether a name can be opened."""
        provider = self._provider(path)
        if provider is None and self._asset(path) is not None:
            return True
        try:
            real = self._confined(path, provider)
        except OSError:
            return False
        if provider is not None:
            return provider.exists(path)
        found = os.path.isfile(real)
        self.seen.append((real, found))
        return found

    def _confined(self, path: str, provider: Any) -> str:
        """Return the real path of a name; PermissionError if `inside` forbids it."""
        if provider is not None or self.inside:
            self.repeatable = False
        place = path if provider is None else provider.place(path) if self.inside else ""
        if provider is not None and place is None:
            raise PermissionError(f"names of '{provider.scheme}:' are not allowed inside '{self.inside}'")
        if "\0" in (place or ""):
            raise OSError("no such file: its name has a null character")
        # links are resolved only if files are confined to a directory
        real = os.path.realpath(place) if self.inside and place else place or ""
        if self.inside and place and not within(real, self.inside):
            raise outside(f"it is outside '{self.inside}'", real)
        return real

    def read(self, path: str) -> bytes:
        """Return the bytes of a name; OSError if it cannot be read."""
        provider = self._provider(path)
        data = self._asset(path) if provider is None else None
        if data is not None:
            return data.encode() if isinstance(data, str) else bytes(data)
        real = self._confined(path, provider)
        if provider is not None:
            self.used.append(path)
            return provider.contents(path)
        with open_regular(real) as file:
            self.used.append(path)
            info = os.fstat(file.fileno())
            self.seen.append((real, stamp_of(info)))
            return file.read(info.st_size)

    def digest(self, path: str) -> bytes:
        """Return a digest of the bytes that a name refers to; OSError if it cannot be read. An unchanged file is not read
        again.
        """
        provider = self._provider(path)
        if provider is not None or self._asset(path) is not None:
            return digest_of(self.read(path))
        real = self._confined(path, provider)
        info = os.stat(real)
        check_regular(info)
        stamp = real, *stamp_of(info)
        self.seen.append((real, stamp[1:]))
        found = _DIGESTS.get(stamp)
        if found is not None:
            self.used.append(path)
            return found
        found = digest_of(self.read(path))
        if is_settled(stamp[1:]):
            if len(_DIGESTS) >= MANY:
                _DIGESTS.clear()
            _DIGESTS[stamp] = found
        return found


def stamp_of(info: os.stat_result) -> tuple[int, ...]:
    """Return numbers that change when the contents of a file change."""
    return info.st_dev, info.st_ino, info.st_size, info.st_mtime_ns, info.st_ctime_ns


def is_settled(stamp: tuple[int, ...]) -> bool:
    """Return whether any later change of the file would change its stamp. A file written just now may change again within the
    resolution of the modification time."""
    return time.time_ns() - max(stamp[3:]) > SETTLED


def unchanged(seen: Iterable[tuple[str, Any]]) -> bool:
    """Return whether all recorded lookups (see `Files.seen`) would still have the same results."""
    try:
        return all(
            os.path.isfile(path) == answer if isinstance(answer, bool) else stamp_of(os.stat(path)) == answer
            for path, answer in seen
        )
    except OSError:
        return False


def digest_of(data: bytes) -> bytes:
    """Return the digest of bytes."""
    return hashlib.sha1(data).digest()


def stripped(path: str) -> str:
    """Return a path without its folder, for models with `strippath`; keep names of providers whole."""
    return path if provider_of(path) is not None else basename(path)


def basename(path: str) -> str:
    """Return the part of a path after the last separator."""
    return path[max(path.rfind("/"), path.rfind("\\")) + 1 :]


def renamed(path: str, prefix: str, suffix: str) -> str:
    """Return a path with a prefix before its last part and a suffix before its extension."""
    cut = max(path.rfind("/"), path.rfind("\\")) + 1
    path = path[:cut] + prefix + path[cut:]
    dot = path.rfind(".")
    return path + suffix if dot < 0 else path[:dot] + suffix + path[dot:]
