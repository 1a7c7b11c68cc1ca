"""First stage of compilation: sorts the tree, assigns ids, checks names, sets lengths of user data.

adds   body: parent
"""

import functools
from collections.abc import Callable, Iterable
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from ...tables.compat_rows import holds
from ..elements import keyframes
from ..elements.element import Element
from ..elements.elements import MjsBody, MjsCamera, MjsFrame, MjsGeom, MjsJoint, MjsLight, MjsSite, compile_error
from ..elements.spec import OBJECTS, MjSpec, file_stem
from ..files import resources
from ..files.resources import Files
from ..language.arrays import minus_ones
from ..language.errors import SpecError, shown
from ..language.kinds import KIND_OF, KINDS
from ..language.types import TEXTURE_SKYBOX
from .structure import topology
from .table import Table
from .timing import new_timer

TREE = {
    "body": MjsBody,
    "joint": MjsJoint,
    "geom": MjsGeom,
    "site": MjsSite,
    "camera": MjsCamera,
    "light": MjsLight,
    "frame": MjsFrame,
}


# {(type of element, type of element that it refers to; "": any): message for an unknown name}
_UNKNOWN_TARGET, _TARGET_OF_NONE = (
    "unknown transmission target '{name}' for actuator id = {id}",
    "transmission target '{name}' not found in actuator {id}",
)
_UNKNOWN_BODY = "unknown body '{name}' in {owner}"
NOT_FOUND = {
    ("sensor", "sensorized object"): "unrecognized name '{name}' of sensorized object",
    ("sensor", "reference"): "unrecognized name '{name}' of object",
    ("equality", "first"): "unknown element '{name}' in equality constraint",
    ("equality", "second"): "unknown element '{name}' in equality constraint {id}",
    ("actuator", "joint"): _UNKNOWN_TARGET,
    ("actuator", ""): _TARGET_OF_NONE,
    ("actuator", "refsite"): "reference site '{name}' not found for actuator {id}",
    ("actuator", "slidersite"): "base site '{name}' not found for actuator {id}",
    ("camera", "target"): "unknown target body in camera",
    ("light", "target"): "unknown target body in light",
    ("light", "texture"): "unknown texture in light",
    ("skin", "body"): _UNKNOWN_BODY,
    ("flex", "body"): _UNKNOWN_BODY,
    ("pair", ""): "geom '{name}' not found in collision {id}",
    ("exclude", ""): "body '{name}' not found in bodypair {id}",
    ("tuple", ""): "unrecognized object '{name}' in tuple {id}",
    ("tendon", "site"): "site '{name}' not found in wrap {wrap}",
    ("tendon", "joint"): "joint '{name}' not found in tendon {id}, wrap {wrap}",
    ("tendon", "geom"): "geom '{name}' not found in tendon {id}, wrap {wrap}",
    ("tendon", "sidesite"): "side site '{name}' not found in tendon {id}, wrap {wrap}",
}
# object types of elements in a spec
NAMED_KINDS = tuple(kind for kind in KINDS if kind in TREE or kind in OBJECTS)
NOTHING_NAMED: Any = MappingProxyType({})


@functools.cache
def empty_tables() -> dict[str, Table]:
    """Return {type of element: table without elements}. All compilations share these tables and must not change them."""
    return {kind: Table(kind, [], cls) for kind, cls in (*TREE.items(), *((kind, cls) for kind, (_, cls) in OBJECTS.items()))}


