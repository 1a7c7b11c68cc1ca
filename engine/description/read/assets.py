"""The asset section of MJCF: textures, materials, meshes, height fields, skins, models."""

import numpy as np

from ...tables.compat_rows import holds
from ..elements.elements import MjsMaterial
from ..files.resources import join
from ..language.errors import SpecError
from ..language.schema import ROOT, Elem, need
from ..language.xmltree import Node
from .include import read_file
from .reader import MAX_SIZE, Reader

MAX_MODEL_DEPTH = 20


def read_assets(reader: Reader, node: Node) -> None:
    for child in node.children:
        elem = ROOT.children["asset"].children[child.tag]
        ASSETS[child.tag](reader, child, elem)


def read_texture(reader: Reader, node: Node, elem: Elem) -> None:
    texture = reader.spec.add("texture", reader.default_of(node))
    faces = ("fileright", "fileleft", "fileup", "filedown", "filefront", "fileback")

    reader.fill(texture, node, elem, ("name", "file", "gridlayout", *faces))
    raw = texture.raw
    if "file" in node.attrs:
        raw["file"] = reader.places.asset(node, "file", "texture")
    raw["cubefiles"] = [reader.places.asset(node, f, "texture") if f in node.attrs else "" for f in faces]

    layout = node.attrs.get("gridlayout")
    if layout is not None:
        if len(layout) > 12:
            raise SpecError("gridlayout has more than 12 characters", node, "gridlayout", layout)
        if len(layout) != raw["gridsize"][0] * raw["gridsize"][1]:
            raise SpecError("the length of gridlayout must match gridsize", node, "gridlayout", layout)
        raw["gridlayout"] = layout + "." * (12 - len(layout))


def read_material(reader: Reader, node: Node, material: MjsMaterial, elem: Elem) -> None:
    reader.fill(material, node, elem, ("name", "class", "texture"))
    if "texture" in node.attrs:
        material.raw["textures"] = list(material.raw["textures"])
        material.raw["textures"][1] = node.attrs["texture"]
    for layer in node.children:
        if "texture" in node.attrs:
            raise SpecError("a material with a texture cannot have layers", layer)
        rows = elem.children["layer"]
        need(layer, rows)
        role = rows.attrs["role"].read(layer, layer.attrs["role"])
        material.raw["textures"] = list(material.raw["textures"])
        material.raw["textures"][role] = layer.attrs["texture"]


def _add_material(reader: Reader, node: Node, elem: Elem) -> None:
    read_material(reader, node, reader.spec.add("material", reader.default_of(node)), elem)


def read_mesh(reader: Reader, node: Node, elem: Elem) -> None:
    mesh = reader.spec.add("mesh", reader.default_of(node))
    reader.fill(mesh, node, elem, ("name", "class", "file", "builtin", "params", "uservert"))
    raw = mesh.raw
    if "file" in node.attrs:
        raw["file"] = reader.places.asset(node, "file", "mesh")
    if "maxhullvert" in node.attrs and raw["maxhullvert"] != -1 and raw["maxhullvert"] < 4:
        raise SpecError("maxhullvert must be larger than 3", node, "maxhullvert", node.attrs["maxhullvert"])
    for plugin in node.children[:1]:
        reader.plugin(mesh, plugin)
    if "builtin" in node.attrs:
        # imported late, which saves 0.4 ms for models without such meshes
        from ...geom.mesh_make import make_mesh

        kind = elem.attrs["builtin"].read(node, node.attrs["builtin"])
        params = elem.attrs["params"].numbers(node, node.attrs.get("params", ""))
        if not params:
            raise SpecError("required attribute 'params' is missing", node, "params")
        if "file" in node.attrs:
            raise SpecError("a builtin mesh cannot have a file", node, "builtin")
        if len(raw["uservert"]):
            raise SpecError("a builtin mesh cannot have vertices", node, "builtin")
        error = make_mesh(raw, kind, params, holds("stricter", reader.spec.compat_bits))
        if error:
            raise SpecError(error, node, "params", node.attrs.get("params"))


def read_hfield(reader: Reader, node: Node, elem: Elem) -> None:
    hfield = reader.spec.add("hfield")
    reader.fill(hfield, node, elem, ("name", "file", "elevation"))
    raw = hfield.raw
    if "file" in node.attrs:
        raw["file"] = reader.places.asset(node, "file", "hfield")
        return
    nrow, ncol = raw["nrow"], raw["ncol"]
    if nrow <= 0 or ncol <= 0:
        return
    if nrow * ncol > MAX_SIZE:
        raise SpecError("the height field is too large", node, "nrow", node.attrs.get("nrow"))
    data = elem.attrs["elevation"].numbers(node, node.attrs.get("elevation", ""))
    if data and len(data) != nrow * ncol:
        raise SpecError(f"{nrow * ncol} numbers expected, found {len(data)}", node, "elevation")
    # the file lists rows from top to bottom, the height field from bottom to top
    raw["userdata"] = np.array(data or np.zeros(nrow * ncol), np.float32).reshape(nrow, ncol)[::-1].ravel()


def read_skin(reader: Reader, node: Node, elem: Elem) -> None:
    skin = reader.spec.add("skin")
    reader.fill(skin, node, elem, ("name", "file"))
    raw = skin.raw
    if "file" in node.attrs:
        raw["file"] = reader.places.asset(node, "file", "skin")
    if not 0 <= raw["group"] < 6:
        raise SpecError("the group of a skin must be between 0 and 5", node, "group", node.attrs.get("group"))
    rows = elem.children["bone"]
    raw["bodyname"], raw["bindpos"], raw["bindquat"], raw["vertid"], raw["vertweight"] = [], (), (), [], []
    for bone in node.children:
        need(bone, rows)
        values = {n: r.read(bone, bone.attrs[n]) for n, r in rows.attrs.items()}
        raw["bodyname"].append(values["body"])
        raw["bindpos"] += values["bindpos"]
        raw["bindquat"] += values["bindquat"]
        raw["vertid"].append(values["vertid"])
        raw["vertweight"].append(values["vertweight"])


def read_model(reader: Reader, node: Node, elem: Elem) -> None:
    """Read a model asset: another model from which `attach` can take parts."""
    need(node, elem)
    places = reader.places
    path = join(places.modeldir, places.asset(node, "file", ""))
    chain = places.files.models
    if path in chain or len(chain) > MAX_MODEL_DEPTH:
        raise SpecError("models refer to each other", node, "file", node.attrs["file"])
    chain.append(path)
    try:
        child = reader.parse(read_file(path, places.files), path, places.files)
    except SpecError as e:
        raise SpecError(f"in model '{node.attrs['file']}': {e}", node, "file") from e
    finally:
        chain.pop()
    if "name" in node.attrs:
        child.modelname = node.attrs["name"]
    reader.spec.specs[child.modelname] = child


ASSETS = {
    "texture": read_texture,
    "material": _add_material,
    "mesh": read_mesh,
    "hfield": read_hfield,
    "skin": read_skin,
    "model": read_model,
}
