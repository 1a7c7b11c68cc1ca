"""MjVfs: files in memory, for the loaders (since MuJoCo 3.8)."""

from __future__ import annotations

from typing import Any

from ...tables.values import read_text
from .providers import Provider
from .resources import reduce_path


class MjVfs:
    """Files in memory, and providers by folder: `vfs["model.xml"] = b"..."`, `del vfs[name]`, `name in vfs`, `with MjVfs() as
    vfs`.

    Loaders search here before the file system. Contents are bytes; each name can be set once. RuntimeError after `close`.
    """

    __slots__ = ("buffers", "mounts", "closed")

    def __init__(self) -> None:
        self.buffers: dict[str, bytes] = {}
        self.mounts: dict[str, Provider] = {}
        self.closed = False

    def _open(self) -> MjVfs:
        if self.closed:
            raise RuntimeError("MjVfs is closed")
        return self

    def __setitem__(self, name: str, contents: bytes | str) -> None:
        if not isinstance(contents, bytes):
            raise TypeError(f"MjVfs: {name!r} needs bytes, got {type(contents).__name__}")
        buffers = self._open().buffers
        name = reduce_path(read_text(name))
        if name in buffers:
            raise ValueError(f"MjVfs: repeated name '{name}'")
        buffers[name] = contents

    def __delitem__(self, name: str) -> None:
        del self._open().buffers[reduce_path(read_text(name))]

    def __contains__(self, name: str) -> bool | None:
        return reduce_path(read_text(name)) in self._open().buffers

    def mount(self, path: str, provider: Any) -> None:
        """Let a provider read all names at and below a path. ValueError if the path already has one."""
        mounts, path = self._open().mounts, reduce_path(read_text(path))
        if not path or path in mounts:
            raise ValueError(f"MjVfs: '{path}' has a provider" if path else "MjVfs: a path is needed")
        mounts[path] = provider

    def unmount(self, path: str) -> None:
        """Remove the provider of a path; KeyError if it has none."""
        del self._open().mounts[reduce_path(read_text(path))]

    def close(self) -> None:
        """Drop all contents; the object cannot be used afterwards."""
        self.buffers.clear()
        self.mounts.clear()
        self.closed = True

    def __enter__(self) -> MjVfs:
        return self._open()

    def __exit__(self, exc_type: Any, exc_value: Any, exc_tb: Any) -> None:
        self.close()


def contents_of(vfs: MjVfs | None, assets: dict[str, Any] | None) -> tuple[dict | None, dict[str, Provider]]:
    """Return (contents by name, providers by folder) of an MjVfs, or of assets.

    ValueError if both are given, TypeError if `vfs` is not an MjVfs.
    """
    if vfs is None:
        return assets, {}
    if not isinstance(vfs, MjVfs):
        raise TypeError(f"vfs: needs MjVfs, got {type(vfs).__name__}")
    if assets:
        raise ValueError("assets and vfs cannot both be given")
    if vfs.closed:
        raise RuntimeError("MjVfs is closed")
    return dict(vfs.buffers), dict(vfs.mounts)
