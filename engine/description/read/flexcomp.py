"""The `flexcomp` macro: a deformable shape becomes a flex, bodies with slide joints that carry its vertices, and an equality
constraint."""

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from ...geom import flex_cells, lattice
from ...geom.gmsh import read_gmsh
from ...geom.mesh_read import MeshError, obj_lines, read_mesh, type_of, weld
from ...tables.compat_rows import holds
from ..elements.elements import MjsBody, MjsDefault, MjsFlex, MjsFrame
from ..files import resources
from ..files.providers import media_type
from ..language import orient
from ..language.arrays import rotate
from ..language.errors import SpecError, shown
from ..language.keywords import KEYWORDS
from ..language.schema import BODY, need, read_into
from ..language.types import SLIDE, SPHERE
from ..language.xmltree import Node
from .reader import Reader

ROWS = BODY.children["flexcomp"]
MESH, GMSH, DIRECT = (KEYWORDS["flexcomp"][n] for n in ("mesh", "gmsh", "direct"))
FULL, RADIAL, TRILINEAR, QUADRATIC, FLAT = KEYWORDS["flexdof"].values()
NODAL = TRILINEAR, QUADRATIC
MINVAL = 1e-15
MOST_POINTS = 1 << 24
# maximum number of bodies in a model
MAX_BODIES = 65533
OWN = (
    "name",
    "type",
    "count",
    "spacing",
    "scale",
    "mass",
    "inertiabox",
    "file",
    "pos",
    "quat",
    "rigid",
    "point",
    "element",
    "dof",
    "origin",
)
BLANK = {
    "type": 0,
    "count": (10, 10, 10),
    "spacing": (0.02,) * 3,
    "scale": (1.0,) * 3,
    "mass": 1.0,
    "inertiabox": 0.005,
    "dof": FULL,
    "pos": (0.0,) * 3,
    "quat": orient.UNIT,
    "rigid": 0,
    "origin": None,
    "point": (),
    "element": (),
    "alt": (0, ()),
}


class Flexcomp:
    """Settings of one macro, and later its points, elements, texture coordinates and pins."""

    if TYPE_CHECKING:
        # points, elements, ... are set by the functions below
        def __getattr__(self, name: str) -> Any: ...
        def __setattr__(self, name: str, value: Any) -> None: ...

    def __init__(self, reader: Reader, node: Node, body: MjsBody) -> None:
        self.reader, self.node, self.body = reader, node, body
        self.values = values = dict(BLANK)
        self.flex = MjsFlex(reader.spec)
        self.flex.place = node
        self.flex.label = node.attrs.get("name", "")

        # read attributes of the macro, then those of the flex
        for name, text in node.attrs.items():
            row = ROWS.attrs[name]
            if name in OWN and name not in ("file", "name"):
                value = row.read(node, text, values.get(name) if row.varies else None)
                if value is not None:
                    values[name] = value

        # read an alternative orientation
        turned = {n: r for n, r in ROWS.attrs.items() if r.alt}
        read_into(self.flex.raw, node, ROWS, (*OWN, *turned))
        for name in turned:
            if name in node.attrs:
                values["alt"] = (turned[name].alt, turned[name].read(node, node.attrs[name]))

        self.texcoord = np.asarray(self.flex.raw["texcoord"], np.float32)
        self.facetexcoord: Any = None
        self.pins = {"id": [], "range": [], "grid": [], "gridrange": []}
        self.equality = None
        self.plugin = None
        self._parts()

    def _parts(self) -> None:
        """Read the elements inside the macro. Pins accumulate; of other kinds of elements, only the first is used."""
        default = MjsDefault(self.reader.spec, "", None)
        wanted = False
        seen = set()
        for child in self.node.children:
            rows = ROWS.children[child.tag]
            if child.tag == "pin":
                for name, items in self.pins.items():
                    if name in child.attrs:
                        items += rows.attrs[name].numbers(child, child.attrs[name])
                continue
            if child.tag in seen:
                continue
            seen.add(child.tag)
            if child.tag == "plugin":
                self.plugin = child
                continue
            if child.tag == "edge":
                wanted = bool(rows.attrs["equality"].read(child, child.attrs.get("equality", "false")))
                read_into(default.equality.raw, child, rows, ("equality", "stiffness", "damping"))
                read_into(self.flex.raw, child, rows, ("equality", "solref", "solimp"))
            else:
                read_into(self.flex.raw, child, rows)

        if wanted:
            if self.flex.raw["elastic2d"] >= KEYWORDS["elastic2d"]["stretch"]:
                self.fail("elasticity and edge constraints cannot both be present")
            self.equality = default

    def fail(self, text: str, name: str = "") -> NoReturn:
        raise SpecError(text, self.node, name, self.node.attrs.get(name))

    @property
    def dim(self) -> int:
        return self.flex.raw["dim"]


