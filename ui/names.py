"""Names of a model's elements, with `kind i` for the unnamed; read once a model."""

from __future__ import annotations

from typing import Any

from .. import engine as mj

# kind -> size attribute of the model
KINDS = {
    "body": "nbody", "joint": "njnt", "geom": "ngeom", "site": "nsite", "camera": "ncam", "light": "nlight",
    "tendon": "ntendon", "actuator": "nu", "sensor": "nsensor", "equality": "neq", "key": "nkey", "mesh": "nmesh",
    "hfield": "nhfield", "texture": "ntex", "material": "nmat", "pair": "npair", "exclude": "nexclude",
    "numeric": "nnumeric", "text": "ntext", "tuple": "ntuple", "skin": "nskin", "flex": "nflex",
}
_MEMBER = {"material": "mjOBJ_MATERIAL", "texture": "mjOBJ_TEXTURE"}
_cache: tuple[Any, dict[str, list[str]]] = (None, {})


def names(m: mj.MjModel, kind: str) -> list[str]:
    """Names of all elements of a kind, in order of id."""
    global _cache
    if _cache[0] is not m:
        _cache = (m, {})
    table = _cache[1]
    if kind not in table:
        member = getattr(mj.mjtObj, _MEMBER.get(kind, f"mjOBJ_{kind.upper()}"))
        count = getattr(m, KINDS[kind])
        table[kind] = [mj.mj_id2name(m, member, i) or f"{kind} {i}" for i in range(count)]
    return table[kind]


def name(m: mj.MjModel, kind: str, i: int) -> str:
    """Name of one element; empty outside the range."""
    rows = names(m, kind)
    return rows[i] if 0 <= i < len(rows) else ""


# kind -> field that says which body an element belongs to
BODY_OF = {"joint": "jnt_bodyid", "geom": "geom_bodyid", "site": "site_bodyid", "camera": "cam_bodyid", "light": "light_bodyid"}


def owner(m: Any, kind: str, i: int) -> int:
    """The body that an element belongs to; 0 if it belongs to none."""
    if kind == "body":
        return i
    return int(getattr(m, BODY_OF[kind])[i]) if kind in BODY_OF else 0
