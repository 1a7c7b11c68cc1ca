"""Changes made to the numbers of a Model, expressed as attributes in the files from which the Model was read.

`MjSpec.copy_back` converts the changes to values of a spec and checks that they compile to the same numbers. Here, values that
differ from those of the original spec become attributes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.model import MjModel
from .copyback import copy_back
from .elements.edit import copy_spec
from .language.attributes import ORIENT, Attr
from .language.errors import SpecError
from .language.keywords import DISABLE, ENABLE
from .language.schema import ROOT, Elem
from .rewrite.numbers import numbers_text
from .rewrite.origin import origin_of

KINDS = (
    *("body", "geom", "joint", "site", "camera", "light", "material", "tendon", "equality", "actuator", "sensor", "pair"),
    *("mesh", "texture", "hfield", "key", "numeric"),
)
# Flags: (field of the options, keywords of its bits, value that sets a bit, value that clears it)
FLAGS = (("disableflags", DISABLE, "disable", "enable"), ("enableflags", ENABLE, "enable", "disable"))
# {section: kinds of changes that include it}; visual changes include statistics, which set sizes of visual elements
GROUPS = {"option": ("option",), "visual": ("visual",), "statistic": ("statistic", "visual")}
# {tag of a servo: {field: ((attribute, index of the number in the field, factor from field to attribute) ...)}}
SERVOS: dict[str, dict[str, tuple[tuple[str, int, float], ...]]] = {
    "position": {"gainprm": (("kp", 0, 1.0),), "biasprm": (("kp", 1, -1.0), ("kv", 2, -1.0))},
    "velocity": {"gainprm": (("kv", 0, 1.0),), "biasprm": (("kv", 2, -1.0),)},
    "intvelocity": {"gainprm": (("kp", 0, 1.0),), "biasprm": (("kp", 1, -1.0), ("kv", 2, -1.0))},
    "damper": {"gainprm": (("kv", 2, -1.0),)},
}
# Fields that are not written. They only determine quat and iquat, which are written.
FOLLOWERS = ("alt", "ialt")
Values = dict[str, str | None]


@dataclass(frozen=True)
class Changed:
    """New attributes of an element or of a section of the model. For a section, the index is -1, and kind is its path, such as
    `option/flag`.
    """

    kind: str
    index: int
    values: Values


def changes(m: MjModel, kind: str = "", index: int = -1) -> list[Changed]:
    """Return all changes of a model since it was compiled from XML. If `kind` is given, return only changes of one element or
    section. SpecError for a change that XML cannot express."""
    spec = m.storage.spec
    if spec is None:
        raise SpecError("this model was not read from XML")
    now = copy_spec(spec)
    copy_back(now, m)
    found: list[Changed] = []
    for one in KINDS:
        for old, new in zip(spec.items(one), now.items(one), strict=True):
            if kind in ("", one) and index in (-1, old.index) and (names := differing(old.raw, new.raw)):
                found.append(Changed(one, old.index, attributes(m, one, old.index, new.raw, names)))
    return found + [row for row in sections(spec, now) if kind in ("", *GROUPS[row.kind.partition("/")[0]])]


def differing(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """Return the names of fields with other values."""
    return [name for name, value in new.items() if name in old and not same(old[name], value)]


def same(a: Any, b: Any) -> bool:
    """Return whether two values are equal, NaN included."""
    if hasattr(a, "tolist") or hasattr(b, "tolist"):
        a, b = (x.tolist() if hasattr(x, "tolist") else x for x in (a, b))
    if isinstance(a, list | tuple) and isinstance(b, list | tuple):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b or a != a and b != b


def attributes(m: MjModel, kind: str, index: int, raw: dict[str, Any], names: Sequence[str]) -> Values:
    """Return the attributes that express changed fields of an element."""
    where = origin_of(m, kind, index)
    if len(where.ids) > 1:
        raise SpecError(
            f"the text of {kind} {index} describes {len(where.ids)} elements, so their numbers cannot differ", where.node
        )
    elem, attrs, out = where.elem, where.node.attrs, dict[str, str | None]()
    servo = SERVOS.get(elem.name, {})
    for name in names:
        if name in FOLLOWERS or name == "type" and "fromto" in attrs:
            continue
        if name in servo:
            out |= {key: numbers_text([factor * raw[name][i]], attrs.get(key, "")) for key, i, factor in servo[name]}
            if "kv" in out and "dampratio" in attrs:
                out["dampratio"] = None
            continue
        rows = [row for row in elem.attrs.values() if row.field == name and not row.alt]
        if not rows:
            raise SpecError(f"the change of {name} cannot be written as an attribute of <{elem.name}>", where.node)
        out[rows[0].name] = text_of(rows[0], raw[name], attrs.get(rows[0].name, ""))
        if name == "quat":
            # remove other notations of the orientation, which would override it
            out |= {key: None for key in ORIENT if key in attrs}
    return {key: text for key, text in out.items() if text != attrs.get(key)}


def text_of(row: Attr, value: Any, old: str = "") -> str | None:
    """Return the text of an attribute's value; None for an unset value."""
    value = value.tolist() if hasattr(value, "tolist") else value
    if row.kind[:4] == "bits":
        return " ".join(word for word, bit in row.words.items() if int(value) >> bit & 1)
    if row.words:
        return next((word for word, number in row.words.items() if number == value), None)
    if isinstance(value, str):
        return value
    values = [shortest(float(x)) for x in (value if isinstance(value, list | tuple) else [value])]
    return None if not values or any(math.isnan(x) for x in values) else numbers_text(values, old)


def shortest(x: float) -> float:
    """Return the shortest number with the same single-precision value; return x itself if it has more than single precision."""
    short = float(f"{x:.7g}")
    return short if np.float32(x) == x and np.float32(short) == np.float32(x) else x


def sections(spec: Any, now: Any) -> Iterable[Changed]:
    """Yield changed options, flags, visual settings and statistics."""
    yield from section("option", ROOT.children["option"], spec.option, now.option)
    values: Values = {}
    for field, words, on, off in FLAGS:
        old, new = int(getattr(spec.option, field)), int(getattr(now.option, field))
        values |= {word: on if new >> k & 1 else off for k, word in enumerate(words) if (old ^ new) >> k & 1}
    if values:
        yield Changed("option/flag", -1, values)
    if (bits := int(now.option.disableactuator)) != int(spec.option.disableactuator):
        yield Changed("option", -1, {"actuatorgroupdisable": " ".join(str(k) for k in range(31) if bits >> k & 1)})
    for tag, elem in ROOT.children["visual"].children.items():
        group = "global_" if tag == "global" else tag
        yield from section(f"visual/{tag}", elem, getattr(spec.visual, group), getattr(now.visual, group))
    yield from section("statistic", ROOT.children["statistic"], spec.stat, now.stat)


def section(path: str, elem: Elem, old: Any, new: Any) -> Iterable[Changed]:
    """Yield the changed attributes of a section, if there are any."""
    values: Values = {}
    for name, row in elem.attrs.items():
        before, after = getattr(old, row.field, None), getattr(new, row.field, None)
        if after is not None and name != "actuatorgroupdisable" and not same(before, after):
            values[name] = text_of(row, after)
    if values:
        yield Changed(path, -1, values)
