"""MJCF sections with settings of the whole model: compiler, option, size, visual, statistic."""

import os
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from ...core.options import MjOption, MjVisual
from ...core.struct import same
from ...tables.compat_rows import holds, interface
from ..compile.driver import LATER, defaults_of
from ..elements.spec import MjSpec
from ..files import resources
from ..language.keywords import DISABLE, ENABLE
from ..language.schema import ROOT, Elem
from ..language.xml_text import number, numbers, singles
from ..language.xmltree import Node
from .write_table import Word
from .writer import Writer, add, drop_empty, put

NO_STATISTIC = MjSpec().stat
ALL_GROUPS = (0, 5)


def compiler(w: Writer, root: Node) -> None:
    node, raw = add(root, "compiler"), w.spec.compiler.raw
    node.attrs["angle"] = "radian"
    folders(w, node)
    if not raw["usethread"]:
        node.attrs["usethread"] = "false"
    for name in ("boundmass", "boundinertia"):
        if raw[name] and not w.own_inertia:
            node.attrs[name] = number(raw[name])
    if w.c.geom.n and (w.c.geom.fitted >= 0).any() and raw["fitaabb"]:
        node.attrs["fitaabb"] = "true"
    if raw["alignfree"]:
        node.attrs["alignfree"] = "true"
    if not raw["autolimits"]:
        node.attrs["autolimits"] = "false"
    if tuple(raw["inertiagrouprange"]) != ALL_GROUPS and holds("frames_kept", w.spec.compat_bits):
        node.attrs["inertiagrouprange"] = " ".join(str(int(k)) for k in raw["inertiagrouprange"])
    # write the release only if it is not the interface's default, because other programs do not know the attribute `compat`
    put(node, "compat", raw["compat"] if raw["compat"] != interface() else "")


def folders(w: Writer, node: Node) -> None:
    """Write the compiler attributes for the folders of asset files."""
    for name, kinds in (("meshdir", ("mesh", "hfield", "skin")), ("texturedir", ("texture",))):
        used = any(e.raw["file"] or any(e.raw.get("cubefiles", ())) for kind in kinds for e in getattr(w.c, kind).elems)
        put(node, name, _from_folder(w, w.spec.compiler.raw[name], used))


def _from_folder(w: Writer, path: str, used: bool) -> str:
    """Return a folder of assets, relative to the folder of the written file."""
    if w.folder is None or not used or resources.provider_of(path) is not None:
        return path and path + "/" * (path[-1] not in "/\\")
    path = os.path.abspath(resources.join(w.spec.modelfiledir, path) or ".")
    if os.path.splitdrive(path)[0] != os.path.splitdrive(w.folder)[0]:
        return path + "/"
    path = os.path.relpath(path, w.folder)
    return "" if path == "." else path.replace(os.sep, "/") + "/"


def struct_into(node: Node, elem: Elem, struct: Any, default: Any, single: bool, order: Sequence[str] = ()) -> None:
    """Write the members of a struct that differ from their defaults."""
    names = [n for n in order if n in elem.attrs] + [n for n in elem.attrs if n not in order]
    for name in names:
        row = elem.attrs[name]
        if row.field not in type(struct).__dict__ and not hasattr(struct, row.field):
            continue
        value, old = np.asarray(getattr(struct, row.field)), np.asarray(getattr(default, row.field))
        if np.array_equal(value, old):
            continue
        if row.kind == "f":
            values = singles(value).tolist() if single else value.ravel().tolist()
            node.attrs[name] = numbers(values)
        else:
            node.attrs[name] = Word(row, None).text(value.item(), None)


def assumed(w: Writer) -> SimpleNamespace:
    """Return the options and visual settings (opt, vis) that a reader assumes if the text does not set them.

    A compiled model has the defaults of its release. Settings of a spec that were not given still have those of 3.4.
    """
    theirs = defaults_of(w.spec.compat_bits)
    if w.m is not None:
        return theirs
    found = SimpleNamespace(opt=MjOption(), vis=MjVisual())
    for _change, struct, field, _value in LATER:
        if field in w.spec.given:
            setattr(struct(found), field, getattr(struct(theirs), field))
    if "multiccd" in w.spec.given:
        found.opt.enableflags = theirs.opt.enableflags
    return found


def option(w: Writer, root: Node) -> None:
    opt, default = w.option, assumed(w).opt
    if same(opt, default):
        return
    node = add(root, "option")
    struct_into(node, ROOT.children["option"], opt, default, False)
    put(node, "actuatorgroupdisable", " ".join(str(i) for i in range(31) if opt.disableactuator >> i & 1))
    flag = add(node, "flag")
    for names, bits, usual, on, off in (
        (DISABLE, opt.disableflags, default.disableflags, "disable", "enable"),
        (ENABLE, opt.enableflags, default.enableflags, "enable", "disable"),
    ):
        flag.attrs.update((n, on if bits >> i & 1 else off) for i, n in enumerate(names) if (bits ^ usual) >> i & 1)
    drop_empty(node, flag)
    drop_empty(root, node)


def bytes_text(n: int) -> str:
    """Return a number of bytes with the largest suffix that divides it."""
    for i in range(6, 0, -1):
        if n >= 1 << 10 * i and not n & ((1 << 10 * i) - 1):
            return f"{n >> 10 * i}{' KMGTPE'[i]}"
    return str(n)


def memory_node(root: Node, node: Node, raw: dict[str, Any]) -> Node:
    """Return the size element that gets the attribute `memory`: `node`, or a new one if `node` will have njmax or nstack, which
    exclude `memory`."""
    return add(root, "size") if raw["memory"] != -1 and (raw["njmax"] != -1 or raw["nstack"] != -1) else node


def size(w: Writer, root: Node) -> None:
    node, raw = add(root, "size"), w.spec.raw
    memory = memory_node(root, node, raw)
    if raw["memory"] != -1:
        memory.attrs["memory"] = bytes_text(raw["memory"])
    values = {"nkey": w.c.key.n, **{"nuser_" + short: n for short, n in w.c.nuser.items()}}
    for name in ("njmax", "nconmax", "nstack", "nuserdata", "nkey", *(n for n in values if n != "nkey")):
        value = values.get(name, raw.get(name))
        if value != (-1 if name in ("njmax", "nconmax", "nstack") else 0):
            node.attrs[name] = str(value)
    drop_empty(root, node)


GLOBAL = "cameraid orthographic fovy ipd azimuth elevation linewidth glow realtime offwidth offheight".split()


def visual(w: Writer, root: Node) -> None:
    default = assumed(w).vis
    if same(w.visual, default):
        return
    node = add(root, "visual")
    for tag, elem in ROOT.children["visual"].children.items():
        group = "global_" if tag == "global" else tag
        child = add(node, tag)
        struct_into(child, elem, getattr(w.visual, group), getattr(default, group), True, GLOBAL if tag == "global" else ())
        drop_empty(node, child)
    drop_empty(root, node)


def statistic(w: Writer, root: Node) -> None:
    """Write the statistics that were given, or changed in a Model."""
    node, given = add(root, "statistic"), w.spec.stat
    if not w.given and same(given, NO_STATISTIC):
        drop_empty(root, node)
        return
    for name in ROOT.children["statistic"].attrs:
        value = np.atleast_1d(getattr(w.m.stat if w.given else given, name))
        changed = w.given and not np.array_equal(value, np.atleast_1d(getattr(w.fresh.stat, name)))
        if changed or not np.isnan(np.atleast_1d(getattr(given, name))[0]):
            node.attrs[name] = numbers(value.tolist())
    drop_empty(root, node)
