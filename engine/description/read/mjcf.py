"""MJCF tree → MjSpec: the sections in the order in which they are read, and the settings, defaults, assets among them."""

import numpy as np

from ..elements.elements import MjsDefault
from ..files.resources import join
from ..language import schema
from ..language.errors import SpecError
from ..language.kinds import OBJECTS
from ..language.schema import ROOT, need, read_into
from .mjcf_links import (
    read_actuators,
    read_contacts,
    read_deformables,
    read_equalities,
    read_keys,
    read_sensors,
    read_tendons,
    set_actuator,
)
from .mjcf_tree import read_body, read_camera, read_light

NAMES = frozenset(("name", "class"))
DISABLE = ("constraint", "equality", "frictionloss", "limit", "contact", "spring", "damper", "gravity", "clampctrl", "warmstart",
           "filterparent", "actuation", "refsafe", "sensor", "midphase", "eulerdamp", "autoreset", "nativeccd", "island")
ENABLE = ("override", "energy", "fwdinv", "invdiscrete", "multiccd", "sleep")

# far beyond any model that could be simulated, and small enough to be refused or allocated at once
MAX_SIZE = 1 << 28
SIZE_LIMITS = {"nkey": 1 << 16, "nuser": 1 << 16, "nuserdata": 1 << 24}
MAX_MODEL_DEPTH = 20


class Reader:
    """What the readers of all sections share: the spec, the places of files, the default classes by name."""

    def __init__(self, spec, places):
        self.spec = spec
        self.places = places
        self.classes = {"main": spec.default}

    def default_of(self, node):
        """The class an element asks for, or None."""
        name = node.attrs.get("class")
        if name is None:
            return None
        try:
            return self.classes[name]
        except KeyError:
            raise SpecError(f"unknown default class '{name}'", node, "class", name, tuple(self.classes)) from None

    def childclass(self, node):
        """The class that an element's children start from, or None."""
        name = node.attrs.get("childclass")
        if name is None:
            return None
        try:
            return self.classes[name]
        except KeyError:
            raise SpecError(f"unknown default class '{name}'", node, "childclass", name, tuple(self.classes)) from None

    def fill(self, element, node, elem, skip=NAMES):
        """Name, place and fields of an element from its node."""
        element.place = node
        name = node.attrs.get("name")
        if name is not None:
            element.label = name
        need(node, elem)
        read_into(element.raw, node, elem, skip)

    def plugin(self, owner, node):
        """The plugin reference of an element: an instance by name, or one of its own with its configuration."""
        ref = owner.plugin
        ref.active = 1
        ref.place = node
        ref.raw["plugin_name"] = node.attrs.get("plugin", "")
        ref.raw["name"] = node.attrs.get("instance", "")
        config = read_config(node)
        if not ref.raw["name"]:
            instance = self.spec.add("plugin")
            instance.raw["plugin_name"] = ref.raw["plugin_name"]
            instance.place = node
            instance.config = config
            ref.source = instance
        elif config:
            raise SpecError("an element that names a plugin instance cannot configure it", node)
        else:
            self.spec.raw["hasImplicitPluginElem"] = 1


def read_config(node):
    """Keys and values of a plugin's config elements."""
    config = {}
    for child in node.all("config"):
        for name in ("key", "value"):
            if name not in child.attrs:
                raise SpecError(f"required attribute '{name}' is missing", child, name)
        key = child.attrs["key"]
        if key in config:
            raise SpecError(f"duplicate config key '{key}'", child, "key", key)
        config[key] = child.attrs["value"]
    return config


def read_mjcf(root, spec, places):
    """Fill a spec from an expanded MJCF tree."""
    schema.check(root)
    reader = Reader(spec, places)
    if "model" in root.attrs:
        spec.modelname = root.attrs["model"]
    spec.comment = root.comment
    sections = {}
    for child in root.children:
        sections.setdefault(child.tag, []).append(child)
    for tag, read in SECTIONS:
        for node in sections.get(tag, ()):
            read(reader, node)
    for node in sections.get("worldbody", ()):
        spec.worldbody.place = spec.worldbody.place or node
        read_body(reader, node, spec.worldbody, None)


