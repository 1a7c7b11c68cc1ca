"""The classes of all elements: kinematic tree, assets, and elements that refer to these."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Self

from ...tables.compat_rows import holds
from ..language.fields import set_keywords
from ..language.kinds import KIND_OF
from ..language.later_fields import PROJECTION, SHORTCUT
from ..language.types import FREE, WRAP_JOINT, WRAP_OBJECTS, WRAP_PULLEY, WRAP_SITE, WRAP_SPHERE
from ..language.vectors import MjsTendonPath
from . import shortcuts
from .element import Element, MjsElement, class_of, compile_error, given_text, set_class

__all__ = ["LISTS", "compile_error"]

# {type of element in the tree: name of the list of such elements}
LISTS = {
    "body": "bodies",
    "joint": "joints",
    "geom": "geoms",
    "site": "sites",
    "camera": "cameras",
    "light": "lights",
    "frame": "frames",
}
# keyword arguments of add_freejoint
FREE_KEYWORDS = ("align", "group", "name")


class InBody(Element):
    """An element of a body, possibly inside a frame."""

    __slots__ = ("parent", "frame")
    parent: Any
    frame: Any
    classname = property(class_of, set_class, doc="The default class.")

    def __init__(self, spec: Any, default: Any = None, name: str = "") -> None:
        super().__init__(spec, default, name)
        self.parent = None
        self.frame = None

    def copy_to(self, spec: Any) -> Self:
        new = super().copy_to(spec)
        new.parent, new.frame = self.parent, self.frame
        return new

    def set_frame(self, frame: MjsFrame) -> None:
        """Move this element into a frame of its body. ValueError if the frame is on another body."""
        need("set_frame", frame, MjsFrame)
        if frame.parent is not self.parent:
            raise ValueError(f"Error: Frame and body '{self.label}' have mismatched parents")
        self.frame = frame


def need(what: str, value: Any, cls: type) -> Any:
    """Return a value of type `cls`; for str, bytes are decoded. TypeError for other types."""
    if cls is str:
        return given_text(what + "()", value)
    if not isinstance(value, cls):
        raise TypeError(f"{what}(): incompatible function arguments: needs {cls.__name__}, got {type(value).__name__}")
    return value


class MjsJoint(InBody, struct="MjsJoint"):
    """A joint of a body."""

    __slots__ = ()
    kind = "joint"


class MjsGeom(InBody, struct="MjsGeom"):
    """A shape of a body."""

    __slots__ = ()
    kind = "geom"


class MjsSite(InBody, struct="MjsSite"):
    """A site: a point of interest on a body."""

    __slots__ = ()
    kind = "site"


class MjsCamera(InBody, struct="MjsCamera"):
    """A camera on a body."""

    __slots__ = ()
    kind = "camera"
    proj = PROJECTION


class MjsLight(InBody, struct="MjsLight"):
    """A light on a body."""

    __slots__ = ()
    kind = "light"


class _Adds(InBody):
    """Base class of bodies and frames, both of which can add elements to a body."""

    __slots__ = ()

    def _place(self) -> tuple[Any, Any]:
        """Return (body, frame) for a new element."""
        return self, None

    def set(self, **values: Any) -> Self:
        super().set(**values)
        if "childclass" in values:
            _childclass(self, values["childclass"])
        return self

    def _add(self, cls, default: Any, values: dict[str, Any]) -> Any:
        body, frame = self._place()
        if default is not None:
            need("add_" + cls.kind, default, MjsDefault)
        element = cls(self.spec, default if default is not None else body.default)
        element.parent, element.frame = body, frame
        # even if a keyword argument is refused, the new element remains in the spec
        body.parts[cls.kind].append(element)
        self.spec.changed()
        return element.set(**values) if values else element

    def add_body(self, default: Any = None, **values: Any) -> Any:
        """Add a child body. Fields may be given by name; the default class supplies the rest."""
        return self._add(MjsBody, default, values)

    def add_joint(self, default: Any = None, **values: Any) -> Any:
        """Add a joint to this body. Fields may be given by name; the default class supplies the rest."""
        return self._add(MjsJoint, default, values)

    def add_geom(self, default: Any = None, **values: Any) -> Any:
        """Add a geom. Fields may be given by name; the default class supplies the rest."""
        return self._add(MjsGeom, default, values)

    def add_site(self, default: Any = None, **values: Any) -> Any:
        """Add a site. Fields may be given by name; the default class supplies the rest."""
        return self._add(MjsSite, default, values)

    def add_camera(self, default: Any = None, **values: Any) -> Any:
        """Add a camera. Fields may be given by name; the default class supplies the rest."""
        return self._add(MjsCamera, default, values)

    def add_light(self, default: Any = None, **values: Any) -> Any:
        """Add a light. Fields may be given by name; the default class supplies the rest."""
        return self._add(MjsLight, default, values)

    def add_frame(self, default: Any = None, **values: Any) -> Any:
        """Add a frame inside this frame, or to this body. If called on a body, `default` may also be an outer frame."""
        body, frame = self._place()
        if default is not None:
            outer = need("add_frame", default, MjsFrame)
            frame = frame or outer
        new = MjsFrame(self.spec, body.default)
        new.parent, new.frame = body, frame
        body.parts["frame"].append(new)
        self.spec.changed()
        return new.set(**values) if values else new


def _childclass(self, name: Any) -> None:
    """Set the default class whose values new elements copy. ValueError for an unknown name."""
    default = self.spec.find_default(need("childclass", name, str) or "main")
    if default is None:
        raise ValueError(f"unknown default class '{name}'")
    self.raw["childclass"], self.default = name, default


class MjsBody(_Adds, struct="MjsBody"):
    """A body: pose, inertia, and its elements by type (`parts`)."""

    __slots__ = ("parts",)
    kind = "body"
    childclass = property(lambda self: self.default.label, _childclass, doc="Name of the default class of what is added here.")

    def __init__(self, spec: Any, default: Any = None, name: str = "") -> None:
        super().__init__(spec, default, name)
        self.parts = {kind: [] for kind in LISTS}

    def unlink(self) -> None:
        """Remove references, like Element.unlink."""
        todo = [self]
        for body in todo:
            todo += body.parts["body"]
            body.parts = {}

    def add_freejoint(self, **values: Any) -> MjsJoint:
        """Add a free joint, which has no default class. Keyword arguments: align, group, name."""
        joint = MjsJoint(self.spec)
        joint.raw["type"] = FREE
        joint.parent, joint.default = self, self.spec.default
        self.parts["joint"].append(joint)
        self.spec.changed()
        set_keywords(joint, {k: joint.keywords[k] for k in FREE_KEYWORDS}, values)
        return joint

    def find_all(self, what: Any) -> list[Any]:
        """Return all elements of a type on this body and below; `what` is an mjtObj or the type's name. If the type is body,
        this body is not included.
        """
        kind = what if isinstance(what, str) else KIND_OF.get(int(what), "")
        kind = "body" if kind == "xbody" and not isinstance(what, str) else kind
        if kind not in LISTS:
            raise ValueError("body.find_all supports the types: " + ", ".join(SEARCHED) + ".")
        found, todo = [], [self]
        while todo:
            body = todo.pop()
            # depth first, each body before its children
            found += [body] if kind == "body" else body.parts[kind]
            todo += body.parts["body"][::-1]
        return found[1:] if kind == "body" else found

    def find_child(self, name: Any) -> Self | None:
        """Return the body with this name below this body (before 4.0, possibly this body itself); None if there is none."""
        name = need("find_child", name, str)
        own = () if self.parent is not None and holds("child_below", self.spec.compat_bits) else (self,)
        return next((b for b in (*own, *self.find_all("body")) if b.label == name), None)


# types of elements, in the order in which MuJoCo's message lists them
SEARCHED = ("body", "frame", "geom", "site", "joint", "light", "camera")


def _walk(kind: str, names: str) -> Any:
    """Add to MjsBody the list of a type of element, and its `first_` and `next_` methods."""

    def items(self) -> list[Element]:
        return list(self.parts[kind])

    def first(self) -> Any:
        """Return the first element of this type on the body, or None."""
        return self.parts[kind][0] if self.parts[kind] else None

    def following(self, child: Element) -> Any:
        """Return the next element of this type on the body after `child`, or None."""
        found = self.parts[kind]
        at = next((i for i, e in enumerate(found) if e is need("next_" + kind, child, MjsElement)), len(found))
        return found[at + 1] if at + 1 < len(found) else None

    setattr(MjsBody, names, property(items, doc=f"Elements of kind {kind} on this body."))
    setattr(MjsBody, "first_" + kind, first)
    setattr(MjsBody, "next_" + kind, following)


for _kind, _list in LISTS.items():
    _walk(_kind, _list)


class MjsFrame(_Adds, struct="MjsFrame"):
    """A coordinate frame of a body. The elements in it are posed relative to this frame."""

    __slots__ = ()
    kind = "frame"
    childclass = property(
        lambda self: self.raw["childclass"], _childclass, doc="Name of the default class written with this frame."
    )

    def _place(self) -> tuple[MjsBody, MjsFrame]:
        return self.parent, self


def is_inside(outer: MjsFrame, frame: MjsFrame | None) -> bool:
    """Return whether a frame is `outer` or lies inside it; False for None."""
    while frame is not None:
        if frame is outer:
            return True
        frame = frame.frame
    return False


class _Classed(Element):
    """An element outside the tree that starts from a default class."""

    __slots__ = ()
    classname = property(class_of, set_class, doc="The default class.")


class MjsFlex(Element, struct="MjsFlex"):
    """A deformable body: its elements, the bodies that carry its vertices, and its contact and elasticity parameters."""

    __slots__ = ("rigid",)
    kind = "flex"

    def __init__(self, spec: Any, default: Any = None, name: str = "") -> None:
        super().__init__(spec, default, name)
        self.rigid = False


class MjsMesh(_Classed, struct="MjsMesh"):
    """A triangle mesh, from a file or from given vertices and faces."""

    __slots__ = ()
    kind = "mesh"


class MjsHField(Element, struct="MjsHField"):
    """A height field, from a file or from given elevations."""

    __slots__ = ()
    kind = "hfield"


class MjsSkin(Element, struct="MjsSkin"):
    """A skin: a mesh that is deformed by bodies, which are called its bones."""

    __slots__ = ()
    kind = "skin"


class MjsTexture(_Classed, struct="MjsTexture"):
    """A texture: built-in, from files, or from given pixels."""

    __slots__ = ()
    kind = "texture"

    def __init__(self, spec: Any, default: Any = None, name: str = "") -> None:
        super().__init__(spec, default, name)
        self.raw["gridlayout"] = "............"
        self.raw["cubefiles"] = [""] * 6


class MjsMaterial(_Classed, struct="MjsMaterial"):
    """A material: colors, and a texture for each role."""

    __slots__ = ()
    kind = "material"

    def __init__(self, spec: Any, default: Any = None, name: str = "") -> None:
        super().__init__(spec, default, name)
        if not self.raw["textures"]:
            self.raw["textures"] = [""] * 10


class MjsPair(_Classed, struct="MjsPair"):
    """A pair of geoms whose contact parameters replace those of the two geoms."""

    __slots__ = ()
    kind = "pair"


class MjsExclude(Element, struct="MjsExclude"):
    """A pair of bodies between which contacts are excluded."""

    __slots__ = ()
    kind = "exclude"


class MjsEquality(_Classed, struct="MjsEquality"):
    """An equality constraint."""

    __slots__ = ()
    kind = "equality"


class MjsWrap(Element, struct="MjsWrap"):
    """One object on a tendon's path: its name, and a coefficient, divisor or side site."""

    __slots__ = ("target_name", "sidesite_name", "prm", "tendon")
    kind = "wrap"

    def __init__(self, tendon: MjsTendon, kind: int, target: str = "", prm: float = 0.0, sidesite: str = "") -> None:
        super().__init__(tendon.spec)
        self.raw["type"] = kind
        self.tendon, self.target_name, self.prm, self.sidesite_name = tendon, target, prm, sidesite

    def copy_to(self, spec: Any) -> Self:
        new = super().copy_to(spec)
        new.target_name, new.sidesite_name, new.prm, new.tendon = self.target_name, self.sidesite_name, self.prm, self.tendon
        return new

    @property
    def target(self) -> Any:
        """The joint, site or geom on the path; None for a pulley."""
        kind = WRAP_OBJECTS.get(self.raw["type"])
        return self.spec.find(kind, self.target_name) if kind else None

    @property
    def sidesite(self) -> Any:
        """The site that selects the side on which the tendon passes a geom, or None."""
        wraps = WRAP_OBJECTS.get(self.raw["type"]) == "geom" and self.sidesite_name
        return self.spec.find("site", self.sidesite_name) if wraps else None

    @property
    def coef(self) -> float | None:
        """The coefficient of a joint; None for other objects."""
        return self.prm if self.raw["type"] == WRAP_JOINT else None

    @property
    def divisor(self) -> float | None:
        """The divisor of a pulley; None for other objects."""
        return self.prm if self.raw["type"] == WRAP_PULLEY else None


