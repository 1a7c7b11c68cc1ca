"""Writes stubs of the public interface: `python -m tumble.stubs` writes `*.pyi` files next to this file. A test checks that
they are up to date.

Names come from the package, fields from their tables, arguments from signatures, help texts and the tables in `stub_types`.
"""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false
import enum
import importlib
import inspect
import pathlib
import types
from collections.abc import Callable, Collection
from typing import Any

from . import late
from .engine.core.records import CLASSES
from .engine.description.elements.element import Element
from .engine.description.elements.elements import LISTS, MjsBody, MjsDefault, MjsFrame
from .engine.description.elements.spec import CLASSED, OBJECTS
from .engine.description.language.fields import FORMS, TABLES
from .engine.description.language.vectors import VECTORS
from .engine.tables import named_access
from .engine.tables.schema import INTERNAL, SCHEMAS, SIZE_DOCS
from .render.gl.mjr_context import FIELDS, MjrContext
from .render.scene.record_arrays import Record, Text, Vec
from .stub_signatures import accessor, block, function_lines, look, result_of, summary, type_text
from .stub_types import ATTRIBUTES, RESULTS, hidden

FOLDER = pathlib.Path(__file__).parent
NUMPY = {"f8": "float64", "f4": "float32", "i8": "int64", "i4": "int32", "u8": "uint64", "u1": "uint8", "S1": "uint8"}
HEAD = '''"""Written by `python -m tumble.stubs`; do not edit."""
import enum
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from types import TracebackType
from typing import IO, Any, Generic, SupportsFloat, SupportsIndex, TypeAlias, TypeVar, overload

import numpy as np
import numpy.typing as npt
'''
HELPERS = '''
_T = TypeVar("_T")
_G = TypeVar("_G")
_D = TypeVar("_D", bound=np.generic)
# Any: the value is rarely None, so scripts should not have to check for None each time
_MaybeNone: TypeAlias = Any
_Columns: TypeAlias = tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]
_Strings: TypeAlias = tuple[str, ...]
_Flags: TypeAlias = tuple[tuple[str, str, str], ...]

class _Array(Generic[_D]):
    """An array: reading gives it, assigning writes its elements."""
    @overload
    def __get__(self, obj: None, owner: type) -> _Array[_D]: ...
    @overload
    def __get__(self, obj: object, owner: type | None = ...) -> npt.NDArray[_D]: ...
    def __set__(self, obj: object, value: npt.ArrayLike) -> None: ...

class _List(Generic[_T, _G]):
    """A list of a spec: reading gives a view of type _T, assigning takes a _G."""
    @overload
    def __get__(self, obj: None, owner: type) -> _List[_T, _G]: ...
    @overload
    def __get__(self, obj: object, owner: type | None = ...) -> _T: ...
    def __set__(self, obj: object, value: _G) -> None: ...
'''


# classes that scripts never construct
NOT_MADE = {"Handle", "MjsElement"}
ELEMENTS = {cls.kind: cls for cls in (*MjsDefault.KINDS.values(), *(row[1] for row in OBJECTS.values()), MjsBody, MjsFrame)}


class Stub:
    """The lines of one stub file."""

    def __init__(self, head: str) -> None:
        self.lines = head.rstrip().split("\n")

    def add(self, *lines: str) -> None:
        self.lines += lines

    def attribute(self, name: str, kind: str, doc: str = "", indent: str = "    ") -> None:
        self.add(f"{indent}{name}: {kind}", *block(doc, indent))

    def readonly(self, name: str, kind: str, doc: str = "") -> None:
        self.add("    @property", f"    def {name}(self) -> {kind}:", *(block(doc, " " * 8) or ["        ..."]))

    def begin(self, name: str, doc: str, base: str = "") -> None:
        self.add("", f"class {name}({base}):" if base else f"class {name}:", *block(doc, "    "))

    def text(self) -> str:
        return "\n".join(self.lines) + "\n"


# ---- types of fields -----------------------------------------------------------------------------------------------------
def array(dtype: str) -> str:
    return f"_Array[np.{NUMPY[dtype]}]"


def scalar(dtype: str) -> str:
    return "float" if dtype[0] == "f" else "int"


def sentence(shape: str, unit: str, doc: str) -> str:
    """Return the docstring of an attribute, with its shape and unit."""
    start = ", ".join(x for x in (shape, unit if unit != "-" else "") if x)
    return f"{start}: {doc}" if start else doc


