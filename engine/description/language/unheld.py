"""TABLE of fields of later releases that this engine does not simulate. They have neutral values; any other value raises an
error that names the field.

    struct  field  kind  neutral value | release, what it is
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...tables.later_enums import CLASSES

UNHELD = """
MjsFlex     cellcount       i4[3] 1 1 1   | 3.8: cells of an interpolated flex
MjsFlex     order           i4    0       | 3.8: order of interpolation
MjsFlex     size            f8[3] 0 0 0   | 3.12: half sizes of an interpolated flex
MjsFlex     shear           f8    0       | 3.17: shear stiffness of rods
MjsFlex     section         mjtFlexSection 0 | 3.17: cross section of rods
MjsFlex     sectionsize     f8[2] 0 0     | 3.17: size of the cross section of rods
MjsFlex     stressyield     f8[2] 0 0     | 4.0: plastic flexes
MjsFlex     elastic3d       i4    0       | 3.15: elastic law of solids
MjsMesh     octree_maxdepth i4    6       | 3.8: depth of octrees
MjsMesh     usernode        vec   -       | 4.0: nodes of a volume mesh
MjsMesh     usertet         vec   -       | 4.0: tetrahedra of a volume mesh
MjsSite     meshname        str   -       | 3.13: sites in the shape of a mesh
MjsTexture  embed           mjtEmbed 2    | 3.17: textures by reference
MjsCompiler passthrough     mjtPassthrough 0 | 3.17: assets by reference
MjsCompiler authored        i4    0       | 3.16: which settings a file gives, as bits
MjsBody     fuse            i4    1       | 3.16: whether a static body may become part of its parent
"""


def _neutral(kind: str, words: Sequence[str]) -> Any:
    """Return the neutral value of a field, in the type that scripts expect."""
    base, _, count = kind.rstrip("]").partition("[")
    if kind in CLASSES:
        return CLASSES[kind](int(words[0]))
    if base == "vec":
        return ()
    if base == "str":
        return ""
    number = float if base[0] == "f" else int
    values = [number(w) for w in words]
    return np.array(values, base) if count else values[0]


def _type_of(value: Any) -> str:
    """Return the type of a value as stub files write it."""
    if isinstance(value, np.ndarray):
        return f"npt.NDArray[np.{value.dtype}]"
    for kind, text in ((tuple, "list[float]"), (str, "str"), (float, "float")):
        if isinstance(value, kind):
            return text
    return "int"


def _property(struct: str, name: str, value: Any, sentence: str) -> property:
    release, _, what = sentence.partition(": ")

    def read(self) -> Any:
        return value.copy() if isinstance(value, np.ndarray) else list(value) if isinstance(value, tuple) else value

    def write(self, given: Any) -> None:
        check(struct, name, given)

    # stub files take the property's type from this annotation
    read.__annotations__["return"] = _type_of(value)

    return property(read, write, doc=f"{what} (since {release}); only the neutral value is here.")


def check(struct: str, name: str, given: Any) -> None:
    """Raise ValueError unless a field's value is neutral, that is, without effect."""
    value, sentence = ROWS[struct][name]
    release, _, what = sentence.partition(": ")
    if np.shape(given) != np.shape(value) or (np.asarray(given) != np.asarray(value)).any():
        raise ValueError(f"{name}: needs MuJoCo {release} ({what}); Tumble does not support it")


def _rows() -> dict[str, dict[str, tuple[Any, str]]]:
    found: dict[str, dict[str, tuple[Any, str]]] = {}
    for line in UNHELD.strip().splitlines():
        left, _, sentence = line.partition("|")
        struct, name, kind, *words = left.split()
        found.setdefault(struct, {})[name] = _neutral(kind, words), sentence.strip()
    return found


# struct -> {field: (neutral value, "release: what the field is")}
ROWS = _rows()
# struct -> {field: property}
PROPERTIES = {struct: {name: _property(struct, name, *row) for name, row in rows.items()} for struct, rows in ROWS.items()}