class MjsTendon(Element, struct="MjsTendon"):
    """A tendon: a path of sites, geoms and pulleys, or a weighted sum of joints."""

    __slots__ = ("wraps",)
    kind = "tendon"

    def __init__(self, spec: Any, default: Any = None, name: str = "") -> None:
        super().__init__(spec, default, name)
        self.wraps = []

    def copy_to(self, spec: Any) -> Self:
        new = super().copy_to(spec)
        new.wraps = [w.copy_to(spec) for w in self.wraps]
        for w in new.wraps:
            w.tendon = new
        return new

    def unlink(self) -> None:
        """Remove references, like Element.unlink."""
        self.wraps = []

    def _wrap(self, *args: Any) -> MjsWrap:
        self.wraps.append(MjsWrap(self, *args))
        return self.wraps[-1]

    @property
    def path(self) -> MjsTendonPath:
        """The objects of the path, in order."""
        return MjsTendonPath.over(self.wraps)

    def wrap_site(self, name: Any) -> MjsWrap:
        """Append a site to the path."""
        return self._wrap(WRAP_SITE, need("wrap_site", name, str))

    def wrap_geom(self, name: Any, sidesite: Any = "") -> MjsWrap:
        """Append a sphere or cylinder to the path. The tendon passes it on the side of `sidesite`, if given."""
        return self._wrap(WRAP_SPHERE, need("wrap_geom", name, str), 0.0, need("wrap_geom", sidesite, str))

    def wrap_joint(self, name: Any, coef: float) -> MjsWrap:
        """Append a joint to a fixed tendon, with its coefficient."""
        return self._wrap(WRAP_JOINT, need("wrap_joint", name, str), float(coef))

    def wrap_pulley(self, divisor: float) -> MjsWrap:
        """Start another branch of the path, whose length is divided by `divisor`."""
        return self._wrap(WRAP_PULLEY, "", float(divisor))


