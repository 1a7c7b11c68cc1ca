"""Fields of Model, Data and options that an intent may set; each field is identified by a dotted path.

Paths also come from session logs and browsers, so they are looked up in the field tables and never followed as attributes.

    opt.gravity     vis.map.force     stat.extent   every row of MjOption, MjVisual, MjStatistic
    m.geom_size                                     arrays of real numbers, flags, enumerations; no indices, counts or texts
    d.ctrl                                          inputs and state
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import engine as mj
from ..engine.tables.schema import INTERNAL, Field
from ..ui.fields import field_of
from ..ui.intents import FLAG_FIELDS

# Values of the integer fields that an intent may set: none of these can be an index into another array.
FREE_RULES = ("flag", "any")
STATE = "state"
OWNERS: dict[str, Callable[[mj.MjModel, mj.MjData], Any]] = {
    "m": lambda m, d: m,
    "d": lambda m, d: d,
    "opt": lambda m, d: m.opt,
    "vis": lambda m, d: m.vis,
    "stat": lambda m, d: m.stat,
}


def is_settable(head: str, field: Field) -> bool:
    """Return whether an intent may set a field. `head` names the struct: m, d, opt, vis or stat."""
    if head == "d":
        return field.part == STATE
    if head != "m":
        return True
    if not field.dims or field.text or field.group in INTERNAL:
        return False
    return field.dtype[0] == "f" or field.values in FREE_RULES or field.values[:3] == "mjt" or field.values[:1].isdigit()


def owner_of(m: mj.MjModel, d: mj.MjData, path: str) -> tuple[Any, str]:
    """Return the struct and attribute of a path: `opt.gravity`, `vis.map.force`, `stat.extent`, `d.ctrl`, `m.jnt_range`.

    ValueError if there is no such field or it may not be set.
    """
    words = path.split(".") if isinstance(path, str) else [""]
    head, attribute = words[0], words[-1]
    if head in OWNERS and len(words) == (3 if head == "vis" else 2) and "[" not in path:
        field, owner = field_of(path), OWNERS[head](m, d)
        # The attribute for the path `vis.global` is `global_`, because `global` is a keyword.
        owner = getattr(owner, words[1], None) if head == "vis" else owner
        if field is not None and is_settable(head, field) and hasattr(owner, attribute):
            return owner, attribute
    raise ValueError(f"{path!r} is not a field that can be set")


def read_field(m: mj.MjModel, d: mj.MjData, path: str, index: Any = None) -> Any:
    """Return a copy of the values that `set_field` would replace."""
    owner, name = owner_of(m, d, path)
    current = getattr(owner, name)
    if getattr(current, "shape", ()):
        return np.array(current if index is None else current[index])
    check_no_index(path, index)
    return current


def check_no_index(path: str, index: Any) -> None:
    """Raise IndexError if an index is given for a scalar field."""
    if index is not None:
        raise IndexError(f"{path} is a single number, so it has no index {index!r}")


def read_flags(m: mj.MjModel, name: str) -> int:
    """Return the value of a bit-flag field of the options. Raise ValueError for any other field."""
    if name not in FLAG_FIELDS:
        raise ValueError(f"opt.{name} contains no flags")
    return int(getattr(m.opt, name))


def set_field(m: mj.MjModel, d: mj.MjData, path: str, value: Any, index: Any = None) -> None:
    """Write `value` at `index` of a field, or to the whole field. Raise ValueError, TypeError or IndexError if the field, the
    index or the value does not fit.
    """
    owner, name = owner_of(m, d, path)
    current = getattr(owner, name)
    if not getattr(current, "shape", ()):
        check_no_index(path, index)
        setattr(owner, name, value)
        return
    numbers = np.asarray(value)
    if numbers.dtype.kind not in "biuf":
        raise TypeError(f"{path} needs numbers, got {type(value).__name__}")
    current[slice(None) if index is None else index] = numbers
