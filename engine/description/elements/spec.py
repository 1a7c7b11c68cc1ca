"""MjSpec: the editable model. A tree of bodies, lists of everything else, default classes, options, compiler settings.

What a spec is; what is done with one (read, compile, write, attach, copy) lies in the rooms above and becomes its methods in
`description.spec`.
"""

import os
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ...core import plugin
from ...core.compat_rows import FIRST, bits
from ...core.enums import mjtCTimer
from ...core.options import MjOption, MjStatistic, MjVisual
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

# lists of a spec, in the reference's order: kind → (attribute, class)
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
# kinds whose elements start from a default class
CLASSED = ("mesh", "texture", "material", "pair", "equality", "tendon", "actuator")
# kinds that are also found by the name of their file
FILED = ("texture", "mesh")
STATISTICS = ("meaninertia", "meanmass", "meansize", "extent")


# what a new spec has
BLANK = {n: r.default for n, r in TABLES["MjSpec"].items()} | {"modelname": "MuJoCo Model"}


class MjSpec:
    """An editable model; `compile()` makes an MjModel of it.

    Elements outside of the tree are in `parts`, by kind; the attributes `meshes`, `sensors`, ... show copies of these lists.
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
        "import_report",
        "__weakref__",
    )

    if TYPE_CHECKING:
        # settings and fields: attributes of the rows
        def __getattr__(self, name: str) -> Any: ...
        def __setattr__(self, name: str, value: Any) -> None: ...

    def __init__(self):
        self.raw = BLANK.copy()
        self._compiler = MjsCompiler(self)
        self._option, self._visual, self._stat = MjOption(), MjVisual(), MjStatistic()
        for name in STATISTICS:
            setattr(self._stat, name, np.nan)
        self._stat.center[0] = np.nan
        self.parts = {kind: [] for kind in OBJECTS}
        self._default = MjsDefault(self, "main")
        self._worldbody = MjsBody(self, self._default, "world")
        # fields of options that a file gave, whatever their values
        self.given = set()
        # elements of classes that are plain, while a file is read and nobody else has them
        self.settled = None
        # what reading a file left out of it, as texts (ours)
        self.warnings = []
        # what an import found and repaired, see `robots`; None if this was not imported
        self.import_report: Any = None
        self.specs = {}
        self.pending_keys = []
        # joints, actuators, tendons and bodies of the last compiled model that had keys, or of the file: what numbers of keys belong to
        self.key_order: tuple | None = None
        self.active_plugins = []
        # Files of a model that is loaded and compiled at once; else `assets` and the file system
        self.files = None
        # the folder, or archive, that files must lie in; None: anywhere
        self.inside = None
        self._assets = {}
        # whether files of an attached spec replace those of the same name
        self.override_assets = True
        self._parent = None
        # whether attaching copies the child (else it becomes part of this spec), and whether this is part of another spec
        self.deep, self.attached = False, False
        self.tree_version, self._compiled, self._signed = 0, -1, (0, 0)
        self._seconds = np.zeros(int(mjtCTimer.mjNCTIMER))

    # ---- tree

    def changed(self) -> None:
        """Note a change of structure: ids and signature are out of date."""
        self.tree_version += 1

    def unlink(self) -> None:
        """Take apart what refers to each other: nothing of this spec can be used any more, and all of it goes at once."""
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
        )
        del self.key_order, self.warnings

    def all_bodies(self) -> list[MjsBody]:
        """All bodies, depth first, the world first."""
        found, todo = [], [self._worldbody]
        while todo:
            body = todo.pop()
            found.append(body)
            below = body.parts["body"]
            if below:
                todo += below[::-1]
        return found

    def items(self, what) -> list[Any]:
        """All elements of a kind, in the order of their ids."""
        kind = kind_of(what)
        if kind in OBJECTS:
            return list(self.parts[kind])
        bodies = self.all_bodies()
        return bodies if kind == "body" else [e for b in bodies for e in b.parts[kind]]

    def find(self, what, name) -> Any:
        """The element of a kind with this name, or None."""
        kind = kind_of(what)
        for e in self.parts[kind] if kind in OBJECTS else self.items(kind):
            if e.label == name or (kind in FILED and not e.label and file_stem(e.raw["file"]) == name):
                return e
        return None

    def position(self, element) -> int:
        """Place of an element among those of its kind, or -1."""
        if element.kind not in OBJECTS and element.kind not in LISTS:
            return -1
        return next((i for i, e in enumerate(self.items(element.kind)) if e is element), -1)

    def id_of(self, element) -> int:
        """Id of an element; in the tree -1 unless the spec was compiled and did not change since."""
        if element.kind in OBJECTS:
            return self.position(element)
        if element is self._worldbody:
            return 0
        if element.kind == "frame":
            return -1
        return element.index if self._compiled == self.tree_version else -1

    def check_repeat(self, element) -> None:
        """ValueError if another element of the kind has the same name."""
        if element.kind in OBJECTS or element.kind in LISTS:
            same = sum(e.label == element.label for e in self.items(element.kind))
            if same > 1:
                raise SpecError(f"repeated name '{element.label}' in {element.kind}")

    @property
    def compat_bits(self) -> int:
        """Silent changes of later releases that hold (core.compat_rows)."""
        return bits(self._compiler.raw["compat"] or FIRST)

    @property
    def signature(self) -> int:
        """Hash of the structure; that of a compiled model is the same."""
        version, value = self._signed
        if version != self.tree_version:
            value = signature.of_spec(self)
            self._signed = self.tree_version, value
        return value

    def remember(self, value) -> None:
        """Note that ids and signature are those of the model just compiled."""
        self._compiled, self._signed = self.tree_version, (self.tree_version, value)

    @property
    def timer(self) -> np.ndarray:
        """Seconds that the parts of the last compile took (9, by mjtCTimer), a copy; of 3.9."""
        return self._seconds.copy()

    # ---- default classes

    def all_defaults(self) -> list[MjsDefault]:
        """All default classes, the main one first."""
        found, todo = [], [self._default]
        while todo:
            found.append(todo.pop(0))
            todo += found[-1].children
        return found

    def find_default(self, classname) -> MjsDefault | None:
        """The default class with this name, or None."""
        classname = need("find_default", classname, str)
        return next((d for d in self.all_defaults() if d.label == classname), None)

    def add_default(self, classname, parent=None) -> MjsDefault | None:
        """A new default class below `parent` (the main class if None); None if the name is taken."""
        classname = need("add_default", classname, str)
        if parent is not None:
            need("add_default", parent, MjsDefault)
        if self.find_default(classname) is not None:
            return None
        return MjsDefault(self, classname, (parent or self._default).complete()).complete()

    # ---- elements

    def add(self, kind, default=None, **values) -> Any:
        """Append a new element of a kind that is not in the tree."""
        if default is not None:
            need("add_" + kind, default, MjsDefault)
        element = OBJECTS[kind][1](self, (default or self._default) if kind in CLASSED else None)
        self.parts[kind].append(element)
        self.changed()
        return element.set(**values) if values else element

    def activate_plugin(self, name, place=None) -> None:
        """Allow elements to use a plugin; SpecError if there is none of this name."""
        if plugin.find(name)[0] is None:
            raise SpecError(f"unknown plugin '{name}'", place, "plugin", name, tuple(plugin.names()))
        if name not in self.active_plugins:
            self.active_plugins.append(name)

    @staticmethod
    def resolve_orientation(degree, sequence=None, orientation=None) -> list[float]:
        """Quaternion (4 numbers) of an orientation; angles in degrees or not, Euler angles about the axes of `sequence`."""
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
    def copy_during_attach(self, deep) -> None:
        self.deep = bool(deep)

    @property
    def assets(self) -> dict[str, bytes]:
        """{name: contents} of files. Assigning adds to what there is."""
        return self._assets

    @assets.setter
    def assets(self, assets) -> None:
        self._assets.update(need("assets", assets, dict))

    # ---- files

    def open_files(self) -> Files:
        """Where files come from: `assets`, by their whole names, then the file system."""
        folders = {e.compiler.spec.modelfiledir for kind in ("mesh", "skin", "hfield", "texture") for e in self.parts[kind]}
        return Files(self._assets, inside=self.inside, folders=folders)


def set_roots(spec, default=None, worldbody=None, compiler=None) -> None:
    """Give a spec another main default class, another world or other compiler settings."""
    spec._default = spec._default if default is None else default
    spec._worldbody = spec._worldbody if worldbody is None else worldbody
    spec._compiler = spec._compiler if compiler is None else compiler


def set_times(spec, seconds) -> None:
    """Note what the parts of a compile took."""
    spec._seconds = seconds


def set_parent(child, spec) -> None:
    """A spec has been attached to another one."""
    child._parent = spec


def copy_history(new, source) -> None:
    """What a copy of a spec, element by element, has of it besides: files by name, what it was attached to, whether it is compiled."""
    new._assets, new._parent = dict(source._assets), source._parent
    new.tree_version, new._compiled, new._signed = source.tree_version, source._compiled, source._signed


def file_stem(path) -> str:
    """Name of a file without its folder and ending."""
    return os.path.splitext(os.path.basename(path.replace("\\", "/")))[0]


def _copied(name, cls):
    """A struct of the spec; assigning copies."""

    def read(self):
        return getattr(self, name)

    def write(self, value):
        getattr(self, name).copy_from(need(name[1:], value, cls))

    return property(read, write)


def _compiler(self, value):
    need("compiler", value, MjsCompiler)
    self._compiler.raw.update(value.copy_to(self).raw)


def _folder(name):
    def read(self):
        return getattr(self._compiler, name)

    def write(self, value):
        setattr(self._compiler, name, value)

    return property(read, write)


def _adder(kind):
    # textures have classes since 3.17, and get them as before: by their attribute
    if kind in CLASSED and kind != "texture":

        def add_classed(self, default=None, **values):
            return self.add(kind, default, **values)

        add = add_classed
    else:

        def add_plain(self, **values):
            return self.add(kind, None, **values)

        add = add_plain
    add.__name__ = "add_" + kind
    add.__doc__ = f"Add a {kind}; its fields may be given by name."
    return add


def _lister(kind):
    return property(lambda self: self.items(kind), doc=f"All elements of kind {kind}.")


def _finder(kind):
    def find(self, name):
        return self.find(kind, need(kind, name, str))

    find.__name__ = kind
    find.__doc__ = f"The {kind} with this name, or None."
    return find


for _name, _row in TABLES["MjSpec"].items():
    setattr(MjSpec, _name, SHAPES[_row.shape](_row))
for _name, _struct in (("option", MjOption), ("visual", MjVisual), ("stat", MjStatistic)):
    setattr(MjSpec, _name, _copied("_" + _name, _struct))
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