def make_flexcomp(reader: Reader, node: Node, body: MjsBody, frame: MjsFrame | None, default: MjsDefault | None = None) -> None:
    """Read the macro and add its elements to the spec."""
    need(node, ROWS)
    f = Flexcomp(reader, node, body)
    _check(f)
    if holds("flexcomp_turn", reader.spec.compat_bits):
        _into_body(f, frame)
    _shape(f)
    _check_shape(f)
    _place(f)
    pinned = _pins(f)
    used = _compact(f)
    _build(f, pinned, used)


def _check(f: Flexcomp) -> None:
    v, raw = f.values, f.flex.raw
    if not f.body.name and f.body is not f.reader.spec.worldbody:
        f.fail("the parent body must have a name")

    # check the number of points
    if not 1 <= f.dim <= 3:
        f.fail("dim must be 1, 2 or 3", "dim")
    if v["type"] == MESH and f.dim == 3 and v["origin"] is None:
        f.fail("a mesh with dim 3 needs an origin", "origin")
    least = 2 if v["type"] in (lattice.BOX, lattice.CYLINDER, lattice.ELLIPSOID) or v["dof"] == RADIAL and f.dim == 3 else 1
    if min(v["count"]) < least:
        f.fail("the count is too small", "count")

    if v["type"] < MESH:
        if min(v["spacing"]) < 2 * raw["radius"] + raw["margin"]:
            f.fail("the spacing must be larger than the size of the geometry", "spacing")
        n = v["count"]
        if n[0] * n[1] * n[2] > MOST_POINTS:
            f.fail(f"more than {MOST_POINTS} points", "count")

    # scale, mass and orientation
    if min(v["scale"]) < MINVAL:
        f.fail("the scale must be positive", "scale")
    if min(v["mass"], v["inertiabox"]) < MINVAL:
        f.fail("mass and inertiabox must be positive", "mass")
    if v["alt"][0]:
        settings = f.reader.spec.compiler.raw
        v["quat"], error = orient.resolve(v["quat"], v["alt"], settings["degree"], settings["eulerseq"])
        if error:
            f.fail(error)


def _into_body(f: Flexcomp, frame: MjsFrame | None) -> None:
    """Convert the pose from the surrounding frames to the body (since MuJoCo 4.0)."""
    settings = f.reader.spec.compiler.raw
    while frame is not None:
        quat, error = orient.resolve(
            tuple(frame.raw["quat"]), tuple(frame.raw["alt"]), settings["degree"], settings["eulerseq"]
        )
        if error:
            f.fail(error)
        f.values["pos"], f.values["quat"] = orient.compose(tuple(frame.raw["pos"]), quat, f.values["pos"], f.values["quat"])
        frame = frame.frame


def _shape(f: Flexcomp) -> None:
    """Set points, elements and texture coordinates, depending on the type."""
    kind, raw, v = f.values["type"], f.flex.raw, f.values
    textured = not len(f.texcoord) and bool(raw["material"])
    texcoord = None
    if kind in (lattice.GRID, lattice.CIRCLE):
        f.point, f.element, texcoord = lattice.grid(kind, f.dim, v["count"], v["spacing"], textured)
        if not len(f.element):
            f.fail("the grid has no elements", "count")
    elif kind in (lattice.BOX, lattice.CYLINDER, lattice.ELLIPSOID):
        f.point, f.element, texcoord = lattice.box(kind, f.dim, v["count"], v["spacing"], textured)
    elif kind in (lattice.SQUARE, lattice.DISC):
        raw["dim"] = 2
        f.point, f.element, texcoord = lattice.square(kind, v["count"], v["spacing"], textured)
    elif kind == DIRECT:
        f.point, f.element = v["point"], v["element"]
    else:
        _from_file(f, kind)

    if texcoord is not None:
        f.texcoord = texcoord.ravel()
    if kind in (lattice.BOX, lattice.CYLINDER) or kind == lattice.GRID and f.dim == 3:
        raw["flatskin"] = 1