def read_compiler(reader, node):
    spec, raw = reader.spec, reader.spec.compiler.raw
    elem = ROOT.children["compiler"]
    read_into(raw, node, elem, ("coordinate", "assetdir", "meshdir", "texturedir", "strippath", "eulerseq"))
    attrs = node.attrs
    if attrs.get("coordinate") == "global":
        raise SpecError("global coordinates are not supported", node, "coordinate", "global", ("local",))
    if "coordinate" in attrs:
        elem.attrs["coordinate"].read(node, attrs["coordinate"])
    if "strippath" in attrs:
        spec.strippath = elem.attrs["strippath"].read(node, attrs["strippath"])
    if "eulerseq" in attrs:
        if len(attrs["eulerseq"]) != 3:
            raise SpecError("three axes expected", node, "eulerseq", attrs["eulerseq"])
        raw["eulerseq"] = attrs["eulerseq"]
    if "assetdir" in attrs:
        raw["meshdir"] = raw["texturedir"] = attrs["assetdir"]
    for name in ("meshdir", "texturedir"):
        if name in attrs:
            raw[name] = attrs[name]
    for child in node.children:
        read_into(spec.compiler.LRopt.raw, child, elem.children["lengthrange"])


def _into_struct(struct, node, elem):
    """Set the fields of a core struct from a node's attributes."""
    for name, text in node.attrs.items():
        row = elem.attrs[name]
        if row.low != row.high:
            value = row.read(node, text, tuple(getattr(struct, row.field)))
        else:
            value = row.read(node, text)
        if value is not None:
            setattr(struct, row.field, value)


def read_option(reader, node):
    option, elem = reader.spec.option, ROOT.children["option"]
    plain = {k: v for k, v in node.attrs.items() if k != "actuatorgroupdisable"}
    _into_struct(option, _With(node, plain), elem)
    text = node.attrs.get("actuatorgroupdisable")
    if text:
        for group in elem.attrs["actuatorgroupdisable"].numbers(node, text):
            if not 0 <= group <= 30:
                raise SpecError("an actuator group must be between 0 and 30", node, "actuatorgroupdisable", text)
            option.disableactuator |= 1 << group
    for flag in node.children:
        for name, text in flag.attrs.items():
            on = elem.children["flag"].attrs[name].read(flag, text)
            if name in DISABLE:
                bit = 1 << DISABLE.index(name)
                option.disableflags = option.disableflags & ~bit | (0 if on else bit)
            else:
                bit = 1 << ENABLE.index(name)
                option.enableflags = option.enableflags & ~bit | (bit if on else 0)


class _With:
    """A node seen with other attributes."""

    def __init__(self, node, attrs):
        self.tag, self.file, self.line, self.column, self.attrs = node.tag, node.file, node.line, node.column, attrs


def read_size(reader, node):
    raw, elem = reader.spec.raw, ROOT.children["size"]
    for name, text in node.attrs.items():
        if name == "memory":
            size = memory_bytes(node, text)
            if size >= 0:
                raw["memory"] = size
            continue
        value = elem.attrs[name].read(node, text)
        if value is None:
            continue
        if value < (0 if name == "nuserdata" else -1):
            raise SpecError("the size is negative", node, name, text)
        if name in ("nstack", "njmax") and raw["memory"] != -1 and value != -1:
            raise SpecError(f"either 'memory' or '{name}' can be given, not both", node, name)
        limit = SIZE_LIMITS.get(name.partition("_")[0], MAX_SIZE)
        if value > limit:
            raise SpecError(f"the size is larger than the limit of {limit}", node, name, text)
        raw[name] = value


