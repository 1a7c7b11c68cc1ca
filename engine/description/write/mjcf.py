"""MjSpec → canonical MJCF: what compiling has resolved, written so that compiling the text again gives the same Model.

The spec is compiled up to ids and poses (`compile.front`); elements are written from those columns, in the order of
`write_rows`, without what their class or the element itself starts from. Angles are radians, orientations quaternions,
actuators `general`; frames keep names and classes only; macros and attached models stand expanded. `write_tree` holds
bodies, `write_links` what refers to them, `write_back` takes over numbers of a Model that were changed after compiling.
"""

import os

import numpy as np

from ..files import resources
from ..language.errors import SpecError
from ..language.fields import TABLES
from ..language.keywords import word_of
from ..language.schema import ROOT
from ..language.xml_text import LINE, number, numbers, singles, tree_text
from ..language.xmltree import Node
from ..read.mjcf import DISABLE, ENABLE
from .rows import DEFAULT_WORDS, DEFAULTS, WORDS, Word, base_values, plain, words_of


class Writer:
    """What the writers of all sections share: the compilation `c`, its Model `m`, columns as plain values, class values."""

    def __init__(self, c, m, given):
        self.c, self.m, self.given, self.spec = c, m, given, c.spec
        self.columns, self.bases, self.classes = {}, {}, None
        self.widths = dict(zip(("body", "joint", "geom", "site", "camera", "tendon", "actuator", "sensor"), c.nuser.values()))

    def class_of(self, e):
        """The class of an element; the main one if it has none, or one that was deleted."""
        if self.classes is None:
            self.classes, todo = {self.spec.default}, [self.spec.default]
            while todo:
                children = todo.pop().children
                self.classes.update(children)
                todo += children
        return e.default if e.default in self.classes else self.spec.default

    def column(self, kind, field):
        """A field of all elements of a kind, in id order, as values that compare with those of `base`."""
        values = self.columns.get((kind, field))
        if values is None:
            values = self.columns[kind, field] = self._column(kind, field)
        return values

    def _column(self, kind, field):
        table = getattr(self.c, kind)
        row = table.rows[field]
        if field == "userdata":
            return [tuple(u) for u in table.user(self.widths[kind]).tolist()]
        if row.type in ("str", "chr") or row.count < 0:
            return [plain(row, e.raw[field]) for e in table.elems]
        values = getattr(table, field)
        if row.type == "f4":
            values = singles(values).reshape(np.shape(values))
        values = values.tolist()
        return [tuple(v) for v in values] if row.count else values

    def base(self, kind, default):
        """{field: value} that elements of a class start from."""
        key = kind, id(default)
        values = self.bases.get(key)
        if values is None:
            values = self.bases[key] = base_values(kind, default)
            width = self.widths.get(kind)
            if width is not None and "userdata" in values:
                values["userdata"] = (tuple(values["userdata"]) + (0.0,) * width)[:width]
            if kind == "camera":
                # user data of cameras does not come from their class
                values["userdata"] = (0.0,) * width
        return values

    def fill(self, node, kind, i, words, changes=None):
        """Attributes of element i that differ from its class; `changes` replaces fields, None for one that is left out."""
        e = getattr(self.c, kind).elems[i]
        base = self.base(kind, self.class_of(e))
        for w in words:
            if changes is not None and w.field in changes:
                value = changes[w.field]
                if value is None:
                    continue
            else:
                value = self.column(kind, w.field)[i]
            if value != base[w.field]:
                text = w.text(value, base[w.field])
                if text:
                    node.attrs[w.name] = text

    def head(self, node, e, context="main"):
        """Name and class of an element; `context` is the class that it would have without one."""
        put(node, "name", e.name)
        name = self.class_of(e).name
        if name != context:
            node.attrs["class"] = name


def put(node, name, text):
    """Set an attribute unless its text is empty."""
    if text:
        node.attrs[name] = text


def add(node, tag):
    """A new node at the end of another's children."""
    node.children.append(Node(tag, {}))
    return node.children[-1]


def drop_empty(parent, node):
    """Take the last child out again if it has nothing in it."""
    if not node.attrs and not node.children:
        parent.children.remove(node)


def write_plugin(node, ref):
    """The plugin reference of an element: an instance by name, or plugin and configuration."""
    if ref.raw["name"]:
        node.attrs["instance"] = ref.raw["name"]
    else:
        node.attrs["plugin"] = ref.raw["plugin_name"]
        write_config(node, ref.source)


