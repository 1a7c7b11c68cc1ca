"""The complete MJCF text of a spec as given (see `authored`), with sections in the order of canonical MJCF."""

from collections.abc import Iterable
from typing import Any

from ...core.options import MjOption, MjVisual
from ..elements.element import MjLROpt, MjsCompiler
from ..elements.spec import BLANK, MjSpec
from ..language.depth import deep_calls
from ..language.keywords import DISABLE, ENABLE
from ..language.kinds import KIND_OF
from ..language.schema import ROOT, Elem
from ..language.xml_text import number, numbers, tree_text
from ..language.xmltree import Node
from ..read.actuators import TARGETS
from .authored import AsWritten, assets, classes
from .authored_tree import tree
from .custom import extension
from .links import contacts, deformables, equalities, tendons
from .sensors import sensors
from .settings import bytes_text, folders, memory_node, statistic
from .write_table import Word, element_of
from .writer import add, drop_empty, put, write_plugin

# number of nested Python calls per level of elements
CALLS = 4
EULERSEQ = "xyz"
# compiler settings that are written by other code, or not at all
SKIPPED = ("angle", "meshdir", "texturedir", "savecompiled", "savecanonical", "saveinertial")


def authored_text(spec: MjSpec, folder: str | None = None) -> str:
    """Return the MJCF text of a spec with its values as given; SpecError if MJCF cannot express it. `folder`: the folder of the
    text."""
    w = AsWritten(spec, folder)
    root = Node("mujoco", {"model": spec.modelname})
    root.comment = spec.comment.replace("--", "- -")

    # bodies, frames and classes can be nested
    with deep_calls(CALLS * (len(spec.all_bodies()) + len(spec.items("frame")) + len(w.classes))):
        for section in (
            compiler,
            option,
            size,
            visual,
            statistic,
            classes,
            extension,
            custom,
            assets,
            tree,
            contacts,
            deformables,
            equalities,
            tendons,
            actuators,
            sensors,
            keys,
        ):
            section(w, root)
        return tree_text(root)


def compiler(w: AsWritten, root: Node) -> None:
    node, e, elem = add(root, "compiler"), w.spec.compiler, ROOT.children["compiler"]
    if not w.notation.degree:
        node.attrs["angle"] = "radian"
    folders(w, node)
    w.attributes(
        node, elem, e, MjsCompiler.blank | {"eulerseq": EULERSEQ}, (*SKIPPED, *(("eulerseq",) if w.notation.canonical else ()))
    )
    if w.spec.strippath:
        node.attrs["strippath"] = "true"
    child = add(node, "lengthrange")
    w.attributes(child, elem.children["lengthrange"], e.LRopt, MjLROpt.blank)
    drop_empty(node, child)


def _struct(node: Node, elem: Elem, struct: Any, default: Any, given: Iterable[str]) -> None:
    """Write the fields of a struct that were given or differ from their defaults."""
    for name, row in elem.attrs.items():
        value = getattr(struct, row.field, None)
        if value is None or name not in given and _plain(value) == _plain(getattr(default, row.field)):
            continue
        value = _plain(value)
        node.attrs[name] = (
            numbers(value if isinstance(value, list) else [value]) if row.kind == "f" else Word(row, None).text(value, None)
        )


def _plain(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else value


def option(w: AsWritten, root: Node) -> None:
    node, opt, given = add(root, "option"), w.spec.option, w.spec.given
    _struct(node, ROOT.children["option"], opt, MjOption(), given)
    put(node, "actuatorgroupdisable", " ".join(str(i) for i in range(31) if opt.disableactuator >> i & 1))
    flag = add(node, "flag")
    for names, bits, asked, other in (
        (DISABLE, opt.disableflags, "disable", "enable"),
        (ENABLE, opt.enableflags, "enable", "disable"),
    ):
        for i, name in enumerate(names):
            if bits >> i & 1 or name in given:
                flag.attrs[name] = asked if bits >> i & 1 else other
    drop_empty(node, flag)
    drop_empty(root, node)


def size(w: AsWritten, root: Node) -> None:
    node, raw = add(root, "size"), w.spec.raw
    memory = memory_node(root, node, raw)
    for name in ROOT.children["size"].attrs:
        if raw[name] != BLANK[name]:
            (memory if name == "memory" else node).attrs[name] = bytes_text(raw[name]) if name == "memory" else str(raw[name])
    drop_empty(root, node)


def visual(w: AsWritten, root: Node) -> None:
    node, default = add(root, "visual"), MjVisual()
    for tag, elem in ROOT.children["visual"].children.items():
        group, child = "global_" if tag == "global" else tag, add(node, tag)
        given = {name.partition("__")[2] for name in w.spec.given if name.startswith(tag + "__")}
        _struct(child, elem, getattr(w.spec.visual, group), getattr(default, group), given)
        drop_empty(node, child)
    drop_empty(root, node)


def custom(w: AsWritten, root: Node) -> None:
    section, parts = add(root, "custom"), w.spec.parts
    for e in parts["numeric"]:
        add(section, "numeric").attrs.update(name=e.name, size=str(e.raw["size"]), data=numbers(e.raw["data"]))
    for e in parts["text"]:
        add(section, "text").attrs.update(name=e.name, data=e.raw["data"])
    for e in parts["tuple"]:
        node = add(section, "tuple")
        node.attrs["name"] = e.name
        for kind, name, prm in zip(e.raw["objtype"], e.raw["objname"], e.raw["objprm"]):
            item = add(node, "element")
            item.attrs.update(objtype=KIND_OF[int(kind)], objname=name)
            put(item, "prm", number(prm) if prm else "")
    drop_empty(root, section)


def actuators(w: AsWritten, root: Node) -> None:
    section, tags = add(root, "actuator"), {v: k for k, v in TARGETS.items()}
    for e in w.spec.parts["actuator"]:
        ref = e.raw["plugin"]
        tag = "plugin" if ref is not None and ref.raw["active"] else "general"
        node = add(section, tag)
        w.head(node, e)
        target = tags.get(int(e.raw["trntype"]))
        if target is not None:
            node.attrs[target] = e.raw["target"]
        w.element(node, element_of("actuator/" + tag), e, "actuator")
        if tag == "plugin":
            write_plugin(node, ref)
    drop_empty(root, section)


def keys(w: AsWritten, root: Node) -> None:
    """Write keyframes as given or, if the tree was edited, as completed by compiling."""
    section, elem = add(root, "keyframe"), ROOT.children["keyframe"].children["key"]
    if w.spec.pending_keys:
        _completed(section, elem, w.model)
    else:
        for e in w.spec.parts["key"]:
            node = add(section, "key")
            put(node, "name", e.name)
            w.attributes(node, elem, e, e.blank)
    drop_empty(root, section)


def _completed(section: Node, elem: Elem, m: Any) -> None:
    for i in range(m.nkey):
        node = add(section, "key")
        put(node, "name", m.key(i).name)
        for name in elem.attrs:
            if name != "name":
                put(node, name, numbers(getattr(m, "key_" + name)[i].ravel().tolist()))