def memory_bytes(node, text):
    """Bytes of a size such as `10M`; -1 if it is the default."""
    word = text.strip()
    if word == "-1":
        return -1
    digits = word[:-1] if word[-1:].isalpha() else word
    shift = "kmgtpe".find(word[-1:].lower()) + 1 if word[-1:].isalpha() else 0
    if not digits.isascii() or not digits.isdigit() or (word[-1:].isalpha() and not shift):
        raise SpecError("a whole number with an optional K, M, G, T, P or E is expected", node, "memory", text)
    size = int(digits) << (10 * shift)
    if size >= 1 << 63:
        raise SpecError("the size is too big", node, "memory", text)
    return size


def read_visual(reader, node):
    visual = reader.spec.visual
    for child in node.children:
        group = getattr(visual, "global_" if child.tag == "global" else child.tag)
        _into_struct(group, child, ROOT.children["visual"].children[child.tag])
        if child.tag == "global" and visual.global_.realtime <= 0:
            raise SpecError("realtime must be greater than 0", child, "realtime")
        if child.tag == "map" and visual.map.znear <= 0:
            raise SpecError("znear must be greater than 0", child, "znear")


def read_statistic(reader, node):
    stat = reader.spec.stat
    _into_struct(stat, node, ROOT.children["statistic"])
    if stat.extent <= 0:
        raise SpecError("extent must be greater than 0", node, "extent", node.attrs.get("extent"))


def read_default(reader, node, parent=None):
    """A default class and those nested in it."""
    name = node.attrs.get("class", "")
    if parent is None:
        current = reader.spec.default
        if name not in ("", "main"):
            raise SpecError("the top-level default class is called 'main'", node, "class", name)
    else:
        if not name:
            raise SpecError("a nested default needs a class name", node, "class")
        if name in reader.classes:
            raise SpecError(f"repeated default class '{name}'", node, "class", name)
        current = reader.classes[name] = MjsDefault(reader.spec, name, parent)
    elems = ROOT.children["default"].children
    nested = []
    for child in node.children:
        tag, elem = child.tag, elems[child.tag]
        if tag == "default":
            nested.append(child)
        elif tag == "material":
            read_material(reader, child, current.material, elem)
        elif tag == "camera":
            read_camera(reader, child, current.camera, elem)
        elif tag == "light":
            read_light(reader, child, current.light, elem)
        elif tag == "tendon":
            reader.fill(current.tendon, child, elem)
            one_springlength(child, current.tendon.raw)
        elif tag in current.KINDS:
            reader.fill(getattr(current, tag), child, elem)
        else:
            set_actuator(reader, child, current.actuator, elem)
    for child in nested:
        read_default(reader, child, current)


def one_springlength(node, raw):
    """A single spring length is both ends of its range."""
    if len(node.attrs.get("springlength", "").split()) == 1:
        raw["springlength"] = (raw["springlength"][0],) * 2


def read_extension(reader, node):
    elem = ROOT.children["extension"].children["plugin"]
    for child in node.children:
        need(child, elem)
        name = child.attrs["plugin"]
        reader.spec.activate_plugin(name, child)
        for item in child.children:
            if reader.spec.raw["hasImplicitPluginElem"]:
                raise SpecError("plugin instances must come before elements that use them", item)
            need(item, elem.children["instance"])
            instance = reader.spec.add("plugin")
            instance.place = item
            instance.label = item.attrs["name"]
            instance.raw["plugin_name"] = name
            instance.config = read_config(item)


def read_custom(reader, node):
    for child in node.children:
        elem = ROOT.children["custom"].children[child.tag]
        item = reader.spec.add(child.tag)
        reader.fill(item, child, elem, ("name", "size", "data") if child.tag == "numeric" else NAMES)
        if child.tag == "numeric":
            _numeric(item.raw, child, elem)
        elif child.tag == "text" and not item.raw["data"]:
            raise SpecError("the text is empty", child, "data")
        elif child.tag == "tuple":
            _tuple(item.raw, child, elem.children["element"])