def field_lines(stub: Stub, f: Any, name: str = "") -> None:
    """Append an attribute for a field of a schema."""
    stub.attribute(name or f.name, array(f.dtype) if f.dims else scalar(f.dtype), sentence(f.shape, f.unit, f.doc))


# element type of a list in a spec, by the type of the field
ELEMENT = {"f8": "float", "f4": "float", "i4": "int", "u1": "int", "str": "str", "chr": "str"}


def spec_type(row: Any, given: bool = False) -> str:
    """Return the type of a spec's field when it is read or, if `given`, when it is passed as an argument."""
    kind, shape = row.type, row.shape
    if shape in ("orient", "plugin"):
        return "MjsOrientation" if shape == "orient" else "MjsPlugin"
    if shape == "number":
        return ("SupportsFloat" if kind[0] == "f" else "SupportsIndex") if given else scalar(kind)
    if shape == "enum":
        return kind
    if shape == "text":
        return "str"
    if shape == "array":
        return "npt.ArrayLike" if given else array(kind)
    if shape == "nested":
        return f"Sequence[Sequence[{ELEMENT[kind]}]]"
    if given:
        return "Sequence[str]" if kind in ("str", "chr") else "npt.ArrayLike"
    return f"_List[{VECTORS[kind].__name__}, {spec_type(row, True)}]"


def keyword_text(cls: Any) -> str:
    """Return the keyword arguments of an add_ method, as text."""
    shown = []
    for key, (row, form) in cls.keywords.items():
        kind = "npt.ArrayLike" if form else "str" if key == "name" else spec_type(row, True)
        shown.append(f"{key}: {kind} = ...")
    return ", ".join(shown)


# ---- members of classes --------------------------------------------------------------------------------------------------
def shown(name: str, owner: str = "") -> bool:
    return not hidden(name, owner) and (not name.startswith("_") or name in ("__init__", "__enter__", "__exit__"))


def members(stub: Stub, cls: Any, done: Collection[str] = (), constructor: bool = True) -> None:
    """Append the properties and methods of a class and its bases, except those named in `done`."""
    found = {}
    for base in reversed(cls.__mro__[:-1]):
        found.update((name, (base, value)) for name, value in vars(base).items())
    for name, (base, value) in found.items():
        if name in done or not shown(name, base.__name__) or name == "__init__" and not constructor:
            continue
        member(stub, cls, base, name, value)


def member(stub: Stub, cls: Any, base: Any, name: str, value: Any) -> None:
    """Append one property or method."""
    owner = next((o.__name__ for o in (cls, base) if f"{o.__name__}.{name}" in RESULTS), cls.__name__)
    if isinstance(value, property):
        kind = result_of(owner, name, value.fget)
        (stub.attribute if value.fset else stub.readonly)(name, kind, summary(value.fget.__doc__ or value.__doc__))
    elif isinstance(value, (staticmethod, classmethod)):
        stub.add(*function_lines(name, value.__func__, "    ", owner, type(value).__name__))
    elif isinstance(value, types.FunctionType):
        stub.add(*function_lines(name, value, "    ", owner))


def attributes(stub: Stub, cls: Any) -> dict:
    """Append the attributes that objects of a class get when created; return {name: attribute}."""
    found = {n: t for base in cls.__mro__ for n, t in ATTRIBUTES.get(base.__name__, {}).items()}
    for name, kind in found.items():
        stub.attribute(name, kind)
    return found


# ---- types of classes ----------------------------------------------------------------------------------------------------
def enums(stub: Stub, cls: Any) -> None:
    stub.begin(
        cls.__name__, "" if cls.__doc__ == enum.IntEnum.__doc__ else summary(cls.__dict__.get("__doc__")), "enum.IntEnum"
    )
    stub.add(*(f"    {name} = {int(value)}" for name, value in cls.__members__.items()))


def small_struct(stub: Stub, cls: Any) -> None:
    """Append the class MjOption or MjStatistic."""
    stub.begin(cls.__name__, summary(cls.__doc__))
    for f in SCHEMAS[cls.__name__].fields.values():
        field_lines(stub, f)
    stub.add("    def __init__(self) -> None: ...")
    members(stub, cls, [*SCHEMAS[cls.__name__].fields, "__init__", "array"])


