"""MjSpec: the editable model. A tree of bodies, lists of everything else, default classes, options, compiler settings."""

import numpy as np

from .element import TABLES, MjsCompiler, MjsPlugin
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
)
from .errors import SpecError
from .names import kind_of

# lists of a spec, in the reference's order: kind → (attribute, class)
OBJECTS = {
    'flex': ('flexes', MjsFlex), 'mesh': ('meshes', MjsMesh), 'skin': ('skins', MjsSkin), 'hfield': ('hfields', MjsHField),
    'texture': ('textures', MjsTexture), 'material': ('materials', MjsMaterial), 'pair': ('pairs', MjsPair),
    'exclude': ('excludes', MjsExclude), 'equality': ('equalities', MjsEquality), 'tendon': ('tendons', MjsTendon),
    'actuator': ('actuators', MjsActuator), 'sensor': ('sensors', MjsSensor), 'numeric': ('numerics', MjsNumeric),
    'text': ('texts', MjsText), 'tuple': ('tuples', MjsTuple), 'key': ('keys', MjsKey), 'plugin': ('plugins', MjsPlugin),
}
# kinds whose elements start from a default class
CLASSED = ('mesh', 'material', 'pair', 'equality', 'tendon', 'actuator')
STATISTICS = ('meaninertia', 'meanmass', 'meansize', 'extent')


class MjSpec:
    """An editable model; `compile()` makes an MjModel of it."""

    def __init__(self):
        from ..core.options import MjOption, MjStatistic, MjVisual
        self.raw = {n: r.default for n, r in TABLES['MjSpec'].items()}
        self.raw['modelname'] = 'MuJoCo Model'
        self.compiler = MjsCompiler()
        self.option = MjOption()
        self.visual = MjVisual()
        self.stat = MjStatistic()
        for name in STATISTICS:
            setattr(self.stat, name, np.nan)
        self.stat.center[0] = np.nan
        for attribute, _ in OBJECTS.values():
            setattr(self, attribute, [])
        self.default = MjsDefault(self, 'main')
        self.worldbody = MjsBody(self, self.default, 'world')
        self.specs = {}
        self.pending_keys = []
        self.active_plugins = []
        self.files = None
        self.assets = {}
        self.tree_version = 0

    # ---- tree

    def changed(self):
        """Note a change of the tree, so that cached lists are made anew."""
        self.tree_version += 1

    def all_bodies(self):
        """All bodies, depth first, the world first."""
        found, todo = [], [self.worldbody]
        while todo:
            body = todo.pop()
            found.append(body)
            if body.bodies:
                todo += body.bodies[::-1]
        return found

    def items(self, what):
        """All elements of a kind, in the order of their ids."""
        kind = kind_of(what)
        if kind in OBJECTS:
            return list(getattr(self, OBJECTS[kind][0]))
        bodies = self.all_bodies()
        if kind == 'body':
            return bodies
        names = LISTS[kind]
        return [e for b in bodies for e in getattr(b, names)]

    def find(self, what, name):
        """The element of a kind with this name, or None."""
        for e in self.items(what):
            if e.name == name:
                return e
        return None

    def find_default(self, name):
        """The default class with this name, or None."""
        todo = [self.default]
        while todo:
            d = todo.pop()
            if d.name == name:
                return d
            todo += d.children
        return None

    def add_default(self, name, parent=None):
        """A new default class below `parent` (the main class if None); ValueError if the name is taken."""
        if self.find_default(name) is not None:
            raise ValueError(f"default class '{name}' already exists")
        return MjsDefault(self, name, parent or self.default)

    def add(self, kind, default=None, **values):
        """Append a new element of a kind that is not in the tree."""
        attribute, cls = OBJECTS[kind]
        element = cls(self, (default or self.default) if kind in CLASSED else None)
        getattr(self, attribute).append(element)
        return element.set(**values) if values else element

    def activate_plugin(self, name, place=None):
        """Allow elements to use a plugin; SpecError if there is none of this name."""
        from .c_plugin import PLUGINS
        if name not in PLUGINS:
            raise SpecError(f"unknown plugin '{name}'", place, 'plugin', name, tuple(PLUGINS))
        if name not in self.active_plugins:
            self.active_plugins.append(name)

    # ---- compile

    def compile(self, assets=None):
        """A new MjModel; SpecError at the first fault."""
        from .compile import compile_spec
        from .resources import Files
        files = self.files if assets is None and self.files is not None else Files({**self.assets, **(assets or {})})
        return compile_spec(self, files)

    # ---- save

    def to_xml(self):
        """Canonical MJCF text of what this compiles to; SpecError if it cannot be compiled."""
        from .mjcf_write import write_mjcf
        return write_mjcf(self)

    def to_file(self, file):
        """Write `to_xml` to a file; FatalError if that fails."""
        from .save import mj_saveXML
        mj_saveXML(self, file)


def _own(name):
    def read(self):
        return self.raw[name]

    def write(self, value):
        self.raw[name] = value
    return property(read, write)


def _adder(kind):
    if kind in CLASSED:
        def add(self, default=None, **values):
            return self.add(kind, default, **values)
    else:
        def add(self, **values):
            return self.add(kind, None, **values)
    add.__name__ = 'add_' + kind
    add.__doc__ = f'Add a {kind}; its fields may be given by name.'
    return add


def _lister(kind):
    return property(lambda self: self.items(kind), doc=f'All elements of kind {kind}.')


def _finder(kind):
    def find(self, name):
        return self.find(kind, name)
    find.__doc__ = f'The {kind} with this name, or None.'
    return find


for _name in TABLES['MjSpec']:
    setattr(MjSpec, _name, _own(_name))
for _kind in OBJECTS:
    setattr(MjSpec, 'add_' + _kind, _adder(_kind))
    if _kind not in ('plugin',):
        setattr(MjSpec, _kind, _finder(_kind))
for _kind, _names in LISTS.items():
    setattr(MjSpec, _names, _lister(_kind))
    setattr(MjSpec, _kind, _finder(_kind))
