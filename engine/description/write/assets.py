"""The asset section of MJCF, and the default classes."""

from operator import is_
from typing import Any

import numpy as np

from ...tables.actuator_rows import has_trait
from ...tables.compat_rows import holds
from ..elements.elements import MjsDefault
from ..language.errors import SpecError
from ..language.fields import TABLES
from ..language.keywords import word_of
from ..language.schema import ROOT
from ..language.types import AUTO
from ..language.xml_text import LINE, numbers, singles
from ..language.xmltree import Node
from .write_table import DEFAULT_WORDS, DEFAULTS, WORDS, base_values, plain, words_of
from .writer import Writer, add, asset_file, drop_empty, intrinsics, put, springlength, write_plugin


def defaults(w: Writer, root: Node, default: MjsDefault, parent: MjsDefault | None = None) -> None:
    """Write a default class and its subclasses: attributes that differ from the parent class."""

    node = add(root, "default")
    if default.name != "main":
        node.attrs["class"] = default.name

    # one element for each kind
    for kind, tag in DEFAULTS.items():
        if not _gives(default, parent, kind):
            continue
        child = add(node, tag)
        value, base = base_values(kind, default), base_values(kind, parent)
        if kind == "tendon" and parent is None and holds("tendon_auto", w.spec.compat_bits):
            # with this change, tendons of the main class start with another value when the text is read
            base["actfrclimited"] = AUTO
        words = DEFAULT_WORDS[kind]
        if w.c.discard:
            words = [x for x in words if x.name not in ("material", "texture")]
        if kind == "material" and not w.c.discard:
            _textures(child, value["textures"], base["textures"])

        if kind == "camera":
            words = [x for x in words if x.name != "fovy" or not value["sensor_size"][0]]
            intrinsics(child, value, base)

        # write attributes that differ from the parent class
        for x in words:
            if x.field == "springlength":
                put(child, x.name, springlength(value[x.field], base[x.field]))
            elif x.field == "userdata":
                put(child, x.name, numbers(value[x.field]) if value[x.field] != base[x.field] else "")
            elif value[x.field] != base[x.field]:
                chart = x.name == "input" and has_trait(value, "gain", "turn")
                put(child, x.name, word_of("ctrlchart", value[x.field]) if chart else x.text(value[x.field], base[x.field]))
        if kind == "joint" and holds("words_spared", w.spec.compat_bits):
            own, above = default.nearest(kind), parent.nearest(kind) if parent is not None else None
            assert own is not None
            for name in ("pos", "axis"):
                start = own.blank[name] if above is None else above.raw[name]
                if tuple(own.raw[name]) != tuple(start):
                    child.attrs[name] = numbers(own.raw[name])
        drop_empty(node, child)

    for child in default.children:
        defaults(w, node, child, default)
    if parent is None:
        drop_empty(root, node)


def _gives(default: MjsDefault, parent: MjsDefault | None, kind: str) -> bool:
    """Return whether a class sets anything for a kind, compared with its parent class or, without one, with a blank element."""
    element, above = default.nearest(kind), parent.nearest(kind) if parent is not None else None
    if element is None:
        return False
    return not all(map(is_, element.raw.values(), (element.blank if above is None else above.raw).values()))


def _textures(node: Node, value: list[str] | tuple[Any, ...], base: tuple[Any, ...]) -> None:
    """Write a material's textures: a color texture alone as an attribute, otherwise a layer for each role."""
    value = tuple(value) or ("",) * 10
    if any(name for role, name in enumerate(value) if role != 1):
        for role, name in enumerate(value):
            if name:
                add(node, "layer").attrs.update(texture=name, role=word_of("texrole", role))
    elif value[1] != (tuple(base) or ("",) * 10)[1]:
        put(node, "texture", value[1])


TEXTURE = "mark rgb1 rgb2 markrgb random"
FACES = ("fileright", "fileleft", "fileup", "filedown", "filefront", "fileback")


