"""The `composite` macro. Only its type `cable` remains: a chain of bodies with ball joints, optionally with a skin."""

from collections.abc import Sequence
from math import atan2, cos, pi, sin, sqrt
from typing import Any, NoReturn

import numpy as np

from ..elements.elements import MjsBody, MjsDefault, MjsFrame, MjsGeom, MjsJoint, MjsSite
from ..language import orient
from ..language.arrays import rotate
from ..language.errors import SpecError
from ..language.keywords import KEYWORDS
from ..language.schema import BODY, Elem, need, read_into
from ..language.types import BALL, BOX, CAPSULE, CYLINDER, FREE
from ..language.xmltree import Node
from .reader import Reader

ROWS = BODY.children["composite"]
CABLE = KEYWORDS["composite"]["cable"]
REPLACED = {"particle": "replicate", "grid": "flexcomp", "rope": "the type cable", "loop": "flexcomp", "cloth": "flexcomp"}
SHAPES = ("s", "cos(s)", "sin(s)", "0")
CABLE_PLUGIN = "mujoco.elasticity.cable"


class Cable:
    """Settings of one cable, and the default elements for its geoms, sites and joints."""

    def __init__(self, reader: Reader, node: Node, body: MjsBody, frame: MjsFrame | None) -> None:
        self.reader, self.node, self.body, self.frame = reader, node, body, frame

        # attributes of the <composite> element
        self.prefix = node.attrs.get("prefix", "")
        self.values = {
            "count": (1, 1, 1),
            "offset": (0.0,) * 3,
            "size": (1.0, 0.0, 0.0),
            "quat": orient.UNIT,
            "vertex": (),
            "initial": "ball",
        }
        for name in self.values:
            if name in node.attrs:
                row = ROWS.attrs[name]
                value = row.read(node, node.attrs[name], self.values[name] if row.varies else None)
                if value is not None:
                    self.values[name] = value

        # elements inside the macro; of each kind, only the first is used
        self.parts = MjsDefault(reader.spec, "", None)
        self.parts.joint.raw["group"] = 3
        self.parts.site.raw["group"] = 3
        self.skin = None
        self.ref = None
        seen = set()
        for child in node.children:
            if child.tag in seen:
                if child.tag == "joint":
                    raise SpecError("a cable can have only one joint element", child)
                continue
            seen.add(child.tag)
            self._part(child, ROWS.children[child.tag])

    def _part(self, child: Node, rows: Elem) -> None:
        if child.tag == "plugin":
            self._plugin(child)
        elif child.tag == "skin":
            self.skin = {n: r.read(child, child.attrs[n]) for n, r in rows.attrs.items() if n in child.attrs}
            if not 0 <= self.skin.get("group", 0) < 6:
                raise SpecError("the group of a skin must be between 0 and 5", child, "group", child.attrs["group"])
        else:
            need(child, rows)
            read_into(getattr(self.parts, child.tag).raw, child, rows, ("kind", "solreffix", "solimpfix", "limited"))

    def _plugin(self, child: Node) -> None:
        holder = MjsBody(self.reader.spec)
        self.reader.plugin(holder, child)
        self.ref = holder.plugin.raw
        if self.ref["plugin_name"] != CABLE_PLUGIN:
            raise SpecError(f"a composite can only use the plugin '{CABLE_PLUGIN}'", child, "plugin", self.ref["plugin_name"])
        if not self.ref["name"]:
            self.ref["name"] = "composite" + self.prefix
            holder.plugin.source.label = self.ref["name"]

    def fail(self, text: str, name: str = "") -> NoReturn:
        raise SpecError(text, self.node, name, self.node.attrs.get(name))


def make_composite(reader: Reader, node: Node, body: MjsBody, frame: MjsFrame | None, default: MjsDefault) -> None:
    """Read the macro and add its elements to the spec."""
    need(node, ROWS)
    kind = node.attrs["type"]
    if ROWS.attrs["type"].read(node, kind) != CABLE:
        raise SpecError(f"the composite type '{kind}' is no longer supported, use {REPLACED[kind]}", node, "type", kind)
    cable = Cable(reader, node, body, frame)
    vert = _vertices(cable)
    geom = cable.parts.geom.raw
    if geom["type"] not in (CAPSULE, CYLINDER, BOX):
        cable.fail("the geoms of a cable must be capsules, cylinders or boxes")
    text = reader.spec.add("text")
    text.label, text.place, text.raw["data"] = "composite_" + cable.prefix, node, "rope_" + cable.prefix
    _chain(cable, vert)
    if geom["type"] == BOX:
        _add_skin(cable, len(vert), geom)


