"""MjSpec: the editable model. A tree of bodies, lists of everything else, default classes, options, compiler settings.

The methods that read, compile, write, attach and copy specs are in files that import this one; `description.spec` adds them.
"""

import copy
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ...core import plugin
from ...core.options import MjOption, MjStatistic, MjVisual
from ...tables.compat_rows import FIRST, bits
from ...tables.enums import mjtCTimer
from ..files.resources import Files
from ..language import orient
from ..language.errors import SpecError
from ..language.fields import SHAPES, TABLES
from ..language.kinds import kind_of
from . import signature
from .element import MjsCompiler, MjsPlugin
from .elements import (
    LISTS,
    MjsActuator,
    MjsBody,
    MjsDefault,
    MjsEquality,
    MjsExclude,
    MjsFlex,
    MjsHField,
    MjsKey,
    MjsMaterial,
    MjsMesh,
    MjsNumeric,
    MjsPair,
    MjsSensor,
    MjsSkin,
    MjsTendon,
    MjsText,
    MjsTexture,
    MjsTuple,
    need,
)

# lists of a spec, in MuJoCo's order: {kind: (attribute, class)}
OBJECTS = {
    "flex": ("flexes", MjsFlex),
    "mesh": ("meshes", MjsMesh),
    "skin": ("skins", MjsSkin),
    "hfield": ("hfields", MjsHField),
    "texture": ("textures", MjsTexture),
    "material": ("materials", MjsMaterial),
    "pair": ("pairs", MjsPair),
    "exclude": ("excludes", MjsExclude),
    "equality": ("equalities", MjsEquality),
    "tendon": ("tendons", MjsTendon),
    "actuator": ("actuators", MjsActuator),
    "sensor": ("sensors", MjsSensor),
    "numeric": ("numerics", MjsNumeric),
    "text": ("texts", MjsText),
    "tuple": ("tuples", MjsTuple),
    "key": ("keys", MjsKey),
    "plugin": ("plugins", MjsPlugin),
}
# types of elements that have a default class
CLASSED = ("mesh", "texture", "material", "pair", "equality", "tendon", "actuator")
# types of elements that can also be found by the names of their files
FILED = ("texture", "mesh")
STATISTICS = ("meaninertia", "meanmass", "meansize", "extent")


def _blank_statistic() -> MjStatistic:
    """Return statistics filled with NaN, which the compiler replaces."""
    stat = MjStatistic()
    for name in STATISTICS:
        setattr(stat, name, np.nan)
    stat.center[0] = np.nan
    return stat


# settings shared by all specs that set none; must never be written to
SETTINGS = {"option": MjOption(), "visual": MjVisual(), "stat": _blank_statistic()}
# fields of a new spec
BLANK = {n: r.default for n, r in TABLES["MjSpec"].items()} | {"modelname": "MuJoCo Model"}


