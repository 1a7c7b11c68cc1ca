"""Elements of the editable model, their classes generated from the rows in structs.py.

Every element keeps its fields in `raw` (field → number, tuple, str or array), which reader and compiler use directly. The
public attributes read and write `raw`; an array that was read stays an array, so writing into it changes the model.
"""

import numpy as np

from .schema import MAX_SINGLE, ORIENT_SIZE, ROOT
from .structs import STRUCTS

DTYPES = {'f8': np.float64, 'f4': np.float32, 'i4': np.int32, 'u1': np.uint8, 'i8': np.int64}


class Row:
    """One field of a struct: type, count (0 for a scalar, -1 for a list) and default."""

    __slots__ = ('name', 'type', 'count', 'default', 'nested')

    def __init__(self, line):
        words = line.split()
        self.name, kind, rest = words[0], words[1], words[2:]
        self.nested = kind.endswith('**')
        self.count = -1 if kind.endswith('*') else 0
        kind = kind.rstrip('*')
        if kind.endswith(']'):
            kind, _, n = kind[:-1].partition('[')
            self.count = int(n)
        self.type = kind
        if kind == 'orient':
            self.default = (0, ())
        elif kind == 'plugin':
            self.default = None
        elif kind in ('str', 'chr'):
            self.default = '' if self.count >= 0 else ()
        elif self.count > 0:
            values = [float(x) if kind[0] == 'f' else int(x) for x in rest]
            self.default = tuple(values + [0.0 if kind[0] == 'f' else 0] * (self.count - len(values)))
        elif self.count < 0:
            self.default = ()
        else:
            value = rest[0] if rest else '0'
            self.default = float(value) if kind[0] == 'f' else int(value)


def _rows():
    tables, current = {}, None
    for line in STRUCTS.split('\n'):
        if not line.strip():
            continue
        if line[0] != ' ':
            current = tables[line.strip()] = {}
        else:
            row = Row(line)
            current[row.name] = row
    return tables


TABLES = _rows()


def _bound(elem, seen):
    """Attributes whose fields are of single precision take no larger numbers."""
    if elem in seen:
        return
    seen.add(elem)
    rows = TABLES.get(elem.struct, {})
    for attr in elem.attrs.values():
        if elem.struct == 'MjVisual' or attr.field in rows and rows[attr.field].type == 'f4':
            attr.limit = MAX_SINGLE
    for child in elem.children.values():
        _bound(child, seen)


_bound(ROOT, set())
_ENUMS = {}


def enum_of(name):
    """The enum class of a type name such as mjtGeom."""
    if not _ENUMS:
        from ..core import enums
        _ENUMS.update((k, v) for k, v in vars(enums).items() if k.startswith('mjt'))
    return _ENUMS[name]


def _scalar(row):
    name, convert = row.name, float if row.type[0] == 'f' else int
    if row.type.startswith('mjt'):
        def read(self):
            value = self.raw[name]
            try:
                return enum_of(row.type)(value)
            except ValueError:
                return value
    else:
        def read(self):
            return self.raw[name]

    def write(self, value):
        self.raw[name] = convert(value)
    return property(read, write)


def _array(row):
    name, count, dtype = row.name, row.count, DTYPES[row.type]

    def read(self):
        value = self.raw[name]
        if not isinstance(value, np.ndarray):
            value = self.raw[name] = np.array(value, dtype)
        return value

    def write(self, value):
        value = np.asarray(value, dtype).ravel()
        if count > 0 and value.size != count:
            raise ValueError(f'{name} has {count} numbers, not {value.size}')
        self.raw[name] = value.copy()
    return property(read, write)


def _text(row):
    name = row.name

    def read(self):
        return self.raw[name]

    def write(self, value):
        if not isinstance(value, str):
            raise TypeError(f'{name} is text, not {type(value).__name__}')
        self.raw[name] = value
    return property(read, write)


def _items(row):
    name = row.name

    def read(self):
        value = self.raw[name]
        if not isinstance(value, list):
            value = self.raw[name] = list(value)
        return value

    def write(self, value):
        self.raw[name] = list(value)
    return property(read, write)


class MjsOrientation:
    """The alternative orientation of an element: setting one form selects it."""

    __slots__ = ('_owner', '_field')

    def __init__(self, owner, field):
        object.__setattr__(self, '_owner', owner)
        object.__setattr__(self, '_field', field)

    @property
    def type(self):
        return enum_of('mjtOrientation')(self._owner.raw[self._field][0])

    @type.setter
    def type(self, kind):
        kind = int(kind)
        old = self._owner.raw[self._field]
        self._owner.raw[self._field] = (kind, old[1] if old[0] == kind else (0.0,) * ORIENT_SIZE[kind])


