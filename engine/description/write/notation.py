"""Fields of elements in the notation of the written text: as given, or canonical.

Angles and Euler angles of parts attached with other settings are converted to the spec's, since a text has only one setting.
"""

import math
from typing import Any

import numpy as np

from ...geom.principal import ABSOLUTE, RELATIVE, principal
from ...tables.compat_rows import holds
from ..compile.frames import SIZES
from ..elements.element import Element
from ..elements.spec import MjSpec
from ..language import orient
from ..language.errors import SpecError
from ..language.types import AUTO, BALL, HINGE, OFF

# radians per degree, the same number as in the compiler
DEGREE = 0.017453292519943295
NONE = (0, ())
NO_ENDS = (math.nan,) * 6
# alternative orientation -> field of the quaternion that replaces it
FORMS = (("alt", "quat"), ("ialt", "iquat"))
# shapes with this number of sizes have their length in the third one
LONG = 3


class Notation:
    """The notation in which the fields of a spec's elements are written.

    `canonical`: quaternions, radians, and poses and sizes instead of end points.
    """

    def __init__(self, spec: MjSpec, canonical: bool) -> None:
        self.spec, self.canonical = spec, canonical
        self.degree = 0 if canonical else spec.compiler.raw["degree"]
        self.rule = RELATIVE if holds("axes_relative", spec.compat_bits) else ABSOLUTE
        self.known = {}

    def fields(self, e: Element) -> dict:
        """Return the fields of an element as they are written: its own dict, or a changed copy."""
        found = self.known.get(id(e))
        if found is None:
            found = self.known[id(e)] = self._fields(e)
        return found

    def _fields(self, e: Element) -> dict[str, Any]:
        raw, own = e.raw, (e.compiler or self.spec.compiler).raw
        turned = own["degree"] != self.degree
        changes = {}

        # replace alternative orientations
        for form, quat in FORMS:
            if (
                form in raw
                and raw[form][0]
                and (self.canonical or turned or own["eulerseq"] != self.spec.compiler.raw["eulerseq"])
            ):
                turn, error = orient.resolve(
                    tuple(raw[quat]), (raw[form][0], tuple(raw[form][1])), own["degree"], own["eulerseq"]
                )
                if error:
                    raise SpecError(error, e.place)
                changes |= {form: NONE, quat: turn}

        # angles, end points and inertia
        if turned and "springref" in raw and "axis" in raw:
            changes |= self._angles(raw, own["degree"])
        if self.canonical and "fromto" in raw and not math.isnan(raw["fromto"][0]):
            changes |= _stretched(raw)
        if self.canonical and "fullinertia" in raw and not math.isnan(raw["fullinertia"][0]):
            moments, axes = principal(np.array([raw["fullinertia"]]), self.rule)
            changes |= {"fullinertia": NO_ENDS, "inertia": tuple(moments[0].tolist()), "iquat": tuple(axes[0].tolist())}
        return raw | changes if changes else raw

    def _angles(self, raw: dict[str, Any], degree: int) -> dict[str, float]:
        """Return limits and references of a rotational joint in the text's unit."""
        factor, changes = DEGREE if degree else 1 / DEGREE, {}
        low, high = raw["range"]
        # a range without effect is copied unchanged
        if raw["type"] in (HINGE, BALL) and raw["limited"] != OFF and (raw["limited"] != AUTO or low < high):
            changes["range"] = (low * factor, high * factor)
        if raw["type"] == HINGE:
            changes |= {"ref": raw["ref"] * factor, "springref": raw["springref"] * factor}
        if raw["type"] in (HINGE, BALL):
            changes["springyield"] = raw["springyield"] * factor
        return changes


def _stretched(raw: dict[str, Any]) -> dict[str, Any]:
    """Return pose and size of a shape between two points."""
    a, b = raw["fromto"][:3], raw["fromto"][3:]
    axis, length = orient.normal([x - y for x, y in zip(a, b)])
    size, half = tuple(raw["size"]), length / 2
    size = (size[0], size[0], half) if SIZES[raw["type"]] == LONG else (size[0], half, size[2])
    return {
        "fromto": NO_ENDS,
        "pos": tuple((x + y) / 2 for x, y in zip(a, b)),
        "quat": orient.from_z(axis),
        "alt": NONE,
        "size": size,
    }