def visual(stub: Stub, cls: Any) -> None:
    """Append MjVisual and a class for each of its groups."""
    groups = {}
    for name, f in SCHEMAS["MjVisual"].fields.items():
        groups.setdefault(name.partition("__")[0], []).append(f)
    for group, fields in groups.items():
        stub.begin(f"_MjVisual{group.capitalize()}", f"Group `{group}` of MjVisual.")
        for f in fields:
            field_lines(stub, f, f.name.partition("__")[2])
    stub.begin("MjVisual", summary(cls.__doc__))
    for group in groups:
        title = group.capitalize()
        stub.attribute("global_" if group == "global" else group, f"_MjVisual{title}")
        stub.add(f"    {title}: TypeAlias = _MjVisual{title}")
    stub.add("    def __init__(self) -> None: ...")
    members(stub, cls, [*SCHEMAS["MjVisual"].fields, *groups, "__init__", "array", "global_"])
    for title in ("Headlight", "Rgba"):
        stub.add(f"MjVisual{title} = _MjVisual{title}")


def record_lists(stub: Stub) -> None:
    """Append the small record classes and their lists."""
    for name, (record, listed) in CLASSES.items():
        prefix, data = listed.prefix, SCHEMAS["MjData"].fields
        stub.begin(
            name,
            f"Members are rows of `{prefix}_*` of MjData."
            if prefix
            else "Options of the computation of actuator length ranges.",
        )
        for member_name, (dtype, dims) in record.members.items():
            row = data.get(f"{prefix}_{member_name}")
            about = (row.unit, row.doc) if row else TABLES[name][member_name].about
            stub.attribute(member_name, array(dtype) if dims else scalar(dtype), sentence(" x ".join(map(str, dims)), *about))
        for part in record.parts:
            stub.attribute(part, "int", f"{part[-1]}: see {part[:-1]}")
        stub.add("    def __init__(self) -> None: ...")
        if not prefix:
            continue

        stub.begin(f"_{name}List", f"Sequence of {name}; attributes are whole columns.")
        for member_name, (dtype, _) in record.members.items():
            stub.attribute(member_name, array(dtype))
        for part in record.parts:
            stub.attribute(part, "_Array[np.int32]")
        stub.add(
            "    def __len__(self) -> int: ...",
            f"    def __iter__(self) -> Iterator[{name}]: ...",
            "    @overload",
            f"    def __getitem__(self, index: SupportsIndex) -> {name}: ...",
            "    @overload",
            f"    def __getitem__(self, index: slice) -> _{name}List: ...",
        )


def views(stub: Stub, cls: Any, side: str) -> dict:
    """Append the classes that `m.body(...)` and similar methods return; return {method: (class, type of element)}."""
    methods = {}
    for kind, row in named_access.KINDS.items():
        for name in row[3].split():
            if inspect.isfunction(vars(cls).get(name)):
                methods[name] = f"_Mj{side.capitalize()}{'Keyframe' if kind == 'key' else kind.capitalize()}Views", kind
    for title, kind in dict(methods.values()).items():
        stub.begin(title, f"Rows of a {kind}.")
        stub.readonly("id", "int")
        stub.readonly("name", "str")
        for name, f in named_access.attributes(cls, side, kind).items():
            stub.attribute(name, "bytes" if f.text else array(f.dtype), sentence("", f.unit, f.doc))
    return {name: (title, kind) for name, (title, kind) in methods.items()}


def large_struct(stub: Stub, cls: Any, side: str) -> None:
    """Append the class MjModel or MjData."""
    found = views(stub, cls, side)
    schema = SCHEMAS[cls.__name__]
    stub.begin(cls.__name__, summary(cls.__doc__))

    for name in schema.sizes:
        if not name.endswith("_cap") and name not in schema.slot:
            stub.readonly(name, "int", SIZE_DOCS[name])
    special = [name for name in schema.fields if isinstance(vars(cls).get(name), property) and name in RESULTS]
    for f in schema.fields.values():
        if f.name in special:
            stub.attribute(f.name, RESULTS[f.name], f.doc)
        elif f.group not in INTERNAL:
            field_lines(stub, f)
    done = attributes(stub, cls)
    for name, (title, kind) in found.items():
        stub.add(f"    def {name}(self, name: int | str = ...) -> {title}:", f'        """The {kind} of an id or a name."""')
    members(
        stub,
        cls,
        [*schema.fields, *schema.size_slot, *done, *found, *(f"need_{n}" for n in schema.fields), "solver", "warning", "timer"],
    )