class MjsActuator(_Classed, struct="MjsActuator"):
    """An actuator: transmission, dynamics, gain and bias. `shortcut` names the shortcut with which it was created."""

    __slots__ = ("shortcut",)
    kind = "actuator"
    type = SHORTCUT

    def __init__(self, spec: Any, default: Any = None, name: str = "") -> None:
        super().__init__(spec, default, name)
        self.shortcut = "general"

    def copy_to(self, spec: Any) -> MjsActuator:
        new = super().copy_to(spec)
        new.shortcut = self.shortcut
        return new


for _name, _method in shortcuts.METHODS.items():
    setattr(MjsActuator, _name, _method)


class MjsSensor(Element, struct="MjsSensor"):
    """A sensor."""

    __slots__ = ()
    kind = "sensor"


class MjsNumeric(Element, struct="MjsNumeric"):
    """A named list of numbers."""

    __slots__ = ()
    kind = "numeric"


class MjsText(Element, struct="MjsText"):
    """A named text."""

    __slots__ = ()
    kind = "text"


class MjsTuple(Element, struct="MjsTuple"):
    """A named list of objects, each with a number."""

    __slots__ = ()
    kind = "tuple"


class MjsKey(Element, struct="MjsKey"):
    """A keyframe: a saved simulation state."""

    __slots__ = ()
    kind = "key"