def _from_file(f: Flexcomp, kind: int) -> None:
    node, reader, spec = f.node, f.reader, f.reader.spec
    if not node.attrs.get("file"):
        f.fail("a file is required", "file")
    name = reader.places.asset(node, "file", "mesh")
    if spec.strippath:
        name = resources.stripped(name)
    path = resources.join(spec.modelfiledir, spec.compiler.raw["meshdir"], name)
    try:
        data = reader.places.files.read(path)
    except OSError as e:
        f.fail(f"Error opening file '{shown(path)}': {e.strerror or e}", "file")
    try:
        if kind == GMSH:
            f.flex.raw["dim"], f.point, f.element = read_gmsh(data)
        else:
            _from_mesh(f, data, name)
    except MeshError as e:
        f.fail(str(e), "file")


def _from_mesh(f: Flexcomp, data: bytes, name: str) -> None:
    # a line shape needs no mesh
    kind = type_of(name, media_type(name))
    if f.dim < 2 and kind == "model/obj":
        f.point, f.element = obj_lines(data)
        return
    if f.dim < 2:
        f.fail("dim must be at least 2 for a mesh, or 1 for the lines of an OBJ file", "dim")
    if kind == "model/vnd.mujoco.msh":
        f.fail("MSH files cannot be used here", "file")

    mesh = read_mesh(data, name, media_type(name), True)
    vert, face = mesh.vert, mesh.face
    if kind == "model/obj":
        _check_elements(f, face, len(vert))
        vert, index = weld(vert)
        face = index[face]
    if not len(vert) or not len(face):
        f.fail("the file must have vertices and faces", "file")
    f.point, f.element = np.array(vert, np.float64), np.array(face)

    if mesh.texcoord is not None and len(mesh.texcoord):
        # a file has both texture coordinates and their faces, or neither
        assert mesh.facetexcoord is not None
        f.texcoord, f.facetexcoord = mesh.texcoord.ravel(), mesh.facetexcoord.ravel()

    # a solid: tetrahedra between the faces and the origin
    if f.dim == 3:
        f.point, f.element = lattice.fan(f.point, f.element, f.values["origin"])


def _check_shape(f: Flexcomp) -> None:
    # pins
    dim, kind, pins = f.dim, f.values["type"], f.pins
    if len(pins["range"]) % 2:
        f.fail("pin ranges need an even number of ids")
    if len(pins["grid"]) % dim:
        f.fail("pin grid needs dim numbers for each pin")
    if len(pins["gridrange"]) % (2 * dim):
        f.fail("pin gridrange needs twice dim numbers for each range")
    if pins["grid"] or pins["gridrange"]:
        if kind != lattice.GRID and not _pins_nodes(f):
            f.fail("pin grid and gridrange need the type grid")
        if dim == 1:
            f.fail("pin grid and gridrange cannot be used with dim 1")

    # check points and elements
    if not len(f.point) or not len(f.element):
        f.fail("points and elements are required", "point")
    if np.size(f.point) % 3:
        f.fail("the number of coordinates must be a multiple of 3", "point")
    if np.size(f.element) % (dim + 1):
        f.fail("the number of vertices of elements must be a multiple of dim + 1", "element")
    f.point = np.array(f.point, np.float64).reshape(-1, 3)
    f.element = np.array(f.element, np.int64).reshape(-1, dim + 1)
    _check_elements(f, f.element, len(f.point))


def _check_elements(f: Flexcomp, element: np.ndarray, count: int) -> None:
    """Raise SpecError unless all vertices of elements are among `count` points."""
    flat = np.asarray(element).ravel()
    wrong = (flat < 0) | (flat >= count)
    if wrong.any():
        bad = int(np.argmax(wrong))
        f.fail(f"element {bad} has point id {flat[bad]}, there are {count} points", "element")


def _place(f: Flexcomp) -> None:
    """Apply scale and pose to the points."""
    v = f.values
    if v["type"] >= MESH and v["scale"] != (1.0, 1.0, 1.0):
        f.point = f.point * np.asarray(v["scale"])
    f.point = rotate(np.tile(np.asarray(v["quat"]), (len(f.point), 1)), f.point) + np.asarray(v["pos"])


