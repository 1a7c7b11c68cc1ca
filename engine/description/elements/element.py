"""Elements of the editable model. Their classes are generated from the rows in the module `structs`.

Every element keeps its fields in `raw` ({field: number, tuple, text or array}), which reader and compiler use directly.
The public attributes (see `fields`) read and write `raw`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from ...tables.compat_rows import begun
from ...tables.values import read_text
from ..language.errors import SpecError
from ..language.fields import SHAPES, TABLES, FieldRow, MjsOrientation, keywords, set_keywords
from ..language.later_fields import faced
from ..language.unheld import PROPERTIES


class MjsElement:
    """Base class of everything that a spec contains. Only the add_* methods create objects."""

    __slots__ = ()

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        if not args:
            raise TypeError(f"{cls.__name__}: No constructor defined!")
        return object.__new__(cls)


class Element(MjsElement):
    """An element of a spec.

    spec      the spec that holds it
    place     the XML node from which it was read, or None
    label     its name; assigning `name` instead also checks for duplicates
    default   its default class
    compiler  compiler settings of the spec in which it was created
    index     its id in the model that was compiled last
    """

    __slots__ = ("raw", "spec", "place", "label", "default", "compiler", "index", "__weakref__")
    rows: dict = {}
    keywords: dict = {}
    blank: dict = {}
    kind = ""

    if TYPE_CHECKING:
        # fields become attributes of the class at run time
        def __getattr__(self, name: str) -> Any: ...
        def __setattr__(self, name: str, value: Any) -> None: ...

    def __init_subclass__(cls, struct: str | None = None, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if struct:
            cls.rows = TABLES[struct]
            cls.keywords = keywords(cls.rows, "name" not in cls.rows)
            cls.blank = {n: r.default for n, r in cls.rows.items()}
            for n, unheld in PROPERTIES.get(struct, {}).items():
                setattr(cls, n, unheld)
            for n, r in cls.rows.items():
                if n not in cls.__dict__ and n != "info":
                    setattr(cls, n, _plugin(r) if r.type == "plugin" else faced(r, cls.rows, SHAPES[r.shape](r)))

    def __init__(self, spec: Any, default: Any = None, name: str = "") -> None:
        source = default.nearest(self.kind) if default is not None else None
        self.raw = _fields_of(source, spec.settled) if source is not None else self.blank.copy()
        self.spec = spec
        self.place: Any = None
        self.label = name
        self.default = default
        self.compiler: Any = spec.compiler if spec is not None else None
        self.index = -1

    def copy_to(self, spec: Any) -> Self:
        """Return a copy of this element, without contained elements, for the same or another spec."""
        new = object.__new__(type(self))
        new.raw = copy_raw(self.raw)
        new.spec = spec
        new.place = self.place
        new.label = self.label
        new.default = self.default
        new.compiler = self.compiler
        new.index = -1
        return new

    def unlink(self) -> None:
        """Remove references to and from contained elements before the element is discarded, to free the memory at once."""

    def set(self, **values: Any) -> Self:
        """Set fields by name, like the keyword arguments of the add_* methods."""
        before = self.label
        set_keywords(self, self.keywords, values)
        if self.label != before and self.spec is not None and self.spec.later:
            self._claim(before)
        return self

    def _claim(self, before: str) -> None:
        """Raise ValueError if another element has the same name. The element then keeps its previous name (since release
        4.0)."""
        try:
            self.spec.check_repeat(self)
        except ValueError:
            self.label = before
            raise

    @property
    def name(self) -> str:
        return self.label

    @name.setter
    def name(self, name: Any) -> None:
        before, self.label = self.label, given_text("name", name)
        if self.label and self.spec is not None:
            if self.spec.later:
                self._claim(before)
            else:
                self.spec.check_repeat(self)

    @property
    def id(self) -> int:
        """Id in the compiled model; -1 if the tree has changed since the last compilation."""
        return self.spec.id_of(self)

    @property
    def signature(self) -> int:
        """Signature of the spec that contains this element; equal to the signature of the model compiled from the spec."""
        return self.spec.signature

    @property
    def info(self) -> str:
        """Text that errors show for this element: set by the user, or the line in the source."""
        line = getattr(self.place, "line", 0)
        return self.raw.get("info", "") or (f"line {line}" if line else "")

    @info.setter
    def info(self, text: Any) -> None:
        self.raw["info"] = given_text("info", text)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} '{self.label}'>"


def given_text(what: str, value: str) -> str:
    """Return text from the user as str. For anything else, raise a TypeError that mentions `what`."""
    try:
        return read_text(value)
    except TypeError as error:
        raise TypeError(f"{what}: incompatible function arguments: {error}") from None


def class_of(self) -> Any:
    """Return an element's default class."""
    return self.default


