"""Fields of elements for a text that says what a spec says: in the notation in which they were given, or in the canonical one.

Angles and Euler angles of a part that was attached with other settings are brought to those of the spec, which are the only ones that a text has.
"""

import math

from ...geom.principal import ABSOLUTE, RELATIVE, principal
from ...tables.compat_rows import holds
from ..compile.frames import SIZES
from ..language import orient
from ..language.errors import SpecError
from ..language.types import AUTO, BALL, HINGE, OFF

# radians of a degree, as compiling has it
DEGREE = 0.017453292519943295
NONE = (0, ())
NO_ENDS = (math.nan,) * 6
# orientation in another form: the quaternion that it stands for
FORMS = (("alt", "quat"), ("ialt", "iquat"))
# shapes whose length is their third size
LONG = 3


class Notation:
    """How the fields of a spec's elements are written; `canonical`: quaternions, radians, poses and sizes instead of end points."""

    def __init__(self, spec, canonical):
        self.spec, self.canonical = spec, canonical
        self.degree = 0 if canonical else spec.compiler.raw["degree"]
        self.rule = RELATIVE if holds("axes_relative", spec.compat_bits) else ABSOLUTE
        self.known = {}

    def fields(self, e) -> dict:
        """The fields of an element as they are written: its own ones, or a changed copy."""
        found = self.known.get(id(e))
        if found is None:
            found = self.known[id(e)] = self._fields(e)
        return found

    def _fields(self, e):
        raw, own = e.raw, (e.compiler or self.spec.compiler).raw
        turned = own["degree"] != self.degree
        changes = {}
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
        if turned and "springref" in raw and "axis" in raw:
            changes |= self._angles(raw, own["degree"])
        if self.canonical and "fromto" in raw and not math.isnan(raw["fromto"][0]):
            changes |= _stretched(raw)
        if self.canonical and "fullinertia" in raw and not math.isnan(raw["fullinertia"][0]):
            moments, axes = principal([raw["fullinertia"]], self.rule)
            changes |= {"fullinertia": NO_ENDS, "inertia": tuple(moments[0].tolist()), "iquat": tuple(axes[0].tolist())}
        return raw | changes if changes else raw

    def _angles(self, raw, degree):
        """Limits and references of a joint that turns, in the text's unit."""
        factor, changes = DEGREE if degree else 1 / DEGREE, {}
        low, high = raw["range"]
        # what limits nothing is no angle
        if raw["type"] in (HINGE, BALL) and raw["limited"] != OFF and (raw["limited"] != AUTO or low < high):
            changes["range"] = (low * factor, high * factor)
        if raw["type"] == HINGE:
            changes |= {"ref": raw["ref"] * factor, "springref": raw["springref"] * factor}
        if raw["type"] in (HINGE, BALL):
            changes["springyield"] = raw["springyield"] * factor
        return changes


def _stretched(raw):
    """Pose and size of a shape between two points."""
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