class MjSpec:
    """An editable model; `compile()` turns it into an MjModel.

    Elements outside the tree are in `parts`, by kind; the attributes `meshes`, `sensors`, ... return copies of these lists.
    """

    __slots__ = (
        "raw",
        "_compiler",
        "_option",
        "_visual",
        "_stat",
        "parts",
        "_default",
        "_worldbody",
        "specs",
        "pending_keys",
        "key_order",
        "active_plugins",
        "files",
        "inside",
        "_assets",
        "override_assets",
        "_parent",
        "deep",
        "attached",
        "tree_version",
        "_compiled",
        "_signed",
        "given",
        "_seconds",
        "warnings",
        "settled",
        "repeated",
        "import_report",
        "later",
        "__weakref__",
    )

    if TYPE_CHECKING:
        # settings and fields become attributes of the class at run time
        def __getattr__(self, name: str) -> Any: ...
        def __setattr__(self, name: str, value: Any) -> None: ...

    def __init__(self) -> None:
        self.raw: dict[str, Any] = BLANK.copy()

        # settings; the last three are created when first used, because most files do not need them
        self._compiler = MjsCompiler(self)
        self._option = self._visual = self._stat = None

        # elements
        self.parts = {kind: [] for kind in OBJECTS}
        self._default: MjsDefault = MjsDefault(self, "main")
        self._worldbody = MjsBody(self, self._default, "world")

        # option fields that a file gives, even if the value is the default
        self.given = set()
        # while a file is read: elements of default classes whose fields may not be changed any more
        self.settled: set | None = None
        # the reader's warnings about parts of a file that it ignored, as strings (a Tumble extension)
        self.warnings = []
        # findings and repairs of an import, see `robots`; None if the spec was not imported
        self.import_report: Any = None
        # whether scripts use this spec through the interface of MuJoCo's newest release
        self.later = False

        # attached specs, and keyframes stored per element
        self.specs = {}
        self.pending_keys = []
        # (joints, actuators, tendons, bodies) to which values in keyframes belong: in the last compiled model, or in the file
        self.key_order: tuple | None = None
        self.active_plugins = []

        # files of a model that is read and compiled in one call; if None, files come from `assets` and the file system
        self.files: Any = None
        # the folder or archive to which files are confined; None allows any
        self.inside: str | None = None
        self._assets = {}
        # whether files of an attached spec replace files with the same name
        self.override_assets = True
        self._parent: MjSpec | None = None

        # whether attaching copies the child spec (else it becomes part of this spec); whether this spec is part of another one
        self.deep, self.attached = False, False

        # versions of the tree at which ids and signature were valid
        self.tree_version, self._compiled, self._signed = 0, -1, (0, 0)
        self._seconds = np.zeros(int(mjtCTimer.mjNCTIMER))
        # what `compile.repeat` stores; None before the first compilation
        self.repeated: Any = None

    # ---- tree

    def changed(self) -> None:
        """Record a structural change: from now on, ids and signature are out of date."""
        self.tree_version += 1

    def unlink(self) -> None:
        """Break all reference cycles to free the memory at once; the spec is unusable afterwards."""
        classes = [self._default]
        for default in classes:
            classes += default.children
            default.children, default.made = [], {}
        for element in (self._worldbody, *self.parts["tendon"]):
            element.unlink()
        del (
            self._compiler,
            self._default,
            self._worldbody,
            self._parent,
            self.parts,
            self.specs,
            self.pending_keys,
            self.active_plugins,
            self.repeated,
        )
        del self.key_order, self.warnings

    def all_bodies(self) -> list[MjsBody]:
        """Return all bodies, depth first, the world first."""
        found, todo = [], [self._worldbody]
        while todo:
            body = todo.pop()
            found.append(body)
            below = body.parts["body"]
            if below:
                todo += below[::-1]
        return found

    def items(self, what: Any) -> list[Any]:
        """Return all elements of a type, in the order of their ids."""
        kind = kind_of(what)
        if kind in OBJECTS:
            return list(self.parts[kind])
        bodies = self.all_bodies()
        return bodies if kind == "body" else [e for b in bodies for e in b.parts[kind]]

    def find(self, what: Any, name: str) -> Any:
        """Return the element with this type and name, or None."""
        kind = kind_of(what)
        for e in self.parts[kind] if kind in OBJECTS else self.items(kind):
            if e.label == name or (kind in FILED and not e.label and file_stem(e.raw["file"]) == name):
                return e
        return None

    def position(self, element: Any) -> int:
        """Return the index of an element among those of its type, or -1."""
        if element.kind not in OBJECTS and element.kind not in LISTS:
            return -1
        return next((i for i, e in enumerate(self.items(element.kind)) if e is element), -1)

    def id_of(self, element: Any) -> int:
        """Return the id of an element. For elements in the tree, return -1 unless the spec is compiled and unchanged."""
        if element.kind in OBJECTS:
            return self.position(element)
        if element is self._worldbody:
            return 0
        if element.kind == "frame":
            return -1
        return element.index if self._compiled == self.tree_version else -1

    def check_repeat(self, element: Any) -> None:
        """Raise ValueError if another element of the type has the same name."""
        if element.kind in OBJECTS or element.kind in LISTS:
            same = sum(e.label == element.label for e in self.items(element.kind))
            if same > 1:
                raise SpecError(f"repeated name '{element.label}' in {element.kind}")

    @property
    def compat_bits(self) -> int:
        """Bits of the behavior changes of later releases that the spec uses (see tables.compat_rows)."""
        return bits(self._compiler.raw["compat"] or FIRST)

    @property
    def signature(self) -> int:
        """Hash of the structure; a model compiled from this spec has the same signature."""
        version, value = self._signed
        if version != self.tree_version:
            value = signature.of_spec(self)
            self._signed = self.tree_version, value
        return value

    def remember(self, value: int) -> None:
        """Record that ids and signature match the model that was just compiled."""
        self._compiled, self._signed = self.tree_version, (self.tree_version, value)

    @property
    def timer(self) -> np.ndarray:
        """Seconds that each part of the last compilation took, as a copy (9,) in the order of mjtCTimer (since MuJoCo 3.9)."""
        return self._seconds.copy()

    # ---- default classes

    def all_defaults(self) -> list[MjsDefault]:
        """Return all default classes, the main one first."""
        found, todo = [], [self._default]
        while todo:
            found.append(todo.pop(0))
            todo += found[-1].children
        return found

    def find_default(self, classname: Any) -> MjsDefault | None:
        """Return the default class with this name, or None."""
        classname = need("find_default", classname, str)
        return next((d for d in self.all_defaults() if d.label == classname), None)

    def add_default(self, classname: Any, parent: MjsDefault | None = None) -> MjsDefault | None:
        """Add a default class below `parent` (None: the main class). Return None if the name is taken."""
        classname = need("add_default", classname, str)
        if parent is not None:
            need("add_default", parent, MjsDefault)
        if self.find_default(classname) is not None:
            return None
        return MjsDefault(self, classname, (parent or self._default).complete()).complete()

    # ---- elements

    def add(self, kind: str, default: MjsDefault | None = None, **values: Any) -> Any:
        """Append a new element of a type outside the tree; `values` are its fields by name."""
        if default is not None:
            need("add_" + kind, default, MjsDefault)
        element = OBJECTS[kind][1](self, (default or self._default) if kind in CLASSED else None)
        self.parts[kind].append(element)
        self.changed()
        return element.set(**values) if values else element

    def activate_plugin(self, name: str, place: Any = None) -> None:
        """Allow elements to use a plugin; SpecError if the plugin is unknown."""
        if plugin.find(name)[0] is None:
            raise SpecError(f"unknown plugin '{name}'", place, "plugin", name, tuple(plugin.names()))
        if name not in self.active_plugins:
            self.active_plugins.append(name)

    @staticmethod
    def resolve_orientation(degree: bool, sequence: Any = None, orientation: Any = None) -> list[float]:
        """Return the quaternion (4 numbers) of an orientation. `degree`: whether angles are in degrees; `sequence`: axes of
        Euler angles.
        """
        quat, error = orient.resolve(orient.UNIT, tuple(cast(Any, orientation)), degree, "".join(sequence or ""))
        if error:
            raise ValueError(error)
        return list(quat)

    # ---- settings

    worldbody = property(lambda self: self._worldbody, doc="The body that everything else stands on.")
    default = property(lambda self: self._default, doc="The main default class.")
    parent = property(lambda self: self._parent, doc="The spec that this one was attached to, or None.")
    _address = property(id)

    @property
    def copy_during_attach(self) -> bool:
        raise ValueError("copy_during_attach can only be set.")

    @copy_during_attach.setter
    def copy_during_attach(self, deep: bool) -> None:
        self.deep = bool(deep)

    @property
    def assets(self) -> dict[str, bytes]:
        """{name: contents} of files. Assignment adds to the existing entries."""
        return self._assets

    @assets.setter
    def assets(self, assets: dict[str, bytes]) -> None:
        self._assets.update(need("assets", assets, dict))

    # ---- files

    def open_files(self) -> Files:
        """Return the source of files: first `assets`, looked up by full name, then the file system."""
        folders = {e.compiler.spec.modelfiledir for kind in ("mesh", "skin", "hfield", "texture") for e in self.parts[kind]}
        return Files(self._assets, inside=self.inside, folders=folders)