def vector(stub: Stub, cls: Any) -> None:
    """Append a list class of a spec."""
    item = {"MjsTendonPath": "MjsWrap"}.get(cls.__name__) or next(ELEMENT[k] for k, v in VECTORS.items() if v is cls)
    stub.begin(cls.__name__, summary(cls.__doc__))
    if item != "MjsWrap":
        stub.add(
            f"    def __init__(self, value: {item}, count: SupportsIndex) -> None: ...",
            f"    def __setitem__(self, index: SupportsIndex, value: {item}) -> None: ...",
        )
    stub.add(
        "    def __len__(self) -> int: ...",
        f"    def __getitem__(self, index: SupportsIndex) -> {item}: ...",
        f"    def __iter__(self) -> Iterator[{item}]: ...",
    )


def adder(kind: str, cls: Any, default: bool) -> list[str]:
    """Return the lines of an add_ method with all its keyword arguments."""
    first = "default: MjsDefault | None = ..., " if default else ""
    return [
        f"    def add_{kind}(self, {first}*, {keyword_text(cls)}) -> {cls.__name__}:",
        f'        """Add a {kind}; its fields may be given by name."""',
    ]


def element(stub: Stub, cls: Any) -> None:
    """Append the class of a spec element."""
    stub.begin(cls.__name__, summary(cls.__doc__), "MjsElement")
    own = attributes(stub, cls)
    done = [*own, *cls.rows, "__init__", "info"]
    stub.attribute("info", "str", "text for error messages")
    for row in cls.rows.values():
        if row.name not in ("info", "childclass"):
            stub.attribute(row.name, spec_type(row), sentence(str(row.count) if row.count > 0 else "", *row.about))
    if "childclass" in cls.rows:
        stub.attribute("childclass", "str", cls.rows["childclass"].about[1])

    if hasattr(cls, "add_body"):
        for kind, listed in LISTS.items():
            target = ELEMENTS[kind]
            first = "MjsFrame" if kind == "frame" else "MjsDefault"
            stub.add(
                f"    def add_{kind}(self, default: {first} | None = ..., *, {keyword_text(target)}) -> {target.__name__}:",
                f'        """Add a {kind}; its fields may be given by name."""',
            )
            done.append(f"add_{kind}")
    if cls.__name__ == "MjsBody":
        for kind, listed in LISTS.items():
            name = ELEMENTS[kind].__name__
            stub.readonly(listed, f"list[{name}]", f"Elements of kind {kind} on this body.")
            stub.add(
                *accessor(f"first_{kind}(self)", name, f"Return the first {kind} on this body, or None."),
                *accessor(f"next_{kind}(self, child: MjsElement)", name, f"Return the {kind} after `child`, or None."),
            )
            done += [listed, f"first_{kind}", f"next_{kind}"]
        stub.add(
            "    def add_freejoint(self, *, align: SupportsIndex = ..., group: SupportsIndex = ..., name: str = ...) "
            '-> MjsJoint:\n        """Add a free joint."""'
        )
        done.append("add_freejoint")
    done += [name for name in vars(cls) if name.startswith("set_to_")]
    for name in vars(cls):
        if name.startswith("set_to_"):
            stub.add(*function_lines(name, vars(cls)[name], "    ", cls.__name__))
    members(stub, cls, done)


def default_class(stub: Stub, cls: Any) -> None:
    stub.begin("MjsDefault", summary(cls.__doc__), "MjsElement")
    stub.attribute("name", "str")
    for kind, target in cls.KINDS.items():
        stub.attribute(kind, target.__name__)
    stub.add("    def __call__(self) -> MjsDefault: ...")


def orientation(stub: Stub, cls: Any) -> None:
    stub.begin("MjsOrientation", summary(cls.__doc__))
    stub.attribute("type", "mjtOrientation")
    for name in FORMS.values():
        stub.attribute(name, "_Array[np.float64]")


