"""Skins: data from the element or an SKN file, checks, normalized weights; packing.

reads  skin: matid
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from ..elements.element import Element
from ..elements.elements import compile_error
from ..files.providers import is_data
from ..language.arrays import normalize
from ..language.errors import shown
from .resolve import Compilation, read_asset

FIELDS = ("vert", "texcoord", "face", "bodyname", "bindpos", "bindquat", "vertid", "vertweight")


class Skin:
    """One compiled skin."""

    __slots__ = (*FIELDS, "body", "e")

    if TYPE_CHECKING:
        # the fields above are set at run time
        def __getattr__(self, name: str) -> Any: ...
        def __setattr__(self, name: str, value: Any) -> None: ...


def compile_skins(c: Compilation) -> None:
    """Compile all skins and pack their fields."""
    c.skins = [_compile(c, e) for e in c.skin.elems]
    c.skin_pack = {"sizes": _sizes(c.skins), "fields": _fields(c)}


def _compile(c: Compilation, e: Element) -> Skin:
    s = Skin()
    s.e = e
    raw = e.raw
    if raw["file"]:
        _load(c, s, raw)
    else:
        for name in FIELDS:
            setattr(s, name, raw[name])
    for name in FIELDS:
        if name != "texcoord" and not len(getattr(s, name)):
            raise compile_error(e, f"the skin has no {name}")
    _arrays(s)
    s.body = [c.need("body", name, e, "body") for name in s.bodyname]
    _weights(s)
    s.bindquat = normalize(s.bindquat.astype(np.float64))[0].astype(np.float32)
    return s


def _load(c: Compilation, s: Skin, raw: dict[str, Any]) -> None:
    e = s.e
    if any(len(raw[name]) for name in FIELDS):
        raise compile_error(e, "a skin has either data or a file")
    name = c.file_of(e, raw["file"])
    if not name.lower().endswith(".skn") and not is_data(name):
        raise compile_error(e, f"unknown type of skin file: '{shown(name)}'")
    data = read_asset(c, e, name)
    try:
        read_skn(s, data)
    except ValueError as error:
        raise compile_error(e, f"'{name}': {error}") from None


def read_skn(s: Skin, data: bytes) -> None:
    """Fill a skin from the bytes of an SKN file: counts, vertices, texture coordinates, faces, bones."""
    if len(data) < 16:
        raise ValueError("the header is missing")
    nvert, ntex, nface, nbone = np.frombuffer(data, "<i4", 4).tolist()
    if min(nvert, ntex, nface, nbone) < 0:
        raise ValueError("the header has negative sizes")
    at = 16

    def take(count: int, dtype: str, what: str) -> np.ndarray:
        nonlocal at
        if len(data) < at + 4 * count:
            raise ValueError(f"insufficient data ({what})")
        values = np.frombuffer(data, dtype, count, at)
        at += 4 * count
        return values

    s.vert, s.texcoord = take(3 * nvert, "<f4", "vertices"), take(2 * ntex, "<f4", "texture coordinates")
    s.face = take(3 * nface, "<i4", "faces")
    s.bodyname, s.vertid, s.vertweight, pos, quat = [], [], [], [], []
    for i in range(nbone):
        name = take(10, "<i4", f"bone {i}").tobytes()
        s.bodyname.append(name[:39].partition(b"\0")[0].decode("utf-8", "replace"))
        pos.append(take(3, "<f4", f"bone {i}"))
        quat.append(take(4, "<f4", f"bone {i}"))
        count = int(take(1, "<i4", f"bone {i}")[0])
        if count < 1:
            raise ValueError(f"bone {i} has no vertices")
        s.vertid.append(take(count, "<i4", f"vertices of bone {i}"))
        s.vertweight.append(take(count, "<f4", f"weights of bone {i}"))
    if at != len(data):
        raise ValueError(f"{len(data)} bytes, {at} expected")
    s.bindpos, s.bindquat = (np.concatenate(x) if x else np.zeros(0, np.float32) for x in (pos, quat))


def _arrays(s: Skin) -> None:
    """Convert fields to arrays with the right shapes. SpecError for inconsistent lengths."""
    nbone = len(s.bodyname)
    for name, width, dtype in (
        ("vert", 3, np.float32),
        ("texcoord", 2, np.float32),
        ("face", 3, np.int64),
        ("bindpos", 3, np.float32),
        ("bindquat", 4, np.float32),
    ):
        values = np.asarray(getattr(s, name), dtype)
        if len(values) % width:
            raise compile_error(s.e, f"{name} has {len(values)} numbers, a multiple of {width} is expected")
        setattr(s, name, values.reshape(-1, width))
    if len(s.texcoord) and len(s.texcoord) != len(s.vert):
        raise compile_error(s.e, "vertices and texture coordinates differ in number")
    for name in ("bindpos", "bindquat", "vertid", "vertweight"):
        if len(getattr(s, name)) != nbone:
            raise compile_error(s.e, f"{name} does not have one entry for each of the {nbone} bones")
    if len(s.face) and (s.face.min() < 0 or s.face.max() >= len(s.vert)):
        raise compile_error(s.e, "a face has a vertex that does not exist")


def _weights(s: Skin) -> None:
    """Scale the weights of each vertex to a sum of 1."""
    total = np.zeros(len(s.vert), np.float32)
    ids = []
    for vertid, weight in zip(s.vertid, s.vertweight):
        vertid, weight = np.asarray(vertid, np.int64), np.asarray(weight, np.float32)
        if len(vertid) != len(weight) or not len(vertid):
            raise compile_error(s.e, "each bone needs as many weights as vertices, and at least one")
        if vertid.min() < 0 or vertid.max() >= len(total):
            raise compile_error(s.e, "a bone has a vertex that does not exist")
        np.add.at(total, vertid, weight)
        ids.append((vertid, weight))
    if not (total > 1e-15).all():
        raise compile_error(s.e, f"vertex {int(np.argmax(~(total > 1e-15)))} has no positive weight")
    s.vertid = [v for v, _ in ids]
    s.vertweight = [w / total[v] for v, w in ids]


def _sizes(skins: list[Skin]) -> dict[str, int]:
    return {
        "nskinvert": sum(len(s.vert) for s in skins),
        "nskintexvert": sum(len(s.texcoord) for s in skins),
        "nskinface": sum(len(s.face) for s in skins),
        "nskinbone": sum(len(s.body) for s in skins),
        "nskinbonevert": sum(len(v) for s in skins for v in s.vertid),
    }


def _fields(c: Compilation) -> dict[str, np.ndarray]:
    skins, out = c.skins, {}
    for name, field in (("vert", "vert"), ("texcoord", "texcoord"), ("face", "face"), ("bone", "body")):
        num = np.array([len(getattr(s, field)) for s in skins], np.int64)
        adr = np.cumsum(num) - num
        out[f"skin_{name}adr"] = adr if name != "texcoord" else np.where(num > 0, adr, -1)
        if name != "texcoord":
            out[f"skin_{name}num"] = num

    for name in ("group", "rgba", "inflate"):
        out["skin_" + name] = np.array([s.e.raw[name] for s in skins])
    out["skin_matid"] = c.skin.matid
    for name, field in (
        ("vert", "vert"),
        ("texcoord", "texcoord"),
        ("face", "face"),
        ("bonebindpos", "bindpos"),
        ("bonebindquat", "bindquat"),
        ("bonebodyid", "body"),
    ):
        out["skin_" + name] = np.concatenate([getattr(s, field) for s in skins])

    # collect the vertices of bones
    vertid, weight = ([x for s in skins for x in getattr(s, n)] for n in ("vertid", "vertweight"))
    num = np.array([len(v) for v in vertid], np.int64)
    out["skin_bonevertnum"], out["skin_bonevertadr"] = num, np.cumsum(num) - num
    out["skin_bonevertid"], out["skin_bonevertweight"] = np.concatenate(vertid), np.concatenate(weight)
    return out