class MjsDefault(MjsElement):
    """A default class: for each type, an element whose fields new elements copy.

    While a model is read, a class creates its own element of a type only when a field of it is set; until then, the parent
    class's element applies. Classes that users can edit are `complete`: they have their own elements of all types.
    """

    __slots__ = ("spec", "label", "parent", "children", "made", "__weakref__")
    KINDS = {
        "mesh": MjsMesh,
        "texture": MjsTexture,
        "material": MjsMaterial,
        "joint": MjsJoint,
        "geom": MjsGeom,
        "site": MjsSite,
        "camera": MjsCamera,
        "light": MjsLight,
        "flex": MjsFlex,
        "pair": MjsPair,
        "equality": MjsEquality,
        "tendon": MjsTendon,
        "actuator": MjsActuator,
    }
    kind = "default"

    if TYPE_CHECKING:
        # each type becomes an attribute at run time
        def __getattr__(self, name: str) -> Any: ...

    def __init__(self, spec: Any, name: str, parent: MjsDefault | None = None) -> None:
        self.spec, self.label, self.parent, self.children = spec, name, parent, []
        self.made = {}
        if parent is not None:
            parent.children.append(self)

    def nearest(self, kind: str) -> Any:
        """Return the element whose fields new elements of a type copy, in this class or its nearest ancestor; None if there is
        none."""
        above = self
        while above is not None:
            element = above.made.get(kind)
            if element is not None:
                return element
            above = above.parent
        return None

    def own(self, kind: str) -> Any:
        """Return this class's element of a type; create the element if necessary."""
        element = self.made.get(kind)
        if element is None:
            source = self.nearest(kind)
            element = self.made[kind] = self.KINDS[kind](self.spec) if source is None else source.copy_to(self.spec)
            element.place, element.label, element.default, element.compiler = None, "", self, self.spec.compiler
        return element

    def complete(self) -> Self:
        """Create all elements of this class and its subclasses, so that later edits of a parent class do not affect them."""
        for kind in self.KINDS:
            self.own(kind)
        for child in self.children:
            child.complete()
        return self

    def __call__(self) -> Self:
        """Return the class itself, so that `tendon.default()` works as in MuJoCo's package. Elements of other types name their
        class in the attribute `classname`."""
        return self

    @property
    def name(self) -> str:
        return self.label

    @name.setter
    def name(self, name: Any) -> None:
        self.label = need("name", name, str)

    def copy_to(self, spec: Any, parent: MjsDefault | None = None, rename: Callable[[str], str] = lambda n: n) -> MjsDefault:
        """Return a copy of this class and its subclasses; `rename` maps old labels to new ones."""
        new = object.__new__(MjsDefault)
        new.spec, new.label, new.parent, new.children, new.made = spec, rename(self.label), parent, [], {}
        for kind in self.KINDS:
            element = new.made[kind] = self.own(kind).copy_to(spec)
            element.default = new
        for child in self.children:
            new.children.append(child.copy_to(spec, new, rename))
        return new

    def __repr__(self) -> str:
        return f"<MjsDefault '{self.label}'>"


def _default_element(kind: str) -> property:
    return property(lambda self: self.own(kind), doc=f"The element of kind {kind}.")


for _kind in MjsDefault.KINDS:
    setattr(MjsDefault, _kind, _default_element(_kind))
