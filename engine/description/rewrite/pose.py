"""Moved, rotated and scaled elements, expressed in the attributes of their source.

These are positions and orientations in their frames, end points, and sizes.
"""

import math
from collections.abc import Iterator, Sequence
from typing import Any

from ...tables.enums import mjtGeom
from ...tables.geom_rows import ROWS as GEOM_ROWS
from ...tables.geom_rows import GeomRow
from ..elements.element import Element
from ..elements.elements import MjsBody
from ..language import orient
from ..language.attributes import ORIENT
from ..language.errors import SpecError
from ..language.types import AXISANGLE, BALL, EULER, FREE, XYAXES
from .numbers import numbers_text
from .origin import Origin

Vector = tuple[float, ...]
Pose = tuple[Vector, Vector]
Changes = dict[str, str | None]
FORMS = {number: name for name, number in ORIENT.items()}
# tolerance, for lengths and quaternion components, within which a pose counts as unchanged
SAME = 1e-10
BY_NUMBER = {row.number: row for row in GEOM_ROWS}
# shapes that are symmetric about their z axis
ROUND = (int(mjtGeom.mjGEOM_CAPSULE), int(mjtGeom.mjGEOM_CYLINDER))
MOVED = ("body", "geom", "site", "camera", "light", "joint")


def local_pose(element: Element) -> Pose:
    """Return (pos, quat) of a body, geom, site, camera or frame, relative to its frame, as written."""
    raw = element.raw
    if not math.isnan((raw.get("fromto") or (math.nan,))[0]):
        return ends_pose(raw["fromto"])
    settings = element.compiler.raw
    quat, error = orient.resolve(orient.normal(tuple(raw["quat"]))[0], raw["alt"], settings["degree"], settings["eulerseq"])
    if error:
        raise SpecError(error, element.place)
    return tuple(raw["pos"]), quat


def ends_pose(ends: Sequence[float]) -> Pose:
    """Return (pos, quat) of a shape between two points: their midpoint, with the z axis from the second to the first."""
    a, b = ends[:3], ends[3:]
    axis, _ = orient.normal(tuple(x - y for x, y in zip(a, b)))
    return tuple((x + y) / 2 for x, y in zip(a, b)), orient.from_z(axis)


def frame_pose(element: Element, carrier: MjsBody) -> Pose:
    """Return the pose, in the body `carrier`, of the frame that contains an element.

    `carrier` is the element's body, or the body into which the element's body was merged (fusestatic).
    """
    pose: Pose = (0.0, 0.0, 0.0), orient.UNIT
    frame, body = element.frame, element.parent
    while True:
        while frame is not None:
            pose = orient.compose(*local_pose(frame), *pose)
            frame = frame.frame
        if body is carrier or body is None or body.parent is None:
            return pose
        pose = orient.compose(*local_pose(body), *pose)
        frame, body = body.frame, body.parent


def in_frame(element: Element, carrier: MjsBody, move: Pose) -> Pose:
    """Convert a motion given in a body's coordinates to the coordinates of the element's frame."""
    frame = frame_pose(element, carrier)
    return orient.compose(*orient.invert(*frame), *orient.compose(*move, *frame))


def moved(origin: Origin, carrier: MjsBody, move: Pose) -> Changes:
    """Return the attributes that express a rigid motion of an element, which is given in coordinates of `carrier`.

    `carrier` is the element's body, or the parent of a body. A value of None removes the attribute. SpecError if inherited
    attributes make the motion impossible to express.
    """

    element, attrs = origin.element, origin.node.attrs
    raw, move = element.raw, in_frame(element, carrier, move)
    changes: Changes = {}
    if element.kind == "joint" and raw["type"] == FREE:
        raise SpecError("a free joint has no place of its own: move its body", origin.node)

    # move the end points of an element that has them, otherwise its position
    if "fromto" in raw and not math.isnan(raw["fromto"][0]):
        return _moved_ends(origin, move)
    pos = _point(move, raw["pos"])
    if _far(pos, raw["pos"]):
        changes["pos"] = numbers_text(pos, attrs.get("pos", ""))

    # rotate the axis of an element that has one, otherwise its orientation
    if element.kind in ("joint", "light"):
        if raw["type"] == BALL and element.kind == "joint":
            return changes
        name = "axis" if element.kind == "joint" else "dir"
        axis = orient.rotate_by(tuple(raw[name]), move[1])
        if _far(axis, raw[name]):
            changes[name] = numbers_text(axis, attrs.get(name, ""))
        return changes
    quat = orient.mulquat(move[1], local_pose(element)[1])
    return changes | oriented(origin, quat)