def _vertices(cable: Cable) -> list[tuple[float, ...]]:
    """Return the points along the cable: given as vertices, or computed from a curve."""

    # check the counts and the vertices
    v = cable.values
    count = list(v["count"])
    if min(count) < 1:
        cable.fail("the counts must be positive", "count")
    given = np.asarray(v["vertex"], np.float32).astype(np.float64)
    size = v["size"]
    if not len(given) and size[0] * size[0] + size[1] * size[1] + size[2] * size[2] < 1e-15:
        cable.fail("a positive length is expected", "size")
    if len(given):
        if count[0] > 1:
            cable.fail("either vertex or count can be given, not both", "vertex")
        if len(given) % 3:
            cable.fail("three numbers for each vertex are expected", "vertex")
        count[:2] = len(given) // 3, 1
    if count[0] == 1 or count[1] != 1 or count[2] != 1:
        cable.fail("a cable must have one dimension", "count")
    if count[0] > 1 << 20:
        cable.fail("the count is too large", "count")

    if len(given):
        return [tuple(p) for p in given.reshape(-1, 3).tolist()]

    # a curve has a function of the point's index for each coordinate
    words = cable.node.attrs.get("curve", "").split()
    if len(words) > 3 or any(w not in SHAPES for w in words):
        cable.fail(f"up to three of {' '.join(SHAPES)} are expected", "curve")
    words += ["0"] * (3 - len(words))
    n = count[0] - 1
    made = {
        "s": lambda i: i * size[0] / n,
        "cos(s)": lambda i: size[1] * cos(pi * i * size[2] / n),
        "sin(s)": lambda i: size[1] * sin(pi * i * size[2] / n),
        "0": lambda i: 0.0,
    }
    points = np.array([[made[w](i) for w in words] for i in range(count[0])])
    if tuple(v["quat"]) != orient.UNIT:
        points = rotate(np.tile(np.asarray(v["quat"]), (len(points), 1)), points)
    # points are stored in single precision
    return [tuple(p) for p in points.astype(np.float32).astype(np.float64).tolist()]


def _sub(a: Sequence[float], b: Sequence[float]) -> tuple[float, ...]:
    """Return differences in single precision, as MuJoCo computes them.

    The arguments are single-precision numbers, so rounding the double-precision difference gives the same result.
    """
    return tuple(np.subtract(a, b).astype(np.float32).tolist())


def _turn(v: Sequence[float], q: Sequence[float]) -> tuple[float, ...]:
    """Return a vector rotated by a quaternion."""
    w, x, y, z = q
    t = (w * v[0] + y * v[2] - z * v[1], w * v[1] + z * v[0] - x * v[2], w * v[2] + x * v[1] - y * v[0])
    return v[0] + 2 * (y * t[2] - z * t[1]), v[1] + 2 * (z * t[0] - x * t[2]), v[2] + 2 * (x * t[1] - y * t[0])