def write_config(node, instance):
    """Keys and values of a plugin instance, in the plugin's own order."""
    from ..compile.plugins import PLUGINS
    order = PLUGINS[instance.raw["plugin_name"]].attributes
    for key in sorted(instance.config, key=lambda k: order.index(k) if k in order else len(order)):
        if instance.config[key]:
            add(node, "config").attrs.update(key=key, value=instance.config[key])


def compiler(w, root):
    node, raw = add(root, "compiler"), w.spec.compiler.raw
    node.attrs["angle"] = "radian"
    for name, kinds in (("meshdir", ("mesh", "hfield", "skin")), ("texturedir", ("texture",))):
        used = any(e.raw["file"] or any(e.raw.get("cubefiles", ())) for kind in kinds for e in getattr(w.c, kind).elems)
        put(node, name, _from_folder(w, raw[name], used))
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


def _from_folder(w, path, used):
    """A folder of assets as seen from where the text is going to stand."""
    if w.folder is None or not used or resources.provider_of(path) is not None:
        return path and path + "/" * (path[-1] not in "/\\")
    path = os.path.abspath(resources.join(w.spec.modelfiledir, path) or ".")
    if os.path.splitdrive(path)[0] != os.path.splitdrive(w.folder)[0]:
        return path + "/"
    path = os.path.relpath(path, w.folder)
    return "" if path == "." else path.replace(os.sep, "/") + "/"


def struct_into(node, elem, struct, default, single, order=()):
    """Members of a core struct that differ from their defaults."""
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


def option(w, root):
    from ...core.options import MjOption
    node, opt = add(root, "option"), w.m.opt
    struct_into(node, ROOT.children["option"], opt, MjOption(), False)
    put(node, "actuatorgroupdisable", " ".join(str(i) for i in range(31) if opt.disableactuator >> i & 1))
    flag = add(node, "flag")
    for names, bits, text in ((DISABLE, opt.disableflags, "disable"), (ENABLE, opt.enableflags, "enable")):
        flag.attrs.update((n, text) for i, n in enumerate(names) if bits >> i & 1)
    drop_empty(node, flag)
    drop_empty(root, node)


def bytes_text(n):
    """A count of bytes with the largest suffix that divides it."""
    for i in range(6, 0, -1):
        if n >= 1 << 10 * i and not n & ((1 << 10 * i) - 1):
            return f'{n >> 10 * i}{" KMGTPE"[i]}'
    return str(n)


def size(w, root):
    node, raw = add(root, "size"), w.spec.raw
    if raw["memory"] != -1:
        node.attrs["memory"] = bytes_text(raw["memory"])
    values = {"nkey": w.c.key.n, **{"nuser_" + short: n for short, n in w.c.nuser.items()}}
    for name in ("njmax", "nconmax", "nstack", "nuserdata", "nkey", *(n for n in values if n != "nkey")):
        value = values.get(name, raw.get(name))
        if value != (-1 if name in ("njmax", "nconmax", "nstack") else 0):
            node.attrs[name] = str(value)
    drop_empty(root, node)


GLOBAL = "cameraid orthographic fovy ipd azimuth elevation linewidth glow realtime offwidth offheight".split()


def visual(w, root):
    from ...core.options import MjVisual
    node, default = add(root, "visual"), MjVisual()
    for tag, elem in ROOT.children["visual"].children.items():
        group = "global_" if tag == "global" else tag
        child = add(node, tag)
        struct_into(child, elem, getattr(w.m.vis, group), getattr(default, group), True, GLOBAL if tag == "global" else ())
        drop_empty(node, child)
    drop_empty(root, node)


def statistic(w, root):
    node, given, auto = add(root, "statistic"), w.spec.stat, w.fresh.stat
    for name in ROOT.children["statistic"].attrs:
        value = np.atleast_1d(getattr(w.m.stat, name))
        changed = not np.array_equal(value, np.atleast_1d(getattr(auto, name)))
        if changed or not np.isnan(np.atleast_1d(getattr(given, name))[0]):
            node.attrs[name] = numbers(value.tolist())
    drop_empty(root, node)


