"""Enumerations of the newest release, and their translation to the engine's numbers."""

from typing import Any

import numpy as np

from . import enums
from .actuator_rows import ENUMS
from .enums import Enum
from .face_rows import MEMBERS

# enumerations that differ from the engine's, or that only the newest release has, by name
CLASSES: dict[str, Any] = {name: Enum(name, members, module=__name__) for name, members in MEMBERS.items()}
# enumerations among these that fields store and that the engine numbers differently: {name: ({ours: later}, {later: ours})}
CODES: dict[str, tuple[dict[int, int], dict[int, int]]] = {}
for _name in (*ENUMS.values(), "mjtEq"):
    _ours = getattr(enums, _name).__members__
    _pairs = [(int(_ours[n]), number) for n, number in MEMBERS[_name].items() if n in _ours]
    CODES[_name] = {a: b for a, b in _pairs}, {b: a for a, b in _pairs}


def translated(name: str, values: np.ndarray, back: bool = False) -> np.ndarray:
    """Return an array with the engine's numbers of an enumeration replaced by the newest release's, or the reverse if `back`.
    Return the same array if nothing changes."""
    table = CODES[name][back]
    found = np.array([table.get(x, x) for x in values.ravel().tolist()], values.dtype).reshape(values.shape)
    return values if np.array_equal(found, values) else found


def ours(value: Any) -> Any:
    """Return the engine's member for a member of an enumeration of the newest release; return other values unchanged."""
    name = type(value).__name__
    if CLASSES.get(name) is not type(value):
        return value
    own = getattr(enums, name, None)
    if own is None:
        return int(value)
    if value.name not in own.__members__:
        raise ValueError(f"Tumble does not support {value.name}")
    return own[value.name]


def later(name: str, number: int) -> Any:
    """Return the newest release's member for a number of the engine; return the number if there is none."""
    known = CODES[name][0].get(number, number) if name in CODES else number
    try:
        return CLASSES[name](known)
    except ValueError:
        return number
