"""Kinds of elements, and their object types (mjtObj)."""

from typing import Any

from ...tables.enums import mjtObj

# kind -> object type; attributes such as objtype use the same words
NO_KINDS = (mjtObj.mjOBJ_UNKNOWN, mjtObj.mjNOBJECT)
KINDS: dict[Any, int] = {o.name.removeprefix("mjOBJ_").lower(): int(o) for o in mjtObj if o not in NO_KINDS}
KIND_OF = {number: kind for kind, number in KINDS.items()}


def kind_of(what: str) -> str:
    """Return the name of a kind given as an mjtObj or a name; ValueError for an unknown name."""
    if isinstance(what, str):
        if what not in KINDS:
            raise ValueError(f"unknown kind of element '{what}'")
        return what
    return KIND_OF[int(what)]