def oriented(origin: Origin, quat: Vector) -> Changes:
    """Return the attributes for an orientation, in the element's notation or, if that cannot express it, as a quaternion."""

    element, attrs = origin.element, origin.node.attrs
    form, numbers = element.raw["alt"]
    if not turned(local_pose(element)[1], quat):
        return {}

    # Use the notation of the element if it can express the orientation.
    settings = element.compiler.raw
    if form:
        said = express(form, numbers, quat, settings["degree"], settings["eulerseq"])
        if said is not None:
            return {FORMS[form]: numbers_text(said, attrs.get(FORMS[form], ""))}
    else:
        return {"quat": numbers_text(_nearest(quat, element.raw["quat"]), attrs.get("quat", ""))}

    # Otherwise use a quaternion, without the old notation.
    inherited = element.default.nearest(element.kind) if element.default is not None else None
    changes: Changes = {FORMS[form]: None} if FORMS[form] in attrs else {}
    if inherited is not None and inherited.raw["alt"][0]:
        # an orientation of the class would override the quaternion
        said = express(AXISANGLE, (), quat, settings["degree"], settings["eulerseq"])
        assert said is not None
        return changes | {"axisangle": numbers_text(said)}
    return changes | {"quat": numbers_text(quat)}


def express(form: int, old: Vector, quat: Vector, degree: bool, sequence: str) -> Vector | None:
    """Return an orientation in another notation, as close as possible to the old numbers; None if the notation cannot express
    it."""

    m = orient.matrix(quat)
    said: Vector
    if form == AXISANGLE:
        said = _axisangle(quat, old, degree)
    elif form == XYAXES:
        said = m[0], m[3], m[6], m[1], m[4], m[7]
    elif form == EULER:
        found = [
            said
            for said in _eulers(quat, degree, sequence)
            if not turned(orient.resolve(orient.UNIT, (EULER, said), degree, sequence)[0], quat)
        ]
        full = 360.0 if degree else 2 * math.pi
        found = [tuple(a + full * round((b - a) / full) for a, b in zip(said, old or said)) for said in found]
        return min(found, key=lambda said: max(abs(a - b) for a, b in zip(said, old or said)), default=None)
    else:
        said = m[2], m[5], m[8]

    # accept only an exact result
    check, error = orient.resolve(orient.UNIT, (form, said), degree, sequence)
    return None if error or turned(check, quat) else said


def _axisangle(quat: Sequence[float], old: tuple[Any, ...], degree: bool) -> tuple[float, ...]:
    axis, length = orient.normal(quat[1:])
    if not length:
        axis = tuple(old[:3]) if len(old) == 4 else (0.0, 0.0, 1.0)
    angle = 2 * math.atan2(length, quat[0])
    if len(old) == 4 and sum(a * b for a, b in zip(axis, old)) < 0:
        axis, angle = tuple(-x for x in axis), -angle
    angle = math.remainder(angle, 2 * math.pi)
    return *axis, math.degrees(angle) if degree else angle


def _eulers(quat: Sequence[float], degree: int, sequence: str) -> Iterator[Any]:
    """Yield Euler angles about three axes for an orientation: up to two solutions.

    No solution if neighboring axes are equal, or if lower and upper case are mixed. Method: Bernardes and Viollet, Quaternion
    to Euler angles conversion: a direct, general and computationally efficient method, 2022.
    """

    moving = sequence.islower()
    axes = ["xyz".find(letter) for letter in sequence.lower()]
    if len(axes) != 3 or not (moving or sequence.isupper()) or axes[0] == axes[1] or axes[1] == axes[2] or min(axes) < 0:
        return
    # rotations about moving axes equal rotations about fixed axes in reverse order
    i, j, k = axes[::-1] if moving else axes
    proper = i == k
    k = 3 - i - j if proper else k
    sign = (i - j) * (j - k) * (k - i) / 2

    # half angles of the first and last rotation, as sum and difference
    w, v = quat[0], quat[1:]
    a, b, c, d = (w, v[i], v[j], v[k] * sign) if proper else (w - v[j], v[i] + v[k] * sign, v[j] + w, v[k] * sign - v[i])
    middle = 2 * math.atan2(math.hypot(c, d), math.hypot(a, b))
    plus, minus = math.atan2(b, a), math.atan2(d, c)
    first, last = plus - minus, plus + minus

    # gimbal lock: only the sum or the difference of two angles is determined
    if math.hypot(c, d) < SAME:
        first, last = 0.0, 2 * plus
    elif math.hypot(a, b) < SAME:
        first, last = 0.0, 2 * minus

    if not proper:
        last, middle = sign * last, middle - math.pi / 2

    # yield both solutions
    for angles in ((first, middle, last), (first + math.pi, (-middle if proper else math.pi - middle), last + math.pi)):
        angles = angles[::-1] if moving else angles
        yield tuple(math.degrees(x) if degree else x for x in (math.remainder(x, 2 * math.pi) for x in angles))


