"""Kinds of elements and the object types (mjtObj) that number them."""

from ...tables.enums import mjtObj

# kind: object type; the same words stand in attributes such as objtype
NO_KINDS = (mjtObj.mjOBJ_UNKNOWN, mjtObj.mjNOBJECT)
KINDS = {o.name.removeprefix("mjOBJ_").lower(): int(o) for o in mjtObj if o not in NO_KINDS}
KIND_OF = {number: kind for kind, number in KINDS.items()}


def kind_of(what) -> str:
    """The kind's name of an mjtObj or a name."""
    if isinstance(what, str):
        if what not in KINDS:
            raise ValueError(f"unknown kind of element '{what}'")
        return what
    return KIND_OF[int(what)]