def _numeric(raw, node, elem):
    data = elem.attrs["data"].numbers(node, node.attrs.get("data", ""))
    if "size" in node.attrs:
        size = elem.attrs["size"].read(node, node.attrs["size"])
        if len(data) > size:
            raise SpecError(f"too many numbers: {len(data)}, size is {size}", node, "data")
    else:
        size = len(data)
    if not 1 <= size <= 500:
        raise SpecError("the size of a numeric must be between 1 and 500", node, "size", str(size))
    raw["size"] = size
    raw["data"] = tuple(data + [0.0] * (size - len(data)))


def _tuple(raw, node, elem):
    types, names, prms = [], [], []
    for child in node.children:
        need(child, elem)
        word = child.attrs["objtype"]
        if word not in OBJECTS:
            raise SpecError(f"unknown object type '{word}'", child, "objtype", word, tuple(OBJECTS))
        types.append(OBJECTS[word])
        names.append(child.attrs["objname"])
        prms.append(elem.attrs["prm"].read(child, child.attrs["prm"]) if "prm" in child.attrs else 0.0)
    raw["objtype"], raw["objname"], raw["objprm"] = tuple(types), names, tuple(prms)


def read_assets(reader, node):
    for child in node.children:
        elem = ROOT.children["asset"].children[child.tag]
        ASSETS[child.tag](reader, child, elem)


def read_texture(reader, node, elem):
    texture = reader.spec.add("texture")
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


def read_material(reader, node, material, elem):
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


def _add_material(reader, node, elem):
    read_material(reader, node, reader.spec.add("material", reader.default_of(node)), elem)


def read_mesh(reader, node, elem):
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
        from ...geom.mesh_make import make_mesh
        kind = elem.attrs["builtin"].read(node, node.attrs["builtin"])
        params = elem.attrs["params"].numbers(node, node.attrs.get("params", ""))
        if not params:
            raise SpecError("required attribute 'params' is missing", node, "params")
        if "file" in node.attrs:
            raise SpecError("a builtin mesh cannot have a file", node, "builtin")
        if len(raw["uservert"]):
            raise SpecError("a builtin mesh cannot have vertices", node, "builtin")
        error = make_mesh(raw, kind, params)
        if error:
            raise SpecError(error, node, "params", node.attrs.get("params"))


def read_hfield(reader, node, elem):
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
    # the text is written from top to bottom
    raw["userdata"] = np.array(data or np.zeros(nrow * ncol), np.float32).reshape(nrow, ncol)[::-1].ravel()


def read_skin(reader, node, elem):
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


def read_model(reader, node, elem):
    """A model asset: another model to attach parts of."""
    from .load import parse_spec, read_file
    need(node, elem)
    places = reader.places
    path = join(places.modeldir, places.asset(node, "file", ""))
    chain = places.files.models
    if path in chain or len(chain) > MAX_MODEL_DEPTH:
        raise SpecError("models refer to each other", node, "file", node.attrs["file"])
    chain.append(path)
    try:
        child = parse_spec(read_file(path, places.files), path, places.files)
    except SpecError as e:
        raise SpecError(f"in model '{node.attrs['file']}': {e}", node, "file") from e
    finally:
        chain.pop()
    if "name" in node.attrs:
        child.modelname = node.attrs["name"]
    reader.spec.specs[child.modelname] = child


ASSETS = {"texture": read_texture, "material": _add_material, "mesh": read_mesh, "hfield": read_hfield, "skin": read_skin,
          "model": read_model}

SECTIONS = (
    ("compiler", read_compiler), ("option", read_option), ("size", read_size), ("visual", read_visual),
    ("statistic", read_statistic), ("default", read_default), ("extension", read_extension), ("custom", read_custom),
    ("asset", read_assets), ("contact", read_contacts), ("deformable", read_deformables), ("equality", read_equalities),
    ("tendon", read_tendons), ("actuator", read_actuators), ("sensor", read_sensors), ("keyframe", read_keys),
)