def turned(a: Vector, b: Vector) -> bool:
    """Return whether two orientations differ."""
    return min(sum(abs(x - y) for x, y in zip(a, b)), sum(abs(x + y) for x, y in zip(a, b))) > SAME


def _nearest(quat: Vector, old: Sequence[float]) -> Vector:
    """Return whichever of an orientation's two quaternions is closer to an old one."""
    return tuple(-x for x in quat) if sum(a * b for a, b in zip(quat, old)) < 0 else quat


def _point(move: tuple[tuple[float, ...], tuple[float, ...]], point: Sequence[float]) -> tuple[float, ...]:
    turned_point = orient.rotate_by(tuple(point), move[1])
    return tuple(a + b for a, b in zip(move[0], turned_point))


def _far(a: Sequence[float], b: Sequence[float]) -> bool:
    return any(abs(x - y) > SAME * max(1.0, abs(y)) for x, y in zip(a, b))


def _moved_ends(origin: Origin, move: Pose) -> Changes:
    """Return the attributes of a shape between moved end points.

    A shape that is not round and was rotated about its length needs a pose instead of end points.
    """
    element, attrs = origin.element, origin.node.attrs
    raw = element.raw
    pos, quat = orient.compose(*move, *local_pose(element))
    ends = (*_point(move, raw["fromto"][:3]), *_point(move, raw["fromto"][3:]))
    if int(raw["type"]) in ROUND or not turned(ends_pose(ends)[1], quat):
        return {"fromto": numbers_text(ends, attrs.get("fromto", ""))} if _far(ends, raw["fromto"]) else {}
    inherited = element.default.nearest(element.kind) if element.default is not None else None
    if "fromto" not in attrs or inherited is not None and not math.isnan(inherited.raw["fromto"][0]):
        raise SpecError("its end points come from a default class, so it cannot be rotated about its axis", origin.node)
    size = ends_size(element)
    return {
        "fromto": None,
        "size": numbers_text(size, attrs.get("size", "")),
        "pos": numbers_text(pos),
        "quat": numbers_text(quat),
    }


def ends_size(element: Element) -> Vector:
    """Return the sizes of a shape between two points, without the size that the end points determine."""
    raw, half = element.raw, math.dist(element.raw["fromto"][:3], element.raw["fromto"][3:]) / 2
    first = next(iter(raw["size"]))
    return (first, half) if BY_NUMBER[int(raw["type"])].ends == 1 else (first, first, half)


def strongest(factors: Vector) -> float:
    """Return the factor farthest from 1."""
    return max(factors, key=lambda f: abs(math.log(f)))


def scaled(origin: Origin, factors: Vector) -> Changes:
    """Return the attributes that scale a geom or site along its own axes. SpecError for shapes sized by an asset."""
    element, attrs = origin.element, origin.node.attrs
    if element.kind not in ("geom", "site"):
        raise SpecError(f"a {element.kind} has no size", origin.node)
    raw, row = element.raw, BY_NUMBER[int(element.raw["type"])]
    if row.name in ("mesh", "hfield", "sdf") or raw.get("meshname"):
        raise SpecError("its size is that of its asset, which has a scale of its own", origin.node)
    across, along = strongest(factors[:2]), factors[2]

    # for a shape between end points, move the points and scale the radius
    if not math.isnan((raw.get("fromto") or (math.nan,))[0]):
        middle = ends_pose(raw["fromto"])[0] * 2
        ends = tuple(c + along * (x - c) for c, x in zip(middle, raw["fromto"]))
        radius, *rest = raw["size"]
        sizes = across * radius, *rest[: max(0, len(attrs.get("size", "").split()) - 1)]
        changes: Changes = {"fromto": numbers_text(ends, attrs.get("fromto", ""))} if _far(ends, raw["fromto"]) else {}
        return changes | ({"size": numbers_text(sizes, attrs.get("size", ""))} if across != 1 else {})

    sizes = scaled_sizes(row, tuple(raw["size"]), factors)
    # keep numbers that the type does not use
    sizes += tuple(raw["size"])[len(sizes) : len(attrs.get("size", "").split())]
    return {"size": numbers_text(sizes, attrs.get("size", ""))} if _far(sizes, raw["size"]) else {}


def scaled_sizes(row: GeomRow, size: Vector, factors: Vector) -> Vector:
    """Return the sizes that a geom type uses, scaled along its axes. A radius is scaled by
    the one of its factors that is farthest from 1."""
    if row.sizes == 1:
        return (size[0] * strongest(factors),)
    if row.sizes == 2:
        return size[0] * strongest(factors[:2]), size[1] * factors[2]
    if row.name == "plane":
        return size[0] * factors[0], size[1] * factors[1], size[2]
    return tuple(s * f for s, f in zip(size, factors))