class Compilation:
    """All tables of one compilation as `c.geom`, `c.sensor`, ...; `c.ids[kind]` maps names to ids."""

    if TYPE_CHECKING:
        # compilation stages add tables and results as attributes
        def __getattr__(self, name: str) -> Any: ...
        def __setattr__(self, name: str, value: Any) -> None: ...

    def __init__(self, spec: MjSpec, files: Files | None, model: bool = True) -> None:
        self.spec = spec
        self.files: Any = files
        self.warnings = []
        self.ids = {}
        # types of elements for which `enter` has made a table
        self.filled = set()
        self.fuse = bool(spec.compiler.raw["fusestatic"])
        self.discard = bool(spec.compiler.raw["discardvisual"])
        self.surplus_nodes = 0
        # seconds that each part of the compilation took, as reported by the spec
        self.timer = new_timer()
        # selected behavior changes of later releases
        self.compat_bits = spec.compat_bits
        self.model = model

    def enter(self, kind: str, elements: list[Any], cls) -> Table:
        """Create and store the table of a type of element. If there are no such elements, use a shared empty table."""
        table = Table(kind, elements, cls) if elements else empty_tables()[kind]
        self.filled.add(kind)
        setattr(self, kind, table)
        return table

    def find(self, kind: str, name: str) -> int:
        """Return the id of a named element, or -1."""
        return self.ids["body" if kind == "xbody" else kind].get(name, -1)

    def need(self, kind: str, name: str, element: Any, what: str) -> int:
        """Return the id of a named element. For an unknown name, raise an error that suggests the nearest known name."""
        kind = "body" if kind == "xbody" else kind
        table = self.ids.get(kind)
        i = table.get(name, -1) if table is not None else -1
        if i < 0:
            raise compile_error(element, self._missing(kind, name, element, what), name, tuple(table or ())[:5000])
        return i

    def _missing(self, kind: str, name: str, element: Any, what: str) -> str:
        """Return MuJoCo's message for an unknown name."""
        owner = getattr(element, "tendon", element)
        text = (
            NOT_FOUND.get((owner.kind, what)) or NOT_FOUND.get((owner.kind, "")) or "{kind} '{name}' not found in {owner} {id}"
        )
        table = getattr(self, owner.kind, None)
        return text.format(
            kind=kind,
            name=name,
            owner=owner.kind,
            id=table.elems.index(owner) if table is not None and owner in table.elems else -1,
            wrap=owner.wraps.index(element) if owner is not element else -1,
        )

    def need_type(self, objtype: int, name: str, element: Any, what: str) -> int:
        """Like `need`, for a type of element given as a number."""
        return self.need(KIND_OF.get(objtype, "unknown"), name, element, what)

    def file_of(self, element: Element, file: str, folder: str = "meshdir") -> str:
        """Return the path of an element's file. Relative paths start in the folder of the model to which the element first
        belonged."""
        if self.spec.strippath:
            file = resources.stripped(file)
        compiler = element.compiler or self.spec.compiler
        return resources.join(compiler.spec.modelfiledir, compiler.raw[folder], file)

    def compiler_of(self, element: Element) -> dict:
        return (element.compiler or self.spec.compiler).raw

    def settings(self, table: Table, *names: str) -> tuple[np.ndarray, int]:
        """Return (array with one row of compiler settings per element, distance between rows in float64 values).

        There is one row for each element of a table; a single row, at distance 0, if all have the same settings.
        """
        own = self.spec.compiler
        found = {e.compiler or own for e in table.elems}
        rows = [compiler.raw for compiler in found] if len(found) < 2 else [(e.compiler or own).raw for e in table.elems]
        values = np.array([_flat([raw[name] for name in names]) for raw in rows], float)
        return values, values.shape[1] if len(rows) > 1 else 0


def _flat(values: Iterable[Any]) -> list[float]:
    """Return numbers and vectors as one list of numbers."""
    return [x for v in values for x in (v if isinstance(v, tuple) else (v,))]


def read_asset(c: Compilation, e: Element, name: str) -> bytes:
    """Return the bytes of an asset; SpecError at the element if they cannot be read."""
    return _opened(c.files.read, e, name)


def asset_digest(c: Compilation, e: Element, name: str) -> bytes:
    """Return the digest of the bytes that `read_asset` returns."""
    return _opened(c.files.digest, e, name)


def _opened(function: Callable[..., Any], e: Element, name: str) -> bytes:
    try:
        return function(name)
    except OSError as error:
        raise compile_error(e, f"Error opening file '{shown(name)}': {error.strerror or error}") from None


def order(c: Compilation) -> None:
    """Create the tables of all types of elements: bodies in depth-first order, and their elements in the order of the
    bodies."""

    spec = c.spec
    bodies = spec.all_bodies()
    if bodies[0].parts["joint"]:
        raise compile_error(bodies[0].parts["joint"][0], "joint found in world body")

    # bodies
    vars(c).update(empty_tables())
    c.enter("body", bodies, MjsBody)
    index = {id(b): i for i, b in enumerate(bodies)}
    c.body.parent = np.array([index[id(b.parent)] if b.parent is not None else 0 for b in bodies])

    # collect the elements on bodies
    found = {kind: ([], []) for kind in TREE}
    for i, b in enumerate(bodies):
        for kind, elements in b.parts.items():
            if elements and kind != "body":
                found[kind][0].extend(elements)
                found[kind][1].extend([i] * len(elements))
    frame_index = {id(f): i for i, f in enumerate(found["frame"][0])}
    for kind, (elements, owners) in found.items():
        table = c.enter(kind, elements, TREE[kind]) if elements else getattr(c, kind)
        if elements and kind != "frame":
            table.body = np.array(owners)
        if not table.n:
            continue
        if frame_index:
            table.frame = np.array(
                [-1 if e.frame is None else frame_index.get(id(e.frame), -1) for e in table.elems], dtype=np.int64
            )
        else:
            table.frame = minus_ones(table.n)

    # collect the elements outside the tree
    for kind, (_, cls) in OBJECTS.items():
        if spec.parts[kind]:
            c.enter(kind, list(spec.parts[kind]), cls)
    if len(bodies) + c.flex.n >= 65534:
        raise SpecError("bodies and flexes together must be fewer than 65534")