def spec_class(stub: Stub, cls: Any) -> None:
    stub.begin("MjSpec", summary(cls.__doc__))
    stub.add("    def __init__(self) -> None: ...")
    done = [*attributes(stub, cls), "__init__"]
    for row in TABLES["MjSpec"].values():
        stub.attribute(row.name, spec_type(row), sentence("", *row.about))
        done.append(row.name)
    for kind, (listed, target) in [*OBJECTS.items(), *((k, (v, ELEMENTS[k])) for k, v in LISTS.items())]:
        name = target.__name__
        stub.readonly(listed, f"list[{name}]", f"All elements of kind {kind}.")
        stub.add(
            f"    def {kind}(self, name: str) -> {name} | _MaybeNone:", f'        """The {kind} with this name, or None."""'
        )
        if kind in OBJECTS:
            stub.add(*adder(kind, target, kind in CLASSED))
        done += [listed, kind, f"add_{kind}"]
    members(stub, cls, done)


def row_class(stub: Stub, cls: Any) -> None:
    """Append the class of a scene record."""
    stub.begin(cls.__name__, summary(cls.__doc__))
    hidden = getattr(cls, "unlisted", frozenset())
    for f in cls.fields():
        if f.name in hidden:
            continue
        code = f.dtype.str.lstrip("<|>=")
        kind = (
            "str"
            if isinstance(f, Text)
            else ("_Array[np.bytes_]" if code[0] == "S" else array(code))
            if isinstance(f, Vec)
            else scalar(code)
        )
        stub.attribute(f.name, kind)

    done = [*attributes(stub, cls), *(f.name for f in cls.fields()), *hidden]
    for name, value in vars(cls).items():
        # arrays of a scene's surfaces are properties without a row in RESULTS
        if isinstance(value, property) and look(RESULTS, f"{cls.__name__}.{name}", name) is None:
            stub.readonly(name, "npt.NDArray[Any]")
            done.append(name)
    own = "__init__" in vars(cls)
    if not own:
        stub.add("    def __init__(self) -> None: ...")
    members(stub, cls, done, own)


def plain_class(stub: Stub, cls: Any, name: str = "") -> None:
    """Append a class that has no specific writer, under its own or its public name."""
    base = cls.__mro__[1].__name__
    stub.begin(name or cls.__name__, summary(cls.__doc__), "" if base in ("object", "ABC", "Context") else base)
    done = attributes(stub, cls)
    if cls.__name__ in NOT_MADE:
        done["__init__"] = ""
    if cls is MjrContext:
        for name, value in FIELDS:
            stub.attribute(name, "npt.NDArray[Any]" if isinstance(value, tuple) else type(value).__name__)
            done[name] = ""

    for name, value in vars(cls).items():
        if isinstance(value, types.MemberDescriptorType) and shown(name):
            stub.attribute(name, "Any")
            done[name] = ""
    for name, kind in inspect.get_annotations(cls).items():
        stub.attribute(name, type_text(kind))
        done[name] = ""
    members(stub, cls, done)
    if "__getattr__" in vars(cls):
        stub.add(
            "    def __getattr__(self, name: str) -> Any: ...", "    def __setattr__(self, name: str, value: Any) -> None: ..."
        )


# ---- files ---------------------------------------------------------------------------------------------------------------
def constant(stub: Stub, name: str, value: Any) -> None:
    """Append a constant: a number, a string or a tuple of strings."""
    if isinstance(value, tuple):
        stub.attribute(name, "_Strings" if isinstance(value[0], str) else "_Flags", indent="")
    else:
        stub.attribute(
            name, {"list": "list[Any]", "dict": "dict[str, str]"}.get(type(value).__name__, type(value).__name__), indent=""
        )


# {class: function that appends it}, for classes whose base class does not determine this
WRITERS = {
    "MjVisual": visual,
    "MjSpec": spec_class,
    "MjsDefault": default_class,
    "MjsOrientation": orientation,
    "MjModel": lambda stub, cls: large_struct(stub, cls, "model"),
    "MjData": lambda stub, cls: large_struct(stub, cls, "data"),
    "MjOption": small_struct,
    "MjStatistic": small_struct,
    "MjsElement": plain_class,
}
# classes that are appended together with another class
MADE = {*CLASSES, "MjVisualHeadlight", "MjVisualRgba"}


def writer_of(name: str, cls: Any) -> Callable[..., None]:
    """Return the function that appends a class."""
    if name in WRITERS:
        return WRITERS[name]
    for base, write in ((enum.IntEnum, enums), (Element, element), (Record, row_class)):
        if issubclass(cls, base):
            return write
    return vector if cls in VECTORS.values() or name == "MjsTendonPath" else plain_class


