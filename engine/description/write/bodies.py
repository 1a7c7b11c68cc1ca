"""Bodies and their elements as MJCF: poses in their bodies, nested as in the spec, in the order of their ids."""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from ...tables.compat_rows import holds
from ..compile.fit import fit_geom
from ..compile.frames import SIZES
from ..elements.element import Element
from ..elements.elements import MjsFrame
from ..language import orient
from ..language.keywords import word_of
from ..language.types import BALL, FREE, FROM_GEOM, FROM_GEOM_NO, HFIELD, MESH, SDF
from ..language.xml_text import number, numbers
from ..language.xmltree import Node
from .write_table import WORDS
from .writer import Writer, add, intrinsics, put, write_plugin

# rounding error allowed when a pose is converted between frames
ROUNDING = 1e-13
UNIT, ZERO = (1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
KINDS = ("joint", "geom", "site", "camera", "light")
BOUNDS = ("boundmass", "boundinertia")
# attributes written before and after the names of assets
GEOM, GEOM_LAST = WORDS["geom"][:-1], WORDS["geom"][-1:]


def needs_inertia(w: Writer) -> bool:
    """Return whether to write all inertias, and to leave out the bounds on mass and inertia.

    This is necessary if attached parts were compiled with other bounds, or if all masses were scaled after the bounds were
    applied.
    """
    own, others = w.spec.compiler, {e.compiler for e in w.c.body.elems} - {w.spec.compiler, None}
    if own.raw["settotalmass"] > 0 and any(own.raw[n] for n in BOUNDS):
        return True
    return any([other.raw[n] != own.raw[n] for other in others for n in BOUNDS])


class Layout:
    """The elements of each body, and their nesting in the frames that are kept.

    Frames with a name or a class are kept; since 3.14 all frames, with their poses (`posed`).
    """

    def __init__(self, w: Writer) -> None:
        self.w, c = w, w.c
        # whether frames keep their poses
        self.posed = holds("frames_kept", c.compat_bits) and not c.fuse
        n = c.body.n
        self.children = [[] for _ in range(n)]
        for b in range(1, n):
            self.children[int(c.body.parent[b])].append(b)
        self.rows = {}
        for kind in KINDS:
            lists, table = [[] for _ in range(n)], getattr(c, kind)
            for i, b in enumerate(table.body.tolist() if table.n else ()):
                lists[b].append(i)
            self.rows[kind] = lists

    def frames(self, b: int) -> list[Any]:
        """Return the kept frames of a body; none if nesting would change the order of ids."""
        if self.w.c.fuse:
            return []
        kept = [f for f in self.w.c.body.elems[b].frames if f.name or f.raw["childclass"]]
        if kept:
            order = {kind: [] for kind in (*KINDS, "body")}
            self._visit(b, None, kept, order)
            total = sum(map(len, order.values()))
            if any(v != sorted(v) for v in order.values()) or total != sum(len(self.rows[k][b]) for k in KINDS) + len(
                self.children[b]
            ):
                return []
        return kept

    def owner(self, e: Element, kept: list[MjsFrame]) -> Any:
        """Return the innermost kept frame around an element."""
        f = e.frame
        while f is not None and f not in kept:
            f = f.frame
        return f

    def inside(self, kind: str, b: int, frame: MjsFrame | None, kept: list[MjsFrame]) -> list[int]:
        """Return the elements of a body that are directly inside a frame."""
        rows = self.children[b] if kind == "body" else self.rows[kind][b]
        if not kept:
            return rows
        elems = getattr(self.w.c, kind).elems
        return [i for i in rows if self.owner(elems[i], kept) is frame]

    def parts(self, b: int, frame: MjsFrame | None, kept: list[MjsFrame]) -> list[tuple[int, int, int]]:
        """Return the child bodies and frames inside a frame (None: the body), in the order of their smallest body ids."""
        parts = [(i, 0, i) for i in self.inside("body", b, frame, kept)]
        for k, f in enumerate(kept):
            if self.owner(f, kept) is frame:
                parts.append((self._first(b, f, kept), -1, k))
        return sorted(parts)

    def _first(self, b: int, frame: MjsFrame, kept: list[MjsFrame]) -> int:
        """Return the smallest body id in a frame; -1 if there is none."""
        ids = [i for i in self.children[b] if self._within(self.w.c.body.elems[i], frame)]
        return min(ids, default=-1)

    def _within(self, e: Element, frame: MjsFrame) -> bool:
        f = e.frame
        while f is not None and f is not frame:
            f = f.frame
        return f is frame

    def _visit(self, b: int, frame: MjsFrame | None, kept: list[MjsFrame], order: dict[str, list[int]]) -> None:
        for kind in KINDS:
            order[kind] += self.inside(kind, b, frame, kept)
        for _, what, i in self.parts(b, frame, kept):
            if what:
                self._visit(b, kept[i], kept, order)
            else:
                order["body"].append(i)


def worldbody(w: Writer, root: Node) -> None:
    w.layout = Layout(w)
    w.aligned = w.c.body.inverse
    for b in range(w.c.body.n) if w.layout.posed else ():
        if w.c.body.elems[b].frames:
            _into_frames(w, b)
    node = add(root, "worldbody")
    _contents(w, node, 0, None, w.layout.frames(0), "main")


def _into_frames(w: Writer, b: int) -> None:
    """Convert poses from bodies to frames. Given poses are kept if they agree up to rounding errors."""
    for kind in (*KINDS, "body"):
        table, turned = getattr(w.c, kind), kind not in ("joint", "light")
        for i in w.layout.children[b] if kind == "body" else w.layout.rows[kind][b]:
            e = table.elems[i]
            if e.frame is None:
                continue
            k = w.c.frame.elems.index(e.frame)
            pose, own = (tuple(w.c.frame.pos[k].tolist()), tuple(w.c.frame.quat[k].tolist())), tuple(e.raw["pos"])
            back = orient.invert(*pose)
            places, quats = w.column(kind, "pos"), w.column(kind, "quat") if turned else None
            place, quat = orient.compose(*back, places[i], quats[i] if quats else UNIT)
            places[i] = own if np.allclose(place, own, 0, ROUNDING) else place
            if quats:
                given = _given_quat(w, e)
                quats[i] = given if np.allclose(quat, given, 0, ROUNDING) else quat
            for name in ("axis",) if kind == "joint" else ("dir",) if kind == "light" else ():
                column = w.column(kind, name)
                column[i] = orient.rotate_by(column[i], back[1])


def _given_quat(w: Writer, e: Element) -> tuple[float, ...]:
    raw = w.c.compiler_of(e)
    return orient.normal(orient.resolve(tuple(e.raw["quat"]), tuple(e.raw["alt"]), raw["degree"], raw["eulerseq"])[0])[0]


def _contents(w: Writer, node: Node, b: int, frame: MjsFrame | None, kept: list[MjsFrame], context: str) -> None:
    """Write the contents of a body or of one of its frames."""

    # if frames do not keep their poses: write the elements directly in this frame
    for kind in KINDS if not w.layout.posed else ():
        for i in w.layout.inside(kind, b, frame, kept):
            _element(w, node, kind, i, context)

    ref = w.c.body.elems[b].raw["plugin"]
    if frame is None and ref is not None and ref.raw["active"]:
        write_plugin(add(node, "plugin"), ref)

    # if frames keep their poses: write everything, nested in the frames
    if w.layout.posed:
        lines = {kind: w.layout.rows[kind][b][::-1] for kind in KINDS} | {"body": w.layout.children[b][::-1]}
        opened = set()
        _framed(w, node, None, context, lines, opened)
        for f in w.c.body.elems[b].frames:
            if f not in opened:
                # write an empty frame
                _open(w, node, [inner for inner in chain_of(f, None) if inner not in opened], context, opened)
        return

    # write child bodies, and frames without poses
    for _, what, i in w.layout.parts(b, frame, kept):
        if what:
            f = kept[i]
            name = w.class_of(f).name
            child = add(node, "frame")
            put(child, "name", f.name)
            put(child, "childclass", name if name != context else "")
            _contents(w, child, b, f, kept, name)
        else:
            _body(w, add(node, "body"), i, context)


def _element(w: Writer, node: Node, kind: str, i: int, context: str) -> None:
    """Write an element of a body, other than a body."""
    e, child = getattr(w.c, kind).elems[i], add(node, kind)
    w.head(child, e, context)
    ELEMENTS[kind](w, child, i, e)
    ref = e.raw.get("plugin")
    if ref is not None and ref.raw["active"]:
        write_plugin(add(child, "plugin"), ref)


def chain_of(frame: MjsFrame | None, outer: MjsFrame | None) -> list[Any]:
    """Return the frames between `outer` (excluded) and `frame` (included); none if `frame` is not inside."""
    chain = []
    while frame is not outer:
        if frame is None:
            return []
        chain.append(frame)
        frame = frame.frame
    return chain[::-1]


def _framed(
    w: Writer, node: Node, frame: MjsFrame | None, context: str, lines: dict[str, list[int]], opened: set[MjsFrame]
) -> None:
    """Write the contents of a frame (None: of the body), each kind in the order of ids.

    A frame is opened again after elements outside it.
    """
    while True:
        # write the elements that come next in the order and are in this frame, not in a frame inside it
        for kind, line in lines.items():
            elems = getattr(w.c, kind).elems
            while line and elems[line[-1]].frame is frame:
                i = line.pop()
                if kind == "body":
                    _body(w, add(node, "body"), i, context)
                else:
                    _element(w, node, kind, i, context)

        # continue with the frame that contains the next element of a kind
        below = next(
            (
                chain[0]
                for kind, line in lines.items()
                if line
                for chain in [chain_of(getattr(w.c, kind).elems[line[-1]].frame, frame)]
                if chain
            ),
            None,
        )
        if below is None:
            return
        child, name = _open(w, node, [below], context, opened)
        _framed(w, child, below, name, lines, opened)


def _open(w: Writer, node: Node, frames: list[MjsFrame], context: str, opened: set[MjsFrame]) -> tuple[Node, str]:
    """Write nested frames with their poses; return (node, class) of the innermost one. Each name is written once."""
    for frame in frames:
        node, name = add(node, "frame"), w.class_of(frame).name
        put(node, "name", frame.name if frame not in opened else "")
        put(node, "childclass", name if name != context else "")
        _pose(node, tuple(frame.raw["pos"]), _given_quat(w, frame))
        opened.add(frame)
        context = name
    return node, context


def _body(w: Writer, node: Node, b: int, context: str) -> None:
    e, column = w.c.body.elems[b], w.column
    name = w.class_of(e).name
    put(node, "name", e.name)
    put(node, "childclass", name if name != context else "")
    pos, quat, raw = column("body", "pos")[b], column("body", "quat")[b], e.raw
    put(node, "pos", numbers(pos) if pos != ZERO else "")
    put(node, "quat", numbers(quat) if quat != UNIT else "")
    put(node, "mocap", "true" if raw["mocap"] else "")
    put(node, "gravcomp", number(raw["gravcomp"]) if raw["gravcomp"] else "")
    put(node, "simple", "" if raw["simple"] else "false")
    put(node, "sleep", word_of("sleep", raw["sleep"]) if raw["sleep"] else "")
    user = column("body", "userdata")[b]
    put(node, "user", numbers(user) if any(user) else "")
    if _explicit(w, b, e):
        inertial = add(node, "inertial")
        inertial.attrs["pos"] = numbers(column("body", "ipos")[b])
        iquat = column("body", "iquat")[b]
        put(inertial, "quat", numbers(iquat) if iquat != UNIT else "")
        inertial.attrs.update(mass=number(column("body", "mass")[b]), diaginertia=numbers(column("body", "inertia")[b]))
    _contents(w, node, b, None, w.layout.frames(b), name)


def _explicit(w: Writer, b: int, e: Element) -> bool:
    """Return whether a body's inertia must be written: it was given, or the geoms in the text would not yield it."""
    raw = w.c.compiler_of(e)
    mode = raw["inertiafromgeom"]
    if raw["saveinertial"] or w.own_inertia or b in w.aligned or (e.raw["explicitinertial"] and mode != FROM_GEOM):
        return True
    if not np.isnan(e.raw["ipos"][0]) and mode != FROM_GEOM or w.given and _changed(w, b):
        return True
    return _decided(w, b, raw, w.layout.rows["geom"][b])


def _decided(w: Writer, b: int, raw: dict[str, Any], geoms: list[int]) -> bool:
    """Return whether compiler settings that are not written affected the inertia of a body."""
    c = w.c
    low, high = raw["inertiagrouprange"]
    x, y, z = c.body.inertia[b]
    return (
        # the total mass concerns the whole model: attached bodies with their own compiler settings are scaled as well
        w.spec.compiler.raw["settotalmass"] > 0
        or raw["balanceinertia"]
        and x == y == z > 0
        or raw["inertiafromgeom"] == FROM_GEOM_NO
        and bool(geoms)
        or c.fuse
        and c.body.n != len(w.spec.all_bodies())
        or c.discard
        and c.geom.n != len(w.spec.items("geom"))
        or any(not low <= c.geom.group[i] <= high for i in geoms)
    )


def _changed(w: Writer, b: int) -> bool:
    """Return whether the mass properties of a body were changed in its Model."""
    return any(
        not np.array_equal(getattr(w.m, f)[b], getattr(w.fresh, f)[b])
        for f in ("body_mass", "body_inertia", "body_ipos", "body_iquat")
    )


def _joint(w: Writer, node: Node, i: int, e: Element) -> None:
    kind, base = int(w.c.joint.type[i]), w.base("joint", w.class_of(e))
    given = w.class_of(e).nearest("joint")
    for name, kinds in (("pos", (FREE,)), ("axis", (FREE, BALL))):
        value = tuple(w.column("joint", name)[i])
        start = e.blank[name] if given is None else given.raw[name]
        if kind not in kinds and (value != tuple(start) or not holds("words_spared", w.spec.compat_bits)):
            node.attrs[name] = numbers(value)
    # leave out attributes that the joint type does not have
    left = {"pos": None, "axis": None}
    if kind == FREE:
        left["limited"] = None
    if kind in (FREE, BALL):
        left["actfrclimited"] = None
    if base["limited"] == w.column("joint", "limited")[i]:
        left["limited"] = None
    w.fill(node, "joint", i, WORDS["joint"], left)


def _pose(node: Node, pos: Sequence[float], quat: Sequence[float]) -> None:
    put(node, "pos", numbers(pos) if tuple(pos) != ZERO else "")
    put(node, "quat", numbers(quat) if tuple(quat) != UNIT else "")


def _size(w: Writer, node: Node, kind: str, i: int, e: Element, count: int) -> None:
    """Write the sizes that a type uses, and any further sizes that differ from the class."""
    size, base = w.column(kind, "size")[i], w.base(kind, w.class_of(e))["size"]
    if size != base:
        while count < 3 and size[count:] != base[count:]:
            count += 1
        node.attrs["size"] = numbers(size[:count])


def _geom(w: Writer, node: Node, i: int, e: Element) -> None:
    g, left, shape = w.c.geom, {}, {}
    kind = int(g.type[i])
    pos, quat = w.column("geom", "pos")[i], w.column("geom", "quat")[i]

    # a primitive that was fitted to a mesh
    center: Any
    fitted, center = int(g.fitted[i]), ZERO
    if fitted >= 0:
        center = _fit(w, i, fitted)
        fitted = fitted if center is not None else -1

    # write pose and shape
    if kind in (MESH, SDF) or fitted >= 0:
        # the geom's pose before it was moved into the frame of its mesh
        mesh = w.c.meshes[fitted if fitted >= 0 else int(g.mesh[i])]
        middle = orient.rotate_by(cast(Sequence[float], center), mesh.quat)
        pos, quat = _before_mesh(w, i, e, orient.invert(np.add(middle, mesh.pos), mesh.quat))
        shape["mesh"] = w.c.mesh.elems[fitted if fitted >= 0 else int(g.mesh[i])].name
        left["typeinertia"] = None if kind in (MESH, SDF) else g.typeinertia[i].item()
    if kind == HFIELD:
        shape["hfield"] = e.raw["hfieldname"]
    if kind != MESH and fitted < 0:
        _size(w, node, "geom", i, e, int(SIZES[kind]))
    if fitted >= 0:
        shape["fitscale"] = number(g.fitscale[i])
    _pose(node, pos, quat)

    matid = int(g.matid[i])
    left["material"] = w.c.material.elems[matid].name if matid >= 0 else ""
    left["density" if not np.isnan(g.mass[i]) else "mass"] = None
    w.fill(node, "geom", i, GEOM, left)
    node.attrs.update((n, t) for n, t in shape.items() if (n, t) != ("fitscale", "1"))
    w.fill(node, "geom", i, GEOM_LAST, left)


def _before_mesh(w: Writer, i: int, e: Element, inverse: tuple[tuple[float, ...], tuple[float, ...]]) -> tuple[Any, ...]:
    """Return the pose that a geom had before it was moved into the frame of its mesh: the given pose, or one that is equal up
    to rounding errors."""
    if not w.given and e.frame is None and not w.c.fuse and int(w.c.geom.body[i]) not in w.aligned:
        raw = w.c.compiler_of(e)
        quat, _ = orient.resolve(tuple(e.raw["quat"]), e.raw["alt"], raw["degree"], raw["eulerseq"])
        return tuple(e.raw["pos"]), orient.normal(quat)[0]
    pose = orient.compose(w.column("geom", "pos")[i], w.column("geom", "quat")[i], *inverse)
    return tuple(tuple(np.round(v, 14).tolist()) for v in pose)


def _fit(w: Writer, i: int, k: int) -> Any:
    """Return the center of the box to which a primitive was fitted, or None if the geom's size has changed."""
    g = w.c.geom
    size = g.size[i].copy()
    g.size[i] = w.c.geom.elems[i].raw["size"]
    center = fit_geom(w.c, g, i, w.c.meshes[k])
    same = np.array_equal(g.size[i], size)
    g.size[i] = size
    return tuple(center) if same else None


def _site(w: Writer, node: Node, i: int, e: Element) -> None:
    node.attrs["pos"] = numbers(w.column("site", "pos")[i])
    quat = w.column("site", "quat")[i]
    put(node, "quat", numbers(quat) if quat != UNIT else "")
    _size(w, node, "site", i, e, int(SIZES[int(w.c.site.type[i])]))
    changes = {} if not w.c.discard else {"material": ""}
    w.fill(node, "site", i, WORDS["site"], changes)


def _camera(w: Writer, node: Node, i: int, e: Element) -> None:
    put(node, "target", e.raw["targetbody"])
    node.attrs["pos"] = numbers(w.column("camera", "pos")[i])
    quat = w.column("camera", "quat")[i]
    put(node, "quat", numbers(quat) if quat != UNIT else "")
    value = {f: w.column("camera", f)[i] for f in w.c.camera.rows if e.rows[f].type == "f4"}
    intrinsics(node, value, w.base("camera", w.class_of(e)))
    w.fill(
        node,
        "camera",
        i,
        WORDS["camera"],
        {"fovy": None} if value["sensor_size"][0] > 0 and value["sensor_size"][1] > 0 else None,
    )


def _light(w: Writer, node: Node, i: int, e: Element) -> None:
    put(node, "target", e.raw["targetbody"])
    node.attrs["pos"] = numbers(w.column("light", "pos")[i])
    node.attrs["dir"] = numbers(w.column("light", "dir")[i])
    w.fill(node, "light", i, WORDS["light"])


ELEMENTS = {"joint": _joint, "geom": _geom, "site": _site, "camera": _camera, "light": _light}