def name_assets(c: Compilation) -> None:
    """Name assets without a name after their file. SpecError for assets that need a name and have none."""
    for kind in ("mesh", "hfield", "skin", "texture"):
        for e in getattr(c, kind).elems:
            if not e.name and e.raw.get("file"):
                if e.place is None and holds("asset_names", c.compat_bits):
                    raise compile_error(
                        e,
                        f"the {kind} of file '{e.raw['file']}' needs a name: only those from XML are named after their files",
                    )
                e.label = file_stem(e.raw["file"])
    for kind in ("mesh", "hfield", "texture", "material"):
        for e in getattr(c, kind).elems:
            if not e.name and not (kind == "texture" and e.raw["type"] == TEXTURE_SKYBOX):
                raise compile_error(e, f"a {kind} needs a name")


def check_names(c: Compilation) -> None:
    """Assign ids by name. SpecError if two elements of a type have the same name."""
    c.ids = dict.fromkeys(NAMED_KINDS, NOTHING_NAMED)
    for kind in [kind for kind in NAMED_KINDS if kind in c.filled]:
        ids = c.ids[kind] = {}
        for i, e in enumerate(getattr(c, kind).elems):
            name = e.label
            if name:
                if name in ids:
                    raise SpecError(f"repeated name '{name}' in {kind}", e.place, "name", name)
                ids[name] = i


def expand_keys(c: Compilation) -> None:
    """Add the keyframes that the size section requests, and assemble the vectors of keyframes that are stored per element."""
    spec = c.spec
    if spec.key_order is not None and holds("keys_whole", c.compat_bits) and spec.key_order != keyframes.order_of(spec):
        # if elements were added or deleted, store keyframes per element, so that values stay with their elements
        keyframes.hold(spec)
    keyframes.expand(spec)
    while len(spec.parts["key"]) < spec.nkey:
        spec.add("key")
    for stored, values in keyframes.resolve(spec, _unknown):
        key = spec.add("key", name=stored.name, time=stored.time)
        key.place = stored.place
        key.raw.update((name, tuple(v)) for name, v in values.items())
    spec.pending_keys = []


def _unknown(vector: str, e: Element, width: int) -> list[float]:
    """Return placeholders for values that a stored keyframe lacks: NaN if the reference pose will replace them, else 0."""
    return [float("nan") if vector in ("qpos", "mpos", "mquat", "plastic") else 0.0] * width


NUSER = {
    "body": "body",
    "jnt": "joint",
    "geom": "geom",
    "site": "site",
    "cam": "camera",
    "tendon": "tendon",
    "actuator": "actuator",
    "sensor": "sensor",
}


def user_widths(c: Compilation) -> None:
    """Set nuser_*: the given number, otherwise the length of the longest user data of this type of element."""
    c.nuser = {}
    for short, kind in NUSER.items():
        given = c.spec.raw["nuser_" + short]
        if kind not in c.filled:
            c.nuser[short] = max(given, 0)
            continue
        table = getattr(c, kind)
        lengths = [len(raw["userdata"]) for raw in table.raws]
        longest = max(lengths)
        c.nuser[short] = width = longest if given < 0 else given
        if longest > width:
            e, n = next((e, n) for e, n in zip(table.elems, lengths) if n > width)
            raise compile_error(e, f"user has {n} values, nuser_{short} is {width}")


def resolve(c: Compilation) -> None:
    """Run the first stage of compilation."""
    expand_keys(c)
    order(c)
    name_assets(c)
    check_names(c)
    if c.discard:
        _discard_assets(c)
    user_widths(c)
    topology(c)


def _discard_assets(c: Compilation) -> None:
    """Remove materials and textures, which are only visual, and all references to them."""
    for kind in ("material", "texture"):
        c.enter(kind, [], OBJECTS[kind][1])
        c.ids[kind] = {}
    for table in (c.geom, c.site, c.skin, c.tendon, c.flex, c.mesh):
        if table.n:
            table.material = [""] * table.n