def _frame(
    first: bool, edge: Sequence[float], before: Sequence[float], after: Sequence[float], normal: Sequence[float]
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return (orientation, normal) of a cable's next segment. The frame moves along the cable with minimal twist."""
    tangent = orient.normal(edge)[0]
    if first:
        binormal = orient.normal(orient.cross(tangent, after))[0]
        normal = orient.normal(orient.cross(binormal, tangent))[0]
    else:
        axis, length = orient.normal(orient.cross(before, tangent))
        angle = atan2(length, before[0] * tangent[0] + before[1] * tangent[1] + before[2] * tangent[2])
        if angle:
            s = sin(angle * 0.5)
            normal = _turn(normal, (cos(angle * 0.5), axis[0] * s, axis[1] * s, axis[2] * s))
        normal = orient.normal(normal)[0]
        binormal = orient.normal(orient.cross(tangent, normal))[0]
    return orient.from_axes(tangent, normal, binormal), normal


def _names(last: int, i: int) -> str:
    return "first" if i == 0 else "last" if i == last else str(i)


def _chain(cable: Cable, vert: Sequence[Sequence[float]]) -> None:
    """Add the bodies of the chain, each inside the previous one."""
    body, normal, turned, length = cable.body, (0.0, 1.0, 0.0), orient.UNIT, 0.0
    last = len(vert) - 2
    before = (0.0, 0.0, 0.0)
    for i in range(last + 1):
        edge = _sub(vert[i + 1], vert[i])
        after = orient.normal(_sub(vert[i + 2], vert[i + 1]))[0] if i < last else (0.0, 0.0, 0.0)
        if i:
            before, length = orient.normal(_sub(vert[i], vert[i - 1]))
        quat, normal = _frame(i == 0, edge, before, after, normal)
        child = body.add_body()
        child.place, child.label = cable.node, f"{cable.prefix}B_{_names(last, i)}"
        if i == 0:
            child.raw["pos"] = tuple(o + p for o, p in zip(cable.values["offset"], vert[0]))
            child.raw["quat"] = quat
            child.frame = cable.frame
        else:
            child.raw["pos"] = (length, 0.0, 0.0)
            child.raw["quat"] = orient.mulquat((turned[0], -turned[1], -turned[2], -turned[3]), quat)
        _equip(cable, child, i, last, sqrt(edge[0] * edge[0] + edge[1] * edge[1] + edge[2] * edge[2]))
        body, turned = child, quat


def _new(cable: Cable, cls: type, body: MjsBody, items: list[Any], name: str) -> dict[str, Any]:
    e = cls(cable.reader.spec, cable.parts)
    e.parent, e.default, e.place, e.label = body, body.default, cable.node, name
    items.append(e)
    return e.raw


def _equip(cable: Cable, body: MjsBody, i: int, last: int, length: float) -> None:
    """Give a segment its geom, joint, plugin and site, and exclude contacts with the next segment."""

    # add a geom along the segment, with the plugin
    spec, prefix = cable.reader.spec, cable.prefix
    word = _names(last, i)
    geom = _new(cable, MjsGeom, body, body.parts["geom"], f"{prefix}G{i}")
    if geom["type"] == BOX:
        geom["pos"] = (length / 2, 0.0, 0.0)
        geom["size"] = (length / 2, *geom["size"][1:])
    else:
        geom["fromto"] = (0.0, 0.0, 0.0, length, 0.0, 0.0)
    if cable.ref is not None:
        body.plugin.raw.update(active=1, plugin_name=cable.ref["plugin_name"], name=cable.ref["name"])

    # add a joint, except to a fixed first segment
    initial = cable.values["initial"]
    if i or initial != "none":
        joint = _new(cable, MjsJoint, body, body.parts["joint"], f"{prefix}J_{word}")
        free = i == 0 and initial == "free"
        joint["type"] = FREE if free else BALL
        if free:
            joint.update(damping=0.0, armature=0.0, frictionloss=0.0)

    # exclude contacts between neighbors
    if i < last:
        exclude = spec.add("exclude")
        exclude.place = cable.node
        # as in MuJoCo, the next body's name is a number if there are only two segments
        following = "last" if i + 1 == last and i else str(i + 1)
        exclude.raw["bodyname1"], exclude.raw["bodyname2"] = body.name, f"{prefix}B_{following}"

    # add sites at both ends
    if i in (0, last):
        site = _new(cable, MjsSite, body, body.parts["site"], f"{prefix}S_{word}")
        site["pos"], site["quat"] = (length if i == last and i else 0.0, 0.0, 0.0), orient.UNIT


def _add_skin(cable: Cable, count: int, geom: dict[str, Any]) -> None:
    """Add a skin around the segments: two sheets and a rim between them, on a smooth subgrid if requested."""
    settings = cable.skin or {}

    # shape: a grid of points on each sheet
    sub = max(0, settings.get("subgrid", 0) or 0)
    skin = cable.reader.spec.add("skin")
    skin.place, skin.label = cable.node, cable.prefix + "Skin"
    raw = skin.raw
    across = 3 if sub else 2
    nx, ny = count + (count - 1) * sub, across + (across - 1) * sub
    raw.update(
        material=settings.get("material", ""),
        rgba=settings.get("rgba") or (1.0,) * 4,
        inflate=2 * geom["size"][2],
        group=settings.get("group", 0),
        vert=np.zeros(6 * nx * ny, np.float32),
        face=_sheet_faces(nx, ny).ravel(),
    )

    if settings.get("texcoord"):
        u, v = np.meshgrid(np.arange(nx) / (nx - 1), np.arange(ny) / (ny - 1), indexing="ij")
        raw["texcoord"] = np.tile(np.stack((u.ravel(), v.ravel()), 1).ravel(), 2).astype(np.float32)

    # bones: two or three points across each segment
    side = (-geom["size"][1], geom["size"][1]) if not sub else (-geom["size"][1], 0.0, geom["size"][1])
    names, pos = [], []
    for i in range(count):
        name = f"{cable.prefix}B_" + ("first" if i == 0 else "last" if i >= count - 2 else str(i))
        names += [name] * across
        pos += [(-2 * geom["size"][0] if i == count - 1 else 0.0, y, 0.0) for y in side]
    raw["bodyname"], raw["bindpos"] = names, np.array(pos).ravel()
    raw["bindquat"] = np.tile(np.array(orient.UNIT), len(names))

    # with a subgrid, points blend several bones; without one, each point follows its own bone
    if sub:
        raw["vertid"], raw["vertweight"] = _smooth_weights(count, across, sub, nx * ny, ny)
    else:
        raw["vertid"] = [(b, nx * ny + b) for b in range(len(names))]
        raw["vertweight"] = [(1.0, 1.0)] * len(names)


def _sheet_faces(nx: int, ny: int) -> np.ndarray:
    """Return the triangles of two opposite sheets of nx x ny points and of the rim between them."""
    n, faces = nx * ny, []
    for i in range(2):
        a, b = int(i == 0), int(i == 1)
        for x in range(nx - 1):
            for y in range(ny - 1):
                at = i * n + x * ny + y
                faces += [(at, at + ny + b, at + ny + a), (at, at + a * ny + 1, at + b * ny + 1)]
    for x in range(nx - 1):
        p, q = x * ny, (x + 1) * ny
        faces += [(p, n + q, q), (p, n + p, n + q)]
    for x in range(nx - 1):
        p, q = x * ny + ny - 1, (x + 1) * ny + ny - 1
        faces += [(p, q, n + q), (p, n + q, n + p)]
    for y in range(ny - 1):
        faces += [(y, y + 1, n + y + 1), (y, n + y + 1, n + y)]
    for y in range(ny - 1):
        p = y + (nx - 1) * ny
        faces += [(p, n + p + 1, p + 1), (p, n + p, n + p + 1)]
    return np.array(faces)


# matrix from (value at start, value at end, slope at start, slope at end) of an interval to coefficients of 1, t, t^2, t^3
CUBIC = np.array([[1, 0, 0, 0], [0, 0, 1, 0], [-3, 3, -2, -1], [2, -2, 1, 1]], np.float64)


def _samples(sub: int, at_start: bool, at_end: bool) -> np.ndarray:
    """Return weights (sub + 2, 4) of four consecutive points for a cubic between the middle two, whose slopes are central
    differences.
    """
    t = np.arange(sub + 2) * (1.0 / (1 + sub))
    powers = np.stack((np.ones_like(t), t, t * t, t * t * t), 1)
    from_points = np.zeros((4, 4))
    from_points[0, 1] = from_points[1, 2] = 1
    from_points[2] = (0, -1, 1, 0) if at_start else (-0.5, 0, 0.5, 0)
    from_points[3] = (0, -1, 1, 0) if at_end else (0, -0.5, 0, 0.5)
    return powers @ CUBIC @ from_points


def _smooth_weights(count: int, across: int, sub: int, n: int, ny: int) -> tuple[list[list[int]], list[list[float]]]:
    """Return for each bone the vertices of the subgrid that it moves, and their weights."""
    ids, weights = ([[] for _ in range(count * across)] for _ in range(2))
    for x in range(count - 1):
        along = _samples(sub, x == 0, x == count - 2 and x > 0)
        for y in range(across - 1):
            cross = _samples(sub, y == 0, y == across - 2 and y > 0)
            for i in range(1 + sub + (x == count - 2)):
                for j in range(1 + sub + (y == across - 2)):
                    vertex = (x * (1 + sub) + i) * ny + y * (1 + sub) + j
                    for p in range(4):
                        for q in range(4):
                            w = float(along[i, p] * cross[j, q])
                            if w:
                                bone = (x + p - 1) * across + y + q - 1
                                ids[bone] += [vertex, vertex + n]
                                weights[bone] += [w, w]
    return ids, weights