def _pins_nodes(f: Flexcomp) -> bool:
    """Return whether pins refer to the nodes of cells instead of vertices."""
    return f.values["dof"] in NODAL and holds("node_pins", f.reader.spec.compat_bits)


def _pins(f: Flexcomp) -> np.ndarray:
    """Return a mask of fixed points. Set `rigid` if all points are fixed, and `centered` if none is."""
    n, dim, count, pins = len(f.point), f.dim, f.values["count"], f.pins
    nodes = 0
    if _pins_nodes(f):
        # the mask begins with the nodes; grid indices of pins refer to the grid of points if there is one, else to the nodes
        side = 2 if f.values["dof"] == TRILINEAR else 3
        nodes, count = side**3, count if f.values["type"] == lattice.GRID else (side,) * 3
    pinned = np.full(max(n, nodes), bool(f.values["rigid"]))
    f.centered = False
    if f.values["rigid"]:
        return pinned

    # each type of pin: rows of indices, or rows of first and last indices
    for name, limit in (("id", [n]), ("range", [n, n]), ("grid", count[:dim]), ("gridrange", (*count[:dim], *count[:dim]))):
        rows = np.array(pins[name], np.int64).reshape(-1, len(limit))
        if ((rows < 0) | (rows >= np.array(limit))).any():
            f.fail(f"pin {name} is out of range")
        for row in rows.tolist():
            if name == "id":
                pinned[row[0]] = True
            elif name == "range":
                pinned[row[0] : row[1] + 1] = True
            else:
                low, high = row[:dim], row[-dim:]
                view = pinned[: math.prod(count[:dim])].reshape(tuple(count[:dim]))
                view[tuple(slice(a, b + 1) for a, b in zip(low, high))] = True

    if f.values["dof"] == RADIAL:
        pinned[0] = True
    if pinned[:n].all():
        f.values["rigid"] = 1
    elif not pinned.any():
        f.centered = True
    return pinned


def _compact(f: Flexcomp) -> np.ndarray:
    """Renumber elements as if unused points of a file were removed; return a mask of used points."""
    used = np.ones(len(f.point), bool)
    if f.values["type"] >= MESH:
        used[:] = False
        used[f.element] = True
        if not used.all():
            f.element = (np.cumsum(used) - 1)[f.element]
    return used


def _build(f: Flexcomp, pinned: np.ndarray, used: np.ndarray) -> None:
    """Add the flex, its bodies and its equality constraint to the spec."""

    # the flex
    v, raw, spec = f.values, f.flex.raw, f.reader.spec
    spec.parts["flex"].append(f.flex)
    raw["elem"] = f.element.ravel()
    raw["texcoord"] = f.texcoord
    raw["elemtexcoord"] = f.facetexcoord if f.facetexcoord is not None else ()
    parent = f.body.name or "world"

    # a rigid flex has one body: the parent
    if v["rigid"]:
        if not f.centered:
            # 3.4 keeps points that no element uses, but renumbers elements as if they had been removed
            raw["vert"] = (f.point[used] if holds("flexcomp_used", spec.compat_bits) else f.point).ravel()
        raw["vertbody"] = [parent]
        return

    # bodies that carry the vertices
    if f.centered and holds("removed", spec.compat_bits):
        f.reader.loose.append((f.flex, f.body))
    # number of points over which the mass is distributed
    f.carriers = int(used.sum()) if holds("flexcomp_used", spec.compat_bits) else len(f.point)
    plugin = _plugin(f)
    nodal = v["dof"] in NODAL
    low, high = f.point.min(0), f.point.max(0)
    moving = 0 if nodal else int((used & ~pinned).sum())
    if moving + len(spec.items("body")) > MAX_BODIES:
        f.fail(f"{moving} moving points need as many bodies; the limit for a model is {MAX_BODIES}", "count")
    owners = []
    for i in np.flatnonzero(used).tolist():
        if pinned[i] or nodal:
            owners.append(parent)
            if plugin:
                plugin(f.body)
            continue
        owners.append(_vertex_body(f, i, plugin))
        if not f.centered:
            f.point[i] = 0
    raw["vertbody"] = owners

    # an interpolated flex also has nodes
    if nodal:
        _nodes(f, pinned, f.point[used], low, high, parent)
    if not f.centered or nodal:
        raw["vert"] = f.point[used].ravel()

    # add the edge constraint
    if f.equality is not None:
        equality = spec.add("equality", f.equality)
        equality.default = spec.default
        equality.place = f.node
        equality.raw["type"], equality.raw["active"], equality.raw["name1"] = 4, 1, f.flex.name


