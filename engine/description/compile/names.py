"""Names of elements and files: one buffer each, and the hash table that finds ids by name."""

import numpy as np

from ..language.kinds import KINDS

# names buffer: tables in order with the model's count and address field
NAMED = ("body", "joint", "geom", "site", "camera", "light", "flex", "mesh", "skin", "hfield", "texture", "material", "pair",
         "exclude", "equality", "tendon", "actuator", "sensor", "numeric", "text", "tuple", "key", "plugin")
SHORT = {"joint": "jnt", "camera": "cam", "texture": "tex", "material": "mat", "equality": "eq"}
COUNT = {"actuator": "u"}
LOAD = 2

assert all(k in KINDS for k in NAMED)


def name_buffer(c) -> None:
    """All names one after the other, each ended by a zero, and the address of each."""
    parts, at = [c.spec.modelname.encode() + b"\0"], len(c.spec.modelname.encode()) + 1
    c.name_adr = {}
    for kind in NAMED:
        addresses = []
        for e in getattr(c, kind).elems:
            text = e.name.encode() + b"\0"
            addresses.append(at)
            at += len(text)
            parts.append(text)
        c.name_adr[kind] = addresses
    c.names_buffer = b"".join(parts)


def path_buffer(c) -> None:
    """All file names, as the names."""
    parts, at = [], 0
    c.path_adr = {}
    for kind in ("hfield", "mesh", "skin", "texture"):
        addresses = []
        for e in getattr(c, kind).elems:
            file = e.raw["file"]
            addresses.append(at if file else -1)
            if file:
                parts.append(file.encode() + b"\0")
                at += len(parts[-1])
        c.path_adr[kind] = addresses
    c.paths_buffer = b"".join(parts)


def hash_name(text, n) -> int:
    """Slot of a name in a table of n slots."""
    h = 5381
    for ch in text.encode():
        # the reference's characters are signed
        h = ((h << 5) + h) ^ (ch if ch < 128 else ch - 256)
        h &= 0xffffffffffffffff
    return h % n


def pack_names(c, m) -> None:
    """The buffers and the table that finds names, in a Model."""
    m.names = c.names_buffer
    m.paths = c.paths_buffer or b"\0"
    table = np.full(m.nnames_map, -1, np.int32)
    at = 0
    for kind in NAMED:
        addresses = c.name_adr[kind]
        getattr(m, f"name_{SHORT.get(kind, kind)}adr")[:] = addresses
        size = LOAD * len(addresses)
        for i, e in enumerate(getattr(c, kind).elems):
            if e.name:
                k = hash_name(e.name, size)
                while table[at + k] != -1:
                    k = (k + 1) % size
                table[at + k] = i
        at += size
    m.names_map[:] = table
    for kind, addresses in c.path_adr.items():
        getattr(m, f"{SHORT.get(kind, kind)}_pathadr")[:] = addresses