def setting(spec: MjSpec, name: str) -> Any:
    """Return `option`, `visual` or `stat` of a spec, for reading only. If the spec has not set any of its own, return shared
    defaults."""
    own = getattr(spec, "_" + name)
    return SETTINGS[name] if own is None else own


def set_roots(
    spec: MjSpec, default: MjsDefault | None = None, worldbody: MjsBody | None = None, compiler: MjsCompiler | None = None
) -> None:
    """Replace the main default class, the world or the compiler settings of a spec."""
    spec._default = spec._default if default is None else default
    spec._worldbody = spec._worldbody if worldbody is None else worldbody
    spec._compiler = spec._compiler if compiler is None else compiler


def set_times(spec: MjSpec, seconds: np.ndarray) -> None:
    """Store the seconds that the parts of a compilation took."""
    spec._seconds = seconds


def set_parent(child: MjSpec, spec: MjSpec) -> None:
    """Record that a spec was attached to another one."""
    child._parent = spec


def copy_history(new: MjSpec, source: MjSpec) -> None:
    """Copy the data outside the elements: files by name, the parent, and whether the spec is compiled."""
    new._assets, new._parent = dict(source._assets), source._parent
    new.tree_version, new._compiled, new._signed = source.tree_version, source._compiled, source._signed


def file_stem(path: str) -> str:
    """Return the name of a file without folder and extension."""
    return os.path.splitext(os.path.basename(path.replace("\\", "/")))[0]