def _plugin(f: Flexcomp) -> Callable[..., None] | None:
    """Return a function that assigns the plugin to a body, or None."""
    if f.plugin is None:
        return None
    holder = f.body.add_body()
    f.body.parts["body"].remove(holder)
    f.reader.plugin(holder, f.plugin)
    ref = holder.plugin.raw
    if not ref["name"]:
        ref["name"] = "flexcomp_" + f.flex.name
        holder.plugin.source.label = ref["name"]

    def give(body: MjsBody) -> None:
        body.plugin.raw.update(active=1, plugin_name=ref["plugin_name"], name=ref["name"])

    return give


def _moving_body(f: Flexcomp, pos: list[float], mass: float, axes: Sequence[Sequence[float]], group: int | None) -> MjsBody:
    """Add a small body with sliders along `axes`; return the body."""
    v, raw = f.values, f.flex.raw
    body = f.body.add_body()
    body.place = f.node
    inertia = mass * (2.0 * v["inertiabox"] * v["inertiabox"]) / 3.0
    body.raw.update(pos=tuple(pos), ipos=(0.0, 0.0, 0.0), mass=mass, inertia=(inertia,) * 3, explicitinertial=1)
    if raw["vertcollide"]:
        geom = body.add_geom()
        geom.place = f.node
        geom.raw["type"] = SPHERE
        geom.raw["size"] = (raw["radius"], *geom.raw["size"][1:])
        if group is not None:
            geom.raw["group"] = group
    for axis in axes:
        joint = body.add_joint()
        joint.place = f.node
        joint.raw.update(type=SLIDE, pos=(0.0, 0.0, 0.0), axis=axis)
    return body


AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def _vertex_body(f: Flexcomp, i: int, plugin: Callable[..., None] | None) -> str:
    """Add the body that carries one vertex; return its name."""
    pos = f.point[i].tolist()
    axes = AXES
    if f.values["dof"] == RADIAL:
        axes = (orient.normal(pos)[0],)
    elif f.values["dof"] == FLAT:
        axes = AXES[:2]
    body = _moving_body(f, pos, f.values["mass"] / f.carriers, axes, 4)
    body.label = f"{f.flex.name}_{i}"
    if plugin:
        plugin(body)
    return body.name


def _nodes(f: Flexcomp, pinned: np.ndarray, point: np.ndarray, low: np.ndarray, high: np.ndarray, parent: str) -> None:
    """Add bodies at the nodes of the cell in which the vertices are interpolated."""
    order = 1 if f.values["dof"] == TRILINEAR else 2
    total, share, step = f.values["mass"], (1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0), 1.0 / order
    nodes, owners = [], []

    # Since 4.0, each node's share of the mass follows from the mesh, and pinned nodes have no mass.
    shares = None
    if holds("cell_mesh", f.reader.spec.compat_bits):
        if not flex_cells.encloses(f.element):
            f.fail("since MuJoCo 4.0, trilinear and quadratic flexes need tetrahedra or a closed surface", "dof")
        shares = flex_cells.masses(flex_cells.moments((point - low) / (high - low), f.element), order)
        held = np.zeros(len(shares), bool)
        held[: len(pinned)] = pinned[: len(shares)]
        shares = total * shares / shares[~held].sum()
    for i in range(order + 1):
        for j in range(order + 1):
            for k in range(order + 1):
                pos = [float(a + n * step * (b - a)) for n, a, b in zip((i, j, k), low, high)]
                # as in MuJoCo, the first nodes are pinned like the first points; there may be fewer points than nodes
                if len(nodes) < len(pinned) and pinned[len(nodes)]:
                    nodes.append(pos)
                    owners.append(parent)
                    continue
                mass = total / 8 if order == 1 else total * share[i] * share[j] * share[k]
                if shares is not None:
                    mass = float(shares[len(nodes)])
                body = _moving_body(f, pos, mass, AXES, None)
                body.label = f"{f.flex.name}_{i}_{j}_{k}"
                nodes.append((0.0, 0.0, 0.0))
                owners.append(body.name)

    f.flex.raw["nodebody"] = owners
    if not f.centered:
        f.flex.raw["node"] = np.array(nodes).ravel()