def textures(w: Writer, section: Node) -> None:
    elem = ROOT.children["asset"].children["texture"]
    colors = words_of(elem, TEXTURE, TABLES["MjsTexture"])

    # header
    for i, e in enumerate(w.c.texture.elems):
        node, raw = add(section, "texture"), e.raw
        node.attrs["type"] = word_of("texture", raw["type"])
        node.attrs["colorspace"] = word_of("colorspace", int(w.m.tex_colorspace[i]))
        put(node, "name", e.name)
        if raw["nchannel"] != 3:
            node.attrs["nchannel"] = str(raw["nchannel"])
        put(node, "builtin", word_of("builtin", raw["builtin"]) if raw["builtin"] else "")

        # write the parameters of builtin patterns
        for x in colors:
            row = e.rows[x.field]
            value, base = plain(row, raw[x.field]), plain(row, row.default)
            if value != base:
                put(node, x.name, x.text(value, base))

        # write the source: builtin, or files
        if raw["builtin"]:
            node.attrs.update(width=str(int(w.m.tex_width[i])), height=str(int(w.m.tex_height[i])))
        elif not raw["file"] and not any(raw["cubefiles"]):
            raise SpecError(
                f"texture '{e.name}' has neither files nor a builtin type: pixels cannot be written as XML", e.place
            )
        else:
            put(node, "content_type", raw["content_type"])
            for name, file in zip(("file", *FACES), (raw["file"], *raw["cubefiles"])):
                put(node, name, asset_file(w, e, "texturedir", file))
            for name in ("hflip", "vflip"):
                put(node, name, "true" if raw[name] else "")
            if tuple(raw["gridsize"]) != (1, 1):
                node.attrs["gridsize"] = " ".join(str(n) for n in raw["gridsize"])
                node.attrs["gridlayout"] = raw["gridlayout"][: raw["gridsize"][0] * raw["gridsize"][1]]


def materials(w: Writer, section: Node) -> None:
    for i, e in enumerate(w.c.material.elems):
        node = add(section, "material")
        w.head(node, e)
        _textures(node, e.raw["textures"], w.base("material", w.class_of(e))["textures"])
        w.fill(node, "material", i, WORDS["material"])


def meshes(w: Writer, section: Node) -> None:
    for i, e in enumerate(w.c.mesh.elems):
        node = add(section, "mesh")
        w.head(node, e)
        w.fill(node, "mesh", i, WORDS["mesh"], {"file": asset_file(w, e, "meshdir", e.raw["file"])})
        ref = e.raw["plugin"]
        if ref is not None and ref.raw["active"]:
            write_plugin(add(node, "plugin"), ref)


def hfields(w: Writer, section: Node) -> None:
    for i, e in enumerate(w.c.hfield.elems):
        node = add(section, "hfield")
        put(node, "name", e.name)
        node.attrs["size"] = numbers(w.column("hfield", "size")[i])
        if e.raw["file"]:
            put(node, "content_type", e.raw["content_type"])
            node.attrs["file"] = asset_file(w, e, "meshdir", e.raw["file"])
            continue
        nrow, ncol, start = int(w.m.hfield_nrow[i]), int(w.m.hfield_ncol[i]), int(w.m.hfield_adr[i])
        node.attrs.update(nrow=str(nrow), ncol=str(ncol))
        # if a Model was passed, write its values, which may have changed and are scaled to 0..1; otherwise the spec's values
        data = w.m.hfield_data[start : start + nrow * ncol] if w.given or not len(e.raw["userdata"]) else e.raw["userdata"]
        data = np.array(data).reshape(nrow, ncol)
        if data.any():
            # the file lists rows from top to bottom, one per line
            node.attrs["elevation"] = "".join(LINE + numbers(row) for row in singles(data[::-1]).reshape(nrow, ncol).tolist())


def assets(w: Writer, root: Node) -> None:
    section = add(root, "asset")
    for write in (textures, materials, meshes, hfields):
        write(w, section)
    drop_empty(root, section)
