"""Buffers of element names and file names, and the hash table for finding ids by name."""

from itertools import accumulate
from typing import Any

from ...tables.compat_rows import holds
from ..files.resources import reduce_path
from ..language.hashes import name_table
from ..language.kinds import KINDS
from .resolve import Compilation

# types of elements in the order of the names buffer
NAMED = (
    "body",
    "joint",
    "geom",
    "site",
    "camera",
    "light",
    "flex",
    "mesh",
    "skin",
    "hfield",
    "texture",
    "material",
    "pair",
    "exclude",
    "equality",
    "tendon",
    "actuator",
    "sensor",
    "numeric",
    "text",
    "tuple",
    "key",
    "plugin",
)
SHORT = {"joint": "jnt", "camera": "cam", "texture": "tex", "material": "mat", "equality": "eq"}

assert all(k in KINDS for k in NAMED)


def name_buffer(c: Compilation) -> None:
    """Join all names, each followed by a zero byte; store the start of each."""
    names = [c.spec.modelname]
    for kind in NAMED:
        if kind in c.filled:
            names += [e.label for e in getattr(c, kind).elems]
    c.names_buffer, c.name_adr = _joined(names)


def path_buffer(c: Compilation) -> None:
    """Join all file names, each followed by a zero byte; store the start of each."""
    parts, at = [], 0
    c.path_adr = {}
    for kind in ("hfield", "mesh", "skin", "texture"):
        addresses = []
        for e in getattr(c, kind).elems if kind in c.filled else ():
            file = e.raw["file"]
            addresses.append(at if file else -1)
            if file and holds("paths_full", c.compat_bits):
                file = c.file_of(e, file, "texturedir" if kind == "texture" else "meshdir")
            if file:
                parts.append(reduce_path(file).encode() + b"\0")
                at += len(parts[-1])
        c.path_adr[kind] = addresses
    c.paths_buffer = b"".join(parts)


def _joined(texts: list[str]) -> tuple[bytes, list[int]]:
    """Return (bytes of all strings, each followed by a zero byte; list of their starts)."""
    parts = [t.encode() for t in texts]
    ends = accumulate([len(p) + 1 for p in parts], initial=0)
    return b"\0".join([*parts, b""]), list(ends)[:-1]


def pack_names(c: Compilation) -> dict[str, Any]:
    """Return {field: values}: the starts of all names and file names, and the hash table that finds ids by name."""
    out, adr, at, counts = {}, c.name_adr[1:], 0, []
    for kind in NAMED:
        n = getattr(c, kind).n if kind in c.filled else 0
        if n:
            out[f"name_{SHORT.get(kind, kind)}adr"] = adr[at : at + n]
            counts.append(n)
            at += n
    for kind, addresses in c.path_adr.items():
        if addresses:
            out[f"{SHORT.get(kind, kind)}_pathadr"] = addresses
    out["names_map"] = name_table(c.names_buffer, adr, counts)
    return out