def _copied(name: str, cls: type) -> property:
    """Return a property for a struct of the spec. The struct is created when first used; assigning copies values into it."""
    slot = "_" + name

    def read(self) -> Any:
        own = getattr(self, slot)
        if own is None:
            own = copy.copy(SETTINGS[name])
            setattr(self, slot, own)
        return own

    def write(self, value: Any) -> None:
        read(self).copy_from(need(name, value, cls))

    return property(read, write)


def _compiler(self, value: Any) -> None:
    need("compiler", value, MjsCompiler)
    self._compiler.raw.update(value.copy_to(self).raw)


def _folder(name: str) -> property:
    def read(self) -> Any:
        return getattr(self._compiler, name)

    def write(self, value: str) -> None:
        setattr(self._compiler, name, value)

    return property(read, write)


def _adder(kind: str) -> Callable[..., Any]:
    # textures have default classes since 3.17, but `add_texture` has no argument for it: assign `classname`
    if kind in CLASSED and kind != "texture":

        def add_classed(self, default: MjsDefault | None = None, **values: Any) -> Any:
            return self.add(kind, default, **values)

        add = add_classed
    else:

        def add_plain(self, **values: Any) -> Any:
            return self.add(kind, None, **values)

        add = add_plain
    add.__name__ = "add_" + kind
    add.__doc__ = f"Add a {kind}; its fields may be given by name."
    return add


def _lister(kind: str) -> property:
    return property(lambda self: self.items(kind), doc=f"All elements of kind {kind}.")


def _finder(kind: str) -> Callable[..., Any]:
    def find(self, name: Any) -> Any:
        return self.find(kind, need(kind, name, str))

    find.__name__ = kind
    find.__doc__ = f"The {kind} with this name, or None."
    return find


for _name, _row in TABLES["MjSpec"].items():
    setattr(MjSpec, _name, SHAPES[_row.shape](_row))
for _name, _struct in (("option", MjOption), ("visual", MjVisual), ("stat", MjStatistic)):
    setattr(MjSpec, _name, _copied(_name, _struct))
MjSpec.compiler = property(lambda self: self._compiler, _compiler, doc="Compiler settings.")  # type: ignore[attr-defined]
for _name in ("meshdir", "texturedir"):
    setattr(MjSpec, _name, _folder(_name))
for _kind, (_names, _) in OBJECTS.items():
    setattr(MjSpec, "add_" + _kind, _adder(_kind))
    setattr(MjSpec, _names, _lister(_kind))
    setattr(MjSpec, _kind, _finder(_kind))
for _kind, _names in LISTS.items():
    setattr(MjSpec, _names, _lister(_kind))
    setattr(MjSpec, _kind, _finder(_kind))