def defaults(w, root, default, parent=None):
    """A class, and those below it: what differs from the class above."""
    node = add(root, "default")
    if default.name != "main":
        node.attrs["class"] = default.name
    for kind, tag in DEFAULTS.items():
        child = add(node, tag)
        value, base = base_values(kind, default), base_values(kind, parent)
        words = DEFAULT_WORDS[kind]
        if w.c.discard:
            words = [x for x in words if x.name not in ("material", "texture")]
        if kind == "material" and not w.c.discard:
            _textures(child, value["textures"], base["textures"])
        if kind == "camera":
            words = [x for x in words if x.name != "fovy" or not value["sensor_size"][0]]
            intrinsics(child, value, base)
        for x in words:
            if x.field == "springlength":
                put(child, x.name, springlength(value[x.field], base[x.field]))
            elif x.field == "userdata":
                put(child, x.name, numbers(value[x.field]) if value[x.field] != base[x.field] else "")
            elif value[x.field] != base[x.field]:
                put(child, x.name, x.text(value[x.field], base[x.field]))
        drop_empty(node, child)
    for child in default.children:
        defaults(w, node, child, default)
    if parent is None:
        drop_empty(root, node)


def springlength(value, base):
    """One number where both ends agree, for class and element."""
    if value == base:
        return ""
    return numbers(value[:1] if value[0] == value[1] and base[0] == base[1] else value)


INTRINSICS = (("focal", "focal_length"), ("focalpixel", "focal_pixel"), ("principal", "principal_length"),
              ("principalpixel", "principal_pixel"))


def intrinsics(node, value, base):
    """Resolution and intrinsics of a camera, which its reader wants together."""
    fields = ("resolution", "sensor_size", *(f for _, f in INTRINSICS))
    changed = [f for f in fields if value[f] != base[f]]
    if changed:
        put(node, "resolution", numbers(value["resolution"]))
    if set(changed) - {"resolution"} and value["sensor_size"][0] > 0 and value["sensor_size"][1] > 0:
        node.attrs["sensorsize"] = numbers(value["sensor_size"])
        for name, field in INTRINSICS:
            if value[field] != base[field]:
                node.attrs[name] = numbers(value[field])


def _textures(node, value, base):
    """Textures of a material: one of colour as an attribute, else one layer a role."""
    value = tuple(value) or ("",) * 10
    if any(name for role, name in enumerate(value) if role != 1):
        for role, name in enumerate(value):
            if name:
                add(node, "layer").attrs.update(texture=name, role=word_of("texrole", role))
    elif value[1] != (tuple(base) or ("",) * 10)[1]:
        put(node, "texture", value[1])


def extension(w, root):
    """Plugins in use, with their named instances."""
    if not w.spec.active_plugins:
        return
    node, at = add(root, "extension"), {}
    for p in w.spec.plugins:
        if p.name:
            name = p.raw["plugin_name"]
            if name not in at:
                at[name] = add(node, "plugin")
                at[name].attrs["plugin"] = name
            instance = add(at[name], "instance")
            instance.attrs["name"] = p.name
            write_config(instance, p)
    for name in w.spec.active_plugins:
        if name not in at:
            add(node, "plugin").attrs["plugin"] = name


def asset_file(w, e, folder, name):
    """The name of an asset's file as it is found from the spec's own folder."""
    if not name:
        return ""
    if w.spec.strippath:
        name = resources.basename(name)
    if e.compiler is w.spec.compiler or resources.is_absolute(name):
        return name
    mine, path = resources.join(w.spec.modelfiledir, w.spec.compiler.raw[folder]), w.c.file_of(e, name, folder)
    if resources.is_absolute(path) or not mine:
        return path
    return os.path.relpath(path, mine).replace(os.sep, "/")


TEXTURE = "mark rgb1 rgb2 markrgb random"
FACES = ("fileright", "fileleft", "fileup", "filedown", "filefront", "fileback")


