"""Frames that scale their contents (since MuJoCo 3.16): before compiling, numbers are multiplied in a copy of the spec.

A number of dimension length^a mass^b is multiplied by L^a M^b. Lengths, masses and inertias follow every frame; forces,
stiffnesses and gains follow only frames with scaling `similar`, so that the contents move like the original in proportionally
scaled gravity.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ...tables.actuator_rows import PARAMETERS, has_trait, is_kind, row_of
from ..elements.edit import copy_spec
from ..elements.keyframes import layout
from ..elements.spec import MjSpec, file_stem
from ..language import orient
from ..language.column_rows import KINDS
from ..language.errors import SpecError
from ..language.types import (
    BALL,
    FREE,
    HINGE,
    OBJ_BODY,
    SHELL,
    SLIDE,
    TRN_BODY,
    TRN_JOINT,
    TRN_JOINTINPARENT,
    TRN_SITE,
    TRN_SLIDERCRANK,
    TRN_TENDON,
)
from .frames import SIZES
from .scaling_rows import ANGULAR, EQUALITY, LINEAR, SENSORS, VALUES, WELD

SIMILAR = 0
POSITION, VELOCITY, PRESSURE = 1, 2, 32
# index of the width in solimp
WIDTH = 2


class Scale(NamedTuple):
    """The scale factors of lengths and masses, and the resulting factors of forces."""

    length: float = 1.0
    mass: float = 1.0
    force_length: float = 1.0
    force_mass: float = 1.0

    def force(self, a: float, b: float) -> float:
        """Return the scale factor of a force-like quantity with the dimension length^a mass^b."""
        return self.force_length**a * self.force_mass**b


ONE = Scale()


def is_scaled(spec: MjSpec) -> bool:
    """Return whether the spec has any scaling frame."""
    return any(tuple(f.raw["scale"]) != (1.0, 1.0, 1.0) or f.raw["massscale"] != 0 for f in spec.items("frame"))


def scaled(spec: MjSpec) -> MjSpec:
    """Return a copy of a spec with scaled numbers and unscaled frames; SpecError if the contents cannot be scaled."""
    new = copy_spec(spec)
    Scaling(new).run()
    for frame in new.items("frame"):
        frame.raw.update(scale=(1.0, 1.0, 1.0), massscale=0.0, scaling=SIMILAR)
    return new


def grow(raw: dict[str, Any], field: str, factor: float, at: Sequence[int] | range | None = None) -> None:
    """Multiply an attribute of an element by a factor. In a vector, multiply only the numbers at indices `at`, if given."""
    value = raw[field]
    if factor == 1 or value is None:
        return
    if not isinstance(value, tuple | list | np.ndarray):
        raw[field] = value * factor
        return
    raw[field] = tuple(v * factor if at is None or k in at else v for k, v in enumerate(value))


class Scaling:
    """Scales the elements of a copy of a spec."""

    def __init__(self, spec: MjSpec) -> None:
        self.spec, self.known = spec, {}
        self.names = {
            kind: {e.label: e for e in spec.items(kind)} for kind in ("body", "joint", "geom", "site", "tendon", "actuator")
        }
        self.names["body"]["world"] = spec.worldbody
        self.names["xbody"] = self.names["body"]
        self.tendon_kinds = {}

    def run(self) -> None:
        spec = self.spec
        # world poses of frames before scaling; needed to scale keyframes of free joints, which store world coordinates
        written = {e: self.world(e.parent) for e in spec.items("joint") if e.raw["type"] == FREE}
        scales = {
            e: self.of(e) for kind in ("frame", "body", "joint", "geom", "site", "camera", "light") for e in spec.items(kind)
        }
        self.refuse(scales)
        self.assets(scales)
        for e, scale in scales.items():
            if scale != ONE:
                self.element(e, scale)
        for t in spec.parts["tendon"]:
            self.tendon(t)
        for a in spec.parts["actuator"]:
            self.actuator(a)
        for kind in ("pair", "equality", "sensor"):
            for e in spec.parts[kind]:
                getattr(self, kind)(e)
        self.keys(written)

    # ---- scales
    def of(self, e: Any) -> Scale:
        """Return the scale that applies to an element."""
        found = ONE
        frame = e.frame
        while frame is not None:
            found = self.joined(found, self.own(frame))
            frame = frame.frame
        body = e.parent
        return found if body is None else self.joined(found, self.within(body))

    def within(self, body: Any) -> Scale:
        if body not in self.known:
            self.known[body] = self.of(body)
        return self.known[body]

    def joined(self, a: Scale, b: Scale) -> Scale:
        return Scale(*(x * y for x, y in zip(a, b)))

    def own(self, frame: Any) -> Scale:
        """Return the scale that a frame itself specifies."""
        raw = frame.raw
        (x, y, z), m = raw["scale"], raw["massscale"]
        if not all(math.isfinite(v) and v > 0 for v in (x, y, z)):
            raise SpecError("frame scale must be finite and positive", frame.place, "scale")
        if not (math.isfinite(m) and m >= 0):
            raise SpecError("frame massscale must be finite and non-negative", frame.place, "massscale")
        if not x == y == z:
            if raw["scaling"] == SIMILAR:
                raise SpecError("an anisotropic frame scale requires scaling 'geometry'", frame.place, "scale")
            raise SpecError("Tumble does not support frames with different scales along their axes", frame.place, "scale")
        m = m or x**3
        return Scale(x, m, x, m) if raw["scaling"] == SIMILAR else Scale(x, m)

    def world(self, e: Any) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Return the world pose of the frame of an element that belongs to the world body."""
        pos, quat, frame = (0.0, 0.0, 0.0), orient.UNIT, e.frame
        while frame is not None:
            raw = (frame.compiler or self.spec.compiler).raw
            turn, error = orient.resolve(tuple(frame.raw["quat"]), tuple(frame.raw["alt"]), raw["degree"], raw["eulerseq"])
            if error:
                raise SpecError(error, frame.place)
            pos, quat = orient.compose(tuple(frame.raw["pos"]), orient.normal(turn)[0], pos, quat)
            frame = frame.frame
        return pos, quat

    # ---- elements in frames
    def refuse(self, scales: dict[Any, Scale]) -> None:
        """Raise SpecError for elements that cannot be scaled."""
        moved = {e.name for e, scale in scales.items() if e.kind == "body" and scale != ONE}
        for e, scale in scales.items():
            ref = e.raw.get("plugin")
            if scale != ONE and ref is not None and ref.raw["active"]:
                raise SpecError(f"elements with plugins cannot be scaled: {e.kind} '{e.name}'", e.place)
            if scale != ONE and e.kind == "body" and e.raw["mocap"] and self.spec.parts["key"]:
                raise SpecError(f"Tumble does not support key frames of scaled mocap bodies: '{e.name}'", e.place)
        for kind, field in (("flex", "vertbody"), ("flex", "nodebody"), ("skin", "bodyname")):
            for e in self.spec.parts[kind]:
                if moved & set(e.raw[field]):
                    raise SpecError(f"Tumble does not support a {kind} on scaled bodies: '{e.name}'", e.place)

    def assets(self, scales: dict[Any, Scale]) -> None:
        """Scale meshes and height fields. The first scale is applied to the asset itself. Each other scale gets a copy with a
        new name."""
        made = {}
        for field, kind, size in (("meshname", "mesh", "scale"), ("hfieldname", "hfield", "size")):
            assets = {e.label or file_stem(e.raw["file"]): e for e in self.spec.parts[kind]}
            for e in scales:
                name = e.raw.get(field) if e.kind == "geom" else None
                if name not in assets:
                    continue
                uses, length = made.setdefault((kind, name), {}), scales[e].length

                if length not in uses:
                    asset, uses[length] = assets[name], name
                    if len(uses) > 1:
                        asset = assets[name].copy_to(self.spec)
                        asset.default, asset.compiler, asset.place = (
                            assets[name].default,
                            assets[name].compiler,
                            assets[name].place,
                        )
                        # name the copy, and undo the first scale, which the asset already has
                        asset.label = uses[length] = f"{name}@{len(uses) - 1}"
                        self.spec.parts[kind].append(asset)
                        grow(asset.raw, size, 1 / next(iter(uses)))
                    grow(asset.raw, size, length)
                e.raw[field] = uses[length]

    def element(self, e: Any, scale: Scale) -> None:
        """Scale an element of the tree: all its attributes that have a physical unit."""
        raw, free = e.raw, e.kind == "joint" and e.raw["type"] == FREE
        if (
            free
            and scale.force(1, 1) != 1
            and any(np.any(raw[f]) for f in ("stiffness", "damping", "armature", "frictionloss"))
        ):
            raise SpecError("Tumble does not support springs, dampers and armature of scaled free joints", e.place)
        self.by_dimension(e, scale, e.kind != "joint" or raw["type"] == SLIDE, free)

        # scale sizes and density
        if e.kind == "geom" or e.kind == "site":
            # numbers that a shape does not use are not scaled
            grow(raw, "size", scale.length, range(SIZES[raw["type"]]))
        if e.kind == "geom":
            # the density of a shell is mass per area
            grow(raw, "density", scale.length ** (-2 if raw["typeinertia"] == SHELL else -3) * scale.mass)

    def by_dimension(self, e: Any, scale: Scale, linear: bool, still: bool = False) -> None:
        """Multiply attributes by the factors of their physical units.

        `linear`: the coordinate is a length; `still`: the joint is free, so only attributes with a linear dimension count.
        """
        for row in KINDS[e.kind].rows:
            for d in row.dimensions:
                if not (still and not d.linear):
                    grow(e.raw, row.attribute, self.factor(d, scale, linear), d.at)

    def factor(self, d: Any, scale: Scale, linear: bool) -> float:
        """Return the scale factor of a physical unit."""
        found = scale.length ** (d.length + linear * d.coordinate) * scale.mass**d.mass
        a, b = LINEAR if linear else ANGULAR
        return found * scale.force(a * d.force + linear * d.reach, b * d.force)

    # ---- elements that refer to them
    def reach(self, kind: str, name: str) -> Scale:
        """Return the scale that applies to an element, given its name."""
        e = self.names[kind].get(name)
        return ONE if e is None else self.of(e)

    def tendon(self, t: Any) -> None:
        targets = [w.target for w in t.wraps if w.target is not None]
        joints = [e for e in targets if e.kind == "joint"]
        scales = {self.of(e) for e in targets}
        scale = scales.pop() if len(scales) == 1 else ONE
        linear = not joints or joints[0].raw["type"] == SLIDE
        self.tendon_kinds[t.label] = scale, linear
        for w in t.wraps:
            e = w.target
            if e is not None and e.kind == "joint":
                # a coefficient is tendon length per joint coordinate, and scales accordingly
                own = self.of(e).length if e.raw["type"] == SLIDE else 1.0
                w.prm *= (scale.length if linear else 1.0) / own
        if scale == ONE:
            return
        self.by_dimension(t, scale, linear)
        if linear:
            t.raw["springlength"] = tuple(v if v == -1 else v * scale.length for v in t.raw["springlength"])

    def driven(self, a: Any) -> tuple[Scale, bool]:
        """Return (scale of the object that an actuator drives, whether the driven coordinate is a length)."""
        raw, kind = a.raw, a.raw["trntype"]
        if kind in (TRN_JOINT, TRN_JOINTINPARENT):
            joint = self.names["joint"].get(raw["target"])
            return (ONE, True) if joint is None else (self.of(joint), joint.raw["type"] in (SLIDE, FREE))
        if kind == TRN_TENDON:
            return self.tendon_kinds.get(raw["target"], (ONE, True))
        return self.reach({TRN_SITE: "site", TRN_SLIDERCRANK: "site", TRN_BODY: "body"}.get(kind, "site"), raw["target"]), True

    def meaning(self, a: Any) -> int:
        """Return the meaning of an actuator's control: declared, or inferred from its gains."""
        raw = a.raw
        if raw["ctrlspec"] or not is_kind(raw, gain="fixed", bias="affine") or not raw["gainprm"][0]:
            return raw["ctrlspec"]
        if raw["gainprm"][0] == -raw["biasprm"][1]:
            return VELOCITY if is_kind(raw, dyn="integrator") else POSITION
        return VELOCITY if raw["gainprm"][0] == -raw["biasprm"][2] and not raw["biasprm"][1] else 0

    def actuator(self, a: Any) -> None:
        scale, linear = self.driven(a)
        self.known[a] = scale, linear, self.meaning(a)
        if scale == ONE:
            return

        raw, force, x = a.raw, scale.force(*(LINEAR if linear else ANGULAR)), scale.force_length if linear else 1.0
        meaning, pressure, span = self.known[a][2], scale.force(-1, 1), scale.length if linear else 1.0
        ctrl = {POSITION: x, VELOCITY: x, PRESSURE: pressure}.get(meaning, 1.0)

        # geometry
        if raw["trntype"] == TRN_SITE:
            grow(raw, "gear", scale.length, (3, 4, 5))
        if raw["trntype"] == TRN_SLIDERCRANK:
            grow(raw, "cranklength", scale.length)
        if has_trait(raw, "gain", "unscaled") and (scale.force(*ANGULAR) != 1 or scale.force(*LINEAR) != 1):
            raise SpecError("the parameters of a DC motor cannot be scaled: use scaling 'geometry'", a.place)

        self.parameters(raw, {"F": force, "T": scale.force(*ANGULAR), "x": x, "u": ctrl, "s": span, "t": 1.0, "1": 1.0})

        # ranges
        self.by_dimension(a, scale, linear)
        if has_trait(raw, "gain", "setpoints"):
            meaning = POSITION
            grow(raw, "velrange", span)
            grow(raw, "ffrange", force)
        grow(raw, "ctrlrange", {POSITION: span, VELOCITY: span, PRESSURE: pressure}.get(meaning, 1.0))
        grow(raw, "actrange", self.act(a))

    def parameters(self, raw: dict[str, Any], units: dict[str, float]) -> None:
        """Scale the parameters of gain, bias and dynamics; the table rows of these types list the units of each parameter."""
        for what, field in PARAMETERS.items():
            row = row_of(raw, what)
            for k, p in enumerate(row.parameters if row is not None else ()):
                if p.sign == "+" and raw[field][k] <= 0 or p.sign == "-" and raw[field][k] >= 0:
                    continue
                factor = 1.0
                for symbol, multiplies in p.factors:
                    factor = factor * units[symbol] if multiplies else factor / units[symbol]
                grow(raw, field, factor, (k,))

    def act(self, a: Any) -> float:
        """Return the scale factor of an activation."""
        scale, linear, meaning = self.known[a]
        return {
            POSITION: scale.length if linear else 1.0,
            VELOCITY: scale.length if linear else 1.0,
            PRESSURE: scale.force(-1, 1),
        }.get(meaning, 1.0)

    def pair(self, e: Any) -> None:
        length = math.sqrt(self.reach("geom", e.raw["geomname1"]).length * self.reach("geom", e.raw["geomname2"]).length)
        self.by_dimension(e, Scale(length), True)

    def equality(self, e: Any) -> None:
        raw = e.raw
        kind = EQUALITY.get(int(raw["type"]))
        if kind == "anchors":
            objects = "body" if raw["objtype"] == OBJ_BODY else "site"
            length = self.reach(objects, raw["name1"]).length
            grow(raw, "data", length, (0, 1, 2, 3, 4, 5, 10) if raw["type"] == WELD else (0, 1, 2))
            grow(raw, "solimp", length, (WIDTH,))
        elif kind in ("joint", "tendon"):
            y, x = (self.span(kind, raw[name]) for name in ("name1", "name2"))
            for k in range(5):
                grow(raw, "data", y / x**k, (k,))
            grow(raw, "solimp", y, (WIDTH,))

    def span(self, kind: str, name: str) -> float:
        """Return the scale factor of the coordinate of a joint or of the length of a tendon."""
        if kind == "tendon":
            scale, linear = self.tendon_kinds.get(name, (ONE, True))
            return scale.length if linear else 1.0
        e = self.names["joint"].get(name)
        return self.of(e).length if e is not None and e.raw["type"] == SLIDE else 1.0

    def sensor(self, e: Any) -> None:
        row = SENSORS.get(int(e.raw["type"]))
        if row is None:
            return

        # find the scale of the sensor's object
        kind, what = row
        name, other = e.raw["objname"], e.raw["refname"]
        if kind == "actuator":
            a = self.names["actuator"].get(name)
            scale, linear = self.known[a][:2] if a is not None else (ONE, True)
        elif kind == "tendon":
            scale, linear = self.tendon_kinds.get(name, (ONE, True))
        elif kind == "joint":
            joint = self.names["joint"].get(name)
            scale, linear = (ONE, True) if joint is None else (self.of(joint), joint.raw["type"] == SLIDE)
        else:
            scale, linear = (
                next((self.of(self.names[k][name]) for k in ("site", "geom", "body") if name in self.names[k]), ONE),
                True,
            )
            if kind == "both":
                second = next((self.of(self.names[k][other]) for k in ("geom", "body") if other in self.names[k]), ONE)
                scale = Scale(*(math.sqrt(p * q) for p, q in zip(scale, second)))

        # find the factor of the quantity that the sensor reports
        a, b = VALUES[what]
        factor = (
            scale.force(*(LINEAR if linear else ANGULAR))
            if what == "force"
            else scale.force(a, b)
            if b
            else scale.length**a
            if linear
            else 1.0
        )
        for field in ("cutoff", "noise"):
            grow(e.raw, field, factor)

    # ---- key frames
    def keys(self, written: dict[Any, Any]) -> None:
        """Scale keyframes: coordinates of slides and free joints, controls and activations."""
        table = layout(self.spec) if self.spec.parts["key"] else {}
        for key in self.spec.parts["key"]:
            for vector, (placed, _) in table.items():
                values = list(key.raw[vector])
                for e, at, width in placed:
                    span = slice(at, at + width)
                    if at + width <= len(values):
                        values[span] = self.state(vector, e, values[span], written)
                key.raw[vector] = tuple(values)

    def state(self, vector: str, e: Any, values: list[float], written: dict[Any, Any]) -> list[float]:
        """Return an element's numbers in a vector of a keyframe, after scaling them."""
        if vector in ("ctrl", "act"):
            factor = self.act(e) if e in self.known else 1.0
            return [v * factor for v in values]
        if vector not in ("qpos", "qvel") or e.raw["type"] in (HINGE, BALL):
            return values
        length = self.of(e).length
        if e.raw["type"] == SLIDE or vector == "qvel":
            return [v * length if k < 3 else v for k, v in enumerate(values)]
        local, _ = orient.compose(*orient.invert(*written[e]), tuple(values[:3]), orient.UNIT)
        place, _ = orient.compose(*self.world(e.parent), tuple(v * length for v in local), orient.UNIT)
        return [*place, *values[3:]]