def package() -> str:
    """Return the text of `__init__.pyi`."""
    stub = Stub(HEAD)
    stub.add(
        "",
        *(f"from . import {name} as {name}" for name in (*late.SUBMODULES, *late.OWN)),
        *HELPERS.rstrip().split("\n"),
        "",
        *(f"{name}: str" for name in ("__version__", "mujoco_version", "tumble_version")),
    )
    found = {name: late.value(name) for name in (*late.engine.__all__, *late.LAZY)}
    classes = {name: value for name, value in found.items() if inspect.isclass(value) and name not in MADE}

    for name, value in found.items():
        if not inspect.isclass(value) and not inspect.isroutine(value) and name != "MjStruct":
            constant(stub, name, value)
    record_lists(stub)
    for name in sorted(classes, key=lambda n: (not issubclass(classes[n], enum.IntEnum), n)):
        write = writer_of(name, classes[name])
        if write is plain_class:
            plain_class(stub, classes[name], name)
        else:
            write(stub, classes[name])
    members_of_union = " | ".join(cls.__name__ for cls in found["MjStruct"].__args__)
    stub.add(
        "",
        f"MjStruct: TypeAlias = {members_of_union}",
        "_Pair: TypeAlias = tuple[MjModel, MjData]",
        "_PluginSlot: TypeAlias = tuple[mjpPlugin | None, int]",
        "",
    )
    for name in sorted(name for name, value in found.items() if inspect.isroutine(value)):
        stub.add(*function_lines(name, found[name]))
    return stub.text()


# type aliases of submodules
ALIASES = {
    "viewer": (
        "KeyCallbackType: TypeAlias = Callable[..., None]",
        "LoaderType: TypeAlias = Callable[[], tuple[MjModel, MjData]]",
    ),
    "rollout": ("_Trajectories: TypeAlias = tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]",),
    "batch": (
        "DATA_FIELDS: frozenset[str]",
        "MODEL_FIELDS: frozenset[str]",
        "uniform: Callable[..., float]",
        "normal: Callable[..., float]",
    ),
    "studio": ("PLAIN: Look",),
    "minimize": (
        "_Minimum: TypeAlias = tuple[npt.NDArray[np.float64], list[IterLog]]",
        "_Columns: TypeAlias = tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]",
    ),
}
# public names of submodules that have no `__all__`
PUBLIC = {
    "batch": "Batch Cluster ClusterError Function Named SimulationError SlowFunction".split(),
    "viewer": (
        "Hit Item Slider Checkbox Choice Button Text PlotItem ImageItem CameraItem Adding Panel Mark Board "
        "Handle launch launch_from_path launch_passive Served Film serve"
    ).split(),
    "renderer": "Renderer".split(),
    "studio": "Look Studio".split(),
    "gl_context": "GLContext".split(),
    "msh2obj": "Msh msh_to_obj main".split(),
    "minimize": "Verbosity Status IterLog Norm Quadratic jacobian_fd check_jacobian check_norm least_squares".split(),
}


def submodule(name: str) -> str:
    """Return the text of a submodule's stub file."""
    # imported late: the viewer takes 0.3 s to load, and not every submodule has a stub
    module = importlib.import_module(f".{name}", __package__)
    stub = Stub(HEAD)
    own = {n: getattr(module, n) for n in PUBLIC.get(name) or module.__all__}
    stub.add(
        "",
        "from . import GLContext as GLContext" if name == "gl_context" else "",
        "from . import Renderer as Renderer" if name in ("renderer", "studio") else "",
    )
    stub.add(
        "from . import MjData, MjModel, MjrRect, MjvCamera, MjvFigure, MjvOption, MjvPerturb, MjvScene",
        "",
        *ALIASES.get(name, ()),
    )

    for n, value in own.items():
        if n in ("Renderer", "GLContext") and name in ("renderer", "gl_context"):
            continue
        if inspect.isclass(value) and issubclass(value, enum.Enum):
            stub.begin(n, summary(value.__doc__), "enum.Enum")
            stub.add(*(f"    {m.name} = {m.value}" for m in value))
        elif inspect.isclass(value):
            plain_class(stub, value, n)
        else:
            stub.add("", *function_lines(n, value))
    return stub.text()


def texts() -> dict[str, str]:
    """Return {file name: text} for all stubs."""
    return {"__init__.pyi": package(), **{f"{name}.pyi": submodule(name) for name in (*late.SUBMODULES, *late.OWN)}}


if __name__ == "__main__":
    for _name, _text in texts().items():
        (FOLDER / _name).write_text(_text)