def set_class(self, default: Any) -> None:
    """Assign another default class; fields keep their values."""
    if type(default).__name__ != "MjsDefault":
        raise TypeError(f"classname: incompatible function arguments: needs MjsDefault, got {type(default).__name__}")
    self.default = default


def _fields_of(source: Any, settled: set[Any] | None) -> dict[str, Any]:
    """Return the fields of a new element, copied from `source`, the element of a default class.

    While a file is read, `settled` collects sources whose fields are all immutable: a shallow copy of those is enough.
    """
    if settled is None:
        return copy_raw(source.raw)
    if source in settled:
        return source.raw.copy()
    new = copy_raw(source.raw)
    if _PLAIN.issuperset(map(type, new.values())):
        settled.add(source)
    return new


def copy_raw(raw: dict[str, Any]) -> dict:
    """Return a copy of an element's fields that shares no mutable values with them."""
    new = raw.copy()
    if _PLAIN.issuperset(map(type, raw.values())):
        return new
    for k, v in raw.items():
        if type(v) not in _PLAIN:
            if isinstance(v, (np.ndarray, list, MjsOrientation)):
                new[k] = v.copy()
            elif isinstance(v, MjsPlugin):
                new[k] = v.copy_to(v.spec)
    return new


_PLAIN = {tuple, float, int, str, type(None), bool}


class MjsPlugin(Element, struct="MjsPlugin"):
    """A plugin instance of a spec, or an element's reference to one (`source`). `config` maps keys to strings."""

    __slots__ = ("own_config", "source")
    kind = "plugin"

    def __init__(self, spec: Any, default: Any = None, name: str = "") -> None:
        self.raw = dict(self.blank)
        super().__init__(spec, None, name)
        self.own_config = {}
        self.source: Any = None

    def copy_to(self, spec: Any) -> Self:
        new = super().copy_to(spec)
        new.own_config = dict(self.own_config)
        new.source = None
        return new

    @property
    def label(self) -> str:
        return self.raw["name"]

    @label.setter
    def label(self, name: str) -> None:
        self.raw["name"] = name

    @property
    def config(self) -> dict[str, str]:
        return (self.source or self).own_config

    @config.setter
    def config(self, config: Mapping[str, str]) -> None:
        for key, value in dict(config).items():
            if not (isinstance(key, str) and isinstance(value, str)):
                raise TypeError(f"config: keys and values must be text, got {key!r}: {value!r}")
        (self.source or self).own_config = dict(config)

    @property
    def id(self) -> int:
        return self.spec.id_of(self.source or self)

    def take(self, other: Any) -> None:
        """Refer to another plugin instance, by name if it has one."""
        if not isinstance(other, MjsPlugin):
            raise RuntimeError(f"plugin: cannot use {type(other).__name__} as MjsPlugin")
        self.raw.update((k, other.raw[k]) for k in self.rows)
        self.source = other.source or other


def _plugin(row: FieldRow) -> property:
    name = row.name

    def read(self) -> MjsPlugin:
        value = self.raw[name]
        if value is None:
            value = self.raw[name] = MjsPlugin(self.spec)
        return value

    def write(self, value: MjsPlugin) -> None:
        if not isinstance(value, MjsPlugin):
            raise TypeError(f"{name}: incompatible function arguments: needs MjsPlugin, got {type(value).__name__}")
        read(self).source = value.source or value

    return property(read, write)


class MjsCompiler(Element, struct="MjsCompiler"):
    """Compiler settings of a spec."""

    __slots__ = ("LRopt",)

    def __init__(self, spec: Any) -> None:
        super().__init__(None)
        self.spec = spec
        self.raw["eulerseq"] = "xyz"
        self.raw["compat"] = begun() or ""
        self.LRopt = MjLROpt(None)

    def copy_to(self, spec: Any) -> MjsCompiler:
        new = MjsCompiler(spec)
        new.raw = copy_raw(self.raw)
        new.LRopt.raw = copy_raw(self.LRopt.raw)
        return new


class MjLROpt(Element, struct="MjLROpt"):
    """Options of the actuator length range computation."""

    __slots__ = ()


def compile_error(element: Any, message: str, *found: Any) -> SpecError:
    """Return a SpecError that states an element, its id and the place where it was read."""
    return SpecError(message, element.place if element is not None else None, "", *found, owner=element)