def textures(w, section):
    elem = ROOT.children["asset"].children["texture"]
    colors = words_of(elem, TEXTURE, TABLES["MjsTexture"])
    for i, e in enumerate(w.c.texture.elems):
        node, raw = add(section, "texture"), e.raw
        node.attrs["type"] = word_of("texture", raw["type"])
        node.attrs["colorspace"] = word_of("colorspace", int(w.m.tex_colorspace[i]))
        put(node, "name", e.name)
        if raw["nchannel"] != 3:
            node.attrs["nchannel"] = str(raw["nchannel"])
        put(node, "builtin", word_of("builtin", raw["builtin"]) if raw["builtin"] else "")
        for x in colors:
            row = e.rows[x.field]
            value, base = plain(row, raw[x.field]), plain(row, row.default)
            if value != base:
                put(node, x.name, x.text(value, base))
        if raw["builtin"]:
            node.attrs.update(width=str(int(w.m.tex_width[i])), height=str(int(w.m.tex_height[i])))
        elif not raw["file"] and not any(raw["cubefiles"]):
            raise SpecError(f"texture '{e.name}' has neither files nor a builtin type: pixels cannot be written as XML", e.place)
        else:
            put(node, "content_type", raw["content_type"])
            for name, file in zip(("file", *FACES), (raw["file"], *raw["cubefiles"])):
                put(node, name, asset_file(w, e, "texturedir", file))
            for name in ("hflip", "vflip"):
                put(node, name, "true" if raw[name] else "")
            if tuple(raw["gridsize"]) != (1, 1):
                node.attrs["gridsize"] = " ".join(str(n) for n in raw["gridsize"])
                node.attrs["gridlayout"] = raw["gridlayout"][:raw["gridsize"][0] * raw["gridsize"][1]]


def materials(w, section):
    for i, e in enumerate(w.c.material.elems):
        node = add(section, "material")
        w.head(node, e)
        _textures(node, e.raw["textures"], w.base("material", w.class_of(e))["textures"])
        w.fill(node, "material", i, WORDS["material"])


def meshes(w, section):
    for i, e in enumerate(w.c.mesh.elems):
        node = add(section, "mesh")
        w.head(node, e)
        w.fill(node, "mesh", i, WORDS["mesh"], {"file": asset_file(w, e, "meshdir", e.raw["file"])})
        ref = e.raw["plugin"]
        if ref is not None and ref.raw["active"]:
            write_plugin(add(node, "plugin"), ref)


def hfields(w, section):
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
        # as given, or as changed in a Model, which holds them between 0 and 1
        data = w.m.hfield_data[start:start + nrow * ncol] if w.given or not len(e.raw["userdata"]) else e.raw["userdata"]
        data = np.array(data).reshape(nrow, ncol)
        if data.any():
            # the text runs from top to bottom, a line for each row
            node.attrs["elevation"] = "".join(LINE + numbers(row) for row in singles(data[::-1]).reshape(nrow, ncol).tolist())


def assets(w, root):
    section = add(root, "asset")
    for write in (textures, materials, meshes, hfields):
        write(w, section)
    drop_empty(root, section)


def custom(w, root):
    from ..language.kinds import KIND_OF, KINDS
    section, m = add(root, "custom"), w.m
    for i, e in enumerate(w.c.numeric.elems):
        start, n = int(m.numeric_adr[i]), int(m.numeric_size[i])
        add(section, "numeric").attrs.update(name=e.name, size=str(n), data=numbers(m.numeric_data[start:start + n].tolist()))
    for e in w.c.text.elems:
        add(section, "text").attrs.update(name=e.name, data=e.raw["data"])
    for i, e in enumerate(w.c.tuple.elems):
        node, start = add(section, "tuple"), int(m.tuple_adr[i])
        node.attrs["name"] = e.name
        for k, (kind, name) in enumerate(zip(e.raw["objtype"], e.raw["objname"])):
            item, prm = add(node, "element"), float(m.tuple_objprm[start + k])
            item.attrs.update(objtype=KINDS[KIND_OF[int(kind)]][1], objname=name)
            put(item, "prm", number(prm) if prm else "")
    drop_empty(root, section)


def write_mjcf(spec, m=None, folder=None):
    """Canonical MJCF text of a spec, which is compiled for it; SpecError if it cannot be compiled or holds pixels.

    `m`: a Model that was compiled from this spec, whose numbers may have been changed since; they are written.
    `folder`: where the text is going to stand, if that is not the folder of the spec; its files are found from there.
    """
    from ..compile.driver import back, front
    from .links import LINKS
    from .model_values import check_same, take_back
    from .tree import needs_inertia, worldbody
    c = front(spec, spec.files or spec.open_files())
    fresh = back(c)
    if m is not None:
        check_same(fresh, m)
    w = Writer(c, fresh if m is None else m, m is not None)
    w.fresh, w.folder = fresh, folder
    take_back(w)
    w.own_inertia = needs_inertia(w)
    root = Node("mujoco", {"model": spec.modelname})
    root.comment = spec.comment.replace("--", "- -")
    for section in (compiler, option, size, visual, statistic):
        section(w, root)
    defaults(w, root, spec.default)
    for section in (extension, custom, assets, worldbody, *LINKS):
        section(w, root)
    return tree_text(root)