def _orient_form(kind):
    def read(self):
        k, values = self._owner.raw[self._field]
        return np.array(values if k == kind else (0.0,) * ORIENT_SIZE[kind])

    def write(self, value):
        value = tuple(float(x) for x in value)
        if len(value) != ORIENT_SIZE[kind]:
            raise ValueError(f'{ORIENT_SIZE[kind]} numbers expected, not {len(value)}')
        self._owner.raw[self._field] = (kind, value)
    return property(read, write)


for _kind, _name in enumerate(('axisangle', 'xyaxes', 'zaxis', 'euler'), 1):
    setattr(MjsOrientation, _name, _orient_form(_kind))


def _orient(row):
    name = row.name

    def read(self):
        return MjsOrientation(self, name)

    def write(self, value):
        self.raw[name] = value._owner.raw[value._field]
    return property(read, write)


def _plugin(row):
    name = row.name

    def read(self):
        value = self.raw[name]
        if value is None:
            value = self.raw[name] = MjsPlugin(self.spec)
        return value

    def write(self, value):
        self.raw[name] = value
    return property(read, write)


def descriptor(row):
    """The public attribute of a row."""
    if row.type == 'orient':
        return _orient(row)
    if row.type == 'plugin':
        return _plugin(row)
    if row.type in ('str', 'chr') and row.count >= 0:
        return _text(row)
    if row.type == 'str' or row.nested:
        return _items(row)
    return _array(row) if row.count else _scalar(row)


class Element:
    """Base of all elements: `spec` it belongs to, `place` it was read from, `name`, `default` class."""

    __slots__ = ('raw', 'spec', 'place', 'name', 'default', 'prefix', 'suffix', 'compiler', '__weakref__')
    rows = {}
    kind = ''

    def __init_subclass__(cls, struct=None, **kwargs):
        super().__init_subclass__(**kwargs)
        if struct:
            cls.rows = TABLES[struct]
            cls.blank = {n: r.default for n, r in cls.rows.items()}
            for n, r in cls.rows.items():
                if n not in cls.__dict__:
                    setattr(cls, n, descriptor(r))

    def __init__(self, spec, default=None, name=''):
        source = getattr(default, self.kind, None) if default is not None else None
        self.raw = copy_raw(source.raw) if source is not None else dict(self.blank)
        self.spec = spec
        self.place = None
        self.name = name
        self.default = default
        self.compiler = spec.compiler if spec is not None else None
        self.prefix = self.suffix = ''

    def copy_to(self, spec):
        """A copy of this element alone for another (or the same) spec."""
        new = object.__new__(type(self))
        new.raw = copy_raw(self.raw)
        new.spec = spec
        new.place = self.place
        new.name = self.name
        new.default = self.default
        new.compiler = self.compiler
        new.prefix, new.suffix = self.prefix, self.suffix
        return new

    def set(self, **values):
        """Set several fields by name, as the add_* methods do with their keyword arguments."""
        for name, value in values.items():
            if name == 'name':
                self.name = value
            elif name in self.rows:
                setattr(self, name, value)
            else:
                raise TypeError(f"{type(self).__name__} has no attribute '{name}'")
        return self

    @property
    def classname(self):
        return self.default

    @classname.setter
    def classname(self, default):
        self.default = default

    def __repr__(self):
        return f"<{type(self).__name__} '{self.name}'>"


def copy_raw(raw):
    """A copy of an element's fields that shares nothing that can be written into."""
    new = raw.copy()
    for k, v in raw.items():
        if type(v) not in _PLAIN:
            if isinstance(v, (np.ndarray, list)):
                new[k] = v.copy()
            elif isinstance(v, MjsPlugin):
                new[k] = v.copy_to(v.spec)
    return new


_PLAIN = {tuple, float, int, str, type(None), bool}


class MjsPlugin(Element, struct='MjsPlugin'):
    """A plugin instance, or an element's reference to one; `config` maps keys to text."""

    __slots__ = ('config', 'source')
    kind = 'plugin'

    def __init__(self, spec, default=None, name=''):
        self.raw = dict(self.blank)
        super().__init__(spec, None, name)
        self.config = {}
        self.source = None

    def copy_to(self, spec):
        new = super().copy_to(spec)
        new.config = dict(self.config)
        new.source = None
        return new


class MjsCompiler(Element, struct='MjsCompiler'):
    """Compiler settings."""

    __slots__ = ('LRopt',)

    def __init__(self):
        self.raw = dict(self.blank)
        self.raw['eulerseq'] = 'xyz'
        self.spec = self.place = self.default = self.compiler = None
        self.name = self.prefix = self.suffix = ''
        self.LRopt = MjLROpt()

    def copy_to(self, spec):
        new = MjsCompiler()
        new.raw = copy_raw(self.raw)
        new.LRopt.raw = copy_raw(self.LRopt.raw)
        return new


class MjLROpt(Element, struct='MjLROpt'):
    """Options of the actuator length range computation."""

    __slots__ = ()

    def __init__(self):
        self.raw = dict(self.blank)
        self.spec = self.place = self.default = self.compiler = None
        self.name = self.prefix = self.suffix = ''
